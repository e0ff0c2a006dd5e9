"""``--state``: only what is new, and nothing lost or repeated if the run is killed (SPEC §8)."""

import gzip
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from unittest import mock

import inboxes
import pytest
from commands import outcome
from packing import plant, tarred, zip_of
from planted import journal_of
from realtools import LIMIT, ROOT
from sampled import mostly_slow

from urlextract.sources import checkpoint, resuming, streams
from urlextract.sources import state as state_file
from urlextract.sources.checkpoint import Checkpoint

CORPORA = ROOT / "corpora"
POSTMARK = b"From a@b Mon Nov 14 09:12:44 1994\n"

# Checkpoints come often here, so that a kill falls between any two of them. No public option sets this.
OFTEN = (
    "from urlextract.sources import checkpoint; checkpoint._INTERVAL, checkpoint._MESSAGES = 0.01, 7;"
    "from urlextract.__main__ import main\n"
)


def command(*words, before=""):
    return [sys.executable, "-c", f"{OFTEN}{before}\nmain()", *map(str, words)]


def run(*words, **how):
    with mock.patch.multiple(checkpoint, _INTERVAL=0.01, _MESSAGES=7):
        status, output, errors = outcome(*words, **how)
    assert (status in (0, 1), errors) == (True, "")
    return output.splitlines()


def urls(*names):
    return [name if str(name).startswith("http") else f"http://x.example/{name}" for name in names]


def mail(name, fields=b"", body=b""):
    head = f"Subject: {name}\nMessage-ID: <{name}@x>\n".encode() + fields
    return head + b"\nsee <http://x.example/%s>\n" % str(name).encode() + body


def mailbox(*mails):
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


def record(number):
    block = b"see http://x.example/w%d\r\n" % number
    head = b"WARC/1.0\r\nWARC-Type: metadata\r\nContent-Length: %d\r\n\r\n" % len(block)
    return head + block + b"\r\n\r\n"


def begin(folder):
    """Make what the first run reads."""
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
    plant(folder, {**files, "M/cur/": b"", "M/tmp/": b""})


def write(name, data):
    return lambda folder: (folder / name).write_bytes(data)


def change(name, old, new):
    def changed(folder):
        data = (folder / name).read_bytes()
        assert old in data
        (folder / name).write_bytes(data.replace(old, new))

    return changed


def append(name, data):
    return lambda folder: (folder / name).write_bytes((folder / name).read_bytes() + data)


def move(old, new):
    return lambda folder: (folder / old).rename(folder / new)


def pack(old, new, more=b""):
    def packed(folder):
        (folder / new).write_bytes(gzip.compress((folder / old).read_bytes() + more))
        (folder / old).unlink()

    return packed


def marked(*mails):
    return mailbox(*(each.replace(b"\n\n", b"\n" + MARKS + b"\n", 1) for each in mails))


def renumbered(folder, new):
    """Have the second message take the place of the first one, and a new one its own, as old as it was."""
    status = (folder / "2").stat()
    times = status.st_atime_ns, status.st_mtime_ns
    os.utime(folder / "1", ns=times)
    (folder / "2").rename(folder / "1")
    (folder / "2").write_bytes(new)
    os.utime(folder / "2", ns=times)


# What happens between two runs, and the URLs that the second one prints.
BETWEEN = {
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
    "it has CR CR LF": (write("box", mailbox(*MAILS).replace(b"\n", b"\r\r\n")), []),
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
    "another one has the same text": (
        write("b.tar", tarred({"one": b"http://x.example/in1", "two": mail("in2")})), ["in1"]),
    "a web archive has grown": (append("a.warc", record(3)), ["w3"]),
    "a mail of an archive is unpacked": (write("mh/4", mail("in2", MARKS)), []),
}  # fmt: skip


@pytest.mark.parametrize("what", BETWEEN)
def test_what_is_new(what, tmp_path):
    action, new = BETWEEN[what]
    folder, state = tmp_path / "in", tmp_path / "state"
    begin(folder)
    assert sorted({*run("--state", state, folder)}) == sorted({*run(folder)})
    action(folder)
    assert run("--state", state, folder) == urls(*new)
    assert run("--state", state, folder) == []


