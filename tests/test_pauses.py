"""A stream that is followed while it grows: what ``--line-buffered`` prints, and after which pause.

In the cases a number stands for a pause that has lasted so many seconds. No test measures time: where a real
program pauses, the test waits until it has printed what it must.
"""

from __future__ import annotations

import os
import pty
import socket
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from threading import Timer
from typing import IO, Any

import pytest
from commands import COMMAND, ENVIRONMENT, outcome
from hypothesis import given
from hypothesis import strategies as st
from realtools import LIMIT, ROOT

from urlextract.errors import SourceError
from urlextract.output.outputs import OutputOptions
from urlextract.pipeline.options import options_of
from urlextract.run.results import lines_of
from urlextract.sources.compress import DecompressionBudget
from urlextract.sources.files import read_stream
from urlextract.sources.pauses import _PAUSES, LONG_AFTER, SHORT_AFTER, whole_lines
from urlextract.sources.streams import Place

SHORT, LONG = SHORT_AFTER, LONG_AFTER
PAUSES = dict(zip((SHORT, LONG), (pause for _, pause in _PAUSES), strict=True))

Piece = bytes | str | float


def fail(damage: SourceError) -> None:
    raise damage


def decided(*pieces: Piece, options: dict[str, Any] | None = None, **chosen: Any) -> list[Piece]:
    """Return the pauses of the stream, and after each what is printed; a long one begins as a short one."""
    log: list[Piece] = []

    def blocks() -> Iterator[bytes]:
        for piece in pieces:
            if isinstance(piece, float):
                for seconds in (SHORT, LONG)[: 1 + (piece == LONG)]:
                    log.append(seconds)
                    yield PAUSES[seconds]
            else:
                yield piece.encode() if isinstance(piece, str) else piece

    output = OutputOptions.of({"fields": ("url", "defects"), "line_buffered": True, **chosen})
    budget = DecompressionBudget(Place("-", fail, is_followed=True))
    items = read_stream(whole_lines(blocks()), output.format, budget)
    for _, line in lines_of(items, output, options_of(options or {}), fail):
        log.append(line.removesuffix("\t"))
    return log


