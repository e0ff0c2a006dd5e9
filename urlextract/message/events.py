"""Read the structure of a message: its heads and bodies, and the texts between its parts, as events in order.

RFC 5322, section 2; RFC 2046, section 5. One reader, with the open multiparts on a stack: a message inside
another is one more head, but for one that is encoded, which a second reader reads.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import NamedTuple

from msgspec import structs

from urlextract import records
from urlextract.grammar.patterns import lazy_re
from urlextract.message import limits
from urlextract.message.content import (
    BYTES,
    DEFAULT,
    Content,
    content_of,
    encoding_of,
    file_name_in,
    kind_of,
    kind_of_file,
)
from urlextract.message.fields import unfolded, values_of
from urlextract.message.heads import Fields, read_head, value_of
from urlextract.message.transfer import ENCODINGS, undone_pieces
from urlextract.message.window import Boundary, Window
from urlextract.records import Provenance

_BLANK_LINES = re.compile(rb"\n+(?=[!-9;-~]{1,76}:)")  # before the head of a message in another
# A postmark, or one that a mailbox has quoted; some programs leave it in the message.
_POSTMARK = re.compile(rb"(?:>?From [^\n]*\d:\d\d[^\n]*\n)+")
_CONTENT_FIELD = re.compile(rb"(?i:content)-[A-Za-z-]{2,20}[ \t]{0,9}:")
# A line that begins with hyphens, and the head of a part after it; RFC 2046, section 5.1.1.
_ANY_BOUNDARY = lazy_re(
    rb"\n(--[A-Za-z0-9'()+_,./:=? -]{0,69}[A-Za-z0-9'()+_,./:=?-])[ \t]*+\n(?=%s)" % _CONTENT_FIELD.pattern
)
_IN_DIGESTS = Content(kind="message/rfc822")  # RFC 2046, section 5.1.5
_ATTACHED = lazy_re(rb"\n(?i:content-disposition):[ \t\n]*+(?i:attachment)")

# --- events --------------------------------------------------------------------------------------


class Message:
    """The outermost message, or one inside.

    ``path`` is the part that holds it, empty for the outermost. ``provenance`` has its own head, once that
    is read: not if it ``is_report``, whose fields describe no message. ``page`` is the URL against which
    relative ones in its pages are resolved, if nothing else is said.
    """

    __slots__ = ("depth", "floor", "head", "is_report", "page", "path", "provenance")

    def __init__(
        self, provenance: Provenance, path: str = "", depth: int = 0, *, is_report: bool = False,
        page: str | None = None,
    ) -> None:  # fmt: skip
        self.provenance, self.path, self.depth = provenance, path, depth
        self.is_report, self.page = is_report, page
        self.head, self.floor = b"", 0

    def describe(self, head: bytes) -> None:
        """Note the message's own head."""
        self.head = head
        if not self.is_report:
            page = self.provenance.head.page
            if b"arc-" in head or b"ARC-" in head:
                target = value_of(b"warc-target-uri", head)
                page = "".join(unfolded(target).strip("<>").split()) or page  # WARC 1.0 had brackets
            self.provenance = self.provenance.but(head=records.Head(head, values_of, page))

    def at(
        self, part: str | None, *, header: str | None = None, media_type: str | None = None,
    ) -> Provenance:  # fmt: skip
        """Return the provenance of a part, or of the field ``header`` of a part or of the message."""
        return structs.replace(self.provenance, part=part or None, header=header, media_type=media_type)


class Head(NamedTuple):
    """A head of a message or of a part; ``kind`` is the type of its body."""

    message: Message
    part: str
    fields: Fields
    kind: str


class Body(NamedTuple):
    """A body that has no parts, or a text outside the parts, which has no ``head``.

    ``data`` are its bytes as they were sent, or the first of them: then ``rest`` yields the others, and is to
    be read before the next event. ``place`` is the offset of ``data`` in the source, if they are those there.
    """

    message: Message
    part: str
    content: Content
    encoding: str
    data: bytes
    rest: Iterator[bytes] | None = None
    place: int | None = None
    head: bytes = b""

    @property
    def is_attached(self) -> bool:
        """Whether the part is attached, and not shown with the message (RFC 2183)."""
        return b"isposition" in self.head and _ATTACHED.search(self.head) is not None


def part_name(parent: str, number: int) -> str:
    """Return the name of a part, counted from 1 (RFC 3501, section 6.4.5)."""
    return f"{parent}.{number}" if parent else str(number)


_Said = tuple[Content, str, bytes]
"""What a head says of its body, the transfer encoding, and the head."""
_NOTHING: _Said = (DEFAULT, "", b"")

# --- the reader ----------------------------------------------------------------------------------


class _Multipart:
    """An open multipart: its boundary line, its message, name and type, and how many parts have begun."""

    __slots__ = ("count", "kind", "line", "message", "part")

    def __init__(self, line: bytes, message: Message, part: str, kind: str) -> None:
        self.line, self.message, self.part, self.kind, self.count = line, message, part, kind, 0


