"""What a part holds, as the fields of its head say (RFC 2045, sections 5 and 6), and how that is read.

Usual values are read by one pattern; odd ones, with comments, the extended parameters of RFC 2231, open
quotes and careless blanks, by the stdlib, whose methods raise on some.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal, NamedTuple

from urlextract.grammar.patterns import lazy_re
from urlextract.message.charsets import decode_words
from urlextract.message.heads import value_of
from urlextract.message.running_text import Running, unfolded_properties, without_cells, without_references


class Content(NamedTuple):
    """What a Content-Type says: ``kind`` is ``type/subtype`` in lower case, ``name`` that of a file.

    ``url`` is where an external body is (RFC 2017), ``smime`` the ``smime-type`` (RFC 8551, section 3.2.2),
    in lower case.
    """

    kind: str = "text/plain"
    charset: str | None = None
    flowed: bool = False
    delsp: bool = False
    boundary: bytes | None = None
    name: str = ""
    url: str = ""
    smime: str = ""


DEFAULT = Content()
"""RFC 2045, section 5.2: the content type of a part without the field."""

BYTES = "application/octet-stream"
"""RFC 2046, section 4.5.1: the type of data that the sender's program does not know."""

_EXTENSIONS = {
    "text/plain": "txt text log md url",
    "text/html": "html htm xhtml",
    "text/calendar": "ics",
    "text/vcard": "vcf",
    "text/csv": "csv",
    "text/xml": "xml rss atom",
    "application/json": "json",
    "message/rfc822": "eml mht mhtml",
}
_KIND_OF = {f".{ending}": kind for kind, endings in _EXTENSIONS.items() for ending in endings.split()}


def kind_of_file(name: str) -> str:
    """Return the type that the extension of a file name indicates, `BYTES` if it is not known.

    >>> kind_of_file("Minutes.HTM"), kind_of_file("tool.exe")
    ('text/html', 'application/octet-stream')
    """
    return _KIND_OF.get(name[name.rfind(".") :].lower(), BYTES)


# --- how a body is read, by its media type -------------------------------------------------------

Reader = Literal["none", "text", "page", "message", "report", "status", "unreadable"]


class Kind(NamedTuple):
    """How the parts of a media type are read: the reader, and what makes running text of a special format.

    - "text": as a text, from which ``running`` makes running text, if it is set;
    - "page": as HTML;
    - "message": as a message, or the head of one;
    - "report": the same, but its fields describe no message: RFC 5965, section 3; RFC 8098, section 3.1;
    - "status": as blocks of fields: RFC 3464, section 2;
    - "unreadable": not, but there is a program that does, see `advice_for`;
    - "none": not at all.

    What is too deep in other messages to be read as one is read as a text.
    """

    reader: Reader
    running: Running | None = None


_NONE, _TEXT = Kind("none"), Kind("text")
_TYPES = {  # RFC 5537, section 2.3, has the message of news, RFC 6532, section 3.7, the global one
    "text/html text/x-html text/x-amp-html application/xhtml+xml": Kind("page"),
    "text/calendar text/vcard text/x-vcard text/directory": Kind("text", unfolded_properties),
    "text/csv text/comma-separated-values": Kind("text", without_cells),
    "text/xml application/xml application/rss+xml application/atom+xml": Kind("text", without_references),
    "message/rfc822 message/global message/news message/partial": Kind("message"),
    "text/rfc822-headers message/global-headers": Kind("message"),  # RFC 6522, section 4; RFC 6533, section 6
    "message/feedback-report message/disposition-notification": Kind("report"),
    "message/global-disposition-notification": Kind("report"),
    "message/delivery-status": Kind("status"),
    "application/json application/warc-fields": _TEXT,
    "application/pgp": _TEXT,  # signed text before RFC 2015: "application/pgp; format=text"
    "application/ms-tnef application/vnd.ms-tnef": Kind("unreadable"),
    "application/pkcs7-mime application/x-pkcs7-mime": Kind("unreadable"),
}
KINDS = {media_type: kind for types, kind in _TYPES.items() for media_type in types.split()}
"""The rows; a type without one is a text if it is JSON, or any ``text``, ``message`` or ``multipart``."""


@lru_cache(maxsize=1024)
def kind_of(media_type: str) -> Kind:
    """Return how parts of a media type, in lower case, are read.

    >>> [kind_of(each).reader for each in ("text/html", "text/x-log", "image/gif", "application/feed+json")]
    ['page', 'text', 'none', 'text']
    """
    is_text = media_type.startswith(("text/", "message/", "multipart/"))
    is_json = media_type.startswith("application/") and media_type.endswith("+json")
    return KINDS.get(media_type) or (_TEXT if is_text or is_json else _NONE)


def advice_for(content: Content) -> str | None:
    """Return what an unreadable part is and which program reads it; None if it holds no text at all.

    >>> advice_for(Content("application/ms-tnef"))
    "TNEF (winmail.dat) is not read: unpack it with 'tnef'"
    """
    if "tnef" in content.kind:
        return "TNEF (winmail.dat) is not read: unpack it with 'tnef'"
    if content.smime == "certs-only":
        return None
    if content.smime == "signed-data":
        return "opaque S/MIME is not read: take it out with 'openssl cms -verify -noverify'"
    return "encrypted S/MIME is not read: 'openssl cms -decrypt' does that"


# --- values of fields ----------------------------------------------------------------------------

