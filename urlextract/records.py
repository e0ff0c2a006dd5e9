"""Immutable values that one stage passes to the next.

Most have a span or an offset, so that a result can be shown in the text that it was found in.
Spans are half-open and count characters of the text of one part. The records that callers receive are in
``results``.

This module does not postpone annotations, and neither do the scanner's modules with named
tuples: each annotation would be a string, and would be compiled at every start.
"""

import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from operator import attrgetter
from typing import Annotated, Any, Literal, NamedTuple, Self, get_args

from msgspec import Meta, Struct, structs

from urlextract.brief import brief
from urlextract.grammar.codes import CUT_DEFECTS, AlternativeCode, DefectCode, RepairCode
from urlextract.grammar.rules import Rule
from urlextract.source_lines import SourceLines


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


@brief
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
        return Span(self[0] + by, self[1] + by) if by else self


def meaning(words: str, *, least: float | None = None, most: float | None = None, **extra: Any) -> Meta:
    """Return what a field of a record means, in words, and its bounds; ``extra`` is what else is known."""
    return Meta(description=words, ge=least, le=most, extra=extra)


class Alternative(Struct, frozen=True, gc=False):
    r"""Another URL that may be meant at the same place, the reason in words, and its code.

    >>> from urlextract import extract
    >>> (other,) = next(extract("see <http://www.w3.org/TR/REC-\nxml>")).alternatives
    >>> other.url, other.reason
    ('http://www.w3.org/TR/RECxml', 'without the hyphen at the line break, which may not belong to the URL')
    >>> other.code is AlternativeCode.OTHER_HYPHENS
    True
    """

    url: Annotated[str, meaning("The URL of another reading.")]
    reason: Annotated[str, meaning("Why it may be the one that was meant, in words.")]
    code: Annotated[AlternativeCode, meaning("The code of the reason.")]

    @classmethod
    def of(cls, url: str, code: AlternativeCode) -> "Alternative":
        """Return the alternative ``url`` with the words of its code as the reason."""
        return cls(url, code.words, code)

    def with_url(self, url: str) -> "Alternative":
        """Return the alternative with another URL."""
        return Alternative(url, self.reason, self.code)


class Repair(Struct, frozen=True, gc=False):
    r"""A change between the text of a place and its URL: its code, and words, which ``str()`` returns.

    >>> from urlextract import extract
    >>> (repair,) = next(extract("<http://a.ex\nample/>")).repairs
    >>> str(repair), repair.code is RepairCode.JOINED_LINES
    ('joined 2 lines', True)
    """

    code: Annotated[RepairCode, meaning("The code of the repair, as in REPAIRS.")]
    words: Annotated[str, meaning("What was done, in words.")]

    def __str__(self) -> str:
        return self.words


REFANGED = Repair(RepairCode.REFANGED, "refanged the URL")
"""The repair of a defanged URL."""


class Defect(Struct, frozen=True, gc=False):
    """A problem of a place: its code, and words, which ``str()`` returns.

    >>> from urlextract import extract
    >>> (defect,) = next(extract("Seehttp://a.example/")).defects
    >>> str(defect), defect.code is DefectCode.GLUED_BEFORE
    ('glued-before', True)
    """

    code: Annotated[DefectCode, meaning("The code of the defect, as in DEFECTS.")]
    words: Annotated[str, meaning("What may be wrong, in words.")]

    @classmethod
    def of(cls, code: DefectCode) -> "Defect":
        """Return the defect that needs no other words than its code."""
        return cls(code, code.value)

    def __str__(self) -> str:
        return self.words


def is_cut(defects: Iterable[Defect]) -> bool:
    """Return whether a part of a URL may be missing, as one of its defects says."""
    return not CUT_DEFECTS.isdisjoint([defect.code for defect in defects])


MAY_CONTINUE = Defect.of(DefectCode.MAY_CONTINUE)
"""The defect of a bare URL that may continue on the next line, but was not joined with it."""

UNDECODABLE = Defect(DefectCode.UNDECODABLE_BYTES, "undecodable bytes")
"""The defect of a text with bytes that are no characters."""

Escapes = Literal["", "entities", "json", "marks", "quoted-printable", "comments"]
"""The escapes in which a text may write a URL.

"marks" are those of man pages, Markdown and LaTeX; "comments" are the "%" of TeX at the end of a line.
"""


