"""A stream that is followed while it grows (``--line-buffered``): its pauses, and whole lines before them.

A pause comes as a block without bytes among the blocks, and as a piece without characters among the pieces of
a text. What does not know pauses reads them as nothing.
"""

from __future__ import annotations

import select
from collections.abc import Iterator
from typing import BinaryIO

SHORT_AFTER, LONG_AFTER = 0.5, 2.0  # seconds
_LONGEST_LINE = 64 * 1024  # bytes of a line that are held until it ends


class TextPause(str):
    """A piece without characters: the writer of the text pauses, ``is_long`` if for `LONG_AFTER` seconds."""

    is_long = False


class Pause(bytes):
    """A block without bytes: the writer of the stream pauses. ``text`` is the same in a text."""

    is_long = False
    text = TextPause()


class _LongTextPause(TextPause):
    is_long = True


class _LongPause(Pause):
    is_long = True
    text = _LongTextPause()


_PAUSES = ((SHORT_AFTER, Pause()), (LONG_AFTER - SHORT_AFTER, _LongPause()))


def can_pause(stream: BinaryIO) -> bool:
    """Return whether the system can tell that there is nothing to read yet: not of a stream in memory."""
    try:
        return stream.fileno() >= 0
    except (AttributeError, OSError, ValueError):
        return False


def pauses_of(stream: BinaryIO) -> Iterator[Pause]:
    """Wait until the stream has something to read, or ends; yield the pauses before that."""
    for seconds, pause in _PAUSES:
        if select.select([stream], [], [], seconds)[0]:
            return
        yield pause


def whole_lines(blocks: Iterator[bytes]) -> Iterator[bytes]:
    r"""Yield what blocks hold so that each block ends with a line, and the pauses after the first one.

    A CR ends a line once something else than LF follows. A very long line is cut.

    >>> list(whole_lines(iter([b"a", b"b\nc", b"d\r", b"e"])))
    [b'ab\n', b'cd\r', b'e']
    """
    held: list[bytes] = []
    size, returns, is_begun = 0, b"", False
    for block in blocks:
        if isinstance(block, Pause):
            if is_begun:
                yield block
            continue
        data = returns + block
        returns = data[len(data.rstrip(b"\r")) :][-2:]  # may be the first half of a line end
        data = data[: len(data) - len(returns)]
        end = max(data.rfind(b"\n"), data.rfind(b"\r")) + 1
        if end:  # in UTF-16 and UTF-32, NULs belong to a line end
            end += len(data[end : end + 3]) - len(data[end : end + 3].lstrip(b"\0"))
        elif size + len(data) > _LONGEST_LINE:
            end = len(data)
        if end:
            yield b"".join((*held, data[:end]))
            held, size, is_begun = [], 0, True
        held.append(data[end:])
        size += len(data) - end
    if rest := b"".join((*held, returns)):
        yield rest
