"""Print the lines of results: as they come, each URL once, or the most frequent ones with their counts."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice

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
