"""What the lanes have read: taken, passed by, or left to the rules that ask about what stands round it."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache

from urlextract.grammar.patterns import later
from urlextract.grammar.registry import (
    NAMES_WITH_SHAPE,
    SCHEME_CHARACTERS,
    SCHEMES,
    has_shape,
    is_registered,
    may_have_shape,
)
from urlextract.linebreaks.prefixes import opening_prefix
from urlextract.records import Form, Span
from urlextract.scanner.bare import HEAD, LONGEST_HOST, OWN_AUTHORITY
from urlextract.scanner.hits import Hit, Look, Looks, Pass
from urlextract.scanner.lanes import AFTER_BARE, Lane
from urlextract.scanner.openers import line_start
from urlextract.scanner.outcome import rest_fault

__all__ = ["LONGEST_OPENING", "Settler", "short_url"]

LONGEST_OPENING = 256
"""Characters from the bracket that opens a place to what gives the place away."""

_NAME = later(r"(?!(?i:url)\Z)[A-Za-z][A-Za-z0-9+.-]{0,31}")  # "URL" is a label
_LONGEST_TABLED = max(map(len, SCHEMES))
_MARKS = later(r"\n([> ]+)")
_SOFT_BREAK = later(r"=[ \t]*\n")  # it may be one of quoted-printable
_HAS_WORD = later(r"[A-Za-z0-9]")
# Members are looked up once: of an enum that costs as much as the rest of a hit.
_FREE, _ANGLE, _WRAPPER, _QUOTED = Lane.FREE, Lane.ANGLE, Lane.WRAPPER, Lane.QUOTED
_CHECKED_ANGLE, _GAPPED, _TAG, _PLACE = Lane.CHECKED_ANGLE, Lane.GAPPED, Lane.TAG, Lane.PLACE
_BROKEN_WRAPPER, _CHECKED_BROKEN_WRAPPER = Lane.BROKEN_WRAPPER, Lane.CHECKED_BROKEN_WRAPPER
_CHECKED_BROKEN = (Lane.CHECKED_BROKEN_ANGLE, _CHECKED_BROKEN_WRAPPER)
_BROKEN = (Lane.BROKEN_ANGLE, _BROKEN_WRAPPER, *_CHECKED_BROKEN)
_IN_ANGLES, _IN_WRAPPER, _IN_QUOTES = Form.ANGLE, Form.URL_WRAPPER, Form.QUOTED
_BARE, _SHORT = Form.BARE, Form.ABBREVIATED
_LONGEST_SCHEME = 32  # characters
_QUOTE_REACH = 42  # characters from a quote to the colon of what it opens
_LONGEST_NAME = 1 + max(map(len, NAMES_WITH_SHAPE))  # characters of one, with the bracket before it
_FAST_LINES = 9  # as many as the lanes for broken wrappers take
_PLAIN_BEFORE = frozenset("('=,[{!$&?@^`")
_BLANKS = frozenset(" \t\n\r\v\f")
_GAP_CHARACTERS = " \t\n\r\v\f\xa0\x85>|#;%*:/.'\"\\"  # at most these stand between "<" and what it opens


class Settler:
    """What one pass has taken so far; ``last`` is the end of the last place taken."""

    __slots__ = (
        "alone",
        "hits",
        "is_whole",
        "joins_lines",
        "last",
        "looks",
        "looks_on",
        "text",
        "urls",
    )

    def __init__(self, text: str, last: int, looks: Looks, *, is_whole: bool) -> None:
        self.text, self.last, self.looks, self.is_whole = text, last, looks, is_whole
        self.alone, self.looks_on = looks.joined is not None, looks.limits.looks_on
        self.joins_lines = looks.limits.joins and looks.limits.max_lines >= _FAST_LINES
        self.hits: list[Hit] = []
        self.urls: list[str] = []

    def take(self, start: int, end: int, form: Form, url: str) -> bool:
        """Take what a lane has read."""
        if self.alone:
            self.urls.append(url)
        else:
            self.hits.append((start, end, form, None))
        self.last = end
        return True

    def result(self, done: int) -> Pass:
        """Give what was taken up to ``done``."""
        return Pass(self.hits, self.urls, done, self.last)

    def look(self, look: Look, at: int) -> bool:
        """Ask the rules about the place at ``at``; false where more text is needed."""
        outcome = look(self.text, at, self.last, self.looks.limits, is_whole=self.is_whole)
        if outcome is None:
            return False
        value, refusals, shift = outcome
        joined = self.looks.joined
        if joined is None:
            for refusal in refusals:
                start, end = refusal.span
                self.hits.append((start + shift, end + shift, refusal.form, refusal))
        if value:
            start, end = value.span
            self.last = end + shift
            if joined is None:
                self.hits.append((start + shift, self.last, value.form, value))
            else:
                self.urls.append(joined(value))
        return True

    def settles(self, lane: Lane, back: int, colon: int, end: int) -> bool:
        """Take what a lane has read, or pass it by; false where a rule asks about what stands round it."""
        text, last = self.text, self.last
        if lane is _FREE:
            first = colon - back
            stop = first + len(text[first : end - 1].rstrip(AFTER_BARE))
            if self.looks_on and text[stop] in "\r\n" and self.may_go_on(first, stop):
                return False
            self.last = stop
            self.hits.append((first, stop, _BARE, None))
            return True
        if lane is _WRAPPER:
            return self.take(colon - 4, end, _IN_WRAPPER, text[colon + 1 : end - 1].lstrip())
        if lane is _ANGLE:
            return self.take(colon - back - 1, end, _IN_ANGLES, text[colon - back : end - 1])
        if lane in _BROKEN:
            return self.takes_broken(lane, colon, end)
        if lane is _GAPPED or lane is _TAG:
            return self.is_no_place(lane, colon, end)
        first = colon - back if back else self.scheme_start(lane, colon)
        if lane is _CHECKED_ANGLE:
            is_opened = first > last and text[first - 1] == "<"
            return is_opened and self.take(first - 1, end, _IN_ANGLES, text[first : end - 1])
        return (
            self.is_hopeless(colon) if lane is _PLACE else first >= last and self.takes_bare(lane, first, end)
        )

    def takes_bare(self, lane: Lane, first: int, end: int) -> bool:
        """Take a bare or a quoted URL, if no rule asks about what stands round it."""
        text = self.text
        url = text[first : end - 1].rstrip(AFTER_BARE)
        stop = first + len(url)
        if lane is not _QUOTED and self.is_free(first, stop, is_plain_before=False):
            return self.take(first, stop, _BARE, url)
        is_quoted = first > self.last and text[stop] == text[first - 1] == '"'
        return is_quoted and self.take(first - 1, stop + 1, _IN_QUOTES, url)

    def is_no_place(self, lane: Lane, colon: int, end: int) -> bool:
        """Say that what looks like a tag is one, or that no bracket is open before a name and blanks."""
        text = self.text
        if lane is _TAG:
            _, opened, name = text[max(0, colon - _LONGEST_NAME) : colon].rpartition("<")
            return bool(opened) and name.isalpha() and not has_shape(name, text[colon + 1 : end - 1])
        before = text[max(self.last, colon - LONGEST_OPENING) : colon]
        is_blank = text[colon + 1] in _BLANKS
        has_opener = "<" in before or "&lt;" in before or '"' in before[-_QUOTE_REACH:]
        return is_blank and not has_opener

    def is_hopeless(self, colon: int) -> bool:
        """Return whether no URL begins with what ends before ``colon``: what follows it has no such shape.

        The rules say so, too; here brackets, escapes and letters beyond ASCII are left to them.
        """
        text = self.text
        head = text[colon + 1 : colon + 1 + HEAD]
        if head[:1] == "/" or "\\" in head or not head.isascii() or not (self.is_whole or len(head) == HEAD):
            return False
        before = text[max(self.last, colon - LONGEST_OPENING) : colon]
        if "<" in before or "&lt;" in before or '"' in before[-_QUOTE_REACH:] or self.looks.limits.explains:
            return False
        names = _names_at_end(before[-_LONGEST_TABLED:].lower())
        return not any(may_have_shape(name, head, 0, HEAD) for name in names)

    def scheme_start(self, lane: Lane, colon: int) -> int:
        """Give the start of the registered scheme before ``colon``, -1 without one."""
        if lane is _QUOTED:
            return self.text.rfind('"', 0, colon) + 1
        low = max(0, colon - _LONGEST_SCHEME - 1)
        first = low + len(self.text[low:colon].rstrip(SCHEME_CHARACTERS))
        name = self.text[first:colon]
        return first if len(name) <= _LONGEST_SCHEME and is_registered(name) else -1

    def is_free(self, start: int, end: int, *, is_plain_before: bool) -> bool:
        """Say that no rule asks about what stands before and behind a plain URL."""
        text = self.text
        if text[end] in "\r\n" and self.may_go_on(start, end):
            return False
        before = text[start - 1] if start else " "
        if before == "'" and text.find("'", start, end) >= 0:
            return False
        return (
            is_plain_before or before in _PLAIN_BEFORE or (before in _BLANKS and self._has_no_opener(start))
        )

    def may_go_on(self, start: int, end: int) -> bool:
        """Say that a URL which ends its line may go on on the next, where somebody asks."""
        if not self.looks_on:
            return False
        limits = self.looks.limits
        return _continuation()(self.text, Span(start, end), limits, is_whole=self.is_whole) != ""

    def _has_no_opener(self, start: int) -> bool:
        """Say that before ``start``, but for blanks and a prefix, no bracket opens and no "://" ends."""
        text, low = self.text, max(0, start - 124)
        at = text.rfind("://", low, start)
        if at >= 0 and text[at + 3] in _BLANKS:
            return False
        at = text.rfind("<", low, start)
        if at >= 0 and not text[at + 1 : start].strip(_GAP_CHARACTERS):
            return False
        return not text[low:start].rstrip().endswith("&lt;")

    def takes_broken(self, lane: Lane, colon: int, end: int) -> bool:
        """Join a wrapper whose breaks no rule asks about."""
        text = self.text
        if lane is _BROKEN_WRAPPER or lane is _CHECKED_BROKEN_WRAPPER:
            form, before, start = _IN_WRAPPER, colon - 4, colon + 1
        else:
            form, before = _IN_ANGLES, text.rfind("<", max(self.last, colon - 33), colon)
            start = before + 1
            if before < 0 or _NAME.fullmatch(text, start, colon) is None:
                return False
        if not self.joins_lines or end - start > self.looks.limits.max_chars:
            return False
        raw: str | None = text[start : end - 1]
        if raw and ("=3D" in raw or _SOFT_BREAK.search(raw)):
            return False
        if lane in _CHECKED_BROKEN:
            raw = self.unquoted(text[start : end - 1], before)
        url = "".join(raw.split()) if raw else ""
        return _is_plainly_joined(url, form) and self.take(before, end, form, url)

    def unquoted(self, raw: str, at: int) -> str | None:
        """Take the quote marks from the lines of ``raw``, whose bracket opens at ``at``.

        None where anything but ">" may be a prefix there, and where a record would say of a mark or
        of a hyphen what no lane knows.
        """
        start = line_start(self.text, at)
        head = "" if start is None else self.text[start:at]
        if start is None or not head.isascii() or ("-\n" in raw and not self.looks.keeps_hyphens):
            return None
        prefix = opening_prefix(head)
        others = prefix.strip("> ")
        if ">" not in raw:
            begun = {line.lstrip()[0] for line in raw.split("\n")[1:]} if others else set()
            return None if begun & {"*", *(mark[0] for mark in others.split())} else raw
        depth = prefix.count(">")
        if others or not self.alone or any(marks.count(">") > depth for marks in _MARKS.findall(raw)):
            return None
        return raw.replace(">", "")

    def takes_host(self, lane: Lane, start: int, end: int) -> bool:
        """Take a plain abbreviated URL, if no rule asks about what stands round it."""
        text = self.text
        url = text[start : end - 1].rstrip(AFTER_BARE)
        stop = start + len(url)
        is_quoted = text[start - 1 : start] == '"' and not (
            text[stop] in "\r\n" and self.may_go_on(start, stop)
        )
        if len(url) >= LONGEST_HOST or not (
            is_quoted or self.is_free(start, stop, is_plain_before=lane is _FREE)
        ):
            return False
        return self.take(start, stop, _SHORT, short_url(url))


@lru_cache(maxsize=1024)
def _names_at_end(before: str) -> tuple[str, ...]:
    """Return the schemes of the table with which ``before``, in lower case, may end."""
    return tuple(name for name in SCHEMES if before.endswith(name))


@cache
def _continuation() -> Callable[..., str | None]:
    from urlextract.scanner.runs_on import continuation  # noqa: PLC0415 - URLs alone need no other readings

    return continuation


def short_url(text: str) -> str:
    """Give the URL of a host that begins with www or ftp."""
    return ("ftp://" if text[2] in "pP" else "http://") + text


def _is_plainly_joined(url: str, form: Form) -> bool:
    """Say that a joined URL is sound by the rules of its form."""
    count = url.count("://")
    if count:
        return count == 1 and OWN_AUTHORITY.match(url) is not None
    name, _, rest = url.partition(":")
    if form is _IN_WRAPPER:
        return _HAS_WORD.search(rest) is not None and rest_fault(rest) is None
    return has_shape(name, rest)
