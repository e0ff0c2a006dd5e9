"""Immutable values that one stage passes to the next.

Most have a span or an offset, so that a result can be shown in the text that it was found in.
Spans are half-open and count characters of the text of one part. All values are tuples,
because there may be hundreds of thousands of them. The records that callers receive are in
``results``.

This module does not postpone annotations, and neither do the scanner's modules with named
tuples: each annotation would be a string, and would be compiled at every start.
"""

import sys
from collections.abc import Iterator
from enum import StrEnum
from typing import Literal, NamedTuple, Self

__all__ = [
    "EVERYTHING",
    "MAY_CONTINUE",
    "PARTS",
    "Alternative",
    "Candidate",
    "Form",
    "InDoubt",
    "Item",
    "Origin",
    "PartFilter",
    "Quoted",
    "RawMessage",
    "RawMessages",
    "RawText",
    "Refusal",
    "Rejoined",
    "Segment",
    "Signature",
    "Span",
    "Unread",
]


class Form(StrEnum):
    """The form in which a URL is written in its text.

    >>> Form("url-wrapper") is Form.URL_WRAPPER
    True
    """

    URL_WRAPPER = "url-wrapper"
    ANGLE = "angle"
    QUOTED = "quoted"
    PREFIXED = "prefixed"
    BARE = "bare"
    ABBREVIATED = "abbreviated"
    HTML_ATTRIBUTE = "html-attribute"
    HEADER = "header"


class Span(NamedTuple):
    """A half-open range of characters.

    >>> Span(3, 7).of("an ftp site")
    'ftp '
    """

    start: int
    end: int

    def of(self, text: str) -> str:
        """Return the characters of ``text`` in this range."""
        return text[self.start : self.end]

    def moved(self, by: int) -> "Span":
        """Return the same range, moved by ``by`` characters."""
        return Span(self.start + by, self.end + by)


class Alternative(NamedTuple):
    """Another URL that may be meant at the same place, and the reason."""

    url: str
    reason: str


MAY_CONTINUE = "may-continue"
"""The defect of a bare URL that may continue on the next line, but was not joined with it."""

Escapes = Literal["", "entities", "json", "marks", "quoted-printable"]
"""The escapes in which a text may write a URL; "marks" are those of man pages, Markdown and LaTeX."""


class Candidate(NamedTuple):
    """The content of a wrapper, or a bare run of characters, before it is rejoined and parsed.

    ``span`` is the whole place, with its brackets, ``inner`` the span of ``raw`` in it.
    ``prefix`` is the quote prefix of the line on which the place begins. ``escapes`` is the
    encoding in which ``raw`` is written. ``also`` are other URLs that may be meant.

    If a bare URL was joined with the next lines, ``one_line`` is its raw text before that. If
    it may continue but was not joined, ``more_lines`` is the raw text of all its lines.
    ``reasons`` is the evidence that it continues.

    ``added`` is the missing scheme of a host or a mail address. ``confidence`` is None if it
    is that of the form.
    """

    span: Span
    form: Form
    raw: str
    inner: Span
    prefix: str = ""
    escapes: Escapes = ""
    defects: tuple[str, ...] = ()
    also: tuple[Alternative, ...] = ()
    one_line: str | None = None
    more_lines: str | None = None
    reasons: str = ""
    added: Literal["", "http://", "mailto:"] = ""
    confidence: float | None = None

    def with_more_lines(self) -> Self:
        """Return the candidate joined with the lines on which it may continue."""
        if self.more_lines is None:
            return self
        size = len(self.more_lines)
        return self._replace(
            span=self.span._replace(end=self.inner.start + size),
            inner=self.inner._replace(end=self.inner.start + size),
            raw=self.more_lines,
            one_line=self.raw,
            more_lines=None,
            defects=tuple(defect for defect in self.defects if defect != MAY_CONTINUE),
            also=(),
        )

    def moved(self, by: int) -> Self:
        """Return the same candidate, moved by ``by`` characters."""
        return self._replace(span=self.span.moved(by), inner=self.inner.moved(by)) if by else self


class InDoubt(str):
    """A URL that may continue on the next line; ``joined`` is the URL with these lines.

    It is used where only URLs are asked for, without records.
    """

    __slots__ = ("joined",)
    joined: str

    @classmethod
    def of(cls, url: str, joined: str) -> Self:
        """Return ``url`` as an `InDoubt` with the attribute ``joined``."""
        value = cls(url)
        value.joined = joined
        return value


class Refusal(NamedTuple):
    """A place that looked like a URL but was rejected, and the reason.

    ``joined`` is the URL that the whole place would be. It is an alternative to a URL that is
    found inside the place.
    """

    span: Span
    form: Form
    raw: str
    reason: str
    joined: str | None = None

    def moved(self, by: int) -> Self:
        """Return the same refusal, moved by ``by`` characters."""
        return self._replace(span=self.span.moved(by)) if by else self


class Rejoined(NamedTuple):
    """A URL on one line, rejoined from its raw text, and the repairs that this took.

    ``pieces`` are the spans of the raw text that were kept, counted in characters from its
    start. A single piece means that the URL was not broken.
    """

    url: str
    pieces: tuple[Span, ...]
    repairs: tuple[str, ...] = ()
    alternatives: tuple[Alternative, ...] = ()