def test_mail_whose_postmark_was_there_in_part(tmp_path):
    encoded = b"Content-Transfer-Encoding: base64\n\naHR0cDovL3guZXhhbXBsZS9oaWRkZW4g\n"  # .../hidden
    box, state = tmp_path / "box", tmp_path / "state"
    for end in (b"\r\n", b"\r\r\n"):
        first, second = (data.replace(b"\n", end) for data in (mailbox(MAILS[0]), POSTMARK + encoded))
        for cut in range(-1, 4):
            state.unlink(missing_ok=True)
            for data, new in ((first + second[: len(POSTMARK) - 1 + cut], [0]), (first + second, ["hidden"])):
                box.write_bytes(data)
                assert run("--state", state, box) == urls(*new)


def test_copies_are_read_once_and_texts_of_standard_input_are_not_known(tmp_path):
    plant(tmp_path, {"box": mailbox(*MAILS, *MAILS), "1.eml": MAILS[1]})
    printed = outcome("--state", "state", "1.eml", "box", cwd=tmp_path)[1]  # nothing is saved meanwhile
    assert printed.split() == urls(1, 0, 2, 3, 4)
    text = b"http://x.example/t\n"
    for data, new in (
        (mailbox(*MAILS[:2]), [0, 1]), (mailbox(*MAILS[:3]), [2]), (mailbox(LARGE), ["large"]),
        (gzip.compress(mailbox(LARGE)), []), (text, ["t"]), (text, ["t"]),
    ):  # fmt: skip
        assert run("--state", "other", data=data, cwd=tmp_path) == urls(*new)


# --- mail, texts, spools and Maildirs that grow ---------------------------------------------------

EVERYTHING = ["box.mbox", "log.txt", "news", "mail"]


def grow(folder, first, last):
    """Add messages to a mailbox, a text, a spool and a Maildir."""
    plant(folder, {"news/a/b/": b"", "mail/cur/": b"", "mail/new/": b"", "mail/tmp/": b""})
    with (folder / "box.mbox").open("ab") as box, (folder / "log.txt").open("ab") as log:
        for number in range(first, last):
            message = mail(f"m{number}", body=b"words that fill the body of this message\n" * 20)
            box.write(mailbox(message))
            log.write(b"%d see http://x.example/t%d and\n\n" % (number, number))
            log.write("größer ".encode() * 50)
            (folder / f"news/a/b/{number}").write_bytes(message.replace(b"/m", b"/s"))
            (folder / f"mail/new/{number}.x").write_bytes(message.replace(b"/m", b"/d"))


def test_next_run_prints_only_what_is_new(tmp_path):
    """Line, column, byte and message number count from the beginning of the file."""
    grow(tmp_path, 0, 50)
    first = run("-j", "--state", "state", *EVERYTHING, cwd=tmp_path)
    assert first == run("-j", *EVERYTHING, cwd=tmp_path)
    grow(tmp_path, 50, 53)
    (tmp_path / "mail/new/3.x").rename(tmp_path / "mail/cur/3.x:2,S")
    grown = run("-j", "--state", "state", *EVERYTHING[:2], cwd=tmp_path)
    assert sorted(run("-j", *EVERYTHING[:2], cwd=tmp_path)) == sorted(
        [*(line for line in first if '"news/' not in line and '"mail/' not in line), *grown]
    )
    assert run("--state", "state", *EVERYTHING, cwd=tmp_path) == urls(
        *(f"{kind}{n}" for kind in "sd" for n in (50, 51, 52))
    )
    with mock.patch.object(resuming, "enterable", side_effect=AssertionError):  # they are not opened
        assert run("--state", "state", *EVERYTHING, cwd=tmp_path) == []


@pytest.mark.parametrize("form", ["auto", "tree", "inbox"])
def test_every_format_is_remembered(form, tmp_path):
    """Files that are no mail in formats of directories, too."""
    shutil.copytree(CORPORA / "formats", tmp_path / "in")
    grow(tmp_path / "in", 0, 3)
    words = ("-F", form, tmp_path / "in")
    first = run("--state", tmp_path / "state", *words)
    assert {*first} == {*run(*words)} > {"http://x.example/t2"}
    assert run("--state", tmp_path / "state", *words) == []
    plant(tmp_path / "in", {"more.txt": "http://x.example/more"})
    assert run("--state", tmp_path / "state", *words) == urls("more")


def test_names_that_are_gone_are_forgotten(tmp_path):
    """Those of a Maildir change with each mark."""
    grow(tmp_path, 0, 9)
    folder = tmp_path / "mail"
    for flags in ("S", "RS", "FRS"):
        run("--state", tmp_path / "state", folder)
        for path in folder.glob("*/*"):
            path.rename(folder / "cur" / f"{path.name.partition(':')[0]}:2,{flags}")
    with closing(sqlite3.connect(tmp_path / "state")) as connection:
        assert connection.execute("SELECT count(*) FROM files").fetchone() == (9,)


