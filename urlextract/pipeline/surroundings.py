r"""The text around a place, as `Found.context` has it: its line or, if nothing else is there, its paragraph.

In mail 41 of 100 URLs have a line of their own, with quote marks, the mark of a list and brackets at most:
what they are about is said above or below it.

All that is read is at most some hundred characters away: as much as a stream still holds before a place.
"""

from __future__ import annotations

import re

from urlextract.grammar.chars import LINE_END
from urlextract.grammar.marks import CLOSER, OPENER, SENTENCE_MARKS
from urlextract.grammar.patterns import lazy_re
from urlextract.linebreaks.prefixes import opening_prefix

_BEFORE, _AFTER = 60, 120  # characters of the context before and after a place in its line
_ABOVE, _BELOW = 120, 120  # characters of a paragraph above and below such a line

LONGEST_CONTEXT = 500
"""Characters of a context that an index and Parquet keep: the URL itself may be long."""

# What may stand around a URL that has a line of its own, after the quote prefix.
_MARKS_BEFORE = lazy_re(
    r"[ \t]*(?:(?:[-+*\u2022\u00b7\u2013\u2014]|\(?[0-9]{1,3}[.):]|\[[^\s\[\]]{1,20}\]:?)[ \t]*)?"
    rf"(?:{OPENER}|[(\[{{'\u201c\u201e\u00ab*_])*"
)
_END_MARKS = lazy_re(rf"(?:{CLOSER}|[{re.escape(SENTENCE_MARKS)})\]}}\u201c\u201d\u00bb*_\\ \t])*")
_WORD_END = lazy_re(rf"[ \t]++(?=[^\r\n])|{LINE_END}")
_LINE_END = lazy_re(LINE_END)
_LINE = lazy_re(rf"(?!\Z)([^\r\n]*+)(?:{LINE_END}|\Z)")
_NEXT_LINE = lazy_re(rf"(?:{LINE_END})([^\r\n]*+)")
_LETTER_OR_DIGIT = lazy_re(r"[^\W_]")
_WORD = lazy_re(r"(?<!\S)(?!\S*(?://|www\.))\S*?[^\W\d_]{2}")  # that is no URL


def context_of(text: str, start: int, end: int) -> str:
    r"""Return the text around ``text[start:end]``: its line, or its paragraph if it has the line for itself.

    If that paragraph has nothing but URLs, the one before it belongs to the context.

    >>> context_of("a\nb http://a.example/\n", 4, 21)
    'b http://a.example/'
    >>> context_of("Tables of the harbour:\n\n  <http://a.example/>\n\nBye", 26, 45)
    'Tables of the harbour:\n\n  <http://a.example/>'
    """
    begin, finish = _line_at(text, start, end)
    if not _is_alone(text, begin, start, end, finish):
        return text[begin:finish]
    first, blank = _first_above(text, begin)
    last = _end_below(text, finish)
    if _WORD.search(text, first, begin) or _WORD.search(text, finish, last):
        return text[first:last]
    if blank is not None:  # "see", a blank line, and the URL
        first, _ = _first_above(text, blank)
        begin = first if _WORD.search(text, first, blank) else begin
    return text[begin:finish]


def lines_around(text: str, start: int, end: int) -> str:
    r"""Return the line of ``text[start:end]``, or its lines, as far as a context goes: of a place in markup.

    >>> lines_around("a\nb c d\n", 4, 5)
    'b c d'
    """
    begin, finish = _line_at(text, start, end)
    return text[begin:finish]


def place_in_context(context: str, column: int, raw: str, inside: int) -> int:
    r"""Return where in its context a place begins that begins in this column, and has ``raw`` ``inside`` it.

    Of several lines that have this there, it is the one that has nothing else: so the context is a paragraph.

    >>> place_in_context("Tables of the harbour:\n\n  <http://a.example/>", 3, "http://a.example/", 1)
    26
    >>> place_in_context("Also http://a.example/x\n    <http://a.example/>", 5, "http://a.example/", 1)
    28
    """
    at = min(column - 1, _BEFORE)  # in its line, which may begin before the context
    starts = (0, *(match.end() for match in _LINE_END.finditer(context)))
    found = [start + at for start in starts if context.startswith(raw, start + at + inside)]
    spans = ((start, start + inside + len(raw)) for start in found)
    lines = ((start, end, *_line_at(context, start, end)) for start, end in spans)
    alone = (start for start, end, begin, stop in lines if _is_alone(context, begin, start, end, stop))
    return next(alone, found[0] if found else at)


def seen_around(visible: str, start: int, end: int) -> str:
    r"""Return the words around ``visible[start:end]``, which is text of a page, on one line.

    >>> seen_around("see the\n tables\n", 4, 7)
    'see the tables'
    """
    return " ".join(visible[max(0, start - _BEFORE) : end + _AFTER].split())


def _line_at(text: str, start: int, end: int) -> tuple[int, int]:
    """Return where the line of a place begins and ends, or the part of it that belongs to a context."""
    low, high = max(0, start - _BEFORE), min(len(text), end + _AFTER)
    ends = (text.find(mark, end, high) for mark in "\r\n")
    begin = max(low, text.rfind("\n", low, start) + 1, text.rfind("\r", low, start) + 1)
    return begin, min((at for at in ends if at >= 0), default=high)


def _is_alone(text: str, begin: int, start: int, end: int, finish: int) -> bool:
    """Return whether nothing but marks stands beside a place in its line, which is ``begin:finish``."""
    if (begin and text[begin - 1] not in "\r\n") or (finish < len(text) and text[finish] not in "\r\n"):
        return False
    before = text[begin:start]
    marks = before[len(opening_prefix(before)) :]
    return bool(_MARKS_BEFORE.fullmatch(marks) and _END_MARKS.fullmatch(text, end, finish))


def _is_blank(line: str) -> bool:
    """Return whether there is nothing in a line but marks: of a quotation, also with initials, or a rule."""
    if not _LETTER_OR_DIGIT.search(line):
        return True
    line = line.rstrip()
    return line.endswith(">") and opening_prefix(line) == line


def _first_above(text: str, at: int) -> tuple[int, int | None]:
    """Return where the paragraph before the line at ``at`` begins, and the blank line before it, if any.

    It begins with a whole word.
    """
    low = max(0, at - _ABOVE)
    if low and text[low - 1] not in "\r\n":
        cut = _WORD_END.search(text, low - 1, at)
        low = cut.end() if cut else at
    for line in reversed([*_LINE.finditer(text, low, at)]):
        if _is_blank(line[1]):
            return at, line.start()
        at = line.start()
    return at, None


def _end_below(text: str, at: int) -> int:
    """Return where the paragraph after the line end ``at`` ends, with a whole word."""
    high = at + _BELOW
    if high < len(text) and not text[high].isspace():
        high = max(at, *(text.rfind(blank, at, high) for blank in " \t\r\n"))
    for line in _NEXT_LINE.finditer(text, at, high):
        if _is_blank(line[1]):
            break
        at = line.end()
    return at
