"""Cut sources into stretches, which several processes read, or one after the other.

A directory is walked, and gives groups of files. A large mailbox, web archive or text is read once for its
stretches: each begins with the first message, record or paragraph that is some size after the last one.
"""

from __future__ import annotations

import codecs
import hashlib
import os
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from itertools import groupby
from operator import attrgetter
from typing import BinaryIO, NamedTuple

from urlextract.errors import SourceError, UrlExtractError
from urlextract.grammar.patterns import lazy_re
from urlextract.linebreaks.prefixes import LONGEST_PAGE_BREAK
from urlextract.sources.files import enterable
from urlextract.sources.folders.tree import EVERYTHING, File, Stamp, TreeFilter, Walker
from urlextract.sources.formats.mbox import cut_at_postmarks
from urlextract.sources.formats.messages import PREAMBLE
from urlextract.sources.formats.warc import cut_warc
from urlextract.sources.maildir import located, unique_name
from urlextract.sources.reading import DIRECTORY_FORMATS
from urlextract.sources.streams import Place, after, blocks_of_stream, open_file, up_to
from urlextract.sources.stretches import Start, Stretch


class Files:
    """The files of this machine, by their paths; a subclass may know others."""

    def is_folder(self, path: str) -> bool:
        """Return whether ``path`` is a directory."""
        return os.path.isdir(path)

    def stamp(self, path: str) -> Stamp:
        """Return the stamp of a file; raise `OSError` or `ValueError`."""
        return Stamp.of(located(path)[1])

    def open(self, path: str) -> BinaryIO:
        """Open a file for reading; raise `OSError` or `ValueError`."""
        return open_file(path)

    def walk(
        self, path: str, format: str, place: Callable[[str], Place], tree_filter: TreeFilter
    ) -> Iterator[File]:
        """Yield the files of a directory: see `Walker`."""
        return Walker(format, place, tree_filter).walk(path)


SIZE = 4 * 1024 * 1024
"""The bytes of a stretch, for processes that hand over their results in order."""

FILES = 400
"""The most files of a directory that are one stretch; there are a quarter of these on average."""

_SEARCHED = 64  # a place to cut a text is looked for in this part of a stretch
_LEAST_SEARCHED = 4096  # bytes


