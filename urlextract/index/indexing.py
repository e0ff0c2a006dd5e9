"""Read sources into an index: find what is new, in several processes, and write it batch by batch.

This process reads the bytes, as the checkpoint says, and gathers them in batches. Other processes
make rows of them; this one writes these, in order. What was read is noted in the transaction that adds its
rows, so an index never has one without the other.
"""

from __future__ import annotations

import json
import os
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import chain
from typing import Any, BinaryIO, TypeAlias, Unpack, cast

from urlextract import __version__
from urlextract.arguments import check_count, check_switches, check_type
from urlextract.cluster.stores import resolved
from urlextract.errors import SourceError, raise_first
from urlextract.index.database import opened_for_writing, told
from urlextract.index.found_rows import RowMaker, Rows
from urlextract.index.identity import is_same_file
from urlextract.index.loading import Part, check_places, found_in_part, parts_in, source_of
from urlextract.index.notes import STREAM, Begin, Damaged, Moved, Note
from urlextract.index.resuming import new_of_source
from urlextract.index.store import IndexStore, Source, kept_name
from urlextract.index.trust import files_of
from urlextract.index.writing import IndexWriter
from urlextract.pipeline.choice import with_targets
from urlextract.pipeline.entry import check_source, tree_filter_of
from urlextract.pipeline.item_results import read_items
from urlextract.pipeline.options import (
    ExtractOptions,
    Options,
    given_options,
    held,
    options_of,
    takes_options,
)
from urlextract.records import Item, RawMessage, SourceFormat
from urlextract.results import Found, IndexRun
from urlextract.run.engine import processors
from urlextract.run.processes import DONE, RESULT, in_turn
from urlextract.run.progress import Progress
from urlextract.sources.folders.tree import TreeFilter, Written
from urlextract.sources.reading import SOURCE_FORMATS

OnDamage: TypeAlias = Callable[[SourceError], None]


Input: TypeAlias = str | os.PathLike[str] | BinaryIO

_BYTES = 8 * 1024 * 1024  # bytes after which a batch ends
_ITEMS = 4000  # messages and texts after which it does
_SECONDS = 1.0  # seconds after which it does, when the next message comes
_LARGEST_HELD = 8 * 1024 * 1024  # bytes of a message or a text that are held; stretches of a text are shorter
_PLACES = 1000  # places of a very large message or text that are written at a time
_MOST_NAMED = 10  # sources that are no longer there and are named
_MOST_DAMAGE = 1_000  # errors of a run that are kept in the index
_MOST_PROCESSES = 8  # by default: the one that writes could not keep up with more


class Reading:
    """What is read and how: the arguments of `index_sources`, checked, and what shows the progress."""

    def __init__(
        self,
        sources: Sequence[Input],
        format: str,
        tree_filter: TreeFilter,
        given: Mapping[str, Any],
        *,
        jobs: int | None,
        notice: Callable[[str], None],
        parts_from: str | None = None,
        records: Iterable[Found] = (),
        prune: bool = False,
        progress: Progress | None = None,
    ) -> None:
        self.sources, self.format, self.tree_filter, self.given = sources, format, tree_filter, given
        self.parts_from, self.records, self.prune = parts_from, records, prune
        self.options = options_of({**given, "context": True})._replace(sees=True)
        self.notice, self.progress = notice, progress
        are_files = all(isinstance(each, str | os.PathLike) and os.path.exists(each) for each in sources)
        jobs = jobs or min(processors(), _MOST_PROCESSES)
        self.jobs = jobs if jobs > 1 and are_files else 0


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
    on_damage: Callable[[SourceError], None] | None = None,
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
    reading = Reading(
        cast("tuple[Input, ...]", several),
        format,
        tree_filter,
        given,
        jobs=jobs,
        notice=_ignored,
        parts_from=None if parts_from is None else os.fspath(parts_from),
        records=records,
        prune=prune,
    )
    damage: list[SourceError] = []
    run = write_index(os.fspath(path), reading, on_damage or damage.append)
    raise_first(damage)
    return run


def _ignored(_: str) -> None:
    """Ignore a notice, which is for users of the command."""


