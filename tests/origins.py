"""The place of something in its message, in one word: ``1.2``, ``Subject``, ``2:Subject``."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from urlextract import Origin


def part_of(origin: Origin) -> str | None:
    """Return the number of the part, then a colon and the header field."""
    if origin.header is None:
        return origin.part
    return f"{origin.part}:{origin.header}" if origin.part else origin.header
