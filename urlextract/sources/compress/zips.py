"""Zip archives, kept in a temporary file while they are read; the standard library lists their members.

The list is at the end of an archive. What it does not name (``cat a.zip b.zip``, or an archive cut short) is
found by the headers of the members. Names are labels and nothing is written, so all members are read.
"""

from __future__ import annotations

import errno
import os
import shutil
import struct
import tempfile
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from typing import IO, cast
from zlib import crc32

from urlextract.grammar.patterns import lazy_re
from urlextract.sources.compress import LIBRARY_FAULTS, DamagedError, DecompressionBudget, decoders
from urlextract.sources.sniff import ZIP
from urlextract.sources.streams import BLOCK, Origin, Reader

_IN_MEMORY = 1 << 20  # bytes of an archive that is kept without a file
_MOST = 100_000  # members of an archive, which take 50 MB
_LARGEST_LIST = 32 << 20  # bytes: names and comments of as many
_HEADER = struct.Struct("<4sHHHHHLLLHH")  # APPNOTE.TXT, section 4.3.7
# Section 4.3.16: the end record, with the length of the comment behind it
_END = lazy_re(rb"PK\x05\x06(?=[\s\S]{16}([\s\S]{2}))")
_END_SIZE = 22
_LISTED = b"PK\1\2"  # section 4.3.12
_ENCRYPTED, _STREAMED, _UTF8 = 1, 8, 1 << 11  # flags: section 4.4.4
_STORED, _DEFLATED = 0, 8  # methods: section 4.4.5
_DECODERS = {_DEFLATED: "zip", 12: "bzip2", 93: "zstd", 95: "xz"}
_LONG = b"\1\0\x10\0"  # section 4.5.3: the extra field with both sizes, in eight bytes each
_ZIP64 = 0xFFFFFFFF


@dataclass(slots=True)
class _Member:
    """What a header or the list says of a member, whose data are between ``start`` and ``end``."""

    name: str
    flags: int
    method: int
    checksum: int
    start: int
    end: int
    is_listed: bool
    is_open: bool = False  # its size and checksum are behind its data

    @property
    def refusal(self) -> str:
        """Why it is not read, "" if it is."""
        if self.flags & _ENCRYPTED:
            return "encrypted members of a zip archive cannot be read: unzip it first"
        if self.method == _STORED or self.method in _DECODERS:
            return ""
        return f"members of a zip archive in method {self.method} cannot be read: unzip it first"


def members(
    blocks: Iterator[bytes], budget: DecompressionBudget
) -> Iterator[tuple[Iterator[bytes], DecompressionBudget]]:
    """Yield each member of an archive: its blocks, to be read in order, and its budget, which has its origin.

    Damage in a member is reported after all of it that can be read was yielded.
    """
    with tempfile.SpooledTemporaryFile(_IN_MEMORY) as file:
        _keep(blocks, file, budget)
        size = file.tell()
        listed, bounds, fault = _list(file, size)
        for number, member in enumerate(_walk(file, listed, bounds, size, budget)):
            budget.weigh(0, member.start, members=1)
            if number == _MOST:
                fault = DamagedError(f"more than {_MOST:,} members: unzip it first", member.start)
                break
            if member.refusal:
                budget.refuse("encrypted" if member.flags & _ENCRYPTED else "method", member.refusal)
                continue
            within = budget.within(member.name)
            content = _content(file, member, within if member.is_listed else budget, budget.origin)
            if member.start < member.end:
                yield content, within
            if not member.is_listed:
                for _ in content:  # what the caller did not read: its end is where the next one begins
                    pass
        if fault and not budget.has_faults:
            budget.damage(fault)


