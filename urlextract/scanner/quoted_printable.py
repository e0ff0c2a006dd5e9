"""Undecoded quoted-printable (RFC 2045, section 6.7): archives without headers, pasted sources.

A "=" at the end of a line, or "=3D", is part of the URL as often as not. It is an escape if the
lines around it show that: full lines that end in "=", other escapes, and no "=" that is not an
escape. Those lines are read within fixed bounds, so the result does not depend on slices.
"""

from __future__ import annotations

import re

from urlextract.grammar.backslashes import QUOTED_BREAK, SOFT_END
from urlextract.grammar.codes import DefectCode
from urlextract.grammar.marks import END_MARKS, FREE_MARKS, MARKS_AND_BLANKS
from urlextract.grammar.patterns import lazy_re
from urlextract.grammar.registry import is_registered
from urlextract.linebreaks.prefixes import used_prefix
from urlextract.records import Defect, Match, Span
from urlextract.scanner.buffer import (
    QUOTED_AFTER,
    QUOTED_BEFORE,
    Buffer,
    MoreNeeded,
    line_prefix,
    line_start,
    paragraph_end,
    paragraph_start,
)

# The defect of a URL with a possible escape, if the lines around it do not show which it is
_UNDECODED = Defect(DefectCode.UNDECODED_QUOTED_PRINTABLE, "undecoded quoted-printable")

_LONGEST_LINE = 91  # characters, with the line end: RFC 2045 has 78, and quote prefixes are added later
_UTF_8 = r"[C-F][0-9A-F]=[89AB][0-9A-F]"
_BLANK = r"20(?![0-9A-Za-z&])"
# What makes the first "=" of a URL an escape; "=20" and those of UTF-8 occur in other URLs, too.
_KNOWN = rf"3D|{SOFT_END}|{_BLANK}|{_UTF_8}"
_ESCAPED = lazy_re(
    rf'[^\x00-\x20<>"`\x7f=]*+(?>(?:=(?!{_KNOWN})[0-9A-F]{{2}}[^\x00-\x20<>"`\x7f=]*+){{0,20}})=(?:{_KNOWN})'
)
# What quoted-printable does not contain: it ends the lines that are read
_STOP = lazy_re(rf"[^\t\n\r -~]|(?m:^)[^\r\n]{{{_LONGEST_LINE},}}+|=(?![0-9A-F]{{2}}|{SOFT_END})")
_FULL = rf"(?<=[^\r\n]{{59}}=){SOFT_END}(?=[ \t]{{0,40}}[!-~])"
# Escapes of a sign, of UTF-8, of a line end before a soft one, or of a Latin-1 letter inside a word
_SURE = (
    rf"(?:=(?:3D|20(?=\s|\Z)|{_UTF_8}|0A(?=={SOFT_END}))"
    r"|(?<=[A-Za-z])(?>(?:=[C-F][0-9A-F])+)(?=[a-z])(?![0-9a-f]{2}))"
)
_BLANK_AT_END = "=20"
_ESCAPE = lazy_re(_SURE)
_SIGN = lazy_re(rf"(?P<escape>{_SURE})|{_FULL}")
_ESCAPED_SIGN = lazy_re(r"=3D(?=[\w%])")
# A "=" at a line end in a query usually ends a parameter; two of them are base64.
_AFTER = rf"[{re.escape(END_MARKS)}*-]{{0,9}}+"  # marks that a URL does not end in; a bracket ends it
_SOFT_BREAK = lazy_re(rf"{_AFTER}={SOFT_END}{MARKS_AND_BLANKS}{{0,40}}+[a-z0-9/]")
_OPEN_BREAK = lazy_re(rf"{_AFTER}(?:=[ \t]{{0,2}}(?:\r?\Z|\r?\n{MARKS_AND_BLANKS}{{0,40}}+))?\Z")
_OPEN_RUN = lazy_re(r'[^\x00-\x20<>"`\x7f]*+(?:(?<==)[ \t]{0,2}\r?)?\Z')  # up to the end of the text so far
_BREAK = lazy_re(QUOTED_BREAK)
_LINE_END = lazy_re(SOFT_END)
_LONGEST_ESCAPE = 3
_NAME = r"[A-Za-z][A-Za-z0-9+.-]{0,20}"
_SPLIT_NAME = lazy_re(
    rf"(?<![A-Za-z0-9+.-])({_NAME})={SOFT_END}{MARKS_AND_BLANKS}{{0,40}}+([A-Za-z0-9+.-]{{0,20}})\Z"
)
SPLIT_SCHEME = lazy_re(rf"{_NAME}+(?::/{{0,2}})?={SOFT_END}")
"""A ``scheme://`` that a possible soft line break splits."""

_LONGEST_SPLIT = 100  # characters: a name, the end of its line, a quote prefix
_BEFORE_SPLIT = frozenset(FREE_MARKS + "\n \t")
_PREFIX = lazy_re(rf"{MARKS_AND_BLANKS}{{0,40}}")


def may_be_escaped(url: str) -> bool:
    """Return whether ``url`` ends in "=", or its first "=" may be an escape of quoted-printable."""
    return url[-1] == "=" or _ESCAPED.match(url) is not None


def may_be_quoted(buffer: Buffer, start: int) -> bool:
    """Return whether the URL at ``start`` has a possible escape of quoted-printable."""
    escaped = _ESCAPED.match(buffer.text, start, start + QUOTED_AFTER)
    if escaped:
        buffer.need(1, escaped.end())
        return True
    if not buffer.is_whole and buffer.size - start < QUOTED_AFTER and _OPEN_RUN.match(buffer.text, start):
        raise MoreNeeded
    return False


