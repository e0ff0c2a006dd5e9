"""An index after any change of what was read has the figures of a new one (SPEC §8)."""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from unittest import mock

import pytest
from commands import outcome
from inboxes import plant_v2
from indexes import contents, rows, tree, urls
from test_state import BETWEEN, HALF, LARGE, MAILS, begin, change, mail, mailbox, move, pack, write

from urlextract import index_sources
from urlextract.results import IndexRun

Action = Callable[[Path], object]
ABOUT = ("messages", "urls", "links")


def together(*actions: Action) -> Action:
    return lambda folder: [action(folder) for action in actions]


def pack_numbers(folder: Path) -> None:
    """Delete the first message of a folder, and number the others again, as folder(1) of MH does."""
    (folder / "same" / "0").unlink()
    for number in range(1, 5):
        (folder / "same" / str(number)).rename(folder / "same" / str(number - 1))


# What happens between two runs; with --prune the index is then a new one, and without it it is one but for
# what lies nowhere any more: texts that were moved, and mails that were deleted with their files.
ACTIONS: dict[str, Action] = {
    **{what: action for what, (action, _) in BETWEEN.items()},
    "a mail is deleted from a Maildir": lambda folder: (folder / "M/new/1.x").unlink(),
    "a mail is refiled from one mailbox to another": together(
        write("box", mailbox(*MAILS[1:])), write("other", mailbox(MAILS[0]))),
    "it is refiled to one that is read first": together(
        write("box", mailbox(*MAILS[1:])), write("a-first", mailbox(MAILS[0]))),
    "a file becomes a folder with a file of its name": together(
        move("box", "tmp"), lambda folder: (folder / "box").mkdir(), move("tmp", "box/box")),
    "a folder becomes a file": together(
        lambda folder: shutil.rmtree(folder / "mh"), write("mh", mailbox(mail("h1"), mail("h9")))),
    "an archive becomes a mailbox": write("a.tar", mailbox(mail("in2"), mail(7))),
    "a mailbox becomes a text": write("box", b"see http://x.example/text\n"),
    "a text becomes a mailbox": write("log", mailbox(mail("log"))),
    "a mailbox is emptied": write("box", b""),
    "a folder is moved": move("M", "N"),
    "two files are swapped": together(move("box", "tmp"), move("torn", "box"), move("tmp", "torn")),
    "a mailbox is rotated": together(move("box", "box.1"), write("box", mailbox(mail(8)))),
    "the copy of a mail is changed": together(
        write("copy", mailbox(*MAILS)), write("box", mailbox(*MAILS[:4], mail("4", b"To: you\n")))),
    "half a mail is in a copy, too": together(
        write("torn2", mailbox(HALF[:-20])), change("torn", HALF[:-20], HALF)),
    "numbers are given again to mails of one size and time": pack_numbers,
}  # fmt: skip
# Texts that are moved or unpacked, and mail whose file is deleted
STAYS = ("a text is moved", "a mail is deleted from a Maildir", "a folder becomes a file")


