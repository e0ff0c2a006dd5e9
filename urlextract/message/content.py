"""What a part holds, as its Content-Type says (RFC 2045, section 5).

Only the plain form is read here: ``type/subtype; name=value``, each name once.
What has comments, escapes or the extended parameters of RFC 2231 is odd, and is
left to the stdlib.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from urlextract.grammar.patterns import compiled

__all__ = ["DEFAULT", "Body", "Content", "read_content", "read_encoding"]


class Content(NamedTuple):
    """The content type of a part: ``kind`` is ``type/subtype`` in lower case."""

    kind: str = "text/plain"
    charset: str | None = None
    flowed: bool = False
    delsp: bool = False
    boundary: bytes | None = None


DEFAULT = Content()
"""RFC 2045, section 5.2: what a part without the field holds."""


class Body(NamedTuple):
    """A part that has no parts: its bytes as they stand, and how to read them.

    ``offset`` is where ``data`` begins in the source, ``base`` the URL against
    which relative ones are to be read (RFC 2557, section 5), where either is known.
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
_TYPE = compiled(rb"%s(%s/%s)%s" % (_SPACE, _TOKEN, _TOKEN, _SPACE))
_PARAMETER = compiled(
    rb";%s(%s)=(?:\"([^\"\\\n\x80-\xff]*+)\"|([^\x00-\x20()<>@,;\\\"\[\]\x7f-\xff]++))%s"
    % (_SPACE, _TOKEN.replace(b"?=", b"?=*'%"), _SPACE)
)
_END = compiled(rb";?%s\Z" % _SPACE)

_ENCODING = compiled(rb"%s([A-Za-z0-9-]*+)%s\Z" % (_SPACE, _SPACE))
_ENCODINGS = {
    name: name.decode() for name in (b"", b"7bit", b"8bit", b"binary", b"quoted-printable", b"base64")
}


@lru_cache(maxsize=512)
def read_content(field: bytes) -> Content | None:
    r"""Read a plain Content-Type; an odd one gives None.

    >>> read_content(b'text/plain;\n charset="utf-8"; format=flowed')
    Content(kind='text/plain', charset='utf-8', flowed=True, delsp=False, boundary=None)
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
    )


def _read_parameters(field: bytes, at: int) -> dict[bytes, bytes] | None:
    """Give the parameters by their names in lower case, None where the form is not kept."""
    parameters: dict[bytes, bytes] = {}
    while parameter := _PARAMETER.match(field, at):
        name = parameter[1].lower()
        if name in parameters:
            return None
        parameters[name] = parameter[3] if parameter[2] is None else parameter[2]
        at = parameter.end()
    return parameters if _END.match(field, at) else None


def read_encoding(field: bytes) -> str | None:
    """Read a plain Content-Transfer-Encoding of those in RFC 2045, section 6; else None.

    >>> read_encoding(b" Base64 "), read_encoding(b"x-uuencode")
    ('base64', None)
    """
    encoding = _ENCODING.match(field)
    return _ENCODINGS.get(encoding[1].lower()) if encoding else None
