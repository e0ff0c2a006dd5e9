"""What an index holds, without the ids: for comparisons of one index with another."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

_QUERIES = {
    "links": "SELECT * FROM links",
    "messages": """SELECT messages.*, outermost.hash AS outermost FROM messages
                   LEFT JOIN messages AS outermost ON outermost.id = messages.outer_id""",
    "copies": """SELECT copies.*, messages.hash, messages.subject FROM copies
                 JOIN messages ON messages.id = message""",
    "urls": "SELECT * FROM urls",
}
_IDS = {"id", "url_id", "outer_id"}


def rows(path: Path, query: str, *values: object) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(path)) as index:
        return index.execute(query, values).fetchall()


def records(path: Path, query: str, without: frozenset[str] = frozenset()) -> list[dict[str, Any]]:
    """Return the rows of a query, each by the names of its columns, without ids."""
    with closing(sqlite3.connect(path)) as index:
        index.row_factory = sqlite3.Row
        found = index.execute(query).fetchall()
    return [{name: row[name] for name in row.keys() if name not in _IDS | without} for row in found]  # noqa: SIM118


# Of several copies of a message, links have the first that was read: that differs from a new index.
_OF_COPY = {"links": frozenset({"source", "message", "offset", "byte"}), "copies": frozenset({"message"})}


def contents(path: Path) -> dict[str, list[str]]:
    """Return all rows of all tables, sorted, after checks of the file and of its full-text search."""
    with closing(sqlite3.connect(path)) as index:
        assert index.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        index.execute("INSERT INTO search (search) VALUES ('integrity-check')")
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
