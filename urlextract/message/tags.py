"""The lexical side of HTML: what a tag, an attribute and a comment look like.

Patterns never go back. A construct that is never closed is taken as far as it
goes, and each character is looked at once. Loops over whole constructs stand in
atomic groups or have nothing behind them that can fail, and are bounded, for such
a loop costs memory by the turn; what goes beyond the bound is read as text.
"""

from __future__ import annotations

import re

from urlextract.grammar.patterns import later

__all__ = [
    "ATTRIBUTE",
    "CONSTRUCT",
    "INLINE",
    "LINK",
    "NEXT_TAG",
    "PARTING",
    "TAG",
    "TOKENS",
    "USUAL",
    "without_stray_quotes",
]

# Of the attributes of HTML 4.01, section 24 (table of attributes), and of today's
# HTML, those whose value is a URL, holds some, or may do so ("content" of meta).
# First letters stand alone, so that the engine sees at once which they may be.
_WANTED = (
    r"(?:[hH](?i:ref)|[sS](?i:rc(?:set)?)|[aA](?i:ction)|[bB](?i:ackground)|[cC](?i:ite|ontent)"
    r"|[lL](?i:ongdesc)|[dD](?i:ata)|[fF](?i:ormaction)|[pP](?i:oster))"
)

# "<http://...>", "<mailto:...>" and "<joe@host>" that nobody escaped are no tags.
_TAG_NAME = r"[a-zA-Z][a-zA-Z0-9]*+(?:(?=[ >])|[\w-]*+(?::[\w.-]++)?(?=[\s/>]|\Z))"

_NAME = r"[^\s/>=][^\s/>=]*+"
_VALUE = r"""(?:\s*+=\s*+(?:"[^"]*+(?:"|\Z)|'[^']*+(?:'|\Z)|[^\s>"'][^\s>]*+)?)?"""
_ATTRIBUTES = rf"(?>(?:[\s/=]++|{_NAME}{_VALUE}){{0,200}})"
_DULL_ATTRIBUTES = rf"(?>(?:[\s/=]++|(?!{_WANTED}[\s=]){_NAME}{_VALUE}){{0,200}})"


def _few(attribute: str) -> str:
    """Give a pattern of at most five attributes in their usual form.

    Tags that have it are tried first: a loop over groups costs more than what it reads.
    """
    pattern = ""
    for _ in range(5):
        pattern = rf"(?:[ ]{attribute}{pattern}|)"
    return rf"(?>{pattern})"


_USUAL = r'[a-zA-Z-]++="[^"]*+"'
_FEW_ATTRIBUTES = _few(_USUAL)
_FEW_DULL_ATTRIBUTES = _few(rf"(?!{_WANTED}=){_USUAL}")

ATTRIBUTE = later(rf"""{_DULL_ATTRIBUTES}(?:({_WANTED})\s*+=\s*+(?:"([^"]*+)"?|'([^']*+)'?|([^\s>]*+)))?""")
"""Runs over attributes without URLs to one that may have some: its name, its value in one of three groups."""

_DULL = rf"(?:[ ](?!{_WANTED}=){_USUAL})"
_USUAL_ATTRIBUTES = rf'{_DULL}{{0,5}}+[ ](href|src)="([^"]*+)"{_DULL}{{0,5}}+[ ]?/?'
USUAL = later(_USUAL_ATTRIBUTES)
"""All attributes of a tag as most are that have one URL: its name, and its value."""

LINK = later(rf"([a-zA-Z][a-zA-Z0-9]*+){_USUAL_ATTRIBUTES}")
"""A tag with such attributes, between its brackets: its name, and what `USUAL` has."""

# HTML 4.01, section 3.2.4; "<!DOCTYPE ...>", "<![if ...]>", "<?xml ...?>". An open
# comment hides what follows, as it does in browsers.
_COMMENT = r"!--(?:-?>|[\s\S]*?(?:--!?>|\Z))|!\[CDATA\[|[!?][^>]*+(?:>|\Z)"


def _raw_text(name: str) -> str:
    """Give the pattern of an element whose content is no text, with that content."""
    return rf"{name}(?=[\s/>])[^>]*+(?:>|\Z)[\s\S]*?(?:</{name}[^>]*+(?:>|\Z)|\Z)"


