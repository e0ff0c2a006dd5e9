"""The state that a run leaves for the next one (``--state``), so that only what is new is read.

The state is one JSON file. For a file it records how far it was read, and a hash of the bytes before that
offset; for a folder, which of its messages were read.
"""

from __future__ import annotations

import hashlib
import json
import os
import time
from bisect import bisect_right
from itertools import islice
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple

from urlextract.errors import SourceError, UrlExtractError
from urlextract.records import Origin, RawMessage, RawText
from urlextract.replacing import refuse_planted_link, replace_file
from urlextract.sources import read_file
from urlextract.sources.files import enterable, read_named, read_walked
from urlextract.sources.folders.filters import is_number
from urlextract.sources.folders.tree import PARTS
from urlextract.sources.formats.mbox import cut_from
from urlextract.sources.formats.messages import messages_of
from urlextract.sources.formats.postmark import after_postmark
from urlextract.sources.sniff import LARGEST_HEAD
from urlextract.sources.streams import blocks_of_file, blocks_of_stream, ignored

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from urlextract.records import Item
    from urlextract.sources.folders.tree import File
    from urlextract.sources.streams import Place

__all__ = ["Memory", "read_new", "read_resumed", "stretches_of"]


class Numbers:
    """A set of integers, stored as ranges.

    >>> numbers = Numbers("1-3")
    >>> numbers.add(4), numbers.add(9)
    (None, None)
    >>> str(numbers), 5 in numbers
    ('1-4,9', False)
    """

    def __init__(self, ranges: str = "") -> None:
        self._lows: list[int] = []
        self._highs: list[int] = []
        for each in filter(None, ranges.split(",")):
            low, _, high = each.partition("-")
            self._lows.append(int(low))
            self._highs.append(int(high or low))
        if self._lows != sorted(self._lows) or self._highs != sorted(self._highs):
            raise ValueError(ranges)

    def __contains__(self, number: int) -> bool:
        at = bisect_right(self._lows, number) - 1
        return at >= 0 and number <= self._highs[at]

    def add(self, number: int) -> None:
        """Add a number."""
        if number in self:
            return
        at = bisect_right(self._lows, number)
        joins_before = at > 0 and self._highs[at - 1] == number - 1
        joins_behind = at < len(self._lows) and self._lows[at] == number + 1
        if joins_before and joins_behind:
            self._highs[at - 1] = self._highs.pop(at)
            del self._lows[at]
        elif joins_before:
            self._highs[at - 1] = number
        elif joins_behind:
            self._lows[at] = number
        else:
            self._lows.insert(at, number)
            self._highs.insert(at, number)

    def __str__(self) -> str:
        pairs = zip(self._lows, self._highs, strict=True)
        return ",".join(str(low) if low == high else f"{low}-{high}" for low, high in pairs)


_VERSION = 1
_MOST = 1 << 62


class StateError(UrlExtractError):
    """The state file cannot be written; the sources are not at fault."""

    def __init__(self, path: str, cause: str) -> None:
        super().__init__(f"{path}: {cause}")


def read_state(path: str) -> dict[str, Any]:
    """Return the contents of a state file, an empty dict if it does not exist.

    Raise `SourceError` for any other file.
    """
    try:
        refuse_planted_link(path)
        if os.path.exists(path) and not os.path.isfile(path):
            raise SourceError(path, "is no regular file, and no state file")
        with open(path, encoding="utf-8") as stream:
            state = json.load(stream)
    except FileNotFoundError:
        return {}
    except (ValueError, RecursionError):
        raise SourceError(path, "is no state file") from None
    if not isinstance(state, dict) or state.get("v") != _VERSION:
        raise SourceError(path, "is no state file of this version")
    return state


