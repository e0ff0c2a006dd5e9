"""One source: its detected form, how it streams, and its errors (SPEC §8)."""

from __future__ import annotations

import io
import json
import os
import re
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

import pytest
from commands import outcome
from hypothesis import given
from hypothesis import strategies as st
from realtools import ROOT

from urlextract.errors import SourceError
from urlextract.records import RawMessage, RawText
from urlextract.sources.reading import DIRECTORY_FORMATS, SOURCE_FORMATS, read_source
from urlextract.sources.sniff import sniff
from urlextract.sources.streams import BLOCK

POSTMARK = b"From ada@cs.example.edu Mon Nov 14 09:12:44 1994\n"
MESSAGE = b"Subject: one\nTo: b\n\nsee http://x.example/\n"


def read(
    source: str | os.PathLike[str] | BinaryIO, form: str = "auto"
) -> tuple[list[tuple[type, bytes]], list[SourceError]]:
    """Read a source; return the type and bytes of each item, and the errors."""
    damage: list[SourceError] = []
    items = []
    for item in read_source(source, form, on_damage=damage.append):
        data = item.data if isinstance(item, RawMessage) else b"".join(item.chunks)
        items.append((type(item), data))
    return items, damage


def kinds(data: bytes, form: str = "auto") -> list[tuple[type, bytes]]:
    items, damage = read(io.BytesIO(data), form)
    assert not damage
    return items


class Dripping(io.RawIOBase):
    """A pipe that returns a few bytes at a time and cannot seek."""

    def __init__(self, data: bytes, size: int = 1) -> None:
        self._data = io.BytesIO(data)
        self._size = size

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray) -> int:  # type: ignore[override]
        return self._data.readinto(memoryview(buffer)[: self._size])


LOGS = [
    b"2026-11-26T10:00:00 GET http://a.example/\n", b"2026-11-26 10:00:00,123 INFO http://a.example/\n",
    b"10:31 <ada> http://a.example/\n", b"[10:31:00] http://a.example/\n",
    b"INFO:root: got http://a.example/\n", b"Nov 26 10:00:00 host sshd[1]: http://a.example/\n",
    b'192.0.2.1 - - [26/Nov/2026:10:00:00 +0000] "GET http://a.example/"\n',
    b"INFO: a\nINFO: b\nERROR: c\nINFO: d\nWARNING: http://a.example/\n",
]  # fmt: skip
HEADS = [
    (b"Subject: a\n\nhi\n", "message"),
    (b"subject: a\r\n\r\nhi\r\n", "message"),
    (b"Subject: a\r\rhi\r", "message"),
    (b"Subject: a\r\r\n\r\r\nhi", "message"),
    (b"\n\n \nSubject: a\n\nhi\n", "message"),
    (b"\xef\xbb\xbfSubject: a\n\nhi\n", "message"),
    (b"X-Thing: a\nReceived: from a\n\tby b\nFrom: c\n\nhi\n", "message"),
    (b"Path: a!b\nNewsgroups: x.y\nSubject: no body\n", "message"),
    (b"From: a\nTo: b\nDate: c\na broken line\nX: d\n\nhi\n", "message"),
    (b"From ada@cs.example.edu\nSubject: a\n\nhi\n", "message"),
    (b"Received: from a by b; Mon\n\nhi\n", "message"),
    (b"Subject: a\n>From b@c Mon Nov 14 09:12:44 1994\n\nhi\n", "message"),
    (b"To: " + b"x@y, " * 30_000 + b"\nFrom: a\n\nhi\n", "text"),
    (b"From: a\nTo: " + b"x@y, " * 30_000 + b"\n\nhi\n", "message"),
    (POSTMARK + b"Subject: a\n\nhi\n", "mbox"),
    (b"\r\n\n" + POSTMARK + b"Subject: a\n\nhi\n", "mbox"),
    (POSTMARK, "mbox"),
    (b"Note: see http://x.example/\nand so on\n", "text"),
    (b"Note: see http://x.example/\n\nSubject: x\n\n", "text"),
    (b"Note: see http://x.example/", "text"),
    (b"Subject: see http://x.example/", "text"),
    (b"Subject: see\nhttp://x.example/\n\n", "text"),
    (b"Received: see http://x.example/\n\n", "text"),
    (b"http://x.example/\n\nTo: a\n", "text"),
    (b"mailto:a@b.example\n\nTo: a\n", "text"),
    (b"From here on http://x.example/\nTo: a\n\n", "text"),
    (b"From ada@cs.example.edu\nhi\n", "text"),
    (b"From", "text"),
    (b"  Subject: indented\n\nhi\n", "text"),
    (b"Subject:without a blank\nTo:x\n\nhi\n", "message"),
    (b"Lines: 3\nKeywords: x\nReferences: <a@b>\nComments: y\nSummary: z\nFrom: a\n\nhi\n", "message"),
    *((log, "text") for log in LOGS),
    # the first words of an open line decide only what is certain
    (b"220 1234567 <a@b.example> article follows\r\nPath: a\r\n\r\nhi\r\n.\r\n", "nntp"),
    (b"7\ta long subject here\ta person\tMon\t<1@a>\t\t9\t1\n", "a news overview"),
    (b"begin:vcalendar    and more words\n", "text"),
    (b"Content-Transfer-Encoding   : 7bit\nTo: b\n\nhi\n", "message"),
    (b"name with blanks.txt".ljust(257, b"\0") + b"ustar\x0000\n", "tar"),
    (b"\xff\xfeS\0u\0b\0", "text"),
    (b"x" * 100_000, "text"),
    (b"\n" * 100_000 + b"x", "text"),
    (b"", "empty"),
    (b" \r\n\n\0", "empty"),
    (b"\xef\xbb\xbf\n", "empty"),
]


