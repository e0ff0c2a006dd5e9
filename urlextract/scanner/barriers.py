"""Where a text can be cut in two, each read on its own, and nothing changes.

A blank line ends every URL: no bracket reaches over it, and nothing looks back beyond
it for one that opens. Only a page break may hold blank lines in the middle of a wrapper.
Where escapes, or a bare URL at the end of its line, have to be weighed by the text around
them, that text is not parted from them.
"""

from __future__ import annotations

from urlextract.grammar.patterns import later
from urlextract.linebreaks.pages import LONGEST_PAGE_BREAK
from urlextract.scanner.buffer import LINES_AFTER, LINES_BEFORE, QUOTED_AFTER, QUOTED_BEFORE
from urlextract.scanner.onward import ENDS_WITH_LINE
from urlextract.scanner.quoted_printable import ESCAPE

__all__ = ["MARGIN", "PAGE_MARGIN", "barrier"]

PAGE_MARGIN = 4 * LONGEST_PAGE_BREAK
"""Bytes before and after a page break in which a text is not cut: a wrapper may go on after it."""

MARGIN = max(PAGE_MARGIN, 6 * LINES_BEFORE)
"""Bytes before and after a place that `barrier` must see to tell whether the text can be cut there."""

# What comes after begins with no mark of an encoding, and is no page's header.
_BLANK_LINE = later(rb"\n\r?\n(?=[!-~])")
_FOOTER = later(rb"\[[Pp]age ")  # each page break has one

# What makes a URL ask for those
_QUOTED = later(ESCAPE.encode())
# What may be a URL that ends its line
_LAST_WORD = later(rb"[:.][^\s<>\"]{1,400}+(?<![,;:!)>'\]])(?=[\r\n])")
_BEFORE_BLANK = later(rb"(?>\r{0,4}+\n|\r(?!\n))[>| \t]*+(?:[\r\n]|\Z)")
_GLANCE = 8, 240  # bytes before and after its end that may show that it ends there
_OPENED = later(rb"[<\"](?:(?i:url):)?[A-Za-z0-9+.-]{0,40}\Z")
_CLOSED = later(rb"[^<>\"]{0,1000}+[>\"]")
_SAMPLE = 64  # bytes whose NULs tell another encoding


def barrier(data: bytes, start: int, end: int) -> int | None:
    r"""Give the first place of ``data[start:end]`` where a text can be cut, None without any.

    Places count bytes of an ASCII-compatible text, of which `MARGIN` bytes before ``start``
    and behind ``end`` are to be there, as far as the text has them.

    >>> barrier(b"<http://a.example/>\n\n<http://b.example/>", 0, 40)
    21
    >>> barrier(b"<http://a.example/\n\n[Page 9]\n\nRFC 1\n\nb>", 0, 40) is None
    True
    """
    beyond = start
    for match in _BLANK_LINE.finditer(data, start, end):
        at = match.end()
        if at < beyond:
            continue
        footer = _FOOTER.search(data, max(0, at - PAGE_MARGIN), at + PAGE_MARGIN)
        if footer:
            beyond = footer.start() + PAGE_MARGIN
        elif quoted := _QUOTED.search(data, max(0, at - QUOTED_AFTER), at + QUOTED_BEFORE + QUOTED_AFTER):
            beyond = quoted.start() + QUOTED_AFTER + 1
        elif asking := _asking(data, at):
            beyond = asking
        elif b"\0" not in data[at : at + _SAMPLE]:
            return at
    return None


def _asking(data: bytes, at: int) -> int | None:
    """Return where no URL asks any more for lines on the other side of ``at``, None if none does."""
    low, high = max(0, at - 2 * LINES_AFTER), at + LINES_BEFORE + LINES_AFTER
    width = 1 if data[low:high].isascii() else 4
    for match in _LAST_WORD.finditer(data, low, high):
        is_closed = _OPENED.search(data, max(0, match.start() - 48), match.start())
        if not (_ends_there(data, match.end()) or (is_closed and _CLOSED.match(data, match.end()))):
            return match.end() + 2 * width * LINES_AFTER
    return None


def _ends_there(data: bytes, end: int) -> bool:
    """Return whether a URL that ends its line at ``end`` goes on nowhere, as a glance shows."""
    if _BEFORE_BLANK.match(data, end):
        return True  # but where a page turns, which is looked for elsewhere
    before, after = _GLANCE
    word = data[max(0, end - before) : end].decode("utf-8", "replace")
    return (
        ENDS_WITH_LINE.match(word + data[end : end + after].decode("utf-8", "replace"), len(word)) is not None
    )
