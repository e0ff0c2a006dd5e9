r"""Text of JSON whose slashes are escaped, as PHP and others write it: "http:\/\/a.example\/".

RFC 8259, section 7: any character may be written as ``\u`` and four hexadecimal
digits, and "/" as ``\/``. Of those, what a URL may hold is read. A writer who escapes
one slash escapes all, so a plain one ends such a URL: in "s/http:\/\/a.example\/x/y/"
it is the program's, not the URL's.
"""

import re
from functools import cache

__all__ = ["SLASHES", "escaped_end", "plain_text", "written_length"]

SLASHES = r"\/\/"
"""What stands behind the colon of such a URL."""

_OTHERS = ("", '"', "n", "r", "t", "u")
"""What stands behind the backslash in JSON's escapes of what no URL holds."""


@cache
def _run() -> re.Pattern[str]:
    """Give the pattern of characters of a URL, escaped or not; few texts need it."""
    return re.compile(r'(?:[^\x00-\x20<>"`\x7f\\/]++|\\/|\\u00[2-7][0-9A-Fa-f])*+')


@cache
def _escape() -> re.Pattern[str]:
    return re.compile(r"\\(?:/|u00([2-7][0-9A-Fa-f]))")


def escaped_end(text: str, start: int, end: int) -> int | None:
    r"""Give where the escaped run at ``start`` ends, at ``end`` at the latest.

    None where an escape ends it that JSON has not: patterns escape slashes, too.

    >>> escaped_end(r'\/\/a.example\/b"', 0, 99), escaped_end(r"\/\/a\.example", 0, 99)
    (16, None)
    """
    match = _run().match(text, start, end)
    stop = match.end() if match else start
    is_foreign = text[stop : stop + 1] == "\\" and text[stop + 1 : stop + 2] not in _OTHERS
    return None if is_foreign else stop


def plain_text(written: str) -> str:
    r"""Undo the escapes.

    >>> plain_text(r"http:\/\/a.example\/?b=1\u0026c=2")
    'http://a.example/?b=1&c=2'
    """
    return _escape().sub(lambda match: chr(int(match[1], 16)) if match[1] else "/", written)


def written_length(written: str, count: int) -> int:
    r"""Give how many characters the first ``count`` of the plain text take as they are written.

    >>> written_length(r"\/\/a", 2)
    4
    """
    longer = 0
    for match in _escape().finditer(written):
        if match.start() - longer >= count:
            break
        longer += match.end() - match.start() - 1
    return count + longer
