"""The texts of a message, each with its provenance: what records are made of.

Each step of a body is a function of one str: it is decoded, and made running text. A body that is too long to
be held comes in windows, which pass through the same steps; it is judged by its beginning.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import chain

from urlextract.grammar.codes import DefectCode
from urlextract.grammar.patterns import lazy_re
from urlextract.message import limits
from urlextract.message.charsets import codec_for, codec_of, decode, decoded_pieces
from urlextract.message.content import DEFAULT, Content, advice_for, encoding_of, kind_of
from urlextract.message.events import Body, EventReader, Head, Message, part_name
from urlextract.message.fields import base_url, field_text
from urlextract.message.heads import read_head
from urlextract.message.quoting import Mask
from urlextract.message.running_text import unflow, without_cells
from urlextract.message.transfer import ENCODINGS, is_undeclared, undo_transfer, undone_pieces
from urlextract.records import (
    EVERYTHING,
    Defect,
    Form,
    LongText,
    PartFilter,
    Provenance,
    RawMessage,
    Segment,
    Unread,
)
from urlextract.sources.formats.warc import undo_http

OnMessage = Callable[[Provenance], None]
"""Is called with the provenance of each message before its texts are read."""

UNDECLARED = Defect(DefectCode.UNDECLARED_QUOTED_PRINTABLE, "undeclared quoted-printable")

_META_CHARSET = lazy_re(rb"<meta\s[^>]{0,200}?charset\s*=\s*[\"']?([\w.:-]{1,40})", re.IGNORECASE)
CHARSET_WITHIN = 2048
"""Bytes at the beginning of a page in which it names its charset."""

# What is signed or encrypted may not be changed (RFC 1847), nor may a report in fields (RFC 3464).
_SEALED = ("multipart/signed", "multipart/encrypted", "message/delivery-status")

_WITHOUT_LINKS = lazy_re(
    r"image/(?!svg)|audio/|video/|font/|multipart/|application/(?:pgp-|(?:x-)?pkcs7-signature)"
)

# RFC 2045, section 6.1, in the text of another message: the field, the rest of its head, and a line of
# base64, or what quoted-printable has in place of "=" and at the end of a long line that goes on.
_ENCODED = lazy_re(
    r"^content-transfer-encoding[ \t]*:[ \t]*\"?(?:(base64)|(quoted-printable))\"?[ \t]*\n"
    r"(?>(?:(?:[!-9;-~]+:|[ \t])[^\n]*\n){0,30})\n{1,3}"
    r"(?(1)([a-z0-9+/]{16,}+)={0,2}[ \t]*(?:\n|\Z)|(?=[\s\S]{0,8000}?(?:=3d|^[^\n]{66,75}=\n)))",
    re.IGNORECASE | re.MULTILINE,
)
_AROUND = 1 << 14  # characters of a piece that are searched with the next one, too
_BINARY = lazy_re(rb"[\0-\x08\x0e-\x1a\x1c-\x1f]")  # of a picture, or another file
# ISO 28500, section 5.3 and 6.7: a record of a web archive that holds an HTTP message, and one of which the
# answer was the same as one that is archived, whose body is not repeated.
_HTTP = lazy_re(rb"(?:\A|\n)content-type:[ \t]*(?:application|message)/http\b", re.IGNORECASE)
_REVISIT = lazy_re(rb"\nwarc-type:[ \t]*revisit[ \t]*\n", re.IGNORECASE)
_HEAD_END = lazy_re(rb"\n\r?\n")


def read_message(
    message: RawMessage, choice: PartFilter = EVERYTHING, *, on_message: OnMessage | None = None
) -> Iterator[Segment | LongText | Unread]:
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
    is_first = True
    for event in _events(message, choice):
        if is_first and on_message and isinstance(event, Head):
            on_message(event.message.provenance)
        is_first = False
        if isinstance(event, Unread):
            yield event
        elif isinstance(event, Head):
            if event.fields.urls and choice.reads_headers():
                yield from _of_head(event, choice)
        else:
            yield from _of_body(event, choice)


def read_bodies(message: RawMessage) -> Iterator[tuple[Body, bool]]:
    r"""Yield the texts and pages of a message as they were sent, those of its source with their place.

    A body comes with whether it may not be changed, because it is signed or encrypted, or is a report. Of a
    part that is encoded and not read, and may have links (SVG, PDF, ...), an empty one is yielded.

    >>> from urlextract.records import Provenance, RawMessage
    >>> data = b"Subject: x\nMessage-ID: <1@a>\n\nhi\n"
    >>> [(body.place, body.data) for body, _ in read_bodies(RawMessage(data, Provenance(offset=0)))]
    [(30, b'hi\n')]
    """
    sealed: list[str] = []
    for event in _events(message, EVERYTHING):
        if isinstance(event, Head):
            if event.kind in _SEALED:
                sealed.append(f"{event.part}." if event.part else "")
            transfers = map(encoding_of, event.fields.transfers[:1])
            if _may_have_links(event.kind) and not ENCODINGS.isdisjoint(transfers):
                yield Body(event.message, event.part, Content(event.kind), "", b""), True
        elif isinstance(event, Body) and event.head:
            is_text = kind_of(event.content.kind).reader in ("text", "page")
            if is_text:
                yield event, event.part.startswith(tuple(sealed))


def _may_have_links(kind: str) -> bool:
    """Return whether parts of a media type are not read, and are not known to have no links."""
    return kind_of(kind).reader in ("none", "unreadable") and not _WITHOUT_LINKS.match(kind)


# --- messages, and those of HTTP -----------------------------------------------------------------


def _events(message: RawMessage, choice: PartFilter) -> Iterator[Head | Body | Unread]:
    """Return the events of a message; the message of HTTP in a record of a web archive is undone."""
    data, reads_all = message.data, choice.schemeless or bool(choice.named)
    if message.rest and len(data) < limits.HEAD:
        held = bytearray(data)
        while len(held) < limits.HEAD and (block := next(message.rest, None)) is not None:
            held += block
        data = bytes(held)
    head = _HEAD_END.search(data) if b"WARC-" in data[:256].upper() else None
    if head and _HTTP.search(data, 0, head.end()):
        return _http_events(message._replace(data=data), head.end(), reads_all=reads_all)
    blocks = chain((data,), message.rest) if message.rest else (data,)
    return _read(message, blocks, Message(message.provenance), reads_all=reads_all)


def _read(
    message: RawMessage, blocks: Iterable[bytes], read: Message, *, reads_all: bool
) -> Iterator[Head | Body]:
    """Return the events of a message that begins where ``message`` does."""
    offset, verbatim = message.provenance.offset, message.verbatim
    return EventReader(blocks, read, offset, verbatim, reads_all=reads_all).events()


def _http_events(message: RawMessage, start: int, *, reads_all: bool) -> Iterator[Head | Body | Unread]:
    """Yield the events of a record of a web archive, whose message of HTTP begins at ``start``."""
    outer, data = Message(message.provenance), message.data
    events = _read(message, (data[:start],), outer, reads_all=reads_all)
    yield from (event for event in events if isinstance(event, Head))
    body = data[start:]
    for piece in message.rest or ():
        body += piece
        if len(body) > limits.HTTP:
            yield Unread(outer.at("1"), "an HTTP body is too large to be read to its end")
            break
    first, inside, complaint = undo_http(body)
    if complaint and not _REVISIT.search(outer.head):
        yield Unread(outer.at("1"), complaint)
    if first.strip():
        yield Body(outer, "1", DEFAULT, "", first)
    # Its fields tell how it was sent, and not what it holds.
    inner = Message(outer.provenance, "1", 1, is_report=True, page=base_url(outer.head))
    yield from EventReader((inside,), inner, None, 0, reads_all=reads_all).events()


# --- heads ---------------------------------------------------------------------------------------


def _of_head(head: Head, choice: PartFilter) -> Iterator[Segment]:
    """Yield the texts of the fields of a head that are read for URLs."""
    fields = head.fields
    for field in fields.urls:
        text = field_text(field, choice)
        if text is None:
            continue
        byte = None
        if fields.place is not None and text.isascii():
            at = field.value.find(text.encode("ascii"))  # -1 if it does not stand there unchanged
            byte = None if at < 0 else fields.place + field.start + at
        name = field.name.decode("ascii", "replace")
        provenance = head.message.at(head.part, header=name)
        yield Segment(text=text, provenance=provenance, byte=byte, form=Form.HEADER)


def _of_status(body: Body, choice: PartFilter) -> Iterator[Segment | LongText | Unread]:
    """Yield the fields of a status, each block of which is a part (RFC 3464, section 2), and what is none."""
    pieces = (piece.decode("latin-1") for piece in chain((body.data,), body.rest or ()))
    blocks = (block for window in windows(pieces, limits.HEAD) for block in window.split("\n\n"))
    for number, block in enumerate(filter(str.strip, blocks), 1):
        part = part_name(body.part, number)
        data = b"\n%s\n" % block.strip("\n").encode("latin-1")
        fields = read_head(data, 1, len(data), None, reads_all=choice.schemeless)
        if choice.reads_headers():
            yield from _of_head(Head(body.message, part, fields, ""), choice)
        for text in (data[slice(*span)] for span in (*fields.strays, (fields.end, len(data)))):
            yield from _of_body(Body(body.message, part, DEFAULT, "", text, head=fields.head), choice)


# --- bodies --------------------------------------------------------------------------------------


def _of_body(body: Body, choice: PartFilter) -> Iterable[Segment | LongText | Unread]:
    """Return the texts of one body."""
    message, content = body.message, body.content
    reader = kind_of(content.kind).reader
    if reader == "unreadable":
        advice = advice_for(content)
        return (Unread(message.at(body.part), advice),) if advice else ()
    if reader == "status" and body.encoding not in ENCODINGS:
        return _of_status(body, choice)
    is_chosen = ("attach" if body.is_attached else "html" if reader == "page" else "text") in choice.parts
    texts = _of_text(body, choice) if is_chosen else ()
    if content.url and content.kind == "message/external-body":
        provenance = message.at(body.part, header="Content-Type")
        return chain((Segment(content.url, provenance, form=Form.HEADER),), texts)
    return texts


def _of_text(body: Body, choice: PartFilter) -> Iterator[Segment | LongText | Unread]:
    """Yield the text of a body, and the plain text that was put after an encoded one."""
    media_type, defects = body.content.kind if body.head else None, tuple[Defect, ...]()
    provenance = body.message.at(body.part, media_type=media_type)
    if is_undeclared(body.data, body.encoding):
        body, defects = body._replace(encoding="quoted-printable"), (UNDECLARED,)
    if body.rest:
        told: list[Unread] = []
        yield _long_text(body, provenance, defects, choice, told)
        yield from told[:1]  # it has been read
        return
    data, tail = undo_transfer(body.data, body.encoding)
    charset = _charset_of(body, data, choice)
    text, wrong = decode(data, charset)
    byte = body.place if data is body.data and len(text) == len(data) and text.isascii() else None
    if text and not text.isspace():
        defects = wrong + defects
        if kind_of(body.content.kind).reader == "page":
            yield LongText(
                iter((text,)), provenance, is_page=True, base=_base_of(body), byte=byte, defects=defects
            )
        else:
            yield from _heads_in(text, provenance)
            segment = Segment(text, provenance, byte=byte, defects=defects)
            yield _running(segment, body.content, choice)
    if tail:  # a text of its own
        text, wrong = decode(tail, charset)
        yield from _heads_in(text, provenance)
        yield Segment(text, provenance, defects=wrong)


def _base_of(body: Body) -> str | None:
    """Return the URL against which relative ones of a page are resolved."""
    return base_url(body.head, body.message.head) or body.message.page


def _charset_of(body: Body, data: bytes, choice: PartFilter) -> str | None:
    """Return the charset that a part declares, else the one that its page names, else that of the options.

    Unknown charsets do not count, nor does ASCII, which is often declared without knowledge.
    """
    charset = body.content.charset
    if codec_of(charset) is None and kind_of(body.content.kind).reader == "page":
        charset = charset_of_page(data)
    return charset if codec_of(charset) else choice.charset


def charset_of_page(data: bytes) -> str | None:
    """Return the charset that a page names at its beginning.

    >>> charset_of_page(b"<meta http-equiv=Content-Type content='text/html; charset=koi8-r'>")
    'koi8-r'
    """
    meta = _META_CHARSET.search(data, 0, CHARSET_WITHIN)
    return meta[1].decode("ascii", "replace") if meta else None


def _running(text: Segment, content: Content, choice: PartFilter) -> Segment:
    """Return a plain text unfolded, and without the lines that are not to be read."""
    running = in_running_text(text.text, text.text, content)
    provenance, byte = text.provenance, text.byte
    if running != text.text:
        byte = None
    if choice.masks:
        running = Mask(choice)(running)
    return Segment(running, provenance, byte=byte, defects=text.defects)


def in_running_text(text: str, beginning: str, content: Content) -> str:
    """Return a text, or a window of one with that beginning, as it is to be read."""
    convert = kind_of(content.kind).running
    if convert:
        return convert(text, beginning)
    return unflow(text, delsp=content.delsp) if content.flowed else text


def _heads_in(text: str, provenance: Provenance) -> list[Unread]:
    """Return what is told of the first head of another message in a text: what follows it is not decoded."""
    heads = _ENCODED.finditer(text) if "nsfer-" in text or "NSFER-" in text else ()
    for found in heads:
        if not _BINARY.search(undo_transfer((found[3] or "").encode(), "base64")[0]):  # its first line
            encoding = (found[1] or found[2]).lower()
            advice = "give each message as a file, or make a mailbox with 'formail'"
            words = f"a head within the text, and {encoding} after it that is not decoded: {advice}"
            return [Unread(provenance, words)]
    return []


# --- long bodies ---------------------------------------------------------------------------------


def _long_text(
    body: Body,
    provenance: Provenance,
    defects: tuple[Defect, ...],
    choice: PartFilter,
    told: list[Unread],
) -> LongText:
    """Return the text of a body that is too long to be held; ``told`` gets the heads that are in it."""
    content, kind = body.content, kind_of(body.content.kind)
    undone = undone_pieces(chain((body.data,), body.rest or ()), body.encoding)
    first = next(undone, b"")
    codec = codec_for(first, _charset_of(body, first, choice))
    begin = (first[at : at + limits.PIECE] for at in range(0, len(first), limits.PIECE))
    pieces: Iterable[str] = decoded_pieces(chain(begin, undone), codec)
    is_page = kind.reader == "page"
    if not is_page:
        pieces = running_windows(_noted(pieces, provenance, told), content)
        if choice.masks:
            pieces = map(Mask(choice), pieces)
    # Line ends may yet come that are not LF, so that no byte is known.
    return LongText(iter(pieces), provenance, is_page, _base_of(body) if is_page else None, None, defects)


def _noted(pieces: Iterable[str], provenance: Provenance, told: list[Unread]) -> Iterator[str]:
    """Yield the pieces of a text; note the heads of other messages in it, also where a piece ends."""
    before = ""
    for piece in pieces:
        told += _heads_in(before + piece, provenance)
        before = piece[-_AROUND:]
        yield piece


def running_windows(pieces: Iterable[str], content: Content, *, by_windows: bool = True) -> Iterator[str]:
    """Yield a text that comes in pieces as it is to be read, in windows or as it comes."""
    beginning = held = ""
    is_table = kind_of(content.kind).running is without_cells
    for window in windows(pieces, limits.WINDOW) if by_windows else pieces:
        held += window
        beginning = beginning or held
        end = len(held)
        if is_table and held.count('"') % 2 and end < 2 * limits.WINDOW:  # it ends within a cell in quotes
            end = held.rindex('"')
        yield in_running_text(held[:end], beginning, content)
        held = held[end:]
    yield in_running_text(held, beginning, content)


def windows(pieces: Iterable[str], size: int) -> Iterator[str]:
    r"""Yield a text that comes in pieces in windows of at most ``size`` characters, wherever it was cut.

    A window ends in its second half: at the last blank line, else at a line end, of which no blank is the
    next character, for it folds lines; else between words.

    >>> list(windows(["a\n", "\nb"], 4))
    ['a\n\nb']
    """
    held = ""
    for piece in pieces:
        held += piece
        at = 0
        while len(held) - at > size:
            end = _window_end(held, at + size // 2, at + size)
            yield held[at:end]
            at = end
        held = held[at:]
    if held:
        yield held


def _window_end(text: str, low: int, high: int) -> int:
    """Return where a window ends, between ``low`` and ``high``."""
    blank = text.rfind("\n\n", low, high)
    if blank >= 0:
        return blank + 2
    line = text.rfind("\n", low, high - 1)
    while line >= 0 and text[line + 1] in " \t":
        line = text.rfind("\n", low, line)
    line = line if line >= 0 else text.rfind("\n", low, high)
    return line + 1 if line >= 0 else text.rfind(" ", low, high) + 1 or high
