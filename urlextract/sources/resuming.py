"""Read what is new in files and directories since earlier runs, as a checkpoint says, and note what was read.

An item is noted when the next one is asked for, so it has been processed.
"""

from __future__ import annotations

import os
from collections.abc import Generator, Iterable, Iterator
from contextlib import suppress
from typing import Any, BinaryIO

from urlextract.errors import SourceError
from urlextract.records import Item, Provenance, RawMessage, RawText
from urlextract.sources.checkpoint import MAIL, Checkpoint, Left, hash_before
from urlextract.sources.compress import DecompressionBudget
from urlextract.sources.files import enterable, read_file, read_stream
from urlextract.sources.folders.git import tip_of
from urlextract.sources.folders.tree import File, Stamp
from urlextract.sources.streams import Origin, blocks_of_stream, ignored
from urlextract.sources.stretches import Start, Stretch, TextStretch, cut_text, read_part

INBOX = "inbox"
"""The format as which a public inbox is noted."""


class _Watched:
    """An origin that remembers what damage was reported to it."""

    def __init__(self, origin: Origin) -> None:
        self._tell = origin.on_damage
        self.origin = origin._replace(on_damage=self._note)
        self.is_damaged = self.has_failed = False

    def _note(self, damage: SourceError) -> None:
        self.is_damaged = True
        self.has_failed |= damage.errno is not None  # of the system: the next run may have more luck
        self._tell(damage)


def new_of_files(
    files: Iterable[File], format: str, origin: Origin, checkpoint: Checkpoint
) -> Iterator[Item]:
    """Yield what is new in the files of a directory."""
    for file in files:
        inside = origin.inside(file.path)
        if file.repositories:
            yield from _new_of_inbox(file, format, inside, checkpoint)
        else:
            yield from new_of_file(format, inside, checkpoint, is_mail=file.is_mail)


def new_of_file(
    format: str, origin: Origin, checkpoint: Checkpoint, *, is_mail: bool = False
) -> Iterator[Item]:
    """Yield what is new in a regular file; ``is_mail`` is that of `read_stream`."""
    path = os.path.abspath(origin.name)
    with suppress(OSError, ValueError):  # reported when it is opened
        if checkpoint.knows(path, _stamp_of(os.stat(path)), is_mail=is_mail):
            return
    try:
        stream = origin.opener(origin.name)
    except (OSError, ValueError) as error:
        origin.damage(error)
        return
    watched = _Watched(origin)
    origin = watched.origin
    with stream:
        stamp = _stamp_of(os.fstat(stream.fileno()))  # before its first byte is read: it may grow meanwhile
        kind = MAIL
        if not is_mail:
            blocks = blocks_of_stream(stream, origin._replace(on_damage=ignored))
            detection = enterable(blocks, format, origin.name)
            kind = detection.format if detection else ""
        left = checkpoint.left(path, kind, stream)
        stream.seek(left.start.offset)
        hashed = hash_before(stream, left.start.offset, is_text=True) if kind == "text" else None
        if hashed and stamp.size != left.end:
            left = yield from _new_of_text(stream, origin, checkpoint, left.start, hashed)
        elif not hashed:
            items = _items_from(left.start, kind, format, stream, origin, is_mail=is_mail)
            messages = _Messages()
            checkpoint.begin(path, origin.name, left.start)
            yield from checkpoint.new(messages.of(items), origin, stamp)
            start = messages.last() if kind and not watched.has_failed else Start()
            before = hash_before(stream, start.offset, is_text=False)
            left = Left(start, start.offset, before and before.digest())
        checkpoint.note(path, Stamp() if watched.has_failed else stamp, kind, left)


def _items_from(
    start: Start, kind: str, format: str, stream: BinaryIO, origin: Origin, *, is_mail: bool
) -> Iterator[Item]:
    """Return the items of a file of messages, from ``start`` on, where the position of the stream is."""
    if start.offset:
        return read_part(Stretch(origin.name, kind, start), stream, origin)
    blocks = blocks_of_stream(stream, origin)
    return read_stream(blocks, format, DecompressionBudget(origin), is_mail=is_mail)


def _new_of_text(
    stream: BinaryIO, origin: Origin, checkpoint: Checkpoint, start: Start, hashed: Any
) -> Generator[Item, None, Left]:
    """Yield the stretches of a text, from ``start`` on; ``hashed`` is the hash of what is before.

    Return where it is read on: each stretch is noted when it was processed, as the next one shows.
    """
    path = os.path.abspath(origin.name)
    checkpoint.begin(path, origin.name, start)
    last = TextStretch(b"", start)
    for stretch in cut_text(blocks_of_stream(stream, origin, start.offset), start):
        if last.data:  # nothing of it goes on in this one
            left = Left(stretch.start, stretch.start.offset, hashed.digest())
            checkpoint.note(path, Stamp(), "text", left)
        yield stretch.of(RawText(iter(()), Provenance(source=origin.name)))
        hashed.update(stretch.data)
        last = stretch
    end = last.start.offset + len(last.data)
    return Left(last.start_at(checkpoint.end_of_text(last.data)), end, hashed.digest())


def _stamp_of(status: os.stat_result) -> Stamp:
    """Return the stamp of a file; a file that was renamed or replaced has another one, whatever its time."""
    return Stamp.of(status)._replace(mark=f"{status.st_mtime_ns} {status.st_ctime_ns}")


class _Messages:
    """Watches the messages of a file, to know where the last one begins: it is read again by the next run.

    It may have been read while it arrived. An empty one does not count: it may be half of the next postmark.
    """

    def __init__(self) -> None:
        self._offset = self._number = 0

    def of(self, items: Iterator[Item]) -> Iterator[Item]:
        """Yield the items of the file."""
        for item in items:
            offset = item.provenance.offset
            if isinstance(item, RawMessage) and offset is not None and item.data and not item.data.isspace():
                self._offset, self._number = offset, item.provenance.message or 0
            yield item

    def last(self) -> Start:
        """Return where the last one begins."""
        if self._number <= 1:
            return Start()
        return Start(self._offset, self._number - 1)


def _new_of_inbox(file: File, format: str, origin: Origin, checkpoint: Checkpoint) -> Iterator[Item]:
    """Yield the messages of an inbox that are new, if its tips are not as they were."""
    path = os.path.abspath(file.path)
    watched = _Watched(origin)
    stamp = Stamp(mark=mark_of_inbox(file.repositories))
    if not checkpoint.knows(path, stamp):
        checkpoint.begin(path, origin.name, Start())
        yield from checkpoint.new(read_file(file, format, watched.origin), watched.origin)
        if not watched.is_damaged:
            checkpoint.note(path, stamp, INBOX)


def mark_of_inbox(repositories: tuple[str, ...]) -> str | None:
    """Return the last commits of the repositories of an inbox, None if one cannot be read."""
    try:
        tips = [tip_of(each) for each in repositories]
    except (OSError, ValueError):
        return None
    return ":".join(tip for tip in tips if tip) or None
