"""The state file that a run leaves for the next one (``--state``), so that only what is new is read.

It is one JSON file, which is replaced as a whole.
"""

from __future__ import annotations

import json
import os
import time
from bisect import bisect_left, bisect_right
from collections.abc import Callable
from typing import Any

from urlextract.errors import SourceError, UrlExtractError
from urlextract.replacing import refuse_planted_link, refuse_shared_directory, replace_file
from urlextract.sources.checkpoint import Left, Note, Noted, Progress, Read, count_in, progress_in, text_in
from urlextract.sources.folders.tree import is_number


class Numbers:
    """A set of integers, stored as ranges.

    >>> numbers = Numbers("1-3")
    >>> numbers.add(4), numbers.add(9)
    (None, None)
    >>> str(numbers), 5 in numbers
    ('1-4,9', False)
    """

    def __init__(self, ranges: str = "") -> None:
        self._edges: list[int] = []  # in turn, the first number of a range, and the first one after it
        for each in filter(None, ranges.split(",")):
            low, _, high = each.partition("-")
            self._edges += int(low), int(high or low) + 1
        if self._edges != sorted(self._edges):
            raise ValueError(ranges)

    def __contains__(self, number: int) -> bool:
        return bisect_right(self._edges, number) % 2 == 1

    def add(self, number: int) -> None:
        """Add a number."""
        if number in self:
            return
        for edge in (number, number + 1):  # where a range ends or begins already, the two are joined
            at = bisect_left(self._edges, edge)
            if self._edges[at : at + 1] == [edge]:
                del self._edges[at]
            else:
                self._edges.insert(at, edge)

    def __str__(self) -> str:
        pairs = zip(self._edges[::2], self._edges[1::2], strict=True)
        return ",".join(str(low) if low == end - 1 else f"{low}-{end - 1}" for low, end in pairs)


_VERSION = 1


class StateError(UrlExtractError):
    """The state file cannot be written; the sources are not at fault."""

    def __init__(self, path: str, cause: str) -> None:
        super().__init__(f"{path}: {cause}")


def read_state(path: str) -> dict[str, Any]:
    """Return the contents of a state file, an empty dict if it does not exist.

    Raise `SourceError` for any other file.
    """
    try:
        refuse_planted_link(path)
        refuse_shared_directory(path)
        if os.path.exists(path) and not os.path.isfile(path):
            raise SourceError(path, "is no regular file, and no state file")
        with open(path, encoding="utf-8") as stream:
            state = json.load(stream)
    except FileNotFoundError:
        return {}
    except (ValueError, RecursionError):
        raise SourceError(path, "is no state file") from None
    if not isinstance(state, dict) or state.get("v") != _VERSION:
        raise SourceError(path, "is no state file of this version")
    return state


def write_state(path: str, state: dict[str, Any]) -> None:
    """Replace a state file; raise `StateError` if that fails."""
    text = json.dumps({"v": _VERSION, **state}, separators=(",", ":"))
    try:
        replace_file(path, f"{text}\n".encode("ascii"))
    except OSError as error:
        raise StateError(path, f"the state cannot be written: {error.strerror or error}") from None


_INTERVAL = 1.0  # seconds after which the state is written again
_MESSAGES = 1000  # messages after which it is


class StateFile:
    """The state of all sources, in a file: a `Checkpoint`.

    ``flush`` writes out what was found, and returns the length of the output, None if it has none.
    """

    replaces = False  # what was printed before stays

    def __init__(self, path: str, *, can_rest: bool = True) -> None:
        self._path = path
        self._can_rest = can_rest
        self.flush: Callable[[], int | None] = lambda: None
        self._saved = time.monotonic()
        self._messages = 0
        known = read_state(path)
        try:
            self._outputs = {name: count_in(each) for name, each in known.get("outputs", {}).items()}
            # The numbers of messages of inboxes, as version 0.1 wrote them, stand apart.
            files = {**known.get("counts", {}), **known.get("files", {})}
            self._files = {name: progress_in(each) for name, each in files.items()}
            self._names = {name: set(map(text_in, each)) for name, each in known.get("names", {}).items()}
            self._numbers = {name: Numbers(text_in(each)) for name, each in known.get("numbers", {}).items()}
        except (TypeError, ValueError, AttributeError):
            raise SourceError(path, "is no state file") from None
        self._output: str | None = None

    def length_of(self, output: str) -> int:
        """Return the recorded length of an output file, 0 if there is none; `save` records it from now on."""
        self._output = os.path.abspath(output)
        return self._outputs.get(self._output, 0)

    def progress(self, path: str) -> Progress | None:
        """Return how far a file or an inbox was read."""
        return self._files.get(path)

    def has(self, noted: Noted) -> bool:
        """Return whether a message was read."""
        folder, name, *_ = noted
        if is_number(name):
            return folder in self._numbers and int(name) in self._numbers[folder]
        return name in self._names.get(folder, ())

    def moved(self, path: str, content: str) -> None:
        """Return None: what was printed of a file is not printed again where it is now."""

    def refiled(self, noted: Noted) -> None:
        """Return None, as `moved`."""

    def note(self, note: Note) -> None:
        """Keep a note; the bytes before the place in a file are hashed when the state is saved."""
        if isinstance(note, Read):
            self._files[note.path] = note.known
        elif isinstance(note, Noted) and is_number(note.name):
            self._numbers.setdefault(note.folder, Numbers()).add(int(note.name))
        elif isinstance(note, Noted):
            self._names.setdefault(note.folder, set()).add(note.name)
        elif isinstance(note, Left) and note.folder in self._names:
            self._names[note.folder] &= note.names

    def rest(self) -> None:
        """Save the state if that is due."""
        self._messages += 1
        if self._can_rest and (self._messages >= _MESSAGES or time.monotonic() - self._saved >= _INTERVAL):
            self.save()

    def save(self) -> None:
        """Flush the output and write the state; raise `StateError`, or what the output raises."""
        length = self.flush()
        if length is not None and self._output is not None:
            self._outputs[self._output] = length
        self._files = {path: known.with_tail(path) for path, known in self._files.items()}
        state = {
            "outputs": self._outputs,
            "files": {path: known._asdict() for path, known in self._files.items()},
            "names": {folder: sorted(each) for folder, each in self._names.items()},
            "numbers": {folder: str(each) for folder, each in self._numbers.items()},
        }
        write_state(self._path, state)
        self._saved = time.monotonic()
        self._messages = 0
