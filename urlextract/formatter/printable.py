"""The characters that a URL may be printed with, and checks that what is printed is read back."""

from __future__ import annotations

import re
from functools import partial
from unicodedata import name

from urlextract.errors import FormatError
from urlextract.grammar.escapes import escaped, escapes_of
from urlextract.grammar.patterns import lazy_re
from urlextract.pipeline.entry import examine
from urlextract.scanner.scan import scan
from urlextract.schemes.components import span_of
from urlextract.schemes.url import Url, parse_url

# What no link can have: blanks and control characters. Characters beyond ASCII are checked one by one.
_UNSEEN = lazy_re(r"[\x00-\x20\x7f]|[^\x00-\x7f]")
# What is not read back from running text: also what ends brackets.
_LOST = lazy_re(r"""[\x00-\x20\x7f<>"]|[^\x00-\x7f]""")
# RFC 1738, section 2.2: unsafe characters, and "%" that begins no escape. Characters beyond
# ASCII are encoded unless they are printable.
_UNSAFE = lazy_re(r"""[\x00-\x20\x7f<>"{}|\\^`]|%(?![0-9A-Fa-f]{2})|[^\x00-\x7f]""")
# Surrogates that stand for no byte: those from U+DC80 are bytes that were not UTF-8 (PEP 383).
_LONE = frozenset({*range(0xD800, 0xDC80), *range(0xDD00, 0xE000)})


def printable_url(url: str | Url, *, encode: bool = False, in_text: bool = True) -> str:
    r"""Return the text of ``url`` as it is printed; with ``encode``, unsafe characters are encoded.

    ``in_text`` is false where the language of the target marks the end of a link.

    Raises `UrlSyntaxError` for a text that does not parse, `FormatError` for a character
    that can be neither printed nor encoded at its place.

    >>> printable_url("http://bücher.example/b|c")
    'http://bücher.example/b|c'
    >>> printable_url("http://bücher.example/a b|c", encode=True)
    'http://bücher.example/a%20b%7Cc'
    """
    value = parse_url(url)
    text = value.text
    write = _encoded if encode else partial(_as_it_is, lost=_LOST if in_text else _UNSEEN)
    host = value.host
    if not host:
        return write(text, 0, len(text))
    start, end = span_of(value, "host")
    if encode or in_text:
        _check_host(value, host)
    return write(text, 0, start) + _as_it_is(text, start, end, _UNSEEN) + write(text, end, len(text))


def _check_host(value: Url, host: str) -> None:
    """Raise `FormatError` if the host has an unsafe character: in a host none can be encoded."""
    unsafe = next((match for match in _UNSAFE.finditer(host) if match.group() < "\x80"), None)
    if unsafe:
        start = span_of(value, "host")[0]
        place = (start + unsafe.start(), start + unsafe.end())
        raise FormatError(f"a host cannot hold {_name(unsafe.group())}", value.text, place)


def _as_it_is(text: str, start: int, end: int, lost: re.Pattern[str]) -> str:
    """Return ``text[start:end]``; raise `FormatError` if it has a character that is ``lost`` or invisible."""
    for match in lost.finditer(text, start, end):
        char = match.group()
        if char < "\x80" or not char.isprintable():
            escapes = "" if ord(char) in _LONE else f" as {escapes_of(char)}: --encode does so"
            reason = f"{_name(char)} is not read back unless it is encoded{escapes}"
            raise FormatError(reason, text, match.span())
    return text[start:end]


def _encoded(text: str, start: int, end: int) -> str:
    """Return ``text[start:end]`` with its unsafe characters encoded."""

    def escape(match: re.Match[str]) -> str:
        char = match.group()
        if ord(char) in _LONE:
            at = start + match.start()
            raise FormatError(f"{_name(char)} is no character", text, (at, at + 1))
        if char > "\x7f" and char.isprintable():
            return char
        return escapes_of(char)

    return _UNSAFE.sub(escape, text[start:end])


# RFC 1738, section 5: characters that mean the same if they are encoded (of "extra", and the full stop)
_END = lazy_re(r"[.!*'(),]+\Z")


def encoded_end(url: str) -> str:
    """Return ``url`` with the punctuation at its end encoded, if a reader does not count it to a bare URL.

    >>> encoded_end("http://a.example/b),"), encoded_end("http://a.example/(b)")
    ('http://a.example/b%29%2C', 'http://a.example/(b)')
    """
    if url.endswith((".", "!", "*", "'", "(", ")", ",")) and _read(url) != [url]:
        return _END.sub(escaped, url)
    return url


def _name(char: str) -> str:
    return f"U+{ord(char):04X} {name(char, '')}".rstrip() if not char.isprintable() else f'"{char}"'


_LONGEST = 65_000  # characters of a URL that a reader accepts


def check_reading(url: str, opening: str) -> None:
    """Raise `FormatError` if a reader does not read ``url`` back when it is not broken.

    ``opening`` is the opening bracket before it, or "". The error names the wrapper that would do.
    """
    if len(url) > _LONGEST:
        raise FormatError(f"longer than {_LONGEST:,} characters", url, (_LONGEST, len(url)))
    text = f"{opening}{url}{'>' if opening else ''}"
    found = _read(text)
    if found == [url]:
        return
    hint = ": print it in <URL:...>" if opening != "<URL:" and _read(f"<URL:{url}>") == [url] else ""
    if opening:
        raise FormatError(_reason(text) + hint, url, (0, len(url)))
    end = next((len(one) for one in found if url.startswith(one)), 0)
    if not end:
        raise FormatError(f"without brackets, a reader finds no URL{hint}", url, (0, len(url)))
    reason = f'without brackets, a reader ends the URL before "{url[end]}"{hint}'
    raise FormatError(reason, url, (end, end + 1))


def check_layout(printed: str, url: str) -> None:
    """Raise `FormatError` if the lines ``printed``, prefixes included, are not read back as ``url``.

    A reader may not recognize the prefix, or may not join so many lines without an indent.
    """
    if _read(printed) != [url]:
        raise FormatError("not read back from lines with such a prefix or indent", url, (0, len(url)))


def _read(text: str) -> list[str]:
    return [match.url for match in scan(text)]


def _reason(text: str) -> str:
    """Return the reason why ``text`` is not read back."""
    reasons = [getattr(result, "reason", "") for result in examine(text)]
    return f"not read back: {next(filter(None, reasons), 'it reads as another URL')}"