def _keep(blocks: Iterator[bytes], file: IO[bytes], budget: DecompressionBudget) -> None:
    """Write an archive to a file, in at most half of the free space there; report what hinders that."""
    size = 0
    try:
        for block in blocks:
            size += len(block)
            if size > _IN_MEMORY and size > shutil.disk_usage(tempfile.gettempdir()).free:
                cause = "takes more than half of the free space for temporary files: unzip it first"
                budget.damage(DamagedError(f"zip archive {cause}", size, errno.ENOSPC))
                break
            file.write(block)
            budget.weigh(len(block), size)
    except OSError as error:
        cause = f"zip archive cannot be kept in a temporary file ({error})"
        budget.damage(DamagedError(cause, size, error.errno))


class _List:
    """A file from which the standard library reads the list of the members, if that is not too long.

    It ends after the end record, so that the library finds no other one, in a comment.
    """

    def __init__(self, file: IO[bytes], end: int) -> None:
        self._file, self._end = file, end
        self.tell = file.tell

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        return self._file.seek(max(0, offset + (self._end if whence == os.SEEK_END else 0)))

    def read(self, size: int = -1) -> bytes:
        left = max(0, self._end - self.tell())
        data = self._file.read(min(size if size >= 0 else left, left, _LARGEST_LIST))
        if data.count(_LISTED) > _MOST:
            raise zipfile.BadZipFile("more members than are read")
        return data


def _list(file: IO[bytes], size: int) -> tuple[list[zipfile.ZipInfo], tuple[int, int], DamagedError | None]:
    """Return the list of the members, in the order of the file, where it is, and what is wrong there."""
    tail_start = file.seek(max(0, size - _END_SIZE - 0xFFFF))
    tail = file.read()
    ends = [
        (each.start(), each.start() + _END_SIZE + int.from_bytes(each[1], "little"))
        for each in _END.finditer(tail)
    ]
    fitting = [each for each in ends if each[1] == len(tail)]  # others may be in its comment
    start, end = (fitting or ends or [(0, len(tail) + 1)])[-1]
    if end > len(tail):
        return [], (0, 0), DamagedError("zip archive is cut short", size)
    junk = DamagedError("junk after the end of the zip archive", tail_start + end)
    try:
        with zipfile.ZipFile(cast("IO[bytes]", _List(file, tail_start + start + _END_SIZE))) as archive:
            listed = sorted(archive.infolist(), key=lambda each: each.header_offset)
    except (zipfile.BadZipFile, NotImplementedError, *LIBRARY_FAULTS) as error:
        return [], (0, 0), DamagedError(f"zip archive is corrupt ({error})", size)
    return listed, (archive.start_dir, tail_start + end), junk if tail[end:].strip(b"\0") else None


def _walk(
    file: IO[bytes],
    listed: list[zipfile.ZipInfo],
    bounds: tuple[int, int],
    size: int,
    budget: DecompressionBudget,
) -> Iterator[_Member]:
    """Yield the members of an archive in its order: those that are listed, and those around them.

    ``bounds`` are those of the list, in which none is looked for.
    """
    at = 0
    for info in listed:
        member = _member_at(file, info.header_offset, size)
        if not member:
            cause = f"{info.filename}: is not where the list of the members says"
            budget.damage(DamagedError(cause, max(0, info.header_offset)))
            continue
        yield from _unlisted(file, at, info.header_offset, budget)
        member.name, member.flags, member.method = info.filename, info.flag_bits, info.compress_type
        member.checksum, member.is_listed, member.is_open = info.CRC, True, False
        member.end = member.start + info.compress_size
        yield member
        at = max(at, member.end)
    yield from _unlisted(file, at, bounds[0], budget)
    yield from _unlisted(file, bounds[1], size, budget, is_last=True)


def _unlisted(
    file: IO[bytes], at: int, end: int, budget: DecompressionBudget, *, is_last: bool = False
) -> Iterator[_Member]:
    """Yield the members whose headers are found between two offsets; report headers that are damaged."""
    at = _find(file, at, end)
    while at >= 0:
        member = _member_at(file, at, end)
        if member:
            yield member
        behind = _find(file, member.end if member else at + len(ZIP), end)
        if not member:
            budget.weigh(0, at, members=1)
            if behind >= 0 or not is_last:  # else the archive is cut short here
                budget.damage(DamagedError("the header of a member is damaged", at))
        at = behind


