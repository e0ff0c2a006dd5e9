"""What an index remembers of its sources, and a journal of what is to be noted together with their rows."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Iterable
from typing import NamedTuple

from urlextract.grammar.patterns import lazy_re
from urlextract.sources.checkpoint import Begin, Kind, Note, Noted, Progress, Read, progress_in


def kept_name(name: str) -> str:
    r"""Return a path or a name of a file as text that every reader of SQLite accepts.

    Bytes that are no UTF-8 are escapes; a name that has some has two backslashes for each of its own.

    >>> kept_name("a\\b"), kept_name("caf\udce9\\b")
    ('a\\b', 'caf\\xe9\\\\b')
    """
    if name.isascii() and "\0" not in name:
        return name
    return _ODD.sub(_escaped, name.replace("\\", "\\\\")) if _ODD.search(name) else name


# NUL, and bytes that are no UTF-8, which a `str` has as lone surrogates; archives may have others
_ODD = lazy_re("[\0\ud800-\udfff]")


def _escaped(match: re.Match[str]) -> str:
    code = ord(match[0])
    return f"\\x{code & 0xFF:02x}" if code == 0 or 0xDC80 <= code <= 0xDCFF else f"\\u{code:04x}"


class Source(NamedTuple):
    """A source that is being read: its ``path`` in the index, and its ``name`` in origins.

    ``folder`` is the path of the folder that remembers the message in it, None for any other source.
    """

    path: str
    name: str
    kind: Kind = "file"
    folder: str | None = None


class IndexStore:
    """What an index remembers: a `Checkpoint` that reads its tables, and writes a journal.

    `taken` returns the journal; once it was written to the tables, `settle` is to be called with it.
    """

    replaces = knows_streams = True

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._journal: list[Note] = []
        self._files: dict[str, Progress] = {}
        self._names: set[Noted] = set()
        self.source = Source("", "")

    def taken(self) -> list[Note]:
        """Return the journal, and begin a new one."""
        journal, self._journal = self._journal, []
        return journal

    def settle(self, journal: Iterable[Note]) -> None:
        """Forget what the tables have now."""
        for note in journal:
            if isinstance(note, Noted):
                self._names.discard(note)
            elif isinstance(note, Read) and self._files.get(note.path) is note.known:
                del self._files[note.path]

    def note(self, note: Note) -> None:
        """Keep a note in the journal. A message that is gone stays: it is no news if it returns."""
        if isinstance(note, Begin):
            folder = note.folder and kept_name(note.folder)
            self.source = Source(kept_name(note.path), note.name, note.kind, folder)
        elif isinstance(note, Read):
            self._files[note.path] = note.known
        elif isinstance(note, Noted):
            self._names.add(note)
        self._journal.append(note)

    def progress(self, path: str) -> Progress | None:
        """Return how far a file or an inbox was read."""
        known = self._files.get(path)
        if known:
            return known.with_tail(path)
        query = "SELECT state FROM sources WHERE path = ?"
        row = self._connection.execute(query, (kept_name(path),)).fetchone()
        try:
            return progress_in(json.loads(row[0])) if row and row[0] else None
        except (ValueError, TypeError, RecursionError):  # it is read again, and replaced
            return None

    def has(self, noted: Noted) -> bool:
        """Return whether a message of a folder was read, or one of a stream."""
        if noted in self._names:
            return True
        row = self._connection.execute(
            "SELECT 1 FROM seen JOIN sources ON sources.id = seen.source_id WHERE path = ? AND name = ?",
            tuple(map(kept_name, noted)),
        )
        return row.fetchone() is not None

    def rest(self) -> None:
        """Do nothing: the journal is written with the rows."""
