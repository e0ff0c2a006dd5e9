"""Web archives: WARC and the text-only WET (ISO 28500:2017), and the messages of HTTP in them.

A record has a head of header fields and a block that they describe, so it is read as a
message. So is a message of HTTP, which mail may hold, too.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator

from urlextract.grammar.patterns import lazy_re
from urlextract.records import Item
from urlextract.sources.formats.messages import Piece, messages_of, pieces_of
from urlextract.sources.sniff import WARC_VERSION, Detection
from urlextract.sources.streams import LONGEST_MARK, Origin, Reader

# section 4
#   warc-record = header CRLF block CRLF CRLF
#   header      = version warc-fields
_VERSION = lazy_re(WARC_VERSION)
_GAP = lazy_re(rb"[\r\n]{0,30}(?=%s|\Z)" % WARC_VERSION)
_LENGTH = lazy_re(rb"(?:\A|\n)content-length:[ \t]*([0-9]{1,18})[ \t]*\r?\n", re.IGNORECASE)
_LARGEST_HEAD = 1024 * 1024  # bytes


def read_warc(blocks: Iterator[bytes], _: Detection, origin: Origin) -> Iterator[Item]:
    """Yield the records of an archive as messages."""
    return messages_of(cut_warc(blocks), origin.name)


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


# --- messages of HTTP (RFC 9112, section 10) ------------------------------------------------------

_START = lazy_re(rb"[^\n]*\n")
_BLANK_LINE = lazy_re(rb"\n\r?\n")
_CHUNKED = lazy_re(rb"\ntransfer-encoding:[^\n]*\bchunked\b", re.IGNORECASE)
_PACKED = lazy_re(rb"\ncontent-encoding:[ \t]*([^\r\n]*[^\s])", re.IGNORECASE)
_CHUNK = lazy_re(rb"(?:\r?\n)?([0-9A-Fa-f]{1,8})[^\n]*\n")
_ANY_ZLIB = 47  # window bits: the largest window, gzip or zlib, whichever it is

_LARGEST_BODY = 8 * 1024 * 1024  # bytes


def undo_http(data: bytes) -> tuple[bytes, bytes, str | None]:
    r"""Return the start line, the message after it with its body decoded, and a complaint or None.

    The complaint says what of the body cannot be read.

    >>> undo_http(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n")
    (b'HTTP/1.1 200 OK\r\n', b'Transfer-Encoding: chunked\r\n\r\nhi', None)
    """
    first = _START.match(data)
    start = first.end() if first else 0
    blank = _BLANK_LINE.search(data, max(0, start - 1))
    if not blank:
        return data[:start], data[start:], None
    head, body = data[start : blank.end()], data[blank.end() :]
    if _CHUNKED.search(b"\n" + head):
        body = _without_chunks(body)
    packed = _PACKED.search(b"\n" + head)
    complaint = None
    if packed and packed[1].lower() != b"identity":
        body, complaint = _unpacked(body, packed[1].decode("ascii", "replace").lower())
    return data[:start], head + body, complaint


def _without_chunks(body: bytes) -> bytes:
    """Join chunks (RFC 9112, section 7.1); some archives hold bodies that are joined already."""
    pieces, at = [], 0
    while chunk := _CHUNK.match(body, at):
        size = int(chunk[1], 16)
        pieces.append(body[chunk.end() : chunk.end() + size])
        at = chunk.end() + size
        if not size:
            return b"".join(pieces)
    return b"".join(pieces) + body[at:]


def _unpacked(body: bytes, encoding: str) -> tuple[bytes, str | None]:
    """Inflate a body as far as possible; some archives hold bodies that are inflated already."""
    if encoding not in ("gzip", "x-gzip", "deflate"):
        return b"", f"an HTTP body packed as {encoding} is not read: fetch it with 'curl --compressed'"
    inflater = zlib.decompressobj(_ANY_ZLIB)
    try:
        inflated = inflater.decompress(body, _LARGEST_BODY)
    except zlib.error:
        return body, None
    complaint = None if inflater.eof else "an HTTP body is cut short, or too large to be read to its end"
    return inflated, complaint
