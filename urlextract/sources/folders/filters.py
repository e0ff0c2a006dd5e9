"""Choose what is read of a directory: by names, by links, and without files that the run writes."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Sequence
from fnmatch import fnmatchcase
from typing import NamedTuple


def is_number(name: str) -> bool:
    """Return whether a name is an article's or a message's number.

    >>> is_number("2600"), is_number("2600.gz"), is_number("\N{SUPERSCRIPT TWO}")
    (True, False, False)
    """
    return name.isascii() and name.isdigit()


class Written:
    """The files that the run itself writes, by path or file descriptor: a walk skips them.

    They are identified by device and inode, whatever their names. ``tell`` is called with the
    path of each that was skipped.
    """

    def __init__(self, files: Sequence[str | int], tell: Callable[[str], None]) -> None:
        self._files = files
        self.tell = tell

    def keys(self) -> set[tuple[int, int]]:
        """Return the device and the inode of each; a file that is replaced changes its inode."""
        found = set()
        for file in self._files:
            try:
                status = os.stat(file)
            except (OSError, ValueError):  # not there yet, or closed
                continue
            if stat.S_ISREG(status.st_mode):
                found.add((status.st_dev, status.st_ino))
        return found


class TreeFilter(NamedTuple):
    """What a walk reads.

    Patterns are those of the shell: files to ``include``, files and directories to
    ``exclude``. A pattern with a slash is matched with the end of a path, any other with a name.
    Links that lead out of the tree are read only with ``follow``; else the paths of those that would be
    read are added to ``outside``.

    >>> tree_filter = TreeFilter(include=("*.eml",), exclude=("spam", "old/*"))
    >>> [tree_filter.file(path, "in") for path in ("in/a.eml", "in/old/a.eml", "in/a.txt")]
    [True, False, False]
    >>> tree_filter.folder("in/spam", "in")
    False
    """

    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    follow: bool = False
    written: Written | None = None
    outside: set[str] | None = None

    def file(self, path: str, root: str) -> bool:
        """Return whether a file is asked for."""
        return (not self.include or _fits(path, root, self.include)) and self.folder(path, root)

    def folder(self, path: str, root: str) -> bool:
        """Return whether a directory is walked."""
        return not (self.exclude and _fits(path, root, self.exclude))


EVERYTHING = TreeFilter()


def tell_of_links(tree_filter: TreeFilter | None, notice: Callable[[str], None]) -> None:
    """Report, at the end of a run, how many links were not followed."""
    if tree_filter and (count := len(tree_filter.outside or ())):
        which = "1 link that leads" if count == 1 else f"{count:,} links that lead"
        notice(f"not followed: {which} out of a folder that was walked (see --follow)")


def _fits(path: str, root: str, patterns: tuple[str, ...]) -> bool:
    name = os.path.basename(path)
    below = os.path.relpath(path, root) if any("/" in pattern for pattern in patterns) else ""
    return any(
        fnmatchcase(below, pattern) or fnmatchcase(below, f"*/{pattern}")
        if "/" in pattern
        else fnmatchcase(name, pattern)
        for pattern in patterns
    )
