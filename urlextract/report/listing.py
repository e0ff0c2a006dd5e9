"""The rows of the table of links, and the same rows packed for the script of the page.

Packed, each text is there once, in a list that is sorted as the table sorts it; a row has indexes into
these lists. So the script sorts by numbers, and searches each text once.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple, TypeVar

from urlextract.report.figures import is_mended
from urlextract.report.wording import Address, address_of, lie_in_words, minute_of, shortened

_Value = TypeVar("_Value", bound="Hashable")
_Ranked = tuple[list[_Value], dict[_Value, int]]


class Row(NamedTuple):
    """A place of a URL, as it is shown; texts that are not known are empty.

    ``date`` is in UTC, as "2026-01-31 09:12". ``lie`` says how the text of the link deceives.
    """

    date: str
    sender: str
    subject: str
    text: str
    context: str
    domain: str
    address: Address
    lie: str
    is_mended: bool


_MOST = (1 << 63) - 1  # the greatest integer of SQLite

# CROSS JOIN keeps SQLite from another order of its loops: the rows that are shown are chosen first.
_ROWS = """
SELECT places.id, messages.date, messages."from", messages.subject, places.text, places.context,
       coalesce(urls.domain, urls.host), urls.url, urls.unwrapped, urls.wrapped_by, places.shown,
       places.raw, places.repairs
FROM (
    SELECT places.id FROM places LEFT JOIN messages ON messages.id = places.message_id
    ORDER BY messages.date DESC, places.id LIMIT ?
) AS chosen CROSS JOIN places ON places.id = chosen.id JOIN urls ON urls.id = places.url_id
LEFT JOIN messages ON messages.id = places.message_id
"""


def rows_of(connection: sqlite3.Connection, limit: int | None) -> list[Row]:
    """Return the rows of the ``limit`` latest places, or of all, the latest first; the undated are last."""
    lying = {number for (number,) in connection.execute("SELECT id FROM deceptive_links")}
    address = lru_cache(maxsize=65_536)(address_of)
    brief = lru_cache(maxsize=65_536)(shortened)  # of the fields that recur, texts are shared in memory, too
    rows = [
        Row(
            date=minute_of(date),
            sender=brief(sender),
            subject=brief(subject),
            text=brief(text),
            context=_around(context, raw),
            domain=brief(domain),
            address=address(str(url), unwrapped, service),
            lie=lie_in_words(shown, str(unwrapped or url)) if number in lying else "",
            is_mended=is_mended(repairs),
        )
        for number, date, sender, subject, text, context, domain, url, unwrapped, service, shown, raw, repairs
        in connection.execute(_ROWS, (_MOST if limit is None else min(limit, _MOST),))
    ]  # fmt: skip
    rows.sort(key=lambda row: row.date, reverse=True)  # it is stable: SQL promises no order of a join
    return rows


def packed(rows: Sequence[Row]) -> dict[str, Any]:
    """Return the rows as lists of numbers and sorted texts, for JSON.

    Sorted are messages by their date, URLs by their domain, and texts without regard to case, but for
    those around links: no column is sorted by them.
    """
    senders, sender_at = _ranked({row.sender for row in rows}, _folded)
    subjects, subject_at = _ranked({row.subject for row in rows}, _folded)
    texts, text_at = _ranked({row.text for row in rows}, _folded)
    contexts = list(dict.fromkeys(row.context for row in rows))  # in the order in which they are searched
    context_at = {context: at for at, context in enumerate(contexts)}
    domains, domain_at = _ranked({row.domain for row in rows}, _folded)
    notes, note_at = _ranked({"", *(note for row in rows for note in _notes(row))}, str)
    urls, url_at = _ranked({(row.domain, row.address) for row in rows}, None)
    mails, mail_at = _ranked({_message_of(row) for row in rows}, None)
    return {
        "senders": senders,
        "subjects": subjects,
        "texts": texts,
        "contexts": contexts,
        "domains": domains,
        "notes": notes,
        "urls": {
            "text": [address.text for _, address in urls],
            "domain": [domain_at[domain] for domain, _ in urls],
            "start": [address.host[0] for _, address in urls],
            "end": [address.host[1] for _, address in urls],
            "isLink": [int(address.is_link) for _, address in urls],
            "target": [note_at[address.target] for _, address in urls],
            "warning": [note_at[address.warning] for _, address in urls],
        },
        "messages": {
            "date": [date for date, _, _ in mails],
            "sender": [sender_at[sender] for _, sender, _ in mails],
            "subject": [subject_at[subject] for _, _, subject in mails],
        },
        "links": {
            "message": [mail_at[_message_of(row)] for row in rows],
            "url": [url_at[row.domain, row.address] for row in rows],
            "text": [text_at[row.text] for row in rows],
            "context": [context_at[row.context] for row in rows],
            "lie": [note_at[row.lie] for row in rows],
            "isMended": [int(row.is_mended) for row in rows],
        },
    }


def _around(context: object, raw: object) -> str:
    """Return the text around a place, in which the URL needs not be read once more."""
    text = "" if context is None else str(context)
    return shortened(text.replace(str(raw), "[URL]", 1) if raw else text)


def _message_of(row: Row) -> tuple[str, str, str]:
    return row.date, row.sender, row.subject


def _notes(row: Row) -> tuple[str, ...]:
    return row.lie, row.address.target, row.address.warning


def _folded(text: str) -> tuple[str, str]:
    return text.casefold(), text


def _ranked(values: Iterable[_Value], key: Callable[[_Value], Any] | None) -> _Ranked[_Value]:
    """Return the values in order, and the place of each."""
    ranked = sorted(values, key=key)  # type: ignore[type-var,arg-type]
    return ranked, {value: at for at, value in enumerate(ranked)}
