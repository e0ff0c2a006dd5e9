"""Hostile input reaches no terminal and no shell; an interrupted run leaves files in order (SPEC §8)."""

from __future__ import annotations

import ast
import json
import os
import signal
import subprocess
import sys
import time

import pytest
from commands import BEGUN, COMMAND, ENVIRONMENT, TELLING, run, started, until_it_has_worked
from realtools import LIMIT, ROOT, on_a_terminal
from sampled import mostly_slow

from urlextract import replacing
from urlextract.output.filtered import replace_filtered

INVISIBLE = "\u202e\u2066\u061c\u200b\u2028\u2029\u2060\ufeff\xad\U000e0041\U000e007f\x85"
ESCAPES = f"\x1b]0;x\x07\x1b[2J\x9b31m\x90\x08\x7f{INVISIBLE}"
HOSTILE = f"""\
From a@b.example Mon Nov 14 09:12:44 1994
From: {ESCAPES}http://f.example/
Message-ID: <{ESCAPES}@b.example>
Subject: {ESCAPES} http://s.example/{ESCAPES}
Content-Type: text/plain; charset=utf-8

See <URL:http://a.example/{ESCAPES}/b> or <http://{ESCAPES}/> or
> "http://c.example/{ESCAPES}
> d" {ESCAPES}
<http://a.example/\x9b31m\u202e> subject \x1b[2J http://b.example/\x07
""".encode()
BYTES_OF_ESCAPES = {*map(chr, range(0x20)), *map(chr, range(0x7F, 0xA0)), *INVISIBLE} - set("\n\t")
MODES = [
    [], ["-j"], ["-u"], ["-uj"], ["-I"], ["-nHI"], ["-c"], ["--raw"], ["--explain"], ["-0"], ["--csv"],
    ["--fields", "subject,url,raw"], ["--defang"], ["--top"], ["--top", "--by", "domain"],
    ["-j", "--parse"], ["-F", "text"],
    ["parse"], ["parse", "--json"], ["format"], ["format", "-w", "20"],
    ["rewrap"], ["rewrap", "--break", "-w", "30"],
]  # fmt: skip


def shown_on_a_terminal(words, data):
    shown = on_a_terminal(words, data).decode("utf-8", "surrogateescape")
    return shown.replace("\r\n", "\n").replace("\0", "")


@pytest.mark.parametrize("words", mostly_slow(MODES, 3), ids=" ".join)
def test_escape_in_a_message_never_reaches_a_terminal(words):
    shown = shown_on_a_terminal(words, HOSTILE)
    assert shown
    assert not set(shown) & BYTES_OF_ESCAPES


@pytest.mark.parametrize("words", mostly_slow([
    ["-H"], ["rewrap"], ["-I"], ["-c"], ["-j"], ["--explain"], ["rewrap", "-i"], ["-T"], ["-o"], ["--state"],
], 2), ids=" ".join)  # fmt: skip
def test_escape_in_a_file_name_never_reaches_a_terminal(words, tmp_path):
    name = os.fsencode(tmp_path) + "/\x1b[2J\x9b31m\n\x07.txt".encode()
    for content in (b"http://a.example/", b"\x1f\x8b\x08 no gzip", None):
        if content is not None:
            with open(name, "wb") as stream:
                stream.write(content)
        elif os.path.exists(name):
            os.unlink(name)
        shown = shown_on_a_terminal([*words, name], b"http://a.example/")
        assert not set(shown) & BYTES_OF_ESCAPES


def test_json_is_valid_utf8_for_any_input(tmp_path):
    name = os.fsencode(tmp_path) + b"/\xff\n\xed\xa0\x80.eml"
    with open(name, "wb") as stream:
        stream.write(b"From: \xff\xfe\nMessage-ID: <\xe9>\nContent-Type: text/plain; charset=x-none\n\n")
        stream.write(b"http://a.example/\xff\xed\xa0\x80 <URL:http://b.example/\xc3\nx> \xf0\x9f\xa6\n")
    for words in (["-j"], ["-uj"], ["-j", "--parse"]):
        done = run(*words, name)
        records = [json.loads(line) for line in done.stdout.decode("utf-8").splitlines()]
        assert len(records) == 2
        for record in records:
            json.dumps(record, ensure_ascii=False).encode("utf-8")
    done = run("parse", "--json", b"http://a.example/\xff")
    json.dumps(json.loads(done.stdout.decode("utf-8")), ensure_ascii=False).encode("utf-8")


