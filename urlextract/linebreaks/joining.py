"""Split a raw text into its pieces, and join them without line ends, blanks and quote prefixes.

Pieces are joined with nothing between them (RFC 1738, appendix: "the whitespace
should be ignored when extracting the URL"). What was removed is listed as repairs.

"The hyphen may or may not actually be part of the URL", says the same appendix. In all 67
cases where the answer is known it is part of the URL, so that is the first reading, and the
one without all such hyphens is another.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from itertools import pairwise
from operator import ne
from typing import Literal
from urllib.parse import quote

from urlextract.arguments import check_choice
from urlextract.grammar.backslashes import plain_text
from urlextract.grammar.chars import BLANKS, LINE_END, WHITESPACE
from urlextract.grammar.codes import AlternativeCode, RepairCode
from urlextract.grammar.defanged import refang
from urlextract.grammar.marks import ADDED_BREAKS, SOFT_BREAKS
from urlextract.grammar.patterns import lazy_re
from urlextract.linebreaks.prefixes import page_break_end, skip_prefix
from urlextract.message.entities import decode_attribute
from urlextract.records import REFANGED, Alternative, Escapes, Match, Rejoined, Repair, Span

Hyphen = Literal["keep", "drop", "both"]
"""What to do with a hyphen before a line break: see `rejoin`."""

Join = Literal["none", "delimited", "safe", "likely"]
"""What is joined over line ends.

