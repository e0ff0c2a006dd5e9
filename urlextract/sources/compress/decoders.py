"""The decoders of the layers: gzip, bzip2, xz and Zstandard, a member at a time.

A decoder yields all data before a fault, raises `DamagedError` then, and puts back what follows its member.
"""

from __future__ import annotations

import sys
import zlib
from bz2 import BZ2Decompressor
from collections.abc import Callable, Iterator
from lzma import LZMADecompressor, LZMAError
from typing import TypeAlias

from urlextract.sources.compress import LAYERS, DamagedError, DecompressionBudget
from urlextract.sources.streams import BLOCK, Reader, in_blocks

if sys.version_info >= (3, 14):
    from compression.zstd import DecompressionParameter, ZstdDecompressor, ZstdDict, ZstdError
else:
    from backports.zstd import DecompressionParameter, ZstdDecompressor, ZstdDict, ZstdError


def undo(
    layer: str,
    blocks: Iterator[bytes],
    budget: DecompressionBudget,
    *,
    is_inner: bool = False,
) -> Iterator[bytes]:
    """Yield the decompressed bytes of all members of a stream.

    A layer that ``is_inner`` is inside another one, and may use only little memory.
    """
    reader = Reader(blocks)
    dictionary: ZstdDict | None = None
    if layer == "zstd" and (frame := _dictionary_frame(reader)):
        dictionary = _dictionary_of(frame)
        reader.take(len(frame))
        if not reader.peek(1):
            return
    magics = LAYERS[layer]
    longest = max(map(len, magics))
    while True:
        if not reader.peek(longest).startswith(magics):
            raise DamagedError(f"junk after the end of the {layer} data", reader.offset)
        if layer == "gzip":
            yield from inflate(reader, reader.pieces(), budget)
        else:
            yield from _by_library(layer, reader, budget, dictionary, is_inner=is_inner)
        for piece in reader.pieces():  # padding with zeros may follow (RFC 1952, section 2.2)
            if after := piece.lstrip(b"\0"):
                reader.put_back(after)
                break
        else:
            return


# zlib's window bits: the largest window, for data with a gzip header or without any header
_GZIP, _BARE = 31, -15


def inflate(
    reader: Reader, blocks: Iterator[bytes], budget: DecompressionBudget, *, is_zip: bool = False
) -> Iterator[bytes]:
    """Inflate a member of gzip, or one of a zip archive; its ``blocks`` are taken from ``reader``."""
    inflater = zlib.decompressobj(_BARE if is_zip else _GZIP)
    name = "zip" if is_zip else "gzip"
    data = b""
    while not inflater.eof:
        data = data or next(blocks, b"")
        if not data:
            yield from in_blocks(inflater.flush())
            raise DamagedError(f"{name} data is cut short", reader.offset)
        before = inflater.copy()
        try:
            inflated = inflater.decompress(data, BLOCK)
        except zlib.error as error:
            inflated, good = _up_to_fault(before, data)
            yield from in_blocks(inflated)
            offset = reader.offset - len(data) + good
            raise DamagedError(f"{name} data is corrupt ({error})", offset) from error
        data = inflater.unused_data if inflater.eof else inflater.unconsumed_tail
        yield from in_blocks(inflated)
        budget.weigh(len(inflated), reader.offset - len(data))
    reader.put_back(data)


def _up_to_fault(inflater: zlib._Decompress, data: bytes) -> tuple[bytes, int]:
    """Return all that ``data`` inflates to before the fault in it, and the offset of the byte with the fault.

    The library returns nothing of a step with a fault, so both sides get one byte at a time: the bits
    before the fault, in the same byte, may hold text, too.
    """
    inflated = bytearray()
    for at in range(len(data)):
        tail = data[at : at + 1]
        try:
            while byte := inflater.decompress(tail, 1):
                inflated += byte
                tail = inflater.unconsumed_tail
        except zlib.error:
            return bytes(inflated), at
    return bytes(inflated), len(data)


