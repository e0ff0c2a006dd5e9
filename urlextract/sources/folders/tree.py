"""Directories: trees of files, Maildirs, and folders with a file for each article (MH, spools)."""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING, NamedTuple

from urlextract.sources.folders.filters import EVERYTHING, TreeFilter, is_number
from urlextract.sources.folders.inboxes import is_repository, repositories_in

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from urlextract.sources.streams import Place

__all__ = ["PARTS", "File", "Walker", "found_again", "is_skipped", "rank"]

PARTS = ("cur", "new")


def found_again(path: str) -> str:
    """Return the current path of a message that a mail reader may have moved or marked since the listing.

    Its name up to the colon does not change (maildir(5)); from ``new`` it is moved to ``cur``.
    """
    folder, name = os.path.split(path)
    if os.path.basename(folder) not in PARTS or os.path.exists(path):
        return path
    current = os.path.join(os.path.dirname(folder), "cur")
    base = name.partition(":")[0]
    try:
        names = os.listdir(current)
    except OSError:
        return path
    return next((os.path.join(current, each) for each in names if each.partition(":")[0] == base), path)


# Names in leafnode's spool: further links to its articles, or files that are no articles.
SKIPPED = frozenset({"message.id", "interesting.groups", "leaf.node"})


class File(NamedTuple):
    """A file of the tree, or a directory that is a public inbox.

    ``is_mail`` says that it holds mail or news, judged by where it is. ``repositories`` are the
    git repositories of a public inbox.
    """

    path: str
    is_mail: bool
    repositories: tuple[str, ...] = ()


