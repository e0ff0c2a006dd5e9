"""Write rows, and what was read, into an index; each batch is one transaction of the caller."""

from __future__ import annotations

import os
import sqlite3
import stat
from collections.abc import Iterable, Sequence, Set
from typing import Any

from urlextract.index.batches import Batch, Copy
from urlextract.index.rows import COPY_COLUMNS, MESSAGE_COLUMNS, PLACE_COLUMNS, Rows, UrlRow, kept_name
from urlextract.records import RawText
from urlextract.sources.checkpoint import REPLACE_FILE, FileRow, is_whole
from urlextract.sources.resuming import INBOX
from urlextract.sources.stretches import Start

_LAST_ID = 1 << 62  # no run adds so many rows that SQLite, with integers of 64 bits, has none left
_MOST_KNOWN = 200_000  # URLs whose ids are remembered
_UNREAD = (None, "None", "", None, 0, 0, 0, 0, 0)  # of a file of which nothing was read
PART = "part"
"""The format as which a part is noted."""


def _insert(table: str, columns: Sequence[str]) -> str:
    names, values = ", ".join(columns), ", ".join("?" * len(columns))
    return f"INSERT INTO {table} ({names}) VALUES ({values})"  # noqa: S608 - of this module


_INSERT_URL = _insert("urls", ("id", *UrlRow._fields))
_INSERT_MESSAGE = _insert("messages", ("id", "outer_id", "hash", *MESSAGE_COLUMNS))
_INSERT_COPY = _insert("copies", ("message", *COPY_COLUMNS))
_INSERT_PLACE = _insert("places", ("id", "url_id", "message_id", *PLACE_COLUMNS))
_INSERT_WORDS = """
INSERT INTO search (rowid, text, subject, title, context, url, host, sender)
SELECT places.id, places.text, subject, coalesce(messages.title, places.title), context, url, host, sender
FROM places JOIN urls ON urls.id = url_id LEFT JOIN messages ON messages.id = places.message_id
WHERE places.id BETWEEN ? AND ?
"""
_ADD_TO_URL = """
UPDATE urls SET places = places + ?1,
    first_seen = min(coalesce(first_seen, ?2), coalesce(?2, first_seen)),
    last_seen = max(coalesce(last_seen, ?3), coalesce(?3, last_seen))
WHERE id = ?4
"""

# Where a message lay in a file that is read again gets the number -N until that is read to its end, and 0
# from then on until the end of the run: the message may be found elsewhere. If the run is killed, the next
# one goes on there.
_BEGIN_COPIES = "UPDATE copies SET number = -number WHERE coalesce(file, source) = ?1 AND number > ?2"
_END_COPIES = "UPDATE copies SET number = 0 WHERE coalesce(file, source) = ?1 AND number < 0"
_SAME_COPY = """
DELETE FROM copies WHERE coalesce(file, source) = ?1 AND number = -?2
    AND message = (SELECT id FROM messages WHERE hash = ?3)
"""
_COPY_KNOWN = """
INSERT INTO copies (message, source, file, number, offset)
SELECT id, ?2, ?3, ?4, ?5 FROM messages WHERE hash = ?1
"""
_REPLACED = """
DELETE FROM messages WHERE id IN (SELECT message FROM copies WHERE number = 0)
    AND NOT EXISTS (SELECT 1 FROM copies WHERE message = messages.id AND number <> 0)
"""
_NOWHERE = """
DELETE FROM messages WHERE outer_id IS NULL
    AND NOT EXISTS (SELECT 1 FROM copies WHERE message = messages.id)
"""
_TEXTS = "DELETE FROM places WHERE message_id IS NULL AND coalesce(file, source) = ?1 AND start >= ?2"
_IS_ELSEWHERE = """
DELETE FROM copies WHERE coalesce(file, source) = ?1 AND EXISTS (
    SELECT 1 FROM copies AS other
    WHERE other.message = copies.message AND coalesce(other.file, other.source) <> ?1 AND other.number > 0
)
"""
_IS_HELD = """
SELECT EXISTS (SELECT 1 FROM copies WHERE coalesce(file, source) = ?1)
    OR EXISTS (SELECT 1 FROM places WHERE message_id IS NULL AND coalesce(file, source) = ?1)
"""


