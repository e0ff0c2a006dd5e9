"""What is printed of a URL: unsafe characters encoded, the host in the letters asked for.

RFC 1738, section 2.2: what is unsafe must be encoded. What is reserved is never
decoded, and what is printed reads back as it is, or is refused with its place.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal

from urlextract.errors import FormatError
from urlextract.grammar.patterns import later
from urlextract.schemes.parsing import parse_url

if TYPE_CHECKING:
    from urlextract.schemes.value import Url

__all__ = ["HostLetters", "printable_url"]

HostLetters = Literal["ascii", "unicode"]
"""How a host in other scripts is printed: with A-labels, or with U-labels (RFC 5890)."""

# RFC 1738, section 2.2: unsafe; "%" where it begins no escape. What is beyond ASCII is encoded
# unless it is seen in print.
_UNSAFE = later(r"""[\x00-\x20\x7f<>"{}|\\^`]|%(?![0-9A-Fa-f]{2})|[^\x00-\x7f]""")
_SURROGATES = range(0xD800, 0xE000)
_STRAY = range(0xDC80, 0xDD00)  # a byte that was no UTF-8


def printable_url(url: str | Url, letters: HostLetters) -> str:
    r"""Give the text of ``url`` as it is printed.

    Raises `UrlSyntaxError` for a text that does not parse, `FormatError` for a character
    that can be neither printed nor encoded where it stands.

    >>> printable_url("http://bücher.example/a b|c", "ascii")
    'http://xn--bcher-kva.example/a%20b%7Cc'
    """
    value = parse_url(url) if isinstance(url, str) else url
    text = value.text
    host = value.host
    if not host:
        return _encoded(text, 0, len(text))
    start = value.host_start
    end = start + len(host)
    return _encoded(text, 0, start) + _host(value, host, letters) + _encoded(text, end, len(text))


def _host(value: Url, host: str, letters: HostLetters) -> str:
    """Give the host in the letters asked for."""
    start = value.host_start
    unsafe = next((match for match in _UNSAFE.finditer(host) if match.group() < "\x80"), None)
    if unsafe:
        place = (start + unsafe.start(), start + unsafe.end())
        raise FormatError(f"a host cannot hold {_name(unsafe.group())}", value.text, place)
    if letters == "unicode":
        host = value.host_unicode or host
    if letters == "unicode" or host.isascii():
        return host
    ascii_host = value.host_ascii
    if ascii_host is None:
        raise FormatError("a host that has no A-labels (IDNA 2008)", value.text, (start, start + len(host)))
    return ascii_host


def _encoded(text: str, start: int, end: int) -> str:
    """Encode what is unsafe in ``text[start:end]``."""

    def escape(match: re.Match[str]) -> str:
        char = match.group()
        if ord(char) in _SURROGATES and ord(char) not in _STRAY:
            at = start + match.start()
            raise FormatError(f"{_name(char)} is no character", text, (at, at + 1))
        if char > "\x7f" and char.isprintable():
            return char
        return "".join(f"%{byte:02X}" for byte in char.encode("utf-8", "surrogateescape"))

    return _UNSAFE.sub(escape, text[start:end])


def _name(char: str) -> str:
    from unicodedata import name  # noqa: PLC0415 - for errors only

    return f"U+{ord(char):04X} {name(char, '')}".rstrip() if not char.isprintable() else f'"{char}"'