_STEP = 1024  # compressed bytes fed at a time: the output of a step with a fault is lost
_MOST_MEMORY = 70 << 20  # bytes for a decompressor of xz: data of xz -9 needs 65 MiB
_INNER_MEMORY = 18 << 20  # for one inside another layer: enough for data of xz -7
# Base-2 logarithms of window sizes: that of zstd --long and, inside another layer, of zstd -19 and below
_MOST_WINDOW, _INNER_WINDOW = 27, 23

_Decompressor: TypeAlias = BZ2Decompressor | LZMADecompressor | ZstdDecompressor
# Of each library, a function that returns the decompressor of a member, and what it raises on a fault.
_LIBRARIES: dict[str, tuple[Callable[[bool, ZstdDict | None], _Decompressor], type[Exception]]] = {
    "bzip2": (lambda *_: BZ2Decompressor(), OSError),  # it takes 4 MB at most
    "xz": (lambda inner, _: LZMADecompressor(memlimit=_INNER_MEMORY if inner else _MOST_MEMORY), LZMAError),
    "zstd": (
        lambda inner, dictionary: ZstdDecompressor(
            dictionary, {DecompressionParameter.window_log_max: _INNER_WINDOW if inner else _MOST_WINDOW}
        ),
        ZstdError,
    ),
}

# A web archive may begin with a frame of this kind, with the dictionary for all others: "Zstandard
# Compression for WARC Files 1.0", of the IIPC
_DICTIONARY = b"\x5d\x2a\x4d\x18"
_FRAME = len(_DICTIONARY) + 4  # bytes before what a skippable frame holds: RFC 8878, section 3.1.2
_LARGEST_DICTIONARY = 16 << 20  # bytes


def _dictionary_frame(reader: Reader) -> bytes:
    r"""Return the frame with a dictionary with which a file begins, without taking it; b"" if there is none.

    >>> _dictionary_frame(Reader(iter([b"\x5d\x2a\x4d\x18\2\0\0\0ab\x28"])))
    b']*M\x18\x02\x00\x00\x00ab'
    """
    head = reader.peek(_FRAME)
    size = int.from_bytes(head[len(_DICTIONARY) :], "little")
    is_there = head.startswith(_DICTIONARY) and size <= _LARGEST_DICTIONARY
    return reader.peek(_FRAME + size) if is_there else b""


def _dictionary_of(frame: bytes) -> ZstdDict | None:
    """Return the dictionary in a frame, which may be compressed; raise `DamagedError` if it is none."""
    content = frame[_FRAME:]
    try:
        if content.startswith(LAYERS["zstd"]):
            content = ZstdDecompressor().decompress(content, _LARGEST_DICTIONARY)
        dictionary = ZstdDict(content) if content else None
        ZstdDecompressor(dictionary)  # it is read only now
    except (ZstdError, ValueError) as error:
        raise DamagedError(f"the dictionary cannot be read ({error})", 0) from None
    return dictionary


def _by_library(
    name: str, reader: Reader, budget: DecompressionBudget, dictionary: ZstdDict | None, *, is_inner: bool
) -> Iterator[bytes]:
    """Decompress a member by the library for its format."""
    begin, library_fault = _LIBRARIES[name]
    decompressor = begin(is_inner, dictionary)
    blocks = reader.pieces()
    data = b""
    fault: DamagedError | None = None
    while not decompressor.eof and not fault:
        if decompressor.needs_input:
            data = data or next(blocks, b"")
            if not data:
                raise DamagedError(f"{name} data is cut short", reader.offset)
        held: list[bytes] = []  # output, yielded a block at a time
        size = 0
        while (data or not decompressor.needs_input) and not decompressor.eof and size < BLOCK:
            step, data = data[:_STEP], data[_STEP:]
            try:
                held.append(decompressor.decompress(step, BLOCK))
            except library_fault as error:
                offset = reader.offset - len(data) - len(step)
                fault = DamagedError(f"{name} data cannot be read ({error})", offset)
                break
            size += len(held[-1])
        yield from in_blocks(b"".join(held))
        budget.weigh(size, reader.offset - len(data))
    if fault:
        raise fault
    reader.put_back(decompressor.unused_data + data)