def write_state(path: str, state: dict[str, Any]) -> None:
    """Replace a state file; raise `StateError` if that fails."""
    text = json.dumps({"v": _VERSION, **state}, separators=(",", ":"))
    try:
        refuse_planted_link(path)
        replace_file(path, f"{text}\n".encode("ascii"))
    except OSError as error:
        raise StateError(path, f"the state cannot be written: {error.strerror or error}") from None


def count_in(value: object) -> int:
    """Return ``value`` if it is a number of bytes or messages; otherwise raise `ValueError`."""
    if not isinstance(value, int) or not 0 <= value < _MOST:
        raise ValueError(value)
    return value


def text_in(value: object) -> str:
    """Return ``value`` if it is a string; otherwise raise `ValueError`."""
    if not isinstance(value, str):
        raise ValueError(value)  # noqa: TRY004 - the file is at fault, not the caller
    return value


_INTERVAL = 1.0  # seconds after which the state is written again
_MESSAGES = 1000  # messages after which it is
_GONE = "gone"
_TAIL = 64 * 1024  # bytes before an offset that are hashed, to see whether it is still the same file


class FileMemory(NamedTuple):
    """How far a file was read.

    ``items`` is the number of items in the first ``size`` bytes, all of which were yielded; 0 for a text
    that can be resumed. If the file can be resumed, the next item begins at ``offset``. There, ``at``, is
    the "head" of a message, the "end" of all messages, or "text" at character ``start`` and line ``line``.
    ``tail`` is a hash of the bytes before that offset. ``last`` is the offset of the last message, which
    may have been incomplete.
    """

    size: int = 0
    items: int = 0
    offset: int | None = None
    at: str = ""
    start: int = 0
    line: int = 1
    is_whole: bool = False
    tail: str = ""
    last: int | None = None

    @property
    def place(self) -> int:
        """The offset up to which the file was read."""
        return self.size if self.offset is None else self.offset


class Memory:
    """The state of all sources.

    ``flush`` writes out what was found, and returns the length of the output, None if it has none.
    """

    def __init__(self, path: str, *, can_rest: bool = True) -> None:
        self._path = path
        self._can_rest = can_rest
        self.flush: Callable[[], int | None] = _nothing
        self._saved = time.monotonic()
        self._messages = 0
        known = read_state(path)
        try:
            self._outputs = {name: count_in(each) for name, each in known.get("outputs", {}).items()}
            self._files = {name: _file_memory(each) for name, each in known.get("files", {}).items()}
            self._names = {name: set(map(text_in, each)) for name, each in known.get("names", {}).items()}
            self._numbers = {name: Numbers(text_in(each)) for name, each in known.get("numbers", {}).items()}
            self._counts = {name: count_in(each) for name, each in known.get("counts", {}).items()}
        except (TypeError, ValueError, AttributeError):
            raise SourceError(path, "is no state file") from None
        self._output: str | None = None

    def length_of(self, output: str) -> int:
        """Return the recorded length of an output file, 0 if there is none; `save` records it from now on."""
        self._output = os.path.abspath(output)
        return self._outputs.get(self._output, 0)

    def file(self, path: str) -> FileMemory | None:
        """Return how far a file was read, None if that is unknown or the bytes before that have changed."""
        known = self._files.get(os.path.abspath(path))
        if known is None:
            return None
        return known if tail_of(path, known.place) == known.tail else None

    def note_file(self, path: str, known: FileMemory) -> None:
        """Remember how far a file was read; its tail is hashed when the state is saved."""
        self._files[os.path.abspath(path)] = known

    def _look_at_tails(self) -> None:
        for path, known in self._files.items():
            if not known.tail:
                self._files[path] = known._replace(tail=tail_of(path, known.place) or _GONE)

    def has(self, folder: str, name: str) -> bool:
        """Return whether a message of a folder was read; it is known by its number, or its name up to ":"."""
        folder = os.path.abspath(folder)
        if is_number(name):
            return folder in self._numbers and int(name) in self._numbers[folder]
        return name.partition(":")[0] in self._names.get(folder, ())

    def note(self, folder: str, name: str) -> None:
        """Remember that a message of a folder was read."""
        folder = os.path.abspath(folder)
        if is_number(name):
            self._numbers.setdefault(folder, Numbers()).add(int(name))
        else:
            self._names.setdefault(folder, set()).add(name.partition(":")[0])

    def forget_others(self, folder: str, names: set[str]) -> None:
        """Forget the names of a folder that are not among ``names``."""
        folder = os.path.abspath(folder)
        if folder in self._names:
            self._names[folder] &= {name.partition(":")[0] for name in names}

    def count(self, path: str) -> int:
        """Return the number of messages that were read from an inbox."""
        return self._counts.get(os.path.abspath(path), 0)

    def note_count(self, path: str, count: int) -> None:
        """Remember how many messages of an inbox were read."""
        self._counts[os.path.abspath(path)] = count

    def rest(self) -> None:
        """Save the state if that is due; all items noted so far must have been processed."""
        self._messages += 1
        if self._can_rest and (self._messages >= _MESSAGES or time.monotonic() - self._saved >= _INTERVAL):
            self.save()

    def save(self) -> None:
        """Flush the output and write the state; raise `StateError`, or what the output raises."""
        length = self.flush()
        if length is not None and self._output is not None:
            self._outputs[self._output] = length
        self._look_at_tails()
        state = {
            "outputs": self._outputs,
            "files": {name: each._asdict() for name, each in self._files.items()},
            "names": {name: sorted(each) for name, each in self._names.items()},
            "numbers": {name: str(each) for name, each in self._numbers.items()},
            "counts": self._counts,
        }
        write_state(self._path, state)
        self._saved = time.monotonic()
        self._messages = 0


