"""News as servers exchange and store it: batches (rnews) and sessions (RFC 3977)."""

from __future__ import annotations

from collections.abc import Iterator

from urlextract.grammar.patterns import lazy_re
from urlextract.records import Item
from urlextract.sources.compress import MOST_NESTED, DecompressionBudget, decompress
from urlextract.sources.formats.messages import (
    COUNT_OFF,
    LARGEST_COUNT,
    NOWHERE,
    PREAMBLE,
    Piece,
    cut_at_lines,
    messages_of,
    undo_wire_format,
)
from urlextract.sources.sniff import Detection
from urlextract.sources.streams import LONGEST_MARK, Origin, Reader

_COMMAND = lazy_re(rb"#! rnews[ \t]+([0-9]{1,18})[ \t]*\r{0,2}\n")
# The beginning of a command, which the end of the batch has cut off
_CUT_COMMAND = lazy_re(rb"#!?|#! |#! r(?:n(?:e(?:w(?:s(?:[ \t]+[0-9]{0,18}[ \t]*\r{0,2})?)?)?)?)?")
_PACKED = lazy_re(rb"#! [gbz]unbatch[ \t]*\r?\n")


def read_rnews(blocks: Iterator[bytes], _: Detection, origin: Origin) -> Iterator[Item]:
    """Read a news batch, after decompressing it if necessary (``#! gunbatch``)."""
    for _round in range(MOST_NESTED):
        reader = Reader(blocks)
        packed = _PACKED.match(reader.peek(LONGEST_MARK))
        if not packed:
            return messages_of(_cut_rnews(reader, origin), origin.name, undo_wire_format, blanks=False)
        reader.take(packed.end())
        budget = DecompressionBudget(origin)
        blocks, origin = decompress(reader.pieces(), budget), budget.first_only()
    origin.damage(f"batch in a batch, more than {MOST_NESTED} deep")
    return iter(())


def _cut_rnews(reader: Reader, origin: Origin) -> Iterator[Piece]:
    """Yield the pieces of the articles of a batch; one that is cut off is reported."""
    while head := reader.peek(LONGEST_MARK):
        if reader.offset and _CUT_COMMAND.fullmatch(head):
            origin.damage("news batch is cut short", reader.offset + len(head))
            return
        command = _COMMAND.match(head)
        if command:
            reader.take(command.end())
        start, count = (reader.offset, int(command[1])) if command else (PREAMBLE, 0)
        if command and _fits(reader, count):
            yield Piece(start, reader.take(count), last=True)
        else:
            defect = COUNT_OFF if command and count <= LARGEST_COUNT else None
            lines, data = 0, b""
            for data in reader.up_to(_COMMAND):
                lines += data.count(b"\n")
                yield Piece(start, data, last=False, defect=defect)
            yield Piece(start, b"", last=True, defect=defect)
            size = reader.offset - start
            is_converted = count - size == lines and data.endswith(b"\n")  # CR LF has become LF
            if command and size < count and not is_converted and not reader.peek(1):
                origin.damage(
                    f"news batch is cut short: of the last article {size} of {count} bytes", reader.offset
                )


def _fits(reader: Reader, count: int) -> bool:
    """Return whether another command, or the end, follows after ``count`` bytes."""
    if count > LARGEST_COUNT:
        return False
    data = reader.peek(count + len(b"#! "))
    return len(data) >= count and b"#! ".startswith(data[count:])


_END = rb"\.\r{0,2}\n"
# Other answers are single lines, with no text after them.
_ANSWER = rb"(?:[1-5][0-9]{2}(?:[ -][^\n]*)?\n|\r?\n)"
_ANSWERS = lazy_re(_ANSWER + rb"*?22[012] [0-9]+[^\n]*\n|(?>" + _ANSWER + rb"*)\Z")


def read_nntp(blocks: Iterator[bytes], _: Detection, origin: Origin) -> Iterator[Item]:
    """Yield the articles in the answers of a session; their offsets in the source are not known."""
    pieces = (piece._replace(start=NOWHERE) for piece in cut_at_lines(blocks, _END))
    return messages_of(pieces, origin.name, undo_nntp, blanks=False)


def undo_nntp(data: bytes) -> bytes:
    r"""Remove the answers of the server before an article, and undo the doubled dots.

    >>> undo_nntp(b"220 1 <a@b> article\r\nPath: a\r\n\r\n..x\r\n")
    b'Path: a\r\n\r\n.x\r\n'
    """
    answers = _ANSWERS.match(data)
    data = data[answers.end() :] if answers else data
    return (b"\n" + data).replace(b"\n..", b"\n.")[1:]
