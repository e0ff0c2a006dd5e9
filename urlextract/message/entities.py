"""Character references of HTML, decoded, and the places of what they stand for."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from html import unescape
from html.entities import html5
from operator import itemgetter

from urlextract.grammar.patterns import lazy_re
from urlextract.records import Span

# Most texts have no other ones, and the stdlib calls a function for each.
_FREQUENT = (("&lt;", "<"), ("&gt;", ">"), ("&quot;", '"'), ("&nbsp;", "\xa0"))
# The stdlib converts all digits to a number, and Python refuses that if there are too many.
_ENDLESS = lazy_re(r"&#[xX]?[0-9a-fA-F]{12,}+;?")
# HTML, "named character reference state": in an attribute, a reference without a semicolon does not
# count before "=", a letter or a digit: "?a=1&region=us" has no "&reg" in it.
_IN_VALUE = lazy_re(r"&(?:#[0-9]{1,9};?|#[xX][0-9a-fA-F]{1,8};?|[A-Za-z][A-Za-z0-9]{1,31}+(?:;|(?!=)))")
# Soft hyphens are not seen, nor are zero-width characters in ASCII words.
_INVISIBLE = lazy_re("[\u00ad\u200b\u2060\ufeff]")
_IN_WORD = lazy_re(r"(?<=[!-~])&#?\w++;?(?=[!-~])")
_IN_TEXT = lazy_re(
    r"&(?:#[0-9]++;?|#[xX][0-9a-fA-F]++;?|[A-Za-z][A-Za-z0-9]{1,31}+;?)"
    "|\u00ad|(?<=[!-~])[\u200b\u2060\ufeff]{1,9}+(?=[!-~])"
)

REFERENCE = lazy_re(r"&(?:#[0-9]{1,7}|#[xX][0-9A-Fa-f]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
"""A character reference of markup, with its semicolon."""


def character_of(code: int) -> str:
    """Return the character with that number, U+FFFD for a number that no character has.

    >>> character_of(0x41), character_of(0xD800)
    ('A', '\ufffd')
    """
    is_character = 0 < code < 0x110000 and not 0xD800 <= code < 0xE000
    return chr(code) if is_character else "\N{REPLACEMENT CHARACTER}"


def decode_attribute(value: str) -> str:
    """Decode the character references in the value of an attribute.

    >>> decode_attribute("?a=1&amp;b&region=us&copy;")
    '?a=1&b&region=us©'
    """
    ampersands = value.count("&")
    if ampersands == value.count("&amp;"):
        return value.replace("&amp;", "&") if ampersands else value
    return _IN_VALUE.sub(_in_value, value)


def _in_value(match: re.Match[str]) -> str:
    reference = match[0]
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
    if text.count("&") == text.count("&amp;"):
        return text.replace("&amp;", "&")
    return unescape(_ENDLESS.sub("\ufffd", text) if "&#" in text else text)


def seen(raw: str) -> str:
    r"""Return a text between tags as it is seen: decoded, without soft hyphens and the like.

    >>> seen("http://a.example/long/pa&shy;th &lt;x&gt;")
    'http://a.example/long/path <x>'
    """
    text = decode_entities(raw)
    return text if text.isascii() or not _INVISIBLE.search(text) else Decoded(raw).text


class Decoded:
    """The text of ``raw`` as it is seen, or of the value of an attribute, and where it stands in ``raw``.

    >>> decoded = Decoded("a&lt;b")
    >>> decoded.text, [span.of("a&lt;b") for span in decoded.spans(0, 3)]
    ('a<b', ['a', '&lt;', 'b'])
    """

    def __init__(self, raw: str, *, is_value: bool = False) -> None:
        pattern, decode = (_IN_VALUE, _in_value) if is_value else (_IN_TEXT, _in_text)
        pieces: list[str] = []
        self._marks = [(0, 0)]  # offsets in the text and in raw: of references and after them, in turn
        at = size = 0
        for match in pattern.finditer(raw):
            shown, (start, end) = decode(match), match.span()
            if shown == match[0]:
                continue
            if shown[1:] and match[0].endswith(shown[1:]):  # a reference without ";", and what follows it
                shown, end = shown[0], end - len(shown) + 1
            pieces += (raw[at:start], shown)
            size += start - at
            self._marks += ((size, start), (size + len(shown), end))
            size, at = size + len(shown), end
        self.text = "".join((*pieces, raw[at:]))
        self._marks.append((len(self.text), len(raw)))

    def spans(self, low: int, high: int) -> Iterator[Span]:
        """Yield the spans in ``raw`` of ``text[low:high]``, one for each reference and between them."""
        for number in range(bisect_right(self._marks, low, key=itemgetter(0)) - 1, len(self._marks) - 1):
            (start, place), (end, after) = self._marks[number : number + 2]
            if start >= high:
                return
            first, last = max(low, start), min(high, end)
            if first < last:
                yield Span(place, after) if number % 2 else Span(first, last).moved(place - start)

    def offset(self, place: int) -> int:
        """Return the offset in the text of what stands in ``raw`` at ``place``."""
        number = bisect_right(self._marks, place, key=itemgetter(1)) - 1
        start, mark = self._marks[number]
        return start if number % 2 else start + place - mark


def _in_text(match: re.Match[str]) -> str:
    shown = decode_entities(match[0]) if match[0][0] == "&" else ""
    is_unseen = shown == "\u00ad" or (
        _INVISIBLE.fullmatch(shown) and _IN_WORD.match(match.string, match.start())
    )
    return "" if is_unseen else shown
