"""One pass over what has come in: what it holds, in the order of the text."""

from __future__ import annotations

import re

from urlextract.grammar.registry import has_shape, is_registered
from urlextract.records import Form
from urlextract.scanner.bare import HEAD, OWN_AUTHORITY
from urlextract.scanner.hits import Hit, Look, Looks, Pass
from urlextract.scanner.lanes import (
    COLON,
    COLON_LANES,
    DOT,
    DOT_LANES,
    EVERY_COLON,
    EVERY_COLON_LANES,
    Lane,
)

__all__ = ["read_pass"]

_SCHEME = re.compile(r"(?<![A-Za-z0-9+.-])[A-Za-z][A-Za-z0-9+.-]{0,31}\Z")
_HAS_WORD = re.compile(r"[A-Za-z0-9]")
# Members are looked up once: of an enum that costs as much as the rest of a hit.
_FREE, _ANGLE, _WRAPPER, _QUOTED = Lane.FREE, Lane.ANGLE, Lane.WRAPPER, Lane.QUOTED
_CHECKED, _CHECKED_ANGLE = Lane.CHECKED, Lane.CHECKED_ANGLE
_BROKEN_ANGLE, _BROKEN_WRAPPER = Lane.BROKEN_ANGLE, Lane.BROKEN_WRAPPER
_IN_ANGLES, _IN_WRAPPER, _IN_QUOTES = Form.ANGLE, Form.URL_WRAPPER, Form.QUOTED
_BARE, _SHORT = Form.BARE, Form.ABBREVIATED
_FAST_LINES = 9  # as many as the lanes for broken wrappers take
_NEVER = 1 << 62
_PLAIN_BEFORE = frozenset("('=,[{!$&?@^`+")
_BLANK_BEFORE = frozenset(" \t\n\r\v\f")
_GAP_CHARACTERS = " \t\n\r\v\f\xa0\x85>|#;%*:/.'\"\\"  # at most these stand between "<" and what it opens


class _Reader:
    """The state of one pass: what was taken, and where the next dot is."""

    __slots__ = (
        "alone",
        "dot",
        "dots",
        "has_lanes",
        "hits",
        "is_whole",
        "joins_lines",
        "last",
        "looks",
        "text",
        "urls",
    )

    def __init__(self, text: str, last: int, looks: Looks, *, is_whole: bool, lanes: bool) -> None:
        self.text, self.last, self.looks, self.is_whole = text, last, looks, is_whole
        self.has_lanes = lanes
        self.alone = looks.joined is not None
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

    def read_colon(self, lane: Lane, back: int, colon: int, end: int) -> bool:
        """Read what the first lanes have not taken; false where more text is needed."""
        text = self.text
        if lane is _CHECKED:
            first = colon - back if back else self.scheme_start(colon)
            if first >= self.last:
                if self.is_free(first, end):
                    return self.take(first, end, _BARE, text[first:end])
                if first > self.last and text[end] == text[first - 1] == '"':
                    return self.take(first - 1, end + 1, _IN_QUOTES, text[first:end])
        elif lane is _CHECKED_ANGLE:
            first = self.scheme_start(colon)
            if first > self.last and text[first - 1] == "<":
                return self.take(first - 1, end, _IN_ANGLES, text[first : end - 1])
        return self.look(self.looks.colon, colon)

    def scheme_start(self, colon: int) -> int:
        """Give the start of the registered scheme before ``colon``, -1 without one."""
        match = _SCHEME.search(self.text, max(self.last, colon - 33), colon)
        return match.start() if match and is_registered(match.group()) else -1

    def is_free(self, start: int, end: int) -> bool:
        """Say that no rule asks about what stands before and behind a plain URL."""
        text = self.text
        if text[end] in "\r\n" and self.looks.limits.looks_on:
            return False
        before = text[start - 1] if start else " "
        return before in _PLAIN_BEFORE or (before in _BLANK_BEFORE and self._has_no_opener(start))

    def _has_no_opener(self, start: int) -> bool:
        """Say that no bracket opens before ``start``, with blanks and a quote prefix between at most."""
        text, low = self.text, max(0, start - 124)
        at = text.rfind("<", low, start)
        if at >= 0 and not text[at + 1 : start].strip(_GAP_CHARACTERS):
            return False
        return not text[low:start].rstrip().endswith("&lt;")

    def read_broken(self, lane: Lane, colon: int, end: int, last: int) -> bool:
        """Join a wrapper whose breaks no rule asks about; false where one might."""
        text = self.text
        if lane is _BROKEN_WRAPPER:
            form, before = _IN_WRAPPER, colon - 4
            start = colon + (2 if text[colon + 1] in " \t\n\r" else 1)
        else:
            form, before = _IN_ANGLES, text.rfind("<", max(last, colon - 8), colon)
            start = before + 1
            if before < 0 or not text[start:colon].isalnum():
                return False
        if not self.joins_lines or end - start > self.looks.limits.max_chars:
            return False
        url = "".join(text[start : end - 1].split())
        return _is_plainly_joined(url, form) and self.take(before, end, form, url)

    def start_dots(self, at: int) -> int:
        """Begin to look for dots at ``at``; give where the first one's host would begin."""
        self.dots = DOT.finditer(self.text, at)
        self.dot = next(self.dots, None)
        return self.dot.start() - 3 if self.dot else _NEVER

    def dot_place(self) -> int:
        """Give the place of the dot that waits for more text."""
        return self.dot.start() if self.dot else len(self.text)

    def read_dots(self, before: int) -> int:
        """Read the hosts that begin before ``before``; give the next one's place, -1 for more text."""
        while self.dot:
            dot, end = self.dot.span()
            start = dot - 3
            if start >= before:
                return start
            lane = DOT_LANES[self.dot.lastindex or 0] if self.has_lanes else Lane.PLACE
            if start < self.last:
                if end > self.last:
                    self.start_dots(max(dot + 1, self.last))
                    continue
            elif lane is Lane.PLACE or not self.read_host(lane, start, end):
                if not self.look(self.looks.dot, dot):
                    return -1
                self.start_dots(max(dot + 1, self.last))
                continue
            self.dot = next(self.dots, None)
        return _NEVER

    def read_host(self, lane: Lane, start: int, end: int) -> bool:
        """Take a plain abbreviated URL, if no rule asks about what stands round it."""
        text = self.text
        if end - start >= HEAD or (text[end] in "\r\n" and self.looks.limits.looks_on):
            return False
        if lane is _CHECKED and text[start - 1 : start] != '"' and not self.is_free(start, end):
            return False
        scheme = "ftp://" if text[start + 2] in "pP" else "http://"
        return self.take(start, end, _SHORT, scheme + text[start:end])


