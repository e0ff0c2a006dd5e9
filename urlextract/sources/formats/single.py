"""Sources that are one item: a text of some kind, a page, a message, an article of a server, an .emlx."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from functools import partial
from itertools import chain

from urlextract.grammar.patterns import lazy_re
from urlextract.records import Item, Origin, RawText
from urlextract.sources.formats.heads import cut_at_heads
from urlextract.sources.formats.mbox import cut_at_postmarks
from urlextract.sources.formats.messages import (
    COUNT_OFF,
    LARGEST_COUNT,
    LARGEST_HELD,
    Piece,
    messages_of,
    pieces_of,
)
from urlextract.sources.sniff import Detection
from urlextract.sources.streams import LONGEST_MARK, Place, Reader


def read_text(blocks: Iterator[bytes], _: Detection, place: Place) -> Iterator[Item]:
    """Return the whole stream as one text."""
    return iter((RawText(chunks=blocks, origin=Origin(source=place.name)),))


def _read_typed(
    media_type: str, blocks: Iterator[bytes], _: Detection, place: Place, *, is_page: bool = False
) -> Iterator[Item]:
    """Return the whole stream as one text, which is read as a part of that type is."""
    origin = Origin(source=place.name, media_type=media_type)
    return iter((RawText(chunks=blocks, origin=origin, is_page=is_page),))


read_page = partial(_read_typed, "text/html", is_page=True)
read_xml = partial(_read_typed, "text/xml", is_page=True)
read_calendar = partial(_read_typed, "text/calendar")
read_table = partial(_read_typed, "text/csv")


def read_message(blocks: Iterator[bytes], detection: Detection, place: Place) -> Iterator[Item]:
    """Return the whole stream as one message, which begins where the detection says."""
    reader = Reader(blocks)
    reader.take(detection.head)
    return messages_of(pieces_of(reader), place.name, undo_wire_format)


def read_first_message(blocks: Iterator[bytes], detection: Detection, place: Place) -> Iterator[Item]:
    """Yield the message with which a stream begins, and those after it.

    The first message of a mailbox may have no postmark (exports of Sympa). The stream is cut as a mailbox
    only if it has a line that may be a postmark, or is longer than a message is held while looking for one.
    """
    held: list[bytes] = []
    size, end = 0, b""
    for block in blocks:
        held.append(block)
        size += len(block)
        end = end[1 - len(b"\nFrom ") :] + block
        if b"\nFrom " in end or b"\rFrom " in end or size > LARGEST_HELD:
            pieces = cut_at_postmarks(chain(held, blocks), detection.head, detection.head)
            break
    else:
        reader = Reader(iter(held))
        reader.take(detection.head)
        pieces = pieces_of(reader)
    yield from messages_of(cut_at_heads(pieces), place.name, undo_wire_format)


# RFC 3977, section 3.1.1: a line that begins with "." gets another before it, and
# a line of a single "." ends the article.
TERMINATOR = b"\r\n.\r\n"
# A server writes Path into each article it takes (RFC 5536, section 3.1.5).
PATH = lazy_re(rb"(?:\A|\n)Path:", re.IGNORECASE)


def undo_wire_format(data: bytes) -> bytes:
    r"""Undo the doubled dots of an article in wire format, and remove the "." at its end.

    In that format every line ends in CR LF, and the article came from a server.

    >>> undo_wire_format(b"Path: a!b\r\n\r\n..x\r\n.\r\n"), undo_wire_format(b"Path: a!b\r\n\r\n..x\r\n")
    (b'Path: a!b\r\n\r\n.x\r\n', b'Path: a!b\r\n\r\n.x\r\n')
    >>> undo_wire_format(b"To: a\n\n..x\n"), undo_wire_format(b"To: a\r\n\r\n..x\r\n")
    (b'To: a\n\n..x\n', b'To: a\r\n\r\n..x\r\n')
    """
    if b"\r\n" not in data or data.count(b"\n") != data.count(b"\r\n"):
        return data
    if data.endswith(TERMINATOR):
        data = data[: -len(TERMINATOR) + len(b"\r\n")]
    elif not PATH.search(data.partition(b"\r\n\r\n")[0]):
        return data
    return data.replace(b"\r\n..", b"\r\n.")


_SIZE_LINE = lazy_re(rb"[ \t]*([0-9]{1,15})[ \t]*\r?\n")


def read_emlx(blocks: Iterator[bytes], _: Detection, place: Place) -> Iterator[Item]:
    r"""Yield the message of a file of Apple Mail, without the property list after it.

    >>> blocks = iter([b"10\nTo: a\n\nhi", b"\n<plist>"])
    >>> [message.data for message in read_emlx(blocks, Detection("emlx"), Place("x", print))]
    [b'To: a\n\nhi\n']
    """
    return messages_of(_cut_emlx(Reader(blocks)), place.name)


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
        yield from pieces_of(reader, size)
