"""news, snews, nntp and nntps: RFC 1738 sections 3.6 and 3.7, RFC 5538, and the draft.

::

    newsurl   = "news:" grouppart
    grouppart = "*" | group | article
    group     = alpha *[ alpha | digit | "-" | "." | "+" | "_" ]
    article   = 1*[ uchar | ";" | "/" | "?" | ":" | "&" | "=" ] "@" host
    nntpurl   = "nntp://" hostport "/" group [ "/" digits ]

In RFC 5538 a news URL may have a server; in the draft an nntp URL has none::

    newsURL     = scheme ":" [ news-server ] [ refs ]
    nntpaddress = n n t p : group / digits
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, Self, Unpack

from urlextract.grammar import bnf
from urlextract.grammar.bnf import RFC1630, RFC1738, RFC3986, RFC5538, Component, Departure
from urlextract.grammar.patterns import lazy_re
from urlextract.schemes.changing import Components, replaced
from urlextract.schemes.url import Url


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
_ALL = (RFC1738, RFC5538, RFC1630)
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

    def _departures(self) -> Iterator[Departure]:
        """Yield the departures of the group or the article, and of the server, which only RFC 5538 has."""
        start, end, part = self._path_start, self._path_end, self._part
        at = end - len(part)
        if self.host is not None:
            place, message = self.text.find("//"), "a server, which only RFC 5538 has"
            yield Departure(place, start, "newsurl", message, (RFC1738, RFC1630))
            if not part:  # the server, with all its groups
                return
        if self.article is not None:
            yield from self._article_departures(at, end)
        elif part != "*":
            if not _GROUP.match(part):
                yield Departure(at, end, "group", "not the name of a group", (RFC1738,))
            if not _WILDMAT.match(part):
                yield Departure(at, end, "newsgroups", "not the name of a group", (RFC5538,))
            if not _DRAFT_GROUP.match(part):
                yield Departure(at, end, "group", "not the name of a group", (RFC1630,))

    def _article_departures(self, start: int, end: int) -> Iterator[Departure]:
        unique, _, host = self._part.rpartition("@")
        if not unique or not host:
            yield Departure(start, end, "article", 'nothing on one side of the "@"', _ALL)
        if "%" in host:
            message = "an escape, which a host does not have"
            yield Departure(end - len(host), end, "host", message, (RFC1738, RFC1630))


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

    def _departures(self) -> Iterator[Departure]:
        """Yield the departures of the group and the number, and of the server, which the draft lacks."""
        start, end = self._path_start, self._path_end
        if self.host is None:
            message = "no server, which the draft alone allows"
            yield Departure(start, end, "nntpurl", message, (RFC1738, RFC3986))
        else:
            message = "a server, which the draft does not have"
            yield Departure(start, start, "nntpaddress", message, (RFC1630,))
        group, article = self.group, self.article
        at = end - len(self._part)
        if group is None or not (_GROUP.match(group) or (group == "*" and article is None)):
            size = len(group or "")
            yield Departure(at, at + size, "group", "not the name of a group")
        if article is not None and not _DIGITS.match(article):
            yield Departure(end - len(article), end, "nntpurl", "not the number of an article")
