"""The state file of ``--state``, in SQLite: opened if it can be trusted, with errors in one line."""

from __future__ import annotations

import os
import sqlite3
import stat
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress

from urlextract.databases import FAULTS, PATIENCE, application_in, cause_of, check_files, files_of, guard
from urlextract.errors import UrlExtractError
from urlextract.replacing import refuse_planted_link, refuse_shared_directory
from urlextract.sources.checkpoint import Checkpoint

_APPLICATION_ID = 0x75726C73  # "urls"
_VERSION = 1
CHECKPOINT = """
CREATE TABLE files (path BLOB PRIMARY KEY, size INTEGER, mark TEXT, format TEXT, before BLOB, end INTEGER,
    offset INTEGER, messages INTEGER, characters INTEGER, lines INTEGER) WITHOUT ROWID;
CREATE TABLE seen (hash BLOB PRIMARY KEY) WITHOUT ROWID;
"""
_SCHEMA = f"""{CHECKPOINT}
CREATE TABLE outputs (path BLOB PRIMARY KEY, length INTEGER) WITHOUT ROWID;
"""
_ENTRIES = "SELECT type, name, sql FROM sqlite_master ORDER BY name"
_AGAIN = "remove it, and everything is read again"


class StateError(UrlExtractError):
    """The state file cannot be read or written; the sources are not at fault."""

    def __init__(self, path: str, cause: str) -> None:
        super().__init__(f"{path}: {cause}")


@contextmanager
def _told(path: str) -> Iterator[None]:
    """Raise `StateError` for an error of SQLite or of the system."""
    try:
        yield
    except FAULTS as error:
        raise StateError(path, cause_of(error)) from None
    except PermissionError as error:
        raise StateError(path, error.strerror or str(error)) from None
    except OSError as error:
        raise StateError(path, f"the state cannot be written: {error.strerror or error}") from None
    except ValueError:
        raise StateError(path, "no file can have this name") from None


def _check_file(path: str) -> None:
    """Make the file if need be; raise `StateError` for any that is no state, before SQLite may change it."""
    number = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NONBLOCK, 0o664)
    with open(number, "rb", buffering=0) as stream:
        mode = os.fstat(number).st_mode
        head = stream.read(100) if stat.S_ISREG(mode) else b""
    if not stat.S_ISREG(mode):
        raise StateError(path, "is no regular file, and no state file")
    if mode & stat.S_IWOTH:
        raise StateError(path, f"others can write to it: chmod o-w {path}, if you trust what it says")
    if head.startswith(b"{"):
        raise StateError(path, f"is a state file of an older version, in JSON: {_AGAIN}")
    if head and application_in(head) != _APPLICATION_ID:
        raise StateError(path, "is no state file")


def _opened(path: str) -> sqlite3.Connection:
    """Open a state, which is made if there is no file or an empty one, and begin a transaction."""
    refuse_planted_link(path)
    refuse_shared_directory(path)
    check_files(path)
    _check_file(path)
    # A name that is absolute is that of a file; ":memory:" and "file:a?mode=memory" may be none.
    connection = sqlite3.connect(os.path.abspath(path), timeout=PATIENCE, isolation_level=None)
    try:
        _prepare(path, connection)
    except BaseException:
        connection.close()
        raise
    return connection


def _prepare(path: str, connection: sqlite3.Connection) -> None:
    guard(connection)
    for pragma in ("locking_mode = EXCLUSIVE", "journal_mode = DELETE", "cache_size = -8192"):
        connection.execute(f"PRAGMA {pragma}")
    connection.execute("BEGIN IMMEDIATE")
    if not connection.execute(_ENTRIES).fetchall():  # it is new
        for statement in _SCHEMA.split(";"):
            connection.execute(statement)
        connection.execute(f"PRAGMA application_id = {_APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {_VERSION}")
    if connection.execute("PRAGMA user_version").fetchone()[0] != _VERSION:
        raise StateError(path, f"is a state file of another version: {_AGAIN}")
    with closing(sqlite3.connect(":memory:")) as empty:
        empty.executescript(_SCHEMA)
        if connection.execute(_ENTRIES).fetchall() != empty.execute(_ENTRIES).fetchall():
            raise StateError(path, f"has other tables, views or triggers than this program's: {_AGAIN}")
    connection.execute(f"PRAGMA user_version = {_VERSION}")  # a write: if that fails, it is told now


@contextmanager
def opened_state(path: str, *, can_rest: bool) -> Iterator[Checkpoint]:
    """Open a state file, and close it at the end; what was not saved is lost. Raise `StateError`."""
    with _told(path):
        connection = _opened(path)
    try:
        yield Checkpoint(connection, path, files_of(path)[1:], can_rest=can_rest)
    except FAULTS as error:
        raise StateError(path, cause_of(error)) from None
    finally:
        with suppress(*FAULTS):  # a disk that is full was reported before
            connection.close()
