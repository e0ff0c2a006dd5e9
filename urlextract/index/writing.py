"""Write rows, and what was read, into an index; each batch is one transaction of the caller."""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from urlextract.index.found_rows import MESSAGE_COLUMNS, PLACE_COLUMNS, Rows, UrlRow
from urlextract.index.store import file_in, kept_name, path_of
from urlextract.sources.checkpoint import STREAM, Begin, Identity, Moved, Note, Noted, Read, Refiled
from urlextract.sources.identity import Folders, file_key

_LAST_ID = 1 << 62  # no run adds so many rows that SQLite, with integers of 64 bits, has none left
_MOST_KNOWN = 200_000  # URLs and sources whose ids are remembered


def _insert(table: str, columns: Sequence[str]) -> str:
    names, values = ", ".join(columns), ", ".join("?" * len(columns))
    return f"INSERT INTO {table} ({names}) VALUES ({values})"  # noqa: S608 - of this module


_INSERT_URL = _insert("urls", ("id", *UrlRow._fields))
_INSERT_MESSAGE = _insert("messages", ("id", "source_id", "outer_id", *MESSAGE_COLUMNS))
_INSERT_PLACE = _insert("places", ("id", "url_id", "source_id", "message_id", *PLACE_COLUMNS))
_INSERT_WORDS = """
INSERT INTO search (rowid, text, subject, title, context, url, host, sender)
SELECT id, text, subject, title, context, url, host, sender FROM links WHERE id BETWEEN ? AND ?
"""
_ADD_TO_URL = """
UPDATE urls SET places = places + ?1,
    first_seen = min(coalesce(first_seen, ?2), coalesce(?2, first_seen)),
    last_seen = max(coalesce(last_seen, ?3), coalesce(?3, last_seen))
WHERE id = ?4
"""
_SOURCE = "SELECT id FROM sources WHERE path = ? AND parent_id IS NULL"
_ALL_SOURCES = """
SELECT id, path, kind FROM sources WHERE parent_id IS NULL AND (state IS NOT NULL OR kind = 'folder')
"""
_IS_EMPTY = "id = ?1 AND NOT EXISTS (SELECT 1 FROM seen WHERE source_id = ?1)"


class Gone(NamedTuple):
    """What is no longer there: a source or, if ``messages`` is not None, so many messages of a folder."""

    path: str
    messages: int | None


