"""Tar archives read as streams, header by header; the standard library reads the fields of each.

What is no header is damage, and reading goes on at the next one: nothing that a header claims hides others.
"""

from __future__ import annotations

import tarfile
from collections.abc import Iterator

from urlextract.grammar.patterns import lazy_re
from urlextract.sources.compress import LIBRARY_FAULTS, DamagedError, DecompressionBudget
from urlextract.sources.streams import Origin, Reader

_LARGEST = 1 << 50  # bytes of a member: what claims more is damaged
_LONGEST = 128 * 1024  # bytes of a long name, or of the records of pax: names, times, access lists
_NAMES = (tarfile.GNUTYPE_LONGNAME, tarfile.GNUTYPE_LONGLINK)
_RECORDS = (tarfile.XHDTYPE, tarfile.SOLARIS_XHDTYPE, tarfile.XGLTYPE)
_EMPTY = (b"1", b"2", b"3", b"4", b"5", b"6")  # links, devices and folders hold nothing, whatever they claim
_LENGTH = lazy_re(rb"([1-9][0-9]{0,6}) (?!=)")  # pax(1): "%d %s=%s\n", <length>, <keyword>, <value>
_SIZE = lazy_re(rb"[0-9]{1,15}")
_BEYOND = (0, 0o77777777777)  # what a header has of a size that is too large for it, which pax gives
_USED = (b"path", b"size")  # keywords of pax; no others are kept
_SPARSE = b"GNU.sparse."  # begins others, and stands for them

Fields = dict[bytes, bytes]


def members(
    blocks: Iterator[bytes], budget: DecompressionBudget
) -> Iterator[tuple[Iterator[bytes], DecompressionBudget]]:
    """Yield each file of an archive: its blocks, to be read in order, and its budget, which has its origin.

    Their names are labels and nothing is written, so all are read: hidden ones, and those that lead out.
    """
    reader = Reader(blocks)
    for header, fields, start in _headers(reader, budget):
        size = 0 if header.type in _EMPTY else header.size
        if size != header.size or b"size" not in fields:
            pass
        elif _SIZE.fullmatch(fields[b"size"]) and size in (*_BEYOND, int(fields[b"size"])):
            size = int(fields[b"size"])
        else:
            budget.damage(_corrupt("its size is not that in its pax header", start))
        end = reader.offset + size + -size % tarfile.BLOCKSIZE
        path = fields.get(b"path")
        name = path.decode("utf-8", "surrogateescape") if path else header.name
        member = budget.within(name.removeprefix("./"))
        if header.type == tarfile.GNUTYPE_SPARSE or _SPARSE in fields:
            budget.refuse("sparse", "sparse members of a tar archive cannot be read: unpack it with 'tar -x'")
        elif size:
            yield _content(reader, size, member, budget.origin), member
        for _ in reader.pieces(end - reader.offset):
            pass


def _headers(reader: Reader, budget: DecompressionBudget) -> Iterator[tuple[tarfile.TarInfo, Fields, int]]:
    """Yield the header of each member, what pax or GNU tar say of it beside, and the offset of the header."""
    fields: Fields = {}  # of the next member
    common: Fields = {}  # of all that follow
    is_ended = False  # zeros end an archive; another one may follow (``cat a.tar b.tar``)
    while block := reader.take(tarfile.BLOCKSIZE):
        start = reader.offset - len(block)
        if not block.strip(b"\0"):
            is_ended = True
            continue
        if len(block) < tarfile.BLOCKSIZE and not is_ended:
            break
        budget.weigh(0, start, members=1)
        try:
            header = tarfile.TarInfo.frombuf(block, tarfile.ENCODING, "surrogateescape")
            is_about_next = header.type in _NAMES + _RECORDS
            if not 0 <= header.size <= (_LONGEST if is_about_next else _LARGEST):
                raise tarfile.HeaderError("its size is senseless")
            is_ended = False
            if is_about_next:
                data = reader.take(header.size)
                reader.take(-header.size % tarfile.BLOCKSIZE)
                if len(data) < header.size:
                    break
                (common if header.type == tarfile.XGLTYPE else fields).update(_fields(header.type, data))
                continue
        except (tarfile.TarError, *LIBRARY_FAULTS) as error:
            is_ours = type(error) is tarfile.HeaderError  # those of the library are subclasses
            budget.damage(_corrupt(error if is_ours else "a header cannot be read", start))
            fields = {}
            continue
        more = block[482:483] if header.type == tarfile.GNUTYPE_SPARSE else b""
        while more.strip(b"\0"):  # its map of holes goes on
            more = reader.take(tarfile.BLOCKSIZE)[504:505]
        yield header, common | fields, start
        fields = {}
    if not is_ended and not budget.has_faults:
        budget.damage(_cut_short(reader))


def _fields(kind: bytes, data: bytes) -> Fields:
    """Return what is used of a pax header, or the name that is in one of GNU tar; raise `HeaderError`."""
    if kind in _NAMES:
        name = data.rstrip(b"\0")
        if b"\0" in name:
            raise tarfile.HeaderError("its pax header or long name is invalid")
        return {b"path": name} if kind == tarfile.GNUTYPE_LONGNAME else {}
    fields: Fields = {}
    at = 0
    while length := _LENGTH.match(data, at):
        end = at + int(length[1])
        keyword, equals, value = data[length.end() : end - 1].partition(b"=")
        if not equals or data[end - 1 : end] != b"\n":
            break
        if keyword in _USED or keyword.startswith(_SPARSE):
            fields[keyword if keyword in _USED else _SPARSE] = value
        at = end
    if at < len(data):
        raise tarfile.HeaderError("its pax header or long name is invalid")
    return fields


def _content(reader: Reader, size: int, member: DecompressionBudget, origin: Origin) -> Iterator[bytes]:
    """Yield the content of a member, which begins here."""
    end = reader.offset + size
    yield from reader.pieces(size)
    if reader.offset < end:
        member.damage(_cut_short(reader), origin)


def _corrupt(error: object, offset: int) -> DamagedError:
    return DamagedError(f"tar archive is corrupt ({error})", offset)


def _cut_short(reader: Reader) -> DamagedError:
    return DamagedError("tar archive is cut short", reader.offset)
