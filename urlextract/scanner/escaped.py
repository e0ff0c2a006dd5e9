"""Running text in escapes of JSON, man pages and the like: read as it is meant, found where it is written."""

from __future__ import annotations

from collections.abc import Callable

from urlextract.grammar.backslashes import (
    LONGEST_ESCAPE,
    Escaping,
    begins_mark,
    escaped_end,
    plain_text,
    written_length,
)
from urlextract.linebreaks.prefixes import used_prefix
from urlextract.records import Form, Span
from urlextract.scanner.bare import readable
from urlextract.scanner.openers import line_prefix
from urlextract.scanner.outcome import Limits, Outcome, refused
from urlextract.scanner.quoted_printable import (
    break_limit,
    is_quoted_printable,
    may_be_quoted,
    run_end,
    with_doubt,
)

__all__ = ["goes_on_escaped", "read_escaped", "read_quoted_printable"]

_BEFORE = 300  # characters before a URL that say what is none of it
_HEAD = 128  # characters of a run that are looked at first: most end in them
_SENTINEL = "a"  # behind what is cut, so that its last marks are not taken for those of a sentence

Read = Callable[[str, int], Outcome | None]


def goes_on_escaped(text: str, outcome: Outcome, *, is_whole: bool) -> bool | None:
    """Say whether what was taken, or turned down, ends at an escape of a mark; None for more text."""
    if outcome.candidate:
        end = outcome.candidate.inner.end
    elif outcome.refusals:
        end = outcome.refusals[-1].span.end
    else:
        return False
    if not text.startswith("\\", end):
        return False
    return None if len(text) - end < LONGEST_ESCAPE["marks"] and not is_whole else begins_mark(text, end)


def read_quoted_printable(
    text: str, start: int, outcome: Outcome, read: Read, limits: Limits, *, is_whole: bool
) -> Outcome | None:
    """Read the place at ``start`` without the escapes of quoted-printable, if its lines are such.

    Otherwise return ``outcome``, what was read of it as it stands, with a defect.
    """
    if not may_be_quoted(text, start):
        return outcome
    end = run_end(text, start)
    found = is_quoted_printable(text, start, end, is_whole=is_whole)
    if found is None:
        return None
    candidate = outcome.candidate
    if found:
        quoted = read_escaped(text, start, "quoted-printable", read, limits, is_whole=is_whole)
        return quoted if quoted is None or quoted.candidate else outcome
    return outcome._replace(candidate=with_doubt(candidate)) if candidate else outcome


def read_escaped(
    text: str, start: int, escaping: Escaping, read: Read, limits: Limits, *, is_whole: bool
) -> Outcome | None:
    """Have the run at ``start`` read without its escapes by ``read``, and find its place in ``text``.

    ``read`` is given a text and the place where the run begins in it. It is given four
    times as much each time, so that no place costs more than what it holds.
    """
    low = max(0, start - _BEFORE)
    before, at = text[low:start], start - low
    reach, longest = _HEAD, LONGEST_ESCAPE[escaping]
    while True:
        reach = min(reach, limits.max_run)
        stop = escaped_end(text, start, start + reach, escaping)
        if stop is None:
            return refused(Form.BARE, text, start, start + 1, "an escape of a pattern")
        is_cut = start + reach - stop < longest
        if escaping == "quoted-printable":
            limit = break_limit(text, start, stop)
            is_cut, stop = is_cut and limit == stop, limit
        if len(text) - stop < longest and not is_whole and not (is_cut and reach == limits.max_run):
            return None
        written = text[start:stop]
        plain = before + plain_text(written, escaping)
        outcome = read(plain + _SENTINEL if is_cut else plain, at)
        candidate = outcome.candidate if outcome else None
        if candidate is None:
            reason = outcome.refusals[-1].reason if outcome and outcome.refusals else "no URL"
            return refused(Form.BARE, text, start, stop, reason)
        if not is_cut or candidate.inner.end <= len(plain) or reach == limits.max_run:
            break
        reach *= 4

    def placed(span: Span) -> Span:
        return Span(*(place(position) for position in span))

    def place(position: int) -> int:
        if position <= at:
            return low + position
        return start + written_length(written, min(position, len(plain)) - at, escaping)

    span, inner = placed(candidate.span), placed(candidate.inner)
    raw = inner.of(text)
    is_long = candidate.inner.end > len(plain)
    defects = (f"cut at {limits.max_run} characters",) if is_long else ()
    return Outcome(
        candidate._replace(
            span=span,
            inner=inner,
            raw=readable(raw),
            prefix=used_prefix(raw, line_prefix(text, start))
            if escaping == "quoted-printable"
            else candidate.prefix,
            escapes=escaping if ("=" if escaping == "quoted-printable" else "\\") in raw else "",
            defects=(*candidate.defects, *defects),
        ),
    )
