"""Load parts into an index: files of the records that ``urlextract -j`` prints, such as those of a cluster.

A part is loaded in one transaction, as a whole or not at all.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator
from typing import Any, NamedTuple

from urlextract.cluster.stores import RECORDS, FilesAndObjects, files_in, resolved, store_errors
from urlextract.errors import SourceError
from urlextract.grammar.patterns import lazy_re
from urlextract.index.writing import PART
from urlextract.output.parquet import read_parquet
from urlextract.results import Found
from urlextract.sources.checkpoint import FileRow
from urlextract.sources.compress import DecompressionBudget, decompress
from urlextract.sources.folders.tree import Stamp
from urlextract.sources.streams import Origin, blocks_of_file

_PARQUET = ".parquet"
_HASH = lazy_re("[0-9a-f]{32}")
_LONGEST = 64 * 1024 * 1024  # bytes of a record
_BLOCK = 1 << 20
_MOST = 1 << 62  # SQLite's integers have 64 bits


class Part(NamedTuple):
    """A file of records: its path or URL, and its stamp."""

    path: str
    stamp: Stamp

    def row(self) -> FileRow:
        """Return what is noted of the part; raise `SourceError` if it cannot be read.

        Of an object in a store that names no version, that is a hash of its bytes.
        """
        mark = self.stamp.mark
        if mark is None:
            found = hashlib.blake2b(digest_size=16)
            with store_errors(self.path), FilesAndObjects().open(self.path) as stream:
                while block := stream.read(_BLOCK):
                    found.update(block)
            mark = found.hexdigest()
        path = os.fsencode(resolved(self.path))
        return (path, self.stamp.size, str(mark), PART, None, 0, 0, 0, 0, 0)


def parts_in(folder: str) -> list[Part]:
    """Return the parts in a directory or below a URL; raise `SourceError` if there are none."""
    with store_errors(folder):
        stamps = files_in(folder)
    names = [each for each in sorted(stamps) if each.endswith(RECORDS) and not each.startswith(".")]
    if not names:
        raise SourceError(folder, f"no records in this directory ({', '.join(RECORDS)})")
    return [Part(os.path.join(folder, each), stamps[each]) for each in names]


def found_in_part(path: str) -> Iterator[tuple[Found, bytes | None]]:
    """Yield the records of a part, each with the hash of its message, None if it has none.

    Raise `SourceError` for the first one that is none.

    >>> import tempfile
    >>> from urlextract import extract
    >>> with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as part:
    ...     for found in extract("http://a.example/"):
    ...         print(json.dumps(found.to_dict()), file=part, flush=True)
    ...     [(found.url, found_hash) for found, found_hash in found_in_part(part.name)]
    [('http://a.example/', None)]
    """
    for number, given in enumerate(_records(path), 1):
        try:
            record = given if isinstance(given, dict) else json.loads(given)
            found = Found.from_dict(record)
            check_places(found)
            found_hash = record.get("hash")
            yield found, None if found_hash is None else _hash_in(found_hash)
        except (ValueError, TypeError, RecursionError) as error:
            kind = "row" if path.endswith(_PARQUET) else "line"
            raise SourceError(path, f"{kind} {number} is no record: {error}") from None


def _hash_in(text: object) -> bytes:
    """Return the hash of a message that a record has."""
    if not isinstance(text, str) or not _HASH.fullmatch(text):
        raise ValueError("its hash is not one of 32 hexadecimal digits")
    return bytes.fromhex(text)


def _records(path: str) -> Iterator[bytes | dict[str, Any]]:
    """Yield the lines of a file of JSON, or the records of a Parquet file with their contexts."""
    with store_errors(path):
        if path.endswith(_PARQUET):
            with FilesAndObjects().open(path) as stream:
                yield from read_parquet(stream, path)
        else:
            yield from _lines(path)


def check_places(found: Found) -> None:
    """Raise `ValueError` for numbers that are none of a place."""
    places = found.line, found.column, *found.span, found.byte, found.message, found.offset
    if not all(origin is None or 0 <= origin < _MOST for origin in places):
        raise ValueError("a place is out of range")
    if not 0 <= found.confidence <= 1:  # a record in hand was not read from a dictionary
        raise ValueError("the confidence is not from 0 to 1")


def _lines(path: str) -> Iterator[bytes]:
    damage: list[SourceError] = []
    origin = Origin(path, damage.append, FilesAndObjects().open)
    held: list[bytes] = []
    size = 0
    for block in decompress(blocks_of_file(path, origin), DecompressionBudget(origin)):
        *ended, rest = block.split(b"\n")
        for line in ended:
            yield b"".join((*held, line))
            held, size = [], 0
        held.append(rest)
        size += len(rest)
        if size > _LONGEST:
            raise SourceError(path, f"a line has more than {_LONGEST} bytes")
    if damage:
        raise damage[0]
    if size:
        yield b"".join(held)
