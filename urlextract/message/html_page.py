"""A page of HTML: the values of its attributes, and the text that a reader sees, in the order of the source.

The scan is flat and builds no tree: only tokens matter, and trees of hostile pages take quadratic
time. One pattern splits the page at all constructs (tags, comments, scripts, styles). Python code
reads only those that are not cached; the same ones recur often. All places are offsets in the
markup; those of the visible text are mapped to them on demand.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from functools import cached_property
from itertools import accumulate
from operator import attrgetter
from typing import Self, cast

from urlextract.grammar.chars import STRAY_BYTES
from urlextract.grammar.patterns import lazy_re
from urlextract.message.entities import decode_attribute, decode_entities
from urlextract.message.html_sight import hidden_after
from urlextract.message.html_tokens import (
    CONSTRUCT,
    LABELS,
    PARTING,
    TARGETS,
    Value,
    is_closed,
    may_have_urls,
    tag_name,
    usual_value,
    values_of,
    without_stray_quotes,
    xml_values,
)
from urlextract.records import Defect, Provenance, Segment, Span

_AFTER_TAG = lazy_re(r">(?=http|ftp[:.]|www\.|mail)")
_UNSEEN = lazy_re("\u00ad|(?<=[!-~])[\u200b\u2060\ufeff]{1,9}+(?=[!-~])")
_REFERENCE = lazy_re(r"&(?:#[0-9]++;?|#[xX][0-9a-fA-F]++;?|[A-Za-z][A-Za-z0-9]{1,31}+;?)")
# The elements that are links, and patterns of their end tags; the last is a button in mail for Outlook.
_LINKS = {kind: lazy_re(rf"(?i:</{kind})(?=[\s/>])") for kind in ("a", "area", "v:roundrect")}
_BUTTON, _BUTTON_END = lazy_re(r"<(?i:button)(?=[\s>])"), lazy_re(r"</(?i:button)(?=[\s>])")
_MOST_OF_BUTTON = 16  # tags in a button
_PARTS = " \t\n\r\f<>\"'\xa0"
_PARTED_BEFORE, _PARTED_AFTER = frozenset(_PARTS + "([{"), frozenset(_PARTS + ")]}")
_LONGEST_BASE = 8192  # characters
_LONGEST_TEXT = 4096  # characters of a link's text; a URL may have so many
_MOST_GLUED = 40  # empty texts that are skipped between two texts

_LETTER = lazy_re("[^\\W_\u115f\u1160\u3164\uffa0]")  # but blank ones of Hangul

_TAG = attrgetter("tag")

# A cache across pages: the separator that a construct puts between the texts around it. Links,
# superscripts, subscripts and constructs with URLs are not cached.
_known: dict[str, str] = {}
_MOST_KNOWN, _LONGEST_KNOWN = 4096, 200


class Element:
    """A link, or an element that is one in mail: from ``start`` to ``end`` in the markup.

    ``kind`` is its name. ``values`` are the numbers of its values, ``target`` is that of its ``href``,
    -1 without one. Its texts are those from ``first`` to ``last``.
    """

    __slots__ = ("end", "first", "kind", "last", "start", "target", "values")

    def __init__(self, kind: str, start: int, values: range, target: int, first: int) -> None:
        self.kind, self.start, self.values = kind, start, values
        self.target, self.first = target, first
        self.end = self.last = -1


class Page:
    r"""Markup, the values of its attributes, and its visible text.

    ``base`` is the URL of the page, if the mail names one. ``byte`` is the offset of the markup in the
    source, if each character is one byte there. A stretch of a longer page begins at ``start`` of that
    page, on ``line``, at ``column``; all other places count from the beginning of the stretch. If it
    begins inside a comment, a script or the like, ``opener`` begins one (see `opener_at_end`). In XML, which
    the media type of the provenance says, each tag separates texts, and each attribute may hold a URL.

    >>> page = Page("<p>a <a href='http://x.example/'>b&amp;c</a>", Provenance())
    >>> page.visible, [value.raw for value in page.values]
    ('\na b&c', ['http://x.example/'])
    >>> [span.of(page.text) for span in page.places(Span(3, 6))]
    ['b', '&amp;', 'c']
    """

    def __init__(
        self,
        markup: str,
        provenance: Provenance,
        *,
        base: str | None = None,
        byte: int | None = None,
        defects: tuple[Defect, ...] = (),
        start: int = 0,
        line: int = 1,
        column: int = 1,
        opener: str = "",
    ) -> None:
        self.text = without_stray_quotes(markup)
        self.provenance, self.base, self.byte, self.defects = provenance, _short(base), byte, defects
        self.start, self.line, self.column = start, line, column
        self.values: list[Value] = []
        self._base_value: Value | None = None
        self._elements: list[Element] = []
        self._notes: list[int] = []  # the numbers of the texts after a ``sup`` or ``sub`` tag
        self._codebases: dict[int, str] = {}
        self._known_characters: tuple[int, list[Span]] = (-1, [])
        pieces: list[str] = CONSTRUCT.split(opener + self.text)
        if len(pieces) > 1 and not is_closed(pieces[-2]):  # a tag that never ends is text
            pieces[-3:] = ["".join(pieces[-3:])]
        # The starts of texts and constructs, in turn.
        self._starts = [*accumulate(map(len, pieces), initial=-len(opener))]
        self._texts, self._constructs = pieces[0::2], pieces[1::2]
        self._is_xml = provenance.media_type == "text/xml"
        self._between: list[str | None] = (
            [None] * len(self._constructs) if self._is_xml else list(map(_known.get, self._constructs))
        )
        at = 0
        for _ in range(self._between.count(None)):
            at = self._between.index(None, at)
            self._between[at] = self._read_construct(at, self._constructs[at])
        self._close_elements()
        self._element_starts = [element.start for element in self._elements]
        self._seen = [text if text.isascii() and "&" not in text else _seen(text) for text in self._texts]
        self._part_words()
        # The texts as they are seen and the separators, in turn, and where they start in the visible text.
        self._seen_pieces: list[str] = [""] * len(pieces)
        self._seen_pieces[0::2], self._seen_pieces[1::2] = self._seen, cast("list[str]", self._between)
        self._seen_starts = [*accumulate(map(len, self._seen_pieces), initial=0)]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Page) and self._known_by() == other._known_by()

    def __hash__(self) -> int:
        return hash(self._known_by())

    def _known_by(self) -> tuple[str, Provenance, str | None, int | None, tuple[Defect, ...]]:
        return self.text, self.provenance, self.base, self.byte, self.defects

    # --- reading --------------------------------------------------------------------------------

    def _read_construct(self, at: int, construct: str) -> str:
        """Keep the values of a construct; return the separator that it puts between the texts around it."""
        start, known = self._starts[2 * at + 1], len(self.values)
        usual = None if self._is_xml else usual_value(construct, start)
        if usual:
            self.values.append(usual)
            if usual.element != "a":
                return "\n"
            self._elements.append(Element("a", start, range(known, known + 1), known, at + 1))
            return ""
        if not is_closed(construct):
            self._texts[at] += construct
            self._constructs[at] = ""
            self._starts[2 * at + 1] = self._starts[2 * at + 2]
            return ""
        raw_name = _raw_name(construct)
        name = "" if raw_name else tag_name(construct)
        separator = "\n" if name and name.removeprefix("/") in PARTING else ""
        kind = name or raw_name
        if self._is_xml:
            self.values += xml_values(construct, name, start) if name else ()
            return "\n\n" if name else ""  # nothing goes on from one element into another
        if kind and not name.startswith("/") and may_have_urls(construct):
            self._read_values(start, construct, kind)
        if kind in ("sup", "sub"):
            self._notes.append(at + 1)
        elif kind in _LINKS:
            values = range(known, len(self.values))
            target = next((number for number in values if self.values[number].attribute in TARGETS), -1)
            self._elements.append(Element(kind, start, values, target, at + 1))
        elif known == len(self.values) and len(construct) <= _LONGEST_KNOWN and len(_known) < _MOST_KNOWN:
            _known[construct] = separator
        return separator

    def _read_values(self, start: int, construct: str, name: str) -> None:
        values, codebase = values_of(construct, name, start)
        for value in values:
            if _short(codebase) is not None and value.attribute == "data":
                self._codebases[value.start] = codebase or ""
            if name == "base" and value.attribute == "href" and self._base_value is None:
                self._base_value = value
        self.values += values

    def _close_elements(self) -> None:
        """Find the ends of the links: an end tag, or the start of the next link."""
        if not self._elements:
            return
        tags = self._constructs
        for element, following in zip(self._elements, [*self._elements[1:], None], strict=True):
            last = following.first - 1 if following else len(tags)
            inside = range(element.first, last)
            ending = _LINKS[element.kind]
            if element.kind == "area":
                last = element.first - 1
            element.last = next((at for at in inside if ending.match(tags[at])), last)
            element.end = max(self._starts[2 * element.last + 1], element.start + 1)

    def _part_words(self) -> None:
        """Put a blank between a word and a link, ``sup`` or ``sub`` next to it, or a URL after a tag."""
        seen, between = self._seen, self._between
        edges = {at for element in self._elements for at in (element.first, element.last + 1)}
        edges.update(self._notes)
        for at in edges:
            follows_edge = at - 1 in edges and not seen[at - 1]  # that edge separates them already
            if 0 < at < len(seen) and not (follows_edge or between[at - 1]) and self._is_glued(at):
                between[at - 1] = " "
        for beginning in _AFTER_TAG.finditer(self.text):
            at = bisect_right(self._starts, beginning.end()) // 2
            is_text = self._starts[2 * at] == beginning.end() if at < len(seen) else False
            if is_text and not between[at - 1] and self._is_glued(at, words=True):
                between[at - 1] = " "

    def _is_glued(self, at: int, *, words: bool = False) -> bool:
        """Return whether no blank separates the text at ``at`` from the text before it.

        Empty texts are skipped. With ``words`` the text before it must end in a letter or digit.
        """
        seen, between = self._seen, self._between
        before, after = at - 1, at
        while before > 0 and not seen[before] and not between[before - 1] and at - before < _MOST_GLUED:
            before -= 1
        while after + 1 < len(seen) and not seen[after] and not between[after] and after - at < _MOST_GLUED:
            after += 1
        if not (seen[before] and seen[after]):
            return False
        if words:
            return seen[before][-1].isalnum()
        return seen[before][-1] not in _PARTED_BEFORE and seen[after][0] not in _PARTED_AFTER

    def placed(self, occurrence: int, defects: tuple[Defect, ...]) -> Self:
        """Put ``occurrence`` into the provenance of this page, add ``defects``, and return the page."""
        self.provenance = self.provenance.but(occurrence=occurrence)
        self.defects += defects
        return self

    # --- the visible text and its places ----------------------------------------------------------

    @cached_property
    def visible(self) -> str:
        """The text that a reader sees; block tags separate its texts, inline tags do not."""
        return "".join(self._seen_pieces)

    def places(self, span: Span) -> tuple[Span, ...]:
        """Return the spans of the markup that are shown as ``span`` of the visible text."""
        starts = self._seen_starts
        at = bisect_right(starts, span.start) - 1
        found: list[Span] = []
        while at < len(starts) - 1 and starts[at] < span.end:
            low, high = max(span.start, starts[at]), min(span.end, starts[at + 1])
            if at % 2 == 0 and low < high:
                found += self._stretches(at // 2, low - starts[at], high - starts[at])
            at += 1
        if not found:
            edge = self._starts[min(bisect_right(starts, span.start) - 1, len(self._starts) - 1)]
            found.append(Span(edge, edge))
        return tuple(found)

    def seen_at(self, at: int) -> int:
        """Return the offset in the visible text of the character at the offset ``at`` of the markup.

        If nothing is shown of it, that is the offset of what is shown after it.

        >>> page = Page("<p>a &lt; <b>b</b>", Provenance())
        >>> [page.visible[page.seen_at(at) :] for at in (0, 3, 5, 13)]
        ['a < b', 'a < b', '< b', 'b']
        """
        number = bisect_right(self._starts, at) - 1
        if number % 2 or number >= len(self._seen_starts) - 1:
            return self._seen_starts[min(number + 1, len(self._seen_starts) - 1)]
        start, within = self._seen_starts[number], at - self._starts[number]
        if self._texts[number // 2] != self._seen[number // 2]:
            within = bisect_right(self._characters(number // 2), within, key=lambda span: span.end)
        return start + within

    def hull(self, span: Span) -> Span:
        """Return the smallest span of the markup that holds all of ``span`` of the visible text."""
        first = self.places(Span(span.start, span.start + 1))[0]
        last = self.places(Span(span.end - 1, span.end))[-1]
        if first.start == first.end or last.start == last.end:  # not in a text
            places = self.places(span)
            first, last = places[0], places[-1]
        return Span(first.start, last.end)

    def _stretches(self, number: int, low: int, high: int) -> Iterator[Span]:
        """Yield the spans in the markup of ``low:high`` of a text, one for each character reference."""
        start = self._starts[2 * number]
        if self._texts[number] == self._seen[number]:
            yield Span(start + low, start + high)
            return
        run, is_run = None, True
        for span in self._characters(number)[low:high]:
            if run and span.start == run.end and span.end - span.start == 1 and is_run:
                run = Span(run.start, span.end)
                continue
            if run:
                yield run.moved(start)
            run, is_run = span, span.end - span.start == 1
        if run:
            yield run.moved(start)

    def _characters(self, number: int) -> list[Span]:
        """Return the span in a text of each of its visible characters; that of the last text is cached."""
        if self._known_characters[0] != number:
            self._known_characters = number, _characters(self._texts[number])
        return self._known_characters[1]

    def element_at(self, at: int) -> Element | None:
        """Return the link that begins at the offset ``at`` of the markup, or that holds it."""
        number = bisect_right(self._element_starts, at) - 1
        element = self._elements[number] if number >= 0 else None
        return element if element and at < element.end else None

    def link_of(self, span: Span, inner: Span) -> tuple[int, Element | None, bool]:
        """Return where the text with a URL begins in the markup, the link with the URL, and if it has all.

        ``span`` is that of the URL in the visible text, ``inner`` that of the URL without its brackets.
        """
        first, begin, last = (
            (bisect_right(self._seen_starts, at) - 1) // 2 for at in (span.start, inner.start, span.end - 1)
        )
        element = self.element_at(self._starts[2 * begin])
        if element and not element.first <= begin <= element.last:
            element = None
        return self._starts[2 * first], element, element is not None and last <= element.last

    def text_of(self, element: Element) -> str:
        """Return the text of a link on one line, without what its tags hide; a very long one is cut.

        If no letter or digit is in it, the ``alt`` texts of its images are. If all of it is hidden, all
        counts: a style sheet may show it.
        """
        first, last = element.first, element.last
        pieces = self._seen_pieces[2 * first : 2 * last + 1]
        if not pieces:  # an area
            return on_one_line(self.alternatives.get(element.start, ""), _LONGEST_TEXT)
        images: dict[int, str] = {}  # by the numbers of the separators
        if self.alternatives:
            texts = ((2 * (at - first) + 1, self._starts[2 * at + 1]) for at in range(first, last))
            images = {at: self.alternatives[tag] for at, tag in texts if tag in self.alternatives}
        hidden = hidden_after(self._constructs[first - 1 : last])
        if hidden:
            seen = ["" if at % 2 == 0 and hidden[at // 2].text else piece for at, piece in enumerate(pieces)]
            seen_images = {at: alt for at, alt in images.items() if not hidden[at // 2 + 1].image}
            text = _with_images(seen, seen_images)
            if _LETTER.search(text):
                return text
        return _with_images(pieces, images)

    @cached_property
    def alternatives(self) -> dict[int, str]:
        """The ``alt`` texts of images and areas, by the offset of their tag."""
        return {
            value.tag: f" {decode_attribute(value.raw)} " for value in self.values if value.attribute == "alt"
        }

    @cached_property
    def _labels(self) -> list[Value]:
        return [value for value in self.values if value.attribute in LABELS]

    @cached_property
    def _form_starts(self) -> list[int]:
        return [value.tag for value in self.values if value.element == "form"]

    def labels(self, start: int, end: int) -> list[Value]:
        """Return the values that tell a reader what a link or a button does, of tags in ``start:end``."""
        low = bisect_left(self._labels, start, key=_TAG)
        return self._labels[low : bisect_left(self._labels, end, low, key=_TAG)]

    def labels_of_form(self, value: Value) -> Iterator[str]:
        """Yield the labels of the buttons that send a form to ``value``, and their texts."""
        if value.attribute == "formaction":
            end = value.tag + 1
        elif value.element == "form" and value.attribute == "action":
            following = bisect_right(self._form_starts, value.tag)
            end = self._form_starts[following] if following < len(self._form_starts) else len(self.text)
        else:
            return
        for label in self.labels(value.tag, end):
            if label.element == "button" or label.attribute == "value":
                yield decode_attribute(label.raw)
        for at in range(bisect_left(self._starts, value.tag) // 2, bisect_left(self._starts, end) // 2):
            if _BUTTON.match(self._constructs[at]):
                tags = self._constructs[at + 1 : at + 1 + _MOST_OF_BUTTON]
                last = next(
                    (number for number, tag in enumerate(tags, at + 2) if _BUTTON_END.match(tag)), at + 2
                )
                yield "".join(self._seen_pieces[2 * at + 2 : 2 * last - 1])

    @property
    def own_base(self) -> str | None:
        """The base URL that the page itself names, None without one."""
        return _short(self._base_value.raw) if self._base_value else None

    def bases_of(self, value: Value) -> tuple[str | None, ...]:
        """Return the bases of ``value``, outermost first: the URL of the page, its base, its codebase."""
        own = self._base_value
        if own is None and not self._codebases:
            return (self.base,)
        codebase = self._codebases.get(value.start)
        return (
            self.base,
            None if value is own else self.own_base,
            codebase,
        )


def _with_images(pieces: list[str], images: dict[int, str]) -> str:
    """Return the text of ``pieces`` on one line, with that of its images if it has no letter of its own."""
    text = "".join(pieces)
    if images and not _LETTER.search(text):
        text = "".join(piece + images.get(at, "") for at, piece in enumerate(pieces))
    return on_one_line(text, _LONGEST_TEXT)


def on_one_line(text: str, longest: int) -> str:
    r"""Return the beginning of a text on one line, without taking all of a long text apart.

    >>> on_one_line(" a\n b\t c", 4), on_one_line("a " * 1_000_000, 3)
    ('a b ', 'a a')
    """
    words = text.split(maxsplit=longest)[:longest]  # so many words have as many characters, or they are all
    return " ".join(words)[:longest]


_TITLE, _TITLE_END = lazy_re(r"<(?i:title)(?=[\s/>])"), lazy_re(r"</(?i:title)(?=[\s/>])")
_TITLE_WITHIN = 1 << 16  # characters at the beginning of a page in which its title is looked for
_LONGEST_TITLE = 200  # characters


def title_of(markup: str) -> str | None:
    r"""Return the title of a page on one line, None if there is none at its beginning.

    >>> title_of("<!-- <title>x</title> --><TITLE>Tides &amp; <i>\n boats</TITLE><p>a"), title_of("<title>a")
    ('Tides & <i> boats', None)
    """
    beginning = markup[:_TITLE_WITHIN]
    if not _TITLE.search(beginning):
        return None
    tag = next(filter(lambda each: _TITLE.match(each[0]), CONSTRUCT.finditer(beginning)), None)
    # HTML Standard, section 13.2.5.2: between its tags is text, whatever looks like a tag.
    end = _TITLE_END.search(beginning, tag.end()) if tag else None
    if not tag or not end:
        return None
    text = decode_entities(beginning[tag.end() : end.start()].translate(STRAY_BYTES))
    return on_one_line(text, _LONGEST_TITLE).rstrip() or None


def _short(base: str | None) -> str | None:
    """Return a base, None for one so long that it would make all resolved URLs of a page as long."""
    return base if base is not None and len(base) <= _LONGEST_BASE else None


def _raw_name(construct: str) -> str:
    """Return "script" or "style" for such an element, "" for any other construct."""
    name = construct[1:7].lower()
    if name.startswith("style"):
        return "style"
    return "script" if name == "script" else ""


def _seen(text: str) -> str:
    r"""Return a text as it is seen: decoded, without soft hyphens and zero-width characters in ASCII words.

    >>> _seen("http://a.example/long/pa&shy;th &lt;x&gt;")
    'http://a.example/long/path <x>'
    """
    if "&" in text:
        text = decode_entities(text)
    return text if text.isascii() else _UNSEEN.sub("", text)


def _characters(raw: str) -> list[Span]:
    """Return the span in ``raw`` of each character of `_seen`."""
    places: list[Span] = []
    decoded: list[str] = []
    at = 0
    for match in [*_REFERENCE.finditer(raw), None]:
        until = match.start() if match else len(raw)
        places += [Span(place, place + 1) for place in range(at, until)]
        decoded.append(raw[at:until])
        if match:
            text = decode_entities(match[0])
            at = match.end()
            decoded.append(text)
            if text[1:] and match[0].endswith(text[1:]):  # a reference without ";", and what follows it
                at -= len(text) - 1
                decoded[-1] = text[0]
                text = text[0]
            places += [Span(match.start(), at)] * len(text)
    hidden = {at for match in _UNSEEN.finditer("".join(decoded)) for at in range(*match.span())}
    return [place for at, place in enumerate(places) if at not in hidden]


Readable = Segment | Page
"""The forms in which a part of a message is searched."""