def test_nul_separates_names_that_hold_line_ends(tmp_path):
    for name in ("one\ntwo", "three"):
        (tmp_path / name).write_text("http://a.example/ http://b.example/")
    done = run("-0", "-H", "one\ntwo", "three", cwd=tmp_path)
    assert done.stdout.split(b"\0") == [
        b"one\ntwo:http://a.example/", b"one\ntwo:http://b.example/",
        b"three:http://a.example/", b"three:http://b.example/", b"",
    ]  # fmt: skip


def test_no_code_calls_a_shell():
    calls = []
    for path in (ROOT / "urlextract").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_bytes())):
            if isinstance(node, ast.Call):
                calls.append(ast.unparse(node.func))
                assert "shell" not in {keyword.arg for keyword in node.keywords}, path
    assert not {"os.system", "os.popen", "os.spawnlp", "subprocess.getoutput", "eval", "exec"} & set(calls)
    # git, for public inboxes: by a list of words
    assert any(call.startswith("subprocess.") for call in calls)


@pytest.fixture
def mailbox(tmp_path):
    """Return a mailbox that takes some seconds to read."""
    head = b"From a@b.example Mon Nov 14 09:12:44 1994\nFrom: a@b.example\nSubject: x\n\n"
    body = b"See <http://a.example/\n x> and www.b.example.\n" * 20
    (tmp_path / "box").write_bytes((head + body + b"\n") * 20_000)
    return tmp_path / "box"


def begun(command, folder, **how):
    """Start a command, whose output and errors can be read."""
    pipes = dict.fromkeys(("stdout", "stderr"), subprocess.PIPE)
    return subprocess.Popen(command, cwd=folder, env=ENVIRONMENT, **pipes, **how)


def ended(words, **how):
    """Run the command as a process whose streams are files; return when it has ended."""
    command = [*COMMAND, *words]
    return subprocess.run(command, stderr=subprocess.PIPE, env=ENVIRONMENT, timeout=LIMIT, check=False, **how)


@pytest.mark.slow
@pytest.mark.usefixtures("heeded_signals")
@pytest.mark.parametrize("words", [
    [], ["-j"], ["-J", "3"], ["-j", "-J", "3"], ["-o", "out"], ["--state", "state", "-J", "2"],
], ids=" ".join)  # fmt: skip
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_signal_ends_all_processes_at_once(words, number, mailbox):
    """Like Ctrl-C on a terminal, it is sent to each process of the group."""
    with begun([*TELLING, *words, "box"], mailbox.parent, start_new_session=True) as process:
        assert process.stdout.readline() == BEGUN
        if "-o" in words:
            until_it_has_worked(process, 0.2)
        else:
            assert process.stdout.readline()
        os.killpg(process.pid, number)
        process.stdout.read()
        assert process.stderr.read() == b""
        assert process.wait(LIMIT) in (-number, 128 + number)
    deadline = time.monotonic() + LIMIT
    while True:
        try:
            os.killpg(process.pid, 0)
        except ProcessLookupError:
            break
        assert time.monotonic() < deadline, "a process is left"
        time.sleep(0.05)


@pytest.mark.slow
@pytest.mark.parametrize("words", [
    [], ["-j"], ["-J", "3"], ["rewrap"], ["--explain"],
], ids=" ".join)  # fmt: skip
def test_closed_output_ends_any_command_quietly(words, tmp_path):
    (tmp_path / "letter").write_bytes(b"one two <URL:http://a.example/\nb> and www.b.example\n\n" * 20_000)
    with begun([*COMMAND, *words, "letter"], tmp_path) as process:
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(LIMIT) in (-signal.SIGPIPE, 128 + signal.SIGPIPE)


@pytest.fixture
def full_disk(tmp_path):
    """Yield a file system of one megabyte."""
    place = tmp_path / "disk"
    place.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=1m,mode=0755", "none", str(place)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip(f"no small file system can be mounted: {done.stderr.strip()}")
    yield place
    subprocess.run(["umount", str(place)], check=True)


