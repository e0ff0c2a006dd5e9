"""Stretches of a file that are measured in any order give the shards of one process that reads it in turn."""

from __future__ import annotations

import gzip
import io
import random
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest
from test_jobs import mailbox, text, web_archive, whole
from test_sources_mbox import POSTMARK, with_length

from urlextract.errors import SourceError
from urlextract.pipeline.entry import read_items
from urlextract.pipeline.options import ExtractOptions
from urlextract.run import cutting
from urlextract.run.cutting import Cuts, Cutter
from urlextract.run.shards import Files, Shard, read_shard
from urlextract.run.stretches import Step, measure, shards_of
from urlextract.sources.folders.tree import EVERYTHING
from urlextract.sources.reading import read_source

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd


def planned(path: Path, size: int) -> list[Shard]:
    """Return the shards of a file, which are the same whoever has measured it."""

    def steps() -> Iterator[Step]:
        cuts = Cuts(size, size, size, 3, size)
        cutter = Cutter("auto", cuts, Files(), numbered=True, texts=True, placed=True, archives=True)
        return cutter.file(str(path), cutter.files.stamp(str(path)))

    shards = list(shards_of(steps(), Files()))
    assert [shard.is_last for shard in shards] == [False] * (len(shards) - 1) + [True]
    return shards


def check(path: Path, size: int) -> int:
    """All shards together give what the file holds, and its damage; say how many there are."""
    shards = planned(path, size)
    damage: list[SourceError] = []
    told: list[SourceError] = []
    found = (item for shard in shards for item in read_shard(shard, damage.append))
    items = read_source(path, on_damage=told.append)
    if path.suffix == ".txt":
        options = ExtractOptions()
        assert list(read_items(found, options)) == list(read_items(items, options))
    else:
        assert whole(found) == whole(items)
    assert [(each.cause, each.offset) for each in damage] == [(each.cause, each.offset) for each in told]
    return len(shards)


def members(archive: bytes, compress: Callable[[bytes], bytes]) -> bytes:
    """Compress an archive, with a member for each record whose version is its own."""
    records = archive.split(b"WARC/1.0\r\n")[1:]
    return b"".join(compress(b"WARC/1.0\r\n" + record) for record in records)


def lengths(chance: random.Random) -> bytes:
    """Messages that declare their lengths, some wrongly, and have others within them."""
    inner = POSTMARK + b"Subject: inner\n\nhttp://in.example/\n"
    bodies = (b"line\n" * chance.randrange(1, 400) + inner * chance.randrange(3) for _ in range(60))
    return b"".join(with_length(body, chance.choice([0, 0, 0, -5, 9_999])) for body in bodies)


def with_dictionary(archive: bytes, *, packed: bool = False) -> bytes:
    """Compress an archive by a dictionary, which is in its first frame, as the IIPC has it."""
    samples = archive.split(b"WARC/1.0\r\n") * 20
    dictionary = zstd.train_dict(samples, 2_000)
    content = zstd.compress(dictionary.dict_content) if packed else dictionary.dict_content
    frame = b"\x5d\x2a\x4d\x18" + len(content).to_bytes(4, "little") + content
    return frame + members(archive, partial(zstd.compress, zstd_dict=dictionary))


