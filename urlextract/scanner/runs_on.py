"""Bare URLs that fill their line: whether one seems to go on on the next.

It is never joined unasked ("the next word must never be glued on"), but who wraps
mail at 72 columns cuts URLs too, so the joined form is offered.
"""

from __future__ import annotations

import re

from urlextract.grammar.chars import LINE_END
from urlextract.grammar.registry import SCHEME_NAME
from urlextract.linebreaks.prefixes import skip_prefix
from urlextract.records import Span
from urlextract.scanner.bare import clean_run, trimmed
from urlextract.scanner.openers import line_prefix
from urlextract.scanner.outcome import CONTEXT, Limits

__all__ = ["continuation"]

_FULL_LINE = 60  # columns; nobody wraps mail below that
_LINE_END = re.compile(LINE_END)
_OWN_START = re.compile(rf"{SCHEME_NAME}:|(?i:www|ftp)\.|[-*+\u2022#>|(]|\[\d|\d{{1,3}}[.)](?:\s|\Z)")
# What a word of prose does not have.
_URL_SIGNS = re.compile(r"[/?=&%_#~+]|\w\.\w{2,5}\Z|\w\.\w+[/?]|[A-Za-z]\d|\d[A-Za-z]|[a-z][A-Z]|\w-\w+-\w")
_OPEN_END = re.compile(r"[-_=&?%/.+,~#][^\W_]{0,3}\Z")


def continuation(text: str, url: Span, limits: Limits, *, is_whole: bool) -> str | None:
    """Give what seems to follow the URL on the next line, with the line break before it.

    "" where nothing does, None where more text is needed.
    """
    if url.end == len(text):
        return ""
    match = _LINE_END.match(text, url.end)
    if match is None or not limits.joins:
        return ""
    low = max(0, url.start - CONTEXT + 1)
    line_start = max(text.rfind("\n", low, url.start), text.rfind("\r", low, url.start), low - 1) + 1
    if url.end - line_start < _FULL_LINE:
        return ""
    start = skip_prefix(text, match.end(), line_prefix(text, url.start))
    if start == len(text) and not is_whole:
        return None
    clean = clean_run(text, start, limits, is_whole=is_whole)
    if clean is None:
        return None
    run = trimmed(clean[0], text, url.start)
    is_label = text.startswith(":", start + len(run))  # a field's name, not a path
    if not run or is_label or _OWN_START.match(run):
        return ""
    if _URL_SIGNS.search(run) or (_OPEN_END.search(text, url.start, url.end) and not run.isalpha()):
        return text[url.end : start + len(run)]
    return ""
