"""The URLs of an HTML page in the order of its markup, those of attributes and of the visible text.

Records, and URLs without records, are made from the same places. A URL in the text of a link is left
out if it is equivalent to the target.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from operator import attrgetter
from typing import NamedTuple

from urlextract.grammar.codes import AlternativeCode, DefectCode
from urlextract.grammar.rules import NO_ADDRESSES, Rule
from urlextract.message.entities import Decoded, decode_attribute
from urlextract.message.html_page import Element, Page, on_one_line
from urlextract.message.html_tokens import TARGETS, Value, without_escapes
from urlextract.pipeline.assembly import Linked, Positions, found_of, rejection_of
from urlextract.pipeline.choice import chosen
from urlextract.pipeline.evidence import Elsewhere, Result, joined_elsewhere
from urlextract.pipeline.links import (
    NOTHING,
    Shown,
    deception,
    defect_of_script,
    difference,
    host_of,
    override_in,
    what_is_shown,
)
from urlextract.pipeline.options import ExtractOptions
from urlextract.pipeline.surroundings import lines_around, seen_around
from urlextract.records import Alternative, Defect, Form, Match, Span
from urlextract.results import Found, Rejection
from urlextract.scanner.attributes import AttributeUrl, find_in_value, read_value
from urlextract.scanner.buffer import SHOWN, ScanLimits, with_url
from urlextract.scanner.stream import scan
from urlextract.schemes.gateways import NO_GATEWAYS, Gateways, trusted_target

_LONGEST_INSIDE = 4096  # characters of ``inside`` in a record
_LONGEST_TEXT = 200  # characters of the text of a link in its record
_MOST_LABELS, _LONGEST_LABEL = 8, 1000  # of a link, that are compared with its target

_MOST_TARGETS = 8  # values of a link with which the URLs in its text are compared


class PageMatch(NamedTuple):
    """A URL of a page, with ``start``, its offset in the markup.

    ``match`` has its span in the markup if ``value`` is set, the attribute that has the URL, else in the
    visible text. ``reading`` is that of the value: the URL is all of it, or stands in one that is rejected.
    ``element`` is the link that has the URL, as its target or in its text.
    """

    start: int
    match: Match
    value: Value | None = None
    reading: AttributeUrl | None = None
    element: Element | None = None


def _whole(value: Value, reading: AttributeUrl) -> Match:
    """Return the match of a value, all of which is the URL, or is rejected."""
    span = Span(value.start, value.start + len(value.raw))
    if reading.rejection:
        return Match(span, Form.HTML_ATTRIBUTE, value.raw[:SHOWN], span, rule=reading.rejection)
    return Match(span, Form.HTML_ATTRIBUTE, reading.url, span, url=reading.url, rule=Rule.VALUE)


def _moved(match: Match, span: Span) -> Match:
    """Return a match found in a value, as one of the markup at ``span``."""
    return match._replace(span=span, inner=span, form=Form.HTML_ATTRIBUTE)


class PageReader:
    """Finds the URLs of one page."""

    def __init__(self, page: Page, limits: ScanLimits, gateways: Gateways = NO_GATEWAYS) -> None:
        self._page, self._limits, self._gateways = page, limits, gateways
        self._readings: dict[int, AttributeUrl] = {}  # by the number of the value
        self._salvaged: dict[int, str] = {}  # URLs in values that are no URLs, by the start of the value
        self._shown: dict[int, Shown] = {}  # by the start of the link
        self._last_text: tuple[Element | None, str] = None, ""

    def places(self) -> list[PageMatch]:
        """Return all places in the order of the markup."""
        places = [*self._of_attributes(), *self._of_text()]
        places.sort(key=attrgetter("start"))
        return places

    def _of_attributes(self) -> Iterator[PageMatch]:
        page, limits = self._page, self._limits
        texts: list[Value] = []
        for number, value in enumerate(page.values):
            if value.is_text:
                if value.attribute in ("alt", "title"):
                    texts.append(value)
                continue
            raw = (
                without_escapes(value.raw) if value.attribute == "style" and "\\" in value.raw else value.raw
            )
            reading = read_value(
                raw,
                page.bases_of(value),
                any_scheme=limits.any_scheme or bool(limits.schemes),
                refang=limits.refang,
            )
            if reading is None:
                continue
            self._readings[number] = reading
            yield PageMatch(value.start, _whole(value, reading), value, reading, page.element_at(value.tag))
            if reading.rejection and reading.rejection not in NO_ADDRESSES:
                yield from self._in_value(value, reading)
        for value in texts:
            yield from self._of_words(value)

    def _in_value(self, value: Value, reading: AttributeUrl) -> Iterator[PageMatch]:
        """Yield the URLs that are found in a value that is no URL."""
        at = 0
        for match in find_in_value(reading.url, any_scheme=self._limits.any_scheme):
            self._salvaged.setdefault(value.start, match.url)
            found = value.raw.find(match.raw, at)
            at = found + len(match.raw) if found >= 0 else at
            start, size = (found, len(match.raw)) if found >= 0 else (0, len(value.raw))
            span = Span(value.start + start, value.start + start + size)
            yield PageMatch(span.start, _moved(match, span), value, reading, self._page.element_at(value.tag))

    def _of_words(self, value: Value) -> Iterator[PageMatch]:
        """Yield the URLs in the text of an attribute, without those equivalent to the target of its link."""
        has_sign = ":" in value.raw or "&" in value.raw or "www." in value.raw.lower()
        if not (has_sign or self._limits.reads_marks or self._limits.refang):
            return
        decoded, element = Decoded(value.raw), self._page.element_at(value.tag)
        for match in scan(decoded.text, self._limits):
            if match.url and not (element and self._is_same(element, match.url)):
                span = Span(*map(decoded.place, match.span)).moved(value.start)
                yield PageMatch(span.start, _moved(match, span), value, element=element)

    def _of_text(self) -> Iterator[PageMatch]:
        """Yield the URLs in the visible text, without those equivalent to the target of their link."""
        page = self._page
        for match in scan(page.visible, self._limits):
            start, element, is_all = page.link_of(match.span, match.inner)
            if match.reasons and self._goes_on_in_another_link(match, element):
                match = with_url(match.without_next_lines())  # noqa: PLW2901
            if element is None or not match.url:
                yield PageMatch(start, match)
            elif not self._is_same(element, match.url, is_all=is_all):
                yield PageMatch(start, match, element=element)

    def _goes_on_in_another_link(self, match: Match, element: Element | None) -> bool:
        """Return whether a URL that goes on, or may, on its next lines does so in another link."""
        end = match.inner.start + len(match.more_lines or match.raw)
        other = self._page.element_at(self._page.hull(Span(end - 1, end)).start)
        return other is not None and other is not element

    def _is_same(self, element: Element, url: str, *, is_all: bool = True) -> bool:
        """Return whether ``url``, which begins in the text of a link, is equivalent to a target of it.

        ``is_all`` is true if the URL also ends in the text of the link.
        """
        values = element.values[:_MOST_TARGETS]
        readings = [self._readings[number] for number in values if number in self._readings]
        targets = [reading.url for reading in readings if not reading.rejection]
        if url in targets:
            return True
        shown, differs = self.shown(element)
        return (is_all and shown is not None and differs is None) or any(
            difference(self.leads_to(target), url) is None for target in targets
        )

    def target(self, element: Element) -> str | None:
        """Return the target of a link, None if it has none."""
        reading = self._readings.get(element.target)
        if reading and not reading.rejection:
            return reading.url
        return self._salvaged.get(self._page.values[element.target].start) if reading else None

    def leads_to(self, target: str) -> str:
        """Return where a link leads through the user's own gateways."""
        return trusted_target(target, self._gateways, is_whole=True) if self._gateways else target

    def refusal(self, element: Element) -> Rule | None:
        """Return the rule that rejects the target of a link, if that is a script or data."""
        reading = self._readings.get(element.target)
        return reading.rejection if reading and reading.rejection in NO_ADDRESSES else None

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
            known = what_is_shown(self.text_of(element), self.leads_to(target)) if target else NOTHING
            self._shown[element.start] = known
        return known


