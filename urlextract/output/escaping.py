"""Escape what a terminal or a page would obey, and what nobody sees, in the text of strangers."""

from __future__ import annotations

import re
from typing import Any

from urlextract.grammar.patterns import lazy_re

# C0 except line feed and tab, DEL, C1, characters that change the direction of writing, end a line
# or are invisible (zero-width spaces, the soft hyphen, tags), and bytes that are not UTF-8: to an
# 8-bit terminal some of these are C1.
_ACTING = lazy_re(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff"
    "\udc80-\udcff\U000e0000-\U000e007f]"
)

_BLANK = lazy_re("[\u034f\u115f\u1160\u2800\u3164\uffa0\ufff9-\ufffb]")  # seen as blanks, or not at all
# More marks on one letter than any language has: they would cover the lines above.
_MARK_ON = "[\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]"
_COMBINING = lazy_re(f"({_MARK_ON}{{3}}){_MARK_ON}+")
_UNSEEN_LETTERS = "\u115f\u1160\u3164\uffa0"  # fillers of Hangul, which are letters


def harmless(text: str) -> str:
    r"""Return ``text`` with control characters as escapes, which a terminal shows but does not obey.

    >>> print(harmless("http://example.org/\x1b[2J"))
    http://example.org/\x1b[2J
    """
    return _ACTING.sub(_escape, text)


def _escape(match: re.Match[str]) -> str:
    """Return a character as an escape, valid in JSON except for C0 and bytes, which do not occur there."""
    code = ord(match.group())
    if code < 0x20 or 0xDC80 <= code <= 0xDCFF:
        return f"\\x{code & 0xFF:02x}"
    units = match.group().encode("utf-16-be")
    return "".join(f"\\u{units[at]:02x}{units[at + 1]:02x}" for at in range(0, len(units), 2))


def plain(text: str) -> str:
    r"""Return a text of a stranger on one line, with control characters as escapes.

    >>> plain("log\n in\t\x1b[2J")
    'log in \\x1b[2J'
    """
    line = _BLANK.sub(" ", " ".join(text.split()))
    return harmless(line if line.isascii() else _COMBINING.sub(r"\1", line))


def encoded(url: str) -> str:
    r"""Return a URL with all characters encoded that are neither visible ASCII nor letters or digits.

    So it is one word, without control characters and characters that a reader does not see.

    >>> encoded("http://a.example/b c\x1b\u202eé")
    'http://a.example/b%20c%1B%E2%80%AEé'
    """
    if url.isascii() and url.isprintable() and " " not in url:
        return url
    return "".join(map(_encoded, url))


def _encoded(char: str) -> str:

    is_kept = "!" <= char <= "~" if char.isascii() else char.isalnum() and char not in _UNSEEN_LETTERS
    if is_kept:
        return char
    from urllib.parse import quote  # hardly any URL needs it

    return quote(char, safe="", errors="surrogatepass")


_SURROGATE = lazy_re("[\ud800-\udfff]")


def valid_text(text: str) -> str:
    r"""Return a text in valid Unicode: with replacement characters for surrogates, which are none.

    >>> valid_text("a\udce9")
    'a�'
    """
    return _SURROGATE.sub("\N{REPLACEMENT CHARACTER}", text)


def valid_value(value: Any) -> Any:
    """Return a value of a record with all its texts in valid Unicode."""
    if isinstance(value, str):
        return value if value.isascii() else valid_text(value)
    if isinstance(value, list | tuple):
        return [valid_value(each) for each in value]
    return {key: valid_value(each) for key, each in value.items()} if isinstance(value, dict) else value
