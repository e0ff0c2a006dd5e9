"""Texts and sources in slices."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple

from urlextract.records import RawMessage
from urlextract.sources.reading import read_source
from urlextract.sources.streams import BLOCK

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from urlextract.errors import SourceError


class Slices(io.BytesIO):
    """A stream that returns a few bytes at a time."""

    def __init__(self, data: bytes, size: int) -> None:
        super().__init__(data)
        self._size = size

    def read1(self, size: int | None = -1) -> bytes:
        assert size
        return super().read1(min(size, self._size))


class Item(NamedTuple):
    """What tests compare of an item; a text has no number."""

    source: str
    number: int | None
    offset: int | None
    data: bytes


def read(
    source: bytes | str | Path | BinaryIO, form: str = "auto", size: int = BLOCK, **how: Any
) -> tuple[list[Item], list[SourceError]]:
    """Read a source, or bytes that come in slices of ``size``; return its items, and the errors.

    The members of an archive that is given as bytes have their names alone.
    """
    damage: list[SourceError] = []
    stream = Slices(source, size) if isinstance(source, bytes) else source
    items = []
    for item in read_source(stream, form, on_damage=damage.append, **how):
        origin = item.provenance
        is_message = isinstance(item, RawMessage)
        data = item.data + b"".join(item.rest or ()) if is_message else b"".join(item.chunks)
        name = (origin.source or "").removeprefix("<stream>/")
        items.append(Item(name, origin.message, origin.offset, data))
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
