"""Sources that are one item: a text of some kind, a page, a message, an article of a server, an .emlx."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import partial

from urlextract.grammar.patterns import lazy_re
from urlextract.records import Item, Provenance, RawText
from urlextract.sources.formats.messages import (
    COUNT_OFF,
    LARGEST_COUNT,
    Piece,
    messages_of,
    pieces_of,
    undo_wire_format,
)
from urlextract.sources.formats.office import with_links_only
from urlextract.sources.sniff import Detection
from urlextract.sources.streams import LONGEST_MARK, Origin, Reader, after


def _read_typed(
    media_type: str | None, blocks: Iterator[bytes], _: Detection, origin: Origin, *, is_page: bool = False
) -> Iterator[Item]:
    """Return the whole stream as one text, which is read as a part of that type is."""
    provenance = Provenance(source=origin.name, media_type=media_type)
    return iter((RawText(blocks, provenance, is_page=is_page, is_followed=origin.is_followed),))


read_text = partial(_read_typed, None)
read_page = partial(_read_typed, "text/html", is_page=True)
read_calendar = partial(_read_typed, "text/calendar")
read_table = partial(_read_typed, "text/csv")


def read_xml(blocks: Iterator[bytes], detection: Detection, origin: Origin) -> Iterator[Item]:
    """Return the whole stream as one page of XML; of a part of Office, only what may have links."""
    media_type, blocks = with_links_only(blocks)
    return _read_typed(media_type, blocks, detection, origin, is_page=True)


def read_message(blocks: Iterator[bytes], detection: Detection, origin: Origin) -> Iterator[Item]:
    """Return the whole stream as one message, which begins where the detection says."""
    pieces = pieces_of(detection.head, after(detection.head, blocks))
    return messages_of(pieces, origin.name, undo_wire_format)


_SIZE_LINE = lazy_re(rb"[ \t]*([0-9]{1,15})[ \t]*\r?\n")


def read_emlx(blocks: Iterator[bytes], _: Detection, origin: Origin) -> Iterator[Item]:
    r"""Yield the message of a file of Apple Mail, without the property list after it.

    >>> blocks = iter([b"10\nTo: a\n\nhi", b"\n<plist>"])
    >>> [message.data for message in read_emlx(blocks, Detection("emlx"), Origin("x", print))]
    [b'To: a\n\nhi\n']
    """
    return messages_of(_cut_emlx(Reader(blocks)), origin.name)


def _cut_emlx(reader: Reader) -> Iterator[Piece]:
    """Yield the message, with a defect if it is shorter than the first line says.

    The length of a message of more than `LARGEST_COUNT` bytes is not checked.
    """
    line = _SIZE_LINE.match(reader.peek(LONGEST_MARK))
    reader.take(line.end() if line else 0)
    start, size = reader.offset, int(line[1]) if line else sys.maxsize
    most = min(size, LARGEST_COUNT)
    data = reader.peek(most)
    if most == size or len(data) < most:
        yield Piece(start, data, last=True, defect=COUNT_OFF if line and len(data) < size else None)
    else:
        yield from pieces_of(start, reader.pieces(size))
