"""Character references of HTML, decoded; the frequent ones without the stdlib's table."""

from __future__ import annotations

import re
from bisect import bisect_right
from html import unescape
from html.entities import html5
from operator import itemgetter

from urlextract.grammar.patterns import lazy_re

# The stdlib converts all digits to a number, and Python refuses that if there are too many.
_ENDLESS = lazy_re(r"&#[xX]?[0-9a-fA-F]{12,}+;?")

_FREQUENT = (("&lt;", "<"), ("&gt;", ">"), ("&quot;", '"'), ("&nbsp;", "\xa0"))


def character_of(code: int) -> str:
    """Return the character with that number, U+FFFD for a number that no character has.

    >>> character_of(0x41), character_of(0xD800)
    ('A', '\ufffd')
    """
    is_character = 0 < code < 0x110000 and not 0xD800 <= code < 0xE000
    return chr(code) if is_character else "\N{REPLACEMENT CHARACTER}"


# HTML, "named character reference state": in an attribute, a reference without a semicolon does not
# count before "=", a letter or a digit: "?a=1&region=us" has no "&reg" in it.
_REFERENCE = lazy_re(r"&(?:#[0-9]{1,9};?|#[xX][0-9a-fA-F]{1,8};?|[A-Za-z][A-Za-z0-9]{1,31}+(?:;|(?!=)))")


def decode_attribute(value: str) -> str:
    """Decode the character references in the value of an attribute.

    >>> decode_attribute("?a=1&amp;b&region=us&copy;")
    '?a=1&b&region=us©'
    """
    ampersands = value.count("&")
    if ampersands == value.count("&amp;"):
        return value.replace("&amp;", "&") if ampersands else value
    return _REFERENCE.sub(_decoded, value)


class Decoded:
    """The decoded text of an attribute, and the offsets of its characters in the attribute.

    >>> decoded = Decoded("a&lt;b")
    >>> decoded.text, [decoded.place(at) for at in range(4)]
    ('a<b', [0, 1, 5, 6])
    """

    def __init__(self, value: str) -> None:
        pieces: list[str] = []
        self._marks = [(0, 0)]  # offsets in the text and in the attribute, of references and after them
        at = size = 0
        for reference in _REFERENCE.finditer(value):
            before, character = value[at : reference.start()], _decoded(reference)
            pieces += (before, character)
            size += len(before)
            at = reference.end()
            self._marks += ((size, reference.start()), (size + len(character), at))
            size += len(character)
        self.text = "".join((*pieces, value[at:]))

    def place(self, at: int) -> int:
        """Return the offset in the attribute of the offset ``at`` in the text."""
        start, place = self._marks[bisect_right(self._marks, at, key=itemgetter(0)) - 1]
        return place + at - start


def _decoded(match: re.Match[str]) -> str:
    reference = match.group()
    if reference.endswith(";") or reference.startswith("&#"):
        return decode_entities(reference)

    return html5.get(reference[1:], reference)


def decode_entities(text: str) -> str:
    """Decode the character references in ``text``.

    >>> decode_entities("&lt;a&amp;lt;&#62;&eacute;")
    '<a&lt;>é'
    """
    if "&" not in text:
        return text
    for name, character in _FREQUENT:
        text = text.replace(name, character)
    ampersands = text.count("&")
    if ampersands == text.count("&amp;"):
        return text.replace("&amp;", "&") if ampersands else text

    return unescape(_ENDLESS.sub("\ufffd", text) if "&#" in text else text)
