"""The format of compress(1), ``.Z``: Lempel-Ziv-Welch with codes of growing width.

There is no standard; the layout is that of ncompress. Codes are written in groups
of eight, and where the width changes the rest of a group is padding.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlextract.sources.compress.damage import DamagedError
from urlextract.sources.compress.members import Members
from urlextract.sources.streams import in_blocks

if TYPE_CHECKING:
    from collections.abc import Iterator

    from urlextract.sources.compress.damage import Wrapping
    from urlextract.sources.compress.layers import Layer

__all__ = ["undo"]

_HEAD = 3  # the magic, and a byte of flags
_WIDTH, _WITH_CLEAR = 0x1F, 0x80  # in the flags: the most bits of a code; code 256 clears the table
_NARROWEST, _WIDEST = 9, 16
_CLEAR = 256
_LONGEST = 128  # bytes that are kept for a code: of a table full of longer ones memory would be
_STEP = 128  # compressed bytes undone at a time


def undo(layer: Layer, blocks: Iterator[bytes], wrapping: Wrapping) -> Iterator[bytes]:
    """Undo one stream; the format has no end, so nothing can stand behind it."""
    return _Lzw(layer, blocks, wrapping).all()


class _Lzw(Members):
    """Reads a stream of codes."""

    def member(self) -> Iterator[bytes]:
        """Undo all there is."""
        while len(self.data) < _HEAD and self.more():
            pass
        if len(self.data) < _HEAD:
            raise self.cut_short()
        flags = self.data[2]
        self.data = self.data[_HEAD:]
        codes = _Codes(flags)
        if not _NARROWEST < codes.widest <= _WIDEST:
            raise DamagedError(f"compress data has codes of {codes.widest} bits", _HEAD - 1)
        while self.data or self.more():
            try:
                given, used = codes.decode(self.data[:_STEP])
            except LookupError:
                yield from in_blocks(b"".join(codes.given))
                raise DamagedError("compress data is corrupt (no such code)", self.offset) from None
            self.data = self.data[used:]
            yield from in_blocks(given)
            self.weigh(len(given))
            if not used and not self.more():
                break
        try:
            codes.decode(self.data, at_end=True)
        except LookupError:
            self.data = b""
            yield from in_blocks(b"".join(codes.given))
            raise DamagedError("compress data is corrupt (no such code)", self.offset) from None
        yield from in_blocks(b"".join(codes.given))
        self.data = b""


class _Codes:
    """The table, as it grows: a code stands for bytes, or where they are many for another code and a byte."""

    def __init__(self, flags: int) -> None:
        self.widest = flags & _WIDTH
        self.given: list[bytes] = []
        self._first = _CLEAR + 1 if flags & _WITH_CLEAR else _CLEAR
        self._clear = _CLEAR if flags & _WITH_CLEAR else -1
        self._reset()

    def _reset(self) -> None:
        self._width = _NARROWEST
        self._table: list[bytes | tuple[int, int]] = [bytes((byte,)) for byte in range(256)]
        self._table += [b""] * (self._first - 256)
        self._last = -1
        self._last_entry = b""

    def decode(self, data: bytes, *, at_end: bool = False) -> tuple[bytes, int]:
        """Give what whole groups of codes stand for, and how many bytes they were."""
        self.given = []
        at = 0
        while at + self._width <= len(data):
            width = self._width
            at += width
            self._group(int.from_bytes(data[at - width : at], "little"), 8)
        if at_end and at < len(data):
            self._group(int.from_bytes(data[at:], "little"), (len(data) - at) * 8 // self._width)
        return b"".join(self.given), at

    def _group(self, bits: int, count: int) -> None:
        """Decode up to ``count`` codes of one width; stop where the width changes."""
        width, table, give = self._width, self._table, self.given.append
        last_code, last = self._last, self._last_entry
        mask, full, most, clear = (1 << width) - 1, 1 << width, 1 << self.widest, self._clear
        for _ in range(count):
            code = bits & mask
            bits >>= width
            if code == clear:
                self._reset()
                return
            size = len(table)
            entry = table[code] if code < size else b""
            if not entry or isinstance(entry, tuple):
                entry = self._entry(code, last)
            if last and size < most:
                size += 1
                table.append(last + entry[:1] if len(last) < _LONGEST else (last_code, entry[0]))
            give(entry)
            last_code, last = code, entry
            if size >= full and width < self.widest:
                self._width = width + 1
                break
        self._last, self._last_entry = last_code, last

    def _entry(self, code: int, last: bytes) -> bytes:
        """Give what a code stands for; the next one to come may be used already."""
        table = self._table
        if code == len(table) and last and code < 1 << self.widest:
            return last + last[:1]
        tail = bytearray()
        entry = table[code]
        while isinstance(entry, tuple):
            tail.append(entry[1])
            entry = table[entry[0]]
        if not entry:
            raise LookupError
        return entry + bytes(reversed(tail)) if tail else entry
