"""Read what is new in each source since earlier runs, as a checkpoint says, and note it item by item."""

from __future__ import annotations

import codecs
import hashlib
import os
from collections.abc import Callable, Iterator
from itertools import islice
from typing import BinaryIO, NamedTuple

from urlextract.errors import SourceError
from urlextract.records import Item, Origin, RawMessage, RawText
from urlextract.sources.checkpoint import Checkpoint, Progress
from urlextract.sources.files import UTF_16, enterable, read_named, read_walked
from urlextract.sources.folders.reading import read_file
from urlextract.sources.folders.tree import PARTS, File
from urlextract.sources.formats.mbox import cut_from
from urlextract.sources.formats.messages import messages_of
from urlextract.sources.streams import Place, blocks_of_file, blocks_of_stream, ignored, peek

_SIZE = 256 * 1024  # bytes after which a stretch ends at a blank line
_LONGEST = 4 * 1024 * 1024  # bytes after which it ends at any line end or, without one, at any character


class Stretch(NamedTuple):
    """A stretch of a text: its bytes, and the offset, character and line at which they begin."""

    data: bytes
    offset: int
    start: int
    line: int

    def resumed_at(self, *, by_paragraph: bool = False) -> tuple[int, int, int, int]:
        """Return the size of the text up to here, and the place from which to resume when it has grown.

        That is an offset, a character and a line. A line that has no end yet is read again; with
        ``by_paragraph``, so is a paragraph, because a URL in it may go on.
        """
        data = self.data
        end = _after_blank_line(data) if by_paragraph else data.rfind(b"\n") + 1
        whole = data[:end]
        characters = _characters(whole, self.offset)
        place = self.offset + end, self.start + characters, self.line + whole.count(b"\n")
        return self.offset + len(data), *place


def _after_blank_line(data: bytes, size: int | None = None) -> int:
    """Return the offset after the last blank line in the first ``size`` bytes, 0 if there is none."""
    ends = data.rfind(b"\n\n", 0, size), data.rfind(b"\n\r\n", 0, size)
    return max(ends[0] + 2 if ends[0] >= 0 else 0, ends[1] + 3 if ends[1] >= 0 else 0)


def stretches_of(
    blocks: Iterator[bytes], offset: int = 0, start: int = 0, line: int = 1
) -> Iterator[Stretch]:
    r"""Cut a UTF-8 text into stretches; ``offset``, ``start`` and ``line`` are those of its beginning.

    >>> [(s.data, s.resumed_at()) for s in stretches_of(iter([b"a\n\nb\n", b"c"]))]
    [(b'a\n\nb\nc', (6, 5, 5, 4))]
    """
    buffer, size = b"", _SIZE
    for block in blocks:
        buffer += block
        while len(buffer) >= size:
            end = _end_in(buffer, size)
            if not end:
                size *= 2
                continue
            yield Stretch(buffer[:end], offset, start, line)
            offset, start = offset + end, start + _characters(buffer[:end], offset)
            line += buffer.count(b"\n", 0, end)
            buffer, size = buffer[end:], _SIZE
    if buffer:
        yield Stretch(buffer, offset, start, line)


def _end_in(buffer: bytes, size: int) -> int:
    """Return where a stretch ends in the first ``size`` bytes, 0 if it is longer.

    It depends on these bytes alone, so a text that is resumed at the end of a stretch is cut as before.
    """
    end = _after_blank_line(buffer, size)
    if end:
        return end
    if size < _LONGEST:
        return 0
    return buffer.rfind(b"\n", 0, size) + 1 or _whole_characters(buffer[:size])


def _whole_characters(data: bytes) -> int:
    """Return the offset at which the last UTF-8 character begins."""
    end = len(data) - 1
    while end > len(data) - 4 and data[end] & 0xC0 == 0x80:
        end -= 1
    return end


def _characters(data: bytes, offset: int) -> int:
    """Return the number of characters of a text in UTF-8; a byte order mark at its beginning is none."""
    characters = len(data) if data.isascii() else len(data.decode("utf-8", "surrogateescape"))
    return characters - (offset == 0 and data.startswith(codecs.BOM_UTF8))


def read_resumed(
    path: str, format: str, place: Place, checkpoint: Checkpoint, *, is_walked: bool
) -> Iterator[Item]:
    """Yield what is new in a regular file, and remember it item by item."""
    try:
        status = os.stat(path)
        with open(path, "rb", buffering=0) as stream:
            verdict = enterable(blocks_of_stream(stream, place._replace(on_damage=ignored)), format)
    except OSError as error:
        place.damage(error)
        return
    known = checkpoint.file(path)
    if (
        known
        and known.size == status.st_size
        and known.is_whole
        and not _is_modified(known, status, checkpoint)
    ):
        return
    if verdict and verdict.format == "mbox":
        yield from _mailbox(path, place, checkpoint, known)
    elif verdict:
        yield from _text(path, place, checkpoint, known, status)
    else:
        blocks = blocks_of_file(path, place)
        walked = is_walked and format == "auto"
        items = read_walked(blocks, place, is_mail=False) if walked else read_named(blocks, format, place)
        yield from _others(items, path, checkpoint, known, status)


