"""The decoders of each layer: gzip, compress(1), bzip2, xz and Zstandard, a member at a time."""

from __future__ import annotations

import sys
import zlib
from bz2 import BZ2Decompressor
from collections.abc import Callable, Iterator
from lzma import LZMADecompressor, LZMAError
from typing import NamedTuple, Protocol

from urlextract.sources.compress.layers import BOMB_RATIO, DamagedError, Layer, Wrapping
from urlextract.sources.streams import BLOCK, in_blocks

if sys.version_info >= (3, 14):
    from compression.zstd import DecompressionParameter, ZstdDecompressor, ZstdError
else:
    from backports.zstd import DecompressionParameter, ZstdDecompressor, ZstdError


class Members:
    """Reads one layer, member by member; subclasses implement the formats of members."""

    def __init__(self, layer: Layer, blocks: Iterator[bytes], wrapping: Wrapping) -> None:
        self.layer = layer
        self.data = b""  # compressed, not yet used
        self._blocks = blocks
        self._wrapping = wrapping
        self._read = 0  # compressed bytes up to the end of ``data``
        self._members = 0

    def all(self) -> Iterator[bytes]:
        """Yield the decompressed bytes of all members."""
        while self._at_member():
            yield from self.member()

    def member(self) -> Iterator[bytes]:
        """Yield the decompressed bytes of the member that begins here."""
        raise NotImplementedError

    @property
    def offset(self) -> int:
        """The offset of the next compressed byte."""
        return self._read - len(self.data)

    def more(self) -> bool:
        """Read another block; return whether there was one."""
        block = next(self._blocks, b"")
        self.data += block
        self._read += len(block)
        return bool(block)

    def weigh(self, size: int) -> None:
        """Count decompressed bytes; raise `DamagedError` for a decompression bomb."""
        self._wrapping.weigh(size)
        if self._wrapping.is_bomb:
            raise DamagedError(f"decompression bomb: over {BOMB_RATIO} times its size", self.offset)

    def cut_short(self) -> DamagedError:
        """Return the error for data that is cut short."""
        return DamagedError(f"{self.layer.name} data is cut short", self._read)

    def _at_member(self) -> bool:
        """Return whether another member follows, perhaps after padding with zeros (RFC 1952, section 2.2)."""
        while self._members and not self.data.strip(b"\0"):
            self.data = b""
            if not self.more():
                return False
        if self._members:
            self.data = self.data.lstrip(b"\0")
        longest = max(map(len, self.layer.magics))
        while len(self.data) < longest and self.more():
            pass
        if self.data.startswith(self.layer.magics):
            self._members += 1
            return True
        raise DamagedError(f"junk after the end of the {self.layer.name} data", self.offset)


# zlib's window bits: the largest window, for data with a gzip header or without any header
GZIP, BARE = 31, -15


def undo_gzip(layer: Layer, blocks: Iterator[bytes], wrapping: Wrapping) -> Iterator[bytes]:
    """Inflate all members of a gzip stream."""
    return Inflate(layer, blocks, wrapping).all()


class Inflate(Members):
    """Inflates gzip members or, with `BARE` as its ``bits``, data without a header."""

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
    """Return how many bytes of ``data`` inflate without a fault, by bisection."""
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
    """Yield all that ``data`` inflates to before the fault, which is in the byte at ``good``."""
    yield from in_blocks(before.decompress(data[:good], BLOCK))
    tail = data[good : good + 1]
    try:  # the bits before the fault, in the same byte, may hold text, too
        while byte := before.decompress(tail, 1):
            tail = before.unconsumed_tail
            yield byte
    except zlib.error:
        return


_LZW_HEAD = 3  # the magic, and a byte of flags
_WIDTH, _WITH_CLEAR = 0x1F, 0x80  # in the flags: the most bits of a code; code 256 clears the table
_NARROWEST, _WIDEST = 9, 16
_CLEAR = 256
_LONGEST = 128  # bytes that are stored for a code: a table full of longer ones would take too much memory
_LZW_STEP = 128  # compressed bytes decoded at a time


def undo_compress(layer: Layer, blocks: Iterator[bytes], wrapping: Wrapping) -> Iterator[bytes]:
    """Decompress one stream; the format has no end mark, so nothing can follow the stream."""
    return _Lzw(layer, blocks, wrapping).all()


