"""Read blocks of bytes by the line or up to a pattern; find line ends, and convert them to LF."""

from __future__ import annotations

import re
from collections.abc import Iterator

from urlextract.grammar.patterns import lazy_re
from urlextract.sources.streams import BLOCK

LONGEST_LINE = 64 * 1024  # bytes of a line that are taken at a time
LONGEST_MARK = 64  # bytes of a line that separates two messages


class Reader:
    r"""Reads from blocks what its caller asks for; ``offset`` is that of the next byte.

    >>> reader = Reader(iter([b"#! rnews 3\nab", b"c#!"]))
    >>> reader.line(), reader.peek(4), reader.take(3), reader.offset
    (b'#! rnews 3\n', b'abc#', b'abc', 14)
    >>> b"".join(reader.rest())
    b'#!'
    """

    def __init__(self, blocks: Iterator[bytes]) -> None:
        self._blocks = blocks
        self._buffer = bytearray()
        self.offset = 0

    def peek(self, size: int) -> bytes:
        """Return the next ``size`` bytes, or what is left, without taking them."""
        while len(self._buffer) < size and self._more():
            pass
        return bytes(self._buffer[:size])

    def peek_behind(self, size: int, length: int) -> bytes | None:
        """Return at most ``length`` bytes after the next ``size``, None if there are fewer than ``size``."""
        while len(self._buffer) < size + length and self._more():
            pass
        return bytes(self._buffer[size : size + length]) if len(self._buffer) >= size else None

    def take(self, size: int) -> bytes:
        """Take the next ``size`` bytes, or what is left."""
        data = self.peek(size)
        del self._buffer[: len(data)]
        self.offset += len(data)
        return data

    def line(self) -> bytes:
        """Take a line with its end; a very long one is taken in stretches."""
        searched = 0
        while (end := self._buffer.find(b"\n", searched)) < 0 and len(self._buffer) < LONGEST_LINE:
            searched = len(self._buffer)
            if not self._more():
                break
        return self.take(end + 1 if end >= 0 else min(len(self._buffer), LONGEST_LINE))

    def pieces(self, size: int) -> Iterator[bytes]:
        """Take the next ``size`` bytes as they come."""
        while size > 0 and (self._buffer or self._more()):
            piece = self.take(min(size, len(self._buffer)))
            size -= len(piece)
            yield piece

    def rest(self) -> Iterator[bytes]:
        """Take all that is left, as it comes."""
        while self._buffer or self._more():
            yield self.take(len(self._buffer))

    def up_to(self, line: re.Pattern[bytes], longest: int = LONGEST_MARK) -> Iterator[bytes]:
        """Take the bytes before the next line that the pattern ``line`` finds, or all.

        The pattern begins with the line end before that line, which is taken, too. It matches at
        most ``longest`` bytes.
        """
        while data := self.peek(BLOCK):
            found = line.search(data)
            if found:
                yield self.take(found.start() + 1)
                return
            yield self.take(len(data) - longest if len(data) == BLOCK else len(data))

    def put_back(self, data: bytes) -> None:
        """Put back the bytes that were taken last."""
        self._buffer[:0] = data
        self.offset -= len(data)

    def _more(self) -> bool:
        """Read another block; return whether there was one."""
        block = next(self._blocks, b"")
        self._buffer += block
        return bool(block)


LOOK_BEHIND = 64  # bytes before a line in which a blank line is looked for

EOL = lazy_re(rb"\r{0,2}\n|\r")
BLANKS = b" \t\0"  # NUL: a crash or a tape may have padded the file

# RFC 822, section 3.2
#   field      = field-name ":" [ field-body ] CRLF
#   field-name = 1*<any CHAR, excluding CTLs, SPACE, and ":">
# The name of a real field is short, and "http://x" is no field of that name.
# ">From " in a head is a postmark that was quoted once more on its way.
# RFC 822 allowed blanks before the colon: after names with a hyphen, for words of prose have none.
SPACED = rb"[A-Za-z]{1,20}(?:-[A-Za-z0-9]{1,20}){1,4}[ \t]{1,9}"
NAME = lazy_re(rb"%s(?=:|\Z)|[!-9;-~]{0,128}" % SPACED)
HEADER = lazy_re(rb"(?:[!-9;-~]{1,128}|%s):(?!//)|>From " % SPACED)


def is_blank(data: bytes) -> bool:
    r"""Return whether there is nothing but white space and NUL in ``data``.

    >>> is_blank(b" \r\n\0"), is_blank(b"x")
    (True, False)
    """
    return not data.strip(b" \t\r\n\f\v\0")


def with_lf(data: bytes) -> bytes:
    r"""Return ``data`` with every line end as LF.

    >>> with_lf(b"a\r\r\nb\r\nc\rd")
    b'a\nb\nc\nd'
    """
    if b"\r" not in data:  # a search for a single byte is fast
        return data
    usual = data.replace(b"\r\n", b"\n")
    if b"\r" not in usual:
        return usual
    for end in (b"\r\r\n", b"\r\n", b"\r"):
        data = data.replace(end, b"\n")
    return data


def line_end(buffer: bytes | bytearray, at: int, *, at_end: bool) -> tuple[int, int] | None:
    r"""Return where the line that holds byte ``at`` ends and the next begins, None if that is not known yet.

    >>> line_end(b"one\r\r\ntwo", 0, at_end=True)
    (3, 6)
    >>> line_end(b"one\r", 0, at_end=False)  # an LF may still follow
    >>> line_end(b"one", 0, at_end=True)
    (3, 3)
    """
    found = EOL.search(buffer, at)
    if not found:
        return (len(buffer), len(buffer)) if at_end else None
    after = bytes(buffer[found.end() : found.end() + 2])
    if found[0] == b"\r" and not at_end and after in (b"", b"\r"):
        return None
    return found.span()


def looks_like_header(buffer: bytes | bytearray, at: int, *, at_end: bool) -> bool | None:
    """Return whether the line at ``at`` begins as a header field does.

    >>> [looks_like_header(line, 0, at_end=True) for line in (b"To: x", b"To-Do : x", b"http://x", b"a b: c")]
    [True, True, False, False]
    >>> looks_like_header(b"http:", 0, at_end=False)
    """
    name = NAME.match(buffer, at)
    end = name.end() if name else at
    is_open = end == len(buffer) or (buffer[end] == 0x3A and end + len("://") > len(buffer))
    if is_open and not at_end:
        return None
    return HEADER.match(buffer, at) is not None


def follows_blank_line(buffer: bytes | bytearray, at: int) -> bool:
    r"""Return whether there is a blank line directly before the line at ``at``.

    At most `LOOK_BEHIND` bytes are looked at; the caller keeps that many.

    >>> text = b"a\n\nb\r\nc\r\r\nd"
    >>> [follows_blank_line(text, text.index(letter)) for letter in (b"b", b"c", b"d")]
    [True, False, False]
    """
    if buffer[at - 2 : at] == b"\n\n":
        return True
    before = bytes(buffer[max(0, at - LOOK_BEHIND) : at])
    if before.endswith(b"\n"):
        end = len(before) - 1
        while end > len(before) - 3 and before[:end].endswith(b"\r"):
            end -= 1
        before = before[:end]
    else:
        before = before.removesuffix(b"\r")
    return before.rstrip(BLANKS).endswith((b"\n", b"\r"))
