"""man, info, ghelp, whatis, about and toc: the schemes of uri(7) for the documentation of a system.

::

    man:command-name          info:virtual-filename          info:(virtual-filename)
    man:command-name(section) info:virtual-filename#nodename info:(virtual-filename)nodename
    whatis:string             ghelp:name-of-application      about:subject   toc:subject
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, ClassVar

from urlextract.grammar import bnf
from urlextract.grammar.bnf import RFC3986, URI7, Component, Departure
from urlextract.grammar.patterns import lazy_re
from urlextract.schemes.value import Url

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["AboutUrl", "InfoUrl", "ManUrl", "WhatisUrl"]

_BOTH = (URI7, RFC3986)
_PAGE = lazy_re(r"(?P<name>[^()/]*)(?:\((?P<section>[^()]*)\))?\Z")
_KDE = lazy_re(r"\((?P<name>[^()]*)\)(?P<node>.*)\Z", re.DOTALL)


class _Local(Url):
    """The base class: a name without a server."""

    __slots__ = ()
    GRAMMARS: ClassVar = (URI7, RFC3986)
    HAS_AUTHORITY: ClassVar = False
    HAS_QUERY: ClassVar = False

    def components(self) -> Iterator[Component]:
        """Yield the path."""
        yield Component(self.path_start, self.path_end, "character encoding", bnf.QUERY, bnf.QUERY)


class ManUrl(_Local):
    """A ``man`` URL, as in uri(7): a page of the manual.

    >>> from urlextract import parse_url
    >>> url = parse_url("man:ls(1)")
    >>> url.name, url.section
    ('ls', '1')
    """

    __slots__ = ()
    FIELDS: ClassVar = ("name", "section", "fragment")

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

    def departures(self) -> Iterator[Departure]:
        """Yield the departures of name and section."""
        if not self.name or self.section == "" or not _PAGE.match(self.path):
            start, end = self.path_start, self.path_end
            yield Departure(start, end, "man", "not a name with a section behind it", _BOTH)


class InfoUrl(_Local):
    """An ``info`` or ``ghelp`` URL, as in uri(7): a node of an info file, in the form of GNOME or KDE.

    >>> from urlextract import parse_url
    >>> gnome, kde = parse_url("info:gcc#G++_and_GCC"), parse_url("info:(gcc)G++ and GCC")
    >>> gnome.name, gnome.node, kde.name, kde.node
    ('gcc', 'G++_and_GCC', 'gcc', 'G++ and GCC')
    """

    __slots__ = ()
    FIELDS: ClassVar = ("name", "node", "fragment")

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

    def components(self) -> Iterator[Component]:
        """Yield the path; in the form of KDE it may have blanks."""
        is_kde = _KDE.match(self.path) is not None
        own = bnf.QUERY + " " if is_kde else ""
        yield Component(self.path_start, self.path_end, "info", bnf.QUERY, bnf.QUERY, uri7=own)

    def departures(self) -> Iterator[Departure]:
        """Yield a departure if there is no name of a file."""
        is_open = self.path.startswith("(") and not _KDE.match(self.path)
        if not self.name or is_open or self.path.startswith("//"):
            yield Departure(self.path_start, self.path_end, "info", "no name of a file", _BOTH)


class WhatisUrl(_Local):
    """A ``whatis`` URL, as in uri(7): a word to look up in the descriptions of commands.

    >>> from urlextract import parse_url
    >>> parse_url("whatis:ed").word
    'ed'
    """

    __slots__ = ()
    FIELDS: ClassVar = ("word", "fragment")

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
    FIELDS: ClassVar = ("subject", "query", "fragment")
    HAS_QUERY: ClassVar = True

    @property
    def subject(self) -> str:
        """The subject of the page."""
        return self.path

    def components(self) -> Iterator[Component]:
        """Yield the path and the query."""
        yield from super().components()
        if self.query is not None:
            start = self.path_end + 1
            yield Component(start, start + len(self.query), "character encoding", bnf.QUERY, bnf.QUERY)
