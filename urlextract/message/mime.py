"""Any message at all, by the stdlib's parser (compat32, which parses no field by itself).

It finds the parts; what is in them is read by the same code as in plain messages.
Messages inside are left to the caller as bytes, so that also those which are
base64-encoded, against RFC 2046, section 5.2.1, are parsed.
"""

from __future__ import annotations

import re
from email.errors import StartBoundaryNotFoundDefect
from email.message import Message
from email.parser import BytesParser
from email.policy import compat32
from email.utils import collapse_rfc2231_value
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Any, cast

from urlextract.message.content import DEFAULT, Body, Content
from urlextract.message.digest import may_be_digest, split_digest
from urlextract.message.fields import Field, base_url
from urlextract.message.http import HTTP, undo_http
from urlextract.message.letter import MAX_DEPTH
from urlextract.message.parts import MARKUP, read_body
from urlextract.message.transfer import undo_transfer
from urlextract.message.unread import UNREADABLE, advice_for
from urlextract.records import Form, Segment, Unread

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from email.policy import Policy

    from urlextract.message.letter import Letter

    Inner = Callable[[bytes, Letter], Iterator[Segment | Unread]]

__all__ = ["read_any"]

# RFC 2046, section 5.2; RFC 5537, section 2.3 (news); RFC 6532, section 3.7 (global).
_MESSAGES = frozenset(("message/rfc822", "message/global", "message/news", "message/partial"))

_SPACE = re.compile(r"\s+")
_ENCODING = re.compile(r"[^\s;(]*+")


class _Entity(Message):
    """A message or part that knows its depth, and keeps messages in it as they stand.

    So it does with multiparts whose boundary is known to be broken.
    """

    depth = 0

    def __init__(self, policy: Policy = compat32, broken: frozenset[str] = frozenset()) -> None:
        super().__init__(policy)
        self._broken = broken

    def attach(self, payload: Message) -> None:  # type: ignore[override]
        """Take a part."""
        payload.depth = self.depth + 1  # type: ignore[attr-defined]
        super().attach(payload)

    def get_content_maintype(self) -> str:
        """Say what the parser has to look for: multiparts, but no messages."""
        kind = super().get_content_maintype()
        if kind == "message" or self.depth >= MAX_DEPTH:
            return "text"
        return "text" if self._broken and self.boundary() in self._broken else kind

    def boundary(self) -> str | None:
        """Give the boundary that the parser looks for."""
        try:
            return self.get_boundary()
        except Exception:  # get_boundary raises on some parameters of RFC 2231
            return None

    def raw(self) -> bytes:
        """Give the body as it stands; the public way would decode it by its charset."""
        return _raw(getattr(self, "_payload", None))


def read_any(data: bytes, letter: Letter, inner: Inner) -> Iterator[Segment | Unread]:
    """Give the segments of one message; ``inner`` reads the messages in it."""
    message = _parse(data)
    walk = _Walk(data, letter, inner, message)
    yield from walk.entity(message, letter.path)


def _parse(data: bytes) -> _Entity:
    """Parse; where a multipart never begins, keep it as it stands, for the parser drops its end."""
    message = cast("_Entity", BytesParser(_Entity, policy=compat32).parsebytes(data))
    broken = frozenset(
        str(part.boundary())
        for part in cast("Iterator[_Entity]", message.walk())
        if any(isinstance(defect, StartBoundaryNotFoundDefect) for defect in part.defects)
    )
    if not broken:
        return message
    careful: Any = partial(_Entity, broken=broken)
    return cast("_Entity", BytesParser(careful, policy=compat32).parsebytes(data))


