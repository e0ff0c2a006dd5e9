"""Bytes to standard output or a file, at once: what was found is not kept back."""

from __future__ import annotations

import os
import stat
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, BinaryIO

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["Writer", "is_written_to", "opened"]


class Writer:
    """Writes results, each with its end: a line end, or NUL."""

    def __init__(self, stream: BinaryIO, *, end: str) -> None:
        self._stream, self._end = stream, end
        self.is_terminal = stream.isatty()

    def write(self, results: list[str], *, is_safe: bool = False) -> None:
        """Write ``results``; those not ``is_safe`` are made so where a terminal would act on them."""
        if not results:
            return
        if self.is_terminal and not is_safe:
            from urlextract.output.terminal import harmless  # noqa: PLC0415 - pipes need none of it

            results = [harmless(result) for result in results]
        results.append("")
        self._stream.write(self._end.join(results).encode("utf-8", "surrogateescape"))
        self._stream.flush()


@contextmanager
def opened(path: str | None, *, end: str) -> Iterator[Writer]:
    """Open the file ``path``, or standard output, to be written to."""
    if path is not None and path != "-":
        with open(path, "wb") as stream:
            yield Writer(stream, end=end)
    elif sys.stdout is None:
        raise OSError("standard output is closed")
    else:
        yield Writer(sys.stdout.buffer, end=end)


def is_written_to(path: str, output: str | None) -> bool:
    """Say whether the file ``path`` is what is written to: reading it would destroy it, or never end."""
    try:
        source = os.stat(path)
        target = os.stat(output) if output is not None else os.fstat(1)
    except OSError:
        return False
    return stat.S_ISREG(source.st_mode) and os.path.samestat(source, target)
