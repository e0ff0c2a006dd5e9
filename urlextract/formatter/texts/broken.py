"""Make each broken URL of a text whole on one line, and change no other line.

All is decided by the line ends within the URLs (`Broken.gaps`): these are removed, and what follows a URL on
its last line becomes a line of its own, with the prefix of that line.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Container, Iterator, Sequence
from functools import lru_cache, partial
from itertools import groupby, pairwise
from typing import NamedTuple

from urlextract.errors import RewrapError
from urlextract.formatter.texts.kept import Open, begins_unsafely, kept_lines
from urlextract.formatter.texts.lines import Line, item_mark, line_of
from urlextract.grammar.codes import RepairCode
from urlextract.grammar.edits import Edit, edited
from urlextract.grammar.marks import (
    CLOSER,
    COMMENT_MARK,
    LINE_MARK_ENDS,
    NAMED_MARK,
    OPENER,
    REWRAPPED_QUOTES,
    SENTENCE_MARKS,
    WRAPPER_CLOSER,
    WRAPPER_OPENER,
    WRAPPERS,
)
from urlextract.grammar.patterns import lazy_re
from urlextract.linebreaks.joining import Join, readings
from urlextract.pipeline.options import options_of
from urlextract.records import MAY_CONTINUE, Match, Span
from urlextract.scanner.scan import urls_in

_MOST_KEPT = 2  # readings: of a text before and after a change

_SPACE = lazy_re(r"[ \t\r\n\f\v]")
_WORD = lazy_re(r"[^ \t\r\n]*+")
_BLANKS = lazy_re(r"[ \t]*+")
_LINE = lazy_re(r"[^\r\n]*+")
_LINE_END = lazy_re(r"\r\n|\n|\r")
_BLANK_LINE = lazy_re(rf"(?:\r\n|\n|\r)[ \t{re.escape(''.join(REWRAPPED_QUOTES))}]*(?=[\r\n])")
_OPENER = lazy_re(OPENER)
_OPENING = lazy_re(rf"(?is){OPENER}(?P<before>.*?)(?:URL:(?P<after>.*))?\Z")
_CLOSING_GAP = lazy_re(rf"(\s+(?:[{re.escape(LINE_MARK_ENDS)}]+\s*)*?){CLOSER}\Z")
# A mark that may be repeated on a line that is added; lines that begin with it are joined with no other
_REPEATED = lazy_re(rf"\A(?:\s*{COMMENT_MARK}|[ \t]{{0,3}}{NAMED_MARK})(?=\s)")
_BRACKETS = lazy_re(rf"{WRAPPER_OPENER}|{WRAPPER_CLOSER}|URL:|\s", re.IGNORECASE)

_LOOKED_AT = 200  # characters of a line that say whether its beginning has a meaning
_AFTER_BRACKETS = ("", "\n", "\r", *SENTENCE_MARKS, ")", "]", '"')
_LONGEST_MARKS = 200  # characters of quote marks on a line


class Broken(NamedTuple):
    """A URL over several lines, with its brackets.

    ``gaps`` are the line ends within it, each with the blanks, the quote prefix and the backslash around it.
    """

    start: int
    end: int
    gaps: tuple[Span, ...]


class Reader:
    """Reads the URLs of texts by one value of ``join``, and holds what it read of the last ones."""

    def __init__(self, join: Join) -> None:
        options = options_of({"join": join}).scan
        self.matches = lru_cache(_MOST_KEPT)(partial(urls_in, options=options))
        """Return the URLs of a text with their places."""

    def urls(self, text: str) -> list[str]:
        r"""Return the URLs of a text, as `extract` does.

        >>> Reader("safe").urls("see <URL:http://a.example/b\n c>")
        ['http://a.example/bc']
        """
        return [match.url for match in self.matches(text)]

    def stays(self, text: str, edits: Sequence[Edit]) -> bool:
        """Return whether a text has the same URLs with ``edits``."""
        return not edits or self.urls(text) == self.urls(edited(text, edits))

    def broken(self, text: str, opened: Open | None = None) -> list[Broken]:
        r"""Return the URLs that line ends break, but for those in code, diffs and the like (`kept_lines`).

        >>> Reader("safe").broken("see <URL:http://a.example/b/\n c> and <http://a.example/>")
        [Broken(start=4, end=32, gaps=(Span(start=28, end=30),))]
        """
        found = [each for match in self.matches(text) if (each := _broken(text, match)).gaps]
        ranges = [*kept_ranges(text, opened)] if found else []
        return [
            each for each in found if all(end <= each.start or each.end <= start for start, end, _ in ranges)
        ]

    def check(self, before: str, after: str) -> None:
        """Raise `RewrapError` if ``after`` has other URLs or other words than ``before``."""
        if self.urls(before) != self.urls(after):
            raise RewrapError("what is printed holds other URLs")
        if self._letters(before) != self._letters(after):
            raise RewrapError("what is printed holds other words")

    def _letters(self, text: str) -> str:
        """Return a text without quote prefixes, marks of lines, white space, and the brackets of URLs."""
        whole = edited(
            text, (Edit(*gap, "") for match in self.matches(text) for gap in _broken(text, match).gaps)
        )
        bodies = (_REPEATED.sub("", line_of(line).body) for line in whole.split("\n"))
        return _BRACKETS.sub("", "".join(bodies))


def sound(text: str, edits: Sequence[Edit], stays: Callable[[str, Sequence[Edit]], bool]) -> Sequence[Edit]:
    """Return the ``edits`` with which a text ``stays`` the same: all, those of some paragraphs, or none."""
    if stays(text, edits):
        return edits
    blank = [0, *(match.end() for match in _BLANK_LINE.finditer(text)), len(text)]
    kept: list[Edit] = []
    for number, group in groupby(edits, lambda each: bisect_right(blank, each.start)):
        inside = list(group)
        start, stop = blank[number - 1], blank[bisect_left(blank, inside[-1].end)]
        if stays(text[start:stop], [Edit(at - start, end - start, new) for at, end, new in inside]):
            kept += inside
    return kept if stays(text, kept) else []


def kept_ranges(text: str, opened: Open | None) -> Iterator[tuple[int, int, Open]]:
    """Yield the ranges of characters of what goes on over blank lines, but for signatures, in order."""
    texts = text.split("\n")
    lines = [line_of(each.rstrip("\r")) for each in texts]
    kept, _ = kept_lines(lines, opened, signatures=False)
    at = 0
    for is_kept, run in groupby(zip(kept, texts, strict=True), lambda each: each[0]):
        start, at = at, at + sum(len(each) + 1 for _, each in run)
        if is_kept:
            yield start, at, is_kept


# --- where line ends break a URL ------------------------------------------------------------------


def _broken(text: str, found: Match) -> Broken:
    """Return a URL with its gaps: none if it is whole, only may go on, or has a page's end within it."""
    start, end = found.span
    opening = _OPENER.match(text, start, end)
    if found.other_end:
        is_broken = MAY_CONTINUE not in found.defects
    else:
        has_two = opening and opening[0] in WRAPPERS and text.find(opening[0], opening.end(), end) >= 0
        is_broken = bool(opening) and not has_two and not _may_be_a_quote_mark(text, end)
    if not (is_broken and _SPACE.search(text, start, end)):
        return Broken(start, end, ())
    return Broken(start, end, _gaps(text, found))


