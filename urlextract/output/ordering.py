"""Print the lines of results: as they come, each URL once, or after all others, sorted or counted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

from urlextract.grammar.defanged import defang
from urlextract.output.escaping import harmless
from urlextract.output.outputs import URLS, OutputOptions
from urlextract.output.unique import Seen, key_by
from urlextract.output.writer import Writer


def ordered(results: Iterable[tuple[str, str]], output: OutputOptions) -> Iterator[str]:
    """Return the lines of all ``results``, pairs of a URL and its line, in the order of ``output``.

    At most ``output.max_count`` lines are returned. Nothing is printed before all input was read.

    >>> from urlextract.output.outputs import OutputOptions
    >>> results = [(url, url) for url in ("http://b.example/", "http://a.example", "http://a.example/")]
    >>> list(ordered(results, OutputOptions(sort=True)))
    ['http://a.example', 'http://a.example/', 'http://b.example/']
    >>> list(ordered(results, OutputOptions(top=0)))
    ['      2 http://a.example', '      1 http://b.example/']
    """
    lines = _most_frequent(results, output) if output.top is not None else _sorted(results, output)
    return iter(lines[: output.limit])


def print_lines(results: Iterable[tuple[str, str]], output: OutputOptions, writer: Writer) -> int:
    """Print the lines of ``results``, pairs of a URL and its line; return their number."""
    if output.is_ordered:
        lines = ordered(results, output)
    elif output.unique:
        seen = Seen(output.unique_by)
        lines = (line for url, line in results if seen.is_new(url))
    else:
        lines = (line for _, line in results)
    written = 0
    for line in islice(lines, output.max_count):
        written += 1
        if output.quiet:
            break
        writer.write(line, is_safe=output.style is not None)
    return written


def _sorted(results: Iterable[tuple[str, str]], output: OutputOptions) -> list[str]:
    """Return the lines in the order of the URLs, by code points; equal URLs stay in their order."""
    if output.unique:
        seen = Seen(output.unique_by)
        results = (result for result in results if seen.is_new(result[0]))
    return [line for _, line in sorted(results, key=lambda result: result[0])]


def _most_frequent(results: Iterable[tuple[str, str]], output: OutputOptions) -> list[str]:
    """Return the line of the first result of each URL, with their number, as uniq -c has it.

    Where hosts or domains are counted, they are printed in place of URLs alone.
    """
    key = key_by(output.unique_by)
    is_alone = not (output.with_filename or output.message_id or output.line_number)
    is_key = output.row is URLS and is_alone and output.unique_by in ("host", "domain")
    counts: dict[str, int] = {}
    lines: dict[str, str] = {}
    for url, line in results:
        own = key(url)
        counts[own] = counts.get(own, 0) + 1
        lines.setdefault(own, _line_of_key(own, output) if is_key else line)
    most = sorted(lines, key=lambda own: -counts[own])
    return [output.row.counted.format(counts[own], lines[own]) for own in most[: output.limit]]


def _line_of_key(key: str, output: OutputOptions) -> str:
    """Return the line of a host or domain, as that of a URL would be."""
    return harmless(defang(key) if output.defang else key)
