"""Print records: as lines with names before them, as JSON, with their context, or as explanations."""

from __future__ import annotations

import os
from itertools import islice
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from urlextract.conversion import record_of
from urlextract.grammar.defanged import defang
from urlextract.output.context import Texts, print_context
from urlextract.output.jsonl import json_line, place_of
from urlextract.output.lines import explanation, line_of
from urlextract.output.table import csv_row
from urlextract.output.unique import Seen, key_by
from urlextract.pipeline.evidence import weighed
from urlextract.pipeline.item_results import read_items
from urlextract.results import Found

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from urlextract.errors import SourceError
    from urlextract.output.context import Lines
    from urlextract.output.writer import OutputOptions, Writer
    from urlextract.pipeline.options import ExtractOptions
    from urlextract.records import Item
    from urlextract.results import Rejection

    OnDamage: TypeAlias = Callable[[SourceError], None]

__all__ = ["found_in", "lines_of_records", "print_records"]


def _results(
    items: Iterable[Item], options: ExtractOptions, on_damage: OnDamage, *, explains: bool
) -> Iterator[Found | Rejection]:
    return weighed(read_items(items, options, explains=explains, on_damage=on_damage), options)


def found_in(items: Iterable[Item], options: ExtractOptions, on_damage: OnDamage) -> Iterator[Found]:
    """Yield the records of the URLs found, without rejections."""
    return cast("Iterator[Found]", _results(items, options, on_damage, explains=False))


def lines_of_records(
    items: Iterable[Item], output: OutputOptions, options: ExtractOptions, on_damage: OnDamage
) -> Iterator[tuple[str, str]]:
    """Yield the URL of each record, and the line that is printed for it."""
    return ((found.url, _line_for(found, output)) for found in found_in(items, options, on_damage))


def print_records(
    items: Iterable[Item],
    output: OutputOptions,
    options: ExtractOptions,
    writer: Writer,
    on_damage: OnDamage,
) -> int:
    """Print explanations, context or merged records, which are no lines; return the number of URLs found."""
    if output.explain:
        return _print_explanations(_results(items, options, on_damage, explains=True), output, writer)
    if output.context is not None:
        return print_context(_located(items, output, output.context, options, on_damage), output, writer)
    return _print_merged(found_in(items, options, on_damage), output, writer)


def _located(
    items: Iterable[Item], output: OutputOptions, around: int, options: ExtractOptions, on_damage: OnDamage
) -> Iterator[tuple[Found, Lines]]:
    """Yield the results, each with the lines of its text."""
    seen = Seen(output.unique_by) if output.unique else None

    def located() -> Iterator[tuple[Found, Lines]]:
        for item in items:
            texts = Texts(around)
            results = read_items([item], options, on_damage=on_damage, on_text=texts.add)
            for found in cast("Iterator[Found]", results):
                if seen is None or seen.is_new(found.url):
                    yield found, texts.lines_of(found)

    return islice(located(), output.max_count)


def _line_for(found: Found, output: OutputOptions) -> str:
    """Return the line that is printed for a record."""
    if output.as_json:
        return json_line(_record(found, output))
    if output.csv:
        return csv_row(found)
    return line_of(found, output)


def _record(found: Found, output: OutputOptions) -> dict[str, Any]:
    """Return the record of ``found``, with its defanged URL as one more key if that is asked for."""
    record = record_of(found, parses=output.parse)
    return {**record, "defanged": defang(found.url)} if output.defang else record


def _print_explanations(results: Iterable[Found | Rejection], output: OutputOptions, writer: Writer) -> int:
    from urlextract.output.terminal import shows_colors  # noqa: PLC0415 - for terminals only

    color = shows_colors(output.color, is_terminal=writer.is_terminal, environment=os.environ)
    is_shown = color or writer.is_terminal
    found = 0
    for result in results:
        found += isinstance(result, Found)
        if not output.quiet:
            writer.write(explanation(result, color=color, for_terminal=is_shown), is_safe=True)
        if found and (output.quiet or found == output.max_count):
            break
    return found


def _print_merged(found: Iterable[Found], output: OutputOptions, writer: Writer) -> int:
    """Print one record per URL, with all its places, after all input has been read."""
    merged: dict[str, dict[str, Any]] = {}
    key = key_by(output.unique_by)
    limit = None if output.is_ordered else output.limit
    for one in found:
        own = key(one.url)
        known = merged.get(own)
        if known is None:
            if len(merged) == limit:
                continue
            known = merged[own] = {**_record(one, output), "count": 0, "places": []}
        known["count"] += 1
        known["places"].append(place_of(one))
    records = list(merged.values())
    if output.is_ordered:
        records.sort(key=lambda record: record["url"] if output.sort else -record["count"])
    for record in records[: output.limit]:
        writer.write(json_line(record))
    return len(records[: output.limit])
