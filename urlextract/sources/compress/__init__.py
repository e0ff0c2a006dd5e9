"""Decompress streams block by block (gzip, bzip2, xz, Zstandard), and read archives (tar, zip).

The format is detected from the first bytes, and again for the decompressed data: layers may
be nested. All data before a fault are yielded before the fault is reported. Memory
is bounded for any input, and so is the time that a bomb can take.

- ``decoders``: undoes one layer.
- ``tars``: the members of a tar archive.
- ``zips``: the members of a zip archive.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from itertools import chain

from urlextract.doors import load_named
from urlextract.errors import SourceError
from urlextract.sources.streams import Origin, peek

_BZIP2 = tuple(b"BZh%d" % size + mark for size in range(1, 10) for mark in (b"1AY&SY", b"\x17rE8P\x90"))
# RFC 8878, sections 3.1.1 and 3.1.2: a frame, or a skippable one
_ZSTD = (b"\x28\xb5\x2f\xfd", *(bytes((low,)) + b"\x2a\x4d\x18" for low in range(0x50, 0x60)))

LAYERS = {
    "gzip": (b"\x1f\x8b",),  # RFC 1952, section 2.3.1
    "bzip2": _BZIP2,
    "xz": (b"\xfd7zXZ\0",),
    "zstd": _ZSTD,
}
"""The formats of compression, and the bytes with which their data may begin."""


def layer_of(head: bytes) -> str | None:
    r"""Return the outermost layer of data with this ``head``, None if they are not compressed.

    >>> layer_of(b"\x1f\x8b\x08"), layer_of(b"BZh is no bzip2")
    ('gzip', None)
    """
    return next((layer for layer, magics in LAYERS.items() if head.startswith(magics)), None)


def _is_enough(head: bytes) -> bool:
    """Return whether ``head`` is long enough to determine the layer."""
    return not any(magic.startswith(head) and magic != head for magic in chain(*LAYERS.values()))


BOMB_FLOOR = 256 * 1024 * 1024  # bytes: below this much output no ratio is a bomb
BOMB_RATIO = 400  # output to input; deflate reaches 1032, others a million
MEMBER = 1024  # bytes that a member of a layer or an archive counts besides its content: it takes time, too
MEMBER_FLOOR = 16 * 1024  # members: no more of them are a bomb, either

LIBRARY_FAULTS = (
    ArithmeticError, EOFError, LookupError, MemoryError, OSError, RecursionError, ValueError,
    struct.error, zlib.error,
)  # fmt: skip
"""What libraries raise on faulty data, documented or not: each layer catches these."""


class DamagedError(Exception):
    """One layer cannot be read to its end; ``offset`` says where, ``cause`` why.

    ``errno`` is that of the system, if its content is not at fault: later it may be read.
    """

    def __init__(self, cause: str, offset: int, errno: int | None = None) -> None:
        super().__init__(cause)
        self.cause = cause
        self.offset = offset
        self.errno = errno


class DecompressionBudget:
    """Counts compressed and decompressed bytes of the source at ``origin``, and reports its first fault only.

    Data cut short in an outer layer are cut short in the inner one, too: that is one fault. A member of an
    archive has a budget of its own, but bytes are counted in the outermost: a bomb is measured by the whole.
    """

    def __init__(self, origin: Origin, around: DecompressionBudget | None = None) -> None:
        self.origin = origin
        # without itself: a reference cycle for each member would stay in memory
        self._around: tuple[DecompressionBudget, ...] = (around, *around._around) if around else ()
        self._taken = self._given = self._members = 0
        self._is_bomb = False
        self._is_faulty = False  # a fault of this stream was found
        self._refusals: dict[str, str] = {}  # of each kind, why something in an archive was not read
        self.has_faults = False  # in this stream, or in one within it
        self.depth = len(self._around)  # of the archives around it
        self.layers: int = around.layers if around else 0  # of compression around it, and its own

    def within(self, name: str) -> DecompressionBudget:
        """Return the budget of the member ``name`` of the archive that this budget is for."""
        return DecompressionBudget(self.origin.inside(f"{self.origin.name}/{name}"), self)

    @property
    def outermost(self) -> DecompressionBudget:
        """The budget of the file that holds all others."""
        return self._around[-1] if self._around else self

    def first_only(self) -> Origin:
        """Return the origin for the decompressed data, which reports no damage after a fault here."""

        def tell(error: SourceError) -> None:
            if not self.has_faults:
                self.origin.on_damage(error)

        return self.origin._replace(on_damage=tell)

    def refuse(self, kind: str, cause: str) -> None:
        """Note why something in an archive is not read; of each kind the first cause is told."""
        self._refusals.setdefault(kind, cause)

    def tell_refusals(self) -> None:
        """Report what in an archive was not read, whatever faults there were in the rest of it."""
        for cause in self._refusals.values():
            self.origin.refuse(cause)

    def metered(self, blocks: Iterator[bytes]) -> Iterator[bytes]:
        """Yield the blocks; count their bytes if this is the outermost budget."""
        for block in blocks:
            if not self._around:
                self._taken += len(block)
            yield block

    def weigh(self, size: int, offset: int, *, members: int = 0) -> None:
        """Count decompressed bytes and members; raise `DamagedError` for a bomb, and always after one."""
        root = self.outermost
        root._given += size + members * MEMBER
        root._members += members
        is_much = root._given > BOMB_FLOOR or root._members > MEMBER_FLOOR
        root._is_bomb = root._is_bomb or (is_much and root._given > BOMB_RATIO * root._taken)
        if root._is_bomb:
            raise DamagedError(f"decompression bomb: over {BOMB_RATIO} times its size", offset)

    def damage(self, fault: DamagedError, origin: Origin | None = None) -> None:
        """Report a fault at ``origin``, unless one of this stream, or of one that holds it, was reported."""
        holders = (self, *self._around)
        is_explained = any(each._is_faulty for each in holders)
        for each in holders:
            each.has_faults = True
            each._is_faulty = each._is_faulty or each is self or each._is_bomb  # a bomb explains all else
        if not is_explained:
            cause = fault.cause if fault.errno is None else OSError(fault.errno, fault.cause)
            (origin or self.origin).damage(cause, fault.offset)


MOST_NESTED = 4  # gzip in xz in ..., archives in archives, batches in batches


def decompress(blocks: Iterator[bytes], budget: DecompressionBudget) -> Iterator[bytes]:
    """Undo every layer around a stream; other streams pass unchanged. ``budget`` is for all layers.

    >>> import gzip, lzma
    >>> data = gzip.compress(lzma.compress(b"text"))
    >>> b"".join(decompress(iter([data]), DecompressionBudget(Origin("x.gz", print))))
    b'text'
    """
    blocks = budget.metered(blocks)
    for _ in range(MOST_NESTED + 1):
        head, blocks = peek(blocks, _is_enough)
        layer = layer_of(head)
        if layer is None:
            return blocks
        blocks = _undo(layer, blocks, budget, is_inner=budget.layers > 0)
        budget.layers += 1
    budget.origin.damage(f"compressed more than {MOST_NESTED} times", 0)
    return iter(())


def _undo(
    layer: str, blocks: Iterator[bytes], budget: DecompressionBudget, *, is_inner: bool
) -> Iterator[bytes]:
    """Undo one layer; report damage, by its offset in the compressed bytes, after all data before it."""
    try:
        undo = load_named("sources.compress", "decoders:undo")
        yield from undo(layer, blocks, budget, is_inner=is_inner)
    except DamagedError as fault:
        budget.damage(fault)
    except LIBRARY_FAULTS as error:
        budget.damage(DamagedError(f"{layer} data cannot be read ({error!r})", 0))
