"""Percent-encoding of URLs, and the level of encoding of their normal forms."""

from __future__ import annotations

import re
from functools import lru_cache

from urlextract.grammar.patterns import lazy_re

ACTED_ON = lazy_re(r"(?:%0[0aAdD]|[\x00\r\n])+")
"""Line ends and NUL, encoded or not."""


_BEYOND_ASCII = lazy_re(r"[^\x00-\x7f]+")
_AUTHORITY = lazy_re(r"[A-Za-z][A-Za-z0-9+.-]*://[^/?#]*")
_ESCAPES = lazy_re(r"((?:%[0-9A-Fa-f]{2})+)")
_STRAY = lazy_re(r"%[0-9A-Fa-f]?\Z")
# Unreserved characters: encoding does not change their meaning (RFC 1630, example 1; RFC 3986, section 2.3).
_UNRESERVED = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
# Characters that must be encoded in a URL: controls, blanks, delimiters of text, national characters.
_UNSAFE = lazy_re(r"[^!#-;=?-Z_a-z~\[\]]+")


def percent_encoded(url: str) -> str:
    """Return ``url`` with the non-ASCII characters of path, query and fragment percent-encoded as UTF-8.

    The authority stays unchanged, because hosts have another encoding.

    >>> percent_encoded("http://example.org/wiki/Größe")
    'http://example.org/wiki/Gr%C3%B6%C3%9Fe'
    """
    if url.isascii():
        return url
    match = _AUTHORITY.match(url)
    start = match.end() if match else 0
    return url[:start] + _BEYOND_ASCII.sub(escaped, url[start:])


def escaped(match: re.Match[str]) -> str:
    """Return the text of a match, percent-encoded as UTF-8."""
    return escapes_of(match.group())


def escapes_of(text: str) -> str:
    """Return the escapes of all characters of a text, as UTF-8.

    >>> escapes_of("aé")
    '%61%C3%A9'
    """
    return "".join(f"%{octet:02X}" for octet in _octets(text))


def _octets(text: str) -> bytes:
    """Return ``text`` as UTF-8; lone surrogates U+DC80 to U+DCFF become the bytes 0x80 to 0xFF."""
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:  # another lone surrogate, which stands for no byte
        return text.encode("utf-8", "replace")


def decoded_octets(text: str) -> bytes:
    """Return the octets of a percent-encoded component; everything but its escapes is kept as UTF-8.

    >>> decoded_octets("%2Fetc%zz")
    b'/etc%zz'
    """
    if "%" not in text:
        return _octets(text)
    return b"".join(
        bytes.fromhex(piece.replace("%", "")) if index % 2 else _octets(piece)
        for index, piece in enumerate(_ESCAPES.split(text))
    )


def decoded_text(text: str, encoding: str = "utf-8", errors: str = "replace") -> str:
    """Return the text of a percent-encoded component.

    >>> decoded_text("G%C3%B6del%2C%20Escher")
    'Gödel, Escher'
    """
    return decoded_octets(text).decode(encoding, errors)


def encoded_except(text: str, allowed: str) -> str:
    """Return ``text`` as UTF-8, with everything percent-encoded but the characters ``allowed``.

    ``allowed`` is the inside of a character set of a regular expression.

    >>> encoded_except("50% of a/b é", "a-z")
    '%35%30%25%20of%20a%2Fb%20%C3%A9'
    """
    return _all_but(allowed).sub(escaped, text)


@lru_cache(maxsize=8)
def _all_but(allowed: str) -> re.Pattern[str]:
    return re.compile(f"[^{allowed}]+")


def same_level(text: str) -> str:
    """Return ``text`` in a normal encoding with the same meaning: RFC 1630, section 2.

    Unreserved characters are decoded, and unsafe characters are encoded.

    >>> same_level("marie%2dclaude%2fé")
    'marie-claude%2F%C3%A9'
    """
    return _UNSAFE.sub(escaped, _ESCAPES.sub(_levelled, text))


def _levelled(match: re.Match[str]) -> str:
    octets = bytes.fromhex(match.group().replace("%", ""))
    levelled = [chr(octet) if octet in _UNRESERVED else f"%{octet:02X}" for octet in octets]
    if _STRAY.search(match.string, max(0, match.start() - 2), match.start()):
        levelled[0] = f"%{octets[0]:02X}"  # decoded, it would make an escape of the stray "%" before it
    return "".join(levelled)
