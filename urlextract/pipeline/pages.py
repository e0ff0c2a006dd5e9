"""The URLs of an HTML page in the order of its markup, those of attributes and of the visible text.

Records, and URLs without records, are made from the same places. A URL in the text of a link is left out if
the link leads to it.
"""

from __future__ import annotations

from collections.abc import Iterator
from operator import attrgetter
from typing import NamedTuple

from urlextract.grammar.codes import AlternativeCode, DefectCode
from urlextract.message.entities import Decoded
from urlextract.message.html_page import Link, Page, on_one_line
from urlextract.message.html_tokens import Value, without_escapes
from urlextract.pipeline.assembly import Linked, found_of, rejection_of
from urlextract.pipeline.choice import chosen
from urlextract.pipeline.links import NOTHING, Shown, deceptions, difference, refused, what_is_shown
from urlextract.pipeline.options import ExtractOptions
from urlextract.pipeline.positions import Positions
from urlextract.pipeline.surroundings import lines_around, seen_around
from urlextract.records import Alternative, Defect, Form, Match, Refusal, Span
from urlextract.results import Found, Rejection
from urlextract.scanner.attributes import NO_ADDRESSES, RELATIVE, AttributeUrl, find_in_value, read_value
from urlextract.scanner.checks import DEFANGED, REFANG
from urlextract.scanner.scan import scan, urls_in
from urlextract.scanner.window import SHOWN, ScanOptions, in_words
from urlextract.schemes.gateways import NO_GATEWAYS, Gateways, trusted_target

_LONGEST_INSIDE = 4096  # characters of ``inside`` in a record
_LONGEST_TEXT = 200  # characters of the text of a link in its record
_TARGETS = ("href", "xlink:href")  # the attributes that hold the target of a link
_WORDS = ("alt", "title")  # the attributes with texts in which URLs are searched
_MOST_TARGETS = 8  # values of a link with which the URLs in its text are compared
_START = attrgetter("start")

_HINTS = {DEFANGED: REFANG, RELATIVE: "--base URL resolves it"}


class PageMatch(NamedTuple):
    """A URL of a page, with ``start``, the offset in the markup of its value or of the text that has it.

    ``match`` has its span in the markup if ``value`` is set, the attribute that has the URL, else in the
    visible text. ``reading`` is that of the value: the URL is all of it, or stands in one that is rejected.
    ``link`` has the URL, as its target or in its text.
    """

    start: int
    match: Match | Refusal
    value: Value | None = None
    reading: AttributeUrl | None = None
    link: Link | None = None


class _Told(NamedTuple):
    """What a link says, where it leads, also behind the user's own gateways, and what it shows of that.

    ``targets`` are all of its URLs. ``refusal`` says why its target is none, if that is a script or data.
    """

    text: str
    target: str | None
    leads_to: str
    targets: tuple[str, ...]
    shown: Shown
    refusal: str


