"""Scan text that comes in pieces, with bounded memory.

Results that are certain are returned at once. A place that could still change waits in the
buffer, with as much text before it as may be needed to read it. The result does not depend
on where the pieces are cut.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from urlextract.arguments import alone, check_count
from urlextract.grammar.patterns import lazy_re
from urlextract.records import MAY_CONTINUE, Match
from urlextract.scanner.buffer import KEPT, Buffer, MoreNeeded, Pass, ScanLimits
from urlextract.scanner.defanged import scan_defanged
from urlextract.scanner.places import certain_end, places
from urlextract.scanner.reading import read_at_colon, read_at_dot
from urlextract.scanner.relaxed import READERS
from urlextract.scanner.unbroken import read_unbroken
from urlextract.scanner.wrappers import LONGEST_OPENING

# A character that may decide the place that waits. Letters and digits alone never do.
_EVENT = lazy_re(r"[^A-Za-z0-9]")
_PATIENCE = 4_096  # characters that may wait before the place is read again


def scan_buffer(
    text: str,
    start: int,
    last: int,
    limits: ScanLimits,
    *,
    is_whole: bool,
    by_lines: bool = False,
) -> Pass:
    """Read the places of ``text`` from ``start`` on; ``last`` is the end of the last URL taken.

    ``is_whole`` is true if no more text follows. Otherwise places that more text may change are left for the
    next call, ``by_lines`` only open brackets: a bare URL that ends the text, with its last line, is taken.
    """
    if limits.refang or limits.explains:
        scan = partial(_scan_once, limits=limits, by_lines=by_lines)
        return scan_defanged(text, start, last, limits, is_whole=is_whole, scan=scan, by_lines=by_lines)
    return _scan_once(text, start, last, limits, is_whole=is_whole, by_lines=by_lines)


def _scan_once(
    text: str,
    start: int,
    last: int,
    limits: ScanLimits,
    *,
    is_whole: bool,
    by_lines: bool = False,
) -> Pass:
    buffer = Buffer(text, limits, is_whole=is_whole, last=last, by_lines=by_lines)
    reads_marks = limits.reads_marks
    readers = READERS if reads_marks else _READERS
    matches: list[Match] = []

    def read(at: int) -> Match | None:
        buffer.begin()
        return read_unbroken(buffer, at) or readers[text[at]](buffer, at)

    for at in places(buffer, start, reads_marks=reads_marks):
        if at < buffer.last:
            continue
        try:
            match = read(at)
        except MoreNeeded:
            match = _as_it_has_come(buffer, partial(read, at)) if by_lines else None
            if not match:
                return Pass(matches, at, buffer.last)
        matches += buffer.rejected
        if match:
            buffer.last = match.span.end
            matches.append(match)
    return Pass(matches, certain_end(buffer), buffer.last)


def _as_it_has_come(buffer: Buffer, read: Callable[[], Match | None]) -> Match | None:
    """Read a place as if no more text followed; the URL may go on. Return None if it is an open bracket."""
    buffer.is_whole = True
    match = read()
    buffer.is_whole = False
    if match is None or buffer.is_unclosed:
        return None
    return match._replace(defects=(*(each for each in match.defects if each != MAY_CONTINUE), MAY_CONTINUE))


_READERS = {":": read_at_colon, ".": read_at_dot}


def scan(text: str, limits: ScanLimits) -> list[Match]:
    """Return the matches of a whole text."""
    return scan_buffer(text, 0, 0, limits, is_whole=True).matches


class Stream:
    """Takes text in pieces, and returns the matches of each scan, with offsets in the buffer.

    ``by_lines``, each piece ends with a line, and what stands on it is decided then.
    """

    def __init__(self, limits: ScanLimits, *, by_lines: bool = False) -> None:
        self._limits, self._by_lines = limits, by_lines
        self._buffer = ""
        self._waiting: list[str] = []  # fed, but not scanned: they cannot decide the place that waits
        self._waiting_size = 0
        self._done = 0
        self._last = 0
        self.base = 0

    def feed(self, text: str, *, is_whole: bool = False) -> tuple[list[Match], str]:
        """Feed ``text``; return the matches that are now certain, and the buffer that their offsets refer to.

        The buffer begins at the offset ``base`` of all text.
        """
        if not isinstance(text, str):
            kind = type(text).__name__
            raise TypeError(f"text is {kind}, not str: extract_message and extract_source read bytes")
        is_read = self._done == len(self._buffer)
        if (not text and is_read) if is_whole else self._can_wait(text):
            return [], ""
        if self._waiting:
            text = "".join([*self._waiting, text])
            self._waiting.clear()
        self._waiting_size = 0
        self._drop()
        self._buffer += text
        found = scan_buffer(
            self._buffer,
            self._done,
            self._last,
            self._limits,
            is_whole=is_whole,
            by_lines=self._by_lines and text.endswith(("\n", "\r")),
        )
        self._done, self._last = found.done, found.last
        return found.matches, self._buffer

    @property
    def settled(self) -> int:
        """The offset before which no further match begins; the text after it is still in the buffer."""
        return self.base + max(0, self._done - LONGEST_OPENING)

    def _can_wait(self, text: str) -> bool:
        """Return whether ``text`` cannot decide the place that waits; if so, it waits, too."""
        if self._done == len(self._buffer) or _EVENT.search(text):
            return False
        self._waiting_size += len(text)
        if self._waiting_size >= _PATIENCE:
            return False
        self._waiting.append(text)
        return True

    def _drop(self) -> None:
        """Remove the text that no rule can need any more from the start of the buffer."""
        surplus = self._done - KEPT
        if surplus > KEPT:
            self._buffer = self._buffer[surplus:]
            self.base += surplus
            self._done -= surplus
            self._last = max(0, self._last - surplus)


class Scanner:
    r"""Finds URLs in text that comes in pieces.

    `feed` takes a piece and returns the matches that are now certain; `close` returns
    the rest. Spans count characters from the first one fed. The result does not depend
    on the pieces, and memory is bounded by ``max_run``, the longest bare URL.
    ``max_lines`` and ``max_chars`` limit a wrapper over lines. ``any_scheme`` accepts unregistered
    names before ``://``. If ``joins`` is false, nothing is joined over a line end.
    Raise `ValueError` for a limit below 1. Two threads
    cannot use one at once: the second call raises `RuntimeError`.

    >>> scanner = Scanner()
    >>> scanner.feed("get <URL:ftp://ds.in\nter")
    []
    >>> [c.raw for c in scanner.feed("nic.net/rfc>.")]
    ['ftp://ds.in\nternic.net/rfc']
    >>> scanner.close()
    []
    """

    def __init__(
        self,
        *,
        max_lines: int = 64,
        max_chars: int = 8_000,
        max_run: int = 65_536,
        any_scheme: bool = False,
        joins: bool = True,
    ) -> None:
        for name, limit in (("max_lines", max_lines), ("max_chars", max_chars), ("max_run", max_run)):
            check_count(name, limit, 1)
        limits = ScanLimits(
            max_lines=max_lines, max_chars=max_chars, max_run=max_run, any_scheme=any_scheme, joins=joins
        )
        self._stream = Stream(limits)
        self._is_closed = False
        self._turn = [None]

    def feed(self, text: str) -> list[Match]:
        """Feed a piece of text of any length; return the matches that no later piece can change."""
        return self._feed(text, is_whole=False)

    def close(self) -> list[Match]:
        """End the text; return the matches that waited for more of it."""
        return self._feed("", is_whole=True)

    @alone
    def _feed(self, text: str, *, is_whole: bool) -> list[Match]:
        if self._is_closed:
            raise ValueError("the scanner is closed")
        self._is_closed = is_whole
        matches, _ = self._stream.feed(text, is_whole=is_whole)
        return [match.moved(self._stream.base) for match in matches]
