"""The results of messages, texts and pages, item by item."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from urlextract.pipeline.elsewhere import Elsewhere
from urlextract.pipeline.items import chosen_items, damage_of
from urlextract.pipeline.reading import Result, read_segment, read_text
from urlextract.pipeline.texts import DecodedText
from urlextract.records import RawMessage, RawText, Segment, Unread

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from urlextract.errors import SourceError
    from urlextract.message.html_page import Page, Readable
    from urlextract.pipeline.options import ExtractOptions
    from urlextract.records import Item, Origin

    OnText = Callable[[Origin, str, int, int], None]

__all__ = ["masked", "read_items", "read_one_message", "read_pages"]


def read_items(
    items: Iterable[Item],
    options: ExtractOptions,
    *,
    explains: bool = False,
    on_damage: Callable[[SourceError], None] | None = None,
    on_text: OnText | None = None,
) -> Iterator[Result]:
    """Yield the results of messages and texts in order; ``on_damage`` gets what cannot be read.

    ``on_text`` is called with each text in which results count, or with pieces of it, before these are
    read: with their origin, the text, its offset and the number of its first line.
    """
    for item in chosen_items(items, options):
        if isinstance(item, RawText) and item.is_page:
            from urlextract.pipeline.page_source import pages_of  # noqa: PLC0415 - not needed for texts

            pages = pages_of(item, options)
            yield from read_pages(
                _told_pages(pages, on_text) if on_text else pages, options, explains=explains
            )
        elif isinstance(item, RawText):
            text = DecodedText(item.chunks, options.choice.charset)
            byte = None if text.byte is None or item.byte is None else item.byte + text.byte
            pieces = _told_pieces(text, item, on_text) if on_text else text
            yield from read_text(
                masked(pieces, options),
                item.origin,
                options,
                byte=byte,
                start=item.start,
                line=item.line,
                explains=explains,
            )
        elif isinstance(item, RawMessage):
            tell = partial(_tell, on_text) if on_text else None
            yield from read_one_message(item, options, on_damage, explains=explains, on_text=tell)


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
    from urlextract.message.quoting import mask_pieces  # noqa: PLC0415 - rarely needed

    return mask_pieces(pieces, options.choice)


def read_pages(pages: Iterator[Page], options: ExtractOptions, *, explains: bool) -> Iterator[Result]:
    """Yield the results of the stretches of a page; URLs in doubt are decided within each stretch."""
    for page in pages:
        elsewhere = Elsewhere() if options.joins_bare else None
        results = read_segment(page, options, explains=explains, elsewhere=elsewhere)
        yield from elsewhere.settled(results) if elsewhere else results
        del page, results  # before the next one is made: it takes much memory


def read_one_message(
    message: RawMessage,
    options: ExtractOptions,
    on_damage: Callable[[SourceError], None] | None,
    *,
    explains: bool = False,
    on_text: Callable[[Readable], None] | None = None,
) -> Iterator[Result]:
    """Yield the results of a message; ``on_text`` is called with the first segment of each text."""
    from urlextract.message import read_message  # noqa: PLC0415 - not needed for texts

    elsewhere = Elsewhere() if options.joins_bare else None

    def results() -> Iterator[Result]:
        whole = None
        occurrences: dict[tuple[str | None, str | None], int] = {}
        for segment in read_message(message, options.choice):
            if isinstance(segment, Unread):
                if on_damage:
                    on_damage(damage_of(segment))
                continue
            origin, before = segment.origin, whole
            whole = segment.whole if isinstance(segment, Segment) else None
            is_next_stretch = whole is not None and whole is before
            key = origin.part, origin.header
            occurrence = occurrences.get(key, -1) + (not is_next_stretch)
            occurrences[key] = occurrence
            if occurrence or message.defects:
                segment = segment.placed(occurrence, message.defects)  # noqa: PLW2901
            if on_text and not is_next_stretch:
                on_text(segment)
            yield from read_segment(segment, options, explains=explains, elsewhere=elsewhere)

    return elsewhere.settled(results()) if elsewhere else results()
