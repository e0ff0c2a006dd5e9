"""Read one raw message into decoded segments of text."""

from __future__ import annotations

from collections.abc import Iterator

from urlextract.message.content import Body
from urlextract.message.context import MessageContext
from urlextract.message.events import Head, events_of
from urlextract.message.html_page import Readable
from urlextract.message.segments import bodies_of, segments_of
from urlextract.records import EVERYTHING, LongText, Origin, PartFilter, RawMessage, Unread


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
    context = _outermost(message, choice, provenance=provenance)
    return segments_of(events_of(message.data, context, message.rest))


def read_bodies(message: RawMessage) -> list[Body]:
    r"""Return the bodies of plain text that need no decoding and are not attached, each with its offset.

    >>> from urlextract.records import Origin, RawMessage
    >>> data = b"Subject: x\nMessage-ID: <1@a>\n\nhi\n"
    >>> [(body.offset, body.data) for body in read_bodies(RawMessage(data, Origin(offset=0)))]
    [(30, b'hi\n')]
    """
    return [*bodies_of(events_of(message.data, _outermost(message, EVERYTHING, provenance=False)))]


def origin_of(message: RawMessage) -> Origin:
    r"""Return the origin of a message with the values of its own header fields.

    >>> from urlextract.records import Origin, RawMessage
    >>> origin_of(RawMessage(data=b"Subject: tides\n\nbody", origin=Origin(message=1))).subject
    'tides'
    """
    events = events_of(message.data, _outermost(message, EVERYTHING, provenance=True))
    return next(event.context.origin for event in events if isinstance(event, Head))


def _outermost(message: RawMessage, choice: PartFilter, *, provenance: bool) -> MessageContext:
    return MessageContext(
        origin=message.origin,
        base=message.origin.offset,
        verbatim=message.verbatim,
        provenance=provenance,
        choice=choice,
    )
