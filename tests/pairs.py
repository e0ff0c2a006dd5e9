"""The search for tokens, alone or in pairs, whose repetition costs too much.

A pair is repeated to a size and read in each mode. What seems to cost more than half of what it may, or
to grow faster than its length, is measured with care.
"""

from __future__ import annotations

import io
import re
from contextlib import suppress
from functools import partial
from typing import NamedTuple

from costs import DEAR, LINEAR, PLAIN, dearness, growth, seconds
from hostile import times
from scans import urls_only

from urlextract import examine, extract, extract_message, parse_url, rewrap
from urlextract.errors import FormatError, RewrapError, UrlSyntaxError
from urlextract.output.explanations import explanation
from urlextract.picking.choices import links_of
from urlextract.sources.reading import read_source

# ruff: noqa: E501
# fmt: off
TOKENS = (
    # Schemes, and what follows them
    "http://", "http:", "HTTP://a/", "http://a/", "http://a.example/b", "http://[", "http://[::1]/",
    "http://a@", "http://–/", "ftp://", "ftp.a.b", "file:///", "file:", "x://", "svn+ssh://", "gopher://a/",
    "[.]b.com/", "b.com:99999/", ",b.com/", "a:b.com/", "a::ba(ba.com/", "a.com/中", "1.2.3.4/", "localhost:80/", "a@b.com/",
    "hxxp://a", "hxxp://", "a[.]com/", "a[dot]com", "a (at) b", "a at b.com ",
    "mailto:", "news:", "news:a.b", "urn:", "urn:a:b", "cid:", "cid:x", "mid:a@b", "tel:", "info:", "URL:",
    "www.", "www.a.b", "://", "//", ":", "@", "a@b", "xn--",
    # Brackets and quotes
    "<", ">", "<URL:", "<URL:http://a", "<http://a", "<http://a>", "<http://a b>", "< ", "(", ")", "[", "]", "[1]", "[1]: http://a/",
    '"', "'", "''", "`", '"http://a', "“", "”", "«", "»", "「", "（", "<a>", "<!--", "<a href=", "<![CDATA[", '="',
    # Marks
    ".", ",", ";", "!", "?", "-", "_", "*", "~", "/", "\\", "|", "#", "%", "%20", "&", "=", "+", "–", "…", "•",
    # Parts of URLs
    ";type=", "?+", "?=", "%00", "%09", "%2C", "%5C", "%22", "1=2;", "a=b&", ":99999",
    # Entities and escapes
    "&lt;", "&gt;", "&amp;", "&quot;", "&nbsp;", "&zwnj;", "&#", "&#x26;", "\\n", "\\/", "\\-", "\\u0026", "\\fB", "=20", "=?utf-8?q?", "=?utf-8?q?a?=", "\x1b[1m", "\x03",
    # Quote prefixes
    "> ", "> > ", "| ", "# ", "* ", "- ", "-- ", "//  ", "1. ",
    # Line ends and spaces
    "\n", "\r\n", "\r", "\n\n", "\n> ", "\n ", "-\n", "\\\n", " ", "\t", "\f", "\x85", "\xa0", "\u2028", "\u200b", "\u200c", "\u2010", "[Page 9]\n\f\n",
    # Letters, digits and labels
    "a", "1", "a.", "a-", "word ", "Word. ", "a/b", "Subject: ", "é", "ÿ", "中", "か", "한", "ก", "я", "ع", "ह", "e\u0301", "😀", "\ufe0f",
    "\x00", "\udcff", "\ufeff",
)
# fmt: on


def _text(read, text):
    """Read a text to its end."""
    for _ in read(text):
        pass


def _urls(text):
    """Read a text as the command does when only URLs are asked for."""
    data = text.encode("utf-8", "surrogateescape")
    urls_only(read_source(io.BytesIO(data), "text", on_damage=lambda _: None))


def _message(before, behind, text, read=extract_message):
    """Read a message that holds ``text``."""
    data = text.encode("utf-8", "surrogateescape")
    for _ in read(before + data + behind):
        pass


def _explained(read, text):
    """Read a text or a message as the command does to explain each place."""
    for result in read(text):
        explanation(result)
        yield


def _picked(data):
    """Return the links of a message that its reader can choose."""
    return links_of(data).choices


def _field(name, text):
    """Read a message with ``text`` in a field, folded at its line ends."""
    _message(name + b": ", b"\n\n", re.sub(r"\r\n?|\n", "\n ", text))


def _parsed(start, text):
    """Ask a URL for all that depends on its form; what does not parse, or cannot be replaced, is an answer too."""
    with suppress(UrlSyntaxError, TypeError):
        url = parse_url(start + text)
        asked = (url.parts(), url.normalized(), url.violations, url.warnings)
        return asked, url.replace(fragment="a" if url.fragment is None else None)
    return None


