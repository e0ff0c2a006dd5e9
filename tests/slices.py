"""Texts and sources in slices."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

from urlextract.records import RawMessage
from urlextract.sources.reading import read_source

if TYPE_CHECKING:
    from collections.abc import Iterable

    from urlextract.errors import SourceError
    from urlextract.records import Provenance


class Slices(io.BytesIO):
    """A stream that returns a few bytes at a time."""

    def __init__(self, data: bytes, size: int) -> None:
        super().__init__(data)
        self._size = size

    def read1(self, size: int | None = -1) -> bytes:
        assert size
        return super().read1(min(size, self._size))


def read_slices(
    data: bytes, size: int, form: str
) -> tuple[list[tuple[Provenance, bytes]], list[SourceError]]:
    """Read a stream in slices of ``size`` bytes; return origin and bytes of each item, and the errors."""
    damage: list[SourceError] = []
    items = [
        (item.provenance, item.data if isinstance(item, RawMessage) else b"".join(item.chunks))
        for item in read_source(Slices(data, size), form, on_damage=damage.append)
    ]
    return items, damage


class Blocks(io.RawIOBase):
    """A stream of blocks that are made when they are read."""

    def __init__(self, blocks: Iterable[bytes]) -> None:
        super().__init__()
        self._blocks, self._rest = iter(blocks), b""

    def readable(self) -> bool:
        return True

    def read(self, size: int | None = -1) -> bytes:
        assert size
        while not self._rest:
            block = next(self._blocks, None)
            if block is None:
                return b""
            self._rest = block
        data, self._rest = self._rest[:size], self._rest[size:]
        return data
