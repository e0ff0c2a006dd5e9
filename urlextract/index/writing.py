"""Write rows, and what was read, into an index; each batch is one transaction of the caller."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from urlextract.index.found_rows import MESSAGE_COLUMNS, PLACE_COLUMNS, Rows, UrlRow
from urlextract.index.store import kept_name
from urlextract.sources.checkpoint import STREAM, Begin, Note, Noted, Progress, Read

_LAST_ID = 1 << 62  # no run adds so many rows that SQLite, with integers of 64 bits, has none left
_MOST_KNOWN = 200_000  # URLs and sources whose ids are remembered


def _insert(table: str, columns: Sequence[str]) -> str:
    names, values = ", ".join(columns), ", ".join("?" * len(columns))
    return f"INSERT INTO {table} ({names}) VALUES ({values})"  # noqa: S608 - of this module


_INSERT_URL = _insert("urls", ("id", *UrlRow._fields))
_INSERT_MESSAGE = _insert("messages", ("id", "source_id", *MESSAGE_COLUMNS))
_INSERT_PLACE = _insert("places", ("id", "url_id", "source_id", "message_id", *PLACE_COLUMNS))
_INSERT_WORDS = "INSERT INTO search (rowid, text, subject, context) VALUES (?, ?, ?, ?)"
_ADD_TO_URL = """
UPDATE urls SET places = places + ?1,
    first_seen = min(coalesce(first_seen, ?2), coalesce(?2, first_seen)),
    last_seen = max(coalesce(last_seen, ?3), coalesce(?3, last_seen)),
    unwrapped = coalesce(unwrapped, ?4), wrapped_by = coalesce(wrapped_by, ?5)
