"""Where a URL may be broken when it is printed, and what each place costs.

All printing code uses one table. A place has a class; a class has a cost in each column of the table: 0 is
best, 3 is bad. Inside a host or a word, a URL is broken only where nothing else fits, and never where a
reader would take the next line for a URL of its own (`holds_another`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain
from typing import NamedTuple

from urlextract.grammar.marks import ADDED_BREAKS
from urlextract.grammar.patterns import lazy_re, lazy_regex
from urlextract.grammar.registry import SCHEME_CHARACTERS, SCHEME_NAME
from urlextract.linebreaks.joining import holds_another

COLUMNS = ("mail", "print")
"""What differs in where URLs are broken: text to be copied from the screen, and what is set in type."""

COSTS: dict[str, tuple[int, ...]] = {
    "slash": (0, 0),
    "query": (0, 0),
    "pair": (0, 0),
    "equals": (1, 1),
    "search": (1, 1),
    "mark": (2, 1),
    "hyphen": (2, 1),
    "authority": (2, 2),
    "sentence": (3, 3),
    "sign": (3, 3),
}
"""Each class of places, with its cost in each of `COLUMNS`.

slash
    after "/", unless another one follows
query
    before the "?" or "#" that begins the query or the fragment
pair
    after "&" or ";" in the query
equals
    before or after "="
search
    after "?"
mark
    before one of ``. , ; ! ~ _ %``
