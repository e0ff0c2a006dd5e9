"""Scan text that comes in pieces, with bounded memory.

Results that are certain are returned at once. A place that could still change waits in the
buffer, with as much text before it as may be needed to read it. The result does not depend
on where the pieces are cut.
"""

from __future__ import annotations

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
from urlextract.sources.pauses import TextPause

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
    pause: TextPause | None = None,
) -> Pass:
    """Read the places of ``text`` from ``start`` on; ``last`` is the end of the last URL taken.

    ``is_whole`` is true if no more text follows. In a ``pause`` after whole lines, only what goes on to their
    end is left for the next call, and after a long one no URL.
    """
    if limits.refang or limits.explains:
        scan = partial(_scan_once, limits=limits, pause=pause)
        is_paused = pause is not None
        return scan_defanged(text, start, last, limits, is_whole=is_whole, scan=scan, is_paused=is_paused)
    return _scan_once(text, start, last, limits, is_whole=is_whole, pause=pause)


def _scan_once(
    text: str,
    start: int,
    last: int,
    limits: ScanLimits,
    *,
    is_whole: bool,
    pause: TextPause | None = None,
) -> Pass:
    buffer = Buffer(text, limits, is_whole=is_whole, last=last, is_paused=pause is not None)
    reads_marks = limits.reads_marks
    readers = READERS if reads_marks else _READERS
    matches: list[Match] = []
    waiting: tuple[int, int] | None = None  # a place in which a URL may begin, and the matches before it

    def read(at: int) -> Match | None:
        buffer.begin()
        return read_unbroken(buffer, at) or readers[text[at]](buffer, at)

    for at in places(buffer, start, reads_marks=reads_marks):
        if at < buffer.last:
            continue
        try:
            match = read(at)
        except MoreNeeded:
            if pause is None or not pause.is_long:
                return Pass(matches, at, buffer.last)
            buffer.is_whole = True
            match = read(at)
            buffer.is_whole = False
            if match and MAY_CONTINUE not in match.defects:
                match = match._replace(defects=(*match.defects, MAY_CONTINUE))
            elif not match:
                waiting = waiting or (at, len(matches))
        matches += buffer.rejected
        if match:
            buffer.last, waiting = match.span.end, None
            matches.append(match)
    if waiting:
        return Pass(matches[: waiting[1]], waiting[0], buffer.last)
    return Pass(matches, certain_end(buffer), buffer.last)


_READERS = {":": read_at_colon, ".": read_at_dot}


def scan(text: str, limits: ScanLimits) -> list[Match]:
    """Return the matches of a whole text."""
    return scan_buffer(text, 0, 0, limits, is_whole=True).matches


class Stream:
    """Takes text in pieces, pauses too, and returns the matches of each scan, with offsets in the buffer."""

    def __init__(self, limits: ScanLimits) -> None:
        self._limits = limits
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
        pause = text if isinstance(text, TextPause) else None
        if pause is not None:
            if is_read or "".join((self._buffer[-1:], *self._waiting))[-1] not in "\r\n":
                return [], ""
        elif (not text and is_read) if is_whole else self._can_wait(text):
            return [], ""
        if self._waiting:
            text = "".join([*self._waiting, text])
            self._waiting.clear()
        self._waiting_size = 0
        self._drop()
        self._buffer += text
        found = scan_buffer(
            self._buffer, self._done, self._last, self._limits, is_whole=is_whole, pause=pause
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
