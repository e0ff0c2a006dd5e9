"""Shards of sources, which several processes read, and the places where a text or a mailbox can be cut."""

from __future__ import annotations

import codecs
import os
import sys
from contextlib import suppress
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, BinaryIO, NamedTuple

from urlextract.errors import SourceError
from urlextract.grammar.patterns import lazy_re
from urlextract.linebreaks.prefixes import LONGEST_PAGE_BREAK
from urlextract.records import Origin, RawMessages, RawText
from urlextract.scanner.buffer import LINES_AFTER, LINES_BEFORE, QUOTED_AFTER, QUOTED_BEFORE
from urlextract.scanner.onward import ENDS_WITH_LINE
from urlextract.scanner.quoted_printable import ESCAPE
from urlextract.sources import DIRECTORY_FORMS, read_files, read_source
from urlextract.sources.files import enterable
from urlextract.sources.folders.filters import EVERYTHING
from urlextract.sources.folders.tree import Walker
from urlextract.sources.formats.mbox import REACH, read_batched
from urlextract.sources.streams import Place, blocks_of_stream, ignored

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from urlextract.records import Item
    from urlextract.sources.folders.filters import TreeFilter
    from urlextract.sources.folders.tree import File

    OnDamage = Callable[[SourceError], None]

__all__ = ["PAGE_MARGIN", "Shard", "barrier", "places_of", "plan", "read_shard"]

PAGE_MARGIN = 4 * LONGEST_PAGE_BREAK
"""Bytes before and after a page break in which a text is not cut: a wrapped URL may go on after it."""

MARGIN = max(PAGE_MARGIN, 6 * LINES_BEFORE)
"""Bytes before and after a place that `barrier` needs to decide whether the text can be cut there."""

# A printable ASCII character follows: no mark of an encoding, and no form feed or indent of a page's header.
_BLANK_LINE = lazy_re(rb"\n\r?\n(?=[!-~])")
_FOOTER = lazy_re(rb"\[[Pp]age ")  # each page break has one

# With an escape nearby, a URL is read with the text around it: `QUOTED_BEFORE` and `QUOTED_AFTER`
_QUOTED = lazy_re(ESCAPE.encode())
# What may be the rest of a URL that ends its line
_LAST_WORD = lazy_re(rb"[:.][^\s<>\"]{1,400}+(?<![,;:!)>'\]])(?=[\r\n])")
_BEFORE_BLANK = lazy_re(rb"(?>\r{0,4}+\n|\r(?!\n))[>| \t]*+(?:[\r\n]|\Z)")
_GLANCE = 8, 240  # bytes before and after the end of a URL that may show that it does not go on
_OPENED = lazy_re(rb"[<\"](?:(?i:url):)?[A-Za-z0-9+.-]{0,40}\Z")
_CLOSED = lazy_re(rb"[^<>\"]{0,1000}+[>\"]")
_SAMPLE = 64  # bytes in which a NUL shows another encoding


def barrier(data: bytes, start: int, end: int) -> int | None:
    r"""Return the first offset in ``data[start:end]`` where a text can be cut, or None.

    The text is in an ASCII-compatible encoding. ``data`` must have `MARGIN` bytes before
    ``start`` and after ``end``, as far as the text has them.

    >>> barrier(b"<http://a.example/>\n\n<http://b.example/>", 0, 40)
    21
    >>> barrier(b"<http://a.example/\n\n[Page 9]\n\nRFC 1\n\nb>", 0, 40) is None
    True
    """
    beyond = start
    for match in _BLANK_LINE.finditer(data, start, end):
        at = match.end()
        if at < beyond:
            continue
        footer = _FOOTER.search(data, max(0, at - PAGE_MARGIN), at + PAGE_MARGIN)
        if footer:
            beyond = footer.start() + PAGE_MARGIN
        elif quoted := _QUOTED.search(data, max(0, at - QUOTED_AFTER), at + QUOTED_BEFORE + QUOTED_AFTER):
            beyond = quoted.start() + QUOTED_AFTER + 1
        elif asking := _asking(data, at):
            beyond = asking
        elif b"\0" not in data[at : at + _SAMPLE]:
            return at
    return None


