"""The parts in a directory or below a URL: the results of a stretch each, whole or not there.

In a directory a part is written to a draft beside it, which is renamed; an object store gets it in one
request. So a part may be written twice at a time, and a writer killed at any moment.
"""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from itertools import islice
from tempfile import NamedTemporaryFile
from typing import Any, BinaryIO, NamedTuple

from urlextract.cluster.stores import (
    PAGES,
    FilesAndObjects,
    file_system,
    files_in,
    is_url,
    open_stamped,
    store_errors,
    words_of,
)
from urlextract.errors import SourceError, UrlExtractError
from urlextract.grammar.patterns import lazy_re
from urlextract.output.jsonl import json_line
from urlextract.output.parquet import pyarrow_for, write_parquet
from urlextract.pipeline.options import options_of
from urlextract.records import Item, RawMessage
from urlextract.replacing import draft_of, remove_drafts
from urlextract.results import Found
from urlextract.run.results import found_in
from urlextract.sources.checkpoint import hashed
from urlextract.sources.folders.tree import File, Stamp
from urlextract.sources.resuming import mark_of_inbox
from urlextract.sources.streams import Origin
from urlextract.sources.stretches import Stretch, read_stretch

if sys.version_info >= (3, 14):
    from compression.zstd import ZstdCompressor
else:
    from backports.zstd import ZstdCompressor

SUFFIXES = {"jsonl": ".jsonl.zst", "parquet": ".parquet"}
"""The formats of parts, each with the end of their names."""

_NAME = lazy_re(r"[0-9a-f]{32}\.(?:jsonl\.zst|parquet)(?:\.[0-9a-f]{12})?")
_LARGEST_READ = 16 << 20  # bytes of a small file
# Object stores: what is written there is visible when it is complete
_ATOMIC = frozenset(("s3", "s3a", "gs", "gcs", "az", "abfs", "abfss", "adl", "oss", "r2"))


class Parts(NamedTuple):
    """The parts in a directory, which is made if there is none, or below a URL: ``out`` without a slash.

    Errors are `SourceError`, with the name of what cannot be written or read.
    """

    out: str

    def prepare(self) -> None:
        """Make the directory; raise `UrlExtractError` if that cannot be."""
        if self.out.startswith(PAGES):
            raise UrlExtractError(f"{self.out}: http and https can be read only")
        with store_errors(self.out):
            if not is_url(self.out):
                os.makedirs(self.out, exist_ok=True)
            elif not self._is_atomic():
                system, path = file_system(self.out)
                system.makedirs(path, exist_ok=True)

    def _is_atomic(self) -> bool:
        protocols = file_system(self.out)[0].protocol
        return not _ATOMIC.isdisjoint((protocols,) if isinstance(protocols, str) else protocols)

    def names(self) -> set[str]:
        """Return the names of the parts, and of what those left who could not finish."""
        return {name for name in self.files() if _NAME.fullmatch(name)}

    def files(self) -> Iterable[str]:
        """Return the names of all files."""
        with store_errors(self.out), suppress(FileNotFoundError):  # a store has no empty directories
            return files_in(self.out)
        return ()

    @contextmanager
    def writing(self, name: str) -> Iterator[BinaryIO]:
        """Yield a stream; what is written to it becomes the file ``name``, unless anything fails.

        Errors of a directory are `OSError`.
        """
        place = f"{self.out}/{name}"
        if not is_url(place):
            with draft_of(place) as draft:
                yield draft
            return
        with NamedTemporaryFile(prefix="urlextract-") as held:
            yield held.file  # type: ignore[misc]  # typeshed has its class
            held.flush()
            with store_errors(place):
                system, path = file_system(place)
                target = path if self._is_atomic() else f"{path}.{os.urandom(6).hex()}"
                system.put_file(held.name, target)
                if target != path:
                    system.mv(target, path)

    def write(self, name: str, data: bytes) -> None:
        """Write a small file."""
        with store_errors(f"{self.out}/{name}"), self.writing(name) as stream:
            stream.write(data)

    def read(self, name: str) -> bytes | None:
        """Return the content of a small file, None if there is none."""
        place = f"{self.out}/{name}"
        files = FilesAndObjects()
        with store_errors(place), suppress(FileNotFoundError):
            size = files.stamp(place).size
            if size is None or size > _LARGEST_READ:
                raise SourceError(place, "is not of this program")
            with files.open(place) as stream:
                return stream.read()
        return None

    def remove(self, name: str) -> None:
        """Remove a file if it is there."""
        place = f"{self.out}/{name}"
        with store_errors(place), suppress(FileNotFoundError):
            if is_url(place):
                system, path = file_system(place)
                system.rm_file(path)
            else:
                os.unlink(place)

    def sweep(self) -> None:
        """Remove what processes that have died left in the directory."""
        if not is_url(self.out):
            remove_drafts(self.out)


# --- what is in a part ----------------------------------------------------------------------------

_LEVEL = 3  # of Zstandard
_LINES = 100  # that are compressed at a time


def check_writer(to: str) -> None:
    """Raise `MissingExtraError` if the library for a format of parts is not installed."""
    if to == "parquet":
        pyarrow_for("--to parquet")


