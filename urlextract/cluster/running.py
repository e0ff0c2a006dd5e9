"""What the command ``cluster`` does: cut sources into stretches, and have each read into its part.

Processes of this machine read them, or a Dask cluster. The name of a part is a hash of all that its content
depends on, so a part that is there is not made again, and one that has no stretch any more is removed.
"""

from __future__ import annotations

import errno
import hashlib
import json
import logging
import os
import pkgutil
import sys
import warnings
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from concurrent.futures import CancelledError, Future
from contextlib import closing, contextmanager, suppress
from functools import partial
from itertools import count
from typing import Any, NamedTuple

from urlextract import __version__
from urlextract.cluster.parts import (
    SUFFIXES,
    Outcome,
    Parts,
    Task,
    check_writer,
    make_part,
    with_tips,
)
from urlextract.cluster.stores import RECORDS, FilesAndObjects, is_url, resolved, words_of
from urlextract.errors import MissingExtraError, OnDamage, SourceError, UrlExtractError
from urlextract.output import status
from urlextract.output.writer import opened
from urlextract.pipeline.options import ExtractOptions, options_of
from urlextract.run.cutting import Cutter
from urlextract.run.engine import processors
from urlextract.run.processes import DIED, FAILED, RESULT, in_turn
from urlextract.run.runner import run
from urlextract.sources.folders.tree import TreeFilter, Written
from urlextract.sources.reading import NO_MESSAGE
from urlextract.sources.streams import names_in
from urlextract.sources.stretches import Stretch

SIZE = 64 << 20
"""The bytes of a stretch."""

RUN = "run.json"
"""The file that says of which run the parts are."""

CONNECT = 15
"""Seconds in which a scheduler must answer."""

_FILES = 2_000  # of a directory that a stretch has at most, and some 500 on average


class How(NamedTuple):
    """Where the parts go, in which format, who makes them, how often and which share, and what is read."""

    out: str
    to: str = "jsonl"
    scheduler: str | None = None
    workers: int | None = None
    retries: int = 2
    part: tuple[int, int] = (1, 1)
    format: str = "auto"
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    follow: bool = False
    files_from: str | None = None


class Report(NamedTuple):
    """What gets the damage in sources, what has failed, and other messages."""

    damage: OnDamage
    failure: Callable[[str], None]
    notice: Callable[[str], None]


# --- who makes the parts --------------------------------------------------------------------------

_Make = Callable[[Task], Outcome]
_Outcomes = Generator[Outcome, None, None]

_AHEAD = 2  # tasks for each thread, so that none waits for the next
_LEAST_AHEAD = 64  # tasks at least: a cluster may start workers when there is work
_PATIENCE = 10.0  # seconds without a worker after which that is told
_LOST = "the connection to the scheduler is lost: run again to go on"


def _made_here(make: _Make, tasks: Iterator[Task], how: How) -> _Outcomes:
    """Make parts in processes of this machine."""
    jobs = how.workers or processors()
    work = partial(_tried, make, how.retries)
    for task, step, value in in_turn(tasks, work, jobs, ahead=jobs, retries=how.retries):
        if step == RESULT:
            yield value
        elif step == FAILED:
            yield Outcome(failure=f"{task}: {value}")


def _tried(make: _Make, retries: int, task: Task, _: object) -> _Outcomes:
    """Make a part, again if that fails; yield what came of it in the end."""
    for left in range(retries, -1, -1):
        try:
            yield make(task)
        except Exception as error:
            if not left:
                yield _failed(task, error)
        else:
            return


def _failed(task: Task, error: BaseException) -> Outcome:
    """Return that a task has failed, in one line with the name of what was read or written."""
    if isinstance(error, UrlExtractError):
        return Outcome(failure=str(error))
    kind = type(error).__name__
    words = words_of(error) if isinstance(error, OSError) else f"{kind}: {words_of(error)}"
    return Outcome(failure=f"{task}: {DIED if kind == 'KilledWorker' else words}")


def _made_on(
    client: Any, make: _Make, tasks: Iterator[Task], how: How, notice: Callable[[str], None]
) -> _Outcomes:
    """Make parts on a Dask cluster; ``notice`` gets, once, that it has no worker."""
    executor = client.get_executor(pure=False, retries=how.retries)
    is_told = False

    def begin(task: Task) -> Future[Any]:
        future: Future[Any] = executor.submit(partial(make, task))
        return future

    try:
        window = max(_LEAST_AHEAD, _AHEAD * sum(client.nthreads().values()))
        for task, future, is_over in run(tasks, begin, window, patience=_PATIENCE):
            # It is closed after `CONNECT` seconds without a scheduler; its futures may stay as they are
            if client.status in ("closed", "closing"):
                raise CancelledError  # noqa: TRY301 - as a future has it
            if is_over:
                error = future.exception()
                yield _failed(task, error) if error else future.result()
            elif not is_told and client.status == "running" and not client.nthreads():
                notice("the cluster has no worker: waiting for one")
                is_told = True
    except UrlExtractError:
        raise
    except Exception as error:
        # What any call raises without a connection; the last one has no public name
        if isinstance(error, OSError | CancelledError) or type(error).__name__ == "ClosedClientError":
            raise UrlExtractError(_LOST) from None
        raise


