"""Shards of sources, which several processes read, and the places where a text or a mailbox can be cut."""

from __future__ import annotations

import codecs
import hashlib
import os
import stat
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from itertools import pairwise, repeat, takewhile
from typing import BinaryIO, NamedTuple, TypeAlias

from urlextract.errors import SourceError
from urlextract.grammar.patterns import lazy_re
from urlextract.linebreaks.prefixes import LONGEST_PAGE_BREAK
from urlextract.records import Item, Origin, RawText
from urlextract.sources.compress import (
    LAYERS,
    LIBRARY_FAULTS,
    DamagedError,
    DecompressionBudget,
    decompress,
    layer_of,
)
from urlextract.sources.compress.decoders import undo
from urlextract.sources.counting import counter_from, with_lines
from urlextract.sources.files import enterable, read_files
from urlextract.sources.folders.tree import EVERYTHING, File, TreeFilter, Walker
from urlextract.sources.formats.mbox import REACH, cut_at_postmarks
from urlextract.sources.formats.messages import PREAMBLE, Piece, messages_of
from urlextract.sources.formats.postmark import LONGEST
from urlextract.sources.formats.warc import cut_warc
from urlextract.sources.reading import DIRECTORY_FORMATS, read_source
from urlextract.sources.sniff import WARC_VERSION, sniff
from urlextract.sources.streams import Place, blocks_of_stream, open_file

OnDamage = Callable[[SourceError], None]
Counts: TypeAlias = "Callable[[Sequence[Shard]], Iterator[int | None]]"
"""Returns the number of messages of each of some shards, None for one for which it is not known."""


PAGE_MARGIN = 4 * LONGEST_PAGE_BREAK
"""Bytes before and after a page break in which a text is not cut: a wrapped URL may go on after it."""

# A printable ASCII character follows: no mark of an encoding, and no form feed or indent of a page's header.
_BLANK_LINE = lazy_re(rb"\n\r?\n(?=[!-~])")
_FOOTER = lazy_re(rb"\[[Pp]age ")  # each page break has one

_SAMPLE = 64  # bytes in which a NUL shows another encoding


