"""Escape what a terminal would obey in the text of strangers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlextract.grammar.patterns import lazy_re

if TYPE_CHECKING:
    import re

__all__ = ["harmless"]

# C0 except line feed and tab, DEL, C1, characters that change the direction of writing, end a line
# or are invisible (zero-width spaces, the soft hyphen, tags), and bytes that are not UTF-8: to an
# 8-bit terminal some of these are C1.
_ACTING = lazy_re(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060\u2066-\u2069\ufeff"
    "\udc80-\udcff\U000e0000-\U000e007f]"
)


def harmless(text: str) -> str:
    r"""Return ``text`` with control characters as escapes, which a terminal shows but does not obey.

    >>> print(harmless("http://example.org/\x1b[2J"))
    http://example.org/\x1b[2J
    """
    return _ACTING.sub(_escape, text)


def _escape(match: re.Match[str]) -> str:
    """Return a character as an escape, valid in JSON except for C0 and bytes, which do not occur there."""
    code = ord(match.group())
    if code < 0x20 or 0xDC80 <= code <= 0xDCFF:
        return f"\\x{code & 0xFF:02x}"
    units = match.group().encode("utf-16-be")
    return "".join(f"\\u{units[at]:02x}{units[at + 1]:02x}" for at in range(0, len(units), 2))
