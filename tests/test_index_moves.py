"""An index after any change of what was read has the figures of a new one (SPEC §8)."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from indexes import contents
from test_state import BETWEEN, HALF, MAILS, begin, change, mail, mailbox, move, write

from urlextract import index_sources

Action = Callable[[Path], object]
ABOUT = ("messages", "urls", "links")


def remove(name: str) -> Action:
    return lambda folder: (folder / name).unlink()


def together(*actions: Action) -> Action:
    return lambda folder: [action(folder) for action in actions]


def inboxed(*mails: bytes) -> bytes:
    return mailbox(*mails)


# What happens between two runs; with --prune the index is then a new one, and without it it is one but for
# what lies nowhere any more: texts that were moved, and mails that were deleted with their files.
MORE: dict[str, Action] = {
    "a mail is deleted from a Maildir": remove("M/new/1.x"),
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
}  # fmt: skip
ACTIONS = {**{what: action for what, (action, _) in BETWEEN.items()}, **MORE}
# Texts that are moved or unpacked, and mail whose file is deleted
STAYS = {
    "a text is moved", "a mail is deleted from a Maildir", "a folder becomes a file",
}  # fmt: skip


@pytest.mark.parametrize("what", ACTIONS)
def test_figures_are_those_of_a_new_index(what: str, tmp_path: Path) -> None:
    folder, path, fresh = tmp_path / "in", tmp_path / "links.db", tmp_path / "fresh.db"
    begin(folder)
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
