"""Directories: Maildir, MH, news spools and trees of any files; loops and links (SPEC §8)."""

from __future__ import annotations

import gzip
import json
import os
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from commands import outcome
from inboxes import plant_v2, plant_v2_in_two_epochs

from urlextract.records import RawMessage
from urlextract.sources.folders.tree import TreeFilter
from urlextract.sources.reading import read_source

if TYPE_CHECKING:
    from urlextract.errors import SourceError

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
        assert item.origin.source is not None
        items.append((os.path.relpath(item.origin.source, root), item.origin.message, data))
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
    plant(
        tmp_path,
        {
            "cur/2.b:2,S": MESSAGE,
            "cur/1.a:2,S": MESSAGE,
            "cur/.hidden": MESSAGE,
            "new/0.c": MESSAGE,
            "tmp/9.z": MESSAGE,
            "dovecot.index": b"x",
            "notes/a": MESSAGE,
            ".Lists.www/new/3.d": MESSAGE,
            "Archive/cur/4.e": MESSAGE,
        },
    )
    expected = ["cur/1.a:2,S", "cur/2.b:2,S", "new/0.c", ".Lists.www/new/3.d", "Archive/cur/4.e"]
    assert names(tmp_path) == names(tmp_path, "maildir") == expected


def test_every_maildir_file_is_a_message_or_a_mailbox(tmp_path: Path) -> None:
    plant(tmp_path, {"new/": b"", "cur/1": b"no header http://x/\n", "cur/2": gzip.compress(MESSAGE)})
    plant(tmp_path, {"cur/3": POSTMARK + MESSAGE + b"\n" + POSTMARK + MESSAGE, "cur/4": b""})
    assert read(tmp_path) == (
        [
            ("cur/1", 1, b"no header http://x/\n"),
            ("cur/2", 1, MESSAGE),
            ("cur/3", 1, MESSAGE + b"\n"),
            ("cur/3", 2, MESSAGE),
        ],
        [],
    )


def test_form_maildir_reads_only_cur_and_new(tmp_path: Path) -> None:
    plant(tmp_path, {"cur/1": MESSAGE, "other": MESSAGE})
    assert names(tmp_path, "maildir") == ["cur/1"]
    assert names(tmp_path, "tree") == ["other", "cur/1"]


def test_maildir_in_a_tree_is_read_as_one(tmp_path: Path) -> None:
    plant(tmp_path, {"a/cur/1": MESSAGE, "a/new/": b"", "a/tmp/2": MESSAGE, "note": b"text"})
    assert names(tmp_path) == ["note", "a/cur/1"]


def test_tree_is_read_in_numeric_then_name_order(tmp_path: Path) -> None:
    """Files come before directories."""
    plant(tmp_path, dict.fromkeys(("10", "9", "2/1", "11/5", "11/40", "b", "a", "z/1"), MESSAGE))
    assert names(tmp_path) == ["9", "10", "a", "b", "2/1", "11/5", "11/40", "z/1"]


def test_numbered_file_is_one_message(tmp_path: Path) -> None:
    """Articles and MH messages, even without a header, in wire format too."""
    wire = b"Path: a!b\r\nSubject: x\r\n\r\n..dot\r\n.\r\n"
    odd = b"not a header\n\nFrom - \nX: http://x/\n"
    plant(
        tmp_path, {"alt/2600/1": wire, "alt/2600/2": odd, "alt/2600/3": b"\0\0\0", "alt/2600/.overview": b"x"}
    )
    plant(tmp_path, {"alt/2600/4": b"Subject: a\n\nhi\n\n" + POSTMARK + b"To: b\n"})
    items, damage = read(tmp_path)
    assert not damage
    assert items == [
        ("alt/2600/1", 1, b"Path: a!b\r\nSubject: x\r\n\r\n.dot\r\n"),
        ("alt/2600/2", 1, odd),
        ("alt/2600/4", 1, b"Subject: a\n\nhi\n\n" + POSTMARK + b"To: b\n"),
    ]


