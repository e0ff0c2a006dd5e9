"""Patterns that run over the heads of messages, as bytes (RFC 5322, section 2.2).

Fields that are never read are skipped at once, and so is the whole head if no field has a
sign of a URL.
"""

from __future__ import annotations

import re
from functools import lru_cache

from urlextract.grammar.patterns import lazy_re
from urlextract.grammar.registry import NAMES_WITHOUT_SLASHES, by_length

# A colon, a dot or "=" is the sign of a URL only in these contexts. The schemes are
# those of ours that do not need "//"; all others need it. An address, as in
# "joe@www.example.org", is no URL.
_NAMES = ("url", *NAMES_WITHOUT_SLASHES)
_LAST_LETTERS = "".join(sorted({name[-1] for name in _NAMES}))
_NO_NAMES = "".join(rf"(?<!(?i:{group}):)" for _, group in by_length(_NAMES))
_COLON = (
    rf":(?!\\?/\\?/)(?:(?<=[^A-Za-z0-9]:)|(?<![{_LAST_LETTERS}{_LAST_LETTERS.upper()}]:)|{_NO_NAMES})"
).encode()
_DOT = rb"\.(?:(?<![wWpP]\.)|(?<!(?i:www|ftp)\.)|(?<=[A-Za-z0-9@](?i:www|ftp)\.))"
_SIGNLESS = re.compile(rb"[^:.=]*+(?:(?:%s|%s|=(?!\?))[^:.=]*+){0,4000}" % (_COLON, _DOT))
"""Matches up to the first sign of a URL, or to the bound, which limits memory."""

# First letters are separate, so that the engine sees at once which names are possible.
_UNREAD_NAMES = (
    rb"[rR](?i:eceived|eturn-path|eferences|esent-message-id)|[mM](?i:essage-id|ime-version)"
    rb"|[cC](?i:ontent-(?:id|disposition))|[dD](?i:kim-[!-9;-~]*+|omainkey-signature)"
    rb"|[xX](?i:ref|-received|-google-dkim-[!-9;-~]*+|-authentication-results|-original-message-id)"
    rb"|[aA](?i:rc-[!-9;-~]*+|uthentication-results)|[iI](?i:n-reply-to)|[nN](?i:ewsgroups)"
    rb"|[wW](?i:arc-(?:[a-z-]{1,20}-id|concurrent-to|refers-to|[a-z]{1,20}-digest))"
    rb"|[fF](?i:ollowup-to)|[sS](?i:upersedes)|[pP](?i:ath)|[oO](?i:riginal-message-id)"
)
_TYPE_NAMES = rb"[cC](?i:ontent-t(?:ype|ransfer-encoding))"

_VALUE = rb"[^\n]*+(?>(?:\n[ \t][^\n]*+)*)"

# What _SIGNLESS matches, within one field. Names that nearly all heads have are not tested for
# schemes, and a date in the form of RFC 5322, section 3.3, is not searched.
_SIGN_OF_NONE = rb"(?:%s|%s|=(?!\?)|\n(?=[ \t]))" % (_COLON, _DOT)
_COMMON_NAME = rb"(?:From|To|Subject|Cc|Sender|Reply-To|X-[A-Z][!-9;-~]*+):(?!\\?/\\?/)"
_DATE = (
    rb"Date: (?:[A-Z][a-z]{2}, )?[0-9 ]?[0-9] [A-Z][a-z]{2} [0-9]{4} [0-9:]{5,8} [+-][0-9]{4}(?=\n(?![ \t]))"
)
_SIGNLESS_FIELD = rb"(?:%s|(?=[!-9;-~]++:))[^:.=\n]*+(?>(?:%s[^:.=\n]*+){0,400})" % (
    _COMMON_NAME,
    _SIGN_OF_NONE,
)

WALK = lazy_re(
    rb"(?>(?:(?:(?:%s):%s" % (_UNREAD_NAMES, _VALUE)
    + rb"|[cC](?i:ontent-t)(?:(?i:ype):(?(1)(?!)|(%s))" % _VALUE
    + rb"|(?i:ransfer-encoding):(?(2)(?!)|(%s)))" % _VALUE
    + rb"|%s|(?!%s:)%s)\n){0,300})" % (_DATE, _TYPE_NAMES, _SIGNLESS_FIELD)
)
"""Skips fields without signs of URLs, or not read for any; captures the type and encoding of the body.

It stops before a second one of either, too."""

FIELD = lazy_re(rb"([!-9;-~]++):(%s)\n" % _VALUE)
"""Any field. RFC 5322, section 2.2: its name is printable ASCII without the colon."""


def value_of(name: bytes, head: bytes) -> bytes:
    r"""Return the value of the first field of that name in a head, b"" if there is none.

    >>> value_of(b"content-type", b"Subject: x\nContent-Type: text/html;\n charset=x\n")
    b' text/html;\n charset=x'
    """
    field = re.search(rb"(?<![^\n])(?i:%s):(%s)" % (name, _VALUE), head)
    return field[1] if field else b""


_IS_UNREAD = lazy_re(rb"(?:%s|%s)" % (_UNREAD_NAMES, _TYPE_NAMES))


@lru_cache(maxsize=4096)
def is_unread(name: bytes) -> bool:
    """Return whether a field is one that is not read for URLs.

    >>> is_unread(b"DKIM-Signature"), is_unread(b"Subject")
    (True, False)
    """
    return _IS_UNREAD.fullmatch(name) is not None


def is_signless(value: bytes) -> bool:
    """Return whether a value has no sign of a URL; ``fullmatch`` would backtrack where it has one."""
    signless = _SIGNLESS.match(value)
    return signless is None or signless.end() == len(value)
