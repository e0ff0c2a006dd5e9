"""Cut a text into units that are rewritten one by one, so that only one of them is held.

A unit ends at a blank line, and no URL is in two. A structure that is longer than a unit, such as a diff or a
block between fences, is in several: its first lines are put before each of them, so that it is known there.
A paragraph that is longer ends at a line end or a blank outside of URLs.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable, Iterable, Iterator
from typing import AnyStr, NamedTuple

from urlextract.formatter.texts.blocks import comment_sign
from urlextract.formatter.texts.bodies import TEXT, Part, in_pieces, read_parts
from urlextract.formatter.texts.mending import Readings, names_of, reading_with
from urlextract.formatter.texts.quotes import item_mark, line_of, named_line_of
from urlextract.formatter.texts.untouched import KEPT_BEGINS, is_signature, kept_until
from urlextract.grammar.marks import MARKS_AND_BLANKS
from urlextract.grammar.patterns import lazy_re
from urlextract.linebreaks.joining import Join
from urlextract.scanner.scan import scan
from urlextract.scanner.window import DEFAULT, ScanOptions

_SIZE = 12 * 1024  # characters after which a unit ends at a blank line
_LONGEST = 64 * 1024  # characters after which it ends within a paragraph
_LONGEST_WHOLE = 4 << 20  # characters of a page that is rewritten as one unit
_REACH = 4_000  # characters before and behind an end in which a URL over a blank line is looked for
_AHEAD = 2_000  # characters behind an end that may show that a structure goes on
_MOST_NAMES = 1_000  # of quote marks that are known
_BEGINNING = 64 * 1024  # characters that tell which quote marks with a name the text has
_REFANGED = ScanOptions(refang=True)  # a host in words has blanks in it

_BLANK_LINE = lazy_re(rf"(?<=\n){MARKS_AND_BLANKS}*+\r?\n")
_MAY_BE_KEPT = lazy_re(rf"^(?:[^\n>]{{0,56}}+>)?[>|: \t]*+[{re.escape(KEPT_BEGINS)}]", re.MULTILINE)
_LINE_END = lazy_re(r"\n|\r(?!\n)")
_BLANK = lazy_re(r"[^ \t](?=[ \t])")


class Unit(NamedTuple):
    """A stretch of a part of a text; ``lead`` are the first lines of a structure that goes on in it."""

    text: str
    part: Part
    lead: str = ""

    def changed(self, change: Callable[[str], str]) -> str:
        """Return what ``change`` returns for the text with its lead, without the lead."""
        return change(self.lead + self.text).removeprefix(self.lead)


Change = Callable[[Unit], str]
Write = Callable[[str], object]


def rewrite(pieces: Iterable[str], join: Join, change: Change, write: Write, *, width: int = 0) -> None:
    """Call ``write`` with what ``change`` returns for each unit of a text that comes in pieces.

    If it fills paragraphs to a ``width``, the last line of one that goes on is filled with the next unit.
    """

    def sink_of(part: Part) -> _Cutter | _Whole:
        cutter = _Cutter(TEXT if part.body else part, Readings(join), change, write, width)
        return _Whole(part, change, write, cutter) if part.body else cutter

    read_parts(pieces, sink_of)


def rewritten_part(text: str, part: Part, join: Join, change: Change) -> str:
    """Return the text of one part with each of its units as ``change`` returns it."""
    done: list[str] = []
    cutter = _Cutter(part, Readings(join), change, done.append, 0)
    cutter.feed(text)
    cutter.close()
    return "".join(done)


def rewritten(text: str, join: Join, change: Change, *, width: int = 0) -> str:
    """Return a text with each of its units as ``change`` returns it."""
    done: list[str] = []
    rewrite(in_pieces(text), join, change, done.append, width=width)
    return "".join(done)


def text_or_bytes(text: AnyStr, change: Callable[[str], str]) -> AnyStr:
    r"""Return what ``change`` returns for a text; of bytes, which are decoded for that, as bytes.

    Bytes that are not UTF-8 come back as they were. Raise `TypeError` for anything else.

    >>> text_or_bytes(b"\xfc a", str.upper), text_or_bytes("a", str.upper)
    (b'\xfc A', 'A')
    """
    if isinstance(text, str):
        return change(text)
    if not isinstance(text, bytes | bytearray | memoryview):
        raise TypeError(f"text is {type(text).__name__}, neither str nor bytes")
    return encoded(change("".join(decoded((bytes(text),)))))


def decoded(blocks: Iterable[bytes]) -> Iterator[str]:
    r"""Yield the text of bytes, in pieces; bytes that are not UTF-8 are escaped (PEP 383).

    >>> list(decoded([b"\xc3", b"\xa4\xff"]))
    ['', 'ä\udcff']
    """
    decoder = codecs.getincrementaldecoder("utf-8")("surrogateescape")
    for block in blocks:
        yield decoder.decode(block)
    if rest := decoder.decode(b"", final=True):
        yield rest


def encoded(text: str) -> bytes:
    """Return the bytes that `decoded` made a text of."""
    return text.encode("utf-8", "surrogateescape")


class _Whole:
    """Takes a part of a text in pieces, and rewrites it as one unit; a long page is a text for ``cutter``."""

    def __init__(self, part: Part, change: Change, write: Write, cutter: _Cutter) -> None:
        self._part, self._change, self._write, self._cutter = part, change, write, cutter
        self._pieces: list[str] = []
        self._size = 0

    def feed(self, text: str) -> None:
        """Take more of the part."""
        self._pieces.append(text)
        self._size += len(text)
        if self._size > _LONGEST_WHOLE:
            self._cutter.feed("".join(self._pieces))
            self._pieces.clear()

    def close(self) -> None:
        """Rewrite the part."""
        if self._size > _LONGEST_WHOLE:
            self._cutter.close()
        else:
            self._write(self._change(Unit("".join(self._pieces), self._part)))


class _Cutter:
    """Takes a part of a text in pieces, and rewrites it unit by unit."""

    def __init__(
        self,
        part: Part,
        readings: Readings,
        change: Change,
        write: Write,
        width: int,
    ) -> None:
        self._part, self._readings, self._change, self._write = part, readings, change, write
        self._width = width
        self._text = self._lead = ""
        self._is_first = True
        self._due = _BEGINNING

    def feed(self, text: str) -> None:
        """Take more of the part; rewrite the units that are complete."""
        self._text += text
        while len(self._text) >= self._due:
            self._begin()
            self._cut(_LONGEST)

    def close(self) -> None:
        """Rewrite what is left."""
        self._begin()
        while len(self._text) > 2 * _SIZE and self._cut(2 * _SIZE):
            pass
        if self._text:
            self._rewrite_unit(len(self._text), is_apart=True)

    def _begin(self) -> None:
        if self._is_first:
            self._readings.names = names_of(self._text[:_BEGINNING].split("\n"))

    def _cut(self, longest: int) -> bool:
        """Rewrite a unit, which ends within a paragraph only if the text is ``longest``.

        Return whether there was one; otherwise more of the text is needed.
        """
        # What follows may show that a URL or a structure goes on. It is read again with the next unit.
        limit = len(self._text) - max(_SIZE // 2, len(self._text) // 8)
        for most in (_SIZE, limit):
            ends = [found.end() for found in _BLANK_LINE.finditer(self._text, 0, min(most, limit))]
            for end in ends[:-4:-1]:
                if not self._is_in_url(end):
                    return self._rewrite_unit(end, is_apart=True)
        end = len(self._text) >= longest and (self._end_within(_SIZE) or self._end_within(limit))
        if end and self._rewrite_unit(end, is_apart=False):
            return True
        self._due = 2 * len(self._text)
        return False

    def _is_in_url(self, at: int) -> bool:
        """Return whether a URL is on both sides of a blank or a line end."""
        start = max(0, at - _REACH)
        found = scan(self._text[start : at + _REACH], _REFANGED)
        return any(match.start < at - start < match.end for match in found)

    def _end_within(self, limit: int) -> int:
        """Return the last place before ``limit`` where a paragraph may be cut, 0 if there is none."""
        for pattern in (_LINE_END, _BLANK):
            ends = [found.end() for found in pattern.finditer(self._text, 0, limit)]
            for end in ends[:-4:-1]:
                if not self._is_in_url(end):
                    return end
        if limit == _SIZE:
            return 0
        found = scan(self._text, _REFANGED)
        around = next((each.span for each in found if each.span.start < limit < each.span.end), None)
        end = limit if around is None else around.start or around.end
        return end if end < len(self._text) else 0

    def _rewrite_unit(self, end: int, *, is_apart: bool) -> bool:
        """Rewrite the unit that ends at ``end``; return whether anything could be."""
        text, rest = self._text[:end], self._text[end:]
        lead = self._lead_of_next(text, rest[:_AHEAD]) if rest else ""
        with reading_with(self._readings):
            if not self._is_first:
                names = names_of(text.split("\n"))
                self._readings.names = names if len(names) < _MOST_NAMES else frozenset()
            result = self._change(Unit(text, self._part, self._lead))
        if not (is_apart or lead) and self._width:
            carried = _start_of_last_line(result)
            if not carried and self._width > len(result):
                return False
            if carried:
                result, rest = result[:carried], _with_next_line(result[carried:], text, rest)
        self._write(result)
        self._text, self._lead, self._due = rest, lead, 2 * _SIZE
        self._is_first = False
        return True

    def _lead_of_next(self, text: str, ahead: str) -> str:
        """Return the first lines of the structure, if any, that goes on after ``text``."""
        if not self._lead and not _MAY_BE_KEPT.search(text):
            return ""
        texts = f"{self._lead}{text}{ahead}".split("\n")
        lines = [named_line_of(each.rstrip("\r"), self._readings.names) for each in texts]
        end = self._lead.count("\n") + text.count("\n")
        at = 0
        while at < end:
            stop = kept_until(lines, at, len(lines))
            is_open = stop > end
            if is_open and lines[at].body == "--" and stop == len(lines):
                is_open, stop = False, at  # a signature only if it is short
            if is_open:
                size = 1 if is_signature(lines[at].body) else 2
                return "".join(f"{each}\n" for each in texts[at : at + size])
            at = max(stop, at + 1)
        return ""


def _start_of_last_line(text: str) -> int:
    """Return where the last line begins that begins within no URL, 0 if that is not found."""
    start = max(0, len(text) - _REACH)
    inside = [match.span for match in scan(text[start:], DEFAULT)]
    ends = [found.end() for found in _LINE_END.finditer(text, start, max(start, len(text) - 1))]
    free = (end for end in reversed(ends) if not any(span.start < end - start < span.end for span in inside))
    return next(free, 0)


def _with_next_line(last: str, text: str, rest: str) -> str:
    """Return ``rest`` with the last line that ``text`` was filled to before it, joined with its first line.

    As a line by itself, it would be a short one that seems to end on purpose. It stays one if it was not
    filled, or if either line has marks or an indent.
    """
    if not last.endswith("\n") or text.endswith(f"\n{last}"):
        return last + rest
    line, following = line_of(last), line_of(rest[: rest.find("\n") + 1 or len(rest)])
    is_prose = all(body[:1].isalpha() and not item_mark(body) for body in (line.body, following.body))
    if not is_prose or line.quote != following.quote or comment_sign(line.body):
        return last + rest
    return f"{last.rstrip()} {rest[len(following.quote) :]}"
