"""What tests ask of records, in one word each."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from msgspec.structs import replace

from urlextract import Found, Rejection


class _Placed(Protocol):
    @property
    def part(self) -> str | None: ...
    @property
    def header(self) -> str | None: ...


def part_of(found: _Placed) -> str | None:
    """Return its place in its message, as ``1.2``, ``Subject`` or ``2:Subject``."""
    if found.header is None:
        return found.part
    return f"{found.part}:{found.header}" if found.part else found.header


def words(remarks: Iterable[object]) -> tuple[str, ...]:
    """Return the words of repairs or defects."""
    return tuple(map(str, remarks))


def without_contexts(results: Iterable[Found | Rejection]) -> list[Found | Rejection]:
    """Return the results without the text around them, which may end where a piece of the text ends."""
    return [replace(result, context=None) for result in results]
