"""Lists of references: lines ``[n]: url``, and the numbers that ask for them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from urlextract.errors import FormatError
from urlextract.formatter.readable import check_reading
from urlextract.formatter.texts.mending import urls_of
from urlextract.grammar.patterns import later

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from urlextract.formatter.texts.blocks import Block

__all__ = ["NUMBER", "WIDTH", "Entry", "bracketed", "entries_of", "filled_lines", "is_entry"]

WIDTH = 72  # columns: by it, lines that end early are told from those that are full
NUMBER = later(r"\[(\d{1,6})\]")
_ENTRY = later(r"\[(\d{1,6})\]:?[ \t]+([^\s\udc80-\udcff]+)[ \t]*\r?\Z")


class Entry(NamedTuple):
    """A line of a list: its index among the lines, and the URL it gives."""

    line: int
    url: str


def is_entry(line: str) -> bool:
    """Say whether a line has the form of one in a list, whatever stands behind its number."""
    return _ENTRY.match(line) is not None


def entries_of(lines: Sequence[str]) -> dict[str, Entry]:
    """Give the entries of lists by number, the first of each.

    >>> entries_of(["See [1].", "", "[1]: <http://a.example/b>"])
    {'1': Entry(line=2, url='http://a.example/b')}
    """
    entries: dict[str, Entry] = {}
    for index, line in enumerate(lines):
        match = _ENTRY.match(line)
        urls = urls_of(match[2]) if match else []
        if match and len(urls) == 1 and match[2].strip("<>").removeprefix("URL:") == urls[0]:
            entries.setdefault(match[1], Entry(index, urls[0]))
    return entries


def bracketed(url: str) -> str | None:
    """Give ``url`` in the brackets in which it is read back, None if there are none.

    >>> bracketed("http://a.example/b"), bracketed("x-tool:y"), bracketed("no URL")
    ('<http://a.example/b>', '<URL:x-tool:y>', None)
    """
    for opening in ("<", "<URL:"):
        try:
            check_reading(url, opening)
        except FormatError:
            continue
        if not any(char.isspace() for char in url):
            return f"{opening}{url}>"
    return None


def filled_lines(blocks: Iterable[Block]) -> set[int]:
    """Give the indexes of the lines that are in paragraphs."""
    return {line for block in blocks if block.is_filled for line in range(block.start, block.end)}
