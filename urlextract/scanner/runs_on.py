"""Bare URLs that fill their line, or end it in a hyphen: whether one seems to go on on the next.

It is never joined unasked ("the next word must never be glued on"), but who wraps
mail at 72 columns cuts URLs too, so the joined form is offered.
"""

from __future__ import annotations

from urlextract.grammar.chars import LINE_END, NAMED_MARK, ends_file_name
from urlextract.grammar.patterns import later
from urlextract.grammar.registry import SCHEME_NAME
from urlextract.linebreaks.prefixes import opening_prefix, skip_prefix
from urlextract.scanner.bare import clean_run, trimmed
from urlextract.scanner.buffer import Buffer, MoreNeeded, line_start

__all__ = ["continuation"]

FULL_LINE = 60
"""Columns in which a URL may fill its line: nobody wraps mail below that."""

_LINE_END = later(LINE_END)
_HYPHENS = "-\u2010\u00ad"  # behind a URL that cannot end in one: a hyphen in the host, one of a typesetter
_OWN_START = later(rf"{SCHEME_NAME}:|(?i:www|ftp)\.|[-*+\u2022#>|(]|\[\d|\d{{1,3}}[.)](?:\s|\Z)")
# A word of prose, or a blank line.
_WORD = r"[A-Z]?[a-z]{0,30}[.,;:!?]?(?=[ \t\r\n])"
_PROSE = later(_WORD)
# What tells of most lines at once that they are none of the URL: a word that is no prefix, a bracket, a URL.
_NEXT = later(
    rf"[ \t]*+(?:[<(]|\[\d|(?=[A-Za-z])(?:(?i:https?|ftp)://|(?!(?i:dnl|rem)[ \t]|{NAMED_MARK}){_WORD}))"
)
# What a word of prose does not have.
_URL_SIGNS = later(r"[/?=&%_#~+]|\w\.\w{2,5}\Z|\w\.\w+[/?]|[A-Za-z]\d|\d[A-Za-z]|[a-z][A-Z]|\w-\w+-\w")
# What may follow the name of a file that is all there.
_BEHIND_NAME = frozenset(".?#&/;")
_BULLETS = ("*", "+", "-")
_OPEN_END = later(r"[-_=&?%/.+,~#][^\W_]{0,3}\Z")


def continuation(b: Buffer, url: int, end: int) -> str:
    """Return what seems to follow the URL ``url:end`` on the next line, with the line break before it, or "".

    This is the one place where it is asked whether a bare URL that ends its line goes on.
    """
    text = b.text
    if end == b.size:
        return ""
    is_hyphened = text[end] in _HYPHENS
    match = _LINE_END.match(text, end + is_hyphened)
    if match is None or not b.limits.joins:
        if is_hyphened:
            b.need(2, end)
        return ""
    is_open = is_hyphened or _ends_in_hyphen(text, end)
    if not is_open and _NEXT.match(text, match.end()):
        return ""
    line = line_start(text, url)
    if line is not None and end - line < FULL_LINE and not is_open:
        return ""
    prefix = "" if line is None else opening_prefix(text[line:url])
    start = skip_prefix(text, match.end(), prefix)
    if start == b.size and not b.is_whole:
        raise MoreNeeded
    if _PROSE.match(text, start) and not is_open:
        return ""
    run = trimmed(clean_run(b, start, url)[0], text, url)
    is_label = text.startswith(":", start + len(run))  # a field's name, not a path
    is_item = text[match.end() : start].rstrip().endswith(_BULLETS)
    goes_on = not is_label and not is_item and (is_hyphened or _may_go_on(text[url:end], run))
    return text[end : start + len(run)] if goes_on else ""


def _ends_in_hyphen(text: str, end: int) -> bool:
    """Say whether a URL ends at ``end`` in a hyphen, which hardly one does: RFC 1738, appendix.

    Two are a dash.
    """
    return text.endswith("-", 0, end) and not text.endswith("--", 0, end)


def _may_go_on(url: str, run: str) -> bool:
    """Say whether ``run``, the first of the next line, looks like the rest of a URL."""
    if not any(map(str.isalnum, run)) or _OWN_START.match(run):
        return False
    if "@" in run and "/" not in run:  # an address
        return False
    if ends_file_name(url) and run[0] not in _BEHIND_NAME:
        return False
    if _ends_in_hyphen(url, len(url)):
        return True
    return bool(_URL_SIGNS.search(run) or (_OPEN_END.search(url) and not run.isalpha()))