class EventReader(Window):
    r"""Reads the message that comes in ``blocks``, and those inside it that are not encoded.

    It begins at ``offset`` in the source, where its first ``verbatim`` bytes are the same. With ``reads_all``
    fields without a sign of a URL are among those that may hold URLs, too.

    >>> data = b"Content-Type: multipart/mixed; boundary=b\n\n--b\n\nhi\n--b--\n"
    >>> reader = EventReader([data], Message(Provenance()), None, 0, reads_all=False)
    >>> [(type(event).__name__, event.part) for event in reader.events()]
    [('Head', ''), ('Head', '1'), ('Body', '1')]
    """

    def __init__(
        self, blocks: Iterable[bytes], message: Message, offset: int | None, verbatim: int, *, reads_all: bool
    ) -> None:
        super().__init__(blocks, verbatim)
        self._message, self._offset, self._reads_all = message, offset, reads_all
        self._open: list[_Multipart] = []
        self._reached: Boundary | None = None  # the boundary line after the body that was read last

    def events(self) -> Iterator[Head | Body]:
        """Yield the events of the message."""
        message, part, default = self._message, self._message.path, DEFAULT
        at, is_first = self._message_start(1, message), True
        while True:
            at = self.drop(at)
            start, self._reached = at, None
            fields, at = self._head(start)
            body_part = part
            if is_first:
                message.describe(fields.head)
                message.floor, is_first = len(self._open), False
                body_part = part_name(part, 1)  # of a message without parts
            content, encoding = self._content(fields, at, default)
            yield Head(message, part, fields, content.kind)
            for begin, end in fields.strays:
                yield self._text(message, part, begin, end)
            reader = kind_of(content.kind).reader
            if reader in ("message", "report") and message.depth < limits.DEPTH:
                is_report = reader == "report"
                inner = Message(
                    message.provenance, body_part, message.depth + 1, is_report=is_report, page=message.page
                )
                if encoding not in ENCODINGS:
                    message, part, default = inner, body_part, DEFAULT
                    at, is_first = self._message_start(at, inner), True
                    continue
                yield from self._encoded(inner, encoding, at)
            elif content.kind.startswith("multipart/") and self._begins(message, part, content, at):
                yield from self._outside(message, part, at)
            elif reader == "none":
                self._skip(at)
            else:
                body = self._body(message, body_part, at, (content, encoding, fields.head))
                yield body
                for _ in body.rest or ():  # what nobody wanted
                    pass
            yield from self._epilogues()
            if self._reached is None:
                return
            multipart, at = self._next_part(self._reached)
            message, part = multipart.message, part_name(multipart.part, multipart.count)
            default = _IN_DIGESTS if multipart.kind == "multipart/digest" else DEFAULT

    def _epilogues(self) -> Iterator[Body]:
        """Yield what comes after closing lines, up to one that begins a part, or the end."""
        while (boundary := self._reached) and boundary.closes:
            multipart = self._open[boundary.level]
            self._close(boundary.level)
            self._reached = None
            yield from self._outside(multipart.message, multipart.part, self.drop(boundary.end))

    def _next_part(self, boundary: Boundary) -> tuple[_Multipart, int]:
        """Return the multipart whose next part begins after a boundary line, and where its head is."""
        self._close(boundary.level + 1)
        multipart, at = self._open[boundary.level], boundary.end
        multipart.count += 1
        while True:  # boundary lines that follow each other count as one
            self.need(at, limits.BOUNDARY)
            again = self.boundary(at, at + 2) if self.data.startswith(b"--", at) else None
            if again is None or again[2:] != boundary[2:]:
                return multipart, at
            at = self.drop(again.end)

    def _place(self, start: int, end: int) -> int | None:
        """Return the offset in the source of what is held from ``start`` to ``end``, if it is known."""
        place = None if self._offset is None else self.place(start, end)
        return None if place is None or self._offset is None else self._offset + place

    # --- heads -----------------------------------------------------------------------------------

    def _message_start(self, at: int, message: Message) -> int:
        """Return where the head of a message begins: after postmarks, inside another after blank lines."""
        self.need(at, limits.BOUNDARY)
        if message.depth and (blank := _BLANK_LINES.match(self.data, at)):
            at = blank.end()
        postmark = _POSTMARK.match(self.data, at)
        return postmark.end() if postmark else at

    def _head(self, start: int) -> tuple[Fields, int]:
        """Read the head at ``start``; return its fields, and where the body begins."""
        end = self.head_end(start)
        boundary = self.boundary(start, end)
        if boundary:  # the blank line is missing
            end = body = boundary.start
        else:
            body = end + self.data.startswith(b"\n", end)
        place = self._place(start, end)
        fields = read_head(self.data, start, end, place, reads_all=self._reads_all)
        return fields, body if fields.end >= end else fields.end

    def _content(self, fields: Fields, body: int, default: Content) -> tuple[Content, str]:
        """Return the content and the encoding of the body that begins at ``body``, as its head says.

        The first field of a name counts, but of two types a multipart whose boundary is there.
        """
        encoding = encoding_of(fields.transfers[0]) if fields.transfers else ""
        content, *others = map(content_of, fields.kinds) if fields.kinds else (default,)
        if content.kind == BYTES:
            name = file_name_in(fields.head) or content.name
            content = content._replace(kind=kind_of_file(name))
        elif content.boundary is None and any(other.boundary for other in others):
            boundary, _ = self.next_boundary(body, limits.PREAMBLE, body)
            end = boundary.start if boundary else min(self.size, body + limits.PREAMBLE)
            text = self.data[body - 1 : end]
            there = (each for each in others if each.boundary and b"\n--%s" % each.boundary in text)
            content = next(there, content)
        return content, encoding

    # --- bodies ----------------------------------------------------------------------------------

    def _text(self, message: Message, part: str, start: int, end: int) -> Body:
        """Return a text without a head."""
        return Body(message, part, DEFAULT, "", self.data[start:end], None, self._place(start, end))

    def _body(self, message: Message, part: str, at: int, said: _Said = _NOTHING) -> Body:
        """Return the text that begins at ``at``, up to the next boundary line; ``said`` is in its head."""
        boundary, is_known = self.next_boundary(at, limits.PART, at)
        if is_known:
            self._reached = boundary
        end = self.end_before(boundary, at) if is_known else at + limits.PART
        rest = None if is_known else self._pieces(end)
        content, encoding, head = said
        return Body(message, part, content, encoding, self.data[at:end], rest, self._place(at, end), head)

    def _pieces(self, at: int) -> Iterator[bytes]:
        """Yield what is left of a long text; note the boundary line after it."""
        while True:
            at = self.drop(at)
            boundary, is_known = self.next_boundary(at, limits.PIECE, at)
            if is_known:
                self._reached = boundary
                yield self.data[at : self.end_before(boundary, at)]
                return
            yield self.data[at : at + limits.PIECE]
            at += limits.PIECE

    def _skip(self, at: int) -> None:
        """Pass over a body that is not read, of which nothing is held."""
        self._reached = self.boundary(at)
        while self._reached is None and self.blocks is not None:
            at = self.drop(max(at, self.size - limits.BOUNDARY))
            self.more()
            self._reached = self.boundary(at)

    def _encoded(self, inner: Message, encoding: str, at: int) -> Iterator[Head | Body]:
        """Read an encoded message; the place in the source of what is in it is not known."""
        body = self._body(inner, inner.path, at)
        pieces = undone_pieces(chain((body.data,), body.rest or ()), encoding)
        yield from EventReader(pieces, inner, None, 0, reads_all=self._reads_all).events()

    def _outside(self, message: Message, part: str, at: int) -> Iterator[Body]:
        """Yield a preamble or an epilogue, up to the next boundary line, if it is not blank."""
        if self._reached:  # it is known where a preamble ends
            body = self._text(message, part, at, self.end_before(self._reached, at))
        else:
            body = self._body(message, part, at)
        if body.data and not body.data.isspace():
            yield body
        for _ in body.rest or ():
            pass

    # --- multiparts ------------------------------------------------------------------------------

    def _begins(self, message: Message, part: str, content: Content, at: int) -> bool:
        """Open a multipart; return False if it never begins, and so is a text.

        It begins at its boundary line, or at a line that looks like one. If none is known yet, the text so
        far is a preamble.
        """
        level = len(self._open)
        if level - message.floor >= limits.DEPTH:
            return False
        if content.boundary is not None:
            self._push(_Multipart(b"--" + content.boundary, message, part, content.kind))
            self._reached, is_known = self._beginning(at, level)
            if self._reached or not is_known:
                return True
            self._close(level)
        boundary, _ = self.next_boundary(at, limits.PREAMBLE, at)
        end = boundary.start if boundary else min(self.size, at + limits.PREAMBLE)
        guess = _ANY_BOUNDARY.search(self.data, at - 1, end)
        if guess:
            self._push(_Multipart(guess[1], message, part, content.kind))
        return guess is not None

    def _beginning(self, at: int, level: int) -> tuple[Boundary | None, bool]:
        """Return the line that begins the multipart at ``level``, and whether it is known if there is one.

        A closing line does so only before a head; else it is text.
        """
        looked = at
        while True:
            boundary, is_known = self.next_boundary(looked, limits.PREAMBLE, at)
            if boundary is None or boundary.level != level:
                return None, is_known
            self.need(boundary.end, limits.BOUNDARY)
            if not boundary.closes or _CONTENT_FIELD.match(self.data, boundary.end):
                return boundary._replace(closes=False), True
            looked = boundary.end

    def _push(self, multipart: _Multipart) -> None:
        """Open a multipart. Of two with the same boundary line, the outer one counts."""
        level = len(self._open)
        self._open.append(multipart)
        self.lines.setdefault(multipart.line, (level, False))
        self.lines.setdefault(multipart.line + b"--", (level, True))

    def _close(self, level: int) -> None:
        """Close the multiparts from ``level`` on."""
        while len(self._open) > level:
            line = self._open.pop().line
            for known in (line, line + b"--"):
                if self.lines.get(known, (-1, False))[0] == len(self._open):
                    del self.lines[known]
