"""Scan texts and segments, and make the records of what was found, in the order of the text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache

from urlextract.message.fields import schemeless_in
from urlextract.message.html_page import Readable
from urlextract.pipeline.assembly import (
    Positions,
    context_of,
    found_of,
    readings_of,
    rejection_of,
)
from urlextract.pipeline.choice import chosen
from urlextract.pipeline.elsewhere import Elsewhere, Result, joined_elsewhere
from urlextract.pipeline.options import ExtractOptions
from urlextract.pipeline.page_records import read_page
from urlextract.records import Defect, Form, LongText, Match, Origin, Segment
from urlextract.results import Found, Rejection
from urlextract.scanner.buffer import ScanLimits
from urlextract.scanner.stream import Stream


class TextReader:
    """Scans one text, and makes records of the matches, with line, column and byte."""

    def __init__(
        self,
        origin: Origin,
        options: ExtractOptions,
        positions: Positions,
        *,
        explains: bool,
        form: Form | None = None,
        defects: tuple[Defect, ...] = (),
        shift: int = 0,
        elsewhere: Elsewhere[Result] | None = None,
        field: str | None = None,
    ) -> None:
        self._stream = Stream(_limits_of(options.limits, field, explains=explains))
        self._origin, self._options, self._positions = origin, options, positions
        self._explains, self._form, self._defects, self._shift = explains, form, defects, shift
        self._elsewhere = elsewhere
        self._gives_all = options.lets_all_pass and options.given["hyphen"] != "both"
        self._has_context = explains or options.given["context"]

    def feed(self, text: str, *, is_whole: bool = False) -> Iterator[Result]:
        """Feed a piece of the text; yield the results that no later piece can change."""
        matches, buffer = self._stream.feed(text, is_whole=is_whole)
        base = self._stream.base + self._shift
        for match in matches:
            if not match.url:
                yield self._rejection(match, buffer, base)
                continue
            found = self._found(match, buffer, base)
            if self._gives_all:
                yield found
            else:
                yield from self._chosen(found)
        if buffer and not is_whole:
            self._positions.go_to(
                _line_ends_whole(buffer, self._stream.settled - self._stream.base) + base, buffer, base
            )

    def _rejection(self, match: Match, buffer: str, base: int) -> Rejection:
        start, end = match.span
        self._positions.go_to(start + base, buffer, base)
        context = context_of(buffer, start, end, base)
        return rejection_of(match.moved(base), self._origin, self._positions, context)

    def _found(self, match: Match, buffer: str, base: int) -> Found:
        self._positions.go_to(match.span.start + base, buffer, base)
        found = self._record(match, buffer, base)
        if self._elsewhere:
            joined = self._record(joined_elsewhere(match), buffer, base) if match.more_lines else None
            self._elsewhere.note(found, joined)
        return found

    def _record(self, match: Match, buffer: str, base: int) -> Found:
        return found_of(
            match,
            self._origin,
            self._options,
            self._positions,
            base=base,
            form=self._form,
            defects=self._defects,
            context=context_of(buffer, *match.span, base) if self._has_context else None,
        )

    def _chosen(self, found: Found) -> Iterator[Result]:
        """Yield those readings of ``found`` that the options ask for."""
        for reading in readings_of(found, self._options):
            yield from chosen(reading, self._options, explains=self._explains)


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


def _line_ends_whole(text: str, at: int) -> int:
    """Return ``at`` moved back over carriage returns: a line end is only counted when it is complete."""
    while at and text[at - 1] == "\r":
        at -= 1
    return at


def read_text(
    pieces: Iterable[str],
    origin: Origin,
    options: ExtractOptions,
    *,
    byte: int | None = None,
    start: int = 0,
    line: int = 1,
    explains: bool = False,
) -> Iterator[Result]:
    """Yield the results of a text in pieces, in the order of the text; a tuple of one is the whole text.

    ``byte`` is the offset of its first byte in the source, None if bytes are not counted. ``start``
    (in characters) and ``line`` are the place where it begins in a longer text.
    """
    positions = Positions(start=start, line=line, byte=byte)
    reading = TextReader(origin, options, positions, explains=explains, shift=start)
    if isinstance(pieces, tuple):
        yield from reading.feed(*pieces, is_whole=True)
        return
    for piece in pieces:
        yield from reading.feed(piece)
    yield from reading.feed("", is_whole=True)


def read_segment(
    segment: Readable | LongText,
    options: ExtractOptions,
    *,
    explains: bool = False,
    elsewhere: Elsewhere[Result] | None = None,
) -> Iterator[Result]:
    """Yield the results of a segment, a page or a long text; its URLs are noted in ``elsewhere``."""
    if isinstance(segment, LongText):
        reading = TextReader(
            segment.origin,
            options,
            Positions(byte=segment.byte),
            explains=explains,
            defects=segment.defects,
            elsewhere=elsewhere,
        )
        for piece in segment.pieces:
            yield from reading.feed(piece)
        yield from reading.feed("", is_whole=True)
        return
    if not isinstance(segment, Segment):
        limits = _limits_of(options.limits, None, explains=explains)
        yield from read_page(segment, options, limits, elsewhere=elsewhere)
        return
    positions = Positions(start=segment.start, line=segment.line, column=segment.column, byte=segment.byte)
    reading = TextReader(
        segment.origin,
        options,
        positions,
        explains=explains,
        form=segment.form,
        defects=segment.defects,
        shift=segment.start,
        elsewhere=elsewhere,
        field=_field_of(segment),
    )
    yield from reading.feed(segment.text, is_whole=True)


def _field_of(segment: Segment) -> str | None:
    """Return the name of the header field that ``segment`` holds, None for another text."""
    return segment.origin.header if segment.form is Form.HEADER else None
