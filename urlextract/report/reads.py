"""What a report has of an index: all of its SQL is here.

Tables are read one after the other, each from its start to its end, and all figures of the page are counted
from what was read: so they agree with what a search in the page finds.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from urlextract.grammar.codes import CUT_DEFECTS
from urlextract.report.wording import Address, address_of, lie_in_words, moment_of, shortened, url_shown

_LONGEST_PATH = 8_192  # characters: the system has 4,096 bytes, and a member of an archive its own name
_LONGEST_READ = 10_000  # characters of a context and of a broken URL
_LINE_END = " \u23ce "
_CUT_CODES = tuple(f'"{code}"' for code in sorted(CUT_DEFECTS))


class Message(NamedTuple):
    """A message or a page with links, or a text that is neither; what is not known is empty.

    ``date`` is in UTC, as "2026-01-31 09:12". ``sender`` is the From field, or the URL of a page.
    """

    date: str
    sender: str
    subject: str
    file: str


class Place(NamedTuple):
    """A place where a URL was found, in the message with the number ``message`` in `Links`.

    ``written`` is the URL as it was found, if it is not that of the target. ``lie`` says how the text of the
    link deceives. ``broken`` is the URL as it was in the text, if it was broken over lines; of one that is
    ``is_cut`` a part may be missing.
    """

    message: int
    text: str
    context: str
    written: str
    lie: str
    broken: str
    is_cut: bool


class Target(NamedTuple):
    """Where links lead, behind gateways and in whatever spelling, with its places, the latest first.

    Those without a date come last.
    """

    address: Address
    domain: str
    places: list[Place]


class Links(NamedTuple):
    """The targets, by domain and URL, and the messages of their places.

    ``mails`` have links, or messages in them that have. ``left_out`` targets are left out by a limit.
    """

    targets: list[Target]
    messages: list[Message]
    mails: int
    left_out: int


class _Url(NamedTuple):
    target: Target
    leads_to: str  # behind a gateway
    written: str  # "" if it is as that of the target


def links_of(connection: sqlite3.Connection, limit: int | None = None) -> Links:
    """Return the links of an index; with a limit, those to as many targets, which came last."""
    urls, count = _urls_of(connection, limit)
    known = dict(_messages_of(connection))
    numbers: dict[object, int] = {}
    brief = lru_cache(maxsize=65_536)(shortened)  # texts that recur are in memory once
    found = connection.execute(_PLACES)
    for url_id, message_id, source, title, raw, text, context, shown, lies, is_broken, cuts in found:
        url = urls.get(url_id)
        if url is None:  # a limit has left it out
            continue
        key = message_id if message_id in known else (source, title)
        around, as_it_was = (str("" if each is None else each)[:_LONGEST_READ] for each in (context, raw))
        place = Place(
            message=numbers.setdefault(key, len(numbers)),
            text=brief(text),
            context=brief(_with_mark(around, as_it_was)),
            written=url.written,
            lie=lie_in_words(shown, url.leads_to) if lies else "",
            broken=shortened(as_it_was.replace("\n", _LINE_END)) if is_broken else "",
            is_cut=any(code in str(cuts) for code in _CUT_CODES),
        )
        url.target.places.append(place)
    rows = [known[key] if key in known else _text_of(key) for key in numbers]
    # Each target once, in an order that does not depend on memory.
    targets = list({id(url.target): url.target for url in urls.values() if url.target.places}.values())
    for target in targets:
        target.places.sort(key=lambda place: rows[place.message][1].date, reverse=True)  # it is stable
    targets.sort(key=lambda target: (not target.domain, target.domain, target.address.text))
    mails = {mail for mail, _ in rows} - {None}
    return Links(targets, [message for _, message in rows], len(mails), count - len(targets))


def _with_mark(context: str, raw: str) -> str:
    """Return a context with "[URL]" in place of the URL, "" if there is nothing else in it.

    >>> _with_mark("See http://a.example/b and http://a.example/ too", "http://a.example/")
    'See http://a.example/b and [URL] too'
    """
    at = context.find(raw) if raw else -1
    while at >= 0 and context[at + len(raw) : at + len(raw) + 1].isalnum():  # it is the start of another URL
        at = context.find(raw, at + len(raw))
    if at < 0:
        return context
    before, after = context[:at], context[at + len(raw) :]
    return f"{before}[URL]{after}" if any(map(str.isalnum, before + after)) else ""


# --- the tables ------------------------------------------------------------------------------------

_COUNT = "SELECT count(DISTINCT target_key) FROM urls"
_LAST = "SELECT target_key FROM urls GROUP BY target_key ORDER BY max(last_seen) DESC, target_key LIMIT ?"
_URLS = "SELECT id, url, unwrapped, target_key, target_domain FROM urls ORDER BY places DESC, id"
_MESSAGES = """
SELECT messages.id, iif(page IS NULL, coalesce(outer_id, messages.id), NULL), date, coalesce(sender, page),
       coalesce(subject, title), source, abs(number)
FROM messages LEFT JOIN copies ON copies.id =
    (SELECT min(id) FROM copies WHERE message = coalesce(messages.outer_id, messages.id))
WHERE EXISTS (SELECT 1 FROM places WHERE places.message_id = messages.id)
"""
_PLACES = """
SELECT url_id, message_id, source, title, raw, text, context, shown,
       differs IN ('domain', 'lookalike', 'brand') AND defects LIKE '%"shows-another-domain"%',
       repairs LIKE '%"joined-lines"%' OR repairs LIKE '%"decoded-quoted-printable"%', defects
FROM places ORDER BY id
"""


def _urls_of(connection: sqlite3.Connection, limit: int | None) -> tuple[dict[object, _Url], int]:
    """Return the URLs by their numbers, and the number of all targets; the commonest spelling names one."""
    [count] = connection.execute(_COUNT).fetchone()
    chosen = None
    if limit is not None and limit < count:
        chosen = {key for (key,) in connection.execute(_LAST, (limit,))}
    targets: dict[object, Target] = {}
    urls: dict[object, _Url] = {}
    for number, url, unwrapped, key, domain in connection.execute(_URLS):
        if chosen is not None and key not in chosen:
            continue
        leads_to = str(unwrapped or url)
        if key not in targets:
            targets[key] = Target(address_of(leads_to), shortened(domain), [])
        target, written = targets[key], url_shown(str(url))
        urls[number] = _Url(target, leads_to, written if written != target.address.text else "")
    return urls, count


def _messages_of(connection: sqlite3.Connection) -> Iterator[tuple[object, tuple[object, Message]]]:
    """Yield the messages with links by their numbers, each with that of its mail, None for a web page."""
    brief = lru_cache(maxsize=65_536)(shortened)
    for key, mail, date, sender, subject, source, number in connection.execute(_MESSAGES):
        where = "" if source is None else f"{_path_shown(source)}, message {brief(number)}"
        yield key, (mail, Message(moment_of(date), brief(sender), brief(subject), where))


def _text_of(key: object) -> tuple[None, Message]:
    """Return what is known of a text that is no message: where it is, and the title of a page."""
    source, title = key if isinstance(key, tuple) else (None, None)
    return None, Message("", "", shortened(title), _path_shown(source))


def _path_shown(source: object) -> str:
    """Return a name of a file with escapes, which is not cut: it is to be found by it."""
    return shortened(str(source or "").replace("\n", "\\n").replace("\t", "\\t"), _LONGEST_PATH)
