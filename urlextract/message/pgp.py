"""Blocks inside a text that are no text: PGP armour, uuencode, yEnc.

Only lines in the exact form of a block are skipped: a sentence such
as "begin 2020 with ..." hides no text. Dash escapes of signed text are
undone first (RFC 9580, section 7.2).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from io import StringIO

from urlextract.grammar.patterns import lazy_re

_SIGNED = "-----BEGIN PGP SIGNED MESSAGE-----"
_SIGNATURE = "\n-----BEGIN PGP SIGNATURE-----"

# RFC 9580, section 6.2: armour headers ("Comment: http://...") are read, the
# radix-64 lines after the blank line and the checksum are not.
_ARMOUR = lazy_re(
    r"-----BEGIN PGP [A-Z0-9 ,/]{1,40}-----[ \t]*\n(?:[A-Za-z][\w-]{0,40}: [^\n]*\n){0,9}[ \t]*\n"
    r"(?P<data>(?:[A-Za-z0-9+/]{1,76}={0,2}[ \t]*\n){1,200000}(?:=[A-Za-z0-9+/]{4}[ \t]*\n)?)"
    r"(?=-----END PGP )"
)

# uuencode: lines of 45 bytes begin with M; the last one may be shorter, and is
# believed only where the end follows.
_UUENCODED = lazy_re(
    r"begin [0-7]{3,4} [^ \n][^\n]*\n"
    r"(?P<data>(?:M[ -`]{60,61}\n)*(?:[!-L][ -`]{4,61}\n(?=[` ]?\n?end(?:\n|\Z)))?(?:[` ]?\nend(?=\n|\Z))?)"
)

_YENC = lazy_re(r"=(?=ybegin )[^\n]{0,200}?line=(?P<width>[0-9]{1,4})[ \n]")
_YENC_END = lazy_re(r"^=yend ", re.MULTILINE)


def undo_dash_escapes(text: str) -> str:
    r"""Remove the ``- `` from the lines of clear-signed text.

    >>> undo_dash_escapes("-----BEGIN PGP SIGNED MESSAGE-----\n\n- -- \nme\n")
    '-----BEGIN PGP SIGNED MESSAGE-----\n\n-- \nme\n'
    """
    if _SIGNED not in text:
        return text
    pieces: list[str] = []
    at = 0
    while (start := text.find(_SIGNED, at)) >= 0:
        end = text.find(_SIGNATURE, start)
        end = len(text) if end < 0 else end
        pieces += (text[at:start], text[start:end].replace("\n- ", "\n"))
        at = end
    return "".join((*pieces, text[at:]))


def readable_stretches(text: str) -> Iterator[tuple[int, int]]:
    r"""Yield the ranges of ``text`` that are to be read, in order.

    >>> text = "see\nbegin 644 f\nM" + "A" * 60 + "\n`\nend\nand"
    >>> [text[start:end] for start, end in readable_stretches(text)]
    ['see\nbegin 644 f\n', '\nand']
    """
    at = 0
    for start, end in sorted(_blocks(text)):
        if start >= at and end > start:
            yield at, start
            at = end
    yield at, len(text)


def _blocks(text: str) -> Iterator[tuple[int, int]]:
    """Yield the ranges of all blocks."""
    for sign, pattern in (("-----BEGIN PGP ", _ARMOUR), ("begin ", _UUENCODED)):
        if sign in text:
            for block in pattern.finditer(text):
                if block.start() == 0 or text[block.start() - 1] == "\n":
                    yield block.span("data")
    if "=ybegin " in text and not text.isascii():  # yEnc is never plain ASCII
        yield from _yenc_blocks(text)


def _yenc_blocks(text: str) -> Iterator[tuple[int, int]]:
    """Yield the lines between =ybegin (and =ypart) and =yend, where each is as wide as announced."""
    at = 0
    while begin := _YENC.search(text, at):
        at = text.find("\n", begin.end() - 1) + 1 or len(text)
        if text.startswith("=ypart ", at):
            at = text.find("\n", at) + 1 or len(text)
        stop = _YENC_END.search(text, at)
        if not stop:
            return
        lines = text[at : stop.start()].split("\n")[:-1]
        width = int(begin["width"])
        if all(width <= len(line) <= width + 1 for line in lines[:-1]):
            yield at, stop.start()
        at = stop.start()


_BLOCK_BEGINS = (
    (
        lazy_re(r"-----BEGIN PGP (?!SIGNED)[A-Z0-9 ,/]{1,40}-----[ \t]*\Z"),
        lazy_re(r"[A-Za-z0-9+/]{1,76}={0,2}[ \t]*\Z|=[A-Za-z0-9+/]{4}\Z"),
    ),
    (lazy_re(r"begin [0-7]{3,4} [^ \n]"), lazy_re(r"M[ -`]{60,61}\Z")),
)


class BlockFilter:
    """Blanks out the lines of blocks in a text that comes in pieces, each of whole lines.

    A line of a block is known by its form and by those before it; what ends the block is not waited for.
    """

    def __init__(self) -> None:
        self._line: Callable[[str], object] | None = None  # matches a line of the block that has begun
        self._is_head = False  # of armour: up to the blank line

    def filtered(self, pieces: Iterable[str]) -> Iterator[str]:
        """Yield the pieces, with blanks in place of the lines of blocks."""
        for piece in pieces:
            if self._line or self._is_head or "BEGIN PGP " in piece or "begin " in piece:
                yield "".join(map(self._read, StringIO(piece, newline="\n")))
            else:
                yield piece

    def _read(self, line: str) -> str:
        text = line.rstrip("\n")
        if self._is_head:
            self._is_head = bool(text.strip())
            return line
        if self._line and self._line(text):
            return " " * len(text) + line[len(text) :]
        self._line = None
        for begins, goes_on in _BLOCK_BEGINS:
            if begins.match(text):
                self._line, self._is_head = goes_on.match, text.startswith("-")
        yenc = _YENC.match(line)
        if yenc:
            width = int(yenc["width"])
            self._line = lambda text: text.startswith("=ypart ") or width <= len(text) <= width + 1
        return line
