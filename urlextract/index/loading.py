"""Load parts into an index: files of the records that ``urlextract -j`` prints, such as those of a cluster.

A part is loaded in one transaction, as a whole or not at all.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator
from typing import Any

from urlextract.errors import SourceError
from urlextract.index.store import Source, kept_name
from urlextract.output.parquet import read_parquet
from urlextract.results import Found
from urlextract.run.manifest import MANIFEST, read_manifest
from urlextract.sources.compress import DecompressionBudget, decompress
from urlextract.sources.streams import Place, blocks_of_file

_PARQUET = ".parquet"
_ENDS = (".jsonl", ".jsonl.gz", ".jsonl.zst", _PARQUET)
_NO_PART = "failures.jsonl"  # a cluster's list of what it could not read
_LONGEST = 64 * 1024 * 1024  # bytes of a record
_BLOCK = 1 << 20
_MOST = 1 << 62  # SQLite's integers have 64 bits


def listed_parts(folder: str) -> list[str] | None:
    """Return the parts that the manifest of a directory names, in its order; None if there is no manifest.

    Raise `SourceError` if it cannot be read, or if one of its parts is not there.
    """
    path = os.path.join(folder, MANIFEST)
    try:
        with open(path, "rb") as stream:
            data = stream.read()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise SourceError(path, error.strerror or str(error), errno=error.errno) from None
    manifest = read_manifest(data, path)
    with os.scandir(folder) as entries:
        sizes = {entry.name: entry.stat().st_size for entry in entries if entry.is_file()}
    if missing := manifest.missing(sizes):
        count = "1 part that it names" if len(missing) == 1 else f"{len(missing):,} parts that it names"
        are = "is" if len(missing) == 1 else "are"
        raise SourceError(path, f"{count} {are} not there, or not whole: {missing[0]}")
    return [os.path.join(folder, part.name) for part in manifest.parts]


def parts_in(folder: str) -> list[str]:
    """Return the parts in a directory, in the order of their names; raise `SourceError` if there are none."""
    try:
        names = sorted(os.listdir(folder))
    except OSError as error:
        raise SourceError(folder, error.strerror or str(error), errno=error.errno) from None
    parts = [
        os.path.join(folder, name)
        for name in names
        if name.endswith(_ENDS) and not name.startswith(".") and name != _NO_PART
    ]
    if not parts:
        raise SourceError(folder, f"no records in this directory ({', '.join(_ENDS)})")
    return parts


def hash_of_part(path: str) -> str:
    """Return a hash of the bytes of a part; raise `SourceError` if it cannot be read."""
    found = hashlib.blake2b(digest_size=16)
    try:
        with open(path, "rb", buffering=0) as stream:
            while block := stream.read(_BLOCK):
                found.update(block)
    except OSError as error:
        raise SourceError(path, error.strerror or str(error), errno=error.errno) from None
    return found.hexdigest()


def found_in_part(path: str, part: str | None = None) -> Iterator[tuple[Found, Source]]:
    """Yield the records of a part, each with its source; raise `SourceError` for the first one that is none.

    ``part`` is the path of the part in the index.

    >>> import tempfile
    >>> from urlextract import extract
    >>> with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as part:
    ...     for found in extract("http://a.example/"):
    ...         print(json.dumps(found.to_dict()), file=part, flush=True)
    ...     [found.url for found, _ in found_in_part(part.name)]
    ['http://a.example/']
    """
    for number, given in enumerate(_records(path), 1):
        try:
            found = Found.from_dict(given if isinstance(given, dict) else json.loads(given))
            _check(found)
        except (ValueError, TypeError, RecursionError) as error:
            place = "row" if path.endswith(_PARQUET) else "line"
            raise SourceError(path, f"{place} {number} is no record: {error}") from None
        yield found, source_of(found, part)


def source_of(found: Found, part: str | None = None) -> Source:
    """Return the source that a record names, in a part."""
    name = found.source or ""
    return Source(kept_name(name), name, part=part)


def _records(path: str) -> Iterator[bytes | dict[str, Any]]:
    """Yield the lines of a file of JSON, or the records of a Parquet file."""
    if path.endswith(_PARQUET):
        return read_parquet(path)
    return _lines(path)


def _check(found: Found) -> None:
    """Raise `ValueError` for numbers that are none of a place."""
    places = found.line, found.column, *found.span, found.byte, found.message, found.offset
    if not all(place is None or 0 <= place < _MOST for place in places):
        raise ValueError("a place is out of range")
    if not 0 <= found.confidence <= 1:
        raise ValueError("the confidence is not from 0 to 1")


def _lines(path: str) -> Iterator[bytes]:
    damage: list[SourceError] = []
    place = Place(path, damage.append)
    held: list[bytes] = []
    size = 0
    for block in decompress(blocks_of_file(path, place), DecompressionBudget(place)):
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
