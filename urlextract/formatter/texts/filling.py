"""Fill words into lines, as many in each as fit; a URL is one word, or is broken if it is wider than a line.

No line is begun with a word that has a meaning at the start of a line, such as a quote mark,
the mark of a list item, a dot or ``From``, or is ended after a backslash. To avoid this, a word
stays together with the one before it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from urlextract.formatter.texts.breaking import broken_word
from urlextract.formatter.texts.quotes import item_mark, line_of
from urlextract.formatter.texts.untouched import begins_kept, is_fixed_line
from urlextract.grammar.cells import cells_of, takes_a_cell_each
from urlextract.grammar.marks import COMMENT_WHEN_REWRAPPED, NAMED_MARK, QUOTE_MARK
from urlextract.grammar.patterns import lazy_re

# Blanks only: a no-break space is part of its word.
_TOKEN = lazy_re(r"([^ ]+)( *)")
# Beginnings of lines that need a closer check.
_SUSPECT = lazy_re(
    rf"[^A-Za-z\"']|{NAMED_MARK}|[A-Za-z](?:[.)])?\s|From\b|diff\s|Index:|begin|{COMMENT_WHEN_REWRAPPED}\s"
)
_FORBIDDEN = lazy_re(rf"{QUOTE_MARK}|[.#]|From(?:\s|\Z)|--? ?\Z")


def filled(text: str, first: int, rest: int, *, break_urls: bool = False) -> list[str]:
    """Return the words of ``text``, filled into lines of ``rest`` cells, the first of ``first`` cells.

    >>> filled("one two > three", 8, 12)
    ['one', 'two > three']
    """
    if not break_urls and takes_a_cell_each(text):
        lines = _quickly(text, first, rest)
        if lines and "\\" in text and any(line.endswith("\\") for line in lines[:-1]):
            lines = None
        if lines is not None and not any(map(begins_unsafely, lines[1:])):
            return lines
    return list(_word_by_word(_units(text), first, rest, break_urls=break_urls))


@lru_cache(maxsize=64)
def _line_pattern(width: int) -> re.Pattern[str]:
    return re.compile(rf"(?=[^ ])(?:.{{0,{width - 1}}}[^ ](?![^ ])|[^ ]+)")


def _quickly(text: str, first: int, rest: int) -> list[str] | None:
    """Return the lines of a text with one cell per character, or None if only a wide gap ends a line."""
    if "  " in text:
        return _with_gaps(text, first, rest)
    if first == rest:
        return _line_pattern(max(1, rest)).findall(text)
    match = _line_pattern(max(1, first)).match(text)
    if match is None:
        return []
    return [match.group(), *_line_pattern(max(1, rest)).findall(text, match.end())]


def _with_gaps(text: str, first: int, rest: int) -> list[str] | None:
    lines: list[str] = []
    at, room = 0, max(1, first)
    while match := _line_pattern(room).search(text, at):
        start, end = match.span()
        if lines and start - at > 1:
            word = text.find(" ", start)
            before = room if len(lines) > 1 else max(1, first)
            if len(lines[-1]) + 1 + (word if word >= 0 else len(text)) - start <= before:
                return None
        lines.append(match.group())
        at, room = end, max(1, rest)
    return lines


def _is_unsafe(line: str) -> bool:
    """Return whether the beginning of a line has a meaning of its own, such as a quote mark."""
    if not _SUSPECT.match(line):
        return False
    if _FORBIDDEN.match(line) or line_of(line).quote or item_mark(f"{line} "):
        return True
    return is_fixed_line(line) or is_fixed_line(f"{line} x") or begins_kept(line)


def begins_unsafely(line: str) -> bool:
    """Return whether the beginning of a line, or its first word alone, has a meaning of its own.

    >>> begins_unsafely("- as a mark"), begins_unsafely("as a word")
    (True, False)
    """
    return _is_unsafe(line) or _is_unsafe(line.split(" ", 1)[0])


class _Unit(NamedTuple):
    """Words that stay on one line, and the blanks after them."""

    text: str
    gap: str


def _units(text: str) -> Iterator[_Unit]:
    """Yield the units of a text; a word that must not begin a line joins the one before."""
    unit: list[str] = []
    gap = ""
    for match in _TOKEN.finditer(text):
        word, behind = match.groups()
        if unit and (_is_unsafe(word) or unit[-1].endswith("\\")):  # which continues a line at its end
            unit += (gap, word)
        else:
            if unit:
                yield _Unit("".join(unit), gap)
            unit = [word]
        gap = behind
    if unit:
        yield _Unit("".join(unit), gap)


def _word_by_word(units: Iterable[_Unit], first: int, rest: int, *, break_urls: bool) -> Iterator[str]:
    line = gap = ""
    used, room = 0, first
    for word, behind in units:
        size = cells_of(word)
        is_broken = break_urls and size > rest
        if used + len(gap) + size > room:
            gap = gap[:1]  # so that a line ends only where not even one blank and the word fit
        lines = broken_word(word, used + len(gap), rest) if is_broken else None
        if line and used + len(gap) + size > room and not lines:
            yield line
            line, gap, used, room = "", "", 0, rest
            lines = broken_word(word, 0, rest) if is_broken else None
        if lines:
            lines[0] = line + gap + lines[0]
            yield from lines[:-1]
            line, room = lines[-1], rest
            used = cells_of(line)
        else:
            used += len(gap) + size
            line += gap + word
        gap = behind
    if line:
        yield line
