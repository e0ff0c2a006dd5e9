"""Header fields of a message (RFC 5322, section 2.2) as text.

Fields that are never read are passed over in C, and so is the whole head where
no field has a sign of a URL.
"""

from __future__ import annotations

import binascii
import re
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from urlextract.message.charsets import decode, unify_line_ends

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = [
    "CONTENT",
    "FIELD",
    "FIRST_FIELD",
    "NO_FIELD",
    "READ",
    "WALK",
    "Field",
    "base_url",
    "decode_words",
    "field_text",
    "first_values",
    "is_unread",
    "may_hold_urls",
    "searchable_text",
    "unfolded",
]


class Field(NamedTuple):
    """A field as it stands: its value begins at ``start`` in the message, if that is known."""

    name: bytes
    value: bytes
    start: int | None = None


# A colon, a dot or "=" is the sign of a URL only in such company. The schemes are
# those of ours that may stand without "//"; all others need it. An address, as in
# "joe@www.example.org", is no URL.
_COLON = (
    rb":(?!//)(?:(?<=[^A-Za-z]:)|(?<![lmndspefotkIMLNDSPEFOTK]:)"
    rb"|(?<!(?i:im):)(?<!(?i:ur[ln]|sip|tel|[cm]id|afs|man):)(?<!(?i:news|sips|file|xmpp|info):)"
    rb"(?<!(?i:about|ghelp):)(?<!(?i:mailto):))"
)
_DOT = rb"\.(?:(?<![wWpP]\.)|(?<!(?i:www|ftp)\.)|(?<=[A-Za-z0-9@](?i:www|ftp)\.))"
_SIGNLESS = re.compile(rb"[^:.=]*+(?:(?:%s|%s|=(?!\?))[^:.=]*+){0,4000}" % (_COLON, _DOT))
"""Runs up to the first sign of a URL; the bound is one of memory, beyond it there may be one."""

# First letters stand alone, so that the engine sees at once which names it may be.
_UNREAD_NAMES = (
    rb"[rR](?i:eceived|eturn-path|eferences|esent-message-id)|[mM](?i:essage-id|ime-version)"
    rb"|[cC](?i:ontent-(?:id|disposition))|[dD](?i:kim-[!-9;-~]*+|omainkey-signature)"
    rb"|[xX](?i:ref|-received|-google-dkim-[!-9;-~]*+|-authentication-results|-original-message-id)"
    rb"|[aA](?i:rc-[!-9;-~]*+|uthentication-results)|[iI](?i:n-reply-to)|[nN](?i:ewsgroups)"
    rb"|[wW](?i:arc-(?:[a-z-]{1,20}-id|concurrent-to|refers-to|[a-z]{1,20}-digest))"
    rb"|[fF](?i:ollowup-to)|[sS](?i:upersedes)|[pP](?i:ath)|[oO](?i:riginal-message-id)"
)
_TYPE_NAMES = rb"[cC](?i:ontent-t(?:ype|ransfer-encoding))"
_UNREAD_NAME = rb"(?:%s|%s)" % (_UNREAD_NAMES, _TYPE_NAMES)

_VALUE = rb"[^\n]*+(?:\n[ \t][^\n]*+)*+"

# RFC 5322, section 2.2: names of fields are printable ASCII without the colon.
FIRST_FIELD = re.compile(rb"[!-9;-~]++:")
NO_FIELD = re.compile(rb"\n(?![!-9;-~]++:|[ \t])")
"""The end of a line of a head behind which another begins that is no field, nor goes on with one."""

CONTENT = re.compile(rb"\n[Cc](?i:ontent-t)((?i:ype|ransfer-encoding)):(%s)" % _VALUE)
"""The fields of a head that say how to read the body, but one at its very beginning."""

READ = re.compile(rb"(?:%s:%s\n){0,100}(?:([!-9;-~]++:%s)\n)?" % (_UNREAD_NAME, _VALUE, _VALUE))
"""Runs over fields that are not read for URLs to one that is, if there is one."""

# What _SIGNLESS takes, within one field.
_SIGN_OF_NONE = rb"(?:%s|%s|=(?!\?)|\n(?=[ \t]))" % (_COLON, _DOT)
_SIGNLESS_FIELD = rb"(?=[!-9;-~]++:)[^:.=\n]*+(?:%s[^:.=\n]*+){0,400}+" % _SIGN_OF_NONE

