"""A page of HTML: the values of its attributes, its links, and the text that a reader sees, in one flat walk.

There is no tree: only tags matter, and trees of hostile pages take quadratic time. One pattern splits the
page at all that is no text. Python code reads only the tags that are not cached; the same ones recur often.
Places are offsets in the markup; those of the visible text are worked out when they are asked for.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from functools import cached_property
from itertools import accumulate
from operator import attrgetter
from typing import cast

from urlextract.grammar.chars import STRAY_BYTES
from urlextract.grammar.patterns import lazy_re
from urlextract.message.entities import Decoded, decode_attribute, decode_entities, seen
from urlextract.message.html_tokens import (
    CONSTRUCT,
    FORGOTTEN_QUOTE,
    PARTING,
    RAW,
    Value,
    attributes_of,
    tag_name,
    values_of,
)
from urlextract.records import Defect, Provenance, Segment, Span

# Nine of ten tags with URLs: a link or an image with no other attribute that may hold one.
_USUAL = lazy_re(
    r"""<(a|img) (href|src)="([^"&\s]++)\""""
    r"""(?>(?: (?:target|rel|class|id|width|height|border)="[^"]*+")*) ?/?>"""
)
# Links, and their end tags; v:roundrect is a button in mail for Outlook.
_ENDS = {kind: lazy_re(rf"</(?i:{kind})(?=[\s/>])") for kind in ("a", "area", "v:roundrect")}
_FORM, _TAGS = lazy_re(r"(?i)</?form(?=[\s/>])"), lazy_re(r"<[^<>]{0,400}>")
_BUTTON = lazy_re(
    r"""(?is)<button(?=[\s/>])[^<>]{0,400}>(.{0,400}?)</button"""
    r"""|<input(?=[^<>]{0,400}\btype=["']?submit)[^<>]{0,400}?\svalue=(?:"([^"]*)"|'([^']*)'|([^\s"'<>]+))"""
)
_NOTES = ("sup", "sub")
_PARTED_BEFORE, _PARTED_AFTER = {"", *" \t\n\r\f<>\"'\xa0([{"}, {"", *" \t\n\r\f<>\"'\xa0)]}"}
_LETTER = lazy_re("[^\\W_\u115f\u1160\u3164\uffa0]")  # but blank ones of Hangul
_LONGEST_BASE = 8192  # characters
_LONGEST_TEXT = 4096  # characters of a link's text; a URL may have so many
_TAG, _START = attrgetter("tag"), attrgetter("start")

# A cache across pages: what a tag puts between the texts around it, if it needs not be read each time.
_known: dict[str, str] = {}
_MOST_KNOWN, _LONGEST_KNOWN = 4096, 200


class Link:
    """A link, or an element that is one in mail: ``start:end`` in the markup, texts ``first`` to ``last``.

    ``kind`` is its name, ``values`` are those of its tag. An area has no text: ``last`` is below ``first``.
    """

    __slots__ = ("end", "first", "kind", "last", "start", "values")

    def __init__(self, kind: str, start: int, first: int, values: list[Value]) -> None:
        self.kind, self.start, self.first, self.values = kind, start, first, values
        self.end = self.last = -1


class Places:
    """Where the visible text of a page stands in its markup.

    ``raw`` are the texts and tags of the page in turn, ``starts`` their offsets; ``shown`` are the texts as
    they are seen, and what separates them.
    """

    def __init__(self, raw: Sequence[str], shown: Sequence[str], starts: Sequence[int]) -> None:
        self._raw, self._shown, self._starts = raw, shown, starts
        self._shown_starts = array("q", accumulate(map(len, shown), initial=0))
        self._last = -1, Decoded("")  # the text that was asked for last, by its number

    def text_at(self, offset: int) -> int:
        """Return the number of the text that has this character of the visible text, or comes before it."""
        return (bisect_right(self._shown_starts, offset) - 1) // 2

    def spans(self, span: Span) -> tuple[Span, ...]:
        """Return the spans of the markup that are shown as ``span`` of the visible text."""
        found: list[Span] = []
        first = min(bisect_right(self._shown_starts, span.start), len(self._shown)) - 1
        for number in range(first + first % 2, len(self._shown), 2):
            start, end = self._shown_starts[number : number + 2]
            if start >= span.end:
                break
            spans = self._decoded(number).spans(max(span.start, start) - start, min(span.end, end) - start)
            found += (each.moved(self._starts[number]) for each in spans)
        return tuple(found) or (Span(self._starts[first], self._starts[first]),)

    def hull(self, span: Span) -> Span:
        """Return the smallest span of the markup that holds all of ``span`` of the visible text."""
        spans = self.spans(span)
        return Span(spans[0].start, spans[-1].end)

    def shown_at(self, at: int) -> int:
        """Return the offset in the visible text of what stands at ``at``, or of what is shown after it."""
        number = bisect_right(self._starts, at) - 1
        if number % 2 or number >= len(self._shown):
            return self._shown_starts[min(number + 1, len(self._shown))]
        return self._shown_starts[number] + self._decoded(number).offset(at - self._starts[number])

    def _decoded(self, number: int) -> Decoded:
        if self._last[0] != number:
            self._last = number, Decoded(self._raw[number])
        return self._last[1]


