"""Cut a text into blocks: paragraphs that are filled, and lines that are left as they are."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import chain, pairwise
from typing import NamedTuple

from urlextract.formatter.texts.mending import Break, Mended, breaks_in, mended, names_of, put_back
from urlextract.formatter.texts.paragraphs import is_plainly_filled, kept_line_ends
from urlextract.formatter.texts.quotes import Line, item_mark, marks_of, named_line_of
from urlextract.formatter.texts.untouched import (
    KEPT_BEGINS,
    has_markup,
    is_displayed_url,
    is_fixed_line,
    is_kept_whole,
    is_prose,
    is_rule,
    kept_until,
)
from urlextract.grammar.marks import COMMENT_WHEN_REWRAPPED, DELIMITERS
from urlextract.grammar.patterns import lazy_re

_COMMENT = lazy_re(rf"[ ]{{0,3}}{COMMENT_WHEN_REWRAPPED}[ ]+(?=\S)")


def comment_sign(body: str) -> str:
    """Return the comment sign that a line begins with, and the blanks around it, or "".

    >>> comment_sign("# see"), comment_sign("#define")
    ('# ', '')
    """
    match = _COMMENT.match(body)
    return match.group() if match else ""


_NONE = Line("", "")


class Block(NamedTuple):
    """Lines ``start:end``: a paragraph if ``is_filled``, else lines that are kept as they are.

    Each line of a paragraph begins with ``quote``, followed by ``first`` on the first line
    and ``rest`` on the others; ``words`` are the lines without that. In a line that ``is_doubtful``, which
    holds line ends, a URL may go on. A paragraph that ``has_markup`` is kept.
    """

    start: int
    end: int
    is_filled: bool = False
    quote: str = ""
    first: str = ""
    rest: str = ""
    words: tuple[str, ...] = ()
    is_doubtful: bool = False
    has_markup: bool = False

    def between(self, start: int, end: int, first: str) -> Block:
        """Return the lines ``start:end`` of a paragraph, the first of which begins with ``first``."""
        words = self.words[start - self.start : end - self.start]
        return self._replace(start=start, end=end, first=first, words=words)

    @property
    def text(self) -> str:
        """The words of a paragraph, with blanks between them."""
        return " ".join(filter(None, self.words))


def blocks_of(texts: list[str], width: int, names: frozenset[str] = frozenset()) -> Iterator[Block]:
    """Yield the blocks of a body: quickly for plain prose between blank lines, else line by line.

    ``texts`` are its lines without line ends; the blocks are in order, and include all of them. ``names`` are
    the quote marks with a name that the text has.
    """
    end = len(texts)
    lines: Sequence[Line] = ()
    at = mixed = 0  # lines before ``mixed`` are known not to be plain prose
    while at < end:
        stop = at
        if at >= mixed:
            stop = _blank_line(texts, at, end)
            if at < stop and is_prose(texts[at:stop]):
                yield from _prose(texts[at:stop], at, width)
                at = stop
            mixed = stop
        while at < end and not texts[at]:
            yield Block(at, at + 1)
            at += 1
        if at < mixed:
            lines = lines or [*([_NONE] * at), *(named_line_of(text, names) for text in texts[at:])]
            stop = at + 1 if lines[at].is_blank else kept_until(lines, at, end)
            if stop == at:
                stop = _run_end(lines, at, end)
                yield from _run(lines, at, stop, width)
            else:
                yield Block(at, stop)
            at = stop


def _prose(texts: list[str], start: int, width: int) -> list[Block]:
    """Return the blocks of prose: one paragraph, or several if lines end on purpose."""
    if is_plainly_filled(texts, width):
        return [Block(start, start + len(texts), True, words=tuple([text.strip(" ") for text in texts]))]
    return _cut_at([Line("", text) for text in texts], start, set(), width)


def _blank_line(texts: list[str], at: int, end: int) -> int:
    """Return the index of the first empty line, or ``end``."""
    try:
        return texts.index("", at, end)
    except ValueError:
        return end


def _run_end(lines: Sequence[Line], at: int, end: int) -> int:
    """Return the end of the run at ``at``: lines of one quote depth, none blank or kept as a whole."""
    quote = lines[at].quote
    marks = marks_of(quote)
    for index in range(at + 1, end):
        other, body = lines[index]
        if not body or body.isspace() or (other != quote and marks_of(other) != marks):
            return index
        if body[0] in KEPT_BEGINS and kept_until(lines, index, end) > index:
            return index
    return end


def _run(lines: Sequence[Line], start: int, end: int, width: int) -> Iterator[Block]:
    """Yield the blocks of a run of lines, which is cut at displayed URLs and rules."""
    at = start
    for index in range(start, end):
        line = lines[index]
        block = None
        if line.body[:2] == "  " and "\t" not in line.indent and is_displayed_url(line.body):
            block = Block(
                index, index + 1, True, line.quote, line.indent, line.indent, (line.body.strip(" "),)
            )
        elif not line.body[0].isalnum() and is_rule(line.body):
            block = Block(index, index + 1)
        if block:
            if at < index:
                yield from _plain_run(lines, at, index, width, is_underlined=not block.is_filled)
            yield block
            at = index + 1
    if at < end:
        yield from _plain_run(lines, at, end, width)


def _plain_run(
    lines: Sequence[Line], start: int, end: int, width: int, *, is_underlined: bool = False
) -> Iterator[Block]:
    """Yield the blocks of a run of lines: paragraphs, list items and lines that stay apart."""
    run = lines[start:end]
    if is_kept_whole(run):
        yield Block(start, end)
        return
    if len(run) == 1:
        yield _paragraph(run, start)
        return
    comment = _comment_of(run)
    if comment:
        bodies = [line.body[len(comment_sign(line.body)) :].strip(" ") for line in run]
        kept = kept_line_ends(bodies, width, set(), set())
        for low, high in pairwise(sorted({0, *kept, len(run)})):
            words = bodies[low:high]
            yield _filled_or_kept(start + low, run[0].quote, comment, comment, words)
        return
    own = set(_own_lines(run))
    if is_underlined and len(run) > 1:
        own.add(len(run) - 1)
    yield from _cut_at(run, start, own, width)


def _cut_at(run: Sequence[Line], start: int, own: set[int], width: int) -> list[Block]:
    """Return the blocks of a run, cut before the lines ``own``, and after lines that end on purpose."""
    bodies = [line.body for line in run]
    return _paragraphs(run, start, own | kept_line_ends(bodies, width, own, set(_hanging(bodies, own))))


def _hanging(bodies: list[str], own: set[int]) -> Iterator[int]:
    """Yield the indexes of the lines that continue an item of a list, below its text."""
    in_item = False
    for index, body in enumerate(bodies):
        if index in own or not index:
            in_item = item_mark(body) != ""
        elif in_item and body.startswith(" "):
            yield index


def _paragraphs(run: Sequence[Line], start: int, bounds: set[int]) -> list[Block]:
    return [_paragraph(run[low:high], start + low) for low, high in pairwise(sorted({0, *bounds, len(run)}))]


def _comment_of(run: Sequence[Line]) -> str:
    """Return the comment sign that all lines begin with, or ""."""
    sign = comment_sign(run[0].body)
    if not sign or len(run) == 1 or (sign.strip() == "-" and not sign.startswith(" ")):
        return ""
    return sign if all(comment_sign(line.body).strip() == sign.strip() for line in run) else ""


def _own_lines(run: Sequence[Line]) -> Iterator[int]:
    """Yield the index of each line that is a fixed line, follows one, or begins a list item."""
    bodies = [line.body for line in run]
    fixed = list(map(is_fixed_line, bodies))
    for index, body in enumerate(bodies[1:], 1):
        if fixed[index - 1] or fixed[index] or item_mark(body):
            yield index


def _paragraph(part: Sequence[Line], start: int) -> Block:
    """Return lines as a paragraph, or as a block that is kept if they form none."""
    end = start + len(part)
    first, bodies = part[0], [line.body.strip(" ") for line in part]
    if is_fixed_line(first.body):
        return Block(start, end)
    mark = item_mark(first.body)
    indents = {line.indent if line.body[0] in " \t" else "" for line in part[1:]}
    if mark:
        bodies[0] = first.body[len(mark) :].strip(" ")
        rest = part[1].indent if len(part) > 1 else " " * len(mark.expandtabs())
    elif len(indents) > 1:
        return Block(start, end)
    else:
        mark = first.indent
        rest = part[1].indent if len(part) > 1 else mark
    if "\t" in mark + rest or not any(bodies):
        return Block(start, end)
    return _filled_or_kept(start, first.quote, mark, rest, bodies)


def _filled_or_kept(start: int, quote: str, first: str, rest: str, words: Sequence[str]) -> Block:
    """Return a paragraph, which is filled unless it has markup."""
    marked = has_markup("\n".join(words))
    return Block(start, start + len(words), not marked, quote, first, rest, tuple(words), has_markup=marked)


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
