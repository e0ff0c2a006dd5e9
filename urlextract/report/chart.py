"""The picture of the report: a bar for the links of each month or year, which leads to them.

The places from left to right are percentages, and heights are pixels: so the picture is as wide as the page,
and its words stay as large.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

HEIGHT = 160
"""The height of the highest bar."""

_MOST_MONTHS = 480  # that have bars of their own; more than these forty years have a bar for each year
_GAP = 240  # months without links behind which are those of clocks that were wrong
_LABELS, _MAJOR = 18, 6  # years that are named, and those on a telephone
_LEAST = 2.0  # the height of one link
_WIDE = 1.5  # per cent of the picture: between wider bars there is a gap
# A bar is cut if it is more than five times as high as those of which only a twentieth are higher; these are
# lower then.
_CUT, _OF_CUT = 5, 20
_BELOW_CUT = 0.6


@dataclass(frozen=True, slots=True)
class Bar:
    """A month or a year with its number of links, and the place and the size of its bar."""

    date: str
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
    """A picture of the months or years (``period``) from ``start`` to the one before ``end``.

    The highest bar has ``top`` links, whose height is ``tall``, or is one of ``cut`` with more. Links
    ``before`` and ``after`` are not drawn.
    """

    period: str
    start: str
    end: str
    top: int
    tall: float
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
    >>> [(bar.date, bar.height) for bar in chart.bars]
    [('2024-12', 80.0), ('2026-01', 160.0)]
    """
    by_month = {int(month[:4]) * 12 + int(month[5:7]) - 1: count for month, count in months.items()}
    start, end = _drawn(by_month)
    step = 1 if end - start <= _MOST_MONTHS else 12
    links: Counter[int] = Counter()
    for month, count in by_month.items():
        if start <= month < end:
            links[month // step * step] += count
    top = _top(links)
    tall = HEIGHT * _BELOW_CUT if max(links.values(), default=0) > top else HEIGHT
    slot = 100 / max(1, (end - start) // step)
    gap = slot / 10 if slot > _WIDE else 0
    bars = []
    for month, count in sorted(links.items()):
        height = HEIGHT if count > top else round(max(_LEAST, tall * count / top), 1)
        x, date = round((month - start) / step * slot, 3), _name(month)[: 4 if step > 1 else 7]
        y, width = round(HEIGHT - height, 1), round(slot - gap, 3)
        bars.append(Bar(date, count, x, width, y, height, count > top))
    every = 12 * (-(-(end - start) // (12 * _LABELS)) or 1)
    years = range(start, end, every)
    major = -(-len(years) // _MAJOR)
    return Chart(
        "month" if step == 1 else "year",
        _name(start),
        _name(end),
        top,
        tall,
        bars,
        [
            Label(_name(month)[:4], round((month - start) / step * slot, 3), at % major == 0)
            for at, month in enumerate(years)
        ],
        sum(count for month, count in by_month.items() if month < start),
        sum(count for month, count in by_month.items() if month >= end),
    )


def _name(month: int) -> str:
    return f"{month // 12:04}-{month % 12 + 1:02}"


def _drawn(links: dict[int, int]) -> tuple[int, int]:
    """Return the bounds of the whole years to draw: of the months with most links that have no gap."""
    runs: list[list[int]] = []
    for month in sorted(links):
        if not runs or month - runs[-1][-1] > _GAP:
            runs.append([])
        runs[-1].append(month)
    drawn = max(runs, key=lambda run: sum(links[month] for month in run), default=[0, -1])
    return drawn[0] // 12 * 12, (drawn[-1] // 12 + 1) * 12


def _top(links: Counter[int]) -> int:
    """Return the number of links of the highest bar that is not cut."""
    ranked = sorted(links.values(), reverse=True)
    if len(ranked) < 3:
        return ranked[0] if ranked else 0
    usual = ranked[max(1, len(ranked) // _OF_CUT)]
    return next(links for links in ranked if ranked[0] <= _CUT * usual or links <= 2 * usual)
