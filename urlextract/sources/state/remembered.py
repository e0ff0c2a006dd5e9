"""Files of a directory of which only the new ones are read; see `Memory`."""

from __future__ import annotations

import os
from itertools import islice
from typing import TYPE_CHECKING

from urlextract.sources import read_file
from urlextract.sources.folders.maildir import PARTS
from urlextract.sources.state.resume import read_resumed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from urlextract.records import Item
    from urlextract.sources.folders.tree import File
    from urlextract.sources.state.memory import Memory
    from urlextract.sources.streams import Place

__all__ = ["read_new"]


def read_new(files: Iterator[File], form: str, place: Place, memory: Memory) -> Iterator[Item]:
    """Give what is new in the files of a directory, and remember it; forget what is gone."""
    new = _NewFiles(memory)
    for file in files:
        yield from new.read(file, form, place._replace(name=file.path))
    new.forget_others()


class _NewFiles:
    """Reads of the files of one directory what is new."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self._named: dict[str, set[str]] = {}
        self._mh: dict[str, bool] = {}

    def read(self, file: File, form: str, place: Place) -> Iterator[Item]:
        """Give what is new of one file."""
        if file.repositories:
            yield from _inbox(self._memory, file, form, place)
        elif file.is_mail:
            yield from self._message(file, form, place)
        else:
            yield from read_resumed(file.path, form, place, self._memory, is_walked=True)

    def _message(self, file: File, form: str, place: Place) -> Iterator[Item]:
        """Read a message that was not read before, under its name or, in a Maildir, under another."""
        folder, name = os.path.split(file.path)
        if os.path.basename(folder) in PARTS:
            folder = os.path.dirname(folder)
            self._named.setdefault(folder, set()).add(name)
        elif self._is_mh(folder):
            name = _with_time(file.path, name)
            self._named.setdefault(folder, set()).add(name)
        if not self._memory.has(folder, name):
            yield from read_file(file, form, place)
            self._memory.note(folder, name)
            self._memory.rest()

    def _is_mh(self, folder: str) -> bool:
        """Say whether a folder is one of MH, which gives the numbers of deleted messages to others."""
        if folder not in self._mh:
            self._mh[folder] = os.path.exists(os.path.join(folder, ".mh_sequences"))
        return self._mh[folder]

    def forget_others(self) -> None:
        """Forget the names of messages that are gone."""
        for folder, names in self._named.items():
            self._memory.forget_others(folder, names)


def _with_time(path: str, name: str) -> str:
    """Tell a message by its number and the time at which it was written."""
    try:
        return f"{name}@{os.stat(path).st_mtime_ns}"
    except OSError:
        return name


def _inbox(memory: Memory, file: File, form: str, place: Place) -> Iterator[Item]:
    """Read the messages that came behind those of the last time."""
    count = memory.count(file.path)
    for item in islice(read_file(file, form, place), count, None):
        yield item
        count += 1
        memory.note_count(file.path, count)
        memory.rest()
