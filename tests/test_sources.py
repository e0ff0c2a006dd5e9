"""One source: its detected form, how it streams, and its errors (SPEC §8)."""

import io
import json
import os
import re
import socket
import subprocess
import sys
import threading

import pytest
from commands import outcome
from hypothesis import given
from hypothesis import strategies as st
from packing import plant
from realtools import ROOT
from slices import read

from urlextract.records import RawText
from urlextract.sources.reading import DIRECTORY_FORMATS, SOURCE_FORMATS, read_source
from urlextract.sources.sniff import sniff
from urlextract.sources.streams import BLOCK

POSTMARK = b"From ada@cs.example.edu Mon Nov 14 09:12:44 1994\n"
MESSAGE = b"Subject: one\nTo: b\n\nsee http://x.example/\n"


def kinds(data, form="auto"):
    """Return the number and the bytes of each item; a text has no number."""
    items, damage = read(data, form)
    assert not damage
    return [(item.number, item.data) for item in items]


class Dripping(io.RawIOBase):
    """A pipe that returns a few bytes at a time and cannot seek."""

    def __init__(self, data, size=1):
        self._data, self._size = io.BytesIO(data), size

    def readable(self):
        return True

    def readinto(self, buffer):
        return self._data.readinto(memoryview(buffer)[: self._size])


LOGS = [
    b"2026-11-26T10:00:00 GET http://a.example/\n", b"2026-11-26 10:00:00,123 INFO http://a.example/\n",
    b"10:31 <ada> http://a.example/\n", b"[10:31:00] http://a.example/\n",
    b"INFO:root: got http://a.example/\n", b"Nov 26 10:00:00 host sshd[1]: http://a.example/\n",
    b'192.0.2.1 - - [26/Nov/2026:10:00:00 +0000] "GET http://a.example/"\n',
    b"INFO: a\nINFO: b\nERROR: c\nINFO: d\nWARNING: http://a.example/\n",
]  # fmt: skip
HEADS = {
    "message": [
        b"Subject: a\n\nhi\n", b"subject: a\r\n\r\nhi\r\n", b"Subject: a\r\rhi\r",
            b"Subject: a\r\r\n\r\r\nhi",
        b"\n\n \nSubject: a\n\nhi\n", b"\xef\xbb\xbfSubject: a\n\nhi\n",
        b"X-Thing: a\nReceived: from a\n\tby b\nFrom: c\n\nhi\n",
            b"Path: a!b\nNewsgroups: x.y\nSubject: no body\n",
        b"From: a\nTo: b\nDate: c\na broken line\nX: d\n\nhi\n",
            b"From ada@cs.example.edu\nSubject: a\n\nhi\n",
        b"Received: from a by b; Mon\n\nhi\n", b"Subject: a\n>From b@c Mon Nov 14 09:12:44 1994\n\nhi\n",
        b"From: a\nTo: " + b"x@y, " * 30_000 + b"\n\nhi\n", b"Subject:without a blank\nTo:x\n\nhi\n",
        b"Lines: 3\nKeywords: x\nReferences: <a@b>\nComments: y\nSummary: z\nFrom: a\n\nhi\n",
        b"Content-Transfer-Encoding   : 7bit\nTo: b\n\nhi\n",
    ],
    "mbox": [POSTMARK + b"Subject: a\n\nhi\n", b"\r\n\n" + POSTMARK + b"Subject: a\n\nhi\n", POSTMARK],
    "text": [
        b"To: " + b"x@y, " * 30_000 + b"\nFrom: a\n\nhi\n", b"Note: see http://x.example/\nand so on\n",
        b"Note: see http://x.example/\n\nSubject: x\n\n", b"Note: see http://x.example/",
        b"Subject: see http://x.example/", b"Subject: see\nhttp://x.example/\n\n",
        b"Received: see http://x.example/\n\n", b"http://x.example/\n\nTo: a\n",
            b"mailto:a@b.example\n\nTo: a\n",
        b"From here on http://x.example/\nTo: a\n\n", b"From ada@cs.example.edu\nhi\n", b"From",
        b"  Subject: indented\n\nhi\n", *LOGS, b"begin:vcalendar    and more words\n", b"\xff\xfeS\0u\0b\0",
        b"To: b\nSubject: c\nhttp://x.example/ and on\n", b"x" * 100_000, b"\n" * 100_000 + b"x",
    ],
    # the first words of an open line decide only what is certain
    "nntp": [b"220 1234567 <a@b.example> article follows\r\nPath: a\r\n\r\nhi\r\n.\r\n"],
    "a news overview": [b"7\ta long subject here\ta person\tMon\t<1@a>\t\t9\t1\n"],
    "tar": [b"name with blanks.txt".ljust(257, b"\0") + b"ustar\x0000\n"],
    "empty": [b"", b" \r\n\n\0", b"\xef\xbb\xbf\n"],
}  # fmt: skip


@pytest.mark.parametrize(("form", "data"), [(form, data) for form, some in HEADS.items() for data in some])
def test_form_is_detected_by_content_whole_or_in_single_bytes(form, data):
    for size in (1, BLOCK):
        assert sniff(data[at : at + size] for at in range(0, len(data), size))[0].format == form


