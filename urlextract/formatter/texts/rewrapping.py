"""Fill whole texts to a width, and leave alone what must not be changed.

The URLs and the words are the same before and after: a part in which a reader would find
other URLs once it is filled is left as it was.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from enum import StrEnum
from functools import partial
from itertools import accumulate, chain, groupby, pairwise
from typing import AnyStr, Literal, NamedTuple

from urlextract.arguments import check_choice, check_count
from urlextract.formatter.texts.blocks import Block
from urlextract.formatter.texts.checking import check_text, has_same_urls, unflowed
from urlextract.formatter.texts.entries import cut
from urlextract.formatter.texts.filling import Breaker, Filled, filled
from urlextract.formatter.texts.mending import breaks_in, urls_of
from urlextract.formatter.texts.numbering import to_refs
from urlextract.formatter.texts.quotes import has_prefix
from urlextract.formatter.texts.reflowing import (
    blank_kept_line,
    breaker_in_brackets,
    fixed_line,
    flowed_breaker,
    flowed_lines,
    flows,
    is_markdown,
    reflowed,
    wrapping_breaker,
)
from urlextract.formatter.texts.units import Unit, rewritten, text_or_bytes
from urlextract.grammar.cells import cells_of
from urlextract.grammar.marks import OPENER
from urlextract.grammar.patterns import lazy_re
from urlextract.linebreaks.joining import Join

Policy = Literal["keep", "bracket", "ref", "flowed"]
"""What is done with URLs that do not fit: see `rewrap`."""

_ROUNDS = 9  # until adjacent paragraphs no longer change; real texts need two, tables in code six
_DOUBTFUL = lazy_re(OPENER)


def rewrap(text: AnyStr, width: int = 72, policy: Policy = "keep", join: Join = "safe") -> AnyStr:
    r"""Return a text with its paragraphs, or those of a message's plain parts, filled with URLs as units.

    ``width`` counts terminal cells. URLs that were broken are joined according to ``join`` (see
    `extract`): in their brackets, and bare ones if the evidence is good enough. If a bare one
    may go on in the next line but is not joined, its lines are left as they are.

    With the ``policy`` "keep" URLs stay whole, on lines of their own if necessary. "bracket" breaks
    those that are too long, in ``<URL:...>`` and where it is safe; in a text of Markdown, where these
    brackets make no link, only those that are in them already. "ref" puts numbers in place of URLs (see
    `to_refs`). "flowed" makes a text the body of a part with ``format=flowed; delsp=yes`` (RFC 3676), where
    URLs are broken and read back whole; in a message, only the parts with these parameters are filled.

    A line that was ended on purpose stays on its own: in verse, addresses, lists and the like. Such a line
    ends although the next word would have fitted, compared with the lines around it, and the next one does
    not go on with its sentence; or all the lines are narrow. (Runs of lines that are narrower than 44
    columns, or than 0.6 times ``width`` if that is less, are no prose.)

    Header fields, signatures, diffs, code and what is indented like it, tables, signed
    and encoded parts, lines ``[n]: url`` and trailers are left alone, byte for byte. So are the blocks
    and definitions of Markdown, and HTML. Within a paragraph, code, tags and the destinations of links
    have no line end, and their URLs are not broken (CommonMark, sections 6.1, 6.3 and 6.6).
    `extract` finds the same URLs, in the same order ("ref": each once, in the list).

    Of bytes, bytes are returned; those that are not UTF-8 stay. Raises `ValueError` for an unknown value.

    >>> print(rewrap("> Cilla says they are at <URL:http://www.example.org/\n> north.html> now.", 42))
    > Cilla says they are at
    > <URL:http://www.example.org/north.html>
    > now.
    >>> rewrap(b"\xfc one two", 6)
    b'\xfc one\ntwo'
    """
    filler = Filler(width, policy, join)
    return text_or_bytes(text, filler.filled)


class _How(NamedTuple):
    """How a text is filled; ``breaker`` breaks words that are wider than a line, if they are broken."""

    width: int
    policy: Policy
    breaker: Breaker | None = None


class Filler:
    """Fills a text unit by unit.

    Raises `ValueError` for an unknown value of an argument.
    """

    def __init__(self, width: int, policy: Policy, join: Join) -> None:
        check_count("width", width, 1)
        check_choice("policy", policy, Policy)
        check_choice("join", join, Join)
        self._width, self._policy, self._join = width, policy, join
        self.carries = 0 if policy == "flowed" else width
        """The ``width`` for `rewrite`; a line that flows, or is stuffed, is not filled again."""
        self._is_markdown = False
        self._left = Counter[_Reason]()

    def filled(self, text: str) -> str:
        """Return a text filled."""
        if self._policy == "ref":
            text = to_refs(text, self._join)
        return rewritten(text, self._join, self.fill, width=self.carries)

    def fill(self, unit: Unit) -> str:
        """Return a unit of a text filled; URLs have been replaced by numbers before."""
        if self._policy == "flowed" and unit.part.in_message:
            width = min(self._width, len(unit.text) + 1_000)
            return reflowed(unit.text, width) if unit.part.flows else unit.text
        return unit.changed(self._rewrapped) if unit.part.is_fixed else unit.text

    def _rewrapped(self, text: str) -> str:
        policy = self._policy
        how = _How(min(self._width, len(text) + 1_000), policy)  # wider than all lines is wide enough
        if policy == "bracket":
            self._is_markdown = self._is_markdown or is_markdown(text)
            how = how._replace(breaker=breaker_in_brackets if self._is_markdown else wrapping_breaker)
        parts = list(_parts(text, how))
        for is_sound in (None, partial(has_same_urls, policy=policy), _is_clear):
            done = [_sound(part, how, is_sound) if is_sound else part.after for part in parts]
            result = "\n".join(line for lines in done for line in lines)
            if has_same_urls(text, result, policy):
                break
        else:
            done = [part.before for part in parts]
            result = _unfilled(text) if policy == "flowed" else text
        for part, lines in zip(parts, done, strict=True):
            self._left.update(_reasons(part, lines, how.width))
        return result

    @property
    def left(self) -> str:
        """How many paragraphs were left as they are, and why, in words; "" if there were none."""
        count = self._left.total()
        reasons = ", ".join(f"{self._left[each]} {each}" for each in _Reason if self._left[each])
        return f"left as they are: {count} paragraph{'s' if count > 1 else ''} ({reasons})" if count else ""


def check_unit(unit: Unit, result: str, policy: Policy) -> None:
    """Raise `RewrapError` if ``result``, a unit that was filled, has other URLs or other words."""
    if unit.part.flows:
        check_text(unflowed(unit.text), result, "flowed")
    else:  # a message has no other lines that flow
        check_text(unit.text, result, "keep" if unit.part.in_message and policy == "flowed" else policy)


def _unfilled(text: str) -> str:
    """Return a text as lines that do not flow; if URLs need that, those flow that end in a blank."""
    lines = text.split("\n")
    fixed = "\n".join(map(fixed_line, lines))
    if has_same_urls(text, fixed, "flowed"):
        return fixed
    ends = list(accumulate(len(line) + 1 for line in lines))
    inside = {bisect_right(ends, gap.start) for each in breaks_in(text) for gap in each.gaps}
    return "\n".join(
        fixed_line(line) if index in inside else blank_kept_line(line) for index, line in enumerate(lines)
    )


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
        if len(chunk) == 1 and not chunk[0].is_filled and how.policy != "flowed":
            yield _Part(lines, chunk, before, before)
            continue
        after = list(_printed(lines, chunk, how))
        if (len(chunk) > 1 or how.policy == "bracket") and after != before and how.policy != "flowed":
            after = _settled(after, how)
        if any(block.is_doubtful for block in chunk):
            tries = chain((after,), _partly(lines, chunk, how))
            doubtful = _doubtful_in(before)
            left = list(_kept(before, how.policy))
            after = next((each for each in tries if _doubtful_in(each) == doubtful), left)
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
    MAY_GO_ON = "in which a URL may go on"
    READ_DIFFERENTLY = "whose URLs would be read differently"


def _reasons(part: _Part, lines: list[str], width: int) -> Iterator[_Reason]:
    """Yield why paragraphs of a part are left, ``lines`` being what it was made."""
    if any(block.is_doubtful for block in part.blocks):
        yield _Reason.MAY_GO_ON
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

    With the policy "bracket", the lines filled with URLs kept whole are tried in between.
    """
    before = "\n".join(part.before)
    if is_sound(before, "\n".join(part.after)):
        return part.after
    after = list(_printed(part.lines, part.blocks, _How(how.width, "keep"))) if how.breaker else part.before
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
            yield from _kept(before, how.policy)
            continue
        carriage = "\r" if before[0].endswith("\r") else ""
        after = _filled_block(block, how)
        if how.breaker and not has_prefix(after, block.quote):
            after = _filled_block(block, _How(how.width, "keep"))
        last = "\r" if before[-1].endswith("\r") else ""  # the last line of a text may have no line end
        if (how.policy != "flowed" or not flows(block)) and not has_prefix(after, block.quote):
            yield from _kept(before, how.policy)  # else text would be quoted that was not
            continue
        yield from (line + carriage for line in after[:-1])
        yield after[-1] + last


