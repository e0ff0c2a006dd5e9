"""Formats that are packed block by block: bzip2, xz, Zstandard, each by its library.

The libraries lose what they have of a block when they meet a fault in it. So they
are fed little at a time: what stands before the block at fault is given.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, NamedTuple, Protocol

from urlextract.sources.compress.damage import DamagedError
from urlextract.sources.compress.members import Members
from urlextract.sources.streams import BLOCK, in_blocks

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from urlextract.sources.compress.damage import Wrapping
    from urlextract.sources.compress.layers import Layer

__all__ = ["undo"]

_STEP = 1024  # compressed bytes fed at a time


class _Decompressor(Protocol):
    """What the decompressors of the libraries have in common."""

    @property
    def eof(self) -> bool:
        """Whether the member has ended."""

    @property
    def needs_input(self) -> bool:
        """Whether there is no more to give without more data."""

    @property
    def unused_data(self) -> bytes:
        """What stands behind the member."""

    def decompress(self, data: bytes, max_length: int = ...) -> bytes:
        """Give at most so many bytes of what is known by now."""


class _Library(NamedTuple):
    """How a member is begun, and what is raised on a fault in it."""

    begin: Callable[[], _Decompressor]
    fault: type[Exception]


def undo(layer: Layer, blocks: Iterator[bytes], wrapping: Wrapping) -> Iterator[bytes]:
    """Undo all members of a stream."""
    try:
        library = _LIBRARIES[layer.name](is_inner=layer.is_inner)
    except ImportError as error:
        raise DamagedError(f"{layer.name} data cannot be read: {error}", 0) from error
    return _Blockwise(layer, blocks, wrapping, library).all()


class _Blockwise(Members):
    """Reads members by a library."""

    def __init__(self, layer: Layer, blocks: Iterator[bytes], wrapping: Wrapping, library: _Library) -> None:
        super().__init__(layer, blocks, wrapping)
        self._library = library

    def member(self) -> Iterator[bytes]:
        """Undo one member."""
        decompressor = self._library.begin()
        fault: DamagedError | None = None
        while not decompressor.eof and not fault:
            if decompressor.needs_input and not self.data and not self.more():
                raise self.cut_short()
            held: list[bytes] = []  # what one block of input makes is given together
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
    from bz2 import BZ2Decompressor  # noqa: PLC0415 - who has such a file pays

    return _Library(BZ2Decompressor, OSError)


def _xz(*, is_inner: bool) -> _Library:
    from lzma import LZMADecompressor, LZMAError  # noqa: PLC0415 - as above

    return _Library(lambda: LZMADecompressor(memlimit=_INNER_MEMORY if is_inner else _MOST_MEMORY), LZMAError)


def _zstd(*, is_inner: bool) -> _Library:
    if sys.version_info >= (3, 14):
        from compression.zstd import DecompressionParameter, ZstdDecompressor, ZstdError  # noqa: PLC0415 - as above
    else:
        from backports.zstd import DecompressionParameter, ZstdDecompressor, ZstdError  # noqa: PLC0415 - as above

    options: dict[int, int] = {
        DecompressionParameter.window_log_max: _INNER_WINDOW if is_inner else _MOST_WINDOW
    }
    return _Library(lambda: ZstdDecompressor(options=options), ZstdError)


_MOST_MEMORY = 70 << 20  # bytes for a decompressor of xz: what xz -9 has packed asks for 65 MiB
_INNER_MEMORY = 18 << 20  # of one inside another layer: what xz -7 has packed
# Powers of two, bytes: the windows of zstd --long, and of zstd -19 and less inside another layer
_MOST_WINDOW, _INNER_WINDOW = 27, 23
_LIBRARIES: dict[str, Callable[..., _Library]] = {"bzip2": _bzip2, "xz": _xz, "zstd": _zstd}
