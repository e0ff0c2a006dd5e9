"""Directories: Maildirs, MH folders, news spools, public inboxes, or any tree of files.

All are walked in one way. A directory that is a Maildir gives the files of its
``cur`` and ``new``; of any other the files come first, then its directories,
names that are numbers in the order of the numbers. Nothing is read twice: news
articles are linked into each group they were posted to. Links to directories lead out
of the tree, and are walked only if that is asked for.
"""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING, NamedTuple

from urlextract.sources.folders.filters import EVERYTHING, TreeFilter, is_number
from urlextract.sources.folders.inboxes import is_repository, repositories_in
from urlextract.sources.folders.maildir import PARTS, is_maildir

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from urlextract.sources.streams import Place

__all__ = ["File", "Walker"]

# leafnode links its articles there once more, or keeps what is no article.
SKIPPED = frozenset({"message.id", "interesting.groups", "leaf.node"})


class File(NamedTuple):
    """A file of the tree; ``is_mail`` where its place says that it holds mail or news.

    Or a directory with the ``repositories`` of git that make a public inbox.
    """

    path: str
    is_mail: bool
    repositories: tuple[str, ...] = ()


class Walker:
    """Walks a tree, each file and directory once.

    ``form`` is ``maildir`` or ``tree`` where the caller says what the first
    directory is. What cannot be looked at is told to the `Place` of its name. What the
    ``tree_filter`` does not ask for is passed over.
    """

    def __init__(
        self, form: str, place: Callable[[str], Place], tree_filter: TreeFilter = EVERYTHING
    ) -> None:
        self._form = form
        self._place = place
        self._filter = tree_filter
        self._seen: set[tuple[int, int]] = set()

    def walk(self, root: str) -> Iterator[File]:
        """Give the files under ``root``, itself a directory, in order."""
        pending = [root]
        if status := self._status(root):
            self._is_new((status.st_dev, status.st_ino))  # a link that leads back to it is nothing new
        while pending:
            path = pending.pop()
            files, folders = self._read(path, root)
            yield from (file for file in files if self._filter.file(file.path, root))
            pending += reversed([folder for folder in folders if self._filter.folder(folder, root)])

    def _read(self, path: str, root: str) -> tuple[list[File], list[str]]:
        """List a directory by what it is."""
        if self._is_maildir(path, root):
            return self._read_maildir(path)
        if self._form != "tree" and is_repository(path):
            return [File(path, is_mail=True, repositories=(path,))], []
        epochs = repositories_in(path, follow=self._filter.follow) if self._form != "tree" else ()
        if epochs:
            return [File(path, is_mail=True, repositories=epochs)], []
        return self._read_folder(path)

    def _is_maildir(self, path: str, root: str) -> bool:
        """Tell how a directory is to be read: as the caller said, else by what it holds."""
        if self._form == "tree":
            return False
        return (self._form == "maildir" and path == root) or is_maildir(path)

    def _read_maildir(self, path: str) -> tuple[list[File], list[str]]:
        """List the messages of a Maildir, and the Maildirs in it."""
        parts = [os.path.join(path, part) for part in PARTS]
        mails = [mail for part in parts if self._is_walked(part) for mail in self._list(part)[0]]
        folders = self._list(path, hidden=True)[1]
        return [File(mail, True) for mail in mails], [folder for folder in folders if is_maildir(folder)]

    def _read_folder(self, path: str) -> tuple[list[File], list[str]]:
        """List a directory that is no Maildir; if all its files are numbers they are messages."""
        files, folders = self._list(path)
        numbered = all(is_number(os.path.basename(file)) for file in files)
        return [File(file, numbered) for file in files], folders

    def _list(self, path: str, *, hidden: bool = False) -> tuple[list[str], list[str]]:
        """List the files and the directories in ``path`` that were not met before, sorted."""
        files: list[str] = []
        folders: list[str] = []
        device = self._device_of(path)
        entries = self._entries(path)
        written = self._filter.written.keys() if self._filter.written else set()
        for entry in entries:
            name = entry.name
            if name in SKIPPED or (name.startswith(".") and not hidden):
                continue
            if entry.is_file(follow_symlinks=False):  # nothing more is asked of the disk
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
        """Return the status of a file or directory, also behind a link; None for what is not read."""
        status = self._status(entry.path)
        if status is None or stat.S_ISREG(status.st_mode):
            return status
        is_followed = self._filter.follow or not entry.is_symlink()
        return status if stat.S_ISDIR(status.st_mode) and is_followed else None

    def _is_walked(self, path: str) -> bool:
        """Return whether a part of a Maildir is a directory, or a link to one that is followed."""
        return os.path.isdir(path) and (self._filter.follow or not os.path.islink(path))

    def _entries(self, path: str) -> list[os.DirEntry[str]]:
        """List what is in a directory: numbers first, as numbers."""
        try:
            with os.scandir(path) as entries:
                return sorted(entries, key=_rank)
        except OSError as error:
            self._place(path).damage(error)
            return []

    def _device_of(self, path: str) -> int:
        """Give the device on which a directory lies, and its files with it."""
        try:
            return os.stat(path).st_dev
        except OSError:
            return -1

    def _status(self, path: str) -> os.stat_result | None:
        """Return what a name stands for, None if that cannot be told, which is damage."""
        try:
            return os.stat(path)
        except OSError as error:
            self._place(path).damage(error)
            return None

    def _is_new(self, key: tuple[int, int]) -> bool:
        """Say whether a file was not met before."""
        if key in self._seen:
            return False
        self._seen.add(key)
        return True


def _rank(entry: os.DirEntry[str]) -> tuple[bool, int, str]:
    """Give the place of a name among others."""
    name = entry.name
    number = is_number(name)
    return (not number, int(name) if number else 0, name)
