"""Split a raw text into its pieces, and join them without line ends, blanks and quote prefixes.

Pieces are joined with nothing between them (RFC 1738, appendix: "the whitespace
should be ignored when extracting the URL"). What was removed is listed as repairs.
"""

from __future__ import annotations

import html
import re
from collections import Counter
from functools import lru_cache
from operator import ne
from typing import Literal
from urllib.parse import quote

from urlextract.arguments import check_choice, check_is
from urlextract.grammar.backslashes import plain_text
from urlextract.grammar.chars import BLANKS, LINE_END, WHITESPACE
from urlextract.grammar.defanged import refang
from urlextract.grammar.marks import ADDED_BREAKS, SOFT_BREAKS, SoftBreak
from urlextract.grammar.patterns import lazy_re
from urlextract.linebreaks.prefixes import page_break_end, skip_prefix
from urlextract.linebreaks.readings import readings, without_hyphens
from urlextract.records import (
    REFANGED,
    Alternative,
    Candidate,
    Escapes,
    Match,
    Rejoined,
    Repair,
    RepairCode,
    Span,
)

Hyphen = Literal["keep", "drop", "both", "evidence"]
"""What to do with a hyphen before a line break: see `rejoin`."""

Join = Literal["none", "delimited", "safe", "likely"]
"""What is joined over line ends.

"delimited" joins URLs in brackets or quotes. "safe" also joins bare URLs that certainly go on,
"likely" those that go on more likely than not.
"""

_MORE_LINES = "if it goes on in the next line"
_IN_MARKUP = '"&amp;" stands for "&" in markup'
_ONE_LINE = "if it ends with its line"
_HYPHENED = "with a hyphen for the one of the typesetter at the line break"

SCHEME_OF_HOST = {"www.": "http://", "ftp.": "ftp://"}
"""The scheme to add to a URL that begins with its host, by the first four characters."""

# RFC 6068, section 2: characters of an address that are not encoded; "%" is encoded.
_IN_ADDRESS = "!$'*+:@[]"
_PLAIN_ADDRESS = lazy_re(rf"[\w.~{_IN_ADDRESS[:-1]}\]-]*+")

_BROKEN = lazy_re(rf"[{WHITESPACE}]")
_LINE_END = lazy_re(LINE_END)
LINE_TAIL = lazy_re(rf"[{BLANKS}{re.escape(ADDED_BREAKS)}]++\Z")
"""What is removed from the end of a line before another: blanks, and marks of soft breaks."""

_SOFT_BREAK = lazy_re(r"=[ \t]{0,2}\Z")  # of quoted-printable
_PIECE = lazy_re(rf"[^{BLANKS}]++")


class _Parts:
    """The pieces of a raw text, the gaps between them, and counts of what was removed."""

    def __init__(self) -> None:
        self.pieces: list[Span] = []
        self.gaps: list[str] = []  # line ends and blanks
        self.prefixes: list[str] = []
        self.lines = 1
        self.blanks = 0
        self.removed: Counter[SoftBreak] = Counter()
        self.hyphened: set[int] = set()  # pieces after which a typesetter put a hyphen
        self.pages = 0

    def add_line(self, raw: str, start: int, end: int, *, is_last: bool, is_quoted: bool = False) -> None:
        """Add the line ``start:end``: one piece, or several with blanks between them."""
        if is_quoted and not is_last:
            soft = _SOFT_BREAK.search(raw, start, end)
            end = soft.start() if soft else end
        tail = None if is_last else LINE_TAIL.search(raw, start, end)
        if tail:
            end = tail.start()
        first = True
        for match in _PIECE.finditer(raw, start, end):
            if self.pieces:
                self.gaps.append("\n" if first and start else " ")
                if not first:
                    self.blanks += match.start() - self.pieces[-1].end
            self.pieces.append(Span(*match.span()))
            first = False
        if tail:
            found = [mark for mark in SOFT_BREAKS if mark.is_added and mark.text in tail.group()]
            self.removed.update({mark: tail.group().count(mark.text) for mark in found})
            if not first and any(mark.name == "hyphen" for mark in found):
                self.hyphened.add(len(self.pieces) - 1)


