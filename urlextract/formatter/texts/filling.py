"""Words filled into lines, as many in each as fit; a URL is one word, or is broken by the rules.

No line begins with what means something at the start of one: a quote mark, the mark of
a list, a dot, ``From``, and none ends in a backslash. Such words stay together.
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
    """Breaks a word: given it, the cells before it and those of a line; None leaves it whole."""

__all__ = ["Filled", "filled"]

# Blanks only: a no-break space is part of its word.
_TOKEN = lazy_re(r"([^ ]+)( *)")
# What a line may begin with that asks for a closer look.
_SUSPECT = lazy_re(rf"[^A-Za-z\"']|{NAMED_MARK}|[A-Za-z](?:[.)])?\s|From\b|diff\s|Index:|begin|dnl\s|REM\s")
_FORBIDDEN = lazy_re(r"[>|.#]|From(?:\s|\Z)|--? ?\Z")


class Filled(NamedTuple):
    """A line, and whether it ends inside a URL."""

    text: str
    is_inside: bool = False


def filled(text: str, first: int, rest: int, breaker: Breaker | None = None) -> list[Filled]:
    """Fill ``text``, whose words are parted by blanks, into lines of ``rest`` cells, the first of ``first``.

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
    """Fill text whose characters take a cell each; None where a wide gap parts what one blank would not."""
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
    """Return whether a line means something else when it begins so."""
    if not _SUSPECT.match(line):
        return False
    if _FORBIDDEN.match(line) or line_of(line).quote or item_mark(f"{line} "):
        return True
    return is_fixed_line(line) or is_fixed_line(f"{line} x") or begins_kept(line)


def _begins_unsafely(line: str) -> bool:
    return _is_unsafe(line) or _is_unsafe(line.split(" ", 1)[0])


def _units(text: str) -> Iterator[tuple[str, str]]:
    """Yield the words, and the blanks after each; one that may begin no line goes with the one before."""
    unit: list[str] = []
    gap = ""
    for match in _TOKEN.finditer(text):
        word, behind = match.groups()
        if unit and (_is_unsafe(word) or unit[-1].endswith("\\")):  # a backslash there continues a line
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