def _nothing() -> None:
    """Flush nothing."""


def tail_of(path: str, place: int) -> str | None:
    """Return a hash of the bytes right before ``place``, None if the file is shorter or cannot be read."""
    try:
        with open(path, "rb") as stream:
            stream.seek(max(0, place - _TAIL))
            data = stream.read(min(place, _TAIL))
    except OSError:
        return None
    if len(data) < min(place, _TAIL):
        return None
    return hashlib.blake2b(data, digest_size=16).hexdigest()


def _file_memory(fields: dict[str, Any]) -> FileMemory:
    """Return the `FileMemory` with these fields; raise `ValueError` or `TypeError` if they are not valid."""
    known = FileMemory(**fields)
    for number in (known.size, known.items, known.start, known.line):
        count_in(number)
    for place in (known.offset, known.last):
        if place is not None:
            count_in(place)
    text_in(known.at + known.tail)
    return known


_SIZE = 256 * 1024  # bytes after which a stretch ends at a blank line
_LONGEST = 4 * 1024 * 1024  # bytes after which it ends at any line end or, without one, at any character


class Stretch(NamedTuple):
    """A stretch of a text: its bytes, and the offset, character and line at which they begin.

    ``next_place`` is the size of the text up to the end of the stretch, and the offset, character
    and line from which to resume when the text has grown: a line that has no end yet is read again.
    """

    data: bytes
    offset: int
    start: int
    line: int
    next_place: tuple[int, int, int, int]


def stretches_of(
    blocks: Iterator[bytes], offset: int = 0, start: int = 0, line: int = 1
) -> Iterator[Stretch]:
    r"""Cut a UTF-8 text into stretches; ``offset``, ``start`` and ``line`` are those of its beginning.

    >>> [(s.data, s.next_place) for s in stretches_of(iter([b"a\n\nb\n", b"c"]))]
    [(b'a\n\nb\nc', (6, 5, 5, 4))]
    """
    buffer = b""
    for block in blocks:
        buffer += block
        if len(buffer) < _SIZE:
            continue
        end = max(buffer.rfind(b"\n\n") + 2, buffer.rfind(b"\n\r\n") + 3)
        if end < 4:
            if len(buffer) < _LONGEST:
                continue
            end = buffer.rfind(b"\n") + 1 or _whole_characters(buffer)
        stretch = _stretch(buffer[:end], offset, start, line)
        yield stretch
        _, offset, start, line = stretch.next_place
        if offset < stretch.offset + end:  # cut in the middle of a line
            offset, start = stretch.offset + end, stretch.start + _characters(buffer[:end])
        buffer = buffer[end:]
    if buffer:
        yield _stretch(buffer, offset, start, line)


