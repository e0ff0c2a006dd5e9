"""What is shown of texts and URLs of strangers: plain, of bounded length, and where a click leads."""

from __future__ import annotations

import socket
from datetime import datetime
from functools import lru_cache
from typing import NamedTuple

from urlextract.errors import UrlSyntaxError
from urlextract.grammar.chars import IGNORED_IN_URLS
from urlextract.grammar.patterns import lazy_re
from urlextract.output.escaping import encoded, plain
from urlextract.picking.opening import refusal
from urlextract.schemes.cautions import CautionCode, has_plain_host
from urlextract.schemes.hosts import to_ascii
from urlextract.schemes.url import Url, host_name_of, parse_url, warnings_of

LONGEST_TEXT = 300
"""Characters that are shown of a text."""

LONGEST_URL = 2_000
"""Characters that are shown of a URL; a longer one is no link."""

_CUT = "\u2026"
_MOMENT = lazy_re(r"(?:19[7-9]|20[0-9])[0-9]-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}")
_CLICKABLE = lazy_re(r"(?i:https?|ftp|mailto):")  # schemes that can do no more than show something
_HOST = lazy_re(r"[A-Za-z][A-Za-z0-9+.-]*://(?:[^/?#\\]*@)?(\[[^\]/?#]*\]|[^/?#:\\]*)")


class Address(NamedTuple):
    """What is shown of a URL.

    ``text`` is the URL, encoded so that it is one visible word, and ``host`` the place of its host in it.
    ``is_link`` is true if a click may lead there. ``warning`` says what may deceive, with the host that a
    browser would ask; it is empty where there is nothing to say.
    """

    text: str
    host: tuple[int, int]
    is_link: bool
    warning: str


def shortened(text: object, most: int = LONGEST_TEXT) -> str:
    r"""Return ``text`` on one line of at most ``most`` characters, with control characters as escapes.

    None is an empty text. A column of SQLite may have a value of any other type, too: its text is returned.

    >>> shortened("a\n b\u202e"), shortened("abcdef", 4)
    ('a b\\u202e', 'abc…')
    """
    whole = "" if text is None else str(text)
    head = whole[: 4 * most]
    shown = plain(head)
    return shown if len(shown) <= most and len(head) == len(whole) else f"{shown[: most - 1]}{_CUT}"


@lru_cache(maxsize=65_536)
def moment_of(date: object) -> str:
    """Return the day and the minute of a date in ISO 8601, "" for what is none in the time of mail.

    An index has no others in its column of dates, unless another program has written them.

    >>> moment_of("2026-01-31T09:12:07Z"), moment_of("0102-01-31T09:12:07Z"), moment_of(None)
    ('2026-01-31 09:12', '', '')
    """
    text = shortened(date)
    if not _MOMENT.match(text):
        return ""
    try:
        return datetime.fromisoformat(text[:16]).strftime("%Y-%m-%d %H:%M")
    except ValueError:  # the 31st of February
        return ""


def url_shown(url: str) -> str:
    """Return a URL as one visible word of bounded length."""
    whole = encoded(url)
    return whole if len(whole) <= LONGEST_URL else f"{whole[: LONGEST_URL - 1]}{_CUT}"


def address_of(url: str) -> Address:
    """Return what is shown of a URL.

    >>> address_of("http://www.bank.example@a.example/")[1:]
    ((24, 33), True, 'Leads to a.example: a user name that looks like a host')
    >>> address_of("javascript:alert(1)").is_link
    False
    """
    text = url_shown(url)
    requested = _requested(url)
    is_clickable = bool(_CLICKABLE.match(text)) and not text.endswith(_CUT) and not refusal(text)
    warnings = "; ".join(shortened(each.message) for each in warnings_of(url[: 4 * LONGEST_URL]))
    warning = f"Leads to {requested or 'no host'}: {warnings}" if warnings else ""
    host = _HOST.match(text)
    return Address(text, host.span(1) if host else (0, 0), is_clickable and requested is not None, warning)


# URL Standard (WHATWG), section 4.4: before a host, any number of slashes is two.
_SLASHES = lazy_re(r"\A((?i:https?|ftp):)/*+")
_FORBIDDEN = lazy_re(r"[\x00-\x20\x7f#%/:<>?@\[\\\]^|]")  # section 3.2, "forbidden domain code point"
_GREATEST_PORT = 65_535


def _requested(url: str) -> str | None:
    """Return the host that a browser would ask, "" if there is none; None if it refuses the URL."""
    if has_plain_host(url):
        return host_name_of(url)
    slashed = _SLASHES.sub(r"\1//", url.translate(IGNORED_IN_URLS).replace("\\", "/"))
    if not _CLICKABLE.match(url):
        return shortened(host_name_of(slashed))
    try:
        read = parse_url(slashed)
    except UrlSyntaxError:
        return None
    host = _asked_for(read) if read.host else ""
    return None if host is None or (read.port or 0) > _GREATEST_PORT else shortened(host)


def _asked_for(url: Url) -> str | None:
    """Return the host of a URL as a browser asks for it, None if it refuses the host."""
    host, codes = url.host or "", {warning.code for warning in url.warnings}
    if host.startswith("["):
        return host.lower() if url.address and "%" not in host else None
    name = to_ascii(host)
    if not name or _FORBIDDEN.search(name) or CautionCode.NO_HOST_NAME in codes:
        return None
    try:
        is_number = CautionCode.ADDRESS_AS_NUMBER in codes
        return socket.inet_ntoa(socket.inet_aton(name.removesuffix("."))) if is_number else name
    except OSError:  # a number that is too large
        return None


def lie_in_words(shown: object, url: str) -> str:
    """Return how the text of a link lies, which shows ``shown`` and leads to ``url``.

    >>> lie_in_words("www.bank.example", "http://login.example.net/x")
    'Shows www.bank.example, but leads to login.example.net'
    """
    return f"Shows {shortened(shown)}, but leads to {shortened(host_name_of(url) or encoded(url))}"
