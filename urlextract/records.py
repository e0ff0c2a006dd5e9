"""Values that pass from stage to stage: small, frozen, complete.

Each keeps its place, so that any result can be shown in the text it came from.
Spans are half-open and count characters of the text of one part. They are tuples,
for they are made by the hundred thousand; what a caller gets is in ``results``.

Annotations are not postponed here, nor where the scanner keeps such tuples: each that is
a text would be compiled at every start.
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
    """How a URL stood in its text.

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
        """Cut this range out of ``text``."""
        return text[self.start : self.end]

    def moved(self, by: int) -> "Span":
        """Return the same range, ``by`` characters further on."""
        return Span(self.start + by, self.end + by)


class Alternative(NamedTuple):
    """Another reading of the same place, and why it may be meant."""

    url: str
    reason: str


MAY_CONTINUE = "may-continue"
"""The defect of a bare URL that may go on in the next line, but was not joined with it."""

Escapes = Literal["", "entities", "json", "marks", "quoted-printable"]
"""The ways to write a URL that change its characters: those of markup, JSON, man pages and the like."""


class Candidate(NamedTuple):
    """What stood in one wrapper, or one bare run: not yet rejoined or parsed.

    ``span`` is the whole place with its brackets, ``inner`` that of ``raw`` in
    it. ``prefix`` is the quote prefix of the line on which it opens. ``escapes``
    names those in which ``raw`` is written. ``one_line`` is the raw text of the first
    line of a bare URL that was joined with the next ones; ``more_lines`` that of all
    lines of one that may go on but was not joined. ``reasons`` are the evidence. ``added``
    is what a host or an address without a scheme lacks, ``confidence`` that of the form
    where it is None.
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
        """Return the candidate joined with the next lines, as which it may go on."""
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
        """Return the same candidate ``by`` characters further on."""
        return self._replace(span=self.span.moved(by), inner=self.inner.moved(by)) if by else self


class InDoubt(str):
    """A URL, where URLs alone are asked for, that may go on in the next line: ``joined`` is the whole."""

    __slots__ = ("joined",)
    joined: str

    @classmethod
    def of(cls, url: str, joined: str) -> Self:
        """Return ``url``, with the whole."""
        value = cls(url)
        value.joined = joined
        return value


class Refusal(NamedTuple):
    """A place that looked like a URL and was turned down, and why.

    ``joined`` is the URL that all of it would be: another reading of the one that is found in it.
    """

    span: Span
    form: Form
    raw: str
    reason: str
    joined: str | None = None

    def moved(self, by: int) -> Self:
        """Return the same refusal ``by`` characters further on."""
        return self._replace(span=self.span.moved(by)) if by else self


class Rejoined(NamedTuple):
    """One line of text made of a broken one, and what was done to it.

    ``pieces`` are the ranges of the raw text that were kept, in characters from
    its start; one piece means that nothing was broken.
    """

    url: str
    pieces: tuple[Span, ...]
    repairs: tuple[str, ...] = ()
    alternatives: tuple[Alternative, ...] = ()


class Origin(NamedTuple):
    """Where a text came from; every field but ``source`` may be unknown.

    ``offset`` is the byte at which the message begins in its source. ``message_id``, ``date``, ``from_``,
    ``newsgroups``, ``subject`` and ``list_id`` (the identifier of RFC 2919, without its brackets) are those
    of the innermost message; none is trusted: they are decoded text as the sender wrote it. ``part`` is
    the path of the part in the outermost one, such as ``1.2`` (RFC 3501, section 6.4.5), ``media_type`` its
    type in lower case, such as ``text/html``; ``header`` is the name of the header field of it, or of
    the message, if it stood in one.
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
    """The bytes of one message, headers and body, and where they came from.

    The first ``verbatim`` of them stand in the source as they are. Of a very large
    message ``data`` is the beginning; ``rest`` gives what follows, once and in order.
    ``defects`` are those of all that is found in it.
    """

    data: bytes
    origin: Origin
    verbatim: int = sys.maxsize
    rest: Iterator[bytes] | None = None
    defects: tuple[str, ...] = ()

    def alone(self) -> "RawMessages":
        """Return the message as one of many, of which there are no others."""
        origin = self.origin
        spans = [(0, len(self.data))]
        return RawMessages(self.data, spans, origin.source or "", origin.message or 0, origin.offset or 0)


class RawMessages(NamedTuple):
    """Whole messages that stand one after the other in ``data``, each at one of ``spans``.

    ``offset`` is that of the first byte of ``data`` in the source, ``number`` that of
    the first message. Messages that are a source each have their ``names``.
    """

    data: bytes
    spans: list[tuple[int, int]]
    source: str
    number: int
    offset: int
    names: list[str] | None = None

    def message(self, index: int) -> RawMessage:
        """Return one of the messages."""
        start, end = self.spans[index]
        if self.names is not None:
            return RawMessage(self.data[start:end], Origin(self.names[index], 1, 0))
        return RawMessage(self.data[start:end], Origin(self.source, self.number + index, self.offset + start))


class RawText(NamedTuple):
    """Bytes of text that is no message, in pieces, to be read once and in order.

    Where it is not the beginning, ``start``, ``line`` and ``byte`` say where it stands.
    ``is_page`` says that it is HTML.
    """

    chunks: Iterator[bytes]
    origin: Origin
    start: int = 0
    line: int = 1
    byte: int | None = 0
    is_page: bool = False


Item = RawMessages | RawMessage | RawText
"""What sources give."""


class Segment(NamedTuple):
    """Decoded text of one part of a message, or a stretch of it.

    ``start``, ``line`` and ``column`` say where the stretch begins in the text of
    its part. ``byte`` is the offset in the source of its first byte where bytes and
    characters correspond one to one (ASCII text, neither encoded nor unfolded).
    ``form`` is set where every URL has that form: a header field.
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
        """Return the same segment with more defects."""
        return self._replace(defects=(*self.defects, *defects))


class Unread(NamedTuple):
    """A part that holds text which is not read here; ``advice`` says what it is, and what reads it."""

    origin: Origin
    advice: str


PARTS = ("text", "html", "headers", "attach")
"""The kinds of parts of a message: ``attach`` are texts that the sender attached."""

Quoted = Literal["keep", "skip", "only"]
Signature = Literal["keep", "skip"]


class PartFilter(NamedTuple):
    """What of a message is read; ``charset`` is that of texts which name none.

    With ``schemeless``, header fields without the sign of a URL are read, too.
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
        """Whether some lines of texts are not read."""
        return self.quoted != "keep" or self.signature != "keep"

    def reads_headers(self) -> bool:
        """Whether header fields are read; they are not quoted."""
        return "headers" in self.parts and self.quoted != "only"


EVERYTHING = PartFilter()
