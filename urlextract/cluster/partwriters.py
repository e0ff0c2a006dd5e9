"""The formats of part files: lines of JSON, compressed by Zstandard, and Parquet.

The lines are those of ``urlextract -j``. The columns of Parquet are the keys of these records, except the
version and those that only ``--parse`` fills: numbers are numbers, lists are lists, ``date`` is a point in
time in UTC, null if it cannot be read, and ``date_field`` is the field as it was written.
"""

from __future__ import annotations

import sys
from itertools import islice
from typing import TYPE_CHECKING, Any, BinaryIO

from urlextract.cluster.stores import MissingExtraError
from urlextract.conversion import KEYS, record_of
from urlextract.output.jsonl import json_line, valid_text

if TYPE_CHECKING:
    from collections.abc import Iterable

    from urlextract.results import Found

__all__ = ["SUFFIXES", "check_writer", "write_records"]

SUFFIXES = {"jsonl": "jsonl.zst", "parquet": "parquet"}
"""The formats, each with the end of the names of its files."""

_ROWS = 10_000  # records that are held until they are written to a Parquet file
_LEVEL = 3  # of Zstandard
_LINES = 100  # that are compressed at a time


def check_writer(to: str) -> None:
    """Raise `MissingExtraError` if the library for a format of parts is not installed."""
    if to == "parquet":
        try:
            import pyarrow.parquet  # noqa: PLC0415, F401 - for this format only
        except ImportError:
            raise MissingExtraError(
                "--to parquet needs pyarrow: pip install 'urlextract-mail[parquet]'"
            ) from None


def write_records(records: Iterable[Found], stream: BinaryIO, to: str) -> int:
    """Write records as lines of JSON that are compressed, or as a Parquet file; return their number."""
    return _write_parquet(records, stream) if to == "parquet" else _write_lines(records, stream)


def _write_lines(records: Iterable[Found], stream: BinaryIO) -> int:
    if sys.version_info >= (3, 14):
        from compression.zstd import ZstdCompressor  # noqa: PLC0415 - for this format only
    else:
        from backports.zstd import ZstdCompressor  # noqa: PLC0415 - as above
    count = 0
    compressor = ZstdCompressor(_LEVEL)
    lines = (f"{json_line(record_of(found))}\n" for found in records)
    while some := list(islice(lines, _LINES)):
        stream.write(compressor.compress("".join(some).encode()))
        count += len(some)
    stream.write(compressor.flush())  # a frame, also for no records
    return count


# The types of Parquet by the key of the record; those of `_TEXTS` are texts.
_NUMBERS = ("start", "end", "byte", "line", "column", "message", "offset", "length", "occurrence")
_LISTS = ("repairs", "repair_codes", "defects", "defect_codes")
_LEFT_OUT = ("v", "violations", "warnings", "parsed")


def _schema() -> Any:
    """Return the columns: the keys of a record, with types."""
    import pyarrow as pa  # noqa: PLC0415 - for this format only

    pair = pa.list_(pa.int64())
    types: dict[str, Any] = dict.fromkeys(_NUMBERS, pa.int64()) | dict.fromkeys(_LISTS, pa.list_(pa.string()))
    types |= {
        "inner": pair,
        "pieces": pa.list_(pair),
        "alternatives": pa.list_(pa.struct([("url", pa.string()), ("reason", pa.string())])),
        "confidence": pa.float64(),
        "date": pa.timestamp("us", "UTC"),
    }
    columns = [(key, types.get(key, pa.string())) for key in KEYS if key not in _LEFT_OUT]
    columns.insert([name for name, _ in columns].index("date") + 1, ("date_field", pa.string()))
    return pa.schema(columns)


def _write_parquet(records: Iterable[Found], stream: BinaryIO) -> int:
    import pyarrow as pa  # noqa: PLC0415 - for this format only
    from pyarrow.parquet import ParquetWriter  # noqa: PLC0415 - as above

    schema = _schema()
    rows: list[dict[str, Any]] = []
    count = 0
    with ParquetWriter(stream, schema, compression="zstd") as writer:

        def write() -> None:
            writer.write_table(pa.Table.from_pylist(rows, schema))
            rows.clear()

        for found in records:
            rows.append(_row(found))
            count += 1
            if len(rows) == _ROWS:
                write()
        if rows:
            write()
    return count


def _row(found: Found) -> dict[str, Any]:
    """Return a row of Parquet: the record in valid Unicode, with its date as a point in time."""
    record = {key: _valid(value) for key, value in record_of(found).items()}
    return {**record, "date_field": record["date"], "date": found.origin.date_time}


def _valid(value: Any) -> Any:
    if isinstance(value, str):
        return value if value.isascii() else valid_text(value)
    if isinstance(value, list):
        return [_valid(each) for each in value]
    return {key: _valid(each) for key, each in value.items()} if isinstance(value, dict) else value