MAY = "\tmay-continue"
TEXTS: list[tuple[str, list[Piece], list[Piece]]] = [
    ("a whole line, and the URL cannot go on",
     ["see http://a.example/1 now\n", SHORT, "x\n"], ["http://a.example/1", SHORT]),
    ("a URL that may go on",
     ["see http://a.example/1\n", LONG, "x\n"], [SHORT, LONG, "http://a.example/1" + MAY]),
    ("it does go on",
     ["<http://a.exam\n", SHORT, "ple/1>\n"], [SHORT, "http://a.example/1"]),
    ("a pause within a line, and within a URL",
     ["see http://a.exam", LONG, "ple/1 now\n"], [SHORT, LONG, "http://a.example/1"]),
    ("a whole line, and part of the next",
     ["no URL\nsee http://a.example/1 and http://b.exam", LONG, "ple/2 x\n"],
     [SHORT, LONG, "http://a.example/1", "http://b.example/2"]),
    ("a URL that may go on, and part of the line after it",
     ["http://a.example/dir/\nfi", LONG, "le is not it\n"], [SHORT, LONG, "http://a.example/dir/" + MAY]),
    ("a bracket that is open over whole lines",
     ["<URL:http://a.example/lo\n", SHORT, "ng/\n", SHORT, "path>\n"], [SHORT, SHORT, "http://a.example/long/path"]),
    ("it stays open",
     ["<URL:http://a.example/lo\n", LONG, "ng/path>\n"],
     [SHORT, LONG, "http://a.example/lo\tunclosed; may-continue"]),
    ("a bracket that has no URL yet", ["<URL:\n", LONG, "http://a.example/>\n"], [SHORT, LONG, "http://a.example/"]),
    ("it has no URL, but the line after it has",
     ["<URL:\nsee http://a.example/1 x\n", LONG, "http://b.example/>\n"],
     [SHORT, LONG, "http://a.example/1", "http://b.example/"]),
    ("a scheme alone", ["see https://\n", LONG, "github.com/x is it\n"], [SHORT, LONG, "https://github.com/x"]),
    ("a bare URL before a line of its paragraph",
     ["see http://a.example/one-\ntwos for it\n", SHORT, "x\n"], [SHORT, "http://a.example/one-" + MAY]),
    ("a URL before a blank line", ["http://a.example/dir/\n\n", SHORT, "x\n"], [SHORT, "http://a.example/dir/"]),
    ("a page break within brackets",
     ["<URL:http://a.example/b\n\nOne [Page 9]\n\f\n", SHORT, "RFC 1 Two 1994\n\nc>\n"], [SHORT, "http://a.example/bc"]),
    ("a CR and its LF", ["http://a.example/1 x\r", SHORT, "\n", SHORT], [SHORT, "http://a.example/1", SHORT]),
    ("lone CRs", ["http://a.example/1 x\rb", SHORT, "\r"], ["http://a.example/1", SHORT]),
    ("UTF-16", ["\ufeffhttp://a.example/1 x\n".encode("utf-16-le"), SHORT], ["http://a.example/1", SHORT]),
    ("UTF-16 that may go on",
     ["\ufeffhttp://a.example/1\n".encode("utf-16-le"), LONG], [SHORT, LONG, "http://a.example/1" + MAY]),
    ("the first line may begin a message",
     ["Subject: http://a.example/1 x\n", SHORT, "more text\n"], [SHORT, "http://a.example/1"]),
    ("it looks like a field", ["Note: see http://a.example/1 x\n", SHORT, "more\n"], [SHORT, "http://a.example/1"]),
    ("it is of a log", ["10:31 http://a.example/1 x\n", SHORT, "more\n"], ["http://a.example/1", SHORT]),
    ("blank lines only", ["\n\n", LONG, "http://a.example/1 x\n"], [SHORT, LONG, "http://a.example/1"]),
    ("no line yet", [LONG, "http://a.example/1 x\n"], [SHORT, LONG, "http://a.example/1"]),
    ("HTML is read up to its last tag",
     ["<html><a href=http://a.example/1>x</a>\n", LONG, "<p>y\n"], [SHORT, LONG, "http://a.example/1"]),
]  # fmt: skip


@pytest.mark.parametrize(("pieces", "log"), [row[1:] for row in TEXTS], ids=[row[0] for row in TEXTS])
def test_texts(pieces: list[Piece], log: list[Piece]) -> None:
    assert decided(*pieces) == log


