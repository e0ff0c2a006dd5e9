"""Hand tasks to an executor of `concurrent.futures`, and hand on what comes of them in their order."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future, wait
from contextlib import AbstractContextManager, ExitStack
from typing import Any, Generic, TypeVar

Task = TypeVar("Task")
ExecutorOf = Callable[[bool], AbstractContextManager[Executor | None]]

RETRIES = 2


def run(
    executor_of: ExecutorOf,
    tasks: Iterable[Task],
    begin: Callable[[Executor, Task], Future[Any]],
    window: int,
    *,
    retries: int = RETRIES,
    is_alone: Callable[[Task], bool] = lambda _: False,
    patience: float | None = None,
) -> Iterator[tuple[Task, Future[Any] | None, bool]]:
    """Yield the tasks in their order, each with its future, and whether it is over.

    ``begin`` submits a task; at most ``window`` tasks are under way. ``executor_of`` makes the executor that
    they are submitted to. If it breaks, because a process has died, those under way are done one at a time by
    an executor of one process, ``executor_of(True)``, and each that breaks this is tried again, ``retries``
    times in all. Its future then has a `BrokenExecutor`; all others, and those that follow, are done.

    A task that ``is_alone`` has no future: the caller does it before the next one is taken from ``tasks``.
    Nor has any task after ``executor_of`` has given None. With ``patience``, the first task is also
    yielded each so many seconds while it is not over.
    """
    with ExitStack() as stack:
        runner = _Runner(stack, executor_of, begin, retries, patience)
        for task in tasks:
            if is_alone(task):
                while runner.begun:
                    yield from runner.first()
                yield task, None, True
                continue
            runner.begun.append((task, runner.begin(task)))
            while runner.begun and (len(runner.begun) >= window or _is_done(runner.begun[0][1])):
                yield from runner.first()
        while runner.begun:
            yield from runner.first()


class _Runner(Generic[Task]):
    """The tasks that are under way, and the executor that does them, which ends with ``stack``."""

    def __init__(
        self,
        stack: ExitStack,
        executor_of: ExecutorOf,
        begin: Callable[[Executor, Task], Future[Any]],
        retries: int,
        patience: float | None,
    ) -> None:
        self._stack, self._executor_of, self._begin = stack, executor_of, begin
        self._retries, self._patience = retries, patience
        self._executor: Executor | None = None
        self._is_refused = False
        self.begun: deque[tuple[Task, Future[Any] | None]] = deque()

    def begin(self, task: Task, *, by_one: bool = False) -> Future[Any] | None:
        """Submit a task; the future of one that is submitted to a broken executor has the error."""
        if self._executor is None and not self._is_refused:
            self._executor = self._stack.enter_context(self._executor_of(by_one))
            self._is_refused = self._executor is None
        try:
            return self._begin(self._executor, task) if self._executor else None
        except BrokenExecutor as error:
            future: Future[Any] = Future()
            future.set_exception(error)
            return future

    def first(self) -> Iterator[tuple[Task, Future[Any] | None, bool]]:
        """Yield the first task that is under way; if a process has died, all of them."""
        task, future = self.begun[0]
        while future and wait([future], self._patience).not_done:
            yield task, future, False
        if not _is_broken(future):
            self.begun.popleft()
            yield task, future, True
            return
        self._end()
        while self.begun:
            task, future = self.begun.popleft()
            for _ in range(max(1, self._retries)):
                if not _is_broken(future):
                    break
                future = self.begin(task, by_one=True)
                if _is_broken(future):
                    self._end()
            yield task, future, True
        self._end()

    def _end(self) -> None:
        """End the executor; the next task that is begun gets another one."""
        self._stack.close()
        self._executor = None


def _is_done(future: Future[Any] | None) -> bool:
    return future is None or future.done()


def _is_broken(future: Future[Any] | None) -> bool:
    """Wait for a future; return whether the process that did it has died."""
    try:
        return future is not None and isinstance(future.exception(), BrokenExecutor)
    except CancelledError:  # by another one
        return False
