"""Bytes taken from a stream of blocks: so many, or up to a line's end, or all that is left."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlextract.sources.streams import BLOCK

if TYPE_CHECKING:
    import re
    from collections.abc import Iterator

__all__ = ["Reader"]

LONGEST_LINE = 64 * 1024  # bytes of a line that are taken at a time
LONGEST_MARK = 64  # bytes of a line that parts two messages


class Reader:
    r"""Takes from blocks what its caller asks for; ``offset`` is that of the next byte.

    >>> reader = Reader(iter([b"#! rnews 3\nab", b"c#!"]))
    >>> reader.line(), reader.peek(4), reader.take(3), reader.offset
    (b'#! rnews 3\n', b'abc#', b'abc', 14)
    >>> b"".join(reader.rest())
    b'#!'
    """

    def __init__(self, blocks: Iterator[bytes]) -> None:
        self._blocks = blocks
        self._buffer = bytearray()
        self.offset = 0

    def peek(self, size: int) -> bytes:
        """Give the next ``size`` bytes, or what is left, and leave them there."""
        while len(self._buffer) < size and self._more():
            pass
        return bytes(self._buffer[:size])

    def peek_behind(self, size: int, length: int) -> bytes | None:
        """Give ``length`` bytes that stand behind the next ``size``, None where there are not so many."""
        while len(self._buffer) < size + length and self._more():
            pass
        return bytes(self._buffer[size : size + length]) if len(self._buffer) >= size else None

    def take(self, size: int) -> bytes:
        """Take the next ``size`` bytes, or what is left."""
        data = self.peek(size)
        self._drop(len(data))
        return data

    def line(self) -> bytes:
        """Take a line with its end; one without any is taken in stretches."""
        searched = 0
        while (end := self._buffer.find(b"\n", searched)) < 0 and len(self._buffer) < LONGEST_LINE:
            searched = len(self._buffer)
            if not self._more():
                break
        return self.take(end + 1 if end >= 0 else min(len(self._buffer), LONGEST_LINE))

    def pieces(self, size: int) -> Iterator[bytes]:
        """Take the next ``size`` bytes as they come."""
        while size > 0 and (self._buffer or self._more()):
            piece = self.take(min(size, len(self._buffer)))
            size -= len(piece)
            yield piece

    def rest(self) -> Iterator[bytes]:
        """Take all that is left, as it comes."""
        while self._buffer or self._more():
            yield self.take(len(self._buffer))

    def up_to(self, line: re.Pattern[bytes], longest: int = LONGEST_MARK) -> Iterator[bytes]:
        """Take what stands before the next line that ``line`` finds from the line end before it, or all.

        It matches at most ``longest`` bytes.
        """
        while data := self.peek(BLOCK):
            found = line.search(data)
            if found:
                yield self.take(found.start() + 1)
                return
            yield self.take(len(data) - longest if len(data) == BLOCK else len(data))

    def put_back(self, data: bytes) -> None:
        """Leave there again what was taken last."""
        self._buffer[:0] = data
        self.offset -= len(data)

    def _more(self) -> bool:
        """Read another block; tell whether there was one."""
        block = next(self._blocks, b"")
        self._buffer += block
        return bool(block)

    def _drop(self, size: int) -> None:
        del self._buffer[:size]
        self.offset += size
