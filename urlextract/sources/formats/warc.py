"""Web archives: WARC and the text-only WET (ISO 28500:2017).

A record has a head of header fields and a block that they describe, so it is read as a
message.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from urlextract.grammar.patterns import lazy_re
from urlextract.records import Item
from urlextract.sources.formats.messages import Piece, messages_of, pieces_of
from urlextract.sources.sniff import WARC_VERSION, Detection
from urlextract.sources.streams import LONGEST_MARK, Place, Reader

# section 4
#   warc-record = header CRLF block CRLF CRLF
#   header      = version warc-fields
_VERSION = lazy_re(WARC_VERSION)
_GAP = lazy_re(rb"[\r\n]{0,30}(?=%s|\Z)" % WARC_VERSION)
_LENGTH = lazy_re(rb"(?:\A|\n)content-length:[ \t]*([0-9]{1,18})[ \t]*\r?\n", re.IGNORECASE)
_LARGEST_HEAD = 1024 * 1024  # bytes


def read_warc(blocks: Iterator[bytes], _: Detection, place: Place) -> Iterator[Item]:
    """Yield the records of an archive as messages."""
    return messages_of(cut_warc(blocks), place.name)


def cut_warc(blocks: Iterator[bytes], offset: int = 0, *, at_head: bool = False) -> Iterator[Piece]:
    r"""Cut an archive into its records, without the lines that name the version.

    The blocks begin at ``offset``, where a record begins, or ``at_head``, after that line.

    >>> record = b"WARC/1.0\r\nContent-Length: 3\r\n\r\nabc\r\n\r\n"
    >>> [piece.data for piece in cut_warc(iter([record])) if piece.data]
    [b'Content-Length: 3\r\n\r\n', b'abc']
    """
    reader = Reader(blocks)
    reader.offset = offset
    while at_head or reader.peek(1):
        version = None if at_head else _VERSION.match(reader.peek(LONGEST_MARK))
        at_head = False
        if version:
            reader.take(version.end())
        yield from pieces_of(reader.offset, _record(reader))


def _record(reader: Reader) -> Iterator[bytes]:
    """Read the fields of a record, the blank line that ends them, and the block."""
    head = bytearray()
    while len(head) < _LARGEST_HEAD and (line := reader.line()):
        head += line
        if line in (b"\r\n", b"\n"):
            break
    yield bytes(head)
    if length := _LENGTH.search(head):
        yield from reader.pieces(int(length[1]))
    if gap := _GAP.match(reader.peek(LONGEST_MARK)):
        reader.take(gap.end())
    else:  # the length is wrong: all up to the next version belongs to this one
        yield from reader.up_to(_VERSION)