class Page:
    r"""Markup, the values of its attributes, its links, and its visible text.

    ``base`` is the URL of the page, if the mail names one, and ``own_base`` the one that the page names.
    ``byte`` is the offset of the markup in the source, if each character is one byte there. A window of a
    longer page begins at ``start`` of that page, on ``line``, at ``column``; all other places count from its
    beginning. If it begins inside a comment, a script or the like, ``opener`` begins one. In XML, which the
    media type of the provenance says, each tag separates texts, and each attribute may hold a URL.

    >>> page = Page("<p>a <a href='http://x.example/'>b&amp;c</a>", Provenance())
    >>> page.visible, [value.raw for value in page.values], page.text_of(page.links[0])
    ('\na b&c', ['http://x.example/'], 'b&c')
    >>> [span.of(page.text) for span in page.places.spans(Span(3, 6))]
    ['b', '&amp;', 'c']
    """

    def __init__(
        self,
        markup: str,
        provenance: Provenance,
        *,
        base: str | None = None,
        own_base: str | None = None,
        byte: int | None = None,
        defects: tuple[Defect, ...] = (),
        start: int = 0,
        line: int = 1,
        column: int = 1,
        opener: str = "",
    ) -> None:
        self.text = FORGOTTEN_QUOTE.sub("= ", markup)  # its length stays
        self.provenance, self.byte, self.defects = provenance, byte, defects
        self.start, self.line, self.column = start, line, column
        self.base, self.own_base = _short(base), own_base
        self.values: list[Value] = []
        self.links: list[Link] = []
        self._edges: set[int] = set()  # the numbers of the texts after a tag before or after which words end
        self._is_xml = provenance.media_type == "text/xml"
        self._raw: list[str] = CONSTRUCT.split(opener + self.text)
        self._starts = array("q", accumulate(map(len, self._raw), initial=-len(opener)))
        tags = self._raw[1::2]
        separators: list[str | None] = [None if self._is_xml else _known.get(tag) for tag in tags]
        number = -1
        for _ in range(separators.count(None)):
            number = separators.index(None, number + 1)
            separators[number] = self._read(number, tags[number])
        self._end_links()
        self._shown = self._raw.copy()  # the texts as they are seen, and what separates them
        texts = self._raw[0::2]
        self._shown[0::2] = [text if "&" not in text and text.isascii() else seen(text) for text in texts]
        self._shown[1::2] = cast("list[str]", separators)
        self._part_words()

    def _read(self, number: int, tag: str) -> str:
        """Keep the values of a tag or the like; return what separates the texts around it."""
        at = self._starts[2 * number + 1]
        usual = None if self._is_xml else _USUAL.fullmatch(tag)
        if usual:
            values = [Value(at + usual.start(3), usual[3], at, usual[1], usual[2])]
            name = usual[1]
        else:
            name = tag_name(tag)
            is_closed = ">" in tag if name in RAW else tag.endswith((">", ">\n"))
            if name and not is_closed:  # it is text
                self._raw[2 * number] += tag
                self._raw[2 * number + 1] = ""
                self._starts[2 * number + 1] += len(tag)
                return ""
            is_read = name and name[0] != "/" and not (self._is_xml and name in RAW)
            values = [*values_of(tag, name, at, is_xml=self._is_xml)] if is_read else []
        self.values += values
        if self._is_xml:
            return "\n\n" if name and name not in RAW else ""  # nothing goes on from one element into another
        separator = "\n" if name.removeprefix("/") in PARTING else ""
        if name in _ENDS:
            self.links.append(Link(name, at, number + 1, values))
        elif name in _NOTES:
            self._edges.add(number + 1)
        elif name == "base" and self.own_base is None:
            self.own_base = next((_short(value.raw) for value in values if value.attribute == "href"), None)
        elif not values and len(tag) <= _LONGEST_KNOWN and len(_known) < _MOST_KNOWN:
            _known[tag] = separator
        return separator

    def _end_links(self) -> None:
        """Find the ends of the links: an end tag, or the start of the next one."""
        following = len(self._raw) // 2
        for link in reversed(self.links):
            ends, inside = _ENDS[link.kind], range(link.first, following)
            if link.kind == "area":
                inside, following = range(0), link.first - 1
            link.last = next((at for at in inside if ends.match(self._raw[2 * at + 1])), following)
            link.end = max(self._starts[2 * link.last + 1], link.start + 1)
            following = link.first - 1

    def _part_words(self) -> None:
        """Put a blank between a word and a link, ``sup`` or ``sub`` next to it."""
        shown = self._shown
        edges = self._edges.union(*((link.first, link.last + 1) for link in self.links))
        for at in (2 * edge for edge in sorted(edges) if 2 * edge < len(shown)):
            if not shown[at - 1]:
                before = "".join(shown[max(0, at - 4) : at - 1])[-1:]
                after = "".join(shown[at : at + 3])[:1]
                if before not in _PARTED_BEFORE and after not in _PARTED_AFTER:
                    shown[at - 1] = " "

    @cached_property
    def visible(self) -> str:
        """The text that a reader sees; block tags separate its texts, inline tags do not."""
        return "".join(self._shown)

    @cached_property
    def places(self) -> Places:
        """The places of the visible text in the markup."""
        return Places(self._raw, self._shown, self._starts)

    def link_at(self, at: int) -> Link | None:
        """Return the link that begins at the offset ``at`` of the markup, or that holds it."""
        number = bisect_right(self.links, at, key=_START) - 1
        return self.links[number] if number >= 0 and at < self.links[number].end else None

    def link_of(self, span: Span, inner: Span) -> tuple[int, Link | None, bool]:
        """Return where the text with a URL begins in the markup, the link with the URL, and if it has all.

        ``span`` is that of the URL in the visible text, ``inner`` that of the URL without its brackets.
        """
        first, begin, last = map(self.places.text_at, (span.start, inner.start, span.end - 1))
        link = self.link_at(self._starts[2 * begin])
        return self._starts[2 * first], link, link is not None and last <= link.last

    def bases_of(self, value: Value) -> tuple[str | None, ...]:
        """Return the bases of ``value``, outermost first: the URL of the page, and the one that it names."""
        return self.base, None if value.element == "base" else self.own_base

    # --- what is said of a link -------------------------------------------------------------------

    def text_of(self, link: Link) -> str:
        """Return the text of a link on one line, without what its tags hide; a very long one is cut.

        If no letter or digit is in it, the ``alt`` texts of its images count. If all of it is hidden, all
        counts: a style sheet may show it.
        """
        if link.last < link.first:
            return on_one_line(self.alternatives.get(link.start, ""), _LONGEST_TEXT)
        text = "".join(self._shown[2 * link.first : 2 * link.last + 1])
        tags = self._raw[2 * link.first - 1 : 2 * link.last : 2]
        if _LETTER.search(text) and not any(map(_MAY_HIDE.search, tags)):
            return on_one_line(text, _LONGEST_TEXT)
        shown: list[str] = []
        images: list[str] = []
        everything: list[str] = []
        hiding, depth = "", 0  # the name of the element that hides, and how many of that name are open
        for number in range(link.first, link.last + 1):  # each text after its tag
            tag = self._raw[2 * number - 1]
            name, is_inside = tag_name(tag), number > link.first
            separator = self._shown[2 * number - 1] if is_inside else ""
            image = self.alternatives.get(self._starts[2 * number - 1], "") if is_inside else ""
            text = self._shown[2 * number]
            everything += (separator, image, text)
            if hiding:
                depth += (name == hiding) - (name == f"/{hiding}")
                hiding = hiding if depth else ""
            elif _hides(tag, name):
                image = ""
                hiding, depth = ("", 0) if name in _EMPTY else (name, 1)
            if not hiding:
                shown += (separator, text)
                images += (separator, image, text)
        texts = ["".join(pieces) for pieces in (shown, images, everything)]
        return on_one_line(next(filter(_LETTER.search, texts), texts[-1]), _LONGEST_TEXT)

    @cached_property
    def alternatives(self) -> dict[int, str]:
        """The ``alt`` texts of images and areas, by the offset of their tag."""
        texts = (value for value in self.values if value.attribute == "alt")
        return {value.tag: f" {decode_attribute(value.raw)} " for value in texts}

    @cached_property
    def _labels(self) -> list[Value]:
        return [value for value in self.values if value.is_text and value.attribute != "alt"]

    def labels(self, link: Link) -> list[str]:
        """Return the titles and the like of the tags of a link."""
        low = bisect_left(self._labels, link.start, key=_TAG)
        values = self._labels[low : bisect_left(self._labels, link.end, low, key=_TAG)]
        return [decode_attribute(value.raw) for value in values]

    def buttons(self, form: Value) -> list[str]:
        """Return what the buttons of the form with a value say."""
        end = _FORM.search(self.text, form.tag + 1)
        found = _BUTTON.findall(self.text, form.tag, end.start() if end else len(self.text))
        return [decode_attribute(_TAGS.sub("", "".join(texts))) for texts in found]


