"""When two URLs are one: RFC 1630, section "Encoding reserved characters"; RFC 3986, section 6.2.2."""

from __future__ import annotations

import re

from urlextract.schemes.escapes import same_level
from urlextract.schemes.parsing import parse_url
from urlextract.schemes.value import Url

_OUTSIDE_ESCAPES = re.compile("%[0-9A-F]{2}|([A-Z]+)")

__all__ = ["normalized", "same_resource"]


def normalized(url: Url) -> Url:
    """Give the normal form of a URL: see `Url.normalized`."""
    return parse_url(_written(url, url.levelled_path(same_level(url.whole_path)), _host(url), url.fragment))


def _host(url: Url) -> str | None:
    host = url.host
    if host is None:
        return None
    if host.startswith("["):  # escapes belong to the zone, which is a name of the machine's own
        address, percent, zone = host.partition("%")
        return address.lower() + percent + zone
    if not host.isascii() or "%" in host:
        host = url.host_ascii or same_level(host)
    return _OUTSIDE_ESCAPES.sub(lambda match: match.group().lower() if match[1] else match.group(), host)


def _written(url: Url, path: str, host: str | None, fragment: str | None) -> str:
    text = f"{url.scheme}:"
    if host is not None:
        login = "" if url.user is None else same_level(url.user)
        login += "" if url.password is None else f":{same_level(url.password)}"
        is_given = url.port is not None and url.port != url.default_port
        text += f"//{login}{'' if url.user is None else '@'}{host}{f':{url.port}' if is_given else ''}"
    query = url.query
    return "".join(
        (
            text,
            path,
            "" if query is None else f"?{same_level(query)}",
            "" if fragment is None else f"#{same_level(fragment)}",
        )
    )


def same_resource(one: str | Url, other: str | Url) -> bool:
    """Say whether two URLs name one resource, as far as that can be told without asking it.

    Their normal forms are the same; fragments, which are no part of a URL, do not
    count, nor does a slash that the scheme's standard lets one omit. Raises
    `UrlSyntaxError` for a text that does not parse.

    >>> same_resource("http://info.cern.ch/albert/bertram/marie-claude",
    ...               "HTTP://info.cern.ch:80/albert/bertram/marie%2Dclaude")
    True
    >>> same_resource("http://info.cern.ch/albert/bertram/marie-claude",
    ...               "http://info.cern.ch/albert/bertram%2Fmarie-claude")
    False
    """
    return _identity(one) == _identity(other)


def _identity(url: str | Url) -> str:
    value = normalized(url if isinstance(url, Url) else parse_url(url))
    return _written(value, value.same_path(), value.same_host(), None)
