"""Zip archives read as streams: member after member by their local headers.

The list of members (central directory) is at the end of an archive: a pipe delivers it
last, and a file that was cut short lacks it. So it only serves to tell of members that were not met,
because the data of another one hide them. Names are labels and nothing is written, so all members are read.
"""

from __future__ import annotations

import struct
from array import array
from bisect import bisect_left
from collections.abc import Iterator
from typing import NamedTuple
from zlib import crc32

from urlextract.sources.compress import LIBRARY_FAULTS, DamagedError, DecompressionBudget
from urlextract.sources.compress.decoders import inflate, undo
from urlextract.sources.sniff import ZIP
from urlextract.sources.streams import Reader

_LISTED = b"PK\1\2"  # an entry of the list
# APPNOTE.TXT, sections 4.3.11 to 4.3.16: the size of each record of the list, and where the
# lengths of the data after it are: pairs of offset and width in bytes.
_RECORDS: dict[bytes, tuple[int, tuple[tuple[int, int], ...]]] = {
    b"PK\6\x08": (8, ((4, 4),)),
    _LISTED: (46, ((28, 2), (30, 2), (32, 2))),
    b"PK\5\5": (6, ((4, 2),)),
    b"PK\6\6": (12, ((4, 8),)),
    b"PK\6\7": (20, ()),
    b"PK\5\6": (22, ((20, 2),)),
}
_DIRECTORY = tuple(_RECORDS)
_DESCRIPTOR = b"PK\7\x08"  # section 4.3.9
_HEADER = struct.Struct("<4sHHHHHLLLHH")
_ENCRYPTED, _STREAMED, _UTF8 = 1, 8, 1 << 11  # flags: section 4.4.4
_ZIP64 = 0xFFFFFFFF
_STORED, _DEFLATED = 0, 8  # methods: section 4.4.5
_UNREAD = "encrypted members of a zip archive cannot be read: unzip it first"
_METHODS = {12: "bzip2", 93: "zstd", 95: "xz"}


class _Member(NamedTuple):
    """The fields of a local header; ``size`` is that of the compressed data, None if it is after them."""

    name: str
    flags: int
    method: int
    checksum: int
    size: int | None
    is_long: bool  # its sizes have eight bytes


def members(
    blocks: Iterator[bytes], budget: DecompressionBudget
) -> Iterator[tuple[Iterator[bytes], DecompressionBudget]]:
    """Yield each member of an archive: its blocks, to be read in order, and its budget, which has its place.

    Damage in a member is reported after all of it that can be read was yielded.
    If the end of the member is known, reading continues after it.
    """
    archive = _Archive(blocks, budget)
    while not archive.is_lost and not budget.is_bomb:
        try:
            member = archive.next_member()
        except DamagedError as fault:
            archive.damage(budget, fault)
            return
        if member is None:
            return
        around = DecompressionBudget(budget.place, budget)
        content = archive.content(member, around)
        yield content, around.within(member.name)
        for _ in content:  # what the caller did not read
            pass


