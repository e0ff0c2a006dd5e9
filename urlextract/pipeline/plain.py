"""Read URLs only, in batches, without records: the fast path of the command line.

It counts no lines, and reads UTF-8 as bytes. Its URLs are those that `extract_source`
yields, in the same order.
"""

from __future__ import annotations

from bisect import bisect_left
from itertools import accumulate
from operator import itemgetter
from typing import TYPE_CHECKING

from urlextract.linebreaks.joining import joined_url, rejoin
from urlextract.pipeline.elsewhere import settled_urls
from urlextract.pipeline.items import chosen_items, damage_of
from urlextract.pipeline.texts import DecodedText
from urlextract.records import EVERYTHING, Candidate, InDoubt, RawMessages, RawText
from urlextract.scanner.buffer import ScanLimits, candidate_of
from urlextract.scanner.stream import Stream

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from urlextract.errors import SourceError
    from urlextract.message.views import Entry
    from urlextract.pipeline.options import ExtractOptions
    from urlextract.records import Item, Unread
    from urlextract.scanner.buffer import Hit

__all__ = ["is_plain", "read_urls", "urls_of_pieces"]

# Short texts are searched together, because of the cost of each search. The separator
# between them ends every URL, and no bracket reaches over it.
_BETWEEN = "\n\0\n"
_TOGETHER = 1 << 16  # characters


def is_plain(options: ExtractOptions) -> bool:
    """Return whether the options need no records: they ask for all URLs, each in its first reading."""
    is_as_read = options.hyphen in ("keep", "drop")
    is_as_found = options.lets_all_pass and is_as_read and not options.unwrap
    return is_as_found and options.choice == EVERYTHING and options.since is None


def read_urls(
    items: Iterable[Item],
    options: ExtractOptions,
    *,
    flush_each: bool = True,
    on_damage: Callable[[SourceError], None] | None = None,
) -> Iterator[list[str]]:
    """Yield the URLs of messages and texts, in order, in lists.

    With ``flush_each``, the URLs of an item are yielded before the next item is read. Without it,
    a list may hold the URLs of several messages. ``on_damage`` is called with a `SourceError` for
    each part of a message with text that cannot be read.
    """
    limits = options.limits(looks_on=False)
    drops_hyphens = options.hyphen == "drop"
    messages: _Messages | None = None
    for item in chosen_items(items, options):
        if isinstance(item, RawText):
            if messages:
                yield messages.urls()
            yield from (_page_urls if item.is_page else _text_urls)(item, options, limits)
        else:
            messages = messages or _Messages(limits, on_damage, drops_hyphens=drops_hyphens)
            messages.add(item if isinstance(item, RawMessages) else item.alone())
            if flush_each or messages.size > _TOGETHER:
                yield messages.urls()
    if messages:
        yield messages.urls()


def urls_of_pieces(pieces: Iterable[str], options: ExtractOptions) -> Iterator[str]:
    """Yield the URLs of a text in pieces, as soon as each is certain; a tuple of one is the whole text."""
    drops_hyphens = options.hyphen == "drop"
    stream = Stream(options.limits(looks_on=False), urls_only=not drops_hyphens)
    last = ""
    if isinstance(pieces, tuple):
        pieces, last = (), *pieces
    for piece in pieces:
        yield from map(str, _fed(stream, piece, is_whole=False, drops_hyphens=drops_hyphens))
    yield from map(str, _fed(stream, last, is_whole=True, drops_hyphens=drops_hyphens))


def _without_hyphens(candidate: Candidate) -> str:
    url = rejoin(candidate, hyphen="drop").url
    if candidate.more_lines is None:
        return url
    return InDoubt.of(url, rejoin(candidate.with_more_lines(), hyphen="drop").url)


def _fed(stream: Stream, text: str, *, is_whole: bool, drops_hyphens: bool) -> list[str]:
    """Feed ``stream`` with ``text``; return the URLs that are now certain."""
    if not drops_hyphens:
        return stream.feed_for_urls(text, is_whole=is_whole)
    return _urls_of_hits(*stream.feed(text, is_whole=is_whole), drops_hyphens=True)


