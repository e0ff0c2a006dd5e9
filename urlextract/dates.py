"""Points in time: the argument ``since``, and the dates of messages."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from email.utils import parsedate_to_datetime
from functools import lru_cache

from urlextract.grammar.patterns import lazy_re

When = str | date | timedelta
"""A point in time as callers give it; a `datetime` is a `date`, too."""

_AGO = lazy_re(r"([0-9]{1,6})([hdw])")
_LEAP = lazy_re(r"(?<=\d:\d\d):60\b")  # a leap second, which `datetime` does not have
_HOURS = {"h": 1, "d": 24, "w": 168}


def moment_of(when: When) -> datetime:
    """Return the point in time ``when``, with a time zone.

    A string is a date in ISO 8601, with or without a time ("2024-01-31"), or a duration before now in
    hours, days or weeks ("12h", "7d", "3w"). A `timedelta` is a duration before now, a `date` the
    beginning of that day. Without a time zone it is local time. Raise `ValueError` for any other
    string.

    >>> moment_of("1994-11-14T09:12:44+00:00").year
    1994
    """
    if isinstance(when, str):
        ago = _AGO.fullmatch(when.strip())
        if ago:
            when = timedelta(hours=int(ago[1]) * _HOURS[ago[2]])
    try:
        if isinstance(when, timedelta):
            return datetime.now(UTC) - when
        if isinstance(when, str):
            when = datetime.fromisoformat(when.strip())
        elif not isinstance(when, date):
            raise TypeError(f"since is a date, a timedelta or a text such as '7d', not {type(when).__name__}")
        moment = when if isinstance(when, datetime) else datetime.combine(when, time())
        return moment if moment.tzinfo else _with_zone(moment)
    except OverflowError:  # of a duration; a negative one is in the future
        is_past = isinstance(when, timedelta) and when > timedelta()
        return (datetime.min if is_past else datetime.max).replace(tzinfo=UTC)
    except ValueError:
        raise ValueError(
            f"since: {when!r} is neither a date such as 2024-01-31 nor a time such as 7d"
        ) from None


def _with_zone(moment: datetime) -> datetime:
    """Return a local time with its time zone; near the first and the last year it is UTC."""
    try:
        return moment.astimezone()
    except (ValueError, OverflowError):
        return moment.replace(tzinfo=UTC)


def moment_of_field(text: str) -> datetime | None:
    """Return the point in time of a Date field (RFC 5322, section 3.3), or of a date in ISO 8601.

    Without a time zone it is UTC. Return None for any other text.

    >>> moment_of_field("Mon, 14 Nov 1994 09:12:31 +0100").hour, moment_of_field("today")
    (9, None)
    """
    try:
        moment = parsedate_to_datetime(_LEAP.sub(":59", text, 1))
    except (ValueError, TypeError, IndexError, OverflowError):
        try:
            moment = datetime.fromisoformat(text.strip())
        except ValueError:
            return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


@lru_cache(maxsize=1_024)
def utc_of_field(text: str) -> str | None:
    """Return the point in time of a Date field in UTC, in ISO 8601; None if it is none.

    >>> utc_of_field("Mon, 14 Nov 1994 09:12:31 +0100")
    '1994-11-14T08:12:31Z'
    """
    moment = moment_of_field(text)
    if moment is None:
        return None
    try:
        return f"{moment.astimezone(UTC).replace(tzinfo=None, microsecond=0).isoformat()}Z"
    except OverflowError:  # in the first or the last year
        return None