def write_index(path: str, reading: Reading, on_damage: OnDamage) -> IndexRun:
    """Add what ``reading`` asks for to an index; the errors are those of `index_sources`."""
    own = files_of(path)
    for source in reading.sources:
        if isinstance(source, str | os.PathLike) and any(_is_same(source, file) for file in own):
            raise SourceError(os.fspath(source), "the input is also the index")
    with opened_for_writing(path) as connection, told(path):
        return _Run(path, connection, reading, on_damage).run()


def _is_same(one: str | os.PathLike[str], other: str) -> bool:
    return is_same_file(os.fspath(one), other) or os.path.abspath(one) == os.path.abspath(other)


class Batch:
    """Items, and what is to be noted with their rows.

    One that ``is_alone`` is read by the process that writes: its items may be streams. One that
    ``is_open`` is written in the transaction of the next batch, which notes that it was read.
    """

    def __init__(self, *, is_alone: bool = False, is_open: bool = False) -> None:
        self.items: list[tuple[Item, Source]] = []
        self.journal: list[Note] = []
        self.is_alone, self.is_open = is_alone, is_open
        self.bytes = self.messages = 0
        self._paths: set[str] = set()
        self._started = time.monotonic()

    def add(self, item: Item, source: Source, size: int) -> None:
        """Add an item of ``source``, of ``size`` bytes or more."""
        self.items.append((item, source))
        self.bytes += size
        self.messages += isinstance(item, RawMessage)
        self._paths.add(source.path)

    @property
    def is_full(self) -> bool:
        """Whether the batch is to be written before further items are added."""
        is_large = self.bytes >= _BYTES or len(self.items) >= _ITEMS
        return is_large or (bool(self.items) and time.monotonic() - self._started >= _SECONDS)

    def has_items_of(self, op: Note) -> bool:
        """Return whether the rows of the batch are to be written before ``op`` deletes or moves some."""
        return isinstance(op, Begin | Moved) and kept_name(op.path) in self._paths


