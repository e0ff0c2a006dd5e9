"""``--state``: only what is new, and nothing lost or repeated if the run is killed (SPEC §8)."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from unittest import mock

import commands
import pytest
from realtools import LIMIT

from urlextract.replacing import new_draft
from urlextract.sources import state
from urlextract.sources.checkpoint import Noted
from urlextract.sources.resuming import stretches_of
from urlextract.sources.state import StateFile, write_state

CORPORA = Path(__file__).resolve().parent.parent / "corpora"

# Checkpoints come often here, so that a kill falls between any two of them. No public option sets this.
OFTEN = (
    "from urlextract.sources import state; state._INTERVAL, state._MESSAGES = 0.01, 7;"
    "from urlextract.__main__ import main; main()"
)


def command(*words: object) -> list[str]:
    return [sys.executable, "-c", OFTEN, *map(str, words)]


def run(*words: object) -> list[str]:
    with mock.patch.multiple(state, _INTERVAL=0.01, _MESSAGES=7):
        done = commands.run(*words)
    assert done.returncode in (0, 1), done.stderr
    assert done.stderr == b""
    return done.stdout.decode().splitlines()


def message(number: int) -> bytes:
    head = b"Subject: %d\nMessage-ID: <%d@x>\n\nsee <http://x.example/m%d>\n" % (number, number, number)
    return head + b"words that fill the body of this message\n" * 20


def plant(folder: Path, first: int, last: int) -> None:
    """Add messages to a mailbox, a text, a spool and a Maildir."""
    spool, maildir = folder / "news" / "a" / "b", folder / "mail"
    for path in (spool, *(maildir / part for part in ("cur", "new", "tmp"))):
        path.mkdir(parents=True, exist_ok=True)
    with (folder / "box.mbox").open("ab") as box, (folder / "log.txt").open("ab") as log:
        for number in range(first, last):
            box.write(b"From a@b Mon Nov 14 09:12:44 1994\n" + message(number) + b"\n")
            log.write(b"%d see http://x.example/t%d and\n\n" % (number, number))
            log.write("größer ".encode() * 50)
            (spool / str(number)).write_bytes(message(number).replace(b"/m", b"/s"))
            (maildir / "new" / f"{number}.x").write_bytes(message(number).replace(b"/m", b"/d"))


def everything(folder: Path) -> list[Path]:
    return [folder / name for name in ("box.mbox", "log.txt", "news", "mail")]


def test_next_run_prints_only_what_is_new(tmp_path: Path) -> None:
    state = tmp_path / "state"
    plant(tmp_path, 0, 50)
    assert run("--state", state, *everything(tmp_path)) == run(*everything(tmp_path))
    assert run("--state", state, *everything(tmp_path)) == []
    plant(tmp_path, 50, 53)
    (tmp_path / "mail" / "new" / "3.x").rename(tmp_path / "mail" / "cur" / "3.x:2,S")
    new = [f"http://x.example/{kind}{n}" for kind in "mtsd" for n in (50, 51, 52)]
    assert run("--state", state, *everything(tmp_path)) == new
    assert run("--state", state, *everything(tmp_path)) == []


def test_positions_continue_from_the_last_run(tmp_path: Path) -> None:
    """Line, column, byte and message number count from the beginning of the file."""
    state, wanted = tmp_path / "state", []
    for first in (0, 5, 9):
        plant(tmp_path, first, first + 4)
        wanted += run("-j", "--state", state, tmp_path / "box.mbox", tmp_path / "log.txt")
    whole = run("-j", tmp_path / "box.mbox", tmp_path / "log.txt")
    assert sorted(wanted) == sorted(whole)


def test_rewritten_mailbox_is_read_again(tmp_path: Path) -> None:
    state, box = tmp_path / "state", tmp_path / "box.mbox"
    plant(tmp_path, 0, 9)
    run("--state", state, box)
    box.write_bytes(box.read_bytes().replace(b"From a@b", b"From c@d", 1)[:-100])
    assert len(run("--state", state, box)) == 9


def test_every_sample_format_is_remembered(tmp_path: Path) -> None:
    state = tmp_path / "state"
    whole = run(CORPORA)
    assert run("--state", state, CORPORA) == whole
    assert run("--state", state, CORPORA) == []


@pytest.mark.parametrize("form", ["tree", "inbox"])
def test_files_that_are_no_mail_are_remembered_in_formats_of_directories(form: str, tmp_path: Path) -> None:
    folder = tmp_path / "in"
    plant(folder, 0, 3)
    words = ("--format", form, "--state", tmp_path / "state", folder)
    first = run(*words)
    assert first == run("--format", form, folder)
    assert "http://x.example/t2" in first
    assert run(*words) == []
    (folder / "more.txt").write_text("http://x.example/more")
    assert run(*words) == ["http://x.example/more"]


def kill_often(folder: Path, words: list[str], output: Path, kills: int, *, is_standard: bool) -> None:
    """Start and kill many runs at random moments; at earlier ones if all had ended before."""
    chance = random.Random(kills)
    started = time.perf_counter()
    run("--state", folder / "another-state", *everything(folder))
    longest = time.perf_counter() - started  # that a whole run takes on this machine

    def has_ended() -> bool:
        """Kill a run; return whether it had ended before."""
        with output.open("ab") if is_standard else Path(os.devnull).open("wb") as stream:
            process = subprocess.Popen(words, stdout=stream, stderr=subprocess.DEVNULL)
            time.sleep(chance.uniform(0.1, 0.9) * longest)
            process.send_signal(signal.SIGKILL)
            return process.wait() in (0, 1)

    for _ in range(8):
        if not all([has_ended() for _ in range(kills)]):  # noqa: C419 - each one is run
            return
        longest /= 2
        output.unlink(missing_ok=True)
        (folder / "state").unlink(missing_ok=True)
    pytest.fail("each run was done before it could be killed")


@pytest.mark.slow
def test_killed_runs_write_each_record_once_to_the_output_file(tmp_path: Path) -> None:
    """In order."""
    plant(tmp_path, 0, 400)
    output = tmp_path / "out.jsonl"
    words = command("-j", "--state", tmp_path / "state", "-o", output, *everything(tmp_path))
    kill_often(tmp_path, words, output, 15, is_standard=False)
    subprocess.run(words, check=False, timeout=LIMIT)
    assert output.read_text().splitlines() == run("-j", *everything(tmp_path))


@pytest.mark.slow
def test_killed_runs_print_every_url_and_repeat_few(tmp_path: Path) -> None:
    """Only what came since the last checkpoint is repeated."""
    plant(tmp_path, 0, 400)
    output = tmp_path / "out"
    words = command("--state", tmp_path / "state", *everything(tmp_path))
    kills = 12
    kill_often(tmp_path, words, output, kills, is_standard=True)
    with output.open("ab") as stream:
        subprocess.run(words, check=False, stdout=stream, timeout=LIMIT)
    found = output.read_text().split()
    whole = run(*everything(tmp_path))
    assert set(whole) <= set(found)
    assert len(found) <= len(whole) + kills * 500


def test_maildir_name_that_only_looks_like_a_number_is_remembered(tmp_path: Path) -> None:
    for part in ("cur", "new"):
        (tmp_path / "mail" / part).mkdir(parents=True)
    (tmp_path / "mail" / "new" / "\N{SUPERSCRIPT TWO}").write_bytes(message(2))
    for expected in (["http://x.example/m2"], []):
        assert run("--state", tmp_path / "state", tmp_path / "mail") == expected


def test_file_that_is_not_a_state_is_refused(tmp_path: Path) -> None:
    (tmp_path / "state").write_text("no json")
    done = commands.run("--state", tmp_path / "state", CORPORA)
    assert done.returncode == 2
    assert b"is no state file" in done.stderr


def test_state_of_version_0_1_has_the_numbers_of_inboxes(tmp_path: Path) -> None:
    (tmp_path / "state").write_text('{"v": 1, "counts": {"/inbox": 7}, "names": {"/mail": ["1.a"]}}')
    known = StateFile(str(tmp_path / "state"))
    inbox = known.progress("/inbox")
    assert inbox
    assert inbox.items == 7
    assert known.progress("/other") is None
    assert known.has(Noted("/mail", "1.a"))


@pytest.mark.parametrize("text", [b"line\n\n" * 200_000, b"x" * 9_000_000, "ü".encode() * 3_000_000])
def test_stretches_of_a_text_join_to_the_whole(text: bytes) -> None:
    stretches = list(stretches_of(iter([text[at : at + 65536] for at in range(0, len(text), 65536)])))
    assert b"".join(stretch.data for stretch in stretches) == text
    assert max(len(stretch.data) for stretch in stretches) <= 4 * 1024 * 1024 + 65536
    at = 0
    for stretch in stretches:
        before = text[:at].decode()
        assert (stretch.offset, stretch.start, stretch.line) == (at, len(before), before.count("\n") + 1)
        at += len(stretch.data)


def test_the_draft_of_a_run_that_was_killed_is_removed_by_the_next(tmp_path: Path) -> None:
    (tmp_path / "box").write_bytes(message(1))
    words = ["--state", tmp_path / "state", "-o", tmp_path / "out", tmp_path / "box"]
    killed = "import os; os.replace = lambda *_: os.kill(os.getpid(), 9);"
    done = subprocess.run([sys.executable, "-c", killed + OFTEN, *words], check=False, timeout=LIMIT)
    assert done.returncode == -signal.SIGKILL
    assert len(list(tmp_path.glob(".urlextract-*"))) == 1
    run(*words)
    assert sorted(os.listdir(tmp_path)) == ["box", "out", "state"]
    assert (tmp_path / "out").read_text() == "http://x.example/m1\n"


def test_a_file_that_is_named_much_like_a_draft_stays(tmp_path: Path) -> None:
    names = [".urlextract-work", ".urlextract-home", ".urlextract-0123456789ab.txt", ".urlextract-"]
    for name in names:
        (tmp_path / name).write_text("{}")
    write_state(str(tmp_path / ".urlextract-home"), {})
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(names)


def test_the_draft_of_a_run_that_still_writes_stays(tmp_path: Path) -> None:
    (tmp_path / "box").write_bytes(message(1))
    number, draft = new_draft(str(tmp_path), ".urlextract-", 0o600)
    commands.started("--state", tmp_path / "state", tmp_path / "box")  # locks are those of processes
    assert os.path.exists(draft)
    os.close(number)
    run("--state", tmp_path / "state", tmp_path / "box")
    assert not os.path.exists(draft)
