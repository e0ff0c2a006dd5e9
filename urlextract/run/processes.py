"""Processes of this machine that do tasks: what comes of these is handed on in their order, step by step.

The steps of a task go through a file. What passes through the pipes of the pool is so short that a process
that is killed never leaves half of it there, and memory does not grow with the results. The files have no
names, so that none is left behind.
"""

from __future__ import annotations

import errno
import multiprocessing
import os
import pickle
import signal
import sys
import time
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import BrokenExecutor, Future, ProcessPoolExecutor, wait
from contextlib import ExitStack, contextmanager, suppress
from itertools import cycle
from multiprocessing.connection import Connection
from tempfile import TemporaryFile
from threading import Thread, active_count
from typing import Any, TypeVar

from urlextract.errors import OnDamage, SourceError, UrlExtractError
from urlextract.run.runner import RETRIES, run

Task = TypeVar("Task")
Work = Callable[[Task, OnDamage], Iterator[Any]]

RESULT, DAMAGE, DONE, FAILED = range(4)
"""The steps of a task: a result, damage that was reported, and how it ended."""

ENDS = (DONE, FAILED)

DIED = "the process that read it has died"

_PATIENCE = 0.5  # seconds after which steps are handed on though the task is not done
_LONGEST = 500  # characters of the words of an error
_STOPS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def in_turn(
    tasks: Iterable[Task], work: Work[Task], jobs: int, *, ahead: int = 1, retries: int = RETRIES
) -> Generator[tuple[Task, int, Any], None, None]:
    """Do ``work`` on tasks in ``jobs`` processes; yield what comes of each task, in order, step by step.

    ``jobs + ahead`` tasks are under way, so that some can be done while an earlier one is not.
    Each task yields `RESULT` with each value of ``work``, `DAMAGE` with each error that ``work`` reported,
    and one end: `DONE`, or `FAILED` with the reason, if ``work`` has raised an exception or its process has
    died. Then all tasks under way are tried again, ``retries`` times, each by a process of its own. If
    ``jobs`` is 0, or no process can be started, all are done in this one.
    """
    with ExitStack() as stack:
        exchanges: list[_Exchange] = []
        pool = None
        with suppress(OSError, RuntimeError):  # no directory for files, or too many open ones, or processes
            for _ in range(jobs and jobs + ahead):
                exchanges.append(_Exchange())
                stack.enter_context(exchanges[-1].file)
            pool = _Pool(jobs, work, exchanges) if jobs else None
        if not pool:
            for task in tasks:
                yield from ((task, *step) for step in _steps(work, task))
            return
        stack.callback(pool.close)
        numbered = zip(tasks, cycle(range(len(exchanges))), strict=False)
        for (task, number), future, is_over in run(numbered, pool.begin, len(exchanges), patience=_PATIENCE):
            yield from ((task, *step) for step in exchanges[number].steps())
            if not is_over:
                continue
            tried, left = future, retries
            while _is_broken(tried) and left:
                left -= 1
                exchanges[number].again()
                with _Pool(1, work, exchanges) as alone:
                    tried = alone.submit(task, number)
                    wait([tried])
                yield from ((task, *step) for step in exchanges[number].steps())
            if reason := DIED if _is_broken(tried) else tried.result():
                yield task, FAILED, reason


def _is_broken(future: Future[Any]) -> bool:
    """Return whether the process that did a task has died."""
    return isinstance(future.exception(), BrokenExecutor)


def _steps(work: Work[Task], task: Task) -> Iterator[tuple[int, Any]]:
    """Do a task; yield its steps. An error of the program is raised."""
    damage: list[SourceError] = []
    results = work(task, damage.append)
    end: tuple[int, Any] | None = None
    while not end:
        step: tuple[int, Any] | None = None
        try:
            step = RESULT, next(results)
        except StopIteration:
            end = DONE, None
        except UrlExtractError:
            raise
        except Exception as error:
            end = FAILED, f"a fault of this program ({type(error).__name__}: {error})"[:_LONGEST]
        yield from ((DAMAGE, each) for each in damage)
        damage.clear()
        yield step or end  # type: ignore[misc]  # one of both is there


