"""Archives and compressed streams of every kind: nested, truncated, corrupted, and bombs (SPEC §8).

The expected content of a truncated stream is what its library returns when fed a byte at a time.
"""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import random
import struct
import sys
import tarfile
import tracemalloc
import zipfile
import zlib
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import pytest
from commands import outcome
from costs import LINEAR, growth
from hostile import PACKED
from packing import BOX, TEXT, tarred, undo
from sampled import mostly_slow
from slices import read_slices

from urlextract.errors import SourceError
from urlextract.records import RawMessage
from urlextract.sources import compress, sniff
from urlextract.sources.compress import tars
from urlextract.sources.reading import read_source
from urlextract.sources.streams import BLOCK, Place, Reader, in_blocks

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

Pack = Callable[[bytes], bytes]

SIZES = (1, 7, 65536)


class Item(NamedTuple):
    """What the tests compare of an item."""

    source: str
    number: int | None
    offset: int | None
    data: bytes


def read(data: bytes, size: int = BLOCK, form: str = "auto") -> tuple[list[Item], list[SourceError]]:
    """Read a stream that returns ``size`` bytes at a time."""
    found, damage = read_slices(data, size, form)
    return [
        Item(
            (origin.source or "").removeprefix("<stream>").lstrip("/"), origin.message, origin.offset, content
        )
        for origin, content in found
    ], damage


def read_file(path: Path, form: str) -> tuple[list[Item], list[SourceError]]:
    damage: list[SourceError] = []
    return [
        Item(
            item.provenance.source or "", item.provenance.message, item.provenance.offset,
            item.data if isinstance(item, RawMessage) else b"".join(item.chunks),
        )
        for item in read_source(path, form, on_damage=damage.append)
    ], damage  # fmt: skip


def contents(
    data: bytes, size: int = BLOCK, form: str = "auto"
) -> list[tuple[int | None, int | None, bytes]]:
    """Read without damage; return the items without their names."""
    items, damage = read(data, size, form)
    assert not damage
    return [item[1:] for item in items]


def members(data: bytes) -> dict[str, bytes]:
    """Read an archive without damage, in slices of each size; return its members by name."""
    items, damage = read(data)
    assert not damage
    assert all(read(data, size) == (items, []) for size in SIZES)
    return {item.source: item.data for item in items}


def with_damage(data: bytes) -> tuple[list[tuple[str, bytes]], SourceError]:
    """Read an archive in slices of each size; return names and content of its members, and what is told."""
    readings = [read(data, size) for size in SIZES]
    (items, (damage,)), *_ = readings
    assert all(found == items and len(told) == 1 for found, told in readings)
    return [(item.source, item.data) for item in items], damage


# how data is packed


def by_bzip2(data: bytes) -> bytes:
    """Pack in blocks of 100,000 bytes."""
    return bz2.compress(data, 1)


def by_zstd(data: bytes) -> bytes:
    """Pack with a checksum, as zstd(1) does."""
    return zstd.compress(data, options={zstd.CompressionParameter.checksum_flag: 1})


def zip_of(files: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED, *, is_long: bool = False) -> bytes:
    """Make an archive of members by their names."""
    file = io.BytesIO()
    write_zip(file, files, method, is_long)
    return file.getvalue()


def write_zip(file: Any, files: dict[str, bytes], method: int, is_long: bool) -> None:
    with zipfile.ZipFile(file, "w", method) as archive:
        for name, data in files.items():
            with archive.open(name, "w", force_zip64=is_long) as member:
                member.write(data)


def zipped(method: int = zipfile.ZIP_DEFLATED, **files: bytes) -> bytes:
    """Make an archive of members by their names; a "_" in them is a dot."""
    return zip_of({name.replace("_", "."): data for name, data in files.items()}, method)


def by_zip(data: bytes) -> bytes:
    return zipped(box_mbox=data)


GZIP = pytest.param(gzip.compress, id="gzip")
BZIP2 = pytest.param(by_bzip2, id="bzip2")
XZ = pytest.param(lzma.compress, id="xz")
ZSTD = pytest.param(by_zstd, id="zstd")
ZIP = pytest.param(by_zip, id="zip")

BEGINNERS: dict[Pack, tuple[Callable[[], Any], int, type[Exception]]] = {
    # the library's decompressor, the length of the magic, what it raises
    gzip.compress: (partial(zlib.decompressobj, 31), 2, zlib.error),
    by_bzip2: (bz2.BZ2Decompressor, 10, OSError),
    lzma.compress: (lzma.LZMADecompressor, 6, lzma.LZMAError),
    by_zstd: (zstd.ZstdDecompressor, 4, zstd.ZstdError),
}


# whole streams


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("inner", [GZIP, BZIP2, XZ, ZSTD, ZIP])
@pytest.mark.parametrize("outer", [GZIP, BZIP2, XZ, ZSTD, ZIP])
def test_nested_compression_has_the_items_of_the_mailbox(outer: Pack, inner: Pack, size: int) -> None:
    """Messages, numbers and offsets."""
    assert contents(outer(inner(BOX)), size) == contents(BOX)


@pytest.mark.parametrize("form", ["text", "message", "mbox"])
@pytest.mark.parametrize("pack", [GZIP, BZIP2, XZ, ZSTD, ZIP])
def test_requested_form_applies_to_the_content(pack: Pack, form: str) -> None:
    assert contents(pack(BOX), form=form) == contents(BOX, form=form)
    assert contents(pack(TEXT), form=form) == contents(TEXT, form=form)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("padding", [b"", bytes(8), bytes(700)])  # as on tapes, and as xz(1) allows
@pytest.mark.parametrize("pack", [GZIP, BZIP2, XZ, ZSTD])
def test_consecutive_members_and_padding_are_one_stream(pack: Pack, padding: bytes, size: int) -> None:
    data = pack(b"one ") + padding + pack(b"two ") + pack(b"") + pack(b"3") + padding
    assert undo(data, size) == (b"one two 3", [])


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("junk", [b"junk", b"\x1f", b"\0\0junk", b"\x1fx"])
@pytest.mark.parametrize("pack", [GZIP, BZIP2, XZ, ZSTD])
def test_junk_after_the_stream_is_damage(pack: Pack, junk: bytes, size: int) -> None:
    packed = pack(TEXT)
    data, (damage,) = undo(packed + junk, size)
    assert data == TEXT
    assert damage.offset == len(packed) + len(junk) - len(junk.lstrip(b"\0"))
    assert "junk" in damage.cause


