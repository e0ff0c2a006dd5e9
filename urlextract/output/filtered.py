"""Filter a text: from a file or standard input, to standard output or the same file, in pieces."""

from __future__ import annotations

import errno
import filecmp
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import BinaryIO

from urlextract.errors import SourceError
from urlextract.formatter.texts.units import decoded, encoded
from urlextract.output.writer import opened
from urlextract.replacing import draft_of, refuse_planted_link
from urlextract.sources.streams import Place, blocks_of_stream

Filter = Callable[[Iterable[str], Callable[[str], object]], object]
"""Called with a text in pieces, and the function to call with each piece of the result."""


def print_filtered(source: str, change: Filter) -> None:
    """Print what ``change`` makes of a file, or of standard input for "-"."""
    with _opened(source) as stream, opened(None, end="", is_prompt=False) as writer:
        change(decoded(_blocks(stream, source)), writer.write)


def replace_filtered(path: str, change: Filter, notice: Callable[[str], None]) -> None:
    """Replace the text of a file by what ``change`` makes of it: as a whole, or not at all.

    The mode of the file stays, and a symbolic link keeps pointing to it. Other names of the file
    (hard links) keep the old text; ``notice`` is called if there are any. Nothing is written if
    nothing changes. Raises `OSError` with ``path`` as its ``filename``.
    """
    try:
        others = _replace(path, change)
    except OSError as error:
        error.filename, error.filename2 = path, None  # not the temporary file's
        raise
    if others:
        notice(f"{path}: the file has {others + 1} names (hard links): the others keep the old text")


def _replace(path: str, change: Filter) -> int:
    """Replace a file; return how many other names of it keep the old text."""
    refuse_planted_link(path)
    target = os.path.realpath(path)
    if os.path.exists(target) and not os.path.isfile(target) and not os.path.isdir(target):
        raise OSError(errno.EINVAL, "is not a regular file, and cannot be replaced", path)
    with _opened(target) as stream, draft_of(target) as draft:
        others = os.fstat(stream.fileno()).st_nlink - 1
        change(decoded(_blocks(stream, target)), lambda text: draft.stream.write(encoded(text)))
        draft.stream.flush()
        draft.is_wanted = not filecmp.cmp(target, draft.path, shallow=False)
    return others if draft.is_wanted else 0


@contextmanager
def _opened(source: str) -> Iterator[BinaryIO]:
    if source != "-":
        with open(source, "rb") as stream:
            yield stream
    elif sys.stdin is None:
        raise OSError(errno.EBADF, "standard input is closed", "-")
    else:
        yield sys.stdin.buffer


def _blocks(stream: BinaryIO, source: str) -> Iterator[bytes]:
    """Yield the blocks of a stream; raise the `SourceError` of what cannot be read."""

    def fail(error: SourceError) -> None:
        raise error

    return blocks_of_stream(stream, Place(source, fail))
