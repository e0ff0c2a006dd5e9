"""Decompress streams block by block: gzip, bzip2, xz, Zstandard.

The format is detected from the first bytes, and again for the decompressed data: layers may
be nested. All data before a fault are yielded before the fault is reported. Memory
is bounded for any input, and so is the time that a bomb can take.
"""

from __future__ import annotations

from collections.abc import Iterator

from urlextract.doors import load_named
from urlextract.sources.compress.layers import (
    LIBRARY_FAULTS,
    DamagedError,
    DecompressionBudget,
    Layer,
    is_enough,
    layer_of,
)
from urlextract.sources.streams import Place, peek

MOST_NESTED = 4  # gzip in xz in ...


def decompress(
    blocks: Iterator[bytes], place: Place, budget: DecompressionBudget | None = None
) -> Iterator[bytes]:
    """Undo every layer around a stream; other streams pass unchanged. ``budget`` is for all layers.

    >>> import gzip, lzma
    >>> from urlextract.sources.streams import Place
    >>> data = gzip.compress(lzma.compress(b"text"))
    >>> b"".join(decompress(iter([data]), Place("x.gz", print)))
    b'text'
    """
    budget = budget or DecompressionBudget(place)
    blocks = budget.metered(blocks)
    for _ in range(MOST_NESTED + 1):
        head, blocks = peek(blocks, is_enough)
        layer = layer_of(head)
        if layer is None:
            return blocks
        blocks = _undo(layer, blocks, budget, is_inner=budget.layers > 0)
        budget.layers += 1
    place.damage(f"compressed more than {MOST_NESTED} times", 0)
    return iter(())


def _undo(
    layer: Layer, blocks: Iterator[bytes], budget: DecompressionBudget, *, is_inner: bool
) -> Iterator[bytes]:
    """Undo one layer; report damage, by its offset in the compressed bytes, after all data before it."""
    try:
        yield from load_named("sources.compress", "decoders:undo")(layer, blocks, budget, is_inner=is_inner)
    except DamagedError as fault:
        budget.damage(fault)
    except LIBRARY_FAULTS as error:
        budget.damage(DamagedError(f"{layer.name} data cannot be read ({error!r})", 0))
