"""Read the structure of a message: heads, bodies, and the texts between its parts, as events in order.

RFC 5322, section 2; RFC 2046, section 5. The open multiparts and messages stand on one stack. A line that
begins with two hyphens is looked up in the table of their boundaries: so each line is looked at once, however
many are open. Nothing is copied but fields that may hold URLs, and heads that have to be mended.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Iterator
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

from urlextract.grammar.patterns import lazy_re
from urlextract.message.content import (
    BYTES,
    DEFAULT,
    Body,
    Content,
    kind_of_file,
    read_content,
    read_encoding,
)
from urlextract.message.context import HEADS, MAX_DEPTH, PROVENANCE, REPORTS, MessageContext
from urlextract.message.fields import Field, base_url
from urlextract.message.heads import FIELD, WALK, value_of
from urlextract.message.http import HTTP, undo_http
from urlextract.message.odd_values import file_name_in, odd_content, odd_encoding, parameter_of
from urlextract.message.parts import MARKUP, UNREADABLE, advice_for, is_read
from urlextract.message.transfer import undo_transfer
from urlextract.records import Form, Origin, Segment, Unread
from urlextract.sources.reader import with_lf

# RFC 2046, section 5.2; RFC 5537, section 2.3 (news); RFC 6532, section 3.7 (global).
_MESSAGES = HEADS | {"message/rfc822", "message/global", "message/news", "message/partial"}
_REPORT = "message/delivery-status"  # blocks of fields: RFC 3464, section 2
_LONGEST_BOUNDARY = 1_000  # bytes of a boundary line; RFC 2046, section 5.1.1 allows 70 of a boundary

_BLANK_LINES = lazy_re(rb"\n+(?=[!-9;-~]{1,76}:)")  # before the head of a message in another
# A postmark, or one that a mailbox has quoted; some programs leave it in the message.
_POSTMARK = re.compile(rb"(?:>?From [^\n]*\d:\d\d[^\n]*\n)+")
_BLANK_LINE = lazy_re(rb"\n(?=\r?\n)")
_CONTENT_FIELD = lazy_re(rb"Content-[A-Za-z-]{2,20}[ \t]{0,9}:")
# A line that begins with hyphens, and the head of a part after it; RFC 2046, section 5.1.1.
_ANY_BOUNDARY = lazy_re(
    rb"(?:\A|\n)(--[A-Za-z0-9'()+_,./:=? -]{0,69}[A-Za-z0-9'()+_,./:=?-])\n"
    rb"(?=Content-[A-Za-z-]{2,20}[ \t]{0,9}:)"
)
_DROPPED = lazy_re(rb"(?:(From )|[ \t:])[^\n]*+\n(?:[ \t][^\n]*+\n)*")
# A field name with blanks before the colon, which RFC 822 allowed: they are moved behind it.
_SPACED_NAME = lazy_re(rb"^([A-Za-z][A-Za-z0-9-]{0,60})([ \t]{1,9}):", re.MULTILINE)
# In a head: the line end before a line that is no field, such as a continuation line without its blank;
# a field that says how to read the body; and its value, with lines that are no fields.
_STRAY = lazy_re(rb"\n(?![!-9;-~]*+:|[ \t\n])(?:(?<=[,;:]\n)|(?![^\n]*?(?::/|www\.)))(?=[^\n])")
_READING = lazy_re(rb"(?:\A|\n)(?i:content-t(?:ype|ransfer-encoding)|mime-version):")
_UNFINISHED = lazy_re(rb"\n?[^\n]*+(?>(?:(?<=[:;])\n[^\n]++)*)")
_LARGEST_MENDED = 1 << 16  # bytes
_ENCODED = frozenset(("base64", "quoted-printable", "x-uuencode", "uuencode", "x-uue", "uue"))
_IN_DIGESTS = Content(kind="message/rfc822")  # RFC 2046, section 5.1.5
# The head is searched for these with a line end put before it.
_DESCRIBING = re.compile(rb"\n((?i:%s)):([^\n]*+(?:\n[ \t][^\n]*+)*)" % b"|".join(sorted(PROVENANCE)))
_ATTACHED = lazy_re(rb"(?<![^\n])(?i:content-disposition):[ \t\n]*+(?i:attachment)")
_SPACE = lazy_re(r"\s+")
_BASES = re.compile(
    rb"\n((?:[Cc](?i:ontent-(?:base|location))|[wW](?i:arc-target-uri))):([^\n]*+(?:\n[ \t][^\n]*+)*)"
)

# --- events --------------------------------------------------------------------------------------


class Head(NamedTuple):
    """A head: of a message, whose context has the values of its fields, or of the part ``part`` of it.

    ``fields`` may hold URLs. ``kind`` is the type of the body that comes next.
    """

    context: MessageContext
    part: str
    fields: list[Field]
    kind: str


class PartBody(NamedTuple):
    """A body that has no parts, to be read by its content."""

    context: MessageContext
    part: str
    body: Body


class Between(NamedTuple):
    """A text outside the parts: a preamble, an epilogue, a line of a head that is no field.

    ``offset`` is that of its first byte in the source, if it is known.
    """

    context: MessageContext
    part: str
    data: bytes
    offset: int | None


Event = Head | PartBody | Between | Segment | Unread


def events_of(data: bytes, context: MessageContext) -> Iterator[Event]:
    r"""Yield the events of a message.

    >>> from urlextract.records import Origin
    >>> data = b"Content-Type: multipart/mixed; boundary=b\n\n--b\n\nhi\n--b--\n"
    >>> for event in events_of(data, MessageContext(Origin())):
    ...     print(type(event).__name__, event.part, getattr(event, "body", None) and event.body.data)
    Head  None
    Head 1 None
    PartBody 1 b'hi'
    """
    if b"\r" in data and b"\0" not in data:  # line ends are kept in data with NULs, as of UTF-16
        data = with_lf(data)
        context = context._replace(base=None)
    return _Reader(data, context).events()


# --- what a head says of its body ----------------------------------------------------------------


class Announced(NamedTuple):
    """What a head says of the body after it."""

    content: Content
    encoding: str
    is_attached: bool


def announced_by(head: bytes) -> Announced:
    r"""Return what a head says of its body.

    >>> announced_by(b"Content-Type: TEXT/html\nContent-Transfer-Encoding: base64\n\n")[:2]
    (Content(kind='text/html', charset=None, flowed=False, delsp=False, boundary=None, name=''), 'base64')
    """
    head = with_lf(head)
    reader = _Reader(head, MessageContext(Origin()))
    fields, _ = reader.head(0)
    content, encoding = reader.content(fields, head, len(head), DEFAULT)
    return Announced(content, encoding, _is_attached(head))


def _is_attached(head: bytes) -> bool:
    return b"isposition" in head and _ATTACHED.search(head) is not None


@lru_cache(maxsize=4096)
def _announced(kind: bytes | None, transfer: bytes | None) -> tuple[Content, str]:
    """Return the content and the encoding that the fields of a head announce."""
    content = DEFAULT if kind is None else read_content(kind) or odd_content(kind)
    encoding = "" if transfer is None else read_encoding(transfer)
    return content, odd_encoding(transfer or b"") if encoding is None else encoding


class _Fields(NamedTuple):
    """The fields of a head, up to ``end`` in ``data``, which begins at ``shift`` in the message.

    ``kinds`` and ``transfers`` are the values of Content-Type and Content-Transfer-Encoding, ``dropped``
    the offsets of lines that are neither fields nor body.
    """

    data: bytes
    shift: int
    end: int
    urls: list[Field]
    kinds: list[bytes]
    transfers: list[bytes]
    dropped: list[tuple[int, int]]


class _Message(NamedTuple):
    """A message whose parts are read: its context, its head, and how many multiparts are open around it."""

    context: MessageContext
    head: bytes
    floor: int


class _Entity(NamedTuple):
    """A message or a part of one: its own head, and what that says of the body."""

    message: _Message
    part: str
    head: bytes
    content: Content
    encoding: str

    @property
    def body_part(self) -> str:
        """The name of the body: a message without parts has one, 1 (RFC 3501, section 6.4.5)."""
        is_message = self.head is self.message.head
        return self.message.context.body_part() if is_message else self.part

    def inner(self) -> MessageContext:
        """Return the context of a message that is the body."""
        inner = self.message.context.inner(self.body_part)
        # The fields of a report describe no message.
        return inner._replace(provenance=False) if self.content.kind in REPORTS else inner


class _Multipart:
    """An open multipart: its boundary line, the message that it is part of, its name and type."""

    __slots__ = ("count", "kind", "line", "message", "part")

    def __init__(self, line: bytes, message: _Message, part: str, kind: str) -> None:
        self.line, self.message, self.part, self.kind = line, message, part, kind
        self.count = 0


class _Boundary(NamedTuple):
    """A boundary line: its offsets, the place of its multipart on the stack, whether it closes that."""

    start: int
    end: int
    level: int
    closes: bool


class _Reader:
    """Reads one message, and those inside it that are not encoded."""

    def __init__(self, data: bytes, context: MessageContext) -> None:
        self._data, self._size, self._outermost = data, len(data), context
        self._has_returns = b"\r" in data
        self._open: list[_Multipart] = []
        self._lines: dict[bytes, tuple[int, bool]] = {}  # boundary lines: the multipart, whether it ends
        self._blank = -1  # the offset of the next blank line, if it is known
        self._reads_every_field = context.choice.schemeless

    def events(self) -> Iterator[Event]:
        """Yield the events of the message."""
        context, default = self._outermost, DEFAULT
        start = self._after_postmarks(0, is_inside=context.depth > 0)
        message: _Message | None = None
        part = context.path
        while True:
            fields, body = self.head(start)
            head = fields.data[: fields.end] if fields.shift else fields.data[start : fields.end]
            if message is None:
                message = _Message(_described(context, head), head, len(self._open))
            entity = _Entity(message, part, head, *self.content(fields, head, body, default))
            kind = entity.content.kind
            yield Head(message.context, part, fields.urls, kind)
            for begin, end in fields.dropped:
                yield from self._between(message, begin, end, part)
            if kind in _MESSAGES and message.context.depth < MAX_DEPTH and entity.encoding not in _ENCODED:
                context, message, default = entity.inner(), None, DEFAULT
                part = context.path
                start = self._after_postmarks(body, is_inside=True)
                continue
            if kind.startswith("multipart/"):
                boundary = yield from self._preamble(entity, body)
            else:
                boundary = self._boundary(body)
                yield from self._leaf(entity, body, self._end_before(boundary, body))
            while boundary and boundary.closes:  # an epilogue, up to a boundary of a multipart around it
                multipart = self._open[boundary.level]
                self._close(boundary.level)
                start = boundary.end
                boundary = self._boundary(start)
                end = self._end_before(boundary, start)
                yield from self._between(multipart.message, start, end, multipart.part)
            if boundary is None:
                return
            self._close(boundary.level + 1)
            start = boundary.end
            while (again := self._boundary(start, start)) and again.level == boundary.level:
                start = again.end  # boundary lines that follow each other count as one
            multipart = self._open[boundary.level]
            multipart.count += 1
            message = multipart.message
            part = message.context.child(multipart.part, multipart.count)
            default = _IN_DIGESTS if multipart.kind == "multipart/digest" else DEFAULT

    # --- heads -----------------------------------------------------------------------------------

    def _after_postmarks(self, at: int, *, is_inside: bool) -> int:
        """Return where the head of a message begins: after postmarks, and blank lines in another message."""
        blank = _BLANK_LINES.match(self._data, at) if is_inside else None
        at = blank.end() if blank else at
        postmark = _POSTMARK.match(self._data, at)
        return postmark.end() if postmark else at

    def head(self, start: int) -> tuple[_Fields, int]:
        """Read the head at ``start``; return its fields, and where the body begins."""
        end = self._head_end(start)
        boundary = self._boundary(start, end)
        if boundary:  # the blank line is missing
            end = body = boundary.start
        else:
            body = min(self._size, end + 1 + self._data.startswith(b"\r", end))
        fields = self._fields(start, end)
        stop = fields.shift + fields.end
        return fields, body if stop >= end else stop

    def _head_end(self, start: int) -> int:
        """Return the offset of the blank line after a head, or the end of the message."""
        if self._blank < start:
            if self._data.startswith((b"\n", b"\r\n"), start):
                return start
            if self._has_returns:
                blank = _BLANK_LINE.search(self._data, start)
                self._blank = blank.end() if blank else self._size
            else:
                self._blank = self._data.find(b"\n\n", start) + 1 or self._size
        return self._blank

    def _fields(self, start: int, end: int) -> _Fields:
        """Read the fields in ``start:end``; if they are odd, in a mended copy with the same offsets."""
        if (self._data[end - 1 : end] == b"\n" or start == end) and not self._has_returns:
            fields = self._read_fields(self._data, start, end, 0)
            if fields.end == end and not fields.dropped:
                return fields
        head = self._data[start:end].replace(b"\r", b" ")
        head = _SPACED_NAME.sub(rb"\1:\2", head if head.endswith(b"\n") else head + b"\n")
        fields = self._read_fields(head, 0, len(head), start)
        mended = head if fields.end == len(head) else _joined(head, fields)
        if mended is not head:
            fields = self._read_fields(mended, 0, len(mended), start)
        for at, field in enumerate(fields.urls):  # a value that was mended stands nowhere
            if not self._data.startswith(field.value, field.start):
                fields.urls[at] = field._replace(start=None)
        return fields

    def _read_fields(self, data: bytes, start: int, end: int, shift: int) -> _Fields:
        """Read the fields in ``data[start:end]``, up to a line that is none.

        Lines are dropped, and read as texts of their own: those that continue no field, those without a
        name before the colon, and postmarks.
        """
        fields = _Fields(data, shift, end, [], [], [], [])
        at = start
        while at < end:
            walk = None if self._reads_every_field else WALK.match(data, at, end)
            if walk and walk.end() > at:
                at = walk.end()
                kind, transfer = walk.groups()
                if kind is not None:
                    fields.kinds.append(kind)
                if transfer is not None:
                    fields.transfers.append(transfer)
                continue
            field = FIELD.match(data, at, end)
            if field is None:
                line = _DROPPED.match(data, at, end)
                if line is None or (line.end() == end and line[1] and at > start):  # "From ..." in the body
                    return fields._replace(end=at)
                fields.dropped.append((at + shift, line.end() + shift))
                at = line.end()
                continue
            at, (name, value) = field.end(), field.groups()
            lower = name.lower()
            if lower == b"content-type":
                fields.kinds.append(value)
            elif lower == b"content-transfer-encoding":
                fields.transfers.append(value)
            else:
                stripped = value.lstrip(b" \t")
                fields.urls.append(Field(name, stripped, at - 1 - len(stripped) + shift))
        return fields

    def content(self, fields: _Fields, head: bytes, body: int, default: Content) -> tuple[Content, str]:
        """Return what a head says of the body that begins at ``body``."""
        kinds, transfers = fields.kinds, fields.transfers
        transfer = transfers[0] if transfers else None
        content, encoding = _announced(kinds[0] if kinds else None, transfer)
        if not kinds and default is not DEFAULT:
            return default, encoding
        if content.kind == BYTES:
            name = file_name_in(value_of(b"content-disposition", head)) or content.name
            return content._replace(kind=kind_of_file(name)), encoding
        for kind in kinds[1:]:  # the first counts, but for a multipart whose boundary is there
            other, _ = _announced(kind, transfer)
            line = b"\n--" + (other.boundary or b"")
            if other.boundary and content.boundary is None and self._data.find(line, max(0, body - 1)) >= 0:
                return other, encoding
        return content, encoding

    # --- bodies ----------------------------------------------------------------------------------

    def _preamble(self, entity: _Entity, body: int) -> Generator[Event, None, _Boundary | None]:
        """Open a multipart, and read up to its first part; return the boundary line after what was read.

        If it never begins, it is one text, unless a line looks like its boundary.
        """
        message, level = entity.message, len(self._open)
        boundary = None
        if level - message.floor < MAX_DEPTH and entity.content.boundary is not None:
            self._push(b"--" + entity.content.boundary, entity)
            boundary = self._beginning(body, level)
        if boundary is None:
            self._close(level)
            boundary = self._boundary(body)
            end = self._end_before(boundary, body)
            is_open = level - message.floor < MAX_DEPTH
            guess = _ANY_BOUNDARY.search(self._data, max(0, body - 1), end) if is_open else None
            if guess is None:
                yield from self._leaf(entity, body, end)
                return boundary
            self._push(guess[1], entity)
            boundary = self._boundary(body)
        yield from self._between(message, body, self._end_before(boundary, body), entity.part)
        return boundary

    def _beginning(self, at: int, level: int) -> _Boundary | None:
        """Return the line that begins the multipart at ``level``; a closing one may, before a head."""
        boundary = self._boundary(at)
        while boundary and boundary.level == level:
            if not boundary.closes or _CONTENT_FIELD.match(self._data, boundary.end):
                return boundary._replace(closes=False)
            boundary = self._boundary(boundary.end)
        return None

    def _leaf(self, entity: _Entity, start: int, end: int) -> Iterator[Event]:
        """Read a body that has no parts here."""
        message, content, encoding = entity.message, entity.content, entity.encoding
        context, kind, part = message.context, content.kind, entity.body_part
        is_deep = context.depth >= MAX_DEPTH
        if kind == "message/external-body":
            yield from _external(entity)
        if kind == _REPORT and encoding not in _ENCODED:
            yield from self._report(message, start, end, part)
        elif kind in UNREADABLE:
            smime = parameter_of(value_of(b"content-type", entity.head), "smime-type")
            advice = advice_for(kind, smime.lower())
            if advice:
                yield Unread(context.at(part), advice)
        elif kind in _MESSAGES and not is_deep:  # an encoded one
            yield from events_of(undo_transfer(self._data[start:end], encoding)[0], entity.inner())
        elif kind in HTTP and not is_deep:
            yield from _http(entity, undo_transfer(self._data[start:end], encoding)[0])
        elif is_read(kind) and end > start:
            base = _base(entity.head, message.head) or context.page if kind in MARKUP else None
            data, is_attached = self._data[start:end], _is_attached(entity.head)
            body = Body(
                data, content._replace(boundary=None), encoding, context.place(start), base, is_attached
            )
            yield PartBody(context, part, body)

    def _report(self, message: _Message, at: int, end: int, part: str) -> Iterator[Event]:
        """Read blocks of fields, with blank lines between them; each is a part."""
        context, number = message.context, 0
        while at < end:
            number += 1
            name = context.child(part, number)
            is_empty = self._data.startswith(b"\n", at)
            stop = at if is_empty else (self._data.find(b"\n\n", at, end) + 1 or end)
            fields = self._fields(at, stop)
            yield Head(context, name, fields.urls, DEFAULT.kind)
            for begin, line_end in fields.dropped:
                yield from self._between(message, begin, line_end, name)
            begin = fields.shift + fields.end
            if begin < stop:
                body = Body(self._data[begin:stop], DEFAULT, "", context.place(begin))
                yield PartBody(context, name, body)
            at = stop + 1

    def _between(self, message: _Message, start: int, end: int, part: str) -> Iterator[Event]:
        """Read a text outside the parts, if it is not blank."""
        data = self._data[start:end]
        if data and not data.isspace():
            yield Between(message.context, part, data, message.context.place(start))

    # --- boundaries ------------------------------------------------------------------------------

    def _push(self, line: bytes, entity: _Entity) -> None:
        """Open a multipart. Of two with the same boundary line, the outer one counts."""
        level = len(self._open)
        self._open.append(_Multipart(line, entity.message, entity.part, entity.content.kind))
        self._lines.setdefault(line, (level, False))
        self._lines.setdefault(line + b"--", (level, True))

    def _close(self, level: int) -> None:
        """Close the multiparts from ``level`` on."""
        while len(self._open) > level:
            line = self._open.pop().line
            for known in (line, line + b"--"):
                if self._lines.get(known, (-1, False))[0] == len(self._open):
                    del self._lines[known]

    def _boundary(self, at: int, stop: int | None = None) -> _Boundary | None:
        """Return the next boundary line from the line start ``at`` on, before ``stop``, or None."""
        data, lines = self._data, self._lines
        if not lines:
            return None
        begin = at - 1 if data.startswith(b"--", at) else data.find(b"\n--", at, stop)
        while begin >= 0 or begin == at - 1:
            start = begin + 1
            end = data.find(b"\n", start, start + _LONGEST_BOUNDARY)
            end = end if end >= 0 else min(self._size, start + _LONGEST_BOUNDARY)
            known = lines.get(data[start:end].rstrip(b" \t\r"))
            if known:
                return _Boundary(start, min(end + 1, self._size), *known)
            begin = data.find(b"\n--", end, stop)
            if begin < 0:
                break
        return None

    def _end_before(self, boundary: _Boundary | None, at: int) -> int:
        """Return where a body ends that begins at ``at``: the line end before a boundary belongs to that."""
        if boundary is None:
            return self._size
        end = boundary.start - 1
        if self._has_returns and end > at and self._data[end - 1] == 0x0D:
            end -= 1
        return max(end, at)


def _external(entity: _Entity) -> Iterator[Event]:
    """Yield the URL of a body that is stored elsewhere (RFC 2017)."""
    url = _SPACE.sub("", parameter_of(value_of(b"content-type", entity.head), "url"))
    if url:
        origin = entity.message.context.at(entity.body_part, header="Content-Type")
        yield Segment(text=url, origin=origin, form=Form.HEADER)


def _http(entity: _Entity, data: bytes) -> Iterator[Event]:
    """Read an HTTP message; URLs in its page are resolved against the URL that it was fetched from."""
    context, part = entity.message.context, entity.body_part
    first, data, complaint = undo_http(data)
    if complaint:
        yield Unread(context.at(part), complaint)
    if first.strip():
        yield Between(context, part, first, None)
    page = _base(entity.message.head) or context.page
    yield from events_of(data, context.inner(part)._replace(page=page))


def _base(*heads: bytes) -> str | None:
    """Return the URL of a page that the heads of its part and of its message name."""
    return base_url(chain.from_iterable(_BASES.findall(b"\n" + head) for head in heads))


def _described(context: MessageContext, head: bytes) -> MessageContext:
    """Return the context of a message with the values of the fields of its head."""
    if not context.provenance:
        return context
    return context.described(Field(*field) for field in _DESCRIBING.findall(b"\n" + head))


def _joined(head: bytes, fields: _Fields) -> bytes:
    r"""Return a head without the line ends before lines that are no fields, if they are not its end.

    They are not if a field that says how to read the body comes after them, before a boundary line of the
    head's own. A line with a URL is joined only if the one before it ends in ",", ";" or ":". Otherwise the
    URL might become part of a field that is not read.
    """
    content, _ = _announced(fields.kinds[0] if fields.kinds else None, None)
    limit = head.find(b"--" + content.boundary, fields.end) if content.boundary else -1
    limit = limit if limit >= 0 else len(head)
    readings = list(_READING.finditer(head, 0, limit)) if len(head) < _LARGEST_MENDED else []
    last = _UNFINISHED.match(head, readings[-1].start(), limit) if readings else None
    has_fields = fields.end > sum(end - start for start, end in fields.dropped)
    if last is None or last.end() <= fields.end or not has_fields:
        return head
    return _STRAY.sub(b" ", head[: last.end()]) + head[last.end() :]
