"""Read what is new in each source since earlier runs, as a checkpoint says, and note it item by item.

The functions yield items and, between them, notes of what was read: a note comes when the item after it is
asked for, so the items before it have been processed. `noting` gives the notes to the checkpoint.
"""

from __future__ import annotations

import codecs
import hashlib
import os
from collections.abc import Iterator, Set
from functools import lru_cache
from itertools import islice
from typing import BinaryIO, NamedTuple, TypeAlias

from urlextract.errors import SourceError
from urlextract.records import Item, Provenance, RawMessage, RawText
from urlextract.sources.checkpoint import (
    STREAM,
    Begin,
    Checkpoint,
    Identity,
    Left,
    Linked,
    Note,
    Noted,
    Progress,
    Read,
    tail_of,
)
from urlextract.sources.compress import DecompressionBudget
from urlextract.sources.counting import counter_from, with_lines
from urlextract.sources.files import enterable, read_file, read_stream
from urlextract.sources.folders.tree import File
from urlextract.sources.formats.mbox import cut_at_postmarks
from urlextract.sources.formats.messages import messages_of
from urlextract.sources.identity import content_of_file, content_of_inbox, with_inode, with_time
from urlextract.sources.maildir import PARTS, unique_name
from urlextract.sources.sniff import UTF_16, named_format
from urlextract.sources.streams import Place, blocks_of_stream, ignored, peek

Steps: TypeAlias = Iterator[Item | Note]


def noting(steps: Steps, checkpoint: Checkpoint) -> Iterator[Item]:
    """Yield the items, and give the notes between them to the checkpoint."""
    for step in steps:
        if isinstance(step, RawMessage | RawText):
            yield step
        else:
            checkpoint.note(step)
            checkpoint.rest()


# --- texts, which are resumed after a blank line --------------------------------------------------

_SIZE = 256 * 1024  # bytes after which a stretch ends at a blank line
_LONGEST = 4 * 1024 * 1024  # bytes after which it ends at any line end or, without one, at any character


class Stretch(NamedTuple):
    """A stretch of a text: its bytes, and the offset, character and line at which they begin."""

    data: bytes
    offset: int = 0
    start: int = 0
    line: int = 1

    def of_text(self, text: RawText) -> RawText:
        """Return this stretch of a text."""
        chunks = iter((self.data,))
        return text._replace(chunks=chunks, start=self.start, line=self.line, byte=self.offset)

    def rest_from(self, at: int) -> Stretch:
        """Return what is left of this stretch after ``at`` bytes; a byte order mark is no character."""
        data, line = self.data[:at], self.line + self.data.count(b"\n", 0, at)
        characters = len(data) if data.isascii() else len(data.decode("utf-8", "surrogateescape"))
        characters -= self.offset == 0 and data.startswith(codecs.BOM_UTF8)
        return Stretch(self.data[at:], self.offset + at, self.start + characters, line)


def _after_blank_line(data: bytes, size: int | None = None) -> int:
    """Return the offset after the last blank line in the first ``size`` bytes, 0 if there is none."""
    ends = data.rfind(b"\n\n", 0, size), data.rfind(b"\n\r\n", 0, size)
    return max(ends[0] + 2 if ends[0] >= 0 else 0, ends[1] + 3 if ends[1] >= 0 else 0)


def stretches_of(
    blocks: Iterator[bytes], offset: int = 0, start: int = 0, line: int = 1
) -> Iterator[Stretch]:
    r"""Cut a UTF-8 text into stretches; ``offset``, ``start`` and ``line`` are those of its beginning.

    >>> [stretch] = stretches_of(iter([b"a\n\nb\n", b"c"]))
    >>> stretch.data, stretch.rest_from(5)
    (b'a\n\nb\nc', Stretch(data=b'c', offset=5, start=5, line=4))
    """
    rest, size = Stretch(b"", offset, start, line), _SIZE
    for block in blocks:
        rest = rest._replace(data=rest.data + block)
        while len(rest.data) >= size:
            # A stretch ends after a blank line; a very long one after a line or, without one, a character.
            # That depends on its bytes alone, so a text that is resumed there is cut as before.
            end = _after_blank_line(rest.data, size)
            if not end and size < _LONGEST:
                size *= 2
                continue
            end = end or rest.data.rfind(b"\n", 0, size) + 1
            if not end:
                end = size - 1
                while end > size - 4 and rest.data[end] & 0xC0 == 0x80:
                    end -= 1
            yield rest._replace(data=rest.data[:end])
            rest, size = rest.rest_from(end), _SIZE
    if rest.data:
        yield rest