def write_records(records: Iterable[tuple[Found, bytes | None]], stream: BinaryIO, to: str) -> int:
    """Write records, each with the hash of its message; return their number."""
    rows = ((found, _computed(found, message)) for found, message in records)
    if to == "parquet":
        return write_parquet(rows, stream)
    count = 0
    compressor = ZstdCompressor(_LEVEL)
    lines = (f"{json_line(found)[:-1]},{json_line(more)[1:]}\n" for found, more in rows)
    while some := list(islice(lines, _LINES)):
        stream.write(compressor.compress("".join(some).encode()))
        count += len(some)
    stream.write(compressor.flush())  # a frame, also for no records
    return count


def _computed(found: Found, message: bytes | None) -> dict[str, Any]:
    """Return what the record in a part has more than one that is printed."""
    return {"key": found.key, "domain": found.domain, "hash": message and message.hex()}


# --- how a part is made, in any process -----------------------------------------------------------

_MOST_DAMAGE = 1_000  # errors that a stretch hands over


class Task(NamedTuple):
    """A stretch, and the name of its part; relative paths begin at ``folder``."""

    name: str
    stretch: Stretch
    folder: str

    def __str__(self) -> str:
        first, *more = [file.path for file in self.stretch.files or ()] or [self.stretch.source]
        place = f", byte {self.stretch.start.offset}" if self.stretch.start.offset else ""
        return f"{first}{place}{f', and {len(more)} more' if more else ''}"


class Outcome(NamedTuple):
    """What came of a task: a part with so much in it, or the reason why there is none.

    ``damage`` is what cannot be read of the source. A failure that ``ends`` the run is one of all parts.
    """

    messages: int = 0
    urls: int = 0
    damage: tuple[SourceError, ...] = ()
    failure: str | None = None
    ends: bool = False


def make_part(out: str, to: str, options: Mapping[str, Any], task: Task) -> Outcome:
    """Read the stretch of a task into its part; raise any exception if that may be tried again."""
    try:
        return _Reading(task, options, to).into(Parts(out))
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            words = f"{out}: {os.strerror(error.errno)}: run again when there is room"
            return Outcome(failure=words, ends=True)
        raise


class _Reading:
    """Makes the part of a task: reads its stretch, writes the records, keeps the first damage."""

    def __init__(self, task: Task, options: Mapping[str, Any], to: str) -> None:
        self._task, self._to = task, to
        has_context = to == "parquet"
        self._options = options_of({**options, "context": has_context})._replace(sees=has_context)
        self._stamps = {file.path: file.stamp for file in task.stretch.files or ()}
        self._place = Origin(task.stretch.source, self._note, self._open)
        self._messages = 0
        self._message: bytes | None = None  # the hash of the one that is read
        self._damage: list[SourceError] = []

    def into(self, parts: Parts) -> Outcome:
        """Make the part."""
        for file in self._task.stretch.files or ():
            if with_tips(file) != file:
                raise _changed(file.path)
        with parts.writing(self._task.name) as stream:
            urls = write_records(self._records(), stream, self._to)
        return Outcome(self._messages, urls, tuple(self._damage))

    def _records(self) -> Iterator[tuple[Found, bytes | None]]:
        """Yield the records, each with the hash of its message."""
        return ((found, self._message) for found in found_in(self._items(), self._options, self._note))

    def _items(self) -> Iterator[Item]:
        """Yield the items; all records of one are there before the next one is asked for."""
        for item in read_stretch(self._task.stretch, self._place):
            self._message = None
            if isinstance(item, RawMessage):
                self._messages += 1
                for found, message in hashed(item, self._place):
                    self._message = found
                    yield message
            else:
                yield item

    def _open(self, name: str) -> BinaryIO:
        """Open a file; raise `UrlExtractError` if it is not as it was, or cannot be read."""
        try:
            path = name if is_url(name) else os.path.join(self._task.folder, name)
            stream, stamp = open_stamped(path)
        except FileNotFoundError:
            raise _changed(name) from None
        except (OSError, ValueError) as error:
            words = error.cause if isinstance(error, SourceError) else words_of(error)
            raise UrlExtractError(f"{name}: {words}") from None
        if stamp != self._stamps.get(name, self._task.stretch.stamp):
            stream.close()
            raise _changed(name)
        return stream

    def _note(self, error: SourceError) -> None:
        """Note what is damaged; raise what is no fault of the data."""
        if error.errno is not None:
            raise UrlExtractError(f"{error.source}: {error.cause}")
        if len(self._damage) < _MOST_DAMAGE:
            self._damage.append(error)


def _changed(name: str) -> UrlExtractError:
    """Return the error of a file that has changed since the sources were cut into stretches."""
    return UrlExtractError(f"{name}: has changed during this run: run again")


def with_tips(file: File) -> File:
    """Return a public inbox with absolute paths and its stamp as it is now, any other file as it is."""
    repositories = tuple(map(os.path.abspath, file.repositories))
    if not repositories:
        return file
    return file._replace(repositories=repositories, stamp=Stamp(None, mark_of_inbox(repositories)))
