"""A URL and its components, read and written by the rows of its scheme."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from ipaddress import IPv4Address, IPv6Address
from typing import Any, ClassVar, Literal, Never, Self, TypeAlias

from urlextract.brief import Brief
from urlextract.errors import UrlSyntaxError
from urlextract.grammar.bnf import PCHAR, QUERY, RFC1630_SEARCH, XCHAR
from urlextract.grammar.escapes import decoded_text
from urlextract.grammar.patterns import lazy_re
from urlextract.grammar.registry import SCHEMES
from urlextract.records import Span
from urlextract.schemes.hosts import NO_LOGIN, Login, address_of, name_of, read_login, to_unicode
from urlextract.schemes.rows import OF_ALL, TOKEN, Chars, Fault, Form, Part, pattern_of

Parts: TypeAlias = tuple[str, str | None, str, str | None, str | None]
"""Scheme, authority, path, query, fragment."""

PARTS = lazy_re(
    r"(?:([A-Za-z][A-Za-z0-9+.-]*+):)?(?://([^/?#]*+))?([^?#]*+)(?:\?([^#]*+))?(?:#(.*))?", re.DOTALL
)
"""Matches any text; its groups are those of `Parts`. Only the group of the path always matches."""


def split_parts(text: str) -> Parts:
    """Return the five parts of a URL: RFC 3986, appendix B.

    Raise `UrlSyntaxError` if ``text`` does not begin with a scheme.

    >>> split_parts("http://host.dom/a?b#c")
    ('http', 'host.dom', '/a', 'b', 'c')
    """
    match = PARTS.match(text)
    if match is None or match[1] is None:
        raise UrlSyntaxError("no scheme", text, (0, min(1, len(text))))
    return match.groups()  # type: ignore[return-value]  # scheme and path have matched


def joined_parts(
    scheme: str, authority: str | None, path: str, query: str | None, fragment: str | None
) -> str:
    """Return the URL of the five parts: RFC 3986, section 5.3.

    >>> joined_parts("http", "host.dom", "/a", None, "c")
    'http://host.dom/a#c'
    """
    before = f"{scheme}:" if authority is None else f"{scheme}://{authority}"
    after = "" if query is None else f"?{query}"
    return before + path + after + ("" if fragment is None else f"#{fragment}")


_set = object.__setattr__


class UrlBase(metaclass=Brief):
    """A URL and its parts, read by the rows of its scheme."""

    __slots__ = ("_checked", "_login", "_match", "_parts", "_text")
    _checked: dict[str, tuple[Any, ...]]
    """The violations of the grammars that were asked for."""
    _login: Login
    _match: tuple[Form, re.Match[str] | None]
    _parts: Parts
    _text: str

    FORM: ClassVar[str] = "{path}[?{query}]"
    """The grammar of path and query: ``{part}``, ``[optional]``, and " | " between several ways.

    Its first way that fits the URL counts.
    """
    CHARS: ClassVar[tuple[Chars, ...]] = (
        Chars("path", "urlpath", XCHAR, PCHAR + "/"),
        Chars("query", "urlpath", XCHAR, QUERY, RFC1630_SEARCH),
    )
    """The characters that are allowed in the stretches."""
    FAULTS: ClassVar[tuple[Fault, ...]] = ()
    """What must not be in the stretches."""
    GRAMMARS: ClassVar[tuple[str, ...]] = OF_ALL
    """The names of the grammars that a URL of this type may fit, such as "rfc1738", the main one first."""

    # What a class is given as arguments, in lower case and without the first "_"
    _AUTHORITY: ClassVar[Literal["optional", "slashes", "host", "none"]] = "optional"
    """What comes after the colon: "//" or not; "//", and a host or not; "//" and a host; or never "//"."""
    _LOGIN: ClassVar[bool] = True
    """Whether the scheme has a user."""
    _SEGMENTS: ClassVar[bool] = True
    """Whether the path is a hierarchy: RFC 3986, section 1.2.3."""
    _AFTER_SEGMENTS: ClassVar[str] = ""
    """The stretch that comes after the segments of the path and begins with a semicolon."""
    _ACTED_ON: ClassVar[bool] = False
    """Whether the protocol would act on a line end or NUL in the decoded parts."""
    _SLASH: ClassVar[bool] = False
    """Whether a slash that the form does not have comes between a host and the form."""
    _BARE: ClassVar[str] = r"(?!)"
    """The pattern of a path that may stand without "//" in a scheme that asks for it."""
    _SAME: ClassVar[Mapping[str, str]] = {}
    """The paths that a standard says are the same as others."""

    # What is made of the rows
    _FIELDS: ClassVar[tuple[str, ...]] = ("user", "password", "host", "port", "path", "query", "fragment")
    """The names of the components after the scheme, in the order of the text."""
    _PART_OF: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    """The names of the scheme's own parts, and the generic components they are part of."""
    _FORMS: ClassVar[tuple[Form, ...]]
    _WHOLES: ClassVar[Mapping[str, int]] = {}
    """The parts that are a whole path or query, and its index in `Parts`."""
    _FITS_ALL: ClassVar[bool] = True
    _HAS_QUERY: ClassVar[bool] = True

    def __init_subclass__(cls, **rows: Any) -> None:
        """Read the rows of a type. What is not given is as in the type that it derives from."""
        for name, value in rows.items():
            if not hasattr(cls, f"_{name.upper()}"):
                raise TypeError(f"{cls.__name__} cannot have a row {name!r}")
            setattr(cls, f"_{name.upper()}", value)
        cls._FORMS = forms = tuple(Form(form, cls) for form in cls.FORM.split(" | "))
        cls._HAS_QUERY = "query" in forms[-1].wholes
        cls._WHOLES = forms[0].whole_parts if len(forms) == 1 else {}
        cls._FITS_ALL = set(cls._WHOLES) == set(forms[0].names)
        logins = () if cls._AUTHORITY == "none" else Login._fields
        names = [name for form in forms for name in form.names if name[0] != "_"]
        cls._FIELDS = tuple(dict.fromkeys((*logins, *names, "fragment")))
        wholes = [each for form in forms for each in form.wholes.items()]
        holders = {
            name: dict.fromkeys(whole for whole, text in wholes if f"{{{name}}}" in text) for name in names
        }
        cls._PART_OF = {name: tuple(each) for name, each in holders.items() if name not in each}
        if cls._SLASH:
            cls._PART_OF |= {"host": ("path",)}

    # Values are shared, so no call may change them: `_read` alone sets the slots.
    def __init__(self, *_: Never, **__: Never) -> None:
        raise TypeError(f"{type(self).__name__} has no constructor: call parse_url(text)")

    @classmethod
    def _read(cls, text: str, parts: Parts) -> Self:
        """Return a value for ``text`` with its ``parts``; raise `UrlSyntaxError` as `parse_url` does."""
        scheme, authority, path, query, fragment = parts
        start = len(scheme) + 1
        if len(text) == start:
            raise UrlSyntaxError("nothing after the scheme", text, (start, start))
        login = NO_LOGIN
        if cls._AUTHORITY == "none":
            if authority is not None:
                path = f"//{authority}{path}"
                parts = scheme, None, path, query, fragment
        elif authority is not None:
            end = start + 2 + len(authority)
            login = read_login(text, start + 2, end)
            if cls._AUTHORITY == "host" and not login.host:
                raise UrlSyntaxError('no host after "//"', text, (start + 2, end))
        elif cls._AUTHORITY != "optional" and not pattern_of(cls._BARE).fullmatch(path):
            wanted = '"//" and host' if cls._AUTHORITY == "host" else '"//"'
            message = f"no {wanted}, which {scheme.lower()} asks for"
            raise UrlSyntaxError(message, text, (start, start))
        if query is not None and not cls._HAS_QUERY:
            parts = scheme, parts[1], f"{path}?{query}", None, fragment
        url = object.__new__(cls)
        _set(url, "_text", text)
        _set(url, "_parts", parts)
        _set(url, "_login", login)
        _set(url, "_checked", {})
        return url

    # The text and its components

    def __str__(self) -> str:
        return self._text

    def __format__(self, spec: str) -> str:
        return format(self._text, spec)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._text!r})"

    def __eq__(self, other: object) -> bool:
        return self._text == other._text if isinstance(other, UrlBase) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._text)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{type(self).__name__} is frozen: {name!r} cannot be set")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"{type(self).__name__} is frozen: {name!r} cannot be deleted")

    def __reduce__(self) -> tuple[Any, tuple[str]]:
        return type(self)._of_text, (self._text,)

    @classmethod
    def _of_text(cls, text: str) -> Self:
        """Parse ``text`` as a URL of this type, whatever its scheme is."""
        return cls._read(text, split_parts(text))

    @property
    def text(self) -> str:
        """The text of the URL; ``str()`` returns the same."""
        return self._text

    @property
    def scheme(self) -> str:
        """The scheme, in lower case."""
        return self._parts[0].lower()

    @property
    def rest(self) -> str:
        """Everything after the colon of the scheme."""
        return self._text[len(self._parts[0]) + 1 :]

    @property
    def user(self) -> str | None:
        """The user name; empty in ``ftp://@host/``, None in ``ftp://host/``."""
        return self._login.user

    @property
    def password(self) -> str | None:
        """The password, None if there is none."""
        return self._login.password

    @property
    def host(self) -> str | None:
        """The host as in the text, None without ``//``."""
        return self._login.host

    @property
    def port(self) -> int | None:
        """The port in the text, None if there is none; see ``default_port``."""
        return int(self._login.port.lstrip("0") or "0") if self._login.port else None

    @property
    def path(self) -> str:
        """The path between authority and query, with its first slash; it may be empty."""
        return self._parts[2]

    @property
    def query(self) -> str | None:
        """The text after ``?``, None if there is none or the scheme has no query."""
        return self._parts[3]

    @property
    def fragment(self) -> str | None:
        """The text after ``#``, None if there is none; not part of the URL itself (RFC 1738, section 2.2)."""
        return self._parts[4]

    @property
    def default_port(self) -> int | None:
        """The default port of the scheme, None if it has none."""
        row = SCHEMES.get(self.scheme)
        return row.port if row else None

    @property
    def address(self) -> IPv4Address | IPv6Address | None:
        """The host as an IP address, with its zone; None for a name."""
        return address_of(self.host)

    @property
    def host_name(self) -> str | None:
        """The host as one asks the DNS or connects to it: with A-labels, in lower case.

        An IP address is in its usual form, without brackets. None if there is no host, or no such form.

        >>> from urlextract import parse_url
        >>> parse_url("http://Bücher.Example:80/").host_name
        'xn--bcher-kva.example'
        """
        return name_of(self.host) if self.host else None

    @property
    def origin(self) -> str | None:
        """The scheme, host and port that decide what belongs together: RFC 6454, section 6.2.

        The default port is left out. None if ``host_name`` is None.
        """
        name = self.host_name
        if name is None:
            return None
        host = f"[{name.replace('%', '%25')}]" if ":" in name else name
        is_default = self.port is None or self.port == self.default_port
        return f"{self.scheme}://{host}" + ("" if is_default else f":{self.port}")

    @property
    def host_unicode(self) -> str | None:
        """The host with U-labels, in the letters of its own language."""
        return to_unicode(self.host) if self.host else self.host

    def decoded(self, name: str, encoding: str = "utf-8", errors: str = "replace") -> Any:
        """Return the component ``name`` percent-decoded; tuples stay tuples, numbers and None unchanged.

        ``encoding`` and ``errors`` are those of `bytes.decode`. Raise `ValueError` for an unknown name.

        >>> from urlextract import parse_url
        >>> parse_url("ftp://host.dom/%2Fetc/motd").decoded("cwd")
        ('/etc',)
        """
        names = ("scheme", *self._FIELDS)
        if name not in names and name not in UrlBase._FIELDS:
            raise ValueError(f"name: unknown value {name!r}: choose one of {', '.join(names)}")
        return _decoded(getattr(self, name), encoding, errors)

    def parts(self) -> dict[str, Any]:
        """Return the scheme and all components by name, in the order of the text.

        >>> from urlextract import parse_url
        >>> parse_url("man:ls(1)").parts()
        {'scheme': 'man', 'name': 'ls', 'section': '1', 'fragment': None}
        """
        return {"scheme": self.scheme} | {name: getattr(self, name) for name in self._FIELDS}

    # Places in the text

    @property
    def _path_start(self) -> int:
        """The offset in the text at which the path begins."""
        scheme, authority, *_ = self._parts
        return len(scheme) + 1 + (0 if authority is None else 2 + len(authority))

    @property
    def _path_end(self) -> int:
        """The offset in the text at which the path ends."""
        return self._path_start + len(self._parts[2])

    @property
    def _query_end(self) -> int:
        """The offset in the text at which the query ends, or the path if there is no query."""
        fragment = self._parts[4]
        return len(self._text) - (0 if fragment is None else len(fragment) + 1)

    @property
    def _form_start(self) -> int:
        """The offset in the text at which the form begins."""
        has_slash = self._SLASH and self._login.host is not None and self._parts[2].startswith("/")
        return self._path_start + has_slash

    @property
    def _matched(self) -> tuple[Form, re.Match[str] | None]:
        """The way of the form that the URL fits, and its match; the last way if it fits none."""
        try:
            return self._match
        except AttributeError:
            pass
        start, end, text = self._form_start, self._query_end, self._text
        for form in self._FORMS:
            match = form.pattern.fullmatch(text, start, len(text) if "fragment" in form.wholes else end)
            if match:
                break
        _set(self, "_match", (form, match))
        return form, match

    def _piece(self, name: str) -> str | None:
        """Return the text of a part, None if it is not there."""
        if name in self._WHOLES:
            return self._parts[self._WHOLES[name]]
        match = self._matched[1]
        return match[name] if match and name in match.re.groupindex else None

    def _stretch(self, names: str) -> tuple[int, int]:
        """Return the start and the end of a stretch, -1 and -1 if it is not there: see `Chars`."""
        if names in _GENERIC:
            return _GENERIC[names](self)
        match = self._matched[1]
        spans = [match.span(name) for name in names.split() if name in match.re.groupindex] if match else []
        there = [span for span in spans if span[0] >= 0]
        return (there[0][0], there[-1][1]) if there else NOWHERE

    # What a scheme may have otherwise

    def _acted_on(self) -> Iterable[tuple[int, int]]:
        """Return the spans of the text in which the protocol would act on a decoded line end or NUL."""
        return ((self._path_start, self._query_end),) if self._ACTED_ON else ()

    def _composed(self, values: Mapping[str, Any]) -> dict[str, str | None]:
        """Return the generic components that have the ``values`` of the scheme's own parts.

        ``values`` has all of ``_FIELDS``. If this cannot be done, the result is not what is asked for,
        which `changing` detects.
        """
        for form in (self._matched[0], *self._FORMS):
            wholes = {whole: self._written(text, values) for whole, text in form.wholes.items()}
            if wholes["path"] is not None:
                break
        text, is_there = wholes["path"], any(values.get(name) is not None for name in form.names)
        if self._SLASH and values["host"] is not None and text is not None and is_there:
            wholes["path"] = f"/{text}" if text or self._parts[2] else ""
        return wholes

    def _written(self, form: str, values: Mapping[str, Any]) -> str | None:
        """Return what a form makes of values; an optional of which a part is None is left out."""
        done: list[list[str | None]] = [[]]
        for token in TOKEN.finditer(form):
            text, name = token[0], token[1]
            if text == "[":
                done.append([])
            elif text == "]":
                inner = done.pop()
                done[-1].append("" if None in inner else "".join(inner))  # type: ignore[arg-type]
            elif name in values:
                row = getattr(type(self), name)
                done[-1].append(row.write(values[name]) if isinstance(row, Part) else values[name])
            else:
                done[-1].append(self._piece(name) or "" if name else text)
        return None if None in done[0] else "".join(done[0])  # type: ignore[arg-type]

    def _levelled_path(self, levelled: str) -> str:
        """Return the path of the normal form; ``levelled`` is the path after `same_level`."""
        return levelled

    def _same_host(self) -> str | None:
        """Return the host for the comparison of URLs; all spellings of an IP address are equal."""
        address = self.address
        return self.host if address is None else str(address)

    def _same_path(self) -> str:
        """Return the path for the comparison of URLs; some schemes allow omitting its first slash."""
        return self._SAME.get(self._parts[2], self._parts[2])