@pytest.mark.parametrize("is_late", [False, True], ids=["before its first byte", "after its last one"])
@pytest.mark.parametrize(("old", "new"), [
    (mailbox(mail(4)), mailbox(mail(5))), (b"http://x.example/4\n", b"http://x.example/5\n"),
], ids=["mailbox", "text"])  # fmt: skip
def test_what_arrives_while_a_file_is_read(old, new, is_late, tmp_path):
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
    assert [*first, *run(*words)] == urls(4, 5)
    assert run(*words) == []


def test_mails_of_a_public_inbox_are_printed_once(tmp_path):
    """However they are stored, and as a copy in a mailbox; one that was damaged is read again."""
    state, inbox = tmp_path / "state", tmp_path / "inbox"
    repository = inboxes.Repository(inbox / "git" / "0.git")
    for name in inboxes.MESSAGES:
        repository.commit({"m": inboxes.mail(name)})
        assert run("--state", state, inbox) == [url for each, url in inboxes.URLS if each == name]
        repository.git("gc", "--quiet")
        with mock.patch.object(resuming, "read_file", side_effect=AssertionError):
            assert run("--state", state, inbox) == []
    assert run("--state", state, data=mailbox(*map(inboxes.mail, inboxes.MESSAGES))) == []
    new = repository.git("hash-object", "--stdin", data=mail("new"))
    repository.commit({"m": mail("new")})
    path = repository.path / "objects" / new[:2] / new[2:]
    path.rename(tmp_path / "object")
    assert outcome("--state", state, inbox)[0] == 2
    (tmp_path / "object").rename(path)
    assert run("--state", state, inbox) == urls("new")


@pytest.mark.parametrize("packed", [False, True], ids=["mailbox", "zip"])
def test_what_the_system_could_not_read_is_read_by_the_next_run(packed, tmp_path):
    """There is no room to hold a large message between others, or an archive."""
    data = mailbox(MAILS[0], LARGE, MAILS[1], MAILS[2])
    plant(tmp_path, {"box": zip_of({"box": data}) if packed else data})
    words = ("--state", tmp_path / "state", tmp_path / "box")
    full = OSError(28, "No space left on device")
    with mock.patch("tempfile.SpooledTemporaryFile.write", side_effect=full):
        status, output, errors = outcome(*words)
    assert (status, errors.count("\n"), "No space left on device" in errors) == (2, 1, True)
    assert output.split() == ([] if packed else urls(0, 1, 2))
    assert run(*words) == urls(*(0, "large", 1, 2) if packed else ("large",))
    assert run(*words) == []


# --- runs that are killed -------------------------------------------------------------------------


def killed_often(folder, words, kills):
    """Start and kill many runs at random moments, at earlier ones if all had ended before, then one more.

    Return the lines that they have printed to a pipe.
    """
    chance = random.Random(kills)
    started = time.perf_counter()
    run("--state", "another-state", *EVERYTHING, cwd=folder)
    longest = time.perf_counter() - started  # that a whole run takes on this machine
    for _ in range(8):
        printed, has_ended = b"", True
        for is_last in (*[False] * kills, True):
            process = subprocess.Popen(
                words, stdout=subprocess.PIPE, cwd=folder, env={**os.environ, "PYTHONPATH": str(ROOT)}
            )
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
def test_killed_runs_write_each_record_once_and_print_every_url(tmp_path):
    """To an output file in order; to a pipe, only what came since the last checkpoint is repeated."""
    grow(tmp_path, 0, 200)
    assert killed_often(tmp_path, command("-j", "--state", "state", "-o", "out", *EVERYTHING), 15) == []
    assert (tmp_path / "out").read_text().splitlines() == run("-j", *EVERYTHING, cwd=tmp_path)
    (tmp_path / "state").unlink()
    found, whole = (
        killed_often(tmp_path, command("--state", "state", *EVERYTHING), 12),
        run(*EVERYTHING, cwd=tmp_path),
    )
    assert set(whole) <= set(found)
    assert len(found) <= len(whole) + 12 * 210  # some mails, or a text


SPOTS = ("self.flush()", "self.flush(); self._write_seen()", "save(self)")


