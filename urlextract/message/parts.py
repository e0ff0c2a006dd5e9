"""Read a part that has no parts into segments: decoded, unfolded, without what is no text."""

from __future__ import annotations

import re
from typing import NamedTuple

from urlextract.grammar.patterns import lazy_re
from urlextract.message.charsets import decode, unify_line_ends
from urlextract.message.content import Body, Content, codec_of
from urlextract.message.html_page import Page
from urlextract.message.kinds import kind_of
from urlextract.message.pgp import readable_stretches, undo_dash_escapes
from urlextract.message.quoting import mask_pages, mask_text
from urlextract.message.running_text import unflow
from urlextract.message.signs import Signs, signs_of
from urlextract.message.transfer import is_undeclared, undo_transfer
from urlextract.records import EVERYTHING, Defect, DefectCode, Origin, PartFilter, Segment

UNDECLARED = Defect(DefectCode.UNDECLARED_QUOTED_PRINTABLE, "undeclared quoted-printable")
"""The defect of a part that was decoded although it does not say that it is quoted-printable."""

_META_CHARSET = lazy_re(rb"<meta\s[^>]{0,200}?charset\s*=\s*[\"']?([\w.:-]{1,40})", re.IGNORECASE)
CHARSET_WITHIN = 2048
"""Bytes at the beginning of a page in which it names its charset."""


def is_chosen(body: Body, choice: PartFilter) -> bool:
    """Return whether parts of this kind are asked for."""
    if body.is_attached:
        return "attach" in choice.parts
    return ("html" if kind_of(body.content.kind).reader == "page" else "text") in choice.parts


class Undone(NamedTuple):
    """A body without its transfer encoding, the plain text that was put after it, and what it may hold."""

    data: bytes
    tail: bytes
    signs: Signs


def undone(body: Body) -> Undone:
    """Undo the transfer encoding of a body, as it was declared."""
    data, tail = undo_transfer(body.data, body.encoding)
    return Undone(data, tail, signs_of(data))


def read_body(
    body: Body, origin: Origin, choice: PartFilter = EVERYTHING, known: Undone | None = None
) -> list[Segment | Page]:
    """Return the segments of one part; ``known`` is its body without the transfer encoding."""
    content = body.content
    if not is_chosen(body, choice):
        return []
    kind = kind_of(content.kind)
    is_page = kind.reader == "page"
    data, tail, signs = known or undone(body)
    undeclared = signs.escapes and is_undeclared(data, body.encoding)
    if undeclared:
        data, _ = undo_transfer(data, "quoted-printable")
        signs = signs_of(data)
    text, defects = decode(data, declared(charset_of(content, data)) or choice.charset)
    defects += (UNDECLARED,) if undeclared else ()
    text = unify_line_ends(text)
    if choice.masks and is_page:
        text = mask_pages(text, choice)
    is_as_sent = data is body.data and len(text) == len(data) and text.isascii()
    byte = body.offset if is_as_sent else None
    segments: list[Segment | Page] = []
    if not text or text.isspace():
        pass
    elif is_page:
        segments = [Page(text, origin, base=body.base, byte=byte, defects=defects)]
    else:
        running = kind.running(text, text) if kind.running else text
        if content.flowed and not kind.running:
            running = unflow(text, delsp=content.delsp)
        byte = byte if running == text else None
        segments += _read_text(running, origin, byte, defects, choice, has_blocks=signs.blocks)
    if tail:
        segments.append(_read_tail(tail, origin, body))
    return segments


def declared(charset: str | None) -> str | None:
    """Return a charset, None for an unknown one or ASCII, which is often declared without knowledge."""
    return charset if codec_of(charset) else None


def charset_of(content: Content, data: bytes) -> str | None:
    """Return the charset that the part declares or, without one, the page in it."""
    if content.charset is None and kind_of(content.kind).reader == "page":
        return charset_of_page(data)
    return content.charset


def charset_of_page(data: bytes) -> str | None:
    """Return the charset that a page names at its beginning.

    >>> charset_of_page(b"<meta http-equiv=Content-Type content='text/html; charset=koi8-r'>")
    'koi8-r'
    """
    meta = _META_CHARSET.search(data, 0, CHARSET_WITHIN)
    return meta[1].decode("ascii", "replace") if meta else None


def _read_text(
    text: str,
    origin: Origin,
    byte: int | None,
    defects: tuple[Defect, ...],
    choice: PartFilter,
    *,
    has_blocks: bool,
) -> list[Segment]:
    """Return the segments of a plain text; one without blocks is a single one."""
    plain = text
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
