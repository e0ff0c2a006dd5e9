"""What earlier runs have read (``--state``, an index), so that only what is new is read.

A message is known by a hash of what does not change of it, wherever it lies: moved, copied, compressed,
refiled, marked. A text is known by its file, and how far that was read. A file that is as it was is skipped.
"""

from __future__ import annotations

import errno
import os
import re
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple, TypeAlias

from urlextract.errors import SourceError
from urlextract.grammar.patterns import lazy_re
from urlextract.records import Item, RawMessage, RawText
from urlextract.sources.folders.tree import Stamp
from urlextract.sources.streams import BLOCK, Origin, blocks_of_stream, peek, whole_lines
from urlextract.sources.stretches import Start

if TYPE_CHECKING:
    import sqlite3

FileRow: TypeAlias = tuple[Any, ...]
"""The columns of ``files``, whose values somebody else may have written."""

# --- the hash of a message ------------------------------------------------------------------------

# What mail readers and servers change of a message that they keep. A URL may stand in a field by one of these
# names: one with a colon, a slash, a dot, a question mark (as encoded words have) or a second line counts.
_CHANGING = lazy_re(
    rb"\n(?:(?:x-)?(?:status|keywords)|x-uid|x-imap(?:base)?|x-mozilla-[!-9;-~]*|content-length|lines):"
    rb"[^\n:/.?]*(?=\n(?![ \t])|\Z)",
    re.IGNORECASE,
)
_QUOTED_FROM = lazy_re(rb"(?<=\n)>+From ")  # in a mailbox, so that it is no postmark
_ARRIVING = lazy_re(rb"\n\nF(?:r(?:o(?:m(?: [^\n]*)?)?)?)?\Z")  # what may become the next postmark
_SIZE = 16  # bytes of a hash


def _new_hash(person: bytes = b"") -> Any:
    from hashlib import blake2b  # it loads OpenSSL, which a run without checkpoints does not need

    return blake2b(digest_size=_SIZE, person=person)


def hash_of(data: bytes, rest: Iterable[bytes] = ()) -> bytes:
    r"""Return a hash of what does not change of a message when it is moved, marked or stored elsewhere.

    ``rest`` is what follows of a message that is too large to be held.

    >>> hash_of(b"To: a\n\n>From b\n") == hash_of(b"To: a\r\nStatus: RO\r\n\r\nFrom b\r\n\r\n")
    True
    """
    blocks = _as_written(whole_lines(chain((data,), rest)) if rest else iter((data,)))
    first = b"\n" + next(blocks, b"")
    if not rest:
        first = _ARRIVING.sub(b"", first)
    at = first.find(b"\n\n") % len(first) + 1  # behind the head: without a blank line, all
    found = _new_hash()
    ends = 0  # line ends that count if something follows
    for lines in chain((_CHANGING.sub(b"", first[:at]), first[at:]), blocks):
        text = lines.rstrip(b"\n")
        while text and ends:
            found.update(b"\n" * min(ends, BLOCK))
            ends -= min(ends, BLOCK)
        found.update(text)
        ends += len(lines) - len(text)
    return bytes(found.digest())


def _as_written(blocks: Iterable[bytes]) -> Iterator[bytes]:
    """Yield lines with one kind of line ends, and as they were before a mailbox quoted them."""
    before = b"\n"
    for lines in blocks:
        text = before + lines
        if b"\r" in lines:
            text = text.replace(b"\r\r\n", b"\n").replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        if b">From " in lines:
            text = _QUOTED_FROM.sub(b"From ", text)
        yield text[1:]
        before = text[-1:]


def hash_of_text(name: str, content: bytes) -> bytes:
    """Return a hash of a text of this content that has come from this source."""
    data = os.fsencode(name) + b"\0" + content
    found = _new_hash(b"text")
    found.update(data)
    return bytes(found.digest())


def hashed(message: RawMessage, origin: Origin) -> Iterator[tuple[bytes, RawMessage]]:
    """Yield the hash of a message, and the message; one that is too large to be held is copied meanwhile.

    If there is no space for a copy, that is reported at ``origin``, and nothing yielded.
    """
    if message.rest is None:
        yield hash_of(message.data), message
        return
    from tempfile import SpooledTemporaryFile  # slow to load

    with SpooledTemporaryFile(BLOCK) as copy:
        try:
            found = hash_of(message.data, (block for block in message.rest if copy.write(block)))
            copy.seek(0)
        except OSError as error:
            words = f"a large message cannot be copied to a temporary file: {error.strerror or error}"
            origin.on_damage(SourceError(origin.name, words, message.provenance.offset, error.errno))
            return
        blocks = blocks_of_stream(copy, origin)  # type: ignore[arg-type]  # it has what is used of it
        yield found, message._replace(rest=blocks)


