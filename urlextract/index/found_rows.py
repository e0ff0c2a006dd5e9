"""Make rows of an index from what was found: a function of bytes, for any process.

Rows refer to one another by their places in lists; `index.writing` gives them ids. All values are of types
that `marshal` supports, and all texts are valid Unicode without NUL.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from urlextract.errors import SourceError
from urlextract.grammar.domains import registered_domain
from urlextract.grammar.patterns import lazy_re
from urlextract.index.store import Source, kept_name
from urlextract.message.fields import mailboxes_in
from urlextract.pipeline.surroundings import LONGEST_CONTEXT
from urlextract.records import Origin
from urlextract.results import Found
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

_NO_LINK = (None,) * 5
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


class _OfOrigin(NamedTuple):
    """What all places of an origin have in common: the indexes of its source and message, date and part."""

    source: int
    message: int | None
    date: str | None
    part: str | None
    header: str | None
    media_type: str | None


class RowMaker:
    """Makes rows of what is found in some items; ``rows`` are those made so far.

    ``latest`` is the last date, as `Origin.date` has it, that is no doubtful one.
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
        self._origin: Origin | None = None
        self._of_origin = _OfOrigin(0, None, None, None, None, None)

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
        self._origin = None

    def add_damage(self, damage: SourceError) -> None:
        """Add what could not be read."""
        self._damage.append((damage.source, damage.cause, damage.offset, damage.errno))

    def add_message(self, origin: Origin, source: Source) -> None:
        """Add a message of ``source``, in which there may be no URL."""
        self._values_of(origin, source)

    def add(self, found: Found, source: Source) -> None:
        """Add a URL that was found in an item of ``source``."""
        origin, link, context = found.origin, found.link, found.context
        if origin is not self._origin:
            self._of_origin = self._values_of(origin, source)
            self._origin = origin
        source_id, message_id, *of_part = self._of_origin
        self._places.append((
            self._url(found, self._of_origin.date), source_id, message_id, *of_part,
            found.form.value, found.line, found.column, *found.span, found.byte, _text(found.raw),
            1 if found.repairs else 0,
            _as_list(each.code for each in found.repairs), _as_list(each.code for each in found.defects),
            found.confidence,
            *((_text(link.element), _text(link.attribute), _text(link.text), _text(link.shown),
               _text(link.differs)) if link else _NO_LINK),
            None if context is None else _text(context[:LONGEST_CONTEXT]),
        ))  # fmt: skip

    def _url(self, found: Found, date: str | None) -> int:
        """Return the index of the URL of ``found``, and count the place."""
        url = found.url
        known = self._urls.get(url)
        if known is None:
            host = host_name_of(url)
            unwrapped = found.unwrapped if found.wrapped_by else None
            target = unwrapped or url
            known = self._urls[url] = [
                len(self._urls), _text(url), _text(normal_form(url)), _text(found.scheme), _text(host),
                _domain_of(host), _text(unwrapped), _text(found.wrapped_by),
                _text(normal_form(target)), _domain_of(host_name_of(target)), date, date, 0,
            ]  # fmt: skip
        elif date is not None:
            known[-3] = date if known[-3] is None else min(known[-3], date)
            known[-2] = date if known[-2] is None else max(known[-2], date)
        known[-1] += 1
        index: int = known[0]
        return index

    def _values_of(self, origin: Origin, source: Source) -> _OfOrigin:
        """Return what all places of an origin have in common; add the message, if it is new."""
        row, name, file = _place_of(origin, source)
        if origin.message is None and origin.title:
            row = row._replace(title=_text(origin.title))
        source_id = self._sources.setdefault(row, len(self._sources))
        of_part = _text(origin.part), _text(origin.header), _text(origin.media_type)
        if origin.message is None:
            return _OfOrigin(source_id, None, None, *of_part)
        outer_key = source_id, file, origin.message
        key = (*outer_key, origin.offset, origin.message_id, origin.date_field, origin.from_, origin.to,
               origin.subject, origin.list_id, origin.newsgroups)  # fmt: skip
        index = self._messages.get(key)
        date, doubtful_date = self._dates_of(origin.date)
        if index is None:
            index = self._messages[key] = len(self._message_rows)
            outer = self._outermost.setdefault(outer_key, index)
            self._message_rows.append([
                source_id, None if outer == index else outer, name, file,
                *_message_values(origin, date, doubtful_date),
            ])  # fmt: skip
        elif origin.title and index >= 0:  # which stands in the page
            self._message_rows[index][-1] = _text(origin.title)
        return _OfOrigin(source_id, index, date, *of_part)

    def _dates_of(self, date: str | None) -> tuple[str | None, str | None]:
        """Return a date, and None; or None, and a date that no message can have."""
        is_doubtful = date is not None and not _EARLIEST <= date <= self._latest
        return (None, date) if is_doubtful else (date, None)


def _message_values(origin: Origin, date: str | None, doubtful_date: str | None) -> tuple[Any, ...]:
    """Return the values of `MESSAGE_COLUMNS` after the file."""
    from_name, from_address = next(mailboxes_in(origin.from_ or ""), (None, None))
    to = mailboxes_in(origin.to or "")
    recipients = [f"{name} <{address}>" if name else address for name, address in to]
    groups = [each.strip() for each in (origin.newsgroups or "").split(",")]
    return (
        origin.message, origin.offset, _text(origin.message_id), _text(origin.in_reply_to),
        _text(origin.thread_id), date, doubtful_date, _text(origin.date_field), _text(origin.from_),
        _text(from_address and from_address.lower()), _text(from_name or None), _as_list(recipients),
        _text(origin.subject), _text(origin.list_id), _as_list(filter(None, groups)), _text(origin.page),
        _text(origin.title),
    )  # fmt: skip


def _place_of(origin: Origin, source: Source) -> tuple[SourceRow, str | None, str | None]:
    """Return the source in which an origin is and, of a message in a folder, its name and its file."""
    name = origin.source or ""
    inside = kept_name("" if name == source.name else name.removeprefix(source.name))
    if source.noted and origin.message is not None:
        folder = SourceRow(kept_name(source.noted.folder), "folder")
        file = kept_name(source.noted.file or "") + inside
        return folder, kept_name(source.noted.name), file
    if inside:
        return SourceRow(f"{source.path}{inside}", "member", (source.path, "file")), None, None
    return SourceRow(source.path, source.kind, (source.part, "part") if source.part else None), None, None


@lru_cache(maxsize=4_096)
def _domain_of(host: str | None) -> str | None:
    """Return the registered domain of a host, or the host itself if it has none."""
    return _text(registered_domain(host.removesuffix(".")) or host) if host else None


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
