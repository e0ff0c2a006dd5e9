"""The picture of the report: a bar for the links of each month, which leads to them.

The places from left to right are percentages, and heights are pixels: so the picture is as wide as the page,
and its words stay as large.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

HEIGHT = 160
"""The height of the highest bar."""

_MOST_MONTHS = 480  # that are drawn, forty years: clocks that were wrong have others
_LABELS, _MAJOR = 18, 6  # years that are named, and those on a telephone
_LEAST = 2.0  # the height of one link
_WIDE = 1.5  # per cent of the picture: between wider bars there is a gap
# A bar is cut if it is more than five times as high as those of which only a twentieth are higher.
_CUT, _OF_CUT = 5, 20


@dataclass(frozen=True, slots=True)
class Bar:
    """A month with its number of links, and the place and the size of its bar."""

    month: str
    links: int
    x: float
    width: float
    y: float
    height: float
    is_cut: bool


@dataclass(frozen=True, slots=True)
class Label:
    """A year below the picture; those that are not ``is_major`` are left out where there is little room."""

    year: str
    x: float
    is_major: bool


@dataclass(frozen=True, slots=True)
class Chart:
    """A picture of the months from ``start`` to the one before ``end``.

    The highest bar has ``top`` links, or is one of ``cut`` with more. Links ``before`` and ``after`` are not
    drawn.
    """

    start: str
    end: str
    top: int
    bars: list[Bar]
    labels: list[Label]
    before: int
    after: int

    @property
    def cut(self) -> list[Bar]:
        """The bars that are cut, the highest first."""
        return sorted((bar for bar in self.bars if bar.is_cut), key=lambda bar: -bar.links)


def chart_of(months: Counter[str]) -> Chart:
    """Return the picture of the numbers of links by month, of whole years.

    >>> chart = chart_of(Counter({"1970-01": 1, "2024-12": 3, "2026-01": 6}))
    >>> chart.start, chart.end, chart.before
    ('2024-01', '2027-01', 1)
    >>> [(bar.month, bar.height) for bar in chart.bars]
    [('2024-12', 80.0), ('2026-01', 160.0)]
    """
    links = {int(month[:4]) * 12 + int(month[5:7]) - 1: count for month, count in months.items()}
    start, end = _drawn(links)
    top = _top(count for month, count in links.items() if start <= month < end)
    slot = 100 / max(1, end - start)
    gap = slot / 10 if slot > _WIDE else 0
    bars = []
    for month in range(start, end):
        if count := links.get(month, 0):
            tall = round(max(_LEAST, HEIGHT * min(count, top) / top), 1)
            x, width = round((month - start) * slot, 3), round(slot - gap, 3)
            bars.append(Bar(_name(month), count, x, width, round(HEIGHT - tall, 1), tall, count > top))
    every = 12 * (-(-(end - start) // (12 * _LABELS)) or 1)
    years = range(start, end, every)
    major = -(-len(years) // _MAJOR)
    return Chart(
        _name(start),
        _name(end),
        top,
        bars,
        [
            Label(_name(month)[:4], round((month - start) * slot, 3), at % major == 0)
            for at, month in enumerate(years)
        ],
        sum(count for month, count in links.items() if month < start),
        sum(count for month, count in links.items() if month >= end),
    )


def _name(month: int) -> str:
    return f"{month // 12:04}-{month % 12 + 1:02}"


def _drawn(links: dict[int, int]) -> tuple[int, int]:
    """Return the bounds of the whole years to draw: the forty years with the most links, or fewer."""

    def within(start: int) -> int:
        return sum(count for month, count in links.items() if start <= month < start + _MOST_MONTHS)

    start = max(sorted(links), key=within, default=0)
    last = max((month for month in links if month < start + _MOST_MONTHS), default=-1)
    return start // 12 * 12, (last // 12 + 1) * 12


def _top(counts: Iterable[int]) -> int:
    """Return the number of links of the highest bar that is not cut."""
    ranked = sorted(counts, reverse=True)
    if len(ranked) < 3:
        return ranked[0] if ranked else 0
    usual = ranked[max(1, len(ranked) // _OF_CUT)]
    return next(links for links in ranked if ranked[0] <= _CUT * usual or links <= 2 * usual)