def _asking(data: bytes, at: int) -> int | None:
    """Return None if no URL near ``at`` depends on lines on the other side, else where to search again."""
    low, high = max(0, at - 2 * LINES_AFTER), at + LINES_BEFORE + LINES_AFTER
    width = 1 if data[low:high].isascii() else 4
    for match in _LAST_WORD.finditer(data, low, high):
        is_closed = _OPENED.search(data, max(0, match.start() - 48), match.start())
        if not (_ends_there(data, match.end()) or (is_closed and _CLOSED.match(data, match.end()))):
            return match.end() + 2 * width * LINES_AFTER
    return None


def _ends_there(data: bytes, end: int) -> bool:
    """Return whether a quick check shows that a URL that ends its line at ``end`` does not go on."""
    if _BEFORE_BLANK.match(data, end):
        return True  # except at a page break, which `barrier` looks for
    before, after = _GLANCE
    word = data[max(0, end - before) : end].decode("utf-8", "replace")
    return (
        ENDS_WITH_LINE.match(word + data[end : end + after].decode("utf-8", "replace"), len(word)) is not None
    )


_BLOCK = 1 << 20  # bytes
_LONE_CR = lazy_re(rb"(?<!\r)\r{1,4}+(?!\n)")  # five before a LF are line ends, too


def places_of(stream: BinaryIO, edges: Sequence[int]) -> list[tuple[int, int]] | None:
    r"""Return the character offset and the line number of each byte offset in ``edges``, in a text in UTF-8.

    The first edge is 0, and each other one is right after a line end. Return None if
    a carriage return alone ends a line: such a text is not cut.

    >>> import io
    >>> places_of(io.BytesIO("é\n\nb\r\n\r\nc".encode()), (0, 4, 9))
    [(0, 1), (3, 3), (8, 5)]
    """
    decode = codecs.getincrementaldecoder("utf-8")("surrogateescape").decode
    stream.seek(0)
    characters = -1 if stream.read(3) == codecs.BOM_UTF8 else 0  # a byte order mark is not part of the text
    stream.seek(0)
    places, line = [(0, 1)], 1
    for start, end in pairwise(edges):
        left = end - start
        while left and (block := stream.read(min(left, _BLOCK))):
            left -= len(block)
            while left and block.endswith(b"\r") and len(block) <= _BLOCK + 9 and (more := stream.read(1)):
                block += more
                left -= 1
            if b"\r" in block and _LONE_CR.search(block):
                return None
            characters += len(decode(block))
            line += block.count(b"\n")
        places.append((characters, line))
    return places


_MAILBOX_SHARD = 8 * 1024 * 1024  # bytes
_FILES_SHARD = 100  # files
_TEXT_SHARD = 1024 * 1024  # bytes
_TEXT_SEARCH = 32 * 1024  # bytes in which to search for a place to cut a text
_LOOK_BACK = 2048  # bytes: more than a postmark and the blank line before it


class Shard(NamedTuple):
    """Part of a source: messages of a mailbox, bytes of a text, files of a directory, or all of a source.

    The messages are those whose first header line is after the byte offset ``after``
    and not after ``until``. To find them, reading begins at ``start``, which is the first
    header line of a message if ``at_head`` is true. ``number`` counts the messages before
    them, if they are counted. A text is read from ``start`` to ``until``; ``place`` is the
    character offset and the line number of ``start``. A shard of a directory has ``files``,
    or ``damage`` that was found while walking. ``is_last`` marks the last shard of a source;
    that of a directory has no files. ``turn`` is the index of the source among those of the
    caller, and ``size`` the number of bytes to be read, as far as it is known.
    """

    source: str
    form: str = "auto"
    start: int | None = None
    after: int = -1
    until: int = sys.maxsize
    number: int = 0
    files: tuple[File, ...] = ()
    is_folder: bool = False
    damage: tuple[str, str, int | None] | None = None
    is_last: bool = False
    turn: int = 0
    size: int = 0
    place: tuple[int, int] = (0, 1)
    at_head: bool = False

    @property
    def is_file(self) -> bool:
        """Whether all of a file is to be read."""
        return not self.is_folder and self.is_last and not self.start and self.after < 0


