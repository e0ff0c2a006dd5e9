"""Mailboxes: one stream cut into messages at its postmarks.

The stream is searched in blocks, with one pattern that runs in C and stops only
at lines that begin with ``From ``. What has been searched is given away at once:
a few bytes are kept, for the blank line before a postmark that is still to come,
so a message of any size is looked at once and held by nobody here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlextract.sources.formats.pieces import PREAMBLE, Piece
from urlextract.sources.formats.postmark import MORE, SEPARATOR, after_postmark
from urlextract.sources.lines import LOOK_BEHIND

if TYPE_CHECKING:
    from collections.abc import Iterator

    from urlextract.sources.sniff import Verdict

__all__ = ["Cutter", "cut_at_postmarks", "cut_behind_message", "cut_from", "cut_mailbox"]

# What may be the beginning of "From " at the end of a block is searched again.
OVERLAP = len(b"From ") - 1


def cut_mailbox(blocks: Iterator[bytes], verdict: Verdict) -> Iterator[Piece]:
    """Cut a mailbox; what stands before its first postmark is no message, unless it is one."""
    return cut_at_postmarks(blocks, verdict.start if verdict.form == "mbox" else 0)


def cut_behind_message(blocks: Iterator[bytes], verdict: Verdict) -> Iterator[Piece]:
    """Cut what begins with a message, and may be a mailbox for all that."""
    return cut_at_postmarks(blocks, verdict.head, start=verdict.head)


def cut_at_postmarks(blocks: Iterator[bytes], skip: int = 0, start: int = PREAMBLE) -> Iterator[Piece]:
    r"""Cut a stream into the pieces of its messages, in order; postmarks go.

    ``skip`` bytes are left out at the beginning. What stands before the first
    postmark belongs to ``start``; where that is a message, the first postmark
    must be beyond doubt. A message ends as soon as the next postmark is seen.

    >>> mbox = b"From a@b Mon Nov 14 09:12:44 1994\nTo: c\n"
    >>> b"".join(piece.data for piece in cut_at_postmarks(iter([mbox])))
    b'To: c\n'
    """
    yield from _cut(blocks, Cutter(skip, start))


def cut_from(blocks: Iterator[bytes], offset: int, *, at_head: bool) -> Iterator[Piece]:
    """Cut the rest of a mailbox, from ``offset`` on: at the header of a message, or behind all of one."""
    cutter = Cutter(offset, offset if at_head else PREAMBLE)
    cutter.is_inside()
    yield from _cut(blocks, cutter)


def _cut(blocks: Iterator[bytes], cutter: Cutter) -> Iterator[Piece]:
    for block in blocks:
        yield from cutter.feed(block)
    yield from cutter.close()


class Cutter:
    """Finds where messages begin and end in a stream that is fed in blocks."""

    def __init__(self, skip: int, start: int) -> None:
        self.buffer = b"\n\n"  # the beginning is as good as a blank line
        self.base = skip - len(self.buffer)  # offset of the buffer in the stream
        self._skip = skip
        self._done = self._scanned = len(self.buffer)  # given away; searched
        self.start = start
        self._strict = start != PREAMBLE
        self.is_over = False

    def is_inside(self) -> None:
        """Say that the stream begins in the middle: nothing is skipped, and postmarks are usual."""
        self._skip = 0
        self._strict = False

    def feed(self, block: bytes, *, at_end: bool = False) -> Iterator[Piece]:
        """Take a block; give what is now certain."""
        if self._skip:
            block, self._skip = block[self._skip :], max(0, self._skip - len(block))
        self._append(block)
        for start, end in self._postmarks(at_end=at_end):
            piece = Piece(self.start, self.buffer[self._done : start], last=True)
            self._done, self.start = end, self.base + end
            yield piece
        if self._scanned > self._done:
            yield Piece(self.start, self.buffer[self._done : self._scanned], last=False)
            self._done = self._scanned

    def close(self) -> Iterator[Piece]:
        """Give the rest, which ends the last message."""
        yield from self.feed(b"", at_end=True)
        yield Piece(self.start, self.buffer[self._done :], last=True)

    def spans(self, block: bytes) -> list[tuple[int, int]]:
        """Take a block; give the spans in `buffer` of the messages that are whole now, and keep the rest.

        What is kept grows with the message: see `held`. Nothing is skipped.
        """
        self.is_inside()
        self._append(block)
        spans = []
        for start, end in self._postmarks():
            spans.append((self._done, start))
            self._done = end
        self.start = self.base + self._done
        return spans

    def _append(self, block: bytes) -> None:
        """Put a block behind what is not given away, and the little before that which a postmark asks for."""
        keep = max(0, self._done - LOOK_BEHIND)
        self.buffer = self.buffer[keep:] + block
        self.base += keep
        self._done -= keep
        self._scanned -= keep

    def _postmarks(self, *, at_end: bool = False) -> Iterator[tuple[int, int]]:
        """Search the buffer; give where each postmark in it begins and ends."""
        buffer = self.buffer
        while hit := SEPARATOR.search(buffer, self._scanned):
            start, end = hit.start(), hit.end(1)
            if end < 0 or self._strict:
                end = after_postmark(buffer, start, at_end=at_end, strict=self._strict)
            if end == MORE:
                self._scanned = start
                return
            if end < 0:
                self._scanned = hit.end()
                continue
            self._scanned, self._strict = end, False
            yield start, end
        self._scanned = max(self._scanned, len(buffer) - OVERLAP)

    def large(self, blocks: Iterator[bytes]) -> Iterator[Piece]:
        """Give the message that is not whole yet, in pieces to its end."""
        yield Piece(self.start, self.buffer[self._done : self._scanned], last=False)
        self._done = self._scanned
        for block in blocks:
            for piece in self.feed(block):
                yield piece
                if piece.last:
                    return
        self.is_over = True
        yield from self.close()

    def forget(self) -> int:
        """Let go of what was searched, which is nobody's; give the offset up to which it was."""
        self._done = self._scanned
        return self.base + self._scanned

    @property
    def held(self) -> int:
        """The bytes that are kept of the message that is not whole yet."""
        return len(self.buffer) - self._done
