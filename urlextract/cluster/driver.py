"""Have a Dask cluster read the shards of a plan: a sliding window of tasks, whose results are counts only.

A task that has finished on a worker that dies later may be run again by Dask: it finds its part and skips
it. A worker that dies takes its shard along, which is then read by another one, up to the number of tries.
Dask counts the tries, but for those that took too long.
"""

from __future__ import annotations

import logging
import pkgutil
import time
import warnings
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import CancelledError
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from itertools import chain
from operator import itemgetter
from queue import Empty, SimpleQueue
from typing import Any, NamedTuple

from urlextract import __version__
from urlextract.cluster.plans import PlannedShard
from urlextract.cluster.tasks import Outcome, read_line
from urlextract.errors import MissingExtraError, UrlExtractError
from urlextract.run.engine import processors

CONNECT = 15
"""Seconds in which a scheduler must answer."""

_AHEAD = 2  # shards for each thread, so that none waits for the next
_SLOWEST = 3  # shards that are named in the end
_LOOK = 1.0  # seconds between two looks at the clock and at the cluster
_PATIENCE = 10.0  # seconds without any worker, after which that is said
_RESTART = 30  # seconds in which a worker must restart
_ENCRYPTED = ("tls", "wss")  # protocols of Dask
_OPEN_TO_ALL = "the connection is not encrypted, and whoever reaches this cluster can run code on it"
_SETTINGS = "Dask cannot use its settings (the files of DASK_CONFIG, and the variables DASK_...)"
_LOST = "the connection to the scheduler is lost: run again to go on"


class ClusterOptions(NamedTuple):
    """Where the results go, in which format, and who reads the shards: how often, and for how many seconds.

    With ``force``, the manifest of a run with other options is replaced; with ``prune``, parts that the
    manifest does not name are removed.
    """

    out: str
    to: str = "jsonl"
    plan: str | None = None
    scheduler: str | None = None
    workers: int | None = None
    retries: int = 2
    shard_timeout: float | None = None
    force: bool = False
    prune: bool = False


class Summary(NamedTuple):
    """What came of shards: how many were done and have failed, the bytes of these, and what they have found.

    ``slowest`` are some shards that took the most seconds, each with these, the slowest first.
    What a worker has found that died right after it had written the part is not counted.
    """

    done: int = 0
    failed: int = 0
    size: int = 0
    messages: int = 0
    urls: int = 0
    slowest: tuple[tuple[float, PlannedShard], ...] = ()


@contextmanager
def _loss_told() -> Iterator[None]:
    """Raise `UrlExtractError` for what any call of Dask raises if the connection to the scheduler is lost.

    What a task raises is no such error: it is the result of its future.
    """
    try:
        yield
    except (OSError, CancelledError):
        raise UrlExtractError(_LOST) from None
    except Exception as error:
        if type(error).__name__ == "ClosedClientError":  # which no public module of distributed has
            raise UrlExtractError(_LOST) from None
        raise


class Cluster:
    """A cluster that is connected to when it is asked for."""

    def __init__(self, how: ClusterOptions, notice: Callable[[str], None]) -> None:
        self.how, self._notice = how, notice
        self._stack = ExitStack()
        self._client: Any = None

    def __enter__(self) -> Cluster:
        return self

    def __exit__(self, *error: Any) -> bool | None:
        try:
            return self._stack.__exit__(*error)
        except Exception:  # of a connection that is lost: the error that came first is raised
            if error[0] is None:
                raise
            return None

    def connect(self) -> Any:
        """Return the client: see `connected`."""
        if self._client is None:
            self._client = self._stack.enter_context(connected(self.how, self._notice))
        return self._client


@contextmanager
def connected(how: ClusterOptions, notice: Callable[[str], None]) -> Iterator[Any]:
    """Yield the client of a cluster: that of ``how.scheduler``, or one of this machine.

    ``notice`` gets that a cluster of others is open to everybody. Raise `UrlExtractError` if the scheduler
    does not answer, or if its workers have not this version of the program.
    """
    dask, distributed, local_cluster = _loaded()
    # Of the libraries: what matters is reported here, in lines of its own
    logging.disable(logging.CRITICAL)
    warnings.filterwarnings("ignore", module=r"distributed\b")
    settings = {
        "distributed.scheduler.allowed-failures": how.retries,
        "distributed.logging.distributed": "critical",
        "distributed.admin.log-format": "%(message)s",
    }
    with ExitStack() as stack:
        try:
            stack.enter_context(dask.config.set(settings))
        except TypeError as error:  # what should be a table is none
            raise UrlExtractError(f"{_SETTINGS}: {error}") from None
        if how.scheduler is None:
            workers = how.workers or processors()
            # A thread cannot be ended when its time is over
            is_apart = workers > 1 or how.shard_timeout is not None
            cluster = local_cluster(workers, is_apart=is_apart)
            client = stack.enter_context(distributed.Client(stack.enter_context(cluster)))
        else:
            client = stack.enter_context(_client_of(distributed, how.scheduler))
            _check_versions(client)
            if distributed.comm.parse_address(how.scheduler)[0] not in _ENCRYPTED:
                notice(f"{how.scheduler}: {_OPEN_TO_ALL}")
        yield client


