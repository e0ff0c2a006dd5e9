"""The parts of many messages as texts to be searched, for callers that need only URLs.

Places, names of parts and defects are left out. Each text is a view: a string with one character
for each byte of the text in UTF-8.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Union

from urlextract.message.charsets import decode, has_escapes
from urlextract.message.digests import may_enclose_messages
from urlextract.message.fields import searchable_text
from urlextract.message.parts import MARKUP, charset_of
from urlextract.message.pgp import (
    may_hold_armour,
    may_hold_blocks,
    may_hold_yenc,
    readable_stretches,
    undo_dash_escapes,
)
from urlextract.message.running_text import running_text
from urlextract.message.transfer import is_quoted_printable, undo_text
from urlextract.message.walk import OddError, Walk, page_base
from urlextract.records import Origin
from urlextract.sources.reader import with_lf

if TYPE_CHECKING:
    from collections.abc import Callable

    from urlextract.message.fields import Field
    from urlextract.message.html_page import Page
    from urlextract.message.walk import Head

__all__ = ["Entry", "as_view", "read_together", "readable_views"]

Entry = Union[str, "Page", None]
"""A text to be searched, as a view; a page; None ends a message."""


def read_together(
    data: bytes, spans: list[tuple[int, int]], read_odd: Callable[[int], list[Entry]]
) -> list[Entry]:
    """Return the texts of the messages at ``spans`` of ``data``, and None after each message.

    ``read_odd`` reads those that are not plain; it takes their index in ``spans``.
    """
    entries: list[Entry] = []
    walk = Walk(data, _Views(data, entries))
    has_odd_bytes = _has_odd_bytes(data)
    for number, (start, end) in enumerate(spans):
        known = len(entries)
        is_odd = data.startswith(_POSTMARKS, start) or (has_odd_bytes and _has_odd_bytes(data[start:end]))
        try:
            if not is_odd:
                walk.entity(start, end)
        except OddError:
            is_odd = True
        if is_odd:
            del entries[known:]
            entries += read_odd(number)
        entries.append(None)
    return entries


_POSTMARKS = (b"From ", b">From ")


def _has_odd_bytes(data: bytes) -> bool:
    """Return whether ``data`` has a CR or escapes, so that messages are read in another way."""
    return b"\r" in data or has_escapes(data)


def as_view(text: str) -> str:
    """Return a text as a view."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode("latin-1")


def readable_views(views: list[str], between: str) -> list[str]:
    """Return the views with ``between`` in place of the blocks that are no text."""
    if not (may_hold_armour(between.join(views)) or any(map(may_hold_yenc, views))):
        return views
    return [_readable(view, between) if may_hold_blocks(view) else view for view in views]


def _readable(view: str, between: str) -> str:
    text = undo_dash_escapes(view.encode("latin-1").decode("utf-8", "replace"))
    return between.join(as_view(text[start:end]) for start, end in readable_stretches(text))


class _Views:
    """Receives the parts of messages in one stretch of bytes."""

    __slots__ = ("_data", "_entries", "_top", "_view")

    def __init__(self, data: bytes, entries: list[Entry]) -> None:
        self._data, self._entries = data, entries
        self._view = data.decode("latin-1")
        self._top: Head | None = None

    def head(self, head: Head, fields: list[Field], _: str, depth: int) -> None:
        """Take the fields of a head."""
        if not depth:
            self._top = head
        for field in fields:
            text = searchable_text(field)
            if text is not None:
                self._entries.append(as_view(text))

    def multipart(self, head: Head, _: str) -> None:
        """Take a multipart, of which nothing is kept."""

    def beside(self, start: int, end: int, _: str) -> None:
        """Take a text that is not encoded; it is decoded only if it is not UTF-8."""
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

    def body(self, head: Head, end: int, part: str, _: int) -> None:
        """Take a body: unchanged, or decoded, or as a page."""
        content, start = head.body.content, head.end
        if head.body.stands:
            self.beside(start, end, part)
            return
        if content.kind == "text/plain" and may_enclose_messages(self._data, start, end):
            raise OddError
        data, tail = undo_text(self._data[start:end], head.body.encoding)
        data = with_lf(data)
        if content.kind in MARKUP:
            self._page(decode(data, charset_of(content, data))[0], head)
        else:
            self._entries.append(as_view(running_text(decode(data, content.charset)[0], content)))
        if tail:
            self._entries.append(as_view(decode(tail, content.charset)[0]))

    def _page(self, text: str, head: Head) -> None:
        """Take a page."""
        if not text or text.isspace():
            return
        from urlextract.message.html_page import Page  # noqa: PLC0415 - plain mail needs no patterns of HTML

        self._entries.append(Page(text, Origin(), base=page_base(self._data, head, self._top or head)))
