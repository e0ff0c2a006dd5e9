"""Tar archives read as streams, by the standard library."""

from __future__ import annotations

import sys
import tarfile
from typing import TYPE_CHECKING, cast

from urlextract.sources.compress.layers import BOMB_RATIO, LIBRARY_FAULTS, DamagedError, Wrapping
from urlextract.sources.reader import Reader
from urlextract.sources.streams import BLOCK, in_blocks

if TYPE_CHECKING:
    from collections.abc import Iterator
    from io import BufferedReader
    from typing import IO

    from urlextract.sources.streams import Place

__all__ = ["tar_members"]


_HEADERS = 128 * 1024  # bytes before one file: names of any length, times, access lists


class _File:
    """A file for the library to read; bounded, because the library holds all headers in memory."""

    def __init__(self, blocks: Iterator[bytes]) -> None:
        self._reader = Reader(blocks)
        self.until = _HEADERS  # the offset after which nothing is read

    def read(self, size: int) -> bytes:
        if self._reader.offset > self.until:
            raise tarfile.ReadError("too much stands before a file")
        return self._reader.take(size)


def tar_members(
    blocks: Iterator[bytes], place: Place, wrapping: Wrapping
) -> Iterator[tuple[Place, Iterator[bytes], Wrapping]]:
    """Yield each file of an archive: its place, its blocks, to be read in order, and its wrapping."""
    file = _File(blocks)
    try:
        with tarfile.open(fileobj=cast("IO[bytes]", file), mode="r|", bufsize=BLOCK) as archive:
            while member := _next(archive, file):
                parts = member.name.split("/")
                is_hidden = any(part.startswith(".") and part != "." for part in parts)
                stream = None if is_hidden or not member.isfile() else archive.extractfile(member)
                if stream:
                    inside = place._replace(name=f"{place.name}/{member.name.removeprefix('./')}")
                    around = Wrapping(place, wrapping)
                    has_holes = member.issparse()
                    yield inside, _content(stream, around, has_holes=has_holes), Wrapping(inside, around)
                    if around.is_faulty:
                        return
    except _FAULTS as error:
        wrapping.damage(_fault(error))


def _next(archive: tarfile.TarFile, file: _File) -> tarfile.TarInfo | None:
    """Return the next member, None at the end; the headers before it are bounded."""
    archive.members = []  # type: ignore[attr-defined]  # the library would keep all
    file.until = max(archive.offset, archive.fileobj.tell()) + _HEADERS
    member = archive.next()
    file.until = sys.maxsize
    return member


_STEP = 128  # bytes: those of a read that fails are lost
_FAULTS = (tarfile.TarError, *LIBRARY_FAULTS)


def _fault(error: Exception) -> DamagedError:
    return DamagedError(f"tar archive is cut short or corrupt ({error})", 0)


def _content(stream: IO[bytes], around: Wrapping, *, has_holes: bool) -> Iterator[bytes]:
    """Yield the content of a member; it is read in small steps, so that a fault loses only a few bytes."""
    raw = cast("BufferedReader", stream).raw  # the library's buffer reads ahead, and loses that on a fault
    held = bytearray()
    fault: DamagedError | None = None
    try:
        while (piece := raw.read(_STEP)) and fault is None:
            held += piece
            if len(held) >= BLOCK:
                yield from in_blocks(bytes(held))
                if has_holes:  # they take no bytes in the archive
                    around.weigh(len(held))
                held.clear()
                if has_holes and around.is_bomb:
                    fault = DamagedError(f"decompression bomb: over {BOMB_RATIO} times its size", 0)
    except _FAULTS as error:
        fault = _fault(error)
    yield from in_blocks(bytes(held))
    if fault:
        around.damage(fault)
