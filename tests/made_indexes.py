"""Indexes for tests: the tables filled by SQL, from messages with their links."""

from __future__ import annotations

import json
import random
import sqlite3
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from urlextract.grammar.domains import registered_domain
from urlextract.index.schema import APPLICATION_ID, SCHEMA, VERSION
from urlextract.schemes.url import host_name_of, normal_form

Mail = tuple[dict[str, Any], list[dict[str, Any]]]
"""The columns of a message, and those of each of its places, with ``url`` for the URL.

A message may have a ``file``, in which it lies in the source of all."""

_PLACE = {
    "form": "bare", "line": 1, "col": 1, "start": 0, "stop": 1, "raw": "", "repaired": 0, "confidence": 0.9,
}  # fmt: skip
_OF_URLS = ("url", "scheme", "host", "domain", "unwrapped", "wrapped_by", "target_domain")


def connect(path: Path) -> sqlite3.Connection:
    is_new = not path.exists()
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA synchronous = OFF")
    if is_new:
        numbers = f"PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = {VERSION};"
        connection.executescript(f"BEGIN; {SCHEMA} {numbers} COMMIT")
    return connection


def codes(*names: str) -> str:
    """Return codes as columns have them: as a list in JSON."""
    return json.dumps(names)


LIE = {"text": "www.bank.example", "shown": "www.bank.example", "differs": "domain",
       "defects": codes("shows-another-domain")}  # fmt: skip
"""What a place has whose text shows another host."""


def fill(path: Path, mails: Iterable[Mail]) -> Path:
    """Make an index of the mails of one source, or add them; return its path."""
    connection = connect(path)
    with connection:
        [[count]] = connection.execute("SELECT count(DISTINCT source) FROM copies")
        for number, (message, places) in enumerate(mails, 1):
            columns = {"subject": None, **message}
            columns.pop("file", None)
            row = insert(connection, "messages", **columns)
            source = "/".join(filter(None, (f"mail{count}.mbox", message.get("file"))))
            insert(connection, "copies", message=row, source=source, number=number)
            for place in places:
                url = url_of(connection, place)
                rest = {name: value for name, value in place.items() if name not in _OF_URLS}
                rest = {**_PLACE, "raw": place["url"], "date": columns.get("date"), **rest}
                insert(connection, "places", url_id=url, message_id=row, **rest)
        connection.execute("""UPDATE urls SET (places, first_seen, last_seen) =
            (SELECT count(*), min(date), max(date) FROM places WHERE url_id = urls.id)""")
    connection.close()
    return path


def url_of(connection: sqlite3.Connection, place: dict[str, Any]) -> int:
    url = place["url"]
    known = connection.execute("SELECT id FROM urls WHERE url = ?", (url,)).fetchone()
    if known:
        return int(known[0])
    target = place.get("unwrapped") or url
    columns = {
        "scheme": url.partition(":")[0].lower(), "host": host_name_of(url) or None, "domain": _domain_of(url),
        "key": normal_form(url), "target_key": normal_form(target), "target_domain": _domain_of(target),
    }  # fmt: skip
    given = {name: place[name] for name in _OF_URLS if name in place}
    return insert(connection, "urls", **{**columns, **given})


def _domain_of(url: str) -> str | None:
    host = host_name_of(url)
    return (registered_domain(host) or host) if host else None


def insert(connection: sqlite3.Connection, table: str, **columns: Any) -> int:
    names = ", ".join(f'"{name}"' for name in columns)
    marks = ", ".join("?" * len(columns))
    values = f"({names}) VALUES ({marks})" if columns else "DEFAULT VALUES"
    query = f"INSERT INTO {table} {values}"
    cursor = connection.execute(query, tuple(columns.values()))
    return int(cursor.lastrowid or 0)


# --- a large archive ---------------------------------------------------------------------------------

