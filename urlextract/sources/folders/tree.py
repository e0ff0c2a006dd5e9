"""Directories: Maildirs, MH folders, news spools, public inboxes, or any tree of files.

All are walked in one way. A directory that is a Maildir gives the files of its
``cur`` and ``new``; of any other the files come first, then its directories,
names that are numbers in the order of the numbers. Nothing is read twice: news
articles are linked into each group they were posted to, and links make loops.
"""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING, NamedTuple

from urlextract.sources.folders.inboxes import is_repository, repositories_in
from urlextract.sources.folders.maildir import PARTS, is_maildir
from urlextract.sources.folders.names import ALL_NAMES, Names, is_number

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
    directory is. What cannot be looked at is told to the `Place` of its name. Names
    that do not fit the ``names`` asked for are passed over.
    """

    def __init__(self, form: str, place: Callable[[str], Place], names: Names = ALL_NAMES) -> None:
        self._form = form
        self._place = place
        self._fits = names
        self._seen: set[tuple[int, int]] = set()

    def walk(self, root: str) -> Iterator[File]:
        """Give the files under ``root``, itself a directory, in order."""
        pending = [root]
        self._new_status(root)  # a link that leads back to it is nothing new
        while pending:
            path = pending.pop()
            files, folders = self._read(path, root)
            yield from (file for file in files if self._fits.file(file.path, root))
            pending += reversed([folder for folder in folders if self._fits.folder(folder, root)])

    def _read(self, path: str, root: str) -> tuple[list[File], list[str]]:
        """List a directory by what it is."""
        if self._is_maildir(path, root):
            return self._read_maildir(path)
        if self._form != "tree" and is_repository(path):
            return [File(path, is_mail=True, repositories=(path,))], []
        epochs = repositories_in(path) if self._form != "tree" else ()
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
        mails = [mail for part in parts if os.path.isdir(part) for mail in self._list(part)[0]]
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
        for entry in self._entries(path):
            name = entry.name
            if name in SKIPPED or (name.startswith(".") and not hidden):
                continue
            if entry.is_file(follow_symlinks=False):  # nothing more is asked of the disk
                if self._is_new((device, entry.inode())):
                    files.append(entry.path)
                continue
            status = self._new_status(entry.path)
            if status and stat.S_ISDIR(status.st_mode):
                folders.append(entry.path)
            elif status and stat.S_ISREG(status.st_mode):
                files.append(entry.path)
        return files, folders

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

    def _new_status(self, path: str) -> os.stat_result | None:
        """Look at what a name stands for, unless it was met before under another."""
        try:
            status = os.stat(path)
        except OSError as error:
            self._place(path).damage(error)
            return None
        return status if self._is_new((status.st_dev, status.st_ino)) else None

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
