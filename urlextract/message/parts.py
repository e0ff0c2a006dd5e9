"""Read a part that has no parts into segments: decoded, unfolded, without what is no text."""

from __future__ import annotations

import re

from urlextract.grammar.patterns import lazy_re
from urlextract.message.charsets import decode, unify_line_ends
from urlextract.message.content import Body, Content, codec_of
from urlextract.message.html_page import Page
from urlextract.message.pgp import may_hold_blocks, readable_stretches, undo_dash_escapes
from urlextract.message.quoting import mask_pages, mask_text
from urlextract.message.running_text import is_data, running_text
from urlextract.message.transfer import IDENTITIES, undo_text
from urlextract.records import EVERYTHING, Defect, DefectCode, Origin, PartFilter, Segment

UNDECLARED = Defect(DefectCode.UNDECLARED_QUOTED_PRINTABLE, "undeclared quoted-printable")
"""The defect of a part that was decoded although it does not say that it is quoted-printable."""

MARKUP = frozenset(("text/html", "text/x-html", "text/x-amp-html", "application/xhtml+xml"))
"""Kinds that are read as HTML."""

_META_CHARSET = lazy_re(rb"<meta\s[^>]{0,200}?charset\s*=\s*[\"']?([\w.:-]{1,40})", re.IGNORECASE)
CHARSET_WITHIN = 2048
"""Bytes at the beginning of a page in which it names its charset."""


# Before RFC 2015, signed text was sent as "application/pgp; format=text".
_OTHERS = frozenset(("application/http", "application/pgp", "application/warc-fields")) | MARKUP


def is_read(kind: str) -> bool:
    """Return whether a part of this kind is read as text; the body of a broken multipart is, too.

    >>> is_read("text/calendar"), is_read("image/gif"), is_read("application/feed+json")
    (True, False, True)
    """
    return kind.startswith(("text/", "message/", "multipart/")) or kind in _OTHERS or is_data(kind)


def is_chosen(body: Body, choice: PartFilter) -> bool:
    """Return whether parts of this kind are asked for."""
    if body.is_attached:
        return "attach" in choice.parts
    return ("html" if body.content.kind in MARKUP else "text") in choice.parts


def read_body(body: Body, origin: Origin, choice: PartFilter = EVERYTHING) -> list[Segment | Page]:
    """Return the segments of one part."""
    content = body.content
    if not is_read(content.kind) or not is_chosen(body, choice):
        return []
    data, tail = undo_text(body.data, body.encoding)
    text, defects = decode(data, known(charset_of(content, data)) or choice.charset)
    if data is not body.data and body.encoding in IDENTITIES:
        defects += (UNDECLARED,)
    text = unify_line_ends(text)
    if choice.masks and content.kind in MARKUP:
        text = mask_pages(text, choice)
    is_as_sent = data is body.data and len(text) == len(data) and text.isascii()
    byte = body.offset if is_as_sent else None
    segments: list[Segment | Page] = []
    if not text or text.isspace():
        pass
    elif content.kind in MARKUP:
        segments = [_read_page(text, origin, byte, body.base, defects)]
    else:
        segments += _read_text(text, origin, byte, body, defects, choice)
    if tail:
        segments.append(_read_tail(tail, origin, body))
    return segments


def known(charset: str | None) -> str | None:
    """Return a charset, None for an unknown one or ASCII, which is often declared without knowledge."""
    return charset if codec_of(charset) else None


def charset_of(content: Content, data: bytes) -> str | None:
    """Return the charset that the part declares or, without one, the page in it."""
    if content.charset is None and content.kind in MARKUP:
        return charset_of_page(data)
    return content.charset


def charset_of_page(data: bytes) -> str | None:
    """Return the charset that a page names at its beginning.

    >>> charset_of_page(b"<meta http-equiv=Content-Type content='text/html; charset=koi8-r'>")
    'koi8-r'
    """
    meta = _META_CHARSET.search(data, 0, CHARSET_WITHIN)
    return meta[1].decode("ascii", "replace") if meta else None


def _read_page(
    text: str, origin: Origin, byte: int | None, base: str | None, defects: tuple[Defect, ...]
) -> Page:
    return Page(text, origin, base=base, byte=byte, defects=defects)


def _read_text(  # noqa: PLR0917 - what a part is made of
    text: str, origin: Origin, byte: int | None, body: Body, defects: tuple[Defect, ...], choice: PartFilter
) -> list[Segment]:
    """Return the segments of a plain text."""
    plain = text
    text = running_text(text, body.content)
    has_blocks = may_hold_blocks(text)
    if has_blocks:
        text = undo_dash_escapes(text)
    byte = byte if text == plain else None
    if choice.masks:
        text = mask_text(text, choice)
    if not has_blocks:
        return [Segment(text=text, origin=origin, byte=byte, defects=defects)]
    return _stretches(text, origin, byte, defects)


def _stretches(text: str, origin: Origin, byte: int | None, defects: tuple[Defect, ...]) -> list[Segment]:
    """Return the segments around the blocks that are no text."""
    segments = []
    line, counted = 1, 0
    for start, end in readable_stretches(text):
        line += text.count("\n", counted, start)
        counted = start
        if end > start:
            segments.append(
                Segment(
                    text=text[start:end],
                    origin=origin,
                    start=start,
                    line=line,
                    column=start - text.rfind("\n", 0, start),
                    byte=None if byte is None else byte + start,
                    defects=defects,
                    whole=text,
                )
            )
    return segments


def _read_tail(tail: bytes, origin: Origin, body: Body) -> Segment:
    """Return the segment of the text after a base64 body, which is a text of its own."""
    after, defects = decode(tail, body.content.charset)
    return Segment(text=unify_line_ends(after), origin=origin, defects=defects)


UNREADABLE = frozenset(
    ("application/ms-tnef", "application/vnd.ms-tnef", "application/pkcs7-mime", "application/x-pkcs7-mime")
)
"""Kinds that hold text which is not read here; see `advice_for`."""


def advice_for(kind: str, smime_type: str) -> str | None:
    """Return what a part is and which program reads it; None if it holds no text at all.

    ``smime_type`` is the parameter of that name (RFC 8551, section 3.2.2), in lower case.

    >>> advice_for("application/ms-tnef", "")
    "TNEF (winmail.dat) is not read: unpack it with 'tnef'"
    """
    if "tnef" in kind:
        return "TNEF (winmail.dat) is not read: unpack it with 'tnef'"
    if smime_type == "certs-only":
        return None
    if smime_type == "signed-data":
        return "opaque S/MIME is not read: take it out with 'openssl cms -verify -noverify'"
    return "encrypted S/MIME is not read: 'openssl cms -decrypt' does that"