POSTMARK = "From a@b.example Mon Nov 14 09:12:44 1994\n"
ONE, TWO = "Subject: one\n\nsee http://a.example/1 x\n", "Subject: two\n\nsee http://b.example/2 x\n"
UNFINISHED = "\tunfinished"
MESSAGES: list[tuple[str, list[Piece], list[Piece]]] = [
    ("the next one has begun",
     [POSTMARK, ONE, "\n", POSTMARK, TWO], ["http://a.example/1", "http://b.example/2"]),
    ("a pause between them",
     [POSTMARK, ONE, "\n", SHORT, POSTMARK, LONG, TWO],
     [SHORT, "http://a.example/1", SHORT, LONG, "http://b.example/2"]),
    ("a long one",
     [POSTMARK, ONE, "\n", LONG, POSTMARK, TWO],
     [SHORT, LONG, "http://a.example/1" + UNFINISHED, "http://b.example/2"]),
    ("a pause within a message",
     [POSTMARK, ONE, LONG, "and http://a.exam", LONG, "ple/2 x\n", LONG, "\n" + POSTMARK + TWO],
     [SHORT, LONG, "http://a.example/1" + UNFINISHED, SHORT, LONG, SHORT, LONG,
      "http://a.example/2" + UNFINISHED, "http://b.example/2"]),
    ("the same URL again in the rest",
     [POSTMARK, ONE, LONG, "http://a.example/1 x\n"],
     [SHORT, LONG, "http://a.example/1" + UNFINISHED, "http://a.example/1"]),
    ("the end of the input right after it",
     [POSTMARK, ONE, LONG], [SHORT, LONG, "http://a.example/1" + UNFINISHED]),
    ("a pause within a head",
     ["Subject: http://s.example/\nTo: c@d.example\n", LONG, "From: a@b.example\n\n", f"{ONE}"],
     [SHORT, LONG, "http://s.example/" + UNFINISHED, "http://a.example/1"]),
    ("one field alone is no message",
     ["Subject: http://s.example/\n", LONG, "From: a@b.example\n\nsee http://a.example/1 x\n"],
     [SHORT, LONG, "http://s.example/" + MAY, "http://a.example/1"]),
    ("a short pause within a head",
     ["Subject: http://s.example/\n", SHORT, "From: a@b.example\n\nhttp://a.example/1 x\n", LONG],
     [SHORT, SHORT, LONG, "http://s.example/" + UNFINISHED, "http://a.example/1" + UNFINISHED]),
    ("messages with nothing between them",
     [f"From: a@b.example\nMessage-ID: <1@a.example>\n{ONE}", LONG,
      f"From: a@b.example\nMessage-ID: <2@a.example>\n{TWO}", LONG],
     [SHORT, LONG, "http://a.example/1" + UNFINISHED, SHORT, LONG, "http://b.example/2" + UNFINISHED]),
    ("base64",
     [POSTMARK, "Content-Type: text/plain\nContent-Transfer-Encoding: base64\n\n",
      "c2VlIGh0dHA6Ly9hLmV4YW1wbGUvMSB4CmFuZCBzb21lIG1vcmUgdGV4\n", LONG,
      "dCBodHRwOi8vYi5leGFtcGxlLzIgeAo=\n"],
     [SHORT, LONG, "http://a.example/1" + UNFINISHED, "http://b.example/2"]),
    ("Content-Length is believed at the end only",
     [POSTMARK, "Subject: x\nContent-Length: 99\n\nsee http://a.example/1 x\n", LONG,
      "From here http://a.example/2 x\n" * 2 + "abcdefghijk\n\n", POSTMARK, TWO],
     [SHORT, LONG, "http://a.example/1" + UNFINISHED, "http://a.example/2", "http://a.example/2",
      "http://b.example/2"]),
]  # fmt: skip


@pytest.mark.parametrize(("pieces", "log"), [row[1:] for row in MESSAGES], ids=[row[0] for row in MESSAGES])
def test_messages(pieces: list[Piece], log: list[Piece]) -> None:
    assert decided(*pieces) == log


def test_messages_keep_their_numbers_and_offsets() -> None:
    pieces = (POSTMARK, ONE, LONG, "http://a.example/2 x\n\n", POSTMARK, TWO)
    assert decided(*pieces, fields=("message", "offset", "line", "url")) == [
        SHORT, LONG, "1\t42\t1\thttp://a.example/1", "1\t42\t2\thttp://a.example/2", "2\t145\t1\thttp://b.example/2",
    ]  # fmt: skip


@pytest.mark.parametrize("format", ["message", "mbox"])
def test_a_format_that_is_asked_for(format: str) -> None:
    pieces = ONE if format == "message" else POSTMARK + ONE
    log = decided(pieces, LONG, "http://a.example/2 x\n", format=format)
    assert log == [SHORT, LONG, "http://a.example/1" + UNFINISHED, "http://a.example/2"]


def test_a_large_message_is_shown_at_its_end() -> None:
    large = "a line of text\n" * 100_000
    log = decided(POSTMARK, ONE, large, LONG, "http://a.example/2 x\n", LONG, "\n" + POSTMARK + TWO)
    assert [line for line in log if isinstance(line, str)] == [
        "http://a.example/1", "http://a.example/2", "http://b.example/2",
    ]  # fmt: skip


def test_a_large_message_that_is_not_asked_for() -> None:
    old = "Date: Mon, 14 Nov 1994 09:12:44 +0000\nSubject: old\n\n" + "a line of text\n" * 100_000
    new = "Date: Mon, 14 Nov 2016 09:12:44 +0000\n" + TWO
    log = decided(
        POSTMARK, old, LONG, "more\n", LONG, "\n" + POSTMARK, new, LONG, options={"since": "2001-01-01"}
    )
    assert log == [SHORT, LONG, SHORT, LONG, SHORT, LONG, "http://b.example/2" + UNFINISHED]


