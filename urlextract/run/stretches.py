"""Stretches of files: what begins in each of them, and the shards that come of that.

A shard is read alone, and yet its messages have the numbers, and its text the places, that they have in the
file. For that, each stretch of a file is measured, in any order and by any process, and what is before it is
summed up here. Where the first message of a stretch begins is certain only when the stretch before it is
measured: a stretch in which something else was taken for it is measured again, from the right place on.
"""

from __future__ import annotations

import codecs
from collections import deque
from collections.abc import Iterable, Iterator
from itertools import chain, groupby
from operator import attrgetter
from typing import BinaryIO, NamedTuple, TypeAlias

from urlextract.errors import SourceError, UrlExtractError
from urlextract.grammar.patterns import lazy_re
from urlextract.run.shards import Files, Shard
from urlextract.sources.compress import LIBRARY_FAULTS, DamagedError, DecompressionBudget
from urlextract.sources.compress.decoders import Dictionary, dictionary_frame, dictionary_of, undo
from urlextract.sources.folders.git import Commits, ranges_of
from urlextract.sources.folders.tree import File, Stamp
from urlextract.sources.formats.mbox import cut_at_postmarks
from urlextract.sources.formats.messages import PREAMBLE, Piece
from urlextract.sources.formats.postmark import LONGEST
from urlextract.sources.formats.warc import cut_warc
from urlextract.sources.sniff import WARC_VERSION
from urlextract.sources.streams import LONGEST_MARK, Place, Reader, blocks_of_stream, up_to

_MARGIN = 2 * LONGEST  # bytes before a stretch, in which a postmark or a version may begin that ends in it
_MOST_CR = 4  # that end a line with the LF after them
_LONE_CR = lazy_re(rb"(?<!\r)\r{1,%d}+(?!\n)" % _MOST_CR)
_WARC_LINE = lazy_re(WARC_VERSION)
_MEMBER = {"gzip": lazy_re(rb"\x1f\x8b\x08"), "zstd": lazy_re(rb"\x28\xb5\x2f\xfd")}
_TRIED = {"gzip": 512, "zstd": 1 << 18}  # bytes of what may be a member: a block of zstd has 128 KiB
_MOST_TRIED = 100  # members in a stretch: more are made to cost time


class Stretch(NamedTuple):
    """Bytes of a file from the offset ``start`` up to ``end``, which is not included.

    ``format`` is "text", "mbox" or "warc", and ``stamp`` that of the file. It ``is_exact`` if a text, the
    head of a message or record or, in a file compressed in ``layer``, a member begins right at the start. The
    first one begins before the postmark of a message, or the version of a record.
    """

    source: str
    format: str
    start: int
    end: int
    stamp: Stamp
    layer: str | None = None
    is_first: bool = False
    is_exact: bool = False

    @property
    def size(self) -> int:
        """The size of the file in bytes."""
        return self.stamp.size or 0

    @property
    def is_last(self) -> bool:
        """Whether it ends with the file: also the message, without a byte, that begins there is its own."""
        return self.end == self.size


class Measured(NamedTuple):
    """What begins in a stretch: the first thing at ``head``, None if there is none.

    ``beyond`` is where the first thing after the stretch begins, None if all up to the end of the file goes
    with what begins in the stretch. Between these are so many ``messages``, ``characters`` and ``lines``, or
    so many bytes when they are ``unpacked``.
    """

    head: int | None
    beyond: int | None = None
    messages: int = 0
    characters: int = 0
    lines: int = 0
    unpacked: int = 0

    def after(self, before: Measured) -> Measured:
        """Return what is in the file up to the end of this stretch, with what is ``before`` it."""
        counts = (own + other for own, other in zip(self[2:], before[2:], strict=True))
        return Measured(None, self.beyond, *counts)


class Inbox(NamedTuple):
    """A public inbox, of which so many ``commits`` are read at a time.

    ``folder`` is a shard without files of the directory in which it is.
    """

    source: str
    file: File
    folder: Shard
    commits: int

    def ranges(self) -> list[tuple[str, Commits]]:
        """Return ranges of its commits: see `ranges_of`."""
        return ranges_of(self.file.repositories, self.commits)

    def shards(self, ranges: list[tuple[str, Commits]]) -> Iterator[Shard]:
        """Yield a shard for each range of its commits, or one for all."""
        files = [self.file._replace(repositories=(path,), commits=each) for path, each in ranges]
        return (self.folder._replace(files=(file,)) for file in files or [self.file])


Step: TypeAlias = "Shard | Stretch | Inbox"


