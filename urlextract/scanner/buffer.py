"""The text that is read now, how far its places may reach, and what a rule looks up in it.

Rules are functions of a `Buffer` and positions in it. One that meets the end of a text of
which more may follow raises `MoreNeeded`; the place is read again when there is more.
"""

from typing import NamedTuple

from urlextract.grammar.chars import STRAY_BYTES
from urlextract.grammar.patterns import lazy_re
from urlextract.linebreaks.joining import SCHEME_OF_HOST, joined_url
from urlextract.linebreaks.prefixes import opening_prefix, used_prefix
from urlextract.records import Candidate, Form, Refusal, Span
from urlextract.scanner.joints import Grade

__all__ = [
    "CONTEXT",
    "KEPT",
    "LINES_AFTER",
    "LINES_BEFORE",
    "QUOTED_AFTER",
    "QUOTED_BEFORE",
    "Buffer",
    "ContextNeeded",
    "Hit",
    "MoreNeeded",
    "ScanLimits",
    "candidate_at",
    "candidate_of",
    "hit_of",
    "line_prefix",
    "line_start",
    "plain_candidate",
    "readable",
    "short_url",
]

CONTEXT = 1_024
"""Characters before a place that may be looked at: for brackets, schemes, the line's prefix."""

KEPT = 5 * CONTEXT
"""Characters kept before a place: enough for `CONTEXT` of them where each takes four bytes."""

LINES_BEFORE, LINES_AFTER = 1_024, 400
"""Characters before a bare URL and after its lines that say whether it goes on."""

QUOTED_BEFORE, QUOTED_AFTER = 600, 1_000
"""Characters before and after the start of a URL that say whether it is quoted-printable."""

_LONGEST_LINE_END = 6  # characters: see `grammar.chars.LINE_END`
_SHOWN = 200  # characters of a refused place that are kept
_STRAY_BYTE = lazy_re(r"[\udc80-\udcff]")


class ScanLimits(NamedTuple):
    """How far a candidate may reach, and what counts as one.

    A wrapper is given up beyond ``max_lines`` lines or ``max_chars`` characters
    (the longest of 84,000 real ones had 9 lines and 628 characters); a bare run
    is cut at ``max_run``. ``any_scheme`` takes unregistered names before ``://``,
    ``any_name`` all registered ones in brackets without it.
    ``joins`` is false where nothing may be joined over a line end. ``looks_on``
    asks whether a bare URL that ends its line goes on; it is joined from the grade
    ``least_grade`` on (a `Grade`). ``explains`` asks what is turned
    down, and why. ``relaxed`` takes hosts without a scheme, ``emails`` mail addresses; in
    a text without ``hosts`` or ``addresses``, a field of a machine, there are none.
    """

    max_lines: int = 9
    max_chars: int = 1_000
    max_run: int = 65_536
    any_scheme: bool = False
    any_name: bool = False
    joins: bool = True
    looks_on: bool = True
    least_grade: int = Grade.SAFE
    explains: bool = False
    relaxed: bool = False
    emails: bool = False
    hosts: bool = True
    addresses: bool = True

    @property
    def asks_for_hosts(self) -> bool:
        """Whether hosts without a scheme are taken, or told of."""
        return self.hosts and (self.relaxed or self.explains)

    @property
    def asks_for_addresses(self) -> bool:
        """Whether mail addresses are taken, or told of."""
        return self.addresses and (self.emails or self.explains)

    @property
    def reads_marks(self) -> bool:
        """Whether hosts without a scheme, or addresses, have to be looked for."""
        return self.asks_for_hosts or self.asks_for_addresses


Hit = tuple[int, int, Form, int, str, Candidate | Refusal | None]
"""A place: its start and end, its form, the start of its URL, and the URL in one line.

The last item is the candidate or the refusal that the rules made; None for a URL that is
written as it is read, with nothing more to be said of it. A plain tuple:
a value object would cost more than the search.
"""


class ContextNeeded(Exception):  # noqa: N818 - as `MoreNeeded`
    """A place cannot be read without more of the text before it."""


class MoreNeeded(Exception):  # noqa: N818 - no error: it never leaves the scanner
    """A place cannot be read before more text is there."""