def test_skippable_zstandard_frame_is_skipped() -> None:
    """RFC 8878, section 3.1.2."""
    skipped = b"\x5a\x2a\x4d\x18" + struct.pack("<L", 9) + b"skip this"
    for size in SIZES:
        data, damage = undo(skipped + by_zstd(b"one ") + skipped + by_zstd(b"two") + skipped, size)
        assert (data, damage) == (b"one two", [])


@pytest.mark.parametrize(
    "text", [b"\x1f", b"\x1fx", b"BZh", b"BZh91AY&S", b"\xfd7zX", b"\x28\xb5\x2f", b"BZh6 is a level"]
)
def test_text_that_begins_like_a_magic_number_is_text(text: bytes) -> None:
    for size in SIZES:
        assert undo(text, size) == (text, [])


@pytest.mark.parametrize("pack", [GZIP, BZIP2, XZ, ZSTD])
def test_large_output_comes_in_bounded_blocks(pack: Pack) -> None:
    chance = random.Random(1)
    data = chance.randbytes(300_000) + chance.randbytes(200_000).hex().encode() + bytes(3_000_000)
    blocks = list(
        compress.decompress(iter([pack(data)]), compress.DecompressionBudget(Place("x", pytest.fail)))
    )
    assert b"".join(blocks) == data
    assert min(map(len, blocks)) > 0
    assert max(map(len, blocks)) <= BLOCK


# damage


@pytest.mark.parametrize("pack", [GZIP, BZIP2, XZ, ZSTD])
def test_truncation_at_every_byte_yields_all_data_before(pack: Pack) -> None:
    """As much as the library returns; the damage is at the end of the file."""
    begin, least, _ = BEGINNERS[pack]
    packed = pack(TEXT)
    for length in range(least, len(packed)):
        library = begin()
        known = b"".join(library.decompress(packed[at : at + 1]) for at in range(length))
        for size in SIZES:
            data, (damage,) = undo(packed[:length], size)
            assert data == known
            assert (damage.offset, "cut short" in damage.cause) == (length, True)


@pytest.mark.parametrize("inner", [GZIP, BZIP2, XZ, ZSTD, ZIP])
@pytest.mark.parametrize("outer", [GZIP, BZIP2, XZ, ZSTD])
def test_truncated_nested_stream_is_one_damage(outer: Pack, inner: Pack) -> None:
    """The inner stream is truncated too, but for the same reason."""
    packed = outer(inner(BOX))
    whole = contents(BOX)
    for length in range(40, len(packed), 29):
        items, damage = read(packed[:length])
        assert [(error.offset, "cut short" in error.cause) for error in damage] == [(length, True)]
        assert [item[1:] for item in items[:-1]] == whole[: max(0, len(items) - 1)]


@pytest.mark.parametrize("pack", [BZIP2, XZ, ZSTD])
def test_corruption_at_every_byte_is_one_damage(pack: Pack) -> None:
    """The data before it are those that the library returns."""
    begin, least, fault = BEGINNERS[pack]
    packed = pack(TEXT)
    for at in range(least, len(packed)):
        broken = packed[:at] + bytes([packed[at] ^ 0xFF]) + packed[at + 1 :]
        library, known = begin(), b""
        try:
            for byte in range(len(broken)):
                known += library.decompress(broken[byte : byte + 1])
        except (fault, EOFError):
            pass
        data, damage = undo(broken, 1)
        assert data == known
        assert len(damage) == 1
        assert undo(broken)[1]


@pytest.mark.parametrize("size", [1000, BLOCK])
@pytest.mark.parametrize("pack", [GZIP, BZIP2, XZ, ZSTD])
def test_blocks_before_a_damaged_one_are_yielded(pack: Pack, size: int) -> None:
    data = random.Random(3).randbytes(200_000).hex().encode()
    packed = pack(data)
    at = len(packed) * 9 // 10
    given, (damage,) = undo(packed[:at] + bytes([packed[at] ^ 0xFF]) + packed[at + 1 :], size)
    assert given[: len(data) // 2] == data[: len(data) // 2]
    assert damage.offset is not None
    assert at - BLOCK < damage.offset <= len(packed)


@pytest.mark.parametrize("pack", [GZIP, BZIP2, XZ, ZSTD])
def test_first_member_is_yielded_if_the_second_is_damaged(pack: Pack) -> None:
    first, second = pack(BOX), pack(BOX)
    items, (damage,) = read(first + second[:-9])
    assert [item[1:] for item in items][:39] == contents(BOX)[:39]
    assert damage.offset == len(first + second) - 9


# bombs


@pytest.fixture
def small_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compress, "BOMB_FLOOR", 1_000_000)
    monkeypatch.setattr(compress, "BOMB_RATIO", 100)


@pytest.mark.parametrize("pack", [GZIP, BZIP2, XZ, ZSTD, ZIP])
def test_bomb_is_stopped_soon_after_the_limit(pack: Pack, small_limits: None) -> None:
    items, (damage,) = read(pack(b"a" * 8_000_000))
    assert 1_000_000 <= sum(len(item.data) for item in items) <= 1_000_000 + 8 * BLOCK
    assert "bomb" in damage.cause
    assert damage.offset is not None


@pytest.mark.parametrize("inner", [GZIP, BZIP2, XZ, ZSTD, ZIP])
@pytest.mark.parametrize("outer", [GZIP, BZIP2, XZ, ZSTD, ZIP])
def test_bomb_of_two_layers_is_stopped(outer: Pack, inner: Pack, small_limits: None) -> None:
    """The bytes that were really read count, not those that the inner layer takes."""
    lines = b"".join(b"%d " % n + b"a" * 10_000 + b"\n" for n in range(300))
    packed = outer(inner(lines))
    items, damage = read(packed)
    limit = max(1_000_000, 100 * len(packed))
    assert sum(len(item.data) for item in items) <= limit + 3 * BLOCK
    assert len(lines) <= limit or any("bomb" in error.cause for error in damage)


@pytest.mark.parametrize("pack", [GZIP, BZIP2, XZ, ZSTD, ZIP])
def test_data_within_the_size_or_the_ratio_are_no_bomb(pack: Pack, monkeypatch: pytest.MonkeyPatch) -> None:
    assert contents(pack(b"a" * 3_000_000)) == [(None, None, b"a" * 3_000_000)]
    monkeypatch.setattr(compress, "BOMB_FLOOR", 100_000)
    data = random.Random(4).randbytes(400_000).hex().encode()
    assert contents(pack(data)) == [(None, None, data)]


