"""A progress bar on the terminal, which counts the bytes that are read."""

from __future__ import annotations

import os
import sys
import time
from typing import TYPE_CHECKING, Any

from urlextract.records import Item, RawText

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

__all__ = ["Progress", "progress_of", "with_progress"]

_PATIENCE = 1.0  # seconds before the bar is shown
_STEP = 1 << 20  # bytes after which the bar may be updated


def progress_of(paths: Sequence[str], *, walks: bool = False) -> Progress | None:
    """Return a progress bar for the named files, or None if their total size is unknown or 0.

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
    """Counts bytes, and draws the bar once `_PATIENCE` seconds have passed."""

    def __init__(self, total: int) -> None:
        from click.termui import progressbar  # noqa: PLC0415 - shown on a terminal only

        self._bar: Any = progressbar(length=total, label="reading", file=sys.stderr)
        self._started = time.monotonic()
        self._pending = 0
        self._shown = False

    def chunks(self, chunks: Iterable[bytes]) -> Iterator[bytes]:
        """Yield the chunks, and count their bytes."""
        for chunk in chunks:
            self.add(len(chunk))
            yield chunk

    def add(self, size: int, found: str = "") -> None:
        """Count ``size`` bytes more; ``found`` says what was found so far."""
        if found:
            self._bar.label = f"reading, {found}"
        self._pending += size
        if self._pending >= _STEP and time.monotonic() - self._started > _PATIENCE:
            self._shown = True
            self._bar.update(self._pending)
            self._pending = 0

    def finish(self) -> None:
        """Draw the bar for the last time, if it was drawn before."""
        if self._shown:
            self._bar.update(self._pending)
            self._bar.render_finish()
