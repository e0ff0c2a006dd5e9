"""What an index may have been given by a stranger: files beside it, its schema, rows without an end.

SQLite obeys a journal or a write-ahead log that lies beside a database, whoever put it there, and the schema
of the file decides what a query runs. So the files are looked at before SQLite opens them, and the schema
before a query uses it.
"""

from __future__ import annotations

import os
import sqlite3
import stat
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from functools import lru_cache
from itertools import chain, repeat
from typing import TypeAlias

from urlextract.errors import IndexFileError
from urlextract.grammar.patterns import lazy_re
from urlextract.index.found_rows import MESSAGE_COLUMNS, UrlRow
from urlextract.index.schema import SCHEMA
from urlextract.output.escaping import plain
from urlextract.replacing import refuse_file_of_stranger, refuse_planted_link


def files_of(path: str) -> list[str]:
    """Return the paths of the file of an index, and of those that SQLite may have beside it.

    A symbolic link is followed, as by SQLite. Raise `IndexFileError` for a name that no file can have.
    """
    try:
        file = os.path.realpath(path)
    except ValueError:
        raise IndexFileError(path, "no file can have this name") from None
    return [f"{file}{suffix}" for suffix in ("", "-wal", "-shm", "-journal")]


# --- the files ------------------------------------------------------------------------------------

_JOURNAL_MAGIC = bytes.fromhex("d9d505f920a163d7")  # https://www.sqlite.org/fileformat2.html, section 3


def check_files(path: str) -> None:
    """Raise `IndexFileError` if a file beside the index is not one that a run of the program left there.

    It may be one of the owner of the index, too, who could change the index itself.
    """
    index, *others = files_of(path)
    owner = os.stat(index).st_uid if os.path.exists(index) else None
    for file in others:
        try:
            refuse_planted_link(file)
            cause = _fault_beside(file, owner)
        except OSError as error:
            cause = error.strerror or str(error)
        if cause:
            raise IndexFileError(path, f"{os.path.basename(file)} beside it {cause}: move it away")


@contextmanager
def places_held(path: str, status: os.stat_result) -> Iterator[None]:
    """Have an empty journal and an empty log beside an index that has none: SQLite takes them for none.

    So nobody can put another one there while SQLite opens the index: in a sticky directory only its owner
    can replace a file. ``status`` is that of the index, whose owner and mode the files get, as from SQLite.
    Raise `IndexFileError` if they cannot be made.
    """
    _, log, _, journal = files_of(path)
    try:
        made = [file for file in (log, journal) if _is_made(file, status)]
    except OSError as error:
        raise IndexFileError(path, error.strerror or str(error)) from None
    try:
        yield
    finally:
        for file in made:
            with suppress(OSError):  # SQLite has removed it
                if not os.lstat(file).st_size:
                    os.unlink(file)


def _is_made(file: str, status: os.stat_result) -> bool:
    """Make an empty file; return whether there was none."""
    try:
        number = os.open(file, os.O_CREAT | os.O_EXCL | os.O_RDWR | os.O_CLOEXEC, 0o600)
    except FileExistsError:
        return False
    try:
        with suppress(PermissionError):
            os.fchown(number, status.st_uid, status.st_gid)
        os.fchmod(number, stat.S_IMODE(status.st_mode))
    finally:
        os.close(number)
    return True


def _fault_beside(file: str, owner: int | None) -> str | None:
    """Return what is wrong with a file beside an index of ``owner``; raise `OSError` if it cannot be read."""
    try:
        found = os.lstat(file)
    except FileNotFoundError:
        return None
    if not stat.S_ISREG(found.st_mode):
        return "is no regular file"
    if found.st_nlink != 1:  # SQLite would empty or overwrite what has the other name
        return "is a hard link"
    refuse_file_of_stranger(file, found, trusted=owner)
    return "names a file that SQLite would delete" if _names_another(file) else None


