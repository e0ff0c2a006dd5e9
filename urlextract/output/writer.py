"""Write results to standard output or a file."""

from __future__ import annotations

import os
import select
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import BinaryIO

from urlextract.output.escaping import harmless
from urlextract.replacing import refuse_planted_link, replace_file

# Bytes that a pipe takes as a whole or not at all, so that a program that is killed has printed whole lines
_BUFFER = select.PIPE_BUF


class Writer:
    """Writes results, each followed by ``end``: a line end, or NUL.

    If it ``is_prompt``, the output is flushed after each result, else when its buffer is full.
    """

    def __init__(self, stream: BinaryIO, *, end: str, is_prompt: bool, is_standard: bool = False) -> None:
        self._stream, self._end, self._is_prompt = stream, end, is_prompt
        self._is_standard = is_standard
        self.is_terminal = stream.isatty()
        self.is_at_start = is_standard or not stream.seekable() or stream.tell() == 0

    def flush(self) -> int | None:
        """Flush the output; return the length of the file, or None for standard output and special files."""
        self._stream.flush()
        if self._is_standard or not stat.S_ISREG(os.fstat(self._stream.fileno()).st_mode):
            return None
        os.fsync(self._stream.fileno())
        return self._stream.tell()

    def write(self, result: str) -> None:
        """Write a result; on a terminal, its control characters are escaped."""
        if self.is_terminal:
            result = harmless(result)
        self._stream.write(f"{result}{self._end}".encode("utf-8", "surrogateescape"))
        if self._is_prompt:
            self._stream.flush()


@contextmanager
def opened(path: str | None, *, end: str, is_prompt: bool, length: int | None = None) -> Iterator[Writer]:
    """Open the file ``path``, or standard output, for writing, and yield a `Writer`.

    If ``length`` is given, the first ``length`` bytes of an existing file stay.
    """
    if path is not None and path != "-":
        try:
            refuse_planted_link(path)
            stays = length is not None and os.path.isfile(path)
            with open(path, "r+b" if stays else "wb") as stream:
                if length is not None and stays:
                    stream.truncate(min(length, os.path.getsize(path)))
                    stream.seek(0, os.SEEK_END)
                yield Writer(stream, end=end, is_prompt=is_prompt)
        except OSError as error:
            error.filename = error.filename or path
            raise
    elif sys.stdout is None:
        raise OSError("standard output is closed")
    else:
        output = _standard_output()
        yield Writer(output, end=end, is_prompt=is_prompt or sys.stdout.isatty(), is_standard=True)
        output.flush()


def write_whole(path: str | None, text: str) -> None:
    """Write ``text`` to the file ``path`` atomically (see `replace_file`), or to standard output.

    A device or a pipe is written to as it is. Raise `OSError` if this fails; then a file is unchanged.
    """
    is_file = path is not None and path != "-" and (os.path.isfile(path) or not os.path.exists(path))
    if path is None or not is_file:
        with opened(path, end="", is_prompt=False) as writer:
            writer.write(text)
        return
    try:
        refuse_planted_link(path)
        replace_file(path, text.encode("utf-8", "surrogateescape"))
    except OSError as error:
        error.filename = path
        raise


def _standard_output() -> BinaryIO:
    """Return standard output with a buffer that a pipe takes at once."""
    try:
        number = sys.stdout.fileno()
    except (OSError, ValueError, AttributeError):  # the caller replaced it by something that is no file
        return sys.stdout.buffer
    sys.stdout.flush()
    return open(number, "wb", buffering=_BUFFER, closefd=False)


def is_written_to(path: str, output: str | None) -> bool:
    """Return whether the file ``path`` is the output file: to read it would destroy it, or never end.

    The ``path`` "-" is standard input, and the ``output`` None is standard output.
    """
    try:
        source = os.fstat(0) if path == "-" else os.stat(path)
        target = os.stat(output) if output is not None else os.fstat(1)
    except (OSError, ValueError):  # ValueError: a NUL in the name
        return False
    return stat.S_ISREG(source.st_mode) and os.path.samestat(source, target)