@pytest.mark.parametrize("log", LOGS)
def test_a_log_is_known_by_its_first_lines(log: bytes) -> None:
    """It may grow for hours (SPEC §8)."""

    def blocks() -> Iterator[bytes]:
        yield log
        pytest.fail("more of it was read")

    assert sniff(blocks())[0].format == "text"


@pytest.mark.parametrize(("data", "form"), HEADS)
def test_form_is_detected_by_content_whole_or_in_single_bytes(data: bytes, form: str) -> None:
    for size in (1, BLOCK):
        assert sniff(data[at : at + size] for at in range(0, len(data), size))[0].format == form


TOKENS = [b"Subject: a", b"To:", b" folded", b"\t", b"\n", b"\r\n", b"\r", b"\r\r\n", b"\n\n", b"prose here"]
TOKENS += [b"From ", POSTMARK, b"From a@b\n", b"\xef\xbb\xbf", b"http://x", b"X-A:b", b">From c\n", b"\0"]
SOURCES = st.lists(st.sampled_from(TOKENS), max_size=15).map(b"".join)


@given(SOURCES, st.integers(1, 20))
def test_any_slicing_of_the_head_has_the_same_detection(data: bytes, size: int) -> None:
    assert sniff(iter(data[at : at + size] for at in range(0, len(data), size)))[0] == sniff(iter([data]))[0]


@given(SOURCES)
def test_no_byte_of_a_source_is_lost(data: bytes) -> None:
    """Except blank lines, a byte order mark, postmarks and a lone sender at the top."""
    given_bytes = b"".join(item[1] for item in kinds(data))
    assert given_bytes.count(b"http") == data.count(b"http")
    in_postmarks = sum(
        line.count(b"prose") for line in re.split(rb"[\r\n]", data) if b"From " in line and b"09:12" in line
    )
    assert data.count(b"prose") - in_postmarks <= given_bytes.count(b"prose") <= data.count(b"prose")


@given(SOURCES, st.integers(1, 9))
def test_pipe_has_the_items_of_the_whole(data: bytes, size: int) -> None:
    whole, _ = read(io.BytesIO(data))
    assert read(Dripping(data, size)) == (whole, [])
    assert read(io.BufferedReader(Dripping(data, size))) == (whole, [])  # type: ignore[arg-type]


@pytest.mark.parametrize(("form", "first"), [
    *((form, text) for form in ("auto", "text") for text in (b"see http://a/\n", b"http://a.example/ and")),
    *(("text", line) for line in (b"PK\n", b"PK\3\n", b"a\0b\n")),  # that may begin an archive
])  # fmt: skip
def test_text_is_passed_on_as_it_arrives(form: str, first: bytes) -> None:
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


def test_chunks_are_bounded() -> None:
    data = b"x y\n" * BLOCK
    (text,) = read_source(io.BytesIO(data), on_damage=pytest.fail)
    assert isinstance(text, RawText)
    chunks = list(text.chunks)
    assert max(map(len, chunks)) <= BLOCK <= 256 * 1024
    assert b"".join(chunks) == data