def plan(
    source: str,
    form: str,
    tree_filter: TreeFilter | None = None,
    *,
    numbered: bool = False,
    texts: bool = False,
    placed: bool = False,
) -> Iterable[Shard]:
    """Return the shards of a source, in order; a directory is walked during the iteration.

    With ``numbered``, the messages before each shard of a mailbox are counted. With ``texts``,
    texts are cut, too; with ``placed``, characters and lines before each of their shards are counted.
    """
    if os.path.isdir(source):
        return _plan_directory(source, form, tree_filter)
    shards: list[Shard] = []
    size = 0
    with suppress(OSError, ValueError):  # reported when the source is read
        size = os.path.getsize(source)
        if form in ("auto", "mbox", "text") and os.path.isfile(source):
            shards = _plan_file(source, form, size, numbered=numbered, texts=texts, placed=placed)
    shards = shards or [Shard(source, form, size=size)]
    return [*shards[:-1], shards[-1]._replace(is_last=True)]


def _plan_file(path: str, form: str, size: int, *, numbered: bool, texts: bool, placed: bool) -> list[Shard]:
    """Return the shards of a large file, or an empty list if it cannot be cut."""
    if size <= min(_MAILBOX_SHARD, _TEXT_SHARD):
        return []
    with open(path, "rb", buffering=0) as stream:
        verdict = enterable(blocks_of_stream(stream, Place(path, ignored)), form)
        if verdict and verdict.form == "mbox":
            return _plan_mailbox(path, stream, verdict.start, size, numbered=numbered)
        if verdict and texts:
            return _plan_text(path, stream, size, placed=placed)
    return []


def _plan_directory(path: str, form: str, tree_filter: TreeFilter | None) -> Iterator[Shard]:
    walked = form if form in DIRECTORY_FORMS else "auto"
    damage: list[SourceError] = []
    held: list[File] = []
    folder = Shard(path, form, is_folder=True)
    place = partial(Place, on_damage=damage.append)
    for file in Walker(walked, place, tree_filter or EVERYTHING).walk(path):
        if damage or len(held) == _FILES_SHARD:
            yield from _of_folder(folder, held, damage)
        held.append(file)
    yield from _of_folder(folder, held, damage)
    yield folder._replace(is_last=True)


def _of_folder(folder: Shard, held: list[File], damage: list[SourceError]) -> Iterator[Shard]:
    """Yield a shard of the files that a walk has found, then one for each damage; clear both lists."""
    if held:
        yield folder._replace(files=tuple(held))
    for each in damage:
        yield folder._replace(damage=(each.source, each.cause, each.offset))
    held.clear()
    damage.clear()


def _plan_text(path: str, stream: BinaryIO, size: int, *, placed: bool) -> list[Shard]:
    """Cut a text about every `_TEXT_SHARD` bytes, where `barrier` finds a place for it."""
    edges = [0]
    for place in range(_TEXT_SHARD, size, _TEXT_SHARD):
        stream.seek(place - MARGIN if place > MARGIN else 0)
        low = place - stream.tell()
        cut = barrier(stream.read(low + _TEXT_SEARCH + MARGIN), low, low + _TEXT_SEARCH)
        if cut is not None:
            edges.append(place - low + cut)
    places = places_of(stream, edges) if placed else [(0, 1)] * len(edges)
    return [
        Shard(path, "text", low, until=high if high < size else sys.maxsize, size=high - low, place=place)
        for (low, high), place in zip(pairwise((*edges, size)), places or (), strict=False)
    ]


def _plan_mailbox(path: str, stream: BinaryIO, start: int, size: int, *, numbered: bool) -> list[Shard]:
    """Cut a mailbox at any bytes, or at the heads of messages if one may declare a length beyond a cut."""
    cuts = range(start + _MAILBOX_SHARD, size, _MAILBOX_SHARD)
    if any(_may_be_inside(stream, cut) for cut in cuts):
        return _plan_by_messages(path, stream, start, size)
    edges = [start - 1, *cuts, size]
    shards = [
        Shard(
            path,
            "mbox",
            max(start, low + 1 - _LOOK_BACK),
            after=low,
            until=high if high < size else sys.maxsize,
            size=high - max(low, 0),
        )
        for low, high in pairwise(edges)
    ]
    return list(_numbered(shards)) if numbered else shards


