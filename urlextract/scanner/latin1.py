"""Bytes read as Latin-1: text whose characters are the bytes of a UTF-8 text.

Decoding takes longer than the search, so for plain output the bytes are searched as they are.
Only a place with non-ASCII bytes around it is decoded, with some text before and after it. It is
read by the same rules, and its spans are mapped back to bytes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlextract.records import Candidate, Refusal, Span
from urlextract.scanner.brackets import LONGEST_OPENING
from urlextract.scanner.buffer import CONTEXT, KEPT, Buffer, ContextNeeded, Hit, MoreNeeded

if TYPE_CHECKING:
    from urlextract.scanner.detect import Look

__all__ = ["decode_view", "look_at_bytes"]

# Bytes that are read after a place at first: a few more than most URLs have. Each further attempt
# reads four times as many.
_FIRST_REACH = 300
_OPENING = 700  # bytes before a place that may hold its opening bracket, if characters have up to four
_MOST_BEFORE = 4 * CONTEXT + 256  # the most bytes before a place that a rule needs


def decode_view(view: str) -> str:
    """Decode a part of a byte view; bytes that are not UTF-8 become lone surrogates."""
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
    if window.isascii():  # the usual case
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
    """Return the hit in an ASCII window, with its offsets and those of the refusals in the view."""
    if b.refusals:
        view.refusals += [refusal.moved(by) for refusal in b.refusals]
    if hit is None:
        return None
    start, end, form, first, url, value = hit
    return start + by, end + by, form, first + by, url, value and value.moved(by)


def _mapped(refusal: Refusal, window: str, low: int) -> Refusal:
    return refusal._replace(span=_mapped_span(refusal.span, window, low))


def _mapped_span(span: Span, window: str, low: int) -> Span:
    """Return the span in the view for ``span`` in ``window``, which was decoded from ``low`` on."""
    start = low + _width(window[: span.start])
    return Span(start, start + _width(window[span.start : span.end]))


def _line_before(view: str, at: int, opening: int) -> int:
    """Return the start of the line that holds the byte ``opening`` bytes before ``at``.

    A bracket around the place ``at`` opens on that line or after it. The start is at most
    `KEPT` bytes before ``at``; no rule needs more text.
    """
    if at <= opening:
        return 0
    low = at - KEPT if at > KEPT else 0
    return view.rfind("\n", low, at - opening) + 1 or low


def _character_end(view: str, start: int, end: int) -> int:
    """Return ``end``, or the start of the UTF-8 character that ``end`` would cut.

    The first bytes of a cut character would be read as marks of Windows-1252, which may end a URL.
    """
    for at in range(end - 1, max(start, end - 4), -1):
        if view[at] < "\x80":
            return end
        if view[at] >= "\xc0":
            width = 2 + (view[at] >= "\xe0") + (view[at] >= "\xf0")
            return at if at + width > end else end
    return end