def test_bomb_of_archives_in_an_archive_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    """Many archives of many members, each within the compress, as in 42.zip."""
    monkeypatch.setattr(compress, "BOMB_FLOOR", 1_000_000)
    inner = zipped(**{f"m{n}": b"a" * 900_000 for n in range(20)})
    outer = zipped(**{f"z{n}_zip": inner for n in range(10)})
    items, damage = read(outer)
    given = sum(len(item.data) for item in items)
    assert len(outer) * compress.BOMB_RATIO < 200 * 900_000  # it is a bomb
    assert given <= compress.BOMB_RATIO * len(outer) + 1_000_000 + 3 * BLOCK
    assert any("bomb" in error.cause for error in damage)


# zip archives


METHODS = [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2]


class Unseekable(io.RawIOBase):
    """A pipe: the sizes of a member are written after it."""

    def __init__(self) -> None:
        self.written = bytearray()

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        self.written += data
        return len(data)


def streamed(files: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED, *, is_long: bool = False) -> bytes:
    """Make an archive as a program that writes to a pipe does."""
    pipe = Unseekable()
    write_zip(pipe, files, method, is_long)
    return bytes(pipe.written)


@pytest.mark.parametrize("is_long", [False, True])  # sizes of 64 bits
@pytest.mark.parametrize("method", METHODS)
def test_zip_member_is_read_by_each_method(method: int, is_long: bool) -> None:
    files = {"a.txt": TEXT, "empty": b"", "b/c.txt": b"- PK\3\4 see http://x/ PK\1\2\n" * 9, "z": b"z"}
    archive = zip_of(files, method, is_long=is_long)
    assert members(archive) == {name: data for name, data in files.items() if data}


@pytest.mark.parametrize("is_long", [False, True])
def test_zip_from_a_pipe_is_read(is_long: bool) -> None:
    """Data descriptors after the members, with their signature or without (APPNOTE 4.3.9.3)."""
    files = {"a.txt": TEXT, ".hidden": TEXT, "b.txt": b"two\n", "c.txt": BOX[:-1].replace(b"From ", b"X ")}
    archive = streamed(files, is_long=is_long)
    assert members(archive) == files
    unsigned = archive[: archive.index(b"PK\1\2")].replace(b"PK\7\x08", b"")
    assert members(unsigned + b"PK\5\6" + bytes(18)) == files


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_BZIP2])
def test_zip_from_a_pipe_needs_its_list_where_members_have_no_end(method: int) -> None:
    """Without it the end of the data is not known, and is not guessed."""
    packed = streamed({"a.txt": TEXT, "b.txt": TEXT}, method)
    assert members(packed) == {"a.txt": TEXT, "b.txt": TEXT}
    items, (damage,) = read(packed[: packed.index(b"PK\1\2")])
    assert items == []
    assert damage.cause == "a.txt: has no length before its data: unzip it first"
    assert damage.offset == 30 + len("a.txt")


def patched(archive: bytes, name: bytes, at: int, value: int) -> bytes:
    """Change a field of two bytes that a member has in its header and, two bytes further on, in the list."""
    header, entry = archive.index(name) - 30, archive.rindex(name) - 46
    assert (archive[header : header + 4], archive[entry : entry + 4]) == (b"PK\3\4", b"PK\1\2")
    data = bytearray(archive)
    data[header + at : header + at + 2] = data[entry + at + 2 : entry + at + 4] = struct.pack("<H", value)
    return bytes(data)


@pytest.mark.parametrize(("method", "pack"), [(93, by_zstd), (95, lzma.compress)])
def test_zip_member_in_zstandard_or_xz_is_read(method: int, pack: Pack) -> None:
    """APPNOTE 4.4.5; checksum and size are those of the text."""
    archive = bytearray(
        patched(zipped(zipfile.ZIP_STORED, a_txt=pack(TEXT), b_txt=TEXT), b"a.txt", 8, method)
    )
    struct.pack_into("<L", archive, archive.index(b"PK\1\2") + 16, zlib.crc32(TEXT))
    assert members(bytes(archive)) == {"a.txt": TEXT, "b.txt": TEXT}


@pytest.mark.parametrize(("method", "at", "value", "told"), [
    *((method, 6, 1, "encrypted members of a zip") for method in METHODS),
    *((zipfile.ZIP_DEFLATED, 8, number, f"members of a zip archive in method {number}")
      for number in (1, 9, 14, 98)),
])  # fmt: skip
def test_member_that_cannot_be_read_is_told_and_skipped(method: int, at: int, value: int, told: str) -> None:
    archive = patched(zipped(method, a_txt=b"one", b_txt=TEXT, c_txt=b"two"), b"b.txt", at, value)
    found, damage = with_damage(archive)
    assert found == [("a.txt", b"one"), ("c.txt", b"two")]
    assert damage.cause.startswith(told)
    assert damage.cause.endswith(": unzip it first")


def test_members_that_cannot_be_read_are_told_once_a_kind_beside_a_fault() -> None:
    archive = zipped(zipfile.ZIP_STORED, a_txt=b"a", b_txt=b"b", c_txt=b"c", d_txt=TEXT, e_txt=b"e")
    for name, at, value in ((b"a.txt", 6, 1), (b"b.txt", 8, 9), (b"c.txt", 8, 14), (b"e.txt", 6, 1)):
        archive = patched(archive, name, at, value)
    items, damage = read(archive.replace(TEXT, b"x" + TEXT[1:]))
    assert [item.data for item in items] == [b"x" + TEXT[1:]]
    assert [error.cause for error in damage] == [
        "d.txt: checksum does not fit",
        "encrypted members of a zip archive cannot be read: unzip it first",
        "members of a zip archive in method 9 cannot be read: unzip it first",
    ]


def test_zip_that_was_to_be_split_is_read() -> None:
    """APPNOTE 8.5.4: one piece was enough."""
    assert members(b"PK00" + zipped(a_txt=TEXT)) == {"a.txt": TEXT}


def test_folders_hold_nothing() -> None:
    """Hidden members are read, and metadata of macOS that are text."""
    names = [".hidden", "folder/.x", ".git/config", "__MACOSX/a.txt", "a/__MACOSX", "b.txt"]
    assert list(members(zip_of({"folder/": b"", **dict.fromkeys(names, TEXT)}))) == names


def test_binary_member_is_skipped() -> None:
    """Like a binary file of a directory."""
    archive = zipped(zipfile.ZIP_STORED, a_png=b"\x89PNG\r\n\x1a\n\0\0\0http://x/", b_txt=TEXT)
    assert members(archive) == {"b.txt": TEXT}


