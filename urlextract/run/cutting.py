"""Cut sources into shards."""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from itertools import count, pairwise
from operator import attrgetter
from typing import BinaryIO, NamedTuple

from urlextract.errors import SourceError
from urlextract.grammar.patterns import lazy_re
from urlextract.linebreaks.prefixes import LONGEST_PAGE_BREAK
from urlextract.run.shards import Files, Shard
from urlextract.run.stretches import counted_shards
from urlextract.sources.files import enterable
from urlextract.sources.folders.tree import EVERYTHING, File, Stamp, TreeFilter
from urlextract.sources.formats.mbox import REACH
from urlextract.sources.maildir import unique_name
from urlextract.sources.reading import DIRECTORY_FORMATS
from urlextract.sources.sniff import sniff
from urlextract.sources.streams import Place, blocks_of_stream

PAGE_MARGIN = 4 * LONGEST_PAGE_BREAK
"""Bytes before and after a page break in which a text is not cut: a wrapped URL may go on after it."""

# A printable ASCII character follows: no mark of an encoding, and no form feed or indent of a page's header.
_BLANK_LINE = lazy_re(rb"\n\r?\n(?=[!-~])")
_FOOTER = lazy_re(rb"\[[Pp]age ")  # each page break has one

_SAMPLE = 64  # bytes in which a NUL shows another encoding
_SOON = 64 * 1024  # bytes in which a place to cut a text is looked for at first


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


_MAILBOX_SHARD = 8 * 1024 * 1024  # bytes
_FILES_SHARD = 100  # files
_FOLDER_SHARD = 64 * 1024 * 1024  # bytes of files
_TEXT_SHARD = 1024 * 1024  # bytes
_TEXT_SEARCH = 32 * 1024  # bytes in which to search for a place to cut a text
_LOOK_BACK = 2048  # bytes: more than a postmark and the blank line before it
_MANY = 1000  # shards of one size, after which they get larger
_MOST_DOUBLED = 4


class Cuts(NamedTuple):
    """The sizes of shards.

    ``mailbox`` is the size of those of mailboxes and web archives, in bytes, ``text`` that of those of
    texts; a place to cut a text is looked for in ``search`` bytes. A shard of a directory has at most
    ``files`` files, and ends with the file with which it has ``folder`` bytes. With ``by_name``, it ends
    before that, after a quarter of these on average, by hashes of names: then one file more or less changes
    the shard that has it, and not those after it. If it ``grows``, all sizes are doubled after each thousand
    shards, four times at most.
    """

    mailbox: int
    text: int
    search: int
    files: int
    folder: int
    by_name: bool = False
    grows: bool = False

    @classmethod
    def usual(cls) -> Cuts:
        """Return the sizes for processes that hand over their results in order."""
        return cls(_MAILBOX_SHARD, _TEXT_SHARD, _TEXT_SEARCH, _FILES_SHARD, _FOLDER_SHARD)

    def after(self, shards: int) -> Cuts:
        """Return the sizes of shards after so many shards.

        >>> cuts = Cuts.usual()._replace(grows=True)
        >>> [cuts.after(shards).mailbox >> 20 for shards in (0, 999, 1000, 2000, 9000)]
        [8, 8, 16, 32, 128]
        """
        if not self.grows:
            return self
        times = 1 << min(_MOST_DOUBLED, shards // _MANY)
        mailbox, text, search, files, folder = (times * each for each in self[:5])
        return Cuts(mailbox, text, search, files, folder, self.by_name)

    def is_end(self, name: str, size: int) -> bool:
        """Return whether a shard of a directory ends, by its name, with a file of this size.

        >>> cuts = Cuts.usual()._replace(files=400, by_name=True)
        >>> 50 < sum(cuts.is_end(f"{number}.eml", 5_000) for number in range(10_000)) < 200
        True
        """
        if not self.by_name:
            return False
        unique = unique_name(os.path.basename(name)).encode("utf-8", "surrogatepass")
        share = int.from_bytes(hashlib.blake2b(unique, digest_size=4).digest()) / (1 << 32)
        return share < 4 / self.files + 4 * size / self.folder

    @property
    def least(self) -> int:
        """The size in bytes of the largest file that is never cut."""
        return min(self.mailbox, self.text)


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
) -> Iterator[Shard]:
    """Yield the shards of a source, in order; a directory is walked during the iteration.

    See `Cutter` for the options.
    """
    files = files or Files()
    cutter = Cutter(
        format, cuts or Cuts.usual(), files, numbered=numbered, texts=texts, placed=placed, archives=archives
    )
    if files.is_folder(source):
        return cutter.directory(source, tree_filter or EVERYTHING)
    stamp = Stamp()
    with suppress(OSError, ValueError):  # reported when the source is read
        stamp = files.stamp(source)
    return cutter.file(source, stamp)