hyphen
    before "-"; after it never (RFC 1738, appendix: "no whitespace should be introduced
    after a hyphen")
authority
    after "://": the authority stays whole
sentence
    after one of ``. , ; : ! ?``, where the line looks like the end of a sentence
sign
    before or after one of the other signs
"""

_AS_OF_ITS_OWN = (2, 1)  # added before what looks like a URL or an address of its own

# What looks like the beginning of a URL or an address.
_LONGEST_SCHEME = 40
_OWN = lazy_re(rf"{SCHEME_NAME}://|(?i:www|ftp)\.|mailto:|[\w.+-]{{1,64}}@\w")
_AUTHORITY = lazy_re(r"[A-Za-z][A-Za-z0-9+.-]*+:(?://[^/?#]*+)?")

# One character of UTF-8, in escapes: RFC 3629, section 4 (without its finer points)
#   UTF8-2 = %xC2-DF UTF8-tail    UTF8-3 = %xE0-EF 2(UTF8-tail)    UTF8-4 = %xF0-F4 3(UTF8-tail)
_TAIL = "%[89ABab][0-9A-Fa-f]"
_ESCAPE = (
    rf"%(?:[Cc][2-9A-Fa-f]|[Dd][0-9A-Fa-f]){_TAIL}|%[Ee][0-9A-Fa-f](?:{_TAIL}){{2}}"
    rf"|%[Ff][0-4](?:{_TAIL}){{3}}|%[0-9A-Fa-f]{{2}}"
)
_TOKEN = lazy_re(
    rf"(?P<escape>{_ESCAPE})|(?P<hyphen>-++)|(?P<authority>://)|(?P<beyond>[^\x00-\x7f]++)|(?P<mark>[^A-Za-z0-9])"
)

# The classes of the places before and after a sign. "&" and ";" separate fields in the query only.
_SIGNS: dict[str, tuple[str | None, str | None]] = {
    "/": (None, "slash"),
    "?": ("sign", "search"),
    "#": ("sign", None),
    "=": ("equals", "equals"),
    "&": ("sign", "sign"),
    ";": ("mark", "sentence"),
    ":": (None, "sentence"),
    **dict.fromkeys(".,!", ("mark", "sentence")),
    **dict.fromkeys("~_%", ("mark", None)),
    **dict.fromkeys(")]}", (None, "sign")),
}
_OTHER_SIGN = ("sign", None)
_PARTS_FIELDS = "&;"

_NEVER, _WORST = "never", 9
_GOES_AT_LINE_END = lazy_re(rf"[{re.escape(ADDED_BREAKS)}]")  # what a reader removes there


class Opportunities(NamedTuple):
    """Where one URL may be broken.

    ``costs`` has the offset of each place that has a class, in the order of the text; less is better.
    ``never`` are the offsets at which no break may be forced. ``host`` and ``path`` are the
    start and the end of the authority, which is broken last of all; both are 0 without one.
    """

    costs: dict[int, int]
    never: frozenset[int]
    host: int
    path: int


def opportunities(url: str, column: str) -> Opportunities:
    """Return where ``url`` may be broken, with the costs of one of `COLUMNS`.

    >>> opportunities("http://a.example/b-c", "mail").costs
    {7: 2, 17: 0, 18: 2}
    """
    index = COLUMNS.index(column)
    match = _AUTHORITY.match(url)
    path = match.end() if match else 0
    colon = url.find(":") + 1
    host = colon + 2 if path > colon + 2 else 0
    never = {0, len(url), *range(1, colon), *range(colon, min(colon + 2, path)), *_own_urls(url, colon)}
    never.update(match.end() for match in _GOES_AT_LINE_END.finditer(url))
    costs: dict[int, int] = {}
    places = chain(((host, "authority"),), _places(url, path, len(url)))
    if not host and path == colon and not url.startswith("/", path):
        places = chain(((path, "sentence"),), places)
    for at, kind in places:
        if kind == _NEVER:
            never.add(at)
        else:
            costs[at] = min(COSTS[kind][index], costs.get(at, _WORST))
    never.update(at for at, kind in _places(url, host, path) if host and kind == _NEVER)
    priced = {
        at: costs[at] + (_AS_OF_ITS_OWN[index] if _OWN.match(url, at) else 0)
        for at in sorted(costs.keys() - never)
    }
    return Opportunities(priced, frozenset(never), host, path if host else 0)


def _own_urls(url: str, colon: int) -> Iterator[int]:
    """Yield the places at which the line after a break would be read as a URL of its own."""
    at = url.find("://", colon)
    while at >= 0:
        low = max(colon, at - _LONGEST_SCHEME)
        for start in range(low + len(url[low:at].rstrip(SCHEME_CHARACTERS)), at):
            if url[start].isalpha() and not holds_another(url[start - 1 : start]):
                yield start
        at = url.find("://", at + 3)


def _places(url: str, start: int, end: int) -> Iterator[tuple[int, str]]:
    """Yield each place in ``url[start:end]`` with its class or `_NEVER`; some places twice."""
    query = fragment = False
    for match in _TOKEN.finditer(url, start, end):
        kind, (at, behind) = match.lastgroup, match.span()
        sign = match.group()
        if kind == "escape":
            yield at, "mark"
            yield from ((inside, _NEVER) for inside in range(at + 1, behind))
        elif kind == "hyphen":
            yield at, "hyphen"
            yield from ((inside, _NEVER) for inside in range(at + 1, behind + 1))
        elif kind == "authority":  # of a URL that this one holds
            yield from ((at + 1, _NEVER), (at + 2, _NEVER), (behind, kind))
        elif kind == "beyond":
            yield from ((inside, _NEVER) for inside in _inside_clusters(url, at, behind))
        elif (sign == "?" and not query and not fragment) or (sign == "#" and not fragment):
            query, fragment = True, sign == "#"
            yield at, "query"
            if sign == "?":
                yield behind, "search"
        else:
            yield from _round_sign(url, at, is_field=query and sign in _PARTS_FIELDS)


def _round_sign(url: str, at: int, *, is_field: bool) -> Iterator[tuple[int, str]]:
    """Yield the classes of the places before and after the sign at ``at``."""
    before, behind = _SIGNS.get(url[at], _OTHER_SIGN)
    if before:
        yield at, before
    if is_field:
        yield at + 1, "pair"
    elif behind and not (behind == "slash" and url.startswith("/", at + 1)):
        yield at + 1, behind


_CLUSTER = lazy_regex(r"\X")


def _inside_clusters(url: str, start: int, end: int) -> Iterator[int]:
    """Yield the places inside the grapheme clusters of ``url[start - 1:end]``."""
    for match in _CLUSTER.finditer(url, pos=start - 1, endpos=end):
        yield from range(match.start() + 1, match.end())