# --- what was read --------------------------------------------------------------------------------

REPLACE_FILE = "REPLACE INTO files VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"

_TAIL = 64 * 1024  # bytes of a file of messages, before the place where it was left, that are hashed


class Left(NamedTuple):
    """Where a file is read on: at ``start``, if ``before`` is the hash of what is before the offset ``end``.

    Of a file of messages both are where the last one begins, which may have arrived in part.
    """

    start: Start
    end: int
    before: bytes | None


FROM_START = Left(Start(), 0, None)


def hash_before(stream: BinaryIO, end: int, *, is_text: bool) -> Any:
    """Return a hash of the bytes before ``end``; None if they cannot be read, as of a shorter file.

    Of a file of messages, which are known by their content, only the last bytes count.
    """
    found = _new_hash()
    at = 0 if is_text else max(0, end - _TAIL)
    while at < end:
        try:
            data = os.pread(stream.fileno(), min(BLOCK, end - at), at)
        except OSError:
            return None
        if not data:
            return None
        found.update(data)
        at += len(data)
    return found


def _columns(stamp: Stamp) -> tuple[int | None, str]:
    return stamp.size, str(stamp.mark)  # nanoseconds after the year 2262 are no integer of SQLite


def is_whole(row: FileRow) -> bool:
    """Return whether a file was read to its end, as its row says."""
    return row[1:3] != _columns(Stamp())


MAIL = "mail"
"""The format as which a file is noted that is one mail because of its folder."""

_INTERVAL = 1.0  # seconds after which what was read is saved
_MESSAGES = 1000  # messages after which it is
_SHORT = 64 * 1024  # bytes of a text that is known by its content


