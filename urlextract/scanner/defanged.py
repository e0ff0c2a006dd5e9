r"""Defanged URLs: read in a copy of the text that has the URLs that they stand for.

The copy is scanned by the same rules as any text, and what is found is located in the original
text. So a defanged URL may be in brackets, quoted, broken over lines or glued to words, as any
other. What is replaced depends only on its run of characters without blanks, and on `_MOST_HOST` and
`_MOST_REST` characters of it at most.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from itertools import accumulate
from operator import itemgetter

from urlextract.grammar.chars import BLANK_LINE
from urlextract.grammar.defanged import (
    AT,
    DOT,
    HINT,
    NAME,
    SEPARATOR,
    Edit,
    edited,
    edits_of,
    real_name,
)
from urlextract.grammar.marks import END_MARKS, SENTENCE_MARKS
from urlextract.grammar.patterns import lazy_re
from urlextract.grammar.registry import is_registered
from urlextract.grammar.tlds import OLDEST, tld_of
from urlextract.linebreaks.joining import SCHEME_OF_HOST
from urlextract.records import REFANGED, Form, Match, Repair, RepairCode, Span
from urlextract.scanner import rules
from urlextract.scanner.buffer import SHOWN, Pass, ScanLimits, ScanText, readable, with_url
from urlextract.scanner.lookalikes import THIS, Name, lookalike_rejection
from urlextract.scanner.relaxed import IPV4, LOCAL_DOMAINS

# --- which places of a text are defanged ---------------------------------------------------------

_MOST_HOST = 600  # characters of a scheme and a host, marks included
_MOST_REST = 1_500  # characters after the start of a place in which marks are replaced

_LABEL = r"[^\W_](?:[\w-]{0,61}\w)?(?![\w-])"
_HOST = rf"{_LABEL}(?:(?:\.|{DOT}){_LABEL}){{1,40}}"
_LOCAL = r"\w[\w.+-]{0,63}"
_AT = rf"{_LOCAL}(?:@|{AT})"
# Before a host without a scheme: no part of a name, of a path or of a pattern. A host may be a value,
# as in "host=a[.]example", or emphasised.
_BEFORE = r"(?:(?<![\w.@/\\^$%#&+?!)\]}|~=:*-])|(?<=[\w\"'][=:])|(?<=[\s*(\"'>]\*)|(?<=\A\*))"
_PLACE = lazy_re(
    rf"(?<![A-Za-z0-9*])(?P<scheme>{NAME}|[A-Za-z][A-Za-z0-9+-]{{0,39}}+)(?P<separator>{SEPARATOR})"
    rf"(?:[^\s/?#@\[\]<>\"'`]{{1,64}}@)?(?P<named>{_HOST})?"
    rf"|(?<![A-Za-z0-9])(?i:mailto|sips?|xmpp|im)(?::|\[:\]){_AT}(?P<linked>{_HOST})"
    rf"|{_BEFORE}(?:{_AT}(?P<mailed>{_HOST})|(?P<host>{_HOST}))"
)
_DOT = lazy_re(DOT)
_STRONG = lazy_re(rf"{DOT}|\[@\]")  # "[at]" alone may be a word of a program
_SPLIT = lazy_re(rf"\.|{DOT}")
_RUN = lazy_re(r"[^\s<>\"]*+")
_DELIMITER = lazy_re(r"[\s<>\"]")
_NO_DELIMITER = lazy_re(r"[^\s<>\"]")
_GOES_ON = lazy_re(rf"{DOT}?(?:[/?#]|:[0-9]|\[[:/]\])")
# What follows a name in a pattern or a program; "*" may also end an emphasis
_NO_END = lazy_re(r"[\\$^+|({@=_~%&]|\[(?![:/]\]|\.\](?:[\s/]|\Z))|/[0-9]{1,2}(?![\w./-])")
_PATTERN = lazy_re(r"\.[*+]|\[\^|\\[.bdswDSW/]|\(\?|[)\]][*+{]|\$\Z|\[[a-z0]-")
_MOST_AROUND = 100  # characters before and after a host that may show that it is in a pattern, or half of one
_FILES = frozenset(("am", "md", "mk", "pm", "py"))
"""Country domains that are more often extensions of files, as in the pattern "setup[.]py"."""
_RESERVED = LOCAL_DOMAINS | {"onion"}  # RFC 7686


def _places(text: str, limits: ScanLimits) -> Iterator[tuple[Span, list[Edit]]]:
    """Yield the defanged URLs of ``text`` in order, each with its edits."""
    known = 0
    hint = HINT.search(text)
    while hint:
        at = hint.start()
        run = _RUN.match(text, at)
        end = run.end() if run else at
        for place in _PLACE.finditer(text, _run_start(text, at, max(known, at - _MOST_HOST)), end):
            added = _added(text, place, limits) if place.start() >= known else None
            if added is None:
                continue
            start, known = place.start(), _end_of_place(text, place)
            edits = [Edit(start, start, added)] if added else []
            edits += [Edit(a + start, b + start, new) for a, b, new in edits_of(text[start:known])]
            yield Span(start, known), edits
        known = max(known, end)
        hint = HINT.search(text, known)


def _run_start(text: str, at: int, earliest: int) -> int:
    """Return the start of the run of characters that ends at ``at``; it is ``earliest`` or more."""
    delimiter = _DELIMITER.search(text[earliest:at][::-1])
    return at - delimiter.start() if delimiter else earliest


def _end_of_place(text: str, place: re.Match[str]) -> int:
    """Return where the URL ends whose host ends ``place``, at the latest."""
    end = place.end()
    if place["named"] is None and place["scheme"]:  # an odd host, or none
        pass
    elif not _GOES_ON.match(text, end):
        return end
    run = _RUN.match(text, end, place.start() + _MOST_REST)
    return run.end() if run else end


def _added(text: str, place: re.Match[str], limits: ScanLimits) -> str | None:
    """Return the scheme to add to a defanged URL, "" if it has one; None if ``place`` is no such URL."""
    host = place[place.lastgroup or 0]
    if place.end() - place.start() >= _MOST_HOST:
        return None
    if place["scheme"]:
        return "" if _is_defanged(text, place) else None
    is_address = place["host"] is None
    if not _STRONG.search(place[0]):
        return None
    labels = _SPLIT.split(host)
    if is_address:
        is_asked = place["linked"] or (limits.emails and limits.addresses)
        return "" if is_asked and _has_suffix(labels, _RESERVED) else None
    if not limits.hosts or _is_name(text, place, labels):
        return None
    return SCHEME_OF_HOST.get(f"{labels[0].lower()}.", "http://")


def _is_defanged(text: str, place: re.Match[str]) -> bool:
    """Return whether a place with a scheme is a defanged URL."""
    name, host = place["scheme"], place["named"]
    if real_name(name) is not None:
        return _is_whole(text, place)
    if not is_registered(name):
        return False
    if "[" in place["separator"]:
        return True
    is_marked = host is not None and _DOT.search(host) and not _is_in_pattern(text, place)
    return bool(is_marked) and _has_suffix(_SPLIT.split(host), _RESERVED)


def _is_whole(text: str, place: re.Match[str]) -> bool:
    """Return whether a place with a defanged scheme has a whole host, not half of one with an odd mark."""
    host, end = place["named"], place.end()
    if host is None:
        return _LONE_HOST.match(text, end) is not None
    return _HOST_END.match(text, end) is not None or _has_suffix(_SPLIT.split(host), _RESERVED)


_GAP = rf"(?:(?!{BLANK_LINE})\s){{1,{_MOST_AROUND}}}"  # up to a blank line
_AFTER_HOST = rf"""[{re.escape(SENTENCE_MARKS)})\]}}"'>]"""  # marks that end no host, but what is around it
# An address of IPv6, or a name without a full stop, and with no odd mark after it
_LONE_HOST = lazy_re(
    r"""\[[0-9A-Fa-f:.\[\]]*:|[^\W_](?:[\w-]{0,61}\w)?(?![\w-])"""
    rf"""(?=[/?#]|:[0-9]|{_AFTER_HOST}*(?:\Z|(?=\s)(?!{_GAP}(?:[\[({{<]|(?i:dot)\b))))"""
)
_HOST_END = lazy_re(rf"""[/?#]|:[0-9]|\[[:/]|(?:{_AFTER_HOST}|[*_])*(?:\s|\Z)""")


