"""The URLs of an HTML page in the order of its markup: those of attributes and of the visible text.

Records, and URLs without records, are made from the same places. A URL in the text of a link is left
out if it is equivalent to the target.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from operator import attrgetter
from typing import NamedTuple

from urlextract.linebreaks.joining import joined_url
from urlextract.message.entities import Decoded
from urlextract.message.html_page import Element, Page
from urlextract.message.html_tokens import Value, without_escapes
from urlextract.pipeline.links import NOTHING, Shown, difference, what_is_shown
from urlextract.records import Candidate, Refusal, Span
from urlextract.scanner.attributes import NO_ADDRESSES, Reading, find_in_value, read_value
from urlextract.scanner.buffer import Hit, ScanLimits, candidate_of
from urlextract.scanner.stream import Stream

_MOST_TARGETS = 8  # values of a link with which the URLs in its text are compared


class Place(NamedTuple):
    """A URL of a page, with ``start``, its offset in the markup.

    Its other fields depend on where the URL was found: ``value`` and ``reading`` for the value of an
    attribute, ``value`` and ``candidate`` for a URL in the text of an attribute (its span is that in the
    markup), ``hit`` for a URL or a refusal in the visible text. A URL found in a value that is no URL
    has ``value``, ``reading`` and ``candidate``. ``element`` is the link that has the URL, as its target
    or in its text.
    """

    start: int
    value: Value | None = None
    reading: Reading | None = None
    candidate: Candidate | None = None
    hit: Hit | None = None
    element: Element | None = None


class Walk:
    """Finds the URLs of one page."""

    def __init__(self, page: Page, limits: ScanLimits) -> None:
        self._page, self._limits = page, limits
        self._readings: dict[int, Reading] = {}  # by the number of the value
        self._salvaged: dict[int, str] = {}  # URLs in values that are no URLs, by the start of the value
        self._shown: dict[int, Shown] = {}  # by the start of the link
        self._last_text: tuple[Element | None, str] = None, ""

    def places(self) -> list[Place]:
        """Return all places in the order of the markup."""
        places = [*self._of_attributes(), *self._of_text()]
        places.sort(key=attrgetter("start"))
        return places

    def _of_attributes(self) -> Iterator[Place]:
        page, limits = self._page, self._limits
        texts: list[Value] = []
        for number, value in enumerate(page.values):
            if value.is_text:
                texts.append(value)
                continue
            raw = (
                without_escapes(value.raw) if value.attribute == "style" and "\\" in value.raw else value.raw
            )
            reading = read_value(
                raw, page.bases_of(value), any_scheme=limits.any_scheme, refang=limits.refang
            )
            if reading is None:
                continue
            self._readings[number] = reading
            yield Place(value.start, value, reading, element=page.element_at(value.tag))
            if reading.fault and reading.fault not in NO_ADDRESSES:
                yield from self._in_value(value, reading)
        for value in texts:
            yield from self._of_words(value)

    def _in_value(self, value: Value, reading: Reading) -> Iterator[Place]:
        """Yield the URLs that are found in a value that is no URL."""
        at = 0
        for candidate in find_in_value(reading.url, any_scheme=self._limits.any_scheme):
            self._salvaged.setdefault(value.start, joined_url(candidate))
            found = value.raw.find(candidate.raw, at)
            at = found + len(candidate.raw) if found >= 0 else at
            start, size = (found, len(candidate.raw)) if found >= 0 else (0, len(value.raw))
            span = Span(value.start + start, value.start + start + size)
            element = self._page.element_at(value.tag)
            yield Place(span.start, value, reading, candidate._replace(span=span), element=element)

    def _of_words(self, value: Value) -> Iterator[Place]:
        """Yield the URLs in the text of an attribute, without those equivalent to the target of its link."""
        has_sign = ":" in value.raw or "&" in value.raw or "www." in value.raw.lower()
        if not (has_sign or self._limits.reads_marks or self._limits.refang):
            return
        decoded, element = Decoded(value.raw), self._page.element_at(value.tag)
        for hit in Stream(self._limits).feed(decoded.text, is_whole=True)[0]:
            candidate = candidate_of(hit, decoded.text)
            if isinstance(candidate, Candidate) and not (element and self._is_same(element, hit[4])):
                start, end = decoded.place(candidate.span.start), decoded.place(candidate.span.end)
                span = Span(value.start + start, value.start + end)
                yield Place(span.start, value, candidate=candidate._replace(span=span), element=element)

    def _of_text(self) -> Iterator[Place]:
        """Yield the URLs in the visible text, without those equivalent to the target of their link."""
        page = self._page
        for hit in Stream(self._limits).feed(page.visible, is_whole=True)[0]:
            number = page.text_at(hit[0])
            start = page.start_of(number)
            element = page.element_of(page.text_at(hit[3]))
            if element is None or isinstance(hit[5], Refusal):
                yield Place(start, hit=hit)
            elif not self._is_same(element, hit[4], is_all=page.text_at(hit[1] - 1) <= element.last):
                yield Place(start, hit=hit, element=element)

    def _is_same(self, element: Element, url: str, *, is_all: bool = True) -> bool:
        """Return whether ``url``, which begins in the text of a link, is equivalent to a target of it.

        ``is_all`` is true if the URL also ends in the text of the link.
        """
        values = element.values[:_MOST_TARGETS]
        readings = [self._readings[number] for number in values if number in self._readings]
        targets = [reading.url for reading in readings if not reading.fault]
        if url in targets:
            return True
        shown, differs = self.shown(element)
        return (is_all and shown is not None and differs is None) or any(
            difference(target, url) is None for target in targets
        )

    def target(self, element: Element) -> str | None:
        """Return the target of a link, None if it has none."""
        reading = self._readings.get(element.target)
        if reading and not reading.fault:
            return reading.url
        return self._salvaged.get(self._page.values[element.target].start) if reading else None

    def text_of(self, element: Element) -> str:
        """Return the visible text of a link; the text of the last link is cached."""
        if self._last_text[0] is not element:
            self._last_text = element, self._page.text_of(element)
        return self._last_text[1]

    def shown(self, element: Element) -> Shown:
        """Return the URL that the text of a link shows: see `what_is_shown`."""
        known = self._shown.get(element.start)
        if known is None:
            target = self.target(element)
            known = what_is_shown(self.text_of(element), target) if target else NOTHING
            self._shown[element.start] = known
        return known


def urls_of_page(
    page: Page, limits: ScanLimits, url_of: Callable[[Candidate], str] = joined_url
) -> list[str]:
    """Return the URLs of a page, without records; ``url_of`` returns the URL of a candidate."""
    urls: list[str] = []
    for place in Walk(page, limits).places():
        if place.candidate:
            urls.append(url_of(place.candidate))
        elif place.reading and not place.reading.fault:
            urls.append(place.reading.url)
        elif place.hit:
            value = place.hit[5] if url_of is not joined_url else None
            urls.append(url_of(value) if isinstance(value, Candidate) else place.hit[4])
    return urls
