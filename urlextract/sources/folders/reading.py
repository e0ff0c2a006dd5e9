"""Read the files of a directory, one by one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from urlextract.errors import SourceError
from urlextract.records import Item
from urlextract.sources.files import read_named, read_walked
from urlextract.sources.folders.filters import EVERYTHING, TreeFilter
from urlextract.sources.folders.git import cut_inbox
from urlextract.sources.folders.tree import File, Walker, found_again
from urlextract.sources.formats.messages import messages_of
from urlextract.sources.formats.table import READABLE as READERS
from urlextract.sources.streams import Place, blocks_of_file

ReadFiles = Callable[[Iterator[File], str, Place], Iterator[Item]]

NO_MESSAGE = "no message in this directory"


def read_directory(
    path: str, format: str, place: Place, tree_filter: TreeFilter | None, read_new: ReadFiles | None
) -> Iterator[Item]:
    """Walk a directory and read its files; report if there is no message in it at all.

    ``read_new`` reads only what is new in them.
    """
    damaged: list[SourceError] = []

    def note(damage: SourceError) -> None:
        damaged.append(damage)
        place.on_damage(damage)

    files = Walker(format, partial(Place, on_damage=note), tree_filter or EVERYTHING).walk(path)
    noted = place._replace(on_damage=note)
    if read_new:
        yield from read_new(files, format, noted)
        return
    is_empty = True
    for item in read_files(files, format, noted):
        is_empty = False
        yield item
    if is_empty and not damaged:
        place.damage(NO_MESSAGE)


def read_files(files: Iterator[File], format: str, place: Place) -> Iterator[Item]:
    """Read files one by one."""
    return (item for file in files for item in read_file(file, format, place._replace(name=file.path)))


def read_file(file: File, format: str, place: Place) -> Iterator[Item]:
    """Read one file of a directory, in the format that was asked for or by its content."""
    if file.repositories:
        return messages_of(cut_inbox(file.repositories, place), file.path)
    blocks = blocks_of_file(found_again(file.path) if file.is_mail else file.path, place)
    if format in READERS:
        return read_named(blocks, format, place)
    return read_walked(blocks, place, is_mail=file.is_mail)
