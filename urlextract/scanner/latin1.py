"""Bytes read as Latin-1: text whose characters are the bytes of a UTF-8 text.

Decoding costs more than the search, so plain output searches the bytes as they are. Only a
place with non-ASCII bytes around it is decoded, with some text before and after, and read by
the same rules; its spans are mapped back to bytes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlextract.records import Candidate, Refusal, Span
from urlextract.scanner.brackets import LONGEST_OPENING
from urlextract.scanner.buffer import CONTEXT, KEPT, Buffer, ContextNeeded, Hit, MoreNeeded

if TYPE_CHECKING:
    from urlextract.scanner.detect import Look

__all__ = ["decode_view", "look_at_bytes"]

# Bytes after a place that are read at first, a bit more than most URLs take, and four times as many
# each further time.
_FIRST_REACH = 300
_OPENING = 700  # bytes before a place in which its bracket opens, where each character takes four
_MOST_BEFORE = 4 * CONTEXT + 256  # bytes before a place that any rule asks for


def decode_view(view: str) -> str:
    """Decode a stretch of a byte view; bytes that are no UTF-8 become lone surrogates."""
    return view.encode("latin-1").decode("utf-8", "surrogateescape")


def _width(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode("utf-8", "surrogateescape"))


def look_at_bytes(read: Look, view: Buffer, at: int) -> Hit | None:
    """Apply a rule to a place of a byte view."""
    if view.text.isascii():
        return read(view, at)
    text = view.text
    low = _line_before(text, at, LONGEST_OPENING)
    high = at + _FIRST_REACH
    window = text[low:high]
    if window.isascii():  # most
        is_whole = view.is_whole and high >= view.size
        b = Buffer(window, view.limits, is_whole=is_whole, last=max(view.last - low, 0))
        b.is_cut = low > 0
        try:
            return _shifted(read(b, at - low), b, view, low)
        except (MoreNeeded, ContextNeeded):
            pass
    low = _line_before(text, at, _OPENING)
    reach, is_cut = 4 * _FIRST_REACH, low > 0
    while True:
        high = min(view.size, at + reach)
        is_end = high == view.size
        is_whole = view.is_whole and is_end
        if not is_whole and text[high - 1] >= "\x80":
            high = _character_end(text, at, high)
        try:
            return _look_at_window(read, view, at, low, high, is_whole=is_whole, is_cut=is_cut)
        except ContextNeeded:
            low, is_cut = _line_before(text, at, _MOST_BEFORE), False
        except MoreNeeded:
            if is_end:
                raise
            reach *= 4


def _look_at_window(
    read: Look, view: Buffer, at: int, low: int, high: int, *, is_whole: bool, is_cut: bool
) -> Hit | None:
    text = view.text
    before = decode_view(text[low:at])
    floor = len(decode_view(text[low : view.last])) if view.last > low else 0
    window = before + decode_view(text[at:high])
    b = Buffer(window, view.limits, is_whole=is_whole, last=floor)
    b.is_cut = is_cut
    hit = read(b, len(before))
    if window.isascii():
        return _shifted(hit, b, view, low)
    view.refusals += [_mapped(refusal, window, low) for refusal in b.refusals]
    if hit is None:
        return None
    start, end, form, first, url, value = hit
    start, end, first = (low + _width(window[:position]) for position in (start, end, first))
    if isinstance(value, Candidate):
        value = value._replace(
            span=_mapped_span(value.span, window, low), inner=_mapped_span(value.inner, window, low)
        )
    return start, end, form, first, url, value


def _shifted(hit: Hit | None, b: Buffer, view: Buffer, by: int) -> Hit | None:
    """Return what was found in a window of ASCII with its places in the view."""
    if b.refusals:
        view.refusals += [refusal.moved(by) for refusal in b.refusals]
    if hit is None:
        return None
    start, end, form, first, url, value = hit
    return start + by, end + by, form, first + by, url, value and value.moved(by)


def _mapped(refusal: Refusal, window: str, low: int) -> Refusal:
    return refusal._replace(span=_mapped_span(refusal.span, window, low))


def _mapped_span(span: Span, window: str, low: int) -> Span:
    """Map a span in ``window`` to the view that it was decoded from at ``low``."""
    start = low + _width(window[: span.start])
    return Span(start, start + _width(window[span.start : span.end]))


def _line_before(view: str, at: int, opening: int) -> int:
    """Return the start of the line on which a bracket may open that holds the place ``at``.

    It opens no more than ``opening`` bytes before. No reading asks for more than that line, and
    no more than `KEPT`.
    """
    if at <= opening:
        return 0
    low = at - KEPT if at > KEPT else 0
    return view.rfind("\n", low, at - opening) + 1 or low


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
