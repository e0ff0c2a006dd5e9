"""Select the raw messages and texts to read."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import datetime

from urlextract.dates import moment_of_field
from urlextract.errors import SourceError
from urlextract.grammar.patterns import lazy_re
from urlextract.pipeline.options import ExtractOptions
from urlextract.records import Item, RawMessage, Unread

_DATE = lazy_re(
    rb"(?:\A|[\r\n])(?:date|warc-date|injection-date):([^\r\n]{0,200}"
    rb"(?:(?:\r{0,2}\n|\r)[ \t][^\r\n]{0,200})?)",
    re.IGNORECASE,
)
_HEAD = lazy_re(rb"\n\r{0,2}\n|\r\r(?!\n)")
_LARGEST_HEAD = 1 << 18  # bytes


def chosen_items(items: Iterable[Item], options: ExtractOptions) -> Iterator[Item]:
    """Yield the items, without messages that are dated before ``options.since``."""
    for item in items:
        if options.since is not None and isinstance(item, RawMessage):
            date = date_of(item.data)
            if date is not None and date < options.since:
                continue
        yield item


def date_of(data: bytes) -> datetime | None:
    r"""Return the date in the header of a message, None if there is none that can be read.

    >>> date_of(b"Date: Mon, 14 Nov 1994 09:12:31 +0100\n\n").hour
    9
    """
    end = _HEAD.search(data, 0, _LARGEST_HEAD)
    field = _DATE.search(data, 0, end.start() + 1 if end else _LARGEST_HEAD)
    return moment_of_field(field[1].decode("ascii", "replace").strip()) if field else None


def damage_of(unread: Unread) -> SourceError:
    """Return the error for a part of a message that cannot be read, with the advice on it."""
    origin = unread.origin
    where = f"message {origin.message}, part {origin.part}"
    return SourceError(origin.source or "message", f"{where}: {unread.advice}", origin.offset)
