"""``--line-buffered``: each line of a text is decided as it comes, whatever time passes between two lines.

What is printed after each piece of a stream is the test: as a log of the pieces' numbers and the results.
"""

from __future__ import annotations

import os
import socket
import subprocess
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from threading import Timer
from typing import IO, Any

import pytest
from commands import COMMAND, ENVIRONMENT, outcome
from hypothesis import example, given
from hypothesis import strategies as st
from realtools import LIMIT, ROOT

from urlextract.errors import SourceError
from urlextract.output.outputs import OutputOptions
from urlextract.pipeline.options import options_of
from urlextract.run.results import lines_of
from urlextract.sources.compress import DecompressionBudget
from urlextract.sources.files import read_stream
from urlextract.sources.streams import Origin, whole_lines


def fail(damage: SourceError) -> None:
    raise damage


def decided(
    *pieces: str | bytes,
    fields: tuple[str, ...] = ("url", "defects"),
    options: dict[str, Any] | None = None,
    **chosen: Any,
) -> list[int | str]:
    """Return the numbers of the pieces, from 1, and after each the lines that it decides; 0 is the end."""
    log: list[int | str] = []

    def blocks() -> Iterator[bytes]:
        for number, piece in enumerate(pieces, start=1):
            log.append(number)
            yield piece.encode() if isinstance(piece, str) else piece
        log.append(0)

    output = OutputOptions.of({"fields": fields, "line_buffered": True, **chosen})
    budget = DecompressionBudget(Origin("-", fail, is_followed=True))
    items = read_stream(whole_lines(blocks()), output.format, budget)
    for _, line in lines_of(items, output, options_of(options or {}), fail):
        log.append(line.removesuffix("\t"))
    return log


def results(log: list[int | str]) -> list[str]:
    return [each for each in log if isinstance(each, str)]


MAY = "\tmay-continue"
TEXTS: list[tuple[str, list[str | bytes], list[int | str]]] = [
    ("a URL within its line", ["see http://a.example/1 now\n", "x\n"], [1, "http://a.example/1", 2, 0]),
    ("a URL that may go on", ["see http://a.example/1\n", "x\n"], [1, "http://a.example/1" + MAY, 2, 0]),
    ("one that would be joined",
     ["see http://a.example/one-\n", "two.html\n"], [1, "http://a.example/one-" + MAY, 2, 0]),
    ("an open bracket is waited for", ["<http://a.exam\n", "ple/1>\n"], [1, 2, "http://a.example/1", 0]),
    ("over three lines",
     ["see <URL:http://a.example/\n", "b/\n", "c>, http://d.example/ x\n"],
     [1, 2, 3, "http://a.example/b/c", "http://d.example/", 0]),
    ("one that is not closed",
     ["<http://a.example/1\n", "and so on, it is\n"], [1, 2, "http://a.example/1\tunclosed", 0]),
    ("a bracket before a closed one on the line",
     ["<http://a.example/1> <http://b.example/\n", "2>\n"],
     [1, "http://a.example/1", 2, "http://b.example/2", 0]),
    ("a quote is not waited for",
     ['msg="http://a.example/1\n', '2"\n'], [1, "http://a.example/1" + MAY, 2, 0]),
    ("a round bracket is not waited for",
     ["(http://a.example/b\n", "c/d)\n"], [1, "http://a.example/b" + MAY, 2, 0]),
    ("a scheme alone is no URL yet",
     ["see https://\n", "www.a.example/x y\n"], [1, 2, "https://www.a.example/x", 0]),
    ("a line that comes in pieces", ["see http://a.exam", "ple/1 now\n"], [1, 2, "http://a.example/1", 0]),
    ("a last line without an end", ["x\n", "see http://a.example/1"], [1, 2, 0, "http://a.example/1"]),
    ("several lines at once",
     ["http://a.example/1 x\nhttp://b.example/2\n", "x\n"],
     [1, "http://a.example/1", "http://b.example/2" + MAY, 2, 0]),
    ("a CR and its LF", ["http://a.example/1 x\r", "\n", "y\r\n"], [1, 2, "http://a.example/1", 3, 0]),
    ("UTF-16", ["\ufeffhttp://a.example/1 x\n".encode("utf-16-le"), b"y\0"], [1, "http://a.example/1", 2, 0]),
    ("the first line is of a log: no field has a colon in its name",
     ["INFO:root: http://a.example/1 x\n", "y\n"], [1, "http://a.example/1", 2, 0]),
    ("the first line is of a log: a time",
     ["[10:31:00] http://a.example/1 x\n", "y\n"], [1, "http://a.example/1", 2, 0]),
    ("the first line may begin a message",
     ["Subject: http://a.example/1 x\n", "more text\n"], [1, 2, "http://a.example/1", 0]),
    ("blank lines only", ["\n\n", "http://a.example/1 x\n"], [1, 2, "http://a.example/1", 0]),
    ("mail comes when it is whole",
     ["From a@b.example Mon Nov 14 09:12:44 1994\n", "Subject: x\n\nsee http://a.example/1 x\n", "\n",
      "From a@b.example Mon Nov 14 09:12:44 1994\n", "\nhttp://b.example/ x\n"],
     [1, 2, 3, 4, "http://a.example/1", 5, 0, "http://b.example/"]),
]  # fmt: skip


