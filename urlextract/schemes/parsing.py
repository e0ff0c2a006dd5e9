"""From text to value: the parts of RFC 3986, appendix B, then the type of the scheme.

::

    genericurl = scheme ":" schemepart
"""

from __future__ import annotations

import re
from functools import lru_cache
from importlib import import_module
from typing import TYPE_CHECKING

from urlextract.errors import UrlSyntaxError
from urlextract.grammar.registry import SCHEMES
from urlextract.schemes.value import Url

if TYPE_CHECKING:
    from urlextract.schemes.value import Parts

__all__ = ["parse_url"]

_PARTS = re.compile(
    r"([A-Za-z][A-Za-z0-9+.-]*+):(?://([^/?#]*+))?([^?#]*+)(?:\?([^#]*+))?(?:#(.*))?", re.DOTALL
)
_types: dict[str, type[Url]] = {}


def parse_url(text: str) -> Url:
    """Take one URL apart, and give a value of its scheme's type.

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
    match = _PARTS.match(text)
    if match is None:
        raise UrlSyntaxError("no scheme", text, (0, min(1, len(text))))
    parts: Parts = match.groups()  # type: ignore[assignment]  # scheme and path always match
    kind = _types.get(parts[0]) or _type_of(parts[0])
    return kind.read(text, parts)


# Mail repeats its URLs, and values are frozen: they may be shared.
_parsed = lru_cache(maxsize=256)(_read)
_CACHED = 1_000  # characters


def _type_of(scheme: str) -> type[Url]:
    """Give the type of a scheme; its module is loaded when it is first met."""
    row = SCHEMES.get(scheme.lower())
    if row is None:
        return Url
    module, _, name = row.value.rpartition(".")
    kind: type[Url] = getattr(import_module(f"urlextract.schemes.{module}"), name)
    _types[scheme] = kind
    return kind
