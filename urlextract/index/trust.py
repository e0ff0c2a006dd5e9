"""What a stranger may have given an index that comes from elsewhere: files beside it, and its schema.

SQLite obeys a journal that lies beside a database, as in an archive that was unpacked, and the schema of the
file decides what a statement runs. A directory in which others can write is refused: see
`replacing.refuse_shared_directory`.
"""

from __future__ import annotations

import os
import sqlite3
import stat
from contextlib import closing, suppress
from functools import lru_cache
from itertools import chain, repeat

from urlextract.errors import IndexFileError
from urlextract.grammar.patterns import lazy_re
from urlextract.index.schema import SCHEMA
from urlextract.output.escaping import plain


def files_of(path: str) -> list[str]:
    """Return the paths of the file of an index, and of those that SQLite may have beside it.

    A symbolic link is followed, as by SQLite. Raise `IndexFileError` for a name that no file can have.
    """
    try:
        file = os.path.realpath(path)
    except ValueError:
        raise IndexFileError(path, "no file can have this name") from None
    return [f"{file}{suffix}" for suffix in ("", "-wal", "-shm", "-journal")]


# --- the files beside it --------------------------------------------------------------------------

_JOURNAL_MAGIC = bytes.fromhex("d9d505f920a163d7")  # https://www.sqlite.org/fileformat2.html, section 3


def check_files(path: str) -> None:
    """Raise `IndexFileError` for a file beside the index by which SQLite would change or delete another one.

    Raise `OSError` if it cannot be read.
    """
    for file in files_of(path)[1:]:
        with suppress(FileNotFoundError, PermissionError):  # SQLite cannot read it either
            found = os.lstat(file)
            if not stat.S_ISREG(found.st_mode) or found.st_nlink != 1:
                cause = "is a link, or no regular file"
            elif file.endswith("-journal") and _names_another(file):
                cause = "names a file that SQLite would delete"
            else:
                continue
            raise IndexFileError(path, f"{os.path.basename(file)} beside it {cause}: move it away")


def _names_another(file: str) -> bool:
    """Return whether a journal ends as one does that names a super-journal: with the magic number.

    SQLite deletes that file after it has restored the database. Only transactions over several databases
    have one, so no journal of this program does.
    """
    with open(file, "rb") as stream:
        end = max(0, stream.seek(0, os.SEEK_END) - len(_JOURNAL_MAGIC))
        stream.seek(end)
        return stream.read() == _JOURNAL_MAGIC


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


_EVERY = 1_000  # steps of SQLite's virtual machine between two looks at their number
_STEPS = 16  # for each byte of the file: a report of the shortest rows takes two


def bound_queries(path: str, connection: sqlite3.Connection) -> None:
    """Have SQLite stop after a number of steps in proportion to the size of the index.

    The pages of a table may lead to each other in a file that somebody has made. To count its rows by
    ``count(*)`` is one step.
    """
    size = 0
    for file in files_of(path):
        with suppress(FileNotFoundError):
            size += os.path.getsize(file)
    # No function of Python: an interrupt that comes while one runs would be lost in SQLite.
    stops = chain(repeat(0, _STEPS * size // _EVERY), repeat(1))
    connection.set_progress_handler(stops.__next__, _EVERY)


# --- the schema -----------------------------------------------------------------------------------

# So an index has the same forms after the comments of `SCHEMA` have changed.
_BLANKS = lazy_re(r"(?:[ \t\n\f\r]|--[^\n]*)+")
_LONGEST_NAME = 100  # characters


def check_schema(path: str, connection: sqlite3.Connection) -> None:
    """Raise `IndexFileError` unless the tables, their triggers and the view ``links`` are as in `SCHEMA`.

    Triggers and ``search`` read that view. All other views, indexes and tables are the user's own; no
    statement of the program reads them.
    """
    own = _own_schema()
    found = set()
    entries = connection.execute("SELECT type, name, lower(tbl_name), sql FROM sqlite_master")
    for kind, name, table, sql in entries:
        if name in own:
            if (kind, _form(sql)) != own[name]:
                raise IndexFileError(path, f"has {name} in another form than this program: make a new index")
            found.add(name)
        elif kind == "trigger" and table in own:
            shown = plain(str(name))[:_LONGEST_NAME]
            how = f'remove it in sqlite3 with DROP TRIGGER "{shown}"'
            raise IndexFileError(path, f"has the trigger {shown}, which is not of this program: {how}")
    for name, (kind, _) in own.items():
        if name not in found:
            raise IndexFileError(path, f"lacks the {kind} {name}: make a new index")


@lru_cache(maxsize=1)
def _own_schema() -> dict[str, tuple[str, str]]:
    """Return the type and the form of each table and trigger, and of ``links``, as SQLite makes them."""
    with closing(sqlite3.connect(":memory:")) as empty:
        empty.executescript(SCHEMA)
        entries = empty.execute(
            "SELECT name, type, sql FROM sqlite_master WHERE type IN ('table', 'trigger') OR name = 'links'"
        )
        return {name: (kind, _form(sql)) for name, kind, sql in entries}


def _form(sql: object) -> str:
    """Return the text of an entry with one blank for blanks and comments."""
    return _BLANKS.sub(" ", str(sql))
