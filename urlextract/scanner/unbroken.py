"""URLs to which no rule applies: on one line, in ASCII, between plain characters, as most are.

Three patterns have the grammar of a run after ``//`` or ``www.``, of a run after a name such as
``mailto:``, and of a wrapper. Each stops at any character that has a rule: where it stops shows whether
the place is odd. Then `None` is returned, and the rules read the place. What comes before the place
decides as much: it may be the opening of a bracket, a quote or an emphasis.

So a new rule about a character takes it out of the classes here. A rule that rejects a URL stands in
`bare_rejection` or `inside_rejection`, which are asked here, too. For any other rule, None is returned
where it may apply.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import Any, cast

from urlextract.grammar.chars import INSIDE
from urlextract.grammar.hosts import ASCII_HOST
from urlextract.grammar.marks import END_MARKS, OPENER_ENDS
from urlextract.grammar.patterns import lazy_re
from urlextract.grammar.registry import NAMES_WITHOUT_SLASHES, SCHEMES
from urlextract.grammar.rules import Rule
from urlextract.linebreaks.joining import SCHEME_OF_HOST
from urlextract.records import Form, Match, Span
from urlextract.scanner.bare import (
    LONGEST_HOST,
    SHORTENING,
    bare_rejection,
    may_be_cut_off,
    may_be_label,
    name_start,
)
from urlextract.scanner.buffer import Buffer, line_prefix
from urlextract.scanner.continuation import ENDS_HERE, continuation
from urlextract.scanner.quoted_printable import may_be_escaped
from urlextract.scanner.url_checks import inside_rejection
from urlextract.scanner.wrappers import AFTER_OPENER, OPENER_REACH, find_opener

# --- the grammar ---------------------------------------------------------------------------------

_PLAIN = r"[A-Za-z0-9_~/#@$%+=&\-.!?]"  # "&" without a ";" after it begins no entity
_END = r"(?:[ \t\r\n\x0b\x0c<\")\]}`]|\Z)"
_MARKS = f"[{re.escape(''.join(mark for mark in END_MARKS if mark not in ';([{|'))}]"
# Sentence punctuation, which is not part of the URL; a ";" that ends no entity
_AFTER = rf"{_MARKS}*+(?:(?={_END})|(?>(?:;(?<=[^&]{{8}};){_MARKS}*+)+)(?={_END}))"
# One pair of brackets at most: "wiki/URL_(x)"
_PATH = rf"(?:[/?#]{_PLAIN}{{0,480}}+(?:\({_PLAIN}{{0,240}}+\){_PLAIN}{{0,240}}+|)|)"
_HOST = rf"{ASCII_HOST}(?>(?::[0-9]{{1,9}}+)?)"

_RUN = lazy_re(rf"(?://|\.(?=[A-Za-z0-9-]++\.[A-Za-z0-9])){_HOST}{_PATH}{_AFTER}")
_NAMED = lazy_re(rf":{_PLAIN}{{1,400}}+{_AFTER}")
# A line begins with no mark of a patch or a list, and ends in no soft break.
_NEXT_LINE = rf"(?<!=)\n {{0,80}}+[A-Za-z0-9/.?&%][{INSIDE}]{{0,900}}+"
_WRAPPED = lazy_re(
    r"<(?P<label>(?i:URL): ?)?(?P<url>(?P<name>[A-Za-z][A-Za-z0-9+.-]{0,39}+):(?=//|[A-Za-z0-9])"
    rf"[{INSIDE}]{{0,900}}+(?P<more>(?>(?:{_NEXT_LINE}){{0,8}})))(?<!\.\.\.)>"
)
_GAP = lazy_re(r"\n *+")

# --- what comes before a place -------------------------------------------------------------------

# Something may be open, or the scheme may begin elsewhere.
_ODD_BEFORE = frozenset("\"'*_~+<:\\=,;\t|")
_OPENER_END = lazy_re(f"[{re.escape(OPENER_ENDS)}]")


def _is_free(buffer: Buffer, start: int, before: str) -> bool:
    """Return whether no bracket, quote or emphasis may be open at ``start``."""
    if before not in AFTER_OPENER:
        return before not in _ODD_BEFORE and before.isascii()
    if before in _ODD_BEFORE:
        return False
    has_opener = _OPENER_END.search(buffer.text, max(buffer.last, start - OPENER_REACH), start)
    return has_opener is None or find_opener(buffer, start) is None


# --- the forms -----------------------------------------------------------------------------------

_NAMES = frozenset(NAMES_WITHOUT_SLASHES)
_match_of = cast("Callable[[tuple[Any, ...]], Match]", partial(tuple.__new__, Match))  # without a Python call
_AS_WRITTEN = tuple(Match._field_defaults.values())[:-2]  # all but the URL and the rule
"""The fields of a `Match` from which nothing is removed, and to which nothing is added but a scheme."""


def read_unbroken(buffer: Buffer, at: int) -> Match | None:
    """Return the match of the URL whose colon or dot is at ``at``, None if the rules must read the place."""
    text = buffer.text
    if text[at] != ":":
        return _read_host(buffer, at - 3, at) if text[at] == "." else None
    start = name_start(buffer, at)
    if start <= buffer.last > 0:
        return None
    before = text[start - 1] if start else "\n"
    if before == "<":
        return _read_wrapped(buffer, start)
    name = text[start:at]
    if text.startswith("//", at + 1):
        match = _RUN.match(text, at + 1) if name in SCHEMES else None
        if match and before == '"':
            return _read_quoted(buffer, start, match.end())
    else:
        match = _NAMED.match(text, at) if name in _NAMES and before != "=" else None
    is_free = match is not None and _is_free(buffer, start, before)
    found = _taken(buffer, start, match.end(), Form.BARE) if match and is_free else None
    if found is None:
        return None
    rest = found.url[at + 1 - start :]
    return None if bare_rejection(name, rest, name) or may_be_label(rest) else found


def _read_host(buffer: Buffer, start: int, dot: int) -> Match | None:
    text = buffer.text
    if start < 0 or start <= buffer.last > 0 or text[start : dot + 1].lower() not in SCHEME_OF_HOST:
        return None
    before = text[start - 1] if start else "\n"
    if before.isalnum() or before in "/@._-" or not _is_free(buffer, start, before):
        return None
    match = _RUN.match(text, dot)
    if match is None or match.end() - start >= LONGEST_HOST:
        return None
    return _taken(buffer, start, match.end(), Form.ABBREVIATED)


def _taken(buffer: Buffer, start: int, end: int, form: Form) -> Match | None:
    """Return the match of the run ``start:end``, without the marks at its end, unless rules apply to it."""
    text = buffer.text
    raw = text[start:end].rstrip(END_MARKS)
    stop = start + len(raw)
    if end - stop > 2 or ("=" in raw and may_be_escaped(raw)):  # it may end in an ellipsis
        return None
    is_open = end + 1 == buffer.size and not buffer.is_whole and may_be_cut_off(text, start, stop)
    if text.startswith(SHORTENING, end) or is_open:
        return None
    is_ended = buffer.is_whole if end == buffer.size else text[end] not in "\r\n"
    if not is_ended and (end == buffer.size or continuation(buffer, start, stop) is not ENDS_HERE):
        return None
    span = Span(start, stop)
    if form is Form.BARE:
        return _match_of((span, form, raw, span, *_AS_WRITTEN, raw, Rule.SCHEME))
    url = SCHEME_OF_HOST[raw[:4].lower()] + raw
    return _match_of((span, form, raw, span, *_AS_WRITTEN, url, Rule.ABBREVIATED_HOST))


def _read_quoted(buffer: Buffer, start: int, end: int) -> Match | None:
    """Return the match of the quotation of ``start:end``, if a quote closes it right after the URL."""
    raw = buffer.text[start:end]
    is_closed = buffer.text.startswith('"', end) and raw[-1] not in END_MARKS
    if not is_closed or ("=" in raw and may_be_escaped(raw)) or inside_rejection(raw, Form.QUOTED):
        return None
    span, inner = Span(start - 1, end + 1), Span(start, end)
    return _match_of((span, Form.QUOTED, raw, inner, *_AS_WRITTEN, raw, Rule.QUOTATION))


def _is_joined(buffer: Buffer, start: int, more: str) -> bool:
    """Return whether the lines ``more`` of a wrapper are part of its URL, without a quote prefix."""
    limits = buffer.limits
    is_short = limits.joins and more.count("\n") < limits.max_lines
    mark = line_prefix(buffer.text, start - 1).lstrip()[:1]
    is_unquoted = not mark or all(line.lstrip(" ")[0] != mark for line in more.split("\n")[1:])
    return is_short and "://" not in more and is_unquoted


def _read_wrapped(buffer: Buffer, start: int) -> Match | None:
    """Return the match of the wrapper whose bracket comes right before ``start``."""
    match = _WRAPPED.match(buffer.text, start - 1)
    if match is None:
        return None
    label, raw, name, more = match.groups()
    limits, url = buffer.limits, _GAP.sub("", raw) if more else raw
    if name not in SCHEMES or len(raw) > limits.max_chars or ("=" in url and may_be_escaped(url)):
        return None
    if more and not _is_joined(buffer, start, more):
        return None
    form = Form.URL_WRAPPER if label else Form.ANGLE
    if inside_rejection(url, form):
        return None
    span, inner = Span(*match.span()), Span(*match.span(2))
    return _match_of((span, form, raw, inner, *_AS_WRITTEN, url, Rule.WRAPPER))
