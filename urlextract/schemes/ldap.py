"""ldap and ldaps: RFC 4516, uri(7).

::

    ldapurl     = scheme COLON SLASH SLASH [host [COLON port]]
                     [SLASH dn [QUESTION [attributes]
                     [QUESTION [scope] [QUESTION [filter]
                     [QUESTION extensions]]]]]
    attributes  = attrdesc *(COMMA attrdesc)
    scope       = "base" / "one" / "sub"
    extensions  = extension *(COMMA extension)
    extension   = [EXCLAMATION] extype [EQUALS exvalue]
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, ClassVar, NamedTuple, Self, Unpack

from urlextract.grammar import bnf
from urlextract.grammar.bnf import RFC3986, RFC4516, Component, StructuralViolation
from urlextract.grammar.patterns import lazy_re
from urlextract.schemes.changing import Components, replaced
from urlextract.schemes.components import part_at
from urlextract.schemes.escapes import decoded_text
from urlextract.schemes.url import Url


class _LdapComponents(Components, total=False):
    dn: str | None
    attributes: tuple[str, ...] | None
    scope: str | None
    filter: str | None
    extensions: tuple[LdapExtension, ...] | None


_BOTH = (RFC4516, RFC3986)
_COMMA = lazy_re(r"(?<!\\),|(?<!%5[cC])%2[cC]")


def _is_balanced(search: str) -> bool:
    """Return whether a filter is in one pair of balanced parentheses: RFC 4515, section 3."""
    depth = 0
    text = decoded_text(search)
    for at, char in enumerate(text):
        depth += (char == "(") - (char == ")")
        if depth <= 0 and (char == ")" or at == 0) and at < len(text) - 1:
            return False
    return depth == 0


def _are_named(extensions: str) -> bool:
    names = (one.partition("=")[0].removeprefix("!") for one in extensions.split(","))
    return "?" not in extensions and all(names)


_PARTS: tuple[tuple[str, Callable[[str], bool], str], ...] = (
    ("attributes", lambda part: not part or all(part.split(",")), "an attribute without a name"),
    (
        "scope",
        lambda part: part.lower() in ("base", "one", "sub", ""),
        "a scope that is none of base, one and sub",
    ),
    ("filter", _is_balanced, "parentheses that do not pair"),
    ("extensions", _are_named, "an extension without a name"),
)


class LdapExtension(NamedTuple):
    """An extension of an LDAP URL: RFC 4516, section 2.

    ``value`` is None without "=". A program that does not support a ``critical`` extension must not
    use the URL.

    >>> from urlextract import parse_url
    >>> parse_url("ldap://a.example/o=x????!bindname=cn=c").extensions
    (LdapExtension(name='bindname', value='cn=c', critical=True),)
    """

    name: str
    value: str | None
    critical: bool


def _extension(name: str, value: str | None, critical: bool) -> str:
    return f"{'!' if critical else ''}{name}" + ("" if value is None else f"={value}")


class LdapUrl(Url):
    """A search in an LDAP directory: RFC 4516, section 2.

    >>> from urlextract import parse_url
    >>> url = parse_url("ldap://host.com:6666/o=University%20of%20Michigan,c=US??sub?(cn=Babs%20Jensen)")
    >>> url.dn, url.attributes, url.scope, url.filter, url.extensions
    ('o=University%20of%20Michigan,c=US', (), 'sub', '(cn=Babs%20Jensen)', None)
    """

    __slots__ = ()
    _FIELDS: ClassVar = (
        "user", "password", "host", "port", "dn", "attributes", "scope", "filter", "extensions", "fragment",
    )  # fmt: skip
    GRAMMARS: ClassVar = (RFC4516, RFC3986)
    _STANDARDS: ClassVar = Url._STANDARDS | {RFC4516: "RFC 4516, section 2"}
    _HAS_LOGIN: ClassVar = False
    _IS_ACTED_ON: ClassVar = True
    _HAS_SEGMENTS: ClassVar = False
    _PART_OF: ClassVar = {"dn": ("path",)} | dict.fromkeys(
        ("attributes", "scope", "filter", "extensions"), ("query",)
    )

    def replace(self, **components: Unpack[_LdapComponents]) -> Self:
        """Return a URL with other components: see `Url.replace`."""
        return replaced(self, components)

    @classmethod
    def _allow_no_authority(cls, text: str, path: str) -> None:
        raise cls._nothing('"//"', text)

    def _part(self, index: int) -> str | None:
        return part_at(() if self.query is None else self.query.split("?", 3), index)

    @property
    def dn(self) -> str | None:
        """The distinguished name of the object where the search begins, None without a path."""
        return self.path[1:] if self.path else None

    @property
    def attributes(self) -> tuple[str, ...] | None:
        """The requested attributes; () and None mean all."""
        part = self._part(0)
        return tuple(part.split(",")) if part else None if part is None else ()

    @property
    def scope(self) -> str | None:
        """The scope of the search: ``base``, ``one`` or ``sub``; "" and None mean ``base``."""
        return self._part(1)

    @property
    def filter(self) -> str | None:
        """The filter for the entries of the result, None if there is none."""
        return self._part(2)

    @property
    def extensions(self) -> tuple[LdapExtension, ...] | None:
        """The extensions, None if there is no such part.

        >>> from urlextract import parse_url
        >>> parse_url("ldap:///??sub??!e-bindname=cn=Manager").extensions
        (LdapExtension(name='e-bindname', value='cn=Manager', critical=True),)
        """
        part = self._part(3)
        if part is None:
            return None
        pairs = (extension.partition("=") for extension in part.split(",") if extension)
        return tuple(
            LdapExtension(name.removeprefix("!"), value if equals else None, name.startswith("!"))
            for name, equals, value in pairs
        )

    def _composed(self, values: Mapping[str, Any]) -> dict[str, str | None]:
        """Return the path of the name, and the query of attributes, scope, filter and extensions."""
        attributes, extensions = values["attributes"], values["extensions"]
        parts = (
            None if attributes is None else ",".join(attributes),
            values["scope"],
            values["filter"],
            None if extensions is None else ",".join(_extension(*each) for each in extensions),
        )
        given = [part for part in parts if part is not None]
        path = "" if values["dn"] is None else f"/{values['dn']}"
        return {"path": path, "query": "?".join(given) if given else None}

    def _components(self) -> Iterator[Component]:
        """Yield the distinguished name and the query."""
        start, end = self._path_start, self._path_end
        yield Component(start, end, "dn", bnf.PCHAR + "/", bnf.PCHAR + "/")
        if self.query is not None:
            yield Component(end + 1, end + 1 + len(self.query), "ldapurl", bnf.QUERY, bnf.QUERY)

    def _structural_violations(self) -> Iterator[StructuralViolation]:
        """Yield the violations of name, attributes, scope, filter and extensions."""
        start, end = self._path_start, self._path_end
        if self.query is not None and not self.path:
            yield StructuralViolation(start, start, "ldapurl", 'no "/" before the search', _BOTH)
        if self.dn and not all("=" in part for part in _COMMA.split(self.dn)):
            yield StructuralViolation(start + 1, end, "dn", "not a distinguished name", _BOTH)
        at = end + 1
        for index, (rule, is_sound, message) in enumerate(_PARTS):
            part = self._part(index)
            if part is None:
                return
            if not is_sound(part):
                yield StructuralViolation(at, at + len(part), rule, message, _BOTH)
            at += len(part) + 1

    def _same_path(self) -> str:
        """Return the path for comparison; an empty path is the same as "/"."""
        return self.path or "/"
