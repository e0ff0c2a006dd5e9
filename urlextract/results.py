"""The records that callers receive: URLs that were found, places that were rejected, texts of messages.

The fields of `Found` are the keys of a JSON line: what prints, stores or describes records has them from it.
Only ``pipeline`` makes records. `IndexRun` is what ``index`` returns.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated, Any, Final, Literal, Self

import msgspec
from msgspec import Struct

from urlextract.arguments import check_type, rows_of
from urlextract.brief import BriefStruct
from urlextract.errors import UrlSyntaxError
from urlextract.grammar.domains import registered_domain
from urlextract.message.fields import fields_of_head
from urlextract.records import Alternative, Defect, Difference, Form, Repair, Span, meaning
from urlextract.schemes.cautions import Caution
from urlextract.schemes.checks import Violation
from urlextract.schemes.url import Url, normal_form, parse_url

SCHEMA_VERSION: Final = 5
"""The version of the list of keys."""


# fmt: off
class Found(Struct, metaclass=BriefStruct, frozen=True, repr_omit_defaults=True, rename={"from_": "from"}):
    r"""A URL that was found: its fields are the keys of a line of ``urlextract -j``, in the same order.

    It says which URL (``url`` to ``host``), where (``start`` to ``context``), how it was read (``repairs`` to
    ``confidence``), of which link (``element`` to ``wrapped_by``), what is odd about the URL (``violations``
    to ``parsed``, with ``parse=True``), and in which text (``source`` to ``occurrence``); None is not known.
    `schema` has the meaning of each, as JSON RECORDS in the manual.

    Spans are half-open, and count characters of the text of the part (see `read_texts`); ``byte``, ``offset``
    and ``length`` count bytes.

    ``msgspec.json``, ``pickle``, ``copy.replace`` and pydantic take a record as it is; ``json``, pandas and
    polars take `to_dict()`. Only ``json`` can encode a file's name that is no Unicode.

    >>> from urlextract import extract
    >>> found = next(extract("see <URL:ftp://ds.in\nternic.net/rfc>."))
    >>> found.url, found.host, str(found.repairs[0])
    ('ftp://ds.internic.net/rfc', 'ds.internic.net', 'joined 2 lines')
    """

    v: Annotated[Literal[5], meaning("The version of this list of keys: 5.")]
    url: Annotated[str, meaning("The URL in one line, as one would type it.", column=6)]
    form: Annotated[Form, meaning("How the URL was written: a value of --form.", column=9, is_of_place=True)]
    scheme: Annotated[str, meaning("The scheme of url, in lower case, without its colon.", column=7)]
    host: Annotated[str | None, meaning(
        "The host of url in lower case, with A-labels (RFC 5890). Null if there is none, or url does not "
        "parse.", column=8)]
    start: Annotated[int, meaning(
        "The place of the first character, brackets, quotes and URL: included. In characters.", least=0,
        is_of_place=True)]
    end: Annotated[int, meaning(
        "The place after the last character, brackets and quotes included. In characters.", least=0,
        is_of_place=True)]
    inner: Annotated[Span, meaning(
        "The places of the first character of raw, and after its last one. In characters, as start.")]
    byte: Annotated[int | None, meaning(
        "The offset of start in the source, after decompression, in bytes. Null if the bytes of the "
        "source do not correspond to the text.", is_of_place=True)]
    line: Annotated[int, meaning(
        "The number of the line of start, in the same text, from 1.", least=1, column=4, is_of_place=True)]
    column: Annotated[int, meaning(
        "The number of the character in that line, from 1. A tab counts as one.", least=1, column=5,
        is_of_place=True)]
    raw: Annotated[str, meaning(
        "The URL as it was written, with line ends, blanks and quote prefixes, without the brackets. In a "
        "header field, after unfolding.")]
    pieces: Annotated[tuple[Span, ...], meaning(
        "The pieces of text that the URL consists of, each a list of start and end: one, or more if it "
        "was broken. In characters, as start.")]
    context: Annotated[str | None, meaning(
        "The text around the place: its lines or, if it is alone in them, the paragraph, at most some "
        "hundred characters. Null unless it was asked for: by --fields context, an index, or the "
        "library's option context.")] = None
    repairs: Annotated[tuple[Repair, ...], meaning(
        "What was done to get url from raw: see REPAIRS. Empty if nothing was.")] = ()
    defects: Annotated[tuple[Defect, ...], meaning(
        "What may be wrong with the URL: see DEFECTS. Empty if nothing is.", column=14)] = ()
    alternatives: Annotated[tuple[Alternative, ...], meaning(
        "Other readings of the same place, the likeliest first. Empty if there are none.")] = ()
    confidence: Annotated[float, meaning(
        "How sure the reading is, from 0 to 1: see CONFIDENCE.", least=0, most=1, column=10)] = 1.0
    element: Annotated[str | None, meaning(
        "The element of HTML whose attribute has the URL, in lower case. Null for all other forms, as the "
        "next four keys.")] = None
    attribute: Annotated[str | None, meaning("The attribute that has the URL, in lower case.")] = None
    text: Annotated[str | None, meaning(
        "What the element shows, in one line of at most 200 characters: the text of a link, the alt of an "
        "image. Empty if it shows nothing.", column=11)] = None
    shown: Annotated[str | None, meaning(
        "The text of the link, if it is a URL, a mail address, or a host that begins with www. or ftp. or "
        "ends in a top-level domain, and nothing else.", column=12)] = None
    differs: Annotated[Difference | None, meaning(
        "How the URL that is shown differs from the target: path, host, brand, domain or lookalike (see "
        "HTML). Null if it leads there, or shows no URL.", column=13)] = None
    inside: Annotated[str | None, meaning(
        "The target of the link in whose text the URL is, if that is another one.")] = None
    unwrapped: Annotated[str | None, meaning(
        "The target of url, if url is a link that a gateway has rewritten: see GATEWAYS. Null if it is "
        "none, or the target cannot be decoded. With --unwrap it is the same as url.")] = None
    wrapped_by: Annotated[str | None, meaning(
        "The name of the service that has rewritten the link. Null if none has.")] = None
    violations: Annotated[tuple[Violation, ...] | None, meaning(
        "Departures from the grammar that the URL fits best, of those of its scheme. Null without "
        "--parse, as warnings and parsed.")] = None
    warnings: Annotated[tuple[Caution, ...] | None, meaning(
        "What is allowed, but unsafe or deceptive: a password, a port of another service, a number as a "
        "host, letters that look like others, invisible characters, a host that cannot exist.")] = None
    parsed: Annotated[dict[str, Any] | None, meaning(
        "The components of the URL, by the names below. Null without --parse, and if the URL does not "
        "parse.")] = None
    source: Annotated[str | None, meaning(
        "The name of the file, - for standard input. A member of an archive has the name of the archive, "
        "a slash and its own name. Null in records that the library made of a text in memory.",
        column=0, is_of_place=True)] = None
    message: Annotated[int | None, meaning(
        "The number of the message in its source, from 1. Null in a text or a page that is no message, as "
        "are offset to header.", column=1, is_of_place=True)] = None
    offset: Annotated[int | None, meaning(
        "The offset of the message in its source, after decompression, in bytes. Null if it is not there "
        "unchanged.")] = None
    length: Annotated[int | None, meaning(
        "The size of the message in its source, in bytes. Null if it is too large for memory.")] = None
    message_id: Annotated[str | None, meaning(
        "The Message-ID of the innermost message, with its angle brackets. In a web archive, the WARC-"
        "Record-ID.", column=15, is_of_place=True)] = None
    in_reply_to: Annotated[str | None, meaning(
        "The Message-ID of the message to which that one is a reply: the first in its In-Reply-To field.",
        column=23)] = None
    thread_id: Annotated[str | None, meaning(
        "The Message-ID of the first message of its thread: the first in its References field; without "
        "one, in_reply_to; without that, its own.", column=24)] = None
    date: Annotated[str | None, meaning(
        "The date of that message in UTC, as 2026-01-31T09:12:00Z (ISO 8601). Null if its Date field is "
        "no date.", column=16)] = None
    date_field: Annotated[str | None, meaning(
        "The Date field of that message, as written. In a web archive, the WARC-Date: when the page was "
        "captured.", column=22)] = None
    from_: Annotated[str | None, meaning("The From field of that message, decoded.", column=17)] = None
    to: Annotated[str | None, meaning("The To field of that message, decoded.", column=18)] = None
    newsgroups: Annotated[str | None, meaning("The Newsgroups field of that message.", column=21)] = None
    subject: Annotated[str | None, meaning("The Subject field of that message, decoded.", column=19)] = None
    list_id: Annotated[str | None, meaning(
        "The identifier of its mailing list (RFC 2919), without angle brackets.", column=20)] = None
    page: Annotated[str | None, meaning(
        "The URL of the page that has the URL, in a web archive: the WARC-Target-URI of the record.",
        column=25)] = None
    title: Annotated[str | None, meaning(
        "The title of that page, or of a file of HTML, in one line of at most 200 characters. Null in "
        "header fields, and if there is none in the first 64 KiB.", column=26)] = None
    part: Annotated[str | None, meaning(
        "The number of the part in the outermost message: 1, or 2.1 for the first part of the second one. "
        "Null in its header, and before and after its parts.", column=2, is_of_place=True)] = None
    header: Annotated[str | None, meaning(
        "The name of the header field that has the URL.", column=3, is_of_place=True)] = None
    media_type: Annotated[str | None, meaning(
        "The media type of the part, in lower case: text/plain. Null in a header field, and in text that "
        "is no message; text/html in a page.")] = None
    occurrence: Annotated[int, meaning(
        "The number of the text among those of the same part and header, from 0: more than 0 for repeated "
        "fields, and for text after the parts of a multipart.", least=0)] = 0

    # fmt: on

    def __hash__(self) -> int:
        return hash((self.url, self.start, self.end, self.source, self.message, self.part, self.header))

    @property
    def span(self) -> Span:
        """The place with its brackets, quotes and ``URL:``, from ``start`` to ``end``, in characters."""
        return Span(self.start, self.end)

    @property
    def key(self) -> str:
        """What is equal for URLs that are the same: the normal form, or the URL itself if it does not parse.

        A fragment is part of it.

        >>> from urlextract import extract
        >>> [found.key for found in extract("http://a.example HTTP://A.example:80/")]
        ['http://a.example/', 'http://a.example/']
        """
        return normal_form(self.url)

    @property
    def domain(self) -> str | None:
        """The registered domain of ``host`` by the Public Suffix List; a host without one is its own.

        >>> from urlextract import extract
        >>> [found.domain for found in extract("http://www.a.co.uk http://10.0.0.1/")]
        ['a.co.uk', '10.0.0.1']
        """
        return domain_of(self.host)

    def parse(self) -> Url | None:
        """Return the URL as the result of `parse_url`, None if it does not parse."""
        try:
            return parse_url(self.url)
        except UrlSyntaxError:
            return None

    def to_dict(self) -> dict[str, Any]:
        """Return the record as a dictionary of the values of JSON, as ``urlextract -j`` prints it.

        >>> from urlextract import extract
        >>> found = next(extract("see <URL:http://example.org/>"))
        >>> record = found.to_dict()
        >>> record["start"], record["inner"]
        (4, [9, 28])
        >>> Found.from_dict(record) == found
        True
        """
        return {name: _as_json(value) for name, value in msgspec.to_builtins(self).items()}

    @classmethod
    def from_dict(cls, record: Mapping[str, Any]) -> Self:
        """Return the record of which `to_dict` made a dictionary; keys that no record has are ignored.

        Raise `ValueError` for another version of the list of keys, if a key without a default is missing, and
        if one has a value that it cannot have.
        """
        version = record.get("v", SCHEMA_VERSION) if isinstance(record, Mapping) else SCHEMA_VERSION
        if version != SCHEMA_VERSION:
            raise ValueError(f"the version of the record is {version!r}: only {SCHEMA_VERSION} can be read")
        return msgspec.convert(record, cls)

    @classmethod
    def schema(cls) -> dict[str, Any]:
        """Return the JSON Schema (draft 2020-12) of a line of ``urlextract -j``, with any other options.

        >>> Found.schema()["properties"]["line"]["description"]
        'The number of the line of start, in the same text, from 1.'
        """
        _, parts = msgspec.json.schema_components([cls])
        own = _without_references(parts[cls.__name__], parts)["properties"]
        of_place = {name: own[name] for name in keys_with("is_of_place")}
        places = {"type": "array", "items": _object(of_place), "description": _PLACES}
        return {
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": "A URL that urlextract found",
            **_object({
                **own,
                "defanged": {"type": "string", "description": _DEFANGED},
                "count": {"type": "integer", "description": _COUNT},
                "places": places,
            }),
            "required": [*own],
        }  # fmt: skip

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
        return {name: value for name, value in cls.schema().items() if name != "$schema"}


_DEFANGED = "Only with --defang: url so that no program follows it, as hxxps://example[.]com/x."
_COUNT = "Only with --unique and --top: the number of places."
_PLACES = (
    "Only with --unique and --top: all places of the URL, in order. The other keys are those of the first "
    "one. A place has these keys, with the same meaning as above:"
)
KEYS: tuple[str, ...] = Found.__struct_encode_fields__
"""The keys of a record, in their order."""


def keys_with(note: str) -> list[str]:
    """Return the keys whose fields have a note beside their meaning, in the order of the notes.

    Those with "column" are the columns of a table if no others are asked for, those with "is_of_place" differ
    between two places of one URL.
    """
    notes = {key: row.extra.get(note) for key, (row, _) in zip(KEYS, rows_of(Found).values(), strict=True)}
    return sorted((key for key in KEYS if notes[key] is not None), key=lambda key: notes[key])


def _as_json(value: Any) -> Any:
    """Return a value with lists in place of tuples."""
    return [_as_json(each) for each in value] if isinstance(value, tuple) else value


def _without_references(schema: Any, parts: Mapping[str, Any]) -> Any:
    """Return a schema with its parts in place of references to them, and without default values."""
    if isinstance(schema, list):
        return [_without_references(each, parts) for each in schema]
    if not isinstance(schema, dict):
        return schema
    whole = {**parts[schema["$ref"].rpartition("/")[2]], **schema} if "$ref" in schema else schema
    return {
        name: _without_references(each, parts)
        for name, each in whole.items()
        if name not in ("$ref", "default") and not (name == "title" and isinstance(each, str))
    }


def _object(properties: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of an object with these keys and no others."""
    return {"type": "object", "properties": properties, "additionalProperties": False}


