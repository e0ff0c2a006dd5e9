"""mailto, mid and cid: RFC 1738 section 3.5, RFC 6068, RFC 2392.

::

    mailtoURI = "mailto:" [ to ] [ hfields ]
    to        = addr-spec *("," addr-spec )
    hfields   = "?" hfield *( "&" hfield )
    hfield    = hfname "=" hfvalue
    mid-url   = "mid" ":" message-id [ "/" content-id ]
    cid-url   = "cid" ":" content-id

In RFC 1738 and RFC 1630 a mailto URL is a single address.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, Self, Unpack

from urlextract.grammar import bnf
from urlextract.grammar.bnf import RFC1630, RFC1738, RFC2392, RFC3986, RFC6068, Component, Departure
from urlextract.grammar.patterns import lazy_re
from urlextract.schemes.changing import Components, replaced
from urlextract.schemes.url import Url


class _MailtoComponents(Components, total=False):
    addresses: tuple[str, ...]
    headers: tuple[tuple[str, str | None], ...]


class _MidComponents(Components, total=False):
    message_id: str | None
    content_id: str | None


_OF_MID = (RFC2392, RFC3986, RFC1630)
_ALL = (RFC6068, RFC1738, RFC3986, RFC1630)
_DOMAIN = lazy_re(r"@([^@]*)\Z")
_TO = bnf.ATOM + ".,@"
_ATOM = rf"(?>(?:[{bnf.ATOM}]|%(?![01][0-9A-Fa-f]|20|7[fF])[0-9A-Fa-f]{{2}})+)"
_DOTTED = rf"{_ATOM}(?>(?:\.{_ATOM})*)"
_ADDRESS = lazy_re(rf"(?:{_DOTTED}|%22[^@]*+)@(?:{_DOTTED}|%5[bB][^@]*+)\Z")


class MailtoUrl(Url):
    """Mail addresses, and header fields of the message to write: RFC 6068, section 2.

    >>> from urlextract import parse_url
    >>> url = parse_url("mailto:a@example.org,b@example.org?subject=Hi%20there&body=x")
    >>> url.addresses, url.headers
    (('a@example.org', 'b@example.org'), (('subject', 'Hi%20there'), ('body', 'x')))
    >>> url.decoded("headers")[0]
    ('subject', 'Hi there')
    """

    __slots__ = ()
    _FIELDS: ClassVar = ("addresses", "headers", "fragment")
    GRAMMARS: ClassVar = (RFC6068, RFC1738, RFC3986, RFC1630)
    _PART_OF: ClassVar = {"addresses": ("path",), "headers": ("query",)}
    _STANDARDS: ClassVar = Url._STANDARDS | {RFC6068: "RFC 6068, section 2"}
    _HAS_AUTHORITY: ClassVar = False

    def replace(self, **components: Unpack[_MailtoComponents]) -> Self:
        """Return a URL with other components: see `Url.replace`."""
        return replaced(self, components)

    @property
    def addresses(self) -> tuple[str, ...]:
        """The addresses before "?"; there may be none."""
        return tuple(self.path.split(",")) if self.path else ()

    @property
    def headers(self) -> tuple[tuple[str, str | None], ...]:
        """The header fields and their values, None for a field without "="."""
        pairs = (field.partition("=") for field in self.query.split("&")) if self.query else ()
        return tuple((name, value if equals else None) for name, equals, value in pairs)

    def _composed(self, values: Mapping[str, Any]) -> dict[str, str | None]:
        """Return the path of the addresses, and the query of the header fields."""
        fields = [name if value is None else f"{name}={value}" for name, value in values["headers"]]
        return {"path": ",".join(values["addresses"]), "query": "&".join(fields) if fields else None}

    def _components(self) -> Iterator[Component]:
        """Yield the addresses and the header fields."""
        start, end = self._path_start, self._path_end
        yield Component(start, end, "to", bnf.XCHAR, _TO, bnf.RFC1630_PATH)
        if self.query is not None:
            stop = end + 1 + len(self.query)
            yield Component(end + 1, stop, "hfields", bnf.XCHAR, bnf.QCHAR + "&=", bnf.RFC1630_SEARCH)

    def _departures(self) -> Iterator[Departure]:
        """Yield the departures of the addresses, and of the header fields, which only RFC 6068 has."""
        at, end = self._path_start, self._path_end
        for address in self.addresses:
            if not _ADDRESS.match(address):
                yield Departure(at, at + len(address), "addr-spec", "not an address", _ALL)
            at += len(address) + 1
        if not self.addresses:
            yield Departure(end, end, "encoded822addr", "no address", (RFC1738, RFC1630))
        if len(self.addresses) > 1:
            message = "several addresses, which RFC 6068 alone has"
            yield Departure(self._path_start, end, "encoded822addr", message, (RFC1738, RFC1630))
        if self.query is not None:
            message, stop = "header fields, which RFC 6068 alone has", end + 1 + len(self.query)
            yield Departure(end, stop, "encoded822addr", message, (RFC1738, RFC1630))
            if not self.query:
                yield Departure(end, stop, "hfields", "no header field", (RFC6068, RFC3986))
        yield from self._header_departures()

    def _header_departures(self) -> Iterator[Departure]:
        for start, _, value_start, value in self._headers():
            if value is None:
                yield Departure(start, value_start, "hfield", "a field without a value", (RFC6068, RFC3986))
            elif "=" in value:
                at = value_start + value.find("=")
                message = "reserved character unencoded"
                yield Departure(at, at + 1, "hfvalue", message, (RFC6068, RFC3986))

    def _headers(self) -> Iterator[tuple[int, str, int, str | None]]:
        """Yield the header fields: offset and text of the name, offset and text of the value."""
        at = self._path_end + 1
        for name, value in self.headers:
            start = at + len(name) + (value is not None)
            yield at, name, start, value
            at = start + len(value or "") + 1

    def _acted_on(self) -> Iterator[tuple[int, int]]:
        """Yield the spans of the addresses and of the header fields, without the value of a "body" field.

        Line ends are allowed in a body.
        """
        yield self._path_start, self._path_end
        for start, name, value_start, value in self._headers():
            yield start, value_start if name.lower() == "body" else value_start + len(value or "")

    def _levelled_path(self, levelled: str) -> str:
        """Return the path of the normal form: the addresses with their hosts in lower case."""
        return ",".join(_DOMAIN.sub(lambda match: match.group().lower(), one) for one in levelled.split(","))


class MidUrl(Url):
    """A message by its Message-ID, or a part of it by its Content-ID: RFC 2392, section 2.

    >>> from urlextract import parse_url
    >>> url = parse_url("mid:960830.1639@XIson.com/partA.960830.1639@XIson.com")
    >>> url.message_id, url.content_id
    ('960830.1639@XIson.com', 'partA.960830.1639@XIson.com')
    """

    __slots__ = ()
    _FIELDS: ClassVar[tuple[str, ...]] = ("message_id", "content_id", "fragment")
    _PART_OF: ClassVar[Mapping[str, tuple[str, ...]]] = dict.fromkeys(("message_id", "content_id"), ("path",))
    GRAMMARS: ClassVar = (RFC2392, RFC3986, RFC1630)
    _STANDARDS: ClassVar = Url._STANDARDS | {RFC2392: "RFC 2392, section 2"}
    _HAS_AUTHORITY: ClassVar = False
    _HAS_QUERY: ClassVar = False

    def replace(self, **components: Unpack[_MidComponents]) -> Self:
        """Return a URL with other components: see `Url.replace`."""
        return replaced(self, components)

    @property
    def message_id(self) -> str | None:
        """The Message-ID without its angle brackets."""
        return self.path.partition("/")[0]

    @property
    def content_id(self) -> str | None:
        """The Content-ID without its angle brackets, None for the whole message."""
        _, slash, part = self.path.partition("/")
        return part if slash else None

    def _composed(self, values: Mapping[str, Any]) -> dict[str, str | None]:
        """Return the path of the identifiers that the URL has."""
        identifiers = (values.get("message_id"), values["content_id"])
        return {"path": "/".join(each for each in identifiers if each is not None)}

    def _components(self) -> Iterator[Component]:
        """Yield the identifiers."""
        start, end = self._path_start, self._path_end
        yield Component(start, end, "message-id", bnf.UCHAR + "@/", _TO + "/", bnf.RFC1630_PATH)

    def _departures(self) -> Iterator[Departure]:
        """Yield the departures of identifiers that do not have the form of an address."""
        at = self._path_start
        for name in ("message_id", "content_id"):
            identifier = getattr(self, name)
            if identifier is None:
                continue
            if not _ADDRESS.match(identifier):
                rule = name.replace("_", "-")
                yield Departure(at, at + len(identifier), rule, "not an identifier", _OF_MID)
            at += len(identifier) + 1


class CidUrl(MidUrl):
    """A part of the message that holds the URL, by its Content-ID: RFC 2392, section 2.

    >>> from urlextract import parse_url
    >>> parse_url("cid:foo4%25foo1@bar.net").decoded("content_id")
    'foo4%foo1@bar.net'
    """

    __slots__ = ()
    _FIELDS: ClassVar = ("content_id", "fragment")
    _PART_OF: ClassVar = {"content_id": ("path",)}

    @property
    def message_id(self) -> None:
        """None: the message is the one that holds the URL."""
        return

    @property
    def content_id(self) -> str:
        """The Content-ID without its angle brackets."""
        return self.path
