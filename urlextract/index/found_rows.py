"""Make rows of an index from what was found: a function of bytes, for any process.

Rows refer to one another by their places in lists; `index.writing` gives them ids. All values are of types
that `marshal` supports, and all texts are valid Unicode without NUL.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from urlextract.errors import SourceError
from urlextract.grammar.domains import registered_domain
from urlextract.grammar.patterns import lazy_re
from urlextract.index.store import Source, kept_name
from urlextract.records import Origin
from urlextract.results import Found
from urlextract.schemes.comparing import host_name_of, normal_form

MESSAGE_COLUMNS = (
    "number", "offset", "message_id", "date", "date_field", '"from"', '"to"', "subject", "list_id",
    "newsgroups",
)  # fmt: skip
"""The columns of ``messages`` that a row has after its source."""

PLACE_COLUMNS = (
    "part", "header", "media_type", "form", "line", '"column"', "start", '"end"', "byte", "raw", "repaired",
    "repairs", "defects", "confidence", "element", "attribute", "text", "shown", "differs", "context",
)  # fmt: skip
"""The columns of ``places`` that a row has after its URL, source and message."""

_OfOrigin = tuple[int, int | None, tuple[str | None, ...], str | None, str | None]
"""The indexes of a source and a message, the part, header and media type, the date and the subject."""

_NO_LINK = (None,) * 5
_LONGEST_CONTEXT = 300  # characters
_NO_TEXT = lazy_re("[\0\ud800-\udfff]")


class UrlRow(NamedTuple):
    """A URL, and what the places of some rows add to it: their number, and their first and last dates."""

    url: str
    normalized: str
    scheme: str
    host: str | None
    domain: str | None
    unwrapped: str | None
    wrapped_by: str | None
    first_seen: str | None
    last_seen: str | None
    places: int


class Rows(NamedTuple):
    """Rows of the tables, and damage.

    ``sources`` have their path, kind and parent (a path); ``messages`` the index of their source and
    `MESSAGE_COLUMNS`; ``places`` the indexes of their URL, source and message, `PLACE_COLUMNS`, and the
    subject of the message. In place of the index of a message, -ID is one that has been written.
    ``damage`` has the source, the cause, the offset and the number of each error.
    """

    urls: list[tuple[Any, ...]]
    sources: list[tuple[str, str, str | None]]
    messages: list[tuple[Any, ...]]
    places: list[tuple[Any, ...]]
    damage: list[tuple[Any, ...]]


class RowMaker:
    """Makes rows of what is found in some items; ``rows`` are those made so far."""

    def __init__(self) -> None:
        self._urls: dict[str, list[Any]] = {}
        self._sources: dict[tuple[str, str, str | None], int] = {}
        self._messages: dict[tuple[Any, ...], tuple[Any, ...]] = {}
        self._message_rows: list[tuple[Any, ...]] = []
        self._places: list[tuple[Any, ...]] = []
        self._damage: list[tuple[Any, ...]] = []
        self._origin: Origin | None = None
        self._of_origin: _OfOrigin = 0, None, (None, None, None), None, None

    def __len__(self) -> int:
        return len(self._places)

    def rows(self) -> Rows:
        """Return the rows."""
        urls = [tuple(values[1:]) for values in self._urls.values()]
        return Rows(urls, list(self._sources), self._message_rows, self._places, self._damage)

    def restart(self, ids: Sequence[int]) -> None:
        """Begin new rows: those made so far were written, their messages with these ids."""
        self._messages = {
            key: (-ids[index] if index >= 0 else index, *others)
            for key, (index, *others) in self._messages.items()
        }
        self._urls, self._message_rows, self._places, self._damage = {}, [], [], []
        self._origin = None

    def add_damage(self, damage: SourceError) -> None:
        """Add what could not be read."""
        self._damage.append((damage.source, damage.cause, damage.offset, damage.errno))

    def add(self, found: Found, source: Source) -> None:
        """Add a URL that was found in an item of ``source``."""
        origin, link, repairs, defects = found.origin, found.link, found.repairs, found.defects
        if origin is not self._origin:
            self._of_origin = self._values_of(origin, source)
            self._origin = origin
        source_id, message_id, of_part, date, subject = self._of_origin
        context = found.context
        self._places.append((
            self._url(found, date), source_id, message_id, *of_part,
            found.form.value, found.line, found.column, *found.span, found.byte, _text(found.raw),
            1 if repairs else 0,
            " ".join([each.code for each in repairs]) if repairs else None,
            " ".join([each.code for each in defects]) if defects else None, found.confidence,
            *((_text(link.element), _text(link.attribute), _text(link.text), _text(link.shown),
               _text(link.differs)) if link else _NO_LINK),
            None if context is None else _text(context[:_LONGEST_CONTEXT]), subject,
        ))  # fmt: skip

    def _url(self, found: Found, date: str | None) -> int:
        """Return the index of the URL of ``found``, and count the place."""
        url = found.url
        known = self._urls.get(url)
        if known is None:
            host = host_name_of(url)
            wrapped_by = found.wrapped_by
            known = self._urls[url] = [
                len(self._urls), _text(url), _text(normal_form(url)), _text(found.scheme), _text(host),
                _domain_of(host) if host else None,
                _text(found.unwrapped) if wrapped_by else None, _text(wrapped_by), date, date, 0,
            ]  # fmt: skip
        elif date is not None:
            known[-3] = date if known[-3] is None else min(known[-3], date)
            known[-2] = date if known[-2] is None else max(known[-2], date)
        if known[-4] and not known[-5]:  # the link may have been cut at its other places
            known[-5] = _text(found.unwrapped)
        known[-1] += 1
        index: int = known[0]
        return index

    def _values_of(self, origin: Origin, source: Source) -> _OfOrigin:
        """Return what all places of an origin have in common."""
        source_id = self._sources.setdefault(_source_of(origin, source), len(self._sources))
        of_part = _text(origin.part), _text(origin.header), _text(origin.media_type)
        if origin.message is None:
            return source_id, None, of_part, None, None
        key = (source_id, origin.message, origin.offset, origin.message_id, origin.date_field, origin.from_,
               origin.to, origin.subject, origin.list_id, origin.newsgroups)  # fmt: skip
        known = self._messages.get(key)
        if known is None:
            date, subject = origin.date, _text(origin.subject)
            known = self._messages[key] = len(self._message_rows), date, subject
            others = (_text(origin.message_id), date, *map(_text, key[4:7]), subject, *map(_text, key[8:]))
            self._message_rows.append((*key[:3], *others))
        index, date, subject = known
        return source_id, index, of_part, date, subject


def _source_of(origin: Origin, source: Source) -> tuple[str, str, str | None]:
    """Return the path, the kind and the parent of the source of an origin: ``source``, or a member of it."""
    name = origin.source or ""
    if name in (source.name, ""):
        return source.path, source.kind, source.folder
    inside = name.removeprefix(source.name)
    return f"{source.path}{kept_name(inside)}", "member", source.path


@lru_cache(maxsize=4_096)
def _domain_of(host: str) -> str:
    return _NO_TEXT.sub("\N{REPLACEMENT CHARACTER}", registered_domain(host.removesuffix(".")))


def _text(text: str | None) -> str | None:
    r"""Return valid Unicode without NUL.

    >>> _text("a\0b\udce9")
    'a\ufffdb\ufffd'
    """
    if text is None or (text.isascii() and "\0" not in text):
        return text
    return _NO_TEXT.sub("\N{REPLACEMENT CHARACTER}", text)
