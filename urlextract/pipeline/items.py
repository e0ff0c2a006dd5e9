"""Raw messages and texts on their way from the sources: which are read, and of very large ones what."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlextract.errors import SourceError
from urlextract.records import RawMessage, RawText

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from urlextract.pipeline.options import ExtractOptions
    from urlextract.records import Item, Unread

__all__ = ["chosen_items", "damage_of"]


def chosen_items(items: Iterable[Item], options: ExtractOptions) -> Iterator[Item]:
    """Pass on what is asked for; of a message that streams, what is read of it."""
    if options.since is not None:
        from urlextract.pipeline.dates import items_since  # noqa: PLC0415 - asked for by few

        items = items_since(items, options.since)
    for item in items:
        if not isinstance(item, RawMessage) or item.rest is None:
            yield item
            continue
        from urlextract.message.large import slimmed  # noqa: PLC0415 - few messages are so large

        message, overflow = slimmed(item, options.choice)
        yield message
        if overflow is not None:
            yield RawText(chunks=overflow, origin=message.origin, byte=None)


def damage_of(unread: Unread) -> SourceError:
    """Return the error that names the part of a message that cannot be read, and what reads it."""
    origin = unread.origin
    where = f"message {origin.message}, part {origin.part}"
    return SourceError(origin.source or "message", f"{where}: {unread.advice}", origin.offset)