def test_form_of_another_file_is_detected_by_content(tmp_path: Path) -> None:
    plant(
        tmp_path,
        {
            "a.mbox": POSTMARK + MESSAGE + b"\n" + POSTMARK + MESSAGE,
            "b.eml": MESSAGE,
            "c.txt": b"see http://x/\n",
            "d.gz": gzip.compress(b"see http://y/\n"),
            "e.png": b"\x89PNG\r\n\x1a\n\0\0\0http://z/",
            "f.tar.gz": gzip.compress(b"name\0\0http://z/"),
            "g.utf16": "see http://x/\n".encode("utf-16"),
            "h.eml": MESSAGE + b"\0",
            "i.empty": b"",
            "1": b"no header\n",
        },
    )
    items, damage = read(tmp_path)
    assert not damage
    assert [(name, number) for name, number, _ in items] == [
        ("1", None),
        ("a.mbox", 1),
        ("a.mbox", 2),
        ("b.eml", 1),
        ("c.txt", None),
        ("d.gz", None),
        ("g.utf16", None),
        ("h.eml", 1),
    ]


def test_named_binary_file_is_read(tmp_path: Path) -> None:
    plant(tmp_path, {"x.bin": b"\0http://x/\0"})
    assert len(list(read_source(tmp_path / "x.bin", on_damage=pytest.fail))) == 1


def test_index_and_hidden_names_are_skipped(tmp_path: Path) -> None:
    plant(
        tmp_path,
        {name + "/1": MESSAGE for name in ("message.id", "interesting.groups", "leaf.node", ".git", "x")},
    )
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


def test_loop_of_links_ends(tmp_path: Path) -> None:
    plant(tmp_path, {"a/1": MESSAGE, "a/b/2": MESSAGE, "m/cur/3": MESSAGE, "m/new/": b""})
    (tmp_path / "a/b/up").symlink_to(tmp_path)
    (tmp_path / "a/self").symlink_to(tmp_path / "a")
    (tmp_path / "m/.loop").symlink_to(tmp_path / "m")
    assert names(tmp_path) == ["a/1", "a/b/2", "m/cur/3"]


def test_link_to_itself_or_to_nothing_is_damage(tmp_path: Path) -> None:
    plant(tmp_path, {"1": MESSAGE})
    (tmp_path / "x").symlink_to(tmp_path / "x")
    (tmp_path / "y").symlink_to(tmp_path / "gone")
    items, damage = read(tmp_path)
    assert len(items) == 1
    assert [error.source for error in damage] == [str(tmp_path / "x"), str(tmp_path / "y")]


def test_pipe_in_a_directory_is_skipped(tmp_path: Path) -> None:
    plant(tmp_path, {"a": b"text"})
    os.mkfifo(tmp_path / "fifo")
    assert names(tmp_path) == ["a"]


@pytest.mark.parametrize(
    "files", [{}, {"a/b/": b""}, {"x.png": b"\0"}, {"empty": b""}, {"cur/": b"", "new/": b""}]
)
def test_directory_without_messages_is_damage(tmp_path: Path, files: dict[str, bytes]) -> None:
    plant(tmp_path, files)
    items, (damage,) = read(tmp_path)
    assert items == []
    assert (damage.source, damage.cause, damage.offset) == (
        str(tmp_path),
        "no message in this directory",
        None,
    )


def test_damaged_file_does_not_stop_the_walk(tmp_path: Path) -> None:
    plant(tmp_path, {"a.gz": gzip.compress(b"see http://x/ and more\n" * 9)[:-9], "b": b"text"})
    items, (damage,) = read(tmp_path)
    assert [name for name, _, _ in items] == ["a.gz", "b"]
    assert damage.source == str(tmp_path / "a.gz")


def test_vanished_file_is_damage(tmp_path: Path) -> None:
    plant(tmp_path, {"1": MESSAGE, "2": MESSAGE, "3": MESSAGE})
    damage: list[SourceError] = []
    items = read_source(tmp_path, on_damage=damage.append)
    first = next(items)
    (tmp_path / "2").unlink()
    found = [first, *items]
    assert [item.origin.source for item in found] == [str(tmp_path / "1"), str(tmp_path / "3")]
    assert [error.source for error in damage] == [str(tmp_path / "2")]


def test_vanished_directory_is_damage(tmp_path: Path) -> None:
    plant(tmp_path, {"1": MESSAGE, "a/2": MESSAGE, "b/3": MESSAGE})
    damage: list[SourceError] = []
    items = read_source(tmp_path, on_damage=damage.append)
    next(items)
    (tmp_path / "a/2").unlink()
    (tmp_path / "a").rmdir()
    assert [item.origin.source for item in items] == [str(tmp_path / "b/3")]
    assert [error.source for error in damage] == [str(tmp_path / "a")]


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
        assert item.origin.source == os.path.join(given, below)


