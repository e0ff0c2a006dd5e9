"""Convert HTTP messages in web archives and mail (RFC 9112, section 10) to messages that can be read."""

from __future__ import annotations

import re
import zlib

from urlextract.grammar.patterns import lazy_re

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
        body = _joined(body)
    packed = _PACKED.search(b"\n" + head)
    complaint = None
    if packed and packed[1].lower() != b"identity":
        body, complaint = _unpacked(body, packed[1].decode("ascii", "replace").lower())
    return data[:start], head + body, complaint


def _joined(body: bytes) -> bytes:
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
        return (
            b"",
            f"an HTTP body packed as {encoding} is not read: fetch it with 'curl --compressed'",
        )
    inflater = zlib.decompressobj(_ANY_ZLIB)
    try:
        inflated = inflater.decompress(body, _LARGEST_BODY)
    except zlib.error:
        return body, None
    complaint = None if inflater.eof else "an HTTP body is cut short, or too large to be read to its end"
    return inflated, complaint
