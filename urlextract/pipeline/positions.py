"""Line, column and byte of places met in order, counted as the text goes by."""

from __future__ import annotations

from urlextract.grammar.chars import LINE_END
from urlextract.grammar.patterns import later

__all__ = ["Positions"]

_LINE_END = later(LINE_END)


class Positions:
    """Counts from the start of a text; each text is shown once, in order.

    ``line`` and ``column`` are those of the place last asked for, from 1. ``byte``
    is its offset in UTF-8, from the offset given; None where none was.
    """

    def __init__(self, *, start: int = 0, line: int = 1, column: int = 1, byte: int | None = None) -> None:
        self._at = start
        self._line_start = start - column + 1
        self.line = line
        self.byte = byte

    def go_to(self, place: int, text: str, base: int) -> None:
        """Go on to ``place``, all of which up to there stands in ``text`` from ``base`` on."""
        start, end = self._at - base, place - base
        if end <= start:
            return
        if self.byte is not None:
            self.byte += _utf8_length(text, start, end)
        self._at = place
        if text.find("\r", start, end) >= 0:
            self._count_mixed(text, start, end, base)
        elif (last := text.rfind("\n", start, end)) >= 0:
            self.line += text.count("\n", start, last) + 1
            self._line_start = last + 1 + base

    def _count_mixed(self, text: str, start: int, end: int, base: int) -> None:
        for match in _LINE_END.finditer(text, start, end):
            if match.end() + base > self._line_start:
                self.line += match.start() + base >= self._line_start
                self._line_start = match.end() + base

    def column_of(self, place: int) -> int:
        """Give the column of a place on the line last gone to, or before it."""
        return max(1, place - self._line_start + 1)


def _utf8_length(text: str, start: int, end: int) -> int:
    stretch = text[start:end]
    return end - start if stretch.isascii() else len(stretch.encode("utf-8", "surrogateescape"))
