"""Fill words into lines, as many in each as fit; a URL is one word, or is broken by a `Breaker`.

No line is begun with a word that has a meaning at the start of a line, such as a quote mark,
the mark of a list item, a dot or ``From``, or is ended after a backslash. To avoid this, a word
stays together with the one before it.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from urlextract.formatter.texts.quotes import item_mark, line_of
from urlextract.formatter.texts.untouched import begins_kept, is_fixed_line
from urlextract.grammar.cells import cells_of, takes_a_cell_each
from urlextract.grammar.chars import NAMED_MARK
from urlextract.grammar.patterns import compile_re, lazy_re

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Breaker = Callable[[str, int, int], list[str] | None]
    """Called with a word, the cells used before it and the cells of a line; None leaves the word whole."""

__all__ = ["Filled", "filled"]

# Blanks only: a no-break space is part of its word.
_TOKEN = lazy_re(r"([^ ]+)( *)")
# Beginnings of lines that need a closer check.
_SUSPECT = lazy_re(rf"[^A-Za-z\"']|{NAMED_MARK}|[A-Za-z](?:[.)])?\s|From\b|diff\s|Index:|begin|dnl\s|REM\s")
_FORBIDDEN = lazy_re(r"[>|.#]|From(?:\s|\Z)|--? ?\Z")


class Filled(NamedTuple):
    """A line, and whether it ends inside a URL."""

    text: str
    is_inside: bool = False


def filled(text: str, first: int, rest: int, breaker: Breaker | None = None) -> list[Filled]:
    """Return the words of ``text``, filled into lines of ``rest`` cells, the first of ``first`` cells.

    >>> [line.text for line in filled("one two > three", 8, 12)]
    ['one', 'two > three']
    """
    if breaker is None and takes_a_cell_each(text):
        lines = _quickly(text, first, rest)
        if lines and "\\" in text and any(line.endswith("\\") for line in lines[:-1]):
            lines = None
        if lines is not None and not any(map(_begins_unsafely, lines[1:])):
            return list(map(Filled, lines))
    return list(_word_by_word(text, first, rest, breaker))


@lru_cache(maxsize=64)
def _line_pattern(width: int) -> re.Pattern[str]:
    return compile_re(rf"(?=[^ ])(?:.{{0,{width - 1}}}[^ ](?![^ ])|[^ ]+)")


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


def _begins_unsafely(line: str) -> bool:
    return _is_unsafe(line) or _is_unsafe(line.split(" ", 1)[0])


def _units(text: str) -> Iterator[tuple[str, str]]:
    """Yield the words, and the blanks after each; a word that must not begin a line joins the one before."""
    unit: list[str] = []
    gap = ""
    for match in _TOKEN.finditer(text):
        word, behind = match.groups()
        if unit and (_is_unsafe(word) or unit[-1].endswith("\\")):  # a backslash at its end continues a line
            unit += (gap, word)
        else:
            if unit:
                yield "".join(unit), gap
            unit = [word]
        gap = behind
    if unit:
        yield "".join(unit), gap


def _word_by_word(text: str, first: int, rest: int, breaker: Breaker | None) -> Iterator[Filled]:
    line = gap = ""
    used, room = 0, first
    for word, behind in _units(text):
        size = cells_of(word)
        if used + len(gap) + size > room:
            gap = gap[:1]  # so that a line ends only where not even one blank and the word fit
        lines = breaker(word, used + len(gap), rest) if breaker and size > rest else None
        if line and used + len(gap) + size > room and not lines:
            yield Filled(line)
            line, gap, used, room = "", "", 0, rest
            lines = breaker(word, 0, rest) if breaker and size > rest else None
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
