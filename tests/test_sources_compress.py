"""Gzip around any source: all data before an error are yielded, and the error is reported (SPEC §8)."""

from __future__ import annotations

import gzip
import io
import random
import zlib
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from packing import BOX, TEXT, undo
from slices import read_slices

from urlextract.sources import compress
from urlextract.sources.compress import layer_of
from urlextract.sources.reading import read_source
from urlextract.sources.streams import BLOCK

if TYPE_CHECKING:
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
