"""http and https: RFC 1738 section 3.3, RFC 3986.

::

    httpurl  = "http://" hostport [ "/" hpath [ "?" search ]]
    hpath    = hsegment *[ "/" hsegment ]
    hsegment = *[ uchar | ";" | ":" | "@" | "&" | "=" ]
    search   = *[ uchar | ";" | ":" | "@" | "&" | "=" ]
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from urlextract.grammar import bnf
from urlextract.grammar.bnf import RFC1738, Component, Departure
from urlextract.schemes.value import Url

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["HttpUrl"]


class HttpUrl(Url):
    """An ``http`` or ``https`` URL: RFC 1738, section 3.3.

    >>> from urlextract import parse_url
    >>> url = parse_url("http://info.my.org/AboutUs/Index/Phonebook?dobbins")
    >>> url.host, url.port, url.default_port, url.path, url.search
    ('info.my.org', None, 80, '/AboutUs/Index/Phonebook', 'dobbins')
    """

    __slots__ = ()
    FIELDS: ClassVar = ("user", "password", "host", "port", "path", "search", "fragment")
    NEEDS_HOST: ClassVar = True
    HAS_LOGIN: ClassVar = False

    @property
    def search(self) -> str | None:
        """The text after ``?``, None if there is none; RFC 3986 calls it the query."""
        return self.query

    def components(self) -> Iterator[Component]:
        """Yield the path and the search."""
        start, end = self.path_start, self.path_end
        yield Component(start, end, "hsegment", bnf.HSEGMENT + "/", bnf.PCHAR + "/")
        if self.query is not None:
            stop = end + 1 + len(self.query)
            yield Component(end + 1, stop, "search", bnf.HSEGMENT, bnf.QUERY, bnf.RFC1630_SEARCH)

    def departures(self) -> Iterator[Departure]:
        """Yield a departure if there is no slash before a search, which only RFC 1738 requires."""
        if self.query is not None and not self.path:
            yield Departure(
                self.path_end, self.path_end + 1, "httpurl", 'no "/" before the search', (RFC1738,)
            )

    def same_path(self) -> str:
        """Return the path for comparison; an empty path is the same as "/" (section 3.3)."""
        return self.path or "/"
