"""The shards of a file that is read once for them, which together have what the file holds."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest
from sampled import mostly_slow
from scans import urls_only
from test_jobs import mailbox, text, web_archive, whole
from test_sources_mbox import POSTMARK, with_length

from urlextract.pipeline.entry import read_items
from urlextract.pipeline.options import ExtractOptions
from urlextract.run import cutting
from urlextract.run.cutting import Cuts, Cutter
from urlextract.run.shards import Files, read_shard
from urlextract.sources.folders.tree import EVERYTHING
from urlextract.sources.reading import read_source


def check(path: Path, size: int) -> int:
    """All shards together give what the file holds; say how many there are.

    Numbers and places are those in the file if they are counted.
    """
    cuts, files, options = Cuts(size, size, size, 3, size), Files(), ExtractOptions()
    for is_counted in (True, False):
        kinds = {"numbered": is_counted, "placed": is_counted, "texts": True, "archives": True}
        shards = list(Cutter("auto", cuts, files, **kinds).file(str(path), files.stamp(str(path))))
        assert [shard.is_last for shard in shards] == [False] * (len(shards) - 1) + [True]
        found = (item for shard in shards for item in read_shard(shard, pytest.fail))
        items = read_source(path, on_damage=pytest.fail)
        if path.suffix != ".txt":
            first = 0 if is_counted or path.suffix == ".warc" else 1  # the first is the number
            assert [each[first:] for each in whole(found)] == [each[first:] for each in whole(items)]
        elif is_counted:
            assert list(read_items(found, options)) == list(read_items(items, options))
        else:
            urls = (urls_only(read_shard(shard, pytest.fail)) for shard in shards)
            assert [url for each in urls for url in each] == urls_only(items)
            assert b"".join(chunk for item in found for chunk in item.chunks) == path.read_bytes()
            assert sum(shard.size for shard in shards) == path.stat().st_size
    return len(shards)


def lengths(chance: random.Random) -> bytes:
    """Messages that declare their lengths, some wrongly, and have others within them."""
    inner = POSTMARK + b"Subject: inner\n\nhttp://in.example/\n"
    bodies = (b"line\n" * chance.randrange(1, 400) + inner * chance.randrange(3) for _ in range(60))
    return b"".join(with_length(body, chance.choice([0, 0, 0, -5, 9_999])) for body in bodies)


FILES: dict[str, Callable[[random.Random], bytes]] = {
    "box": lambda chance: mailbox(20_000, each=300, seed=chance.randrange(99)),
    "lengths": lengths,
    "a.warc": lambda chance: web_archive(chance, 60),
    "a.txt": lambda chance: text(300, seed=chance.randrange(99)),
    "carriage returns.txt": lambda chance: text(150) + b"one\rhttp://a.example/\r\n\n" + text(150, seed=2),
    "CR LF.txt": lambda chance: text(300, seed=chance.randrange(99), end=b"\r\n"),
    "mark.txt": lambda chance: b"\xef\xbb\xbf" + text(300, seed=chance.randrange(99)),
}


@pytest.mark.parametrize("name", mostly_slow(FILES, quick=5))
@pytest.mark.parametrize("size", [60, 900, 2_048, 5_000])
@pytest.mark.parametrize("seed", range(3))
def test_shards_have_what_the_file_holds(name: str, size: int, seed: int, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(FILES[name](random.Random(seed)))
    assert check(path, size) > 1


W = b"WARC/1.0\r\nContent-Length: 30\r\n\r\n" + b"x" * 30 + b"\r\n\r\n"
A, B = (b"From %b@b.example Mon Nov 14 09:12:44 1994\n" % name for name in (b"a", b"c"))


EDGES: dict[str, tuple[str, bytes]] = {
    "postmark after a postmark": ("box", A + B + b"\nhttp://a.example/\n"),
    "postmark at the end": ("box", A + b"Subject: x\n\nhttp://a.example/\n\n" + A),
    "version after a version": ("a.warc", W + b"WARC/1.0\r\n" + W),
    "version at the end": ("a.warc", W + W + b"WARC/1.0\r\n"),
    "blanks": ("box", b"\xef\xbb\xbf\n \n" + (A + b"Subject: x\n\nhttp://a.example/\n\n") * 3),
}


@pytest.mark.parametrize("edge", EDGES)
@pytest.mark.parametrize("size", [7, 20, 50, 100])
def test_nothing_is_lost_at_an_edge(edge: str, size: int, tmp_path: Path) -> None:
    name, data = EDGES[edge]
    (tmp_path / name).write_bytes(data)
    check(tmp_path / name, size)


def test_shards_grow_with_their_number(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those of small files, too, and those of one file."""
    monkeypatch.setattr(cutting, "_MANY", 3)
    cuts = Cuts(1_000, 1_000, 64, 4, 1 << 30, grows=True)
    for number in range(60):
        (tmp_path / f"{number:02}").write_text("http://a.example/\n")
    (tmp_path / "text").write_text("http://a.example/\n\n" * 1_000)
    kinds = {"numbered": False, "texts": True, "placed": False, "archives": False}
    folder = Cutter("auto", cuts, Files(), **kinds).directory(str(tmp_path), EVERYTHING)
    shards = list(folder)
    assert [len(shard.files) for shard in shards if shard.files] == [4, 4, 4, 8, 8, 8, 16, 8]
    # the first one begins at 0; the last one of the small files is not counted yet
    assert [round(shard.size, -3) for shard in shards if shard.start] == [4_000, 8_000, 3_000]

    text = str(tmp_path / "text")
    sizes = [shard.size for shard in Cutter("auto", cuts, Files(), **kinds).file(text, Files().stamp(text))]
    assert [round(size, -3) // 1_000 for size in sizes] == [1, 1, 1, 2, 2, 2, 4, 4, 2]