@pytest.mark.parametrize(
    "words", mostly_slow([["-o", "out"], ["-j", "-o", "out"], ["-j", "-J", "2", "-o", "out"]]), ids=" ".join
)
def test_full_disk_is_reported(words, full_disk, mailbox):
    done = run(*words, str(mailbox), cwd=full_disk)
    assert (done.returncode, done.stderr) == (2, b"urlextract: out: No space left on device\n")
    assert (full_disk / "out").stat().st_size > 0


def test_state_on_a_full_disk_is_unchanged_and_reported(full_disk, tmp_path):
    words = ("--state", "state", str(tmp_path / "box"))
    (tmp_path / "box").write_text("From a@b Mon Nov 14 09:12:44 1994\nSubject: http://a.example/\n\n\n")
    assert run(*words, cwd=full_disk).returncode == 0
    before = (full_disk / "state").read_bytes()
    room = os.statvfs(full_disk)
    (full_disk / "rest").write_bytes(b"x" * room.f_bavail * room.f_frsize)
    with open(tmp_path / "box", "a") as stream:
        stream.write("From a@b Mon Nov 14 09:12:44 1994\nSubject: http://b.example/\n\n\n")
    done = run("none", *words, cwd=full_disk)
    assert (done.returncode, done.stdout) == (2, b"")  # reported before anything is read: nothing is lost
    assert done.stderr == b"urlextract: state: cannot be written: the disk is full\n"
    assert (full_disk / "state").read_bytes() == before
    assert sorted(os.listdir(full_disk)) == ["rest", "state"]
    (full_disk / "rest").unlink()
    done = run(*words, cwd=full_disk)
    assert (done.returncode, done.stdout) == (0, b"http://b.example/\n")


def test_the_draft_of_a_run_that_was_killed_is_removed_by_the_next(tmp_path):
    (tmp_path / "letter").write_text("<URL:http://a.example/\nb>\n")
    killed = "import os; os.replace = lambda *_: os.kill(os.getpid(), 9);"
    program = f"{killed} from urlextract.__main__ import main; main()"
    words = [sys.executable, "-c", program, "rewrap", "-i", "letter"]
    assert subprocess.run(words, cwd=tmp_path, check=False, timeout=LIMIT).returncode == -signal.SIGKILL
    assert list(tmp_path.glob(".urlextract-*"))
    number, held = replacing.new_draft(str(tmp_path))  # of a run that still writes
    assert started("rewrap", "-i", "letter", cwd=tmp_path).returncode == 0
    assert {path.name for path in tmp_path.iterdir()} == {"letter", os.path.basename(held)}
    os.close(number)
    (tmp_path / "letter").write_text("<URL:http://a.example/\nb>\n")
    assert started("rewrap", "-i", "letter", cwd=tmp_path).returncode == 0
    assert os.listdir(tmp_path) == ["letter"]


def test_a_file_that_is_named_much_like_a_draft_stays(tmp_path):
    names = [".urlextract-work", ".urlextract-home", ".urlextract-0123456789ab.txt", ".urlextract-"]
    for name in names:
        (tmp_path / name).touch()
    replacing.replace_file(str(tmp_path / ".urlextract-home"), b"")
    assert sorted(os.listdir(tmp_path)) == sorted(names)


def test_text_on_a_full_disk_is_unchanged(full_disk):
    text = b"one two three <URL:http://a.example/\nb> and more\n" * 15_000
    (full_disk / "letter").write_bytes(text)
    done = run("rewrap", "-i", "letter", cwd=full_disk)
    assert (done.returncode, done.stderr) == (2, b"urlextract: letter: No space left on device\n")
    assert (full_disk / "letter").read_bytes() == text
    assert os.listdir(full_disk) == ["letter"]


@pytest.mark.slow
@pytest.mark.usefixtures("heeded_signals")
def test_text_is_unchanged_if_rewrap_is_killed(tmp_path):
    text = b"one two three <URL:http://a.example/\nb> and more\n" * 60_000
    (tmp_path / "letter").write_bytes(text)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGKILL):
        with begun([*TELLING, "rewrap", "-i", "letter"], tmp_path) as process:
            assert process.stdout.readline() == BEGUN
            until_it_has_worked(process, 0.2)
            process.send_signal(number)
            assert process.stderr.read() == b""
            assert process.wait(LIMIT) in (-number, 128 + number)
        assert (tmp_path / "letter").read_bytes() == text
        assert os.listdir(tmp_path) == ["letter"]