_HIDDEN = rf"(?:{_COMMENT}|(?i:{_raw_text('script')}|{_raw_text('style')}))"

# A tag of which the content is to be read: the letters tell at once that it is.
_SEEN = r"(?![sS](?i:cript|tyle)[\s/>])"
_DULL_TAG = rf"(?:/?{_SEEN}{_TAG_NAME}(?:>|{_FEW_DULL_ATTRIBUTES}>|{_DULL_ATTRIBUTES}>))"
_NO_TAG = rf"(?![!?]|/?{_TAG_NAME})"

NEXT_TAG = later(
    rf"(?>[^<]*+(?:<(?:[bB][rR]>|{_DULL_TAG}|{_HIDDEN}|{_NO_TAG})[^<]*+){{0,400}})"
    rf"(?:<(?P<name>/?{_TAG_NAME})(?P<attributes>{_ATTRIBUTES})(?P<closed>>)?)?"
)
"""Runs over text and tags without URLs to a tag that may have some, if there is one."""

# The line end that programs put behind a break of lines is no second one.
_BREAK = "|".join(rf"(?<=<[bB][rR]{end}>\n)" for end in ("", "/", " /"))
_BREAK_END = rf"(?:\n(?:{_BREAK}))?+"

CONSTRUCT = later(
    rf"<(?:(/?{_SEEN}{_TAG_NAME})(?:(?:>|{_FEW_ATTRIBUTES}>|{_ATTRIBUTES}>){_BREAK_END}|{_ATTRIBUTES}())|{_HIDDEN})"
)
"""Anything that is no text. Groups: the name of a tag that is seen; empty where that tag never ends."""

# One character that ends a run is found at once, two are not: a "<" in a tag is left to be seen.
_MAY_BE_SEEN = r"(?:[/a-rt-zA-RT-Z]|[sS](?!(?i:cript|tyle)[\s/>]))"
TOKENS = later(rf"<(?:({_MAY_BE_SEEN}[^>]*+)>{_BREAK_END}|{_HIDDEN}|(?=[/a-zA-Z])()[\s\S]*+)")
"""As `CONSTRUCT`, at a glance. Groups: what may be a tag that is seen; empty where it cannot tell more."""

TAG = later(
    rf"<(/?{_SEEN}{_TAG_NAME})(?:>|{_FEW_DULL_ATTRIBUTES}>|{_DULL_ATTRIBUTES}>|({_ATTRIBUTES})(?:>|()))"
)
"""A tag that is seen. Groups: its name; attributes that may have URLs; empty where it never ends."""

# A quote before a URL that the ">" of its tag ends, and a "<" of another follows: who wrote the page
# forgot the second one. Browsers take all up to the next quote, wherever that is.
_FORGOTTEN = "|".join(
    rf"""{quote}(?=\s?[A-Za-z][A-Za-z0-9+.-]{{1,20}}+:[^\s<>"']{{1,2000}}+>[^<>{quote}]{{0,1000}}+</?[A-Za-z])"""
    for quote in ('"', "'")
)
_FORGOTTEN_QUOTE = later(rf"=(?:{_FORGOTTEN})")

INLINE = frozenset(
    re.findall(
        r"\S+",
        """a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark nobr q rp rt
        ruby s samp small span strike strong sub sup time tt u var wbr""",
    )
)
"""HTML 4.01, section 7.5.3: elements that stand within a line; all others part it."""

PARTING = re.findall(
    r"\S+",
    """blockquote body br center dd div dl dt h1 h2 h3 head hr html img li meta o:p ol p pre table tbody
    td th title tr ul""",
)
"""Some of the others: those that are frequent in mail."""


def without_stray_quotes(text: str) -> str:
    """Blank each quote that opens a URL in an attribute and is never closed; places stay.

    >>> without_stray_quotes('<a href="http://a.example/x>a</a> <a href="http://b.example/">b</a>')
    '<a href= http://a.example/x>a</a> <a href="http://b.example/">b</a>'
    """
    return _FORGOTTEN_QUOTE.sub("= ", text)
