"""Fill the paragraphs of whole texts to a width, and leave alone what is no running text.

The URLs are the same before and after: a paragraph in which a reader would find other URLs once it is filled
is left as it was.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from enum import StrEnum
from itertools import groupby, pairwise
from typing import AnyStr, NamedTuple

from urlextract.arguments import check_choice, check_count, check_switches
from urlextract.formatter.texts.broken import Reader, mended, sound
from urlextract.formatter.texts.filling import filled
from urlextract.formatter.texts.kept import Open, begins_unsafely, has_tags, is_fixed, is_kept, kept_lines
from urlextract.formatter.texts.lines import Line, item_mark, line_of
from urlextract.formatter.texts.paragraphs import kept_line_ends
from urlextract.formatter.texts.units import Unit, rewritten
from urlextract.grammar.cells import cells_of
from urlextract.grammar.edits import Edit, edited
from urlextract.grammar.patterns import lazy_re
from urlextract.linebreaks.joining import Join
from urlextract.records import MAY_CONTINUE

_ROUNDS = 9  # until nothing changes: a line that moved may change how others are read
_SPACE = lazy_re(r"[ \t\r\n\f\v]")
_RULE = lazy_re(r"\s*([-=~^\"])\1{2,}\s*\Z")


def rewrap(text: AnyStr, width: int = 72, join: Join = "safe", *, break_urls: bool = False) -> AnyStr:
    r"""Return a text with its paragraphs, or those of a message's plain parts, filled with URLs as units.

    ``width`` counts terminal cells, ``join`` is as for `extract`. URLs stay whole; with ``break_urls``, those
    that are wider than a line are broken in ``<URL:...>``.

    Verse, addresses, lists, header fields, signatures, diffs, code, comments, tables, what has tags of HTML
    keep their lines; links and code of Markdown stay whole. What is signed, flows or is encoded stays.
    Of bytes, bytes are returned.

    >>> print(rewrap("> Cilla says they are at <URL:http://www.example.org/\n> north.html> now.", 42))
    > Cilla says they are at
    > <URL:http://www.example.org/north.html>
    > now.
    """
    return rewritten(text, Filler(width, join, break_urls=break_urls).fill)


class _Reason(StrEnum):
    """What is left as it is, where a reader may wonder."""

    LINES = "paragraph{s} with lists or verse"
    TAGS = "paragraph{s} with HTML"
    MAY_GO_ON = "paragraph{s} in which a URL may go on"
    READ_DIFFERENTLY = "paragraph{s} that would be read differently"
    ENCODED = "encoded part{s}"


_Left = list[tuple[int, _Reason]]
"""What is left of a text, each with the offset at which it begins."""


class _Row(NamedTuple):
    """A line at ``start:end``, without its end."""

    line: Line
    start: int
    end: int


class _Paragraph(NamedTuple):
    """Rows that are filled together: each begins with ``quote``, then with ``first`` or ``rest``."""

    rows: Sequence[_Row]
    quote: str
    first: str
    rest: str
    words: str


class Filler:
    """Fills a text unit by unit. ``left`` counts what stays as it is, by the reason.

    If it ``checks``, it raises `RewrapError` where the text would not read back. Raises `ValueError` for an
    unknown value of an argument.
    """

    def __init__(self, width: int, join: Join, *, break_urls: bool, checks: bool = False) -> None:
        check_count("width", width, 1)
        check_choice("join", join, Join)
        check_switches(break_urls=break_urls)
        self._width, self._break_urls, self._checks = width, break_urls, checks
        self.reader = Reader(join)
        self.left = Counter[_Reason]()
        self._first_left = self._lines = 0  # the number of a line of the result; those before the unit

    def fill(self, unit: Unit) -> str:
        """Return a unit of a text with those paragraphs filled that are read in the same way then."""
        given = unit.text
        left: _Left = [(0, _Reason.ENCODED)] if unit.part.is_encoded_text else []
        for _ in range(_ROUNDS if unit.part.is_fixed else 0):
            left.clear()
            before, unit = unit, unit._replace(text=self._filled_once(unit, left))
            if unit == before:
                break
        self.left.update(reason for _, reason in left)
        if left and not self._first_left:
            self._first_left = self._lines + unit.text.count("\n", 0, min(left)[0]) + 1
        self._lines += unit.text.count("\n")
        if self._checks:
            self.reader.check(given, unit.text)
        return unit.text

    @property
    def left_in_words(self) -> str:
        """What was left as it is, why, and where the first of it is; "" if nothing was."""
        if not self.left:
            return ""
        counts = ((self.left[each], each) for each in _Reason)
        words = ", ".join(f"{count} {each.format(s='s' * (count > 1))}" for count, each in counts if count)
        return f"left as it is: {words}; the first at line {self._first_left} of the result"

    def _filled_once(self, unit: Unit, left: _Left) -> str:
        text = unit.text
        if self.reader.broken(text, unit.opened):
            unsure, stay = _Unsure(self.reader, text), (_Reason.TAGS, _Reason.MAY_GO_ON)
            parts = (part for part in _fillable(text, unit.opened) if unsure.reason_in(part) not in stay)
            lines = {row.start for part in parts for row in part}
            text = mended(text, self.reader, unit.opened, filled=lines)
        tries = list(self._tries(text, unit, left))
        kept = sound(text, [edit for edit, _ in tries], self.reader.stays)
        done = {each.start for each in kept}
        if self._break_urls and len(done) < len(tries):
            others = (
                self._edit(text, each, break_urls=False) for edit, each in tries if edit.start not in done
            )
            kept = sound(text, sorted([*kept, *filter(None, others)]), self.reader.stays)
            done = {each.start for each in kept}
        left += [(edit.start, _Reason.READ_DIFFERENTLY) for edit, _ in tries if edit.start not in done]
        return edited(text, kept)

    def _tries(self, text: str, unit: Unit, left: _Left) -> Iterator[tuple[Edit, _Paragraph]]:
        """Yield what is to stand in place of each paragraph that is changed."""
        unsure = _Unsure(self.reader, text)
        for each in self._paragraphs(text, unit, left):
            start, end = each.rows[0].start, each.rows[-1].end
            if len(each.rows) == 1 and cells_of(text[start:end]) <= self._width:
                continue
            ways = (True, False) if self._break_urls else (False,)
            edits = (self._edit(text, each, break_urls=how) for how in ways)
            edit = next(filter(None, edits), None)
            if edit and edit.new == text[start:end]:
                continue
            reason = unsure.reason_in(each.rows) or (None if edit else _Reason.READ_DIFFERENTLY)
            if reason:
                left.append((start, reason))
            elif edit:
                yield edit, each

    def _edit(self, text: str, each: _Paragraph, *, break_urls: bool) -> Edit | None:
        """Return what stands in place of a paragraph, None if a line would begin with what has a meaning."""
        first, rest = (self._width - cells_of(each.quote + lead) for lead in (each.first, each.rest))
        lines = filled(each.words, first, rest, break_urls=break_urls)
        if any(map(begins_unsafely, lines[1:])):
            return None
        start, end = each.rows[0].start, each.rows[-1].end
        line_end = "\r\n" if text.startswith("\r", each.rows[0].end) else "\n"
        margin = f"{line_end}{each.quote}{each.rest}"
        return Edit(start, end, each.quote + each.first + margin.join(lines))

    def _paragraphs(self, text: str, unit: Unit, left: _Left) -> Iterator[_Paragraph]:
        """Yield the paragraphs of running text."""
        for part in _fillable(text, unit.opened):
            bodies = [row.line.body for row in part]
            ends = kept_line_ends(bodies, self._width)
            if len(ends) == len(part) - 1 and any(self._fit(*pair) for pair in pairwise(bodies)):
                left.append((part[0].start, _Reason.LINES))
            for low, high in pairwise(sorted({0, *ends, len(part)})):
                if paragraph := _paragraph(part[low:high]):
                    yield paragraph

    def _fit(self, body: str, following: str) -> bool:
        return cells_of(f"{body} {following.split(None, 1)[0]}") <= self._width


def _rows_of(text: str) -> Iterator[_Row]:
    """Yield the lines of a text."""
    start = 0
    for each in text.split("\n"):
        line = line_of(each.rstrip("\r"))
        yield _Row(line, start, start + len(line.quote + line.body))
        start += len(each) + 1


class _Unsure:
    """The URLs of a text that may go on, or have white space in them: where they are, nothing is filled."""

    def __init__(self, reader: Reader, text: str) -> None:
        self._text = text
        self._found = [
            found
            for found in reader.matches(text)
            if MAY_CONTINUE in found.defects or _SPACE.search(text, *found.span)
        ]
        self._starts = [found.start for found in self._found]

    def reason_in(self, rows: Sequence[_Row]) -> _Reason | None:
        """Return why lines are left as they are, None if nothing in them is a reason."""
        start, end = rows[0].start, rows[-1].end
        if has_tags(self._text[start:end]):
            return _Reason.TAGS
        low, high = bisect_left(self._starts, start), bisect_left(self._starts, end)
        within = [
            each for each in self._found[max(low - 1, 0) : high] if start < max(each.end, each.other_end)
        ]
        if any(MAY_CONTINUE in each.defects for each in within):
            return _Reason.MAY_GO_ON
        return _Reason.READ_DIFFERENTLY if within else None


def _fillable(text: str, opened: Open | None) -> Iterator[Sequence[_Row]]:
    """Yield the lines of each part of a text that is no code, table, or the like."""
    rows = [*_rows_of(text)]
    kept, _ = kept_lines([row.line for row in rows], opened)
    for run in _runs(rows, kept):
        if not is_kept([row.line for row in run]):
            yield from _parts(run)


def _runs(rows: Sequence[_Row], kept: Sequence[Open | None]) -> Iterator[Sequence[_Row]]:
    """Yield adjacent lines of one quote depth with nothing between them."""
    for (is_apart, _), run in groupby(
        zip(rows, kept, strict=True),
        lambda each: (each[1] is not None or each[0].line.is_blank, each[0].line.marks),
    ):
        if not is_apart:
            yield [row for row, _ in run]


def _parts(run: Sequence[_Row]) -> Iterator[Sequence[_Row]]:
    """Yield the lines of a run up to the next item of a list, or a line that stays alone, as a title does."""
    bodies = [row.line.body for row in run]
    fixed = [is_fixed(body) for body in bodies]
    starts = [
        at
        for at, body in enumerate(bodies)
        if not at
        or fixed[at]
        or fixed[at - 1]
        or item_mark(body)
        or (at + 1 < len(run) and _RULE.match(bodies[at + 1]))
    ]
    for low, high in pairwise([*starts, len(run)]):
        if not fixed[low]:
            yield run[low:high]


def _paragraph(rows: Sequence[_Row]) -> _Paragraph | None:
    """Return lines as a paragraph, None if their indents fit none."""
    (first, *others), bodies = (row.line for row in rows), [row.line.body.strip(" ") for row in rows]
    mark = item_mark(first.body)
    indents = {line.indent for line in others}
    if mark:
        bodies[0] = first.body[len(mark) :].strip(" ")
    elif len(indents) > 1:
        return None
    rest = others[0].indent if others else " " * len(mark) or first.indent
    words = " ".join(filter(None, bodies))
    if "\t" in (mark or first.indent) + rest or not words:
        return None
    return _Paragraph(rows, first.quote, mark or first.indent, rest, words)