def _find(file: IO[bytes], at: int, end: int) -> int:
    """Return the offset of the next header of a member, -1 if there is none."""
    size = 64  # most begin right where the one before ends
    while at < end:
        file.seek(at)
        data = file.read(min(size, end - at))
        found = data.find(ZIP)
        if found >= 0:
            return at + found
        at += max(1, len(data) - len(ZIP) + 1)
        size = BLOCK
    return -1


def _member_at(file: IO[bytes], at: int, end: int) -> _Member | None:
    """Return what the header at ``at`` says of its member, None if none is there before ``end``."""
    if not 0 <= at <= end - _HEADER.size:
        return None
    file.seek(at)
    magic, _, flags, method, _, _, checksum, size, _, *lengths = _HEADER.unpack(file.read(_HEADER.size))
    if magic != ZIP:
        return None
    start = at + _HEADER.size + sum(lengths)
    if start > end:
        return None
    name, extra = map(file.read, lengths)
    if size == _ZIP64:
        place = extra.find(_LONG) + len(_LONG) + 8
        size = int.from_bytes(extra[place : place + 8], "little")
    is_open = bool(flags & _STREAMED and not size)
    return _Member(
        name=name.decode("utf-8" if flags & _UTF8 else "cp437", "replace"),
        flags=flags,
        method=method,
        checksum=checksum,
        start=start,
        end=end if is_open else start + size,
        is_listed=False,
        is_open=is_open,
    )


def _content(
    file: IO[bytes], member: _Member, holder: DecompressionBudget, origin: Origin
) -> Iterator[bytes]:
    """Yield the content of a member; report damage in it to ``holder``, and set where it ended."""
    reader = Reader(_pieces(file, member.start, member.end))
    reader.offset = member.start
    checksum = 0
    try:
        for piece in _decoded(member, reader, holder):
            checksum = crc32(piece, checksum)
            yield piece
        is_short = reader.offset < member.end
        cause = "is shorter than its header says" if is_short else "checksum does not fit"
        if not member.is_open and (is_short or checksum != member.checksum):
            holder.damage(DamagedError(f"{member.name}: {cause}", reader.offset), origin)
    except DamagedError as fault:
        holder.damage(DamagedError(f"{member.name}: {fault.cause}", fault.offset), origin)
        if not member.is_listed:  # the next one is behind the fault, in what was read already
            reader.offset = fault.offset
    except LIBRARY_FAULTS as error:
        holder.damage(DamagedError(f"{member.name}: {error!r}", reader.offset), origin)
    member.end = reader.offset


def _pieces(file: IO[bytes], at: int, end: int) -> Iterator[bytes]:
    """Yield what is in a file between two offsets; others may read it meanwhile."""
    while at < end:
        file.seek(at)
        piece = file.read(min(BLOCK, end - at))
        if not piece:
            return
        yield piece
        at += len(piece)


def _decoded(member: _Member, reader: Reader, budget: DecompressionBudget) -> Iterator[bytes]:
    """Yield the content of a member, whose data begin here; raise `DamagedError` if it cannot be read."""
    if member.is_open and member.method != _DEFLATED:
        raise DamagedError("has no length before its data: unzip it first", member.start)
    if member.method != _STORED:
        layer, is_inner = _DECODERS[member.method], budget.layers > 0
        yield from decoders.member(layer, reader, budget, is_inner=is_inner)
    else:
        for piece in reader.pieces():
            yield piece
            budget.weigh(len(piece), reader.offset)
        if reader.offset < member.end:
            raise DamagedError("zip archive is cut short", reader.offset)
