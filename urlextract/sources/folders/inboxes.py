"""Public inboxes on disk (public-inbox-v1-format(5), public-inbox-v2-format(5)).

An inbox of version 1 is a bare git repository; one of version 2 has several, its epochs.
A repository may come from a stranger: of its files only HEAD, the branch that HEAD names and
the objects are read, and only if they are regular files inside it.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator

from urlextract.grammar.patterns import lazy_re

_EPOCH = lazy_re(r"([0-9]{1,9})\.git")
_COMMIT = r"(?:[0-9a-f]{40}|[0-9a-f]{64})"
# gitrepository-layout(5): HEAD names a branch, or is "detached" and holds a commit
_HEAD = lazy_re(rf"(?:ref:[ \t]*(refs/heads/[^\s\x00-\x20~^:?*\[\\]{{1,1000}})|({_COMMIT}))\s*")
_TIP = lazy_re(rf"({_COMMIT})\s*")
_FAN_OUT = lazy_re(r"[0-9a-f]{2}|pack|info|commit-graphs")  # where git looks for objects
_LONGEST = 4096  # bytes of a line of a file of refs


def is_repository(path: str) -> bool:
    """Return whether a directory is a bare repository of git."""
    names = ("HEAD", "objects", "refs")
    return all(os.path.exists(os.path.join(path, name)) for name in names)


def repositories_in(path: str, is_walked: Callable[[str], bool]) -> tuple[str, ...]:
    """Return the epochs of a public inbox of version 2, in order; none for any other directory.

    ``is_walked`` says of a path whether it is a directory, or a link to one that is followed.
    """
    folder = os.path.join(path, "git")
    try:
        names = os.listdir(folder)
    except OSError:
        return ()
    epochs = sorted((int(epoch[1]), name) for name in names if (epoch := _EPOCH.fullmatch(name)))
    if not epochs or not is_walked(folder):
        return ()
    paths = (os.path.join(folder, name) for _, name in epochs)
    return tuple(path for path in paths if is_repository(path) and is_walked(path))


def tip_of(path: str) -> str | None:
    """Return the commit that HEAD of a repository refers to, None if nothing was committed yet.

    Raise `OSError` or `ValueError` if that cannot be read.
    """
    if os.path.lexists(os.path.join(path, "reftable")):
        raise ValueError("the refs of this git repository are in a reftable, which is not read")
    head = _HEAD.fullmatch(next(_lines_of(path, "HEAD"), ""))
    if head is None:
        raise ValueError("HEAD of this git repository names no branch")
    if head[2]:
        return head[2]
    branch = head[1]
    if ".." in branch:
        raise ValueError("HEAD of this git repository names no branch")
    loose = _TIP.fullmatch(next(_lines_of(path, *branch.split("/")), ""))
    if loose:
        return loose[1]
    for line in _lines_of(path, "packed-refs"):
        commit, _, name = line.rstrip().partition(" ")
        if name == branch and _TIP.fullmatch(commit):
            return commit
    return None


def _lines_of(path: str, *names: str) -> Iterator[str]:
    """Yield the lines of a file of a repository, none if there is no such file; no link is followed."""
    for name in names[:-1]:
        path = os.path.join(path, name)
        if os.path.islink(path):
            raise ValueError(f"the git repository has a link in it, which is not followed: {name[:80]}")
    path = os.path.join(path, names[-1])
    try:
        number = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except (FileNotFoundError, NotADirectoryError):
        return
    if not stat.S_ISREG(os.fstat(number).st_mode):
        os.close(number)
        raise ValueError(f"the git repository has what is no file in it: {'/'.join(names)[:80]}")
    with open(number, "rb") as stream:
        while line := stream.readline(_LONGEST):
            yield line.decode("utf-8", "replace")


def bytes_of_objects(path: str) -> int:
    """Return how many bytes the objects of a repository take.

    Raise `OSError`, or `ValueError` if git would open what is no file of the repository:
    a link, a pipe or a device among its objects, or the objects of another one.
    """
    size = 0
    pending = [os.path.join(path, "objects")]
    if os.path.islink(pending[0]):
        raise ValueError("the git repository has a link in it, which is not followed: objects")
    while pending:
        with os.scandir(pending.pop()) as entries:
            for entry in entries:
                below = os.path.relpath(entry.path, path)
                if below in ("objects/info/alternates", "objects/info/http-alternates"):
                    raise ValueError(f"the git repository borrows objects from another one: {below}")
                if entry.is_file(follow_symlinks=False):
                    size += entry.stat(follow_symlinks=False).st_size
                elif not entry.is_dir(follow_symlinks=False):
                    raise ValueError(f"the git repository has what is no file in it: {below}")
                elif _FAN_OUT.fullmatch(entry.name):
                    pending.append(entry.path)
    return size
