"""ftp: RFC 1738 section 3.2, with the type codes of the draft.

::

    ftpurl   = "ftp://" login [ "/" fpath [ ";type=" ftptype ]]
    fpath    = fsegment *[ "/" fsegment ]
    fsegment = *[ uchar | "?" | ":" | "@" | "&" | "=" ]
    ftptype  = "A" | "I" | "D" | "a" | "i" | "d"

In RFC 1630 and the draft::

    ftptype  = A formcode | E formcode | I | L digits
    formcode = N | T | C
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, Self, Unpack

from urlextract.grammar import bnf
from urlextract.grammar.bnf import RFC1630, RFC1738, RFC3986, Component, Departure
from urlextract.grammar.patterns import lazy_re
from urlextract.schemes.changing import Components, replaced
from urlextract.schemes.escapes import sendable
from urlextract.schemes.url import Url


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

    def _departures(self) -> Iterator[Departure]:
        """Yield the departures of the type code from each grammar."""
        code = self.typecode
        if code is None:
            return
        start, end = self._path_end - len(code), self._path_end
        if not _TYPECODE.match(code):
            grammars: tuple[str, ...] = (RFC1738, RFC3986)
            yield Departure(start, end, "ftptype", "a type that is none of a, i and d", grammars)
        if not _DRAFT_TYPECODE.match(code):
            yield Departure(start, end, "ftptype", "a type that the draft does not have", (RFC1630,))


def _with_blank(code: str) -> str:
    """Return the argument of the command TYPE with the blank of RFC 959, which the draft leaves out."""
    return f"{code[0]} {code[1:]}" if len(code) > 1 and _DRAFT_TYPECODE.match(code) else code