def test_form_of_a_member_is_detected_by_content() -> None:
    """A member whose name is a number is a message, as in a directory."""
    plain = b"no head\n"
    files = {"m.eml": b"Subject: a\n\nhi\n", "news/7": plain, "n": plain, "x.mbox": BOX}
    items, damage = read(zip_of(files))
    assert not damage
    assert [item[:2] for item in items[:4]] == [("m.eml", 1), ("news/7", 1), ("n", None), ("x.mbox", 1)]
    assert [item[1:] for item in items[3:]] == contents(BOX)


def test_compressed_member_is_decompressed() -> None:
    archive = zipped(a_gz=gzip.compress(TEXT), b_zip=zipped(c_xz=lzma.compress(TEXT), d=TEXT), e=b"e")
    assert members(archive) == {"a.gz": TEXT, "b.zip/c.xz": TEXT, "b.zip/d": TEXT, "e": b"e"}


@pytest.mark.parametrize("pack", [GZIP, ZIP])
def test_nesting_is_read_up_to_4_times(pack: Pack) -> None:
    data = BOX
    for _ in range(4):
        data = pack(data)
        assert contents(data) == contents(BOX)
    items, (damage,) = read(pack(data))
    assert items == []
    assert "more than 4" in damage.cause


def test_member_of_an_archive_file_has_a_path(tmp_path: Path) -> None:
    path = tmp_path / "group.mbox.zip"
    path.write_bytes(zip_of({"Übersicht/Liste.mbox": BOX}))
    items = list(read_source(path, on_damage=pytest.fail))
    assert [item.provenance.source for item in items] == [f"{path}/Übersicht/Liste.mbox"] * 40


def test_junk_after_the_list_of_a_zip_and_its_missing_end_are_damage() -> None:
    """All members are yielded."""
    archive = zipped(a_txt=TEXT, b_txt=b"two")
    assert members(archive + bytes(700)) == {"a.txt": TEXT, "b.txt": b"two"}
    found, damage = with_damage(archive + b"a comment http://y/")
    assert found == [("a.txt", TEXT), ("b.txt", b"two")]
    assert (damage.offset, "junk" in damage.cause) == (len(archive), True)
    for length in range(archive.index(b"PK\1\2") + 4, len(archive)):
        items, (damage,) = read(archive[:length])
        assert [item.data for item in items] == [TEXT, b"two"]
        assert (damage.offset, "cut short" in damage.cause) == (length, True)


@pytest.mark.parametrize("mode", ["w", "w:gz", "w:bz2", "w:xz"])
@pytest.mark.parametrize("size", [7, BLOCK])
def test_tar_members_are_read_like_files(mode: str, size: int) -> None:
    """Like the files of a directory; hidden ones, too."""
    files = {"a.mbox": BOX, ".hidden": TEXT, "b.gz": gzip.compress(TEXT), "c.png": b"\x89PNG\0\0"}
    archive = tarred(files, mode)
    items, damage = read(archive, size)
    assert not damage
    assert [item[1:] for item in items[:40]] == contents(BOX)
    assert {item.source: item.data for item in items[40:]} == {".hidden": TEXT, "b.gz": TEXT}


@pytest.mark.parametrize("pack", [zipped, lambda **files: streamed(files)], ids=["file", "pipe"])
def test_zip_truncated_at_every_byte_yields_the_data_before(pack: Callable[..., bytes]) -> None:
    """Whole members, and the beginning of the last; the damage is at the end of the file."""
    files = {"a": TEXT, "b": TEXT[::-1], "c": b"see http://c.example/\n" * 30}
    packed = pack(**files)
    for length in range(4, packed.index(b"PK\1\2") + 1):
        items, damage = read(packed[:length])
        assert [(error.offset, "cut short" in error.cause) for error in damage] == [(length, True)], length
        assert all(files[item.source].startswith(item.data) for item in items)
        assert [item.data for item in items[:-1]] == list(files.values())[: max(0, len(items) - 1)]
    assert [item.data for item in items] == list(files.values())


@pytest.mark.parametrize("inner", [GZIP, BZIP2, XZ, ZSTD, ZIP])
def test_truncated_compressed_member_is_one_damage(inner: Pack) -> None:
    """The archive and its member end too early for the same reason."""
    packed = zipped(zipfile.ZIP_STORED, a_mbox=inner(BOX))
    for length in range(60, len(packed) - 150, 17):
        _, damage = read(packed[:length])
        assert len(damage) == 1, [str(error) for error in damage]


@pytest.mark.parametrize("method", METHODS)
def test_corrupted_member_does_not_stop_the_others(method: int) -> None:
    """A member that does not fit its checksum is damage (APPNOTE 4.4.7)."""
    packed = zipped(method, a_txt=b"one", b_txt=TEXT, c_txt=b"two")
    start = packed.index(b"b.txt") + len("b.txt")
    end = packed.index(b"PK\3\4", start)
    for at in range(start, end, 3):
        items, damage = read(packed[:at] + bytes([packed[at] ^ 0x10]) + packed[at + 1 :])
        named = {item.source: item.data for item in items}
        assert (named["a.txt"], named["c.txt"]) == (b"one", b"two")
        assert len(damage) == 1, at
        assert "b.txt" in damage[0].cause


def test_member_that_is_not_where_the_list_says_is_found_by_its_header() -> None:
    """The list counts offsets from its own place, so those before bytes that came later are wrong."""
    packed = zipped(a_txt=TEXT, b_txt=TEXT[:60])
    at = packed.index(b"PK\3\4", 4)
    found, damage = with_damage(packed[:at] + b"junk" + packed[at:])
    assert found == [("a.txt", TEXT), ("b.txt", TEXT[:60])]
    assert (damage.cause, damage.offset) == ("a.txt: is not where the list of the members says", 4)


@pytest.mark.parametrize("behind", [b"", zipped(d_txt=b"d")], ids=["no list", "a list"])
@pytest.mark.parametrize("number", [0, 1])
def test_damaged_header_of_a_zip_hides_no_member_behind_it(number: int, behind: bytes) -> None:
    """Its name claims to go on behind the end."""
    data = bytearray(zipped(a_txt=TEXT, b_txt=TEXT[:60], c_txt=b"c"))
    del data[data.index(b"PK\1\2") :]
    at = (0, data.index(b"PK\3\4", 4))[number]
    data[at + 26 : at + 28] = b"\xff\xff"
    found, damage = with_damage(bytes(data) + behind)
    whole = [("a.txt", TEXT), ("b.txt", TEXT[:60]), ("c.txt", b"c")]
    del whole[number]
    assert found == whole + [("d.txt", b"d")] * bool(behind)
    assert (damage.cause, damage.offset) == ("the header of a member is damaged", at)


