"""One place in a text: from the colon or the dot that gave it away to a candidate.

A bracket or a quote around it is tried first; where that is given up, the place
is read as running text. Nothing here remembers anything: the answer depends on
the text from `CONTEXT` characters before the place to the end of the candidate.
"""

from __future__ import annotations

from urlextract.grammar.backslashes import SLASHES
from urlextract.grammar.chars import LINE_END
from urlextract.grammar.patterns import later
from urlextract.grammar.registry import SCHEME_CHARACTERS, is_registered
from urlextract.linebreaks.prefixes import skip_prefix, used_prefix
from urlextract.records import Candidate, Form, Refusal, Span
from urlextract.scanner.bare import readable
from urlextract.scanner.escaped import Read, goes_on_escaped, read_escaped
from urlextract.scanner.openers import Opener, find_opener, line_prefix
from urlextract.scanner.outcome import NOTHING, Limits, Outcome
from urlextract.scanner.running import read_host, read_scheme
from urlextract.scanner.starts import follows_escape
from urlextract.scanner.wrappers import read_quotation, read_wrapper

__all__ = ["follows_name", "look_at_colon", "look_at_dot"]

_LONGEST_GAP = 100  # characters: a scheme, a line end, a quote prefix and an indent
# "//www.example.com/x.js" of markup and programs, "_www.example.com_" of those who underline so;
# "http//www.example.com", "http;//www..." of those who do not type well.
_NO_NAME = later(r"(?:[\s\"'=(]|\A)(?://|_{1,3})\Z|(?<![A-Za-z0-9])(?i:https?|ftp)(?:[:;.]?//|:/)\Z")
_LONGEST_NO_NAME = 10
# A scheme that ends its line, with no word behind it
_SCHEME_BEFORE = later(
    rf"(?<![A-Za-z0-9+.-])(?i:https?|ftp)://[ \t]{{0,8}}+({LINE_END})(?:[^\r\n]{{0,80}}[^\w\s])?[ \t]*+\Z"
)
# A bracket and letters at the end of a line
_SCHEME_HEAD = later(rf"<([A-Za-z][A-Za-z0-9+.-]{{0,30}}+)({LINE_END})[^\r\n<]{{0,80}}\Z")


def look_at_colon(text: str, colon: int, floor: int, limits: Limits, *, is_whole: bool) -> Outcome | None:
    """Read the place whose scheme, or ``URL``, ends before ``colon``; None asks for more text.

    What stands before ``floor`` belongs to another place.
    """
    low = max(0, floor, colon - 41)
    start = low + len(text[low:colon].rstrip(SCHEME_CHARACTERS))
    if not 0 < colon - start <= 40:
        return NOTHING
    behind = text[colon + 1 : colon + 1 + len(SLASHES)]
    if behind[:1] == "\\" and SLASHES.startswith(behind):
        if behind != SLASHES:
            return NOTHING if is_whole else None
        return read_escaped(
            text, start, "json", _scheme_reader(colon - start, limits), limits, is_whole=is_whole
        )
    if text[colon - 3 : colon].lower() == "url":
        return _look_at_label(text, colon, floor, limits, is_whole=is_whole)
    bracket = NOTHING
    if text[start].isalpha() and start > floor:
        outcome = _bracketed(text, start, colon, floor, limits, is_whole=is_whole)
        if outcome is None or outcome.candidate:
            return outcome
        bracket = outcome
    outcome = read_scheme(text, start, colon, limits, bracket.refusals, is_whole=is_whole)
    is_escaped = outcome and goes_on_escaped(text, outcome, is_whole=is_whole)
    if not is_escaped:
        return outcome if is_escaped is False else None
    reader = _scheme_reader(colon - start, limits, bracket.refusals)
    return read_escaped(text, start, "marks", reader, limits, is_whole=is_whole)


def _scheme_reader(length: int, limits: Limits, refusals: tuple[Refusal, ...] = ()) -> Read:
    """Give the reader of a scheme of that length in a text without its escapes."""
    quiet = limits._replace(looks_on=False)
    return lambda plain, at: read_scheme(plain, at, at + length, quiet, refusals, is_whole=True)


def _host_reader(limits: Limits, refusals: tuple[Refusal, ...]) -> Read:
    """Give the reader of a host in a text without its escapes."""
    quiet = limits._replace(looks_on=False)
    return lambda plain, at: read_host(plain, at, quiet, refusals, is_whole=True)


