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
from contextlib import suppress
from pathlib import Path
from random import Random

import pytest
from commands import ENVIRONMENT
from indexes import contents, tree
from packing import tarred
from test_index_moves import ACTIONS
from test_state import begin, mail, mailbox, record

from urlextract import index_sources

_PACKERS = {".gz": gzip, ".xz": lzma, ".bz2": bz2}
_ENDS = ("", ".txt", ".mbox", ".html", ".eml", ":2,S", "@7", "\udce9", "\\x41", " b\nc")


# --- what is in files, and where they are ---------------------------------------------------------


def message(chance: Random) -> bytes:
    """Return a mail; one in four has another one in it, one in eight has no link."""
    number, kind = chance.randrange(1_000), chance.randrange(8)
    if kind == 0:
        return b"Subject: nothing\nDate: 1 Feb 2024 10:00 +0000\n\nhi %d\n" % number
    dated = mail(number, b"Date: Mon, 14 Nov 1994 09:%02d:44 +0100\n" % (number % 60))
    around = b"Message-ID: <o%d@x>\nContent-Type: message/rfc822\n\n%s" % (number, dated)
    return around if kind <= 2 else dated


def messages(chance: Random) -> bytes:
    return mailbox(*(message(chance) for _ in range(chance.randint(1, 6))))


def text(chance: Random) -> bytes:
    lines = (b"line http://x.example/t%d now" % chance.randrange(1_000) for _ in range(chance.randint(1, 9)))
    end = b"\n" * chance.randrange(3)
    return chance.choice((b"\n", b"\n\n", b"\r\n\r\n")).join(lines) + end


def page(chance: Random) -> bytes:
    return b"<html><title>t</title><p>see <a href='http://x.example/p%d'>it</a>" % chance.randrange(1_000)


def records(chance: Random) -> bytes:
    return b"".join(record(chance.randrange(1_000)) for _ in range(chance.randint(1, 3)))


def packed(chance: Random) -> bytes:
    """Return an archive, or a compressed mailbox, which is cut short at times."""
    members = {f"d/{n}.{chance.choice(('txt', 'eml'))}": content(chance) for n in range(chance.randint(0, 3))}
    kind = chance.randrange(4)
    if kind == 0:
        return tarred(members)
    if kind > 1:
        return gzip.compress(messages(chance))[: -chance.randint(1, 30) if kind == 2 else None]
    with zipfile.ZipFile(data := io.BytesIO(), "w") as archive:
        for name, member in members.items():
            archive.writestr(name, member)
    return data.getvalue()


def content(chance: Random) -> bytes:
    return chance.choice((message, messages, text, page))(chance)


def anything(chance: Random) -> bytes:
    return chance.choice((content, content, packed, records, lambda _: b""))(chance)


def files(folder: Path, *, numbered: bool = False) -> list[Path]:
    """Return all files outside of folders of MH, or those in them: these are messages alone."""
    found = sorted(path for path in folder.rglob("*") if path.is_file())
    return [path for path in found if path.parent.name.startswith("mh") == numbered]


def a(folder: Path, chance: Random, *, numbered: bool = False) -> Path:
    return chance.choice(files(folder, numbered=numbered))


def new(folder: Path, chance: Random) -> Path:
    """Return the path of a file that is not there, in some folder, which is made."""
    parent = folder / chance.choice(("", "deep", "deep/er", "M/cur", "M/new"))
    parent.mkdir(parents=True, exist_ok=True)
    number = chance.randrange(10**6)
    return parent / (
        f"{number}.host:2,S" if parent.parent.name == "M" else f"n{number}{chance.choice(_ENDS)}"
    )


def number(folder: Path, chance: Random) -> Path:
    """Return the path that MH gives the next message."""
    parent = chance.choice(sorted(path for path in folder.glob("mh*") if path.is_dir()))
    return parent / str(1 + max((int(path.name) for path in parent.iterdir()), default=0))


# --- changes --------------------------------------------------------------------------------------


def insert(file: Path, chance: Random, data: bytes, replaced: int = 0) -> None:
    old = file.read_bytes()
    at = chance.randint(0, len(old))
    file.write_bytes(old[:at] + data + old[at + replaced :])


def expunge(file: Path, chance: Random) -> None:
    mails = file.read_bytes().split(b"From a@b")
    del mails[chance.randrange(len(mails))]
    file.write_bytes(b"From a@b".join(mails))


def pack(file: Path, chance: Random) -> None:
    """Compress a file, as gzip and, in place, Dovecot do; one in three is cut short."""
    end = chance.choice(list(_PACKERS))
    data = _PACKERS[end].compress(file.read_bytes())
    packed = file if file.parent.parent.name == "M" else file.with_name(file.name + end)
    file.unlink()
    packed.write_bytes(data[: -9 if chance.randrange(3) == 0 else None])


def unpack(file: Path) -> None:
    file.with_suffix("").write_bytes(_PACKERS[file.suffix].decompress(file.read_bytes()))
    file.unlink()


def swap(one: Path, other: Path) -> None:
    third = one.with_name("third")
    one.rename(third)
    other.rename(one)
    third.rename(other)


def become_folder(file: Path) -> None:
    data = file.read_bytes()
    file.unlink()
    tree(file, {file.name: data})


def sort_numbers(folder: Path, chance: Random) -> None:
    """Number messages at random, as sortm does."""
    found = [path for path in files(folder, numbered=True) if path.parent.name == "mh"]
    data = [(path.read_bytes(), path.stat()) for path in found]
    for path, (content, status) in zip(found, chance.sample(data, len(data)), strict=True):
        path.write_bytes(content)
        os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))


def flag(file: Path, flags: str) -> None:
    if file.parent.name in ("cur", "new"):
        file.rename(file.parent.parent / "cur" / f"{file.name.partition(':')[0]}:2,{flags}")


