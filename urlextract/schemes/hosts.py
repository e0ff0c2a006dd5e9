"""The authority of a URL: user, password, host and port; hosts in other scripts."""

from __future__ import annotations

import re
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address
from typing import NamedTuple

import idna

from urlextract.errors import UrlSyntaxError
from urlextract.grammar.escapes import decoded_text
from urlextract.grammar.hosts import address_v6
from urlextract.grammar.patterns import lazy_re, lazy_regex

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
    """Return a host in lower case, with A-labels (IDNA 2008); None if it has no such form.

    >>> to_ascii("bücher.example"), to_ascii("Example.ORG"), to_ascii("bü cher")
    ('xn--bcher-kva.example', 'example.org', None)
    """
    if host.startswith("["):
        return host.lower()
    if "%" in host:  # RFC 3986, section 3.2.2: a name in percent-encoded UTF-8
        host = decoded_text(host)
    if len(host) > _LONGEST or _DELIMITER.search(host):
        return None
    if not host.isascii():
        try:
            return idna.encode(host, uts46=True).decode("ascii")
        except UnicodeError:
            return None
    labels = host.lower().removesuffix(".").split(".")
    is_sound = all(0 < len(label) < 64 and (label[:4] != _MARK or _decoded(label)) for label in labels)
    return host.lower() if is_sound else None


def _decoded(label: str) -> str | None:
    """Return the U-label of an A-label: IDNA 2008. None if there is none."""
    try:
        return idna.decode(label.lower())
    except UnicodeError:
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
    labels = host.split(".")
    return ".".join((_decoded(label) if label[:4].lower() == _MARK else None) or label for label in labels)


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
_FUTURE = lazy_re(r"\[[vV][0-9A-Fa-f]+\.[\w.~!$&'()*+,;=:-]+\]\Z", re.ASCII)
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
    user, has_password, password = userinfo.partition(":")
    start = end - len(hostport)
    if hostport.startswith("["):
        size = hostport.find("]") + 1
        host, colon, port = hostport[:size], hostport[size : size + 1], hostport[size + 1 :]
        if not size:
            raise UrlSyntaxError("a bracket that is not closed", text, (start, end))
        if address_of(host) is None and not _FUTURE.match(host):
            raise UrlSyntaxError("brackets that hold no IP address", text, (start, start + size))
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
    return Login(user if at else None, password if has_password else None, host, port if colon else None)


@lru_cache(maxsize=1_024)
def name_of(host: str) -> str | None:
    """Return the name of a host that is not empty, as the DNS is asked for it: see `UrlBase.host_name`.

    >>> name_of("Bücher.Example"), name_of("[2001:DB8:0::1]"), name_of("a b")
    ('xn--bcher-kva.example', '2001:db8::1', None)
    """
    address = address_of(host)
    name = to_ascii(host) if address is None else str(address)
    return name and name.strip("[]")


def address_of(host: str | None) -> IPv4Address | IPv6Address | None:
    """Return the host as an IP address, None if it is a name.

    >>> address_of("192.0.2.17"), address_of("[fe80::1%25eth0]"), address_of("example.org")
    (IPv4Address('192.0.2.17'), IPv6Address('fe80::1%eth0'), None)
    """
    if not host:
        return None
    if not host.startswith("["):
        try:
            return IPv4Address(host)
        except ValueError:
            return None
    match = _ZONED.match(host[1:-1])
    if match is None:
        return None
    zone = f"%{decoded_text(match[2])}" if match[2] else ""
    return address_v6(match[1] + zone) or address_v6(match[1])  # if Python does not accept the zone
