"""Percent-encoding: RFC 3986 section 2.1, RFC 3987 section 3.1."""

from __future__ import annotations

import re

__all__ = ["percent_encoded"]

_BEYOND_ASCII = re.compile(r"[^\x00-\x7f]+")
_AUTHORITY = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://[^/?#]*")


def percent_encoded(url: str) -> str:
    """Write the non-ASCII characters of path, query and fragment as ``%XX`` of their UTF-8.

    The host is left alone: it has an encoding of its own.

    >>> percent_encoded("http://example.org/wiki/Größe")
    'http://example.org/wiki/Gr%C3%B6%C3%9Fe'
    """
    if url.isascii():
        return url
    match = _AUTHORITY.match(url)
    start = match.end() if match else 0
    return url[:start] + _BEYOND_ASCII.sub(_escaped, url[start:])


def _escaped(match: re.Match[str]) -> str:
    data = match.group().encode("utf-8", "replace")
    return "".join(f"%{byte:02X}" for byte in data)
