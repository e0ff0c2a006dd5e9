"""The links of a source that a reader can follow, each once, with their words and the text around them."""

from __future__ import annotations

import io
import os
import re
from collections.abc import Callable, Container, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, islice
from typing import BinaryIO, NamedTuple

from urlextract.errors import SourceError
from urlextract.grammar.codes import AlternativeCode, DefectCode
from urlextract.grammar.patterns import lazy_re
from urlextract.linebreaks.joining import Join
from urlextract.message.html_page import Page, Readable
from urlextract.output.escaping import encoded
from urlextract.picking.words import AFTER, BEFORE, Words, seen
from urlextract.pipeline.item_results import chosen_items, read_items, read_pages, text_of
from urlextract.pipeline.links import deceptions, difference, what_is_shown
from urlextract.pipeline.options import ExtractOptions, options_of
from urlextract.pipeline.page_source import pages_of
from urlextract.pipeline.reading import Records
from urlextract.records import Form, Item, RawMessage, RawText, Segment, text_key
from urlextract.results import Found
from urlextract.schemes.cautions import DECEIVING, Caution
from urlextract.schemes.gateways import trusted_target, unwrapped
from urlextract.schemes.url import host_name_of, normal_form, warnings_of
from urlextract.sources.reading import read_source

OnDamage = Callable[[SourceError], None]


MOST = 10_000
"""The most links of a list."""

_LONGEST_TEXT = 1 << 22  # characters of a text that is no message; of more, nothing around links is kept

# A link that the text itself marks: [words](URL) of Markdown, and <a href="URL">words</a>.
_MARKDOWN = lazy_re(r"\[([^\[\]]{1,200})\]\(<?\Z")
_ORG = lazy_re(r"\]\[([^\[\]]{1,200})\]\]")  # [[URL][words]] of Org
_TAG_BEFORE = lazy_re(r"<(?i:a)\s[^<>]{0,200}=[\"']?\Z")
_TAG_AFTER, _TAG = lazy_re(r"[^<>]{0,200}>(.{1,200}?)</(?i:a)\b", re.DOTALL), lazy_re(r"<[^<>]*>")


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    r"""A link of the list: the URL to open, and what is shown of it.

    ``url`` and ``target`` have their blanks, control characters and the like encoded: see `encoded`.
    ``words`` are the words of the link, on one line: its text in HTML, that in a plain text that marks
    links in Markdown or HTML, the name of its header field, or else those around it (``is_lead``). Of
    another reading of the link before (``is_reading``) they say what kind it is.

    ``target`` is the URL to which a mail gateway's link leads, and ``gateway`` the name of that service;
    without one, ``target`` is ``url``. ``lie`` says how the link deceives, "" if it does not seem to.
    ``warnings`` are those of the URL (see `Url.warnings`).

    ``before`` and ``after`` are the text around the link, as it is read. ``found`` is the record of its
    first place, ``places`` is the number of its places. All texts but the two URLs are as the sender
    wrote them: do not print them on a terminal.
    """

    url: str
    target: str
    gateway: str | None
    words: str
    is_lead: bool
    lie: str
    warnings: tuple[str, ...]
    before: str
    after: str
    found: Found
    places: int
    is_reading: bool = False


class Links(NamedTuple):
    """The links of a source.

    ``in_headers`` is the number of links that only header fields have, and that were left out.
    ``is_cut`` is true if there are more than `MOST`.
    """

    choices: list[Choice]
    in_headers: int = 0
    is_cut: bool = False


class _Place(NamedTuple):
    """A place of a link, the text around it, and what of that are its words: see `Words`.

    ``is_image`` is whether a link of HTML has no text, so that its words are at best those of an image.
    """

    found: Found
    before: str = ""
    after: str = ""
    words: str = ""
    is_image: bool = False


def links_of(
    *sources: str | os.PathLike[str] | BinaryIO | bytes,
    format: str = "auto",
    headers: bool = False,
    join: Join = "safe",
    on_damage: OnDamage | None = None,
) -> Links:
    r"""Return the links of messages or other sources that a reader can follow, in their order.

    A source and its ``format`` are those of `extract_source`; bytes are the source itself. Links whose
    targets are equal in normal form (`Url.normalized`) are one, so a message with text and HTML
    alternatives has each once, in the order of the HTML, and so has a thread in which a mail gateway rewrote
    a link anew for each reply. With
    ``headers``, those of header fields come last. ``on_damage`` gets what cannot be read; without it,
    that is left out.

    >>> message = b"Subject: x\n\nThe tables: http://a.example/t\nor HTTP://A.example:80/t\n"
    >>> [(choice.words, choice.url) for choice in links_of(message).choices]
    [('The tables:', 'http://a.example/t')]
    """
    options = options_of({"links": True, "join": join})
    streams = (io.BytesIO(source) if isinstance(source, bytes) else source for source in sources)
    items = (
        item for stream in streams for item in read_source(stream, format, on_damage=on_damage or _ignored)
    )
    in_body: dict[str, list[_Place]] = {}
    in_header: dict[str, list[_Place]] = {}
    is_cut = False
    for place in _without_texts_of_links(_places(items, options, on_damage or _ignored)):
        links = in_body if place.found.header is None else in_header
        key = _key(place)
        if key not in links and len(links) == MOST:
            is_cut = True
            break
        links.setdefault(key, []).append(place)
    rest = {key: places for key, places in in_header.items() if key not in in_body}
    chosen = [*in_body.values(), *(rest.values() if headers else ())]
    listed = in_body.keys() | in_header.keys()
    choices = (each for places in chosen for each in _with_readings(places, listed))
    return Links([*islice(choices, MOST)], 0 if headers else len(rest), is_cut)


