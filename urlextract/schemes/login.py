"""What stands between ``//`` and the path: user, password, host and port.

RFC 1738, section 3.1 and RFC 3986, section 3.2::

    login    = [ user [ ":" password ] "@" ] hostport
    hostport = host [ ":" port ]
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from urlextract.errors import UrlSyntaxError
from urlextract.grammar.hosts import address_v6
from urlextract.grammar.patterns import later
from urlextract.schemes.escapes import decoded_text

if TYPE_CHECKING:
    from ipaddress import IPv4Address, IPv6Address

__all__ = ["NO_LOGIN", "Login", "address_of", "read_login"]

_LONGEST_PORT = 4_000  # digits; a number of more is no number to Python, nor to anyone
_FUTURE = later(r"[vV][0-9A-Fa-f]+\.[\w.~!$&'()*+,;=:-]+\Z", re.ASCII)
# The zone is parted by "%25", which many write as "%".
_ZONED = later(r"([^%]*)(?:%(?:25)?+(.+))?\Z", re.DOTALL)


class Login(NamedTuple):
    """The parts as they stood; None where absent, which is not empty."""

    user: str | None
    password: str | None
    host: str | None
    port: str | None


NO_LOGIN = Login(None, None, None, None)
"""Of a URL without ``//``."""


def read_login(text: str, start: int, end: int) -> Login:
    """Take ``text[start:end]`` apart.

    Raises `UrlSyntaxError` for a port that is no number, and for brackets in the
    host that hold no address.

    >>> read_login("ftp://foo:@host.com:21/", 6, 22)
    Login(user='foo', password='', host='host.com', port='21')
    """
    authority = text[start:end]
    if ":" not in authority and "@" not in authority and "[" not in authority and "]" not in authority:
        return Login(None, None, authority, None)
    userinfo, at, hostport = authority.rpartition("@")
    user, colon, password = userinfo.partition(":")
    host, port = _read_hostport(text, end - len(hostport), end)
    return Login(user if at else None, password if colon else None, host, port)


def _read_hostport(text: str, start: int, end: int) -> tuple[str, str | None]:
    hostport = text[start:end]
    if hostport.startswith("["):
        size = hostport.find("]") + 1
        if not size:
            raise UrlSyntaxError("a bracket that is not closed", text, (start, end))
        if not is_ip_literal(hostport[1 : size - 1]):
            raise UrlSyntaxError("brackets that hold no IP address", text, (start, start + size))
        host, colon, port = hostport[:size], hostport[size : size + 1], hostport[size + 1 :]
        if colon not in ("", ":"):
            raise UrlSyntaxError("no port behind the bracket", text, (start + size, end))
    else:
        host, colon, port = hostport.partition(":")
        if "[" in host or "]" in host:
            raise UrlSyntaxError("brackets that hold no IP address", text, (start, start + len(host)))
    if port and not (port.isascii() and port.isdigit()):
        raise UrlSyntaxError("port is not a number", text, (end - len(port), end))
    if len(port.lstrip("0")) > _LONGEST_PORT:
        raise UrlSyntaxError("port has too many digits", text, (end - len(port), end))
    return host, port if colon else None


def is_ip_literal(inside: str) -> bool:
    """Say whether brackets may hold ``inside``: RFC 3986 section 3.2.2, with a zone as in RFC 6874.

    >>> is_ip_literal("fe80::1%25eth0"), is_ip_literal("v1.a:b"), is_ip_literal("::g")
    (True, True, False)
    """
    match = _ZONED.match(inside)
    return bool(match and address_v6(match[1])) or _FUTURE.match(inside) is not None


def _zoned(inside: str) -> IPv6Address | None:
    """Give an address with its zone, without it where Python has no such zones."""
    match = _ZONED.match(inside)
    if match is None:
        return None
    zone = f"%{decoded_text(match[2])}" if match[2] else ""
    return address_v6(match[1] + zone) or address_v6(match[1])


def address_of(host: str | None) -> IPv4Address | IPv6Address | None:
    """Give the address that a host is, None for a name.

    >>> address_of("192.0.2.17"), address_of("[fe80::1%25eth0]"), address_of("example.org")
    (IPv4Address('192.0.2.17'), IPv6Address('fe80::1%eth0'), None)
    """
    if not host:
        return None
    if host.startswith("["):
        return _zoned(host[1:-1])
    from ipaddress import IPv4Address  # noqa: PLC0415 - as above

    try:
        return IPv4Address(host)
    except ValueError:
        return None