CHANGES: dict[str, Callable[[Path, Random], object]] = {
    **{what: (lambda folder, _, action=action: action(folder)) for what, action in ACTIONS.items()},
    "move": lambda folder, chance: a(folder, chance).rename(new(folder, chance)),
    "move a folder": lambda folder, _: (folder / "deep").rename(folder / "moved"),
    "copy": lambda folder, chance: chance.choice((shutil.copy, shutil.copy2, os.link))(
        a(folder, chance), new(folder, chance)),
    "overwrite": lambda folder, chance: a(folder, chance).replace(a(folder, chance)),
    "swap": lambda folder, chance: swap(a(folder, chance), a(folder, chance)),
    "rotate": lambda folder, chance: (file := a(folder, chance)).rename(f"{file}.1"),
    "pack": lambda folder, chance: pack(a(folder, chance), chance),
    "unpack": lambda folder, chance: unpack(chance.choice(list(folder.rglob("*.gz")))),
    "append": lambda folder, chance: (file := a(folder, chance)).write_bytes(
        file.read_bytes() + chance.choice((messages, messages, text, records))(chance)),
    "truncate": lambda folder, chance: os.truncate(
        file := a(folder, chance), chance.randint(0, file.stat().st_size)),
    "insert": lambda folder, chance: insert(
        a(folder, chance), chance, chance.choice((b"x", b"\n\n", b" http://x.example/in "))),
    "change": lambda folder, chance: insert(a(folder, chance), chance, chance.choice((b"0", b"X", b"\n")), 1),
    "expunge": lambda folder, chance: expunge(a(folder, chance), chance),
    "replace": lambda folder, chance: a(folder, chance).write_bytes(anything(chance)),
    "create": lambda folder, chance: new(folder, chance).write_bytes(anything(chance)),
    "create another": lambda folder, chance: new(folder, chance).write_bytes(anything(chance)),
    "delete": lambda folder, chance: a(folder, chance).unlink(),
    "delete a folder": lambda folder, chance: shutil.rmtree(folder / chance.choice(("deep", "moved", "N"))),
    "become a folder": lambda folder, chance: become_folder(a(folder, chance)),
    "touch": lambda folder, chance: os.utime(a(folder, chance)),
    "flag": lambda folder, chance: flag(a(folder, chance), chance.choice(("", "S", "RS", "FS"))),
    "number": lambda folder, chance: number(folder, chance).write_bytes(message(chance)),
    "refile": lambda folder, chance: a(folder, chance, numbered=True).rename(number(folder, chance)),
    "refile to others": lambda folder, chance: a(folder, chance, numbered=True).rename(new(folder, chance)),
    "sort numbers": sort_numbers,
    "a folder of MH is renamed": lambda folder, chance: (folder / "mh").rename(folder / "mh2"),
    "another is made": lambda folder, chance: tree(folder, {"mh/1": message(chance)}),
}  # fmt: skip

# Batches are small here, so that a kill falls between any two transactions. No public option sets this.
OFTEN = (
    "from urlextract.index import batches; batches._BYTES, batches._ITEMS = 8_000, 5;"
    "from urlextract.__main__ import main; main()"
)


def was_killed(words: list[object], seconds: float) -> bool:
    """Start a run and kill it after it has begun to write; return whether it had not ended before.

    It tells damage, and what is gone.
    """
    command = [sys.executable, "-c", OFTEN, "index", *map(str, words)]
    process = subprocess.Popen(command, env=ENVIRONMENT, stderr=subprocess.PIPE)
    while process.poll() is None and not os.path.exists(f"{words[0]}-wal"):
        time.sleep(0.001)
    time.sleep(seconds)
    process.kill()
    assert b"Traceback" not in process.communicate()[1]
    return process.returncode < 0


def drive(tmp_path: Path, seed: int, steps: int, *, kills: float = 0) -> int:
    """Change a tree ``steps`` times, index it each time, and require what a fresh index has.

    Return how many runs were killed before.
    """
    chance, folder = random.Random(seed), tmp_path / "in"
    path, fresh, killed = tmp_path / "links.db", tmp_path / "fresh.db", 0
    log: list[str] = []
    begin(folder)
    for step in range(steps):
        for what, change in chance.choices(list(CHANGES.items()), k=chance.randint(1, 6) * (step > 0)):
            log.append(f"{step}: {what}")
            # What it changes may not be there, or no longer be what it was.
            with suppress(OSError, EOFError, ValueError, AssertionError, IndexError, lzma.LZMAError):
                change(folder, chance)
        if chance.random() < kills:
            words = [path, "--prune", *chance.choice(((), ("-J", "2"))), folder]
            killed += sum(was_killed(words, chance.uniform(0, 0.1)) for _ in range(3))
        index_sources(path, folder, prune=True, jobs=chance.choice((1, 1, 1, 2)), on_damage=lambda _: None)
        fresh.unlink(missing_ok=True)
        index_sources(fresh, folder, jobs=1, on_damage=lambda _: None)
        found, expected = contents(path), contents(fresh)
        for name in found:
            one, other = Counter(found[name]), Counter(expected[name])
            assert (one - other, other - one) == (Counter(), Counter()), (seed, name, log[-12:])
        again = index_sources(path, folder, jobs=1, on_damage=lambda _: None)
        assert (again.messages, again.places, again.gone) == (0, 0, ()), (seed, log[-12:], again)
    return killed


def test_some_changes(tmp_path: Path) -> None:
    drive(tmp_path, 1, 12)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2, 6))
def test_many_changes_and_killed_runs(tmp_path: Path, seed: int) -> None:
    assert drive(tmp_path, seed, 50, kills=0.1) > 3
