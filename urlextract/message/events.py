"""Read the structure of a message: heads, bodies, and the texts between its parts, as events in order.

RFC 5322, section 2; RFC 2046, section 5. The open multiparts and messages stand on one stack.

A message comes whole, or in blocks. At most a head, and the first part of a body or of a preamble are held at
a time: the events are the same in whatever blocks it comes, and a body that is longer is read in pieces.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Iterator
from itertools import chain
from typing import NamedTuple

from urlextract.grammar.patterns import lazy_re
from urlextract.message.content import (
    BYTES,
    DEFAULT,
    Body,
    Content,
    Reader,
    advice_for,
    content_of,
    encoding_of,
    kind_of,
    kind_of_file,
    parameter_of,
)
from urlextract.message.context import MAX_DEPTH, MessageContext, part_name
from urlextract.message.fields import base_url, file_name_in
from urlextract.message.heads import Field, Fields, read_head, value_of
from urlextract.message.transfer import ENCODINGS, undo_transfer, undone_pieces
from urlextract.message.window import LONGEST_BOUNDARY, Boundary, Window
from urlextract.records import Form, Segment, Unread
from urlextract.source_lines import SourceLines
from urlextract.sources.formats.warc import undo_http

_WITHIN: frozenset[Reader] = frozenset(("message", "report"))  # what has a head of its own
_LARGEST_HTTP = 3 * 1024 * 1024  # bytes

_BLANK_LINES = lazy_re(rb"(?:\r?\n)+(?=[!-9;-~]{1,76}:)")  # before the head of a message in another
# A postmark, or one that a mailbox has quoted; some programs leave it in the message.
_POSTMARK = re.compile(rb"(?:>?From [^\n]*\d:\d\d[^\n]*\n)+")
_CONTENT_FIELD = lazy_re(rb"(?i:content)-[A-Za-z-]{2,20}[ \t]{0,9}:")
# A line that begins with hyphens, and the head of a part after it; RFC 2046, section 5.1.1.
_ANY_BOUNDARY = lazy_re(
    rb"(?:\A|\n)(--[A-Za-z0-9'()+_,./:=? -]{0,69}[A-Za-z0-9'()+_,./:=?-])[ \t]*+\r?\n"
    rb"(?=(?i:content)-[A-Za-z-]{2,20}[ \t]{0,9}:)"
)
_IN_DIGESTS = Content(kind="message/rfc822")  # RFC 2046, section 5.1.5
# ISO 28500:2017, section 6.7: the answer was the same as one that is archived, whose body is not repeated.
_REVISIT = lazy_re(rb"(?:\A|\n)warc-type:[ \t]*revisit[ \t]*\r?\n", re.IGNORECASE)
_ATTACHED = lazy_re(rb"(?<![^\n])(?i:content-disposition):[ \t\n]*+(?i:attachment)")
_SPACE = lazy_re(r"\s+")

# --- events --------------------------------------------------------------------------------------


class Head(NamedTuple):
    """A head: of a message, whose context has the values of its fields, or of the part ``part`` of it.

    ``fields`` may hold URLs. ``kind`` is the type of the body that comes next.
    """

    context: MessageContext
    part: str
    fields: list[Field]
    kind: str


class Text(NamedTuple):
    """A body that has no parts, or a text outside the parts: a preamble, an epilogue, an odd line of a head.

    ``media_type`` is None for what is outside the parts. ``rest`` yields what is left of a long body,
    of which ``body`` has the first bytes. It is to be read before the next event.
    """

    context: MessageContext
    part: str
    body: Body
    media_type: str | None = None
    rest: Iterator[bytes] | None = None


Event = Head | Text | Segment | Unread


Reading = Generator[Event, None, "Boundary | None"]
"""Yields events, and returns the boundary line after them."""


def events_of(data: bytes, context: MessageContext, rest: Iterator[bytes] | None = None) -> Iterator[Event]:
    r"""Yield the events of a message; ``rest`` yields what comes after ``data``.

    >>> from urlextract.records import Provenance
    >>> data = b"Content-Type: multipart/mixed; boundary=b\n\n--b\n\nhi\n--b--\n"
    >>> for event in events_of(data, MessageContext(Provenance())):
    ...     print(type(event).__name__, event.part, getattr(event, "body", None) and event.body.data)
    Head  None
    Head 1 None
    Text 1 b'hi'
    """
    return _Reader(data, context, rest).events()


# --- the reader ----------------------------------------------------------------------------------


class _Message(NamedTuple):
    """A message whose parts are read: its context, its head, and how many multiparts are open around it."""

    context: MessageContext
    head: bytes
    floor: int


def _reader_of(content: Content, encoding: str, depth: int) -> Reader:
    """Return how a body is read; a message or a status only if it is not too deep, or encoded."""
    reader = kind_of(content.kind).reader
    if reader == "status":
        return "text" if encoding in ENCODINGS else reader
    return "text" if depth >= MAX_DEPTH and reader in ("message", "report", "http") else reader


class _Entity(NamedTuple):
    """A message or a part of one: its own head, what that says of the body, and how the body is read.

    ``part`` is its name, ``body_part`` that of its body if it has no parts.
    """

    message: _Message
    part: str
    body_part: str
    head: bytes
    content: Content
    encoding: str
    reader: Reader

    def inner(self) -> MessageContext:
        """Return the context of a message that is the body."""
        inner = self.message.context.inner(self.body_part)
        # The fields of a report describe no message.
        return inner._replace(is_described=False) if self.reader == "report" else inner


class _Multipart:
    """An open multipart: its boundary line, the message that it is part of, its name and type."""

    __slots__ = ("count", "kind", "line", "message", "part")

    def __init__(self, line: bytes, message: _Message, part: str, kind: str) -> None:
        self.line, self.message, self.part, self.kind = line, message, part, kind
        self.count = 0


class _Reader(Window):
    """Reads one message, and those inside it that are not encoded."""

    def __init__(self, data: bytes, context: MessageContext, rest: Iterator[bytes] | None) -> None:
        super().__init__(data, rest)
        self._outermost = context
        self.counts_lines = context.provenance.lines is not None
        self._open: list[_Multipart] = []
        self._reads_all_fields = context.choice.schemeless or bool(context.choice.named)

    def events(self) -> Iterator[Event]:
        """Yield the events of the message."""
        context, default = self._outermost, DEFAULT
        start = self._after_postmarks(0, is_inside=context.depth > 0)
        message: _Message | None = None
        part = context.path
        while True:
            start = self.drop(start)
            fields, body = self._head(start)
            head = fields.data[: fields.end] if fields.shift else fields.data[start : fields.end]
            body_part = part
            if message is None:
                message = _Message(context.described(head), head, len(self._open))
                body_part = part_name(part, 1)  # of a message without parts: RFC 3501, section 6.4.5
            content, encoding = self._content(fields, head, body, default)
            reader = _reader_of(content, encoding, message.context.depth)
            entity = _Entity(message, part, body_part, head, content, encoding, reader)
            yield from self._read_head(message.context, part, fields, content.kind)
            if reader in _WITHIN and encoding not in ENCODINGS:
                context, start = entity.inner(), self._after_postmarks(body, is_inside=True)
                message, default, part = None, DEFAULT, context.path
                continue
            if content.kind.startswith("multipart/"):
                boundary = yield from self._preamble(entity, body)
            elif reader == "status":
                boundary = yield from self._report(entity, body)
            else:
                boundary = yield from self._body(entity, body)
            while boundary and boundary.closes:  # an epilogue, up to a boundary of a multipart around it
                multipart = self._open[boundary.level]
                self._close(boundary.level)
                start = self.drop(boundary.end)
                boundary = yield from self._outside(multipart.message, start, multipart.part)
            if boundary is None:
                return
            self._close(boundary.level + 1)
            start = boundary.end
            while (again := self.boundary_at(start)) and again[2:] == boundary[2:]:
                start = self.drop(again.end)  # boundary lines that follow each other count as one
            multipart = self._open[boundary.level]
            multipart.count += 1
            message = multipart.message
            part = part_name(multipart.part, multipart.count)
            default = _IN_DIGESTS if multipart.kind == "multipart/digest" else DEFAULT

    def _place(self, context: MessageContext, at: int) -> int | None:
        """Return the offset in the source of a byte of the window, if it is known."""
        return context.place(self.dropped + at) if self.is_as_sent else None

    def _lined(self, context: MessageContext, at: int) -> MessageContext:
        """Return the context of a text that begins at ``at`` in the window, with its lines in the source."""
        lines = context.provenance.lines
        return context.with_lines(self._lines_from(lines, at)) if lines else context

    def _lines_from(self, lines: SourceLines, at: int) -> SourceLines:
        """Return the lines from a byte of the window on; ``lines`` are those of the message."""
        return lines.after(self.lines_before(at))

    # --- heads -----------------------------------------------------------------------------------

    def _after_postmarks(self, at: int, *, is_inside: bool) -> int:
        """Return where the head of a message begins: after postmarks, and blank lines in another message."""
        self.need(at, LONGEST_BOUNDARY)
        blank = _BLANK_LINES.match(self.data, at) if is_inside else None
        at = blank.end() if blank else at
        postmark = _POSTMARK.match(self.data, at)
        return postmark.end() if postmark else at

    def _head(self, start: int) -> tuple[Fields, int]:
        """Read the head at ``start``; return its fields, and where the body begins."""
        end = self.head_end(start)
        is_cut = not self.data.startswith((b"\n", b"\r\n"), end)
        boundary = self.boundary(start, end)
        if boundary:  # the blank line is missing
            end = body = boundary.start
        else:
            body = end if is_cut else end + 1 + self.data.startswith(b"\r", end)
        fields = read_head(
            self.data, start, end, has_returns=self.has_returns, reads_all=self._reads_all_fields
        )
        stop = fields.shift + fields.end
        return fields, body if stop >= end else stop

    def _content(self, fields: Fields, head: bytes, body: int, default: Content) -> tuple[Content, str]:
        """Return the content and the encoding of the body that begins at ``body``, as its head says."""
        encoding = encoding_of(fields.transfers[0]) if fields.transfers else ""
        content, *others = map(content_of, fields.kinds) if fields.kinds else (default,)
        if content.kind == BYTES:
            name = file_name_in(value_of(b"content-disposition", head)) or content.name
            content = content._replace(kind=kind_of_file(name))
        # The first type counts, but for a multipart whose boundary is there.
        elif content.boundary is None and any(other.boundary for other in others):
            boundary, _ = self.next_boundary(body)
            text = b"\n" + self.data[body : self.held_end(boundary, body)]
            present = (each for each in others if each.boundary and b"\n--%s" % each.boundary in text)
            content = next(present, content)
        return content, encoding

    def _read_head(
        self, context: MessageContext, part: str, fields: Fields, kind: str
    ) -> Iterator[Head | Text]:
        """Yield a head, then the lines of it that are no fields."""
        urls = fields.urls
        if lines := context.provenance.lines:
            urls = [field._replace(lines=self._lines_from(lines, field.start or 0)) for field in urls]
        if self.dropped or not self.is_as_sent or fields.data is not self.data:
            urls = list(map(self._placed, urls))
        yield Head(context, part, urls, kind)
        for start, end in fields.dropped:
            data = self.data[start:end]
            if not data.isspace():
                yield Text(
                    self._lined(context, start), part, Body(data, DEFAULT, "", self._place(context, start))
                )

    def _placed(self, field: Field) -> Field:
        """Return a field with its place in the message; a value that was mended stands nowhere."""
        start = field.start or 0
        stands = self.is_as_sent and self.data.startswith(field.value.rstrip(), start)
        return field._replace(start=start + self.dropped if stands else None)

    # --- bodies ----------------------------------------------------------------------------------

    def _held(
        self, at: int, boundary: Boundary | None = None
    ) -> tuple[bytes, Iterator[bytes] | None, Boundary | None]:
        """Return a text that begins at ``at``: its bytes, None, and the boundary line after it.

        Of one that is too long to be held, these are the first bytes, and what yields the rest. Then
        `_after` returns the boundary line.
        """
        is_known = boundary is not None
        if boundary is None:
            boundary, is_known = self.next_boundary(at)
        if is_known:
            return self.data[at : self.end_before(boundary, at)], None, boundary
        pieces = self.pieces(at)
        return next(pieces, b""), pieces, None

    def _after(self, pieces: Iterator[bytes]) -> Boundary | None:
        """Return the boundary line after a long text, of which nobody reads the rest."""
        for _ in pieces:
            pass
        return self.reached

    def _preamble(self, entity: _Entity, body: int) -> Reading:
        """Open a multipart, and read up to its first part.

        If it never begins, it is one text, unless a line looks like its boundary.
        """
        level = len(self._open)
        is_deep = level - entity.message.floor >= MAX_DEPTH
        if not is_deep and entity.content.boundary is not None:
            self._push(b"--" + entity.content.boundary, entity)
            boundary, is_known = self._beginning(body, level)
            if boundary or not is_known:
                boundary = yield from self._outside(entity.message, body, entity.part, boundary)
                return boundary
            self._close(level)
        boundary, _ = self.next_boundary(body)
        guess = _ANY_BOUNDARY.search(self.data, max(0, body - 1), self.held_end(boundary, body))
        if is_deep or guess is None:
            return (yield from self._body(entity, body))
        self._push(guess[1], entity)
        return (yield from self._outside(entity.message, body, entity.part))

    def _beginning(self, at: int, level: int) -> tuple[Boundary | None, bool]:
        """Return the line that begins the multipart at ``level``, and whether it is known if there is one.

        A closing line does so only before a head.
        """
        boundary, is_known = self.next_boundary(at)
        while boundary and boundary.level == level:
            self.need(boundary.end, LONGEST_BOUNDARY)
            if not boundary.closes or _CONTENT_FIELD.match(self.data, boundary.end):
                return boundary._replace(closes=False), True
            if boundary.end - at > self.most_held:
                return None, False
            boundary, is_known = self.next_boundary(boundary.end, at)
        return None, is_known

    def _outside(self, message: _Message, at: int, part: str, boundary: Boundary | None = None) -> Reading:
        """Read a text outside the parts, up to ``boundary``, if that is known."""
        place, context = self._place(message.context, at), self._lined(message.context, at)
        data, pieces, boundary = self._held(at, boundary)
        if pieces or (data and not data.isspace()):
            yield Text(context, part, Body(data, DEFAULT, "", place), rest=pieces)
        return self._after(pieces) if pieces else boundary

    def _body(self, entity: _Entity, at: int) -> Reading:
        """Read a body that has no parts here."""
        context = entity.message.context
        place = self._place(context, at)
        if context.provenance.lines:
            entity = entity._replace(message=entity.message._replace(context=self._lined(context, at)))
        data, pieces, boundary = self._held(at)
        if pieces and self.has_returns:  # its line ends are not those of the source
            place = None
        yield from _leaf(entity, data, place, pieces)
        return self._after(pieces) if pieces else boundary

    def _report(self, entity: _Entity, at: int) -> Reading:
        """Read blocks of fields, with blank lines between them; each is a part."""
        context, number = entity.message.context, 0
        while True:
            at = self.drop(at)
            boundary = self.boundary_at(at)
            if boundary or at >= self.size:
                return boundary
            number += 1
            part = part_name(entity.body_part, number)
            fields, body = self._head(at)
            yield from self._read_head(context, part, fields, DEFAULT.kind)
            at = fields.shift + fields.end
            if at < body:  # all of the block are fields
                at = body
                continue
            stop = self.head_end(at)  # a line that is no field begins a text
            boundary = self.boundary(at, stop)
            stop = boundary.start if boundary else stop
            if stop > at:
                body_of_block = Body(self.data[at:stop], DEFAULT, "", self._place(context, at))
                yield Text(self._lined(context, at), part, body_of_block, DEFAULT.kind)
            at = stop if boundary else min(stop + 1, self.size)

    def _push(self, line: bytes, entity: _Entity) -> None:
        """Open a multipart. Of two with the same boundary line, the outer one counts."""
        level = len(self._open)
        self._open.append(_Multipart(line, entity.message, entity.part, entity.content.kind))
        self.lines.setdefault(line, (level, False))
        self.lines.setdefault(line + b"--", (level, True))

    def _close(self, level: int) -> None:
        """Close the multiparts from ``level`` on."""
        while len(self._open) > level:
            line = self._open.pop().line
            for known in (line, line + b"--"):
                if self.lines.get(known, (-1, False))[0] == len(self._open):
                    del self.lines[known]


def _leaf(entity: _Entity, data: bytes, place: int | None, rest: Iterator[bytes] | None) -> Iterator[Event]:
    """Read a body that has no parts; ``rest`` yields what comes after ``data`` of a long one."""
    context, kind, part = entity.message.context, entity.content.kind, entity.body_part
    reader = entity.reader
    if kind == "message/external-body":  # the URL of a body that is stored elsewhere (RFC 2017)
        url = _SPACE.sub("", parameter_of(value_of(b"content-type", entity.head), "url"))
        if url:
            yield Segment(text=url, provenance=context.at(part, header="Content-Type"), form=Form.HEADER)
    if reader == "unreadable":
        smime = parameter_of(value_of(b"content-type", entity.head), "smime-type")
        advice = advice_for(kind, smime.lower())
        if advice:
            yield Unread(context.at(part), advice)
    elif reader in _WITHIN:  # an encoded one
        undone = undone_pieces(chain((data,), rest), entity.encoding) if rest else None
        inner, tail = (next(undone, b""), b"") if undone else _undone(data, entity.encoding)
        yield from events_of(inner, entity.inner().at_rest(data, inner), undone)
        if tail:
            yield Text(context.at_rest(data, tail), part, Body(tail, DEFAULT, ""))
    elif reader == "http":
        yield from _http(entity, data, rest)
    elif data and reader != "none":
        base = (base_url(entity.head, entity.message.head) or context.page) if reader == "page" else None
        is_attached = b"isposition" in entity.head and _ATTACHED.search(entity.head) is not None
        body = Body(data, entity.content, entity.encoding, place, base, is_attached)
        yield Text(context, part, body, kind, rest)


def _http(entity: _Entity, data: bytes, rest: Iterator[bytes] | None) -> Iterator[Event]:
    """Read an HTTP message; URLs in its page are resolved against the URL that it was fetched from."""
    context, part = entity.message.context, entity.body_part
    for piece in rest or ():
        data += piece
        if len(data) > _LARGEST_HTTP:
            yield Unread(context.at(part), "an HTTP body is too large to be read to its end")
            break
    whole = data
    data, tail = _undone(data, entity.encoding)
    first, data, complaint = undo_http(data)
    if complaint and not _REVISIT.search(entity.message.head):
        yield Unread(context.at(part), complaint)
    if first.strip():
        yield Text(context, part, Body(first, DEFAULT, ""))
    page = base_url(entity.message.head) or context.page
    inner = context.inner(part)._replace(page=page, is_http=True)
    yield from events_of(data, inner.at_rest(whole, data))
    if tail:
        yield Text(context.at_rest(whole, tail), part, Body(tail, DEFAULT, ""))


def _undone(data: bytes, encoding: str) -> tuple[bytes, bytes]:
    """Return a message without its encoding, and the plain text after it; one may be sent as it is."""
    content, tail = undo_transfer(data, encoding)
    return (content, tail) if content.strip() else (tail, b"")