@pytest.mark.parametrize("log", LOGS)
def test_a_log_is_known_by_its_first_lines(log):
    """It may grow for hours (SPEC §8)."""

    def blocks():
        yield log
        pytest.fail("more of it was read")

    assert sniff(blocks())[0].format == "text"


TOKENS = [b"Subject: a", b"To:", b" folded", b"\t", b"\n", b"\r\n", b"\r", b"\r\r\n", b"\n\n", b"prose here"]
TOKENS += [b"From ", POSTMARK, b"From a@b\n", b"\xef\xbb\xbf", b"http://x", b"X-A:b", b">From c\n", b"\0"]
SOURCES = st.lists(st.sampled_from(TOKENS), max_size=15).map(b"".join)


@given(SOURCES, st.integers(1, 20))
def test_any_slicing_has_the_same_items_and_loses_no_byte(data, size):
    """Except blank lines, a byte order mark, postmarks and a lone sender at the top."""
    assert sniff(iter(data[at : at + size] for at in range(0, len(data), size)))[0] == sniff(iter([data]))[0]
    whole = kinds(data)
    for stream in (Dripping(data, size), io.BufferedReader(Dripping(data, size))):
        assert kinds(stream) == whole
    given_bytes = b"".join(item[1] for item in whole)
    assert given_bytes.count(b"http") == data.count(b"http")
    in_postmarks = sum(
        line.count(b"prose") for line in re.split(rb"[\r\n]", data) if b"From " in line and b"09:12" in line
    )
    assert data.count(b"prose") - in_postmarks <= given_bytes.count(b"prose") <= data.count(b"prose")


@pytest.mark.parametrize(("form", "first"), [
    *((form, text) for form in ("auto", "text") for text in (b"see http://a/\n", b"http://a.example/ and")),
    *(("text", line) for line in (b"PK\n", b"PK\3\n", b"a\0b\n")),  # that may begin an archive
])  # fmt: skip
def test_text_is_passed_on_as_it_arrives(form, first):
    """A short read is passed on before the next one, also within a line."""
    inner, outer = os.pipe()
    with open(inner, "rb") as stream:
        os.write(outer, first)
        text = next(read_source(stream, form, on_damage=pytest.fail))
        assert isinstance(text, RawText)
        assert next(text.chunks) == first
        os.write(outer, b"x")
        assert next(text.chunks) == b"x"
        os.close(outer)
        assert list(text.chunks) == []


def test_chunks_are_bounded():
    data = b"x y\n" * BLOCK
    (text,) = read_source(io.BytesIO(data), on_damage=pytest.fail)
    chunks = list(text.chunks)
    assert max(map(len, chunks)) <= BLOCK <= 256 * 1024
    assert b"".join(chunks) == data


def test_names_and_streams(tmp_path):
    """A stream stays open; the texts of a list of items can be read later."""
    plant(tmp_path, {"in/a": b"one", "in/b": b"two", "box": POSTMARK + MESSAGE})
    for source in (tmp_path / "in/a", str(tmp_path / "in/a")):
        assert read(source) == ([(str(tmp_path / "in/a"), None, None, b"one")], [])
    with (tmp_path / "box").open("rb") as stream:
        assert [item.source for item in read(stream)[0]] == [str(tmp_path / "box")]
        assert not stream.closed
    assert read(MESSAGE)[0][0].source == "<stream>"
    items = list(read_source(tmp_path / "in", on_damage=pytest.fail))
    assert [b"".join(item.chunks) for item in items] == [b"one", b"two"]


@pytest.mark.parametrize("form", ["auto", "text", "message", "mbox", "maildir", "tree"])
def test_stdin_is_read_in_any_form(form):
    status, out, said = outcome("-j", "-F", form, data=POSTMARK + MESSAGE)
    record = json.loads(out)
    assert (status, said, record["source"]) == (0, "", "-")
    assert record["message"] == (None if form == "text" else 1)


def test_named_pipe_is_read_as_a_stream(tmp_path):
    path = tmp_path / "fifo"
    os.mkfifo(path)

    def write():
        with path.open("wb", buffering=0) as stream:
            for at in range(0, len(data), 5):
                stream.write(data[at : at + 5])

    data = POSTMARK + MESSAGE + b"\n" + POSTMARK + MESSAGE
    writer = threading.Thread(target=write)
    writer.start()
    assert kinds(path) == [(1, MESSAGE + b"\n"), (2, MESSAGE)]
    writer.join()


def test_nonblocking_pipe_is_waited_for():
    inner, outer = os.pipe()
    os.set_blocking(inner, False)
    timer = threading.Timer(0.05, lambda: (os.write(outer, b"hi there"), os.close(outer)))
    timer.start()
    with open(inner, "rb", buffering=0) as stream:
        assert kinds(stream) == [(None, b"hi there")]
    timer.join()