def _ignored(_: SourceError) -> None:
    """Ignore damage."""


def _key(place: _Place) -> str:
    """Return what the places of a link have in common: the normal form of its target."""
    return normal_form(trusted_target(place.found.url))


def _without_texts_of_links(places: Iterable[_Place]) -> Iterator[_Place]:
    """Yield the places, but for a URL that is the text of the link in brackets right after it.

    Mail programs write a link of HTML so in plain text: ``www.a.example <https://www.a.example/>``.
    """
    before: _Place | None = None
    for place in places:
        if before and _is_text_of(before.found, place.found):
            words = f"{before.words} {before.found.raw}".strip()
            place = place._replace(words=words)  # noqa: PLW2901
        elif before:
            yield before
        before = place
    if before:
        yield before


def _is_text_of(text: Found, link: Found) -> bool:
    """Return whether a URL is the text of a link in brackets right after it, and leads to the same place."""
    is_same = text.message == link.message and text_key(text) == text_key(link)
    is_next = is_same and 0 <= link.start - text.end <= 1
    if not is_next or link.form is not Form.ANGLE or text.form is Form.ANGLE:
        return False

    return difference(link.url, text.url) is None


# --- the places of links, with the text around them ----------------------------------------------


def _places(items: Iterable[Item], options: ExtractOptions, on_damage: OnDamage) -> Iterator[_Place]:
    for item in chosen_items(items, options):
        if isinstance(item, RawMessage):
            yield from _in_order_of_html(_in_message(item, options, on_damage))
        elif isinstance(item, RawText) and item.is_page:
            for page in pages_of(item, options):
                around = _around_in(page)
                yield from map(around.place, _found(read_pages((page,), options)))
        elif isinstance(item, RawText):
            yield from _in_text(item, options)


def _found(results: Iterable[object]) -> Iterator[Found]:
    """Yield the links; not the URL in the text of another link, for a click leads elsewhere."""
    return (result for result in results if isinstance(result, Found) and result.inside is None)


def _in_message(message: RawMessage, options: ExtractOptions, on_damage: OnDamage) -> Iterator[_Place]:
    texts: dict[object, Readable] = {}
    arounds: dict[object, _Around] = {}

    def note(text: Readable) -> None:
        texts[text_key(text.provenance)] = text

    for found in _found(read_items([message], options, on_damage=on_damage, on_text=note)):
        key = text_key(found)
        if key in texts:
            arounds[key] = _around_in(texts.pop(key))
        around = arounds.get(key)
        yield around.place(found) if around else _Place(found)


def _in_order_of_html(places: Iterator[_Place]) -> Iterator[_Place]:
    """Yield the places of a message in the order of its HTML, if its text has the same links.

    A link that only the text has comes after the one before it in the text.
    """
    held = [*islice(places, MOST)]
    of_html = [place for place in held if _is_of_html(place.found)]
    order = {_key(place): at for at, place in reversed([*enumerate(of_html)])}
    keys = [None if _is_of_html(place.found) else _key(place) for place in held] if order else []
    if not order.keys() & {*keys}:
        yield from chain(held, places)
        return
    after: dict[int, list[_Place]] = {}
    last = -1
    for place, key in zip(held, keys, strict=True):
        if key is not None:
            last = order.get(key, last)
            after.setdefault(last, []).append(place)
    yield from after.pop(-1, ())
    for at, place in enumerate(of_html):
        yield from (place, *after.pop(at, ()))
    yield from places


def _is_of_html(found: Found) -> bool:
    return found.media_type == "text/html"


def _in_text(item: RawText, options: ExtractOptions) -> Iterator[_Place]:
    """Yield the places of a text that is no message, when as much of it was read as is needed."""
    pieces: list[str] = []
    decoded, _ = text_of(item, options)
    results = Records(options).of_text(_noted(decoded, pieces), item.provenance, None, item.start, item.line)
    links = list(islice(_found(results), MOST + 1))
    around = _Around("".join(pieces), lambda found: (found.start - item.start, found.end - item.start))
    yield from map(around.place, links)


def _noted(pieces: Iterable[str], noted: list[str]) -> Iterator[str]:
    """Yield the pieces of a text, and note those of its beginning."""
    size = 0
    for piece in pieces:
        if size < _LONGEST_TEXT:
            noted.append(piece)
            size += len(piece)
        yield piece