def _whole_characters(data: bytes) -> int:
    """Return the offset at which the last UTF-8 character begins."""
    end = len(data) - 1
    while end > len(data) - 4 and data[end] & 0xC0 == 0x80:
        end -= 1
    return end


def _characters(data: bytes) -> int:
    return len(data) if data.isascii() else len(data.decode("utf-8", "surrogateescape"))


def _stretch(data: bytes, offset: int, start: int, line: int) -> Stretch:
    end = data.rfind(b"\n") + 1
    whole = data[:end]
    after = (offset + len(data), offset + end, start + _characters(whole), line + whole.count(b"\n"))
    return Stretch(data, offset, start, line, after)


def read_resumed(path: str, form: str, place: Place, memory: Memory, *, is_walked: bool) -> Iterator[Item]:
    """Yield what is new in a regular file, and remember it item by item."""
    try:
        size = os.path.getsize(path)
        with open(path, "rb", buffering=0) as stream:
            verdict = enterable(blocks_of_stream(stream, place._replace(on_damage=ignored)), form)
    except OSError as error:
        place.damage(error)
        return
    known = memory.file(path)
    if known and known.size == size and known.is_whole:
        return
    if verdict and verdict.form == "mbox":
        yield from _mailbox(path, place, memory, known)
    elif verdict:
        yield from _text(path, place, memory, known)
    else:
        yield from _others(path, form, place, memory, known, is_walked=is_walked)


def _opened(path: str, place: Place) -> BinaryIO | None:
    """Open a file; report a failure to ``place`` and return None."""
    try:
        return open(path, "rb", buffering=0)
    except OSError as error:
        place.damage(error)
        return None


def _mailbox(path: str, place: Place, memory: Memory, known: FileMemory | None) -> Iterator[Item]:
    known = known if known and known.offset is not None else FileMemory(offset=0, at="end")
    stream = _opened(path, place)
    if stream is None:
        return
    with stream:
        known = _without_torn(known, stream)
        offset = known.offset or 0
        given, last = known.items, known.last
        stream.seek(offset)
        pieces = cut_from(blocks_of_stream(stream, place, offset), offset, at_head=known.at == "head")
        for item in messages_of(pieces, path, number=given):
            start = item.origin.offset
            if start is not None:
                memory.note_file(path, FileMemory(start, given, start, at="head"))
                memory.rest()
                last = start
            yield item
            given += isinstance(item, RawMessage)
        end = stream.tell()
    memory.note_file(path, FileMemory(end, given, end, at="end", is_whole=True, last=last))


def _without_torn(known: FileMemory, stream: BinaryIO) -> FileMemory:
    """Go back to the last message if no postmark follows it: it was incomplete when it was read."""
    if known.at != "end" or known.last is None:
        return known
    stream.seek(known.offset or 0)
    data = stream.read(LARGEST_HEAD).lstrip(b"\r\n")
    if not data or after_postmark(b"\n\n" + data, 2, at_end=True) > 0:
        return known
    return known._replace(offset=known.last, at="head", items=known.items - 1)


