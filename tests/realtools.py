"""Real programs for the tests: installed from Debian if they are missing, and run."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text("utf-8")
EMACS_LISP = ROOT / "urlextract" / "share" / "emacs" / "site-lisp" / "urlextract.el"
LIMIT = 120.0  # seconds: ten times what any of these programs takes on a slow machine
POLICY = Path("/usr/sbin/policy-rc.d")
APT = (
    "apt-get",
    "-o",
    "DPkg::Lock::Timeout=60",
    "-o",
    "Acquire::Retries=1",
    "-o",
    "Acquire::http::Timeout=20",
)
INSTALL = ("install", "-y", "--no-install-recommends", "-o", "Dpkg::Options::=--force-confold")


def need(package: str, program: str, *, settings: dict[str, str] | None = None) -> str:
    """Return the path of a program; install its package if needed, or skip the test."""
    if not shutil.which(program):
        trouble = install(package, tuple((settings or {}).items()))
        if not shutil.which(program):
            pytest.skip(f"no {program}: {trouble or 'it is not in package ' + package}")
    return str(shutil.which(program))


@cache
def install(package: str, settings: tuple[tuple[str, str], ...] = ()) -> str:
    """Install a Debian package; return the reason if that fails, or an empty string."""
    if not shutil.which("apt-get"):
        return "no apt-get to install it with"
    if os.geteuid() != 0:
        return f"only root can install package {package}"
    with alone(), nothing_starts():
        if trouble := apt(*INSTALL, package, settings=settings):
            trouble = update() or apt(*INSTALL, package, settings=settings)
        return "" if trouble and is_installed(package) else trouble


def is_installed(package: str) -> bool:
    """Return whether a package is there, whatever is wrong with others."""
    words = ["dpkg-query", "--show", "--showformat=${Status}", package]
    return subprocess.run(words, capture_output=True, check=False).stdout == b"install ok installed"


@cache
def update() -> str:
    """Fetch the package lists, once; return the reason if that fails, or an empty string."""
    return apt("update")


def apt(*arguments: str, settings: tuple[tuple[str, str], ...] = ()) -> str:
    """Run apt-get; return the last line of its error message, or an empty string."""
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive", **dict(settings)}
    try:
        subprocess.run(
            [*APT, *arguments],
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=5 * LIMIT,
            check=True,
        )
    except subprocess.TimeoutExpired:
        return f"apt-get {arguments[0]} took too long"
    except subprocess.CalledProcessError as error:
        return (error.stderr or error.stdout).decode(errors="replace").strip().rpartition("\n")[2]
    return ""


@contextmanager
def alone() -> Iterator[None]:
    """Keep other runs of these tests from installing at the same time."""
    import fcntl

    with Path(__file__).open() as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


@contextmanager
def nothing_starts() -> Iterator[None]:
    """Keep packages from starting their daemons, by policy-rc.d."""
    if POLICY.exists():
        yield
        return
    POLICY.write_text("#!/bin/sh\nexit 101\n")
    POLICY.chmod(0o755)
    try:
        yield
    finally:
        POLICY.unlink()


def surroundings(home: Path, **more: str) -> dict[str, str]:
    """Return the environment of a program with this home, where `urlextract` is a command."""
    command = home / "bin" / "urlextract"
    if not command.exists():
        write_script(command, f'exec "{sys.executable}" -m urlextract "$@"')
    path = f"{command.parent}:/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin"
    return {"HOME": str(home), "PATH": path, "PYTHONPATH": str(ROOT), "LC_ALL": "C.UTF-8", **more}


def write_script(path: Path, *lines: str) -> None:
    """Write a shell script."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(("#!/bin/sh", *lines, "")))
    path.chmod(0o755)


def run(*command: str | Path, data: bytes = b"", **where: Any) -> bytes:
    """Run a program that must succeed, and return its output."""
    done = subprocess.run(
        list(map(str, command)), input=data, capture_output=True, timeout=LIMIT, check=False, **where
    )
    assert done.returncode == 0, (command, done.returncode, done.stdout, done.stderr)
    return done.stdout


def on_a_terminal(words: Sequence[str | bytes], data: bytes = b"", **environment: str) -> bytes:
    """Run our program with a terminal for stdout and stderr; return what the terminal receives."""
    import pty

    master, slave = pty.openpty()
    with subprocess.Popen(
        [*map(os.fsencode, (sys.executable, "-m", "urlextract")), *map(os.fsencode, words)],
        stdin=subprocess.PIPE,
        stdout=slave,
        stderr=slave,
        env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
    ) as process:
        os.close(slave)
        assert process.stdin
        process.stdin.write(data)
        process.stdin.close()
        shown = b""
        try:
            while got := os.read(master, 65536):
                shown += got
        except OSError:  # a terminal whose other end was closed
            pass
        os.close(master)
    return shown


def extract(*arguments: str | Path, data: bytes = b"") -> list[dict[str, Any]]:
    """Return the JSON records of our program, which must report no error."""
    done = subprocess.run(
        [sys.executable, "-m", "urlextract", "-j", *map(str, arguments)],
        input=data,
        capture_output=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        timeout=LIMIT,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    return read_records(done.stdout)


def read_records(lines: bytes) -> list[dict[str, Any]]:
    """Read JSON lines."""
    return [json.loads(line) for line in lines.splitlines()]


def pick(records: list[dict[str, Any]], *keys: str) -> list[tuple[Any, ...]]:
    """Return some keys of each record."""
    return [tuple(record[key] for key in keys) for record in records]


def wait_until(is_so: Callable[[], object], what: str | Callable[[], str]) -> None:
    """Wait until ``is_so`` returns true; fail after a time limit, and say what was waited for."""
    deadline = time.monotonic() + LIMIT
    while not is_so():
        if time.monotonic() > deadline:
            pytest.fail(f"waited in vain: {what if isinstance(what, str) else what()}")
        time.sleep(0.05)
