"""The command line, run within the test's own process or, where that is what is tested, as another one."""

from __future__ import annotations

import gc
import io
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any, NoReturn
from unittest import mock

from realtools import LIMIT, ROOT

COMMAND = [sys.executable, "-m", "urlextract"]
BEGUN = b"begun\n"
TELLING = [
    sys.executable,
    "-c",
    f"""
from urlextract import __main__ as program
begin = program._run
def told():
    print({BEGUN.decode().strip()!r}, flush=True)
    begin()
program._run = told
program.main()
""",
]
"""The command with a first line of output that says that it has begun, so that a signal is not too early."""
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT)}

_OF_PROCESSES = ("-J", "--jobs", "cluster")
"""Words of commands that start processes of their own: to fork the process of the tests would copy it all."""


def run(
    *words: object,
    data: bytes | str = b"",
    env: Mapping[str, str] = ENVIRONMENT,
    cwd: str | Path | None = None,
    **how: Any,
) -> subprocess.CompletedProcess[bytes]:
    """Run ``urlextract`` with these words and this standard input; the test looks at the exit status.

    It is run in this process, which has its modules already, with standard streams, environment and
    directory of its own; as a process of its own if it starts others, if Python itself is to be another one
    (``PYTHONPATH``), or with more of ``how`` (a limit of time, a session).
    """
    data = data.encode() if isinstance(data, str) else data
    texts = [os.fsdecode(word if isinstance(word, bytes) else str(word)) for word in words]
    is_other = any(
        env.get(name) != ENVIRONMENT.get(name) for name in {*env, *ENVIRONMENT} if name[:6] == "PYTHON"
    )
    if how or is_other or any(text.startswith(_OF_PROCESSES) and text != "-J1" for text in texts):
        return started(*texts, data=data, env=env, cwd=cwd, **how)
    with ExitStack() as stack:
        output, errors = (stack.enter_context(tempfile.TemporaryFile()) for _ in range(2))
        stack.enter_context(
            _descriptors(stack.enter_context(_pipe_with(data)), output.fileno(), errors.fileno())
        )
        stack.enter_context(mock.patch.dict(os.environ, env, clear=True))
        stack.enter_context(_directory(cwd))
        status = _status_of_main(texts)
        printed = [_content_of(file) for file in (output, errors)]
    return subprocess.CompletedProcess([*COMMAND, *texts], status, *printed)


def started(*words: object, data: bytes | str = b"", **how: Any) -> subprocess.CompletedProcess[bytes]:
    """Run ``urlextract`` as `run` does, but as a process of its own."""
    data = data.encode() if isinstance(data, str) else data
    how = {"env": ENVIRONMENT, "timeout": LIMIT, **how}
    texts = [word if isinstance(word, bytes) else str(word) for word in words]
    return subprocess.run([*COMMAND, *texts], input=data, capture_output=True, check=False, **how)


def with_module(folder: Path, name: str, source: str, **more: str) -> dict[str, str]:
    """Return an environment in which Python finds a module with this source first."""
    (folder / "path").mkdir(exist_ok=True)
    (folder / "path" / f"{name}.py").write_text(source)
    return {**ENVIRONMENT, "PYTHONPATH": f"{folder / 'path'}{os.pathsep}{ROOT}", **more}


def outcome(*words: object, data: bytes | str = b"", **how: Any) -> tuple[int, str, str]:
    """Run ``urlextract``; return the exit status, the output and the error messages."""
    done = run(*words, data=data, **how)
    return done.returncode, done.stdout.decode("utf-8", "surrogateescape"), done.stderr.decode()


def lines(done: subprocess.CompletedProcess[bytes]) -> list[str]:
    """Return the lines of the output."""
    return done.stdout.decode().splitlines()


def until_it_has_worked(process: subprocess.Popen[bytes], seconds: float = 0.1) -> None:
    """Return when a process has used so much processor time, or has ended."""
    least = seconds * os.sysconf("SC_CLK_TCK")
    while process.poll() is None:
        fields = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
        if int(fields[11]) + int(fields[12]) >= least:  # user and system time: proc(5)
            return
        time.sleep(0.01)


# --- one call of main ------------------------------------------------------------------------------


def _status_of_main(words: list[str]) -> int:
    """Call the program with new streams of Python on descriptors 0, 1 and 2; return its exit status."""
    from urlextract import __main__ as program

    home, end_process = os.getpid(), os._exit

    def leave(status: int) -> NoReturn:
        if os.getpid() != home:  # a process that the program has forked
            end_process(status)
        raise _LeftError(status)

    streams = [
        io.TextIOWrapper(os.fdopen(number, mode, closefd=False), encoding="utf-8", errors=errors)
        for number, mode, errors in (
            (0, "rb", "surrogateescape"),
            (1, "wb", "surrogateescape"),
            (2, "wb", "backslashreplace"),
        )
    ]
    names = dict(zip(("stdin", "stdout", "stderr"), streams, strict=True))
    try:
        with (
            mock.patch.multiple(sys, argv=["urlextract", *words], **names),
            mock.patch.object(os, "_exit", leave),
        ):
            program.main()
    except _LeftError as left:
        return left.status
    except SystemExit as end:
        status = end.code or 0
        return status if isinstance(status, int) else 1
    finally:
        gc.enable()  # the program turns it off
        for stream in streams:
            with suppress(OSError):
                stream.close()
    return 0


class _LeftError(BaseException):
    """The program has called os._exit, with this status."""

    def __init__(self, status: int) -> None:
        self.status = status


@contextmanager
def _descriptors(*numbers: int) -> Iterator[None]:
    """Make these descriptors 0, 1 and 2."""
    kept = [os.dup(number) for number in range(3)]
    try:
        for number, its in enumerate(numbers):
            os.dup2(its, number)
        yield
    finally:
        for number, its in enumerate(kept):
            os.dup2(its, number)
            os.close(its)


@contextmanager
def _pipe_with(data: bytes) -> Iterator[int]:
    """Yield a pipe from which these bytes can be read."""
    read, write = os.pipe()

    def fill() -> None:
        with suppress(BrokenPipeError), os.fdopen(write, "wb") as pipe:
            pipe.write(data)

    thread = threading.Thread(target=fill)
    thread.start()
    try:
        yield read
    finally:
        os.close(read)
        thread.join()


@contextmanager
def _directory(path: str | Path | None) -> Iterator[None]:
    """Work in another directory."""
    before = os.open(".", os.O_RDONLY)
    try:
        os.chdir(path or ".")
        yield
    finally:
        os.fchdir(before)
        os.close(before)


def _content_of(file: Any) -> bytes:
    file.seek(0)
    content: bytes = file.read()
    return content
