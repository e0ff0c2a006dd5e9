"""Plain messages, read straight from their bytes; this is most mail.

Heads are run over by one pattern, parts are found by their boundary, nothing is
copied but the bodies. What is odd in any way is declined, and left to ``mime``:
a line in the head that is no field, a field of ours that comes twice or has an
odd value, a message inside, a boundary that never closes.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from urlextract.grammar.patterns import compiled
from urlextract.message.content import DEFAULT, Body, Content, read_content, read_encoding
from urlextract.message.enclosed import may_enclose_messages
from urlextract.message.fields import Field, base_url
from urlextract.message.heads import CONTENT, FIRST_FIELD, NO_FIELD, READ, may_hold_urls
from urlextract.message.http import HTTP
from urlextract.message.letter import MAX_DEPTH, PROVENANCE
from urlextract.message.parts import MARKUP, is_read, read_body
from urlextract.message.unread import UNREADABLE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from urlextract.message.html_page import Readable
    from urlextract.message.letter import Letter

__all__ = ["HEADS", "LARGEST_HEAD", "OddError", "cut", "is_odd", "page_base", "read_plain"]

T = TypeVar("T")

# RFC 2046, section 5.1.1, behind the boundary itself
#   delimiter       = CRLF "--" boundary transport-padding
#   close-delimiter = delimiter "--" transport-padding
_REST_OF_BOUNDARY = compiled(rb"(--)?[ \t]*+(?:\n|\Z)")

_BASES = compiled(
    rb"\n((?:[Cc](?i:ontent-(?:base|location))|[wW](?i:arc-target-uri))):([^\n]*+(?:\n[ \t][^\n]*+)*)"
)

# The head is searched for these with a line end put before it.
_DESCRIBING = compiled(rb"\n((?i:%s)):([^\n]*+(?:\n[ \t][^\n]*+)*)" % b"|".join(sorted(PROVENANCE)))

# The first field of all follows no line end, by which the others are found.
_CONTENT_FIRST = compiled(rb"(?i:content-)")

HEADS = frozenset(
    [
        "text/rfc822-headers",
        "message/global-headers",
        "message/feedback-report",
        "message/disposition-notification",
        "message/global-disposition-notification",
    ]
)
"""Kinds of parts that are the head of a message, or read like one.

