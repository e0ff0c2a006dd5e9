"""Places in a byte view: text whose characters are the bytes of a UTF-8 text.

Decoding costs more than the search, so plain output searches the bytes as they
are, seen as Latin-1. Only where a place has non-ASCII bytes round it is that
stretch decoded, and read by the same rules; spans are mapped back to bytes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlextract.records import Span
from urlextract.scanner.outcome import KEPT, Limits, Outcome
from urlextract.scanner.places import look_at_colon, look_at_dot

if TYPE_CHECKING:
    from urlextract.scanner.hits import Look

__all__ = ["decode_view", "view_look_at_colon", "view_look_at_dot"]

# Bytes behind a place that are read at first, a bit more than any host takes, and four times as many each
# further time; as many again where characters take more than one.
_FIRST_REACH = 544
_OPENING = 700  # bytes before a place in which its bracket opens, where each character takes four


def decode_view(view: str) -> str:
    """Decode a stretch of a byte view; bytes that are no UTF-8 become lone surrogates."""
    return view.encode("latin-1").decode("utf-8", "surrogateescape")


def _width(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode("utf-8", "surrogateescape"))


def view_look_at_colon(
    view: str, colon: int, floor: int, limits: Limits, *, is_whole: bool
) -> Outcome | None:
    """Do as `places.look_at_colon` in a byte view."""
    return _look(look_at_colon, view, colon, floor, limits, is_whole=is_whole)


def view_look_at_dot(view: str, dot: int, floor: int, limits: Limits, *, is_whole: bool) -> Outcome | None:
    """Do as `places.look_at_dot` in a byte view."""
    return _look(look_at_dot, view, dot, floor, limits, is_whole=is_whole)


def _window_start(view: str, at: int) -> int:
    """Give the start of the line on which a bracket may open that holds the place ``at``.

    No reading asks for more before a place than that line, and no more than `KEPT`.
    """
    low, line = max(0, at - KEPT), max(0, at - _OPENING)
    end = max(view.rfind("\n", low, line), view.rfind("\r", low, line))
    return end + 1 if end >= 0 else low


def _character_end(view: str, start: int, end: int) -> int:
    """Give ``end``, or the place right before the UTF-8 character that it would cut in two.

    The first bytes of one may look like a mark of Windows-1252, which ends a URL.
    """
    for at in range(end - 1, max(start, end - 4), -1):
        if view[at] < "\x80":
            return end
        if view[at] >= "\xc0":
            width = 2 + (view[at] >= "\xe0") + (view[at] >= "\xf0")
            return at if at + width > end else end
    return end


def _look(look: Look, view: str, at: int, floor: int, limits: Limits, *, is_whole: bool) -> Outcome | None:
    low = _window_start(view, at)
    reach = _FIRST_REACH if view[at : at + _FIRST_REACH].isascii() else 4 * _FIRST_REACH
    while True:
        high = min(len(view), at + reach)
        ends = high == len(view)
        if not (is_whole and ends):
            high = _character_end(view, at, high)
        window = view[low:high]
        if window.isascii():
            outcome = look(window, at - low, max(0, floor - low), limits, is_whole=is_whole and ends)
            if outcome is not None:
                return outcome._replace(shift=low)
        else:
            before = decode_view(view[low:at])
            text = before + decode_view(view[at:high])
            start = len(decode_view(view[low:floor])) if floor > low else 0
            outcome = look(text, len(before), start, limits, is_whole=is_whole and ends)
            if outcome is not None:
                return _mapped(outcome, text, low)
        if ends:
            return None
        reach *= 4


def _mapped(outcome: Outcome, text: str, low: int) -> Outcome:
    """Map the spans of an outcome in ``text`` to the view it was decoded from."""

    def mapped(span: Span) -> Span:
        start = low + _width(text[: span.start])
        return Span(start, start + _width(text[span.start : span.end]))

    candidate = outcome.candidate
    return Outcome(
        candidate._replace(span=mapped(candidate.span), inner=mapped(candidate.inner)) if candidate else None,
        tuple(refusal._replace(span=mapped(refusal.span)) for refusal in outcome.refusals),
    )