@contextmanager
def _connected(scheduler: str | None) -> Iterator[Any]:
    """Yield a client of a scheduler, None without one.

    Raise `UrlExtractError` if the scheduler does not answer, or has not this version of the program.
    """
    if scheduler is None:
        yield None
        return
    # Of the libraries: what matters is reported here, in lines of its own
    logging.disable(logging.CRITICAL)
    warnings.filterwarnings("ignore", module=r"distributed\b")
    try:
        import distributed

        client = distributed.Client(scheduler, timeout=CONNECT)
    except ImportError:
        raise MissingExtraError(
            "urlextract cluster --scheduler needs distributed: pip install 'urlextract-mail[cluster]'"
        ) from None
    except (TimeoutError, OSError):
        raise UrlExtractError(f"{scheduler}: no scheduler answers in {CONNECT} seconds") from None
    except Exception as error:  # of its settings, of TLS, or of what answers and is no scheduler
        raise UrlExtractError(f"{scheduler}: Dask cannot connect: {words_of(error)}") from None
    try:
        _check_versions(client)
        yield client
    finally:
        with suppress(Exception):  # of a connection that is lost, which was told
            client.close()


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


# --- the run --------------------------------------------------------------------------------------


def run_on_cluster(sources: Sequence[str], keywords: Mapping[str, Any], how: How, report: Report) -> None:
    """Make the parts of the sources; remove those that are none of them, and print how many there are."""
    check_writer(how.to)
    if how.files_from is not None:
        sources = (*sources, *names_in(how.files_from))
    if not sources:
        raise UrlExtractError("no source is named")
    if not (how.out.partition("://")[2] if is_url(how.out) else how.out).strip("/"):
        raise UrlExtractError(f"--out {how.out}: no directory is named")
    with _connected(how.scheduler) as client:
        this = _Run(sources, keywords, how, report)
        this.begin()
        make = partial(make_part, this.parts.out, how.to, this.options)
        outcomes = (
            _made_on(client, make, this.tasks(), how, report.notice)
            if client
            else _made_here(make, this.tasks(), how)
        )
        try:
            with closing(outcomes):
                for outcome in outcomes:
                    this.settle(outcome)
        finally:
            this.parts.sweep()
            status.clear()
        this.end()
        with opened(None, end="\n", is_prompt=True) as writer:
            writer.write(this.summary())


