r"""What is undone before the rules read a text: a table of patterns, applied to a copy with places.

The rules read plain text alone. Two kinds of signs are rare, and quick to find in a whole window: the
escape character of terminals, and the end of a page; there the whole window is undone, and so are defanged
URLs if they are asked for. All other rows are asked for by a place whose scheme or run shows a sign of one
(`asks_for_undoing`); then only its paragraph is undone, and read again. So no other text pays for them.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator
from functools import cache
from typing import NamedTuple

from urlextract.grammar.chars import END_OF_PARAGRAPH, LINE_END, readable
from urlextract.grammar.codes import DefectCode, RepairCode
from urlextract.grammar.defanged import refang
from urlextract.grammar.edits import Copy, Edit
from urlextract.grammar.marks import AFTER_WORD, MARKS_AND_BLANKS, WRAPPERS
from urlextract.grammar.patterns import lazy_re
from urlextract.linebreaks.joining import joined, readings
from urlextract.linebreaks.prefixes import line_start, opening_prefix, patterns_of
from urlextract.records import REFANGED, Defect, Form, Match, Refusal, Repair, Span
from urlextract.scanner.defanged import defanged_places, run_start
from urlextract.scanner.window import SHOWN, ScanOptions
from urlextract.scanner.wrappers import DECODED, added_scheme

# --- the table --------------------------------------------------------------------------------------

_INVISIBLE = Repair(RepairCode.REMOVED_INVISIBLE, "removed what has no width")
_QUOTED_PRINTABLE = Repair(RepairCode.DECODED_QUOTED_PRINTABLE, "decoded quoted-printable")
_UNDECODED = Defect(DefectCode.UNDECODED_QUOTED_PRINTABLE, "undecoded quoted-printable")
_PAGE_BREAK = Repair(RepairCode.REMOVED_PAGE_BREAKS, "removed page break")


class Row(NamedTuple):
    """What the rules do not read, as the source of a pattern, what it becomes (None: it stays), the repair.

    Each pattern begins with a literal, so that a search for any of them is quick.
    """

    repair: Repair
    source: str
    becomes: str | Callable[[re.Match[str]], str | None]


_ESC = r"(?:\\(?:x1[bB]|033|e|u001[bB])|\#033|\^\[)"
_OPENERS = frozenset('([{<"')


def _follows_opener(match: re.Match[str]) -> bool:
    return match.string[match.start() - 1 : match.start()] in _OPENERS


_COLOUR = r"\[[0-9;:]{0,20}[mK]"
_SCHEME_NEXT = r"(?=[A-Za-z]{2,9}:)"
# CSI, OSC and other sequences: ECMA-48. A link of OSC 8 stands alone.
_SEQUENCE = Row(
    _INVISIBLE,
    (
        rf"\x1b(?:(?P<colour>\[[0-9;:]{{0,20}}[mK]|\([A-B0]|[=>])(?P<scheme>{_SCHEME_NEXT})?"
        r"|\]8;[^;\x07\x1b]{0,99};"
        r"|\[[0-9;:?<=>]{0,40}[ -/]{0,3}[@-~]|\][^\x07\x1b\r\n]{0,2000}(?:\x07|\x1b\\)?|[ -Z\\^-~])"
    ),
    # nothing takes the place of a colour in a word, or behind a bracket, a blank that of any other
    lambda match: "" if match["colour"] and (match["scheme"] is None or _follows_opener(match)) else " ",
)
_OF_URL = r"A-Za-z0-9._/:?=&\#~+%-"
_IN_WORD = rf"(?<=[{_OF_URL}]..)(?=[A-Za-z0-9._/\\-])"  # of a name of two characters
_ROFF = {"ti": "~", "ha": "^", "aq": "'"}
# Before a literal: of a quotation, a patch, an old entry
_OF_LITERALS = rf"(?>(?:{MARKS_AND_BLANKS}|[+-]|\#[~|]){{0,20}})"
_SEAM = rf"\"(?<=[^\s\"]\")[ \t]*{LINE_END}{_OF_LITERALS}\"(?=[^\s\"])(?![A-Za-z]{{2,9}}:)"


def _in_unicode(match: re.Match[str]) -> str:
    return chr(int(match[0].removeprefix("\\u"), 16))


# None of the controls, no backslash, no half of a pair of surrogates
_JSON_CHARACTER = r"\\u(?!00[01]|005[Cc]|[dD][89A-Fa-f])[0-9A-Fa-f]{4}"
_BEGINS_URL = lazy_re(r"[A-Za-z][A-Za-z0-9+.-]{0,39}:[^\s<]*\Z")


def _joined_literals(match: re.Match[str]) -> str | None:
    """Return a line end where the only literal of a line goes on in the next one, None after a quoted URL."""
    text, at = match.string, match.start()
    literal = text[max(line_start(text, at), at - 300) : at].partition('"')[2]
    is_url = _BEGINS_URL.match(literal) and literal[-1] != "-"
    return None if '"' in literal or is_url else "\n"


def _ampersand(match: re.Match[str]) -> str | None:
    """Return TeX's "&" in a query, None elsewhere: roff has the same escape, of no width."""
    text, at = match.string, match.start()
    return "&" if "?" in text[run_start(text, at, max(0, at - _LONGEST)) : at] else None


