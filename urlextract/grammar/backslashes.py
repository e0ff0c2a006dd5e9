r"""Escapes inside URLs: those with a backslash, and those of quoted-printable.

JSON, as PHP and others write it: "http:\/\/a.example\/" (RFC 8259, section 7).
Any character may be written as ``\u`` and four hexadecimal digits, and "/" as ``\/``.
Escapes of characters that a URL may contain are decoded. A writer who escapes one slash
escapes all, so a plain one ends such a URL: in "s/http:\/\/a.example\/x/y/" the last two
slashes belong to the program.

Marks in man pages, Markdown, LaTeX, and in JSON with plain slashes: the escapes in
"http://a.example/b\_c\-d?e\u0026f" mean the mark itself in all these formats. Two escapes of
man pages mean no character, and are removed: ``\&`` before a full stop, and ``\:``, where a
line may be broken.

Quoted-printable has "=" and two digits for a byte, and "=" at the end of a line that goes on
(RFC 2045, section 6.7); the next line may begin with a quote prefix or an indent.
"""

from __future__ import annotations

import re
from typing import Literal

from urlextract.grammar.edits import Edit
from urlextract.grammar.marks import MARKS_AND_BLANKS
from urlextract.grammar.patterns import lazy_re

Escaping = Literal["json", "marks", "quoted-printable"]

SLASHES = r"\/\/"
"""What comes after the colon of a URL in JSON."""

LONGEST_ESCAPE: dict[Escaping, int] = {"json": 6, "marks": 6, "quoted-printable": 64}
"""The most characters of an escape, including those after it that show that it is one."""

SOFT_END = r"[ \t]{0,2}\r?\n"
"""What comes after the "=" of a soft line break: blanks may have been added in transit."""

QUOTED_BREAK = rf"={SOFT_END}(?P<prefix>{MARKS_AND_BLANKS}{{0,40}}+)(?=[!-;=?-~])"
"""A soft line break of quoted-printable, and the quote prefix or indent of the next line."""

_CODE = "u00(?!5[Cc])[2-7][0-9A-Fa-f]"
_JSON = rf"\\(?:/|{_CODE})"
_NOT_JSON = lazy_re(r'\\[^"nrtu]')  # where a run ends: an escape that JSON does not have
_MARKS = rf"\\(?:(?:-|&\.)(?=[A-Za-z0-9])|[_~#]|%(?=[0-9A-Fa-f]{{2}})|:(?=[A-Za-z0-9/])|{_CODE})"
# Brackets of Markdown, which are escaped as a pair, in one word; roff has "\\(ra"
_PAIR = rf"\\\((?>(?:[^\x00-\x20<>\"`\x7f\\()]++|{_MARKS})*)\\\)"

_ESCAPED_STOP = lazy_re(r"(?:[A-Za-z0-9+.-]{1,40}://)?[^\s/?#]{0,512}?\\\.")  # in a host
# One match for each character, of several bytes if they are UTF-8
_BYTE, _MORE = "=[0-9A-F]{2}", "=[89AB][0-9A-F]"
_QUOTED = (
    rf"{QUOTED_BREAK}|=[CD][0-9A-F]{_MORE}|=E[0-9A-F]{_MORE}{_MORE}|=F[0-7]{_MORE}{_MORE}{_MORE}|{_BYTE}"
)
_ESCAPE = {
    "json": lazy_re(_JSON),
    "marks": lazy_re(rf"{_MARKS}|\\[()]"),
    "quoted-printable": lazy_re(_QUOTED),
}
_MARK = lazy_re(rf"{_MARKS}|{_PAIR}")
# Characters of a URL, escaped or not
_RUN = {
    "json": lazy_re(rf'(?>(?:[^\x00-\x20<>"`\x7f\\/]++|{_JSON})*)'),
    "marks": lazy_re(rf'(?>(?:[^\x00-\x20<>"`\x7f\\]++|{_MARKS}|{_PAIR})*)'),
    "quoted-printable": lazy_re(rf'(?>(?:[^\x00-\x20<>"`\x7f=]++|{QUOTED_BREAK}|{_BYTE})*)'),
}


def begins_mark(text: str, at: int) -> bool:
    r"""Return whether an escaped mark begins at ``at``.

    >>> begins_mark(r"b\_", 1), begins_mark(r"b\(c\)", 1), begins_mark(r"b\(ra", 1), begins_mark(r"b\-", 1)
    (True, True, False, False)
    """
    return _MARK.match(text, at) is not None


def escaped_end(text: str, start: int, end: int, escaping: Escaping) -> int | None:
    r"""Return where the escaped run at ``start`` ends, at ``end`` at the latest.

    Return None if it is a pattern of a program: if an escape ends it that JSON does not have,
    or if the full stops of its host are escaped.

    >>> escaped_end(r'http:\/\/a.example\/b"', 0, 99, "json")
    21
    >>> escaped_end(r"http:\/\/a\.example", 0, 99, "json"), escaped_end(r"http://a-b\.c/", 0, 99, "marks")
    (None, None)
    """
    match = _RUN[escaping].match(text, start, end)
    stop = match.end() if match else start
    is_foreign = False
    if escaping == "marks":
        is_foreign = _ESCAPED_STOP.match(text, start, stop + 2) is not None
    elif escaping == "json":
        is_foreign = _NOT_JSON.match(text, stop) is not None
    return None if is_foreign and stop < end - LONGEST_ESCAPE[escaping] else stop


def decodings(text: str, start: int, escaping: Escaping) -> list[Edit]:
    r"""Return the edits that decode the escapes of ``text`` from ``start`` on.

    >>> [tuple(edit) for edit in decodings(r"http:\/\/a\&", 0, "json")]
    [(5, 7, '/'), (7, 9, '/')]
    """
    return [Edit(*escape.span(), _meant(escape)) for escape in _ESCAPE[escaping].finditer(text, start)]


def plain_text(written: str, escaping: Escaping) -> str:
    r"""Return ``written`` with its escapes decoded.

    >>> plain_text(r"http:\/\/a.example\/?b=1\u0026c=2", "json")
    'http://a.example/?b=1&c=2'
    >>> plain_text(r"http://a\&.example/\:b\_c\-d\%20e", "marks")
    'http://a.example/b_c-d%20e'
    >>> plain_text("http://www.a.=" + chr(10) + "> example/?b=3D=C3=A9", "quoted-printable")
    'http://www.a.example/?b=é'
    """
    return _ESCAPE[escaping].sub(_meant, written)


def _meant(escape: re.Match[str]) -> str:
    written = escape[0]
    if written[0] == "=":
        data = b"" if written[1].isspace() else bytes.fromhex(written.replace("=", ""))
        try:
            return data.decode("utf-8")
        except UnicodeDecodeError:
            return data.decode("cp1252", "replace")
    sign = written[1:]
    if sign[0] == "u":
        return chr(int(sign[1:], 16))
    return sign[-1] if sign != ":" else ""
