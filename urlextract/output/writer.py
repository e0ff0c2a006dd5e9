"""Options for what a command prints, and the writer to standard output or a file."""

from __future__ import annotations

import os
import stat
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, BinaryIO, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from urlextract.output.terminal import Style, When
    from urlextract.output.unique import UniqueBy
    from urlextract.records import Origin

__all__ = [
    "OutputOptions",
    "Writer",
    "is_written_to",
    "opened",
    "write_whole",
]


class OutputOptions(NamedTuple):
    """The options of the command about what is read and printed, and how.

    If ``jobs`` is None, the number of processes is chosen by the size of the input. ``top`` is the
    number of URLs that are printed with their counts: 0 for all of them, None for no counts.
    ``style`` is made of ``color`` and ``hyperlink`` when it is known where the output goes: None for
    plain text. ``context`` is the number of lines that are printed around each result, None for no lines.
    """

    as_json: bool = False
    unique: bool = False
    unique_by: UniqueBy = "url"
    top: int | None = None
    sort: bool = False
    context: int | None = None
    csv: bool = False
    color: When = "auto"
    hyperlink: When = "never"
    style: Style | None = None
    counts: bool = False
    quiet: bool = False
    null: bool = False
    with_filename: bool = False
    message_id: bool = False
    line_number: bool = False
    max_count: int | None = None
    output: str | None = None
    kind: str = "auto"
    raw: bool = False
    defang: bool = False
    explain: bool = False
    parse: bool = False
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    follow: bool = False
    files_from: str | None = None
    from0: bool = False
    jobs: int | None = None
    state: str | None = None

    @property
    def is_ordered(self) -> bool:
        """Whether results are printed in another order than that of the input, after all of it."""
        return self.sort or self.top is not None

    @property
    def limit(self) -> int | None:
        """The greatest number of results that are printed, None for any number."""
        return min((limit for limit in (self.top or None, self.max_count) if limit is not None), default=None)

    @property
    def merges(self) -> bool:
        """Whether one record is printed for all places of a URL, after all input."""
        return self.unique and self.as_json

    @property
    def is_lines(self) -> bool:
        """Whether one line is printed for each result."""
        return not (self.explain or self.merges or self.context is not None)

    @property
    def waits(self) -> bool:
        """Whether results are printed only after all input was read."""
        return self.is_ordered or self.merges or self.context is not None

    @property
    def needs_records(self) -> bool:
        """Whether more than URLs is printed, or not as they are."""
        named = self.with_filename or self.message_id or self.line_number
        as_lines = self.raw or self.defang or self.explain or named or self.context is not None
        return bool(self.as_json or self.csv or as_lines or self.style) and not self.counts

    def names(self, origin: Origin, line: int) -> list[str | int]:
        """Return what is printed before a result: the name of the source, the Message-ID, the line number."""
        return [
            *([origin.source or "-"] if self.with_filename else []),
            *([origin.message_id or "-"] if self.message_id else []),
            *([line] if self.line_number else []),
        ]

    def rest(self, written: int) -> int | None:
        """Return how many results may still be printed, or None for any number."""
        return None if self.max_count is None else self.max_count - written

    def count_line(self, source: str, count: int, *, is_alone: bool) -> str:
        """Return the line for the number of URLs in a source, with its name if it is not alone."""
        return str(count) if is_alone and not self.with_filename else f"{source}:{count}"


_BUFFER = 1 << 16  # bytes, as much as a pipe holds


class Writer:
    """Writes results, each followed by ``end``: a line end, or NUL.

    If it ``is_prompt``, the output is flushed after each result, else when its buffer is full.
    """

    def __init__(self, stream: BinaryIO, *, end: str, is_prompt: bool, is_standard: bool = False) -> None:
        self._stream, self._end, self._is_prompt = stream, end, is_prompt
        self._is_standard = is_standard
        self.is_terminal = stream.isatty()
        self.is_at_start = is_standard or not stream.seekable() or stream.tell() == 0

    def flush(self) -> int | None:
        """Flush the output; return the length of the file, or None for standard output and special files."""
        self._stream.flush()
        if self._is_standard or not stat.S_ISREG(os.fstat(self._stream.fileno()).st_mode):
            return None
        os.fsync(self._stream.fileno())
        return self._stream.tell()

    def write(self, result: str, *, is_safe: bool = False) -> None:
        """Write a result; on a terminal, its control characters are escaped unless it ``is_safe``."""
        if self.is_terminal and not is_safe:
            from urlextract.output.escaping import harmless  # noqa: PLC0415 - pipes need none of it

            result = harmless(result)
        self._stream.write(f"{result}{self._end}".encode("utf-8", "surrogateescape"))
        if self._is_prompt:
            self._stream.flush()


@contextmanager
def opened(path: str | None, *, end: str, is_prompt: bool, length: int | None = None) -> Iterator[Writer]:
    """Open the file ``path``, or standard output, for writing, and yield a `Writer`.

    If ``length`` is given, the first ``length`` bytes of an existing file stay.
    """
    if path is not None and path != "-":
        try:
            from urlextract.replacing import refuse_planted_link  # noqa: PLC0415 - standard output needs none

            refuse_planted_link(path)
            with open(path, "wb" if length is None or not os.path.exists(path) else "r+b") as stream:
                if length is not None:
                    stream.truncate(min(length, os.path.getsize(path)))
                    stream.seek(0, os.SEEK_END)
                yield Writer(stream, end=end, is_prompt=is_prompt)
        except OSError as error:
            error.filename = error.filename or path
            raise
    elif sys.stdout is None:
        raise OSError("standard output is closed")
    else:
        output = _standard_output()
        yield Writer(output, end=end, is_prompt=is_prompt or sys.stdout.isatty(), is_standard=True)
        output.flush()


def write_whole(path: str | None, text: str) -> None:
    """Write ``text`` to the file ``path`` atomically (see `replace_file`), or to standard output.

    A device or a pipe is written to as it is. Raise `OSError` if this fails; then a file is unchanged.
    """
    is_file = path is not None and path != "-" and (os.path.isfile(path) or not os.path.exists(path))
    if path is None or not is_file:
        with opened(path, end="", is_prompt=False) as writer:
            writer.write(text)
        return
    from urlextract.replacing import refuse_planted_link, replace_file  # noqa: PLC0415 - as in `opened`

    try:
        refuse_planted_link(path)
        replace_file(path, text.encode("utf-8", "surrogateescape"))
    except OSError as error:
        error.filename = path
        raise


def _standard_output() -> BinaryIO:
    """Return standard output with a larger buffer, since each write wakes the reader of a pipe."""
    try:
        number = sys.stdout.fileno()
    except (OSError, ValueError, AttributeError):  # the caller replaced it by something that is no file
        return sys.stdout.buffer
    sys.stdout.flush()
    return open(number, "wb", buffering=_BUFFER, closefd=False)


def is_written_to(path: str, output: str | None) -> bool:
    """Return whether the file ``path`` is the output file: to read it would destroy it, or never end.

    The ``path`` "-" is standard input, and the ``output`` None is standard output.
    """
    try:
        source = os.fstat(0) if path == "-" else os.stat(path)
        target = os.stat(output) if output is not None else os.fstat(1)
    except (OSError, ValueError):  # ValueError: a NUL in the name
        return False
    return stat.S_ISREG(source.st_mode) and os.path.samestat(source, target)
