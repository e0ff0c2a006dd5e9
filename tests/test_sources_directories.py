"""Directories: Maildir, MH, news spools and trees of any files; loops and links (SPEC §8)."""

import gzip
import json
import os
import sqlite3
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest
import slices
from clusters import records_of, records_of_one
from commands import outcome
from inboxes import plant_v2, plant_v2_in_two_epochs
from packing import plant

from urlextract.sources.folders.tree import TreeFilter, Walker
from urlextract.sources.streams import Origin

POSTMARK = b"From ada@cs.example.edu Mon Nov 14 09:12:44 1994\n"
MESSAGE = b"Subject: one\nTo: b\n\nhi\n"
BOX = POSTMARK + MESSAGE + b"\n" + POSTMARK + MESSAGE


def read(root, form="auto", **chosen):
    """Read a directory; return the relative path, number and bytes of each item, and the errors."""
    items, damage = slices.read(root, form, tree_filter=TreeFilter(**chosen))
    return [(os.path.relpath(item.source, root), item.number, item.data) for item in items], damage


def names(root, form="auto", **chosen):
    """Return the paths below ``root`` of what is read; there is no damage."""
    items, damage = read(root, form, **chosen)
    assert not damage
    return [item[0] for item in items]


MAILDIR = {folder + part: b"" for folder in ("", ".Lists.www/", "Archive/", ".Lists/")
           for part in ("cur/", "new/", "tmp/")}  # fmt: skip
OF_FOLDERS = ["cur/1.a:2,S", "cur/2.b:2,S", "new/0.c", ".Lists.www/new/3.d", "Archive/cur/4.e"]
OTHERS = ["cur/.hidden", "tmp/9.z", "dovecot.index", "notes/a"]
NUMBERED = ("9", "10", "a", "b", "2/1", "11/5", "11/40", "z/1")
SKIPPED = ("message.id/1", "interesting.groups/1", "leaf.node/1", ".git/1")
IN_CUR = {"cur/1": MESSAGE, "other": MESSAGE}
TREES = {  # files, the format, and the paths that are read, in order
    "a Maildir with folders, not tmp, hidden files or indexes": (
        {**MAILDIR, **dict.fromkeys([*OF_FOLDERS[::-1], *OTHERS], MESSAGE)}, ("auto", "maildir"), OF_FOLDERS),
    "a Maildir alone, without new": (IN_CUR, ("maildir",), ["cur/1"]),
    "a Maildir, read as a tree": (
        {**IN_CUR, "new/2": MESSAGE, "tmp/3": MESSAGE}, ("tree",), ["other", "cur/1", "new/2", "tmp/3"]),
    "a Maildir below": (
        {**IN_CUR, "a/cur/1": MESSAGE, "a/new/": b"", "a/tmp/2": MESSAGE}, ("auto",),
            ["other", "a/cur/1", "cur/1"]),
    "a tree, in numeric then name order, files first": (
        dict.fromkeys(NUMBERED[::-1], MESSAGE), ("auto",), [*NUMBERED]),
    "what leafnode links again": ({**dict.fromkeys(SKIPPED, MESSAGE), "x/1": MESSAGE}, ("auto",), ["x/1"]),
}  # fmt: skip


@pytest.mark.parametrize("tree", TREES)
def test_what_of_a_tree_is_read_and_in_which_order(tree, tmp_path):
    files, forms, expected = TREES[tree]
    plant(tmp_path, files)
    if "x/1" in files:
        os.mkfifo(tmp_path / "x/fifo")
    for form in forms:
        assert names(tmp_path, form) == expected


