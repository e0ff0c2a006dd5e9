"""Directories: trees of files, Maildirs, and folders with a file for each article (MH, spools).

What is read of them is chosen by names, by links, and without files that the run writes.
"""

from __future__ import annotations

import os
import stat
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from fnmatch import fnmatchcase
from itertools import accumulate
from typing import Literal, NamedTuple, TypeAlias

from urlextract.sources.folders.git import is_repository, repositories_in
from urlextract.sources.maildir import PARTS
from urlextract.sources.streams import Place


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
    read are added to ``outside``. Those of files and directories that are read by another name are added to
    ``doubles``.

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
    doubles: set[str] | None = None

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


# What is listed: a plain directory, a Maildir, one of its parts, or those of its parts that are links.
Kind = Literal["folder", "maildir", "part", "maildir of links"]
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
    git repositories of a public inbox. A plan has its ``stamp``.
    """

    path: str
    is_mail: bool
    repositories: tuple[str, ...] = ()
    stamp: Stamp = Stamp()


class _Links(NamedTuple):
    """Links of one directory that wait for the end of the walk.

    ``kind`` is that of the directory; ``are_numbers`` says that its own files, if it has any, are messages.
    """

    paths: list[str]
    kind: Kind
    are_numbers: bool
    lead_out: bool = False


class Walker:
    """Walks a tree, each file and directory once.

    With ``maildir`` as ``format`` the first directory is a Maildir; with ``tree`` all directories are
    plain ones. What cannot be read is reported to the `Place` of its name. What ``tree_filter``
    does not ask for is skipped.

    What is really there comes before links, and links within the tree before those that lead out of it.
    So the path of a file does not change with links to it. A link adds only what is read nowhere else:
    the name of the link says whether it is asked for, even if its target is hidden or excluded by its own
    name. Many programs keep their files in a hidden directory and show them by links.

    A subclass that walks something else than this machine's directories has its own `begin`, `is_folder`,
    `repositories` and `listed`.
    """

    def __init__(
        self, format: str, place: Callable[[str], Place], tree_filter: TreeFilter = EVERYTHING
    ) -> None:
        self._format = format
        self._place = place
        self._filter = tree_filter
        self._seen: set[_Key] = set()  # what is read
        self._written: set[_Key] = set()  # as it was when the last directory was listed
        self._links: deque[_Links] = deque()
        self._links_out: deque[_Links] = deque()  # those that lead out of the tree

    def walk(self, root: str) -> Iterator[File]:
        """Yield the files under the directory ``root``, in order, then what only links lead to."""
        self._root = root
        self.begin(root)
        pending = [root]
        while pending or self._links or self._links_out:
            if pending:
                files, folders = self._read(pending.pop())
            else:
                files, folders = self._read_links((self._links or self._links_out).popleft())
            yield from (file for file in files if self._filter.file(file.path, root))
            pending += (folder for folder in reversed(folders) if self._filter.folder(folder, root))

    def begin(self, root: str) -> None:
        """Remember the first directory: a link that leads back to it is nothing new, one out of it none."""
        self._top = os.path.join(os.path.realpath(root), "")  # the root may be a link
        if status := self._status(root):
            self._seen.add(_key(status))

    def is_folder(self, path: str) -> bool:
        """Return whether a path is a directory."""
        return os.path.isdir(path)

    def repositories(self, path: str) -> tuple[str, ...]:
        """Return the git repositories of the public inbox in a directory, none if it is no inbox."""
        return (path,) if is_repository(path) else repositories_in(path, self._is_walked)

    def _read(self, path: str) -> tuple[list[File], list[str]]:
        """List the files and folders of a directory, according to its kind."""
        if self._format != "tree":
            if (self._format == "maildir" and path == self._root) or self._has_parts(path):
                folders = self.listed(path, "maildir")[1]  # first: a part of it may be a Maildir, too
                parts = [os.path.join(path, part) for part in PARTS]
                linked = [part for part in parts if os.path.islink(part)]
                if linked:
                    self._links.append(_Links(linked, "maildir of links", are_numbers=False))
                return self._mails(part for part in parts if part not in linked), folders
            if repositories := self.repositories(path):
                new = tuple(each for each in repositories if each == path or self._is_new_epoch(each))
                return [File(path, is_mail=True, repositories=new)] if new else [], []
        files, folders = self.listed(path)
        is_mail = _are_numbers(files)
        return [File(file, is_mail) for file in files], folders

    def _has_parts(self, path: str) -> bool:
        """Return whether a directory has those of a Maildir."""
        return all(self.is_folder(os.path.join(path, part)) for part in PARTS)

    def _mails(self, parts: Iterable[str]) -> list[File]:
        """List the messages in some parts of a Maildir."""
        folders = (part for part in parts if self.is_folder(part))
        return [File(mail, True) for part in folders for mail in self.listed(part, "part")[0]]

    def _read_links(self, links: _Links) -> tuple[list[File], list[str]]:
        """List the files and directories to which links lead, and that nothing else has led to."""
        files: list[str] = []
        folders: list[str] = []
        out: list[str] = []
        self._written = self._filter.written.keys() if self._filter.written else set()
        for path in links.paths:
            status = self._status(path)
            if status is None or not (stat.S_ISREG(status.st_mode) or stat.S_ISDIR(status.st_mode)):
                continue
            is_folder = stat.S_ISDIR(status.st_mode)
            if not self.takes(path, links.kind, is_folder=is_folder):
                continue
            if self._is_double(path, _key(status)) or not self._is_asked(
                path, links.kind, is_folder=is_folder
            ):
                continue
            if not links.lead_out and not self._is_within(path):
                out.append(path)
            elif self._is_new(path, _key(status), links.kind, is_folder=is_folder):
                (folders if is_folder else files).append(path)
        if out and self._filter.follow:
            self._links_out.append(links._replace(paths=out, lead_out=True))
        elif self._filter.outside is not None:
            self._filter.outside.update(out)
        if links.kind == "maildir of links":
            return self._mails(folders), []
        is_mail = links.kind == "part" or (links.are_numbers and _are_numbers(files))
        return [File(file, is_mail) for file in files], folders

    def listed(self, path: str, kind: Kind = "folder") -> tuple[list[str], list[str]]:
        """List the files and the directories in ``path`` that were not met before, sorted.

        Links are kept for the end.
        """
        files: list[str] = []
        folders: list[str] = []
        links: list[str] = []
        try:
            here = os.stat(path)
            self._seen.add(_key(here))
            with os.scandir(path) as found:
                entries = sorted(found, key=lambda entry: rank(entry.name))
        except OSError as error:
            self._place(path).damage(error)
            return files, folders
        self._written = self._filter.written.keys() if self._filter.written else set()
        for entry in entries:
            if is_skipped(entry.name, kind):
                continue
            if entry.is_symlink():
                links.append(entry.path)
            elif entry.is_file(follow_symlinks=False):  # no further system call is needed
                if self._is_new(entry.path, (here.st_dev, entry.inode()), kind, is_folder=False):
                    files.append(entry.path)
            elif (
                (status := self._status(entry.path))
                and stat.S_ISDIR(status.st_mode)
                and self._is_new(entry.path, _key(status), kind, is_folder=True)
            ):
                folders.append(entry.path)
        if links:
            self._links.append(_Links(links, kind, _are_numbers(files)))
        return files, folders

    def takes(self, path: str, kind: Kind, *, is_folder: bool) -> bool:
        """Return whether a directory of this kind is read for such a file or directory in it."""
        if kind == "maildir":
            return is_folder and self._has_parts(path)
        return kind == "folder" or is_folder == (kind == "maildir of links")

    def _is_asked(self, path: str, kind: Kind, *, is_folder: bool) -> bool:
        """Return whether the user wants a file or directory of this name."""
        if kind == "maildir of links":  # the names "cur" and "new" are not chosen from
            return True
        return (self._filter.folder if is_folder else self._filter.file)(path, self._root)

    def _is_new(self, path: str, key: _Key, kind: Kind, *, is_folder: bool) -> bool:
        """Return whether a file or directory was not met before; remember it if it is read.

        What is not asked for by this name may be asked for by another one.
        """
        if not self.takes(path, kind, is_folder=is_folder) or self._is_double(path, key):
            return False
        is_asked = self._is_asked(path, kind, is_folder=is_folder)
        if is_asked:
            self._seen.add(key)
        if key not in self._written or not self._filter.written:
            return True
        if is_asked:
            self._filter.written.tell(path)
        return False

    def _is_double(self, path: str, key: _Key) -> bool:
        """Return whether a file or directory is read by another name."""
        if key in self._seen and self._filter.doubles is not None:
            self._filter.doubles.add(path)
        return key in self._seen

    def _is_new_epoch(self, path: str) -> bool:
        """Return whether an epoch of a public inbox is read only as such.

        An inbox is read as a whole, so those of its epochs that are links cannot wait for the end.
        """
        status = self._status(path)
        if status is None or _key(status) in self._seen:
            return False
        target = os.path.realpath(path)
        below = target[len(self._top) :] if target.startswith(self._top) else ""
        if below and below != os.path.relpath(path, self._root):  # a link to what the walk may reach itself
            names = below.split(os.sep)
            _, *ways = accumulate(names, os.path.join, initial=self._root)
            if not any(map(is_skipped, names)) and all(self._filter.folder(way, self._root) for way in ways):
                return False
        self._seen.add(_key(status))
        return True

    def _is_walked(self, path: str) -> bool:
        """Return whether a path is a directory, or a link to one that is followed."""
        if not self.is_folder(path):
            return False
        if self._filter.follow or not os.path.islink(path) or self._is_within(path):
            return True
        if self._filter.outside is not None and self._filter.folder(path, self._root):
            self._filter.outside.add(path)
        return False

    def _is_within(self, link: str) -> bool:
        """Return whether all that a link leads over ends in the tree.

        It is opened later: who may write to the tree during the run can still have another one there.
        """
        try:
            target = os.path.realpath(link, strict=True)
        except (OSError, RecursionError):  # its path is too long to be sure
            return False
        return os.path.join(target, "").startswith(self._top)

    def _status(self, path: str) -> os.stat_result | None:
        """Return the status of a path, None if that fails, which is reported as damage."""
        try:
            return os.stat(path)
        except OSError as error:
            self._place(path).damage(error)
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