class Match(NamedTuple):
    r"""A place in a text: a wrapper, a quotation or a bare run of characters; taken as a URL, or rejected.

    ``span`` is the whole place, with its brackets, ``inner`` the span of ``raw`` in it. ``url`` is the URL
    on one line, with its scheme; it is empty for a place that was rejected. ``rule`` took or rejected it;
    ``detail`` is what its words have in place of "{}", if that is not the name before the colon.

    The other fields tell what is done to ``raw`` to get the URL. ``prefix`` is the quote prefix of the line
    on which the place begins. ``escapes`` is the encoding in which ``raw`` is written. ``also`` are other
    URLs that may be meant. If a bare URL was joined with the next lines, ``one_line`` is its raw text before
    that. If it may continue but was not joined, ``more_lines`` is the raw text of all its lines.
    ``reasons`` is the evidence that it continues. ``added`` is the missing scheme of a host or a mail
    address. ``is_defanged`` is true if ``raw`` is a defanged URL: see `urlextract.grammar.defanged`.
    ``confidence`` is None if it is that of the form.

    >>> from urlextract.scanner.stream import Scanner
    >>> (match,) = Scanner().feed("see <URL:http://a.ex\nample/> and")
    >>> match.span, match.form.value, match.raw, match.url
    (Span(start=4, end=28), 'url-wrapper', 'http://a.ex\nample/', 'http://a.example/')
    """

    span: Span
    form: Form
    raw: str
    inner: Span
    prefix: str = ""
    escapes: Escapes = ""
    defects: tuple[Defect, ...] = ()
    also: tuple[Alternative, ...] = ()
    one_line: str | None = None
    more_lines: str | None = None
    reasons: str = ""
    added: Literal["", "http://", "mailto:"] = ""
    confidence: float | None = None
    is_defanged: bool = False
    detail: str | int = ""
    url: str = ""
    rule: Rule = Rule.MADE_BY_HAND

    def with_more_lines(self) -> Self:
        """Return the match joined with the lines on which it may continue; ``url`` is not changed."""
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

    def without_next_lines(self) -> Self:
        """Return the match as it ends with its line, of a URL that goes on or may; ``url`` is not changed."""
        defects = tuple(defect for defect in self.defects if defect != MAY_CONTINUE)
        alone = self._replace(more_lines=None, one_line=None, reasons="", defects=defects)
        if self.one_line is None:
            return alone
        end = self.inner.start + len(self.one_line)
        span = self.span._replace(end=self.span.end - (self.inner.end - end))
        return alone._replace(raw=self.one_line, inner=self.inner._replace(end=end), span=span)

    def moved(self, by: int) -> "Match":
        """Return the same match, moved by ``by`` characters."""
        if not by:
            return self
        return Match(self.span.moved(by), self.form, self.raw, self.inner.moved(by), *self[4:])


class Rejoined(NamedTuple):
    r"""A URL on one line, rejoined from its raw text, and the repairs that this took.

    ``pieces`` are the spans of the raw text that were kept, counted in characters from its
    start. A single piece means that the URL was not broken.

    >>> from urlextract.linebreaks.joining import rejoin
    >>> from urlextract.scanner.stream import Scanner
    >>> (match,) = Scanner().feed("see <URL:http://a.ex\nample/> and")
    >>> rejoined = rejoin(match)
    >>> rejoined.url, [piece.of(match.raw) for piece in rejoined.pieces]
    ('http://a.example/', ['http://a.ex', 'ample/'])
    """

    url: str
    pieces: tuple[Span, ...]
    repairs: tuple[Repair, ...] = ()
    alternatives: tuple[Alternative, ...] = ()


HEAD_FIELDS = (
    "message_id", "in_reply_to", "thread_id", "date", "date_field", "from_", "to", "newsgroups", "subject",
    "list_id",
)  # fmt: skip
"""The fields of `Found` that the head of the innermost message fills."""


class Head(Struct, frozen=True, dict=True):
    """The head of a message as its records have it: decoded once, when the first record needs it.

    ``read`` returns the values of `HEAD_FIELDS` in ``data``, in this order. ``page`` is the URL of the page,
    in a web archive.
    """

    data: bytes
    read: Callable[[bytes], tuple[str | None, ...]]
    page: str | None = None

    @cached_property
    def values(self) -> tuple[str | None, ...]:
        """The values of `HEAD_FIELDS`, and ``page``."""
        return (*self.read(self.data), self.page)


def _nothing_known(_: bytes) -> tuple[None, ...]:
    return (None,) * len(HEAD_FIELDS)


NO_HEAD = Head(b"", _nothing_known)


class Provenance(Struct, frozen=True, dict=True):
    """Where a text comes from: what all records of the text have in common. What is not known is None.

    Its fields mean the same as the keys of `Found`. ``head`` is that of the innermost message. ``lines`` are
    those of the source on which the text stands, if they are counted.
    """

    source: str | None = None
    message: int | None = None
    offset: int | None = None
    length: int | None = None
    head: Head = NO_HEAD
    title: str | None = None
    part: str | None = None
    header: str | None = None
    media_type: str | None = None
    occurrence: int = 0
    lines: SourceLines | None = None

    @cached_property
    def shared(self) -> tuple[Any, ...]:
        """The values of the last fields of `Found`, from ``source`` on."""
        return (
            self.source, self.message, self.offset, self.length, *self.head.values, self.title, self.part,
            self.header, self.media_type, self.occurrence,
        )  # fmt: skip

    def but(self, **changes: Any) -> "Provenance":
        """Return the same with other values of some fields."""
        return structs.replace(self, **changes)


