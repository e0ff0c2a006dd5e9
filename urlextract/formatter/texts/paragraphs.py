"""Decide which line ends of a text were made by filling, and which on purpose.

Filling puts as many words on a line as fit. So a line that ends although the next word would have fitted,
or that is narrow from the start, was probably ended on purpose: it is a line of verse, an address, an
entry of a list. People who break lines by hand do not fill them exactly, however. So it also counts
whether the next line goes on in the middle of a sentence, as most lines of prose do.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from urlextract.formatter.texts.lines import item_mark
from urlextract.grammar.cells import cells_of
from urlextract.grammar.patterns import lazy_re

_NARROW = 44  # columns: no prose is filled to less, unless the text is to be filled to less
_NARROW_PART = 0.6  # of the width asked for
_WIDE = 60  # columns: lines that are filled up to here are prose, even if all begin with capitals
_WIDEST_OF_URLS = 78  # columns: a line with a URL may be wider than the others
_EARLY = 0.4  # of the run's width: with so much room after it, a line ends on purpose
_RAGGED = 0.1  # of the run's width: so much room may be left in any prose
_LOOSE = 0.25  # of the run's width: prose leaves less after most of its lines, even if broken by hand

_OPENING = "\"'([*_/\u2018\u201c\u201e\u00ab"  # what may come before the first letter of a line
# The first word of a line that goes on with no sentence: a label, a name of a program, a URL, or an address
_OWN_WORD = lazy_re(
    r"[<\"(]?(?:\w*_\w|[A-Za-z][\w.+-]*:(?=//)|[\w.-]{1,40}:(?=[ ])|[^\s@]{1,64}@[^\s@]+\.\w)"
)
_SENTENCE_END = (".", "!", "?", ":", ")", '"')
_NO_LETTER = lazy_re(r"[^\w\"'(\[<*_]|\d")


class _LineEnd(NamedTuple):
    """A line end: ``room`` is what would be left after the first word of the next line, or below 0.

    ``goes_on`` is true if the sentence goes on: the next line begins with a small letter, or a bracket is
    open. It is None if that line begins with a letter that has no case.
    """

    room: int
    goes_on: bool | None

    @property
    def is_prose(self) -> bool:
        """Whether the line end is one that prose has."""
        return self.goes_on or (self.goes_on is None and self.room < 0)


def kept_line_ends(bodies: Sequence[str], width: int) -> set[int]:
    """Return the indexes of the lines before which a line end was made on purpose.

    ``bodies`` are lines without quote prefixes, to be filled to ``width``; the first one may begin an item of
    a list.

    >>> sorted(kept_line_ends(["Best regards,", "Ada", "Harbour Office"], 72))
    [1, 2]
    """
    own_width = max((_width_of(body) for body in bodies if " " in body.strip()), default=0)
    ends = {at: _line_end(bodies[at - 1], bodies[at], own_width) for at in range(1, len(bodies))}
    if item_mark(bodies[0]):  # below its text, an item of a list goes on
        ends = {at: end for at, end in ends.items() if not (bodies[at][0] == " " and end.is_prose)}
    if own_width < min(_NARROW, _NARROW_PART * width) or _are_lines(bodies, [*ends.values()], own_width):
        return {*ends}
    in_prose = (end.room for end in ends.values() if end.is_prose and end.room < _EARLY * own_width)
    slack = max([_RAGGED * own_width, *in_prose])
    kept = {at for at, end in ends.items() if _is_kept(bodies[at - 1], end, own_width, slack)}
    return kept - set(_teeth(bodies, ends, own_width))


def _width_of(body: str) -> int:
    return min(cells_of(body), _WIDEST_OF_URLS) if "://" in body else cells_of(body)


def _line_end(line: str, following: str, own_width: int) -> _LineEnd:
    room = own_width - cells_of(line) - 1 - cells_of(following.split(None, 1)[0])
    # Within brackets or code, a sentence goes on.
    if line.rfind("(") > line.rfind(")") or line.rfind("[") > line.rfind("]") or line.count("`") % 2:
        return _LineEnd(room, True)
    body = following.lstrip()
    letter = body.lstrip(_OPENING)[:1]
    if _OWN_WORD.match(body) or not letter.isalpha():
        return _LineEnd(room, False)
    return _LineEnd(room, letter.islower() if letter.islower() or letter.isupper() else None)


def _are_lines(bodies: Sequence[str], ends: Sequence[_LineEnd], own_width: int) -> bool:
    """Return whether most lines of a run are no prose."""
    early = sum(end.room >= 0 and not end.goes_on for end in ends)
    in_doubt = [end for end in ends if end.room < _EARLY * own_width]
    prose = sum(end.is_prose for end in in_doubt)
    loose = sum(end.room > _LOOSE * own_width for end in in_doubt)
    if early > prose or 2 * loose > len(in_doubt):
        return True
    if prose or not ends:
        return False
    return early > 0 or own_width < _WIDE or all(map(_NO_LETTER.match, bodies))


def _is_kept(line: str, end: _LineEnd, own_width: int, slack: float) -> bool:
    if end.room >= _EARLY * own_width:
        return True
    return not end.goes_on and end.room > slack and line.rstrip().endswith(_SENTENCE_END)


def _teeth(bodies: Sequence[str], ends: dict[int, _LineEnd], own_width: int) -> Iterator[int]:
    """Yield the lines after the short ones of a comb, which mail programs make of lines that got too long."""
    has_tooth = False
    for before, at in pairwise(sorted(ends)):
        if before + 1 != at or ends[before].room >= 0 or not ends[at].goes_on:
            continue
        if bodies[before].rstrip().endswith((".", "!", "?", ":", ";")):
            continue
        is_wide = cells_of(bodies[at]) >= own_width / 2
        if is_wide or (has_tooth and at == len(bodies) - 1):
            has_tooth = True
            yield at
