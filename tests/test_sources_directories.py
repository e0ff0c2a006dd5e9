"""Directories: Maildir, MH, news spools and trees of any files; loops and links (SPEC §8)."""

from __future__ import annotations

import gzip
import json
import os
import sqlite3
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest
from clusters import records_of, records_of_one
from commands import outcome
from inboxes import plant_v2, plant_v2_in_two_epochs

from urlextract.errors import SourceError
from urlextract.records import RawMessage
from urlextract.sources.folders.tree import TreeFilter, Walker
from urlextract.sources.reading import read_source
from urlextract.sources.streams import Place

POSTMARK = b"From ada@cs.example.edu Mon Nov 14 09:12:44 1994\n"
MESSAGE = b"Subject: one\nTo: b\n\nhi\n"


def plant(root: Path, files: dict[str, bytes]) -> None:
    """Write files under ``root``; a name that ends in "/" is a directory."""
    for name, data in files.items():
        path = root / name
        if name.endswith("/"):
            path.mkdir(parents=True, exist_ok=True)
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


def read(
    root: str | Path, form: str = "auto"
) -> tuple[list[tuple[str, int | None, bytes]], list[SourceError]]:
    """Read a directory; return the relative path, number and bytes of each item, and the errors."""
    damage: list[SourceError] = []
    items = []
    for item in read_source(root, form, on_damage=damage.append):
        data = item.data if isinstance(item, RawMessage) else b"".join(item.chunks)
        assert item.provenance.source is not None
        items.append((os.path.relpath(item.provenance.source, root), item.provenance.message, data))
    return items, damage


def names(root: Path, form: str = "auto") -> list[str]:
    items, damage = read(root, form)
    assert not damage
    return [item[0] for item in items]


def test_maildir_yields_cur_and_new_of_all_folders(tmp_path: Path) -> None:
    """Not tmp, hidden files or indexes."""
    parts = ("cur/", "new/", "tmp/")
    folders = ("", ".Lists.www/", "Archive/", ".Lists/")
    plant(tmp_path, {folder + part: b"" for folder in folders for part in parts})
    expected = ["cur/1.a:2,S", "cur/2.b:2,S", "new/0.c", ".Lists.www/new/3.d", "Archive/cur/4.e"]
    others = ["cur/.hidden", "tmp/9.z", "dovecot.index", "notes/a"]
    plant(tmp_path, dict.fromkeys([*expected, *others], MESSAGE))
    assert names(tmp_path) == names(tmp_path, "maildir") == expected


def test_every_maildir_file_is_a_message_or_a_mailbox(tmp_path: Path) -> None:
    plant(tmp_path, {"new/": b"", "cur/1": b"no header http://x/\n", "cur/2": gzip.compress(MESSAGE)})
    plant(tmp_path, {"cur/3": POSTMARK + MESSAGE + b"\n" + POSTMARK + MESSAGE, "cur/4": b""})
    assert read(tmp_path) == ([
        ("cur/1", 1, b"no header http://x/\n"), ("cur/2", 1, MESSAGE),
        ("cur/3", 1, MESSAGE + b"\n"), ("cur/3", 2, MESSAGE),
    ], [])  # fmt: skip


def test_form_maildir_reads_only_cur_and_new(tmp_path: Path) -> None:
    """In a tree it is read as one."""
    plant(tmp_path, {"cur/1": MESSAGE, "other": MESSAGE})
    assert names(tmp_path, "maildir") == ["cur/1"]
    assert names(tmp_path, "tree") == ["other", "cur/1"]
    plant(tmp_path, {"a/cur/1": MESSAGE, "a/new/": b"", "a/tmp/2": MESSAGE})
    assert names(tmp_path) == ["other", "a/cur/1", "cur/1"]


def test_tree_is_read_in_numeric_then_name_order(tmp_path: Path) -> None:
    """Files come before directories."""
    plant(tmp_path, dict.fromkeys(("10", "9", "2/1", "11/5", "11/40", "b", "a", "z/1"), MESSAGE))
    assert names(tmp_path) == ["9", "10", "a", "b", "2/1", "11/5", "11/40", "z/1"]


