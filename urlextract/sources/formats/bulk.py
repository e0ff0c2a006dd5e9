"""A mailbox in stretches of many whole messages, for a reader that wants no more than their texts."""

from __future__ import annotations

import sys
from itertools import chain
from typing import TYPE_CHECKING

from urlextract.records import RawMessage, RawMessages
from urlextract.sources.formats.mbox import Cutter
from urlextract.sources.formats.messages import LARGEST_HELD, messages_of
from urlextract.sources.formats.pieces import PREAMBLE
from urlextract.sources.formats.postmark import LONGEST

if TYPE_CHECKING:
    from collections.abc import Iterator

    from urlextract.records import Item
    from urlextract.sources.formats.pieces import Piece

__all__ = ["read_in_bulk", "without_start"]

_STRETCH = 256 * 1024  # bytes that are gathered before they are cut


def read_in_bulk(
    blocks: Iterator[bytes],
    start: int,
    source: str,
    *,
    number: int = 0,
    after: int = -1,
    until: int = sys.maxsize,
    at_head: bool = False,
) -> Iterator[Item]:
    """Cut a mailbox whose bytes from ``start`` on are in ``blocks``; large messages come alone.

    Those are given whose first header line stands behind the byte ``after`` and at
    ``until`` at most; the first of them has the ``number`` that follows. With ``at_head``
    the first header line of a message is at ``start``.
    """
    cutter = Cutter(start, start if at_head else PREAMBLE)
    is_begun = at_head
    for stretch in _stretches(blocks):
        spans = cutter.spans(stretch)
        if not is_begun:  # what stands before the first postmark is another's, or nothing
            is_begun = bool(spans)
            del spans[:1]
        base = cutter.base
        wanted = [span for span in spans if after < base + span[0] <= until]
        if wanted:
            yield RawMessages(cutter.buffer, wanted, source, number + 1, base)
            number += len(wanted)
        is_begun = is_begun and cutter.start > after  # else it is another's too: nothing of it is kept
        if (cutter.start if is_begun else cutter.forget() - 2 * LONGEST) > until:
            return
        if cutter.held > LARGEST_HELD:
            is_wanted = is_begun and after < cutter.start <= until
            pieces = cutter.large(blocks)
            yield from messages_of(pieces if is_wanted else _passed_over(pieces), source, number=number)
            is_begun = True
            number += is_wanted
        if cutter.is_over:
            break
    for item in messages_of(cutter.close(), source, number=number):
        if isinstance(item, RawMessage) and after < (item.origin.offset or 0) <= until:
            yield item


def _passed_over(pieces: Iterator[Piece]) -> Iterator[Piece]:
    """Read the pieces of another's message, and yield none."""
    for _ in pieces:
        pass
    return iter(())


def _stretches(blocks: Iterator[bytes]) -> Iterator[bytes]:
    """Gather blocks to stretches."""
    held: list[bytes] = []
    size = 0
    for block in blocks:
        held.append(block)
        size += len(block)
        if size >= _STRETCH:
            yield b"".join(held)
            held.clear()
            size = 0
    if held:
        yield b"".join(held)


def without_start(blocks: Iterator[bytes], size: int) -> Iterator[bytes]:
    """Leave out the first ``size`` bytes.

    >>> list(without_start(iter([b"ab", b"cd"]), 3))
    [b'd']
    """
    for block in blocks:
        if len(block) > size:
            return chain((block[size:],), blocks)
        size -= len(block)
    return iter(())
