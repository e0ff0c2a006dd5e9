"""Open the SQLite file of an index, for readers and one writer; each error is one clear line."""

from __future__ import annotations

import errno
import fcntl
import os
import sqlite3
import stat
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from urlextract.databases import FAULTS, PATIENCE, application_in, cause_of, check_files, guard
from urlextract.errors import IndexFileError
from urlextract.index.schema import APPLICATION_ID, SCHEMA, VERSION
from urlextract.index.trust import bound_queries, check_schema, files_of
from urlextract.replacing import refuse_planted_link, refuse_shared_directory

_CACHE = 32 * 1024  # KiB of pages that SQLite holds
_PAGES = 32 * 1024  # pages of the write-ahead log after which they are moved into the file
_PAUSE = 0.05  # seconds between two attempts
_NO_INDEX = "is no index of URLs"
_WRITTEN = "is being written by another run"
# A journal is restored only by who may write, and a file with a log is read only where SQLite may make the
# file "-shm" beside it.
_LEFT = (
    "which a run left that was stopped, or that still writes: run urlextract index on it again, or on a copy "
    "of both in a folder of your own"
)


@contextmanager
def opened_for_writing(path: str) -> Iterator[sqlite3.Connection]:
    """Open an index, which is made if there is no file or an empty one; close it at the end.

    Readers can open it at the same time. Raise `IndexFileError` for any other file, which is not
    changed, and if another run still writes to it after `PATIENCE` seconds.
    """
    lock = _locked(path)
    try:
        with told(path):
            _check_header(path, lock)
            # A name that is absolute is that of a file; ":memory:" and "file:a?mode=memory" may be none.
            connection = sqlite3.connect(os.path.abspath(path), timeout=PATIENCE, isolation_level=None)
        try:
            with told(path):
                _prepare(path, connection)
            yield connection
        finally:
            _close(connection)
    finally:
        os.close(lock)


@contextmanager
def opened_for_reading(path: str) -> Iterator[sqlite3.Connection]:
    """Open an index as it is at this moment, whatever a run writes to it meanwhile; close it at the end.

    Texts that are no UTF-8 have U+FFFD. Raise `IndexFileError` for any other file, and for what SQLite
    reports within the ``with`` block.
    """
    with told(path):
        _check_before_reading(path)
        uri = f"{Path(path).absolute().as_uri()}?mode=ro"
        connection = sqlite3.connect(uri, uri=True, isolation_level=None, timeout=PATIENCE)
    with closing(connection), told(path):
        connection.text_factory = _decoded
        bound_queries(path, connection)
        guard(connection)
        connection.execute("PRAGMA temp_store = MEMORY")
        connection.execute("BEGIN")
        _check_version(path, connection)
        check_schema(path, connection)
        yield connection


def _decoded(data: bytes) -> str:
    return data.decode("utf-8", "replace")


def _check_before_reading(path: str) -> None:
    with _refused(path):
        file = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    try:
        _check_header(path, file)
    finally:
        os.close(file)
    with _refused(path):
        refuse_shared_directory(path, is_read=True)
        check_files(path)


@contextmanager
def _refused(path: str) -> Iterator[None]:
    """Raise `IndexFileError` for an error of the system."""
    try:
        yield
    except IndexFileError:
        raise
    except OSError as error:
        raise IndexFileError(path, error.strerror or str(error)) from None


def _locked(path: str) -> int:
    """Open the file, make it if need be, and lock it against other runs; return its descriptor."""
    with _refused(path):
        refuse_planted_link(path)
        check_files(path)
        refuse_shared_directory(path)
        lock = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NONBLOCK, 0o666)
    until = time.monotonic() + PATIENCE
    while True:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            if error.errno in (errno.EAGAIN, errno.EACCES) and time.monotonic() < until:
                time.sleep(_PAUSE)
                continue
            os.close(lock)
            is_taken = error.errno in (errno.EAGAIN, errno.EACCES)
            raise IndexFileError(
                path, _WRITTEN if is_taken else f"cannot be locked: {error.strerror}"
            ) from None
        return lock


def _check_header(path: str, file: int) -> None:
    """Raise `IndexFileError` for a file that is no index, before SQLite may change it.

    A run that was stopped while it made the index has left a journal, by which SQLite empties the file.
    """
    if not stat.S_ISREG(os.fstat(file).st_mode):
        raise IndexFileError(path, f"{_NO_INDEX}, and no file")
    head = os.pread(file, 100, 0)
    if not head or os.path.exists(f"{path}-journal"):
        return
    application = application_in(head)
    if application != APPLICATION_ID:
        what = "and no SQLite file" if application is None else "but another SQLite file"
        raise IndexFileError(path, f"{_NO_INDEX}, {what}")


def _prepare(path: str, connection: sqlite3.Connection) -> None:
    """Check the version of the index, or make its tables, and have readers read while it is written."""
    guard(connection)
    connection.execute("PRAGMA temp_store = MEMORY")
    connection.execute("PRAGMA foreign_keys = OFF")  # what is deleted is deleted by name
    if not connection.execute("PRAGMA page_count").fetchone()[0]:
        connection.executescript(
            f"BEGIN IMMEDIATE;{SCHEMA}"
            f"PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = {VERSION}; COMMIT"
        )
    _check_version(path, connection)
    check_schema(path, connection)
    connection.execute(f"PRAGMA cache_size = -{_CACHE}")
    connection.execute(f"PRAGMA wal_autocheckpoint = {_PAGES}")
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = NORMAL")


def _check_version(path: str, connection: sqlite3.Connection) -> None:
    """Raise `IndexFileError` if the tables are not those that this program knows."""
    if connection.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
        raise IndexFileError(path, _NO_INDEX)
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if version != VERSION:
        age, how = ("a newer", "") if version > VERSION else ("an older", ": make a new index of its sources")
        raise IndexFileError(
            path, f"is an index of {age} version of the program ({version}; this one has {VERSION}){how}"
        )


def _close(connection: sqlite3.Connection) -> None:
    """Close a database, and leave one file if nobody reads it; what is not committed is lost."""
    with suppress(*FAULTS):  # a disk that is full was reported before
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        connection.execute("PRAGMA busy_timeout = 0")
        connection.execute("PRAGMA journal_mode = DELETE")
    with suppress(*FAULTS):
        connection.close()


@contextmanager
def told(path: str) -> Iterator[None]:
    """Raise `IndexFileError` for an error of SQLite."""
    try:
        yield
    except FAULTS as error:
        raise IndexFileError(path, _cause_of(path, error)) from None


def _cause_of(path: str, error: Exception) -> str:
    name: str = getattr(error, "sqlite_errorname", None) or ""
    if name.startswith(("SQLITE_READONLY", "SQLITE_CANTOPEN")):
        for file in filter(os.path.exists, files_of(path)[1:]):
            return f"has {os.path.basename(file)} beside it, {_LEFT}"
    return _NO_INDEX if name.startswith("SQLITE_NOTADB") else cause_of(error)
