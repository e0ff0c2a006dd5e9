"""Heads of messages and parts, as bytes: their fields, and lines that are none (RFC 5322, section 2.2).

Fields that are never read are skipped at once, and so is the whole head if no field has a
sign of a URL.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from urlextract.grammar.patterns import lazy_re
from urlextract.grammar.registry import NAMES_WITHOUT_SLASHES, by_length
from urlextract.message.content import content_of
from urlextract.source_lines import SourceLines

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
_SIGNLESS = re.compile(rb"[^:.=]*+(?:(?:%s|%s|=(?!\?))[^:.=]*+){0,4000}" % (_COLON, _DOT))
"""Matches up to the first sign of a URL, or to the bound, which limits memory."""

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

# What _SIGNLESS matches, within one field. Names that nearly all heads have are not tested for
# schemes, and a date in the form of RFC 5322, section 3.3, is not searched.
_SIGN_OF_NONE = rb"(?:%s|%s|=(?!\?)|\n(?=[ \t]))" % (_COLON, _DOT)
_COMMON_NAME = rb"(?:From|To|Subject|Cc|Sender|Reply-To|X-[A-Z][!-9;-~]*+):(?!\\?/\\?/)"
_DATE = (
    rb"Date: (?:[A-Z][a-z]{2}, )?[0-9 ]?[0-9] [A-Z][a-z]{2} [0-9]{4} [0-9:]{5,8} [+-][0-9]{4}(?=\n(?![ \t]))"
)
_SIGNLESS_FIELD = rb"(?:%s|(?=[!-9;-~]++:))[^:.=\n]*+(?>(?:%s[^:.=\n]*+){0,400})" % (
    _COMMON_NAME,
    _SIGN_OF_NONE,
)

WALK = lazy_re(
    rb"(?>(?:(?:(?:%s):%s" % (_UNREAD_NAMES, _VALUE)
    + rb"|[cC](?i:ontent-t)(?:(?i:ype):(?(1)(?!)|(%s))" % _VALUE
    + rb"|(?i:ransfer-encoding):(?(2)(?!)|(%s)))" % _VALUE
    + rb"|%s|(?!%s:)%s)\n){0,300})" % (_DATE, _TYPE_NAMES, _SIGNLESS_FIELD)
)
"""Skips fields without signs of URLs, or not read for any; captures the type and encoding of the body.