def matches_of_page(page: Page, limits: ScanLimits) -> Iterator[Match]:
    """Yield the URLs of a page in the order of its markup, for those who need no records."""
    for place in PageReader(page, limits).places():
        if place.match and place.match.url:
            yield place.match


# --- records -------------------------------------------------------------------------------------


def read_page(
    page: Page,
    options: ExtractOptions,
    limits: ScanLimits,
    *,
    elsewhere: Elsewhere[Result] | None = None,
) -> Iterator[Result]:
    """Yield the results of a page; its URLs are noted in ``elsewhere``."""
    reader = PageReader(page, limits, options.gateways)
    records, takes_each = _PageRecords(page, options, limits, reader), options.takes_each
    for place in reader.places():
        if not (place.match.url or limits.explains):
            continue
        result = records.of_value(place, place.value) if place.value else records.of_text(place)
        if isinstance(result, Rejection):
            yield result
            continue
        if elsewhere:
            more = place.match.more_lines if not place.value else None
            joined = records.seen(joined_elsewhere(place.match), result.inside) if more else None
            elsewhere.note(result, joined)
        if takes_each:
            yield result
        else:
            yield from chosen(result, options, explains=limits.explains)


class _PageRecords:
    """Makes the records of one page; its places must be read in their order."""

    def __init__(self, page: Page, options: ExtractOptions, limits: ScanLimits, reader: PageReader) -> None:
        self._page, self._options, self._reader = page, options, reader
        self._positions = Positions(start=page.start, line=page.line, column=page.column, byte=page.byte)
        self._has_context = limits.explains or options.given["context"]

    def of_text(self, place: PageMatch) -> Found | Rejection:
        """Return the record of a match in the visible text."""
        page, match = self._page, place.match
        hull = page.hull(match.span)
        self._positions.go_to(hull.start + page.start, page.text, page.start)
        if not match.url:
            rejected = match._replace(span=hull.moved(page.start))
            return rejection_of(rejected, page.provenance, self._positions, self._context(hull))
        if place.element is None:
            return self.seen(match, None)
        target, refusal = self._reader.target(place.element), self._reader.refusal(place.element)
        if refusal:
            is_all = what_is_shown(self._reader.text_of(place.element), "").text
            code = DefectCode.SHOWS_ANOTHER_DOMAIN if is_all else DefectCode.MENTIONS_ANOTHER_DOMAIN
            leads = defect_of_script(code, host_of(match.url), refusal)
            match = match._replace(defects=(*match.defects, leads))
        return self.seen(match, target[:_LONGEST_INSIDE] if target else None)

    def seen(self, match: Match, inside: str | None) -> Found:
        page = self._page
        return found_of(
            match,
            page.provenance,
            self._options,
            self._positions,
            defects=page.defects,
            context=self._context(page.hull(match.span)) if self._has_context else None,
            page=page,
            inside=inside,
        )

    def _context(self, place: Span) -> str | None:
        """Return the context of a place in the markup, None if it is not asked for."""
        page = self._page
        if not self._has_context:
            return None
        if self._options.sees:
            return seen_around(page.visible, page.seen_at(place.start), page.seen_at(place.end))
        return lines_around(page.text, *place)

    def of_value(self, place: PageMatch, value: Value) -> Found | Rejection:
        """Return the record of an attribute value, or of a URL in one."""
        page, reading, match = self._page, place.reading, place.match.moved(self._page.start)
        self._positions.go_to(place.start + page.start, page.text, page.start)
        context = self._context(place.match.span)
        if not match.url:
            refused = self._refused_link(place.element, value)
            return rejection_of(match, page.provenance, self._positions, context, refused)
        linked, lie = self._link(place, value)
        if reading and not reading.rejection and value.attribute in TARGETS:
            match = match._replace(also=_trimmed(reading.url, linked.text or ""))
        own: tuple[Defect, ...] = ()
        if reading:  # the URL is all of the value, or stands in one that is no URL
            rejection = reading.rejection
            own = (
                (Defect(DefectCode.ODD_VALUE, rejection.about(reading.url)),)
                if rejection
                else reading.defects
            )
        return found_of(
            match,
            page.provenance,
            self._options,
            self._positions,
            defects=(*page.defects, *own, *lie),
            repairs=reading.repairs if reading and not reading.rejection else (),
            context=context,
            raw=place.match.span.of(page.text),
            linked=linked,
        )

    def _refused_link(self, element: Element | None, value: Value) -> Linked:
        """Return the link whose target was rejected, an empty one if ``value`` is not that of a link."""
        if element is None or element.start != value.tag:
            return Linked()
        text = self._reader.text_of(element)
        shown = what_is_shown(text, "").text
        return Linked(value.element, value.attribute, text[:_LONGEST_TEXT], shown)

    def _link(self, place: PageMatch, value: Value) -> tuple[Linked, tuple[Defect, ...]]:
        """Return the link of an attribute value, and the defects of what it shows or mentions."""
        page, element, match = self._page, place.element, place.match
        if element is None or element.start != value.tag:
            text = on_one_line(page.alternatives.get(value.tag, ""), _LONGEST_TEXT)
            labels = page.labels_of_form(value)
            link = Linked(value.element, value.attribute, text)
            return link, self._deception(self._reader.leads_to(match.url), NOTHING, labels)
        text, shown = self._reader.text_of(element), self._reader.shown(element)
        target = self._reader.target(element) if value.attribute in TARGETS else None
        if not target:
            shown = NOTHING
        link = Linked(value.element, value.attribute, text[:_LONGEST_TEXT], *shown)
        if not target:
            return link, ()
        labels = (decode_attribute(label.raw) for label in page.labels(element.start, element.end))
        lie, override = self._deception(self._reader.leads_to(target), shown, labels, text), override_in(text)
        return link, (*lie, override) if override else lie

    def _deception(
        self, target: str, shown: Shown, labels: Iterable[str], text: str = ""
    ) -> tuple[Defect, ...]:
        """Return the defect of a link that leads elsewhere than it, its text or its labels say."""
        texts = [label[:_LONGEST_LABEL] for label in islice(labels, _MOST_LABELS)]
        if text and not shown.text:
            is_long = len(text) > _LONGEST_TEXT  # its last word may be cut
            texts.insert(0, text[:_LONGEST_TEXT].rpartition(" ")[0] if is_long else text)
        found = deception(target, shown, texts)
        return (found,) if found else ()


def _trimmed(url: str, text: str) -> tuple[Alternative, ...]:
    """Return the URL of a link as it would end in running text, if the text of the link is that or the URL.

    Programs that make links of a text take the punctuation after a URL into them.
    """
    if url[-1:].isalnum() or url[-1:] == "/" or not url.startswith(text) or not text:
        return ()
    found = scan(url, ScanLimits())
    shorter = found[0].url if found and found[0].span.start == 0 else url
    is_other = shorter != url and text in (url, shorter)
    return (Alternative.of(shorter, AlternativeCode.TRIMMED),) if is_other else ()
