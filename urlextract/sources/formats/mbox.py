"""Mailboxes cut into messages: mbox (RFC 4155), at its postmarks, and MMDF."""

from __future__ import annotations

from collections.abc import Iterator

from urlextract.grammar.patterns import lazy_re
from urlextract.records import Item
from urlextract.sources.formats.messages import (
    LARGEST_HELD,
    PREAMBLE,
    Piece,
    cut_at_lines,
    messages_of,
    pieces_of,
    undo_wire_format,
)
from urlextract.sources.formats.postmark import LOOK_BEHIND, MORE, NO, SEPARATOR, after_postmark
from urlextract.sources.sniff import Detection
from urlextract.sources.streams import Origin, after, peek

# What may be the beginning of "From " at the end of a block is searched again.
OVERLAP = len(b"From ") - 1
_MAY_CUT = (b"\nFrom ", b"\rFrom ")

LARGEST_BODY = 2 * 1024 * 1024
"""The most bytes of a body whose ``Content-Length`` is believed."""

_LONGEST_HEAD = 64 * 1024  # bytes in which the field is looked for

REACH = LARGEST_BODY + 2 * _LONGEST_HEAD
"""More bytes than there are from the field to the end of such a message."""

_HEAD_END = lazy_re(rb"\n\r?\n")
# The pattern begins with literal letters: a search for those is faster than for a class of characters.
_LENGTH = lazy_re(rb"ontent-[Ll]ength:(?<=[Cc].{14})(?<![^\n].{15})[ \t]*([0-9]{1,7})[ \t]*\r?\n")
_BLANK_LINES = lazy_re(rb"(?:\r?\n){0,9}")

_MMDF_LINE = rb"\x01\x01\x01\x01\r{0,2}\n"


def read_mailbox(blocks: Iterator[bytes], detection: Detection, origin: Origin) -> Iterator[Item]:
    """Yield the messages of a mailbox; what is before its first postmark is a preamble."""
    start = detection.start if detection.format == "mbox" else 0
    return messages_of(cut_at_postmarks(after(start, blocks), start), origin.name)


def read_first_message(blocks: Iterator[bytes], detection: Detection, origin: Origin) -> Iterator[Item]:
    """Yield the message with which a stream begins, and those after it.

    The first message of a mailbox may have no postmark (exports of Sympa). The stream is cut as a mailbox
    only if it has a line that may be a postmark, or is longer than a message is held while looking for one.
    """
    searched, is_mailbox = 0, False

    def is_known(head: bytes) -> bool:
        nonlocal searched, is_mailbox
        is_mailbox = len(head) > LARGEST_HELD or any(head.find(line, searched) >= 0 for line in _MAY_CUT)
        searched = max(0, len(head) - OVERLAP - 1)
        return is_mailbox

    _, blocks = peek(blocks, is_known)
    start, blocks = detection.head, after(detection.head, blocks)
    if is_mailbox:
        pieces = cut_at_postmarks(blocks, start, at_head=True, strict=True)
    else:
        pieces = pieces_of(start, blocks)
    yield from messages_of(pieces, origin.name, undo_wire_format)


def read_mmdf(blocks: Iterator[bytes], _: Detection, origin: Origin) -> Iterator[Item]:
    """Yield the messages of MMDF; between two of them there is an empty one, which is left out."""
    return messages_of(cut_at_lines(blocks, _MMDF_LINE), origin.name, blanks=False)


def cut_at_postmarks(
    blocks: Iterator[bytes], offset: int = 0, *, at_head: bool = False, strict: bool = False
) -> Iterator[Piece]:
    r"""Cut a stream into the pieces of its messages, in order, without the postmarks.

    The blocks begin at ``offset``: ``at_head`` of a message, or at the end of one, before a postmark. With
    ``strict``, the first postmark must be beyond doubt. A message ends as soon as the next postmark is seen.

    >>> mbox = b"From a@b Mon Nov 14 09:12:44 1994\nTo: c\n"
    >>> b"".join(piece.data for piece in cut_at_postmarks(iter([mbox])))
    b'To: c\n'
    """
    return _Cutter(offset, at_head=at_head, strict=strict).cut(blocks)


class _Cutter:
    """Finds where messages begin and end in a stream that is fed in blocks."""

    def __init__(self, offset: int, *, at_head: bool, strict: bool) -> None:
        # The beginning counts as a blank line, unless a postmark is before it
        self._buffer = b".\n" if at_head else b"\n\n"
        self._base = offset - len(self._buffer)  # offset of the buffer in the stream
        self._done = self._scanned = len(self._buffer)  # up to here it was yielded, searched
        self._start = offset if at_head else PREAMBLE
        self._strict = strict
        # Where its length says that the message ends; None if the head of the message is not complete yet.
        self._end: int | None = None if at_head else NO

    def cut(self, blocks: Iterator[bytes]) -> Iterator[Piece]:
        """Yield the pieces of the messages."""
        for block in blocks:
            yield from self._feed(block)
        yield from self._feed(b"", at_end=True)
        yield Piece(self._start, self._buffer[self._done :], last=True)

    def _feed(self, block: bytes, *, at_end: bool = False) -> Iterator[Piece]:
        """Take a block; yield what is now certain, but no part of a head that is not complete.

        Of the bytes that were yielded, only those are kept that a postmark needs before it.
        """
        keep = max(0, self._done - LOOK_BEHIND)
        self._buffer = self._buffer[keep:] + block
        self._base += keep
        self._done -= keep
        self._scanned -= keep
        for start, end in self._postmarks(at_end=at_end):
            yield Piece(self._start, self._buffer[self._done : start], last=True)
            self._done, self._start, self._end = end, self._base + end, None
        self._look_for_length(self._scanned)
        if self._end is not None and self._scanned > self._done:
            yield Piece(self._start, self._buffer[self._done : self._scanned], last=False)
            self._done = self._scanned

    def _postmarks(self, *, at_end: bool) -> Iterator[tuple[int, int]]:
        """Search the buffer; yield the start and the end of each postmark in it."""
        buffer = self._buffer
        while hit := SEPARATOR.search(buffer, self._scanned):
            start, end = hit.start(), hit.end(1)
            if end < 0 or self._strict:
                end = after_postmark(buffer, start, at_end=at_end, strict=self._strict)
            beyond = NO if end < 0 else self._end_beyond(start, at_end=at_end)
            if MORE in (end, beyond):
                self._scanned = start
                return
            if end < 0 or beyond > start:
                self._scanned = max(hit.end(), beyond)
                continue
            self._scanned, self._strict = end, False
            yield start, end
        self._scanned = max(self._scanned, len(buffer) - OVERLAP)

    def _look_for_length(self, limit: int) -> None:
        """Set where the current message ends, if its head is complete before ``limit``, or too long."""
        if self._end is not None:
            return
        limit = min(limit, self._done + _LONGEST_HEAD)
        if head := _HEAD_END.search(self._buffer, self._done, limit):
            field = _LENGTH.search(self._buffer, self._done, head.end())
            size = int(field[1]) if field else LARGEST_BODY + 1
            self._end = self._base + head.end() + size if size <= LARGEST_BODY else NO
        elif limit == self._done + _LONGEST_HEAD:
            self._end = NO

    def _end_beyond(self, at: int, *, at_end: bool) -> int:
        """Return where the current message ends, if that is after the postmark at ``at``; otherwise `NO`.

        Return `MORE` if more bytes are needed to decide that.
        """
        self._look_for_length(at)
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