class IndexWriter:
    """Writes to the tables of an open index, in transactions that the caller begins and ends."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._urls: dict[str, int] = {}
        self._next = {table: self._first_free(table) for table in ("urls", "messages", "places")}
        self._knows_all_urls = self._next["urls"] == 1

    def _first_free(self, table: str) -> int:
        query = f"SELECT coalesce(max(id), 0) FROM {table}"  # noqa: S608 - of this module
        (last,) = self._connection.execute(query).fetchone()
        if last > _LAST_ID:
            raise sqlite3.DataError(f"{table} has no numbers left")
        free: int = last + 1
        return free

    def _ids(self, table: str, count: int) -> range:
        """Return free ids, and take them."""
        first = self._next[table]
        self._next[table] = first + count
        return range(first, first + count)

    # --- what was read ----------------------------------------------------------------------------

    def begin(self, file: str, path: bytes, start: Start) -> None:
        """Have what a file has from ``start`` on be replaced by what is added until its `end`."""
        self._connection.execute(_BEGIN_COPIES, (file, start.messages))
        if not start.messages:
            self._delete(_TEXTS, file, start.characters)
        self._connection.execute("INSERT OR IGNORE INTO files (path, mark) VALUES (?, 'None')", (path,))

    def end(self, file: str, row: FileRow) -> None:
        """Note how far a file was read."""
        self._connection.execute(REPLACE_FILE, row)
        if is_whole(row):
            self._connection.execute(_END_COPIES, (file,))

    def begin_batch(self, batch: Batch) -> None:
        """Have what files yield again be replaced."""
        for each in batch.begins:
            self.begin(*each)

    def end_batch(self, batch: Batch, failed: set[str]) -> None:
        """Note what was read; the rows of the batch have been added, but not all of the files ``failed``.

        Files that have copies of what has failed are added to these.
        """
        if failed:  # what these had may be copied elsewhere
            failed |= {
                each.where.file or each.where.source for each in batch.copies if not self.has(each.hash)
            }
        self.copy(batch.copies)
        texts = ((each.hash,) for each in batch.items if each.hash and isinstance(each.item, RawText))
        self._connection.executemany("INSERT OR IGNORE INTO seen VALUES (?)", texts)
        for file, row in batch.files.items():
            self.end(file, (row[0], *_UNREAD) if file in failed else row)

    def copy(self, copies: Iterable[Copy]) -> None:
        """Note further copies of messages."""
        values = [(hash_, *where, number, offset) for hash_, where, number, offset in copies]
        same = ((file or source, number, hash_) for hash_, source, file, number, _ in values)
        self._connection.executemany(_SAME_COPY, same)
        self._connection.executemany(_COPY_KNOWN, values)

    def has(self, found: bytes) -> bool:
        """Return whether there is a message with this hash."""
        return (
            self._connection.execute("SELECT 1 FROM messages WHERE hash = ?", (found,)).fetchone() is not None
        )

    # --- what is replaced or gone -----------------------------------------------------------------

    def sweep(self) -> None:
        """Delete the messages that lay nowhere but where there are others now."""
        self._delete(_REPLACED)
        self._connection.execute("DELETE FROM copies WHERE number = 0")

    def gone(self, *, prune: bool) -> list[str]:
        """Return the files and inboxes that are no longer there, and of which the index has something.

        What they had is known to be elsewhere, or stays; with ``prune`` it is deleted, and so is each message
        that lies nowhere.
        """
        rows = self._connection.execute("SELECT path, format FROM files WHERE typeof(path) = 'blob'")
        found = []
        for path, name in [(row[0], os.fsdecode(row[0])) for row in rows if _is_gone(*row)]:
            file = kept_name(name)
            self._connection.execute(_IS_ELSEWHERE, (file,))
            if self._connection.execute(_IS_HELD, (file,)).fetchone()[0]:
                found.append(name)
                if not prune:  # and is read again once it is back
                    note = "UPDATE files SET size = NULL, mark = 'None' WHERE path = ?"
                    self._connection.execute(note, (path,))
                    continue
            self.delete_file(file, path)
        if prune:
            self._delete(_NOWHERE)
        return sorted(found)

    def keep_parts(self, folder: str, kept: Set[str]) -> None:
        """Delete what was loaded from other parts in a directory."""
        rows = self._connection.execute(
            "SELECT path FROM files WHERE format = ? AND typeof(path) = 'blob'", (PART,)
        ).fetchall()
        for path in map(os.fsdecode, (path for (path,) in rows)):
            if os.path.dirname(path) == folder.rstrip("/") and path not in kept:
                self.delete_file(kept_name(path), os.fsencode(path))

    def delete_below(self, path: str) -> None:
        """Delete what a path had, and what is below it."""
        own = os.fsencode(path)
        query = "SELECT path FROM files WHERE path = ?1 OR path > ?2 AND path < ?3"
        rows = self._connection.execute(query, (own, own + b"/", own + b"0")).fetchall()
        for (each,) in rows:
            self.delete_file(kept_name(os.fsdecode(each)), each)

    def delete_file(self, file: str, path: bytes) -> None:
        """Delete what a file had; `sweep` deletes its messages."""
        self._connection.execute("DELETE FROM files WHERE path = ?", (path,))
        self._connection.execute("UPDATE copies SET number = 0 WHERE coalesce(file, source) = ?1", (file,))
        self._delete(_TEXTS, file, 0)

    def _delete(self, query: str, *values: object) -> None:
        """Delete rows, and what depends on them, as the triggers of the tables say.

        The schema, which was checked, is trusted: else an older SQLite lets no trigger write to ``search``.
        """
        self._connection.execute("PRAGMA trusted_schema = ON")
        try:
            if self._connection.execute(query, values).rowcount:
                self.forget_urls()
        finally:
            self._connection.execute("PRAGMA trusted_schema = OFF")

    def forget_urls(self) -> None:
        """Forget the ids of URLs, which may have been deleted."""
        self._urls.clear()
        self._knows_all_urls = False

    # --- what is new ------------------------------------------------------------------------------

    def add(self, rows: Rows, ids: list[int]) -> None:
        """Add rows; ``ids`` are those of the messages of the rows before, to which theirs are added."""
        urls = self._url_ids(rows.urls)
        messages = self._ids("messages", len(rows.messages))
        places = self._ids("places", len(rows.places))
        ids += messages

        def of(message: int | None) -> int | None:
            return None if message is None else ids[message]

        insert = self._connection.executemany
        new = zip(messages, rows.messages, strict=True)
        insert(_INSERT_MESSAGE, ((id_, of(row[0]), *row[1:]) for id_, row in new))
        insert(_INSERT_COPY, ((ids[row[0]], *row[1:]) for row in rows.copies))
        found = zip(places, rows.places, strict=True)
        insert(_INSERT_PLACE, ((id_, urls[row[0]], of(row[1]), *row[2:]) for id_, row in found))
        if places:
            self._connection.execute(_INSERT_WORDS, (places[0], places[-1]))

    def _url_ids(self, urls: list[tuple[Any, ...]]) -> list[int]:
        """Return the ids of URLs, in order; add those that are new, and the new places to the others."""
        if len(self._urls) >= _MOST_KNOWN:
            self.forget_urls()
        known, found, new, more = self._urls, [], [], []
        select = self._connection.execute
        for values in urls:
            url = values[0]
            id_ = known.get(url)
            if id_ is None and not self._knows_all_urls:
                row = select("SELECT id FROM urls WHERE url = ?", (url,)).fetchone()
                id_ = row and row[0]
            if id_ is None:
                [id_] = self._ids("urls", 1)
                new.append((id_, *values))
            else:
                *_, first, last, places = values
                more.append((places, first, last, id_))
            known[url] = id_
            found.append(id_)
        self._connection.executemany(_INSERT_URL, new)
        self._connection.executemany(_ADD_TO_URL, more)
        return found


def _is_gone(path: bytes, format: object) -> bool:
    """Return whether a file or an inbox is no longer there.

    A part is replaced with its directory; no store is asked: the index may come from a stranger.
    """
    if format == PART:
        return False
    try:
        is_folder = stat.S_ISDIR(os.stat(path).st_mode)
    except (FileNotFoundError, NotADirectoryError, ValueError):
        return True
    except OSError:
        return False
    return is_folder and format not in (None, INBOX)
