"""The character classes of the standards' BNF, and what text has that they do not allow.

Each class is the inside of a regular expression's set. ``%`` belongs to none: an
escape is a rule of its own.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from urlextract.grammar.patterns import compile_re, lazy_re

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = [
    "ATOM",
    "FSEGMENT",
    "HOST",
    "HSEGMENT",
    "PCHAR",
    "QCHAR",
    "QUERY",
    "REG_NAME",
    "RFC1630_PATH",
    "RFC1630_SEARCH",
    "UCHAR",
    "USER",
    "USERINFO",
    "XCHAR",
    "faults",
]

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

# RFC 6068, section 2: of an address, "%", "/", "?", "#", "[", "]", "&", ";" and "=" are to be encoded
#   qchar      = unreserved / pct-encoded / some-delims
ATOM = r"A-Za-z0-9!$'*+\-_~"
QCHAR = r"A-Za-z0-9\-._~!$'()*+,;:@"

# RFC 1630, and the draft that has the same BNF
#   xalpha     = alpha | digit | safe | extra | escape
#   xpalpha    = xalpha | +
RFC1630_SEARCH = r"A-Za-z0-9$\-_@.&+!*\"'(),"
RFC1630_PATH = RFC1630_SEARCH + "/"

_RESERVED = lazy_re("[;/?:@&=]")


@lru_cache(maxsize=64)
def _beyond(allowed: str) -> re.Pattern[str]:
    return compile_re(rf"(?:%(?![0-9A-Fa-f]{{2}}))+|(?:[;/?:@&=](?<![{allowed}]))+|[^{allowed}%;/?:@&=]+")


def faults(text: str, start: int, end: int, allowed: str) -> Iterator[tuple[int, int, str]]:
    """Yield the places in ``text[start:end]`` that a class does not allow, and what is wrong there.

    >>> list(faults("a b%zz", 0, 6, UCHAR))
    [(1, 2, 'unsafe character unencoded'), (3, 4, '"%" without two hexadecimal digits')]
    """
    for match in _beyond(allowed).finditer(text, start, end):
        sign = match.group()
        if sign[0] == "%":
            yield match.start(), match.end(), '"%" without two hexadecimal digits'
        elif _RESERVED.match(sign):
            yield match.start(), match.end(), "reserved character unencoded"
        else:
            yield match.start(), match.end(), "unsafe character unencoded"
