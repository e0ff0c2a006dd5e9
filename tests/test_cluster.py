"""Clusters: which parts there are, what is in them, and what is told, mostly in this process."""

from __future__ import annotations

import errno
import gzip
import io
import json
import os
import random
import re
import subprocess
import sys
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import closing, redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING, Any
from unittest import mock

import pytest
from clusters import (
    OF_PARTS,
    compress,
    decompress,
    files_in,
    parts_in,
    plant,
    records_of,
    records_of_one,
    rows_in,
    with_reader,
)
from commands import ENVIRONMENT, outcome, with_module
from inboxes import plant_v2_in_two_epochs
from indexes import records, tree
from realtools import LIMIT, ROOT
from test_jobs import mailbox, web_archive

from urlextract import extract, extract_source, index_sources
from urlextract.cluster import running
from urlextract.cluster.parts import Outcome, Parts, Task, make_part
from urlextract.cluster.running import How, Report
from urlextract.cluster.stores import FilesAndObjects, file_system
from urlextract.errors import UrlExtractError
from urlextract.run.processes import RESULT
from urlextract.sources.checkpoint import hash_of
from urlextract.sources.folders.tree import Stamp
from urlextract.sources.reading import read_source

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

CORPORA = ROOT / "corpora"
NAME, OTHER = (f"{each * 32}.jsonl.zst" for each in "ab")
NOTHING = {"made": 0, "there": 0, "failed": 0, "removed": 0}
AGAIN = "has changed during this run: run again"


# runs in this process


def _here(tasks: Iterable[Task], work: Callable[..., Iterator[Outcome]], *_: object, **__: object) -> Any:
    """Do the tasks one by one, as `in_turn` does in processes."""
    return ((task, RESULT, value) for task in tasks for value in work(task, print))


class Told:
    """What a run tells: its numbers, and lines of errors and of what was passed over."""

    def __init__(self, *sources: object, out: object, size: int = 2048, how: Any = None, **options: Any):
        self.errors: list[str] = []
        self.passed_over: list[str] = []
        report = Report(self._damage, self.errors.append, self.errors.append)
        printed = io.TextIOWrapper(io.BytesIO())
        with mock.patch.multiple(running, SIZE=size, in_turn=_here), redirect_stdout(printed):
            running.run_on_cluster(list(map(str, sources)), options, How(str(out), **how or {}), report)
        printed.seek(0)
        counts = re.findall(r"(\d+) (made|there|failed|removed)", printed.read())
        self.counts = {name: int(number) for number, name in counts}

    def _damage(self, error: Any) -> None:
        (self.errors if error.within is None else self.passed_over).append(str(error))


def stamped(path: object, folder: Path, name: str = NAME) -> Task:
    """Return the task of a source of one stretch, as a run plans it."""
    this = running._Run([str(path)], {}, How(str(folder)), Report(pytest.fail, pytest.fail, pytest.fail))
    [task] = this.tasks()
    return task._replace(name=name)


def failure(task: Task, folder: object) -> str:
    """Return why the part of a task cannot be made."""
    with pytest.raises(UrlExtractError) as raised:
        make_part(str(folder), "jsonl", {}, task)
    return str(raised.value)


TEXT = "see http://a.example/x or\r\n\r\nwww.b.example, http://c.example/\ny\n\n" * 300


@pytest.mark.slow
@pytest.mark.parametrize(("seed", "size"), [
    (None, 1024), (None, 20_000), *((seed, size) for seed in range(3) for size in (1024, 3_000, 50_000)),
])  # fmt: skip
def test_parts_are_the_records_of_one_process(seed: int | None, size: int, tmp_path: Path) -> None:
    """Of the corpora or of made sources: as a tree, and each file named, one of them twice."""
    folder = CORPORA
    if seed is not None:
        mails = {f"mh/{n}": f"Subject: http://s.example/{n}\n\nhttp://b.example/\n" for n in range(1, 120)}
        folder = tree(tmp_path / "in", {
            "box": mailbox(40_000, each=400, seed=seed), "text": TEXT.encode(),
            "box.gz": gzip.compress(mailbox(9_000, each=400, seed=seed + 1), 1),
            "pages.warc": web_archive(random.Random(seed), 40),
            **{name: mail.encode() for name, mail in mails.items()},
        })  # fmt: skip
    files = sorted(path for path in folder.rglob("*") if path.is_file() and path.parent != folder / "mh")
    for number, sources in enumerate(([folder], [*files, files[0]])):
        told = Told(*sources, out=tmp_path / str(number), size=size)
        assert told.counts["made"] == len(parts_in(tmp_path / str(number))) > 3
        assert records_of(tmp_path / str(number)) == records_of_one(*sources)


def test_two_processes_have_the_records_of_one(tmp_path: Path) -> None:
    """Also of what is named twice."""
    sources = (CORPORA, CORPORA / "sample.eml", CORPORA / "sample.eml")
    words = ("cluster", "--workers", 2, "--out", "parts", *sources)
    status, output, errors = outcome(*words, cwd=tmp_path, env=with_reader(tmp_path, size=20_000))
    count = len(parts_in(tmp_path / "parts"))
    assert (status, errors, count > 10) == (0, "", True)
    summary = f"parts: {count} made, 0 there before, 0 failed, 0 removed; messages: 96; URLs: "
    assert output.startswith(summary)
    assert files_in(tmp_path / "parts") == {"run.json"}
    assert records_of(tmp_path / "parts") == records_of_one(*sources)


