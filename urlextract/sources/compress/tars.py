"""Tar archives read as streams; the standard library reads the headers of a member.

The library takes a header that it cannot read for the end of the archive, a size that is no number for 0,
and goes back by a negative one. So it gets one member at a time, at a header whose checksum and size are
right; what is no header is damage, and reading continues at the next one. Records of pax and maps of holes
may claim anything: if that is not what is stored up to the next header, what is stored is the content.
"""

from __future__ import annotations

import tarfile
from collections.abc import Iterator
from itertools import chain
from typing import IO, cast

from urlextract.grammar.patterns import lazy_re
from urlextract.sources.compress import LIBRARY_FAULTS, DamagedError, DecompressionBudget
from urlextract.sources.streams import BLOCK, Reader

_HEADERS = 128 * 1024  # bytes before one file: names of any length, times, access lists
_LENGTH = lazy_re(rb"([1-9][0-9]{0,6}) (?!=)")  # pax(1): "%d %s=%s\n", <length>, <keyword>, <value>
_DIGITS = lazy_re(rb"[0-9]+")
_MOST_DIGITS = 255  # in a row: a name has no more, and Python 3.11.9 looks at each as often as it has digits
_LARGEST = 1 << 50  # bytes of a member: what claims more is damaged
_FAULTS = (tarfile.TarError, *LIBRARY_FAULTS)


def members(
    blocks: Iterator[bytes], budget: DecompressionBudget
) -> Iterator[tuple[Iterator[bytes], DecompressionBudget]]:
    """Yield each file of an archive: its blocks, to be read in order, and its budget, which has its place.

    Their names are labels and nothing is written, so all are read: hidden ones, and those that lead out.
    """
    reader = Reader(blocks)
    while not budget.is_bomb and _is_at_header(reader, budget):
        start = reader.offset
        file = _File(reader)
        try:
            archive = tarfile.TarFile(fileobj=cast("IO[bytes]", file), tarinfo=_Header)
            member = archive.next()
            end = archive.offset
            if not isinstance(member, _Header) or not 0 <= member.size <= _LARGEST or end < reader.offset:
                raise tarfile.ReadError("a header cannot be read")
        except _FAULTS as error:
            budget.damage(_corrupt(error, start) if reader.peek(1) else _cut_short(reader))
            continue
        if not (member.isdir() or member.issym() or member.islnk() or member.isdev()):
            around = DecompressionBudget(budget.place, budget)
            size, parts, is_right = member.layout(reader.offset, end)
            if not is_right:
                budget.damage(_corrupt("its size or its map of holes is not that of what is stored", start))
            content = _content(reader, size, parts, around, start)
            yield content, around.within(member.name.removeprefix("./"))
        file.seek(end)


def _is_at_header(reader: Reader, budget: DecompressionBudget) -> bool:
    """Move to the next header; return whether there is one. What is passed is damage, unless it is zeros.

    An archive ends with zeros, and another one may follow (``cat a.tar b.tar``).
    """
    is_ended = False
    while block := reader.peek(tarfile.BLOCKSIZE):
        if not block.strip(b"\0"):
            is_ended = True
        elif len(block) < tarfile.BLOCKSIZE and not is_ended:
            reader.take(len(block))
            break
        else:
            try:  # a header has the right checksum, and a size that can be
                if 0 <= tarfile.TarInfo.frombuf(block, tarfile.ENCODING, "surrogateescape").size <= _LARGEST:
                    return True
            except _FAULTS:
                pass
            budget.damage(_corrupt("a header cannot be read", reader.offset))
        reader.take(len(block))
    if not is_ended and not budget.has_faults:
        budget.damage(_cut_short(reader))
    return False


class _File:
    """A file for the library to read, forwards only; bounded, because it holds all headers in memory."""

    def __init__(self, reader: Reader) -> None:
        self.reader = reader
        self.until = reader.offset + _HEADERS  # the offset at which what the library may read ends

    def tell(self) -> int:
        return self.reader.offset

    def seek(self, offset: int) -> None:
        if offset < self.reader.offset:  # the library goes on by itself, after no member
            raise tarfile.StreamError("a header cannot be read")
        for _ in self.reader.pieces(offset - self.reader.offset):
            pass

    def read(self, size: int) -> bytes:
        if not 0 <= size <= self.until - self.reader.offset:
            raise tarfile.ReadError("its headers or its map of holes claim too much")
        return self.reader.take(size)