def _may_be_inside(stream: BinaryIO, at: int) -> bool:
    """Return whether a message before ``at`` may declare its length, and so extend beyond ``at``."""
    stream.seek(max(0, at - REACH))
    data = stream.read(min(at, REACH))
    return b"ontent-Length:" in data or b"ontent-length:" in data


def _plan_by_messages(path: str, stream: BinaryIO, start: int, size: int) -> list[Shard]:
    """Cut a mailbox at the heads of messages, which are found by reading it once."""
    first = Shard(path, "mbox", start, after=start - 1, size=size - start)
    shards, count = [first], 0
    stream.seek(start)
    for item in _items_of(first, blocks_of_stream(stream, Place(path, ignored), start), batched=True):
        for head in _heads_in(item):
            last = shards[-1]
            if head >= (last.start or 0) + _MAILBOX_SHARD:
                shards[-1] = last._replace(until=head - 1, size=head - (last.start or 0))
                shards.append(
                    Shard(path, "mbox", head, after=head - 1, number=count, size=size - head, at_head=True)
                )
            count += 1
    return shards


def _heads_in(item: Item) -> Iterator[int]:
    """Yield the offsets of the messages of an item."""
    if isinstance(item, RawMessages):
        yield from (item.offset + low for low, _ in item.spans)
    elif item.origin.offset is not None:
        yield item.origin.offset


def _numbered(shards: list[Shard]) -> Iterator[Shard]:
    """Yield the shards with the number of messages before each."""
    number = 0
    for shard in shards:
        yield shard._replace(number=number)
        if shard is shards[-1]:
            return
        for item in read_shard(shard, ignored, batched=True):
            number += len(item.spans) if isinstance(item, RawMessages) else 1


def read_shard(shard: Shard, on_damage: OnDamage, *, batched: bool) -> Iterator[Item]:
    """Yield the items of a shard."""
    place = Place(shard.source, on_damage, batched)
    if shard.start is not None:
        read = _read_text if shard.form == "text" else _read_messages
        yield from read(shard, shard.start, place)
    elif shard.damage:
        on_damage(SourceError(*shard.damage))
    elif shard.is_folder:
        yield from read_files(iter(shard.files), shard.form, place)
    else:
        yield from read_source(shard.source, shard.form, on_damage=on_damage, batched=batched)


def _read_text(shard: Shard, start: int, place: Place) -> Iterator[Item]:
    """Read a range of the bytes of a text."""
    try:
        with open(shard.source, "rb", buffering=0) as stream:
            stream.seek(start)
            blocks = _up_to(shard.until - start, blocks_of_stream(stream, place, start))
            character, line = shard.place
            yield RawText(blocks, Origin(source=shard.source), character, line, start)
    except OSError as error:
        place.damage(error)


def _up_to(size: int, blocks: Iterator[bytes]) -> Iterator[bytes]:
    """Yield the first ``size`` bytes of a stream."""
    for block in blocks:
        yield block[:size]
        size -= len(block)
        if size <= 0:
            return


def _read_messages(shard: Shard, start: int, place: Place) -> Iterator[Item]:
    """Read the messages of a mailbox that begin in a range of its bytes."""
    try:
        with open(shard.source, "rb", buffering=0) as stream:
            stream.seek(start)
            yield from _items_of(shard, blocks_of_stream(stream, place, start), batched=place.batched)
    except OSError as error:
        place.damage(error)


def _items_of(shard: Shard, blocks: Iterator[bytes], *, batched: bool) -> Iterator[Item]:
    """Yield the messages of a shard, read from its bytes; in batches if ``batched`` is true."""
    for item in read_batched(
        blocks,
        shard.start or 0,
        shard.source,
        number=shard.number,
        after=shard.after,
        until=shard.until,
        at_head=shard.at_head,
    ):
        if batched or not isinstance(item, RawMessages):
            yield item
        else:
            yield from map(item.message, range(len(item.spans)))