class Walker:
    """Walks a tree, each file and directory once.

    With ``maildir`` as ``form`` the first directory is a Maildir; with ``tree`` all directories are
    plain ones. What cannot be read is reported to the `Place` of its name. What ``tree_filter``
    does not ask for is skipped.

    A subclass that walks something else than this machine's directories has its own `begin`, `is_folder`,
    `repositories` and `listed`.
    """

    def __init__(
        self, form: str, place: Callable[[str], Place], tree_filter: TreeFilter = EVERYTHING
    ) -> None:
        self._form = form
        self._place = place
        self._filter = tree_filter
        self._seen: set[tuple[int, int]] = set()

    def walk(self, root: str) -> Iterator[File]:
        """Yield the files under the directory ``root``, in order."""
        pending = [root]
        self.begin(root)
        while pending:
            path = pending.pop()
            files, folders = self._read(path, root)
            yield from (file for file in files if self._filter.file(file.path, root))
            pending += reversed([folder for folder in folders if self._filter.folder(folder, root)])

    def begin(self, root: str) -> None:
        """Remember the first directory: a link that leads back to it is nothing new, one out of it none."""
        self._root, self._top = root, os.path.join(os.path.realpath(root), "")  # the root may be a link
        if status := self._status(root):
            self._is_new((status.st_dev, status.st_ino))

    def is_folder(self, path: str) -> bool:
        """Return whether a path is a directory."""
        return os.path.isdir(path)

    def repositories(self, path: str) -> tuple[str, ...]:
        """Return the git repositories of the public inbox in a directory, none if it is no inbox."""
        return (path,) if is_repository(path) else repositories_in(path, self._is_walked)

    def _read(self, path: str, root: str) -> tuple[list[File], list[str]]:
        """List the files and folders of a directory, according to its kind."""
        if self._is_maildir(path, root):
            return self._read_maildir(path)
        repositories = self.repositories(path) if self._form != "tree" else ()
        if repositories:
            return [File(path, is_mail=True, repositories=repositories)], []
        return self._read_folder(path)

    def _is_maildir(self, path: str, root: str) -> bool:
        """Return whether a directory is read as a Maildir: as the caller said, else by its content."""
        if self._form == "tree":
            return False
        return (self._form == "maildir" and path == root) or self._has_parts(path)

    def _has_parts(self, path: str) -> bool:
        """Return whether a directory has those of a Maildir."""
        return all(self.is_folder(os.path.join(path, part)) for part in PARTS)

    def _read_maildir(self, path: str) -> tuple[list[File], list[str]]:
        """List the messages of a Maildir, and the Maildirs in it."""
        parts = [os.path.join(path, part) for part in PARTS]
        mails = [mail for part in parts if self._is_walked(part) for mail in self.listed(part)[0]]
        folders = self.listed(path, hidden=True)[1]
        return [File(mail, True) for mail in mails], [folder for folder in folders if self._has_parts(folder)]

    def _read_folder(self, path: str) -> tuple[list[File], list[str]]:
        """List a directory that is no Maildir; if all file names are numbers, the files are messages."""
        files, folders = self.listed(path)
        numbered = all(is_number(os.path.basename(file)) for file in files)
        return [File(file, numbered) for file in files], folders

    def listed(self, path: str, *, hidden: bool = False) -> tuple[list[str], list[str]]:
        """List the files and the directories in ``path`` that were not met before, sorted."""
        files: list[str] = []
        folders: list[str] = []
        device = self._device_of(path)
        entries = self._entries(path)
        written = self._filter.written.keys() if self._filter.written else set()
        for entry in entries:
            name = entry.name
            if is_skipped(name, hidden=hidden):
                continue
            if entry.is_file(follow_symlinks=False):  # no further system call is needed
                key, is_folder = (device, entry.inode()), False
            elif (status := self._status_to_read(entry)) is not None:
                key, is_folder = (status.st_dev, status.st_ino), stat.S_ISDIR(status.st_mode)
            else:
                continue
            if not self._is_new(key):
                continue
            if key in written and self._filter.written:
                self._filter.written.tell(entry.path)
            else:
                (folders if is_folder else files).append(entry.path)
        return files, folders

    def _status_to_read(self, entry: os.DirEntry[str]) -> os.stat_result | None:
        """Return the status of a file or directory, also after a link; None for what is not read."""
        status = self._status(entry.path)
        if status is None or (entry.is_symlink() and not self._is_followed(entry.path)):
            return None
        return status if stat.S_ISREG(status.st_mode) or stat.S_ISDIR(status.st_mode) else None

    def _is_walked(self, path: str) -> bool:
        """Return whether a path is a directory, or a link to one that is followed."""
        return self.is_folder(path) and (not os.path.islink(path) or self._is_followed(path))

    def _is_followed(self, link: str) -> bool:
        """Return whether a link is read: with ``follow``, or if all that it leads over ends in the tree.

        It is opened later: who may write to the tree during the run can still have another one there.
        """
        if self._filter.follow:
            return True
        try:
            target = os.path.realpath(link, strict=True)
        except (OSError, RecursionError):  # its path is too long to be sure
            target = ""
        is_within = os.path.join(target, "").startswith(self._top)
        if not is_within and self._filter.outside is not None and self._filter.folder(link, self._root):
            self._filter.outside.add(link)
        return is_within

    def _entries(self, path: str) -> list[os.DirEntry[str]]:
        """List the entries of a directory: numbers first, in numerical order."""
        try:
            with os.scandir(path) as entries:
                return sorted(entries, key=lambda entry: rank(entry.name))
        except OSError as error:
            self._place(path).damage(error)
            return []

    def _device_of(self, path: str) -> int:
        """Return the device of a directory and its files, -1 if that is not known."""
        try:
            return os.stat(path).st_dev
        except OSError:
            return -1

    def _status(self, path: str) -> os.stat_result | None:
        """Return the status of a path, None if that fails, which is reported as damage."""
        try:
            return os.stat(path)
        except OSError as error:
            self._place(path).damage(error)
            return None

    def _is_new(self, key: tuple[int, int]) -> bool:
        """Return whether a file was not met before, and remember it."""
        if key in self._seen:
            return False
        self._seen.add(key)
        return True


def is_skipped(name: str, *, hidden: bool) -> bool:
    """Return whether an entry of a directory is passed over; dot files are not if ``hidden`` is true."""
    return name in SKIPPED or (name.startswith(".") and not hidden)


def rank(name: str) -> tuple[bool, int, str]:
    """Return the sort key of an entry of a directory."""
    number = is_number(name)
    return (not number, int(name) if number else 0, name)
