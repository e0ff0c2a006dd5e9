"""Mail kept in git, one message a blob; git reads the objects.

A public inbox of version 2 has a commit a message, whose tree holds the file ``m``, or
``d`` where it was deleted; version 1 has a file a message under the hash of its
Message-ID, two characters of it as a folder. All that was ever committed is read, in the
order in which it came.

The repository may be a stranger's. Its configuration, hooks, replacements, grafts and
alternates can make git run commands, reach for a network or read other files. So git
never sees the repository: it runs on an empty one of ours, with nothing of the user's
environment, and is told only where the objects are (see `inboxes` for what they may be).
"""

from __future__ import annotations

import os
import select
import subprocess
import time
from contextlib import suppress
from itertools import islice
from typing import TYPE_CHECKING

from urlextract.grammar.patterns import later
from urlextract.sources.compress.damage import BOMB_FLOOR, BOMB_RATIO
from urlextract.sources.folders.inboxes import bytes_of_objects, tip_of
from urlextract.sources.formats.pieces import NOWHERE, Piece
from urlextract.sources.reader import Reader
from urlextract.sources.streams import BLOCK

if TYPE_CHECKING:
    import re
    from collections.abc import Generator, Iterable, Iterator

    from urlextract.sources.streams import Place

__all__ = ["cut_inbox"]

# git-diff-tree(1), "raw output format", with -z: a mail of version 2, or a folder of version 1
_CHANGED = later(rb":([0-7]+) (100[0-7]+|040000) ([0-9a-f]+) ([0-9a-f]+) [AMT]\0(?:[md]|[0-9a-f]{2})\0")
_FOLDER = b"040000"
_MAIL = later(rb":[0-7]+ 100[0-7]+ [0-9a-f]+ ([0-9a-f]+) [AMT]\0[0-9a-f]{38,62}\0")
_EMPTY_TREES = {
    40: b"4b825dc642cb6eb9a060e54bf8d69288fbee4904",
    64: b"6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321",
}
_EMPTY = os.path.join(os.path.dirname(os.path.abspath(__file__)), "empty")
_TOGETHER = 200  # objects asked for at a time: their names fit into a pipe
_LONGEST_ENTRY = 256  # bytes
_LONGEST_COMPLAINT = 4096  # bytes of what git says that are kept
_LARGEST_HELD = "268435456"  # bytes that git may ask for at once
_PATIENCE = 300  # seconds in which git gives its next bytes
_SECONDS, _RATE = 60, 1 << 20  # of the processor: so many for each program, and one more for so many bytes


def cut_inbox(paths: Iterable[str], place: Place) -> Iterator[Piece]:
    """Yield the messages of an inbox, kept in one repository or more; damage is reported to ``place``."""
    seen: set[bytes] = set()
    for path in paths:
        complaint = ""
        try:
            commit = tip_of(path)
            if commit is None:  # new inboxes, and collections of others, have nothing
                continue
            with _Git(path, commit) as git:
                inbox = _Inbox(git, seen)
                yield from inbox.messages(commit)
                complaint = "; ".join(filter(None, (git.complaint(), inbox.complaint())))
        except FileNotFoundError as error:
            complaint = (
                "a git repository cannot be read without git" if error.filename == "git" else str(error)
            )
        except OSError as error:
            complaint = f"{error.strerror}: {error.filename}" if error.filename else str(error)
        except ValueError as error:
            complaint = str(error)
        if complaint:
            place.damage(complaint)


