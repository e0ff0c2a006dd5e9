"""Where a text can be cut in two, each read on its own, and nothing changes.

A blank line ends every URL: no bracket reaches over it, and nothing looks back beyond
it for one that opens. Only a page break may hold blank lines in the middle of a wrapper.
"""

from __future__ import annotations

from urlextract.grammar.patterns import later
from urlextract.linebreaks.pages import LONGEST_PAGE_BREAK

__all__ = ["MARGIN", "QUOTED_AFTER", "QUOTED_BEFORE", "barrier"]

MARGIN = 4 * LONGEST_PAGE_BREAK
"""Bytes on both sides of a place that must be seen: a page break in UTF-8."""

# What stands behind begins with no mark of an encoding, and is no page's header.
_BLANK_LINE = later(rb"\n\r?\n(?=[!-~])")
_FOOTER = later(rb"\[[Pp]age ")  # each page break has one
QUOTED_BEFORE, QUOTED_AFTER = 600, 1_000
"""Characters before and behind the beginning of a URL that say whether it is quoted-printable."""

# What makes a URL ask for those
_QUOTED = later(rb"=(?:3D|[ \t]{0,2}\r?\n)")
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
        footer = _FOOTER.search(data, max(0, at - MARGIN), at + MARGIN)
        if footer:
            beyond = footer.start() + MARGIN
        elif quoted := _QUOTED.search(data, max(0, at - QUOTED_AFTER), at + QUOTED_BEFORE + QUOTED_AFTER):
            beyond = quoted.start() + QUOTED_AFTER + 1
        elif b"\0" not in data[at : at + _SAMPLE]:
            return at
    return None