RFC 6522, section 4; RFC 6533, section 6; RFC 5965, section 3; RFC 8098, section 3.1.
"""

LARGEST_HEAD = 1 << 18
"""Bytes of a head; the patterns take memory by the line."""


class OddError(Exception):
    """The message is not plain."""


class _Head(NamedTuple):
    """What the head of a message or a part says; the body begins at ``end``."""

    start: int
    end: int
    content: Content
    encoding: str


def read_plain(data: bytes, letter: Letter) -> list[Readable] | None:
    """Give the segments of a plain message, None for any other; line ends are LF."""
    try:
        head = _read_head(data, 0, len(data))
        if letter.provenance:
            letter = letter.described(_describing(data, head))
        return _Reader(data, letter, head).segments
    except OddError:
        return None


def _describing(data: bytes, head: _Head) -> Iterator[Field]:
    """Give the fields that tell where the message is from."""
    return (Field(*field) for field in _DESCRIBING.findall(b"\n" + data[: head.end]))


def _read_head(data: bytes, start: int, end: int) -> _Head:
    """Read what the head that begins at ``start`` says of the body behind it."""
    body = _end_of_head(data, start, end)
    content, encoding = None, None
    for name, value in CONTENT.findall(data, max(start - 1, 0), body):
        if len(name) == 3:
            content = once(content, read_content(value))
        else:
            encoding = once(encoding, read_encoding(value))
    return _Head(start, body, content or DEFAULT, encoding or "")


def _end_of_head(data: bytes, start: int, end: int) -> int:
    """Give the place behind the blank line that ends a head of fields and nothing else."""
    if data.startswith(b"\n", start, end):
        return start + 1
    blank = data.find(b"\n\n", start, end)
    if not start < blank < start + LARGEST_HEAD or not FIRST_FIELD.match(data, start):
        raise OddError
    if NO_FIELD.search(data, start, blank) or (start == 0 and _CONTENT_FIRST.match(data)):
        raise OddError
    return blank + 2


def is_odd(kind: str) -> bool:
    """Say whether a part needs more than its text to be read: messages, and what cannot be read."""
    return kind.startswith("message/") or kind in HTTP or kind in UNREADABLE or kind in HEADS


def once(known: T | None, value: T | None) -> T:
    """Give a value that was read; neither a second nor an odd one is plain."""
    if known is not None or value is None:
        raise OddError
    return value


def _fields(data: bytes, head: _Head, *, schemeless: bool) -> Iterator[Field]:
    """Yield the fields of a head that may hold URLs; with ``schemeless``, all fields that are read."""
    fields = READ.findall(data, head.start, head.end)
    if not (schemeless or may_hold_urls(fields)):
        return
    at = head.start
    for field in fields:
        if field and (schemeless or may_hold_urls([field])):
            at = at if data.startswith(field, at) else data.find(b"\n" + field, at) + 1
            name, _, value = field.partition(b":")
            stripped = value.lstrip(b" \t")
            at += len(field)
            yield Field(name, stripped, at - len(stripped))


def page_base(data: bytes, *heads: tuple[int, int]) -> str | None:
    """Give the URL of a page, as the heads (start, end) of its part and of what is round it name it."""
    found = (
        _BASES.findall(data, start - 1, end) if start else _BASES.findall(b"\n" + data[:end])
        for start, end in heads
    )
    return base_url(chain.from_iterable(found))


class _Reader:
    """Reads the parts of one message, in order."""

    def __init__(self, data: bytes, letter: Letter, head: _Head) -> None:
        self.segments: list[Readable] = []
        self._data = data
        self._letter = letter
        self._top = head
        self._entity(head, len(data), letter.path, 0)

    def _entity(self, head: _Head, end: int, part: str, depth: int) -> None:
        """Read the fields and the body of the message or of a part."""
        for field in _fields(self._data, head, schemeless=self._letter.choice.schemeless):
            segment = self._letter.field_segment(field, part)
            if segment:
                self.segments.append(segment)
        kind = head.content.kind
        if kind.startswith("multipart/"):
            self._multipart(head, end, part, depth)
        elif is_odd(kind):
            raise OddError
        else:
            self._body(head, end, part if depth else self._letter.body_part())

    def _body(self, head: _Head, end: int, part: str) -> None:
        """Read a body without parts."""
        content, start = head.content, head.end
        if start >= end or not is_read(content.kind):
            return
        heads = (head.start, head.end), (0, self._top.end)
        base = page_base(self._data, *heads) or self._letter.page if content.kind in MARKUP else None
        data = self._data[start:end]
        if content.kind == "text/plain" and may_enclose_messages(data):
            raise OddError
        body = Body(data, content, head.encoding, self._letter.place(start), base)
        self.segments += read_body(body, self._letter.at(part, media_type=content.kind), self._letter.choice)

    def _multipart(self, head: _Head, end: int, part: str, depth: int) -> None:
        """Read what stands before the parts, the parts, and what stands behind them."""
        boundary = head.content.boundary
        if boundary is None or head.content.kind == "multipart/digest" or depth >= MAX_DEPTH:
            raise OddError
        if head.encoding in ("quoted-printable", "base64"):
            raise OddError
        start = head.end
        for number, (stop, follows) in enumerate(cut(self._data, boundary, start, end)):
            if number:
                child = _read_head(self._data, start, stop)
                self._entity(child, stop, self._letter.child(part, number), depth + 1)
            else:
                self._beside(start, stop, part)
            start = follows
        self._beside(start, end, part)

    def _beside(self, start: int, end: int, part: str) -> None:
        """Read a preamble or an epilogue: text outside the parts."""
        data = self._data[start:end]
        if data.strip():
            body = Body(data, DEFAULT, "", self._letter.place(start))
            self.segments += read_body(body, self._letter.at(part), self._letter.choice)


def cut(data: bytes, boundary: bytes, start: int, end: int) -> Iterator[tuple[int, int]]:
    r"""Give the places of the boundary lines, up to the one that closes.

    A place is where the piece before the boundary ends, without the line end that
    belongs to the boundary, and where the next piece starts.

    >>> data = b"pre\n--b\none\n--b--\n"
    >>> list(cut(data, b"b", 0, len(data)))
    [(3, 8), (11, 18)]
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
