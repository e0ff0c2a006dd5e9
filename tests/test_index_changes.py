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
import tarfile
import time
import zipfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from commands import ENVIRONMENT
from indexes import contents
from test_index import POSTMARK, command, message

from urlextract import index_sources

MAILDIRS = ("mail", "mail/.Old", "mail/.Old.2024", "mail/.Sent")
_LAYERS: dict[str, tuple[Callable[[bytes], bytes], Callable[[bytes], bytes]]] = {
    ".gz": (gzip.compress, gzip.decompress),
    ".xz": (lzma.compress, lzma.decompress),
    ".bz2": (bz2.compress, bz2.decompress),
}
_COPIES = (shutil.copy2, os.link)


class Tree:
    """A tree of mail and texts, which ``chance`` changes; ``log`` tells what was done."""

    def __init__(self, folder: Path, chance: random.Random) -> None:
        self.root, self.chance, self.count = folder, chance, 0
        self.log: list[str] = []
        for part in ("box", "text/old", "archive", "mh/inbox", "mh/work", "news/comp/test"):
            (folder / part).mkdir(parents=True)
        for maildir in MAILDIRS:
            for part in ("cur", "new", "tmp"):
                (folder / maildir / part).mkdir(parents=True)
        for mh in ("inbox", "work"):
            (folder / "mh" / mh / ".mh_sequences").write_bytes(b"unseen: 3\n")
        for name in ("box/inbox", "box/sent", "text/box.mbox"):
            self.write(folder / name, self.mailbox())
        self.write(folder / "box/large", b"".join(self.mailbox() for _ in range(12)))
        for name in ("text/a.txt", "text/old/b.txt", "text/same-1", "text/same-2", "text/empty"):
            self.write(folder / name, self.text() if "same" not in name else b"see http://x.example/same\n")
        self.write(folder / "text/empty", b"")
        self.write(folder / "text/page.html", self.page())
        self.write(folder / "text/long.txt", b"".join(self.text() + b"words\n" * 9_000 for _ in range(9)))
        for number, make in enumerate((self.zip, self.tar, self.warc, self.gz)):
            self.write(folder / f"archive/a{number}", make())
        for number in range(1, 8):
            self.deliver()
            for place in ("mh/inbox", "mh/work", "news/comp/test"):
                self.write(folder / place / str(number), self.mail())

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
        text = self.chance.choice((b"\n", b"\n\n", b"\r\n\r\n")).join(lines)
        return text + b"\n" * self.chance.randrange(3)

    def page(self) -> bytes:
        return b"<html><title>t%d</title><p>see <a href='http://x.example/p%d'>it</a>" % (
            self.number(), self.number()
        )  # fmt: skip

    def content(self) -> bytes:
        return self.chance.choice((self.mail, self.mailbox, self.text, self.page))()

    def zip(self) -> bytes:
        data = io.BytesIO()
        with zipfile.ZipFile(data, "w") as archive:
            for number in range(self.chance.randint(0, 3)):
                archive.writestr(f"d/{number}.{self.chance.choice(('txt', 'eml'))}", self.content())
        return data.getvalue()

    def tar(self) -> bytes:
        data = io.BytesIO()
        with tarfile.open(fileobj=data, mode="w") as archive:
            for number in range(self.chance.randint(0, 3)):
                content = self.content()
                member = tarfile.TarInfo(f"d/{number}")
                member.size = len(content)
                archive.addfile(member, io.BytesIO(content))
        return data.getvalue()

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

    def write(self, path: Path, data: bytes) -> None:
        path.write_bytes(data)

    # --- where it is ------------------------------------------------------------------------------

    def plain_folders(self) -> list[Path]:
        tops = [top for top in self.root.iterdir() if not top.name.startswith(("mail", "mh", "news"))]
        return sorted(each for top in tops for each in [top, *top.rglob("*")] if each.is_dir())

    def plain_files(self) -> list[Path]:
        files = (each for folder in self.plain_folders() for each in folder.iterdir())
        return sorted(each for each in files if each.is_file())

    def a_file(self) -> Path:
        if not (files := self.plain_files()):
            self.write(self.a_folder() / self.name(), self.content())
            files = self.plain_files()
        return self.chance.choice(files)

    def a_folder(self) -> Path:
        if not (folders := self.plain_folders()):
            (self.root / "again").mkdir()
            folders = self.plain_folders()
        return self.chance.choice(folders)

    def name(self) -> str:
        ends = ("", ".txt", ".mbox", ".html", ".eml", ":2,S", "@7", "\udce9", "\\x41", " b\nc")
        end = self.chance.choice(ends)
        return f"n{self.number()}{end}"

    def mails(self) -> list[Path]:
        return sorted(mail for part in ("cur", "new") for top in ("mail*", "mail*/.*")
                      for mail in self.root.glob(f"{top}/{part}/*"))  # fmt: skip

    def maildirs(self) -> list[Path]:
        return sorted({each.parent for top in ("mail*", "mail*/.*") for each in self.root.glob(f"{top}/cur")})

    def numbered(self, tops: str = "mh") -> list[Path]:
        return sorted(each for each in self.root.glob(f"{tops}/*/*") if each.name.isdigit())

    # --- changes ----------------------------------------------------------------------------------

    def step(self) -> None:
        changes = [name for name in dir(self) if name.startswith("do_")]
        for name in self.chance.choices(changes, k=self.chance.randint(1, 5)):
            self.log.append(name)
            getattr(self, name)()

    def do_rename(self) -> None:
        file = self.a_file()
        file.rename(file.with_name(self.name()))

    def a_place(self, name: str) -> Path:
        """Return a path in some folder, with another name if a folder has this one there."""
        path = self.a_folder() / name
        return path.with_name(self.name()) if path.is_dir() else path

    def do_move(self) -> None:
        file = self.a_file()
        file.rename(self.a_place(file.name))

    def do_move_folder(self) -> None:
        folder, to = self.a_folder(), self.a_folder()
        if not to.is_relative_to(folder):
            folder.rename(to / f"f{self.number()}")
        elif folder.parent != self.root.parent:
            folder.rename(folder.with_name(f"f{self.number()}"))

    def do_compress(self) -> None:
        file, end = self.a_file(), self.chance.choice(list(_LAYERS))
        new = file.with_name(file.name + end)
        self.write(new, _LAYERS[end][0](file.read_bytes()))
        shutil.copystat(file, new)
        file.unlink()

    def do_decompress(self) -> None:
        packed = [file for file in self.plain_files() if file.suffix in _LAYERS]
        for file in packed[:2]:
            try:
                data = _LAYERS[file.suffix][1](file.read_bytes())
            except (OSError, EOFError, ValueError, lzma.LZMAError):  # it was cut
                continue
            self.write(file.with_suffix(""), data)
            shutil.copystat(file, file.with_suffix(""))
            file.unlink()

    def do_append(self) -> None:
        with self.a_file().open("ab") as file:
            file.write(self.chance.choice((self.mailbox, self.mailbox, self.text, self.warc))())

    def do_append_and_move(self) -> None:
        file = self.a_file()
        with file.open("ab") as stream:
            stream.write(self.mailbox())
        file.rename(self.a_place(self.chance.choice((file.name, self.name()))))

    def do_truncate(self) -> None:
        file = self.a_file()
        os.truncate(file, self.chance.randint(0, file.stat().st_size))

    def do_expunge(self) -> None:
        file = self.a_file()
        mails = file.read_bytes().split(b"From ada")
        del mails[self.chance.randrange(len(mails))]
        self.write(file, b"From ada".join(mails))

    def do_edit(self) -> None:
        file = self.a_file()
        data = bytearray(file.read_bytes())
        if data:
            data[self.chance.randrange(len(data))] = self.chance.choice(b"0aX \n")
        self.write(file, data)

    def do_edit_with_another_size(self) -> None:
        data = (file := self.a_file()).read_bytes()
        at = self.chance.randint(0, len(data))
        more = self.chance.choice((b"x", b"\n\n", b" http://x.example/in "))
        self.write(file, data[:at] + more + data[at:])

    def do_overwrite(self) -> None:
        self.a_file().replace(self.a_file())

    def do_replace(self) -> None:
        file, make = self.a_file(), self.chance.choice((self.content, self.zip, self.tar, self.warc, self.gz))
        self.write(file, make())

    def do_swap(self) -> None:
        one, other = self.a_file(), self.a_file()
        if one != other:
            third = one.with_name(f"tmp{self.number()}")
            one.rename(third)
            other.rename(one)
            third.rename(other)

    def do_rotate(self) -> None:
        file = self.a_file()
        for number in (2, 1):
            old = file.with_name(f"{file.name}.{number}")
            if old.is_file():
                old.rename(file.with_name(f"{file.name}.{number + 1}"))
        file.rename(file.with_name(f"{file.name}.1"))
        self.write(file, self.content())

    def do_copy_or_link(self) -> None:
        file = self.a_file()
        self.chance.choice((shutil.copy, *_COPIES))(file, self.a_folder() / self.name())

    do_copy = do_copy_or_link

    def do_delete(self) -> None:
        self.a_file().unlink()

    def do_delete_folder(self) -> None:
        if len(folders := self.plain_folders()) > 6:
            shutil.rmtree(self.chance.choice(folders))

    def do_create(self) -> None:
        make = self.chance.choice((self.content, self.zip, self.tar, self.warc, self.gz, bytes))
        self.write(self.a_folder() / self.name(), make())

    def do_copy_to_two_and_move_one(self) -> None:
        file = self.a_file()
        shutil.copy2(file, self.a_folder() / self.name())
        file.rename(self.a_folder() / self.name())

    def do_touch(self) -> None:
        os.utime(self.a_file())

    def do_file_becomes_folder(self) -> None:
        file = self.a_file()
        data = file.read_bytes()
        file.unlink()
        file.mkdir()
        self.write(file / self.chance.choice((file.name, self.name())), data)

    def do_folder_becomes_file(self) -> None:
        folder = self.a_folder()
        files = [each for each in folder.iterdir() if each.is_file()]
        if folder.parent != self.root and files:
            data = files[0].read_bytes()
            shutil.rmtree(folder)
            self.write(folder, data)

    # --- Maildirs ---------------------------------------------------------------------------------

    def deliver(self) -> None:
        folder = self.chance.choice(self.maildirs())
        self.write(folder / "new" / f"{self.number()}.M{self.count}.host", self.mail())

    do_deliver = do_deliver_again = deliver

    def a_mail(self) -> Path:
        if not (mails := self.mails()):
            self.deliver()
            mails = self.mails()
        return self.chance.choice(mails)

    def do_mark(self) -> None:
        for _ in range(self.chance.randint(1, 4)):
            mail = self.a_mail()
            flags = self.chance.choice(("", "S", "RS", "FS"))
            mail.rename(mail.parent.parent / "cur" / f"{mail.name.partition(':')[0]}:2,{flags}")

    def do_file_mail(self) -> None:
        mail, to = self.a_mail(), self.chance.choice(self.maildirs())
        base = mail.name.partition(":")[0]
        name = self.chance.choice((base, f"{self.number()}.new.host"))
        mail.rename(to / "cur" / f"{name}:2,S")

    def do_copy_or_link_mail(self) -> None:
        mail, to, copy = self.a_mail(), self.chance.choice(self.maildirs()), self.chance.choice(_COPIES)
        copy(mail, to / "cur" / f"{self.number()}.copy:2,S")

    do_copy_mail = do_copy_or_link_mail

    def do_delete_mail(self) -> None:
        self.a_mail().unlink()

    def do_edit_mail(self) -> None:
        """Put another file in place of a mail, as mutt does."""
        mail = self.a_mail()
        data = mail.read_bytes() + b"http://x.example/ed\n"
        self.write(mail.with_name(f"{self.number()}.edited:2,S"), data)
        mail.unlink()

    def do_compress_mail(self) -> None:
        """Compress mails, as Dovecot does; one in three is cut short."""
        mail = self.a_mail()
        data = mail.read_bytes()
        if not data.startswith(b"\x1f\x8b"):
            packed = gzip.compress(data)
            packed = packed[:-9] if self.chance.randrange(3) == 0 else packed
            self.write(mail.with_name(f"{self.number()}.z:2,S"), packed)
            mail.unlink()

    def do_rename_maildir(self) -> None:
        folders = [each for each in self.maildirs() if each.name.startswith(".")]
        if folders:
            folder = self.chance.choice(folders)
            folder.rename(folder.with_name(f".F{self.number()}"))

    def do_rename_all_maildirs(self) -> None:
        [top] = self.root.glob("mail*")
        top.rename(self.root / f"mail{self.number()}")

    def do_export_mail(self) -> None:
        """Move a mail out of its folder, or a file into one."""
        if self.chance.randrange(2):
            self.a_mail().rename(self.a_folder() / self.name())
        else:
            self.a_file().rename(self.chance.choice(self.maildirs()) / "cur" / f"{self.number()}.in:2,")

    # --- MH and news ------------------------------------------------------------------------------

    def a_number(self, tops: str = "mh") -> Path:
        if not (found := self.numbered(tops)):
            self.write(self.chance.choice(sorted(self.root.glob(f"{tops}/*"))) / "1", self.mail())
            found = self.numbered(tops)
        return self.chance.choice(found)

    def next_in(self, folder: Path) -> Path:
        numbers = (int(each.name) for each in folder.iterdir() if each.name.isdigit())
        return folder / str(1 + max(numbers, default=0))

    def a_mh(self) -> Path:
        return self.chance.choice(sorted(self.root.glob("mh/*")))

    def do_inc(self) -> None:
        self.write(self.next_in(self.a_mh()), self.mail())

    def do_refile(self) -> None:
        for _ in range(self.chance.randint(1, 3)):
            self.a_number().rename(self.next_in(self.a_mh()))

    def do_pack(self) -> None:
        folder = self.a_mh()
        numbers = sorted(int(each.name) for each in folder.iterdir() if each.name.isdigit())
        for to, number in enumerate(numbers, 1):
            (folder / str(number)).rename(folder / str(to))

    def do_sort(self) -> None:
        """Renumber the messages of a folder at random, as sortm does."""
        folder = self.a_mh()
        found = [each.name for each in folder.iterdir() if each.name.isdigit()]
        for name in found:
            (folder / name).rename(folder / f",{name}")
        for name, to in zip(found, self.chance.sample(found, len(found)), strict=True):
            (folder / f",{name}").rename(folder / to)

    def do_stray(self) -> None:
        """Put a file with another name among messages, or take it away: then their files are no messages."""
        stray = self.a_number(self.chance.choice(("mh", "news"))).with_name("README")
        if stray.exists():
            stray.unlink()
        else:
            self.write(stray, self.text())

    def do_rmm(self) -> None:
        self.a_number().unlink()

    def do_rename_mh(self) -> None:
        folder = self.a_mh()
        folder.rename(folder.with_name(f"f{self.number()}"))

    def do_mh_to_maildir(self) -> None:
        self.a_number().rename(self.chance.choice(self.maildirs()) / "cur" / f"{self.number()}.mh:2,S")

    def do_article(self) -> None:
        self.write(self.next_in(self.root / "news/comp/test"), self.mail())

    def do_expire(self) -> None:
        found = self.numbered("news/comp")
        if len(found) > 1:
            min(found, key=lambda each: int(each.name)).unlink()


