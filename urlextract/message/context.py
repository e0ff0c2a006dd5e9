"""One message, the outermost or one inside it, while its parts are read."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import NamedTuple

from urlextract.message.fields import Field, field_text, first_values
from urlextract.message.heads import is_unread
from urlextract.records import EVERYTHING, Form, Origin, PartFilter, Segment

MAX_DEPTH = 20
"""How deep messages, and multiparts within one message, may be nested; deeper ones are text."""

PROVENANCE = frozenset(b"message-id date from to newsgroups subject list-id warc-record-id warc-date".split())
"""The fields that identify the origin of a message or of a record in a web archive, in lower case."""


class MessageContext(NamedTuple):
    """What the parts of one message have in common.

    ``path`` is the part that holds the message, empty for the outermost; ``base``
    the offset of its first byte in the source, where that is known, and ``verbatim``
    the number of bytes that are unchanged there. With ``provenance`` the origin takes
    values from its fields. ``choice`` says what of it is read. ``page`` is the URL
    against which relative URLs in its pages are resolved.
    """

    origin: Origin
    path: str = ""
    base: int | None = None
    verbatim: int = sys.maxsize
    depth: int = 0
    provenance: bool = True
    choice: PartFilter = EVERYTHING
    page: str | None = None

    def place(self, at: int) -> int | None:
        """Return the offset in the source of the message's byte ``at``, where it is known."""
        return None if self.base is None or at >= self.verbatim else self.base + at

    def at(self, part: str | None, *, header: str | None = None, media_type: str | None = None) -> Origin:
        """Return the origin of a part, or of the field ``header`` of a part or of the message."""
        origin = self.origin
        return Origin(
            source=origin.source,
            message=origin.message,
            offset=origin.offset,
            message_id=origin.message_id,
            date_field=origin.date_field,
            from_=origin.from_,
            newsgroups=origin.newsgroups,
            part=part or None,
            header=header,
            media_type=media_type,
            subject=origin.subject,
            list_id=origin.list_id,
            to=origin.to,
            length=origin.length,
        )

    def described(self, fields: Iterable[Field]) -> MessageContext:
        """Return the context with an origin that has the values of the message's own fields."""
        if not self.provenance:
            return self
        values = first_values(fields, PROVENANCE)
        origin = Origin(
            source=self.origin.source,
            message=self.origin.message,
            offset=self.origin.offset,
            message_id=_one_line(values.get(b"message-id", values.get(b"warc-record-id"))),
            date_field=values.get(b"date", values.get(b"warc-date")),
            from_=values.get(b"from"),
            newsgroups=values.get(b"newsgroups"),
            subject=values.get(b"subject"),
            list_id=_identifier(values.get(b"list-id")),
            to=values.get(b"to"),
            length=self.origin.length,
        )
        return self._replace(origin=origin)

    def inner(self, part: str) -> MessageContext:
        """Return the context of a message in a part of this one; its place in the source is not known."""
        return self._replace(path=part, base=None, depth=self.depth + 1)

    def child(self, parent: str, number: int) -> str:
        """Return the name of a part of a multipart, counted from 1 (RFC 3501, section 6.4.5)."""
        return f"{parent}.{number}" if parent else str(number)

    def body_part(self) -> str:
        """Return the name of the body of this message if it has no parts."""
        return self.child(self.path, 1)

    def field_segment(self, field: Field, part: str) -> Segment | None:
        """Return the segment of a field of the message or of a part, None if it is not read for URLs."""
        if is_unread(field.name) or not self.choice.reads_headers():
            return None
        text = field_text(field, self.choice.charset, schemeless=self.choice.schemeless)
        if text is None:
            return None
        origin = self.at(part, header=field.name.decode("ascii", "replace"))
        return Segment(text=text, origin=origin, byte=self._byte(field, text), form=Form.HEADER)

    def _byte(self, field: Field, text: str) -> int | None:
        """Return the offset of a field's text in the source, None if it is not there unchanged."""
        if self.base is None or field.start is None or not text.isascii():
            return None
        at = field.value.find(text.encode("ascii"))
        return None if at < 0 else self.place(field.start + at)


def _one_line(message_id: str | None) -> str | None:
    """Return an identifier without the line ends that encoded words in it may hide."""
    return message_id and " ".join(message_id.split())


def _identifier(list_id: str | None) -> str | None:
    """Return the identifier of a list, without the words before it: RFC 2919, section 3."""
    _, bracket, identifier = (list_id or "").rpartition("<")
    return identifier.partition(">")[0].strip() if bracket else list_id
