"""URLs alone, of the same texts as records: for callers that need nothing else."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from urlextract.linebreaks.joining import joined_url, rejoin
from urlextract.message.html_page import Readable
from urlextract.pipeline.elsewhere import settled_urls
from urlextract.pipeline.options import ExtractOptions
from urlextract.pipeline.pages import urls_of_page
from urlextract.records import EVERYTHING, Candidate, InDoubt, RawText, Segment
from urlextract.scanner.buffer import candidate_of
from urlextract.scanner.stream import Stream


def is_plain(options: ExtractOptions) -> bool:
    """Return whether the options need no records: they ask for all URLs, each in its first reading."""
    is_as_read = options.hyphen in ("keep", "drop")
    is_as_found = options.lets_all_pass and is_as_read and not options.unwrap
    return is_as_found and options.choice == EVERYTHING and options.since is None


class Urls:
    """Makes URLs, without records."""

    def __init__(self, options: ExtractOptions) -> None:
        self._limits = options.limits(looks_on=False)
        self._drops_hyphens = options.hyphen == "drop"

    def of_text(
        self, pieces: Iterable[str], _item: RawText | None = None, _byte: int | None = None
    ) -> Iterator[str]:
        """Yield the URLs of a text in pieces; a tuple of one is the whole text.

        Those in doubt (`InDoubt`) are not joined.
        """
        stream, last = Stream(self._limits), ""
        if isinstance(pieces, tuple):
            pieces, last = (), *pieces
        for piece in pieces:
            yield from map(str, self._fed(stream, piece, is_whole=False))
        yield from map(str, self._fed(stream, last, is_whole=True))

    def of_segments(self, segments: Iterable[Readable]) -> Iterator[str]:
        """Yield the URLs of the texts of one message, or of a stretch of a page."""
        return settled_urls(url for segment in segments for url in self._of_segment(segment))

    def _of_segment(self, segment: Readable) -> list[str]:
        if isinstance(segment, Segment):
            return self._fed(Stream(self._limits), segment.text, is_whole=True)

        return urls_of_page(segment, self._limits, _without_hyphens if self._drops_hyphens else joined_url)

    def _fed(self, stream: Stream, text: str, *, is_whole: bool) -> list[str]:
        """Feed ``stream`` with ``text``; return the URLs that are now certain."""
        hits, buffer = stream.feed(text, is_whole=is_whole)
        if not self._drops_hyphens:
            return [hit[4] for hit in hits]
        values = [candidate_of(hit, buffer) for hit in hits]
        return [_without_hyphens(value) for value in values if isinstance(value, Candidate)]


def _without_hyphens(candidate: Candidate) -> str:
    url = rejoin(candidate, hyphen="drop").url
    if candidate.more_lines is None:
        return url
    return InDoubt.of(url, rejoin(candidate.with_more_lines(), hyphen="drop").url)