@lru_cache(maxsize=8)  # the same wrapper is taken apart several times in a row
def _take_apart(raw: str, prefix: str, escapes: Escapes) -> _Parts:
    is_quoted = escapes == "quoted-printable"
    parts = _Parts()
    start = 0
    for match in _LINE_END.finditer(raw):
        if match.start() < start:  # inside a page break
            continue
        parts.add_line(raw, start, match.start(), is_last=False, is_quoted=is_quoted)
        start = match.end()
        page = page_break_end(raw, start)
        if page is not None:
            parts.pages += 1
            start = page
        after = skip_prefix(raw, start, prefix)
        if raw[start:after].strip():
            mark = raw[start:after].strip()
            parts.prefixes.append(mark + " " * (len(raw[start:after].rstrip()) < after - start))
        start = after
        parts.lines += 1
    parts.add_line(raw, start, len(raw), is_last=True)
    return parts


def removal(code: RepairCode, count: int, noun: str) -> Repair:
    """Return the repair that removed ``count`` of something."""
    nouns = f"{noun}es" if noun.endswith("sh") else f"{noun}s"
    return Repair(code, f"removed {count} {nouns}" if count > 1 else f"removed {noun}")


def _repairs(parts: _Parts, *, dropped: int) -> list[Repair]:
    """Return the repairs; ``dropped`` hyphens at line ends were dropped in the first reading."""
    repairs = []
    if parts.lines > 1:
        repairs.append(Repair(RepairCode.JOINED_LINES, f"joined {parts.lines} lines"))
    repairs += [
        Repair(RepairCode.REMOVED_QUOTE_PREFIX, f'removed quote prefix "{prefix}"')
        for prefix in dict.fromkeys(parts.prefixes)
    ]
    if parts.blanks:
        words = f"removed {parts.blanks} blank{'s' if parts.blanks > 1 else ''}"
        repairs.append(Repair(RepairCode.REMOVED_BLANKS, words))
    removed: Counter[tuple[RepairCode, str]] = Counter()
    for mark in SOFT_BREAKS:
        removed[mark.repair, mark.name] += parts.removed[mark]
    removed[RepairCode.REMOVED_HYPHENS, "hyphen"] += dropped
    removed[RepairCode.REMOVED_PAGE_BREAKS, "page break"] = parts.pages
    repairs += [removal(code, count, noun) for (code, noun), count in removed.items() if count]
    return repairs


def rejoin(raw: str | Candidate, *, prefix: str = "", hyphen: Hyphen = "keep") -> Rejoined:
    r"""Return the URL of a raw text or match as one line, with its repairs and alternatives.

    ``prefix`` is the quote prefix of the line on which the wrapper opens (a
    `Candidate` has its own). A hyphen before a line break "may or may not
    actually be part of the URL" (RFC 1738, appendix): "keep" and "drop" choose
    which reading comes first, the others are its alternatives. "both" and "evidence"
    are for `extract`, which can return two results or look for a reading elsewhere;
    here they mean "keep". Raise `ValueError` for another ``hyphen``, and `TypeError` for an argument
    of another type.

    >>> rejoin("http://www.w3.org/TR/REC-\n> xml", prefix="> ").url
    'http://www.w3.org/TR/REC-xml'
    >>> rejoin("http://www.w3.org/TR/REC-\nxml").alternatives[0].url
    'http://www.w3.org/TR/RECxml'
    """
    check_is("raw", raw, str, Match)
    check_is("prefix", prefix, str)
    check_choice("hyphen", hyphen, Hyphen)
    if isinstance(raw, Match):
        return rejoined(raw, hyphen)
    return _rejoined(*_read(raw, prefix, hyphen))


def rejoined(match: Match, hyphen: Hyphen) -> Rejoined:
    """Return the URL of ``match`` as one line: see `rejoin`."""
    raw = match.raw
    is_certain = not (match.also or match.more_lines or match.one_line or "&amp;" in raw)
    if is_certain and match.url.endswith(raw):  # as with most, at most a scheme is added
        return Rejoined(match.url, (Span(0, len(raw)),), _addition(match.url[: -len(raw)]))
    is_address = match.added == "mailto:" and not _LINE_END.search(raw)  # blanks in quotes are part of it
    found, pieces, repairs = (
        ([Alternative(raw, "")], (Span(0, len(raw)),), []) if is_address else _read_lines(match, hyphen)
    )
    found, added = _completed(found, match)
    return _rejoined(found, pieces, [*repairs, *added])


@lru_cache(maxsize=8)
def _addition(scheme: str) -> tuple[Repair, ...]:
    return (Repair(RepairCode.ADDED_SCHEME, f"added {scheme}"),) if scheme else ()


def _rejoined(found: list[Alternative], pieces: tuple[Span, ...], repairs: list[Repair]) -> Rejoined:
    url = found[0].url
    others = tuple(other for other in dict.fromkeys(found[1:]) if other.url != url)
    return Rejoined(url, pieces, tuple(repairs), others)


