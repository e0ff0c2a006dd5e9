"""Many messages of a mailbox at once, for the lane that asks for URLs and nothing else.

What is read, and how, is as in ``structure`` and ``parts``; places, names of parts and
defects are left out. All messages of a stretch of bytes are read by one function, what
a head says of its body is remembered, and texts are not decoded: each is given as a
view, its UTF-8 bytes seen as one character each.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple, Union

from urlextract.message.armour import (
    may_hold_armour,
    may_hold_blocks,
    may_hold_yenc,
    readable_stretches,
    undo_dash_escapes,
)
from urlextract.message.charsets import decode, has_escapes
from urlextract.message.content import DEFAULT, Content, read_content, read_encoding
from urlextract.message.enclosed import may_enclose_messages
from urlextract.message.fields import Field, searchable_text
from urlextract.message.heads import FIELD, WALK, is_unread
from urlextract.message.labels import codec_of
from urlextract.message.letter import MAX_DEPTH
from urlextract.message.parts import MARKUP, charset_of, is_read
from urlextract.message.running_text import is_as_it_reads, running_text
from urlextract.message.structure import LARGEST_HEAD, OddError, cut, is_odd, page_base
from urlextract.message.transfer import IDENTITIES, is_quoted_printable, undo_text
from urlextract.records import Origin
from urlextract.sources.lines import with_lf

if TYPE_CHECKING:
    from collections.abc import Callable

    from urlextract.message.html_page import Page

__all__ = ["Entry", "as_view", "read_bulk", "readable_views"]

Entry = Union[str, "Page", None]
"""A text to be searched, as a view; a page; None ends a message."""

_PLAIN, _TEXT, _PAGE, _PARTS, _NOTHING = range(5)


class _Plan(NamedTuple):
    """What is to be done with a body: one of the numbers above, and what its head says."""

    way: int
    content: Content
    encoding: str


def read_bulk(
    data: bytes, spans: list[tuple[int, int]], read_odd: Callable[[int], list[Entry]]
) -> list[Entry]:
    """Return the texts of the messages at ``spans`` of ``data``, and None after each message.

    ``read_odd`` reads those that are not plain; it takes their index in ``spans``.
    """
    entries: list[Entry] = []
    reader = _Reader(data, entries)
    has_odd_bytes = _has_odd_bytes(data)
    for number, (start, end) in enumerate(spans):
        if (has_odd_bytes and _has_odd_bytes(data[start:end])) or data.startswith(
            (b"From ", b">From "), start
        ):
            entries += read_odd(number)
            entries.append(None)
            continue
        known = len(entries)
        try:
            reader.message(start, end)
        except OddError:
            del entries[known:]
            entries += read_odd(number)
        entries.append(None)
    return entries


def _has_odd_bytes(data: bytes) -> bool:
    """Say whether anything stands there for which a message is read in another way."""
    return b"\r" in data or has_escapes(data)


def as_view(text: str) -> str:
    """Give a text as a view."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode("latin-1")


def readable_views(views: list[str], together: str) -> list[str]:
    """Leave out of views the blocks that are no text; ``together`` is all of them, joined by anything."""
    if not (may_hold_armour(together) or any(map(may_hold_yenc, views))):
        return views
    pieces: list[str] = []
    for view in views:
        if may_hold_blocks(view):
            text = undo_dash_escapes(view.encode("latin-1").decode("utf-8", "replace"))
            pieces += [as_view(text[start:end]) for start, end in readable_stretches(text)]
        else:
            pieces.append(view)
    return pieces


@lru_cache(maxsize=4096)
def _plan(kind: bytes | None, transfer: bytes | None) -> _Plan | None:
    """Give the plan for a body, None where its head is not plain."""
    content = DEFAULT if kind is None else read_content(kind)
    encoding = "" if transfer is None else read_encoding(transfer)
    if content is None or encoding is None or is_odd(content.kind):
        return None
    is_identity = encoding in IDENTITIES
    way = _TEXT
    if content.kind.startswith("multipart/"):
        if content.boundary is None or content.kind == "multipart/digest" or not is_identity:
            return None
        way = _PARTS
    elif not is_read(content.kind):
        way = _NOTHING
    elif content.kind in MARKUP:
        way = _PAGE
    elif is_identity and is_as_it_reads(content):
        way = _PLAIN if codec_of(content.charset) in (None, "utf-8") else _TEXT
    return _Plan(way, content, encoding)


