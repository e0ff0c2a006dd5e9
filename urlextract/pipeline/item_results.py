"""The results of messages, texts and pages, item by item: records, or URLs alone, from the same texts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from urlextract.dates import moment_of_field
from urlextract.errors import OnDamage, SourceError
from urlextract.message.charsets import codec_for, decoded_pieces, decoded_text
from urlextract.pipeline.options import OPTIONS, ExtractOptions
from urlextract.pipeline.urls import Urls
from urlextract.records import Item, LongText, Provenance, RawMessage, RawText, Segment, Unread
from urlextract.sources.streams import peek

if TYPE_CHECKING:
    from urlextract.message.html_page import Page, Readable
    from urlextract.message.segments import OnMessage
    from urlextract.pipeline.texts import Records, Result
OnText: TypeAlias = "Callable[[Readable], None]"
"""Is called with each text in which results count, or with pieces of it, before these are read."""


class _Told(NamedTuple):
    """What is called with damage, with texts, and with the origins of messages, as `read_items` says.

    If it ``explains``, lines that are left out are read as well.
    """

    on_damage: OnDamage | None = None
    on_text: OnText | None = None
    on_message: OnMessage | None = None
    explains: bool = False

    def on_left_out(self, options: ExtractOptions) -> Callable[[Item], object] | None:
        """Return what tells of an item that is not read, and which options leave it out, if that is asked."""
        if not (self.explains and self.on_damage):
            return None
        tell = self.on_damage
        flags = [OPTIONS[name].flags for name in _OF_MESSAGES if options.given.get(name)]
        words = f"not read: {' or '.join(flags)} leave{'s' * (len(flags) == 1)} it out"

        def tell_of(item: Item) -> None:
            source, number = item.provenance.source or "-", item.provenance.message
            place = f"{source}, message {number}" if number else source
            tell(SourceError(place, words, within=""))  # they are counted over all sources

        return tell_of


_OF_MESSAGES = ("since", "until", "sender", "subject")


def read_items(
    items: Iterable[Item],
    options: ExtractOptions,
    *,
    explains: bool = False,
    on_damage: OnDamage | None = None,
    on_text: OnText | None = None,
    on_message: OnMessage | None = None,
) -> Iterator[Result]:
    """Yield the results of messages and texts in order.

    ``on_damage`` gets what cannot be read, ``on_message`` the provenance of each message before its results,
    and ``on_text`` the texts of messages.
    """
    from urlextract.pipeline.texts import Records  # URLs alone need no records, which take long to load

    told = _Told(on_damage, on_text, on_message, explains)
    return _read(items, options, Records(options, explains=explains), told)


def read_urls(
    items: Iterable[Item], options: ExtractOptions, *, on_damage: OnDamage | None = None
) -> Iterator[str]:
    """Yield the URLs of `read_items` without records, for options that need none (`needs_no_records`)."""
    return _read(items, options, Urls(options), _Told(on_damage))


def _read(
    items: Iterable[Item], options: ExtractOptions, maker: Records | Urls, told: _Told
) -> Iterator[Any]:
    for item in chosen_items(items, options, told.on_left_out(options)):
        if isinstance(item, RawMessage):
            yield from maker.of_segments(_segments(item, options, told))
        elif item.is_page:
            from urlextract.pipeline.page_source import pages_of  # a text needs no reader of pages

            yield from _of_pages(pages_of(item, options), maker)
        else:
            text, byte = text_of(item, options)
            yield from maker.of_text(
                text, item.provenance, byte, item.start, item.line, is_followed=item.is_followed
            )


_JUDGED = 1 << 16  # bytes of a text of some kind by which its charset is judged


def text_of(item: RawText, options: ExtractOptions) -> tuple[Iterable[str], int | None]:
    """Return the pieces of a text, and the offset in bytes of its first one, None if bytes do not count.

    A text of some kind is decoded and unfolded as a part of a message is.
    """
    charset = options.choice.charset
    if item.provenance.media_type:
        head, chunks = peek(item.chunks, lambda head: item.is_followed or len(head) >= _JUDGED)
        pieces = decoded_pieces(chunks, codec_for(head, charset))
        from urlextract.message.content import Content
        from urlextract.message.segments import running_windows

        content = Content(item.provenance.media_type)
        return running_windows(pieces, content, by_windows=not item.is_followed), None
    text, byte = decoded_text(item.chunks, charset)
    return text, None if byte is None or item.byte is None else item.byte + byte


def read_pages(pages: Iterable[Page], options: ExtractOptions, *, explains: bool = False) -> Iterator[Result]:
    """Yield the results of the stretches of a page; URLs in doubt are decided within each stretch."""
    from urlextract.pipeline.texts import Records

    return _of_pages(pages, Records(options, explains=explains))


def _of_pages(pages: Iterable[Page], maker: Records | Urls) -> Iterator[Any]:
    for page in pages:
        yield from maker.of_segments((page,))
        del page  # before the next one is made: it takes much memory


# --- texts, told to ``on_text`` ------------------------------------------------------------------


def _told_pages(pages: Iterable[Page], on_text: OnText) -> Iterator[Page]:
    for page in pages:
        on_text(page)
        yield page
        del page  # as above


def _told_pieces(pieces: Iterable[str], provenance: Provenance, on_text: OnText) -> Iterator[str]:
    start = 0
    for piece in pieces:
        on_text(Segment(piece, provenance, start))
        start += len(piece)
        yield piece


# --- what is read --------------------------------------------------------------------------------


def chosen_items(
    items: Iterable[Item], options: ExtractOptions, on_left_out: Callable[[Item], object] | None = None
) -> Iterator[Item]:
    """Yield the items, without messages for which ``options`` do not ask by their date, sender or subject.

    A text that is no message has neither sender nor subject. ``on_left_out`` gets what is not read.
    """
    if not options.chooses_messages:
        yield from items
        return
    asks_for_message = bool(options.sender or options.subject)
    for item in items:
        asked = _is_chosen(item.data, options) if isinstance(item, RawMessage) else not asks_for_message
        if asked:
            yield item
        elif on_left_out:
            on_left_out(item)


def _is_chosen(data: bytes, options: ExtractOptions) -> bool:
    """Return whether ``options`` ask for a message: by the first field of each name in its head.

    One without a date is asked for.
    """
    from urlextract.message.fields import head_of, value_in  # few ask for it

    head = head_of(data)
    date = moment_of_field(value_in(b"date|warc-date|injection-date", head))
    if date and ((options.since and date < options.since) or (options.until and date > options.until)):
        return False
    asked = ((b"from", options.sender), (b"subject", options.subject))
    return all(word in value_in(name, head).casefold() for name, words in asked for word in words)


# --- the texts of a message ----------------------------------------------------------------------


def _segments(message: RawMessage, options: ExtractOptions, told: _Told) -> Iterator[Readable | LongText]:
    """Yield the texts of a message, each with the number of those before it that have the same place."""
    from urlextract.message.segments import read_message

    on_damage, on_text, on_message, explains = told
    choice = options.choice._replace(keeps_lines=True) if explains else options.choice
    counts: dict[str, dict[str | None, int]] = {}
    for segment in read_message(message, choice, on_message=on_message):
        if isinstance(segment, Unread):
            if on_damage:
                source, number = segment.provenance.source, segment.provenance.message
                part = f", part {segment.provenance.part}" if segment.provenance.part else ""
                words = f"message {number}{part}: {segment.advice}"
                on_damage(SourceError(source or "message", words, segment.provenance.offset))
            continue
        occurrence = _occurrence(counts, segment.provenance)
        if occurrence or message.defects:
            segment = segment.placed(occurrence, message.defects)  # noqa: PLW2901
        if isinstance(segment, LongText):
            yield from _of_long_text(segment, options, on_text)
            continue
        if on_text:
            on_text(segment)
        yield segment


def _occurrence(counts: dict[str, dict[str | None, int]], provenance: Provenance) -> int:
    """Return how many texts with the part and the field of ``provenance`` come before.

    When a part begins, those that are over are forgotten: there may be very many.
    """
    part = provenance.part or ""
    if part not in counts:
        for known in [known for known in counts if known and not part.startswith(f"{known}.")]:
            del counts[known]
        counts[part] = {}
    numbers = counts[part]
    numbers[provenance.header] = numbers.get(provenance.header, -1) + 1
    return numbers[provenance.header]


def _of_long_text(
    text: LongText, options: ExtractOptions, on_text: OnText | None
) -> Iterator[Readable | LongText]:
    """Yield a long text, or the stretches of a long page."""
    if not text.is_page:
        if on_text:
            text.pieces = _told_pieces(text.pieces, text.provenance, on_text)
        yield text
        return
    from urlextract.pipeline.page_source import pages_of_text

    pages = pages_of_text(
        text.pieces,
        text.provenance,
        options,
        base=text.base,
        byte=text.byte,
        defects=text.defects,
        has_title=text.provenance.head.page is not None,
    )
    yield from _told_pages(pages, on_text) if on_text else pages