def domain_of(host: str | None) -> str | None:
    """Return the registered domain of a host, or the host itself if it has none."""
    return (_domain_of if len(host) <= _LONGEST_NAME else _domain_of.__wrapped__)(host) if host else None


@lru_cache(maxsize=4_096)
def _domain_of(host: str) -> str:
    return registered_domain(host.removesuffix(".")) or host


_LONGEST_NAME = 255  # of a host: RFC 1035, section 3.1; longer ones take too much memory


class Rejection(Struct, metaclass=BriefStruct, frozen=True, kw_only=True, repr_omit_defaults=True):
    """A place that looked like a URL but was rejected, and the reason.

    ``reason`` says why it is none, or which option leaves it out; ``hint`` names the option that would accept
    it. Of the target of a link, such as a script, ``text`` is the text of the link and ``shown`` the
    URL in it. All else is as in `Found`.

    >>> from urlextract import examine
    >>> (rejection,) = examine("a <warning: long> line")
    >>> rejection.raw, rejection.reason
    ('<warning:', 'no scheme that stands in brackets without "//"')
    """

    span: Span
    form: Form
    raw: str
    line: int
    column: int
    reason: str
    hint: str | None = None
    context: str | None = None
    source: str | None = None
    message: int | None = None
    part: str | None = None
    header: str | None = None
    occurrence: int = 0
    text: str | None = None
    shown: str | None = None