def test_records_of_parts_have_the_hash_of_their_message_key_and_domain(tmp_path: Path) -> None:
    """Of a message in a message that of the outer one, also of a very large one; of a text none."""
    inner = b"From: a\nContent-Type: message/rfc822\n\nSubject: b\n\nhttp://WWW.a.co.uk:80\n\n"
    large = b"Subject: large\n\nhttp://large.example/\n" + b"x\n" * 2_000_000
    box = b"".join(b"From a Mon Nov 14 09:12:31 1994\n" + each for each in (inner, large))
    tree(tmp_path / "in", {"box": box, "text": b"http://t.example/"})
    Told(tmp_path / "in", out=tmp_path / "out", size=1 << 30)
    items = read_source(tmp_path / "in" / "box", on_damage=pytest.fail)
    first, second = (hash_of(item.data, item.rest or ()).hex() for item in items)
    assert {(row["key"], row["domain"], row["hash"]) for row in rows_in(tmp_path / "out")} == {
        ("http://www.a.co.uk/", "a.co.uk", first), ("http://large.example/", "large.example", second),
        ("http://t.example/", "t.example", None),
    }  # fmt: skip


LONG = f"see http://c.example/{'x' * 900}"
ODD = b"Date: Mon, 14 Nov 1994 09:12:31 +0100\nSubject: \xff http://s.example/\n\nhttp://b.example/\n"
# Texts, with the contexts of their URLs
TEXTS = {
    b"<html><p>see <b>the</b>\n tables: <a href='http://1.example/x'>here</a> of 1994</p>":
        "see the tables: here of 1994",
    b"Subject: tides\n\nThe tables:\n\n  http://2.example/\n\nBye\n": "The tables:\n\n  http://2.example/",
    LONG.encode() + b" now\n": LONG[:500],
    b"a \xff b http://d.example/ d\n": "a \N{REPLACEMENT CHARACTER} b http://d.example/ d",
}  # fmt: skip


@pytest.mark.slow
def test_parquet_has_the_records_of_lines_with_their_contexts(tmp_path: Path) -> None:
    """And so has an index of them, which is one that was made directly."""
    parquet = pytest.importorskip("pyarrow.parquet")
    folder = tree(tmp_path / "in", {**{str(n): data for n, data in enumerate(TEXTS)}, "odd": ODD})
    sources = (folder, CORPORA)
    index_sources(tmp_path / "directly.db", sources)
    for to in ("parquet", "jsonl"):
        assert Told(*sources, out=tmp_path / to, size=20_000, how={"to": to}).counts["made"] > 10
        index_sources(tmp_path / f"{to}.db", parts_from=tmp_path / to)
    paths = sorted((tmp_path / "parquet").glob("*.parquet"))
    assert str(parquet.read_schema(paths[0]).field("date").type) == "timestamp[us, tz=UTC]"
    found = [row for path in paths for row in parquet.read_table(path).to_pylist()]
    dates = {row["date"].isoformat() for row in found if row["source"].endswith("in/odd")}
    assert (dates, [*found[0]][-3:]) == ({"1994-11-14T08:12:31+00:00"}, list(OF_PARTS))
    expected = rows_in(tmp_path / "jsonl")
    for row in found:
        row["date"] = row["date"] and row["date"].strftime("%Y-%m-%dT%H:%M:%SZ")
    for row in (*found, *expected):
        for key in ("v", "violations", "warnings", "parsed", "context"):
            row.pop(key, None)
    assert sorted(map(canonical, found)) == sorted(map(canonical, expected))
    links = {path.stem: records(path, "SELECT * FROM links") for path in tmp_path.glob("*.db")}
    directly = links["directly"]
    contexts = {row["source"].removeprefix(f"{folder}/"): row["context"] for row in directly}
    assert [contexts[name] for name in "0123"] == list(TEXTS.values())
    assert sorted(map(canonical, links["parquet"])) == sorted(map(canonical, directly))
    without = [canonical({**row, "context": None}) for row in directly]
    assert sorted(map(canonical, links["jsonl"])) == sorted(without)


def canonical(record: dict[str, Any]) -> str:
    return json.dumps(record, sort_keys=True)


@pytest.mark.parametrize(("options", "words", "is_cut"), [
    ({"emails": True, "schemes": ["mailto"]}, ("--emails", "--scheme", "mailto"), True),
    ({"quoted": "skip"}, ("--quoted", "skip"), False),
    ({"join": "none", "refang": True}, ("--join", "none", "--refang"), True),
])  # fmt: skip
def test_options_count_and_a_text_is_cut_only_where_they_allow_it(options, words, is_cut, tmp_path):
    (tmp_path / "text").write_text("> http://q.example/ a@b.example\n\nhttp://a.example/\n\n" * 400)
    assert (Told(tmp_path / "text", out=tmp_path / "out", **options).counts["made"] > 1) == is_cut
    assert records_of(tmp_path / "out") == records_of_one(*words, tmp_path / "text") != []


# what changes between two runs


