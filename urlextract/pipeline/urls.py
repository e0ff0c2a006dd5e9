"""URLs alone, of the same texts as records: for callers that need nothing else."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from urlextract.linebreaks.joining import rejoined
from urlextract.message.html_page import Readable
from urlextract.pipeline.elsewhere import Elsewhere, PlacedUrl
from urlextract.pipeline.options import ExtractOptions
from urlextract.pipeline.pages import matches_of_page
from urlextract.records import EVERYTHING, LongText, Match, Origin, RawText, Segment
from urlextract.scanner.buffer import ScanLimits, with_url
from urlextract.scanner.stream import Stream, scan


def needs_no_records(options: ExtractOptions) -> bool:
    """Return whether the options ask for all URLs, each in its first reading."""
    is_as_read = options.given["hyphen"] in ("keep", "drop")
    is_as_found = options.lets_all_pass and is_as_read and not options.given["unwrap"]
    return is_as_found and options.choice == EVERYTHING and options.since is None


class Urls:
    """Makes URLs, without records."""

    def __init__(self, options: ExtractOptions) -> None:
        self._limits = options.limits
        self._drops_hyphens, self._joins_bare = options.given["hyphen"] == "drop", options.joins_bare

    def of_text(
        self, pieces: Iterable[str], _item: RawText | None = None, _byte: int | None = None
    ) -> Iterator[str]:
        """Yield the URLs of a text in pieces; those in doubt are not joined."""
        return (self._url_of(match) for matches, _ in _scanned(pieces, self._limits) for match in matches)

    def of_segments(self, segments: Iterable[Readable | LongText]) -> Iterator[str]:
        """Yield the URLs of the texts of one message, or of a stretch of a page."""
        elsewhere = Elsewhere[PlacedUrl]()
        urls = (url for segment in segments for url in self._of_segment(segment, elsewhere))
        return (found.url for found in (elsewhere.settled(urls) if self._joins_bare else urls))

    def _of_segment(
        self, segment: Readable | LongText, elsewhere: Elsewhere[PlacedUrl]
    ) -> Iterator[PlacedUrl]:
        for match in self._matches(segment):
            found = self._placed(match, segment.origin)
            joined = None
            if match.more_lines is not None:
                joined = self._placed(with_url(match.with_more_lines()), segment.origin)
            elsewhere.note(found, joined)
            yield found

    def _matches(self, segment: Readable | LongText) -> Iterable[Match]:
        if isinstance(segment, Segment):
            return scan(segment.text, self._limits)
        if isinstance(segment, LongText):
            scanned = _scanned(segment.pieces, self._limits)
            return (match.moved(base) for matches, base in scanned for match in matches)
        return matches_of_page(segment, self._limits)

    def _placed(self, match: Match, origin: Origin) -> PlacedUrl:
        return PlacedUrl(self._url_of(match), match.span, origin)

    def _url_of(self, match: Match) -> str:
        return rejoined(match, "drop").url if self._drops_hyphens else match.url


def _scanned(pieces: Iterable[str], limits: ScanLimits) -> Iterator[tuple[list[Match], int]]:
    """Yield the matches of a text in pieces, with the offset in it from which their places count."""
    stream = Stream(limits)
    for piece in pieces:
        yield stream.feed(piece)[0], stream.base
    yield stream.feed("", is_whole=True)[0], stream.base
