"""The texts of a message, each with its provenance: what records are made of.

A part is decoded and unfolded: at once if it is held as a whole, else piece by piece in the same steps. A
long one is judged by its first piece.
"""

from __future__ import annotations

import re
from codecs import BOM_UTF8
from collections.abc import Callable, Iterable, Iterator
from itertools import chain

from urlextract.grammar.codes import DefectCode
from urlextract.grammar.patterns import lazy_re
from urlextract.message.charsets import codec_for, codec_of, decode, decoded_pieces, unify_line_ends
from urlextract.message.content import Body, Content, kind_of
from urlextract.message.context import MessageContext
from urlextract.message.events import Event, Head, Text, events_of
from urlextract.message.html_page import Page, Readable, title_of
from urlextract.message.quoting import mask_pages, mask_pieces
from urlextract.message.running_text import converted_pieces, in_lines, unflow, unflowed
from urlextract.message.transfer import (
    ENCODINGS,
    IDENTITIES,
    is_as_sent,
    is_undeclared,
    undo_transfer,
    undone_pieces,
)
from urlextract.records import (
    EVERYTHING,
    Defect,
    LongText,
    PartFilter,
    Provenance,
    RawMessage,
    Segment,
    Unread,
)
from urlextract.source_lines import SourceLines, starts_of
from urlextract.sources.streams import in_blocks

OnMessage = Callable[[Provenance], None]
"""Is called with the provenance of each message before its texts are read."""

UNDECLARED = Defect(DefectCode.UNDECLARED_QUOTED_PRINTABLE, "undeclared quoted-printable")

_META_CHARSET = lazy_re(rb"<meta\s[^>]{0,200}?charset\s*=\s*[\"']?([\w.:-]{1,40})", re.IGNORECASE)
CHARSET_WITHIN = 2048
"""Bytes at the beginning of a page in which it names its charset."""


def read_message(
    message: RawMessage,
    choice: PartFilter = EVERYTHING,
    *,
    on_message: OnMessage | None = None,
) -> Iterator[Readable | LongText | Unread]:
    r"""Yield the text of a message: its header fields, then its parts, in order.

    Fields that can hold no URL, or are not read for any, are left out. ``choice`` says what is read. A part
    that cannot be read yields advice on what reads it. ``on_message`` is called with the provenance of the
    message, before anything of it is yielded.

    >>> from urlextract.records import Provenance, RawMessage
    >>> data = b"Subject: www.example.org\nMessage-ID: <1@a>\n\nhi\n"
    >>> for segment in read_message(RawMessage(data=data, provenance=Provenance())):
    ...     print(segment.provenance.part or segment.provenance.header, repr(segment.text))
    Subject 'www.example.org'
    1 'hi\n'
    """
    events = _events(message, choice)
    return _segments_of(_told(events, on_message) if on_message else events)


def _told(events: Iterator[Event], on_message: OnMessage) -> Iterator[Event]:
    """Yield the events; call ``on_message`` when the head of the outermost message comes, which is first."""
    for event in events:
        if isinstance(event, Head) and not event.part and not event.context.depth:
            on_message(event.context.provenance)
        yield event


def _events(message: RawMessage, choice: PartFilter) -> Iterator[Event]:
    context = MessageContext(
        provenance=message.provenance,
        base=message.provenance.offset,
        verbatim=message.verbatim,
        choice=choice,
    )
    return events_of(message.data, context, message.rest)


def _segments_of(events: Iterable[Event]) -> Iterator[Readable | LongText | Unread]:
    """Yield the segments of a message, and advice on the parts that cannot be read."""
    for event in events:
        if isinstance(event, Head):
            for field in event.fields:
                segment = event.context.field_segment(field, event.part)
                if segment:
                    yield segment
        elif isinstance(event, Text):
            context, part, body, media_type, rest = event
            provenance = context.at(part, media_type=media_type)
            if rest:
                yield from _read_long(body, rest, provenance, context.choice)
            else:
                yield from _read_body(body, provenance, context.choice)
        else:
            yield event


# What is signed or encrypted may not be changed (RFC 1847), nor may a report in fields (RFC 3464).
_SEALED = ("multipart/signed", "multipart/encrypted", "message/delivery-status")


def read_long_bodies(message: RawMessage) -> Iterator[tuple[Body, Iterator[bytes] | None]]:
    r"""Yield the bodies of plain text of a message that may be rewritten, each with its offset.

    Of one that is too long to be held, it is the beginning, with what yields the rest. A body that is encoded
    for transfer, attached, sealed, or in a message inside this one is left out.

    >>> from urlextract.records import Provenance, RawMessage
    >>> data = b"Subject: x\nMessage-ID: <1@a>\n\nhi\n"
    >>> [(body.offset, body.data) for body, _ in read_long_bodies(RawMessage(data, Provenance(offset=0)))]
    [(30, b'hi\n')]
    """
    sealed: list[str] = []
    for event in _events(message, EVERYTHING):
        if isinstance(event, Head) and event.kind in _SEALED:
            sealed.append(f"{event.part}." if event.part else "")
        if not isinstance(event, Text):
            continue
        body = event.body
        is_plain = event.media_type == "text/plain" and is_as_sent(body.data, body.encoding)
        is_own = event.context.depth == 0 and body.offset is not None and not body.is_attached
        if is_plain and is_own and not event.part.startswith(tuple(sealed)):
            yield body, event.rest


