"""The results of messages, texts and pages, item by item: records, or URLs alone, from the same texts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Protocol, TypeVar

from urlextract.errors import SourceError
from urlextract.message.html_page import Page, Readable
from urlextract.message.quoting import mask_pieces
from urlextract.message.reading import read_message
from urlextract.pipeline.elsewhere import Elsewhere, Result
from urlextract.pipeline.items import chosen_items, damage_of
from urlextract.pipeline.options import ExtractOptions
from urlextract.pipeline.page_source import pages_of, pages_of_text
from urlextract.pipeline.reading import read_segment, read_text
from urlextract.pipeline.texts import DecodedText
from urlextract.pipeline.urls import Urls
from urlextract.records import Item, LongText, Origin, RawMessage, RawText, Segment, Unread

OnDamage = Callable[[SourceError], None]
OnText = Callable[[Origin, str, int, int], None]


_Made = TypeVar("_Made")
_Made_co = TypeVar("_Made_co", covariant=True)


class _Maker(Protocol[_Made_co]):
    """Makes results of texts: `_Records`, or `Urls`."""

    def of_text(self, pieces: Iterable[str], item: RawText, byte: int | None) -> Iterator[_Made_co]:
        """Yield the results of a text in pieces; ``byte`` is the offset of its first byte in the source."""

    def of_segments(self, segments: Iterable[Readable | LongText]) -> Iterator[_Made_co]:
        """Yield the results of the texts of one message, or of a stretch of a page.

        A URL in doubt is decided by the others.
        """


class _Records:
    """Makes records."""

    def __init__(self, options: ExtractOptions, *, explains: bool) -> None:
        self._options, self._explains = options, explains

    def of_text(self, pieces: Iterable[str], item: RawText, byte: int | None) -> Iterator[Result]:
        return read_text(
            pieces,
            item.origin,
            self._options,
            byte=byte,
            start=item.start,
            line=item.line,
            explains=self._explains,
        )

    def of_segments(self, segments: Iterable[Readable | LongText]) -> Iterator[Result]:
        options, explains = self._options, self._explains
        elsewhere = Elsewhere[Result]() if options.joins_bare else None
        results = (
            result
            for segment in segments
            for result in read_segment(segment, options, explains=explains, elsewhere=elsewhere)
        )
        return elsewhere.settled(results) if elsewhere else results


def read_items(
    items: Iterable[Item],
    options: ExtractOptions,
    *,
    explains: bool = False,
    on_damage: OnDamage | None = None,
    on_text: OnText | None = None,
) -> Iterator[Result]:
    """Yield the results of messages and texts in order; ``on_damage`` gets what cannot be read.

    ``on_text`` is called with each text in which results count, or with pieces of it, before these are
    read: with their origin, the text, its offset and the number of its first line.
    """
    return _read(items, options, _Records(options, explains=explains), on_damage, on_text)


def read_urls(
    items: Iterable[Item], options: ExtractOptions, *, on_damage: OnDamage | None = None
) -> Iterator[str]:
    """Yield the URLs of `read_items` without records, for options that need none (`needs_no_records`)."""
    return _read(items, options, Urls(options), on_damage, None)


def _read(
    items: Iterable[Item],
    options: ExtractOptions,
    maker: _Maker[_Made],
    on_damage: OnDamage | None,
    on_text: OnText | None,
) -> Iterator[_Made]:
    for item in chosen_items(items, options):
        if isinstance(item, RawText) and item.is_page:
            pages = pages_of(item, options)
            yield from _of_pages(_told_pages(pages, on_text) if on_text else pages, maker)
        elif isinstance(item, RawText):
            text = DecodedText(item.chunks, options.choice.charset)
            byte = None if text.byte is None or item.byte is None else item.byte + text.byte
            pieces = _told_pieces(text, item, on_text) if on_text else text
            yield from maker.of_text(masked(pieces, options), item, byte)
        else:
            tell = partial(_tell, on_text) if on_text else None
            yield from maker.of_segments(_segments(item, options, on_damage, tell))


def _tell(on_text: OnText, text: Readable) -> None:
    """Call ``on_text`` for a text of a message, or a stretch of a page."""
    if isinstance(text, Segment) and text.whole is not None:
        on_text(text.origin, text.whole, 0, 1)
    else:
        on_text(text.origin, text.text, text.start, text.line)


def _told_pages(pages: Iterator[Page], on_text: OnText) -> Iterator[Page]:
    for page in pages:
        _tell(on_text, page)
        yield page


def _told_pieces(pieces: Iterable[str], item: RawText, on_text: OnText) -> Iterator[str]:
    start = item.start
    for piece in pieces:
        on_text(item.origin, piece, start, item.line)
        start += len(piece)
        yield piece


def masked(pieces: Iterable[str], options: ExtractOptions) -> Iterable[str]:
    """Return ``pieces`` with the lines blanked out that are not to be read."""
    if not options.choice.masks:
        return pieces

    return mask_pieces(pieces, options.choice)


def read_pages(pages: Iterator[Page], options: ExtractOptions, *, explains: bool) -> Iterator[Result]:
    """Yield the results of the stretches of a page; URLs in doubt are decided within each stretch."""
    return _of_pages(pages, _Records(options, explains=explains))


def _of_pages(pages: Iterator[Page], maker: _Maker[_Made]) -> Iterator[_Made]:
    for page in pages:
        yield from maker.of_segments((page,))
        del page  # before the next one is made: it takes much memory


def read_one_message(
    message: RawMessage,
    options: ExtractOptions,
    on_damage: OnDamage | None,
    *,
    explains: bool = False,
    on_text: Callable[[Readable], None] | None = None,
) -> Iterator[Result]:
    """Yield the results of a message; ``on_text`` is called with the first segment of each text."""
    return _Records(options, explains=explains).of_segments(_segments(message, options, on_damage, on_text))


def _segments(
    message: RawMessage,
    options: ExtractOptions,
    on_damage: OnDamage | None,
    on_text: Callable[[Readable], None] | None,
) -> Iterator[Readable | LongText]:
    """Yield the texts of a message, each with the number of those before it that have the same place."""
    whole = None
    occurrences = _Occurrences()
    for segment in read_message(message, options.choice):
        if isinstance(segment, Unread):
            if on_damage:
                on_damage(damage_of(segment))
            continue
        origin, before = segment.origin, whole
        whole = segment.whole if isinstance(segment, Segment) else None
        is_next_stretch = whole is not None and whole is before
        occurrence = occurrences.count(origin, is_same=is_next_stretch)
        if occurrence or message.defects:
            segment = segment.placed(occurrence, message.defects)  # noqa: PLW2901
        if isinstance(segment, LongText):
            yield from _of_long_text(segment, options, on_text)
            continue
        if on_text and not is_next_stretch:
            on_text(segment)
        yield segment


_STRETCH = 1 << 17  # characters of a long page in a message: there is more beside it than beside a file


class _Occurrences:
    """Counts the texts of one message that have the same place: the part and the field.

    When a part begins, those that are over are forgotten: there may be very many.
    """

    def __init__(self) -> None:
        self._counts: dict[str, dict[str | None, int]] = {}

    def count(self, origin: Origin, *, is_same: bool) -> int:
        """Return how many texts with the place of ``origin`` come before; with ``is_same`` it goes on."""
        part = origin.part or ""
        if part not in self._counts:
            for known in [known for known in self._counts if known and not part.startswith(f"{known}.")]:
                del self._counts[known]
            self._counts[part] = {}
        counts = self._counts[part]
        counts[origin.header] = counts.get(origin.header, -1) + (not is_same)
        return counts[origin.header]


def _of_long_text(
    text: LongText, options: ExtractOptions, on_text: Callable[[Readable], None] | None
) -> Iterator[Readable | LongText]:
    """Yield a long text, or the stretches of a long page."""
    if not text.is_page:
        text.pieces = _noted_pieces(text, on_text) if on_text else text.pieces
        yield text
        return
    for page in pages_of_text(
        text.pieces, text.origin, options, base=text.base, byte=text.byte, most=_STRETCH
    ):
        page.defects += text.defects
        if on_text:
            on_text(page)
        yield page
        del page  # before the next one is made: it takes much memory


def _noted_pieces(text: LongText, on_text: Callable[[Readable], None]) -> Iterator[str]:
    start, line = 0, 1
    for piece in text.pieces:
        on_text(Segment(piece, text.origin, start, line))
        start += len(piece)
        line += piece.count("\n")
        yield piece
