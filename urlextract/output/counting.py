"""Print the number of URLs of each source (``--count``), or the names of those that have any (``-l``)."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence

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
    file begins the URL is "".
    """
    counter = _Counter(sources, output, writer)
    for at, batch in batches:
        counter.end_up_to(at)
        for url, file in batch:
            counter.add(file, url)
            if counter.total == output.max_count:
                break
        if counter.total == output.max_count:
            break
    counter.end_up_to(len(sources))
    return counter.total


class _Counter:
    """Counts the URLs of one source after the other, and prints the line of each at its end."""

    def __init__(self, sources: Sequence[str], output: OutputOptions, writer: Writer) -> None:
        self._sources, self._output, self._writer = sources, output, writer
        self._folders = [*map(os.path.isdir, sources)]
        self._is_named = output.with_filename or len(sources) > 1 or any(self._folders)
        self._line = output.row.function("line")
        self._turn = self.total = 0
        self._begin(None)

    def _begin(self, name: str | None) -> None:
        self._name, self._count, self._seen = name, 0, Seen()

    def add(self, file: str, url: str) -> None:
        """Count a URL of a file; it is "" where the file begins."""
        name = file if self._folders[self._turn] else self._sources[self._turn]
        if name != self._name:
            self._end()
            self._begin(name)
        if url and (not self._output.unique or self._seen.is_new(url)):
            self._count += 1
            self.total += 1

    def _end(self) -> None:
        """Print the line of what was counted."""
        if self._name is not None:
            line = self._line(self._name, self._count, is_named=self._is_named)
            if line is not None:
                self._writer.write(line)
            self._begin(None)

    def end_up_to(self, turn: int) -> None:
        """End the named sources before that one; a file of which nothing was read has no URL."""
        while self._turn < turn:
            if self._name is None and not self._folders[self._turn]:
                self._begin(self._sources[self._turn])
            self._end()
            self._turn += 1
