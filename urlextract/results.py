"""The records that callers receive: URLs that were found, places that were rejected, texts of messages.

Only ``pipeline`` makes them. `IndexRun` is what ``index`` returns.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from datetime import datetime
from typing import Any, Literal, NamedTuple, Self

from urlextract.conversion import fields_of_record, record_of
from urlextract.errors import UrlSyntaxError
from urlextract.grammar.codes import CUT_DEFECTS
from urlextract.grammar.rules import Rule
from urlextract.message.fields import fields_of_head
from urlextract.record_keys import Record
from urlextract.records import Alternative, Defect, Form, Link, Origin, Repair, Span, short_repr
from urlextract.schema import record_schema
from urlextract.schemes.cautions import Caution
from urlextract.schemes.checks import Violation
from urlextract.schemes.gateways import unwrapped
from urlextract.schemes.url import Url, host_name_of, normal_form, parse_url


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Found:
    r"""A URL that was found, with its place, its form and its repairs.

    ``url`` is the URL on one line, with its scheme. ``form`` is the form in which the text has it,
    ``raw`` its text there, without the brackets.

    ``span`` is the place with its brackets, quotes and ``URL:``, ``inner`` that of ``raw`` in it.
    Spans are half-open, and count characters of the text of the part (of the markup for HTML; see
    `read_texts`). ``line`` and ``column`` are the start of ``span``, counted from 1. ``byte`` is its
    offset in bytes in the source, None if that is unknown. ``pieces`` are the spans of the pieces of
    ``raw`` that make up the URL: one, or more if it was broken.

    ``repairs`` are the changes between ``raw`` and ``url``, ``alternatives`` other URLs that may be
    meant, the likeliest first, ``defects`` the problems of the place. Repairs and defects are texts
    with a ``code``.

    ``confidence`` is a number from 0 to 1, an estimate that a URL was meant here and was read
    completely: 1.0 for "url-wrapper" and "html-attribute", 0.98 for "angle", 0.95 for "header",
    "quoted" and "prefixed", 0.9 for "bare", 0.75 for "abbreviated", less for hosts without a scheme.
    It is multiplied by 0.9 if there are alternatives, by 0.9 if there are defects, and by 0.7 if one of
    them is "may-continue".

    ``link`` is set if an HTML attribute holds the URL. ``inside`` is the target of the link in whose
    text the URL was found. ``origin`` is where the text comes from.

    ``rewritten`` is the target and the service of a rewritten link if they do not follow from ``url``:
    because the option ``unwrap`` has put the target in ``url`` and ``raw``, or the option ``gateways`` names
    the gateway. ``unwrapped`` and ``wrapped_by`` have them either way.

    ``context`` is the text around the place, from its first line to its last, at most 60 characters
    before it and 120 after it. In text, if nothing else is in these lines but marks of quotations and lists,
    it goes on to the blank lines before and after them, at most 120 characters in whole words; if only URLs
    are there, too, it begins with the paragraph before. ``context_start`` is the start of the context,
    counted as ``span``. They are set by `examine` and its like, and with the argument ``context``. They do
    not count for ``==``, and are not in records (`to_dict`).

    Bytes that are no UTF-8, which a `str` can have as lone surrogates (U+DC80 to U+DCFF), are
    characters of Windows-1252 in ``raw`` and ``url``. In HTML, that character references are decoded
    and references are resolved is no repair.

    >>> from urlextract import extract
    >>> found = next(extract("see <URL:ftp://ds.in\nternic.net/rfc>."))
    >>> found.url, found.line, found.column
    ('ftp://ds.internic.net/rfc', 1, 5)
    >>> found.repairs, found.host
    (('joined 2 lines',), 'ds.internic.net')
    """

    url: str
    form: Form
    span: Span
    inner: Span
    raw: str
    line: int
    column: int
    pieces: tuple[Span, ...]
    byte: int | None = None
    repairs: tuple[Repair, ...] = ()
    alternatives: tuple[Alternative, ...] = ()
    defects: tuple[Defect, ...] = ()
    confidence: float = 1.0
    link: Link | None = None
    inside: str | None = None
    origin: Origin = field(default_factory=Origin)
    rewritten: tuple[str | None, str] | None = None
    context: str | None = field(default=None, repr=False, compare=False)
    context_start: int | None = field(default=None, repr=False, compare=False)

    def __repr__(self) -> str:
        return short_repr(self)

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
        r"""The name of the source; this property and the next 19 are those of ``origin``.

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
    def offset(self) -> int | None:
        """The offset of the message in its source, in bytes."""
        return self.origin.offset

    @property
    def length(self) -> int | None:
        """The size of the message in its source, in bytes."""
        return self.origin.length

    @property
    def message_id(self) -> str | None:
        """The Message-ID of the innermost message that holds the URL."""
        return self.origin.message_id

    @property
    def in_reply_to(self) -> str | None:
        """The Message-ID of the message to which that message is a reply."""
        return self.origin.in_reply_to

    @property
    def thread_id(self) -> str | None:
        """The Message-ID of the first message of its thread."""
        return self.origin.thread_id

    @property
    def date(self) -> str | None:
        """The date of that message in UTC, in ISO 8601; None if its header has no date."""
        return self.origin.date

    @property
    def date_field(self) -> str | None:
        """The Date field of that message, as it was written."""
        return self.origin.date_field

    @property
    def date_time(self) -> datetime | None:
        """The date of that message, with a time zone; None if the header has no date."""
        return self.origin.date_time

    @property
    def from_(self) -> str | None:
        """The author of that message."""
        return self.origin.from_

    @property
    def to(self) -> str | None:
        """The recipients of that message."""
        return self.origin.to

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
    def page(self) -> str | None:
        """The URL of the page that holds the URL, in a web archive."""
        return self.origin.page

    @property
    def title(self) -> str | None:
        """The title of that page, or of a page that is no part of a message."""
        return self.origin.title

    @property
    def occurrence(self) -> int:
        """The number of the text among those of the same part and header, from 0."""
        return self.origin.occurrence

    @property
    def host(self) -> str | None:
        """The host in lower case and with A-labels; None if there is none, or the URL does not parse.

        >>> from urlextract import extract
        >>> [found.host for found in extract("http://BÜCHER.example/ or mailto:joe@a.example")]
        ['xn--bcher-kva.example', None]
        """
        return host_name_of(self.url)

    @property
    def key(self) -> str:
        """What is equal for URLs that are the same: the normal form, or the URL itself if it does not parse.

        ``-u``, `pick` and an index count URLs by it. A fragment is part of it.

        >>> from urlextract import extract
        >>> [found.key for found in extract("http://a.example HTTP://A.example:80/ http://a.example/%61")]
        ['http://a.example/', 'http://a.example/', 'http://a.example/a']
        """
        return normal_form(self.url)

    @property
    def unwrapped(self) -> str | None:
        """The target of the link if a gateway has rewritten it; None if none has, or it cannot be decoded.

        See `unwrap`.

        >>> from urlextract import extract
        >>> found = next(extract("see https://www.google.com/url?q=https://a.example/x&sa=D"))
        >>> found.unwrapped, found.wrapped_by
        ('https://a.example/x', 'Google')
        """
        return self._rewritten()[0]

    def _rewritten(self) -> tuple[str | None, str | None]:
        if self.rewritten:
            return self.rewritten
        found = unwrapped(self.url, is_cut=self.is_cut)
        return (found.url, found.by) if found else (None, None)

    @property
    def is_cut(self) -> bool:
        """Whether a part of the URL may be missing, as a defect says.

        >>> from urlextract import extract
        >>> [found.is_cut for found in extract("http://a.example/b/long/path... or http://a.example/c")]
        [True, False]
        """
        return any(defect.code in CUT_DEFECTS for defect in self.defects)

    @property
    def wrapped_by(self) -> str | None:
        """The name of the service that has rewritten the link, None if none has: see `unwrap`."""
        return self._rewritten()[1]

    def parse(self) -> Url | None:
        """Return the URL as the result of `parse_url`, None if it does not parse.

        >>> from urlextract import extract
        >>> next(extract("see http://example.org/x")).parse()
        HttpUrl('http://example.org/x')
        """
        try:
            return parse_url(self.url)
        except UrlSyntaxError:
            return None

    @property
    def parsed(self) -> Url | None:
        """The result of `parse`."""
        return self.parse()

    @property
    def violations(self) -> tuple[Violation, ...]:
        """The violations of the grammar that the URL fits best; () if it does not parse.

        See `Url.violations`.

        >>> from urlextract import extract
        >>> [v.message for v in next(extract("<http://example.org:99999/>")).violations]
        ['port out of range']
        """
        url = self.parse()
        return url.violations if url else ()

    @property
    def warnings(self) -> tuple[Caution, ...]:
        """The cautions about the URL (see `Url.warnings`); () if it does not parse.

        >>> from urlextract import extract
        >>> [w.message for w in next(extract("ftp://me:secret@example.org/")).warnings]
        ['a password for everyone to read']
        """
        url = self.parse()
        return url.warnings if url else ()

    def to_dict(self, *, parsed: bool = False) -> Record:
        """Return the JSON record of the command: see JSON RECORDS in its manual, and `record_schema`.

        With ``parsed``, it has the components, violations and warnings of the URL, as with ``--parse``.

        >>> from urlextract import extract
        >>> found = next(extract("see <URL:http://example.org/>"))
        >>> record = found.to_dict()
        >>> record["url"], record["start"], record["inner"]
        ('http://example.org/', 4, [9, 28])
        >>> Found.from_dict(record) == found
        True
        """
        return record_of(self, parses=parsed)

    @classmethod
    def from_dict(cls, record: Mapping[str, Any]) -> Self:
        """Return the `Found` of a JSON record, equal to that of which `to_dict` made the record.

        Records of versions 2 and 3 of the list of keys are read, too, and those older than a key that was
        added to a version. Raise `ValueError` if another key is missing, or one has a value of another type
        or from another list.
        """
        return cls(**fields_of_record(record))

    @classmethod
    def __get_pydantic_core_schema__(cls, source: object, handler: object) -> Any:
        """Return how pydantic reads and writes records: as `from_dict` and `to_dict` do."""
        from pydantic_core import core_schema as core

        def read(value: Any) -> Found:
            return value if isinstance(value, cls) else cls.from_dict(value)

        written = core.plain_serializer_function_ser_schema(cls.to_dict)
        return core.no_info_plain_validator_function(read, serialization=written)

    @classmethod
    def __get_pydantic_json_schema__(cls, schema: object, handler: object) -> dict[str, Any]:
        return {name: value for name, value in record_schema().items() if name != "$schema"}


