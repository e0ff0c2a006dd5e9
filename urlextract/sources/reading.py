"""Read a source: what a path names, or a stream."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable, Iterator
from functools import partial
from itertools import chain, islice
from typing import BinaryIO, TypeAlias

from urlextract.errors import OnDamage, SourceError
from urlextract.records import Item
from urlextract.sources.checkpoint import Checkpoint
from urlextract.sources.compress import DecompressionBudget
from urlextract.sources.files import read_files, read_stream
from urlextract.sources.folders.tree import EVERYTHING, TreeFilter, Walker
from urlextract.sources.resuming import new_of_file, new_of_files
from urlextract.sources.sniff import READABLE
from urlextract.sources.streams import (
    Origin,
    blocks_of_file,
    blocks_of_stream,
    name_of,
    open_file,
    whole_lines,
)

Source: TypeAlias = str | os.PathLike[str] | BinaryIO

DIRECTORY_FORMATS = ("maildir", "inbox", "tree")
SOURCE_FORMATS = ("auto", *READABLE, *DIRECTORY_FORMATS)
NO_MESSAGE = "no message in this directory"


def read_source(
    source: Source,
    format: str = "auto",
    *,
    name: str | None = None,
    on_damage: OnDamage,
    tree_filter: TreeFilter | None = None,
    checkpoint: Checkpoint | None = None,
    opener: Callable[[str], BinaryIO] = open_file,
    is_followed: bool = False,
) -> Iterator[Item]:
    r"""Yield the messages and texts of a source, in order, as soon as they are there.

    ``source`` is a path, ``"-"`` for standard input, or a binary stream, which
    need not seek and stays open; ``name`` is its name if it is not to have its own. ``format`` is one of
    `SOURCE_FORMATS`; "auto" detects it from the content. Of a directory only the files are read that
    ``tree_filter`` asks for. What cannot be read is reported to ``on_damage``, after all items before it.
    Read the chunks of a text before you ask for the next item. With a ``checkpoint`` only what is new is
    yielded. ``opener`` opens files. If it ``is_followed``, each line of a text is decided as it
    comes.

    >>> stream = io.BytesIO(b"From a@b Mon Nov 14 09:12:44 1994\nSubject: c\n\nhi\n")
    >>> [message.data for message in read_source(stream, on_damage=print)]
    [b'Subject: c\n\nhi\n']
    """
    if format not in SOURCE_FORMATS:
        raise ValueError(f"format: unknown value {format!r}: choose one of {', '.join(SOURCE_FORMATS)}")
    if isinstance(source, io.TextIOBase):
        raise TypeError("source is a text stream: give its binary one")
    if isinstance(source, (str, os.PathLike)):
        path = os.fspath(source)
        origin = Origin(name or path, on_damage, opener, is_followed)
        return _read_path(path, format, origin, tree_filter, checkpoint)
    origin = Origin(name or name_of(source), on_damage, is_followed=is_followed)
    return _read_blocks(blocks_of_stream(source, origin), format, origin, checkpoint)


def _read_path(
    path: str, format: str, origin: Origin, tree_filter: TreeFilter | None, checkpoint: Checkpoint | None
) -> Iterator[Item]:
    """Read what a path names: standard input, a directory or a file."""
    if path == "-":
        if sys.stdin is None:
            origin.damage("standard input is closed")
        else:
            yield from _read_blocks(blocks_of_stream(sys.stdin.buffer, origin), format, origin, checkpoint)
    elif os.path.isdir(path):
        yield from _read_directory(path, format, origin, tree_filter or EVERYTHING, checkpoint)
    elif format in DIRECTORY_FORMATS and os.path.exists(path):
        origin.damage("is no directory")
    elif checkpoint and os.path.isfile(path):
        yield from new_of_file(format, origin, checkpoint)
    else:
        yield from _read_blocks(blocks_of_file(path, origin), format, origin, checkpoint)


def _read_directory(
    path: str, format: str, origin: Origin, tree_filter: TreeFilter, checkpoint: Checkpoint | None
) -> Iterator[Item]:
    """Walk a directory and read its files, or what is new in them; report if there is no message at all."""
    is_empty = True

    def note(damage: SourceError) -> None:
        nonlocal is_empty
        is_empty = is_empty and damage.within is not None
        origin.on_damage(damage)

    noted = origin._replace(on_damage=note)
    files = Walker(format, partial(Origin, on_damage=note), tree_filter).walk(path)
    if checkpoint:
        first = list(islice(files, 1))
        yield from new_of_files(chain(first, files), format, noted, checkpoint)
        checkpoint.forget_gone(path)
        if is_empty and not first:
            origin.damage(NO_MESSAGE)
        return
    for item in read_files(files, format, noted):
        is_empty = False
        yield item
    if is_empty:
        origin.damage(NO_MESSAGE)


def _read_blocks(
    blocks: Iterator[bytes], format: str, origin: Origin, checkpoint: Checkpoint | None
) -> Iterator[Item]:
    """Read a stream; of its messages only those that are new, if there is a checkpoint."""
    if origin.is_followed:
        blocks = whole_lines(blocks)
    items = read_stream(blocks, format, DecompressionBudget(origin))
    yield from checkpoint.new(items, origin) if checkpoint else items
