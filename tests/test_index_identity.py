"""An index stays true: what was moved or compressed is the same source, and what is gone is named."""

from __future__ import annotations

import gzip
import lzma
import os
import shutil
import sqlite3
import subprocess
import zipfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from commands import outcome
from inboxes import plant_v2
from indexes import contents, records, rows, urls
from test_index import POSTMARK, mailbox, message

from urlextract import index_sources
from urlextract.results import IndexRun

NOTHING_NEW = IndexRun()


def made(folder: Path) -> Path:
    """Make a tree with mail in most of the ways in which people keep it; return it."""
    for part in ("mail/cur", "mail/new", "mail/tmp", "mail/.Old/cur", "mail/.Old/new", "mail/.Old/tmp", "mh"):
        (folder / part).mkdir(parents=True)
    (folder / "box").write_bytes(mailbox(*range(12)))
    (folder / "notes.txt").write_bytes(b"see http://x.example/note\n\nand http://x.example/other\n")
    (folder / "page.html").write_bytes(b"<html><p>see <a href='http://x.example/p'>it</a>")
    (folder / "old.gz").write_bytes(gzip.compress(mailbox(1, 2, path="z")))
    (folder / "mh" / ".mh_sequences").write_bytes(b"unseen: 3\n")
    for number in range(1, 6):
        (folder / "mail" / "cur" / f"{number}.x:2,").write_bytes(message(number, "d"))
        (folder / "mh" / str(number)).write_bytes(message(number, "h"))
    (folder / "mail" / "new" / "6.x").write_bytes(b"Subject: no link\nDate: 1 Feb 2024 10:00 +0000\n\nhi\n")
    with zipfile.ZipFile(folder / "two.zip", "w") as archive:
        archive.writestr("a.txt", "http://x.example/za\n" * 3)
        archive.writestr("b.eml", message(1, "zb"))
    return folder


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a tree of which there is an index."""
    index_sources(tmp_path / "links.db", made(tmp_path / "in"))
    return tmp_path / "in"


def state(path: Path) -> dict[str, list[str]]:
    """Return what an index holds of sources, without what only a further run needs."""
    held = contents(path)
    return {name: held[name] for name in ("links", "messages", "urls", "seen", "damage")}


def same_as_fresh(tmp_path: Path, folder: Path, **how: object) -> IndexRun:
    """Run again on ``folder``; require what a new index has; return what the run says."""
    found = index_sources(tmp_path / "links.db", folder, **how)
    fresh = tmp_path / "fresh.db"
    fresh.unlink(missing_ok=True)
    index_sources(fresh, folder)
    assert state(tmp_path / "links.db") == state(fresh)
    return found


# --- what is somewhere else -----------------------------------------------------------------------


def replace(old: Path, new: Path, data: bytes) -> None:
    """Put ``data`` into ``new``, which has the times of ``old``, in place of that, as gzip(1) does."""
    new.write_bytes(data)
    shutil.copystat(old, new)
    old.unlink()


def compress(folder: Path) -> None:
    replace(folder / "box", folder / "box.gz", gzip.compress((folder / "box").read_bytes()))
    notes = folder / "notes.txt"
    replace(notes, folder / "notes.txt.xz", lzma.compress(notes.read_bytes()))


def do(change: str | Callable[[Path], None], folder: Path) -> None:
    if callable(change):
        change(folder)
    else:
        subprocess.run(["sh", "-e", "-c", change], cwd=folder, check=True)


@pytest.mark.parametrize(("change", "has_news"), [
    ("mv ../in ../elsewhere", False),
    (compress, False),
    ("gunzip old.gz", False),
    ("mkdir sub; for name in box notes.txt page.html old.gz two.zip; do mv $name sub/new-$name; done", False),
    # Read mail, and move it to another folder, in some cases under the same name, as mail readers do.
    ("mv mail/cur/1.x:2, mail/cur/1.x:2,S; mv mail/new/6.x mail/cur/6.x:2,S", False),
    (("cd mail; mv cur/1.x:2, .Old/cur/1.x:2,S; mv cur/2.x:2, .Old/new/99.y; mv new/6.x .Old/cur/6.x:2,S;"
      "mv ../mh/3 ../mh/17; mv ../mh/4 .Old/new/100.y"), False),
    (lambda folder: ((folder / "box").rename(folder / "box.1"),
                     (folder / "box").write_bytes(mailbox(50, 51))), True),  # rotated
    ("mv box notes.txt", False),
])  # fmt: skip
def test_what_is_moved_is_not_counted_again(tmp_path: Path, folder: Path, change, *, has_news: bool) -> None:
    do(change, folder)
    now = folder if folder.exists() else tmp_path / "elsewhere"
    found = same_as_fresh(tmp_path, now)
    assert bool(found.places) == has_news
    assert found.gone == ()
    assert index_sources(tmp_path / "links.db", now) == NOTHING_NEW


@pytest.mark.parametrize("name", ["box", "renamed"])
def test_what_has_grown_since_it_was_moved_is_read_from_there(
    tmp_path: Path, folder: Path, name: str
) -> None:
    (folder / "sub").mkdir()
    (folder / "box").rename(folder / "sub" / name)
    with (folder / "sub" / name).open("ab") as box:
        box.write(mailbox(60))
    found = same_as_fresh(tmp_path, folder)
    assert (found.messages, found.places, found.gone) == (1, 2, ())


def test_what_was_edited_after_it_was_moved_replaces_what_it_was(tmp_path: Path) -> None:
    """A text of the same size whose end is the same, and another time."""
    text = b"see http://x.example/aaaa\n\n" + b"words\n" * 20_000
    (tmp_path / "in").mkdir()
    (tmp_path / "in/a.txt").write_bytes(text)
    index_sources(tmp_path / "links.db", tmp_path / "in")
    (tmp_path / "in/a.txt").unlink()
    (tmp_path / "in/b.txt").write_bytes(text.replace(b"aaaa", b"bbbb"))
    os.utime(tmp_path / "in/b.txt", ns=(0, 1))
    same_as_fresh(tmp_path, tmp_path / "in")
    assert urls(tmp_path / "links.db") == ["http://x.example/bbbb"]


def test_a_copy_is_another_source(tmp_path: Path, folder: Path) -> None:
    shutil.copy2(folder / "box", folder / "copy")
    shutil.copy2(folder / "mail/cur/1.x:2,", folder / "mail/.Old/cur/1.x:2,")
    assert same_as_fresh(tmp_path, folder).messages == 13


def test_members_and_damage_of_an_archive_move_with_it(tmp_path: Path) -> None:
    folder = made(tmp_path / "in")
    whole = gzip.compress(mailbox(*range(30), path="cut"))
    (folder / "cut.gz").write_bytes(whole[:-30])
    index_sources(tmp_path / "links.db", folder, on_damage=lambda _: None)
    [[source, cause, _]] = rows(tmp_path / "links.db", "SELECT source, cause, offset FROM damage")
    assert (source, "cut short" in cause) == (str(folder / "cut.gz"), True)
    (folder / "two.zip").rename(folder / "three.zip")
    assert index_sources(tmp_path / "links.db", folder).places == 0
    members = rows(tmp_path / "links.db", "SELECT path FROM sources WHERE kind = 'member' ORDER BY path")
    assert members == [(f"{folder}/three.zip/a.txt",), (f"{folder}/three.zip/b.eml",)]
    (folder / "cut.gz").write_bytes(whole)
    index_sources(tmp_path / "links.db", folder)
    assert rows(tmp_path / "links.db", "SELECT * FROM damage") == []


def test_small_equal_files_are_told_apart_by_what_is_there(tmp_path: Path) -> None:
    """Two files of the same content, of which one is moved and one stays."""
    folder = tmp_path / "in"
    folder.mkdir()
    for name in ("a", "b", "empty", "empty2"):
        (folder / name).write_bytes(b"" if "empty" in name else b"http://x.example/\n")
    index_sources(tmp_path / "links.db", folder)
    (folder / "a").rename(folder / "c")
    (folder / "empty").rename(folder / "d")
    same_as_fresh(tmp_path, folder)
    assert len(urls(tmp_path / "links.db")) == 2


def test_an_inbox_in_git_that_was_moved_is_the_same(tmp_path: Path) -> None:
    inbox = tmp_path / "inbox"
    plant_v2(inbox)
    index_sources(tmp_path / "links.db", inbox)
    inbox.rename(tmp_path / "moved")
    assert index_sources(tmp_path / "links.db", tmp_path / "moved") == NOTHING_NEW
    sources = rows(tmp_path / "links.db", "SELECT path, kind FROM sources")
    assert sources == [(str(tmp_path / "moved"), "inbox")]


@pytest.mark.parametrize("change", [
    "cd mh; rm 1; for number in 2 3 4 5; do mv $number $((number - 1)); done",  # as folder(1) of MH packs
    "cd mh; mv 1 ,1; mv 2 1; mv ,1 2",  # as sortm(1) of MH
    "ln box a; ln mail/cur/1.x:2, mail/.Old/cur/0.link:2,S",  # by an earlier name
    "ln -f box notes.txt; ln -f box page.html",
    "mv notes.txt notes.html",  # read as another format
    "cp notes.txt x; rm notes.txt; mkdir notes.txt; mv x notes.txt/notes.txt",
    "mv mh/2 second; rm -r mh; mv second mh",
    "echo see http://x.example/stray >mh/README",  # so that it is no folder of messages
    "mv mail/cur/9.zip:2, mail/cur/9.zip:2,S",
])  # fmt: skip
def test_after_each_change_and_its_return_the_index_is_as_a_new_one(tmp_path: Path, change: str) -> None:
    folder, kept = made(tmp_path / "in"), tmp_path / "kept"
    shutil.copy2(folder / "two.zip", folder / "mail/cur/9.zip:2,")
    for number in range(1, 6):
        os.utime(folder / "mh" / str(number), (1, 1))
    index_sources(tmp_path / "links.db", folder)
    shutil.copytree(folder, kept)
    do(change, folder)
    same_as_fresh(tmp_path, folder, prune=True)
    assert index_sources(tmp_path / "links.db", folder) == NOTHING_NEW
    shutil.rmtree(folder)
    kept.rename(folder)
    same_as_fresh(tmp_path, folder, prune=True)


def test_a_folder_that_was_moved_and_linked_back_is_the_same(tmp_path: Path, folder: Path) -> None:
    folder.rename(tmp_path / "disk")
    folder.symlink_to("disk")
    assert same_as_fresh(tmp_path, tmp_path / "disk") == NOTHING_NEW


def test_a_text_that_was_compressed_is_not_read_by_the_run_after_the_next(tmp_path: Path) -> None:
    """A text without a blank line is resumed at its start, where any file is the same."""
    (tmp_path / "a.txt").write_bytes(b"see http://x.example/\n")
    index_sources(tmp_path / "links.db", tmp_path / "a.txt")
    replace(tmp_path / "a.txt", tmp_path / "a.txt.gz", gzip.compress(b"see http://x.example/\n"))
    for _ in range(2):
        assert index_sources(tmp_path / "links.db", tmp_path / "a.txt.gz") == NOTHING_NEW


def test_names_that_look_like_escapes_are_other_names(tmp_path: Path) -> None:
    folder = made(tmp_path / "in")
    for number, name in enumerate((b"caf\xe9", b"caf\\xe9", b"a\\\\b", b"a\\b", b"1@2", b"l\nf")):
        path = os.path.join(os.fsencode(folder), b"mail/cur", name + b":2,")
        Path(os.fsdecode(path)).write_bytes(message(number, "odd"))
    index_sources(tmp_path / "links.db", folder)
    assert len({url for url in urls(tmp_path / "links.db") if "/odd" in url}) == 6
    assert same_as_fresh(tmp_path, folder) == NOTHING_NEW


def test_damage_is_there_once_and_until_it_is_read(tmp_path: Path) -> None:
    folder, path = tmp_path / "in", tmp_path / "links.db"
    for _ in range(2):
        index_sources(path, folder, on_damage=lambda _: None)
        assert rows(path, "SELECT source, cause FROM damage") == [(str(folder), "No such file or directory")]
    for part in ("cur", "new", "tmp"):
        (folder / part).mkdir(parents=True)
    (folder / "cur/1.x:2,").write_bytes(gzip.compress(message(1))[:-9])
    index_sources(path, folder, on_damage=lambda _: None)
    (folder / "cur/1.x:2,").rename(folder / "cur/1.x:2,S")
    index_sources(path, folder, on_damage=lambda _: None)
    assert [source for (source,) in rows(path, "SELECT source FROM damage")] == [f"{folder}/cur/1.x:2,S"]
    (folder / "cur/1.x:2,S").unlink()
    index_sources(path, folder, prune=True)
    assert rows(path, "SELECT * FROM damage") == []


@pytest.mark.skipif(os.getuid() == 0, reason="root may read everything")
def test_what_cannot_be_read_is_not_gone(tmp_path: Path, folder: Path) -> None:
    for name in ("box", "mail/cur", "mail", "mh", "."):
        (folder / name).chmod(0)
        found = index_sources(tmp_path / "links.db", folder, prune=True, on_damage=lambda _: None)
        (folder / name).chmod(0o700)
        assert found.gone == ()
    assert same_as_fresh(tmp_path, folder) == NOTHING_NEW


# --- what is gone ---------------------------------------------------------------------------------


def test_what_is_gone_is_named_and_pruned_when_asked(tmp_path: Path, folder: Path) -> None:
    path = tmp_path / "links.db"
    before = urls(path)
    (folder / "box").unlink()
    (folder / "two.zip").unlink()
    (folder / "mail/cur/3.x:2,").unlink()
    status, _, errors = outcome("index", path, folder)
    assert status == 1
    assert errors.splitlines() == [
        f"urlextract: {path}: no longer there: {folder}/box",
        f"urlextract: {path}: no longer there: {folder}/two.zip",
        f"urlextract: {path}: no longer there: 1 of the messages of {folder}/mail",
        f"urlextract: {path}: what it has of them stays, unless you give --prune",
    ]
    assert urls(path) == before
    found = same_as_fresh(tmp_path, folder, prune=True)
    assert sorted(found.gone) == [f"{folder}/box", f"{folder}/mail", f"{folder}/two.zip"]
    assert index_sources(path, folder) == NOTHING_NEW


def test_prune_alone_reads_nothing(tmp_path: Path, folder: Path) -> None:
    path = tmp_path / "links.db"
    shutil.rmtree(folder)
    status, _, errors = outcome("index", path, "--prune", data=b"http://x.example/unread\n")
    assert (status, errors.count("no longer there, and deleted from the index: ")) == (1, 7)
    assert {name: each for name, each in contents(path).items() if each} == {}


def test_many_that_are_gone_are_a_number(tmp_path: Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    for number in range(14):
        (folder / f"{number:02}.txt").write_bytes(b"http://x.example/\n")
    index_sources(tmp_path / "links.db", folder)
    shutil.rmtree(folder)
    _, _, errors = outcome("index", tmp_path / "links.db", "--prune")
    assert errors.splitlines()[10].endswith("deleted from the index: 4 further sources")


def test_streams_and_records_are_never_gone(tmp_path: Path) -> None:
    path = tmp_path / "links.db"
    assert outcome("index", path, data=message(1)) == (0, "", "")
    assert outcome("index", path, "--prune") == (1, "", "")
    assert len(urls(path)) == 2


# --- rows that are deleted by SQL -----------------------------------------------------------------


@pytest.mark.parametrize("query", [
    "messages WHERE number > 4", "places WHERE id % 3 = 0", "sources WHERE path LIKE '%/box'",
    "sources WHERE path LIKE '%/two.zip'", "sources WHERE kind = 'folder'", "messages", "sources",
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
    path = tmp_path / "links.db"
    (tmp_path / "box").write_bytes(mailbox(*range(2_000)))
    index_sources(path, tmp_path / "box")
    with closing(sqlite3.connect(path)) as index:
        steps: list[int] = []
        index.set_progress_handler(lambda: steps.append(1), 1_000)
        for size in (500, 1_000):
            steps.clear()
            index.execute("DELETE FROM messages WHERE id <= ?", (size,))
            assert len(steps) < 1_000  # 2,000 steps of SQLite's machine for each message


# --- what people ask ------------------------------------------------------------------------------


def test_dates_are_utc_and_those_that_no_mail_has_are_marked_and_are_no_first_or_last(tmp_path: Path) -> None:
    dates = ["1 Jan 1969 10:00:00 +0000", "7 Jan 2001 10:00:00 +0100", "1 Jan 2099 10:00:00 +0000",
             "1 Jan 2001 10:00:00 -0100", "soon", "5 Jan 2001 10:00:00 +0100"]  # fmt: skip
    mails = (b"Date: %s\n\nhttp://x.example/\n\n" % date.encode() for date in dates)
    (tmp_path / "box").write_bytes(b"".join(POSTMARK + mail for mail in mails))
    index_sources(tmp_path / "links.db", tmp_path / "box")
    assert rows(tmp_path / "links.db", "SELECT date, doubtful_date FROM links ORDER BY id") == [
        (None, "1969-01-01T10:00:00Z"), ("2001-01-07T09:00:00Z", None), (None, "2099-01-01T10:00:00Z"),
        ("2001-01-01T11:00:00Z", None), (None, None), ("2001-01-05T09:00:00Z", None),
    ]  # fmt: skip
    assert rows(tmp_path / "links.db", "SELECT first_seen, last_seen, places FROM urls") == [
        ("2001-01-01T11:00:00Z", "2001-01-07T09:00:00Z", 6)
    ]
    assert rows(tmp_path / "links.db", "SELECT month, messages FROM by_month") == [("2001-01", 3)]


def test_messages_without_a_url_are_counted_by_month(tmp_path: Path, folder: Path) -> None:
    """Also those in folders, and again after changes."""
    path = tmp_path / "links.db"
    query = "SELECT messages, with_links FROM by_month WHERE month = '2024-02'"
    assert rows(path, query) == [(1, 0)]
    (folder / "mail/new/6.x").unlink()
    index_sources(path, folder, prune=True)
    assert rows(path, query) == []


def test_a_mail_with_links_only_in_a_mail_in_it_has_links(tmp_path: Path) -> None:
    inner = b"Date: 1 Mar 2024 10:00 +0000\nMessage-ID: <2@x>\n\nhttp://x.example/\n"
    mail = b"Date: 2 Apr 2024 10:00 +0000\nMessage-ID: <1@x>\nContent-Type: message/rfc822\n\n" + inner
    (tmp_path / "a.eml").write_bytes(mail)
    index_sources(tmp_path / "links.db", tmp_path / "a.eml")
    by_month = rows(tmp_path / "links.db", "SELECT * FROM by_month")
    assert by_month == [("2024-03", 0, 0, 1, 1), ("2024-04", 1, 1, 0, 0)]
    both = (
        "SELECT outermost.message_id, messages.message_id FROM messages "
        "LEFT JOIN messages AS outermost ON outermost.id = messages.outer_id ORDER BY messages.id"
    )
    assert rows(tmp_path / "links.db", both) == [(None, "<1@x>"), ("<1@x>", "<2@x>")]


def test_people_are_columns_of_their_own(tmp_path: Path) -> None:
    (tmp_path / "a.eml").write_bytes(
        b'From: "Doe, Ann" <Ann@X.example>\nTo: bo@x.example, "C, D" <cd@x.example>\n'
        b"Newsgroups: a.b, c.d\n\nhttp://x.example/\n"
    )
    index_sources(tmp_path / "links.db", tmp_path / "a.eml")
    [row] = records(tmp_path / "links.db", "SELECT * FROM links")
    assert (row["from_name"], row["from_address"]) == ("Doe, Ann", "ann@x.example")
    assert row["recipients"] == '["bo@x.example", "C, D <cd@x.example>"]'
    assert row["newsgroups"] == '["a.b", "c.d"]'
    each = "SELECT value FROM links, json_each(recipients)"
    assert rows(tmp_path / "links.db", each) == [("bo@x.example",), ("C, D <cd@x.example>",)]


def test_domains_count_where_links_lead_behind_gateways(tmp_path: Path) -> None:
    safe = "https://nam01.safelinks.protection.outlook.com/?url=https%3A%2F%2Fwww.x.example%2F{}&data=1"
    (tmp_path / "a.txt").write_text("".join(f"{safe.format(n % 2)}\n\n" for n in range(4)))
    index_sources(tmp_path / "links.db", tmp_path / "a.txt")
    assert rows(tmp_path / "links.db", "SELECT domain, urls, places FROM domains") == [("x.example", 2, 4)]
    query = "SELECT DISTINCT domain, target, target_domain, target_key FROM links ORDER BY target"
    assert rows(tmp_path / "links.db", query) == [
        ("outlook.com", f"https://www.x.example/{n}", "x.example", f"https://www.x.example/{n}")
        for n in (0, 1)
    ]


def test_no_name_needs_quotes(tmp_path: Path) -> None:
    """Each column can be asked for as it is written."""
    path = tmp_path / "links.db"
    index_sources(path, [])
    for table in ("runs", "sources", "damage", "messages", "urls", "places", "links", "domains", "by_month"):
        names = [name for (name,) in rows(path, "SELECT name FROM pragma_table_info(?)", table)]
        assert len(names) >= 4
        for name in names:
            rows(path, f"SELECT {name} FROM {table} WHERE {name} IS NULL ORDER BY {name}")  # noqa: S608