_ASKED_FOR = (
    # a colour of a terminal, written out, in a system's log, in caret notation, and without ESC
    Row(_INVISIBLE, rf"{_ESC}{_COLOUR}(?P<scheme>{_SCHEME_NEXT})?",
        lambda match: "" if match["scheme"] is None else " "),
    Row(_INVISIBLE, r"\[[0-9;]{1,9}m(?=[a-z]{3,6}://)", " "),
    # a link of a terminal, written out, and what ends its URL
    Row(_INVISIBLE, rf"{_ESC}\]8;[^;\s]{{0,99}};", " "),
    Row(_INVISIBLE, rf"(?:\^G|\#007|{_ESC}\\)(?=[^\r\n]{{0,300}}?{_ESC}\]8;)", " "),
    # characters without width: a soft hyphen and joiners in a word, a blank at a mark
    Row(_INVISIBLE, r"[\xad\u2060\u200c\u200d](?<=[\x21-\x7e].)(?=[\x21-\x7e])", ""),
    Row(_INVISIBLE, r"\u200b(?:(?<=[/._?&=\#-].)(?=[A-Za-z0-9/?&=\#%_-])"
        r"|(?<=[A-Za-z0-9].)(?=[/._?&=\#-]))", ""),
    Row(_INVISIBLE, r"\[(?<=[:/\w]\[)[0-9;]{1,9}m(?=[\w/:\[]|\s|\Z)", ""),
    # TeX's "&" of a query, and roff: a hyphen, breaks without width, a font before a scheme, or within a word
    Row(DECODED, r"\\&(?=[\w%-])", _ampersand),
    Row(DECODED, rf"\\-{_IN_WORD}", "-"),
    Row(DECODED, rf"\\(?:[&:]|%(?![0-9A-Fa-f]{{2}})|f[BIRP](?![a-z]{{3,6}}[:.]))(?=[{_OF_URL}>\\])"
        rf"(?:(?<=[{_OF_URL}]..)|(?<=[{_OF_URL}]...))", ""),
    Row(DECODED, r"\\(?<!\\\\)(?:\((?P<two>ti|ha|aq)|\[(?P<more>ti|ha|aq)\])",
        lambda match: _ROFF[match["two"] or match["more"]]),
    Row(DECODED, r"\\f[BIRPCW1-9](?=[a-z]{3,6}:|[\w.\\-]{1,64}[@.])", " "),
    # LaTeX's percent sign, and JSON's "\u0026"
    Row(DECODED, r"\\%(?=[0-9A-Fa-f]{2})", "%"),
    Row(DECODED, rf"{_JSON_CHARACTER}(?<=[^\s\"<>].{{6}})", _in_unicode),
    # a string literal that goes on
    Row(Repair(RepairCode.DECODED_ESCAPES, "joined string literals"), _SEAM, _joined_literals),
)  # fmt: skip
"""The rows that a place asks for."""