# RFC 5322, section 3.2.2: comments are in parentheses and may be nested; quoted strings hold none.
_PIECE = lazy_re(r'"(?>(?:[^"\\]|\\.)*)"?|\\.?|[()]|[^"\\()]++', re.DOTALL)
_FOLD = lazy_re(r"\r?\n(?=[ \t])")
# RFC 2045, section 5.1; careless programs add blanks, quotes and other characters.
_WORD = r'[^\s()<>@,;:\\"/\[\]?=]++'
_KIND = lazy_re(rf'[\s"]*+({_WORD})\s*+/\s*+({_WORD})[\s",;]*+')
# What nearly all programs write, and the stdlib reads as this.
_USUAL = lazy_re(
    r' *([A-Za-z]+/[A-Za-z0-9.+-]+)((?>(?:;[ \t]*[A-Za-z-]+=(?:"[^"\\()<>%]*+"|[\w.+-]+))*));?\Z', re.ASCII
)
_PARAMETER = lazy_re(r'([A-Za-z-]+)=(?:"([^"]*+)"|([\w.+-]+))', re.ASCII)
_ENCODING = lazy_re(
    r"[\s\"']*+(?:(?:x-)?(?:(quoted)[\s_-]?printable|(base)[\s_-]?64)\b|([78])[-_]?bits?\b|([^\s;(,\"']*+))",
    re.IGNORECASE,
)
_LONGEST_VALUE = 4_000  # characters; for each semicolon in it, the stdlib copies all that follows


def _without_comments(field: bytes) -> str:
    """Return a value, unfolded and without comments.

    >>> _without_comments(b' text/html (x (y)); charset="(z)"')
    'text/html ; charset="(z)"'
    """
    value = _FOLD.sub("", field.lstrip(b" \t\n").decode("latin-1")[:_LONGEST_VALUE])
    if "(" not in value:
        return value
    kept: list[str] = []
    depth = 0
    for piece in _PIECE.findall(value):
        depth += (piece == "(") - (piece == ")" and depth > 0)
        if not depth and piece != ")":
            kept.append(piece)
    return "".join(kept)


def _parameters(value: str) -> dict[str, str]:
    """Return the parameters of a value by name, in lower case; of two of a name, the first counts."""
    if usual := _USUAL.match(value):
        given = _PARAMETER.findall(usual[2])
        return {name.lower(): quoted or plain for name, quoted, plain in reversed(given)}
    from email.message import Message  # most mail is read without ``email``
    from email.utils import collapse_rfc2231_value

    entity = Message()
    entity.set_raw("content-type", value)
    parameters: dict[str, str] = {}
    try:
        for name, each in entity.get_params([]):
            # Only extended values are decoded: others may have brackets of their own.
            decoded = collapse_rfc2231_value(each) if isinstance(each, tuple) else each
            parameters.setdefault(name.lower(), decoded)
    except Exception:  # it raises on some parameters of RFC 2231: those before these count
        pass
    return parameters


@lru_cache(maxsize=4096)
def content_of(field: bytes) -> Content:
    r"""Return the content that a Content-Type announces; an invalid type counts as none.

    >>> content_of(b'text/plain;\n charset="utf-8"; format=flowed')[:3]
    ('text/plain', 'utf-8', True)
    >>> content_of(b" text / HTML (page); charset*=us-ascii'en'utf-8")[:2]
    ('text/html', 'utf-8')
    """
    value = _without_comments(field)
    careless = None if _USUAL.match(value) else _KIND.match(value)
    if careless:
        value = f"{careless[1]}/{careless[2]}; {value[careless.end() :]}"
    kind, parameters = value.partition(";")[0].strip().lower(), _parameters(value)
    boundary = parameters.get("boundary", "")
    if boundary.startswith('"'):  # its closing quote is missing or not at the end
        boundary = boundary[1:].partition('"')[0]
    # One in an extended parameter has been decoded; any other has the bytes that the message has.
    codec = "utf-8" if "boundary*" in value.lower() else "latin-1"
    return Content(
        kind=kind if kind.count("/") == 1 and kind[0].isalpha() else DEFAULT.kind,  # RFC 2045, section 5.2
        charset=parameters.get("charset"),
        flowed=parameters.get("format", "").lower() == "flowed",
        delsp=parameters.get("delsp", "").lower() == "yes",
        boundary=boundary.rstrip().encode(codec, "replace") or None,
        name=parameters.get("name", ""),
        url="".join(parameters.get("url", "").strip('<>"').split()),  # folded anywhere
        smime=parameters.get("smime-type", "").lower(),
    )


@lru_cache(maxsize=512)
def encoding_of(field: bytes) -> str:
    """Return the transfer encoding in lower case; correct misspelt names of usual ones.

    >>> encoding_of(b' "Quoted printable" (x)'), encoding_of(b" 8BIT"), encoding_of(b" 7-bit")
    ('quoted-printable', '8bit', '7bit')
    """
    match = _ENCODING.match(_without_comments(field).strip())
    quoted, base, bits, other = match.groups() if match else (None, None, None, "")
    return "quoted-printable" if quoted else "base64" if base else f"{bits}bit" if bits else other.lower()


def file_name_in(head: bytes) -> str:
    r"""Return the file name in a head's Content-Disposition (RFC 2183), "" if there is none or it is odd.

    >>> file_name_in(b"\nContent-Disposition: inline; filename*=utf-8''b.txt\n")
    'b.txt'
    """
    value = _without_comments(value_of(b"content-disposition", head))
    return decode_words(_parameters(value).get("filename", "").strip('<>"')).strip()
