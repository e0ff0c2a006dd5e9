"""Select the raw messages and texts to read, and the parts of very large messages."""

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
    """Yield the items to read; drop the attachments of messages that are too large for memory.

    If the texts of such a message are too large, too, the rest of them is yielded as a `RawText`.
    """
    if options.since is not None:
        from urlextract.pipeline.dates import items_since  # noqa: PLC0415 - rarely needed

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
    """Return the error for a part of a message that cannot be read, with the advice on it."""
    origin = unread.origin
    where = f"message {origin.message}, part {origin.part}"
    return SourceError(origin.source or "message", f"{where}: {unread.advice}", origin.offset)
