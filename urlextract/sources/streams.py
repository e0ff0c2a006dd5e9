"""Streams of bytes: opened, read in blocks or by a `Reader`, and damage reported with their names."""

from __future__ import annotations

import os
import re
import select
import stat
import sys
from collections.abc import Callable, Iterator
from itertools import chain
from typing import BinaryIO, NamedTuple

from urlextract.errors import OnDamage, SourceError, SourceNotFoundError
from urlextract.sources.maildir import located

# Bytes asked for in one read, and the most that a block holds. A pipe returns no more
# at a time, and larger blocks cost more than they save: the allocator hands them
# back to the system each time, and a fifth of the time goes into page faults.
BLOCK = 64 * 1024

LONGEST_MARK = 64  # bytes of a line that separates two messages


def open_file(path: str) -> BinaryIO:
    """Open a regular file, a named pipe, or the null device, which is an empty file.

    Raise `OSError` for anything else, `ValueError` for a NUL in the name.
    """
    path, status = located(path)
    is_null = stat.S_ISCHR(status.st_mode) and status.st_rdev == os.stat(os.devnull).st_rdev
    if not (stat.S_ISREG(status.st_mode) or stat.S_ISFIFO(status.st_mode) or is_null):
        raise OSError("is a socket" if stat.S_ISSOCK(status.st_mode) else "is a device")
    return open(path, "rb", buffering=0)


class Origin(NamedTuple):
    """Where bytes come from: the name of a source, and the function to which damage in it is reported.

    ``opener`` opens the files of the source by their names. If it ``is_followed``, each line of a
    text is decided as it comes. Of a
    file that was found in a directory or an archive, ``within`` is the name of the one that was read.
    """

    name: str
    on_damage: OnDamage
    opener: Callable[[str], BinaryIO] = open_file
    is_followed: bool = False
    within: str | None = None

    def inside(self, name: str) -> Origin:
        """Return the origin of a file or a member in this directory or archive."""
        return self._replace(name=name, within=self.within or self.name)

    def refuse(self, cause: str) -> None:
        """Report a source in a format that is not read; one that was not named itself is passed over."""
        self.on_damage(SourceError(self.name, cause, within=self.within))

    def damage(self, cause: object, offset: int | None = None) -> None:
        """Report damage; ``cause`` is an `OSError` or a description."""
        kind = SourceNotFoundError if isinstance(cause, FileNotFoundError) else SourceError
        words, number = (cause.strerror, cause.errno) if isinstance(cause, OSError) else (None, None)
        self.on_damage(kind(self.name, words or str(cause), offset, number))


def ignored(_: SourceError) -> None:
    """Ignore damage, which is reported when the source is read completely."""


def name_of(stream: BinaryIO) -> str:
    """Return the name of a stream for records and error messages; "-" is standard input.

    >>> import io
    >>> name_of(io.BytesIO())
    '<stream>'
    """
    if stream is getattr(sys.stdin, "buffer", None):
        return "-"
    name: object = getattr(stream, "name", None)
    if isinstance(name, (str, bytes, os.PathLike)):
        return os.fsdecode(name)
    return "<stream>" if name is None else f"<stream {name}>"


def blocks_of_file(path: str, origin: Origin) -> Iterator[bytes]:
    """Yield the blocks of a file, which ``origin`` opens; close it at its end."""
    try:
        stream = origin.opener(path)
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        origin.damage(error)
        return
    with stream:
        yield from blocks_of_stream(stream, origin)


def blocks_of_stream(stream: BinaryIO, origin: Origin, offset: int = 0) -> Iterator[bytes]:
    """Yield what each read of a stream returns, to its end; ``offset`` is its current position.

    Raise `TypeError` if a read returns anything but bytes.
    """
    # `read1` of a buffered stream returns what is there; `read` would wait for more.
    read: Callable[[int], object] = getattr(stream, "read1", stream.read)
    while True:
        try:
            block = read(BLOCK)
        except (OSError, ValueError) as error:  # ValueError: the stream is closed
            origin.damage(error, offset)
            return
        if block is None:
            select.select([stream], [], [])  # a non-blocking one: wait until it has something
            continue
        if not isinstance(block, bytes | bytearray | memoryview):
            raise TypeError(f"source is no binary stream: read() returned {type(block).__name__}, not bytes")
        if not block:
            return
        offset += len(block)
        yield bytes(block)


_LONGEST_LINE = 64 * 1024  # bytes of a line that are held until it ends


