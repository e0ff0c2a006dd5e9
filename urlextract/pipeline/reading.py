"""Scan texts and segments, and make the records of what was found, in the order of the text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache

from urlextract.message.fields import schemeless_in
from urlextract.message.html_page import Readable
from urlextract.pipeline.assembly import (
    Positions,
    context_of,
    found_as_it_stands,
    found_of,
    readings_of,
    rejection_of,
)
from urlextract.pipeline.choice import chosen
from urlextract.pipeline.elsewhere import Elsewhere, joined_elsewhere
from urlextract.pipeline.options import ExtractOptions
from urlextract.pipeline.page_records import read_page
from urlextract.records import Candidate, Defect, Form, Origin, Refusal, Segment, Span
from urlextract.results import Found, Rejection
from urlextract.scanner.buffer import ScanLimits, candidate_of
from urlextract.scanner.stream import Stream

_SHORT = Form.ABBREVIATED

Result = Found | Rejection


class Reading:
    """Scans one text, and makes records of the hits, with line, column and byte."""

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
        elsewhere: Elsewhere | None = None,
        field: str | None = None,
    ) -> None:
        self._stream = Stream(_limits_of(options, field, explains=explains))
        self._origin, self._options, self._positions = origin, options, positions
        self._explains, self._form, self._defects, self._shift = explains, form, defects, shift
        self._elsewhere = elsewhere
        self._gives_all = options.lets_all_pass and options.hyphen != "both"
        self._has_context = explains or options.context

    def feed(self, text: str, *, is_whole: bool = False) -> Iterator[Result]:
        """Feed a piece of the text; yield the results that no later piece can change."""
        hits, buffer = self._stream.feed(text, is_whole=is_whole)
        base = self._stream.base + self._shift
        positions, is_short = self._positions, not self._explains
        for hit in hits:
            start, end, form, first, url, value = hit
            if value is None and is_short and "&amp;" not in url:
                positions.go_to(start + base, buffer, base)
                context = context_of(buffer, start, end, base) if self._has_context else None
                found = found_as_it_stands(
                    url,
                    Span(start + base, end + base),
                    self._origin,
                    positions,
                    form=self._form or form,
                    defects=self._defects,
                    first=first + base,
                    added=len(url) - (end - first) if form is _SHORT else 0,
                    context=context,
                )
                if self._elsewhere:
                    self._elsewhere.note(found)
            else:
                candidate = candidate_of(hit, buffer, base)
                if self._explains:
                    yield from self._explained(candidate, buffer, base)
                    continue
                if not isinstance(candidate, Candidate):
                    continue
                found = self._found(candidate, buffer, base)
            if self._gives_all:
                yield found
            else:
                yield from self._chosen(found)
        if buffer and not is_whole:
            self._positions.go_to(
                _line_ends_whole(buffer, self._stream.settled - self._stream.base) + base, buffer, base
            )

    def _explained(self, value: Candidate | Refusal, buffer: str, base: int) -> Iterator[Result]:
        """Yield the record of a found URL or of a refused place."""
        if isinstance(value, Candidate):
            yield from self._chosen(self._found(value, buffer, base))
        else:
            self._positions.go_to(value.span.start, buffer, base)
            context = context_of(buffer, value.span.start - base, value.span.end - base, base)
            yield rejection_of(value, self._origin, self._positions, context)

    def _found(self, value: Candidate, buffer: str, base: int) -> Found:
        self._positions.go_to(value.span.start, buffer, base)

        def record_of(candidate: Candidate) -> Found:
            context = None
            if self._has_context:
                context = context_of(buffer, candidate.span.start - base, candidate.span.end - base, base)
            return found_of(
                candidate,
                self._origin,
                self._options,
                self._positions,
                form=self._form,
                defects=self._defects,
                context=context,
            )

        found = record_of(value)
        if self._elsewhere:
            self._elsewhere.note(found, record_of(joined_elsewhere(value)) if value.more_lines else None)
        return found

    def _chosen(self, found: Found) -> Iterator[Result]:
        """Yield those readings of ``found`` that the options ask for."""
        for reading in readings_of(found, self._options):
            yield from chosen(reading, self._options, explains=self._explains)


@lru_cache(maxsize=16)
def _limits_of(options: ExtractOptions, field: str | None, *, explains: bool) -> ScanLimits:
    """Return the scanner's limits for texts, or for header fields of the name ``field``.

    The results are cached, because a message has many fields, and most are short.
    """
    limits = options.limits(looks_on=True, explains=explains)
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
    reading = Reading(origin, options, positions, explains=explains, shift=start)
    if isinstance(pieces, tuple):
        yield from reading.feed(*pieces, is_whole=True)
        return
    for piece in pieces:
        yield from reading.feed(piece)
    yield from reading.feed("", is_whole=True)


def read_segment(
    segment: Readable, options: ExtractOptions, *, explains: bool = False, elsewhere: Elsewhere | None = None
) -> Iterator[Result]:
    """Yield the results of a segment or a page; its URLs are noted in ``elsewhere``."""
    if not isinstance(segment, Segment):
        limits = _limits_of(options, None, explains=explains)
        yield from read_page(segment, options, limits, elsewhere=elsewhere)
        return
    positions = Positions(start=segment.start, line=segment.line, column=segment.column, byte=segment.byte)
    reading = Reading(
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