@pytest.mark.parametrize(
    "words", [["-o", "f"], ["-o", "f", "-"], ["-T", "f", "-o", "f"], ["-T", "-", "-o", "f"]], ids=" ".join
)
def test_input_is_never_overwritten(words, tmp_path):
    (tmp_path / "f").write_bytes(b"http://a.example/\n")
    with (tmp_path / "f").open("rb") as stream:
        done = ended(words, cwd=tmp_path, stdin=stream, stdout=subprocess.PIPE)
    assert (done.returncode, done.stderr[-20:]) == (2, b" is also the output\n")
    assert (tmp_path / "f").read_bytes() == b"http://a.example/\n"


@pytest.mark.parametrize("words", [[], ["-"], ["-j"], ["/dev/stdin"]], ids=" ".join)
@pytest.mark.parametrize("mode", ["ab", "r+b"])
def test_input_that_is_also_the_output_is_refused(words, mode, tmp_path):
    """As in ``< f >> f``."""
    (tmp_path / "f").write_bytes(b"http://a.example/\n")
    with (tmp_path / "f").open("rb") as source, (tmp_path / "f").open(mode) as target:
        done = ended(words, stdin=source, stdout=target)
    assert done.returncode == 2
    assert done.stderr.endswith(b": the input is also the output\n")
    assert (tmp_path / "f").read_bytes() == b"http://a.example/\n"


def test_json_on_a_terminal_is_valid_and_an_undecodable_byte_of_text_escaped():
    url = b"http://a.example/\xc2\x9b\x7f\xff"
    for words, data in ((["parse", "--json", url], b""), (["-j"], b"<" + url + b">")):
        shown = on_a_terminal(words, data)
        assert b"\x7f" not in shown
        assert "http://a.example/" in json.loads(shown)["url"]
    assert on_a_terminal(["rewrap"], b"one \x9b31m two\n") == b"one \\x9b31m two\r\n"


@pytest.mark.parametrize("words", [["rewrap"], ["parse", "-"], ["format", "-"], []], ids=" ".join)
def test_closed_stdin_is_reported(words):
    script = " ".join([*COMMAND, *words, "<&-"])
    done = subprocess.run(["sh", "-c", script], capture_output=True, env=ENVIRONMENT, check=False)
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.count(b"\n") == 1


def written_in(folder, words, monkeypatch):
    """Run in ``folder`` with stdout to the file "printed"; return the exit status and the lines on stderr."""
    monkeypatch.chdir(folder)
    with open("printed", "wb") as stream:
        done = ended([*words, "."], stdout=stream)
    return done.returncode, sorted(done.stderr.decode().splitlines())


@pytest.mark.parametrize(
    "more", mostly_slow([[], ["-j"], ["-J", "2"], ["-j", "-J", "2"], ["-F", "text"], ["-L"]]), ids=" ".join
)
@pytest.mark.parametrize("words", [[], ["-o", "out"], ["-o", "out", "--state", "state"]], ids=" ".join)
def test_files_written_by_the_run_are_not_read(words, more, tmp_path, monkeypatch):
    """Otherwise the output would grow for ever, or hold each URL twice."""
    for name in ("1.txt", "2.txt"):
        (tmp_path / name).write_text(f"see http://a.example/{name} and http://b.example/{name} " * 3_000)
    (tmp_path / "zone").mkdir()
    output = "out" if "-o" in words else "printed"
    (tmp_path / output).touch()
    (tmp_path / "zone" / "again").hardlink_to(tmp_path / output)
    (tmp_path / "zone" / "linked").symlink_to(tmp_path / output)
    sizes = set()
    for _ in range(2):
        status, said = written_in(tmp_path, [*words, *more], monkeypatch)
        assert status == (0 if not sizes or "--state" not in words else 1)
        passed = {output, "printed", *({"state"} if "--state" in words else ())}
        assert said == sorted(
            f"urlextract: ./{name}: is written to by this run, and not read" for name in passed
        )
        sizes.add((tmp_path / output).stat().st_size)
    assert len(sizes) == 1
    url = b'"url":"http://b.example/2.txt"' if "-j" in more else b"http://b.example/2.txt\n"
    assert (tmp_path / output).read_bytes().count(url) == 3_000


