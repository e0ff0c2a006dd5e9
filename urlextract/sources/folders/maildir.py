"""Maildir: a directory with ``cur`` and ``new``, one message in each file.

Subfolders lie in the directory itself, under names such as ``.Lists.www``
(Maildir++) or plain ones. What lies in ``tmp`` is not delivered yet.
"""

from __future__ import annotations

import os

__all__ = ["PARTS", "found_again", "is_maildir"]

PARTS = ("cur", "new")


def is_maildir(path: str) -> bool:
    """Tell whether a directory is a Maildir."""
    return all(os.path.isdir(os.path.join(path, part)) for part in PARTS)


def found_again(path: str) -> str:
    """Give the path of a message that a mail reader may have moved or marked since it was listed.

    Its name up to the colon stays (maildir(5)); from ``new`` it goes to ``cur``.
    """
    folder, name = os.path.split(path)
    if os.path.basename(folder) not in PARTS or os.path.exists(path):
        return path
    current = os.path.join(os.path.dirname(folder), "cur")
    base = name.partition(":")[0]
    try:
        names = os.listdir(current)
    except OSError:
        return path
    return next((os.path.join(current, each) for each in names if each.partition(":")[0] == base), path)
