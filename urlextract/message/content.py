"""What a part holds, as its Content-Type says (RFC 2045, section 5), and names of charsets.

Only the plain form is read here: ``type/subtype; name=value``, each name once.
What has comments, escapes or the extended parameters of RFC 2231 is odd, and is
left to the stdlib.
"""

from __future__ import annotations

import codecs
import re
from functools import lru_cache
from typing import NamedTuple

from urlextract.grammar.patterns import lazy_re

# Names found in mail that Python's codec registry does not know, or knows too
# narrowly: what is sent as Latin-1 or GB2312 mostly uses the superset of Windows.
_ALIASES = {
    "ascii": "us-ascii",
    "ansi-x3.4-1968": "us-ascii",
    "ansi": "cp1252",
    "x-ansi": "cp1252",
    "iso-8859-1": "cp1252",
    "iso8859-1": "cp1252",
    "latin1": "cp1252",
    "latin-1": "cp1252",
    "x-cp1252": "cp1252",
    "iso-8859-6-i": "iso8859-6",
    "iso-8859-8-i": "iso8859-8",
    "iso-8859-8-e": "iso8859-8",
    "x-sjis": "cp932",
    "shift-jis": "cp932",
    "windows-31j": "cp932",
    "x-euc-jp": "euc_jp",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "x-gbk": "gb18030",
    "x-big5": "big5",
    "ks-c-5601-1987": "cp949",
    "euc-kr": "cp949",
    "windows-874": "cp874",
    "x-mac-roman": "mac_roman",
    "macintosh": "mac_roman",
    "cp-850": "cp850",
    "unicode-1-1-utf-7": "utf-7",
    "unicode-1-1-utf-8": "utf-8",
    "x-utf-8": "utf-8",
    "utf": "utf-8",
    "iso-2022-jp": "iso2022_jp_ext",
}

# Further labels of the Encoding Standard (encoding.spec.whatwg.org), by their codecs.
_LABELS = {
    "big5": "cn-big5 x-x-big5",
    "cp1250": "x-cp1250",
    "cp1251": "x-cp1251",
    "cp1253": "x-cp1253",
    "cp1254": "x-cp1254",
    "cp1255": "x-cp1255",
    "cp1257": "x-cp1257",
    "cp1258": "x-cp1258",
    "cp874": "dos-874 iso885911",
    "cp949": "cseuckr csksc56011987 iso-ir-149 ks-c-5601-1989 ksc-5601 windows-949 x-windows-949",
    "euc_jp": "cseucpkdfmtjapanese",
    "gb18030": "csgb2312 gb-2312 gb-2312-80",
    "iso8859-13": "iso885913",
    "iso8859-2": "iso88592",
    "iso8859-5": "iso88595",
    "iso8859-6": "csiso88596e csiso88596i iso-8859-6-e",
    "iso8859-7": "sun-eu-greek",
    "iso8859-8": "csiso88598e csiso88598i logical visual",
    "koi8-r": "koi koi8",
    "koi8-u": "koi8-ru",
    "mac_cyrillic": "x-mac-cyrillic x-mac-ukrainian",
    "mac_roman": "csmacintosh mac",
}
_ALIASES |= {label: codec for codec, labels in _LABELS.items() for label in labels.split()}

# Codecs of Python that are no charset of mail; two of them take quadratic time.
_NO_CHARSETS = frozenset(
    ("idna", "punycode", "unicode-escape", "raw-unicode-escape", "undefined", "mbcs", "oem")
)

_ASCII = bytes(range(128))


@lru_cache(maxsize=256)
def codec_of(charset: str | None) -> str | None:
    """Return the codec of a charset's name; None if there is none, or if the charset is ASCII.

    ASCII is often declared without knowledge of the text, so it counts as no declaration.

    >>> codec_of("X-SJIS"), codec_of("unknown-8bit"), codec_of("us-ascii")
    ('cp932', None, None)
    """
    if charset is None:
        return None
    name = charset.strip(" \t'\"").lower().replace("_", "-")
    name = _ALIASES.get(name, name)
    if name in _NO_CHARSETS or name == "us-ascii":
        return None
    try:
        codec = codecs.lookup(name)
        if not getattr(codec, "_is_text_encoding", True):  # "hex" and its like are no charsets
            return None
        return codec.name if name not in _ALIASES.values() else name
    except (UnicodeError, LookupError, ValueError):
        return None


def is_ascii(charset: str) -> bool:
    """Return whether a charset's name is a name of ASCII.

    >>> is_ascii("US-ASCII"), is_ascii("latin1")
    (True, False)
    """
    name = charset.strip().lower().replace("_", "-")
    return _ALIASES.get(name, name) == "us-ascii"


@lru_cache(maxsize=256)
def is_ascii_superset(codec: str) -> bool:
    """Return whether seven-bit bytes are ASCII in this codec.

    >>> is_ascii_superset("utf-8"), is_ascii_superset("utf-7")
    (True, False)
    """
    try:
        return _ASCII.decode(codec) == _ASCII.decode("ascii")
    except (UnicodeError, LookupError, ValueError):
        return False


