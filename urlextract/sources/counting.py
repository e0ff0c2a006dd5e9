"""The lines of a stream before each of its messages, counted as it is read: for ``--line-number``."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from urlextract.records import Item, RawMessage
from urlextract.source_lines import SourceLines

_KEPT = 4 * 1024 * 1024  # bytes before the last one read: a message begins in them, or was yielded before


class LineCounter:
    r"""Counts the lines of a stream; the next byte is at ``offset``, on ``line``.

    >>> counter = LineCounter()
    >>> list(counter.counted(iter([b"a\nb", b"\nc"]))), counter.line_at(2), counter.line_at(4)
    ([b'a\nb', b'\nc'], 2, 3)
    """

    def __init__(self, offset: int = 0, line: int = 1) -> None:
        self._offset, self._line = offset, line
        self._held = bytearray()  # what follows that place

    def counted(self, blocks: Iterator[bytes]) -> Iterator[bytes]:
        """Yield the blocks as they are."""
        for block in blocks:
            self._held += block
            if len(self._held) > 2 * _KEPT:
                self.line_at(self._offset + len(self._held) - _KEPT)
            yield block

    def line_at(self, offset: int) -> int:
        """Return the line at ``offset``, which is no smaller than the last one."""
        size = max(0, offset - self._offset)
        self._line += self._held.count(b"\n", 0, size)
        del self._held[:size]
        self._offset += size
        return self._line

    def numbered(self, items: Iterator[Item]) -> Iterator[Item]:
        """Yield the items, messages with the line on which they begin."""
        for item in items:
            provenance = item.provenance
            if not isinstance(item, RawMessage) or provenance.offset is None:
                yield item
                continue
            lines = SourceLines(self.line_at(provenance.offset))
            yield item._replace(provenance=provenance.but(lines=lines))


def with_lines(
    blocks: Iterator[bytes], read: Callable[[Iterator[bytes]], Iterator[Item]], counter: LineCounter | None
) -> Iterator[Item]:
    """Return the items that ``read`` makes of the blocks, with their lines if there is a counter."""
    return counter.numbered(read(counter.counted(blocks))) if counter else read(blocks)