def mail_of(number: int) -> tuple[str, bytes]:
    mail = f"Subject: {number}\n\nhttp://a.example/{number}\n"
    return f"mail/cur/17000{number:05}.M1P2.host:2,S", mail.encode()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a tree of a mailbox, a text, and a Maildir of many mails."""
    (tmp_path / "in/mail/new").mkdir(parents=True)
    files = {"box": mailbox(8_000, each=300), "text": b"see http://a.example/x or\n\n" * 100}
    return tree(tmp_path / "in", {**files, **dict(map(mail_of, range(300)))})


MAIL = mail_of(150)[0]
APPENDED = b"\nFrom a Mon Nov 14 09:12:31 1994\nSubject: x\n\nhttp://appended.example/\n"
CHANGES: dict[str, Callable[[Path], object]] = {
    "nothing": lambda _: None,
    "changed": lambda folder: tree(folder, {"box": mailbox(8_000, each=300, seed=1) + b"\n"}),
    "appended": lambda folder: tree(folder, {"box": (folder / "box").read_bytes() + APPENDED}),
    "touched": lambda folder: os.utime(folder / "text", ns=(1, 1)),
    "one mail more": lambda folder: tree(folder, {MAIL.replace("M1", "M7"): b"Subject: n\n\nhttp://n.example/\n"}),
    "one mail less": lambda folder: (folder / MAIL).unlink(),
    "one mail read": lambda folder: (folder / MAIL).rename(folder / MAIL.replace(":2,S", ":2,RS")),
    "one file gone": lambda folder: (folder / "text").unlink(),
}  # fmt: skip


@pytest.mark.parametrize("name", CHANGES)
def test_directory_mirrors_its_sources(name: str, folder: Path, tmp_path: Path) -> None:
    """A later run makes what has changed, removes what is no more, and tells how many."""
    out = tmp_path / "out"
    Told(folder, out=out, size=4096)
    before = parts_in(out)
    CHANGES[name](folder)
    told, after = Told(folder, out=out, size=4096), parts_in(out)
    counts = {"made": len(after - before), "there": len(after & before), "removed": len(before - after)}
    assert told.counts == {**counts, "failed": 0}
    assert (name == "nothing") == (before == after)
    if "mail" in name:
        assert len(before ^ after) <= 4  # of some 15: a part, or two where one begins or ends with it
    assert (told.errors, files_in(out)) == ([], {"run.json"})
    assert records_of(out) == records_of_one(folder)


@pytest.mark.parametrize("size", [3_000, pytest.param(20_000, marks=pytest.mark.slow)])
def test_one_mail_more_changes_one_part_of_a_large_maildir(size: int, tmp_path: Path) -> None:
    """Those after it stay as they are, whatever limits them."""
    (tmp_path / "in/mail/new").mkdir(parents=True)
    folder = tree(tmp_path / "in", dict(map(mail_of, range(0, 6_000, 2))))
    assert Told(folder, out=tmp_path / "out", size=size).counts["made"] > 10
    for number in range(1, 40, 10):
        tree(folder, dict([mail_of(number)]))
        assert 1 <= Told(folder, out=tmp_path / "out", size=size).counts["made"] <= 3


def test_a_part_that_is_there_is_not_made_again(tmp_path: Path) -> None:
    Told(CORPORA / "sample.eml", out=tmp_path / "out")
    [name] = parts_in(tmp_path / "out")
    (tmp_path / "out" / name).write_bytes(b"mine")
    assert Told(CORPORA / "sample.eml", out=tmp_path / "out").counts["made"] == 0
    assert (tmp_path / "out" / name).read_bytes() == b"mine"
    mask = os.umask(0)
    os.umask(mask)
    assert (tmp_path / "out" / name).stat().st_mode & 0o777 == 0o666 & ~mask


@pytest.mark.parametrize("how", [
    {}, {"emails": True}, {"how": {"to": "parquet"}}, {"other": True}, {"twice": True}, {"version": "0"},
    {"how": {"include": ("*.txt",)}, "join": "none"}, {"content": b"[]"},
], ids=str)  # fmt: skip
def test_another_run_in_the_directory_is_refused(how, folder, tmp_path):
    """The parts stay; the share and who makes the parts do not count."""
    if "to" in how.get("how", ()):
        pytest.importorskip("pyarrow")
    out, text = tmp_path / "out", folder / "text"
    Told(folder, text, out=out)
    before = {path: path.read_bytes() for path in out.iterdir()}
    is_same, how, run = not how, dict(how), out / "run.json"
    sources = (folder, folder) if how.pop("other", False) else (text, folder)
    sources += (text,) if how.pop("twice", False) else ()
    if content := how.pop("content", b""):
        run.write_bytes(content)
    if version := how.pop("version", None):
        run.write_text(json.dumps({**json.loads(run.read_bytes()), "version": version}))
    if is_same:
        assert Told(*sources, out=out, how={"part": (1, 2), "retries": 0, "workers": 1}).counts["made"] == 0
        return
    refused = (
        f"{out}: has the parts of other sources or options, which run.json names: name another directory"
    )
    with pytest.raises(UrlExtractError, match=f"^{re.escape(refused)}$"):
        Told(*sources, out=out, **how)
    assert [path for path in before if path != run and path.read_bytes() != before[path]] == []


def test_a_directory_with_other_records_is_refused(tmp_path: Path) -> None:
    """Such as the parts of an older version: whoever loads all would have them twice."""
    (tmp_path / "part-0.jsonl.zst").touch()
    with pytest.raises(UrlExtractError, match=r"has other records, and no run\.json: name another directory"):
        Told(CORPORA, out=tmp_path)


def test_other_files_in_the_directory_stay(tmp_path: Path) -> None:
    text = tree(tmp_path, {"text": b"http://a.example/\n", "out/notes.txt": b"mine"}) / "text"
    for removed in (0, 1):
        assert Told(text, out=tmp_path / "out").counts["removed"] == removed
        text.write_text("http://b.example/\n")
    assert files_in(tmp_path / "out") == {"notes.txt", "run.json"}


def test_a_run_that_is_not_whole_removes_nothing(folder, tmp_path, monkeypatch):
    """A source that is missing, a directory that is empty, a file that may not be read, a part of many."""
    out, more = tmp_path / "out", tree(tmp_path / "more", {"sub/text": b"http://more.example/\n"})
    Told(folder, more, out=out)
    before = parts_in(out)

    def told(how: Any = None) -> list[str]:
        found = Told(folder, more, out=out, how=how)
        assert (found.counts["made"], found.counts["removed"], parts_in(out)) == (0, 0, before)
        return [error.replace(f"{tmp_path}/", "") for error in found.errors]

    (folder / "text").unlink()
    assert told({"part": (1, 1 << 20)}) == []
    with monkeypatch.context() as patched:
        patched.setattr("os.access", lambda path, *_, **__: path != str(more / "sub" / "text"))
        assert told() == ["more/sub/text: Permission denied"]
    (more / "sub" / "text").unlink()
    assert told() == ["more: no message in this directory"]
    (more / "sub").rmdir()
    more.rmdir()
    assert told() == ["more: No such file or directory"]
    more.symlink_to(folder / "mail")
    assert Told(folder, more, out=out).counts["removed"] > 0


def test_a_link_that_leads_nowhere_leaves_nothing_out(folder: Path, tmp_path: Path) -> None:
    """It is told if links are followed, but for its sake nothing would ever be removed."""
    (folder / "dangling").symlink_to("nowhere")
    for removed in (0, 1):
        told = Told(folder, out=tmp_path / "out", how={"follow": True})
        assert told.errors == [f"{folder}/dangling: No such file or directory"]
        assert (told.counts["removed"] > 0) == removed
        (folder / "text").unlink(missing_ok=True)


def test_damage_is_told_and_the_part_has_what_could_be_read(folder: Path, tmp_path: Path) -> None:
    """What was passed over is told as well, and is no error."""
    packed, out = gzip.compress(b"Subject: x\n\nhttp://a.example/\n" * 99, 0), tmp_path / "out"
    tree(folder, {"cut.gz": packed[:-20], "some.rar": b"Rar!\x1a\x07\x01\x00" + bytes(99)})
    told = Told(folder, out=out)
    assert told.errors == [f"{folder}/cut.gz, byte {len(packed) - 20}: gzip data is cut short"]
    assert [each.partition(":")[0] for each in told.passed_over] == [f"{folder}/some.rar"]
    assert records_of(out) == records_of_one(folder)
    status, _, errors = outcome("cluster", "--workers", 1, "--out", "more", folder, cwd=tmp_path)
    assert (status, errors.count("\n")) == (2, 2)


@pytest.mark.parametrize("layer", ["gz", "zst"])
@pytest.mark.parametrize("form", ["whole", "cut short", "damaged", "junk"])
def test_a_compressed_file_is_one_part(layer: str, form: str, tmp_path: Path) -> None:
    """Also a web archive with a member for each record; the damage is that of one process."""
    path = tmp_path / f"pages.warc.{layer}"
    pages = re.split(rb"(?=WARC/1\.0\r\n)", web_archive(random.Random(1), 60))[1:]
    data = b"".join(map({"gz": gzip.compress, "zst": compress}[layer], pages))
    broken = data[: len(data) // 2] + b"\0\1\2" * 9 + data[len(data) // 2 + 27 :]
    path.write_bytes(
        {"whole": data, "cut short": data[:-20], "damaged": broken, "junk": data + b"junk"}[form]
    )
    told = Told(path, out=tmp_path / "out")
    damage: list[Any] = []
    list(extract_source(path, on_damage=damage.append))
    assert (told.counts["made"], told.errors) == (1, list(map(str, damage)))
    assert (told.errors == []) == (form == "whole")
    assert records_of(tmp_path / "out") == records_of_one(path)


@pytest.mark.parametrize("shares", [1, 3, 50])
def test_shares_are_disjoint_and_together_all(shares: int, folder: Path, tmp_path: Path) -> None:
    """Each makes its own parts, as many as the others have, and removes none; then a whole run makes none."""
    out, counts = tmp_path / "out", []
    for number in range(shares, 0, -1):
        told = Told(folder, out=out, size=8_192, how={"part": (number, shares)})
        assert told.counts["there"] == told.counts["removed"] == 0
        counts.append(told.counts["made"])
    assert max(counts) - min(counts) <= 1
    assert records_of(out) == records_of_one(folder)
    assert Told(folder, out=out, size=8_192).counts == {**NOTHING, "there": sum(counts)}


# what has changed since it was cut into stretches


@pytest.mark.parametrize("is_folder", [False, True])
def test_a_file_that_has_changed_has_no_part(is_folder: bool, tmp_path: Path, memory: Any) -> None:
    """Nor has an object."""
    path, text = tmp_path / "in" / "text", b"http://a.example/\n"
    Parts(str(tmp_path / "out")).prepare()
    for change in (lambda: path.write_bytes(text * 2), lambda: os.utime(path, ns=(1, 1)), path.unlink):
        tree(tmp_path, {"in/text": text})
        task = stamped(path.parent if is_folder else path, tmp_path / "out")
        change()
        assert failure(task, tmp_path / "out") == f"{path}: {AGAIN}"
        assert list((tmp_path / "out").iterdir()) == []
    url = "memory://bucket/text"
    for change in (lambda: memory.pipe("/bucket/text", text * 2), lambda: memory.rm("/bucket/text")):
        memory.pipe("/bucket/text", text)
        task = stamped(url, tmp_path)
        change()
        assert failure(task, tmp_path) == f"{url}: {AGAIN}"


def test_mail_that_is_moved_and_marked_meanwhile_is_read(tmp_path, monkeypatch):
    """As mail readers do all day; a part may be made from any directory. One name in both parts are two."""
    names = [f"new/{number}.P1.host" for number in range(9)]
    head = "Subject: x\n\nhttp://a.example/"
    mails = {f"mail/{name}": f"{head}{name}\n".encode() for name in [*names, "cur/8.P1.host:2,S"]}
    cur = tree(tmp_path, mails) / "mail" / "cur"
    monkeypatch.chdir(tmp_path)
    task = stamped("mail", tmp_path / "out")
    for name in names[:8]:
        (tmp_path / "mail" / name).rename(cur / f"{name[4:]}:2,RS")
    (cur / "8.P1.host:2,S").rename(cur / "8.P1.host:2,FS")
    monkeypatch.chdir("/")
    listings: list[object] = []
    listdir = os.listdir
    monkeypatch.setattr("os.listdir", lambda path: listings.append(path) or listdir(path))
    Parts(str(tmp_path / "out")).prepare()
    assert make_part(str(tmp_path / "out"), "jsonl", {}, task).urls == 10
    assert listings == [str(cur)]  # not one for each mail
    (cur / "0.P1.host:2,RS").write_text("Subject: y\n")
    assert failure(task, tmp_path / "out") == f"mail/new/0.P1.host: {AGAIN}"
    marked = Stamp.of((cur / "1.P1.host:2,RS").stat())
    assert FilesAndObjects().stamp(str(tmp_path / "mail" / names[1])) == marked


def test_a_public_inbox_is_one_part_until_it_has_a_new_mail(tmp_path, monkeypatch):
    """With all its repositories: a mail that comes again is left out, and all are numbered."""
    repositories = plant_v2_in_two_epochs(tmp_path / "in" / "inbox")
    monkeypatch.chdir(tmp_path)
    assert Told("in", out="out").counts["made"] == 1
    assert records_of(tmp_path / "out") == records_of_one("in", cwd=tmp_path)
    task = stamped("in", tmp_path / "out")
    repositories[1].commit({"m": b"Subject: x\n\nhttp://new.example/\n"})
    assert failure(task, "out") == f"in/inbox: {AGAIN}"
    assert Told("in", out="out").counts == {**NOTHING, "made": 1, "removed": 1}
    assert records_of(tmp_path / "out") == records_of_one("in", cwd=tmp_path)


# what fails


@pytest.mark.slow
@pytest.mark.parametrize(("name", "begin", "error"), [
    ("raises", 'raise RuntimeError("a fault\\nof two lines")', "RuntimeError: a fault of two lines"),
    ("dies", "os.kill(os.getpid(), signal.SIGKILL)", "the process that read it has died"),
])  # fmt: skip
def test_a_part_that_always_fails_is_told_and_all_others_are_made(name, begin, error, tmp_path):
    tree(tmp_path, {name: b"http://a.example/\n", "box": mailbox(20_000, each=300)})
    environment = with_reader(tmp_path, f"if os.path.basename(stretch.source) == {name!r}: {begin}")
    words = ("cluster", "--workers", 2, "--out", "out", "--retries", 1, name, "box")
    status, output, errors = outcome(*words, cwd=tmp_path, env=environment)
    assert (status, errors) == (2, f"urlextract: {name}: {error}\n")
    assert ", 1 failed, 0 removed; " in output
    assert records_of(tmp_path / "out") == records_of_one("box", cwd=tmp_path)
    status, output, errors = outcome(*words, cwd=tmp_path, env=with_reader(tmp_path))
    made = f"parts: 1 made, {len(parts_in(tmp_path / 'out')) - 1}"
    assert (status, output.partition(" there")[0], errors) == (0, made, "")


@pytest.mark.slow
def test_a_part_that_fails_is_tried_again(tmp_path: Path) -> None:
    """Whether its process dies, as the first time here, or an exception is raised, as twice after that."""
    (tmp_path / "text").write_text("http://a.example/\n")
    begin = (
        'number = len(os.listdir("tries")); open(f"tries/{number}", "x").close()\n'
        "    if number == 0: os.kill(os.getpid(), signal.SIGKILL)\n"
        '    if number < 3: raise OSError("down")'
    )
    environment = with_reader(tmp_path, begin)
    for retries, errors in ((1, "urlextract: text: down\n"), (2, "")):
        (tmp_path / "tries").mkdir()
        words = ("cluster", "--workers", 1, "--retries", retries, "--out", "out", "text")
        assert outcome(*words, cwd=tmp_path, env=environment)[::2] == (2 * bool(errors), errors)
        (tmp_path / "tries").rename(tmp_path / f"tries{retries}")
    assert records_of(tmp_path / "out") == records_of_one("text", cwd=tmp_path)


def test_what_cannot_be_read_has_no_part_and_is_told_with_its_place(tmp_path, monkeypatch):
    """A fault of the disk is no damage of the data; it is told once of a file, whose old parts stay."""
    path = tree(tmp_path, {"box": mailbox(9_000, each=300)}) / "box"
    Told(path, out=tmp_path / "out")
    os.utime(path, ns=(1, 1))

    class Breaking(io.FileIO):
        def read(self, size: int | None = -1) -> bytes:
            raise OSError(errno.EIO, os.strerror(errno.EIO))

    monkeypatch.setattr("urlextract.cluster.stores.open_file", Breaking)
    told = Told(path, out=tmp_path / "out")
    assert (told.counts["failed"] > 2, told.counts["made"], told.counts["removed"]) == (True, 0, 0)
    assert told.errors == [f"{path}: Input/output error"]


WITHIN = "the parts would be in a directory that is read"
MISTAKES = [
    ("text", "--out is missing"),
    ("--out o", "name a file, a directory or a URL to be read"),
    ("--out o none", "none: No such file or directory"),
    ("--out o -", "-: standard input cannot be read into parts"),
    ("--out o pipe", "pipe: is no regular file, and cannot be read into parts"),
    ("--out o empty", "empty: no message in this directory"),
    ("--out o what://x/y", "what://x/y: Protocol not known: what"),
    ("--out http://a.example/ text", "http://a.example: http and https can be read only"),
    ("--out text text", f"text: {WITHIN}: text"),
    ("--out text empty", "text: File exists"),
    ("--out /proc/self/x text", "/proc/self/x: No such file or directory"),
    ("--out folder/o folder", f"folder/o: {WITHIN}: folder"),
    ("--out link/o folder", f"link/o: {WITHIN}: folder"),
    ("--out s3:// text", "--out s3://: no directory is named"),
    ("--out o --since 7d text", "--since 7d: parts are of a date that stays, such as"),
    ("--out planted text", "planted/run.json: is not of this program"),
    ("--out o --part 0/2 text", "--part: 0 is less than 1"),
    ("--out o --part 3/2 text", "--part: 3 is more than 2"),
    ("--out o --part 3 text", "--part: '3' is no share: write K/N, such as 1/10"),
    ("--out o --workers 1 --scheduler x text", "--workers: cannot be used with --scheduler"),
]


@pytest.mark.parametrize(("words", "message"), MISTAKES)
def test_a_mistake_is_one_line(words, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tree(tmp_path, {"text": b"http://a.example/\n", "folder/text": b""}))
    (tmp_path / "empty").mkdir()
    (tmp_path / "link").symlink_to("folder")
    (tmp_path / "planted").mkdir()
    for name in ("pipe", "planted/run.json"):
        os.mkfifo(tmp_path / name)
    status, _, errors = outcome("cluster", *words.split())
    told = re.sub(r" [0-9-]{10}(?=\n)", "", errors.replace(f"{tmp_path}/", ""))  # the day of today
    assert (status, told) == (2, f"urlextract: {message}\n")


def test_a_run_that_could_not_begin_leaves_the_directory_to_the_next_one(tmp_path: Path) -> None:
    tree(tmp_path, {"text": b"http://a.example/\n"})
    Told(tmp_path / "none", out=tmp_path / "out")
    assert Told(tmp_path / "text", out=tmp_path / "out").counts["made"] == 1


EXTRA, PARQUET = (f"pip install 'urlextract-mail[{name}]'" for name in ("cluster", "parquet"))


@pytest.mark.parametrize(("missing", "words", "message"), [
    ("fsspec", "cluster --out o s3://bucket/x", f"needs fsspec: {EXTRA}"),
    ("s3fs", "cluster --out s3://bucket/x text", f"to access S3: {EXTRA}"),
    ("gcsfs", "cluster --out o gs://bucket/x", "gs://bucket/x: Please install gcsfs"),
    ("distributed", "cluster --scheduler tcp://127.0.0.1:1 --out o text",
     f"cluster --scheduler needs distributed: {EXTRA}"),
    ("pyarrow", "cluster --to parquet --out o text", PARQUET),
    ("pyarrow", "index links.db --from parts", PARQUET),
])  # fmt: skip
def test_without_an_extra_a_line_says_how_to_install_it(missing, words, message, tmp_path):
    tree(tmp_path, {"text": b"", "parts/part.parquet": b"PAR1"})
    environment = with_module(tmp_path, missing, f"raise ImportError(\"No module named '{missing}'\")\n")
    status, output, errors = outcome(*words.split(), cwd=tmp_path, env=environment)
    assert (status, output, errors.count("\n"), message in errors) == (2, "", 1, True)
    assert parts_in(tmp_path / "o") == set()


def test_paths_of_this_machine_never_reach_the_library_of_stores(tmp_path: Path) -> None:
    """Which would take ``::`` in a name for a chain of file systems."""
    environment = with_module(tmp_path, "fsspec", "raise ImportError\n")
    tree(tmp_path, {"simplecache::s3:/zip::x": b"http://a.example/\n"})
    out = ("file::memory:/out", "simplecache::s3:", "simplecache::s3:/zip::x")
    how: Any = {"cwd": tmp_path, "env": environment}
    assert outcome("cluster", "--workers", 1, "--out", *out, **how)[::2] == (0, "")
    assert len(records_of(tmp_path / "file::memory:" / "out")) == 2
    assert outcome("index", "links.db", "--from", out[0], **how)[0] == 0


LOADED = """
import sys
sys.argv = ["urlextract", *{words}]
import urlextract.__main__ as program
def check(*arguments):
    print([name for name in sys.modules if name.startswith({unwanted})], file=sys.stderr, flush=True)
    leave(*arguments)
