"""Sources cut into shards, which several processes can read side by side.

A plain mailbox is cut by bytes, each shard having the messages that begin in it; of
a directory some files make a shard; all else is one.
"""

from __future__ import annotations

import os
import sys
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from urlextract.errors import SourceError
from urlextract.records import RawMessages
from urlextract.sources import DIRECTORY_FORMS, read_files, read_source
from urlextract.sources.folders.names import ALL_NAMES, Names
from urlextract.sources.folders.tree import Walker
from urlextract.sources.formats.bulk import read_in_bulk
from urlextract.sources.sniff import LARGEST_HEAD, sniff
from urlextract.sources.streams import Place, blocks_of_stream

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from urlextract.records import Item
    from urlextract.sources.folders.tree import File

    OnDamage = Callable[[SourceError], None]

__all__ = ["Shard", "plan", "read_shard"]

_MAILBOX_SHARD = 4 * 1024 * 1024  # bytes
_FILES_SHARD = 100  # files
_LOOK_BACK = 2048  # bytes: more than a postmark and the blank line before it


class Shard(NamedTuple):
    """Part of a source: messages of a mailbox, files of a directory, or all of it.

    The messages are those whose first header line stands behind the byte ``after``
    and at ``until`` at most; to find them, reading begins at ``start``.
    """

    source: str
    form: str = "auto"
    start: int | None = None
    after: int = -1
    until: int = sys.maxsize
    number: int = 0
    files: tuple[File, ...] = ()


def plan(
    source: str, form: str, on_damage: OnDamage, names: Names | None = None, *, numbered: bool = False
) -> list[Shard]:
    """Cut a source into shards, in order; ``numbered`` counts the messages before each."""
    if os.path.isdir(source):
        return _plan_directory(source, form, on_damage, names or ALL_NAMES)
    if form in ("auto", "mbox") and os.path.isfile(source) and os.path.getsize(source) > _MAILBOX_SHARD:
        start = _start_of_mailbox(source)
        if start is not None:
            return _plan_mailbox(source, start, numbered=numbered)
    return [Shard(source, form)]


def _plan_directory(path: str, form: str, on_damage: OnDamage, names: Names) -> list[Shard]:
    walked = form if form in DIRECTORY_FORMS else "auto"
    files = list(Walker(walked, partial(Place, on_damage=on_damage), names).walk(path))
    cuts = range(0, len(files), _FILES_SHARD)
    return [Shard(path, form, files=tuple(files[at : at + _FILES_SHARD])) for at in cuts]


def _start_of_mailbox(path: str) -> int | None:
    """Give the place of the first postmark of a plain mailbox, None for other files."""
    try:
        with open(path, "rb") as stream:
            verdict, _, _ = sniff(iter([stream.read(LARGEST_HEAD)]))
    except OSError:
        return None
    return verdict.start if verdict.form == "mbox" else None


def _plan_mailbox(path: str, start: int, *, numbered: bool) -> list[Shard]:
    cuts = range(start + _MAILBOX_SHARD, os.path.getsize(path), _MAILBOX_SHARD)
    edges = [start - 1, *cuts, sys.maxsize]
    shards = [
        Shard(path, "mbox", max(start, low + 1 - _LOOK_BACK), low, high) for low, high in pairwise(edges)
    ]
    return list(_numbered(shards)) if numbered else shards


def _numbered(shards: list[Shard]) -> Iterator[Shard]:
    """Count the messages before each shard."""
    number = 0
    for shard in shards:
        yield shard._replace(number=number)
        for item in read_shard(shard, _ignore, in_bulk=True):
            number += len(item.spans) if isinstance(item, RawMessages) else 1


def _ignore(_: SourceError) -> None:
    """Do nothing about damage, which is told when the shard is read."""


def read_shard(shard: Shard, on_damage: OnDamage, *, in_bulk: bool) -> Iterator[Item]:
    """Give the items of a shard."""
    place = Place(shard.source, on_damage, in_bulk)
    if shard.start is not None:
        yield from _read_range(shard, shard.start, place)
    elif shard.files:
        yield from read_files(iter(shard.files), shard.form, place)
    else:
        yield from read_source(shard.source, shard.form, on_damage=on_damage, in_bulk=in_bulk)


def _read_range(shard: Shard, start: int, place: Place) -> Iterator[Item]:
    """Read the messages of a mailbox that begin in a range of its bytes."""
    try:
        with open(shard.source, "rb", buffering=0) as stream:
            stream.seek(start)
            blocks = blocks_of_stream(stream, place)
            for item in read_in_bulk(
                blocks, start, shard.source, number=shard.number, after=shard.after, until=shard.until
            ):
                if place.in_bulk or not isinstance(item, RawMessages):
                    yield item
                else:
                    yield from map(item.message, range(len(item.spans)))
    except OSError as error:
        place.damage(error)
