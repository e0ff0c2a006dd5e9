"""Read a part that has no parts: decoded, unfolded, without what is no text.

`read_body` reads one that is held as a whole; `read_long` takes the same steps piece by piece, and judges
what the body is by its first piece.
"""

from __future__ import annotations

import re
from codecs import BOM_UTF8
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import NamedTuple

from urlextract.grammar.patterns import lazy_re
from urlextract.message.charsets import codec_for, codec_of, decode, decoded_pieces, unify_line_ends
from urlextract.message.content import Body, Content
from urlextract.message.enclosed import BlockFilter, Signs, readable_stretches, signs_of, undo_dash_escapes
from urlextract.message.html_page import Page
from urlextract.message.kinds import kind_of
from urlextract.message.quoting import mask_pages, mask_pieces
from urlextract.message.running_text import running_pieces, unflow
from urlextract.message.transfer import IDENTITIES, is_undeclared, undo_transfer, undone_pieces
from urlextract.records import Defect, DefectCode, LongText, Origin, PartFilter, Segment
from urlextract.sources.streams import in_blocks

_UNDECLARED = Defect(DefectCode.UNDECLARED_QUOTED_PRINTABLE, "undeclared quoted-printable")

_META_CHARSET = lazy_re(rb"<meta\s[^>]{0,200}?charset\s*=\s*[\"']?([\w.:-]{1,40})", re.IGNORECASE)
CHARSET_WITHIN = 2048
"""Bytes at the beginning of a page in which it names its charset."""


def _is_chosen(body: Body, choice: PartFilter, *, is_page: bool) -> bool:
    """Return whether parts of this kind are asked for."""
    return ("attach" if body.is_attached else "html" if is_page else "text") in choice.parts


def _charset_of(body: Body, data: bytes, choice: PartFilter, *, is_page: bool) -> str | None:
    """Return the charset that a part declares or, without one, the page in it; else that of the options.

    An unknown one does not count, nor does ASCII, which is often declared without knowledge.
    """
    charset = body.content.charset
    if charset is None and is_page:
        charset = charset_of_page(data)
    return charset if codec_of(charset) else choice.charset


def charset_of_page(data: bytes) -> str | None:
    """Return the charset that a page names at its beginning.

    >>> charset_of_page(b"<meta http-equiv=Content-Type content='text/html; charset=koi8-r'>")
    'koi8-r'
    """
    meta = _META_CHARSET.search(data, 0, CHARSET_WITHIN)
    return meta[1].decode("ascii", "replace") if meta else None


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
    body: Body, origin: Origin, choice: PartFilter, known: Undone | None = None
) -> Iterator[Segment | Page]:
    """Yield the segments of one part; ``known`` is its body without the transfer encoding."""
    content = body.content
    is_page = kind_of(content.kind).reader == "page"
    if not _is_chosen(body, choice, is_page=is_page):
        return
    data, tail, signs = known or undone(body)
    undeclared = is_undeclared(data, body.encoding)
    if undeclared:
        data, _ = undo_transfer(data, "quoted-printable")
        signs = signs_of(data)
    text, defects = decode(data, _charset_of(body, data, choice, is_page=is_page))
    defects += (_UNDECLARED,) if undeclared else ()
    text = unify_line_ends(text)
    if choice.masks and is_page:
        text = mask_pages(text, choice)
    is_as_sent = data is body.data and len(text) == len(data) and text.isascii()
    byte = body.offset if is_as_sent else None
    if is_page and text and not text.isspace():
        yield Page(text, origin, base=body.base, byte=byte, defects=defects)
    elif text and not text.isspace():
        whole = Segment(text, origin, byte=byte, defects=defects)
        yield from _read_text(whole, content, choice, has_blocks=signs.blocks)
    if tail:  # a text of its own
        after, defects = decode(tail, content.charset)
        yield Segment(text=unify_line_ends(after), origin=origin, defects=defects)


def _read_text(text: Segment, content: Content, choice: PartFilter, *, has_blocks: bool) -> Iterator[Segment]:
    """Yield the segments of a plain text, unfolded; one without blocks that are no text is a single one."""
    running, convert = text.text, kind_of(content.kind).running
    if convert:
        running = convert(running, running)
    elif content.flowed:
        running = unflow(running, delsp=content.delsp)
    if has_blocks:
        running = undo_dash_escapes(running)
    byte = text.byte if running == text.text else None
    if choice.masks:
        running = "".join(mask_pieces((running,), choice))
    if not has_blocks:
        yield Segment(running, text.origin, byte=byte, defects=text.defects)
        return
    line, counted = 1, 0
    for start, end in readable_stretches(running):
        line += running.count("\n", counted, start)
        counted = start
        if end > start:
            yield Segment(
                text=running[start:end],
                origin=text.origin,
                start=start,
                line=line,
                column=start - running.rfind("\n", 0, start),
                byte=None if byte is None else byte + start,
                defects=text.defects,
                whole=running,
            )


def read_long(body: Body, rest: Iterator[bytes], origin: Origin, choice: PartFilter) -> Iterator[LongText]:
    """Yield the text of a body that begins with the data of ``body``, and goes on with ``rest``."""
    content, kind = body.content, kind_of(body.content.kind)
    is_page = kind.reader == "page"
    if not _is_chosen(body, choice, is_page=is_page):
        return
    undeclared = is_undeclared(body.data, body.encoding)
    undone = undone_pieces(chain((body.data,), rest), "quoted-printable" if undeclared else body.encoding)
    first = next(undone, b"")
    codec = codec_for(first, _charset_of(body, first, choice, is_page=is_page))
    pieces: Iterable[str] = decoded_pieces(chain(in_blocks(first), undone), codec)
    if not is_page:
        pieces = BlockFilter().filtered(running_pieces(pieces, content, kind.running))
        if choice.masks:
            pieces = mask_pieces(pieces, choice)
    # A byte order mark is not part of the text.
    place = None if body.offset is None else body.offset + len(BOM_UTF8) * first.startswith(BOM_UTF8)
    is_as_sent = body.encoding in IDENTITIES and not undeclared and codec == "utf-8"
    is_plain = is_page or not (kind.running or content.flowed)
    yield LongText(
        iter(pieces),
        origin,
        is_page,
        body.base if is_page else None,
        place if is_as_sent and is_plain else None,
        (_UNDECLARED,) if undeclared else (),
    )
