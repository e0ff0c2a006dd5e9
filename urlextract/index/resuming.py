"""Read what is new in each source since earlier runs, as an index says, and note it item by item.

The functions yield items and, between them, notes of what was read: a note comes when the item after it is
asked for, so the items before it have been processed.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterator, Set
from functools import partial
from itertools import islice
from typing import BinaryIO, TypeAlias

from urlextract.errors import SourceError
from urlextract.index.identity import content_of_file, with_inode
from urlextract.index.notes import STREAM, Begin, Identity, Linked, Note, Noted, Progress, Read, tail_of
from urlextract.index.store import IndexStore
from urlextract.records import Item, Provenance, RawMessage, RawText
from urlextract.sources.compress import DecompressionBudget
from urlextract.sources.files import enterable, read_file, read_stream
from urlextract.sources.folders.tree import File, TreeFilter, Walker
from urlextract.sources.formats.mbox import cut_at_postmarks
from urlextract.sources.formats.messages import messages_of
from urlextract.sources.maildir import PARTS, unique_name
from urlextract.sources.reading import DIRECTORY_FORMATS, Source, read_source
from urlextract.sources.resuming import mark_of_inbox
from urlextract.sources.sniff import UTF_16, named_format
from urlextract.sources.streams import Place, blocks_of_stream, ignored, name_of, peek
from urlextract.sources.stretches import Start, after_blank_line, cut_text

Steps: TypeAlias = Iterator[Item | Note]


def new_of_source(
    source: Source,
    format: str,
    on_damage: Callable[[SourceError], None],
    tree_filter: TreeFilter,
    store: IndexStore,
) -> Iterator[Item]:
    """Yield what is new in a source, and give the notes between the items to the store."""
    is_path = isinstance(source, str | os.PathLike)
    path = os.fspath(source) if isinstance(source, str | os.PathLike) else name_of(source)
    place = Place(path, on_damage)
    is_file = is_path and path != "-"
    if is_file and os.path.isdir(path):
        doubles: set[str] = set()
        tree_filter = tree_filter._replace(doubles=doubles)
        files = Walker(format, partial(Place, on_damage=on_damage), tree_filter).walk(path)
        steps = _new_of_files(files, format, place, store, doubles)
    elif is_file and os.path.isfile(path) and format not in DIRECTORY_FORMATS:
        steps = _new_of_file(format, place, store)
    else:
        steps = _new_of_stream(read_source(source, format, on_damage=on_damage), path, store)
    for step in steps:
        if isinstance(step, RawMessage | RawText):
            yield step
        else:
            store.note(step)


# --- files ----------------------------------------------------------------------------------------


def _new_of_file(format: str, place: Place, store: IndexStore) -> Steps:
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
        known = store.progress(path)
        if known and tail_of(path, known.place) != known.tail:
            known = None  # the bytes before that place have changed
        is_modified = known and known.changed not in (0, status.st_mtime_ns)
        if known and known.is_whole and known.size == status.st_size and not is_modified:
            return
        content = content_of_file(path)
        before = store.moved(path, content) if content and not known else None
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
            yield from _new_of_text(path, stream, place, known, status.st_mtime_ns)
        else:
            budget = DecompressionBudget(place)
            items = read_stream(blocks_of_stream(stream, place), format, budget)
            yield from _new_of_others(path, items, place, status)
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
    pieces = cut_at_postmarks(blocks, offset, at_head=known.at == "head")
    for item in messages_of(pieces, place.name, number=given):
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


def _new_of_text(path: str, stream: BinaryIO, place: Place, known: Progress | None, changed: int) -> Steps:
    """Read a text from where it was left.

    A paragraph that had no end yet is read again, because a URL in it may go on.
    """
    resumed = known if known and known.at == "text" else Progress(offset=0, at="text")
    yield Begin(path, place.name, resumed)
    begin = resumed.offset or 0
    stream.seek(begin)
    text = RawText(iter(()), Provenance(source=place.name))
    is_longer = False
    start = Start(begin, 0, resumed.start, resumed.line - 1)
    for stretch in cut_text(blocks_of_stream(stream, place, begin), start):
        is_longer = True
        yield stretch.of(text)
        size, end = stretch.start.offset + len(stretch.data), stretch.start_at(after_blank_line(stretch.data))
        left = Progress(size, 0, end.offset, "text", end.characters, end.lines + 1)
        yield Read(path, left._replace(is_whole=True, changed=changed))
    if begin and not is_longer:  # the file ends where it was resumed: it was cut there
        yield Read(path, resumed._replace(size=begin, is_whole=True, changed=changed))


def _new_of_others(path: str, items: Iterator[Item], place: Place, status: os.stat_result) -> Steps:
    """Read a file from its start."""
    progress = Progress(status.st_size, changed=status.st_mtime_ns)
    yield Begin(path, place.name, None)
    given = 0
    for given, item in enumerate(items, 1):
        yield item
        yield Read(path, progress._replace(items=given))
    yield Read(path, progress._replace(items=given, is_whole=True))


# --- directories ----------------------------------------------------------------------------------


def _new_of_files(
    files: Iterator[File], format: str, place: Place, store: IndexStore, doubles: Set[str]
) -> Steps:
    """Yield what is new in the files of a directory.

    The walk adds to ``doubles`` what is read by another name.
    """
    left: dict[str, set[str]] = {}
    for file in files:
        inside = place.inside(file.path)
        if file.repositories:
            yield from _new_of_inbox(file, format, inside, store)
        elif not file.is_mail:
            yield from _new_of_file(format, inside, store)
        else:
            noted = _noted_of(file.path)
            left.setdefault(noted.folder, set()).add(noted.name)
            yield from _new_of_folder(file, format, inside, store, noted)
    for path in map(os.path.abspath, sorted(doubles)):
        folder, name = os.path.split(path)
        is_in_two_parts = unique_name(name) in left.get(os.path.dirname(folder), ())
        if not is_in_two_parts:
            yield Linked(path)


def _noted_of(path: str) -> Noted:
    """Return as what a message of a folder is noted.

    It is known by its name up to the colon: in a Maildir it may have been moved to another part and marked
    since. Numbers are given again, so there its time and its inode count, too.
    """
    folder, name = os.path.split(os.path.abspath(path))
    own, part = os.path.split(folder)
    if part in PARTS:
        return Noted(own, unique_name(name), f"{part}/{name}")
    return Noted(folder, with_inode(path, name), name)


def _new_of_folder(file: File, format: str, place: Place, store: IndexStore, noted: Noted) -> Steps:
    """Yield a message of a folder if it is new, and where it is if it was elsewhere."""
    is_known = store.has(noted)
    if not is_known:
        noted = noted._replace(content=content_of_file(file.path))
    if refiled := store.refiled(noted):
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


def _new_of_inbox(file: File, format: str, place: Place, store: IndexStore) -> Steps:
    """Yield the messages of an inbox after those that were read before."""
    own = os.path.abspath(file.path)
    known = store.progress(own)
    content = mark_of_inbox(file.repositories)
    before = store.moved(own, content) if content and not known else None
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


def _new_of_stream(items: Iterator[Item], name: str, store: IndexStore) -> Steps:
    """Yield the messages and texts of a stream that came from no stream before.

    They are known by a hash of their bytes; of very large ones, by that of their beginning. A text is
    cut into stretches.
    """
    yield Begin(name, name, None, "stream")
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
        if not store.has(noted):
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
            yield from (stretch.of(item) for stretch in cut_text(chunks, Start()))
