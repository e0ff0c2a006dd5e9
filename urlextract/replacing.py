"""Files that are written by name: no planted link is followed, and a file is replaced as a whole."""

from __future__ import annotations

import errno
import os
import stat
import tempfile
from contextlib import suppress

__all__ = ["refuse_planted_link", "replace_file"]

_MOST_LINKS = 40  # on the way to one file, as Linux has it


def refuse_planted_link(path: str) -> None:
    """Raise `PermissionError` if a link on the way to ``path`` may have been planted.

    Such a link lies in a directory where everybody may write (sticky, as ``/tmp`` is) and
    belongs neither to the user nor to the directory's owner. Linux has the same rule where
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
        except (OSError, ValueError):  # no link, or nothing there: who opens it is told
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
    """Return whether somebody else put a link into a directory for all."""
    try:
        directory, owner = os.stat(folder), os.lstat(link).st_uid
    except OSError:
        return False
    is_for_all = directory.st_mode & stat.S_ISVTX and directory.st_mode & stat.S_IWOTH
    return bool(is_for_all) and owner not in (os.geteuid(), directory.st_uid)


def replace_file(path: str, data: bytes) -> None:
    """Have the file ``path`` hold ``data``: whoever looks sees the old content or the new.

    Mode and owner stay; a link keeps pointing to its file. Raises `OSError`, and then
    nothing has changed.
    """
    target = os.path.realpath(path)
    number, draft = tempfile.mkstemp(prefix=".urlextract-", dir=os.path.dirname(target))
    try:
        with open(number, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        _take_after(draft, target)
        os.replace(draft, target)
    except BaseException:
        with suppress(OSError):
            os.unlink(draft)
        raise


def _take_after(draft: str, target: str) -> None:
    """Return a draft the mode and the owner of the file that it will be, as far as that is allowed."""
    try:
        status = os.stat(target)
    except FileNotFoundError:
        os.chmod(draft, 0o666 & ~_umask())
        return
    os.chmod(draft, status.st_mode & 0o7777)
    with suppress(PermissionError):
        os.chown(draft, status.st_uid, status.st_gid)


def _umask() -> int:
    """Return the bits that no new file has: to be told them, one must set them."""
    mask = os.umask(0o077)
    os.umask(mask)
    return mask
