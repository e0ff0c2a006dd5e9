"""Maildir: a directory with ``cur`` and ``new``, one message in each file.

Subfolders lie in the directory itself, under names such as ``.Lists.www``
(Maildir++) or plain ones. What lies in ``tmp`` is not delivered yet.
"""

from __future__ import annotations

import os

__all__ = ["PARTS", "is_maildir"]

PARTS = ("cur", "new")


def is_maildir(path: str) -> bool:
    """Tell whether a directory is a Maildir."""
    return all(os.path.isdir(os.path.join(path, part)) for part in PARTS)
