"""The keys of a record: one table, from which JSON, CSV, Parquet, the schema and the manual have them.

To add a key, add a row: its name, type and meaning, and how its value comes from a `Found`. Within a version
it ``is_added``, so that older records are read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from enum import StrEnum
from operator import attrgetter
from types import NoneType
from typing import Annotated, Any, NamedTuple, TypedDict, get_args, get_origin, is_typeddict

from urlextract.arguments import rows_of
from urlextract.grammar.codes import AlternativeCode, DefectCode, RepairCode
from urlextract.records import Form
from urlextract.schemes.cautions import CautionCode
from urlextract.schemes.checks import ViolationCode
from urlextract.schemes.url import host_name_of

SCHEMA_VERSION = 4
"""The version of the list of keys."""


class Row(NamedTuple):
    """What the table has of a key beside its name and type: see `Key`."""

    words: str
    value: str | Callable[[Any], Any] | None = None
    column: int | None = None
    is_of_place: bool = False
    values: type[StrEnum] | None = None
    is_added: bool = False


class Key(NamedTuple):
    """A key of a record.

    ``kind`` is the type of its value, as "list of strings or null".
    ``value`` is that of a `Found`: an attribute of it, or a function. ``column`` is its place in a row of
    CSV, if it has one.
    ``values`` are all that a text, or a text in the list, can be. ``parts`` are the keys of an object in it.
    It ``is_of_place`` if it differs between two places of one URL. One that ``is_added`` is null where it
    is missing: records of the same version that are older than the key lack it. A key that ``is_extra`` is in
    records only with some options.
    """

    name: str
    kind: str
    words: str
    value: str | Callable[[Any], Any] | None = None
    column: int | None = None
    is_of_place: bool = False
    values: type[StrEnum] | None = None
    is_added: bool = False
    parts: tuple[Key, ...] = ()
    is_extra: bool = False

    @property
    def field_of_origin(self) -> str | None:
        """The field of `Origin` whose value it has, None for another value."""
        is_of_origin = isinstance(self.value, str) and self.value.startswith("origin.")
        return str(self.value).removeprefix("origin.") if is_of_origin else None


def keyed_values(keys: Iterable[Key]) -> Callable[[Any], dict[str, Any]]:
    """Return a function that makes a dictionary of the values of ``keys`` of a `Found`.

    Those of its origin come last.
    """
    own, shared = [], []
    for key in keys:
        if key.field_of_origin:
            shared.append((key.name, attrgetter(key.field_of_origin)))
        elif key.value is not None:
            own.append((key.name, attrgetter(key.value) if isinstance(key.value, str) else key.value))
    last: tuple[Any, dict[str, Any]] = None, {}  # the results of one text share their origin

    def values(found: Any) -> dict[str, Any]:
        nonlocal last
        origin, of_origin = last
        if origin is not found.origin:
            origin, of_origin = last = found.origin, {name: get(found.origin) for name, get in shared}
        return {name: get(found) for name, get in own} | of_origin

    return values


def _unknown(_: object) -> None:
    """Return the value of what only ``--parse`` fills."""


def _alternatives(found: Any) -> list[dict[str, str]]:
    return [{"url": url, "reason": reason, "code": code.value} for url, reason, code in found.alternatives]


class AlternativeRecord(TypedDict):
    """Another reading of a place, in a record."""

    url: Annotated[str, Row("The URL of another reading.")]
    reason: Annotated[str, Row("Why it may be the one that was meant, in words.")]
    code: Annotated[str, Row("The code of the reason.", values=AlternativeCode)]


class WarningRecord(TypedDict):
    """What may be unsafe in a URL, in a record."""

    start: Annotated[int, Row("The first character of it, from 0 in url.")]
    end: Annotated[int, Row("The character after it.")]
    message: Annotated[str, Row("What is unsafe, in words.")]
    code: Annotated[str, Row("The code of it.", values=CautionCode)]


class ViolationRecord(TypedDict):
    """A departure from a grammar, in a record."""

    start: Annotated[int, Row("The first character of the departure, from 0 in url.")]
    end: Annotated[int, Row("The character after it.")]
    rule: Annotated[
        str,
        Row(
            "The standard and its rule: RFC 1738, section 5: hsegment. If the URL does not parse, its "
            "one violation has the rule syntax."
        ),
    ]
    message: Annotated[str, Row("What is wrong, in words.")]
    code: Annotated[str, Row("The kind of the departure.", values=ViolationCode)]  # fmt: skip


Record = TypedDict("Record", {
    "v": Annotated[int, Row(
        "The version of this list of keys: 4.",
        lambda _: SCHEMA_VERSION)],
    "url": Annotated[str, Row(
        "The URL in one line, as one would type it.",
        "url",
        column=6)],
    "form": Annotated[str, Row(
        "How the URL was written: a value of --form.",
        "form.value",
        column=9, is_of_place=True, values=Form)],
    "scheme": Annotated[str, Row(
        "The scheme of url, in lower case, without its colon.",
        "scheme",
        column=7)],
    "host": Annotated[str | None, Row(
        "The host of url in lower case, with A-labels (RFC 5890). Null if there is none, or url does "
        "not parse.",
        lambda found: host_name_of(found.url),
        column=8)],
    "start": Annotated[int, Row(
        "The place of the first character, brackets, quotes and URL: included. In characters.",
        "span.start",
        is_of_place=True)],
    "end": Annotated[int, Row(
        "The place after the last character, brackets and quotes included. In characters.",
        "span.end",
        is_of_place=True)],
    "inner": Annotated[list[int], Row(
        "The places of the first character of raw, and after its last one. In characters, as start.",
        lambda found: list(found.inner))],
    "byte": Annotated[int | None, Row(
        "The offset of start in the source, after decompression, in bytes. Null if the bytes of the "
        "source do not correspond to the text.",
        "byte",
        is_of_place=True)],
    "line": Annotated[int, Row(
        "The number of the line of start, in the same text, from 1.",
        "line",
        column=4, is_of_place=True)],
    "column": Annotated[int, Row(
        "The number of the character in that line, from 1. A tab counts as one.",
        "column",
        column=5, is_of_place=True)],
    "raw": Annotated[str, Row(
        "The URL as it was written, with line ends, blanks and quote prefixes, without the brackets. "
        "In a header field, after unfolding.",
        "raw")],
    "pieces": Annotated[list[list[int]], Row(
        "The pieces of text that the URL consists of, each a list of start and end: one, or more if "
        "it was broken. In characters, as start.",
        lambda found: list(map(list, found.pieces)))],
    "repairs": Annotated[list[str], Row(
        "What was done to get url from raw, in the words of REPAIRS. Empty if nothing was.",
        lambda found: list(map(str, found.repairs)))],
    "repair_codes": Annotated[list[str], Row(
        "The code of each repair, as in REPAIRS.",
        lambda found: [each.code.value for each in found.repairs],
        values=RepairCode)],
    "alternatives": Annotated[list[AlternativeRecord], Row(
        "Other readings of the same place, the likeliest first. Empty if there are none.",
        _alternatives)],
    "defects": Annotated[list[str], Row(
        "What may be wrong with the URL, in the words of DEFECTS. Empty if nothing is.",
        lambda found: list(map(str, found.defects)),
        column=14)],
    "defect_codes": Annotated[list[str], Row(
        "The code of each defect, as in DEFECTS.",
        lambda found: [each.code.value for each in found.defects],
        values=DefectCode)],
    "confidence": Annotated[float, Row(
        "How sure the reading is, from 0 to 1: see CONFIDENCE.",
        "confidence",
        column=10)],
    "element": Annotated[str | None, Row(
        "The element of HTML whose attribute has the URL, in lower case. Null for all other forms, as "
        "the next four keys.",
        lambda found: found.link and found.link.element)],
    "attribute": Annotated[str | None, Row(
        "The attribute that has the URL, in lower case.",
        lambda found: found.link and found.link.attribute)],
    "text": Annotated[str | None, Row(
        "What the element shows, in one line of at most 200 characters: the text of a link, the alt "
        "of an image. Empty if it shows nothing.",
        lambda found: found.link and found.link.text,
        column=11)],
    "shown": Annotated[str | None, Row(
        "The text of the link, if it is a URL, a mail address, or a host that begins with www. or "
        "ftp. or ends in a top-level domain, and nothing else.",
        lambda found: found.link and found.link.shown,
        column=12)],
    "differs": Annotated[str | None, Row(
        "How the URL that is shown differs from the target: path, host, brand, domain or lookalike "
        "(see HTML). Null if it leads there, or shows no URL.",
        lambda found: found.link and found.link.differs,
        column=13)],
    "inside": Annotated[str | None, Row(
        "The target of the link in whose text the URL is, if that is another one.",
        "inside")],
    "unwrapped": Annotated[str | None, Row(
        "The target of url, if url is a link that a gateway has rewritten: see GATEWAYS. Null if it "
        "is none, or the target cannot be decoded. With --unwrap it is the same as url.",
        "unwrapped")],
    "wrapped_by": Annotated[str | None, Row(
        "The name of the service that has rewritten the link. Null if none has.",
        "wrapped_by")],
    "violations": Annotated[list[ViolationRecord] | None, Row(
        "Departures from the grammar that the URL fits best, of those of its scheme. Null without "
        "--parse, as warnings and parsed.",
        _unknown)],
    "warnings": Annotated[list[WarningRecord] | None, Row(
        "What is allowed, but unsafe or deceptive: a password, a port of another service, a number as "
        "a host, letters that look like others, invisible characters, a host that cannot exist.",
        _unknown)],
    "parsed": Annotated[dict[str, Any] | None, Row(
        "The components of the URL, by the names below. Null without --parse, and if the URL does not "
        "parse.",
        _unknown)],
    "source": Annotated[str | None, Row(
        "The name of the file, - for standard input. A member of an archive has the name of the "
        "archive, a slash and its own name. Null in records that the library made of a text in "
        "memory.",
        "origin.source",
        column=0, is_of_place=True)],
    "message": Annotated[int | None, Row(
        "The number of the message in its source, from 1. Null in a text or a page that is no "
        "message, as are offset to header.",
        "origin.message",
        column=1, is_of_place=True)],
    "offset": Annotated[int | None, Row(
        "The offset of the message in its source, after decompression, in bytes. Null if it is not "
        "there unchanged.",
        "origin.offset")],
    "length": Annotated[int | None, Row(
        "The size of the message in its source, in bytes. Null if it is too large for memory.",
        "origin.length")],
    "message_id": Annotated[str | None, Row(
        "The Message-ID of the innermost message, with its angle brackets. In a web archive, the "
        "WARC-Record-ID.",
        "origin.message_id",
        column=15, is_of_place=True)],
    "in_reply_to": Annotated[str | None, Row(
        "The Message-ID of the message to which that one is a reply: the first in its In-Reply-To field.",
        "origin.in_reply_to",
        column=23, is_added=True)],
    "thread_id": Annotated[str | None, Row(
        "The Message-ID of the first message of its thread: the first in its References field; without "
        "one, in_reply_to; without that, its own.",
        "origin.thread_id",
        column=24, is_added=True)],
    "date": Annotated[str | None, Row(
        "The date of that message in UTC, as 2026-01-31T09:12:00Z (ISO 8601). Null if its Date field is "
        "no date.",
        "origin.date",
        column=16)],
    "date_field": Annotated[str | None, Row(
        "The Date field of that message, as written. In a web archive, the WARC-Date: when the page was "
        "captured.",
        "origin.date_field",
        column=22)],
    "from": Annotated[str | None, Row(
        "The From field of that message, decoded.",
        "origin.from_",
        column=17)],
    "to": Annotated[str | None, Row(
        "The To field of that message, decoded.",
        "origin.to",
        column=18)],
    "newsgroups": Annotated[str | None, Row(
        "The Newsgroups field of that message.",
        "origin.newsgroups",
        column=21)],
    "subject": Annotated[str | None, Row(
        "The Subject field of that message, decoded.",
        "origin.subject",
        column=19)],
    "list_id": Annotated[str | None, Row(
        "The identifier of its mailing list (RFC 2919), without angle brackets.",
        "origin.list_id",
        column=20)],
    "page": Annotated[str | None, Row(
        "The URL of the page that has the URL, in a web archive: the WARC-Target-URI of the record.",
        "origin.page",
        column=25, is_added=True)],
    "title": Annotated[str | None, Row(
        "The title of that page, or of a file of HTML, in one line of at most 200 characters. Null in "
        "header fields, and if there is none in the first 64 KiB.",
        "origin.title",
        column=26, is_added=True)],
    "part": Annotated[str | None, Row(
        "The number of the part in the outermost message: 1, or 2.1 for the first part of the second "
        "one. Null in its header, and before and after its parts.",
        "origin.part",
        column=2, is_of_place=True)],
    "header": Annotated[str | None, Row(
        "The name of the header field that has the URL.",
        "origin.header",
        column=3, is_of_place=True)],
    "media_type": Annotated[str | None, Row(
        "The media type of the part, in lower case: text/plain. Null in a header field, and in text "
        "that is no message; text/html in a page.",
        "origin.media_type")],
    "occurrence": Annotated[int, Row(
        "The number of the text among those of the same part and header, from 0: more than 0 for "
        "repeated fields, and for text after the parts of a multipart.",
        "origin.occurrence")],
})  # fmt: skip
"""A record, as `Found.to_dict` returns it and ``urlextract -j`` prints it."""


_TYPES = {str: "string", int: "integer", float: "number", dict: "object", list: "list"}
_IN_LISTS = {str: "strings", int: "integers", list: "lists of integers"}


def _keys_of(table: Any) -> tuple[Key, ...]:
    """Return the keys of a table: a typed dictionary whose types have rows."""
    return tuple(_key(name, row, kind) for name, (row, kind) in rows_of(table).items())


def _key(name: str, row: Row, kind: Any) -> Key:
    null = " or null" if NoneType in get_args(kind) else ""
    kind = get_args(kind)[0] if null else kind
    inner = get_args(kind)[0] if get_origin(kind) is list else None
    of_type = _TYPES[get_origin(kind) or kind]
    if inner:
        of_type += f" of {_IN_LISTS.get(get_origin(inner) or inner, 'objects')}"
    parts = _keys_of(inner) if is_typeddict(inner) else ()
    return Key(name, f"{of_type}{null}", **row._asdict(), parts=parts)


_KEYS = _keys_of(Record)

PLACE_KEYS = tuple(
    # Only the command merges places, and all that it reads has a name.
    Key(key.name, "string" if key.name == "source" else key.kind, f"As {key.name}.", key.value)
    for key in _KEYS
    if key.is_of_place
)
"""The keys of a place: those that differ between two places of one URL."""

KEYS = (
    *_KEYS,
    Key("defanged", "string",
        "Only with --defang: url so that no program follows it, as hxxps://example[.]com/x.",
        is_extra=True),
    Key("count", "integer",
        "Only with --unique and --top: the number of places.",
        is_extra=True),
    Key("places", "list of objects",
        "Only with --unique and --top: all places of the URL, in order. The other keys are those of "
        "the first one. A place has these keys, with the same meaning as above:",
        parts=PLACE_KEYS, is_extra=True),
)  # fmt: skip
"""The keys, in the order of a record."""

FIELDS = tuple(key.name for key in _KEYS if key.value not in (None, _unknown))
"""The names of the keys that any record has, without options."""

PARSED_KEYS = (
    Key("scheme", "string", "The scheme, in lower case."),
    Key("user", "string or null", "The user name."),
    Key("password", "string or null", "The password."),
    Key("host", "string or null", "The host: a name, or an address of IPv6 in its square brackets."),
    Key("port", "integer or null", "The port."),
    Key("path", "string", "The path, with its first slash, if it has one."),
    Key("query", "string or null",
        "What follows the question mark: of http, https, wais and all schemes that have a query but "
        "no names of their own for its parts."),
    Key("search", "string or null",
        "http, gopher, wais: what is searched for; of http and wais, the same as query."),
    Key("cwd", "list of strings", "ftp: the directories, as strings, in the order of CWD commands."),
    Key("name", "string or null",
        "ftp: the name of the file, empty after a slash. man: of the page. info: of the file."),
    Key("typecode", "string or null", "ftp: the type, after ;type=."),
    Key("gtype", "string", "gopher: the type of the item, one character; 1 if the URL has none."),
    Key("selector", "string", "gopher: the selector, without the type."),
    Key("gopher_plus", "string or null", "gopher: the string of Gopher+."),
    Key("addresses", "list of strings", "mailto: the addresses, as strings."),
    Key("headers", "list of lists",
        "mailto: the header fields, each a list of name and value; null for no value."),
    Key("group", "string or null", "news, nntp: the newsgroup; * for all of them."),
    Key("article", "string or null",
        "news: the Message-ID, without brackets. nntp: the number of the article."),
    Key("numbers", "string or null",
        "news: the numbers of articles, after a slash: in no standard, but in use."),
    Key("database", "string or null", "wais: the database."),
    Key("wtype", "string or null", "wais: the type of the document."),
    Key("wpath", "string or null", "wais: the identifier of the document."),
    Key("hsoname", "string or null", "prospero: the name of the object."),
    Key("version", "string or null", "prospero: the version, after %00."),
    Key("fields", "list of lists",
        "prospero: the fields, each a list of name and value; null for no value."),
    Key("message_id", "string", "mid: the Message-ID, without angle brackets."),
    Key("content_id", "string or null", "mid, cid: the Content-ID, without angle brackets."),
    Key("cell", "string", "afs: the cell."),
    Key("nid", "string or null", "urn: the name space."),
    Key("nss", "string", "urn: the name in it."),
    Key("r_component", "string or null", "urn: what is for the resolver, after ?+."),
    Key("q_component", "string or null", "urn: what is for the resource, after ?=."),
    Key("section", "string or null", "man: the section of the manual."),
    Key("node", "string or null", "info: the node."),
    Key("word", "string", "whatis: the word."),
    Key("subject", "string", "about: the subject."),
    Key("dn", "string or null", "ldap: the distinguished name."),
    Key("attributes", "list of strings or null",
        "ldap: the attributes, as strings. Empty or null is all of them."),
    Key("scope", "string or null", "ldap: base, one or sub. Empty or null is base."),
    Key("filter", "string or null", "ldap: the filter of the search."),
    Key("extensions", "list of objects or null", "ldap: the extensions.",
        parts=(
            Key("name", "string", "The name of an extension."),
            Key("value", "string or null", "Its value."),
            Key("critical", "boolean", "Whether the URL must not be used without it."),
        )),
    Key("fragment", "string or null", "What follows the number sign."),
    Key("default_port", "integer or null", "The port that the scheme has if the URL names none."),
    Key("grammars", "list of strings",
        "The grammars that the URL fits: of rfc1738, rfc3986, rfc1630, rfc2392, rfc4516, rfc5538, "
        "rfc6068, rfc8141, uri(7) those that define the scheme."),
    Key("normalized", "string",
        "The URL with its scheme and host in lower case, without the default port, and without "
        "escapes that are not needed."),
)  # fmt: skip
"""The keys of ``parsed``, which depend on the scheme."""
