"""Records as rows of a table, for spreadsheets and databases: ``--csv`` (RFC 4180)."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING, Any

from urlextract.conversion import record_of
from urlextract.grammar.patterns import lazy_re
from urlextract.output.jsonl import valid_text

if TYPE_CHECKING:
    from urlextract.results import Found

__all__ = ["COLUMNS", "csv_row", "header_row", "values_of"]

COLUMNS = (
    "source", "message", "part", "header", "line", "column", "url", "scheme", "host", "form", "confidence",
    "text", "shown", "differs", "defects", "message_id", "date", "from", "to", "subject", "list_id",
    "newsgroups",
)  # fmt: skip
"""The columns of a table: keys of the record (see `Found.to_dict`), in their order."""

# What a spreadsheet takes for a formula, also in full width; a line end may hide it. "-" alone is none.
_FORMULA = lazy_re("[=+\\-@\t\r\n\uff1d\uff0b\uff0d\uff20](?s:.)")
_LINE_END = "\r\n"


def values_of(found: Found) -> list[Any]:
    """Return the values of a row: numbers and texts, None for what is not known.

    The texts of a list are joined by semicolons.
    """
    record = record_of(found)
    return [_value(record[column]) for column in COLUMNS]


def _value(value: Any) -> Any:
    return "; ".join(value) if isinstance(value, list) else value


def header_row() -> str:
    """Return the names of the columns as a row of CSV, without a line end."""
    return _row(COLUMNS)


def csv_row(found: Found) -> str:
    """Return a row of CSV, without a line end."""
    return _row(map(_safe, values_of(found)))


def _safe(value: Any) -> Any:
    """Return a text that no spreadsheet takes for a formula, in valid Unicode; return a number unchanged."""
    if not isinstance(value, str):
        return value
    text = valid_text(value)
    return f"'{text}" if _FORMULA.match(text) else text


def _row(values: Any) -> str:
    line = io.StringIO()
    csv.writer(line, lineterminator=_LINE_END).writerow(values)  # fields with parts of it are quoted
    return line.getvalue().removesuffix(_LINE_END)
