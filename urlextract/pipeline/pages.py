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
from urlextract.message.html_tokens import Value
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
from urlextract.schemes.gateways import trusted_target

_LONGEST_INSIDE = 4096  # characters of ``inside`` in a record
_LONGEST_TEXT = 200  # characters of the text of a link in its record
_TARGETS = ("href", "xlink:href")  # the attributes that hold the target of a link
_WORDS = ("alt", "title")  # the attributes with texts in which URLs are searched
_MOST_TARGETS = 8  # values of a link with which the URLs in its text are compared
_START = attrgetter("start")

_HINTS = {DEFANGED: REFANG, RELATIVE: "--base URL resolves it"}


class _Place(NamedTuple):
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
    """Finds the URLs of one page, and makes records of them."""

    def __init__(self, page: Page, options: ExtractOptions, scan_options: ScanOptions) -> None:
        self._page, self._options, self._scan = page, options, scan_options
        self._readings: dict[int, AttributeUrl] = {}  # by the start of the value
        self._salvaged: dict[int, str] = {}  # the first URLs in values that are no URLs, by their start
        self._told: dict[int, _Told] = {}  # by the start of the link
        self._positions = Positions(start=page.start, line=page.line, column=page.column, byte=page.byte)

    def matches(self) -> Iterator[Match]:
        """Yield the URLs in the order of the markup, for those who need no records."""
        return (place.match for place in self._places() if isinstance(place.match, Match))

    def results(self) -> Iterator[Found | Rejection]:
        """Yield the records in the order of the markup."""
        options, explains = self._options, self._scan.explains
        for place in self._places():
            result = self._of_value(place, place.value) if place.value else self._of_visible(place)
            if isinstance(result, Rejection) or options.takes_each:
                yield result
            else:
                yield from chosen(result, options, explains=explains)

    # --- places ----------------------------------------------------------------------------------

    def _places(self) -> list[_Place]:
        """Return all places in the order of the markup."""
        values = [value for value in self._page.values if not value.is_text]
        words = [value for value in self._page.values if value.is_text and value.attribute in _WORDS]
        places = [place for value in values for place in self._in_value(value)]
        places += (place for value in words for place in self._in_words(value))
        return sorted((*places, *self._in_visible()), key=_START)

    def _in_value(self, value: Value) -> Iterator[_Place]:
        """Yield the URL of a value, and those that are found in one that is no URL."""
        raw, options, bases = value.raw, self._scan, self._page.bases_of(value)
        reading = read_value(raw, bases, any_scheme=options.any_name, refang=options.refang)
        if reading is None:
            return
        self._readings[value.start] = reading
        why, link = reading.refused, self._page.link_at(value.tag)
        span = Span(value.start, value.start + len(raw))
        if not why:
            match = Match(*span, *span, Form.HTML_ATTRIBUTE, reading.url, reading.url)
            yield _Place(value.start, match, value, reading, link)
            return
        if options.explains:
            shown = raw[:SHOWN]
            refusal = Refusal(*span, Form.HTML_ATTRIBUTE, shown, in_words(why, shown), _HINTS.get(why))
            yield _Place(value.start, refusal, value, reading, link)
        at = 0
        if why not in NO_ADDRESSES:
            for match in find_in_value(reading.url, any_scheme=options.any_scheme):
                self._salvaged.setdefault(value.start, match.url)
                found = raw.find(match.raw, at)
                at = found + len(match.raw) if found >= 0 else at
                place = Span(found, at).moved(value.start) if found >= 0 else span
                yield _Place(place.start, _in_markup(match, place), value, reading, link)

    def _in_words(self, value: Value) -> Iterator[_Place]:
        """Yield the URLs in the text of an attribute, without those equivalent to the target of its link."""
        has_sign = ":" in value.raw or "&" in value.raw or "www." in value.raw.lower()
        if not (has_sign or self._scan.reads_marks or self._scan.refang):
            return
        decoded, link = Decoded(value.raw, is_value=True), self._page.link_at(value.tag)
        for match in urls_in(decoded.text, self._scan):
            if not (link and self._leads_to(link, match.url)):
                spans = [*decoded.spans(*match.span)]
                span = Span(spans[0].start, spans[-1].end).moved(value.start)
                yield _Place(span.start, _in_markup(match, span), value, link=link)

    def _in_visible(self) -> Iterator[_Place]:
        """Yield the URLs in the visible text, without those equivalent to the target of their link."""
        page = self._page
        for match in scan(page.visible, self._scan):
            start, link, is_all = page.link_of(match.span, match.inner)
            if isinstance(match, Match) and match.other_end:
                end = max(match.stop, match.other_end)
                other = page.link_at(page.places.hull(Span(end - 1, end)).start)
                if other and other is not link:  # a URL does not go on from one link into another
                    match = self._on_one_line(match)  # noqa: PLW2901
            if not (link and match.url and self._leads_to(link, match.url, is_all=is_all)):
                yield _Place(start, match, link=link if match.url else None)

    def _on_one_line(self, match: Match) -> Match:
        """Return the match of a URL that goes on, or may, as it is if it ends with its line."""
        end = min(match.stop, match.other_end)
        alone = urls_in(self._page.visible[match.start : end], self._scan)
        return next((each.moved(match.start) for each in alone), match)

    # --- links -----------------------------------------------------------------------------------

    def _leads_to(self, link: Link, url: str, *, is_all: bool = True) -> bool:
        """Return whether a link leads to ``url`` in its text, or, if that ``is_all``, to what it shows."""
        told = self._told_by(link)
        is_shown = is_all and told.shown.text is not None and told.shown.differs is None
        return url in told.targets or is_shown or any(not difference(each, url) for each in told.targets)

    def _told_by(self, link: Link) -> _Told:
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
            text, leads_to = self._page.text_of(link), self._behind(target or "")
            shown = what_is_shown(text, leads_to) if target else NOTHING
            urls += tuple(map(self._behind, urls)) if self._options.gateways else ()
            refusal = why if why in NO_ADDRESSES else ""
            self._told[link.start] = _Told(text, target, leads_to, urls, shown, refusal)
        return self._told[link.start]

    def _behind(self, target: str) -> str:
        """Return where a link leads through the user's own gateways."""
        own = self._options.gateways
        return trusted_target(target, own) if own else target

    # --- records ---------------------------------------------------------------------------------

    def _of_visible(self, place: _Place) -> Found | Rejection:
        """Return the record of a match in the visible text."""
        page, match, positions = self._page, place.match, self._positions
        hull = page.places.hull(match.span)
        self._go_to(hull.start)
        context = self._context(hull)
        if isinstance(match, Refusal):
            start, end = hull.moved(page.start)
            return rejection_of(match._replace(start=start, end=end), page.provenance, positions, context)
        told = self._told_by(place.link) if place.link else None
        if told and told.refusal:
            match = match._replace(defects=(*match.defects, refused(told.text, match.url, told.refusal)))
        return found_of(
            match,
            page.provenance,
            self._options,
            positions,
            defects=page.defects,
            context=context,
            page=page,
            inside=told.target[:_LONGEST_INSIDE] if told and told.target else None,
        )

    def _of_value(self, place: _Place, value: Value) -> Found | Rejection:
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
            page.provenance,
            self._options,
            self._positions,
            defects=(*page.defects, *own, *lies),
            repairs=reading.repairs if reading and not why else (),
            context=context,
            raw=place.match.span.of(page.text),
            linked=linked,
        )

    def _linked(self, link: Link | None, url: str, value: Value) -> tuple[Linked, tuple[Defect, ...]]:
        """Return the link of a value with ``url``, "" if there is none, and the defects of what it says."""
        page = self._page
        if link is None:
            text = on_one_line(page.alternatives.get(value.tag, ""), _LONGEST_TEXT)
            said = page.buttons(value) if value.element == "form" else ()
            lies = deceptions(self._behind(url), NOTHING, "", said) if said else ()
            return Linked(value.element, value.attribute, text), lies
        told = self._told_by(link)
        shown, lies = NOTHING, ()
        if not url:
            shown = Shown(what_is_shown(told.text, "").text)
        elif told.target and value.attribute in _TARGETS:
            shown = told.shown
            lies = deceptions(told.leads_to, shown, told.text, page.labels(link))
        return Linked(value.element, value.attribute, told.text[:_LONGEST_TEXT], *shown), lies

    def _go_to(self, start: int) -> None:
        self._positions.go_to(start + self._page.start, self._page.text, self._page.start)

    def _context(self, place: Span) -> str | None:
        """Return the context of a place in the markup, None if it is not asked for."""
        page = self._page
        if not (self._scan.explains or self._options.given["context"]):
            return None
        if self._options.sees:
            return seen_around(page.visible, *map(page.places.shown_at, place))
        return lines_around(page.text, *place)


def _in_markup(match: Match, span: Span) -> Match:
    """Return a match found in a value, as one of the markup at ``span``."""
    start, end = span
    return match._replace(start=start, end=end, first=start, stop=end, form=Form.HTML_ATTRIBUTE)


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
