"""The generic form that every scheme has: RFC 1738 section 5, RFC 3986 section 3.

::

    genericurl = scheme ":" schemepart
    ip-schemepart = "//" login [ "/" urlpath ]
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from urlextract.errors import UrlSyntaxError
from urlextract.grammar.hosts import authority, loose_authority
from urlextract.grammar.registry import SCHEME_NAME, SCHEMES

__all__ = ["Url", "parse_url"]

_SCHEME = re.compile(rf"({SCHEME_NAME}):")
_LOGIN = re.compile(r"(?:.*@)?(?P<host>\[[^\]]*\]|[^:]*)(?::(?P<port>.*))?\Z", re.DOTALL)

_PORT_DIGITS = 9  # a port above 65535 is a fault of the URL, not of its form


@dataclass(frozen=True, slots=True, kw_only=True)
class Url:
    """A URL in its generic parts: encoded as they stood, None where absent.

    ``rest`` is all behind the scheme's colon. ``str()`` gives the text back.

    >>> str(parse_url("HTTP://example.org:8080/x"))
    'HTTP://example.org:8080/x'
    """

    text: str
    scheme: str
    rest: str
    host: str | None = None
    port: int | None = None

    def __str__(self) -> str:
        return self.text


def parse_url(text: str) -> Url:
    """Take one URL apart: scheme, rest, and host and port where there are any.

    Raises `UrlSyntaxError`, with the place, where no scheme stands, nothing follows
    it, or the scheme's standard asks for a ``//host`` that is not there.

    >>> url = parse_url("http://example.org:8080/x")
    >>> url.scheme, url.host, url.port
    ('http', 'example.org', 8080)
    """
    match = _SCHEME.match(text)
    if match is None:
        raise UrlSyntaxError("no scheme", text, (0, 0))
    scheme, start = match[1].lower(), match.end()
    rest = text[start:]
    if not rest:
        raise UrlSyntaxError("nothing after the scheme", text, (start, start))
    row = SCHEMES.get(scheme)
    if not rest.startswith("//"):
        if row and row.port and not row.shape:
            raise UrlSyntaxError(f'no "//" and host, which {scheme} asks for', text, (start, start))
        return Url(text=text, scheme=scheme, rest=rest)
    host, port = _login(text, scheme, start + 2)
    return Url(text=text, scheme=scheme, rest=rest, host=host, port=port)


def _login(text: str, scheme: str, start: int) -> tuple[str, int | None]:
    """Read ``[user[:password]@]host[:port]``: RFC 1738, section 3.1."""
    end = _authority_end(text, start)
    match = _LOGIN.match(text, start, end)
    host, port = (match["host"], match["port"]) if match else ("", None)
    if port and not (port.isascii() and port.isdigit()):
        raise UrlSyntaxError("port is not a number", text, (end - len(port), end))
    if port and len(port) > _PORT_DIGITS:
        raise UrlSyntaxError("port is out of all range", text, (end - len(port), end))
    row = SCHEMES.get(scheme)
    if not host and row and not row.hostless:
        raise UrlSyntaxError('no host after "//"', text, (start, end))
    if row and not row.hostless and authority(text, start) is None:
        raise UrlSyntaxError("not a host", text, (start, end))
    if row is None and loose_authority(text, start) < end:
        at = loose_authority(text, start)
        raise UrlSyntaxError("a character no host has", text, (at, at + 1))
    return host, int(port) if port else None


def _authority_end(text: str, start: int) -> int:
    ends = [at for at in (text.find(sign, start) for sign in "/?#") if at >= 0]
    return min(ends, default=len(text))