def test_origin_of_a_text_is_its_source(tmp_path: Path) -> None:
    path = tmp_path / "note"
    path.write_bytes(b"http://x.example/\n")
    for source in (path, str(path)):
        (text,) = read_source(source, on_damage=pytest.fail)
        assert (text.provenance.source, text.provenance.message, text.provenance.offset) == (
            str(path),
            None,
            None,
        )


def test_stream_is_named_and_stays_open(tmp_path: Path) -> None:
    path = tmp_path / "box"
    path.write_bytes(POSTMARK + MESSAGE)
    with path.open("rb") as stream:
        assert [item.provenance.source for item in read_source(stream, on_damage=pytest.fail)] == [str(path)]
        assert not stream.closed
    (item,) = read_source(io.BytesIO(MESSAGE), on_damage=pytest.fail)
    assert item.provenance.source == "<stream>"


def test_list_of_texts_can_be_read_later(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"one")
    (tmp_path / "b").write_bytes(b"two")
    items = list(read_source(tmp_path, on_damage=pytest.fail))
    assert [b"".join(item.chunks) for item in items if isinstance(item, RawText)] == [b"one", b"two"]


@pytest.mark.parametrize("form", ["auto", "text", "message", "mbox", "maildir", "tree"])
def test_stdin_is_read_in_any_form(form: str) -> None:
    status, out, said = outcome("-j", "-F", form, data=POSTMARK + MESSAGE)
    record = json.loads(out)
    assert (status, said, record["source"]) == (0, "", "-")
    assert record["message"] == (None if form == "text" else 1)


