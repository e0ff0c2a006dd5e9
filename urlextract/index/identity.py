"""By what a source is known again after it was renamed, moved, compressed or decompressed: its content."""

from __future__ import annotations

import os
import stat
from functools import cache

from urlextract.index.notes import TAIL, hash_of_tail, tail_of
from urlextract.sources.compress import DecompressionBudget, decompress, layer_of
from urlextract.sources.maildir import PARTS, unique_name
from urlextract.sources.streams import Place, blocks_of_stream, ignored, open_file

_HEAD = 512  # bytes by which compression is detected


def content_of_file(path: str) -> str | None:
    """Return the size of a file's content and a hash of its last 64 KiB, both without compression.

    Return None if it cannot be read to its end.

    >>> import gzip, tempfile
    >>> with tempfile.NamedTemporaryFile() as one, tempfile.NamedTemporaryFile() as other:
    ...     one.write(b"text"), one.flush()
    ...     other.write(gzip.compress(b"text")), other.flush()
    ...     content_of_file(one.name) == content_of_file(other.name)
    (4, None)
    (24, None)
    True
    """
    try:
        with open_file(path) as stream:
            if layer_of(stream.read(_HEAD)) is None:
                size = os.fstat(stream.fileno()).st_size
                tail = tail_of(path, size)
                return tail and f"{size}:{tail}"
            stream.seek(0)
            place = Place(path, ignored)
            budget = DecompressionBudget(place)
            size, last = 0, b""
            for block in decompress(blocks_of_stream(stream, place), budget):
                size += len(block)
                last = (last + block)[-TAIL:]
    except (OSError, ValueError):
        return None
    return None if budget.has_faults else f"{size}:{hash_of_tail(last)}"


def with_inode(path: str, name: str) -> str:
    """Return what identifies a file whose name is a number, which may be that of another file soon.

    Its modification time alone does not: messages that came at once, or were unpacked, have the same.
    """
    try:
        status = os.stat(path)
    except (OSError, ValueError):
        return name
    return f"{name}:{status.st_mtime_ns}:{status.st_ino}"


def is_gone(path: str, kind: str = "file") -> bool:
    """Return whether there is no longer a source of this kind; what cannot be looked at may be there.

    >>> is_gone("/"), is_gone("/", "folder"), is_gone("/none", "folder")
    (True, False, True)
    """
    try:
        is_folder = stat.S_ISDIR(os.stat(path).st_mode)
    except (FileNotFoundError, NotADirectoryError, ValueError):
        return True
    except OSError:
        return False
    return is_folder != (kind in ("folder", "inbox"))


def is_same_file(one: str, other: str) -> bool:
    """Return whether two paths are names of one file."""
    try:
        return os.path.samefile(one, other)
    except (OSError, ValueError):
        return False


class Folders:
    """The messages that are in folders now; each folder is listed once."""

    def __init__(self) -> None:
        self._names = cache(_names_in)

    def has(self, folder: str, name: str) -> bool:
        """Return whether a message that is known by ``name`` is in a folder."""
        names = self._names(folder)
        if names is None:
            return True
        key = unique_name(name)
        return key in names and (key == name or with_inode(os.path.join(folder, key), key) in (key, name))


def _names_in(folder: str) -> frozenset[str] | None:
    """Return the names of the files of a folder up to the colon: those of a Maildir are in its parts.

    Return None if they cannot be listed.
    """
    found: list[str] = []
    for each in (folder, *(os.path.join(folder, part) for part in PARTS)):
        try:
            found += os.listdir(each)
        except (FileNotFoundError, NotADirectoryError, ValueError):
            continue
        except OSError:
            return None
    return frozenset(map(unique_name, found))
