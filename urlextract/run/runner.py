"""Have processes do tasks, and hand on what comes of these in the order of the tasks.

`run` does that with any executor of `concurrent.futures`; `in_turn` with processes of this machine. There a
task and its results go through a file: what passes through the pipes of the pool is so short that a process
that is killed never leaves half of it, and memory does not grow with the results. The files have no names,
so that none is left behind.
"""

from __future__ import annotations

import errno
import multiprocessing
import os
import pickle
import signal
import sys
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future, ProcessPoolExecutor
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from functools import partial
from itertools import cycle
from multiprocessing.connection import Connection, Pipe
from tempfile import TemporaryFile
from threading import Thread
from typing import Any, BinaryIO, Generic, TypeVar

from urlextract.errors import SourceError

Task = TypeVar("Task")
OnDamage = Callable[[SourceError], None]
Work = Callable[[Task, OnDamage], Iterator[Any]]
ExecutorOf = Callable[[bool], AbstractContextManager[Executor]]

RESULT, DAMAGE, DONE, FAILED, ALONE = range(5)
"""The steps of a task: a result, damage that was reported, and how it ended."""

DIED = "the process that read it has died"

_RETRIES = 2
_AHEAD = 1  # tasks more than processes: one that is done need not wait for its turn
_LONGEST = 1000  # characters of the words of an error: less than a pipe takes at once
_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
_STOPS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class NotStartedError(BrokenExecutor):
    """No process can be started: the system allows no more."""


def run(
    executor_of: ExecutorOf,
    tasks: Iterable[Task],
    begin: Callable[[Executor, Task], Future[Any]],
    window: int,
    *,
    retries: int = _RETRIES,
    is_alone: Callable[[Task], bool] = lambda _: False,
) -> Iterator[tuple[Task, Future[Any] | None]]:
    """Yield the tasks in their order, each with its future, which is done.

    ``begin`` submits a task; at most ``window`` tasks are under way. ``executor_of`` makes the executor that
    they are submitted to. If it breaks, because a process has died, those under way are done one at a time by
    an executor of one process, ``executor_of(True)``, and each that breaks this is tried again, ``retries``
    times in all. Its future then has a `BrokenExecutor`; all others, and those that follow, are done.

    A task that ``is_alone`` has no future: the caller does it before the next one is taken from ``tasks``.
    """
    runner = _Runner(executor_of, begin, retries)
    try:
        for task in tasks:
            if is_alone(task):
                while runner.begun:
                    yield from runner.first()
                yield task, None
                continue
            runner.begun.append((task, runner.begin(task)))
            while runner.begun and (len(runner.begun) >= window or runner.begun[0][1].done()):
                yield from runner.first()
        while runner.begun:
            yield from runner.first()
    finally:
        runner.end()


class _Runner(Generic[Task]):
    """The tasks that are under way, and the executor that does them."""

    def __init__(
        self, executor_of: ExecutorOf, begin: Callable[[Executor, Task], Future[Any]], retries: int
    ) -> None:
        self._executor_of, self._begin, self._retries = executor_of, begin, retries
        self._stack = ExitStack()
        self._executor: Executor | None = None
        self._refusals = 0  # after one, there is one process; after two, none
        self.begun: deque[tuple[Task, Future[Any]]] = deque()

    def begin(self, task: Task, *, by_one: bool = False) -> Future[Any]:
        """Submit a task; the future of one that cannot be submitted has the reason."""
        try:
            if self._executor is None:
                if self._refusals > 1:
                    raise NotStartedError
                by_one = by_one or self._refusals == 1
                self._executor = self._stack.enter_context(self._executor_of(by_one))
            return self._begin(self._executor, task)
        except BrokenExecutor as error:
            self._refusals += isinstance(error, NotStartedError)
            future: Future[Any] = Future()
            future.set_exception(error)
            return future

    def first(self) -> Iterator[tuple[Task, Future[Any]]]:
        """Yield the first task that is under way; if a process has died, all of them."""
        if not _is_broken(self.begun[0][1]):
            yield self.begun.popleft()
            return
        self.end()
        while self.begun:
            task, future = self.begun.popleft()
            yield task, self._again(task) if _is_broken(future) else future
        self.end()

    def _again(self, task: Task) -> Future[Any]:
        """Return the future of a task that is tried again by one process."""
        for _ in range(max(1, self._retries)):
            future = self.begin(task, by_one=True)
            if not _is_broken(future):
                break
            self.end()
        return future

    def end(self) -> None:
        """End the executor; the next task that is begun gets another one."""
        self._stack.close()
        self._executor = None


