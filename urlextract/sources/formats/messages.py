"""Pieces of messages put together to raw messages, numbered within their source.

A message that came as one piece is passed on without a copy. Of one that is larger
than `LARGEST_HELD` the beginning is held, and what follows streams.
"""

from __future__ import annotations

import sys
from itertools import chain
from typing import TYPE_CHECKING

from urlextract.records import Origin, RawMessage, RawText
from urlextract.sources.formats.pieces import NOWHERE, PREAMBLE
from urlextract.sources.lines import is_blank
from urlextract.sources.sniff import judge
from urlextract.sources.streams import in_blocks

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from urlextract.sources.formats.pieces import Piece

__all__ = ["LARGEST_HELD", "messages_of"]

LARGEST_HELD = 1024 * 1024  # bytes of one message that are held here at a time


def as_it_stands(data: bytes) -> bytes:
    """Change nothing.

    >>> as_it_stands(b"x")
    b'x'
    """
    return data


def messages_of(
    pieces: Iterator[Piece],
    source: str,
    finish: Callable[[bytes], bytes] = as_it_stands,
    *,
    blanks: bool = True,
    number: int = 0,
) -> Iterator[RawMessage | RawText]:
    r"""Put the pieces together; ``finish`` is done to each message that is whole.

    What follows the beginning of a very large message is to be read before the next
    item is asked for: what is left of it then is passed over. Without ``blanks``
    messages in which nothing stands are none. ``number`` is that of the message before.

    >>> from urlextract.sources.formats.pieces import Piece
    >>> pieces = [Piece(5, b"To: a", False), Piece(5, b"\n", True)]
    >>> [(m.data, m.origin.message) for m in messages_of(iter(pieces), "inbox")]
    [(b'To: a\n', 1)]
    """
    for piece in pieces:
        start, data, last, defect = piece
        rest = None
        if not last or len(data) > LARGEST_HELD:
            data, rest = _gather(chain((piece,), pieces))
        if start == PREAMBLE:
            verdict = judge(data)
            if verdict.form != "message":
                yield from _preamble(data, rest, source)
                continue
            start, data = verdict.head, data[verdict.head :]
        if rest is None:
            data = finish(data)
            if not blanks and is_blank(data):
                continue
        number += 1
        offset = None if start == NOWHERE else start
        verbatim = 0 if offset is None else sys.maxsize
        yield RawMessage(data, Origin(source, number, offset), verbatim, rest, (defect,) if defect else ())
        if rest is not None:
            _pass_over(rest)


def _gather(pieces: Iterator[Piece]) -> tuple[bytes, Iterator[bytes] | None]:
    """Join the pieces of one message; give apart what is beyond the limit."""
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
    """Give what is left of a message."""
    for piece in pieces:
        yield from in_blocks(piece.data)
        if piece.last:
            return


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
