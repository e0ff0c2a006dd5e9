"""The results of items, and their lines: read as the output needs them, for one process and for several."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import groupby
from typing import TYPE_CHECKING, Any

from urlextract.errors import OnDamage
from urlextract.output.outputs import OutputOptions
from urlextract.output.writer import Writer
from urlextract.pipeline.item_results import read_items, read_urls
from urlextract.pipeline.options import ExtractOptions
from urlextract.pipeline.urls import needs_no_records
from urlextract.records import Item
from urlextract.run.file_lines import FileLines

if TYPE_CHECKING:
    from urlextract.message.segments import OnMessage
    from urlextract.results import Found


def found_in(
    items: Iterable[Item],
    options: ExtractOptions,
    on_damage: OnDamage,
    *,
    on_message: OnMessage | None = None,
) -> Iterator[Found]:
    """Yield the records of the URLs found, without rejections; the arguments are those of `read_items`."""
    results: Iterator[Any] = read_items(items, options, on_damage=on_damage, on_message=on_message)
    return results


def lines_of(
    items: Iterable[Item],
    output: OutputOptions,
    options: ExtractOptions,
    on_damage: OnDamage,
    file_lines: FileLines | None = None,
) -> Iterator[tuple[str, str]]:
    """Yield the URL of each result, and the line that is printed for it.

    If they are counted, the name of the source comes in place of the line, and first with no URL. The lines
    of files are counted on with ``file_lines``, by default anew.
    """
    if output.row.counts:
        return _named(items, output, options, on_damage)
    if not output.needs_records and needs_no_records(options):
        return ((url, url) for url in read_urls(items, options, on_damage=on_damage))
    line: Callable[[Found, OutputOptions], str] = output.row.function("line")
    results = found_in(items, options, on_damage)
    if output.line_number and output.row.is_named:
        results = (file_lines or FileLines()).numbered(results)
    return ((found.url, line(found, output)) for found in results)


def _named(
    items: Iterable[Item], output: OutputOptions, options: ExtractOptions, on_damage: OnDamage
) -> Iterator[tuple[str, str]]:
    """Yield the URLs, each with the name of its source; where a source begins comes its name with no URL."""
    for source, of_source in groupby(items, lambda item: item.provenance.source or "-"):
        yield "", source
        for url, _ in lines_of(of_source, OutputOptions(), options, on_damage):
            yield url, source


def print_together(
    items: Iterable[Item], output: OutputOptions, options: ExtractOptions, writer: Writer, on_damage: OnDamage
) -> int:
    """Print results whose output has no line for each (`OutputOptions.is_lines`); return their number."""
    explains = output.row.takes == "rejections"
    results = read_items(items, options, explains=explains, on_damage=on_damage)
    print_results = output.row.function("merges" if output.merges else "prints")
    printed: int = print_results(results, output, writer)
    return printed
