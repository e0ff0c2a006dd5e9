"""Brackets and quotes around URLs: what opens one before a scheme, and where it closes.

RFC 1738, appendix; RFC 3986, appendix C; uri(7). A wrapper closes at the first ">" that is not
part of a quote prefix. It is given up at anything that a broken URL cannot contain: a "<" in
prose often means "less than", and must not swallow the URLs after it.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from urlextract.grammar.chars import BLANKS, LINE_END, WHITESPACE, squeeze
from urlextract.grammar.marks import FREE_MARKS, LINE_MARK_ENDS, OPENER_ENDS, WRAPPER_OPENER, WRAPPERS
from urlextract.grammar.patterns import lazy_re
from urlextract.grammar.registry import SCHEME_NAME, SCHEMES, is_registered
from urlextract.grammar.rules import Rule
from urlextract.linebreaks.joining import BEFORE_TAIL, holds_another, without_prefixes
from urlextract.linebreaks.prefixes import is_indented, skip_prefix
from urlextract.records import Form, Match, Span
from urlextract.scanner.bare import CUT_OFF, is_cut_off, rest_rejection, without_unopened
from urlextract.scanner.buffer import Buffer, MoreNeeded, line_prefix, match_at, with_url
from urlextract.scanner.quoted_printable import with_quoted_printable
from urlextract.scanner.references import with_references
from urlextract.scanner.url_checks import (
    NAME,
    blank_rejection,
    inside_rejection,
    is_name_in_markup,
    up_to_blank,
    words_rejection,
)

# --- what opens a bracket ------------------------------------------------------------------------

LONGEST_OPENING = 256
"""The most characters between an opening bracket and the colon or dot of the URL in it."""

OPENER_REACH = 120
"""Characters between "<" and what it opens: blanks, a line end, a prefix."""

_QUOTE_REACH = 42  # characters from a quote to the colon of what it opens
_MARK = rf"(?P<mark>[^{BLANKS}\r\nA-Za-z0-9][^\r\nA-Za-z0-9]{{0,40}})"
_OPENED = lazy_re(rf"[{BLANKS}]*+(?:(?P<end>{LINE_END})[{BLANKS}]*+{_MARK}?)?\Z")
# A bracket and the first part of a scheme at the end of a line
_SCHEME_HEAD = lazy_re(rf"<([A-Za-z][A-Za-z0-9+.-]{{0,30}}+)({LINE_END})[^\r\n<]{{0,80}}\Z")

Opener = tuple[int, str, str]
"""The offset of an opening bracket, the quote prefix of its line, and the closer of the bracket."""

AFTER_OPENER = frozenset(FREE_MARKS + LINE_MARK_ENDS + OPENER_ENDS + " \t\r\n\v\f")
"""ASCII characters that may come between an opening bracket and its URL, and the ends of brackets."""

_OTHER_WRAPPERS = [(opening, closer) for opening, closer in WRAPPERS.items() if opening != "<"]


_WRAPPER_OPENER = lazy_re(WRAPPER_OPENER)


def may_be_opened(buffer: Buffer, colon: int) -> bool:
    """Return whether a bracket or a quote that may open a wrapper comes shortly before ``colon``."""
    before = buffer.text[max(buffer.last, colon - LONGEST_OPENING) : colon]
    return _WRAPPER_OPENER.search(before) is not None or '"' in before[-_QUOTE_REACH:]


def find_opener(buffer: Buffer, at: int) -> Opener | None:
    """Return the opening bracket before ``at`` and after the last URL taken, or None.

    Only blanks, a line end and the quote prefix may come between the bracket and ``at``.
    """
    text, earliest = buffer.text, max(buffer.last, at - OPENER_REACH)
    start = text.rfind("<", earliest, at)
    if start >= 0:
        match = _OPENED.match(text, start + 1, at)
        if match:
            prefix = line_prefix(text, start)
            if match.end("end") < 0 or skip_prefix(text, match.end("end"), prefix) == at:
                return start, prefix, WRAPPERS["<"]
    before = text[earliest:at].rstrip(" ")
    for opening, closer in _OTHER_WRAPPERS:
        if before.endswith(opening):
            start = earliest + len(before) - len(opening)
            return start, line_prefix(text, start), closer
    return None


def read_head_of_scheme(buffer: Buffer, start: int, colon: int) -> Match | None:
    """Read a wrapper whose scheme is broken over two lines; ``start:colon`` is the second part."""
    text, earliest = buffer.text, max(buffer.last, start - _LONGEST_HEAD)
    match = _SCHEME_HEAD.search(text, earliest, start) if text.rfind("<", earliest, start) >= 0 else None
    if match is None or is_registered(text[start:colon]) or not is_registered(match[1] + text[start:colon]):
        return None
    prefix = line_prefix(text, match.start())
    if skip_prefix(text, match.end(2), prefix) != start:
        return None
    return read_wrapper(buffer, (match.start(), prefix, WRAPPERS["<"]), match.start(1), Form.ANGLE)


_LONGEST_HEAD = 100  # characters: a scheme, a line end, a quote prefix and an indent

# --- where a bracket ends ------------------------------------------------------------------------

# Runs of characters that neither close a wrapper nor give it up. Tab, VT and FF are blanks.
_CONTROLS = r"\x00-\x08\x0e-\x1f\x7f"
_SEGMENT = lazy_re(rf'[^<>"\r\n{_CONTROLS}]*+')
_ESCAPED = rf'[^<>"&\r\n{_CONTROLS}]*+'
_SEGMENTS = {
    closer: lazy_re(rf'[^<>"{re.escape(opener[0] + closer[0])}\r\n{_CONTROLS}]*+')
    for opener, closer in _OTHER_WRAPPERS
}
_SEGMENTS |= {">": _SEGMENT, "&gt;": lazy_re(rf"{_ESCAPED}(?>(?:&(?!lt;|gt;|quot;){_ESCAPED})*)")}
_SENTENCE = lazy_re(rf"[.,;!?)\]][{BLANKS}]++(?=[^\s])")
_OPEN_ENTITY = lazy_re(r"&[a-z]{0,4}\Z")  # may begin an escaped closer
_BLANK_RUN = lazy_re(rf"[{BLANKS}]++(?=([^{WHITESPACE}]?))")
_LINE_END = lazy_re(LINE_END)
_OWN_SCHEME = lazy_re(rf"{SCHEME_NAME}:(?=//|[^\s/])")
_WORD_END = lazy_re(r'[\s"<>]')
_BLANK_END = lazy_re(rf"[{BLANKS}]*+(?:{LINE_END}[{BLANKS}{re.escape(FREE_MARKS)}]*+)?>")

_Check = Callable[[Buffer, int, int], None]


class _GivenUpError(Exception):
    """Raised when a bracket is given up, at the offset ``at``."""

    def __init__(self, at: int, rule: Rule, detail: str | int = "") -> None:
        self.at, self.rule, self.detail = at, rule, detail


_SPACED_LINES = 9  # of a URL with blanks inside its lines: the longest of 84,000 real ones had as many


class _Inside:
    """The inside of a bracket, read line by line.

    On one line it may be as long as any bare URL. Over lines it has the limits of the scanner, unless a text
    formatter has printed it: then no line has blanks inside, and all but the first are indented.
    """

    def __init__(self, buffer: Buffer, start: int, prefix: str) -> None:
        self.buffer, self.start, self.prefix = buffer, start, prefix
        self.at = start  # where the text of the line begins
        self._lines = 1
        self._has_blank = False  # inside one of the lines before
        self._is_indented = True  # each line after the first

    def read(
        self,
        segment: re.Pattern[str],
        check: _Check,
        check_next: Callable[[_Inside, int], None] | None = None,
    ) -> int:
        """Read line by line; return the offset of the first other character that ends a segment.

        ``check`` is called for each line that was read, ``check_next`` for each line that begins.
        """
        buffer, text, limits = self.buffer, self.buffer.text, self.buffer.limits
        begin = self.start
        while True:
            is_short = self._lines == 1 or self.is_printed(self.at)
            most = limits.max_run if is_short else limits.max_chars
            match = segment.match(text, self.at, begin + most + 1)
            end = match.end() if match else self.at
            check(buffer, self.at, end)
            if end - begin > most:
                raise _GivenUpError(end, Rule.LONG, most)
            if self._lines > _SPACED_LINES and (self._has_blank or _inner_blank(text, self.at, end)):
                raise _GivenUpError(end, Rule.MANY_LINES, _SPACED_LINES)
            if end == buffer.size:
                buffer.need(1, end)
                raise _GivenUpError(end, Rule.NEVER_CLOSED)
            if text[end] not in "\r\n":
                return end
            begin += self._next_line(end)
            if check_next:
                check_next(self, end)

    def _next_line(self, end: int) -> int:
        """Go on to the line after ``end``; return how many characters of a page break are before it."""
        buffer, text, limits = self.buffer, self.buffer.text, self.buffer.limits
        if not limits.joins:
            raise _GivenUpError(end, Rule.BROKEN_OVER_LINES)
        match = None if text[end] == "\n" else _LINE_END.match(text, end)
        start = match.end() if match else end + 1
        at = after_page = buffer.page_break_end(start) or start
        if self.prefix or not "!" <= text[at : at + 1] <= "~":
            at = skip_prefix(text, after_page, self.prefix)
        if at >= buffer.size:
            buffer.need(1, buffer.size)
            raise _GivenUpError(end, Rule.NEVER_CLOSED)
        if text[at] in "\r\n":
            raise _GivenUpError(end, Rule.BLANK_LINE)
        self._has_blank = self._has_blank or _inner_blank(text, self.at, end) is not None
        self._is_indented = self._is_indented and is_indented(text, after_page, at, self.prefix)
        self._lines, self.at = self._lines + 1, at
        if self._lines > limits.max_lines and not self.is_printed(at):
            raise _GivenUpError(end, Rule.MANY_LINES, limits.max_lines)
        return after_page - start

    def is_printed(self, end: int) -> bool:
        """Return whether there are several lines up to ``end``, and all look printed by a formatter."""
        is_begun = self._lines > 1 and self._is_indented and not self._has_blank
        return is_begun and not _inner_blank(self.buffer.text, self.at, end)

    def forget(self) -> None:
        """Treat the lines as not printed by a formatter, because another bracket is open around them."""
        self._is_indented = False


def _wrapper_end(inside: _Inside, closer: str, *, nests: bool = True) -> tuple[_Inside, int, int]:
    """Return the inside of a wrapper, where the inside ends, and where the wrapper ends.

    If ``nests`` is true, it may contain a wrapper around the same URL, whose inside is returned.
    """
    buffer, text = inside.buffer, inside.buffer.text
    end = inside.read(_SEGMENTS[closer], _check_sentence)
    if text.startswith(closer, end):
        return inside, end, end + len(closer)
    if text[end] == "<" and nests:
        return _nested(inside, end, closer)
    if len(closer) > 1:
        buffer.need(6, end)
    if text[end] in "<&":
        raise _GivenUpError(end, Rule.ANOTHER_BRACKET)
    raise _GivenUpError(end, Rule.NO_CHARACTER, ascii(text[end])[1:-1])


def closed_at(buffer: Buffer, start: int, prefix: str, closer: str) -> tuple[int, int] | None:
    """Return where the inside that begins at ``start`` ends, and where its wrapper ends.

    Return None if the wrapper is given up, or contains another one.
    """
    try:
        inside, last, end = _wrapper_end(_Inside(buffer, start, prefix), closer)
    except _GivenUpError:
        return None
    return (last, end) if inside.start == start else None


def _check_sentence(buffer: Buffer, start: int, end: int) -> None:
    """Raise `_GivenUpError` if text follows punctuation and a blank in the line ``start:end``.

    The beginning of an escaped closer is no such text.
    """
    sentence = _SENTENCE.search(buffer.text, start, end)
    if sentence and not _OPEN_ENTITY.match(buffer.text, sentence.end()):
        raise _GivenUpError(start, Rule.SENTENCE)


def _nested(inside: _Inside, at: int, closer: str) -> tuple[_Inside, int, int]:
    """Read ``<mailto:a@b <mailto:a@b>>`` as one wrapper: two brackets around the same URL."""
    buffer, text = inside.buffer, inside.buffer.text
    outer = squeeze(text[inside.start : at].rstrip(FREE_MARKS + " \t\r\n"))
    known = min(len(outer), buffer.size - at - 1)
    if text[at + 1 : at + 1 + known] != outer[:known]:
        raise _GivenUpError(at, Rule.ANOTHER_BRACKET)
    try:
        inner, last, end = _wrapper_end(_Inside(buffer, at + 1, inside.prefix), closer, nests=False)
    except _GivenUpError:
        raise _GivenUpError(at, Rule.ANOTHER_BRACKET) from None
    if squeeze(text[inner.start : last]) != outer:
        raise _GivenUpError(at, Rule.ANOTHER_BRACKET)
    match = _BLANK_END.match(text, end)
    if match is None:
        buffer.need(81, end)
        raise _GivenUpError(at, Rule.ANOTHER_BRACKET)
    inner.forget()
    return inner, last, match.end()


def _quotation_end(inside: _Inside) -> int:
    """Return the offset of the closing quote of a quotation.

    Prose is quoted too. A quotation with a blank inside a line, or with a scheme at the
    start of a next line, is given up.
    """
    end = inside.read(_SEGMENT, _check_quoted, _check_own_scheme)
    if inside.buffer.text[end] == '"':
        return end
    raise _GivenUpError(end, Rule.NOT_QUOTED)


def _inner_blank(text: str, start: int, end: int) -> re.Match[str] | None:
    """Return the first blanks of a line ``start:end`` that are inside it."""
    return next((run for run in _BLANK_RUN.finditer(text, start, end) if run[1]), None)


def _check_quoted(buffer: Buffer, start: int, end: int) -> None:
    """Raise `_GivenUpError` at a blank or a backslash in the line ``start:end`` of a quotation."""
    blank = _inner_blank(buffer.text, start, end)
    stop = blank.start() if blank else end  # a backslash after the blank does not count
    if not blank and buffer.text[end : end + 1] in ("", "\r", "\n"):  # a backslash may continue the line
        line = BEFORE_TAIL.match(buffer.text, start, end)
        stop = line.end() if line else end
    backslash = buffer.text.find("\\", start, stop)
    if backslash >= 0:
        raise _GivenUpError(backslash, Rule.BACKSLASH)
    if blank:
        raise _GivenUpError(stop, Rule.BLANK_QUOTED)


def _check_own_scheme(inside: _Inside, end: int) -> None:
    """Raise `_GivenUpError` if the next line has a scheme of its own; ``end`` ends the line before."""
    buffer, text, at = inside.buffer, inside.buffer.text, inside.at
    if buffer.size - at < 60 and not buffer.is_whole and not _WORD_END.search(text, at):
        raise MoreNeeded
    if _OWN_SCHEME.match(text, at) and not holds_another(text[inside.start : end].rstrip()):
        raise _GivenUpError(end, Rule.OWN_SCHEME)


# --- wrappers and quotations ---------------------------------------------------------------------

_GAP_AFTER = lazy_re(rf"[{BLANKS}]*+(?>({LINE_END})?)")
_BLANK_AFTER = lazy_re(rf"[{BLANKS}]")
_LONGEST_GAP = 200  # characters after the colon of a scheme that `_next_two` may read
_ABBREVIATED = lazy_re(r"(?i:www|ftp)\.")


def read_wrapper(buffer: Buffer, opener: Opener, start: int, form: Form) -> Match | None:
    """Read the wrapper that opens at ``opener`` and whose inside begins at ``start``."""
    place, prefix, closer = opener
    colon = buffer.text.find(":", start)
    if form is Form.ANGLE and not buffer.text.startswith("//", colon + 1):
        rejection = _angle_rejection(buffer, start, prefix)
        if rejection:
            buffer.reject(form, place, colon + 1, rejection)
            return None
    try:
        inside, last, end = _wrapper_end(_Inside(buffer, start, prefix), closer)
    except _GivenUpError as given_up:
        buffer.reject(form, place, given_up.at, given_up.rule, given_up.detail)
        return None
    return _closed(inside, Span(place, end), last, form, escaped=closer[0] == "&")


def _angle_rejection(buffer: Buffer, start: int, prefix: str) -> Rule | None:
    """Return why the name at ``start`` cannot begin a URL in a bracket, None if it may.

    The scheme is checked before the closer is searched for: a "<" before prose must not swallow it.
    """
    text = buffer.text
    match = NAME.match(text, start)
    if match is None:
        return None
    end = match.end()
    after = text[end : end + 2]
    if len(squeeze(after)) < 2:
        buffer.need(_LONGEST_GAP, end)
        after = _next_two(text, end, prefix)
    rejection = rest_rejection(after)
    if rejection:
        return rejection
    name = match[1].lower()
    is_other = buffer.limits.any_name and name not in SCHEMES
    if after == "//" or (is_other and (is_registered(name) or name in buffer.limits.schemes)):
        return None
    row = SCHEMES.get(name)
    if row is None or row.shape is None:
        return Rule.NOT_IN_BRACKETS
    if row.label and (_BLANK_AFTER.match(text, end) or not (row.any_case or match[1].islower())):
        return Rule.LABEL
    return None


def _next_two(text: str, at: int, prefix: str) -> str:
    """Return the next two characters, skipping blanks, line ends and the quote prefix before each."""
    found = ""
    for _ in range(2):
        gap = _GAP_AFTER.match(text, at)
        at = gap.end() if gap else at
        at = skip_prefix(text, at, prefix) if gap and gap[1] else at
        found += text[at : at + 1]
        at += 1
    return found


def _closed(inside: _Inside, span: Span, last: int, form: Form, *, escaped: bool) -> Match | None:
    """Return the match of a closed wrapper, or None if its inside is no URL."""
    buffer, text, start = inside.buffer, inside.buffer.text, inside.start
    place, end = span
    raw = text[start:last]
    gap = len(raw) - len(raw.lstrip())
    line = max(raw.rfind("\n", 0, gap), raw.rfind("\r", 0, gap)) + 1
    begins = skip_prefix(text, start + line, inside.prefix) if line else start + gap
    raw, start = text[begins:last], begins
    if raw.startswith("//") and NAME.match(raw, 2):  # some programs print "<URL://http://..."
        raw, start = raw[2:], start + 2
    inner = Span(start, start + len(raw.rstrip()))
    written = Form.ABBREVIATED if _ABBREVIATED.match(raw) else form
    match = match_at(buffer.text, span, written, inner, Rule.WRAPPER, inside.prefix)
    match = with_quoted_printable(buffer, match._replace(escapes="entities" if escaped else ""))
    text = without_prefixes(match.raw, match.prefix)
    match = with_url(match)
    rejection = blank_rejection(text)
    if form is not Form.URL_WRAPPER:  # its label shows that all of it is the URL
        prose = None if rejection else words_rejection(text, is_printed=inside.is_printed(last))
        if prose:
            is_url = inside_rejection(match.url, match.form) is None
            buffer.reject(form, place, end, prose, joined=match.url if is_url else None)
            return None
        match = match._replace(also=up_to_blank(text, match))
    any_scheme = buffer.limits.any_scheme
    rejection = rejection or inside_rejection(match.url, match.form, any_scheme=any_scheme)
    if rejection:
        buffer.reject(form, place, end, rejection)
        return None
    return _with_cut(buffer, match)


def _with_cut(buffer: Buffer, match: Match) -> Match:
    """Return ``match`` with the defect of a URL whose end was left out, if an ellipsis ends it."""
    start = match.inner.start
    end = start + len(match.raw.removesuffix("\u2026").removesuffix("..."))
    if not is_cut_off(buffer.text, start, end):
        return match
    return match._replace(defects=(*match.defects, CUT_OFF))


def read_quotation(buffer: Buffer, start: int) -> Match | None:
    """Read the quotation whose inside begins at ``start``."""
    text = buffer.text
    place, prefix = start - 1, line_prefix(text, start - 1)
    rejection = _angle_rejection(buffer, start, prefix)
    if rejection:
        buffer.reject(Form.QUOTED, place, text.find(":", start) + 1, rejection)
        return None
    inside = _Inside(buffer, start, prefix)
    try:
        last = _quotation_end(inside)
    except _GivenUpError as given_up:
        buffer.reject(Form.QUOTED, place, given_up.at, given_up.rule, given_up.detail)
        return None
    # Printers put the sentence's own full stop or comma before the closing quote: uri(7).
    raw = text[start:last]
    if raw[-1:] in (".", ","):
        raw = without_unopened(raw.rstrip(".,"))
    inner = Span(start, start + len(raw))
    match = match_at(text, Span(place, last + 1), Form.QUOTED, inner, Rule.QUOTATION, prefix)
    match = with_url(with_references(buffer, with_quoted_printable(buffer, match)))
    rejection = inside_rejection(match.url, Form.QUOTED, any_scheme=buffer.limits.any_scheme)
    if not rejection and is_name_in_markup(text, start, raw):
        rejection = Rule.NAME_IN_MARKUP
    if rejection:
        buffer.reject(Form.QUOTED, place, last + 1, rejection)
        return None
    return _with_cut(buffer, match)