@pytest.mark.parametrize(("at", "spot"), mostly_slow([(at, SPOTS[at % 3]) for at in range(4, 44, 2)]))
def test_a_kill_at_a_checkpoint_loses_and_repeats_nothing(at, spot, tmp_path):
    """Of a run that makes one after each item: before it is written, and right after."""
    grow(tmp_path, 0, 5)
    texts = {f"t{n}": b"http://x.example/in%d " % n + b"words " * 12_000 * (n % 2) for n in range(9)}
    long = b"see http://x.example/long and\n\n" * 30_000 + b"http://x.example/end"
    plant(tmp_path, {"a.tar": tarred(texts), "long": long})
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
    sources = [tmp_path / name for name in ("long", "a.tar", *EVERYTHING)]
    words = ("--state", tmp_path / "state", "-o", tmp_path / "out", *sources)
    done = subprocess.run(command(*words, before=killed), check=False, timeout=LIMIT)
    assert done.returncode == -signal.SIGKILL
    run(*words)
    assert (tmp_path / "out").read_text().splitlines() == run(*sources)
    assert run(*words) == []


def test_what_was_read_is_saved_now_and_then(tmp_path):
    """Not if the output waits for its end; nor what follows a result that was the last one wanted."""
    box = mailbox(*map(mail, range(40)))
    plant(tmp_path, {"box": box + b"\0" * 90})
    for words, least in (((), 7), (("--top",), 0)):
        with mock.patch.object(Checkpoint, "save", autospec=True, side_effect=Checkpoint.save) as save:
            run("--state", tmp_path / f"state{least}", *words, tmp_path / "box")
        saved = save.call_count
        assert (saved >= least, saved <= 3) == (True, not least)
    assert run("--state", tmp_path / "few", "-m", 3, tmp_path / "box") == urls(0, 1, 2)
    assert {*urls(*range(3, 40))} <= {*run("--state", tmp_path / "few", tmp_path / "box")}


# --- the output, and files that are no state ------------------------------------------------------


@pytest.fixture
def state(tmp_path):
    (tmp_path / "box").write_bytes(mailbox(*MAILS))
    run("--state", tmp_path / "state", tmp_path / "box")
    return tmp_path / "state"


def test_an_output_file_moves_with_its_state(state, monkeypatch):
    """As long as both stay together; a link to it is not another file."""
    new = state.parent.with_name("new")
    (state.parent / "old").write_bytes(mailbox(mail(5)))
    run("--state", state, "-o", state.with_name("out"), state.with_name("old"))
    state.parent.rename(new)
    monkeypatch.chdir(new)
    (new / "link").symlink_to("out")
    for name, last in (("out", 6), ("link", 7)):
        append("old", mailbox(mail(last)))(new)
        run("--state", "state", "-o", name, "old")
    assert (new / "out").read_text().splitlines() == urls(5, 6, 7)


def test_outputs_that_stay_as_they_are(state):
    """One not written with the state, in which what the state knows would be missing; the state itself."""
    box, out, link, hard = (state.with_name(name) for name in ("box", "out", "link", "hard"))
    out.write_text("kept\n")
    link.symlink_to(state)
    os.link(state, hard)
    before = state.read_bytes()
    told = f"is not empty, and was not written with {state}: move it away"
    for output, words in (
        (out, told),
        *((each, "the state is also the output") for each in (state, link, hard)),
    ):
        assert outcome("--state", state, "-o", output, box)[::2] == (2, f"urlextract: {output}: {words}\n")
    assert (out.read_text(), state.read_bytes()) == ("kept\n", before)
    fresh = state.with_name("fresh")
    told = f"is not empty, and was not written with {fresh}: move it away"
    assert outcome("--state", fresh, "-o", out, box)[::2] == (2, f"urlextract: {out}: {told}\n")
    out.write_text("")
    assert run("--state", state, "-o", out, box) == []
    none = state.with_name("none")
    outcome("--state", none, "-o", none)
    assert not none.exists()
    box.write_bytes(mailbox(mail(5)))
    assert run("--state", state, "-o", "/dev/null", box) == run("--state", state, box) == []


def test_a_directory_without_files_is_told(tmp_path):
    (tmp_path / "in").mkdir()
    told = f"urlextract: {tmp_path / 'in'}: no message in this directory\n"
    assert outcome("--state", tmp_path / "state", tmp_path / "in") == (2, "", told)


def refused(state):
    """Return the line with which a state is refused, and check that no file was changed."""
    before = {path: path.read_bytes() for path in state.parent.iterdir() if path.is_file()}
    status, output, errors = outcome("--state", state, data="see http://a.example/")
    assert (status, output, errors.count("\n")) == (2, "", 1)
    assert {path: path.read_bytes() for path in state.parent.iterdir() if path.is_file()} == before
    return errors.removeprefix(f"urlextract: {state}: ").rstrip()


