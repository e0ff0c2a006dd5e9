"""Hand tasks to an executor of `concurrent.futures`, and hand on what comes of them in their order."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, wait
from typing import Any, TypeVar

Task = TypeVar("Task")

RETRIES = 2


def run(
    tasks: Iterable[Task],
    begin: Callable[[Task], Future[Any]],
    window: int,
    *,
    patience: float,
) -> Iterator[tuple[Task, Future[Any], bool]]:
    """Yield the tasks in their order, each with its future, and whether it is over.

    ``begin`` submits a task; at most ``window`` tasks are under way. The first of them is also yielded each
    ``patience`` seconds while it is not over.
    """
    begun: deque[tuple[Task, Future[Any]]] = deque()

    def first() -> Iterator[tuple[Task, Future[Any], bool]]:
        task, future = begun[0]
        while wait([future], patience).not_done:
            yield task, future, False
        begun.popleft()
        yield task, future, True

    for task in tasks:
        begun.append((task, begin(task)))
        while begun and (len(begun) >= window or begun[0][1].done()):
            yield from first()
    while begun:
        yield from first()
