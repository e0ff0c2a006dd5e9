"""telnet, rlogin and tn3270: RFC 1738 section 3.8, and the draft.

::

    telneturl = "telnet://" login [ "/" ]
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from urlextract.grammar import bnf
from urlextract.grammar.bnf import Component, Departure
from urlextract.schemes.url import Url


class TelnetUrl(Url):
    """An interactive service: RFC 1738, section 3.8.

    User and password are advice to the person who logs in.

    >>> from urlextract import parse_url
    >>> url = parse_url("telnet://guest:guest@locis.loc.gov/")
    >>> url.user, url.password, url.host, url.default_port
    ('guest', 'guest', 'locis.loc.gov', 23)
    """

    __slots__ = ()
    _FIELDS: ClassVar = ("user", "password", "host", "port", "path", "fragment")
    _HAS_QUERY: ClassVar = False
    _NEEDS_HOST: ClassVar = True
    _IS_ACTED_ON: ClassVar = True
    _HAS_SEGMENTS: ClassVar = False

    def _components(self) -> Iterator[Component]:
        """Yield the path."""
        yield Component(self._path_start, self._path_end, "telneturl", bnf.XCHAR, bnf.QUERY, bnf.XCHAR)

    def _departures(self) -> Iterator[Departure]:
        """Yield a departure if there is more than a slash after the login."""
        if self.path not in ("", "/"):
            message = "a path, which a login does not have"
            yield Departure(self._path_start, self._path_end, "telneturl", message)

    def _same_path(self) -> str:
        """Return the path for comparison; an empty path is the same as "/" (section 3.8)."""
        return self.path or "/"
