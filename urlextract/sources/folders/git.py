"""Public inboxes: mail kept in git, one message per blob; two processes of git read the objects.

An inbox of version 1 (public-inbox-v1-format(5)) is a bare repository with one file per message, named by
the hash of its Message-ID; the first two characters of the hash are its folder. One of version 2
(public-inbox-v2-format(5)) has several repositories, its epochs, with one commit per message; its tree holds
the file ``m``, or ``d`` if the message was deleted. All messages that were ever committed are read, in the
order of the commits. No trees are compared: a message is new if its blob was not read before.

The repository may come from a stranger. Its configuration, hooks, replacements, grafts and
alternates can make git run commands, use the network or read other files. So of its files we read only
HEAD and the branch that HEAD names, and only if they are regular files inside it. git never sees
the repository: it runs on an empty repository of ours, without the user's environment except PATH,
and learns only where the objects are, which must be regular files inside it, too.
"""

from __future__ import annotations

import os
import re
import resource
import select
import stat
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import suppress
from itertools import filterfalse, islice
from typing import TYPE_CHECKING

from urlextract.grammar.patterns import lazy_re
from urlextract.sources.compress import BOMB_FLOOR, BOMB_RATIO
from urlextract.sources.formats.messages import NOWHERE, Piece, pieces_of
from urlextract.sources.streams import BLOCK, Origin, Reader

if TYPE_CHECKING:
    import subprocess

# --- what is on disk ------------------------------------------------------------------------------

_EPOCH = lazy_re(r"([0-9]{1,9})\.git")
_COMMIT = r"(?:[0-9a-f]{40}|[0-9a-f]{64})"
# gitrepository-layout(5): HEAD names a branch, or is "detached" and holds a commit
_HEAD = lazy_re(rf"(?:ref:[ \t]*(refs/heads/[^\s\x00-\x20~^:?*\[\\]{{1,1000}})|({_COMMIT}))\s*")
_TIP = lazy_re(rf"({_COMMIT})\s*")
_FAN_OUT = lazy_re(r"[0-9a-f]{2}|pack|info|commit-graphs")  # where git looks for objects
_LONGEST_REF = 4096  # bytes of a line of a file of refs


def is_repository(path: str) -> bool:
    """Return whether a directory is a bare repository of git."""
    return all(os.path.exists(os.path.join(path, name)) for name in ("HEAD", "objects", "refs"))


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
    paths = tuple(filter(is_walked, (os.path.join(folder, name) for _, name in epochs)))
    return paths if any(map(is_repository, paths)) else ()  # one that is damaged is told when it is read


def tip_of(path: str) -> str | None:
    """Return the commit that HEAD of a repository refers to, None if nothing was committed yet.

    Raise `OSError` or `ValueError` if that cannot be read.
    """
    if os.path.lexists(os.path.join(path, "reftable")):
        raise ValueError("the refs of this git repository are in a reftable, which is not read")
    if not is_repository(path):
        raise ValueError(f"{os.path.basename(path)} is no git repository: HEAD, objects or refs is missing")
    head = _HEAD.fullmatch(next(_lines_of(path, "HEAD"), ""))
    if head is None or ".." in head[0]:
        raise ValueError("HEAD of this git repository names no branch")
    if head[2]:
        return head[2]
    loose = next(_lines_of(path, *head[1].split("/")), None)
    if loose is not None:
        tip = _TIP.fullmatch(loose)
        if tip is None:
            raise ValueError(f"the branch of this git repository holds no commit: {head[1][:80]}")
        return tip[1]
    for line in _lines_of(path, "packed-refs"):
        commit, _, name = line.rstrip().partition(" ")
        if name == head[1] and _TIP.fullmatch(commit):
            return commit
    return None


def _lines_of(path: str, *names: str) -> Iterator[str]:
    """Yield the lines of a file of a repository and an empty one, none if there is no such file.

    No link is followed.
    """
    for name in names:
        path = os.path.join(path, name)
        if os.path.islink(path):
            raise ValueError(f"the git repository has a link in it, which is not followed: {name[:80]}")
    try:
        number = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except (FileNotFoundError, NotADirectoryError):
        return
    with open(number, "rb") as stream:
        if not stat.S_ISREG(os.fstat(number).st_mode):
            raise ValueError(f"the git repository has what is no file in it: {'/'.join(names)[:80]}")
        while line := stream.readline(_LONGEST_REF):
            yield line.decode("utf-8", "replace")
        yield ""


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


# --- what git reads of it ---------------------------------------------------------------------------

