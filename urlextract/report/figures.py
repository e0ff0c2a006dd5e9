"""The figures of an index: how much there is, by month and domain, what many sent, and what deceives."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from urlextract.grammar.codes import RepairCode
from urlextract.grammar.patterns import lazy_re
from urlextract.pipeline.options import is_followed
from urlextract.report.wording import Address, address_of, day_of, host_in_words, minute_of, shortened

MOST = 20
"""The most rows of each table of the summary."""

_LINES = 6  # of a broken URL
_BROKEN = frozenset((RepairCode.JOINED_LINES, RepairCode.DECODED_QUOTED_PRINTABLE))
_IN_BRACKETS = lazy_re(r"<([^<>]*@[^<>]*)>")
_LONGEST_FIELD = 2_000  # characters of a From field that are read


@dataclass(frozen=True, slots=True, kw_only=True)
class Domain:
    """A registered domain, with the number of its links and URLs, and the days of the first and last one."""

    name: str
    links: int
    urls: int
    first: str
    last: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Shared:
    """A URL that several people sent, with their number and that of its places."""

    address: Address
    senders: int
    links: int
    first: str
    last: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Lie:
    """Links that show one host and lead to another: how many, and the last of them."""

    shown: str
    host: str
    links: int
    last: str
    sender: str
    subject: str
    address: Address


@dataclass(frozen=True, slots=True, kw_only=True)
class Mended:
    """A URL that was broken: as it was written, line by line, what was done, and the last message with it."""

    lines: tuple[str, ...]
    repairs: str
    last: str
    subject: str
    address: Address


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """The figures of an index; ``messages`` were read, ``with_links`` of them have links, or mails in them.

    ``messages`` is None if records were loaded, which do not say how many messages had no URL.
    ``months`` has the number of links of each month that has any, as "2026-01". ``updated`` is when the last
    run has ended, "" if it has not. The tables have `MOST` rows at most; their numbers of links
    (``lying``, ``mended_links``) count all.
    """

    sources: int
    messages: int | None
    with_links: int
    links: int
    urls: int
    domains: int
    lying: int
    mended_links: int
    shared_urls: int
    first: str
    last: str
    updated: str
    months: tuple[tuple[str, int], ...]
    top_domains: tuple[Domain, ...]
    shared: tuple[Shared, ...]
    lies: tuple[Lie, ...]
    mended: tuple[Mended, ...]


def add_functions(connection: sqlite3.Connection) -> None:
    """Add the functions that the queries of this room use to the SQL of ``connection``."""
    connection.create_function("mail_address", 1, _mail_address, deterministic=True)
    connection.create_function("is_followed", 3, is_followed, deterministic=True)
    connection.create_function("is_mended", 1, is_mended, deterministic=True)


@lru_cache(maxsize=65_536)
def _mail_address(value: object) -> str | None:
    """Return the address of a From field in lower case: one person may write the name in several ways."""
    if not value:
        return None
    field = str(value)
    match = _IN_BRACKETS.search(field, 0, _LONGEST_FIELD)
    return (match[1] if match else field[:_LONGEST_FIELD]).strip().lower()


@lru_cache(maxsize=1_024)
def is_mended(repairs: object) -> bool:
    """Return whether codes of repairs, with blanks between them, tell of a URL that was broken."""
    return repairs is not None and not _BROKEN.isdisjoint(str(repairs).split())


_MESSAGES = """
    SELECT CASE WHEN EXISTS (SELECT * FROM sources WHERE kind = 'part') THEN NULL
           ELSE coalesce(sum(messages), 0) END
    FROM sources
