"""``--state``: only what is new, and nothing lost or repeated if the run is killed (SPEC §8)."""

from __future__ import annotations

import gzip
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
import zipfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from unittest import mock

import inboxes
import pytest
from commands import outcome
from packing import tarred
from planted import journal_of
from realtools import LIMIT
from sampled import mostly_slow

from urlextract.sources import checkpoint, resuming, streams
from urlextract.sources import state as state_file

CORPORA = Path(__file__).resolve().parent.parent / "corpora"
POSTMARK = b"From a@b Mon Nov 14 09:12:44 1994\n"
Action = Callable[[Path], object]

# Checkpoints come often here, so that a kill falls between any two of them. No public option sets this.
OFTEN = (
    "from urlextract.sources import checkpoint; checkpoint._INTERVAL, checkpoint._MESSAGES = 0.01, 7;"
    "from urlextract.__main__ import main\n"
)


def command(*words: object, before: str = "") -> list[str]:
    return [sys.executable, "-c", f"{OFTEN}{before}\nmain()", *map(str, words)]


def run(*words: object, **how) -> list[str]:
    with mock.patch.multiple(checkpoint, _INTERVAL=0.01, _MESSAGES=7):
        status, output, errors = outcome(*words, **how)
    assert (status in (0, 1), errors) == (True, "")
    return output.splitlines()


def mail(name: object, fields: bytes = b"", body: bytes = b"") -> bytes:
    head = f"Subject: {name}\nMessage-ID: <{name}@x>\n".encode() + fields
    return head + b"\nsee <http://x.example/%s>\n" % str(name).encode() + body


def mailbox(*mails: bytes) -> bytes:
    return b"".join(POSTMARK + each + b"\n" for each in mails)


# --- what is new in the second run ----------------------------------------------------------------

MAILS = [mail(n) for n in range(5)]
HALF = mail("half", body=b"and more of it, http://x.example/end\n")
LARGE = mail("large", body=b"word " * 13 * 30_000 + b"\n" * 70_000 + b"the end\n")
MARKS = (
    b"Status: RO\nX-Status: A\nX-UID: 7\nX-IMAP: 12 34\nX-IMAPbase: 12 34\nKeywords: \nX-Keywords: a, b\n"
    b"X-Mozilla-Status: 0001\nX-Mozilla-Status2: 00000000\nContent-Length: 77\nLines: 7\n"
)
PAGE = b"<html><body><a href='http://x.example/page'>a page</a></body></html>\n"


def record(number: int) -> bytes:
    block = b"see http://x.example/w%d\r\n" % number
    head = b"WARC/1.0\r\nWARC-Type: metadata\r\nContent-Length: %d\r\n\r\n" % len(block)
    return head + block + b"\r\n\r\n"


def begin(folder: Path) -> None:
    """Make what the first run reads."""
    for name in ("M/cur", "M/new", "M/tmp", "mh"):
        (folder / name).mkdir(parents=True)
    files = {
        "box": mailbox(*MAILS), "large": mailbox(LARGE),
        "quoted.eml": mail("quoted", body=b"\nFrom here\n"), "odd": mailbox(mail("odd", b"Status: RO\n b\n")),
        "torn": mailbox(mail("whole")) + POSTMARK + HALF[:-20],
        "M/new/1.x": mail("m1"), "M/new/2.x": HALF[:-20] + b"half", "mh/1": mail("h1"), "mh/2": mail("h2"),
        "log": b"http://x.example/t1\nhttp://x.example/t2\nhttp://x.exa", "last": b"http://x.example/t3",
        "long": b"http://x.example/first\n" + b"a line\n" * 20_000 + b"http://x.example/final\n",
        "page.html": PAGE, "a.warc": record(1) + record(2),
        "a.tar": tarred({"one": b"http://x.example/in1", "two": mail("in2")}),
    }  # fmt: skip
    for name, data in files.items():
        (folder / name).write_bytes(data)


def write(name: str, data: bytes) -> Action:
    return lambda folder: (folder / name).write_bytes(data)


def change(name: str, old: bytes, new: bytes) -> Action:
    def changed(folder: Path) -> None:
        data = (folder / name).read_bytes()
        assert old in data
        (folder / name).write_bytes(data.replace(old, new))

    return changed


