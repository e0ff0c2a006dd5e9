"""Public inboxes: mail kept in git, one message per blob; git reads the objects.

An inbox of version 1 (public-inbox-v1-format(5)) is a bare repository with one file per message, named by
the hash of its Message-ID; the first two characters of the hash are its folder. One of version 2
(public-inbox-v2-format(5)) has several repositories, its epochs, with one commit per message; its tree holds
the file ``m``, or ``d`` if the message was deleted. All messages that were ever committed are read, in the
order of the commits.

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
import subprocess
import time
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import suppress
from itertools import islice
from typing import TypeVar

from urlextract.grammar.patterns import lazy_re
from urlextract.sources.compress import BOMB_FLOOR, BOMB_RATIO
from urlextract.sources.formats.messages import NOWHERE, Piece, pieces_of
from urlextract.sources.streams import BLOCK, Place, Reader

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
        while line := stream.readline(_LONGEST_REF):
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


# --- what git reads of it ---------------------------------------------------------------------------

_T = TypeVar("_T")

# git-diff-tree(1), "raw output format", with -z: a mail of version 2, or a folder of version 1
_CHANGED = lazy_re(rb":([0-7]+) (100[0-7]+|040000) ([0-9a-f]+) ([0-9a-f]+) [AMT]\0(?:[md]|[0-9a-f]{2})\0")
_OF_COMMITS = ("--root", "-m", "--no-commit-id")
_FOLDER = b"040000"
_MAIL = lazy_re(rb":[0-7]+ 100[0-7]+ [0-9a-f]+ ([0-9a-f]+) [AMT]\0[0-9a-f]{38,62}\0")
_EMPTY_TREES = {
    40: b"4b825dc642cb6eb9a060e54bf8d69288fbee4904",
    64: b"6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321",
}
_EMPTY = os.path.join(os.path.dirname(os.path.abspath(__file__)), "empty")
_TOGETHER = 400  # objects asked for at a time: their names fit into a pipe
_LONGEST_ENTRY = 256  # bytes
_LONGEST_COMPLAINT = 4096  # bytes of git's error messages that are kept
_LARGEST_HELD = 256 << 20  # bytes that git may allocate at once, and half the memory of one process
_PATIENCE = 300  # seconds that git may take for its next bytes
_SECONDS, _RATE = 30, 1 << 20  # processor time of all processes: seconds, and bytes for one second more


def cut_inbox(paths: Iterable[str], place: Place) -> Iterator[Piece]:
    """Yield the messages of an inbox, kept in one repository or more; damage is reported to ``place``."""
    seen: set[bytes] = set()
    for path in paths:
        complaint = ""
        try:
            commit = tip_of(path)
            if commit is None:  # new inboxes, and collections of others, have no commit
                continue
            with _Git(path, commit) as git:
                inbox = _Inbox(git, seen)
                yield from inbox.messages(commit)
                complaint = "; ".join(filter(None, (git.complaint(), inbox.complaint())))
        except OSError as error:
            is_git = error.filename == "git"
            complaint = (
                "a git repository cannot be read without git" if is_git else error.strerror or str(error)
            )
        except ValueError as error:
            complaint = str(error)
        if complaint:
            place.damage(complaint)


class _Git:
    """Runs git processes on the objects of one repository."""

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
            "GIT_OPTIONAL_LOCKS": "0",
            "GIT_TERMINAL_PROMPT": "0",
            "GIT_PAGER": "cat",
            "GIT_ALLOC_LIMIT": str(_LARGEST_HELD),
        }
        self._running: list[subprocess.Popen[bytes]] = []
        self._status = 0  # of the first process that failed
        self._before = _seconds_of_children()
        self._complaints = b""
        self._printed: Counter[object] = Counter()  # bytes, by the command that printed them
        self._errors, self._told = os.pipe()  # one for all: read while waiting for any process
        os.set_blocking(self._errors, False)

    def __enter__(self) -> _Git:
        return self

    def __exit__(self, *_: object) -> None:
        for process in [*self._running]:
            process.kill()
            self.end(process)
        os.close(self._errors)
        os.close(self._told)

    def start(self, *words: str) -> subprocess.Popen[bytes]:
        """Start a process; it is killed, at the latest, when the context is left."""
        left = _SECONDS + self.size // _RATE - (_seconds_of_children() - self._before)
        if left <= 0:
            raise ValueError("git takes too long")
        process = subprocess.Popen(
            ("git", "--no-pager", "--no-replace-objects", *words),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._told,
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
        return process

    def end(self, process: subprocess.Popen[bytes]) -> int:
        """Wait for the end of a process, and return its status."""
        for stream in (process.stdin, process.stdout):
            with suppress(OSError):
                stream.close()  # type: ignore[union-attr]  # both are pipes
        try:
            status = process.wait(_PATIENCE)
        except subprocess.TimeoutExpired:
            raise ValueError("git does not end") from None
        self._running.remove(process)
        self._status = self._status or status
        return status

    def ask(self, process: subprocess.Popen[bytes], lines: Iterable[bytes]) -> None:
        """Write some lines to a process, which may have ended."""
        with suppress(BrokenPipeError):
            process.stdin.write(b"".join(lines))  # type: ignore[union-attr]

    def blocks(self, process: subprocess.Popen[bytes]) -> Iterator[bytes]:
        """Yield the output of a process as it comes, and collect the error messages of all processes."""
        number = process.stdout.fileno()  # type: ignore[union-attr]
        poll = select.poll()
        poll.register(number, select.POLLIN)
        poll.register(self._errors, select.POLLIN)
        deadline = time.monotonic() + _PATIENCE
        while True:
            ready = {each for each, _ in poll.poll(1000 * _PATIENCE)}
            if self._errors in ready:
                self._listen()
            if number in ready:
                block = os.read(number, BLOCK)
                if not block:
                    return
                self.expect(process, len(block))
                self._printed[process.args] += len(block)
                yield block
                deadline = time.monotonic() + _PATIENCE
            elif time.monotonic() > deadline:
                raise ValueError("git does not answer")

    def expect(self, process: subprocess.Popen[bytes], size: int) -> None:
        """Raise `ValueError` if a command prints, with the next ``size`` bytes, more than an inbox has.

        All output counts, also names that are not read further: a few objects can have millions. A commit
        of an inbox has some 300 bytes of names, about as much as its objects take: 100,000 of them have
        30 MB. Each command has the limit for itself, so that what was found before is still read.
        """
        if self._printed[process.args] + size > max(BOMB_FLOOR, BOMB_RATIO * self.size):
            raise ValueError(f"decompression bomb: over {BOMB_RATIO} times the size of the repository")

    def _listen(self) -> None:
        """Read the error messages of the processes, and keep their beginning."""
        with suppress(BlockingIOError):
            heard = os.read(self._errors, BLOCK)
            self._complaints += heard[: _LONGEST_COMPLAINT - len(self._complaints)]

    def complaint(self) -> str:
        """End all processes; return the first line of their error messages, "" if they ended well."""
        for process in [*self._running]:
            self.end(process)
        self._listen()
        words = self._complaints.decode("utf-8", "replace").strip().partition("\n")[0]
        return words or (f"git ended with status {self._status}" if self._status else "")


def _seconds_of_children() -> float:
    """Return the processor time, in seconds, of all child processes that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


