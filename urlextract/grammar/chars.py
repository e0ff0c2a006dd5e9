"""What a line end, a blank and the end of a URL are.

Patterns are source texts, to be put into larger ones. Those that meet plain
text are for the stdlib's ``re``; those with Unicode properties are for
``regex``, and meet only the few dozen characters of a hit.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any
from unicodedata import category

__all__ = [
    "BLANKS",
    "ENTITY",
    "LINE_END",
    "OPENERS",
    "STRAY_BYTES",
    "TRIMMED",
    "bare_end",
    "squeeze",
    "without_end_marks",
]

LINE_END = r"(?:\r{0,4}+\n|\r)"
"""One line end: LF, CRLF, the CR CR LF of a twice converted file, a lone CR."""

BLANKS = " \t\v\f\xa0\u1680\u2000-\u200b\u202f\u205f\u3000\ufeff"
"""Blanks that may stand inside a wrapper and go, as the inside of a class."""

TRIMMED = ".,;:!?'([{"
"""What ends a sentence, or opens the next bracket: never the end of a bare URL."""

OPENERS = {")": "(", "]": "[", "}": "{"}

ENTITY = r"&(?:amp;)?(?:lt|gt|quot|nbsp|#0{0,2}(?:60|62|34|160)|#[xX]0{0,2}(?:3[cCeE]|22|[aA]0));"
"""Escaped markup behind a URL: a bare one ends before it."""

# Bytes that are no UTF-8 stand in decoded text as lone surrogates U+DC80 to
# U+DCFF. Mail that never named its charset is mostly Windows-1252.
STRAY_BYTES = {0xDC00 + byte: bytes([byte]).decode("cp1252", "replace") for byte in range(0x80, 0x100)}


def without_end_marks(run: str, marks: str = TRIMMED) -> str:
    """Take the punctuation of all scripts from the end of ``run``, ``marks`` of ASCII.

    >>> without_end_marks("http://a.example/x).", TRIMMED + ")"), without_end_marks("http://a.example/é؟")
    ('http://a.example/x', 'http://a.example/é')
    """
    end = len(run)
    while end and (run[end - 1] in marks or _is_mark_beyond_ascii(run[end - 1])):
        end -= 1
    return run[:end]


def _is_mark_beyond_ascii(char: str) -> bool:
    return char > "\x7f" and category(char).startswith("P")


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
    with), typographic quotes, ellipsis, em dash and bullet, wide punctuation and
    full-width symbols. Made on first use: most text never meets it.

    >>> bare_end().search("http://example.jp/日本語。次").start()
    21
    """
    import regex  # noqa: PLC0415 - 20 ms that ASCII text does not pay

    return regex.compile(
        r"[\s\p{Cc}\p{Cs}\p{Co}“”‘’„‚«»‹›⟨⟩…—•\ufffc\ufffd]"
        r"|[\p{Cf}--[\u200c\u200d]]"
        r"|[\p{P}&&[\p{EA=W}\p{EA=F}\p{EA=H}]]"
        r"|[\p{S}&&[\p{EA=F}\p{EA=H}]]",
        regex.V1,
    )
