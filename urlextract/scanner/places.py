"""Where a URL may be: the offsets of colons and dots, in order, with the run of http and https.

Each pattern begins with its character, so that `re` skips the text between two places quickly, and looks
back with fixed widths. The pattern of colons takes the plain run of http and https as well, which most URLs
are: what it matched is the URL, if nothing around it has a rule.
"""

from __future__ import annotations

import re

from urlextract.grammar.patterns import lazy_re
from urlextract.grammar.registry import SCHEMES, by_length
from urlextract.grammar.runs import WEB
from urlextract.scanner.window import ScanOptions


def _named() -> str:
    """Return look-behinds for a colon after ``url``, or after a scheme of the table.

    The first ones test one or two characters, which rarely come before other colons of prose.
    """
    names = ("url", *SCHEMES)
    ends: dict[str, set[str]] = {}
    for name in names:
        ends.setdefault(name[-1], set()).update((name[-2], name[-2].upper()))
    lasts = "".join(ends)
    pairs = "|".join(f"[{''.join(sorted(before))}][{last}{last.upper()}]" for last, before in ends.items())
    whole = "|".join(rf"(?<=(?i:{group}):)" for _, group in by_length(names))
    return rf"(?<=[{lasts}{lasts.upper()}]:)(?<=(?:{pairs}):)(?:{whole})"


_COLON = lazy_re(
    r":(?:"
    rf"{WEB}"  # the plain run of http and https
    r"|(?=//)"  # another scheme, or an odd host
    r"|(?=\\/\\/)"  # in JSON
    rf"|(?=[^:]){_named()}"  # a name of the table, alone or without slashes
    r")",
    re.DOTALL,
)
# All of these, and any name: for those who want to know what was refused, and where each name counts
_EVERY_COLON = lazy_re(rf":(?:{WEB}|(?<=[A-Za-z0-9+.-]:)|(?=//)|(?=\\/\\/))")
# After "://" it is in the host of a URL, after a mark in the rest of a name.
_DOT = lazy_re(
    r"\.(?<=[wWpP]\.)(?<=(?i:www|ftp)\.)(?<!://.{4})(?<!@.{4})(?=[\w\s\xad\u2060\u200b-\u200d])", re.DOTALL
)
# In hosts without a scheme, and in mail addresses
_MARK = lazy_re(r"\.(?<![\s.]\.)(?=\w)|@(?<!\s@)|/(?<=(?i:localhost)/)|:(?<=(?i:localhost):)", re.DOTALL)


def places_of(text: str, options: ScanOptions) -> list[tuple[int, int]]:
    """Return each place of a text, with the end of its run: 0 for a mark, that of the pattern for others."""
    colon = _EVERY_COLON if options.any_name or options.explains else _COLON
    places = [match.span() for match in colon.finditer(text)]
    places += [match.span() for match in _DOT.finditer(text)]
    if options.reads_marks:
        places = [*({match.start(): 0 for match in _MARK.finditer(text)} | dict(places)).items()]
    places.sort()
    return places
