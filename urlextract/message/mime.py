"""Any message at all, by the stdlib's parser (compat32, which parses no field by itself).

It finds the parts; what is in them is read by the same code as in plain messages.
Messages inside are left to the caller as bytes, so that also those which are
base64-encoded, against RFC 2046, section 5.2.1, are parsed.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from urlextract.grammar.patterns import later
from urlextract.message.content import Body
from urlextract.message.entity import (
    content_of,
    encoding_of,
    is_attached,
    parameter,
    parse_entity,
    raw_bytes,
    raw_fields,
    whole_head,
    with_plain_names,
)
from urlextract.message.fields import Field, base_url
from urlextract.message.http import HTTP, undo_http
from urlextract.message.letter import HEADS, MAX_DEPTH, REPORTS
from urlextract.message.parts import MARKUP
from urlextract.message.segments import Segments
from urlextract.message.transfer import undo_transfer
from urlextract.message.unread import UNREADABLE, advice_for
from urlextract.records import Form, Segment

if TYPE_CHECKING:
    from urlextract.message.content import Content
    from urlextract.message.entity import Entity
    from urlextract.message.html_page import Readable
    from urlextract.message.letter import Letter
    from urlextract.message.segments import Inner
    from urlextract.records import Unread

__all__ = ["read_any"]

# RFC 2046, section 5.2; RFC 5537, section 2.3 (news); RFC 6532, section 3.7 (global).
_MESSAGES = HEADS | {"message/rfc822", "message/global", "message/news", "message/partial"}

_SPACE = later(r"\s+")
# A line that begins with hyphens, and the head of a part behind it; RFC 2046, section 5.1.1.
_BOUNDARY = later(
    rb"(?:\A|\n)--([A-Za-z0-9'()+_,./:=? -]{0,69}[A-Za-z0-9'()+_,./:=?-])\n(?=Content-[A-Za-z-]{2,20}:)"
)


def read_any(data: bytes, letter: Letter, inner: Inner) -> list[Readable | Unread]:
    """Return the segments of one message; ``inner`` reads the messages in it."""
    data = with_plain_names(data)
    segments = Segments(letter, inner)
    _Walk(data, segments, parse_entity(data)).all()
    return segments.made


class _Walk:
    """Walks over the parts of one message in order, and keeps its place in the bytes."""

    def __init__(self, data: bytes, segments: Segments, message: Entity) -> None:
        self._data, self._segments = data, segments
        self._at = 0
        self._has_guessed = False
        self._spare = 4 * len(data)  # bytes that may be parsed again
        self._message = self._whole(message)
        segments.describe(Field(name, value) for name, value in raw_fields(self._message))
        self._letter = segments.letter

    def all(self) -> None:
        """Walk over the whole message."""
        self._entity(self._message, self._letter.path)

    def _whole(self, entity: Entity) -> Entity:
        """Return an entity with all its fields; time stays in proportion, however deep such are nested."""
        mended = whole_head(entity) if self._spare > 0 else entity
        if mended is not entity:
            self._spare -= len(entity.raw())
        return mended

    def _entity(self, entity: Entity, part: str) -> None:
        """Walk over the fields and the body of the message or a part of it."""
        for name, value in raw_fields(entity):
            self._segments.field(Field(name, value, self._find_field(name, value)), part)
        self._dropped(entity, part)
        content = content_of(entity)
        if entity.is_multipart():
            self._multipart(entity, part)
            return
        if entity is self._message:
            part = self._letter.body_part()
        self._body(entity, content, part)

    def _body(self, entity: Entity, content: Content, part: str) -> None:
        """Walk over the body of an entity that has no parts."""
        segments, is_deep = self._segments, self._letter.depth >= MAX_DEPTH
        payload, encoding = entity.raw(), encoding_of(entity)
        if content.kind == "message/external-body":
            self._external(entity, part)
        if content.kind in UNREADABLE:
            advice = advice_for(content.kind, (parameter(entity, "smime-type") or "").lower())
            if advice:
                segments.unread(advice, part)
        elif content.kind in _MESSAGES and not is_deep:
            inner = self._letter.inner(part)
            if content.kind in REPORTS:  # it is of the message that it is in
                inner = inner._replace(provenance=False)
            segments.message(undo_transfer(payload, encoding)[0], inner)
        elif content.kind.startswith("multipart/") and (guessed := self._guessed(payload)):
            self._multipart(guessed, part)
        elif content.kind in HTTP and not is_deep:
            self._http(undo_transfer(payload, encoding)[0], part)
        else:
            heads = (raw_fields(entity), raw_fields(self._message))
            base = base_url(chain(*heads)) or self._letter.page if content.kind in MARKUP else None
            body = Body(payload, content, encoding, self._find(payload), base, is_attached(entity))
            segments.text(body, part)

    def _guessed(self, data: bytes) -> Entity | None:
        """Return the multipart that a body seems to be, though it names no boundary; only once."""
        line = None if self._has_guessed else _BOUNDARY.search(data)
        if line is None:
            return None
        self._has_guessed = True
        entity = parse_entity(b'Content-Type: multipart/mixed; boundary="%s"\n\n%s' % (line[1], data))
        return entity if entity.is_multipart() else None

    def _http(self, data: bytes, part: str) -> None:
        """Walk over an HTTP message, the URLs of whose page are read against the URL it was had from."""
        first, message, complaint = undo_http(data)
        if complaint:
            self._segments.unread(complaint, part)
        self._beside(first.decode("ascii", "surrogateescape"), part)
        page = base_url(raw_fields(self._message)) or self._letter.page
        self._segments.message(message, self._letter.inner(part)._replace(page=page))

    def _dropped(self, entity: Entity, part: str) -> None:
        """Walk over the lines of a head that the parser takes for no field and for no body."""
        lines = [entity.get_unixfrom(), *(getattr(defect, "line", None) for defect in entity.defects)]
        for line in lines:
            if isinstance(line, str):
                self._beside(line, part)

    def _multipart(self, entity: Entity, part: str) -> None:
        """Walk over the preamble, the parts and the epilogue."""
        self._beside(entity.preamble, part)
        for number, child in enumerate(entity.get_payload(), 1):
            self._entity(self._whole(child), self._letter.child(part, number))
        self._beside(entity.epilogue, part)

    def _beside(self, text: str | None, part: str) -> None:
        """Walk over a text outside the parts."""
        data = raw_bytes(text)
        if data.strip():
            self._segments.beside(data, self._find(data), part)

    def _external(self, entity: Entity, part: str) -> None:
        """Take the URL by which a part is to be had from elsewhere (RFC 2017)."""
        url = _SPACE.sub("", parameter(entity, "url") or "")
        if url:
            origin = self._letter.at(part, header="Content-Type")
            self._segments.made.append(Segment(text=url, origin=origin, form=Form.HEADER))

    def _find_field(self, name: bytes, value: bytes) -> int | None:
        """Give the place of a field's value in the bytes of the message."""
        at = self._at if self._data.startswith(name + b":", self._at) else -1
        if at < 0:
            at = self._data.find(b"\n" + name + b":", max(0, self._at - 1)) + 1
            if not at:
                return None
        start = at + len(name) + 1
        while self._data[start : start + 1] in (b" ", b"\t"):
            start += 1
        if not self._data.startswith(value, start):
            return None
        self._at = start + len(value)
        return start

    def _find(self, data: bytes) -> int | None:
        """Give the place of a body in the source, where it is beyond doubt."""
        if self._letter.base is None or not data:
            return None
        for gap in (b"\n\n", b"\n"):  # after a head, and after one whose blank line is missing
            if self._data.startswith(gap + data, self._at):
                at = self._at + len(gap)
                break
        else:
            at = self._data.find(b"\n" + data, self._at) + 1
        if not at:
            return None
        self._at = at + len(data)
        return self._letter.place(at)
