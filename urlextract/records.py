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


class Match(NamedTuple):
    r"""A place in a text that was taken as a URL: a wrapper, a quotation, or a bare run of characters.

    ``start:end`` is the whole place, with its brackets; ``first:stop`` is ``raw`` in it, the URL as it is
    written. ``url`` is the URL on one line, with its scheme. ``prefix`` is the quote prefix of its first
    line, None if it is not broken. ``others`` are URLs that may be meant, but for those that follow from
    the breaks; ``repairs`` in the same way. ``pieces`` are None if they follow from the breaks, too: only
    what was found in a copy of the text has its own, counted from ``first``. ``other_end`` is where a bare
    URL ends if it is joined with its next lines but should not be, or the other way round; 0 if there is no
    such doubt. ``confidence`` is None if it is that of the form.

    >>> from urlextract.scanner.scan import scan
    >>> (match,) = scan("see <URL:http://a.ex\nample/> and")
    >>> match.span, match.form.value, match.raw, match.url
    (Span(start=4, end=28), 'url-wrapper', 'http://a.ex\nample/', 'http://a.example/')
    """

    start: int
    end: int
    first: int
    stop: int
    form: Form
    raw: str
    url: str
    prefix: str | None = None
    others: tuple[Alternative, ...] = ()
    defects: tuple[Defect, ...] = ()
    repairs: tuple[Repair, ...] = ()
    pieces: tuple[Span, ...] | None = None
    other_end: int = 0
    confidence: float | None = None

    @property
    def span(self) -> Span:
        """The whole place."""
        return Span(self.start, self.end)

    @property
    def inner(self) -> Span:
        """The place of ``raw``."""
        return Span(self.first, self.stop)

    def moved(self, by: int) -> "Match":
        """Return the same match, moved by ``by`` characters."""
        if not by:
            return self
        other_end = self.other_end + by if self.other_end else 0
        return self._replace(
            start=self.start + by, end=self.end + by, first=self.first + by, stop=self.stop + by,
            other_end=other_end,
        )  # fmt: skip


class Refusal(NamedTuple):
    """A place in a text that looked like a URL, and why it is none, in words.

    ``hint`` names the option that would accept it, None if there is none.
    """

    start: int
    end: int
    form: Form
    raw: str
    reason: str
    hint: str | None = None

    @property
    def span(self) -> Span:
        """The whole place."""
        return Span(self.start, self.end)

    @property
    def inner(self) -> Span:
        """The same."""
        return self.span

    @property
    def url(self) -> str:
        """Nothing: what has a URL is a `Match`."""
        return ""

    def moved(self, by: int) -> "Refusal":
        """Return the same refusal, moved by ``by`` characters."""
        return self._replace(start=self.start + by, end=self.end + by)


class Rejoined(NamedTuple):
    r"""A URL on one line, rejoined from its raw text, and the repairs that this took.

    ``pieces`` are the spans of the raw text that were kept, counted in characters from its
    start. A single piece means that the URL was not broken.

    >>> from urlextract.linebreaks.joining import readings
    >>> from urlextract.scanner.scan import scan
    >>> (match,) = scan("see <URL:http://a.ex\nample/> and")
    >>> rejoined = readings(match)
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

    Its fields mean the same as the keys of `Found`. ``head`` is that of the innermost message.
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
    """A text of a message in pieces: the markup of a page, or a plain one that is too long to be held.

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
    schemes ``named``, which no table has; "" stands for any. If it ``keeps_lines``, none is left out yet: who
    explains reads them.
    """

    parts: frozenset[str] = frozenset(PARTS)
    quoted: Quoted = "keep"
    signature: Signature = "keep"
    charset: str | None = None
    schemeless: bool = False
    named: frozenset[str] = frozenset()
    keeps_lines: bool = False

    @property
    def masks(self) -> bool:
        """Whether some lines of the texts are left out."""
        return not self.keeps_lines and (self.quoted != "keep" or self.signature != "keep")

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
