"""A long text in stretches that can be read one by one: no URL goes over where they meet."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["Stretch", "stretches_of"]

_SIZE = 256 * 1024  # bytes after which a stretch ends at a blank line
_LONGEST = 4 * 1024 * 1024  # bytes after which it ends at any line, or anywhere


class Stretch(NamedTuple):
    """Some of a text: its bytes, and their offset, character and line.

    ``next_place`` is the size of the text up to its end, and the offset, character
    and line from which to read on when more has come: a line that has no end yet is
    read again.
    """

    data: bytes
    offset: int
    start: int
    line: int
    next_place: tuple[int, int, int, int]


def stretches_of(
    blocks: Iterator[bytes], offset: int = 0, start: int = 0, line: int = 1
) -> Iterator[Stretch]:
    r"""Cut a text in UTF-8 whose first byte, character and line are those given.

    >>> [(s.data, s.next_place) for s in stretches_of(iter([b"a\n\nb\n", b"c"]))]
    [(b'a\n\nb\nc', (6, 5, 5, 4))]
    """
    buffer = b""
    for block in blocks:
        buffer += block
        if len(buffer) < _SIZE:
            continue
        end = max(buffer.rfind(b"\n\n") + 2, buffer.rfind(b"\n\r\n") + 3)
        if end < 4:
            if len(buffer) < _LONGEST:
                continue
            end = buffer.rfind(b"\n") + 1 or _whole_characters(buffer)
        stretch = _stretch(buffer[:end], offset, start, line)
        yield stretch
        _, offset, start, line = stretch.next_place
        if offset < stretch.offset + end:  # cut in the middle of a line
            offset, start = stretch.offset + end, stretch.start + _characters(buffer[:end])
        buffer = buffer[end:]
    if buffer:
        yield _stretch(buffer, offset, start, line)


def _whole_characters(data: bytes) -> int:
    """Give where the last character of UTF-8 begins."""
    end = len(data) - 1
    while end > len(data) - 4 and data[end] & 0xC0 == 0x80:
        end -= 1
    return end


def _characters(data: bytes) -> int:
    return len(data) if data.isascii() else len(data.decode("utf-8", "surrogateescape"))


def _stretch(data: bytes, offset: int, start: int, line: int) -> Stretch:
    end = data.rfind(b"\n") + 1
    whole = data[:end]
    after = (offset + len(data), offset + end, start + _characters(whole), line + whole.count(b"\n"))
    return Stretch(data, offset, start, line, after)