def test_closed_stdin_is_damage(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    items, (damage,) = read("-")
    assert (items, damage.source, damage.cause) == ([], "-", "standard input is closed")


def test_named_pipe_is_read_as_a_stream(tmp_path: Path) -> None:
    path = tmp_path / "fifo"
    os.mkfifo(path)

    def write() -> None:
        with path.open("wb", buffering=0) as stream:
            for at in range(0, len(data), 5):
                stream.write(data[at : at + 5])

    data = POSTMARK + MESSAGE + b"\n" + POSTMARK + MESSAGE
    writer = threading.Thread(target=write)
    writer.start()
    items, damage = read(path)
    writer.join()
    assert items == [(RawMessage, MESSAGE + b"\n"), (RawMessage, MESSAGE)]
    assert not damage


def test_nonblocking_pipe_is_waited_for() -> None:
    inner, outer = os.pipe()
    os.set_blocking(inner, False)
    timer = threading.Timer(0.05, lambda: (os.write(outer, b"hi there"), os.close(outer)))
    timer.start()
    with open(inner, "rb", buffering=0) as stream:
        assert read(stream)[0] == [(RawText, b"hi there")]
    timer.join()


@pytest.mark.parametrize("before", [b"", b"\n \n", b"\xef\xbb\xbf", b"From ada@cs.example.edu\n"])
def test_single_message_begins_with_its_header(before: bytes) -> None:
    """Whatever comes before it is skipped."""
    (item,) = read_source(io.BytesIO(before + MESSAGE), on_damage=pytest.fail)
    assert isinstance(item, RawMessage)
    assert (item.data, item.provenance.offset, item.provenance.message) == (MESSAGE, len(before), 1)


def test_given_form_overrides_the_content() -> None:
    assert kinds(MESSAGE, "text") == [(RawText, MESSAGE)]
    assert kinds(b"\nprose\n", "message") == [(RawMessage, b"\nprose\n")]
    assert kinds(b"prose\n", "mbox") == [(RawText, b"prose\n")]


@pytest.mark.parametrize("form", SOURCE_FORMATS)
@pytest.mark.parametrize("data", [b"", b"\n\r\n \n", b"\0"])
def test_empty_source_is_no_damage(data: bytes, form: str, tmp_path: Path) -> None:
    path = tmp_path / "empty"
    path.write_bytes(data)
    items, damage = read(path, form)
    assert b"".join(item[1] for item in items).strip(b" \r\n\0") == b""
    assert not damage or form in DIRECTORY_FORMATS


WIRE = b"Path: a!b\r\nSubject: x\r\n\r\n..\r\n..dot\r\na..b\r\n. x\r\n.\r\n"


def test_wire_format_is_undone() -> None:
    """Dots are undoubled where every line ends in CR LF and a server wrote the article."""
    plain = b"Path: a!b\r\nSubject: x\r\n\r\n.\r\n.dot\r\na..b\r\n. x\r\n"
    assert kinds(WIRE) == [(RawMessage, plain)]
    assert kinds(WIRE.removesuffix(b".\r\n")) == [(RawMessage, plain)]
    no_path = WIRE.replace(b"Path: a!b\r\n", b"From: c\r\n")
    assert kinds(no_path) == [(RawMessage, plain.replace(b"Path: a!b", b"From: c"))]


@pytest.mark.parametrize("data", [
    WIRE.replace(b"\r\n", b"\n"), WIRE.replace(b"x\r\n\r\n", b"x\r\n\n"),
    b"From: c\r\nSubject: x\r\n\r\n..dot\r\n", b"From: c\r\nSubject: x\r\n\r\nPath: a\r\n..dot\r\n",
    b"Path: a\r\nSubject: b\r\n\r\nEnd.\r\n",
])  # fmt: skip
def test_article_not_in_wire_format_keeps_its_dots(data: bytes) -> None:
    assert kinds(data) == [(RawMessage, data)]


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read all")
def test_file_without_permission_is_damage(tmp_path: Path) -> None:
    path = tmp_path / "secret"
    path.write_bytes(b"x")
    path.chmod(0)
    items, (damage,) = read(path)
    assert (items, damage.source, damage.cause) == ([], str(path), "Permission denied")


@pytest.mark.parametrize("form", SOURCE_FORMATS)
def test_missing_file_is_damage(form: str, tmp_path: Path) -> None:
    items, (damage,) = read(tmp_path / "none", form)
    assert (items, damage.source) == ([], str(tmp_path / "none"))
    assert damage.cause == "No such file or directory"
    assert damage.offset is None


def test_file_instead_of_a_directory_is_damage(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(MESSAGE)
    for form in DIRECTORY_FORMATS:
        items, (damage,) = read(path, form)
        assert (items, damage.cause) == ([], "is no directory")


def test_socket_and_device_are_damage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind("s")
        assert [damage.cause for damage in read("s")[1]] == ["is a socket"]
    assert [damage.cause for damage in read("/dev/zero")[1]] == ["is a device"]
    assert read(os.devnull) == ([], [])


def test_read_error_is_damage_with_its_offset() -> None:
    """Items before it are yielded."""

    class Failing(Dripping):
        def readinto(self, buffer: bytearray) -> int:  # type: ignore[override]
            count = super().readinto(buffer)
            if not count:
                raise OSError(5, "Input/output error")
            return count

    data = POSTMARK + MESSAGE
    items, (damage,) = read(Failing(data, 7))  # type: ignore[arg-type]
    assert items == [(RawMessage, MESSAGE)]
    assert (damage.cause, damage.offset, damage.source) == ("Input/output error", len(data), "<stream>")


def test_closed_stream_and_name_with_a_nul_are_damage() -> None:
    stream = io.BytesIO(b"x")
    stream.close()
    for source in (stream, "a\0b"):
        items, damage = read(source)
        assert (items, len(damage)) == ([], 1)


def test_unknown_format_and_text_stream_raise() -> None:
    with pytest.raises(ValueError, match=r"format: unknown value .*: choose one of auto, text"):
        read_source("-", "mobx", on_damage=pytest.fail)
    with pytest.raises(TypeError, match="text stream"):
        read_source(io.StringIO("x"), on_damage=pytest.fail)  # type: ignore[arg-type]


@pytest.mark.parametrize("block", ["x", "", 5, [1]])
def test_stream_that_does_not_read_bytes_raises(block: object) -> None:
    class Stream:
        def read(self, _: int) -> object:
            return block

    words = rf"no binary stream: read\(\) returned {type(block).__name__}, not bytes"
    with pytest.raises(TypeError, match=words):
        list(read_source(Stream(), on_damage=pytest.fail))  # type: ignore[arg-type]


def test_memory_is_constant_for_a_200_mb_pipe() -> None:
    """It grows by less than 8 MB."""
    program = (
        "import sys, resource\nfrom urlextract.sources.reading import read_source\n"
        "base = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        "size = sum(len(c) for t in read_source('-', on_damage=print) for c in t.chunks)\n"
        "print(size, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - base)"
    )
    command = [sys.executable, "-c", program]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT) as child:
        assert child.stdin
        assert child.stdout
        for _ in range(200):
            child.stdin.write(b"a line of text http://x/\n" * 40_000)
        child.stdin.close()
        size, grown = map(int, child.stdout.read().split())
    assert size == 200_000_000
    assert grown < 8 * 1024  # KiB
