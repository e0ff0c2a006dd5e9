"""A bare URL that ends its line: read on into the next lines, and where it ends then.

One match ends the reading for nearly all (`ENDS_HERE`); only what is left is proved or weighed, line by
line. What is joined is read again as unbroken text, by the rules of any bare URL, so that these decide
where it ends. A run of lines is joined whole or not at all. A scheme alone at the end of its line is a
proof like any other.
"""

from __future__ import annotations

from typing import NamedTuple

from urlextract.grammar.chars import END_OF_PARAGRAPH, LINE_END, readable
from urlextract.grammar.marks import (
    ADDED_BARE_BREAKS,
    BARE_BREAKS,
    CLOSERS,
    FREE_MARKS,
    MARKS_AND_BLANKS,
    QUOTING_MARK,
    QUOTING_MARKS,
    SENTENCE_MARKS,
    depth_of,
)
from urlextract.grammar.patterns import lazy_re
from urlextract.grammar.registry import ANY_NAME_WITHOUT_SLASHES, SCHEMES
from urlextract.linebreaks.prefixes import line_start, opening_prefix, patterns_of, prefix_before
from urlextract.scanner.bare import LONGEST_URL, end_after_name, end_after_slashes, trimmed
from urlextract.scanner.evidence import (
    BEGINS_ANEW,
    COMMENT_LINE,
    ENDS_HERE,
    ENDS_HERE_IF_OPEN,
    ENDS_WHOLE,
    OF_HOSTS,
    Certainty,
    LineEnd,
    is_link_open,
    is_ruled_out,
    is_tex,
    judged,
    may_make_host_whole,
    proof_of,
)
from urlextract.scanner.window import END

_SLASHES = lazy_re(r":/{0,2}+|\.")
_NO_HOST_YET = lazy_re(r"(?:[A-Za-z][A-Za-z0-9+.-]*+:/{0,2}|[A-Za-z]{3}\.)\Z")
_AT_LINE_END = lazy_re(rf"[ \t]{{0,8}}+{LINE_END}")
_BLANK_LINE = lazy_re(rf"(?>{LINE_END})(?!{QUOTING_MARK}){MARKS_AND_BLANKS}*+(?=\s)")
_END_OF_PARAGRAPH = lazy_re(END_OF_PARAGRAPH)
_REST_OF_LINE = lazy_re(r"[^\r\n]{0,2048}")
_WORD = lazy_re(r"[^\s\x00-\x1f\x7f]{1,2048}+")
# Another URL may begin in such a word. No line after it is read, but one more that begins with a slash, so
# that each line is read for at most three URLs.
_PLACE_INSIDE = lazy_re(rf"://|(?<![A-Za-z])(?i:{ANY_NAME_WITHOUT_SLASHES}):|(?<!\w)(?i:www|ftp)\.")
_LIST_MARK = lazy_re(r"\[\w{1,3}\][:.]?|\d{1,3}[.):]")
_MAY_END = frozenset("\r\n.?\\%" + BARE_BREAKS)
_OPEN_ENDS = frozenset("%" + BARE_BREAKS)
_ADDED = "\\" + ADDED_BARE_BREAKS
_AFTER_WHOLE = frozenset('?#&>" \t\r\n)]\0')
_AROUND = '()[]{}"<>' + SENTENCE_MARKS  # no rest of a URL ends in them
_LEAST_REST = 3  # characters of a word that makes a URL another one that stands after it
_MOST_LINES, _MOST_BLANKS, _MOST_TAKEN_BACK = 2_000, 9, 33
_BEFORE, _AFTER = 1_024, 400  # characters around a URL that may decide whether it goes on
_LEAD = 300  # characters before it that may decide where it ends: quotes, marks of emphasis


class Continuation(NamedTuple):
    """Where a URL ends that goes on, how sure that is, why, and the URL as far as it was read."""

    end: int
    certainty: Certainty
    reason: str
    url: str


def goes_on_alone(text: str, start: int, mark: int) -> Continuation | None:
    """Return where the URL ends whose scheme, or ``www.``, ends its line, if its host begins the next one.

    The colon or the dot is at ``mark``.
    """
    tail = _SLASHES.match(text, mark).end()  # type: ignore[union-attr]
    is_one = text[mark] == "." or text[start:mark].lower() in OF_HOSTS
    if not is_one or not _AT_LINE_END.match(text, tail):
        return None
    rest = _Lines(text, start, tail).read()
    return rest if rest and rest.certainty is Certainty.SAFE else None


