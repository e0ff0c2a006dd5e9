"""Hand tasks to an executor of `concurrent.futures`, and hand on what comes of them in their order."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future, wait
from contextlib import AbstractContextManager, ExitStack
from typing import Any, Generic, TypeVar

Task = TypeVar("Task")
ExecutorOf = Callable[[bool], AbstractContextManager[Executor]]

RETRIES = 2


class NotStartedError(BrokenExecutor):
    """No process can be started: the system allows no more."""


def run(
    executor_of: ExecutorOf,
    tasks: Iterable[Task],
    begin: Callable[[Executor, Task], Future[Any]],
    window: int,
    *,
    retries: int = RETRIES,
    is_alone: Callable[[Task], bool] = lambda _: False,
    patience: float | None = None,
) -> Iterator[tuple[Task, Future[Any] | None]]:
    """Yield the tasks in their order, each with its future, which is done.

    ``begin`` submits a task; at most ``window`` tasks are under way. ``executor_of`` makes the executor that
    they are submitted to. If it breaks, because a process has died, those under way are done one at a time by
    an executor of one process, ``executor_of(True)``, and each that breaks this is tried again, ``retries``
    times in all. Its future then has a `BrokenExecutor`; all others, and those that follow, are done.

    A task that ``is_alone`` has no future: the caller does it before the next one is taken from ``tasks``.
    With ``patience``, the first task is also yielded each so many seconds while it is under way.
    """
    runner = _Runner(executor_of, begin, retries, patience)
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
        self,
        executor_of: ExecutorOf,
        begin: Callable[[Executor, Task], Future[Any]],
        retries: int,
        patience: float | None,
    ) -> None:
        self._executor_of, self._begin = executor_of, begin
        self._retries, self._patience = retries, patience
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
        while wait([self.begun[0][1]], self._patience).not_done:
            yield self.begun[0]
        if not _is_broken(self.begun[0][1]):
            yield self.begun.popleft()
            return
        self.end()
        while self.begun:
            task, future = self.begun.popleft()
            for _ in range(max(1, self._retries)):
                if not _is_broken(future):
                    break
                future = self.begin(task, by_one=True)
                if _is_broken(future):
                    self.end()
            yield task, future
        self.end()

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
