"""Trees and mails for indexes, and what an index holds, without the ids: to compare it with another."""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

POSTMARK = b"From ada@a.example Mon Nov 14 09:12:44 1994\n"
_QUERIES = {
    "links": "SELECT * FROM links",
    "messages": """SELECT messages.*, outermost.hash AS outermost FROM messages
                   LEFT JOIN messages AS outermost ON outermost.id = messages.outer_id""",
    "copies": """SELECT copies.*, messages.hash, messages.subject FROM copies
                 JOIN messages ON messages.id = message""",
    "urls": "SELECT * FROM urls",
}
_IDS = {"id", "url_id", "outer_id"}
# Of several copies of a message, links have the first that was read: that differs from a new index.
_OF_COPY = {"links": frozenset({"source", "message", "offset", "byte"}), "copies": frozenset({"message"})}


def tree(folder: Path, files: Mapping[str, bytes]) -> Path:
    """Write files below a folder, which is made; return it."""
    for name, data in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    return folder


def message(number: int, path: str = "m") -> bytes:
    """Return a mail with two URLs, one of which all of these mails have."""
    head = b"From: Ada <ada@a.example>\nSubject: tide %d\nMessage-ID: <%d@a.example>\n" % (number, number)
    text = b"see <http://x.example/%s%d> and http://x.example/all\n" % (path.encode(), number)
    filler = b"words that fill the body of this message\n" * 20
    return head + b"Date: Mon, 14 Nov 1994 09:%02d:44 +0100\n\n" % (number % 60) + text + filler


def mailbox(*numbers: int, path: str = "m") -> bytes:
    return b"".join(POSTMARK + message(number, path) + b"\n" for number in numbers)


@contextmanager
def small_disk(path: Path, size: str) -> Iterator[Path]:
    """Mount a file system of a size; skip the test where that is not allowed."""
    path.mkdir()
    words = ["mount", "-t", "tmpfs", "-o", f"size={size},mode=0755", "none", str(path)]
    if not shutil.which("mount") or subprocess.run(words, capture_output=True, check=False).returncode:
        pytest.skip("no file system can be mounted here")
    try:
        yield path
    finally:
        subprocess.run(["umount", str(path)], check=True)


def rows(path: Path, query: str, *values: object) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(path)) as index:
        return index.execute(query, values).fetchall()


def records(path: Path, query: str, without: frozenset[str] = frozenset()) -> list[dict[str, Any]]:
    """Return the rows of a query, each by the names of its columns, without ids."""
    with closing(sqlite3.connect(path)) as index:
        index.row_factory = sqlite3.Row
        found = index.execute(query).fetchall()
    return [{name: row[name] for name in row.keys() if name not in _IDS | without} for row in found]  # noqa: SIM118


def contents(path: Path) -> dict[str, list[str]]:
    """Return all rows of all tables, sorted, after checks of the file and of its full-text search."""
    with closing(sqlite3.connect(path)) as index:
        assert index.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        index.execute("INSERT INTO search (search, rank) VALUES ('integrity-check', 1)")  # and with the rows
        assert index.execute(
            "SELECT count(*) FROM urls WHERE places <> (SELECT count(*) FROM places WHERE url_id = urls.id)"
        ).fetchone() == (0,)
        assert not index.execute("PRAGMA foreign_key_check").fetchall()
    return {
        name: sorted(
            str(sorted(row.items())) for row in records(path, query, _OF_COPY.get(name, frozenset()))
        )
        for name, query in _QUERIES.items()
    }


def urls(path: Path) -> list[str]:
    return sorted(url for (url,) in rows(path, "SELECT url FROM links"))
