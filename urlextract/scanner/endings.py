"""Where a wrapper or a quotation ends, or why it is given up.

A wrapper closes at the first ">" that is no quote prefix. Everything that no
broken URL holds gives it up: a "<" in prose is a sign for "less than" as often
as not, and must not swallow the URLs behind it.
"""

import re
from typing import NamedTuple

from urlextract.grammar.chars import BLANKS, LINE_END, WHITESPACE, squeeze
from urlextract.grammar.patterns import later
from urlextract.grammar.registry import SCHEME_NAME
from urlextract.linebreaks.joining import LINE_TAIL
from urlextract.linebreaks.pages import is_page_break_open, page_break_end
from urlextract.linebreaks.prefixes import is_indented, skip_prefix
from urlextract.linebreaks.readings import holds_another
from urlextract.scanner.outcome import Limits

__all__ = ["MORE", "Bracket", "Ending", "quotation_ending", "wrapper_ending"]

# Runs between the characters that decide something. Tab, VT and FF are blanks.
_CONTROLS = r"\x00-\x08\x0e-\x1f\x7f"
_SEGMENT = later(rf'[^<>"\r\n{_CONTROLS}]*+')
_ESCAPED_SEGMENT = later(rf'[^<>"&\r\n{_CONTROLS}]*+(?:&(?!lt;|gt;|quot;)[^<>"&\r\n{_CONTROLS}]*+)*+')
_SENTENCE = later(rf"[.,;!?)\]][{BLANKS}]++(?=[^\s])")
_OPEN_ENTITY = later(r"&[a-z]{0,4}\Z")  # it may be the closer
_INNER_BLANK = later(rf"[{BLANKS}]++(?=[^{WHITESPACE}])")
_LINE_END = later(LINE_END)
_OWN_SCHEME = later(rf"{SCHEME_NAME}:(?=//|[^\s/])")
_WORD_END = later(r'[\s"<>]')
_BLANK_END = later(rf"[{BLANKS}]*+(?:{LINE_END}[{BLANKS}>|]*+)?>")


class Ending(NamedTuple):
    """The end of a bracket: where the raw text ends, where the whole does, or why neither.

    ``start`` is where the raw text begins: elsewhere than asked for nested brackets.
    ``is_printed`` says that its lines are as a formatter prints them.
    """

    start: int
    raw_end: int
    end: int
    fault: str | None = None
    is_printed: bool = False


MORE = Ending(-1, -1, -1, "more text is needed")
"""Nothing can be said before more text has been seen."""


class Bracket(NamedTuple):
    """What is known of a bracket before its inside is read.

    ``prefix`` is the quote prefix of its line; ``escaped`` ones are closed by
    ``&gt;``; ``is_whole`` says that no more text follows what is there.
    """

    text: str
    start: int
    prefix: str
    limits: Limits
    is_whole: bool
    escaped: bool = False

    def given_up(self, at: int, fault: str) -> Ending:
        """Give up at ``at``."""
        return Ending(self.start, at, at, fault)


class _Line(NamedTuple):
    """Where the text of the next line begins, what a page break before it took, whether it is indented."""

    start: int
    removed: int
    is_indented: bool


def _next_line(bracket: Bracket, at: int) -> _Line | Ending:
    """Go on from the line end ``at``, over a page break and the quote prefix."""
    text, is_whole = bracket.text, bracket.is_whole
    match = _LINE_END.match(text, at)
    start = match.end() if match else at
    if start == len(text):
        return bracket.given_up(at, "never closed") if is_whole else MORE
    if not is_whole and is_page_break_open(text, start):
        return MORE
    behind_page = page_break_end(text, start) or start
    behind = skip_prefix(text, behind_page, bracket.prefix)
    if behind == len(text):
        return bracket.given_up(at, "never closed") if is_whole else MORE
    if text[behind] in "\r\n":
        return bracket.given_up(at, "a blank line")
    return _Line(behind, behind_page - start, is_indented(text, behind_page, behind, bracket.prefix))


class _Inside:
    """The inside of a bracket, read segment by segment, line by line.

    What people break is short; what a formatter prints may be as long as any bare URL,
    and shows what it is: each line holds one run, and all but the first are indented.
    """

    def __init__(self, bracket: Bracket) -> None:
        self.bracket = bracket
        self.at = bracket.start
        self.lines = 1
        self._removed = 0
        self._is_printed = True

    def segment_end(self, segment: re.Pattern[str]) -> int:
        """Give the end of the segment that begins at ``at``: no more than the limit allows."""
        most = self.bracket.start + self._max_chars() + self._removed + 1
        match = segment.match(self.bracket.text, self.at, most)
        return match.end() if match else self.at

    def _max_chars(self) -> int:
        limits = self.bracket.limits
        return limits.max_run if self._is_printed and self.lines > 1 else limits.max_chars

    def fault_at(self, end: int) -> Ending | None:
        """Say what ends the search where a segment does: a limit, or the end of the text."""
        bracket, limits = self.bracket, self.bracket.limits
        size = end - bracket.start - self._removed
        if size > self._max_chars():
            return bracket.given_up(end, f"longer than {self._max_chars():,} characters")
        if end == len(bracket.text):
            return bracket.given_up(end, "never closed") if bracket.is_whole else MORE
        is_long = size > limits.max_chars or self.lines > limits.max_lines
        if is_long and not self.is_printed(end):
            return bracket.given_up(end, _too_long(size, limits))
        return None

    def go_on(self, end: int) -> Ending | None:
        """Go on to the next line, if there may be one."""
        limits = self.bracket.limits
        if not limits.joins:
            return self.bracket.given_up(end, "broken over lines")
        self._is_printed = self.is_printed(end)
        if self.lines >= limits.max_lines and not self._is_printed:
            return self.bracket.given_up(end, _too_long(0, limits))
        line = _next_line(self.bracket, end)
        if isinstance(line, Ending):
            return line
        self.lines += 1
        self.at = line.start
        self._removed += line.removed
        self._is_printed = self._is_printed and line.is_indented
        if self.lines > limits.max_lines and not self._is_printed:
            return self.bracket.given_up(end, _too_long(0, limits))
        return None

    def is_printed(self, end: int) -> bool:
        """Say whether all is as a formatter prints it, up to ``end`` on the line that ends there."""
        return self._is_printed and not _INNER_BLANK.search(self.bracket.text, self.at, end)