WALK = re.compile(
    rb"(?:(?:(?:%s):%s" % (_UNREAD_NAMES, _VALUE)
    + rb"|[cC](?i:ontent-t)(?:(?i:ype):(?(1)(?!)|(%s))" % _VALUE
    + rb"|(?i:ransfer-encoding):(?(2)(?!)|(%s)))" % _VALUE
    + rb"|(?!%s:)%s)\n){0,300}+" % (_TYPE_NAMES, _SIGNLESS_FIELD)
)
"""Runs over fields without signs of URLs, or not read for any; keeps the type and the encoding of the body.

It stops before a second one of either, too."""

FIELD = re.compile(rb"([!-9;-~]++):(%s)\n" % _VALUE)
"""Any field."""

# A text may be taken for a message because of its first lines: "http://..." and
# "<mailto:..." are no names of fields, and are read with what follows.
_IS_NAME = re.compile(rb"[A-Za-z0-9][A-Za-z0-9_.-]*+")
_SCHEMES = frozenset(b"mailto news urn sip sips tel cid mid afs man file xmpp info about ghelp im".split())

_IS_UNREAD = re.compile(_UNREAD_NAME)

# RFC 2047, section 2
#   encoded-word = "=?" charset "?" encoding "?" encoded-text "?="
# and RFC 2231, section 5: charset *( "*" language ). A "?" inside is not allowed,
# but URLs with one are sent so; blanks in it are the work of careless folding.
_WORD = re.compile(r"=\?([^?*\s]++)(?:\*[^?\s]*+)?\?([bBqQ])\?([^?]*+(?:\?(?!=)[^?]*+){0,8})\?=")

# Printable ASCII that is neither folded nor may be anything else: most values.
_UNCODED = re.compile(rb"[\t -<>-}]*+")

_FOLD = re.compile(r"\r?\n(?=[ \t])")

# Words of names of fields that machines fill in: a "www." there is a machine's name
# ("NNTP-Posting-Host", "X-Authentication-Warning", "X-Virus-Scanned"), a URL with a scheme is one.
_OF_MACHINES = frozenset(
    b"antiabuse auth authenticated authentication checked checker distribution face helo host hostname id"
    b" injected injection loop mta originating path posting proxy received relay scanned scanner script"
    b" sender server spam spf trace via virus".split()
)
_OF_PEOPLE = frozenset(b"homepage page site uri url web webpage website".split())
_MACHINE = re.compile(r"(?<![A-Za-z0-9/@_-])(?:www|ftp)(?=\.)", re.IGNORECASE)

# RFC 2369, section 2, and RFC 5064, section 2: all that is in the brackets is URL.
_OF_URLS = (b"list-", b"archived-at")
_IN_BRACKETS = re.compile(r"<[^<>]{1,8000}+>")


@lru_cache(maxsize=4096)
def is_unread(name: bytes) -> bool:
    """Say whether a field is one that is not read for URLs.

    >>> is_unread(b"DKIM-Signature"), is_unread(b"Subject")
    (True, False)
    """
    return _IS_UNREAD.fullmatch(name) is not None


def may_hold_urls(fields: list[bytes]) -> bool:
    """Say whether any of the fields has a sign of a URL, or encoded words that may hide one.

    >>> may_hold_urls([b"Subject: see www.example.org"])
    True
    >>> may_hold_urls([b"Date: Mon, 14 Nov 1994 09:12:31", b"From: joe@www.example.org"])
    False
    """
    return not _is_signless(b"\n".join(fields))


def _is_signless(value: bytes) -> bool:
    """Say whether the pattern takes all; to ask it to would make it try all ways when it cannot."""
    signless = _SIGNLESS.match(value)
    return signless is None or signless.end() == len(value)


def field_text(field: Field, charset: str | None = None) -> str | None:
    r"""Give a field's value as one line of text, None where it can hold no URL.

    RFC 5322, section 2.2.3: only the line end of a fold goes, the blank stays.

    >>> field_text(Field(b"Subject", b" =?utf-8?Q?http=3A//a.e?=\n =?utf-8?Q?xample/?= b"))
    'http://a.example/ b'
    >>> field_text(Field(b"Date", b"Mon, 14 Nov 1994 09:12:31"))
    """
    value = field.value
    if not _is_name(field):
        value = field.name + b":" + value
    if _is_signless(value):
        return None
    decoded = unfolded(value, charset)
    text = _as_meant(field.name, decoded)
    is_changed = text != decoded or (b"=?" in value and "=?" not in text)
    return None if is_changed and _is_signless(text.encode("utf-8", "replace")) else text


def searchable_text(field: Field) -> str | None:
    """Do as `field_text` for a field with a sign of a URL; most are ASCII, without encoded words."""
    value = field.value
    if b"=?" in value or not value.isascii() or not _is_name(field):
        return field_text(field)
    text = value.decode("ascii")
    text = (_FOLD.sub("", text) if "\n" in text else text).strip(" \t\n")
    return _as_meant(field.name, text)


