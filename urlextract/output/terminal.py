"""What may be written to a terminal: no byte of a message acts on it."""

from __future__ import annotations

import re

__all__ = ["cells", "harmless"]

# C0 but the line feed and the tab, DEL, C1, and what turns the direction of writing.
_ACTING = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")


def harmless(text: str) -> str:
    r"""Write control characters as escapes, so that a terminal shows them and does not obey.

    >>> print(harmless("http://example.org/\x1b[2J"))
    http://example.org/\x1b[2J
    """
    return _ACTING.sub(lambda match: ascii(match.group())[1:-1], text)


def cells(char: str) -> int:
    """Give the cells of a terminal that a character takes: UAX #11.

    >>> cells("a"), cells("日"), cells("\u0301")
    (1, 2, 0)
    """
    if char.isascii():
        return 1
    from unicodedata import combining, east_asian_width  # noqa: PLC0415 - ASCII pays for no tables

    return 0 if combining(char) else 2 if east_asian_width(char) in "WF" else 1