class Buffer:
    """A text, its limits, and the end of the last place that was taken in it.

    ``is_whole`` says that no more text follows.
    ``refusals`` are those of the place that is read now, where they are asked for. Of a bracket
    that was given up, ``is_unclosed`` and ``joined``, its URL if it were one, are kept for
    the URL that is found in it; ``stop`` is where the bare URL that was read last ends.
    ``is_cut`` says that more text comes before it, ``is_bytes`` that its characters are bytes.
    """

    def __init__(self, text: str, limits: ScanLimits, *, is_whole: bool, last: int = 0) -> None:
        self.text, self.size, self.limits, self.is_whole = text, len(text), limits, is_whole
        self.last = last
        self.refusals: list[Refusal] = []
        self.is_unclosed = False
        self.joined: str | None = None
        self.stop = -1
        self.is_cut = self.is_bytes = False

    def need(self, count: int, at: int) -> None:
        """Raise `MoreNeeded` unless ``count`` characters follow ``at``, or the text is whole."""
        if self.size - at < count and not self.is_whole:
            raise MoreNeeded

    def need_line_end(self, at: int) -> None:
        """Raise `MoreNeeded` if the line end at ``at`` may go on: CR, LF and CR CR LF are one each."""
        if self.size - at < _LONGEST_LINE_END and not self.is_whole and not self.text[at:].strip("\r"):
            raise MoreNeeded

    def need_before(self, count: int, at: int) -> None:
        """Raise `ContextNeeded` unless ``count`` characters come before ``at``, or the text begins there."""
        if self.is_bytes or (self.is_cut and at < count):
            raise ContextNeeded

    def refuse(self, form: Form, start: int, end: int, reason: str, *, joined: str | None = None) -> None:
        """Turn down the place ``start:end``; all of it ``joined`` is the URL that it may yet be."""
        if form is Form.ANGLE or form is Form.URL_WRAPPER:
            self.is_unclosed = True
        self.joined = joined or self.joined
        if self.limits.explains:
            raw = self.text[start : min(end, start + _SHOWN)]
            self.refusals.append(Refusal(Span(start, end), form, raw, reason, joined))


def candidate_of(hit: Hit, text: str, base: int = 0) -> Candidate | Refusal:
    """Return the value of a hit in ``text``, whose first character is the ``base``-th of all."""
    return hit[5].moved(base) if hit[5] else plain_candidate(hit, text, base)


def plain_candidate(hit: Hit, text: str, base: int = 0) -> Candidate:
    """Return the candidate of a hit of which there is no more to be said than what it holds."""
    start, end, form, first, url, _ = hit
    last = end if first == start else first + len(url)
    return Candidate(Span(start + base, end + base), form, text[first:last], Span(first + base, last + base))


def candidate_at(text: str, span: Span, form: Form, inner: Span, prefix: str = "") -> Candidate:
    """Return the candidate at ``span``, with the URL that is written at ``inner`` of ``text``."""
    raw = inner.of(text)
    return Candidate(span, form, readable(raw), inner, used_prefix(raw, prefix), defects=byte_defects(raw))


def hit_of(candidate: Candidate) -> Hit:
    """Return the hit of a candidate that the rules made."""
    return *candidate.span, candidate.form, candidate.inner.start, joined_url(candidate), candidate


def short_url(text: str) -> str:
    """Return the URL of a host that begins with www or ftp."""
    return SCHEME_OF_HOST[text[:4].lower()] + text


def line_start(text: str, at: int) -> int | None:
    r"""Return the start of the line that holds ``at``, None if that is `CONTEXT` characters away.

    >>> line_start("a\rbc", 3), line_start("-" * 2000, 1999)
    (2, None)
    """
    low = at - CONTEXT + 1 if at >= CONTEXT else 0
    start = text.rfind("\n", low, at) + 1
    start = text.rfind("\r", start or low, at) + 1 or start
    return start if start or not low else None


def line_prefix(text: str, at: int) -> str:
    """Return the quote prefix of the line that holds ``at``; one that begins far away has none."""
    start = line_start(text, at)
    return "" if start is None or start == at else opening_prefix(text[start:at])


def readable(text: str) -> str:
    """Read stray bytes as Windows-1252, character for character."""
    if text.isascii():
        return text
    for byte in {*_STRAY_BYTE.findall(text)}:  # few, if any
        text = text.replace(byte, STRAY_BYTES[ord(byte)])
    return text


def byte_defects(raw: str) -> tuple[str, ...]:
    """Return the defect of a text with bytes that its charset does not know."""
    return () if readable(raw) == raw else ("undecodable bytes",)