def _decoded(value: Any, encoding: str, errors: str) -> Any:
    if isinstance(value, str):
        return decoded_text(value, encoding, errors)
    if isinstance(value, tuple):
        return tuple(_decoded(part, encoding, errors) for part in value)
    return value


def span_of(url: UrlBase, stretch: str) -> Span:
    """Return the place of a stretch, such as "host" (see `rows`), -1 to -1 if the URL does not have it.

    >>> from urlextract import parse_url
    >>> span_of(parse_url("ftp://me@host.dom:0021/a"), "port")
    Span(start=18, end=22)
    """
    return Span(*url._stretch(stretch))


def _in_login(url: UrlBase, name: str) -> tuple[int, int]:
    if getattr(url._login, name) is None:
        return NOWHERE
    at = len(url._parts[0]) + 3
    for field, text in zip(Login._fields, url._login, strict=True):
        if text is not None and field == name:
            return at, at + len(text)
        at += 0 if text is None else len(text) + 1
    return NOWHERE


NOWHERE = (-1, -1)
_GENERIC: dict[str, Callable[[UrlBase], tuple[int, int]]] = {
    "": lambda url: (url._form_start, url._query_end),
    "authority": lambda url: NOWHERE if url.host is None else (len(url._parts[0]) + 1, url._path_start),
    **{name: partial(_in_login, name=name) for name in Login._fields},
    "path": lambda url: (url._path_start, url._path_end),
    "query": lambda url: NOWHERE if url._parts[3] is None else (url._path_end + 1, url._query_end),
    "fragment": lambda url: NOWHERE if url._parts[4] is None else (url._query_end + 1, len(url._text)),
}
"""The stretches that a URL of any scheme has."""