def _may_be_a_quote_mark(text: str, end: int) -> bool:
    """Return whether the bracket before ``end`` begins its line, or is one of its quote marks, before text.

    It closes the URL, but it may also be the mark of a quoted line after a bracket that was never closed.
    """
    if text[end - 1] != ">" or text[end : end + 1] in _AFTER_BRACKETS:
        return False
    start = max(text.rfind("\n", 0, end), text.rfind("\r", 0, end)) + 1
    return end - start <= _LONGEST_MARKS and not text[start:end].strip("> \t")


def _gaps(text: str, found: Match) -> tuple[Span, ...]:
    """Return the line ends within a URL and its brackets, each with what is removed around it."""
    joined = readings(found)
    if any(repair.code is RepairCode.REMOVED_PAGE_BREAKS for repair in joined.repairs):
        return ()
    pieces = [piece.moved(found.first) for piece in joined.pieces]
    opening = _OPENING.match(text, found.start, pieces[0].start)
    gaps = [Span(*opening.span(name)) for name in ("before", "after") if opening[name]] if opening else []
    gaps += [Span(before.end, after.start) for before, after in pairwise(pieces)]
    closing = _CLOSING_GAP.match(text, pieces[-1].end, found.end)
    if closing:
        gaps.append(Span(*closing.span(1)))
    return tuple(gap for gap in gaps if _LINE_END.search(text, *gap))


# --- without these line ends ----------------------------------------------------------------------


def mended(
    text: str, reader: Reader, opened: Open | None = None, *, filled: Container[int] = frozenset()
) -> str:
    r"""Return a text with its broken URLs whole, except those that would then be read in another way.

    ``opened`` is what goes on from the text before (see `kept_lines`). What follows a URL on its last line
    stays on the same line as the URL if that begins at an offset of a line that is to be ``filled``.

    >>> mended("> see <URL:http://a.example/b/\n> c> now\n> then", Reader("safe"))
    '> see <URL:http://a.example/b/c>\n> now\n> then'
    """
    edits = [*_edits(text, reader.broken(text, opened), filled)]
    return edited(text, sound(text, edits, reader.stays))


def _edits(text: str, broken: Sequence[Broken], filled: Container[int]) -> Iterator[Edit]:
    """Yield the edits that remove the gaps of URLs, and end the lines after them."""
    for number, each in enumerate(broken):
        limit = broken[number + 1].start if number + 1 < len(broken) else len(text)
        yield from (Edit(*gap, "") for gap in each.gaps)
        end = _end_of(_WORD, text, each.end, limit)
        at = _end_of(_BLANKS, text, end, limit)
        rest = text[at : min(_end_of(_LINE, text, at, len(text)), at + _LOOKED_AT)]
        if rest and end < limit and not begins_unsafely(rest):
            start = max(text.rfind("\n", 0, each.start), text.rfind("\r", 0, each.start)) + 1
            first = line_of(text[start : each.start])
            line_end = _line_break(text, each, first)
            is_of_one_depth = line_of(line_end.lstrip("\r\n")).marks == first.marks
            if not (start in filled and is_of_one_depth):
                yield Edit(end, at, line_end)


def _end_of(pattern: re.Pattern[str], text: str, at: int, limit: int) -> int:
    """Return the end of a match at ``at``, or ``at`` if there is none."""
    match = pattern.match(text, at, limit)
    return match.end() if match else at


def _line_break(text: str, each: Broken, first: Line) -> str:
    """Return a line end, and the prefix of the line on which a URL ends; ``first`` is where it begins.

    More blanks than that line has are the indent of the broken URL.
    """
    *_, line_end = _LINE_END.finditer(text, *each.gaps[-1])
    prefix = text[line_end.end() : each.gaps[-1].end]
    usual = first.quote + (" " * len(item_mark(first.body)) or first.indent)
    is_deeper = prefix.startswith(usual) and not prefix.removeprefix(usual).strip(" ")
    return line_end.group() + (usual if is_deeper else prefix)