def _is_broken(future: Future[Any]) -> bool:
    """Wait for a future; return whether the process that did it has died."""
    try:
        return isinstance(future.exception(), BrokenExecutor)
    except CancelledError:  # by another one
        return False


def in_turn(
    tasks: Iterable[Task],
    work: Work[Task],
    jobs: int,
    *,
    retries: int = _RETRIES,
    is_alone: Callable[[Task], bool] = lambda _: False,
) -> Generator[tuple[Task, int, Any], None, None]:
    """Do ``work`` on tasks in ``jobs`` processes; yield what comes of each task, in order, step by step.

    Each task yields `RESULT` with each value of ``work``, `DAMAGE` with each error that ``work`` reported,
    and one end: `DONE`, or `FAILED` with the reason, if its process has died each time or ``work`` has raised
    an exception. A task whose process cannot be started is done in this one, as are all if ``jobs`` is 0;
    then its steps come one by one. A task that ``is_alone`` yields `ALONE`, and nothing else: the caller does
    it before the next one is taken from ``tasks``.
    """
    with ExitStack() as stack:
        exchanges: list[_Exchange] = []
        with suppress(OSError):  # no directory for them, or too many open files
            exchanges += [stack.enter_context(_Exchange()) for _ in range(jobs and jobs + _AHEAD)]

        def handed_over() -> Iterator[tuple[Task, int, bool]]:
            """Yield the tasks, each with the number of a free exchange, and whether it is in that."""
            for number, task in zip(cycle(range(len(exchanges) or 1)), tasks, strict=False):
                is_put = bool(exchanges) and not is_alone(task) and exchanges[number].put(task)
                yield task, number, is_put

        for (task, number, _), future in run(
            lambda by_one: _Pool(1 if by_one else jobs, work, exchanges),
            handed_over(),
            lambda executor, each: executor.submit(_do, each[1]),
            len(exchanges),
            retries=retries,
            is_alone=lambda each: not each[2],
        ):
            if is_alone(task):
                yield task, ALONE, None
            elif future is None or isinstance(future.exception(), NotStartedError):
                yield from ((task, *step) for step in _done_here(work, task))
                yield task, DONE, None
            elif future.exception():
                yield task, FAILED, DIED
            else:
                steps, reason = future.result()
                yield from ((task, *step) for step in exchanges[number].steps(steps))
                yield task, DONE if reason is None else FAILED, reason


def _done_here(work: Work[Task], task: Task) -> Iterator[tuple[int, Any]]:
    """Do a task in this process; yield its steps."""
    damage: list[SourceError] = []

    def reported() -> Iterator[tuple[int, Any]]:
        while damage:
            yield DAMAGE, damage.pop(0)

    for result in work(task, damage.append):
        yield from reported()
        yield RESULT, result
    yield from reported()


class _Exchange:
    """A file without a name, through which a task goes to a process, and its steps come back behind it."""

    def __init__(self) -> None:
        self._length = 0  # of the task
        with TemporaryFile(buffering=0) as file:
            # A connection is what can be handed over to a process, however it is started
            self.file = Connection(os.dup(file.fileno()))

    def __enter__(self) -> _Exchange:
        return self

    def __exit__(self, *_: object) -> None:
        self.file.close()

    def put(self, task: Any) -> bool:
        """Write a task; return whether there is space for it."""
        try:
            with _opened(self.file) as stream:
                stream.truncate()
                pickle.dump(task, stream)
                self._length = stream.tell()
        except OSError:
            return False
        return True

    def steps(self, count: int) -> Iterator[tuple[int, Any]]:
        """Yield so many steps."""
        with _opened(self.file) as stream:
            stream.seek(self._length)
            for _ in range(count):
                yield pickle.load(stream)  # noqa: S301 - this program's own process wrote it


def _opened(file: Connection) -> BinaryIO:
    """Return the stream of an exchange, which this process and another one use by turns."""
    os.lseek(file.fileno(), 0, os.SEEK_SET)
    return open(file.fileno(), "r+b", closefd=False)