def _has_suffix(labels: list[str], others: frozenset[str] = frozenset(("example", "onion"))) -> bool:
    """Return whether a host ends in a top-level domain, or in one of ``others``, or is an address."""
    last = labels[-1].lower()
    return tld_of(last) is not None or last in others or IPV4.fullmatch(".".join(labels)) is not None


def _is_in_pattern(text: str, place: re.Match[str]) -> bool:
    """Return whether a place is in a pattern of a program, in which brackets are a class or a group."""
    start, end = place.span()
    if _NO_END.match(text, end) or (text[end : end + 1] == "*" and text[start - 1 : start] != "*"):
        return True
    before = _run_start(text, start, max(0, start - _MOST_AROUND))
    after = _RUN.match(text, end, end + _MOST_AROUND)
    return any(map(_PATTERN.search, (text[before:start], after[0] if after else "")))


def _is_name(text: str, place: re.Match[str], labels: list[str]) -> bool:
    """Return whether a host without a scheme is something else: a pattern, a file, a word of a program."""
    if not _has_suffix(labels) or _is_in_pattern(text, place):
        return True
    last, end = labels[-1], place.end()
    if last.isdigit():
        return False
    has_path = text.startswith("/", end)
    if len(labels) == 2 and not has_path and (last.lower() in _FILES or labels[0].isdigit()):
        return last.lower() not in OLDEST
    is_sentence = last.istitle() and not labels[-2].istitle()
    if is_sentence or labels[0] in THIS:
        return True
    is_sure = any(mark[0][0] == "[" or len(mark[0]) > 3 for mark in _DOT.finditer(place[0]))
    if is_sure:
        return False
    name = Name(labels, tld_of(last) or "", text[end : end + 2], has_path=has_path)
    return lookalike_rejection(name) is not None