text_key = attrgetter("part", "header", "occurrence")
"""Return what tells the text of a record, or of a `Provenance`, from the other texts of its message."""


class RawMessage(NamedTuple):
    """The bytes of one message, header and body, and where they come from.

    The first ``verbatim`` bytes are the same in the source, so that their offsets in it are known.
    Of a very large message ``data`` is only the beginning; ``rest`` yields the other bytes, once and
    in order. ``defects`` are added to those of each result of the message.
    """

    data: bytes
    provenance: Provenance
    verbatim: int = sys.maxsize
    rest: Iterator[bytes] | None = None
    defects: tuple[Defect, ...] = ()


class RawText(NamedTuple):
    """The bytes of a text that is not a message, in chunks to be read once and in order.

    ``start`` (in characters), ``line`` and ``byte`` are its place in the source, if it is not the
    beginning of that; ``byte`` is None if it is unknown. ``is_page`` is true for markup. If it
    ``is_followed``, each chunk ends with a line, which is decided as it comes.
    """

    chunks: Iterator[bytes]
    provenance: Provenance
    start: int = 0
    line: int = 1
    byte: int | None = 0
    is_page: bool = False
    is_followed: bool = False


Item = RawMessage | RawText
"""What is read from a source."""


class Segment(NamedTuple):
    """The decoded text of a part of a message, or a piece of a longer text.

    ``start`` is the place in the longer text where the piece begins, in characters. ``byte`` is the
    offset of its first byte in the source, None unless bytes and characters correspond one to one
    (ASCII text, neither encoded nor unfolded). ``form`` is the form of all URLs in the segment; it is
    set only for header fields.
    """

    text: str
    provenance: Provenance
    start: int = 0
    byte: int | None = None
    form: Form | None = None
    defects: tuple[Defect, ...] = ()

    def placed(self, occurrence: int, defects: tuple[Defect, ...]) -> Self:
        """Return the same segment with ``occurrence`` in its provenance, and with ``defects`` added."""
        provenance = self.provenance.but(occurrence=occurrence)
        return self._replace(provenance=provenance, defects=(*self.defects, *defects))


@dataclass(slots=True)
class LongText:
    """A text of a message that is too long to be held: plain, or the markup of a page.

    ``pieces`` yields it once, before the next text of the message is asked for. ``base`` is the URL
    of a page. ``byte`` is the offset of its first byte in the source, None unless it is UTF-8 there.
    """

    pieces: Iterator[str]
    provenance: Provenance
    is_page: bool = False
    base: str | None = None
    byte: int | None = None
    defects: tuple[Defect, ...] = ()

    def placed(self, occurrence: int, defects: tuple[Defect, ...]) -> Self:
        """Return the same text with ``occurrence`` in its provenance, and with ``defects`` added."""
        self.provenance = self.provenance.but(occurrence=occurrence)
        self.defects += defects
        return self


class Unread(NamedTuple):
    """A part with text that this program cannot read; ``advice`` names its kind and a program for it."""

    provenance: Provenance
    advice: str


Part = Literal["text", "html", "headers", "attach"]
"""The kinds of parts of a message; ``attach`` is text that the sender attached."""

PARTS = get_args(Part)
Quoted = Literal["keep", "skip", "only"]
Signature = Literal["keep", "skip"]


SourceFormat = Literal[
    "auto", "text", "html", "xml", "calendar", "csv", "message", "mbox", "rnews", "nntp", "mmdf", "warc",
    "emlx", "maildir", "inbox", "tree",
]  # fmt: skip
"""The formats of sources; "auto" detects the format from the content."""


class PartFilter(NamedTuple):
    """Which parts and lines of a message are read.

    ``charset`` is the charset of texts that do not declare one. If ``schemeless`` is true, header
    fields are read even if nothing in them looks like a URL with a scheme, and so are those with one of the
    schemes ``named``, which no table has; "" stands for any.
    """

    parts: frozenset[str] = frozenset(PARTS)
    quoted: Quoted = "keep"
    signature: Signature = "keep"
    charset: str | None = None
    schemeless: bool = False
    named: frozenset[str] = frozenset()

    @property
    def is_all(self) -> bool:
        """Whether everything is read."""
        return len(self.parts) == len(PARTS) and not self.masks

    @property
    def masks(self) -> bool:
        """Whether some lines of the texts are left out."""
        return self.quoted != "keep" or self.signature != "keep"

    @property
    def reads_pieces_alike(self) -> bool:
        """Whether a piece of a text that is cut at a blank line is read as it is in the whole text."""
        return self._replace(schemeless=False, named=frozenset()) == EVERYTHING

    def reads_headers(self) -> bool:
        """Return whether header fields are read; they never count as quoted."""
        return "headers" in self.parts and self.quoted != "only"


EVERYTHING = PartFilter()


Difference = Literal["path", "host", "brand", "domain", "lookalike"]
"""How the URL in the text of a link differs from its target: see `Found.differs`."""