# JSON, as PHP and others write it: RFC 8259, section 7. A writer who escapes one slash escapes all, so a
# plain one ends such a URL: in "s/http:\/\/a.example\/x/y/" the last two slashes belong to the program.
_IN_JSON = lazy_re(
    r"(?:(?<![A-Za-z0-9+.-])[A-Za-z][A-Za-z0-9+.-]{0,39}+:\\/\\/|\b(?i:www|ftp)\.[\w.-]{1,250}(?=\\/))(?:[^\s\"<>`\\/]|\\/|\\u[0-9A-Fa-f]{4})*"
)
_OF_JSON = lazy_re(rf"\\/|{_JSON_CHARACTER}")
_OF_A_PROGRAM = lazy_re(r"\\[^\"nrtu/\s]")  # an escape that JSON does not have


def _of_json(text: str) -> Iterator[Edit]:
    for run in _IN_JSON.finditer(text):
        if _OF_A_PROGRAM.match(text, run.end()):
            continue
        for match in _OF_JSON.finditer(text, *run.span()):
            yield Edit(*match.span(), "/" if match[0][1] == "/" else _in_unicode(match))
        if text.startswith("/", run.end()):
            yield Edit(run.end(), run.end(), " ")


# --- quoted-printable that nobody has decoded: RFC 2045, section 6.7 --------------------------------

_SOFT_END = rf"[ \t]{{0,2}}{LINE_END}"  # blanks may have been added in transit
_QUOTE_PREFIX = lazy_re(rf"{MARKS_AND_BLANKS}{{0,40}}+")
_BYTE, _MORE = "=[0-9A-F]{2}", "=[89AB][0-9A-F]"
_ESCAPES = lazy_re(
    rf"=[ \t]{{0,2}}(?={LINE_END})"
    rf"|=[CD][0-9A-F]{_MORE}|=E[0-9A-F]{_MORE}{_MORE}|=F[0-7]{_MORE}{_MORE}{_MORE}|{_BYTE}"
)
# What nothing else has: the sign of an attribute, a blank at a line end, letters as UTF-8, or as Latin-1
# within a word, a line end before a soft one
_STRONG = lazy_re(
    rf"=(?:3D(?=[\"'])|20(?=\s|\Z)|[C-F][0-9A-F]=[89AB][0-9A-F]|0A(?=={_SOFT_END}))"
    rf"|(?<=[A-Za-z])(?>(?:=[C-F][0-9A-F])+)(?=[a-z])(?![0-9a-f]{{2}})"
)
_WEAK = lazy_re(rf"=3D(?![\"'])|={_SOFT_END}")
_VALUE = lazy_re(r"\?(?![^\s]{0,500}=3D)[^\s?]{0,500}=20(?=\s|\Z)")
_SOFT = lazy_re(rf"={_SOFT_END}")
_FULL_LINE = lazy_re(rf"(?<=[^\r\n]{{59}})={_SOFT_END}")
_INVALID = lazy_re(rf"=(?![0-9A-F]{{2}}|{_SOFT_END})")
_LONG_LINE = lazy_re(r"(?m:^)[^\r\n]{92}")  # the standard has 78, and quote prefixes are added later


