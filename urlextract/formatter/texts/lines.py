"""What comes before the text of a line: the quote prefix, an indent, and the mark of a list item."""

from __future__ import annotations

from typing import NamedTuple

from urlextract.grammar.marks import QUOTE_WHEN_REWRAPPED, REWRAPPED_QUOTES
from urlextract.grammar.patterns import lazy_re

# Marks, and initials before ">". One blank after a mark belongs to it, more are an indent.
_QUOTE = lazy_re(
    rf"(?>(?:[ \t]{{0,3}}(?:{QUOTE_WHEN_REWRAPPED}|(?!SQL)[A-Z][A-Za-z]{{0,3}}>(?=[ >]|\Z))){{1,200}})[ ]?"
)
_BEGINS = (*REWRAPPED_QUOTES, " ", "\t")
# Bullets, arrows, boxes and check marks
_BULLETS = r"\u2022\u00b7\u00bb\u203a\u2023\u2043\u2190-\u21ff\u2500-\u27bf\u2b00-\u2bff"
# The label of an entry of a bibliography; one that has only a URL is a reference, see `kept`
_REFERENCE = r"\[(?=[^\]\s]{0,8}\d)[\w^-]{1,9}\]"
_ITEM = lazy_re(
    rf"[ ]*(?:[-+*o{_BULLETS}]|(?:\d{{1,3}}|[ivx]{{2,5}}|[A-Za-z])[.)]|\(\w{{1,3}}\)|[-=~]{{1,3}}>"
    rf"|{_REFERENCE})"
    r"(?=[ \t])[ ]*"
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

    @property
    def marks(self) -> str:
        """The quote prefix without blanks; it is equal for lines of one quote depth."""
        return "".join(self.quote.split())


def line_of(text: str) -> Line:
    """Return a line split into its quote prefix and the rest.

    >>> line_of("> > see"), line_of("JD> see"), line_of("final>x")
    (Line(quote='> > ', body='see'), Line(quote='JD> ', body='see'), Line(quote='', body='final>x'))
    """
    if not text.startswith(_BEGINS) and ">" not in text[1:5]:
        return Line("", text)
    match = _QUOTE.match(text)
    return Line(match[0], text[match.end() :]) if match else Line("", text)


def item_mark(body: str) -> str:
    """Return the indent, the mark of a list item and the blanks after it, or "".

    >>> item_mark(" - first"), item_mark("10. tenth"), item_mark("-first")
    (' - ', '10. ', '')
    """
    match = _ITEM.match(body)
    return match[0] if match else ""
