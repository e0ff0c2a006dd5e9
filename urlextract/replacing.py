"""Write files safely: trust nothing that a stranger may have planted, and replace a file atomically.

A file is written to a draft, which is renamed. A draft is locked by the process that writes it. The system
drops the lock with the process, so a draft that can be locked belongs to nobody, and the next one removes it.
"""

from __future__ import annotations

import errno
import fcntl
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache
from typing import BinaryIO

from urlextract.grammar.patterns import lazy_re

_DRAFT = ".urlextract-"
_DRAFT_NAME = lazy_re(r"\.urlextract-[0-9a-f]{12}")
_MOST_LINKS = 40  # in one path; Linux has the same limit


def refuse_planted_link(path: str) -> None:
    """Raise `PermissionError` if a symbolic link on the way to ``path`` may have been planted.

    Such a link is in a sticky directory in which everybody may write, such as ``/tmp``, and belongs to a
    stranger, who is neither the user, nor root, nor the owner of the directory. Linux has the same rule if
    ``fs.protected_symlinks`` is set: see proc(5).
    """
    folder = "/" if path.startswith("/") else os.getcwd()
    names = path.split("/")[::-1]
    links = 0
    while names and links < _MOST_LINKS:
        name = names.pop()
        here = os.path.normpath(os.path.join(folder, name))
        try:
            target = os.readlink(here)
        except (OSError, ValueError):  # no link, or no such file: opening it raises the error
            folder = here
            continue
        if _is_planted(here, folder):
            raise PermissionError(
                errno.EACCES, "is a link that somebody else made, and is not followed", path
            )
        links += 1
        folder = "/" if target.startswith("/") else folder
        names += target.split("/")[::-1]


def _is_planted(link: str, folder: str) -> bool:
    """Return whether ``link`` belongs to a stranger, in a directory in which everybody may write."""
    try:
        directory, owner = os.stat(folder), os.lstat(link).st_uid
    except OSError:
        return False
    is_for_all = directory.st_mode & stat.S_ISVTX and directory.st_mode & stat.S_IWOTH
    return bool(is_for_all) and owner not in (0, directory.st_uid, os.geteuid())


def refuse_shared_directory(path: str, *, is_read: bool = False) -> None:
    """Raise `PermissionError` if strangers may write to the directory of ``path``, and so replace that file.

    The mode of such a directory lets others write, as that of ``/tmp``, or it belongs neither to the user nor
    to root. A group that may write does not count. Of a symbolic link, the directory of its target counts. If
    the file ``is_read`` only, an owner of the directory who is somebody else is no stranger. Raise `OSError`
    if there is no such directory.
    """
    folder = os.path.dirname(os.path.realpath(path))
    status = os.stat(folder)
    own = "keep it in a directory of your own"
    if status.st_mode & stat.S_IWOTH:
        is_own = status.st_uid == os.geteuid() and not status.st_mode & stat.S_ISVTX
        how = f"chmod o-w {folder}, or {own}" if is_own else own
        raise PermissionError(errno.EACCES, f"is in a directory where others can write: {how}", path)
    if not is_read and status.st_uid not in (0, os.geteuid()):
        cause = f"is in a directory of another user ({status.st_uid}): {own}"
        raise PermissionError(errno.EACCES, cause, path)


@contextmanager
def draft_of(path: str) -> Iterator[BinaryIO]:
    """Yield the stream of a draft that replaces the file ``path`` atomically.

    Readers see the old or the new content. Mode, owner and extended attributes stay the same. If ``path`` is
    a symbolic link, its target is replaced. Raise `OSError` if this fails; then, and after any other error,
    the file is unchanged.
    """
    target = os.path.realpath(path)
    folder = os.path.dirname(target)
    _remove_left_drafts(folder)
    number, name = new_draft(folder)
    try:
        with open(number, "wb") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
            _take_after(name, target)
            os.replace(name, target)
    except BaseException:
        with suppress(OSError):
            os.unlink(name)
        raise


def replace_file(path: str, data: bytes) -> None:
    """Write ``data`` to the file ``path`` atomically: see `draft_of`."""
    with draft_of(path) as stream:
        stream.write(data)


@lru_cache(maxsize=64)
def _remove_left_drafts(folder: str) -> None:
    """Remove the drafts of processes that have died, once: many files may be replaced in it."""
    remove_drafts(folder)


def new_draft(folder: str) -> tuple[int, str]:
    """Make a draft and lock it; return its descriptor and its path."""
    while True:
        draft = os.path.join(folder, f"{_DRAFT}{os.urandom(6).hex()}")
        number = os.open(draft, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        with suppress(OSError):  # a file system without locks
            fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if os.fstat(number).st_nlink:
            return number, draft
        os.close(number)  # another process has removed it before it was locked


def remove_drafts(folder: str) -> None:
    """Remove the user's drafts in a directory whose processes have died."""
    with suppress(OSError), os.scandir(folder) as entries:  # writing the new draft tells what is wrong
        for name in [entry.name for entry in entries if _DRAFT_NAME.fullmatch(entry.name)]:
            with suppress(OSError):  # another process removes it, has renamed it, or still has its lock
                _remove_unlocked(os.path.join(folder, name))


def _remove_unlocked(draft: str) -> None:
    number = os.open(draft, os.O_RDWR | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        if os.fstat(number).st_uid == os.geteuid():
            fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
            os.unlink(draft)
    finally:
        os.close(number)


def _take_after(draft: str, target: str) -> None:
    """Set mode, owner and extended attributes of ``draft`` to those of ``target``, as far as permitted.

    If there is no such file, set the default mode of a new file.
    """
    try:
        status = os.stat(target)
    except FileNotFoundError:
        os.chmod(draft, 0o666 & ~_umask())
        return
    with suppress(OSError):  # a file system without such attributes, or one that lets none be set
        for name in os.listxattr(target):
            os.setxattr(draft, name, os.getxattr(target, name))
    with suppress(PermissionError):
        os.chown(draft, status.st_uid, status.st_gid)
    os.chmod(draft, status.st_mode & 0o7777)


def _umask() -> int:
    """Return the umask of the process, which can only be read by setting it."""
    mask = os.umask(0o077)
    os.umask(mask)
    return mask
