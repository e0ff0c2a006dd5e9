"""What the tests of clusters share: small stretches, the records of parts, and reading that fails."""

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

OF_PARTS = ("key", "domain", "hash")
"""The keys that records of parts have and others have not."""

READER = """
import os, random, signal, time
from urlextract.cluster import parts, running

original = parts.read_stretch

def read_stretch(stretch, place):
    {}
    for item in original(stretch, place):
        {}
        yield item

parts.read_stretch, running.SIZE = read_stretch, {}
"""


def rows_in(out: Path) -> list[dict[str, object]]:
    """Return the records of the parts in a directory, by the names of these."""
    parts = sorted(path for path in out.iterdir() if path.name.endswith(".jsonl.zst"))
    return [json.loads(line) for path in parts for line in decompress(path.read_bytes()).splitlines()]


def records_of(out: Path) -> list[str]:
    """Return the records of all parts as one process prints them, sorted."""
    rows = [{key: row[key] for key in row if key not in OF_PARTS} for row in rows_in(out)]
    return sorted(json.dumps(row) for row in rows)


def records_of_one(*words: object, **how: object) -> list[str]:
    """Return the records that one process prints, sorted."""
    lines = run("-j", *words, **how).stdout.splitlines()
    return sorted(json.dumps(json.loads(line)) for line in lines)


def parts_in(out: Path) -> set[str]:
    return {path.name for path in out.glob("*.jsonl.zst")}


def files_in(out: Path) -> set[str]:
    """Return the names of all files but the parts."""
    return {path.name for path in out.iterdir()} - parts_in(out)


def with_reader(folder: Path, begin: str = "pass", each: str = "pass", size: int = 2048) -> dict[str, str]:
    """Return an environment with stretches of a size, whose reading begins with a statement.

    Before each item comes one, too. It has a directory of its own for temporary files: a run that is killed
    leaves some there.
    """
    (folder / "tmp").mkdir(exist_ok=True)
    module = READER.format(begin, each, size)
    return with_module(folder, "sitecustomize", module, TMPDIR=str(folder / "tmp"))


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
