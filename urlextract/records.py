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
from dataclasses import MISSING, dataclass, fields, is_dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any, Literal, NamedTuple, Self, final, get_args

from urlextract.dates import moment_of_field, utc_of_field
from urlextract.grammar.codes import AlternativeCode, DefectCode, RepairCode
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


def short_repr(value: Any) -> str:
    """Return the `repr` of a value with fields, without those that have their defaults.

    >>> Origin(part="1")
    Origin(part='1')
    """
    if is_dataclass(value):
        rows = [(each.name, each.default, each.default_factory) for each in fields(value) if each.repr]
        defaults = {name: make() if callable(make) else default for name, default, make in rows}
    else:
        defaults = {name: value._field_defaults.get(name, MISSING) for name in value._fields}
    said = {name: getattr(value, name) for name in defaults}
    shown = ", ".join(
        f"{name}={field!r}"
        for name, field in said.items()
        if defaults[name] is MISSING or field != defaults[name]
    )
    return f"{type(value).__name__}({shown})"


class Alternative(NamedTuple):
    r"""Another URL that may be meant at the same place, the reason in words, and its kind.

    >>> from urlextract import extract
    >>> (other,) = next(extract("see <http://www.w3.org/TR/REC-\nxml>")).alternatives
    >>> other.url, other.reason
    ('http://www.w3.org/TR/RECxml', 'without the hyphen at the line break, which may not belong to the URL')
    >>> other.code is AlternativeCode.OTHER_HYPHENS
    True
    """

    url: str
    reason: str
    code: AlternativeCode

    @classmethod
    def of(cls, url: str, code: AlternativeCode) -> "Alternative":
        """Return the alternative ``url`` with the words of its code as the reason."""
        return cls(url, code.words, code)


class Repair(str):
    r"""A change between the text of a place and its URL, in words; ``code`` is its kind.

    >>> from urlextract import extract
    >>> (repair,) = next(extract("<http://a.ex\nample/>")).repairs
    >>> str(repair), repair.code is RepairCode.JOINED_LINES
    ('joined 2 lines', True)
    """

    __slots__ = ("code",)
    code: RepairCode

    def __new__(cls, code: RepairCode | str, words: str) -> Self:
        """Return a repair; raise `ValueError` for an unknown code."""
        value = super().__new__(cls, words)
        value.code = RepairCode(code)
        return value

    def __reduce__(self) -> "tuple[type[Repair], tuple[RepairCode, str]]":
        return type(self), (self.code, str(self))


REFANGED = Repair(RepairCode.REFANGED, "refanged the URL")
"""The repair of a defanged URL."""


class Defect(str):
    """A problem of a place, in words; ``code`` is its kind.

    >>> from urlextract import extract
    >>> (defect,) = next(extract("Seehttp://a.example/")).defects
    >>> str(defect), defect.code is DefectCode.GLUED_BEFORE
    ('glued-before', True)
    """

    __slots__ = ("code",)
    code: DefectCode

    def __new__(cls, code: DefectCode | str, words: str = "") -> Self:
        """Return a defect, by default with its code as words; raise `ValueError` for an unknown code."""
        value = super().__new__(cls, words or code)
        value.code = DefectCode(code)
        return value

    def __reduce__(self) -> "tuple[type[Defect], tuple[DefectCode, str]]":
        return type(self), (self.code, str(self))


MAY_CONTINUE = Defect(DefectCode.MAY_CONTINUE)
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


class Origin(NamedTuple):
    r"""Where a text comes from; a field that is unknown is None.

    ``source`` is the name of the source, ``message`` the number of the message in it, counted from 1.
    ``offset`` is the offset in bytes at which the message begins in its source, ``length`` its size in
    bytes there; that of a message too large for memory is not known.

    ``message_id``, ``date_field``, ``from_``, ``to``, ``newsgroups``, ``subject`` and ``list_id`` (the
    identifier of RFC 2919, without its brackets) are header fields of the innermost message. They are
    decoded, but otherwise as the sender wrote them: do not trust them. ``in_reply_to`` is the Message-ID of
    the message to which it is a reply, ``thread_id`` that of the first message of the thread: its own if it
    is no reply. Of a record in a web archive, ``message_id`` is its WARC-Record-ID, ``date_field`` its
    WARC-Date, and ``page`` the URL of the page that it holds. ``title`` is that of such a page, or of a page
    that is no part of a message.

    ``part`` is the path of the part in the outermost message, such as ``1.2`` (RFC 3501, section 6.4.5).
    ``media_type`` is the type of the part in lower case, such as ``text/html``. ``header`` is the name of
    the header field that the text is from, None for a body. ``occurrence`` is the number of the text
    among those of the same part and header, from 0: more than 0 only for repeated fields, and for text
    after the parts of a multipart. So spans of results with equal origins count in the same text.
    ``lines`` are those of the source on which the text stands, if they are counted.

    >>> from urlextract import extract_message
    >>> origin = next(extract_message(b"Subject: tides\n\nsee http://a.example/")).origin
    >>> origin.message, origin.subject, origin.part, origin.media_type
    (1, 'tides', '1', 'text/plain')
    """

    source: str | None = None
    message: int | None = None
    offset: int | None = None
    message_id: str | None = None
    date_field: str | None = None
    from_: str | None = None
    newsgroups: str | None = None
    part: str | None = None
    header: str | None = None
    media_type: str | None = None
    subject: str | None = None
    list_id: str | None = None
    to: str | None = None
    length: int | None = None
    occurrence: int = 0
    lines: SourceLines | None = None
    in_reply_to: str | None = None
    thread_id: str | None = None
    page: str | None = None
    title: str | None = None

    def __repr__(self) -> str:
        return short_repr(self)

    @property
    def date(self) -> str | None:
        """The point in time of ``date_field`` in UTC, in ISO 8601; None if it is no date.

        >>> Origin(date_field="Mon, 14 Nov 1994 09:12:31 +0100").date
        '1994-11-14T08:12:31Z'
        """
        return utc_of_field(self.date_field) if self.date_field else None

    @property
    def date_time(self) -> "datetime | None":
        """The point in time of ``date_field``, with a time zone; None if it is no date (RFC 5322, 3.3).

        >>> Origin(date_field="Mon, 14 Nov 1994 09:12:31 +0100").date_time.isoformat()
        '1994-11-14T09:12:31+01:00'
        """
        return moment_of_field(self.date_field) if self.date_field else None


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
    defects: tuple[Defect, ...] = ()