def _of_quoted_printable(text: str, *, joins: bool) -> Iterator[Edit]:
    """Yield the edits of a paragraph, none unless two signs show that it is quoted-printable."""
    strong, weak = (len(pattern.findall(text)) for pattern in (_STRONG, _WEAK))
    if "=20" in text and _VALUE.search(text):  # the values of queries
        strong -= text.count("=20")
    is_sure = (
        strong
        or ("=3D" in text and _FULL_LINE.search(text))
        or (text.count("=3D") > 1 and _SOFT.search(text))
    )
    if not is_sure or strong + weak < 2 or _INVALID.search(text) or _LONG_LINE.search(text):
        return
    for match in _ESCAPES.finditer(text):
        start, end = match.span()
        if match[0].rstrip() != "=":
            yield Edit(start, end, _decoded(match[0]))
            continue
        line = line_start(text, start)
        turn = patterns_of(opening_prefix(text[line:start])).next_line.match(text, end) if joins else None
        own = _QUOTE_PREFIX.match(text, line)
        is_joined = turn and own and turn[1].split() == own[0].split() and len(turn[1]) <= len(own[0])
        yield Edit(start, turn.end() if turn and is_joined else end, "")


def _decoded(written: str) -> str:
    data = bytes.fromhex(written.replace("=", ""))
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")


# --- ends of pages ----------------------------------------------------------------------------------

_FOOTER_BEGINS = re.compile(r"\[Page ")  # `re` finds it quicker than `in` does
_FOOTER = lazy_re(rf"\[[Pp]age [0-9ivxlc]{{1,5}}\][ \t]{{0,9}}{LINE_END}")
_EMPTY = rf"[ \t]{{0,80}}{LINE_END}"
_HEADER = lazy_re(
    rf"(?>(?:{_EMPTY}){{0,12}})(?:\f(?>(?:{_EMPTY}){{0,6}})|(?=RFC|INTERNET|Internet|draft-))"
    rf"[ \t]{{0,9}}[^\s<>\0][^\r\n\f<>\0]{{0,90}}{LINE_END}(?>(?:{_EMPTY}){{1,9}})"
)


def is_open_at(text: str, end: int) -> bool:
    """Return whether a bracket is open, or a URL ends its line, so that it may go on over a page's end."""
    low = max(0, end - 200)
    end = low + len(text[low:end].rstrip())
    last = text[max(low, line_start(text, end)) : end]
    is_url = "://" in last and not last[-1].isalnum()
    return is_url or any(
        text.rfind(opener, low, end) > text.rfind(closer, low, end) for opener, closer in WRAPPERS.items()
    )


def _page_breaks(text: str) -> Iterator[Edit]:
    """Yield the end of each page of an RFC: footer, form feed, header, and the blank lines round them.

    Only those count over which something may go on: a bracket that is open, a URL that ends its line.
    """
    for footer in _FOOTER.finditer(text):
        line = line_start(text, footer.start())
        before = text[max(0, line - 300) : line]
        start = line - len(before) + len(before.rstrip())
        header = _HEADER.match(text, footer.end()) if line and is_open_at(text, start) else None
        if header and not {"<", ">"} & set(text[line : footer.start()]):
            yield Edit(start, header.end(), "\n")


# --- the copies -------------------------------------------------------------------------------------

_LONGEST_PARAGRAPH = 8_000  # characters before and after a place that are undone


class Undone(Copy):
    """A copy of a text in which something is undone; ``repairs`` tells of each edit what it is."""

    def __init__(self, text: str, edits: list[tuple[Edit, Repair]]) -> None:
        edits.sort(key=lambda each: each[0].start)
        kept: list[tuple[Edit, Repair]] = []
        for edit, repair in edits:  # the first row that matches a place is the one that counts
            if not kept or edit.start >= kept[-1][0].end:
                kept.append((edit, repair))
        self.repairs = [repair for _, repair in kept]
        super().__init__(text, [edit for edit, _ in kept])