# --- files ----------------------------------------------------------------------------------------


def new_of_file(format: str, place: Place, checkpoint: Checkpoint) -> Steps:
    """Yield what is new in a regular file."""
    path = os.path.abspath(place.name)
    try:
        stream = place.opener(place.name)
    except (OSError, ValueError) as error:
        place.damage(error)
        return
    with stream:
        status = os.fstat(stream.fileno())
        blocks = blocks_of_stream(stream, place._replace(on_damage=ignored))
        detection = enterable(blocks, format, place.name)
        known = checkpoint.progress(path)
        if known and tail_of(path, known.place) != known.tail:
            known = None  # the bytes before that place have changed
        # The time tells of other changes, which count only if what is yielded again replaces the old.
        is_modified = known and checkpoint.replaces and known.changed not in (0, status.st_mtime_ns)
        if known and known.is_whole and known.size == status.st_size and not is_modified:
            return
        content = content_of_file(path) if checkpoint.replaces else None
        before = checkpoint.moved(path, content) if content and not known else None
        if content and before:
            moved, known, is_same = before
            yield moved
            is_alike = named_format(moved.old) == named_format(path)  # else it may be read as something else
            has_tail = is_alike and tail_of(path, known.place) == known.tail
            if is_same and is_alike and known.is_whole and known.changed in (0, status.st_mtime_ns):
                if not has_tail or known.size != status.st_size:  # it was compressed or decompressed
                    known = Progress(status.st_size, known.items, is_whole=True, changed=status.st_mtime_ns)
                yield Read(path, known)
                yield Identity(path, content)
                return
            known = known if has_tail else None
        stream.seek(0)
        if detection and detection.format == "mbox":
            yield from _new_of_mailbox(path, stream, place, known)
        elif detection and detection.format == "text":
            by_paragraph, changed = checkpoint.replaces, status.st_mtime_ns
            yield from _new_of_text(path, stream, place, known, changed, by_paragraph=by_paragraph)
        else:
            budget = DecompressionBudget(place)
            items = read_stream(blocks_of_stream(stream, place), format, budget)
            yield from _new_of_others(path, items, place, status, None if checkpoint.replaces else known)
        if content:
            yield Identity(path, content)


def _new_of_mailbox(path: str, stream: BinaryIO, place: Place, known: Progress | None) -> Steps:
    known = known if known and known.at in ("head", "end") else Progress(offset=0, at="end")
    known = _without_torn(known, stream, place)
    yield Begin(path, place.name, known)
    offset = known.offset or 0
    given, last = known.items, known.last
    stream.seek(offset)
    blocks = blocks_of_stream(stream, place, offset)
    counter = counter_from(stream, path, offset) if place.counts_lines else None

    def messages(blocks: Iterator[bytes]) -> Iterator[Item]:
        pieces = cut_at_postmarks(blocks, offset, at_head=known.at == "head")
        return messages_of(pieces, place.name, number=given)

    for item in with_lines(blocks, messages, counter):
        start = item.provenance.offset
        if start is not None:
            yield Read(path, Progress(start, given, start, at="head"))
            last = start
        yield item
        given += isinstance(item, RawMessage)
    end = stream.tell()
    yield Read(path, Progress(end, given, end, at="end", is_whole=True, last=last))


