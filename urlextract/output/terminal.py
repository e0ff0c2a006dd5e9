"""What may be written to a terminal: no byte of a message acts on it."""

from __future__ import annotations

import re

from urlextract.grammar.patterns import later

__all__ = ["harmless"]

# C0 but the line feed and the tab, DEL, C1, what turns the direction of writing, and bytes that
# are no UTF-8: to a terminal of eight bits some of them are C1.
_ACTING = later("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\udc80-\udcff]")


def harmless(text: str) -> str:
    r"""Write control characters as escapes, so that a terminal shows them and does not obey.

    >>> print(harmless("http://example.org/\x1b[2J"))
    http://example.org/\x1b[2J
    """
    return _ACTING.sub(_escape, text)


def _escape(match: re.Match[str]) -> str:
    """Write a character so that it may stand in a string of JSON, where none of C0 stands, nor a byte."""
    code = ord(match.group())
    if code < 0x20 or code >= 0xDC80:
        return f"\\x{code & 0xFF:02x}"
    return f"\\u{code:04x}"
