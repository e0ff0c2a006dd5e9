"""Find the parts of a message or a mailbox that may be rewritten.

The lines of a body of plain text are: a text that `extract_source` does not read as a message is one. A part
that is encoded for transfer, HTML, attached or in a message within this one is rewritten as a whole, but for
one that is signed (RFC 1847). What is between them are heads. A text may come in pieces, and no more of it is
held than is needed to decide where a body is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple, Protocol

from urlextract.grammar.patterns import lazy_re
from urlextract.message.content import DEFAULT, Content
from urlextract.message.events import Body, Message
from urlextract.message.segments import read_bodies
from urlextract.message.transfer import is_as_sent
from urlextract.records import Provenance, RawMessage
from urlextract.sources.compress import DecompressionBudget
from urlextract.sources.files import read_stream
from urlextract.sources.streams import BLOCK, Origin, ignored

_RETURNS = lazy_re(r"\r++(\n)?")
_MOST_RETURNS = 64  # at the end of a piece that wait for a line end
_MOST_HELD = 4 * 1024 * 1024  # bytes that no body was found in: more than the reader of messages holds


class Part(NamedTuple):
    """What a part of a text is: lines with the ``content`` that its header declares, heads, or neither.

    ``body`` is one that is rewritten as a whole, if at all: not if it is ``sealed``. A message has one object
    for its heads and what else is between its bodies.
    """

    content: Content | None = None
    body: Body | None = None
    is_sealed: bool = False

    @property
    def is_heads(self) -> bool:
        """Whether this is what is between bodies."""
        return self.content is None and self.body is None and not self.is_sealed

    @property
    def is_fixed(self) -> bool:
        """Whether this is a body with lines that do not flow."""
        return self.content is not None and not self.content.flowed

    @property
    def is_encoded_text(self) -> bool:
        """Whether this is such a body, but for its encoding."""
        body = self.body
        return body is not None and is_own_text(body) and not (self.is_sealed or body.content.flowed)


TEXT = Part(DEFAULT)
"""A text that is no message."""
PAGE = Part(body=Body(Message(Provenance()), "", Content("text/html"), "", b""))
"""A page of HTML that is no part of a message."""
_SEALED = Part(is_sealed=True)


def is_own_text(body: Body) -> bool:
    """Return whether a body is plain text of the message itself."""
    return body.content.kind == "text/plain" and body.message.depth == 0 and not body.is_attached


def _part_of(body: Body, *, is_sealed: bool) -> Part:
    """Return how a body is rewritten."""
    if is_own_text(body) and is_as_sent(body.data, body.encoding) and not is_sealed:
        return Part(body.content)
    return _SEALED if body.rest else Part(body=body, is_sealed=is_sealed)


class Sink(Protocol):
    """Takes the text of one part in pieces."""

    def feed(self, text: str) -> None:
        """Take more of the part."""

    def close(self) -> None:
        """End the part."""


def read_parts(pieces: Iterable[str], sink_of: Callable[[Part], Sink]) -> None:
    """Pass each part of a text, which comes in pieces, to a sink of its own, in the order of the text."""
    _Splitter(pieces, sink_of).run()


def in_pieces(text: str) -> Iterator[str]:
    """Cut a text into pieces of a bounded size."""
    return (text[at : at + BLOCK] for at in range(0, len(text), BLOCK))


class _Splitter:
    """The text that was read and is in no sink yet, and the bytes that a reader of messages gets for it.

    These have LF alone at line ends: a CR before it is left out, any other one is a blank. So both have the
    same lines, and within a line as many characters.
    """

    def __init__(self, pieces: Iterable[str], sink_of: Callable[[Part], Sink]) -> None:
        self._pieces, self._sink_of = pieces, sink_of
        self._text, self._start, self._data = "", 0, bytearray()
        self._offset = 0  # of the data in all of them
        self._other = TEXT  # what is no body of a message
        self._in_body = False
        self._part: Part | None = None
        self._sink: Sink | None = None

    def run(self) -> None:
        """Read the text to its end."""
        blocks = self._blocks()
        for item in read_stream(blocks, "auto", DecompressionBudget(Origin("", ignored))):
            if isinstance(item, RawMessage):
                self._other = Part()
                self._read(item)
                continue
            for _ in item.chunks:
                if self._other is TEXT:
                    self._pass(len(self._data), PAGE if item.is_page else TEXT)
        for _ in blocks:  # what the reader has left
            self._pass(len(self._data), self._other)
        self._pass_text(len(self._text), self._other)
        self._end()

    def _read(self, message: RawMessage) -> None:
        """Pass each body of a message to a sink, and the text before it to another one."""
        for body, is_sealed in read_bodies(message):
            start = (body.place or 0) - self._offset
            end = start + len(body.data)
            if body.place is None or start < 0 or self._data[start:end] != body.data:
                # It is in a message that is encoded, so the text has it in another form.
                self._sink_of(Part(body=body, is_sealed=True)).close()
                continue
            self._pass(start, _SEALED if is_sealed else self._other)
            self._end()
            part = _part_of(body, is_sealed=is_sealed)
            if body.rest and not is_as_sent(body.data, body.encoding):
                self._sink_of(Part(body=body, is_sealed=True)).close()  # it cannot be seen what is in it
            self._in_body = True
            self._pass(end - start, part)
            for piece in body.rest or ():
                self._pass(len(piece), part)
            self._in_body = False
            if self._data[:1] == b"\n":
                self._pass(1, part)
            self._end()

    def _blocks(self) -> Iterator[bytes]:
        """Yield the bytes of the text, for the reader of messages."""
        held = ""
        for piece in self._pieces:
            self._text, self._start = self._text[self._start :] + piece, 0
            text = held + piece
            ended = text.rstrip("\r") if len(text) - len(held) > _MOST_RETURNS else text
            held = text[len(ended) :]
            if len(held) > _MOST_RETURNS:
                ended, held = text, ""
            block = _RETURNS.sub(_without_return, ended).encode("utf-8", "surrogatepass")
            self._data += block
            if len(self._data) > _MOST_HELD and not self._in_body:
                self._pass(len(self._data) - _MOST_HELD // 2, self._other)
            yield block

    def _pass(self, size: int, part: Part) -> None:
        """Pass the text of the next ``size`` bytes of the data to the sink of ``part``."""
        while size < len(self._data) and self._data[size] & 0xC0 == 0x80:  # within a character
            size -= 1
        line = self._data.rfind(b"\n", 0, size) + 1
        at = self._start
        for _ in range(self._data.count(b"\n", 0, line)):
            at = self._text.index("\n", at) + 1
        at += len(self._data[line:size].decode("utf-8", "surrogatepass"))
        del self._data[:size]
        self._offset += size
        self._pass_text(at, part)

    def _pass_text(self, end: int, part: Part) -> None:
        text, self._start = self._text[self._start : end], end
        if not text:
            return
        if part is not self._part:
            self._end()
            self._part, self._sink = part, self._sink_of(part)
        if self._sink:
            self._sink.feed(text)

    def _end(self) -> None:
        if self._sink:
            self._sink.close()
        self._part = self._sink = None


def _without_return(found: re.Match[str]) -> str:
    return found[1] or " " * len(found[0])
