"""Hostile git repositories: nothing in them is obeyed, and none hangs the program (SPEC §8)."""

import hashlib
import os
import re
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
from slices import read

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


def refused(inbox, **how):
    """Check that an inbox is refused in one line, and return that."""
    status, lines, said = run(inbox, how=how)
    assert (status, lines, said.count("\n")) == (2, [], 1)
    return said


def read_with_damage(inbox):
    """Return the numbers of the mails of an inbox, and what is told."""
    items, damage = read(inbox)
    found = [int(number) for item in items for number in re.findall(rb"http://a.example/(\d+)", item.data)]
    return found, [error.cause for error in damage]


# repositories


def inbox_in(folder, *options):
    """Return the repository of a new inbox of version 2."""
    return Repository(folder / "inbox" / "git" / "0.git", *options)


def numbered_mail(number):
    return f"Subject: {number}\n\nhttp://a.example/{number}\n".encode()


def numbered(numbers):
    return [f"http://a.example/{number}" for number in numbers]


def name_of(data, kind=b"blob"):
    return hashlib.sha1(kind + b" %d\0" % len(data) + data, usedforsecurity=False).hexdigest()


def loose(repository, name):
    """Return the path of a loose object; its folder is there."""
    path = repository.path / "objects" / name[:2] / name[2:]
    path.parent.mkdir(exist_ok=True)
    if path.exists():
        path.chmod(0o644)
    return path


def stored(repository, data):
    """Store a blob; return its name."""
    return repository.git("hash-object", "-w", "--stdin", data=data)


def commit_of(repository, tree, *parents):
    """Make a tree the next commit of the branch."""
    words = [word for parent in parents for word in ("-p", parent)]
    repository.git("update-ref", "refs/heads/master", repository.git("commit-tree", tree, "-m", "x", *words))


def tree_of(repository, count=0, *, blob="", **other):
    """Make a tree with a mail under ``count`` names that are not read, and under those in ``other``."""
    names = {**{f"x{number:06}": blob for number in range(count)}, **other}
    kinds = {name: "040000 tree" if len(name) == 2 else "100644 blob" for name in names}
    lines = (f"{kinds[name]} {names[name]}\t{name}\n" for name in sorted(names))
    return repository.git("mktree", "--missing", data="".join(lines).encode())


def alternating(repository, trees, count):
    """Commit some trees in turn, packed."""
    parent = ""
    for number in range(count):
        head = f"tree {trees[number % len(trees)]}\n{parent}"
        text = f"{head}author a <a@b> 1 +0000\ncommitter a <a@b> 1 +0000\n\nx\n".encode()
        name = name_of(text, b"commit")
        loose(repository, name).write_bytes(zlib.compress(b"commit %d\0" % len(text) + text))
        parent = f"parent {name}\n"
    repository.git("update-ref", "refs/heads/master", name)
    repository.git("repack", "-adfq")


# what git would obey


