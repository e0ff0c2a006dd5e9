"""Sources that come a little at a time."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

from urlextract.records import RawMessage
from urlextract.sources import read_source

if TYPE_CHECKING:
    from urlextract.errors import SourceError
    from urlextract.records import Origin


class Slices(io.BytesIO):
    """A stream that gives a few bytes at a time."""

    def __init__(self, data: bytes, size: int) -> None:
        super().__init__(data)
        self._size = size

    def read1(self, size: int | None = -1) -> bytes:
        assert size
        return super().read1(min(size, self._size))


def read_slices(data: bytes, size: int, form: str) -> tuple[list[tuple[Origin, bytes]], list[SourceError]]:
    """Read a stream that gives ``size`` bytes at a time: what each item is from and holds, and the damage."""
    damage: list[SourceError] = []
    items = [
        (item.origin, item.data if isinstance(item, RawMessage) else b"".join(item.chunks))
        for item in read_source(Slices(data, size), form, on_damage=damage.append)
    ]
    return items, damage
