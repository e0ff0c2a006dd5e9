"""A text cut into blocks, with the URLs of its paragraphs mended, and of nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlextract.formatter.texts.blocks import Block, blocks_of
from urlextract.formatter.texts.mending import breaks_in, mended

if TYPE_CHECKING:
    from collections.abc import Iterator

    from urlextract.formatter.texts.mending import Mended

__all__ = ["cut"]

_ROUNDS = 12  # in which places that turn out to lie in what is kept are put back


def cut(text: str, width: int) -> tuple[list[str], list[Block]]:
    """Give the lines of ``text``, those that end in CRLF with their CR, and the blocks they make."""
    breaks = breaks_in(text)
    skipped: set[int] = set()
    for _ in range(_ROUNDS):
        found = mended(text, breaks, skipped)
        blocks = _blocks(found, width)
        kept = {number for line in _kept_lines(blocks, found) for number in found.mends.get(line, ())}
        if not kept:
            return found.lines, blocks
        skipped |= kept
    found = mended(text, breaks, range(len(breaks)))
    return found.lines, _blocks(found, width)


def _blocks(found: Mended, width: int) -> list[Block]:
    """Cut lines into blocks; what holds a URL that stays broken is kept."""
    blocks = list(blocks_of([line.rstrip("\r") for line in found.lines], width))
    if not found.broken:
        return blocks
    return [
        Block(block.start, block.end)
        if block.is_filled and not found.broken.isdisjoint(range(block.start, block.end))
        else block
        for block in blocks
    ]


def _kept_lines(blocks: list[Block], found: Mended) -> Iterator[int]:
    """Give the lines that are kept, if anything was mended at all."""
    if found.mends:
        for block in blocks:
            if not block.is_filled:
                yield from range(block.start, block.end)
