"""Parse URLs: split them as in RFC 3986, appendix B, then make a value of the scheme's type.

::

    genericurl = scheme ":" schemepart
"""

from __future__ import annotations

from functools import lru_cache
from importlib import import_module

from urlextract.grammar.registry import SCHEMES
from urlextract.schemes.components import split_parts
from urlextract.schemes.value import Url, identity

__all__ = ["parse_url", "same_resource"]

_types: dict[str, type[Url]] = {}


def parse_url(text: str) -> Url:
    """Return the URL ``text`` as a value of its scheme's type, with its components.

    The components stay encoded, and ``str()`` of the value returns ``text``. Text that does not fit
    the grammar of the scheme is no error: see `Url.violations`. See RFC 3986, section 3 for the
    components.

    Raise `UrlSyntaxError`, with the place in characters, if there is no scheme or nothing after it,
    if the scheme requires ``//`` and a host that are missing, if brackets in the host do not hold an
    IP address, or if the port is not a number. Raise `TypeError` if ``text`` is not a string.

    >>> url = parse_url("http://example.org:8080/x")
    >>> url.scheme, url.host, url.port
    ('http', 'example.org', 8080)
    """
    if not isinstance(text, str):
        raise TypeError(f"a URL is text, not {type(text).__name__}")
    return _parsed(text) if len(text) <= _CACHED else _read(text)


def _read(text: str) -> Url:
    parts = split_parts(text)
    kind = _types.get(parts[0]) or _type_of(parts[0])
    return kind.read(text, parts)


# URLs recur in mail, and values are immutable, so they can be shared.
_parsed = lru_cache(maxsize=256)(_read)
_CACHED = 1_000  # characters


def _type_of(scheme: str) -> type[Url]:
    """Return the type of a scheme; its module is loaded on first use."""
    row = SCHEMES.get(scheme.lower())
    if row is None:
        return Url
    module, _, name = row.value.rpartition(".")
    kind: type[Url] = getattr(import_module(f"urlextract.schemes.{module}"), name)
    _types[scheme] = kind
    return kind


def same_resource(one: str | Url, other: str | Url) -> bool:
    """Return whether two URLs name the same resource, as far as their texts show it.

    They do if their normal forms are equal (see `Url.normalized`; RFC 3986, section 6.2). Fragments
    are ignored, because they are not part of the URL itself. A slash is ignored if the standard of
    the scheme allows omitting it. Raise `UrlSyntaxError` for a text that does not parse.

    >>> same_resource("http://info.cern.ch/albert/bertram/marie-claude",
    ...               "HTTP://info.cern.ch:80/albert/bertram/marie%2Dclaude")
    True
    >>> same_resource("http://info.cern.ch/albert/bertram/marie-claude",
    ...               "http://info.cern.ch/albert/bertram%2Fmarie-claude")
    False
    """
    values = (url if isinstance(url, Url) else parse_url(url) for url in (one, other))
    first, second = (identity(value.normalized()) for value in values)
    return first == second