class IndexWriter:
    """Writes to the tables of an open index, in transactions that the caller begins and ends."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._urls: dict[str, int] = {}
        self._sources: dict[tuple[str, int | None], int] = {}
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

    def begin(self, journal: Iterable[Note]) -> None:
        """Delete what sources yield again, and move what is in another place now."""
        for op in journal:
            if isinstance(op, Begin) and op.kind != "stream":
                self._make_room(op)
            elif isinstance(op, Moved):
                self._move(op)
            elif isinstance(op, Refiled):
                self._refile(op)

    def note(self, journal: Iterable[Note]) -> None:
        """Note what was read."""
        states: dict[str, Read] = {}
        for op in journal:
            if isinstance(op, Read):
                states[op.path] = op
            elif isinstance(op, Noted):
                kind = "stream" if op.folder == STREAM else "folder"
                self._connection.execute(
                    "INSERT OR REPLACE INTO seen (source_id, name, content) VALUES (?, ?, ?)",
                    (self._source_id(kept_name(op.folder), kind), kept_name(op.name), op.content),
                )
            elif isinstance(op, Identity):
                self._connection.execute(
                    "UPDATE sources SET content = ? WHERE id = ?",
                    (op.content, self._source_id(kept_name(op.path))),
                )
        for path, read in states.items():
            state = json.dumps(read.known.with_tail(path)._asdict(), separators=(",", ":"))
            self._set_state(kept_name(path), read.kind, state)

    def has_part(self, path: str, identity: str) -> bool:
        """Return whether a part with this hash was loaded, from this place or one where it is no more."""
        known = self._connection.execute(
            "SELECT id, path FROM sources WHERE kind = 'part' AND state = ?", (identity,)
        ).fetchall()
        if any(each == path for _, each in known):
            return True
        moved = [source for source, each in known if not os.path.lexists(path_of(each))][:1]
        if moved:
            self._delete("sources", "path = ? AND kind = 'part'", (path,))
            self._connection.execute("UPDATE sources SET path = ? WHERE id = ?", (path, moved[0]))
        return bool(moved)

    def keep_parts(self, folder: str, names: Iterable[str]) -> None:
        """Delete what was loaded from the parts in a directory that have none of these names."""
        kept = set(names)
        for (path,) in self._connection.execute("SELECT path FROM sources WHERE kind = 'part'").fetchall():
            if os.path.dirname(path) == folder and os.path.basename(path) not in kept:
                self._delete("sources", "path = ? AND kind = 'part'", (path,))

    def begin_part(self, path: str) -> None:
        """Delete what a part had when it was loaded before."""
        self._delete("sources", "path = ? AND kind = 'part'", (path,))

    def note_part(self, path: str, identity: str) -> None:
        """Note that a part was loaded, with its hash."""
        self._set_state(path, "part", identity)

    def note_damage(self, damage: Iterable[tuple[str, str, int | None]]) -> None:
        """Note what could not be read: the source, the cause, and the offset."""
        query = "INSERT INTO damage (source, cause, offset) VALUES (?, ?, ?)"
        self._connection.executemany(query, damage)

    def _set_state(self, path: str, kind: str, state: str | None) -> None:
        self._connection.execute(
            "UPDATE sources SET state = ? WHERE id = ?", (state, self._source_id(path, kind))
        )

    def _source_id(self, path: str, kind: str = "file", parent: int | None = None) -> int:
        """Return the id of a source, which is added if it is new; only records of a part need its ``parent``.

        A member of an archive has a path of its own.
        """
        key = path, parent
        known = self._sources.get(key)
        if known is None:
            where = (path, parent or 0)
            query = "SELECT id FROM sources WHERE path = ? AND coalesce(parent_id, 0) = ?"
            row = self._connection.execute(query, where).fetchone()
            if row is None:
                self._connection.execute(
                    "INSERT INTO sources (path, kind, parent_id) VALUES (?, ?, ?)", (path, kind, parent)
                )
                row = self._connection.execute("SELECT last_insert_rowid()").fetchone()
            if len(self._sources) >= _MOST_KNOWN:
                self._sources.clear()
            known = self._sources[key] = row[0]
        return known

    # --- what is replaced, moved or gone ----------------------------------------------------------

    def _make_room(self, op: Begin) -> None:
        """Delete what the index has of a source from a place on."""
        path = kept_name(op.path)
        self._connection.execute(
            "DELETE FROM damage WHERE source = ?1 OR (source >= ?1 || '/' AND source < ?1 || '0')", (path,)
        )
        if op.noted:
            folder, name = self._id_of(kept_name(op.noted.folder)), file_key(kept_name(op.noted.name))
            self._delete("messages", "source_id = ? AND name = ?", (folder, name))
            # MH gives a number again: the message that had it is no more.
            self._delete("seen", "source_id = ? AND name BETWEEN ? AND ?", (folder, f"{name}@", f"{name}@:"))
        source = self._id_of(path)
        if source is None:
            return
        known = op.known
        if known and known.at == "text" and known.place:
            self._delete(
                "places", "source_id = ? AND message_id IS NULL AND start >= ?", (source, known.start)
            )
        elif known and known.items:
            self._delete("messages", "source_id = ? AND number > ?", (source, known.items))
        else:
            self._empty(source)

    def _empty(self, source: int) -> None:
        """Delete what a source has: all but its row."""
        self._delete("sources", "parent_id = ?", (source,))
        self._delete("messages", "source_id = ?", (source,))
        self._delete("places", "source_id = ?", (source,))
        self._connection.execute("UPDATE sources SET state = NULL, content = NULL WHERE id = ?", (source,))

    def _id_of(self, path: str) -> int | None:
        row = self._connection.execute(_SOURCE, (path,)).fetchone()
        return int(row[0]) if row else None

    def _move(self, op: Moved) -> None:
        """Have a source, with its members, stand under another path."""
        old, path = op.old, kept_name(op.path)
        source = self._id_of(old)
        self._delete("sources", "path = ? AND parent_id IS NULL", (path,))  # it was replaced
        run = self._connection.execute
        run("UPDATE sources SET path = ? WHERE id = ?", (path, source))
        run(
            "UPDATE sources SET path = ? || substr(path, ?) WHERE parent_id = ?", (path, len(old) + 1, source)
        )
        run("UPDATE damage SET source = ? WHERE source = ?", (path, old))
        self._sources.clear()

    def _refile(self, op: Refiled) -> None:
        """Have a message of a folder stand in another file, or in another folder."""
        old, old_name = self._id_of(op.old.folder), op.old.name
        folder, name = self._source_id(kept_name(op.noted.folder), "folder"), kept_name(op.noted.name)
        run = self._connection.execute
        run(
            "UPDATE places SET source_id = ? WHERE message_id IN "
            "(SELECT id FROM messages WHERE source_id = ? AND name = ?)",
            (folder, old, file_key(old_name)),
        )
        run(
            "UPDATE messages SET source_id = ?, name = ?, file = ? WHERE source_id = ? AND name = ?",
            (folder, file_key(name), file_in(op.noted.folder, op.path), old, file_key(old_name)),
        )
        run(
            "UPDATE OR REPLACE seen SET source_id = ?, name = ? WHERE source_id = ? AND name = ?",
            (folder, name, old, old_name),
        )

    def gone(self, *, prune: bool) -> list[Gone]:
        """Return what is no longer there: files, inboxes, parts, and messages of folders.

        With ``prune`` it is deleted.
        """
        folders, found = Folders(), []
        for source, kept, kind in self._connection.execute(_ALL_SOURCES).fetchall():
            path = path_of(kept)
            if kind == "folder":
                names = self._connection.execute("SELECT name FROM seen WHERE source_id = ?", (source,))
                left = [name for (name,) in names.fetchall() if not folders.has(path, path_of(name))]
                if left:
                    found.append(Gone(path, len(left)))
                if prune:
                    self._prune(source, left)
                if not os.path.lexists(path):
                    self._delete("sources", _IS_EMPTY, (source,))
            elif not os.path.lexists(path):
                found.append(Gone(path, None))
                if prune:
                    self._delete("sources", "id = ?", (source,))
        return found

    def _prune(self, folder: int, names: Iterable[str]) -> None:
        """Delete messages of a folder."""
        for name in names:
            self._delete("messages", "source_id = ? AND name = ?", (folder, file_key(name)))
            self._delete("seen", "source_id = ? AND name = ?", (folder, name))

    def _delete(self, table: str, condition: str, values: tuple[object, ...]) -> None:
        """Delete rows, and what depends on them, as the triggers of the tables say."""
        query = f"DELETE FROM {table} WHERE {condition}"  # noqa: S608 - of this module
        if self._connection.execute(query, values).rowcount:
            self._forget_urls()
            self._sources.clear()

    def _forget_urls(self) -> None:
        self._urls.clear()
        self._knows_all_urls = False

    # --- what is new ------------------------------------------------------------------------------

    def add(self, rows: Rows) -> Sequence[int]:
        """Add rows; return the ids of their messages."""
        sources = [
            self._source_id(source.path, source.kind, source.parent and self._source_id(*source.parent))
            for source in rows.sources
        ]
        urls = self._url_ids(rows.urls)
        messages = self._ids("messages", len(rows.messages))
        places = self._ids("places", len(rows.places))

        def message_of(index: int | None) -> int | None:
            return index if index is None else messages[index] if index >= 0 else -index

        run = self._connection.executemany
        run(
            _INSERT_MESSAGE,
            (
                (id_, sources[row[0]], message_of(row[1]), *row[2:])
                for id_, row in zip(messages, rows.messages, strict=True)
            ),
        )
        run(
            _INSERT_PLACE,
            (
                (id_, urls[row[0]], sources[row[1]], message_of(row[2]), *row[3:])
                for id_, row in zip(places, rows.places, strict=True)
            ),
        )
        if places:
            self._connection.execute(_INSERT_WORDS, (places[0], places[-1]))
        return messages

    def _url_ids(self, urls: list[tuple[Any, ...]]) -> list[int]:
        """Return the ids of URLs, in order; add those that are new, and the new places to the others."""
        if len(self._urls) >= _MOST_KNOWN:
            self._forget_urls()
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
