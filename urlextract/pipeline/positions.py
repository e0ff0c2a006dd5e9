"""The line, the column and the byte of a place in a text."""

from __future__ import annotations

from urlextract.grammar.chars import LINE_END
from urlextract.grammar.patterns import lazy_re

_LINE_END = lazy_re(LINE_END)


class Positions:
    """Counts lines, columns and bytes in a text; its places must be asked for in ascending order.

    ``line`` and ``column`` are those of the place last gone to, counted from 1. ``byte`` is the offset
    of that place in UTF-8 bytes, None if the argument ``byte`` is None.
    """

    def __init__(self, *, start: int = 0, line: int = 1, column: int = 1, byte: int | None = None) -> None:
        self._at = start
        self._line_start = start - column + 1
        self.line, self.column = line, column
        self.byte = byte

    def go_to(self, place: int, text: str, base: int) -> None:
        """Advance to the offset ``place``.

        ``text`` begins at the offset ``base`` and must hold everything from the last place on.
        """
        start, end = self._at - base, place - base
        if end > start:
            if self.byte is not None:
                stretch = text[start:end]
                is_ascii = stretch.isascii()
                self.byte += end - start if is_ascii else len(stretch.encode("utf-8", "surrogateescape"))
            self._at = place
            if text.find("\r", start, end) >= 0:
                self._count_mixed(text, start, end, base)
            elif (last := text.rfind("\n", start, end)) >= 0:
                self.line += text.count("\n", start, last) + 1
                self._line_start = last + 1 + base
        self.column = max(1, place - self._line_start + 1)

    def _count_mixed(self, text: str, start: int, end: int, base: int) -> None:
        for match in _LINE_END.finditer(text, start, end):
            if match.end() + base > self._line_start:
                self.line += match.start() + base >= self._line_start
                self._line_start = match.end() + base
