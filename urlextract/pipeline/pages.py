"""A page of HTML to URLs, in the order of its source: attributes, and what a reader sees.

Records and URLs alone come of one walk. A URL in a link that says the same as the link is that
link, not a second one.
"""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

from urlextract.linebreaks.joining import joined_url
from urlextract.message.entities import decode_attribute
from urlextract.pipeline.assembly import found_of, readings_of, rejection_of
from urlextract.pipeline.choice import chosen
from urlextract.pipeline.elsewhere import joined_elsewhere
from urlextract.pipeline.links import NOTHING, Shown, difference, host_of, is_redirector, what_is_shown
from urlextract.pipeline.positions import Positions
from urlextract.records import Candidate, Form, Refusal, Span
from urlextract.results import Found, Link, Rejection
from urlextract.scanner.attributes import Reading, find_in_value, read_value
from urlextract.scanner.buffer import Hit, Limits, candidate_of
from urlextract.scanner.stream import Stream

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from urlextract.message.html_page import Element, Page
    from urlextract.message.html_tokens import Value
    from urlextract.pipeline.elsewhere import Elsewhere
    from urlextract.pipeline.options import Options

__all__ = ["SHOWS_ANOTHER", "read_page", "urls_of_page"]

SHOWS_ANOTHER = "shows-another-domain"
"""The defect of a link that says one domain and leads to another: the way of phishing."""

_LIES = ("domain", "lookalike")
_LONGEST_TEXT = 200  # characters of what a link shows, in its record


class _Place(NamedTuple):
    """A URL of a page: where it begins in the markup, and what was read there.

    It comes of an attribute (``value`` and ``reading``), of a text in one (``value`` and ``candidate``),
    or of the visible text (``hit``). ``element`` is the link that it makes, or in which it is.
    """

    start: int
    value: Value | None = None
    reading: Reading | None = None
    candidate: Candidate | None = None
    hit: Hit | None = None
    element: Element | None = None


class _Walk:
    """The URLs of one page."""

    def __init__(self, page: Page, limits: Limits) -> None:
        self._page, self._limits = page, limits
        self._readings: dict[int, Reading] = {}  # of values, by their numbers
        self._shown: dict[int, Shown] = {}  # by the start of a link

    def places(self) -> list[_Place]:
        """Return all places in the order of the markup."""
        places = [*self._of_attributes(), *self._of_text()]
        places.sort(key=attrgetter("start"))
        return places

    def _of_attributes(self) -> Iterator[_Place]:
        page, any_scheme = self._page, self._limits.any_scheme
        texts: list[Value] = []
        for number, value in enumerate(page.values):
            if value.is_text:
                texts.append(value)
                continue
            reading = read_value(value.raw, page.bases_of(value), any_scheme=any_scheme)
            if reading is None:
                continue
            self._readings[number] = reading
            yield _Place(value.start, value, reading, element=page.element_at(value.tag))
            if reading.fault:
                for candidate in find_in_value(reading.url, any_scheme=any_scheme):
                    yield _Place(value.start, value, reading, candidate)
        for value in texts:
            yield from self._of_words(value)

    def _of_words(self, value: Value) -> Iterator[_Place]:
        """Yield the URLs in the text of an attribute, but those of its link."""
        text = decode_attribute(value.raw)
        if not (":" in text or "www." in text.lower() or self._limits.reads_marks):
            return
        element = self._page.element_at(value.tag)
        for hit in Stream(self._limits).feed(text, is_whole=True)[0]:
            candidate = candidate_of(hit, text)
            if isinstance(candidate, Candidate) and not (element and self._is_same(element, hit[4])):
                yield _Place(value.start, value, candidate=candidate, element=element)

    def _of_text(self) -> Iterator[_Place]:
        """Yield the URLs that a reader sees, but those that say what their link does."""
        page = self._page
        for hit in Stream(self._limits).feed(page.visible, is_whole=True)[0]:
            start = first = page.place(hit[0])
            if hit[3] != hit[0]:
                first = page.place(hit[3])
            element = page.element_at(first)
            if element is None or isinstance(hit[5], Refusal):
                yield _Place(start, hit=hit)
            elif not self._is_same(element, hit[4], is_all=page.place(hit[1] - 1) < element.end):
                yield _Place(start, hit=hit, element=element)

    def _is_same(self, element: Element, url: str, *, is_all: bool = True) -> bool:
        """Return whether ``url``, which begins in a link, and is all in it, says what the link does."""
        readings = [self._readings[number] for number in element.values if number in self._readings]
        targets = [reading.url for reading in readings if not reading.fault]
        if url in targets:
            return True
        shown, differs = self.shown(element)
        return (is_all and shown is not None and differs is None) or any(
            difference(target, url) is None for target in targets
        )

    def target(self, element: Element) -> str | None:
        """Return the URL that a link leads to, None if it has none."""
        reading = self._readings.get(element.target)
        return reading.url if reading and not reading.fault else None

    def shown(self, element: Element) -> Shown:
        """Return what the text of a link shows."""
        known = self._shown.get(element.start)
        if known is None:
            target = self.target(element)
            known = what_is_shown(self._page.text_of(element), target) if target else NOTHING
            self._shown[element.start] = known
        return known


