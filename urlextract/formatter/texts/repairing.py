"""Make each broken URL of a text whole on one line, and change no other line.

All is decided by the line ends within the URLs (`Break.gaps`): these are removed, and what follows a URL on
its last line becomes a line of its own, with the prefix of that line.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any, AnyStr

from urlextract.arguments import check_choice, check_switches
from urlextract.formatter.texts.bodies import PAGE, TEXT, Part, line_offsets
from urlextract.formatter.texts.checking import check_text, has_same_urls
from urlextract.formatter.texts.encoded import with_changed_text
from urlextract.formatter.texts.filling import begins_unsafely
from urlextract.formatter.texts.mending import Break, breaks_in, line_prefix, names_of
from urlextract.formatter.texts.quotes import Line, item_mark, line_of, named_line_of
from urlextract.formatter.texts.replacing import Fang, check_fangs, in_page, with_fangs, with_targets
from urlextract.formatter.texts.units import Unit, rewritten, rewritten_part, text_or_bytes
from urlextract.formatter.texts.untouched import is_signature, kept_until
from urlextract.grammar.marks import REWRAPPED_QUOTES
from urlextract.grammar.patterns import lazy_re
from urlextract.linebreaks.joining import Join
from urlextract.message.charsets import decode
from urlextract.message.content import kind_of
from urlextract.message.events import Body
from urlextract.message.transfer import undo_transfer
from urlextract.pipeline.entry import extract, extract_html
from urlextract.pipeline.options import held
from urlextract.schemes.gateways import own_gateways

_WORD = lazy_re(r"[^ \t\r\n]*+")
_BLANKS = lazy_re(r"[ \t]*+")
_LINE = lazy_re(r"[^\r\n]*+")
_LINE_END = lazy_re(r"\r\n|\n|\r")
_NEXT_LINE = lazy_re(r"[^\r\n]*+(?:\r\n|\n|\r)([^\r\n]{1,200})")
_BLANK_LINE = lazy_re(rf"(?:\r\n|\n|\r)[ \t{re.escape(''.join(REWRAPPED_QUOTES))}]*(?=[\r\n])")
_INDENT = " "  # of the second line of a URL that `format_url` breaks
_ROUNDS = 9  # until nothing changes: a line that got its text of another quote depth may be read differently
_LOOKED_AT = 200  # characters of a line that say whether its beginning has a meaning


def mend(
    text: AnyStr,
    join: Join = "safe",
    *,
    unwrap: bool = False,
    gateways: tuple[str, str] | Iterable[tuple[str, str]] = (),
    defang: bool = False,
    refang: bool = False,
) -> AnyStr:
    r"""Return a text with each broken URL whole on one line, and all else byte for byte as it is.

    What follows the URL on its last line becomes a line of its own. ``join`` is as for `extract`. With
    ``unwrap``, links that gateways have rewritten are replaced by their targets; with ``defang`` or
    ``refang``, URLs are written so, or back.

    Of a message, lines are joined in plain text, but for flowed text, diffs, blocks between fences and of
    HTML; URLs are replaced also in HTML, attached texts and fields. What is signed stays.

    >>> print(mend("> They are at <URL:http://a.example/\n> north.html>, and\n> with Cilla."))
    > They are at <URL:http://a.example/north.html>,
    > and
    > with Cilla.
    >>> mend(b"\xfc <http://a.example/\nb>", defang=True)
    b'\xfc <hxxp://a[.]example/b>'
    """
    check_choice("join", join, Join)
    check_switches(unwrap=unwrap, defang=defang, refang=refang)
    if defang and refang:
        raise ValueError("defang: cannot be used with refang")
    given = held({"gateways": gateways})["gateways"]
    if own_gateways("gateways", given) and not unwrap:
        raise ValueError("gateways: they change nothing without unwrap")
    fang: Fang | None = "defang" if defang else "refang" if refang else None
    mender = Mender(join, gateways=given if unwrap else None, fang=fang)
    return text_or_bytes(text, lambda text: rewritten(text, join, mender.mended))


class Mender:
    """Makes the URLs of a text whole, unit by unit, and puts others in their place.

    ``gateways`` are those of the user, None if no targets are put in. ``fang`` is what is done to all URLs.
    If it ``checks``, it raises `RewrapError` where the text would not read back. ``left`` are the URLs that
    were to be changed and could not be.
    """

    def __init__(
        self,
        join: Join,
        *,
        gateways: tuple[str, str] | Iterable[tuple[str, str]] | None,
        fang: Fang | None,
        checks: bool = False,
    ) -> None:
        self._join, self._gateways, self._fang, self._checks = join, gateways, fang, checks
        self.left = 0

    def mended(self, unit: Unit) -> str:
        """Return the text of a unit, changed."""
        if unit.part is PAGE and not (self._fang or self._gateways is not None):
            return rewritten_part(unit.text, TEXT, self._join, self.mended)
        if unit.part.body:
            return self._of_body(unit.text, unit.part.body, is_sealed=unit.part.is_sealed)
        result = unit.changed(_settled) if unit.part.is_fixed else unit.text
        if self._checks:
            check_text(unit.text, result)
        if self._gateways is not None:
            result, left = with_targets(unit._replace(text=result), self._join, self._gateways)
            self.left += 0 if self._fang else left
        if self._fang:
            before = result
            result, left = with_fangs(unit._replace(text=before), self._fang, self._join)
            self.left += left
            if self._checks and unit.part.content:
                check_fangs(before, result, self._join)
        return result

    def _of_body(self, written: str, body: Body, *, is_sealed: bool) -> str:
        """Return a part that is changed as a whole; of one that is sealed, its URLs are counted."""
        is_page = kind_of(body.content.kind).reader == "page"
        is_plain = body.content.kind == "text/plain" and body.message.depth == 0 and not body.is_attached

        def change(text: str) -> str:
            if is_page:
                if self._gateways is not None:
                    text, _ = in_page(text, None, self._gateways)
                if self._fang:
                    text, left = in_page(text, self._fang, ())
                    self.left += left
                return text
            # Only the lines of plain text of the message itself are joined.
            content = body.content if is_plain else body.content._replace(flowed=True)
            return rewritten_part(text, Part(content), self._join, self.mended)

        before = self.left
        result = (
            None if is_sealed else with_changed_text(written, body.encoding, body.content.charset, change)
        )
        if result is not None:
            return result
        self.left = before + _count(body, is_page=is_page, fang=self._fang, gateways=self._gateways)
        return written


def _count(body: Body, *, is_page: bool, fang: Fang | None, gateways: Any) -> int:
    """Return the number of URLs that are to be changed in a part that cannot be."""
    if fang is None and gateways is None:
        return 0
    data, _ = undo_transfer(body.data, body.encoding)
    text, _ = decode(data, body.content.charset)
    read = extract_html if is_page else extract
    results = read(text, refang=fang == "refang", gateways=gateways or ())
    count = sum(bool(fang or found.wrapped_by) for found in results)
    return max(count, body.rest is not None)  # of a long one, only the beginning is read


def _settled(text: str) -> str:
    for _ in range(_ROUNDS):
        before, text = text, _mended(text)
        if text == before:
            break
    return text


def _mended(text: str) -> str:
    """Return ``text`` with its broken URLs whole, except those that would then be read in another way."""
    breaks = [each for each in breaks_in(text) if each.gaps]
    breaks = _outside(breaks, list(_verbatim(text))) if breaks else []
    if not breaks:
        return text
    result = _without_gaps(text, breaks)
    if has_same_urls(text, result):
        return result
    sound = [each for group in _sound(text, breaks) for each in group]
    result = _without_gaps(text, sound) if sound else text
    return result if has_same_urls(text, result) else text


def _without_gaps(text: str, breaks: Sequence[Break], start: int = 0, stop: int | None = None) -> str:
    """Return a part of ``text`` without the gaps of ``breaks``, and with line ends after the URLs instead."""
    pieces: list[str] = []
    at, stop = start, len(text) if stop is None else stop
    for number, each in enumerate(breaks):
        limit = breaks[number + 1].start if number + 1 < len(breaks) else stop
        for gap in each.gaps:
            pieces.append(text[at : gap.start])
            at = gap.end
        end = _end_of_line(text, each, limit)
        pieces.append(text[at:end])
        at = _end_of(_BLANKS, text, end, len(text))
        if end < limit and text[at : at + 1] not in ("", "\r", "\n"):
            pieces.append(_line_break(text, each, line_prefix(text, breaks, number)))
        else:
            at = end
    return "".join([*pieces, text[at:stop]])


def _end_of_line(text: str, each: Break, limit: int) -> int:
    """Return where the line of a URL ends: after its last word, and words that must not begin a line."""
    end = _end_of(_WORD, text, each.end, limit)
    while end < limit:
        start = _end_of(_BLANKS, text, end, limit)
        rest = text[start : min(_end_of(_LINE, text, start, limit), start + _LOOKED_AT)]
        if not rest or not begins_unsafely(rest):
            break
        end = _end_of(_WORD, text, start, limit)
    return end


def _end_of(pattern: re.Pattern[str], text: str, at: int, limit: int) -> int:
    """Return the end of a match at ``at``, or ``at`` if there is none."""
    match = pattern.match(text, at, limit)
    return match.end() if match else at


def _line_break(text: str, each: Break, first: Line) -> str:
    """Return a line end, and the prefix of the line on which a URL ends; ``first`` is where it begins.

    That prefix may have an indent that belongs to the URL's break: one more blank than the line before
    (see `format_url`), or more, if the lines that follow do not have it.
    """
    gap = each.gaps[-1]
    *_, line_end = _LINE_END.finditer(text, *gap)
    prefix = text[line_end.end() : gap.end]
    usual = first.quote + (" " * len(item_mark(first.body)) or first.indent)
    indent = prefix.removeprefix(usual)
    if (
        prefix.startswith(usual)
        and indent.isspace()
        and (indent == _INDENT or _ends_indent(text, each, prefix))
    ):
        prefix = usual
    return line_end.group() + prefix


def _ends_indent(text: str, each: Break, prefix: str) -> bool:
    """Return whether the line after a URL begins with text, but not after ``prefix``."""
    match = _NEXT_LINE.match(text, each.end)
    following = line_of(match[1]) if match else None
    return following is not None and not following.is_blank and following.quote + following.indent != prefix


def _verbatim(text: str) -> Iterator[tuple[int, int]]:
    """Yield the ranges of characters of what is kept as a whole, in order."""
    texts = text.split("\n")
    offsets = line_offsets(texts)
    names = names_of(texts)
    lines = [named_line_of(each.rstrip("\r"), names) for each in texts]
    at = 0
    while at < len(lines):
        stop = at if is_signature(lines[at].body) else kept_until(lines, at, len(lines))
        if stop > at:
            yield offsets[at], offsets[stop]
        at = max(stop, at + 1)


def _outside(breaks: list[Break], ranges: list[tuple[int, int]]) -> list[Break]:
    """Return the breaks that overlap none of ``ranges``, which are in order."""
    starts = [start for start, _ in ranges]

    def is_outside(each: Break) -> bool:
        before = bisect_right(starts, each.end - 1) - 1
        return before < 0 or ranges[before][1] <= each.start

    return [each for each in breaks if is_outside(each)]


def _sound(text: str, breaks: list[Break]) -> Iterator[list[Break]]:
    """Yield the breaks of each paragraph that has the same URLs without them."""
    blank = [0, *(match.end() for match in _BLANK_LINE.finditer(text)), len(text)]
    for number, group in groupby(breaks, lambda each: bisect_right(blank, each.start)):
        inside = list(group)
        start, stop = blank[number - 1], blank[bisect_left(blank, inside[-1].end)]
        if has_same_urls(text[start:stop], _without_gaps(text, inside, start, stop)):
            yield inside
