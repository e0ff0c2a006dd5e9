"""Plain messages as texts alone, for the lane that asks for URLs and nothing else.

What is read, and how, is as in ``structure`` and ``parts``; places, names of parts
and defects are left out, and so are texts without a sign of a URL. One pattern runs
over a head, and stops only at fields that may hold URLs.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from urlextract.message.armour import may_hold_blocks, readable_stretches, undo_dash_escapes
from urlextract.message.charsets import decode, unify_line_ends
from urlextract.message.content import DEFAULT, Content, read_content, read_encoding
from urlextract.message.digest import may_be_digest
from urlextract.message.fields import FIELD, WALK, Field, field_text, is_unread
from urlextract.message.letter import MAX_DEPTH
from urlextract.message.parts import MARKUP, charset_of, is_read, running_text
from urlextract.message.structure import LARGEST_HEAD, OddError, cut, is_odd, once, page_base
from urlextract.message.transfer import IDENTITIES, undo_transfer
from urlextract.records import Form

__all__ = ["Text", "read_lean"]

Text = tuple[str, Form | None]
"""A text, and the form of all its URLs, as in `Segment`."""

_HEADER, _ATTRIBUTE = Form.HEADER, Form.HTML_ATTRIBUTE

# A text without a colon may hold but hosts that begin with www or ftp.
_HOST_SIGN = re.compile(r"\.(?<=[wWpP]\.)(?<=(?i:www|ftp)\.)")


class _Head(NamedTuple):
    """What a head says of the body that begins at ``end``."""

    end: int
    content: Content
    encoding: str


def read_lean(data: bytes) -> list[Text] | None:
    """Give the texts of a plain message that may hold URLs, None for any other; line ends are LF."""
    try:
        return _Reader(data).texts
    except OddError:
        return None


class _Reader:
    """Reads the parts of one message, in order."""

    __slots__ = ("_data", "_top", "texts")

    def __init__(self, data: bytes) -> None:
        self.texts: list[Text] = []
        self._data = data
        self._top = 0
        self._entity(0, len(data), 0)

    def _entity(self, start: int, end: int, depth: int) -> None:
        """Read the head and the body of the message or of a part."""
        head = self._head(start, end)
        content = head.content
        kind = content.kind
        if not depth:
            self._top = head.end
        if is_odd(kind):
            raise OddError
        if is_read(kind) and not kind.startswith("multipart/"):
            if head.end < end:
                heads = (start, head.end), (0, self._top)
                base = page_base(self._data, *heads) if kind in MARKUP else None
                self._body(self._data[head.end : end], content, head.encoding, base)
        elif kind.startswith("multipart/"):
            self._multipart(head, end, depth)

    def _head(self, start: int, end: int) -> _Head:
        """Read a head, run by run between the fields that may hold URLs."""
        data = self._data
        if data.startswith(b"\n", start, end):
            return _Head(start + 1, DEFAULT, "")
        stop = data.find(b"\n\n", start, end) + 1
        if not start + 1 < stop <= start + LARGEST_HEAD:
            raise OddError
        content: Content | None = None
        encoding: str | None = None
        at = start
        while walk := WALK.match(data, at, stop):
            kind, transfer = walk.groups()
            if kind is not None:
                content = once(content, read_content(kind))
            if transfer is not None:
                encoding = once(encoding, read_encoding(transfer))
            at = walk.end()
            if at == stop:
                break
            at = self._field(at, stop)
        return _Head(stop + 1, content or DEFAULT, encoding or "")

    def _field(self, start: int, stop: int) -> int:
        """Read the field at which a run stopped; give its end."""
        match = FIELD.match(self._data, start, stop)
        if match is None or match[1].lower() in (b"content-type", b"content-transfer-encoding"):
            raise OddError
        if not is_unread(match[1]):
            text = field_text(Field(match[1], match[2].lstrip(b" \t")))
            if text is not None:
                self.texts.append((text, _HEADER))
        return match.end()

    def _multipart(self, head: _Head, end: int, depth: int) -> None:
        """Read what stands before the parts, the parts, and what stands behind them."""
        content, start = head.content, head.end
        if content.boundary is None or content.kind == "multipart/digest" or depth >= MAX_DEPTH:
            raise OddError
        if head.encoding not in IDENTITIES:
            raise OddError
        is_part = False
        for stop, follows in cut(self._data, content.boundary, start, end):
            if is_part:
                self._entity(start, stop, depth + 1)
            else:
                self._beside(start, stop)
            is_part, start = True, follows
        self._beside(start, end)

    def _beside(self, start: int, end: int) -> None:
        """Read a preamble or an epilogue: text outside the parts."""
        data = self._data[start:end]
        if data and not data.isspace():
            self._body(data, DEFAULT, "", None)

    def _body(self, data: bytes, content: Content, encoding: str, base: str | None) -> None:
        """Read a body without parts."""
        if content.kind == "text/plain" and may_be_digest(data):
            raise OddError
        tail = b""
        if encoding not in IDENTITIES:
            data, tail = undo_transfer(data, encoding)
        text = unify_line_ends(decode(data, charset_of(content, data))[0])
        if content.kind in MARKUP:
            self._markup(text, base)
        else:
            self._running(running_text(text, content))
        if tail:
            self._add(unify_line_ends(decode(tail, content.charset)[0]))

    def _running(self, text: str) -> None:
        """Keep a text, without what is no text."""
        if not may_hold_blocks(text):
            self._add(text)
            return
        text = undo_dash_escapes(text)
        for start, end in readable_stretches(text):
            self._add(text[start:end])

    def _markup(self, text: str, base: str | None) -> None:
        """Keep the URLs in the attributes of a page, and its visible text."""
        if not text or text.isspace():
            return
        from urlextract.message.markup import read_page  # noqa: PLC0415 - plain mail needs no patterns of HTML

        page = read_page(text, base)
        self.texts += [(url, _ATTRIBUTE) for _, _, url in page.urls]
        self._add(page.visible())

    def _add(self, text: str) -> None:
        """Keep a text that may hold a URL."""
        if ":" in text or _HOST_SIGN.search(text):
            self.texts.append((text, None))
