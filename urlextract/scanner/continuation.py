"""A bare URL that ends its line: where it ends if it goes on in the next lines, and how sure that is.

The first word of each next line is read, and each line end is scored (`line_breaks`). Then the whole
is read again as unbroken text, so that the rules of bare URLs decide where it ends. A run of lines
is joined whole or not at all. Its certainty is that of its weakest line break, and lower if the URL may
go on after the last line.
"""

from __future__ import annotations

import re
from functools import cached_property
from itertools import islice
from typing import NamedTuple

from urlextract.grammar.chars import LINE_END
from urlextract.grammar.marks import (
    ADDED_BARE_BREAKS,
    BARE_BREAKS,
    FREE_MARKS,
    MARKS_AND_BLANKS,
    MAY_GO_ON,
    OPENERS,
    SENTENCE_MARKS,
    WORD_MARK,
)
from urlextract.grammar.patterns import lazy_re
from urlextract.grammar.registry import ANY_NAME_WITHOUT_SLASHES
from urlextract.linebreaks.prefixes import (
    opening_prefix,
    skip_prefix,
)
from urlextract.records import Span
from urlextract.scanner.bare import clean_run, trimmed
from urlextract.scanner.buffer import (
    LINES_AFTER,
    LINES_BEFORE,
    Buffer,
    line_start,
    paragraph_end,
    paragraph_start,
)
from urlextract.scanner.line_breaks import (
    BEGINS_ANEW,
    LIST_NUMBER,
    NO_EVIDENCE,
    PAGE_NAME,
    PROSE_WORD,
    Certainty,
    Evidence,
    LineBreak,
    is_comment,
    is_in_registered_domain,
    is_link_open,
    proof_of,
    ruled_out,
    score,
)


class Continuation(NamedTuple):
    """The end of a URL that goes on after its line, an offset in the text, and the evidence for that."""

    end: int
    certainty: Certainty
    evidence: Evidence


ENDS_HERE = Continuation(-1, Certainty.NONE, NO_EVIDENCE)
"""The URL ends with its line, or before it."""

_MAY_END_LINE = frozenset("\r\n\\" + MAY_GO_ON)
_MAY_BE_PROVED = frozenset(OPENERS.values())  # right before the URL
_ADDED = "\\" + ADDED_BARE_BREAKS
LONGEST_OPENING = 12  # characters before a URL: "\\nolinkurl{"
_AFTER_WHOLE = ("", "?", "#", "&", ">", '"', " ", "\t", "\r", "\n", ")", "]")
_AROUND = (
    "".join(OPENERS) + "".join(OPENERS.values()) + SENTENCE_MARKS + "'\"<>"
)  # no rest of a URL ends in them
_LEAST_REST = 3  # characters of a word that makes a URL another one that stands after it
_MOST_LINES = 2_000
_MOST_BLANKS = 9  # quoted lines without a word in the link of a gateway
_MOST_TAKEN_BACK = 32  # lines at the end that add nothing: each takes one more reading of all before it
_LONGEST_WORD = 2_048  # characters
_BEFORE = 300  # characters before a URL that may decide where it ends: quotes, marks of emphasis
_PROSE_COLUMNS = range(40, 83)  # widths of lines that show how wide a paragraph is
_LONGEST_MARKS = 9  # characters after a line end that may hold the quote marks of the next line
_FREE_MARKS = tuple(FREE_MARKS)
_BULLETS = ("*", "+", "-")
_LIST_MARK = lazy_re(r"\[\w{1,3}\][:.]?|\d{1,3}[.):]")
_LONGEST_END = 5  # characters of a line end
_LINE_END = lazy_re(LINE_END)
_WORD = lazy_re(rf"[^\s\x00-\x1f\x7f]{{1,{_LONGEST_WORD}}}+")
# A quick test that is enough for most URLs that end with their line. After the line end comes
# what does not continue a URL, a word of prose that is no quote prefix, or a blank line that is
# not part of a page break.
_MARKS = rf"{MARKS_AND_BLANKS}*+(?>(?:[*+-][ \t]++)?)"
# No ">" may follow soon: it would be the quote mark of a name ("John Doe> ").
_PROSE = rf"(?=[A-Za-z])(?!{WORD_MARK}[ \t]|{PAGE_NAME}\b){PROSE_WORD}[ \t](?![^\n>]{{0,48}}+(?:>|\Z))"
_OTHERS = rf"{_PROSE}|{BEGINS_ANEW}|{LIST_NUMBER}(?=\s)"
_ENDS_WITH_LINE = lazy_re(
    rf"(?<![{re.escape(BARE_BREAKS)}])(?<!%[0-9A-Fa-f])(?<!%2[Ff])(?>{LINE_END}){_MARKS}(?:{_OTHERS})"
    rf"|(?<=[A-Za-z0-9])(?>{LINE_END}){_MARKS}(?:\r?\n|\r(?=[^\r\n]))"
)
"""Matches at the line end after a URL that does not go on; if it does not match, `continuation` decides."""
# Another URL may begin in such a word. No line after it is read, but one more that begins with a slash, so
# that each line is read for at most three URLs.
_PLACE_INSIDE = lazy_re(rf"://|(?<![A-Za-z])(?i:{ANY_NAME_WITHOUT_SLASHES}):|(?<!\w)(?i:www|ftp)\.")


