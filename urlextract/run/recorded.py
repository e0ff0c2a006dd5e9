"""Print records: as lines with names before them, as JSON, or as explanations."""

from __future__ import annotations

import os
from itertools import islice
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from urlextract.conversion import record_of
from urlextract.grammar.defanged import defang
from urlextract.output.jsonl import json_line, place_of
from urlextract.output.lines import explanation, line_of
from urlextract.pipeline.evidence import weighed
from urlextract.pipeline.item_results import read_items
from urlextract.results import Found

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from urlextract.errors import SourceError
    from urlextract.output.writer import OutputOptions, Writer
    from urlextract.pipeline.options import ExtractOptions
    from urlextract.records import Item
    from urlextract.results import Rejection

    OnDamage: TypeAlias = Callable[[SourceError], None]

__all__ = ["found_in", "line_for", "print_records"]


def _results(
    items: Iterable[Item], options: ExtractOptions, on_damage: OnDamage, *, explains: bool
) -> Iterator[Found | Rejection]:
    return weighed(read_items(items, options, explains=explains, on_damage=on_damage), options)


def found_in(items: Iterable[Item], options: ExtractOptions, on_damage: OnDamage) -> Iterator[Found]:
    """Yield the records of the URLs found, without rejections."""
    return cast("Iterator[Found]", _results(items, options, on_damage, explains=False))


def print_records(
    items: Iterable[Item],
    output: OutputOptions,
    options: ExtractOptions,
    writer: Writer,
    on_damage: OnDamage,
) -> int:
    """Print records as ``output`` specifies; return the number of URLs found."""
    if output.explain:
        return _print_explanations(_results(items, options, on_damage, explains=True), output, writer)
    found = found_in(items, options, on_damage)
    if output.unique and output.as_json:
        return _print_merged(found, output, writer)
    if output.unique:
        found = _first_of_each(found)
    written = 0
    for record in islice(found, output.max_count):
        written += 1
        if output.quiet:
            break
        writer.write([line_for(record, output)])
    return written


def _first_of_each(found: Iterable[Found]) -> Iterator[Found]:
    seen: set[str] = set()
    for record in found:
        if record.url not in seen:
            seen.add(record.url)
            yield record


def line_for(found: Found, output: OutputOptions) -> str:
    """Return the line that is printed for a record."""
    if output.as_json:
        return json_line(_record(found, output))
    return line_of(
        found,
        raw=output.raw,
        defangs=output.defang,
        source=output.with_filename,
        message_id=output.message_id,
        line=output.line_number,
    )


def _record(found: Found, output: OutputOptions) -> dict[str, Any]:
    """Return the record of ``found``, with its defanged URL as one more key if that is asked for."""
    record = record_of(found, parses=output.parse)
    return {**record, "defanged": defang(found.url)} if output.defang else record


def _print_explanations(results: Iterable[Found | Rejection], output: OutputOptions, writer: Writer) -> int:
    color = writer.is_terminal and not os.environ.get("NO_COLOR")
    found = 0
    for result in results:
        found += isinstance(result, Found)
        if not output.quiet:
            writer.write([explanation(result, color=color, for_terminal=writer.is_terminal)], is_safe=True)
        if found and (output.quiet or found == output.max_count):
            break
    return found


def _print_merged(found: Iterable[Found], output: OutputOptions, writer: Writer) -> int:
    """Print one record per URL, with all its places, after all input has been read."""
    merged: dict[str, dict[str, Any]] = {}
    for one in found:
        known = merged.get(one.url)
        if known is None:
            if len(merged) == output.max_count:
                continue
            known = merged[one.url] = {**_record(one, output), "places": []}
        known["places"].append(place_of(one))
    if not output.quiet:
        for record in merged.values():
            writer.write([json_line(record)])
    return len(merged)