WIRE = b"Path: a!b\r\nSubject: x\r\n\r\n.%b.dot\r\n"
ODD = b"not a header\n\nFrom - \nX: http://x/\n"
PASTED = b"Subject: a\n\nhi\n\n" + POSTMARK + b"To: b\n"
IMAGE = b"\x89PNG\r\n\x1a\n\0\0\0http://z/"
KINDS = {  # files, each with the number and the bytes of what is read of it
    "a Maildir, whose files are messages or mailboxes": {
        "cur/1": (b"no header http://x/\n", [(1, b"no header http://x/\n")]), "cur/4": (b"", []),
        "cur/2": (gzip.compress(MESSAGE), [(1, MESSAGE)]), "new/": (b"", []),
        "cur/3": (BOX, [(1, MESSAGE + b"\n"), (2, MESSAGE)]),
    },
    "a spool, whose files are messages, however odd": {
        "alt/2600/1": (WIRE % b"." + b".\r\n", [(1, WIRE % b"")]), "alt/2600/2": (ODD, [(1, ODD)]),
        "alt/2600/3": (b"\0\0\0", []), "alt/2600/4": (PASTED, [(1, PASTED)]),
            "alt/2600/.overview": (b"x", []),
    },
    "other files, by their content": {
        "1": (b"no header\n", [(None, b"no header\n")]),
            "a.mbox": (BOX, [(1, MESSAGE + b"\n"), (2, MESSAGE)]),
        "b.eml": (MESSAGE, [(1, MESSAGE)]), "c.txt": (b"see http://x/\n", [(None, b"see http://x/\n")]),
        "d.gz": (gzip.compress(b"http://y/\n"), [(None, b"http://y/\n")]), "e.png": (IMAGE, []),
        "f.tar.gz": (gzip.compress(b"name\0\0http://z/"), []),
            "h.eml": (MESSAGE + b"\0", [(1, MESSAGE + b"\0")]),
        "g.utf16": (wide := "see http://x/\n".encode("utf-16"), [(None, wide)]), "i.empty": (b"", []),
    },
}  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
def test_form_of_a_file_is_that_of_its_place_or_its_content(kind, tmp_path):
    plant(tmp_path, {name: data for name, (data, _) in KINDS[kind].items()})
    expected = [(name, *item) for name, (_, items) in sorted(KINDS[kind].items()) for item in items]
    assert read(tmp_path) == (expected, [])


def test_given_form_applies_to_each_file_and_what_is_named_is_read(tmp_path):
    plant(tmp_path, {"a": b"prose\n", "b/c": MESSAGE, "e.png": IMAGE})
    assert [number for _, number, _ in read(tmp_path, "message")[0]] == [1, 1, 1]
    assert [number for _, number, _ in read(tmp_path, "text")[0]] == [None] * 3
    assert len(slices.read(tmp_path / "e.png")[0]) == 1


@pytest.mark.parametrize(
    "files", [{}, {"a/b/": b""}, {"x.png": b"\0"}, {"empty": b""}, {"cur/": b"", "new/": b""}]
)
def test_directory_without_messages_is_damage(tmp_path, files):
    items, (damage,) = read(plant(tmp_path, files))
    told = (str(tmp_path), "no message in this directory", None)
    assert (items, (damage.source, damage.cause, damage.offset)) == ([], told)


def test_damaged_file_does_not_stop_the_walk(tmp_path):
    plant(tmp_path, {"a.gz": gzip.compress(b"see http://x/ and more\n" * 9)[:-9], "b": b"text"})
    items, (damage,) = read(tmp_path)
    assert [name for name, _, _ in items] == ["a.gz", "b"]
    assert damage.source == str(tmp_path / "a.gz")


def test_what_vanishes_is_damage(tmp_path):
    plant(tmp_path, dict.fromkeys(("1", "2", "3", "a/4", "b/5"), MESSAGE))
    damage = []
    items = slices.read_source(tmp_path, on_damage=damage.append)
    first = next(items)
    for name in ("2", "a/4"):
        (tmp_path / name).unlink()
    (tmp_path / "a").rmdir()
    found = [item.provenance.source for item in (first, *items)]
    assert found == [str(tmp_path / name) for name in ("1", "3", "b/5")]
    assert [error.source for error in damage] == [str(tmp_path / name) for name in ("2", "a")]


