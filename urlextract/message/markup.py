"""HTML parts: the URLs in attributes, each with its place, and the visible text.

A flat scan without a tree, for only tokens matter and trees of hostile pages take
quadratic time. Text and dull tags are passed in C; Python sees the tags that carry
URLs, and one piece of text for each tag.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from urlextract.grammar.patterns import later
from urlextract.grammar.registry import MARKED_URL
from urlextract.message.entities import decode_attribute
from urlextract.message.tags import ATTRIBUTE, CONSTRUCT, NEXT_TAG, USUAL, without_stray_quotes
from urlextract.message.visible import shows, visible_text, without
from urlextract.records import Form, Segment

if TYPE_CHECKING:
    from collections.abc import Iterator

    from urlextract.records import Origin

__all__ = [
    "OPENS",
    "Page",
    "Value",
    "absolute_url",
    "is_absolute",
    "read_markup",
    "read_page",
    "unusual_values",
]

_URL_ATTRIBUTES = frozenset(
    ("href", "src", "action", "background", "cite", "longdesc", "data", "formaction", "poster")
)
# HTML, "srcset attributes": candidates parted by commas, each a URL and a width or density.
_CANDIDATE = later(r"[\s,]*+([^\s,]\S*+)")

# HTML, "shared declarative refresh steps": seconds; url="..."
_QUOTE = r"""["']|&(?:quot|apos|#3[49]);"""
_REFRESH = later(
    rf"[\s\d.]*+[;,\s]\s*+(?:url\s*+=\s*+)?(?:{_QUOTE})?(.*?)(?:{_QUOTE}|\Z)", re.IGNORECASE | re.DOTALL
)

_ABSOLUTE = later(r"[A-Za-z][A-Za-z0-9+.-]*+:")
_NO_PART = dict.fromkeys(map(ord, "\t\n\r"))  # of a URL in HTML
_IN_MARKS = later(MARKED_URL)
_NO_URL = later(r"#|\Z|(?i:javascript|data|vbscript):")
# A bracket that opens right before a link and closes behind more than that: its URL is broken.
OPENS = later(r"&lt;\s?(?i:url:)?\Z")
_GOES_ON = later(r"</[aA]\s*+>\s*+(?:<[bB][rR]\s*+/?>\s*+)?(?!&gt;)[^\s<>]{1,500}&gt;")
_END_OF_LINK = later(r"</[aA](?=[\s/>])")

# Blanks and controls round a URL are none of it, nor is what cannot be seen.
_SPACE = "".join(map(chr, range(33))) + "\xa0\u200b\u200e\u200f\u2060\ufeff"

# A link's text is compared with its target only up to this many characters.
_LONGEST_SHOWN = 4000


class Value(NamedTuple):
    """The raw value of an attribute, and where it begins in the text."""

    start: int
    raw: str


def _values_of(name: str, text: str, start: int, end: int) -> Iterator[tuple[bool, Value]]:
    """Give the values that are URLs of the attributes at ``text[start:end]``; whether each is of href."""
    usual = USUAL.fullmatch(text, start, end)
    if usual:
        yield usual[1] == "href", Value(usual.start(2), usual[2])
    else:
        yield from unusual_values(name, text, start, end)


def unusual_values(name: str, text: str, start: int, end: int) -> Iterator[tuple[bool, Value]]:
    """Do as `_values_of` for attributes that are not `USUAL`."""
    for attribute in ATTRIBUTE.finditer(text, start, end):
        group = attribute.lastindex
        if group is None:
            continue
        key = attribute[1].lower()
        value = Value(attribute.start(group), attribute[group])
        if key in _URL_ATTRIBUTES:
            yield key == "href", value
        elif key == "srcset":
            yield from ((False, each) for each in _candidates(value))
        elif name == "meta" and "refresh" in text[start:end].lower():
            yield from ((False, each) for each in _refresh(value))


class _Tags:
    """What was found in the tags of a page."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.values: list[Value] = []
        self.base: Value | None = None
        self.repeated: list[tuple[int, int]] = []  # texts of links that show their own URL
        self.shown: dict[int, tuple[int, int]] = {}  # texts of those that may show another, by their value
        self._link_end = -1
        self._read_tags()

    def _read_tags(self) -> None:
        """Go over the tags that may carry URLs."""
        text, at, length = self.text, 0, len(self.text)
        while at < length:
            tag = NEXT_TAG.match(text, at)
            if tag is None or tag.end() == at:
                at += 1
                continue
            at = tag.end()
            if tag[3]:  # one that never ends is read as text
                self._read_tag(tag)

    def _read_tag(self, tag: re.Match[str]) -> None:
        """Keep the values of one tag that are URLs or hold some."""
        name = tag[1].lower()
        for is_link, value in _values_of(name, self.text, tag.start(2), tag.end(2)):
            self.values.append(value)
            if is_link:
                self._read_href(name, value, tag)

    def _read_href(self, name: str, value: Value, tag: re.Match[str]) -> None:
        """Note the base of the page, and a link whose text is its own URL."""
        if name == "base" and self.base is None:
            self.base = value
        elif name == "a":
            end = self._end_of_link(tag.end())
            if 0 < end - tag.end() < _LONGEST_SHOWN:
                self._read_link(self.text[tag.end() : end], value, (tag.start(1) - 1, tag.end(), end))

    def _read_link(self, markup: str, value: Value, place: tuple[int, int, int]) -> None:
        """Note what the text of a link shows: its own URL, or maybe another."""
        start, low, high = place
        is_own = shows(markup, value.raw) and is_absolute(value.raw)
        if is_own and not (
            OPENS.search(self.text, max(0, start - 12), start) and _GOES_ON.match(self.text, high)
        ):
            self.repeated.append((low, high))
        elif any("." in text or ":" in text for text in CONSTRUCT.split(markup)[0::3]):
            self.shown[value.start] = low, high

    def _end_of_link(self, start: int) -> int:
        """Give the next end tag of a link; the one that is known is not looked for again."""
        if self._link_end < start:
            end = _END_OF_LINK.search(self.text, start)
            self._link_end = end.start() if end else len(self.text) + _LONGEST_SHOWN
        return self._link_end


class Page(NamedTuple):
    """The URLs in the attributes of a page (each with the start of its value, and the value), and the page.

    ``relative`` are references that nothing is known to read against, with the start of
    each value, and the value. ``repeated`` are the texts of links that show their own URL,
    ``shown`` those of links that may show another, by the start of the link's value.
    """

    text: str
    urls: list[tuple[int, str, str]]
    relative: list[tuple[int, str, str]]
    repeated: list[tuple[int, int]]
    shown: dict[int, tuple[int, int]]

    def visible(self) -> str:
        """Give the text that a reader sees, but for links that show their own URL; others end words."""
        edges = ((at, at) for span in self.shown.values() for at in span)
        return visible_text(without(self.text, sorted((*self.repeated, *edges)), _blank_for_edge))


def _blank_for_edge(stretch: str) -> str:
    return "" if stretch else " "


def read_page(text: str, base: str | None) -> Page:
    """Read a page; ``base`` is its URL, if the mail names one."""
    text = without_stray_quotes(text)
    tags = _Tags(text)
    own = absolute_url(tags.base.raw, base) if tags.base else None
    urls: list[tuple[int, str, str]] = []
    relative: list[tuple[int, str, str]] = []
    for value in tags.values:
        url = absolute_url(value.raw, base if value is tags.base else own or base)
        if url is not None:
            urls.append((*value, url))
        elif not _NO_URL.match(reference := decode_attribute(value.raw).strip(_SPACE)):
            relative.append((*value, reference))
    return Page(text, urls, relative, tags.repeated, tags.shown)


def read_markup(
    text: str, origin: Origin, *, byte: int | None, base: str | None, defects: tuple[str, ...]
) -> list[Segment]:
    """Give a segment for each URL in an attribute, then the visible text.

    ``byte`` is the offset of the text in the source where the two correspond,
    ``base`` the URL of the page, if the mail names one.
    """
    page = read_page(text, base)
    segments = list(_attribute_segments(page, origin, byte, defects))
    visible = page.visible()
    if visible.strip():
        segments.append(Segment(text=visible, origin=origin, defects=defects))
    return segments


def _attribute_segments(
    page: Page, origin: Origin, byte: int | None, defects: tuple[str, ...]
) -> Iterator[Segment]:
    """Give the URLs, each with its line and column, counted once over the text."""
    text, counted, line, line_start = page.text, 0, 1, 0
    for value_start, raw, url in sorted(page.urls + page.relative):
        start = value_start + len(raw) - len(raw.lstrip(_SPACE))
        line += text.count("\n", counted, start)
        line_start = text.rfind("\n", counted, start) + 1 or line_start
        counted = start
        link = page.shown.get(value_start)
        yield Segment(
            text=url,
            origin=origin,
            start=start,
            line=line,
            column=start - line_start + 1,
            byte=byte + start if byte is not None and raw.strip(_SPACE) == url else None,
            form=Form.HTML_ATTRIBUTE,
            defects=defects,
            shown=visible_text(text[slice(*link)]) if link else None,
        )


def absolute_url(raw: str, base: str | None) -> str | None:
    """Give the absolute URL that a value stands for, None where it is none."""
    url = decode_attribute(raw).strip(_SPACE)
    start = url[:200].translate(_NO_PART)
    if _NO_URL.match(start):
        return None
    if _ABSOLUTE.match(start) or _IN_MARKS.match(start):
        return url
    if base is None:
        return None
    from urllib.parse import urljoin  # noqa: PLC0415 - few pages of mail have a base

    try:
        url = urljoin(base, url)
    except ValueError:
        return None
    return url if _ABSOLUTE.match(url) else None


def is_absolute(raw: str) -> bool:
    """Say whether the value of an attribute is a URL that needs no other."""
    return _ABSOLUTE.match(decode_attribute(raw[:200]).translate(_NO_PART).lstrip(_SPACE)) is not None


def _candidates(value: Value) -> Iterator[Value]:
    """Give the URLs of a srcset."""
    at = 0
    while candidate := _CANDIDATE.match(value.raw, at):
        url = candidate[1].rstrip(",")
        yield Value(value.start + candidate.start(1), url)
        at = candidate.end() if url != candidate[1] else value.raw.find(",", candidate.end())
        if at < 0:
            return


def _refresh(value: Value) -> Iterator[Value]:
    """Give the URL of a refresh."""
    refresh = _REFRESH.match(value.raw)
    if refresh:
        yield Value(value.start + refresh.start(1), refresh[1])
