"""What an index holds, without the ids: for comparisons of one index with another."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

_QUERIES = {
    "links": "SELECT * FROM links",
    "messages": "SELECT path, messages.* FROM messages JOIN sources ON sources.id = source_id",
    "urls": "SELECT * FROM urls",
    "sources": """SELECT sources.path, sources.kind, sources.content, sources.title, sources.state,
                         parents.path AS parent
                  FROM sources LEFT JOIN sources AS parents ON parents.id = sources.parent_id""",
    "seen": "SELECT path, name, file, seen.content FROM seen JOIN sources ON sources.id = source_id",
    "damage": "SELECT * FROM damage",
}
_IDS = {"id", "source_id", "url_id", "outer_id"}


def rows(path: Path, query: str, *values: object) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(path)) as index:
        return index.execute(query, values).fetchall()


def records(path: Path, query: str) -> list[dict[str, Any]]:
    """Return the rows of a query, each by the names of its columns, without ids."""
    with closing(sqlite3.connect(path)) as index:
        index.row_factory = sqlite3.Row
        found = index.execute(query).fetchall()
    return [{name: row[name] for name in row.keys() if name not in _IDS} for row in found]  # noqa: SIM118


def contents(path: Path) -> dict[str, list[str]]:
    """Return all rows of all tables, sorted, after checks of the file and of its full-text search."""
    with closing(sqlite3.connect(path)) as index:
        assert index.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        index.execute("INSERT INTO search (search) VALUES ('integrity-check')")
        assert index.execute(
            "SELECT count(*) FROM urls WHERE places <> (SELECT count(*) FROM places WHERE url_id = urls.id)"
        ).fetchone() == (0,)
        assert not index.execute("PRAGMA foreign_key_check").fetchall()
    return {name: sorted(map(str, map(dict.items, records(path, query)))) for name, query in _QUERIES.items()}


def urls(path: Path) -> list[str]:
    return sorted(url for (url,) in rows(path, "SELECT url FROM links"))
