"""Print the lines of results: as they come, each URL once, or the most frequent ones with their counts.

Or print the number of URLs of each source (``--count``), or the names of those that have any (``-l``).
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from itertools import groupby, islice
from operator import itemgetter

from urlextract.grammar.defanged import defang
from urlextract.output.outputs import URLS, OutputOptions
from urlextract.output.unique import Seen, key_by
from urlextract.output.writer import Writer


def print_lines(results: Iterable[tuple[str, str]], output: OutputOptions, writer: Writer) -> int:
    """Print the lines of ``results``, pairs of a URL and its line; return their number."""
    lines: Iterable[str]
    if output.top is not None:
        lines = most_frequent(results, output)
    elif output.unique:
        seen = Seen()
        lines = (line for url, line in results if seen.is_new(url))
    else:
        lines = (line for _, line in results)
    written = 0
    for line in islice(lines, output.max_count):
        written += 1
        if output.quiet:
            break
        writer.write(line)
    return written


def most_frequent(results: Iterable[tuple[str, str]], output: OutputOptions) -> list[str]:
    """Return the line of the first result of each URL, with their number, as uniq -c has it.

    Where hosts or domains are counted, they are printed in place of URLs alone. Nothing is printed before
    all input was read.

    >>> from urlextract.output.outputs import OutputOptions
    >>> results = [(url, url) for url in ("http://b.example/", "http://a.example", "http://a.example/")]
    >>> most_frequent(results, OutputOptions(top=0))
    ['      2 http://a.example', '      1 http://b.example/']
    """
    key = key_by(output.by)
    is_alone = not (output.with_filename or output.message_id or output.line_number)
    is_key = output.by is not None and output.row is URLS and is_alone
    counts: dict[str, int] = {}
    lines: dict[str, str] = {}
    for url, line in results:
        own = key(url)
        counts[own] = counts.get(own, 0) + 1
        if is_key:
            line = defang(own) if output.defang else own  # noqa: PLW2901
        lines.setdefault(own, line)
    most = sorted(lines, key=lambda own: -counts[own])
    return [output.row.counted.format(counts[own], lines[own]) for own in most[: output.limit]]


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

    def write(name: str, count: int) -> None:
        if output.row.counts == "numbers":
            writer.write(f"{name}:{count}" if is_named else str(count))
        elif count:
            writer.write(name)

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