def _names_another(file: str) -> bool:
    """Return whether a file ends as a journal does that names a super-journal: with the magic number.

    SQLite deletes that file after it has restored the database. Only transactions over several databases
    have one, so no journal of this program does.
    """
    if not file.endswith("-journal"):
        return False
    try:
        number = os.open(file, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOFOLLOW)
    except (FileNotFoundError, PermissionError):
        return False  # it is gone, or SQLite cannot read it either
    try:
        size, end = os.fstat(number).st_size, len(_JOURNAL_MAGIC)
        return size >= end and os.pread(number, end, size - end) == _JOURNAL_MAGIC
    finally:
        os.close(number)


# --- the connection -------------------------------------------------------------------------------

# As in https://www.sqlite.org/security.html, but for what the program's own statements and texts need.
_LIMITS = {
    sqlite3.SQLITE_LIMIT_LENGTH: 512 * 1024 * 1024,  # a record that is loaded has 64 MiB, and several texts
    sqlite3.SQLITE_LIMIT_SQL_LENGTH: 100_000,
    sqlite3.SQLITE_LIMIT_COLUMN: 100,
    sqlite3.SQLITE_LIMIT_EXPR_DEPTH: 50,
    sqlite3.SQLITE_LIMIT_COMPOUND_SELECT: 3,
    sqlite3.SQLITE_LIMIT_VDBE_OP: 25_000,
    sqlite3.SQLITE_LIMIT_FUNCTION_ARG: 8,
    sqlite3.SQLITE_LIMIT_ATTACHED: 0,
    sqlite3.SQLITE_LIMIT_LIKE_PATTERN_LENGTH: 50,
    sqlite3.SQLITE_LIMIT_VARIABLE_NUMBER: 50,
    sqlite3.SQLITE_LIMIT_TRIGGER_DEPTH: 10,
}


def guard(connection: sqlite3.Connection) -> None:
    """Set limits, and have SQLite trust neither the schema nor the pages of the file."""
    for limit, value in _LIMITS.items():
        connection.setlimit(limit, value)
    connection.execute("PRAGMA trusted_schema = OFF")
    connection.execute("PRAGMA cell_size_check = ON")


# --- the schema -----------------------------------------------------------------------------------

_Entry: TypeAlias = tuple[str, str]
"""The type and the name of an entry of ``sqlite_master``."""

# What ANALYZE makes, by which a user has queries planned. Only SQLite can make tables of these names.
_STATISTICS = {
    ("table", "sqlite_stat1"): "CREATE TABLE sqlite_stat1(tbl,idx,stat)",
    ("table", "sqlite_stat4"): "CREATE TABLE sqlite_stat4(tbl,idx,neq,nlt,ndlt,sample)",
}
# Comments and blanks are dropped, so an index has the same schema after the comments of `SCHEMA` changed.
# Blanks are those of SQLite: characters beyond ASCII are letters of names.
_TOKEN = lazy_re(r"""--[^\n]*|/\*(?s:.*?)(?:\*/|\Z)|'[^']*'|"[^"]*"|[\w\x80-\U0010ffff]+|[^\w \t\n\f\r]""")
_LONGEST_NAME = 100  # characters


def check_schema(path: str, connection: sqlite3.Connection) -> None:
    """Raise `IndexFileError` if the schema of an index is not the program's own; name what differs first."""
    found, own = _schema_of(connection), dict(_own_schema())
    for (kind, name), tokens in found:
        shown = f"the {kind} {plain(name)[:_LONGEST_NAME]}"
        if (kind, name) not in own:
            how = "remove it in sqlite3 with DROP, or make a new index"
            raise IndexFileError(path, f"has {shown}, which is not of this program: {how}")
        if tokens != own[kind, name]:
            raise IndexFileError(path, f"has {shown} in another form than this program: make a new index")
    missing = own.keys() - {entry for entry, _ in found} - _STATISTICS.keys()
    if missing:
        kind, name = min(
            missing, key=lambda entry: (entry[0] != "table", entry)
        )  # with a table goes the rest
        raise IndexFileError(path, f"lacks the {kind} {name}: make a new index")


