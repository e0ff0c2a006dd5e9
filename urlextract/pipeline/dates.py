"""Moments: which a caller asks for, and when a message says it was written."""

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
    """Read a moment: "2024-01-31", with a time or without, or so long ago: "12h", "7d", "3w".

    Without a zone it is local time. Raises `ValueError` for what is none.

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
    r"""Return the date of a message, None where it says none that can be read.

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
    """Leave out the messages that are dated before ``since``; what has no date is read."""
    for item in items:
        date = date_of(item.data) if isinstance(item, RawMessage) else None
        if date is None or date >= since:
            yield item