class Draft:
    """A `Found` under construction: it has the same slots, which can be assigned until `frozen` is called.

    The constructor of a frozen dataclass assigns each field through `object.__setattr__`, which
    takes six times as long.
    """

    __slots__ = tuple(each.name for each in fields(Found))

    def frozen(self) -> Found:
        """Turn this object into a `Found`, and return it."""
        self.__class__ = Found  # type: ignore[assignment]
        return self  # type: ignore[return-value]


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Rejection:
    """A place that looked like a URL but was rejected, and the reason.

    ``span``, ``form``, ``raw``, ``line``, ``column``, ``origin`` and ``context`` are as in `Found`.
    ``reason`` is the rule that rejected it in words, ``code`` that rule. ``hint`` names the command-line
    option that would accept the place, None if there is none. ``link`` is the link whose target the place
    is, such as a script; None for any other place.


    >>> from urlextract import examine
        >>> (rejection,) = examine("a <warning: long> line")
    >>> rejection.raw, rejection.reason, rejection.code.value
    ('<warning:', 'no scheme that stands in brackets without "//"', 'not-in-brackets')

    >>> next(examine("see foo://bar")).hint
    '--scheme any takes unregistered schemes'
    """

    span: Span
    form: Form
    raw: str
    code: Rule
    reason: str
    line: int
    column: int
    origin: Origin = field(default_factory=Origin)
    context: str | None = field(default=None, repr=False, compare=False)
    context_start: int | None = field(default=None, repr=False, compare=False)
    hint: str | None = None
    link: Link | None = None

    def __repr__(self) -> str:
        return short_repr(self)


