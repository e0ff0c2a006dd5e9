"""The value of a URL: its components, its violations, its normal form, and the comparison of two URLs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from urlextract.arguments import check_is
from urlextract.grammar.patterns import lazy_re
from urlextract.schemes.changing import appended, replaced
from urlextract.schemes.components import Anatomy, joined_parts
from urlextract.schemes.escapes import same_level
from urlextract.schemes.resolving import resolve
from urlextract.schemes.validation import grammars_of, nearest_violations_of, violations_of

if TYPE_CHECKING:
    from typing import Unpack

    from urlextract.schemes.changing import Components
    from urlextract.schemes.validation import Caution, Violation

__all__ = ["Url", "identity"]

_OUTSIDE_ESCAPES = lazy_re("%[0-9A-F]{2}|([A-Z]+)")


def normal_text(url: Anatomy) -> str:
    """Return the normal form of a URL: see `Url.normalized`."""
    return _written(url, url._levelled_path(same_level(url._whole_path)), _host(url), url.fragment)


def _host(url: Anatomy) -> str | None:
    host = url.host
    if host is None:
        return None
    if host.startswith("["):  # escapes are in the zone, which has a meaning only on the local machine
        address, percent, zone = host.partition("%")
        return address.lower() + percent + zone
    if not host.isascii() or "%" in host:
        host = url.host_ascii or same_level(host)
    return _OUTSIDE_ESCAPES.sub(lambda match: match.group().lower() if match[1] else match.group(), host)


def _written(url: Anatomy, path: str, host: str | None, fragment: str | None) -> str:
    authority = None
    if host is not None:
        login = "" if url.user is None else same_level(url.user)
        login += "" if url.password is None else f":{same_level(url.password)}"
        is_given = url.port is not None and url.port != url.default_port
        authority = f"{login}{'' if url.user is None else '@'}{host}{f':{url.port}' if is_given else ''}"
    query = None if url.query is None else same_level(url.query)
    return joined_parts(
        url.scheme, authority, path, query, None if fragment is None else same_level(fragment)
    )


def identity(normal: Anatomy, *, fragment: str | None = None) -> str:
    """Return a text that is equal for two URLs of the same resource; ``normal`` is a normal form.

    The fragment is not that of the URL, because it is not part of the URL itself. A slash is ignored
    if the standard of the scheme allows omitting it.
    """
    return _written(normal, normal._same_path(), normal._same_host(), fragment)


class Url(Anatomy):
    """A URL and its components, encoded as in its text; an absent one is None, an empty one is "".

    ``str()`` returns the text unchanged, and `format` formats it. Two values are equal if their texts
    are equal; a value never equals a text. `parse_url` alone makes values.

    This type has the generic components of RFC 3986, section 3. The types of single schemes derive from
    it and add their own.

    >>> from urlextract import parse_url
    >>> url = parse_url("x-tool://example.org:8080/a;b?c#d")
    >>> url.scheme, url.host, url.port, url.path, url.query, url.fragment
    ('x-tool', 'example.org', 8080, '/a;b', 'c', 'd')
    >>> str(parse_url("HTTP://example.org:/x"))
    'HTTP://example.org:/x'
    """

    __slots__ = ()

    @property
    def violations(self) -> tuple[Violation, ...]:
        """The violations of the grammar that the URL fits best, in the order of the text.

        That is the grammar in ``GRAMMARS`` of which the URL has the fewest violations, and the first of
        several. So there are none if ``grammars`` is not empty.

        >>> from urlextract import parse_url
        >>> [violation.rule for violation in parse_url("http://host.dom/~me/a|b").violations]
        ['RFC 3986, appendix A: hsegment']
        """
        return nearest_violations_of(self)

    def violations_of(self, grammar: str) -> tuple[Violation, ...]:
        """Return the violations of one grammar in ``GRAMMARS``, in the order of the text.

        Raise `ValueError` for a grammar that is not in ``GRAMMARS`` of the URL's type, and `TypeError` for
        one that is no `str`.

        >>> from urlextract import parse_url
        >>> url = parse_url("http://host.dom/~me")
        >>> url.violations, [violation.message for violation in url.violations_of("rfc1738")]
        ((), ['unsafe character unencoded'])
        """
        check_is("grammar", grammar, str)
        return violations_of(self, grammar)

    @property
    def grammars(self) -> tuple[str, ...]:
        """The grammars in ``GRAMMARS`` that the URL fits, such as "rfc1738"."""
        return grammars_of(self)

    @property
    def warnings(self) -> tuple[Caution, ...]:
        r"""What may be unsafe in the URL, in the order of the text: RFC 1738, section 6.

        These are an address written as a number, a user name that looks like a host, a password,
        letters that look like others, invisible characters, backslashes that browsers read as slashes,
        and hosts that cannot exist. Places count characters of ``given``, so that nothing is lost
        if the URL was read with ``rules="whatwg"``.

        >>> from urlextract import parse_url
        >>> url = parse_url("http://good.example\\@0x7f.1/")
        >>> [warning.message for warning in url.warnings]
        ['a user name that looks like a host', 'a backslash, which browsers read as a slash',
        'an address written as a number']
        """
        from urlextract.schemes.cautions import cautions_of  # noqa: PLC0415 - few URLs are asked for it

        return cautions_of(self)

    def normalized(self) -> Self:
        """Return the same URL in its normal form: RFC 1630, "Encoding reserved characters".

        Scheme and host are in lower case, the host has A-labels, and the default port is left out.
        Characters that need no encoding are decoded, unsafe ones are encoded, and escapes are in
        upper case. Nothing else changes.

        >>> from urlextract import parse_url
        >>> str(parse_url("HTTP://Info.CERN.ch:80/albert/marie%2Dclaude%2fx").normalized())
        'http://info.cern.ch/albert/marie-claude%2Fx'
        """
        text = normal_text(self)
        return self._of_text(text, text)

    def replace(self, **components: Unpack[Components]) -> Self:
        """Return a URL with other components, all else unchanged.

        The keywords are ``scheme``, ``user``, ``password``, ``host``, ``port``, ``path``, ``query`` and
        ``fragment`` as far as the type has them, and the other keys of `parts`. Values are as in the
        text: nothing is encoded. None removes a component, and a component that is given as it is
        changes nothing. The type of the value stays the same.

        Raise `UrlSyntaxError` if the result, parsed again, would not have the components asked for, and
        all others as before; for a port above 65535; for control characters, and blanks in a host. What
        else no grammar allows is in `violations`. Raise `TypeError` for an unknown keyword, and for a
        value of another type.

        >>> from urlextract import parse_url
        >>> str(parse_url("http://me@example.org:8080/a?b").replace(host="example.net", port=None, query="c"))
        'http://me@example.net/a?c'
        >>> str(parse_url("ftp://example.org/pub/doc;type=d").replace(name="text", typecode="a"))
        'ftp://example.org/pub/text;type=a'
        """
        return replaced(self, components)

    def join(self, reference: str | Url) -> Url:
        """Return the URL that ``reference`` names on the page of this URL: RFC 3986, section 5.2.

        These are the rules also for a URL that was parsed with ``rules="whatwg"``. Browsers resolve
        references as ``resolve(url, reference, rules="whatwg")`` does: see `resolve`.

        The value has the type of its own scheme. Raise `UrlSyntaxError` if the result does not parse,
        and `TypeError` if ``reference`` is neither text nor a `Url`.

        >>> from urlextract import parse_url
        >>> parse_url("http://example.org/a/b/c?d").join("../e")
        HttpUrl('http://example.org/a/e')
        """
        from urlextract.schemes.parsing import parse_url  # noqa: PLC0415 - imports this module

        check_is("reference", reference, str, Url)
        return parse_url(resolve(self, reference))

    def __truediv__(self, segment: str) -> Self:
        """Return the URL with ``segment`` after its path, without query and fragment.

        ``segment`` is text that is not encoded: "%", and what no segment can have as it is, such as "/",
        "?", "#" and blanks, is percent-encoded as UTF-8 (RFC 3986, section 3.3). A path that ends with
        a slash gets no second one, and an empty segment adds the slash at the end. A type code of ftp
        and fields of prospero are left out, as the query is.

        Raise `ValueError` if the path is not made of segments, as in ``mailto``, for "." and "..",
        which are steps (see `join`), and for a lone surrogate.

        >>> from urlextract import parse_url
        >>> str(parse_url("http://example.org/a?b") / "c d" / "1/2")
        'http://example.org/a/c%20d/1%2F2'
        """
        return appended(self, segment) if isinstance(segment, str) else NotImplemented
