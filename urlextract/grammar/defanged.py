r"""Defanged URLs, which people write so that nobody follows them by accident, and back.

::

    defanged  = [ name separator ] host [ rest ]
    name      = "hxxp" / "hxxps" / "h**p" / "h**ps" / "fxp" / "fxps" / scheme      ; in any case
    separator = "://" / "[:]//" / "[://]"                                          ; "[/]" for each "/"
    dot       = "[.]" / "(.)" / "{.}" / "[dot]" / "(dot)"
    mark      = dot / "[:]" / "[/]" / "[@]" / "[at]" / "(at)"

No standard has these forms; they are those of reports about malware and phishing. A text is
defanged if its name or its separator is, or if its host has a mark. Words in brackets are marks after
the host only if the host has some, too, because a path may hold them. A URL within the URL has a defanged
name only if its host has a mark.
"""

from __future__ import annotations

import re
from typing import Protocol

from urlextract.grammar.edits import Edit, edited
from urlextract.grammar.patterns import lazy_re

_DOT_AS_WORD = r"\[(?i:dot)\]|\((?i:dot)\)"
DOT = rf"(?:\[\.\]|\(\.\)|\{{\.\}}|{_DOT_AS_WORD})"
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


ADDRESS = (
    rf"(?:(?=[^@]*+@)[^@\s/]++(?<!\[)@(?![\w.-]{{1,255}}?{DOT}\w)[^@\s/]+"
    r"|[^@%\s/?]++%40[\w-]+\.\w)"
)
"""A mail address that is not defanged; its ``@``, which is tested first, may be encoded."""

_MARKED_ADDRESS = lazy_re(rf"[^@\s/\[(]{{1,64}}(?:{AT}\w|@[\w.-]{{1,255}}?{DOT}\w)")


_SIGNS = r"\[[.:/@]\]|\(\.\)|\{\.\}"
_MARK = lazy_re(rf"{_SIGNS}|{DOT}|{AT}")
_SIGN, _WORD, _WORD_OR_SIGN = lazy_re(_SIGNS), lazy_re(_DOT_AS_WORD), lazy_re(rf"{_SIGNS}|{_DOT_AS_WORD}")
# The scheme of a URL within a URL, as gateways have it, whose host is defanged, too
_INNER = lazy_re(rf"(?<![A-Za-z0-9]){NAME}(?=(?i::|%3A|-3A)(?i:/|%2F|_){{2}}[^\s/?#&%]{{0,256}}?{DOT})")
_START = lazy_re(rf"(?P<name>{NAME}|[A-Za-z][A-Za-z0-9+.-]{{0,39}})(?P<separator>{SEPARATOR}|:(?!//)|\[:\])")
# What comes after a host and all before it, and after the domain of an address
_REST = lazy_re(r"(?=[/?#]|\[/\])")
_AFTER_DOMAIN = lazy_re(r"(?=[,;?&#/])")


def refang(text: str) -> str:
    """Return the URL that a defanged one stands for; a text that is not defanged is returned as it is.

    >>> refang("hXXps[:]//www[.]example[.]com/a[.]php"), refang("ada[@]example(dot)com")
    ('https://www.example.com/a.php', 'ada@example.com')
    """
    if not isinstance(text, str):
        raise TypeError(f"text is {type(text).__name__}: it is a str")
    return edited(text, edits_of(text))


def edits_of(text: str) -> list[Edit]:
    """Return the edits that turn a defanged URL into the one that it stands for."""
    edits: list[Edit] = []
    start = 0
    first = _START.match(text)
    if first:
        start = first.end()
        real, separator = real_name(first["name"]), first["separator"]
        if real:
            edits.append(Edit(*first.span("name"), real))
        if "[" in separator:
            edits.append(Edit(*first.span("separator"), separator.replace("[", "").replace("]", "")))
    end = start + len(_REST.split(text[start:], 1)[0])
    marks = [*_MARK.finditer(text, start, end)]
    if edits or marks or text.startswith("[/]", end):  # else the rest means its signs as they are
        has_words = any(_WORD.fullmatch(mark[0]) for mark in marks)  # which `defang` does not write
        marks += (_WORD_OR_SIGN if has_words else _SIGN).finditer(text, end)
        edits += (
            Edit(*inner.span(), real_name(inner[0]) or inner[0]) for inner in _INNER.finditer(text, end)
        )
    for mark in marks:
        inside = mark[0][1:-1].lower()
        edits.append(Edit(*mark.span(), {"dot": ".", "at": "@"}.get(inside, inside)))
    return sorted(edits)


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


_DEFANGED = {"http": "hxxp", "https": "hxxps", "ftp": "fxp", "ftps": "fxps"}
_URL = lazy_re(r"([A-Za-z][A-Za-z0-9+.-]*+):(//)?")
# In a host: every dot, a sign in brackets, which would be read as a mark, and the colon of an empty port
_OF_HOST = lazy_re(r"\.|(?<=\[)[:@](?=\])|:\Z")
# In the rest: a sign in brackets, and what programs take for another URL
_OF_REST = lazy_re(r"(?<=\[)[.:/@](?=\])|(?<=\()\.(?=\))|(?<=\{)\.(?=\})|:(?=//)|(?<=[wW]{3})\.")
_MARKED = r"[\g<0>]"


class _WithUrl(Protocol):
    """A record, of which only this is known here."""

    @property
    def url(self) -> str: ...


def defang(url: str | _WithUrl) -> str:
    """Return a URL, or that of a `Found`, so written that no program follows it and that people can read it.

    `refang` returns the URL again. The scheme is changed, and the dots of the host; in the rest, only what
    would be taken for another URL. A defanged URL stays defanged.

    >>> defang("https://www.example.com/a.php?to=http://b.example/")
    'hxxps://www[.]example[.]com/a.php?to=http[:]//b.example/'
    >>> defang("mailto:ada@example.com"), defang("ldap://a.example/"), defang("tel:+1")
    ('mailto:ada[@]example[.]com', 'ldap[:]//a[.]example/', 'tel[:]+1')
    """
    if not isinstance(url, str):
        if not hasattr(url, "url"):
            raise TypeError(f"url is {type(url).__name__}: it is a str or a Found")
        url = url.url
    match = _URL.match(url)
    if match is None or not match[2] or real_name(match[1]):  # it may be defanged already
        url = refang(url)
        match = _URL.match(url)
    if match is None or ("." in match[1] and not match[2]):  # a host, perhaps with a port, or an address
        has_at = match is None and "@" in _REST.split(url, 1)[0]
        return _defanged_address(url) if has_at else _defanged_host(url, _REST)
    name, rest = _DEFANGED.get(match[1], match[1]), url[match.end() :]
    if match[2]:
        return f"{name}{':' if real_name(name) else '[:]'}//{_defanged_host(rest, _REST)}"
    if "@" not in _REST.split(rest, 1)[0]:
        return f"{name}[:]{_OF_REST.sub(_MARKED, rest)}"
    return f"{name}:{_defanged_address(rest)}"


def _defanged_address(text: str) -> str:
    """Return one address or more, defanged."""
    local, *others = text.split("@")
    return "[@]".join(
        [_OF_REST.sub(_MARKED, local), *(_defanged_host(each, _AFTER_DOMAIN) for each in others)]
    )


def _defanged_host(text: str, rest: re.Pattern[str]) -> str:
    """Return ``text`` defanged, which begins with a host; what comes after that begins with ``rest``."""
    host = rest.split(text, 1)[0]
    return _OF_HOST.sub(_MARKED, host) + _OF_REST.sub(_MARKED, text[len(host) :])