def read_with_links(
    root: Path,
    *,
    follow: bool = False,
    include: tuple[str, ...] = (),
    exclude: tuple[str, ...] = (),
    form: str = "auto",
) -> tuple[list[str], list[str]]:
    """Return the paths of what is read, and of the links that are not followed, both relative."""
    tree_filter = TreeFilter(include, exclude, follow=follow, outside=set())
    items = list(read_source(root, form, on_damage=pytest.fail, tree_filter=tree_filter))
    assert tree_filter.outside is not None
    found = [str(item.origin.source) for item in items]
    return tuple(
        [os.path.relpath(path, root) for path in paths] for paths in (found, sorted(tree_filter.outside))
    )  # type: ignore[return-value]


def test_link_out_of_a_tree_is_followed_only_if_asked_for(tmp_path: Path) -> None:
    """It may lead to files that its owner may not read; links within the tree are followed."""
    plant(tmp_path, {"in/1": MESSAGE, "in/.hidden/3": MESSAGE, "in2/2": MESSAGE, "in2/box/cur/a": MESSAGE})
    plant(tmp_path, {"in2/box/new/": b"", "in/mail/new/": b"", "in/again/4": MESSAGE})
    links = {
        "in/file": "../in2/2",
        "in/folder": tmp_path / "in2",
        "in/box": tmp_path / "in2" / "box",
        "in/mail/cur": tmp_path / "in2" / "box" / "cur",
        "in/again/over": "../via",
        "in/via": "./folder/2",
        "in/device": "/dev/null",
        "in/loop": tmp_path / "in",
        "in/zone": "again",
        "in/there and back": "../in2/../in/1",
        "in/shown": ".hidden",
    }
    for name, target in links.items():
        (tmp_path / name).symlink_to(target)
    outside = ["again/over", "box", "file", "folder", "mail/cur", "via"]
    assert read_with_links(tmp_path / "in") == (["1", "again/4", "shown/3"], outside)
    found, passed = read_with_links(tmp_path / "in", follow=True)
    assert sorted(map(os.path.basename, found)) == ["1", "3", "4", "a", "file"]
    assert passed == []
    (tmp_path / "link").symlink_to(tmp_path / "in")
    assert read_with_links(tmp_path / "link")[1] == outside  # the named link itself is followed


def test_parts_of_an_inbox_that_are_links_stay_in_the_tree(tmp_path: Path) -> None:
    """Those of a Maildir and the epochs of a public inbox, whichever of them are links."""
    plant(tmp_path, {"in/store/a": MESSAGE, "out/b": MESSAGE, "in/box/": b"", "in/inbox/git/": b""})
    (tmp_path / "in/box/cur").symlink_to("../store")
    (tmp_path / "in/box/new").symlink_to("../../out")
    plant_v2(tmp_path / "one")
    plant_v2(tmp_path / "two")
    (tmp_path / "one/git/0.git").rename(tmp_path / "in/.objects")
    (tmp_path / "in/inbox/git/0.git").symlink_to(tmp_path / "in/.objects")
    (tmp_path / "in/inbox/git/1.git").symlink_to(tmp_path / "two/git/0.git")
    found, outside = read_with_links(tmp_path / "in")
    assert (found, outside) == (["inbox", "inbox", "inbox", "store/a"], ["box/new", "inbox/git/1.git"])
    found, outside = read_with_links(tmp_path / "in", follow=True)
    assert (sorted(set(found)), outside) == (["box/new/b", "inbox", "store/a"], [])


def link(root: Path, links: dict[str, str]) -> None:
    """Make symbolic links under ``root``, with their targets as they are given."""
    for name, target in links.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).symlink_to(target)


