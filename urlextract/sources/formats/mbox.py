"""Mailboxes cut into messages: mbox (RFC 4155), at its postmarks, and MMDF."""

from __future__ import annotations

from collections.abc import Iterator

from urlextract.grammar.patterns import lazy_re
from urlextract.records import Item
from urlextract.sources.formats.messages import PREAMBLE, Piece, cut_at_lines, messages_of
from urlextract.sources.formats.postmark import LOOK_BEHIND, MORE, NO, SEPARATOR, after_postmark
from urlextract.sources.sniff import Detection
from urlextract.sources.streams import Place

# What may be the beginning of "From " at the end of a block is searched again.
OVERLAP = len(b"From ") - 1

LARGEST_BODY = 2 * 1024 * 1024
"""The most bytes of a body whose ``Content-Length`` is believed."""

_LONGEST_HEAD = 64 * 1024  # bytes in which the field is looked for

REACH = LARGEST_BODY + 2 * _LONGEST_HEAD
"""More bytes than there are from the field to the end of such a message."""

_HEAD_END = lazy_re(rb"\n\r?\n")
# The pattern begins with literal letters: a search for those is faster than for a class of characters.
_LENGTH = lazy_re(rb"ontent-[Ll]ength:(?<=[Cc].{14})(?<![^\n].{15})[ \t]*([0-9]{1,7})[ \t]*\r?\n")
_BLANK_LINES = lazy_re(rb"(?:\r?\n){0,9}")


def read_mailbox(blocks: Iterator[bytes], detection: Detection, place: Place) -> Iterator[Item]:
    """Yield the messages of a mailbox; what is before its first postmark is a preamble."""
    pieces = cut_at_postmarks(blocks, detection.start if detection.format == "mbox" else 0)
    return messages_of(pieces, place.name)


_MMDF_LINE = lazy_re(rb"\x01\x01\x01\x01\r{0,2}\n")


def read_mmdf(blocks: Iterator[bytes], _: Detection, place: Place) -> Iterator[Item]:
    """Yield the messages of MMDF; between two of them there is an empty one, which is left out."""
    return messages_of(cut_at_lines(blocks, _MMDF_LINE), place.name, blanks=False)


def cut_at_postmarks(blocks: Iterator[bytes], skip: int = 0, start: int = PREAMBLE) -> Iterator[Piece]:
    r"""Cut a stream into the pieces of its messages, in order, without the postmarks.

    ``skip`` bytes are left out at the beginning. What is before the first
    postmark has the start ``start``; if that is a message, the first postmark
    must be beyond doubt. A message ends as soon as the next postmark is seen.

    >>> mbox = b"From a@b Mon Nov 14 09:12:44 1994\nTo: c\n"
    >>> b"".join(piece.data for piece in cut_at_postmarks(iter([mbox])))
    b'To: c\n'
    """
    return _Cutter(skip, start, skip=skip, strict=start != PREAMBLE).cut(blocks)


def cut_from(blocks: Iterator[bytes], offset: int, *, at_head: bool) -> Iterator[Piece]:
    """Cut the rest of a mailbox, from ``offset`` on: the head of a message, or the end of one."""
    return _Cutter(offset, offset if at_head else PREAMBLE).cut(blocks)


class _Cutter:
    """Finds where messages begin and end in a stream that is fed in blocks.

    After ``skip`` bytes of the blocks, the stream is at ``offset``. What is there has the start ``start``; if
    ``strict``, the postmark after it must be beyond doubt.
    """

    def __init__(self, offset: int, start: int, *, skip: int = 0, strict: bool = False) -> None:
        self._buffer = b"\n\n"  # the beginning counts as a blank line
        self._base = offset - len(self._buffer)  # offset of the buffer in the stream
        self._skip = skip
        self._done = self._scanned = len(self._buffer)  # up to here it was yielded, searched
        self._start = start
        self._strict = strict
        self._head = b""  # what was yielded of the current message before its length was known
        self._end: int | None = None if start != PREAMBLE else NO  # where its length says that it ends

    def cut(self, blocks: Iterator[bytes]) -> Iterator[Piece]:
        """Yield the pieces of the messages."""
        for block in blocks:
            yield from self._feed(block)
        yield from self._feed(b"", at_end=True)
        yield Piece(self._start, self._buffer[self._done :], last=True)

    def _feed(self, block: bytes, *, at_end: bool = False) -> Iterator[Piece]:
        """Take a block; yield what is now certain.

        Of the bytes that were yielded, only those are kept that a postmark needs before it.
        """
        if self._skip:
            block, self._skip = block[self._skip :], max(0, self._skip - len(block))
        keep = max(0, self._done - LOOK_BEHIND)
        self._buffer = self._buffer[keep:] + block
        self._base += keep
        self._done -= keep
        self._scanned -= keep
        for start, end in self._postmarks(at_end=at_end):
            piece = Piece(self._start, self._buffer[self._done : start], last=True)
            self._done, self._start = end, self._base + end
            self._head, self._end = b"", None
            yield piece
        if self._scanned > self._done:
            yield self._part()

    def _postmarks(self, *, at_end: bool = False) -> Iterator[tuple[int, int]]:
        """Search the buffer; yield the start and the end of each postmark in it."""
        buffer = self._buffer
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
            beyond = self._end_beyond(start, at_end=at_end)
            if beyond == MORE:
                self._scanned = start
                return
            if beyond > start:
                self._scanned = beyond
                continue
            self._scanned, self._strict = end, False
            yield start, end
        self._scanned = max(self._scanned, len(buffer) - OVERLAP)

    def _part(self) -> Piece:
        """Return the part of the current message that was searched, and drop it."""
        data = self._buffer[self._done : self._scanned]
        if self._end is None:
            self._head += data
            self._look_for_length(self._head, self._base + self._scanned - len(self._head))
            if self._end is None and len(self._head) > _LONGEST_HEAD:
                self._end = NO
            if self._end is not None:
                self._head = b""
        self._done = self._scanned
        return Piece(self._start, data, last=False)

    def _look_for_length(self, data: bytes, offset: int, start: int = 0, end: int = _LONGEST_HEAD) -> None:
        """Set where the message in ``data[start:end]`` ends, if its head is complete."""
        head = _HEAD_END.search(data, start, end)
        if head:
            field = _LENGTH.search(data, start, head.end())
            size = int(field[1]) if field else LARGEST_BODY + 1
            self._end = offset + head.end() + size if size <= LARGEST_BODY else NO

    def _end_beyond(self, at: int, *, at_end: bool) -> int:
        """Return where the current message ends, if that is after the postmark at ``at``; otherwise `NO`.

        Return `MORE` if more bytes are needed to decide that.
        """
        if self._end is None and self._head:
            head = self._head + self._buffer[self._done : min(at, self._done + _LONGEST_HEAD)]
            self._look_for_length(head, self._base + self._done - len(self._head))
        elif self._end is None:
            self._look_for_length(self._buffer, self._base, self._done, min(at, self._done + _LONGEST_HEAD))
        if self._end is None or self._end - self._base <= at:
            return NO
        end, buffer = self._end - self._base, self._buffer
        blank = _BLANK_LINES.match(buffer, end)
        behind = blank.end() if blank else end
        if behind >= len(buffer) - OVERLAP and not at_end:
            return MORE
        if end > len(buffer) or not (behind > end or buffer[end - 1] in b"\r\n"):
            return NO
        if behind == len(buffer):
            return end
        after = after_postmark(buffer, behind, at_end=at_end) if buffer.startswith(b"From ", behind) else NO
        return end if after >= 0 else after
