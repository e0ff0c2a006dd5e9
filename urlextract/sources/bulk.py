"""A mailbox in stretches of many whole messages, for a reader that wants no more than their texts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlextract.records import RawMessages
from urlextract.sources.mbox import Cutter
from urlextract.sources.messages import LARGEST_HELD, messages_of
from urlextract.sources.pieces import PREAMBLE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from urlextract.records import Item
    from urlextract.sources.sniff import Verdict

__all__ = ["read_in_bulk"]

_STRETCH = 256 * 1024  # bytes that are gathered before they are cut


def read_in_bulk(blocks: Iterator[bytes], verdict: Verdict, source: str) -> Iterator[Item]:
    """Cut a mailbox that begins with a postmark; large messages, and the last one, come alone."""
    cutter = Cutter(verdict.start, PREAMBLE)
    number = 0
    is_first = True
    for stretch in _stretches(blocks, verdict.start):
        spans = cutter.spans(stretch)
        if spans and is_first:  # what stands before the first postmark, which is nothing
            del spans[0]
            is_first = False
        if spans:
            yield RawMessages(cutter.buffer, spans, source, number + 1, cutter.base)
            number += len(spans)
        if cutter.held > LARGEST_HELD:
            for message in messages_of(cutter.large(blocks), source, number=number):
                yield message
                number += 1
        if cutter.is_over:
            return
    yield from messages_of(cutter.close(), source, number=number)


def _stretches(blocks: Iterator[bytes], skip: int) -> Iterator[bytes]:
    """Gather blocks to stretches, without the first ``skip`` bytes of all."""
    held: list[bytes] = []
    size = 0
    for whole in blocks:
        block = whole[skip:]
        skip -= len(whole) - len(block)
        held.append(block)
        size += len(block)
        if size >= _STRETCH:
            yield b"".join(held)
            held.clear()
            size = 0
    if held:
        yield b"".join(held)
