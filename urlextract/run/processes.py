"""Processes of this machine that do tasks: what comes of these is handed on in their order, step by step.

A task and its steps go through a file. What passes through the pipes of the pool is so short that a process
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
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from itertools import cycle
from multiprocessing.connection import Connection, Pipe
from tempfile import TemporaryFile
from threading import Thread, active_count
from typing import Any, TypeVar

from urlextract.errors import SourceError, UrlExtractError
from urlextract.run.runner import RETRIES, run

Task = TypeVar("Task")
OnDamage = Callable[[SourceError], None]
Work = Callable[[Task, OnDamage], Iterator[Any]]  # of values that are not None

RESULT, DAMAGE, DONE, FAILED = range(4)
"""The steps of a task: a result, damage that was reported, and how it ended."""

ENDS = (DONE, FAILED)

DIED = "the process that read it has died"

_PATIENCE = 0.5  # seconds after which steps are handed on though the task is not done
_LONGEST = 500  # characters of the words of an error: less than a pipe takes at once
_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
_STOPS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def in_turn(
    tasks: Iterable[Task],
    work: Work[Task],
    jobs: int,
    *,
    ahead: int = 1,
    retries: int = RETRIES,
    is_here: Callable[[Task], bool] = lambda _: False,
) -> Generator[tuple[Task, int, Any], None, None]:
    """Do ``work`` on tasks in ``jobs`` processes; yield what comes of each task, in order, step by step.

    There are ``ahead`` tasks more under way than processes: so many can be done before it is their turn.
    Each task yields `RESULT` with each value of ``work``, `DAMAGE` with each error that ``work`` reported,
    and one end: `DONE`, or `FAILED` with the reason, if its process has died each time or ``work`` has raised
    an exception. A task whose process cannot be started is done in this one, as are all if ``jobs`` is 0, and
    one that ``is_here``, before the next one is taken from ``tasks``; then its steps come one by one.
    """
    with ExitStack() as stack:
        exchanges: list[_Exchange] = []
        with suppress(OSError):  # no directory for them, or too many open files
            for _ in range(jobs and jobs + ahead):
                exchanges.append(_Exchange())
                stack.enter_context(exchanges[-1].file)

        def handed_over() -> Iterator[tuple[Task, int, bool]]:
            """Yield the tasks, each with the number of a free exchange, and whether it is in that."""
            for number, task in zip(cycle(range(len(exchanges) or 1)), tasks, strict=False):
                is_put = bool(exchanges) and not is_here(task) and exchanges[number].put(task)
                yield task, number, is_put

        for (task, number, _), future, is_over in run(
            lambda by_one: _processes(1 if by_one else jobs, work, exchanges),
            handed_over(),
            lambda executor, each: executor.submit(_do, each[1]),
            len(exchanges),
            retries=retries,
            is_alone=lambda each: not each[2],
            patience=_PATIENCE,
        ):
            if future is None:
                yield from ((task, *step) for step in _done_here(work, task))
            else:
                yield from ((task, *step) for step in exchanges[number].steps(future))
                if is_over:
                    reason = DIED if future.exception() else future.result()
                    yield task, FAILED if reason else DONE, reason


def _done_here(work: Work[Task], task: Task) -> Iterator[tuple[int, Any]]:
    """Do a task in this process; yield its steps."""
    damage: list[SourceError] = []
    results = work(task, damage.append)
    reason = None
    while True:
        try:
            result = next(results, None)
        except UrlExtractError:
            raise
        except Exception as error:
            result, reason = None, _in_words(error)
        yield from ((DAMAGE, each) for each in damage)
        damage.clear()
        if result is None:
            yield (FAILED, reason) if reason else (DONE, None)
            return
        yield RESULT, result


def _in_words(error: Exception) -> str:
    return f"a fault of this program ({type(error).__name__}: {error})"[:_LONGEST]


class _Exchange:
    """A file without a name, through which a task goes to a process, and its steps come back behind it."""

    def __init__(self) -> None:
        self._of: Future[Any] | None = None  # the last try
        self._begin = self._at = 0  # where its steps begin, and the next one
        self._count = 0  # steps that were handed on
        with TemporaryFile(buffering=0) as file:
            # A connection is what can be handed over to a process, however it is started
            self.file = Connection(os.dup(file.fileno()))

    def put(self, task: Any) -> bool:
        """Write a task; return whether there is space for it."""
        try:
            os.ftruncate(self.file.fileno(), 0)
            self._begin = _write(self.file, 0, task)
        except OSError:
            return False
        self._of, self._count = None, 0
        return True

    def steps(self, future: Future[Any]) -> Iterator[tuple[int, Any]]:
        """Yield the further steps of a task that are there; those of another try are the same."""
        known = 0
        if future is not self._of:
            self._of, self._at, known = future, self._begin, self._count
        with suppress(EOFError):
            while True:
                step, self._at = _read(self.file, self._at)
                if known:
                    known -= 1
                else:
                    self._count += 1
                    yield step


def _write(file: Connection, at: int, value: Any) -> int:
    """Write a value at an offset; return where it ends."""
    data = pickle.dumps(value)
    data = len(data).to_bytes(8) + data
    if os.pwrite(file.fileno(), data, at) < len(data):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    return at + len(data)


def _read(file: Connection, at: int) -> tuple[Any, int]:
    """Return the value at an offset, and where it ends; raise `EOFError` if it is not there to its end."""
    length = int.from_bytes(os.pread(file.fileno(), 8, at))
    data = os.pread(file.fileno(), length, at + 8)
    if not data or len(data) < length:
        raise EOFError
    return pickle.loads(data), at + 8 + length  # noqa: S301 - this program wrote it


# --- processes ------------------------------------------------------------------------------------


@contextmanager
def _processes(jobs: int, work: Work[Any], exchanges: list[_Exchange]) -> Iterator[Executor | None]:
    """Yield an executor of processes, None if they cannot be started.

    All are started at once. They end when the context does, or this process, whatever they are doing: each
    of them waits for the end of a pipe, whose other end is open in this process alone.
    """
    method = _start_method()
    files = [each.file for each in exchanges]
    # Others would not see that their pipes are closed: processes of other executors, and git
    inherited = _open_files() - {file.fileno() for file in files} if method == "fork" else set()
    pool = started = None
    with ExitStack() as stack:
        with suppress(OSError, RuntimeError), _startable():
            own, ours = map(stack.enter_context, Pipe(duplex=False))
            arguments = work, files, own, ours, inherited
            pool = ProcessPoolExecutor(jobs, multiprocessing.get_context(method), _begin, arguments)
            pool._safe_to_dynamically_spawn_children = False  # type: ignore[attr-defined]
            started = pool.submit(os.getpid)
        try:
            yield pool if started else None
        finally:
            if pool:
                ours.close()
                for process in [] if started else pool._processes.values():
                    process.join()  # the last ones could not be started, and nobody waits for these
                pool.shutdown(wait=started is not None)


def _start_method() -> str:
    """Return how processes are started: as the program has chosen, or forked if it has one thread.

    A process that is forked beside threads may wait for ever for what they have locked.
    """
    if chosen := multiprocessing.get_start_method(allow_none=True):
        return chosen
    if sys.platform == "linux" and active_count() == 1:  # on others a fork is never safe
        return "fork"
    return next(each for each in multiprocessing.get_all_start_methods() if each != "fork")


def _open_files() -> set[int]:
    """Return the numbers of the open files of this process, but for the standard streams."""
    numbers: set[int] = set()
    with suppress(FileNotFoundError):
        for number in map(int, os.listdir("/dev/fd")):
            with suppress(OSError):  # the one by which they were listed
                os.fstat(number)
                numbers.add(number)
    return numbers - {0, 1, 2}


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


def _begin(
    work: Work[Any], exchanges: list[Connection], own: Connection, of_parent: Connection, inherited: set[int]
) -> None:
    """Prepare a process for its work."""
    of_parent.close()
    for number in inherited:
        with suppress(OSError):
            os.close(number)
    Thread(target=_end_with, args=(own,), daemon=True).start()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent ends this process
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    if signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:  # as under nohup
        signal.signal(signal.SIGHUP, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, _STOPS)
    _served.append((work, exchanges))


def _end_with(parent: Connection) -> None:
    """End this process when the other end of a pipe is closed: it has nothing to clean up."""
    with suppress(EOFError, OSError):
        parent.recv_bytes()
    os._exit(1)


def _do(number: int) -> str | None:
    """Do the task in an exchange; return why it has failed, None if it is done."""
    work, exchanges = _served[-1]
    file = exchanges[number]
    end = 0

    def add(kind: int, value: Any) -> None:
        nonlocal end
        end = _write(file, end, (kind, value))

    try:
        task, end = _read(file, 0)
        os.ftruncate(file.fileno(), end)  # what a process has written that died
        for result in work(task, partial(add, DAMAGE)):
            add(RESULT, result)
    except Exception as error:
        if isinstance(error, OSError) and error.errno in _FULL:
            return f"what is found in it cannot be kept in a temporary file: {error.strerror}"
        return _in_words(error)
    return None