AGAIN = "remove it, and everything is read again"
OF_OTHERS = f"has other tables, views or triggers than this program's: {AGAIN}"
JSON = f"is a state file of an older version, in JSON: {AGAIN}"


@pytest.mark.parametrize(("content", "expected"), [
    ("CREATE TRIGGER evil AFTER INSERT ON seen BEGIN DELETE FROM files; END", OF_OTHERS),
    ("ALTER TABLE seen ADD COLUMN more", OF_OTHERS),
    ("CREATE VIEW mine AS SELECT * FROM seen", OF_OTHERS),
    ("DROP TABLE outputs", OF_OTHERS),
    ("PRAGMA user_version = 7", f"is a state file of another version: {AGAIN}"),
    ("PRAGMA application_id = 7", "is no state file"),
    (b'{"v":1,"outputs":{},"files":{"/box":{"size":7}},"names":{},"numbers":{}}\n', JSON),
    (b'{"v": 1, "counts": {"/inbox": 7}}', JSON),
    (b"precious", "is no state file"),
    (b"SQLite format 3\0", "is no state file"),
])  # fmt: skip
def test_a_database_or_a_file_that_is_no_state_is_refused(content, expected, state):
    if isinstance(content, bytes):
        state.write_bytes(content)
    else:
        with closing(sqlite3.connect(state)) as connection, connection:
            connection.execute(content)
    assert refused(state) == expected


def test_a_state_that_cannot_be_trusted_is_refused(state):
    """What is no file, what others can write, what lies beside it, and what is written at the time."""
    os.mkfifo(state.with_name("pipe"))
    assert refused(state.with_name("pipe")) == "is no regular file, and no state file"
    assert refused(state.parent) == "the state cannot be written: Is a directory"
    state.chmod(0o646)
    assert refused(state) == f"others can write to it: chmod o-w {state}, if you trust what it says"
    state.chmod(0o664)
    journal, victim = state.with_name("state-journal"), state.with_name("victim")
    victim.write_text("precious")
    journal.write_bytes(journal_of(state, victim))
    assert refused(state) == "state-journal beside it names a file that SQLite would delete: move it away"
    journal.unlink()
    journal.symlink_to(victim)
    assert refused(state) == "state-journal beside it is a link, or no regular file: move it away"
    journal.unlink()
    with mock.patch.object(
        state_file, "refuse_planted_link", side_effect=OSError(30, "Read-only file system")
    ):
        assert refused(state) == "the state cannot be written: Read-only file system"
    with (
        mock.patch.object(state_file, "PATIENCE", 0.1),
        closing(sqlite3.connect(state, isolation_level=None)) as connection,
    ):
        connection.execute("BEGIN IMMEDIATE")
        assert refused(state) == "is read or written by another program: run again later"
    assert run("--state", state, state.with_name("box")) == []


@pytest.mark.parametrize("seed", range(12))
def test_a_damaged_state_is_one_line_or_harmless(seed, state):
    chance, data = random.Random(seed), bytearray(state.read_bytes())
    if seed % 3 == 0:
        del data[chance.randrange(1, len(data)) :]
    for _ in range(seed % 3 * 100):
        data[chance.randrange(len(data))] = chance.randrange(256)
    state.write_bytes(data)
    append("box", mailbox(mail(5)))(state.parent)
    status, output, errors = outcome("--state", state, state.with_name("box"))
    assert (status, errors.count("\n")) in ((0, 0), (2, 1)), errors
    assert status == 2 or "http://x.example/5\n" in output


@pytest.mark.parametrize("change", [
    "offset = -1", "offset = 9223372036854775807, end = 9223372036854775807", "offset = 'x'", "before = NULL",
    "messages = 9223372036854775807", "lines = 1e300", "size = 'x', mark = x'00'",
])  # fmt: skip
def test_odd_values_in_a_state_are_harmless(change, state):
    append("box", mailbox(mail(5)))(state.parent)
    with closing(sqlite3.connect(state)) as connection, connection:
        connection.execute(f"UPDATE files SET {change}")  # noqa: S608
        connection.execute("INSERT INTO outputs VALUES (?, 'x')", (b"out",))
    run("--state", state, "-n", "-o", state.with_name("out"), state.with_name("box"))
    assert state.with_name("out").read_text() == f"{5 * 6 + 5}:http://x.example/5\n"
