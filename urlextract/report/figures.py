"""The figures of a report: how many mails, links and domains there are, and links by month."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from urlextract.report.reads import Links


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """The figures of links: ``first`` and ``last`` are days, "" if there is no date.

    Links are counted by month, "2026-01", in UTC. ``undated`` ones have no date, or one that cannot be right.
    """

    mails: int
    links: int
    targets: int
    domains: int
    deceptive: int
    mended: int
    undated: int
    first: str
    last: str
    months: Counter[str]


def figures_of(links: Links) -> Figures:
    """Return the figures of links."""
    places = [place for target in links.targets for place in target.places]
    dates = [date for place in places if (date := links.messages[place.message].date)]
    return Figures(
        mails=links.mails,
        links=len(places),
        targets=len(links.targets),
        domains=len({target.domain for target in links.targets} - {""}),
        deceptive=sum(bool(place.lie) for place in places),
        mended=sum(bool(place.broken) for place in places),
        undated=len(places) - len(dates),
        first=min(dates, default="")[:10],
        last=max(dates, default="")[:10],
        months=Counter(date[:7] for date in dates),
    )
