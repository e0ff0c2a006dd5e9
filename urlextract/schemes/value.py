"""The value of a URL: its components, its violations, its normal form, and the comparison of two URLs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from urlextract.grammar.patterns import lazy_re
from urlextract.schemes.components import Anatomy
from urlextract.schemes.escapes import same_level
from urlextract.schemes.validation import cautions_of, grammars_of, least_violations_of, violations_of

if TYPE_CHECKING:
    from urlextract.schemes.validation import Caution, Violation

__all__ = ["Url", "identity"]

_OUTSIDE_ESCAPES = lazy_re("%[0-9A-F]{2}|([A-Z]+)")


def normal_text(url: Anatomy) -> str:
    """Return the normal form of a URL: see `Url.normalized`."""
    return _written(url, url.levelled_path(same_level(url.whole_path)), _host(url), url.fragment)


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
    text = f"{url.scheme}:"
    if host is not None:
        login = "" if url.user is None else same_level(url.user)
        login += "" if url.password is None else f":{same_level(url.password)}"
        is_given = url.port is not None and url.port != url.default_port
        text += f"//{login}{'' if url.user is None else '@'}{host}{f':{url.port}' if is_given else ''}"
    query = url.query
    return "".join(
        (
            text,
            path,
            "" if query is None else f"?{same_level(query)}",
            "" if fragment is None else f"#{same_level(fragment)}",
        )
    )


def identity(normal: Anatomy) -> str:
    """Return a text that is equal for two URLs of the same resource; ``normal`` is a normal form.

    Fragments are ignored, because they are not part of the URL itself. A slash is ignored if the
    standard of the scheme allows omitting it.
    """
    return _written(normal, normal.same_path(), normal.same_host(), None)


class Url(Anatomy):
    """A URL and its components, encoded as in its text; an absent one is None, an empty one is "".

    ``str()`` returns the text unchanged. Two values are equal if their texts are equal. This
    type has the generic components of RFC 3986, section 3. The types of single schemes derive from
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
        """The violations of the first grammar in ``GRAMMARS``, in the order of the text."""
        return violations_of(self)

    def faults_of_nearest_grammar(self) -> tuple[Violation, ...]:
        """Return the violations of that grammar in ``GRAMMARS`` of which the URL has the fewest.

        >>> from urlextract import parse_url
        >>> [fault.rule for fault in parse_url("http://host.dom/~me/a|b").faults_of_nearest_grammar()]
        ['RFC 3986, appendix A: hsegment']
        """
        return least_violations_of(self)

    @property
    def grammars(self) -> tuple[str, ...]:
        """The grammars in ``GRAMMARS`` that the URL fits, such as "rfc1738"."""
        return grammars_of(self)

    @property
    def warnings(self) -> tuple[Caution, ...]:
        """The cautions about the URL, in the order of the text: RFC 1738, section 6."""
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
        return self.of_text(normal_text(self))
