"""Mail kept in git, one message a blob; git does the reading.

A public inbox of version 2 has a commit a message, whose tree holds the file ``m``, or
``d`` where it was deleted; version 1 has a file a message under the hash of its
Message-ID. All that was ever committed is read, in the order in which it came.
"""

from __future__ import annotations

import subprocess
from contextlib import ExitStack
from itertools import islice
from typing import TYPE_CHECKING

from urlextract.grammar.patterns import later
from urlextract.sources.formats.pieces import NOWHERE, Piece
from urlextract.sources.reader import Reader
from urlextract.sources.streams import BLOCK

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from urlextract.sources.streams import Place

__all__ = ["cut_inbox"]

# git-diff-tree(1), "raw output format", with -z
_ADDED = later(rb":[0-7]+ 100[0-7]+ [0-9a-f]+ ([0-9a-f]+) [AM]\0(?:m|d|[0-9a-f]{2}/[0-9a-f]{38,62})\0")
_TOGETHER = 200  # messages asked for at a time: their names fit into a pipe
_LONGEST_ENTRY = 256  # bytes


def cut_inbox(paths: Iterable[str], place: Place) -> Iterator[Piece]:
    """Give the messages of an inbox, kept in one repository or more; what git says against it is told."""
    seen: set[bytes] = set()
    for path in paths:
        try:
            with _Git(path, seen) as git:
                yield from git.messages()
                complaint = git.complaint()
        except FileNotFoundError:
            complaint = "a git repository cannot be read without git"
        except (OSError, ValueError) as error:
            complaint = str(error)
        if complaint:
            place.damage(complaint)


class _Git:
    """Programs of git that run on one repository; ``seen`` are the blobs that were read already."""

    def __init__(self, path: str, seen: set[bytes]) -> None:
        self._seen = seen
        self._missing = 0
        self._command = ("git", f"--git-dir={path}", "--no-replace-objects")
        self._stack = ExitStack()
        self._running: list[subprocess.Popen[bytes]] = []

    def __enter__(self) -> _Git:
        return self

    def __exit__(self, *_: object) -> None:
        for process in self._running:
            process.kill()
        self._stack.close()

    def messages(self) -> Iterator[Piece]:
        """Give all messages, each blob once."""
        if not self._has_commits():
            return
        commits = self._start("rev-list", "--reverse", "--topo-order", "HEAD", "--")
        raw = ("diff-tree", "--stdin", "-r", "-z", "--root", "--raw", "--no-commit-id", "--no-renames")
        changes = self._start(*raw, stdin=commits)
        blobs = self._blobs(changes)
        batch = self._start("cat-file", "--batch", stdin=subprocess.PIPE)
        answers = Reader(_blocks(batch))
        while names := list(islice(blobs, _TOGETHER)):
            assert batch.stdin is not None  # noqa: S101 - it was asked to be a pipe
            batch.stdin.write(b"".join(name + b"\n" for name in names))
            batch.stdin.flush()
            for _ in names:
                yield from self._message(answers)

    def complaint(self) -> str:
        """Give what a program of git that failed had to say."""
        for process in self._running:
            if process.stdin:
                process.stdin.close()
            if process.wait() and process.stderr:
                words = process.stderr.read().decode("utf-8", "replace").strip()
                return words.partition("\n")[0] or f"git ended with status {process.returncode}"
        return f"{self._missing} of the messages are missing in the repository" if self._missing else ""

    def _message(self, answers: Reader) -> Iterator[Piece]:
        """Give the pieces of one message that was asked for (git-cat-file(1), "batch output")."""
        words = answers.line().split()
        if len(words) != 3 or not words[2].isdigit():
            self._missing += 1
            return
        for data in answers.pieces(int(words[2])):
            yield Piece(NOWHERE, data, last=False)
        answers.take(1)
        yield Piece(NOWHERE, b"", last=True)

    def _has_commits(self) -> bool:
        """Say whether anything was committed; new inboxes, and collections of others, have nothing."""
        done = subprocess.run(
            (*self._command, "rev-parse", "--verify", "--quiet", "HEAD^{commit}"),
            capture_output=True,
            check=False,
        )
        if done.returncode and done.stderr:
            raise ValueError(done.stderr.decode("utf-8", "replace").strip().partition("\n")[0])
        return not done.returncode

    def _blobs(self, changes: subprocess.Popen[bytes]) -> Iterator[bytes]:
        """Give the names of the blobs that were added, each once."""
        seen = self._seen
        pending = b""
        for block in _blocks(changes):
            pending += block
            end = 0
            for added in _ADDED.finditer(pending):
                end = added.end()
                blob = added[1]
                if (key := bytes.fromhex(blob.decode())) not in seen:
                    seen.add(key)
                    yield blob
            pending = pending[max(end, len(pending) - _LONGEST_ENTRY) :]

    def _start(
        self, *words: str, stdin: subprocess.Popen[bytes] | int = subprocess.DEVNULL
    ) -> subprocess.Popen[bytes]:
        """Start a program that ends with this."""
        source = stdin if isinstance(stdin, int) else stdin.stdout
        process = self._stack.enter_context(
            subprocess.Popen(
                (*self._command, *words),
                stdin=source,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
            )
        )
        self._running.append(process)
        return process


def _blocks(process: subprocess.Popen[bytes]) -> Iterator[bytes]:
    """Give what a program prints, as it comes."""
    assert process.stdout is not None  # noqa: S101 - it was asked to be a pipe
    while block := process.stdout.read(BLOCK):
        yield block
