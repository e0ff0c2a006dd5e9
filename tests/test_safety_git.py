"""Hostile git repositories: nothing in them is obeyed, and none hangs the program (SPEC §8)."""

from __future__ import annotations

import hashlib
import os
import shutil
import socket
import stat
import subprocess
import sys
import zlib
from pathlib import Path

import pytest
from commands import COMMAND, ENVIRONMENT, outcome
from inboxes import MESSAGES, URLS, Repository, mail, plant_v1, plant_v2, v1_name
from realtools import LIMIT
from sampled import mostly_slow

from urlextract import extract_source
from urlextract.sources.folders import git as git_module

ALL = [url for _, url in URLS]
# The keys of git-config(1) whose value is, or names, a command; "!" if git requires that mark.
KEYS = [
    "core.alternateRefsCommand", "core.askPass", "core.editor", "core.fsmonitor", "core.gitProxy",
    "core.pager", "core.sshCommand", "alias.rev-list!", "alias.cat-file!", "alias.diff-tree!",
    "browser.x.cmd", "browser.x.path", "credential.helper!", "credential.http://127.0.0.1.helper!",
    "diff.external", "diff.x.command", "diff.x.textconv", "difftool.x.cmd", "difftool.x.path",
    "filter.x.clean", "filter.x.process", "filter.x.smudge", "gc.recentObjectsHook", "gpg.program",
    "gpg.openpgp.program", "gpg.ssh.defaultKeyCommand", "gpg.ssh.program", "gpg.x509.program",
    "guitool.x.cmd", "imap.tunnel", "instaweb.browser", "instaweb.httpd", "interactive.diffFilter",
    "man.x.cmd", "man.x.path", "merge.x.driver", "mergetool.x.cmd", "mergetool.x.path", "pager.cat-file",
    "pager.diff-tree", "pager.rev-list", "remote.x.receivepack", "remote.x.uploadpack", "sendemail.ccCmd",
    "sendemail.headerCmd", "sendemail.smtpServer", "sendemail.toCmd", "sequence.editor",
    "submodule.x.update!", "tar.x.command", "trailer.x.cmd", "trailer.x.command",
    "uploadpack.packObjectsHook", "web.browser",
]  # fmt: skip
PROTOCOLS = ["git", "http", "https", "ssh", "ftp", "ftps", "ext", "file", "scp"]
HOOKS = ["fsmonitor-watchman", "post-checkout", "pre-auto-gc", "post-index-change", "reference-transaction",
         "update", "pre-receive", "post-rewrite", "proc-receive"]  # fmt: skip


def run(*words, how=None, **environment):
    """Run ``urlextract`` with more environment; return exit status, lines and error messages."""
    status, out, said = outcome(*words, env={**ENVIRONMENT, **environment}, **(how or {}))
    return status, out.splitlines(), said


def loose(repository, name):
    """Return the path of a loose object."""
    return repository.path / "objects" / name[:2] / name[2:]


def blob_of(repository, message_id):
    return repository.git("hash-object", "--stdin", data=mail(message_id))


def stored(repository, data):
    """Store a blob; return its name."""
    return repository.git("hash-object", "-w", "--stdin", data=data)


def commit_of(repository, tree, *parents):
    """Make a tree the next commit of the branch."""
    words = [word for parent in parents for word in ("-p", parent)]
    commit = repository.git("commit-tree", tree, "-m", "x", *words)
    repository.git("update-ref", "refs/heads/master", commit)


def new_repository(folder):
    return Repository(folder / "inbox" / "git" / "0.git")


def numbered_mail(number):
    return f"Subject: {number}\n\nhttp://a.example/{number}\n".encode()


def refused(inbox, **how):
    """Check that an inbox is refused in one line, and return that."""
    status, lines, said = run(inbox, how=how)
    assert (status, lines) == (2, [])
    assert said.count("\n") == 1
    return said


