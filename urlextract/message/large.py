"""Very large messages: parts that are not read are dropped while streaming, and never held in memory.

A walk over the lines tracks the boundaries of the open multiparts. Heads and texts are
kept unchanged, the bodies of attachments are dropped. If even the texts are large, what
exceeds a bound is returned separately, decoded, as texts and pages.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from itertools import chain, groupby
from operator import attrgetter
from typing import NamedTuple

from urlextract.grammar.patterns import lazy_re
from urlextract.message.charsets import meant_codec
from urlextract.message.content import Body
from urlextract.message.context import MAX_DEPTH
from urlextract.message.events import Announced, announced_by
from urlextract.message.parts import MARKUP, is_chosen, is_read
from urlextract.message.transfer import undo_transfer
from urlextract.records import EVERYTHING, PartFilter, RawMessage
from urlextract.sources.reader import Reader

LARGEST_KEPT = 3 * 1024 * 1024  # bytes of heads and texts of one message that are held at a time
_PAGE_WEIGHT = 6  # how many times as much memory a byte of HTML takes as one of text
_LINE_WEIGHT = 40  # bytes of text that take as much memory as a short line, which the parser holds

_LARGEST_HEAD = 512 * 1024  # bytes
_LONGEST_BOUNDARY = 256  # characters; RFC 2046, section 5.1.1 allows 70


class _Kept(NamedTuple):
    """Some bytes of a message that are kept, and how their part is encoded."""

    data: bytes
    encoding: str = ""
    charset: str | None = None
    is_page: bool = False


Overflow = tuple[bool, "Iterator[bytes]"]
"""Whether some bytes are HTML, and these bytes, to be read once and in order."""


def slimmed(
    message: RawMessage, choice: PartFilter = EVERYTHING
) -> tuple[RawMessage, Iterator[Overflow] | None]:
    """Return a very large message without its attachments, and what exceeds the bound, if anything does."""
    walk = _Walk(message, choice)
    held = bytearray()
    parts = walk.message()
    weight = lines = 0
    start = 0  # of the part that is being read, and how that is encoded
    known: tuple[str, str | None] = ("", None)
    for part in parts:
        if (part.encoding, part.charset) != known:
            start, known = len(held), (part.encoding, part.charset)
        held += part.data
        weight += len(part.data) * (_PAGE_WEIGHT if part.is_page else 1)
        lines += part.data.count(b"\n")
        if max(weight, lines * _LINE_WEIGHT) > LARGEST_KEPT:
            end = _line_end(held, len(held) // 2, after_tag=part.is_page)
            if end <= start or part.encoding == "base64":
                end = start + _certain(bytes(held[start:]), part.encoding)
            rest = chain((part._replace(data=bytes(held[end:])),), parts)
            return walk.slim(bytes(held[:end])), _overflow(rest)
    return walk.slim(bytes(held)), None


def _line_end(held: bytearray, low: int, *, after_tag: bool) -> int:
    """Return the end of the last line from ``low`` on; if possible, of one that ends in a tag."""
    ends = [held.rfind(mark, low) + len(mark) for mark in (b">\n", b">\r\n", b">=\n", b">=\r\n")]
    end = max(ends) if after_tag else 0
    return end if end > low else held.rfind(b"\n", low) + 1


def _overflow(parts: Iterator[_Kept]) -> Iterator[Overflow]:
    """Yield what exceeds the bound, HTML apart from texts."""
    for is_page, group in groupby(parts, attrgetter("is_page")):
        yield is_page, _decoded(group)


class _Walk:
    """Walks over one message, and yields what is kept of it."""

    def __init__(self, message: RawMessage, choice: PartFilter) -> None:
        self._message = message
        self._choice = choice
        self._reader = Reader(_blocks(message))
        self._boundaries: list[bytes] = []
        self._verbatim: int | None = None
        self._kept = 0

    def slim(self, data: bytes) -> RawMessage:
        """Return the message with ``data`` as all of its bytes."""
        known = self._message.verbatim if self._verbatim is None else self._verbatim
        return self._message._replace(data=data, rest=None, verbatim=min(known, self._message.verbatim))

    def message(self) -> Iterator[_Kept]:
        """Yield what is kept of the message, to its end."""
        for kept in self._all():
            self._kept += len(kept.data)
            yield kept

    def _all(self) -> Iterator[_Kept]:
        has_head = True
        while self._reader.peek(1):
            if has_head:
                yield from self._part()
            else:
                yield from self._body(_Kept(b""), is_kept=True)  # an epilogue
            line = self._reader.line()
            yield _Kept(line)
            has_head = self._enter(line)

    def _part(self) -> Iterator[_Kept]:
        """Yield a head, the heads of messages nested in it, and the body up to the next boundary."""
        for _ in range(MAX_DEPTH):
            head = self._head()
            yield _Kept(head)
            if not head.endswith(b"\n"):  # cut off in a line: what follows is no field
                self._verbatim = self._kept if self._verbatim is None else self._verbatim
                yield _Kept(b"\n\n")
            announced = announced_by(head)
            kind, encoding = announced.content.kind, announced.encoding
            if kind != "message/rfc822" or encoding in ("base64", "quoted-printable"):
                break
        boundary = announced.content.boundary if kind.startswith("multipart/") else None
        if boundary and len(boundary) <= _LONGEST_BOUNDARY and len(self._boundaries) < MAX_DEPTH:
            self._boundaries.append(boundary)
        yield from self._body(
            _Kept(b"", encoding, announced.content.charset, kind in MARKUP),
            is_kept=is_read(kind) and self._is_chosen(announced),
        )

    def _is_chosen(self, announced: Announced) -> bool:
        """Return whether parts of this kind are asked for; messages and multiparts always are."""
        if announced.content.kind.startswith(("message/", "multipart/")):
            return True
        body = Body(b"", announced.content, "", is_attached=announced.is_attached)
        return is_chosen(body, self._choice)

    def _head(self) -> bytes:
        """Read a head and the blank line after it."""
        head = bytearray()
        while len(head) < _LARGEST_HEAD and (line := self._reader.line()):
            head += line
            if line in (b"\n", b"\r\n", b"\r\r\n"):
                break
        return bytes(head)

    def _body(self, kept: _Kept, *, is_kept: bool) -> Iterator[_Kept]:
        """Read up to the next boundary; yield what was read if ``is_kept``."""
        names = b"|".join(map(re.escape, self._boundaries))
        line = rb"--(?:%s)(?:--)?[ \t]*\r{0,2}\n" % names
        if self._boundaries and re.match(line, self._reader.peek(_LONGEST_BOUNDARY + 8)):
            return
        data = (
            self._reader.up_to(re.compile(rb"\n" + line), _LONGEST_BOUNDARY + 8)
            if self._boundaries
            else self._reader.rest()
        )
        for piece in data:
            if is_kept:
                yield kept._replace(data=piece)
            elif self._verbatim is None:
                self._verbatim = self._kept

    def _enter(self, line: bytes) -> bool:
        """Move to the multipart that has ``line`` as its boundary; return whether a head follows."""
        name = line.strip()[2:]
        is_end = name not in self._boundaries
        name = name.removesuffix(b"--") if is_end else name
        while self._boundaries and self._boundaries[-1] != name:
            self._boundaries.pop()
        if is_end and self._boundaries:
            self._boundaries.pop()
        return not is_end


def _blocks(message: RawMessage) -> Iterator[bytes]:
    yield message.data
    yield from message.rest or ()


def _decoded(parts: Iterator[_Kept]) -> Iterator[bytes]:
    """Yield kept bytes as UTF-8, with the transfer encoding of their part undone."""
    decoder: _Decoder | None = None
    for kept in parts:
        if decoder is None or (kept.encoding, kept.charset) != decoder.key:
            if decoder:
                yield decoder.close()
            decoder = _Decoder(kept)
        yield decoder.feed(kept.data)
    if decoder:
        yield decoder.close()


_BLANKS = b" \t\r\n"
_DIGITS = lazy_re(rb"[A-Za-z0-9+/]*+={0,2}")


def _certain(data: bytes, encoding: str) -> int:
    """Return an offset near the end of ``data`` that is not within an encoded character."""
    end = data.rfind(b"\n") + 1
    if encoding == "quoted-printable":
        return end or len(data) - (2 if b"=" in data[-2:] else 0)
    if encoding != "base64":
        return end or len(data)
    end = len(data)
    surplus = len(data.translate(None, _BLANKS)) % 16  # 16 digits: 12 bytes, whole characters
    while surplus and end:
        end -= 1
        surplus -= data[end] not in _BLANKS
    return end


_SAMPLE = 1024  # bytes of a text that show the order of its bytes


class _Decoder:
    """Undoes the transfer encoding and the charset of a part, piece by piece."""

    def __init__(self, part: _Kept) -> None:
        self.key = part.encoding, part.charset
        self._pending = b""
        self._digits = b""  # of base64, too few to decode
        self._is_behind = False  # in plain text that was put after the base64
        self._first: bytes | None = b""  # the content from which its codec is seen; None when that is known
        self._text: codecs.IncrementalDecoder | None = None  # None for UTF-8

    def feed(self, data: bytes) -> bytes:
        """Take a piece; return what can be decoded already."""
        data = self._pending + data
        end = len(data)
        if self.key[0] in ("base64", "quoted-printable"):
            end = data.rfind(b"\n") + 1
            if not end and len(data) >= _LARGEST_HEAD:
                end = len(data) if self.key[0] == "base64" else _certain(data, self.key[0])
        self._pending = data[end:]
        return self._converted(data[:end])

    def close(self) -> bytes:
        """Return the rest, decoded."""
        return self._converted(self._pending, at_end=True)

    def _converted(self, data: bytes, *, at_end: bool = False) -> bytes:
        content = self._undone(data, at_end=at_end)
        if self._first is not None:
            content = self._first + content
            self._first = content
            if len(content) < _SAMPLE and not at_end:
                return b""
            self._choose_codec(content)
        if self._text is None:
            return content
        return self._text.decode(content, at_end).encode("utf-8", "replace")

    def _choose_codec(self, content: bytes) -> None:
        """Choose the codec of a text that begins with ``content``, or goes on with it after a cut."""
        self._first = None
        codec = meant_codec(content, self.key[1]) or "utf-8"
        if codec != "utf-8":
            self._text = codecs.getincrementaldecoder(codec)("replace")

    def _undone(self, data: bytes, *, at_end: bool) -> bytes:
        """Undo the transfer encoding of some lines."""
        if self.key[0] != "base64" or self._is_behind:
            return data if self._is_behind else undo_transfer(data, self.key[0])[0]
        digits = self._digits + data.translate(None, _BLANKS)
        run = _DIGITS.match(digits)
        if run and run.end() == len(digits) and not at_end:
            size = len(digits) // 4 * 4
            self._digits = digits[size:]
            return undo_transfer(digits[:size], "base64")[0]
        content, behind = undo_transfer(self._digits + data, "base64")
        self._digits = b""
        self._is_behind = bool(behind)
        return content + (b"\n" + behind if behind else b"")