class _Reader:
    """Reads messages in one stretch of bytes; line ends are LF."""

    __slots__ = ("_data", "_entries", "_top", "_view")

    def __init__(self, data: bytes, entries: list[Entry]) -> None:
        self._data = data
        self._view = data.decode("latin-1")
        self._entries = entries
        self._top = (0, 0)

    def message(self, start: int, end: int, depth: int = 0) -> None:
        """Read the head and the body of a message or a part of one."""
        data = self._data
        kind: bytes | None
        transfer: bytes | None
        walk = WALK.match(data, start, end)
        if walk is None:
            raise OddError
        kind, transfer = walk.groups()
        at = walk.end()
        if at >= end:
            raise OddError
        if data[at] != 0x0A:
            at, kind, transfer = self._fields(at, end, kind, transfer)
        plan = _plan(kind, transfer)
        if plan is None or at - start > LARGEST_HEAD:
            raise OddError
        body = at + 1
        if not depth:
            self._top = start, body
        way = plan.way
        if way == _PLAIN:
            self._plain(body, end)
        elif way == _PARTS:
            self._parts(plan.content.boundary or b"", body, end, depth)
        elif way != _NOTHING and body < end:
            self._body(plan, start, body, end)

    def _fields(
        self, at: int, end: int, kind: bytes | None, transfer: bytes | None
    ) -> tuple[int, bytes | None, bytes | None]:
        """Go on behind a run of fields, at one that may hold URLs, to the end of the head."""
        data = self._data
        while data[at] != 0x0A:
            field = FIELD.match(data, at, end)
            if field is None:
                raise OddError
            name = field[1]
            if not is_unread(name):
                text = searchable_text(Field(name, field[2].lstrip(b" \t")))
                if text is not None:
                    self._entries.append(as_view(text))
            elif name.lower() in (b"content-type", b"content-transfer-encoding"):
                raise OddError
            walk = WALK.match(data, field.end(), end)
            if walk is None or walk.end() >= end:
                raise OddError
            at = walk.end()
            another = walk.groups()
            if (another[0] and kind) or (another[1] and transfer):
                raise OddError
            kind, transfer = kind or another[0], transfer or another[1]
        return at, kind, transfer

    def _plain(self, start: int, end: int) -> None:
        """Read a text that stands as it is; bytes that are no UTF-8 are not plain."""
        if is_quoted_printable(self._data, start, end) or may_enclose_messages(self._data, start, end):
            raise OddError
        view = self._view[start:end]
        if not view.isascii():
            data = self._data[start:end]
            try:
                data.decode()
            except UnicodeDecodeError:
                view = as_view(decode(data, None)[0])
        self._entries.append(view)

    def _parts(self, boundary: bytes, start: int, end: int, depth: int) -> None:
        """Read what stands before the parts, the parts, and what stands behind them."""
        if depth >= MAX_DEPTH:
            raise OddError
        is_part = False
        for stop, follows in cut(self._data, boundary, start, end):
            if is_part:
                self.message(start, stop, depth + 1)
            elif stop > start:
                self._plain(start, stop)
            is_part, start = True, follows
        if end > start + 1:
            self._plain(start, end)

    def _body(self, plan: _Plan, head: int, start: int, end: int) -> None:
        """Read a body that is encoded, or of another charset, or a page."""
        content = plan.content
        if content.kind == "text/plain" and may_enclose_messages(self._data, start, end):
            raise OddError
        data, tail = undo_text(self._data[start:end], plan.encoding)
        data = with_lf(data)
        if plan.way == _PAGE:
            self._page(decode(data, charset_of(content, data))[0], (head, start))
        elif not is_as_it_reads(content):
            self._entries.append(as_view(running_text(decode(data, content.charset)[0], content)))
        else:
            self._text(data, content.charset)
        if tail:
            self._text(tail, content.charset)

    def _text(self, data: bytes, charset: str | None) -> None:
        """Keep a decoded body."""
        self._entries.append(as_view(decode(data, charset)[0]))

    def _page(self, text: str, head: tuple[int, int]) -> None:
        """Keep a page."""
        if not text or text.isspace():
            return
        from urlextract.message.html_page import Page  # noqa: PLC0415 - plain mail needs no patterns of HTML

        self._entries.append(Page(text, Origin(), base=page_base(self._data, head, self._top)))
