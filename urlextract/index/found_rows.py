"""Make rows of an index from what was found: a function of bytes, for any process.

Rows refer to one another by their places in lists; `index.writing` gives them ids. All values are of types
that `marshal` supports, and all texts are valid Unicode without NUL.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from functools import lru_cache
from operator import attrgetter
from types import SimpleNamespace
from typing import Any, NamedTuple

from msgspec import structs

from urlextract.errors import SourceError
from urlextract.grammar.patterns import lazy_re
from urlextract.index.store import Source, kept_name
from urlextract.message.fields import mailboxes_in
from urlextract.pipeline.surroundings import LONGEST_CONTEXT
from urlextract.records import HEAD_FIELDS, Provenance
from urlextract.results import Found, domain_of
from urlextract.schemes.url import host_name_of, normal_form

MESSAGE_COLUMNS = (
    "name", "file", "number", "offset", "message_id", "in_reply_to", "thread_id", "date", "doubtful_date",
    "date_field", "sender", "from_address", "from_name", "recipients", "subject", "list_id", "newsgroups",
    "page", "title",
)  # fmt: skip
"""The columns of ``messages`` that a row has after its source and the message in which it is."""

PLACE_COLUMNS = (
    "date", "part", "header", "media_type", "form", "line", "col", "start", "stop", "byte", "raw", "repaired",
    "repairs", "defects", "confidence", "element", "attribute", "text", "shown", "differs", "context",
)  # fmt: skip
"""The columns of ``places`` that a row has after its URL, source and message."""

# What tells a message of a source from the others, and a part of it
_OF_MESSAGE = attrgetter(
    "message", "offset", "message_id", "date_field", "from_", "to", "subject", "list_id", "newsgroups"
)
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


class SourceRow(NamedTuple):
    """A source: its path and kind, those of the archive or the part in which it is, and its title."""

    path: str
    kind: str
    parent: tuple[str, str] | None = None
    title: str | None = None


class Rows(NamedTuple):
    """Rows of the tables, and damage.

    ``messages`` have the indexes of their source and of the message in which they are, and
    `MESSAGE_COLUMNS`; ``places`` the indexes of their URL, source and message, and `PLACE_COLUMNS`. In place
    of the index of a message, -ID is one that has been written. ``damage`` has the source, the cause, the
    offset and the number of each error.
    """

    urls: list[tuple[Any, ...]]
    sources: list[SourceRow]
    messages: list[list[Any]]
    places: list[tuple[Any, ...]]
    damage: list[tuple[Any, ...]]


class _Origin(NamedTuple):
    """What places have in common: the indexes of their source and message, and their date."""

    source: int
    message: int | None
    date: str | None


class RowMaker:
    """Makes rows of what is found in some items; ``rows`` are those made so far.

    ``latest`` is the last date, as `Found.date` has it, that is no doubtful one.
    """

    def __init__(self, latest: str) -> None:
        self._latest = latest
        self._urls: dict[str, list[Any]] = {}
        self._sources: dict[SourceRow, int] = {}
        self._messages: dict[tuple[Any, ...], int] = {}
        self._outermost: dict[tuple[Any, ...], int] = {}
        self._message_rows: list[list[Any]] = []
        self._places: list[tuple[Any, ...]] = []
        self._damage: list[tuple[Any, ...]] = []
        self._last: tuple[Any, ...] = ()
        self._origin = _Origin(0, None, None)

    def __len__(self) -> int:
        return len(self._places)

    def rows(self) -> Rows:
        """Return the rows."""
        urls = [tuple(values[1:]) for values in self._urls.values()]
        return Rows(urls, list(self._sources), self._message_rows, self._places, self._damage)

    def restart(self, ids: Sequence[int]) -> None:
        """Begin new rows: those made so far were written, their messages with these ids."""

        def written(index: int) -> int:
            return -ids[index] if index >= 0 else index

        self._messages = {key: written(index) for key, index in self._messages.items()}
        self._outermost = {key: written(index) for key, index in self._outermost.items()}
        self._urls, self._message_rows, self._places, self._damage = {}, [], [], []
        self._last = ()

    def add_damage(self, damage: SourceError) -> None:
        """Add what could not be read."""
        self._damage.append((damage.source, damage.cause, damage.offset, damage.errno))

    def add_message(self, provenance: Provenance, source: Source) -> None:
        """Add a message of ``source``, in which there may be no URL."""
        values = zip((*HEAD_FIELDS, "page"), provenance.head.values, strict=True)
        known = structs.asdict(provenance) | dict(values)
        self._origin_of(SimpleNamespace(**known), source)

    def add(self, found: Found, source: Source) -> None:
        """Add a URL that was found in an item of ``source``."""
        own = (source, found.source, *_OF_MESSAGE(found), found.title)
        if own != self._last:
            self._last, self._origin = own, self._origin_of(found, source)
        source_id, message_id, date = self._origin
        self._places.append((
            self._url(found, date), source_id, message_id, date, *map(_text, _OF_PART(found)),
            found.form.value, found.line, found.column, found.start, found.end, found.byte, _text(found.raw),
            1 if found.repairs else 0,
            _as_list(each.code for each in found.repairs), _as_list(each.code for each in found.defects),
            found.confidence, _text(found.element), _text(found.attribute), _text(found.text),
            _text(found.shown), _text(found.differs),
            _text(found.context and found.context[:LONGEST_CONTEXT]),
        ))  # fmt: skip

    def _url(self, found: Found, date: str | None) -> int:
        """Return the index of the URL of ``found``, and count the place."""
        url = found.url
        known = self._urls.get(url)
        if known is None:
            unwrapped = found.unwrapped if found.wrapped_by else None
            target = unwrapped or url
            known = self._urls[url] = [
                len(self._urls), _text(url), _text(found.key), _text(found.scheme), _text(found.host),
                _domain_of(found.host), _text(unwrapped), _text(found.wrapped_by),
                _text(normal_form(target)), _domain_of(host_name_of(target)), date, date, 0,
            ]  # fmt: skip
        elif date is not None:
            known[-3] = date if known[-3] is None else min(known[-3], date)
            known[-2] = date if known[-2] is None else max(known[-2], date)
        known[-1] += 1
        index: int = known[0]
        return index

    def _origin_of(self, found: Found | SimpleNamespace, source: Source) -> _Origin:
        """Return what the places of a message, or of a source without any, have in common.

        Add the message if it is new. ``found`` is a URL in it, or has the same fields about the message.
        """
        row, name, file = _place_of(found.source, found.message, source)
        if found.message is None and found.title:
            row = row._replace(title=_text(found.title))
        source_id = self._sources.setdefault(row, len(self._sources))
        if found.message is None:
            return _Origin(source_id, None, None)
        outer_key = source_id, file, found.message
        key = (source_id, file, *_OF_MESSAGE(found))
        index = self._messages.get(key)
        date, doubtful_date = self._dates_of(_text(found.date))
        if index is None:
            index = self._messages[key] = len(self._message_rows)
            outer = self._outermost.setdefault(outer_key, index)
            self._message_rows.append([
                source_id, None if outer == index else outer, name, file,
                *_message_values(found, date, doubtful_date),
            ])  # fmt: skip
        elif found.title and index >= 0:  # which stands in the page
            self._message_rows[index][-1] = _text(found.title)
        return _Origin(source_id, index, date)

    def _dates_of(self, date: str | None) -> tuple[str | None, str | None]:
        """Return a date, and None; or None, and a date that no message can have."""
        is_doubtful = date is not None and not _EARLIEST <= date <= self._latest
        return (None, date) if is_doubtful else (date, None)


def _message_values(
    found: Found | SimpleNamespace, date: str | None, doubtful_date: str | None
) -> tuple[Any, ...]:
    """Return the values of `MESSAGE_COLUMNS` after the file."""
    from_name, from_address = next(mailboxes_in(found.from_ or ""), (None, None))
    to = mailboxes_in(found.to or "")
    recipients = [f"{name} <{address}>" if name else address for name, address in to]
    groups = [each.strip() for each in (found.newsgroups or "").split(",")]
    return (
        found.message, found.offset, _text(found.message_id), _text(found.in_reply_to),
        _text(found.thread_id), date, doubtful_date, _text(found.date_field), _text(found.from_),
        _text(from_address and from_address.lower()), _text(from_name or None), _as_list(recipients),
        _text(found.subject), _text(found.list_id), _as_list(filter(None, groups)), _text(found.page),
        _text(found.title),
    )  # fmt: skip


def _place_of(
    name: str | None, message: int | None, source: Source
) -> tuple[SourceRow, str | None, str | None]:
    """Return the source of a text and, of a message in a folder, its name and its file."""
    name = name or ""
    inside = kept_name("" if name == source.name else name.removeprefix(source.name))
    if source.noted and message is not None:
        folder = SourceRow(kept_name(source.noted.folder), "folder")
        file = kept_name(source.noted.file or "") + inside
        return folder, kept_name(source.noted.name), file
    if inside:
        return SourceRow(f"{source.path}{inside}", "member", (source.path, "file")), None, None
    return SourceRow(source.path, source.kind, (source.part, "part") if source.part else None), None, None


@lru_cache(maxsize=4_096)
def _domain_of(host: str | None) -> str | None:
    return _text(domain_of(host))


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
