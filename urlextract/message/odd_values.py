"""Values of the fields that say how to read a body, in a form that is odd: read by the stdlib.

What has comments, extended parameters (RFC 2231), open quotes or careless blanks, and misspelt encodings.
The stdlib's methods raise on some values, and decode what is needed undecoded; the functions here work
around that.
"""

from __future__ import annotations

import re
from email.message import Message
from email.utils import collapse_rfc2231_value
from functools import lru_cache

from urlextract.grammar.patterns import lazy_re
from urlextract.message.content import DEFAULT, Content, read_file_name
from urlextract.message.fields import decode_words

_ENCODING = lazy_re(r"[\s\"']*+([^\s;(,\"']*+)")
_MISSPELT = lazy_re(r"[\s\"']*+(?:x-)?(?:(quoted)[\s_-]?printable|base[\s_-]?64)\b", re.IGNORECASE)

# RFC 5322, section 3.2.2: comments are in parentheses and may be nested; quoted strings hold none.
_PIECE = lazy_re(r'"(?>(?:[^"\\]|\\.)*)"?|\\.?|[()]|[^"\\()]++', re.DOTALL)
_FOLD = lazy_re(r"\r?\n(?=[ \t])")
# RFC 2045, section 5.1; careless programs add blanks, quotes and other characters.
_WORD = r'[^\s()<>@,;:\\"/\[\]?=]++'
_KIND = lazy_re(rf'[\s"]*+({_WORD})\s*+/\s*+({_WORD})[\s",;]*+')

# The most characters that are read of a field that says how to read a body: for each semicolon in it, the
# stdlib copies all that follows.
_LONGEST_VALUE = 4_000


def _plain_value(value: str, *, is_kind: bool) -> str:
    """Return the value of a structured field, unfolded and without comments; normalize a type (``is_kind``).

    >>> _plain_value('text / html (x (y)) charset="(z)"', is_kind=True)
    'text/html; charset="(z)"'
    """
    value = _FOLD.sub("", value)
    if "(" in value:
        kept: list[str] = []
        depth = 0
        for piece in _PIECE.findall(value):
            depth += (piece == "(") - (piece == ")" and depth > 0)
            if not depth and piece != ")":
                kept.append(piece)
        value = "".join(kept)
    kind = _KIND.match(value) if is_kind else None
    return f"{kind[1]}/{kind[2]}; {value[kind.end() :]}" if kind else value


def _text(field: bytes) -> str:
    return field.lstrip(b" \t\n").decode("latin-1")[:_LONGEST_VALUE]


def _parameter(value: str, name: str) -> str | None:
    """Return a parameter, decoded by RFC 2231; None if it is missing or not readable."""
    entity = Message()
    entity.set_raw("content-type", value)
    try:
        found = entity.get_param(name)
        return None if found is None else collapse_rfc2231_value(found)
    except Exception:  # `get_param` raises on some parameters of RFC 2231
        return None


@lru_cache(maxsize=512)
def odd_content(field: bytes) -> Content:
    """Return the content that an odd Content-Type announces; an invalid type counts as none.

    >>> odd_content(b" text / HTML (page); charset*=us-ascii'en'utf-8")[:2]
    ('text/html', 'utf-8')
    """
    value = _plain_value(_text(field), is_kind=True)
    entity = Message()
    entity.set_raw("content-type", value)
    kind = entity.get_content_type()
    boundary = _parameter(value, "boundary")
    if boundary is not None and boundary.startswith('"'):  # its closing quote is missing or not at the end
        boundary = boundary[1:].partition('"')[0]
    return Content(
        kind=kind if kind[0].isalpha() else DEFAULT.kind,  # RFC 2045, section 5.2
        charset=_parameter(value, "charset"),
        flowed=(_parameter(value, "format") or "").lower() == "flowed",
        delsp=(_parameter(value, "delsp") or "").lower() == "yes",
        # One in an extended parameter has been decoded; any other has the bytes that the message has.
        boundary=(boundary or "")
        .rstrip()
        .encode("utf-8" if "boundary*" in value.lower() else "latin-1", "replace")
        or None,
        name=_parameter(value, "name") or "",
    )


def odd_encoding(field: bytes) -> str:
    """Return the transfer encoding in lower case; correct misspelt base64 and quoted-printable.

    >>> odd_encoding(b' "Quoted printable" (x)')
    'quoted-printable'
    """
    value = _plain_value(_text(field), is_kind=False).strip()
    known = _MISSPELT.match(value)
    if known:
        return "quoted-printable" if known[1] else "base64"
    word = _ENCODING.match(value)
    return word[1].lower() if word else ""


def file_name_in(disposition: bytes) -> str:
    """Return the file name in a Content-Disposition (RFC 2183), "" if there is none or it is not readable.

    >>> file_name_in(b" attachment; filename=a.html"), file_name_in(b"inline; filename*=utf-8''b.txt")
    ('a.html', 'b.txt')
    """
    name = read_file_name(disposition) if disposition else ""
    return decode_words(parameter_of(disposition, "filename") if name is None else name).strip()


def parameter_of(field: bytes, name: str) -> str:
    """Return a parameter of a structured field, "" if it is missing or not readable.

    >>> parameter_of(b" message/external-body; access-type=URL; url=http://a.example/", "url")
    'http://a.example/'
    """
    return _parameter(_plain_value(_text(field), is_kind=False), name) or ""
