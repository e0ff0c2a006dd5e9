"""What strangers write reaches no terminal and no shell; what is cut short leaves things in order."""

from __future__ import annotations

import ast
import json
import os
import signal
import subprocess
import sys
import time

import pytest
from realtools import LIMIT, ROOT, on_a_terminal

COMMAND = [sys.executable, "-m", "urlextract"]
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT), "NO_COLOR": "1"}
ESCAPES = "\x1b]0;x\x07\x1b[2J\x9b31m\x90\x08\x7f\u202e\u2066"
HOSTILE = f"""\
From a@b.example Mon Nov 14 09:12:44 1994
From: {ESCAPES}http://f.example/
Message-ID: <{ESCAPES}@b.example>
Subject: {ESCAPES} http://s.example/{ESCAPES}
Content-Type: text/plain; charset=utf-8

See <URL:http://a.example/{ESCAPES}/b> or <http://{ESCAPES}/> or
> "http://c.example/{ESCAPES}
> d" {ESCAPES}
""".encode()
BYTES_OF_ESCAPES = {*map(chr, range(0x20)), *map(chr, range(0x7F, 0xA0)), "\u202e", "\u2066"} - set("\n\t")
MODES = [
    [], ["-j"], ["-u"], ["-uj"], ["-I"], ["-n"], ["-c"], ["--raw"], ["--explain"], ["-0"],
    ["-j", "--parse"], ["-F", "text"],
    ["parse"], ["parse", "--json"], ["format"], ["format", "--overflow", "keep", "-w", "20"],
    ["rewrap"], ["rewrap", "--policy", "wrap", "-w", "30"], ["rewrap", "--policy", "flowed"],
    ["refs"], ["refs", "--inline"],
]  # fmt: skip


def shown_on_a_terminal(words, data):
    shown = on_a_terminal(words, data, NO_COLOR="1").decode("utf-8", "surrogateescape")
    return shown.replace("\r\n", "\n").replace("\0", "")


@pytest.mark.parametrize("words", MODES, ids=" ".join)
def test_no_escape_of_a_message_reaches_a_terminal(words):
    shown = shown_on_a_terminal(words, HOSTILE)
    assert shown
    assert not set(shown) & BYTES_OF_ESCAPES


@pytest.mark.parametrize(
    "words",
    [["-H"], ["-c"], ["-j"], ["--explain"], ["rewrap"], ["rewrap", "-i"], ["-T"], ["-o"], ["--state"]],
)
def test_no_escape_of_a_name_reaches_a_terminal(words, tmp_path):
    name = os.fsencode(tmp_path) + "/\x1b[2J\x9b31m\n\x07.txt".encode()
    for content in (b"http://a.example/", b"\x1f\x8b\x08 no gzip", None):
        if content is not None:
            with open(name, "wb") as stream:
                stream.write(content)
        elif os.path.exists(name):
            os.unlink(name)
        shown = shown_on_a_terminal([*words, name], b"http://a.example/")
        assert not set(shown) & BYTES_OF_ESCAPES


def run(words, data=b"", **where):
    return subprocess.run(
        [*COMMAND, *words],
        input=data,
        capture_output=True,
        env=ENVIRONMENT,
        timeout=LIMIT,
        check=False,
        **where,
    )


def test_json_is_valid_utf8_whatever_comes(tmp_path):
    name = os.fsencode(tmp_path) + b"/\xff\n\xed\xa0\x80.eml"
    with open(name, "wb") as stream:
        stream.write(b"From: \xff\xfe\nMessage-ID: <\xe9>\nContent-Type: text/plain; charset=x-none\n\n")
        stream.write(b"http://a.example/\xff\xed\xa0\x80 <URL:http://b.example/\xc3\nx> \xf0\x9f\xa6\n")
    for words in (["-j"], ["-uj"], ["-j", "--parse"]):
        done = run([*words, os.fsdecode(name)])
        records = [json.loads(line) for line in done.stdout.decode("utf-8").splitlines()]
        assert len(records) == 2
        for record in records:
            json.dumps(record, ensure_ascii=False).encode("utf-8")
    done = run(["parse", "--json", b"http://a.example/\xff"])
    json.dumps(json.loads(done.stdout.decode("utf-8")), ensure_ascii=False).encode("utf-8")


