"""The search for tokens, alone or in pairs, whose repetition costs too much.

A pair is repeated to a size and read in each mode. What is read at a rate beyond the bound, or grows
faster than its length, is measured again, at larger sizes and more than once: a noisy machine makes a
call slower, never faster.
"""

from __future__ import annotations

import io
import re
from contextlib import suppress
from functools import partial
from typing import NamedTuple

from costs import seconds
from scans import urls_only

from urlextract import examine, extract, extract_message, from_refs, rewrap, to_refs
from urlextract.errors import FormatError, RewrapError
from urlextract.sources import read_source

# ruff: noqa: E501
# fmt: off
TOKENS = (
    # Schemes, and what follows them
    "http://", "http:", "HTTP://a/", "http://a/", "http://a.example/b", "http://[", "http://[::1]/",
    "http://a@", "http://–/", "ftp://", "ftp.a.b", "file:///", "file:", "x://", "svn+ssh://", "gopher://a/",
    "mailto:", "news:", "news:a.b", "urn:", "urn:a:b", "cid:", "cid:x", "mid:a@b", "tel:", "info:", "URL:",
    "www.", "www.a.b", "://", "//", ":", "@", "a@b", "xn--",
    # Brackets and quotes
    "<", ">", "<URL:", "<URL:http://a", "<http://a", "<http://a>", "<http://a b>", "< ", "(", ")", "[", "]", "[1]", "[1]: http://a/",
    '"', "'", "''", "`", '"http://a', "“", "”", "«", "»", "「", "（", "<a>", "<!--", "<a href=", "<![CDATA[", '="',
    # Marks
    ".", ",", ";", "!", "?", "-", "_", "*", "~", "/", "\\", "|", "#", "%", "%20", "&", "=", "+", "–", "…", "•",
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


def _message(before, behind, text):
    """Read a message that holds ``text``."""
    data = text.encode("utf-8", "surrogateescape")
    for _ in extract_message(before + data + behind):
        pass


def _field(name, text):
    """Read a message with ``text`` in a field, folded at its line ends."""
    _message(name + b": ", b"\n\n", re.sub(r"\r\n?|\n", "\n ", text))


def _formatted(write, text):
    """Rewrite a text; a refusal is an answer too."""
    with suppress(FormatError, RewrapError):
        write(text)


_LIST = "\n\n[1]: <http://a.example/>\n"
_HTML = b"MIME-Version: 1.0\nContent-Type: text/html; charset=utf-8\n\n"

MODES = {
    "text": partial(_text, extract),
    "urls": _urls,
    "examine": partial(_text, examine),
    "subject": partial(_field, b"Subject"),
    "field": partial(_field, b"X-Note"),
    "html": partial(_message, _HTML, b"\n"),
    "attribute": partial(_message, _HTML + b'<a href="', b'">x</a>\n'),
    "rewrap keep": partial(_formatted, rewrap),
    "rewrap wrap": partial(_formatted, partial(rewrap, policy="wrap")),
    "to_refs": partial(_formatted, to_refs),
    "from_refs": partial(_formatted, lambda text: from_refs(f"[1]{text}{_LIST}")),
}
TIMES_READ = {"examine": 2, "rewrap keep": 4, "rewrap wrap": 6, "to_refs": 4, "from_refs": 4}
"""How often a mode reads a text: before, after, and until it is stable.

`examine` makes a record of each place that was turned down, too.
"""

RATE = 5e-6  # seconds a byte
GROWTH = 2.5  # times the rate, for eight times the length: it would be eight if time grew as the square
SMALL, MIDDLE, LARGE = 1_000, 4_000, 32_000  # bytes
FASTEST = 1e-6  # seconds a byte: below this, growth does not matter


class Slow(NamedTuple):
    """A unit that costs more than it should, with the microseconds a byte at two sizes."""

    mode: str
    unit: str
    small: float
    large: float

    def __str__(self) -> str:
        return f"{self.mode:12} {self.unit!a:32} {self.small * 1e6:7.2f} {self.large * 1e6:7.2f}"


def rate(mode, unit, size, rounds=1):
    """Return the processor time for each byte of ``unit`` repeated to about ``size`` bytes."""
    count = max(1, size // _width(unit))
    return seconds(MODES[mode], unit * count, rounds=rounds) / (count * _width(unit))


def _width(unit):
    return len(unit.encode("utf-8", "surrogateescape"))


def bound(mode):
    """Return the seconds a byte that a mode may take."""
    return RATE * TIMES_READ.get(mode, 1)


def slowness(mode, unit, *, factor=1.0):
    """Return the cost of a unit if it exceeds the bound times ``factor`` or grows with the length, else None."""
    most = bound(mode) * factor
    small, middle = rate(mode, unit, SMALL), rate(mode, unit, MIDDLE)
    if middle < most / 2 and middle < max(1.5 * small, FASTEST / 2):
        return None
    middle, large = (rate(mode, unit, size, rounds=2) for size in (MIDDLE, LARGE))
    is_slow = min(middle, large) > most
    grows = large > FASTEST and large > GROWTH * middle
    return Slow(mode, unit, middle, large) if is_slow or grows else None


def slow_units(pairs, *, factor):
    """Yield each ``(mode, unit)`` that costs too much, twice in a row."""
    for mode, unit in pairs:
        found = slowness(mode, unit, factor=factor) and slowness(mode, unit, factor=factor)
        if found:
            yield found
