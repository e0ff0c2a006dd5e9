"""The progress of a run, by the bytes that are read, in the status line of the terminal."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Iterator, Sequence

from urlextract.output import status
from urlextract.records import Item, RawText

_PATIENCE = 1.0  # seconds before anything is shown
_STEP = 1 << 20  # bytes after which it may be updated


def progress_of(paths: Sequence[str], *, walks: bool = False) -> Progress | None:
    """Return the progress of reading the named files, or None if their total size is unknown or 0.

    That of directories is known only if it ``walks`` them.
    """
    if "-" in paths or not all(os.path.isfile(path) or (walks and os.path.isdir(path)) for path in paths):
        return None
    try:
        total = sum(map(os.path.getsize, _files_in(paths)))
    except OSError:
        return None
    return Progress(total) if total else None


def _files_in(paths: Iterable[str]) -> Iterator[str]:
    """Yield the files among ``paths``, and those in the directories."""
    for path in paths:
        if os.path.isfile(path):
            yield path
        for folder, _, names in os.walk(path):
            yield from filter(os.path.isfile, (os.path.join(folder, name) for name in names))


def with_progress(items: Iterable[Item], progress: Progress) -> Iterator[Item]:
    """Yield the items, and show how many bytes have been read."""
    for item in items:
        if isinstance(item, RawText):
            yield item._replace(chunks=progress.chunks(item.chunks))
        else:
            progress.add(len(item.data))
            yield item
    progress.finish()


class Progress:
    """Counts bytes, and shows how many of ``total`` were read once `_PATIENCE` seconds have passed."""

    def __init__(self, total: int) -> None:
        self._total = total
        self._started = time.monotonic()
        self._read = self._shown = 0

    def chunks(self, chunks: Iterable[bytes]) -> Iterator[bytes]:
        """Yield the chunks, and count their bytes."""
        for chunk in chunks:
            self.add(len(chunk))
            yield chunk

    def add(self, size: int, found: str = "") -> None:
        """Count ``size`` bytes more; ``found`` says what was found so far."""
        self._read += size
        seconds = time.monotonic() - self._started
        if self._read - self._shown >= _STEP and seconds > _PATIENCE:
            self._shown = self._read
            status.draw(", ".join(filter(None, (self._words(seconds), found))))

    def finish(self) -> None:
        """Show nothing any more."""
        status.clear()

    def _words(self, seconds: float) -> str:
        """Return the share that was read in so many seconds, and the time that is left."""
        read = min(self._read, self._total)  # what is unpacked may be more
        left = round(seconds * (self._total - read) / read)
        hours, minutes = divmod(left // 60, 60)
        clock = f"{hours}:{minutes:02}:{left % 60:02}" if hours else f"{minutes}:{left % 60:02}"
        return f"reading: {read * 100 // self._total}%, {clock} left"
