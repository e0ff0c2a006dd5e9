"""The grammars of the standards: their names, character classes, and faults against these.

Each class is the inside of a regular expression's set. ``%`` is in none, because an
escape has a rule of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

# RFC 1738, section 5
#   uchar      = unreserved | escape
#   unreserved = alpha | digit | safe | extra
#   xchar      = unreserved | reserved | escape
UCHAR = r"A-Za-z0-9$\-_.+!*'(),"
XCHAR = UCHAR + ";/?:@&="
#   user       = *[ uchar | ";" | "?" | "&" | "=" ]
USER = UCHAR + ";?&="
#   fsegment   = *[ uchar | "?" | ":" | "@" | "&" | "=" ]     (psegment is the same)
FSEGMENT = UCHAR + "?:@&="
#   hsegment   = *[ uchar | ";" | ":" | "@" | "&" | "=" ]     (search is the same)
HSEGMENT = UCHAR + ";:@&="

#   the characters of domainlabel, toplabel and hostnumber
HOST = r"A-Za-z0-9.\-"

# RFC 3986, appendix A
#   pchar      = unreserved / pct-encoded / sub-delims / ":" / "@"
#   query      = *( pchar / "/" / "?" )                       (fragment is the same)
#   reg-name   = *( unreserved / pct-encoded / sub-delims )
#   userinfo   = *( unreserved / pct-encoded / sub-delims / ":" )
REG_NAME = r"A-Za-z0-9\-._~!$&'()*+,;="
USERINFO = REG_NAME + ":"
PCHAR = USERINFO + "@"
QUERY = PCHAR + "/?"

# RFC 6068, section 2: in an address, "%", "/", "?", "#", "[", "]", "&", ";" and "=" must be encoded
#   qchar      = unreserved / pct-encoded / some-delims
ATOM = r"A-Za-z0-9!$'*+\-_~"
QCHAR = r"A-Za-z0-9\-._~!$'()*+,;:@"

# RFC 1630, and the draft that has the same BNF
#   xalpha     = alpha | digit | safe | extra | escape
#   xpalpha    = xalpha | +
RFC1630_SEARCH = r"A-Za-z0-9$\-_@.&+!*\"'(),"
RFC1630_PATH = RFC1630_SEARCH + "/"

UNSAFE, RESERVED = "unsafe character unencoded", "reserved character unencoded"
BAD_ESCAPE = '"%" without two hexadecimal digits'
_FAULTS = {**dict.fromkeys(";/?:@&=", RESERVED), "%": BAD_ESCAPE}


@lru_cache(maxsize=64)
def _beyond(allowed: str) -> re.Pattern[str]:
    return re.compile(rf"(?:%(?![0-9A-Fa-f]{{2}}))+|(?:[;/?:@&=](?<![{allowed}]))+|[^{allowed}%;/?:@&=]+")


def faults(text: str, start: int, end: int, allowed: str) -> Iterator[tuple[int, int, str]]:
    """Yield the start, the end and the fault of each part of ``text[start:end]`` not in ``allowed``.

    >>> list(faults("a b%zz", 0, 6, UCHAR))
    [(1, 2, 'unsafe character unencoded'), (3, 4, '"%" without two hexadecimal digits')]
    """
    for match in _beyond(allowed).finditer(text, start, end):
        yield *match.span(), _FAULTS.get(match[0][0], UNSAFE)


RFC1738, RFC3986, RFC1630, URI7 = "rfc1738", "rfc3986", "rfc1630", "uri(7)"
RFC2392, RFC4516, RFC5538, RFC6068, RFC8141 = "rfc2392", "rfc4516", "rfc5538", "rfc6068", "rfc8141"

OF_RFC3986 = frozenset((RFC3986, RFC4516, RFC5538, RFC6068, RFC8141))
"""Grammars with the characters of RFC 3986: a host may be any reg-name, or in brackets."""

STANDARDS = {
    RFC1738: "RFC 1738, section 5",
    RFC3986: "RFC 3986, appendix A",
    RFC1630: "RFC 1630",
    RFC2392: "RFC 2392, section 2",
    RFC4516: "RFC 4516, section 2",
    RFC5538: "RFC 5538, section 2",
    RFC6068: "RFC 6068, section 2",
    RFC8141: "RFC 8141, section 2",
}
"""Where each grammar is; uri(7) has no section of its own."""
