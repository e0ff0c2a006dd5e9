"""The buffered text, the limits of its places, and helper functions of the rules.

Rules are functions of a `Buffer` and offsets in it. A rule that reaches the end of a text that
may go on raises `MoreNeeded`; the place is read again when there is more text.
"""

from typing import NamedTuple, Protocol

from urlextract.grammar.chars import BLANK_LINE, STRAY_BYTES
from urlextract.grammar.patterns import lazy_re
from urlextract.grammar.rules import Rule
from urlextract.linebreaks.joining import joined_url
from urlextract.linebreaks.prefixes import is_page_break_open, opening_prefix, page_break_end, used_prefix
from urlextract.records import UNDECODABLE, Defect, Form, Match, Span
from urlextract.scanner.line_breaks import Certainty

CONTEXT = 1_024
"""Characters that may be read before a place: for brackets, schemes and the quote prefix of the line."""

KEPT = 5 * CONTEXT
"""Characters kept before a place: enough for `CONTEXT` characters of four bytes each."""

LINES_BEFORE, LINES_AFTER = 1_024, 400
"""Characters read before a bare URL and after its lines to decide whether it goes on."""

QUOTED_BEFORE, QUOTED_AFTER = 600, 1_000
"""Characters read before and after the start of a URL to decide whether it is quoted-printable."""

_LONGEST_LINE_END = 6  # characters: see `grammar.chars.LINE_END`
SHOWN = 200
"""Characters of a rejected place that are kept."""

_STRAY_BYTE = lazy_re(r"[\udc80-\udcff]")


class ScanLimits(NamedTuple):
    """How far a URL may reach, and what counts as one.

    A wrapper over lines is given up beyond ``max_lines`` lines or ``max_chars`` characters (of old mail
    the longest had 9 lines and 628 characters, but links of gateways around trackers exceed 1,200); a bare
    run, and a wrapper on one line, are cut at ``max_run``. ``any_scheme`` accepts unregistered names before
    ``://``, ``schemes`` only these, also without it; with either, registered names that are not of the table
    count without it in brackets. If ``joins`` is false, nothing is joined over a line end. If ``looks_on``
    is true, bare URLs that end their line are examined for a continuation, and joined from the certainty
    ``least_certainty`` (a `Certainty`) on.
    ``explains`` records rejected places.
    ``relaxed`` accepts hosts without a scheme, ``emails`` mail addresses, ``refang`` defanged URLs.
    ``hosts`` and ``addresses`` are false for a text without them, such as a field that machines fill in.
    """

    max_lines: int = 64
    max_chars: int = 8_000
    max_run: int = 65_536
    any_scheme: bool = False
    schemes: frozenset[str] = frozenset()
    joins: bool = True
    looks_on: bool = True
    least_certainty: int = Certainty.SAFE
    explains: bool = False
    relaxed: bool = False
    emails: bool = False
    refang: bool = False
    hosts: bool = True
    addresses: bool = True

    @property
    def any_name(self) -> bool:
        """Whether names that are not of the table of schemes count without ``//`` in brackets."""
        return self.any_scheme or bool(self.schemes)

    @property
    def asks_for_hosts(self) -> bool:
        """Whether hosts without a scheme are accepted, or reported as rejected."""
        return self.hosts and (self.relaxed or self.explains)

    @property
    def asks_for_addresses(self) -> bool:
        """Whether mail addresses are accepted, or reported as rejected."""
        return self.addresses and (self.emails or self.explains)

    @property
    def reads_marks(self) -> bool:
        """Whether hosts without a scheme, or mail addresses, are searched for."""
        return self.asks_for_hosts or self.asks_for_addresses


class MoreNeeded(Exception):  # noqa: N818 - no error: it never leaves the scanner
    """A place cannot be read without more of the text after it."""


