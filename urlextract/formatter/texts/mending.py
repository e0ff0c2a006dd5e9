"""Join broken URLs into one line, so that a text can be filled with URLs as units."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from itertools import pairwise
from typing import NamedTuple

from urlextract.formatter.texts.quotes import Line, line_of, marks_of, names_in
from urlextract.grammar.codes import RepairCode
from urlextract.grammar.marks import CLOSER, DELIMITERS, LINE_MARK_ENDS, OPENER, SENTENCE_MARKS, WRAPPERS
from urlextract.grammar.patterns import lazy_re
from urlextract.linebreaks.joining import Join, readings
from urlextract.linebreaks.prefixes import prefix_before
from urlextract.pipeline.options import options_of
from urlextract.records import MAY_CONTINUE, Match, Rejoined, Span
from urlextract.scanner.scan import urls_in
from urlextract.scanner.window import ScanOptions

_MOST_KEPT = 4

_BLANK = lazy_re(r"[ \t\r\n\f\v]")
_NOT_LINES = (RepairCode.REMOVED_BLANKS, RepairCode.REMOVED_PAGE_BREAKS)
_LINE_END = lazy_re(r"[\r\n]")
_OPENER = lazy_re(OPENER)
_OPENING = lazy_re(rf"(?is){OPENER}(?P<before>.*?)(?:URL:(?P<after>.*))?\Z")
_CLOSING_GAP = lazy_re(rf"(\s+(?:[{re.escape(LINE_MARK_ENDS)}]+\s*)*?){CLOSER}\Z")


class Break(NamedTuple):
    """A broken URL: its place, the start of its ``last`` piece, and ``unit``, its text once joined.

    The place and ``unit`` include brackets. ``is_certain`` is true if only line ends break the URL, and
    its end is known. ``gaps`` are the line ends within the URL, each with the blanks, the quote prefix and
    the backslash around it; there are none if the URL only may go on, or if a page ends within it.
    """

    start: int
    end: int
    last: int
    unit: str
    is_certain: bool = True
    gaps: tuple[Span, ...] = ()


def breaks_in(text: str) -> list[Break]:
    r"""Return the places where white space breaks a URL, or may break a bare one.

    >>> [found] = breaks_in("see <URL:http://a.example/b/\n c> and <http://a.example/>")
    >>> found.unit, found.is_certain, found.gaps
    ('<URL:http://a.example/b/c>', True, (Span(start=28, end=30),))
    """
    return _reading_of(text).breaks


def urls_of(text: str) -> list[str]:
    r"""Return the URLs of a text, as `extract` does.

    >>> urls_of("see <URL:http://a.example/b\n c>")
    ['http://a.example/bc']
    """
    return _reading_of(text).urls


class _Reading(NamedTuple):
    urls: list[str]
    breaks: list[Break]


@cache
def _options_of(join: Join) -> ScanOptions:
    return options_of({"join": join}).scan


class Readings:
    """How URLs are joined, what the other units of a text have shown, and a cache of the last texts read.

    ``names`` are the quote marks with a name that the text has.
    """

    def __init__(self, join: Join) -> None:
        self.names: frozenset[str] = frozenset()
        self._options = _options_of(join)
        self._readings: dict[str, _Reading] = {}

    def reading_of(self, text: str) -> _Reading:
        """Return the URLs and breaks of ``text``, from the cache if it was read before."""
        reading = self._readings.pop(text, None) or self._read(text)
        self._readings[text] = reading  # moved to the end: the first one is dropped first
        while len(self._readings) > _MOST_KEPT:
            del self._readings[next(iter(self._readings))]
        return reading

    def _read(self, text: str) -> _Reading:
        matches = urls_in(text, self._options)
        return _Reading([match.url for match in matches], list(_breaks(text, matches)))


_IN_USE: ContextVar[Readings | None] = ContextVar("_IN_USE", default=None)


@contextmanager
def reading_with(readings: Readings) -> Iterator[None]:
    """Read texts with ``readings`` as long as the context is open."""
    token = _IN_USE.set(readings)
    try:
        yield
    finally:
        _IN_USE.reset(token)


def names_of(texts: Sequence[str]) -> frozenset[str]:
    """Return the quote marks with a name that ``texts``, or other units of the same text, have."""
    readings = _IN_USE.get()
    known = readings.names if readings else frozenset[str]()
    return known | names_in(texts) if any(">" in text for text in texts) else known


def _reading_of(text: str) -> _Reading:
    return (_IN_USE.get() or Readings("safe")).reading_of(text)


def _breaks(text: str, matches: Iterable[Match]) -> Iterator[Break]:
    for found in matches:
        start, end = found.span
        if found.other_end:
            yield _bare_break(text, found)
            continue
        opening = _OPENER.match(text, start, end)
        if not opening or not _BLANK.search(text, start, end):
            continue
        has_two = opening[0] in WRAPPERS and text.find(opening[0], opening.end(), end) >= 0
        if not (has_two or _may_be_a_quote_mark(text, end)):
            joined = readings(found)
            whole, last = _whole(found, joined, text)
            unit = f"{opening[0]}{_label(text, found)}{whole}{DELIMITERS[opening[0]]}"
            yield Break(start, end, last, unit, _is_broken_by_lines(joined), _gaps(text, found, joined))


_AFTER_BRACKETS = ("", "\n", "\r", *SENTENCE_MARKS, ")", "]", '"')
_LONGEST_MARKS = 200  # characters of quote marks on a line


def _may_be_a_quote_mark(text: str, end: int) -> bool:
    """Return whether the bracket before ``end`` begins its line, or is one of its quote marks, before text.

    It closes the URL, but it may also be the mark of a quoted line after a bracket that was never closed.
    """
    if text[end - 1] != ">" or text[end : end + 1] in _AFTER_BRACKETS:
        return False
    start = max(text.rfind("\n", 0, end), text.rfind("\r", 0, end)) + 1
    return end - start <= _LONGEST_MARKS and not text[start:end].strip("> \t")


def _bare_break(text: str, found: Match) -> Break:
    """Return the break of a bare URL; it is not certain if the URL only may go on."""
    is_joined = MAY_CONTINUE not in found.defects
    longest = found if is_joined else _with_more_lines(found, text)
    joined = readings(longest)
    whole, last = _whole(longest, joined, text)
    unit = text[longest.start : longest.first] + whole
    gaps = _gaps(text, longest, joined) if is_joined else ()
    return Break(*longest.span, last, unit, is_joined and _is_broken_by_lines(joined), gaps)


def _with_more_lines(found: Match, text: str) -> Match:
    """Return a URL that may go on joined with its next lines."""
    end = found.other_end
    prefix = prefix_before(f"\n{text[: found.first]}", found.first + 1)
    return found._replace(end=end, stop=end, raw=text[found.first : end], prefix=prefix, others=())


def _is_broken_by_lines(joined: Rejoined) -> bool:
    """Return whether only line ends break a URL.

    A blank within a line may belong to the URL ("Annual Report.pdf"), and a page break has text in it.
    """
    return not any(repair.code in _NOT_LINES for repair in joined.repairs)


def _label(text: str, found: Match) -> str:
    return "URL:" if ":" in text[found.start : found.first] else ""


def _whole(found: Match, joined: Rejoined, text: str) -> tuple[str, int]:
    """Return the URL as written in ``text``, without its breaks, and where its last piece begins."""
    pieces = joined.pieces
    raw = found.inner.of(text)  # that of the match is decoded where its bytes are not UTF-8
    if len(pieces) == 1:  # its closing bracket may be on the next line, after a quote prefix
        return _BLANK.split(raw, maxsplit=1)[0], found.start
    return "".join([piece.of(raw) for piece in pieces]), found.first + pieces[-1].start


def _gaps(text: str, found: Match, joined: Rejoined) -> tuple[Span, ...]:
    """Return the line ends within a URL and its brackets, each with what is removed around it."""
    if any(repair.code is RepairCode.REMOVED_PAGE_BREAKS for repair in joined.repairs):
        return ()
    pieces = [piece.moved(found.first) for piece in joined.pieces]
    between = [Span(before.end, after.start) for before, after in pairwise(pieces)]
    between[:0] = _opening_gaps(text, found.start, pieces[0].start)
    closing = _CLOSING_GAP.match(text, pieces[-1].end, found.end)
    if closing:
        between.append(Span(*closing.span(1)))
    return tuple(gap for gap in between if _LINE_END.search(text, *gap))


def _opening_gaps(text: str, start: int, end: int) -> list[Span]:
    """Return the places of the white space around the label in the opening bracket of a URL."""
    match = _OPENING.match(text, start, end)
    return [Span(*match.span(name)) for name in ("before", "after") if match[name]] if match else []


class Mended(NamedTuple):
    """The lines of a text with its URLs joined; ``mends`` has the indexes of the breaks mended, by line.

    ``parted`` are the lines that end after a joined URL because text of another quote depth followed it.
    """

    lines: list[str]
    mends: dict[int, list[int]]
    parted: list[int]


def mended(text: str, breaks: list[Break]) -> Mended:
    r"""Return the lines of ``text`` with the URLs of ``breaks`` joined.

    >>> text = "> see <URL:http://a.example/b/\n> c> now\n> then"
    >>> mended(text, breaks_in(text)).lines
    ['> see <URL:http://a.example/b/c> now', '> then']
    """
    pieces: list[str] = []
    mends: dict[int, list[int]] = {}
    parted: list[int] = []
    at = line = 0
    for number, (start, end, last, unit, *_) in enumerate(breaks):
        line += text.count("\n", at, start)
        mends.setdefault(line, []).append(number)
        pieces += (text[at:start], unit)
        at = end
        first = line_prefix(text, breaks, number)
        behind = _rest_of_another_depth(text, first, start, last, end)
        if behind is not None:
            pieces.append(f"\n{behind}")
            parted.append(line)
            line += 1
            at = end + _blanks_at(text, end)
    return Mended("".join([*pieces, text[at:]]).split("\n"), mends, parted)


def put_back(text: str, breaks: list[Break], found: Mended, kept: Iterable[int]) -> None:
    r"""Restore in ``found`` the original text of the lines ``kept``, each of which may then hold line breaks.

    >>> text = "> see <URL:http://a.example/b/\n> c> now\n> then"
    >>> breaks = breaks_in(text)
    >>> found = mended(text, breaks)
    >>> put_back(text, breaks, found, [0])
    >>> found.lines
    ['> see <URL:http://a.example/b/\n> c> now', '> then']
    """
    parted = set(found.parted)
    for line in sorted(found.mends.keys() & set(kept)):
        numbers = found.mends[line]
        start = text.rfind("\n", 0, breaks[numbers[0]].start) + 1
        stop = text.find("\n", breaks[numbers[-1]].end)
        before = text[start : stop if stop >= 0 else len(text)]
        if line in parted:
            before, _, found.lines[line + 1] = before.rpartition("\n")
        found.lines[line] = before


def line_prefix(text: str, breaks: Sequence[Break], number: int) -> Line:
    """Return the line on which a URL begins, up to the URL, or to the one before that ends on this line.

    Its quote prefix is thus no part of another URL, although ``c> `` looks like initials.
    """
    end = breaks[number].start
    start = max(text.rfind("\n", 0, end), text.rfind("\r", 0, end)) + 1
    before = breaks[number - 1] if number else None
    if before and before.start < start < before.end:
        end = before.last if before.last >= start else before.end - 1
    return line_of(text[start:end])


def _rest_of_another_depth(text: str, first: Line, start: int, piece: int, end: int) -> str | None:
    """Return the quote prefix of the line on which a URL ends, if text of another depth follows it there."""
    last = text.rfind("\n", start, end) + 1
    if not last or not text[end : text.find("\n", end) + 1 or len(text)].strip():
        return None
    line = line_of(text[last : piece if piece > last else end - 1])
    return None if marks_of(line.quote) == marks_of(first.quote) else line.quote


def _blanks_at(text: str, at: int) -> int:
    size = 0
    while text[at + size : at + size + 1] in (" ", "\t"):
        size += 1
    return size