class _Lzw(Members):
    """Reads a stream of codes."""

    def member(self) -> Iterator[bytes]:
        """Decompress all data to the end of the stream."""
        while len(self.data) < _LZW_HEAD and self.more():
            pass
        if len(self.data) < _LZW_HEAD:
            raise self.cut_short()
        flags = self.data[2]
        self.data = self.data[_LZW_HEAD:]
        codes = _Codes(flags)
        if not _NARROWEST < codes.widest <= _WIDEST:
            raise DamagedError(f"compress data has codes of {codes.widest} bits", _LZW_HEAD - 1)
        while self.data or self.more():
            try:
                given, used = codes.decode(self.data[:_LZW_STEP])
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
    """The code table, which grows while codes are decoded.

    An entry holds the bytes of its code or, if they are many, another code and the byte that follows it.
    """

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
        """Return the decoded bytes of all complete groups of codes, and the length of these groups."""
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
        """Return the bytes of a code, which may be the one that is added to the table next."""
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


_STEP = 1024  # compressed bytes fed at a time


class _Decompressor(Protocol):
    """What the decompressors of the libraries have in common."""

    @property
    def eof(self) -> bool:
        """Whether the member has ended."""

    @property
    def needs_input(self) -> bool:
        """Whether more input is needed for more output."""

    @property
    def unused_data(self) -> bytes:
        """The input after the end of the member."""

    def decompress(self, data: bytes, max_length: int = ...) -> bytes:
        """Return at most ``max_length`` bytes of the output so far."""


class _Library(NamedTuple):
    """A function that returns the decompressor of a member, and the exception that it raises on a fault."""

    begin: Callable[[], _Decompressor]
    fault: type[Exception]


def undo_blockwise(layer: Layer, blocks: Iterator[bytes], wrapping: Wrapping) -> Iterator[bytes]:
    """Decompress all members of a stream by the library for its format."""
    try:
        library = _LIBRARIES[layer.name](is_inner=layer.is_inner)
    except ImportError as error:
        raise DamagedError(f"{layer.name} data cannot be read: {error}", 0) from error
    return _Blockwise(layer, blocks, wrapping, library).all()


class _Blockwise(Members):
    """Reads members by means of a library."""

    def __init__(self, layer: Layer, blocks: Iterator[bytes], wrapping: Wrapping, library: _Library) -> None:
        super().__init__(layer, blocks, wrapping)
        self._library = library

    def member(self) -> Iterator[bytes]:
        """Decompress one member."""
        decompressor = self._library.begin()
        fault: DamagedError | None = None
        while not decompressor.eof and not fault:
            if decompressor.needs_input and not self.data and not self.more():
                raise self.cut_short()
            held: list[bytes] = []  # output, yielded a block at a time
            size = 0
            while (self.data or not decompressor.needs_input) and not decompressor.eof and size < BLOCK:
                step, self.data = self.data[:_STEP], self.data[_STEP:]
                try:
                    held.append(decompressor.decompress(step, BLOCK))
                except self._library.fault as error:
                    fault = DamagedError(
                        f"{self.layer.name} data cannot be read ({error})", self.offset - len(step)
                    )
                    break
                size += len(held[-1])
            yield from in_blocks(b"".join(held))
            self.weigh(size)
        if fault:
            raise fault
        self.data = decompressor.unused_data + self.data


def _bzip2(*, is_inner: bool) -> _Library:
    del is_inner  # it takes 4 MB at most
    return _Library(BZ2Decompressor, OSError)


def _xz(*, is_inner: bool) -> _Library:
    return _Library(lambda: LZMADecompressor(memlimit=_INNER_MEMORY if is_inner else _MOST_MEMORY), LZMAError)


def _zstd(*, is_inner: bool) -> _Library:
    options: dict[int, int] = {
        DecompressionParameter.window_log_max: _INNER_WINDOW if is_inner else _MOST_WINDOW
    }
    return _Library(lambda: ZstdDecompressor(options=options), ZstdError)


_MOST_MEMORY = 70 << 20  # bytes for a decompressor of xz: data of xz -9 needs 65 MiB
_INNER_MEMORY = 18 << 20  # for one inside another layer: enough for data of xz -7
# Base-2 logarithms of window sizes: that of zstd --long and, inside another layer, of zstd -19 and below
_MOST_WINDOW, _INNER_WINDOW = 27, 23
_LIBRARIES: dict[str, Callable[..., _Library]] = {"bzip2": _bzip2, "xz": _xz, "zstd": _zstd}