def continuation(buffer: Buffer, start: int, end: int) -> Continuation:
    """Return where the bare URL ``start:end`` ends if it goes on after its line, or `ENDS_HERE`."""
    text, limits = buffer.text, buffer.limits
    if end == buffer.size or text[end] not in _MAY_END_LINE or not (limits.joins and limits.looks_on):
        return ENDS_HERE
    tail = end + (text[end] not in "\r\n")
    asks_for_proof = text[start - 1 : start] in _MAY_BE_PROVED or text[tail - 1] in "\\%"
    if not asks_for_proof and _ENDS_WITH_LINE.match(text, tail):
        return ENDS_HERE
    buffer.need_line_end(tail)
    line_end = _LINE_END.match(text, tail)
    line = line_start(text, start)
    if line_end is None or line is None or _is_blank(buffer, line_end.end()):
        return ENDS_HERE
    return _Lines(buffer, Span(start, end), line).read(tail, line_end.end())


def _is_blank(buffer: Buffer, start: int) -> bool:
    """Return whether nothing begins at ``start``, neither text nor a page break."""
    if buffer.text[start : start + 1] not in ("", "\r", "\n"):
        return False
    buffer.need(1, start)
    return buffer.page_break_end(start, waits=False) is None


class _Line(NamedTuple):
    """Offsets in one line: of its start, after its quote prefix, of its first word, and of its end."""

    start: int
    column: int
    word: Span
    end: int
    depth: int


