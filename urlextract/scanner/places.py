"""Where a URL may be: the offsets of colons and dots, in order.

Each of the two patterns begins with its character, so that `re` skips the text between two places
quickly, and looks back with fixed widths. The table of schemes determines which colons count.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from urlextract.grammar.backslashes import SOFT_END
from urlextract.grammar.marks import QUOTE_MARK
from urlextract.grammar.patterns import lazy_re
from urlextract.grammar.registry import NAMES_WITHOUT_SLASHES, by_length
from urlextract.scanner.buffer import Buffer

# Blanks, line ends and quote prefixes between a scheme and "//". Any character beyond ASCII matches,
# because Unicode has many blanks; a class with a range beyond ASCII takes milliseconds to compile.
_GAP = r"""[^!-~][^!"$&'()+,\-./0-9<=?@A-Z\[\\\]^_`a-z{}~]{0,80}+/"""


def _named() -> str:
    """Return look-behinds for a colon after ``url``, or after a scheme that counts without ``//``.

    The first ones test one or two characters, which rarely come before other colons of prose.
    """
    names = ("url", *NAMES_WITHOUT_SLASHES)
    ends: dict[str, set[str]] = {}
    for name in names:
        ends.setdefault(name[-1], set()).update((name[-2], name[-2].upper()))
    lasts = "".join(ends)
    pairs = "|".join(f"[{''.join(sorted(before))}][{last}{last.upper()}]" for last, before in ends.items())
    # A name is not the end of a word, but may follow an escape that ends in a letter.
    whole = "|".join(
        rf"(?<=(?i:{group}):)(?<![A-Za-z][a-z].{{{length}}}:)" for length, group in by_length(names)
    )
    return rf"(?<=[{lasts}{lasts.upper()}]:)(?<=(?:{pairs}):)(?:{whole})"


_NAMED_COLON = rf":(?:(?=//)|(?=\\/\\/)|(?=[^/:]){_named()}|(?={_GAP})|(?=/(?!/))|(?==(?={SOFT_END})))"
_COLON = lazy_re(_NAMED_COLON, re.DOTALL)
# For `examine`, and where every registered name counts
_ANY_COLON = rf":(?:(?<=[A-Za-z0-9+.-]:)|(?:(?<={QUOTE_MARK}:)|(?<=\s:))(?=//))"
_EVERY_COLON = lazy_re(_ANY_COLON)

# After "://" it is in the host of a URL, after a mark in the rest of a name.
DOT = lazy_re(r"\.(?<=[wWpP]\.)(?<=(?i:www|ftp)\.)(?<!://.{4})(?<!@.{4})", re.DOTALL)
"""The dot of a ``www.`` or ``ftp.`` that may begin a host."""

# Where hosts without a scheme, or mail addresses, count
_MARKS = (
    r"\.(?<![\s.]\.)(?:(?=\w|\Z)|(?<=(?i:www|ftp)\.))|@(?<!\s@)"
    r"|/(?<=(?i:localhost)/)|:(?<=(?i:localhost):)"
)
_MARK = lazy_re(rf"{_NAMED_COLON}|{_MARKS}", re.DOTALL)
_EVERY_MARK = lazy_re(rf"{_ANY_COLON}|{_MARKS}")

_HOST = 3  # characters of a host before its dot
_OPEN_END = lazy_re(rf":(?:{_GAP[:-1]}|\\/?\\?|=[ \t]{{0,2}}\r?)?\Z")
"""A colon at the end of a text that may match `_COLON` when more text follows."""
_LONGEST_OPEN_END = 82  # characters


def places(buffer: Buffer, start: int, *, reads_marks: bool) -> Iterator[int]:
    """Yield the offsets of the places of a text from ``start`` on; a dot counts where its host begins.

    With ``reads_marks``, those of hosts without a scheme, and of mail addresses, are among them.
    """
    is_any = buffer.limits.any_name or buffer.limits.explains
    if reads_marks:
        for match in (_EVERY_MARK if is_any else _MARK).finditer(buffer.text, start):
            yield match.start()
        return
    dots = (match.start() for match in DOT.finditer(buffer.text, start))
    end = buffer.size + _HOST
    dot = next(dots, end)
    for match in (_EVERY_COLON if is_any else _COLON).finditer(buffer.text, start):
        colon = match.start()
        while dot < colon + _HOST:
            yield dot
            dot = next(dots, end)
        yield colon
    while dot < end:
        yield dot
        dot = next(dots, end)


def certain_end(buffer: Buffer) -> int:
    """Return the end of the text in which no later text makes another place."""
    if buffer.is_whole or buffer.limits.any_name or buffer.limits.explains:
        return buffer.size
    match = _OPEN_END.search(buffer.text, max(0, buffer.size - _LONGEST_OPEN_END))
    return match.start() if match else buffer.size
