"""What is new in sources, in batches: items, and what is to be noted in the transaction of their rows."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Iterator
from itertools import chain
from typing import NamedTuple

from urlextract.index.rows import Where, kept_name
from urlextract.records import Item, RawMessage, RawText
from urlextract.sources.checkpoint import Checkpoint, FileRow, hash_of_text
from urlextract.sources.folders.tree import Stamp
from urlextract.sources.sniff import UTF_16
from urlextract.sources.streams import peek
from urlextract.sources.stretches import Start, after_blank_line, cut_text

_BYTES = 1024 * 1024  # bytes after which a batch ends
_ITEMS = 1000  # messages and texts after which it does
_SECONDS = 1.0  # seconds after which it does, when the next one comes
_LARGEST_HELD = 8 * 1024 * 1024  # bytes of a message or a text that are held


class Begin(NamedTuple):
    """Items of a file follow, from ``start`` on: they replace those that it had there."""

    file: str
    path: bytes
    start: Start


class Copy(NamedTuple):
    """A message that the index has lies here."""

    hash: bytes
    where: Where
    number: int
    offset: int | None


class NewItem(NamedTuple):
    """An item, where it lies and, of a message or a text from a stream, by which hash it is known."""

    item: Item
    where: Where
    hash: bytes | None


class Batch:
    """Some items, and what is noted in the transaction that writes their rows.

    One that ``is_alone`` has one item, which is too large to be held: the process that writes reads it, in
    the transaction of the next batch, which has the note that its file was read.
    """

    def __init__(self, *, is_alone: bool = False) -> None:
        self.items: list[NewItem] = []
        self.begins: list[Begin] = []
        self.copies: list[Copy] = []
        self.files: dict[str, FileRow] = {}  # that were read, by their names in the index
        self.is_alone = is_alone
        self.bytes = self.messages = 0
        self.touched: set[str] = set()  # files that have items in it
        self._started = time.monotonic()

    def add(self, found: NewItem | Copy, size: int) -> None:
        """Add an item, or a further copy of one; it has ``size`` bytes or more."""
        if isinstance(found, Copy):
            self.copies.append(found)
        else:
            self.items.append(found)
            self.messages += isinstance(found.item, RawMessage)
        self.bytes += size
        self.touched.add(found.where.file or found.where.source)

    def note(self, op: Begin | tuple[str, FileRow]) -> None:
        """Add what is to be noted."""
        if isinstance(op, Begin):
            self.begins.append(op)
        else:
            self.files[op[0]] = op[1]

    @property
    def is_full(self) -> bool:
        """Whether the batch is to be written before further items are added."""
        count = len(self.items) + len(self.copies)
        is_large = self.bytes >= _BYTES or count >= _ITEMS
        return is_large or (count > 0 and time.monotonic() - self._started >= _SECONDS)


class IndexCheckpoint(Checkpoint):
    """What an index has read; what it reads now is noted in batches, and settled when these are written.

    All messages are yielded, also those that are known: their further copies are noted.
    """

    def __init__(self, connection: sqlite3.Connection) -> None:
        super().__init__(connection)
        self._ops: list[Begin | tuple[str, FileRow]] = []
        self._unwritten: dict[bytes, FileRow] = {}
        self._file_name, self._name = "", ""  # of the file that is being read, "" in a stream
        self._found: bytes | None = None  # the hash of the item that was yielded last
        self._is_known = False

    def begin_source(self) -> None:
        """Be told that a source follows, which may be a stream."""
        self._file_name = self._name = ""

    def found(self, item: Item) -> NewItem | Copy:
        """Return the item that was yielded last with where it lies."""
        source = item.provenance.source or ""
        file, inside = self._file_name, kept_name(source.removeprefix(self._name))
        where = Where(file + inside, file if inside and file else None)
        is_message = isinstance(item, RawMessage)
        if is_message and self._is_known and self._found:
            return Copy(self._found, where, item.provenance.message or 0, item.provenance.offset)
        return NewItem(item, where, self._found if is_message or not file else None)

    def taken(self) -> list[Begin | tuple[str, FileRow]]:
        """Return what is to be noted since this was asked last."""
        ops, self._ops = self._ops, []
        return ops

    def settle(self, batch: Batch) -> None:
        """Forget what the tables have now, or will not have."""
        self._seen.difference_update(each.hash for each in batch.items if each.hash)
        for row in batch.files.values():
            if self._unwritten.get(row[0]) is row:
                del self._unwritten[row[0]]

    # --- what reading asks and tells --------------------------------------------------------------

    def row(self, path: str) -> FileRow | None:
        """Return what was noted of a file."""
        return self._unwritten.get(os.fsencode(path)) or super().row(path)

    def write(self, row: FileRow) -> None:
        """Note how far a file was read."""
        self._unwritten[row[0]] = row
        self._ops.append((kept_name(os.fsdecode(row[0])), row))

    def begin(self, path: str, name: str, start: Start) -> None:
        """Note that items of a file follow."""
        self._file_name, self._name = kept_name(path), name
        self._ops.append(Begin(self._file_name, os.fsencode(path), start))

    def end_of_text(self, text: bytes) -> int:
        """Return where the last two paragraphs begin: what is found there is replaced once the text goes on.

        The paragraph before a URL that stands alone is its context.
        """
        return after_blank_line(text, len(text[: after_blank_line(text)].rstrip()))

    def save_if_due(self) -> None:
        """Do nothing: a batch is written when it is full."""

    def forget_gone(self, folder: str) -> None:
        """Do nothing: `IndexWriter.gone` looks for all files."""

    def _if_new(self, found: bytes, item: Item) -> Iterator[Item]:
        table = "messages" if isinstance(item, RawMessage) else "seen"
        query = f"SELECT 1 FROM {table} WHERE hash = ?"  # noqa: S608 - of this module
        self._is_known = found in self._seen or self._first(query, found) is not None
        self._found = found
        if not self._is_known:
            self._seen.add(found)
        if not self._is_known or self._file_name:
            yield item

    def _new_text(self, text: RawText, number: int, stamp: Stamp | None) -> Iterator[Item]:
        """Yield a text: of a file all, because what this had was replaced; of a stream, what is new in it.

        A text from a stream is known by its content, stretch by stretch; one that cannot be cut, if it is
        not too large.
        """
        self._found = None
        if self._file_name:
            yield text
            return
        name = text.provenance.source or ""
        head, chunks = peek(text.chunks, bool)
        if not (text.provenance.media_type or head.startswith(UTF_16) or b"\0" in head):
            for stretch in cut_text(chunks, Start()):
                content = b"%d %s" % (stretch.start.offset, stretch.data)
                yield from self._if_new(hash_of_text(name, content), stretch.of(text))
            return
        head, chunks = peek(chunks, lambda head: len(head) > _LARGEST_HELD)
        text = text._replace(chunks=chunks)
        yield from self._if_new(hash_of_text(name, head), text) if len(head) <= _LARGEST_HELD else (text,)
        for _ in chunks:  # to its end, so that the next item can be read
            pass


def batches_of(items: Iterator[Item], checkpoint: IndexCheckpoint) -> Iterator[Batch]:
    """Yield the items that are read with a checkpoint in batches."""
    batch = Batch()
    for item in chain(items, (None,)):
        for op in checkpoint.taken():
            if isinstance(op, Begin) and op.file in batch.touched:
                yield batch
                batch = Batch()
            batch.note(op)
        if item is None or batch.is_full:
            yield batch
            batch = Batch()
        if item is None:
            return
        found = checkpoint.found(item)
        if isinstance(found, Copy):
            batch.add(found, len(item.data) if isinstance(item, RawMessage) else 0)
            continue
        held, size, is_large = _held(item)
        if is_large:
            yield batch
            batch = Batch(is_alone=True)
        batch.add(found._replace(item=held), size)
        if is_large:
            yield batch
            batch = Batch()


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