def _text(path: str, place: Place, memory: Memory, known: FileMemory | None) -> Iterator[Item]:
    known = known if known and known.offset is not None else FileMemory(offset=0)
    stream = _opened(path, place)
    if stream is None:
        return
    with stream:
        stream.seek(known.offset or 0)
        blocks = blocks_of_stream(stream, place, known.offset or 0)
        for stretch in stretches_of(blocks, known.offset or 0, known.start, known.line):
            yield RawText(
                chunks=iter((stretch.data,)),
                origin=Origin(source=path),
                start=stretch.start,
                line=stretch.line,
                byte=stretch.offset,
            )
            _note_text(path, memory, stretch.next_place)
            memory.rest()


def _note_text(path: str, memory: Memory, place: tuple[int, int, int, int]) -> None:
    size, offset, start, line = place
    memory.note_file(path, FileMemory(size, 0, offset, at="text", start=start, line=line, is_whole=True))


def _others(
    path: str, form: str, place: Place, memory: Memory, known: FileMemory | None, *, is_walked: bool
) -> Iterator[Item]:
    """Read a file from its start, and skip the messages that were yielded before; texts are repeated.

    A file of one item whose size has changed is yielded again: the new bytes may belong to that item.
    """
    size = os.path.getsize(path)
    passed = known.items if known and not (known.items == 1 and known.size != size) else 0
    blocks = blocks_of_file(path, place)
    if is_walked and form == "auto":
        items = read_walked(blocks, place, is_mail=False)
    else:
        items = read_named(blocks, form, place)
    given = 0
    for item in items:
        if given >= passed or isinstance(item, RawText):
            yield item
        given += 1
        if given > passed:
            memory.note_file(path, FileMemory(size, given))
            memory.rest()
    memory.note_file(path, FileMemory(size, given, is_whole=True))


def read_new(files: Iterator[File], form: str, place: Place, memory: Memory) -> Iterator[Item]:
    """Yield what is new in the files of a directory, and remember it; forget messages that are gone."""
    new = _NewFiles(memory)
    for file in files:
        yield from new.read(file, form, place._replace(name=file.path))
    new.forget_others()


class _NewFiles:
    """Reads what is new in the files of one directory."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self._named: dict[str, set[str]] = {}
        self._mh: dict[str, bool] = {}

    def read(self, file: File, form: str, place: Place) -> Iterator[Item]:
        """Yield what is new of one file."""
        if file.repositories:
            yield from _inbox(self._memory, file, form, place)
        elif file.is_mail:
            yield from self._message(file, form, place)
        else:
            yield from read_resumed(file.path, form, place, self._memory, is_walked=True)

    def _message(self, file: File, form: str, place: Place) -> Iterator[Item]:
        """Yield a message unless it was read before, in a Maildir perhaps under another name."""
        folder, name = os.path.split(file.path)
        if os.path.basename(folder) in PARTS:
            folder = os.path.dirname(folder)
            self._named.setdefault(folder, set()).add(name)
        elif self._is_mh(folder):
            name = _with_time(file.path, name)
            self._named.setdefault(folder, set()).add(name)
        if not self._memory.has(folder, name):
            yield from read_file(file, form, place)
            self._memory.note(folder, name)
            self._memory.rest()

    def _is_mh(self, folder: str) -> bool:
        """Return whether a folder belongs to MH, which reuses the numbers of deleted messages."""
        if folder not in self._mh:
            self._mh[folder] = os.path.exists(os.path.join(folder, ".mh_sequences"))
        return self._mh[folder]

    def forget_others(self) -> None:
        """Forget the names of messages that are gone."""
        for folder, names in self._named.items():
            self._memory.forget_others(folder, names)


def _with_time(path: str, name: str) -> str:
    """Return what identifies a message of MH: its number and its modification time."""
    try:
        return f"{name}@{os.stat(path).st_mtime_ns}"
    except OSError:
        return name


def _inbox(memory: Memory, file: File, form: str, place: Place) -> Iterator[Item]:
    """Yield the messages of an inbox after those that were read before."""
    count = memory.count(file.path)
    for item in islice(read_file(file, form, place), count, None):
        yield item
        count += 1
        memory.note_count(file.path, count)
        memory.rest()
