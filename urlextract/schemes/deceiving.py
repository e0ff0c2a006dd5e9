"""The warnings about a URL in words, and which of them say that its host is not what it seems."""

from __future__ import annotations

from urlextract.errors import UrlSyntaxError
from urlextract.grammar.patterns import lazy_re
from urlextract.schemes.url import parse_url

# How the messages of the warnings begin that are about hosts which are not what they seem.
_DECEIVING = (
    "a user name that looks like a host",
    "letters of several scripts",
    "letters of another script",
    "a percent-encoded host name",
    "a character in the host that looks like a delimiter",
    "an address written as a number",
    "an invisible character",
)
# A host with a top-level domain of letters, and without A-labels, user name and port.
_PLAIN_HOST = lazy_re(
    r"(?:https?|ftp)://(?![^/?#]*xn--)(?>(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+)[a-z]{2,63}(?=[/?#]|\Z)(?!.*\\)"
)


def warnings_of(url: str) -> tuple[str, ...]:
    """Return the messages of `Url.warnings`, each once; none for a text that does not parse.

    >>> warnings_of("ftp://www.bank.example@a.example/")
    ('a user name that looks like a host',)
    """
    if has_plain_host(url):
        return ()
    try:
        warnings = parse_url(url).warnings
    except UrlSyntaxError:
        return ()
    return tuple(dict.fromkeys(warning.message for warning in warnings))


def has_plain_host(url: str) -> bool:
    """Return whether a URL has a host of which there can be no warning, as most have."""
    return url.isascii() and url.isprintable() and _PLAIN_HOST.match(url) is not None


def is_deceiving(warning: str) -> bool:
    """Return whether the message of a warning is about a host that is not what it seems."""
    return warning.startswith(_DECEIVING)
