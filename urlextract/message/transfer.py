"""Undo a Content-Transfer-Encoding (RFC 2045, section 6).

What cannot be decoded is passed over, what can is delivered. Text that a list
server put behind a base64 body is handed out apart, as the tail.
"""

from __future__ import annotations

import binascii
import re
from itertools import takewhile

__all__ = ["IDENTITIES", "undo_transfer"]

IDENTITIES = frozenset(("", "7bit", "8bit", "binary"))
"""Encodings that change nothing."""

# RFC 2045, section 6.7 (3): blanks behind a soft line break were added on the way.
_PADDED_BREAK = re.compile(rb"=[ \t]++(?=\r?\n)")

_BASE64_LINE = re.compile(rb"[A-Za-z0-9+/]*+={0,2}[ \t]*+\r?")
_BASE64_LONG = re.compile(rb"[A-Za-z0-9+/]{40,}+={0,2}[ \t]*+\r?")
_BASE64_PIECE = re.compile(rb"[^=]++=*+")
_SPACES = b" \t\r\n\v\f"

_UU_BEGIN = re.compile(rb"(?:\A|\n)begin [0-7]{3,4} [^\n]*\n")


def undo_transfer(data: bytes, encoding: str) -> tuple[bytes, bytes]:
    r"""Give the decoded content, and the plain tail that was put behind it.

    ``encoding`` is in lower case; an unknown one changes nothing.

    >>> undo_transfer(b"a=3Db=\nc", "quoted-printable")
    (b'a=bc', b'')
    >>> undo_transfer(b"aGk=\n____\nlist info\n", "base64")
    (b'hi', b'____\nlist info\n')
    """
    if encoding == "quoted-printable":
        return _undo_quoted_printable(data), b""
    if encoding == "base64":
        return _undo_base64(data)
    if encoding in ("x-uuencode", "uuencode", "x-uue", "uue"):
        return _undo_uuencode(data)
    return data, b""


def _undo_quoted_printable(data: bytes) -> bytes:
    """Decode; the pattern begins with a character for which the engine leaps."""
    return binascii.a2b_qp(_PADDED_BREAK.sub(b"=", data) if _PADDED_BREAK.search(data) else data)


def _undo_base64(data: bytes) -> tuple[bytes, bytes]:
    """Decode at once what keeps to the form, else line by line."""
    try:
        return binascii.a2b_base64(data.translate(None, _SPACES), strict_mode=True), b""
    except binascii.Error:
        pass
    lines = data.split(b"\n")
    end = _end_of_base64(lines)
    encoded = b"".join(lines[:end]).translate(None, _SPACES)
    content = b"".join(_decode_piece(piece) for piece in _BASE64_PIECE.findall(encoded))
    tail = b"\n".join(lines[end:])
    return content, tail if tail.strip() else b""


def _end_of_base64(lines: list[bytes]) -> int:
    """Give the number of lines that are base64: up to the last full one, and what goes on from it."""
    last = max((at for at, line in enumerate(lines) if _BASE64_LONG.fullmatch(line)), default=-1)
    if last >= 0 and b"=" in lines[last]:
        return last + 1
    for at in range(last + 1, len(lines)):
        if not _BASE64_LINE.fullmatch(lines[at]):
            return at
        if b"=" in lines[at]:
            return at + 1
    return len(lines)


def _decode_piece(piece: bytes) -> bytes:
    """Decode base64 that ends with its padding, or was cut off before it."""
    try:
        return binascii.a2b_base64(piece)
    except binascii.Error:
        pass
    digits = re.sub(rb"[^A-Za-z0-9+/]++", b"", piece)
    whole = len(digits) - (len(digits) % 4 == 1)
    return binascii.a2b_base64(digits[:whole] + b"==="[: -whole % 4])


def _undo_uuencode(data: bytes) -> tuple[bytes, bytes]:
    """Decode the lines from ``begin`` to ``end``; what stands behind is the tail."""
    begin = _UU_BEGIN.search(data)
    if not begin:
        return data, b""
    lines = data[begin.end() :].split(b"\n")
    encoded = list(takewhile(lambda line: line.strip() != b"end", lines))
    content = data[: begin.start()] + b"".join(map(_decode_uu_line, encoded))
    return content, b"\n".join(lines[len(encoded) + 1 :])


def _decode_uu_line(line: bytes) -> bytes:
    """Decode one line; broken encoders put more on it than its first character counts."""
    try:
        return binascii.a2b_uu(line)
    except binascii.Error:
        pass
    try:
        return binascii.a2b_uu(line[: ((line[0] - 32 & 63) * 4 + 5) // 3])
    except (binascii.Error, IndexError):
        return b""