View = Literal["text", "html", "header"]


@dataclass(frozen=True, slots=True, repr=False)
class Message:
    r"""A message of mail or news: all of its bytes, and where they come from.

    ``data`` has the bytes after decompression, without what the format of the source adds to them.
    ``origin`` has ``source``, ``message`` (its number, from 1), ``offset`` and ``length`` (bytes in the
    source). ``is_verbatim`` is true if the bytes there are ``data``; a news server doubles dots.
    ``defects`` are problems of the message in the source.

    >>> from urlextract.results import Message
    >>> message = Message(b"Subject: =?utf-8?Q?caf=C3=A9?=\n\nhi\n")
    >>> message.fields, message.field("subject"), message.field("date")
    ((('Subject', 'café'),), 'café', None)
    """

    data: bytes = field(repr=False)
    origin: Origin = field(default_factory=Origin)
    defects: tuple[Defect, ...] = ()
    is_verbatim: bool = True

    def __repr__(self) -> str:
        return short_repr(self)

    @property
    def offset(self) -> int | None:
        """The offset in the source at which the message begins, in bytes; None if it is not known."""
        return self.origin.offset

    @property
    def length(self) -> int | None:
        """The size of the message in its source, in bytes."""
        return self.origin.length

    @property
    def fields(self) -> tuple[tuple[str, str], ...]:
        """The names and texts of the header fields, in order: unfolded and decoded (RFC 2047)."""
        return tuple(fields_of_head(self.data))

    def field(self, name: str) -> str | None:
        """Return the text of the first field of that name, in any case; None if there is none."""
        if not isinstance(name, str):
            raise TypeError(f"name is {name!r}: it is the name of a header field as a str")
        return next((text for each, text in self.fields if each.lower() == name.lower()), None)


