"""News batches: ``#! rnews n``, then n bytes of an article, and so on (RFC 1036, section 4.3).

Batches that were sent through a conversion of line ends have counts that are off. A
count is believed where another command stands right behind the article, or nothing;
else the article goes on to the next line that is a command, and has a defect. A last
article that is shorter by more than line ends is damage: the batch was cut off.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlextract.grammar.patterns import later
from urlextract.sources.formats.pieces import COUNT_OFF, LARGEST_COUNT, PREAMBLE, Piece
from urlextract.sources.reader import LONGEST_MARK, Reader

if TYPE_CHECKING:
    from collections.abc import Iterator

    from urlextract.sources.streams import Place

__all__ = ["cut_rnews", "packed_rest"]


_COMMAND = later(rb"#! rnews[ \t]+([0-9]{1,18})[ \t]*\r{0,2}\n")
_NEXT = later(rb"\n#! rnews[ \t]+[0-9]{1,18}[ \t]*\r{0,2}\n")
# The beginning of a command, which the end of the batch has cut off
_CUT_COMMAND = later(rb"#!?|#! |#! r(?:n(?:e(?:w(?:s(?:[ \t]+[0-9]{0,18}[ \t]*\r{0,2})?)?)?)?)?")
_PACKED = later(rb"#! [cgbz]unbatch[ \t]*\r?\n")


def packed_rest(blocks: Iterator[bytes]) -> tuple[bool, Iterator[bytes]]:
    """Say whether the batch is a packed one (``#! gunbatch``); give what is behind that line, or all."""
    reader = Reader(blocks)
    packed = _PACKED.match(reader.peek(LONGEST_MARK))
    if packed:
        reader.take(packed.end())
    return packed is not None, reader.rest()


def cut_rnews(blocks: Iterator[bytes], place: Place | None = None) -> Iterator[Piece]:
    r"""Yield the pieces of the articles of a batch; one that is cut off is reported to ``place``.

    >>> pieces = cut_rnews(iter([b"#! rnews 9\nPath: a\n\n#! rnews 9\nPath: b\n\n"]))
    >>> [(piece.start, piece.data) for piece in pieces if piece.data]
    [(11, b'Path: a\n\n'), (31, b'Path: b\n\n')]
    """
    reader = Reader(blocks)
    while head := reader.peek(LONGEST_MARK):
        if place and reader.offset and _CUT_COMMAND.fullmatch(head):
            place.damage("news batch is cut short", reader.offset + len(head))
            return
        command = _COMMAND.match(head)
        if command:
            reader.take(command.end())
        start, count = (reader.offset, int(command[1])) if command else (PREAMBLE, 0)
        if command and _fits(reader, count):
            yield Piece(start, reader.take(count), last=True)
        else:
            defect = COUNT_OFF if command and count <= LARGEST_COUNT else ""
            lines, data = 0, b""
            for data in reader.up_to(_NEXT):
                lines += data.count(b"\n")
                yield Piece(start, data, last=False, defect=defect)
            yield Piece(start, b"", last=True, defect=defect)
            size = reader.offset - start
            is_converted = count - size == lines and data.endswith(b"\n")  # CR LF has become LF
            if place and command and size < count and not is_converted and not reader.peek(1):
                place.damage(
                    f"news batch is cut short: of the last article {size} of {count} bytes", reader.offset
                )


def _fits(reader: Reader, count: int) -> bool:
    """Say whether behind ``count`` bytes another command stands, or the end."""
    if count > LARGEST_COUNT:
        return False
    behind = reader.peek_behind(count, len(b"#! "))
    return behind is not None and b"#! ".startswith(behind)
