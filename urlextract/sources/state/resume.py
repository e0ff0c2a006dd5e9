"""Files read from where the run before this one had come to; see `Memory`.

A plain mailbox and a plain text are read on from the middle. Of what is compressed,
or of another format, as many items are passed over as were given before.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, BinaryIO

from urlextract.records import Origin, RawMessage, RawText
from urlextract.sources.files import enterable, read_named, read_walked
from urlextract.sources.formats.mbox import cut_from
from urlextract.sources.formats.messages import messages_of
from urlextract.sources.formats.postmark import after_postmark
from urlextract.sources.sniff import LARGEST_HEAD
from urlextract.sources.state.memory import FileMemory
from urlextract.sources.state.texts import stretches_of
from urlextract.sources.streams import blocks_of_file, blocks_of_stream, ignored

if TYPE_CHECKING:
    from collections.abc import Iterator

    from urlextract.records import Item
    from urlextract.sources.state.memory import Memory
    from urlextract.sources.streams import Place

__all__ = ["read_resumed"]


def read_resumed(path: str, form: str, place: Place, memory: Memory, *, is_walked: bool) -> Iterator[Item]:
    """Give what is new in a regular file, and remember it item by item."""
    try:
        size = os.path.getsize(path)
        with open(path, "rb", buffering=0) as stream:
            verdict = enterable(blocks_of_stream(stream, place._replace(on_damage=ignored)), form)
    except OSError as error:
        place.damage(error)
        return
    known = memory.file(path)
    if known and known.size == size and known.is_whole:
        return
    if verdict and verdict.form == "mbox":
        yield from _mailbox(path, place, memory, known)
    elif verdict:
        yield from _text(path, place, memory, known)
    else:
        yield from _others(path, form, place, memory, known, is_walked=is_walked)


def _opened(path: str, place: Place) -> BinaryIO | None:
    """Open a file; tell if that fails."""
    try:
        return open(path, "rb", buffering=0)
    except OSError as error:
        place.damage(error)
        return None


def _mailbox(path: str, place: Place, memory: Memory, known: FileMemory | None) -> Iterator[Item]:
    known = known if known and known.offset is not None else FileMemory(offset=0, at="end")
    stream = _opened(path, place)
    if stream is None:
        return
    with stream:
        known = _without_torn(known, stream)
        offset = known.offset or 0
        given, last = known.items, known.last
        stream.seek(offset)
        pieces = cut_from(blocks_of_stream(stream, place, offset), offset, at_head=known.at == "head")
        for item in messages_of(pieces, path, number=given):
            start = item.origin.offset
            if start is not None:
                memory.note_file(path, FileMemory(start, given, start, at="head"))
                memory.rest()
                last = start
            yield item
            given += isinstance(item, RawMessage)
        end = stream.tell()
    memory.note_file(path, FileMemory(end, given, end, at="end", is_whole=True, last=last))


def _without_torn(known: FileMemory, stream: BinaryIO) -> FileMemory:
    """Go back to the last message where what has come since is no other: it was not written to its end."""
    if known.at != "end" or known.last is None:
        return known
    stream.seek(known.offset or 0)
    data = stream.read(LARGEST_HEAD).lstrip(b"\r\n")
    if not data or after_postmark(b"\n\n" + data, 2, at_end=True) > 0:
        return known
    return known._replace(offset=known.last, at="head", items=known.items - 1)


def _text(path: str, place: Place, memory: Memory, known: FileMemory | None) -> Iterator[Item]:
    known = known if known and known.offset is not None else FileMemory(offset=0)
    stream = _opened(path, place)
    if stream is None:
        return
    with stream:
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
            _note_text(path, memory, stretch.next_place)
            memory.rest()


def _note_text(path: str, memory: Memory, place: tuple[int, int, int, int]) -> None:
    size, offset, start, line = place
    memory.note_file(path, FileMemory(size, 0, offset, at="text", start=start, line=line, is_whole=True))


def _others(
    path: str, form: str, place: Place, memory: Memory, known: FileMemory | None, *, is_walked: bool
) -> Iterator[Item]:
    """Read a file from its start, and pass over what was given before.

    A single message or text that has grown is read anew: its end may be the new.
    """
    size = os.path.getsize(path)
    passed = known.items if known and not (known.items == 1 and known.size != size) else 0
    blocks = blocks_of_file(path, place)
    if is_walked and form == "auto":
        items = read_walked(blocks, place, is_mail=False)
    else:
        items = read_named(blocks, form, place)
    given = 0
    for item in items:
        if given >= passed or isinstance(item, RawText):
            yield item
        given += 1
        if given > passed:
            memory.note_file(path, FileMemory(size, given))
            memory.rest()
    memory.note_file(path, FileMemory(size, given, is_whole=True))
