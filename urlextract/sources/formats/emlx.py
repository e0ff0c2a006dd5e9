"""Apple Mail: one message behind a line with its length in bytes, before a property list about it."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from urlextract.grammar.patterns import later
from urlextract.sources.formats.pieces import COUNT_OFF, LARGEST_COUNT, Piece

if TYPE_CHECKING:
    from collections.abc import Iterator

    from urlextract.sources.sniff import Verdict

__all__ = ["cut_emlx"]

_LINE = later(rb"[ \t]*([0-9]{1,15})[ \t]*\r?\n")
_LONGEST_LINE = 32  # bytes


def cut_emlx(blocks: Iterator[bytes], _: Verdict | None = None) -> Iterator[Piece]:
    r"""Yield the message, with a defect if it is shorter than the first line says.

    The length is not checked of a message of more than `LARGEST_COUNT` bytes.

    >>> [piece.data for piece in cut_emlx(iter([b"10\nTo: a\n\nhi", b"\n<plist>"])) if piece.data]
    [b'To: a\n\nhi\n']
    """
    held = bytearray()
    start, size = -1, sys.maxsize
    for block in blocks:
        held += block
        if start < 0 and (b"\n" in held[:_LONGEST_LINE] or len(held) >= _LONGEST_LINE):
            line = _LINE.match(held)
            start, size = (line.end(), int(line[1])) if line else (0, sys.maxsize)
        if start >= 0 and len(held) > min(size + start, LARGEST_COUNT):
            break
    start = max(start, 0)
    data = bytes(held[start : start + size])
    if len(held) <= LARGEST_COUNT:
        yield Piece(start, data, last=True, defect=COUNT_OFF if start and len(data) < size else "")
        return
    while data:
        yield Piece(start, data, last=False)
        size -= len(data)
        data = next(blocks, b"")[:size]
    yield Piece(start, b"", last=True)
