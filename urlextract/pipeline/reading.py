"""Scan texts, segments and pages, and make what is asked for of the matches: records, or URLs alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache

from urlextract.linebreaks.joining import rejoined
from urlextract.message.fields import schemeless_in
from urlextract.message.html_page import Page, Readable
from urlextract.pipeline.assembly import Positions, found_of, rejection_of
from urlextract.pipeline.choice import chosen
from urlextract.pipeline.evidence import Elsewhere, PlacedUrl, Result, joined_elsewhere
from urlextract.pipeline.options import ExtractOptions
from urlextract.pipeline.pages import matches_of_page, read_page
from urlextract.pipeline.surroundings import context_of
from urlextract.records import EVERYTHING, Defect, Form, LongText, Match, Provenance, Segment
from urlextract.results import Found
from urlextract.scanner.buffer import ScanLimits, with_url
from urlextract.scanner.stream import Stream, scan


class TextReader:
    """Scans one text, and makes records of the matches, with line, column and byte."""

    def __init__(
        self,
        provenance: Provenance,
        options: ExtractOptions,
        positions: Positions,
        *,
        explains: bool,
        form: Form | None = None,
        defects: tuple[Defect, ...] = (),
        shift: int = 0,
        elsewhere: Elsewhere[Result] | None = None,
        is_followed: bool = False,
    ) -> None:
        field = provenance.header if form is Form.HEADER else None
        limits = _limits_of(options.limits, field, explains=explains)
        self._stream = Stream(limits, by_lines=is_followed)
        self._origin, self._options, self._positions = provenance, options, positions
        self._explains, self._form, self._defects, self._shift = explains, form, defects, shift
        self._elsewhere = elsewhere
        self._takes_each = options.takes_each
        self._has_context = explains or options.given["context"]

    def read(self, pieces: Iterable[str]) -> Iterator[Result]:
        """Yield the results of a text in pieces; a tuple of one is the whole text."""
        if isinstance(pieces, tuple):
            yield from self.feed(*pieces, is_whole=True)
            return
        for piece in pieces:
            yield from self.feed(piece)
        yield from self.feed("", is_whole=True)

    def feed(self, text: str, *, is_whole: bool = False) -> Iterator[Result]:
        """Feed a piece of the text; yield the results that no later piece can change."""
        matches, buffer = self._stream.feed(text, is_whole=is_whole)
        base = self._stream.base + self._shift
        for match in matches:
            self._positions.go_to(match.span.start + base, buffer, base)
            if not match.url:
                context = context_of(buffer, *match.span)
                yield rejection_of(match.moved(base), self._origin, self._positions, context)
                continue
            found = self._record(match, buffer, base)
            if self._elsewhere:
                joined = self._record(joined_elsewhere(match), buffer, base) if match.more_lines else None
                self._elsewhere.note(found, joined)
            if self._takes_each:
                yield found
            else:
                yield from chosen(found, self._options, explains=self._explains)
        if buffer and not is_whole:
            end = self._stream.settled - self._stream.base
            while end and buffer[end - 1] == "\r":  # a line end is only counted when it is complete
                end -= 1
            self._positions.go_to(end + base, buffer, base)

    def _record(self, match: Match, buffer: str, base: int) -> Found:
        return found_of(
            match,
            self._origin,
            self._options,
            self._positions,
            base=base,
            form=self._form,
            defects=self._defects,
            context=context_of(buffer, *match.span) if self._has_context else None,
        )


@lru_cache(maxsize=16)
def _limits_of(limits: ScanLimits, field: str | None, *, explains: bool) -> ScanLimits:
    """Return the scanner's limits for texts, or for header fields of the name ``field``.

    The results are cached, because a message has many fields, and most are short.
    """
    limits = limits._replace(explains=explains)
    if field is not None and (limits.reads_marks or limits.refang):
        hosts, addresses = schemeless_in(field)
        limits = limits._replace(hosts=hosts, addresses=addresses)
    return limits


# --- the two things that are made of texts -------------------------------------------------------


class Records:
    """Makes records."""

    def __init__(self, options: ExtractOptions, *, explains: bool = False) -> None:
        self._options, self._explains = options, explains

    def of_text(
        self,
        pieces: Iterable[str],
        provenance: Provenance,
        byte: int | None = None,
        start: int = 0,
        line: int = 1,
        *,
        is_followed: bool = False,
    ) -> Iterator[Result]:
        """Yield the results of a text in pieces, in the order of the text; a tuple of one is the whole text.

        ``byte`` is the offset of its first byte in the source, None if bytes are not counted. ``start``
        (in characters) and ``line`` are the place where it begins in a longer text. If it ``is_followed``,
        each piece ends with a line, which is decided as it comes.
        """
        positions, explains = Positions(start=start, line=line, byte=byte), self._explains
        reader = TextReader(
            provenance, self._options, positions, explains=explains, shift=start, is_followed=is_followed
        )
        return reader.read(pieces)

    def of_segments(self, segments: Iterable[Readable | LongText]) -> Iterator[Result]:
        """Yield the results of the texts of one message, or of a stretch of a page.

        A URL in doubt is decided by the others.
        """
        elsewhere = Elsewhere[Result]() if self._options.joins_bare else None
        results = (result for segment in segments for result in self._of_segment(segment, elsewhere))
        return elsewhere.settled(results) if elsewhere else results

    def _of_segment(
        self, segment: Readable | LongText, elsewhere: Elsewhere[Result] | None
    ) -> Iterator[Result]:
        options, explains = self._options, self._explains
        if isinstance(segment, Page):
            limits = _limits_of(options.limits, None, explains=explains)
            return read_page(segment, options, limits, elsewhere=elsewhere)
        pieces: Iterable[str] = (segment.text,) if isinstance(segment, Segment) else segment.pieces
        reader = TextReader(
            segment.provenance,
            options,
            Positions(byte=segment.byte),
            explains=explains,
            form=segment.form if isinstance(segment, Segment) else None,
            defects=segment.defects,
            elsewhere=elsewhere,
        )
        return reader.read(pieces)


def needs_no_records(options: ExtractOptions) -> bool:
    """Return whether the options ask for all URLs, each in its first reading."""
    reads_all = options.choice == EVERYTHING and options.since is None and options.until is None
    return options.takes_each and reads_all and not options.given["unwrap"]


class Urls:
    """Makes URLs of the same texts, without records: for callers that need nothing else."""

    def __init__(self, options: ExtractOptions) -> None:
        self._limits = options.limits
        self._drops_hyphens, self._joins_bare = options.given["hyphen"] == "drop", options.joins_bare

    def of_text(self, pieces: Iterable[str], *_: object, is_followed: bool = False) -> Iterator[str]:
        """Yield the URLs of a text in pieces; those in doubt are not joined."""
        scanned = _scanned(pieces, self._limits, is_followed=is_followed)
        return (self._url_of(match) for matches, _ in scanned for match in matches)

    def of_segments(self, segments: Iterable[Readable | LongText]) -> Iterator[str]:
        """Yield the URLs of the texts of one message, or of a stretch of a page."""
        elsewhere = Elsewhere[PlacedUrl]()
        urls = (url for segment in segments for url in self._of_segment(segment, elsewhere))
        return (found.url for found in (elsewhere.settled(urls) if self._joins_bare else urls))

    def _of_segment(
        self, segment: Readable | LongText, elsewhere: Elsewhere[PlacedUrl]
    ) -> Iterator[PlacedUrl]:
        for match in self._matches(segment):
            found = self._placed(match, segment.provenance)
            joined = None
            if match.more_lines is not None:
                joined = self._placed(with_url(match.with_more_lines()), segment.provenance)
            elsewhere.note(found, joined)
            yield found

    def _matches(self, segment: Readable | LongText) -> Iterable[Match]:
        if isinstance(segment, Segment):
            return scan(segment.text, self._limits)
        if isinstance(segment, LongText):
            scanned = _scanned(segment.pieces, self._limits)
            return (match.moved(base) for matches, base in scanned for match in matches)
        return matches_of_page(segment, self._limits)

    def _placed(self, match: Match, provenance: Provenance) -> PlacedUrl:
        url, where = self._url_of(match), provenance
        return PlacedUrl(url, match.span, where.part, where.header, where.occurrence)

    def _url_of(self, match: Match) -> str:
        return rejoined(match, "drop").url if self._drops_hyphens else match.url


def _scanned(
    pieces: Iterable[str], limits: ScanLimits, *, is_followed: bool = False
) -> Iterator[tuple[list[Match], int]]:
    """Yield the matches of a text in pieces, with the offset in it from which their places count."""
    stream = Stream(limits, by_lines=is_followed)
    for piece in pieces:
        yield stream.feed(piece)[0], stream.base
    yield stream.feed("", is_whole=True)[0], stream.base