_EMPTY = os.path.join(os.path.dirname(os.path.abspath(__file__)), "empty")
_TOGETHER = 50  # objects asked for at a time: their names fit into the smallest pipe, of 4 KiB
_LARGEST_TREE = 16 << 20  # bytes: a folder of version 1 with 250,000 mails
_LARGEST_HELD = 256 << 20  # bytes that git may allocate at once, and half the memory of one process
_PATIENCE = 300  # seconds that git may take for its next bytes
_SECONDS, _RATE = 30, 1 << 20  # processor time of all processes: seconds, and bytes for one second more
_MAILS, _TREES = "of the messages are missing in the repository", "of its commits or folders cannot be read"


def cut_inbox(paths: Iterable[str], origin: Origin) -> Iterator[Piece]:
    """Yield the messages of an inbox, kept in one repository or more; damage is reported to ``origin``."""
    seen = {b""}
    for path in paths:
        told: list[str] = []
        try:
            if commit := tip_of(path):  # new inboxes, and collections of others, have none
                with _Git(path, commit) as git:
                    yield from _Inbox(git, seen, told).messages(commit)
        except OSError as error:
            is_git = error.filename == "git"
            told.append(
                "a git repository cannot be read without git" if is_git else error.strerror or str(error)
            )
        except ValueError as error:
            told.append(str(error))
        if told:
            origin.damage("; ".join(told))


class _Git:
    """Runs git processes on the objects of one repository; all are killed when the context is left."""

    def __init__(self, path: str, commit: str) -> None:
        empty = os.path.join(_EMPTY, "sha1.git" if len(commit) == 40 else "sha256.git")
        if not os.path.isdir(empty):
            raise ValueError("a git repository cannot be read by a program that is not unpacked")
        self.size = bytes_of_objects(path)
        repository = os.path.abspath(path)
        shallow = os.path.join(repository, "shallow")  # ids of commits whose parents were not fetched
        self._environment = {
            "PATH": os.environ.get("PATH", os.defpath),
            "HOME": empty,
            "LC_ALL": "C",
            "GIT_DIR": empty,
            "GIT_OBJECT_DIRECTORY": os.path.join(repository, "objects"),
            "GIT_SHALLOW_FILE": shallow if os.path.isfile(shallow) and not os.path.islink(shallow) else "",
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_ATTR_NOSYSTEM": "1",
            "GIT_NO_LAZY_FETCH": "1",
            "GIT_ALLOW_PROTOCOL": "",
            "GIT_NO_REPLACE_OBJECTS": "1",
            "GIT_ALLOC_LIMIT": str(_LARGEST_HELD),
        }
        self._before = _seconds_of_children()
        self._running: list[subprocess.Popen[bytes]] = []

    def __enter__(self) -> _Git:
        return self

    def __exit__(self, *_: object) -> None:
        for process in [*self._running]:
            process.kill()
            self.end(process)

    def start(self, *words: str) -> tuple[subprocess.Popen[bytes], Reader]:
        """Start a process; return it and a reader of its output."""
        import subprocess  # an inbox alone needs it

        left = _SECONDS + self.size // _RATE - (_seconds_of_children() - self._before)
        if left <= 0:
            raise ValueError("git takes too long")
        process = subprocess.Popen(
            ("git", "--no-pager", *words),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=self._environment,
            cwd=self._environment["GIT_DIR"],
            bufsize=0,
        )
        self._running.append(process)
        if hasattr(resource, "prlimit"):  # on Linux only; hostile objects can take years, or all memory
            seconds, memory = int(left) + 1, 2 * _LARGEST_HELD
            with suppress(OSError):  # it has ended already
                resource.prlimit(process.pid, resource.RLIMIT_CPU, (seconds, seconds + 1))
                resource.prlimit(process.pid, resource.RLIMIT_DATA, (memory, memory))
        return process, Reader(_blocks_of(process))

    def end(self, process: subprocess.Popen[bytes]) -> int:
        """Close the pipes of a process, at which it ends; return its status."""
        self._running.remove(process)
        with process:
            pass
        return process.returncode


