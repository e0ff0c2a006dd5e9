"""Public inboxes made by git, in both layouts."""

from __future__ import annotations

import hashlib
from pathlib import Path

from realtools import need, run

MESSAGES = {
    "<1@example.org>": b"see http://www.example.org/one and <URL:http://www.example.org/\nwrapped/one>.\n",
    "<2@example.org>": b"deleted later: http://www.example.org/two\n",
    "<3@example.org>": b"the last: ftp://ftp.example.org/three\n",
}
URLS = [
    ("<1@example.org>", "http://www.example.org/one"),
    ("<1@example.org>", "http://www.example.org/wrapped/one"),
    ("<2@example.org>", "http://www.example.org/two"),
    ("<3@example.org>", "ftp://ftp.example.org/three"),
]
DATES = {
    "<1@example.org>": "Mon, 14 Nov 1994 09:12:44 +0000",
    "<2@example.org>": "Sun, 13 Nov 1994 09:12:44 +0000",  # it came late
    "<3@example.org>": "Tue, 15 Nov 1994 09:12:44 +0000",
}
DELETED = "<2@example.org>"
WHO = {"GIT_AUTHOR_NAME": "Ada", "GIT_AUTHOR_EMAIL": "ada@example.org"}
WHO |= {name.replace("AUTHOR", "COMMITTER"): value for name, value in WHO.items()}


def mail(message_id: str) -> bytes:
    """Return the bytes of a mail."""
    head = f"From: ada@example.org\nTo: list@example.org\nSubject: mail {message_id[1]}\n"
    head += f"Message-ID: {message_id}\nDate: {DATES[message_id]}\n\n"
    return head.encode() + MESSAGES[message_id]


class Repository:
    """A bare repository, to which trees are committed by git."""

    def __init__(self, path: Path, *options: str) -> None:
        self.path = path
        self._parent: tuple[str, ...] = ()
        self._second = 784804364
        path.mkdir(parents=True)
        self.git("init", "--quiet", "--bare", "--initial-branch=master", *options)

    def git(self, *arguments: str, data: bytes = b"") -> str:
        """Run git in the repository, untouched by anybody's settings."""
        self._second += 60
        dates = dict.fromkeys(("GIT_AUTHOR_DATE", "GIT_COMMITTER_DATE"), f"{self._second} +0000")
        environment = {"HOME": str(self.path), "PATH": "/usr/local/bin:/usr/bin:/bin", **WHO, **dates}
        command = (need("git", "git"), *arguments)
        return run(*command, data=data, cwd=self.path, env=environment).decode().strip()

    def commit(self, files: dict[str, bytes]) -> None:
        """Commit a tree of just these files."""
        self.git("read-tree", "--empty")
        for name, data in files.items():
            blob = self.git("hash-object", "-w", "--stdin", data=data)
            self.git("update-index", "--add", "--cacheinfo", f"100644,{blob},{name}")
        parents = [word for parent in self._parent for word in ("-p", parent)]
        self._parent = (self.git("commit-tree", self.git("write-tree"), "-m", "a mail", *parents),)
        self.git("update-ref", "refs/heads/master", *self._parent)


def plant_v2(inbox: Path) -> list[Repository]:
    """Make an inbox of version 2: each commit has one mail, "m"; a deletion has it as "d"."""
    repository = Repository(inbox / "git" / "0.git")
    for message_id in MESSAGES:
        repository.commit({"m": mail(message_id)})
    repository.commit({"d": mail(DELETED)})
    return [repository]


def plant_v2_in_two_epochs(inbox: Path) -> list[Repository]:
    """Make an inbox of version 2 with a second repository, where a mail of the first is deleted."""
    first, second = Repository(inbox / "git" / "0.git"), Repository(inbox / "git" / "1.git")
    *old, new = MESSAGES
    for message_id in old:
        first.commit({"m": mail(message_id)})
    second.commit({"m": mail(new)})
    second.commit({"d": mail(DELETED)})
    return [first, second]


def plant_v1(inbox: Path) -> list[Repository]:
    """Make an inbox of version 1: the tree grows by a mail with each commit; a deletion takes one away."""
    repository = Repository(inbox)
    files: dict[str, bytes] = {}
    for message_id in MESSAGES:
        files[v1_name(message_id)] = mail(message_id)
        repository.commit(files)
    del files[v1_name(DELETED)]
    repository.commit(files)
    return [repository]


def v1_name(message_id: str) -> str:
    """Return the name of a mail in an inbox of version 1."""
    name = hashlib.sha1(message_id.strip("<>").encode(), usedforsecurity=False).hexdigest()
    return f"{name[:2]}/{name[2:]}"
