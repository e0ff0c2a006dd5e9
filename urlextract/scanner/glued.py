"""URLs without a blank before them: behind another URL, or behind a word.

Lists and careless writers put one URL right after another, and what makes text of HTML
drops the blank before a link. A scheme of the web and of ftp, with ``//`` and what may
begin a host, is a URL in both cases. In a path or a query of an archive or a redirector
it is a part of that: there one of ``/ = ? & :`` comes before it, or an encoded one.
"""

from __future__ import annotations

from urlextract.grammar.patterns import later
from urlextract.grammar.registry import SCHEME_CHARACTERS, is_registered

__all__ = ["glued_start", "is_well_known", "is_whole_host", "next_url"]

_WELL_KNOWN = r"(?i:https?|ftp)"
_PART_SIGNS = "/=?&:"  # what a URL has before one that is its part
_NEXT = later(
    rf"(?<![{_PART_SIGNS}])(?:{_WELL_KNOWN}://(?=[^\W_]|\[)|(?<=[^\w\x00-+\--:<-{{}}~\x7f])mailto:)"
)
# "/v3/__https://..." is how a mail gateway writes it.
_GOES_ON = later(rf"(?:[{_PART_SIGNS}]|/__|&amp;|%(?:25)*(?:2[Ff6]|3[AaDdFf]))\Z")
_LONGEST_SIGN = 16  # characters: one that is encoded several times
_LONGEST_NAME = 40
_WORD_BEFORE = later(rf"[A-Za-z]{{3,38}}?({_WELL_KNOWN})\Z")
_WORD = later(r"[A-Za-z]*\Z")
_ENDS_WELL_KNOWN = later(rf"(?:\A|\+){_WELL_KNOWN}\Z")
_WHOLE_HOST = later(
    r"://(?:[^\s/?#@]{1,256}@)?(?:(?i:localhost)|[^\s/?#:.]+(?:\.[^\s/?#:.]+)+\.?)(?:[:/?#]|\Z)"
)
_OF_PROGRAMS = frozenset(("gsiftp", "gridftp", "ncftp", "wuftp"))  # schemes that nobody registered


def next_url(run: str) -> int:
    """Return where another URL begins that is glued to the one in ``run``, or the length of ``run``.

    >>> next_url("//a.example/6http://b.example/7"), next_url("//a.example/web/2001/http://b.example/")
    (13, 38)
    >>> next_url("//a.example/6svn+http://b.example/"), next_url("//a.example/svn+http://b.example/")
    (13, 33)
    >>> next_url("//a.example/,mailto:a@b.example"), next_url("//a.example/?q=svn+http://b.example/")
    (13, 36)
    """
    for match in _NEXT.finditer(run):
        if _parts(run, match.start()):
            start = _scheme_start(run, match.start(), match.end())
            if _parts(run, start):
                return start
    return len(run)


def _parts(run: str, start: int) -> bool:
    """Return whether what begins at ``start`` is none of the URL in ``run``."""
    return start > 0 and not _GOES_ON.search(run, max(0, start - _LONGEST_SIGN), start)


def _scheme_start(run: str, start: int, end: int) -> int:
    """Return the start of the longest registered name that ends as the one at ``start`` does."""
    colon = run.index(":", start, end)
    low = max(0, colon - _LONGEST_NAME)
    first = low + len(run[low:start].rstrip(SCHEME_CHARACTERS))
    for at in range(first, start):
        if run[at].isalpha() and (at == first or not run[at - 1].isalpha()) and is_registered(run[at:colon]):
            return at
    return start


def glued_start(text: str, start: int, colon: int) -> int:
    """Return where http, https or ftp begins behind a word in ``start:colon``, -1 where none does.

    A word has three letters or more. One or two are the end of an escape, or of a scheme that was
    mistyped or made up ("1mhttp", "xhttp", "hhttp"); and a digit is a note's.

    >>> glued_start("Seehttps://a.example/", 0, 8), glued_start("xhttp://a.example/", 0, 5)
    (3, -1)
    """
    word = _WORD.search(text, start, colon)
    match = _WORD_BEFORE.match(text, word.start(), colon) if word else None
    return match.start(1) if match and match[0].lower() not in _OF_PROGRAMS else -1


def is_whole_host(text: str, colon: int, end: int) -> bool:
    """Return whether the host behind ``colon`` of a URL that ends at ``end`` has a dot, or is localhost."""
    return _WHOLE_HOST.match(text, colon, end) is not None


def is_well_known(name: str) -> bool:
    """Return whether ``name`` is a scheme that counts behind another URL, or derived from one."""
    return _ENDS_WELL_KNOWN.search(name) is not None
