"""The signs of comments that a paragraph's lines may all begin with."""

from __future__ import annotations

from urlextract.grammar.patterns import later

__all__ = ["comment_sign"]

# A star is none of them: it begins the items of a list.
_COMMENT = later(r"[ ]{0,3}(?:#+|//+|;+|%+|!|dnl|REM|--)[ ]+(?=\S)")


def comment_sign(body: str) -> str:
    """Give the sign that a line begins with, and the blanks round it; "" without one.

    >>> comment_sign("# see"), comment_sign("#define")
    ('# ', '')
    """
    match = _COMMENT.match(body)
    return match.group() if match else ""
