"""How many processes read: as many as were asked for, or as the machine has where it pays."""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from urlextract.output.wanted import Wanted
    from urlextract.pipeline.options import Options

__all__ = ["LARGE", "are_files", "processes_for"]

LARGE = 16 * 1024 * 1024
"""Bytes of files: less than that one process reads in the time that others take to start."""

_FEWEST = 64  # open files: with fewer there may be none left to read with
_MOST = 8  # processes that are started unasked: the one that prints could not follow more


def are_files(sources: Sequence[str]) -> bool:
    """Say whether all that is named are files and directories; "-" is standard input."""
    return all(source != "-" and (os.path.isfile(source) or os.path.isdir(source)) for source in sources)


def processes_for(sources: Sequence[str], wanted: Wanted, options: Options) -> int:
    """Return how many processes read: unasked, more than one for much mail or text, if all is wanted."""
    if wanted.jobs is None:
        if wanted.max_count is not None or not _are_large(sources):
            return 1
    elif wanted.jobs == 1:
        return 1
    if not _can_be_shared(sources, wanted, options):
        return 1
    return wanted.jobs or min(_processors(), _MOST)


def _can_be_shared(sources: Sequence[str], wanted: Wanted, options: Options) -> bool:
    """Say whether several processes can read: files, whose results do not wait for each other."""
    waits = wanted.explain or wanted.quiet or (wanted.unique and wanted.as_json)
    can_start = hasattr(os, "fork") and _descriptors() >= _FEWEST
    return can_start and are_files(sources) and not waits and options.hyphen != "evidence"


def _are_large(sources: Sequence[str]) -> bool:
    """Say whether the files that are named hold much, or directories may."""
    size = 0
    for source in sources:
        try:
            status = os.stat(source)
        except (OSError, ValueError):  # it is gone, or a NUL in the name: that is told when it is read
            continue
        if stat.S_ISDIR(status.st_mode):
            return True
        size += status.st_size if stat.S_ISREG(status.st_mode) else 0
    return size >= LARGE


def _descriptors() -> int:
    """Give the number of files that this process may have open."""
    try:
        import resource  # noqa: PLC0415 - some systems have none
    except ImportError:
        return _FEWEST
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return soft if soft != resource.RLIM_INFINITY else _FEWEST


def _processors() -> int:
    """Give the number of processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
