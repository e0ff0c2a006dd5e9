"""Many small files of a directory at once, each a message, for a reader that wants their texts alone.

What is not plainly a message of moderate size is left to be read by itself.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from urlextract.grammar.patterns import later
from urlextract.records import RawMessages
from urlextract.sources.formats.messages import LARGEST_HELD
from urlextract.sources.formats.wire import undo_wire_format
from urlextract.sources.lines import with_lf

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from urlextract.records import Item
    from urlextract.sources.folders.tree import File

__all__ = ["read_together"]

_STRETCH = 256 * 1024  # bytes that are gathered
# No format but a message begins with a header field: see `marks`.
_FIELD = later(rb"[A-Za-z][A-Za-z0-9-]{0,60}:(?!//)")


def read_together(files: Iterator[File], read_alone: Callable[[File], Iterator[Item]]) -> Iterator[Item]:
    """Give the messages in ``files``, many at a time; ``read_alone`` reads what is none plainly."""
    held: list[bytes] = []
    names: list[str] = []
    size = 0
    for file in files:
        data = _small_message(file)
        if data is not None:
            held.append(data)
            names.append(file.path)
            size += len(data)
            if size < _STRETCH:
                continue
        if held:
            yield _together(held, names)
            held, names, size = [], [], 0
        if data is None:
            yield from read_alone(file)
    if held:
        yield _together(held, names)


def _small_message(file: File) -> bytes | None:
    """Read a file that is a message and of moderate size; None for any other, and what cannot be read."""
    if not file.is_mail or file.repositories:
        return None
    try:
        with open(file.path, "rb", buffering=0) as stream:
            size = os.fstat(stream.fileno()).st_size
            data = stream.read(size + 1) if size < LARGEST_HELD else b""
    except OSError:
        return None
    if len(data) != size or not _FIELD.match(data):  # large, or it has grown, or is no message
        return None
    if b"\r" in data and b"\0" not in data:
        data = undo_wire_format(data)
        data = with_lf(data)
    return data


def _together(held: list[bytes], names: list[str]) -> RawMessages:
    """Put messages into one stretch."""
    spans = []
    at = 0
    for data in held:
        spans.append((at, at + len(data)))
        at += len(data)
    return RawMessages(b"".join(held), spans, "", 1, 0, names)
