"""man, info, ghelp, whatis, about and toc: the schemes of uri(7) for the documentation of a system.

::

    man:command-name          info:virtual-filename          info:(virtual-filename)
    man:command-name(section) info:virtual-filename#nodename info:(virtual-filename)nodename
    whatis:string             ghelp:name-of-application      about:subject   toc:subject
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, Self, Unpack

from urlextract.grammar import bnf
from urlextract.grammar.bnf import RFC3986, URI7, Component, Departure
from urlextract.grammar.patterns import lazy_re
from urlextract.schemes.changing import Components, replaced
from urlextract.schemes.url import Url


class _ManComponents(Components, total=False):
    name: str
    section: str | None


class _InfoComponents(Components, total=False):
    name: str
    node: str | None


class _WhatisComponents(Components, total=False):
    word: str


class _AboutComponents(Components, total=False):
    subject: str


_BOTH = (URI7, RFC3986)
_PAGE = lazy_re(r"(?P<name>[^()/]*)(?:\((?P<section>[^()]*)\))?\Z")
_KDE = lazy_re(r"\((?P<name>[^()]*)\)(?P<node>.*)\Z", re.DOTALL)


class _Local(Url):
    """The base class: a name without a server."""

    __slots__ = ()
    GRAMMARS: ClassVar = (URI7, RFC3986)
    _HAS_AUTHORITY: ClassVar = False
    _HAS_QUERY: ClassVar = False

    def _components(self) -> Iterator[Component]:
        """Yield the path."""
        yield Component(self._path_start, self._path_end, "character encoding", bnf.QUERY, bnf.QUERY)


class ManUrl(_Local):
    """A ``man`` URL, as in uri(7): a page of the manual.

    >>> from urlextract import parse_url
    >>> url = parse_url("man:ls(1)")
    >>> url.name, url.section
    ('ls', '1')
    """

    __slots__ = ()
    _FIELDS: ClassVar = ("name", "section", "fragment")
    _PART_OF: ClassVar = dict.fromkeys(("name", "section"), ("path",))

    def replace(self, **components: Unpack[_ManComponents]) -> Self:
        """Return a URL with other components: see `Url.replace`."""
        return replaced(self, components)

    @property
    def name(self) -> str:
        """The name of the page."""
        match = _PAGE.match(self.path)
        return match["name"] if match else self.path

    @property
    def section(self) -> str | None:
        """The section of the manual, None for any section."""
        match = _PAGE.match(self.path)
        return match["section"] if match else None

    def _composed(self, values: Mapping[str, Any]) -> dict[str, str | None]:
        """Return the path of name and section."""
        return {"path": values["name"] + ("" if values["section"] is None else f"({values['section']})")}

    def _departures(self) -> Iterator[Departure]:
        """Yield the departures of name and section."""
        if not self.name or self.section == "" or not _PAGE.match(self.path):
            start, end = self._path_start, self._path_end
            yield Departure(start, end, "man", "not a name with a section after it", _BOTH)


class InfoUrl(_Local):
    """An ``info`` or ``ghelp`` URL, as in uri(7): a node of an info file, in the form of GNOME or KDE.

    >>> from urlextract import parse_url
    >>> gnome, kde = parse_url("info:gcc#G++_and_GCC"), parse_url("info:(gcc)G++ and GCC")
    >>> gnome.name, gnome.node, kde.name, kde.node
    ('gcc', 'G++_and_GCC', 'gcc', 'G++ and GCC')
    """

    __slots__ = ()
    _FIELDS: ClassVar = ("name", "node", "fragment")
    _PART_OF: ClassVar = {"name": ("path",), "node": ("path", "fragment")}

    def replace(self, **components: Unpack[_InfoComponents]) -> Self:
        """Return a URL with other components: see `Url.replace`."""
        return replaced(self, components)

    @property
    def name(self) -> str:
        """The name of the file."""
        match = _KDE.match(self.path)
        return match["name"] if match else self.path

    @property
    def node(self) -> str | None:
        """The node, None for "Top"; KDE writes blanks in it, GNOME underscores."""
        match = _KDE.match(self.path)
        return (match["node"] or None) if match else self.fragment

    def _composed(self, values: Mapping[str, Any]) -> dict[str, str | None]:
        """Return the path of name and node, or in the form of GNOME the fragment of the node."""
        name, node = values["name"], values["node"]
        return (
            {"path": f"({name}){node or ''}"} if _KDE.match(self.path) else {"path": name, "fragment": node}
        )

    def _components(self) -> Iterator[Component]:
        """Yield the path; in the form of KDE it may have blanks."""
        is_kde = _KDE.match(self.path) is not None
        own = bnf.QUERY + " " if is_kde else ""
        yield Component(self._path_start, self._path_end, "info", bnf.QUERY, bnf.QUERY, uri7=own)

    def _departures(self) -> Iterator[Departure]:
        """Yield a departure if there is no name of a file."""
        is_open = self.path.startswith("(") and not _KDE.match(self.path)
        if not self.name or is_open or self.path.startswith("//"):
            yield Departure(self._path_start, self._path_end, "info", "no name of a file", _BOTH)


class WhatisUrl(_Local):
    """A ``whatis`` URL, as in uri(7): a word to look up in the descriptions of commands.

    >>> from urlextract import parse_url
    >>> parse_url("whatis:ed").word
    'ed'
    """

    __slots__ = ()
    _FIELDS: ClassVar = ("word", "fragment")
    _PART_OF: ClassVar = {"word": ("path",)}

    def replace(self, **components: Unpack[_WhatisComponents]) -> Self:
        """Return a URL with other components: see `Url.replace`."""
        return replaced(self, components)

    @property
    def word(self) -> str:
        """The word to look up."""
        return self.path


class AboutUrl(_Local):
    """An ``about`` or ``toc`` URL, as in uri(7): a page that the program generates itself.

    >>> from urlextract import parse_url
    >>> url = parse_url("about:config?filter=font")
    >>> url.subject, url.query
    ('config', 'filter=font')
    """

    __slots__ = ()
    _FIELDS: ClassVar = ("subject", "query", "fragment")
    _HAS_QUERY: ClassVar = True
    _PART_OF: ClassVar = {"subject": ("path",)}

    def replace(self, **components: Unpack[_AboutComponents]) -> Self:
        """Return a URL with other components: see `Url.replace`."""
        return replaced(self, components)

    @property
    def subject(self) -> str:
        """The subject of the page."""
        return self.path

    def _components(self) -> Iterator[Component]:
        """Yield the path and the query."""
        yield from super()._components()
        if self.query is not None:
            start = self._path_end + 1
            yield Component(start, start + len(self.query), "character encoding", bnf.QUERY, bnf.QUERY)