@pytest.fixture
def listener():
    """Yield a server whose connections can be counted."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.setblocking(False)
        yield server


def is_called(server):
    try:
        server.accept()[0].close()
    except BlockingIOError:
        return False
    return True


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


WAYS = [
    ["{root}"], ["-F", "inbox", "{inbox}"], ["-c", "{root}"], ["-j", "{root}"], ["-J", "2", "{root}"],
    ["--state", "{root}/../state", "{root}"], ["--explain", "{root}"], ["-L", "{root}"],
]  # fmt: skip


@pytest.mark.parametrize(("protocol", "words"), [
    *((protocol, WAYS[0]) for protocol in PROTOCOLS),
    *(("git", words) for words in WAYS[1:]),
], ids=str)  # fmt: skip
def test_hostile_configuration_runs_no_command_and_opens_no_connection(protocol, words, tmp_path, listener):
    """Git itself, run on the repository, does."""
    marker, root = tmp_path / "pwned", tmp_path / "root"
    inbox = root / "a" / "b" / "c" / "inbox"
    [repository] = plant_v2(inbox)
    missing = name_of(mail("<1@example.org>"))
    booby_trap(repository, protocol, listener.getsockname()[1], marker)
    loose(repository, missing).unlink()
    status, lines, said = run(*(word.format(root=root, inbox=inbox) for word in words))
    assert not marker.exists()
    assert not is_called(listener)
    assert (status, said.count("\n"), bool(lines)) == (2, 1, True)
    assert f"1 of the messages are missing in the repository: {missing}" in said
    if words == WAYS[0] and protocol == "git":
        command = ["git", f"--git-dir={repository.path}", "cat-file", "-p", missing]
        subprocess.run(command, capture_output=True, check=False, timeout=LIMIT)
        assert marker.exists() or is_called(listener)


def test_user_environment_replacements_and_grafts_are_not_for_git(tmp_path):
    marker, home = tmp_path / "pwned", tmp_path / "home"
    [repository] = plant_v2(tmp_path / "inbox")
    home.mkdir()
    settings = f'[alias]\n\trev-list = "!touch {marker}"\n[core]\n\tpager = touch {marker}\n'
    (home / ".gitconfig").write_text(settings)
    names = ("GIT_SSH_COMMAND", "GIT_EXTERNAL_DIFF", "GIT_PAGER", "PAGER", "GIT_ASKPASS", "GIT_PROXY_COMMAND")
    config = {"COUNT": "1", "KEY_0": "diff.external", "VALUE_0": f"touch {marker}"}
    environment = {
        **dict.fromkeys(names, f"touch {marker}"),
        **{f"GIT_CONFIG_{key}": value for key, value in config.items()},
        "HOME": str(home), "GIT_TRACE": str(tmp_path / "trace"),
        "GIT_OBJECT_DIRECTORY": "/nowhere", "GIT_DIR": "/nowhere",
    }  # fmt: skip
    assert run(tmp_path / "inbox", **environment) == (0, ALL, "")
    assert not marker.exists()
    assert not (tmp_path / "trace").exists()
    forged = stored(repository, b"Subject: x\n\nhttp://forged.example/\n")
    repository.git("replace", name_of(mail("<1@example.org>")), forged)
    (repository.path / "info").mkdir(exist_ok=True)
    (repository.path / "info" / "grafts").write_text(repository.git("rev-parse", "HEAD") + "\n")
    assert run(tmp_path / "inbox") == (0, ALL, "")


# files that are none of the repository


OUTSIDE = [
    "objects",
    "objects/pack",
    "objects/ab",
    "refs",
    "refs/heads",
    "HEAD",
    "refs/heads/master",
    "packed-refs",
]


@pytest.mark.parametrize("place", [*OUTSIDE, "git"])
def test_link_in_a_repository_is_named_and_not_followed(place, tmp_path):
    [repository] = plant_v2(tmp_path / "inbox")
    repository.git("pack-refs", "--all")
    inner = repository.path / place if place != "git" else tmp_path / "inbox" / "git"
    outside = tmp_path / "outside"
    if inner.exists():
        inner.rename(outside)
    elif place == "refs/heads/master":
        outside.write_text(repository.git("rev-parse", "HEAD") + "\n")
    else:
        outside.mkdir()
    inner.symlink_to(outside)
    said = refused(tmp_path / "inbox")
    if place not in ("git", "objects/pack", "objects/ab"):
        assert said.endswith(f" a link in it, which is not followed: {inner.name}\n")


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
    how = {"timeout": 20} if kind == "pipe" and not place.startswith("objects") else {}
    if place == "shallow":
        assert run(tmp_path / "inbox", how=how) == (0, ALL, "")
    else:
        refused(tmp_path / "inbox", **how)


def a_reftable(repository):
    (repository.path / "reftable").mkdir()


def alternates(repository):
    (repository.path / "objects/info").mkdir(exist_ok=True)
    (repository.path / "objects/info/alternates").write_text("/elsewhere/objects\n")


def a_folder_as_head(repository):
    (repository.path / "HEAD").unlink()
    (repository.path / "HEAD").mkdir()


def file_of(name, content):
    def write(repository):
        repository.git("pack-refs", "--all")
        (repository.path / name).write_text(content)

    return write


NO_BRANCH = "HEAD of this git repository names no branch"
NO_COMMIT = "the branch of this git repository holds no commit: refs/heads/master"
REFUSED = {
    "reftable": (a_reftable, "the refs of this git repository are in a reftable, which is not read"),
    "borrowed objects": (alternates,
        "the git repository borrows objects from another one: objects/info/alternates"),
    "no branch": (file_of("HEAD", ""), NO_BRANCH),
    "a long line": (file_of("HEAD", "x" * 9_999), NO_BRANCH),
    "a long name": (file_of("HEAD", "ref: refs/heads/" + "a/" * 50_000 + "b"), NO_BRANCH),
    "a name that leads out": (file_of("HEAD", "ref: refs/heads/../../../../1"), NO_BRANCH),
    "a folder as HEAD": (a_folder_as_head, "Is a directory"),
    **{f"no commit, {branch!r}": (file_of("refs/heads/master", branch), NO_COMMIT)
       for branch in ("", "garbage\n", "\0" * 41, "ref: refs/heads/other\n")},
}  # fmt: skip


@pytest.mark.parametrize("kind", REFUSED)
def test_invalid_repository_is_reported_in_one_short_line(kind, tmp_path):
    """The packed refs have an older commit of the branch, too."""
    [repository] = plant_v2(tmp_path / "inbox")
    spoil, told = REFUSED[kind]
    spoil(repository)
    said = refused(tmp_path / "inbox")
    assert len(said) < 300
    assert said.endswith((f": {told}\n", "what is no file in it: HEAD\n"))


@pytest.mark.parametrize("name", ["HEAD", "objects", "refs"])
def test_epoch_that_is_no_repository_is_told_and_the_others_are_read(name, tmp_path):
    """If none is one, it is no inbox."""
    plant_v2(tmp_path / "inbox")
    damaged = shutil.copytree(tmp_path / "inbox/git/0.git", tmp_path / "inbox/git/1.git")
    (damaged / name).rename(tmp_path / name)
    status, lines, said = run(tmp_path / "inbox")
    assert (status, lines) == (2, ALL)
    assert said.endswith(": 1.git is no git repository: HEAD, objects or refs is missing\n")
    shutil.rmtree(tmp_path / "inbox/git/0.git")
    assert "no git repository" not in str(read(tmp_path / "inbox")[1])


# what git reads


def shallow_clone(folder):
    [repository] = plant_v2(folder / "whole")
    (folder / "inbox" / "git").mkdir(parents=True)
    where = f"file://{repository.path}", str(folder / "inbox" / "git" / "0.git")
    repository.git("clone", "--quiet", "--bare", "--depth=2", *where)


def of_sha256(folder):
    repository = inbox_in(folder, "--object-format=sha256")
    for message_id in MESSAGES:
        repository.commit({"m": mail(message_id)})


def version_1_of_sha256(folder):
    repository = Repository(folder / "inbox", "--object-format=sha256")
    repository.commit({v1_name(message_id): mail(message_id) for message_id in MESSAGES})


def merge(folder):
    repository = inbox_in(folder)
    heads = []
    for message_id in ("<1@example.org>", "<2@example.org>"):
        repository.commit({"m": mail(message_id)})
        heads.append(repository.git("rev-parse", "HEAD"))
    commit_of(repository, tree_of(repository, m=stored(repository, mail("<3@example.org>"))), *heads[::-1])


def many_branches(folder):
    [repository] = plant_v2(folder / "inbox")
    head = repository.git("rev-parse", "HEAD")
    (repository.path / "refs" / "heads" / "master").unlink()
    others = "".join(f"{name_of(b'')} refs/heads/{number:050}\n" for number in range(200_000))
    (repository.path / "packed-refs").write_text(
        f"# pack-refs with: peeled\n{others}{head} refs/heads/master\n"
    )


def the_same_mail_again(folder):
    """Under other names, in other commits."""
    [repository] = plant_v2(folder / "inbox")
    repository.commit({"d": mail("<1@example.org>")})
    repository.commit({"m": mail("<1@example.org>")})


READ = {
    shallow_clone: {ALL[2], ALL[3]}, of_sha256: ALL, version_1_of_sha256: {*ALL}, merge: ALL,
        many_branches: ALL,
    the_same_mail_again: ALL,
}  # fmt: skip


@pytest.mark.parametrize("make", READ, ids=lambda make: make.__name__)
def test_repository_of_any_kind_is_read(make, tmp_path):
    make(tmp_path)
    status, lines, said = run(tmp_path / "inbox")
    assert (status, said) == (0, "")
    assert (lines if isinstance(READ[make], list) else {*lines}) == READ[make]
    assert len(lines) == len(READ[make])


def test_nested_trees_are_not_followed(tmp_path):
    """A tree that holds the next one ten times, twenty deep, has 10^20 names."""
    repository = Repository(tmp_path / "inbox")
    tree = tree_of(repository, **{"0" * 38: stored(repository, numbered_mail(1))})
    for _ in range(20):
        names = [f"040000 tree {tree}\t{name:02x}\n" for name in range(10)]
        names += [f"040000 tree {tree}\t{name:038x}\n" for name in range(10)]
        tree = repository.git("mktree", data="".join(names).encode())
    folder = tree_of(repository, **{"1" * 38: stored(repository, numbered_mail(2))})
    commit_of(repository, tree_of(repository, aa=tree, bb=folder))
    assert run(tmp_path / "inbox", how={"timeout": 30}) == (0, numbered([2]), "")


# damage


@pytest.mark.parametrize("every", [2, 70])
def test_corrupt_mails_are_counted_the_first_named_and_the_rest_read_in_order(every, tmp_path):
    """Git writes more messages than a pipe holds: a reader that ignored them would wait for ever."""
    repository, count = inbox_in(tmp_path), 400
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
        # in turn: an invalid header, truncated content, content that does not inflate
        whole = path.read_bytes()
        path.write_bytes((b"\xff" * 30, whole[:-9], whole[:20] + b"\xff" * 20)[number % 3])
    told = f"{len(corrupt)} of the messages are missing in the repository: {name_of(numbered_mail(0))}"
    lines = numbered(number for number in range(count) if number not in corrupt)
    assert run(tmp_path / "inbox") == (2, lines, f"urlextract: {tmp_path}/inbox: {told}\n")


@pytest.mark.parametrize(
    ("what", "lost"), mostly_slow([("commit", 2), ("folder", 1), ("tree", 2), ("missing", 1)])
)
def test_corrupt_tree_or_commit_loses_only_its_own_messages(what, lost, tmp_path):
    repository, files, trees = Repository(tmp_path / "inbox"), {}, []
    for number in range(12):
        name = hashlib.sha1(b"%d" % number, usedforsecurity=False).hexdigest()
        files[f"{name[:2]}/{name[2:]}"] = numbered_mail(number)
        repository.commit(files)
        trees.append([repository.git("rev-parse", what) for what in ("HEAD^{tree}", f"HEAD:{name[:2]}")])
    tree, folder = trees[5]
    commit = repository.git("rev-list", "--reverse", "HEAD").splitlines()[5]
    path = loose(repository, {"folder": folder, "tree": tree, "commit": commit, "missing": folder}[what])
    path.unlink()
    if what != "missing":
        path.write_bytes(b"no object")
    for words in ([], ["-j"], ["-J", "2"], ["--explain"]):
        status, lines, said = run(*words, tmp_path / "inbox")
        assert (status, said.count("\n")) == (2, 1)
        assert sum(any(url in line for line in lines) for url in numbered(range(12))) >= 12 - lost


def test_history_that_cannot_be_read_is_told_and_all_commits_are_read(tmp_path):
    repository = inbox_in(tmp_path)
    for number in range(9):
        repository.commit({"m": numbered_mail(number)})
    *_, lost, tip = repository.git("rev-list", "--reverse", "HEAD").splitlines()
    loose(repository, lost).unlink()
    found, told = read_with_damage(tmp_path / "inbox")
    assert sorted(found) == [0, 1, 2, 3, 4, 5, 6, 8]
    assert told == [f"the history of {tip} cannot be read: messages may be missing, and are in no order"]


def test_corrupt_object_leaves_no_open_file(tmp_path):
    repository = inbox_in(tmp_path)
    for number in range(60):
        data = numbered_mail(number) + b"x" * 999
        repository.commit({"m": data})
        if number % 3:
            path = loose(repository, name_of(data))
            path.write_bytes(path.read_bytes()[:-500])
    done = subprocess.run(
        ["sh", "-c", 'ulimit -n 40; exec "$@"', "sh", *COMMAND, "-c", str(tmp_path / "inbox")],
        capture_output=True, env=ENVIRONMENT, timeout=LIMIT, check=False,
    )  # fmt: skip
    assert (done.returncode, b"40 of the messages are missing" in done.stderr) == (2, True)


# bombs, and git that takes too long


def children():
    """Return the processes of git that this one has started and not yet waited for."""
    numbers = Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()
    return [each for each in numbers if Path(f"/proc/{each}/comm").read_text().startswith("git")]


def test_no_git_process_is_left_after_reading_stops(tmp_path):
    plant_v1(tmp_path / "inbox")
    assert run("-m", "1", tmp_path / "inbox")[:2] == (0, ALL[:1])
    assert not children()


BUSY = f'i=0; while [ $i -lt 60000 ]; do i=$((i + 1)); done; exec {shutil.which("git")} "$@"'
LIMITS = {  # what runs in place of git, the limit (no public option sets it), what is found and told
    "git that does not answer": ("exec sleep 600", "_PATIENCE", 0.5, [], "git does not answer"),
    "git that takes too long": (BUSY, "_SECONDS", 0, [], "git takes too long"),
    "each corrupt object costs another process": (
        BUSY, "_SECONDS", 0.01, [0],
            "2 of the messages are missing in the repository: {}; git takes too long"),
    "a large tree": (None, "_LARGEST_TREE", 64, range(5), "1 of its commits or folders cannot be read: {}"),
}  # fmt: skip


@pytest.mark.parametrize("kind", LIMITS)
def test_what_was_found_before_a_limit_is_read(kind, tmp_path, monkeypatch):
    script, limit, value, found, told = LIMITS[kind]
    repository, name = inbox_in(tmp_path), ""
    for number in range(9):
        repository.commit({"m": numbered_mail(number)})
        if number == 4 and "tree" in kind:
            mail = name_of(numbered_mail(number))
            huge = tree_of(repository, 9_999, blob=mail, m=mail)
            commit_of(repository, huge, repository.git("rev-parse", "HEAD"))
            name = repository.git("rev-parse", "HEAD")
            break
    if "corrupt" in kind:
        name = name_of(numbered_mail(1))
        loose(repository, name).unlink()
        corrupt = loose(repository, name_of(numbered_mail(2)))
        corrupt.write_bytes(corrupt.read_bytes()[:-9])
    if script:
        path = tmp_path / "bin" / "git"
        path.parent.mkdir()
        path.write_text(f"#!/bin/sh\n{script}\n")
        path.chmod(0o755)
        monkeypatch.setenv("PATH", f"{path.parent}:{os.environ['PATH']}")
    monkeypatch.setattr(git_module, limit, value)
    assert read_with_damage(tmp_path / "inbox") == ([*found], [told.format(name)])
    assert not children()


@pytest.mark.parametrize("is_old", [False, True], ids=["v2", "v1"])
def test_what_was_found_before_too_many_names_is_read(is_old, tmp_path, monkeypatch):
    """Names count whether they are read or not, in the commits and in the folders of version 1."""
    repository = Repository(tmp_path / "inbox") if is_old else inbox_in(tmp_path)
    one, two, unread = (stored(repository, numbered_mail(number)) for number in range(3))
    first = {"ab": tree_of(repository, **{"0" * 38: one})} if is_old else {"m": one}
    second = {"cd": tree_of(repository, **{"1" * 38: two})} if is_old else {"m": two}
    huge = tree_of(repository, 40_000, blob=unread)
    trees = [tree_of(repository, **names) for names in (first, second)]
    alternating(repository, [*trees, tree_of(repository, ef=huge) if is_old else huge], 3)
    monkeypatch.setattr(git_module, "BOMB_FLOOR", 1 << 20)  # no public option; it is 256 MiB
    monkeypatch.setattr(git_module, "BOMB_RATIO", 1)
    told = "decompression bomb: over 1 times the size of the repository"
    assert read_with_damage(tmp_path / "inbox") == ([0, 1], [told])
    assert not children()


@pytest.mark.slow
def test_git_is_stopped_by_the_names_that_it_prints(tmp_path):
    """3,000 commits over two trees of 400,000 names print 42 GB, and take less than a megabyte."""
    repository = inbox_in(tmp_path)
    mails = [stored(repository, numbered_mail(number)) for number in range(2)]
    alternating(repository, [tree_of(repository, 400_000, blob=blob, m=blob) for blob in mails], 3_000)
    said = f"urlextract: {tmp_path}/inbox: decompression bomb: over 400 times the size of the repository\n"
    assert run(tmp_path / "inbox") == (2, numbered([0, 1]), said)


def huge_object(repository, kind, unit, count):
    """Write a loose object of ``count`` times ``unit``, which packs well; return its name."""
    header = f"{kind} {len(unit) * count}\0".encode()
    digest, packer = hashlib.sha1(header, usedforsecurity=False), zlib.compressobj(9)
    parts = [packer.compress(header)]
    for _ in range(count // 10_000):
        digest.update(unit * 10_000)
        parts.append(packer.compress(unit * 10_000))
    name = digest.hexdigest()
    loose(repository, name).write_bytes(b"".join([*parts, packer.flush()]))
    return name


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["blob", "tree"])
def test_object_that_is_a_bomb_takes_bounded_memory(kind, tmp_path):
    """What was found before is read."""
    repository = inbox_in(tmp_path)
    repository.commit({"m": mail("<1@example.org>")})
    head = repository.git("rev-parse", "HEAD")
    if kind == "blob":
        tree = tree_of(repository, m=huge_object(repository, kind, bytes(1 << 10), 3 << 20))
    else:
        entry = b"100644 m\0" + bytes.fromhex(name_of(mail("<1@example.org>")))
        tree = huge_object(repository, kind, entry, 6_000_000)
    data = f"tree {tree}\nparent {head}\nauthor a <a@b> 1 +0000\ncommitter a <a@b> 1 +0000\n\nx\n".encode()
    commit = repository.git("hash-object", "-t", "commit", "-w", "--literally", "--stdin", data=data)
    (repository.path / "refs" / "heads" / "master").write_text(commit + "\n")
    script = (
        "import resource, subprocess, sys\n"
        "done = subprocess.run(sys.argv[1:], capture_output=True)\n"
        "print(done.returncode, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024)\n"
        "print(done.stdout.decode(), done.stderr.decode())\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, *COMMAND, str(tmp_path / "inbox")],
        capture_output=True, env=ENVIRONMENT, timeout=3 * LIMIT, check=True,
    )  # fmt: skip
    status, peak, *printed = done.stdout.decode().split()
    assert (int(status), printed[:2], int(peak) < 600) == (2, ALL[:2], True)
    assert kind == "tree" or "bomb:" in printed