class _Git:
    """Programs of git at work on the objects of one repository."""

    def __init__(self, path: str, commit: str) -> None:
        empty = os.path.join(_EMPTY, "sha1.git" if len(commit) == 40 else "sha256.git")
        if not os.path.isdir(empty):
            raise ValueError("a git repository cannot be read by a program that is not unpacked")
        self.size = bytes_of_objects(path)
        shallow = os.path.join(
            os.path.abspath(path), "shallow"
        )  # ids of commits whose parents were not fetched
        self._environment = {
            "PATH": os.environ.get("PATH", os.defpath),
            "HOME": empty,
            "LC_ALL": "C",
            "GIT_DIR": empty,
            "GIT_OBJECT_DIRECTORY": os.path.join(os.path.abspath(path), "objects"),
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
            "GIT_ALLOC_LIMIT": _LARGEST_HELD,
        }
        self._running: list[subprocess.Popen[bytes]] = []
        self._complaints = b""
        self._errors, self._told = os.pipe()  # one for all: read while any of them is waited for
        os.set_blocking(self._errors, False)

    def __enter__(self) -> _Git:
        return self

    def __exit__(self, *_: object) -> None:
        for process in self._running:
            process.kill()
            process.wait()
            for stream in (process.stdin, process.stdout):
                if stream:
                    with suppress(OSError):
                        stream.close()
        os.close(self._errors)
        os.close(self._told)

    def start(self, *words: str, stdin: int = subprocess.PIPE) -> subprocess.Popen[bytes]:
        """Start a program; it is killed, at the latest, when this object is left."""
        process = subprocess.Popen(
            ("git", "--no-pager", "--no-replace-objects", *words),
            stdin=stdin,
            stdout=subprocess.PIPE,
            stderr=self._told,
            env=self._environment,
            cwd=self._environment["GIT_DIR"],
            bufsize=0,
        )
        self._running.append(process)
        self._limit(process)
        return process

    def _limit(self, process: subprocess.Popen[bytes]) -> None:
        """Give the program an end: objects can be made that take git years."""
        import resource  # noqa: PLC0415 - few read a repository

        seconds = _SECONDS + self.size // _RATE
        if hasattr(resource, "prlimit"):
            with suppress(OSError):  # it has ended already
                resource.prlimit(process.pid, resource.RLIMIT_CPU, (seconds, seconds + 1))

    def blocks(self, process: subprocess.Popen[bytes]) -> Iterator[bytes]:
        """Yield what a program prints, as it comes, and take in what all of them complain of."""
        assert process.stdout is not None  # noqa: S101 - it was asked to be a pipe
        number = process.stdout.fileno()
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
                yield block
                deadline = time.monotonic() + _PATIENCE
            elif time.monotonic() > deadline:
                raise ValueError("git does not answer")

    def _listen(self) -> None:
        """Take what the programs complain of, and keep its beginning."""
        with suppress(BlockingIOError):
            heard = os.read(self._errors, BLOCK)
            self._complaints += heard[: _LONGEST_COMPLAINT - len(self._complaints)]

    def complaint(self) -> str:
        """Return the first line of what the programs had to say, "" if all of them ended well."""
        failed = 0
        for process in self._running:
            if process.stdin:
                with suppress(OSError):
                    process.stdin.close()
            try:
                failed = failed or process.wait(_PATIENCE)
            except subprocess.TimeoutExpired:
                return "git does not end"
        self._listen()
        words = self._complaints.decode("utf-8", "replace").strip().partition("\n")[0]
        return (words or f"git ended with status {failed}") if failed else ""


