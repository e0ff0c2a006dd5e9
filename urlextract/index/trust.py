"""What a stranger may have given an index that comes from elsewhere: pages without end, and its schema.

The schema of the file decides what a statement runs. For the files beside it see `databases`.
"""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing, suppress
from functools import lru_cache
from itertools import chain, repeat

from urlextract import databases
from urlextract.errors import IndexFileError
from urlextract.grammar.patterns import lazy_re
from urlextract.index.schema import SCHEMA
from urlextract.output.escaping import plain


def files_of(path: str) -> list[str]:
    """Return the files of an index (`databases.files_of`); raise `IndexFileError` if none can be named so."""
    try:
        return databases.files_of(path)
    except ValueError:
        raise IndexFileError(path, "no file can have this name") from None


# --- the connection ---------------------------------------------------------------------------------

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
            how = f" with DROP TRIGGER {_quoted(shown)}" if shown == name else ""
            words = f"has the trigger {shown}, which is not of this program: remove it in sqlite3{how}"
            raise IndexFileError(path, words)
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


def _quoted(name: str) -> str:
    """Return a name as SQL has it, whatever is in it."""
    return '"{}"'.format(name.replace('"', '""'))


def _form(sql: object) -> str:
    """Return the text of an entry with one blank for blanks and comments."""
    return _BLANKS.sub(" ", str(sql))
