"""The stretches of a file, which together have what the file holds."""

import random

import pytest
from test_jobs import cut, items_of, mailbox, text, web_archive, whole
from test_sources_mbox import POSTMARK, with_length

from urlextract.pipeline.entry import read_items
from urlextract.pipeline.options import ExtractOptions
from urlextract.sources.reading import read_source
from urlextract.sources.stretches import Start, cut_text


def check(path, size):
    """All stretches together give what the file holds, with numbers and places; say how many there are."""
    options = ExtractOptions()
    stretches = cut(path, size=size)
    assert [each.end for each in stretches] == [*(each.start.offset for each in stretches[1:]), None]
    found, items = items_of(stretches), read_source(path, on_damage=pytest.fail)
    if path.suffix != ".txt":
        assert whole(found) == whole(items)
    else:
        assert list(read_items(found, options)) == list(read_items(items, options))
    assert sum(each.size for each in stretches) == path.stat().st_size - stretches[0].start.offset
    return len(stretches)


def lengths(chance):
    """Messages that declare their lengths, some wrongly, and have others within them."""
    inner = POSTMARK + b"Subject: inner\n\nhttp://in.example/\n"
    bodies = (b"line\n" * chance.randrange(1, 400) + inner * chance.randrange(3) for _ in range(60))
    return b"".join(with_length(body, chance.choice([0, 0, 0, -5, 9_999])) for body in bodies)


FILES = {
    "box": lambda chance: mailbox(20_000, each=300, seed=chance.randrange(99)),
    "lengths": lengths,
    "a.warc": lambda chance: web_archive(chance, 60),
    "a.txt": lambda chance: text(300, seed=chance.randrange(99)),
    "CR LF.txt": lambda chance: text(200, seed=chance.randrange(99), end=b"\r\n"),
    "mark.txt": lambda chance: b"\xef\xbb\xbf" + text(150, seed=chance.randrange(99)),
    "CR.txt": lambda _: text(150) + b"one\rhttp://a.example/\r\n\n" + text(150, seed=2),
}


@pytest.mark.parametrize("name", FILES)
def test_stretches_have_what_the_file_holds(name, tmp_path):
    path = tmp_path / name
    for seed, size in enumerate((60, 900, 2_048, 5_000)):
        path.write_bytes(FILES[name](random.Random(seed)))
        assert check(path, size) > 1


W = b"WARC/1.0\r\nContent-Length: 30\r\n\r\n" + b"x" * 30 + b"\r\n\r\n"
A, B = (b"From %b@b.example Mon Nov 14 09:12:44 1994\n" % name for name in (b"a", b"c"))
EDGES = {
    "postmark after a postmark": ("box", A + B + b"\nhttp://a.example/\n"),
    "postmark at the end": ("box", A + b"Subject: x\n\nhttp://a.example/\n\n" + A),
    "version after a version": ("a.warc", W + b"WARC/1.0\r\n" + W),
    "version at the end": ("a.warc", W + W + b"WARC/1.0\r\n"),
    "blanks": ("box", b"\xef\xbb\xbf\n \n" + (A + b"Subject: x\n\nhttp://a.example/\n\n") * 3),
}


@pytest.mark.parametrize("edge", EDGES)
def test_nothing_is_lost_at_an_edge(edge, tmp_path):
    name, data = EDGES[edge]
    (tmp_path / name).write_bytes(data)
    for size in (7, 20, 50, 100):
        check(tmp_path / name, size)


@pytest.mark.parametrize("data", [
    b"\xef\xbb\xbf" + b"line\n\n" * 200_000, b"x" * 9_000_000, "ü".encode() * 3_000_000,
    b" ".join(b"http://a.example/%d" % number for number in range(400_000)),  # is cut between words
], ids=["lines", "letters", "others", "words"])  # fmt: skip
def test_stretches_of_a_text_that_comes_in_blocks_join_to_the_whole(data):
    """They end at blank lines; a text without any is cut only if it is very long."""
    assert len(list(cut_text(iter([b"line\n" * 200_000]), Start()))) == 1
    blocks = (data[at : at + 65536] for at in range(0, len(data), 65536))
    stretches = list(cut_text(blocks, Start()))
    assert b"".join(stretch.data for stretch in stretches) == data
    assert (len(stretches) > 1, max(len(each.data) for each in stretches) <= 4 * 1024 * 1024 + 65536) == (
        True,
        True,
    )
    at = 0
    for stretch in stretches:
        before = data[:at].decode().removeprefix("\ufeff")
        assert stretch.start == (at, 0, len(before), before.count("\n"))
        at += len(stretch.data)
    words = [url for stretch in stretches for url in stretch.data.split()]
    assert words == data.split() or b"http" not in data
