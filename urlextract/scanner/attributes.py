"""The value of an attribute of HTML: one URL, or none. Nothing in it is searched for."""

from __future__ import annotations

import re

from urlextract.grammar.hosts import ASCII_HOST
from urlextract.grammar.registry import SCHEME_NAME, SCHEMES, has_shape, is_registered
from urlextract.scanner.bare import host_fault

__all__ = ["attribute_fault", "attribute_url"]

_BROKEN = re.compile(r"[ ]*[\t\n\r]+[ ]*")
# RFC 3986, section 3.2.2: a registered name may be percent-encoded; where quotes
# delimit it no prose is to be feared.
_ENCODED_HOST = re.compile(r"(?:[\w.-]|%[0-9A-Fa-f]{2}){1,500}(?::[0-9]{1,5})?(?:[/?#]|\Z)")
# Nine of ten: a host without a fault, whatever follows it.
_PLAIN = re.compile(rf"https?://{ASCII_HOST}(?::[0-9]{{1,5}}+)?+(?:[/?#]|\Z)")
_NAME = re.compile(rf"({SCHEME_NAME}):")


def attribute_fault(url: str, *, any_scheme: bool = False) -> str | None:
    """Say why the value ``url`` of an attribute is no URL to report, None where it is one."""
    if _PLAIN.match(url):
        return None
    match = _NAME.match(url)
    if match is None:
        return "a relative reference without a base"
    name, rest = match[1].lower(), url[match.end() :]
    if rest.startswith("//"):
        if not any_scheme and not is_registered(name):
            return "not a registered scheme"
        fault = host_fault(name, url, match.end() + 2)
        return None if fault and _ENCODED_HOST.match(url, match.end() + 2) else fault
    if name not in SCHEMES and rest and (any_scheme or is_registered(name)):
        return None
    return None if has_shape(name, rest) else f'what follows does not have the shape of "{name}:"'


def attribute_url(value: str) -> str:
    r"""Give the URL that a value writes: line breaks and tabs go, a blank inside it is meant.

    >>> attribute_url(" http://a.example/b\n c d ")
    'http://a.example/bc%20d'
    """
    return "%20".join(_BROKEN.sub("", value).split())
