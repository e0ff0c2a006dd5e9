"""The records of an HTML page: its URLs with their places in the markup, and the texts of its links."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlextract.message.html_tokens import TARGETS
from urlextract.pipeline.assembly import Positions, found_as_it_stands, found_of, readings_of, rejection_of
from urlextract.pipeline.choice import chosen
from urlextract.pipeline.elsewhere import joined_elsewhere
from urlextract.pipeline.links import host_of, is_redirector
from urlextract.pipeline.pages import Place, Walk
from urlextract.records import Candidate, Form, Refusal, Span
from urlextract.results import Found, Link, Rejection
from urlextract.scanner.buffer import candidate_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from urlextract.message.html_page import Page
    from urlextract.message.html_tokens import Value
    from urlextract.pipeline.elsewhere import Elsewhere
    from urlextract.pipeline.options import ExtractOptions
    from urlextract.scanner.buffer import Hit, ScanLimits

__all__ = ["SHOWS_ANOTHER", "read_page"]

SHOWS_ANOTHER = "shows-another-domain"
"""The defect of a link that shows one domain and leads to another, as in phishing."""

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
                added=len(url) - (end - first) if form is Form.ABBREVIATED else 0,
                inside=inside,
            )
            if self._elsewhere:
                self._elsewhere.note(found)
            return found
        value = candidate_of(hit, page.visible)
        if isinstance(value, Refusal):
            value = value._replace(span=page.hull(value.span).moved(page.start))
            return rejection_of(value, page.origin, self._positions)
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
            page=page,
            inside=inside,
        )

    def _of_value(self, place: Place, value: Value) -> Found | Rejection:
        """Return the record of an attribute value, or of a URL in one."""
        page, reading = self._page, place.reading
        start = value.start + page.start
        raw, span = value.raw, Span(start, start + len(value.raw))
        if place.candidate is None and (reading is None or reading.fault):
            refusal = Refusal(span, Form.HTML_ATTRIBUTE, raw, reading.fault if reading else "")
            return rejection_of(refusal, page.origin, self._positions)
        link, lie = self._link(place, value)
        own: tuple[str, ...]
        if place.candidate:
            raw, span = place.candidate.raw, place.candidate.span.moved(page.start)
            candidate = place.candidate._replace(span=span, inner=span, form=Form.HTML_ATTRIBUTE)
            own = (reading.fault,) if reading else ()
        else:
            candidate = Candidate(span, Form.HTML_ATTRIBUTE, reading.url if reading else "", span)
            own = reading.defects if reading else ()
        defects = (*page.defects, *own, *lie)
        if place.candidate is None and candidate.raw.isascii():
            found = found_as_it_stands(
                candidate.raw,
                span,
                page.origin,
                self._positions,
                form=Form.HTML_ATTRIBUTE,
                defects=defects,
                raw=raw,
                link=link,
            )
        else:
            found = found_of(
                candidate, page.origin, self._options, self._positions, defects=defects, raw=raw, link=link
            )
        if self._elsewhere:
            self._elsewhere.note(found)
        return found

    def _link(self, place: Place, value: Value) -> tuple[Link, tuple[str, ...]]:
        """Return the `Link` of an attribute value, and its defect if it shows another domain."""
        element = place.element
        if element is None or element.start != value.tag:
            text = " ".join(self._page.alternatives.get(value.tag, "").split())
            return Link(element=value.element, attribute=value.attribute, text=text[:_LONGEST_TEXT]), ()
        text, (shown, differs) = self.walk.text_of(element), self.walk.shown(element)
        target = self.walk.target(element)
        if value.attribute not in TARGETS or not target:
            shown = differs = None
        lie: tuple[str, ...] = ()
        if shown and target and differs in _LIES and not is_redirector(target):
            lie = (f"{SHOWS_ANOTHER}: {shown}, leads to {host_of(target)}",)
        return Link(
            element=value.element,
            attribute=value.attribute,
            text=text[:_LONGEST_TEXT],
            shown=shown,
            differs=differs,
        ), lie
