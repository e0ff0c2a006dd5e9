r"""Defanged URLs, which people write so that nobody follows them by accident, and back.

::

    defanged  = [ name separator ] host [ rest ]
    name      = "hxxp" / "hxxps" / "h**p" / "h**ps" / "fxp" / "fxps" / scheme      ; in any case
    separator = "://" / "[:]//" / "[://]"                                          ; "[/]" for each "/"
    dot       = "[.]" / "(.)" / "{.}" / "[dot]" / "(dot)"
    mark      = dot / "[:]" / "[/]" / "[@]" / "[at]" / "(at)"

No standard has these forms; they are those of reports about malware and phishing. A text is
defanged if its name or its separator is, or if its host has a mark. Words in brackets are marks in
the host only, because a path may hold them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from urlextract.arguments import check_is
from urlextract.grammar.patterns import lazy_re

DOT = r"(?:\[\.\]|\(\.\)|\{\.\}|\[(?i:dot)\]|\((?i:dot)\))"
"""A mark for a full stop."""

AT = r"(?:\[@\]|\[(?i:at)\]|\((?i:at)\))"
"""A mark for the ``@`` of a mail address."""

NAME = r"(?i:h(?:xx|\*\*)ps?|fxps?)"
"""A defanged scheme."""

SEPARATOR = r"(?:(?::|\[:\])(?:\\?/|\[/\]){2}|\[://\])"
"""What comes after a scheme, defanged or not; the slashes may be those of JSON (``:\\/\\/``)."""

DEFANGED_NAMES = frozenset(("hxxp", "hxxps", "fxp", "fxps"))
"""Defanged schemes that fit the grammar of schemes; IANA's list has the first two, as provisional ones."""

HINT = lazy_re(
    r"[hH](?:[xX]{2}|\*\*)[pP]|[fF][xX][pP]|\[(?:\.|:|/|@|[dD][oO][tT]\]|[aA][tT]\])"
    r"|\((?:\.\)|[dD][oO][tT]\)|[aA][tT]\))|\{\.\}"
)
"""What every defanged URL has; most texts have none."""


MARKED_DOT = lazy_re(rf"{DOT}\w")
"""A mark for a full stop after which a host goes on."""

ADDRESS = rf"(?=[^@]*+@)[^@\s/]++(?<!\[)@(?![\w.-]{{1,255}}?{DOT}\w)[^@\s/]+"
"""A mail address that is not defanged. The ``@`` is tested first, because most text has none."""

_MARKED_ADDRESS = lazy_re(rf"[^@\s/\[(]{{1,64}}(?:{AT}\w|@[\w.-]{{1,255}}?{DOT}\w)")


class Edit(NamedTuple):
    """A replacement of ``start:end`` of a text by ``new``."""

    start: int
    end: int
    new: str


_SIGNS = r"\[[.:/@]\]|\(\.\)|\{\.\}"
_MARK = lazy_re(rf"{_SIGNS}|{DOT}|{AT}")
_SIGN = lazy_re(_SIGNS)
_START = lazy_re(rf"(?P<name>{NAME}|[A-Za-z][A-Za-z0-9+.-]{{0,39}})(?P<separator>{SEPARATOR}|:(?!//)|\[:\])")
# The host, and what comes before it up to the separator
_AUTHORITY = lazy_re(r"(?>(?:[^/?#\[]|\[(?!/\]))*)")


def refang(text: str) -> str:
    """Return the URL that a defanged one stands for; a text that is not defanged is returned as it is.

    A missing scheme is not added. Raise `TypeError` if ``text`` is not `str`.

    >>> refang("hXXps[:]//www[.]example[.]com/a[.]php"), refang("ada[@]example(dot)com")
    ('https://www.example.com/a.php', 'ada@example.com')
    >>> refang("http://www.example.com/a[.]b")
    'http://www.example.com/a[.]b'
    """
    check_is("text", text, str)
    return edited(text, edits_of(text))


def edited(text: str, edits: Iterable[Edit]) -> str:
    """Return ``text`` with ``edits``, which are in order and do not overlap."""
    pieces: list[str] = []
    at = 0
    for start, end, new in edits:
        pieces += (text[at:start], new)
        at = end
    return "".join((*pieces, text[at:]))


def edits_of(text: str) -> Iterator[Edit]:
    """Yield the edits that turn a defanged URL into the one that it stands for."""
    first = _START.match(text)
    start = first.end() if first else 0
    end = _end_of_authority(text, start)
    is_defanged = first is not None and _is_marked(first)
    if not is_defanged and not _MARK.search(text, start, end) and not text.startswith("[/]", end):
        return
    if first:
        yield from _edits_of_start(first)
    for mark in _MARK.finditer(text, start, end):
        yield Edit(*mark.span(), _meant(mark[0]))
    for mark in _SIGN.finditer(text, end):
        yield Edit(*mark.span(), _meant(mark[0]))


