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


def part_at(parts: Sequence[str], index: int) -> str | None:
    """Return the part at ``index``, None if there are fewer parts.

    >>> part_at("/db/type".split("/"), 2), part_at(["", "db"], 2)
    ('type', None)
    """
    return parts[index] if index < len(parts) else None


_set = object.__setattr__


class Anatomy:
    """The components of a URL, encoded as in its text; an absent one is None, an empty one is "".

    Types of schemes override the class attributes, and the methods that `validation` and `value` call.
    """

    __slots__ = ("_login", "_parts", "_text")
    _login: Login
    _parts: Parts
    _text: str

    FIELDS: ClassVar[tuple[str, ...]] = ("user", "password", "host", "port", "path", "query", "fragment")
    """The names of the components after the scheme, in the order of the text."""

    GRAMMARS: ClassVar[tuple[str, ...]] = (RFC1738, RFC3986, RFC1630)
    """The grammars that a URL of this type may fit; ``violations`` are those of the first one."""

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
    """Whether the protocol would act on a line end or NUL in the decoded components."""

    # There is no ``__init__``: values are shared, and a second call of it would change them.
    @classmethod
    def _made(cls, text: str, parts: Parts, login: Login) -> Self:
        url = object.__new__(cls)
        _set(url, "_text", text)
        _set(url, "_parts", parts)
        _set(url, "_login", login)
        return url

    @classmethod
    def read(cls, text: str, parts: Parts) -> Self:
        """Return a value for ``text`` with its ``parts``; raise `UrlSyntaxError` as `parse_url` does."""
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
        """Raise `UrlSyntaxError` if the scheme requires ``//`` and a host."""
        if cls.NEEDS_HOST:
            raise cls._nothing('"//" and host', text)

    @staticmethod
    def _nothing(wanted: str, text: str) -> UrlSyntaxError:
        start = text.find(":") + 1
        message = f"no {wanted}, which {text[: start - 1].lower()} asks for"
        return UrlSyntaxError(message, text, (start, start))

    # The text and its components

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
        """Parse ``text`` as a URL of this type, whatever its scheme is."""
        return cls.read(text, split_parts(text))

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
    def login(self) -> Login:
        """User, password, host and port as in the text."""
        return self._login

    @property
    def path(self) -> str:
        """The path between authority and query, with its first slash; it may be empty."""
        return self._parts[2]

    @property
    def whole_path(self) -> str:
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
        is neither in the ``FIELDS`` of the type nor in those of `Anatomy`.

        >>> from urlextract import parse_url
        >>> parse_url("ftp://host.dom/%2Fetc/motd").decoded("cwd")
        ('/etc',)
        """
        if name not in self.FIELDS and name not in Anatomy.FIELDS:
            raise ValueError(f"{name!r} is none of {', '.join(self.FIELDS)}")
        return _decoded(getattr(self, name), encoding, errors)

    def parts(self) -> dict[str, Any]:
        """Return the scheme and all components by name, in the order of the text.

        >>> from urlextract import parse_url
        >>> parse_url("man:ls(1)").parts()
        {'scheme': 'man', 'name': 'ls', 'section': '1', 'fragment': None}
        """
        return {"scheme": self.scheme} | {name: getattr(self, name) for name in self.FIELDS}

    # Places in the text and rules of the scheme, for ``validation`` and ``value``

    @property
    def login_start(self) -> int:
        """The offset in the text at which the user begins, or the host if there is no user."""
        return len(self._parts[0]) + 3

    @property
    def host_start(self) -> int:
        """The offset in the text at which the host begins."""
        user, password, *_ = self._login
        size = 0 if user is None else len(user) + 1
        return self.login_start + size + (0 if password is None else len(password) + 1)

    @property
    def path_start(self) -> int:
        """The offset in the text at which the path begins."""
        scheme, authority, *_ = self._parts
        return len(scheme) + 1 + (0 if authority is None else 2 + len(authority))

    @property
    def path_end(self) -> int:
        """The offset in the text at which the path ends."""
        return self.path_start + len(self._parts[2])

    def components(self) -> Iterator[Component]:
        """Yield the components after the authority, with the characters that each may have."""
        start, end = self.path_start, self.path_end
        yield Component(start, end, "urlpath", bnf.XCHAR, bnf.PCHAR + "/")
        if self.query is not None:
            size = len(self.query)
            yield Component(end + 1, end + 1 + size, "urlpath", bnf.XCHAR, bnf.QUERY, bnf.RFC1630_SEARCH)

    def acted_on(self) -> Iterable[tuple[int, int]]:
        """Return the spans of the text in which the protocol would act on a decoded line end or NUL."""
        if not self.IS_ACTED_ON:
            return ()
        size = 0 if self.fragment is None else len(self.fragment) + 1
        return ((self.path_start, len(self.text) - size),)

    def departures(self) -> Iterable[Departure]:
        """Return the departures from the structure that the scheme requires."""
        return ()

    def levelled_path(self, levelled: str) -> str:
        """Return the path of the normal form; ``levelled`` is the path after `same_level`."""
        return levelled

    def same_host(self) -> str | None:
        """Return the host for the comparison of URLs; all spellings of an IP address are equal."""
        address = self.address
        return self.host if address is None else str(address)

    def same_path(self) -> str:
        """Return the path for the comparison of URLs; some schemes allow omitting its first slash."""
        return self.path


def _decoded(value: Any, encoding: str, errors: str) -> Any:
    if isinstance(value, str):
        return decoded_text(value, encoding, errors)
    if isinstance(value, tuple):
        return tuple(_decoded(part, encoding, errors) for part in value)
    return value
