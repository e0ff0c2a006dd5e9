"""Several processes: what comes out is the same as of one, and one that dies takes nothing else along."""

from __future__ import annotations

import base64
import gzip
import io
import os
import random
import signal
import subprocess
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

import pytest
from commands import COMMAND, ENVIRONMENT, with_module
from realtools import LIMIT, wait_until
from sampled import mostly_slow
from scans import urls_only

from urlextract.cli.extracting import run_command
from urlextract.output.outputs import OUTPUTS, OutputOptions
from urlextract.output.writer import opened
from urlextract.pipeline.entry import read_items
from urlextract.pipeline.options import ExtractOptions
from urlextract.records import RawMessage
from urlextract.run import engine as sharing
from urlextract.run.cutting import Cutter, Files
from urlextract.run.progress import Progress
from urlextract.run.sharing import Task, print_shared, read_task
from urlextract.sources import streams
from urlextract.sources.folders.tree import Stamp
from urlextract.sources.reading import read_source
from urlextract.sources.streams import Place
from urlextract.sources.stretches import Start, Stretch, read_stretch

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from urlextract.errors import SourceError
    from urlextract.records import Item

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")

POSTMARKS = [
    b"From ada@cs.example.edu Mon Nov 14 09:12:44 1994",
    b"From ada@cs.example.edu  Mon Nov 14 09:12 MET 1994",
    b"From uucp Mon Nov 14 09:12:44 1994 remote from uunet",
    b"From joe at example.org  Mon Nov 14 09:12:44 2005",
    b"From 1844347792267117879@xxx",
    b"From -8946248053963491671",
    b"From - Mon Nov 14 09:12:44 1994",
    b"From - ",
]
PROSE = [
    b"From here on http://prose.example/ it goes on",
    b">From ada@cs.example.edu Mon Nov 14 09:12:44 1994",
    b"From the talk at 10:30 2001",
    b"From - or to - it is the same",
    b"From ada@cs.example.edu Mon Nov 14 09:12:44 1994 http://prose.example/x",
    b" From ada@cs.example.edu Mon Nov 14 09:12:44 1994",
]