def _as_meant(name: bytes, text: str) -> str:
    """Give the value of a field without what its name says is none of a URL.

    In lists' fields that is blanks; in those of machines the names of these, which
    would be abbreviated URLs elsewhere.

    >>> _as_meant(b"List-Post", "<mailto:a@b.example?subject=c d> x y")
    '<mailto:a@b.example?subject=cd> x y'
    >>> _as_meant(b"X-Virus-Scanned", "by http://a.example/ at www.example.org")
    'by http://a.example/ at ___.example.org'
    """
    of_urls, of_machines = _kind_of(name)
    if of_urls:
        text = _IN_BRACKETS.sub(lambda inside: "".join(inside[0].split()), text)
    return _MACHINE.sub("___", text) if of_machines else text


@lru_cache(maxsize=4096)
def _kind_of(name: bytes) -> tuple[bool, bool]:
    """Say whether a field holds URLs and nothing else in brackets, and whether it names machines.

    >>> _kind_of(b"List-Post"), _kind_of(b"X-Virus-Scanned"), _kind_of(b"X-Spam-Checker-URL")
    ((True, False), (False, True), (False, False))
    """
    words = name.lower().split(b"-")
    of_machines = not _OF_MACHINES.isdisjoint(words) and _OF_PEOPLE.isdisjoint(words)
    return name.lower().startswith(_OF_URLS), of_machines


def _is_name(field: Field) -> bool:
    """Say whether the name is one, and not the beginning of a URL."""
    if field.value.startswith(b"//") or field.name.lower() in _SCHEMES:
        return False
    return _IS_NAME.fullmatch(field.name) is not None


def unfolded(value: bytes, charset: str | None = None) -> str:
    """Give a value as one line of text; ``charset`` is that of bytes beyond ASCII, if it is known."""
    if _UNCODED.fullmatch(value):
        return value.decode("ascii").strip(" \t")
    text, _ = decode(value, charset)
    text = _FOLD.sub("", text) if "\n" in text else text
    return unify_line_ends(decode_words(text) if "=?" in text else text).strip(" \t\n")


def decode_words(text: str) -> str:
    """Decode the encoded words of RFC 2047; those that follow each other are joined.

    Words of the same charset are decoded as one, for some are cut within a character.

    >>> decode_words("=?utf-8?B?w6Q=?= =?utf-8?Q?=C3?= =?utf-8?Q?=A4?= x")
    'ää x'
    """
    pieces: list[str] = []
    held: list[bytes] = []
    held_charset, at = "", 0
    for word in _WORD.finditer(text):
        charset, between = word[1].lower(), text[at : word.start()]
        if at and not between.strip():
            between = ""
        if held and (between or charset != held_charset):
            pieces.append(decode(b"".join(held), held_charset)[0])
            held = []
        pieces.append(between)
        held.append(_word_bytes(word[2], word[3]))
        held_charset, at = charset, word.end()
    if held:
        pieces.append(decode(b"".join(held), held_charset)[0])
    return "".join((*pieces, text[at:]))


def _word_bytes(encoding: str, encoded: str) -> bytes:
    """Give the bytes of one encoded word (RFC 2047, section 4)."""
    data = encoded.encode("utf-8", "surrogatepass")
    if encoding in "qQ":
        return binascii.a2b_qp(data.replace(b"\n", b" "), header=True)
    digits = re.sub(rb"[^A-Za-z0-9+/]++", b"", data)
    whole = len(digits) - (len(digits) % 4 == 1)
    return binascii.a2b_base64(digits[:whole] + b"==="[: -whole % 4])


def first_values(fields: Iterable[Field], names: frozenset[bytes]) -> dict[bytes, str]:
    """Give the text of the first field of each name; ``names`` are in lower case."""
    values: dict[bytes, str] = {}
    for field in fields:
        name = field.name.lower()
        if name in names and name not in values:
            values[name] = unfolded(field.value)
    return values


_ABSOLUTE = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*+://\S")


def base_url(fields: Iterable[tuple[bytes, bytes]]) -> str | None:
    """Give the absolute URL of a page, from the fields (name, value) of its part and message.

    RFC 2557, section 4: Content-Location; Content-Base is of RFC 2110, before it.
    ISO 28500, section 5.7: WARC-Target-URI.

    >>> base_url([(b"Content-Location", b" http://a.example/x")])
    'http://a.example/x'
    """
    for name, value in fields:
        if name.lower() in (b"content-base", b"content-location", b"warc-target-uri"):
            url = "".join(unfolded(value).strip('"<>').split())
            if _ABSOLUTE.match(url):
                return url
    return None
