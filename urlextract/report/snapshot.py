"""Open an index for reading: one state of it, also while another program writes to it."""

from __future__ import annotations

import os
import sqlite3
import stat
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from urlextract.errors import SourceError, SourceNotFoundError
from urlextract.index.schema import APPLICATION_ID, VERSION

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["FILES", "snapshot"]

FILES = ("", "-wal", "-shm", "-journal")
"""What is added to the name of a database for the names of its files."""

_MAGIC = b"SQLite format 3\0"
_PATIENCE = 10.0  # seconds to wait for another program that has locked the file


@contextmanager
def snapshot(path: str) -> Iterator[sqlite3.Connection]:
    """Yield a connection that reads the index ``path`` as it is now, whatever is written meanwhile.

    Raise `SourceError` if the file is missing, no index, of another version or damaged, also for errors
    that SQLite reports within the ``with`` block.
    """
    _check_file(path)
    try:
        uri = f"{Path(path).absolute().as_uri()}?mode=ro"
        with closing(sqlite3.connect(uri, uri=True, isolation_level=None, timeout=_PATIENCE)) as connection:
            connection.text_factory = _decoded
            connection.execute("BEGIN")
            _check_version(path, connection)
            yield connection
    except sqlite3.Error as error:
        raise SourceError(path, _cause_of(error)) from None
    except UnicodeDecodeError:  # in a message of SQLite that has a name from the file
        raise SourceError(path, "is damaged: names in it are no text") from None


def _decoded(data: bytes) -> str:
    return data.decode("utf-8", "replace")


def _check_file(path: str) -> None:
    """Raise `SourceError` if ``path`` is no file that begins as a database does."""
    try:
        is_file = stat.S_ISREG(os.stat(path).st_mode)
        start = _start_of(path) if is_file else b""
    except FileNotFoundError as error:
        raise SourceNotFoundError(path, str(error.strerror), errno=error.errno) from None
    except OSError as error:
        raise SourceError(path, str(error.strerror), errno=error.errno) from None
    if not is_file:
        raise SourceError(path, "is no index: not a file")
    if not start:
        raise SourceError(path, "is empty, and no index")
    if start != _MAGIC:
        raise SourceError(path, "is no index: not a database of SQLite")


def _start_of(path: str) -> bytes:
    with open(path, "rb") as stream:
        return stream.read(len(_MAGIC))


def _check_version(path: str, connection: sqlite3.Connection) -> None:
    [[application]] = connection.execute("PRAGMA application_id")
    [[version]] = connection.execute("PRAGMA user_version")
    if application != APPLICATION_ID:
        raise SourceError(path, "is a database of another program, and no index")
    if version > VERSION:
        raise SourceError(path, f"is an index of version {version}: this program reads version {VERSION}")
    if version < VERSION:
        raise SourceError(
            path, f"is an index of version {version}: 'urlextract index' makes it one of {VERSION}"
        )


def _cause_of(error: sqlite3.Error) -> str:
    name = getattr(error, "sqlite_errorname", "")
    if name.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
        return "is locked by another program"
    if name.startswith("SQLITE_CANTOPEN"):
        return "cannot be opened: to read an index that is being written, its folder must be writable"
    return f"is damaged, or cannot be read: {error}"