View = Literal["text", "html", "header"]


class Message(Struct, metaclass=BriefStruct, frozen=True, repr_omit_defaults=True):
    r"""A message of mail or news: all of its bytes, and where they come from.

    ``data`` has the bytes after decompression, without what the format of the source adds to them. ``number``
    is that of the message in the ``source``, from 1; ``offset`` and ``length`` are its place there, in bytes.
    ``is_verbatim`` is true if the bytes there are ``data``; a news server doubles dots.

    >>> message = Message(b"Subject: =?utf-8?Q?caf=C3=A9?=\n\nhi\n")
    >>> message.fields, message.field("subject"), message.field("date")
    ((('Subject', 'café'),), 'café', None)
    """

    data: bytes
    source: str | None = None
    number: int | None = None
    offset: int | None = None
    length: int | None = None
    defects: tuple[Defect, ...] = ()
    is_verbatim: bool = True

    def __post_init__(self) -> None:
        check_type("data", self.data, bytes, "the bytes of a message")

    @property
    def fields(self) -> tuple[tuple[str, str], ...]:
        """The names and texts of the header fields, in order: unfolded and decoded (RFC 2047)."""
        return tuple(fields_of_head(self.data))

    def field(self, name: str) -> str | None:
        """Return the text of the first field of that name, in any case; None if there is none."""
        if not isinstance(name, str):
            raise TypeError(f"name is {name!r}: it is the name of a header field as a str")
        return next((text for each, text in self.fields if each.lower() == name.lower()), None)


