"""Compare URLs by their hosts and by their normal forms."""

from __future__ import annotations

from functools import lru_cache

from urlextract.errors import UrlSyntaxError
from urlextract.grammar.patterns import lazy_re
from urlextract.schemes.url import LONGEST_CACHED, read_url

_OF_THE_WEB = lazy_re(r"(?i:https?)://[^/?#]*+")


def host_name_of(text: str) -> str | None:
    """Return the `Url.host_name` of a URL, None if it does not parse.

    Whether a URL of the web parses, and its host, depends only on what comes before its path, which recurs.
    """
    start = _OF_THE_WEB.match(text)
    return _host_name_of(start[0] if start else text)


@lru_cache(maxsize=4_096)
def _host_name_of(text: str) -> str | None:
    try:
        return read_url(text).host_name
    except UrlSyntaxError:
        return None


# A host in lower case that ends in a letter, so that it is no address; no port, no login, no path or
# one that begins with a slash, and no character that `Url.normalized` would encode or decode.
_AS_NORMAL = lazy_re(r"https?://[a-z0-9_.-]++(?<=[a-z])(?>(/[!#$&-;=?-Z_a-z~\[\]]*+)?)")


def normal_form(text: str) -> str:
    """Return the normal form of a URL (see `Url.normalized`), and the text itself if it does not parse.

    A slash that the standard of the scheme allows to leave out is there.

    >>> normal_form("HTTP://A.example:80"), normal_form("http://a.example/%7Eb#c%2d")
    ('http://a.example/', 'http://a.example/~b#c-')
    """
    plain = _AS_NORMAL.fullmatch(text)
    if plain:
        return text if plain[1] else f"{text}/"
    return _normal_form(text) if len(text) <= LONGEST_CACHED else _normal_form_of(text)


def _normal_form_of(text: str) -> str:
    try:
        return read_url(text).key
    except UrlSyntaxError:
        return text


_normal_form = lru_cache(maxsize=4_096)(_normal_form_of)
