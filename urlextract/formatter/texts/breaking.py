"""Break a URL that is wider than a line, in its brackets."""

from __future__ import annotations

from collections.abc import Iterator

from urlextract.errors import UrlExtractError, WidthError
from urlextract.formatter.layout import Frame, line_ends, pieces_of
from urlextract.formatter.opportunities import opportunities
from urlextract.formatter.printable import printable_url
from urlextract.grammar.cells import cells_of
from urlextract.pipeline.entry import extract
from urlextract.records import Form
from urlextract.results import Found

_INDENT = " "
_PIECE = 1_000  # characters
_LONGEST_HEAD = 200  # characters before a URL in its word


def broken_word(word: str, used: int, room: int) -> list[str] | None:
    """Return the lines of ``word`` with its URL broken in brackets, or None if it cannot be broken.

    ``used`` cells of the first line are taken, and each line has ``room`` cells.

    >>> broken_word("(http://www.example.org/abc/def),", 0, 30)
    ['(<URL:http://www.example.org/', ' abc/def>),']
    """
    found = _only_url(word)
    if found is None or found.form is Form.ABBREVIATED:
        return None
    opening, closing = word[: found.start], word[found.end :]
    if found.form is Form.QUOTED:  # a full stop may come before the closing quote
        at = word.index(found.url, found.start)
        opening, closing = word[:at], word[at + len(found.url) :]
    opening, closing = f"{opening}<URL:", f">{closing}"
    frame = Frame(room, used + cells_of(opening), len(_INDENT), cells_of(closing))
    ends = _ends(found.url, frame, used)
    if not ends:
        return None
    pieces = pieces_of(found.url, ends)
    lines = [opening + pieces[0], *(_INDENT + piece for piece in pieces[1:])]
    lines[-1] += closing
    return lines


def _only_url(word: str) -> Found | None:
    """Return the first URL of a word, or None if it cannot be printed as it is written there."""
    found = next(extract(_pieces(word)), None)
    if found is None or found.start > _LONGEST_HEAD or found.url not in word:
        return None
    try:
        return found if printable_url(found.url, encode=True) == found.url else None
    except UrlExtractError:
        return None


def _pieces(word: str) -> Iterator[str]:
    """Yield the word in pieces, so that the text after its first URL need not be read."""
    return (word[start : start + _PIECE] for start in range(0, len(word), _PIECE))


def _ends(url: str, frame: Frame, used: int) -> list[int] | None:
    """Return where the lines of ``url`` end, or None if it does not fit or needs a line of its own.

    After ``used`` cells of other text, the first line must hold the whole host.
    """
    found = opportunities(url, "mail")
    try:
        ends = line_ends(url, found, frame)
    except WidthError:
        return None
    return None if used and ends[0] < found.path else ends