def _seconds_of_children() -> float:
    """Return the processor time, in seconds, of all child processes that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _blocks_of(process: subprocess.Popen[bytes]) -> Iterator[bytes]:
    """Yield the output of a process as it comes."""
    number = process.stdout.fileno()  # type: ignore[union-attr]  # it is a pipe
    poll = select.poll()
    poll.register(number, select.POLLIN)
    while poll.poll(1000 * _PATIENCE):
        if not (block := os.read(number, BLOCK)):
            return
        yield block
    raise ValueError("git does not answer")


class _Inbox:
    """The messages of one repository; ``seen`` holds what was read already, ``told`` what is wrong."""

    def __init__(self, git: _Git, seen: set[bytes], told: list[str]) -> None:
        self._git = git
        self._seen = seen
        self._told = told
        self._lost: Counter[str] = Counter()  # objects of each kind
        self._first: dict[str, str] = {}
        self._printed: Counter[str] = Counter()  # bytes of each kind
        self._bombs: set[str] = set()

    def messages(self, tip: str) -> Iterator[Piece]:
        """Yield the pieces of all messages, each blob once."""
        self._batch, self._reader = self._git.start("cat-file", "--batch")
        try:
            for mails in self._mails(tip):
                for content in self._objects(mails, _MAILS):
                    yield from pieces_of(NOWHERE, content)
        finally:
            self._told[:0] = (f"{self._lost[kind]} {kind}: {first}" for kind, first in self._first.items())

    def _mails(self, tip: str) -> Iterator[list[bytes]]:
        """Yield lists of the mails that were committed, each once, in the order of the commits."""
        size = len(tip) // 2
        levels = (  # the trees of commits, and the folders in them
            _entry(rb"40000 [0-9a-f]{2}\0%b|100[0-7]{3} [md]\0%b", size),
            _entry(rb"100[0-7]{3} [0-9a-f]{38,62}\0%b", size),
        )
        commits = self._commits(tip)
        while not self._bombs and (names := list(islice(commits, _TOGETHER))):
            for level in levels:
                folders: list[bytes] = []
                mails: list[bytes] = []
                for content in self._objects(names, _TREES):
                    entries = level.findall(_held(content))
                    for entry in filterfalse(self._seen.__contains__, entries):
                        is_mail = entry.startswith(b"1")
                        key = entry[-size:] if is_mail else entry
                        if key not in self._seen:
                            self._seen.add(key)
                            (mails if is_mail else folders).append(entry[-size:].hex().encode())
                yield mails
                names = folders

    def _commits(self, tip: str) -> Iterator[bytes]:
        """Yield the names of the trees of the commits up to ``tip``, oldest first.

        If git fails meanwhile, yield those of all commits as well.
        """
        walk, lines = self._git.start("rev-list", "--reverse", "--topo-order", tip, "--")
        for line in iter(lines.line, b""):
            yield line.rstrip() + b"^{tree}"
        if self._git.end(walk):
            self._told.append(
                f"the history of {tip} cannot be read: messages may be missing, and are in no order"
            )
            form = "--batch-check=%(objecttype) %(objectname)^{tree}"
            _, lines = self._git.start("cat-file", "--batch-all-objects", form)
            found = (line.rstrip().partition(b" ") for line in iter(lines.line, b""))
            yield from (name for kind, _, name in found if kind == b"commit")

    def _objects(self, names: Iterable[bytes], kind: str) -> Iterator[Iterator[bytes]]:
        """Yield the content of each object; count those that are not there, or not read to their end.

        git ends at a corrupt object, and is started again for those behind it. Its answers are those of
        git-cat-file(1), "batch output".
        """
        waiting, asked = iter(names), list[bytes]()
        while kind not in self._bombs and (asked := asked or list(islice(waiting, _TOGETHER))):
            with suppress(BrokenPipeError):
                self._batch.stdin.write(b"\n".join((*asked, b"")))  # type: ignore[union-attr]  # a pipe
            is_running = True
            while asked and is_running:
                is_running = yield from self._answer(asked.pop(0), kind)
            if not is_running:
                self._batch.kill()  # other processes may hold its pipes
                self._git.end(self._batch)
                self._batch, self._reader = self._git.start("cat-file", "--batch")

    def _answer(self, name: bytes, kind: str) -> Generator[Iterator[bytes], None, bool]:
        """Yield the content of the next object if it is there; return whether git goes on."""
        words = self._reader.line().split()
        if len(words) == 3 and words[2].isdigit():
            size = int(words[2])
            self._printed[kind] += size
            if self._printed[kind] > max(BOMB_FLOOR, BOMB_RATIO * self._git.size):
                self._bombs.add(kind)
                self._told.append(f"decompression bomb: over {BOMB_RATIO} times the size of the repository")
                return False
            end = self._reader.offset + size
            yield self._reader.pieces(size)
            if self._reader.offset == end and self._reader.take(1):
                return True
            words = []
        self._lost[kind] += 1
        self._first.setdefault(kind, name.decode().removesuffix("^{tree}"))
        return bool(words)


def _held(content: Iterator[bytes]) -> bytearray:
    """Return the content of a tree, or the beginning of a very large one."""
    data = bytearray()
    for piece in content:
        data += piece
        if len(data) > _LARGEST_TREE:
            break
    return data


def _entry(wanted: bytes, size: int) -> re.Pattern[bytes]:
    r"""Return a pattern for the next entry of a tree object, or the rest of what is none.

    An entry is "MODE NAME\0ID"; its group is empty if it is not ``wanted``. ``size`` is that of an id.
    """
    pattern = rb"(?s)(%b)|[0-7]+ [^\0]*\0%%b|.+" % wanted
    return re.compile(pattern.replace(b"%b", rb".{%d}" % size))
