"""Shards of sources, which are read alone, by several processes or at several times."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from functools import partial
from itertools import takewhile
from typing import BinaryIO, NamedTuple, TypeAlias

from urlextract.errors import SourceError
from urlextract.records import Item, Provenance, RawText
from urlextract.sources.counting import counter_from, with_lines
from urlextract.sources.files import read_files
from urlextract.sources.folders.tree import File, Stamp, TreeFilter, Walker
from urlextract.sources.formats.mbox import cut_at_postmarks
from urlextract.sources.formats.messages import Piece, messages_of
from urlextract.sources.formats.postmark import LONGEST
from urlextract.sources.formats.warc import cut_warc
from urlextract.sources.maildir import located
from urlextract.sources.reading import read_source
from urlextract.sources.streams import Place, blocks_of_stream, open_file, up_to

OnDamage: TypeAlias = "Callable[[SourceError], None]"


class Files:
    """The files of this machine, by their paths; a subclass may know others."""

    def is_folder(self, path: str) -> bool:
        """Return whether ``path`` is a directory."""
        return os.path.isdir(path)

    def stamp(self, path: str) -> Stamp:
        """Return the stamp of a file; raise `OSError` or `ValueError`."""
        return Stamp.of(located(path)[1])

    def open(self, path: str) -> BinaryIO:
        """Open a file for reading; raise `OSError` or `ValueError`."""
        return open_file(path)

    def walk(
        self, path: str, format: str, place: Callable[[str], Place], tree_filter: TreeFilter
    ) -> Iterator[File]:
        """Yield the files of a directory: see `Walker`."""
        return Walker(format, place, tree_filter).walk(path)


class Shard(NamedTuple):
    """Part of a source: messages of a mailbox, bytes of a text, files of a directory, or all of a source.

    The messages are those whose first header line is after the byte offset ``after``
    and not after ``until``. To find them, reading begins at ``start``, which is the first
    header line of a message if ``at_head`` is true. ``number`` counts the messages before
    them, if they are counted. The records of a web archive are its messages; reading begins at the first.
    A text is read from ``start`` to ``until``; ``place`` is the
    character offset and the line number of ``start``. A shard of a directory has ``files``,
    or ``damage`` that was found while walking. ``is_last`` marks the last shard of a source;
    that of a directory has no files. ``turn`` is the index of the source among those of the
    caller, and ``size`` the number of bytes to be read, as far as it is known. ``stamp`` is that of the file.
    """

    source: str
    format: str = "auto"
    start: int | None = None
    after: int = -1
    until: int = sys.maxsize
    number: int = 0
    files: tuple[File, ...] = ()
    is_folder: bool = False
    damage: tuple[str, str, int | None, int | None] | None = None
    is_last: bool = False
    turn: int = 0
    size: int = 0
    place: tuple[int, int] = (0, 1)
    at_head: bool = False
    stamp: Stamp = Stamp()

    @property
    def is_file(self) -> bool:
        """Whether all of a file is to be read."""
        return not self.is_folder and self.is_last and not self.start and self.after < 0


def read_shard(
    shard: Shard,
    on_damage: OnDamage,
    *,
    opener: Callable[[str], BinaryIO] = open_file,
    counts_lines: bool = False,
) -> Iterator[Item]:
    """Yield the items of a shard, whose files ``opener`` opens by their names.

    If it ``counts_lines``, messages have their lines in their files.
    """
    place = Place(shard.source, on_damage, opener, counts_lines=counts_lines)
    if shard.start is not None:
        yield from _read_range(shard, shard.start, place)
    elif shard.damage:
        on_damage(SourceError(*shard.damage))
    elif shard.is_folder:
        yield from read_files(iter(shard.files), shard.format, place)
    else:
        yield from read_source(
            shard.source, shard.format, on_damage=on_damage, opener=opener, counts_lines=counts_lines
        )


def _read_range(shard: Shard, start: int, place: Place) -> Iterator[Item]:
    """Read a range of the bytes of a file."""
    try:
        with place.opener(shard.source) as stream:
            is_counted = place.counts_lines and shard.format != "text"
            counter = counter_from(stream, shard.source, start) if is_counted else None
            stream.seek(start)
            blocks = blocks_of_stream(stream, place, start)
            yield from with_lines(blocks, partial(_items_of_range, shard, start), counter)
    except OSError as error:
        place.damage(error)


def _items_of_range(shard: Shard, start: int, blocks: Iterator[bytes]) -> Iterator[Item]:
    """Yield the items of a range; the blocks begin at ``start``."""
    if shard.format == "text":
        character, line = shard.place
        chunks = up_to(shard.until - start, blocks)
        return iter((RawText(chunks, Provenance(source=shard.source), character, line, start),))
    if shard.format == "warc":
        pieces = cut_warc(blocks, offset=start, at_head=shard.at_head)
        wanted: Iterator[Piece] = takewhile(lambda piece: piece.start <= shard.until, pieces)
    else:
        pieces = cut_at_postmarks(blocks, start, at_head=shard.at_head)
        wanted = _wanted(pieces, shard, start)
    return messages_of(wanted, shard.source, number=shard.number)


def _wanted(pieces: Iterator[Piece], shard: Shard, start: int) -> Iterator[Piece]:
    """Yield the pieces of the messages of a shard of a mailbox, which is read from ``start`` on."""
    end = start  # of what was passed over, as far as it is known
    for piece in pieces:
        if piece.start > shard.until:
            return
        if piece.start > shard.after:
            yield piece
            continue
        end = max(end, piece.start) + len(piece.data)
        if end - 2 * LONGEST > shard.until:  # a message that begins before the shard, and ends after it
            return