def _too_long(size: int, limits: Limits) -> str:
    if size > limits.max_chars:
        return f"longer than {limits.max_chars:,} characters"
    return f"longer than {limits.max_lines} lines"


def wrapper_ending(bracket: Bracket, *, nests: bool = True) -> Ending:
    """Find the end of a wrapper; ``nests`` reads one inside it that says the same."""
    text = bracket.text
    inside = _Inside(bracket)
    segment = _ESCAPED_SEGMENT if bracket.escaped else _SEGMENT
    while True:
        end = inside.segment_end(segment)
        sentence = _SENTENCE.search(text, inside.at, end)
        if sentence and not (bracket.escaped and _OPEN_ENTITY.match(text, sentence.end())):
            return bracket.given_up(inside.at, "a sentence goes on inside")
        fault = inside.fault_at(end)
        if fault is None and text[end] not in "\r\n":
            if text[end] == "<" and nests:
                return _nested(bracket, end)
            ending = _closing(bracket, end)
            is_printed = inside.lines > 1 and inside.is_printed(end)
            return ending._replace(is_printed=True) if is_printed and ending is not MORE else ending
        fault = fault or inside.go_on(end)
        if fault:
            return fault


def _closing(bracket: Bracket, end: int) -> Ending:
    """Judge the character that stopped the search."""
    text = bracket.text
    if bracket.escaped:
        if text.startswith("&gt;", end):
            return Ending(bracket.start, end, end + 4)
        if not bracket.is_whole and len(text) - end < 6:
            return MORE
    elif text[end] == ">":
        return Ending(bracket.start, end, end + 1)
    if text[end] in "<&":
        return bracket.given_up(end, 'another "<"')
    return bracket.given_up(end, f"a character no URL holds ({ascii(text[end])[1:-1]})")


def _nested(bracket: Bracket, at: int) -> Ending:
    """Read ``<mailto:a@b <mailto:a@b>>`` as one: two brackets about the same URL."""
    text = bracket.text
    outer = squeeze(text[bracket.start : at].rstrip("> \t\r\n|"))
    given_up = bracket.given_up(at, 'another "<"')
    known = min(len(outer), len(text) - at - 1)
    if text[at + 1 : at + 1 + known] != outer[:known]:
        return given_up
    inner = wrapper_ending(bracket._replace(start=at + 1), nests=False)
    if inner is MORE:
        return MORE
    if inner.fault or squeeze(text[inner.start : inner.raw_end]) != outer:
        return given_up
    match = _BLANK_END.match(text, inner.end)
    if match:
        return Ending(inner.start, inner.raw_end, match.end())
    return given_up if bracket.is_whole or len(text) - inner.end > 80 else MORE


def quotation_ending(bracket: Bracket) -> Ending:
    """Find the closing quote of a quotation.

    Prose is quoted too: a blank inside a line, or a next line with a scheme of
    its own, and it is no quotation of a URL.
    """
    text = bracket.text
    inside = _Inside(bracket)
    while True:
        end = inside.segment_end(_SEGMENT)
        fault = _quotation_fault(inside, end) or inside.fault_at(end)
        if fault is None and text[end] == '"':
            return Ending(bracket.start, end, end + 1)
        if fault is None and text[end] not in "\r\n":
            return bracket.given_up(end, "a character no quoted URL holds")
        fault = fault or inside.go_on(end) or _own_scheme_fault(inside, end)
        if fault:
            return fault


def _quotation_fault(inside: _Inside, end: int) -> Ending | None:
    """Say what is wrong with the line that ends, or stops, at ``end``."""
    bracket = inside.bracket
    blank = _INNER_BLANK.search(bracket.text, inside.at, end)
    stop = blank.start() if blank else end  # given up at the first fault, not where the text ends for now
    if not blank and bracket.text[end : end + 1] in ("", "\r", "\n"):  # a backslash may continue the line
        tail = LINE_TAIL.search(bracket.text, inside.at, end)
        stop = tail.start() if tail else end
    backslash = bracket.text.find("\\", inside.at, stop)
    if backslash >= 0:
        return bracket.given_up(backslash, "a backslash inside the quotation")
    return bracket.given_up(stop, "a blank inside the quotation") if blank else None


def _own_scheme_fault(inside: _Inside, end: int) -> Ending | None:
    """Say that the line now begun has a scheme of its own; ``end`` is the end of the one before."""
    bracket = inside.bracket
    text = bracket.text
    if not bracket.is_whole and len(text) - inside.at < 60 and not _WORD_END.search(text, inside.at):
        return MORE
    goes_on = holds_another(text[bracket.start : end].rstrip())
    if goes_on or not _OWN_SCHEME.match(text, inside.at):
        return None
    return bracket.given_up(end, "the next line has a scheme of its own")