@pytest.mark.parametrize("what", ACTIONS)
def test_figures_are_those_of_a_new_index(what: str, tmp_path: Path) -> None:
    folder, path, fresh = tmp_path / "in", tmp_path / "links.db", tmp_path / "fresh.db"
    begin(folder)
    for name, data in ((f"same/{number}", mail(f"n{number}")) for number in range(5)):
        os.utime(tree(folder, {name: data}) / name, (1, 1))
    index_sources(path, folder)
    ACTIONS[what](folder)
    index_sources(path, folder)
    index_sources(fresh, folder)
    found, expected = contents(path), contents(fresh)
    if what not in STAYS:
        assert {name: found[name] for name in ABOUT} == {name: expected[name] for name in ABOUT}
    again = index_sources(path, folder, prune=True)
    assert (again.messages, again.places) == (0, 0)
    assert contents(path) == expected


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a tree of which there is an index."""
    begin(tmp_path / "in")
    index_sources(tmp_path / "links.db", tmp_path / "in")
    return tmp_path / "in"


def test_copies_say_where_each_mail_lies(folder: Path, tmp_path: Path) -> None:
    path = tmp_path / "links.db"
    shutil.copy(folder / "box", tmp_path / "copy")
    pack("torn", "torn.gz")(folder)
    before = rows(path, "SELECT count(*), (SELECT count(*) FROM messages) FROM places")
    assert index_sources(path, tmp_path) == IndexRun()
    assert rows(path, "SELECT count(*), (SELECT count(*) FROM messages) FROM places") == before
    lies = "SELECT source, number, file FROM copies JOIN messages ON messages.id = message WHERE subject = ?"
    assert sorted(rows(path, lies, "3")) == [(f"{tmp_path}/copy", 4, None), (f"{folder}/box", 4, None)]
    assert rows(path, lies, "whole") == [(f"{folder}/torn.gz", 1, None)]
    assert rows(path, lies, "in2") == [(f"{folder}/a.tar/two", 1, f"{folder}/a.tar")]
    numbers = "SELECT source, message FROM links WHERE url = 'http://x.example/3'"
    assert rows(path, numbers) == [(f"{folder}/box", 4)]


def test_what_is_gone_is_named_and_pruned_when_asked(folder: Path, tmp_path: Path) -> None:
    """At most ten files are named. To prune alone, nothing is read, also not standard input."""
    path = tmp_path / "links.db"
    tree(folder, {f"more/{number:02}/a.txt": b"http://x.example/\n" for number in range(10)})
    index_sources(path, folder)
    before = urls(path)
    shutil.copy(folder / "mh/2", folder / "mh/3")
    for name in ("box", "mh/1", "mh/2", "M/new/1.x", "M/new/2.x", "a.tar"):
        (folder / name).unlink()
    shutil.rmtree(folder / "more")
    gone = [folder / name for name in ("M/new/1.x", "M/new/2.x", "a.tar", "box", "mh/1")]
    named = sorted(map(str, [*gone, *(folder / f"more/{number:02}/a.txt" for number in range(10))]))
    named[10:] = ["5 further files"]
    for words, done in (((folder,), ""), ((folder,), ""), (("--prune",), ", and deleted from the index")):
        assert urls(path) == before
        status, _, errors = outcome("index", path, *words, data=b"http://x.example/unread\n")
        assert (status, errors.splitlines()) == (
            0, [f"urlextract: {path}: no longer there{done}: {name}" for name in named],
        )  # fmt: skip
    index_sources(tmp_path / "fresh.db", folder)
    assert contents(path) == contents(tmp_path / "fresh.db")
    assert index_sources(path, folder) == IndexRun()
    shutil.rmtree(folder)
    assert outcome("index", path, "--prune")[0] == 0
    assert {name: each for name, each in contents(path).items() if each} == {}
    assert rows(path, "SELECT * FROM files") == []


def test_what_comes_back_is_read_again(folder: Path, tmp_path: Path) -> None:
    path = tmp_path / "links.db"
    for prune in (False, True):
        for name in ("box", "log"):
            (folder / name).rename(tmp_path / name)
        index_sources(path, folder, prune=prune)
        for name in ("box", "log"):
            (tmp_path / name).rename(folder / name)
        index_sources(path, folder)
        index_sources(tmp_path / f"{prune}.db", folder)
        assert contents(path) == contents(tmp_path / f"{prune}.db")


def test_streams_are_never_gone(tmp_path: Path) -> None:
    assert outcome("index", tmp_path / "links.db", data=MAILS[0]) == (0, "", "")
    assert outcome("index", tmp_path / "links.db", "--prune") == (0, "", "")
    assert len(urls(tmp_path / "links.db")) == 1


def test_what_cannot_be_read_is_not_gone_and_read_later(folder, tmp_path, monkeypatch):
    path, new = tmp_path / "links.db", folder / "M/new/7.x"
    stat = os.stat

    def refuse(name: object, *how: object, **more: object) -> os.stat_result:
        if isinstance(name, bytes) and b"/M/" in name:
            raise PermissionError
        return stat(name, *how, **more)

    with monkeypatch.context() as patched:  # also for root
        patched.setattr("urlextract.index.writing.os.stat", refuse)
        assert index_sources(path, [], prune=True).gone == ()
    if os.geteuid():  # whom files refuse
        new.write_bytes(mail("late"))
        for name in ("M/new/7.x", "box", "M/new", "M", "mh", "."):
            mode = (folder / name).stat().st_mode
            (folder / name).chmod(0)
            found = index_sources(path, folder, prune=True, on_damage=lambda _: None)
            (folder / name).chmod(mode)
            assert found.gone == ()
        assert index_sources(path, folder) == IndexRun(messages=1, places=1, urls=1)
    assert index_sources(path, folder) == IndexRun()


def test_what_the_system_could_not_hold_stays_until_it_can(tmp_path: Path) -> None:
    path, box = tmp_path / "links.db", tree(tmp_path, {"box": mailbox(LARGE, *MAILS)}) / "box"
    index_sources(path, box)
    box.write_bytes(mailbox(mail(8), LARGE, *MAILS))
    full = OSError(28, "No space left on device")
    with mock.patch("tempfile.SpooledTemporaryFile.write", side_effect=full):
        assert index_sources(path, box, on_damage=lambda _: None) == IndexRun(
            messages=1, places=1, urls=1, damaged=1
        )
    assert len(urls(path)) == 2 + len(MAILS)
    assert index_sources(path, box) == IndexRun()
    index_sources(tmp_path / "fresh.db", box)
    assert contents(path) == contents(tmp_path / "fresh.db")


def test_an_inbox_in_git_that_was_moved_is_the_same(tmp_path: Path) -> None:
    path = tmp_path / "links.db"
    plant_v2(tmp_path / "inbox")
    index_sources(path, tmp_path / "inbox")
    assert index_sources(path, [], prune=True).gone == ()
    (tmp_path / "inbox").rename(tmp_path / "moved")
    for _ in range(2):
        assert index_sources(path, tmp_path / "moved") == IndexRun()
        assert rows(path, "SELECT DISTINCT source FROM copies") == [(f"{tmp_path}/moved",)]


@pytest.mark.parametrize("query", [
    "messages WHERE id % 3 = 0", "places WHERE id % 3 = 0", "messages", "places", "copies",
    "messages WHERE id IN (SELECT message FROM copies WHERE source LIKE '%/box')",
])  # fmt: skip
@pytest.mark.parametrize("keys", ["ON", "OFF"])
def test_rows_deleted_by_sql_leave_counters_and_search_right(folder: Path, query: str, keys: str) -> None:
    path = folder.with_name("links.db")
    with closing(sqlite3.connect(path)) as index:
        index.execute(f"PRAGMA foreign_keys = {keys}")
        index.execute(f"DELETE FROM {query}")  # noqa: S608
        index.commit()
    contents(path)  # checks the counters, the references and the search
    ends = rows(path, "SELECT url, first_seen, last_seen, places FROM urls ORDER BY url")
    counted = "SELECT url, min(date), max(date), count(*) FROM links GROUP BY url ORDER BY url"
    assert ends == rows(path, counted)


def test_a_url_at_many_places_is_deleted_in_proportion(tmp_path: Path) -> None:
    """The first and the last date are found in an index, not among all places that are left."""
    path, body = tmp_path / "links.db", b"http://x.example/all\n"
    (tmp_path / "box").write_bytes(mailbox(*(mail(n, body=body) for n in range(1_000))))
    index_sources(path, tmp_path / "box")
    with closing(sqlite3.connect(path)) as index:
        steps: list[int] = []
        index.set_progress_handler(lambda: steps.append(1), 1_000)
        for size in (250, 500):
            steps.clear()
            index.execute("DELETE FROM messages WHERE id <= ?", (size,))
            assert len(steps) < 500  # 2,000 steps of SQLite's machine for each message


def test_what_is_one_mail_because_of_its_folder_is_read_anew(tmp_path: Path) -> None:
    """The file has not changed; around it a Maildir was made."""
    folder = tree(tmp_path / "in", {"box/new/note": b"see http://x.example/1\n"})
    index_sources(tmp_path / "links.db", folder)
    for name in ("cur", "tmp"):
        (folder / "box" / name).mkdir()
    index_sources(tmp_path / "links.db", folder)
    index_sources(tmp_path / "fresh.db", folder)
    assert len(contents(tmp_path / "links.db")["messages"]) == 1
    assert contents(tmp_path / "links.db") == contents(tmp_path / "fresh.db")
