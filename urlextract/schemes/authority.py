"""The authority of a URL: user, password, host and port; hosts in other scripts."""

from __future__ import annotations

import re
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address
from typing import NamedTuple

import idna

from urlextract.errors import UrlSyntaxError
from urlextract.grammar.hosts import address_v6
from urlextract.grammar.patterns import lazy_re, lazy_regex
from urlextract.schemes.escapes import decoded_text

_MARK = "xn--"  # of an A-label: RFC 5890, section 2.3.1
_LONGEST = 1_024  # characters; host names are much shorter
_DELIMITER = lazy_re(r"[\s\x00-\x20/?#@:\[\]%\\]")
# Scripts that are used together: those of Japanese, Chinese and Korean, each with Latin.
_TOGETHER = (
    {"Latin", "Han", "Hiragana", "Katakana"},
    {"Latin", "Han", "Bopomofo"},
    {"Latin", "Han", "Hangul"},
)
_SCRIPTS = (
    "Latin", "Greek", "Cyrillic", "Armenian", "Hebrew", "Arabic", "Devanagari", "Thai", "Georgian",
    "Cherokee", "Han", "Hiragana", "Katakana", "Bopomofo", "Hangul", "Bengali", "Tamil", "Telugu",
    "Kannada", "Malayalam", "Gujarati", "Gurmukhi", "Sinhala", "Lao", "Khmer", "Myanmar", "Ethiopic",
    "Tibetan", "Mongolian", "Coptic", "Canadian_Aboriginal", "Syriac", "Thaana", "Oriya",
)  # fmt: skip


def to_ascii(host: str) -> str | None:
    """Return a host with A-labels, None if it has no such form; an ASCII host stays unchanged.

    >>> to_ascii("bücher.example"), to_ascii("Example.ORG"), to_ascii("bü cher")
    ('xn--bcher-kva.example', 'Example.ORG', None)
    """
    if host.startswith("["):
        return host
    if "%" in host:  # RFC 3986, section 3.2.2: a name in percent-encoded UTF-8
        host = decoded_text(host)
    if len(host) > _LONGEST or _DELIMITER.search(host):
        return None
    if not host.isascii():
        return _encoded(host)
    labels = host.removesuffix(".").lower().split(".")
    is_sound = all(0 < len(label) < 64 for label in labels)
    return host if is_sound and all(map(_may_stand, labels)) else None


def _encoded(host: str) -> str | None:

    try:
        return idna.encode(host, uts46=True).decode("ascii")
    except (idna.IDNAError, UnicodeError):
        return None


def _may_stand(label: str) -> bool:
    """Return whether a label is no A-label, or a valid one."""
    return not label.startswith(_MARK) or _decoded(label) is not None


def _decoded(label: str) -> str | None:

    try:
        return idna.decode(label)
    except (idna.IDNAError, UnicodeError):
        return None


def to_unicode(host: str) -> str:
    """Return a host with its A-labels as U-labels; invalid A-labels stay unchanged.

    >>> to_unicode("xn--bcher-kva.example"), to_unicode("xn--.example")
    ('bücher.example', 'xn--.example')
    """
    if "%" in host and not host.startswith("["):
        host = decoded_text(host)
    if _MARK not in host.lower() or len(host) > _LONGEST:
        return host
    return ".".join(map(_unicode_label, host.split(".")))


def _unicode_label(label: str) -> str:
    lower = label.lower()
    return (_decoded(lower) if lower.startswith(_MARK) else None) or label


def mixed_scripts(host: str) -> tuple[str, ...]:
    """Return the scripts of the first label whose scripts are not used together, () if there is none.

    >>> mixed_scripts("pаypal.example"), mixed_scripts("bücher.例え.jp")
    (('Cyrillic', 'Latin'), ())
    """
    for label in host[:_LONGEST].split("."):
        if label.isascii():
            continue
        scripts = {script for char in label for script in _script_of(char)}
        if len(scripts) > 1 and not any(scripts <= together for together in _TOGETHER):
            return tuple(sorted(scripts))
    return ()


