"""The parts of a message as segments, each with its origin: what records are made of.

Either splitter, ``walk`` or ``mime``, hands the parts of a message to a `PartSink`: to `Segments`, or
for the formatter to `PlacedBodies`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from urlextract.message.content import DEFAULT, Body
from urlextract.message.context import MAX_DEPTH, PROVENANCE, MessageContext
from urlextract.message.digests import enclosed_messages, may_enclose_messages
from urlextract.message.fields import Field
from urlextract.message.html_page import Readable
from urlextract.message.parts import MARKUP, read_body
from urlextract.message.transfer import IDENTITIES, undo_transfer
from urlextract.message.walk import Head, OddError, Walk, page_base
from urlextract.records import Form, Segment, Unread

Inner = Callable[[bytes, MessageContext], Iterator[Readable | Unread]]


# The head is searched for these with a line end put before it.
_DESCRIBING = re.compile(rb"\n((?i:%s)):([^\n]*+(?:\n[ \t][^\n]*+)*)" % b"|".join(sorted(PROVENANCE)))


class PartSink:
    """Receives the parts of one message, in order; this base class keeps nothing."""

    def __init__(self, context: MessageContext) -> None:
        self.context = context

    def describe(self, fields: Iterable[Field]) -> None:
        """Take the fields of the message itself, which describe its origin."""

    def field(self, field: Field, part: str) -> None:
        """Take a header field of the message, or of a part."""

    def multipart(self, kind: str, part: str) -> None:
        """Take the type of a multipart, whose parts come next."""

    def text(self, body: Body, part: str) -> None:
        """Take a body."""

    def beside(self, data: bytes, offset: int | None, part: str) -> None:
        """Take a preamble or an epilogue, or other text outside the parts."""

    def message(self, data: bytes, context: MessageContext) -> None:
        """Take a message inside this one."""

    def external(self, url: str, part: str) -> None:
        """Take the URL of a body that is elsewhere (RFC 2017)."""

    def unread(self, advice: str, part: str) -> None:
        """Take the advice for a part that cannot be read."""


class Segments(PartSink):
    """Makes the segments of one message; ``inner`` reads the messages in it."""

    def __init__(self, context: MessageContext, inner: Inner) -> None:
        super().__init__(context)
        self.made: list[Readable | Unread] = []
        self._inner = inner

    def describe(self, fields: Iterable[Field]) -> None:
        """Keep what the fields of the message say of its origin."""
        self.context = self.context.described(fields)

    def field(self, field: Field, part: str) -> None:
        """Make a segment of a header field that may hold URLs."""
        segment = self.context.field_segment(field, part)
        if segment:
            self.made.append(segment)

    def text(self, body: Body, part: str) -> None:
        """Take a body, and the messages in its plain text; see `enclosed_messages`."""
        context = self.context
        origin = context.at(part, media_type=body.content.kind)
        found = None
        if (
            body.content.kind == "text/plain"
            and may_enclose_messages(body.data)
            and context.depth < MAX_DEPTH
        ):
            data, tail = undo_transfer(body.data, body.encoding)
            found = enclosed_messages(data)
        if found is None:
            self.made += read_body(body, origin, context.choice)
            return
        plain = body._replace(encoding="", offset=None)
        preamble = plain._replace(data=data[slice(*found.preamble)])
        if data is body.data:
            preamble = preamble._replace(offset=body.offset)
        self.made += read_body(preamble, origin, context.choice)
        for number, (start, end) in enumerate(found.messages, 1):
            self.message(data[start:end], context.inner(context.child(part, number)))
        trailer = data[slice(*found.trailer)] + b"\n" + tail
        self.made += read_body(plain._replace(data=trailer), origin, context.choice)

    def beside(self, data: bytes, offset: int | None, part: str) -> None:
        """Make segments of a preamble, an epilogue or the like."""
        if data.strip():
            body = Body(data, DEFAULT, "", offset)
            self.made += read_body(body, self.context.at(part), self.context.choice)

    def message(self, data: bytes, context: MessageContext) -> None:
        """Make segments of a message inside this one."""
        self.made += self._inner(data, context)

    def external(self, url: str, part: str) -> None:
        """Make a segment of the URL of a body that is elsewhere."""
        origin = self.context.at(part, header="Content-Type")
        self.made.append(Segment(text=url, origin=origin, form=Form.HEADER))

    def unread(self, advice: str, part: str) -> None:
        """Keep the advice for a part that cannot be read."""
        self.made.append(Unread(self.context.at(part), advice))


# What is signed or encrypted may not be changed (RFC 1847), nor may a report in fields (RFC 3464).
_SEALED = ("multipart/signed", "multipart/encrypted", "message/delivery-status")


class PlacedBodies(PartSink):
    """Keeps the bodies of plain text of one message.

    A body that is encoded for transfer, attached, sealed, or in a message inside this one is left out.
    """

    def __init__(self, context: MessageContext) -> None:
        super().__init__(context)
        self.made: list[Body] = []
        self._sealed: list[str] = []

    def multipart(self, kind: str, part: str) -> None:
        """Remember a multipart that is sealed."""
        if kind in _SEALED:
            self._sealed.append(f"{part}." if part else "")

    def text(self, body: Body, part: str) -> None:
        """Keep a body, if it may be rewritten."""
        is_plain = body.content.kind == "text/plain" and body.encoding in IDENTITIES
        if (
            is_plain
            and body.offset is not None
            and not body.is_attached
            and not part.startswith(tuple(self._sealed))
        ):
            self.made.append(body)


def walk_plain(data: bytes, sink: PartSink) -> bool:
    """Hand the parts of a plain message to ``sink``; line ends are LF.

    Return whether the message is plain. If it is not, discard what ``sink`` has received.
    """
    context = sink.context
    every_field = context.choice.schemeless
    try:
        Walk(data, _Plain(data, sink), every_field=every_field).entity(0, len(data), context.path)
    except OddError:
        return False
    return True


class _Plain:
    """Receives the parts of a plain message as offsets, and hands them to a `PartSink`."""

    def __init__(self, data: bytes, sink: PartSink) -> None:
        self._data, self._out = data, sink
        self._top: Head | None = None

    def head(self, head: Head, fields: list[Field], part: str, depth: int) -> None:
        """Take a head."""
        if not depth:
            self._top = head
            if self._out.context.provenance:
                found = _DESCRIBING.findall(b"\n" + self._data[: head.end])
                self._out.describe(Field(*field) for field in found)
        for field in fields:
            self._out.field(field, part)

    def multipart(self, head: Head, part: str) -> None:
        """Take the head of a multipart."""
        self._out.multipart(head.body.content.kind, part)

    def body(self, head: Head, end: int, part: str, depth: int) -> None:
        """Take a body."""
        context, content = self._out.context, head.body.content
        base = None
        if content.kind in MARKUP:
            base = page_base(self._data, head, self._top or head) or context.page
        data = self._data[head.end : end]
        body = Body(data, content, head.body.encoding, context.place(head.end), base)
        self._out.text(body, part if depth else context.body_part())

    def beside(self, start: int, end: int, part: str) -> None:
        """Take what is outside the parts."""
        self._out.beside(self._data[start:end], self._out.context.place(start), part)