def test_names_with_line_ends_are_told_apart_by_nul(tmp_path):
    for name in ("one\ntwo", "three"):
        (tmp_path / name).write_text("http://a.example/ http://b.example/")
    done = run(["-0", "-H", "one\ntwo", "three"], cwd=tmp_path)
    assert done.stdout.split(b"\0")[:-1] == [
        f"{name}:{url}".encode()
        for name in ("one\ntwo", "three")
        for url in ("http://a.example/", "http://b.example/")
    ]
    names = b"one\ntwo\0three\0"
    assert run(["-T", "-", "--from0"], names, cwd=tmp_path).stdout.count(b"\n") == 4


def test_nothing_goes_through_a_shell():
    calls = []
    for path in (ROOT / "urlextract").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_bytes())):
            if isinstance(node, ast.Call):
                calls.append(ast.unparse(node.func))
                assert "shell" not in {keyword.arg for keyword in node.keywords}, path
    assert not {"os.system", "os.popen", "os.spawnlp", "subprocess.getoutput", "eval", "exec"} & set(calls)
    assert any(
        call.startswith("subprocess.") for call in calls
    )  # git, for public inboxes: by a list of words


@pytest.fixture
def mailbox(tmp_path):
    """A mailbox that takes some seconds."""
    message = (
        b"From a@b.example Mon Nov 14 09:12:44 1994\nFrom: a@b.example\nSubject: x\n\n"
        + b"See <http://a.example/\n x> and www.b.example.\n" * 20
        + b"\n"
    )
    (tmp_path / "box").write_bytes(message * 20_000)
    return tmp_path / "box"


@pytest.mark.usefixtures("heeded_signals")
@pytest.mark.parametrize("words", [
    [], ["-j"], ["-J", "3"], ["-j", "-J", "3"], ["-o", "out"], ["--state", "state", "-J", "2"],
], ids=" ".join)  # fmt: skip
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_ends_all_processes_at_once(words, number, mailbox):
    """As from a terminal: Ctrl-C goes to each process of the group."""
    with subprocess.Popen(
        [*COMMAND, *words, str(mailbox)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=ENVIRONMENT,
        cwd=mailbox.parent, start_new_session=True,
    ) as process:  # fmt: skip
        if "-o" in words:
            time.sleep(0.5)
        else:
            assert process.stdout.readline()
        os.killpg(process.pid, number)
        process.stdout.read()
        assert process.stderr.read() == b""
        assert process.wait(LIMIT) in (-number, 128 + number)
    deadline = time.monotonic() + 10
    while True:
        try:
            os.killpg(process.pid, 0)
        except ProcessLookupError:
            break
        assert time.monotonic() < deadline, "a process is left"
        time.sleep(0.05)


@pytest.mark.parametrize("words", [
    [], ["-j"], ["-J", "3"], ["rewrap"], ["refs"], ["--explain"],
], ids=" ".join)  # fmt: skip
def test_an_output_that_is_closed_ends_it_quietly(words, tmp_path):
    (tmp_path / "letter").write_bytes(b"one two <URL:http://a.example/\nb> and www.b.example\n\n" * 20_000)
    with subprocess.Popen(
        [*COMMAND, *words, "letter"],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=ENVIRONMENT,
    ) as process:
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(LIMIT) in (-signal.SIGPIPE, 128 + signal.SIGPIPE)


@pytest.fixture
def full_disk(tmp_path):
    """A file system of a megabyte."""
    place = tmp_path / "disk"
    place.mkdir()
    done = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=1m", "none", str(place)],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        pytest.skip(f"no small file system can be mounted: {done.stderr.strip()}")
    yield place
    subprocess.run(["umount", str(place)], check=True)


@pytest.mark.parametrize(
    "words", [["-o", "out"], ["-j", "-o", "out"], ["-j", "-J", "2", "-o", "out"]], ids=" ".join
)
def test_a_disk_that_is_full_is_told(words, full_disk, mailbox):
    done = run([*words, str(mailbox)], cwd=full_disk)
    assert done.returncode == 2
    assert done.stderr.decode() == "urlextract: out: No space left on device\n"
    assert (full_disk / "out").stat().st_size > 0


def test_a_state_on_a_full_disk_is_told_and_stays_as_it_was(full_disk, tmp_path):
    (tmp_path / "box").write_text("From a@b Mon Nov 14 09:12:44 1994\nSubject: http://a.example/\n\n\n")
    assert run(["--state", "state", str(tmp_path / "box")], cwd=full_disk).returncode == 0
    before = (full_disk / "state").read_bytes()
    room = os.statvfs(full_disk)
    (full_disk / "rest").write_bytes(b"x" * room.f_bavail * room.f_frsize)
    with open(tmp_path / "box", "a") as stream:
        stream.write("From a@b Mon Nov 14 09:12:44 1994\nSubject: http://b.example/\n\n\n")
    done = run(["--state", "state", str(tmp_path / "box")], cwd=full_disk)
    assert (done.returncode, done.stdout) == (2, b"")  # told before anything is read: nothing is lost
    assert done.stderr == b"urlextract: state: the state cannot be written: No space left on device\n"
    assert (full_disk / "state").read_bytes() == before
    assert sorted(os.listdir(full_disk)) == ["rest", "state"]
    (full_disk / "rest").unlink()
    done = run(["--state", "state", str(tmp_path / "box")], cwd=full_disk)
    assert (done.returncode, done.stdout) == (0, b"http://b.example/\n")


def test_a_text_on_a_full_disk_stays_as_it_was(full_disk):
    text = b"one two three <URL:http://a.example/\nb> and more\n" * 15_000
    (full_disk / "letter").write_bytes(text)
    done = run(["rewrap", "-i", "letter"], cwd=full_disk)
    assert done.returncode == 2
    assert b"No space left on device" in done.stderr
    assert done.stderr.count(b"\n") == 1
    assert (full_disk / "letter").read_bytes() == text
    assert os.listdir(full_disk) == ["letter"]


@pytest.mark.usefixtures("heeded_signals")
def test_a_text_whose_filling_is_killed_stays_as_it_was(tmp_path):
    text = b"one two three <URL:http://a.example/\nb> and more\n" * 60_000
    (tmp_path / "letter").write_bytes(text)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGKILL):
        with subprocess.Popen(
            [*COMMAND, "rewrap", "-i", "letter"], cwd=tmp_path, stderr=subprocess.PIPE, env=ENVIRONMENT
        ) as process:
            time.sleep(0.4)
            process.send_signal(number)
            assert process.stderr.read() == b""
            assert process.wait(LIMIT) in (-number, 128 + number)
        assert (tmp_path / "letter").read_bytes() == text
        assert os.listdir(tmp_path) == ["letter"]