def _is_modified(known: Progress, status: os.stat_result, checkpoint: Checkpoint) -> bool:
    """Return whether a file was written to since, as its time says, if it may be read again."""
    return checkpoint.replaces and known.changed not in (0, status.st_mtime_ns)


def _opened(path: str, place: Place) -> BinaryIO | None:
    """Open a file; report a failure to ``place`` and return None."""
    try:
        return open(path, "rb", buffering=0)
    except OSError as error:
        place.damage(error)
        return None


def _mailbox(path: str, place: Place, checkpoint: Checkpoint, known: Progress | None) -> Iterator[Item]:
    known = known if known and known.at in ("head", "end") else Progress(offset=0, at="end")
    stream = _opened(path, place)
    if stream is None:
        return
    with stream:
        known = _without_torn(known, stream, place)
        checkpoint.begin(path, known)
        offset = known.offset or 0
        given, last = known.items, known.last
        stream.seek(offset)
        pieces = cut_from(blocks_of_stream(stream, place, offset), offset, at_head=known.at == "head")
        for item in messages_of(pieces, path, number=given):
            start = item.origin.offset
            if start is not None:
                checkpoint.note_file(path, Progress(start, given, start, at="head"))
                checkpoint.rest()
                last = start
            yield item
            given += isinstance(item, RawMessage)
        end = stream.tell()
    checkpoint.note_file(path, Progress(end, given, end, at="end", is_whole=True, last=last))


def _without_torn(known: Progress, stream: BinaryIO, place: Place) -> Progress:
    """Go back to the last message if it does not end where the file did when it was read.

    Blank lines may have been added to it.
    """
    if known.at != "end" or known.last is None or known.offset is None:
        return known
    stream.seek(known.last)
    at = known.last
    quiet = place._replace(on_damage=ignored)
    for piece in cut_from(blocks_of_stream(stream, quiet, at), at, at_head=True):
        added = piece.data[max(0, known.offset - at) :]
        at += len(piece.data)
        if added.strip(b"\r\n") or (piece.last and at < known.offset):
            return known._replace(offset=known.last, at="head", items=known.items - 1)
        if piece.last:
            break
    return known


def _text(
    path: str, place: Place, checkpoint: Checkpoint, known: Progress | None, status: os.stat_result
) -> Iterator[Item]:
    known = resumed = known if known and known.at == "text" else Progress(offset=0, at="text")
    stream = _opened(path, place)
    if stream is None:
        return
    with stream:
        checkpoint.begin(path, known)
        stream.seek(known.offset or 0)
        blocks = blocks_of_stream(stream, place, known.offset or 0)
        for stretch in stretches_of(blocks, known.offset or 0, known.start, known.line):
            yield RawText(
                chunks=iter((stretch.data,)),
                origin=Origin(source=path),
                start=stretch.start,
                line=stretch.line,
                byte=stretch.offset,
            )
            size, offset, start, line = stretch.resumed_at(by_paragraph=checkpoint.replaces)
            known = Progress(size, 0, offset, "text", start, line)
            checkpoint.note_file(path, known._replace(is_whole=True, changed=status.st_mtime_ns))
            checkpoint.rest()
    if known is resumed and known.offset:  # the file ends where it was resumed: it was cut there
        known = known._replace(size=known.offset, is_whole=True, changed=status.st_mtime_ns)
        checkpoint.note_file(path, known)


def _others(
    items: Iterator[Item], path: str, checkpoint: Checkpoint, known: Progress | None, status: os.stat_result
) -> Iterator[Item]:
    """Read a file from its start.

    The messages that were yielded before are skipped, unless the checkpoint replaces them; texts are
    repeated. A file of one item whose size has changed is yielded again: the new bytes may belong to
    that item.
    """
    size, changed = status.st_size, status.st_mtime_ns
    passed = known.items if known and not (known.items == 1 and known.size != size) else 0
    passed = 0 if checkpoint.replaces else passed
    checkpoint.begin(path, None)
    given = 0
    for item in items:
        if given >= passed or isinstance(item, RawText):
            yield item
        given += 1
        if given > passed:
            checkpoint.note_file(path, Progress(size, given, changed=changed))
            checkpoint.rest()
    checkpoint.note_file(path, Progress(size, given, is_whole=True, changed=changed))


def read_new_files(
    files: Iterator[File], format: str, place: Place, checkpoint: Checkpoint
) -> Iterator[Item]:
    """Yield what is new in the files of a directory, and remember it; forget messages that are gone."""
    new = _NewFiles(checkpoint)
    for file in files:
        yield from new.read(file, format, place._replace(name=file.path))
    new.forget_others()


