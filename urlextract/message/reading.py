"""Read one raw message: hand its bytes to a splitter, and collect the segments of its parts."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import TypeVar

from urlextract.grammar.patterns import lazy_re
from urlextract.message.content import Body
from urlextract.message.context import MessageContext
from urlextract.message.html_page import Readable
from urlextract.message.mime import walk_any
from urlextract.message.segments import PartSink, PlacedBodies, Segments, walk_plain
from urlextract.records import EVERYTHING, Origin, PartFilter, RawMessage, Unread
from urlextract.sources.reader import with_lf

_Sink = TypeVar("_Sink", bound="PartSink")

_BLANK_LINES = lazy_re(rb"\n+(?=[!-9;-~]{1,76}:)")  # before the head of a message in another
_ATTACHED = lazy_re(rb"(?<![^\n])(?i:content-disposition):[ \t\n]*+(?i:attachment)")
# A postmark, or one that a mailbox has quoted; some programs leave it in the message.
_POSTMARK = re.compile(rb"(?:>?From [^\n]*\d:\d\d[^\n]*\n)+")


def read_message(
    message: RawMessage, choice: PartFilter = EVERYTHING, *, provenance: bool = True
) -> Iterator[Readable | Unread]:
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
    return _read(message.data, _outermost(message, choice, provenance=provenance))


def read_message_slowly(
    message: RawMessage, choice: PartFilter = EVERYTHING, *, provenance: bool = True
) -> Iterator[Readable | Unread]:
    """Yield the same as `read_message`, by the stdlib's parser alone, to test the fast way against."""
    return _read_slowly(message.data, _outermost(message, choice, provenance=provenance))


def read_bodies(message: RawMessage) -> list[Body]:
    r"""Return the bodies of plain text that need no decoding and are not attached, each with its offset.

    >>> from urlextract.records import Origin, RawMessage
    >>> data = b"Subject: x\nMessage-ID: <1@a>\n\nhi\n"
    >>> [(body.offset, body.data) for body in read_bodies(RawMessage(data, Origin(offset=0)))]
    [(30, b'hi\n')]
    """
    data, context = _prepared(message.data, _outermost(message, EVERYTHING, provenance=False))
    is_tried = not _ATTACHED.search(data)  # `walk_plain` does not read that field
    return _handed_over(data, lambda: PlacedBodies(context), is_tried=is_tried).made


def origin_of(message: RawMessage) -> Origin:
    r"""Return the origin of a message with the values of its own header fields.

    >>> from urlextract.records import Origin, RawMessage
    >>> origin_of(RawMessage(data=b"Subject: tides\n\nbody", origin=Origin(message=1))).subject
    'tides'
    """
    data, context = _prepared(message.data, _outermost(message, EVERYTHING, provenance=True))
    head = data[: data.find(b"\n\n") + 2]
    return _handed_over(head, lambda: Segments(context, _read)).context.origin


def _outermost(message: RawMessage, choice: PartFilter, *, provenance: bool) -> MessageContext:
    return MessageContext(
        origin=message.origin,
        base=message.origin.offset,
        verbatim=message.verbatim,
        provenance=provenance,
        choice=choice,
    )


def _read(data: bytes, context: MessageContext) -> Iterator[Readable | Unread]:
    """Read a message the fast way, or the slow way where it is odd."""
    data, context = _prepared(data, context)
    return iter(_handed_over(data, lambda: Segments(context, _read)).made)


def _read_slowly(data: bytes, context: MessageContext) -> Iterator[Readable | Unread]:
    data, context = _prepared(data, context)
    return iter(_handed_over(data, lambda: Segments(context, _read_slowly), is_tried=False).made)


def _handed_over(data: bytes, new_sink: Callable[[], _Sink], *, is_tried: bool = True) -> _Sink:
    """Return a new sink that has received the parts of a message, from either splitter."""
    sink = new_sink()
    if is_tried and sink.context.choice.is_all and b"\r" not in data:
        if walk_plain(data, sink):
            return sink
        sink = new_sink()
    walk_any(data, sink)
    return sink


def _prepared(data: bytes, context: MessageContext) -> tuple[bytes, MessageContext]:
    """Return the data with LF line ends and without postmarks, and the context with matching offsets.

    Line ends are kept in data with NULs: UTF-16 would lose characters.
    """
    if b"\r" in data and b"\0" not in data:
        data = with_lf(data)
        context = context._replace(base=None)
    blank = _BLANK_LINES.match(data) if context.depth else None
    if blank:
        data = data[blank.end() :]
    postmark = _POSTMARK.match(data)
    if postmark:
        size = postmark.end()
        data = data[size:]
        context = context._replace(base=context.place(size), verbatim=context.verbatim - size)
    return data, context