def whole_lines(blocks: Iterator[bytes]) -> Iterator[bytes]:
    r"""Yield what blocks hold so that each block ends with a line, as soon as the line has come.

    A CR ends a line once something else than LF follows. A very long line is cut.

    >>> list(whole_lines(iter([b"a", b"b\nc", b"d\r", b"e"])))
    [b'ab\n', b'cd\r', b'e']
    """
    held: list[bytes] = []
    size, returns = 0, b""
    for block in blocks:
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
            held, size = [], 0
        held.append(data[end:])
        size += len(data) - end
    if rest := b"".join((*held, returns)):
        yield rest


def peek(blocks: Iterator[bytes], enough: Callable[[bytes], bool]) -> tuple[bytes, Iterator[bytes]]:
    """Read until ``enough`` is true of the head; return the head, and an iterator over all blocks.

    >>> head, blocks = peek(iter([b"a", b"b", b"c"]), lambda head: len(head) >= 2)
    >>> head, list(blocks)
    (b'ab', [b'a', b'b', b'c'])
    """
    head = b""
    held: list[bytes] = []
    for block in blocks:
        held.append(block)
        head += block
        if enough(head):
            break
    return head, chain(held, blocks)


def in_blocks(data: bytes) -> Iterator[bytes]:
    """Cut data into blocks of a bounded size.

    >>> [len(block) for block in in_blocks(bytes(BLOCK + 1))]
    [65536, 1]
    """
    return (data[at : at + BLOCK] for at in range(0, len(data), BLOCK))


def up_to(size: int, blocks: Iterator[bytes]) -> Iterator[bytes]:
    """Yield the first ``size`` bytes of a stream, or all.

    >>> list(up_to(3, iter([b"ab", b"cd", b"ef"])))
    [b'ab', b'c']
    """
    for block in blocks:
        yield block[:size]
        size -= len(block)
        if size <= 0:
            return


def after(size: int, blocks: Iterator[bytes]) -> Iterator[bytes]:
    """Return a stream without its first ``size`` bytes.

    >>> list(after(3, iter([b"ab", b"cd", b"ef"])))
    [b'd', b'ef']
    """
    reader = Reader(blocks)
    reader.take(size)
    return reader.pieces()


class Reader:
    r"""Reads from blocks what its caller asks for; ``offset`` is that of the next byte.

    >>> reader = Reader(iter([b"#! rnews 3\nab", b"c#!"]))
    >>> reader.line(), reader.peek(4), reader.take(3), reader.offset
    (b'#! rnews 3\n', b'abc#', b'abc', 14)
    >>> b"".join(reader.pieces())
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

    def take(self, size: int) -> bytes:
        """Take the next ``size`` bytes, or what is left."""
        data = self.peek(size)
        del self._buffer[: len(data)]
        self.offset += len(data)
        return data

    def line(self) -> bytes:
        """Take a line with its end; one that is longer than a block is taken in stretches."""
        searched = 0
        while (end := self._buffer.find(b"\n", searched)) < 0 and len(self._buffer) < BLOCK:
            searched = len(self._buffer)
            if not self._more():
                break
        return self.take(end + 1 if end >= 0 else min(len(self._buffer), BLOCK))

    def pieces(self, size: int = sys.maxsize) -> Iterator[bytes]:
        """Take the next ``size`` bytes, or all that are left, as they come."""
        while size > 0 and (self._buffer or self._more()):
            piece = self.take(min(size, len(self._buffer)))
            size -= len(piece)
            yield piece

    def up_to(self, line: re.Pattern[bytes], longest: int = LONGEST_MARK) -> Iterator[bytes]:
        """Take the bytes before the next line, but the one that begins here, that ``line`` matches, or all.

        The pattern includes the line end. It matches at most ``longest`` bytes.
        """
        while self._buffer or self._more():
            data = bytes(self._buffer)
            for hit in line.finditer(data, 1):
                if data[hit.start() - 1] in b"\r\n":
                    yield self.take(hit.start())
                    return
            if len(data) > longest:
                yield self.take(len(data) - longest)
            elif not self._more():
                yield self.take(len(data))

    def put_back(self, data: bytes) -> None:
        """Put back the bytes that were taken last."""
        self._buffer[:0] = data
        self.offset -= len(data)

    def _more(self) -> bool:
        """Read another block; return whether there was one."""
        block = next(filter(None, self._blocks), b"")
        self._buffer += block
        return bool(block)


def names_in(path: str) -> tuple[str, ...]:
    """Return the names in a file, with a NUL after each or one a line; "-" is standard input.

    Raise `OSError` if that fails.
    """
    if path == "-":
        if sys.stdin is None:
            raise OSError(0, "standard input is closed", path)
        data = sys.stdin.buffer.read()
    else:
        with open(path, "rb") as stream:
            data = stream.read()
    names = data.split(b"\0") if b"\0" in data else (name.removesuffix(b"\r") for name in data.split(b"\n"))
    return tuple(os.fsdecode(name) for name in names if name)
