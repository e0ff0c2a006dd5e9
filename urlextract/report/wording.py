"""What is shown of texts and URLs of strangers: plain, of bounded length, and where a click leads."""

from __future__ import annotations

from typing import NamedTuple

from urlextract.errors import UrlSyntaxError
from urlextract.output.escaping import encoded, plain
from urlextract.output.terminal import host_span, is_clickable
from urlextract.picking.opening import refusal
from urlextract.schemes.comparing import host_name_of
from urlextract.schemes.deceiving import has_plain_host, warnings_of
from urlextract.schemes.url import parse_url

LONGEST_TEXT = 300
"""Characters that are shown of a text."""

LONGEST_URL = 2_000
"""Characters that are shown of a URL; a longer one is no link."""

_CUT = "\u2026"


class Address(NamedTuple):
    """What is shown of a URL.

    ``text`` is the URL, encoded so that it is one visible word, and ``host`` the place of its host in it.
    ``is_link`` is true if a click may lead there. ``target`` says where a gateway leads, ``warning`` what
    may deceive, with the host that a browser would ask; both are empty where there is nothing to say.
    """

    text: str
    host: tuple[int, int]
    is_link: bool
    target: str
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


def day_of(date: object) -> str:
    """Return the day of a date in ISO 8601; None is an empty text."""
    return shortened(date)[:10]


def minute_of(date: object) -> str:
    """Return the day and the minute of a date in ISO 8601.

    >>> minute_of("2026-01-31T09:12:07Z"), minute_of(None)
    ('2026-01-31 09:12', '')
    """
    return shortened(date)[:16].replace("T", " ")


def address_of(url: str, unwrapped: object = None, service: object = None) -> Address:
    """Return what is shown of a URL, which the gateway ``service`` may lead on to ``unwrapped``.

    >>> address_of("http://www.bank.example@a.example/")[2:]
    (True, '', 'Leads to a.example: a user name that looks like a host')
    >>> address_of("javascript:alert(1)").is_link
    False
    """
    whole = encoded(url)
    is_whole = len(whole) <= LONGEST_URL
    text = whole if is_whole else f"{whole[: LONGEST_URL - 1]}{_CUT}"
    requested = _requested(url)
    is_link = requested is not None and is_whole and is_clickable(text) and not refusal(text)
    target = ""
    if unwrapped:
        through = f", through {shortened(service)}" if service else ""
        target = f"Leads on to {shortened(encoded(str(unwrapped)), LONGEST_URL)}{through}"
    warnings = "; ".join(map(shortened, warnings_of(url[: 4 * LONGEST_URL])))
    warning = f"Leads to {requested or 'no host'}: {warnings}" if warnings else ""
    return Address(text, host_span(text), is_link, target, warning)


def _requested(url: str) -> str | None:
    """Return the host that a browser would ask, "" if there is none; None if it refuses the URL."""
    if has_plain_host(url):
        return host_name_of(url)
    try:
        return shortened(parse_url(url, rules="whatwg").host)
    except UrlSyntaxError:
        return None


def host_in_words(url: str) -> str:
    """Return the host of a URL as one asks for it; without a host, the URL itself."""
    return shortened(host_name_of(url) or encoded(url))


def lie_in_words(shown: str | None, url: str) -> str:
    """Return how the text of a link lies, which shows ``shown`` and leads to ``url``.

    >>> lie_in_words("www.bank.example", "http://login.example.net/x")
    'Shows www.bank.example, but leads to login.example.net'
    """
    return f"Shows {shortened(shown)}, but leads to {host_in_words(url)}"
