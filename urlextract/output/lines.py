"""Plain lines: a URL, with the name of its source, message and line before it if asked."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from urlextract.results import Found

__all__ = ["line_of"]


def line_of(found: Found, *, raw: bool, source: bool, message_id: bool, line: bool) -> str:
    """Give the line of ``found``, without its end: as grep puts names and numbers before."""
    parts = []
    if source:
        parts.append(found.origin.source or "-")
    if message_id:
        parts.append(found.origin.message_id or "-")
    if line:
        parts.append(str(found.line))
    parts.append(found.raw if raw else found.url)
    return ":".join(parts)
