"""The types of the schemes of mail and news: mailto, mid, cid, news, nntp."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, Self, Unpack

from urlextract.grammar import bnf
from urlextract.grammar.bnf import (
    RFC1630,
    RFC1738,
    RFC2392,
    RFC3986,
    RFC5538,
    RFC6068,
    Component,
    StructuralViolation,
)
from urlextract.grammar.patterns import lazy_re
from urlextract.schemes.changing import Components, replaced
from urlextract.schemes.url import Url

# mailto, mid and cid: RFC 1738 section 3.5, RFC 6068, RFC 2392.
#
#     mailtoURI = "mailto:" [ to ] [ hfields ]
#     to        = addr-spec *("," addr-spec )
#     hfields   = "?" hfield *( "&" hfield )
#     hfield    = hfname "=" hfvalue
#     mid-url   = "mid" ":" message-id [ "/" content-id ]
#     cid-url   = "cid" ":" content-id
#
# In RFC 1738 and RFC 1630 a mailto URL is a single address.


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

    def _structural_violations(self) -> Iterator[StructuralViolation]:
        """Yield the violations of the addresses, and of the header fields, which only RFC 6068 has."""
        at, end = self._path_start, self._path_end
        for address in self.addresses:
            if not _ADDRESS.match(address):
                yield StructuralViolation(at, at + len(address), "addr-spec", "not an address", _ALL)
            at += len(address) + 1
        if not self.addresses:
            yield StructuralViolation(end, end, "encoded822addr", "no address", (RFC1738, RFC1630))
        if len(self.addresses) > 1:
            message = "several addresses, which RFC 6068 alone has"
            yield StructuralViolation(self._path_start, end, "encoded822addr", message, (RFC1738, RFC1630))
        if self.query is not None:
            message, stop = "header fields, which RFC 6068 alone has", end + 1 + len(self.query)
            yield StructuralViolation(end, stop, "encoded822addr", message, (RFC1738, RFC1630))
            if not self.query:
                yield StructuralViolation(end, stop, "hfields", "no header field", (RFC6068, RFC3986))
        yield from self._header_violations()

    def _header_violations(self) -> Iterator[StructuralViolation]:
        for start, _, value_start, value in self._headers():
            if value is None:
                yield StructuralViolation(
                    start, value_start, "hfield", "a field without a value", (RFC6068, RFC3986)
                )
            elif "=" in value:
                at = value_start + value.find("=")
                message = "reserved character unencoded"
                yield StructuralViolation(at, at + 1, "hfvalue", message, (RFC6068, RFC3986))

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

    def _structural_violations(self) -> Iterator[StructuralViolation]:
        """Yield the violations of identifiers that do not have the form of an address."""
        at = self._path_start
        for name in ("message_id", "content_id"):
            identifier = getattr(self, name)
            if identifier is None:
                continue
            if not _ADDRESS.match(identifier):
                rule = name.replace("_", "-")
                yield StructuralViolation(at, at + len(identifier), rule, "not an identifier", _OF_MID)
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


# news, snews, nntp and nntps: RFC 1738 sections 3.6 and 3.7, RFC 5538, and the draft.
#
#     newsurl   = "news:" grouppart
#     grouppart = "*" | group | article
#     group     = alpha *[ alpha | digit | "-" | "." | "+" | "_" ]
#     article   = 1*[ uchar | ";" | "/" | "?" | ":" | "&" | "=" ] "@" host
#     nntpurl   = "nntp://" hostport "/" group [ "/" digits ]
#
# In RFC 5538 a news URL may have a server; in the draft an nntp URL has none:
#
#     newsURL     = scheme ":" [ news-server ] [ refs ]
#     nntpaddress = n n t p : group / digits


class _NewsComponents(Components, total=False):
    group: str | None
    article: str | None
    numbers: str | None


class _NntpComponents(Components, total=False):
    group: str | None
    article: str | None


_WILDMAT = lazy_re(r"(?:[A-Za-z0-9.+_*?!,-]|%[0-9A-Fa-f]{2})+\Z")
_GROUP = lazy_re(r"[A-Za-z][A-Za-z0-9.+_-]*\Z")
_DRAFT_GROUP = lazy_re(rf"[A-Za-z](?:[{bnf.RFC1630_SEARCH}]|%[0-9A-Fa-f]{{2}})*\Z")
_OF_NEWS = (RFC1738, RFC5538, RFC1630)
_NUMBERS = lazy_re(r"/([0-9]++(?:-[0-9]*+)?)\Z")
_DIGITS = lazy_re(r"[0-9]+\Z")
_WITHOUT_HOST = lazy_re(r"[A-Za-z][^/]*/[0-9]+\Z")


class _News(Url):
    """The base class: a group or an article, with or without a server."""

    __slots__ = ()
    _HAS_QUERY: ClassVar = False
    _HAS_LOGIN: ClassVar = False
    _HAS_SEGMENTS: ClassVar = False
    _IS_ACTED_ON: ClassVar = True

    @property
    def _part(self) -> str:
        return self.path[1:] if self.host is not None else self.path

    def _path_of(self, part: str, values: Mapping[str, Any]) -> dict[str, str | None]:
        """Return the path of a group or an article: it has a slash before it if there is a server."""
        is_empty = not part and not self.path
        return {"path": part if values["host"] is None or is_empty else f"/{part}"}


class NewsUrl(_News):
    """A newsgroup, all newsgroups ("*"), or an article by its Message-ID: RFC 1738, section 3.6.

    >>> from urlextract import parse_url
    >>> url = parse_url("news:comp.infosystems.www.misc")
    >>> url.group, url.article
    ('comp.infosystems.www.misc', None)
    >>> parse_url("news:9405121234.AA123@cern.ch").article
    '9405121234.AA123@cern.ch'
    """

    __slots__ = ()
    _FIELDS: ClassVar = (
        "user", "password", "host", "port", "group", "article", "numbers", "fragment",
    )  # fmt: skip
    GRAMMARS: ClassVar = (RFC1738, RFC5538, RFC1630)
    _PART_OF: ClassVar = dict.fromkeys(("host", "group", "article", "numbers"), ("path",))
    _STANDARDS: ClassVar = Url._STANDARDS | {RFC5538: "RFC 5538, section 2"}

    def replace(self, **components: Unpack[_NewsComponents]) -> Self:
        """Return a URL with other components: see `Url.replace`."""
        return replaced(self, components)

    @property
    def group(self) -> str | None:
        """The group, "*" for all groups, None for an article."""
        return None if "@" in self._part else _NUMBERS.sub("", self._part)

    @property
    def article(self) -> str | None:
        """The Message-ID without its angle brackets, None for a group; only a Message-ID has an "@"."""
        return self._part if "@" in self._part else None

    @property
    def numbers(self) -> str | None:
        """The numbers of articles in the group, such as "1-5" or "7", else None; no standard has them."""
        match = _NUMBERS.search(self._part)
        return match[1] if match and "@" not in self._part else None

    def _composed(self, values: Mapping[str, Any]) -> dict[str, str | None]:
        """Return the path of the group with its numbers, or of the article."""
        group, article, numbers = (values[name] for name in ("group", "article", "numbers"))
        part = (group or "") + ("" if numbers is None else f"/{numbers}") + (article or "")
        return self._path_of(part, values)

    def _components(self) -> Iterator[Component]:
        """Yield the group or the article."""
        start, end = self._path_start, self._path_end
        if self.article is not None:
            at = self.text.rfind("@", start, end)
            yield Component(start, at, "article", bnf.UCHAR + ";/?:&=", bnf.PCHAR + "/", bnf.RFC1630_SEARCH)
            yield Component(at + 1, end, "host", bnf.HOST, bnf.PCHAR, bnf.HOST)
        else:
            yield Component(start, end, "grouppart", bnf.XCHAR, bnf.PCHAR + "/", bnf.XCHAR)

    def _structural_violations(self) -> Iterator[StructuralViolation]:
        """Yield the violations of the group or the article, and of the server, which only RFC 5538 has."""
        start, end, part = self._path_start, self._path_end, self._part
        at = end - len(part)
        if self.host is not None:
            place, message = self.text.find("//"), "a server, which only RFC 5538 has"
            yield StructuralViolation(place, start, "newsurl", message, (RFC1738, RFC1630))
            if not part:  # the server, with all its groups
                return
        if self.article is not None:
            yield from self._article_violations(at, end)
        elif part != "*":
            if not _GROUP.match(part):
                yield StructuralViolation(at, end, "group", "not the name of a group", (RFC1738,))
            if not _WILDMAT.match(part):
                yield StructuralViolation(at, end, "newsgroups", "not the name of a group", (RFC5538,))
            if not _DRAFT_GROUP.match(part):
                yield StructuralViolation(at, end, "group", "not the name of a group", (RFC1630,))

    def _article_violations(self, start: int, end: int) -> Iterator[StructuralViolation]:
        unique, _, host = self._part.rpartition("@")
        if not unique or not host:
            yield StructuralViolation(start, end, "article", 'nothing on one side of the "@"', _OF_NEWS)
        if "%" in host:
            message = "an escape, which a host does not have"
            yield StructuralViolation(end - len(host), end, "host", message, (RFC1738, RFC1630))


class NntpUrl(_News):
    """An article by its number in a group of one server: RFC 1738, section 3.7.

    >>> from urlextract import parse_url
    >>> url = parse_url("nntp://news.cern.ch/cern.computing/1234")
    >>> url.host, url.group, url.article, url.default_port
    ('news.cern.ch', 'cern.computing', '1234', 119)
    >>> parse_url("nntp:cern.computing/1234").grammars
    ('rfc1630',)
    """

    __slots__ = ()
    _FIELDS: ClassVar = ("user", "password", "host", "port", "group", "article", "fragment")
    _PART_OF: ClassVar = dict.fromkeys(("host", "group", "article"), ("path",))
    _NEEDS_HOST: ClassVar = True

    def replace(self, **components: Unpack[_NntpComponents]) -> Self:
        """Return a URL with other components: see `Url.replace`."""
        return replaced(self, components)

    @classmethod
    def _allow_no_authority(cls, text: str, path: str) -> None:
        if not _WITHOUT_HOST.match(path):  # the draft's form
            super()._allow_no_authority(text, path)

    @property
    def group(self) -> str | None:
        """The group, None for the server as a whole."""
        return self._part.partition("/")[0] if self.path else None

    @property
    def article(self) -> str | None:
        """The number of the article in the group, None for the whole group."""
        _, slash, article = self._part.partition("/")
        return article if slash else None

    def _composed(self, values: Mapping[str, Any]) -> dict[str, str | None]:
        """Return the path of group and number, which is empty without a group."""
        group, article = values["group"], values["article"]
        part = (group or "") + ("" if article is None else f"/{article}")
        return {"path": ""} if group is None else self._path_of(part, values)

    def _components(self) -> Iterator[Component]:
        """Yield the group and the number."""
        start, end = self._path_start, self._path_end
        yield Component(start, end, "nntpurl", bnf.UCHAR + "/", bnf.PCHAR + "/", bnf.RFC1630_PATH)

    def _structural_violations(self) -> Iterator[StructuralViolation]:
        """Yield the violations of the group and the number, and of the server, which the draft lacks."""
        start, end = self._path_start, self._path_end
        if self.host is None:
            message = "no server, which the draft alone allows"
            yield StructuralViolation(start, end, "nntpurl", message, (RFC1738, RFC3986))
        else:
            message = "a server, which the draft does not have"
            yield StructuralViolation(start, start, "nntpaddress", message, (RFC1630,))
        group, article = self.group, self.article
        at = end - len(self._part)
        if group is None or not (_GROUP.match(group) or (group == "*" and article is None)):
            size = len(group or "")
            yield StructuralViolation(at, at + size, "group", "not the name of a group")
        if article is not None and not _DIGITS.match(article):
            yield StructuralViolation(end - len(article), end, "nntpurl", "not the number of an article")