def is_quoted_printable(buffer: Buffer, start: int, end: int) -> bool:
    """Return whether the lines around the URL at ``start:end`` are quoted-printable.

    A sign is an escape or a soft break after a full line. Two signs are needed. One must be an
    escape, and one must be outside the URL or "=20". Two escapes in a broken URL are also enough,
    and so are an escape and a full line without an invalid "=" after them. For a URL without "=3D"
    and soft breaks, both signs must be outside it, and a "=20" that may end a query does not count.
    """
    text, first = buffer.text, paragraph_start(buffer.text, max(0, start - QUOTED_BEFORE), start)
    most = min(buffer.size, start + QUOTED_AFTER)
    latest = paragraph_end(text, start, most)
    is_complete = buffer.is_decided(end) or latest < most or most == start + QUOTED_AFTER
    if is_complete and _next_escape(buffer, first) >= latest:
        return False
    line, line_end = max(first - 1, text.rfind("\n", first, start)), text.find("\n", start, latest)
    if (line_end if line_end >= 0 else latest) - line > _LONGEST_LINE:
        return False
    earliest = first
    for stop in _STOP.finditer(text, first, start + _LONGEST_ESCAPE):  # it may end at the URL
        earliest = stop.end() if stop.start() < start else earliest
    after = _STOP.search(text, start, latest)
    is_open = not is_complete and (not after or text.find("\n", after.start()) < 0)
    latest = after.start() if after else latest
    if is_open:  # the length of an unfinished line is not known
        latest = min(latest, text.rfind("\n", start, latest) + 1)
    signs = escapes = 0
    is_outside, is_broken = False, _BREAK.search(text, start, end) is not None
    is_weak, has_query = not is_broken and text.find("=3D", start, end) < 0, text.find("?", start, end) >= 0
    for sign in _SIGN.finditer(text, earliest, latest + _LONGEST_LINE):
        at, is_blank = sign.start(), sign[0] == _BLANK_AT_END
        if at >= latest:
            break
        is_inside = start <= at < end
        words = text[max(first, at - _LONGEST_LINE) : at].split()
        may_end_query = is_blank and (has_query or not words or "?" in words[-1])
        if is_weak and (is_inside or may_end_query):
            continue
        signs += 1
        escapes += sign["escape"] is not None
        is_outside = is_outside or not is_inside or is_blank
        if (is_outside and signs > 1 and escapes) or (is_broken and escapes > 1):
            return True
    if is_open:
        raise MoreNeeded
    return signs > 1 and 0 < escapes < signs and not (is_weak or (after and after[0] == "="))


def _next_escape(buffer: Buffer, start: int) -> int:
    """Return where the next escape begins, or the end of the text; no stretch is searched twice."""
    begin, end = buffer.no_escape
    if not begin <= start <= end:
        match = _ESCAPE.search(buffer.text, start)
        buffer.no_escape = begin, end = start, match.start() if match else buffer.size
    return end


def split_name(buffer: Buffer, start: int, colon: int) -> tuple[int, int] | None:
    """Return the start of a scheme that a soft line break splits, and its length without the break.

    It ends before ``colon``; ``start`` is where its second part begins. Return None if there is none.
    """
    text = buffer.text
    if start <= buffer.last or text[start - 1] not in _BEFORE_SPLIT or is_registered(text[start:colon]):
        return None
    match = _SPLIT_NAME.search(text, max(buffer.last, start - _LONGEST_SPLIT), colon)
    name = match[1] + match[2] if match else ""
    return (match.start(), len(name)) if match and is_registered(name) else None


def break_limit(text: str, start: int, end: int, *, joins: bool) -> int:
    """Return where the URL at ``start`` must end, or ``end``.

    It ends before a line whose quote prefix has other marks, or more blanks, than its own.
    A prefix with fewer blanks is accepted. Without ``joins`` the URL ends with its line.
    """
    line = line_start(text, start)
    match = None if line is None else _PREFIX.match(text, line, start)
    prefix = match.group() if match else ""
    for soft in _BREAK.finditer(text, start, end):
        marks = soft["prefix"]
        if not joins or marks.split() != prefix.split() or len(marks) > len(prefix):
            return soft.start()
    return end


def with_quoted_printable(buffer: Buffer, match: Match) -> Match:
    """Return the match of a bracket, marked as quoted-printable, or with a defect if that is unsure."""
    raw, (start, end) = match.raw, match.inner
    if "=" not in raw or match.escapes or not _ESCAPED.match(raw + "\n", 0, QUOTED_AFTER):
        return match
    if not is_quoted_printable(buffer, start, end):
        return with_doubt(buffer, match)
    prefix = match.prefix or used_prefix(raw, line_prefix(buffer.text, start))
    if raw[-1] == "=" and _LINE_END.match(buffer.text, end):  # a soft break before the closing bracket
        raw = raw[:-1]
    raw = raw.removesuffix(_BLANK_AT_END)
    inner = Span(start, start + len(raw))
    return match._replace(escapes="quoted-printable", prefix=prefix, raw=raw, inner=inner)


def with_doubt(buffer: Buffer, match: Match, *, is_split: bool = False) -> Match:
    """Return the match, with the defect if it ``is_split``, has "=3D", or seems to go on after a soft break.

    A match is split if a soft line break may divide its scheme.
    """
    raw, text, end = match.raw, buffer.text, match.inner.end - match.raw.endswith("=")
    if not (is_split or _ESCAPED_SIGN.search(raw)):
        if "?" in raw or "=" in raw[:-1]:
            return match
        if not buffer.is_whole and _OPEN_BREAK.match(text, end):
            raise MoreNeeded
        if not _SOFT_BREAK.match(text, end):
            return match
    return match._replace(defects=(*match.defects, _UNDECODED))
