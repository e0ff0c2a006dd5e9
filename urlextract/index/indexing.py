"""Read sources into an index: find what is new, in several processes, and write it batch by batch.

This process reads the bytes, as the checkpoint says, and gathers them in batches. Other processes make rows
of them; this one writes these, in order. What was read is noted in the transaction that adds its rows, so an
index never has one without the other.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import chain, groupby, islice
from operator import attrgetter
from typing import Any, BinaryIO, NamedTuple, TypeAlias, Unpack, cast

from urlextract.arguments import check_count, check_switches, check_type
from urlextract.cluster.stores import resolved
from urlextract.errors import OnDamage, SourceError, raise_first
from urlextract.index.batches import Batch, Copy, IndexCheckpoint, batches_of
from urlextract.index.database import opened_for_writing, told
from urlextract.index.loading import Part, check_places, found_in_part, parts_in
from urlextract.index.rows import RowMaker, Rows, Where, kept_name
from urlextract.index.trust import files_of
from urlextract.index.writing import IndexWriter
from urlextract.pipeline.entry import check_source, tree_filter_of
from urlextract.pipeline.options import (
    ExtractOptions,
    Options,
    held,
    options_of,
    takes_options,
)
from urlextract.records import Item, SourceFormat
from urlextract.results import Found, IndexRun
from urlextract.run.engine import default_jobs, is_same
from urlextract.run.processes import DAMAGE, RESULT, in_turn
from urlextract.run.progress import Progress
from urlextract.run.results import found_in
from urlextract.sources.folders.tree import TreeFilter, Written
from urlextract.sources.reading import SOURCE_FORMATS, read_source
from urlextract.sources.stretches import Start

Input: TypeAlias = str | os.PathLike[str] | BinaryIO

_PLACES = 1000  # places that are written at a time
_MOST_NAMED = 10  # files that are no longer there, and are named


class Reading(NamedTuple):
    """What is read and how, as `index_sources` has it, and what gets notices and shows the progress."""

    sources: Sequence[Input]
    format: str
    tree_filter: TreeFilter
    given: Mapping[str, Any]
    jobs: int | None
    parts_from: str | None = None
    records: Iterable[Found] = ()
    prune: bool = False
    notice: Callable[[str], None] = lambda _: None
    progress: Progress | None = None


@takes_options()
def index_sources(
    path: str | os.PathLike[str],
    sources: Input | Iterable[Input] = (),
    format: SourceFormat = "auto",
    *,
    include: str | Iterable[str] = (),
    exclude: str | Iterable[str] = (),
    follow: bool = False,
    jobs: int | None = None,
    parts_from: str | os.PathLike[str] | None = None,
    records: Iterable[Found] = (),
    prune: bool = False,
    on_damage: OnDamage | None = None,
    **options: Unpack[Options],
) -> IndexRun:
    r"""Add the URLs of sources to the index ``path``, an SQLite file, which is made if need be.

    Only what is new since earlier calls is read, wherever it lies now; what a source has in place of what it
    had replaces it. With ``prune``, what is no longer there is deleted. A call that was stopped at any moment
    can be made again: nothing is lost, and nothing is there twice. The manual has the tables, under INDEX.

    ``sources`` is a path, a binary stream, or several of them, read by ``jobs`` processes. ``parts_from`` is
    a directory, or a URL such as ``s3://bucket/links``, of files of records, as ``urlextract cluster`` writes
    them. ``records`` are records in hand, all of which are added at each call. The other arguments are those
    of `extract_source`.

    Raise `urlextract.errors.IndexFileError` if the index cannot be read or written, or is another file.
    Without ``on_damage``, the first `SourceError` is raised when everything else was written.

    >>> import io, sqlite3, tempfile
    >>> folder = tempfile.TemporaryDirectory()
    >>> path = os.path.join(folder.name, "links.db")
    >>> mail = b"Subject: tides\nDate: Mon, 14 Nov 1994 09:12:44 +0000\n\nsee http://a.example/\n"
    >>> index_sources(path, io.BytesIO(mail))
    IndexRun(messages=1, places=1, urls=1, damaged=0, gone=())
    >>> with sqlite3.connect(path) as index:
    ...     print(index.execute("SELECT url, date, subject FROM links").fetchall())
    [('http://a.example/', '1994-11-14T09:12:44Z', 'tides')]
    >>> folder.cleanup()
    """
    given = held(options)
    options_of(given)
    if given and sources == () and parts_from is None:
        raise TypeError(f"{', '.join(given)}: options count in sources, and records are taken as they are")
    if format not in SOURCE_FORMATS:
        raise ValueError(f"format: unknown value {format!r}: choose one of {', '.join(SOURCE_FORMATS)}")
    if jobs is not None:
        check_count("jobs", jobs, 1)
    check_type("path", path, (str, os.PathLike), "the path of the index")
    check_type("records", records, Iterable, "an iterable of Found")
    if parts_from is not None:
        check_type("parts_from", parts_from, (str, os.PathLike), "a directory or a URL")
    check_switches(prune=prune)
    tree_filter = tree_filter_of(include, exclude, follow=follow)
    single = (str, bytes, bytearray, memoryview)
    is_one = isinstance(sources, single) or hasattr(sources, "read") or not isinstance(sources, Iterable)
    several = (sources,) if is_one else tuple(cast("Iterable[Input]", sources))
    for source in several:
        check_source(source, is_told=True)
    folder = None if parts_from is None else os.fspath(parts_from)
    reading = Reading(
        cast("tuple[Input, ...]", several), format, tree_filter, given, jobs, folder, records, prune
    )
    damage: list[SourceError] = []
    run = write_index(os.fspath(path), reading, on_damage or damage.append)
    raise_first(damage)
    return run


def write_index(path: str, reading: Reading, on_damage: OnDamage) -> IndexRun:
    """Add what ``reading`` asks for to an index; the errors are those of `index_sources`."""
    own = files_of(path)
    for source in reading.sources:
        if isinstance(source, str | os.PathLike) and any(is_same(os.fspath(source), file) for file in own):
            raise SourceError(os.fspath(source), "the input is also the index")
    with opened_for_writing(path) as connection, told(path):
        return _Run(path, connection, reading, on_damage).run()


class _Run:
    """One run: what it reads, and what it writes."""

    def __init__(
        self, path: str, connection: sqlite3.Connection, reading: Reading, on_damage: OnDamage
    ) -> None:
        self._connection, self._reading, self._on_damage = connection, reading, on_damage
        written = Written([1, 2, *files_of(path)], lambda _: None)
        self._doubles: set[str] = set()  # paths that lead to what was read by another name
        self._tree_filter = reading.tree_filter._replace(written=written, doubles=self._doubles)
        self._checkpoint = IndexCheckpoint(connection)
        self._writer = IndexWriter(connection)
        self._failed: set[str] = set()  # files of which something could not be added
        self._messages = self._places = self._damaged = 0
        self._counts = 0, 0  # of messages and places, before the batch that is being written
        self._latest = _in_utc(datetime.now(UTC) + timedelta(days=1))
        self._options = options_of({**reading.given, "context": True})._replace(sees=True)
        are_files = all(
            isinstance(each, str | os.PathLike) and os.path.exists(each) for each in reading.sources
        )
        jobs = reading.jobs or default_jobs()
        self._jobs = jobs if jobs > 1 and are_files else 0

    def run(self) -> IndexRun:
        """Read everything; return what was found."""
        urls = self._count_urls()
        self._read()
        self._load_parts()
        self._load_records()
        gone = self._end()
        if self._reading.progress:
            self._reading.progress.finish()
        return IndexRun(
            messages=self._messages,
            places=self._places,
            urls=max(0, self._count_urls() - urls),
            damaged=self._damaged,
            gone=gone,
        )

    def _count_urls(self) -> int:
        [count] = self._connection.execute("SELECT count(*) FROM urls").fetchone()
        return int(count)

    def _end(self) -> tuple[str, ...]:
        """Delete what is replaced, and report what is gone, or prune it; return the paths of what is gone."""
        with self._transaction():
            for path in map(os.path.abspath, self._doubles):
                self._writer.delete_below(path)
            self._writer.sweep()
            gone = self._writer.gone(prune=self._reading.prune)
            self._writer.sweep()
        done = ", and deleted from the index" if self._reading.prune else ""
        for path in gone[:_MOST_NAMED]:
            self._reading.notice(f"no longer there{done}: {path}")
        if len(gone) > _MOST_NAMED:
            self._reading.notice(f"no longer there{done}: {len(gone) - _MOST_NAMED:,} further files")
        return tuple(gone)

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        """Write what is written in one transaction, or nothing of it if a source cannot be read."""
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            yield
        except SourceError:
            self._connection.execute("ROLLBACK")
            raise
        self._connection.execute("COMMIT")

    def _tell(self, damage: SourceError) -> None:
        """Report damage."""
        self._damaged += damage.within is None
        self._on_damage(damage)

    # --- sources ----------------------------------------------------------------------------------

    def _read(self) -> None:
        """Read what is new in the sources, and write it batch by batch."""
        batches = batches_of(self._items(), self._checkpoint)
        for is_alone, some in groupby(batches, attrgetter("is_alone")):
            self._read_batches(some, 0 if is_alone else self._jobs)

    def _read_batches(self, batches: Iterator[Batch], jobs: int) -> None:
        """Write batches, of which so many processes make rows if there are several."""
        first = list(islice(batches, 2 if jobs else 0))
        jobs = jobs if len(first) > 1 else 0
        work = partial(_rows_of, self._latest, self._options)
        ids: list[int] | None = None  # of the messages of the batch that is being written
        with closing(in_turn(chain(first, batches), work, jobs)) as steps:
            for batch, step, value in steps:
                if ids is None:
                    self._begin_batch(batch)
                    ids = []
                if step == DAMAGE:
                    self._tell(value)
                elif step == RESULT:
                    self._add(value, ids)
                else:
                    self._end_batch(batch, value)
                    ids = None

    def _items(self) -> Iterator[Item]:
        for source in self._reading.sources:
            self._checkpoint.begin_source()
            yield from read_source(
                source,
                self._reading.format,
                on_damage=self._tell,
                tree_filter=self._tree_filter,
                checkpoint=self._checkpoint,
            )

    def _begin_batch(self, batch: Batch) -> None:
        if not self._connection.in_transaction:
            self._connection.execute("BEGIN IMMEDIATE")
        self._writer.begin_batch(batch)
        self._counts = self._messages, self._places
        self._connection.execute("SAVEPOINT batch")

    def _end_batch(self, batch: Batch, failure: str | None) -> None:
        """Note what was read; report why the rows of the batch could not be made."""
        self._checkpoint.settle(batch)
        if failure:
            self._connection.execute("ROLLBACK TO batch")
            self._writer.forget_urls()
            self._messages, self._places = self._counts
            self._failed |= batch.touched  # these are read again in the next run
            origin = batch.items[0].item.provenance
            count = f": {len(batch.items):,} messages and texts from there on" if len(batch.items) > 1 else ""
            self._tell(SourceError(origin.source or "-", f"{failure}{count}", origin.offset))
            batch.items.clear()
        self._connection.execute("RELEASE batch")
        self._writer.end_batch(batch, self._failed)
        self._messages += batch.messages if not failure else 0
        if not batch.is_alone:
            self._connection.execute("COMMIT")
        if self._reading.progress:
            self._reading.progress.add(batch.bytes, f"{self._messages:,} messages, {self._places:,} places")

    # --- records ----------------------------------------------------------------------------------

    def _load_parts(self) -> None:
        """Load the parts that were not loaded before; delete what is of parts that are no longer there."""
        folder = self._reading.parts_from
        if folder is None:
            return
        try:
            parts = parts_in(folder)
        except SourceError as error:
            self._tell(error)
            return
        with self._transaction():
            self._writer.keep_parts(resolved(folder), {resolved(part.path) for part in parts})
        for part in parts:
            counts = self._messages, self._places
            try:
                self._load(part)
            except SourceError as error:
                self._writer.forget_urls()
                self._messages, self._places = counts
                self._tell(error)

    def _load(self, part: Part) -> None:
        """Load a part, unless it was; raise `SourceError` if it cannot be read."""
        path, row = resolved(part.path), part.row()
        if self._checkpoint.row(path) == row:
            return
        with self._transaction():
            self._writer.begin(kept_name(path), row[0], Start())
            self._add_found(found_in_part(part.path), kept_name(path))
            self._writer.end(kept_name(path), row)

    def _load_records(self) -> None:
        """Add the records in hand."""
        with self._transaction():
            self._add_found((_checked(found), None) for found in self._reading.records)

    def _add_found(self, records: Iterable[tuple[Found, bytes | None]], file: str | None = None) -> None:
        """Write the rows of records, some at a time; ``file`` is the part in which they are.

        Of a message that the index has, the further copy alone is noted.
        """
        maker = RowMaker(self._latest)
        ids: list[int] = []
        known: dict[tuple[object, ...], bool] = {}  # of the messages that have records, which the index had
        hashes: set[bytes] = set()
        for found, found_hash in records:
            where = Where(kept_name(found.source or ""), file)
            own = where.source, found.message, found_hash
            if own not in known:
                known[own] = found_hash is not None and (found_hash in hashes or self._writer.has(found_hash))
                self._messages += found.message is not None and not known[own]
                if found_hash is not None:
                    hashes.add(found_hash)
                    if known[own]:
                        self._add(maker.taken(), ids)
                        self._writer.copy([Copy(found_hash, where, found.message or 0, found.offset)])
            if not known[own]:
                maker.begin(where, found_hash, found.message)
                maker.add(found)
            if len(maker) >= _PLACES:
                self._add(maker.taken(), ids)
        self._add(maker.taken(), ids)

    def _add(self, rows: Rows, ids: list[int]) -> None:
        """Write rows; add the ids of their messages to those of the rows before."""
        self._writer.add(rows, ids)
        self._places += len(rows.places)


def _checked(found: Found) -> Found:
    if not isinstance(found, Found):
        raise TypeError(
            f"records has {type(found).__name__}: they are Found; Found.from_dict makes them of others"
        )
    check_places(found)
    return found


def _rows_of(latest: str, options: ExtractOptions, batch: Batch, on_damage: OnDamage) -> Iterator[Rows]:
    """Yield the rows of a batch, some at a time."""
    maker = RowMaker(latest)
    for found in found_in(_begun(batch, maker), options, on_damage, on_message=maker.add_message):
        maker.add(found)
        if len(maker) >= _PLACES:
            yield maker.taken()
    yield maker.taken()


def _begun(batch: Batch, maker: RowMaker) -> Iterator[Item]:
    """Yield the items of a batch; all that is found in one is added before the next one is asked for."""
    for item, where, found_hash in batch.items:
        maker.begin(where, found_hash, item.provenance.message)
        yield item


def _in_utc(moment: datetime) -> str:
    return f"{moment.replace(tzinfo=None, microsecond=0).isoformat()}Z"
