"""Have processes of this machine, or a Dask cluster, read the shards of a plan; the results are counts only.

A task that has finished on a worker that dies later may be run again by Dask: it finds its part and skips
it. A worker that dies takes its shard along, which is then read by another one, up to the number of tries.
"""

from __future__ import annotations

import logging
import pkgutil
import warnings
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import CancelledError, Executor, Future
from contextlib import ExitStack, closing, contextmanager, nullcontext, suppress
from dataclasses import replace
from functools import partial
from operator import itemgetter
from typing import Any, NamedTuple

from urlextract import __version__
from urlextract.cluster.plans import PlannedShard
from urlextract.cluster.tasks import Outcome, read_line, read_with_tries, words_of
from urlextract.errors import MissingExtraError, UrlExtractError
from urlextract.run.engine import processors
from urlextract.run.processes import DIED, FAILED, RESULT, in_turn
from urlextract.run.runner import run

CONNECT = 15
"""Seconds in which a scheduler must answer."""

_AHEAD = 2  # shards for each thread, so that none waits for the next
_LEAST_AHEAD = 64  # shards at least: a cluster may start workers when there is work
_PATIENCE = 10.0  # seconds without a worker after which that is told
_SLOWEST = 3  # shards that are named in the end
_ENCRYPTED = ("tls", "wss")  # protocols of Dask
_OPEN_TO_ALL = "the connection is not encrypted, and whoever reaches this cluster can run code on it"
_SETTINGS = "Dask cannot use its settings (the files of DASK_CONFIG, and the variables DASK_...)"
_DIED = "the worker that read it has died, each time"
_LOST = "the connection to the scheduler is lost: run again to go on"


class ClusterOptions(NamedTuple):
    """Where the results go, in which format, and who reads the shards, how often.

    With ``force``, the manifest of a run with other options is replaced; with ``prune``, parts that the
    manifest does not name are removed.
    """

    out: str
    to: str = "jsonl"
    plan: str | None = None
    scheduler: str | None = None
    workers: int | None = None
    retries: int = 2
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


@contextmanager
def connected(how: ClusterOptions, notice: Callable[[str], None]) -> Iterator[Any]:
    """Yield the client of the cluster of ``how.scheduler``, None if there is none.

    ``notice`` gets that the cluster is open to everybody. Raise `UrlExtractError` if the
    scheduler does not answer, or if its workers have not this version of the program.
    """
    if how.scheduler is None:
        yield None
        return
    dask, distributed = _loaded()
    # Of the libraries: what matters is reported here, in lines of its own
    logging.disable(logging.CRITICAL)
    warnings.filterwarnings("ignore", module=r"distributed\b")
    settings = {
        "distributed.logging.distributed": "critical",
        "distributed.admin.log-format": "%(message)s",
    }
    with ExitStack() as stack:
        try:
            stack.enter_context(dask.config.set(settings))
        except TypeError as error:  # what should be a table is none
            raise UrlExtractError(f"{_SETTINGS}: {error}") from None
        client = stack.enter_context(_client_of(distributed, how.scheduler))
        _check_versions(client)
        if distributed.comm.parse_address(how.scheduler)[0] not in _ENCRYPTED:
            notice(f"{how.scheduler}: {_OPEN_TO_ALL}")
        try:
            yield client
        except BaseException:
            with suppress(Exception):  # of a connection that is lost: the error that came first is raised
                stack.close()
            raise


def _loaded() -> tuple[Any, Any]:
    """Return Dask and distributed."""
    try:
        import dask
        import distributed
    except ImportError:
        raise MissingExtraError(
            "urlextract cluster --scheduler needs distributed: pip install 'urlextract-mail[cluster]'"
        ) from None
    except Exception as error:  # of a file that Dask reads at once, by a library of its own
        raise UrlExtractError(f"{_SETTINGS}: {' '.join(str(error).split())}") from None
    return dask, distributed


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
    """Where a run reports.

    ``tell`` gets damage and failures, ``notice`` other messages, ``advance`` what came of all shards so far.
    """

    tell: Callable[[str], None]
    notice: Callable[[str], None]
    advance: Callable[[Summary], None]


