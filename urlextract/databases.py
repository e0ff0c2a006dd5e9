"""Open SQLite files that a stranger may have given: the files beside them, limits, and errors in one line.

SQLite obeys a journal that lies beside a database, as in an archive that was unpacked. A directory in which
others can write is refused: see `replacing.refuse_shared_directory`.
"""

from __future__ import annotations

import errno
import os
import sqlite3
import stat
from contextlib import suppress

from urlextract.grammar.patterns import lazy_re

PATIENCE = 5.0
"""Seconds that a run waits for another one that writes to the same file."""

FAULTS = (sqlite3.Error, UnicodeDecodeError)
"""What SQLite raises; the latter for a message with parts of a damaged schema."""

MAGIC = b"SQLite format 3\0"
_ID_AT = 68  # the offset of the application_id in the header: https://www.sqlite.org/fileformat2.html

_IN_USE = "is read or written by another program: run again later"
# https://www.sqlite.org/rescode.html
_CAUSES = {
    "SQLITE_BUSY": _IN_USE,
    "SQLITE_LOCKED": _IN_USE,
    "SQLITE_READONLY": "is read-only",
    "SQLITE_FULL": "cannot be written: the disk is full",
    "SQLITE_CANTOPEN": "cannot be opened",
    "SQLITE_TOOBIG": "cannot hold a text of this length",
    "SQLITE_INTERRUPT": "is damaged: its tables are larger than the file",
}
# Of an index or a column of the user's own; the schema is not trusted: see `guard`
_UNSAFE = lazy_re(r"malformed database schema \((.{1,100}?)\) - unsafe use of (\S{1,100})")
# The statements are right, so it is the tables that are not.
_OF_DAMAGE = (
    "SQLITE_CORRUPT", "SQLITE_CONSTRAINT", "SQLITE_MISMATCH", "SQLITE_RANGE", "SQLITE_ERROR",
)  # fmt: skip


def cause_of(error: Exception) -> str:
    """Return in words what an error of SQLite is, one of `FAULTS`."""
    name: str = getattr(error, "sqlite_errorname", None) or ""
    for code, cause in _CAUSES.items():
        if name.startswith(code):
            return cause
    # SQLite may quote the whole definition of a table after the first line
    line = str(error).partition("\n")[0]
    if unsafe := _UNSAFE.search(line):
        return f"has {unsafe[1]}, which uses {unsafe[2]}: remove it in sqlite3"
    if name.startswith("SQLITE_IOERR"):
        return f"cannot be {'read' if 'READ' in name else 'written'}: {line}"
    return f"is damaged: {line}" if name.startswith(_OF_DAMAGE) or not name else line


# --- the files ------------------------------------------------------------------------------------


def files_of(path: str) -> list[str]:
    """Return the paths of a database, and of the files that SQLite may have beside it.

    A symbolic link is followed, as by SQLite. Raise `ValueError` for a name that no file can have.
    """
    file = os.path.realpath(path)
    return [f"{file}{suffix}" for suffix in ("", "-wal", "-shm", "-journal")]


_JOURNAL_MAGIC = bytes.fromhex("d9d505f920a163d7")  # https://www.sqlite.org/fileformat2.html, section 3


def check_files(path: str) -> None:
    """Raise `PermissionError` for a file by which SQLite would change or delete another one.

    Raise `OSError` if it cannot be read.
    """
    for file in files_of(path)[1:]:
        cause = ""
        with suppress(FileNotFoundError, PermissionError):  # SQLite cannot read it either
            found = os.lstat(file)
            if not stat.S_ISREG(found.st_mode) or found.st_nlink != 1:
                cause = "is a link, or no regular file"
            elif file.endswith("-journal") and _names_another(file):
                cause = "names a file that SQLite would delete"
        if cause:
            words = f"{os.path.basename(file)} beside it {cause}: move it away"
            raise PermissionError(errno.EACCES, words, path)


def _names_another(file: str) -> bool:
    """Return whether a journal ends as one does that names a super-journal: with the magic number.

    SQLite deletes that file after it has restored the database. Only transactions over several databases
    have one, so no journal of this program does.
    """
    with open(file, "rb") as stream:
        end = max(0, stream.seek(0, os.SEEK_END) - len(_JOURNAL_MAGIC))
        stream.seek(end)
        return stream.read() == _JOURNAL_MAGIC


def is_database(path: str) -> bool:
    """Return whether a file is an SQLite database."""
    with suppress(OSError, ValueError):
        if os.path.isfile(path):  # a pipe would lose what is read of it
            with open(path, "rb") as stream:
                return stream.read(len(MAGIC)) == MAGIC
    return False


def application_in(head: bytes) -> int | None:
    """Return the application_id of a database with this ``head`` of 100 bytes; None if it is no database."""
    if not head.startswith(MAGIC) or len(head) < 100:
        return None
    return int.from_bytes(head[_ID_AT : _ID_AT + 4], "big")


# --- the connection -------------------------------------------------------------------------------

# As in https://www.sqlite.org/security.html, but for what the program's own statements and texts need, and
# for those of which SQLite would take no schema that has a long view or a wide table of the user's own.
_LIMITS = {
    sqlite3.SQLITE_LIMIT_LENGTH: 512 * 1024 * 1024,  # a record that is loaded has 64 MiB, and several texts
    sqlite3.SQLITE_LIMIT_SQL_LENGTH: 100_000,
    sqlite3.SQLITE_LIMIT_VDBE_OP: 25_000,
    sqlite3.SQLITE_LIMIT_ATTACHED: 0,
    sqlite3.SQLITE_LIMIT_VARIABLE_NUMBER: 50,
    sqlite3.SQLITE_LIMIT_TRIGGER_DEPTH: 10,
}


def guard(connection: sqlite3.Connection) -> None:
    """Set limits, and have SQLite trust neither the schema nor the pages of the file."""
    for limit, value in _LIMITS.items():
        connection.setlimit(limit, value)
    connection.execute("PRAGMA trusted_schema = OFF")
    connection.execute("PRAGMA cell_size_check = ON")
