"""The quick walk over one message: straight through its bytes, with one pattern for a head.

Most mail is plain. Parts are found by their boundary, and nothing is copied but fields that may hold
URLs. What is odd in any way is declined and left to ``mime``: a line in a head that is no field, a type
or encoding that comes twice or has an odd value, a message inside, a boundary that never closes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import chain
from typing import NamedTuple, Protocol

from urlextract.message.content import (
    BYTES,
    DEFAULT,
    Content,
    kind_of_file,
    read_content,
    read_encoding,
    read_file_name,
)
from urlextract.message.context import HEADS, MAX_DEPTH
from urlextract.message.fields import Field, base_url, decode_words
from urlextract.message.heads import DISPOSITION, FIELD, WALK, is_unread
from urlextract.message.http import HTTP
from urlextract.message.parts import UNREADABLE, is_read
from urlextract.message.transfer import IDENTITIES

_LARGEST_HEAD = 1 << 18  # bytes; the patterns need memory for each line

# RFC 2046, section 5.1.1, after the boundary itself
#   delimiter       = CRLF "--" boundary transport-padding
#   close-delimiter = delimiter "--" transport-padding
_REST_OF_BOUNDARY = re.compile(rb"(--)?[ \t]*+(?:\n|\Z)")

_BASES = re.compile(
    rb"\n((?:[Cc](?i:ontent-(?:base|location))|[wW](?i:arc-target-uri))):([^\n]*+(?:\n[ \t][^\n]*+)*)"
)


class OddError(Exception):
    """The message is not plain."""


class Announced(NamedTuple):
    """What a head says of the body after it.

    ``is_text`` says that the body is read as a text.
    """

    content: Content
    encoding: str
    is_text: bool


class Head(NamedTuple):
    """The place of a head, after which the body begins, and what the head says of the body."""

    start: int
    end: int
    body: Announced


class Sink(Protocol):
    """Receives the parts of a message, in order; its methods may raise `OddError`, too."""

    def head(self, head: Head, fields: list[Field], part: str, depth: int) -> None:
        """Take the head of the message, at depth 0, or one with ``fields`` that may hold URLs."""

    def multipart(self, head: Head, part: str) -> None:
        """Take the head of a multipart, whose parts come next."""

    def body(self, head: Head, end: int, part: str, depth: int) -> None:
        """Take a body that is read as a text."""

    def beside(self, start: int, end: int, part: str) -> None:
        """Take a preamble or an epilogue: text outside the parts."""


class Walk:
    """Walks over messages in one stretch of bytes, whose line ends are LF."""

    __slots__ = ("_data", "_every_field", "_sink")

    def __init__(self, data: bytes, sink: Sink, *, every_field: bool = False) -> None:
        self._data, self._sink, self._every_field = data, sink, every_field

    def entity(self, start: int, end: int, part: str = "", depth: int = 0) -> None:
        """Walk over a message or a part of one. Raise `OddError` if it is not plain."""
        at, kind, transfer, fields = self._head(start, end)
        body = _announced(kind, transfer)
        if body and body.content.kind == BYTES:
            body = _body_of(self._named(body.content, start, at), body.encoding)
        if body is None or at - start > _LARGEST_HEAD:
            raise OddError
        head = Head(start, at + 1, body)
        if fields or not depth:
            self._sink.head(head, fields, part, depth)
        if body.content.boundary is not None:
            self._parts(head, end, part, depth)
        elif body.is_text and at + 1 < end:
            self._sink.body(head, end, part, depth)

    def _named(self, content: Content, start: int, end: int) -> Content:
        """Return a content of unknown type with the type that its file name indicates."""
        field = DISPOSITION.search(self._data, start, end)
        name = read_file_name(field[1]) if field else ""
        if name is None:
            raise OddError
        return content._replace(kind=kind_of_file(decode_words(name or content.name)))

    def _head(self, start: int, end: int) -> tuple[int, bytes | None, bytes | None, list[Field]]:
        """Return the offset of the blank line after a head, its type and encoding, and fields to be read."""
        data, at = self._data, start
        kind: bytes | None = None
        transfer: bytes | None = None
        fields: list[Field] = []
        while True:
            walk = None if self._every_field else WALK.match(data, at, end)
            if walk:
                at = walk.end()
                another_kind, another_transfer = walk.groups()
                if (another_kind and kind) or (another_transfer and transfer):
                    raise OddError
                kind, transfer = kind or another_kind, transfer or another_transfer
            if at >= end:
                raise OddError
            if data[at] == 0x0A:
                return at, kind, transfer, fields
            field = FIELD.match(data, at, end)
            if field is None:
                raise OddError
            at, (name, value) = field.end(), field.groups()
            lower = name.lower()
            if lower in (b"content-type", b"content-transfer-encoding"):
                is_kind = lower == b"content-type"
                if not self._every_field or (kind if is_kind else transfer) is not None:
                    raise OddError
                kind, transfer = (value, transfer) if is_kind else (kind, value)
            elif not is_unread(name):
                stripped = value.lstrip(b" \t")
                fields.append(Field(name, stripped, at - 1 - len(stripped)))

    def _parts(self, head: Head, end: int, part: str, depth: int) -> None:
        """Walk over the preamble, the parts, and the epilogue."""
        if depth >= MAX_DEPTH:
            raise OddError
        self._sink.multipart(head, part)
        start, boundary = head.end, head.body.content.boundary or b""
        for number, (stop, follows) in enumerate(_cut(self._data, boundary, start, end)):
            if number:
                self.entity(start, stop, f"{part}.{number}" if part else str(number), depth + 1)
            elif stop > start:
                self._sink.beside(start, stop, part)
            start = follows
        if end > start + 1:
            self._sink.beside(start, end, part)


@lru_cache(maxsize=4096)
def _announced(kind: bytes | None, transfer: bytes | None) -> Announced | None:
    """Return what the fields of a head say of its body, None if that is odd."""
    content = DEFAULT if kind is None else read_content(kind)
    encoding = "" if transfer is None else read_encoding(transfer)
    return None if content is None or encoding is None else _body_of(content, encoding)


def _body_of(content: Content, encoding: str) -> Announced | None:
    """Return how to read a body, None if it is odd. The boundary is kept for multiparts only."""
    if _is_odd(content.kind):
        return None
    if content.kind.startswith("multipart/"):
        is_whole = content.boundary is not None and encoding in IDENTITIES
        is_plain = is_whole and content.kind != "multipart/digest"
        return Announced(content, encoding, is_text=False) if is_plain else None
    return Announced(content._replace(boundary=None), encoding, is_read(content.kind))


def _is_odd(kind: str) -> bool:
    """Return whether parts of a kind are messages or heads, or cannot be read."""
    return kind.startswith("message/") or kind in HTTP or kind in UNREADABLE or kind in HEADS


def _cut(data: bytes, boundary: bytes, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield a pair of offsets for each boundary line, up to the closing one.

    The pair is the end of the piece before the boundary, without the line end that
    belongs to the boundary, and the start of the next piece.
    """
    delimiter = b"--" + boundary
    piece = at = start
    while (at := data.find(delimiter, at, end)) >= 0:
        rest = _REST_OF_BOUNDARY.match(data, at + len(delimiter), end)
        if rest is None or (at > start and data[at - 1] != 0x0A):
            at += 1
            continue
        if piece == (at if piece > start else -1) or (rest[1] and piece == start):
            raise OddError  # an empty part, or the end without a beginning
        yield max(at - 1, piece), rest.end()
        if rest[1]:
            return
        piece = at = rest.end()
    raise OddError


def page_base(data: bytes, *heads: Head) -> str | None:
    """Return the URL of a page that the heads of its part and of its message name."""
    found = (_BASES.findall(b"\n" + data[head.start : head.end]) for head in heads)
    return base_url(chain.from_iterable(found))