It stops before a second one of either, too."""

FIELD = lazy_re(rb"([!-9;-~]++):(%s)\n" % _VALUE)
"""Any field. RFC 5322, section 2.2: its name is printable ASCII without the colon."""


def fields_named(names: bytes) -> re.Pattern[bytes]:
    """Return the pattern of the fields of these names, which are alternatives, in a head after a line end."""
    return lazy_re(rb"\n((?i:%s)):(%s)" % (names, _VALUE))


def value_of(name: bytes, head: bytes) -> bytes:
    r"""Return the value of the first field of that name in a head, b"" if there is none.

    >>> value_of(b"content-type", b"Subject: x\nContent-Type: text/html;\n charset=x\n")
    b' text/html;\n charset=x'
    """
    field = fields_named(name).search(b"\n" + head)
    return field[2] if field else b""


_IS_UNREAD = lazy_re(rb"(?:%s|%s)" % (_UNREAD_NAMES, _TYPE_NAMES))


@lru_cache(maxsize=4096)
def is_unread(name: bytes) -> bool:
    """Return whether a field is one that is not read for URLs.

    >>> is_unread(b"DKIM-Signature"), is_unread(b"Subject")
    (True, False)
    """
    return _IS_UNREAD.fullmatch(name) is not None


def is_signless(value: bytes) -> bool:
    """Return whether a value has no sign of a URL; ``fullmatch`` would backtrack where it has one."""
    signless = _SIGNLESS.match(value)
    return signless is None or signless.end() == len(value)


# --- reading a head ------------------------------------------------------------------------------

_DROPPED = lazy_re(rb"(?:(From )|[ \t:])[^\n]*+\n(?:[ \t][^\n]*+\n)*")
# A field name with blanks before the colon, which RFC 822 allowed: they are moved behind it.
_SPACED_NAME = lazy_re(rb"^([A-Za-z][A-Za-z0-9-]{0,60})([ \t]{1,9}):", re.MULTILINE)
# The line end before a line that is no field, such as a continuation line without its blank; a field that
# says how to read the body; and its value, with lines that are no fields.
_STRAY = lazy_re(rb"\n(?![!-9;-~]*+:|[ \t\n])(?:(?<=[,;:]\n)|(?![^\n]*?(?::/|www\.)))(?=[^\n])")
_READING = lazy_re(rb"(?:\A|\n)(?i:content-t(?:ype|ransfer-encoding)|mime-version):")
_UNFINISHED = lazy_re(rb"\n?[^\n]*+(?>(?:(?<=[:;])\n[^\n]++)*)")
_LARGEST_MENDED = 1 << 16  # bytes


class Field(NamedTuple):
    """An undecoded header field; its value begins at ``start`` in the message, if that is known.

    ``lines`` are those of the source, if they are counted.
    """

    name: bytes
    value: bytes
    start: int | None = None
    lines: SourceLines | None = None


class Fields(NamedTuple):
    """The fields of a head, up to ``end`` in ``data``, which begins at ``shift`` in the message.

    ``urls`` are those that may hold URLs, ``kinds`` and ``transfers`` the values of Content-Type and
    Content-Transfer-Encoding, ``dropped`` the offsets of lines that are neither fields nor body.
    """

    data: bytes
    shift: int
    end: int
    urls: list[Field]
    kinds: list[bytes]
    transfers: list[bytes]
    dropped: list[tuple[int, int]]


def read_head(data: bytes, start: int, end: int, *, has_returns: bool, reads_all: bool) -> Fields:
    """Read the head in ``data[start:end]``; if it is odd, read a mended copy with the same offsets.

    With ``reads_all`` the fields without a sign of a URL are among those that may hold URLs, too.
    """
    if (data[end - 1 : end] == b"\n" or start == end) and not has_returns:
        fields = _read_fields(data, start, end, 0, reads_all=reads_all)
        if fields.end == end and not fields.dropped:
            return fields
    head = data[start:end].replace(b"\r", b" ")
    head = _SPACED_NAME.sub(rb"\1:\2", head if head.endswith(b"\n") else head + b"\n")
    fields = _read_fields(head, 0, len(head), start, reads_all=reads_all)
    mended = head if fields.end == len(head) else _joined(head, fields)
    if mended is not head:
        fields = _read_fields(mended, 0, len(mended), start, reads_all=reads_all)
    return fields


def _read_fields(data: bytes, start: int, end: int, shift: int, *, reads_all: bool) -> Fields:
    """Read the fields in ``data[start:end]``, up to a line that is none.

    Lines are dropped, and read as texts of their own: those that continue no field, those without a
    name before the colon, and postmarks.
    """
    fields = Fields(data, shift, end, [], [], [], [])
    at = start
    while at < end:
        walk = None if reads_all else WALK.match(data, at, end)
        if walk and walk.end() > at:
            at = walk.end()
            kind, transfer = walk.groups()
            if kind is not None:
                fields.kinds.append(kind)
            if transfer is not None:
                fields.transfers.append(transfer)
            continue
        field = FIELD.match(data, at, end)
        if field is None:
            line = _DROPPED.match(data, at, end)
            if line is None or (line.end() == end and line[1] and at > start):  # "From ..." in the body
                return fields._replace(end=at)
            begin = at + shift
            if fields.dropped and fields.dropped[-1][1] == begin:
                begin, _ = fields.dropped.pop()
            fields.dropped.append((begin, line.end() + shift))
            at = line.end()
            continue
        at, (name, value) = field.end(), field.groups()
        lower = name.lower()
        if lower == b"content-type":
            fields.kinds.append(value)
        elif lower == b"content-transfer-encoding":
            fields.transfers.append(value)
        else:
            stripped = value.lstrip(b" \t")
            fields.urls.append(Field(name, stripped, at - 1 - len(stripped) + shift))
    return fields


def _joined(head: bytes, fields: Fields) -> bytes:
    r"""Return a head without the line ends before lines that are no fields, if they are not its end.

    They are not if a field that says how to read the body comes after them, before a boundary line of the
    head's own. A line with a URL is joined only if the one before it ends in ",", ";" or ":". Otherwise the
    URL might become part of a field that is not read.
    """
    boundary = content_of(fields.kinds[0]).boundary if fields.kinds else None
    limit = head.find(b"--" + boundary, fields.end) if boundary else -1
    limit = limit if limit >= 0 else len(head)
    readings = list(_READING.finditer(head, 0, limit)) if len(head) < _LARGEST_MENDED else []
    last = _UNFINISHED.match(head, readings[-1].start(), limit) if readings else None
    has_fields = fields.end > sum(end - start for start, end in fields.dropped)
    if last is None or last.end() <= fields.end or not has_fields:
        return head
    return _STRAY.sub(b" ", head[: last.end()]) + head[last.end() :]
