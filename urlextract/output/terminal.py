"""What may be written to a terminal: no byte of a message acts on it."""

from __future__ import annotations

import re

from urlextract.grammar.patterns import later

__all__ = ["harmless"]

# C0 but the line feed and the tab, DEL, C1, what turns the direction of writing, what ends a line
# or is not seen at all (blanks without width, the soft hyphen, tags), and bytes that are no
# UTF-8: to a terminal of eight bits some of them are C1.
_ACTING = later(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060\u2066-\u2069\ufeff"
    "\udc80-\udcff\U000e0000-\U000e007f]"
)


def harmless(text: str) -> str:
    r"""Write control characters as escapes, so that a terminal shows them and does not obey.

    >>> print(harmless("http://example.org/\x1b[2J"))
    http://example.org/\x1b[2J
    """
    return _ACTING.sub(_escape, text)


def _escape(match: re.Match[str]) -> str:
    """Return a character as an escape that a string of JSON may hold: C0 and bytes do not occur there."""
    code = ord(match.group())
    if code < 0x20 or 0xDC80 <= code <= 0xDCFF:
        return f"\\x{code & 0xFF:02x}"
    units = match.group().encode("utf-16-be")
    return "".join(f"\\u{units[at]:02x}{units[at + 1]:02x}" for at in range(0, len(units), 2))