def _formatted(write, text):
    """Rewrite a text; a refusal is an answer too."""
    with suppress(FormatError, RewrapError):
        write(text)


_OPTIONS = {
    "relaxed": {"relaxed": True, "emails": True},
    "refang": {"refang": True},
    "likely": {"join": "likely"},
}
_TEXT = b"MIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\n\n"
_HTML = b"MIME-Version: 1.0\nContent-Type: text/html; charset=utf-8\n\n"

STARTS = (
    "http://h/",
    "ftp://h/",
    "gopher://h/7",
    "telnet://h/",
    "wais://h/d/",
    "prospero://h/",
    "mailto:",
    "mid:",
    "cid:",
    "news:",
    "news://h/",
    "nntp://h/",
    "file:",
    "afs:/",
    "urn:a:",
    "man:",
    "info:",
    "whatis:",
    "about:",
    "ldap://h/",
    "x:",
)
"""The beginnings of URLs of each type."""

MODES = {
    "text": partial(_text, extract),
    "urls": _urls,
    "examine": partial(_text, examine),
    "subject": partial(_field, b"Subject"),
    "field": partial(_field, b"X-Note"),
    "html": partial(_message, _HTML, b"\n"),
    **{name: partial(_text, partial(extract, **options)) for name, options in _OPTIONS.items()},
    **{
        f"html {name}": partial(_message, _HTML, b"\n", read=partial(extract_message, **options))
        for name, options in _OPTIONS.items()
    },
    "explain": partial(_text, partial(_explained, examine)),
    "explain relaxed": partial(_text, partial(_explained, partial(examine, **_OPTIONS["relaxed"]))),
    "html explain": partial(
        _message, _HTML, b"\n", read=partial(_explained, lambda data: examine(message=data))
    ),
    "pick": partial(_message, _TEXT, b"\n", read=_picked),
    "html pick": partial(_message, _HTML, b"\n", read=_picked),
    "attribute": partial(_message, _HTML + b'<a href="', b'">x</a>\n'),
    "rewrap": partial(_formatted, rewrap),
    "rewrap --break": partial(_formatted, partial(rewrap, break_urls=True)),
    **{f"parse {start}": partial(_parsed, start) for start in STARTS},
}
TIMES_READ = {
    "examine": 2, "explain": 2, "explain relaxed": 2, "html explain": 2, "pick": 2, "html pick": 2,
    "rewrap": 4, "rewrap --break": 6,
}  # fmt: skip
"""How often a mode reads a text: before, after, and until it is stable.

`examine` makes a record of each place that was rejected, too. Picking reads each URL again, to compare it.
"""

SMALL, MIDDLE, LARGE = 2_000, 4_000, 32_000  # bytes


class Slow(NamedTuple):
    """A unit that costs more than it should, as a multiple of plain text and as an exponent."""

    mode: str
    unit: str
    dearness: float
    growth: float

    def __str__(self) -> str:
        return f"{self.mode:15} {self.unit!a:32} {self.dearness:7.2f} {self.growth:7.2f}"


def slowness(mode, unit):
    """Return the cost of a unit if it is too dear or grows faster than the length of the text, else None."""
    call, make, most = MODES[mode], _repeated(unit), DEAR * TIMES_READ.get(mode, 1)
    plain = (MODES["text"], times(PLAIN))
    if _is_cheap(call, make, plain, most):
        return None
    dear = dearness(plain, (call, make), MIDDLE, most=most)
    grows = growth(call, make, MIDDLE, LARGE)
    if grows >= LINEAR:  # a step, where a limit is reached between the two sizes, is none beyond them
        grows = growth(call, make, LARGE, 4 * LARGE)
    return Slow(mode, unit, dear, grows) if dear >= most or grows >= LINEAR else None


def _is_cheap(call, make, plain, most):
    """Return True if a single look at small texts shows nothing to look at more closely."""
    small, middle, large = (seconds(call, make(size)) for size in (SMALL, MIDDLE, LARGE // 2))
    ordinary = seconds(plain[0], plain[1](MIDDLE))
    most_large = max(1.5 * small, ordinary) * (LARGE // 2) / SMALL
    return middle < most / 2 * ordinary and large < most_large


def _repeated(unit):
    """Return a maker that repeats ``unit`` to a size in bytes."""
    width = len(unit.encode("utf-8", "surrogateescape"))
    return lambda size: unit * max(1, size // width)


def slow_units(pairs):
    """Yield each ``(mode, unit)`` that costs too much."""
    for mode, unit in pairs:
        found = slowness(mode, unit)
        if found:
            yield found
