"""What may come after ``//``: RFC 1738 section 3.1, RFC 3986 section 3.2.

::

    // <user>:<password>@<host>:<port>/<url-path>
    hostport   = host [ ":" port ]

A host is what people recognise as one: labels of letters of any script,
digits, "_" and inner "-"; IPv4; "[IPv6]". An empty port ("host:/") occurs in
mail and is read as no port.
"""

from __future__ import annotations

import re
from functools import cache
from ipaddress import IPv6Address
from typing import Any

from urlextract.grammar.patterns import lazy_re, lazy_regex

PORT = r"(?>(?::(?:[0-9]{1,9}+|(?=[/?#])))?)"

ASCII_HOST = r"[A-Za-z0-9]++(?>(?:(?:\.|-++)[A-Za-z0-9]++)*)"
"""A host of ASCII letters, digits and inner hyphens, as 999 of 1,000 are."""

FULL_STOPS = dict.fromkeys(map(ord, "\u3002\uff0e\uff61"), ".")
"""A table that replaces the full stops of other scripts by ".": UTS 46, section 4."""

_USERINFO = r"(?:[\w.~!$&'()*+,;=:%@-]{0,256}@)?"
_IP_LITERAL = r"\[([0-9A-Fa-f:.]{2,45})(?:%[\w.~%-]{1,32})?\]|\[v[0-9a-fA-F]{1,4}\.[\w.~:-]{1,64}\]"
_ASCII_AUTHORITY = lazy_re(
    rf"{_USERINFO}(?:{_IP_LITERAL}|{ASCII_HOST}(?>(?:\.(?=[/?#:]))?)(?![\w@-])(?!\.?[^\x00-\x7f])){PORT}",
    re.ASCII,
)

# RFC 3986, section 3.2.2: reg-name = *( unreserved / pct-encoded / sub-delims )
_LOOSE = lazy_re(r"[\w.~!$&'()*+,;=:@%\[\]-]{0,1024}")


# Scripts without blanks between words: text in them right after "www.example.com" belongs to the
# sentence, because no top-level domain mixes scripts.
_UNSPACED = r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}\p{Thai}\p{Lao}\p{Khmer}]"
_LETTERS, _SIGNS, _JOINERS = r"\p{L}\p{Nd}\p{M}_", r"\p{So}\ufe0f", r"\u200c\u200d"


def _label(letters: str, joiners: str) -> str:
    return rf"[{letters}](?:[{letters}{joiners}-]{{0,61}}[{letters}])?"


# ASCII, and letters of Latin, Greek and Cyrillic: for these the stdlib's ``re`` is sufficient, and takes a
# quarter of the time of ``regex``.
_COMMON = lazy_re(r"[\x00-\x7f\xc0-\u02af\u0386-\u0481\u048a-\u052f]*+")


def _loose_hosts(*, is_common: bool) -> tuple[str, str]:
    """Return the patterns of all labels but the last, and of the last.

    Symbols are registered under some top-level domains, but are never part of one: "i❤.ws".
    """
    if is_common:
        label = rf"(?:\w{{1,63}}+(?![\w-])|{_label(chr(92) + 'w', '')})"  # most have no hyphen
        return label, label
    return _label(
        _LETTERS + _SIGNS, _JOINERS
    ), rf"[A-Za-z]{{2,63}}(?={_UNSPACED})|{_label(_LETTERS, _JOINERS)}"


_HOST_RUN = lazy_re(r"[^\s/?#]{0,8500}+")  # as many as an authority may have


def _is_common(text: str, start: int) -> bool:
    match = _HOST_RUN.match(text, start)
    run = match.group() if match else ""
    return run.isascii() or _COMMON.fullmatch(run) is not None


def _compiled(pattern: str, *, is_common: bool) -> Any:
    return re.compile(pattern) if is_common else lazy_regex(pattern)


@cache
def _loose_authority(*, is_common: bool) -> Any:
    upper, last = _loose_hosts(is_common=is_common)
    host = rf"(?:{upper}\.){{0,126}}(?:{last})(?>(?:\.(?=[/?#:]))?)"
    return _compiled(rf"{_USERINFO}(?:{_IP_LITERAL}|{host}){PORT}", is_common=is_common)


def authority(text: str, start: int) -> int | None:
    """Return the end of the host and port that begin at ``start``, None without a host.

    >>> authority("http://user:pw@example.org:8080/x", 7)
    31
    >>> authority("http:///x", 7) is None, authority("http://[1:2]/", 7) is None
    (True, True)
    """
    match = _ASCII_AUTHORITY.match(text, start)
    match = match or _loose_authority(is_common=_is_common(text, start)).match(text, start)
    if match is None or (match[1] is not None and address_v6(match[1]) is None):
        return None
    return match.end()


def address_v6(text: str) -> IPv6Address | None:
    """Return ``text`` as an IPv6 address (RFC 3986, section 3.2.2), None if it is none.

    >>> address_v6("::1"), address_v6("dead:beef")
    (IPv6Address('::1'), None)
    """
    try:
        return IPv6Address(text)
    except ValueError:
        return None


def loose_authority(text: str, start: int) -> int:
    """Return the end of any RFC 3986 authority, which may be empty."""
    match = _LOOSE.match(text, start)
    return match.end() if match else start


_ABBREVIATED = lazy_re(rf"(?i:www|ftp)\.{ASCII_HOST}(?![\w-])(?!\.?[^\x00-\x7f])")


@cache
def _loose_abbreviated(*, is_common: bool) -> Any:
    upper, last = _loose_hosts(is_common=is_common)
    return _compiled(
        rf"(?i:www|ftp)\.(?:{upper}\.){{1,126}}(?:{last})(?:(?![\w-])|(?=[^\x00-\x7f]))",
        is_common=is_common,
    )


def abbreviated_host_end(text: str, start: int = 0) -> int | None:
    """Return the end of a host that begins with ``www.`` or ``ftp.`` and has two or more dots, or None.

    >>> abbreviated_host_end("www.w3.org/x"), abbreviated_host_end("www.example")
    (10, None)
    """
    match = _ABBREVIATED.match(text, start)
    if match and match.group().count(".") > 1:
        return match.end()
    match = _loose_abbreviated(is_common=_is_common(text, start)).match(text, start)
    return match.end() if match else None


@cache
def _loose_named(*, is_common: bool) -> Any:
    upper, last = _loose_hosts(is_common=is_common)
    return _compiled(
        rf"(?:{upper}\.){{1,126}}(?:{last})(?:(?!\w|-+\w)|(?=[^\x00-\x7f]))", is_common=is_common
    )


def named_host_end(text: str, start: int = 0) -> int | None:
    """Return the end of a host of two labels or more, or None.

    >>> named_host_end("docs.python.org/3"), named_host_end("localhost/x")
    (15, None)
    """
    match = _loose_named(is_common=_is_common(text, start)).match(text, start)
    return match.end() if match else None
