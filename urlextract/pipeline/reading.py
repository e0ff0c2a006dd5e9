"""Scan texts, segments and pages, and make records of the matches."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache

from urlextract.message.fields import schemeless_in
from urlextract.message.html_page import Page, Readable
from urlextract.pipeline.assembly import found_of, rejection_of
from urlextract.pipeline.choice import chosen
from urlextract.pipeline.options import ExtractOptions
from urlextract.pipeline.pages import read_page
from urlextract.pipeline.positions import Positions
from urlextract.pipeline.surroundings import LONGEST_CONTEXT, context_of
from urlextract.pipeline.urls import matches_in, windows_of
from urlextract.records import Defect, Form, LongText, Provenance, Refusal, Segment
from urlextract.results import Found, Rejection
from urlextract.scanner.feeding import Pieces
from urlextract.scanner.window import ScanOptions

Result = Found | Rejection


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
        is_followed: bool = False,
    ) -> None:
        field = provenance.header if form is Form.HEADER else None
        self._scan = _scan_options(options.scan, field, explains=explains)
        self._fed, self._by_lines = Pieces(by_lines=is_followed), is_followed
        # No line of a calendar and the like goes on in the next one.
        self._is_followed = is_followed and provenance.media_type is None
        self._origin, self._options, self._positions = provenance, options, positions
        self._explains, self._form, self._defects, self._shift = explains, form, defects, shift
        self._takes_each = options.takes_each
        self._has_context = explains or options.given["context"]
        self._before = ""  # the text before the next window, as far as a context goes

    def read(self, pieces: Iterable[str]) -> Iterator[Result]:
        """Yield the results of a text in pieces; a tuple of one is the whole text."""
        for base, window in windows_of(pieces, is_followed=self._by_lines):
            yield from self._results(base + self._shift, window)

    def feed(self, text: str, *, is_whole: bool = False) -> Iterator[Result]:
        """Feed a piece of the text; yield the results that no later piece can change."""
        for base, window in (*self._fed.feed(text), *(self._fed.close() if is_whole else ())):
            yield from self._results(base + self._shift, window)

    def _results(self, base: int, window: str) -> Iterator[Result]:
        """Yield the results of a window that begins at the offset ``base``."""
        shift = len(self._before)
        for match in matches_in(window, self._scan, is_followed=self._is_followed):
            self._positions.go_to(match.start + base, window, base)
            context = None
            if self._has_context:
                context = context_of(self._before + window, match.start + shift, match.end + shift)
            if isinstance(match, Refusal):
                yield rejection_of(match.moved(base), self._origin, self._positions, context)
                continue
            found = found_of(
                match,
                self._origin,
                self._options,
                self._positions,
                base=base,
                form=self._form,
                defects=self._defects,
                context=context,
            )
            if self._takes_each:
                yield found
            else:
                yield from chosen(found, self._options, explains=self._explains)
        self._positions.go_to(base + len(window), window, base)
        self._before = (self._before + window)[-LONGEST_CONTEXT:] if self._has_context else ""


@lru_cache(maxsize=16)
def _scan_options(options: ScanOptions, field: str | None, *, explains: bool) -> ScanOptions:
    """Return the options of a scan of texts, or of header fields of the name ``field``.

    The results are cached, because a message has many fields, and most are short.
    """
    options = options._replace(explains=explains)
    if field is not None and (options.reads_marks or options.refang):
        hosts, addresses = schemeless_in(field)
        options = options._replace(hosts=hosts, addresses=addresses)
    return options


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
        """Yield the results of the texts of one message, or of a stretch of a page."""
        return (result for segment in segments for result in self._of_segment(segment))

    def _of_segment(self, segment: Readable | LongText) -> Iterator[Result]:
        options, explains = self._options, self._explains
        if isinstance(segment, Page):
            return read_page(segment, options, _scan_options(options.scan, None, explains=explains))
        pieces: Iterable[str] = (segment.text,) if isinstance(segment, Segment) else segment.pieces
        reader = TextReader(
            segment.provenance,
            options,
            Positions(byte=segment.byte),
            explains=explains,
            form=segment.form if isinstance(segment, Segment) else None,
            defects=segment.defects,
        )
        return reader.read(pieces)