def copy_of_text(text: str, options: ScanOptions) -> Undone | None:
    """Return a copy of a window with its codes, pages and defanged URLs undone, None if it has none."""
    edits: list[tuple[Edit, Repair]] = []
    if "\x1b" in text:
        edits += _edits_of(_SEQUENCE, text)
    if "\f" in text or _FOOTER_BEGINS.search(text):  # two searches are quicker than one for either
        edits += [(edit, _PAGE_BREAK) for edit in _page_breaks(text)]
    if options.refang:
        edits += [(edit, REFANGED) for _, place in defanged_places(text, options) for edit in place]
    return Undone(text, edits) if edits else None


@cache
def _pattern_of(row: Row) -> re.Pattern[str]:
    return re.compile(row.source)


def _edits_of(row: Row, text: str) -> Iterator[tuple[Edit, Repair]]:
    for match in _pattern_of(row).finditer(text):
        new = row.becomes if isinstance(row.becomes, str) else row.becomes(match)
        if new is not None:
            yield Edit(*match.span(), new), row.repair


_BLANK_LINE = lazy_re(END_OF_PARAGRAPH)
_BETWEEN_URLS = (" ", "\t", "\n", "\r", ',"', ':"', '["')  # where a longer paragraph may be cut


def paragraph_at(text: str, at: int, done: int) -> tuple[int, int]:
    """Return the start and end of the paragraph at ``at``, or of as much around it as is undone at once."""
    low = max(at - _LONGEST_PARAGRAPH, done)
    *_, start = (low, *(match.end() for match in _BLANK_LINE.finditer(text, low, at)))
    high = at + _LONGEST_PARAGRAPH
    blank = _BLANK_LINE.search(text, at, high)
    if blank:
        return start, blank.start() + 1
    if high >= len(text):
        return start, len(text)
    cut = max(text.rfind(between, at, high) for between in _BETWEEN_URLS)
    return start, cut + 1 if cut > at else high


def copy_of_paragraph(paragraph: str, *, joins: bool) -> Undone | None:
    """Return a copy of ``paragraph`` without what hides URLs, None if nothing does."""
    edits = [edit for row in _ASKED_FOR for edit in _edits_of(row, paragraph)]
    edits += [(edit, DECODED) for edit in _of_json(paragraph)]
    edits += [(edit, _QUOTED_PRINTABLE) for edit in _of_quoted_printable(paragraph, joins=joins)]
    return Undone(paragraph, edits) if edits else None


# Characters right after a URL, and right before one, that belong to no sign
_NEVER_AFTER, _NEVER_BEFORE = frozenset(" \n\r\t>),;:!?]\0"), frozenset(" \t<>(\"'")
_SIGNS = (
    *(row.source for row in _ASKED_FOR),
    r"\\/",  # JSON
    rf"=(?:3D|20(?![0-9])|[C-F][0-9A-F]=|{_SOFT_END})",  # quoted-printable
)
_BEGINS_SIGN = r"[\\\[\#^=\"\xad\u2060\u200b-\u200d]"
_SIGN = lazy_re(rf"(?={_BEGINS_SIGN})(?:{'|'.join(_SIGNS)})")  # which is asked first is quick to search for
_FIRST_OF_SIGN = lazy_re(_BEGINS_SIGN)
_TOKEN = lazy_re(r"[:.@/]?[^\s<>\"]*")
_BEFORE, _LONGEST, _AFTER = 60, 500, 50  # characters before a place, of its URL, and after it


def asks_for_undoing(text: str, at: int, done: int) -> tuple[int, int] | None:
    """Return the paragraph of the place at ``at`` if its URL, or what is right at it, has a sign of a row."""
    end = _TOKEN.match(text, at, at + _LONGEST).end() + _AFTER  # type: ignore[union-attr]
    first = _FIRST_OF_SIGN.search(text, max(0, at - _BEFORE), end)
    if first is None or not _SIGN.search(text, first.start(), end):
        return None
    start, stop = paragraph_at(text, at, done)
    return (start, stop) if _SIGN.search(text, max(start, first.start()), min(stop, end)) else None