class _Inbox:
    """The messages of one repository; ``seen`` are the blobs that were read already."""

    def __init__(self, git: _Git, seen: set[bytes]) -> None:
        self._git = git
        self._seen = seen
        self._missing = 0
        self._given = 0
        self._batch: subprocess.Popen[bytes] | None = None

    def messages(self, commit: str) -> Iterator[Piece]:
        """Yield the pieces of all messages, each blob once."""
        blobs = self._blobs(commit)
        while names := list(islice(blobs, _TOGETHER)):
            while names:
                answered = yield from self._answers(names)
                if answered < len(names):  # git ends at a corrupt object: another one reads on behind it
                    self._missing += 1
                    self._batch = None
                names = names[answered + 1 :]

    def complaint(self) -> str:
        """Return what is wrong with the messages, "" if nothing is."""
        return f"{self._missing} of the messages are missing in the repository" if self._missing else ""

    def _answers(self, names: list[bytes]) -> Generator[Piece, None, int]:
        """Yield the pieces of messages; return how many of ``names`` were answered before git ended."""
        if self._batch is None:
            self._batch = self._git.start("cat-file", "--batch")
            self._reader = Reader(self._git.blocks(self._batch))
        assert self._batch.stdin is not None  # noqa: S101 - it was asked to be a pipe
        with suppress(BrokenPipeError):
            self._batch.stdin.write(b"".join(name + b"\n" for name in names))
        for number in range(len(names)):
            words = self._reader.line().split()
            if len(words) == 3 and words[2].isdigit():
                if not (yield from self._message(int(words[2]))):
                    return number
            elif words:
                self._missing += 1
            else:
                return number
        return len(names)

    def _message(self, size: int) -> Generator[Piece, None, bool]:
        """Yield the pieces of one message (git-cat-file(1), "batch output"); return whether it is whole."""
        self._given += size
        if self._given > max(BOMB_FLOOR, BOMB_RATIO * self._git.size):
            raise ValueError(f"decompression bomb: over {BOMB_RATIO} times the size of the repository")
        for data in self._reader.pieces(size):
            size -= len(data)
            yield Piece(NOWHERE, data, last=False)
        yield Piece(NOWHERE, b"", last=True)
        return not size and bool(self._reader.take(1))

    def _blobs(self, commit: str) -> Iterator[bytes]:
        """Yield the names of the blobs that were added, each once, in the order of the commits."""
        commits = self._git.start(
            "rev-list", "--reverse", "--topo-order", commit, "--", stdin=subprocess.DEVNULL
        )
        assert commits.stdout is not None  # noqa: S101 - it was asked to be a pipe
        raw = ("diff-tree", "--stdin", "-z", "--raw", "--no-renames")
        changes = self._git.start(*raw, "--root", "--no-commit-id", stdin=commits.stdout.fileno())
        commits.stdout.close()
        folders = _Folders(self._git, raw)
        pending = b""
        for block in self._git.blocks(changes):
            pending += block
            found = list(_CHANGED.finditer(pending))
            pending = pending[max(found[-1].end() if found else 0, len(pending) - _LONGEST_ENTRY) :]
            for at in range(0, len(found), _TOGETHER):
                yield from self._fresh(folders.mails(found[at : at + _TOGETHER]))

    def _fresh(self, blobs: Iterable[bytes]) -> Iterator[bytes]:
        """Yield the blobs that were not seen."""
        for blob in blobs:
            if (key := bytes.fromhex(blob.decode())) not in self._seen:
                self._seen.add(key)
                yield blob


class _Folders:
    """What changed in the folders of version 1, which git is not let into any deeper."""

    def __init__(self, git: _Git, words: tuple[str, ...]) -> None:
        self._git = git
        self._words = words
        self._end = b"end %s\n" % os.urandom(16).hex().encode()
        self._blocks: Iterator[bytes] | None = None

    def mails(self, changes: list[re.Match[bytes]]) -> Iterator[bytes]:
        """Yield the blobs among the changes of commits, and those in the folders among them."""
        yield from (change[4] for change in changes if change[2] != _FOLDER)
        pairs = [_pair(change) for change in changes if change[2] == _FOLDER]
        if pairs:
            yield from self._in_folders(pairs)

    def _in_folders(self, pairs: list[bytes]) -> Iterator[bytes]:
        """Compare pairs of trees; git prints the line that is no pair as it is, and what it has so far."""
        if self._blocks is None:
            process = self._git.start(*self._words)
            self._stdin, self._blocks = process.stdin, self._git.blocks(process)
        assert self._stdin is not None  # noqa: S101 - it was asked to be a pipe
        with suppress(BrokenPipeError):
            self._stdin.write(b"".join([*pairs, self._end]))
        pending = b""
        for block in self._blocks:
            pending += block
            end = 0
            for mail in _MAIL.finditer(pending):
                end = mail.end()
                yield mail[1]
            if pending.endswith(self._end):
                return
            pending = pending[max(end, len(pending) - _LONGEST_ENTRY) :]


def _pair(change: re.Match[bytes]) -> bytes:
    """Return the line that asks git to compare a folder with what it was before, if it was one."""
    before = change[3] if change[1] == _FOLDER else _EMPTY_TREES[len(change[4])]
    return b"%s %s\n" % (before, change[4])
