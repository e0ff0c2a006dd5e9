"""Files that an attacker makes: journals and logs beside an index, and tables whose pages have no end."""

from __future__ import annotations

import os
import sqlite3
import struct
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

_MAGIC = bytes.fromhex("d9d505f920a163d7")
_SECTOR, _PAGE = 512, 4096
_LOCK_PAGE = 0x40000000 // _PAGE + 1


def journal_of(index: Path, other: Path | None = None) -> bytes:
    """Return a journal from which SQLite restores a page of an index; ``other`` is its super-journal."""
    data = index.read_bytes()
    page = data[:_PAGE]
    head = _MAGIC + struct.pack(">5I", 1, 0, len(data) // _PAGE, _SECTOR, _PAGE)
    journal = head.ljust(_SECTOR, b"\0") + struct.pack(">I", 1) + page
    journal += struct.pack(">I", sum(page[at] for at in range(_PAGE - 200, 0, -200)))
    if other:
        name = os.fsencode(other)
        journal += struct.pack(">I", _LOCK_PAGE) + name + struct.pack(">2I", len(name), sum(name)) + _MAGIC
    return journal


def log_of(index: Path) -> bytes:
    """Return a write-ahead log that has all pages of an index, which is changed."""
    with closing(sqlite3.connect(index, isolation_level=None)) as connection:
        for statement in ("PRAGMA journal_mode = WAL", "PRAGMA wal_autocheckpoint = 0", "VACUUM"):
            connection.execute(statement)
        return index.with_name(f"{index.name}-wal").read_bytes()


def with_tree(index: Path, name: str, children: Callable[[int, int], list[int]], depth: int) -> None:
    """Put a tree of ``depth`` pages above the page of a table or an index of few rows.

    ``children`` returns the pages that are below one, given its number and that of the page with the rows.
    """
    with closing(sqlite3.connect(index)) as connection:
        [[root]] = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = ?", (name,))
        [[kind]] = connection.execute("SELECT type FROM sqlite_master WHERE name = ?", (name,))
    data = index.read_bytes()
    start, first = (root - 1) * _PAGE, len(data) // _PAGE + 1
    rows, last = data[start : start + _PAGE], first + depth
    pages = [_inner_page(kind, children(first + at, last)) for at in range(depth)]
    above = _inner_page(kind, [first, first])  # without a cell, SQLite would not go on
    whole = bytearray(data[:start] + above + data[start + _PAGE :] + b"".join(pages) + rows)
    struct.pack_into(">I", whole, 28, len(whole) // _PAGE)  # the size in the header
    index.write_bytes(whole)


def _inner_page(kind: str, children: list[int]) -> bytes:
    page, at = bytearray(_PAGE), _PAGE
    *left, right = children
    for count, child in enumerate(left):
        # a rowid, or a record of one NULL and the number 1, which no row of few has
        key = b"\x01" if kind == "table" else b"\x03\x03\x00\x09"
        cell = struct.pack(">I", child) + key
        at -= len(cell)
        page[at : at + len(cell)] = cell
        struct.pack_into(">H", page, 12 + 2 * count, at)
    struct.pack_into(">BHHHBI", page, 0, 5 if kind == "table" else 2, 0, len(left), at, 0, right)
    return bytes(page)