class _Run:
    """One run: what it reads, and what it writes."""

    def __init__(
        self, path: str, connection: sqlite3.Connection, reading: Reading, on_damage: OnDamage
    ) -> None:
        self._connection, self._reading, self._on_damage = connection, reading, on_damage
        written = Written([1, 2, *files_of(path)], _ignored)
        self._tree_filter = reading.tree_filter._replace(written=written)
        self._store = IndexStore(connection)
        self._writer = IndexWriter(connection)
        self._messages = self._places = self._damaged = 0
        self._damage: list[Damaged] = []  # that is to be written
        self._latest = _in_utc(datetime.now(UTC) + timedelta(days=1))

    def run(self) -> IndexRun:
        """Read everything; return what was found."""
        urls = self._count_urls()
        self._start()
        rows = None
        with closing(
            in_turn(
                self._batches(),
                partial(_rows_of, self._latest, self._reading.options),
                self._reading.jobs,
                is_alone=lambda batch: batch.is_alone or not self._reading.jobs,
            )
        ) as steps:
            for batch, step, value in steps:
                if step == RESULT:
                    rows = value
                else:
                    self._write(batch, rows if step == DONE else None)
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

    def _start(self) -> None:
        """Note the run; report options that are not those of the last one."""
        options = json.dumps(given_options(self._reading.given))
        last = self._connection.execute("SELECT options FROM runs ORDER BY id DESC LIMIT 1").fetchone()
        if last and last[0] != options:
            self._reading.notice(
                "these are not the options of the last run: what was read before stays as it is"
            )
        self._connection.execute(
            "INSERT INTO runs (started, program, options) VALUES (?, ?, ?)", (_now(), __version__, options)
        )
        (self._id,) = self._connection.execute("SELECT last_insert_rowid()").fetchone()

    def _end(self) -> tuple[str, ...]:
        """Report what is gone, or prune it, and note the end of the run; return the paths of what is gone."""
        self._connection.execute("BEGIN IMMEDIATE")
        for source in self._reading.sources:
            if isinstance(source, str | os.PathLike) and source != STREAM:
                self._writer.forget_old_damage(os.path.abspath(source))
        gone = self._writer.gone(prune=self._reading.prune)
        self._update_run(finished=True)
        self._connection.execute("COMMIT")
        done = ", and deleted from the index" if self._reading.prune else ""
        for path, messages in gone[:_MOST_NAMED]:
            what = path if messages is None else f"{messages:,} of the messages of {path}"
            self._reading.notice(f"no longer there{done}: {what}")
        if len(gone) > _MOST_NAMED:
            self._reading.notice(f"no longer there{done}: {len(gone) - _MOST_NAMED:,} further sources")
        if gone and not done:
            self._reading.notice("what it has of them stays, unless you give --prune")
        return tuple(each.path for each in gone)

    def _update_run(self, *, finished: bool = False) -> None:
        self._writer.note_damage(self._damage)
        self._damage.clear()
        self._connection.execute(
            "UPDATE runs SET finished = ?, messages = ?, places = ?, damaged = ? WHERE id = ?",
            (_now() if finished else None, self._messages, self._places, self._damaged, self._id),
        )

    def _tell(self, damage: SourceError) -> None:
        """Report an error, which is written with the rows of this batch."""
        if noted := self._noted(damage):
            self._damage.append(noted)

    def _tell_in_turn(self, damage: SourceError) -> None:
        """Report an error of what is read ahead, which is written when it is that batch's turn."""
        if noted := self._noted(damage):
            self._store.note(noted)

    def _noted(self, damage: SourceError) -> Damaged | None:
        self._damaged += damage.within is None
        self._on_damage(damage)
        if self._damaged > _MOST_DAMAGE or damage.within is not None:
            return None
        is_path = damage.source != STREAM and not damage.source.startswith("<")
        source = resolved(damage.source) if is_path else damage.source
        return Damaged(kept_name(source), kept_name(damage.cause), damage.offset)

    # --- reading ----------------------------------------------------------------------------------

    def _batches(self) -> Iterator[Batch]:
        """Yield what is new in batches; the first one, and very large items, are read by this process.

        What is loaded for the first one, the processes that are started then have, too.
        """
        batch = Batch(is_alone=True)
        for item in self._items():
            for op in self._store.taken():
                if batch.has_items_of(op):
                    yield batch
                    batch = Batch()
                batch.journal.append(op)
            if batch.is_full:
                yield batch
                batch = Batch()
            held, size, is_large = _held(item)
            if is_large:
                yield batch
                batch = Batch(is_alone=True, is_open=True)
            batch.add(held, self._store.source, size)
            if is_large:
                yield batch
                batch = Batch()
        batch.journal += self._store.taken()
        yield batch

    def _items(self) -> Iterator[Item]:
        for source in self._reading.sources:
            yield from new_of_source(
                source, self._reading.format, self._tell_in_turn, self._tree_filter, self._store
            )

    # --- writing ----------------------------------------------------------------------------------

    def _write(self, batch: Batch, rows: Rows | None) -> None:
        """Write a batch, and what was read with it; ``rows`` are made here if they are None."""
        if not self._connection.in_transaction:
            self._connection.execute("BEGIN IMMEDIATE")
        self._writer.begin(batch.journal)
        if rows is None:
            self._write_alone(batch)
        else:
            self._add(rows)
        self._writer.note(batch.journal)
        self._store.settle(batch.journal)
        self._messages += batch.messages
        if not batch.is_open:
            self._update_run()
            self._connection.execute("COMMIT")
        if self._reading.progress:
            self._reading.progress.add(batch.bytes, f"{self._messages:,} messages, {self._places:,} places")

    def _write_alone(self, batch: Batch) -> None:
        """Make the rows of a batch and write them, some at a time."""
        maker = RowMaker(self._latest)
        for found, source in _found(batch, maker, self._reading.options, self._tell):
            maker.add(found, source)
            if len(maker) >= _PLACES:
                maker.restart(self._add(maker.rows()))
        self._add(maker.rows())

    def _load_parts(self) -> None:
        """Load the parts that were not loaded before; delete what was loaded of those that are gone."""
        folder = self._reading.parts_from
        if folder is None:
            return
        try:
            parts = parts_in(folder)
        except SourceError as error:
            self._tell(error)
            return
        self._connection.execute("BEGIN IMMEDIATE")
        folder = resolved(folder).rstrip("/")
        self._writer.keep_parts(kept_name(folder), (os.path.basename(part.path) for part in parts))
        self._connection.execute("COMMIT")
        for part in parts:
            places, messages = self._places, self._messages
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                self._load(part)
                self._update_run()
                self._connection.execute("COMMIT")
            except SourceError as error:
                self._connection.execute("ROLLBACK")
                self._writer = IndexWriter(self._connection)  # the old one knows ids that are no more
                self._places, self._messages = places, messages
                self._tell(error)

    def _load(self, part: Part) -> None:
        """Load a part, unless it was; raise `SourceError` if it cannot be read."""
        path, identity = kept_name(resolved(part.path)), part.identity()
        if self._writer.has_part(path, identity):
            return
        self._writer.begin_part(path)
        self._add_found(found_in_part(part.path, path))
        self._writer.note_part(path, identity)

    def _load_records(self) -> None:
        """Add the records in hand."""
        self._connection.execute("BEGIN IMMEDIATE")
        self._add_found((found, source_of(_checked(found))) for found in self._reading.records)
        self._update_run()
        self._connection.execute("COMMIT")

    def _add_found(self, records: Iterable[tuple[Found, Source]]) -> None:
        """Write the rows of records, some at a time."""
        maker = RowMaker(self._latest)
        message = None
        for found, source in records:
            before, message = message, (source.path, found.message)
            self._messages += message not in (before, (source.path, None))
            maker.add(found, source)
            if len(maker) >= _PLACES:
                maker.restart(self._add(maker.rows()))
        self._add(maker.rows())

    def _add(self, rows: Rows) -> Sequence[int]:
        """Write rows; return the ids of their messages."""
        messages = self._writer.add(rows)
        self._places += len(rows.places)
        for damage in rows.damage:
            self._tell(SourceError(*damage))
        return messages


