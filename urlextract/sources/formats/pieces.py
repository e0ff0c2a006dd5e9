"""Pieces: the bytes of messages on their way from a cutter to whole messages."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import re
    from collections.abc import Iterator

    from urlextract.sources.sniff import Verdict

__all__ = ["COUNT_OFF", "LARGEST_COUNT", "NOWHERE", "PREAMBLE", "Piece", "cut_at_lines", "uncut"]

PREAMBLE = -1  # the start of what stands before the first message
NOWHERE = -2  # the start of a message that stands in the source in another way


COUNT_OFF = "the count of its bytes is off"
"""The defect of a message in a format that says how long it is, and is wrong."""

LARGEST_COUNT = 8 * 1024 * 1024
"""Bytes of a message that are held to see whether its length is right."""


class Piece(NamedTuple):
    """Some bytes of a message, which is known by its ``start``.

    ``start`` is the offset of the message's first header line in the stream;
    with ``last`` the message ends. ``defect`` says what is wrong with the message.
    """

    start: int
    data: bytes
    last: bool
    defect: str = ""


def uncut(blocks: Iterator[bytes], verdict: Verdict) -> Iterator[Piece]:
    r"""Take a stream as one message that begins where the verdict says.

    >>> from urlextract.sources.sniff import Verdict
    >>> [piece.data for piece in uncut(iter([b"\nTo: c\n", b"\nhi"]), Verdict("message", 1, 1))]
    [b'To: c\n', b'\nhi', b'']
    """
    missing = skip = verdict.head
    for block in blocks:
        if len(block) > missing:
            yield Piece(skip, block[missing:], last=False)
        missing = max(0, missing - len(block))
    yield Piece(skip, b"", last=True)


def cut_at_lines(blocks: Iterator[bytes], line: re.Pattern[bytes], start: int = 0) -> Iterator[Piece]:
    r"""Cut a stream at lines that begin as ``line`` does; what it matches goes.

    It matches at most `LONGEST_MARK` bytes. Of the first message the start is given.

    >>> import re
    >>> pieces = cut_at_lines(iter([b"a\n.\nb.\n"]), re.compile(rb"\.\n"))
    >>> [(piece.start, piece.data) for piece in pieces if piece.last or piece.data]
    [(0, b'a\n'), (4, b'b.\n'), (4, b'')]
    """
    buffer, base, done, scanned = b"\n", -1, 1, 1
    at_end = False
    while not at_end:
        block = next(blocks, b"")
        at_end = not block
        buffer += block
        while hit := line.search(buffer, scanned):
            scanned = hit.end()
            if buffer[hit.start() - 1] in b"\r\n":
                yield Piece(start, buffer[done : hit.start()], last=True)
                done, start = scanned, base + scanned
        scanned = len(buffer) if at_end else max(scanned, len(buffer) - LONGEST_MARK)
        if at_end or scanned > done:
            yield Piece(start, buffer[done:scanned], last=at_end)
        keep = max(scanned, done) - 1
        buffer, base, scanned = buffer[keep:], base + keep, 1
        done = 1


LONGEST_MARK = 16  # bytes
