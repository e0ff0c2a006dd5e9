"""Gzip around any source: all data before an error are yielded, and the error is reported (SPEC §8)."""

from __future__ import annotations

import gzip
import io
import random
import sys
import zlib
from functools import partial
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from packing import BOX, TEXT, undo
from slices import read_slices
from test_jobs import web_archive, whole

from urlextract.sources import compress
from urlextract.sources.compress import layer_of
from urlextract.sources.reading import read_source
from urlextract.sources.streams import BLOCK

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from urlextract.errors import SourceError


def read(data: bytes, form: str = "auto") -> tuple[list[bytes], list[SourceError]]:
    items, damage = read_slices(data, BLOCK, form)
    return [content for _, content in items], damage


@pytest.mark.parametrize("form", ["auto", "text", "message", "mbox"])
def test_gzip_around_any_form_is_read(form: str) -> None:
    assert read(gzip.compress(BOX), form) == read(BOX, form)
    assert read(gzip.compress(TEXT), form) == read(TEXT, form)


def test_offset_counts_decompressed_bytes() -> None:
    offsets = [item.origin.offset for item in read_source(io.BytesIO(BOX), on_damage=pytest.fail)]
    packed = read_source(io.BytesIO(gzip.compress(BOX)), on_damage=pytest.fail)
    assert [item.origin.offset for item in packed] == offsets


@pytest.mark.parametrize("depth", range(1, 5))
def test_gzip_within_gzip_is_read(depth: int) -> None:
    data = BOX
    for _ in range(depth):
        data = gzip.compress(data)
    assert read(data) == read(BOX)


def test_gzip_nested_more_than_4_times_is_damage() -> None:
    data = BOX
    for _ in range(5):
        data = gzip.compress(data)
    items, (damage,) = read(data)
    assert items == []
    assert "more than 4 times" in damage.cause


@pytest.mark.parametrize("size", [1, 2, 3, 10, BLOCK])
@pytest.mark.parametrize("padding", [b"", b"\0", b"\0" * 700])
def test_consecutive_members_and_padding_are_one_stream(padding: bytes, size: int) -> None:
    data = (
        gzip.compress(b"one ") + padding + gzip.compress(b"two ") + gzip.compress(b"") + gzip.compress(b"3")
    )
    assert undo(data + padding, size) == (b"one two 3", [])


@pytest.mark.parametrize("size", [1, 7, BLOCK])
@pytest.mark.parametrize("junk", [b"junk", b"\x1f", b"\0\0junk", b"\x1fx"])
def test_junk_after_the_last_member_is_damage(junk: bytes, size: int) -> None:
    packed = gzip.compress(TEXT)
    data, (damage,) = undo(packed + junk, size)
    assert data == TEXT
    assert damage.offset == len(packed) + len(junk) - len(junk.lstrip(b"\0"))
    assert "junk" in damage.cause


def longest_prefix(packed: bytes) -> bytes:
    """Return what zlib inflates byte by byte: the most that a truncated file holds."""
    inflater = zlib.decompressobj(31)
    return b"".join(inflater.decompress(packed[at : at + 1]) for at in range(len(packed))) + inflater.flush()


def test_truncation_at_every_byte_yields_all_data_before() -> None:
    """The damage is at the end of the file."""
    packed = gzip.compress(TEXT)
    for length in range(2, len(packed)):
        for size in (1, BLOCK):
            data, (damage,) = undo(packed[:length], size)
            assert data == longest_prefix(packed[:length])
            assert damage.offset == length
            assert damage.cause == "gzip data is cut short"


