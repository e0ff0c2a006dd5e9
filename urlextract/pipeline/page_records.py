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
    found_as_it_stands,
    found_of,
    readings_of,
    rejection_of,
    seen_around,
)
from urlextract.pipeline.choice import chosen
from urlextract.pipeline.elsewhere import Elsewhere, joined_elsewhere
from urlextract.pipeline.links import host_of, is_redirector
from urlextract.pipeline.options import ExtractOptions
from urlextract.pipeline.pages import Place, Walk
from urlextract.records import Candidate, Defect, DefectCode, Form, Link, Refusal, Span
from urlextract.results import Found, Rejection
from urlextract.scanner.buffer import SHOWN, Hit, ScanLimits, candidate_of
from urlextract.schemes.comparing import host_name_of

_LIES = ("domain", "lookalike")
_LONGEST_INSIDE = 4096  # characters of ``inside`` in a record
_LONGEST_TEXT = 200  # characters of the text of a link in its record


def read_page(
    page: Page, options: ExtractOptions, limits: ScanLimits, *, elsewhere: Elsewhere | None = None
) -> Iterator[Found | Rejection]:
    """Yield the results of a page; its URLs are noted in ``elsewhere``."""
    reader = _Reader(page, options, limits, elsewhere)
    for place in reader.walk.places():
        yield from reader.results(place)


class _Reader:
    """Makes the records of one page; its places must be read in their order."""

    def __init__(
        self, page: Page, options: ExtractOptions, limits: ScanLimits, elsewhere: Elsewhere | None
    ) -> None:
        self._page, self._options, self._limits, self._elsewhere = page, options, limits, elsewhere
        self._positions = Positions(start=page.start, line=page.line, column=page.column, byte=page.byte)
        self._gives_all = options.lets_all_pass and options.hyphen != "both"
        self._has_context = limits.explains or options.context
        self.walk = Walk(page, limits)

    def results(self, place: Place) -> Iterator[Found | Rejection]:
        """Yield the results of a place."""
        if place.value:
            self._positions.go_to(place.start + self._page.start, self._page.text, self._page.start)
            result = self._of_value(place, place.value)
        elif place.hit:
            result = self._of_hit(place, place.hit)
        else:
            return
        if isinstance(result, Found):
            if self._gives_all:
                yield result
                return
            for reading in readings_of(result, self._options):
                yield from chosen(reading, self._options, explains=self._limits.explains)
        elif self._limits.explains:
            yield result

    def _of_hit(self, place: Place, hit: Hit) -> Found | Rejection:
        """Return the record of a hit in the visible text."""
        page, (start, end, form, first, url, kept) = self._page, hit
        places = page.places(Span(start, end))
        self._positions.go_to(places[0].start + page.start, page.text, page.start)
        target = self.walk.target(place.element) if place.element else None
        inside = target[:_LONGEST_INSIDE] if target else None
        is_as_it_stands = len(places) == 1 and places[0].end - places[0].start == end - start
        if kept is None and is_as_it_stands and not self._limits.explains and "&amp;" not in url:
            found = found_as_it_stands(
                url,
                places[0].moved(page.start),
                page.origin,
                self._positions,
                form=form,
                defects=page.defects,
                first=places[0].start + page.start + first - start,
                context=self._context(places[0]),
                added=len(url) - (end - first) if form is Form.ABBREVIATED else 0,
                inside=inside,
            )
            if self._elsewhere:
                self._elsewhere.note(found)
            return found
        value = candidate_of(hit, page.visible)
        if isinstance(value, Refusal):
            hull = page.hull(value.span)
            value = value._replace(span=hull.moved(page.start))
            return rejection_of(value, page.origin, self._positions, self._context(hull))
        found = self._seen(value, inside)
        if self._elsewhere:
            joined = self._seen(joined_elsewhere(value), inside) if value.more_lines else None
            self._elsewhere.note(found, joined)
        return found

    def _seen(self, candidate: Candidate, inside: str | None) -> Found:
        page = self._page
        return found_of(
            candidate,
            page.origin,
            self._options,
            self._positions,
            defects=page.defects,
            context=self._context(page.hull(candidate.span)) if self._has_context else None,
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

    def _of_value(self, place: Place, value: Value) -> Found | Rejection:
        """Return the record of an attribute value, or of a URL in one."""
        page, reading = self._page, place.reading
        start = value.start + page.start
        raw, span = value.raw, Span(start, start + len(value.raw))
        if place.candidate is None and (reading is None or reading.fault):
            fault = reading.fault if reading else ""
            refusal = Refusal(span, Form.HTML_ATTRIBUTE, raw[:SHOWN], fault)
            context = self._context(span.moved(-page.start))
            return rejection_of(refusal, page.origin, self._positions, context)
        link, lie = self._link(place, value)
        own: tuple[Defect, ...]
        if place.candidate:
            raw, span = place.candidate.span.of(page.text), place.candidate.span.moved(page.start)
            candidate = place.candidate._replace(span=span, inner=span, form=Form.HTML_ATTRIBUTE)
            own = (Defect(DefectCode.ODD_VALUE, reading.fault),) if reading else ()
        else:
            candidate = Candidate(span, Form.HTML_ATTRIBUTE, reading.url if reading else "", span)
            own = reading.defects if reading else ()
        defects = (*page.defects, *own, *lie)
        context = self._context(span.moved(-page.start))
        if place.candidate is None and candidate.raw.isascii():
            found = found_as_it_stands(
                candidate.raw,
                span,
                page.origin,
                self._positions,
                form=Form.HTML_ATTRIBUTE,
                defects=defects,
                first=start,
                raw=raw,
                context=context,
                link=link,
            )
        else:
            found = found_of(
                candidate,
                page.origin,
                self._options,
                self._positions,
                defects=defects,
                context=context,
                raw=raw,
                link=link,
            )
        if reading and reading.repairs and not place.candidate:
            found = replace(found, repairs=(*reading.repairs, *found.repairs))
        if self._elsewhere:
            self._elsewhere.note(found)
        return found

    def _link(self, place: Place, value: Value) -> tuple[Link, tuple[Defect, ...]]:
        """Return the `Link` of an attribute value, and its defect if it shows another domain."""
        element = place.element
        if element is None or element.start != value.tag:
            text = on_one_line(self._page.alternatives.get(value.tag, ""), _LONGEST_TEXT)
            return Link(element=value.element, attribute=value.attribute, text=text), ()
        text, (shown, differs) = self.walk.text_of(element), self.walk.shown(element)
        target = self.walk.target(element)
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