class Checkpoint:
    """What was read, in the tables of an open database: that of the state file ``path``, or an index.

    ``flush`` writes out what was found, and returns the length of the output, None if it has none. What is
    noted is saved with that in one transaction: by `save` and, if it ``can_rest``, now and then. ``beside``
    are the files that may be beside the state.
    """

    def __init__(
        self,
        connection: sqlite3.Connection,
        path: str = "",
        beside: Sequence[str] = (),
        *,
        can_rest: bool = True,
    ) -> None:
        self._connection, self._path, self._can_rest = connection, path, can_rest
        self.beside = beside
        self.flush: Callable[[], int | None] = lambda: None
        self._output: bytes | None = None
        self._saved, self._messages = time.monotonic(), 0
        self._has_new_files = False
        self._seen: set[bytes] = set()  # what is to be written

    def _first(self, query: str, *values: object) -> tuple[Any, ...] | None:
        """Return the first row of a query."""
        row: tuple[Any, ...] | None = self._connection.execute(query, values).fetchone()
        return row

    def length_of(self, output: str) -> int:
        """Return the recorded length of an output file, 0 if there is none; `save` records it from now on.

        The file is known by its place beside the state, with which it may be moved. Raise `FileExistsError`
        for one that has something else in it.
        """
        folder = os.path.dirname(os.path.realpath(self._path))
        self._output = os.fsencode(os.path.relpath(os.path.realpath(output), folder))
        row = self._first("SELECT length FROM outputs WHERE path = ?", self._output)
        if row and isinstance(row[0], int) and row[0] >= 0:
            return row[0]
        if os.path.isfile(output) and os.path.getsize(output):
            words = f"is not empty, and was not written with {self._path}: move it away"
            raise FileExistsError(errno.EEXIST, words, output)
        self._connection.execute("REPLACE INTO outputs VALUES (?, 0)", (self._output,))
        self._connection.execute("COMMIT")  # a run that is killed has written to it
        self._connection.execute("BEGIN IMMEDIATE")
        return 0

    def save(self) -> None:
        """Flush the output and save what was noted; raise what SQLite or the output raises."""
        length = self.flush()
        if length is not None and self._output is not None:
            self._connection.execute("REPLACE INTO outputs VALUES (?, ?)", (self._output, length))
        self._write_seen()
        self._connection.execute("COMMIT")
        self._connection.execute("BEGIN IMMEDIATE")

    def _write_seen(self) -> None:
        self._connection.executemany(
            "INSERT OR IGNORE INTO seen VALUES (?)", ((each,) for each in sorted(self._seen))
        )
        self._seen.clear()
        self._saved, self._messages = time.monotonic(), 0

    def save_if_due(self) -> None:
        """Save if that is due, by time or by messages. All items yielded so far must have been processed."""
        self._messages += 1
        if self._messages >= _MESSAGES or time.monotonic() - self._saved >= _INTERVAL:
            self.save() if self._can_rest else self._write_seen()

    # --- files ------------------------------------------------------------------------------------

    def knows(self, path: str, stamp: Stamp, *, is_mail: bool = False) -> bool:
        """Return whether a file or an inbox was read to its end, and is as it was.

        If its folder says that a file ``is_mail``, it must have been read as one message, else not.
        """
        row = self.row(path)
        if row is None or row[1:3] != _columns(stamp):
            return False
        return is_whole(row) and (row[3] == MAIL) == is_mail

    def left(self, path: str, format: str, stream: BinaryIO) -> Left:
        """Return where a file is read on: at its beginning, if what was read of it is no longer the same."""
        row = self.row(path)
        if row and row[3] == format:
            before, *numbers = row[4:]
            end, *counts = [each if isinstance(each, int) else -1 for each in numbers]
            if isinstance(before, bytes) and 0 <= min(counts) <= max(counts) <= end:
                found = hash_before(stream, end, is_text=format == "text")
                if found and found.digest() == before:
                    return Left(Start(*counts), end, before)
        return FROM_START

    def note(self, path: str, stamp: Stamp, format: str = "", left: Left = FROM_START) -> None:
        """Note that a file was read; once it has changed, it is read on from where it was ``left``.

        Without a stamp it was not read to its end.
        """
        self.write((os.fsencode(path), *_columns(stamp), format, left.before, left.end, *left.start))
        self._has_new_files = True
        self.save_if_due()

    def row(self, path: str) -> FileRow | None:
        """Return what was noted of a file."""
        return self._first("SELECT * FROM files WHERE path = ?", os.fsencode(path))

    def write(self, row: FileRow) -> None:
        """Write what is noted of a file."""
        self._connection.execute(REPLACE_FILE, row)

    def begin(self, path: str, name: str, start: Start) -> None:
        """Be told that items of a file follow, from ``start`` on; ``name`` is that of the source."""

    def forget_gone(self, folder: str) -> None:
        """Forget the files below a directory that are no more: names in a Maildir change with each flag."""
        if not self._has_new_files:
            return
        below = os.fsencode(os.path.join(os.path.abspath(folder), ""))
        query = "SELECT path FROM files WHERE path > ? AND path < ?"
        paths = self._connection.execute(query, (below, below[:-1] + b"0")).fetchall()
        gone = [row for row in paths if not os.path.lexists(row[0])]
        self._connection.executemany("DELETE FROM files WHERE path = ?", gone)
        self._has_new_files = False

    def end_of_text(self, text: bytes) -> int:
        """Return where a text is read on once it has grown: a line that has no end may go on."""
        return text.rfind(b"\n") + 1

    # --- items ------------------------------------------------------------------------------------

    def new(self, items: Iterable[Item], origin: Origin, stamp: Stamp | None = None) -> Iterator[Item]:
        """Yield the items that were not read before. Without the ``stamp`` of a file, each text is new."""
        for number, item in enumerate(items):
            if isinstance(item, RawMessage):
                for found, message in hashed(item, origin):
                    yield from self._if_new(found, message)
            else:
                yield from self._new_text(item, number, stamp)

    def _if_new(self, found: bytes, item: Item) -> Iterator[Item]:
        if found in self._seen or self._first("SELECT 1 FROM seen WHERE hash = ?", found):
            return
        yield item
        self._seen.add(found)
        self.save_if_due()

    def _new_text(self, text: RawText, number: int, stamp: Stamp | None) -> Iterator[Item]:
        """Yield a text of a file that has others, if it is new.

        A short one is known by its content, a longer one by its number in a file that is as it was.
        """
        if not stamp:
            yield text
            return
        head, chunks = peek(text.chunks, lambda head: len(head) > _SHORT)
        content = head if len(head) <= _SHORT else b"%r" % ((*stamp, number),)
        name = os.path.abspath(text.provenance.source or "")
        yield from self._if_new(hash_of_text(name, content), text._replace(chunks=chunks))
        for _ in chunks:  # to its end, so that the next item can be read
            pass
