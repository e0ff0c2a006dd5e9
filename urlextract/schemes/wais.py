"""wais: RFC 1738 section 3.9, with the fields of document identifiers in the draft.

::

    waisdatabase = "wais://" hostport "/" database
    waisindex    = "wais://" hostport "/" database "?" search
    waisdoc      = "wais://" hostport "/" database "/" wtype "/" wpath
    wpath        = *uchar                             (RFC 1738)
    wpath        = digits = path ; [ wpath ]          (RFC 1630 and the draft)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, Self, Unpack

from urlextract.grammar import bnf
from urlextract.grammar.bnf import RFC1630, RFC1738, RFC3986, Component, Departure
from urlextract.grammar.patterns import lazy_re
from urlextract.schemes.changing import Components, replaced
from urlextract.schemes.components import part_at
from urlextract.schemes.url import Url


class _WaisComponents(Components, total=False):
    database: str | None
    search: str | None
    wtype: str | None
    wpath: str | None


_WFIELD = lazy_re(r"([0-9]++)=([^;]*+);")
_WFIELDS = lazy_re(r"(?>(?:[0-9]++=[^;]*+;)+)\Z")


class WaisUrl(Url):
    """A WAIS database, a search of it, or a document in it: RFC 1738, section 3.9.

    >>> from urlextract import parse_url
    >>> url = parse_url("wais://quake.think.com/wais-discussion-archives?lynch")
    >>> url.database, url.search, url.wtype
    ('wais-discussion-archives', 'lynch', None)
    >>> parse_url("wais://host/db/TEXT/1=a;2=b%3Bc;").wfields
    (('1', 'a'), ('2', 'b%3Bc'))
    """

    __slots__ = ()
    _FIELDS: ClassVar = (
        "user", "password", "host", "port", "database", "search", "wtype", "wpath", "fragment",
    )  # fmt: skip
    _HAS_LOGIN: ClassVar = False
    _NEEDS_HOST: ClassVar = True
    _IS_ACTED_ON: ClassVar = True
    _HAS_SEGMENTS: ClassVar = False
    _PART_OF: ClassVar = dict.fromkeys(("database", "wtype", "wpath"), ("path",)) | {"search": ("query",)}

    def replace(self, **components: Unpack[_WaisComponents]) -> Self:
        """Return a URL with other components: see `Url.replace`."""
        return replaced(self, components)

    def _part(self, index: int) -> str | None:
        return part_at(self.path.split("/", 3), index)

    @property
    def database(self) -> str | None:
        """The name of the database, None without a path."""
        return self._part(1)

    @property
    def search(self) -> str | None:
        """The words to search for, None if there are none."""
        return self.query

    @property
    def wtype(self) -> str | None:
        """The type of the document, None if the URL names none."""
        return self._part(2)

    @property
    def wpath(self) -> str | None:
        """The identifier of the document, which only the server interprets; None if there is none."""
        return self._part(3)

    @property
    def wfields(self) -> tuple[tuple[str, str], ...] | None:
        """The numbers and contents of the identifier's fields, None if it does not have this form.

        RFC 1630 and the draft define the fields.
        """
        wpath = self.wpath or ""
        return tuple(_WFIELD.findall(wpath)) if _WFIELDS.match(wpath) else None

    def _composed(self, values: Mapping[str, Any]) -> dict[str, str | None]:
        """Return the path of database, type and identifier, and the query of the search."""
        pieces = (values[name] for name in ("database", "wtype", "wpath"))
        path = "".join(f"/{piece}" for piece in pieces if piece is not None)
        return {"path": path, "query": values["search"]}

    def _components(self) -> Iterator[Component]:
        """Yield the database, the type and identifier of the document, and the search."""
        start, end = self._path_start, self._path_end
        slash = self.path.find("/", 1)
        head = start + slash + 1 if slash > 0 else end
        yield Component(start, head, "database", bnf.UCHAR + "/", bnf.PCHAR + "/")
        # In the fields of RFC 1630 and the draft, "=", ";" and "/" are allowed.
        fields = bnf.RFC1630_PATH + "=;" if self.wfields else bnf.RFC1630_PATH
        yield Component(head, end, "wpath", bnf.UCHAR + "/", bnf.PCHAR + "/", fields)
        if self.query is not None:
            stop = end + 1 + len(self.query)
            yield Component(end + 1, stop, "search", bnf.HSEGMENT, bnf.QUERY, bnf.RFC1630_SEARCH)

    def _departures(self) -> Iterator[Departure]:
        """Yield the departures from the three forms of the scheme."""
        start, end = self._path_start, self._path_end
        if not self.database:
            yield Departure(start, end, "waisurl", "no database")
        if self.wtype is not None and self.wpath is None:
            yield Departure(start, end, "waisdoc", "a type, and no document")
        wpath = self.wpath
        if wpath is None:
            return
        at = end - len(wpath)
        if "/" in wpath:
            slash = at + wpath.find("/")
            message = "reserved character unencoded"
            yield Departure(slash, slash + 1, "wpath", message, (RFC1738,))
        if self.wfields is None:
            yield Departure(at, end, "wpath", "fields that are not number, content and semicolon", (RFC1630,))
        if self.query is not None:
            yield Departure(end, end + 1, "waisurl", "a search of a document", (RFC1738, RFC3986))
