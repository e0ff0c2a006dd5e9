"""Compressed streams: gzip, undone block by block.

All that stands before a fault is given before the fault is told, to the last
byte: a block in which inflating fails is inflated again up to the fault. Memory
is bounded for any input, and so is the time that a bomb can take.
"""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING

from urlextract.sources.streams import BLOCK, Place, in_blocks, peek

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["BOMB_FLOOR", "BOMB_RATIO", "MOST_NESTED", "Meter", "decompress"]

MOST_NESTED = 4  # gzip in gzip in ...
BOMB_FLOOR = 256 * 1024 * 1024  # bytes: below this much output no ratio is a bomb
BOMB_RATIO = 1000  # output to input; deflate itself cannot go beyond 1032

MAGIC = b"\x1f\x8b"  # RFC 1952, section 2.3.1
GZIP_ONLY = 31  # zlib's window bits: the largest window, and a gzip header before it


class Meter:
    """Counts the bytes that were really read, under however many layers."""

    def __init__(self, blocks: Iterator[bytes]) -> None:
        self._blocks = blocks
        self.taken = 0

    def __iter__(self) -> Iterator[bytes]:
        for block in self._blocks:
            self.taken += len(block)
            yield block


class DamagedError(Exception):
    """Where reading of one layer ends before its time, and why."""

    def __init__(self, cause: str, offset: int) -> None:
        super().__init__(cause)
        self.cause = cause
        self.offset = offset


def decompress(blocks: Iterator[bytes], place: Place) -> Iterator[bytes]:
    """Undo every layer of gzip around a stream; other streams pass as they are.

    >>> import gzip
    >>> data = gzip.compress(gzip.compress(b"text"))
    >>> b"".join(decompress(iter([data]), Place("x.gz", print)))
    b'text'
    """
    meter = None
    for _ in range(MOST_NESTED + 1):
        head, blocks = peek(blocks, lambda head: len(head) >= len(MAGIC) or not MAGIC.startswith(head))
        if not head.startswith(MAGIC):
            return blocks
        if meter is None:
            meter = Meter(blocks)
            blocks = iter(meter)
        blocks = gunzip(blocks, meter, place)
    place.damage(f"gzip within gzip, more than {MOST_NESTED} deep", 0)
    return iter(())


def gunzip(blocks: Iterator[bytes], meter: Meter, place: Place) -> Iterator[bytes]:
    """Inflate all members of a gzip stream; tell of damage when all before it is given.

    Offsets of damage count compressed bytes.
    """
    reader = _Gunzip(blocks, meter)
    try:
        while reader.at_member():
            yield from reader.member()
    except DamagedError as fault:
        place.damage(fault.cause, fault.offset)


class _Gunzip:
    """Reads one layer, member by member."""

    def __init__(self, blocks: Iterator[bytes], meter: Meter) -> None:
        self._blocks = blocks
        self._meter = meter
        self._data = b""  # compressed, not yet used
        self._read = 0  # compressed bytes up to the end of that
        self._given = 0
        self._members = 0

    def at_member(self) -> bool:
        """Tell whether another member follows, padding with zeros aside (RFC 1952, section 2.2)."""
        while self._members and not self._data.strip(b"\0"):
            self._data = b""
            if not self._more():
                return False
        if self._members:
            self._data = self._data.lstrip(b"\0")
        while len(self._data) < len(MAGIC) and self._more():
            pass
        if self._data.startswith(MAGIC):
            self._members += 1
            return True
        raise DamagedError("junk after the end of the gzip data", self._read - len(self._data))

    def member(self) -> Iterator[bytes]:
        """Inflate one member."""
        inflater = zlib.decompressobj(GZIP_ONLY)
        while not inflater.eof:
            if not self._data and not self._more():
                yield from in_blocks(inflater.flush())
                raise DamagedError("gzip data is cut short", self._read)
            before = inflater.copy()
            try:
                inflated = inflater.decompress(self._data, BLOCK)
            except zlib.error as error:
                good = _good_length(before, self._data)
                yield from _up_to_fault(before, self._data, good)
                where = self._read - len(self._data) + good
                raise DamagedError(f"gzip data is corrupt ({error})", where) from error
            self._data = inflater.unused_data if inflater.eof else inflater.unconsumed_tail
            yield from in_blocks(inflated)
            self._weigh(len(inflated))

    def _more(self) -> bool:
        """Read another block; tell whether there was one."""
        block = next(self._blocks, b"")
        self._data += block
        self._read += len(block)
        return bool(block)

    def _weigh(self, size: int) -> None:
        """Stop a bomb."""
        self._given += size
        if self._given > max(BOMB_FLOOR, BOMB_RATIO * self._meter.taken):
            where = self._read - len(self._data)
            raise DamagedError(f"decompression bomb: over {BOMB_RATIO} times its size", where)


def _good_length(before: zlib._Decompress, data: bytes) -> int:
    """Find how many bytes of ``data`` inflate without a fault, by halving."""
    good, bad = 0, len(data)
    while bad - good > 1:
        middle = (good + bad) // 2
        try:
            before.copy().decompress(data[:middle], BLOCK)
            good = middle
        except zlib.error:
            bad = middle
    return good


def _up_to_fault(before: zlib._Decompress, data: bytes, good: int) -> Iterator[bytes]:
    """Give all that ``data`` inflates to, the fault being in the byte at ``good``."""
    yield from in_blocks(before.decompress(data[:good], BLOCK))
    tail = data[good : good + 1]
    try:  # the bits before the fault, in the very same byte, may hold text too
        while byte := before.decompress(tail, 1):
            tail = before.unconsumed_tail
            yield byte
    except zlib.error:
        return
