"""The parts of a plain message as segments, each with its origin: what records are made of."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlextract.grammar.patterns import compiled
from urlextract.message.content import DEFAULT, Body
from urlextract.message.enclosed import may_enclose_messages
from urlextract.message.fields import Field
from urlextract.message.letter import PROVENANCE
from urlextract.message.parts import MARKUP, read_body
from urlextract.message.walk import OddError, Walk, page_base

if TYPE_CHECKING:
    from urlextract.message.html_page import Readable
    from urlextract.message.letter import Letter
    from urlextract.message.walk import Head

__all__ = ["plain_segments"]

# The head is searched for these with a line end put before it.
_DESCRIBING = compiled(rb"\n((?i:%s)):([^\n]*+(?:\n[ \t][^\n]*+)*)" % b"|".join(sorted(PROVENANCE)))


def plain_segments(data: bytes, letter: Letter) -> list[Readable] | None:
    """Return the segments of a plain message, None for any other; line ends are LF."""
    sink = _Segments(data, letter)
    try:
        Walk(data, sink, every_field=letter.choice.schemeless).entity(0, len(data), letter.path)
    except OddError:
        return None
    return sink.segments


class _Segments:
    """Takes the parts of one message."""

    def __init__(self, data: bytes, letter: Letter) -> None:
        self.segments: list[Readable] = []
        self._data, self._letter = data, letter
        self._top: Head | None = None

    def head(self, head: Head, fields: list[Field], part: str, depth: int) -> None:
        """Take a head: that of the message tells where all is from."""
        if not depth:
            self._top = head
            if self._letter.provenance:
                found = _DESCRIBING.findall(b"\n" + self._data[: head.end])
                self._letter = self._letter.described(Field(*field) for field in found)
        for field in fields:
            segment = self._letter.field_segment(field, part)
            if segment:
                self.segments.append(segment)

    def body(self, head: Head, end: int, part: str, depth: int) -> None:
        """Take a body."""
        letter, content = self._letter, head.body.content
        data = self._data[head.end : end]
        if content.kind == "text/plain" and may_enclose_messages(data):
            raise OddError
        base = None
        if content.kind in MARKUP:
            base = page_base(self._data, head, self._top or head) or letter.page
        origin = letter.at(part if depth else letter.body_part(), media_type=content.kind)
        body = Body(data, content, head.body.encoding, letter.place(head.end), base)
        self.segments += read_body(body, origin, letter.choice)

    def beside(self, start: int, end: int, part: str) -> None:
        """Take what stands before or behind parts."""
        data = self._data[start:end]
        if data.strip():
            body = Body(data, DEFAULT, "", self._letter.place(start))
            self.segments += read_body(body, self._letter.at(part), self._letter.choice)
