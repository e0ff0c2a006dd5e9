"""The parts of a URL that all schemes share."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Self, TypeAlias

from urlextract.errors import UrlSyntaxError
from urlextract.grammar import bnf
from urlextract.grammar.bnf import RFC1630, RFC1738, RFC3986, URI7, Component, Departure
from urlextract.grammar.patterns import lazy_re
from urlextract.grammar.registry import SCHEMES
from urlextract.schemes.authority import NO_LOGIN, Login, address_of, read_login, to_ascii, to_unicode
from urlextract.schemes.escapes import decoded_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from ipaddress import IPv4Address, IPv6Address

__all__ = ["PARTS", "Anatomy", "part_at", "split_parts"]

Parts: TypeAlias = tuple[str, str | None, str, str | None, str | None]
"""Scheme, authority, path, query, fragment."""

PARTS = lazy_re(
    r"(?:([A-Za-z][A-Za-z0-9+.-]*+):)?(?://([^/?#]*+))?([^?#]*+)(?:\?([^#]*+))?(?:#(.*))?", re.DOTALL
)
"""Any text at all, in groups as in `Parts`; only the path always matches."""


def split_parts(text: str) -> Parts:
    """Split a text into the parts of a URL.

    Raises `UrlSyntaxError` where no scheme stands.

    >>> split_parts("http://host.dom/a?b#c")
    ('http', 'host.dom', '/a', 'b', 'c')
    """
    match = PARTS.match(text)
    if match is None or match[1] is None:
        raise UrlSyntaxError("no scheme", text, (0, min(1, len(text))))
    return match.groups()  # type: ignore[return-value]  # scheme and path have matched


def part_at(parts: Sequence[str], index: int) -> str | None:
    """Return a part by its number, None where there are not so many.

    >>> part_at("/db/type".split("/"), 2), part_at(["", "db"], 2)
    ('type', None)
    """
    return parts[index] if index < len(parts) else None


_set = object.__setattr__


class Anatomy:
    """The parts of a URL: encoded as they stood, None where absent, which is not empty."""

    __slots__ = ("_login", "_parts", "_text")
    _login: Login
    _parts: Parts
    _text: str

    FIELDS: ClassVar[tuple[str, ...]] = ("user", "password", "host", "port", "path", "query", "fragment")
    """The names of the components, in the order of the text."""

    GRAMMARS: ClassVar[tuple[str, ...]] = (RFC1738, RFC3986, RFC1630)
    """The grammars a URL of this type may fit; ``violations`` are of the first."""

    STANDARDS: ClassVar[dict[str, str]] = {
        RFC1738: "RFC 1738, section 5",
        RFC3986: "RFC 3986, appendix A",
        RFC1630: "RFC 1630",
        URI7: "uri(7)",
    }
    HAS_AUTHORITY: ClassVar[bool] = True
    HAS_QUERY: ClassVar[bool] = True
    HAS_LOGIN: ClassVar[bool] = True
    NEEDS_HOST: ClassVar[bool] = False
    IS_ACTED_ON: ClassVar[bool] = False
    """Whether a protocol would act on a line end or NUL in what is decoded."""

    # No ``__init__``: values are shared, and to call it again would change them.
    @classmethod
    def _made(cls, text: str, parts: Parts, login: Login) -> Self:
        url = object.__new__(cls)
        _set(url, "_text", text)
        _set(url, "_parts", parts)
        _set(url, "_login", login)
        return url

    @classmethod
    def read(cls, text: str, parts: Parts) -> Self:
        """Make a value of a text whose parts are known; raises `UrlSyntaxError` as ``parse_url`` does."""
        scheme, authority, path, query, fragment = parts
        start = len(scheme) + 1
        if len(text) == start:
            raise UrlSyntaxError("nothing after the scheme", text, (start, start))
        login = NO_LOGIN
        if authority is not None and cls.HAS_AUTHORITY:
            end = start + 2 + len(authority)
            login = read_login(text, start + 2, end)
            if cls.NEEDS_HOST and not login.host:
                raise UrlSyntaxError('no host after "//"', text, (start + 2, end))
        elif authority is None:
            cls._allow_no_authority(text, path)
        if not cls.HAS_AUTHORITY and authority is not None:
            path = f"//{authority}{path}"
            parts = scheme, None, path, query, fragment
        if query is not None and not cls.HAS_QUERY:
            parts = scheme, parts[1], f"{path}?{query}", None, fragment
        return cls._made(text, parts, login)

    @classmethod
    def _allow_no_authority(cls, text: str, path: str) -> None:
        """Raise `UrlSyntaxError` where the scheme asks for ``//`` and what is after it."""
        if cls.NEEDS_HOST:
            raise cls._nothing('"//" and host', text)

    @staticmethod
    def _nothing(wanted: str, text: str) -> UrlSyntaxError:
        start = text.find(":") + 1
        message = f"no {wanted}, which {text[: start - 1].lower()} asks for"
        return UrlSyntaxError(message, text, (start, start))

    # What it is made of

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._text!r})"

    def __eq__(self, other: object) -> bool:
        return self._text == other._text if isinstance(other, Anatomy) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._text)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{type(self).__name__} is frozen: {name!r} cannot be set")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"{type(self).__name__} is frozen: {name!r} cannot be deleted")

    def __reduce__(self) -> tuple[Any, tuple[str]]:
        return type(self).of_text, (self._text,)

    @classmethod
    def of_text(cls, text: str) -> Self:
        """Take a text apart as a URL of this type, whatever its scheme."""
        return cls.read(text, split_parts(text))

    @property
    def text(self) -> str:
        """The text itself, as ``str()`` gives it."""
        return self._text

    @property
    def scheme(self) -> str:
        """The scheme, in lower case."""
        return self._parts[0].lower()

    @property
    def rest(self) -> str:
        """All after the scheme's colon."""
        return self._text[len(self._parts[0]) + 1 :]

    @property
    def user(self) -> str | None:
        """The user name; empty in ``ftp://@host/``, None in ``ftp://host/``."""
        return self._login.user

    @property
    def password(self) -> str | None:
        """The password, None without one."""
        return self._login.password

    @property
    def host(self) -> str | None:
        """The host as it stands, None without ``//``."""
        return self._login.host

    @property
    def port(self) -> int | None:
        """The port that is given, None if none is; ``default_port`` is the scheme's own."""
        return int(self._login.port.lstrip("0") or "0") if self._login.port else None

    @property
    def login(self) -> Login:
        """User, password, host and port as they stand."""
        return self._login

    @property
    def path(self) -> str:
        """What stands between authority and query, with the slash before it; may be empty."""
        return self._parts[2]

    @property
    def whole_path(self) -> str:
        """The path as it stands in the text, whatever the type makes of it."""
        return self._parts[2]

    @property
    def query(self) -> str | None:
        """What follows ``?``, where the scheme has that."""
        return self._parts[3]

    @property
    def fragment(self) -> str | None:
        """What follows ``#``: no part of the URL itself (RFC 1738, section 2.2)."""
        return self._parts[4]

    @property
    def default_port(self) -> int | None:
        """The scheme's own port, None if it has none."""
        row = SCHEMES.get(self.scheme)
        return row.port if row else None

    @property
    def address(self) -> IPv4Address | IPv6Address | None:
        """The address that the host is, with its zone; None for a name."""
        return address_of(self.host)

    @property
    def host_ascii(self) -> str | None:
        """The host with A-labels, as the DNS has it; None if it can have none (IDNA 2008)."""
        return to_ascii(self.host) if self.host else self.host

    @property
    def host_unicode(self) -> str | None:
        """The host with U-labels, as a reader of its language knows it."""
        return to_unicode(self.host) if self.host else self.host

    def decoded(self, name: str, encoding: str = "utf-8", errors: str = "replace") -> Any:
        """Decode a component: text for text, a tuple for a tuple, None for None.

        Raises `ValueError` for a name that is neither among ``FIELDS`` nor of every URL.

        >>> from urlextract import parse_url
        >>> parse_url("ftp://host.dom/%2Fetc/motd").decoded("cwd")
        ('/etc',)
        """
        if name not in self.FIELDS and name not in Anatomy.FIELDS:
            raise ValueError(f"{name!r} is none of {', '.join(self.FIELDS)}")
        return _decoded(getattr(self, name), encoding, errors)

    def parts(self) -> dict[str, Any]:
        """Return all components by name, in the order of the text.

        >>> from urlextract import parse_url
        >>> parse_url("man:ls(1)").parts()
        {'scheme': 'man', 'name': 'ls', 'section': '1', 'fragment': None}
        """
        return {"scheme": self.scheme} | {name: getattr(self, name) for name in self.FIELDS}

    # What its type says of it, for ``validation`` and ``value``

    @property
    def login_start(self) -> int:
        """The place in the text where the user begins, or the host without one."""
        return len(self._parts[0]) + 3

    @property
    def host_start(self) -> int:
        """The place in the text where the host begins."""
        user, password, *_ = self._login
        size = 0 if user is None else len(user) + 1
        return self.login_start + size + (0 if password is None else len(password) + 1)

    @property
    def path_start(self) -> int:
        """The place in the text where the path begins."""
        scheme, authority, *_ = self._parts
        return len(scheme) + 1 + (0 if authority is None else 2 + len(authority))

    @property
    def path_end(self) -> int:
        """The place in the text where the path ends."""
        return self.path_start + len(self._parts[2])

    def components(self) -> Iterator[Component]:
        """Yield the components after the authority, with the characters each may have."""
        start, end = self.path_start, self.path_end
        yield Component(start, end, "urlpath", bnf.XCHAR, bnf.PCHAR + "/")
        if self.query is not None:
            size = len(self.query)
            yield Component(end + 1, end + 1 + size, "urlpath", bnf.XCHAR, bnf.QUERY, bnf.RFC1630_SEARCH)

    def acted_on(self) -> Iterable[tuple[int, int]]:
        """Return the stretches in which a protocol would act on a line end or NUL, once decoded."""
        if not self.IS_ACTED_ON:
            return ()
        size = 0 if self.fragment is None else len(self.fragment) + 1
        return ((self.path_start, len(self.text) - size),)

    def departures(self) -> Iterable[Departure]:
        """Return what is wrong with its structure."""
        return ()

    def levelled_path(self, levelled: str) -> str:
        """Return the path of the normal form; ``levelled`` is this one's, at one level of encoding."""
        return levelled

    def same_host(self) -> str | None:
        """Return the host by which two are compared; an address has many spellings, and is one."""
        address = self.address
        return self.host if address is None else str(address)

    def same_path(self) -> str:
        """Return the path by which two are compared; some standards let the first slash be omitted."""
        return self.path


def _decoded(value: Any, encoding: str, errors: str) -> Any:
    if isinstance(value, str):
        return decoded_text(value, encoding, errors)
    if isinstance(value, tuple):
        return tuple(_decoded(part, encoding, errors) for part in value)
    return value
