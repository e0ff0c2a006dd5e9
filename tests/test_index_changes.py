"""An index after any changes of a tree equals a new one: random changes, as people and programs make them."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import random
import shutil
import subprocess
import sys
import time
import zipfile
from collections import Counter
from collections.abc import Callable
from itertools import compress
from pathlib import Path
from typing import Literal

import pytest
from commands import ENVIRONMENT
from indexes import POSTMARK, contents, message, tree
from packing import tarred

from urlextract import index_sources

_PACKERS = {".gz": gzip, ".xz": lzma, ".bz2": bz2}
_ENDS = ("", ".txt", ".mbox", ".html", ".eml", ":2,S", "@7", "\udce9", "\\x41", " b\nc")
Kind = Literal["plain", "mail", "mh", "news"]
NUMBERED: tuple[Kind, ...] = ("mh", "news")  # of files that are messages as long as no other name is there
KEPT = ("mail", "news", "comp")
LOOSE: tuple[Kind, ...] = ("plain", "plain", "mail")


class Tree:
    """A tree of mail and texts, which ``chance`` changes; ``log`` tells what was done."""

    def __init__(self, root: Path, chance: random.Random) -> None:
        self.root, self.chance, self.count = root, chance, 0
        self.log: list[str] = []
        for maildir in ("mail", "mail/.Old", "mail/.Old.2024", "mail/.Sent"):
            for part in ("cur", "new", "tmp"):
                (root / maildir / part).mkdir(parents=True)
        same = b"see http://x.example/same\n"
        files = {
            **{f"mh/{name}/.mh_sequences": b"unseen: 3\n" for name in ("inbox", "work")},
            **{name: self.mailbox() for name in ("box/inbox", "box/sent", "text/box.mbox")},
            "box/large": b"".join(self.mailbox() for _ in range(12)), "text/page.html": self.page(),
            "text/a.txt": self.text(), "text/old/b.txt": self.text(), "text/empty": b"",
            "text/same-1": same, "text/same-2": same,
            "text/long.txt": b"".join(self.text() + b"words\n" * 9_000 for _ in range(9)),
            "archive/zip": self.zip(), "archive/tar": self.tar(),
            "archive/warc": self.warc(), "archive/gz": self.gz(),
            **{f"{top}/{number}": self.mail() for number in range(1, 8)
               for top in ("mh/inbox", "mh/work", "news/comp/test")},
        }  # fmt: skip
        tree(root, files)
        for _ in range(7):
            self.new("mail").write_bytes(self.mail())

    # --- what is in files -------------------------------------------------------------------------

    def number(self) -> int:
        self.count += 1
        return self.count

    def mail(self) -> bytes:
        """Return a mail; one in four has another one in it, one in eight has no link."""
        kind, mail = self.chance.randrange(8), message(self.number())
        if kind == 0:
            return b"Subject: nothing\nDate: 1 Feb 2024 10:00 +0000\n\nhi %d\n" % self.count
        if kind <= 2:
            return b"Message-ID: <o%d@x>\nContent-Type: message/rfc822\n\n%s" % (self.number(), mail)
        return mail

    def mailbox(self) -> bytes:
        return b"".join(POSTMARK + self.mail() + b"\n" for _ in range(self.chance.randint(1, 6)))

    def text(self) -> bytes:
        lines = (b"line http://x.example/t%d now" % self.number() for _ in range(self.chance.randint(1, 9)))
        end = b"\n" * self.chance.randrange(3)
        return self.chance.choice((b"\n", b"\n\n", b"\r\n\r\n")).join(lines) + end

    def page(self) -> bytes:
        link = b"<a href='http://x.example/p%d'>it</a>" % self.number()
        return b"<html><title>t%d</title><p>see %s" % (self.number(), link)

    def members(self) -> dict[str, bytes]:
        count = self.chance.randint(0, 3)
        return {f"d/{number}.{self.chance.choice(('txt', 'eml'))}": self.content() for number in range(count)}

    def zip(self) -> bytes:
        with zipfile.ZipFile(data := io.BytesIO(), "w") as archive:
            for name, content in self.members().items():
                archive.writestr(name, content)
        return data.getvalue()

    def tar(self) -> bytes:
        return tarred(self.members())

    def warc(self) -> bytes:
        records = b""
        for _ in range(self.chance.randint(1, 3)):
            block = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + self.page()
            records += (
                b"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://x.example/w%d\r\n"
                b"WARC-Date: 2024-01-01T00:00:00Z\r\nContent-Type: application/http;msgtype=response\r\n"
                b"Content-Length: %d\r\n\r\n%s\r\n\r\n" % (self.number(), len(block), block)
            )
        return records

    def gz(self) -> bytes:
        """Return a compressed file, one in three cut short."""
        data = gzip.compress(self.mailbox())
        return data[: -self.chance.randint(1, 30)] if self.chance.randrange(3) == 0 else data

    def content(self) -> bytes:
        return self.chance.choice((self.mail, self.mailbox, self.text, self.page))()

    def anything(self) -> bytes:
        return self.chance.choice((self.content, self.zip, self.tar, self.warc, self.gz, bytes))()

    # --- where it is ------------------------------------------------------------------------------

    def kind_of(self, path: Path) -> Kind:
        top = path.relative_to(self.root).parts[0]
        return next((kind for kind in ("mail", *NUMBERED) if top.startswith(kind)), "plain")

    def folders(self, kind: Kind) -> list[Path]:
        """Return the folders of a kind: a Maildir is that above "cur"."""
        found = sorted(each for each in self.root.rglob("*") if each.is_dir() and self.kind_of(each) == kind)
        if kind == "mail":
            return [each.parent for each in found if each.name == "cur"]
        is_leaf = [kind == "plain" or not any(map(Path.is_dir, each.iterdir())) for each in found]
        return list(compress(found, is_leaf))

    def folder(self, kind: Kind = "plain") -> Path:
        if not self.folders(kind):
            (self.root / f"{kind}{self.number()}" / "cur").mkdir(parents=True)
        return self.chance.choice(self.folders(kind))

    def new(self, kind: Kind = "plain", name: str = "") -> Path:
        """Return the path of a file that is not there, as programs of its kind name it."""
        folder = self.folder(kind)
        if kind == "plain":
            path = folder / (name or f"n{self.number()}{self.chance.choice(_ENDS)}")
            return self.new() if path.is_dir() else path
        if kind == "mail":
            return folder / self.chance.choice(("cur", "new")) / f"{self.number()}.M{self.count}.host:2,S"
        numbers = (int(each.name) for each in folder.iterdir() if each.name.isdigit())
        return folder / str(1 + max(numbers, default=0))

    def a(self, kind: Kind = "plain") -> Path:
        """Return a file."""
        files = sorted(each for each in self.root.rglob("*") if each.is_file() and self.kind_of(each) == kind)
        if kind in NUMBERED:
            files = [each for each in files if each.name.isdigit()]
        if not files:
            files = [self.new(kind)]
            files[0].write_bytes(self.mail())
        return self.chance.choice(files)

    def any(self) -> Path:
        return self.a(self.chance.choice(LOOSE))

    def anywhere(self) -> Path:
        return self.new(self.chance.choice(LOOSE))

    def a_number(self) -> Path:
        return self.a(self.chance.choice(NUMBERED))

    # --- changes ----------------------------------------------------------------------------------

    def step(self) -> None:
        for name, change in self.chance.choices(list(CHANGES.items()), k=self.chance.randint(1, 5)):
            self.log.append(name)
            change(self)

    def edit(self, file: Path, *places: tuple[int, int, bytes]) -> None:
        data = file.read_bytes()
        for start, end, new in places:
            data = data[:start] + new + data[end:]
        file.write_bytes(data)

    def change_byte(self) -> None:
        at = self.chance.randrange(1 + (file := self.a()).stat().st_size)
        self.edit(file, (at, at + 1, self.chance.choice((b"0", b"a", b"X", b" ", b"\n"))))

    def insert(self) -> None:
        at = self.chance.randint(0, (file := self.any()).stat().st_size)
        self.edit(file, (at, at, self.chance.choice((b"x", b"\n\n", b" http://x.example/in "))))

    def append(self) -> Path:
        with (file := self.a()).open("ab") as stream:
            stream.write(self.chance.choice((self.mailbox, self.mailbox, self.text, self.warc))())
        return file

    def expunge(self) -> None:
        mails = (file := self.a()).read_bytes().split(b"From ada")
        del mails[self.chance.randrange(len(mails))]
        file.write_bytes(b"From ada".join(mails))

    def pack(self) -> None:
        """Compress a file, as gzip and Dovecot do; one in three is cut short."""
        file, end = self.any(), self.chance.choice(list(_PACKERS))
        data = _PACKERS[end].compress(file.read_bytes())
        new = file.with_name(file.name + end) if self.kind_of(file) == "plain" else file
        new.write_bytes(data[:-9] if self.chance.randrange(3) == 0 else data)
        shutil.copystat(file, new)
        if new != file:
            file.unlink()

    def unpack(self) -> None:
        for file in [each for each in self.root.rglob("*") if each.suffix in _PACKERS and each.is_file()][:2]:
            try:
                data = _PACKERS[file.suffix].decompress(file.read_bytes())
            except (OSError, EOFError, ValueError, lzma.LZMAError):  # it was cut
                continue
            if not file.with_suffix("").is_dir():
                file.with_suffix("").write_bytes(data)
                file.unlink()

    def swap(self) -> None:
        one, other, third = self.any(), self.any(), self.root / f"tmp{self.number()}"
        if one != other:
            one.rename(third)
            other.rename(one)
            third.rename(other)

    def rotate(self) -> None:
        file = self.a()
        for old, new in ((".2", ".3"), (".1", ".2"), ("", ".1")):
            if file.with_name(file.name + old).is_file() and not file.with_name(file.name + new).is_dir():
                file.with_name(file.name + old).rename(file.with_name(file.name + new))
        if not file.exists():
            file.write_bytes(self.content())

    def copy(self) -> Path:
        file = self.any()
        self.chance.choice((shutil.copy, shutil.copy2, os.link))(file, self.anywhere())
        return file

    def move_folder(self) -> None:
        folder = self.folder(kind := self.chance.choice((*LOOSE, *NUMBERED)))
        if folder.name not in KEPT:
            folder.rename(folder.with_name(f"{'.' * (kind == 'mail')}F{self.number()}"))
        elif not (to := self.folder()).is_relative_to(folder):
            folder.rename(to / f"f{self.number()}")

    def delete_folder(self) -> None:
        if len(folders := self.folders("plain")) > 6:
            shutil.rmtree(self.chance.choice(folders))

    def become_folder(self) -> None:
        data = (file := self.a()).read_bytes()
        file.unlink()
        tree(file, {self.chance.choice((file.name, f"n{self.number()}")): data})

    def become_file(self) -> None:
        folder = self.folder()
        if folder.parent != self.root and (files := [each for each in folder.iterdir() if each.is_file()]):
            data = files[0].read_bytes()
            shutil.rmtree(folder)
            folder.write_bytes(data)

    def mark(self) -> None:
        for _ in range(self.chance.randint(1, 4)):
            flags = self.chance.choice(("", "S", "RS", "FS"))
            mail = self.a("mail")
            mail.rename(mail.parent.parent / "cur" / f"{mail.name.partition(':')[0]}:2,{flags}")

    def renumber(self, *, at_random: bool) -> None:
        """Number the messages of a folder from 1, as folder(1) of MH does; or at random, as sortm does."""
        folder = self.folder("mh")
        found = [each for each in folder.iterdir() if each.name.isdigit()]
        found.sort(key=lambda each: self.chance.random() if at_random else int(each.name))
        for file in found:
            file.rename(file.with_name(f",{file.name}"))
        for to, file in enumerate(found, 1):
            file.with_name(f",{file.name}").rename(folder / str(to))

    def stray(self) -> None:
        """Put a file with another name among messages, or take it away: then their files are no messages."""
        stray = self.folder(self.chance.choice(NUMBERED)) / "README"
        stray.unlink() if stray.exists() else stray.write_bytes(self.text())


CHANGES: dict[str, Callable[[Tree], object]] = {
    "rename": lambda tree: (file := tree.a()).rename(file.with_name(f"n{tree.number()}")),
    "move": lambda tree: (file := tree.a()).rename(tree.new("plain", file.name)),
    "refile": lambda tree: tree.any().rename(tree.anywhere()),
    "append and move": lambda tree: (file := tree.append()).rename(tree.new("plain", file.name)),
    "copy, and move what was copied": lambda tree: tree.copy().rename(tree.anywhere()),
    "overwrite": lambda tree: tree.any().replace(tree.any()),
    "replace": lambda tree: tree.any().write_bytes(tree.anything()),
    "truncate": lambda tree: os.truncate(file := tree.any(), tree.chance.randint(0, file.stat().st_size)),
    "touch": lambda tree: os.utime(tree.any()),
    "delete": lambda tree: tree.any().unlink(),
    "create": lambda tree: tree.anywhere().write_bytes(tree.anything()),
    "deliver": lambda tree: tree.new(tree.chance.choice(("mail", *NUMBERED))).write_bytes(tree.mail()),
    "refile a number": lambda tree: tree.a_number().rename(tree.new(tree.chance.choice(("mh", *LOOSE)))),
    "expire": lambda tree: tree.a_number().unlink(),
    "pack numbers": lambda tree: tree.renumber(at_random=False),
    "sort numbers": lambda tree: tree.renumber(at_random=True),
    **{name: getattr(Tree, name) for name in (
        "change_byte", "insert", "append", "expunge", "pack", "unpack", "swap", "rotate", "copy",
        "move_folder", "delete_folder", "become_folder", "become_file", "mark", "stray")},
}  # fmt: skip

# Batches are small here, so that a kill falls between any two transactions. No public option sets this.
OFTEN = (
    "from urlextract.index import batches; batches._BYTES, batches._ITEMS = 8_000, 5;"
    "from urlextract.__main__ import main; main()"
)


def was_killed(words: list[object], seconds: float) -> bool:
    """Start a run and kill it; return whether it had not ended before. It tells damage, and what is gone."""
    command = [sys.executable, "-c", OFTEN, "index", *map(str, words)]
    process = subprocess.Popen(command, env=ENVIRONMENT, stderr=subprocess.PIPE)
    time.sleep(seconds)
    process.kill()
    assert b"Traceback" not in process.communicate()[1]
    return process.returncode < 0


def drive(tmp_path: Path, seed: int, steps: int, *, kills: float = 0) -> int:
    """Change a tree ``steps`` times, index it each time, and require what a fresh index has.

    Return how many runs were killed before.
    """
    chance = random.Random(seed)
    tree = Tree(tmp_path / "in", chance)
    path, fresh, killed = tmp_path / "links.db", tmp_path / "fresh.db", 0
    for step in range(steps):
        if step:
            tree.log.append(f"--- {step}")
            tree.step()
        if chance.random() < kills:
            words = [path, "--prune", *chance.choice(((), ("-J", "2"))), tree.root]
            killed += sum(was_killed(words, chance.uniform(0.2, 1)) for _ in range(3))
        index_sources(path, tree.root, prune=True, jobs=chance.choice((1, 1, 1, 2)), on_damage=lambda _: None)
        fresh.unlink(missing_ok=True)
        index_sources(fresh, tree.root, jobs=1, on_damage=lambda _: None)
        found, expected = contents(path), contents(fresh)
        for name in found:
            one, other = Counter(found[name]), Counter(expected[name])
            assert (one - other, other - one) == (Counter(), Counter()), (seed, step, tree.log[-12:], name)
        again = index_sources(path, tree.root, jobs=1, on_damage=lambda _: None)
        assert (again.messages, again.places, again.gone) == (0, 0, ()), (seed, step, tree.log[-12:], again)
    return killed


def test_some_changes(tmp_path: Path) -> None:
    drive(tmp_path, 1, 12)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2, 6))
def test_many_changes_and_killed_runs(tmp_path: Path, seed: int) -> None:
    assert drive(tmp_path, seed, 50, kills=0.1) > 3
