"""A URL as a value: its components, and when two are the same resource."""

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
    if host.startswith("["):  # escapes belong to the zone, which is a name of the machine's own
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
    """Return what is equal for two URLs in their normal forms if they name one resource.

    Fragments, which are no part of a URL, do not count, nor does a slash that the
    scheme's standard lets one omit.
    """
    return _written(normal, normal.same_path(), normal.same_host(), None)


class Url(Anatomy):
    """A URL in its parts: encoded as they stood, None where absent, which is not empty.

    ``str()`` gives the text back exactly. Values are equal if their texts are. This
    is the generic form, which every scheme has; the schemes' own types add theirs.

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
        """The departures from the first of ``GRAMMARS``, in the order of the text."""
        return violations_of(self)

    def faults_of_nearest_grammar(self) -> tuple[Violation, ...]:
        """Return the departures from the grammar that the URL departs from least.

        >>> from urlextract import parse_url
        >>> [fault.rule for fault in parse_url("http://host.dom/~me/a|b").faults_of_nearest_grammar()]
        ['RFC 3986, appendix A: hsegment']
        """
        return least_violations_of(self)

    @property
    def grammars(self) -> tuple[str, ...]:
        """Those of ``GRAMMARS`` that the URL fits."""
        return grammars_of(self)

    @property
    def warnings(self) -> tuple[Caution, ...]:
        """What to be wary of: RFC 1738, section 6."""
        return cautions_of(self)

    def normalized(self) -> Self:
        """Return the same URL in its normal form: RFC 1630, "Encoding reserved characters".

        Scheme and host are in lower case, a port that is the scheme's own is left
        out, what may be encoded or not is not, and nothing else is changed.

        >>> from urlextract import parse_url
        >>> str(parse_url("HTTP://Info.CERN.ch:80/albert/marie%2Dclaude%2fx").normalized())
        'http://info.cern.ch/albert/marie-claude%2Fx'
        """
        return self.of_text(normal_text(self))