@pytest.mark.parametrize("follow", [False, True])
def test_what_is_there_comes_before_links_to_it(tmp_path: Path, *, follow: bool) -> None:
    """So its path, by which a state knows it and patterns choose it, is the same with links and without."""
    files = ("in/1", "in/deep/below/2", "in/deep/3", "in/m/cur/4", "in/m/.sub/cur/5", "in/z/6")
    plant(tmp_path, dict.fromkeys(files, MESSAGE))
    plant(tmp_path, {"in/m/new/": b"", "in/m/.sub/new/": b"", "in/n/new/": b""})
    before = read_with_links(tmp_path / "in", follow=follow)
    assert before == (["1", "deep/3", "deep/below/2", "m/cur/4", "m/.sub/cur/5", "z/6"], [])
    link(tmp_path / "in", {"0": "z/6", "aa": "deep", "ab": "deep/below", "ac": "m", "ad": "m/cur"})
    link(tmp_path / "in", {"deep/a": "../z", "m/.a": "../z", "m/cur/0": "../../z/6", "n/cur": "../m/cur"})
    link(tmp_path / "in", {"af": "aa/below", "ag": "m/.sub/cur/5", "ah": "n", "m/.b": ".sub"})
    assert read_with_links(tmp_path / "in", follow=follow) == before
    found, _ = read_with_links(
        tmp_path / "in", follow=follow, exclude=("deep/[0-9]", "m/.sub/*/*", "below/*")
    )
    assert found == ["1", "m/cur/4", "z/6", "ag"]  # each link to a directory is passed over, as that was read


@pytest.mark.parametrize(
    ("include", "exclude", "expected"),
    [
        ((), ("link", "file"), ["other/b.bin", "real/a.txt"]),
        ((), ("real",), ["other/b.bin", "link/a.txt"]),
        (("*.txt",), (), ["real/a.txt", "b.txt"]),
        (("*.bin",), (), ["other/b.bin"]),
        ((), ("other", "b.txt"), ["real/a.txt", "file"]),
    ],
)
def test_name_that_is_not_asked_for_hides_no_other_name(
    tmp_path: Path, include: tuple[str, ...], exclude: tuple[str, ...], expected: list[str]
) -> None:
    """Each name of a file is judged on its own, the real one first."""
    plant(tmp_path, {"in/real/a.txt": b"see http://a/\n", "in/other/b.bin": b"see http://b/\n"})
    link(tmp_path / "in", {"link": "real", "file": "other/b.bin", "b.txt": "other/b.bin"})
    found, outside = read_with_links(tmp_path / "in", include=include, exclude=exclude)
    assert (found, outside) == (expected, [])


def test_hard_link_that_is_not_asked_for_hides_no_other_name(tmp_path: Path) -> None:
    plant(tmp_path, {"in/a.bin": b"see http://a/\n", "in/spam/1": MESSAGE, "in/z/": b""})
    (tmp_path / "in/b.txt").hardlink_to(tmp_path / "in/a.bin")
    (tmp_path / "in/z/7").hardlink_to(tmp_path / "in/spam/1")
    assert read_with_links(tmp_path / "in", include=("*.txt",))[0] == ["b.txt"]
    assert read_with_links(tmp_path / "in", exclude=("spam",))[0] == ["a.bin", "z/7"]


def test_link_shows_what_is_passed_over_where_it_is(tmp_path: Path) -> None:
    """Hidden files, and those of a Maildir that are no messages, once each and by the link's name."""
    plant(
        tmp_path, {"in/.store/a": MESSAGE, "in/.store/b/c": MESSAGE, "in/m/note": MESSAGE, "in/.k/1": MESSAGE}
    )
    plant(tmp_path, {"in/m/cur/1": MESSAGE, "in/m/new/": b"", "in/m/plain/d": MESSAGE, "in/k/new/": b""})
    link(tmp_path / "in", {"x": ".store/a", "y": ".store", "z": ".store/b", "n": "m/note", "p": "m/plain"})
    link(tmp_path / "in", {"k/cur": "../.k", "0": "x", ".store/up": "..", "m/cur/2": "../../.store/b/c"})
    shown = ["0", "n", "p/d", "z/c", "k/cur/1"]
    found, outside = read_with_links(tmp_path / "in")
    assert (sorted(found), outside) == (sorted(["m/cur/1", *shown]), [])


def test_links_out_of_a_tree_are_followed_last(tmp_path: Path) -> None:
    """What is read without ``follow`` keeps its path with it."""
    plant(tmp_path, {"in/1": MESSAGE, "in/.hidden/2": MESSAGE, "in/z/3": MESSAGE, "out/4": MESSAGE})
    link(tmp_path, {"in/a": "../out", "in/b": "..", "in/y": ".hidden", "out/back": "../in/.hidden"})
    link(tmp_path, {"out/0": "../in/z/3", "in/z/0": "../../far/5", "far/5": "../out/4"})
    assert read_with_links(tmp_path / "in") == (["1", "z/3", "y/2"], ["a", "b", "z/0"])
    found, outside = read_with_links(tmp_path / "in", follow=True)
    assert (found[:3], outside) == (["1", "z/3", "y/2"], [])
    assert found[3:] == ["a/4"]


