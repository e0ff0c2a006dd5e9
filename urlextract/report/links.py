"""What an index has, in memory: targets with their places, and the messages in which these are.

Each figure of the page is counted from the places that are read here, and the script of the page gets the
same ones: so what a table says and what a search finds agree.
"""

from __future__ import annotations

import json
import sqlite3
from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import Any, NamedTuple

from urlextract.grammar.codes import RepairCode
from urlextract.grammar.patterns import lazy_re
from urlextract.pipeline.options import is_followed
from urlextract.report.wording import (
    Address,
    address_of,
    domain_shown,
    lie_in_words,
    moment_of,
    name_of,
    shortened,
)

_BROKEN = frozenset((RepairCode.JOINED_LINES, RepairCode.DECODED_QUOTED_PRINTABLE))
_LONGEST_READ = 10_000  # characters of a context and of a broken URL
_LONGEST_LIST = 1_000  # characters of JSON
_SIGNATURE = lazy_re(r"(?m)^(?>(?:> ?)*)-- ?\r?$")
# The two names differ in other ways than that they are others.
_DIFFERENCES: dict[object, str] = {"lookalike": "looks alike: ", "brand": "has its name: "}


@dataclass(frozen=True, slots=True, eq=False)
class Message:
    """A message or a page with links, or a text that is neither; what is not known is empty.

    ``mail`` is the number of the outermost message in the index, and ``list_id`` as it is there. ``sender``
    is the From field, and ``person`` tells senders apart. ``date`` is in UTC, as "2026-01-31 09:12";
    ``doubtful`` is one that cannot be right. ``file`` is where it is, within ``source``.
    """

    mail: object = None
    date: str = ""
    doubtful: str = ""
    sender: str = ""
    person: str = ""
    subject: str = ""
    list_id: object = None
    source: str = ""
    file: str = ""
    number: str = ""
    message_id: str = ""
    page: str = ""


class Place(NamedTuple):
    """A place where a URL was found.

    ``where`` is the header field or the media type, ``written`` the URL as it was found, if it is not that
    of the target, and ``service`` the gateway that had rewritten it. ``lie`` says how its text deceives, and
    ``deceit`` of which kind that is. If it was broken, ``raw`` is as it was, and ``mend`` the kind of its
    repairs. ``is_own`` is false for header fields, pictures and what is below a signature's line.
    """

    message: Message
    text: str
    context: str
    where: str
    written: str
    service: str
    warning: str
    lie: str
    deceit: str
    mend: str
    raw: str
    is_own: bool


@dataclass(slots=True, eq=False)
class Target:
    """Where links lead, behind gateways and in whatever spelling, with its places, the latest first.

    The undated come last.
    """

    address: Address
    domain: str
    places: list[Place] = field(default_factory=list)

    @property
    def senders(self) -> int:
        """The number of people who have sent it."""
        return len({place.message.person for place in self.places} - {""})

    @property
    def first(self) -> str:
        """The date of the first message with it that has one."""
        return min((place.message.date for place in self.places if place.message.date), default="")

    @property
    def last(self) -> str:
        """The date of the last message with it."""
        return self.places[0].message.date


@dataclass(frozen=True, slots=True)
class Links:
    """The targets, by domain and URL, and the number of those that a limit has left out."""

    targets: list[Target]
    left_out: int


class _Url(NamedTuple):
    target: Target
    leads_to: str  # behind a gateway
    service: str
    scheme: str
    written: str  # "" if it is as the target's
    warning: str


def links_of(connection: sqlite3.Connection, limit: int | None) -> Links:
    """Return the links of an index; with a limit, those to as many targets, which came last."""
    urls, count = _urls_of(connection, limit)
    messages = _messages_of(connection)
    brief = lru_cache(maxsize=65_536)(shortened)  # texts that recur are in memory once
    text_of = cache(_text_of)
    for (
        url_id, message_id, source, title, header, media_type, raw, repaired, repairs, element, attribute,
        text, shown, differs, context, lies,
    ) in connection.execute(_PLACES):  # fmt: skip
        url = urls.get(url_id)
        if url is None:  # a limit has left it out
            continue
        where = name_of(f"header field {header}" if header else media_type or "text")
        codes = _codes(repairs) if repaired else ()
        is_broken = not _BROKEN.isdisjoint(codes)
        around = str("" if context is None else context)[:_LONGEST_READ]
        as_it_was = str(raw)[:_LONGEST_READ]
        place = Place(
            message=messages.get(message_id) or text_of(source, title),
            text=brief(text),
            context=brief(around.replace(as_it_was, "[URL]", 1) if as_it_was else around),
            where=where,
            written=url.written,
            service=url.service,
            warning=url.warning,
            lie=lie_in_words(shown, url.leads_to) if lies else "",
            deceit=_deceit(shown, differs, url.target.domain) if lies else "",
            mend=name_of(f"{', '.join(codes).replace('-', ' ')} in {where}") if is_broken else "",
            raw=as_it_was if is_broken else "",
            is_own=header is None
            and is_followed(url.scheme, element, attribute)
            and not is_below_signature(around, as_it_was),
        )
        url.target.places.append(place)
    # A dict has each target once, in an order that does not depend on memory.
    targets = list(dict.fromkeys(url.target for url in urls.values() if url.target.places))
    for target in targets:
        target.places.sort(key=lambda place: place.message.date, reverse=True)  # it is stable
    targets.sort(key=lambda target: (not target.domain, target.domain, target.address.text))
    return Links(targets, count - len(targets))


