r"""Defanged URLs: read in a copy of the text that has the URLs that they stand for.

The copy is scanned by the same rules as any text, and what is found is located in the original
text. So a defanged URL may be in brackets, quoted, broken over lines or glued to words, as any
other. What is replaced depends only on its run of characters without blanks, and on `_MOST_HOST` and
`_MOST_REST` characters of it at most.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from heapq import merge
from operator import itemgetter

from urlextract.grammar.chars import BLANK_LINE
from urlextract.grammar.codes import RepairCode
from urlextract.grammar.defanged import AT, DOT, HINT, NAME, SEPARATOR, edits_of, real_name
from urlextract.grammar.edits import Copy, Edit, edited
from urlextract.grammar.extensions import extensions
from urlextract.grammar.marks import END_MARKS, SENTENCE_MARKS
from urlextract.grammar.patterns import lazy_re
from urlextract.grammar.registry import is_registered
from urlextract.grammar.rules import Rule
from urlextract.grammar.tlds import OLDEST, tld_of
from urlextract.linebreaks.joining import SCHEME_OF_HOST
from urlextract.records import REFANGED, Form, Match, Repair, Span
from urlextract.scanner.buffer import SHOWN, Pass, ScanLimits, ScanText, readable, with_url
from urlextract.scanner.lookalikes import THIS, lookalike_rejection
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
_LAST_TWO_RUNS = lazy_re(r"(?<![^\s<>\"])[^\s<>\"]++[\s<>\"]++[^\s<>\"]*+\Z")
_GOES_ON = lazy_re(rf"{DOT}?(?:[/?#]|:[0-9]|\[[:/]\])")
# What follows a name in a pattern or a program; "*" may also end an emphasis
_NO_END = lazy_re(r"[\\$^+|({@=_~%&]|\[(?![:/]\]|\.\](?:[\s/]|\Z))|/[0-9]{1,2}(?![\w./-])")
_PATTERN = lazy_re(r"\.[*+]|\[\^|\\[.bdswDSW/]|\(\?|[)\]][*+{]|\$\Z|\[[a-z0]-")
_MOST_AROUND = 100  # characters before and after a host that may show that it is in a pattern, or half of one
_GAP = rf"(?:(?!{BLANK_LINE})\s){{1,{_MOST_AROUND}}}"  # up to a blank line
_AFTER_HOST = rf"""[{re.escape(SENTENCE_MARKS)})\]}}"'>]"""  # marks that end no host, but what is around it
_HOST_END = lazy_re(rf"""[/?#]|:[0-9]|\[[:/]|(?:{_AFTER_HOST}|[*_])*(?:\s|\Z)""")
# An address of IPv6, or a name without a full stop, and with no odd mark after it
_LONE_HOST = lazy_re(
    r"""\[[0-9A-Fa-f:.\[\]]*:|[^\W_](?:[\w-]{0,61}\w)?(?![\w-])"""
    rf"""(?=[/?#]|:[0-9]|{_AFTER_HOST}*(?:\Z|(?=\s)(?!{_GAP}(?:[\[({{<]|(?i:dot)\b))))"""
)
_FILES = extensions("marked")
_RESERVED = LOCAL_DOMAINS | {"onion"}  # RFC 7686
_RESERVED_ALONE = frozenset(("example", "onion"))  # those of hosts without a scheme


def _places(text: str, limits: ScanLimits) -> Iterator[tuple[Span, list[Edit]]]:
    """Yield the defanged URLs of ``text`` in order, each with its edits."""
    known = 0
    hint = HINT.search(text)
    while hint:
        at = hint.start()
        end = _run_end(text, at, len(text))
        for place in _PLACE.finditer(text, _run_start(text, at, max(known, at - _MOST_HOST)), end):
            start, stop = place.span()
            added = _added(text, place, limits) if start >= known and stop - start < _MOST_HOST else None
            if added is None:
                continue
            # An odd host, or none, is read with all that follows it.
            is_odd = place["scheme"] and place["named"] is None
            known = _run_end(text, stop, start + _MOST_REST) if is_odd or _GOES_ON.match(text, stop) else stop
            edits = [Edit(start, start, added)] if added else []
            edits += [Edit(a + start, b + start, new) for a, b, new in edits_of(text[start:known])]
            yield Span(start, known), edits
        known = max(known, end)
        hint = HINT.search(text, known)