def test_link_in_a_folder_of_messages_is_a_message(tmp_path: Path) -> None:
    """As if its target were there: if it and all that is there have numbers for names."""
    plant(tmp_path, {"in/a/1": MESSAGE, "in/b/notes": b"text\n", "out/odd": b"From - \nno header\n"})
    plant(tmp_path, {"out/other": b"From - \nno header, too\n"})
    link(tmp_path, {"in/a/2": "../../out/odd", "in/b/2": "../../out/other"})
    tree_filter = TreeFilter(follow=True)
    items = list(read_source(tmp_path / "in", on_damage=pytest.fail, tree_filter=tree_filter))
    kinds = [(os.path.basename(str(item.origin.source)), isinstance(item, RawMessage)) for item in items]
    assert kinds == [("1", True), ("notes", False), ("2", True), ("2", False)]


def test_repository_is_read_once_whatever_links_lead_to_it(tmp_path: Path) -> None:
    """An epoch that is a link stays part of its inbox, unless its target is read where it is.

    A mail that was deleted in the second epoch is in both.
    """
    plant_v2(tmp_path / "in/box")
    plant_v2_in_two_epochs(tmp_path / "two")
    (tmp_path / "in/other/git").mkdir(parents=True)
    (tmp_path / "two/git/0.git").rename(tmp_path / "in/store")
    (tmp_path / "two/git/1.git").rename(tmp_path / "in/.hidden")
    link(tmp_path / "in", {"aa": "box/git/0.git", "ab": "box", "box/git/3.git": "0.git", "ac": ".hidden"})
    link(tmp_path / "in", {"other/git/0.git": "../../store", "other/git/1.git": "../../.hidden"})
    link(tmp_path / "in", {"third/git": "../other/git"})
    assert read_with_links(tmp_path / "in") == ([*["box"] * 3, *["other"] * 2, *["store"] * 2], [])
    found, _ = read_with_links(tmp_path / "in", exclude=("store",))
    assert found == [*["box"] * 3, *["other"] * 3]


def test_only_links_that_would_be_read_are_counted(tmp_path: Path) -> None:
    plant(tmp_path, {"in/1.txt": MESSAGE, "out/a.txt": MESSAGE, "out/b": MESSAGE, "out/d/c.txt": MESSAGE})
    plant(tmp_path, {"in/m/cur/": b"", "in/m/new/": b"", "out/m/cur/5": MESSAGE, "out/m/new/": b""})
    (tmp_path / "in/2.txt").hardlink_to(tmp_path / "in/1.txt")
    (tmp_path / "out/again.txt").hardlink_to(tmp_path / "in/1.txt")
    os.mkfifo(tmp_path / "out/pipe.txt")
    link(tmp_path / "in", {"a.txt": "../out/a.txt", "b": "../out/b", "d": "../out/d", "no.txt": "../out/b"})
    link(tmp_path / "in", {"no": "../out/d", "null.txt": "/dev/null", "pipe.txt": "../out/pipe.txt"})
    link(tmp_path / "in", {"same.txt": "../out/again.txt", ".dot.txt": "../out/a.txt"})
    link(tmp_path / "in", {"m/.d": "../../out/d", "m/x.txt": "../../out/b", "m/.m": "../../out/m"})
    link(tmp_path / "in", {"m/cur/d": "../../../out/d", "m/cur/e.txt": "../../../out/b"})
    _, outside = read_with_links(tmp_path / "in", include=("*.txt",), exclude=("no*",))
    assert outside == ["a.txt", "d", "m/.m", "m/cur/e.txt"]


