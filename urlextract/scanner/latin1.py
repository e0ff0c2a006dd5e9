"""Bytes read as Latin-1: text whose characters are the bytes of a UTF-8 text.

Decoding costs more than the search, so plain output searches the bytes as they are. Only a
place with non-ASCII bytes round it is decoded, with some text before and after, and read by
the same rules; its spans are mapped back to bytes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlextract.records import Candidate, Refusal, Span
from urlextract.scanner.buffer import CONTEXT, KEPT, Buffer, Hit, MoreNeeded

if TYPE_CHECKING:
    from urlextract.scanner.detect import Look

__all__ = ["decode_view", "look_at_bytes"]

# Bytes after a place that are read at first, a bit more than any host takes, and four times as many each
# further time; as many again where characters take more than one.
_FIRST_REACH = 544
_OPENING = 4 * CONTEXT + 256  # bytes before a place that a rule may ask for, where each character takes four


def decode_view(view: str) -> str:
    """Decode a stretch of a byte view; bytes that are no UTF-8 become lone surrogates."""
    return view.encode("latin-1").decode("utf-8", "surrogateescape")


def _width(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode("utf-8", "surrogateescape"))


def look_at_bytes(read: Look, view: Buffer, at: int) -> Hit | None:
    """Apply a rule to a place of a byte view."""
    if view.text.isascii():
        return read(view, at)
    text, low = view.text, _window_start(view.text, at)
    reach = _FIRST_REACH
    while True:
        high = min(view.size, at + reach)
        is_end = high == view.size
        is_whole = view.is_whole and is_end
        if not is_whole and text[high - 1] >= "\x80":
            high = _character_end(text, at, high)
        try:
            return _look_at_window(read, view, at, low, high, is_whole=is_whole)
        except MoreNeeded:
            if is_end:
                raise
        reach *= 4


def _look_at_window(read: Look, view: Buffer, at: int, low: int, high: int, *, is_whole: bool) -> Hit | None:
    text, floor, place = view.text, max(view.last - low, 0), at - low
    window = text[low:high]
    is_ascii = window.isascii()
    if not is_ascii:
        before = decode_view(text[low:at])
        floor = len(decode_view(text[low : low + floor]))
        window, place = before + decode_view(text[at:high]), len(before)
    b = Buffer(window, view.limits, is_whole=is_whole, last=floor, urls_only=view.urls_only)
    hit = read(b, place)
    if b.refusals:
        view.refusals += [_mapped(refusal, window, low) for refusal in b.refusals]
    if hit is None:
        return None
    start, end, form, first, url, value = hit
    if value is None and is_ascii:
        return start + low, end + low, form, first + low, url, None
    start, end, first = (low + _width(window[:position]) for position in (start, end, first))
    if isinstance(value, Candidate):
        value = value._replace(
            span=_mapped_span(value.span, window, low), inner=_mapped_span(value.inner, window, low)
        )
    return start, end, form, first, url, value


def _mapped(refusal: Refusal, window: str, low: int) -> Refusal:
    return refusal._replace(span=_mapped_span(refusal.span, window, low))


def _mapped_span(span: Span, window: str, low: int) -> Span:
    """Map a span in ``window`` to the view that it was decoded from at ``low``."""
    start = low + _width(window[: span.start])
    return Span(start, start + _width(window[span.start : span.end]))


def _window_start(view: str, at: int) -> int:
    """Return the start of the line on which a bracket may open that holds the place ``at``.

    No reading asks for more before a place than that line, and no more than `KEPT`.
    """
    if at <= _OPENING:
        return 0
    low, line = max(0, at - KEPT), at - _OPENING
    low = view.rfind("\n", low, line) + 1 or low
    return view.rfind("\r", low, line) + 1 or low


def _character_end(view: str, start: int, end: int) -> int:
    """Return ``end``, or the place right before the UTF-8 character that it would cut in two.

    The first bytes of one may look like a mark of Windows-1252, which ends a URL.
    """
    for at in range(end - 1, max(start, end - 4), -1):
        if view[at] < "\x80":
            return end
        if view[at] >= "\xc0":
            width = 2 + (view[at] >= "\xe0") + (view[at] >= "\xf0")
            return at if at + width > end else end
    return end
