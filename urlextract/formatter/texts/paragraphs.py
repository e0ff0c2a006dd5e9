"""Decide which line ends of a run were made by filling, and which on purpose.

Filling puts as many words on a line as fit. So a line that ends although the next word would have fitted,
or that is narrow from the start, was probably ended on purpose: it is a line of verse, an address, an
entry of a list. People who break lines by hand do not fill them exactly, however. So it also counts
whether the next line goes on in the middle of a sentence, as most lines of prose do.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from itertools import pairwise
from typing import NamedTuple

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
    def is_full(self) -> bool:
        return self.room < 0

    @property
    def is_soft_sign(self) -> bool:
        """Whether the line end is one that prose has."""
        return self.goes_on or (self.goes_on is None and self.is_full)


def is_plainly_filled(texts: Sequence[str], width: int) -> bool:
    """Quick check: True if no line is short and all but the first begin with small letters.

    False means "not known".

    >>> is_plainly_filled(["The lamp on the north quay went out during the", "storm of last week."], 72)
    True
    """
    sizes = list(map(len, texts[:-1]))
    if not sizes or min(sizes) < (1 - _EARLY) * max(sizes) or max(sizes) < _least_width(width):
        return not sizes
    return all(text[0].islower() and not _OWN_WORD.match(text) for text in texts[1:])


def kept_line_ends(
    bodies: Sequence[str], width: int, own: AbstractSet[int], hanging: AbstractSet[int]
) -> set[int]:
    """Return the indexes of the lines before which a line end was made on purpose.

    ``bodies`` are lines without quote prefixes, to be filled to ``width``. Those before the lines ``own``
    are kept anyway, and say nothing about the others. The lines ``hanging`` continue an item of a list.

    >>> sorted(kept_line_ends(["Best regards,", "Ada", "Harbour Office"], 72, set(), set()))
    [1, 2]
    """
    asked = set(range(1, len(bodies))) - own
    own_width = _own_width(bodies)
    ends = {at: _line_end(bodies[at - 1], bodies[at], own_width) for at in asked}
    hung = {at for at in asked & hanging if ends[at].is_soft_sign}
    open_ends = [end for at, end in ends.items() if at not in hung]
    if own_width < _least_width(width) or _are_lines(bodies, open_ends, own_width):
        return asked - hung
    in_prose = (end.room for end in ends.values() if end.is_soft_sign and end.room < _EARLY * own_width)
    slack = max([_RAGGED * own_width, *in_prose])
    kept = {at for at, end in ends.items() if _is_kept(bodies[at - 1], end, own_width, slack)}
    return kept - hung - set(_teeth(bodies, ends, own_width))


def _least_width(width: int) -> float:
    return min(_NARROW, _NARROW_PART * width)


def _own_width(bodies: Sequence[str]) -> int:
    """Return the width to which lines were filled: that of the widest line of more than one word."""
    most = 0
    for body in bodies:
        if " " in body.strip():
            size = cells_of(body)
            most = max(most, min(size, _WIDEST_OF_URLS) if "://" in body else size)
    return most


def _line_end(line: str, following: str, own_width: int) -> _LineEnd:
    room = own_width - cells_of(line) - 1 - cells_of(following.split(None, 1)[0])
    if _is_open(line):
        return _LineEnd(room, True)
    body = following.lstrip()
    letter = body.lstrip(_OPENING)[:1]
    if _OWN_WORD.match(body) or not letter.isalpha():
        return _LineEnd(room, False)
    return _LineEnd(room, letter.islower() if letter.islower() or letter.isupper() else None)


def _is_open(line: str) -> bool:
    """Return whether a line ends within brackets or code, so that its sentence goes on."""
    return line.rfind("(") > line.rfind(")") or line.rfind("[") > line.rfind("]") or line.count("`") % 2 == 1


def _are_lines(bodies: Sequence[str], ends: Sequence[_LineEnd], own_width: int) -> bool:
    """Return whether most lines of a run are no prose."""
    early = sum(not end.is_full and not end.goes_on for end in ends)
    in_doubt = [end for end in ends if end.room < _EARLY * own_width]
    prose = sum(end.is_soft_sign for end in in_doubt)
    loose = sum(end.room > _LOOSE * own_width for end in in_doubt)
    if early > prose or 2 * loose > len(in_doubt):
        return True
    if prose or not ends:
        return False
    return early > 0 or own_width < _WIDE or all(map(_NO_LETTER.match, bodies))


def _is_kept(line: str, end: _LineEnd, own_width: int, slack: float) -> bool:
    if end.room >= _EARLY * own_width:
        return True
    if end.goes_on or end.room <= slack:
        return False
    return line.rstrip().endswith(_SENTENCE_END)


def _teeth(bodies: Sequence[str], ends: dict[int, _LineEnd], own_width: int) -> Iterator[int]:
    """Yield the lines after the short ones of a comb, which mail programs make of lines that got too long."""
    has_tooth = False
    for before, at in pairwise(sorted(ends)):
        if before + 1 != at or not ends[before].is_full or not ends[at].goes_on:
            continue
        if bodies[before].rstrip().endswith((".", "!", "?", ":", ";")):
            continue
        is_wide = cells_of(bodies[at]) >= own_width / 2
        if is_wide or (has_tooth and at == len(bodies) - 1):
            has_tooth = True
            yield at
