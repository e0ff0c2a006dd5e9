"""A text cut into blocks, with the URLs of its paragraphs mended, and of nothing else."""

from __future__ import annotations

from bisect import bisect_right
from itertools import chain
from typing import TYPE_CHECKING

from urlextract.formatter.texts.blocks import Block, blocks_of
from urlextract.formatter.texts.mending import breaks_in, mended, put_back
from urlextract.formatter.texts.quotes import names_in

if TYPE_CHECKING:
    from urlextract.formatter.texts.mending import Mended

__all__ = ["cut"]


def cut(text: str, width: int) -> tuple[list[str], list[Block]]:
    """Give the lines of ``text``, those that end in CRLF with their CR, and the blocks they make.

    What is kept was told from paragraphs with its URLs mended, too, but stands as it did: a line of it
    may hold line ends.
    """
    breaks = breaks_in(text)
    found = mended(text, breaks)
    names = names_in(text.split("\n")) if ">" in text else frozenset[str]()
    blocks = list(blocks_of([line.rstrip("\r") for line in found.lines], width, names))
    if found.mends:
        touched = _touched(blocks, found)
        doubtful = [
            line for line, numbers in found.mends.items() if not all(breaks[n].is_certain for n in numbers)
        ]
        kept = _kept(blocks, found, touched, doubtful)
        put_back(text, breaks, found, (line for line, index in touched.items() if index in kept))
        for index in kept:
            blocks[index] = Block(blocks[index].start, blocks[index].end)
    return found.lines, blocks


def _touched(blocks: list[Block], found: Mended) -> dict[int, int]:
    """Give the blocks in which lines were mended, or parted: the index of each, by line."""
    starts = [block.start for block in blocks]
    lines = {*found.mends, *found.parted, *(line + 1 for line in found.parted)}
    return {line: bisect_right(starts, line) - 1 for line in lines}


def _kept(blocks: list[Block], found: Mended, touched: dict[int, int], doubtful: list[int]) -> set[int]:
    """Give those of the blocks that are kept, and those that share a line of the text with one."""
    kept = {index for index in touched.values() if not blocks[index].is_filled}
    kept |= {touched[line] for line in doubtful}
    for line in chain(found.parted, reversed(found.parted)):
        pair = {touched[line], touched[line + 1]}
        if not pair.isdisjoint(kept):
            kept |= pair
    return kept