# --- processes ------------------------------------------------------------------------------------


class _Pool(ProcessPoolExecutor):
    """Processes that end with this one, or when the pool does, whatever they are doing.

    Each of them waits for the end of a pipe, whose other end is open in this process alone.
    """

    def __init__(self, jobs: int, work: Work[Any], exchanges: Iterable[_Exchange]) -> None:
        method = _start_method()
        files = [each.file for each in exchanges]
        kept = {file.fileno() for file in files}
        # Others would not see that their pipes are closed: processes of other pools, and git
        inherited = [number for number in _open_files() if number not in kept] if method == "fork" else []
        try:
            self._end_there, self._end_here = ends = Pipe(duplex=False)
            begin = partial(_begin, work, files, *ends, inherited)
            super().__init__(jobs, multiprocessing.get_context(method), begin)
        except (OSError, NotImplementedError) as error:
            raise NotStartedError from error

    def submit(self, function: Callable[..., Any], /, *arguments: Any, **more: Any) -> Future[Any]:
        """Submit a call: the first one starts processes."""
        try:
            with _stops_blocked(), _nothing_planted():
                return super().submit(function, *arguments, **more)
        except OSError as error:
            raise NotStartedError from error

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End all processes at once."""
        self._end_here.close()
        for process in [] if self._executor_manager_thread else list(self._processes.values()):
            process.join()  # the last ones could not be started, and nobody waits for these
        super().shutdown(wait, cancel_futures=cancel_futures)
        self._end_there.close()


def _start_method() -> str:
    """Return how processes are started: as the program has chosen, or forked if it has one thread.

    A process that is forked beside threads may wait for ever for what they have locked.
    """
    if chosen := multiprocessing.get_start_method(allow_none=True):
        return chosen
    with suppress(OSError):  # only Linux has it, and only there a fork is safe
        if len(os.listdir("/proc/self/task")) == 1:
            return "fork"
    methods = [each for each in multiprocessing.get_all_start_methods() if each != "fork"]
    return methods[0]


def _open_files() -> Iterator[int]:
    """Yield the numbers of the open files of this process, but for the standard streams."""
    with suppress(FileNotFoundError):
        for number in map(int, os.listdir("/dev/fd")):
            with suppress(OSError):  # the one by which they were listed
                os.fstat(number)
                if number > 2:
                    yield number


@contextmanager
def _stops_blocked() -> Iterator[None]:
    """Keep signals from processes that are started until they know what to do with them."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _STOPS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def _nothing_planted() -> Iterator[None]:
    """Keep Python, where it is started anew, from importing modules of the current directory.

    Its process that removes semaphores of those that were killed is not to print how many these were.
    """
    before = os.environ.get("PYTHONSAFEPATH")
    os.environ["PYTHONSAFEPATH"] = "1"
    sys.warnoptions.append("ignore:resource_tracker:UserWarning")
    try:
        yield
    finally:
        sys.warnoptions.pop()
        del os.environ["PYTHONSAFEPATH"]
        if before is not None:
            os.environ["PYTHONSAFEPATH"] = before


_served: list[tuple[Work[Any], list[Connection]]] = []  # in a process: its work, and the exchanges


def _begin(
    work: Work[Any], exchanges: list[Connection], own: Connection, of_parent: Connection, inherited: list[int]
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


def _do(number: int) -> tuple[int, str | None]:
    """Do the task in an exchange; return the number of its steps, and why it has failed if it has."""
    work, exchanges = _served[-1]
    steps = 0

    def add(kind: int, value: Any) -> None:
        nonlocal steps
        pickle.dump((kind, value), stream)
        steps += 1

    reason = None
    try:
        with _opened(exchanges[number]) as stream:
            try:
                task = pickle.load(stream)  # noqa: S301 - the parent wrote it
                stream.truncate(stream.tell())  # what a process wrote that has died
                for result in work(task, partial(add, DAMAGE)):
                    add(RESULT, result)
            except Exception as error:
                if isinstance(error, OSError) and error.errno in _FULL:
                    raise
                reason = f"a fault of this program ({type(error).__name__}: {error})"[:_LONGEST]
    except OSError as error:  # all of it is in doubt
        return 0, f"what was found in it cannot be kept in a temporary file: {error.strerror}"
    return steps, reason