class _Lines:
    """The lines that may belong to one URL."""

    def __init__(self, buffer: Buffer, url: Span, line: int) -> None:
        self._buffer, self._text, self._url, self._line = buffer, buffer.text, url, line
        self._prefix = opening_prefix(buffer.text[line : url.start])
        self._depth = self._prefix.count(">")
        self._fill = -1  # not known yet

    def read(self, tail: int, start: int) -> Continuation:
        """Read the lines from ``start`` on; the URL's own line ends at ``tail``, just before them."""
        piece = self._first_piece(tail)
        accepted: list[tuple[str, _Line]] = []  # the URL up to each line end, and the line after it
        certainty, evidence = Certainty.SAFE, NO_EVIDENCE
        blanks = inside = 0
        while len(accepted) < _MOST_LINES and len(piece.url) < self._buffer.limits.max_run:
            line = self._next_line(start, may_turn_page=not piece.piece[-1].isalnum())
            word = line.word.of(self._text)
            if not word:
                line_end = _LINE_END.match(self._text, line.end)
                if not (line_end and line.depth and blanks < _MOST_BLANKS and is_link_open(piece)):
                    break
                start, blanks = line_end.end(), blanks + 1
                continue
            line_break = self._line_break(piece, line)
            sure, is_doubtful, rows = self._judged(line_break, line)
            if sure is None or (sure is Certainty.POSSIBLE and accepted):
                certainty = min(certainty, Certainty.LIKELY) if is_doubtful else certainty
                break
            evidence = evidence or rows
            certainty = min(certainty, sure)
            accepted.append((piece.url, line))
            line_end = _LINE_END.match(self._text, line.end)
            if line_end is None or not line_break.is_alone:
                break
            following = skip_prefix(self._text, line_end.end(), self._prefix)
            has_place = _PLACE_INSIDE.search(word) is not None
            inside += has_place
            if has_place and (inside > 1 or not self._text.startswith("/", following)):
                break
            start, indent = line_end.end(), line.word.start - line.column
            width = _columns(self._text[line.column : line.word.end])
            url = piece.url + word.rstrip(_ADDED)
            piece = LineBreak(url, word, width, piece.width, True, indent, line.depth, piece.opening)
        url, end = self._end(accepted)
        if end < 0:
            return ENDS_HERE
        if certainty < Certainty.SAFE and self._is_after(url, end, is_whole=True):
            return Continuation(end, Certainty.SAFE, (*evidence, ("the whole URL stands after it", 5.0)))
        if is_link_open(piece._replace(url=url)):  # half of it is joined
            certainty = min(certainty, Certainty.POSSIBLE)
        return Continuation(end, certainty, evidence) if certainty else ENDS_HERE

    def _judged(self, line_break: LineBreak, line: _Line) -> tuple[Certainty | None, bool, Evidence]:
        """Return how sure it is that the URL goes on after a line end, or None if it ends there.

        Then come whether that is doubtful, and the evidence. The certainty is NONE if only the whole URL can
        prove it, which seems to stand after it.
        """
        proof = proof_of(line_break)
        if proof:
            return Certainty.SAFE, False, proof
        rest = line_break.word.rstrip(_AROUND)
        if len(rest) >= _LEAST_REST and self._is_after(f"{line_break.url}{rest}", line.word.end):
            return Certainty.NONE, False, NO_EVIDENCE
        if ruled_out(line_break):
            # Two lines of one width were cut: the word alone on the next line may be the rest.
            is_cut = line_break.is_alone and line_break.width == line_break.last_width
            return None, is_cut and line_break.word[0].isalnum(), NO_EVIDENCE
        sure, is_doubtful, rows = score(self._with_surroundings(line_break, line))
        if sure is Certainty.NONE:
            return None, is_doubtful, rows
        return min(sure, Certainty.LIKELY) if is_in_registered_domain(line_break) else sure, is_doubtful, rows

    def _is_after(self, url: str, end: int, *, is_whole: bool = False) -> bool:
        """Return whether ``url`` begins in the lines after ``end`` up to a blank one.

        If ``is_whole``, it must end there, too, or go on with a query or a fragment.
        """
        latest = end + LINES_AFTER + len(url)
        stop = paragraph_end(self._text, end, min(latest, self._buffer.size))
        if stop == self._buffer.size:
            self._buffer.need_around(latest - end, end)
        lines = self._text[end:stop]
        at = lines.find(url)
        return at >= 0 and not (is_whole and lines[at + len(url) : at + len(url) + 1] not in _AFTER_WHOLE)

    def _first_piece(self, tail: int) -> LineBreak:
        column = self._line + len(self._prefix)
        lead, piece = self._text[column : self._url.start], self._text[self._url.start : tail]
        opening = self._text[max(self._line, self._url.start - LONGEST_OPENING) : self._url.start]
        url, width = piece.rstrip(_ADDED), _columns(self._text[column:tail])
        if is_comment(opening, piece):
            url = url[:-1]
        is_first = not _LIST_MARK.sub("", lead).strip()
        return LineBreak(url, piece, width, 0, is_first, len(lead), self._depth, opening)

    def _line_break(self, piece: LineBreak, line: _Line) -> LineBreak:
        """Return ``piece`` with the fields of the next line, but not those of the lines around the two."""
        text = self._text
        return piece._replace(
            word=line.word.of(text),
            is_alone=not text[line.word.end : line.end].strip(),
            is_indented=line.word.start - line.column > piece.indent,
            is_item=text[line.start : line.column].rstrip().endswith(_BULLETS),
            is_quoted_less=line.depth < piece.depth,
        )

    def _with_surroundings(self, line_break: LineBreak, line: _Line) -> LineBreak:
        """Return ``line_break`` with the fields of the lines around it, which most do not need."""
        self._buffer.need_around(_LONGEST_END + LINES_AFTER, line.end)
        after = self._text_after(line.end)
        latest = paragraph_end(self._text, line.end, min(self._buffer.size, line.end + _LONGEST_MARKS))
        depth = self._text.count(">", line.end, latest)
        return line_break._replace(
            fill=self._fill if self._fill >= 0 else self._width_nearby(after),
            lost_mark=line.depth < line_break.depth <= depth,
            before="" if line_break.is_later else self._line_before,
            after=self._bare_line(after),
        )

    def _next_line(self, start: int, *, may_turn_page: bool) -> _Line:
        """Read the line that begins at ``start``, or after the page break there."""
        text = self._text
        if may_turn_page and text[start : start + 1] in ("\r", "\n"):
            start = self._buffer.page_break_end(start, waits=False) or start
        begin = skip_prefix(text, start, self._prefix)
        word = _WORD.match(text, begin)
        word_end = word.end() if word else begin
        end = _line_end(text, word_end)
        self._buffer.need_line_end(end)
        prefix = opening_prefix(text[start:begin])
        return _Line(start, start + len(prefix), Span(begin, word_end), end, prefix.count(">"))

    def _end(self, accepted: list[tuple[str, _Line]]) -> tuple[str, int]:
        """Return the URL and where it ends by the rules of unbroken text, -1 if it ends on its first line."""
        text, start = self._text, self._url.start
        before = text[max(self._line, start - _BEFORE) : start]
        for whole, line in islice(reversed(accepted), _MOST_TAKEN_BACK):
            plain = before + whole + text[line.word.start : line.word.end + 1]
            scheme = whole.find(":") + 1
            unbroken = Buffer(plain, self._buffer.limits, is_whole=True)
            run, _ = clean_run(unbroken, len(before) + scheme, len(before))
            end = len(trimmed(whole[:scheme] + run, plain, len(before)))
            if end > len(whole):
                return (whole + plain[len(before) + len(whole) :])[:end], line.word.start + end - len(whole)
        return "", -1

    @cached_property
    def _line_before(self) -> str:
        return self._bare_line(self._lines_before[0].rstrip("\r\n").rpartition("\n")[2])

    @cached_property
    def _lines_before(self) -> tuple[str, bool]:
        """Return the lines before that of the URL, up to a blank line, and whether the first one is whole."""
        earliest = max(0, self._url.start - LINES_BEFORE)
        start = paragraph_start(self._text, earliest, self._line)
        return self._text[start : self._line], start > earliest or not earliest

    def _bare_line(self, text: str) -> str:
        """Return the first line of ``text``, without quote prefix and blanks around it."""
        line = text.partition("\n")[0]
        return line[skip_prefix(line, 0, self._prefix) :].strip()

    def _text_after(self, end: int) -> str:
        line_end = _LINE_END.match(self._text, end)
        if line_end is None:
            return ""
        latest = min(len(self._text), line_end.end() + LINES_AFTER)
        return self._text[line_end.end() : paragraph_end(self._text, end, latest)]

    def _width_nearby(self, after: str) -> int:
        """Return the width of the longest line of prose nearby of the URL's own quote depth, or 0."""
        before, is_whole = self._lines_before
        if not is_whole:
            before = before.partition("\n")[2]
        whole_lines, _, _ = after.rpartition("\n")
        lines = f"{before}\n{whole_lines}".replace("\r", "\n").split("\n")
        widths = [self._prose_width(line) for line in lines if len(line) >= _PROSE_COLUMNS.start]
        self._fill = max(widths) if sum(width > 0 for width in widths) > 1 else 0
        return self._fill

    def _prose_width(self, line: str) -> int:
        """Return the width of ``line`` if it is prose of the URL's own quote depth, else 0."""
        start = skip_prefix(line, 0, self._prefix) if self._prefix else 0
        if "://" in line or line.startswith(_FREE_MARKS, start) or line.count(">", 0, start) != self._depth:
            return 0
        width = _columns(line[len(opening_prefix(line[:start])) if start else 0 :])
        return width if width in _PROSE_COLUMNS and " " in line[start:].strip() else 0


def _columns(text: str) -> int:
    return len(text.expandtabs())


def _line_end(text: str, at: int) -> int:
    """Return the end of the line that holds ``at``, at most `_LONGEST_WORD` characters after it."""
    latest = at + _LONGEST_WORD
    ends = (text.find("\n", at, latest), text.find("\r", at, latest))
    return min([end for end in ends if end >= 0], default=min(len(text), latest))
