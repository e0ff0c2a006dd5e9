"""The components of a URL in a record: ``parsed``, and its keys."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from urlextract.errors import UrlSyntaxError
from urlextract.schemes.cautions import Caution
from urlextract.schemes.checks import Violation, ViolationCode
from urlextract.schemes.url import Url, parse_url


class Key(NamedTuple):
    """A key of ``parsed``: its name, the type of its value, as "list of strings or null", and its meaning.

    ``parts`` are the keys of an object in it.
    """

    name: str
    kind: str
    words: str
    parts: tuple[Key, ...] = ()


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


Remarks = tuple[tuple[Violation, ...], tuple[Caution, ...], dict[str, Any] | None]


def remarks_on(text: str) -> Remarks:
    """Return the violations, the warnings and the components of a URL.

    If it does not parse, this error is its only violation.
    """
    try:
        url = parse_url(text)
    except UrlSyntaxError as error:
        fault = Violation(*error.span, "syntax", error.message, ViolationCode.SYNTAX)
        return (fault,), (), None
    return url.violations, url.warnings, parsed_of(url)


def parsed_of(url: Url) -> dict[str, Any]:
    """Return the components, encoded as they were written, and what is derived from them."""
    return {
        **{name: _plain(value) for name, value in _components(url)},
        "default_port": url.default_port,
        "grammars": list(url.grammars),
        "normalized": str(url.normalized()),
    }


def _components(url: Url) -> Iterator[tuple[str, Any]]:
    """Yield the components by name; a query that its standard calls the search has both names."""
    for name, value in url.parts().items():
        if name == "search" and url._PART_OF.get(name) == ("query",):
            yield "query", value
        yield name, value


def _plain(value: Any) -> Any:
    if hasattr(value, "_asdict"):
        return value._asdict()
    return [_plain(part) for part in value] if isinstance(value, tuple) else value


_ITEMS: dict[str, dict[str, Any]] = {
    "list of strings": {"type": "string"},
    "list of lists": {"type": "array"},
    "list of objects": {},
}


def schema_of_parsed(keys: Iterable[Key] = PARSED_KEYS) -> dict[str, Any]:
    """Return the JSON Schema of ``parsed``."""
    properties = {key.name: _schema_of(key) for key in keys}
    return {"type": "object", "properties": properties, "additionalProperties": False}


def _schema_of(key: Key) -> dict[str, Any]:
    of_type, _, is_nullable = key.kind.partition(" or ")
    name = "array" if of_type in _ITEMS else of_type
    schema: dict[str, Any] = {"type": [name, "null"] if is_nullable else name, "description": key.words}
    if of_type in _ITEMS:
        schema["items"] = schema_of_parsed(key.parts) if key.parts else _ITEMS[of_type]
    return schema
