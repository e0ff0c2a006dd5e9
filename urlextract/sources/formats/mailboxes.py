"""Mailboxes other than mbox, cut into messages: MMDF, and Apple Mail's .emlx."""

from __future__ import annotations

import sys
from collections.abc import Iterator

from urlextract.grammar.patterns import lazy_re
from urlextract.records import Item
from urlextract.sources.formats.messages import (
    COUNT_OFF,
    LARGEST_COUNT,
    Piece,
    cut_at_lines,
    messages_of,
)
from urlextract.sources.sniff import Detection
from urlextract.sources.streams import Place

_DELIMITER_LINE = lazy_re(rb"\x01\x01\x01\x01\r{0,2}\n")


def read_mmdf(blocks: Iterator[bytes], _: Detection, place: Place) -> Iterator[Item]:
    """Yield the messages of a folder; between two of them there is an empty one, which is left out."""
    return messages_of(cut_at_lines(blocks, _DELIMITER_LINE), place.name, blanks=False)


_SIZE_LINE = lazy_re(rb"[ \t]*([0-9]{1,15})[ \t]*\r?\n")
_LONGEST_LINE = 32  # bytes


def read_emlx(blocks: Iterator[bytes], _: Detection, place: Place) -> Iterator[Item]:
    """Yield the message of a file, without the property list after it."""
    return messages_of(cut_emlx(blocks), place.name)


def cut_emlx(blocks: Iterator[bytes]) -> Iterator[Piece]:
    r"""Yield the message, with a defect if it is shorter than the first line says.

    The length of a message of more than `LARGEST_COUNT` bytes is not checked.

    >>> [piece.data for piece in cut_emlx(iter([b"10\nTo: a\n\nhi", b"\n<plist>"])) if piece.data]
    [b'To: a\n\nhi\n']
    """
    held = bytearray()
    start, size = -1, sys.maxsize
    for block in blocks:
        held += block
        if start < 0 and (b"\n" in held[:_LONGEST_LINE] or len(held) >= _LONGEST_LINE):
            line = _SIZE_LINE.match(held)
            start, size = (line.end(), int(line[1])) if line else (0, sys.maxsize)
        if start >= 0 and len(held) > min(size + start, LARGEST_COUNT):
            break
    start = max(start, 0)
    data = bytes(held[start : start + size])
    if len(held) <= LARGEST_COUNT:
        yield Piece(start, data, last=True, defect=COUNT_OFF if start and len(data) < size else None)
        return
    while data:
        yield Piece(start, data, last=False)
        size -= len(data)
        data = next(blocks, b"")[:size]
    yield Piece(start, b"", last=True)