def _checked(found: Found) -> Found:
    if not isinstance(found, Found):
        raise TypeError(
            f"records has {type(found).__name__}: they are Found; Found.from_dict makes them of others"
        )
    check_places(found)
    return found


def _held(item: Item) -> tuple[Item, int, bool]:
    """Return an item that is held as a whole, its size, and whether it is too large for that."""
    if isinstance(item, RawMessage) and item.rest is None:
        return item, len(item.data), False
    rest = item.rest if isinstance(item, RawMessage) else item.chunks
    chunks: list[bytes] = []
    size = 0
    for chunk in rest or ():
        chunks.append(chunk)
        size += len(chunk)
        if size > _LARGEST_HELD:
            break
    is_large = size > _LARGEST_HELD
    stream = chain(chunks, rest or ()) if is_large else iter(chunks)
    if isinstance(item, RawMessage):
        return item._replace(rest=stream), len(item.data) + size, is_large
    return item._replace(chunks=stream), size, is_large


def _rows_of(latest: str, options: ExtractOptions, batch: Batch, _: OnDamage) -> Iterator[Rows]:
    """Yield the rows of a batch, in another process."""
    maker = RowMaker(latest)
    for found, source in _found(batch, maker, options, maker.add_damage):
        maker.add(found, source)
    yield maker.rows()


def _found(
    batch: Batch, maker: RowMaker, options: ExtractOptions, on_damage: OnDamage
) -> Iterator[tuple[Found, Source]]:
    """Yield what is found in the items of a batch, each with its source; add each message to ``maker``."""
    for item, source in batch.items:
        on_message = partial(maker.add_message, source=source)
        results = read_items([item], options, on_damage=on_damage, on_message=on_message)
        for found in with_targets(results, options):
            yield cast("Found", found), source


def _in_utc(moment: datetime) -> str:
    return f"{moment.replace(tzinfo=None, microsecond=0).isoformat()}Z"


def _now() -> str:
    return _in_utc(datetime.now(UTC))