def _without_torn(known: Progress, stream: BinaryIO, place: Place) -> Progress:
    """Go back to the last message if it does not end where the file did when it was read.

    Blank lines may have been added to it.
    """
    if known.at != "end" or known.last is None or known.offset is None:
        return known
    stream.seek(known.last)
    at = known.last
    blocks = blocks_of_stream(stream, place._replace(on_damage=ignored), at)
    for piece in cut_at_postmarks(blocks, at, at_head=True):
        added = piece.data[max(0, known.offset - at) :]
        at += len(piece.data)
        if added.strip(b"\r\n") or (piece.last and at < known.offset):
            return known._replace(offset=known.last, at="head", items=known.items - 1)
        if piece.last:
            break
    return known


def _new_of_text(
    path: str, stream: BinaryIO, place: Place, known: Progress | None, changed: int, *, by_paragraph: bool
) -> Steps:
    """Read a text from where it was left.

    A line that had no end yet is read again; with ``by_paragraph``, so is a paragraph, because a URL in it
    may go on.
    """
    resumed = known if known and known.at == "text" else Progress(offset=0, at="text")
    yield Begin(path, place.name, resumed)
    begin = resumed.offset or 0
    stream.seek(begin)
    text = RawText(iter(()), Provenance(source=place.name))
    is_longer = False
    for stretch in stretches_of(blocks_of_stream(stream, place, begin), begin, resumed.start, resumed.line):
        is_longer = True
        yield stretch.of_text(text)
        data = stretch.data
        end = _after_blank_line(data) if by_paragraph else data.rfind(b"\n") + 1
        size, (_, offset, start, line) = stretch.offset + len(data), stretch.rest_from(end)
        yield Read(path, Progress(size, 0, offset, "text", start, line, is_whole=True, changed=changed))
    if begin and not is_longer:  # the file ends where it was resumed: it was cut there
        yield Read(path, resumed._replace(size=begin, is_whole=True, changed=changed))


def _new_of_others(
    path: str, items: Iterator[Item], place: Place, status: os.stat_result, known: Progress | None
) -> Steps:
    """Read a file from its start.

    The messages that were yielded before, as far as they are ``known``, are skipped; texts are repeated. A
    file of one item whose size has changed is yielded again: the new bytes may belong to that item.
    """
    progress = Progress(status.st_size, changed=status.st_mtime_ns)
    passed = known.items if known and not (known.items == 1 and known.size != progress.size) else 0
    yield Begin(path, place.name, None)
    given = 0
    for given, item in enumerate(items, 1):
        if given > passed or isinstance(item, RawText):
            yield item
        if given > passed:
            yield Read(path, progress._replace(items=given))
    yield Read(path, progress._replace(items=given, is_whole=True))


# --- directories ----------------------------------------------------------------------------------


def new_of_files(
    files: Iterator[File], format: str, place: Place, checkpoint: Checkpoint, doubles: Set[str]
) -> Steps:
    """Yield what is new in the files of a directory; note which messages of its folders are left.

    The walk adds to ``doubles`` what is read by another name.
    """
    left: dict[str, set[str]] = {}
    for file in files:
        inside = place.inside(file.path)
        if file.repositories:
            yield from _new_of_inbox(file, format, inside, checkpoint)
        elif not file.is_mail:
            yield from new_of_file(format, inside, checkpoint)
        else:
            noted = _noted_of(file.path, replaces=checkpoint.replaces)
            left.setdefault(noted.folder, set()).add(noted.name)
            yield from _new_of_folder(file, format, inside, checkpoint, noted)
    for folder, keys in left.items():
        yield Left(folder, frozenset(keys))
    for path in map(os.path.abspath, sorted(doubles)):
        folder, name = os.path.split(path)
        is_in_two_parts = unique_name(name) in left.get(os.path.dirname(folder), ())
        if not is_in_two_parts:
            yield Linked(path)