def urls_of_page(page: Page, limits: Limits, url_of: Callable[[Candidate], str] = joined_url) -> list[str]:
    """Return the URLs of a page alone; ``url_of`` makes that of a candidate."""
    urls: list[str] = []
    for place in _Walk(page, limits).places():
        if place.candidate:
            urls.append(url_of(place.candidate))
        elif place.reading and not place.reading.fault:
            urls.append(place.reading.url)
        elif place.hit:
            value = place.hit[5] if url_of is not joined_url else None
            urls.append(url_of(value) if isinstance(value, Candidate) else place.hit[4])
    return urls


def read_page(
    page: Page, options: Options, limits: Limits, *, elsewhere: Elsewhere | None = None
) -> Iterator[Found | Rejection]:
    """Yield the records of a page."""
    reader = _Reader(page, options, limits, elsewhere)
    for place in reader.walk.places():
        yield from reader.results(place)


class _Reader:
    """The records of one page, whose places are told in order."""

    def __init__(self, page: Page, options: Options, limits: Limits, elsewhere: Elsewhere | None) -> None:
        self._page, self._options, self._limits, self._elsewhere = page, options, limits, elsewhere
        self._positions = Positions(byte=page.byte)
        self.walk = _Walk(page, limits)

    def results(self, place: _Place) -> Iterator[Found | Rejection]:
        """Yield what a place gives."""
        self._positions.go_to(place.start, self._page.text, 0)
        if place.value:
            result = self._of_value(place, place.value)
        elif place.hit:
            result = self._of_hit(place, candidate_of(place.hit, self._page.visible))
        else:
            return
        if isinstance(result, Found):
            for reading in readings_of(result, self._options):
                yield from chosen(reading, self._options, explains=self._limits.explains)
        elif self._limits.explains:
            yield result

    def _of_hit(self, place: _Place, value: Candidate | Refusal) -> Found | Rejection:
        """Return the record of what a reader sees."""
        if isinstance(value, Refusal):
            value = value._replace(span=self._page.hull(value.span))
            return rejection_of(value, self._page.origin, self._positions)
        inside = self.walk.target(place.element) if place.element else None
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

    def _of_value(self, place: _Place, value: Value) -> Found | Rejection:
        """Return the record of the value of an attribute, or of a URL in it."""
        page, reading = self._page, place.reading
        raw, span = value.raw, Span(value.start, value.start + len(value.raw))
        defects: tuple[str, ...] = ()
        if place.candidate:
            candidate = place.candidate._replace(span=span, inner=span, form=Form.HTML_ATTRIBUTE)
            defects = (reading.fault,) if reading else ()
        elif reading and not reading.fault:
            candidate = Candidate(span, Form.HTML_ATTRIBUTE, reading.url, span)
            defects = reading.defects
        else:
            refusal = Refusal(span, Form.HTML_ATTRIBUTE, raw, reading.fault if reading else "")
            return rejection_of(refusal, page.origin, self._positions)
        link, lie = self._link(place, value)
        found = found_of(
            candidate,
            page.origin,
            self._options,
            self._positions,
            defects=(*page.defects, *defects, *lie),
            raw=raw,
            link=link,
        )
        if self._elsewhere:
            self._elsewhere.note(found)
        return found

    def _link(self, place: _Place, value: Value) -> tuple[Link, tuple[str, ...]]:
        """Return what the element of a value shows, and the defect of one that lies."""
        element = place.element
        if element is None or element.start != value.tag:
            text = " ".join(self._page.alternatives.get(value.tag, "").split())
            return Link(element=value.element, attribute=value.attribute, text=text[:_LONGEST_TEXT]), ()
        text, (shown, differs) = self._page.text_of(element), self.walk.shown(element)
        if value.attribute != "href":
            shown = differs = None
        lie: tuple[str, ...] = ()
        if shown and differs in _LIES and place.reading and not is_redirector(place.reading.url):
            lie = (f"{SHOWS_ANOTHER}: {shown}, leads to {host_of(place.reading.url)}",)
        return Link(
            element=value.element,
            attribute=value.attribute,
            text=text[:_LONGEST_TEXT],
            shown=shown,
            differs=differs,
        ), lie
