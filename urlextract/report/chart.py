"""The pictures of the report: bars of numbers of links by time, of which each leads to its links.

The places from left to right are percentages, and heights are pixels: so a picture is as wide as the page,
and its words stay as large.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from urlextract.report.figures import Figures
from urlextract.report.wording import query

HEIGHT, MIDDLE, LOW = 160, 120, 60
"""The heights of the bars of pictures: of months, of days and hours, of a domain."""

_MOST_MONTHS = 480  # that are drawn, forty years: clocks that were wrong have others
_LABELS, _MAJOR = 18, 6  # labels of a large picture, and those of it on a telephone
_LEAST = 2.0  # the height of one link
_WIDE = 1.5  # per cent of the picture: between wider bars there is a gap
_FEW_YEARS = 3  # of which months are drawn
# A bar is cut if it is more than five times as high as those of which only a twentieth are higher.
_CUT, _OF_CUT = 5, 20
_WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


@dataclass(frozen=True, slots=True)
class Bar:
    """A bar: what it stands for, its links, the address of the search for them, its place and size."""

    name: str
    links: int
    href: str
    x: float
    width: float
    y: float
    height: float
    is_cut: bool


@dataclass(frozen=True, slots=True)
class Label:
    """Words below a picture; those that are not ``is_major`` are left out where there is little room."""

    text: str
    href: str
    x: float
    is_major: bool


@dataclass(frozen=True, slots=True)
class Chart:
    """Bars and labels. A bar as high as ``height`` has ``top`` links, or is one of ``cut`` with more."""

    name: str
    height: int
    top: int
    bars: tuple[Bar, ...]
    labels: tuple[Label, ...]

    @property
    def cut(self) -> list[Bar]:
        """The bars that are cut, the highest first."""
        return sorted((bar for bar in self.bars if bar.is_cut), key=lambda bar: -bar.links)


@dataclass(frozen=True, slots=True)
class Year:
    """A year, and the number of links of each of its months."""

    name: str
    months: tuple[int, ...]

    @property
    def links(self) -> int:
        """The number of links of the year."""
        return sum(self.months)


@dataclass(frozen=True, slots=True)
class Charts:
    """The pictures of a report, and the table of all years; months of ``outside`` links are not drawn."""

    months: Chart
    weekdays: Chart
    hours: Chart
    domains: list[Chart]
    years: list[Year]
    outside: int


def charts_of(figures: Figures) -> Charts:
    """Return the pictures of figures."""
    months = drawn_months(figures.months)
    drawn = set(months)
    years = list(dict.fromkeys(month[:4] for month in months))
    per_year = len(years) > _FEW_YEARS
    spans = years if per_year else months
    domains = []
    for domain, count in figures.by_domain.items():
        per_span = Counter[str]()
        for month, links in count.items():
            per_span[month[:4] if per_year else month] += links
        items = [(span, per_span[span], query(domain=domain, month=span)) for span in spans]
        domains.append(bars_of(domain, items, LOW, _years_of(spans, _LABELS // 4)))
    by_month = [(month, figures.months[month], query(month=month)) for month in months]
    by_day = [(day, figures.weekdays[at], query(weekday=day[:3].lower())) for at, day in enumerate(_WEEKDAYS)]
    by_hour = [(f"{hour:02}", figures.hours[hour], query(hour=f"{hour:02}")) for hour in range(24)]
    return Charts(
        bars_of("Links by month", by_month, HEIGHT, _years_of(months)),
        bars_of("Links by weekday", by_day, MIDDLE, [(at, day[:3]) for at, day in enumerate(_WEEKDAYS)]),
        bars_of("Links by hour", by_hour, MIDDLE, [(hour, f"{hour:02}") for hour in range(0, 24, 3)]),
        domains,
        _table_of(figures.months),
        sum(links for month, links in figures.months.items() if month not in drawn),
    )


def bars_of(
    name: str, items: Sequence[tuple[str, int, str]], height: int, labels: Sequence[tuple[int, str]]
) -> Chart:
    """Return a chart of names with their numbers and addresses; ``labels`` are at some of them.

    >>> chart = bars_of("x", [("a", 3, "#a"), ("b", 0, "#b"), ("c", 6, "#c")], 60, [(0, "a")])
    >>> [(bar.name, bar.x, bar.height) for bar in chart.bars], chart.top
    ([('a', 0.0, 30.0), ('c', 66.667, 60.0)], 6)
    """
    top = _top([links for _, links, _ in items])
    slot = 100 / max(1, len(items))
    gap = slot / 10 if slot > _WIDE else 0
    bars = []
    for at, (title, links, href) in enumerate(items):
        if links:
            tall = round(max(_LEAST, height * min(links, top) / top), 1)
            x, width = round(at * slot, 3), round(slot - gap, 3)
            bars.append(Bar(title, links, href, x, width, round(height - tall, 1), tall, links > top))
    step = -(-len(labels) // _MAJOR)
    return Chart(
        name,
        height,
        top,
        tuple(bars),
        tuple(
            Label(text, items[at][2], round(at * slot, 3), number % step == 0)
            for number, (at, text) in enumerate(labels)
        ),
    )


def _top(counts: Sequence[int]) -> int:
    """Return the number of links of the highest bar that is not cut."""
    ranked = sorted(filter(None, counts), reverse=True)
    if len(ranked) < 3:
        return ranked[0] if ranked else 0
    usual = ranked[max(1, len(ranked) // _OF_CUT)]
    return next(links for links in ranked if ranked[0] <= _CUT * usual or links <= 2 * usual)


# --- months and years ------------------------------------------------------------------------------


def drawn_months(links: Counter[str]) -> list[str]:
    """Return the months of whole years, without gaps, of the forty years that have the most links.

    >>> months = drawn_months(Counter({"1970-01": 1, "2024-12": 3, "2026-01": 6}))
    >>> months[0], months[-1], len(months)
    ('2024-01', '2026-12', 36)
    """
    months = sorted((int(month[:4]) * 12 + int(month[5:7]) - 1, count) for month, count in links.items())
    best, total, begin, window = 0, 0, 0, (0, -1)
    for number, count in months:  # the window ends with this month
        total += count
        while number - months[begin][0] >= _MOST_MONTHS:
            total -= months[begin][1]
            begin += 1
        if total >= best:
            best, window = total, (months[begin][0] // 12, number // 12)
    return [f"{year:04}-{month:02}" for year in range(window[0], window[1] + 1) for month in range(1, 13)]


def _years_of(spans: Sequence[str], most: int = _LABELS) -> list[tuple[int, str]]:
    """Return where years begin, and their names: as many as there is room for."""
    starts = [(at, span[:4]) for at, span in enumerate(spans) if span[4:] in ("", "-01")]
    return starts[:: -(-len(starts) // most) or 1]


def _table_of(months: Counter[str]) -> list[Year]:
    years = sorted({month[:4] for month in months})
    return [Year(year, tuple(months[f"{year}-{month:02}"] for month in range(1, 13))) for year in years]
