"""What comes before the text of a line: the quote prefix, an indent, and the mark of a list item."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from urlextract.grammar.marks import NAMED_MARK, QUOTE_WHEN_REWRAPPED, REWRAPPED_QUOTES
from urlextract.grammar.patterns import lazy_re

# Prompts of programs look like initials before ">", but quote nothing.
_PROMPT = r"(?!(?i:[ls]?ftp|(?:my|p)?sql|sqlite|[gl]?db|irb|t?c?sh|ksh|js|node|php|telnet|mongo|redis|lua)>)"
# Marks, and initials before ">". One blank after a mark belongs to it, more are an indent.
_QUOTE = lazy_re(
    rf"(?>(?:[ \t]{{0,3}}(?:{QUOTE_WHEN_REWRAPPED}|{_PROMPT}[A-Za-z]{{1,4}}>(?=[ >]|\Z))){{1,200}})[ ]?"
)
# Names and signs before ">": marks if two adjacent lines begin with them. An arrow is an item's mark.
_NAMED = lazy_re(rf"(?![-=~])[ \t]{{0,3}}{NAMED_MARK}(?=[ >]|\Z)[ ]?")
_PROMPTED = lazy_re(_PROMPT)
_LONGEST_NAME = 56  # characters
_BEGINS = (*REWRAPPED_QUOTES, " ", "\t")
# Bullets, arrows, boxes and check marks
_BULLETS = r"\u2022\u00b7\u00bb\u203a\u2023\u2043\u2190-\u21ff\u2500-\u27bf\u2b00-\u2bff"
# The label of an entry of a bibliography; one that has only a URL is a reference, see `untouched`
_REFERENCE = r"\[(?=[^\]\s]{0,8}\d)[\w^-]{1,9}\]"
_ITEM = lazy_re(
    rf"(?:[-+*o{_BULLETS}]|(?:\d{{1,3}}|[A-Za-z])[.)]|\(\w{{1,3}}\)|[-=~]{{1,3}}>|{_REFERENCE})(?=[ \t])"
)


class Line(NamedTuple):
    """One line without its end: the quote prefix, and the rest, which may be indented."""

    quote: str
    body: str

    @property
    def is_blank(self) -> bool:
        """Whether the line has nothing but a quote prefix."""
        return not self.body or self.body.isspace()

    @property
    def indent(self) -> str:
        """The blanks before the text."""
        return self.body[: len(self.body) - len(self.body.lstrip(" \t"))]


def line_of(text: str) -> Line:
    """Return a line split into its quote prefix and the rest.

    >>> line_of("> > see"), line_of("JD> see"), line_of("final>x")
    (Line(quote='> > ', body='see'), Line(quote='JD> ', body='see'), Line(quote='', body='final>x'))
    """
    if not text.startswith(_BEGINS) and ">" not in text[1:5]:
        return Line("", text)
    match = _QUOTE.match(text)
    if match is None:
        return Line("", text)
    return Line(match.group(), text[match.end() :])


def named_mark(body: str) -> str:
    """Return the name or sign with ">", possibly a quote mark, that ``body`` begins with, or "".

    >>> named_mark("John Doe> see"), named_mark(":> see"), named_mark("a > b"), named_mark("-> b")
    ('John Doe> ', ':> ', '', '')
    """
    match = _NAMED.match(body) if ">" in body[:_LONGEST_NAME] else None
    return match.group() if match else ""


def names_in(texts: Sequence[str]) -> frozenset[str]:
    """Return the quote marks with a name that two adjacent lines begin with.

    >>> sorted(names_in(["Smith> see", "Smith> there", "a> or", "> J.D.> b", "> J.D.> > c"]))
    ['J.D.>', 'Smith>']
    """
    found: set[str] = set()
    before = ""
    for text in texts:
        line = line_of(text)
        mark = named_mark(line.body).strip()
        if mark and line.quote + mark == before and _PROMPTED.match(mark):
            found.add(mark)
        before = line.quote + mark if mark else ""
    return frozenset(found)


def named_line_of(text: str, names: frozenset[str]) -> Line:
    """Return a line split into its quote prefix, which may have one of ``names`` in it, and the rest.

    >>> named_line_of("> Jane> > see", frozenset({"Jane>"}))
    Line(quote='> Jane> > ', body='see')
    """
    line = line_of(text)
    mark = named_mark(line.body) if names else ""
    if mark.strip() not in names:
        return line
    inner = line_of(line.body[len(mark) :])
    return Line(line.quote + mark + inner.quote, inner.body)


def has_prefix(lines: Sequence[str], quote: str) -> bool:
    """Return whether ``quote`` is the quote prefix of each line.

    >>> has_prefix(["> see", "> there"], "> "), has_prefix(["see", "> there"], "")
    (True, False)
    """
    text = "\n".join(lines)
    if line_of(quote).body:  # the prefix has a name in it
        return all(line.startswith(quote) and not line_of(line[len(quote) :]).quote for line in lines)
    if not quote and not any(mark in text for mark in REWRAPPED_QUOTES):
        return True
    return all(line_of(line).quote == quote for line in lines)


def marks_of(quote: str) -> str:
    """Return the marks of a quote prefix without blanks; they are equal for lines of one quote depth.

    >>> marks_of("> > "), marks_of(">> ")
    ('>>', '>>')
    """
    return "".join(quote.split())


def item_mark(body: str) -> str:
    """Return the indent, the mark of a list item and the blanks after it, or "".

    >>> item_mark(" - first"), item_mark("10. tenth"), item_mark("-first")
    (' - ', '10. ', '')
    """
    if body[:1].isalpha() and body[1:2] not in (".", ")", " "):
        return ""
    start = len(body) - len(body.lstrip(" "))
    match = _ITEM.match(body, start)
    if match is None:
        return ""
    behind = body[match.end() :]
    return body[: match.end()] + behind[: len(behind) - len(behind.lstrip(" "))]