def difference(path: Path, fresh: Path) -> list[str]:
    one, other = ({name: Counter(found) for name, found in contents(each).items()} for each in (path, fresh))
    differs = []
    for name in one:
        differs += [f"{name}: more {row}" for row in (one[name] - other[name]).elements()]
        differs += [f"{name}: less {row}" for row in (other[name] - one[name]).elements()]
    return differs


def kill(words: list[str], seconds: float) -> None:
    """Start a run and kill it; what it says of damaged files is expected."""
    process = subprocess.Popen(words, env=ENVIRONMENT, stderr=subprocess.PIPE)
    time.sleep(seconds)
    process.kill()
    _, errors = process.communicate()
    assert b"Traceback" not in errors


def drive(tmp_path: Path, seed: int, steps: int, *, kills: float = 0) -> None:
    """Change a tree ``steps`` times, index it each time, and require what a fresh index has."""
    chance = random.Random(seed)
    tree = Tree(tmp_path / "in", chance)
    path, fresh = tmp_path / "links.db", tmp_path / "fresh.db"
    for step in range(steps):
        if step:
            tree.log.append(f"--- {step}")
            tree.step()
        if chance.random() < kills:
            words = command(path, "--prune", *chance.choice(((), ("-J", "2"))), tree.root)
            for _ in range(3):
                kill(words, chance.uniform(0, 0.6))
        index_sources(path, tree.root, prune=True, jobs=chance.choice((1, 1, 1, 2)), on_damage=lambda _: None)
        fresh.unlink(missing_ok=True)
        index_sources(fresh, tree.root, jobs=1, on_damage=lambda _: None)
        differs = difference(path, fresh)
        assert not differs, (seed, step, tree.log[-12:], differs[:20])
        again = index_sources(path, tree.root, jobs=1, on_damage=lambda _: None)
        assert (again.messages, again.places, again.gone) == (0, 0, ()), (seed, step, tree.log[-12:], again)


def test_some_changes(tmp_path: Path) -> None:
    drive(tmp_path, 1, 12)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2, 6))
def test_many_changes_and_killed_runs(tmp_path: Path, seed: int) -> None:
    drive(tmp_path, seed, 60, kills=0.1)
