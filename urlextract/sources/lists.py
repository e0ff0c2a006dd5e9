"""Lists of files to read, one name a line, or each with NUL at its end."""

from __future__ import annotations

import os
import sys

__all__ = ["names_in"]


def names_in(path: str, *, end: bytes) -> tuple[str, ...]:
    """Give the names in the file ``path``, "-" for standard input; raises `OSError`."""
    if path == "-":
        if sys.stdin is None:
            raise OSError(0, "standard input is closed", path)
        data = sys.stdin.buffer.read()
    else:
        with open(path, "rb") as stream:
            data = stream.read()
    names = data.split(end)
    if end == b"\n":
        names = [name.removesuffix(b"\r") for name in names]
    return tuple(os.fsdecode(name) for name in names if name)
