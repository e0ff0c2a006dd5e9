"""Fill whole texts to a width, and leave alone what must not be changed.

The URLs and the words are the same before and after: a part in which a reader would find
other URLs once it is filled is left as it was.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from enum import StrEnum
from itertools import chain, groupby, pairwise
from typing import AnyStr, NamedTuple

from urlextract.arguments import check_choice, check_count, check_switches
from urlextract.formatter.texts.blocks import Block, cut
from urlextract.formatter.texts.bodies import PAGE, TEXT
from urlextract.formatter.texts.checking import has_same_urls
from urlextract.formatter.texts.filling import filled
from urlextract.formatter.texts.mending import breaks_in, urls_of
from urlextract.formatter.texts.quotes import has_prefix
from urlextract.formatter.texts.units import Unit, rewritten, rewritten_part, text_or_bytes
from urlextract.grammar.cells import cells_of
from urlextract.grammar.marks import OPENER
from urlextract.grammar.patterns import lazy_re
from urlextract.linebreaks.joining import Join

_ROUNDS = 9  # until adjacent paragraphs no longer change; real texts need two, tables in code six
_DOUBTFUL = lazy_re(OPENER)


def rewrap(text: AnyStr, width: int = 72, join: Join = "safe", *, break_urls: bool = False) -> AnyStr:
    r"""Return a text with its paragraphs, or those of a message's plain parts, filled with URLs as units.

    ``width`` counts terminal cells, ``join`` is as for `extract`. URLs stay whole, on lines of their own if
    necessary; with ``break_urls``, those that are wider than a line are broken in ``<URL:...>``.

    Verse, addresses, lists and the like keep their lines. Header fields, signatures, diffs, code, tables,
    signed, flowed and encoded parts, and paragraphs with Markdown or HTML are left as they are. Of bytes,
    bytes are returned.

    >>> print(rewrap("> Cilla says they are at <URL:http://www.example.org/\n> north.html> now.", 42))
    > Cilla says they are at
    > <URL:http://www.example.org/north.html>
    > now.
    """
    filler = Filler(width, join, break_urls=break_urls)
    return text_or_bytes(text, lambda text: rewritten(text, join, filler.fill, width=width))


class _How(NamedTuple):
    """How a text is filled: to which width, and whether URLs that are wider are broken."""

    width: int
    breaks: bool = False


class Filler:
    """Fills a text unit by unit.

    Raises `ValueError` for an unknown value of an argument.
    """

    def __init__(self, width: int, join: Join, *, break_urls: bool) -> None:
        check_count("width", width, 1)
        check_choice("join", join, Join)
        check_switches(break_urls=break_urls)
        self._width, self._join, self._breaks = width, join, break_urls
        self._left = Counter[_Reason]()

    def fill(self, unit: Unit) -> str:
        """Return a unit of a text filled."""
        if unit.part is PAGE:
            return rewritten_part(unit.text, TEXT, self._join, self.fill)
        return unit.changed(self._rewrapped) if unit.part.is_fixed else unit.text

    def _rewrapped(self, text: str) -> str:
        how = _How(min(self._width, len(text) + 1_000), self._breaks)  # wider than all lines is wide enough
        parts = list(_parts(text, how))
        for is_sound in (None, has_same_urls, _is_clear):
            done = [_sound(part, how, is_sound) if is_sound else part.after for part in parts]
            result = "\n".join(line for lines in done for line in lines)
            if has_same_urls(text, result):
                break
        else:
            done, result = [part.before for part in parts], text
        for part, lines in zip(parts, done, strict=True):
            self._left.update(_reasons(part, lines, how.width))
        return result

    @property
    def left(self) -> str:
        """How many paragraphs were left as they are, and why, in words; "" if there were none."""
        count = self._left.total()
        reasons = ", ".join(f"{self._left[each]} {each}" for each in _Reason if self._left[each])
        return f"left as they are: {count} paragraph{'s' if count > 1 else ''} ({reasons})" if count else ""


class _Part(NamedTuple):
    """Blocks with no blank line between them, and their lines ``before`` and ``after`` filling.

    ``lines`` are those of the whole text.
    """

    lines: list[str]
    blocks: list[Block]
    before: list[str]
    after: list[str]


def _parts(text: str, how: _How) -> Iterator[_Part]:
    """Yield the parts of a text, filled; lines that end in CRLF keep their CR."""
    lines, blocks = cut(text, how.width)
    for chunk in _chunks(blocks, lines):
        before = lines[chunk[0].start : chunk[-1].end]
        if len(chunk) == 1 and not chunk[0].is_filled:
            yield _Part(lines, chunk, before, before)
            continue
        after = list(_printed(lines, chunk, how))
        if (len(chunk) > 1 or how.breaks) and after != before:
            after = _settled(after, how)
        if any(block.is_doubtful for block in chunk):
            tries = chain((after,), _partly(lines, chunk, how))
            doubtful = _doubtful_in(before)
            after = next((each for each in tries if _doubtful_in(each) == doubtful), before)
        yield _Part(lines, chunk, before, after)


def _partly(lines: list[str], chunk: list[Block], how: _How) -> Iterator[list[str]]:
    """Yield the lines of a part, filled only after a URL that may go on, then only before it.

    Whether it may go on depends on the lines around it.
    """
    places = [index for index, block in enumerate(chunk) if block.is_doubtful]
    for kept in (range(places[0]), range(places[-1] + 1, len(chunk))):
        blocks = [each._replace(is_filled=each.is_filled and at not in kept) for at, each in enumerate(chunk)]
        yield list(_printed(lines, blocks, how))


def _doubtful_in(lines: list[str]) -> list[str]:
    """Return what URLs that may go on would be, in lines at the end of a text and before its end."""
    text = "\n".join(lines)
    return [each.unit for again in (text, f"{text}\n") for each in breaks_in(again) if not each.is_certain]


class _Reason(StrEnum):
    """Why a paragraph is left as it is, where a reader may wonder."""

    LINES = "with lists or verse"
    MARKUP = "with Markdown or HTML"
    MAY_GO_ON = "in which a URL may go on"
    READ_DIFFERENTLY = "whose URLs would be read differently"


def _reasons(part: _Part, lines: list[str], width: int) -> Iterator[_Reason]:
    """Yield why paragraphs of a part are left, ``lines`` being what it was made."""
    if any(block.is_doubtful for block in part.blocks):
        yield _Reason.MAY_GO_ON
    for block in part.blocks:
        if block.has_markup:
            kept = "\n".join(part.lines[block.start : block.end]).replace("\r", "")
            if "\n".join(_filled_block(block, _How(width))) != kept:
                yield _Reason.MARKUP
    if lines == part.before != part.after:
        yield _Reason.READ_DIFFERENTLY
    for is_line, run in groupby(part.blocks, _is_line):
        texts = [f"{block.first}{block.text}" for block in run]
        if is_line and any(
            cells_of(f"{text} {following.split()[0]}") <= width for text, following in pairwise(texts)
        ):
            yield _Reason.LINES


def _is_line(block: Block) -> bool:
    """Return whether a block is a line that could be filled with others, and is no item of a list."""
    return block.is_filled and len(block.words) == 1 and not block.first.strip()


def _sound(part: _Part, how: _How, is_sound: Callable[[str, str], bool]) -> list[str]:
    """Return the lines of a part after filling if they are sound, else those before.

    If URLs are broken, the lines filled with URLs kept whole are tried in between.
    """
    before = "\n".join(part.before)
    if is_sound(before, "\n".join(part.after)):
        return part.after
    after = list(_printed(part.lines, part.blocks, _How(how.width))) if how.breaks else part.before
    return after if is_sound(before, "\n".join(after)) else part.before


def _chunks(blocks: list[Block], lines: list[str]) -> Iterator[list[Block]]:
    """Yield the blocks of bodies with no blank line between them together, all others alone."""
    chunk: list[Block] = []
    for block in blocks:
        if block.is_filled or lines[block.start].strip():
            chunk.append(block)
            continue
        if chunk:
            yield chunk
            chunk = []
        yield [block]
    if chunk:
        yield chunk


def _settled(after: list[str], how: _How) -> list[str]:
    """Fill adjacent paragraphs again until nothing changes: a line that moved may change how others are read.

    A round that changes the URLs of the text is discarded: the caller would reject it anyway.
    """
    text = "\n".join(after)
    for _ in range(_ROUNDS):
        lines, blocks = cut(text, how.width)
        again = list(_printed(lines, blocks, how))
        new_text = "\n".join(again)
        if again == after or urls_of(new_text) != urls_of(text):
            break
        after, text = again, new_text
    return after


def _printed(lines: list[str], blocks: list[Block], how: _How) -> Iterator[str]:
    """Yield the filled lines of blocks, each with the CR of CRLF if the first of its block had one."""
    for block in blocks:
        before = lines[block.start : block.end]
        if not block.is_filled:
            yield from before
            continue
        carriage = "\r" if before[0].endswith("\r") else ""
        after = _filled_block(block, how)
        if how.breaks and not has_prefix(after, block.quote):
            after = _filled_block(block, _How(how.width))
        if not has_prefix(after, block.quote):
            yield from before  # else text would be quoted that was not
            continue
        last = "\r" if before[-1].endswith("\r") else ""  # the last line of a text may have no line end
        yield from (line + carriage for line in after[:-1])
        yield after[-1] + last


def _filled_block(block: Block, how: _How) -> list[str]:
    words = block.text
    first, rest = (how.width - cells_of(block.quote + lead) for lead in (block.first, block.rest))
    if len(block.words) == 1 and cells_of(words) <= first:
        return [block.quote + block.first + words]
    breaks = how.breaks and any(cells_of(word) > min(first, rest) for word in words.split(" "))
    texts = filled(words, first, rest, break_urls=breaks)
    return [block.quote + block.first + texts[0], *(block.quote + block.rest + text for text in texts[1:])]


def _is_clear(before: str, after: str) -> bool:
    """Return whether a part is unchanged, or nothing in it could open a bracket or a quotation."""
    return before == after or not _DOUBTFUL.search(before)