@pytest.mark.parametrize(
    "words", [["-o", "f"], ["-o", "f", "-"], ["-T", "f", "-o", "f"], ["-T", "-", "-o", "f"]], ids=" ".join
)
def test_what_is_read_is_not_written_over(words, tmp_path):
    (tmp_path / "f").write_bytes(b"http://a.example/\n")
    with (tmp_path / "f").open("rb") as stream:
        done = subprocess.run(
            [*COMMAND, *words], stdin=stream, capture_output=True, env=ENVIRONMENT, cwd=tmp_path, check=False
        )
    assert done.returncode == 2
    assert done.stderr.endswith(b" is also the output\n")
    assert (tmp_path / "f").read_bytes() == b"http://a.example/\n"


def test_json_on_a_terminal_is_json():
    url = b"http://a.example/\xc2\x9b\x7f\xff"
    for words, data in ((["parse", "--json", url], b""), (["-j", "--raw"], b"<" + url + b">")):
        shown = on_a_terminal(words, data)
        assert b"\x7f" not in shown
        assert "http://a.example/" in json.loads(shown)["url"]


def test_bytes_that_are_no_utf8_reach_no_terminal():
    shown = on_a_terminal(["rewrap"], b"one \x9b31m two\n")
    assert shown == b"one \\x9b31m two\r\n"


@pytest.mark.parametrize("words", [["rewrap"], ["refs"], ["parse", "-"], ["format", "-"], []], ids=" ".join)
def test_an_input_that_is_closed_is_told(words):
    script = " ".join([*COMMAND, *words, "<&-"])
    done = subprocess.run(["sh", "-c", script], capture_output=True, env=ENVIRONMENT, check=False)
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.count(b"\n") == 1
