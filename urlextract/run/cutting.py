"""Cut sources into stretches, which several processes read, or one after the other.

A directory is walked, and gives groups of files. A large mailbox, web archive or text is read once for its
stretches: each begins with the first message, record or paragraph that is some size after the last one.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from itertools import groupby
from operator import attrgetter
from typing import BinaryIO, NamedTuple

from urlextract.errors import SourceError, UrlExtractError
from urlextract.sources.files import enterable
from urlextract.sources.folders.tree import EVERYTHING, File, Stamp, TreeFilter, Walker
from urlextract.sources.formats.mbox import cut_at_postmarks
from urlextract.sources.formats.messages import PREAMBLE
from urlextract.sources.formats.warc import cut_warc
from urlextract.sources.maildir import located, unique_name
from urlextract.sources.reading import DIRECTORY_FORMATS
from urlextract.sources.streams import Origin, after, blocks_of_stream, open_file
from urlextract.sources.stretches import SIZE as TEXT_SIZE
from urlextract.sources.stretches import Start, Stretch, cut_text


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
        self, path: str, format: str, origin: Callable[[str], Origin], tree_filter: TreeFilter
    ) -> Iterator[File]:
        """Yield the files of a directory: see `Walker`."""
        return Walker(format, origin, tree_filter).walk(path)


SIZE = 4 * 1024 * 1024
"""The bytes of a stretch, for processes that hand over their results in order."""

FILES = 400
"""The most files of a directory that are one stretch; there are a quarter of these on average."""


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
        for each in self.files.walk(path, walked, partial(Origin, on_damage=damage.append), tree_filter):
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
            Origin(file.path, damage.append).damage(error)
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
                origin = Origin(whole.source, _fail)
                found = enterable(blocks_of_stream(stream, origin), whole.format, whole.source)
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
                for start in self._starts(stream, whole, first):
                    if not begun:
                        begun = start
                    elif start.offset - begun.offset >= self.size:
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

    def _starts(self, stream: BinaryIO, whole: Stretch, first: int) -> Iterator[Start]:
        """Yield where stretches can begin: at messages, records, or paragraphs of a text."""
        blocks = after(first, blocks_of_stream(stream, Origin(whole.source, _fail)))
        if whole.format == "text":
            before = b""
            for stretch in cut_text(blocks, Start(), min(self.size, TEXT_SIZE)):
                if before and not before.endswith((b"\n\n", b"\n\r\n")):
                    return  # there is no blank line in megabytes
                yield stretch.start
                before = stretch.data
            return
        yield Start(first)
        pieces = cut_warc(blocks, first) if whole.format == "warc" else cut_at_postmarks(blocks, first)
        heads = (start for start, _ in groupby(pieces, key=attrgetter("start")) if start != PREAMBLE)
        yield from (Start(head, number) for number, head in enumerate(heads) if number)


def _fail(error: SourceError) -> None:
    raise error