def _is_plainly_joined(url: str, form: Form) -> bool:
    """Say that a joined URL is sound by the rules of its form."""
    count = url.count("://")
    if count:
        return count == 1 and OWN_AUTHORITY.match(url) is not None
    name, _, rest = url.partition(":")
    return _HAS_WORD.search(rest) is not None if form is _IN_WRAPPER else has_shape(name, rest)


def read_pass(  # noqa: C901, PLR0912, PLR0915 - the one hot loop: a call for each hit would double its time
    text: str, start: int, last: int, looks: Looks, *, is_whole: bool, lanes: bool = True
) -> Pass:
    """Read ``text`` from ``start`` on; ``last`` is the end of the last place taken.

    ``is_whole`` says that no more text follows; ``lanes`` is false to have every
    place read by the rules alone. The lanes that most hits take are read here, all
    else in functions.
    """
    reader = _Reader(text, last, looks, is_whole=is_whole, lanes=lanes)
    alone, looks_on = reader.alone, looks.limits.looks_on
    take, take_url = reader.hits.append, reader.urls.append
    pattern, table = (COLON, COLON_LANES) if lanes else (EVERY_COLON, EVERY_COLON_LANES)
    free, angle, wrapper, quoted = _FREE, _ANGLE, _WRAPPER, _QUOTED
    broken_angle, broken_wrapper = _BROKEN_ANGLE, _BROKEN_WRAPPER
    bare_form, angle_form, wrapper_form, quoted_form = _BARE, _IN_ANGLES, _IN_WRAPPER, _IN_QUOTES
    dot_at = reader.start_dots(start)
    goes_on = True
    while goes_on:
        goes_on = False
        for match in pattern.finditer(text, start):
            lane, back = table[match.lastindex]  # type: ignore[index]  # every lane is a group
            colon, end = match.span()
            if dot_at < colon:
                reader.last = last
                dot_at = reader.read_dots(colon)
                last = reader.last
                if dot_at < 0:
                    return Pass(reader.hits, reader.urls, reader.dot_place(), last)
            if colon < last:
                if end <= last:
                    continue
                start, goes_on = last, True  # a match may not hide what stands behind ``last``
                break
            first = colon - back
            if lane is free and not (looks_on and text[end] in "\r\n"):
                last = end
                take_url(text[first:end]) if alone else take((first, end, bare_form, None))
            elif lane is angle:
                last = end
                take_url(text[first : end - 1]) if alone else take((first - 1, end, angle_form, None))
            elif lane is wrapper:
                last = end
                first = colon + (2 if text[colon + 1] in " \t\n\r" else 1)
                take_url(text[first : end - 1]) if alone else take((colon - 4, end, wrapper_form, None))
            elif lane is quoted and first > last and text[end] == '"':
                last = end + 1
                take_url(text[first:end]) if alone else take((first - 1, last, quoted_form, None))
            elif (lane is broken_angle or lane is broken_wrapper) and reader.read_broken(
                lane, colon, end, last
            ):
                last = end
            else:
                reader.last = last
                if not reader.read_colon(lane, back, colon, end):
                    return Pass(reader.hits, reader.urls, colon, last)
                last = reader.last
                start = max(colon + 1, last)
                if start != end:
                    goes_on = True
                    break
    reader.last = last
    if dot_at < _NEVER and reader.read_dots(_NEVER) < 0:
        return Pass(reader.hits, reader.urls, reader.dot_place(), reader.last)
    # A colon at the very end is none of the pattern's: what follows it may make it one.
    done = len(text) - (text.endswith(":") and not is_whole)
    return Pass(reader.hits, reader.urls, done, reader.last)