def append(name: str, data: bytes) -> Action:
    return lambda folder: (folder / name).write_bytes((folder / name).read_bytes() + data)


def move(old: str, new: str) -> Action:
    return lambda folder: (folder / old).rename(folder / new)


def pack(old: str, new: str, more: bytes = b"") -> Action:
    def packed(folder: Path) -> None:
        (folder / new).write_bytes(gzip.compress((folder / old).read_bytes() + more))
        (folder / old).unlink()

    return packed


def marked(*mails: bytes) -> bytes:
    return mailbox(*(each.replace(b"\n\n", b"\n" + MARKS + b"\n", 1) for each in mails))


def renumbered(folder: Path, new: bytes) -> None:
    """Have the second message take the place of the first one, and a new one its own, as old as it was."""
    second = (folder / "2").stat()
    os.utime(folder / "1", ns=(second.st_atime_ns, second.st_mtime_ns))
    (folder / "2").rename(folder / "1")
    (folder / "2").write_bytes(new)
    os.utime(folder / "2", ns=(second.st_atime_ns, second.st_mtime_ns))


# What happens between two runs, and the URLs that the second one prints.
BETWEEN: dict[str, tuple[Action, list[str]]] = {
    "nothing": (lambda _: None, []),
    "a mail comes": (append("box", mailbox(mail(5))), ["5"]),
    "a mail comes, and a mail reader marks all": (write("box", marked(*MAILS, mail(5))), ["5"]),
    "all are marked": (write("box", marked(*MAILS)), []),
    "the last one is marked": (write("box", mailbox(*MAILS[:4]) + marked(MAILS[4])), []),
    "a mark is changed in place": (change("large", b"Subject: large", b"Status: RO\nSubject: large"), []),
    "a URL hides in a mark": (
        write("box", mailbox(*MAILS[:4], mail(4, b"Status: http://x.example/hidden\n"))), ["hidden", "4"]),
    "a mark has a slash": (
        write("box", mailbox(*MAILS[:4], mail(4, b"Status: x.example/hidden\n"))), ["4"]),
    "a mark has a second line": (
        write("box", mailbox(*MAILS[:4], mail(4, b"Status: RO\n more\n"))), ["4"]),
    "a URL without a slash hides in a mark": (
        write("box", mailbox(*MAILS[:4], mail(4, b"Keywords: www.x.example\n"))),
        ["http://www.x.example", "4"]),
    "an encoded one hides there": (
        write("box", mailbox(*MAILS[:4], mail(4, b"Keywords: =?utf-8?Q?http=3A=2F=2Fx=2Eexample=2Fa?=\n"))),
        ["a", "4"]),
    "half a postmark comes": (append("box", b"From a@b Mon Nov"), []),
    "a mark of two lines changes": (change("odd", b"RO", b"O"), ["odd"]),
    "a mailbox is compacted": (write("box", mailbox(MAILS[1], MAILS[4])), []),
    "one is compacted, and a mail comes": (write("box", mailbox(MAILS[1], MAILS[4], mail(5))), ["5"]),
    "it is sorted": (write("box", mailbox(*MAILS[::-1])), []),
    "it is written with other postmarks and line ends": (
        write("box", mailbox(*MAILS).replace(b"From a@b", b"From c@d").replace(b"\n", b"\r\n")), []),
    "mv": (move("box", "other"), []),
    "cp": (lambda folder: shutil.copy(folder / "box", folder / "other"), []),
    "cp, and a mail comes": (write("other", mailbox(*MAILS, mail(5))), ["5"]),
    "touch": (lambda folder: [os.utime(path) for path in folder.rglob("*")], []),
    "a file is from the far future": (lambda folder: os.utime(folder / "box", (1, 2**34)), []),
    "gzip": (pack("box", "box.gz"), []),
    "gzip, and a mail comes": (pack("box", "box.gz", mailbox(mail(5))), ["5"]),
    "a large one is packed": (pack("large", "large.gz"), []),
    "a large one is unpacked": (write("other", LARGE.replace(b"\n", b"\r\n")), []),
    "the end of a large one changes": (change("large", b"the end", b"its end"), ["large"]),
    "a message is saved": (write("1.eml", MAILS[1]), []),
    "some more mails": (write("mh/3", mail(3, MARKS)), []),
    "a mailbox quotes a line": (write("other", mailbox(mail("quoted", body=b"\n>From here\n"))), []),
    "new mail in a Maildir": (write("M/new/3.x", mail("m3")), ["m3"]),
    "a mail reader sees it": (move("M/new/1.x", "M/cur/1.x:2,S"), []),
    "it is refiled to a mailbox": (pack("M/new/1.x", "1.gz"), []),
    "it is refiled to MH": (move("M/new/1.x", "mh/3"), []),
    "numbers are given again": (lambda folder: (folder / "mh" / "2").replace(folder / "mh" / "1"), []),
    "a new mail takes the number, the size and the time of another": (
        lambda folder: renumbered(folder / "mh", mail("h3")), ["h3"]),
    "a number is given to a new mail": (write("mh/2", mail("h3")), ["h3"]),
    "half a mail is there in whole": (change("torn", HALF[:-20], HALF), ["half", "end"]),
    "so it is in a Maildir": (write("M/new/2.x", HALF), ["half", "end"]),
    "behind half a mail come more": (
        change("torn", HALF[:-20], HALF + mailbox(mail(5))), ["half", "end", "5"]),
    "a text has grown": (append("log", b"mple/t4\nand\n"), ["t4"]),
    "so has its only line": (append("last", b"/more\n"), ["t3/more"]),
    "a text is rewritten": (write("log", b"http://x.example/t9\n" * 2), ["t9"] * 2),
    "a URL of a text is replaced": (change("log", b"/t1", b"/t9"), ["t9", "t2", "http://x.exa"]),
    "one far before its end": (change("long", b"/first", b"/other"), ["other", "final"]),
    "a text is cut": (change("log", b"/t2\nhttp://x.exa", b"/t2"), ["t1", "t2"]),
    "a text is moved": (move("last", "first"), ["t3"]),
    "a page is written again": (write("page.html", PAGE), []),
    "an archive is made again": (
        write("a.tar", tarred({
            "zero": b"http://x.example/in0", "one": b"http://x.example/in1", "two": mail("in2"),
        })),
        ["in0"]),
    "a web archive has grown": (append("a.warc", record(3)), ["w3"]),
    "a mail of an archive is unpacked": (write("mh/4", mail("in2", MARKS)), []),
}  # fmt: skip


