"""The types of the schemes of RFC 1738 whose URLs name a host: http, ftp, gopher, telnet, wais, prospero."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, ClassVar, Self, Unpack

from urlextract.grammar import bnf
from urlextract.grammar.bnf import RFC1630, RFC1738, RFC3986, Component, StructuralViolation
from urlextract.grammar.patterns import lazy_re
from urlextract.schemes.changing import Components, replaced
from urlextract.schemes.components import part_at
from urlextract.schemes.escapes import decoded_octets, decoded_text, sendable
from urlextract.schemes.url import Url

# http and https: RFC 1738 section 3.3, RFC 3986.
#
#     httpurl  = "http://" hostport [ "/" hpath [ "?" search ]]
#     hpath    = hsegment *[ "/" hsegment ]
#     hsegment = *[ uchar | ";" | ":" | "@" | "&" | "=" ]
#     search   = *[ uchar | ";" | ":" | "@" | "&" | "=" ]


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

    def _structural_violations(self) -> Iterator[StructuralViolation]:
        """Yield a violation if there is no slash before a search, which only RFC 1738 requires."""
        if self.query is not None and not self.path:
            yield StructuralViolation(
                self._path_end, self._path_end + 1, "httpurl", 'no "/" before the search', (RFC1738,)
            )

    def _same_path(self) -> str:
        """Return the path for comparison; an empty path is the same as "/" (section 3.3)."""
        return self.path or "/"


# ftp: RFC 1738 section 3.2, with the type codes of the draft.
#
#     ftpurl   = "ftp://" login [ "/" fpath [ ";type=" ftptype ]]
#     fpath    = fsegment *[ "/" fsegment ]
#     fsegment = *[ uchar | "?" | ":" | "@" | "&" | "=" ]
#     ftptype  = "A" | "I" | "D" | "a" | "i" | "d"
#
# In RFC 1630 and the draft:
#
#     ftptype  = A formcode | E formcode | I | L digits
#     formcode = N | T | C


class _FtpComponents(Components, total=False):
    cwd: tuple[str, ...]
    name: str | None
    typecode: str | None


_TYPE = lazy_re(r";[tT][yY][pP][eE]=([^;/]*)\Z")
_TYPECODE = lazy_re(r"[AIDaid]\Z")
_DRAFT_TYPECODE = lazy_re(r"(?:[AEae][NTCntc]|[Ii]|[Ll][0-9]+)\Z")


class FtpUrl(Url):
    """A file or a directory on an FTP server: RFC 1738, section 3.2.

    >>> from urlextract import parse_url
    >>> url = parse_url("ftp://info.cern.ch/pub/www/doc;type=d")
    >>> url.cwd, url.name, url.typecode
    (('pub', 'www'), 'doc', 'd')
    """

    __slots__ = ()
    _FIELDS: ClassVar = ("user", "password", "host", "port", "cwd", "name", "typecode", "fragment")
    _HAS_QUERY: ClassVar = False
    _NEEDS_HOST: ClassVar = True
    _IS_ACTED_ON: ClassVar = True
    _PART_OF: ClassVar = dict.fromkeys(("cwd", "name", "typecode"), ("path",))
    # A semicolon is reserved for the type code: section 3.2.2.
    _SEGMENT: ClassVar = bnf.PCHAR.replace(";", "")

    def replace(self, **components: Unpack[_FtpComponents]) -> Self:
        """Return a URL with other components: see `Url.replace`."""
        return replaced(self, components)

    @property
    def _segments(self) -> list[str]:
        """The segments of the path without the type code; empty if there is no path."""
        return _TYPE.sub("", self.path).removeprefix("/").split("/") if self.path else []

    @property
    def cwd(self) -> tuple[str, ...]:
        """The directories to change to, in this order."""
        return tuple(self._segments[:-1])

    @property
    def name(self) -> str | None:
        """The name of the file; "" if the path ends with a slash, None without a path."""
        return self._segments[-1] if self.path else None

    @property
    def typecode(self) -> str | None:
        """The type code after ``;type=``, None if there is none."""
        match = _TYPE.search(self.path)
        return match[1] if match else None

    def _composed(self, values: Mapping[str, Any]) -> dict[str, str | None]:
        """Return the path of directories, name and type code."""
        if values["name"] is None:
            return {"path": ""}
        code = "" if values["typecode"] is None else f";type={values['typecode']}"
        return {"path": f"/{'/'.join((*values['cwd'], values['name']))}{code}"}

    def _directory(self) -> str:
        """Return the path without a type code, which only the last segment has."""
        return _TYPE.sub("", self.path)

    def commands(self, *, unsafe: bool = False) -> tuple[str, ...]:
        """Return the FTP commands that fetch the file after the login: RFC 1738, section 3.2.2.

        Octets that are not valid UTF-8 become surrogates (``surrogateescape``). Raise
        `UrlSyntaxError` if an argument has a line end or NUL, which would begin another command,
        unless ``unsafe``.

        >>> from urlextract import parse_url
        >>> parse_url("ftp://myname@host.dom/%2Fetc/motd").commands()
        ('CWD /etc', 'RETR motd')
        >>> parse_url("ftp://myname@host.dom//etc/motd;type=a").commands()
        ('CWD ', 'CWD etc', 'TYPE a', 'RETR motd')
        """
        at = self._path_start + 1
        arguments: list[str] = []
        for segment in self._segments:
            octets = sendable(segment, self.text, at, unsafe=unsafe)
            arguments.append(octets.decode("utf-8", "surrogateescape"))
            at += len(segment) + 1
        changes = tuple(f"CWD {argument}" for argument in arguments[:-1])
        name = arguments[-1] if arguments else ""
        typecode = self.typecode
        if typecode in ("d", "D") or not name:
            return (*changes, f"NLST {name}" if name else "NLST")
        if not typecode:
            return (*changes, f"RETR {name}")
        code = sendable(typecode, self.text, self._path_end - len(typecode), unsafe=unsafe).decode("latin-1")
        return (*changes, f"TYPE {_with_blank(code)}", f"RETR {name}")

    def _components(self) -> Iterator[Component]:
        """Yield the type code and the segments."""
        start, end = self._path_start, self._path_end
        match = _TYPE.search(self.path)
        if match:
            yield Component(
                end - len(match.group()), end, "ftptype", bnf.FSEGMENT + ";", bnf.PCHAR, bnf.XCHAR
            )
            end -= len(match.group())
        yield Component(start, end, "fsegment", bnf.FSEGMENT + "/", self._SEGMENT + "/", bnf.RFC1630_PATH)

    def _structural_violations(self) -> Iterator[StructuralViolation]:
        """Yield the violations of the type code from each grammar."""
        code = self.typecode
        if code is None:
            return
        start, end = self._path_end - len(code), self._path_end
        if not _TYPECODE.match(code):
            grammars: tuple[str, ...] = (RFC1738, RFC3986)
            yield StructuralViolation(start, end, "ftptype", "a type that is none of a, i and d", grammars)
        if not _DRAFT_TYPECODE.match(code):
            yield StructuralViolation(
                start, end, "ftptype", "a type that the draft does not have", (RFC1630,)
            )


def _with_blank(code: str) -> str:
    """Return the argument of the command TYPE with the blank of RFC 959, which the draft leaves out."""
    return f"{code[0]} {code[1:]}" if len(code) > 1 and _DRAFT_TYPECODE.match(code) else code


# gopher: RFC 1738 section 3.4, with the requests of the draft.
#
#     gopherurl = "gopher://" hostport [ "/" [ gtype [ selector
#                 [ "%09" search [ "%09" gopher+_string ] ] ] ] ]
#     gtype     = xchar
#     selector  = *xchar
#
# No character is reserved after the host, so "?" does not begin a query.


class _GopherComponents(Components, total=False):
    gtype: str
    selector: str
    search: str | None
    gopher_plus: str | None


_TAB = lazy_re("%09|\t")
_GTYPE = lazy_re(r"%[0-9A-Fa-f]{2}|.", re.DOTALL)
# A filled-in form (ASK): the view, a flag for the data after it, the data, a full stop.
_ASK_FORM = lazy_re(rb"\+[^\t\r\n\0]*\t1\r\n\+-1\r\n((?:(?!\.\r)[^\r\n\0]*\r\n)*)\.\r\n\Z")


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
        match = _ASK_FORM.match(decoded_octets(self.gopher_plus or ""))
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
        form = _ASK_FORM.match(decoded_octets(pieces[2][1])) if len(pieces) > 2 else None
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


# telnet, rlogin and tn3270: RFC 1738 section 3.8, and the draft.
#
#     telneturl = "telnet://" login [ "/" ]


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

    def _structural_violations(self) -> Iterator[StructuralViolation]:
        """Yield a violation if there is more than a slash after the login."""
        if self.path not in ("", "/"):
            message = "a path, which a login does not have"
            yield StructuralViolation(self._path_start, self._path_end, "telneturl", message)

    def _same_path(self) -> str:
        """Return the path for comparison; an empty path is the same as "/" (section 3.8)."""
        return self.path or "/"


# wais: RFC 1738 section 3.9, with the fields of document identifiers in the draft.
#
#     waisdatabase = "wais://" hostport "/" database
#     waisindex    = "wais://" hostport "/" database "?" search
#     waisdoc      = "wais://" hostport "/" database "/" wtype "/" wpath
#     wpath        = *uchar                             (RFC 1738)
#     wpath        = digits = path ; [ wpath ]          (RFC 1630 and the draft)


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

    def _structural_violations(self) -> Iterator[StructuralViolation]:
        """Yield the violations from the three forms of the scheme."""
        start, end = self._path_start, self._path_end
        if not self.database:
            yield StructuralViolation(start, end, "waisurl", "no database")
        if self.wtype is not None and self.wpath is None:
            yield StructuralViolation(start, end, "waisdoc", "a type, and no document")
        wpath = self.wpath
        if wpath is None:
            return
        at = end - len(wpath)
        if "/" in wpath:
            slash = at + wpath.find("/")
            message = "reserved character unencoded"
            yield StructuralViolation(slash, slash + 1, "wpath", message, (RFC1738,))
        if self.wfields is None:
            yield StructuralViolation(
                at, end, "wpath", "fields that are not number, content and semicolon", (RFC1630,)
            )
        if self.query is not None:
            yield StructuralViolation(end, end + 1, "waisurl", "a search of a document", (RFC1738, RFC3986))


# prospero: RFC 1738 section 3.11, with the version of the draft.
#
#     prosperourl  = "prospero://" hostport "/" ppath *[ fieldspec ]
#     ppath        = psegment *[ "/" psegment ]
#     psegment     = *[ uchar | "?" | ":" | "@" | "&" | "=" ]
#     fieldspec    = ";" fieldname "=" fieldvalue
#     prosperolink = p r o s p e r o : / / hostport / hsoname [ % 0 0 version [ attributes ] ]   (draft)


class _ProsperoComponents(Components, total=False):
    hsoname: str | None
    version: str | None
    fields: tuple[tuple[str, str | None], ...]


_VERSION = lazy_re(r"%00([0-9]++)([A-Za-z0-9]*+)\Z")


class ProsperoUrl(Url):
    """An object of the Prospero directory service: RFC 1738, section 3.11.

    >>> from urlextract import parse_url
    >>> url = parse_url("prospero://host.dom//pros/name;OBJECT-VERSION=3")
    >>> url.hsoname, url.fields
    ('/pros/name', (('OBJECT-VERSION', '3'),))
    >>> parse_url("prospero://host.dom/a/b%0012").version
    '12'
    """

    __slots__ = ()
    _FIELDS: ClassVar = (
        "user", "password", "host", "port", "hsoname", "version", "fields", "fragment",
    )  # fmt: skip
    _HAS_QUERY: ClassVar = False
    _HAS_LOGIN: ClassVar = False
    _NEEDS_HOST: ClassVar = True
    _IS_ACTED_ON: ClassVar = True
    _PART_OF: ClassVar = dict.fromkeys(("hsoname", "version", "fields"), ("path",))
    _SEGMENT: ClassVar = bnf.PCHAR.replace(";", "")  # a semicolon begins a field

    def replace(self, **components: Unpack[_ProsperoComponents]) -> Self:
        """Return a URL with other components: see `Url.replace`."""
        return replaced(self, components)

    @property
    def _name(self) -> str:
        return self.path[1:].partition(";")[0]

    @property
    def hsoname(self) -> str | None:
        """The host-specific object name, which only the server interprets; None without a path."""
        return _VERSION.sub("", self._name) if self.path else None

    @property
    def version(self) -> str | None:
        """The version, which the draft writes after ``%00``; None if there is none."""
        match = _VERSION.search(self._name)
        return match[1] if match else None

    @property
    def fields(self) -> tuple[tuple[str, str | None], ...]:
        """The fields and their values, None for a field without "="."""
        pairs = (field.partition("=") for field in self.path.split(";")[1:])
        return tuple((name, value if equals else None) for name, equals, value in pairs)

    def _composed(self, values: Mapping[str, Any]) -> dict[str, str | None]:
        """Return the path of name, version and fields; attributes after the version stay."""
        if values["hsoname"] is None:
            return {"path": ""}
        match = _VERSION.search(self._name)
        version = "" if values["version"] is None else f"%00{values['version']}{match[2] if match else ''}"
        fields = (f";{name}" + ("" if value is None else f"={value}") for name, value in values["fields"])
        return {"path": f"/{values['hsoname']}{version}{''.join(fields)}"}

    def _directory(self) -> str:
        """Return the path without the fields."""
        return self.path.partition(";")[0]

    def _components(self) -> Iterator[Component]:
        """Yield the name and the fields."""
        start, end = self._path_start, self._path_end
        semicolon = self.path.find(";")
        stop = start + semicolon if semicolon >= 0 else end
        yield Component(start, stop, "psegment", bnf.FSEGMENT + "/", bnf.QUERY, bnf.RFC1630_PATH)
        yield Component(stop, end, "fieldspec", bnf.FSEGMENT + ";", bnf.QUERY, bnf.RFC1630_PATH)

    def _structural_violations(self) -> Iterator[StructuralViolation]:
        """Yield the violations of the name and the fields."""
        start, end = self._path_start, self._path_end
        if not self.path:
            yield StructuralViolation(start, end, "prosperourl", "no object")
        at = self.path.find(";")
        for name, value in self.fields:
            stop = at + 1 + len(name) + (0 if value is None else 1 + len(value))
            if value is None:
                message = 'a field without "="'
                yield StructuralViolation(start + at, start + stop, "fieldspec", message)
            elif "=" in value:
                place = start + at + 2 + len(name) + value.find("=")
                message = "reserved character unencoded"
                yield StructuralViolation(place, place + 1, "fieldvalue", message, (RFC1738, RFC3986))
            at = stop
