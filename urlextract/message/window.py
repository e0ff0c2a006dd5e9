"""The part of a message that is looked at, and the boundary lines in it.

A message comes whole, or in blocks. A line that begins with two hyphens is looked up in the table of the
boundary lines of all open multiparts: so each line is looked at once, however many are open.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import NamedTuple

from urlextract.grammar.patterns import lazy_re

_LARGEST_HEAD = 512 * 1024  # bytes; what comes after them is no field

LARGEST_HELD = 1024 * 1024  # bytes

LONGEST_BOUNDARY = 1_000
"""Bytes of a boundary line; RFC 2046, section 5.1.1 allows 70 of a boundary."""

_BLANK_LINE = lazy_re(rb"\n(?=\r?\n)")


def with_lf(data: bytes) -> bytes:
    r"""Return ``data`` with every line end as LF.

    >>> with_lf(b"a\r\r\nb\r\nc\rd")
    b'a\nb\nc\nd'
    """
    if b"\r" not in data:  # a search for a single byte is fast
        return data
    usual = data.replace(b"\r\n", b"\n")
    if b"\r" not in usual:
        return usual
    for end in (b"\r\r\n", b"\r\n", b"\r"):
        data = data.replace(end, b"\n")
    return data


class Boundary(NamedTuple):
    """A boundary line: its offsets, the place of its multipart on the stack, whether it closes that."""

    start: int
    end: int
    level: int
    closes: bool


class Window:
    """The bytes ``data`` of a message; ``rest`` yields those after them, None if there are none.

    ``size`` is the number of bytes in ``data``, and ``dropped`` that of those before them. Line ends are LF,
    but not in data with NULs, as UTF-16 has (``has_returns``): characters would be lost. The bytes are those
    of the source if ``is_as_sent``. ``lines`` are the boundary lines that are looked for: for each, the place
    of its multipart on the stack, and whether it closes that. ``reached`` is the one after a long body.
    Lines are counted over what is dropped if it ``counts_lines``.
    At most ``most_held`` bytes of a body or a preamble are held, to judge it by them.
    """

    def __init__(self, data: bytes, rest: Iterator[bytes] | None) -> None:
        self.most_held = LARGEST_HELD
        while rest is not None and len(data) < LARGEST_HELD:
            block = next(rest, None)
            rest, data = (None, data) if block is None else (rest, data + block)
        begin = data[:LARGEST_HELD]
        self.has_returns = b"\0" in begin and b"\r" in begin and b"\n" in begin
        self.is_as_sent = self.has_returns or b"\r" not in data
        if rest is not None and not self.has_returns:
            rest = self._with_lf(chain((data,), rest))
            data = next(rest, b"")
        self.data = data if self.is_as_sent else with_lf(data)
        self.size, self.rest, self.dropped = len(self.data), rest, 0
        self.lines: dict[bytes, tuple[int, bool]] = {}
        self.reached: Boundary | None = None
        self.counts_lines = False
        self._lines_at, self._lines = 0, 0  # an offset, and the number of lines before it
        self._blank = -1  # the offset of the blank line after the last head, if it is known
        self._looked = 0  # up to here there is none after the last head

    def _with_lf(self, blocks: Iterator[bytes]) -> Iterator[bytes]:
        """Yield blocks with LF as line ends; note whether they had others."""
        held = b""  # what may be the beginning of a line end
        for block in blocks:
            data = held + block
            held = data[len(data.rstrip(b"\r")) :][-2:]
            data = data[: len(data) - len(held)]
            if b"\r" in data:
                self.is_as_sent = False
                data = with_lf(data)
            yield data
        if held:
            self.is_as_sent = False
            yield b"\n" * len(held)

    def more(self) -> bool:
        """Append a block to the window; return False if there is none."""
        for block in self.rest or ():
            if block:
                self.data += block
                self.size += len(block)
                return True
        self.rest = None
        return False

    def need(self, at: int, count: int) -> None:
        """Read on until ``count`` bytes follow ``at``, or the message ends."""
        while self.size - at < count and self.more():
            pass

    def drop(self, at: int, least: int = 1 << 16) -> int:
        """Remove what is before ``at`` from the window, if it is ``least`` bytes; return the new ``at``."""
        if self.rest is None or at < least:
            return at
        if self.counts_lines:
            self.lines_before(at)
            self._lines_at = 0
        self.data = self.data[at:]
        self.size -= at
        self.dropped += at
        self._blank, self._looked = max(-1, self._blank - at), max(0, self._looked - at)
        return 0

    def lines_before(self, at: int) -> int:
        """Return the number of lines of the message before ``at``."""
        first, last = sorted((self._lines_at, at))
        count = self.data.count(b"\n", first, last)
        self._lines += count if at > self._lines_at else -count
        self._lines_at = at
        return self._lines

    def head_end(self, start: int) -> int:
        """Return the offset of the blank line after a head, or where the head is cut, or the message ends."""
        self.need(start, 2)
        if self.data.startswith((b"\n", b"\r\n"), start):
            return start
        at = max(start, self._looked)
        while self._blank < start:
            if self.has_returns:
                blank = _BLANK_LINE.search(self.data, at)
                self._blank = blank.end() if blank else -1
            else:
                self._blank = self.data.find(b"\n\n", at) + 1 or -1
            if self._blank < 0:
                self._looked = at = max(start, self.size - 3)
                if self.size - start >= _LARGEST_HEAD or not self.more():
                    break
        limit = start + _LARGEST_HEAD
        if start <= self._blank <= limit:
            return self._blank
        return self.size if self.size <= limit else self.data.rfind(b"\n", start, limit) + 1 or limit

    def pieces(self, at: int) -> Iterator[bytes]:
        """Yield a long body in pieces; note the boundary line after it."""
        looked, is_line = at, True
        while True:
            boundary = self.boundary(looked, is_line=is_line)
            if boundary or self.rest is None:
                self.reached = boundary
                yield self.data[at : self.end_before(boundary, at)]
                return
            # The last line may be a boundary line, and the line end before it belong to that.
            looked, is_line = max(self.data.rfind(b"\n", at) + 1, at), True
            end = looked - 1
            if self.size - looked > LONGEST_BOUNDARY:
                looked, is_line = self.size, False
                end = looked
            if self.has_returns:
                end -= 1
            if end > at:
                yield self.data[at:end]
                looked -= end
                at = self.drop(end, 0)
                looked += at
            self.more()

    def next_boundary(self, at: int, since: int | None = None) -> tuple[Boundary | None, bool]:
        """Return the next boundary line from the line start ``at`` on, and whether all was looked through.

        It is not looked for beyond what is held of a body, which begins at ``since``, by default at ``at``.
        """
        looked, since = at, at if since is None else since
        while True:
            boundary = self.boundary(looked)
            # What is beyond is not known, also if it is in the window: that depends on the blocks.
            end = boundary.start if boundary else self.size
            if end - since > self.most_held:
                return None, False
            if boundary or self.rest is None:
                return boundary, True
            looked = max(self.data.rfind(b"\n", looked) + 1, looked)
            self.more()

    def boundary_at(self, at: int) -> Boundary | None:
        """Return the boundary line that begins at ``at``, or None."""
        self.need(at, LONGEST_BOUNDARY)
        return self.boundary(at, at)

    def boundary(self, at: int, stop: int | None = None, *, is_line: bool = True) -> Boundary | None:
        """Return the next boundary line in the window from ``at`` on, before ``stop``, or None.

        ``is_line`` is true if a line begins at ``at``. A line that may go on after the window is none yet.
        """
        lines = self.lines
        if not lines:
            return None
        is_first = is_line and self.data.startswith(b"--", at)
        begin = at - 1 if is_first else self.data.find(b"\n--", at, stop)
        while begin >= 0 or is_first:
            start = begin + 1
            end = self.data.find(b"\n", start, start + LONGEST_BOUNDARY)
            if end < 0 and self.rest is not None and self.size - start < LONGEST_BOUNDARY:
                return None  # the line may go on
            end = end if end >= 0 else min(self.size, start + LONGEST_BOUNDARY)
            known = lines.get(self.data[start:end].rstrip(b" \t\r"))
            if known:
                return Boundary(start, min(end + 1, self.size), *known)
            begin, is_first = self.data.find(b"\n--", end, stop), False
        return None

    def held_end(self, boundary: Boundary | None, at: int) -> int:
        """Return where what is held of a body ends that begins at ``at``, in whatever blocks it comes."""
        return min(self.end_before(boundary, at), at + self.most_held)

    def end_before(self, boundary: Boundary | None, at: int) -> int:
        """Return where a body ends that begins at ``at``: the line end before a boundary belongs to that."""
        if boundary is None:
            return self.size
        end = boundary.start - 1
        if self.has_returns and end > at and self.data[end - 1] == 0x0D:
            end -= 1
        return max(end, at)
