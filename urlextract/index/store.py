"""What an index remembers of its sources, and a journal of what is to be noted together with their rows."""

from __future__ import annotations

import json
import os
import re
import sqlite3
from collections.abc import Iterable
from functools import cached_property
from itertools import islice
from typing import NamedTuple

from urlextract.grammar.patterns import lazy_re
from urlextract.index.identity import Folders, is_gone, is_same_file
from urlextract.index.notes import (
    Begin,
    Kind,
    Moved,
    Note,
    Noted,
    Progress,
    Read,
    Refiled,
    progress_in,
    tail_of,
)


def kept_name(name: str) -> str:
    r"""Return a path or a name of a file as text that every reader of SQLite accepts.

    Bytes that are no UTF-8 are escapes; a name between slashes that has some, or what looks like one, has two
    backslashes for each of its own. So different names are kept as different texts.

    >>> kept_name("a\\b"), kept_name("a\\b/caf\udce9\\b"), kept_name(r"caf\xe9")
    ('a\\b', 'a\\b/caf\\xe9\\\\b', 'caf\\\\xe9')
    """
    if name.isascii() and "\\" not in name and "\0" not in name:
        return name
    return "/".join(_kept(each) for each in name.split("/")) if _ODD.search(name) else name


def _kept(name: str) -> str:
    return _CHARACTER.sub(_escaped, name.replace("\\", "\\\\")) if _ODD.search(name) else name


# NUL, and bytes that are no UTF-8, which a `str` has as lone surrogates; archives may have others
_CHARACTER = lazy_re("[\0\ud800-\udfff]")
_ESCAPE = lazy_re(r"\\(\\|x[0-9a-f]{2}|u[0-9a-f]{4})")
_ODD = lazy_re("[\0\ud800-\udfff]|" + r"\\(?:\\|x[0-9a-f]{2}|u[0-9a-f]{4})")


def _escaped(match: re.Match[str]) -> str:
    code = ord(match[0])
    return f"\\x{code & 0xFF:02x}" if code == 0 or 0xDC80 <= code <= 0xDCFF else f"\\u{code:04x}"


def path_of(kept: str) -> str:
    r"""Return the path that is kept as ``kept`` (see `kept_name`).

    >>> path_of(kept_name("caf\udce9\\b")) == "caf\udce9\\b"
    True
    """
    return _ESCAPE.sub(_unescaped, kept) if "\\" in kept else kept


def _unescaped(match: re.Match[str]) -> str:
    code = match[1]
    if code == "\\":
        return code
    return chr(int(code[1:], 16) + (0xDC00 if code[0] == "x" and code != "x00" else 0))


class Source(NamedTuple):
    """A source that is being read: its ``path`` as the index keeps it, and its ``name`` in origins.

    ``noted`` is the message of a folder that it is. ``part`` is the path of the part with its records.
    """

    path: str
    name: str
    kind: Kind = "file"
    noted: Noted | None = None
    part: str | None = None