FILES: dict[str, Callable[[random.Random], bytes]] = {
    "box": lambda chance: mailbox(20_000, each=300, seed=chance.randrange(99)),
    "lengths": lengths,
    "a.warc": lambda chance: web_archive(chance, 60),
    "a.warc.gz": lambda chance: members(web_archive(chance, 60), gzip.compress),
    "a.warc.zst": lambda chance: members(web_archive(chance, 60), zstd.compress),
    "skipped.warc.zst": lambda chance: (
        b"\x50\x2a\x4d\x18\x03\0\0\0abc" + members(web_archive(chance, 60), zstd.compress)
    ),
    "dictionary.warc.zst": lambda chance: with_dictionary(web_archive(chance, 400)),
    "packed dictionary.warc.zst": lambda chance: with_dictionary(web_archive(chance, 400), packed=True),
    "stored.warc.gz": lambda chance: members(web_archive(chance, 60), lambda data: gzip.compress(data, 0)),
    "cut short.warc.gz": lambda chance: members(web_archive(chance, 60), gzip.compress)[:-50],
    "a.txt": lambda chance: text(300, seed=chance.randrange(99)),
    "carriage returns.txt": lambda chance: text(150) + b"one\rhttp://a.example/\r\n\n" + text(150, seed=2),
}


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("size", [60, 900, 5_000])
@pytest.mark.parametrize("seed", range(3))
def test_stretches_in_any_order(name: str, size: int, seed: int, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(FILES[name](random.Random(seed)))
    assert check(path, size) > 1


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


def test_a_fault_within_an_archive_is_told_once_and_where_it_is(tmp_path: Path) -> None:
    path = tmp_path / "a.warc.gz"
    data = bytearray(members(web_archive(random.Random(4), 60), gzip.compress))
    data[len(data) // 2 : len(data) // 2 + 40] = bytes(40)
    path.write_bytes(data)
    assert 1 < check(path, 900) < len(data) // 900


W = b"WARC/1.0\r\nContent-Length: 30\r\n\r\n" + b"x" * 30 + b"\r\n\r\n"
A, B = (b"From %b@b.example Mon Nov 14 09:12:44 1994\n" % name for name in (b"a", b"c"))
LONG_NAME = b"\x1f\x8b\x08\x08" + bytes(6) + b"n" * 600 + b"\0" + gzip.compress(W)[10:]
DECOY = gzip.compress(b"WARC/1.0\r\nContent-Length: 3\r\n\r\nsee\r\n\r\n", 0)
STORED = b"WARC/1.0\r\nContent-Length: %d\r\n\r\n%b\r\n\r\n" % (len(DECOY), DECOY)
SKIPPED = (zstd.compress(DECOY) * 9)[:100]


EDGES: dict[str, tuple[str, bytes]] = {
    "version in two members of gzip": (
        "a.warc.gz", gzip.compress(W[:5]) + gzip.compress(W[5:]) + gzip.compress(W)
    ),
    "version in two members of zstd": (
        "a.warc.zst", zstd.compress(W[:5]) + zstd.compress(W[5:]) + zstd.compress(W)
    ),
    "long name": ("a.warc.gz", LONG_NAME + gzip.compress(W) * 3),
    "archive in an archive": (
        "a.warc.gz", gzip.compress(STORED[:4], 0) + gzip.compress(STORED[4:], 0) + gzip.compress(W) * 3
    ),
    "archive in a frame that is skipped": (
        "a.warc.zst", b"\x50\x2a\x4d\x18\x64\0\0\0" + SKIPPED + zstd.compress(W) * 3
    ),
    "postmark after a postmark": ("box", A + B + b"\nhttp://a.example/\n"),
    "postmark at the end": ("box", A + b"Subject: x\n\nhttp://a.example/\n\n" + A),
    "version after a version": ("a.warc", W + b"WARC/1.0\r\n" + W),
    "version at the end": ("a.warc", W + W + b"WARC/1.0\r\n"),
    "blanks": ("box", b"\xef\xbb\xbf\n \n" + (A + b"Subject: x\n\nhttp://a.example/\n\n") * 3),
}  # fmt: skip


@pytest.mark.parametrize("edge", EDGES)
@pytest.mark.parametrize("size", [20, 50, 100])
def test_nothing_is_lost_at_an_edge(edge: str, size: int, tmp_path: Path) -> None:
    name, data = EDGES[edge]
    (tmp_path / name).write_bytes(data)
    check(tmp_path / name, size)


def test_a_large_dictionary_takes_time_in_proportion(tmp_path: Path) -> None:
    """It is passed over as a whole, and read once for a stretch, whatever looks like a member in it."""
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
    assert check(path, 500) > 4


@pytest.mark.parametrize("compress", [gzip.compress, zstd.compress], ids=["gzip", "zstd"])
def test_archives_of_one_member_are_one_shard(compress: Callable[[bytes], bytes], tmp_path: Path) -> None:
    path = tmp_path / "a.warc.gz"
    path.write_bytes(compress(web_archive(random.Random(1), 200)))
    assert check(path, 900) == 1


def test_what_is_made_to_look_like_members_costs_little(tmp_path: Path) -> None:
    """Each process would try to unpack each of them, and go on from it to the end of the file."""
    record = b"WARC/1.0\r\nWARC-Type: resource\r\nContent-Length: 900000000\r\n\r\n"
    decoy = gzip.compress(record, 0)
    data = b"WARC/1.0\r\nContent-Length: %d\r\n\r\n" % (len(decoy) * 20_000) + decoy * 20_000 + b"\r\n\r\n"
    path = tmp_path / "a.warc.gz"
    path.write_bytes(gzip.compress(data, 0) * 3)
    read = 0

    class Counted(io.FileIO):
        def read(self, size: int | None = -1) -> bytes:
            nonlocal read
            data = super().read(size)
            read += len(data)
            return data

    class CountedFiles(Files):
        def open(self, path: str) -> Counted:
            return Counted(path)

    cutter = Cutter("auto", Cuts(50_000, 50_000, 999, 3, 99), CountedFiles(),
                    numbered=True, texts=True, placed=True, archives=True)  # fmt: skip
    steps = [
        step for step in cutter.file(str(path), cutter.files.stamp(str(path))) if not isinstance(step, Shard)
    ]
    assert len(steps) == 100
    for step in steps[1:]:
        measure(step, CountedFiles())
    assert read < 6 * path.stat().st_size
    assert check(path, 50_000) == 3


def test_shards_grow_with_their_number(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those of small files, too, and those of one file."""
    monkeypatch.setattr(cutting, "_MANY", 3)
    cuts = Cuts(1_000, 1_000, 64, 4, 1 << 30, grows=True)
    for number in range(60):
        (tmp_path / f"{number:02}").write_text("http://a.example/\n")
    (tmp_path / "text").write_text("http://a.example/\n\n" * 1_000)
    kinds = {"numbered": False, "texts": True, "placed": False, "archives": False}
    folder = Cutter("auto", cuts, Files(), **kinds).directory(str(tmp_path), EVERYTHING)
    shards = [shard for shard in folder if isinstance(shard, Shard)]
    assert [len(shard.files) for shard in shards if shard.files] == [4, 4, 4, 8, 8, 8, 16, 8]
    # the first one begins at 0; the last one of the small files is not counted yet
    assert [round(shard.size, -3) for shard in shards if shard.start] == [4_000, 8_000, 3_000]

    text = str(tmp_path / "text")
    steps = Cutter("auto", cuts, Files(), **kinds).file(text, Files().stamp(text))
    sizes = [shard.size for shard in steps if isinstance(shard, Shard)]
    assert [round(size, -3) // 1_000 for size in sizes] == [1, 1, 1, 2, 2, 2, 4, 4, 2]
