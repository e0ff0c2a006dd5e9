"""Deflate, bare or in gzip (RFC 1951, RFC 1952), to the last byte before a fault.

A block in which inflating fails is inflated again up to the fault, from a copy of
the state before it.
"""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING

from urlextract.sources.compress.damage import DamagedError
from urlextract.sources.compress.members import Members
from urlextract.sources.streams import BLOCK, in_blocks

if TYPE_CHECKING:
    from collections.abc import Iterator

    from urlextract.sources.compress.damage import Wrapping
    from urlextract.sources.compress.layers import Layer

__all__ = ["Inflate", "undo"]

# zlib's window bits: the largest window, with a gzip header before it or with nothing
GZIP, BARE = 31, -15


def undo(layer: Layer, blocks: Iterator[bytes], wrapping: Wrapping) -> Iterator[bytes]:
    """Inflate all members of a gzip stream."""
    return Inflate(layer, blocks, wrapping).all()


class Inflate(Members):
    """Inflates members; with ``BARE`` bits, data that has no header."""

    bits = GZIP

    def member(self) -> Iterator[bytes]:
        """Inflate one member."""
        inflater = zlib.decompressobj(self.bits)
        while not inflater.eof:
            if not self.data and not self.more():
                yield from in_blocks(inflater.flush())
                raise self.cut_short()
            before = inflater.copy()
            try:
                inflated = inflater.decompress(self.data, BLOCK)
            except zlib.error as error:
                good = _good_length(before, self.data)
                yield from _up_to_fault(before, self.data, good)
                raise DamagedError(
                    f"{self.layer.name} data is corrupt ({error})", self.offset + good
                ) from error
            self.data = inflater.unused_data if inflater.eof else inflater.unconsumed_tail
            yield from in_blocks(inflated)
            self.weigh(len(inflated))


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