def _loaded() -> tuple[Any, Any, Any]:
    """Return Dask, distributed, and the function that starts a cluster of this machine."""
    try:
        import dask
        import distributed

        from urlextract.cluster.local import local_cluster
    except ImportError:
        raise MissingExtraError(
            "urlextract cluster needs distributed: pip install 'urlextract-mail[cluster]'"
        ) from None
    except Exception as error:  # of a file that Dask reads at once, by a library of its own
        raise UrlExtractError(f"{_SETTINGS}: {' '.join(str(error).split())}") from None
    return dask, distributed, local_cluster


def _client_of(distributed: Any, scheduler: str) -> Any:
    """Return a client of the scheduler of others."""
    try:
        return distributed.Client(scheduler, timeout=CONNECT)
    except Exception as error:  # whatever answers there may be no scheduler at all
        raise UrlExtractError(f"{scheduler}: {_refusal(error)}") from None


def _refusal(error: Exception) -> str:
    """Return why there is no connection to a scheduler."""
    if isinstance(error, TimeoutError | OSError):
        return f"no scheduler answers in {CONNECT} seconds"
    if isinstance(error, ValueError) or "TLS" in str(error):  # of the address, or of the settings of Dask
        return " ".join(str(error).split())
    return f"what answers is no Dask scheduler ({type(error).__name__})"


def _check_versions(client: Any) -> None:
    """Raise `UrlExtractError` if a worker or the scheduler has not this version of the program."""
    name = "urlextract:__version__"
    try:
        found = {"the scheduler": client.run_on_scheduler(pkgutil.resolve_name, name)}
        found |= client.run(pkgutil.resolve_name, name)
    except (ImportError, AttributeError) as error:
        raise UrlExtractError(f"the cluster has no urlextract-mail: {error}") from None
    for place, version in found.items():
        if version != __version__:
            raise UrlExtractError(f"{place} has version {version} of urlextract-mail, not {__version__}")


class Report(NamedTuple):
    """Where a run reports: ``tell`` gets damage and failures, ``notice`` other messages.

    ``advance`` is called after each shard with what came of all so far.
    """

    tell: Callable[[str], None]
    notice: Callable[[str], None]
    advance: Callable[[Summary], None]


def read_all(
    cluster: Cluster, shards: Iterable[PlannedShard], report: Report
) -> tuple[Summary, list[PlannedShard]]:
    """Read the shards; return the counts, and those that failed.

    The cluster is connected to if there is a shard.

    Raise `UrlExtractError` if the disk is full or the scheduler lost.
    """
    left = iter(shards)
    first = next(left, None)
    if first is None:
        return Summary(), []
    with _loss_told():
        return _Run(cluster, report).read(chain([first], left))


class _Try(NamedTuple):
    planned: PlannedShard
    number: int
    started: float