class PageReader:
    """Finds the URLs of one page."""

    def __init__(self, page: Page, options: ScanOptions, gateways: Gateways = NO_GATEWAYS) -> None:
        self._page, self._scan, self._gateways = page, options, gateways
        self._readings: dict[int, AttributeUrl] = {}  # by the start of the value
        self._salvaged: dict[int, str] = {}  # the first URLs in values that are no URLs, by their start
        self._told: dict[int, _Told] = {}  # by the start of the link

    def places(self) -> list[PageMatch]:
        """Return all places in the order of the markup."""
        values = [value for value in self._page.values if not value.is_text]
        words = [value for value in self._page.values if value.is_text and value.attribute in _WORDS]
        places = [place for value in values for place in self._of_value(value)]
        places += (place for value in words for place in self._of_words(value))
        return sorted((*places, *self._of_text()), key=_START)

    def _of_value(self, value: Value) -> Iterator[PageMatch]:
        """Yield the URL of a value, and those that are found in one that is no URL."""
        raw, options = value.raw, self._scan
        if value.attribute == "style" and "\\" in raw:
            raw = without_escapes(raw)
        any_scheme = options.any_name
        reading = read_value(raw, self._page.bases_of(value), any_scheme=any_scheme, refang=options.refang)
        if reading is None:
            return
        self._readings[value.start] = reading
        why, link = reading.refused, self._page.link_at(value.tag)
        span = Span(value.start, value.start + len(value.raw))
        if not why:
            match = Match(*span, *span, Form.HTML_ATTRIBUTE, reading.url, reading.url)
            yield PageMatch(value.start, match, value, reading, link)
        elif options.explains:
            shown = value.raw[:SHOWN]
            refusal = Refusal(*span, Form.HTML_ATTRIBUTE, shown, in_words(why, shown), _HINTS.get(why))
            yield PageMatch(value.start, refusal, value, reading, link)
        at = 0
        for match in find_in_value(reading.url, any_scheme=options.any_scheme) if why else ():
            if why in NO_ADDRESSES:
                return
            self._salvaged.setdefault(value.start, match.url)
            found = value.raw.find(match.raw, at)
            at = found + len(match.raw) if found >= 0 else at
            place = Span(found, at).moved(value.start) if found >= 0 else span
            yield PageMatch(place.start, _in_markup(match, place), value, reading, link)

    def _of_words(self, value: Value) -> Iterator[PageMatch]:
        """Yield the URLs in the text of an attribute, without those equivalent to the target of its link."""
        has_sign = ":" in value.raw or "&" in value.raw or "www." in value.raw.lower()
        if not (has_sign or self._scan.reads_marks or self._scan.refang):
            return
        decoded, link = Decoded(value.raw, is_value=True), self._page.link_at(value.tag)
        for match in urls_in(decoded.text, self._scan):
            if not (link and self._leads_to(link, match.url)):
                spans = [*decoded.spans(*match.span)]
                span = Span(spans[0].start, spans[-1].end).moved(value.start)
                yield PageMatch(span.start, _in_markup(match, span), value, link=link)

    def _of_text(self) -> Iterator[PageMatch]:
        """Yield the URLs in the visible text, without those equivalent to the target of their link."""
        page = self._page
        for match in scan(page.visible, self._scan):
            start, link, is_all = page.link_of(match.span, match.inner)
            if (
                isinstance(match, Match) and match.other_end
            ):  # a URL does not go on from one link into another
                end = max(match.stop, match.other_end)
                other = page.link_at(page.places.hull(Span(end - 1, end)).start)
                if other and other is not link:
                    match = self._on_one_line(match)  # noqa: PLW2901
            if not (link and match.url and self._leads_to(link, match.url, is_all=is_all)):
                yield PageMatch(start, match, link=link if match.url else None)

    def _on_one_line(self, match: Match) -> Match:
        """Return the match of a URL that goes on, or may, as it is if it ends with its line."""
        end = min(match.stop, match.other_end)
        alone = urls_in(self._page.visible[match.start : end], self._scan)
        return next((each.moved(match.start) for each in alone), match)

    def _leads_to(self, link: Link, url: str, *, is_all: bool = True) -> bool:
        """Return whether a link leads to ``url`` in its text, or, if that ``is_all``, to what it shows."""
        told = self.told(link)
        is_shown = is_all and told.shown.text is not None and told.shown.differs is None
        return url in told.targets or is_shown or any(not difference(each, url) for each in told.targets)

    def told(self, link: Link) -> _Told:
        """Return what is known of a link, once all values are read."""
        if link.start not in self._told:
            urls: tuple[str, ...] = ()
            target, why = None, ""
            for value in reversed(link.values[:_MOST_TARGETS]):  # of two targets, the first counts
                reading = self._readings.get(value.start)
                url = reading.url if reading and not reading.refused else None
                urls += (url,) if url else ()
                if value.attribute in _TARGETS:
                    why = reading.refused if reading else ""
                    target = url or self._salvaged.get(value.start)
            text, leads_to = self._page.text_of(link), self.behind(target or "")
            shown = what_is_shown(text, leads_to) if target else NOTHING
            urls += tuple(map(self.behind, urls)) if self._gateways else ()
            refusal = why if why in NO_ADDRESSES else ""
            self._told[link.start] = _Told(text, target, leads_to, urls, shown, refusal)
        return self._told[link.start]

    def behind(self, target: str) -> str:
        """Return where a link leads through the user's own gateways."""
        return trusted_target(target, self._gateways) if self._gateways else target


def _in_markup(match: Match, span: Span) -> Match:
    """Return a match found in a value, as one of the markup at ``span``."""
    start, end = span
    return match._replace(start=start, end=end, first=start, stop=end, form=Form.HTML_ATTRIBUTE)


def matches_of_page(page: Page, options: ScanOptions) -> Iterator[Match]:
    """Yield the URLs of a page in the order of its markup, for those who need no records."""
    places = PageReader(page, options).places()
    return (place.match for place in places if isinstance(place.match, Match))


# --- records -------------------------------------------------------------------------------------


def read_page(page: Page, options: ExtractOptions, scan_options: ScanOptions) -> Iterator[Found | Rejection]:
    """Yield the results of a page."""
    reader, explains = PageReader(page, scan_options, options.gateways), scan_options.explains
    records = _PageRecords(page, options, reader, explains=explains)
    for place in reader.places():
        result = records.of_value(place, place.value) if place.value else records.of_text(place)
        if isinstance(result, Rejection):
            yield result
            continue
        if options.takes_each:
            yield result
        else:
            yield from chosen(result, options, explains=explains)


