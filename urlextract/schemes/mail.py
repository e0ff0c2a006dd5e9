"""mailto, mid and cid: RFC 1738 section 3.5, RFC 6068, RFC 2392.

::

    mailtoURI = "mailto:" [ to ] [ hfields ]
    to        = addr-spec *("," addr-spec )
    hfields   = "?" hfield *( "&" hfield )
    hfield    = hfname "=" hfvalue
    mid-url   = "mid" ":" message-id [ "/" content-id ]
    cid-url   = "cid" ":" content-id

RFC 1738 has one address alone, in which no character is reserved.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, ClassVar

from urlextract.grammar import bnf
from urlextract.schemes.value import RFC1630, RFC1738, RFC3986, Component, Departure, Url

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["CidUrl", "MailtoUrl", "MidUrl"]

RFC6068, RFC2392 = "rfc6068", "rfc2392"
_DOMAIN = re.compile(r"@([^@]*)\Z")


class MailtoUrl(Url):
    """Addresses to write to, and header fields to begin with.

    >>> from urlextract import parse_url
    >>> url = parse_url("mailto:a@example.org,b@example.org?subject=Hi%20there&body=x")
    >>> url.addresses, url.headers
    (('a@example.org', 'b@example.org'), (('subject', 'Hi%20there'), ('body', 'x')))
    >>> url.decoded("headers")[0]
    ('subject', 'Hi there')
    """

    __slots__ = ()
    FIELDS: ClassVar = ("addresses", "headers", "fragment")
    GRAMMARS: ClassVar = (RFC6068, RFC1738, RFC3986, RFC1630)
    STANDARDS: ClassVar = Url.STANDARDS | {RFC6068: "RFC 6068, section 2"}
    HAS_AUTHORITY: ClassVar = False

    @property
    def addresses(self) -> tuple[str, ...]:
        """The addresses before "?", of which there may be none."""
        return tuple(self.path.split(",")) if self.path else ()

    @property
    def headers(self) -> tuple[tuple[str, str | None], ...]:
        """The header fields and their values, None for a field without "="."""
        pairs = (field.partition("=") for field in self.query.split("&")) if self.query else ()
        return tuple((name, value if equals else None) for name, equals, value in pairs)

    def components(self) -> Iterator[Component]:
        """Give addresses and fields."""
        start, end = self.path_start, self.path_end
        yield Component(start, end, "to", bnf.XCHAR, bnf.PCHAR + "/", bnf.RFC1630_PATH)
        if self.query is not None:
            stop = end + 1 + len(self.query)
            yield Component(end + 1, stop, "hfields", bnf.XCHAR, bnf.QUERY, bnf.RFC1630_SEARCH)

    def departures(self) -> Iterator[Departure]:
        """Judge each address, and the fields, which RFC 6068 alone has."""
        at = self.path_start
        for address in self.addresses:
            name, _, domain = address.rpartition("@")
            if not name or not domain:
                yield Departure(
                    at, at + len(address), "addr-spec", "not an address", (RFC6068, RFC1738, RFC1630)
                )
            at += len(address) + 1
        end = self.path_end
        if not self.addresses:
            yield Departure(end, end, "encoded822addr", "no address", (RFC1738, RFC1630))
        if len(self.addresses) > 1:
            message = "several addresses, which RFC 6068 alone has"
            yield Departure(self.path_start, end, "encoded822addr", message, (RFC1738, RFC1630))
        at = end + 1
        for name, value in self.headers:
            stop = at + len(name) + (0 if value is None else 1 + len(value))
            if not name or value is None:
                yield Departure(at, stop, "hfield", "a field without a name or a value", (RFC6068,))
            at = stop + 1
        if self.query is not None:
            message = "header fields, which RFC 6068 alone has"
            yield Departure(end, at - 1, "encoded822addr", message, (RFC1738, RFC1630))

    def levelled_path(self, levelled: str) -> str:
        """Give the addresses with their hosts in lower case."""
        return ",".join(_DOMAIN.sub(lambda match: match.group().lower(), one) for one in levelled.split(","))


class MidUrl(Url):
    """A message by its Message-ID, or a part of it by its Content-ID.

    >>> from urlextract import parse_url
    >>> url = parse_url("mid:960830.1639@XIson.com/partA.960830.1639@XIson.com")
    >>> url.message_id, url.content_id
    ('960830.1639@XIson.com', 'partA.960830.1639@XIson.com')
    """

    __slots__ = ()
    FIELDS: ClassVar[tuple[str, ...]] = ("message_id", "content_id", "fragment")
    GRAMMARS: ClassVar = (RFC2392, RFC3986, RFC1630)
    STANDARDS: ClassVar = Url.STANDARDS | {RFC2392: "RFC 2392, section 2"}
    HAS_AUTHORITY: ClassVar = False
    HAS_QUERY: ClassVar = False

    @property
    def message_id(self) -> str | None:
        """The Message-ID without its angle brackets."""
        return self.path.partition("/")[0]

    @property
    def content_id(self) -> str | None:
        """The Content-ID without its angle brackets, None for the whole message."""
        _, slash, part = self.path.partition("/")
        return part if slash else None

    def components(self) -> Iterator[Component]:
        """Give the identifiers."""
        start, end = self.path_start, self.path_end
        yield Component(start, end, "message-id", bnf.XCHAR, bnf.QUERY, bnf.RFC1630_PATH)

    def departures(self) -> Iterator[Departure]:
        """Say that an identifier has the form of an address."""
        at = self.path_start
        for name in ("message_id", "content_id"):
            identifier = getattr(self, name)
            if identifier is None:
                continue
            left, _, right = identifier.rpartition("@")
            if not left or not right:
                end, rule = at + len(identifier), name.replace("_", "-")
                yield Departure(at, end, rule, "not an identifier", (RFC2392, RFC1630))
            at += len(identifier) + 1


class CidUrl(MidUrl):
    """A part of the message that it stands in, by its Content-ID.

    >>> from urlextract import parse_url
    >>> parse_url("cid:foo4%25foo1@bar.net").decoded("content_id")
    'foo4%foo1@bar.net'
    """

    __slots__ = ()
    FIELDS: ClassVar = ("content_id", "fragment")

    @property
    def message_id(self) -> None:
        """Give None: the message is the one at hand."""
        return

    @property
    def content_id(self) -> str:
        """The Content-ID without its angle brackets."""
        return self.path
