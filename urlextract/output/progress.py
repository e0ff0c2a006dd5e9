"""A progress bar on standard error, for work that takes over a second."""

from __future__ import annotations

import os
import sys
import time
from typing import TYPE_CHECKING, Any

from urlextract.records import Item, RawText

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

__all__ = ["size_of", "with_progress"]

_PATIENCE = 1.0  # seconds before the bar is shown
_STEP = 1 << 20  # bytes between two looks at the clock


def size_of(paths: Sequence[str]) -> int:
    """Give the bytes of the named files, 0 where it is not known of all."""
    try:
        return sum(map(os.path.getsize, paths)) if all(map(os.path.isfile, paths)) else 0
    except OSError:
        return 0


def with_progress(items: Iterable[Item], total: int) -> Iterator[Item]:
    """Pass the items on, and show how many of ``total`` bytes have gone by."""
    from click.termui import progressbar  # noqa: PLC0415 - shown on a terminal only

    bar: Any = progressbar(length=total, label="reading", file=sys.stderr)
    meter = _Meter(bar)
    for item in items:
        if isinstance(item, RawText):
            yield item._replace(chunks=meter.chunks(item.chunks))
        else:
            meter.add(len(item.data))
            yield item
    meter.finish()


class _Meter:
    """Counts bytes, and draws the bar once the work has taken its second."""

    def __init__(self, bar: Any) -> None:
        self._bar = bar
        self._started = time.monotonic()
        self._pending = 0
        self._shown = False

    def chunks(self, chunks: Iterable[bytes]) -> Iterator[bytes]:
        for chunk in chunks:
            self.add(len(chunk))
            yield chunk

    def add(self, size: int) -> None:
        self._pending += size
        if self._pending >= _STEP and time.monotonic() - self._started > _PATIENCE:
            self._shown = True
            self._bar.update(self._pending)
            self._pending = 0

    def finish(self) -> None:
        if self._shown:
            self._bar.update(self._pending)
            self._bar.render_finish()
