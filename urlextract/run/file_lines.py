"""The lines of files on which URLs stand, counted again in the files: for ``--line-number``."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, BinaryIO

from msgspec.structs import replace

from urlextract.grammar.patterns import lazy_re
from urlextract.sources.compress import layer_of
from urlextract.sources.streams import BLOCK, open_file

if TYPE_CHECKING:
    from urlextract.results import Found

_LONGEST = 60  # characters of a URL that are searched
_MOST_UNSEEN = 20  # URLs of a message that are searched, and not found
_WRITTEN = lazy_re(rf"[!-%'-<>-~]{{0,{_LONGEST}}}")  # "=" and "&" may be escaped
_GOES_ON = lazy_re(rb"[\w/%&]")
_PACKED_BATCH = lazy_re(rb"#! (?!rnews )")  # of news: offsets count in what is in it


class FileLines:
    """Counts the lines of one file at a time, on from the last URL that was found in it.

    A URL of a message stands at its byte. Without one, it stands where it is written next in its message as
    in the record, or else anywhere in it. One that is written nowhere, as in what is encoded, counts as
    standing where the message begins. What is not read again (a stream, a member of an archive, what is
    compressed) keeps the line in the text of the part, and so does a text, which has the lines of its file.
    """

    def __init__(self) -> None:
        self._source: str | None = None
        self._file: BinaryIO | None = None
        self._state: tuple[int, ...] = ()
        self._count_from(0, 1)

    def numbered(self, results: Iterable[Found]) -> Iterator[Found]:
        """Yield the results with the lines of their files."""
        try:
            for found in results:
                yield replace(found, line=self._line_of(found))
        finally:
            self._close()

    def _close(self) -> None:
        if self._file:
            self._file.close()
        self._source = self._file = None

    def _count_from(self, at: int, line: int) -> None:
        self._at, self._line = at, line
        self._message, self._first = at, line  # where its message begins, and on which line
        self._next, self._unseen = at, 0  # where to search, and how many URLs were not found

    def _line_of(self, found: Found) -> int:
        if found.offset is None or not self._is_open(found.source):
            return found.line
        if found.offset != self._message:
            self._count_from(found.offset, self._line_at(found.offset))
        place = found.byte if found.byte is not None else self._place_of(found, found.offset)
        if place is None:
            return self._first
        self._next = place + 1
        return self._line_at(place)

    def _is_open(self, source: str | None) -> bool:
        """Return whether the file of a source is open; one that was not changed is counted on."""
        if source != self._source:
            self._close()
            self._source, self._file = source, _opened(source)
            status = os.fstat(self._file.fileno()) if self._file else None
            state = (status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns) if status else ()
            if state != self._state:
                self._state = state
                self._count_from(0, 1)
        return self._file is not None

    def _line_at(self, place: int) -> int:
        """Return the line of a byte, counted from the last one on, or from the beginning of the message."""
        if place < self._at:
            self._at, self._line = (self._message, self._first) if place >= self._message else (0, 1)
        while block := self._read(self._at, min(place, self._at + BLOCK)):
            self._at += len(block)
            self._line += block.count(b"\n")
        return self._line

    def _place_of(self, found: Found, start: int) -> int | None:
        """Return the byte of the file at which a URL is written, in the message that begins at ``start``.

        Return None if it is not written there as it is, or if too many before it were not.
        """
        end = start + (found.length or 0)
        if self._unseen > _MOST_UNSEEN:
            return None
        written = _WRITTEN.match(found.raw)[0].encode()  # type: ignore[index]
        is_whole = len(written) == len(found.raw)
        place = self._find(written, self._next, end, is_whole=is_whole)
        place = (
            self._find(written, start, self._next + _LONGEST, is_whole=is_whole) if place is None else place
        )
        self._unseen += place is None
        return place

    def _find(self, written: bytes, at: int, end: int, *, is_whole: bool) -> int | None:
        """Return where a text is written in ``at:end``; if it ``is_whole``, no longer one counts."""
        while block := self._read(at, min(end, at + BLOCK)):
            place = block.find(written)
            while place >= 0 and is_whole and _GOES_ON.match(block, place + len(written)):
                place = block.find(written, place + 1)
            if place >= 0:
                return at + place
            at += max(1, len(block) - _LONGEST) if at + len(block) < end else len(block)
        return None

    def _read(self, start: int, end: int) -> bytes:
        return os.pread(self._file.fileno(), end - start, start) if self._file and end > start else b""


def _opened(source: str | None) -> BinaryIO | None:
    """Return a file whose bytes are those of its messages, None for any other source."""
    try:
        file = open_file(source) if source and source != "-" else None
    except (OSError, ValueError):
        return None
    if file and stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        head = os.pread(file.fileno(), BLOCK, 0)
        if layer_of(head) is None and not _PACKED_BATCH.match(head):
            return file
    if file:
        file.close()
    return None
