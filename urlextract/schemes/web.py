"""http and https: RFC 1738 section 3.3, RFC 3986.

::

    httpurl  = "http://" hostport [ "/" hpath [ "?" search ]]
    hpath    = hsegment *[ "/" hsegment ]
    hsegment = *[ uchar | ";" | ":" | "@" | "&" | "=" ]
    search   = *[ uchar | ";" | ":" | "@" | "&" | "=" ]
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Self, Unpack

from urlextract.grammar import bnf
from urlextract.grammar.bnf import RFC1738, Component, Departure
from urlextract.schemes.changing import Components, replaced
from urlextract.schemes.escapes import decoded_text
from urlextract.schemes.url import Url


class _HttpComponents(Components, total=False):
    search: str | None


class HttpUrl(Url):
    """An ``http`` or ``https`` URL: RFC 1738, section 3.3.

    >>> from urlextract import parse_url
    >>> url = parse_url("http://info.my.org/AboutUs/Index/Phonebook?dobbins")
    >>> url.host, url.port, url.default_port, url.path, url.search
    ('info.my.org', None, 80, '/AboutUs/Index/Phonebook', 'dobbins')
    """

    __slots__ = ()
    _FIELDS: ClassVar = ("user", "password", "host", "port", "path", "search", "fragment")
    _NEEDS_HOST: ClassVar = True
    _HAS_LOGIN: ClassVar = False
    _PART_OF: ClassVar = {"search": ("query",)}

    def replace(self, **components: Unpack[_HttpComponents]) -> Self:
        """Return a URL with other components: see `Url.replace`."""
        return replaced(self, components)

    @property
    def search(self) -> str | None:
        """The query by its name in RFC 1738: the text after ``?``, None if there is none."""
        return self.query

    @property
    def params(self) -> tuple[tuple[str, str], ...]:
        """The names and values in the query, decoded as ``application/x-www-form-urlencoded``.

        So "+" is a blank, a name without "=" has the value "", octets that are not UTF-8 become U+FFFD,
        and empty parts count for nothing: URL Standard (WHATWG), section 5.1. The order is that of
        the text, and names may recur. () if there is no query.

        >>> from urlextract import parse_url
        >>> parse_url("http://example.org/?q=two+words&q=%C3%A9&all").params
        (('q', 'two words'), ('q', 'é'), ('all', ''))
        """
        parts = (part.replace("+", " ").partition("=") for part in (self.query or "").split("&") if part)
        return tuple((decoded_text(name), decoded_text(value)) for name, _, value in parts)

    def _components(self) -> Iterator[Component]:
        """Yield the path and the search."""
        start, end = self._path_start, self._path_end
        yield Component(start, end, "hsegment", bnf.HSEGMENT + "/", bnf.PCHAR + "/")
        if self.query is not None:
            stop = end + 1 + len(self.query)
            yield Component(end + 1, stop, "search", bnf.HSEGMENT, bnf.QUERY, bnf.RFC1630_SEARCH)

    def _departures(self) -> Iterator[Departure]:
        """Yield a departure if there is no slash before a search, which only RFC 1738 requires."""
        if self.query is not None and not self.path:
            yield Departure(
                self._path_end, self._path_end + 1, "httpurl", 'no "/" before the search', (RFC1738,)
            )

    def _same_path(self) -> str:
        """Return the path for comparison; an empty path is the same as "/" (section 3.3)."""
        return self.path or "/"