class _Around:
    """A text with links; ``span_of`` returns where a link is in it. The links are asked for in order."""

    def __init__(self, text: str, span_of: Callable[[Found], tuple[int, int]]) -> None:
        self._text, self._span_of = text, span_of
        self._words = Words(text)

    def place(self, found: Found) -> _Place:
        """Return the place of a link, without the text around it if that was too far on to be kept."""
        text, (start, end) = self._text, self._span_of(found)
        if end > len(text):
            return _Place(found)
        words = self._words.of(start, end, is_element=bool(found.element))
        is_image = bool(found.element) and not seen(text[start:end])
        return _Place(found, text[max(0, start - BEFORE) : start], text[end : end + AFTER], words, is_image)


def _around_in(text: Readable) -> _Around:
    if isinstance(text, Segment):
        start = text.start
        return _Around(text.text, lambda found: (found.start - start, found.end - start))
    return _Around(text.visible, partial(_seen_span, text))


def _seen_span(page: Page, found: Found) -> tuple[int, int]:
    """Return the place of a link in the visible text of a page; that of an element is all of its text."""
    at = found.start - page.start
    link = page.link_at(at) if found.element else None
    start = page.places.shown_at(link.start if link else at)
    return start, page.places.shown_at(max(link.end if link else 0, found.end - page.start))


# --- one link of several places -------------------------------------------------------------------


_SHORT = {
    AlternativeCode.MORE_LINES: "with the next line",
    AlternativeCode.ONE_LINE: "its first line alone",
    AlternativeCode.GLUED: "with or without a word",
}
"""The words of another reading, where its code says less."""


def _with_readings(places: list[_Place], listed: Container[str]) -> Iterator[Choice]:
    """Yield the link of these places, and its other readings that are no links of their own."""
    choice = _choice(places)
    yield choice
    for other in choice.found.alternatives:
        target = trusted_target(other.url)
        key = normal_form(target)
        if key not in listed and key != normal_form(choice.target):
            warnings = warnings_of(target)
            yield replace(
                choice,
                url=encoded(other.url),
                target=encoded(target),
                words=_SHORT.get(other.code, other.code.value.replace("-", " ")),
                is_lead=False,
                lie=_deceives(warnings),
                warnings=tuple(warning.message for warning in warnings),
                is_reading=True,
            )


def _choice(places: list[_Place]) -> Choice:
    """Return the link of these places: the first URL, the best words, and any lie."""
    first = places[0]
    worded = min(places, key=_lack_of_words)
    url = first.found.url
    target = trusted_target(url)
    warnings = warnings_of(target)
    lies = (_lie(place, target) for place in places)
    return Choice(
        url=encoded(url),
        target=encoded(target),
        gateway=wrapped.by if target != url and (wrapped := unwrapped(url)) else None,
        words=_words(worded),
        is_lead=not _own_words(worded),
        lie=next(filter(None, lies), "") or _deceives(warnings),
        warnings=tuple(warning.message for warning in warnings),
        before=first.before,
        after=first.after,
        found=first.found,
        places=len(places),
    )


def _deceives(warnings: Iterable[Caution]) -> str:
    """Return what of a URL deceives, "" if nothing does."""
    return next((warning.message for warning in warnings if warning.code in DECEIVING), "")


_LIES = (DefectCode.SHOWS_ANOTHER_DOMAIN, DefectCode.MAY_REDIRECT)


def _lie(place: _Place, target: str) -> str:
    """Return how the text of a link lies about its target, "" if it does not."""
    found = place.found
    defects = found.defects
    if not found.element and not found.header and (words := _own_words(place)):  # marked in a plain text
        defects = deceptions(target, what_is_shown(words, target), words, ())
    lie = next((each for each in defects if each.code in _LIES), None)
    if lie is None:
        return ""
    if found.shown:
        return f"shows {found.shown}, leads to {host_name_of(target) or target}"
    return f"shows {lie.words.removeprefix(f'{lie.code}: ')}"  # the text of a link to a script


def _lack_of_words(place: _Place) -> int:
    """Return how poor the words are: those of the link itself are best, then an image's, then those near."""
    if _own_words(place):
        return int(place.is_image)
    return 2 if place.words else 3


def _own_words(place: _Place) -> str:
    """Return what a link itself has for words: the text of an element, of Markdown, the name of its field."""
    found = place.found
    if found.header and not found.element:
        return found.header.removeprefix("List-")
    if found.element:
        return seen(found.text or "")
    marked = _MARKDOWN.search(place.before) or (
        _ORG.match(place.after) if place.before[-2:] == "[[" else None
    )
    if not marked and _TAG_BEFORE.search(place.before):
        marked = _TAG_AFTER.match(place.after)
    return seen(_TAG.sub("", marked[1])) if marked else ""


def _words(place: _Place) -> str:
    """Return the words of a link; without any of its own, those around it."""
    words = _own_words(place) or place.words
    if words or not place.found.element:
        return words
    return "(form)" if place.found.element in ("form", "button", "input") else "(image)"
