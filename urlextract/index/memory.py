"""What an index remembers of its sources, and a journal of what is to be noted together with their rows."""

from __future__ import annotations

import json
import os
import re
import sqlite3
from collections.abc import Iterable
from typing import NamedTuple

from urlextract.grammar.patterns import lazy_re
from urlextract.sources.resuming import FileMemory, Kind, Memory, file_memory_of, tail_of

_GONE = "gone"


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


class Begin(NamedTuple):
    """Items of a source follow, from the place on that ``known`` says, or from its start.

    They replace what the index has of the source from there on.
    """

    source: Source
    known: FileMemory | None


class Read(NamedTuple):
    """A file was read so far; ``name`` is what opens it."""

    path: str
    name: str
    known: FileMemory

    def state(self) -> str:
        """Return what the index keeps of it, as JSON."""
        tail = tail_of(self.name, self.known.place) or _GONE
        return json.dumps(self.known._replace(tail=tail)._asdict(), separators=(",", ":"))


class Noted(NamedTuple):
    """A message of a folder, or of a stream, was read."""

    folder: str
    name: str


class Counted(NamedTuple):
    """So many messages of an inbox were read."""

    path: str
    number: int


Op = Begin | Read | Noted | Counted


class IndexMemory(Memory):
    """The memory of an index: reads its tables, and writes a journal.

    `taken` returns the journal; once it was written to the tables, `settle` is to be called with it.
    """

    replaces = True
    knows_streams = True

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._journal: list[Op] = []
        self._files: dict[str, FileMemory] = {}
        self._names: set[Noted] = set()
        self._counts: dict[str, int] = {}
        self.source = Source("", "")

    def taken(self) -> list[Op]:
        """Return the journal, and begin a new one."""
        journal, self._journal = self._journal, []
        return journal

    def settle(self, journal: Iterable[Op]) -> None:
        """Forget what the tables have now."""
        for op in journal:
            if isinstance(op, Noted):
                self._names.discard(op)
            elif isinstance(op, Read) and self._files.get(op.path) is op.known:
                del self._files[op.path]
            elif isinstance(op, Counted) and self._counts.get(op.path) == op.number:
                del self._counts[op.path]

    def begin(
        self, path: str, known: FileMemory | None, *, folder: str | None = None, kind: Kind = "file"
    ) -> None:
        """Note what is read from now on."""
        own = path if kind == "stream" else os.path.abspath(path)
        self.source = Source(
            kept_name(own), path, kind, kept_name(os.path.abspath(folder)) if folder else None
        )
        self._journal.append(Begin(self.source, known))

    def kept_file(self, path: str) -> FileMemory | None:
        """Return how far a file was read."""
        known = self._files.get(kept_name(path))
        if known:
            return known._replace(tail=tail_of(path, known.place) or _GONE)
        state = self._state(kept_name(path))
        try:
            return file_memory_of(json.loads(state)) if state else None
        except (ValueError, TypeError, RecursionError):  # it is read again, and replaced
            return None

    def keep_file(self, path: str, known: FileMemory) -> None:
        """Note how far a file was read."""
        read = Read(kept_name(path), path, known)
        self._files[read.path] = known
        self._journal.append(read)

    def has_kept(self, folder: str, name: str) -> bool:
        """Return whether a message of a folder was read, or one of a stream."""
        noted = Noted(kept_name(folder), kept_name(name))
        if noted in self._names:
            return True
        row = self._connection.execute(
            "SELECT 1 FROM seen JOIN sources ON sources.id = seen.source_id WHERE path = ? AND name = ?",
            noted,
        )
        return row.fetchone() is not None

    def keep_name(self, folder: str, name: str) -> None:
        """Note that a message of a folder was read, or one of a stream."""
        noted = Noted(kept_name(folder), kept_name(name))
        self._names.add(noted)
        self._journal.append(noted)

    def keep_only(self, folder: str, names: set[str]) -> None:
        """Do nothing: a message that is gone stays in the index, so it is no news if it returns."""

    def kept_count(self, path: str) -> int:
        """Return the number of messages that were read from an inbox."""
        path = kept_name(path)
        if path in self._counts:
            return self._counts[path]
        try:
            return int(self._state(path) or 0)
        except (ValueError, OverflowError):  # as in `kept_file`
            return 0

    def keep_count(self, path: str, count: int) -> None:
        """Note how many messages of an inbox were read."""
        counted = Counted(kept_name(path), count)
        self._counts[counted.path] = count
        self._journal.append(counted)

    def rest(self) -> None:
        """Do nothing: the journal is written with the rows."""

    def _state(self, path: str) -> str | None:
        row = self._connection.execute("SELECT state FROM sources WHERE path = ?", (path,)).fetchone()
        return row[0] if row else None
