"""Sources that are one item: a text, a page, a message, or an article as a news server stores it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain

from urlextract.doors import load_named
from urlextract.grammar.patterns import lazy_re
from urlextract.records import Item, Origin, RawText
from urlextract.sources.formats.messages import LARGEST_HELD, Piece, messages_of
from urlextract.sources.sniff import Detection
from urlextract.sources.streams import Place


def read_text(blocks: Iterator[bytes], _: Detection, place: Place) -> Iterator[Item]:
    """Return the whole stream as one text."""
    return iter((RawText(chunks=blocks, origin=Origin(source=place.name)),))


def read_page(blocks: Iterator[bytes], _: Detection, place: Place) -> Iterator[Item]:
    """Return the whole stream as one page of HTML."""
    origin = Origin(source=place.name, media_type="text/html")
    return iter((RawText(chunks=blocks, origin=origin, is_page=True),))


def read_message(blocks: Iterator[bytes], detection: Detection, place: Place) -> Iterator[Item]:
    """Return the whole stream as one message, which begins where the detection says."""
    return messages_of(_pieces(blocks, detection.head), place.name, undo_wire_format)


def _pieces(blocks: Iterator[bytes], start: int) -> Iterator[Piece]:
    missing = start
    for block in blocks:
        if len(block) > missing:
            yield Piece(start, block[missing:], last=False)
        missing = max(0, missing - len(block))
    yield Piece(start, b"", last=True)


def read_first_message(blocks: Iterator[bytes], detection: Detection, place: Place) -> Iterator[Item]:
    """Yield the message with which a stream begins, and those after it if the stream is a mailbox.

    The first message of a mailbox may have no postmark (exports of Sympa). The stream is cut as a mailbox
    only if it has a line that may be a postmark, or is longer than a message is held while looking for one.
    """
    held: list[bytes] = []
    size, end = 0, b""
    for block in blocks:
        held.append(block)
        size += len(block)
        end = end[1 - len(b"\nFrom ") :] + block
        if b"\nFrom " in end or b"\rFrom " in end or size > LARGEST_HELD:
            cut = load_named("sources", "formats.mbox:cut_at_postmarks")
            pieces: Iterator[Piece] = cut(chain(held, blocks), detection.head, detection.head)
            yield from messages_of(pieces, place.name, undo_wire_format)
            return
    yield from read_message(iter(held), detection, place)


# RFC 3977, section 3.1.1: a line that begins with "." gets another before it, and
# a line of a single "." ends the article.
TERMINATOR = b"\r\n.\r\n"
# A server writes Path into each article it takes (RFC 5536, section 3.1.5).
PATH = lazy_re(rb"(?:\A|\n)Path:", re.IGNORECASE)


def is_wire_format(data: bytes) -> bool:
    r"""Return whether every line ends in CR LF and the article came from a server.

    >>> is_wire_format(b"Path: a!b\r\n\r\n..x\r\n"), is_wire_format(b"To: a\r\n\r\n..x\r\n")
    (True, False)
    """
    if b"\r\n" not in data or data.count(b"\n") != data.count(b"\r\n"):
        return False
    if data.endswith(TERMINATOR):
        return True
    head_end = data.find(b"\r\n\r\n")
    return PATH.search(data, 0, head_end if head_end >= 0 else len(data)) is not None


def undo_wire_format(data: bytes) -> bytes:
    r"""Undo the doubled dots of an article in wire format, and remove the "." at its end.

    >>> undo_wire_format(b"Path: a!b\r\n\r\n..x\r\n.\r\n")
    b'Path: a!b\r\n\r\n.x\r\n'
    >>> undo_wire_format(b"To: a\n\n..x\n")
    b'To: a\n\n..x\n'
    """
    if not is_wire_format(data):
        return data
    if data.endswith(TERMINATOR):
        data = data[: -len(TERMINATOR) + len(b"\r\n")]
    return data.replace(b"\r\n..", b"\r\n.")