class _Exchange:
    """A file without a name, through which the steps of a task come."""

    def __init__(self) -> None:
        self._at = 0  # where the next step begins
        self._count = self._known = 0  # steps that were read, also in earlier tries
        with TemporaryFile(buffering=0) as file:
            # A connection is what can be handed over to a process, however it is started
            self.file = Connection(os.dup(file.fileno()))

    def clear(self) -> None:
        """Empty it, for another task."""
        os.ftruncate(self.file.fileno(), 0)
        self._at = self._count = self._known = 0

    def again(self) -> None:
        """Empty it for another try of the task; steps that were yielded are not yielded again."""
        known = max(self._count, self._known)
        self.clear()
        self._known = known

    def steps(self) -> Iterator[tuple[int, Any]]:
        """Yield the further steps of a task that are there."""
        while (data := self._read(8)) and (data := self._read(int.from_bytes(data), 8)):
            self._at += 8 + len(data)
            self._count += 1
            if self._count > self._known:
                yield pickle.loads(data)  # noqa: S301 - this program wrote it

    def _read(self, size: int, behind: int = 0) -> bytes:
        """Return ``size`` bytes from ``behind`` bytes after the start of a step, b"" if fewer are there."""
        data = os.pread(self.file.fileno(), size, self._at + behind)
        return data if len(data) == size else b""


# --- processes ------------------------------------------------------------------------------------


class _Pool:
    """A pool of processes, which end when it is closed, or when this process ends, whatever they are doing.

    Raise `OSError` or `RuntimeError` if they cannot be started.
    """

    def __init__(self, jobs: int, work: Work[Any], exchanges: list[_Exchange]) -> None:
        self._jobs, self._work, self._exchanges = jobs, work, exchanges
        self._start()

    def _start(self) -> None:
        """Start all processes at once."""
        # A process that is forked beside threads may wait for ever for what they have locked
        method = "fork" if sys.platform == "linux" and active_count() == 1 else "spawn"
        arguments = self._work, [each.file for each in self._exchanges], os.getpid()
        context = multiprocessing.get_context(method)
        with _startable():
            self._executor = ProcessPoolExecutor(self._jobs, context, _begin, arguments)
            self._executor._safe_to_dynamically_spawn_children = False  # type: ignore[attr-defined]
            try:
                self._executor.submit(os.getpid)
            except (OSError, RuntimeError):
                self.close()
                raise

    def begin(self, each: tuple[Any, int]) -> Future[Any]:
        """Submit a task, by the number of an exchange that is free; if a process has died, to new ones."""
        task, number = each
        self._exchanges[number].clear()
        try:
            return self.submit(task, number)
        except BrokenExecutor:
            self.close()
            self._start()
            return self.submit(task, number)

    def submit(self, task: Any, number: int) -> Future[Any]:
        """Submit a task."""
        return self._executor.submit(_do, task, number)

    def __enter__(self) -> _Pool:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the processes."""
        processes = list(self._executor._processes.values())
        for process in processes:
            process.kill()
        self._executor.shutdown()
        for process in processes:
            process.join()


@contextmanager
def _startable() -> Iterator[None]:
    """Have processes start without harm.

    They get no signal until they know what to do with it. Python, where it is started anew, imports no
    modules of the current directory; its process that removes semaphores of others prints nothing.
    """
    before = os.environ.get("PYTHONSAFEPATH")
    blocked = signal.pthread_sigmask(signal.SIG_BLOCK, _STOPS)
    os.environ["PYTHONSAFEPATH"] = "1"
    sys.warnoptions.append("ignore:resource_tracker:UserWarning")
    try:
        yield
    finally:
        sys.warnoptions.pop()
        del os.environ["PYTHONSAFEPATH"]
        if before is not None:
            os.environ["PYTHONSAFEPATH"] = before
        signal.pthread_sigmask(signal.SIG_SETMASK, blocked)


_served: list[tuple[Work[Any], list[Connection]]] = []  # in a process: its work, and the exchanges


def _begin(work: Work[Any], exchanges: list[Connection], parent: int) -> None:
    """Prepare a process for its work."""
    Thread(target=_end_with, args=(parent,), daemon=True).start()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent ends this process
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    if signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:  # as under nohup
        signal.signal(signal.SIGHUP, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, _STOPS)
    _served.append((work, exchanges))


def _end_with(parent: int) -> None:
    """End this process when its parent has ended: it has nothing to clean up."""
    while os.getppid() == parent:
        time.sleep(_PATIENCE)
    os._exit(1)


def _do(task: Any, number: int) -> str | None:
    """Do a task; write its steps into an exchange. Return why that is not possible, None if it is."""
    work, exchanges = _served[-1]
    file, end = exchanges[number].fileno(), 0
    for step in _steps(work, task):
        data = pickle.dumps(step)
        data = len(data).to_bytes(8) + data
        try:
            if os.pwrite(file, data, end) < len(data):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))  # noqa: TRY301 - as if it had failed
        except OSError as error:
            return f"what is found in it cannot be kept in a temporary file: {error.strerror}"
        end += len(data)
    return None