class _Walk:
    """Goes through the parts of one message in order, and keeps its place in the bytes."""

    def __init__(self, data: bytes, letter: Letter, inner: Inner, message: _Entity) -> None:
        self._data = data
        self._at = 0
        self._letter = letter.described(Field(name, value) for name, value in _raw_fields(message))
        self._inner = inner
        self._message = message

    def entity(self, entity: _Entity, part: str) -> Iterator[Segment | Unread]:
        """Give the fields and the body of the message or a part of it."""
        for name, value in _raw_fields(entity):
            field = Field(name, value, self._find_field(name, value))
            segment = self._letter.field_segment(field, part)
            if segment:
                yield segment
        yield from self._dropped(entity, part)
        content = _content_of(entity)
        if entity.is_multipart():
            yield from self._multipart(entity, part)
            return
        if entity is self._message:
            part = self._letter.body_part()
        yield from self._body(entity, content, part)

    def _body(self, entity: _Entity, content: Content, part: str) -> Iterator[Segment | Unread]:
        """Give the body of an entity that has no parts, and the messages in it."""
        payload = entity.raw()
        encoding = _encoding_of(entity)
        if content.kind == "message/external-body":
            yield from self._external(entity, part)
        if content.kind in UNREADABLE:
            advice = advice_for(content.kind, (_parameter(entity, "smime-type") or "").lower())
            if advice:
                yield Unread(self._letter.at(part), advice)
        elif content.kind in _MESSAGES and self._letter.depth < MAX_DEPTH:
            yield from self._inner(undo_transfer(payload, encoding)[0], self._letter.inner(part))
        elif content.kind in HTTP and self._letter.depth < MAX_DEPTH:
            yield from self._http(undo_transfer(payload, encoding)[0], part)
        else:
            heads = (_raw_fields(entity), _raw_fields(self._message))
            base = base_url(chain(*heads)) or self._letter.page if content.kind in MARKUP else None
            body = Body(payload, content, encoding, self._find(payload), base, _is_attached(entity))
            yield from self._text(body, part)

    def _text(self, body: Body, part: str) -> Iterator[Segment | Unread]:
        """Give a text; a digest in plain text is messages, too."""
        letter = self._letter
        digest = None
        if body.content.kind == "text/plain" and may_be_digest(body.data) and letter.depth < MAX_DEPTH:
            data, tail = undo_transfer(body.data, body.encoding)
            digest = split_digest(data)
        if digest is None:
            yield from read_body(body, letter.at(part), letter.choice)
            return
        offset = body.offset if data is body.data else None
        plain = body._replace(encoding="", offset=None)
        yield from read_body(
            plain._replace(data=data[slice(*digest.preamble)], offset=offset), letter.at(part), letter.choice
        )
        for number, (start, end) in enumerate(digest.messages, 1):
            yield from self._inner(data[start:end], letter.inner(letter.child(part, number)))
        trailer = data[slice(*digest.trailer)] + b"\n" + tail
        yield from read_body(plain._replace(data=trailer), letter.at(part), letter.choice)

    def _http(self, data: bytes, part: str) -> Iterator[Segment | Unread]:
        """Give an HTTP message, the URLs of whose page are read against the URL it was had from."""
        first, message, complaint = undo_http(data)
        if complaint:
            yield Unread(self._letter.at(part), complaint)
        yield from self._beside(first.decode("ascii", "surrogateescape"), part)
        page = base_url(_raw_fields(self._message)) or self._letter.page
        yield from self._inner(message, self._letter.inner(part)._replace(page=page))

    def _dropped(self, entity: _Entity, part: str) -> Iterator[Segment]:
        """Give the lines of a head that the parser takes for no field and for no body."""
        lines = [entity.get_unixfrom(), *(getattr(defect, "line", None) for defect in entity.defects)]
        for line in lines:
            if isinstance(line, str):
                yield from self._beside(line, part)

    def _multipart(self, entity: _Entity, part: str) -> Iterator[Segment | Unread]:
        """Give what stands before the parts, the parts, and what stands behind them."""
        yield from self._beside(entity.preamble, part)
        for number, child in enumerate(entity.get_payload(), 1):
            yield from self.entity(child, self._letter.child(part, number))
        yield from self._beside(entity.epilogue, part)

    def _beside(self, text: str | None, part: str) -> Iterator[Segment]:
        """Give a preamble or an epilogue: text outside the parts."""
        data = _raw(text)
        if data.strip():
            body = Body(data, DEFAULT, "", self._find(data))
            yield from read_body(body, self._letter.at(part or None), self._letter.choice)

    def _external(self, entity: _Entity, part: str) -> Iterator[Segment]:
        """Give the URL by which a part is to be had from elsewhere (RFC 2017)."""
        url = _SPACE.sub("", _parameter(entity, "url") or "")
        if url:
            origin = self._letter.at(f"{part}:Content-Type")
            yield Segment(text=url, origin=origin, form=Form.HEADER)

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


def _raw(text: object) -> bytes:
    """Give the bytes that the parser made a text of."""
    return text.encode("ascii", "surrogateescape") if isinstance(text, str) else b""


def _raw_fields(entity: _Entity) -> list[tuple[bytes, bytes]]:
    """Give the fields as they stand; the blank behind the colon is gone."""
    return [(_raw(name), _raw(value)) for name, value in entity.raw_items()]


# Characters of a Content-Type: the stdlib looks at each semicolon of it again and again.
_LONGEST_TYPE = 4_000


def _parameter(entity: _Entity, name: str) -> str | None:
    """Give a parameter of the Content-Type, RFC 2231 undone; None where it is beyond reading."""
    if len(str(entity.get("content-type", ""))) > _LONGEST_TYPE:
        return None
    try:
        value = entity.get_param(name)
        return None if value is None else collapse_rfc2231_value(value)
    except Exception:
        return None


def _content_of(entity: _Entity) -> Content:
    """Give what an entity holds."""
    kind = entity.get_content_type()
    return Content(
        kind=kind,
        charset=_parameter(entity, "charset"),
        flowed=(_parameter(entity, "format") or "").lower() == "flowed",
        delsp=(_parameter(entity, "delsp") or "").lower() == "yes",
    )


def _is_attached(entity: _Entity) -> bool:
    """Say whether the sender attached a part."""
    return str(entity.get("content-disposition", "")).strip().lower().startswith("attachment")


def _encoding_of(entity: _Entity) -> str:
    """Give the transfer encoding in lower case."""
    field = _ENCODING.match(str(entity.get("content-transfer-encoding", "")).strip())
    return field[0].lower() if field else ""
