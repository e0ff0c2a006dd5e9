"""The decoders of gzip, bzip2, xz and Zstandard, and of what zip archives hold, a member at a time.

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
from urlextract.sources.streams import BLOCK, Reader

if sys.version_info >= (3, 14):
    from compression.zstd import DecompressionParameter, ZstdDecompressor, ZstdDict, ZstdError
else:
    from backports.zstd import DecompressionParameter, ZstdDecompressor, ZstdDict, ZstdError


def undo(
    layer: str, blocks: Iterator[bytes], budget: DecompressionBudget, *, is_inner: bool = False
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
        yield from member(layer, reader, budget, is_inner=is_inner, dictionary=dictionary)
        for piece in reader.pieces():  # padding with zeros may follow (RFC 1952, section 2.2)
            if after := piece.lstrip(b"\0"):
                reader.put_back(after)
                break
        else:
            return


class _Inflater:
    """The decompressor of zlib, with the methods of the others; it returns all data before a fault."""

    def __init__(self, bits: int) -> None:
        self._inflater = zlib.decompressobj(bits)
        self._rest = b""
        self.needs_input = True

    def decompress(self, data: bytes, most: int) -> bytes:
        """Return at most that many bytes of what ``data`` and those before it decompress to."""
        before, data = self._inflater.copy(), self._rest + data
        try:
            inflated = self._inflater.decompress(data, most)
        except zlib.error:  # the library returns nothing of such a step
            self._inflater, inflated = before, b""
            for at in range(len(data)):
                self._rest = data[at:]
                try:
                    inflated += self._inflater.decompress(data[at : at + 1])
                except zlib.error:
                    if inflated:
                        break
                    raise
            self.needs_input = False
            return inflated
        # At the end of the member, what the library calls unconsumed is there again, as unused
        self._rest = b"" if self._inflater.eof else self._inflater.unconsumed_tail
        self.needs_input = not self._rest and len(inflated) < most
        return inflated

    @property
    def eof(self) -> bool:
        """Whether the end of the member was reached."""
        return self._inflater.eof

    @property
    def unused_data(self) -> bytes:
        """The bytes that were not used: those after the member, or those from the fault on."""
        return self._inflater.unused_data + self._rest


_STEP = 1024  # compressed bytes fed at a time: of a step with a fault, only zlib's output can be had
_MOST_MEMORY = 70 << 20  # bytes for a decompressor of xz: data of xz -9 needs 65 MiB
_INNER_MEMORY = 18 << 20  # for one inside another layer: enough for data of xz -7
# Base-2 logarithms of window sizes: that of zstd --long and, inside another layer, of zstd -19 and below
_MOST_WINDOW, _INNER_WINDOW = 27, 23

_Decompressor: TypeAlias = _Inflater | BZ2Decompressor | LZMADecompressor | ZstdDecompressor
# Functions that return the decompressor of a member; zlib's window bits are those of its largest window, for
# data with a header of gzip or without any. BZ2Decompressor takes 4 MB at most.
_BEGIN: dict[str, Callable[[bool, ZstdDict | None], _Decompressor]] = {
    "gzip": lambda *_: _Inflater(31),
    "zip": lambda *_: _Inflater(-15),
    "bzip2": lambda *_: BZ2Decompressor(),
    "xz": lambda inner, _: LZMADecompressor(memlimit=_INNER_MEMORY if inner else _MOST_MEMORY),
    "zstd": lambda inner, dictionary: ZstdDecompressor(
        dictionary, {DecompressionParameter.window_log_max: _INNER_WINDOW if inner else _MOST_WINDOW}
    ),
}
_FAULTS = (zlib.error, OSError, LZMAError, ZstdError)


def member(
    layer: str,
    reader: Reader,
    budget: DecompressionBudget,
    *,
    is_inner: bool = False,
    dictionary: ZstdDict | None = None,
) -> Iterator[bytes]:
    """Yield what the member that begins here decompresses to, in blocks, and take it from ``reader``."""
    budget.weigh(0, reader.offset, members=1)
    decompressor = _BEGIN[layer](is_inner, dictionary)
    data, fault = b"", None
    while not (decompressor.eof or fault):
        held = b""
        while len(held) < BLOCK and not (decompressor.eof or fault):
            if not data and decompressor.needs_input:
                if held:  # what is there does not wait for more
                    break
                data = next(reader.pieces(), b"")
                if not data:
                    fault = DamagedError(f"{layer} data is cut short", reader.offset)
            step = (
                data[:_STEP] if decompressor.needs_input else b""
            )  # else what is to come would be lost, too
            data = data[len(step) :]
            try:
                held += decompressor.decompress(step, BLOCK - len(held))
            except _FAULTS as error:
                data = (decompressor.unused_data or step) + data
                offset = reader.offset - len(data)
                fault = DamagedError(f"{layer} data cannot be read ({error})", offset)
        if held:
            yield held
        budget.weigh(len(held), reader.offset - len(data))
    if fault:
        raise fault
    reader.put_back(decompressor.unused_data + data)


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