def repaired(value: str) -> tuple[str, tuple[Repair, ...]]:
    """Return the URL that a text stands for, and the repairs; () if the text is no defanged URL.

    >>> repaired("example[.]com/x"), repaired("http://example.com/")
    (('http://example.com/x', ('refanged the URL', 'added http://')), ('http://example.com/', ()))
    """
    span, edits = next(_places(value, ScanLimits(refang=True)), (None, []))
    if span is None or span.start:
        return value, ()
    added = [Repair(RepairCode.ADDED_SCHEME, f"added {edits[0].new}")] if edits[0].end == 0 else []
    return edited(value, edits), (REFANGED, *added)


# --- the copy ------------------------------------------------------------------------------------


class _Copy:
    """A copy of a text with its edits, and offsets in both."""

    def __init__(self, text: str, edits: list[Edit]) -> None:
        self.text = edited(text, edits)
        self._edits = edits
        growths = [len(edit.new) - (edit.end - edit.start) for edit in edits]
        shifts = accumulate(growths, initial=0)
        self._starts = [edit.start for edit in edits]
        self._copied = [edit.start + shift for edit, shift in zip(edits, shifts, strict=False)]

    def to(self, offset: int) -> int:
        """Return the offset in the copy for ``offset`` in the original text."""
        at = bisect_right(self._starts, offset) - 1
        if at < 0:
            return offset
        edit, start = self._edits[at], self._copied[at]
        if offset == edit.start:
            return start
        return start + len(edit.new) + max(0, offset - edit.end)

    def original(self, offset: int, *, is_end: bool = False) -> int:
        """Return the offset in the original text for ``offset`` in the copy.

        Within a replacement it is the start of what was replaced, or its end if ``is_end``.
        """
        at = bisect_right(self._copied, offset) - 1
        if at < 0:
            return offset
        edit, start = self._edits[at], self._copied[at]
        if offset < start + len(edit.new):
            return edit.end if is_end and offset > start else edit.start
        return edit.end + offset - start - len(edit.new)

    def span(self, span: Span) -> Span:
        """Return the span in the original text for ``span`` in the copy."""
        return Span(self.original(span.start), self.original(span.end, is_end=True))

    def is_edited(self, start: int, end: int) -> bool:
        """Return whether an edit begins in ``start:end`` of the copy."""
        at = bisect_right(self._copied, start - 1)
        return at < len(self._copied) and self._copied[at] < end

    def is_added(self, start: int) -> bool:
        """Return whether a scheme was added at ``start`` of the copy."""
        at = bisect_right(self._copied, start - 1)
        return at < len(self._copied) and self._copied[at] == start and not self._is_replaced(at)

    def _is_replaced(self, at: int) -> bool:
        return self._edits[at].end > self._edits[at].start

    def match(self, value: Match, text: str) -> Match:
        """Return a match in the copy as it is written in the original ``text``."""
        start, is_added = value.inner.start, self.is_added(value.inner.start)
        inner, span = self.span(value.inner), self.span(value.span)
        one_line, more_lines = (
            line and text[inner.start : self.original(start + len(line), is_end=True)]
            for line in (value.one_line, value.more_lines)
        )
        match = value._replace(
            span=span,
            inner=inner,
            raw=readable(inner.of(text)),
            is_defanged=True,
            one_line=one_line and readable(one_line),
            more_lines=more_lines and readable(more_lines),
        )
        if not is_added:
            return with_url(match)
        is_quoted = match.form is Form.QUOTED  # it counts as bare, as other hosts do
        span = inner if is_quoted else span
        match = match._replace(form=Form.ABBREVIATED, span=span)
        is_ftp = self.text.startswith("ftp", start)  # that scheme is added because of the host
        return with_url(match if is_ftp else match._replace(added="http://"))


