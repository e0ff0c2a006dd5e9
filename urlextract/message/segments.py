"""The parts of a message as segments, each with its origin: what records are made of."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from urlextract.message.content import Body
from urlextract.message.context import MAX_DEPTH
from urlextract.message.digests import enclosed_messages
from urlextract.message.events import Event, Head, Text, events_of
from urlextract.message.html_page import Readable
from urlextract.message.long_texts import read_long
from urlextract.message.parts import read_body, undone
from urlextract.message.transfer import IDENTITIES
from urlextract.records import LongText, Unread


def segments_of(events: Iterable[Event]) -> Iterator[Readable | LongText | Unread]:
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
        yield from segments_of(events_of(data[start:end], context.inner(context.child(part, number))))
    trailer = data[slice(*found.trailer)] + b"\n" + tail
    yield from read_body(plain._replace(data=trailer), origin, context.choice)


# What is signed or encrypted may not be changed (RFC 1847), nor may a report in fields (RFC 3464).
_SEALED = ("multipart/signed", "multipart/encrypted", "message/delivery-status")


def bodies_of(events: Iterable[Event]) -> Iterator[Body]:
    """Yield the bodies of plain text of a message that may be rewritten.

    A body that is encoded for transfer, attached, sealed, or in a message inside this one is left out.
    """
    sealed: list[str] = []
    for event in events:
        if isinstance(event, Head) and event.kind in _SEALED:
            sealed.append(f"{event.part}." if event.part else "")
        if not isinstance(event, Text):
            continue
        body = event.body
        is_plain = event.media_type == "text/plain" and body.encoding in IDENTITIES
        is_own = event.context.depth == 0 and body.offset is not None and not body.is_attached
        if is_plain and is_own and not event.part.startswith(tuple(sealed)):
            yield body
