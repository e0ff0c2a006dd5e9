"""Write rows, and what was read, into an index; each batch is one transaction of the caller."""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

from urlextract.cluster.stores import is_url
from urlextract.index.found_rows import MESSAGE_COLUMNS, PLACE_COLUMNS, Rows, UrlRow
from urlextract.index.identity import Folders, is_gone
from urlextract.index.notes import (
    STREAM,
    Begin,
    Damaged,
    Identity,
    Linked,
    Moved,
    Note,
    Noted,
    Read,
    Refiled,
)
from urlextract.index.store import kept_name, path_of
from urlextract.sources.maildir import PARTS, unique_name

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
SELECT places.id, places.text, subject, coalesce(messages.title, sources.title), context, url, host, sender
FROM places JOIN urls ON urls.id = url_id JOIN sources ON sources.id = places.source_id
LEFT JOIN messages ON messages.id = places.message_id
WHERE places.id BETWEEN ? AND ?
"""
_ADD_TO_URL = """
UPDATE urls SET places = places + ?1,
    first_seen = min(coalesce(first_seen, ?2), coalesce(?2, first_seen)),
    last_seen = max(coalesce(last_seen, ?3), coalesce(?3, last_seen))
WHERE id = ?4
"""
_SOURCE = "SELECT id FROM sources WHERE path = ? AND parent_id IS NULL"
_ALL_SOURCES = """
SELECT id, path, kind FROM sources
WHERE parent_id IS NULL AND (state IS NOT NULL OR kind = 'folder') AND typeof(path) = 'text'
"""
_AT_OR_BELOW = "(source = ?1 OR (source >= ?1 || '/' AND source < ?1 || '0'))"
_FILE_OF = """
SELECT path || '/' || file FROM seen JOIN sources ON sources.id = source_id WHERE id = ? AND name = ?
"""
# A run that was stopped may have written a message that is not noted.
_OF_FILE = """
SELECT name FROM seen
WHERE source_id = :source AND (name = :key OR name >= :key || ':' AND name < :key || ';')
UNION SELECT name FROM messages
WHERE source_id = :source AND (name = :key OR name >= :key || ':' AND name < :key || ';')
"""
_NAMES = """
SELECT name FROM seen WHERE source_id = ?1 AND typeof(name) = 'text'
UNION SELECT name FROM messages WHERE source_id = ?1 AND typeof(name) = 'text'
"""


def _is_gone(path: str, kind: str) -> bool:
    """Return whether a source is no longer there; a store is not asked, for an index opens no connection."""
    return not (kind == "part" and is_url(path)) and is_gone(path, kind)


def _is_missing(path: str) -> bool:
    """Return whether there is no such file; a member of an archive is below a file that is there."""
    try:
        os.stat(path)
    except FileNotFoundError:
        return True
    except (OSError, ValueError):
        return False
    return False


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
        self._damaged: set[str] = set()  # sources
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
        with self._deleting():
            for op in journal:
                if isinstance(op, Begin) and op.kind != "stream":
                    self._make_room(op)
                elif isinstance(op, Moved):
                    self._move(op)
                elif isinstance(op, Refiled):
                    self._refile(op)
                elif isinstance(op, Linked):
                    self._delete_at(kept_name(op.path))

    def note(self, journal: Sequence[Note]) -> None:
        """Note what was read."""
        states: dict[str, Read] = {}
        self.note_damage(op for op in journal if isinstance(op, Damaged))
        for op in journal:
            if isinstance(op, Read):
                states[op.path] = op
            elif isinstance(op, Noted):
                kind = "stream" if op.folder == STREAM else "folder"
                self._connection.execute(
                    "INSERT OR REPLACE INTO seen (source_id, name, file, content) VALUES (?, ?, ?, ?)",
                    (
                        self._source_id(kept_name(op.folder), kind),
                        kept_name(op.name),
                        op.file and kept_name(op.file),
                        op.content,
                    ),
                )
        for path, read in states.items():
            state = json.dumps(read.known.with_tail(path)._asdict(), separators=(",", ":"))
            self._set_state(kept_name(path), read.kind, state)
        for op in journal:
            if isinstance(op, Identity):  # of a source that is there now
                self._connection.execute(
                    "UPDATE sources SET content = ? WHERE path = ? AND parent_id IS NULL",
                    (op.content, kept_name(op.path)),
                )

    def has_part(self, path: str, identity: str) -> bool:
        """Return whether a part with this hash was loaded, from this place or one where it is no more."""
        known = self._connection.execute(
            "SELECT id, path FROM sources WHERE kind = 'part' AND state = ? AND typeof(path) = 'text'",
            (identity,),
        ).fetchall()
        if any(each == path for _, each in known):
            return True
        moved = [source for source, each in known if _is_gone(path_of(each), "part")][:1]
        if moved:
            self.begin_part(path)
            self._connection.execute("UPDATE sources SET path = ? WHERE id = ?", (path, moved[0]))
        return bool(moved)

    def keep_parts(self, folder: str, names: Iterable[str]) -> None:
        """Delete what was loaded from the parts in a directory that have none of these names."""
        kept = set(names)
        for (path,) in self._connection.execute("SELECT path FROM sources WHERE kind = 'part'").fetchall():
            if os.path.dirname(path) == folder and os.path.basename(path) not in kept:
                self.begin_part(path)

    def begin_part(self, path: str) -> None:
        """Delete what a part had when it was loaded before."""
        with self._deleting():
            self._delete("sources", "path = ? AND kind = 'part'", (path,))

    def note_part(self, path: str, identity: str) -> None:
        """Note that a part was loaded, with its hash."""
        self._set_state(path, "part", identity)

    def note_damage(self, damage: Iterable[Damaged]) -> None:
        """Note what could not be read: the source, the cause, and the offset."""
        rows = list(damage)
        self._damaged.update(row.source for row in rows)
        known = "DELETE FROM damage WHERE source = ? AND cause = ? AND offset IS ?"  # from an earlier run
        self._connection.executemany(known, rows)
        query = "INSERT INTO damage (source, cause, offset) VALUES (?, ?, ?)"
        self._connection.executemany(query, rows)

    def forget_old_damage(self, root: str) -> None:
        """Delete what was told of folders under a path that is read now, and of paths that are not there."""
        query = f"SELECT DISTINCT source FROM damage WHERE {_AT_OR_BELOW} AND typeof(source) = 'text'"  # noqa: S608
        for (kept,) in self._connection.execute(query, (kept_name(root),)).fetchall():
            path = path_of(kept)
            if kept in self._damaged:
                continue
            if os.path.isdir(path) or _is_missing(path):
                self._connection.execute("DELETE FROM damage WHERE source = ?", (kept,))

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
        self._forget_damage(path)
        self._make_kind(*((kept_name(op.noted.folder), "folder") if op.noted else (path, op.kind)))
        if op.noted:
            folder = self._id_of(kept_name(op.noted.folder))
            self._delete("messages", "source_id = ? AND name = ?", (folder, kept_name(op.noted.name)))
            self._delete("sources", "path = ? AND parent_id IS NULL", (path,))  # it was no message
            return
        self._delete_mail(path)
        source = self._source_id(path, op.kind)
        known = op.known
        if known and known.at == "text" and known.place:
            self._delete(
                "places", "source_id = ? AND message_id IS NULL AND start >= ?", (source, known.start)
            )
        elif known and known.items:
            self._delete("messages", "source_id = ? AND number > ?", (source, known.items))
        else:
            self._empty(source)

    def _make_kind(self, path: str, kind: str) -> None:
        """Delete what a path was if it is a source of another kind now: a file in place of a folder."""
        self._delete("sources", "path = ? AND parent_id IS NULL AND kind NOT IN (?, 'stream')", (path, kind))

    def _forget_damage(self, path: str) -> None:
        """Delete what was damaged of a file, and of its members."""
        query = f"DELETE FROM damage WHERE {_AT_OR_BELOW}"  # noqa: S608 - of this module
        self._connection.execute(query, (path,))

    def _empty(self, source: int) -> None:
        """Delete what a source has: all but its row."""
        self._delete("sources", "parent_id = ?", (source,))
        self._delete("messages", "source_id = ?", (source,))
        self._delete("places", "source_id = ?", (source,))
        self._connection.execute(
            "UPDATE sources SET state = '{}', content = NULL, title = NULL WHERE id = ?", (source,)
        )

    def _delete_mail(self, path: str) -> None:
        """Delete a message of a folder whose file is ``path``, which is read as something else now."""
        folder, name = os.path.split(path)
        own, part = os.path.split(folder)
        for each in (folder, own) if part in PARTS else (folder,):
            if (source := self._id_of(each)) is None:
                continue
            found = self._connection.execute(
                _OF_FILE, {"source": source, "key": unique_name(name)}
            ).fetchall()
            self._forget_mails(source, [name for (name,) in found])

    def _id_of(self, path: str) -> int | None:
        row = self._connection.execute(_SOURCE, (path,)).fetchone()
        return int(row[0]) if row else None

    def _move(self, op: Moved) -> None:
        """Have a source, with its members, stand under another path."""
        old, path = op.old, kept_name(op.path)
        self._delete("sources", "path = ? AND parent_id IS NULL", (path,))  # it was replaced
        self._delete_mail(path)
        self._rename(old, path)

    def _rename(self, old: str, path: str) -> None:
        """Have what was a file have another path: a source with its members, and what was damaged of it."""
        run = self._connection.execute
        values = {"old": old, "path": path, "end": len(old) + 1}
        run(
            "UPDATE sources SET path = :path || substr(path, :end) WHERE parent_id IN "
            "(SELECT id FROM sources WHERE path = :old AND parent_id IS NULL)",
            values,
        )
        run("UPDATE sources SET path = :path WHERE path = :old AND parent_id IS NULL", values)
        run(
            "UPDATE damage SET source = :path || substr(source, :end) "
            "WHERE source = :old OR (source >= :old || '/' AND source < :old || '0')",
            values,
        )
        self._sources.clear()

    def _refile(self, op: Refiled) -> None:
        """Have a message of a folder stand in another file, or in another folder."""
        old, old_name, old_file = self._id_of(op.old.folder), op.old.name, op.old.file or ""
        folder, name, file = (
            kept_name(op.noted.folder),
            kept_name(op.noted.name),
            kept_name(op.noted.file or ""),
        )
        self._make_kind(folder, "folder")
        path, new = f"{folder}/{file}", self._source_id(folder, "folder")
        self._delete("sources", "path = ? AND parent_id IS NULL", (path,))  # it was no message
        self._rename(f"{op.old.folder}/{old_file}", path)
        run = self._connection.execute
        run(
            "UPDATE places SET source_id = ? WHERE message_id IN "
            "(SELECT id FROM messages WHERE source_id = ? AND name = ?)",
            (new, old, old_name),
        )
        run(
            "UPDATE messages SET source_id = ?, name = ?, file = ? || substr(file, ?) "
            "WHERE source_id = ? AND name = ?",
            (new, name, file, len(old_file) + 1, old, old_name),
        )
        run(
            "UPDATE OR REPLACE seen SET source_id = ?, name = ?, file = ? WHERE source_id = ? AND name = ?",
            (new, name, file, old, old_name),
        )

    def _delete_at(self, path: str) -> None:
        """Delete what was read by a name, or below it."""
        self._forget_damage(path)
        self._delete_mail(path)
        self._delete("sources", "path = ? AND parent_id IS NULL", (path,))
        self._delete("sources", "path >= ?1 || '/' AND path < ?1 || '0' AND parent_id IS NULL", (path,))

    def gone(self, *, prune: bool) -> list[Gone]:
        """Return what is no longer there: files, inboxes, parts, and messages of folders.

        With ``prune`` it is deleted. What has another message in its place always is.
        """
        folders, found = Folders(), []
        with self._deleting():
            for source, kept, kind in self._connection.execute(_ALL_SOURCES).fetchall():
                path = path_of(kept)
                if kind == "folder":
                    names = self._connection.execute(_NAMES, (source,)).fetchall()
                    left = [name for (name,) in names if not folders.has(path, path_of(name))]
                    replaced = {name for name in left if folders.has(path, unique_name(path_of(name)))}
                    if len(left) > len(replaced):
                        found.append(Gone(path, len(left) - len(replaced)))
                    self._forget_mails(source, left if prune else replaced)
                    if len(left) == len(names) and (prune or len(left) == len(replaced)):
                        self._delete("sources", "id = ?", (source,))
                elif _is_gone(path, kind):
                    found.append(Gone(path, None))
                    if prune:
                        self._delete("sources", "id = ?", (source,))
                        if not os.path.isdir(path):  # else these may be other files now
                            self._forget_damage(kept)
        return found

    def _forget_mails(self, folder: int, names: Iterable[str]) -> None:
        """Delete messages of a folder, and texts in files of it."""
        for name in names:
            self._delete("sources", f"path IN ({_FILE_OF}) AND parent_id IS NULL", (folder, name))
            self._delete("messages", "source_id = ? AND name = ?", (folder, name))
            self._delete("seen", "source_id = ? AND name = ?", (folder, name))

    def _delete(self, table: str, condition: str, values: tuple[object, ...]) -> None:
        """Delete rows, and what depends on them, as the triggers of the tables say."""
        query = f"DELETE FROM {table} WHERE {condition}"  # noqa: S608 - of this module
        if self._connection.execute(query, values).rowcount:
            self._forget_urls()
            self._sources.clear()

    @contextmanager
    def _deleting(self) -> Iterator[None]:
        """Trust the schema, which was checked: else an older SQLite lets no trigger write to ``search``."""
        self._connection.execute("PRAGMA trusted_schema = ON")
        try:
            yield
        finally:
            self._connection.execute("PRAGMA trusted_schema = OFF")

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
        titles = [(row.title, id_) for row, id_ in zip(rows.sources, sources, strict=True) if row.title]
        self._connection.executemany("UPDATE sources SET title = ? WHERE id = ?", titles)
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