"""


def figures_of(connection: sqlite3.Connection) -> Figures:
    """Return the figures of the index that ``connection`` reads, which has `add_functions`."""

    def value(query: str) -> Any:
        return connection.execute(query).fetchone()[0]

    first, last = connection.execute(
        "SELECT min(date), max(date) FROM messages WHERE date IS NOT NULL"
    ).fetchone()
    return Figures(
        sources=value("SELECT count(*) FROM sources"),
        messages=value(_MESSAGES),
        with_links=value("SELECT count(*) FROM (SELECT DISTINCT source_id, number FROM messages)"),
        links=value("SELECT count(*) FROM places"),
        urls=value("SELECT count(*) FROM urls"),
        domains=value("SELECT count(*) FROM domains"),
        lying=value("SELECT count(*) FROM deceptive_links"),
        mended_links=value("SELECT count(*) FROM places WHERE repaired AND is_mended(repairs)"),
        shared_urls=value(f"SELECT count(*) FROM ({_SHARED})"),  # noqa: S608 - a constant
        first=day_of(first),
        last=day_of(last),
        updated=_updated(connection),
        months=tuple(connection.execute("SELECT month, places FROM by_month ORDER BY month")),
        top_domains=tuple(_top_domains(connection)),
        shared=tuple(_shared(connection)),
        lies=tuple(_lies(connection)),
        mended=tuple(_mended(connection)),
    )


def _updated(connection: sqlite3.Connection) -> str:
    row = connection.execute("SELECT finished FROM runs ORDER BY id DESC LIMIT 1").fetchone()
    return minute_of(row[0]) if row else ""


def _top_domains(connection: sqlite3.Connection) -> Iterator[Domain]:
    query = (
        "SELECT domain, places, urls, first_seen, last_seen FROM domains ORDER BY places DESC, domain LIMIT ?"
    )
    for domain, places, urls, first, last in connection.execute(query, (MOST,)):
        yield Domain(name=shortened(domain), links=places, urls=urls, first=day_of(first), last=day_of(last))


# Links that a reader can follow, in the text of messages: header fields are the same in all of a list's mail.
# A gateway makes another link of the same target for each reader.
_SHARED = """
SELECT urls.url AS url, urls.unwrapped AS unwrapped, urls.wrapped_by AS wrapped_by,
       count(DISTINCT mail_address(messages."from")) AS senders, count(*) AS links,
       min(messages.date) AS first, max(messages.date) AS last
FROM places JOIN messages ON messages.id = places.message_id JOIN urls ON urls.id = places.url_id
WHERE places.header IS NULL AND is_followed(urls.scheme, places.element, places.attribute)
GROUP BY coalesce(urls.unwrapped, urls.normalized) HAVING senders > 1
"""


def _shared(connection: sqlite3.Connection) -> Iterator[Shared]:
    query = f"{_SHARED} ORDER BY senders DESC, links DESC, url LIMIT ?"
    for url, unwrapped, service, senders, links, first, last in connection.execute(query, (MOST,)):
        yield Shared(
            address=address_of(str(url), unwrapped, service),
            senders=senders,
            links=links,
            first=day_of(first),
            last=day_of(last),
        )


def _lies(connection: sqlite3.Connection) -> Iterator[Lie]:
    # With max(), SQLite takes the other columns from the row that has the maximum.
    query = """
        SELECT shown, url, unwrapped, wrapped_by, count(*), max(coalesce(date, '')), "from", subject
        FROM deceptive_links GROUP BY shown, host, unwrapped
        ORDER BY max(coalesce(date, '')) DESC, shown, url LIMIT ?
    """
    for shown, url, unwrapped, service, links, date, sender, subject in connection.execute(query, (MOST,)):
        yield Lie(
            shown=shortened(shown),
            host=host_in_words(str(unwrapped or url)),
            links=links,
            last=day_of(date),
            sender=shortened(sender),
            subject=shortened(subject),
            address=address_of(str(url), unwrapped, service),
        )


def _mended(connection: sqlite3.Connection) -> Iterator[Mended]:
    query = """
        SELECT urls.url, places.raw, places.repairs, max(coalesce(messages.date, '')), messages.subject
        FROM places JOIN urls ON urls.id = places.url_id
        LEFT JOIN messages ON messages.id = places.message_id
        WHERE places.repaired AND is_mended(places.repairs)
        GROUP BY places.url_id ORDER BY max(coalesce(messages.date, '')) DESC, urls.url LIMIT ?
    """
    for url, raw, repairs, date, subject in connection.execute(query, (MOST,)):
        lines = str(raw)[: _LINES * 1_000].split("\n")
        yield Mended(
            lines=tuple(shortened(line) for line in lines[:_LINES]),
            repairs=shortened(", ".join(code.replace("-", " ") for code in str(repairs).split())),
            last=day_of(date),
            subject=shortened(subject),
            address=address_of(str(url)),
        )
