"""A word that is wider than a line, broken in the URL that it holds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlextract.errors import UrlExtractError, WidthError
from urlextract.formatter.layout import Frame, line_ends, pieces_of
from urlextract.formatter.printable import printable_url
from urlextract.grammar.cells import cells_of
from urlextract.linebreaks.opportunities import opportunities
from urlextract.pipeline.entry import extract
from urlextract.records import Form

if TYPE_CHECKING:
    from collections.abc import Iterator

    from urlextract.results import Found

__all__ = ["flowed_breaker", "wrapping_breaker"]

_INDENT = " "
_PIECE = 1_000  # characters
_LONGEST_HEAD = 200  # characters before a URL in its word


def wrapping_breaker(word: str, used: int, room: int) -> list[str] | None:
    """Break the URL of ``word`` in brackets, behind ``used`` cells of a line; None where that cannot be.

    >>> wrapping_breaker("(http://www.example.org/abc/def),", 0, 30)
    ['(<URL:http://www.example.org/', ' abc/def>),']
    """
    found = _only_url(word)
    if found is None or found.form is Form.ABBREVIATED:
        return None
    opening, closing = word[: found.start], word[found.end :]
    if found.form is Form.QUOTED:  # a full stop may stand before the quote that closes
        at = word.index(found.url, found.start)
        opening, closing = word[:at], word[at + len(found.url) :]
    if opening.endswith("<") and closing.startswith(">"):  # brackets that are too long for a reader
        opening, closing = opening[:-1], closing[1:]
    opening, closing = f"{opening}<URL:", f">{closing}"
    frame = Frame(room, used + cells_of(opening), len(_INDENT), cells_of(closing))
    ends = _ends(found.url, frame, used)
    if not ends:
        return None
    pieces = pieces_of(found.url, ends)
    lines = [opening + pieces[0], *(_INDENT + piece for piece in pieces[1:])]
    lines[-1] += closing
    return lines


def flowed_breaker(word: str, used: int, room: int) -> list[str] | None:
    """Break the URL of ``word`` as it stands: lines that flow are read back without what broke them.

    >>> flowed_breaker("<http://www.example.org/abc/def>,", 4, 30)
    ['<http://www.example.org/', 'abc/def>,']
    """
    found = _only_url(word)
    if found is None:
        return None
    at = word.index(found.url)
    behind = cells_of(word[at + len(found.url) :])
    ends = _ends(found.url, Frame(room, used + cells_of(word[:at]), 0, behind), used)
    if not ends:
        return None
    return pieces_of(word, [*(at + end for end in ends[:-1]), len(word)])


def _only_url(word: str) -> Found | None:
    """Give the first URL of a word, if it is printed as it stands there."""
    found = next(extract(_pieces(word)), None)
    if found is None or found.start > _LONGEST_HEAD or found.url not in word:
        return None
    try:
        return found if printable_url(found.url, "unicode", encode=True) == found.url else None
    except UrlExtractError:
        return None


def _pieces(word: str) -> Iterator[str]:
    """Cut a word, so that what follows its first URL need not be read."""
    return (word[start : start + _PIECE] for start in range(0, len(word), _PIECE))


def _ends(url: str, frame: Frame, used: int) -> list[int] | None:
    """Give where the lines of ``url`` end; None where it had better begin on a line of its own.

    Behind other text, ``used`` cells of it, the first line is to hold the whole host.
    """
    found = opportunities(url, "mail")
    try:
        ends = line_ends(url, found, frame)
    except WidthError:
        return None
    return None if used and ends[0] < found.path else ends
