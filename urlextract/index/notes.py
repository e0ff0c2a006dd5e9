"""What was read of all sources, by earlier runs and by this one: the values that an index keeps.

Of a file it is known how far it was read, with a hash of the bytes before that; of an inbox, how many of its
messages were; of a folder, which of its messages; of a stream, hashes of what came.
"""

from __future__ import annotations

import hashlib
from typing import Any, Literal, NamedTuple

Kind = Literal["file", "inbox", "stream"]
"""What a source is."""

STREAM = "-"
"""The name under which the hashes of all streams are kept."""

TAIL = 64 * 1024  # bytes before an offset that are hashed, to see whether it is still the same file
_MOST = 1 << 62
_GONE = "gone"


class Progress(NamedTuple):
    """How far a file or an inbox was read.

    ``items`` is the number of items in the first ``size`` bytes, all of which were yielded; 0 for a text
    that can be resumed. If the file can be resumed, the next item begins at ``offset``. There, ``at``, is
    the "head" of a message, the "end" of all messages, or "text" at character ``start`` and line ``line``.
    ``tail`` is a hash of the bytes before that offset. ``last`` is the offset of the last message, which
    may have been incomplete. ``changed`` is the time in nanoseconds at which a file that is no mailbox was
    last modified; 0 if it is unknown.
    """

    size: int = 0
    items: int = 0
    offset: int | None = None
    at: str = ""
    start: int = 0
    line: int = 1
    is_whole: bool = False
    tail: str = ""
    last: int | None = None
    changed: int = 0

    @property
    def place(self) -> int:
        """The offset up to which the file was read."""
        return self.size if self.offset is None else self.offset

    def with_tail(self, path: str) -> Progress:
        """Return the same progress in the file ``path``, with the hash of the bytes before its place."""
        return self if self.tail else self._replace(tail=tail_of(path, self.place) or _GONE)


def progress_in(value: Any) -> Progress:
    """Return the progress that an index has kept; raise `ValueError` or `TypeError` if it is none.

    >>> progress_in({"size": 9}).place
    9
    """
    known = Progress(**value)
    places = (place for place in (known.offset, known.last) if place is not None)
    for number in (known.size, known.items, known.start, known.line, known.changed, *places):
        _check_count(number)
    if not isinstance(known.at, str) or not isinstance(known.tail, str):
        raise ValueError(value)  # noqa: TRY004 - the file is at fault, not the caller
    return known


def _check_count(value: object) -> None:
    """Raise `ValueError` if ``value`` is no number of bytes or messages."""
    if not isinstance(value, int) or not 0 <= value < _MOST:
        raise ValueError(value)


def tail_of(path: str, place: int) -> str | None:
    """Return a hash of the bytes right before ``place``, None if the file is shorter or cannot be read."""
    try:
        with open(path, "rb") as stream:
            stream.seek(max(0, place - TAIL))
            data = stream.read(min(place, TAIL))
    except OSError:
        return None
    if len(data) < min(place, TAIL):
        return None
    return hash_of_tail(data)


def hash_of_tail(data: bytes) -> str:
    """Return a hash of the end of a file, as `tail_of` does."""
    return hashlib.blake2b(data, digest_size=16).hexdigest()


# --- what is noted: all paths are absolute --------------------------------------------------------


class Noted(NamedTuple):
    """A message of a folder, or of a stream, was read.

    In a folder it is known by its number, or by its name up to ":"; in a stream by a hash of its bytes.
    ``file`` is its file in the folder, ``content`` that of this file.
    """

    folder: str
    name: str
    file: str | None = None
    content: str | None = None


class Begin(NamedTuple):
    """Items of a source follow, from the place on that ``known`` says, or from its start.

    ``name`` is that of the source in origins, ``noted`` the message of a folder that the source is.
    """

    path: str
    name: str
    known: Progress | None
    kind: Kind = "file"
    noted: Noted | None = None


class Read(NamedTuple):
    """A file or an inbox was read so far."""

    path: str
    known: Progress
    kind: Kind = "file"


class Identity(NamedTuple):
    """A file or an inbox was read to its end; by ``content`` it is known wherever it is."""

    path: str
    content: str


class Moved(NamedTuple):
    """What was read before, and noted under ``old``, is the file or the inbox ``path`` now."""

    old: str
    path: str


class Refiled(NamedTuple):
    """A message of a folder that was noted as ``old``, as the index has it, is ``noted`` now."""

    old: Noted
    noted: Noted


class Linked(NamedTuple):
    """This path leads to a file or a directory that was read by another name."""

    path: str


class Damaged(NamedTuple):
    """Something of a source could not be read."""

    source: str
    cause: str
    offset: int | None


Note = Begin | Damaged | Read | Identity | Noted | Linked | Moved | Refiled
