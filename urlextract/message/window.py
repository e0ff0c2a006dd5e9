"""The bytes of a message that are held, and the boundary lines among them.

All is decided by offsets from where a head or a body began, never by where the window ends: so it does not
matter in which blocks a message comes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from urlextract.message import limits

_MOST_RETURNS = 6  # CRs before an LF that may be one line end with it
# In UTF-16 a NUL is beside the CR and the LF, and a CR may be half of a character: these stay as they are.
_CRLF_AMONG_NULS = re.compile(rb"(?<!\0)\r\n(?!\0)|(?<=\n)\r\n")


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
    for end in (b"\r\r\r\n", b"\r\r\n", b"\r\n", b"\r"):
        data = data.replace(end, b"\n")
    return data


class Boundary(NamedTuple):
    """A boundary line: its offsets, the place of its multipart on the stack, whether it closes that."""

    start: int
    end: int
    level: int
    closes: bool


class Window:
    """What is held of a message that comes in ``blocks``.

    ``data`` begins with a line end, so that each line has one before it, and ``base`` is the offset in the
    message of its first byte: -1 at the beginning. ``blocks`` is None when all was read. Bytes from the
    offset ``changed`` on are not those of the source, as where a line end was not LF.
    ``lines`` are the boundary lines of all open multiparts: for each, the place of its multipart on the
    stack, and whether it closes that. So each line is looked up once, however many are open.
    """

    def __init__(self, blocks: Iterable[bytes], changed: int) -> None:
        self.blocks: Iterator[bytes] | None = iter(blocks)
        self.changed = changed
        self.data, self.size, self.base = b"\n", 1, -1
        self.lines: dict[bytes, tuple[int, bool]] = {}
        self._held = b""  # what may be the beginning of a line end
        self._has_nuls = False
        self._blank = -1  # the blank line after the head that was read last
        self._looked = 0  # where the next one is looked for
        self.more()

    # --- reading on ------------------------------------------------------------------------------

    def more(self) -> bool:
        """Read on; return False at the end. Many small blocks cost no more than a few large ones."""
        if self.blocks is None:
            return False
        is_first = self.base + self.size == 0
        least = limits.JUDGED if is_first else max(limits.BLOCK, self.size >> 3)
        read, size = [self._held], 0
        for block in self.blocks:
            read.append(block)
            size += len(block)
            if size >= least:
                break
        else:
            self.blocks = None
        data = read[1] if len(read) == 2 and not self._held else b"".join(read)
        if is_first:
            self._has_nuls = b"\0" in data[: limits.JUDGED] and b"\n" in data[: limits.JUDGED]
        self.data += self._with_lf(data) if b"\r" in data else data
        self.size = len(self.data)
        return True

    def _with_lf(self, data: bytes) -> bytes:
        """Return new bytes with LF as line ends, but for what may go on in the next block, which is held."""
        self._held = b""
        if self.blocks is not None:
            kept = max(len(data.rstrip(b"\r")), len(data) - _MOST_RETURNS)
            if self._has_nuls and data.endswith(b"\r\n"):  # a NUL may come next
                kept = len(data) - 2
            data, self._held = data[:kept], data[kept:]
        if b"\r" in data:
            self.changed = min(self.changed, self.base + self.size + data.index(b"\r"))
        if self._has_nuls:
            return _CRLF_AMONG_NULS.sub(b"\n", self.data[-1:] + data)[1:]
        return with_lf(data)

    def need(self, at: int, count: int) -> None:
        """Read on until ``count`` bytes follow ``at``, or the message ends."""
        while self.size - at < count and self.more():
            pass

    def drop(self, at: int) -> int:
        """Forget what is before ``at``, if that is much; return the new ``at``."""
        if self.blocks is None or at < limits.BLOCK:
            return at
        cut = at - 1
        self.data = self.data[cut:]
        self.size -= cut
        self.base += cut
        self._blank, self._looked = max(-1, self._blank - cut), max(0, self._looked - cut)
        return 1

    # --- places ----------------------------------------------------------------------------------

    def place(self, start: int, end: int) -> int | None:
        """Return the offset in the message of what is held from ``start`` to ``end``, None if changed."""
        return self.base + start if self.base + end <= self.changed else None

    def head_end(self, start: int) -> int:
        """Return the offset of the blank line after a head, or where the head is cut, or the message ends."""
        while self._blank < start:  # that of an earlier head may be that of many
            self._blank = self.data.find(b"\n\n", max(start - 1, self._looked)) + 1 or -1
            if self._blank < 0:
                self._looked = max(start - 1, self.size - 1)
                if self.size - start > limits.HEAD or not self.more():
                    break
        limit = start + limits.HEAD
        if start <= self._blank <= limit:
            return self._blank
        return self.size if self.size <= limit else self.data.rfind(b"\n", start, limit) + 1 or limit

    # --- boundary lines --------------------------------------------------------------------------

    def boundary(self, at: int, stop: int | None = None) -> Boundary | None:
        """Return the next boundary line from the line start ``at`` on, before ``stop``, or None.

        One that may go on after the window is none yet.
        """
        if not self.lines:
            return None
        data, begin = self.data, self.data.find(b"\n--", at - 1, stop)
        while begin >= 0:
            start = begin + 1
            end = data.find(b"\n", start, start + limits.BOUNDARY)
            if end < 0:
                if self.blocks is not None and self.size - start < limits.BOUNDARY:
                    return None
                end = min(self.size, start + limits.BOUNDARY)
            known = self.lines.get(data[start:end].rstrip(b" \t\r"))
            if known:
                return Boundary(start, min(end + 1, self.size), *known)
            begin = data.find(b"\n--", end, stop)
        return None

    def next_boundary(self, at: int, most: int, since: int) -> tuple[Boundary | None, bool]:
        """Return the next boundary line from ``at`` on, and whether it is known if there is one.

        It is looked for up to ``most`` bytes after ``since``.
        """
        looked = at
        while True:
            boundary = self.boundary(looked)
            if boundary or self.blocks is None or self.size - since > most + limits.BOUNDARY:
                break
            looked = max(looked, self.size - limits.BOUNDARY)
            self.more()
        end = boundary.start - 1 if boundary else self.size
        return (None, False) if end - since > most else (boundary, True)

    def end_before(self, boundary: Boundary | None, at: int) -> int:
        """Return where a text ends that begins at ``at``: the line end before a boundary belongs to that."""
        if boundary is None:
            return self.size
        end = boundary.start - 1
        return max(at, end - (self._has_nuls and self.data.startswith(b"\r", end - 1)))