def _urls_of_hits(hits: list[Hit], text: str, *, drops_hyphens: bool) -> list[str]:
    if not drops_hyphens:
        return [hit[4] for hit in hits]
    values = [candidate_of(hit, text) for hit in hits]
    return [_without_hyphens(value) for value in values if isinstance(value, Candidate)]


def _page_urls(item: RawText, options: ExtractOptions, limits: ScanLimits) -> Iterator[list[str]]:
    """Yield the URLs of a page, one list for each stretch of it."""
    from urlextract.pipeline.page_source import pages_of  # noqa: PLC0415 - not needed for texts
    from urlextract.pipeline.pages import urls_of_page  # noqa: PLC0415 - as above

    url = _without_hyphens if options.hyphen == "drop" else joined_url
    for page in pages_of(item, options):
        yield settled_urls(urls_of_page(page, limits, url))


def _text_urls(item: RawText, options: ExtractOptions, limits: ScanLimits) -> Iterator[list[str]]:
    """Yield the URLs of a text; those in doubt (`InDoubt`) are not joined."""
    text, drops_hyphens = DecodedText(item.chunks), options.hyphen == "drop"
    stream = Stream(limits, urls_only=not drops_hyphens, is_bytes=text.is_utf8)
    for piece in text.views() if text.is_utf8 else text:
        urls = _fed(stream, piece, is_whole=False, drops_hyphens=drops_hyphens)
        if urls:
            yield list(map(str, urls))
    urls = _fed(stream, "", is_whole=True, drops_hyphens=drops_hyphens)
    if urls:
        yield list(map(str, urls))


class _Messages:
    """Collects the texts of messages, and searches them together."""

    def __init__(
        self, limits: ScanLimits, on_damage: Callable[[SourceError], None] | None, *, drops_hyphens: bool
    ) -> None:
        from urlextract.message import read_views  # noqa: PLC0415 - not needed for texts
        from urlextract.message.views import readable_views  # noqa: PLC0415 - as above
        from urlextract.pipeline.pages import urls_of_page  # noqa: PLC0415 - as above

        self._limits, self._drops_hyphens = limits, drops_hyphens
        self._url = _without_hyphens if drops_hyphens else joined_url
        self._on_damage = on_damage
        self._read_views, self._readable, self._urls_of_page = read_views, readable_views, urls_of_page
        self._entries: list[Entry] = []
        self.size = 0

    def add(self, messages: RawMessages) -> None:
        """Add the texts of ``messages``."""
        self._entries += self._read_views(messages, self._tell)
        self.size += len(messages.data)

    def urls(self) -> list[str]:
        """Return the URLs of the texts added since the last call, in order."""
        entries, self._entries, self.size = self._entries, [], 0
        urls = self._urls_of(entries)
        if InDoubt in map(type, urls):  # rare: search again, message by message
            urls = [url for message in _parted(entries) for url in settled_urls(self._urls_of(message))]
        return urls

    def _tell(self, unread: Unread) -> None:
        if self._on_damage:
            self._on_damage(damage_of(unread))

    def _urls_of(self, entries: Sequence[Entry]) -> list[str]:
        """Return the URLs of ``entries`` in order; their texts are searched together."""
        present = [entry for entry in entries if entry is not None]
        views = self._readable([entry if isinstance(entry, str) else "" for entry in present], _BETWEEN)
        places = accumulate((len(view) + len(_BETWEEN) for view in views), initial=0)
        hits, text = Stream(self._limits, is_bytes=True).feed(_BETWEEN.join(views), is_whole=True)
        urls: list[str] = []
        known, drops = 0, self._drops_hyphens
        for place, entry in zip(places, present, strict=False):
            if not isinstance(entry, str):
                end = bisect_left(hits, place, known, key=itemgetter(0))
                urls += _urls_of_hits(hits[known:end], text, drops_hyphens=drops)
                urls += self._urls_of_page(entry, self._limits, self._url)
                known = end
        return urls + _urls_of_hits(hits[known:], text, drops_hyphens=drops)


def _parted(entries: list[Entry]) -> Iterator[list[Entry]]:
    """Yield the entries of each message, without the None after them."""
    start = 0
    for end, entry in enumerate(entries):
        if entry is None:
            yield entries[start:end]
            start = end + 1