@pytest.mark.parametrize("what", BETWEEN)
def test_what_is_new(what: str, tmp_path: Path) -> None:
    action, new = BETWEEN[what]
    folder, state = tmp_path / "in", tmp_path / "state"
    begin(folder)
    assert sorted({*run("--state", state, folder)}) == sorted({*run(folder)})
    action(folder)
    urls = [each if each.startswith("http") else f"http://x.example/{each}" for each in new]
    assert run("--state", state, folder) == urls
    assert run("--state", state, folder) == []


@pytest.mark.parametrize("end", [b"\r\n", b"\r\r\n"])
@pytest.mark.parametrize("cut", range(-1, 4))
def test_mail_whose_postmark_was_there_in_part(end: bytes, cut: int, tmp_path: Path) -> None:
    encoded = b"Content-Transfer-Encoding: base64\n\naHR0cDovL3guZXhhbXBsZS9oaWRkZW4g\n"  # .../hidden
    first, second = (data.replace(b"\n", end) for data in (mailbox(MAILS[0]), POSTMARK + encoded))
    box, words = tmp_path / "box", ("--state", tmp_path / "state", tmp_path / "box")
    box.write_bytes(first + second[: len(POSTMARK) - 1 + cut])
    assert run(*words) == ["http://x.example/0"]
    box.write_bytes(first + second)
    assert run(*words) == ["http://x.example/hidden"]


def test_copies_are_read_once(tmp_path: Path) -> None:
    (tmp_path / "box").write_bytes(mailbox(*MAILS, *MAILS))
    (tmp_path / "1.eml").write_bytes(MAILS[1])
    words = ("--state", tmp_path / "state", tmp_path / "1.eml", tmp_path / "box")
    assert run(*words) == [f"http://x.example/{n}" for n in (1, 0, 2, 3, 4)]


