"""The spans of host, port and path in the text of a URL, for the stages that show or print it."""

from __future__ import annotations

from urlextract.records import Span
from urlextract.schemes.components import Anatomy


def host_span(url: Anatomy) -> Span:
    """Return the place of the host in the text; it is empty if there is no host.

    >>> from urlextract import parse_url
    >>> host_span(parse_url("ftp://me@host.dom:21/a"))
    Span(start=9, end=17)
    """
    return Span(url._host_start, url._host_start + len(url.host or ""))


def port_span(url: Anatomy) -> Span:
    """Return the place of the port's digits in the text; it is empty if there are none.

    >>> from urlextract import parse_url
    >>> port_span(parse_url("ftp://me@host.dom:0021/a"))
    Span(start=18, end=22)
    """
    start = host_span(url).end + 1
    return Span(start, start + len(url._login.port or ""))


def path_start(url: Anatomy) -> int:
    """Return the offset in the text at which the path begins.

    >>> from urlextract import parse_url
    >>> path_start(parse_url("ftp://host.dom/a"))
    14
    """
    return url._path_start
