"""Where the lines of a text stand in the file that it is from: what ``--line-number`` prints."""

from __future__ import annotations

from typing import NamedTuple


class SourceLines(NamedTuple):
    """The lines of its source on which a text stands: it begins on line ``first``, counted from 1.

    If it ``is_one``, its lines are not those of the source, as where it was encoded or unfolded: then all of
    it counts as standing where it begins.

    >>> SourceLines(10).at(3), SourceLines(10).of_one_line().at(3)
    (12, 10)
    """

    first: int
    is_one: bool = False

    def at(self, line: int) -> int:
        """Return the line of the source that a line of the text stands on."""
        return self.first if self.is_one else self.first + line - 1

    def of_one_line(self) -> SourceLines:
        """Return the lines of a text of which only its beginning is known."""
        return self._replace(is_one=True)

    def of_rest(self, whole: bytes, rest: bytes) -> SourceLines:
        """Return the lines of ``rest``, which is the end of the text ``whole``; else of its beginning."""
        if self.is_one or not whole.endswith(rest):
            return self.of_one_line()
        return self.after(whole.count(b"\n", 0, len(whole) - len(rest)))

    def after(self, lines: int) -> SourceLines:
        """Return the lines of what comes after so many lines of the text."""
        return self if self.is_one else self._replace(first=self.first + lines)
