"""Records as rows of Parquet, and back: for databases and data frames, by pyarrow.

The columns are the keys of the JSON records, except the version and those that only ``--parse`` fills:
numbers are numbers, lists are lists, ``date`` is a point in time in UTC, null if it cannot be read, and
``date_field`` is the field as it was written. After these come columns that an index has, too, by which links
are counted and compared, and the context: all but this are computed from the record, and not read back.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, BinaryIO

from urlextract.conversion import record_of
from urlextract.errors import MissingExtraError, SourceError
from urlextract.grammar.domains import registered_domain
from urlextract.output.escaping import valid_value
from urlextract.pipeline.surroundings import LONGEST_CONTEXT
from urlextract.record_keys import KEYS, SCHEMA_VERSION
from urlextract.results import Found
from urlextract.schemes.url import host_name_of, normal_form

_COMPUTED = ("domain", "key", "target", "target_domain", "context")
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


_LEFT_OUT = ("v", "violations", "warnings", "parsed")
_KEYS = [key for key in KEYS if key.name not in _LEFT_OUT and not key.is_extra]


def _schema(pa: Any) -> Any:
    """Return the columns: the keys of a record, with types of pyarrow."""
    types = {
        "string": pa.string(),
        "integer": pa.int64(),
        "number": pa.float64(),
        "list of strings": pa.list_(pa.string()),
        "list of integers": pa.list_(pa.int64()),
        "list of lists of integers": pa.list_(pa.list_(pa.int64())),
    }
    columns: list[tuple[str, Any]] = []
    for key in _KEYS:
        kind = key.kind.removesuffix(" or null")
        if key.name == "date":
            columns.append(("date", pa.timestamp("us", "UTC")))
        elif kind == "list of objects":
            columns.append(
                (key.name, pa.list_(pa.struct([(each.name, types[each.kind]) for each in key.parts])))
            )
        else:
            columns.append((key.name, types[kind]))
    columns += [(name, pa.string()) for name in _COMPUTED]
    return pa.schema(columns)


def write_parquet(records: Iterable[Found], stream: BinaryIO) -> int:
    """Write records as a Parquet file; return their number."""
    pa = pyarrow_for("a part in Parquet")
    schema = _schema(pa)
    rows: list[dict[str, Any]] = []
    count = 0
    with pa.parquet.ParquetWriter(stream, schema, compression="zstd") as writer:

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
    target = found.unwrapped if found.wrapped_by else None
    context = found.context and found.context[:LONGEST_CONTEXT]
    key, domain, of_target = normal_form(found.url), _domain_of(found.url), _domain_of(target or found.url)
    computed = zip(_COMPUTED, (domain, key, target, of_target, context), strict=True)
    record = {**record_of(found), **dict(computed)}
    valid = {key: valid_value(value) for key, value in record.items()}
    return {**valid, "date": found.origin.date_time}


def _domain_of(url: str) -> str | None:
    """Return the registered domain of the host of a URL, or the host if it has none."""
    host = host_name_of(url)
    return (registered_domain(host.removesuffix(".")) or host) if host else None


def read_parquet(stream: BinaryIO, name: str) -> Iterator[dict[str, Any]]:
    """Yield the records of a Parquet file, as `write_parquet` has written them, each with its context.

    Raise `SourceError` for a file that cannot be read, and `MissingExtraError` without pyarrow.
    """
    rest = {"v": SCHEMA_VERSION, **dict.fromkeys(_LEFT_OUT[1:])}
    not_read = {"date", *_COMPUTED} - {"context"}
    pa = pyarrow_for(name)
    try:
        with pa.parquet.ParquetFile(stream) as file:
            columns = [column for column in file.schema_arrow.names if column not in not_read]
            for batch in file.iter_batches(_ROWS, columns=columns):
                yield from ({**rest, **row, "date": None} for row in batch.to_pylist())
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        raise SourceError(name, str(error).partition("\n")[0] or "cannot be read") from None