def _kept(lines: list[str], policy: Policy) -> Iterable[str]:
    """Return lines as they are, or, with the policy "flowed", as lines that do not flow."""
    return map(fixed_line, "\n".join(lines).split("\n")) if policy == "flowed" else lines


def _filled_block(block: Block, how: _How) -> list[str]:
    words = block.text
    first, rest = (how.width - cells_of(block.quote + lead) for lead in (block.first, block.rest))
    if len(block.words) == 1 and how.policy != "flowed" and cells_of(words) <= first:
        return [block.quote + block.first + words]
    if how.policy == "flowed":
        softly = flowed_breaker if flows(block) else None
        return flowed_lines(block, filled(words, first - 2, rest - 2, softly, keeps_markup=False))
    breaker = how.breaker if _has_wide_word(words, min(first, rest)) else None
    return _with_prefixes(block, filled(words, first, rest, breaker))


def _has_wide_word(words: str, width: int) -> bool:
    return any(cells_of(word) > width for word in words.split(" "))


def _with_prefixes(block: Block, lines: list[Filled]) -> list[str]:
    texts = [line.text for line in lines]
    return [block.quote + block.first + texts[0], *(block.quote + block.rest + text for text in texts[1:])]


def _is_clear(before: str, after: str) -> bool:
    """Return whether a part is unchanged, or nothing in it could open a bracket or a quotation."""
    return before == after or not _DOUBTFUL.search(before)