@pytest.fixture
def folder_for_all(tmp_path):
    """Return a directory where everybody may write, like /tmp."""
    if os.geteuid() != 0:
        pytest.skip("only root gives files to others")
    tmp_path.chmod(0o755)
    place = tmp_path / "all"
    place.mkdir()
    place.chmod(0o1777)
    return place


WRITES = [["-o", "{}", "letter"], ["--state", "{}", "letter"], ["rewrap", "-i", "{}"]]
OTHER, OWNER = 54321, 54322


@pytest.mark.parametrize("words", WRITES, ids=" ".join)
@pytest.mark.parametrize("way", ["file", "folder", "link to a link"])
def test_link_of_another_user_is_not_written_through(words, way, folder_for_all, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "letter").write_text("see http://a.example/\n")
    (tmp_path / "mine").mkdir()
    victim = tmp_path / "mine" / "victim"
    victim.write_text("{}")
    link = folder_for_all / "link"
    link.symlink_to(victim.parent if way == "folder" else victim)
    os.lchown(link, OTHER, OTHER)
    name = link / "victim" if way == "folder" else link
    if way == "link to a link":
        name = tmp_path / "first"
        name.symlink_to(link)
    done = run(*(word.format(name) for word in words))
    assert done.returncode == 2
    assert done.stderr.decode().endswith(f"{name}: is a link that somebody else made, and is not followed\n")
    assert done.stderr.count(b"\n") == 1
    assert victim.read_text() == "{}"
    assert link.is_symlink()


@pytest.mark.parametrize("owner", [0, OWNER])
def test_link_of_the_user_or_the_folders_owner_is_followed(owner, folder_for_all, tmp_path):
    os.chown(folder_for_all, OWNER, OWNER)
    (tmp_path / "letter").write_text("see http://a.example/\n")
    link = folder_for_all / "link"
    link.symlink_to(tmp_path / "target")
    os.lchown(link, owner, owner)
    done = run("-o", str(link), str(tmp_path / "letter"))
    assert (done.returncode, done.stderr) == (0, b"")
    assert (tmp_path / "target").read_text() == "http://a.example/\n"


def test_output_may_be_a_system_link(tmp_path):
    (tmp_path / "letter").write_text("see http://a.example/\n")
    assert run("-o", "/dev/stdout", str(tmp_path / "letter")).stdout == b"http://a.example/\n"


def test_hard_links_of_a_replaced_text_are_reported(tmp_path):
    text = b"one two three <URL:http://a.example/\nb>\n"
    (tmp_path / "letter").write_bytes(text)
    (tmp_path / "again").hardlink_to(tmp_path / "letter")
    done = run("rewrap", "-i", "letter", cwd=tmp_path)
    told = b"urlextract: letter: the file has 2 names (hard links): the others keep the old text\n"
    assert (done.returncode, done.stderr) == (0, told)
    assert (tmp_path / "again").read_bytes() == text
    assert b"a.example/b" in (tmp_path / "letter").read_bytes()


def test_text_that_cannot_be_replaced_is_named(tmp_path, monkeypatch):
    """The error names the text, not the temporary file."""

    def denied(folder, *_):
        raise PermissionError(13, "Permission denied", f"{folder}/.urlextract-x")

    (tmp_path / "letter").write_bytes(b"one two three <URL:http://a.example/\nb>\n")
    monkeypatch.setattr(replacing, "new_draft", denied)
    with pytest.raises(PermissionError) as raised:
        replace_filtered(str(tmp_path / "letter"), lambda unit: f"{unit.text}more", print)
    assert raised.value.filename == str(tmp_path / "letter")


@pytest.mark.parametrize("words", [["-j"], ["-uj"], ["-j", "--parse"], ["-j", "-J", "2"]], ids=" ".join)
def test_json_record_has_no_unicode_line_end(words, tmp_path):
    """Some readers end lines at more than a line feed, and the raw text may hold them all."""
    urls = ["http://a.example/\u2028x\u2029y\x85z", "http://b.example/\u2028q"]
    (tmp_path / "letter").write_text("<URL:{}> <{}>\n".format(*urls))
    lines = run(*words, str(tmp_path / "letter")).stdout.decode().splitlines()
    assert [json.loads(line)["raw"] for line in lines] == urls
    [line] = run("parse", "--json", urls[1]).stdout.decode().splitlines()
    assert json.loads(line)["url"] == urls[1]
