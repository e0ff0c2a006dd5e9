"""What a line end, a blank and the end of a URL are.

Patterns are source texts, to be put into larger ones. Those that meet plain
text are for the stdlib's ``re``; those with Unicode properties are for
``regex``, and meet only the few dozen characters of a hit.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any

__all__ = [
    "BLANKS",
    "ENTITY",
    "LINE_END",
    "OPENERS",
    "STRAY_BYTES",
    "TRIMMED",
    "bare_end",
    "squeeze",
]

LINE_END = r"(?:\r{0,4}+\n|\r)"
"""One line end: LF, CRLF, the CR CR LF of a twice converted file, a lone CR."""

BLANKS = " \t\v\f\xa0\u1680\u2000-\u200b\u202f\u205f\u3000\ufeff"
"""Blanks that may stand inside a wrapper and go, as the inside of a class."""

TRIMMED = ".,;:!?'([{"
"""What ends a sentence, or opens the next bracket: never the end of a bare URL."""

OPENERS = {")": "(", "]": "[", "}": "{"}

ENTITY = r"&(?:lt|gt|quot|nbsp);"
"""Escaped markup behind a URL: a bare one ends before it."""

# Bytes that are no UTF-8 stand in decoded text as lone surrogates U+DC80 to
# U+DCFF. Mail that never named its charset is mostly Windows-1252.
STRAY_BYTES = {0xDC00 + byte: bytes([byte]).decode("cp1252", "replace") for byte in range(0x80, 0x100)}

_WHITESPACE = re.compile(rf"[\s{BLANKS}]+")


def squeeze(text: str) -> str:
    r"""Take all whitespace out of ``text``.

    >>> squeeze("ftp://ds.in\n  ternic.net/")
    'ftp://ds.internic.net/'
    """
    return _WHITESPACE.sub("", text)


@cache
def bare_end() -> Any:
    r"""Give the pattern of what ends a bare URL although ASCII has no say in it.

    Blanks and controls of all scripts (but the joiners that words are spelt
    with), typographic quotes, wide punctuation and full-width symbols. Made on
    first use: most text never meets it.

    >>> bare_end().search("http://example.jp/日本語。次").start()
    21
    """
    import regex  # noqa: PLC0415 - 20 ms that ASCII text does not pay

    return regex.compile(
        r"[\s\p{Cc}\p{Cs}\p{Co}“”‘’„‚«»‹›⟨⟩\ufffc\ufffd]"
        r"|[\p{Cf}--[\u200c\u200d]]"
        r"|[\p{P}&&[\p{EA=W}\p{EA=F}\p{EA=H}]]"
        r"|[\p{S}&&[\p{EA=F}\p{EA=H}]]",
        regex.V1,
    )
