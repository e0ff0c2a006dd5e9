"""The records that callers receive: URLs that were found, and places that were rejected.

Only ``pipeline`` makes them.
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
"""How the URL in the text of a link differs from its target: see `Link`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    r"""The HTML attribute that holds a URL, and the text of its element.

    ``element`` and ``attribute`` are names in lower case. ``text`` is the visible text of a link on one
    line, with the ``alt`` texts of its images; of an image it is the ``alt`` text. It is cut at 200
    characters. ``shown`` is the URL, host or mail address in ``text`` if there is nothing else in it,
    otherwise None.

    ``differs`` is how ``shown`` differs from the target of the link. It is None if they are equivalent,
    or if ``shown`` is None:

    - "path": only the parts after the host differ, or one of the two has no host;
    - "host": another host of the same registered domain, or the target is below the shown host;
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    r"""A URL that was found, with its place, its form and its repairs.

    ``url`` is the URL on one line, with its scheme. ``form`` is the form in which the text has it,
    ``raw`` its text there, without the brackets.

    ``span`` is the place with its brackets: half-open, in characters of the text of the part (of the
    markup for HTML). ``line`` and ``column`` are the start of the place, counted from 1. ``byte`` is
    its offset in bytes in the source, None if that is unknown. ``pieces`` are the spans of the pieces
    of a broken URL; it is empty if the URL was not broken.

    ``repairs`` are the changes between ``raw`` and ``url``, ``alternatives`` other URLs that may be
    meant, ``defects`` the problems of the place. ``confidence`` is a number from 0 to 1.

    ``link`` is set if an HTML attribute holds the URL. ``inside`` is the target of the link in whose
    text the URL was found. ``origin`` is where the text comes from. ``context`` is a part of the line
    around the start of the place; only `examine` sets it.

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
        """The start of ``span``, in characters."""
        return self.span.start

    @property
    def end(self) -> int:
        """The end of ``span``, in characters."""
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
        """The URL in the text of the link, None if the text is no URL: see `Link`."""
        return self.link.shown if self.link else None

    @property
    def source(self) -> str | None:
        r"""The name of the source; this property and the next ten are fields of ``origin``.

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
        """The Message-ID of the innermost message that holds the URL."""
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
        """The name of the header field that holds the URL, None for a body."""
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
        """The identifier of the mailing list of that message: RFC 2919."""
        return self.origin.list_id

    @property
    def parsed(self) -> Url:
        """The URL as the result of `parse_url`.

        Raise `UrlSyntaxError` if the URL does not parse.

        >>> from urlextract import extract
        >>> next(extract("see http://example.org/x")).parsed.host
        'example.org'
        """
        from urlextract.schemes.parsing import parse_url  # noqa: PLC0415 - loaded on first use

        return parse_url(self.url)

    @property
    def violations(self) -> tuple[Violation, ...]:
        """The violations of the grammar of the scheme: see `Url.violations`.

        Raise `UrlSyntaxError` if the URL does not parse.

        >>> from urlextract import extract
        >>> [v.message for v in next(extract("<http://example.org/a b>")).violations]
        []
        """
        return self.parsed.violations

    @property
    def warnings(self) -> tuple[Caution, ...]:
        """The cautions about the URL: see `Url.warnings`.

        Raise `UrlSyntaxError` if the URL does not parse.

        >>> from urlextract import extract
        >>> [w.message for w in next(extract("ftp://me:secret@example.org/")).warnings]
        ['a password for everyone to read']
        """
        return self.parsed.warnings


class Draft:
    """A `Found` under construction: it has the same slots, which can be assigned until `frozen` is called.

    The constructor of a frozen dataclass assigns each field through `object.__setattr__`, which
    takes six times as long.
    """

    __slots__ = tuple(each.name for each in fields(Found))
    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any: ...

        def __setattr__(self, name: str, value: Any) -> None: ...

    def frozen(self) -> Found:
        """Turn this object into a `Found`, and return it."""
        self.__class__ = Found  # type: ignore[assignment]
        return cast(Found, self)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rejection:
    """A place that looked like a URL but was rejected, and the reason.

    ``span``, ``form``, ``raw``, ``line``, ``column``, ``origin`` and ``context`` are as in `Found`.
    ``hint`` names the command-line option that would accept the place, None if there is none.

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