# --- what the tags of a link hide -----------------------------------------------------------------

_MAY_HIDE = lazy_re(r"(?i)[\s\"'/](?:hidden|style)\b")
_DECLARATION = lazy_re(r"(?:\A|;)\s*+([\w-]+)\s*+:([^;!]*+)")
_NO_SIZE = lazy_re(r"(?:0++(?:\.0*+)?|\.0++)[a-z%]*+")
_EMPTY = ("br", "hr", "img", "input", "wbr")  # elements without a text


def _hides(tag: str, name: str) -> bool:
    """Return whether a tag hides its element, or gives its letters no size."""
    if not _MAY_HIDE.search(tag) or name[:1] in ("", "/"):
        return False
    attributes = attributes_of(tag, name)
    style = decode_attribute(attributes["style"].raw).lower() if "style" in attributes else ""
    declared = {key: value.strip() for key, value in _DECLARATION.findall(style)}  # the last counts
    is_shown = declared.get("display", "none" if "hidden" in attributes else "") != "none"
    return not is_shown or _NO_SIZE.fullmatch(declared.get("font-size", "1")) is not None


# --- what is said of a page -----------------------------------------------------------------------


def on_one_line(text: str, longest: int) -> str:
    r"""Return the beginning of a text on one line, without taking all of a long text apart.

    >>> on_one_line(" a\n b\t c", 4), on_one_line("a " * 1_000_000, 3)
    ('a b ', 'a a')
    """
    words = text.split(maxsplit=longest)[:longest]  # so many words have as many characters, or they are all
    return " ".join(words)[:longest]