def without_prefixes(raw: str, prefix: str) -> str:
    r"""Return ``raw`` without its quote prefixes and page breaks, with its line breaks as LF.

    >>> without_prefixes("ftp://a/\n> b c", "> ")
    'ftp://a/\nb c'
    """
    if not _BROKEN.search(raw):
        return raw
    parts = _take_apart(raw, prefix, "")
    if not parts.pieces:
        return ""
    pieces = [piece.of(raw) for piece in parts.pieces]
    return "".join(text for pair in zip(pieces, [*parts.gaps, ""], strict=True) for text in pair)


def joined_url(match: Match) -> str:
    """Return the URL that `rejoin` returns for a match, without repairs and alternatives."""
    raw = match.raw
    if _BROKEN.search(raw):
        raw = "".join([piece.of(raw) for piece in _take_apart(raw, match.prefix, match.escapes).pieces])
    is_changed = match.escapes or match.added or match.is_defanged
    if is_changed or raw[:4].lower() in SCHEME_OF_HOST:
        return _completed([Alternative(raw, "")], match)[0][0].url
    return raw


_Reading = tuple[list[Alternative], tuple[Span, ...], list[Repair]]


def _read(raw: str, prefix: str, hyphen: Hyphen, escapes: Escapes = "") -> _Reading:
    """Return the readings of ``raw``, its pieces and its repairs."""
    if not _BROKEN.search(raw):
        return [Alternative(raw, "")], (Span(0, len(raw)),), []
    parts = _take_apart(raw, prefix, escapes)
    pieces = [piece.of(raw) for piece in parts.pieces]
    found = readings(pieces, parts.gaps, drop=hyphen == "drop")
    if parts.hyphened:
        marks = ("-" if at in parts.hyphened else "" for at in range(len(pieces)))
        found.append(Alternative("".join(map("".join, zip(pieces, marks, strict=True))), _HYPHENED))
    spans = tuple(parts.pieces)
    if hyphen != "drop":
        return found, spans, _repairs(parts, dropped=0)
    kept = without_hyphens(raw, spans, found[0].url)
    return found, kept, _repairs(parts, dropped=sum(map(ne, spans, kept)))


def _read_lines(match: Match, hyphen: Hyphen) -> _Reading:
    """Read a match; read a bare one that ends its line both with and without the next lines."""
    found, pieces, repairs = _read(match.raw, match.prefix, hyphen, match.escapes)
    if match.one_line is not None:
        found.append(Alternative(match.one_line, f"{_ONE_LINE}; joined because {match.reasons}"))
    if match.more_lines is not None:
        joined = _read(match.more_lines, match.prefix, hyphen)[0]
        found += [joined[0]._replace(reason=f"{_MORE_LINES}: {match.reasons}"), *joined[1:]]
    return found, pieces, repairs


def _completed(found: list[Alternative], match: Match) -> tuple[list[Alternative], list[Repair]]:
    """Decode escapes, refang, and add a missing scheme; return the readings and the repairs."""
    added = []
    if match.escapes == "entities":
        if any("&" in reading.url for reading in found):
            found = [Alternative(html.unescape(url), reason) for url, reason in found]
            added.append(Repair(RepairCode.DECODED_ENTITIES, "decoded entities"))
    elif match.escapes:
        found = [Alternative(plain_text(url, match.escapes), reason) for url, reason in found]
        is_quoted = match.escapes == "quoted-printable"
        code = RepairCode.DECODED_QUOTED_PRINTABLE if is_quoted else RepairCode.DECODED_ESCAPES
        added.append(Repair(code, "decoded quoted-printable" if is_quoted else "decoded escapes"))
    if match.is_defanged:
        found = [Alternative(refang(url), reason) for url, reason in found]
        added.append(REFANGED)
    scheme = match.added or SCHEME_OF_HOST.get(found[0].url[:4].lower())
    if scheme == "mailto:" and not _PLAIN_ADDRESS.fullmatch(found[0].url):
        found = [
            Alternative(quote(url, _IN_ADDRESS, errors="surrogatepass"), reason) for url, reason in found
        ]
        added.append(Repair(RepairCode.ENCODED_CHARACTERS, "encoded what no URL holds"))
    if scheme:
        found = [Alternative(scheme + url, reason) for url, reason in found]
        added += _addition(scheme)
    also = match.also
    if "&amp;" in found[0].url:
        also = (*also, Alternative(found[0].url.replace("&amp;", "&"), _IN_MARKUP))
    return [*found, *also], added
