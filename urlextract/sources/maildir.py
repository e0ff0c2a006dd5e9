"""Names of messages in Maildirs, which mail readers change: maildir(5)."""

from __future__ import annotations

import os
from functools import lru_cache

PARTS = ("cur", "new")
"""The directories of a Maildir that hold messages."""


def unique_name(name: str) -> str:
    """Return the part of a message's name that does not change when it is marked.

    >>> unique_name("1700.M1P2.host:2,S")
    '1700.M1P2.host'
    """
    return name.partition(":")[0]


def located(path: str) -> tuple[str, os.stat_result]:
    """Return the path of a file, and its status; raise `OSError` or `ValueError`.

    A message that a mail reader has marked, or moved from ``new``, is found where it is now.
    """
    try:
        return path, os.stat(path)
    except FileNotFoundError:
        path = _found_again(path)
        return path, os.stat(path)


def _found_again(path: str) -> str:
    """Return the current path of a message, the path itself if there is none."""
    folder, name = os.path.split(path)
    current = os.path.join(os.path.dirname(folder), "cur")
    if os.path.basename(folder) not in PARTS or not os.path.isdir(current):
        return path
    names = _names_in(current, os.stat(current).st_mtime_ns)
    return os.path.join(current, names.get(unique_name(name), name))


@lru_cache(maxsize=1)
def _names_in(folder: str, changed: int) -> dict[str, str]:
    """Return the names in a directory, by what does not change of them; ``changed`` is its time of change."""
    return {unique_name(name): name for name in os.listdir(folder)}
