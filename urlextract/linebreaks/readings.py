"""What a broken URL may have been: a hyphen kept or not, a blank meant or not.

RFC 1738, appendix: "the hyphen may or may not actually be part of the URL". Where
the answer can be known (67 places of 67) it is part of it, so that is the first
reading. The fewer hyphens a reading drops, the likelier it is.
"""

from __future__ import annotations

from itertools import combinations, islice
from typing import TYPE_CHECKING

from urlextract.records import Alternative

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = ["holds_another", "readings"]

_MOST = 8
"""Readings of one place, the first included."""


def holds_another(before: str) -> bool:
    """Return whether a URL that ends in ``before`` so far may go on, after a break, with a URL in it.

    Elsewhere a scheme after a break begins a URL of its own: read so, and printed so.

    >>> holds_another("http://archive.example/"), holds_another("http://a.example/x,")
    (True, False)
    """
    return before.endswith(("/", "=", "?"))


def readings(pieces: Sequence[str], joints: Sequence[str], *, drop: bool) -> list[Alternative]:
    r"""Return every reading of the pieces, likeliest first, the first without a reason.

    ``joints`` are what comes between them: a line end or a blank.

    >>> [r.url for r in readings(["ftp://a/in-", "notes"], ["\n"], drop=False)]
    ['ftp://a/in-notes', 'ftp://a/innotes']
    """
    if " " not in joints and not any(piece.endswith("-") for piece in pieces[:-1]):
        return [Alternative("".join(pieces), "")]
    found = list(islice(_hyphen_readings(pieces, joints, drop=drop), _MOST))
    return list(dict.fromkeys([*found, *_blank_readings(pieces, joints)]))


def _hyphen_readings(pieces: Sequence[str], joints: Sequence[str], *, drop: bool) -> Iterator[Alternative]:
    open_ends = [index for index, joint in enumerate(joints) if joint == "\n" and pieces[index].endswith("-")]
    for count in range(len(open_ends) + 1):
        for chosen in combinations(open_ends, count):
            dropped = set(open_ends) - set(chosen) if drop else set(chosen)
            url = "".join(piece[:-1] if index in dropped else piece for index, piece in enumerate(pieces))
            yield Alternative(url, _hyphen_reason(count, drop=drop))


def _hyphen_reason(count: int, *, drop: bool) -> str:
    if not count:
        return ""
    many = f"{count} hyphens" if count > 1 else "the hyphen"
    if drop:
        return f"with {many} kept at the line break"
    return f"without {many} at the line break, which may not belong to the URL"


def _blank_readings(pieces: Sequence[str], joints: Sequence[str]) -> Iterator[Alternative]:
    """Blanks between two letters or digits may be meant: RFC 1630 prints such selectors."""
    blanks = [i for i, joint in enumerate(joints) if joint == " " and _is_inside_word(pieces, i)]
    if not blanks:
        return
    yield Alternative(_spaced(pieces, set(blanks)), "the blanks inside a line may be meant")
    ends = [i for i, joint in enumerate(joints) if joint == "\n" and _is_inside_word(pieces, i)]
    if ends:
        yield Alternative(
            _spaced(pieces, {*blanks, *ends}), "the blanks inside a line and at its end may be meant"
        )


def _is_inside_word(pieces: Sequence[str], index: int) -> bool:
    return pieces[index][-1].isalnum() and pieces[index + 1][0].isalnum()


def _spaced(pieces: Sequence[str], places: set[int]) -> str:
    """Put ``%20`` after the pieces named."""
    return "".join(f"{piece}%20" if index in places else piece for index, piece in enumerate(pieces))
