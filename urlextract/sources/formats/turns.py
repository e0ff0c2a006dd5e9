"""Messages of a stream that may pause: the last one is shown as far as it has come, and read again later.

The readers of messages know no pauses. After a long one the stream ends for them, and they begin again with
the message that was not finished.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Protocol, TypeAlias

from urlextract.grammar.codes import DefectCode
from urlextract.records import Defect, Item, RawMessage
from urlextract.sources.formats.messages import LARGEST_HELD, Piece, messages_of
from urlextract.sources.pauses import Pause
from urlextract.sources.streams import Place, Reader

UNFINISHED = Defect(DefectCode.UNFINISHED)
"""The defect of a message whose writer paused before the next one began."""

_KEPT = 4 * LARGEST_HELD  # bytes before the last one read: more than a message that is held, and all after it


class Cut(Protocol):
    """What cuts a stream into messages."""

    def __call__(self, blocks: Iterator[bytes], offset: int, /, *, at_head: bool) -> Iterator[Piece]:
        """Yield the pieces of blocks that begin at ``offset``, ``at_head`` of a message or not."""
        ...


Finish: TypeAlias = Callable[[bytes], bytes] | None


def cut_messages(
    blocks: Iterator[bytes],
    start: int,
    place: Place,
    cut: Cut,
    finish: Finish = None,
    *,
    at_head: bool = False,
) -> Iterator[Item]:
    """Yield the messages that ``cut`` makes of the stream after its first ``start`` bytes.

    One that is unfinished when the stream pauses for long is yielded with the defect `UNFINISHED`, and again
    when there is more of it, with the same number.
    """
    if place.is_followed:
        return _Turns(blocks, start).messages(place, cut, finish, at_head=at_head)
    reader = Reader(blocks)
    reader.take(start)
    return messages_of(cut(reader.pieces(), start, at_head=at_head), place.name, finish)


class _Turns:
    """A stream in turns, each up to a long pause; ``_kept`` are the bytes that were read from ``_offset`` on.

    At least the message that is not finished is kept.
    """

    def __init__(self, blocks: Iterator[bytes], start: int) -> None:
        self._blocks, self._offset = _after(blocks, start), start
        self._kept = bytearray()
        self._is_paused = False  # the turn is over
        self._is_streamed = False  # the caller reads a message or a text that is not held

    def messages(self, place: Place, cut: Cut, finish: Finish, *, at_head: bool) -> Iterator[Item]:
        """Yield the messages; one that is large is read up to its end, whatever pauses there are."""
        number = 0  # of the messages before the turn
        while True:
            last: RawMessage | None = None
            pieces = cut(self._turn(), self._offset, at_head=at_head)
            for item in messages_of(pieces, place.name, finish, number=number):
                if last:  # another one follows in what had come before the pause
                    yield last
                last = item if isinstance(item, RawMessage) and self._is_paused else None
                if not self._is_paused:
                    self._forget_before(item.origin.offset)
                    rest = item.rest if isinstance(item, RawMessage) else item.chunks
                    self._is_streamed = rest is not None
                    yield item
                    for _ in rest or ():  # what the caller did not read
                        pass
                    self._is_streamed = False
            if not self._is_paused:
                return
            if last:  # otherwise there is only a text before the first message
                self._forget_before(last.origin.offset)
                number, at_head = (last.origin.message or 1) - 1, True
                yield last._replace(defects=(*last.defects, UNFINISHED))

    def _turn(self) -> Iterator[bytes]:
        """Yield the bytes that were kept, then the blocks up to the next long pause."""
        self._is_paused = False
        yield bytes(self._kept)
        for block in self._blocks:
            if isinstance(block, Pause):
                if block.is_long and not self._is_streamed:
                    self._is_paused = True
                    return
                continue
            self._kept += block
            if len(self._kept) > 2 * _KEPT:
                self._forget_before(self._offset + len(self._kept) - _KEPT)
            yield block

    def _forget_before(self, offset: int | None) -> None:
        """Keep nothing that comes before ``offset``."""
        size = max(0, (offset or 0) - self._offset)
        del self._kept[:size]
        self._offset += size


def _after(blocks: Iterator[bytes], size: int) -> Iterator[bytes]:
    """Yield the blocks without their first ``size`` bytes, with the pauses."""
    for block in blocks:
        if isinstance(block, Pause) or not size:
            yield block
            continue
        if rest := block[size:]:
            yield rest
        size = max(0, size - len(block))
