"""The parts that every URL and every partial form has: RFC 3986, appendix B."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TypeAlias

from urlextract.errors import UrlSyntaxError
from urlextract.grammar.patterns import later

__all__ = ["PARTS", "Parts", "part_at", "split_parts"]

Parts: TypeAlias = tuple[str, str | None, str, str | None, str | None]
"""Scheme, authority, path, query, fragment."""

PARTS = later(
    r"(?:([A-Za-z][A-Za-z0-9+.-]*+):)?(?://([^/?#]*+))?([^?#]*+)(?:\?([^#]*+))?(?:#(.*))?", re.DOTALL
)
"""Any text at all, in groups as in `Parts`; only the path always matches."""


def split_parts(text: str) -> Parts:
    """Split a text into the parts of a URL.

    Raises `UrlSyntaxError` where no scheme stands.

    >>> split_parts("http://host.dom/a?b#c")
    ('http', 'host.dom', '/a', 'b', 'c')
    """
    match = PARTS.match(text)
    if match is None or match[1] is None:
        raise UrlSyntaxError("no scheme", text, (0, min(1, len(text))))
    return match.groups()  # type: ignore[return-value]  # scheme and path have matched


def part_at(parts: Sequence[str], index: int) -> str | None:
    """Give a part by its number, None where there are not so many.

    >>> part_at("/db/type".split("/"), 2), part_at(["", "db"], 2)
    ('type', None)
    """
    return parts[index] if index < len(parts) else None