@pytest.fixture
def listener():
    """Yield a server whose connections can be counted."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.setblocking(False)
        yield server


def connections(server):
    count = 0
    while True:
        try:
            server.accept()[0].close()
        except BlockingIOError:
            return count
        count += 1


def url_of(protocol, port, marker):
    return {
        "ext": f"ext::touch {marker}",
        "file": f"file://{marker.parent}/elsewhere.git",
        "scp": f"127.0.0.1:{port}/x.git",
    }.get(protocol, f"{protocol}://127.0.0.1:{port}/x.git")


TRAP = """\
[remote "x"]
	url = {url}
	promisor = true
	partialclonefilter = blob:none
	fetch = +refs/*:refs/*
[core]
	repositoryformatversion = 1
	hooksPath = {hooks}
[extensions]
	partialClone = x
[protocol]
	allow = always
[protocol "ext"]
	allow = always
"""


def booby_trap(repository, protocol, port, marker):
    """Configure the repository to fetch missing objects, with every command that it can name."""
    hooks = marker.parent / "hooks"
    trap = [TRAP.format(url=url_of(protocol, port, marker), hooks=hooks)]
    script = marker.parent / "pwn"
    script.write_text(f"#!/bin/sh\ntouch {marker}\nexit 1\n")
    script.chmod(0o755)
    for key in KEYS:
        value = ("!" if key.endswith("!") else "") + str(script)
        section, _, name = key.rstrip("!").rpartition(".")
        section, _, middle = section.partition(".")
        head = f'[{section} "{middle}"]' if middle else f"[{section}]"
        trap.append(f'{head}\n\t{name} = "{value}"\n')
    config = repository.path / "config"
    config.write_text(config.read_text() + "".join(trap))
    for folder in (repository.path / "hooks", hooks):
        folder.mkdir(exist_ok=True)
        for hook in HOOKS:
            (folder / hook).write_text(f"#!/bin/sh\ntouch {marker}\n")
            (folder / hook).chmod(0o755)
    (repository.path / "info").mkdir(exist_ok=True)
    (repository.path / "info" / "attributes").write_text("* diff=x filter=x merge=x\n")


def in_folder(folder):
    """Make an inbox four folders deep; return its path and the repository."""
    inbox = folder / "a" / "b" / "c" / "inbox"
    [repository] = plant_v2(inbox)
    return inbox, repository


WAYS = [
    ["{root}"], ["-F", "inbox", "{inbox}"], ["-c", "{root}"], ["-j", "{root}"], ["-J", "2", "{root}"],
    ["--state", "{root}/../state", "{root}"], ["--explain", "{root}"], ["-L", "{root}"],
    ["-u", "-j", "-J", "2", "{root}"],
]  # fmt: skip


@pytest.mark.parametrize(("protocol", "words"), [
    *((protocol, WAYS[0]) for protocol in PROTOCOLS),
    *(("git", words) for words in WAYS[1:]),
], ids=str)  # fmt: skip
def test_hostile_configuration_runs_no_command_and_opens_no_connection(protocol, words, tmp_path, listener):
    marker = tmp_path / "pwned"
    root = tmp_path / "root"
    inbox, repository = in_folder(root)
    missing = loose(repository, blob_of(repository, "<1@example.org>"))
    booby_trap(repository, protocol, listener.getsockname()[1], marker)
    missing.unlink()
    status, lines, said = run(*(word.format(root=root, inbox=inbox) for word in words))
    assert not marker.exists()
    assert connections(listener) == 0
    assert status == 2
    assert "1 of the messages are missing in the repository" in said
    assert said.count("\n") == 1
    assert lines


def test_hostile_configuration_works_in_git_itself(tmp_path, listener):
    """Git, run on the repository, does what the test above looks for."""
    marker = tmp_path / "pwned"
    _, repository = in_folder(tmp_path / "root")
    name = blob_of(repository, "<1@example.org>")
    booby_trap(repository, "git", listener.getsockname()[1], marker)
    loose(repository, name).unlink()
    subprocess.run(
        ["git", f"--git-dir={repository.path}", "cat-file", "-p", name],
        capture_output=True, check=False, timeout=LIMIT,
    )  # fmt: skip
    assert marker.exists() or connections(listener)


def test_user_environment_is_not_passed_to_git(tmp_path):
    marker = tmp_path / "pwned"
    plant_v2(tmp_path / "inbox")
    (tmp_path / "home").mkdir()
    settings = f'[alias]\n\trev-list = "!touch {marker}"\n[core]\n\tpager = touch {marker}\n'
    (tmp_path / "home" / ".gitconfig").write_text(settings)
    names = ("GIT_SSH_COMMAND", "GIT_EXTERNAL_DIFF", "GIT_PAGER", "PAGER", "GIT_ASKPASS", "GIT_PROXY_COMMAND")
    environment = dict.fromkeys(names, f"touch {marker}")
    environment |= {
        "HOME": str(tmp_path / "home"),
        "GIT_TRACE": str(tmp_path / "trace"),
        "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": "diff.external",
        "GIT_CONFIG_VALUE_0": f"touch {marker}",
        "GIT_OBJECT_DIRECTORY": "/nowhere",
        "GIT_DIR": "/nowhere",
    }
    assert run(tmp_path / "inbox", **environment) == (0, ALL, "")
    assert not marker.exists()
    assert not (tmp_path / "trace").exists()


def test_replacements_and_grafts_are_ignored(tmp_path):
    [repository] = plant_v2(tmp_path / "inbox")
    blob = blob_of(repository, "<1@example.org>")
    other = stored(repository, b"Subject: x\n\nhttp://forged.example/\n")
    repository.git("replace", blob, other)
    (repository.path / "info").mkdir(exist_ok=True)
    (repository.path / "info" / "grafts").write_text(repository.git("rev-parse", "HEAD") + "\n")
    assert run(tmp_path / "inbox") == (0, ALL, "")


def test_borrowed_objects_are_refused(tmp_path):
    [repository] = plant_v2(tmp_path / "inbox")
    [other] = plant_v2(tmp_path / "private")
    shutil.rmtree(repository.path / "objects")
    (repository.path / "objects" / "info").mkdir(parents=True)
    (repository.path / "objects" / "info" / "alternates").write_text(f"{other.path}/objects\n")
    assert refused(tmp_path / "inbox").endswith("borrows objects from another one: objects/info/alternates\n")


@pytest.mark.parametrize(
    "place", ["objects", "objects/pack", "objects/ab", "refs", "refs/heads", "HEAD", "git"]
)
def test_link_in_a_repository_is_not_followed(place, tmp_path):
    [repository] = plant_v2(tmp_path / "inbox")
    inner = repository.path / place if place != "git" else tmp_path / "inbox" / "git"
    outside = tmp_path / "outside"
    if inner.exists():
        inner.rename(outside)
    else:
        outside.mkdir()
    inner.symlink_to(outside)
    refused(tmp_path / "inbox")


@pytest.mark.parametrize("place", [
    "HEAD", "packed-refs", "refs/heads/master", "shallow", "objects/pack/pack-1.idx", "objects/info/x",
    "objects/ab/00000000000000000000000000000000000000",
])  # fmt: skip
@pytest.mark.parametrize("kind", mostly_slow(["pipe", "socket", "link", "device"]))
def test_special_file_in_a_repository_is_not_opened(place, kind, tmp_path, monkeypatch):
    [repository] = plant_v2(tmp_path / "inbox")
    if place == "packed-refs":
        repository.git("pack-refs", "--all")
    path = repository.path / place
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "link":
        path.symlink_to("/dev/zero")
    elif kind == "device":
        if os.geteuid() != 0:
            pytest.skip("only root makes devices")
        os.mknod(path, 0o666 | stat.S_IFCHR, os.makedev(1, 5))
    else:
        monkeypatch.chdir(path.parent)  # names of sockets are short
        with socket.socket(socket.AF_UNIX) as one:
            one.bind(path.name)
    if place == "shallow":
        assert run(tmp_path / "inbox", how={"timeout": 20}) == (0, ALL, "")
    else:
        refused(tmp_path / "inbox", timeout=20)


def test_shallow_clone_is_read(tmp_path):
    [repository] = plant_v2(tmp_path / "inbox")
    (tmp_path / "clone" / "git").mkdir(parents=True)
    repository.git("clone", "--quiet", "--bare", "--depth=2", f"file://{repository.path}",
                   str(tmp_path / "clone" / "git" / "0.git"))  # fmt: skip
    status, lines, said = run(tmp_path / "clone")
    assert (status, said) == (0, "")
    assert set(lines) == {"http://www.example.org/two", "ftp://ftp.example.org/three"}


def test_sha256_repository_is_read(tmp_path):
    repository = Repository(tmp_path / "inbox" / "git" / "0.git", "--object-format=sha256")
    for message_id in MESSAGES:
        repository.commit({"m": mail(message_id)})
    assert run(tmp_path / "inbox") == (0, ALL, "")
    repository = Repository(tmp_path / "old", "--object-format=sha256")
    repository.commit({v1_name(message_id): mail(message_id) for message_id in MESSAGES})
    assert sorted(run(tmp_path / "old")[1]) == sorted(ALL)


def test_reftable_is_refused(tmp_path):
    [repository] = plant_v2(tmp_path / "inbox")
    (repository.path / "reftable").mkdir()
    assert "reftable" in refused(tmp_path / "inbox")


@pytest.mark.parametrize("every", [2, 700])
def test_corrupt_mails_are_counted_the_first_named_and_the_rest_read_in_order(every, tmp_path):
    """Git writes more messages than a pipe holds: a reader that ignored them would wait for ever."""
    repository = new_repository(tmp_path)
    count = 1_000
    stream = ["feature done\n"]
    for number in range(count):
        data = numbered_mail(number).decode()
        stream.append(f"commit refs/heads/master\ncommitter a <a@b.example> {number} +0000\ndata 1\nx\n"
                      f"deleteall\nM 100644 inline m\ndata {len(data)}\n{data}\n")  # fmt: skip
    words = ("-c", "fastimport.unpackLimit=999999", "fast-import", "--quiet")
    repository.git(*words, data="".join((*stream, "done\n")).encode())
    corrupt = range(0, count, every)
    for number in corrupt:
        path = loose(repository, name_of(numbered_mail(number)))
        path.chmod(0o644)
        # in turn: an invalid header, truncated content, content that does not inflate
        whole = path.read_bytes()
        path.write_bytes((b"\xff" * 30, whole[:-9], whole[:20] + b"\xff" * 20)[number % 3])
    status, lines, said = run(tmp_path / "inbox")
    assert status == 2
    told = f"{len(corrupt)} of the messages are missing in the repository: {name_of(numbered_mail(0))}"
    assert said == f"urlextract: {tmp_path}/inbox: {told}\n"
    assert lines == [f"http://a.example/{number}" for number in range(count) if number not in corrupt]


def name_of(data):
    return hashlib.sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()


def test_nested_trees_are_not_followed(tmp_path):
    """A tree that holds the next one ten times, twenty deep, has 10^20 names."""
    repository = Repository(tmp_path / "inbox")
    blob = stored(repository, b"Subject: x\n\nhttp://deep.example/\n")
    tree = repository.git("mktree", data=f"100644 blob {blob}\t{'0' * 38}\n".encode())
    for _ in range(20):
        names = [f"040000 tree {tree}\t{name:02x}\n" for name in range(10)]
        names += [f"040000 tree {tree}\t{name:038x}\n" for name in range(10)]
        tree = repository.git("mktree", data="".join(names).encode())
    found = stored(repository, b"Subject: x\n\nhttp://a.example/found\n")
    folder = repository.git("mktree", data=f"100644 blob {found}\t{'1' * 38}\n".encode())
    both = f"040000 tree {tree}\taa\n040000 tree {folder}\tbb\n"
    commit_of(repository, repository.git("mktree", data=both.encode()))
    assert run(tmp_path / "inbox", how={"timeout": 30}) == (0, ["http://a.example/found"], "")


@pytest.mark.slow
def test_blob_that_is_a_bomb_is_stopped(tmp_path):
    repository = new_repository(tmp_path)
    repository.commit({"m": mail("<1@example.org>")})
    size = 3 << 30
    packer = zlib.compressobj(9)
    header = b"blob %d\0" % size
    name = "ab" + "0" * 38
    path = loose(repository, name)
    path.parent.mkdir(exist_ok=True)
    zeros = b"\0" * (1 << 20)
    with path.open("wb") as stream:
        stream.write(packer.compress(header))
        for _ in range(size >> 20):
            stream.write(packer.compress(zeros))
        stream.write(packer.flush())
    tree = repository.git("mktree", "--missing", data=f"100644 blob {name}\tm\n".encode())
    commit_of(repository, tree, repository.git("rev-parse", "HEAD"))
    status, lines, said = run(tmp_path / "inbox")
    assert (status, lines) == (2, ALL[:2])
    assert "decompression bomb" in said


def put_in_place_of_git(folder, script, monkeypatch):
    path = folder / "bin" / "git"
    path.parent.mkdir()
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    monkeypatch.setenv("PATH", f"{path.parent}:{os.environ['PATH']}")


def read_with_damage(inbox):
    """Return the URLs of an inbox, and what is told."""
    damage = []
    urls = [found.url for found in extract_source(inbox, on_damage=damage.append)]
    return urls, [error.cause for error in damage]


BUSY = f'i=0; while [ $i -lt 60000 ]; do i=$((i + 1)); done; exec {shutil.which("git")} "$@"'


@pytest.mark.parametrize(("script", "limit", "told"), [  # no public options: five minutes, and half a minute
    ("exec sleep 600", ("_PATIENCE", 0.5), "git does not answer"),
    (BUSY, ("_SECONDS", 0), "git takes too long"),
])  # fmt: skip
def test_git_that_takes_too_long_is_killed(script, limit, told, tmp_path, monkeypatch):
    plant_v2(tmp_path / "inbox")
    put_in_place_of_git(tmp_path, script, monkeypatch)
    monkeypatch.setattr(git_module, *limit)
    assert read_with_damage(tmp_path / "inbox")[1] == [told]


def test_no_git_process_is_left_after_reading_stops(tmp_path):
    [repository] = plant_v1(tmp_path / "inbox")
    status, lines, _ = run("-m", "1", repository.path)
    assert (status, lines) == (0, ALL[:1])
    children = Path("/proc")
    if not children.is_dir():
        pytest.skip("no /proc to look for processes in")
    assert not [
        each for each in children.glob("[0-9]*/environ") if str(repository.path).encode() in _bytes_of(each)
    ]