class _Inbox:
    """The messages of one repository; ``seen`` holds the blobs that were read already."""

    def __init__(self, git: _Git, seen: set[bytes]) -> None:
        self._git = git
        self._seen = seen
        self._missing = 0
        self._unread: set[bytes] = set()  # commits, and pairs of folders

    def messages(self, commit: str) -> Iterator[Piece]:
        """Yield the pieces of all messages, each blob once; before a fault, of all that were found."""
        self._start_batch()  # first: it is there if time runs out for the others
        for names in _groups(self._blobs(commit)):
            while names:
                answered = yield from self._answers(names)
                if answered < len(names):  # git ends at a corrupt object: start it again
                    self._missing += 1
                    self._git.end(self._batch)
                    self._start_batch()
                del names[: answered + 1]

    def complaint(self) -> str:
        """Return what is wrong with the messages, "" if nothing is."""
        return "; ".join(filter(None, (
            f"{self._missing} of the messages are missing in the repository" if self._missing else "",
            f"{len(self._unread)} of its commits or folders cannot be read" if self._unread else "",
        )))  # fmt: skip

    def _start_batch(self) -> None:
        self._batch = self._git.start("cat-file", "--batch")
        self._reader = Reader(self._git.blocks(self._batch))

    def _answers(self, names: list[bytes]) -> Generator[Piece, None, int]:
        """Yield the pieces of messages; return how many of ``names`` were answered before git ended.

        See git-cat-file(1), "batch output".
        """
        self._git.ask(self._batch, (name + b"\n" for name in names))
        for number in range(len(names)):
            words = self._reader.line().split()
            if len(words) == 3 and words[2].isdigit():
                size = int(words[2])
                self._git.expect(self._batch, size)
                end = self._reader.offset + size
                yield from pieces_of(NOWHERE, self._reader.pieces(size))
                if self._reader.offset < end or not self._reader.take(1):
                    return number
            elif words:
                self._missing += 1
            else:
                return number
        return len(names)

    def _blobs(self, tip: str) -> Iterator[bytes]:
        """Yield the names of the blobs that were added, each once, in the order of the commits."""
        commits = self._commits_to(tip)
        while lines := list(islice(commits, _TOGETHER)):
            for blob in self._added_by(lines):
                key = bytes.fromhex(blob.decode())
                if key not in self._seen:
                    self._seen.add(key)
                    yield blob

    def _added_by(self, commits: list[bytes]) -> Iterator[bytes]:
        for group in _groups(self._compared(commits, _CHANGED, *_OF_COMMITS)):
            yield from (change[4] for change in group if change[2] != _FOLDER)
            # each folder is compared with its former tree, or with an empty one
            pairs = [
                b"%s %s\n" % (change[3] if change[1] == _FOLDER else _EMPTY_TREES[len(change[4])], change[4])
                for change in group
                if change[2] == _FOLDER
            ]
            if pairs:
                yield from (mail[1] for mail in self._compared(pairs, _MAIL))

    def _compared(
        self, lines: list[bytes], pattern: re.Pattern[bytes], *words: str
    ) -> Iterator[re.Match[bytes]]:
        """Yield what ``pattern`` matches in the answers to some lines, each a commit or two trees.

        git ends at a corrupt object. Then each half of the lines is asked again, down to the line that has
        it, and earlier matches are repeated.
        """
        # not recursive: trees may be nested without end
        process = self._git.start("diff-tree", "--stdin", "-z", "--raw", "--no-renames", *words)
        self._git.ask(process, lines)
        process.stdin.close()  # type: ignore[union-attr]  # it is a pipe
        pending = b""
        for block in self._git.blocks(process):
            pending += block
            end = 0
            for match in pattern.finditer(pending):
                end = match.end()
                yield match
            pending = pending[max(end, len(pending) - _LONGEST_ENTRY) :]
        if not self._git.end(process):
            return
        if len(lines) == 1:
            self._unread.update(lines)
            return
        middle = len(lines) // 2
        yield from self._compared(lines[:middle], pattern, *words)
        yield from self._compared(lines[middle:], pattern, *words)

    def _commits_to(self, tip: str) -> Iterator[bytes]:
        """Yield a line for each commit up to ``tip``, oldest first; then one for all commits if git fails."""
        walk = self._git.start("rev-list", "--reverse", "--topo-order", tip, "--")
        yield from iter(Reader(self._git.blocks(walk)).line, b"")
        if self._git.end(walk):
            listing = self._git.start(
                "cat-file", "--batch-all-objects", "--batch-check=%(objecttype) %(objectname)"
            )
            for line in iter(Reader(self._git.blocks(listing)).line, b""):
                kind, _, name = line.partition(b" ")
                if kind == b"commit":
                    yield name
            self._git.end(listing)


def _groups(found: Iterable[_T]) -> Iterator[list[_T]]:
    """Yield what is found in groups; what was found before a fault comes before it."""
    group: list[_T] = []
    try:
        for each in found:
            group.append(each)
            if len(group) == _TOGETHER:
                yield group
                group = []
    except ValueError:
        yield group
        raise
    yield group