def test_numbered_file_is_one_message(tmp_path: Path) -> None:
    """Articles and MH messages, even without a header, in wire format too."""
    wire = b"Path: a!b\r\nSubject: x\r\n\r\n..dot\r\n.\r\n"
    odd = b"not a header\n\nFrom - \nX: http://x/\n"
    pasted = b"Subject: a\n\nhi\n\n" + POSTMARK + b"To: b\n"
    files = {"1": wire, "2": odd, "3": b"\0\0\0", ".overview": b"x", "4": pasted}
    plant(tmp_path / "alt/2600", files)
    plain = b"Path: a!b\r\nSubject: x\r\n\r\n.dot\r\n"
    assert read(tmp_path / "alt/2600") == ([("1", 1, plain), ("2", 1, odd), ("4", 1, pasted)], [])


def test_form_of_another_file_is_detected_by_content(tmp_path: Path) -> None:
    files: dict[str, tuple[bytes, list[int | None]]] = {  # and the numbers of what is read
        "1": (b"no header\n", [None]),
        "a.mbox": (POSTMARK + MESSAGE + b"\n" + POSTMARK + MESSAGE, [1, 2]),
        "b.eml": (MESSAGE, [1]),
        "c.txt": (b"see http://x/\n", [None]),
        "d.gz": (gzip.compress(b"see http://y/\n"), [None]),
        "e.png": (b"\x89PNG\r\n\x1a\n\0\0\0http://z/", []),
        "f.tar.gz": (gzip.compress(b"name\0\0http://z/"), []),
        "g.utf16": ("see http://x/\n".encode("utf-16"), [None]),
        "h.eml": (MESSAGE + b"\0", [1]),
        "i.empty": (b"", []),
    }
    plant(tmp_path, {name: data for name, (data, _) in files.items()})
    items, damage = read(tmp_path)
    assert not damage
    expected = [(name, number) for name, (_, numbers) in files.items() for number in numbers]
    assert [(name, number) for name, number, _ in items] == expected
    assert len(list(read_source(tmp_path / "e.png", on_damage=pytest.fail))) == 1  # it is named


def test_index_and_hidden_names_are_skipped(tmp_path: Path) -> None:
    folders = ("message.id", "interesting.groups", "leaf.node", ".git", "x")
    plant(tmp_path, {f"{name}/1": MESSAGE for name in folders})
    os.mkfifo(tmp_path / "x/fifo")
    assert names(tmp_path) == ["x/1"]


def test_given_form_applies_to_each_file(tmp_path: Path) -> None:
    plant(tmp_path, {"a": b"prose\n", "b/c": MESSAGE})
    assert [number for _, number, _ in read(tmp_path, "message")[0]] == [1, 1]
    assert [number for _, number, _ in read(tmp_path, "text")[0]] == [None, None]


def test_linked_file_is_read_once(tmp_path: Path) -> None:
    """A crossposted article is linked into each group."""
    plant(tmp_path, {"a/1": MESSAGE, "b/": b"", "c/": b""})
    os.link(tmp_path / "a/1", tmp_path / "b/7")
    (tmp_path / "c/9").symlink_to(tmp_path / "a/1")
    assert names(tmp_path) == ["a/1"]


@pytest.mark.parametrize(
    "files", [{}, {"a/b/": b""}, {"x.png": b"\0"}, {"empty": b""}, {"cur/": b"", "new/": b""}]
)
def test_directory_without_messages_is_damage(tmp_path: Path, files: dict[str, bytes]) -> None:
    plant(tmp_path, files)
    items, (damage,) = read(tmp_path)
    assert items == []
    told = (str(tmp_path), "no message in this directory", None)
    assert (damage.source, damage.cause, damage.offset) == told


def test_damaged_file_does_not_stop_the_walk(tmp_path: Path) -> None:
    plant(tmp_path, {"a.gz": gzip.compress(b"see http://x/ and more\n" * 9)[:-9], "b": b"text"})
    items, (damage,) = read(tmp_path)
    assert [name for name, _, _ in items] == ["a.gz", "b"]
    assert damage.source == str(tmp_path / "a.gz")


