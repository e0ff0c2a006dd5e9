"""Fill words into lines, as many in each as fit; a URL is one word, or is broken if it is wider than a line.

So is code, a link or an image of Markdown, or a link of reST.
No line is begun with a word that has a meaning at the start of a line, such as a quote mark, the mark of a
list item, a dot or ``From``, or is ended after a backslash: such a word stays with the one before it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from urlextract.errors import UrlExtractError, WidthError
from urlextract.formatter.layout import Frame, line_ends, pieces_of
from urlextract.formatter.opportunities import opportunities
from urlextract.formatter.printable import printable_url
from urlextract.formatter.texts.kept import has_meaning_before_words
from urlextract.grammar.cells import cells_of
from urlextract.grammar.patterns import lazy_re
from urlextract.pipeline.entry import extract
from urlextract.records import Form
from urlextract.results import Found

_MARKUP = r"(?<![\w`])(?P<marks>`++)(?!\s)[^`]++(?<!\s)(?P=marks)_{0,2}(?![\w`])|\[[^\[\]]*+\]\([^()]*+\)"
_IS_MARKUP = lazy_re(_MARKUP)
_INDENT = " "
# Blanks only: a no-break space is part of its word.
_TOKEN = lazy_re(rf"(?P<word>(?:[^ `\[]++|{_MARKUP}|[^ ])+)(?P<gap> *)")


class _Word(NamedTuple):
    """What stays on one line, and the blanks after it."""

    text: str
    gap: str


def filled(text: str, first: int, rest: int, *, break_urls: bool = False) -> list[str]:
    """Return the words of ``text``, filled into lines of ``rest`` cells, the first of ``first`` cells.

    >>> filled("one two > three", 8, 12)
    ['one', 'two > three']
    """
    lines: list[str] = []
    line = gap = ""
    used, room = 0, first
    for word, behind in _words(text):
        size = cells_of(word)
        is_broken = break_urls and size > rest and not _IS_MARKUP.search(word)
        if used + len(gap) + size > room:
            gap = gap[:1]  # so that a line ends only where not even one blank and the word fit
        pieces = broken_word(word, used + len(gap), rest) if is_broken else None
        if line and not pieces and used + len(gap) + size > room:
            lines.append(line)
            line, gap, used, room = "", "", 0, rest
            pieces = broken_word(word, 0, rest) if is_broken else None
        if pieces:
            lines += [line + gap + pieces[0], *pieces[1:-1]]
            line, room, used = pieces[-1], rest, cells_of(pieces[-1])
        else:
            line += gap + word
            used += len(gap) + size
        gap = behind
    return [*lines, line]


def _words(text: str) -> Iterator[_Word]:
    """Yield the words of a text, each with those that must begin no line after it."""
    word = gap = ""
    for match in _TOKEN.finditer(text):
        following, behind = match["word"], match["gap"]
        if word and (word.endswith("\\") or has_meaning_before_words(following)):
            word += gap + following
        else:
            if word:
                yield _Word(word, gap)
            word = following
        gap = behind
    if word:
        yield _Word(word, gap)


# --- a URL that is wider than a line -----------------------------------------------------------------


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
    found = next(extract(word), None)
    if found is None or found.url not in word:
        return None
    try:
        return found if printable_url(found.url, encode=True) == found.url else None
    except UrlExtractError:
        return None


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
