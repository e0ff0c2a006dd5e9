"""What a run remembers for the next one (``--state``): what is new in a file, a mailbox, a folder.

The state is one file of JSON. Of a file it keeps how far it was read, and what was before that place;
of a folder, which of its files were read.
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
    """Numbers in any order, kept as ranges.

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
        """Put a number in."""
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
    """The state cannot be written; what was read is not at fault."""

    def __init__(self, path: str, cause: str) -> None:
        super().__init__(f"{path}: {cause}")


def read_state(path: str) -> dict[str, Any]:
    """Read a state file; none is one of nothing. Raises `SourceError` for what is none."""
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
    """Replace a state file. Raises `StateError`."""
    text = json.dumps({"v": _VERSION, **state}, separators=(",", ":"))
    try:
        refuse_planted_link(path)
        replace_file(path, f"{text}\n".encode("ascii"))
    except OSError as error:
        raise StateError(path, f"the state cannot be written: {error.strerror or error}") from None


def count_in(value: object) -> int:
    """Return a number of bytes or messages; raises `ValueError` for what is none."""
    if not isinstance(value, int) or not 0 <= value < _MOST:
        raise ValueError(value)
    return value


def text_in(value: object) -> str:
    """Return a text; raises `ValueError` for what is none."""
    if not isinstance(value, str):
        raise ValueError(value)  # noqa: TRY004 - a file is at fault, no caller
    return value


_INTERVAL = 1.0  # seconds between two writings, at most
_MESSAGES = 1000  # and messages
_GONE = "gone"
_TAIL = 64 * 1024  # bytes before a place that tell whether it is still the same file


class FileMemory(NamedTuple):
    """How far a file was read.

    Of the first ``size`` bytes all ``items`` were given; where they can be read from
    the middle, the next stands at ``offset``, ``at`` "head" (the header of a message),
    "end" (what comes after all others) or "text" (with its character and line).
    ``tail`` is a hash of what is before that place, ``last`` the place of the last
    message, which may have been written in part only.
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
        """Up to where all was read."""
        return self.size if self.offset is None else self.offset


class Memory:
    """The state of all sources; ``flush`` writes out what was found, and gives the output's length."""

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
        """Return the length of an output file that the state speaks of, 0 for another one."""
        self._output = os.path.abspath(output)
        return self._outputs.get(self._output, 0)

    def file(self, path: str) -> FileMemory | None:
        """Return what is known of a file, if it still begins as it did."""
        known = self._files.get(os.path.abspath(path))
        if known is None:
            return None
        return known if tail_of(path, known.place) == known.tail else None

    def note_file(self, path: str, known: FileMemory) -> None:
        """Remember how far a file was read; its tail is looked at when this is written down."""
        self._files[os.path.abspath(path)] = known

    def _look_at_tails(self) -> None:
        for path, known in self._files.items():
            if not known.tail:
                self._files[path] = known._replace(tail=tail_of(path, known.place) or _GONE)

    def has(self, folder: str, name: str) -> bool:
        """Return whether a message of a folder was read: by its number, or its name up to the colon."""
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
        """Keep of the names in a folder only those that are still there."""
        folder = os.path.abspath(folder)
        if folder in self._names:
            self._names[folder] &= {name.partition(":")[0] for name in names}

    def count(self, path: str) -> int:
        """Return the number of messages that were read of an inbox."""
        return self._counts.get(os.path.abspath(path), 0)

    def note_count(self, path: str, count: int) -> None:
        """Remember that number."""
        self._counts[os.path.abspath(path)] = count

    def rest(self) -> None:
        """Write it down, if it is time to: all that was read is printed now."""
        self._messages += 1
        if self._can_rest and (self._messages >= _MESSAGES or time.monotonic() - self._saved >= _INTERVAL):
            self.save()

    def save(self) -> None:
        """Write it down; raises `StateError`, or what the output raises."""
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
    """Return a hash of the bytes right before ``place``, None where the file does not reach so far."""
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
    """Read what is known of a file; raises `ValueError` or `TypeError` for what is nothing of the kind."""
    known = FileMemory(**fields)
    for number in (known.size, known.items, known.start, known.line):
        count_in(number)
    for place in (known.offset, known.last):
        if place is not None:
            count_in(place)
    text_in(known.at + known.tail)
    return known


_SIZE = 256 * 1024  # bytes after which a stretch ends at a blank line
_LONGEST = 4 * 1024 * 1024  # bytes after which it ends at any line, or anywhere


class Stretch(NamedTuple):
    """Some of a text: its bytes, and their offset, character and line.

    ``next_place`` is the size of the text up to its end, and the offset, character
    and line from which to read on when more has come: a line that has no end yet is
    read again.
    """

    data: bytes
    offset: int
    start: int
    line: int
    next_place: tuple[int, int, int, int]


def stretches_of(
    blocks: Iterator[bytes], offset: int = 0, start: int = 0, line: int = 1
) -> Iterator[Stretch]:
    r"""Cut a text in UTF-8 whose first byte, character and line are those given.

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
    """Return where the last character of UTF-8 begins."""
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
    """Open a file; tell if that fails."""
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
    """Go back to the last message where what has come since is no other: it was not written to its end."""
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
    """Read a file from its start, and pass over what was given before.

    A single message or text that has grown is read anew: its end may be the new.
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
    """Yield what is new in the files of a directory, and remember it; forget what is gone."""
    new = _NewFiles(memory)
    for file in files:
        yield from new.read(file, form, place._replace(name=file.path))
    new.forget_others()


class _NewFiles:
    """Reads of the files of one directory what is new."""

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
        """Read a message that was not read before, under its name or, in a Maildir, under another."""
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
        """Return whether a folder is one of MH, which gives the numbers of deleted messages to others."""
        if folder not in self._mh:
            self._mh[folder] = os.path.exists(os.path.join(folder, ".mh_sequences"))
        return self._mh[folder]

    def forget_others(self) -> None:
        """Forget the names of messages that are gone."""
        for folder, names in self._named.items():
            self._memory.forget_others(folder, names)


def _with_time(path: str, name: str) -> str:
    """Return what identifies a message: its number and the time at which it was written."""
    try:
        return f"{name}@{os.stat(path).st_mtime_ns}"
    except OSError:
        return name


def _inbox(memory: Memory, file: File, form: str, place: Place) -> Iterator[Item]:
    """Read the messages that came after those of the last time."""
    count = memory.count(file.path)
    for item in islice(read_file(file, form, place), count, None):
        yield item
        count += 1
        memory.note_count(file.path, count)
        memory.rest()