def look_at_dot(text: str, dot: int, floor: int, limits: Limits, *, is_whole: bool) -> Outcome | None:
    """Read the place whose ``www`` or ``ftp`` ends before ``dot``; None asks for more text."""
    start = dot - 3
    if start < floor or follows_name(text, start):
        return NOTHING
    bracket = NOTHING
    opener = _unlabelled_opener(text, start, floor)
    if opener:
        outcome = read_wrapper(text, opener, start, Form.ABBREVIATED, limits, is_whole=is_whole)
        if outcome is None or outcome.candidate:
            return outcome
        bracket = outcome
    outcome = read_host(text, start, limits, bracket.refusals, is_whole=is_whole)
    is_escaped = outcome and goes_on_escaped(text, outcome, is_whole=is_whole)
    if is_escaped:
        reader = _host_reader(limits, bracket.refusals)
        outcome = read_escaped(text, start, "marks", reader, limits, is_whole=is_whole)
    elif is_escaped is None:
        return None
    if outcome and outcome.candidate and limits.joins:
        return Outcome(_with_scheme_before(text, floor, outcome.candidate), outcome.refusals)
    return outcome


def follows_name(text: str, start: int) -> bool:
    """Say whether a name goes on at ``start``, of a host, a file or a mail address."""
    before = text[start - 1] if start > 0 else " "
    if not (before.isascii() and (before.isalnum() or before in "/@._-")) or follows_escape(text, start):
        return False
    return (
        text.startswith("_", start + 4)
        or _NO_NAME.search(text, max(0, start - _LONGEST_NO_NAME), start) is None
    )


def _with_scheme_before(text: str, floor: int, host: Candidate) -> Candidate:
    """Put the scheme to an abbreviated URL that the line before ends in, as in "https://" and "www."."""
    start = host.span.start
    low = max(floor, start - _LONGEST_GAP)
    match = _SCHEME_BEFORE.search(text, low, start) if text.rfind("://", low, start) >= 0 else None
    if match is None:
        return host
    prefix = line_prefix(text, match.start())
    if skip_prefix(text, match.end(1), prefix) != start:
        return host
    inner = Span(match.start(), host.span.end)
    raw = readable(inner.of(text))
    used = used_prefix(raw, prefix)
    return host._replace(span=inner, inner=inner, form=Form.BARE, raw=raw, prefix=used, runs_on=None, also=())


def _look_at_label(text: str, colon: int, floor: int, limits: Limits, *, is_whole: bool) -> Outcome | None:
    """Read ``<URL:...>``. Without a bracket the scheme behind it is a place of its own."""
    opener = find_opener(text, colon - 3, floor)
    if opener is None:
        return NOTHING
    return read_wrapper(text, opener, colon + 1, Form.URL_WRAPPER, limits, is_whole=is_whole)


def _bracketed(
    text: str, start: int, colon: int, floor: int, limits: Limits, *, is_whole: bool
) -> Outcome | None:
    if text[start - 1] == '"':
        return read_quotation(text, start, limits, is_whole=is_whole)
    opener = _unlabelled_opener(text, start, floor)
    if opener:
        return read_wrapper(text, opener, start, Form.ANGLE, limits, is_whole=is_whole)
    if text.startswith("//", colon + 1) and not is_registered(text[start:colon]):
        head = _head_of_scheme(text, start, colon, floor)
        if head is not None:
            opener = Opener(head - 1, line_prefix(text, head - 1))
            return read_wrapper(text, opener, head, Form.ANGLE, limits, is_whole=is_whole)
    return NOTHING


def _head_of_scheme(text: str, start: int, colon: int, floor: int) -> int | None:
    """Give the start of a scheme that is broken over lines in a bracket, whose rest is ``start:colon``."""
    low = max(floor, start - _LONGEST_GAP)
    match = _SCHEME_HEAD.search(text, low, start)
    if match is None or not is_registered(match[1] + text[start:colon]):
        return None
    is_rest = skip_prefix(text, match.end(2), line_prefix(text, match.start())) == start
    return match.start(1) if is_rest else None


def _unlabelled_opener(text: str, start: int, floor: int) -> Opener | None:
    """Find the "<" before ``start``, unless ``URL:`` stands between: then it was tried before."""
    if start <= floor or (text[start - 1] not in "<;>|*#:%/" and not text[start - 1].isspace()):
        return None
    opener = find_opener(text, start, floor)
    if opener and text[opener.start : start].rstrip().lower().endswith("url:"):
        return None
    return opener