class PartText(Struct, metaclass=BriefStruct, frozen=True):
    r"""A text of a message, and what was found in it: ``text[found.start:found.end]`` is the place of each.

    ``view`` is "header" for a header field, "html" for a page, else "text". ``part``, ``header`` and
    ``media_type`` are as in the records ``found``.

    >>> from urlextract import read_texts
    >>> for part in read_texts(b"Subject: www.a.example\n\nsee <http://b.ex\nample/>\n"):
    ...     print(part.view, repr(part.text), [found.inner.of(part.text) for found in part.found])
    header 'www.a.example' ['www.a.example']
    text 'see <http://b.ex\nample/>\n' ['http://b.ex\nample/']
    """

    text: str
    part: str | None
    header: str | None
    media_type: str | None
    view: View
    found: tuple[Found, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexRun:
    """What a call of `index_sources` has read.

    ``messages`` is the number of messages, ``places`` that of the places with URLs that were added,
    ``urls`` that of the URLs that the index has more than before, and ``damaged`` that of the errors in
    sources. ``gone`` are the paths of files that are no longer there: what lay in them alone stays, unless it
    is to be pruned.
    """

    messages: int = 0
    places: int = 0
    urls: int = 0
    damaged: int = 0
    gone: tuple[str, ...] = ()