class Origin(NamedTuple):
    """Where a text comes from; a field that is unknown is None.

    ``source`` is the name of the source, ``message`` the number of the message in it, counted from 1.
    ``offset`` is the offset in bytes at which the message begins in its source.

    ``message_id``, ``date``, ``from_``, ``newsgroups``, ``subject`` and ``list_id`` (the identifier of
    RFC 2919, without its brackets) are header fields of the innermost message. They are decoded, but
    otherwise as the sender wrote them: do not trust them.

    ``part`` is the path of the part in the outermost message, such as ``1.2`` (RFC 3501, section 6.4.5).
    ``media_type`` is the type of the part in lower case, such as ``text/html``. ``header`` is the name of
    the header field that the text is from, None for a body.
    """

    source: str | None = None
    message: int | None = None
    offset: int | None = None
    message_id: str | None = None
    date: str | None = None
    from_: str | None = None
    newsgroups: str | None = None
    part: str | None = None
    header: str | None = None
    media_type: str | None = None
    subject: str | None = None
    list_id: str | None = None


class RawMessage(NamedTuple):
    """The bytes of one message, header and body, and where they come from.

    The first ``verbatim`` bytes are the same in the source, so that their offsets in it are known.
    Of a very large message ``data`` is only the beginning; ``rest`` yields the other bytes, once and
    in order. ``defects`` are added to those of each result of the message.
    """

    data: bytes
    origin: Origin
    verbatim: int = sys.maxsize
    rest: Iterator[bytes] | None = None
    defects: tuple[str, ...] = ()

    def alone(self) -> "RawMessages":
        """Return the message as a `RawMessages` with one element."""
        origin = self.origin
        spans = [(0, len(self.data))]
        return RawMessages(self.data, spans, origin.source or "", origin.message or 0, origin.offset or 0)


class RawMessages(NamedTuple):
    """Whole messages, one after the other in ``data``, each at one of ``spans`` (in bytes).

    ``offset`` is the offset of ``data`` in the source, ``number`` the number of the first message.
    If each message is a source of its own, ``names`` are the names of these sources.
    """

    data: bytes
    spans: list[tuple[int, int]]
    source: str
    number: int
    offset: int
    names: list[str] | None = None

    def message(self, index: int) -> RawMessage:
        """Return the message at ``index``."""
        start, end = self.spans[index]
        if self.names is not None:
            return RawMessage(self.data[start:end], Origin(self.names[index], 1, 0))
        return RawMessage(self.data[start:end], Origin(self.source, self.number + index, self.offset + start))


class RawText(NamedTuple):
    """The bytes of a text that is not a message, in chunks to be read once and in order.

    ``start`` (in characters), ``line`` and ``byte`` are its place in the source, if it is not the
    beginning of that; ``byte`` is None if it is unknown. ``is_page`` is true for HTML.
    """

    chunks: Iterator[bytes]
    origin: Origin
    start: int = 0
    line: int = 1
    byte: int | None = 0
    is_page: bool = False


Item = RawMessages | RawMessage | RawText
"""What is read from a source."""


class Segment(NamedTuple):
    """The decoded text of a part of a message, or a stretch of it.

    ``start``, ``line`` and ``column`` are the place in the text of the part where the stretch
    begins. ``byte`` is the offset of its first byte in the source, None unless bytes and
    characters correspond one to one (ASCII text, neither encoded nor unfolded). ``form`` is the
    form of all URLs in the segment; it is set only for header fields.
    """

    text: str
    origin: Origin
    start: int = 0
    line: int = 1
    column: int = 1
    byte: int | None = None
    form: Form | None = None
    defects: tuple[str, ...] = ()

    def with_defects(self, defects: tuple[str, ...]) -> Self:
        """Return the same segment with ``defects`` added."""
        return self._replace(defects=(*self.defects, *defects))


class Unread(NamedTuple):
    """A part with text that this program cannot read; ``advice`` names its kind and a program for it."""

    origin: Origin
    advice: str


PARTS = ("text", "html", "headers", "attach")
"""The kinds of parts of a message; ``attach`` is text that the sender attached."""

Quoted = Literal["keep", "skip", "only"]
Signature = Literal["keep", "skip"]


class PartFilter(NamedTuple):
    """Which parts and lines of a message are read.

    ``charset`` is the charset of texts that do not declare one. If ``schemeless`` is true, header
    fields are read even if nothing in them looks like a URL with a scheme.
    """

    parts: frozenset[str] = frozenset(PARTS)
    quoted: Quoted = "keep"
    signature: Signature = "keep"
    charset: str | None = None
    schemeless: bool = False

    @property
    def is_all(self) -> bool:
        """Whether everything is read."""
        return len(self.parts) == len(PARTS) and not self.masks

    @property
    def masks(self) -> bool:
        """Whether some lines of the texts are left out."""
        return self.quoted != "keep" or self.signature != "keep"

    def reads_headers(self) -> bool:
        """Return whether header fields are read; they never count as quoted."""
        return "headers" in self.parts and self.quoted != "only"


EVERYTHING = PartFilter()