# --- parts ---------------------------------------------------------------------------------------


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


def _read_body(body: Body, provenance: Provenance, choice: PartFilter) -> Iterator[Segment | Page]:
    """Yield the text of one part, and the plain text that was put after its encoded one."""
    content = body.content
    is_page = kind_of(content.kind).reader == "page"
    if not _is_chosen(body, choice, is_page=is_page):
        return
    data, tail = undo_transfer(body.data, body.encoding)
    undeclared = is_undeclared(data, body.encoding)
    if undeclared:
        data, _ = undo_transfer(data, "quoted-printable")
    charset = _charset_of(body, data, choice, is_page=is_page)
    text, defects = decode(data, charset)
    rest = provenance
    if lines := provenance.lines:
        encoding = "quoted-printable" if undeclared else body.encoding
        provenance = provenance.but(lines=_decoded_lines(lines, body.data, encoding, charset))
        rest = rest.but(lines=lines.of_rest(body.data, tail))
    defects += (UNDECLARED,) if undeclared else ()
    text = unify_line_ends(text)
    if choice.masks and is_page:
        text = mask_pages(text, choice)
    is_as_sent = data is body.data and len(text) == len(data) and text.isascii()
    byte = body.offset if is_as_sent else None
    if is_page and text and not text.isspace():
        if provenance.head.page:
            provenance = provenance.but(title=title_of(text))
        yield Page(text, provenance, base=body.base, byte=byte, defects=defects)
    elif text and not text.isspace():
        yield _running(Segment(text, provenance, byte=byte, defects=defects), content, choice)
    if tail:  # a text of its own
        after, defects = decode(tail, content.charset)
        yield Segment(text=unify_line_ends(after), provenance=rest, defects=defects)


def _decoded_lines(lines: SourceLines, data: bytes, encoding: str, charset: str | None) -> SourceLines:
    """Return the lines of the source on which the decoded text of a body stands, as far as they are known."""
    if encoding not in ENCODINGS:
        return lines
    if encoding != "quoted-printable":
        return lines.of_one_line()
    decoded = (undo_transfer(line, encoding)[0] for line in data.splitlines(keepends=True))
    return lines.rewritten(starts_of([unify_line_ends(decode(line, charset)[0]) for line in decoded]))


def _running_lines(lines: SourceLines, text: str, running: str, *, flowed: bool, delsp: bool) -> SourceLines:
    """Return the lines of the source on which ``text`` stands once it was made ``running``."""
    if flowed:
        pieces: list[str] = []
        for piece in unflowed([f"{line}\n" for line in text.split("\n")], delsp=delsp):
            before, line_end, after = piece.partition("\n")
            if pieces and line_end and not before.strip():  # it begins with the end of the line before
                pieces[-1] += before + line_end
                piece = after  # noqa: PLW2901 - the rest of it
            pieces.append(piece)
        return lines.rewritten(starts_of(pieces))
    return lines if text.count("\n") == running.count("\n") else lines.of_one_line()


def _running(text: Segment, content: Content, choice: PartFilter) -> Segment:
    """Return a plain text unfolded, and without the lines that are not to be read."""
    running, convert = text.text, kind_of(content.kind).running
    if convert:
        running = convert(running, running)
    elif content.flowed:
        running = unflow(running, delsp=content.delsp)
    provenance = text.provenance
    if provenance.lines and running != text.text:
        flowed = content.flowed and not convert
        lines = _running_lines(provenance.lines, text.text, running, flowed=flowed, delsp=content.delsp)
        provenance = provenance.but(lines=lines)
    byte = text.byte if running == text.text else None
    if choice.masks:
        running = "".join(mask_pieces((running,), choice))
    return Segment(running, provenance, byte=byte, defects=text.defects)


def _read_long(
    body: Body, rest: Iterator[bytes], provenance: Provenance, choice: PartFilter
) -> Iterator[LongText]:
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
        pieces = running_pieces(pieces, content)
        if choice.masks:
            pieces = mask_pieces(pieces, choice)
    # A byte order mark is not part of the text.
    place = None if body.offset is None else body.offset + len(BOM_UTF8) * first.startswith(BOM_UTF8)
    is_as_sent = body.encoding in IDENTITIES and not undeclared and codec == "utf-8"
    is_plain = is_page or not (kind.running or content.flowed)
    if provenance.lines and (body.encoding in ENCODINGS or undeclared or not is_plain):
        provenance = provenance.but(lines=provenance.lines.of_one_line())
    yield LongText(
        iter(pieces),
        provenance,
        is_page,
        body.base if is_page else None,
        place if is_as_sent and is_plain else None,
        (UNDECLARED,) if undeclared else (),
    )


def running_pieces(pieces: Iterable[str], content: Content) -> Iterator[str]:
    """Yield a text in pieces as it is to be read, cut at line ends."""
    convert = kind_of(content.kind).running
    if content.flowed and not convert:
        pieces = unflowed(pieces, delsp=content.delsp)
    return converted_pieces(pieces, convert) if convert else in_lines(pieces)