def test_what_vanishes_is_damage(tmp_path: Path) -> None:
    plant(tmp_path, {"1": MESSAGE, "2": MESSAGE, "3": MESSAGE, "a/4": MESSAGE, "b/5": MESSAGE})
    damage: list[SourceError] = []
    items = read_source(tmp_path, on_damage=damage.append)
    first = next(items)
    for name in ("2", "a/4"):
        (tmp_path / name).unlink()
    (tmp_path / "a").rmdir()
    found = [first, *items]
    assert [item.provenance.source for item in found] == [str(tmp_path / name) for name in ("1", "3", "b/5")]
    assert [error.source for error in damage] == [str(tmp_path / name) for name in ("2", "a")]


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read all")
def test_directory_without_permission_is_damage(tmp_path: Path) -> None:
    plant(tmp_path, {"1": MESSAGE, "a/2": MESSAGE})
    (tmp_path / "a").chmod(0)
    items, (damage,) = read(tmp_path)
    (tmp_path / "a").chmod(0o700)
    assert len(items) == 1
    assert (damage.source, damage.cause) == (str(tmp_path / "a"), "Permission denied")


def test_tree_1200_levels_deep_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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


def test_source_begins_with_the_path_as_given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plant(tmp_path, {"box/a/1": MESSAGE})
    monkeypatch.chdir(tmp_path)
    for given in ("box", "./box", "box/", "."):
        (item,) = read_source(given, on_damage=pytest.fail)
        below = "a/1" if "box" in given else "box/a/1"
        assert item.provenance.source == os.path.join(given, below)


# --- symbolic links --------------------------------------------------------------------------------


def followed(
    root: Path, *, follow: bool = True, include: tuple[str, ...] = (), exclude: tuple[str, ...] = ()
) -> list[str]:
    """Return the paths below ``root`` of what is read."""
    tree_filter = TreeFilter(include, exclude, follow)
    items = list(read_source(root, on_damage=pytest.fail, tree_filter=tree_filter))
    return [os.path.relpath(str(item.provenance.source), root) for item in items]


def link(root: Path, links: dict[str, str]) -> None:
    """Make symbolic links under ``root``, with their targets as they are given."""
    for name, target in links.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).symlink_to(target)


def test_links_in_a_directory_are_read_only_if_they_are_followed(tmp_path: Path) -> None:
    """Wherever they lead: one that leads out of it may lead to files that its owner may not read."""
    plant(tmp_path, {"in/1": MESSAGE, "in/.hidden/2": MESSAGE, "out/3": MESSAGE, "out/box/cur/4": MESSAGE})
    plant(tmp_path, {"out/box/new/": b"", "in/mail/new/": b"", "in/mail/cur/5": MESSAGE})
    link(tmp_path / "in", {"file": "../out/3", "folder": "../out", "mail/.box": "../../out/box"})
    link(tmp_path / "in", {"shown": ".hidden", "again": "1", "over": "folder/3", "device": "/dev/null"})
    assert followed(tmp_path / "in", follow=False) == ["1", "mail/cur/5"]
    assert followed(tmp_path / "in") == ["1", "file", "folder/box/cur/4", "mail/cur/5", "shown/2"]


@pytest.mark.parametrize("follow", [False, True])
def test_a_link_that_is_named_is_followed(tmp_path: Path, *, follow: bool) -> None:
    plant(tmp_path, {"in/1": MESSAGE})
    link(tmp_path, {"folder": "in", "file": "in/1"})
    assert followed(tmp_path / "folder", follow=follow) == ["1"]
    assert names(tmp_path / "file") == ["."]


def test_loop_of_links_ends(tmp_path: Path) -> None:
    plant(tmp_path, {"a/1": MESSAGE, "a/b/2": MESSAGE, "m/cur/3": MESSAGE, "m/new/": b""})
    link(tmp_path, {"a/b/up": str(tmp_path), "a/self": "../a", "m/.loop": "../m", "m/cur/loop": ".."})
    assert followed(tmp_path) == ["a/1", "a/b/2", "m/cur/3"]


def test_link_that_leads_nowhere_is_damage_if_it_is_followed(tmp_path: Path) -> None:
    plant(tmp_path, {"1": MESSAGE, ".chain/": b""})
    link(tmp_path, {"x": "x", "y": "gone", "z": ".chain/0"})
    link(tmp_path / ".chain", {f"{number}": f"{number + 1}" for number in range(2_000)})
    assert names(tmp_path) == ["1"]
    damage: list[SourceError] = []
    items = read_source(tmp_path, on_damage=damage.append, tree_filter=TreeFilter(follow=True))
    assert len(list(items)) == 1
    assert [error.source for error in damage] == [str(tmp_path / name) for name in "xyz"]


