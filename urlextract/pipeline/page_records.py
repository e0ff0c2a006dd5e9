"""The records of an HTML page: its URLs with their places in the markup, and the texts of its links."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from urlextract.message.html_page import Page, on_one_line
from urlextract.message.html_tokens import TARGETS, Value
from urlextract.pipeline.assembly import (
    Context,
    Positions,
    context_of,
    found_of,
    readings_of,
    rejection_of,
    seen_around,
)
from urlextract.pipeline.choice import chosen
from urlextract.pipeline.elsewhere import Elsewhere, Result, joined_elsewhere
from urlextract.pipeline.links import host_of, is_redirector
from urlextract.pipeline.options import ExtractOptions
from urlextract.pipeline.pages import PageMatch, PageReader
from urlextract.records import Defect, DefectCode, Link, Match, Span
from urlextract.results import Found, Rejection
from urlextract.scanner.buffer import ScanLimits
from urlextract.schemes.comparing import host_name_of

_LIES = ("domain", "lookalike")
_LONGEST_INSIDE = 4096  # characters of ``inside`` in a record
_LONGEST_TEXT = 200  # characters of the text of a link in its record


def read_page(
    page: Page,
    options: ExtractOptions,
    limits: ScanLimits,
    *,
    elsewhere: Elsewhere[Result] | None = None,
) -> Iterator[Found | Rejection]:
    """Yield the results of a page; its URLs are noted in ``elsewhere``."""
    records = _PageRecords(page, options, limits, elsewhere)
    for place in records.reader.places():
        yield from records.results(place)


class _PageRecords:
    """Makes the records of one page; its places must be read in their order."""

    def __init__(
        self,
        page: Page,
        options: ExtractOptions,
        limits: ScanLimits,
        elsewhere: Elsewhere[Result] | None,
    ) -> None:
        self._page, self._options, self._limits, self._elsewhere = page, options, limits, elsewhere
        self._positions = Positions(start=page.start, line=page.line, column=page.column, byte=page.byte)
        self._gives_all = options.lets_all_pass and options.given["hyphen"] != "both"
        self._has_context = limits.explains or options.given["context"]
        self.reader = PageReader(page, limits)

    def results(self, place: PageMatch) -> Iterator[Found | Rejection]:
        """Yield the results of a place."""
        if not (place.match.url or self._limits.explains):
            return
        result = self._of_value(place, place.value) if place.value else self._of_text(place)
        if isinstance(result, Rejection):
            yield result
            return
        if self._elsewhere:
            more = place.match.more_lines if not place.value else None
            joined = self._seen(joined_elsewhere(place.match), result.inside) if more else None
            self._elsewhere.note(result, joined)
        if self._gives_all:
            yield result
            return
        for reading in readings_of(result, self._options):
            yield from chosen(reading, self._options, explains=self._limits.explains)

    def _of_text(self, place: PageMatch) -> Found | Rejection:
        """Return the record of a match in the visible text."""
        page, match = self._page, place.match
        hull = page.hull(match.span)
        self._positions.go_to(hull.start + page.start, page.text, page.start)
        if not match.url:
            rejected = match._replace(span=hull.moved(page.start))
            return rejection_of(rejected, page.origin, self._positions, self._context(hull))
        target = self.reader.target(place.element) if place.element else None
        return self._seen(match, target[:_LONGEST_INSIDE] if target else None)

    def _seen(self, match: Match, inside: str | None) -> Found:
        page = self._page
        return found_of(
            match,
            page.origin,
            self._options,
            self._positions,
            defects=page.defects,
            context=self._context(page.hull(match.span)) if self._has_context else None,
            page=page,
            inside=inside,
        )

    def _context(self, place: Span) -> Context | None:
        """Return the context of a place in the markup, None if it is not asked for."""
        page = self._page
        if not self._has_context:
            return None
        if self._options.sees:
            return seen_around(page.visible, page.seen_at(place.start), page.seen_at(place.end)), place.start
        return context_of(page.text, *place, page.start)

    def _of_value(self, place: PageMatch, value: Value) -> Found | Rejection:
        """Return the record of an attribute value, or of a URL in one."""
        page, reading, match = self._page, place.reading, place.match.moved(self._page.start)
        self._positions.go_to(place.start + page.start, page.text, page.start)
        context = self._context(place.match.span)
        if not match.url:
            return rejection_of(match, page.origin, self._positions, context)
        link, lie = self._link(place, value)
        own: tuple[Defect, ...] = ()
        if reading:  # the URL is all of the value, or stands in one that is no URL
            rejection = reading.rejection
            own = (Defect(DefectCode.ODD_VALUE, str(rejection)),) if rejection else reading.defects
        found = found_of(
            match,
            page.origin,
            self._options,
            self._positions,
            defects=(*page.defects, *own, *lie),
            context=context,
            raw=place.match.span.of(page.text),
            link=link,
        )
        if reading and reading.repairs and not reading.rejection:
            found = replace(found, repairs=(*reading.repairs, *found.repairs))
        return found

    def _link(self, place: PageMatch, value: Value) -> tuple[Link, tuple[Defect, ...]]:
        """Return the `Link` of an attribute value, and its defect if it shows another domain."""
        element = place.element
        if element is None or element.start != value.tag:
            text = on_one_line(self._page.alternatives.get(value.tag, ""), _LONGEST_TEXT)
            return Link(element=value.element, attribute=value.attribute, text=text), ()
        text, (shown, differs) = self.reader.text_of(element), self.reader.shown(element)
        target = self.reader.target(element)
        if value.attribute not in TARGETS or not target:
            shown = differs = None
        lie: tuple[Defect, ...] = ()
        if shown and target and differs in _LIES and not (is_redirector(target) or is_redirector(shown)):
            words = f"{DefectCode.SHOWS_ANOTHER_DOMAIN}: {shown}, leads to {_as_looked_up(host_of(target))}"
            lie = (Defect(DefectCode.SHOWS_ANOTHER_DOMAIN, words),)
        return Link(
            element=value.element,
            attribute=value.attribute,
            text=text[:_LONGEST_TEXT],
            shown=shown,
            differs=differs,
        ), lie


def _as_looked_up(host: str) -> str:
    """Return a host that has other letters than ASCII with A-labels, so that look-alikes are seen."""
    return host if host.isascii() else host_name_of(f"http://{host}/") or host
