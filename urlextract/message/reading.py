"""The texts of a message, each with its origin: what records are made of."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from urlextract.message.content import Body
from urlextract.message.context import MAX_DEPTH, MessageContext, part_name
from urlextract.message.enclosed import enclosed_messages
from urlextract.message.events import Event, Head, Text, events_of
from urlextract.message.html_page import Readable
from urlextract.message.parts import read_body, read_long, undone
from urlextract.message.transfer import IDENTITIES
from urlextract.records import EVERYTHING, LongText, PartFilter, RawMessage, Unread


def read_message(
    message: RawMessage, choice: PartFilter = EVERYTHING, *, provenance: bool = True
) -> Iterator[Readable | LongText | Unread]:
    r"""Yield the text of a message: its header fields, then its parts, in order.

    Fields that can hold no URL, or are not read for any, are left out. With
    ``provenance`` the origin of each segment names the innermost message. ``choice``
    says what is read. A part that cannot be read yields advice on what reads it.

    >>> from urlextract.records import Origin, RawMessage
    >>> data = b"Subject: www.example.org\nMessage-ID: <1@a>\n\nhi\n"
    >>> for segment in read_message(RawMessage(data=data, origin=Origin())):
    ...     print(segment.origin.part or segment.origin.header, segment.origin.subject, repr(segment.text))
    Subject www.example.org 'www.example.org'
    1 www.example.org 'hi\n'
    """
    return _segments_of(_events(message, choice, provenance=provenance))


def _events(message: RawMessage, choice: PartFilter, *, provenance: bool) -> Iterator[Event]:
    context = MessageContext(
        origin=message.origin,
        base=message.origin.offset,
        verbatim=message.verbatim,
        provenance=provenance,
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
            yield from _of_text(event)
        else:
            yield event


def _of_text(event: Text) -> Iterator[Readable | LongText | Unread]:
    """Yield the segments of a text, and those of the messages in a plain body: see `enclosed_messages`."""
    context, part, body, media_type, rest = event
    origin = context.at(part, media_type=media_type)
    if rest:
        yield from read_long(body, rest, origin, context.choice)
        return
    data, tail, signs = known = undone(body)
    may_enclose = media_type == "text/plain" and signs.messages and context.depth < MAX_DEPTH
    found = enclosed_messages(data) if may_enclose else None
    if found is None:
        yield from read_body(body, origin, context.choice, known)
        return
    plain = body._replace(encoding="", offset=None)
    preamble = plain._replace(data=data[slice(*found.preamble)])
    if data is body.data:
        preamble = preamble._replace(offset=body.offset)
    yield from read_body(preamble, origin, context.choice)
    for number, (start, end) in enumerate(found.messages, 1):
        yield from _segments_of(events_of(data[start:end], context.inner(part_name(part, number))))
    trailer = data[slice(*found.trailer)] + b"\n" + tail
    yield from read_body(plain._replace(data=trailer), origin, context.choice)


# What is signed or encrypted may not be changed (RFC 1847), nor may a report in fields (RFC 3464).
_SEALED = ("multipart/signed", "multipart/encrypted", "message/delivery-status")


def read_bodies(message: RawMessage) -> Iterator[Body]:
    r"""Yield the bodies of plain text of a message that may be rewritten, each with its offset.

    A body that is encoded for transfer, attached, sealed, or in a message inside this one is left out.

    >>> from urlextract.records import Origin, RawMessage
    >>> data = b"Subject: x\nMessage-ID: <1@a>\n\nhi\n"
    >>> [(body.offset, body.data) for body in read_bodies(RawMessage(data, Origin(offset=0)))]
    [(30, b'hi\n')]
    """
    sealed: list[str] = []
    for event in _events(message, EVERYTHING, provenance=False):
        if isinstance(event, Head) and event.kind in _SEALED:
            sealed.append(f"{event.part}." if event.part else "")
        if not isinstance(event, Text):
            continue
        body = event.body
        is_plain = event.media_type == "text/plain" and body.encoding in IDENTITIES
        is_own = event.context.depth == 0 and body.offset is not None and not body.is_attached
        if is_plain and is_own and not event.part.startswith(tuple(sealed)):
            yield body
