"""What stands before a scheme: a bracket, a quote, ``URL:``, or plain text.

Looked at backwards from the scheme, within `CONTEXT` characters.
"""

from typing import NamedTuple

from urlextract.grammar.chars import BLANKS, LINE_END
from urlextract.grammar.patterns import later
from urlextract.linebreaks.prefixes import opening_prefix, skip_prefix
from urlextract.scanner.outcome import CONTEXT

__all__ = ["Opener", "find_opener", "line_prefix", "line_start", "url_label_start"]

_REACH = 120  # characters between "<" and what it opens: blanks, a line end, a prefix
_MARK = rf"(?P<mark>[^{BLANKS}\r\nA-Za-z0-9][^\r\nA-Za-z0-9]{{0,40}})"
_GAP = later(rf"[{BLANKS}]*+(?:(?P<end>{LINE_END})[{BLANKS}]*+{_MARK}?)?\Z")


class Opener(NamedTuple):
    """An opening bracket: its place, the quote prefix of its line, whether it is ``&lt;``."""

    start: int
    prefix: str
    escaped: bool = False


def line_start(text: str, at: int) -> int | None:
    r"""Give the start of the line on which ``at`` stands, None where that is `CONTEXT` characters away.

    >>> line_start("a\rbc", 3), line_start("-" * 2000, 1999)
    (2, None)
    """
    low = max(0, at - CONTEXT + 1)
    start = max(text.rfind("\n", low, at), text.rfind("\r", low, at)) + 1
    return start if start or not low else None


def line_prefix(text: str, at: int) -> str:
    """Give the quote prefix of the line on which ``at`` stands; one that begins far away has none."""
    start = line_start(text, at)
    return "" if start is None else opening_prefix(text[start:at])


def find_opener(text: str, at: int, floor: int) -> Opener | None:
    """Find the "<" that opens at ``at``, at ``floor`` or later.

    Nothing may stand between but blanks, a line end and the quote prefix.
    """
    low = max(floor, at - _REACH)
    start = text.rfind("<", low, at)
    if start >= 0:
        match = _GAP.match(text, start + 1, at)
        if match:
            prefix = line_prefix(text, start)
            if match.end("end") < 0 or skip_prefix(text, match.end("end"), prefix) == at:
                return Opener(start, prefix)
    start = text.rfind("&lt;", low, at)
    if start >= 0 and not text[start + 4 : at].strip(" "):
        return Opener(start, line_prefix(text, start), escaped=True)
    return None


def url_label_start(text: str, at: int) -> int | None:
    """Give the start of the ``URL:`` right before ``at``, None where none stands."""
    if at < 4 or text[at - 1] != ":" or text[at - 4 : at - 1].lower() != "url":
        return None
    before = text[at - 5] if at > 4 else " "
    return None if before.isascii() and before.isalnum() else at - 4
