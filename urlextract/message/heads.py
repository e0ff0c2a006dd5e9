"""Heads of messages and parts, as bytes: their fields, and lines that are none (RFC 5322, section 2.2).

One pattern passes over all fields that are never read, or have no sign of a URL: so the head of most messages
takes one or two matches.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from urlextract.grammar.patterns import lazy_re
from urlextract.grammar.registry import NAMES_WITHOUT_SLASHES, by_length

# A colon, a dot or "=" is the sign of a URL only in these contexts. The schemes are
# those of ours that do not need "//"; all others need it. An address, as in
# "joe@www.example.org", is no URL.
_NAMES = ("url", *NAMES_WITHOUT_SLASHES)
_LAST_LETTERS = "".join(sorted({name[-1] for name in _NAMES}))
_NO_NAMES = "".join(rf"(?<!(?i:{group}):)" for _, group in by_length(_NAMES))
_COLON = (
    rf":(?!\\?/\\?/)(?:(?<=[^A-Za-z0-9]:)|(?<![{_LAST_LETTERS}{_LAST_LETTERS.upper()}]:)|{_NO_NAMES})"
).encode()
_DOT = rb"\.(?:(?<![wWpP]\.)|(?<!(?i:www|ftp)\.)|(?<=[A-Za-z0-9@](?i:www|ftp)\.))"
_NO_SIGN = rb"%s|%s|=(?!\?)" % (_COLON, _DOT)
# Up to the first sign, or to the bound, for each turn takes memory.
_SIGNLESS = lazy_re(rb"[^:.=]*+(?:(?:%s)[^:.=]*+){0,4000}" % _NO_SIGN)

# First letters are separate, so that the engine sees at once which names are possible.
_UNREAD_NAMES = (
    rb"[rR](?i:eceived|eturn-path|eferences|esent-message-id)|[mM](?i:essage-id|ime-version)"
    rb"|[cC](?i:ontent-(?:id|disposition))|[dD](?i:kim-[!-9;-~]*+|omainkey-signature)"
    rb"|[xX](?i:ref|-received|-google-dkim-[!-9;-~]*+|-authentication-results|-original-message-id)"
    rb"|[aA](?i:rc-[!-9;-~]*+|uthentication-results)|[iI](?i:n-reply-to)|[nN](?i:ewsgroups)"
    rb"|[wW](?i:arc-(?:[a-z-]{1,20}-id|concurrent-to|refers-to|[a-z]{1,20}-digest))"
    rb"|[fF](?i:ollowup-to)|[sS](?i:upersedes)|[pP](?i:ath)|[oO](?i:riginal-message-id)"
)
_TYPE_NAMES = rb"[cC](?i:ontent-t(?:ype|ransfer-encoding))"
_VALUE = rb"[^\n]*+(?>(?:\n[ \t][^\n]*+)*)"

# Names that nearly all heads have are not tested for schemes, and a date in the form of RFC 5322, section
# 3.3, is not searched.
_COMMON_NAME = rb"(?:From|To|Subject|Cc|Sender|Reply-To|X-[A-Z][!-9;-~]*+):(?!\\?/\\?/)"
_DATE = (
    rb"Date: (?:[A-Z][a-z]{2}, )?[0-9 ]?[0-9] [A-Z][a-z]{2} [0-9]{4} [0-9:]{5,8} [+-][0-9]{4}(?=\n(?![ \t]))"
)
_SIGNLESS_FIELD = rb"(?:%s|(?=[!-9;-~]++:))[^:.=\n]*+(?>(?:(?:%s|\n(?=[ \t]))[^:.=\n]*+){0,400})" % (
    _COMMON_NAME,
    _NO_SIGN,
)
# Captures the type and the encoding of the body, and stops before a second one of either.
_WALK = lazy_re(
    rb"(?>(?:(?:(?:%s):%s" % (_UNREAD_NAMES, _VALUE)
    + rb"|[cC](?i:ontent-t)(?:(?i:ype):(?(1)(?!)|(%s))" % _VALUE
    + rb"|(?i:ransfer-encoding):(?(2)(?!)|(%s)))" % _VALUE
    + rb"|%s|(?!%s:)%s)\n){0,300})" % (_DATE, _TYPE_NAMES, _SIGNLESS_FIELD)
)

FIELD = lazy_re(rb"([!-9;-~]++):(%s)\n" % _VALUE)
"""Any field. RFC 5322, section 2.2: its name is printable ASCII without the colon."""

_IS_UNREAD = lazy_re(rb"(?:%s|%s)" % (_UNREAD_NAMES, _TYPE_NAMES))

# What continues no field, has no name before its colon, or is a postmark.
_STRAY = lazy_re(rb"(?:(From )|[ \t:])[^\n]*+\n(?:[ \t][^\n]*+\n)*")
# RFC 822 allowed blanks before the colon: they are moved behind it.
_SPACED_NAME = lazy_re(rb"^([A-Za-z][A-Za-z0-9-]{0,60})([ \t]{1,9}):", re.MULTILINE)
# The line end before a line that is no field, such as a continuation that has lost its blank. One with a URL
# goes on the line before only if that is not finished: it might become part of a field that is not read.
_UNCONTINUED = lazy_re(rb"\n(?![!-9;-~]*+:|[ \t\n])(?:(?<=[,;:]\n)|(?![^\n]*?(?::/|www\.)))(?=[^\n])")
_READING = lazy_re(
    rb"\n(?i:content-t(?:ype|ransfer-encoding)|mime-version):[^\n]*+(?>(?:(?<=[:;])\n[^\n]++)*)"
)
_BOUNDARY = lazy_re(rb"\bboundary=\"?([^\"\s;]++)", re.IGNORECASE)
_LARGEST_MENDED = 1 << 16  # bytes


class Field(NamedTuple):
    """An undecoded field; its value begins ``start`` bytes after the beginning of the head."""

    name: bytes
    value: bytes
    start: int


class Fields(NamedTuple):
    """The fields of a head.

    ``head`` is all of them, after a line end, and ``end`` where they end. It stands at the offset ``place``
    of the source, if it stands there as it is. ``urls`` may hold URLs; ``kinds`` and ``transfers`` are the
    values of Content-Type and Content-Transfer-Encoding; ``strays`` the spans of lines that are neither
    fields nor body.
    """

    head: bytes
    end: int
    place: int | None
    urls: list[Field]
    kinds: list[bytes]
    transfers: list[bytes]
    strays: list[tuple[int, int]]


@lru_cache(maxsize=64)
def fields_named(names: bytes) -> re.Pattern[bytes]:
    """Return the pattern of the fields of these names, which are alternatives, in a head after a line end."""
    return re.compile(rb"\n((?i:%s)):(%s)" % (names, _VALUE))


def value_of(name: bytes, head: bytes) -> bytes:
    r"""Return the value of the first field of that name in a head after a line end, b"" if there is none.

    >>> value_of(b"content-type", b"\nSubject: x\nContent-Type: text/html;\n charset=x\n")
    b' text/html;\n charset=x'
    """
    field = fields_named(name).search(head)
    return field[2] if field else b""


@lru_cache(maxsize=4096)
def _is_unread(name: bytes) -> bool:
    return _IS_UNREAD.fullmatch(name) is not None


def is_signless(value: bytes) -> bool:
    """Return whether a value has no sign of a URL; ``fullmatch`` would backtrack where it has one."""
    signless = _SIGNLESS.match(value)
    return signless is None or signless.end() == len(value)


def read_head(data: bytes, start: int, end: int, place: int | None, *, reads_all: bool) -> Fields:
    """Read the head in ``data[start:end]``, before which there is a line end; mend it if it is odd.

    ``place`` is its offset in the source, None if it has changed. With ``reads_all`` fields without a sign
    of a URL are among ``urls``, too.
    """
    if data.startswith(b"\n", end - 1):
        fields = _read_fields(data, start, end, place, reads_all=reads_all)
        if fields.end == end and not fields.strays:
            return fields
    head = data[start - 1 : end].replace(b"\r", b" ")
    head = _SPACED_NAME.sub(rb"\1:\2", head if head.endswith(b"\n") else head + b"\n")
    fields = _read_fields(head, 1, len(head), place, reads_all=reads_all)
    if fields.end < len(head) and (joined := _joined(head, fields)):
        fields = _read_fields(joined, 1, len(joined), None, reads_all=reads_all)
    shift = start - 1
    strays = [(shift + begin, min(shift + stop, end)) for begin, stop in fields.strays]
    return fields._replace(end=shift + fields.end, strays=strays)


def _read_fields(data: bytes, start: int, end: int, place: int | None, *, reads_all: bool) -> Fields:
    """Read the fields in ``data[start:end]``, up to a line that is neither a field nor a stray one."""
    urls: list[Field] = []
    kinds: list[bytes] = []
    transfers: list[bytes] = []
    strays: list[tuple[int, int]] = []
    at = start
    while at < end:
        walk = None if reads_all else _WALK.match(data, at, end)
        if walk and walk.end() > at:
            at = walk.end()
            kind, transfer = walk.groups()
            if kind is not None:
                kinds.append(kind)
            if transfer is not None:
                transfers.append(transfer)
            continue
        field = FIELD.match(data, at, end)
        if field is None:
            stray = _STRAY.match(data, at, end)
            if stray is None or (stray[1] and stray.end() == end and at > start):  # "From ..." of a body
                break
            begin = strays.pop()[0] if strays and strays[-1][1] == at else at
            at = stray.end()
            strays.append((begin, at))
            continue
        at, (name, value) = field.end(), field.groups()
        lower = name.lower()
        if lower == b"content-type":
            kinds.append(value)
        elif lower == b"content-transfer-encoding":
            transfers.append(value)
        elif not _is_unread(name):
            value = value.lstrip(b" \t")
            urls.append(Field(name, value, at - 1 - len(value) - start))
    return Fields(data[start - 1 : at], at, place, urls, kinds, transfers, strays)


def _joined(head: bytes, fields: Fields) -> bytes:
    """Return a head in which lines that are no fields go on the line before, b"" if they are its end.

    They are not if a field that says how to read the body comes after them, before a boundary line of the
    head's own.
    """
    boundary = _BOUNDARY.search(fields.kinds[0]) if fields.kinds else None
    limit = head.find(b"--" + boundary[1], fields.end) if boundary else -1
    limit = limit if limit >= 0 else len(head)
    has_fields = fields.end - 1 > sum(end - start for start, end in fields.strays)
    readings = list(_READING.finditer(head, 0, limit)) if len(head) < _LARGEST_MENDED else []
    last = readings[-1].end() if readings and has_fields else 0
    if last <= fields.end:
        return b""
    return _UNCONTINUED.sub(b" ", head[:last]) + head[last:]
