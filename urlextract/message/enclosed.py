"""What a plain text may hold that is not text of its own: whole messages, and blocks that are no text.

The messages are those of digests (RFC 1153) and mail that was returned, without MIME. The blocks are PGP
armour, uuencode and yEnc. Only lines in the exact form of a block are skipped: a sentence such as
"begin 2020 with ..." hides no text. Dash escapes of signed text are undone first (RFC 9580, section 7.2).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from io import StringIO
from typing import NamedTuple

from urlextract.grammar.patterns import lazy_re

# --- messages ------------------------------------------------------------------------------------

# RFC 1153, section 3: the preamble ends with a line of 70 hyphens and a blank one;
# messages are separated by a line of 30 with blank ones around it.
_FIRST_RULE = b"\n" + b"-" * 70 + b"\n\n"

_BETWEEN = re.compile(rb"\n-{30}\n\n(?<=\n\n-{30}\n\n)(?=[!-9;-~]{1,76}:)")
_HEADER = re.compile(rb"\n*[!-9;-~]{1,76}:(?!//)")
_END = re.compile(rb"\n-{30}\n\n(?<=\n\n-{30}\n\n)(?=End of )")
# Exim, qmail and others send back what they could not deliver after a line that says so:
# "------ This is a copy of the message, including all the headers. ------".
# Sendmail's begin with "Received:", perhaps without a blank line before; then more of a head must follow.
_LINE = rb"(?:[ \t]{0,9}-{2}[^\n]{1,200}|[^\n]{0,100}?\b(?i:message|headers?)\b[^\n]{0,80}[:.-])"
_FIELD = rb"(?:Date|From|Subject|Message-I[Dd]|M(?i:ime)-Version|Content-[A-Za-z-]{4,30}):"
_HEAD = rb"Re(?:ceived|turn-[Pp]ath):[^\n]*+\n(?:[^\n]++\n){0,100}?%s" % _FIELD
# Some begin with "From:". That of a quoted mail in an answer has no field of machines after it.
_OF_MACHINES = rb"(?:Received|Message-I[Dd]|M(?i:ime)-Version|Content-[A-Za-z-]{4,30}):"
_OF_AUTHOR = rb"From:[^\n]*+\n(?:[^\n]++\n){0,100}?%s" % _OF_MACHINES
_COPY = re.compile(
    rb"(?:\A|\n)(?:[ \t]{0,9}-{2}[^\n]{1,200}\n(?=\nReturn-[Pp]ath:)|%s\n{1,2}(?=%s|%s))"
    % (_LINE, _HEAD, _OF_AUTHOR)
)


class Enclosed(NamedTuple):
    """The spans in a body of the preamble, the messages, and what is after them."""

    preamble: tuple[int, int]
    messages: list[tuple[int, int]]
    trailer: tuple[int, int]


def enclosed_messages(data: bytes) -> Enclosed | None:
    r"""Find the messages in a body, None where there are none; see `signs_of`.

    >>> rule, line = b"\n" + b"-" * 70 + b"\n\n", b"\n" + b"-" * 30 + b"\n\n"
    >>> body = b"Topics\n" + rule + b"From: a\n\nhi\n" + line + b"From: b\n\nho\n" + line + b"End of x\n"
    >>> [body[start:end] for start, end in enclosed_messages(body).messages]
    [b'From: a\n\nhi\n', b'From: b\n\nho\n']
    >>> body = b"--- Below this line is a copy of the message.\n\nReturn-Path: <a@b.example>\n\nhi\n"
    >>> [body[start:end] for start, end in enclosed_messages(body).messages]
    [b'Return-Path: <a@b.example>\n\nhi\n']
    """
    at = data.find(_FIRST_RULE)
    start = at + len(_FIRST_RULE)
    if at < 0 or not _HEADER.match(data, start):
        return returned_message(data)
    last = _END.search(data, start - 1)
    end, trailer = (last.start(), last.end()) if last else (len(data), len(data))
    messages = []
    for rule in _BETWEEN.finditer(data, start, end):
        messages.append((start, rule.start()))
        start = rule.end()
    messages.append((start, end))
    return Enclosed((0, at + 1), messages, (trailer, len(data)))


def returned_message(data: bytes) -> Enclosed | None:
    """Find the copy of a message that was not delivered, which goes on to the end."""
    line = _COPY.search(data)
    if line is None:
        return None
    start = line.end() + data.startswith(b"\n", line.end())
    return Enclosed((0, line.end()), [(start, len(data))], (len(data), len(data)))


# --- signs of both, in bytes ---------------------------------------------------------------------
#
# Most bodies hold nothing of it, which is seen at one look. Each pattern begins with one letter, which `re`
# looks for by ``memchr``; what comes before is looked back for. That is faster than a search for a word, or
# than one pattern for all.

_RETURNED_SIGN = re.compile(rb"R(?<=[-:.\n]\nR)e(?:ceived:|turn-[Pp]ath:)")
_AUTHOR_SIGN = re.compile(rb"F(?<=[-:.\n]\nF)rom: [^\n]*+\n(?:[^\n]++\n){0,100}?%s" % _OF_MACHINES)
_PGP_SIGN = re.compile(rb"P(?<=-----BEGIN P)GP ")
_YENC_SIGN = re.compile(rb"=(?=ybegin )")
_UUENCODED_SIGN = re.compile(rb"M(?<=\nM)[ -`]{60,61}\n")  # a full line


class Signs(NamedTuple):
    """What a body may hold: messages, and blocks that are no text."""

    messages: bool
    blocks: bool


def signs_of(data: bytes) -> Signs:
    r"""Return what the bytes of a body may hold, after its transfer encoding was undone.

    >>> signs_of(b"begin 644 f\nM" + b"A" * 60 + b"\n")
    Signs(messages=False, blocks=True)
    """
    messages = _FIRST_RULE in data or bool(_AUTHOR_SIGN.search(data) or _RETURNED_SIGN.search(data))
    # UTF-16 has NULs: words are not looked for in it
    blocks = b"\0" in data or bool(
        _PGP_SIGN.search(data) or _YENC_SIGN.search(data) or _UUENCODED_SIGN.search(data)
    )
    return Signs(messages, blocks)


# --- blocks --------------------------------------------------------------------------------------

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
