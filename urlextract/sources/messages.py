"""Pieces of messages put together to raw messages, numbered within their source.

A message that came as one piece is passed on without a copy. One that is larger
than `LARGEST_MESSAGE` is given in two: its beginning as a message, so that its
header is read, and what follows as a text that streams.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from urlextract.records import Origin, RawMessage, RawText
from urlextract.sources.lines import is_blank
from urlextract.sources.mbox import PREAMBLE
from urlextract.sources.sniff import judge
from urlextract.sources.streams import in_blocks

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from urlextract.sources.mbox import Piece

__all__ = ["LARGEST_MESSAGE", "messages_of"]

LARGEST_MESSAGE = 32 * 1024 * 1024  # bytes of one message that are held at a time


def as_it_stands(data: bytes) -> bytes:
    """Change nothing.

    >>> as_it_stands(b"x")
    b'x'
    """
    return data


def messages_of(
    pieces: Iterator[Piece], source: str, finish: Callable[[bytes], bytes] = as_it_stands
) -> Iterator[RawMessage | RawText]:
    r"""Put the pieces together; ``finish`` is done to each message that is whole.

    The text that follows a very large message is to be read before the next
    item is asked for: what is left of it then is passed over.

    >>> from urlextract.sources.mbox import Piece
    >>> pieces = [Piece(5, b"To: a", False), Piece(5, b"\n", True)]
    >>> [(m.data, m.origin.message) for m in messages_of(iter(pieces), "inbox")]
    [(b'To: a\n', 1)]
    """
    number = 0
    for piece in pieces:
        start, data, last = piece
        rest = None
        if not last or len(data) > LARGEST_MESSAGE:
            data, rest = _gather(chain((piece,), pieces))
        if start == PREAMBLE:
            verdict = judge(data)
            if verdict.form != "message":
                yield from _preamble(data, rest, source)
                continue
            start, data = verdict.head, data[verdict.head :]
        number += 1
        origin = Origin(source=source, message=number, offset=start)
        yield RawMessage(data=finish(data) if rest is None else data, origin=origin)
        if rest is not None:
            yield RawText(chunks=rest, origin=origin)
            _pass_over(rest)


def _gather(pieces: Iterator[Piece]) -> tuple[bytes, Iterator[bytes] | None]:
    """Join the pieces of one message; give apart what is beyond the limit."""
    held = bytearray()
    for piece in pieces:
        room = LARGEST_MESSAGE - len(held)
        if len(piece.data) > room:  # cut at a line's end, or in a word's way if there is none
            room = piece.data.rfind(b"\n", 0, room) + 1 or room
        held += piece.data[:room]
        if len(piece.data) > room:
            return bytes(held), _rest(piece._replace(data=piece.data[room:]), pieces)
        if piece.last:
            break
    return bytes(held), None


def _rest(piece: Piece, pieces: Iterator[Piece]) -> Iterator[bytes]:
    """Give what is left of a message that begins with ``piece``."""
    yield from in_blocks(piece.data)
    while not piece.last:
        piece = next(pieces)
        yield from in_blocks(piece.data)


def _pass_over(chunks: Iterator[bytes]) -> None:
    """Read to the end what the caller did not want."""
    for _ in chunks:
        pass


def _preamble(data: bytes, rest: Iterator[bytes] | None, source: str) -> Iterator[RawText]:
    """Give what stands before the first postmark and is no message: a text, if anything."""
    if rest is None and is_blank(data):
        return
    chunks = chain(in_blocks(data), rest or ())
    yield RawText(chunks=chunks, origin=Origin(source=source))
    _pass_over(chunks)