def test_parts_of_an_inbox_that_are_links_are_read_only_if_they_are_followed(tmp_path: Path) -> None:
    """Those of a Maildir, the epochs of a public inbox, and the directory of these."""
    plant(tmp_path, {"out/a": MESSAGE, "out/b": MESSAGE, "in/box/new/c": MESSAGE})
    link(tmp_path / "in/box", {"cur": "../../out"})
    for name in ("one", "two", "three"):
        plant_v2(tmp_path / name)
    (tmp_path / "one").rename(tmp_path / "in/inbox")
    link(tmp_path / "in/inbox/git", {"1.git": "../../../two/git/0.git"})
    link(tmp_path / "in/other", {"git": "../../three/git"})
    assert followed(tmp_path / "in", follow=False) == ["box/new/c", *["inbox"] * 3]
    assert followed(tmp_path / "in")[:3] == ["box/cur/a", "box/cur/b", "box/new/c"]
    assert set(followed(tmp_path / "in")[3:]) == {"inbox", "other"}
    for follow, epochs in (False, [1]), (True, [2, 1]):
        files = Walker("auto", partial(Place, on_damage=pytest.fail), TreeFilter(follow=follow))
        assert [len(file.repositories) for file in files.walk(str(tmp_path / "in"))][-len(epochs) :] == epochs
    items = read_source(tmp_path / "in/box", "maildir", on_damage=pytest.fail)
    assert [item.provenance.source for item in items] == [str(tmp_path / "in/box/new/c")]


def test_each_target_is_read_once(tmp_path: Path) -> None:
    """By the name that comes first; hard links, too."""
    plant(tmp_path, {"in/b/1": MESSAGE, "in/d/2": MESSAGE, "in/m/cur/3": MESSAGE, "in/m/new/": b""})
    os.link(tmp_path / "in/b/1", tmp_path / "in/d/7")
    link(tmp_path / "in", {"a": "d/2", "c": "b", "d/8": "../b/1", "l": "m/cur", "n/cur": "../m/cur"})
    link(tmp_path / "in", {"n/new": "../m/new", "o": "n"})
    assert followed(tmp_path / "in") == ["a", "b/1", "l/3"]
    assert followed(tmp_path / "in", follow=False) == ["b/1", "d/2", "m/cur/3"]


def test_repository_is_read_once_whatever_links_lead_to_it(tmp_path: Path) -> None:
    """As an epoch of its inbox, or by the link that is met before that."""
    plant_v2_in_two_epochs(tmp_path / "in/box")
    link(tmp_path / "in", {"box/git/3.git": "0.git", "ca": "box", "cb/git": "../box/git"})
    assert followed(tmp_path / "in") == followed(tmp_path / "in", follow=False) == ["box"] * 3
    link(tmp_path / "in", {"cc": "box/git/1.git"})
    assert set(followed(tmp_path / "in")) == {"box", "cc"}


@pytest.mark.parametrize(("include", "exclude", "expected"), [
    ((), ("link", "file"), ["b.txt", "real/a.txt"]),
    ((), ("real",), ["b.txt", "link/a.txt"]),
    (("*.txt",), (), ["b.txt", "link/a.txt"]),
    (("*.bin",), (), ["other/b.bin"]),
    ((), ("other", "b.txt"), ["file", "link/a.txt"]),
])  # fmt: skip
def test_link_that_is_not_asked_for_hides_no_other_name(
    tmp_path: Path, include: tuple[str, ...], exclude: tuple[str, ...], expected: list[str]
) -> None:
    """Each name of a file is judged on its own."""
    plant(tmp_path, {"in/real/a.txt": b"see http://a/\n", "in/other/b.bin": b"see http://b/\n"})
    link(tmp_path / "in", {"link": "real", "file": "other/b.bin", "b.txt": "other/b.bin"})
    assert followed(tmp_path / "in", include=include, exclude=exclude) == expected


def test_hard_link_that_is_not_asked_for_hides_no_other_name(tmp_path: Path) -> None:
    plant(tmp_path, {"in/a.bin": b"see http://a/\n", "in/spam/1": MESSAGE, "in/z/": b""})
    (tmp_path / "in/b.txt").hardlink_to(tmp_path / "in/a.bin")
    (tmp_path / "in/z/7").hardlink_to(tmp_path / "in/spam/1")
    assert followed(tmp_path / "in", include=("*.txt",)) == ["b.txt"]
    assert followed(tmp_path / "in", exclude=("spam",)) == ["a.bin", "z/7"]


