"""The parts of a URL that all schemes share."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from ipaddress import IPv4Address, IPv6Address
from typing import Any, ClassVar, Never, Self, TypeAlias

from urlextract.errors import UrlSyntaxError
from urlextract.grammar import bnf
from urlextract.grammar.bnf import RFC1630, RFC1738, RFC3986, URI7, Component, StructuralViolation
from urlextract.grammar.patterns import lazy_re
from urlextract.grammar.registry import SCHEMES
from urlextract.records import Span
from urlextract.schemes.authority import (
    NO_LOGIN,
    Login,
    address_of,
    name_of,
    read_login,
    to_ascii,
    to_unicode,
)
from urlextract.schemes.escapes import decoded_text

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
    return "".join(
        (
            f"{scheme}:",
            "" if authority is None else f"//{authority}",
            path,
            "" if query is None else f"?{query}",
            "" if fragment is None else f"#{fragment}",
        )
    )


def part_at(parts: Sequence[str], index: int) -> str | None:
    """Return the part at ``index``, None if there are fewer parts.

    >>> part_at("/db/type".split("/"), 2), part_at(["", "db"], 2)
    ('type', None)
    """
    return parts[index] if index < len(parts) else None


_set = object.__setattr__


class UrlBase:
    """The components of a URL, encoded as in its text; an absent one is None, an empty one is "".

    Types of schemes override the class attributes, and the methods that `validation` and `value` call.
    """

    __slots__ = ("_login", "_parts", "_text")
    _login: Login
    _parts: Parts
    _text: str

    _FIELDS: ClassVar[tuple[str, ...]] = ("user", "password", "host", "port", "path", "query", "fragment")
    """The names of the components after the scheme, in the order of the text."""

    GRAMMARS: ClassVar[tuple[str, ...]] = (RFC1738, RFC3986, RFC1630)
    """The names of the grammars that a URL of this type may fit, such as "rfc1738", the main one first."""

    _STANDARDS: ClassVar[dict[str, str]] = {
        RFC1738: "RFC 1738, section 5",
        RFC3986: "RFC 3986, appendix A",
        RFC1630: "RFC 1630",
        URI7: "uri(7)",
    }
    _PART_OF: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    """The names in ``_FIELDS`` whose components `_composed` writes, and the generic ones they are part of."""
    _SEGMENT: ClassVar[str] = bnf.PCHAR
    """The characters of a segment of the path: the inside of a regular expression's set."""
    _HAS_SEGMENTS: ClassVar[bool] = True
    """Whether the path is a hierarchy: RFC 3986, section 1.2.3."""
    _HAS_AUTHORITY: ClassVar[bool] = True
    _HAS_QUERY: ClassVar[bool] = True
    _HAS_LOGIN: ClassVar[bool] = True
    _NEEDS_HOST: ClassVar[bool] = False
    _IS_ACTED_ON: ClassVar[bool] = False
    """Whether the protocol would act on a line end or NUL in the decoded components."""

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
        if authority is not None and cls._HAS_AUTHORITY:
            end = start + 2 + len(authority)
            login = read_login(text, start + 2, end)
            if cls._NEEDS_HOST and not login.host:
                raise UrlSyntaxError('no host after "//"', text, (start + 2, end))
        elif authority is None:
            cls._allow_no_authority(text, path)
        if not cls._HAS_AUTHORITY and authority is not None:
            path = f"//{authority}{path}"
            parts = scheme, None, path, query, fragment
        if query is not None and not cls._HAS_QUERY:
            parts = scheme, parts[1], f"{path}?{query}", None, fragment
        url = object.__new__(cls)
        _set(url, "_text", text)
        _set(url, "_parts", parts)
        _set(url, "_login", login)
        return url

    @classmethod
    def _allow_no_authority(cls, text: str, path: str) -> None:
        """Raise `UrlSyntaxError` if the scheme requires ``//`` and a host."""
        if cls._NEEDS_HOST:
            raise cls._nothing('"//" and host', text)

    @staticmethod
    def _nothing(wanted: str, text: str) -> UrlSyntaxError:
        start = text.find(":") + 1
        message = f"no {wanted}, which {text[: start - 1].lower()} asks for"
        return UrlSyntaxError(message, text, (start, start))

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
    def _whole_path(self) -> str:
        """The path as in the text, even if the type redefines ``path``."""
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

        An IP address is in its usual form and without brackets, with its zone after "%" (RFC 4007,
        section 11). None if there is no host, an empty one, or one that has no such form.

        >>> from urlextract import parse_url
        >>> parse_url("http://Bücher.Example:80/").host_name, parse_url("http://[2001:DB8:0::1]/").host_name
        ('xn--bcher-kva.example', '2001:db8::1')
        """
        return name_of(self.host) if self.host else None

    @property
    def origin(self) -> str | None:
        """The scheme, host and port that decide what belongs together: RFC 6454, section 6.2.

        The host is ``host_name``, an IP address of version 6 in brackets; the default port is left
        out. None if ``host_name`` is None.

        >>> from urlextract import parse_url
        >>> parse_url("HTTP://Me@Example.ORG:80/a").origin, parse_url("mailto:me@example.org").origin
        ('http://example.org', None)
        """
        name = self.host_name
        if name is None:
            return None
        host = f"[{name.replace('%', '%25')}]" if ":" in name else name
        is_default = self.port is None or self.port == self.default_port
        return f"{self.scheme}://{host}" + ("" if is_default else f":{self.port}")

    @property
    def host_ascii(self) -> str | None:
        """The host with A-labels, as in the DNS; None if it has no such form (IDNA 2008)."""
        return to_ascii(self.host) if self.host else self.host

    @property
    def host_unicode(self) -> str | None:
        """The host with U-labels, in the letters of its own language."""
        return to_unicode(self.host) if self.host else self.host

    def decoded(self, name: str, encoding: str = "utf-8", errors: str = "replace") -> Any:
        """Return the component ``name`` percent-decoded; tuples stay tuples, numbers and None unchanged.

        ``encoding`` and ``errors`` are those of `bytes.decode`. Raise `ValueError` for a name that
        is neither a key of `parts` nor a generic component (RFC 3986, section 3).

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

    # Places in the text and rules of the scheme, for the other modules of ``schemes``

    @property
    def _login_start(self) -> int:
        """The offset in the text at which the user begins, or the host if there is no user."""
        return len(self._parts[0]) + 3

    @property
    def _host_start(self) -> int:
        """The offset in the text at which the host begins."""
        user, password, *_ = self._login
        size = 0 if user is None else len(user) + 1
        return self._login_start + size + (0 if password is None else len(password) + 1)

    @property
    def _path_start(self) -> int:
        """The offset in the text at which the path begins."""
        scheme, authority, *_ = self._parts
        return len(scheme) + 1 + (0 if authority is None else 2 + len(authority))

    @property
    def _path_end(self) -> int:
        """The offset in the text at which the path ends."""
        return self._path_start + len(self._parts[2])

    def _components(self) -> Iterator[Component]:
        """Yield the components after the authority, with the characters that each may have."""
        start, end = self._path_start, self._path_end
        yield Component(start, end, "urlpath", bnf.XCHAR, bnf.PCHAR + "/")
        if self.query is not None:
            size = len(self.query)
            yield Component(end + 1, end + 1 + size, "urlpath", bnf.XCHAR, bnf.QUERY, bnf.RFC1630_SEARCH)

    def _acted_on(self) -> Iterable[tuple[int, int]]:
        """Return the spans of the text in which the protocol would act on a decoded line end or NUL."""
        if not self._IS_ACTED_ON:
            return ()
        size = 0 if self.fragment is None else len(self.fragment) + 1
        return ((self._path_start, len(self.text) - size),)

    def _structural_violations(self) -> Iterable[StructuralViolation]:
        """Return the violations from the structure that the scheme requires."""
        return ()

    def _composed(self, values: Mapping[str, Any]) -> dict[str, str | None]:
        """Return the generic components that have the ``values`` of the components in ``_PART_OF``.

        ``values`` has all of ``_FIELDS``. If this cannot be done, the result is not what is asked for,
        which `changing` detects.
        """
        return {whole: values[name] for name, wholes in self._PART_OF.items() for whole in wholes}

    def _directory(self) -> str | None:
        """Return the path to which segments can be appended, None if it is not a hierarchy."""
        is_hierarchy = self._HAS_SEGMENTS and (self.host is not None or self._whole_path.startswith("/"))
        return self._whole_path if is_hierarchy and self._HAS_AUTHORITY else None

    def _levelled_path(self, levelled: str) -> str:
        """Return the path of the normal form; ``levelled`` is the path after `same_level`."""
        return levelled

    def _same_host(self) -> str | None:
        """Return the host for the comparison of URLs; all spellings of an IP address are equal."""
        address = self.address
        return self.host if address is None else str(address)

    def _same_path(self) -> str:
        """Return the path for the comparison of URLs; some schemes allow omitting its first slash."""
        return self.path


def _decoded(value: Any, encoding: str, errors: str) -> Any:
    if isinstance(value, str):
        return decoded_text(value, encoding, errors)
    if isinstance(value, tuple):
        return tuple(_decoded(part, encoding, errors) for part in value)
    return value


def host_span(url: UrlBase) -> Span:
    """Return the place of the host in the text; it is empty if there is no host.

    >>> from urlextract import parse_url
    >>> host_span(parse_url("ftp://me@host.dom:21/a"))
    Span(start=9, end=17)
    """
    return Span(url._host_start, url._host_start + len(url.host or ""))


def port_span(url: UrlBase) -> Span:
    """Return the place of the port's digits in the text; it is empty if there are none.

    >>> from urlextract import parse_url
    >>> port_span(parse_url("ftp://me@host.dom:0021/a"))
    Span(start=18, end=22)
    """
    start = host_span(url).end + 1
    return Span(start, start + len(url._login.port or ""))


def path_start(url: UrlBase) -> int:
    """Return the offset in the text at which the path begins.

    >>> from urlextract import parse_url
    >>> path_start(parse_url("ftp://host.dom/a"))
    14
    """
    return url._path_start
