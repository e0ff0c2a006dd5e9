"""Gzip around any source: all data before an error are yielded, and the error is reported (SPEC §8)."""

from __future__ import annotations

import gzip
import lzma
import random
import sys
import zlib
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from packing import TEXT, undo
from test_jobs import web_archive, whole

from urlextract.errors import SourceError
from urlextract.sources.compress import layer_of
from urlextract.sources.reading import read_source

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd


def salvage(packed: bytes) -> bytes:
    """Return what zlib inflates in the smallest steps until it fails."""
    inflater = zlib.decompressobj(31)
    found = b""
    try:
        for at in range(len(packed)):
            tail = packed[at : at + 1]
            while byte := inflater.decompress(tail, 1):
                tail = inflater.unconsumed_tail
                found += byte
    except zlib.error:
        pass
    return found


def test_corruption_at_every_byte_is_damage() -> None:
    packed = gzip.compress(TEXT)
    for at in range(2, len(packed)):
        broken = packed[:at] + bytes([packed[at] ^ 0xFF]) + packed[at + 1 :]
        data, damage = undo(broken)
        assert data.startswith(salvage(broken))
        assert damage or at in range(4, 10)  # time, flags and system are not checked
        if at >= len(packed) - 8:  # the checksum, or the size
            assert data == TEXT
            assert len(packed) - 8 <= (damage[0].offset or 0) < len(packed)
        assert undo(broken, 1)[0] == data
        again = undo(broken, 1)[1]
        assert [error.cause for error in again] == [error.cause for error in damage]
        assert all(abs((a.offset or 0) - (b.offset or 0)) <= 1 for a, b in zip(again, damage, strict=True))


def test_all_before_a_fault_in_xz_is_read() -> None:
    """But for a step of compressed bytes, wherever a block of what it gives ends."""
    packed = lzma.compress(b"".join(b"http://a.example/%d\n" % (number**3) for number in range(20_000)))
    for at in range(2_000, len(packed) - 1_000, 500):
        broken = packed[:at] + bytes(40) + packed[at + 40 :]
        found, inflater = b"", lzma.LZMADecompressor()
        with suppress(lzma.LZMAError):
            for start in range(0, len(broken), 1024):
                found += inflater.decompress(broken[start : start + 1024])
        assert undo(broken)[0].startswith(found)


@given(st.binary(max_size=300), st.integers(1, 50))
def test_any_slicing_has_the_same_data(data: bytes, size: int) -> None:
    packed = gzip.compress(data)
    assert undo(packed, size) == (data, []) or layer_of(data)
    assert undo(b"\x1f\x8b" + data, size)[0] == undo(b"\x1f\x8b" + data)[0]


@pytest.mark.parametrize("size", [65_536, 4_096])
def test_members_that_each_fill_many_blocks(size: int) -> None:
    """Where one ends, the next has been fed to it in part."""
    data = b"see http://a.example/1 and more\n" * 60_000
    found, damage = undo(3 * gzip.compress(data), size)
    assert (found == 3 * data, damage) == (True, [])


# web archives in Zstandard, which may begin with a dictionary


def members(archive: bytes, compress: Callable[[bytes], bytes]) -> bytes:
    """Compress an archive, with a member for each record whose version is its own."""
    records = archive.split(b"WARC/1.0\r\n")[1:]
    return b"".join(compress(b"WARC/1.0\r\n" + record) for record in records)


def with_dictionary(archive: bytes, *, packed: bool = False, more: bytes = b"") -> bytes:
    """Compress an archive by a dictionary, which is in its first frame, as the IIPC has it."""
    known = zstd.train_dict(archive.split(b"WARC/1.0\r\n") * 20, 2_000).dict_content + more
    content = zstd.compress(known) if packed else known
    frame = b"\x5d\x2a\x4d\x18" + len(content).to_bytes(4, "little") + content
    dictionary = zstd.ZstdDict(known, is_raw=False)
    return frame + members(archive, partial(zstd.compress, zstd_dict=dictionary))


@pytest.mark.parametrize("packed", [False, True])
def test_a_dictionary_at_the_beginning_is_for_all_members(packed: bool, tmp_path: Path) -> None:
    archive = web_archive(random.Random(1), 60)
    (tmp_path / "a.warc").write_bytes(archive)
    (tmp_path / "a.warc.zst").write_bytes(with_dictionary(archive, packed=packed))
    found = read_source(tmp_path / "a.warc.zst", on_damage=pytest.fail)
    assert whole(found) == whole(read_source(tmp_path / "a.warc", on_damage=pytest.fail))


@pytest.mark.parametrize("content", [
    b"", b"x" * 99, b"\x37\xa4\x30\xec" + b"x" * 99, b"\x28\xb5\x2f\xfdx",
], ids=["empty", "text", "damaged", "damaged frame"])  # fmt: skip
def test_a_dictionary_that_is_none_is_damage(content: bytes, tmp_path: Path) -> None:
    data = with_dictionary(web_archive(random.Random(1), 9))
    size = int.from_bytes(data[4:8], "little")
    path = tmp_path / "a.warc.zst"
    path.write_bytes(data[:4] + len(content).to_bytes(4, "little") + content + data[8 + size :])
    damage: list[SourceError] = []
    assert list(read_source(path, on_damage=damage.append)) == []
    assert len(damage) == 1
    assert "ictionary" in str(damage[0])


def test_a_large_dictionary_takes_time_in_proportion(tmp_path: Path) -> None:
    """It is read once, however many frames follow."""
    path = tmp_path / "a.warc.zst"
    path.write_bytes(with_dictionary(web_archive(random.Random(1), 40), more=bytes(3 << 20)))
    fed = 0
    original = zstd.ZstdDecompressor

    class Counted:
        def __init__(self, *arguments: object) -> None:
            self.inner = original(*arguments)

        def __getattr__(self, name: str) -> object:
            return getattr(self.inner, name)

        def decompress(self, data: bytes, *limit: int) -> bytes:
            nonlocal fed
            fed += len(data)
            return self.inner.decompress(data, *limit)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("urlextract.sources.compress.decoders.ZstdDecompressor", Counted)
        assert len(whole(read_source(path, on_damage=pytest.fail))) > 30
    assert fed < 1 << 20
