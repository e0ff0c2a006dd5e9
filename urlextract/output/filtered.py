"""A text that goes through a filter: from a file or standard input, to standard output or the same file."""

from __future__ import annotations

import errno
import os
import sys
from typing import TYPE_CHECKING

from urlextract.output.writer import opened
from urlextract.replacing import replace_file

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["print_filtered", "replace_filtered"]


def print_filtered(source: str, change: Callable[[str], str]) -> None:
    """Print what ``change`` makes of the text of a file, or of standard input for "-"."""
    data = _read(source)
    result = change(data.decode("utf-8", "surrogateescape"))
    with opened(None, end="", is_prompt=False) as writer:
        writer.write([result])


def replace_filtered(path: str, change: Callable[[str], str]) -> None:
    """Replace a file with what ``change`` makes of its text: at once, or not at all.

    Its mode stays; a link keeps pointing to the file. Nothing is written where nothing changes.
    """
    target = os.path.realpath(path)
    if os.path.exists(target) and not os.path.isfile(target) and not os.path.isdir(target):
        raise OSError(errno.EINVAL, "is no regular file, and cannot be replaced", path)
    data = _read(target)
    result = change(data.decode("utf-8", "surrogateescape")).encode("utf-8", "surrogateescape")
    if result != data:
        replace_file(target, result)


def _read(source: str) -> bytes:
    if source == "-":
        if sys.stdin is None:
            raise OSError(errno.EBADF, "standard input is closed", "-")
        return sys.stdin.buffer.read()
    with open(source, "rb") as stream:
        return stream.read()