class _PageRecords:
    """Makes the records of one page; its places must be read in their order."""

    def __init__(self, page: Page, options: ExtractOptions, reader: PageReader, *, explains: bool) -> None:
        self._page, self._sees, self._reader = page, options.sees, reader
        self._positions = Positions(start=page.start, line=page.line, column=page.column, byte=page.byte)
        self._has_context = explains or options.given["context"]
        self._where = page.provenance, options, self._positions

    def of_text(self, place: PageMatch) -> Found | Rejection:
        """Return the record of a match in the visible text."""
        match, hull = place.match, self._page.places.hull(place.match.span)
        self._go_to(hull.start)
        if isinstance(match, Refusal):
            start, end = hull.moved(self._page.start)
            moved = match._replace(start=start, end=end)
            return rejection_of(moved, self._page.provenance, self._positions, self._context(hull))
        told = self._reader.told(place.link) if place.link else None
        if told and told.refusal:
            match = match._replace(defects=(*match.defects, refused(told.text, match.url, told.refusal)))
        return self.of_match(match, told.target[:_LONGEST_INSIDE] if told and told.target else None)

    def of_match(self, match: Match, inside: str | None) -> Found:
        """Return the record of a URL in the visible text, which stands ``inside`` a link to another one."""
        page = self._page
        context = self._context(page.places.hull(match.span)) if self._has_context else None
        return found_of(match, *self._where, defects=page.defects, context=context, page=page, inside=inside)

    def of_value(self, place: PageMatch, value: Value) -> Found | Rejection:
        """Return the record of an attribute value, or of a URL in one."""
        reading, match, page = place.reading, place.match.moved(self._page.start), self._page
        self._go_to(place.start)
        link = place.link if place.link and place.link.start == value.tag else None
        linked, lies = self._linked(link, match.url, value)
        context = self._context(place.match.span)
        if isinstance(match, Refusal):
            linked = linked if link else Linked()
            return rejection_of(match, page.provenance, self._positions, context, linked)
        own, why = (reading.defects, reading.refused) if reading else ((), "")
        if reading and why:  # the URL stands in a value that is none
            own = (Defect(DefectCode.ODD_VALUE, why),)
        elif reading and value.attribute in _TARGETS:
            match = match._replace(others=_trimmed(reading.url, linked.text or ""))
        return found_of(
            match,
            *self._where,
            defects=(*page.defects, *own, *lies),
            repairs=reading.repairs if reading and not why else (),
            context=context,
            raw=place.match.span.of(page.text),
            linked=linked,
        )

    def _linked(self, link: Link | None, url: str, value: Value) -> tuple[Linked, tuple[Defect, ...]]:
        """Return the link of a value with ``url``, "" if there is none, and the defects of what it says."""
        page, reader = self._page, self._reader
        if link is None:
            text = on_one_line(page.alternatives.get(value.tag, ""), _LONGEST_TEXT)
            lies = deceptions(reader.behind(url), NOTHING, "", page.labels_of_form(value))
            return Linked(value.element, value.attribute, text), lies
        told = reader.told(link)
        text, shown, lies = told.text[:_LONGEST_TEXT], NOTHING, ()
        if not url:
            shown = Shown(what_is_shown(told.text, "").text)
        elif told.target and value.attribute in _TARGETS:
            shown, labels = told.shown, page.labels(link.start, link.end)
            lies = deceptions(told.leads_to, shown, told.text, labels)
        return Linked(value.element, value.attribute, text, *shown), lies

    def _go_to(self, start: int) -> None:
        self._positions.go_to(start + self._page.start, self._page.text, self._page.start)

    def _context(self, place: Span) -> str | None:
        """Return the context of a place in the markup, None if it is not asked for."""
        page = self._page
        if not self._has_context:
            return None
        if self._sees:
            return seen_around(page.visible, *map(page.places.shown_at, place))
        return lines_around(page.text, *place)


def _trimmed(url: str, text: str) -> tuple[Alternative, ...]:
    """Return the URL of a link as it would end in running text, if the text of the link is that or the URL.

    Programs that make links of a text take the punctuation after a URL into them.
    """
    if url[-1:].isalnum() or url[-1:] == "/" or not url.startswith(text) or not text:
        return ()
    found = urls_in(url)
    shorter = found[0].url if found and found[0].start == 0 else url
    is_other = shorter != url and text in (url, shorter)
    return (Alternative.of(shorter, AlternativeCode.TRIMMED),) if is_other else ()
