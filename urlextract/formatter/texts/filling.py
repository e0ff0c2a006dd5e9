"""Fill words into lines, as many in each as fit; a URL is one word, or is broken by a `Breaker`.

No line is begun with a word that has a meaning at the start of a line, such as a quote mark,
the mark of a list item, a dot or ``From``, or is ended after a backslash. To avoid this, a word
stays together with the one before it. So do the words of code, of tags and of link destinations.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from urlextract.formatter.texts.markup import Extent, begins_with_lone_tag, marked_extents, unbroken_extents
from urlextract.formatter.texts.quotes import item_mark, line_of
from urlextract.formatter.texts.untouched import begins_kept, is_fixed_line
from urlextract.grammar.cells import cells_of, takes_a_cell_each
from urlextract.grammar.marks import COMMENT_WHEN_REWRAPPED, NAMED_MARK, QUOTE_MARK
from urlextract.grammar.patterns import lazy_re

Breaker = Callable[[str, int, int], list[str] | None]
"""Called with a word, the cells used before it and the cells of a line; None leaves the word whole."""


# Blanks only: a no-break space is part of its word.
_TOKEN = lazy_re(r"([^ ]+)( *)")
# Beginnings of lines that need a closer check.
_SUSPECT = lazy_re(
    rf"[^A-Za-z\"']|{NAMED_MARK}|[A-Za-z](?:[.)])?\s|From\b|diff\s|Index:|begin|{COMMENT_WHEN_REWRAPPED}\s"
)
_LONGEST_TAG = 400  # characters
_FORBIDDEN = lazy_re(rf"{QUOTE_MARK}|[.#]|From(?:\s|\Z)|--? ?\Z")


class Filled(NamedTuple):
    """A line, and whether it ends inside a URL."""

    text: str
    is_inside: bool = False


def filled(
    text: str, first: int, rest: int, breaker: Breaker | None = None, *, keeps_markup: bool = True
) -> list[Filled]:
    """Return the words of ``text``, filled into lines of ``rest`` cells, the first of ``first`` cells.

    With ``keeps_markup``, lines do not end within Markdown or HTML where that may change its meaning.

    >>> [line.text for line in filled("one two > three", 8, 12)]
    ['one', 'two > three']
    """
    whole = unbroken_extents(text) if keeps_markup else []
    if breaker is None and not whole and takes_a_cell_each(text):
        lines = _quickly(text, first, rest)
        if lines and "\\" in text and any(line.endswith("\\") for line in lines[:-1]):
            lines = None
        if lines is not None and not any(map(begins_unsafely, lines[1:])):
            return list(map(Filled, lines))
    marked = marked_extents(text) if keeps_markup and breaker else []
    return list(_word_by_word(_units(text, whole, marked), first, rest, breaker))


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
    """Words that stay on one line, the blanks after them, and whether there is markup in them."""

    text: str
    gap: str
    is_marked: bool


def _units(text: str, whole: list[Extent], marked: list[Extent]) -> Iterator[_Unit]:
    """Yield the units of a text; a word that must not begin a line joins the one before."""
    unit: list[str] = []
    gap = ""
    start = 0
    is_whole, is_marked = _within(whole), _within(marked)
    for match in _TOKEN.finditer(text):
        word, behind = match.groups()
        # A backslash at its end continues a line, and a line with one tag alone may begin a block of HTML.
        at = match.start()
        is_lone = len(unit) > 1 and at - start <= _LONGEST_TAG and begins_with_lone_tag(text[start:at])
        is_joined = is_lone or is_whole(at - 1, at) or _is_unsafe(word) or (unit and unit[-1].endswith("\\"))
        if unit and is_joined:
            unit += (gap, word)
        else:
            if unit:
                yield _Unit("".join(unit), gap, is_marked(start, at))
            unit = [word]
            start = at
        gap = behind
    if unit:
        yield _Unit("".join(unit), gap, is_marked(start, len(text)))


def _within(extents: list[Extent]) -> Callable[[int, int], bool]:
    """Return a function that says whether a range overlaps one of ``extents``; ranges are asked in order."""
    at = 0

    def overlaps(start: int, end: int) -> bool:
        nonlocal at
        while at < len(extents) and extents[at].end <= start:
            at += 1
        return at < len(extents) and extents[at].start < end

    return overlaps


def _word_by_word(units: Iterable[_Unit], first: int, rest: int, breaker: Breaker | None) -> Iterator[Filled]:
    line = gap = ""
    used, room = 0, first
    for word, behind, is_marked in units:
        size = cells_of(word)
        is_broken = size > rest and not is_marked
        if used + len(gap) + size > room:
            gap = gap[:1]  # so that a line ends only where not even one blank and the word fit
        lines = breaker(word, used + len(gap), rest) if breaker and is_broken else None
        if line and used + len(gap) + size > room and not lines:
            yield Filled(line)
            line, gap, used, room = "", "", 0, rest
            lines = breaker(word, 0, rest) if breaker and is_broken else None
        if lines:
            lines[0] = line + gap + lines[0]
            yield from (Filled(piece, True) for piece in lines[:-1])
            line, room = lines[-1], rest
            used = cells_of(line)
        else:
            used += len(gap) + size
            line += gap + word
        gap = behind
    if line:
        yield Filled(line)
