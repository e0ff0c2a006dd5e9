"""The links of a source that a reader can follow, each once, with their words and the text around them."""

from __future__ import annotations

import io
import os
import re
from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass, replace
from enum import IntEnum
from itertools import chain, groupby, islice
from typing import BinaryIO, NamedTuple

from urlextract.errors import OnDamage
from urlextract.grammar.codes import AlternativeCode, DefectCode
from urlextract.grammar.patterns import lazy_re
from urlextract.linebreaks.joining import Join
from urlextract.message.html_page import Readable
from urlextract.output.escaping import encoded
from urlextract.picking.words import AFTER, BEFORE, seen, words_around
from urlextract.pipeline.item_results import chosen_items, read_items, read_pages, text_of
from urlextract.pipeline.links import deceptions, what_is_shown
from urlextract.pipeline.options import ExtractOptions, options_of
from urlextract.pipeline.page_source import pages_of
from urlextract.pipeline.texts import Records, Result
from urlextract.records import Form, Item, RawMessage, RawText, Segment, text_key
from urlextract.results import Found
from urlextract.schemes.cautions import DECEIVING, Caution
from urlextract.schemes.gateways import trusted_target, unwrapped
from urlextract.schemes.url import host_name_of, normal_form, warnings_of
from urlextract.sources.reading import read_source

MOST = 10_000
"""The most links of a list."""


class WordsFrom(IntEnum):
    """Where the words of a link come from: the less that is, the more they say."""

    OWN = 0
    """Its text in HTML, Markdown or a tag, or the name of its header field."""
    IMAGE = 1
    AROUND = 2
    NONE = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    r"""A link of the list: the URL to open, and what is shown of it.

    ``url`` and ``target`` have their blanks, control characters and the like encoded: see `encoded`.
    ``words`` are the words of the link, on one line, and ``words_from`` says where they come from. Of another
    reading of the link before (``is_reading``) they say what kind it is.

    ``target`` is the URL to which a mail gateway's link leads, and ``gateway`` the name of that service;
    without one, ``target`` is ``url``. ``lie`` says how the link deceives, "" if it does not seem to.
    ``warnings`` are those of the URL (see `Url.warnings`). ``found`` is the record of its first place, and
    ``before`` and ``after`` are the text around that, as it is read.

    All texts but the two URLs are as the sender wrote them: do not print them on a terminal.
    """

    url: str
    target: str
    gateway: str | None
    words: str
    words_from: WordsFrom
    lie: str
    warnings: tuple[str, ...]
    found: Found
    before: str = ""
    after: str = ""
    is_reading: bool = False

    def with_place(self, place: _Place) -> Choice:
        """Return the link with the words of another place if they say more, and with its lie."""
        words, words_from = _words(place) if self.words_from else ("", WordsFrom.NONE)
        if words_from < self.words_from:
            return replace(self, words=words, words_from=words_from, lie=self.lie or _lie(place, self.target))
        return self if self.lie else replace(self, lie=_lie(place, self.target))


class _Place(NamedTuple):
    """A place of a link, and the text that is read there: ``start:end`` of it is the link.

    ``markup`` is that of the link in HTML, if it has no words.
    """

    found: Found
    text: str = ""
    start: int = 0
    end: int = 0
    markup: str = ""