sys.exit, leave = check, sys.exit
program.main()
"""
STORES = ("fsspec", "distributed", "pyarrow", "asyncio", "ssl")


@pytest.mark.parametrize(("words", "unwanted"), [
    (("-j", "-J", "2", "text"), ("urlextract.cluster", *STORES)),
    (("index", "links.db", "--from", "parts"), STORES), (("index", "links.db", "text"), STORES),
])  # fmt: skip
def test_libraries_of_stores_are_loaded_only_for_these(words, unwanted, tmp_path):
    [found] = extract("http://b.example/")
    part = json.dumps(found.to_dict()).encode() + b"\n"
    count = 60_000 if "-j" in words else 1
    tree(tmp_path, {"text": b"http://a.example/\n\n" * count, "parts/a.jsonl": part})
    how: Any = {"cwd": tmp_path, "env": ENVIRONMENT, "capture_output": True, "timeout": LIMIT}
    script = LOADED.format(words=words, unwanted=unwanted)
    done = subprocess.run([sys.executable, "-c", script], check=False, **how)
    assert (done.stderr, done.stdout.count(b"\n")) == (b"[]\n", count * ("-j" in words))


# parts as files and objects


@pytest.fixture
def memory() -> Iterator[Any]:
    fsspec = pytest.importorskip("fsspec")
    system = fsspec.filesystem("memory")
    yield system
    system.store.clear()
    system.pseudo_dirs[:] = [""]


@pytest.mark.parametrize("is_url", [False, True])
def test_a_part_is_there_as_a_whole_or_not_at_all(is_url: bool, tmp_path: Path, memory: Any) -> None:
    """Also if two write it at the same time, and one of them fails, or in two threads; drafts are swept."""
    parts = Parts("memory://bucket/out" if is_url else str(tmp_path / "out"))
    parts.prepare()
    with parts.writing(NAME) as one:
        one.write(b"half")
        with pytest.raises(KeyError), parts.writing(NAME) as other:
            raise KeyError(other.write(b"of another"))
        assert NAME not in parts.names()
        with parts.writing(NAME) as other:
            other.write(b"whole")
        with ThreadPoolExecutor() as pool:
            pool.submit(parts.write, OTHER, b"[]").result()
        assert (parts.read(NAME), parts.read(OTHER)) == (b"whole", b"[]")
    assert parts.read(NAME) == b"half"
    assert set(parts.files()) == parts.names() == {NAME, OTHER}
    parts.remove(NAME)
    assert (parts.read(NAME), parts.remove(NAME)) == (None, None)
    if not is_url:  # of a writer that was killed
        left = tmp_path / "out" / f".urlextract-{'0' * 12}"
        left.write_bytes(b"half")
        parts.sweep()
        assert not left.exists()


def test_a_store_that_writes_bit_by_bit_gets_a_draft(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Which a later run removes, if it was left."""
    fsspec = pytest.importorskip("fsspec")

    def put_half(self: Any, source: str, target: str) -> None:
        Path(target).write_bytes(b"half")
        raise OSError(errno.EIO, "is down")

    parts = Parts(f"file://{tmp_path}/out")
    parts.prepare()
    with monkeypatch.context() as patched:
        patched.setattr(fsspec.get_filesystem_class("file"), "put_file", put_half)
        with pytest.raises(UrlExtractError, match=f"{NAME}: is down"):
            parts.write(NAME, b"whole")
    assert (NAME in parts.names(), len(parts.names())) == (False, 1)
    Told(CORPORA / "sample.eml", out=f"file://{tmp_path}/out")
    assert len(parts_in(tmp_path / "out")) == len(list((tmp_path / "out").iterdir())) - 1 == 1


