"""Directories: trees of files, Maildirs, and folders with a file for each article (MH, spools).

What is read of them is chosen by names, without links unless they are followed, and without files that the
run writes.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator, Sequence
from fnmatch import fnmatchcase
from typing import Literal, NamedTuple, TypeAlias

from urlextract.sources.folders.git import is_repository, repositories_in
from urlextract.sources.maildir import PARTS
from urlextract.sources.streams import Origin


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
    Symbolic links are read only with ``follow``. The paths of files and directories that are read by another
    name are added to ``doubles``.

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
    doubles: set[str] | None = None

    def file(self, path: str, root: str) -> bool:
        """Return whether a file is asked for."""
        return (not self.include or _fits(path, root, self.include)) and self.folder(path, root)

    def folder(self, path: str, root: str) -> bool:
        """Return whether a directory is walked."""
        return not (self.exclude and _fits(path, root, self.exclude))


EVERYTHING = TreeFilter()


def _fits(path: str, root: str, patterns: tuple[str, ...]) -> bool:
    name = os.path.basename(path)
    below = os.path.relpath(path, root) if any("/" in pattern for pattern in patterns) else ""
    return any(
        fnmatchcase(below, pattern) or fnmatchcase(below, f"*/{pattern}")
        if "/" in pattern
        else fnmatchcase(name, pattern)
        for pattern in patterns
    )


# What is listed: a plain directory, a Maildir, or one of its parts.
Kind = Literal["folder", "maildir", "part"]
_Key: TypeAlias = tuple[int, int]  # device and inode


# Names in leafnode's spool: further links to its articles, or files that are no articles.
SKIPPED = frozenset({"message.id", "interesting.groups", "leaf.node"})


class Stamp(NamedTuple):
    """The size of a file in bytes, and its time of change in nanoseconds, or the version of an object.

    Of the repositories of a public inbox the mark is the commits at their heads. What is no regular file has
    neither.
    """

    size: int | None = None
    mark: int | str | None = None

    @classmethod
    def of(cls, status: os.stat_result) -> Stamp:
        """Return the stamp of a file with this status."""
        return cls(status.st_size, status.st_mtime_ns) if stat.S_ISREG(status.st_mode) else cls()


class File(NamedTuple):
    """A file of the tree, or a directory that is a public inbox.

    ``is_mail`` says that it holds mail or news, judged by where it is. ``repositories`` are the
    git repositories of a public inbox. A stretch has its ``stamp``.
    """

    path: str
    is_mail: bool
    repositories: tuple[str, ...] = ()
    stamp: Stamp = Stamp()


class Walker:
    """Walks a tree, each file and directory once.

    With ``maildir`` as ``format`` the first directory is a Maildir; with ``tree`` all directories are
    plain ones. What cannot be read is reported to the `Origin` of its name. What ``tree_filter``
    does not ask for is skipped.

    A symbolic link is a file or directory like any other if links are followed, and nothing if not.

    A subclass that walks something else than this machine's directories has its own `is_folder`,
    `repositories` and `listed`.
    """

    def __init__(
        self, format: str, origin: Callable[[str], Origin], tree_filter: TreeFilter = EVERYTHING
    ) -> None:
        self._format = format
        self._origin = origin
        self._filter = tree_filter
        self._seen: set[_Key] = set()  # what is read
        self._written: set[_Key] = set()  # as it was when the last directory was listed

    def walk(self, root: str) -> Iterator[File]:
        """Yield the files under the directory ``root``, in order."""
        self._root = root
        pending = [root]
        while pending:
            files, folders = self._read(pending.pop())
            yield from (file for file in files if self._filter.file(file.path, root))
            pending += (folder for folder in reversed(folders) if self._filter.folder(folder, root))

    def is_folder(self, path: str) -> bool:
        """Return whether a path is a directory, or a link to one if links are followed."""
        return os.path.isdir(path) and (self._filter.follow or not os.path.islink(path))

    def repositories(self, path: str) -> tuple[str, ...]:
        """Return the git repositories of the public inbox in a directory, none if it is no inbox."""
        return (path,) if is_repository(path) else repositories_in(path, self.is_folder)

    def _read(self, path: str) -> tuple[list[File], list[str]]:
        """List the files and folders of a directory, according to its kind."""
        if self._format != "tree":
            if (self._format == "maildir" and path == self._root) or self._has_parts(path):
                folders = self.listed(path, "maildir")[1]  # first: a part of it may be a Maildir, too
                parts = filter(self.is_folder, (os.path.join(path, part) for part in PARTS))
                return [File(mail, True) for part in parts for mail in self.listed(part, "part")[0]], folders
            if repositories := self.repositories(path):
                new = tuple(each for each in repositories if each == path or self._is_new_epoch(each))
                return [File(path, is_mail=True, repositories=new)] if new else [], []
        files, folders = self.listed(path)
        is_mail = _are_numbers(files)
        return [File(file, is_mail) for file in files], folders

    def _has_parts(self, path: str) -> bool:
        """Return whether a directory has those of a Maildir."""
        return all(self.is_folder(os.path.join(path, part)) for part in PARTS)

    def listed(self, path: str, kind: Kind = "folder") -> tuple[list[str], list[str]]:
        """List the files and the directories in ``path`` that were not met before, sorted."""
        files: list[str] = []
        folders: list[str] = []
        try:
            here = os.stat(path)
            self._seen.add(_key(here))
            with os.scandir(path) as found:
                entries = sorted(found, key=lambda entry: rank(entry.name))
        except OSError as error:
            self._origin(path).damage(error)
            return files, folders
        self._written = self._filter.written.keys() if self._filter.written else set()
        for entry in entries:
            if is_skipped(entry.name, kind) or (entry.is_symlink() and not self._filter.follow):
                continue
            key, is_folder = (here.st_dev, entry.inode()), False
            if not entry.is_file(follow_symlinks=False):  # of a file, no further system call is needed
                status = self._status(entry.path)
                if not status or not (stat.S_ISREG(status.st_mode) or stat.S_ISDIR(status.st_mode)):
                    continue
                key, is_folder = _key(status), stat.S_ISDIR(status.st_mode)
            if self._is_new(entry.path, key, kind, is_folder=is_folder):
                (folders if is_folder else files).append(entry.path)
        return files, folders

    def takes(self, path: str, kind: Kind, *, is_folder: bool) -> bool:
        """Return whether a directory of this kind is read for such a file or directory in it."""
        if kind == "maildir":
            return is_folder and self._has_parts(path)
        return kind == "folder" or not is_folder

    def _is_new(self, path: str, key: _Key, kind: Kind, *, is_folder: bool) -> bool:
        """Return whether a file or directory was not met before; remember it if it is read.

        What is not asked for by this name may be asked for by another one.
        """
        if not self.takes(path, kind, is_folder=is_folder):
            return False
        if key in self._seen:
            if self._filter.doubles is not None:
                self._filter.doubles.add(path)
            return False
        is_asked = (self._filter.folder if is_folder else self._filter.file)(path, self._root)
        if is_asked:
            self._seen.add(key)
        if key not in self._written or not self._filter.written:
            return True
        if is_asked:
            self._filter.written.tell(path)
        return False

    def _is_new_epoch(self, path: str) -> bool:
        """Return whether an epoch of a public inbox was not met before; remember it."""
        status = self._status(path)
        if status is None or _key(status) in self._seen:
            return False
        self._seen.add(_key(status))
        return True

    def _status(self, path: str) -> os.stat_result | None:
        """Return the status of a path, None if that fails, which is reported as damage."""
        try:
            return os.stat(path)
        except OSError as error:
            self._origin(path).damage(error)
            return None


def _key(status: os.stat_result) -> _Key:
    return (status.st_dev, status.st_ino)


def _are_numbers(paths: list[str]) -> bool:
    return all(is_number(os.path.basename(path)) for path in paths)


def is_skipped(name: str, kind: Kind = "folder") -> bool:
    """Return whether an entry of a directory is passed over; those of a Maildir may be dot files."""
    return name in SKIPPED or (name.startswith(".") and kind != "maildir")


def rank(name: str) -> tuple[bool, int, str]:
    """Return the sort key of an entry of a directory."""
    number = is_number(name)
    return (not number, int(name) if number else 0, name)
