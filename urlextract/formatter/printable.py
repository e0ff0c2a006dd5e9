"""What is printed reads back: characters that a URL may be printed with, and the proof."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal
from unicodedata import name

from urlextract.errors import FormatError
from urlextract.grammar.patterns import lazy_re
from urlextract.linebreaks import rejoin
from urlextract.message.running_text import unflow
from urlextract.pipeline.entry import examine, extract_message
from urlextract.scanner import Scanner
from urlextract.schemes.parsing import parse_url

if TYPE_CHECKING:
    from urlextract.schemes.value import Url

__all__ = ["LONGEST", "HostLetters", "check_layout", "check_printed", "check_reading", "printable_url"]

HostLetters = Literal["keep", "ascii", "unicode"]
"""How a host in other scripts is printed: as it is, with A-labels, or with U-labels (RFC 5890)."""

# What no reader gives back from any brackets: blanks, controls, what ends the brackets.
_LOST = lazy_re(r"""[\x00-\x20\x7f<>"]|[^\x00-\x7f]""")
# RFC 1738, section 2.2: unsafe; "%" where it begins no escape. What is beyond ASCII is encoded
# unless it is seen in print.
_UNSAFE = lazy_re(r"""[\x00-\x20\x7f<>"{}|\\^`]|%(?![0-9A-Fa-f]{2})|[^\x00-\x7f]""")
_SURROGATES = range(0xD800, 0xE000)
_STRAY = range(0xDC80, 0xDD00)  # a byte that was no UTF-8


def printable_url(url: str | Url, letters: HostLetters = "keep", *, encode: bool = False) -> str:
    r"""Return the text of ``url`` as it is printed; with ``encode``, unsafe characters are encoded.

    Raises `UrlSyntaxError` for a text that does not parse, `FormatError` for a character
    that can be neither printed nor encoded where it stands.

    >>> printable_url("http://bücher.example/b|c")
    'http://bücher.example/b|c'
    >>> printable_url("http://bücher.example/a b|c", "ascii", encode=True)
    'http://xn--bcher-kva.example/a%20b%7Cc'
    """
    value = parse_url(url) if isinstance(url, str) else url
    text = value.text
    write = _encoded if encode else _as_it_is
    host = value.host
    if not host:
        return write(text, 0, len(text))
    start = value.host_start
    end = start + len(host)
    return write(text, 0, start) + _host(value, host, letters) + write(text, end, len(text))


def _host(value: Url, host: str, letters: HostLetters) -> str:
    """Return the host in the letters asked for."""
    start = value.host_start
    unsafe = next((match for match in _UNSAFE.finditer(host) if match.group() < "\x80"), None)
    if unsafe:
        place = (start + unsafe.start(), start + unsafe.end())
        raise FormatError(f"a host cannot hold {_name(unsafe.group())}", value.text, place)
    if letters == "keep":
        return _as_it_is(value.text, start, start + len(host))
    if letters == "unicode":
        host = value.host_unicode or host
    if letters == "unicode" or host.isascii():
        return host
    ascii_host = value.host_ascii
    if ascii_host is None:
        raise FormatError("a host that has no A-labels (IDNA 2008)", value.text, (start, start + len(host)))
    return ascii_host


def _as_it_is(text: str, start: int, end: int) -> str:
    """Return ``text[start:end]``, if each of its characters is read back."""
    for match in _LOST.finditer(text, start, end):
        if match.group() < "\x80" or not match.group().isprintable():
            reason = f"{_name(match.group())} is not read back unless it is encoded"
            raise FormatError(reason, text, match.span())
    return text[start:end]


def _encoded(text: str, start: int, end: int) -> str:
    """Return ``text[start:end]`` with what is unsafe in it encoded."""

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
    return f"U+{ord(char):04X} {name(char, '')}".rstrip() if not char.isprintable() else f'"{char}"'


LONGEST = 65_000
"""Characters of a URL that a reader takes."""

_READ_AS = {
    "mail": b"Content-Type: text/plain; charset=utf-8\n\n",
    "flowed": b"Content-Type: text/plain; charset=utf-8; format=flowed; delsp=yes\n\n",
    "html": b"Content-Type: text/html; charset=utf-8\n\n",
}
"""The targets that the reader itself reads, as parts of a message; "plain" and "rst" read as "mail"."""


def check_reading(url: str, opening: str) -> None:
    """Raise `FormatError` if a reader would not give ``url`` back from its unbroken form.

    ``opening`` is the bracket that it stands in, "" for none.
    """
    if len(url) > LONGEST:
        raise FormatError(f"longer than {LONGEST:,} characters", url, (LONGEST, len(url)))
    text = f"{opening}{url}{'>' if opening else ''}"
    found = _read(text, len(url) + 1)
    if found == [url]:
        return
    if opening:
        raise FormatError(_reason(text), url, (0, len(url)))
    end = next((len(one) for one in found if url.startswith(one)), 0)
    if not end:
        raise FormatError("without a wrapper, a reader finds no URL", url, (0, len(url)))
    raise FormatError(f'without a wrapper, a reader ends the URL before "{url[end]}"', url, (end, end + 1))


def check_layout(printed: str, url: str, opening: str, *, is_flowed: bool) -> None:
    """Raise `FormatError` if the lines ``printed``, prefixes and all, do not read back as ``url``.

    A prefix may be none that a reader knows, or the lines more than it joins without an indent.
    """
    text = unflow(printed, delsp=True) if is_flowed else printed
    if _read(text, 1_000) != [url]:
        check_reading(url, opening)  # which may know a reason that has to do with no line
        raise FormatError("not read back from lines with such a prefix or indent", url, (0, len(url)))


def _read(text: str, max_chars: int) -> list[str]:
    scanner = Scanner(max_chars=max_chars)
    return [rejoin(candidate).url for candidate in (*scanner.feed(text), *scanner.close())]


def check_printed(printed: str, url: str, target: str) -> None:
    """Raise `FormatError` if ``printed`` does not read back as ``url`` alone.

    Raises `ValueError` for a target that only a program of its own can read.
    """
    head = _READ_AS.get({"plain": "mail", "rst": "mail"}.get(target, target))
    if head is None:
        raise ValueError(f"check: what is printed for {target} is read by a program of its own")
    data = head + printed.encode("utf-8", "surrogateescape") + b"\n"
    found = dict.fromkeys(result.url for result in extract_message(data))
    if list(found) != [url]:
        raise FormatError("what is printed is not read back", url, (0, len(url)))


def _reason(text: str) -> str:
    """Return why the reader turns ``text`` down."""
    reasons = [getattr(result, "reason", "") for result in examine(text)]
    return f"not read back: {next(filter(None, reasons), 'it reads as another URL')}"
