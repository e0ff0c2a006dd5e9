"""What was read in runs before this one: what ``--state`` keeps.

It is written down after the output that it speaks of was flushed. A run that is killed
loses nothing: what came after the last time it was written is read again.
"""

from __future__ import annotations

import hashlib
import os
import time
from typing import TYPE_CHECKING, Any, NamedTuple

from urlextract.errors import SourceError
from urlextract.sources.folders.filters import is_number
from urlextract.sources.state.numbers import Numbers
from urlextract.sources.state.statefile import count_in, read_state, text_in, write_state

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["FileMemory", "Memory", "tail_of"]

_INTERVAL = 1.0  # seconds between two writings, at most
_MESSAGES = 1000  # and messages
_GONE = "gone"
_TAIL = 64 * 1024  # bytes before a place that tell whether it is still the same file


class FileMemory(NamedTuple):
    """How far a file was read.

    Of the first ``size`` bytes all ``items`` were given; where they can be read from
    the middle, the next stands at ``offset``, ``at`` "head" (the header of a message),
    "end" (what comes behind all others) or "text" (with its character and line).
    ``tail`` is a hash of what stands before that place, ``last`` the place of the last
    message, which may have been written in part only.
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

    @property
    def place(self) -> int:
        """Up to where all was read."""
        return self.size if self.offset is None else self.offset


class Memory:
    """The state of all sources; ``flush`` writes out what was found, and gives the output's length."""

    def __init__(self, path: str, *, can_rest: bool = True) -> None:
        self._path = path
        self._can_rest = can_rest
        self.flush: Callable[[], int | None] = _nothing
        self._saved = time.monotonic()
        self._messages = 0
        known = read_state(path)
        try:
            self._outputs = {name: count_in(each) for name, each in known.get("outputs", {}).items()}
            self._files = {name: _file_memory(each) for name, each in known.get("files", {}).items()}
            self._names = {name: set(map(text_in, each)) for name, each in known.get("names", {}).items()}
            self._numbers = {name: Numbers(text_in(each)) for name, each in known.get("numbers", {}).items()}
            self._counts = {name: count_in(each) for name, each in known.get("counts", {}).items()}
        except (TypeError, ValueError, AttributeError):
            raise SourceError(path, "is no state file") from None
        self._output: str | None = None

    def length_of(self, output: str) -> int:
        """Give the length of an output file that the state speaks of, 0 for another one."""
        self._output = os.path.abspath(output)
        return self._outputs.get(self._output, 0)

    def file(self, path: str) -> FileMemory | None:
        """Give what is known of a file, if it still begins as it did."""
        known = self._files.get(os.path.abspath(path))
        if known is None:
            return None
        return known if tail_of(path, known.place) == known.tail else None

    def note_file(self, path: str, known: FileMemory) -> None:
        """Remember how far a file was read; its tail is looked at when this is written down."""
        self._files[os.path.abspath(path)] = known

    def _look_at_tails(self) -> None:
        for path, known in self._files.items():
            if not known.tail:
                self._files[path] = known._replace(tail=tail_of(path, known.place) or _GONE)

    def has(self, folder: str, name: str) -> bool:
        """Say whether a message of a folder was read: by its number, or its name up to the colon."""
        folder = os.path.abspath(folder)
        if is_number(name):
            return folder in self._numbers and int(name) in self._numbers[folder]
        return name.partition(":")[0] in self._names.get(folder, ())

    def note(self, folder: str, name: str) -> None:
        """Remember that a message of a folder was read."""
        folder = os.path.abspath(folder)
        if is_number(name):
            self._numbers.setdefault(folder, Numbers()).add(int(name))
        else:
            self._names.setdefault(folder, set()).add(name.partition(":")[0])

    def forget_others(self, folder: str, names: set[str]) -> None:
        """Keep of the names in a folder only those that are still there."""
        folder = os.path.abspath(folder)
        if folder in self._names:
            self._names[folder] &= {name.partition(":")[0] for name in names}

    def count(self, path: str) -> int:
        """Give the number of messages that were read of an inbox."""
        return self._counts.get(os.path.abspath(path), 0)

    def note_count(self, path: str, count: int) -> None:
        """Remember that number."""
        self._counts[os.path.abspath(path)] = count

    def rest(self) -> None:
        """Write it down, if it is time to: all that was read is printed now."""
        self._messages += 1
        if self._can_rest and (self._messages >= _MESSAGES or time.monotonic() - self._saved >= _INTERVAL):
            self.save()

    def save(self) -> None:
        """Write it down; raises `StateError`, or what the output raises."""
        length = self.flush()
        if length is not None and self._output is not None:
            self._outputs[self._output] = length
        self._look_at_tails()
        state = {
            "outputs": self._outputs,
            "files": {name: each._asdict() for name, each in self._files.items()},
            "names": {name: sorted(each) for name, each in self._names.items()},
            "numbers": {name: str(each) for name, each in self._numbers.items()},
            "counts": self._counts,
        }
        write_state(self._path, state)
        self._saved = time.monotonic()
        self._messages = 0


def _nothing() -> None:
    """Flush nothing."""


def tail_of(path: str, place: int) -> str | None:
    """Give a hash of the bytes right before ``place``, None where the file does not reach so far."""
    try:
        with open(path, "rb") as stream:
            stream.seek(max(0, place - _TAIL))
            data = stream.read(min(place, _TAIL))
    except OSError:
        return None
    if len(data) < min(place, _TAIL):
        return None
    return hashlib.blake2b(data, digest_size=16).hexdigest()


def _file_memory(fields: dict[str, Any]) -> FileMemory:
    """Read what is known of a file; raises `ValueError` or `TypeError` for what is nothing of the kind."""
    known = FileMemory(**fields)
    for number in (known.size, known.items, known.start, known.line):
        count_in(number)
    for place in (known.offset, known.last):
        if place is not None:
            count_in(place)
    text_in(known.at + known.tail)
    return known
