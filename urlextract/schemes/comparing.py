"""The normal form of a URL, and the text that is equal for all URLs of one resource."""

from __future__ import annotations

from urlextract.grammar.escapes import same_level
from urlextract.grammar.patterns import lazy_re
from urlextract.schemes.components import UrlBase, joined_parts

_OUTSIDE_ESCAPES = lazy_re("%[0-9A-F]{2}|([A-Z]+)")


def normal_text(url: UrlBase) -> str:
    """Return the normal form of a URL: see `Url.normalized`."""
    return _written(url, url._levelled_path(same_level(url._parts[2])), _host(url), url.fragment)


def _host(url: UrlBase) -> str | None:
    host = url.host
    if host is None:
        return None
    if host.startswith("["):  # escapes are in the zone, which has a meaning only on the local machine
        address, percent, zone = host.partition("%")
        return address.lower() + percent + zone
    if not host.isascii() or "%" in host:
        host = url.host_ascii or same_level(host)
    return _OUTSIDE_ESCAPES.sub(lambda match: match.group().lower() if match[1] else match.group(), host)


def _written(url: UrlBase, path: str, host: str | None, fragment: str | None) -> str:
    authority = None
    if host is not None:
        login = "" if url.user is None else same_level(url.user)
        login += "" if url.password is None else f":{same_level(url.password)}"
        is_given = url.port is not None and url.port != url.default_port
        authority = f"{login}{'' if url.user is None else '@'}{host}{f':{url.port}' if is_given else ''}"
    query = None if url.query is None else same_level(url.query)
    return joined_parts(
        url.scheme, authority, path, query, None if fragment is None else same_level(fragment)
    )


def identity(normal: UrlBase, *, fragment: str | None = None) -> str:
    """Return a text that is equal for two URLs of the same resource; ``normal`` is a normal form.

    The fragment is not that of the URL, because it is not part of the URL itself. A slash is ignored
    if the standard of the scheme allows omitting it.
    """
    return _written(normal, normal._same_path(), normal._same_host(), fragment)
