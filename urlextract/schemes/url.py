"""URLs as values, and how a text becomes one: split as in RFC 3986, appendix B, with its scheme's type.

::

    genericurl = scheme ":" schemepart
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Literal, Self

from urlextract.arguments import check_choice
from urlextract.errors import UrlSyntaxError
from urlextract.grammar.patterns import lazy_re
from urlextract.schemes.cautions import Caution, cautions_of, has_plain_host
from urlextract.schemes.changing import appended, full_form, key_of, moved, normal_text, replaced, target_of
from urlextract.schemes.checks import Violation, violations_in
from urlextract.schemes.components import UrlBase, split_parts

TYPES: dict[str, type[Url]] = {}
"""The types of the schemes that have parts of their own, by name in lower case."""

_KEPT: Any = ...  # the value of a component that is not to change

ResolveRules = Literal["rfc3986", "rfc1630"]
"""The rules by which a reference is resolved: see `Url.join`."""


class Url(UrlBase):
    """A URL and its components, encoded as in its text; an absent one is None, an empty one is "".

    ``str()`` returns the text unchanged. Two values are equal if their texts are. `parse_url` alone makes
    values. This type has the components of RFC 3986, section 3; those of single schemes add their own.

    >>> url = parse_url("x-tool://example.org:8080/a;b?c#d")
    >>> url.scheme, url.host, url.port, url.path, url.query, url.fragment
    ('x-tool', 'example.org', 8080, '/a;b', 'c', 'd')
    """

    __slots__ = ()

    def __init_subclass__(cls, *, schemes: str = "", **rows: Any) -> None:
        """Make a type the one of ``schemes``, names with blanks between; ``rows`` as in `UrlBase`."""
        super().__init_subclass__(**rows)
        TYPES.update(dict.fromkeys(schemes.split(), cls))
        for function in (_parsed, _host_name_of, _normal_form):  # they may hold the URLs in another type
            function.cache_clear()

    @property
    def violations(self) -> tuple[Violation, ...]:
        """The violations of the grammar that the URL fits best, in the order of the text.

        That is the first of ``GRAMMARS`` of which it has the fewest.

        >>> [violation.rule for violation in parse_url("http://host.dom/~me/a|b").violations]
        ['RFC 3986, appendix A: hsegment']
        """
        if not all(map(self.violations_of, self.GRAMMARS)):  # the first decides, for most
            return ()
        return min(map(self.violations_of, self.GRAMMARS), key=len)

    def violations_of(self, grammar: str) -> tuple[Violation, ...]:
        """Return the violations of one of ``GRAMMARS``; raise `ValueError` for any other.

        >>> [violation.message for violation in parse_url("http://host.dom/~me").violations_of("rfc1738")]
        ['unsafe character unencoded']
        """
        if grammar not in self.GRAMMARS:
            message = f"grammar: unknown value {grammar!r} for {type(self).__name__}"
            raise ValueError(f"{message}: choose one of {', '.join(self.GRAMMARS)}")
        if grammar not in self._checked:
            self._checked[grammar] = tuple(sorted(violations_in(self, grammar)))
        return self._checked[grammar]

    @property
    def grammars(self) -> tuple[str, ...]:
        """The grammars in ``GRAMMARS`` that the URL fits, such as "rfc1738"."""
        return tuple(name for name in self.GRAMMARS if not self.violations_of(name))

    @property
    def warnings(self) -> tuple[Caution, ...]:
        r"""What may be unsafe in the URL, in the order of the text: RFC 1738, section 6.

        Such as a host that is a number, a password, letters that look like others, invisible characters.

        >>> [warning.message for warning in parse_url("http://0x7f.1/").warnings]
        ['an address written as a number']
        """
        return cautions_of(self)

    def normalized(self) -> Self:
        """Return the same URL in its normal form: RFC 1630, "Encoding reserved characters".

        Scheme and host are in lower case, with A-labels, without the default port. What needs no encoding is
        decoded, what is unsafe encoded, in upper case.

        >>> str(parse_url("HTTP://Info.CERN.ch:80/albert/marie%2Dclaude%2fx").normalized())
        'http://info.cern.ch/albert/marie-claude%2Fx'
        """
        return self._of_text(normal_text(self))

    @property
    def key(self) -> str:
        """What is equal for URLs that are the same: the normal form, with any slash that was left out.

        >>> parse_url("HTTP://A.example:80#b").key
        'http://a.example/#b'
        """
        return key_of(self.normalized())

    def replace(
        self,
        *,
        scheme: str = _KEPT,
        user: str | None = _KEPT,
        password: str | None = _KEPT,
        host: str | None = _KEPT,
        port: int | None = _KEPT,
        path: str = _KEPT,
        query: str | None = _KEPT,
        fragment: str | None = _KEPT,
        **own: Any,
    ) -> Self:
        """Return a URL with other components, all else unchanged.

        ``own`` are the other keys of `parts`. Values are as in the text: nothing is encoded. None removes a
        component. With a scheme of another type, the value has that type, and ``own`` its keys.

        Raise `UrlSyntaxError` if the result, parsed again, would not have these components and all others as
        before, and `TypeError` for an unknown keyword and for a value of another type.

        >>> str(parse_url("http://me@example.org:8080/a?b").replace(host="example.net", port=None, query="c"))
        'http://me@example.net/a?c'
        >>> parse_url("http://example.org/a").replace(scheme="ftp", typecode="i")
        FtpUrl('ftp://example.org/a;type=i')
        """
        generic = {
            "scheme": scheme, "user": user, "password": password, "host": host, "port": port,
            "path": path, "query": query, "fragment": fragment,
        }  # fmt: skip
        given = {name: value for name, value in generic.items() if value is not _KEPT} | own
        kind: Any = type_of(scheme) if isinstance(scheme, str) else type(self)
        made: Self = replaced(self, given) if kind is type(self) else moved(self, given, kind)
        return made

    def join(self, reference: str | Url, rules: ResolveRules = "rfc3986") -> Url:
        """Return the URL that ``reference`` names on the page of this URL: RFC 3986, section 5.2.

        With ``rules="rfc1630"``, the rules of that document count. Raise `UrlSyntaxError` if the result does
        not parse.

        >>> parse_url("http://example.org/a/b/c?d").join("../e")
        HttpUrl('http://example.org/a/e')
        """
        if not isinstance(reference, str | Url):
            raise TypeError(f"reference is {type(reference).__name__}: it is str or Url")
        if rules == "rfc3986":
            return parse_url(target_of(split_parts(self.text), str(reference)))
        check_choice("rules", rules, ResolveRules)
        return parse_url(full_form(self.text, str(reference)))

    def __truediv__(self, segment: str) -> Self:
        """Return the URL with ``segment`` after its path, without query and fragment.

        What no segment can have is percent-encoded (RFC 3986, section 3.3). Raise `ValueError` if the path is
        not made of segments, as in ``mailto``, and for "." and ".." (see `join`).

        >>> str(parse_url("http://example.org/a?b") / "c d" / "1/2")
        'http://example.org/a/c%20d/1%2F2'
        """
        return appended(self, segment) if isinstance(segment, str) else NotImplemented


def parse_url(text: str | Url) -> Url:
    """Return the URL ``text`` as a value of its scheme's type, with its components.

    The components stay encoded. A `Url` is returned as it is. Raise `UrlSyntaxError`, with the place in
    characters, if there is no scheme or nothing after it, if the scheme requires ``//`` and a host that are
    missing, if brackets in the host do not hold an IP address, or if the port is not a number. All else is in
    `Url.violations`.

    >>> url = parse_url("http://example.org:8080/x")
    >>> url.scheme, url.host, url.port
    ('http', 'example.org', 8080)
    """
    if isinstance(text, Url):
        return text
    if not isinstance(text, str):
        raise TypeError(f"text is {type(text).__name__}: it is str or Url")
    return _parsed(text) if len(text) <= _LONGEST_CACHED else read_url(text)


def read_url(text: str) -> Url:
    """Return the value of a URL, which no cache holds; raise `UrlSyntaxError` if it does not parse."""
    parts = split_parts(text)
    kind = TYPES.get(parts[0]) or type_of(parts[0])
    return kind._read(text, parts)


# URLs recur in mail, and values are immutable, so they can be shared.
_parsed = lru_cache(maxsize=256)(read_url)
_LONGEST_CACHED = 1_000  # characters


def type_of(scheme: str) -> type[Url]:
    """Return the type of the URLs of a scheme.

    >>> type_of("HTTPS").__name__, type_of("x-tool").__name__
    ('HttpUrl', 'Url')
    """
    if "http" not in TYPES:
        # Its classes fill the table. They derive from `Url`, and text is searched without them.
        import urlextract.schemes.schemes  # noqa: F401
    return TYPES.get(scheme.lower(), Url)


# What is asked of the text of a URL, whether it parses or not

_OF_THE_WEB = lazy_re(r"(?i:https?)://[^/?#]*+")


def host_name_of(text: str) -> str | None:
    """Return the `Url.host_name` of a URL, None if it does not parse.

    Whether a URL of the web parses, and its host, depends only on what comes before its path, which recurs.
    """
    start = _OF_THE_WEB.match(text)
    return _host_name_of(start[0] if start else text)


@lru_cache(maxsize=4_096)
def _host_name_of(text: str) -> str | None:
    try:
        return read_url(text).host_name
    except UrlSyntaxError:
        return None


# A host in lower case that ends in a letter, so that it is no address; no port, no login, no path or
# one that begins with a slash, and no character that `Url.normalized` would encode or decode.
_AS_NORMAL = lazy_re(r"https?://[a-z0-9_.-]++(?<=[a-z])(?>(/[!#$&-;=?-Z_a-z~\[\]]*+)?)")


def normal_form(text: str) -> str:
    """Return the normal form of a URL (see `Url.normalized`), and the text itself if it does not parse.

    A slash that the standard of the scheme allows to leave out is there.

    >>> normal_form("HTTP://A.example:80"), normal_form("http://a.example/%7Eb#c%2d")
    ('http://a.example/', 'http://a.example/~b#c-')
    """
    plain = _AS_NORMAL.fullmatch(text)
    if plain:
        return text if plain[1] else f"{text}/"
    return _normal_form(text) if len(text) <= _LONGEST_CACHED else _normal_form_of(text)


def _normal_form_of(text: str) -> str:
    try:
        return read_url(text).key
    except UrlSyntaxError:
        return text


_normal_form = lru_cache(maxsize=4_096)(_normal_form_of)


def warnings_of(text: str) -> tuple[Caution, ...]:
    """Return the `Url.warnings` of a URL, each message once; none if it does not parse.

    >>> [warning.message for warning in warnings_of("ftp://www.bank.example@a.example/")]
    ['a user name that looks like a host']
    """
    if has_plain_host(text):
        return ()
    try:
        return tuple({warning.message: warning for warning in parse_url(text).warnings}.values())
    except UrlSyntaxError:
        return ()
