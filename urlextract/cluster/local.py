"""A Dask cluster of this machine that no other user can reach.

One worker is a thread of this process: no port is open. Several are processes. Their ports, those of the
scheduler, of each worker and of the nanny that restarts it, are for holders of the key of this run alone: it
is in their memory and, while it is loaded, in a file that only the user can read. Servers for HTTP, which
answer every user, are not started.

Two directories to which others may write are not searched for modules: the current one, and Dask's in that
of temporary files.
"""

from __future__ import annotations

import logging
import os
import signal
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from multiprocessing import resource_tracker
from typing import Any

import dask
from distributed import Nanny, Scheduler, Security, SpecCluster, Worker

from urlextract.cluster.tasks import stopping
from urlextract.errors import MissingExtraError, UrlExtractError


class _Quiet:
    """A server of Dask without the HTTP server that each of them starts."""

    def start_http_server(self, *_: Any, **__: Any) -> None:
        """Open no port."""


class QuietScheduler(_Quiet, Scheduler):  # type: ignore[misc]  # distributed has no types that are seen here
    """A scheduler without a dashboard."""


class QuietWorker(_Quiet, Worker):  # type: ignore[misc]  # as above
    """A worker of a cluster of this machine."""


@contextmanager
def local_cluster(workers: int, *, is_apart: bool) -> Iterator[Any]:
    """Yield a cluster of processes of this machine or, unless it ``is_apart``, of one thread of this process.

    Raise `MissingExtraError` if the connections of processes cannot be encrypted.
    """
    shared = {"protocol": "inproc://", "security": Security()}
    if is_apart:
        shared = {"protocol": "tls://", "security": _temporary_key(), "host": "127.0.0.1"}
    with ExitStack() as stack:
        folder = stack.enter_context(
            tempfile.TemporaryDirectory(prefix="urlextract-", ignore_cleanup_errors=True)
        )
        stack.enter_context(dask.config.set({"temporary-directory": folder}))
        if is_apart:
            os.environ["PYTHONSAFEPATH"] = "1"  # for "python -c", which else searches the current directory
            _start_tracker()
        with _interrupts_blocked():
            cluster = stack.enter_context(_started(workers, shared))
        stopping.clear()
        # Called first: closing the cluster kills processes, but waits for a thread
        stack.callback(stopping.set)
        yield cluster


def _started(workers: int, shared: dict[str, Any]) -> Any:
    """Return a cluster whose servers have the options ``shared``."""
    options = {**shared, "nthreads": 1, "memory_limit": 0, "silence_logs": logging.CRITICAL}
    worker = {"cls": QuietWorker, "options": options}
    if "host" in shared:  # processes
        worker = {"cls": Nanny, "options": {**options, "worker_class": QuietWorker}}
    try:
        return SpecCluster(
            workers=dict.fromkeys(range(workers), worker),
            scheduler={"cls": QuietScheduler, "options": shared},
            worker=worker,
            security=shared["security"],
            silence_logs=logging.CRITICAL,
        )
    except (OSError, RuntimeError, TimeoutError) as error:
        raise UrlExtractError(f"the worker processes cannot be started: {error}") from None


def _temporary_key() -> Any:
    try:
        return Security.temporary()
    except ImportError:
        raise MissingExtraError(
            "a cluster of several processes of this machine needs cryptography, to keep other users out: "
            "pip install 'urlextract-mail[cluster]'"
        ) from None


@contextmanager
def _interrupts_blocked() -> Iterator[None]:
    """Block SIGINT in the threads and processes that are started meanwhile, and in those that they start.

    Ctrl-C reaches all processes of a terminal. This one ends its workers, also those that Dask's thread
    starts later; a worker that heard it, too, would end with a traceback.
    """
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _start_tracker() -> None:
    """Start the process of Python that removes the semaphores of processes that were killed.

    It is not to print how many these were, and the thread that starts it unblocks SIGINT.
    """
    sys.warnoptions.append("ignore:resource_tracker:UserWarning")
    try:
        resource_tracker.ensure_running()
    finally:
        sys.warnoptions.pop()