def test_each_thread_has_a_file_system_of_its_own(memory: Any) -> None:
    with ThreadPoolExecutor() as pool:
        other = pool.submit(file_system, "memory://bucket/out").result()[0]
    assert other is not file_system("memory://bucket/out")[0]


@pytest.mark.parametrize("error", [PermissionError("Access Denied"), OSError(errno.EACCES, "Access Denied")])
def test_a_store_that_may_not_be_written_is_named(error, memory, monkeypatch):
    """Before anything is read."""
    monkeypatch.setattr(type(memory), "put_file", mock.Mock(side_effect=error))
    with pytest.raises(UrlExtractError, match=r"^memory://bucket/out: cannot be written to: Access Denied$"):
        Told("none", out="memory://bucket/out/")


@pytest.mark.parametrize("name", ["in", "in/box"])
def test_objects_below_a_url_are_read_as_a_tree(name: str, memory: Any, tmp_path: Path) -> None:
    memory.put(str(plant(tmp_path / "in")), "/bucket/in", recursive=True)
    assert Told(f"memory://bucket/{name}", out=tmp_path / "out").counts["made"] > 3
    expected = records_of_one(tmp_path / name)
    assert records_of(tmp_path / "out") == sorted(
        line.replace(str(tmp_path), "memory://bucket") for line in expected
    )


