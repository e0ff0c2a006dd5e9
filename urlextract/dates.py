"""Points in time: the arguments ``since`` and ``until``, and the dates of messages."""

from __future__ import annotations

import re
from contextlib import suppress
from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache

from urlextract.grammar.patterns import lazy_re

When = str | date | timedelta
"""A point in time as callers give it; a `datetime` is a `date`, too."""

_AGO = lazy_re(r"(?:([0-9]{1,6}) ?|last )(hour|day|week|month|year|[hdwmy])(?:s?(?: ago)?)", re.IGNORECASE)
_MONTHS = lazy_re(r"([0-9]{4})(?:-([0-9]{2}))?")
_LEAP = lazy_re(r"(?<=\d:\d\d):60\b")  # a leap second, which `datetime` does not have
_COMMENT = lazy_re(r"[ \t]{0,9}\([^()]{0,200}+\)(?=(\w)?)")  # RFC 5322, section 3.2.2; a word may be glued on
_LEAST_YEAR = 200  # lesser ones are of three digits
_UNITS = {"h": timedelta(hours=1), "d": timedelta(days=1), "w": timedelta(days=7)}
_DAYS_AGO = {"today": 0, "yesterday": 1}


def moment_of(name: str, when: When, *, is_end: bool = False) -> datetime:
    """Return the point in time ``when``, with a time zone: of a day its beginning, or its end if ``is_end``.

    A string is a date in ISO 8601, with or without a time ("2024-01-31"), a month or a year ("2024-01",
    "2024"), a duration before now in hours, days, weeks, months or years ("12h", "7d", "3 weeks ago",
    "last month"), "today" or "yesterday". A `timedelta` is a duration before now. Without a time zone it is
    local time. Raise `ValueError` for any other string; ``name`` is that of the argument.

    >>> moment_of("since", "1994-11-14T09:12:44+00:00").year
    1994
    """
    if isinstance(when, str):
        when = _read(name, when.strip(), is_end=is_end)
    if isinstance(when, date) and not isinstance(when, datetime):
        when = datetime.combine(when, time.max if is_end else time.min)
    elif isinstance(when, timedelta):
        when = _ago(when)
    elif not isinstance(when, datetime):
        raise TypeError(f"{name} is a date, a timedelta or a text such as '7d', not {type(when).__name__}")
    return when if when.tzinfo else _with_zone(when)


def _read(name: str, when: str, *, is_end: bool) -> date | timedelta:
    """Return the day, the point in time or the duration that a string means; of a month one of its ends."""
    if when.lower() in _DAYS_AGO:
        return datetime.now().astimezone().date() - timedelta(days=_DAYS_AGO[when.lower()])
    if ago := _AGO.fullmatch(when):
        number, unit = int(ago[1] or 1), ago[2][0].lower()
        return number * _UNITS[unit] if unit in _UNITS else _months_ago(number * (12 if unit == "y" else 1))
    if months := _MONTHS.fullmatch(when):
        with suppress(ValueError):
            first = date(int(months[1]), int(months[2] or (12 if is_end else 1)), 1)
            return (first + timedelta(days=31)).replace(day=1) - timedelta(days=1) if is_end else first
    for read in (date.fromisoformat, datetime.fromisoformat):
        with suppress(ValueError):
            return read(when)
    raise ValueError(f"{name}: {when!r} is neither a date such as 2024-01-31 nor a time such as 7d")


def _ago(duration: timedelta) -> datetime:
    try:
        return datetime.now(UTC) - duration
    except OverflowError:  # a negative duration is in the future
        return (datetime.min if duration > timedelta() else datetime.max).replace(tzinfo=UTC)


def _months_ago(months: int) -> datetime:
    """Return the same day and time some months ago, or the last day of that month if it is shorter."""
    from calendar import monthrange

    now = datetime.now(UTC)
    year, month = divmod(12 * now.year + now.month - 1 - months, 12)
    if year < 1:
        return datetime.min.replace(tzinfo=UTC)
    return now.replace(year=year, month=month + 1, day=min(now.day, monthrange(year, month + 1)[1]))


def _with_zone(moment: datetime) -> datetime:
    """Return a local time with its time zone; near the first and the last year it is UTC."""
    try:
        return moment.astimezone()
    except (ValueError, OverflowError):
        return moment.replace(tzinfo=UTC)


def moment_of_field(text: str) -> datetime | None:
    """Return the point in time of a Date field (RFC 5322, section 3.3), or of a date in ISO 8601.

    Without a time zone it is UTC, without a time the beginning of the day. Return None for any other text.

    >>> moment_of_field("Mon, 14 Nov 1994 09:12:31 +0100").hour, moment_of_field("today")
    (9, None)
    >>> [moment_of_field(f"12 Oct {year} 10:00 GMT").year for year in ("02", "94", "102", "0102")]
    [2002, 1994, 2002, 2002]
    """
    from email.utils import parsedate_to_datetime  # most texts have no date, and it takes long to load

    field = _COMMENT.sub(lambda comment: " " if comment[1] else "", _LEAP.sub(":59", text, 1))
    for read, written in (
        (parsedate_to_datetime, field),
        (datetime.fromisoformat, text.strip()),
        (parsedate_to_datetime, f"{field} 00:00"),
    ):
        with suppress(ValueError, TypeError, IndexError, OverflowError):
            moment = read(written)
            is_short = read is parsedate_to_datetime and moment.year < _LEAST_YEAR
            if is_short:  # three digits, counted from 1900: RFC 5322, section 4.3
                moment = moment.replace(year=1900 + moment.year)
            return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return None


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
