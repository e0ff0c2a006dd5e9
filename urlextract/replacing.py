"""A file that is replaced at once, or not at all."""

from __future__ import annotations

import os
import tempfile
from contextlib import suppress

__all__ = ["replace_file"]


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
    """Give a draft the mode and the owner of the file that it will be, as far as that is allowed."""
    try:
        status = os.stat(target)
    except FileNotFoundError:
        os.chmod(draft, 0o666 & ~_umask())
        return
    os.chmod(draft, status.st_mode & 0o7777)
    with suppress(PermissionError):
        os.chown(draft, status.st_uid, status.st_gid)


def _umask() -> int:
    """Give the bits that no new file has: to be told them, one must set them."""
    mask = os.umask(0o077)
    os.umask(mask)
    return mask