class RawText(NamedTuple):
    """The bytes of a text that is not a message, in chunks to be read once and in order.

    ``start`` (in characters), ``line`` and ``byte`` are its place in the source, if it is not the
    beginning of that; ``byte`` is None if it is unknown. ``is_page`` is true for markup. If it
    ``is_followed``, each chunk ends with a line, which is decided as it comes.
    """

    chunks: Iterator[bytes]
    origin: Origin
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
    origin: Origin
    start: int = 0
    byte: int | None = None
    form: Form | None = None
    defects: tuple[Defect, ...] = ()

    def placed(self, occurrence: int, defects: tuple[Defect, ...]) -> Self:
        """Return the same segment with ``occurrence`` in its origin, and with ``defects`` added."""
        origin = self.origin._replace(occurrence=occurrence)
        return self._replace(origin=origin, defects=(*self.defects, *defects))


@dataclass(slots=True)
class LongText:
    """A text of a message that is too long to be held: plain, or the markup of a page.

    ``pieces`` yields it once, before the next text of the message is asked for. ``base`` is the URL
    of a page. ``byte`` is the offset of its first byte in the source, None unless it is UTF-8 there.
    """

    pieces: Iterator[str]
    origin: Origin
    is_page: bool = False
    base: str | None = None
    byte: int | None = None
    defects: tuple[Defect, ...] = ()

    def placed(self, occurrence: int, defects: tuple[Defect, ...]) -> Self:
        """Return the same text with ``occurrence`` in its origin, and with ``defects`` added."""
        self.origin = self.origin._replace(occurrence=occurrence)
        self.defects += defects
        return self


class Unread(NamedTuple):
    """A part with text that this program cannot read; ``advice`` names its kind and a program for it."""

    origin: Origin
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

    @property
    def reads_pieces_alike(self) -> bool:
        """Whether a piece of a text that is cut at a blank line is read as it is in the whole text."""
        return self._replace(schemeless=False) == EVERYTHING

    def reads_headers(self) -> bool:
        """Return whether header fields are read; they never count as quoted."""
        return "headers" in self.parts and self.quoted != "only"


EVERYTHING = PartFilter()


Difference = Literal["path", "host", "brand", "domain", "lookalike"]
"""How the URL in the text of a link differs from its target: see `Link`."""


@final
@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Link:
    r"""The HTML attribute that holds a URL, and the text of its element.

    ``element`` and ``attribute`` are names in lower case. ``text`` is the text of a link on one line, without
    what its own tags hide, or the ``alt`` texts of its images if there is no other; of an image it is the
    ``alt`` text. It is cut at 200 characters. ``shown`` is the URL, host or mail address in ``text`` if there
    is nothing else in it, otherwise None.

    ``differs`` is how ``shown`` differs from the target of the link. It is None if they are equivalent,
    or if ``shown`` is None:

    - "path": only the parts after the host differ, or one of the two has no host;
    - "host": another host of the same registered domain, or another port, or the target is below the
      shown host;
    - "brand": the same name under another public suffix, such as amazon.com and amazon.de;
    - "lookalike": another domain with a similar name;
    - "domain": any other domain.

    >>> from urlextract import extract_message
    >>> page = b"Content-Type: text/html\n\n<a href='http://evil.example/'>www.bank.example</a>"
    >>> link = next(extract_message(page)).link
    >>> link.element, link.shown, link.differs
    ('a', 'www.bank.example', 'domain')
    """

    element: str
    attribute: str
    text: str = ""
    shown: str | None = None
    differs: Difference | None = None

    def __repr__(self) -> str:
        return short_repr(self)