def test_messages_of_standard_input_are_known_and_its_texts_are_not(tmp_path: Path) -> None:
    words = ("--state", tmp_path / "state")
    for data, new in (
        (mailbox(*MAILS[:2]), ["0", "1"]), (mailbox(*MAILS[:3]), ["2"]), (mailbox(LARGE), ["large"]),
        (gzip.compress(mailbox(LARGE)), []),
        (b"http://x.example/t\n", ["t"]), (b"http://x.example/t\n", ["t"]),
    ):  # fmt: skip
        assert run(*words, data=data) == [f"http://x.example/{each}" for each in new]


# --- mail, texts, spools and Maildirs that grow ---------------------------------------------------


def message(number: int) -> bytes:
    return mail(f"m{number}", body=b"words that fill the body of this message\n" * 20)


def plant(folder: Path, first: int, last: int) -> None:
    """Add messages to a mailbox, a text, a spool and a Maildir."""
    spool, maildir = folder / "news" / "a" / "b", folder / "mail"
    for path in (spool, *(maildir / part for part in ("cur", "new", "tmp"))):
        path.mkdir(parents=True, exist_ok=True)
    with (folder / "box.mbox").open("ab") as box, (folder / "log.txt").open("ab") as log:
        for number in range(first, last):
            box.write(mailbox(message(number)))
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


def test_every_sample_format_is_remembered(tmp_path: Path) -> None:
    state = tmp_path / "state"
    assert {*run("--state", state, CORPORA)} == {*run(CORPORA)}
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


def test_names_that_are_gone_are_forgotten(tmp_path: Path) -> None:
    """Those of a Maildir change with each mark."""
    plant(tmp_path, 0, 9)
    state, folder = tmp_path / "state", tmp_path / "mail"
    for flags in ("S", "RS", "FRS"):
        run("--state", state, folder)
        for path in folder.glob("*/*"):
            path.rename(folder / "cur" / f"{path.name.partition(':')[0]}:2,{flags}")
    with closing(sqlite3.connect(state)) as connection:
        assert connection.execute("SELECT count(*) FROM files").fetchone() == (9,)


@pytest.mark.parametrize("is_late", [False, True], ids=["before its first byte", "after its last one"])
@pytest.mark.parametrize(("old", "new"), [
    (mailbox(mail(4)), mailbox(mail(5))), (b"http://x.example/4\n", b"http://x.example/5\n"),
], ids=["mailbox", "text"])  # fmt: skip
def test_what_arrives_while_a_file_is_read(old: bytes, new: bytes, is_late: bool, tmp_path: Path) -> None:
    write("in", old)(tmp_path)
    begun = []

    def blocks(*given):
        begun.append(None)
        is_second = len(begun) == 2  # the first time its format is detected
        if is_second and not is_late:
            append("in", new)(tmp_path)
        yield from streams.blocks_of_stream(*given)
        if is_second and is_late:
            append("in", new)(tmp_path)

    words = ("--state", tmp_path / "state", tmp_path / "in")
    with mock.patch.object(resuming, "blocks_of_stream", blocks):
        first = run(*words)
    assert len(first) == (1 if is_late else 2)
    assert [*first, *run(*words)] == ["http://x.example/4", "http://x.example/5"]
    assert run(*words) == []


def test_mails_of_a_public_inbox_are_printed_once(tmp_path: Path) -> None:
    """However they are stored, and as a copy in a mailbox."""
    state, inbox = tmp_path / "state", tmp_path / "inbox"
    repository = inboxes.Repository(inbox / "git" / "0.git")
    for name in inboxes.MESSAGES:
        repository.commit({"m": inboxes.mail(name)})
        assert run("--state", state, inbox) == [url for each, url in inboxes.URLS if each == name]
        repository.git("gc", "--quiet")
        assert run("--state", state, inbox) == []
    assert run("--state", state, data=mailbox(*map(inboxes.mail, inboxes.MESSAGES))) == []


@pytest.mark.parametrize("packed", [False, True], ids=["mailbox", "zip"])
def test_what_the_system_could_not_read_is_read_by_the_next_run(packed: bool, tmp_path: Path) -> None:
    """There is no room to hold a large message between others, or an archive."""
    box, words = tmp_path / "box", ("--state", tmp_path / "state", tmp_path / "box")
    data = mailbox(MAILS[0], LARGE, MAILS[1], MAILS[2])
    if packed:
        with zipfile.ZipFile(box, "w") as archive:
            archive.writestr("box", data)
    else:
        box.write_bytes(data)
    full = OSError(28, "No space left on device")
    with mock.patch("tempfile.SpooledTemporaryFile.write", side_effect=full):
        status, output, errors = outcome(*words)
    assert (status, errors.count("\n"), "No space left on device" in errors) == (2, 1, True)
    assert output.split() == ([] if packed else [f"http://x.example/{n}" for n in (0, 1, 2)])
    assert run(*words) == [f"http://x.example/{n}" for n in ((0, "large", 1, 2) if packed else ("large",))]
    assert run(*words) == []