def _run_start(text: str, at: int, earliest: int) -> int:
    """Return the start of the run of characters that ends at ``at``; it is ``earliest`` or more."""
    return at - len(_DELIMITER.split(text[earliest:at])[-1])


def _run_end(text: str, at: int, latest: int) -> int:
    """Return the end of the run of characters that begins at ``at``, at ``latest`` or before it."""
    run = _RUN.match(text, at, latest)
    return run.end() if run else at


def _added(text: str, place: re.Match[str], limits: ScanLimits) -> str | None:
    """Return the scheme to add to a defanged URL, "" if it has one; None if ``place`` is no such URL."""
    name, end = place["scheme"], place.end()
    if not name and not _STRONG.search(place[0]):
        return None
    host = place["named"] or place["linked"] or place["mailed"] or place["host"] or ""
    labels = _SPLIT.split(host)
    last = labels[-1].lower()
    reserved = _RESERVED_ALONE if place["host"] else _RESERVED
    has_suffix = tld_of(last) or last in reserved or IPV4.fullmatch(".".join(labels))
    if name and real_name(name):  # but not half of one with an odd mark
        return "" if has_suffix or (_HOST_END if host else _LONE_HOST).match(text, end) else None
    if name:
        is_marked = has_suffix and _DOT.search(host) and not _is_in_pattern(text, place)
        return "" if is_registered(name) and ("[" in place["separator"] or is_marked) else None
    if not place["host"]:
        is_asked = place["linked"] or (limits.emails and limits.addresses)
        return "" if has_suffix and is_asked else None
    if has_suffix and limits.hosts and _is_host(text, place, labels):
        return SCHEME_OF_HOST.get(f"{labels[0].lower()}.", "http://")
    return None


def _is_in_pattern(text: str, place: re.Match[str]) -> bool:
    """Return whether a place is in a pattern of a program, in which brackets are a class or a group."""
    start, end = place.span()
    if _NO_END.match(text, end) or (text[end : end + 1] == "*" and text[start - 1 : start] != "*"):
        return True
    before = text[_run_start(text, start, max(0, start - _MOST_AROUND)) : start]
    after = text[end : _run_end(text, end, end + _MOST_AROUND)]
    return any(map(_PATTERN.search, (before, after)))


def _is_host(text: str, place: re.Match[str], labels: list[str]) -> bool:
    """Return whether a host without a scheme is one, and no pattern, file, or word of a program."""
    first, before, last = labels[0], labels[-2], labels[-1]
    if _is_in_pattern(text, place):
        return False
    if last.isdigit():
        return True
    end = place.end()
    has_path = text.startswith("/", end)
    if len(labels) == 2 and not has_path and (last.lower() in _FILES or first.isdigit()):
        return last.lower() in OLDEST
    is_sentence = last.istitle() and not before.istitle()
    if is_sentence or first in THIS:
        return False
    if "[" in place[0] or "dot)" in place[0].lower():  # marks that programs do not have
        return True
    return lookalike_rejection(labels, tld_of(last) or "", text[end : end + 2], has_path=has_path) is None


def repaired(value: str) -> tuple[str, tuple[Repair, ...]]:
    """Return the URL that a text stands for, and the repairs; () if the text is no defanged URL.

    >>> url, repairs = repaired("example[.]com/x")
    >>> url, [str(repair) for repair in repairs], repaired("http://example.com/")
    ('http://example.com/x', ['refanged the URL', 'added http://'], ('http://example.com/', ()))
    """
    span, edits = next(_places(value, ScanLimits(refang=True)), (None, []))
    if span is None or span.start:
        return value, ()
    added = [Repair(RepairCode.ADDED_SCHEME, f"added {edits[0].new}")] if edits[0].end == 0 else []
    return edited(value, edits), (REFANGED, *added)


# --- the copy ------------------------------------------------------------------------------------


