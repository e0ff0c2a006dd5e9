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
from ipaddress import IPv6Address

from urlextract.grammar.patterns import lazy_re, lazy_regex

PORT = r"(?>(?::(?:[0-9]{1,9}+|(?=[/?#])))?)"

LONGEST_LABEL, LONGEST_NAME = 63, 253
"""Characters of a label, and of a host: RFC 1035, section 2.3.4."""

ASCII_HOST = r"[A-Za-z0-9]++(?>(?:(?:\.|-++)[A-Za-z0-9]++)*)"
"""A host of ASCII letters, digits and inner hyphens, as 999 of 1,000 are."""

FULL_STOPS = dict.fromkeys(map(ord, "\u3002\uff0e\uff61"), ".")
"""A table that replaces the full stops of other scripts by ".": UTS 46, section 4."""

_USERINFO = r"(?:[\w.~!$&'()*+,;=:%@-]{0,256}@)?"
_IP_LITERAL = r"\[([0-9A-Fa-f:.]{2,45})(?:%[\w.~%-]{1,32})?\]|\[v[0-9a-fA-F]{1,4}\.[\w.~:-]{1,64}\]"
_LOGIN_GOES_ON = (
    r"""(?!:[^\s/?#@<>"]{0,256}@)"""  # what looks like a host is a user, with a host beyond ASCII
)
_ASCII_AUTHORITY = lazy_re(
    rf"{_USERINFO}(?:{_IP_LITERAL}"
    rf"|{ASCII_HOST}(?>(?:\.(?=[/?#:]))?)(?![\w@-])(?!\.?[^\x00-\x7f]){_LOGIN_GOES_ON}){PORT}",
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


# All labels but the last, and the last. Symbols are registered under some top-level domains, but are
# never part of one: "i❤.ws".
_UPPER = _label(_LETTERS + _SIGNS, _JOINERS)
_LAST = rf"(?:[A-Za-z]{{2,63}}(?={_UNSPACED})|{_label(_LETTERS, _JOINERS)})"
_LOOSE_AUTHORITY = lazy_regex(
    rf"{_USERINFO}(?:{_IP_LITERAL}|(?:{_UPPER}\.){{0,126}}{_LAST}(?>(?:\.(?=[/?#:]))?)){PORT}"
)


def authority(text: str, start: int) -> int | None:
    """Return the end of the host and port that begin at ``start``, None without a host.

    >>> authority("http://user:pw@example.org:8080/x", 7)
    31
    >>> authority("http:///x", 7) is None, authority("http://[1:2]/", 7) is None
    (True, True)
    """
    match = _ASCII_AUTHORITY.match(text, start)
    match = match or _LOOSE_AUTHORITY.match(text, start)
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


# What comes after a host of ASCII letters: no other character of a host
_ENDS = r"(?!\w|-++\w)(?!\.?[^\x00-\x7f])"
_ABBREVIATED = lazy_re(rf"(?i:www|ftp)\.{ASCII_HOST}{_ENDS}")
_LOOSE_ABBREVIATED = lazy_regex(
    rf"(?i:www|ftp)\.(?:{_UPPER}\.){{1,126}}{_LAST}(?:(?![\w-])|(?=[^\x00-\x7f]))"
)
_NAMED = lazy_re(rf"{ASCII_HOST}{_ENDS}(?!\._)")
_LOOSE_NAMED = lazy_regex(rf"(?:{_UPPER}\.){{1,126}}{_LAST}(?:(?!\w|-+\w)|(?=[^\x00-\x7f]))")


def abbreviated_host_end(text: str, start: int = 0) -> int | None:
    """Return the end of a host that begins with ``www.`` or ``ftp.`` and has two or more dots, or None.

    >>> abbreviated_host_end("www.w3.org/x"), abbreviated_host_end("www.example")
    (10, None)
    """
    match = _ABBREVIATED.match(text, start)
    if match is None or match.group().count(".") < 2:
        match = _LOOSE_ABBREVIATED.match(text, start)
    return match.end() if match else None


def named_host_end(text: str, start: int = 0) -> int | None:
    """Return the end of a host of two labels or more, or None.

    >>> named_host_end("docs.python.org/3"), named_host_end("localhost/x")
    (15, None)
    """
    match = _NAMED.match(text, start)
    if match is None or "." not in match.group() or match.end() - start > LONGEST_LABEL:
        match = _LOOSE_NAMED.match(text, start)
    return match.end() if match else None