# --- runs that are killed -------------------------------------------------------------------------


def killed_often(folder: Path, words: list[str], kills: int) -> list[str]:
    """Start and kill many runs at random moments, at earlier ones if all had ended before, then one more.

    Return the lines that they have printed to a pipe.
    """
    chance = random.Random(kills)
    started = time.perf_counter()
    run("--state", folder / "another-state", *everything(folder))
    longest = time.perf_counter() - started  # that a whole run takes on this machine
    for _ in range(8):
        printed, has_ended = b"", True
        for is_last in (*[False] * kills, True):
            process = subprocess.Popen(words, stdout=subprocess.PIPE)
            time.sleep(0 if is_last else chance.uniform(0.1, 0.9) * longest)
            process.send_signal(0 if is_last else signal.SIGKILL)
            printed += process.communicate(timeout=LIMIT)[0]
            has_ended &= process.returncode in (0, 1)
        if not has_ended:
            return printed.decode().splitlines()
        longest /= 2
        for name in ("state", "out"):
            (folder / name).unlink(missing_ok=True)
    pytest.fail("each run was done before it could be killed")


@pytest.mark.slow
def test_killed_runs_write_each_record_once_to_the_output_file(tmp_path: Path) -> None:
    """In order."""
    plant(tmp_path, 0, 200)
    output = tmp_path / "out"
    words = command("-j", "--state", tmp_path / "state", "-o", output, *everything(tmp_path))
    assert killed_often(tmp_path, words, 15) == []
    assert output.read_text().splitlines() == run("-j", *everything(tmp_path))


@pytest.mark.slow
def test_killed_runs_print_every_url_and_repeat_few(tmp_path: Path) -> None:
    """Only what came since the last checkpoint is repeated: some mails, or a text."""
    plant(tmp_path, 0, 200)
    kills = 12
    found = killed_often(tmp_path, command("--state", tmp_path / "state", *everything(tmp_path)), kills)
    whole = run(*everything(tmp_path))
    assert set(whole) <= set(found)
    assert len(found) <= len(whole) + kills * 210


SPOTS = ("self.flush()", "self.flush(); self._write_seen()", "save(self)")
LONG = b"words " * 12_000


@pytest.mark.parametrize(("at", "spot"), mostly_slow([(at, SPOTS[at % 3]) for at in range(4, 44, 2)]))
def test_a_kill_at_a_checkpoint_loses_and_repeats_nothing(at: int, spot: str, tmp_path: Path) -> None:
    """Of a run that makes one after each item: before it is written, and right after."""
    plant(tmp_path, 0, 5)
    texts = {f"t{n}": b"http://x.example/in%d " % n + LONG * (n % 2) for n in range(9)}
    (tmp_path / "a.tar").write_bytes(tarred(texts))
    (tmp_path / "long").write_bytes(b"see http://x.example/long and\n\n" * 30_000 + b"http://x.example/end")
    sources, output = [tmp_path / "long", tmp_path / "a.tar", *everything(tmp_path)], tmp_path / "out"
    killed = f"""
import os
checkpoint._INTERVAL, saves, save = 0, [], checkpoint.Checkpoint.save
def often(self):
    saves.append(1)
    if len(saves) == {at}:
        {spot}
        os.kill(os.getpid(), 9)
    save(self)
checkpoint.Checkpoint.save = often
"""
    words = ("--state", tmp_path / "state", "-o", output, *sources)
    done = subprocess.run(command(*words, before=killed), check=False, timeout=LIMIT)
    assert done.returncode == -signal.SIGKILL
    run(*words)
    assert output.read_text().splitlines() == run(*sources)
    assert run(*words) == []


