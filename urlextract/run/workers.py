"""Processes that do tasks; what they yield is handed on in the order of the tasks.

A process is forked when a task finds none that waits, and lives as long as there are tasks: it compiles the
patterns that it needs once. Tasks and results go through pipes. A process that has written more than its
buffer and its pipe hold waits until its task has its turn.
"""

from __future__ import annotations

import fcntl
import os
import pickle
import signal
import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import suppress
from itertools import pairwise
from typing import Any, BinaryIO, Generic, NoReturn, TypeVar

from urlextract.errors import SourceError

Task = TypeVar("Task")
OnDamage = Callable[[SourceError], None]
Work = Callable[[Task, OnDamage], Iterator[Any]]

RESULT, DAMAGE, DONE, FAILED, NOT_BEGUN = range(5)
"""The steps of a task: a result, damage that was reported, and how it ended."""

_BUFFER = 4 * 1024 * 1024  # bytes
_PATIENCE = 0.5  # seconds that a result may stay in the buffer while others follow
_LOOK = 0.5  # seconds between two checks whether the parent still runs
_PIPE = 1024 * 1024  # bytes that a pipe holds, where this can be set


def in_turn(
    tasks: Iterable[Task], work: Work[Task], jobs: int, *, is_alone: Callable[[Task], bool] = lambda _: False
) -> Generator[tuple[Task, int, Any], None, None]:
    """Do ``work`` on tasks in ``jobs`` processes; yield what comes of each task, in order, step by step.

    Each task yields `RESULT` with each value of ``work``, `DAMAGE` with each error that ``work`` reported,
    and one end: `DONE`; `FAILED` with the reason, if its process has died or ``work`` has raised an
    exception; or `NOT_BEGUN`, alone, for a task that ``is_alone``, or whose process could not be started, and
    for all tasks if ``jobs`` is 0. Those are for the caller. A task that is alone is yielded before the next
    one is taken from ``tasks``; of others, some are taken before.
    """
    processes = _Processes(work)
    begun: deque[tuple[Task, _Process | None]] = deque()
    try:
        for task in tasks:
            alone = not jobs or is_alone(task)
            while begun and (alone or len(begun) >= jobs):
                yield from processes.steps(*begun.popleft())
            if alone:
                yield task, NOT_BEGUN, None
            else:
                begun.append((task, processes.begin(task)))
        while begun:
            yield from processes.steps(*begun.popleft())
    finally:
        processes.end_all()


class _Process:
    """A process, with the stream that it reads tasks from, and the one that it writes steps to."""

    def __init__(self, number: int, tasks: int, steps: int) -> None:
        self.number, self.tasks, self.steps = number, os.fdopen(tasks, "wb"), os.fdopen(steps, "rb")


class _Processes(Generic[Task]):
    """The processes that do ``work``: those that have a task, and those that wait for one."""

    def __init__(self, work: Work[Task]) -> None:
        self._work = work
        self._all: list[_Process] = []
        self._waiting: list[_Process] = []

    def begin(self, task: Task) -> _Process | None:
        """Return the process that has begun a task, None if the system allows no more processes or pipes."""
        process = self._waiting.pop() if self._waiting else self._start()
        if process:
            try:
                pickle.dump(task, process.tasks)
                process.tasks.flush()
            except OSError:  # it was killed
                self._end(process)
                return None
        return process

    def steps(self, task: Task, process: _Process | None) -> Iterator[tuple[Task, int, Any]]:
        """Yield the steps of a task that was begun."""
        if process is None:
            yield task, NOT_BEGUN, None
            return
        kind = RESULT
        while kind in (RESULT, DAMAGE):
            try:
                kind, value = pickle.load(process.steps)  # noqa: S301 - this program's own process wrote it
            except (EOFError, pickle.UnpicklingError):
                self._end(process)
                yield task, FAILED, "the process that read it has died"
                return
            yield task, kind, value
        self._waiting.append(process)

    def end_all(self) -> None:
        """End all processes."""
        while self._all:
            self._end(self._all[0])

    def _end(self, process: _Process) -> None:
        """Kill a process, which has nothing to clean up."""
        self._all.remove(process)
        with suppress(OSError):  # a task that it has not read
            process.tasks.close()
        process.steps.close()
        with suppress(ProcessLookupError, ChildProcessError):
            os.kill(process.number, signal.SIGKILL)
            os.waitpid(process.number, 0)

    def _start(self) -> _Process | None:
        ends: list[int] = []
        parent = os.getpid()
        try:
            ends += os.pipe()
            ends += os.pipe()
            number = os.fork()
        except OSError:
            for end in ends:
                os.close(end)
            return None
        tasks_out, tasks_in, steps_out, steps_in = ends
        if not number:
            self._serve(parent, tasks_out, steps_in)
        os.close(tasks_out)
        os.close(steps_in)
        process = _Process(number, tasks_in, steps_out)
        self._all.append(process)
        return process

    def _serve(self, parent: int, tasks: int, steps: int) -> NoReturn:
        """Do tasks until there are no more and exit, without the clean-up, which is left to the parent."""
        status = 1
        try:
            _end_with(parent)
            # Else others would not see that a pipe is closed: those of other processes, and of git.
            for low, high in pairwise((2, *sorted((tasks, steps)), os.sysconf("SC_OPEN_MAX"))):
                os.closerange(low + 1, high)
            with suppress(AttributeError, OSError):  # Linux has it
                fcntl.fcntl(steps, fcntl.F_SETPIPE_SZ, _PIPE)
            with open(tasks, "rb") as readable, open(steps, "wb", buffering=_BUFFER) as writable:
                while True:
                    task = pickle.load(readable)  # noqa: S301 - the parent wrote it
                    _write_steps(writable, self._work, task)
        except (EOFError, pickle.UnpicklingError):
            status = 0  # there are no more tasks
        except (KeyboardInterrupt, BrokenPipeError):
            pass  # the parent ends, or needs no more results
        finally:
            os._exit(status)


def _write_steps(stream: BinaryIO, work: Work[Task], task: Task) -> None:
    """Do a task; an unexpected exception is told to the parent, and the next task can follow."""

    def tell(damage: SourceError) -> None:
        pickle.dump((DAMAGE, damage), stream)

    flushed = time.monotonic()
    try:
        for result in work(task, tell):
            pickle.dump((RESULT, result), stream)
            if time.monotonic() - flushed > _PATIENCE:
                stream.flush()
                flushed = time.monotonic()
        pickle.dump((DONE, None), stream)
    except BrokenPipeError:
        raise
    except Exception as error:
        pickle.dump((FAILED, f"a fault of this program ({type(error).__name__}: {error})"), stream)
    stream.flush()


def _end_with(parent: int) -> None:
    """Make this process exit soon after its parent, which may be killed."""

    def look(*_: object) -> None:
        if os.getppid() != parent:
            os._exit(1)

    signal.signal(signal.SIGALRM, look)
    signal.setitimer(signal.ITIMER_REAL, _LOOK, _LOOK)
