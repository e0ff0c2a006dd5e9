"""Print the number of URLs of each source (``--count``), or the names of those that have any (``-l``)."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from itertools import groupby, islice
from operator import itemgetter

from urlextract.output.outputs import OutputOptions
from urlextract.output.unique import Seen
from urlextract.output.writer import Writer


def count_line(name: str, count: int, *, is_named: bool) -> str:
    """Return the line for the number of URLs of a source.

    >>> count_line("a.mbox", 2, is_named=True), count_line("a.mbox", 0, is_named=False)
    ('a.mbox:2', '0')
    """
    return f"{name}:{count}" if is_named else str(count)


def name_line(name: str, count: int, *, is_named: bool) -> str | None:
    """Return the line for a source that has URLs, None for another."""
    return name if count else None


def print_counts(
    sources: Sequence[str],
    batches: Iterable[tuple[int, list[tuple[str, str]]]],
    output: OutputOptions,
    writer: Writer,
) -> int:
    """Print a line for each source, and for each file of a directory; return the number of URLs.

    ``batches`` have the index of a source, and URLs with the names of the files that have them; where a
    file begins the URL is "". A file of which nothing was read has no URL.
    """
    folders = [*map(os.path.isdir, sources)]
    is_named = output.with_filename or len(sources) > 1 or any(folders)
    line_of = output.row.function("line")

    def write(name: str, count: int) -> None:
        line = line_of(name, count, is_named=is_named)
        if line is not None:
            writer.write(line)

    def write_empty(begin: int, end: int) -> None:
        for at in range(begin, end):
            if not folders[at]:
                write(sources[at], 0)

    turn = total = 0
    places = ((at, file if folders[at] else sources[at], url) for at, batch in batches for url, file in batch)
    for (at, name), of_file in groupby(places, itemgetter(0, 1)):
        write_empty(turn, at)
        seen = Seen()
        urls = (url for *_, url in of_file if url and (not output.unique or seen.is_new(url)))
        count = sum(1 for _ in islice(urls, output.max_count and output.max_count - total))
        write(name, count)
        turn, total = at + 1, total + count
        if total == output.max_count:
            break
    write_empty(turn, len(sources))
    return total
