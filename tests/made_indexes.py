"""Indexes for tests: the tables filled by SQL, from messages with their links."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING, Any

from urlextract.grammar.domains import registered_domain
from urlextract.index.schema import APPLICATION_ID, SCHEMA, VERSION
from urlextract.schemes.comparing import host_name_of, normal_form

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

Mail = tuple[dict[str, Any], list[dict[str, Any]]]
"""The columns of a message, and those of each of its places, with ``url`` for the URL."""

_PLACE = {
    "form": "bare", "line": 1, "col": 1, "start": 0, "stop": 1, "raw": "", "repaired": 0, "confidence": 0.9,
}  # fmt: skip
_OF_URLS = ("url", "scheme", "host", "domain", "unwrapped", "wrapped_by", "target_domain")


def connect(path: Path) -> sqlite3.Connection:
    """Return a connection to a new index, or to one that exists."""
    is_new = not path.exists()
    connection = sqlite3.connect(path)
    if is_new:
        connection.executescript(SCHEMA)
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {VERSION}")
    return connection


def fill(path: Path, mails: Iterable[Mail], *, finished: str | None = "2026-02-01T10:00:00Z") -> Path:
    """Make an index of the mails of one source, or add them; return its path."""
    connection = connect(path)
    with connection:
        source = insert(connection, "sources", path=f"mail{last_of(connection, 'sources')}.mbox", kind="file")
        started = "2026-02-01T09:00:00Z"
        insert(connection, "runs", started=started, finished=finished, program="0.1", options="{}")
        for count, (message, places) in enumerate(mails, 1):
            row = insert(connection, "messages", source_id=source, number=count, **message)
            for place in places:
                add_place(connection, source, row, message, place)
    connection.close()
    return path


def add_place(
    connection: sqlite3.Connection, source: int, message: int, columns: dict[str, Any], place: dict[str, Any]
) -> None:
    """Insert a place and, if it is new, its URL."""
    url = url_of(connection, place)
    rest = {name: value for name, value in place.items() if name not in _OF_URLS}
    rest = {**_PLACE, "raw": place["url"], "date": columns.get("date"), **rest}
    insert(connection, "places", url_id=url, source_id=source, message_id=message, **rest)
    connection.execute(
        "UPDATE urls SET places = places + 1, first_seen = min(coalesce(first_seen, ?1), ?1), "
        "last_seen = max(coalesce(last_seen, ?1), ?1) WHERE id = ?2",
        (columns.get("date"), url),
    )


def url_of(connection: sqlite3.Connection, place: dict[str, Any]) -> int:
    """Return the number of the URL of a place."""
    url = place["url"]
    known = connection.execute("SELECT id FROM urls WHERE url = ?", (url,)).fetchone()
    if known:
        return int(known[0])
    target = place.get("unwrapped") or url
    columns = {
        "scheme": url.partition(":")[0].lower(), "host": host_name_of(url) or None, "domain": _domain_of(url),
        "key": normal_form(url), "target_key": normal_form(target), "target_domain": _domain_of(target),
    }  # fmt: skip
    given = {name: place[name] for name in _OF_URLS if name in place}
    return insert(connection, "urls", **{**columns, **given})


def _domain_of(url: str) -> str | None:
    host = host_name_of(url)
    return (registered_domain(host) or host) if host else None


def insert(connection: sqlite3.Connection, table: str, **columns: Any) -> int:
    """Insert a row, and return its number."""
    names = ", ".join(f'"{name}"' for name in columns)
    marks = ", ".join("?" * len(columns))
    query = f"INSERT INTO {table} ({names}) VALUES ({marks})"  # noqa: S608 - names of the tests
    cursor = connection.execute(query, tuple(columns.values()))
    return int(cursor.lastrowid or 0)


def last_of(connection: sqlite3.Connection, table: str) -> int:
    """Return the number of the last row of a table, 0 if it is empty."""
    [[number]] = connection.execute(f"SELECT coalesce(max(id), 0) FROM {table}")  # noqa: S608 - as above
    return int(number)
