"""Names of files: which are numbers, and which are asked for, by patterns."""

from __future__ import annotations

import os
from fnmatch import fnmatchcase
from typing import NamedTuple

__all__ = ["ALL_NAMES", "Names", "is_number"]


def is_number(name: str) -> bool:
    """Tell whether a name is an article's or a message's number.

    >>> is_number("2600"), is_number("2600.gz"), is_number("\N{SUPERSCRIPT TWO}")
    (True, False, False)
    """
    return name.isascii() and name.isdigit()


class Names(NamedTuple):
    """Patterns as the shell has them: files to ``include``, files and directories to ``exclude``.

    One with a slash is of the end of a path, any other of a name.

    >>> names = Names(include=("*.eml",), exclude=("spam", "old/*"))
    >>> [names.file(path, "in") for path in ("in/a.eml", "in/old/a.eml", "in/a.txt")]
    [True, False, False]
    >>> names.folder("in/spam", "in")
    False
    """

    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()

    def file(self, path: str, root: str) -> bool:
        """Say whether a file is asked for."""
        if self.include and not _fits(path, root, self.include):
            return False
        return self.folder(path, root)

    def folder(self, path: str, root: str) -> bool:
        """Say whether a directory is walked."""
        return not (self.exclude and _fits(path, root, self.exclude))


ALL_NAMES = Names()


def _fits(path: str, root: str, patterns: tuple[str, ...]) -> bool:
    name, below = os.path.basename(path), os.path.relpath(path, root)
    for pattern in patterns:
        if "/" not in pattern:
            if fnmatchcase(name, pattern):
                return True
        elif fnmatchcase(below, pattern) or fnmatchcase(below, f"*/{pattern}"):
            return True
    return False