def test_parts_below_a_url_mirror_their_sources(memory: Any, tmp_path: Path) -> None:
    (tmp_path / "text").write_text("http://a.example/\n")
    for removed in (0, 0, 1):
        told = Told(tmp_path / "text", out="memory://bucket/out")
        assert (told.counts["removed"], told.errors) == (removed, [])
        [run, part] = sorted(memory.find("/bucket/out"), key=len)
        assert run == "/bucket/out/run.json"
        rows = list(map(json.loads, decompress(memory.cat(part)).splitlines()))
        assert [row["url"] for row in rows] == [(tmp_path / "text").read_text().strip()]
        if told.counts["there"]:
            (tmp_path / "text").write_text("http://other.example/\n")


def test_an_object_that_is_gone_removes_nothing(memory: Any, tmp_path: Path) -> None:
    memory.pipe("/bucket/text", b"http://a.example/\n")
    assert Told("memory://bucket/text", out=tmp_path / "out").counts["made"] == 1
    memory.rm("/bucket/text")
    told = Told("memory://bucket/text", out=tmp_path / "out")
    assert (told.errors, told.counts) == (["memory://bucket/text: no such object"], NOTHING)


@pytest.fixture
def pages(tmp_path: Path) -> Iterator[str]:
    """Serve files by HTTP, without ranges of bytes."""
    pytest.importorskip("aiohttp")
    from functools import partial
    from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
    from threading import Thread

    # a reader that has seen enough closes the connection
    quiet = type("Quiet", (SimpleHTTPRequestHandler,), {"log_message": lambda *_: None})
    server_type = type("Server", (ThreadingHTTPServer,), {"handle_error": lambda *_: None})
    with server_type(("127.0.0.1", 0), partial(quiet, directory=str(tmp_path))) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def test_a_file_of_a_web_server_without_ranges_is_one_part(pages: str, tmp_path: Path) -> None:
    """Its messages have their numbers; a page with links is no directory."""
    (tmp_path / "box").write_bytes(mailbox(12_000_000, each=6_000))
    (tmp_path / "page.html").write_text('<html><a href="http://a.example/">b</a> <a href="box">c</a>')
    assert Told(f"{pages}/box", out=tmp_path / "out").counts["made"] == 1
    expected = [line.replace(str(tmp_path), pages) for line in records_of_one(tmp_path / "box")]
    assert records_of(tmp_path / "out") == sorted(expected)
    Told(f"{pages}/page.html", out=tmp_path / "page")
    assert len(records_of(tmp_path / "page")) == 1


