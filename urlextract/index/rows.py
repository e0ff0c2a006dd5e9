"""Make rows of an index from what was found: a function of bytes, for any process.

Rows refer to one another by their positions in lists; `index.writing` gives them ids. All texts are valid
Unicode without NUL.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import lru_cache
from operator import attrgetter
from typing import Any, NamedTuple, TypeAlias

from urlextract.grammar.patterns import lazy_re
from urlextract.message.fields import mailboxes_in
from urlextract.pipeline.surroundings import LONGEST_CONTEXT
from urlextract.records import HEAD_FIELDS, Defect, Provenance, Repair
from urlextract.results import Found, domain_of
from urlextract.schemes.url import host_name_of, normal_form

MESSAGE_COLUMNS = (
    "message_id", "in_reply_to", "thread_id", "date", "doubtful_date", "date_field", "sender", "from_address",
    "from_name", "recipients", "subject", "list_id", "newsgroups", "page", "title",
)  # fmt: skip
"""The columns of ``messages`` that a row has after the message in which it is, and its hash."""

COPY_COLUMNS = ("source", "file", "number", "offset")
"""The columns of ``copies`` that a row has after its message."""

PLACE_COLUMNS = (
    "source", "file", "title", "date", "part", "header", "media_type", "form", "line", "col", "start", "stop",
    "byte", "raw", "repaired", "repairs", "defects", "confidence", "element", "attribute", "text", "shown",
    "differs", "context",
)  # fmt: skip
"""The columns of ``places`` that a row has after its URL and message."""

_Head: TypeAlias = tuple[str | None, ...]
_HEAD = attrgetter(*HEAD_FIELDS, "page")  # as `Head.values`
_DATE = HEAD_FIELDS.index("date")
_OF_PART = attrgetter("part", "header", "media_type")
_NO_TEXT = lazy_re("[\0\ud800-\udfff]")
_EARLIEST = "1970-01-01T00:00:00Z"  # what is dated before it is no mail


class UrlRow(NamedTuple):
    """A URL, and what the places of some rows add to it: their number, and their first and last dates."""

    url: str
    key: str
    scheme: str
    host: str | None
    domain: str | None
    unwrapped: str | None
    wrapped_by: str | None
    target_key: str
    target_domain: str | None
    first_seen: str | None
    last_seen: str | None
    places: int


class Where(NamedTuple):
    """Where an item lies: its source, and what was read if that is not the source: an archive, or a part."""

    source: str
    file: str | None = None


def kept_name(name: str) -> str:
    r"""Return a path, or a name in an archive, as text that every reader of SQLite accepts.

    A backslash is two, so that different names stay different.

    >>> print(kept_name("a\\b/caf\udce9"))
    a\\b/caf\udce9
    """
    return name.replace("\\", "\\\\").replace("\0", "\\0").encode("utf-8", "backslashreplace").decode()


class Rows(NamedTuple):
    """Rows of the tables, made of some items.

    ``messages`` have the index of the message in which they are, and `MESSAGE_COLUMNS`; ``copies`` the index
    of their message, and `COPY_COLUMNS`; ``places`` the indexes of their URL and message, and
    `PLACE_COLUMNS`. Messages are counted from the first row that was made, in whatever `Rows` it is.
    """

    urls: list[tuple[Any, ...]]
    messages: list[list[Any]]
    copies: list[tuple[Any, ...]]
    places: list[tuple[Any, ...]]


class _Origin(NamedTuple):
    """What places have in common."""

    message: int | None = None
    source: str | None = None
    file: str | None = None
    title: str | None = None
    date: str | None = None
    begin: int = 0  # of the message in its source


class RowMaker:
    """Makes rows of what is found in items, one after the other.

    ``latest`` is the last date, as `Found.date` has it, that is no doubtful one.
    """

    def __init__(self, latest: str) -> None:
        self._latest = latest
        self._count = 0  # messages
        self._of_items: dict[tuple[Where, int | None], dict[_Head, int]] = {}
        self._last: tuple[Any, ...] = ()
        self._origin = _Origin()
        self._new()

    def _new(self) -> None:
        self._first = self._count
        self._urls: dict[str, list[Any]] = {}
        self._messages: list[list[Any]] = []
        self._copies: list[tuple[Any, ...]] = []
        self._places: list[tuple[Any, ...]] = []

    def __len__(self) -> int:
        """Return the number of places that were not taken."""
        return len(self._places)

    def taken(self) -> Rows:
        """Return the rows that were made since they were last taken."""
        urls = [tuple(values[1:]) for values in self._urls.values()]
        rows = Rows(urls, self._messages, self._copies, self._places)
        self._new()
        return rows

    def begin(self, where: Where, found: bytes | None, number: int | None) -> None:
        """Begin an item, or go on with one; ``found`` is the hash of a message, None if that is not known."""
        self._where, self._hash = where, found
        self._of_item = self._of_items.setdefault((where, number), {})
        self._last = ()

    def add_message(self, provenance: Provenance) -> None:
        """Add the message that the item is, in which there may be no URL."""
        own = provenance.head.values, provenance.message, provenance.offset, provenance.title
        self._last, self._origin = own, self._origin_of(*own)

    def add(self, found: Found) -> None:
        """Add a URL that was found in the item."""
        own = _HEAD(found), found.message, found.offset, found.title
        if own != self._last:
            self._last, self._origin = own, self._origin_of(*own)
        message, source, file, title, date, begin = self._origin
        self._places.append((
            self._url(found, date), message, source, file, title, date, *map(_text, _OF_PART(found)),
            found.form.value, found.line, found.column, found.start, found.end,
            None if found.byte is None else found.byte - begin, _text(found.raw),
            1 if found.repairs else 0,
            _codes_of(found.repairs), _codes_of(found.defects),
            found.confidence, _text(found.element), _text(found.attribute), _text(found.text),
            _text(found.shown), _text(found.differs),
            _text(found.context and found.context[:LONGEST_CONTEXT]),
        ))  # fmt: skip

    def _url(self, found: Found, date: str | None) -> int:
        """Return the index of the URL of ``found``, and count the place."""
        url = found.url
        known = self._urls.get(url)
        if known is None:
            key, domain = found.key, _domain_of(found.host)
            unwrapped, by = found.unwrapped, found.wrapped_by
            if unwrapped == url:  # targets were asked for in place of links: this is one of a place
                unwrapped, by = None, None
            target = key, domain
            if unwrapped:
                target = normal_form(unwrapped), _domain_of(host_name_of(unwrapped))
            known = self._urls[url] = [
                len(self._urls), _text(url), _text(key), _text(found.scheme), _text(found.host), domain,
                _text(unwrapped), _text(by), _text(target[0]), target[1], date, date, 0,
            ]  # fmt: skip
        elif date is not None:
            known[-3] = date if known[-3] is None else min(known[-3], date)
            known[-2] = date if known[-2] is None else max(known[-2], date)
        known[-1] += 1
        index: int = known[0]
        return index

    def _origin_of(self, head: _Head, number: int | None, offset: int | None, title: str | None) -> _Origin:
        """Return what the places of a message, or of a text that is none, have in common.

        Add the message if it is new: ``head`` has the values of `Head.values`.
        """
        title = _text(title)
        if number is None:
            return _Origin(None, *self._where, title)
        date, doubtful_date = self._dates_of(_text(head[_DATE]))
        index = self._of_item.get(head)
        if index is None:
            index, self._count = self._count, self._count + 1
            outer = next(iter(self._of_item.values()), None)
            self._of_item[head] = index
            is_outer = outer is None
            values = _message_values(head, date, doubtful_date)
            self._messages.append([outer, self._hash if is_outer else None, *values, title])
            if is_outer:
                self._copies.append((index, *self._where, number, offset))
        elif title and index >= self._first:  # which stands in the page
            self._messages[index - self._first][-1] = title
        return _Origin(index, date=date, begin=offset or 0)

    def _dates_of(self, date: str | None) -> tuple[str | None, str | None]:
        """Return a date, and None; or None, and a date that no message can have."""
        is_doubtful = date is not None and not _EARLIEST <= date <= self._latest
        return (None, date) if is_doubtful else (date, None)


def _message_values(head: _Head, date: str | None, doubtful_date: str | None) -> tuple[Any, ...]:
    """Return the values of `MESSAGE_COLUMNS` but the title."""
    message_id, reply, thread, _, field, sender, to, newsgroups, subject, list_id, page = map(_text, head)
    address, name = _sender_of(sender or "")
    return (
        message_id, reply, thread, date, doubtful_date, field, sender, address, name,
        _recipients_of(to or ""), subject, list_id,
        _as_list(filter(None, map(str.strip, (newsgroups or "").split(",")))), page,
    )  # fmt: skip


@lru_cache(maxsize=4_096)
def _sender_of(field: str) -> tuple[str | None, str | None]:
    """Return the address of an author, in lower case, and the name."""
    name, address = next(mailboxes_in(field), ("", None))
    return address and address.lower(), name or None


@lru_cache(maxsize=4_096)
def _recipients_of(field: str) -> str | None:
    return _as_list(f"{name} <{address}>" if name else address for name, address in mailboxes_in(field))


@lru_cache(maxsize=4_096)
def _domain_of(host: str | None) -> str | None:
    return _text(domain_of(host))


def _codes_of(changes: tuple[Repair, ...] | tuple[Defect, ...]) -> str | None:
    return _as_list(each.code for each in changes) if changes else None


def _as_list(values: Iterable[str]) -> str | None:
    """Return texts as JSON, None if there are none.

    >>> _as_list(["a", "b"]), _as_list([])
    ('["a", "b"]', None)
    """
    found = list(values)
    return _text(json.dumps(found, ensure_ascii=False)) if found else None


def _text(text: str | None) -> str | None:
    r"""Return valid Unicode without NUL.

    >>> _text("a\0b\udce9")
    'a\ufffdb\ufffd'
    """
    if text is None or (text.isascii() and "\0" not in text):
        return text
    return _NO_TEXT.sub("\N{REPLACEMENT CHARACTER}", text)