class Links(NamedTuple):
    """The links of a source.

    ``in_headers`` is the number of links that only header fields have, and that were left out.
    ``is_cut`` is true if there are more than `MOST`.
    """

    choices: list[Choice]
    in_headers: int = 0
    is_cut: bool = False


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
    alternatives has each once, and so has a thread in which a mail gateway rewrote a link anew for each
    reply. With ``headers``, those of header fields come last. ``on_damage`` gets what cannot be read;
    without it, that is left out.

    >>> message = b"Subject: x\n\nThe tables: http://a.example/t\nor HTTP://A.example:80/t\n"
    >>> [(choice.words, choice.url) for choice in links_of(message).choices]
    [('The tables:', 'http://a.example/t')]
    """
    told = on_damage or (lambda _: None)
    options = options_of({"links": True, "join": join})
    streams = (io.BytesIO(source) if isinstance(source, bytes) else source for source in sources)
    items = (item for stream in streams for item in read_source(stream, format, on_damage=told))
    in_body: dict[str, Choice] = {}
    in_header: dict[str, Choice] = {}
    is_cut = False
    for place in _html_first(_places(items, options, told)):
        links = in_body if place.found.header is None else in_header
        key = normal_form(trusted_target(place.found.url))
        known = links.get(key)
        if known is None and len(links) == MOST:
            is_cut = True
            break
        links[key] = known.with_place(place) if known else _choice(place)
    _join_abbreviated(in_body)
    rest = [choice for key, choice in in_header.items() if key not in in_body]
    listed = in_body.keys() | in_header.keys()
    chosen = (*in_body.values(), *(rest if headers else ()))
    choices = (each for choice in chosen for each in (choice, *_readings(choice, listed)))
    return Links([*islice(choices, MOST)], 0 if headers else len(rest), is_cut)


def _html_first(places: Iterable[_Place]) -> Iterator[_Place]:
    """Yield the places, those in the HTML of each message first: its text has the same links, or fewer."""

    def message_of(place: _Place) -> tuple[object, ...]:
        return place.found.source, place.found.message, place.found.message_id

    for _, of_message in groupby(places, message_of):
        yield from sorted(islice(of_message, MOST), key=lambda place: place.found.media_type != "text/html")
        yield from of_message  # noqa: B031 - what is left of more than that


def _places(items: Iterable[Item], options: ExtractOptions, on_damage: OnDamage) -> Iterator[_Place]:
    """Yield the links."""
    for item in chosen_items(items, options):
        if isinstance(item, RawMessage):
            results = _in_message(item, options, on_damage)
        elif item.is_page:
            pages = pages_of(item, options)
            results = ((result, page) for page in pages for result in read_pages((page,), options))
        else:
            results = _in_text(item, options)
        for result, text in results:
            if isinstance(result, Found):
                yield _place_in(text, result) if text else _Place(result)


def _in_message(
    message: RawMessage, options: ExtractOptions, on_damage: OnDamage
) -> Iterator[tuple[Result, Readable | None]]:
    texts: dict[object, Readable] = {}

    def note(text: Readable) -> None:
        texts[text_key(text.provenance)] = text

    for result in read_items([message], options, on_damage=on_damage, on_text=note):
        yield result, texts.get(text_key(result))


def _in_text(item: RawText, options: ExtractOptions) -> Iterator[tuple[Result, Readable | None]]:
    decoded, _ = text_of(item, options)
    pieces = iter(decoded)
    known = "".join(islice(pieces, _MOST_PIECES))
    segment = Segment(known, item.provenance, start=item.start)
    texts = chain((known,), pieces)
    for result in Records(options).of_text(texts, item.provenance, None, item.start, item.line):
        yield result, segment


_MOST_PIECES = 64  # of a text that is no message; of more, nothing around links is kept


def _place_in(text: Readable, found: Found) -> _Place:
    """Return the place of a link in the text that is read; that of an element is all of its text."""
    at, end = found.start - text.start, found.end - text.start
    if isinstance(text, Segment):
        return _Place(found, text.text, at, end)
    link = text.link_at(at) if found.element else None
    start = text.places.shown_at(link.start if link else at)
    markup = text.text[link.start : link.end] if link and not found.text else ""
    return _Place(found, text.visible, start, text.places.shown_at(max(link.end if link else 0, end)), markup)


def _join_abbreviated(links: dict[str, Choice]) -> None:
    """Leave out ``www.a.example`` where ``https://www.a.example/`` is a link, too; it keeps the words.

    Mail programs write a link of HTML so in plain text: ``www.a.example <https://www.a.example/>``.
    """
    for key, choice in [*links.items()]:
        https = f"https{key.removeprefix('http')}"
        whole = links.get(https)
        if whole and choice.found.form is Form.ABBREVIATED:
            del links[key]
            if choice.words_from < whole.words_from:
                links[https] = replace(whole, words=choice.words, words_from=choice.words_from)


# --- one link -------------------------------------------------------------------------------------


def _choice(place: _Place) -> Choice:
    """Return the link of a place."""
    found, text, start, end, _ = place
    target = trusted_target(found.url)
    warnings = warnings_of(target)
    words, words_from = _words(place)
    return Choice(
        url=encoded(found.url),
        target=encoded(target),
        gateway=wrapped.by if target != found.url and (wrapped := unwrapped(found.url)) else None,
        words=words,
        words_from=words_from,
        lie=_lie(place, target) or _deceives(warnings),
        warnings=tuple(warning.message for warning in warnings),
        found=found,
        before=text[max(0, start - BEFORE) : start],
        after=text[end : end + AFTER],
    )


_SHORT = {
    AlternativeCode.MORE_LINES: "with the next line",
    AlternativeCode.ONE_LINE: "its first line alone",
    AlternativeCode.GLUED: "with or without a word",
}
"""The words of another reading, where its code says less."""


def _readings(choice: Choice, listed: Container[str]) -> Iterator[Choice]:
    """Yield the other readings of a link that are no links of their own."""
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
                words_from=WordsFrom.OWN,
                lie=_deceives(warnings),
                warnings=tuple(warning.message for warning in warnings),
                is_reading=True,
            )


def _deceives(warnings: Iterable[Caution]) -> str:
    """Return what of a URL deceives, "" if nothing does."""
    return next((warning.message for warning in warnings if warning.code in DECEIVING), "")


_IMAGE = lazy_re(r"<(?:img|picture|svg|v:|video)", re.IGNORECASE)
_LIES = (DefectCode.SHOWS_ANOTHER_DOMAIN, DefectCode.MAY_REDIRECT)


def _lie(place: _Place, target: str) -> str:
    """Return how the text of a link lies about its target, "" if it does not."""
    found, defects = place.found, place.found.defects
    if not found.element and not found.header:
        words, words_from = _words(place)
        if words_from is WordsFrom.OWN:  # marked in a plain text
            defects = deceptions(target, what_is_shown(words, target), words, ())
    lie = next((defect for defect in defects if defect.code in _LIES), None)
    if lie is None:
        return ""
    if found.shown:
        return f"shows {found.shown}, leads to {host_name_of(target) or target}"
    return f"shows {lie.words.removeprefix(f'{lie.code}: ')}"  # the text of a link to a script


def _words(place: _Place) -> tuple[str, WordsFrom]:
    """Return the words of a link, and where they come from."""
    found, text, start, end, markup = place
    if found.element:
        if words := seen(found.text or ""):
            return words, WordsFrom.OWN if seen(text[start:end]) else WordsFrom.IMAGE
        if found.element in ("form", "button", "input"):
            return "(form)", WordsFrom.NONE
        is_image = found.element == "area" or _IMAGE.search(markup)
        return "(image)" if is_image else "", WordsFrom.NONE
    if found.header:
        return found.header.removeprefix("List-"), WordsFrom.OWN
    words, is_own = words_around(text, start, end)
    return words, WordsFrom.OWN if is_own else WordsFrom.AROUND if words else WordsFrom.NONE
