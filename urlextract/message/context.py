"""One message, the outermost or one inside it, while its parts are read."""

from __future__ import annotations

import sys
from typing import NamedTuple

from urlextract.dates import utc_of_field
from urlextract.grammar.patterns import lazy_re
from urlextract.message.fields import field_text, unfolded
from urlextract.message.heads import Field, fields_named, is_unread
from urlextract.records import EVERYTHING, Form, Head, PartFilter, Provenance, Segment
from urlextract.source_lines import SourceLines, starts_of

MAX_DEPTH = 20
"""How deep messages, and multiparts within one message, may be nested; deeper ones are text."""

# The fields that say what a message is, or a record in a web archive.
_DESCRIBING = fields_named(
    b"date|from|to|newsgroups|subject|list-id|message-id|in-reply-to|references|warc-date|warc-record-id"
)
_TARGET_URI = fields_named(b"warc-target-uri")
# RFC 5322, section 3.6.4
#   in-reply-to = "In-Reply-To:" 1*msg-id CRLF
#   references  = "References:" 1*msg-id CRLF
#   msg-id      = [CFWS] "<" id-left "@" id-right ">" [CFWS]
# RFC 822 allowed words beside them: 'Your message of "Mon, 14 Nov 1994 09:12:31 +0100" <1@a.example>'. Some
# programs made identifiers without "@".
_IDENTIFIER = lazy_re(rb"<(?:[^<>\s]{1,1000}+|[^<>@]{1,1000}+@[^<>]{1,1000}+)>")
_FIRST_WITHIN = 8192  # bytes of a field in which its first Message-ID is looked for


class MessageContext(NamedTuple):
    """What the parts of one message have in common.

    ``path`` is the part that holds the message, empty for the outermost; ``base``
    the offset of its first byte in the source, where that is known, and ``verbatim``
    the number of bytes that are unchanged there. The provenance has the message's own head if it
    ``is_described`` by that, as a report is not; nor is it if it ``is_http``: the fields of an HTTP message
    tell how it was sent, and not what it holds. ``choice`` says what of it is read. ``page`` is
    the URL against which relative URLs in its pages are resolved.
    """

    provenance: Provenance
    path: str = ""
    base: int | None = None
    verbatim: int = sys.maxsize
    depth: int = 0
    is_described: bool = True
    is_http: bool = False
    choice: PartFilter = EVERYTHING
    page: str | None = None

    def place(self, at: int) -> int | None:
        """Return the offset in the source of the message's byte ``at``, where it is known."""
        return None if self.base is None or at >= self.verbatim else self.base + at

    def at(self, part: str | None, *, header: str | None = None, media_type: str | None = None) -> Provenance:
        """Return the provenance of a part, or of the field ``header`` of a part or of the message."""
        return self.provenance.but(part=part or None, header=header, media_type=media_type)

    def with_lines(self, lines: SourceLines | None) -> MessageContext:
        """Return the context of a text that stands on ``lines`` of the source."""
        return self._replace(provenance=self.provenance.but(lines=lines))

    def at_rest(self, whole: bytes, rest: bytes) -> MessageContext:
        """Return the context of ``rest``, the end of the text ``whole`` that this is the context of."""
        lines = self.provenance.lines
        return self.with_lines(lines.of_rest(whole, rest)) if lines else self

    def described(self, head: bytes) -> MessageContext:
        """Return the context with the message's own head in its provenance."""
        if not self.is_described or self.is_http:
            return self._replace(is_http=False)  # a message inside has fields of its own
        head = b"\n" + head
        target = _TARGET_URI.search(head)  # WARC 1.0 had brackets
        page = "".join(unfolded(target[2]).strip("<>").split()) if target else None
        own = Head(head, _values_of, page or self.provenance.head.page)
        return self._replace(provenance=self.provenance.but(head=own))

    def inner(self, part: str) -> MessageContext:
        """Return the context of a message in a part of this one; its place in the source is not known."""
        return self._replace(path=part, base=None, depth=self.depth + 1)

    def field_segment(self, field: Field, part: str) -> Segment | None:
        """Return the segment of a field of the message or of a part, None if it is not read for URLs."""
        if is_unread(field.name) or not self.choice.reads_headers():
            return None
        text = field_text(field, self.choice)
        if text is None:
            return None
        provenance = self.at(part, header=field.name.decode("ascii", "replace"))
        if field.lines:
            provenance = provenance.but(lines=_unfolded_lines(field, text, field.lines))
        byte = None
        if field.start is not None and text.isascii():
            at = field.value.find(text.encode("ascii"))  # -1 if it does not stand there unchanged
            byte = None if at < 0 else self.place(field.start + at)
        return Segment(text=text, provenance=provenance, byte=byte, form=Form.HEADER)


def _values_of(head: bytes) -> tuple[str | None, ...]:
    """Return the values of `HEAD_FIELDS` in a head, before which there is a line end."""
    fields: dict[bytes, bytes] = {}
    for name, value in _DESCRIBING.findall(head):
        fields.setdefault(name.lower(), value)  # the first field of a name counts
    threading = (fields.pop(name, b"") for name in (b"in-reply-to", b"references"))
    replied_to, first = map(_first_identifier, threading)
    own = fields.get(b"message-id", b"")[:_FIRST_WITHIN]
    values = {name: unfolded(value) for name, value in fields.items()}
    message_id = values.get(b"message-id", values.get(b"warc-record-id"))
    date_field = values.get(b"date", values.get(b"warc-date"))
    list_id = values.get(b"list-id")
    _, bracket, identifier = (list_id or "").rpartition("<")
    return (
        message_id and " ".join(message_id.split()),  # encoded words may hide line ends
        replied_to,
        first or replied_to or _first_identifier(own) or _without_blanks(own) or None,
        utc_of_field(date_field) if date_field else None,
        date_field,
        values.get(b"from"),
        values.get(b"to"),
        values.get(b"newsgroups"),
        values.get(b"subject"),
        # RFC 2919, section 3: a phrase may precede the identifier
        identifier.partition(">")[0].strip() if bracket else list_id,
    )


def _first_identifier(value: bytes) -> str | None:
    r"""Return the first Message-ID in a value, with its brackets, None if there is none.

    >>> _first_identifier(b' Your message of "Monday" <1@a.\n example> <2@b.example>')
    '<1@a.example>'
    """
    found = _IDENTIFIER.search(value, 0, _FIRST_WITHIN)
    return _without_blanks(found[0]) if found else None


def _without_blanks(value: bytes) -> str:
    return "".join(unfolded(value).split())


def _unfolded_lines(field: Field, text: str, lines: SourceLines) -> SourceLines:
    """Return the lines of the source on which the ``text`` of a field stands."""
    folded = field.value.decode("utf-8", "replace").split("\n")
    before = "".join(folded).find(text)
    if before < 0:  # it was decoded
        return lines.of_one_line()
    return lines.rewritten([(line, max(1, column - before)) for line, column in starts_of(folded)])


def part_name(parent: str, number: int) -> str:
    """Return the name of a part of a multipart, counted from 1 (RFC 3501, section 6.4.5)."""
    return f"{parent}.{number}" if parent else str(number)
