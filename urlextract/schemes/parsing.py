"""Parse URLs: split them as in RFC 3986, appendix B, then make a value of the scheme's type.

::

    genericurl = scheme ":" schemepart
"""

from __future__ import annotations

from functools import lru_cache
from importlib import import_module
from typing import Literal

from urlextract.arguments import check_choice, check_is
from urlextract.errors import UrlSyntaxError
from urlextract.grammar.patterns import lazy_re
from urlextract.grammar.registry import SCHEMES
from urlextract.schemes.components import split_parts
from urlextract.schemes.value import Url, identity

__all__ = ["Rules", "host_name_of", "normal_form", "parse_url", "same_resource"]

Rules = Literal["rfc3986", "whatwg"]
"""The rules by which a text is split into components."""

_types: dict[str, type[Url]] = {}


def parse_url(text: str | Url, rules: Rules = "rfc3986") -> Url:
    r"""Return the URL ``text`` as a value of its scheme's type, with its components.

    The components stay encoded, and ``str()`` of the value returns ``text``. Text that does not fit
    the grammar of the scheme is no error: see `Url.violations`. See RFC 3986, section 3 for the
    components. A `Url` is returned as it is, or with ``rules="whatwg"`` its `given` is read.

    With ``rules="whatwg"``, the text is read as a web browser reads it: by the basic URL parser of
    the WHATWG URL Standard, section 4.4, without a base URL (for that, see `resolve`). The text of the
    value is what a browser would request, and `Url.given` is ``text``. Blanks around it are left out,
    and line ends and tabs in it. In the special schemes (http, https, ws, wss, ftp, file) a backslash is
    a slash, any number of slashes may come before the host, dot segments are removed, and the host may
    be percent-encoded, a number, or in full-width letters. `Url.warnings` tells of all this. If a
    text fits the standard, but not the type of its scheme, the value is a plain `Url`.

    Raise `UrlSyntaxError`, with the place in characters, if there is no scheme or nothing after it,
    if the scheme requires ``//`` and a host that are missing, if brackets in the host do not hold an
    IP address, or if the port is not a number; with ``rules="whatwg"``, if the standard has the
    parser return failure: for a relative reference, a host that cannot be one, or a port that is not a
    number up to 65535. Raise `TypeError` if ``text`` is neither text nor a `Url`, and `ValueError` for
    other rules.

    >>> url = parse_url("http://example.org:8080/x")
    >>> url.scheme, url.host, url.port
    ('http', 'example.org', 8080)
    >>> url = parse_url("https:\\\\0x7F.1\\a/%2e./b c", rules="whatwg")
    >>> str(url), url.host, url.given
    ('https://127.0.0.1/b%20c', '127.0.0.1', 'https:\\\\0x7F.1\\a/%2e./b c')
    """
    check_is("text", text, str, Url)
    if rules != "rfc3986":
        check_choice("rules", rules, Rules)
        return _as_browsers_read(text.given if isinstance(text, Url) else text)
    if isinstance(text, Url):
        return text
    return _parsed(text) if len(text) <= _CACHED else _read(text)


def _as_browsers_read(text: str) -> Url:
    from urlextract.schemes.whatwg import href_of  # noqa: PLC0415 - for these rules only

    href = href_of(text)
    kind = _type_of(href.partition(":")[0])
    try:
        return kind._of_text(href, text)
    except UrlSyntaxError:  # the type asks for a host, as in "gopher:x", or for brackets round an address
        return Url._of_text(href, text)


def _read(text: str) -> Url:
    parts = split_parts(text)
    kind = _types.get(parts[0]) or _type_of(parts[0])
    return kind._read(text, parts)


# URLs recur in mail, and values are immutable, so they can be shared.
_parsed = lru_cache(maxsize=256)(_read)
_CACHED = 1_000  # characters


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
        return _read(text).host_name
    except UrlSyntaxError:
        return None


# A host in lower case that ends in a letter, so that it is no address; no port, no login, no path or
# one that begins with a slash, and no character that `Url.normalized` would encode or decode.
_AS_NORMAL = lazy_re(r"https?://[a-z0-9_.-]++(?<=[a-z])(/[!#$&-;=?-Z_a-z~\[\]]*+)?+")


def normal_form(text: str) -> str:
    """Return the normal form of a URL (see `Url.normalized`), and the text itself if it does not parse.

    Like `same_resource`, it takes a slash as given if the standard of the scheme allows omitting it;
    unlike it, it keeps the fragment.

    >>> normal_form("HTTP://A.example:80"), normal_form("http://a.example/%7Eb#c%2d")
    ('http://a.example/', 'http://a.example/~b#c-')
    """
    plain = _AS_NORMAL.fullmatch(text)
    if plain:
        return text if plain[1] else f"{text}/"
    return _normal_form(text) if len(text) <= _CACHED else _normal_form_of(text)


def _normal_form_of(text: str) -> str:
    try:
        normal = _read(text).normalized()
    except UrlSyntaxError:
        return text
    return identity(normal, fragment=normal.fragment)


_normal_form = lru_cache(maxsize=4_096)(_normal_form_of)


def _type_of(scheme: str) -> type[Url]:
    """Return the type of a scheme; its module is loaded on first use."""
    row = SCHEMES.get(scheme.lower())
    if row is None:
        return Url
    module, _, name = row.value.rpartition(".")
    kind: type[Url] = getattr(import_module(f"urlextract.schemes.{module}"), name)
    _types[scheme] = kind
    return kind


def same_resource(one: str | Url, other: str | Url) -> bool:
    """Return whether two URLs name the same resource, as far as their texts show it.

    They do if their normal forms are equal (see `Url.normalized`; RFC 3986, section 6.2). Fragments
    are ignored, because they are not part of the URL itself. A slash is ignored if the standard of
    the scheme allows omitting it. Raise `UrlSyntaxError` for a text that does not parse, and
    `TypeError` for an argument of another type.

    >>> same_resource("http://info.cern.ch/albert/bertram/marie-claude",
    ...               "HTTP://info.cern.ch:80/albert/bertram/marie%2Dclaude")
    True
    >>> same_resource("http://info.cern.ch/albert/bertram/marie-claude",
    ...               "http://info.cern.ch/albert/bertram%2Fmarie-claude")
    False
    """
    check_is("one", one, str, Url)
    check_is("other", other, str, Url)
    first, second = (identity(parse_url(url).normalized()) for url in (one, other))
    return first == second