def _bytes_of(path):
    try:
        return path.read_bytes()
    except OSError:
        return b""


def v1_inbox(path, count=12):
    """Make an inbox of version 1 of some mails; return it, and the root tree and folder of each commit."""
    repository, files, trees = Repository(path), {}, []
    for number in range(count):
        name = hashlib.sha1(b"%d" % number, usedforsecurity=False).hexdigest()
        files[f"{name[:2]}/{name[2:]}"] = numbered_mail(number)
        repository.commit(files)
        trees.append([repository.git("rev-parse", what) for what in ("HEAD^{tree}", f"HEAD:{name[:2]}")])
    return repository, trees


@pytest.mark.parametrize(
    ("what", "lost"), mostly_slow([("commit", 2), ("folder", 1), ("tree", 2), ("missing", 1)])
)
def test_corrupt_tree_or_commit_loses_only_its_own_messages(what, lost, tmp_path):
    repository, trees = v1_inbox(tmp_path / "inbox")
    tree, folder = trees[5]
    commit = repository.git("rev-list", "--reverse", "HEAD").splitlines()[5]
    path = loose(repository, {"folder": folder, "tree": tree, "commit": commit, "missing": folder}[what])
    path.unlink()
    if what != "missing":
        path.write_bytes(b"no object")
    for words in ([], ["-j"], ["-J", "2"], ["--explain"]):
        status, lines, said = run(*words, tmp_path / "inbox")
        assert status == 2
        assert said.count("\n") == 1
        urls = [f"http://a.example/{number}" for number in range(12)]
        assert sum(any(url in line for line in lines) for url in urls) >= 12 - lost


