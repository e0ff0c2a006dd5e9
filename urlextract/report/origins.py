"""Where the links of a report come from: sources, what could not be read, and the runs of the program."""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from dataclasses import dataclass, replace

from urlextract.report.figures import MOST
from urlextract.report.links import Links
from urlextract.report.wording import moment_of, name_of, shortened


@dataclass(frozen=True, slots=True)
class Source:
    """A file or a folder, with the numbers of its messages, of its links and of its damaged places."""

    name: str
    kind: str
    messages: int
    links: int
    damage: int


@dataclass(frozen=True, slots=True)
class Damage:
    """What could not be read of a source; ``offset`` is in bytes, "" if it is not known."""

    source: str
    cause: str
    offset: str


@dataclass(frozen=True, slots=True)
class Run:
    """A call of the program, and what it read; ``finished`` is "" if it was stopped."""

    started: str
    finished: str
    program: str
    options: str
    messages: str
    places: str
    damaged: str


@dataclass(frozen=True, slots=True)
class Origins:
    """Sources, those with the most links first, damage, and runs, the last first; with their numbers.

    There are `MOST` of each at most.
    """

    sources: list[Source]
    source_count: int
    damage: list[Damage]
    damage_count: int
    runs: list[Run]
    run_count: int


_SOURCES = """
SELECT path, kind, (SELECT count(*) FROM messages WHERE source_id = sources.id AND outer_id IS NULL),
       (SELECT count(*) FROM damage WHERE source = path)
FROM sources
"""
_RUNS = """
SELECT started, finished, program, options, messages, places, damaged FROM runs ORDER BY id DESC LIMIT ?
"""


def origins_of(connection: sqlite3.Connection, links: Links) -> Origins:
    """Return where the links of an index come from."""
    count = Counter(place.message.source for target in links.targets for place in target.places)
    sources: dict[str, Source] = {}
    for path, kind, messages, damage in connection.execute(_SOURCES):
        name = name_of(path)
        if name in sources:  # members of two archives may have the same name
            sources[name] = replace(sources[name], messages=sources[name].messages + messages)
        else:
            sources[name] = Source(name, shortened(kind), messages, count[name], damage)
    ranked = sorted(sources.values(), key=lambda each: (-each.links, -each.messages, each.name))
    damage_rows = connection.execute("SELECT source, cause, offset FROM damage ORDER BY id LIMIT ?", (MOST,))
    # count(*) would be one step, which no bound ends: see `bound_queries`.
    run_rows = connection.execute(_RUNS, (MOST,))
    return Origins(
        ranked[:MOST],
        len(ranked),
        [Damage(*map(shortened, row)) for row in damage_rows],
        connection.execute("SELECT count(1) FROM damage").fetchone()[0],
        [
            Run(moment_of(started), moment_of(finished), shortened(program), _options(options),
                *map(shortened, rest))
            for started, finished, program, options, *rest in run_rows
        ],
        connection.execute("SELECT count(1) FROM runs").fetchone()[0],
    )  # fmt: skip


def _options(text: object) -> str:
    """Return the options of a run in words.

    >>> _options('{"since": "2y", "unwrap": true, "parts": ["text", "html"]}')
    'since: 2y, unwrap, parts: text html'
    """
    try:
        options = json.loads(str(text)[:10_000])
    except (ValueError, RecursionError):
        return shortened(text)
    if not isinstance(options, dict):
        return shortened(text)
    words = (name if value is True else f"{name}: {_value(value)}" for name, value in options.items())
    return shortened(", ".join(words))


def _value(value: object) -> str:
    return " ".join(map(str, value)) if isinstance(value, list) else str(value)