def message(number: int, chance: random.Random, size: int) -> bytes:
    """A message of about that size, with URLs in head and body, and lines that are no postmarks."""
    lines = [chance.randbytes(30).hex().encode() for _ in range(chance.randrange(1 + size // 30))]
    lines[len(lines) // 2 : len(lines) // 2] = [b"", chance.choice(PROSE), b""]
    url = b"<URL:http://x.example/%d/\n %d>" % (number, chance.randrange(5))
    head = b"Subject: http://s.example/%d\nMessage-ID: <%d@a>\n" % (number % 7, number)
    head += b"Date: Mon, 14 Nov 1994 09:12:44 GMT"
    return b"\n".join((head, b"", b"see", url, *lines, b"and www.y.example/%d." % number, b""))


def large_message(size: int) -> bytes:
    """A message with an attachment."""
    image = base64.encodebytes(random.Random(1).randbytes(size * 3 // 4))
    return (
        b"Subject: large\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\nhttp://before.example/\n"
        b"--b\nContent-Type: image/png\nContent-Transfer-Encoding: base64\n\n" + image
    ) + b"--b\n\nhttp://behind.example/\n--b--\n"


def mailbox(size: int, *, each: int = 6_000, extra: Iterable[tuple[int, bytes]] = (), seed: int = 1) -> bytes:
    """Messages after postmarks of all kinds, some with CR LF, some without the blank line before."""
    chance = random.Random(seed)
    pending = dict(extra)
    pieces: list[bytes] = []
    length = number = 0
    while length < size:
        due = [at for at in pending if at <= length]
        body = pending.pop(due[0]) if due else message(number, chance, each)
        piece = chance.choice(POSTMARKS) + b"\n" + body
        piece += b"" if chance.random() < 0.1 else b"\n"
        piece = piece.replace(b"\n", b"\r\n") if chance.random() < 0.1 else piece
        pieces.append(piece)
        length += len(piece)
        number += 1
    return b"".join(pieces)


def web_archive(chance: random.Random, records: int) -> bytes:
    """Records of many sizes, some with lengths that are wrong, or with a version in their content."""
    pieces = []
    for number in range(records):
        body = b"see http://a.example/%d\n" % number * chance.randrange(1, 30) + b"\nWARC/1.0\nno record\n"
        length = len(body) + (chance.choice([-3, 7]) if chance.random() < 0.2 else 0)
        head = b"WARC/1.0\r\nWARC-Type: resource\r\nContent-Length: %d\r\n\r\n" % length
        pieces.append(head + body + b"\r\n\r\n")
    return b"".join(pieces)


def text(paragraphs: int, *, seed: int = 1, end: bytes = b"\n") -> bytes:
    """Paragraphs with URLs, some broken over lines, and here and there a page break in the middle of one."""
    chance = random.Random(seed)
    pieces: list[bytes] = []
    for number in range(paragraphs):
        lines = [b"word " * chance.randrange(12) for _ in range(chance.randrange(6))]
        lines += [b"see <URL:http://x.example/%d/" % number, b"  %d> and" % chance.randrange(5)]
        if chance.random() < 0.02:
            lines += [b"and http://q.example/one-", b"twos for it"]  # in doubt
        lines += ["www.y.example/é and é http://é.example/".encode()] * chance.randrange(2)
        if chance.random() < 0.02:
            lines += [b"<ftp://z.example/", b"", b"Ada    [Page 9]", b"\x0c", b"RFC 1", b"", b"pages>"]
        pieces.append(end.join([*lines, b"", b""]))
    return b"".join(pieces)


# stretches: see test_stretches, too


def cut(source: Path, **how: Any) -> list[Stretch]:
    """Return the stretches of a source."""
    return list(Cutter(**how).stretches(str(source)))


def items_of(
    stretches: Iterable[Stretch], on_damage: Callable[[SourceError], None] = pytest.fail, *opener: Any
) -> Iterator[Item]:
    for stretch in stretches:
        yield from read_stretch(stretch, Place(stretch.source, on_damage, *opener))


def items_in(path: Path) -> Iterator[Item]:
    return read_source(path, on_damage=pytest.fail)


def whole(items: Iterable[Item]) -> list[tuple[int | None, int | None, bytes]]:
    """Number, offset and bytes of each message."""
    found = []
    for item in items:
        assert isinstance(item, RawMessage)
        data = item.data + b"".join(item.rest or ())
        found.append((item.provenance.message, item.provenance.offset, data))
    return found


def failing_at(place: int) -> Callable[[str], BinaryIO]:
    """Return what opens a file of which nothing can be read from this offset on."""

    class Failing(io.FileIO):
        def read(self, size: int | None = -1) -> bytes:
            if self.tell() >= place:
                raise OSError(5, "Input/output error")
            return super().read(min(100, place - self.tell(), size or 0))

    return Failing  # type: ignore[return-value]


class Opened(Files):
    """Files that are opened in another way."""

    def __init__(self, opener: Callable[[str], BinaryIO]) -> None:
        self.open = opener  # type: ignore[method-assign]


@pytest.mark.parametrize("size", [10_000, 100_000, 1_000_000])
def test_stretches_around_a_large_message(tmp_path: Path, size: int) -> None:
    """It is that of the stretch in which it begins."""
    path = tmp_path / "box"
    path.write_bytes(
        mailbox(2_500_000, extra=[(0, large_message(1_200_000)), (1_250_000, large_message(900_000))])
    )
    stretches = cut(path, size=size)
    assert all(size <= stretch.size < size + 1_300_000 for stretch in stretches[:-1])
    assert whole(items_of(stretches)) == whole(items_in(path))


def test_what_is_read_is_twice_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Once to be cut, and once in all stretches together: time grows in proportion."""
    path = tmp_path / "box"
    path.write_bytes(mailbox(3_000_000) + mailbox(5_000_000, extra=[(0, large_message(4_900_000))]))
    read = 0
    blocks_of_stream = streams.blocks_of_stream

    def counted(*arguments: Any) -> Iterator[bytes]:
        nonlocal read
        for block in blocks_of_stream(*arguments):
            read += len(block)
            yield block

    monkeypatch.setattr("urlextract.run.cutting.blocks_of_stream", counted)
    monkeypatch.setattr("urlextract.sources.stretches.blocks_of_stream", counted)
    stretches = cut(path, size=200_000)
    whole(items_of(stretches))
    assert read < 2 * path.stat().st_size + len(stretches) * 2 * streams.BLOCK


@pytest.mark.parametrize("size", [60_000, 66_000, 140_000])
def test_a_message_with_a_large_head_is_no_text(tmp_path: Path, size: int) -> None:
    """However far what tells it stands: all processes read it as one does."""
    path = tmp_path / "message"
    head = b"X-Foo: bar\n" * (size // 11) + b"From: a@b.example\n"
    head += b"Content-Transfer-Encoding: quoted-printable\n\n"
    path.write_bytes(head + b"see http://a.example/p=\nart\n\n" * 40_000)
    assert {*map(type, items_of(cut(path)))} == {*map(type, items_in(path))}


def test_large_files_of_a_directory_are_cut(tmp_path: Path) -> None:
    """A mailbox and a text in a tree; what cannot be cut is read together, in the same order."""
    for name, data in (
        ("a.txt", b"http://a.example/\n"),
        ("b.mbox", mailbox(20_000, each=300)),
        ("c.gz", gzip.compress(mailbox(9_000), 0)),
        ("d.txt", b"http://d.example/\n\n" * 999),
        ("e.bin", b"\0http://e.example/\n\n" * 999),
        ("f.txt", b"http://f.example/\n"),
    ):
        (tmp_path / name).write_bytes(data)
    options = ExtractOptions()
    planned = cut(tmp_path, size=4_000, most_files=3)
    assert list(read_items(items_of(planned), options)) == list(read_items(items_in(tmp_path), options))
    shapes = [(Path(each.source).name, len(each.files or ())) for each in planned]
    assert shapes[:2] == [(tmp_path.name, 1), ("b.mbox", 0)]
    assert sum(count for name, count in shapes if name == tmp_path.name) == 4
    assert {name for name, _ in shapes} == {tmp_path.name, "b.mbox", "d.txt"}


def test_what_cannot_be_read_to_its_end_goes_with_the_stretch_before_it(tmp_path: Path) -> None:
    """Otherwise the numbers of messages would be wrong, or the damage told more than once."""
    path = tmp_path / "box"
    path.write_bytes(mailbox(30_000, each=300))
    opener = failing_at(12_000)
    assert len(cut(path, size=4_000)) > 5
    planned = cut(path, size=4_000, files=Opened(opener))
    assert 1 < len(planned) < 5
    damage: list[SourceError] = []
    items = items_of(planned, damage.append, opener)
    told: list[SourceError] = []
    assert whole(items) == whole(read_source(path, on_damage=told.append, opener=opener))
    assert [(each.cause, each.offset) for each in damage] == [(each.cause, each.offset) for each in told]
    assert len(damage) == 1


@pytest.mark.parametrize(("data", "how"), [
    (b"http://x.example/\n\n" * 999, {"texts": False}),
    (b"Subject: x\n\n" + b"x\n" * 9_000, {}),
    (gzip.compress(mailbox(10_000), 0), {}),
    (b"", {}),
    (b"http://x.example/\n" * 9_000, {}),
    (b"http://x.example/\n\nAda    [Page 9]\n" * 4_000, {}),
    (text(100).decode().encode("utf-16"), {}),
    (text(100).decode().encode("utf-16-le"), {}),
    (gzip.compress(text(1_000), 0), {}),
], ids=["text", "message", "packed", "empty",
        "text of lines", "pages", "wide", "wide without a mark", "packed text"])  # fmt: skip
def test_files_that_are_one_stretch(data: bytes, how: dict[str, bool], tmp_path: Path) -> None:
    """They are not to be cut, or nothing says where."""
    path = tmp_path / "file"
    path.write_bytes(data)
    (stretch,) = cut(path, size=1_000, **how)
    assert (stretch.is_file, stretch.size, stretch.stamp) == (True, len(data), Stamp.of(path.stat()))
    assert len(list(items_of([stretch]))) == len(list(items_in(path)))


def test_fault_in_the_middle_of_a_stretch(tmp_path: Path) -> None:
    """The damage says where it is in the file."""
    path = tmp_path / "text"
    path.write_bytes(text(1_000))
    stretch = next(stretch for stretch in cut(path, size=5_000)[1:] if stretch.size > 1_000)
    place = stretch.start.offset + 100
    damage: list[SourceError] = []
    urls_only(items_of([stretch], damage.append, failing_at(place)))
    assert [(each.cause, each.offset) for each in damage] == [("Input/output error", place)]


@pytest.mark.parametrize(("first", "second", "places"), [
    (b"\xef\xbb\xbfa\n\n", b"b\xff\n\n", [(3, 2), (7, 4)]),
    ("a\u00e9\n\n".encode(), "b\U0001f600\n\n".encode(), [(4, 2), (8, 4)]),
    (b"a\r\n\r\n", b"b\r\r\n\n", [(5, 2), (10, 4)]),
    (b"a\n\n", b"b\r\r\r\r\n\n", [(3, 2), (10, 4)]),
    (b"a\n\n", b"b\rc\n\n", [(3, 2)]),
    (b"a\n\n", b"b\r\r\r\r\r\n\n", [(3, 2)]),
    (b"a\n\n", b"b\n" + b"\r" * 30 + b"\n\n", [(3, 2)]),
    (b"a\n\n", b"\r\r\n\n", [(3, 2), (7, 4)]),
])  # fmt: skip
@pytest.mark.parametrize("block", [1, 2, 5, 1 << 20])
def test_characters_and_lines_before_the_stretches_of_a_text(
    block: int, first: bytes, second: bytes, places: list[tuple[int, int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """No stretch begins after a carriage return that alone ends a line."""

    class Slow(io.BytesIO):
        def read1(self, size: int | None = -1) -> bytes:
            return super().read(block)

    edges = [len(first), len(first + second)]
    monkeypatch.setattr(Cutter, "_edges", lambda *_: edges)
    given = Opened(lambda _: Slow(first + second + b"end"))
    found = list(Cutter("text", size=1, files=given).file("text", Stamp(len(first + second) + 3)))
    starts = [Start(edge, 0, *counted) for edge, counted in zip(edges, places, strict=False)]
    assert [stretch.start for stretch in found] == [Start(), *starts]
    assert [stretch.end for stretch in found] == [*edges[: len(found) - 1], None]
    assert sum(stretch.size for stretch in found) == edges[-1] + 3


# the command


def start(*arguments: object, **how: Any) -> subprocess.Popen[bytes]:
    how = {"stdin": subprocess.DEVNULL, "env": ENVIRONMENT, **how}
    words = [*COMMAND, *map(str, arguments)]
    return subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **how)


def check(*arguments: object) -> bytes:
    """Three processes print what one does, say the same and end alike.

    Where they stop after some results, one may have read on, into damage that the others do not see.
    """
    together, alone = start("-J", 3, *arguments), start("-J", 1, *arguments)
    output, words = alone.communicate()
    shared, other_words = together.communicate()
    assert shared == output
    if "-m" not in arguments:
        assert (other_words, together.returncode) == (words, alone.returncode)
    return output


@pytest.fixture(scope="module")
def places(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A large mailbox, a small one, a packed one, a text, a spool, and what is broken or empty."""
    root = tmp_path_factory.mktemp("jobs")
    large = [(4_100_000, large_message(1_500_000)), (8_300_000, large_message(400_000))]
    cut = gzip.compress(mailbox(20_000, each=300, seed=4))[:-3_000]
    for name, data in {
        "large": mailbox(9_000_000, each=60_000, extra=large),
        "small": mailbox(20_000, each=300, seed=2),
        "packed.gz": gzip.compress(mailbox(20_000, each=300, seed=3)),
        "large text": text(40_000),
        "text": "see www.text.example, http://é.example/\n".encode() * 50,
        **{f"spool/a/{number}": message(number, random.Random(number), 100) for number in range(1, 251)},
        **dict.fromkeys(("cut.gz", "spool/cut.gz", "links/a.gz"), cut),
        "no-urls/1": b"Subject: x\n\nno URL at all\n",
    }.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(data)
    (root / "nothing" / "below").mkdir(parents=True)
    (root / "links" / "below").mkdir()
    for folder in (root / "links", root / "links" / "below"):
        (folder / "astray").symlink_to("nowhere")
    return root


MIXED = "small spool packed.gz cut.gz text"
READ_ALIKE = [
    ("-j", "large"),
    ("-u", "large"),
    ("-c", "large"),
    ("-H -n -I -m 200", "large"),
    # a large text, beside another
    *((options, "large_text text") for options in ("", "-j", "-u", "-c", "-n", "-m 9000")),
    ("-j --relaxed --emails --refang", "large_text text"),
    # files of all kinds, one of them damaged
    *((options, MIXED) for options in ("", "-j", "-c -u", "-H -n", "-m 7", "-m 700 -u")),
    ("--quoted skip --signature skip --parts text", "spool small"),
    ("--hyphen both -F text", "spool small"),
    ("--include 1* --exclude *7", "spool small"),
    ("--since 2001-01-01 -j", "spool small"),
    # named twice
    ("", "small text small"),
    ("-c", "small text small"),
    # one file that cannot be cut: as if one process had been asked for
    *((options, name) for options in ("", "-j", "-c") for name in ("packed.gz", "cut.gz", "text")),
    # a directory without any message is told of, one without any URL is not; all in its place
    ("-c", "nothing"),
    ("", "nothing small"),
    ("", "cut.gz nothing"),
    ("", "text gone"),
    ("", "no-urls"),
    ("-c", "no-urls small"),
    ("", "nothing nothing text"),
    ("-c", "nothing nothing text small"),
    ("", "nothing/below nothing/ text"),
    ("", "links/ text"),
    ("-j", "text links nothing cut.gz"),
    ("-c", "cut.gz cut.gz links text"),
    ("-c -m 1", "text cut.gz"),
    ("-u", "text links/below text"),
]


@pytest.mark.parametrize(("options", "names"), mostly_slow(READ_ALIKE, quick=4))
def test_several_processes_print_what_one_does(options: str, names: str, places: Path) -> None:
    output = check(*options.split(), *(f"{places}/{name.replace('_', ' ')}" for name in names.split()))
    assert output.endswith(b"\n") or names in ("nothing", "no-urls") or "--since" in options


REFUSED = {
    "-u": ["--explain"],
    "--top": ["--count", "--files-with-matches", "--explain"],
}


@pytest.mark.slow
@pytest.mark.parametrize("flag", [each.flags[-1] for each in OUTPUTS if each.flags])
@pytest.mark.parametrize("order", [[], ["-u"], ["--top", 3], ["--top", "--by", "host"]], ids=str)
def test_each_output(places: Path, flag: str, order: list[object]) -> None:
    """What a row of the table says that it needs is enough; orders that it excludes are refused alike."""
    output = check(flag, *order, places / "large", places / "small", places / "text")
    is_refused = bool(order) and flag in REFUSED[str(order[0])]
    assert (not output) == is_refused


def processes(*sources: object, **wanted: Any) -> int:
    return sharing.processes_for(list(map(str, sources)), OutputOptions.of(wanted))


def test_processes_unasked(places: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As many as there are processors read large files, where all of what is found is wanted."""
    monkeypatch.setattr(sharing, "processors", lambda: 3)
    large, small = places / "large", places / "small"
    assert large.stat().st_size > 8_000_000
    assert processes(large) == processes(large, "-") == 1
    monkeypatch.setattr(sharing, "LARGE", 8_000_000)
    assert processes(large) == processes(small, large) == 3
    assert processes(large, counts=True) == processes(large, as_json=True) == 3
    assert processes(large, "-") == processes(small) == processes(places / "gone", "a\0b", small) == 1
    assert processes(small, places / "spool") == processes(places / "no-urls") == 3
    assert processes(large, max_count=1) == processes(large, jobs=1) == 1
    assert processes(small, jobs=2) == processes(small, jobs=2, as_json=True) == 2
    monkeypatch.setattr(sharing, "processors", lambda: 64)
    assert processes(large) == 8


@pytest.mark.slow
@pytest.mark.parametrize("name", ["large", "large text"])
def test_progress_of_all_processes(places: Path, name: str) -> None:
    """It comes to the size of the file."""
    added: list[int] = []

    class Noted(Progress):
        def add(self, size: int) -> None:
            added.append(size)

        def finish(self) -> None:
            added.append(0)

    path = places / name
    size = path.stat().st_size
    with opened(os.devnull, end="\n", is_prompt=False) as writer:
        assert print_shared(
            [str(path)], OutputOptions(), ExtractOptions(), writer, 2,
            least=0, tree_filter=None, on_damage=pytest.fail, progress=Noted(size),
        )  # fmt: skip
    assert len(added) == 1 + len(cut(path)) > 2
    assert added[-1] == 0
    assert sum(added) == pytest.approx(size, abs=1_024)


@pytest.mark.parametrize("names", [["spool"], ["small", "spool", "text"], ["packed.gz"]], ids=str)
def test_no_process_is_started_for_little(
    places: Path, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes], names: list[str]
) -> None:
    """What is read, and told, is the same."""
    monkeypatch.setattr(sharing, "processors", lambda: 3)
    monkeypatch.setattr("urlextract.run.processes._processes", pytest.fail)
    sources = [str(places / name) for name in names]
    status = run_command(sources, {})
    output, _ = capfdbinary.readouterr()
    alone = start("-J", 1, *sources)
    assert (output, status) == (alone.communicate()[0], alone.returncode)


def test_results_are_handed_over_in_pieces(tmp_path: Path) -> None:
    """Some long ones are no string of many megabytes."""
    urls = [f"http://a.example/{number:020000}" for number in range(300)]
    (tmp_path / "text").write_text("".join(f"<{url}>\n" for url in urls))
    task = Task(0, Stretch(str(tmp_path / "text")))
    pieces = list(read_task(OutputOptions(), ExtractOptions(), task, pytest.fail))
    assert [url for piece in pieces for url, _ in piece] == urls
    assert max(sum(len(line) for _, line in piece) for piece in pieces) < 1 << 20


def test_output_in_a_file(places: Path, tmp_path: Path) -> None:
    outputs = [tmp_path / "1", tmp_path / "3"]
    for output in outputs:
        command = start("-J", output.name, "-o", output, places / "spool", places / "small")
        assert (command.communicate()[0], command.returncode) == (b"", 2)
    assert outputs[0].read_bytes() == outputs[1].read_bytes() != b""


def test_a_file_that_is_called_as_standard_input(tmp_path: Path) -> None:
    """ "-" is standard input, whatever lies there."""
    (tmp_path / "-").write_bytes(text(20_000))
    for jobs in ([], ["-J", "1"], ["-J", "2"]):
        command = start(*jobs, "-", cwd=tmp_path, stdin=subprocess.PIPE)
        assert command.communicate(b"http://in.example/") == (b"http://in.example/\n", b"")


needs_proc = pytest.mark.skipif(not os.path.isdir("/proc/self/task"), reason="there is no /proc to look into")


def children_of(process: subprocess.Popen[bytes]) -> list[int]:
    """Wait for both children of a process."""
    path = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    wait_until(lambda: len(path.read_text().split()) == 2, "two processes")
    return [int(number) for number in path.read_text().split()]


def opened_by(process: int, path: Path) -> list[Path]:
    """Return the descriptors of a file in a process, those in /proc."""
    descriptors = Path(f"/proc/{process}/fd")
    return [each for each in descriptors.iterdir() if os.path.realpath(each) == os.path.realpath(path)]


def position_in(path: Path, processes: list[int]) -> int:
    """Return the position of the one of these processes that reads a file, in bytes."""
    (number,) = (file for each in processes for file in opened_by(each, path))
    return int(Path(str(number).replace("/fd/", "/fdinfo/")).read_text().split()[1])


STOPS = {signal.SIGTERM: -15, signal.SIGINT: 130, signal.SIGHUP: -1, signal.SIGKILL: -9}
"""Signals, each with the exit status."""


@pytest.mark.slow
@pytest.mark.usefixtures("heeded_signals")
@needs_proc
@pytest.mark.parametrize("number", STOPS)
@pytest.mark.parametrize("is_group", [False, True])
def test_stopped_command(tmp_path: Path, number: signal.Signals, is_group: bool) -> None:
    """No process and no file outlives it, and nothing is said; what it has printed are whole lines."""
    paths = [tmp_path / "1", tmp_path / "2"]
    for path in paths:
        path.write_bytes(b"http://a.example/\n\n" * 9_000 + b"mailto:" * 900_000)  # which takes long
    (tmp_path / "tmp").mkdir()
    how = {"env": {**ENVIRONMENT, "TMPDIR": str(tmp_path / "tmp")}, "start_new_session": True}
    with start("-J", "2", "-F", "text", *paths, **how) as process:
        assert process.stdout
        assert process.stderr
        assert process.stdout.readline() == b"http://a.example/\n"
        files = [f"/proc/{child}/fd" for child in children_of(process)]
        (os.killpg if is_group else os.kill)(process.pid, number)
        output, words = process.stdout.read(), process.stderr.read()
        process.wait(LIMIT)
        wait_until(lambda: not any(os.path.exists(fd) and os.listdir(fd) for fd in files), "the children")
    assert (process.returncode, words) == (STOPS[number], b"")
    assert set(output.splitlines(keepends=True)) <= {b"http://a.example/\n"}
    assert list((tmp_path / "tmp").iterdir()) == []


@pytest.fixture(scope="module")
def packed(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Files of 10 GB that cannot be cut: each is one stretch, and takes minutes to read."""
    root = tmp_path_factory.mktemp("packed")
    paths = [root / "1.gz", root / "2.gz"]
    for path in paths:
        first, others = (b"see http://%s.example/%d and more\n" % (path.name.encode(), n) for n in (0, 1))
        path.write_bytes(gzip.compress(first) + 1_000 * gzip.compress(others * 280_000))
    return paths


@contextmanager
def first_result_of(packed: list[Path], *options: str) -> Iterator[subprocess.Popen[bytes]]:
    """Start two processes on the packed files, and read the first result; kill them at the end."""
    with start("-J", "2", *options, *packed) as process:
        try:
            assert process.stdout
            assert b"http://1.gz.example/0" in process.stdout.readline()
            yield process
        finally:
            process.kill()


@pytest.mark.slow
@needs_proc
@pytest.mark.parametrize("options", [[], ["-j"]], ids=str)
def test_results_come_while_the_stretch_is_read(packed: list[Path], options: list[str]) -> None:
    with first_result_of(packed, *options) as process:
        assert 0 < position_in(packed[0], children_of(process)) < packed[0].stat().st_size / 2


@pytest.mark.slow
@pytest.mark.parametrize("options", [["-m", "1"], []], ids=["-m 1", "closed"])
def test_nobody_waits_for_the_rest_of_a_stretch(packed: list[Path], options: list[str]) -> None:
    """Its first result ends the command, long before all of it is read."""
    with first_result_of(packed, *options) as process:
        assert process.stdout
        assert process.stderr
        files = [f"/proc/{child}/fd" for child in children_of(process)] if not options else []
        process.stdout.close()
        process.wait(60)
        assert process.stderr.read() == b""
        wait_until(lambda: not any(map(os.path.exists, files)), "the children")


@pytest.mark.slow
@needs_proc
@pytest.mark.parametrize("options", [[], ["-j"]], ids=str)
def test_memory_if_results_are_not_read(packed: list[Path], options: list[str]) -> None:
    """They wait in files."""
    with first_result_of(packed, *options) as process:
        children = children_of(process)
        wait_until(lambda: min(position_in(path, children) for path in packed) > 100_000, "many results")
        for each in (process.pid, *children):
            status = Path(f"/proc/{each}/status").read_text()
            (peak,) = (int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM:"))
            assert peak < 100_000  # kilobytes


DYING = """
import os, signal
import urlextract.run.sharing as sharing

original = sharing.read_stretch

def read_stretch(stretch, place):
    yield from original(stretch, place)
    if os.path.basename(stretch.source) == "dies":
        with open("deaths", "a+") as deaths:
            if deaths.tell() < {}:
                deaths.write("x")
                deaths.flush()
                os.kill(os.getpid(), signal.SIGKILL)

sharing.read_stretch = read_stretch
"""


@pytest.mark.slow
@pytest.mark.parametrize("names", ["dies small text spool", "small text dies spool", "spool small dies"])
@pytest.mark.parametrize("deaths", [1, 2, 3])
def test_killed_process_of_the_command(names: str, deaths: int, tmp_path: Path, places: Path) -> None:
    """Nothing is lost but what kills three of them, which is named, once."""
    (tmp_path / "dies").write_bytes(b"http://d.example/\n")
    sources = [tmp_path / name if name == "dies" else places / name for name in names.split()]
    expected = start("-J", 1, *sources).communicate()
    how = {"cwd": tmp_path, "env": with_module(tmp_path, "sitecustomize", DYING.format(deaths))}
    with start("-J", 2, *sources, **how) as process:
        output, words = process.communicate(timeout=LIMIT)
    told = f"urlextract: {tmp_path}/dies: the process that read it has died\n".encode() * (deaths == 3)
    assert sorted(words.splitlines()) == sorted((expected[1] + told).splitlines())
    assert output == expected[0].replace(b"http://d.example/\n" * (deaths == 3), b"")


def test_nobody_waits_for_what_is_not_wanted(packed: list[Path], places: Path) -> None:
    with start("-J", "2", "-m", "1", places / "text", *packed) as process:
        try:
            assert process.communicate(timeout=LIMIT)[0] == b"http://www.text.example\n"
        finally:
            process.kill()


def test_reader_that_goes_away(places: Path) -> None:
    """The processes end with the one that started them, and nothing is said."""
    with start("-J", "3", places / "large") as process:
        assert process.stdout
        assert process.stderr
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait() in (-signal.SIGPIPE, 128 + signal.SIGPIPE, 0)