_ESCAPE = lazy_re(rf"=(?:3D|20|[C-F][0-9A-F]=|{_SOFT_END})")
_ESCAPED_SIGN = lazy_re(r"[^=]*=3D[\w%]|[^=?]*/=20\Z")
_SOFT_AFTER = lazy_re(rf"(?:{AFTER_WORD}|[*-]){{0,2}}={_SOFT_END}{MARKS_AND_BLANKS}{{0,40}}+[a-z0-9/]")


def _may_have_escape(text: str, at: int, stop: int) -> bool:
    """Return whether a "=" of ``at:stop``, or of the line right after it, may be quoted-printable's."""
    found = _ESCAPE.search(text, at, stop + 12)
    return found is not None and "\n" not in text[stop : found.start()]


def shows_no_sign(match: Match, text: str, at: int) -> bool:
    """Return whether nothing in or right at the URL of the place ``at`` is a sign of a row, as of most.

    It is quicker to ask than `asks_for_undoing`, which decides about all others.
    """
    start, end, first, stop, _, raw = match[:6]
    before = text[first - 1]
    return (
        text[stop] in _NEVER_AFTER
        and (
            start != first or before in _NEVER_BEFORE or (before == "\n" and text[first - 2] not in "= \t\r")
        )
        and raw.isascii()
        and "\\" not in raw
        and ("=" not in text[at : end + 3] or not _may_have_escape(text, at, stop))
    )


def with_doubt(match: Match, text: str) -> Match:
    """Return ``match`` with a defect if its first "=", or the one after it, may be an escape."""
    if not _may_have_escape(text, match.start, match.stop):
        return match
    is_doubtful = _ESCAPED_SIGN.match(match.url) or (
        not {"?", "="} & set(match.url) and _SOFT_AFTER.match(text, match.stop)
    )
    return match._replace(defects=(*match.defects, _UNDECODED)) if is_doubtful else match


def placed(result: Match | Refusal, copy: Undone, text: str) -> Match | Refusal:
    """Return a result in ``copy`` as it stands in ``text``: with its places there, and what was undone."""
    span = Span(copy.original(result.start), copy.original(result.end, is_end=True))
    if isinstance(result, Refusal):
        return result._replace(start=span.start, end=span.end, raw=readable(span.of(text)[:SHOWN]))
    first, stop = result.first, result.stop
    inner = Span(copy.original(first), copy.original(stop, is_end=True))
    other_end = result.other_end and copy.original(result.other_end, is_end=True)
    begin, end = bisect_left(copy.copied, first), bisect_left(copy.copied, stop)
    match = result._replace(
        start=span.start, end=span.end, first=inner.start, stop=inner.end, other_end=other_end
    )
    if begin == end:
        return match
    whole = readings(result)
    pieces = [
        Span(copy.original(first + a) - inner.start, copy.original(first + b, is_end=True) - inner.start)
        for a, b in whole.pieces
    ]
    repairs = tuple(dict.fromkeys((*whole.repairs, *copy.repairs[begin:end])))
    lines = inner.of(text).count("\n")
    if lines and RepairCode.JOINED_LINES not in [repair.code for repair in repairs]:
        repairs = (Repair(RepairCode.JOINED_LINES, f"joined {lines + 1} lines"), *repairs)
    match = match._replace(
        raw=readable(inner.of(text)), pieces=tuple(pieces), repairs=repairs, others=whole.alternatives
    )
    if REFANGED in repairs and result.prefix is not None:  # what stands on its other lines, too
        match = match._replace(url=refang(joined(match.raw, result.prefix)))
    edit = copy.edits[begin]
    if (
        copy.copied[begin] == first and edit.start == edit.end and edit.new.endswith("://")
    ):  # its scheme was added
        # In quotes it counts as bare, as other hosts do.
        place = inner if match.form is Form.QUOTED else span
        match = match._replace(
            form=Form.ABBREVIATED,
            start=place.start,
            end=place.end,
            repairs=(*repairs, added_scheme(edit.new)),
        )
    return match