def barrier(data: bytes, start: int, end: int) -> int | None:
    r"""Return the first offset in ``data[start:end]`` where a text can be cut, or None.

    The text is in an ASCII-compatible encoding. ``data`` must have `PAGE_MARGIN` bytes before
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
        elif b"\0" not in data[at : at + _SAMPLE]:
            return at
    return None


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
_FOLDER_SHARD = 64 * 1024 * 1024  # bytes of files
_TEXT_SHARD = 1024 * 1024  # bytes
_TEXT_SEARCH = 32 * 1024  # bytes in which to search for a place to cut a text
_CUT = ("gzip", "zstd")  # web archives have a member for each record
_LONGEST_MAGIC = max(len(magic) for magics in LAYERS.values() for magic in magics)
_WARC_LINE = lazy_re(WARC_VERSION)
_LOOK_BACK = 2048  # bytes: more than a postmark and the blank line before it


class Cuts(NamedTuple):
    """The sizes of shards.

    ``mailbox`` is the size of those of mailboxes and web archives, in bytes, ``text`` that of those of
    texts; a place to cut a text is looked for in ``search`` bytes. A shard of a directory has at most
    ``files`` files, and ends with the file with which it has ``folder`` bytes. With ``by_name``, it ends
    before that, after a quarter of these on average, by hashes of names: then one file more or less changes
    the shard that has it, and not those after it.
    """

    mailbox: int
    text: int
    search: int
    files: int
    folder: int
    by_name: bool = False

    @classmethod
    def usual(cls) -> Cuts:
        """Return the sizes for processes that hand over their results in order."""
        return cls(_MAILBOX_SHARD, _TEXT_SHARD, _TEXT_SEARCH, _FILES_SHARD, _FOLDER_SHARD)

    def is_end(self, name: str, size: int) -> bool:
        """Return whether a shard of a directory ends, by its name, with a file of this size.

        >>> cuts = Cuts.usual()._replace(files=400, by_name=True)
        >>> 50 < sum(cuts.is_end(f"{number}.eml", 5_000) for number in range(10_000)) < 200
        True
        """
        if not self.by_name:
            return False
        # A mail reader changes what follows the colon: see maildir(5)
        unique = os.path.basename(name).partition(":")[0].encode("utf-8", "surrogatepass")
        share = int.from_bytes(hashlib.blake2b(unique, digest_size=4).digest()) / (1 << 32)
        return share < 4 / self.files + 4 * size / self.folder

    @property
    def least(self) -> int:
        """The size in bytes of the largest file that is never cut."""
        return min(self.mailbox, self.text)


class Files:
    """The files of this machine, by their paths; a subclass may know others."""

    def is_folder(self, path: str) -> bool:
        """Return whether ``path`` is a directory."""
        return os.path.isdir(path)

    def size(self, path: str) -> int | None:
        """Return the size of a regular file, None for anything else; raise `OSError` or `ValueError`."""
        status = os.stat(path)
        return status.st_size if stat.S_ISREG(status.st_mode) else None

    def open(self, path: str) -> BinaryIO:
        """Open a file for reading; raise `OSError` or `ValueError`."""
        return open_file(path)

    def walk(
        self, path: str, format: str, place: Callable[[str], Place], tree_filter: TreeFilter
    ) -> Iterator[File]:
        """Yield the files of a directory: see `Walker`."""
        return Walker(format, place, tree_filter).walk(path)


class Shard(NamedTuple):
    """Part of a source: messages of a mailbox, bytes of a text, files of a directory, or all of a source.

    The messages are those whose first header line is after the byte offset ``after``
    and not after ``until``. To find them, reading begins at ``start``, which is the first
    header line of a message if ``at_head`` is true. ``number`` counts the messages before
    them, if they are counted. The records of a web archive are its messages; reading begins at the first.
    One that is compressed is read from the member at ``start`` on, whose bytes are at ``unpacked`` in what
    the file holds, as ``after`` and ``until`` are.
    A text is read from ``start`` to ``until``; ``place`` is the
    character offset and the line number of ``start``. A shard of a directory has ``files``,
    or ``damage`` that was found while walking. ``is_last`` marks the last shard of a source;
    that of a directory has no files. ``turn`` is the index of the source among those of the
    caller, and ``size`` the number of bytes to be read, as far as it is known.
    """

    source: str
    format: str = "auto"
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
    unpacked: int | None = None

    @property
    def is_file(self) -> bool:
        """Whether all of a file is to be read."""
        return not self.is_folder and self.is_last and not self.start and self.after < 0


def plan(
    source: str,
    format: str,
    tree_filter: TreeFilter | None = None,
    *,
    numbered: bool = False,
    texts: bool = False,
    placed: bool = False,
    archives: bool = False,
    cuts: Cuts | None = None,
    files: Files | None = None,
    counts: Counts | None = None,
) -> Iterable[Shard]:
    """Return the shards of a source, in order; a directory is walked during the iteration.

    With ``numbered``, the messages before each shard of a mailbox are counted. With ``texts``,
    texts are cut, too; with ``placed``, characters and lines before each of their shards are counted.
    With ``archives``, web archives are cut, too, which takes reading them once. ``cuts`` are the sizes of
    shards, and ``files`` is where the source is. ``counts`` may count the messages of shards elsewhere.
    """
    planner = _Planner(
        format,
        cuts or Cuts.usual(),
        files or Files(),
        numbered=numbered,
        texts=texts,
        placed=placed,
        archives=archives,
        counts=counts,
    )
    if planner.files.is_folder(source):
        return planner.directory(source, tree_filter or EVERYTHING)
    *before, last = planner.file(source)
    return planner.numbered([*before, last._replace(is_last=True)])


class _UncutError(Exception):
    """A file that cannot be read: it is not cut, and the fault is reported when the file is read."""


def _stay_whole(_: SourceError) -> None:
    raise _UncutError


def _raise(error: SourceError) -> None:
    raise error


class _Planner:
    """Cuts sources into shards."""

    def __init__(
        self,
        format: str,
        cuts: Cuts,
        files: Files,
        *,
        numbered: bool,
        texts: bool,
        placed: bool,
        archives: bool,
        counts: Counts | None,
    ) -> None:
        self._format, self._cuts, self.files, self._counts = format, cuts, files, counts
        self._numbered, self._texts, self._placed, self._archives = numbered, texts, placed, archives

    def file(self, path: str) -> list[Shard]:
        """Return the shards of a file: one at least."""
        shards: list[Shard] = []
        size = None
        with suppress(OSError, ValueError, _UncutError):  # reported when the source is read
            size = self.files.size(path)
            shards = self._cut(path, size, self._format)
        return shards or [Shard(path, self._format, size=size or 0)]

    def numbered(self, shards: list[Shard]) -> Iterator[Shard]:
        """Yield the shards of a file, those of a mailbox with the number of messages before each.

        The first ones can be read while messages are counted for those after them.
        """
        is_cut = len(shards) > 1 and shards[0].format == "mbox" and not shards[1].at_head
        if not is_cut or not self._numbered:
            yield from shards
            return
        yield shards[0]
        counts = self._counts(shards[:-1]) if self._counts else repeat(None)
        number = 0
        for (before, shard), count in zip(pairwise(shards), counts, strict=False):
            try:
                number += count_messages(before, self.files) if count is None else count
            except SourceError as error:
                damage = (error.source, error.cause, error.offset)
                yield Shard(shard.source, damage=damage, is_last=shards[-1].is_last)
                return
            yield shard._replace(number=number)

    def directory(self, path: str, tree_filter: TreeFilter) -> Iterator[Shard]:
        """Walk a directory; yield shards of a few files each, and those of large files that can be cut."""
        walked = self._format if self._format in DIRECTORY_FORMATS else "auto"
        damage: list[SourceError] = []
        held: list[File] = []
        size = 0
        folder = Shard(path, self._format, is_folder=True)
        place = partial(Place, on_damage=damage.append)
        for file in self.files.walk(path, walked, place, tree_filter):
            own, shards = self._weighed(file)
            if damage or shards or len(held) == self._cuts.files or size >= self._cuts.folder:
                yield from _of_folder(folder, held, damage, size)
                size = 0
            yield from self.numbered(shards)
            if not shards:
                held.append(file)
                size += own
                if self._cuts.is_end(file.path, own):
                    yield from _of_folder(folder, held, damage, size)
                    size = 0
        yield from _of_folder(folder, held, damage, size)
        yield folder._replace(is_last=True)

    def _weighed(self, file: File) -> tuple[int, list[Shard]]:
        """Return the size of a file of a directory, and its shards if it can be cut."""
        if file.repositories:
            return 0, []
        with suppress(OSError, ValueError, _UncutError):  # as above
            size = self.files.size(file.path) or 0
            may_be_cut = size > self._cuts.least and not file.is_mail
            format = "auto" if self._format in DIRECTORY_FORMATS else self._format
            return size, self._cut(file.path, size, format) if may_be_cut else []
        return 0, []

    def _cut(self, path: str, size: int | None, format: str) -> list[Shard]:
        """Return the shards of a large file, or an empty list if it cannot be cut."""
        forms = ("auto", "mbox", "text", "warc") if self._archives else ("auto", "mbox", "text")
        if size is None or size <= self._cuts.least or format not in forms:
            return []
        with self.files.open(path) as stream:
            layer = layer_of(_read(stream, _LONGEST_MAGIC))
            stream.seek(0)
            if layer is not None:
                is_archive = self._archives and layer in _CUT and format in ("auto", "warc")
                return self._compressed_archive(path, stream, layer, size) if is_archive else []
            verdict = enterable(blocks_of_stream(stream, Place(path, _stay_whole)), format, path)
            if verdict and verdict.format == "mbox":
                return self._mailbox(path, stream, verdict.start, size)
            if verdict and self._texts:
                return self._text(path, stream, size)
            if self._archives and format in ("auto", "warc"):
                stream.seek(0)
                if sniff(blocks_of_stream(stream, Place(path, _stay_whole)))[0].format == "warc":
                    return self._archive(path, stream, size)
        return []

    def _text(self, path: str, stream: BinaryIO, size: int) -> list[Shard]:
        """Cut a text where `barrier` finds a place for it, near each multiple of the size of its shards."""
        edges = [0]
        search = self._cuts.search
        for place in range(self._cuts.text, size, self._cuts.text):
            stream.seek(place - PAGE_MARGIN if place > PAGE_MARGIN else 0)
            low = place - stream.tell()
            cut = barrier(_read(stream, low + search + PAGE_MARGIN), low, low + search)
            if cut is not None:
                edges.append(place - low + cut)
        places = places_of(stream, edges) if self._placed else [(0, 1)] * len(edges)
        return [
            Shard(path, "text", low, until=high if high < size else sys.maxsize, size=high - low, place=place)
            for (low, high), place in zip(pairwise((*edges, size)), places or (), strict=False)
        ]

    def _mailbox(self, path: str, stream: BinaryIO, start: int, size: int) -> list[Shard]:
        """Cut a mailbox at any bytes, or at heads of messages if one may declare a length beyond a cut."""
        cuts = range(start + self._cuts.mailbox, size, self._cuts.mailbox)
        if any(_may_be_inside(stream, cut) for cut in cuts):
            return self._by_messages(path, stream, start, size)
        edges = [start - 1, *cuts, size]
        return [
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

    def _by_messages(self, path: str, stream: BinaryIO, start: int, size: int) -> list[Shard]:
        """Cut a mailbox at the heads of messages, which are found by reading it once."""
        first = Shard(path, "mbox", start, after=start - 1, size=size - start)
        stream.seek(start)
        pieces = cut_at_postmarks(blocks_of_stream(stream, Place(path, _stay_whole)), start)
        heads = (piece.start for piece in pieces if piece.last and piece.start != PREAMBLE)
        return self._at_heads(first, heads, size)

    def _archive(self, path: str, stream: BinaryIO, size: int) -> list[Shard]:
        """Cut a web archive at its records, which are found by reading it once."""
        stream.seek(0)
        pieces = cut_warc(blocks_of_stream(stream, Place(path, _stay_whole)))
        first = Shard(path, "warc", 0, size=size)
        return self._at_heads(first, (piece.start for piece in pieces if piece.last), size)

    def _compressed_archive(self, path: str, stream: BinaryIO, layer: str, size: int) -> list[Shard]:
        """Cut a compressed web archive at members that begin with a record, which takes unpacking it once."""
        place = Place(path, _stay_whole)
        if sniff(decompress(blocks_of_stream(stream, place), DecompressionBudget(place)))[0].format != "warc":
            return []
        stream.seek(0)
        members = _Members(layer, blocks_of_stream(stream, place), place)
        shards: list[Shard] = []
        for count, piece in enumerate(each for each in cut_warc(members.unpacked()) if each.last):
            start = members.start_of(piece.start)
            last = shards[-1].start or 0 if shards else 0
            if start is None or (shards and start < last + self._cuts.mailbox):
                continue
            if shards:
                shards[-1] = shards[-1]._replace(until=piece.start - 1, size=start - last)
            rest = Shard(path, "warc", start, piece.start - 1, number=count, size=size - start, at_head=True)
            shards.append(rest._replace(unpacked=members.unpacked_at))
        return shards if len(shards) > 1 and shards[0].start == 0 else []

    def _at_heads(self, first: Shard, heads: Iterator[int], size: int) -> list[Shard]:
        """Cut ``first``, all of a file, at heads of messages: the first one after each full shard."""
        shards = [first]
        for count, head in enumerate(heads):
            last = shards[-1]
            if head >= (last.start or 0) + self._cuts.mailbox:
                shards[-1] = last._replace(until=head - 1, size=head - (last.start or 0))
                shards.append(
                    first._replace(start=head, after=head - 1, number=count, size=size - head, at_head=True)
                )
        return shards


class _Members:
    """The members of a compressed file that begin with a record of a web archive, while it is unpacked."""

    def __init__(self, layer: str, blocks: Iterator[bytes], place: Place) -> None:
        self._layer, self._blocks, self._place = layer, blocks, place
        self._begun: int | None = None  # a member of which no byte was yielded
        self._left: deque[tuple[int, int, int]] = deque()  # offsets of the first record, unpacked, and packed
        self.unpacked_at = 0  # where the member of the last answer begins

    def unpacked(self) -> Iterator[bytes]:
        """Yield what the file holds; raise `_UncutError` if it cannot be read."""

        def begin(start: int) -> None:
            self._begun = start

        given = 0
        budget = DecompressionBudget(self._place)
        try:
            for block in undo(self._layer, self._blocks, budget, on_member=begin):
                if self._begun is not None and (version := _WARC_LINE.match(block)):
                    self._left.append((given + version.end(), given, self._begun))
                self._begun = None
                given += len(block)
                yield block
        except (DamagedError, *LIBRARY_FAULTS):
            raise _UncutError from None

    def start_of(self, record: int) -> int | None:
        """Return the offset of the member that begins with a record, None if none does; ask in order."""
        while self._left and self._left[0][0] < record:
            self._left.popleft()
        if not self._left or self._left[0][0] != record:
            return None
        _, self.unpacked_at, start = self._left.popleft()
        return start


def _of_folder(folder: Shard, held: list[File], damage: list[SourceError], size: int = 0) -> Iterator[Shard]:
    """Yield a shard of the files that a walk has found, then one for each damage; clear both lists."""
    if held:
        yield folder._replace(files=tuple(held), size=size)
    for each in damage:
        yield folder._replace(damage=(each.source, each.cause, each.offset))
    held.clear()
    damage.clear()


def _read(stream: BinaryIO, size: int) -> bytes:
    """Read ``size`` bytes, or what is left: one read of an unbuffered stream may return fewer."""
    blocks: list[bytes] = []
    while size > 0 and (block := stream.read(size)):
        blocks.append(block)
        size -= len(block)
    return b"".join(blocks)


def _may_be_inside(stream: BinaryIO, at: int) -> bool:
    """Return whether a message before ``at`` may declare its length, and so extend beyond ``at``."""
    stream.seek(max(0, at - REACH))
    data = _read(stream, min(at, REACH))
    return b"ontent-Length:" in data or b"ontent-length:" in data


def count_messages(shard: Shard, files: Files) -> int:
    """Return the number of messages of a shard; raise `SourceError` if it cannot be read."""
    return sum(1 for _ in read_shard(shard, _raise, opener=files.open))


def read_shard(
    shard: Shard,
    on_damage: OnDamage,
    *,
    opener: Callable[[str], BinaryIO] = open_file,
    counts_lines: bool = False,
) -> Iterator[Item]:
    """Yield the items of a shard, whose files ``opener`` opens by their names.

    If it ``counts_lines``, messages have their lines in their files.
    """
    place = Place(shard.source, on_damage, opener, counts_lines=counts_lines)
    if shard.start is not None:
        yield from _read_range(shard, shard.start, place)
    elif shard.damage:
        on_damage(SourceError(*shard.damage))
    elif shard.is_folder:
        yield from read_files(iter(shard.files), shard.format, place)
    else:
        yield from read_source(
            shard.source, shard.format, on_damage=on_damage, opener=opener, counts_lines=counts_lines
        )


def _read_range(shard: Shard, start: int, place: Place) -> Iterator[Item]:
    """Read a range of the bytes of a file."""
    try:
        with place.opener(shard.source) as stream:
            is_counted = place.counts_lines and shard.format != "text"
            counter = counter_from(stream, shard.source, start) if is_counted else None
            stream.seek(start)
            blocks = blocks_of_stream(stream, place, start)
            if shard.unpacked is not None:
                start, blocks = shard.unpacked, decompress(blocks, DecompressionBudget(place))
            yield from with_lines(blocks, partial(_items_of_range, shard, start), counter)
    except OSError as error:
        place.damage(error)


def _items_of_range(shard: Shard, start: int, blocks: Iterator[bytes]) -> Iterator[Item]:
    """Yield the items of a range; the blocks begin at ``start``."""
    if shard.format == "text":
        character, line = shard.place
        chunks = _up_to(shard.until - start, blocks)
        return iter((RawText(chunks, Origin(source=shard.source), character, line, start),))
    if shard.format == "warc":
        pieces = cut_warc(blocks, offset=start)
        wanted: Iterator[Piece] = takewhile(lambda piece: piece.start <= shard.until, pieces)
    else:
        pieces = cut_at_postmarks(blocks, start, at_head=shard.at_head)
        wanted = _wanted(pieces, shard, start)
    return messages_of(wanted, shard.source, number=shard.number)


def _up_to(size: int, blocks: Iterator[bytes]) -> Iterator[bytes]:
    """Yield the first ``size`` bytes of a stream."""
    for block in blocks:
        yield block[:size]
        size -= len(block)
        if size <= 0:
            return


def _wanted(pieces: Iterator[Piece], shard: Shard, start: int) -> Iterator[Piece]:
    """Yield the pieces of the messages of a shard of a mailbox, which is read from ``start`` on."""
    end = start  # of what was passed over, as far as it is known
    for piece in pieces:
        if piece.start > shard.until:
            return
        if piece.start > shard.after:
            yield piece
            continue
        end = max(end, piece.start) + len(piece.data)
        if end - 2 * LONGEST > shard.until:  # a message that begins before the shard, and ends after it
            return