def test_link_in_a_folder_of_messages_is_a_message(tmp_path: Path) -> None:
    """As if its target were there: if it and all that is there have numbers for names."""
    plant(tmp_path, {"in/a/1": MESSAGE, "in/b/notes": b"text\n", "out/odd": b"From - \nno header\n"})
    plant(tmp_path, {"out/other": b"From - \nno header, too\n"})
    link(tmp_path, {"in/a/2": "../../out/odd", "in/b/2": "../../out/other"})
    tree_filter = TreeFilter(follow=True)
    items = list(read_source(tmp_path / "in", on_damage=pytest.fail, tree_filter=tree_filter))
    kinds = [(os.path.basename(str(item.provenance.source)), isinstance(item, RawMessage)) for item in items]
    assert kinds == [("1", True), ("2", True), ("2", False), ("notes", False)]


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """Return a folder with a text, and links to a text and to a folder."""
    plant(tmp_path, {"in/a.txt": b"http://in.example/\n", "out/b.txt": b"http://out.example/\n"})
    plant(tmp_path, {"out/c/d.txt": b"http://deep.example/\n"})
    link(tmp_path / "in", {"b.txt": "../out/b.txt", "c": "../out/c", "e.txt": "a.txt", "no": "../out/b.txt"})
    return tmp_path


WAYS = [[], ["-j"], ["-c"], ["-J", "2"], ["-j", "-J", "2"], ["--state", "state"], ["--explain"]]


@pytest.mark.parametrize("words", WAYS, ids=" ".join)
def test_no_command_follows_a_link_unless_it_is_asked_to(words: list[str], tree: Path) -> None:
    status, out, said = outcome(*words, "--exclude", "no", "in", cwd=tree)
    assert (status, said) == (0, "")
    assert [name in out for name in ("in", "out", "deep")] == [True, False, False]
    status, more, said = outcome(*words, "-L", "--exclude", "no", "in", cwd=tree)
    assert (status, said) == (0, "")
    assert len(more) > len(out)


def test_index_follows_no_link_unless_it_is_asked_to(tree: Path) -> None:
    for words, count in ([], 1), (["-L"], 3):
        assert outcome("index", *words, "links.db", "in", cwd=tree) == (0, "", "")
        with closing(sqlite3.connect(tree / "links.db")) as index:
            assert index.execute("SELECT count(*) FROM urls").fetchone() == (count,)


def test_state_and_index_know_a_file_whatever_links_come_and_go(tmp_path: Path) -> None:
    plant(
        tmp_path, {"in/real/a.txt": b"http://a.example/\n", "in/real/b/1": MESSAGE + b"http://b.example/\n"}
    )
    first = outcome("--state", "state", "in", cwd=tmp_path)
    assert first == (0, "http://a.example/\nhttp://b.example/\n", "")
    assert outcome("index", "links.db", "in", cwd=tmp_path)[0] == 0
    for links in ({"in/aa": "real", "in/0": "real/b/1", "in/b": "real/b"}, {}):
        link(tmp_path, links)
        assert outcome("--state", "state", "in", cwd=tmp_path)[:2] == (1, "")
        assert outcome("index", "links.db", "in", cwd=tmp_path)[0] == 0
        with closing(sqlite3.connect(tmp_path / "links.db")) as index:
            found = index.execute("SELECT url, source FROM links ORDER BY url").fetchall()
        assert found == [
            ("http://a.example/", str(tmp_path / "in/real/a.txt")),
            ("http://b.example/", str(tmp_path / "in/real/b/1")),
        ]
        for name in links:
            (tmp_path / name).unlink()


@pytest.mark.parametrize("words", [[], ["-L"]], ids=" ".join)
def test_several_processes_and_parts_read_the_files_that_one_process_reads(
    words: list[str], tree: Path
) -> None:
    plant(tree, {"in/.hidden/x.txt": b"http://hidden.example/\n"})
    link(tree, {"in/a": ".hidden", "in/c2": "c"})
    found = records_of_one(*words, "in", cwd=tree)
    sources = {json.loads(line)["source"] for line in found}
    assert len(found) == len(sources) == (4 if words else 1)
    assert sorted(outcome("-J", 2, *words, "in", cwd=tree)[1].split()) == sorted(
        json.loads(line)["url"] for line in found
    )
    assert outcome("cluster", "--out", "parts", *words, "in", cwd=tree)[::2] == (0, "")
    assert records_of(tree / "parts") == found
