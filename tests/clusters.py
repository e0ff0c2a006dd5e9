"""What the tests of clusters share: the parts of a run, and processes with a module of ours."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

from commands import run, with_module
from test_jobs import mailbox

if sys.version_info >= (3, 14):
    from compression.zstd import compress, decompress
else:
    from backports.zstd import compress, decompress

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["compress"]

READER = """
import os, random, signal, time
import urlextract.cluster.tasks as tasks

original = tasks.read_stretch

def read_stretch(shard, *arguments, **how):
    {}
    for item in original(shard, *arguments, **how):
        {}
        yield item

tasks.read_stretch = read_stretch
"""


def listed(out: Path) -> list[str]:
    """Return the names of the parts in the manifest."""
    return [part["name"] for part in json.loads((out / "manifest.json").read_bytes())["parts"]]


def lines_in(part: Path) -> list[str]:
    return decompress(part.read_bytes()).decode().splitlines()


def records_of(out: Path) -> list[str]:
    """Return the records of the parts that the manifest names, in its order."""
    return [line for name in listed(out) for line in lines_in(out / name)]


def records_of_one(*words: object, **how: object) -> list[str]:
    """Return the records that one process prints."""
    return run("-j", *words, **how).stdout.decode().splitlines()


def with_reader(folder: Path, begin: str = "pass", each: str = "pass") -> dict[str, str]:
    """Return an environment in which reading a shard begins with a statement, and has one before each item.

    It has a directory of its own for temporary files: a run that is killed leaves one there.
    """
    (folder / "tmp").mkdir()
    return with_module(folder, "sitecustomize", READER.format(begin, each), TMPDIR=str(folder / "tmp"))


def plant(folder: Path, size: int = 9_000) -> None:
    """A tree with a Maildir, a folder of MH, a mailbox that is cut, dot files and binary files."""
    for name, text in (
        ("box", mailbox(size, each=300)),
        ("text", b"http://a.example/\n"),
        (".hidden", b"http://hidden.example/\n"),
        ("binary", b"\0http://binary.example/\n"),
        ("mh/10", b"Odd\n\nhttp://ten.example/\n"),
        ("mh/9", b"Subject: x\n\nhttp://nine.example/\n"),
        ("maildir/cur/1:2,S", b"Subject: x\n\nhttp://cur.example/\n"),
        ("maildir/new/2", b"Subject: y\n\nhttp://new.example/\n"),
        ("maildir/.sent/cur/3", b"Subject: z\n\nhttp://sent.example/\n"),
        ("maildir/.sent/new/4", b"Subject: z\n\nhttp://four.example/\n"),
        ("maildir/stray", b"http://stray.example/\n"),
    ):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text)