# --- the scan ------------------------------------------------------------------------------------


def scan_defanged(
    text: str, start: int, last: int, limits: ScanLimits, *, is_whole: bool, scan: ScanText
) -> Pass:
    """Read the places of ``text`` from ``start`` on, as ``scan`` reads them, and the defanged URLs.

    Without ``limits.refang``, defanged URLs are rejected. Places near the end of a text that may go on
    are left for the next call.
    """
    end = len(text) if is_whole else _certain_end(text)
    places = [(span, edits) for span, edits in _places(text, limits) if span.start < end]
    edits = [edit for _, edits in places for edit in edits if edit.start < end]
    if edits and edits[-1].end > end:
        end = edits.pop().start
    if end <= start and not is_whole:
        return Pass([], start, last)
    if not limits.refang:
        found = scan(text[:end], start, last, is_whole=is_whole)
        spans = [span for span, _ in places]
        return found._replace(matches=_rejected(text, spans, found, start, last))
    copy = _Copy(text[:end], edits)
    found = scan(copy.text, copy.to(start), copy.to(last), is_whole=is_whole)
    matches = [_original(match, copy, text) for match in found.matches]
    return Pass(matches, copy.original(found.done), copy.original(found.last, is_end=True))


def _certain_end(text: str) -> int:
    """Return the end of the text in which no later text changes what is defanged.

    It is before the last two runs: the last one may go on, and the word after a host may show that it
    is half of one, as in "hxxp://a [.] example".
    """
    earliest = max(0, len(text) - _MOST_HOST - _MOST_AROUND)
    last = _run_start(text, len(text), earliest)
    before = _NO_DELIMITER.search(text[earliest:last][::-1])
    return _run_start(text, last - before.start(), earliest) if before else earliest


def _original(match: Match, copy: _Copy, text: str) -> Match:
    """Return a match in ``copy`` as one in the original ``text``."""
    if not match.url:
        span = copy.span(match.span)
        return match._replace(span=span, inner=span, raw=readable(span.of(text)[:SHOWN]))
    start = match.inner.start
    if copy.is_edited(start, start + len(match.more_lines or match.raw)):
        return copy.match(match, text)
    return match._replace(span=copy.span(match.span), inner=copy.span(match.inner))


def _rejected(text: str, places: list[Span], found: Pass, start: int, last: int) -> list[Match]:
    """Return the matches of a scan, with each defanged URL rejected, in place of other rejections there."""
    taken = [match.span for match in found.matches if match.url]
    places = [place for place in places if place.start >= last and not _is_in(place.start, taken)]
    new = [_rejection(text, place) for place in places if start <= place.start < found.done]
    matches: list[Match] = []
    known = 0
    for match in found.matches:
        if not match.url and _touches(match.span, places):
            continue
        while known < len(new) and new[known].span.start <= match.span.start:
            matches.append(new[known])
            known += 1
        matches.append(match)
    return matches + new[known:]


def _rejection(text: str, place: Span) -> Match:
    """Return the rejection of a defanged URL, without the marks at its end."""
    span = Span(place.start, place.start + len(place.of(text).rstrip(_NO_LAST)))
    return Match(span, Form.BARE, readable(span.of(text)[:SHOWN]), span, rule=rules.DEFANGED)


_NO_LAST = END_MARKS + ")]}*"


def _is_in(at: int, spans: list[Span]) -> bool:
    """Return whether ``at`` is in one of ``spans``, which are in order."""
    before = bisect_right(spans, at, key=itemgetter(0)) - 1
    return before >= 0 and spans[before].end > at


def _touches(span: Span, places: list[Span]) -> bool:
    """Return whether ``span`` has a character of one of ``places``."""
    before = bisect_right(places, span.end, key=itemgetter(0)) - 1
    return before >= 0 and span.start < places[before].end