def shards_of(steps: Iterator[Step], files: Files, *, is_folder: bool = False) -> Iterator[Shard]:
    """Yield the shards of files and inboxes that are cut, and between them those that are given.

    Those of a file of which no more can be measured have its damage. The last shard of a file is marked,
    unless it is one of a directory.
    """
    before = Measured(None)
    for step in steps:
        if isinstance(step, Shard):
            yield step
            continue
        if isinstance(step, Inbox):
            yield from step.shards(step.ranges())
            continue
        if step.is_first:
            before = Measured(None, step.start)
        if before.beyond is None or (before.beyond >= step.end and not step.is_last):  # nothing begins in it
            continue
        exact = step._replace(start=before.beyond, is_exact=True)
        try:
            measured = measure(exact, files)
        except UrlExtractError as error:
            cause = str(error).removeprefix(f"{step.source}: ")
            yield Shard(step.source, damage=(step.source, cause, None, None), is_last=not is_folder)
            before = Measured(None)
            continue
        shard = _shard_of(exact, measured, before)
        yield shard._replace(is_last=measured.beyond is None and not is_folder)
        before = measured.after(before)


def _shard_of(stretch: Stretch, measured: Measured, before: Measured) -> Shard:
    """Return the shard of a stretch that begins where the first thing in it does."""
    head = stretch.start
    end = stretch.size if measured.beyond is None else measured.beyond
    shard = Shard(stretch.source, stretch.format, head, size=end - head, stamp=stretch.stamp)
    if stretch.format == "text":
        shard = shard._replace(place=(before.characters, before.lines + 1))
        return shard if measured.beyond is None else shard._replace(until=end)
    after, until = head - 1, end - 1
    if stretch.layer is not None:  # before each header there is the line of the version
        after, until = before.unpacked, before.unpacked + measured.unpacked
        shard = shard._replace(unpacked=before.unpacked)
    at_head = not stretch.is_first and stretch.layer is None
    shard = shard._replace(after=after, number=before.messages, at_head=at_head)
    return shard if measured.beyond is None else shard._replace(until=until)


def measure(stretch: Stretch, files: Files) -> Measured:
    """Return what begins in a stretch.

    If the file cannot be read to the end of the stretch, or that can be no end of a shard, all that is left
    of the file goes with it. Of one that is not exact, nothing may be known. Raise `UrlExtractError` for
    what is no fault of the file.
    """
    try:
        with files.open(stretch.source) as stream:
            if stretch.format == "text":
                return _measured_text(stretch, stream)
            if stretch.is_exact:
                return _measured_from(stretch, stretch.start, stretch.size, stream)
            head = _first_head(stretch, stream)
            limit = min(stretch.size, 2 * stretch.end - stretch.start)
            return Measured(None) if head is None else _measured_from(stretch, head, limit, stream)
    except _TooFarError:
        return Measured(None)
    except (SourceError, OSError, ValueError):  # is reported when the file is read
        return Measured(stretch.start if stretch.is_exact else None)


class _TooFarError(Exception):
    """What begins in a stretch goes on so far beyond it that it may be something else."""


def _too_far() -> Iterator[bytes]:
    raise _TooFarError
    yield b""


def _raise(error: SourceError) -> None:
    raise error


def _blocks(stretch: Stretch, stream: BinaryIO, start: int, end: int) -> Iterator[bytes]:
    """Yield the bytes of the file; raise `SourceError` if they cannot be read."""
    stream.seek(start)
    return up_to(end - start, blocks_of_stream(stream, Place(stretch.source, _raise), start))


def _measured_text(stretch: Stretch, stream: BinaryIO) -> Measured:
    """Count the characters and lines of a text in UTF-8 that begins and ends where a line does.

    A text is not cut after a carriage return that alone ends a line: only the lines of a shard have all the
    rules for these.
    """
    decode = codecs.getincrementaldecoder("utf-8")("surrogateescape").decode
    has_mark = not stretch.start and stream.read(len(codecs.BOM_UTF8)) == codecs.BOM_UTF8
    characters = -1 if has_mark else 0  # a byte order mark is not part of the text
    lines = 0
    tail = b""  # carriage returns, which may end a line with what follows
    for block in _blocks(stretch, stream, stretch.start, stretch.end):
        data = tail + block
        tail = data[len(data.rstrip(b"\r")) :]
        data = data[: len(data) - len(tail)]
        if len(tail) > _MOST_CR or (b"\r" in data and _LONE_CR.search(data)):
            return Measured(stretch.start)
        characters += len(decode(data))
        lines += data.count(b"\n")
    if tail:
        return Measured(stretch.start)
    beyond = stretch.end if stretch.end < stretch.size else None
    return Measured(stretch.start, beyond, characters=characters, lines=lines)


def _first_head(stretch: Stretch, stream: BinaryIO) -> int | None:
    """Return the offset where a message, a record or a member seems to begin first in a stretch."""
    if stretch.layer is not None:
        return _first_member(stretch, stretch.layer, stream)
    start = max(0, stretch.start - _MARGIN)
    blocks = _blocks(stretch, stream, start, stretch.end)
    if stretch.format == "mbox":
        pieces = cut_at_postmarks(blocks, start)
    else:
        reader = Reader(blocks)
        if not _WARC_LINE.match(reader.peek(LONGEST_MARK)):
            for _ in reader.up_to(_WARC_LINE):
                pass
        pieces = cut_warc(reader.pieces(), offset=start + reader.offset)
    return next((piece.start for piece in pieces if piece.start >= stretch.start), None)