class _Run:
    """The parts of a run: which are there, are made, have failed, and which are of no stretch."""

    def __init__(self, sources: Sequence[str], keywords: Mapping[str, Any], how: How, report: Report) -> None:
        self._sources, self._how, self._report = sources, how, report
        self.parts = Parts(resolved(how.out).rstrip("/"))
        self.options = _lasting(keywords)
        self._files = FilesAndObjects()
        texts = options_of(self.options).choice.reads_pieces_alike
        self._cutter = Cutter(how.format, SIZE, _FILES, texts=texts, files=self._files)
        self._there: set[str] = set()  # names of parts
        self._names: set[str] = set()  # of the parts of all stretches
        self._told: set[str] = set()  # failures
        self._is_whole = True  # all that is to be read was listed
        self._made = self._found = self._failed = self._removed = self._messages = self._urls = 0

    def begin(self) -> None:
        """Raise `UrlExtractError` if the directory is not that of this run, or cannot be; note this run."""
        out, how = self.parts.out, self._how
        for source in self._sources:
            if f"{_real(out)}/".startswith(f"{_real(source)}/"):
                raise UrlExtractError(f"{out}: the parts would be in a directory that is read: {source}")
        self.parts.prepare()
        read = {name: getattr(how, name) for name in ("to", "format", "include", "exclude", "follow")}
        sources = sorted([source, resolved(source)] for source in self._sources)
        options = {**read, **self.options}
        this = json.dumps({"version": __version__, "sources": sources, "options": options}, sort_keys=True)
        known = self.parts.read(RUN)
        self._there = self.parts.names()
        if known not in (None, this.encode()) and self._there:
            words = f"has the parts of other sources or options, which {RUN} names: name another directory"
            raise UrlExtractError(f"{out}: {words}")
        if known is None and any(name.endswith(RECORDS) for name in self.parts.files()):
            raise UrlExtractError(f"{out}: has other records, and no {RUN}: name another directory")
        try:
            self.parts.write(RUN, this.encode())
        except SourceError as error:
            raise SourceError(out, f"cannot be written to: {error.cause}") from None

    def tasks(self) -> Iterator[Task]:
        """Yield the tasks of this share whose parts are not there."""
        folder = os.getcwd()
        number, shares = self._how.part
        for stretch in (each for source in self._sources for each in self._stretches_of(source)):
            name = self._name_of(stretch)
            self._names.add(name)
            if len(self._names) % shares != number % shares:
                continue
            if name in self._there:
                self._found += 1
            else:
                yield Task(name, stretch, folder)

    def _name_of(self, stretch: Stretch) -> str:
        """Return the name of the part of a stretch: another one, if an equal one was there before."""
        content = json.dumps([stretch, self.options, __version__])
        names = (
            hashlib.blake2b(f"{copy}{content}".encode(), digest_size=16).hexdigest() + SUFFIXES[self._how.to]
            for copy in count()
        )
        return next(name for name in names if name not in self._names)

    def _stretches_of(self, source: str) -> Iterator[Stretch]:
        """Yield the stretches of a source; report what cannot be listed."""
        is_empty = True
        try:
            for stretch in self._cut(source):
                if stretch.damage:
                    self._note(stretch.damage)
                elif stretch.files == ():  # the last one of a directory
                    if is_empty:
                        self._note(SourceError(source, NO_MESSAGE))
                    break
                else:
                    yield stretch._replace(files=stretch.files and tuple(map(with_tips, stretch.files)))
                is_empty = False
        except SourceError as error:
            self._note(error)
        except (OSError, ValueError) as error:
            self._note(SourceError(source, words_of(error)))

    def _cut(self, source: str) -> Iterator[Stretch]:
        """Return the stretches of a source; raise `SourceError` for what is no file whose size is known."""
        if source == "-":
            raise SourceError(source, "standard input cannot be read into parts")
        if self._files.is_folder(source):
            how = self._how
            written = Written(
                [1, 2], lambda path: self._report.notice(f"{path}: is written to by this run, and not read")
            )
            return self._cutter.directory(source, TreeFilter(how.include, how.exclude, how.follow, written))
        stamp = self._files.stamp(source)
        if stamp.size is None and not is_url(source):
            raise SourceError(source, "is no regular file, and cannot be read into parts")
        return self._cutter.file(source, stamp)

    def _note(self, error: SourceError) -> None:
        """Report what cannot be listed: the run is not whole, unless it is a file in a tree that is gone."""
        self._is_whole &= error.errno == errno.ENOENT and error.source not in self._sources
        self._report.damage(error)

    def settle(self, outcome: Outcome) -> None:
        """Count what came of a task; tell of damage, and once of each failure: a file may have many parts."""
        for damage in outcome.damage:
            self._report.damage(damage)
        if outcome.failure is None:
            self._made += 1
        elif outcome.ends:
            raise UrlExtractError(outcome.failure)
        else:
            self._failed += 1
            if outcome.failure not in self._told:
                self._report.failure(outcome.failure)
                self._told.add(outcome.failure)
        self._messages += outcome.messages
        self._urls += outcome.urls
        if sys.stderr is not None and sys.stderr.isatty():
            status.draw(self.summary())

    def end(self) -> None:
        """Remove the parts that the sources no longer have, if all of these were read."""
        if self._failed or not self._is_whole or self._how.part != (1, 1):
            return
        for name in self.parts.names():
            if name not in self._names:
                self.parts.remove(name)
                self._removed += name.endswith(tuple(SUFFIXES.values()))

    def summary(self) -> str:
        """Return what was done, in one line."""
        return (
            f"parts: {self._made:,} made, {self._found:,} there before, {self._failed:,} failed, "
            f"{self._removed:,} removed; messages: {self._messages:,}; URLs: {self._urls:,}"
        )


def _real(name: str) -> str:
    """Return a URL as it is, the path of a file without links; with no slash at its end."""
    return (name if is_url(name) else os.path.realpath(name)).rstrip("/")


def _lasting(keywords: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options that are not left at their defaults, as JSON holds them.

    Raise `UrlExtractError` for a date that depends on the present.
    """
    options: dict[str, Any] = {}
    for name, value in keywords.items():
        given = options_of({name: value})
        if given != ExtractOptions():
            moment = given.since or given.until
            if moment and not str(value)[:4].isdigit():  # another moment in the next run
                words = f"parts are of a date that stays, such as {moment.date()}"
                raise UrlExtractError(f"--{name} {value}: {words}")
            options[name] = moment.isoformat() if moment else value
    return options
