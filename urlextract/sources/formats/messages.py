"""Join the pieces of a stream into messages, whole or streamed."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from itertools import chain
from typing import NamedTuple

from urlextract.grammar.codes import DefectCode
from urlextract.grammar.patterns import lazy_re
from urlextract.records import Defect, Provenance, RawMessage, RawText
from urlextract.sources.sniff import detect
from urlextract.sources.streams import LONGEST_MARK, Reader, in_blocks

PREAMBLE = -1  # the start of what is before the first message
NOWHERE = -2  # the start of a message that differs in the source


COUNT_OFF = Defect(DefectCode.WRONG_LENGTH, "the count of its bytes is off")
"""The defect of a message whose length in its format is wrong."""

LARGEST_COUNT = 8 * 1024 * 1024
"""The most bytes of a message that are held to check its length."""


class Piece(NamedTuple):
    """Some bytes of a message, which is identified by its ``start``.

    ``start`` is the offset of the message's first header line in the stream;
    the ``last`` piece ends the message. ``defect`` says what is wrong with the message.
    """

    start: int
    data: bytes
    last: bool
    defect: Defect | None = None


def pieces_of(start: int, chunks: Iterator[bytes]) -> Iterator[Piece]:
    """Yield the pieces of a message that begins at ``start`` and comes in chunks."""
    for data in chunks:
        yield Piece(start, data, last=False)
    yield Piece(start, b"", last=True)


def cut_at_lines(blocks: Iterator[bytes], line: bytes) -> Iterator[Piece]:
    r"""Cut a stream at lines that match the pattern ``line``, which are left out.

    >>> pieces = cut_at_lines(iter([b"a\n.\nb.\n"]), rb"\.\n")
    >>> [(piece.start, piece.data) for piece in pieces if piece.data]
    [(0, b'a\n'), (4, b'b.\n')]
    """
    reader, pattern = Reader(blocks), re.compile(line)
    while head := reader.peek(LONGEST_MARK):
        if mark := pattern.match(head):
            reader.take(mark.end())
            continue
        yield from pieces_of(reader.offset, reader.up_to(pattern))


LARGEST_HELD = 1024 * 1024  # bytes of one message that are held here at a time

_BLANK = b" \t\r\n\f\v\0"


def messages_of(
    pieces: Iterator[Piece],
    source: str,
    finish: Callable[[bytes], bytes] | None = None,
    *,
    blanks: bool = True,
    number: int = 0,
) -> Iterator[RawMessage | RawText]:
    r"""Join pieces into messages; ``finish`` is applied to each message that is held as a whole.

    Read the rest of a very large message before you ask for the next item: what is left
    then is skipped. Without ``blanks`` blank messages are left out. ``number`` is that of
    the message before the first.

    >>> from urlextract.sources.formats.messages import Piece
    >>> pieces = [Piece(5, b"To: a", False), Piece(5, b"\n", True)]
    >>> [(m.data, m.provenance.message) for m in messages_of(iter(pieces), "inbox")]
    [(b'To: a\n', 1)]
    """
    for piece in pieces:
        start, data, last, defect = piece
        rest = None
        if not last or len(data) > LARGEST_HELD:
            data, rest = _gather(chain((piece,), pieces))
        if start == PREAMBLE:
            detection = detect(data)
            if detection.format != "message":  # the text before the first message
                if rest is not None or data.strip(_BLANK):
                    rest = chain(in_blocks(data), rest or ())
                    yield RawText(chunks=rest, provenance=Provenance(source=source))
                    _pass_over(rest)
                continue
            start, data = detection.head, data[detection.head :]
        length = None
        if rest is None:
            length = len(data)
            data = finish(data) if finish else data
            if not blanks and not data.strip(_BLANK):
                continue
        number += 1
        offset = None if start == NOWHERE else start
        verbatim = 0 if offset is None else sys.maxsize
        provenance = Provenance(source, number, offset, length=length)
        yield RawMessage(data, provenance, verbatim, rest, (defect,) if defect else ())
        if rest is not None:
            _pass_over(rest)


def _gather(pieces: Iterator[Piece]) -> tuple[bytes, Iterator[bytes] | None]:
    """Join the pieces of one message; return separately what exceeds the limit."""
    held: list[bytes] = []
    size = 0
    for piece in pieces:
        held.append(piece.data)
        size += len(piece.data)
        if piece.last:
            break
        if size > LARGEST_HELD:
            return b"".join(held), _rest(pieces)
    data = b"".join(held)
    if size > 2 * LARGEST_HELD:
        return data[:LARGEST_HELD], in_blocks(data[LARGEST_HELD:])
    return data, None


def _rest(pieces: Iterator[Piece]) -> Iterator[bytes]:
    """Yield what is left of a message."""
    for piece in pieces:
        yield from in_blocks(piece.data)
        if piece.last:
            return


def _pass_over(chunks: Iterator[bytes]) -> None:
    """Read to the end what the caller did not read."""
    for _ in chunks:
        pass


# --- how servers send articles ----------------------------------------------------------------------

# RFC 3977, section 3.1.1: a line that begins with "." gets another before it, and
# a line of a single "." ends the article.
TERMINATOR = b"\r\n.\r\n"
# A server writes Path into each article it takes (RFC 5536, section 3.1.5).
PATH = lazy_re(rb"(?:\A|\n)Path:", re.IGNORECASE)


def undo_wire_format(data: bytes) -> bytes:
    r"""Undo the doubled dots of an article in wire format, and remove the "." at its end.

    In that format every line ends in CR LF, and the article came from a server.

    >>> undo_wire_format(b"Path: a!b\r\n\r\n..x\r\n.\r\n"), undo_wire_format(b"Path: a!b\r\n\r\n..x\r\n")
    (b'Path: a!b\r\n\r\n.x\r\n', b'Path: a!b\r\n\r\n.x\r\n')
    >>> undo_wire_format(b"To: a\n\n..x\n"), undo_wire_format(b"To: a\r\n\r\n..x\r\n")
    (b'To: a\n\n..x\n', b'To: a\r\n\r\n..x\r\n')
    """
    if b"\r\n" not in data or data.count(b"\n") != data.count(b"\r\n"):
        return data
    if data.endswith(TERMINATOR):
        data = data[: -len(TERMINATOR) + len(b"\r\n")]
    elif not PATH.search(data.partition(b"\r\n\r\n")[0]):
        return data
    return data.replace(b"\r\n..", b"\r\n.")