def _first_member(stretch: Stretch, layer: str, stream: BinaryIO) -> int | None:
    """Return the offset of the first member in a stretch that begins with a record, if there is one."""
    tried = 0
    frame = _dictionary_frame(stretch, stream)
    try:
        dictionary = dictionary_of(frame)
    except DamagedError:
        return None
    held, at = b"", stretch.start
    end = min(stretch.end + _TRIED[layer], stretch.size)
    for block in _blocks(stretch, stream, stretch.start, end):
        held += block
        is_end = at + len(held) >= end
        for hit in _MEMBER[layer].finditer(held):
            data = held[hit.start() : hit.start() + _TRIED[layer]]
            if at + hit.start() >= stretch.end or tried == _MOST_TRIED:
                return None
            if len(data) < _TRIED[layer] and not is_end:
                break
            if _begins_with_record(layer, data, dictionary):
                return at + hit.start()
            tried += 1
        passed = max(0, len(held) - _TRIED[layer] + 1)
        held, at = held[passed:], at + passed
    return None


def _dictionary_frame(stretch: Stretch, stream: BinaryIO) -> bytes:
    return dictionary_frame(Reader(_blocks(stretch, stream, 0, stretch.size)))


def _begins_with_record(layer: str, data: bytes, dictionary: Dictionary | None) -> bool:
    """Return whether the data of a member, which may be cut off, begin with a record of a web archive."""
    budget = DecompressionBudget(Place("", _raise))
    try:
        block = next(undo(layer, iter((data,)), budget, dictionary=dictionary), b"")
    except (DamagedError, *LIBRARY_FAULTS):
        return False
    return _WARC_LINE.match(block) is not None


def _measured_from(stretch: Stretch, head: int, limit: int, stream: BinaryIO) -> Measured:
    """Measure a stretch from the first thing that begins in it.

    Raise `_TooFarError` if bytes of the file after ``limit`` are needed.
    """
    frame = _dictionary_frame(stretch, stream) if stretch.layer else b""
    blocks = _blocks(stretch, stream, head, limit)
    if limit < stretch.size:
        blocks = chain(blocks, _too_far())
    messages = 0
    for start, unpacked in _heads(stretch, blocks, head, frame):
        if start is not None and start >= stretch.end and not stretch.is_last:
            return Measured(head, start, messages, unpacked=unpacked)
        messages += 1
    return Measured(head, messages=messages)


def _heads(
    stretch: Stretch, blocks: Iterator[bytes], start: int, frame: bytes
) -> Iterator[tuple[int | None, int]]:
    """Yield where each message or record begins, the first one at ``start``.

    Of a compressed file, which may begin with the ``frame`` of a dictionary, that is where a member begins
    with the record, None if none does, and how many bytes the members before it have when they are unpacked.
    """
    if stretch.layer is not None:
        frame = frame if start else b""
        members = _Members(stretch.layer, chain([frame], blocks), start - len(frame), stretch.source)
        for record in _starts(cut_warc(members.unpacked())):
            yield members.start_of(record), members.unpacked_at
        return
    if stretch.format == "mbox":
        pieces = cut_at_postmarks(blocks, start, at_head=not stretch.is_first)
    else:
        pieces = cut_warc(blocks, offset=start, at_head=not stretch.is_first)
    for head in _starts(pieces):
        yield head, 0


def _starts(pieces: Iterable[Piece]) -> Iterator[int]:
    """Yield where messages begin."""
    starts = (start for start, _ in groupby(pieces, key=attrgetter("start")))
    return (start for start in starts if start != PREAMBLE)


class _Members:
    """The members of a compressed file that begin with a record of a web archive, while it is unpacked."""

    def __init__(self, layer: str, blocks: Iterator[bytes], offset: int, source: str) -> None:
        self._layer, self._blocks, self._offset, self._source = layer, blocks, offset, source
        self._begun: int | None = None  # a member of which no byte was yielded
        self._left: deque[tuple[int, int, int]] = deque()  # offsets of the first record, unpacked, and packed
        self.unpacked_at = 0  # where the member of the last answer begins

    def unpacked(self) -> Iterator[bytes]:
        """Yield what the file holds, from the offset on; raise `SourceError` if it cannot be read."""

        def begin(start: int) -> None:
            self._begun = start

        given = 0
        budget = DecompressionBudget(Place(self._source, _raise))
        try:
            for block in undo(self._layer, self._blocks, budget, offset=self._offset, on_member=begin):
                if self._begun is not None and (version := _WARC_LINE.match(block)):
                    self._left.append((given + version.end(), given, self._begun))
                self._begun = None
                given += len(block)
                yield block
        except (DamagedError, *LIBRARY_FAULTS) as error:
            raise SourceError(self._source, str(error)) from None

    def start_of(self, record: int) -> int | None:
        """Return the offset of the member that begins with a record, None if none does; ask in order."""
        while self._left and self._left[0][0] < record:
            self._left.popleft()
        if not self._left or self._left[0][0] != record:
            return None
        _, self.unpacked_at, start = self._left.popleft()
        return start