def test_link_whose_path_is_too_long_to_be_sure_is_not_followed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its own path can be used, its absolute one has more than 4,096 characters."""
    plant(tmp_path, {"out/1": MESSAGE, "in/2": MESSAGE})
    monkeypatch.chdir(tmp_path / "in")
    deep = [os.path.join(*["d" * 203] * count) for count in range(1, 21)]
    for path in deep:
        os.mkdir(path)
    assert len(deep[-1]) < 4096 < len(str(tmp_path / "in" / deep[-1] / "x"))
    os.symlink(tmp_path / "out", os.path.join(deep[-1], "x"))
    found = read_with_links(Path())
    os.unlink(os.path.join(deep[-1], "x"))
    for path in reversed(deep):  # what clears up after the tests may not go so deep
        os.rmdir(path)
    assert found == (["2"], [os.path.join(deep[-1], "x")])


def test_chain_of_2000_links_is_damage(tmp_path: Path) -> None:
    plant(tmp_path, {"1": MESSAGE, ".chain/": b""})
    for number in range(2_000):
        (tmp_path / f".chain/{number}").symlink_to(f"{number + 1}")
    (tmp_path / "x").symlink_to(".chain/0")
    items, (damage,) = read(tmp_path)
    assert len(items) == 1
    assert damage.source == str(tmp_path / "x")


LINE = "not followed: 2 links that lead out of a folder that was walked (see --follow)"


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """Return a folder with a text, a link to it, one that is excluded, and two that lead out of it."""
    plant(tmp_path, {"in/a.txt": b"http://in.example/\n", "out/b.txt": b"http://out.example/\n"})
    plant(tmp_path, {"out/c/d.txt": b"http://deep.example/\n"})
    (tmp_path / "in/b.txt").symlink_to("../out/b.txt")
    (tmp_path / "in/c").symlink_to("../out/c")
    (tmp_path / "in/e.txt").symlink_to("a.txt")
    (tmp_path / "in/no.txt").symlink_to("../out/b.txt")
    return tmp_path


EXCLUDE = ["--exclude", "no.txt"]


WAYS = [[], ["-j"], ["-c"], ["-J", "2"], ["-j", "-J", "2"], ["--state", "state"], ["--explain"]]


@pytest.mark.parametrize("words", WAYS, ids=" ".join)
def test_links_that_were_not_followed_are_told_in_one_line(words: list[str], tree: Path) -> None:
    """It is no damage: the exit status is that of what was found."""
    status, out, said = outcome(*words, *EXCLUDE, "in", cwd=tree)
    assert (status, said) == (0, f"urlextract: {LINE}\n")
    assert "out.example" not in out
    assert "deep.example" not in out
    status, out, said = outcome(*words, "-L", *EXCLUDE, "in", cwd=tree)
    assert (status, said) == (0, "")


def test_index_and_cluster_follow_no_link_out_of_a_tree(tree: Path) -> None:
    assert outcome("index", "links.db", *EXCLUDE, "in", cwd=tree) == (
        0,
        "",
        f"urlextract: links.db: {LINE}\n",
    )
    status, plan, said = outcome("shards", *EXCLUDE, "in", cwd=tree)
    assert (status, said) == (0, f"urlextract: {LINE}\n")
    assert "a.txt" in plan
    assert "b.txt" not in plan
    assert "d.txt" not in plan
    status, plan, said = outcome("shards", "-L", *EXCLUDE, "in", cwd=tree)
    assert (status, said) == (0, "")
    assert "b.txt" in plan
    assert "d.txt" in plan


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
        assert outcome("index", "links.db", "in", cwd=tmp_path)[0] == 1
        with closing(sqlite3.connect(tmp_path / "links.db")) as index:
            found = index.execute("SELECT url, source FROM links ORDER BY url").fetchall()
        assert found == [
            ("http://a.example/", str(tmp_path / "in/real/a.txt")),
            ("http://b.example/", str(tmp_path / "in/real/b/1")),
        ]
        for name in links:
            (tmp_path / name).unlink()


@pytest.mark.parametrize("words", [[], ["-L"]], ids=" ".join)
def test_plan_names_the_files_that_a_run_reads(words: list[str], tree: Path) -> None:
    plant(tree, {"in/.hidden/x.txt": b"http://hidden.example/\n"})
    link(tree, {"in/a": ".hidden", "in/c2": "c"})
    sources = [json.loads(line)["source"] for line in outcome("-j", *words, "in", cwd=tree)[1].splitlines()]
    _, plan, _ = outcome("shards", *words, "in", cwd=tree)
    planned = [file[0] for line in plan.splitlines() for file in json.loads(line)["files"]]
    assert len(sources) == len(set(sources)) == (4 if words else 2)
    assert sources == planned
