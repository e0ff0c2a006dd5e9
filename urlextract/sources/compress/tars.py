"""Tar archives read as streams; the standard library reads the headers of a member.

The library takes a header that it cannot read for the end of the archive, a size that is no number for 0,
and goes back by a negative one. So it gets one member at a time, at a header whose checksum and size are
right; what is no header is damage, and reading continues at the next one.
"""

from __future__ import annotations

import tarfile
from typing import TYPE_CHECKING, cast

from urlextract.grammar.patterns import lazy_re
from urlextract.sources.compress.layers import BOMB_RATIO, LIBRARY_FAULTS, DamagedError, Wrapping
from urlextract.sources.reader import Reader
from urlextract.sources.streams import BLOCK, in_blocks

if TYPE_CHECKING:
    from collections.abc import Iterator
    from io import BufferedReader
    from typing import IO, Self

    from urlextract.sources.streams import Place

__all__ = ["tar_members"]


_HEADERS = 128 * 1024  # bytes before one file: names of any length, times, access lists
_PAX = (tarfile.XHDTYPE, tarfile.XGLTYPE, tarfile.SOLARIS_XHDTYPE)
_LENGTH = lazy_re(rb"([1-9][0-9]{0,6}) (?!=)")  # pax(1): "%d %s=%s\n", <length>, <keyword>, <value>
_DIGITS = lazy_re(rb"[0-9]+")
_MOST_DIGITS = 255  # in a row: a name has no more, and Python 3.11.9 looks at each as often as it has digits
_LARGEST = 1 << 50  # bytes of a member: what claims more is damaged


class _File:
    """A file for the library to read, forwards only; bounded, because it holds all headers in memory."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self.until = 0  # the offset at which what the library may read ends

    def tell(self) -> int:
        return self._reader.offset

    def seek(self, offset: int) -> None:
        if not self._reader.offset <= offset <= self.until:
            raise tarfile.StreamError("its map of holes does not fit")
        for _ in self._reader.pieces(offset - self._reader.offset):
            pass

    def read(self, size: int) -> bytes:
        if self._reader.offset + size > self.until:
            raise tarfile.ReadError("its headers or its map of holes claim too much")
        return self._reader.take(size)


def tar_members(
    blocks: Iterator[bytes], place: Place, wrapping: Wrapping
) -> Iterator[tuple[Place, Iterator[bytes], Wrapping]]:
    """Yield each file of an archive: its place, its blocks, to be read in order, and its wrapping.

    Their names are labels and nothing is written, so all are read: hidden ones, and those that lead out.
    """
    reader = Reader(blocks)
    file = _File(reader)

    class Header(tarfile.TarInfo):
        """A header of this archive; one that is senseless is refused."""

        @classmethod
        def frombuf(cls, buf: bytes | bytearray, encoding: str, errors: str) -> Self:
            header = super().frombuf(buf, encoding, errors)
            if header.type in _PAX and not _is_pax(reader.peek(min(header.size, _HEADERS))):
                reader.take(min(header.size, _HEADERS) + -header.size % tarfile.BLOCKSIZE)
                raise tarfile.HeaderError("its pax header is invalid")
            return header

    while not wrapping.is_bomb and _is_at_header(reader, wrapping):
        start = reader.offset
        file.until = start + _HEADERS
        try:
            archive = tarfile.TarFile(fileobj=cast("IO[bytes]", file), tarinfo=Header)
            member = archive.next()
            if member is None or not 0 <= member.size <= _LARGEST or archive.offset < reader.offset:
                raise tarfile.ReadError("a header cannot be read")
        except _FAULTS as error:
            wrapping.damage(_corrupt(error, start) if reader.peek(1) else _cut_short(reader))
            continue
        file.until = archive.offset
        if not (member.isdir() or member.issym() or member.islnk() or member.isdev()):
            inside = place._replace(name=f"{place.name}/{member.name.removeprefix('./')}")
            around = Wrapping(place, wrapping)
            if member.issparse():
                content = _with_holes(archive.extractfile(member), around, start)
            else:
                content = _stored(reader, member.size, around)
            yield inside, content, Wrapping(inside, around)
        file.seek(archive.offset)


def _is_at_header(reader: Reader, wrapping: Wrapping) -> bool:
    """Move to the next header; return whether there is one. What is passed is damage, unless it is zeros.

    An archive ends with zeros, and another one may follow (``cat a.tar b.tar``).
    """
    is_ended = False
    while block := reader.peek(tarfile.BLOCKSIZE):
        if not block.strip(b"\0"):
            is_ended = True
        elif _is_header(block):
            return True
        elif len(block) < tarfile.BLOCKSIZE and not is_ended:
            reader.take(len(block))
            break
        else:
            wrapping.damage(_corrupt("a header cannot be read", reader.offset))
        reader.take(len(block))
    if not is_ended and not wrapping.has_faults:
        wrapping.damage(_cut_short(reader))
    return False


def _is_header(block: bytes) -> bool:
    """Return whether a block is a header: by its checksum, and by a size that can be."""
    try:
        return 0 <= tarfile.TarInfo.frombuf(block, tarfile.ENCODING, "surrogateescape").size <= _LARGEST
    except _FAULTS:
        return False


def _is_pax(data: bytes) -> bool:
    """Return whether data are records of pax: the library takes others for gigabytes of keywords."""
    at = 0
    while length := _LENGTH.match(data, at):
        end = at + int(length[1])
        if data.find(b"=", length.end(), end) < 0 or data[end - 1 : end] != b"\n":
            return False
        at = end
    is_whole = at == len(data)
    return is_whole and all(len(digits) <= _MOST_DIGITS for digits in _DIGITS.findall(data))


_STEP = 128  # bytes: those of a read that fails are lost
_FAULTS = (tarfile.TarError, *LIBRARY_FAULTS)


def _corrupt(error: object, offset: int) -> DamagedError:
    return DamagedError(f"tar archive is corrupt ({error})", offset)


def _cut_short(reader: Reader) -> DamagedError:
    return DamagedError("tar archive is cut short", reader.offset)


def _stored(reader: Reader, size: int, around: Wrapping) -> Iterator[bytes]:
    """Yield the content of a member."""
    end = reader.offset + size
    yield from reader.pieces(size)
    if reader.offset < end:
        around.damage(_cut_short(reader))


def _with_holes(stream: IO[bytes] | None, around: Wrapping, start: int) -> Iterator[bytes]:
    """Yield the content of a sparse member, read in small steps, so that a fault loses only a few bytes."""
    raw = cast("BufferedReader", stream).raw  # the library's buffer reads ahead, and loses that on a fault
    held = bytearray()
    fault: DamagedError | None = None
    try:
        while (piece := raw.read(_STEP)) and fault is None:
            held += piece
            if len(held) >= BLOCK:
                yield from in_blocks(bytes(held))
                around.weigh(len(held))  # holes take no bytes in the archive
                held.clear()
                if around.is_bomb:
                    fault = DamagedError(f"decompression bomb: over {BOMB_RATIO} times its size", start)
    except _FAULTS as error:
        fault = _corrupt(error, start)
    yield from in_blocks(bytes(held))
    if fault:
        around.damage(fault)
