"""What was read of all sources, by earlier runs and by this one, for ``--state`` and for an index.

Of a file it is known how far it was read, with a hash of the bytes before that; of an inbox, how many of its
messages were; of a folder, which of its messages; of a stream, hashes of what came. All is noted by four
values, which a store keeps: the state file (`sources.state`), or the tables of an index (`index.store`).
"""

from __future__ import annotations

import hashlib
import os
from typing import Any, Literal, NamedTuple, Protocol

from urlextract.sources.folders.filters import is_number

Kind = Literal["file", "inbox", "stream"]
"""What a source is."""

STREAM = "-"
"""The name under which the hashes of all streams are kept."""

_TAIL = 64 * 1024  # bytes before an offset that are hashed, to see whether it is still the same file
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
    """Return the progress that a store has kept; raise `ValueError` or `TypeError` if it is none.

    A number is that of the messages of an inbox, as stores of version 0.1 have it.

    >>> progress_in(7).items, progress_in({"size": 9}).place
    (7, 9)
    """
    known = Progress(items=value) if isinstance(value, int) else Progress(**value)
    numbers = (known.size, known.items, known.start, known.line, known.changed)
    places = (place for place in (known.offset, known.last) if place is not None)
    if not all(isinstance(each, int) and 0 <= each < _MOST for each in (*numbers, *places)):
        raise ValueError(value)
    if not (isinstance(known.at, str) and isinstance(known.tail, str)):
        raise TypeError(value)
    return known


def tail_of(path: str, place: int) -> str | None:
    """Return a hash of the bytes right before ``place``, None if the file is shorter or cannot be read."""
    try:
        with open(path, "rb") as stream:
            stream.seek(max(0, place - _TAIL))
            data = stream.read(min(place, _TAIL))
    except OSError:
        return None
    if len(data) < min(place, _TAIL):
        return None
    return hashlib.blake2b(data, digest_size=16).hexdigest()


# --- what is noted: all paths are absolute --------------------------------------------------------


class Begin(NamedTuple):
    """Items of a source follow, from the place on that ``known`` says, or from its start.

    ``name`` is that of the source in origins, ``folder`` the folder that remembers the message in it.
    """

    path: str
    name: str
    known: Progress | None
    kind: Kind = "file"
    folder: str | None = None


class Read(NamedTuple):
    """A file or an inbox was read so far."""

    path: str
    known: Progress
    kind: Kind = "file"


class Noted(NamedTuple):
    """A message of a folder, or of a stream, was read."""

    folder: str
    name: str


class Left(NamedTuple):
    """These messages of a folder are left; the others are gone."""

    folder: str
    names: frozenset[str]


Note = Begin | Read | Noted | Left


class Store(Protocol):
    """Keeps what was read.

    If ``replaces`` is true, what is yielded of a source again replaces what was yielded before, so a
    file that may have changed can be read from its start. If ``knows_streams`` is true, what came from
    a stream is remembered, too.
    """

    replaces: bool
    knows_streams: bool

    def progress(self, path: str) -> Progress | None:
        """Return how far a file or an inbox was read, None if that is unknown."""

    def has(self, noted: Noted) -> bool:
        """Return whether a message was read."""

    def note(self, note: Note) -> None:
        """Keep a note."""

    def rest(self) -> None:
        """Save what was noted if that is due; all items yielded so far have been processed."""


class Checkpoint:
    """What was read, as the functions that read sources ask for it, and note it."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.replaces, self.knows_streams, self.rest = store.replaces, store.knows_streams, store.rest

    def begin(
        self, path: str, known: Progress | None, *, folder: str | None = None, kind: Kind = "file"
    ) -> None:
        """Expect items of a source, from the place on that ``known`` says, or from its start."""
        own = path if kind == "stream" else os.path.abspath(path)
        self._store.note(Begin(own, path, known, kind, folder and os.path.abspath(folder)))

    def file(self, path: str) -> Progress | None:
        """Return how far a file was read, None if that is unknown or the bytes before that have changed."""
        known = self._store.progress(os.path.abspath(path))
        return known if known and tail_of(path, known.place) == known.tail else None

    def note_file(self, path: str, known: Progress) -> None:
        """Note how far a file was read."""
        self._store.note(Read(os.path.abspath(path), known))

    def inbox(self, path: str) -> int:
        """Return the number of messages that were read from an inbox."""
        known = self._store.progress(os.path.abspath(path))
        return known.items if known else 0

    def note_inbox(self, path: str, count: int) -> None:
        """Note how many messages of an inbox were read."""
        self._store.note(Read(os.path.abspath(path), Progress(items=count, tail=_GONE), "inbox"))

    def has(self, folder: str, name: str) -> bool:
        """Return whether a message of a folder was read; it is known by its number, or its name up to ":"."""
        return self._store.has(Noted(os.path.abspath(folder), _key_of(name)))

    def note(self, folder: str, name: str) -> None:
        """Note that a message of a folder was read."""
        self._store.note(Noted(os.path.abspath(folder), _key_of(name)))

    def keep_only(self, folder: str, names: set[str]) -> None:
        """Note that of the messages of a folder only ``names`` are left."""
        self._store.note(Left(os.path.abspath(folder), frozenset(map(_key_of, names))))

    def has_come(self, identity: str) -> bool:
        """Return whether something with this hash came from a stream."""
        return self._store.has(Noted(STREAM, identity))

    def note_come(self, identity: str) -> None:
        """Note that something with this hash came from a stream."""
        self._store.note(Noted(STREAM, identity))


def _key_of(name: str) -> str:
    return name if is_number(name) else name.partition(":")[0]
