"""Mailboxes other than mbox, cut into messages: MMDF, Babyl (Rmail), and Apple Mail's .emlx."""

from __future__ import annotations

import sys
from collections.abc import Iterator

from urlextract.grammar.patterns import lazy_re
from urlextract.records import Item
from urlextract.sources.formats.messages import (
    COUNT_OFF,
    LARGEST_COUNT,
    NOWHERE,
    PREAMBLE,
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


_SEPARATOR = lazy_re(rb"\x1f")
_LABELS = lazy_re(rb"\x0c?\r?\n?[01],[^\n]*\n")
_END_OF_HEADER = lazy_re(rb"\n(\*\*\* EOOH \*\*\*\r?\n)")
_BLANK_LINE = lazy_re(rb"\n\r?\n")


def read_babyl(blocks: Iterator[bytes], _: Detection, place: Place) -> Iterator[Item]:
    """Yield the messages of a file, without offsets; the options before the first one are a text."""
    pieces = cut_at_lines(blocks, _SEPARATOR, PREAMBLE)
    moved = (piece if piece.start == PREAMBLE else piece._replace(start=NOWHERE) for piece in pieces)
    return messages_of(moved, place.name, undo_babyl, blanks=False)


def undo_babyl(data: bytes) -> bytes:
    r"""Convert a message of a Babyl file to a usual one: one header, then the body.

    >>> undo_babyl(b"\x0c\n1,,\nTo: a\nX-URL: x\n\n*** EOOH ***\nTo: a\n\nhi\n")
    b'To: a\nX-URL: x\n\nhi\n'
    >>> undo_babyl(b"\x0c\n0,,\n*** EOOH ***\nTo: a\n\nhi\n")
    b'To: a\n\nhi\n'
    """
    labels = _LABELS.match(data)
    start = labels.end() if labels else 0
    end = _END_OF_HEADER.search(data, max(0, start - 1))
    if not end:
        return data[start:].lstrip(b"\x0c\r\n")
    header = data[start : end.start(1)].strip(b"\r\n")
    if not header:
        return data[end.end() :]
    blank = _BLANK_LINE.search(data, end.end() - 1)
    return header + b"\n\n" + (data[blank.end() :] if blank else b"")


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