def goes_on(text: str, start: int, end: int) -> Continuation | None:
    """Return how the bare URL, of which ``start:end`` is the first line, goes on; None if it does not."""
    if text[end] in "([{":  # it may close in the next line
        word = _WORD.match(text, end)
        end = word.end() if word and text[word.end()] in "\r\n" else end
    is_before_blank = text[end] in " \t" and text[end - 1] in "-/"
    if not is_before_blank and text[end] not in _MAY_END:
        return None
    tail = end if is_before_blank or text[end] in "\r\n" else end + 1
    last = text[tail - 1]
    blanks = 1 if last in "-/" and text[tail] in " \t" else 0  # archives whose format=flowed was undone
    if text[tail + blanks] not in "\r\n":
        return None
    tail += blanks
    if text[start - 1] not in CLOSERS and last not in "\\%":
        if last in ENDS_WHOLE:
            return None
        is_host = last == "." and text.count("/", start, tail) in (0, 2)
        is_open = last in _OPEN_ENDS or is_host or "%" in text[tail - 3 : tail - 1]
        if (ENDS_HERE_IF_OPEN if is_open else ENDS_HERE).match(text, tail):
            return None
        mark = COMMENT_LINE.match(text, tail)
        if mark and BEGINS_ANEW.match(text, mark.end() - 1) and mark[0][-1] not in prefix_before(text, start):
            return None
    if _BLANK_LINE.match(text, tail):
        return None
    rest = _Lines(text, start, tail - blanks).read()
    return rest if rest and rest.certainty else None


