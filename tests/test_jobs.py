"""Several processes: what comes out is the same as of one, and one that dies takes nothing else along."""

import base64
import gzip
import io
import os
import random
import signal
import subprocess
from contextlib import contextmanager
from pathlib import Path

import pytest
from commands import COMMAND, ENVIRONMENT, outcome, with_module
from packing import plant
from realtools import LIMIT, wait_until
from sampled import mostly_slow
from scans import urls_only

from urlextract.cli.extracting import run_command
from urlextract.output.outputs import OUTPUTS, OutputOptions
from urlextract.output.writer import opened
from urlextract.pipeline.entry import read_items
from urlextract.pipeline.options import ExtractOptions
from urlextract.run import engine
from urlextract.run.cutting import Cutter, Files
from urlextract.run.progress import Progress
from urlextract.run.sharing import Task, print_shared, read_task
from urlextract.sources import streams
from urlextract.sources.folders.tree import Stamp, TreeFilter
from urlextract.sources.reading import read_source
from urlextract.sources.streams import Origin
from urlextract.sources.stretches import Start, Stretch, TextStretch, read_stretch

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


def message(number, chance, size):
    """A message of about that size, with URLs in head and body, and lines that are no postmarks."""
    lines = [chance.randbytes(30).hex().encode() for _ in range(chance.randrange(1 + size // 30))]
    lines[len(lines) // 2 : len(lines) // 2] = [b"", chance.choice(PROSE), b""]
    url = b"<URL:http://x.example/%d/\n %d>" % (number, chance.randrange(5))
    head = b"Subject: http://s.example/%d\nMessage-ID: <%d@a>\n" % (number % 7, number)
    head += b"Date: Mon, 14 Nov 1994 09:12:44 GMT"
    return b"\n".join((head, b"", b"see", url, *lines, b"and www.y.example/%d." % number, b""))


def large_message(size):
    """A message with an attachment."""
    image = base64.encodebytes(random.Random(1).randbytes(size * 3 // 4))
    return (
        b"Subject: large\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\nhttp://before.example/\n"
        b"--b\nContent-Type: image/png\nContent-Transfer-Encoding: base64\n\n" + image
    ) + b"--b\n\nhttp://behind.example/\n--b--\n"


def mailbox(size, *, each=6_000, extra=(), seed=1):
    """Messages after postmarks of all kinds, some with CR LF, some without the blank line before."""
    chance = random.Random(seed)
    pending = dict(extra)
    pieces = []
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


def web_archive(chance, records):
    """Records of many sizes, some with lengths that are wrong, or with a version in their content."""
    pieces = []
    for number in range(records):
        body = b"see http://a.example/%d\n" % number * chance.randrange(1, 30) + b"\nWARC/1.0\nno record\n"
        length = len(body) + (chance.choice([-3, 7]) if chance.random() < 0.2 else 0)
        head = b"WARC/1.0\r\nWARC-Type: resource\r\nContent-Length: %d\r\n\r\n" % length
        pieces.append(head + body + b"\r\n\r\n")
    return b"".join(pieces)


def text(paragraphs, *, seed=1, end=b"\n"):
    """Paragraphs with URLs, some broken over lines, and here and there a page break in the middle of one."""
    chance = random.Random(seed)
    pieces = []
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


def cut(source, **how):
    """Return the stretches of a source."""
    return list(Cutter(**how).stretches(str(source)))


def items_of(stretches, on_damage=pytest.fail, *opener):
    for stretch in stretches:
        yield from read_stretch(stretch, Origin(stretch.source, on_damage, *opener))


def items_in(path, **how):
    return read_source(path, **{"on_damage": pytest.fail, **how})


def whole(items):
    """Number, offset and bytes of each message."""
    return [
        (item.provenance.message, item.provenance.offset, item.data + b"".join(item.rest or ()))
        for item in items
    ]


def failing_at(place):
    """Return what opens a file of which nothing can be read from this offset on."""

    class Failing(io.FileIO):
        def read(self, size=-1):
            if self.tell() >= place:
                raise OSError(5, "Input/output error")
            return super().read(min(100, place - self.tell(), size or 0))

    return Failing


class Opened(Files):
    """Files that are opened in another way."""

    def __init__(self, opener):
        self.open = opener


def test_stretches_around_a_large_message_are_read_once(tmp_path, monkeypatch):
    """It is that of the stretch in which it begins. All is read twice, to be cut and in the stretches."""
    path = tmp_path / "box"
    path.write_bytes(
        mailbox(2_500_000, extra=[(0, large_message(1_200_000)), (1_250_000, large_message(900_000))])
    )
    wanted, blocks_of_stream = whole(items_in(path)), streams.blocks_of_stream
    read = []

    def counted(*arguments):
        for block in blocks_of_stream(*arguments):
            read.append(len(block))
            yield block

    monkeypatch.setattr("urlextract.run.cutting.blocks_of_stream", counted)
    monkeypatch.setattr("urlextract.sources.stretches.blocks_of_stream", counted)
    for size in (10_000, 100_000, 1_000_000):
        read.clear()
        stretches = cut(path, size=size)
        assert all(size <= stretch.size < size + 1_300_000 for stretch in stretches[:-1])
        assert whole(items_of(stretches)) == wanted
        assert sum(read) < 2 * path.stat().st_size + len(stretches) * 2 * streams.BLOCK


@pytest.mark.parametrize("size", [60_000, 66_000, 140_000])
def test_a_message_with_a_large_head_is_no_text(tmp_path, size):
    """However far what tells it stands: all processes read it as one does."""
    head = b"X-Foo: bar\n" * (size // 11) + b"From: a@b.example\n"
    head += b"Content-Transfer-Encoding: quoted-printable\n\n"
    path = plant(tmp_path, {"message": head + b"see http://a.example/p=\nart\n\n" * 40_000}) / "message"
    assert {*map(type, items_of(cut(path)))} == {*map(type, items_in(path))}


def test_large_files_of_a_directory_are_cut(tmp_path):
    """A mailbox and a text in a tree; what cannot be cut is read together, in the same order."""
    plant(tmp_path, {
        "a.txt": b"http://a.example/\n", "b.mbox": mailbox(20_000, each=300),
        "c.gz": gzip.compress(mailbox(9_000), 0), "d.txt": b"http://d.example/\n\n" * 999,
        "e.bin": b"\0http://e.example/\n\n" * 999, "f.txt": b"http://f.example/\n",
        "spool/1": mailbox(20_000, each=300),
    })  # fmt: skip
    planned = cut(tmp_path, size=4_000, most_files=3)
    options = ExtractOptions()
    assert list(read_items(items_of(planned), options)) == list(read_items(items_in(tmp_path), options))
    shapes = [(Path(each.source).name, len(each.files or ())) for each in planned]
    assert shapes[:2] == [(tmp_path.name, 1), ("b.mbox", 0)]
    assert sum(count for name, count in shapes if name == tmp_path.name) == 5
    assert {name for name, _ in shapes} == {tmp_path.name, "b.mbox", "d.txt"}
    plant(tmp_path / "many", {f"{number}.txt": "text" for number in range(200)})
    counts = [len(each.files or ()) for each in cut(tmp_path / "many", most_files=15)]
    assert (sum(counts), max(counts)) == (200, 15)
    (tmp_path / "many/astray").symlink_to("nowhere")
    damage = []
    followed = Cutter().stretches(str(tmp_path / "many"), TreeFilter(follow=True))
    assert len(list(items_of(followed, damage.append))) == 200
    assert [each.source for each in damage] == [str(tmp_path / "many/astray")]


def test_what_cannot_be_read_to_its_end_goes_with_the_stretch_before_it(tmp_path):
    """Otherwise the numbers of messages would be wrong, or the damage told more than once."""
    path = plant(tmp_path, {"box": mailbox(30_000, each=300), "text": text(1_000)}) / "box"
    opener = failing_at(12_000)
    assert len(cut(path, size=4_000)) > 5
    planned = cut(path, size=4_000, files=Opened(opener))
    assert 1 < len(planned) < 5
    damage, told = [], []
    items = items_of(planned, damage.append, opener)
    assert whole(items) == whole(items_in(path, on_damage=told.append, opener=opener))
    assert [(each.cause, each.offset) for each in damage] == [(each.cause, each.offset) for each in told]
    assert len(damage) == 1
    stretch = next(each for each in cut(tmp_path / "text", size=5_000)[1:] if each.size > 1_000)
    at = stretch.start.offset + 100
    damage.clear()
    urls_only(items_of([stretch], damage.append, failing_at(at)))
    assert [(each.cause, each.offset) for each in damage] == [("Input/output error", at)]


ONE_STRETCH = {
    "a text that may not be cut": (b"http://x.example/\n\n" * 999, {"texts": False}),
    "message": (b"Subject: x\n\n" + b"x\n" * 9_000, {}),
    "a mailbox that is read as a message": (mailbox(10_000, each=300), {"format": "message"}),
    "packed": (gzip.compress(mailbox(10_000), 0), {}),
    "empty": (b"", {}),
    "text of lines": (b"http://x.example/\n" * 9_000, {}),
    "indented": (b"http://x.example/\n\n  " * 9_000, {}),
    "pages": (b"http://x.example/\n\nAda    [Page 9]\n" * 4_000, {}),
    "wide": (text(100).decode().encode("utf-16"), {}),
    "wide without a mark": (text(100).decode().encode("utf-16-le"), {}),
    "packed text": (gzip.compress(text(1_000), 0), {}),
}


@pytest.mark.parametrize("kind", ONE_STRETCH)
def test_files_that_are_one_stretch(kind, tmp_path):
    """They are not to be cut, or nothing says where."""
    data, how = ONE_STRETCH[kind]
    path = plant(tmp_path, {"file": data}) / "file"
    (stretch,) = cut(path, size=1_000, **how)
    assert (stretch.is_file, stretch.size, stretch.stamp) == (True, len(data), Stamp.of(path.stat()))
    assert len(list(items_of([stretch]))) == len(list(items_in(path, format=how.get("format", "auto"))))


@pytest.mark.parametrize(("first", "second", "places"), [
    (b"\xef\xbb\xbfa\n\n", b"b\xff\n\n", [(3, 2), (7, 4)]),
    ("a\u00e9\n\n".encode(), "b\U0001f600\n\n".encode(), [(4, 2), (8, 4)]),
    (b"a\r\n\r\n", b"b\r\r\n\n", [(5, 2), (10, 4)]),
    (b"a\n\n", b"b\rc\n\n", [(3, 2), (8, 5)]),
    (b"a\n\n", b"b\r\r\r\r\r\n\n", [(3, 2), (11, 5)]),
])  # fmt: skip
def test_characters_and_lines_before_the_stretches_of_a_text(first, second, places):
    edges = [len(first), len(first + second)]
    begun = TextStretch(first).start_at(edges[0])
    ended = TextStretch(second, begun).start_at(len(second))
    assert [begun, ended] == [Start(edge, 0, *place) for edge, place in zip(edges, places, strict=True)]


# the command


def start(*arguments, **how):
    how = {"stdin": subprocess.DEVNULL, "env": ENVIRONMENT, **how}
    words = [*COMMAND, *map(str, arguments)]
    return subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **how)


def check(*arguments):
    """Three processes print what one does, say the same and end alike.

    Where they stop after some results, one may have read on, into damage that the others do not see.
    """
    status, output, words = outcome("-J1", *arguments)
    shared = outcome("-J", 3, *arguments)
    assert shared[1] == output
    assert "-m" in arguments or shared == (status, output, words)
    return output


@pytest.fixture(scope="module")
def places(tmp_path_factory):
    """A large mailbox, a small one, a packed one, a text, a spool, and what is broken or empty."""
    large = [(4_100_000, large_message(1_500_000)), (8_300_000, large_message(400_000))]
    cut = gzip.compress(mailbox(20_000, each=300, seed=4))[:-3_000]
    files = {
        "large": mailbox(9_000_000, each=60_000, extra=large),
        "small": mailbox(20_000, each=300, seed=2),
        "packed.gz": gzip.compress(mailbox(20_000, each=300, seed=3)),
        "large text": text(40_000),
        "text": "see www.text.example, http://é.example/\n" * 50,
        **{f"spool/a/{number}": message(number, random.Random(number), 100) for number in range(1, 251)},
        **dict.fromkeys(("cut.gz", "spool/cut.gz", "links/a.gz"), cut),
        "no-urls/1": b"Subject: x\n\nno URL at all\n", "nothing/below/": "", "links/below/": "",
    }  # fmt: skip
    astray = dict.fromkeys(("links/astray", "links/below/astray"), "nowhere")
    return plant(tmp_path_factory.mktemp("jobs"), files, astray)


MIXED = "small spool packed.gz cut.gz text"
QUICK = [
    ("-j", "large"),
    ("", MIXED),
    ("-c", "nothing nothing text small"),
    ("-j", "text links nothing cut.gz"),
]
OTHERS = {  # options, and files of all kinds: damaged, named twice, without a message or a URL
    "": ["large_text text", "small text small", "nothing small", "cut.gz nothing", "text gone", "no-urls",
         "nothing/below nothing/ text", "links/ text", "packed.gz", "cut.gz", "text", "nothing nothing text"],
    "-j": [MIXED, "large_text text", "packed.gz", "cut.gz", "text"],
    "-c": ["large", "large_text text", "small text small", "packed.gz", "cut.gz", "text", "nothing",
           "no-urls small", "cut.gz cut.gz links text"],
    "-u": ["large", "large_text text", "text links/below text"],
    "-n": ["large_text text"], "-H -n": [MIXED], "-H -n -I -m 200": ["large"], "-c -u": [MIXED],
    "-m 7": [MIXED], "-m 700 -u": [MIXED], "-m 9000": ["large_text text"], "-c -m 1": ["text cut.gz"],
    "-j --relaxed --emails --refang": ["large_text text"],
    "--quoted skip --signature skip --parts text": ["spool small"], "--hyphen both -F text": ["spool small"],
    "--include 1* --exclude *7": ["spool small"], "--since 2001-01-01 -j": ["spool small"],
}  # fmt: skip
READ_ALIKE = [*QUICK, *((options, names) for options, some in OTHERS.items() for names in some)]


@pytest.mark.parametrize(("options", "names"), mostly_slow(READ_ALIKE, quick=4))
def test_several_processes_print_what_one_does(options, names, places):
    output = check(*options.split(), *(f"{places}/{name.replace('_', ' ')}" for name in names.split()))
    assert output.endswith("\n") or names in ("nothing", "no-urls") or "--since" in options


REFUSED = {"-u": ["--explain"], "--top": ["--count", "--files-with-matches", "--explain"]}


@pytest.mark.slow
@pytest.mark.parametrize("flag", [each.flags[-1] for each in OUTPUTS if each.flags])
@pytest.mark.parametrize("order", [[], ["-u"], ["--top", 3], ["--top", "--by", "host"]], ids=str)
def test_each_output(places, flag, order):
    """What a row of the table says that it needs is enough; orders that it excludes are refused alike."""
    output = check(flag, *order, places / "large", places / "small", places / "text")
    is_refused = bool(order) and flag in REFUSED[str(order[0])]
    assert (not output) == is_refused


def processes(*sources, **wanted):
    return engine.processes_for(list(map(str, sources)), OutputOptions.of(wanted))


def test_processes_unasked(places, monkeypatch):
    """As many as there are processors read large files, where all of what is found is wanted."""
    monkeypatch.setattr(engine, "processors", lambda: 3)
    large, small = places / "large", places / "small"
    assert large.stat().st_size > 8_000_000
    assert processes(large) == processes(large, "-") == 1
    monkeypatch.setattr(engine, "LARGE", 8_000_000)
    assert processes(large) == processes(small, large) == 3
    assert processes(large, counts=True) == processes(large, as_json=True) == 3
    assert processes(large, "-") == processes(small) == processes(places / "gone", "a\0b", small) == 1
    assert processes(small, places / "spool") == processes(places / "no-urls") == 3
    assert processes(large, max_count=1) == processes(large, jobs=1) == 1
    assert processes(small, jobs=2) == processes(small, jobs=2, as_json=True) == 2
    monkeypatch.setattr(engine, "processors", lambda: 64)
    assert processes(large) == 8


@pytest.mark.slow
@pytest.mark.parametrize("name", ["large", "large text"])
def test_progress_of_all_processes(places, name):
    """It comes to the size of the file."""
    added = []

    class Noted(Progress):
        def add(self, size):
            added.append(size)

        def finish(self):
            added.append(0)

    path = places / name
    size = path.stat().st_size
    with opened(os.devnull, end="\n", is_prompt=False) as writer:
        assert print_shared(
            [str(path)], OutputOptions(), ExtractOptions(), writer, 2,
            least=0, tree_filter=None, on_damage=pytest.fail, progress=Noted(size),
        )  # fmt: skip
    assert (len(added), added[-1]) == (1 + len(cut(path)), 0)
    assert sum(added) == pytest.approx(size, abs=1_024)


@pytest.mark.parametrize("names", [["spool"], ["small", "spool", "text"], ["packed.gz"]], ids=str)
def test_no_process_is_started_for_little(places, monkeypatch, capfdbinary, names):
    """What is read, and told, is the same."""
    sources = [str(places / name) for name in names]
    status, alone, _ = outcome("-J1", *sources)
    monkeypatch.setattr(engine, "processors", lambda: 3)
    monkeypatch.setattr("urlextract.run.processes._Pool", pytest.fail)
    assert run_command(sources, {}) == status
    assert capfdbinary.readouterr()[0].decode() == alone


def test_results_are_handed_over_in_pieces(tmp_path):
    """Some long ones are no string of many megabytes."""
    urls = [f"http://a.example/{number:020000}" for number in range(150)]
    plant(tmp_path, {"text": "".join(f"<{url}>\n" for url in urls)})
    task = Task(0, Stretch(str(tmp_path / "text")))
    pieces = list(read_task(OutputOptions(), ExtractOptions(), task, pytest.fail))
    assert [url for piece in pieces for url, _ in piece] == urls
    assert max(sum(len(line) for _, line in piece) for piece in pieces) < 1 << 20


def test_output_in_a_file(places, tmp_path):
    for jobs in (1, 3):
        words = ("-J", jobs, "-o", tmp_path / str(jobs), places / "spool", places / "small")
        assert outcome(*words)[:2] == (2, "")
    assert (tmp_path / "1").read_bytes() == (tmp_path / "3").read_bytes() != b""


def test_a_file_that_is_called_as_standard_input(tmp_path):
    """ "-" is standard input, whatever lies there."""
    plant(tmp_path, {"-": b"http://a.example/\n\n" * 300_000})
    for jobs in ([], ["-J", "2"]):
        assert outcome(*jobs, "-", cwd=tmp_path, data="http://in.example/") == (0, "http://in.example/\n", "")


def children_of(process):
    """Wait for both children of a process."""
    path = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    wait_until(lambda: len(path.read_text().split()) == 2, "two processes")
    return [int(number) for number in path.read_text().split()]


def position_in(path, processes):
    """Return the position of the one of these processes that reads a file, in bytes."""
    files = (each for number in processes for each in Path(f"/proc/{number}/fd").iterdir())
    (file,) = (each for each in files if os.path.realpath(each) == os.path.realpath(path))
    return int(Path(str(file).replace("/fd/", "/fdinfo/")).read_text().split()[1])


STOPS = {signal.SIGTERM: -15, signal.SIGINT: 130, signal.SIGHUP: -1, signal.SIGKILL: -9}
"""Signals, each with the exit status."""


@pytest.mark.slow
@pytest.mark.usefixtures("heeded_signals")
@pytest.mark.parametrize("number", STOPS)
@pytest.mark.parametrize("is_group", [False, True])
def test_stopped_command(tmp_path, number, is_group):
    """No process and no file outlives it, and nothing is said; what it has printed are whole lines."""
    long = b"http://a.example/\n\n" * 9_000 + b"mailto:" * 900_000
    plant(tmp_path, {"1": long, "2": long, "tmp/": b""})
    how = {"env": {**ENVIRONMENT, "TMPDIR": str(tmp_path / "tmp")}, "start_new_session": True}
    with start("-J", "2", "-F", "text", tmp_path / "1", tmp_path / "2", **how) as process:
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
def packed(tmp_path_factory):
    """Files of 10 GB that cannot be cut: each is one stretch, and takes minutes to read."""
    root = tmp_path_factory.mktemp("packed")
    paths = [root / "1.gz", root / "2.gz"]
    for path in paths:
        first, others = (b"see http://%s.example/%d and more\n" % (path.name.encode(), n) for n in (0, 1))
        path.write_bytes(gzip.compress(first) + 1_000 * gzip.compress(others * 280_000))
    return paths


@contextmanager
def first_result_of(packed, *options):
    """Start two processes on the packed files, and read the first result; kill them at the end."""
    with start("-J", "2", *options, *packed) as process:
        try:
            assert b"http://1.gz.example/0" in process.stdout.readline()
            yield process
        finally:
            process.kill()


@pytest.mark.slow
@pytest.mark.parametrize("options", [[], ["-j"]], ids=str)
def test_results_come_while_the_stretch_is_read_and_wait_in_files(packed, options):
    """They take no memory if they are not read."""
    with first_result_of(packed, *options) as process:
        children = children_of(process)
        assert 0 < position_in(packed[0], children) < packed[0].stat().st_size / 2
        wait_until(lambda: min(position_in(path, children) for path in packed) > 100_000, "many results")
        for each in (process.pid, *children):
            status = Path(f"/proc/{each}/status").read_text()
            (peak,) = (int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM:"))
            assert peak < 100_000  # kilobytes


@pytest.mark.slow
@pytest.mark.parametrize("options", [["-m", "1"], []], ids=["-m 1", "closed"])
def test_nobody_waits_for_the_rest_of_a_stretch(packed, options):
    """Its first result ends the command, long before all of it is read."""
    with first_result_of(packed, *options) as process:
        files = [f"/proc/{child}/fd" for child in children_of(process)] if not options else []
        process.stdout.close()
        process.wait(60)
        assert process.stderr.read() == b""
        wait_until(lambda: not any(map(os.path.exists, files)), "the children")


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
def test_killed_process_of_the_command(names, deaths, tmp_path, places):
    """Nothing is lost but what kills three of them, which is named, once."""
    plant(tmp_path, {"dies": b"http://d.example/\n"})
    sources = [tmp_path / name if name == "dies" else places / name for name in names.split()]
    _, expected, said = outcome("-J1", *sources)
    how = {"cwd": tmp_path, "env": with_module(tmp_path, "sitecustomize", DYING.format(deaths))}
    _, output, words = outcome("-J", 2, *sources, **how)
    told = f"urlextract: {tmp_path}/dies: the process that read it has died\n" * (deaths == 3)
    assert sorted(words.splitlines()) == sorted((said + told).splitlines())
    assert output == expected.replace("http://d.example/\n" * (deaths == 3), "")


def test_nobody_waits_for_what_is_not_wanted(packed, places):
    assert outcome("-J", "2", "-m", "1", places / "text", *packed)[1] == "http://www.text.example\n"


def test_reader_that_goes_away(places):
    """The processes end with the one that started them, and nothing is said."""
    with start("-J", "3", places / "large") as process:
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait() in (-signal.SIGPIPE, 128 + signal.SIGPIPE, 0)
