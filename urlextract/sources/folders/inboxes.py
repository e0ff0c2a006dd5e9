"""Public inboxes as they lie on disk (public-inbox-v1-format(5), public-inbox-v2-format(5)).

One of version 1 is a bare repository of git, one of version 2 has several, its epochs.
"""

from __future__ import annotations

import os

from urlextract.grammar.patterns import later

__all__ = ["is_repository", "repositories_in"]

_EPOCH = later(r"([0-9]{1,9})\.git")


def is_repository(path: str) -> bool:
    """Tell whether a directory is a bare repository of git."""
    names = ("HEAD", "objects", "refs")
    return all(os.path.exists(os.path.join(path, name)) for name in names)


def repositories_in(path: str) -> tuple[str, ...]:
    """Give the epochs of a public inbox of version 2, in order; none for any other directory."""
    folder = os.path.join(path, "git")
    try:
        names = os.listdir(folder)
    except OSError:
        return ()
    epochs = sorted((int(epoch[1]), name) for name in names if (epoch := _EPOCH.fullmatch(name)))
    paths = (os.path.join(folder, name) for _, name in epochs)
    return tuple(path for path in paths if is_repository(path))
