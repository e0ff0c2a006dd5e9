"""What may come after ``//``: RFC 1738 section 3.1, RFC 3986 section 3.2.

::

    // <user>:<password>@<host>:<port>/<url-path>
    hostport   = host [ ":" port ]

A host is what people recognise as one: labels of letters of any script, digits, "_" and inner "-"; IPv4;
"[IPv6]". An empty port ("host:/") occurs in mail and is read as no port.
"""

from __future__ import annotations

from ipaddress import IPv6Address

from urlextract.grammar.domains import tld_of
from urlextract.grammar.patterns import lazy_re, lazy_regex

LONGEST_LABEL, LONGEST_NAME = 63, 253
"""Characters of a label, and of a host: RFC 1035, section 2.3.4."""

FULL_STOPS = dict.fromkeys(map(ord, "\u3002\uff0e\uff61"), ".")
"""A table that replaces the full stops of other scripts by ".": UTS 46, section 4."""

# --- hosts of ASCII letters, as 999 of 1,000 are: sources of patterns --------------------------------------

HOST = r"[A-Za-z0-9_]++(?>(?:(?:\.|-++)[A-Za-z0-9_]++)*)"
"""Labels of ASCII letters, digits and inner hyphens."""

_MARKED_DOT = r"(?:\[\.\]|\(\.\)|\{\.\}|[\[(](?i:dot)[\])]|\[\.)"
END_OF_HOST = (
    r"(?!"
    r"[\w@%\\]"  # more of it, a login before it, an escape
    r"|[.-]{1,8}[{%]?\w"  # an empty label
    r"|[:&=!$'+*~;,][^\s/?#@<>\"]{0,256}@"  # it is a user
    r"|\.?[^\x00-\x7f]"  # it goes on beyond ASCII
    rf"|{_MARKED_DOT}\w"  # it is defanged
    r")"
)
"""A lookahead for what does not follow a host: with that, it is none."""

PORT = r"(?>(?:\.(?=[/?#:]))?)(?>(?::(?:[0-9]{1,9}+|(?=/(?!/)|[?#])))?)"
"""The full stop of the root before a path, and a port, which may be empty."""

_NO_SCHEME = r"(?!(?i:https?|ftp)://)"  # "http://http://a.example/"
AUTHORITY = rf"{_NO_SCHEME}{HOST}(?:(?=[/?#])|{PORT}(?:(?=[/?#])|{END_OF_HOST}))"
"""A host and its port, at their end."""

# --- all others -----------------------------------------------------------------------------------------

_SCHEME = lazy_re(r"(?i:https?|ftp)://")
_USER = lazy_re(r"[\w.~!$&'()*+,;=:%@-]{0,256}@")
_IP_LITERAL = lazy_re(r"\[(?:([0-9A-Fa-f:.]{2,45})(?:%[\w.~%-]{1,32})?|v[0-9a-fA-F]{1,4}\.[\w.~:-]{1,64})\]")
_DIGITS = lazy_re(r"(?::(?:[0-9]{1,9}+|(?=/(?!/)|[?#])))?")
_AUTHORITY = lazy_re(AUTHORITY)
# Scripts without blanks between words: text in them right after "www.example.com" belongs to the sentence,
# because no top-level domain mixes scripts.
_UNSPACED = r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}\p{Thai}\p{Lao}\p{Khmer}]"
_LETTERS, _SIGNS, _JOINERS = r"\p{L}\p{Nd}\p{M}_", r"\p{So}\ufe0f", r"\u200c\u200d"


def _label(letters: str) -> str:
    return rf"[{letters}](?:[{letters}{_JOINERS}-]{{0,61}}[{letters}])?"


# All labels but the last, and the last. Symbols are registered under some top-level domains, but are
# never part of one: "i❤.ws".
_FOREIGN = lazy_regex(
    rf"(?:{_label(_LETTERS + _SIGNS)}\.){{0,126}}(?:[A-Za-z]{{2,63}}(?={_UNSPACED})|{_label(_LETTERS)})"
    r"(?>(?:\.(?=[/?#:]))?)(?::(?:[0-9]{1,9}+|(?=/(?!/)|[?#])))?"
)
_GOES_ON = lazy_re(rf"(?:[.-]{{1,8}}[{{%]?|{_MARKED_DOT})\w|%[0-9A-Fa-f]{{2}}|\\[.&-]")
_PORT_END = lazy_re(r":[0-9]++\Z")
_SUFFIX = lazy_re(r"(?<=\w\.)([A-Za-z]{2,63})(?=[\u2e80-\ud7ff\uf900-\U0003ffff\u0370-\u03ff\u0400-\u052f])")


def authority_end(text: str, at: int) -> int | None:
    """Return the end of the host and port at ``at``, with a login before them, None without a host.

    >>> authority_end("http://user:pw@example.org:8080/x", 7), authority_end("http://www.a.comおよび", 7)
    (31, 16)
    >>> [authority_end(url, 7) for url in ("http:///x", "http://[1:2]/", "http://a..b/")]
    [None, None, None]
    """
    if _SCHEME.match(text, at):
        return None
    user = _USER.match(text, at)
    at = user.end() if user else at
    literal = _IP_LITERAL.match(text, at)
    if literal:
        port = _DIGITS.match(text, literal.end())
        return None if literal[1] and address_v6(literal[1]) is None else port.end() if port else None
    longest = at + LONGEST_NAME + 1
    match = _AUTHORITY.match(text, at) or _FOREIGN.match(text, at, longest)
    if match is None or (match.end() == longest and not match[0].isascii()):
        return None
    end: int = match.end()
    if not match[0].isascii():
        suffix = next((found for found in _SUFFIX.finditer(text, at, end) if tld_of(found[1])), None)
        end = suffix.end() if suffix else end
    is_whole = text[end - 1] == ":" or _PORT_END.search(text, at, end)
    return None if _GOES_ON.match(text, end) and not is_whole else end


def address_v6(text: str) -> IPv6Address | None:
    """Return ``text`` as an IPv6 address (RFC 3986, section 3.2.2), None if it is none.

    >>> address_v6("::1"), address_v6("dead:beef")
    (IPv6Address('::1'), None)
    """
    try:
        return IPv6Address(text)
    except ValueError:
        return None
