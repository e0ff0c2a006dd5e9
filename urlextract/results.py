"""What a caller gets: a URL that was found, or a place that was turned down, with all that is known.

The last of the values that pass along the path, made by ``pipeline`` alone.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, Literal, cast

from urlextract.records import Alternative, Form, Origin, Span

if TYPE_CHECKING:
    from urlextract.schemes.validation import Caution, Violation
    from urlextract.schemes.value import Url

__all__ = ["Difference", "Draft", "Found", "Link", "Rejection"]

Difference = Literal["path", "host", "brand", "domain", "lookalike"]
"""How the URL that a link shows differs from the one it leads to: see `Link`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    r"""The attribute of HTML that holds a URL, and what its element shows.

    ``element`` and ``attribute`` are names in lower case; ``text`` is what a reader sees of a link, in one
    line, at most 200 characters, with what images in it show instead; of an image that is its ``alt``.
    ``shown`` is that text if it is a URL, a host or a mail address and nothing else. ``differs`` is None
    if the link leads there; else the difference: another "path"; another "host" of the registered domain;
    a domain of the same name elsewhere ("brand": amazon.com, amazon.de); another "domain"; or a "lookalike",
    another domain whose name looks like it.

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


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    r"""A URL and all that is known of how it was found.

    ``url`` is what one would type. ``span`` counts characters in the text of its
    part, ``byte`` is the offset in the source where the two correspond one to
    one, ``line`` and ``column`` count from 1. ``context`` is the line on which it
    begins, as far as it is needed to show the place; `examine` alone gives it. ``link``
    says which attribute of HTML held it, ``inside`` which other URL the link leads to in whose text
    it stands.

    >>> from urlextract import extract
    >>> found = next(extract("see <URL:ftp://ds.in\nternic.net/rfc>."))
    >>> found.url, found.line, found.column
    ('ftp://ds.internic.net/rfc', 1, 5)
    >>> found.repairs
    ('joined 2 lines',)
    """

    url: str
    form: Form
    span: Span
    raw: str
    line: int
    column: int
    byte: int | None = None
    pieces: tuple[Span, ...] = ()
    repairs: tuple[str, ...] = ()
    alternatives: tuple[Alternative, ...] = ()
    defects: tuple[str, ...] = ()
    confidence: float = 1.0
    link: Link | None = None
    inside: str | None = None
    origin: Origin = field(default_factory=Origin)
    context: str | None = field(default=None, repr=False, compare=False)

    @property
    def start(self) -> int:
        """Where the place begins, in characters."""
        return self.span.start

    @property
    def end(self) -> int:
        """Where the place ends, in characters."""
        return self.span.end

    @property
    def scheme(self) -> str:
        """The scheme, in lower case.

        >>> from urlextract import extract
        >>> [found.scheme for found in extract("see HTTP://example.org/")]
        ['http']
        """
        return self.url.partition(":")[0].lower()

    @property
    def shown(self) -> str | None:
        """The URL that the text of the link is, None if it is none: see `Link`."""
        return self.link.shown if self.link else None

    @property
    def source(self) -> str | None:
        r"""The name of the source; this and the next ten are those of ``origin``.

        >>> from urlextract import extract_message
        >>> found = next(extract_message(b"Message-ID: <1@a.example>\n\nsee http://a.example/"))
        >>> found.source, found.message, found.message_id, found.part
        (None, 1, '<1@a.example>', '1')
        """
        return self.origin.source

    @property
    def message(self) -> int | None:
        """The number of the message in its source."""
        return self.origin.message

    @property
    def message_id(self) -> str | None:
        """The Message-ID of the innermost message that holds it."""
        return self.origin.message_id

    @property
    def date(self) -> str | None:
        """The date of that message."""
        return self.origin.date

    @property
    def from_(self) -> str | None:
        """The author of that message."""
        return self.origin.from_

    @property
    def newsgroups(self) -> str | None:
        """The newsgroups of that message."""
        return self.origin.newsgroups

    @property
    def part(self) -> str | None:
        """The path of the part in the outermost message, such as ``1.2``."""
        return self.origin.part

    @property
    def header(self) -> str | None:
        """The name of the header field in which it stood."""
        return self.origin.header

    @property
    def media_type(self) -> str | None:
        """The media type of that part, in lower case."""
        return self.origin.media_type

    @property
    def subject(self) -> str | None:
        """The subject of that message."""
        return self.origin.subject

    @property
    def list_id(self) -> str | None:
        """The identifier of the list through which that message came: RFC 2919."""
        return self.origin.list_id

    @property
    def parsed(self) -> Url:
        """The value of the URL's scheme, made on first use.

        Raises `UrlSyntaxError` where the text found does not parse.

        >>> from urlextract import extract
        >>> next(extract("see http://example.org/x")).parsed.host
        'example.org'
        """
        from urlextract.schemes.parsing import parse_url  # noqa: PLC0415 - only who asks pays

        return parse_url(self.url)

    @property
    def violations(self) -> tuple[Violation, ...]:
        """Where the URL departs from the grammar of its scheme; raises as ``parsed`` does.

        >>> from urlextract import extract
        >>> [v.message for v in next(extract("<http://example.org/a b>")).violations]
        []
        """
        return self.parsed.violations

    @property
    def warnings(self) -> tuple[Caution, ...]:
        """What to be wary of in the URL; raises as ``parsed`` does.

        >>> from urlextract import extract
        >>> [w.message for w in next(extract("ftp://me:secret@example.org/")).warnings]
        ['a password for everyone to read']
        """
        return self.parsed.warnings


class Draft:
    """A `Found` under construction: the same slots, but open to assignment until `frozen`.

    The constructor of a frozen dataclass assigns each field through `object.__setattr__`, which
    takes six times as long.
    """

    __slots__ = tuple(each.name for each in fields(Found))
    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any: ...

        def __setattr__(self, name: str, value: Any) -> None: ...

    def frozen(self) -> Found:
        """Return the record, to which nothing can be assigned any more."""
        self.__class__ = Found  # type: ignore[assignment]
        return cast(Found, self)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rejection:
    """A place that was turned down, and why; ``hint`` names the option that would take it, if there is one.

    >>> from urlextract import examine
    >>> [(r.raw, r.reason) for r in examine("a <warning: long> line")]
    [('<warning:', 'no scheme that stands in brackets without "//"')]
    >>> next(examine("see foo://bar")).hint
    '--scheme any takes unregistered schemes'
    """

    span: Span
    form: Form
    raw: str
    reason: str
    line: int
    column: int
    origin: Origin = field(default_factory=Origin)
    context: str | None = field(default=None, repr=False, compare=False)
    hint: str | None = None