class Cutter(NamedTuple):
    """Cuts sources that are read in ``format`` into stretches of some ``size`` in bytes, or of some files.

    ``texts`` says whether a text may be cut; ``files`` is where the sources are.
    """

    format: str = "auto"
    size: int = SIZE
    most_files: int = FILES
    texts: bool = True
    files: Files = Files()

    def stretches(self, source: str, tree_filter: TreeFilter = EVERYTHING) -> Iterator[Stretch]:
        """Yield the stretches of a source, in order: one at least. A directory is walked meanwhile."""
        if self.files.is_folder(source):
            yield from self.directory(source, tree_filter)
            return
        stamp = Stamp()
        with suppress(OSError, ValueError):  # reported when the source is read
            stamp = self.files.stamp(source)
        yield from self.file(source, stamp)

    def file(self, path: str, stamp: Stamp) -> Iterator[Stretch]:
        """Yield the stretches of a file."""
        whole = Stretch(path, self.format, size=stamp.size or 0, stamp=stamp)
        return self._cut(whole) or iter((whole,))

    def directory(self, path: str, tree_filter: TreeFilter) -> Iterator[Stretch]:
        """Walk a directory; yield groups of its files, and the stretches of large ones.

        A group ends by a hash of a name, with a chance for each file that grows with its size: so a file more
        or less changes the group that has it, and not those after it.
        """
        walked = self.format if self.format in DIRECTORY_FORMATS else "auto"
        damage: list[SourceError] = []
        held: list[File] = []
        size = 0
        folder = Stretch(path, self.format, files=())
        for each in self.files.walk(path, walked, partial(Place, on_damage=damage.append), tree_filter):
            file, stretches = self._stamped(each, damage)
            if stretches or each.repositories:
                yield from self._group(folder, held, damage)
                size = 0
            if stretches:
                yield from stretches
            elif file:
                held.append(file)
                own = file.stamp.size or 0
                size += own
                if file.repositories or self._is_last(file.path, own, len(held) + len(damage), size):
                    yield from self._group(folder, held, damage)
                    size = 0
        yield from self._group(folder, held, damage) if held or damage else (folder,)

    def _stamped(self, file: File, damage: list[SourceError]) -> tuple[File | None, Iterator[Stretch] | None]:
        """Return a file with its stamp, and its stretches if it is cut; None and damage if it is gone."""
        if file.repositories:
            return file, None
        try:
            file = file._replace(stamp=self.files.stamp(file.path))
        except OSError as error:
            Place(file.path, damage.append).damage(error)
            return None, None
        format = "auto" if self.format in DIRECTORY_FORMATS else self.format
        whole = Stretch(file.path, format, size=file.stamp.size or 0, stamp=file.stamp)
        return file, None if file.is_mail else self._cut(whole)

    def _is_last(self, path: str, own: int, files: int, size: int) -> bool:
        """Return whether a group ends with the file ``path`` of ``own`` bytes, by its name or its sums."""
        unique = unique_name(os.path.basename(path)).encode("utf-8", "surrogatepass")
        share = int.from_bytes(hashlib.blake2b(unique, digest_size=4).digest()) / (1 << 32)
        most = 2 * self.size
        return files >= self.most_files or size >= most or share < 4 / self.most_files + 4 * own / most

    def _group(self, folder: Stretch, held: list[File], damage: list[SourceError]) -> Iterator[Stretch]:
        """Yield a stretch of the files that a walk has found, then one for each damage; clear both lists."""
        if held:
            yield folder._replace(files=tuple(held), size=sum(file.stamp.size or 0 for file in held))
        yield from (folder._replace(damage=each) for each in damage)
        held.clear()
        damage.clear()

    def _cut(self, whole: Stretch) -> Iterator[Stretch] | None:
        """Return the stretches of a large file, None if it is one."""
        if whole.size <= self.size or whole.format not in ("auto", "mbox", "text", "warc"):
            return None
        try:
            with self.files.open(whole.source) as stream:
                place = Place(whole.source, _fail)
                found = enterable(blocks_of_stream(stream, place), whole.format, whole.source)
                stream.seek(0)  # what can only be read on is not cut
        except (OSError, ValueError, SourceError, UrlExtractError):  # reported when the source is read
            return None
        if not found or (found.format == "text" and not self.texts):
            return None
        return self._parts(whole._replace(format=found.format), found.start)

    def _parts(self, whole: Stretch, first: int) -> Iterator[Stretch]:
        """Yield the stretches of a file that begins at the offset ``first``.

        What is left of one that cannot be read further is a stretch, by which the fault is reported; if it is
        no fault of the file, it is one with the damage.
        """
        begun = None
        try:
            with self.files.open(whole.source) as stream:
                starts = (
                    self._of_text(stream, whole)
                    if whole.format == "text"
                    else self._heads(stream, whole, first)
                )
                for start in starts:
                    if begun:
                        size = start.offset - begun.offset
                        yield whole._replace(start=begun, end=start.offset, size=size)
                    begun = start
        except (SourceError, OSError, ValueError):  # is reported when the stretch is read
            pass
        except UrlExtractError as error:
            cause = str(error).removeprefix(f"{whole.source}: ")
            yield Stretch(whole.source, damage=SourceError(whole.source, cause))
            return
        begun = begun or Start()
        yield whole._replace(start=begun, size=whole.size - begun.offset)

    def _heads(self, stream: BinaryIO, whole: Stretch, first: int) -> Iterator[Start]:
        """Yield where the stretches of a mailbox or a web archive begin: the first, then at messages."""
        blocks = after(first, blocks_of_stream(stream, Place(whole.source, _fail)))
        yield Start(first)
        pieces = cut_warc(blocks, first) if whole.format == "warc" else cut_at_postmarks(blocks, first)
        heads = (start for start, _ in groupby(pieces, key=attrgetter("start")) if start != PREAMBLE)
        due = first + self.size
        for number, head in enumerate(heads):
            if number and head >= due:
                yield Start(head, number)
                due = head + self.size

    def _of_text(self, stream: BinaryIO, whole: Stretch) -> Iterator[Start]:
        """Yield where the stretches of a text in UTF-8 begin.

        None begins after a carriage return that alone ends a line: only the lines of a stretch have all the
        rules for these.
        """
        start = Start()
        yield start
        for edge in self._edges(stream, whole.size):
            counted = _counted(stream, whole.source, start, edge)
            if counted is None:
                return
            yield (start := counted)

    def _edges(self, stream: BinaryIO, size: int) -> Iterator[int]:
        """Yield the offsets where `barrier` finds a place to cut a text, each a size after the last."""
        search = max(_LEAST_SEARCHED, self.size // _SEARCHED)
        place = self.size
        while place < size:
            stream.seek(max(0, place - PAGE_MARGIN))
            low = place - stream.tell()
            cut = barrier(_read(stream, low + search + PAGE_MARGIN), low, low + search)
            if cut is not None:
                place += cut - low
                yield place
            place += self.size


def _fail(error: SourceError) -> None:
    raise error


def _read(stream: BinaryIO, size: int) -> bytes:
    """Read ``size`` bytes, or what is left: one read of an unbuffered stream may return fewer."""
    blocks: list[bytes] = []
    while size > 0 and (block := stream.read(size)):
        blocks.append(block)
        size -= len(block)
    return b"".join(blocks)


# --- texts ----------------------------------------------------------------------------------------

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


_MOST_CR = 4  # that end a line with the LF after them
_LONE_CR = lazy_re(rb"(?<!\r)\r{1,%d}+(?!\n)" % _MOST_CR)


def _counted(stream: BinaryIO, name: str, start: Start, end: int) -> Start | None:
    """Count what is in a text from ``start`` to ``end``, where lines begin; None if that is unknown."""
    decode = codecs.getincrementaldecoder("utf-8")("surrogateescape").decode
    offset, _, characters, lines = start
    stream.seek(offset)
    if not offset and stream.read(len(codecs.BOM_UTF8)) == codecs.BOM_UTF8:
        offset = len(codecs.BOM_UTF8)  # a byte order mark is not part of the text
    stream.seek(offset)
    tail = b""  # carriage returns, which may end a line with what follows
    for block in up_to(end - offset, blocks_of_stream(stream, Place(name, _fail), offset)):
        data = tail + block
        tail = data[len(data.rstrip(b"\r")) :]
        data = data[: len(data) - len(tail)]
        if len(tail) > _MOST_CR or (b"\r" in data and _LONE_CR.search(data)):
            return None
        characters += len(decode(data))
        lines += data.count(b"\n")
    return None if tail else Start(end, 0, characters, lines)