_TEXT = (
    "the tables of tides for harbour and strait are of no use when wind stands against them so we sail on "
    "Monday with Ada Moss her map a new lamp two ropes and what the week has left in stores as told before "
    "На неделе 潮汐表 מפת גאות übermorgen"
)
_WORDS = _TEXT.split()
_LISTS = ("sail.lists.example.org", "rope.lists.example.org", "\u6f6e.example.net")
_BURST = "2004-05"
_FOOTER = {"url": "http://lists.example.org/listinfo", "text": "the list"}


def archive(targets: int) -> Iterator[Mail]:
    """Yield mails of three lists and many people, from 1992 to 2026, with links to so many targets.

    A quarter of the links come in one month, by a robot. Some links deceive, were mended, lead through a
    gateway, have words of other scripts or are long; some dates are doubtful, or missing.
    """
    chance = random.Random(1994)
    people = [(f"{word.title()} {number}", f"user{number}@d{number % 90}.example")
              for number, word in enumerate(chance.choices(_WORDS, k=600))]  # fmt: skip
    for number in range(targets):
        year = 1992 + int(35 * chance.random() ** 0.6)
        is_burst = number % 4 == 0
        month = _BURST if is_burst else f"{year}-{chance.randint(1, 8 if year == 2026 else 12):02}"
        hour = min(23, max(0, int(chance.gauss(14, 4))))
        date = f"{month}-{chance.randint(1, 28):02}T{hour:02}:{chance.randint(0, 59):02}:00Z"
        name, address = ("Robot", "robot@news.example") if is_burst else chance.choice(people)
        message = {
            "sender": f"{name} <{address}>", "from_address": address, "from_name": name, "date": date,
            "subject": _sentence(chance, 5), "message_id": f"<{number}.{chance.randrange(10**9)}@{address}>",
        }  # fmt: skip
        if number % 97 == 0:
            message |= {"date": None, "doubtful_date": "1904-01-01T00:00:00Z" if number % 2 else None}
        places = [_target(chance, number)]
        if not is_burst and number % 2:
            message["list_id"] = _LISTS[number % 3]
            places.append(_FOOTER)
        if number % 5 == 0:  # what others have sent
            places.append(_target(chance, int(number * chance.random() ** 4)))
        yield message, places


def _target(chance: random.Random, number: int) -> dict[str, Any]:
    """Return a place of the target of a number: what kind it is depends on the number."""
    of_domain = int(4_000 * (number * 7919 % 100_003 / 100_003) ** 3)
    path = "/".join(chance.choices(_WORDS[:40], k=2)) if number % 50 else "a" * 600
    url = f"https://www{number % 3}.h{of_domain}.example/{number}"
    place = {
        "url": f"{url}/{path}?m={number}" if number % 50 == 0 else f"{url}/tides", "text": None,
        "context": f"{_sentence(chance, 9)} {url}/tides {_sentence(chance, 12)}", "media_type": "text/plain",
    }  # fmt: skip
    link = {"element": "a", "attribute": "href", "media_type": "text/html"}
    if number % 3 == 0:
        place |= {"text": _sentence(chance, 4), **link}
    if number % 40 == 0:
        brand = f"www.bank{number % 60 // 10}.example"
        place |= {"text": brand, "shown": brand, "differs": "domain" if number % 80 else "lookalike",
                  "defects": codes("shows-another-domain"), **link}  # fmt: skip
    elif number % 25 == 0:
        more = ("removed-quote-prefix",) if number % 2 else ("removed-blanks", "removed-quote-prefix")
        place |= {"raw": f"{url}/\n> tides", "repaired": 1, "repairs": codes("joined-lines", *more)}
    elif number % 30 == 0:
        place |= {"unwrapped": place["url"], "url": f"https://gate.example/?u={number}", "wrapped_by": "Gate"}
    elif number % 500 == 1:
        place["url"] = f"http://www.bank.example@h{number}.example/"
    return place


def _sentence(chance: random.Random, length: int) -> str:
    return " ".join(chance.choices(_WORDS, k=length))
