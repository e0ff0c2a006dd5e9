"""When two URLs are one: RFC 1630, section "Encoding reserved characters"; RFC 3986, section 6.2.2."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlextract.grammar.patterns import later
from urlextract.schemes.escapes import same_level

if TYPE_CHECKING:
    from urlextract.schemes.anatomy import Anatomy

__all__ = ["identity", "normal_text"]

_OUTSIDE_ESCAPES = later("%[0-9A-F]{2}|([A-Z]+)")


def normal_text(url: Anatomy) -> str:
    """Give the normal form of a URL: see `Url.normalized`."""
    return _written(url, url.levelled_path(same_level(url.whole_path)), _host(url), url.fragment)


def _host(url: Anatomy) -> str | None:
    host = url.host
    if host is None:
        return None
    if host.startswith("["):  # escapes belong to the zone, which is a name of the machine's own
        address, percent, zone = host.partition("%")
        return address.lower() + percent + zone
    if not host.isascii() or "%" in host:
        host = url.host_ascii or same_level(host)
    return _OUTSIDE_ESCAPES.sub(lambda match: match.group().lower() if match[1] else match.group(), host)


def _written(url: Anatomy, path: str, host: str | None, fragment: str | None) -> str:
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


def identity(normal: Anatomy) -> str:
    """Give what is equal for two URLs in their normal forms if they name one resource.

    Fragments, which are no part of a URL, do not count, nor does a slash that the
    scheme's standard lets one omit.
    """
    return _written(normal, normal.same_path(), normal.same_host(), None)