def _noted_of(path: str, *, replaces: bool) -> Noted:
    """Return as what a message of a folder is noted.

    It is known by its name up to the colon: in a Maildir it may have been moved to another part and marked
    since. Numbers are given again, so there other things count, too: in MH its time, and in all folders its
    inode, if what was found in the message with that number is to be replaced.
    """
    folder, name = os.path.split(os.path.abspath(path))
    own, part = os.path.split(folder)
    if part in PARTS:
        return Noted(own, unique_name(name), f"{part}/{name}")
    if replaces:
        return Noted(folder, with_inode(path, name), name)
    return Noted(folder, with_time(path, name) if _is_mh(folder) else name, name)


@lru_cache(maxsize=256)
def _is_mh(folder: str) -> bool:
    return os.path.exists(os.path.join(folder, ".mh_sequences"))


def _new_of_folder(file: File, format: str, place: Place, checkpoint: Checkpoint, noted: Noted) -> Steps:
    """Yield a message of a folder if it is new, and where it is if it was elsewhere."""
    is_known = checkpoint.has(noted)
    if checkpoint.replaces and not is_known:
        noted = noted._replace(content=content_of_file(file.path))
    if refiled := checkpoint.refiled(noted):
        yield refiled
    elif not is_known:
        yield from _new_message(file, format, place, noted)


def _new_message(file: File, format: str, place: Place, noted: Noted) -> Steps:
    """Yield a message of a folder."""
    failures: list[SourceError] = []

    def note(damage: SourceError) -> None:
        if damage.errno is not None:  # the system could not read it: the next run may have more luck
            failures.append(damage)
        place.on_damage(damage)

    yield Begin(os.path.abspath(file.path), file.path, None, noted=noted)
    yield from read_file(file, format, place._replace(on_damage=note))
    if not failures:
        yield noted


def _new_of_inbox(file: File, format: str, place: Place, checkpoint: Checkpoint) -> Steps:
    """Yield the messages of an inbox after those that were read before."""
    own = os.path.abspath(file.path)
    known = checkpoint.progress(own)
    content = content_of_inbox(file.repositories) if checkpoint.replaces else None
    before = checkpoint.moved(own, content) if content and not known else None
    if before:
        moved, known, _ = before
        yield moved
    count = known.items if known else 0
    yield Begin(own, file.path, Progress(items=count, offset=0, at="end") if count else None, "inbox")
    for item in islice(read_file(file, format, place), count, None):
        yield item
        count += 1
        yield Read(own, Progress(items=count), "inbox")
    yield Read(own, Progress(items=count), "inbox")
    if content:
        yield Identity(own, content)


# --- streams --------------------------------------------------------------------------------------

_IDENTIFYING = 4 * 1024 * 1024  # bytes of a page, or of a text that cannot be cut, that are hashed


def new_of_stream(items: Iterator[Item], place: Place, checkpoint: Checkpoint) -> Steps:
    """Yield the messages and texts of a stream that came from no stream before.

    They are known by a hash of their bytes; of very large ones, by that of their beginning. A text is
    cut into stretches.
    """
    yield Begin(place.name, place.name, None, "stream")
    for item in _in_stretches(items):
        identity = hashlib.blake2b(digest_size=16)
        new = item
        if isinstance(item, RawText):
            head, chunks = peek(item.chunks, lambda head: len(head) >= _IDENTIFYING)
            identity.update(b"%d %d\n" % (item.start, item.is_page) + head[:_IDENTIFYING])
            new = item._replace(chunks=chunks)
        elif isinstance(item, RawMessage):
            identity.update(item.data)
        noted = Noted(STREAM, identity.hexdigest())
        if not checkpoint.has(noted):
            yield new
            yield noted
        elif isinstance(new, RawText):
            for _ in new.chunks:  # to its end, so that the next item can be read
                pass


def _in_stretches(items: Iterator[Item]) -> Iterator[Item]:
    """Yield the items, with stretches in place of a text in an encoding like ASCII."""
    for item in items:
        if not isinstance(item, RawText) or item.provenance.media_type:
            yield item
            continue
        head, chunks = peek(item.chunks, bool)
        if head.startswith(UTF_16) or b"\0" in head:
            yield item._replace(chunks=chunks)
        else:
            yield from (stretch.of_text(item) for stretch in stretches_of(chunks))