"delimited" joins URLs in brackets or quotes. "safe" also joins bare URLs that certainly go on,
"likely" those that go on more likely than not.
"""


SCHEME_OF_HOST = {"www.": "http://", "ftp.": "ftp://"}
"""The scheme to add to a URL that begins with its host, by the first four characters."""

# RFC 6068, section 2: characters of an address that are not encoded; "%" is encoded.
_IN_ADDRESS = "!$'*+:@[]"
_PLAIN_ADDRESS = lazy_re(rf"[\w.~{_IN_ADDRESS[:-1]}\]-]*+")

_BROKEN = lazy_re(rf"[{WHITESPACE}]")
_LINE_END = lazy_re(LINE_END)
_IN_TAIL = rf"{BLANKS}{re.escape(ADDED_BREAKS)}"
BEFORE_TAIL = lazy_re(rf"(?>(?:[^{_IN_TAIL}]++|[{_IN_TAIL}]++(?!\Z))*)")
"""A line up to what is removed from its end before another: blanks, and marks of soft breaks."""

_SOFT_END = r"=[ \t]{0,2}\Z"  # of quoted-printable
_BEFORE_QUOTED_TAIL = lazy_re(rf"(?>(?:[^={_IN_TAIL}]++|[{_IN_TAIL}]++(?!{_SOFT_END}|\Z)|(?!{_SOFT_END})=)*)")
_PIECE = lazy_re(rf"[^{BLANKS}]++")
_COMMENT = "percent sign"
_ADDED = {mark.text: mark for mark in SOFT_BREAKS if mark.is_added}


class _Parts:
    """The pieces of a raw text, the gaps between them, and what was removed."""

    def __init__(self) -> None:
        self.pieces: list[Span] = []
        self.gaps: list[str] = []  # line ends and blanks
        self.prefixes: list[str] = []
        self.lines, self.blanks, self.pages = 1, 0, 0
        self.marks: list[str] = []  # the names of those of soft breaks
        self.hyphened: set[int] = set()  # pieces after which a typesetter put a hyphen


@lru_cache(maxsize=8)  # the same wrapper is taken apart several times in a row
def _take_apart(raw: str, prefix: str, escapes: Escapes) -> _Parts:
    parts, line_of = _Parts(), _BEFORE_QUOTED_TAIL if escapes == "quoted-printable" else BEFORE_TAIL
    start = 0
    for line_end in (*_LINE_END.finditer(raw), None):
        end = line_end.start() if line_end else len(raw)
        if end < start:  # inside a page break
            continue
        line = line_of.match(raw, start, end) if line_end else None
        tail = line.end() if line else end
        count = len(parts.pieces)
        for at, piece in enumerate(_PIECE.finditer(raw, start, tail)):
            if parts.pieces:
                parts.gaps.append(" " if at else "\n")
                parts.blanks += piece.start() - parts.pieces[-1].end if at else 0
            parts.pieces.append(Span(*piece.span()))
        marks = [_ADDED[sign].name for sign in raw[tail:end] if sign in _ADDED]
        parts.marks += marks
        if "hyphen" in marks and len(parts.pieces) > count:
            parts.hyphened.add(len(parts.pieces) - 1)
        if line_end is None:
            break
        parts.lines += 1
        page = page_break_end(raw, line_end.end())
        parts.pages += page is not None
        next_line = page or line_end.end()
        start = skip_prefix(raw, next_line, prefix)
        if escapes == "comments" and raw[tail - 1 : tail] == "%":
            parts.pieces[-1] = parts.pieces[-1]._replace(end=tail - 1)
            parts.marks.append(_COMMENT)
        quote = raw[next_line:start].strip()
        if quote:
            parts.prefixes.append(quote + " " * raw[start - 1].isspace())
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
    removed = {(mark.name, mark.repair): parts.marks.count(mark.name) for mark in SOFT_BREAKS}
    removed["hyphen", RepairCode.REMOVED_HYPHENS] += dropped
    removed[_COMMENT, RepairCode.REMOVED_PERCENT_SIGNS] = parts.marks.count(_COMMENT)
    removed["page break", RepairCode.REMOVED_PAGE_BREAKS] = parts.pages
    return repairs + [removal(code, count, noun) for (noun, code), count in removed.items() if count]


def rejoin(raw: str | Match, *, prefix: str = "", hyphen: Hyphen = "keep") -> Rejoined:
    r"""Return the URL of a raw text or match as one line, with its repairs and alternatives.

    ``prefix`` is the quote prefix of the line on which the wrapper opens (a
    `Match` has its own). A hyphen before a line break "may or may not
    actually be part of the URL" (RFC 1738, appendix): "keep" and "drop" choose
    which reading comes first, the other is its alternative. "both" is for `extract`, which
    can return two results; here it means "keep". Raise `ValueError` for another ``hyphen``.

    >>> rejoin("http://www.w3.org/TR/REC-\n> xml", prefix="> ").url
    'http://www.w3.org/TR/REC-xml'
    >>> rejoin("http://www.w3.org/TR/REC-\nxml").alternatives[0].url
    'http://www.w3.org/TR/RECxml'
    """
    check_choice("hyphen", hyphen, Hyphen)
    if isinstance(raw, Match):
        return rejoined(raw, hyphen)
    return _rejoined(*_read(raw, prefix, hyphen))


def rejoined(match: Match, hyphen: Hyphen) -> Rejoined:
    """Return the URL of ``match`` as one line: see `rejoin`."""
    raw = match.raw
    is_certain = not (match.also or match.more_lines or match.one_line or "&amp;" in raw)
    if is_certain and match.url.endswith(raw):  # as with most, at most a scheme is added
        scheme = match.url[: -len(raw)]
        return Rejoined(match.url, (Span(0, len(raw)),), (_addition(scheme),) if scheme else ())
    breaks = _LINE_END if match.added == "mailto:" else _BROKEN  # blanks in quotes are part of an address
    found, pieces, repairs = _read(raw, match.prefix, hyphen, match.escapes, breaks)
    if match.one_line is not None:
        found.append(_because(match.one_line, AlternativeCode.ONE_LINE, f"; joined because {match.reasons}"))
    if match.more_lines is not None:
        joined, *others = _read(match.more_lines, match.prefix, hyphen, match.escapes)[0]
        found += [_because(joined.url, AlternativeCode.MORE_LINES, f": {match.reasons}"), *others]
    found, added = _completed(found, match)
    return _rejoined(found, pieces, [*repairs, *added])


@lru_cache(maxsize=8)
def _addition(scheme: str) -> Repair:
    return Repair(RepairCode.ADDED_SCHEME, f"added {scheme}")


def _because(url: str, code: AlternativeCode, evidence: str) -> Alternative:
    return Alternative(url, f"{code.words}{evidence}", code)


def _rejoined(found: list[Alternative], pieces: tuple[Span, ...], repairs: list[Repair]) -> Rejoined:
    url = found[0].url
    others = tuple(other for other in dict.fromkeys(found[1:]) if other.url != url)
    return Rejoined(url, pieces, tuple(repairs), others)


def without_prefixes(raw: str, prefix: str) -> str:
    r"""Return ``raw`` without its quote prefixes and page breaks, with its line breaks as LF.

    >>> without_prefixes("ftp://a/\n> b c", "> ")
    'ftp://a/\nb c'
    """
    parts = _take_apart(raw, prefix, "")
    return "".join([gap + piece.of(raw) for gap, piece in zip(("", *parts.gaps), parts.pieces, strict=False)])


def joined_url(match: Match) -> str:
    """Return the URL that `rejoin` returns for a match, without repairs and alternatives."""
    raw = match.raw
    if _BROKEN.search(raw):
        raw = "".join([piece.of(raw) for piece in _take_apart(raw, match.prefix, match.escapes).pieces])
    is_changed = match.escapes or match.added or match.is_defanged
    if is_changed or raw[:4].lower() in SCHEME_OF_HOST:
        return _completed([Alternative.of(raw, AlternativeCode.OTHER)], match)[0][0].url
    return raw


def _read(
    raw: str, prefix: str, hyphen: Hyphen, escapes: Escapes = "", breaks: re.Pattern[str] = _BROKEN
) -> tuple[list[Alternative], tuple[Span, ...], list[Repair]]:
    """Return the readings of ``raw``, its pieces and its repairs; it is one piece without ``breaks``."""
    if not breaks.search(raw):
        return [Alternative.of(raw, AlternativeCode.OTHER)], (Span(0, len(raw)),), []
    parts = _take_apart(raw, prefix, escapes)
    spans = tuple(parts.pieces)
    pieces = [piece.of(raw) for piece in spans]
    kept, dropped = spans, without_hyphens(raw, spans)
    count = sum(map(ne, kept, dropped))
    hyphens = f"{count} hyphens" if count > 1 else "the hyphen"
    reason = f"without {hyphens} at the line break, which may not belong to the URL"
    if hyphen == "drop":
        kept, dropped = dropped, kept
        reason = f"with {hyphens} kept at the line break"
    found = [Alternative.of(_joined(raw, kept), AlternativeCode.OTHER)]
    if count:
        found.append(Alternative(_joined(raw, dropped), reason, AlternativeCode.OTHER_HYPHENS))
    found += _with_blanks(pieces, parts.gaps)
    if parts.hyphened:
        hyphened = "".join(
            [f"{piece}-" if at in parts.hyphened else piece for at, piece in enumerate(pieces)]
        )
        found.append(Alternative.of(hyphened, AlternativeCode.ADDED_HYPHEN))
    return found, kept, _repairs(parts, dropped=sum(map(ne, spans, kept)))


def _completed(found: list[Alternative], match: Match) -> tuple[list[Alternative], list[Repair]]:
    """Decode escapes, refang, and add a missing scheme; return the readings and the repairs."""
    added: list[Repair] = []

    def changed(change: Callable[[str], str], repair: Repair) -> list[Alternative]:
        added.append(repair)
        return [each.with_url(change(each.url)) for each in found]

    if match.escapes == "entities":
        if any("&" in reading.url for reading in found):
            found = changed(decode_attribute, Repair(RepairCode.DECODED_ENTITIES, "decoded entities"))
    elif match.escapes and match.escapes != "comments":
        repair = Repair(RepairCode.DECODED_ESCAPES, "decoded escapes")
        if match.escapes == "quoted-printable":
            repair = Repair(RepairCode.DECODED_QUOTED_PRINTABLE, "decoded quoted-printable")
        found = changed(partial(plain_text, escaping=match.escapes), repair)
    if match.is_defanged:
        found = changed(refang, REFANGED)
    scheme = match.added or SCHEME_OF_HOST.get(found[0].url[:4].lower())
    if scheme == "mailto:" and not _PLAIN_ADDRESS.fullmatch(found[0].url):
        repair = Repair(RepairCode.ENCODED_CHARACTERS, "encoded what no URL holds")
        found = changed(partial(quote, safe=_IN_ADDRESS, errors="surrogatepass"), repair)
    if scheme:
        found = changed(scheme.__add__, _addition(scheme))
    also = match.also
    if "&amp;" in found[0].url:
        also = (*also, Alternative.of(found[0].url.replace("&amp;", "&"), AlternativeCode.MARKUP))
    return [*found, *also], added


# --- the readings without hyphens and with blanks at the breaks --------------------------------------


def _joined(raw: str, spans: Sequence[Span]) -> str:
    return "".join([span.of(raw) for span in spans])


def without_hyphens(raw: str, spans: Sequence[Span]) -> tuple[Span, ...]:
    r"""Return the pieces ``spans`` of ``raw`` without the hyphens at their line ends.

    >>> [tuple(span) for span in without_hyphens("ftp://a/in-\nnotes", [Span(0, 11), Span(12, 17)])]
    [(0, 10), (12, 17)]
    """
    dropped = [
        Span(
            start, end - (raw.startswith("-", end - 1) and _LINE_END.search(raw, end, following) is not None)
        )
        for (start, end), (following, _) in pairwise(spans)
    ]
    return (*dropped, *spans[-1:])


def _with_blanks(pieces: Sequence[str], gaps: Sequence[str]) -> list[Alternative]:
    """Return the readings in which blanks are meant; ``gaps`` are line ends and blanks between the pieces.

    RFC 1630 has selectors with blanks between letters or digits.
    """
    if " " not in gaps:
        return []
    found = []
    inside = {at for at in range(len(gaps)) if pieces[at][-1].isalnum() and pieces[at + 1][0].isalnum()}
    blanks = {at for at in inside if gaps[at] == " "}
    for places, where in ((blanks, "inside a line"), (inside, "inside a line and at its end")):
        if blanks and (places is blanks or inside != blanks):
            spaced = [f"{piece}%20" if at in places else piece for at, piece in enumerate(pieces)]
            reason = f"the blanks {where} may be meant"
            found.append(Alternative("".join(spaced), reason, AlternativeCode.BLANKS))
    return found


def holds_another(before: str) -> bool:
    """Return whether a URL that is ``before`` up to a break may go on with another URL inside it.

    Otherwise a scheme after the break begins a URL of its own.

    >>> holds_another("http://archive.example/"), holds_another("http://a.example/x,")
    (True, False)
    """
    return before.endswith(("/", "=", "?"))
