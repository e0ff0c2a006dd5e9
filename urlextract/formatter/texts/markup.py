r"""Find Markdown and HTML within a paragraph, so that it means the same after the text was rewritten.

Plain text is not parsed as Markdown: only what a careful reader of the text would take for a link, for code
or for a tag is recognized. Text that merely looks similar, such as ```quoted'' words`` or ``a < b``, has no
spans. Numbers of sections are those of CommonMark 0.31.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from urlextract.formatter.texts.quotes import item_mark, line_of, marks_of
from urlextract.grammar.patterns import lazy_re

_LONGEST = 300  # characters of code or of a tag that stays whole; marks further apart are no pair
_LONGEST_TAG = 2_000  # characters of any tag

# Section 6.6, without processing instructions, declarations and CDATA, but with the names of XML, which may
# have a prefix. Without blanks, "<a:b>" is an autolink.
#   attribute = whitespace name [ [ whitespace ] "=" [ whitespace ] value ]
_ATTRIBUTE = r"""\s++[A-Za-z_:][\w.:-]*+(?>(?:\s*+=\s*+(?:[^\s"'=<>`]++|'[^']*+'|"[^"]*+"))?)"""
_NAME = r"[A-Za-z][\w.-]*+(?>(?::[A-Za-z][\w.-]*+)?)"
_OPEN_TAG = rf"<(?P<name>{_NAME})(?>(?:{_ATTRIBUTE})*)\s*+/?>"
_CLOSING_TAG = rf"</(?P<closed>{_NAME})\s*+>"
# Section 6.5: an autolink is no mark itself, and has no marks in it.
_AUTOLINK = r"<[A-Za-z][A-Za-z0-9+.-]*+:[^\s<>]*+>"
_IN_BRACKETS = lazy_re(rf"{_AUTOLINK}|{_OPEN_TAG}|{_CLOSING_TAG}|<!--(?P<comment>)")
# Section 6.3: the destination of a link, and its title. Parentheses in a destination come in pairs.
_DESTINATION = lazy_re(
    r"""\]\(\s*+(?:<[^<>\n]*+>|(?>(?:\\[!-/:-@\[-`{-~]|[^\s()<>\\]|\((?:[^\s()]*+)\)|\\)+))"""
    r"""(?>(?:\s++(?:"[^"]*+"|'[^']*+'|\([^()]*+\)))?)\s*+\)"""
)
_LABEL = lazy_re(r"\]\[[^\[\]]{0,200}+\]")  # the end of a link's text, and the label of a definition
_MARK = lazy_re(r"\\[!-/:-@\[-`{-~]|`++|[<\[\]]")  # section 2.4: a backslash takes a mark its meaning
_TICKS = lazy_re(r"`++")

# Section 4.6: what begins an HTML block at the start of a line, within a paragraph, too. Blocks of the
# first five kinds end with the line that has what closes them, the others at a blank line.
_RAW_BLOCK = lazy_re(
    r"(?i)[ ]{0,3}<(?:(?P<sign>!--|\?|!\[CDATA\[|!(?=[A-Z]))|(?P<name>pre|script|style|textarea)(?=[\s>]|\Z))"
)
_CLOSINGS = {"!--": "-->", "?": "?>", "![cdata[": "]]>", "!": ">"}
_BLOCK = lazy_re(
    r"(?i)[ ]{0,3}<(?:/?(?:address|article|aside|base|basefont"
    r"|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|fieldset|figcaption|figure"
    r"|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|menuitem|nav"
    r"|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|title|tr|track"
    r"|ul)(?=[\s>]|/>|\Z))"
)
# The seventh kind, which does not begin within a paragraph
_LONE_TAG = lazy_re(rf"[ ]{{0,3}}(?!{_AUTOLINK})(?:{_OPEN_TAG}|{_CLOSING_TAG})[ \t]*+(?:\n|\Z)")
_TAG_FIRST = lazy_re(rf"\s*</?(?!{_AUTOLINK[1:]}){_NAME}(?:\s|/?>|\Z)")


class Extent(NamedTuple):
    """Where some markup is: the half-open range of its characters."""

    start: int
    end: int


def html_block_end(body: str) -> str | None:
    """Return what ends the HTML block that a line begins, "" for a blank line; None if it begins none.

    >>> html_block_end('<div class="x">'), html_block_end("<pre>"), html_block_end("<b>see</b>")
    ('', '</pre>', None)
    """
    if "<" not in body[:4]:
        return None
    if raw := _RAW_BLOCK.match(body):
        return f"</{raw['name'].lower()}>" if raw["name"] else _CLOSINGS[raw["sign"].lower()]
    return "" if _BLOCK.match(body) else None


def begins_with_lone_tag(text: str) -> bool:
    r"""Return whether lines begin with a tag and nothing after it on its line: with HTML if they are all.

    >>> begins_with_lone_tag('<img\nsrc="x">\nand so on'), begins_with_lone_tag("<b>see</b>\nand so on")
    (True, False)
    """
    return "<" in text[:4] and _LONE_TAG.match(text) is not None


def are_tags(bodies: Sequence[str]) -> bool:
    """Return whether lines are HTML, XML or a chat: half of them or more begin with a tag.

    >>> are_tags(["  <b>one", "  two", "  </b>"]), are_tags(["<http://a.example/>", "<ada@a.example>"])
    (True, False)
    """
    count = sum("<" in body and _TAG_FIRST.match(body) is not None for body in bodies)
    return count > 1 and 2 * count >= len(bodies)


def unbroken_extents(text: str) -> list[Extent]:
    """Return the extents in which a paragraph has blanks, but gets no line end, in order.

    These are code, tags with the values of attributes, and destinations of links.

    >>> text = 'see [the list](http://a.example/b "the list") or `ls -l`'
    >>> [text[start:end] for start, end in unbroken_extents(text)]
    ['](http://a.example/b "the list")', '`ls -l`']
    """
    if not _may_have_marks(text):
        return []
    found = _Finder(text)
    return [extent for extent in found.whole if " " in text[extent.start : extent.end]]


def marked_extents(text: str) -> list[Extent]:
    """Return the extents of all markup of a paragraph, with the texts of links and elements, in order.

    >>> text = 'see [the list](http://a.example/b) or <a href="x">http://c.example/</a>'
    >>> [text[start:end] for start, end in marked_extents(text)]
    ['[the list](http://a.example/b)', '<a href="x">http://c.example/</a>']
    """
    if not _may_have_marks(text):
        return []
    found = _Finder(text)
    return _merged(found.whole + found.around)


def marked_in_lines(lines: Sequence[str]) -> dict[int, list[Extent]]:
    r"""Return the extents of all markup in each line that has any, by the index of the line.

    >>> marked_in_lines(["> take `ls", "> -l` now"])
    {0: [Extent(start=7, end=10)], 1: [Extent(start=2, end=5)]}
    """
    found: dict[int, list[Extent]] = {}
    if not _may_have_marks("\n".join(lines)):
        return found
    for first, bodies in _paragraphs(lines):
        extents = iter(marked_extents("\n".join(bodies)))
        extent = next(extents, None)
        begin = 0
        for index, body in enumerate(bodies, first):
            before = len(lines[index]) - len(body) - begin
            while extent and extent.start <= begin + len(body):
                low, high = max(extent.start, begin), min(extent.end, begin + len(body))
                if low < high:
                    found.setdefault(index, []).append(Extent(before + low, before + high))
                if extent.end > begin + len(body):
                    break
                extent = next(extents, None)
            begin += len(body) + 1
    return found


def overlaps(extents: Sequence[Extent], start: int, end: int) -> bool:
    """Return whether ``text[start:end]`` overlaps one of ``extents``, which are in order and apart.

    >>> extents = [Extent(2, 4), Extent(7, 9)]
    >>> overlaps(extents, 4, 7), overlaps(extents, 3, 5)
    (False, True)
    """
    before = bisect_left(extents, (end, 0)) - 1  # the last one that begins before ``end``
    return before >= 0 and extents[before].end > start


def _paragraphs(lines: Sequence[str]) -> Iterator[tuple[int, list[str]]]:
    """Yield the lines of each paragraph or list item without quote prefixes, and the index of the first."""
    first, bodies, marks = 0, list[str](), ""
    for index, line in enumerate(lines):
        quote, body = line_of(line)
        if not body.strip() or item_mark(body) or (bodies and marks_of(quote) != marks):
            if bodies:
                yield first, bodies
            bodies = []
        if body.strip():
            if not bodies:
                first, marks = index, marks_of(quote)
            bodies.append(body)
    if bodies:
        yield first, bodies


def _may_have_marks(text: str) -> bool:
    if "`" in text or "](" in text or "][" in text:
        return True
    return "<" in text and ("=" in text or "</" in text or "<!--" in text)


class _Finder:
    """The markup of one paragraph, found in one pass over its marks.

    ``whole`` are extents that stay whole, in order. ``around`` are links and elements with their texts.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.whole: list[Extent] = []
        self.around: list[Extent] = []
        self._brackets: list[int] = []  # "[" without "]" so far
        self._elements: dict[str, list[int]] = {}  # starts of elements without an end so far, by name
        self._closing_ticks = _closing_ticks(text)
        at = 0
        while mark := _MARK.search(text, at):
            at = self._read(mark)

    def _read(self, mark: re.Match[str]) -> int:
        """Read what begins with a mark, and return its end."""
        start, end = mark.span()
        sign = self.text[start]
        if sign == "`":
            return self._code(start, end)
        if sign == "<":
            return self._bracketed(start)
        if sign == "[":
            self._brackets.append(start)
        elif sign == "]":
            return self._end_of_link_text(start)
        return end

    def _code(self, start: int, end: int) -> int:
        """Read code, which ends at the next run of as many backquotes (section 6.1).

        Here both must be next to the code, and not next to a word outside: other backquotes are quotation
        marks, or those of a shell. Blanks are allowed only where backquotes would touch, and on both sides
        of code between two backquotes or more. After it, underscores make a link of reStructuredText.
        """
        text = self.text
        closing = self._closing_ticks.get(start, start)
        inside, behind = text[end:closing], closing + end - start
        if not inside.strip() or len(inside) > _LONGEST or _is_word(text[start - 1 : start]):
            return end
        starts_apart = inside[0].isspace() and not inside.lstrip().startswith("`")
        ends_apart = inside[-1].isspace() and not inside.rstrip().endswith("`")
        is_padded = starts_apart != ends_apart or (starts_apart and end - start == 1)
        if is_padded or _is_word(text[_after_underscores(text, behind)]):
            return end
        self.whole.append(Extent(start, behind))
        return behind

    def _bracketed(self, start: int) -> int:
        """Read a tag, a comment or an autolink."""
        match = _IN_BRACKETS.match(self.text, start, start + _LONGEST_TAG)
        if not match:
            return start + 1
        end = match.end()
        if match["comment"] is not None:
            closing = self.text.find("-->", end, end + _LONGEST)
            if closing >= 0:
                end = closing + len("-->")
                self.whole.append(Extent(start, end))
        elif match["name"]:
            self._elements.setdefault(match["name"].lower(), []).append(start)
            if "=" in match.group() and end - start <= _LONGEST:
                self.whole.append(Extent(start, end))
        elif match["closed"] and (starts := self._elements.get(match["closed"].lower())):
            self.around.append(Extent(starts.pop(), end))
        return end

    def _end_of_link_text(self, start: int) -> int:
        """Read the destination or label that makes a link of the text before it."""
        opening = self._brackets.pop() if self._brackets else start
        destination = _DESTINATION.match(self.text, start)
        match = destination or (_LABEL.match(self.text, start) if opening < start else None)
        if not match:
            return start + 1
        if destination:
            self.whole.append(Extent(*destination.span()))
        self.around.append(Extent(opening, match.end()))
        return match.end()


def _closing_ticks(text: str) -> dict[int, int]:
    """Return where the next run of as many backquotes begins, by the start of each run of them."""
    later: dict[int, int] = {}
    found: dict[int, int] = {}
    for start, end in reversed([match.span() for match in _TICKS.finditer(text)]):
        if end - start in later:
            found[start] = later[end - start]
        later[end - start] = start
    return found


def _after_underscores(text: str, at: int) -> slice:
    """Return the place of the character after at most two underscores at ``at``."""
    at += text.startswith("_", at) + text.startswith("__", at)
    return slice(at, at + 1)


def _is_word(char: str) -> bool:
    return char.isalnum() or char == "_"


def _merged(extents: Iterable[Extent]) -> list[Extent]:
    """Return extents in order, with those that touch or overlap made one."""
    merged: list[Extent] = []
    for start, end in sorted(extents):
        if merged and start <= merged[-1].end:
            merged[-1] = Extent(merged[-1].start, max(end, merged[-1].end))
        else:
            merged.append(Extent(start, end))
    return merged