@pytest.mark.parametrize(("pieces", "log"), [row[1:] for row in TEXTS], ids=[row[0] for row in TEXTS])
def test_lines_are_decided_as_they_come(pieces: list[str | bytes], log: list[int | str]) -> None:
    assert decided(*pieces) == log


@pytest.mark.parametrize(
    ("format", "pieces", "log"),
    [
        ("csv", ["a,http://a.example/1,b\n", "c\n"], [1, "http://a.example/1", 2, 0]),
        ("text", ["Subject: x http://a.example/1 y\n"], [1, "http://a.example/1", 0]),
    ],
)  # fmt: skip
def test_texts_of_other_kinds(format: str, pieces: list[str | bytes], log: list[int | str]) -> None:
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
    log = decided("see hxxp://a[.]example/1, http://b.example/2 x\n", "x\n", options=options)
    assert "http://b.example/2" in log[: log.index(2)]


SAMPLES = sorted(
    path
    for path in (ROOT / "corpora").rglob("*")
    if path.suffix in (".txt", ".eml", ".md") and b"=3D" not in path.read_bytes()  # later lines decide that
)


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.name)
def test_a_url_is_as_in_the_whole_text_or_may_continue(path: Path) -> None:
    """Or it stands on lines that a text as a whole has made one of."""
    fields = ("start", "url", "defects")
    lines = path.read_bytes().splitlines(keepends=True)
    whole = outcome("-F", "text", "--fields", "start,url", path)[1].splitlines()
    alone = [line.split("\t") for line in results(decided(*lines, format="text", fields=fields))]
    starts = {line.partition("\t")[0] for line in whole}
    for start, url, *defects in alone:
        assert f"{start}\t{url}" in whole or defects == ["may-continue"] or start not in starts


WORDS = st.sampled_from(
    ["see ", "http://a.example/", "b-", "<URL:", "<http://c.example/", ">", '"', "x/y.html", "=3D", " ", "\n",
     "\r\n", "https://", "www.d.example", "> ", "\\", "(", ")", "From ", "Subject: "]
)  # fmt: skip


@given(st.lists(WORDS, max_size=40))
def test_where_a_stream_is_cut_within_lines_changes_nothing(pieces: list[str]) -> None:
    lines = "".join(pieces).splitlines(keepends=True)
    one_by_one = results(decided(*[character for line in lines for character in line], format="text"))
    assert one_by_one == results(decided(*lines, format="text"))


@given(st.lists(WORDS, max_size=40))
@example(["<http://c.example/", "<http://c.example/", "<URL:"])
def test_each_place_is_read_once(pieces: list[str]) -> None:
    """Spans go forward."""
    log = decided(*"".join(pieces).splitlines(keepends=True), format="text", fields=("start", "end"))
    spans = [tuple(map(int, line.split("\t"))) for line in results(log)]
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


def test_results_come_before_the_next_line() -> None:
    with Followed("--line-buffered", "-n") as command:
        command.write("2026-11-26T10:00:00 GET http://a.example/1\n")
        assert command.line() == "1:http://a.example/1"
        command.write("2026-11-26T10:00:01 GET http://a.exam")
        command.write("ple/2 200\n")
        assert command.line() == "2:http://a.example/2"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "printed"),
    [
        ([], ["http://a.example/1"]),
        (["-u"], ["http://a.example/1"]),
        (["--fields", "url,line"], ["http://a.example/1\t1"]),
        (["--csv", "--fields", "url"], ["url", "http://a.example/1"]),
        (["--explain"], ["-, line 1, column 5: taken, bare: http://a.example/1",
                         "    | see http://a.example/1 now", "    |     ^^^^^^^^^^^^^^^^^^"]),
    ],
    ids=str,
)  # fmt: skip
def test_all_outputs_come_before_the_next_line(words: list[str], printed: list[str]) -> None:
    with Followed("--line-buffered", *words) as command:
        command.write("see http://a.example/1 now\n")
        assert [command.line() for _ in printed] == printed


@pytest.mark.slow
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


@pytest.mark.slow
def test_a_named_pipe(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with Followed("--line-buffered", pipe) as command, pipe.open("w") as writer:
        print("see http://a.example/1 now", file=writer, flush=True)
        assert command.line() == "http://a.example/1"


@pytest.mark.slow
def test_a_socket() -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs, Followed("--line-buffered", stdin=theirs) as command:
        ours.sendall(b"see http://a.example/1 now\n")
        assert command.line() == "http://a.example/1"


def test_compressed_lines_are_decided_too() -> None:
    packed = subprocess.run(
        ["gzip", "-c"], input=b"see http://a.example/1\n", capture_output=True, check=True
    )
    assert outcome("--line-buffered", data=packed.stdout) == (0, "http://a.example/1\n", "")
