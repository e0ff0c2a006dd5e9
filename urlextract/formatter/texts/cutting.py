"""Cut a text with broken URLs into lines and blocks, with the URLs joined where a paragraph is filled."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from itertools import chain

from urlextract.formatter.texts.blocks import Block, blocks_of
from urlextract.formatter.texts.mending import Break, Mended, breaks_in, mended, names_of, put_back
from urlextract.grammar.marks import DELIMITERS


def cut(text: str, width: int) -> tuple[list[str], list[Block]]:
    """Return the lines of ``text`` with its URLs joined, and their blocks; lines keep the CR of CRLF.

    Paragraphs are recognized with all URLs joined. In blocks that are kept, the original text is then
    restored, so that a single one of these lines may hold line breaks.
    """
    breaks = breaks_in(text)
    found = mended(text, breaks)
    blocks = list(blocks_of([line.rstrip("\r") for line in found.lines], width, names_of(text.split("\n"))))
    if found.mends:
        touched = _touched(blocks, found)
        in_doubt = {
            line: [breaks[n] for n in numbers if not breaks[n].is_certain]
            for line, numbers in found.mends.items()
        }
        doubtful = {line for line, each in in_doubt.items() if each}
        pairs = {line for line in doubtful if all(_may_go_on(text, each) for each in in_doubt[line])}
        kept = _kept(blocks, found, touched, doubtful - pairs)
        apart = {line for line in pairs if touched[line] not in kept}
        put_back(text, breaks, found, apart.union(line for line, index in touched.items() if index in kept))
        for index in kept:
            blocks[index] = blocks[index]._replace(is_filled=False)
        blocks = [piece for block in blocks for piece in _around(block, apart)]
    return found.lines, blocks


def _may_go_on(text: str, each: Break) -> bool:
    """Return whether a bare URL may go on in the next line, and in no other one."""
    is_bare = not text.startswith(tuple(DELIMITERS), each.start)
    return is_bare and not each.gaps and text.count("\n", each.start, each.end) == 1


def _around(block: Block, apart: set[int]) -> Iterator[Block]:
    """Yield a paragraph as the paragraphs around its lines ``apart``, each of which is kept."""
    start, first = block.start, block.first
    for line in sorted(apart.intersection(range(block.start, block.end))):
        if start < line:
            yield block.between(start, line, first)
        yield Block(line, line + 1, is_doubtful=True)
        start, first = line + 1, block.rest
    if start < block.end:
        yield block.between(start, block.end, first)


def _touched(blocks: list[Block], found: Mended) -> dict[int, int]:
    """Return the index of the block of each line that was mended, or that is next to a split."""
    starts = [block.start for block in blocks]
    lines = {*found.mends, *found.parted, *(line + 1 for line in found.parted)}
    return {line: bisect_right(starts, line) - 1 for line in lines}


def _kept(blocks: list[Block], found: Mended, touched: dict[int, int], doubtful: set[int]) -> set[int]:
    """Return the indexes of the touched blocks that are kept, or share a line of the text with one."""
    kept = {index for index in touched.values() if not blocks[index].is_filled}
    kept |= {touched[line] for line in doubtful}
    for line in chain(found.parted, reversed(found.parted)):
        pair = {touched[line], touched[line + 1]}
        if not pair.isdisjoint(kept):
            kept |= pair
    return kept