@pytest.mark.parametrize(
    ("format", "pieces", "log"),
    [
        ("csv", ["a,http://a.example/1,b\n", SHORT], [SHORT, "http://a.example/1"]),
        (
            "calendar",
            ["BEGIN:VCALENDAR\nURL:http://a.exam\n", SHORT, " ple/1\n", LONG, "X:y\n"],
            [SHORT, SHORT, LONG, "http://a.example/1"],
        ),
        ("text", ["Subject: x http://a.example/1 y\n", SHORT], ["http://a.example/1", SHORT]),
    ],
)
def test_texts_of_other_kinds(format: str, pieces: list[Piece], log: list[Piece]) -> None:
    assert decided(*pieces, format=format) == log


@pytest.mark.parametrize(
    "options",
    [
        {"refang": True},
        {"relaxed": True, "emails": True},
        {"hyphen": "both"},
        {"join": "none"},
        {"quoted": "skip"},
    ],
    ids=str,
)
def test_options_of_urls(options: dict[str, Any]) -> None:
    log = decided("see hxxp://a[.]example/1, http://b.example/2 x\n", SHORT, "x\n", SHORT, options=options)
    assert "http://b.example/2" in log[:-1]
    assert log[-1] == SHORT


def test_without_joining_no_url_goes_on() -> None:
    assert decided("http://a.example/1\n", SHORT, options={"join": "none"}) == ["http://a.example/1", SHORT]


SAMPLES = sorted(path for path in (ROOT / "corpora").rglob("*") if path.suffix in (".txt", ".eml", ".md"))


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.name)
def test_a_pause_after_each_line_changes_nothing(path: Path) -> None:
    lines = path.read_bytes().splitlines(keepends=True)
    paused = [piece for line in lines for piece in (line, SHORT)]
    texts = [line for line in decided(*paused, format="text") if isinstance(line, str)]
    assert texts == decided(*lines, format="text")


WORDS = st.sampled_from(
    ["see ", "http://a.example/", "b-", "<URL:", "<http://c.example/", ">", '"', "x/y.html", "=3D", " ", "\n",
     "\r\n", "https://", "www.d.example", "> ", "\\", "(", ")", "From ", "Subject: "]
)  # fmt: skip


@given(st.lists(st.one_of(WORDS.filter(str.isprintable), st.just(LONG)), max_size=40))
def test_a_pause_within_a_line_changes_nothing(pieces: list[Piece]) -> None:
    text = "".join(piece for piece in pieces if isinstance(piece, str))
    log = decided(*pieces, format="text")
    assert [each for each in log if isinstance(each, str)] == decided(text, format="text")


@given(st.lists(st.one_of(WORDS, st.sampled_from([SHORT, LONG])), max_size=40))
def test_no_url_is_lost_or_said_twice_in_any_pauses(pieces: list[Piece]) -> None:
    """Each place is read once: spans go forward."""
    log = decided(*pieces, LONG, format="text", fields=("start", "end", "url"))
    spans = [tuple(map(int, line.split("\t")[:2])) for line in log if isinstance(line, str)]
    assert all(before[1] <= after[0] for before, after in pairwise(spans))


# --- the command, in real pipes -------------------------------------------------------------------


class Followed:
    """The command, which reads a stream; it is ended if it prints nothing for long."""

    def __init__(self, *words: object, stdin: Any = subprocess.PIPE) -> None:
        self.process = subprocess.Popen(
            [*COMMAND, *map(str, words)],
            stdin=stdin,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=ENVIRONMENT,
        )
        self._timer = Timer(LIMIT, self.process.kill)
        self._timer.start()

    def write(self, text: str) -> None:
        assert self.process.stdin
        self.process.stdin.write(text.encode())
        self.process.stdin.flush()

    def line(self) -> str:
        """Return the next line of the output, as soon as it is there."""
        stream: IO[bytes] = self.process.stdout  # type: ignore[assignment]
        return stream.readline().decode().rstrip("\n")

    def __enter__(self) -> Followed:
        return self

    def __exit__(self, *_: object) -> None:
        self._timer.cancel()
        self.process.kill()
        self.process.communicate()


