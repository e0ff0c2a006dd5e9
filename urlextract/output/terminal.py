"""What may be written to a terminal: no byte of a message acts on it."""

from __future__ import annotations

import re

__all__ = ["harmless"]

# C0 but the line feed and the tab, DEL, C1, and what turns the direction of writing.
_ACTING = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")


def harmless(text: str) -> str:
    r"""Write control characters as escapes, so that a terminal shows them and does not obey.

    >>> print(harmless("http://example.org/\x1b[2J"))
    http://example.org/\x1b[2J
    """
    return _ACTING.sub(lambda match: ascii(match.group())[1:-1], text)