class _Archive:
    """Reads an archive once, from its first byte to its list of members."""

    def __init__(self, blocks: Iterator[bytes], budget: DecompressionBudget) -> None:
        self._budget = budget
        self._reader = Reader(blocks)
        self.is_lost = False  # it is not known where the next member begins
        self._met = array("Q")  # the offsets of the local headers: eight bytes for each member
        self._base = 0  # the offset of the archive, which may be after another one (``cat a.zip b.zip``)

    def damage(self, budget: DecompressionBudget, fault: DamagedError) -> None:
        """Report damage, unless nothing follows, so that damage reported before explains it."""
        if not (budget.has_faults and self._is_at_end()):
            budget.damage(fault)

    def _is_at_end(self) -> bool:
        return not self._reader.peek(1)

    def next_member(self) -> _Member | None:
        """Read the next local header; skip the list of members and return None at the end."""
        reader = self._reader
        head = reader.peek(_HEADER.size)
        if head.startswith(_DIRECTORY):
            self._pass_directory()
            head = reader.peek(_HEADER.size)
            if not head.strip(b"\0"):
                return None
            if not head.startswith(ZIP):
                raise DamagedError("junk after the end of the zip archive", reader.offset)
        if not (head.startswith(ZIP) or any(begins.startswith(head) for begins in (ZIP, *_DIRECTORY))):
            raise DamagedError("zip archive is corrupt", reader.offset)
        if len(head) < _HEADER.size:
            raise DamagedError("zip archive is cut short", reader.offset + len(head))
        self._met.append(reader.offset)
        _, _, flags, method, _, _, checksum, size, _, name_length, extra_length = _HEADER.unpack(head)
        reader.take(_HEADER.size)
        name = reader.take(name_length).decode("utf-8" if flags & _UTF8 else "cp437", "replace")
        extra = reader.take(extra_length)
        is_long = extra.startswith(b"\1\0") or size == _ZIP64
        if size == _ZIP64:
            size = _long(extra, 8)
        is_open = flags & _STREAMED and not size
        return _Member(name, flags, method, checksum, None if is_open else size, is_long)

    def content(self, member: _Member, around: DecompressionBudget) -> Iterator[bytes]:
        """Yield the content of a member, and move to its end."""
        reader = self._reader
        end = None if member.size is None else reader.offset + member.size
        if end is not None and member.flags & _ENCRYPTED:
            self._pass_encrypted(member, end, around)
            return
        checksum = 0
        try:
            for piece in _decoded(member, reader, around):
                checksum = crc32(piece, checksum)
                yield piece
        except (DamagedError, *LIBRARY_FAULTS) as error:
            fault = error if isinstance(error, DamagedError) else DamagedError(repr(error), reader.offset)
            self.damage(around, DamagedError(f"{member.name}: {fault.cause}", fault.offset))
            self.is_lost = end is None
        if end is not None and reader.offset < end:
            around.damage(DamagedError(f"{member.name}: is shorter than its header says", reader.offset))
            if not reader.peek(4).startswith((ZIP, *_DIRECTORY)):
                for _ in reader.pieces(end - reader.offset):
                    pass
                self.is_lost = reader.offset < end
        expected = member.checksum
        if member.flags & _STREAMED and not self.is_lost:
            expected = _descriptor(reader, is_long=member.is_long)
        if checksum != expected and not around.has_faults and not self._is_at_end():
            around.damage(DamagedError(f"{member.name}: checksum does not fit", reader.offset))

    def _pass_encrypted(self, member: _Member, end: int, around: DecompressionBudget) -> None:
        """Move to the end of a member that cannot be read."""
        reader = self._reader
        for _ in reader.pieces(end - reader.offset):
            pass
        self._budget.refuse(_UNREAD)
        if reader.offset < end:
            self.damage(around, DamagedError("zip archive is cut short", reader.offset))
        elif member.flags & _STREAMED:
            _descriptor(reader, is_long=member.is_long)

    def _pass_directory(self) -> None:
        """Skip the list of members, to the end of the archive; those that were not met are damage."""
        reader = self._reader
        hidden = 0
        while record := _RECORDS.get(reader.peek(4)):
            size, lengths = record
            head = reader.take(size)
            more = sum(int.from_bytes(head[at : at + width], "little") for at, width in lengths)
            end = reader.offset + more
            is_member = head.startswith(_LISTED)
            names = reader.take(more) if is_member else b""
            for _ in reader.pieces(end - reader.offset):
                pass
            if len(head) < size or reader.offset < end:
                raise DamagedError("zip archive is cut short", reader.offset)
            hidden += is_member and not self._is_met(head, names)
            if head.startswith(b"PK\5\6"):  # the last one
                if hidden and not self._budget.has_faults:
                    cause = f"{hidden} of its members cannot be read: they are not where its list says"
                    self._budget.damage(DamagedError(cause, reader.offset))
                self._base = reader.offset
                return
        left = len(reader.peek(4))
        if left < 4:
            raise DamagedError("zip archive is cut short", reader.offset + left)
        raise DamagedError("zip archive is corrupt", reader.offset)

    def _is_met(self, head: bytes, names: bytes) -> bool:
        """Return whether there was a local header at the offset that an entry of the list of members has."""
        *sizes, name_length, offset = struct.unpack_from("<LLH12xL", head, 20)
        if offset == _ZIP64:  # of a large archive, or one whose writer takes all to be large
            offset = _long(names[name_length:], 8 * sizes.count(_ZIP64))
        places = ((bisect_left(self._met, start), start) for start in (offset, self._base + offset))
        return any(at < len(self._met) and self._met[at] == start for at, start in places)


def _long(extra: bytes, start: int) -> int:
    """Return the number at ``start`` in the extra field of ZIP64 (section 4.5.3), 0 without one.

    That is the size of the compressed data, after that of the others, or the offset of the member after both.
    """
    at = 0
    while at + 4 <= len(extra):
        kind, length = struct.unpack_from("<HH", extra, at)
        if kind == 1 and length >= start + 8 and at + 12 + start <= len(extra):
            return int(struct.unpack_from("<Q", extra, at + 4 + start)[0])
        at += 4 + length
    return 0


def _decoded(member: _Member, reader: Reader, budget: DecompressionBudget) -> Iterator[bytes]:
    """Yield the content of a member, whose data begin here; raise `DamagedError` if it cannot be read."""
    end = reader.offset + (member.size or 0)

    def stored() -> Iterator[bytes]:
        yield from reader.pieces(end - reader.offset)
        if reader.offset < end:
            raise DamagedError("zip archive is cut short", reader.offset)

    if member.flags & _ENCRYPTED:
        raise DamagedError("is encrypted: unzip it first", reader.offset)
    if member.method == _DEFLATED:  # the end is marked in the data
        data = reader.pieces() if member.size is None else reader.pieces(member.size)
        yield from inflate(reader, data, budget, is_zip=True)
    elif member.size is None:
        raise DamagedError("has no length before its data: unzip it first", reader.offset)
    elif member.method == _STORED:
        yield from stored()
    elif member.method in _METHODS:
        yield from undo(_METHODS[member.method], stored(), budget)
    else:
        raise DamagedError(f"has method {member.method}: unzip it first", reader.offset)


def _descriptor(reader: Reader, *, is_long: bool) -> int:
    """Read the checksum and the sizes that follow data (section 4.3.9), and return the checksum."""
    signed = len(_DESCRIPTOR) if reader.peek(4) == _DESCRIPTOR else 0
    sizes = [signed + 4 + width for width in ((16, 8) if is_long else (8, 16))]
    known = (size for size in sizes if reader.peek(size + 4)[size:].startswith((ZIP, *_DIRECTORY)))
    return int.from_bytes(reader.take(next(known, sizes[0]))[signed : signed + 4], "little")