_SCRIPT = lazy_regex("|".join(rf"(?P<{script}>\p{{{script}}})" for script in _SCRIPTS))


@lru_cache(maxsize=1_024)
def _script_of(char: str) -> tuple[str, ...]:
    """Return the script of a character, () for a character that several scripts share."""
    match = _SCRIPT.match(char)
    return (match.lastgroup,) if match and match.lastgroup else ()


_LONGEST_PORT = 4_000  # digits; `int` refuses more than 4300 by default
_FUTURE = lazy_re(r"[vV][0-9A-Fa-f]+\.[\w.~!$&'()*+,;=:-]+\Z", re.ASCII)
# The zone comes after "%25", which many write as "%".
_ZONED = lazy_re(r"([^%]*)(?:%(?>(?:25)?)(.+))?\Z", re.DOTALL)


class Login(NamedTuple):
    """The parts of an authority as in the text; an absent part is None, an empty one is ""."""

    user: str | None
    password: str | None
    host: str | None
    port: str | None


NO_LOGIN = Login(None, None, None, None)
"""The login of a URL without ``//``."""


class Places(NamedTuple):
    """The places of the parts of an authority in a text; an absent part is None."""

    user: tuple[int, int] | None = None
    password: tuple[int, int] | None = None
    host: tuple[int, int] | None = None
    port: tuple[int, int] | None = None


def read_login(text: str, start: int, end: int) -> Login:
    """Return the parts of the authority ``text[start:end]``.

    Raise `UrlSyntaxError` if the port is not a number, or if brackets in the host do not hold an
    IP address.

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
            raise UrlSyntaxError("no port after the bracket", text, (start + size, end))
    else:
        host, colon, port = hostport.partition(":")
        if "[" in host or "]" in host:
            raise UrlSyntaxError("brackets that hold no IP address", text, (start, start + len(host)))
    if port and not (port.isascii() and port.isdigit()):
        raise UrlSyntaxError("port is not a number", text, (end - len(port), end))
    if len(port.lstrip("0")) > _LONGEST_PORT:
        raise UrlSyntaxError("port has too many digits", text, (end - len(port), end))
    return host, port if colon else None


@lru_cache(maxsize=1_024)
def name_of(host: str) -> str | None:
    """Return the name of a host that is not empty, as the DNS is asked for it: see `UrlBase.host_name`.

    >>> name_of("Bücher.Example"), name_of("[2001:DB8:0::1]"), name_of("a b")
    ('xn--bcher-kva.example', '2001:db8::1', None)
    """
    address = address_of(host)
    if address is not None:
        return str(address)
    name = to_ascii(host)
    return name.lower().strip("[]") if name else None


def is_ip_literal(inside: str) -> bool:
    """Return whether ``inside`` is valid in brackets: RFC 3986, section 3.2.2, with a zone as in RFC 6874.

    >>> is_ip_literal("fe80::1%25eth0"), is_ip_literal("v1.a:b"), is_ip_literal("::g")
    (True, True, False)
    """
    match = _ZONED.match(inside)
    return bool(match and address_v6(match[1])) or _FUTURE.match(inside) is not None


def _zoned(inside: str) -> IPv6Address | None:
    """Return the IPv6 address ``inside``, with its zone if Python accepts that."""
    match = _ZONED.match(inside)
    if match is None:
        return None
    zone = f"%{decoded_text(match[2])}" if match[2] else ""
    return address_v6(match[1] + zone) or address_v6(match[1])


def address_of(host: str | None) -> IPv4Address | IPv6Address | None:
    """Return the host as an IP address, None if it is a name.

    >>> address_of("192.0.2.17"), address_of("[fe80::1%25eth0]"), address_of("example.org")
    (IPv4Address('192.0.2.17'), IPv6Address('fe80::1%eth0'), None)
    """
    if not host:
        return None
    if host.startswith("["):
        return _zoned(host[1:-1])

    try:
        return IPv4Address(host)
    except ValueError:
        return None
