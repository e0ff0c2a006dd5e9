"""Filter a text: from a file or standard input, to standard output or the same file, in pieces."""

from __future__ import annotations

import errno
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import BinaryIO

from urlextract.errors import SourceError
from urlextract.formatter.texts.units import Change, decoded, encoded, rewrite
from urlextract.output.writer import opened
from urlextract.replacing import draft_of, refuse_planted_link
from urlextract.sources.compress import layer_of
from urlextract.sources.sniff import UTF_16
from urlextract.sources.streams import BLOCK, Origin, blocks_of_stream, peek


def print_filtered(source: str, change: Change) -> None:
    """Print what ``change`` makes of each unit of a file, or of standard input for "-"."""
    with _opened(source) as stream, opened(None, end="", is_prompt=False) as writer:
        rewrite(decoded(_blocks(stream, source)), change, writer.write)


def replace_filtered(path: str, change: Change, notice: Callable[[str], None]) -> None:
    """Replace the text of a file by what ``change`` makes of its units: as a whole, or not at all.

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


def _replace(path: str, change: Change) -> int:
    """Replace a file; return how many other names of it keep the old text."""
    refuse_planted_link(path)
    target = os.path.realpath(path)
    if os.path.exists(target) and not os.path.isfile(target) and not os.path.isdir(target):
        raise OSError(errno.EINVAL, "is not a regular file, and cannot be replaced", path)
    # A file without a name: a draft that is written for long would be left by a process that is killed.
    with _opened(target) as stream, tempfile.TemporaryFile(dir=os.path.dirname(target)) as result:
        others = os.fstat(stream.fileno()).st_nlink - 1
        rewrite(decoded(_blocks(stream, target)), change, lambda text: result.write(encoded(text)))
        if _are_equal(stream, result):
            return 0
        result.seek(0)
        with draft_of(target) as draft:
            shutil.copyfileobj(result, draft)
    return others


def _are_equal(*files: BinaryIO) -> bool:
    """Return whether two files hold the same bytes."""
    for file in files:
        file.seek(0)
    while True:
        one, other = (file.read(BLOCK) for file in files)
        if one != other or not one:
            return one == other


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

    head, blocks = peek(blocks_of_stream(stream, Origin(source, fail)), bool)
    if layer_of(head):
        raise SourceError(source, "is compressed: undo that first")
    if head.startswith(UTF_16) or b"\0" in head[:2]:
        raise SourceError(source, "is in UTF-16 or UTF-32: convert it to UTF-8 first")
    return blocks
