"""How many processes read: as many as were asked for, or as the machine has where it pays."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from urlextract.output.wanted import Wanted
    from urlextract.pipeline.options import Options

__all__ = ["processes_for"]

_LARGE = 16 * 1024 * 1024  # bytes of files: what one process reads in less time than others take to start
_MOST = 8  # processes that are started unasked: the one that prints could not follow more


def processes_for(sources: Sequence[str], wanted: Wanted, options: Options, *, is_lean: bool) -> int:
    """Give the number of processes that read the sources.

    Unasked, more than one read large files, where nothing but URLs is wanted of them, and all.
    """
    if wanted.jobs is None:
        if not is_lean or wanted.max_count is not None or _size_of(sources) < _LARGE:
            return 1
    elif wanted.jobs == 1:
        return 1
    if not _can_be_shared(sources, wanted, options):
        return 1
    return wanted.jobs or min(_processors(), _MOST)


def _can_be_shared(sources: Sequence[str], wanted: Wanted, options: Options) -> bool:
    """Say whether several processes can read: files, whose results do not wait for each other."""
    waits = wanted.explain or wanted.quiet or (wanted.unique and wanted.as_json)
    is_file = all(os.path.isfile(source) or os.path.isdir(source) for source in sources)
    return hasattr(os, "fork") and is_file and not waits and options.hyphen != "evidence"


def _size_of(sources: Sequence[str]) -> int:
    """Give the bytes of all the files that are named; what cannot be asked has none."""
    size = 0
    for source in sources:
        try:
            size += os.path.getsize(source) if os.path.isfile(source) else 0
        except (OSError, ValueError):  # it is gone since, or a NUL in the name
            continue
    return size


def _processors() -> int:
    """Give the number of processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