class _Header(tarfile.TarInfo):
    """A header of an archive; one that is senseless is refused."""

    begin = 0  # the offset after it
    claim = 0  # the size in it, which pax records and maps of holes change afterwards

    def _proc_member(self, archive: tarfile.TarFile) -> tarfile.TarInfo:
        """Check the header before the library reads what follows it; this is the library's hook for that."""
        file = cast("_File", archive.fileobj)
        reader = file.reader
        is_valid = _IS_VALID.get(self.type)
        if not 0 <= self.size <= (_HEADERS if is_valid else _LARGEST):
            raise tarfile.HeaderError("its size is senseless")
        blocks = self.size + -self.size % tarfile.BLOCKSIZE
        if is_valid and not is_valid(reader.peek(self.size)):
            reader.take(blocks)
            raise tarfile.HeaderError("its pax header or long name is invalid")
        self.begin, self.claim = reader.offset, self.size
        if not is_valid and self.type != tarfile.GNUTYPE_SPARSE:  # a map of pax is within its member
            file.until = min(file.until, reader.offset + blocks)
        return super()._proc_member(archive)  # type: ignore[misc, no-any-return]

    def layout(self, offset: int, end: int) -> tuple[int, list[tuple[int, int]], bool]:
        """Return the size of the content, the parts of it that are stored, and whether that is as claimed.

        A part has an offset in the content, and a length. They are stored from ``offset`` on; the next
        header is at ``end``.
        """
        # the old maps are no part of what is stored, those of pax are
        map_size = 0 if self.type == tarfile.GNUTYPE_SPARSE else offset - self.begin
        # the first size that takes the whole blocks up to the next header, or all of them if none does
        space = end - offset + map_size
        sizes = (size for size in (self.claim, self.size) if 0 <= space - size < tarfile.BLOCKSIZE)
        stored = next(sizes, space) - map_size
        holes = cast("list[tuple[int, int]] | None", self.sparse)
        parts = [(0, self.size)] if holes is None else [part for part in holes if part[1]]
        bounds = [0, *chain.from_iterable((start, start + length) for start, length in parts), self.size]
        if bounds == sorted(bounds) and sum(length for _, length in parts) == stored:
            return self.size, parts, True
        return stored, [(0, stored)], False


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
    """Return whether data are a long name of GNU tar: the library drops what is after a NUL."""
    return b"\0" not in data.rstrip(b"\0")


_IS_VALID = {  # what the headers that precede another one may hold
    tarfile.XHDTYPE: _is_pax, tarfile.XGLTYPE: _is_pax, tarfile.SOLARIS_XHDTYPE: _is_pax,
    tarfile.GNUTYPE_LONGNAME: _is_name, tarfile.GNUTYPE_LONGLINK: _is_name,
}  # fmt: skip


def _corrupt(error: object, offset: int) -> DamagedError:
    return DamagedError(f"tar archive is corrupt ({error})", offset)


def _cut_short(reader: Reader) -> DamagedError:
    return DamagedError("tar archive is cut short", reader.offset)


def _content(
    reader: Reader, size: int, parts: list[tuple[int, int]], around: DecompressionBudget, start: int
) -> Iterator[bytes]:
    """Yield the content of a member: the parts that are stored, and zeros for the holes between them."""
    at = 0
    try:
        for offset, length in [*parts, (size, 0)]:
            while at < offset:
                hole = bytes(min(BLOCK, offset - at))
                yield hole
                at += len(hole)
                around.weigh(len(hole), start)  # holes take no bytes in the archive
            end = reader.offset + length
            yield from reader.pieces(length)
            if reader.offset < end:
                raise _cut_short(reader)
            at += length
    except DamagedError as fault:
        around.damage(fault)