def _schema_of(connection: sqlite3.Connection) -> list[tuple[_Entry, list[str]]]:
    """Return the entries, which may say another type and name than their SQL, by which SQLite goes."""
    entries = connection.execute("SELECT type, name, tbl_name, sql FROM sqlite_master")
    return [((str(kind), str(name)), [str(table), *_tokens(str(sql))]) for kind, name, table, sql in entries]


def _tokens(sql: str) -> list[str]:
    return [token for token in _TOKEN.findall(sql) if not token.startswith(("--", "/*"))]


@lru_cache(maxsize=1)
def _own_schema() -> list[tuple[_Entry, list[str]]]:
    """Return the schema that SQLite makes of `SCHEMA`, which adds tables of FTS5 and indexes of UNIQUE."""
    with closing(sqlite3.connect(":memory:")) as empty:
        empty.executescript(SCHEMA)
        return _schema_of(empty) + [(entry, [entry[1], *_tokens(sql)]) for entry, sql in _STATISTICS.items()]


# --- queries that end -----------------------------------------------------------------------------

# A report of an index with the shortest rows takes two steps a byte, and a message with a head of 64 KiB that
# has nothing but short links, 400 times its length.
_EVERY = 1_000  # steps of SQLite's virtual machine between two looks at their number
_FREE_STEPS = 10_000_000
_STEPS = 16  # for each byte of the file
_FREE_BYTES = 1 << 30
_TIMES_READ = 1024

_TABLES = ("runs", "sources", "seen", "damage", "messages", "urls", "places")


def bound_queries(path: str, connection: sqlite3.Connection) -> None:
    """Have SQLite stop after a number of steps in proportion to the size of the index."""
    size = 0
    for file in files_of(path):
        with suppress(FileNotFoundError):
            size += os.path.getsize(file)
    # No function of Python: an interrupt that comes while one runs would be lost in SQLite.
    stops = chain(repeat(0, (_FREE_STEPS + _STEPS * size) // _EVERY), repeat(1))
    connection.set_progress_handler(stops.__next__, _EVERY)


def check_trees(path: str, connection: sqlite3.Connection) -> None:
    """Raise `IndexFileError` unless the tables end: a page may be there twice, or a text at very many places.

    It is what the steps of `bound_queries` do not show, as one step may read a text of any length. First,
    all entries are counted: SQLite goes down 20 pages at most, and reports a tree that is deeper, while
    ``quick_check`` would overflow its stack. Then ``quick_check`` proves that each page is there once,
    so all texts together are as long as the file at most.
    """
    for query in _counts():
        connection.execute(query).fetchone()
    for table in _TABLES:
        ((fault, *_), *_) = connection.execute(f"PRAGMA quick_check({table})")
        if fault != "ok":
            raise IndexFileError(path, f"is damaged: {plain(fault)}")
    size = connection.execute("SELECT page_count * page_size FROM pragma_page_count, pragma_page_size")
    most = _FREE_BYTES + _TIMES_READ * size.fetchone()[0]
    for table, column, texts in (
        ("messages", "message_id", MESSAGE_COLUMNS),
        ("urls", "url_id", UrlRow._fields),
    ):
        lengths = " + ".join(f"coalesce(length({text}), 0)" for text in texts)
        places = f"SELECT count(id) FROM places WHERE {column} = {table}.id"  # noqa: S608 - of this module
        query = f"SELECT total(({lengths}) * ({places})) FROM {table}"  # noqa: S608 - of this module
        [read] = connection.execute(query).fetchone()
        if read > most:
            raise IndexFileError(path, f"has texts in {table} that are too long for the number of places")


def _counts() -> Iterator[str]:
    """Yield the queries that count the entries of each table and index, one by one: count(*) is one step."""
    for table in _TABLES:
        yield f"SELECT count(1) FROM {table} NOT INDEXED"  # noqa: S608 - of this module
    for (kind, name), (table, *tokens) in _own_schema():
        if kind == "index":
            condition = " ".join(tokens[tokens.index("WHERE") :]) if "WHERE" in tokens else ""
            yield f"SELECT count(1) FROM {table} INDEXED BY {name} {condition}"  # noqa: S608 - of this module
