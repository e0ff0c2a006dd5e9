"""Scan texts in windows; the URLs of texts, segments and pages for callers that need no records."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from urlextract.pipeline.options import ExtractOptions
from urlextract.records import EVERYTHING, MAY_CONTINUE, LongText, Match, Refusal, Segment
from urlextract.scanner.feeding import Pieces, windows
from urlextract.scanner.scan import scan
from urlextract.scanner.window import ScanOptions

if TYPE_CHECKING:
    from urlextract.message.html_page import Readable


def windows_of(pieces: Iterable[str], *, is_followed: bool = False) -> Iterable[tuple[int, str]]:
    """Return the windows of a text in pieces, each with its offset; a tuple of one is the whole text."""
    if isinstance(pieces, tuple):
        (text,) = pieces
        return [(start, text[start:end]) for start, end in windows(text)]
    return _fed(pieces, Pieces(by_lines=is_followed))


def _fed(pieces: Iterable[str], fed: Pieces) -> Iterator[tuple[int, str]]:
    for piece in pieces:
        yield from fed.feed(piece)
    yield from fed.close()


def matches_in(window: str, options: ScanOptions, *, is_followed: bool = False) -> list[Match | Refusal]:
    """Return the matches of a window; of a text that ``is_followed``, the last line may go on."""
    found = scan(window, options)
    if is_followed and window.endswith(("\n", "\r")) and found and isinstance(found[-1], Match):
        last = found[-1]
        is_open = last.end == last.stop and not window[last.stop :].strip()
        if is_open and MAY_CONTINUE not in last.defects:
            found[-1] = last._replace(defects=(*last.defects, MAY_CONTINUE))
    return found


def needs_no_records(options: ExtractOptions) -> bool:
    """Return whether the options ask for all URLs, each in its first reading."""
    return options.takes_each and options.choice == EVERYTHING and not options.chooses_messages


class Urls:
    """Makes URLs of the same texts, without records: for callers that need nothing else."""

    def __init__(self, options: ExtractOptions) -> None:
        self._options, self._scan = options, options.scan

    def of_text(self, pieces: Iterable[str], *_: object, is_followed: bool = False) -> Iterator[str]:
        """Yield the URLs of a text in pieces."""
        for _base, window in windows_of(pieces, is_followed=is_followed):
            for match in scan(window, self._scan):
                yield match.url

    def of_segments(self, segments: Iterable[Readable | LongText]) -> Iterator[str]:
        """Yield the URLs of the texts of one message, or of a stretch of a page."""
        for segment in segments:
            if isinstance(segment, (Segment, LongText)):
                yield from self.of_text((segment.text,) if isinstance(segment, Segment) else segment.pieces)
            else:
                from urlextract.pipeline.pages import PageReader  # what links show takes long to load

                reader = PageReader(segment, self._options, self._scan)
                yield from (match.url for match in reader.matches())
