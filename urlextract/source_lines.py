"""Where the lines of a text stand in the file that it is from: what ``--line-number`` prints."""

from __future__ import annotations

from bisect import bisect_right
from typing import NamedTuple


class SourceLines(NamedTuple):
    r"""The lines of its source on which a text stands.

    It begins on line ``first``, counted from 1. ``starts`` are the lines and columns in the text at which the
    lines of the source begin; None if all are lines of the text, too.

    >>> SourceLines(10).at(3, 1), SourceLines(10, ((1, 1), (1, 70), (2, 1))).at(1, 75)
    (12, 11)
    """

    first: int
    starts: tuple[tuple[int, int], ...] | None = None

    def __hash__(self) -> int:
        return self.first  # the starts may be many

    def at(self, line: int, column: int) -> int:
        """Return the line of the source that has this line and column of the text."""
        if self.starts is None:
            return self.first + line - 1
        return self.first + max(0, bisect_right(self.starts, (line, column)) - 1)

    def of_one_line(self) -> SourceLines:
        """Return the lines of a text of which only its beginning is known."""
        return self._replace(starts=((1, 1),))

    def of_rest(self, whole: bytes, rest: bytes) -> SourceLines:
        """Return the lines of ``rest``, which is the end of the text ``whole``; else of its beginning."""
        if self.starts is not None or not whole.endswith(rest):
            return self.of_one_line()
        return self.after(whole.count(b"\n", 0, len(whole) - len(rest)))

    def after(self, lines: int) -> SourceLines:
        """Return the lines of what comes after so many lines of the text."""
        return self._replace(first=self.first + lines) if self.starts is None else self

    def rewritten(self, starts: list[tuple[int, int]]) -> SourceLines:
        """Return the lines of a text made of this one, in which its lines begin at ``starts``."""
        if self.starts is None:
            return self._replace(starts=tuple(starts))
        moved = [
            (starts[line - 1][0], starts[line - 1][1] + column - 1)
            for line, column in self.starts
            if line <= len(starts)
        ]
        return self._replace(starts=tuple(moved))


def starts_of(pieces: list[str]) -> list[tuple[int, int]]:
    r"""Return where each of the pieces of a text begins in it, as a line and a column.

    >>> starts_of(["a", "b\n", "c\n"])
    [(1, 1), (1, 2), (2, 1)]
    """
    starts, line, column = [], 1, 1
    for piece in pieces:
        starts.append((line, column))
        last = piece.rfind("\n")
        line, column = line + piece.count("\n"), len(piece) - last if last >= 0 else column + len(piece)
    return starts
