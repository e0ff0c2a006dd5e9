"""Tar archives read as streams; the standard library reads the headers of a member.

The library takes a header that it cannot read for the end of the archive, a size that is no number for 0,
and goes back by a negative one. So it gets one member at a time, at a header whose checksum and size are
right; what is no header is damage, and reading continues at the next one. Records of pax and maps of holes
may claim anything: if that is not what is stored up to the next header, what is stored is the content.
"""

from __future__ import annotations

import tarfile
from collections.abc import Iterator
from typing import IO, Self, cast

from urlextract.grammar.patterns import lazy_re
from urlextract.sources.compress.layers import BOMB_RATIO, LIBRARY_FAULTS, DamagedError, Wrapping
from urlextract.sources.reader import Reader
from urlextract.sources.streams import BLOCK, Place

_HEADERS = 128 * 1024  # bytes before one file: names of any length, times, access lists
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
        if offset < self._reader.offset:  # the library goes on by itself, after no member
            raise tarfile.StreamError("a header cannot be read")
        for _ in self._reader.pieces(offset - self._reader.offset):
            pass

    def read(self, size: int) -> bytes:
        if not 0 <= size <= self.until - self._reader.offset:
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

        begin = 0  # the offset behind it
        claim = 0  # the size in it, which pax records and maps of holes change afterwards

        @classmethod
        def frombuf(cls, buf: bytes | bytearray, encoding: str, errors: str) -> Self:
            header = super().frombuf(buf, encoding, errors)
            is_allowed = _ALLOWED.get(header.type)
            if not 0 <= header.size <= (_HEADERS if is_allowed else _LARGEST):
                raise tarfile.HeaderError("its size is senseless")
            blocks = header.size + -header.size % tarfile.BLOCKSIZE
            if is_allowed and not is_allowed(reader.peek(header.size)):
                reader.take(blocks)
                raise tarfile.HeaderError("its pax header or long name is invalid")
            header.begin, header.claim = reader.offset, header.size
            if not is_allowed and header.type != tarfile.GNUTYPE_SPARSE:  # a map of pax is within its member
                file.until = min(file.until, reader.offset + blocks)
            return header

    while not wrapping.is_bomb and _is_at_header(reader, wrapping):
        start = reader.offset
        file.until = start + _HEADERS
        try:
            archive = tarfile.TarFile(fileobj=cast("IO[bytes]", file), tarinfo=Header)
            member = archive.next()
            if (
                not isinstance(member, Header)
                or not 0 <= member.size <= _LARGEST
                or archive.offset < reader.offset
            ):
                raise tarfile.ReadError("a header cannot be read")
        except _FAULTS as error:
            wrapping.damage(_corrupt(error, start) if reader.peek(1) else _cut_short(reader))
            continue
        if not (member.isdir() or member.issym() or member.islnk() or member.isdev()):
            inside = place._replace(name=f"{place.name}/{member.name.removeprefix('./')}")
            around = Wrapping(place, wrapping)
            # the old maps are no part of what is stored, those of pax are
            begin = reader.offset if member.type == tarfile.GNUTYPE_SPARSE else member.begin
            stored = _stored(archive.offset - begin, member.claim, member.size) - (reader.offset - begin)
            size, parts = member.size, _parts(member)
            if not _is_map(size, parts, stored):
                wrapping.damage(_corrupt("its size or its map of holes is not that of what is stored", start))
                size, parts = stored, [(0, stored)]
            yield inside, _content(reader, size, parts, around, start), Wrapping(inside, around)
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


def _is_name(data: bytes) -> bool:
    """Return whether data are a long name of GNU tar: the library drops what is behind a NUL."""
    return b"\0" not in data.rstrip(b"\0")


_ALLOWED = {  # what the headers that precede another one may hold
    tarfile.XHDTYPE: _is_pax, tarfile.XGLTYPE: _is_pax, tarfile.SOLARIS_XHDTYPE: _is_pax,
    tarfile.GNUTYPE_LONGNAME: _is_name, tarfile.GNUTYPE_LONGLINK: _is_name,
}  # fmt: skip
_FAULTS = (tarfile.TarError, *LIBRARY_FAULTS)


def _corrupt(error: object, offset: int) -> DamagedError:
    return DamagedError(f"tar archive is corrupt ({error})", offset)


def _cut_short(reader: Reader) -> DamagedError:
    return DamagedError("tar archive is cut short", reader.offset)


def _stored(space: int, *claims: int) -> int:
    """Return the first size that takes a ``space`` of whole blocks, or all of that if none does."""
    return next((size for size in claims if 0 <= space - size < tarfile.BLOCKSIZE), space)


def _parts(member: tarfile.TarInfo) -> list[tuple[int, int]]:
    """Return where the bytes that are stored belong in the content of a member: offsets and lengths."""
    parts = cast("list[tuple[int, int]] | None", member.sparse)
    return [(0, member.size)] if parts is None else [part for part in parts if part[1]]


def _is_map(size: int, parts: list[tuple[int, int]], stored: int) -> bool:
    """Return whether the parts follow each other within a content, and are all that is stored."""
    bounds = [0, *(bound for offset, length in parts for bound in (offset, offset + length)), size]
    return bounds == sorted(bounds) and sum(length for _, length in parts) == stored


def _content(
    reader: Reader, size: int, parts: list[tuple[int, int]], around: Wrapping, start: int
) -> Iterator[bytes]:
    """Yield the content of a member: the parts that are stored, and zeros for the holes between them."""
    at = 0
    for offset, length in [*parts, (size, 0)]:
        while at < offset:
            hole = bytes(min(BLOCK, offset - at))
            yield hole
            at += len(hole)
            around.weigh(len(hole))  # holes take no bytes in the archive
            if around.is_bomb:
                around.damage(DamagedError(f"decompression bomb: over {BOMB_RATIO} times its size", start))
                return
        end = reader.offset + length
        yield from reader.pieces(length)
        if reader.offset < end:
            around.damage(_cut_short(reader))
            return
        at += length