# a Dask cluster


class FakeClient(Executor):
    """A client, which is also its own executor: tasks end with this error, or are cancelled if it is None."""

    status = "running"

    def __init__(self, error: Exception | None, *, is_closed: bool = False) -> None:
        self.error, self.is_closed = error, is_closed

    def nthreads(self) -> dict[str, int]:
        return {"worker": 1}

    def get_executor(self, **how: object) -> FakeClient:
        self.how = how
        return self

    def submit(self, *_: object, **__: object) -> Future[Any]:  # type: ignore[override]
        if self.is_closed and self.error:
            raise self.error
        future: Future[Any] = Future()
        if self.error:
            future.set_exception(self.error)
        else:
            future.cancel()
            future.set_running_or_notify_cancel()
        return future

    def made(self, retries: int = 2) -> list[Outcome]:
        """Make a part by a cluster with this client; return what came of it."""
        tasks = iter([stamped(CORPORA / "sample.eml", Path("out"))])
        outcomes = running._made_on(self, mock.Mock(), tasks, How("out", retries=retries), print)
        with closing(outcomes):
            return list(outcomes)


@pytest.mark.parametrize("is_closed", [True, False])
def test_scheduler_that_is_lost_at_any_call_is_one_clear_error(is_closed: bool) -> None:
    """What Dask raises where it has closed the client, and does with futures."""
    errors = pytest.importorskip("distributed.client")
    client = FakeClient(errors.ClosedClientError() if is_closed else None, is_closed=is_closed)
    with pytest.raises(UrlExtractError, match="the connection to the scheduler is lost: run again to go on"):
        client.made()


@pytest.mark.parametrize("retries", [0, 3])
def test_tries_are_counted_by_the_scheduler(retries: int) -> None:
    client = FakeClient(type("KilledWorker", (Exception,), {})())
    [told] = client.made(retries)
    assert told == Outcome(failure=f"{CORPORA / 'sample.eml'}: the process that read it has died")
    assert client.how["retries"] == retries
