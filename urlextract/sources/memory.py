"""What was read in runs before this one: the file behind ``--state``.

It is written anew as a whole, and put in place when it is whole, after the output that
it speaks of was flushed. A run that is killed loses nothing: what came after the last
time it was written is read again.
"""

from __future__ import annotations

import hashlib
import json
import os
import time
from typing import TYPE_CHECKING, Any, NamedTuple

from urlextract.errors import SourceError

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["FileMemory", "Memory", "tail_of"]

_VERSION = 1
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


class Memory:
    """The state of all sources; ``flush`` writes out what was found, and gives the output's length."""

    def __init__(self, path: str, *, can_rest: bool = True) -> None:
        self._path = path
        self._can_rest = can_rest
        self.flush: Callable[[], int | None] = _nothing
        self._saved = time.monotonic()
        self._messages = 0
        known = _load(path)
        self._output: dict[str, Any] | None = known.get("output")
        self._files = {name: FileMemory(**each) for name, each in known.get("files", {}).items()}
        self._names = {name: set(each) for name, each in known.get("names", {}).items()}
        self._numbers = {name: _numbers(each) for name, each in known.get("numbers", {}).items()}
        self._counts: dict[str, int] = known.get("counts", {})

    def length_of(self, output: str) -> int:
        """Give the length of the output file that the last state speaks of, 0 for another one."""
        path = os.path.abspath(output)
        known = self._output
        self._output = {"path": path}
        return int(known["length"]) if known and known.get("path") == path else 0

    def file(self, path: str) -> FileMemory | None:
        """Give what is known of a file, if it still begins as it did."""
        known = self._files.get(os.path.abspath(path))
        if known is None:
            return None
        place = known.size if known.offset is None else known.offset
        return known if tail_of(path, place) == known.tail else None

    def note_file(self, path: str, known: FileMemory) -> None:
        """Remember how far a file was read; its tail is looked at when this is written down."""
        self._files[os.path.abspath(path)] = known

    def _look_at_tails(self) -> None:
        for path, known in self._files.items():
            if not known.tail:
                place = known.size if known.offset is None else known.offset
                self._files[path] = known._replace(tail=tail_of(path, place) or _GONE)

    def has(self, folder: str, name: str) -> bool:
        """Say whether a message of a folder was read: by its number, or its name up to the colon."""
        folder = os.path.abspath(folder)
        if name.isdigit():
            return int(name) in self._numbers.get(folder, ())
        return name.partition(":")[0] in self._names.get(folder, ())

    def note(self, folder: str, name: str) -> None:
        """Remember that a message of a folder was read."""
        folder = os.path.abspath(folder)
        if name.isdigit():
            self._numbers.setdefault(folder, set()).add(int(name))
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
        """Write it down; raises `OSError`."""
        length = self.flush()
        self._look_at_tails()
        state = {
            "v": _VERSION,
            "output": None if length is None else {**(self._output or {}), "length": length},
            "files": {name: each._asdict() for name, each in self._files.items()},
            "names": {name: sorted(each) for name, each in self._names.items()},
            "numbers": {name: _ranges(each) for name, each in self._numbers.items()},
            "counts": self._counts,
        }
        draft = f"{self._path}.{os.getpid()}.new"
        with open(draft, "w", encoding="utf-8", errors="surrogateescape") as stream:
            json.dump(state, stream, separators=(",", ":"), ensure_ascii=False)
            stream.write("\n")
            stream.flush()
            os.fsync(stream.fileno())
        os.replace(draft, self._path)
        self._saved = time.monotonic()
        self._messages = 0


def _nothing() -> None:
    """Flush nothing."""


def _load(path: str) -> dict[str, Any]:
    """Read a state file; none is one of nothing. Raises `SourceError` for what is none."""
    try:
        with open(path, encoding="utf-8", errors="surrogateescape") as stream:
            state = json.load(stream)
    except FileNotFoundError:
        return {}
    except ValueError:
        raise SourceError(path, "is no state file") from None
    if not isinstance(state, dict) or state.get("v") != _VERSION:
        raise SourceError(path, "is no state file of this version")
    return state


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


def _ranges(numbers: set[int]) -> str:
    """Write numbers as ranges, as a newsreader does.

    >>> _ranges({1, 2, 3, 7})
    '1-3,7'
    """
    ranges: list[list[int]] = []
    for number in sorted(numbers):
        if ranges and number == ranges[-1][1] + 1:
            ranges[-1][1] = number
        else:
            ranges.append([number, number])
    return ",".join(str(low) if low == high else f"{low}-{high}" for low, high in ranges)


def _numbers(ranges: str) -> set[int]:
    """Read ranges."""
    numbers: set[int] = set()
    for each in filter(None, ranges.split(",")):
        low, _, high = each.partition("-")
        numbers.update(range(int(low), int(high or low) + 1))
    return numbers
