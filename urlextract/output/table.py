"""Records as rows of a table, for spreadsheets and databases: ``--csv`` (RFC 4180)."""

from __future__ import annotations

import csv
import io
import re
from typing import Any

from urlextract.grammar.patterns import lazy_re
from urlextract.output.escaping import valid_text
from urlextract.output.outputs import OutputOptions
from urlextract.record_keys import KEYS, keyed_values
from urlextract.results import Found

_KEYS = sorted((key for key in KEYS if key.column is not None), key=lambda key: key.column or 0)

_values = keyed_values(_KEYS)

COLUMNS = tuple(key.name for key in _KEYS)
"""The columns of a table: keys of the record (see `Found.to_dict`), in their order."""

# The beginning of a field, and in it of what is a cell if ";", "|" or tabs are taken for the separators: to
# such a reader our quotes are letters within a cell, and do not keep it together, over a line end neither.
# Behind blanks, quotes and controls, which readers drop, is the sign of a formula, also in full width.
_CELL = lazy_re('(?:\\A|[;|\t\r\n])[;|\\s"\x00-\x1f\x7f\u200b\ufeff]*+([=+\\-@\uff1d\uff0b\uff0d\uff20]?)')
_STANDARD_INPUT = "-"
_LINE_END = "\r\n"


def values_of(found: Found) -> list[Any]:
    """Return the values of a row: numbers and texts, None for what is not known.

    The texts of a list are joined by semicolons.
    """
    values = _values(found)
    return [_value(values[name]) for name in COLUMNS]


def _value(value: Any) -> Any:
    return "; ".join(value) if isinstance(value, list) else value


def header_row() -> str:
    """Return the names of the columns as a row of CSV, without a line end."""
    return _row(COLUMNS)


def line_of(found: Found, _: OutputOptions) -> str:
    """Return a row of CSV, without a line end."""
    return _row(map(_safe, values_of(found)))


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