class Content(NamedTuple):
    """The content type of a part: ``kind`` is ``type/subtype`` in lower case, ``name`` that of a file."""

    kind: str = "text/plain"
    charset: str | None = None
    flowed: bool = False
    delsp: bool = False
    boundary: bytes | None = None
    name: str = ""


DEFAULT = Content()
"""RFC 2045, section 5.2: the content type of a part without the field."""


BYTES = "application/octet-stream"
"""RFC 2046, section 4.5.1: the type of data that the sender's program does not know."""

_KINDS = {
    "text/plain": "txt text log md url",
    "text/html": "html htm xhtml",
    "text/calendar": "ics",
    "text/vcard": "vcf",
    "text/csv": "csv",
    "text/xml": "xml rss atom",
    "application/json": "json",
    "message/rfc822": "eml mht mhtml",
}
_KIND_OF = {f".{ending}": kind for kind, endings in _KINDS.items() for ending in endings.split()}


def kind_of_file(name: str) -> str:
    """Return the type that the extension of a file name indicates, `BYTES` if it is not known.

    >>> kind_of_file("Minutes.HTM"), kind_of_file("tool.exe")
    ('text/html', 'application/octet-stream')
    """
    return _KIND_OF.get(name[name.rfind(".") :].lower(), BYTES)


class Body(NamedTuple):
    """A part that has no parts: its undecoded bytes, and how to read them.

    ``offset`` is where ``data`` begins in the source, ``base`` the URL against
    which relative ones are resolved (RFC 2557, section 5), if either is known.
    """

    data: bytes
    content: Content
    encoding: str
    offset: int | None = None
    base: str | None = None
    is_attached: bool = False


# RFC 2045, section 5.1, without comments
#   content   = type "/" subtype *( ";" parameter )
#   parameter = attribute "=" ( token / quoted-string )
_TOKEN = rb"[^\x00-\x20()<>@,;:\\\"/\[\]?=\x7f-\xff]++"
_SPACE = rb"[ \t\n]*+"
_TYPE = re.compile(rb"%s(%s/%s)%s" % (_SPACE, _TOKEN, _TOKEN, _SPACE))
_DISPOSITION = lazy_re(rb"%s%s%s" % (_SPACE, _TOKEN, _SPACE))
_PARAMETER = re.compile(
    rb";%s(%s)=(?:\"([^\"\\\n\x80-\xff]*+)\"|([^\x00-\x20()<>@,;\\\"\[\]\x7f-\xff]++))%s"
    % (_SPACE, _TOKEN.replace(b"?=", b"?=*'%"), _SPACE)
)
_END = re.compile(rb";?%s\Z" % _SPACE)

_ENCODING = re.compile(rb"%s([A-Za-z0-9-]*+)%s\Z" % (_SPACE, _SPACE))
_ENCODINGS = {
    name: name.decode() for name in (b"", b"7bit", b"8bit", b"binary", b"quoted-printable", b"base64")
}


@lru_cache(maxsize=512)
def read_content(field: bytes) -> Content | None:
    r"""Read a plain Content-Type; return None for an odd one.

    >>> read_content(b'text/plain;\n charset="utf-8"; format=flowed')
    Content(kind='text/plain', charset='utf-8', flowed=True, delsp=False, boundary=None, name='')
    >>> read_content(b"text/plain; charset*=us-ascii'en'utf-8")
    """
    kind = _TYPE.match(field)
    parameters = _read_parameters(field, kind.end()) if kind else None
    if not kind or parameters is None or not kind[1][:1].isalpha():
        return None
    return Content(
        kind=kind[1].decode("ascii").lower(),
        charset=parameters[b"charset"].decode("ascii").lower() if b"charset" in parameters else None,
        flowed=parameters.get(b"format", b"").lower() == b"flowed",
        delsp=parameters.get(b"delsp", b"").lower() == b"yes",
        boundary=parameters.get(b"boundary", b"").rstrip() or None,
        name=parameters.get(b"name", b"").decode("ascii"),
    )


def read_file_name(field: bytes) -> str | None:
    """Return the file name in a plain Content-Disposition (RFC 2183), "" without one; None for an odd field.

    >>> read_file_name(b' attachment; filename="a.html"'), read_file_name(b"inline; filename*=a''b")
    ('a.html', None)
    """
    kind = _DISPOSITION.match(field)
    parameters = _read_parameters(field, kind.end()) if kind else None
    return None if parameters is None else parameters.get(b"filename", b"").decode("ascii")


def _read_parameters(field: bytes, at: int) -> dict[bytes, bytes] | None:
    """Return the parameters by their names in lower case, None if they are not in plain form."""
    parameters: dict[bytes, bytes] = {}
    while parameter := _PARAMETER.match(field, at):
        name = parameter[1].lower()
        if name in parameters:
            return None
        parameters[name] = parameter[3] if parameter[2] is None else parameter[2]
        at = parameter.end()
    return parameters if _END.match(field, at) else None


def read_encoding(field: bytes) -> str | None:
    """Read a plain Content-Transfer-Encoding of RFC 2045, section 6; return None for any other.

    >>> read_encoding(b" Base64 "), read_encoding(b"x-uuencode")
    ('base64', None)
    """
    encoding = _ENCODING.match(field)
    return _ENCODINGS.get(encoding[1].lower()) if encoding else None