class _UncutError(Exception):
    """A file that cannot be read: it is not cut, and the fault is reported when the file is read."""


def _stay_whole(_: SourceError) -> None:
    raise _UncutError


class Cutter:
    """Cuts sources into shards.

    With ``numbered``, the messages before each shard of a mailbox are counted. With ``texts``, texts are cut,
    too; with ``placed``, characters and lines before each of their shards are counted. With ``archives``, web
    archives are cut, too. ``cuts`` are the sizes of shards, and ``files`` is where the sources are.
    """

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
    ) -> None:
        self._format, self._first_cuts, self.files = format, cuts, files
        self._numbered, self._texts, self._placed, self._archives = numbered, texts, placed, archives
        self._cuts = cuts
        self._shards = 0  # that were planned

    def file(self, path: str, stamp: Stamp) -> Iterator[Shard]:
        """Yield the shards of a file: one at least."""
        whole = Shard(path, self._format, size=stamp.size or 0, is_last=True, stamp=stamp)
        for shard in self._cut(path, stamp, self._format) or (whole,):
            self._count()
            yield shard

    def _count(self) -> None:
        self._shards += 1
        self._cuts = self._first_cuts.after(self._shards)

    def directory(self, path: str, tree_filter: TreeFilter) -> Iterator[Shard]:
        """Walk a directory; yield shards of a few files each, and those of inboxes and large files."""
        walked = self._format if self._format in DIRECTORY_FORMATS else "auto"
        damage: list[SourceError] = []
        held: list[File] = []
        size = 0
        folder = Shard(path, self._format, is_folder=True)
        place = partial(Place, on_damage=damage.append)
        for each in self.files.walk(path, walked, place, tree_filter):
            file = each if each.repositories else self._stamped(each, damage)
            cut = self._cut_file(file) if file else None
            is_full = len(held) + len(damage) >= self._cuts.files or size >= self._cuts.folder
            if cut or each.repositories or is_full:
                yield from self._of_folder(folder, held, damage)
                size = 0
            if cut:
                for shard in cut:
                    self._count()
                    yield shard._replace(is_last=False)
                continue
            if file is None:
                continue
            held.append(file)
            own = file.stamp.size or 0
            size += own
            if each.repositories or self._cuts.is_end(file.path, own):
                yield from self._of_folder(folder, held, damage)
                size = 0
        yield from self._of_folder(folder, held, damage)
        yield folder._replace(is_last=True)

    def _of_folder(self, folder: Shard, held: list[File], damage: list[SourceError]) -> Iterator[Shard]:
        """Yield a shard of the files that a walk has found, then one for each damage; clear both lists."""
        if held:
            self._count()
            yield folder._replace(files=tuple(held), size=sum(file.stamp.size or 0 for file in held))
        for each in damage:
            yield folder._replace(damage=(each.source, each.cause, each.offset, each.errno))
        held.clear()
        damage.clear()

    def _stamped(self, file: File, damage: list[SourceError]) -> File | None:
        """Return a file with its stamp, None if it cannot be read, which is added to ``damage``."""
        try:
            return file._replace(stamp=self.files.stamp(file.path))
        except OSError as error:
            Place(file.path, damage.append).damage(error)
            return None

    def _cut_file(self, file: File) -> Iterator[Shard] | None:
        """Return the shards of a large file of a directory, None if it is not cut."""
        if file.is_mail:
            return None
        return self._cut(file.path, file.stamp, "auto" if self._format in DIRECTORY_FORMATS else self._format)

    def _cut(self, path: str, stamp: Stamp, format: str) -> Iterator[Shard] | None:
        """Return the shards of a large file, the last one marked; None if it cannot be cut."""
        forms = ("auto", "mbox", "text", "warc") if self._archives else ("auto", "mbox", "text")
        if stamp.size is None or stamp.size <= self._cuts.least or format not in forms:
            return None
        whole = Shard(path, format, size=stamp.size, stamp=stamp)
        try:
            with self.files.open(path) as stream:
                return self._cut_stream(whole, stream)
        except (OSError, ValueError, _UncutError):  # reported when the source is read
            return None

    def _cut_stream(self, whole: Shard, stream: BinaryIO) -> Iterator[Shard] | None:
        place = Place(whole.source, _stay_whole)
        verdict = enterable(blocks_of_stream(stream, place), whole.format, whole.source)
        stream.seek(0)  # what can only be read on is not cut
        if verdict and verdict.format == "mbox":
            return self._mailbox(whole._replace(format="mbox"), verdict.start, stream)
        if verdict and self._texts:
            return self._text(whole._replace(format="text"), stream)
        is_archive = self._archives and whole.format in ("auto", "warc")
        if is_archive and sniff(blocks_of_stream(stream, place))[0].format == "warc":
            return self._at_heads(whole._replace(format="warc"), 0)
        return None

    def _text(self, whole: Shard, stream: BinaryIO) -> Iterator[Shard]:
        """Cut a text where `barrier` finds a place for it, near each multiple of the size of its shards."""
        edges = [0]
        for place in self._places(whole, 0, attrgetter("text")):
            for search in sorted({min(_SOON, self._cuts.search), self._cuts.search}):
                stream.seek(place - PAGE_MARGIN if place > PAGE_MARGIN else 0)
                low = place - stream.tell()
                cut = barrier(_read(stream, low + search + PAGE_MARGIN), low, low + search)
                if cut is not None:
                    edges.append(place - low + cut)
                    break
        edges.append(whole.size)
        if self._placed:
            return counted_shards(whole, edges, self.files)
        return (_shard_of_range(whole, low, low, high) for low, high in pairwise(edges))

    def _mailbox(self, whole: Shard, start: int, stream: BinaryIO) -> Iterator[Shard]:
        """Cut a mailbox at any bytes, or at heads of messages if one may declare a length beyond a cut."""
        cuts = list(self._places(whole, start, attrgetter("mailbox")))
        if self._numbered or any(_may_be_inside(stream, cut) for cut in cuts):
            return self._at_heads(whole, start)
        return (
            _shard_of_range(whole, max(start, low + 1 - _LOOK_BACK), max(low, 0), high)._replace(after=low)
            for low, high in pairwise([start - 1, *cuts, whole.size])
        )

    def _at_heads(self, whole: Shard, start: int) -> Iterator[Shard]:
        """Cut a mailbox or a web archive at heads of messages or records."""
        edges = [start, *self._places(whole, start, attrgetter("mailbox")), whole.size]
        return counted_shards(whole, edges, self.files)

    def _places(self, whole: Shard, start: int, size_in: Callable[[Cuts], int]) -> Iterator[int]:
        """Yield where the shards of a file begin after its first one, if that is no matter of its content."""
        at = start
        for shards in count(self._shards):
            at += size_in(self._first_cuts.after(shards))
            if at >= whole.size:
                return
            yield at


def _shard_of_range(whole: Shard, start: int, low: int, high: int) -> Shard:
    """Return the shard of the bytes of a file from ``low`` up to ``high``; reading begins at ``start``."""
    is_last = high == whole.size
    until = sys.maxsize if is_last else high
    return whole._replace(start=start, until=until, size=high - low, is_last=is_last)


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
