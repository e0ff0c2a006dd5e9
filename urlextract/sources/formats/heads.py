"""The head of another message in the text of one (``cat a.eml b.eml``): told if an encoded text follows it.

Messages with nothing between them are one message, and what its text holds is not decoded again.
"""

from __future__ import annotations

import re
from binascii import a2b_base64
from collections.abc import Iterator

from urlextract.grammar.patterns import lazy_re
from urlextract.sources.formats.messages import Piece
from urlextract.sources.streams import Place, Reader

_WINDOW = 64 * 1024  # bytes in which a head begins
_AHEAD = 16 * 1024  # bytes after them, in which it ends, and the text after it begins
_LINE = 1024  # bytes of a boundary line

_ADVICE = "give each message as a file, or make a mailbox with 'formail'"
# RFC 2045, section 6.1: the field, the rest of its head, and a line of base64, or what quoted-printable has
# in place of "=" and at the end of a long line that goes on
_ENCODED = lazy_re(
    rb"^content-transfer-encoding[ \t]*:[ \t]*\"?(?:(base64)|(quoted-printable))\"?[ \t]*\r?\n"
    rb"(?>(?:(?:[!-9;-~]+:|[ \t])[^\n]*\n){0,30})(?:\r?\n){1,3}"
    rb"(?(1)([a-z0-9+/]{16,}+)={0,2}[ \t]*\r?(?:\n|\Z)|(?=[\s\S]{0,8000}?(?:=3d|^[^\n]{66,75}=\r?\n)))",
    re.IGNORECASE | re.MULTILINE,
)
_BINARY = lazy_re(rb"[\0-\x08\x0e-\x1a\x1c-\x1f]")  # of a picture, or another file

_HEAD_END = lazy_re(rb"\n\r?\n")
_BLANK_LINE = lazy_re(rb"\r?\n")
_TYPES = lazy_re(rb"^content-type[ \t]?:((?:[^\n]*\n(?=[ \t]))*[^\n]*)", re.IGNORECASE | re.MULTILINE)
_BOUNDARY = lazy_re(rb"\bboundary\s*=\s*(?:\"([^\"\n]{1,200})\"|([^\s\";]{1,200}))", re.IGNORECASE)


def with_heads_told(pieces: Iterator[Piece], place: Place) -> Iterator[Piece]:
    r"""Yield the pieces; report the first head before an encoded text within the text of the first message.

    >>> from urlextract.sources.formats.messages import pieces_of
    >>> encoded = b"From: a\nContent-Transfer-Encoding: base64\n\nd3d3LmEuZXhhbXBsZS8x\n"
    >>> pieces = pieces_of(0, iter([b"From: b\n\nhi\n" + encoded]))
    >>> damage = []
    >>> len(b"".join(piece.data for piece in with_heads_told(pieces, Place("x", damage.append))))
    76
    >>> damage[0].offset, damage[0].cause.partition(":")[0]
    (20, 'a head within the text, and base64 after it that is not decoded')
    """
    first = next(pieces)
    reader = Reader(_data_of(first, pieces))
    for data in _text_told(reader, place, first.start):
        yield Piece(first.start, data, last=False)
    yield Piece(first.start, b"", last=True)
    yield from pieces


def _data_of(piece: Piece, pieces: Iterator[Piece]) -> Iterator[bytes]:
    """Yield the data of a message, whose first piece is there already."""
    yield piece.data
    while not piece.last:
        piece = next(pieces)
        yield piece.data


def _text_told(reader: Reader, place: Place, start: int) -> Iterator[bytes]:
    """Take a message that begins at ``start``; look at its text, and at that after its parts."""
    head = _HEAD_END.split(reader.peek(_WINDOW), 1)[0]
    declared = b" ".join(_TYPES.findall(head))
    yield from reader.up_to(_BLANK_LINE)
    if b"multipart/" in declared.lower():
        boundary = _BOUNDARY.search(declared)
        closing = rb"--%s--[ \t]{0,99}\r?\n" % re.escape(boundary[1] or boundary[2]) if boundary else rb"\Z."
        yield from reader.up_to(re.compile(closing), _LINE)
    elif b"message/" in declared.lower():
        yield from reader.pieces()
    while data := reader.peek(_WINDOW + _AHEAD):
        is_rest = len(data) < _WINDOW + _AHEAD
        size = len(data) if is_rest else data.rfind(b"\n", 0, _WINDOW) + 1 or _WINDOW
        found = next(filter(_is_text, _ENCODED.finditer(data)), None)
        if found and found.start() < size:
            encoding = (found[1] or found[2]).decode().lower()
            cause = f"a head within the text, and {encoding} after it that is not decoded"
            place.damage(f"{cause}: {_ADVICE}", start + reader.offset + found.start())
            yield from reader.pieces()
        yield reader.take(size)


def _is_text(found: re.Match[bytes]) -> bool:
    line = found[3] or b""
    return not _BINARY.search(a2b_base64(line[: len(line) // 4 * 4]))