class Buffer:
    """A text, its limits, and the end of the last URL taken in it.

    ``is_whole`` is true if no more text follows, ``by_lines`` if it ends with a line, which is
    decided as it has come. ``rejected`` are the places that were rejected where one is being read, if
    ``limits.explains``. If a bracket was given up, ``is_unclosed`` and ``joined``
    (the URL that all of it would be) are kept for the URL that is found in it. ``stop`` is where
    the bare URL that was read last ends.
    """

    def __init__(
        self, text: str, limits: ScanLimits, *, is_whole: bool, last: int = 0, by_lines: bool = False
    ) -> None:
        self.text, self.size, self.limits, self.is_whole = text, len(text), limits, is_whole
        self.by_lines = by_lines
        self.last = last
        self.rejected: list[Match] = []
        self.is_unclosed = False
        self.joined: str | None = None
        self.stop = -1
        self.no_escape = 1, 0  # a stretch in which no escape of quoted-printable begins

    def need(self, count: int, at: int) -> None:
        """Raise `MoreNeeded` unless ``count`` characters follow ``at``, or the text is whole."""
        if self.size - at < count and not self.is_decided(at):
            raise MoreNeeded

    def is_decided(self, at: int) -> bool:
        """Return whether what goes on to ``at`` does not wait for more text.

        By lines only what goes on to the end of the last line does.
        """
        return self.is_whole or (self.by_lines and bool(self.text[at + 1 :].strip()))

    def need_around(self, count: int, at: int) -> None:
        """Raise `MoreNeeded` as `need` does, for lines around a place; ``by_lines`` none is waited for."""
        if not self.by_lines:
            self.need(count, at)

    def need_line_end(self, at: int) -> None:
        """Raise `MoreNeeded` if the line end at ``at`` may be incomplete: CR CR LF is one line end."""
        if self.size - at < _LONGEST_LINE_END and not self.is_whole and not self.text[at:].strip("\r"):
            raise MoreNeeded

    def page_break_end(self, start: int, *, waits: bool = True) -> int | None:
        """Return the end of the page break at ``start``, None if there is none.

        Raise `MoreNeeded` if more text may make one, by lines only if a bracket ``waits`` for it.
        """
        is_open = not self.is_whole and (waits or not self.by_lines)
        if is_open and is_page_break_open(self.text, start):
            raise MoreNeeded
        return page_break_end(self.text, start)

    def begin(self) -> None:
        """Forget what was read: the next place is read."""
        self.is_unclosed, self.joined, self.stop = False, None, -1
        self.rejected.clear()

    def reject(
        self,
        form: Form,
        start: int,
        end: int,
        rule: Rule,
        detail: str | int = "",
        *,
        joined: str | None = None,
    ) -> None:
        """Reject the place ``start:end`` by ``rule``; ``joined`` is the URL that all of it would be."""
        if form is Form.ANGLE or form is Form.URL_WRAPPER:
            self.is_unclosed = True
        self.joined = joined or self.joined
        if self.limits.explains:
            span = Span(start, end)
            raw = self.text[start : min(end, start + SHOWN)]
            self.rejected.append(Match(span, form, raw, span, rule=rule, detail=detail))


def match_at(  # noqa: PLR0917 - a place, and what is known of it
    text: str, span: Span, form: Form, inner: Span, rule: Rule, prefix: str = ""
) -> Match:
    """Return the match at ``span``, with the URL at ``inner``, both offsets in ``text``, without its URL."""
    raw = inner.of(text)
    return Match(
        span, form, readable(raw), inner, used_prefix(raw, prefix), defects=byte_defects(raw), rule=rule
    )


def with_url(match: Match) -> Match:
    """Return ``match`` with its URL on one line."""
    return match._replace(url=joined_url(match))


def line_start(text: str, at: int) -> int | None:
    r"""Return the start of the line that holds ``at``, None if it is `CONTEXT` characters away or more.

    >>> line_start("a\rbc", 3), line_start("-" * 2000, 1999)
    (2, None)
    """
    earliest = at - CONTEXT + 1 if at >= CONTEXT else 0
    start = text.rfind("\n", earliest, at) + 1
    start = text.rfind("\r", start or earliest, at) + 1 or start
    return start if start or not earliest else None


_BLANK_LINE = lazy_re(BLANK_LINE)


def paragraph_start(text: str, earliest: int, at: int) -> int:
    r"""Return the start of the lines that no blank line parts from ``at``, at ``earliest`` or after it.

    >>> paragraph_start("a\n\nb\nc", 0, 5), paragraph_start("a\nb", 0, 2)
    (3, 0)
    """
    *_, last = (earliest, *(match.end() for match in _BLANK_LINE.finditer(text, earliest, at)))
    return last


def paragraph_end(text: str, at: int, latest: int) -> int:
    r"""Return the end of the lines that no blank line parts from ``at``, at ``latest`` or before it.

    >>> paragraph_end("a\nb\n \nc", 0, 7), paragraph_end("a\nb", 0, 3)
    (4, 3)
    """
    match = _BLANK_LINE.search(text, at, latest)
    return match.start() + 1 if match else latest


def line_prefix(text: str, at: int) -> str:
    """Return the quote prefix of the line that holds ``at``, "" if the line begins too far before it."""
    start = line_start(text, at)
    return "" if start is None or start == at else opening_prefix(text[start:at])


def readable(text: str) -> str:
    """Return ``text`` with each stray byte read as a character of Windows-1252."""
    if text.isascii():
        return text
    for byte in {*_STRAY_BYTE.findall(text)}:  # usually none
        text = text.replace(byte, STRAY_BYTES[ord(byte)])
    return text


def byte_defects(raw: str) -> tuple[Defect, ...]:
    """Return the defects of ``raw``: one if it has bytes that its charset cannot decode."""
    return () if readable(raw) == raw else (UNDECODABLE,)


class Pass(NamedTuple):
    """The matches of one scan of a buffer, where the next one begins, and the end of the last URL taken."""

    matches: list[Match]
    done: int
    last: int


class ScanText(Protocol):
    """Scans a text from an offset on: `stream.scan_buffer` without the arguments that do not change."""

    def __call__(self, text: str, start: int, last: int, *, is_whole: bool) -> Pass:
        """Read the places of ``text`` from ``start`` on."""
