"""From text to value: the parts of RFC 3986, appendix B, then the type of the scheme.

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
    """Take one URL apart, and return a value of its scheme's type.

    The value's components stay encoded, and ``str()`` of it gives the text back.
    What the text has that its grammar does not is no error, but among the value's
    ``violations``. Raises `UrlSyntaxError`, with the place, where no scheme stands,
    nothing follows it, the scheme's standard asks for a ``//host`` that is not
    there, brackets in the host hold no address, or a port is not digits.

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


# Mail repeats its URLs, and values are frozen: they may be shared.
_parsed = lru_cache(maxsize=256)(_read)
_CACHED = 1_000  # characters


def _type_of(scheme: str) -> type[Url]:
    """Return the type of a scheme; its module is loaded when it is first met."""
    row = SCHEMES.get(scheme.lower())
    if row is None:
        return Url
    module, _, name = row.value.rpartition(".")
    kind: type[Url] = getattr(import_module(f"urlextract.schemes.{module}"), name)
    _types[scheme] = kind
    return kind


def same_resource(one: str | Url, other: str | Url) -> bool:
    """Return whether two URLs name one resource, as far as that can be told without asking it.

    Their normal forms are the same; fragments, which are no part of a URL, do not
    count, nor does a slash that the scheme's standard lets one omit. Raises
    `UrlSyntaxError` for a text that does not parse.

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