def test_an_output_file_moves_with_its_state(state: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As long as both stay together; a link to it is not another file."""
    old, new = state.with_name("old"), state.parent.with_name("new")
    box = mailbox(mail(5)), mailbox(mail(6)), mailbox(mail(7))
    old.write_bytes(box[0])
    run("--state", state, "-o", state.with_name("out"), old)
    state.parent.rename(new)
    monkeypatch.chdir(new)
    (new / "old").write_bytes(box[0] + box[1])
    run("--state", "state", "-o", "out", "old")
    (new / "link").symlink_to("out")
    (new / "old").write_bytes(b"".join(box))
    run("--state", "state", "-o", "link", "old")
    assert (new / "out").read_text() == "".join(f"http://x.example/{n}\n" for n in (5, 6, 7))


def test_a_file_that_was_not_written_with_the_state_stays(state: Path) -> None:
    """What the state knows would be missing in it."""
    out = state.with_name("out")
    out.write_text("kept\n")
    status, _, errors = outcome("--state", state, "-o", out, state.with_name("box"))
    assert (status, out.read_text()) == (2, "kept\n")
    assert errors == f"urlextract: {out}: is not empty, and was not written with {state}: move it away\n"
    out.write_text("")
    assert run("--state", state, "-o", out, state.with_name("box")) == []


@pytest.mark.parametrize("link", [os.symlink, os.link])
def test_a_state_is_never_the_output(link: Callable[[Path, Path], None], state: Path, tmp_path: Path) -> None:
    link(state, tmp_path / "out")
    before = state.read_bytes()
    for output in (state, tmp_path / "out"):
        status, _, errors = outcome("--state", state, "-o", output, state.with_name("box"))
        assert (status, errors) == (2, f"urlextract: {output}: the state is also the output\n")
    assert state.read_bytes() == before
    outcome("--state", tmp_path / "none", "-o", tmp_path / "none")
    assert not (tmp_path / "none").exists()


def test_special_files_are_outputs(state: Path) -> None:
    state.with_name("box").write_bytes(mailbox(mail(5)))
    assert run("--state", state, "-o", "/dev/null", state.with_name("box")) == []
    assert run("--state", state, state.with_name("box")) == []


def test_what_a_slow_pipe_gave_is_saved_before_the_next_wait(tmp_path: Path) -> None:
    words = [sys.executable, "-m", "urlextract", "--state", str(tmp_path / "state")]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin
        assert process.stdout
        process.stdin.write(mailbox(*MAILS[:3]))
        process.stdin.flush()
        found = [process.stdout.readline() for _ in range(2)]  # the third one may go on
        time.sleep(1)
        process.kill()
    assert found == [b"http://x.example/0\n", b"http://x.example/1\n"]
    assert run("--state", tmp_path / "state", data=mailbox(*MAILS)) == [
        f"http://x.example/{n}" for n in (2, 3, 4)
    ]


def test_a_directory_without_files_is_told(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    status, _, errors = outcome("--state", tmp_path / "state", tmp_path / "in")
    assert (status, errors) == (2, f"urlextract: {tmp_path / 'in'}: no message in this directory\n")


# --- files that are no state ----------------------------------------------------------------------


def refused(state: Path) -> str:
    """Return the line with which a state is refused, and check that no file was changed."""
    before = {path: path.read_bytes() for path in state.parent.iterdir() if path.is_file()}
    status, output, errors = outcome("--state", state, data="see http://a.example/")
    assert (status, output, errors.count("\n")) == (2, "", 1)
    assert {path: path.read_bytes() for path in state.parent.iterdir() if path.is_file()} == before
    return errors.removeprefix(f"urlextract: {state}: ").rstrip()


@pytest.fixture
def state(tmp_path: Path) -> Path:
    (tmp_path / "box").write_bytes(mailbox(*MAILS))
    run("--state", tmp_path / "state", tmp_path / "box")
    return tmp_path / "state"


AGAIN = "remove it, and everything is read again"
OF_OTHERS = f"has other tables, views or triggers than this program's: {AGAIN}"


@pytest.mark.parametrize(("statement", "expected"), [
    ("CREATE TRIGGER evil AFTER INSERT ON seen BEGIN DELETE FROM files; END", OF_OTHERS),
    ("ALTER TABLE seen ADD COLUMN more", OF_OTHERS),
    ("CREATE VIEW mine AS SELECT * FROM seen", OF_OTHERS),
    ("DROP TABLE outputs", OF_OTHERS),
    ("PRAGMA user_version = 7", f"is a state file of another version: {AGAIN}"),
    ("PRAGMA application_id = 7", "is no state file"),
])  # fmt: skip
def test_a_database_that_is_no_state_is_refused(statement: str, expected: str, state: Path) -> None:
    with closing(sqlite3.connect(state)) as connection:
        connection.execute(statement)
        connection.commit()
    assert refused(state) == expected


@pytest.mark.parametrize(("data", "expected"), [
    (b'{"v":1,"outputs":{},"files":{"/box":{"size":7}},"names":{},"numbers":{}}\n',
     f"is a state file of an older version, in JSON: {AGAIN}"),
    (b'{"v": 1, "counts": {"/inbox": 7}}', f"is a state file of an older version, in JSON: {AGAIN}"),
    (b"precious", "is no state file"),
    (b"SQLite format 3\0", "is no state file"),
])  # fmt: skip
def test_a_file_of_an_older_version_and_any_other_is_refused(data: bytes, expected: str, tmp_path) -> None:
    (tmp_path / "state").write_bytes(data)
    assert refused(tmp_path / "state") == expected


def test_what_is_no_file_is_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert refused(tmp_path / "pipe") == "is no regular file, and no state file"
    assert refused(tmp_path) == "the state cannot be written: Is a directory"


def test_a_state_to_which_others_can_write_is_refused(state: Path) -> None:
    state.chmod(0o646)
    assert refused(state) == f"others can write to it: chmod o-w {state}, if you trust what it says"
    state.chmod(0o664)
    assert run("--state", state, state.with_name("box")) == []


def test_nothing_beside_a_state_is_obeyed(state: Path) -> None:
    journal, victim = state.with_name("state-journal"), state.with_name("victim")
    victim.write_text("precious")
    journal.write_bytes(journal_of(state, victim))
    assert refused(state) == "state-journal beside it names a file that SQLite would delete: move it away"
    journal.unlink()
    journal.symlink_to(victim)
    assert refused(state) == "state-journal beside it is a link, or no regular file: move it away"


@pytest.mark.parametrize("seed", range(12))
def test_a_damaged_state_is_one_line_or_harmless(seed: int, state: Path) -> None:
    chance, data = random.Random(seed), bytearray(state.read_bytes())
    if seed % 3 == 0:
        del data[chance.randrange(1, len(data)) :]
    for _ in range(seed % 3 * 100):
        data[chance.randrange(len(data))] = chance.randrange(256)
    state.write_bytes(data)
    box = state.with_name("box")
    box.write_bytes(box.read_bytes() + mailbox(mail(5)))
    status, output, errors = outcome("--state", state, box)
    assert (status, errors.count("\n")) in ((0, 0), (2, 1)), errors
    assert status == 2 or "http://x.example/5\n" in output


@pytest.mark.parametrize("change", [
    "offset = -1", "offset = 9223372036854775807, end = 9223372036854775807", "offset = 'x'", "before = NULL",
    "messages = 9223372036854775807", "lines = 1e300", "size = 'x', mark = x'00'",
])  # fmt: skip
def test_odd_values_in_a_state_are_harmless(change: str, state: Path) -> None:
    box = state.with_name("box")
    box.write_bytes(box.read_bytes() + mailbox(mail(5)))
    with closing(sqlite3.connect(state)) as connection, connection:
        connection.execute(f"UPDATE files SET {change}")  # noqa: S608
        connection.execute("INSERT INTO outputs VALUES (?, 'x')", (b"out",))
    run("--state", state, "-n", "-o", state.with_name("out"), box)
    assert state.with_name("out").read_text() == f"{5 * 6 + 5}:http://x.example/5\n"


def test_two_runs_at_once_are_one_line(state: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(state_file, "PATIENCE", 0.1)
    with closing(sqlite3.connect(state, isolation_level=None)) as connection:
        connection.execute("BEGIN IMMEDIATE")
        assert refused(state) == "is being written by another run"
    assert run("--state", state, state.with_name("box")) == []


def test_a_state_where_nothing_can_be_written_is_one_line(state: Path) -> None:
    read_only = OSError(30, "Read-only file system")
    with mock.patch.object(state_file, "refuse_planted_link", side_effect=read_only):
        assert refused(state) == "the state cannot be written: Read-only file system"
