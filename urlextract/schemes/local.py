"""The types of the schemes of one machine: man, info, whatis, about, file, afs."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, Self, Unpack

from urlextract.grammar import bnf
from urlextract.grammar.bnf import RFC1630, RFC1738, RFC3986, URI7, Component, StructuralViolation
from urlextract.grammar.patterns import lazy_re
from urlextract.schemes.changing import Components, replaced
from urlextract.schemes.url import Url

# man, info, ghelp, whatis, about and toc: the schemes of uri(7) for the documentation of a system.
#
#     man:command-name          info:virtual-filename          info:(virtual-filename)
#     man:command-name(section) info:virtual-filename#nodename info:(virtual-filename)nodename
#     whatis:string             ghelp:name-of-application      about:subject   toc:subject


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

    def _structural_violations(self) -> Iterator[StructuralViolation]:
        """Yield the violations of name and section."""
        if not self.name or self.section == "" or not _PAGE.match(self.path):
            start, end = self._path_start, self._path_end
            yield StructuralViolation(start, end, "man", "not a name with a section after it", _BOTH)


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

    def _structural_violations(self) -> Iterator[StructuralViolation]:
        """Yield a violation if there is no name of a file."""
        is_open = self.path.startswith("(") and not _KDE.match(self.path)
        if not self.name or is_open or self.path.startswith("//"):
            yield StructuralViolation(self._path_start, self._path_end, "info", "no name of a file", _BOTH)


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


# file and afs: RFC 1738 section 3.10, RFC 8089, uri(7), RFC 1630.
#
#     fileurl    = "file://" [ host | "localhost" ] "/" fpath
#     afsaddress = a f s : / / cellname / path


class _AfsComponents(Components, total=False):
    cell: str


_DRIVE = lazy_re(r"/?([A-Za-z])[|:](?=/|\Z)")


class FileUrl(Url):
    """A file on a host, or on the local machine: RFC 1738, section 3.10.

    >>> from urlextract import parse_url
    >>> url = parse_url("file://vms.host.edu/disk$user/my/notes/note12345.txt")
    >>> url.host, url.segments[-1], url.is_local
    ('vms.host.edu', 'note12345.txt', False)
    >>> parse_url("file:///C|/autoexec.bat").drive, parse_url("file:/etc/passwd").is_local
    ('C', True)
    """

    __slots__ = ()
    _FIELDS: ClassVar = ("user", "password", "host", "port", "path", "fragment")
    GRAMMARS: ClassVar = (RFC1738, RFC3986, RFC1630, URI7)
    _HAS_QUERY: ClassVar = False
    _HAS_LOGIN: ClassVar = False

    @property
    def segments(self) -> tuple[str, ...]:
        """The segments of the path: the directories and the name of the file."""
        return tuple(self.path.removeprefix("/").split("/"))

    @property
    def is_local(self) -> bool:
        """Whether the file is on the local machine: there is no host, or it is empty or ``localhost``."""
        return (self.host or "localhost").lower() == "localhost"

    @property
    def drive(self) -> str | None:
        """The letter of the drive in a DOS path (``C|`` or ``C:``), None if there is none."""
        match = _DRIVE.match(self.path)
        return match[1] if match else None

    def _components(self) -> Iterator[Component]:
        """Yield the path; uri(7) allows a vertical bar after the letter of a drive."""
        start, end = self._path_start, self._path_end
        match = _DRIVE.match(self.path)
        rest = start + match.end() if match else start
        chars, own = bnf.FSEGMENT + "/", bnf.PCHAR + "/"
        yield Component(start, rest, "fsegment", chars, own, uri7=own + "|")
        yield Component(rest, end, "fsegment", chars, own)

    def _structural_violations(self) -> Iterator[StructuralViolation]:
        """Yield the violations of host, port and path."""
        start = self._path_start
        if self.host is None:
            message = 'no "//", which uri(7) alone allows'
            yield StructuralViolation(start, start, "fileurl", message, (RFC1738, RFC3986, RFC1630))
        elif not self.path:
            yield StructuralViolation(start, start, "fileurl", "no path", (RFC1738,))
        if self._login.port is not None:
            message = "a port, which a file does not have"
            yield StructuralViolation(start, start, "fileurl", message)

    def _same_host(self) -> str:
        """Return the host for comparison; all forms of the local host are equal (section 3.10)."""
        return "" if self.is_local else (self.host or "").lower()


class AfsUrl(Url):
    """A file of the Andrew File System, by its cell and its path in the cell: RFC 1630.

    >>> from urlextract import parse_url
    >>> url = parse_url("afs://athena.mit.edu/user/t/timbl")
    >>> url.cell, url.path
    ('athena.mit.edu', '/user/t/timbl')
    >>> parse_url("afs:/athena.mit.edu/user").cell
    'athena.mit.edu'
    """

    __slots__ = ()
    _FIELDS: ClassVar = ("cell", "path", "fragment")
    GRAMMARS: ClassVar = (RFC1630, RFC3986)
    _HAS_QUERY: ClassVar = False
    _HAS_LOGIN: ClassVar = False
    _PART_OF: ClassVar = {"cell": ("host", "path"), "path": ("path",)}

    def replace(self, **components: Unpack[_AfsComponents]) -> Self:
        """Return a URL with other components: see `Url.replace`."""
        return replaced(self, components)

    @property
    def cell(self) -> str:
        """The cell: the host, or the first segment of a path without one."""
        return self._halves()[0]

    @property
    def path(self) -> str:
        """The path in the cell, with its first slash."""
        return self._halves()[1]

    def _halves(self) -> tuple[str, str]:
        if self.host is not None:
            return self.host, self._whole_path
        cell, slash, rest = self._whole_path.removeprefix("/").partition("/")
        return cell, slash + rest

    def _composed(self, values: Mapping[str, Any]) -> dict[str, str | None]:
        """Return host and path, or the path that has the cell as its first segment."""
        cell, path = values["cell"], values["path"]
        if self.host is not None:
            return {"host": cell, "path": path}
        return {"path": f"{'/' if self._whole_path.startswith('/') else ''}{cell}{path}"}

    def _components(self) -> Iterator[Component]:
        """Yield the path."""
        end = self._path_end
        yield Component(end - len(self.path), end, "path", bnf.XCHAR, bnf.PCHAR + "/")

    def _structural_violations(self) -> Iterator[StructuralViolation]:
        """Yield a violation if the cell does not come after ``//``."""
        if self.host is None:
            start = self._path_start
            yield StructuralViolation(start, start, "afsaddress", 'no "//" before the cell', (RFC1630,))
