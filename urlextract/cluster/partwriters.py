"""The formats of part files: lines of JSON, as ``urlextract -j`` prints them, in Zstandard, and Parquet."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from itertools import islice
from typing import BinaryIO

from urlextract.output.jsonl import json_line
from urlextract.output.parquet import pyarrow_for, write_parquet
from urlextract.results import Found

if sys.version_info >= (3, 14):
    from compression.zstd import ZstdCompressor
else:
    from backports.zstd import ZstdCompressor


SUFFIXES = {"jsonl": "jsonl.zst", "parquet": "parquet"}
"""The formats, each with the end of the names of its files."""

_LEVEL = 3  # of Zstandard
_LINES = 100  # that are compressed at a time


def check_writer(to: str) -> None:
    """Raise `MissingExtraError` if the library for a format of parts is not installed."""
    if to == "parquet":
        pyarrow_for("--to parquet")


def write_records(records: Iterable[Found], stream: BinaryIO, to: str) -> int:
    """Write records as lines of JSON that are compressed, or as a Parquet file; return their number."""
    if to == "parquet":
        return write_parquet(records, stream)
    return _write_lines(records, stream)


def _write_lines(records: Iterable[Found], stream: BinaryIO) -> int:
    count = 0
    compressor = ZstdCompressor(_LEVEL)
    lines = (f"{json_line(found)}\n" for found in records)
    while some := list(islice(lines, _LINES)):
        stream.write(compressor.compress("".join(some).encode()))
        count += len(some)
    stream.write(compressor.flush())  # a frame, also for no records
    return count