_TITLE_END = lazy_re(r"</(?i:title)(?=[\s/>])")
_TITLE_WITHIN = 1 << 16  # characters at the beginning of a page in which its title is looked for
_LONGEST_TITLE = 200  # characters


def title_of(markup: str) -> str | None:
    r"""Return the title of a page on one line, None if there is none at its beginning.

    >>> title_of("<!-- <title>x</title> --><TITLE>Tides &amp; <i>\n boats</TITLE><p>a"), title_of("<title>a")
    ('Tides & <i> boats', None)
    """
    beginning = markup[:_TITLE_WITHIN]
    if not _TITLE_END.search(beginning):
        return None
    tag = next((each for each in CONSTRUCT.finditer(beginning) if tag_name(each[0]) == "title"), None)
    # HTML Standard, section 13.2.5.2: between its tags is text, whatever looks like a tag.
    end = _TITLE_END.search(beginning, tag.end()) if tag else None
    text = beginning[tag.end() : end.start()] if tag and end else ""
    return on_one_line(decode_entities(text.translate(STRAY_BYTES)), _LONGEST_TITLE).rstrip() or None


def _short(base: str | None) -> str | None:
    """Return a base, None for one so long that it would make all resolved URLs of a page as long."""
    return base if base is not None and len(base) <= _LONGEST_BASE else None


Readable = Segment | Page
"""The forms in which a part of a message is searched."""
