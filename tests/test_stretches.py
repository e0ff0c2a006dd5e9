"""The stretches of a file, which together have what the file holds."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from sampled import mostly_slow
from test_jobs import mailbox, text, web_archive, whole
from test_sources_mbox import POSTMARK, with_length

from urlextract.pipeline.entry import read_items
from urlextract.pipeline.options import ExtractOptions
from urlextract.records import Item
from urlextract.run.cutting import Cutter
from urlextract.sources.reading import read_source
from urlextract.sources.streams import Place
from urlextract.sources.stretches import Start, Stretch, cut_text, read_stretch


def read(stretch: Stretch) -> Iterator[Item]:
    return read_stretch(stretch, Place(stretch.source, pytest.fail))


def check(path: Path, size: int) -> int:
    """All stretches together give what the file holds, with numbers and places; say how many there are."""
    options = ExtractOptions()
    stretches = list(Cutter(size=size).stretches(str(path)))
    assert [stretch.end for stretch in stretches] == [
        *(stretch.start.offset for stretch in stretches[1:]),
        None,
    ]
    found = (item for stretch in stretches for item in read(stretch))
    items = read_source(path, on_damage=pytest.fail)
    if path.suffix != ".txt":
        assert whole(found) == whole(items)
    else:
        assert list(read_items(found, options)) == list(read_items(items, options))
    assert sum(stretch.size for stretch in stretches) == path.stat().st_size - stretches[0].start.offset
    return len(stretches)


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
def test_stretches_have_what_the_file_holds(name: str, size: int, seed: int, tmp_path: Path) -> None:
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


def test_text_without_line_ends_is_cut_between_words() -> None:
    data = b" ".join(b"http://a.example/%d" % number for number in range(400_000))
    stretches = list(cut_text(iter([data]), Start()))
    assert len(stretches) > 1
    assert [url for stretch in stretches for url in stretch.data.split()] == data.split()


@pytest.mark.parametrize("data", [b"line\n\n" * 200_000, b"x" * 9_000_000, "ü".encode() * 3_000_000])
def test_stretches_of_a_text_that_comes_in_blocks_join_to_the_whole(data: bytes) -> None:
    blocks = (data[at : at + 65536] for at in range(0, len(data), 65536))
    stretches = list(cut_text(blocks, Start()))
    assert b"".join(stretch.data for stretch in stretches) == data
    assert max(len(stretch.data) for stretch in stretches) <= 4 * 1024 * 1024 + 65536
    at = 0
    for stretch in stretches:
        before = data[:at].decode()
        assert stretch.start == (at, 0, len(before), before.count("\n"))
        at += len(stretch.data)