WHERE id = ?6
"""
_TEXT, _CONTEXT = 3 + PLACE_COLUMNS.index("text"), 3 + PLACE_COLUMNS.index("context")

# What is deleted: the places that the table `gone` has.
_COLLECT = "CREATE TEMP TABLE gone AS SELECT id, url_id, message_id FROM places WHERE "
_DELETE = (
    """INSERT INTO search (search, rowid, text, subject, context)
       SELECT 'delete', places.id, places.text, messages.subject, places.context
       FROM gone JOIN places ON places.id = gone.id LEFT JOIN messages ON messages.id = places.message_id""",
    """CREATE TEMP TABLE less AS
       SELECT url_id, count(*) AS places, min(date) AS first, max(date) AS last
       FROM gone LEFT JOIN messages ON messages.id = gone.message_id GROUP BY url_id""",
    "DELETE FROM places WHERE id IN (SELECT id FROM gone)",
    "DELETE FROM messages WHERE id IN (SELECT message_id FROM gone)",
    """UPDATE urls SET places = places - (SELECT places FROM less WHERE url_id = urls.id)
       WHERE id IN (SELECT url_id FROM less)""",
    "DELETE FROM urls WHERE places = 0 AND id IN (SELECT url_id FROM less)",
    """UPDATE urls SET (first_seen, last_seen) =
           (SELECT min(date), max(date) FROM places JOIN messages ON messages.id = places.message_id
            WHERE places.url_id = urls.id)
       WHERE EXISTS (SELECT 1 FROM less WHERE url_id = urls.id
                     AND (first = urls.first_seen OR last = urls.last_seen))""",
    "DROP TABLE gone",
    "DROP TABLE less",
)  # fmt: skip


class IndexWriter:
    """Writes to the tables of an open index, in transactions that the caller begins and ends.

    ``urls`` is the number of URLs that were added, less those that were deleted.
    """

    def __init__(self, connection: sqlite3.Connection, urls: int = 0) -> None:
        self._connection = connection
        self.urls = urls
        self._urls: dict[str, int] = {}
        self._sources: dict[str, int] = {}
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
        """Delete what sources yield again."""
        for op in journal:
            if isinstance(op, Begin) and op.kind != "stream":
                self._make_room(op)

    def note(self, journal: Iterable[Note], messages: Mapping[tuple[str, str], int]) -> None:
        """Note what was read, and how many messages of each source it was."""
        states: dict[str, Read] = {}
        for op in journal:
            if isinstance(op, Read):
                states[op.path] = op
            elif isinstance(op, Noted):
                kind = "stream" if op.folder == STREAM else "folder"
                self._connection.execute(
                    "INSERT OR IGNORE INTO seen (source_id, name) VALUES (?, ?)",
                    (self._source_id(kept_name(op.folder), kind), kept_name(op.name)),
                )
        for path, read in states.items():
            state = json.dumps(read.known.with_tail(path)._asdict(), separators=(",", ":"))
            self._set_state(kept_name(path), read.kind, state)
        for (path, kind), count in messages.items():
            self._connection.execute(
                "UPDATE sources SET messages = messages + ? WHERE id = ?",
                (count, self._source_id(path, kind)),
            )

    def part(self, path: str) -> str | None:
        """Return the hash of a part that was loaded, None if it was not."""
        row = self._connection.execute(
            "SELECT state FROM sources WHERE path = ? AND kind = 'part'", (path,)
        ).fetchone()
        return row[0] if row else None

    def note_part(self, path: str, identity: str) -> None:
        """Note that a part was loaded, with its hash."""
        self._set_state(path, "part", identity)

    def _set_state(self, path: str, kind: str, state: str | None) -> None:
        self._connection.execute(
            "UPDATE sources SET state = ? WHERE id = ?", (state, self._source_id(path, kind))
        )

    def _source_id(self, path: str, kind: str = "file", parent: int | None = None) -> int:
        """Return the id of a source, which is added if it is new."""
        known = self._sources.get(path)
        if known is None:
            row = self._connection.execute("SELECT id FROM sources WHERE path = ?", (path,)).fetchone()
            if row is None:
                self._connection.execute(
                    "INSERT INTO sources (path, kind, parent_id) VALUES (?, ?, ?)", (path, kind, parent)
                )
                row = self._connection.execute("SELECT last_insert_rowid()").fetchone()
            if len(self._sources) >= _MOST_KNOWN:
                self._sources.clear()
            known = self._sources[path] = row[0]
        return known

    # --- what is replaced -------------------------------------------------------------------------

    def _make_room(self, op: Begin) -> None:
        """Delete what the index has of a source from a place on."""
        path = kept_name(op.path)
        row = self._connection.execute("SELECT id FROM sources WHERE path = ?", (path,)).fetchone()
        if row is None:
            return
        source, known = row[0], op.known
        if known and (known.place or known.items):
            condition, values = _from(known, source)
            self._delete(condition, values)
        else:
            self._delete(
                "source_id IN (SELECT id FROM sources WHERE id = ? OR parent_id = ?)", (source, source)
            )
            self._connection.execute("DELETE FROM sources WHERE parent_id = ?", (source,))
            self._sources.clear()
        if op.folder is None:
            self._connection.execute(
                "UPDATE sources SET state = NULL, messages = ? WHERE id = ?",
                (known.items if known else 0, source),
            )

    def _delete(self, condition: str, values: tuple[int, ...]) -> None:
        """Delete the places for which ``condition`` is true, and what has no place without them."""
        query = f"SELECT 1 FROM places WHERE {condition} LIMIT 1"  # noqa: S608 - of this module
        if self._connection.execute(query, values).fetchone():
            self._connection.execute(f"{_COLLECT}{condition}", values)
            for statement in _DELETE:
                done = self._connection.execute(statement)
                self.urls -= done.rowcount if statement.startswith("DELETE FROM urls") else 0
            self._forget_urls()

    def _forget_urls(self) -> None:
        self._urls.clear()
        self._knows_all_urls = False

    # --- what is new ------------------------------------------------------------------------------

    def add(self, rows: Rows) -> Sequence[int]:
        """Add rows; return the ids of their messages."""
        sources = [
            self._source_id(path, kind, self._source_id(parent, _kind_of_parent(kind)) if parent else None)
            for path, kind, parent in rows.sources
        ]
        urls = self._url_ids(rows.urls)
        messages = self._ids("messages", len(rows.messages))
        places = self._ids("places", len(rows.places))

        def message_of(index: int | None) -> int | None:
            return index if index is None else messages[index] if index >= 0 else -index

        run = self._connection.executemany
        run(
            _INSERT_MESSAGE,
            ((id_, sources[row[0]], *row[1:]) for id_, row in zip(messages, rows.messages, strict=True)),
        )
        run(
            _INSERT_PLACE,
            (
                (id_, urls[row[0]], sources[row[1]], message_of(row[2]), *row[3:-1])
                for id_, row in zip(places, rows.places, strict=True)
            ),
        )
        run(
            _INSERT_WORDS,
            ((id_, row[_TEXT], row[-1], row[_CONTEXT]) for id_, row in zip(places, rows.places, strict=True)),
        )
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
                *_, unwrapped, wrapped_by, first, last, places = values
                more.append((places, first, last, unwrapped, wrapped_by, id_))
            known[url] = id_
            found.append(id_)
        self.urls += len(new)
        self._connection.executemany(_INSERT_URL, new)
        self._connection.executemany(_ADD_TO_URL, more)
        return found


def _kind_of_parent(kind: str) -> str:
    return "file" if kind == "member" else "folder"


def _from(known: Progress, source: int) -> tuple[str, tuple[int, ...]]:
    """Return the condition for the places of a source after what ``known`` has."""
    if known.at == "text":
        return "source_id = ? AND message_id IS NULL AND start >= ?", (source, known.start)
    messages = "SELECT id FROM messages WHERE source_id = ? AND number > ?"
    return f"message_id IN ({messages})", (source, known.items)