def test_history_that_cannot_be_read_is_told_and_all_commits_are_read(tmp_path):
    repository = new_repository(tmp_path)
    for number in range(9):
        repository.commit({"m": numbered_mail(number)})
    *_, lost, tip = repository.git("rev-list", "--reverse", "HEAD").splitlines()
    loose(repository, lost).unlink()
    status, lines, said = run(tmp_path / "inbox")
    told = f"the history of {tip} cannot be read: messages may be missing, and are in no order"
    assert (status, said) == (2, f"urlextract: {tmp_path}/inbox: {told}\n")
    assert sorted(lines) == [f"http://a.example/{number}" for number in range(9) if number != 7]


def test_corrupt_object_leaves_no_open_file(tmp_path):
    repository = new_repository(tmp_path)
    for number in range(60):
        data = numbered_mail(number) + b"x" * 999
        repository.commit({"m": data})
        if number % 3:
            path = loose(repository, name_of(data))
            whole = path.read_bytes()
            path.chmod(0o644)
            path.write_bytes(whole[: len(whole) // 2])
    done = subprocess.run(
        ["sh", "-c", 'ulimit -n 40; exec "$@"', "sh", *COMMAND, "-c", str(tmp_path / "inbox")],
        capture_output=True, env=ENVIRONMENT, timeout=LIMIT, check=False,
    )  # fmt: skip
    assert b"40 of the messages are missing" in done.stderr
    assert done.returncode == 2


def huge_object(repository, kind, head, unit, count):
    """Write a loose object of ``count`` times ``unit``, which packs well; return its name."""
    header = f"{kind} {len(head) + len(unit) * count}\0".encode() + head
    digest, packer = hashlib.sha1(header, usedforsecurity=False), zlib.compressobj(9)
    parts = [packer.compress(header)]
    for _ in range(count // 10_000):
        digest.update(unit * 10_000)
        parts.append(packer.compress(unit * 10_000))
    name = digest.hexdigest()
    path = loose(repository, name)
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(b"".join([*parts, packer.flush()]))
    return name


@pytest.mark.slow
def test_tree_that_is_a_bomb_takes_bounded_memory(tmp_path):
    repository = new_repository(tmp_path)
    repository.commit({"m": mail("<1@example.org>")})
    head = repository.git("rev-parse", "HEAD")
    entry = b"100644 m\0" + bytes.fromhex(blob_of(repository, "<1@example.org>"))
    tree = huge_object(repository, "tree", b"", entry, 6_000_000)
    data = f"tree {tree}\nparent {head}\nauthor a <a@b> 1 +0000\ncommitter a <a@b> 1 +0000\n\nx\n".encode()
    commit = repository.git("hash-object", "-t", "commit", "-w", "--literally", "--stdin", data=data)
    (repository.path / "refs" / "heads" / "master").write_text(commit + "\n")
    script = (
        "import resource, subprocess, sys\n"
        "done = subprocess.run(sys.argv[1:], capture_output=True)\n"
        "print(done.returncode, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, *COMMAND, str(tmp_path / "inbox")],
        capture_output=True, env=ENVIRONMENT, timeout=3 * LIMIT, check=True,
    )  # fmt: skip
    status, peak = map(int, done.stdout.split())
    assert status == 2
    assert peak < 600


def test_branch_after_200_000_others_is_found(tmp_path):
    [repository] = plant_v2(tmp_path / "inbox")
    head = repository.git("rev-parse", "HEAD")
    (repository.path / "refs" / "heads" / "master").unlink()
    others = "".join(f"{head} refs/heads/{number:050}\n" for number in range(200_000))
    packed = f"# pack-refs with: peeled\n{others}{head} refs/heads/master\n"
    (repository.path / "packed-refs").write_text(packed)
    assert run(tmp_path / "inbox") == (0, ALL, "")


@pytest.mark.parametrize("head", ["", "x" * 9_999, "ref: refs/heads/" + "a/" * 50_000 + "b", None])
def test_invalid_head_is_reported_in_one_short_line(head, tmp_path):
    [repository] = plant_v2(tmp_path / "inbox")
    (repository.path / "HEAD").unlink()
    if head is None:
        (repository.path / "HEAD").mkdir()
    else:
        (repository.path / "HEAD").write_text(head)
    assert len(refused(tmp_path / "inbox")) < 300


@pytest.mark.parametrize("branch", ["", "garbage\n", "\0" * 41, "ref: refs/heads/other\n"])
def test_branch_that_holds_no_commit_is_damage(branch, tmp_path):
    """The packed refs have an older commit of it."""
    [repository] = plant_v2(tmp_path / "inbox")
    repository.git("pack-refs", "--all")
    (repository.path / "refs" / "heads" / "master").write_text(branch)
    assert refused(tmp_path / "inbox").endswith(
        ": the branch of this git repository holds no commit: refs/heads/master\n"
    )


@pytest.mark.parametrize("place", ["HEAD", "refs/heads/master", "packed-refs"])
def test_link_in_place_of_a_file_of_a_repository_is_named(place, tmp_path):
    [repository] = plant_v2(tmp_path / "inbox")
    repository.git("pack-refs", "--all")
    path = repository.path / place
    if path.exists():
        path.rename(tmp_path / "file")
    else:
        (tmp_path / "file").write_text(repository.git("rev-parse", "HEAD") + "\n")
    path.symlink_to(tmp_path / "file")
    assert refused(tmp_path / "inbox").endswith(f" a link in it, which is not followed: {path.name}\n")


@pytest.mark.parametrize("name", ["HEAD", "objects", "refs"])
def test_epoch_that_is_no_repository_is_told_and_the_others_are_read(name, tmp_path):
    plant_v2(tmp_path / "inbox")
    damaged = shutil.copytree(tmp_path / "inbox/git/0.git", tmp_path / "inbox/git/1.git")
    (damaged / name).rename(tmp_path / name)
    status, lines, said = run(tmp_path / "inbox")
    assert (status, lines) == (2, ALL)
    assert said.endswith(": 1.git is no git repository: HEAD, objects or refs is missing\n")


def test_mail_added_by_a_merge_is_read(tmp_path):
    repository = new_repository(tmp_path)
    repository.commit({"m": mail("<1@example.org>")})
    first = repository.git("rev-parse", "HEAD")
    repository.commit({"m": mail("<2@example.org>")})
    second = repository.git("rev-parse", "HEAD")
    blob = stored(repository, mail("<3@example.org>"))
    commit_of(repository, repository.git("mktree", data=f"100644 blob {blob}\tm\n".encode()), second, first)
    assert run(tmp_path / "inbox") == (0, ALL, "")


def tree_of(repository, count, *, blob, **other):
    """Make a tree with a mail under ``count`` names that are not read, and under those in ``other``."""
    names = {**{f"x{number:06}": blob for number in range(count)}, **other}
    return repository.git("mktree", data=b"".join(
        f"{'040000 tree' if len(name) == 2 else '100644 blob'} {names[name]}\t{name}\n".encode()
        for name in sorted(names)
    ))  # fmt: skip


def alternating(repository, trees, count):
    """Commit some trees in turn; return the name of the last commit."""
    parent = ""
    for number in range(count):
        head = f"tree {trees[number % len(trees)]}\n{parent}"
        text = f"{head}author a <a@b> 1 +0000\ncommitter a <a@b> 1 +0000\n\nx\n".encode()
        data = b"commit %d\0" % len(text) + text
        name = hashlib.sha1(data, usedforsecurity=False).hexdigest()
        path = loose(repository, name)
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(zlib.compress(data))
        parent = f"parent {name}\n"
    repository.git("update-ref", "refs/heads/master", name)
    repository.git("repack", "-adfq")


def mails_of(repository, count=2):
    """Store some mails; return the names of the blobs."""
    return [stored(repository, numbered_mail(number)) for number in range(count)]


@pytest.mark.slow
def test_git_is_stopped_by_the_names_that_it_prints(tmp_path):
    """3,000 commits over two trees of 400,000 names print 42 GB, and take less than a megabyte."""
    repository = new_repository(tmp_path)
    trees = [tree_of(repository, 400_000, blob=blob, m=blob) for blob in mails_of(repository)]
    alternating(repository, trees, 3_000)
    said = f"urlextract: {tmp_path}/inbox: decompression bomb: over 400 times the size of the repository\n"
    assert run(tmp_path / "inbox") == (2, ["http://a.example/0", "http://a.example/1"], said)


@pytest.mark.parametrize("is_old", [False, True], ids=["v2", "v1"])
def test_what_was_found_before_too_many_names_is_read(is_old, tmp_path, monkeypatch):
    """Names count whether they are read or not, in the commits and in the folders of version 1."""
    repository = Repository(tmp_path / "inbox" if is_old else tmp_path / "inbox" / "git" / "0.git")
    one, two, unread = mails_of(repository, 3)
    first = {"ab": tree_of(repository, 0, blob="", **{"0" * 38: one})} if is_old else {"m": one}
    second = {"cd": tree_of(repository, 0, blob="", **{"1" * 38: two})} if is_old else {"m": two}
    huge = tree_of(repository, 40_000, blob=unread)
    trees = [tree_of(repository, 0, blob="", **names) for names in (first, second)]
    trees.append(tree_of(repository, 0, blob="", ef=huge) if is_old else huge)
    alternating(repository, trees, 3)
    monkeypatch.setattr(git_module, "BOMB_FLOOR", 1 << 20)  # no public option; it is 256 MiB
    monkeypatch.setattr(git_module, "BOMB_RATIO", 1)
    found, told = read_with_damage(tmp_path / "inbox")
    assert found == ["http://a.example/0", "http://a.example/1"]
    assert told == ["decompression bomb: over 1 times the size of the repository"]
    assert not _children()


def test_tree_that_is_too_large_is_told_and_the_rest_read(tmp_path, monkeypatch):
    repository = new_repository(tmp_path)
    mails = mails_of(repository, 3)
    trees = [
        tree_of(repository, 9_999 * (number == 1), blob=blob, m=blob) for number, blob in enumerate(mails)
    ]
    alternating(repository, trees, 3)
    monkeypatch.setattr(git_module, "_LARGEST_TREE", 64)  # no public option; it is 16 MiB
    commit = repository.git("rev-list", "HEAD").splitlines()[1]
    told = f"1 of its commits or folders cannot be read: {commit}"
    assert read_with_damage(tmp_path / "inbox") == (
        [f"http://a.example/{number}" for number in range(3)],
        [told],
    )


def test_what_was_found_before_git_takes_too_long_is_read(tmp_path, monkeypatch):
    """Each corrupt object costs another process."""
    repository = new_repository(tmp_path)
    for number in range(60):
        repository.commit({"m": numbered_mail(number)})
    loose(repository, name_of(numbered_mail(1))).unlink()
    corrupt = loose(repository, name_of(numbered_mail(2)))
    corrupt.chmod(0o644)
    corrupt.write_bytes(corrupt.read_bytes()[:-9])
    put_in_place_of_git(tmp_path, BUSY, monkeypatch)
    monkeypatch.setattr(git_module, "_SECONDS", 0.01)  # no public option; it is half a minute
    missing = f"2 of the messages are missing in the repository: {name_of(numbered_mail(1))}"
    assert read_with_damage(tmp_path / "inbox") == (
        ["http://a.example/0"], [f"{missing}; git takes too long"]
    )  # fmt: skip
    assert not _children()


def _children():
    """Return the processes of git that this one has started and not yet waited for."""
    numbers = Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()
    return [each for each in numbers if Path(f"/proc/{each}/comm").read_text().startswith("git")]
