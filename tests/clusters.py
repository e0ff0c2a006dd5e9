"""What the tests of clusters share: small stretches, the records of parts, and reading that fails."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from commands import run, with_module
from indexes import tree
from test_jobs import mailbox

if sys.version_info >= (3, 14):
    from compression.zstd import compress, decompress
else:
    from backports.zstd import compress, decompress

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


def rows_in(out: Path) -> list[dict[str, Any]]:
    """Return the records of the parts in a directory, by the names of these."""
    parts = sorted(path for path in out.iterdir() if path.name.endswith(".jsonl.zst"))
    return [json.loads(line) for path in parts for line in decompress(path.read_bytes()).splitlines()]


def records_of(out: Path) -> list[str]:
    """Return the records of all parts as one process prints them, sorted."""
    rows = [{key: row[key] for key in row if key not in OF_PARTS} for row in rows_in(out)]
    return sorted(json.dumps(row) for row in rows)


def records_of_one(*words: object, **how: Any) -> list[str]:
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


def plant(folder: Path, size: int = 9_000) -> Path:
    """Make a tree with a Maildir, a folder of MH, a mailbox that is cut, dot files and binary files."""
    names = ("mh/9", *(f"maildir/{name}" for name in ("cur/1:2,S", "new/2", ".sent/cur/3", ".sent/new/4")))
    mails = {name: f"Subject: x\n\nhttp://x.example/{name[-1]}\n".encode() for name in names}
    texts = {name: f"http://{name.strip('.')}.example/\n".encode() for name in ("text", ".hidden")}
    others = {"mh/10": b"Odd\n\nhttp://ten.example/\n", "maildir/stray": b"http://stray.example/\n",
              "binary": b"\0http://binary.example/\n", "box": mailbox(size, each=300)}  # fmt: skip
    return tree(folder, {**mails, **texts, **others})
