"""Cut a text into units that are rewritten one by one, so that only one of them is held.

They are cut as for the scan (`Pieces`): at blank lines, so no URL is in two.
"""

from __future__ import annotations

import codecs
import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from tempfile import SpooledTemporaryFile
from typing import IO, AnyStr, NamedTuple

from urlextract.formatter.texts.bodies import TEXT, Part, in_pieces, read_parts
from urlextract.formatter.texts.kept import Open, kept_lines
from urlextract.formatter.texts.lines import line_of
from urlextract.grammar.patterns import lazy_re
from urlextract.scanner.feeding import Pieces
from urlextract.sources.streams import BLOCK

_MOST_HELD = 1 << 20  # characters of a message that are held in memory
_LONGEST_WHOLE = 4 << 20  # characters of a page that is rewritten as one unit


class Unit(NamedTuple):
    """A stretch of a part of a text; ``opened`` is the structure that goes on from the one before."""

    text: str
    part: Part
    opened: Open | None = None


Change = Callable[[Unit], str]
Write = Callable[[str], object]
Emit = Callable[[Unit], object]


def rewrite(pieces: Iterable[str], change: Change, write: Write) -> None:
    """Call ``write`` with what ``change`` returns for each unit of a text that comes in pieces."""
    lengths = _Lengths(write)

    def emit(unit: Unit) -> None:
        lengths.write(unit, change(unit))

    def sink_of(part: Part) -> _Cutter | _Whole:
        cutter = _Cutter(TEXT if part.body else part, emit)
        return _Whole(part, emit, cutter) if part.body else cutter

    read_parts(pieces, sink_of)
    lengths.close()


def rewritten_part(text: str, part: Part, change: Change) -> str:
    """Return the text of one part with each of its units as ``change`` returns it."""
    done: list[str] = []
    cutter = _Cutter(part, lambda unit: done.append(change(unit)))
    cutter.feed(text)
    cutter.close()
    return "".join(done)


def rewritten(text: AnyStr, change: Change) -> AnyStr:
    r"""Return a text with each of its units as ``change`` returns it; of bytes, which are decoded, as bytes.

    Bytes that are not UTF-8 come back as they were. Raise `TypeError` for anything else.

    >>> rewritten(b"\xfc a", lambda unit: unit.text.upper())
    b'\xfc A'
    """
    if not isinstance(text, str | bytes | bytearray | memoryview):
        raise TypeError(f"text is {type(text).__name__}, neither str nor bytes")
    done: list[str] = []
    pieces = in_pieces(text) if isinstance(text, str) else decoded((bytes(text),))
    rewrite(pieces, change, done.append)
    result = "".join(done)
    return result if isinstance(text, str) else encoded(result)


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


# A head that says how many bytes the body has, as in mailboxes for mutt and Dovecot
_LENGTH = lazy_re(
    r"^(?:(?<![\s\S])|From [^\n]*\n)(?:(?:[!-9;-~]+:|[ \t])[^\n]*\n)*?content-length:[ \t]*(\d{1,15})(?=\s)"
    r"(?:[^\n]*\n(?!\r?\n))*",
    re.IGNORECASE | re.MULTILINE,
)


class _Lengths:
    """Writes what was rewritten; in the head of a message ``Content-Length`` is that of its new body.

    So what comes after such a field is held to the end of the message, in a file if it is long.
    """

    def __init__(self, write: Write) -> None:
        self._write = write
        self._heads: Part | None = None  # those of the message
        self._length, self._more = "", 0  # what the field says, and how many bytes more there are
        self._held: IO[str] | None = None

    def write(self, unit: Unit, text: str) -> None:
        """Write what has become of a unit, or hold it."""
        before, after = unit.text, text
        if unit.part.is_heads and unit.part is not self._heads:
            self.close()
            self._heads = unit.part
            head = deque(_LENGTH.finditer(text), 1)  # the last one: the others are of messages without a body
            if head:
                start, end = head[0].span(1)
                self._write(text[:start])
                self._length, text = text[start:end], text[end:]
                self._held = SpooledTemporaryFile(  # noqa: SIM115
                    _MOST_HELD, "w+", encoding="utf-8", errors="surrogatepass", newline=""
                )
                before = before[deque(_LENGTH.finditer(before), 1)[0].end() :]
                after = after[head[0].end() :]
        if self._held and before != after:
            sizes = (len(each.encode("utf-8", "surrogatepass")) for each in (after, before))
            self._more += next(sizes) - next(sizes)
        (self._held.write if self._held else self._write)(text)

    def close(self) -> None:
        """Write what is held of a message."""
        if self._held:
            with self._held as held:
                self._write(str(int(self._length) + self._more) if self._more else self._length)
                held.seek(0)
                while piece := held.read(BLOCK):
                    self._write(piece)
        self._held, self._more = None, 0


class _Whole:
    """Takes a part of a text in pieces, and rewrites it as one unit; a long page is a text for ``cutter``."""

    def __init__(self, part: Part, emit: Emit, cutter: _Cutter) -> None:
        self._part, self._emit, self._cutter = part, emit, cutter
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
            self._emit(Unit("".join(self._pieces), self._part))


class _Cutter:
    """Takes a part of a text in pieces, and rewrites it unit by unit, as the scanner cuts it."""

    def __init__(self, part: Part, emit: Emit) -> None:
        self._part, self._emit = part, emit
        self._pieces = Pieces()
        self._opened: Open | None = None

    def feed(self, text: str) -> None:
        """Take more of the part; rewrite the units that are complete."""
        self._rewrite(self._pieces.feed(text))

    def close(self) -> None:
        """Rewrite what is left."""
        self._rewrite(self._pieces.close())

    def _rewrite(self, units: Iterable[tuple[int, str]]) -> None:
        for _, text in units:
            self._emit(Unit(text, self._part, self._opened))
            lines = [line_of(line.rstrip("\r")) for line in text.removesuffix("\n").split("\n")]
            _, self._opened = kept_lines(lines, self._opened)