class _Run:
    """One run: the tasks that are being read, and what came of the others."""

    def __init__(self, cluster: Cluster, report: Report) -> None:
        self._client, self._how, self._report = cluster.connect(), cluster.how, report
        self._finished: SimpleQueue[Any] = SimpleQueue()
        self._running: dict[Any, _Try] = {}
        self._summary = Summary()
        self._failures: list[PlannedShard] = []
        self._changed: set[str] = set()  # files, as it was told
        self._full: str | None = None
        self._is_more = True  # shards that are not handed over yet
        self._threads = 0
        self._most_threads = 1  # that were there at a time
        self._is_told = False  # that there is no worker
        self._looked = self._had_workers = time.monotonic()

    def read(self, shards: Iterable[PlannedShard]) -> tuple[Summary, list[PlannedShard]]:
        """Read the shards."""
        left = iter(shards)
        # The time of a shard counts from when it is handed over: then it must not wait for another one
        ahead = _AHEAD if self._how.shard_timeout is None else 1
        self._look()
        while self._is_more or self._running:
            while self._is_more and not self._full and len(self._running) < max(1, ahead * self._threads):
                planned = next(left, None)
                if planned is None:
                    self._is_more = False
                else:
                    self._submit(planned, 1)
            if self._full and not self._running:
                raise UrlExtractError(f"{self._how.out}: {self._full}: run again when there is room")
            if self._running:
                self._wait()
        return self._summary, self._failures

    def _submit(self, planned: PlannedShard, number: int) -> None:
        future = self._client.submit(
            read_line,
            planned.line(),
            self._how.out,
            self._how.to,
            key=f"shard-{planned.id}-{time.time_ns():x}",
            pure=False,
            retries=self._how.retries,
        )
        self._running[future] = _Try(planned, number, time.monotonic())
        future.add_done_callback(self._finished.put)

    def _wait(self) -> None:
        """Wait for a task to finish, or for the next look."""
        try:
            future = self._finished.get(timeout=_LOOK)
        except Empty:
            self._look()
            return
        if time.monotonic() - self._looked > _LOOK:
            self._look()
        trial = self._running.pop(future, None)
        if trial is None:  # it took too long, and was given up
            return
        if future.status == "finished":
            self._settle(trial.planned, Outcome(*future.result()))
        elif future.status == "error":  # the scheduler has tried it as often as it may
            self._fail(trial.planned, _words_of(future.exception()))
        else:
            self._try_again(trial, f"the cluster has dropped it ({future.status})")
        future.release()

    def _settle(self, planned: PlannedShard, outcome: Outcome) -> None:
        """Count a shard that was read, or that cannot be read."""
        for damage in outcome.damage:
            self._report.tell(damage)
        if outcome.is_full:
            self._full = outcome.failure
        elif outcome.failure is not None:  # a file has changed: it may have many shards
            is_new = outcome.failure not in self._changed
            self._changed.add(outcome.failure)
            self._give_up(planned, outcome.failure, outcome.failure if is_new else None)
        else:
            slowest = sorted(
                (*self._summary.slowest, (outcome.seconds, planned)), key=itemgetter(0), reverse=True
            )
            self._summary = self._summary._replace(slowest=tuple(slowest[:_SLOWEST]))
            self._count(planned, done=1, messages=outcome.messages, urls=outcome.urls)

    def _try_again(self, trial: _Try, words: str) -> None:
        """Try a shard again of which the scheduler knows nothing any more, or give it up."""
        if trial.number > self._how.retries or self._full:
            self._fail(trial.planned, words)
        else:
            self._submit(trial.planned, trial.number + 1)

    def _fail(self, planned: PlannedShard, words: str) -> None:
        self._give_up(planned, words, f"shard {planned.id}: {words}")

    def _give_up(self, planned: PlannedShard, error: str, told: str | None) -> None:
        self._failures.append(replace(planned, error=error))
        if told is not None:
            self._report.tell(told)
        self._count(planned, failed=1)

    def _count(self, planned: PlannedShard, **more: int) -> None:
        """Count a shard that is done with."""
        more["size"] = planned.shard.size
        counted = {name: getattr(self._summary, name) + count for name, count in more.items()}
        self._summary = self._summary._replace(**counted)
        self._report.advance(self._summary)

    def _look(self) -> None:
        """Look at the cluster and at the clock."""
        now = self._looked = time.monotonic()
        if self._client.status == "running":
            self._threads = sum(self._client.nthreads().values())
        elif self._client.status in ("closed", "closing"):  # after `CONNECT` seconds without a scheduler
            raise UrlExtractError(_LOST)
        self._most_threads = max(self._threads, self._most_threads)
        if self._threads and self._threads == self._most_threads:
            self._had_workers = now
        elif now - self._had_workers > _PATIENCE:
            self._had_workers = now
            self._replace_workers()
        if self._how.shard_timeout is not None:
            self._end_late(now - self._how.shard_timeout)

    def _replace_workers(self) -> None:
        """Start workers for those that have not come back; of a cluster of others, say that it has none."""
        cluster = self._client.cluster
        if cluster is not None:  # Dask gives a worker up that dies again while it is restarted
            cluster.scale(len(cluster.worker_spec) + self._most_threads - self._threads)
        elif not self._threads and not self._is_told:
            self._is_told = True
            self._report.notice("the cluster has no worker: waiting for one")

    def _end_late(self, earliest: float) -> None:
        """Give up the tasks that were started before ``earliest``, and restart their workers."""
        late = {future: trial for future, trial in self._running.items() if trial.started < earliest}
        if not late:
            return
        keys = {future.key for future in late}
        workers = [
            worker for worker, tasks in self._client.processing().items() if not keys.isdisjoint(tasks)
        ]
        self._client.cancel(list(late), force=True)
        if workers:
            try:
                self._client.restart_workers(workers, timeout=_RESTART, raise_for_error=False)
            except ValueError:  # of a cluster of others, in which nothing starts workers again
                self._report.notice("a shard takes too long, and its worker has no nanny to restart it")
        for future, trial in late.items():
            del self._running[future]
            self._try_again(trial, f"not done in {self._how.shard_timeout:g} seconds")


def _words_of(error: BaseException) -> str:
    """Return what went wrong with a task, in one line."""
    if type(error).__name__ == "KilledWorker":
        return "the worker that read it has died, each time"
    words = " ".join(str(error).split())
    return words if isinstance(error, UrlExtractError | OSError) else f"{type(error).__name__}: {words}"