class _NewFiles:
    """Reads what is new in the files of one directory."""

    def __init__(self, checkpoint: Checkpoint) -> None:
        self._checkpoint = checkpoint
        self._named: dict[str, set[str]] = {}
        self._mh: dict[str, bool] = {}

    def read(self, file: File, format: str, place: Place) -> Iterator[Item]:
        """Yield what is new of one file."""
        if file.repositories:
            yield from _inbox(self._checkpoint, file, format, place)
        elif file.is_mail:
            yield from self._message(file, format, place)
        else:
            yield from read_resumed(file.path, format, place, self._checkpoint, is_walked=True)

    def _message(self, file: File, format: str, place: Place) -> Iterator[Item]:
        """Yield a message unless it was read before, in a Maildir perhaps under another name."""
        folder, name = os.path.split(file.path)
        if os.path.basename(folder) in PARTS:
            folder = os.path.dirname(folder)
            self._named.setdefault(folder, set()).add(name)
        elif self._is_mh(folder):
            name = _with_time(file.path, name)
            self._named.setdefault(folder, set()).add(name)
        if self._checkpoint.has(folder, name):
            return
        self._checkpoint.begin(file.path, None, folder=folder)
        failures: list[SourceError] = []
        yield from read_file(file, format, place._replace(on_damage=_noting(failures, place)))
        if not failures:  # otherwise the next run may have more luck
            self._checkpoint.note(folder, name)
            self._checkpoint.rest()

    def _is_mh(self, folder: str) -> bool:
        """Return whether a folder belongs to MH, which reuses the numbers of deleted messages."""
        if folder not in self._mh:
            self._mh[folder] = os.path.exists(os.path.join(folder, ".mh_sequences"))
        return self._mh[folder]

    def forget_others(self) -> None:
        """Forget the names of messages that are gone."""
        for folder, names in self._named.items():
            self._checkpoint.keep_only(folder, names)


def _noting(failures: list[SourceError], place: Place) -> Callable[[SourceError], None]:
    """Return a function that reports damage, and notes what the system could not read."""

    def note(damage: SourceError) -> None:
        if damage.errno is not None:
            failures.append(damage)
        place.on_damage(damage)

    return note


def _with_time(path: str, name: str) -> str:
    """Return what identifies a message of MH: its number and its modification time."""
    try:
        return f"{name}@{os.stat(path).st_mtime_ns}"
    except OSError:
        return name


def _inbox(checkpoint: Checkpoint, file: File, format: str, place: Place) -> Iterator[Item]:
    """Yield the messages of an inbox after those that were read before."""
    count = checkpoint.inbox(file.path)
    checkpoint.begin(file.path, Progress(items=count, offset=0, at="end") if count else None, kind="inbox")
    for item in islice(read_file(file, format, place), count, None):
        yield item
        count += 1
        checkpoint.note_inbox(file.path, count)
        checkpoint.rest()
    checkpoint.note_inbox(file.path, count)


_IDENTIFYING = 4 * 1024 * 1024  # bytes of a page, or of a text that cannot be cut, that are hashed


def read_new_of_stream(items: Iterator[Item], place: Place, checkpoint: Checkpoint) -> Iterator[Item]:
    """Yield the messages and texts of a stream that came from no stream before, and remember them.

    They are known by a hash of their bytes; of very large ones, by that of their beginning. A text is
    cut into stretches.
    """
    checkpoint.begin(place.name, None, kind="stream")
    for item in _in_stretches(items):
        identity = hashlib.blake2b(digest_size=16)
        new = item
        if isinstance(item, RawText):
            head, chunks = peek(item.chunks, lambda head: len(head) >= _IDENTIFYING)
            identity.update(b"%d %d\n" % (item.start, item.is_page) + head[:_IDENTIFYING])
            new = item._replace(chunks=chunks)
        elif isinstance(item, RawMessage):
            identity.update(item.data)
        name = identity.hexdigest()
        if not checkpoint.has_come(name):
            yield new
            checkpoint.note_come(name)
            checkpoint.rest()
        elif isinstance(new, RawText):
            for _ in new.chunks:  # to its end, so that the next item can be read
                pass


def _in_stretches(items: Iterator[Item]) -> Iterator[Item]:
    """Yield the items, with stretches in place of a text in an encoding like ASCII."""
    for item in items:
        if not isinstance(item, RawText) or item.is_page:
            yield item
            continue
        head, chunks = peek(item.chunks, bool)
        if head.startswith(UTF_16) or b"\0" in head:
            yield item._replace(chunks=chunks)
            continue
        for stretch in stretches_of(chunks):
            yield item._replace(
                chunks=iter((stretch.data,)), start=stretch.start, line=stretch.line, byte=stretch.offset
            )