class IndexStore:
    """What an index remembers: it reads its tables, and writes a journal.

    What is yielded of a source again replaces what was yielded before. `taken` returns the journal; once it
    was written to the tables, `settle` is to be called with it.
    """

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._journal: list[Note] = []
        self._files: dict[str, Progress] = {}
        self._names: set[tuple[str, str]] = set()
        self._refiled: set[tuple[str, str]] = set()  # messages that are no longer where they were
        self._linked_names: set[str] = set()  # sources that are read by another name now
        self._folders = Folders()
        self.source = Source("", "")

    def taken(self) -> list[Note]:
        """Return the journal, and begin a new one."""
        journal, self._journal = self._journal, []
        return journal

    def settle(self, journal: Iterable[Note]) -> None:
        """Forget what the tables have now."""
        for note in journal:
            if isinstance(note, Noted):
                self._names.discard((note.folder, note.name))
            elif isinstance(note, Read) and self._files.get(note.path) is note.known:
                del self._files[note.path]

    def note(self, note: Note) -> None:
        """Keep a note in the journal. A message that is gone stays until the end: it may be elsewhere."""
        if isinstance(note, Begin):
            self.source = Source(kept_name(note.path), note.name, note.kind, note.noted)
        elif isinstance(note, Read):
            self._files[note.path] = note.known
        elif isinstance(note, Noted):
            self._names.add((note.folder, note.name))
        self._journal.append(note)

    def progress(self, path: str) -> Progress | None:
        """Return how far a file or an inbox was read."""
        known = self._files.get(path)
        if known:
            return known.with_tail(path)
        query = "SELECT state FROM sources WHERE path = ? AND parent_id IS NULL"
        row = self._connection.execute(query, (kept_name(path),)).fetchone()
        return _progress_of(row[0]) if row else None

    def has(self, noted: Noted) -> bool:
        """Return whether a message of a folder was read, or one of a stream."""
        if noted[:2] in self._names:
            return True
        row = self._connection.execute(
            "SELECT 1 FROM seen JOIN sources ON sources.id = seen.source_id WHERE path = ? AND name = ?",
            (kept_name(noted.folder), kept_name(noted.name)),
        )
        return row.fetchone() is not None

    # --- what is somewhere else now ---------------------------------------------------------------

    def moved(self, path: str, content: str) -> tuple[Moved, Progress, bool] | None:
        """Return under which path a new source was read, how far, and whether its content is the same.

        That path is no more. Of a source that has grown since it was moved, the content is the beginning.
        """
        gone = self._gone.taken(path, content) or self._linked(path, content)
        return gone and (Moved(gone.path, path), gone.known, gone.content == content)

    def _linked(self, path: str, content: str) -> _Gone | None:
        """Return the source that is the same file by another name: a link is read by one of its names."""
        for old, state in self._connection.execute(_SAME, (content, _MOST_OF_CONTENT)):
            known = _progress_of(state)
            if known and old not in self._linked_names and is_same_file(path_of(old), path):
                self._linked_names.add(old)
                return _Gone(old, content, known)
        return None

    @cached_property
    def _gone(self) -> _GoneSources:
        rows = self._connection.execute(_SOURCES).fetchall()
        gone = (row for row in rows if is_gone(path_of(row[0])) and not os.path.lexists(path_of(row[0])))
        return _GoneSources(
            _Gone(path, content, known) for path, content, state in gone if (known := _progress_of(state))
        )

    def refiled(self, noted: Noted) -> Refiled | None:
        """Return what a message of a folder was before: in another folder, or in a file of another name."""
        if noted.content is None:  # its name is known
            folder, name = kept_name(noted.folder), kept_name(noted.name)
            row = self._connection.execute(_FILE, (folder, name)).fetchone()
            is_same = row is None or row[0] == kept_name(noted.file or "")
            return None if is_same else Refiled(Noted(folder, name, row[0]), noted._replace(content=row[1]))
        path = os.path.join(noted.folder, noted.file or "")
        for folder, name, file in self._connection.execute(_OF_CONTENT, (noted.content, _MOST_OF_CONTENT)):
            if (folder, name) in self._refiled or os.path.isfile(path_of(folder)):  # it is deleted
                continue
            is_there = self._folders.has(path_of(folder), path_of(name))
            if not is_there or is_same_file(path_of(f"{folder}/{file}"), path):
                self._refiled.add((folder, name))
                return Refiled(Noted(folder, name, file), noted)
        return None


class _Gone(NamedTuple):
    """A source that is no more: its path and content as the index has them, and how far it was read."""

    path: str
    content: str
    known: Progress


class _GoneSources:
    """The sources that are no more, and may be somewhere else."""

    def __init__(self, sources: Iterable[_Gone]) -> None:
        self._left = {each.path: each for each in sources}
        self._of: dict[str, list[_Gone]] = {}  # of a content, and of a name
        for each in self._left.values():
            self._of.setdefault(each.content, []).append(each)
            self._of.setdefault(os.path.basename(each.path), []).append(each)

    def taken(self, path: str, content: str) -> _Gone | None:
        """Return the source that a file is now, which is taken from those that are left."""
        same = self._of.get(content, [])
        while same:
            each = same.pop()
            if self._left.pop(each.path, None):
                return each
        of_name = self._of.get(os.path.basename(kept_name(path)), [])[:_MOST_GROWN]
        for each in (*of_name, *islice(self._left.values(), _MOST_GROWN)):
            if each.path in self._left and _goes_on(each.content, path):
                return self._left.pop(each.path)
        return None


def _goes_on(content: str, path: str) -> bool:
    """Return whether a file begins with ``content``: a size, and a hash of the bytes before it."""
    size, _, tail = content.partition(":")
    is_size = size.isdecimal() and len(size) <= _DIGITS
    return is_size and int(size) > 0 and tail_of(path, int(size)) == tail


_DIGITS = 18  # of a size that a file can have
_MOST_GROWN = 32  # sources that are gone and are compared with a new one, those of its name first
_MOST_OF_CONTENT = 64  # messages of one content that are looked for in their folders
_FILE = """
SELECT file, seen.content FROM seen JOIN sources ON sources.id = source_id
WHERE path = ? AND parent_id IS NULL AND name = ? AND typeof(file) = 'text'
"""
# A file of a stranger may have values of other types.
_OF_CONTENT = """
SELECT path, name, file FROM seen JOIN sources ON sources.id = seen.source_id
WHERE seen.content = ? AND parent_id IS NULL
    AND typeof(path) = 'text' AND typeof(name) = 'text' AND typeof(file) = 'text' LIMIT ?
"""
_SOURCES = """
SELECT path, content, state FROM sources
WHERE state IS NOT NULL AND parent_id IS NULL AND typeof(path) = 'text' AND typeof(content) = 'text'
"""
_SAME = """
SELECT path, state FROM sources
WHERE content = ? AND state IS NOT NULL AND parent_id IS NULL AND typeof(path) = 'text' LIMIT ?
"""


def _progress_of(state: str | None) -> Progress | None:
    """Return the progress that the index has kept; None if it is none: the source is read again."""
    try:
        return progress_in(json.loads(state)) if state else None
    except (ValueError, TypeError, RecursionError):
        return None
