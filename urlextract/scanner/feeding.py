"""A text in pieces: held until it can be cut, and cut into windows for the scan.

A scan gets a text whole, in windows of at most 256 KiB: what fits the cache of the processor is read
faster. It is cut at a blank line, for what decides about a URL never stands beyond one, but not near the
end of a page, over which a URL may go on. Without a blank line for 1 MiB it is cut at a line end, without
one between words.
"""

from __future__ import annotations

from collections.abc import Iterator

from urlextract.grammar.marks import END_OF_CLAUSE, WRAPPER_OPENER
from urlextract.grammar.patterns import lazy_re
from urlextract.grammar.registry import SCHEME_NAME
from urlextract.linebreaks.prefixes import line_start, opening_prefix
from urlextract.scanner.undone import is_open_at

_SIZE, _LEAST = 1 << 18, 1 << 14
_MOST = 1 << 20  # characters that are held without a blank line
_BLANK_LINE = lazy_re(r"\n\r?\n")
_NEAR_PAGE_END = lazy_re(r"\f|\[Page ")
_NEAR = 300  # characters before and after a blank line in which the end of a page may be
_BLANK_LINES = ("\n\n", "\n\r\n")


def _last_blank_line(text: str, start: int, end: int) -> int:
    """Return where the last blank line in ``start:end`` begins that is in no page's end, 0 without one."""
    places = {line: text.rfind(line, start, end) for line in _BLANK_LINES}
    while (at := max(places.values())) >= 0:
        if not _is_in_page_end(text, at):
            return at + 1
        for line in _BLANK_LINES:
            if places[line] == at:
                places[line] = text.rfind(line, start, at + 1)
    return 0


def _is_in_page_end(text: str, at: int) -> bool:
    """Return whether the blank line at ``at`` may be part of a page's end over which something goes on."""
    is_near = _NEAR_PAGE_END.search(text, max(0, at - _NEAR), at + _NEAR) is not None
    return is_near or (len(text) - at < _NEAR and is_open_at(text, at))


def _cut(text: str, start: int, end: int) -> int:
    """Return where the text is cut if there is no blank line in ``start:end``."""
    at = max(text.rfind("\n", start, end), text.rfind("\r", start, end - 1)) + 1
    return at if at > start else max(text.rfind(" ", start, end), text.rfind("\t", start, end)) + 1 or end


def windows(text: str) -> Iterator[tuple[int, int]]:
    r"""Yield the start and the end of each window of a whole text.

    >>> list(windows("a" * 200_000 + "\n\n" + "b" * 100_000))
    [(0, 200001), (200001, 300002)]
    """
    start = 0
    while start < len(text):
        end = start + _SIZE
        if end < len(text):
            cut = _last_blank_line(text, start + _LEAST, end)
            end = cut or _first_blank_line(text, end, start + _MOST)
        yield start, min(end, len(text))
        start = end


def _first_blank_line(text: str, start: int, end: int) -> int:
    for match in _BLANK_LINE.finditer(text, start - 1, end):
        at = match.start() + 1
        if not _is_in_page_end(text, at):
            return at
    return _cut(text, start - _SIZE, end) if end < len(text) else len(text)


class Pieces:
    r"""A text that comes in pieces of any length; what was fed is given back in windows, in order.

    ``by_lines``, each piece ends with a line, and what stands on it is decided then: only a bracket that is
    open waits for its closer.

    >>> pieces = Pieces()
    >>> list(pieces.feed("at http://a.ex")), list(pieces.feed("ample/ now\n\nand")), list(pieces.close())
    ([], [(0, 'at http://a.example/ now\n')], [(25, '\nand')])
    """

    def __init__(self, *, by_lines: bool = False) -> None:
        self._held: list[str] = []
        self._size = self._base = self._next_try = self._decided = 0
        self._last = ""  # characters of the piece before
        self._by_lines = by_lines

    def feed(self, text: str) -> Iterator[tuple[int, str]]:
        """Take a piece; yield the windows that no later one can change, each with its offset in all text."""
        if not isinstance(text, str):
            kind = type(text).__name__
            raise TypeError(f"text is {kind}, not str: extract_message and extract_source read bytes")
        self._held.append(text)
        self._size += len(text)
        seam, self._last = self._last + text[:2], (self._last + text[-2:])[-2:]
        marks = ("\n", "\r") if self._by_lines else _BLANK_LINES
        if self._size < self._next_try and not any(mark in text or mark in seam for mark in marks):
            return
        whole = "".join(self._held)
        end = _last_line(whole) if self._by_lines else self._certain_end(whole)
        if end:
            yield from self._windows(whole[:end])
            whole = whole[end:]
        self._held, self._size = [whole], len(whole)
        self._next_try = min(len(whole) + 2 * _NEAR, _MOST)

    def close(self) -> Iterator[tuple[int, str]]:
        """End the text; yield the windows of the rest."""
        whole, self._held, self._size = "".join(self._held), [], 0
        yield from self._windows(whole)

    def _certain_end(self, whole: str) -> int:
        """Return where the last blank line of a text begins that may go on."""
        cut = _last_blank_line(whole, self._decided, len(whole))
        self._decided = 0 if cut else max(0, len(whole) - 2 * _NEAR)  # no blank line before it ends a window
        if not cut and len(whole) >= _MOST:
            return _cut(whole, 0, _MOST)
        return cut

    def _windows(self, text: str) -> Iterator[tuple[int, str]]:
        for start, end in windows(text):
            yield self._base + start, text[start:end]
        self._base += len(text)


# A bracket that may be a wrapper's, and is open where the line ends, with no sentence in it; a scheme alone
_WAITS = lazy_re(
    rf"{WRAPPER_OPENER}\s*(?:(?i:URL:)|{SCHEME_NAME}:|(?i:www|ftp)\.)"
    rf"(?>(?:(?!{END_OF_CLAUSE}[ \t]+\S)[^<>\"\n]|\n(?!\r?\n))*)\Z"
    r"|[A-Za-z][A-Za-z0-9+.-]{1,9}:/{0,2}[ \t]*(?:\r?\n|\r)\Z"
)
_REACH = 2_100  # characters before the end of a line in which a bracket opens


def _last_line(whole: str) -> int:
    """Return up to where the lines are decided: to an open bracket, a scheme alone, or their end."""
    end = max(whole.rfind("\n"), whole.rfind("\r")) + 1
    waits = _WAITS.search(whole, max(0, end - _REACH), end)
    if waits is None:
        return end
    line = line_start(whole, waits.start())
    return line if opening_prefix(whole[line : waits.start()]) else waits.start()
