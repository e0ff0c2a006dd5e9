"""By what a source is known again after it was renamed, moved, compressed or decompressed: its content."""

from __future__ import annotations

import hashlib
import os
from functools import cache

from urlextract.grammar.patterns import lazy_re
from urlextract.sources.checkpoint import TAIL, tail_of
from urlextract.sources.compress import DecompressionBudget, decompress, layer_of
from urlextract.sources.folders.git import tip_of
from urlextract.sources.folders.tree import PARTS
from urlextract.sources.streams import Place, blocks_of_stream, ignored, open_file

_HEAD = 512  # bytes by which compression is detected
_WITH_TIME = lazy_re(r"([0-9]+)@[0-9]+")


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
    return None if budget.has_faults else f"{size}:{hashlib.blake2b(last, digest_size=16).hexdigest()}"


def content_of_inbox(repositories: tuple[str, ...]) -> str | None:
    """Return the last commits of the repositories of an inbox, None if one cannot be read."""
    try:
        tips = [tip_of(each) for each in repositories]
    except (OSError, ValueError):
        return None
    return ":".join(tip for tip in tips if tip) or None


def with_time(path: str, name: str) -> str:
    """Return what identifies a message of MH: its number and its modification time."""
    try:
        return f"{name}@{os.stat(path).st_mtime_ns}"
    except OSError:
        return name


def file_key(name: str) -> str:
    """Return the part of the name by which a message of a folder is known that its file has, too.

    >>> file_key("12@1700000000000000000"), file_key("1700.M1P2.host")
    ('12', '1700.M1P2.host')
    """
    match = _WITH_TIME.fullmatch(name)
    return match[1] if match else name


class Folders:
    """The messages that are in folders now; each folder is listed once."""

    def __init__(self) -> None:
        self._names = cache(_names_in)

    def has(self, folder: str, name: str) -> bool:
        """Return whether a message that is known by ``name`` is in a folder."""
        key = file_key(name)
        if key != name:
            return with_time(os.path.join(folder, key), key) == name
        return name in self._names(folder)


def _names_in(folder: str) -> frozenset[str]:
    """Return the names of the files of a folder up to the colon: those of a Maildir are in its parts."""
    found: list[str] = []
    for each in (folder, *(os.path.join(folder, part) for part in PARTS)):
        try:
            found += os.listdir(each)
        except OSError:
            continue
    return frozenset(name.partition(":")[0] for name in found)