@pytest.mark.parametrize("before", [b"", b"\n \n", b"\xef\xbb\xbf", b"From ada@cs.example.edu\n"])
def test_single_message_begins_with_its_header(before):
    """Whatever comes before it is skipped."""
    assert read(before + MESSAGE)[0] == [("<stream>", 1, len(before), MESSAGE)]


def test_given_form_overrides_the_content():
    assert kinds(MESSAGE, "text") == [(None, MESSAGE)]
    assert kinds(b"\nprose\n", "message") == [(1, b"\nprose\n")]
    items, damage = read(b"prose\n", "mbox")
    assert [(item.number, item.data) for item in items] == [(None, b"prose\n")]
    assert [error.cause for error in damage] == ["is not in the format mbox"]


@pytest.mark.parametrize("form", SOURCE_FORMATS)
def test_empty_source_is_no_damage_and_a_missing_one_is(form, tmp_path):
    for data in (b"", b"\n\r\n \n", b"\0"):
        items, damage = read(plant(tmp_path, {"empty": data}) / "empty", form)
        assert b"".join(item.data for item in items).strip(b" \r\n\0") == b""
        assert [error.cause for error in damage] == ["is no directory"] * (form in DIRECTORY_FORMATS)
    items, (damage,) = read(tmp_path / "none", form)
    assert (items, damage.source, damage.offset) == ([], str(tmp_path / "none"), None)
    assert damage.cause == "No such file or directory"


WIRE = b"Path: a!b\r\nSubject: x\r\n\r\n..\r\n..dot\r\na..b\r\n. x\r\n.\r\n"
PLAIN = b"Path: a!b\r\nSubject: x\r\n\r\n.\r\n.dot\r\na..b\r\n. x\r\n"


@pytest.mark.parametrize(("data", "plain"), [
    (WIRE, PLAIN), (WIRE.removesuffix(b".\r\n"), PLAIN),
    (WIRE.replace(b"Path: a!b", b"From: c"), PLAIN.replace(b"Path: a!b", b"From: c")),
    *((data, data) for data in (
        WIRE.replace(b"\r\n", b"\n"), WIRE.replace(b"x\r\n\r\n", b"x\r\n\n"),
        b"From: c\r\nSubject: x\r\n\r\n..dot\r\n", b"From: c\r\nSubject: x\r\n\r\nPath: a\r\n..dot\r\n",
        b"Path: a\r\nSubject: b\r\n\r\nEnd.\r\n",
    )),
])  # fmt: skip
def test_wire_format_is_undone(data, plain):
    """Dots are undoubled where every line ends in CR LF and a server wrote the article."""
    assert kinds(data) == [(1, plain)]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read all")
def test_file_without_permission_is_damage(tmp_path):
    plant(tmp_path, {"secret": b"x"})
    (tmp_path / "secret").chmod(0)
    items, (damage,) = read(tmp_path / "secret")
    assert (items, damage.source, damage.cause) == ([], str(tmp_path / "secret"), "Permission denied")


def test_what_cannot_be_read_is_damage(tmp_path, monkeypatch):
    """Items before it are yielded."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "stdin", None)
    closed = io.BytesIO(b"x")
    closed.close()
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind("s")
        causes = {"s": "is a socket", "/dev/zero": "is a device", "-": "standard input is closed",
                  "a\0b": "embedded null byte", closed: "I/O operation on closed file."}  # fmt: skip
        for source, cause in causes.items():
            items, (damage,) = read(source)
            assert (items, damage.cause) == ([], cause)
    assert read(os.devnull) == ([], [])

    class Failing(Dripping):
        def readinto(self, buffer):
            if count := super().readinto(buffer):
                return count
            raise OSError(5, "Input/output error")

    data = POSTMARK + MESSAGE
    items, (damage,) = read(Failing(data, 7))
    assert [item.data for item in items] == [MESSAGE]
    assert (damage.cause, damage.offset, damage.source) == ("Input/output error", len(data), "<stream>")


@pytest.mark.parametrize("block", ["x", "", 5, [1]])
def test_what_is_no_format_or_binary_stream_raises(block):
    class Stream:
        def read(self, _):
            return block

    words = rf"no binary stream: read\(\) returned {type(block).__name__}, not bytes"
    with pytest.raises(TypeError, match=words):
        read(Stream())
    with pytest.raises(ValueError, match=r"format: unknown value .*: choose one of auto, text"):
        read_source("-", "mobx", on_damage=pytest.fail)
    with pytest.raises(TypeError, match="text stream"):
        read_source(io.StringIO("x"), on_damage=pytest.fail)


def test_memory_is_constant_for_a_200_mb_pipe():
    """It grows by less than 8 MB."""
    program = (
        "import sys, resource\nfrom urlextract.sources.reading import read_source\n"
        "base = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        "size = sum(len(c) for t in read_source('-', on_damage=print) for c in t.chunks)\n"
        "print(size, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - base)"
    )
    command = [sys.executable, "-c", program]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT) as child:
        for _ in range(200):
            child.stdin.write(b"a line of text http://x/\n" * 40_000)
        child.stdin.close()
        size, grown = map(int, child.stdout.read().split())
    assert (size, grown < 8 * 1024) == (200_000_000, True)  # KiB
