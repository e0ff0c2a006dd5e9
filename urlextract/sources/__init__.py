"""Read a file, a directory or a stream into raw messages and texts.

``sniff`` detects what a stream holds, and ``files`` hands it to its reader. ``compress`` undoes
compression and reads archives, ``formats`` cuts a stream into messages, ``folders`` walks directories.
``resuming`` leaves out what was read before; ``state`` keeps that in a file.
This module only calls them. Nothing here raises an exception
because of its input.
"""

from __future__ import annotations

import io
import os
import sys
from functools import partial
from typing import TYPE_CHECKING, BinaryIO, TypeAlias

from urlextract.errors import SourceError
from urlextract.sources.files import READERS, read_named, read_walked
from urlextract.sources.streams import Place, blocks_of_file, blocks_of_stream, name_of, open_file

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from urlextract.records import Item
    from urlextract.sources.folders.filters import TreeFilter
    from urlextract.sources.folders.tree import File
    from urlextract.sources.resuming import Memory

    Source: TypeAlias = str | os.PathLike[str] | BinaryIO
    OnDamage: TypeAlias = Callable[[SourceError], None]
    Items: TypeAlias = Iterator[Item]

__all__ = ["DIRECTORY_FORMS", "FORMS", "NO_MESSAGE", "read_file", "read_files", "read_source"]

DIRECTORY_FORMS = ("maildir", "inbox", "tree")
FORMS = ("auto", *READERS, *DIRECTORY_FORMS)
NO_MESSAGE = "no message in this directory"


def read_source(
    source: Source,
    form: str = "auto",
    *,
    on_damage: OnDamage,
    tree_filter: TreeFilter | None = None,
    memory: Memory | None = None,
    opener: Callable[[str], BinaryIO] = open_file,
) -> Items:
    r"""Yield the messages and texts of a source, in order, as soon as they are there.

    ``source`` is a path, ``"-"`` for standard input, or a binary stream, which
    need not seek and stays open. ``form`` is one of `FORMS`; "auto" detects it from
    the content. Of a directory only the files are read that ``tree_filter`` asks for. What
    cannot be read is reported to ``on_damage``, after all items before it. Read the
    chunks of a text before you ask for the next item. With a ``memory`` only what is new is
    yielded. ``opener`` opens files.

    >>> stream = io.BytesIO(b"From a@b Mon Nov 14 09:12:44 1994\nSubject: c\n\nhi\n")
    >>> [message.data for message in read_source(stream, on_damage=print)]
    [b'Subject: c\n\nhi\n']
    """
    if form not in FORMS:
        raise ValueError(f"form: unknown value {form!r}: choose one of {', '.join(FORMS)}")
    if isinstance(source, io.TextIOBase):
        raise TypeError("source is a text stream: give its binary one")
    if isinstance(source, (str, os.PathLike)):
        path = os.fspath(source)
        return _read_path(path, form, Place(path, on_damage, opener), tree_filter, memory)
    return _read_stream(source, form, Place(name_of(source), on_damage), memory)


def _read_path(
    path: str, form: str, place: Place, tree_filter: TreeFilter | None, memory: Memory | None
) -> Items:
    """Read what a path names: standard input, a directory or a file."""
    if path == "-":
        if sys.stdin is None:
            place.damage("standard input is closed")
        else:
            yield from _read_stream(sys.stdin.buffer, form, place, memory)
    elif os.path.isdir(path):
        yield from _read_directory(path, form, place, tree_filter, memory)
    elif form in DIRECTORY_FORMS and os.path.exists(path):
        place.damage("is no directory")
    elif memory and os.path.isfile(path):
        from urlextract.sources.resuming import read_resumed  # noqa: PLC0415 - needed only with a state

        yield from read_resumed(path, _stream_form(form), place, memory, is_walked=False)
    else:
        yield from _read_blocks(blocks_of_file(path, place), form, place, memory)


def _read_stream(stream: BinaryIO, form: str, place: Place, memory: Memory | None) -> Items:
    """Read a stream that stays open."""
    yield from _read_blocks(blocks_of_stream(stream, place), form, place, memory)


def _read_blocks(blocks: Iterator[bytes], form: str, place: Place, memory: Memory | None) -> Items:
    """Read a stream; of one without a name, only what is new, if the memory knows streams."""
    items = read_named(blocks, _stream_form(form), place)
    if memory and memory.knows_streams:
        from urlextract.sources.resuming import read_new_of_stream  # noqa: PLC0415 - needed only with an index

        items = read_new_of_stream(items, place, memory)
    yield from items


def _stream_form(form: str) -> str:
    """Return the form to read a stream in, which is never a directory."""
    return form if form in READERS else "auto"


def _read_directory(
    path: str, form: str, place: Place, tree_filter: TreeFilter | None, memory: Memory | None
) -> Items:
    """Walk a directory and read its files; report if there is no message in it at all."""
    from urlextract.sources.folders.filters import EVERYTHING  # noqa: PLC0415 - for directories only
    from urlextract.sources.folders.tree import Walker  # noqa: PLC0415 - as above

    damaged: list[SourceError] = []

    def note(damage: SourceError) -> None:
        damaged.append(damage)
        place.on_damage(damage)

    files = Walker(form, partial(Place, on_damage=note), tree_filter or EVERYTHING).walk(path)
    noted = place._replace(on_damage=note)
    if memory:
        from urlextract.sources.resuming import read_new  # noqa: PLC0415 - needed only with a state

        yield from read_new(files, form, noted, memory)
        return
    is_empty = True
    for item in read_files(files, form, noted):
        is_empty = False
        yield item
    if is_empty and not damaged:
        place.damage(NO_MESSAGE)


def read_files(files: Iterator[File], form: str, place: Place) -> Items:
    """Read files one by one."""
    return (item for file in files for item in read_file(file, form, place._replace(name=file.path)))


def read_file(file: File, form: str, place: Place) -> Items:
    """Read one file of a directory, in the form that was asked for or by its content."""
    from urlextract.sources.folders.tree import found_again  # noqa: PLC0415 - for directories only

    if file.repositories:
        from urlextract.sources.folders.git import cut_inbox  # noqa: PLC0415 - few have one
        from urlextract.sources.formats.messages import messages_of  # noqa: PLC0415 - as above

        return messages_of(cut_inbox(file.repositories, place), file.path)
    blocks = blocks_of_file(found_again(file.path) if file.is_mail else file.path, place)
    if form in READERS:
        return read_named(blocks, form, place)
    return read_walked(blocks, place, is_mail=file.is_mail)
