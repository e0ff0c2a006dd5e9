r"""gopher: RFC 1738 section 3.4, with the requests of the draft.

::

    gopherurl = "gopher://" hostport [ "/" [ gtype [ selector
                [ "%09" search [ "%09" gopher+_string ] ] ] ] ]
    gtype     = xchar
    selector  = *xchar

No character is reserved after the host, so "?" does not begin a query.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, ClassVar, Self, Unpack

from urlextract.grammar import bnf
from urlextract.grammar.bnf import Component
from urlextract.grammar.patterns import lazy_re
from urlextract.schemes.changing import Components, replaced
from urlextract.schemes.components import part_at
from urlextract.schemes.escapes import decoded_octets, sendable
from urlextract.schemes.url import Url


class _GopherComponents(Components, total=False):
    gtype: str
    selector: str
    search: str | None
    gopher_plus: str | None


_TAB = lazy_re("%09|\t")
_GTYPE = lazy_re(r"%[0-9A-Fa-f]{2}|.", re.DOTALL)
# A filled-in form (ASK): the view, a flag for the data after it, the data, a full stop.
_FORM = lazy_re(rb"\+[^\t\r\n\0]*\t1\r\n\+-1\r\n((?:(?!\.\r)[^\r\n\0]*\r\n)*)\.\r\n\Z")


class GopherUrl(Url):
    """An item, a directory or a search of Gopher or Gopher+: RFC 1738, section 3.4.

    >>> from urlextract import parse_url
    >>> url = parse_url("gopher://gopher.example/7a_gopher_selector%09foobar")
    >>> url.gtype, url.selector, url.search, url.gopher_plus
    ('7', 'a_gopher_selector', 'foobar', None)
    """

    __slots__ = ()
    _FIELDS: ClassVar = (
        "user", "password", "host", "port", "gtype", "selector", "search", "gopher_plus", "fragment",
    )  # fmt: skip
    _HAS_QUERY: ClassVar = False
    _HAS_LOGIN: ClassVar = False
    _NEEDS_HOST: ClassVar = True
    _HAS_SEGMENTS: ClassVar = False
    _PART_OF: ClassVar = dict.fromkeys(("gtype", "selector", "search", "gopher_plus"), ("path",))

    def replace(self, **components: Unpack[_GopherComponents]) -> Self:
        """Return a URL with other components: see `Url.replace`."""
        return replaced(self, components)

    def _pieces(self) -> list[tuple[int, str]]:
        """Return the offset and text of selector, search and Gopher+ string, as far as they are present."""
        at = min(1, len(self.path)) + len(self._given_type)
        pieces: list[tuple[int, str]] = []
        while len(pieces) < 2 and (tab := _TAB.search(self.path, at)):
            pieces.append((self._path_start + at, self.path[at : tab.start()]))
            at = tab.end()
        return [*pieces, (self._path_start + at, self.path[at:])]

    @property
    def _given_type(self) -> str:
        match = _GTYPE.match(self.path, 1)
        return match.group() if match else ""

    def _piece(self, index: int) -> str | None:
        return part_at([piece for _, piece in self._pieces()], index)

    @property
    def gtype(self) -> str:
        """The type of the item, one character or its escape; "1", a directory, if there is none."""
        return self._given_type or "1"

    @property
    def selector(self) -> str:
        """The name of the item that the client sends; empty for the top directory of the server."""
        return self._pieces()[0][1]

    @property
    def search(self) -> str | None:
        """The words to search for, None if there are none."""
        return self._piece(1)

    @property
    def gopher_plus(self) -> str | None:
        """The Gopher+ string (a view, attributes or a form), None if there is none."""
        return self._piece(2)

    @property
    def view(self) -> str | None:
        """The requested view, decoded; "" for the default view, None for no view (section 3.4.8).

        >>> from urlextract import parse_url
        >>> url = parse_url("gopher://host/0x%09%09+application/postscript%20Es_ES")
        >>> url.view, url.language
        ('application/postscript', 'Es_ES')
        """
        name = self._view_line()
        return None if name is None else name.partition(" ")[0]

    @property
    def language(self) -> str | None:
        """The language of the view, decoded; None if there is none."""
        return (self._view_line() or "").partition(" ")[2] or None

    def _view_line(self) -> str | None:
        plus = self.decoded("gopher_plus")
        return plus[1:].partition("\t")[0] if plus and plus[0] == "+" else None

    @property
    def attributes(self) -> tuple[str, ...] | None:
        """The requested attributes, decoded; () for all, None for none (section 3.4.7).

        >>> from urlextract import parse_url
        >>> parse_url("gopher://host/0x%09%09!+ABSTRACT%20+SMELL").attributes
        ('+ABSTRACT', '+SMELL')
        """
        plus = self.decoded("gopher_plus")
        return tuple(plus[1:].split()) if plus and plus[0] in "!$" else None

    @property
    def form(self) -> tuple[str, ...] | None:
        """The lines of a filled-in form, decoded; None if there is no form (section 3.4.9).

        >>> from urlextract import parse_url
        >>> parse_url("gopher://host/0x%09%09+%091%0D%0A+-1%0D%0Aone%0D%0Atwo%0D%0A.%0D%0A").form
        ('one', 'two')
        """
        match = _FORM.match(decoded_octets(self.gopher_plus or ""))
        return tuple(match[1].decode("utf-8", "replace").split("\r\n")[:-1]) if match else None

    def _composed(self, values: Mapping[str, Any]) -> dict[str, str | None]:
        """Return the path of type, selector, search and Gopher+ string, separated by tabs."""
        pieces = (values["selector"], values["search"], values["gopher_plus"])
        return {"path": f"/{values['gtype']}" + "%09".join(piece for piece in pieces if piece is not None)}

    def request(self, *, unsafe: bool = False) -> bytes:
        r"""Return the bytes that a client sends to request the item.

        Raise `UrlSyntaxError` for a line end or NUL, except in a filled-in form, unless ``unsafe``.

        >>> from urlextract import parse_url
        >>> parse_url("gopher://host/7a_gopher_selector%09foobar").request()
        b'a_gopher_selector\tfoobar\r\n'
        >>> parse_url("gopher://host/0a_gopher_selector%09%09!").request()
        b'a_gopher_selector\t!\r\n'
        """
        pieces = self._pieces()
        form = _FORM.match(decoded_octets(pieces[2][1])) if len(pieces) > 2 else None
        sent = [
            sendable(piece, self.text, at, unsafe=unsafe or bool(form and index == 2))
            for index, (at, piece) in enumerate(pieces)
        ]
        # Section 3.4.9 and the draft: an empty search before a Gopher+ string is not sent.
        line = b"\t".join(piece for index, piece in enumerate(sent) if index != 1 or piece)
        return line if form else line + b"\r\n"

    def _acted_on(self) -> Iterable[tuple[int, int]]:
        """Return the span of the path without a filled-in form, in which line ends are allowed."""
        pieces = self._pieces()
        return ((self._path_start, pieces[2][0] if self.form is not None else self._path_end),)

    def _components(self) -> Iterator[Component]:
        """Yield the path, in which nothing is reserved."""
        start = self._path_start
        yield Component(start, self._path_end, "selector", bnf.XCHAR, bnf.QUERY, bnf.XCHAR)

    def _same_path(self) -> str:
        """Return the path for comparison; an empty one is the top directory (section 3.4.1)."""
        return self.path if len(self.path) > 1 else "/1"
