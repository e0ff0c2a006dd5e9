"""Records as rows of Parquet, and back: for databases and data frames, by pyarrow.

The columns are the keys of the JSON records, except the version and those that only ``--parse`` fills:
numbers are numbers, lists are lists, and ``date`` is a point in time in UTC. A part has three more.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any, BinaryIO

from msgspec import inspect as info

from urlextract.errors import MissingExtraError, SourceError
from urlextract.output.escaping import valid_value
from urlextract.pipeline.surroundings import LONGEST_CONTEXT
from urlextract.results import SCHEMA_VERSION, Found

_OF_PART = ("key", "domain", "hash")
_LEFT_OUT = ("v", "violations", "warnings", "parsed")
_ROWS = 10_000  # records that are held at a time


def pyarrow_for(what: str) -> Any:
    """Return pyarrow, with its module for Parquet.

    Raise `MissingExtraError` if it is not installed, without which ``what`` is not possible.
    """
    try:
        import pyarrow.parquet
    except ImportError:
        raise MissingExtraError(f"{what} needs pyarrow: pip install 'urlextract-mail[parquet]'") from None
    return pyarrow


def _schema(pa: Any) -> Any:
    """Return the columns: the keys of a record, with types of pyarrow."""
    fields = {each.encode_name: each.type for each in info.type_info(Found).fields}  # type: ignore[attr-defined]
    columns = [(name, _type(pa, kind)) for name, kind in fields.items() if name not in _LEFT_OUT]
    moment = ("date", pa.timestamp("us", "UTC"))
    columns = [moment if name == "date" else (name, kind) for name, kind in columns]
    return pa.schema([*columns, *((name, pa.string()) for name in _OF_PART)])


def _type(pa: Any, kind: info.Type) -> Any:
    """Return the type of pyarrow for the type of a field."""
    match kind:
        case info.Metadata(type=inner):
            return _type(pa, inner)
        case info.UnionType(types=types):
            return _type(pa, next(each for each in types if not isinstance(each, info.NoneType)))
        case info.IntType():
            return pa.int64()
        case info.FloatType():
            return pa.float64()
        case info.NamedTupleType():
            return pa.list_(pa.int64())
        case info.VarTupleType(item_type=item):
            return pa.list_(_type(pa, item))
        case info.StructType(fields=fields):
            return pa.struct([(each.encode_name, _type(pa, each.type)) for each in fields])
    return pa.string()


def write_parquet(records: Iterable[tuple[Found, dict[str, Any]]], stream: BinaryIO) -> int:
    """Write records, each with the further keys of a part, as a Parquet file; return their number."""
    pa = pyarrow_for("a part in Parquet")
    schema = _schema(pa)
    rows: list[dict[str, Any]] = []
    count = 0
    with pa.parquet.ParquetWriter(stream, schema, compression="zstd") as writer:

        def write() -> None:
            writer.write_table(pa.Table.from_pylist(rows, schema))
            rows.clear()

        for record in records:
            rows.append(_row(*record))
            count += 1
            if len(rows) == _ROWS:
                write()
        if rows:
            write()
    return count


def _row(found: Found, more: dict[str, Any]) -> dict[str, Any]:
    """Return a row of Parquet: the record in valid Unicode, with its date as a point in time."""
    record = {**found.to_dict(), **more, "context": found.context and found.context[:LONGEST_CONTEXT]}
    valid = {name: valid_value(value) for name, value in record.items()}
    return {**valid, "date": found.date and datetime.fromisoformat(found.date)}


def read_parquet(stream: BinaryIO, name: str) -> Iterator[dict[str, Any]]:
    """Yield the records of a Parquet file, as `write_parquet` has written them, each with its context.

    Raise `SourceError` for a file that cannot be read, and `MissingExtraError` without pyarrow.
    """
    pa = pyarrow_for(name)
    try:
        with pa.parquet.ParquetFile(stream) as file:
            for batch in file.iter_batches(_ROWS):
                for row in batch.to_pylist():
                    date = row.get("date")
                    yield {
                        "v": SCHEMA_VERSION,
                        **row,
                        "date": date and date.isoformat().replace("+00:00", "Z"),
                    }
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        raise SourceError(name, str(error).partition("\n")[0] or "cannot be read") from None
