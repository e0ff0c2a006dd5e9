"""Sources cut into shards, which several processes can read side by side.

A plain mailbox is cut by bytes, each shard having the messages that begin in it; a
text, where its URLs alone are asked for, at blank lines; of a directory some files make
a shard; all else is one.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from functools import partial
from itertools import islice, pairwise
from typing import TYPE_CHECKING, BinaryIO, NamedTuple

from urlextract.errors import SourceError
from urlextract.linebreaks.barriers import MARGIN, barrier
from urlextract.records import Origin, RawMessages, RawText
from urlextract.sources import DIRECTORY_FORMS, read_files, read_source
from urlextract.sources.files import enterable
from urlextract.sources.sniff import LARGEST_HEAD
from urlextract.sources.streams import Place, blocks_of_stream

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from urlextract.records import Item
    from urlextract.sources.folders.names import Names
    from urlextract.sources.folders.tree import File

    OnDamage = Callable[[SourceError], None]

__all__ = ["Shard", "plan", "read_shard"]

_MAILBOX_SHARD = 4 * 1024 * 1024  # bytes
_FILES_SHARD = 100  # files
_TEXT_SHARD = 1024 * 1024  # bytes
_TEXT_SEARCH = 32 * 1024  # bytes in which a text is cut, or is not
_LOOK_BACK = 2048  # bytes: more than a postmark and the blank line before it


class Shard(NamedTuple):
    """Part of a source: messages of a mailbox, bytes of a text, files of a directory, or all of it.

    The messages are those whose first header line stands behind the byte ``after``
    and at ``until`` at most; to find them, reading begins at ``start``. A text is
    read from ``start`` to ``until``.
    """

    source: str
    form: str = "auto"
    start: int | None = None
    after: int = -1
    until: int = sys.maxsize
    number: int = 0
    files: tuple[File, ...] = ()

    @property
    def size(self) -> int:
        """How many bytes are read, as far as that is known from outside."""
        if self.files:
            return 0
        end = os.path.getsize(self.source) if self.until == sys.maxsize else self.until
        return end - max(self.start or 0, self.after)


def plan(
    source: str,
    form: str,
    on_damage: OnDamage,
    names: Names | None = None,
    *,
    numbered: bool = False,
    texts: bool = False,
) -> Iterable[Shard]:
    """Cut a source into shards, in order; a directory is walked as they are asked for.

    ``numbered`` counts the messages before each; ``texts`` cuts texts too, of whose
    URLs the places are not known then.
    """
    if os.path.isdir(source):
        return _plan_directory(source, form, on_damage, names)
    shards: list[Shard] = []
    if form in ("auto", "mbox", "text") and os.path.isfile(source):
        with suppress(OSError):  # which is told when it is read
            shards = _plan_file(source, form, numbered=numbered, texts=texts)
    return shards or [Shard(source, form)]


def _plan_file(path: str, form: str, *, numbered: bool, texts: bool) -> list[Shard]:
    """Cut a large file, if it is one that can be cut."""
    size = os.path.getsize(path)
    if size <= min(_MAILBOX_SHARD, _TEXT_SHARD):
        return []
    with open(path, "rb", buffering=0) as stream:
        verdict = enterable(stream.read(LARGEST_HEAD), form)
        if verdict and verdict.form == "mbox":
            return _plan_mailbox(path, verdict.start, size, numbered=numbered)
        if verdict and texts:
            return _plan_text(path, stream, size)
    return []


def _plan_directory(path: str, form: str, on_damage: OnDamage, names: Names | None) -> Iterator[Shard]:
    from urlextract.sources.folders.names import ALL_NAMES  # noqa: PLC0415 - a file needs none of it
    from urlextract.sources.folders.tree import Walker  # noqa: PLC0415 - as above

    walked = form if form in DIRECTORY_FORMS else "auto"
    files = Walker(walked, partial(Place, on_damage=on_damage), names or ALL_NAMES).walk(path)
    while some := tuple(islice(files, _FILES_SHARD)):
        yield Shard(path, form, files=some)


def _plan_text(path: str, stream: BinaryIO, size: int) -> list[Shard]:
    """Cut a text where nothing reaches over, if there is such a place where one is looked for."""
    edges = [0]
    for place in range(_TEXT_SHARD, size, _TEXT_SHARD):
        stream.seek(place - MARGIN if place > MARGIN else 0)
        low = place - stream.tell()
        cut = barrier(stream.read(low + _TEXT_SEARCH + MARGIN), low, low + _TEXT_SEARCH)
        if cut is not None:
            edges.append(place - low + cut)
    pairs = pairwise((*edges, sys.maxsize))
    return [Shard(path, "text", start, until=until) for start, until in pairs]


def _plan_mailbox(path: str, start: int, size: int, *, numbered: bool) -> list[Shard]:
    cuts = range(start + _MAILBOX_SHARD, size, _MAILBOX_SHARD)
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
        if shard is shards[-1]:
            return
        for item in read_shard(shard, _ignore, in_bulk=True):
            number += len(item.spans) if isinstance(item, RawMessages) else 1


def _ignore(_: SourceError) -> None:
    """Do nothing about damage, which is told when the shard is read."""


def read_shard(shard: Shard, on_damage: OnDamage, *, in_bulk: bool) -> Iterator[Item]:
    """Give the items of a shard."""
    place = Place(shard.source, on_damage, in_bulk)
    if shard.start is not None:
        read = _read_text if shard.form == "text" else _read_messages
        yield from read(shard, shard.start, place)
    elif shard.files:
        yield from read_files(iter(shard.files), shard.form, place)
    else:
        yield from read_source(shard.source, shard.form, on_damage=on_damage, in_bulk=in_bulk)


def _read_text(shard: Shard, start: int, place: Place) -> Iterator[Item]:
    """Read a range of the bytes of a text."""
    try:
        with open(shard.source, "rb", buffering=0) as stream:
            stream.seek(start)
            blocks = _up_to(shard.until - start, blocks_of_stream(stream, place, start))
            yield RawText(chunks=blocks, origin=Origin(source=shard.source))
    except OSError as error:
        place.damage(error)


def _up_to(size: int, blocks: Iterator[bytes]) -> Iterator[bytes]:
    """Give the first ``size`` bytes of a stream."""
    for block in blocks:
        yield block[:size]
        size -= len(block)
        if size <= 0:
            return


def _read_messages(shard: Shard, start: int, place: Place) -> Iterator[Item]:
    """Read the messages of a mailbox that begin in a range of its bytes."""
    from urlextract.sources.formats.bulk import read_in_bulk  # noqa: PLC0415 - a text pays for no mail

    try:
        with open(shard.source, "rb", buffering=0) as stream:
            stream.seek(start)
            blocks = blocks_of_stream(stream, place, start)
            for item in read_in_bulk(
                blocks, start, shard.source, number=shard.number, after=shard.after, until=shard.until
            ):
                if place.in_bulk or not isinstance(item, RawMessages):
                    yield item
                else:
                    yield from map(item.message, range(len(item.spans)))
    except OSError as error:
        place.damage(error)