def test_mail_that_a_reader_marks_meanwhile_is_read(tmp_path):
    plant(tmp_path, {"cur/": b"", "new/1.a": MESSAGE, "new/2.b": MESSAGE})
    items = slices.read_source(tmp_path, on_damage=pytest.fail)
    next(items)
    (tmp_path / "new/2.b").rename(tmp_path / "cur/2.b:2,S")
    assert [item.provenance.source for item in items] == [str(tmp_path / "new/2.b")]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read all")
def test_directory_without_permission_is_damage(tmp_path):
    plant(tmp_path, {"1": MESSAGE, "a/2": MESSAGE})
    (tmp_path / "a").chmod(0)
    items, (damage,) = read(tmp_path)
    (tmp_path / "a").chmod(0o700)
    assert (len(items), damage.source, damage.cause) == (1, str(tmp_path / "a"), "Permission denied")


def test_tree_1200_levels_deep_is_read(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    paths = [Path(*["d"] * depth) for depth in range(1, 1200)]
    for path in paths:
        path.mkdir()
    (paths[-1] / "1").write_bytes(MESSAGE)
    found = names(paths[0])
    (paths[-1] / "1").unlink()
    for path in reversed(paths):  # what clears up after the tests may not go so deep
        path.rmdir()
    assert found == [str(Path(*["d"] * 1198, "1"))]


def test_source_begins_with_the_path_as_given(tmp_path, monkeypatch):
    plant(tmp_path, {"box/a/1": MESSAGE})
    monkeypatch.chdir(tmp_path)
    for given in ("box", "./box", "box/", "."):
        ([item], _) = slices.read(given)
        assert item.source == os.path.join(given, "a/1" if "box" in given else "box/a/1")


# --- links ----------------------------------------------------------------------------------------

MAIL = {"in/m/cur/3": MESSAGE, "in/m/new/": b""}
LINKED = {  # files, links, hard links, and what is read without links and with those that are followed
    "wherever they lead": (
        {"in/1": MESSAGE, "in/.hidden/2": MESSAGE, "out/3": MESSAGE, "out/box/cur/4": MESSAGE,
         "out/box/new/": b"", "in/mail/new/": b"", "in/mail/cur/5": MESSAGE},
        {"file": "../out/3", "folder": "../out", "mail/.box": "../../out/box", "shown": ".hidden",
         "again": "1", "over": "folder/3", "device": "/dev/null"}, {},
        ["1", "mail/cur/5"], ["1", "file", "folder/box/cur/4", "mail/cur/5", "shown/2"]),
    "in a loop": (
        {"in/a/1": MESSAGE, "in/a/b/2": MESSAGE, **MAIL},
        {"a/b/up": "../..", "a/self": "../a", "m/.loop": "../m", "m/cur/loop": ".."}, {},
        ["a/1", "a/b/2", "m/cur/3"], ["a/1", "a/b/2", "m/cur/3"]),
    "each target once, by the name that comes first": (
        {"in/b/1": MESSAGE, "in/d/2": MESSAGE, **MAIL},
        {"a": "d/2", "c": "b", "d/8": "../b/1", "l": "m/cur", "n/cur": "../m/cur", "n/new": "../m/new",
            "o": "n"},
        {"d/7": "b/1"}, ["b/1", "d/2", "m/cur/3"], ["a", "b/1", "l/3"]),
    "crossposted": ({"in/a/1": MESSAGE, "in/b/": b""}, {"c/9": "../a/1"}, {"b/7": "a/1"}, ["a/1"], ["a/1"]),
}  # fmt: skip


@pytest.mark.parametrize("kind", LINKED)
def test_links_in_a_directory_are_read_only_if_they_are_followed(kind, tmp_path):
    """One that leads out of it may lead to files that its owner may not read."""
    files, links, hard, plain, followed = LINKED[kind]
    plant(tmp_path, files)
    plant(tmp_path / "in", {}, links)
    for name, target in hard.items():
        os.link(tmp_path / "in" / target, tmp_path / "in" / name)
    assert names(tmp_path / "in") == plain
    assert names(tmp_path / "in", follow=True) == followed


def test_a_link_that_is_named_is_followed(tmp_path):
    plant(tmp_path, {"in/1": MESSAGE}, {"folder": "in", "file": "in/1"})
    assert names(tmp_path / "folder") == names(tmp_path / "folder", follow=True) == ["1"]
    assert names(tmp_path / "file") == ["."]


def test_link_that_leads_nowhere_is_damage_if_it_is_followed(tmp_path):
    chain = {f".chain/{number}": f"{number + 1}" for number in range(2_000)}
    plant(tmp_path, {"1": MESSAGE}, {"x": "x", "y": "gone", "z": ".chain/0", **chain})
    assert names(tmp_path) == ["1"]
    items, damage = read(tmp_path, follow=True)
    assert len(items) == 1
    assert [error.source for error in damage] == [str(tmp_path / name) for name in "xyz"]


def test_parts_of_an_inbox_that_are_links_are_read_only_if_they_are_followed(tmp_path):
    """Those of a Maildir, the epochs of a public inbox, and the directory of these; each once."""
    for name in ("in/inbox", "two", "three"):
        plant_v2(tmp_path / name)
    plant(tmp_path, {"out/a": MESSAGE, "out/b": MESSAGE, "in/box/new/c": MESSAGE}, {
        "in/box/cur": "../../out", "in/inbox/git/1.git": "../../../two/git/0.git",
            "in/other/git": "../../three/git",
    })  # fmt: skip
    assert names(tmp_path / "in") == ["box/new/c", *["inbox"] * 3]
    followed = names(tmp_path / "in", follow=True)
    assert followed[:3] == ["box/cur/a", "box/cur/b", "box/new/c"]
    assert set(followed[3:]) == {"inbox", "other"}
    for follow, epochs in (False, [1]), (True, [2, 1]):
        files = Walker("auto", partial(Origin, on_damage=pytest.fail), TreeFilter(follow=follow))
        assert [len(file.repositories) for file in files.walk(str(tmp_path / "in"))][-len(epochs) :] == epochs
    assert names(tmp_path / "in/box", "maildir") == ["new/c"]
    plant_v2_in_two_epochs(tmp_path / "more/box")
    plant(tmp_path / "more", {}, {"box/git/3.git": "0.git", "ca": "box", "cb/git": "../box/git"})
    assert names(tmp_path / "more") == names(tmp_path / "more", follow=True) == ["box"] * 3
    plant(tmp_path / "more", {}, {"cc": "box/git/1.git"})  # is met before that epoch
    assert set(names(tmp_path / "more", follow=True)) == {"box", "cc"}


@pytest.mark.parametrize(("include", "exclude", "expected"), [
    ((), ("link", "file", "hard"), ["b.txt", "real/a.txt"]),
    ((), ("real", "hard"), ["b.txt", "link/a.txt"]),
    (("*.txt",), (), ["b.txt", "link/a.txt"]),
    (("*.bin",), (), ["other/b.bin"]),
    (("hard",), (), ["hard"]),
    ((), ("other", "b.txt", "hard"), ["file", "link/a.txt"]),
    ((), ("other", "b.txt", "file"), ["hard", "link/a.txt"]),
])  # fmt: skip
def test_link_that_is_not_asked_for_hides_no_other_name(tmp_path, include, exclude, expected):
    """Each name of a file is judged on its own, of hard links, too."""
    links = {"in/link": "real", "in/file": "other/b.bin", "in/b.txt": "other/b.bin"}
    plant(tmp_path, {"in/real/a.txt": b"see http://a/\n", "in/other/b.bin": b"see http://b/\n"}, links)
    os.link(tmp_path / "in/other/b.bin", tmp_path / "in/hard")
    assert names(tmp_path / "in", follow=True, include=include, exclude=exclude) == expected


def test_link_in_a_folder_of_messages_is_a_message(tmp_path):
    """As if its target were there: if it and all that is there have numbers for names."""
    files = {"in/a/1": MESSAGE, "in/b/notes": b"text\n", "out/odd": ODD, "out/other": ODD + b"too\n"}
    plant(tmp_path, files, {"in/a/2": "../../out/odd", "in/b/2": "../../out/other"})
    found = [item[:2] for item in read(tmp_path / "in", follow=True)[0]]
    assert found == [("a/1", 1), ("a/2", 1), ("b/2", None), ("b/notes", None)]


@pytest.fixture
def tree(tmp_path):
    """Return a folder with a text, and links to a text and to a folder."""
    files = {"in/a.txt": "http://in.example/\n", "out/b.txt": "http://out.example/\n"}
    links = {"b.txt": "../out/b.txt", "c": "../out/c", "e.txt": "a.txt", "no": "../out/b.txt"}
    plant(
        tmp_path,
        {**files, "out/c/d.txt": "http://deep.example/\n"},
        {f"in/{key}": links[key] for key in links},
    )
    return tmp_path


WAYS = [[], ["-j"], ["-c"], ["-j", "-J", "2"], ["--state", "state"], ["--explain"]]


@pytest.mark.parametrize("words", WAYS, ids=" ".join)
def test_no_command_follows_a_link_unless_it_is_asked_to(words, tree):
    status, out, said = outcome(*words, "--exclude", "no", "in", cwd=tree)
    assert (status, said) == (0, "")
    assert [name in out for name in ("in", "out", "deep")] == [True, False, False]
    status, more, said = outcome(*words, "-L", "--exclude", "no", "in", cwd=tree)
    assert (status, said, len(more) > len(out)) == (0, "", True)


def rows(index, query):
    with closing(sqlite3.connect(index)) as connection:
        return connection.execute(query).fetchall()


def test_index_follows_no_link_unless_it_is_asked_to(tree):
    for words, count in ([], 1), (["-L"], 3):
        assert outcome("index", *words, "links.db", "in", cwd=tree) == (0, "", "")
        assert rows(tree / "links.db", "SELECT count(*) FROM urls") == [(count,)]


def test_state_and_index_know_a_file_whatever_links_come_and_go(tmp_path):
    urls = ["http://a.example/", "http://b.example/"]
    places = [str(tmp_path / name) for name in ("in/real/a.txt", "in/real/b/1")]
    plant(tmp_path, {"in/real/a.txt": urls[0], "in/real/b/1": MESSAGE + urls[1].encode()})
    assert outcome("--state", "state", "in", cwd=tmp_path) == (0, "\n".join([*urls, ""]), "")
    assert outcome("index", "links.db", "in", cwd=tmp_path)[0] == 0
    for links in ({"in/aa": "real", "in/0": "real/b/1", "in/b": "real/b"}, {}):
        plant(tmp_path, {}, links)
        assert outcome("--state", "state", "in", cwd=tmp_path)[:2] == (1, "")
        assert outcome("index", "links.db", "in", cwd=tmp_path)[0] == 0
        found = rows(tmp_path / "links.db", "SELECT url, source FROM links ORDER BY url")
        assert found == [*zip(urls, places, strict=True)]
        for name in links:
            (tmp_path / name).unlink()


@pytest.mark.parametrize("words", [[], ["-L"]], ids=" ".join)
def test_several_processes_and_parts_read_the_files_that_one_process_reads(words, tree):
    plant(tree / "in", {".hidden/x.txt": "http://hidden.example/\n"}, {"a": ".hidden", "c2": "c"})
    found = records_of_one(*words, "in", cwd=tree)
    records = [json.loads(line) for line in found]
    assert len(found) == len({each["source"] for each in records}) == (4 if words else 1)
    printed = outcome("-J", 2, *words, "in", cwd=tree)[1].split()
    assert sorted(printed) == sorted(each["url"] for each in records)
    assert outcome("cluster", "--out", "parts", *words, "in", cwd=tree)[::2] == (0, "")
    assert records_of(tree / "parts") == found