class PartText(NamedTuple):
    r"""A text of a message, and what was found in it: ``text[found.span]`` is the place of each ``found``.

    ``view`` is "header" for a header field, "html" for a page, else "text". ``origin`` is that of
    the results in ``found``.

    >>> from urlextract import read_texts
    >>> for part in read_texts(b"Subject: www.a.example\n\nsee <http://b.ex\nample/>\n"):
    ...     print(part.view, repr(part.text), [found.inner.of(part.text) for found in part.found])
    header 'www.a.example' ['www.a.example']
    text 'see <http://b.ex\nample/>\n' ['http://b.ex\nample/']
    """

    text: str
    origin: Origin
    view: View
    found: tuple[Found, ...] = ()

    @property
    def media_type(self) -> str | None:
        """The media type of the part, in lower case; None for a header field."""
        return self.origin.media_type


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexRun:
    """What a call of `index_sources` has read.

    ``messages`` is the number of messages, ``places`` that of the places with URLs that were added,
    ``urls`` that of the URLs that the index has more than before, and ``damaged`` that of the errors in
    sources. ``gone`` are the paths of sources that are no longer there, and of folders that have lost
    messages: what the index has of them stays, unless it is to be pruned.
    """

    messages: int = 0
    places: int = 0
    urls: int = 0
    damaged: int = 0
    gone: tuple[str, ...] = ()
