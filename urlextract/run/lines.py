"""The results of items as lines: URLs alone, or records."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlextract.pipeline.item_results import read_urls
from urlextract.pipeline.urls import is_plain

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from urlextract.errors import SourceError
    from urlextract.output.writer import OutputOptions
    from urlextract.pipeline.options import ExtractOptions
    from urlextract.records import Item

__all__ = ["lines_of"]


def lines_of(
    items: Iterable[Item],
    output: OutputOptions,
    options: ExtractOptions,
    on_damage: Callable[[SourceError], None],
) -> Iterator[tuple[str, str]]:
    """Yield the URL of each result, and the line that is printed for it."""
    if not output.needs_records and is_plain(options):
        return ((url, url) for url in read_urls(items, options, on_damage=on_damage))
    from urlextract.run.recorded import lines_of_records  # noqa: PLC0415 - for records only

    return lines_of_records(items, output, options, on_damage)