def test_messages_before_a_truncation_are_yielded() -> None:
    packed = gzip.compress(BOX)
    items, (damage,) = read(packed[: len(packed) // 2])
    whole, _ = read(BOX)
    assert items[:-1] == whole[: len(items) - 1]
    assert len(items) > 5
    assert damage.offset == len(packed) // 2


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
        assert undo(broken, 1)[0] == data
        assert [(d.offset, d.cause) for d in undo(broken, 1)[1]] == [(d.offset, d.cause) for d in damage]


def test_wrong_checksum_is_damage_after_all_data() -> None:
    packed = gzip.compress(TEXT)
    data, (damage,) = undo(packed[:-8] + bytes(8))
    assert data == TEXT
    assert damage.offset is not None
    assert len(packed) - 8 <= damage.offset < len(packed)


def test_first_member_is_yielded_if_the_second_is_damaged() -> None:
    first = gzip.compress(b"one ")
    second = gzip.compress(random.Random(1).randbytes(1000))
    data, (damage,) = undo(first + second[:-20])
    assert data.startswith(b"one ")
    assert len(data) > 900
    assert damage.offset == len(first + second) - 20


@given(st.binary(max_size=300), st.integers(1, 50))
def test_any_slicing_has_the_same_data(data: bytes, size: int) -> None:
    packed = gzip.compress(data)
    assert undo(packed, size) == (data, []) or layer_of(data)
    assert undo(b"\x1f\x8b" + data, size)[0] == undo(b"\x1f\x8b" + data)[0]


def test_bomb_of_two_layers_is_stopped_soon_after_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compress, "BOMB_FLOOR", 1_000_000)
    bomb = gzip.compress(gzip.compress(bytes(40_000_000)))
    data, (damage,) = undo(bomb)
    assert 1_000_000 <= len(data) <= 1_000_000 + 2 * BLOCK
    assert "bomb" in damage.cause


def test_bomb_of_one_layer_is_stopped_soon_after_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compress, "BOMB_RATIO", 500)
    monkeypatch.setattr(compress, "BOMB_FLOOR", 1_000_000)
    data, (damage,) = undo(gzip.compress(bytes(40_000_000)))
    assert len(data) < 40_000_000
    assert "bomb" in damage.cause


def test_highly_compressible_data_are_not_a_bomb() -> None:
    assert undo(gzip.compress(bytes(40_000_000))) == (bytes(40_000_000), [])


def test_gzip_file_may_have_any_name(tmp_path: Path) -> None:
    path = tmp_path / "mail"
    path.write_bytes(gzip.compress(BOX))
    items = list(read_source(path, on_damage=pytest.fail))
    assert len(items) == 40
    assert {item.origin.source for item in items} == {str(path)}


def test_first_byte_of_the_magic_number_alone_is_text() -> None:
    assert read(b"\x1fx") == ([b"\x1fx"], [])
    assert read(b"\x1f") == ([b"\x1f"], [])


# web archives in Zstandard, which may begin with a dictionary


def members(archive: bytes, compress: Callable[[bytes], bytes]) -> bytes:
    """Compress an archive, with a member for each record whose version is its own."""
    records = archive.split(b"WARC/1.0\r\n")[1:]
    return b"".join(compress(b"WARC/1.0\r\n" + record) for record in records)


def with_dictionary(archive: bytes, *, packed: bool = False) -> bytes:
    """Compress an archive by a dictionary, which is in its first frame, as the IIPC has it."""
    samples = archive.split(b"WARC/1.0\r\n") * 20
    dictionary = zstd.train_dict(samples, 2_000)
    content = zstd.compress(dictionary.dict_content) if packed else dictionary.dict_content
    frame = b"\x5d\x2a\x4d\x18" + len(content).to_bytes(4, "little") + content
    return frame + members(archive, partial(zstd.compress, zstd_dict=dictionary))


@pytest.mark.parametrize("packed", [False, True])
def test_a_dictionary_at_the_beginning_is_for_all_members(packed: bool, tmp_path: Path) -> None:
    archive = web_archive(random.Random(1), 60)
    (tmp_path / "a.warc").write_bytes(archive)
    (tmp_path / "a.warc.zst").write_bytes(with_dictionary(archive, packed=packed))
    found = read_source(tmp_path / "a.warc.zst", on_damage=pytest.fail)
    assert whole(found) == whole(read_source(tmp_path / "a.warc", on_damage=pytest.fail))


@pytest.mark.parametrize(
    "content",
    [b"", b"x" * 99, b"\x37\xa4\x30\xec" + b"x" * 99, b"\x28\xb5\x2f\xfdx"],
    ids=["empty", "text", "damaged", "damaged frame"],
)
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
    archive = web_archive(random.Random(1), 40)
    dictionary = zstd.train_dict(archive.split(b"WARC/1.0\r\n") * 20, 2_000)
    content = dictionary.dict_content + bytes(3 << 20)
    frame = b"\x5d\x2a\x4d\x18" + len(content).to_bytes(4, "little") + content
    path = tmp_path / "a.warc.zst"
    path.write_bytes(
        frame + members(archive, partial(zstd.compress, zstd_dict=zstd.ZstdDict(content, is_raw=False)))
    )
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
