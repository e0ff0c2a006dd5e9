"""What may stand after ``//``: RFC 1738 section 3.1, RFC 3986 section 3.2.

::

    // <user>:<password>@<host>:<port>/<url-path>
    hostport   = host [ ":" port ]

Hosts here are those a reader takes for one: labels of letters of any script,
digits, "_" and inner "-"; IPv4; "[IPv6]". An empty port ("host:/") occurs in
mail and is read as no port.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any

__all__ = ["ASCII_HOST", "PORT", "abbreviated_host_end", "authority", "loose_authority"]

PORT = r"(?::(?:[0-9]{1,9}+|(?=[/?#])))?+"

ASCII_HOST = r"[A-Za-z0-9]++(?:(?:\.|-++)[A-Za-z0-9]++)*+"
"""A host of ASCII letters, digits and inner hyphens: all but one in a thousand."""

_USERINFO = r"(?:[\w.~!$&'()*+,;=:%@-]{0,256}@)?"
_IP_LITERAL = r"\[[0-9A-Fa-f:.]{2,45}(?:%[\w.~%-]{1,32})?\]|\[v[0-9a-fA-F]{1,4}\.[\w.~:-]{1,64}\]"
_ASCII_AUTHORITY = re.compile(
    rf"{_USERINFO}(?:{_IP_LITERAL}|{ASCII_HOST}(?:\.(?=[/?#:]))?+(?![\w-])(?![^\x00-\x7f])){PORT}",
    re.ASCII,
)

# RFC 3986, section 3.2.2: reg-name = *( unreserved / pct-encoded / sub-delims )
_LOOSE = re.compile(r"[\w.~!$&'()*+,;=:@%\[\]-]{0,1024}")


_END = r"[\p{L}\p{N}\p{M}_]"
_INNER = r"[\p{L}\p{N}\p{M}\u200c\u200d_-]"
_LABEL = rf"{_END}(?:{_INNER}{{0,61}}{_END})?+"
# Symbols are registered under some domains, never as one: "i❤.ws".
_SIGN_END = r"[\p{L}\p{N}\p{M}\p{So}\ufe0f_]"
_SIGN_INNER = r"[\p{L}\p{N}\p{M}\p{So}\ufe0f\u200c\u200d_-]"
_UPPER_LABEL = rf"{_SIGN_END}(?:{_SIGN_INNER}{{0,61}}{_SIGN_END})?"


@cache
def _unicode_authority() -> Any:
    import regex  # noqa: PLC0415 - only hosts beyond letters, digits and hyphens come here

    return regex.compile(
        rf"{_USERINFO}(?:{_IP_LITERAL}|(?:{_UPPER_LABEL}\.){{0,126}}{_LABEL}(?:\.(?=[/?#:]))?+){PORT}"
    )


def authority(text: str, start: int) -> int | None:
    """Give the end of the host and port that begin at ``start``, None without a host.

    >>> authority("http://user:pw@example.org:8080/x", 7)
    31
    >>> authority("http:///x", 7) is None
    True
    """
    match = _ASCII_AUTHORITY.match(text, start) or _unicode_authority().match(text, start)
    return match.end() if match else None


def loose_authority(text: str, start: int) -> int:
    """Give the end of any RFC 3986 authority, which may be empty."""
    match = _LOOSE.match(text, start)
    return match.end() if match else start


_ABBREVIATED = re.compile(rf"(?i:www|ftp)\.{ASCII_HOST}(?![\w-])(?![^\x00-\x7f])")


@cache
def _unicode_abbreviated() -> Any:
    import regex  # noqa: PLC0415 - as above

    return regex.compile(rf"(?i:www|ftp)\.(?:{_UPPER_LABEL}\.){{1,126}}{_LABEL}(?![\w-])")


def abbreviated_host_end(text: str, start: int = 0) -> int | None:
    """Give the end of a host that begins with ``www.`` or ``ftp.`` and has two dots at least.

    >>> abbreviated_host_end("www.w3.org/x"), abbreviated_host_end("www.example")
    (10, None)
    """
    match = _ABBREVIATED.match(text, start)
    if match and match.group().count(".") > 1:
        return match.end()
    match = _unicode_abbreviated().match(text, start)
    return match.end() if match else None
