"""Results as the lines of text around them: ``--context``, which prints as grep -C does."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator

from urlextract.grammar.chars import LINE_END
from urlextract.grammar.patterns import lazy_re
from urlextract.message.html_page import Readable
from urlextract.output.escaping import harmless
from urlextract.output.outputs import OutputOptions
from urlextract.output.terminal import styled_match, styled_names, styled_separator
from urlextract.output.writer import Writer
from urlextract.records import Origin, Span
from urlextract.results import Found

_LINE_END = lazy_re(LINE_END)
_KEPT = 1 << 18  # characters before the last piece of a text: more than the scanner holds back
_MOST_CR = 4  # carriage returns that are part of a line end with the line feed after them
_BETWEEN = "--"


class Lines:
    """The lines of a text that comes in pieces, by their numbers; only the last ones are kept.

    These are at least ``around`` lines, and those in the last `_KEPT` characters. ``before_drop`` is
    called with the number of the first line that stays, before others are dropped. Of a line that is
    longer than that, only the end is kept.
    """

    def __init__(self, origin: Origin, *, start: int, line: int, around: int) -> None:
        self.origin = origin
        self._around = around
        self._starts, self._texts = [start], [""]
        self.first = line
        self.end = start
        self.before_drop: Callable[[int], None] | None = None

    @property
    def last(self) -> int:
        """The number of the last line."""
        return self.first + len(self._starts) - 1

    def add(self, piece: str) -> None:
        """Add a piece of the text."""
        self._drop()
        text, start = self._texts.pop(), self._starts[-1]
        held = max(0, len(text) - 8)  # a line end that was cut is found again
        text += piece
        open_from = max(len(text.rstrip("\r")), len(text) - _MOST_CR)
        at = 0
        for match in _LINE_END.finditer(text, held):
            if match.start() >= open_from and match.group() == "\r":
                break  # a line feed may follow
            self._texts.append(text[at : match.start()])
            at = match.end()
            self._starts.append(start + at)
        self._texts.append(text[at:])
        self.end = start + len(text)

    def _drop(self) -> None:
        """Drop what is too far from the end."""
        keep_from = self.end - _KEPT
        index = min(bisect_right(self._starts, keep_from) - 1, len(self._starts) - 1 - self._around)
        if index > 0:
            if self.before_drop:
                self.before_drop(self.first + index)
            del self._starts[:index], self._texts[:index]
            self.first += index
        if self._starts[-1] < keep_from:
            self._texts[-1] = self._texts[-1][keep_from - self._starts[-1] :]
            self._starts[-1] = keep_from

    def number_of(self, offset: int) -> int:
        """Return the number of the line that has the character at ``offset``."""
        return self.first + max(0, bisect_right(self._starts, offset) - 1)

    def numbered(self, first: int, last: int) -> Iterator[tuple[int, int, str]]:
        """Yield the number, the offset and the text of each line from ``first`` to ``last`` that is kept."""
        for number in range(max(first, self.first), min(last, self.last) + 1):
            start, text = self._starts[number - self.first], self._texts[number - self.first]
            text = text.rstrip("\r") if number == self.last else text
            if number < self.last or text:
                yield number, start, text


class Texts:
    """The texts of one item, each by its origin."""

    def __init__(self, around: int) -> None:
        self._around = around
        self._lines: dict[Origin, Lines] = {}

    def add(self, text: Readable) -> None:
        """Add a text, or the next piece of it."""
        origin, known = text.origin, self._lines.get(text.origin)
        if known is None or known.end != text.start:
            known = Lines(origin, start=text.start, line=text.line, around=self._around)
            self._lines[origin] = known
        known.add(text.text)

    def lines_of(self, found: Found) -> Lines:
        """Return the lines of the text in which ``found`` counts."""
        return self._lines[found.origin]


class _Printer:
    """Prints lines as soon as no later result can be in them; results of a text come in its order."""

    def __init__(self, output: OutputOptions, writer: Writer, around: int) -> None:
        self._output, self._writer, self._around = output, writer, around
        self._lines: Lines | None = None
        self._next = self._last = 0  # the first line that is not printed, and the last one with a URL
        self._marked: set[int] = set()
        self._is_first = True
        self._style = output.style
        self._pieces: list[Span] = []

    def add(self, found: Found, lines: Lines) -> None:
        """Add a result."""
        if lines is not self._lines:
            self.finish()
            self._lines, self._next, self._last = lines, lines.first, -1
            lines.before_drop = self._print_before
        first, last = lines.number_of(found.span.start), lines.number_of(found.span.end - 1)
        self._print_before(first)
        begin = first - self._around
        if begin > self._next or self._last < 0:
            self._next = max(begin, self._next)
            if not self._is_first:
                self._write(styled_separator(_BETWEEN) if self._style and self._style.color else _BETWEEN)
            self._is_first = False
        self._marked.update(range(first, last + 1))
        if self._style and self._style.color:
            self._pieces += found.pieces
        self._last = max(last, self._last)
        self._print_to(first - 1)

    def finish(self) -> None:
        """Print what is left of the lines around the last result."""
        if self._lines:
            self._print_to(self._last + self._around)
            self._lines.before_drop = None
            self._marked.clear()
            self._pieces.clear()

    def _print_before(self, line: int) -> None:
        """Print the lines that end before ``line`` and are near the last result."""
        if self._last >= 0:
            self._print_to(min(self._last + self._around, line - 1))

    def _print_to(self, last: int) -> None:
        if self._lines is None or last < self._next:
            return
        for number, start, text in self._lines.numbered(self._next, last):
            self._write(self._line(number, start, text, self._lines.origin))
            self._pieces = [piece for piece in self._pieces if piece.end > start + len(text)]
        self._next = last + 1
        self._marked = {number for number in self._marked if number > last}

    def _write(self, line: str) -> None:
        self._writer.write(line, is_safe=self._style is not None)

    def _line(self, number: int, start: int, text: str, origin: Origin) -> str:
        """Return a line with the names and numbers before it, which a colon ends where a URL is."""
        mark = ":" if number in self._marked else "-"
        field = f"{origin.header}: " if origin.header else ""
        before = styled_names(self._output.names(origin, number), mark, self._style)
        return before + (harmless(field) + self._colored(start, text) if self._style else field + text)

    def _colored(self, start: int, text: str) -> str:
        """Return a line that begins at the offset ``start``, with its pieces of URLs coloured."""
        colored, at = [], 0
        for piece in self._pieces:
            low, high = max(piece.start - start, at), min(piece.end - start, len(text))
            if low < high:
                colored += [harmless(text[at:low]), styled_match(text[low:high])]
                at = high
        return "".join(colored) + harmless(text[at:])


def print_context(results: Iterable[tuple[Found, Lines]], output: OutputOptions, writer: Writer) -> int:
    """Print the lines around each result, with two hyphens between groups; return the number of results."""
    printer = _Printer(output, writer, output.context or 0)
    count = 0
    for found, lines in results:
        printer.add(found, lines)
        count += 1
    printer.finish()
    return count
