"""Points in time: read the argument ``since``, and the dates of messages."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING

from urlextract.grammar.patterns import lazy_re
from urlextract.records import RawMessage

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from urlextract.records import Item

__all__ = ["items_since", "moment_of"]

_DATE = lazy_re(
    rb"(?:\A|[\r\n])(?:date|warc-date|injection-date):([^\r\n]{0,200}"
    rb"(?:(?:\r{0,2}\n|\r)[ \t][^\r\n]{0,200})?)",
    re.IGNORECASE,
)
_HEAD = lazy_re(rb"\n\r{0,2}\n|\r\r(?!\n)")
_LARGEST_HEAD = 1 << 18  # bytes


def moment_of(when: str | datetime) -> datetime:
    """Return the point in time ``when``, with a time zone.

    A string is a date in ISO 8601, with or without a time ("2024-01-31"), or a duration before now in
    hours, days or weeks ("12h", "7d", "3w"). Without a time zone it is local time. Raise `ValueError`
    for any other string.

    >>> moment_of("1994-11-14T09:12:44+00:00").year
    1994
    """
    if isinstance(when, str):
        ago = re.fullmatch(r"([0-9]{1,6})([hdw])", when.strip())
        if ago:
            hours = int(ago[1]) * {"h": 1, "d": 24, "w": 168}[ago[2]]
            try:
                return datetime.now(UTC) - timedelta(hours=hours)
            except OverflowError:
                return datetime.min.replace(tzinfo=UTC)
    try:
        moment = datetime.fromisoformat(when.strip()) if isinstance(when, str) else when
        return moment if moment.tzinfo else moment.astimezone()
    except (ValueError, OverflowError):
        raise ValueError(f"since is no date such as 2024-01-31, and no time such as 7d: {when!r}") from None


def date_of(data: bytes) -> datetime | None:
    r"""Return the date in the header of a message, None if there is none that can be read.

    >>> date_of(b"Date: Mon, 14 Nov 1994 09:12:31 +0100\n\n").hour
    9
    """
    end = _HEAD.search(data, 0, _LARGEST_HEAD)
    field = _DATE.search(data, 0, end.start() + 1 if end else _LARGEST_HEAD)
    if not field:
        return None
    text = field[1].decode("ascii", "replace").strip()
    try:
        date = parsedate_to_datetime(text)
    except (ValueError, TypeError, IndexError, OverflowError):
        try:
            date = datetime.fromisoformat(text)
        except ValueError:
            return None
    return date if date.tzinfo else date.replace(tzinfo=UTC)


def items_since(items: Iterable[Item], since: datetime) -> Iterator[Item]:
    """Yield ``items`` without the messages dated before ``since``; items without a date are kept."""
    for item in items:
        date = date_of(item.data) if isinstance(item, RawMessage) else None
        if date is None or date >= since:
            yield item
