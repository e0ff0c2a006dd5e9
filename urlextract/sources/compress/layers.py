"""The layers of compression: how their data begins, reports of damage, and limits for bombs."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from typing import NamedTuple

from urlextract.errors import SourceError
from urlextract.sources.streams import Place


class Layer(NamedTuple):
    """A compression format, and the bytes with which its data begins."""

    name: str
    magics: tuple[bytes, ...]


_BZIP2 = tuple(b"BZh%d" % size + mark for size in range(1, 10) for mark in (b"1AY&SY", b"\x17rE8P\x90"))
# RFC 8878, sections 3.1.1 and 3.1.2: a frame, or a skippable one
_ZSTD = (b"\x28\xb5\x2f\xfd", *(bytes((low,)) + b"\x2a\x4d\x18" for low in range(0x50, 0x60)))

LAYERS = (
    Layer("gzip", (b"\x1f\x8b",)),  # RFC 1952, section 2.3.1
    Layer("bzip2", _BZIP2),
    Layer("xz", (b"\xfd7zXZ\0",)),
    Layer("zstd", _ZSTD),
)


def layer_of(head: bytes) -> Layer | None:
    r"""Return the outermost layer of data with this ``head``, None if they are not compressed.

    >>> layer_of(b"\x1f\x8b\x08").name, layer_of(b"BZh is no bzip2")
    ('gzip', None)
    """
    return next((layer for layer in LAYERS if head.startswith(layer.magics)), None)


def is_enough(head: bytes) -> bool:
    """Return whether ``head`` is long enough to determine the layer."""
    return not any(magic.startswith(head) and magic != head for layer in LAYERS for magic in layer.magics)


BOMB_FLOOR = 256 * 1024 * 1024  # bytes: below this much output no ratio is a bomb
BOMB_RATIO = 400  # output to input; deflate reaches 1032, others a million

LIBRARY_FAULTS = (
    ArithmeticError, EOFError, LookupError, MemoryError, OSError, RecursionError, ValueError,
    struct.error, zlib.error,
)  # fmt: skip
"""What libraries raise on faulty data, documented or not: each layer catches these."""


class DamagedError(Exception):
    """One layer cannot be read to its end; ``offset`` says where, ``cause`` why."""

    def __init__(self, cause: str, offset: int) -> None:
        super().__init__(cause)
        self.cause = cause
        self.offset = offset


class DecompressionBudget:
    """Counts compressed and decompressed bytes of a stream, and reports its first fault only.

    Data cut short in an outer layer are cut short in the inner one, too: that is one fault.
    Bytes ``within`` another budget are counted in the outermost, for a bomb is measured by the whole.
    """

    def __init__(self, place: Place, within: DecompressionBudget | None = None) -> None:
        self._place = place
        self._within = within
        self._root: DecompressionBudget = within._root if within else self
        self._taken = self._given = 0
        self._is_faulty = False  # a fault of this stream was found
        self.has_faults = False  # in this stream, or in one within it
        self.depth: int = within.depth + 1 if within else 0
        self.layers: int = within.layers if within else 0  # of compression around it, and its own

    def first_only(self, place: Place) -> Place:
        """Return a place for the decompressed data, which reports no damage after a fault here."""

        def tell(error: SourceError) -> None:
            if not self.has_faults:
                place.on_damage(error)

        return place._replace(on_damage=tell)

    def metered(self, blocks: Iterator[bytes]) -> Iterator[bytes]:
        """Yield the blocks; count their bytes if this is the outermost budget."""
        for block in blocks:
            if self._within is None:
                self._taken += len(block)
            yield block

    def weigh(self, size: int, offset: int) -> None:
        """Count decompressed bytes, for all layers together; raise `DamagedError` for a bomb."""
        self._root._given += size
        if self.is_bomb:
            raise DamagedError(f"decompression bomb: over {BOMB_RATIO} times its size", offset)

    @property
    def is_bomb(self) -> bool:
        """Whether there are more decompressed bytes than honest data yields."""
        root = self._root
        return root._given > max(BOMB_FLOOR, BOMB_RATIO * root._taken)

    def damage(self, fault: DamagedError) -> None:
        """Report a fault, unless one of this stream, or of one that holds it, was reported."""
        is_explained = False
        around: DecompressionBudget | None = self
        while around:
            is_explained = is_explained or around._is_faulty
            around.has_faults = True
            around = around._within
        self._is_faulty = True
        if not is_explained:
            self._place.damage(fault.cause, fault.offset)
