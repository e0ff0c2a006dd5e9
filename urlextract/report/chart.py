"""The links by month: the bars of a chart, and the same figures as a table of years."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

WIDTH, HEIGHT = 960, 160
"""The size of the bars together, in units of the drawing."""

_MOST = 480  # months that are drawn, forty years: mail has dates of other centuries, too
_MOST_LABELS = 12
_LABEL = 40  # units of the drawing that a label takes


@dataclass(frozen=True, slots=True)
class Bar:
    """The bar of a month: its place from the left and from the top, and its size."""

    month: str
    links: int
    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class Year:
    """A year: the number of links of each of its months, and where it begins in the drawing.

    ``x`` is None if the year has no label there.
    """

    name: str
    months: tuple[int, ...]
    x: float | None

    @property
    def links(self) -> int:
        """The number of links of the year."""
        return sum(self.months)


@dataclass(frozen=True, slots=True)
class Chart:
    """What is drawn: the bars of the months that have links, and the years, without gaps.

    ``most`` is the greatest number of links of a month, and ``outside`` the number of links of months that
    are not drawn.
    """

    bars: tuple[Bar, ...]
    years: tuple[Year, ...]
    most: int
    outside: int


def chart_of(months: Sequence[tuple[str, int]]) -> Chart:
    """Return the chart of numbers of links by month, in order; of the forty years that have the most.

    >>> chart = chart_of([("1970-01", 1), ("2025-12", 3), ("2026-01", 6)])
    >>> [(bar.month, bar.height) for bar in chart.bars], chart.outside
    ([('2025-12', 80.0), ('2026-01', 160.0)], 1)
    """
    dated = [(number, links) for month, links in months if (number := _number(month)) is not None]
    drawn = _densest(dated)
    outside = sum(links for _, links in months) - sum(links for _, links in drawn)
    if not drawn:
        return Chart((), (), 0, outside)
    first, last = drawn[0][0], drawn[-1][0]
    first, last = first - first % 12, last - last % 12 + 11  # whole years
    width, most = WIDTH / (last - first + 1), max(links for _, links in drawn)
    bars = tuple(_bar(number, links, (number - first) * width, width, most) for number, links in drawn)
    return Chart(bars, _years(dict(drawn), first, last, width), most, outside)


def _number(month: str) -> int | None:
    """Return the number of a month since the year 0; None for what is no month."""
    year, _, of_year = str(month).partition("-")
    if not (len(year) == 4 and (year + of_year).isdecimal() and 1 <= int(of_year or 0) <= 12):
        return None
    return 12 * int(year) + int(of_year) - 1


def _densest(months: Sequence[tuple[int, int]]) -> Sequence[tuple[int, int]]:
    """Return the months of the window of `_MOST` months that has the most links, the latest of equals."""
    best, links, begin = (0, 0, 0), 0, 0
    for end, (number, count) in enumerate(months, 1):
        links += count
        while number - months[begin][0] >= _MOST:
            links -= months[begin][1]
            begin += 1
        if links >= best[0]:
            best = (links, begin, end)
    return months[best[1] : best[2]]


def _bar(number: int, links: int, x: float, width: float, most: int) -> Bar:
    height = round(max(1.0, HEIGHT * links / most), 1)  # a month with one link is seen, too
    year, month = divmod(number, 12)
    return Bar(f"{year:04}-{month + 1:02}", links, round(x, 2), HEIGHT - height, round(width, 2), height)


def _years(links: dict[int, int], first: int, last: int, width: float) -> tuple[Year, ...]:
    step = -(-((last - first + 1) // 12) // _MOST_LABELS)
    return tuple(
        Year(
            f"{start // 12:04}",
            tuple(links.get(month, 0) for month in range(start, start + 12)),
            x if at % step == 0 and (x := round((start - first) * width, 2)) <= WIDTH - _LABEL else None,
        )
        for at, start in enumerate(range(first, last + 1, 12))
    )
