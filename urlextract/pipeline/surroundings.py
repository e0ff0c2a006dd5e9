r"""The text around a place, as `Found.context` has it: its line or, if nothing else is there, its paragraph.

In mail 41 of 100 URLs have a line of their own, with quote marks, the mark of a list and brackets at most:
what they are about is said above or below it.

All that is read is at most some hundred characters away: as much as a stream still holds before a place.
"""

from __future__ import annotations

from typing import NamedTuple

from urlextract.grammar.chars import LINE_END
from urlextract.grammar.patterns import lazy_re
from urlextract.linebreaks.prefixes import opening_prefix

_BEFORE, _AFTER = 60, 120  # characters of the context before and after a place in its line
_ABOVE, _BELOW = 120, 120  # characters of a paragraph above and below such a line

LONGEST_CONTEXT = 500
"""Characters of a context that an index and Parquet keep: the URL itself may be long."""

# What may stand around a URL that has a line of its own, after the quote prefix.
_MARKS = lazy_re(
    r"[ \t]*(?:(?:[-+*\u2022\u00b7\u2013\u2014]|\(?[0-9]{1,3}[.):]|\[[^\s\[\]]{1,20}\]:?)[ \t]*)?"
    r"[<(\[{\"'\u201c\u201e\u00ab*_]*"
)
_END_MARKS = lazy_re(r"[>)\]}\"'\u201c\u201d\u00bb*_.,;:!?\\ \t]*")
_BLANKS = lazy_re(r"[ \t]+")
_LINE_END = lazy_re(LINE_END)
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
    line = _line_at(text, start, end)
    begin, finish = _paragraph_at(text, line) if _is_alone(text, line, start, end) else line
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
    alone = (start for start, end in spans if _is_alone(context, _line_at(context, start, end), start, end))
    return next(alone, found[0] if found else at)


def seen_around(visible: str, start: int, end: int) -> str:
    r"""Return the words around ``visible[start:end]``, which is text of a page, on one line.

    >>> seen_around("see the\n tables\n", 4, 7)
    'see the tables'
    """
    return " ".join(visible[max(0, start - _BEFORE) : end + _AFTER].split())


class _Lines(NamedTuple):
    """Where a line begins and ends in a text, or several lines that follow each other do."""

    begin: int
    end: int


def _line_at(text: str, start: int, end: int) -> _Lines:
    low, high = max(0, start - _BEFORE), end + _AFTER
    return _Lines(_line_start(text, low, start), _line_end(text, end, high))


def _line_start(text: str, low: int, at: int) -> int:
    """Return the start of the line that holds ``at``, or ``low`` if it begins before that."""
    return max(low, text.rfind("\n", low, at) + 1, text.rfind("\r", low, at) + 1)


def _line_end(text: str, at: int, high: int) -> int:
    """Return the end of the line that holds ``at``, or ``high`` if it ends after that."""
    ends = [end for end in (text.find("\n", at, high), text.find("\r", at, high)) if end >= 0]
    return min(ends, default=min(high, len(text)))


def _begins_line(text: str, at: int) -> bool:
    return at == 0 or text[at - 1] in "\r\n"


def _ends_line(text: str, at: int) -> bool:
    return at >= len(text) or text[at] in "\r\n"


def _is_alone(text: str, line: _Lines, start: int, end: int) -> bool:
    """Return whether nothing but marks stands beside a place in its line."""
    if not (_begins_line(text, line.begin) and _ends_line(text, line.end)):
        return False
    before = text[line.begin : start]
    marks = before[len(opening_prefix(before)) :]
    return bool(_MARKS.fullmatch(marks) and _END_MARKS.fullmatch(text, end, line.end))


def _paragraph_at(text: str, line: _Lines) -> _Lines:
    """Return what says something about a URL that is alone in ``line``; the line itself if nothing does."""
    low, high = max(0, line.begin - _ABOVE), line.end + _BELOW
    furthest = max(0, low - 2 * _ABOVE)  # a blank line, and the paragraph before it
    whole = _end_of_whole_words(text, line.end, high)  # what is cut of a URL would look like a word
    if not (_WORD.search(text, furthest, line.begin) or _WORD.search(text, line.end, whole)):
        return line  # quickly, for long lists of URLs
    begin, end = _start_above(text, line.begin, low), _end_below(text, line.end, high)
    if _WORD.search(text, begin, line.begin) or _WORD.search(text, line.end, end):
        return _Lines(begin, end)
    # "see", a blank line, and the URL
    blank = _line_above(text, begin, max(0, begin - _ABOVE))
    if blank and _begins_line(text, blank.begin) and _is_blank(text[blank.begin : blank.end]):
        above = _start_above(text, blank.begin, max(0, blank.begin - _ABOVE))
        if _WORD.search(text, above, blank.begin):
            return _Lines(above, line.end)
    return line


def _end_of_whole_words(text: str, at: int, high: int) -> int:
    """Return ``high``, or the blank before the word that it cuts, ``at`` if there is none."""
    if high >= len(text) or text[high].isspace():
        return high
    return max(at, *(text.rfind(blank, at, high) for blank in " \t\r\n"))


def _is_blank(line: str) -> bool:
    """Return whether there is nothing in a line but marks: of a quotation, also with initials, or a rule."""
    if not _LETTER_OR_DIGIT.search(line):
        return True
    line = line.rstrip()
    return line.endswith(">") and opening_prefix(line) == line


def _line_above(text: str, at: int, low: int) -> _Lines | None:
    """Return the line, or its end from ``low`` on, before the one that begins at ``at``; None at the top."""
    if at <= low or not _begins_line(text, at):
        return None
    end = at - 1
    if text[end] == "\n":
        while end > low and text[end - 1] == "\r":  # CRLF, or CR CR LF: see `LINE_END`
            end -= 1
    return _Lines(_line_start(text, low, end), end)


def _start_above(text: str, at: int, low: int) -> int:
    """Return where the paragraph before the line at ``at`` begins, or its first whole word after ``low``."""
    while line := _line_above(text, at, low):
        if _is_blank(text[line.begin : line.end]):
            break
        if not _begins_line(text, line.begin):
            return _after_blank(text, line, at)
        at = line.begin
    return at


def _after_blank(text: str, line: _Lines, at: int) -> int:
    """Return where the first whole word of a line begins that is cut at its start; ``at`` without one."""
    cut = _BLANKS.search(text, line.begin - 1, line.end)
    return cut.end() if cut and cut.end() < line.end else at


def _end_below(text: str, at: int, high: int) -> int:
    """Return where the paragraph after the line end ``at`` ends, or its last whole word before ``high``."""
    end = at
    while end < high and (line_end := _LINE_END.match(text, end)):
        begin, stop = line_end.end(), _line_end(text, line_end.end(), high)
        if _is_blank(text[begin:stop]):
            break
        if not _ends_line(text, stop):
            cut = max(text.rfind(blank, begin, stop + 1) for blank in " \t")
            return cut if text[begin : max(begin, cut)].strip() else end
        end = stop
    return end