def _end_of_authority(text: str, start: int) -> int:
    match = _AUTHORITY.match(text, start)
    return match.end() if match else start


def _is_marked(start: re.Match[str]) -> bool:
    """Return whether a scheme, or the separator after it, is defanged."""
    return "[" in start["separator"] or real_name(start["name"]) is not None


def real_name(name: str) -> str | None:
    """Return the scheme that a defanged one stands for, None if it is not defanged.

    >>> real_name("hXXps"), real_name("h**p"), real_name("fxp"), real_name("http")
    ('https', 'http', 'ftp', None)
    """
    lower = name.lower().replace("*", "x")
    if lower not in DEFANGED_NAMES:
        return None
    return lower.replace("xx", "tt") if lower[0] == "h" else lower.replace("x", "t")


def is_address(text: str) -> bool:
    """Return whether a text begins with a defanged mail address.

    >>> is_address("ada[at]example.com"), is_address("ada@example[.]com"), is_address("ada@example.com")
    (True, True, False)
    """
    return _MARKED_ADDRESS.match(text) is not None


def _edits_of_start(start: re.Match[str]) -> Iterator[Edit]:
    real = real_name(start["name"])
    if real is not None:
        yield Edit(*start.span("name"), real)
    separator = start["separator"]
    if "[" in separator:
        yield Edit(*start.span("separator"), separator.replace("[", "").replace("]", ""))


def _meant(mark: str) -> str:
    inside = mark[1:-1].lower()
    return {"dot": ".", "at": "@"}.get(inside, inside)


_DEFANGED = {"http": "hxxp", "https": "hxxps", "ftp": "fxp", "ftps": "fxps"}
_URL = lazy_re(r"([A-Za-z][A-Za-z0-9+.-]*+):(//)?")
# In a host: every dot, a sign in brackets, which would be read as a mark, and the colon of an empty port
_OF_HOST = lazy_re(r"\.|(?<=\[)[:@](?=\])|:\Z")
# In the rest: a sign in brackets, and what programs take for another URL
_OF_REST = lazy_re(r"(?<=\[)[.:/@](?=\])|(?<=\()\.(?=\))|(?<=\{)\.(?=\})|:(?=//)|(?<=[wW]{3})\.")
_DOMAIN = lazy_re(r"[^,;?&#/]*+")


def defang(url: str) -> str:
    """Return ``url`` so written that no program follows it, and that people can still read it.

    `refang` returns the URL again, character by character. The scheme is changed, and the dots of
    the host; in what comes after the host, only what would be taken for another URL. A URL without
    ``//`` has its addresses changed, or else its colon. A defanged URL stays defanged. Raise
    `TypeError` if ``url`` is not `str`.

    >>> defang("https://www.example.com/a.php?to=http://b.example/")
    'hxxps://www[.]example[.]com/a.php?to=http[:]//b.example/'
    >>> defang("mailto:ada@example.com"), defang("ldap://a.example/"), defang("tel:+1")
    ('mailto:ada[@]example[.]com', 'ldap[:]//a[.]example/', 'tel[:]+1')
    """
    check_is("url", url, str)
    first, match = _START.match(url), _URL.match(url)
    if (first and _is_marked(first)) or not (match and match[2]):  # it may be defanged already
        url = refang(url)
        match = _URL.match(url)
    if match is None or ("." in match[1] and not match[2]):
        return _defanged_host(url, 0)
    name = match[1]
    if match[2]:
        head = f"{_DEFANGED[name]}://" if name in _DEFANGED else f"{name}[:]//"
        return head + _defanged_host(url, match.end())
    end = _end_of_authority(url, match.end())
    if "@" not in url[match.end() : end]:
        return f"{name}[:]" + _OF_REST.sub(_marked, url[match.end() :])
    first_local, *others = url[match.end() :].split("@")
    return f"{name}:" + "[@]".join([_OF_REST.sub(_marked, first_local), *map(_defanged_domain, others)])


def _defanged_host(url: str, start: int) -> str:
    """Return the defanged host that begins at ``start``, and what comes after it."""
    end = _end_of_authority(url, start)
    return _OF_HOST.sub(_marked, url[start:end]) + _OF_REST.sub(_marked, url[end:])


def _defanged_domain(text: str) -> str:
    """Return ``text``, which begins with the domain of an address, defanged."""
    match = _DOMAIN.match(text)
    end = match.end() if match else 0
    return _OF_HOST.sub(_marked, text[:end]) + _OF_REST.sub(_marked, text[end:])


def _marked(sign: re.Match[str]) -> str:
    return f"[{sign[0]}]"