def test_damaged_data_of_a_streamed_member_hide_no_member_behind_it() -> None:
    data = bytearray(streamed({"a.txt": TEXT, "b.txt": TEXT[:60], "c.txt": b"c"}))
    del data[data.index(b"PK\1\2") :]
    data[30 + len("a.txt")] = 0xFF  # a type of block that is none (RFC 1951, section 3.2.3)
    found, damage = with_damage(bytes(data))
    assert found == [("b.txt", TEXT[:60]), ("c.txt", b"c")]
    assert damage.cause.startswith("a.txt: zip data cannot be read")


@pytest.mark.parametrize("comment", [b"", b"PK\5\6", b"PK\5\6" + bytes(30)])
def test_signs_in_the_list_and_the_comment_of_a_zip_are_none(comment: bytes) -> None:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        head = zipfile.ZipInfo("a.txt")
        head.comment = archive.comment = b"PK\3\4 and PK\3\4" + bytes(26) + b"http://false.example/"
        archive.comment += comment
        archive.writestr(head, TEXT)
    assert members(stream.getvalue()) == {"a.txt": TEXT}


@pytest.mark.parametrize("name", [name for name in PACKED if name.startswith(("tar", "zip,"))])
@pytest.mark.parametrize("words", mostly_slow([[], ["-j"], ["-J", "2"], ["-j", "-J", "2"]]), ids=" ".join)
def test_hostile_archive_stops_no_other_input(name: str, words: list[str], tmp_path: Path) -> None:
    """Whatever the library raises becomes one line about that archive."""
    (tmp_path / "1.txt").write_bytes(b"http://a.example/1\n")
    (tmp_path / "2.tar").write_bytes(PACKED[name](1_000_000))
    (tmp_path / "3.txt").write_bytes(b"http://a.example/3\n")
    status, out, errors = outcome(*words, "1.txt", "2.tar", "3.txt", cwd=tmp_path)
    said = errors.splitlines()
    assert len(said) <= 1 + ("sparse members" in errors)  # which are refused, beside a fault
    assert all(line.startswith("urlextract: 2.tar") for line in said)
    assert status == (2 if said else 0)
    lines = out.splitlines()
    assert "http://a.example/1" in lines[0]
    assert "http://a.example/3" in lines[-1]


def test_archives_that_are_too_deep_are_told_once() -> None:
    """However many there are; what lies beside them is read."""
    archive = TEXT
    for _ in range(6):
        archive = zip_of({"a.txt": TEXT, "b.zip": archive, "c.zip": archive})
    found, damage = with_damage(archive)
    assert [data for _, data in found] == [TEXT] * (1 + 2 + 4 + 8)
    assert damage.cause == "archives in archives, more than 4 deep, cannot be read: unpack it first"


