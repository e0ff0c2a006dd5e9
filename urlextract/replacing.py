"""Write files safely: do not follow planted symbolic links, and replace a file atomically."""

from __future__ import annotations

import errno
import os
import stat
import tempfile
from contextlib import suppress

__all__ = ["refuse_planted_link", "replace_file"]

_MOST_LINKS = 40  # in one path; Linux has the same limit


def refuse_planted_link(path: str) -> None:
    """Raise `PermissionError` if a symbolic link on the way to ``path`` may have been planted.

    Such a link is in a sticky directory in which everybody may write, such as ``/tmp``, and
    belongs neither to the user nor to the owner of the directory. Linux has the same rule if
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
    """Return whether ``link`` belongs to somebody else, in a directory in which everybody may write."""
    try:
        directory, owner = os.stat(folder), os.lstat(link).st_uid
    except OSError:
        return False
    is_for_all = directory.st_mode & stat.S_ISVTX and directory.st_mode & stat.S_IWOTH
    return bool(is_for_all) and owner not in (os.geteuid(), directory.st_uid)


def replace_file(path: str, data: bytes) -> None:
    """Write ``data`` to the file ``path`` atomically: readers see either the old or the new content.

    Mode and owner stay the same. If ``path`` is a symbolic link, its target is replaced. Raise
    `OSError` if this fails; then the file is unchanged.
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
    """Set the mode and owner of ``draft`` to those of ``target``, as far as that is permitted.

    If there is no such file, set the default mode of a new file.
    """
    try:
        status = os.stat(target)
    except FileNotFoundError:
        os.chmod(draft, 0o666 & ~_umask())
        return
    os.chmod(draft, status.st_mode & 0o7777)
    with suppress(PermissionError):
        os.chown(draft, status.st_uid, status.st_gid)


def _umask() -> int:
    """Return the umask of the process, which can only be read by setting it."""
    mask = os.umask(0o077)
    os.umask(mask)
    return mask
