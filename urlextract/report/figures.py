"""The figures of a report: how much there is and when, what several people sent, and what deceives."""

from __future__ import annotations

import sqlite3
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from urlextract.report.links import Links, Place, Target
from urlextract.report.wording import moment_of, shortened

MOST = 20
"""The most rows of each table of the summary."""

_LINES = 6  # of a broken URL
_FEWEST = 4  # mails of a list or a sender by which a footer is known
_LARGE = 5  # domains that are drawn


@dataclass(slots=True, kw_only=True)
class Group:
    """Links that have something in common, and the last of them as an example.

    ``name`` is what they have in common: a domain, or a kind of deceit or repair.
    """

    name: str
    links: int = 0
    targets: set[Target] = field(default_factory=set)
    people: set[str] = field(default_factory=set)
    first: str = ""
    last: str = ""
    example: tuple[Target, Place] | None = None

    def add(self, target: Target, place: Place) -> None:
        """Count a link."""
        when = place.message.date
        self.links += 1
        self.targets.add(target)
        if place.message.person:
            self.people.add(place.message.person)
        if self.example is None or when > self.last:
            self.example = target, place
        self.last = max(self.last, when)
        self.first = min(self.first or when, when or self.first)

    @property
    def lines(self) -> list[str]:
        """The example as it was broken, line by line."""
        lines = self.example[1].raw.split("\n") if self.example else []
        return [shortened(line) for line in lines[:_LINES]]


@dataclass(frozen=True, slots=True)
class Shared:
    """A target that several people have sent."""

    target: Target
    people: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """The figures of the links of a report.

    ``messages`` were read, from the days ``first`` to ``last``; it is None if records were loaded, which do
    not say how many messages had no URL. ``mails`` have links, or mails in them that have; ``undated`` links
    have no date, or a doubtful one. Groups come by their number of links, and all are there, those of
    ``shared`` by the number of people. Links are counted by month ("2026-01"), by weekday (0 is Monday) and
    by hour, in UTC; ``by_domain`` has those of the largest domains by month.
    """

    messages: int | None
    first: str
    last: str
    mails: int
    links: int
    undated: int
    months: Counter[str]
    weekdays: Counter[int]
    hours: Counter[int]
    by_domain: dict[str, Counter[str]]
    domains: list[Group]
    deceits: list[Group]
    mends: list[Group]
    shared: list[Shared]

    @property
    def deceptive(self) -> int:
        """The number of links that deceive."""
        return sum(group.links for group in self.deceits)

    @property
    def mended(self) -> int:
        """The number of links that were broken."""
        return sum(group.links for group in self.mends)


def figures_of(connection: sqlite3.Connection, links: Links) -> Figures:
    """Return the figures of links, with those of the index from which they are."""
    months: Counter[str] = Counter()
    weekdays: Counter[int] = Counter()
    hours: Counter[int] = Counter()
    groups: tuple[dict[str, Group], ...] = {}, {}, {}
    by_domain: dict[str, Counter[str]] = defaultdict(Counter)
    mails: set[object] = set()
    undated = 0
    for target in links.targets:
        for place in target.places:
            for kinds, name in zip(groups, (target.domain, place.deceit, place.mend), strict=True):
                if name:
                    if name not in kinds:
                        kinds[name] = Group(name=name)
                    kinds[name].add(target, place)
            mails.add(place.message.mail)
            when = place.message.date
            if not when:
                undated += 1
                continue
            months[when[:7]] += 1
            weekdays[date.fromisoformat(when[:10]).weekday()] += 1
            hours[int(when[11:13])] += 1
            by_domain[target.domain][when[:7]] += 1
    domains, deceits, mends = (
        sorted(kinds.values(), key=lambda group: (-group.links, group.name)) for kinds in groups
    )
    first, last = connection.execute("SELECT min(date), max(date) FROM messages").fetchone()
    return Figures(
        messages=connection.execute(_MESSAGES).fetchone()[0],
        first=moment_of(first)[:10],
        last=moment_of(last)[:10],
        mails=len(mails - {None}),
        links=sum(len(target.places) for target in links.targets),
        undated=undated,
        months=months,
        weekdays=weekdays,
        hours=hours,
        by_domain={group.name: by_domain[group.name] for group in domains[:_LARGE]},
        domains=domains,
        deceits=deceits,
        mends=mends,
        shared=_shared(connection, links),
    )


_MESSAGES = """
SELECT CASE WHEN EXISTS (SELECT 1 FROM files WHERE format = 'part') THEN NULL ELSE count(*) END
FROM messages WHERE outer_id IS NULL
"""


# --- what several people sent ----------------------------------------------------------------------


def _shared(connection: sqlite3.Connection, links: Links) -> list[Shared]:
    """Return the targets that at least two people have sent in the text of mail, but for footers.

    A target is the footer of a list if at least half of the mails of the list have it, and that of a sender
    if at least half of the sender's mails with links do, who does not count then. It is the footer of a
    provider if that is so for most of those who have sent enough mail to tell.
    """
    of_list = dict(connection.execute("SELECT list_id, count(*) FROM messages GROUP BY list_id").fetchall())
    everyone = _mails_by((place.message.person, place) for target in links.targets for place in target.places)
    of_person = {person: len(mails) for person, mails in everyone.items()}
    found = []
    for target in links.targets:
        own = [place for place in target.places if place.is_own and place.message.person]
        if len({place.message.person for place in own}) < 2:
            continue
        lists = _mails_by((place.message.list_id, place) for place in target.places)
        if any(
            _is_footer(len(mails), of_list.get(name, 0)) for name, mails in lists.items() if name is not None
        ):
            continue
        senders = _mails_by((place.message.person, place) for place in own)
        known = sum(of_person[person] >= _FEWEST for person in senders)
        footers = sum(_is_footer(len(mails), of_person[person]) for person, mails in senders.items())
        is_of_provider = footers > 1 and 2 * footers > known
        if len(senders) - footers > 1 and not is_of_provider:
            found.append(Shared(target, len(senders) - footers))
    found.sort(key=lambda each: (-each.people, -len(each.target.places), each.target.address.text))
    return found


def _mails_by(places: Iterable[tuple[Any, Place]]) -> dict[Any, set[object]]:
    """Return the mails in which places are, by what is told of each place."""
    found: dict[Any, set[object]] = defaultdict(set)
    for name, place in places:
        found[name].add(place.message.mail)
    return found


def _is_footer(mails: int, of: int) -> bool:
    return of >= _FEWEST and 2 * mails >= of