@pytest.mark.parametrize(
    ("words", "printed"),
    [
        ([], ["http://a.example/1"]),
        (["-n"], ["1:http://a.example/1"]),
        (["-u"], ["http://a.example/1"]),
        (["--fields", "url,line"], ["http://a.example/1\t1"]),
        (["--csv", "--fields", "url"], ["url", "http://a.example/1"]),
        (["--explain"], ["-, line 1, column 5: taken, bare: http://a.example/1",
                         "    | see http://a.example/1 now", "    |     ^^^^^^^^^^^^^^^^^^"]),
    ],
    ids=str,
)  # fmt: skip
def test_results_come_before_the_next_line(words: list[str], printed: list[str]) -> None:
    with Followed("--line-buffered", *words) as command:
        command.write("see http://a.example/1 now\n")
        assert [command.line() for _ in printed] == printed


def test_a_url_that_may_go_on_comes_without_a_next_line() -> None:
    with Followed("--line-buffered", "--fields", "url,defect_codes") as command:
        command.write("2026-11-26T10:00:00 GET http://a.example/1\n")
        assert command.line() == "http://a.example/1\tmay-continue"
        command.write("2026-11-26T10:00:01 GET http://a.exam")
        command.write("ple/2 200\n")
        assert command.line() == "http://a.example/2\t"


def test_a_message_comes_without_the_next_one() -> None:
    with Followed("--line-buffered", "--fields", "message,url,defect_codes") as command:
        command.write(POSTMARK + ONE)
        assert command.line() == "1\thttp://a.example/1\tunfinished"
        command.write("\n" + POSTMARK + TWO + "\n" + POSTMARK)
        assert command.line() == "2\thttp://b.example/2\t"


def test_tail_of_a_log(tmp_path: Path) -> None:
    log = tmp_path / "log"
    log.write_text("begun\n")
    tail = subprocess.Popen(["tail", "-n", "+1", "-f", log], stdout=subprocess.PIPE)
    try:
        with Followed("--line-buffered", stdin=tail.stdout) as command, log.open("a") as writer:
            for number in range(3):
                print(f"INFO:root: GET http://a.example/{number} 200", file=writer, flush=True)
                assert command.line() == f"http://a.example/{number}"
    finally:
        tail.kill()
        tail.communicate()


def test_a_named_pipe(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with Followed("--line-buffered", pipe) as command, pipe.open("w") as writer:
        print("see http://a.example/1 now", file=writer, flush=True)
        assert command.line() == "http://a.example/1"


def test_a_socket() -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs, Followed("--line-buffered", stdin=theirs) as command:
        ours.sendall(b"see http://a.example/1 now\n")
        assert command.line() == "http://a.example/1"


def test_a_terminal() -> None:
    ours, theirs = pty.openpty()
    with Followed("--line-buffered", stdin=theirs) as command:
        os.write(ours, b"see http://a.example/1 now\n")
        assert command.line() == "http://a.example/1"
    for descriptor in (ours, theirs):
        with suppress(OSError):
            os.close(descriptor)


@pytest.mark.parametrize("words", [[], ["-J", "2"], ["-c"], ["-uj"], ["--top"]], ids=str)
def test_files_have_no_pauses(words: list[str]) -> None:
    files = ("README.md", "corpora")
    expected = outcome(*words, *files, cwd=ROOT)
    assert outcome("--line-buffered", *words, *files, cwd=ROOT) == expected


@pytest.mark.parametrize("layer", ["gzip -c", "bzip2 -c"])
def test_compressed_input_has_no_pauses(layer: str) -> None:
    packed = subprocess.run(layer.split(), input=b"see http://a.example/1\n", capture_output=True, check=True)
    assert outcome("--line-buffered", data=packed.stdout) == (0, "http://a.example/1\n", "")
