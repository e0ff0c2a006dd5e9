"""Edits of a text, and a copy in which they are made, with offsets in both.

Escaped and defanged URLs are read in such a copy by the rules of any text, and located in the original.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from itertools import accumulate
from operator import itemgetter
from typing import NamedTuple


class Edit(NamedTuple):
    """A replacement of ``start:end`` of a text by ``new``."""

    start: int
    end: int
    new: str


def edited(text: str, edits: Iterable[Edit]) -> str:
    """Return ``text`` with ``edits``, which are in order and do not overlap."""
    pieces: list[str] = []
    at = 0
    for start, end, new in edits:
        pieces += (text[at:start], new)
        at = end
    return "".join((*pieces, text[at:]))


class Copy:
    r"""A copy of a text with ``edits``, which are in order and do not overlap.

    >>> copy = Copy(r"http:\/\/a", [Edit(5, 7, "/"), Edit(7, 9, "/")])
    >>> copy.text, copy.to(9), copy.original(7, is_end=True)
    ('http://a', 7, 9)
    """

    def __init__(self, text: str, edits: Sequence[Edit]) -> None:
        self.text, self.edits = edited(text, edits), edits
        shifts = accumulate((len(new) - (end - start) for start, end, new in edits), initial=0)
        self.copied = [edit.start + shift for edit, shift in zip(edits, shifts, strict=False)]
        """The offset in the copy at which what each edit puts in begins."""

    def to(self, offset: int) -> int:
        """Return the offset in the copy for ``offset`` in the original text."""
        at = bisect_right(self.edits, offset, key=itemgetter(0)) - 1
        if at < 0:
            return offset
        (start, end, new), copied = self.edits[at], self.copied[at]
        return copied if offset == start else copied + len(new) + max(0, offset - end)

    def original(self, offset: int, *, is_end: bool = False) -> int:
        """Return the offset in the original text for ``offset`` in the copy.

        Within what an edit puts in, it is the start of what was there, or its end if ``is_end``. What was
        removed at ``offset`` comes before it, but after it if ``is_end``.
        """
        at = (bisect_left if is_end else bisect_right)(self.copied, offset) - 1
        if at < 0:
            return offset
        (start, end, new), within = self.edits[at], offset - self.copied[at]
        if within < len(new):
            return end if is_end else start
        return end + within - len(new)