# --- the tables ------------------------------------------------------------------------------------

_LAST = "SELECT target_key FROM urls GROUP BY target_key ORDER BY max(last_seen) DESC, target_key LIMIT ?"
_URLS = """
SELECT id, url, unwrapped, wrapped_by, target_key, target_domain, scheme FROM urls ORDER BY places DESC, id
"""
_PLACES = """
SELECT url_id, message_id, source, title, header, media_type, raw, repaired, repairs, element, attribute,
       text, shown, differs, context,
       differs IN ('domain', 'lookalike', 'brand') AND defects LIKE '%"shows-another-domain"%'
FROM places ORDER BY id
"""
_MESSAGES = """
SELECT messages.id, coalesce(outer_id, messages.id), date, doubtful_date, sender, from_address, subject,
       title, page, list_id, source, abs(number), message_id
FROM messages LEFT JOIN copies ON copies.id =
    (SELECT min(id) FROM copies WHERE message = coalesce(messages.outer_id, messages.id))
WHERE EXISTS (SELECT 1 FROM places WHERE places.message_id = messages.id)
"""


def _urls_of(connection: sqlite3.Connection, limit: int | None) -> tuple[dict[object, _Url], int]:
    """Return the URLs by their numbers, and the number of all targets; the commonest spelling names one."""
    [count] = connection.execute("SELECT count(DISTINCT target_key) FROM urls").fetchone()
    chosen = None
    if limit is not None and limit < count:
        chosen = {key for (key,) in connection.execute(_LAST, (limit,))}
    targets: dict[object, Target] = {}
    urls: dict[object, _Url] = {}
    for number, url, unwrapped, service, key, domain, scheme in connection.execute(_URLS):
        if chosen is not None and key not in chosen:
            continue
        leads_to = str(unwrapped or url)
        if key not in targets:
            targets[key] = Target(address_of(leads_to), name_of(domain))
        target = targets[key]
        address = address_of(str(url))
        written = address.text if address.text != target.address.text else ""
        urls[number] = _Url(target, leads_to, shortened(service), str(scheme), written, address.warning)
    return urls, count


def _text_of(source: object, title: object) -> Message:
    """Return what is known of a text that is no message."""
    if source is None:
        return Message()
    return Message(source=name_of(source), file=shortened(source), subject=shortened(title))


def _messages_of(connection: sqlite3.Connection) -> dict[object, Message]:
    """Return the messages that have links by their numbers."""
    found: dict[object, Message] = {}
    brief = lru_cache(maxsize=65_536)(shortened)
    for (
        key, mail, date, doubtful, sender, address, subject, title, page, list_id, path, number, message_id,
    ) in connection.execute(_MESSAGES):  # fmt: skip
        moment = moment_of(date)
        found[key] = Message(
            mail=mail,
            date=moment,
            doubtful="" if moment else brief(doubtful or date),
            sender=brief(sender),
            person=brief(address or sender),
            subject=brief(subject or title),
            list_id=list_id,
            source=name_of(path),
            file=brief(path),
            number=brief(number),
            message_id=brief(message_id),
            page=address_of(str(page)).text if page else "",
        )
    return found


# --- what the columns say --------------------------------------------------------------------------


@lru_cache(maxsize=1_024)
def _codes(repairs: object) -> tuple[str, ...]:
    """Return the codes of a column with a list, none if it has something else."""
    return tuple(shortened(code) for code in listed(repairs) if isinstance(code, str))


def listed(text: object) -> list[Any]:
    """Return the list that a column has as JSON, an empty one if it has something else.

    >>> listed('["joined-lines"]'), listed("["), listed(None)
    (['joined-lines'], [], [])
    """
    try:
        value = json.loads(str(text)[:_LONGEST_LIST])
    except (ValueError, RecursionError):
        return []
    return value if isinstance(value, list) else []


def _deceit(shown: object, differs: object, domain: str) -> str:
    """Return of which kind a deceptive link is: what it shows, and where it leads."""
    return name_of(f"{_DIFFERENCES.get(differs, '')}{domain_shown(shown)} \u2192 {domain or 'no domain'}")


def is_below_signature(context: str, raw: str) -> bool:
    r"""Return whether the line that begins a signature is above a URL in the text around it.

    >>> is_below_signature("Yours\n-- \nhttp://a.example/", "http://a.example/")
    True
    >>> is_below_signature("> http://a.example/\n> -- \n> Ada", "http://a.example/")
    False
    """
    return "--" in context and _SIGNATURE.search(context, 0, max(0, context.find(raw))) is not None
