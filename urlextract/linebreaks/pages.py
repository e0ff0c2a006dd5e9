"""Page breaks of RFCs and drafts, met in the middle of a wrapper.

Blank lines, a footer with "[Page 90]", a form feed, a header line, blank lines:
taken out before any rule about blank lines looks at the text.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from urlextract.grammar.chars import LINE_END
from urlextract.grammar.patterns import later

__all__ = ["LONGEST_PAGE_BREAK", "NO_PAGE_BREAK", "is_page_break_open", "page_break_end"]

LONGEST_PAGE_BREAK = 1_000
"""Characters that must be seen before a line is certainly no page break."""

_EMPTY = rf"(?:[ \t]{{0,80}}+{LINE_END})"
# No footer holds brackets of ours: so a closer on the line settles the question.
_FOOTER = rf"[^\r\n\f<>]{{0,90}}\[[Pp]age[ ][0-9ivxlc]{{1,5}}\][ \t]{{0,9}}{LINE_END}"
_HEADER = rf"[ \t]{{0,9}}[^\s<>][^\r\n\f<>]{{0,90}}{LINE_END}"
NO_PAGE_BREAK = later(r"[^\r\n<>\[]*+[<>]|[^\r\n<>\[]{100}")
"""Text at the start of a line that tells at once that no page break begins there."""

_FIRST_LINE = later(r"\s*+[^\r\n]++[\r\n]")  # that is not blank: the footer, if there is one


@cache
def _page_break() -> Any:
    import regex  # noqa: PLC0415 - few texts have pages; its partial matches tell "not yet" from "no"

    return regex.compile(
        rf"{_EMPTY}{{0,12}}+{_FOOTER}{_EMPTY}{{0,12}}+"
        rf"(?:\f{_EMPTY}{{0,6}}+{_HEADER}|(?=RFC|INTERNET|Internet|draft-){_HEADER})"
        rf"{_EMPTY}{{1,9}}+"
    )


def _has_footer(text: str, start: int) -> bool | None:
    """Say whether the first line that is not blank may be a footer, None before all of it is there."""
    match = _FIRST_LINE.match(text, start, start + LONGEST_PAGE_BREAK)
    return match and "[page " in match.group().lower()


def page_break_end(text: str, start: int) -> int | None:
    """Give the end of the page break that begins at the line start ``start``, if one does.

    The line behind it begins there. At most `LONGEST_PAGE_BREAK` characters are looked at.
    """
    if NO_PAGE_BREAK.match(text, start) or not _has_footer(text, start):
        return None
    match = _page_break().match(text, start, start + LONGEST_PAGE_BREAK)
    return match.end() if match else None


def is_page_break_open(text: str, start: int) -> bool:
    """Say whether more text could make, or lengthen, a page break at ``start``."""
    if NO_PAGE_BREAK.match(text, start) or len(text) - start >= LONGEST_PAGE_BREAK:
        return False
    has_footer = _has_footer(text, start)
    if not has_footer:  # None: the line is not all there, and what it says is still open
        return has_footer is None
    match = _page_break().match(text, start, partial=True)
    return match is not None and (match.partial or match.end() == len(text))