@pytest.mark.parametrize("kind", [tarfile.GNU_FORMAT, tarfile.PAX_FORMAT, tarfile.USTAR_FORMAT])
def test_corrupted_tar_is_at_most_one_damage(kind: int) -> None:
    """No change of up to three bytes of its headers raises."""
    length = 90 if kind == tarfile.USTAR_FORMAT else 120
    data = tarred({f"{number}/{'n' * length}": TEXT for number in range(3)}, kind=kind)
    source = random.Random(3)
    for _ in range(400):
        broken = bytearray(data)
        for _ in range(source.randrange(1, 4)):
            broken[source.randrange(len(data) // 512) * 512 + source.randrange(160)] = source.randrange(256)
        _, damage = read(bytes(broken))
        assert len(damage) <= 1


def test_damaged_member_of_a_tar_does_not_stop_the_others() -> None:
    whole = gzip.compress(TEXT)
    files = {"a.txt": TEXT, "b.gz": whole[:-20], "c.txt": TEXT, "d.gz": whole, "e.gz": b"\x1f\x8bxx"}
    items, damage = read(tarred(files))
    assert [item.source.rpartition("/")[2] for item in items] == ["a.txt", "b.gz", "c.txt", "d.gz"]
    assert [item.data for item in items if item.source.endswith(("a.txt", "c.txt", "d.gz"))] == [TEXT] * 3
    assert len(damage) == 2


def test_tar_counts_once_towards_the_bomb_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    data = tarred({"log": b"http://a.example/\n" * 40_000})
    packed = gzip.compress(data)
    monkeypatch.setattr(compress, "BOMB_FLOOR", len(data) + 1_000)
    items, damage = read(packed)
    assert not damage
    assert len(items[0].data) == 18 * 40_000


def with_field(header: bytes, at: int, value: bytes) -> bytes:
    """Change a field of a header of tar, and its checksum with it."""
    changed = header[:at] + value + header[at + len(value) :]
    total = sum(changed[:148]) + sum(changed[156:512]) + 8 * ord(" ")
    return changed[:148] + b"%06o\0 " % total + changed[156:]


def pad(data: bytes) -> bytes:
    """Add zeros up to the end of the block of tar."""
    return data + bytes(-len(data) % 512)


def pax(records: bytes, kind: bytes = tarfile.XHDTYPE) -> bytes:
    """Make a pax header of some records."""
    header = tarfile.TarInfo("pax")
    header.type, header.size = kind, len(records)
    return header.tobuf(tarfile.USTAR_FORMAT) + pad(records)


def pax_record(keyword: bytes, value: bytes) -> bytes:
    """Make a record of a pax header: its length includes that of the number."""
    rest = b" %s=%s\n" % (keyword, value)
    length = next(n for n in range(len(rest), len(rest) + 9) if n == len(rest) + len(str(n)))
    return b"%d%s" % (length, rest)


MIDDLE = pad(tarred({"b.txt": b"see http://b.example/\n" * 40})[:-1024].rstrip(b"\0"))
SENSELESS = {
    "negative": with_field(MIDDLE, 124, b"\xff" * 8 + b"\xff\xff\xfc\0"),
    "negative by one block": with_field(MIDDLE, 124, b"\xff" * 10 + b"\xfe\0"),
    "huge": with_field(MIDDLE, 124, b"\x80" + b"\x7f" * 11),
    "2^60": with_field(MIDDLE, 124, b"\x80\0\0\0" + struct.pack(">Q", 1 << 60)),
    "signed": with_field(MIDDLE, 124, b"-0000001000\0"),
    "in parts": with_field(MIDDLE, 124, b"0000 001000\0"),
    "blank": with_field(MIDDLE, 124, b" " * 12),
    "no number": with_field(MIDDLE, 124, b"99999999999\0"),
    "letters": with_field(MIDDLE, 124, b"0x000001000\0"),
    "checksum": MIDDLE[:148] + b"0000000\0" + MIDDLE[156:],
    "pax negative": pax(pax_record(b"size", b"-1000")) + MIDDLE,
    "pax negative by its header": pax(pax_record(b"size", b"-1536")) + MIDDLE,
    "pax huge": pax(pax_record(b"size", b"9" * 30)) + MIDDLE,
    "pax no number": pax(pax_record(b"size", b"abc")) + MIDDLE,
    "pax without digits": pax(pax_record(b"size", b"")) + MIDDLE,
    "pax of endless keywords": pax(b"5 aaa" * 12_000 + b"=\n") + MIDDLE,
    "pax with a false length": pax(b"99 path=x\n") + MIDDLE,
    "pax before a false header": pax(pax_record(b"path", b"x")) + b"x" * 512,
    "long name without end": with_field(
        with_field(MIDDLE, 156, tarfile.GNUTYPE_LONGNAME), 124, b"77777777777\0"
    ),
    "sparse, stored negative": with_field(with_field(MIDDLE, 156, b"S"), 124, b"\xff" * 11 + b"\0"),
    "junk": b"x" * 1_000 + bytes(24),
}  # fmt: skip


@pytest.mark.parametrize("name", SENSELESS)
def test_senseless_header_of_a_tar_is_told_and_hides_nothing(name: str) -> None:
    """The library ends at some silently, and goes back or on by the size of others."""
    head, tail = tarred({"a.txt": TEXT})[: 512 + len(TEXT)], tarred({"c.txt": TEXT})
    found, damage = with_damage(pad(head) + SENSELESS[name] + tail)
    assert {("a.txt", TEXT), ("c.txt", TEXT)} <= set(found)
    assert "tar archive is corrupt" in damage.cause
    assert (damage.offset or 0) >= 512 + len(TEXT)


@pytest.mark.parametrize("kind", [tarfile.GNU_FORMAT, tarfile.PAX_FORMAT])
def test_tar_cut_off_anywhere_is_told(kind: int) -> None:
    """Before its end, which two blocks of zeros mark; one of them is enough (GNU tar)."""
    text = (b"see http://a.example/\n" * 40)[:700]
    data = tarred({"a" * 150: text, "b": text}, kind=kind)
    end = len(data.rstrip(b"\0")) // 512 * 512 + 512
    for length in [*range(512, end, 97), *range(512, end + 1, 512)]:
        _, (damage,) = read(data[:length])
        assert (damage.cause, damage.offset) == ("tar archive is cut short", length)
    assert len(contents(data[: end + 512])) == len(contents(data)) == 2
    ((_, begun),), _ = with_damage(tarred({"b.txt": TEXT * 99}, kind=kind)[:2000])
    assert begun == (TEXT * 99)[: len(begun)]
    assert len(begun) > 2000 - 512 - 256


@pytest.mark.parametrize("pack", [tarred, zip_of])
def test_consecutive_archives_are_both_read(pack: Callable[[dict[str, bytes]], bytes]) -> None:
    """As made by ``cat``; the last list of a zip names only the second. Other data behind are told."""
    assert members(pack({"a.txt": TEXT}) + pack({"b.txt": TEXT})) == {"a.txt": TEXT, "b.txt": TEXT}
    found, damage = with_damage(pack({"a.txt": TEXT}) + b"junk http://b.example/")
    assert found == [("a.txt", TEXT)]
    assert "corrupt" in damage.cause or "junk" in damage.cause


NAMES = [
    "../../etc/a", "/etc/a", "./.hidden", ".mail/inbox", "a/../b", "a\\..\\b", "C:\\a", "//a", "a//b",
    ".", "..", "__MACOSX/a.txt", "._a.txt",
]  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_member_is_read_whatever_its_name(name: str) -> None:
    """Nothing is written, so no name can harm; none hides a member."""
    placeholder = "Q" * len(name)
    packed = zip_of({placeholder: TEXT}, zipfile.ZIP_STORED).replace(placeholder.encode(), name.encode())
    for data in (tarred({name: TEXT, "z": TEXT}), packed):
        items, damage = read(data)
        assert not damage
        assert [item.data for item in items] == [TEXT] * data.count(TEXT)


@pytest.mark.parametrize("kind", [b"Z", b"M", b"7", b"D"])
def test_tar_member_of_an_unknown_type_is_read(kind: bytes) -> None:
    """POSIX.1-2017, pax, "ustar Interchange Format": as a regular file."""
    data = tarred({"a.txt": TEXT})
    assert members(with_field(data, 156, kind)) == {"a.txt": TEXT}


def test_links_and_devices_in_a_tar_hold_nothing() -> None:
    data = tarred({"empty": b""})
    for kind in (tarfile.LNKTYPE, tarfile.SYMTYPE, tarfile.DIRTYPE, tarfile.CHRTYPE, tarfile.FIFOTYPE):
        member = tarfile.TarInfo(f"x{ord(kind)}")
        member.type, member.linkname = kind, "/etc/passwd"
        data = member.tobuf() + data
    assert members(data) == {}


BODY = b"see http://b.example/ once"
NEGATIVE = b"\xff" * 10 + b"\xfe\0"  # -512 in base 256
HIDDEN = tarred({"false": b"see http://false.example/"})[:1024]  # in a member, so it is no header


def of_pax(kind: bytes = tarfile.XHDTYPE, /, data: bytes = BODY, **records: bytes) -> bytes:
    """Make a member "a" after a pax header; "_" in the keywords stands for "."."""
    lines = [pax_record(keyword.replace("_", ".").encode(), value) for keyword, value in records.items()]
    return pax(b"".join(lines), kind) + tarred({"a": data})[: 512 + len(data) + -len(data) % 512]


def sparse(extensions: int = 0) -> bytes:
    """Make a sparse member in the old format of GNU tar, whose map of holes goes on in more blocks."""
    header = tarfile.TarInfo("a")
    header.type, header.size = tarfile.GNUTYPE_SPARSE, len(HIDDEN)
    maps = [HIDDEN[:504] + bytes((number < extensions,)) + bytes(7) for number in range(1, extensions + 1)]
    block = with_field(header.tobuf(tarfile.GNU_FORMAT), 482, bytes((extensions > 0,)))
    return block + b"".join(maps) + HIDDEN


SPARSE = {
    "old": sparse(),
    "old, of three blocks": sparse(2),
    "pax 0.0": of_pax(data=HIDDEN, GNU_sparse_size=b"26", GNU_sparse_offset=b"0", GNU_sparse_numbytes=b"5"),
    "pax 0.1": of_pax(data=HIDDEN, GNU_sparse_map=b"0,5", GNU_sparse_size=b"26"),
    "pax 1.0": of_pax(data=HIDDEN, GNU_sparse_major=b"1", GNU_sparse_name=b"a", path=b"GNUSparseFile.0/a"),
}


@pytest.mark.parametrize("name", SPARSE)
def test_sparse_members_of_a_tar_are_refused(name: str) -> None:
    """Its holes would join what does not belong together; the members around it are read."""
    head = pad(tarred({"0.txt": TEXT})[: 512 + len(TEXT)])
    found, damage = with_damage(head + SPARSE[name] + tarred({"c.txt": TEXT}))
    assert found == [("0.txt", TEXT), ("c.txt", TEXT)]
    assert damage.cause == "sparse members of a tar archive cannot be read: unpack it with 'tar -x'"
    assert str(with_damage(SPARSE[name] * 3 + bytes(512))[1]) == str(damage)


MISFITS = {
    "size that is too small": of_pax(size=b"5"),
    "size that goes on": of_pax(size=b"600"),
    "size without digits": of_pax(size=b""),
    "global size that goes on": of_pax(tarfile.XGLTYPE, size=b"600"),
    "global size of 0": of_pax(tarfile.XGLTYPE, size=b"0"),
    "global size in another base": of_pax(tarfile.XGLTYPE, size=b"0x1e"),
}


@pytest.mark.parametrize("name", MISFITS)
def test_size_of_pax_that_is_not_that_of_the_header_is_told(name: str) -> None:
    """What the header says is read, and so is what follows."""
    head = pad(tarred({"0.txt": TEXT})[: 512 + len(TEXT)])
    found, damage = with_damage(head + MISFITS[name] + tarred({"c.txt": BODY}))
    assert found == [("0.txt", TEXT), ("a", BODY), ("c.txt", BODY)]
    assert damage.cause == "tar archive is corrupt (its size is not that in its pax header)"


@pytest.mark.parametrize("claim", [b"00000000000\0", b"77777777777\0"])
def test_size_of_pax_counts_where_the_header_has_none(claim: bytes) -> None:
    """Of a member of 8 GiB and more."""
    member = with_field(tarred({"a": BODY})[:512], 124, claim)
    assert members(pax(pax_record(b"size", b"26")) + member + pad(BODY) + tarred({"c.txt": TEXT})) == {
        "a": BODY, "c.txt": TEXT,
    }  # fmt: skip


def test_many_digits_in_a_record_of_pax_are_no_fault() -> None:
    assert members(pax(pax_record(b"comment", b"9" * 5000)) + tarred({"a": BODY})) == {"a": BODY}


@pytest.mark.parametrize("kind", [tarfile.XGLTYPE, tarfile.XHDTYPE])
def test_records_of_pax_that_are_not_used_cost_no_memory(kind: bytes) -> None:
    data = b"".join(pax(pax_record(b"k%d" % number, bytes(120_000)), kind) for number in range(60))
    blocks = in_blocks(data + tarred({"a": BODY}))
    tracemalloc.start()
    try:
        budget = compress.DecompressionBudget(Place("x", pytest.fail))
        assert [b"".join(content) for content, _ in tars.members(blocks, budget)] == [BODY]
        assert tracemalloc.get_traced_memory()[1] < 3_000_000
    finally:
        tracemalloc.stop()


def test_records_of_pax_are_not_read_for_each_member() -> None:
    def make(size: int) -> bytes:
        keys = range(size // 2)
        records = (
            b"".join(pax_record(b"k%d" % key, b"") for key in keys[at : at + 5000]) for at in keys[::5000]
        )
        return b"".join(pax(each, tarfile.XGLTYPE) for each in records) + tarred({"a": b""})[:512] * (
            size // 256
        )

    assert growth(read, make, 20_000, 80_000) < LINEAR


@pytest.mark.parametrize("size", [NEGATIVE, b"\x80\0\0\0\0\2".ljust(12, b"\0"), b"00002000000\0"])
@pytest.mark.parametrize("kind", [b"L", b"K", b"x", b"g", b"X"])
@pytest.mark.parametrize("before", [b"", pax(pax_record(b"path", b"p"))])
def test_header_of_a_senseless_size_before_a_member_of_a_tar_hides_nothing(
    before: bytes, kind: bytes, size: bytes
) -> None:
    """The library goes back by a negative size, and calls the next header by it."""
    files = {f"{number}.txt": b"see http://%d.example/" % number for number in range(3)}
    header = with_field(with_field(tarfile.TarInfo("x").tobuf(), 156, kind), 124, size)
    items, (damage,) = read(before + header + tarred(files))
    assert {item.source: item.data for item in items} == files
    assert "tar archive is corrupt" in damage.cause


@pytest.mark.parametrize("kind", [tarfile.GNUTYPE_LONGNAME, tarfile.GNUTYPE_LONGLINK])
def test_long_name_of_a_tar_hides_no_data_behind_its_end(kind: bytes) -> None:
    """It ends at the first NUL, and more of these are padding."""
    for behind, is_told in ((b"\0" * 99, False), (b"\0\0see http://b.example/", True)):
        name = b"n" * 120 + behind
        header = with_field(tarfile.TarInfo("x").tobuf(), 156, kind)
        data = with_field(header, 124, b"%011o\0" % len(name)) + pad(name) + tarred({"c.txt": TEXT})
        items, damage = read(data)
        assert [item.data for item in items] == [TEXT]
        assert ["long name is invalid" in error.cause for error in damage] == [True] * is_told


def test_members_of_a_zip_that_overlap_are_all_read() -> None:
    """The header of a member claims what holds the next one, but the list has both as they are."""
    data = bytearray(zipped(zipfile.ZIP_STORED, a_txt=TEXT, b_txt=TEXT[:40], c_txt=TEXT[:60]))
    third = data.index(b"PK\3\4", data.index(b"PK\3\4", 4) + 4)
    whole = data[30 + len("a.txt") : third]
    struct.pack_into("<LLL", data, 14, zlib.crc32(whole), len(whole), len(whole))
    assert members(bytes(data)) == {"a.txt": TEXT, "b.txt": TEXT[:40], "c.txt": TEXT[:60]}


def test_members_that_share_their_data_count_each_time(small_limits: None) -> None:
    """The list of a bomb without nesting has one member again and again."""
    data = bytearray(zipped(**{f"{number:03}": b"a" * 50_000 for number in range(300)}))
    entry = data.index(b"PK\1\2")
    while (entry := data.find(b"PK\1\2", entry + 4)) >= 0:
        struct.pack_into("<L", data, entry + 42, 0)
    items, (damage,) = read(bytes(data))
    assert 1_000_000 < sum(len(item.data) for item in items) < max(1_000_000, 100 * len(data)) + 2 * BLOCK
    assert "bomb" in damage.cause


@pytest.mark.parametrize("is_long", [False, True])
def test_list_of_a_zip_may_name_a_member_that_is_not_there(is_long: bool) -> None:
    """The member that is there is read, too."""
    data = bytearray(zipped(a_txt=TEXT, b_txt=TEXT[:60]))
    entry = data.index(b"PK\1\2", data.index(b"PK\1\2") + 4)
    if is_long:  # the offset is in an extra field of 64 bits
        extra = struct.pack("<HHL4x", 1, 8, int.from_bytes(data[entry + 42 : entry + 46], "little"))
        data[entry + 42 : entry + 46] = b"\xff" * 4
        data[entry + 30] = len(extra)
        data[entry + 51 : entry + 51] = extra
        data[-10] += len(extra)  # the size of the list
        assert members(bytes(data)) == {"a.txt": TEXT, "b.txt": TEXT[:60]}
        data[entry + 55] ^= 1
    else:
        data[entry + 42] ^= 1
    found, damage = with_damage(bytes(data))
    assert found == [("a.txt", TEXT), ("b.txt", TEXT[:60])]
    assert damage.cause == "b.txt: is not where the list of the members says"


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("is_listed", [True, False])
def test_zip_member_shorter_than_is_said_is_told(method: int, is_listed: bool) -> None:
    """Where the list says so, or the headers, if that is all there is."""
    data = bytearray(zipped(method, a_txt=TEXT, b_txt=TEXT, c_txt=TEXT))
    entry, second = data.index(b"PK\1\2"), data.index(b"PK\3\4", 4)
    size = data.index(b"PK\3\4", second + 4) - 30 - len("a.txt")
    struct.pack_into("<L", data, entry + 20 if is_listed else 18, size)
    items, (damage,) = read(bytes(data) if is_listed else bytes(data[:entry]))
    assert items[0].data.startswith(TEXT)
    assert items[-1][-1] == TEXT
    assert "a.txt" in damage.cause


@pytest.mark.parametrize("size", [0, 3, 0x7FFFFFFF, 0xFFFFFFFE, 0xFFFFFFFF])
@pytest.mark.parametrize("method", METHODS)
def test_senseless_size_in_the_header_of_a_zip_member_is_harmless(method: int, size: int) -> None:
    """With the list nothing is lost; without it that is told."""
    data = bytearray(zipped(method, a_txt=TEXT, b_txt=TEXT))
    struct.pack_into("<L", data, 18, size)
    assert members(bytes(data)) == {"a.txt": TEXT, "b.txt": TEXT}
    _, damage = read(bytes(data[: data.index(b"PK\1\2")]))
    assert len(damage) == 1


def test_zip_members_of_the_same_name_are_all_read() -> None:
    archive = zipped(a_txt=TEXT, b_txt=TEXT[:60]).replace(b"b.txt", b"a.txt")
    items, damage = read(archive)
    assert [(item.source, item.data) for item in items] == [("a.txt", TEXT), ("a.txt", TEXT[:60])]
    assert not damage


# a new type of archive: a module and a row, here one whose members follow a line with name and size


def made_up(**files: bytes) -> bytes:
    return b"!<made up>\n" + b"".join(
        b"%s %d\n" % (name.replace("_", ".").encode(), len(data)) + data for name, data in files.items()
    )


def made_up_members(
    blocks: Iterator[bytes], budget: compress.DecompressionBudget
) -> Iterator[tuple[Iterator[bytes], compress.DecompressionBudget]]:
    reader = Reader(blocks)
    reader.line()
    while line := reader.line():
        name, size = line.split()
        yield reader.pieces(int(size)), budget.within(name.decode())


@pytest.fixture
def made_up_row(monkeypatch: pytest.MonkeyPatch) -> None:
    module = ModuleType("made_up")
    monkeypatch.setattr(module, "members", made_up_members, raising=False)
    monkeypatch.setitem(sys.modules, "urlextract.sources.compress.made_up", module)
    row = sniff.Format(
        "made up", "compress.made_up:members", (sniff.magic(b"!<made up>\n"),), is_archive=True
    )
    monkeypatch.setitem(sniff.FORMATS, row.name, row)


def by_made_up(data: bytes) -> bytes:
    return made_up(box_mbox=data)


def by_tar(data: bytes) -> bytes:
    return tarred({"box.mbox": data})


TYPES = [ZIP, pytest.param(by_tar, id="tar"), pytest.param(by_made_up, id="made up")]


@pytest.mark.usefixtures("made_up_row")
@pytest.mark.parametrize("size", [1, 7, 300, BLOCK])
@pytest.mark.parametrize("form", ["auto", "text", "message", "mbox"])
@pytest.mark.parametrize("pack", TYPES)
def test_archive_of_any_type_is_opened_in_any_form_from_a_pipe(pack: Pack, form: str, size: int) -> None:
    assert contents(pack(BOX), size, form) == contents(BOX, form=form)
    assert contents(gzip.compress(pack(BOX)), size, form) == contents(BOX, form=form)


@pytest.mark.usefixtures("made_up_row")
@pytest.mark.parametrize("form", ["auto", "text", "message", "mbox"])
@pytest.mark.parametrize("pack", TYPES)
def test_archive_of_any_type_is_opened_where_it_is_a_file(pack: Pack, form: str, tmp_path: Path) -> None:
    """Named, and in a directory."""
    path = tmp_path / "packed"
    path.write_bytes(pack(BOX))
    inside = tmp_path / "inside"
    inside.write_bytes(BOX)
    expected, _ = read_file(inside, form)
    inside.unlink()
    for source in (path, tmp_path):
        items, damage = read_file(source, form)
        assert items == [item._replace(source=f"{path}/box.mbox") for item in expected]
        assert not damage


@pytest.mark.usefixtures("made_up_row")
@pytest.mark.parametrize("form", ["auto", "text", "message", "mbox"])
@pytest.mark.parametrize("inner", TYPES)
@pytest.mark.parametrize("outer", TYPES)
def test_archive_of_any_type_is_opened_in_any_other(outer: Pack, inner: Pack, form: str) -> None:
    assert contents(outer(inner(BOX)), form=form) == contents(BOX, form=form)
