"""Records as rows of a table: ``--csv`` (RFC 4180), for spreadsheets and databases, and ``--fields``."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable
from functools import lru_cache
from operator import attrgetter
from typing import Any

from urlextract.grammar.defanged import defang
from urlextract.grammar.patterns import lazy_re
from urlextract.output.escaping import valid_text
from urlextract.output.jsonl import json_line
from urlextract.output.outputs import OutputOptions
from urlextract.records import Alternative
from urlextract.results import Found, keys_with

COLUMNS = tuple(keys_with("column"))
"""The columns of a table if no others are asked for: keys of the record."""

# The beginning of a field, and in it of what is a cell if ";", "|" or tabs are taken for the separators: to
# such a reader our quotes are letters within a cell, and do not keep it together, over a line end neither.
# Behind blanks, quotes and controls, which readers drop, is the sign of a formula, also in full width.
_CELL = lazy_re('(?:\\A|[;|\t\r\n])[;|\\s"\x00-\x1f\x7f\u200b\ufeff]*+([=+\\-@\uff1d\uff0b\uff0d\uff20]?)')
_SPACE = lazy_re("[\\x00-\\x1f\\x7f\\x85\u2028\u2029]+")
_STANDARD_INPUT = "-"
_LINE_END = "\r\n"


_DEFANGED = "defanged"
_ATTRIBUTES = {"from": "from_", _DEFANGED: "url"}


@lru_cache(maxsize=16)
def _getter(names: tuple[str, ...]) -> Callable[[Found], tuple[Any, ...]]:
    fields = [_ATTRIBUTES.get(name, name) for name in names]
    return attrgetter(fields[0], *fields)  # the first one twice: of one name alone it would return no tuple


def values_of(found: Found, names: tuple[str, ...] = COLUMNS) -> list[Any]:
    """Return the values of keys of a record: numbers and texts, None for what is not known.

    Repairs and defects are their codes, alternatives their URLs, with semicolons between them; other lists
    are JSON.
    """
    values = [_value(value) for value in _getter(names)(found)[1:]]
    if _DEFANGED in names:
        values[names.index(_DEFANGED)] = defang(found.url)
    return values


def _value(value: Any) -> Any:
    if not isinstance(value, tuple):
        return value
    if value and isinstance(value[0], int | tuple):
        return json_line(value)
    return "; ".join(each.url if isinstance(each, Alternative) else each.code for each in value)


def header_row(output: OutputOptions) -> str:
    """Return the names of the columns as a row of CSV, without a line end."""
    return _row(output.fields or COLUMNS)


def line_of(found: Found, output: OutputOptions) -> str:
    """Return a row of CSV, without a line end."""
    return _row(map(_safe, values_of(found, output.fields or COLUMNS)))


def tabbed_line_of(found: Found, output: OutputOptions) -> str:
    """Return values with tabs between them; blanks are in place of the tabs and line ends in a value."""
    values = values_of(found, output.fields or COLUMNS)
    return "\t".join("" if each is None else _SPACE.sub(" ", valid_text(str(each))) for each in values)


def _safe(value: Any) -> Any:
    """Return a text of which no spreadsheet makes a formula, in valid Unicode; return a number unchanged."""
    if not isinstance(value, str) or value == _STANDARD_INPUT:
        return value
    return _CELL.sub(_without_formula, valid_text(value))


def _without_formula(cell: re.Match[str]) -> str:
    """Return the beginning of a cell with an apostrophe before the sign of a formula."""
    return f"{cell[0][:-1]}'{cell[1]}" if cell[1] else cell[0]


def _row(values: Any) -> str:
    line = io.StringIO()
    csv.writer(line, lineterminator=_LINE_END).writerow(values)  # fields with parts of it are quoted
    return line.getvalue().removesuffix(_LINE_END)
