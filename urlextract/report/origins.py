"""Where the links of a report come from."""

from __future__ import annotations

import sqlite3
from collections import Counter
from dataclasses import dataclass, replace

from urlextract.report.figures import MOST
from urlextract.report.links import Links
from urlextract.report.wording import name_of


@dataclass(frozen=True, slots=True)
class Source:
    """A file, with the numbers of its messages and of its links."""

    name: str
    messages: int
    links: int


@dataclass(frozen=True, slots=True)
class Origins:
    """Sources, those with the most links first, `MOST` at most, and their number."""

    sources: list[Source]
    source_count: int


_SOURCES = """
SELECT source, count(*) FROM copies GROUP BY source
UNION ALL SELECT source, 0 FROM places WHERE message_id IS NULL GROUP BY source
"""


def origins_of(connection: sqlite3.Connection, links: Links) -> Origins:
    """Return where the links of an index come from."""
    count = Counter(place.message.source for target in links.targets for place in target.places)
    sources: dict[str, Source] = {}
    for path, messages in connection.execute(_SOURCES):
        name = name_of(path)
        known = sources.get(name) or Source(name, 0, count[name])
        sources[name] = replace(known, messages=known.messages + messages)
    ranked = sorted(sources.values(), key=lambda each: (-each.links, -each.messages, each.name))
    return Origins(ranked[:MOST], len(ranked))
