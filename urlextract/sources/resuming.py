"""Read what is new in files and directories since earlier runs, as a checkpoint says, and note what was read.

An item is noted when the next one is asked for, so it has been processed.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import BinaryIO

from urlextract.errors import SourceError
from urlextract.records import Item, Provenance, RawMessage, RawText
from urlextract.sources.checkpoint import Checkpoint
from urlextract.sources.compress import DecompressionBudget
from urlextract.sources.files import enterable, read_file, read_stream
from urlextract.sources.folders.git import tip_of
from urlextract.sources.folders.tree import File, Stamp
from urlextract.sources.streams import BLOCK, Place, blocks_of_stream, ignored
from urlextract.sources.stretches import Start, Stretch, cut_text, read_part


class _Watched:
    """A place that remembers what damage was reported to it."""

    def __init__(self, place: Place) -> None:
        self._tell = place.on_damage
        self.place = place._replace(on_damage=self._note)
        self.is_damaged = self.has_failed = False

    def _note(self, damage: SourceError) -> None:
        self.is_damaged = True
        self.has_failed |= damage.errno is not None  # of the system: the next run may have more luck
        self._tell(damage)


def new_of_files(files: Iterable[File], format: str, place: Place, checkpoint: Checkpoint) -> Iterator[Item]:
    """Yield what is new in the files of a directory."""
    for file in files:
        inside = place._replace(name=file.path)
        if file.repositories:
            yield from _new_of_inbox(file, format, inside, checkpoint)
        else:
            yield from new_of_file(format, inside, checkpoint, is_walked=True, is_mail=file.is_mail)


def new_of_file(
    format: str, place: Place, checkpoint: Checkpoint, *, is_walked: bool = False, is_mail: bool = False
) -> Iterator[Item]:
    """Yield what is new in a regular file; ``is_walked`` and ``is_mail`` are those of `read_stream`."""
    path = os.path.abspath(place.name)
    try:
        if checkpoint.knows(path, Stamp.of(os.stat(path))):
            return
    except (OSError, ValueError):  # reported when it is opened
        pass
    try:
        stream = place.opener(place.name)
    except (OSError, ValueError) as error:
        place.damage(error)
        return
    watched = _Watched(place)
    place = watched.place
    with stream:
        stamp = Stamp.of(os.fstat(stream.fileno()))  # before its first byte is read: it may grow meanwhile
        detection = None
        if not is_mail:
            blocks = blocks_of_stream(stream, place._replace(on_damage=ignored))
            detection = enterable(blocks, format, place.name)
            stream.seek(0)
        kind = detection.format if detection else ""
        start = checkpoint.start_of(path, kind, stream) if kind else Start()
        if kind == "text":
            for stretch in cut_text(_blocks_from(start, stream, place), start):
                yield stretch.of(RawText(iter(()), Provenance(source=place.name)))
                start = stretch.start_at(stretch.data.rfind(b"\n") + 1)  # a line may go on
                checkpoint.note(path, Stamp(), kind, (start, stream))
        else:
            items = (
                read_part(Stretch(place.name, kind, start), stream, place)
                if start.offset
                else read_stream(
                    blocks_of_stream(stream, place),
                    format,
                    DecompressionBudget(place),
                    is_walked=is_walked,
                    is_mail=is_mail,
                )
            )
            last = _Last()
            yield from checkpoint.new(last.of(items), place)
            if kind:
                start = last.start(start, stream)
        if not watched.has_failed:
            checkpoint.note(path, stamp, kind, (start, stream))


def _blocks_from(start: Start, stream: BinaryIO, place: Place) -> Iterator[bytes]:
    stream.seek(start.offset)
    return blocks_of_stream(stream, place, start.offset)


class _Last:
    """Remembers the last message of a file: it may have been read while it arrived, and is read again."""

    def __init__(self) -> None:
        self._offset = self._number = 0

    def of(self, items: Iterator[Item]) -> Iterator[Item]:
        for item in items:
            if isinstance(item, RawMessage) and item.provenance.offset is not None:
                self._offset, self._number = item.provenance.offset, item.provenance.message or 0
            yield item

    def start(self, first: Start, stream: BinaryIO) -> Start:
        """Return where it begins in a file that was read from ``first`` on."""
        if self._number <= 1:
            return Start()
        lines, at = first.lines, first.offset
        while at < self._offset and (data := os.pread(stream.fileno(), min(BLOCK, self._offset - at), at)):
            lines += data.count(b"\n")
            at += len(data)
        return Start(self._offset, self._number - 1, 0, lines)


def _new_of_inbox(file: File, format: str, place: Place, checkpoint: Checkpoint) -> Iterator[Item]:
    """Yield the messages of an inbox that are new, if its tips are not as they were."""
    path = os.path.abspath(file.path)
    watched = _Watched(place)
    stamp = Stamp(mark=mark_of_inbox(file.repositories))
    if not checkpoint.knows(path, stamp):
        yield from checkpoint.new(read_file(file, format, watched.place), watched.place)
        if not watched.is_damaged:
            checkpoint.note(path, stamp)


def mark_of_inbox(repositories: tuple[str, ...]) -> str | None:
    """Return the last commits of the repositories of an inbox, None if one cannot be read."""
    try:
        tips = [tip_of(each) for each in repositories]
    except (OSError, ValueError):
        return None
    return ":".join(tip for tip in tips if tip) or None