def read_all(
    client: Any, how: ClusterOptions, shards: Iterable[PlannedShard], report: Report
) -> tuple[Summary, list[PlannedShard]]:
    """Read the shards on the cluster of a client, or in processes if it is None.

    Return the counts, and the shards that failed. Raise `UrlExtractError` if the disk is full or the
    scheduler lost.
    """
    tally = _Tally(how, report)
    if client is None:
        outcomes = _outcomes_here(how, shards)
    else:
        outcomes = _outcomes_on(client, how, shards, report.notice)
    with closing(outcomes):
        for planned, outcome in outcomes:
            tally.settle(planned, outcome)
    return tally.summary, tally.failures


_Outcomes = Generator[tuple[PlannedShard, Outcome | str], None, None]


def _outcomes_here(how: ClusterOptions, shards: Iterable[PlannedShard]) -> _Outcomes:
    """Read the shards in processes of this machine."""
    work = partial(read_with_tries, how.out, how.to, how.retries)
    jobs = how.workers or processors()
    for planned, step, value in in_turn(shards, work, jobs, ahead=jobs, retries=how.retries):
        if step == RESULT:
            yield planned, value
        elif step == FAILED:
            yield planned, _DIED if value == DIED else value


def _outcomes_on(
    client: Any, how: ClusterOptions, shards: Iterable[PlannedShard], notice: Callable[[str], None]
) -> _Outcomes:
    """Read the shards on a Dask cluster; ``notice`` gets, once, that it has no worker."""
    executor = client.get_executor(pure=False, retries=how.retries)
    window = max(_LEAST_AHEAD, _AHEAD * sum(client.nthreads().values()))

    def begin(executor: Executor, planned: PlannedShard) -> Future[Any]:
        with _loss_told():
            return executor.submit(read_line, planned.line(), how.out, how.to)

    is_told = False
    for planned, future, is_over in run(
        lambda _: nullcontext(executor), shards, begin, window, patience=_PATIENCE
    ):
        # It is closed after `CONNECT` seconds without a scheduler; its futures may stay as they are
        if future is None or future.cancelled() or client.status in ("closed", "closing"):
            raise UrlExtractError(_LOST)
        if is_over:
            yield planned, _outcome_of(future)
        elif not is_told:
            with _loss_told():
                is_told = client.status == "running" and not client.nthreads()
            if is_told:
                notice("the cluster has no worker: waiting for one")


def _outcome_of(future: Future[Any]) -> Outcome | str:
    """Return what came of a shard that was read on a Dask cluster, or why it has failed."""
    error = future.exception()
    if error is None:
        return Outcome(*future.result())
    return _DIED if type(error).__name__ == "KilledWorker" else words_of(error)


class _Tally:
    """What came of the shards of a run."""

    def __init__(self, how: ClusterOptions, report: Report) -> None:
        self._how, self._report = how, report
        self._changed: set[str] = set()  # files, as it was told
        self.summary = Summary()
        self.failures: list[PlannedShard] = []

    def settle(self, planned: PlannedShard, outcome: Outcome | str) -> None:
        """Count a shard that was read, or that cannot be read, for a reason."""
        if isinstance(outcome, str):
            self._give_up(planned, outcome, f"shard {planned.id}: {outcome}")
            return
        for damage in outcome.damage:
            self._report.tell(damage)
        if outcome.is_full:
            raise UrlExtractError(f"{self._how.out}: {outcome.failure}: run again when there is room")
        if outcome.failure is not None:  # a file has changed: it may have many shards
            is_new = outcome.failure not in self._changed
            self._changed.add(outcome.failure)
            self._give_up(planned, outcome.failure, outcome.failure if is_new else None)
        else:
            taken = (*self.summary.slowest, (outcome.seconds, planned))
            slowest = sorted(taken, key=itemgetter(0), reverse=True)
            self.summary = self.summary._replace(slowest=tuple(slowest[:_SLOWEST]))
            self._count(planned, done=1, messages=outcome.messages, urls=outcome.urls)

    def _give_up(self, planned: PlannedShard, error: str, told: str | None) -> None:
        self.failures.append(replace(planned, error=error))
        if told is not None:
            self._report.tell(told)
        self._count(planned, failed=1)

    def _count(self, planned: PlannedShard, **more: int) -> None:
        """Count a shard that is done with."""
        more["size"] = planned.shard.size
        counted = {name: getattr(self.summary, name) + count for name, count in more.items()}
        self.summary = self.summary._replace(**counted)
        self._report.advance(self.summary)