class _Lines:
    """The lines that may belong to one bare URL, of which the first one ends at ``tail``."""

    def __init__(self, text: str, start: int, tail: int) -> None:
        self.text, self.start, self.tail = text, start, tail
        self.line = line_start(text, start)
        self.prefix = opening_prefix(text[self.line : start])
        self.patterns = patterns_of(self.prefix)
        self.depth = depth_of(self.prefix)
        self.is_scheme = _NO_HOST_YET.match(text, start, tail) is not None
        is_tex_comment = text[tail - 1] == "%" and is_tex(text[max(self.line, start - 12) : start])
        self.added = _ADDED + "%" * is_tex_comment
        self.waits = False  # for the whole URL after it
        self._fill: int | None = None  # the width of the prose around it

    def read(self) -> Continuation | None:
        """Read line after line, and return where the URL ends if it may go on."""
        text, tail = self.text, self.tail
        end = self._first()
        accepted: list[tuple[str, int, int]] = []  # the URL up to each line end, and the word after it
        certainty, reason = Certainty.SAFE, ""
        blanks = inside = 0
        while len(accepted) < _MOST_LINES and len(end.url) < LONGEST_URL:
            turn = self.patterns.next_line.match(text, tail + (text[tail] in " \t"))
            word = _WORD.match(text, turn.end()) if turn else None
            if turn is None or word is None:
                if not (turn and depth_of(turn[1]) and blanks < _MOST_BLANKS and is_link_open(end)):
                    break
                tail, blanks = turn.end(), blanks + 1
                continue
            line_end = self._next(end, turn.start(1), word.start(), word.end())
            sure, why = self._judged(end, word.end(), line_end)
            is_weak = sure == Certainty.POSSIBLE and accepted
            if sure is None or is_weak or (self.is_scheme and sure < Certainty.SAFE):
                # Two lines of one width were cut: the word alone on the next line may be the rest.
                is_cut = end.is_alone and end.width == end.last_width and end.word[0].isalnum()
                certainty = min(certainty, Certainty.LIKELY) if is_cut else certainty
                break
            certainty, reason = min(certainty, sure), reason or why
            accepted.append((end.url, word.start(), word.end()))
            if not end.is_alone or text[line_end] not in "\r\n":
                break
            has_place = _PLACE_INSIDE.search(word[0]) is not None
            inside += has_place
            if has_place and (inside > 1 or not text.startswith("/", self._text_of_line(line_end))):
                break
            end, tail = self._later(end, turn.start(1), turn[1], word.start(), word.end()), line_end
        return self._joined(accepted, certainty, reason, is_open=is_link_open(end))

    def _judged(self, end: LineEnd, word_end: int, line_end: int) -> tuple[Certainty | None, str]:
        """Return how sure it is that the URL goes on after a line end, None if it ends there, and why."""
        text = self.text
        proof = proof_of(end)
        if proof:
            return Certainty.SAFE, proof
        rest = end.word.rstrip(_AROUND)
        most = word_end + _AFTER + len(end.url)
        stop = _END_OF_PARAGRAPH.search(text, word_end, most)
        whole = text.find(end.url + rest, word_end, stop.start() if stop else most)
        if len(rest) >= _LEAST_REST and whole >= 0 and not _is_row(text, word_end, whole):
            self.waits = True
            return Certainty.SAFE, "the whole URL stands after it"
        sure, why = Certainty.NONE, ""
        if not is_ruled_out(end):
            self._look_around(end, line_end)
            sure, why = judged(end)
        if not sure and may_make_host_whole(end):
            return Certainty.POSSIBLE, "the next word may make the host whole"
        return (sure or None), why

    def _first(self) -> LineEnd:
        """Return the line end of the first line, without what comes after it."""
        text = self.text
        column = self.line + len(self.prefix)
        lead, piece = text[column : self.start], text[self.start : self.tail]
        is_first = not _LIST_MARK.sub("", lead).strip()
        width = len(text[column : self.tail].expandtabs())
        return LineEnd(
            piece.rstrip(self.added), piece, width=width, begins_line=is_first, depth=self.depth,
            lead=text[max(self.line, self.start - _LEAD) : self.start],
        )  # fmt: skip

    def _next(self, end: LineEnd, begin: int, start: int, stop: int) -> int:
        """Set the fields of the next line, whose prefix begins at ``begin``; return where that line ends."""
        text = self.text
        rest = _REST_OF_LINE.match(text, stop)
        line_end = rest.end() if rest else stop
        prefix = opening_prefix(text[begin:start])
        end.word = text[start:stop]
        end.is_alone = not text[stop:line_end].strip()
        end.is_item = prefix.rstrip().endswith(("*", "+", "-"))
        end.is_quoted_less = depth_of(prefix) < end.depth
        return line_end

    def _later(self, end: LineEnd, begin: int, written: str, start: int, stop: int) -> LineEnd:
        """Return the line end of a line that was accepted, whose word is ``start:stop``."""
        column = begin + len(opening_prefix(written))
        word = self.text[start:stop]
        return LineEnd(
            end.url + word.rstrip(self.added), word, width=len(self.text[column:stop].expandtabs()),
            last_width=end.width, begins_line=True, depth=depth_of(written), lead=end.lead,
        )  # fmt: skip

    def _look_around(self, end: LineEnd, line_end: int) -> None:
        """Set the fields of the lines round the two, which most line ends do not need."""
        text = self.text
        stop = _END_OF_PARAGRAPH.search(text, line_end, line_end + _AFTER)
        next_line = line_end + (2 if text.startswith("\r\n", line_end) else 1)
        after = text[next_line : stop.start() + 1 if stop else line_end + _AFTER].removesuffix(END)
        end.lost_mark = end.is_quoted_less and end.depth <= depth_of(after[:9])
        ends_page = stop is not None and text.startswith("\f", stop.end())
        end.after = self._bare(after.replace("\r", "\n").partition("\n")[0]) or "\f" * ends_page
        if self._fill is None:
            low = max(0, self.line - _BEFORE)
            *_, first = (low, *(match.end() for match in _END_OF_PARAGRAPH.finditer(text, low, self.line)))
            before = text[first : self.line].splitlines()
            whole = [*before[first == low > 0 :], *after.splitlines()[: None if stop else -1]]
            widths = [width for width in map(self._prose_width, whole) if width]
            self._fill = max(widths) if len(widths) > 1 else 0
        end.fill = self._fill

    def _bare(self, line: str) -> str:
        """Return ``line`` without quote prefix and blanks around it."""
        return line[self.patterns.skipped.match(line).end() :].strip()  # type: ignore[union-attr]

    def _prose_width(self, line: str) -> int:
        """Return the width of ``line`` if it is prose of the URL's own quote depth, else 0."""
        if len(line) < 40 or "://" in line:
            return 0
        start = self.patterns.skipped.match(line).end() if self.prefix else 0  # type: ignore[union-attr]
        if line.startswith(tuple(FREE_MARKS), start) or depth_of(line[:start]) != self.depth:
            return 0
        width = len(line[len(opening_prefix(line[:start])) if start else 0 :].expandtabs())
        return width if 40 <= width <= 82 and " " in line[start:].strip() else 0

    def _text_of_line(self, line_end: int) -> int:
        turn = self.patterns.next_line.match(self.text, line_end)
        return turn.end() if turn else line_end

    def _joined(
        self, accepted: list[tuple[str, int, int]], sure: Certainty, reason: str, *, is_open: bool
    ) -> Continuation | None:
        """Read what was accepted as unbroken text, from its last line back to one that adds something."""
        text, start = self.text, self.start
        lead = text[max(self.line, start - _LEAD) : start]
        for whole, word, word_end in accepted[: -_MOST_TAKEN_BACK - 1 : -1]:
            plain = f"\n{lead}{whole}{text[word : word_end + 1]}{END}"
            begin = 1 + len(lead)
            end = end_in(plain, begin)
            added = end - begin - len(whole)
            if added > 0:
                url = plain[begin:end]
                if self.waits and not self._stands_after(url, word_end):
                    return None
                if is_open and is_link_open(LineEnd(url, url)):
                    sure = min(sure, Certainty.POSSIBLE)
                return Continuation(word + added, sure, reason, readable(url))
        return None

    def _stands_after(self, url: str, at: int) -> bool:
        whole = self.text.find(url, at, at + _AFTER + 2 * len(url))
        return whole >= 0 and self.text[whole + len(url)] in _AFTER_WHOLE


def end_in(text: str, start: int) -> int:
    """Return where the bare URL at ``start`` ends in unbroken text, by the rules of any bare URL."""
    colon = text.find(":", start)
    name = text[start:colon].lower()
    if text.startswith("//", colon + 1):
        end = end_after_slashes(text, start, colon) or colon + 3
    else:
        end = end_after_name(text, start, colon + 1 if name in SCHEMES else start)
    return trimmed(text, start, end)


def _is_row(text: str, start: int, whole: int) -> bool:
    """Return whether what stands after a broken URL is the next row of a table, not the whole URL again.

    The next word ends before ``start``; a colon there or after it makes it a label.
    """
    label = text[start - 1 : whole].strip("<()[] \r\n\t" + FREE_MARKS)
    return ":" in label or text[whole - 1] not in "<([ \t\r\n" + QUOTING_MARKS
