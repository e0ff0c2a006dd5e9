"""The lane that gives URLs alone, in batches: what most pipes ask for.

It makes no records, counts no lines, and reads UTF-8 as bytes. Its URLs are those
that `extract_source` gives, in the same order.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlextract.linebreaks import rejoin
from urlextract.pipeline.texts import DecodedText
from urlextract.records import Candidate, Form, RawText, Refusal
from urlextract.scanner.attributes import attribute_fault, attribute_url
from urlextract.scanner.passes import Hit, Looks, read_pass
from urlextract.scanner.places import look_at_colon, look_at_dot
from urlextract.scanner.stream import Stream
from urlextract.scanner.views import view_look_at_colon, view_look_at_dot

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from urlextract.pipeline.options import Options
    from urlextract.records import RawMessage, Segment

__all__ = ["is_plain", "read_urls"]


def is_plain(options: Options) -> bool:
    """Say whether the URLs alone are all that is asked for."""
    return options.lets_all_pass and options.hyphen in ("keep", "drop") and options.join != "likely"


def read_urls(items: Iterable[RawMessage | RawText], options: Options) -> Iterator[list[str]]:
    """Give the URLs of raw messages and texts, those that are certain together in one list."""
    limits = options.limits(looks_on=False)
    looks = Looks(look_at_colon, look_at_dot, limits)
    for item in items:
        if isinstance(item, RawText):
            text = DecodedText(item.chunks)
            views = Looks(view_look_at_colon, view_look_at_dot, limits)
            pieces = text.views() if text.is_utf8 else iter(text)
            yield from _stream_urls(pieces, Stream(views if text.is_utf8 else looks), options)
        else:
            from urlextract.message import read_message  # noqa: PLC0415 - texts need none of it

            urls: list[str] = []
            for segment in read_message(item, provenance=False):
                urls += _segment_urls(segment, looks, options)
            if urls:
                yield urls


def _stream_urls(pieces: Iterator[str], stream: Stream, options: Options) -> Iterator[list[str]]:
    for piece in pieces:
        hits, _ = stream.feed(piece)
        if hits:
            yield _urls(hits, options)
    hits, _ = stream.feed("", is_whole=True)
    if hits:
        yield _urls(hits, options)


def _segment_urls(segment: Segment, looks: Looks, options: Options) -> list[str]:
    if segment.form is Form.HTML_ATTRIBUTE:
        url = attribute_url(segment.text)
        return [] if attribute_fault(url, any_scheme=options.any_scheme) else [url]
    return _urls(read_pass(segment.text, 0, 0, looks, is_whole=True).hits, options)


def _urls(hits: list[Hit], options: Options) -> list[str]:
    if options.hyphen == "drop":
        return [
            rejoin(value, hyphen="drop").url if isinstance(value, Candidate) else url
            for *_, url, value in hits
            if not isinstance(value, Refusal)
        ]
    return [hit[3] for hit in hits if hit[3]]
