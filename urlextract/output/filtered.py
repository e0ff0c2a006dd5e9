"""Filter a text: from a file or standard input, to standard output or the same file."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable

from urlextract.output.writer import opened
from urlextract.replacing import refuse_planted_link, replace_file


def print_filtered(source: str, change: Callable[[str], str]) -> None:
    """Print what ``change`` returns for the text of a file, or of standard input for "-"."""
    data = _read(source)
    result = change(data.decode("utf-8", "surrogateescape"))
    with opened(None, end="", is_prompt=False) as writer:
        writer.write(result)


def replace_filtered(path: str, change: Callable[[str], str], notice: Callable[[str], None]) -> None:
    """Replace the text of a file by what ``change`` returns for it: as a whole, or not at all.

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


def _replace(path: str, change: Callable[[str], str]) -> int:
    """Replace a file; return how many other names of it keep the old text."""
    refuse_planted_link(path)
    target = os.path.realpath(path)
    if os.path.exists(target) and not os.path.isfile(target) and not os.path.isdir(target):
        raise OSError(errno.EINVAL, "is not a regular file, and cannot be replaced", path)
    data = _read(target)
    result = change(data.decode("utf-8", "surrogateescape")).encode("utf-8", "surrogateescape")
    if result == data:
        return 0
    others = os.stat(target).st_nlink - 1
    replace_file(target, result)
    return others


def _read(source: str) -> bytes:
    if source == "-":
        if sys.stdin is None:
            raise OSError(errno.EBADF, "standard input is closed", "-")
        return sys.stdin.buffer.read()
    with open(source, "rb") as stream:
        return stream.read()