class _Copy(Copy):
    """A copy of a text in which defanged URLs are what they stand for."""

    def span(self, span: Span) -> Span:
        """Return the span in the original text for ``span`` in the copy."""
        return Span(self.original(span.start), self.original(span.end, is_end=True))

    def match(self, match: Match, text: str) -> Match:
        """Return a match in the copy as it is written in the original ``text``."""
        span, inner, start = self.span(match.span), self.span(match.inner), match.inner.start
        if not match.url:
            return match._replace(span=span, inner=span, raw=readable(span.of(text)[:SHOWN]))
        first = bisect_left(self.copied, start)  # the first edit in it, if there is one
        lines = match.more_lines or match.raw
        if first == len(self.copied) or self.copied[first] >= start + len(lines):
            return match._replace(span=span, inner=inner)
        one_line, more_lines = (
            line and readable(text[inner.start : self.original(start + len(line), is_end=True)])
            for line in (match.one_line, match.more_lines)
        )
        raw = readable(inner.of(text))
        match = match._replace(
            span=span, inner=inner, raw=raw, is_defanged=True, one_line=one_line, more_lines=more_lines
        )
        edit = self.edits[first]
        if self.copied[first] == start and edit.start == edit.end:  # its scheme was added
            # In quotes it counts as bare, as other hosts do.
            span = inner if match.form is Form.QUOTED else span
            # The host itself is why "ftp://" is added.
            added = match.added if edit.new == "ftp://" else "http://"
            match = match._replace(form=Form.ABBREVIATED, span=span, added=added)
        return with_url(match)


# --- the scan ------------------------------------------------------------------------------------


def scan_defanged(
    text: str,
    start: int,
    last: int,
    limits: ScanLimits,
    *,
    is_whole: bool,
    scan: ScanText,
    by_lines: bool = False,
) -> Pass:
    """Read the places of ``text`` from ``start`` on, as ``scan`` reads them, and the defanged URLs.

    Without ``limits.refang``, defanged URLs are rejected. Places near the end of a text that may go on
    are left for the next call, unless its lines are decided ``by_lines``.
    """
    end = len(text)
    if not (is_whole or by_lines):
        # In the last two runs later text may change what is defanged: the last one may go on, and the word
        # after a host may show that it is half of one, as in "hxxp://a [.] example".
        earliest = max(0, len(text) - _MOST_HOST - _MOST_AROUND)
        runs = _LAST_TWO_RUNS.search(text, earliest)
        end = runs.start() if runs else earliest
    places = [(span, edits) for span, edits in _places(text, limits) if span.start < end]
    edits = [edit for _, edits in places for edit in edits if edit.start < end]
    if edits and edits[-1].end > end:
        end = edits.pop().start
    if end <= start and not is_whole:
        return Pass([], start, last)
    if not limits.refang:
        found = scan(text[:end], start, last, is_whole=is_whole)
        spans = [span for span, _ in places]
        return found._replace(matches=_with_rejections(text, spans, found, start, last))
    copy = _Copy(text[:end], edits)
    found = scan(copy.text, copy.to(start), copy.to(last), is_whole=is_whole)
    matches = [copy.match(match, text) for match in found.matches]
    return Pass(matches, copy.original(found.done), copy.original(found.last, is_end=True))


_NO_LAST = END_MARKS + ")]}*"


def _with_rejections(text: str, places: list[Span], found: Pass, start: int, last: int) -> list[Match]:
    """Return the matches of a scan, with each defanged URL rejected, in place of other rejections there."""
    taken = [match.span for match in found.matches if match.url]
    places = [each for each in places if each.start >= last and not _touches(taken, each.start, each.start)]
    new = []
    for place in places:
        if start <= place.start < found.done:
            raw = place.of(text).rstrip(_NO_LAST)
            span = Span(place.start, place.start + len(raw))
            new.append(Match(span, Form.BARE, readable(raw[:SHOWN]), span, rule=Rule.DEFANGED))
    kept = (match for match in found.matches if match.url or not _touches(places, *match.span))
    return [*merge(new, kept, key=lambda match: match.span.start)]


def _touches(places: list[Span], start: int, end: int) -> bool:
    """Return whether one of ``places``, which are in order, has or touches a character of ``start:end``."""
    before = bisect_right(places, end, key=itemgetter(0)) - 1
    return before >= 0 and start < places[before].end
