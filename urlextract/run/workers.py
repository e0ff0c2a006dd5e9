"""Several processes read the shards of a command's input; their results are printed in its order."""

from __future__ import annotations

import fcntl
import marshal
import os
import signal
import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing, suppress
from functools import partial
from itertools import chain, islice
from typing import Any, BinaryIO, NamedTuple, NoReturn, TypeVar

from urlextract.errors import SourceError
from urlextract.output.ordering import print_lines
from urlextract.output.outputs import OutputOptions
from urlextract.output.unique import Seen
from urlextract.output.writer import Writer
from urlextract.pipeline.options import ExtractOptions
from urlextract.records import Item
from urlextract.run.progress import Progress
from urlextract.run.results import lines_of
from urlextract.run.shards import Shard, plan, read_shard
from urlextract.sources.folders.filters import TreeFilter
from urlextract.sources.folders.reading import NO_MESSAGE

OnDamage = Callable[[SourceError], None]
Work = Callable[[Shard, OnDamage], Iterator[list[Any]]]
_Batch = tuple[int, list[tuple[str, str]]]


_Task = TypeVar("_Task")
_LENGTH = 4  # bytes that hold the length of a frame
_BATCH, _DAMAGE, _END = range(3)
_MOST_IN_A_FRAME = 10_000  # results
_TOGETHER = 500  # shards that each process is given at a time
_BUFFER = 4 * 1024 * 1024  # bytes
_PATIENCE = 0.5  # seconds that a result may stay in the buffer while others follow
_LOOK = 0.5  # seconds between two checks whether the parent still runs
_PIPE = 1024 * 1024  # bytes that a pipe holds, where this can be set


class _Worker(NamedTuple):
    """A process, and the stream that it writes."""

    process: int
    stream: BinaryIO


def in_turn(
    shards: Iterable[Shard], work: Work, jobs: int, on_damage: OnDamage
) -> Iterator[tuple[Shard, list[Any] | None]]:
    """Do ``work`` on all shards in ``jobs`` processes; yield its batches, each with the shard, in order.

    After the last batch of a shard, None is yielded in place of a batch. Results must be of
    types that `marshal` supports. If a process dies, damage is reported for the shard that it
    was reading. Its other shards are read in this process, as are those of a process that
    cannot be started, and all shards if ``jobs`` is 0. The shards are taken from the iterable
    in groups of limited size.
    """
    left = iter(shards)
    while some := list(islice(left, _TOGETHER * max(1, jobs))):
        yield from _some_in_turn(some, work, jobs, on_damage)


def _some_in_turn(
    shards: Sequence[Shard], work: Work, jobs: int, on_damage: OnDamage
) -> Iterator[tuple[Shard, list[Any] | None]]:
    workers: list[_Worker | None] = []
    try:
        for number in range(min(jobs, len(shards))):
            workers.append(_start(shards[number::jobs], work, workers))
        for number, shard in enumerate(shards):
            worker = workers[number % jobs] if jobs else None
            if worker is None:
                yield from ((shard, batch) for batch in work(shard, on_damage))
                yield shard, None
                continue
            is_whole = False
            for kind, value in _frames(worker.stream):
                if kind == _BATCH:
                    yield shard, value
                elif kind == _DAMAGE:
                    on_damage(SourceError(*value))
                else:
                    is_whole = True
                    break
            if not is_whole:
                on_damage(SourceError(shard.source, "the process that read it has died"))
                workers[number % jobs] = None
                _end(worker)
            yield shard, None
    finally:
        for worker in workers:
            if worker:
                _end(worker)


def _start(shards: Sequence[Shard], work: Work, others: Sequence[_Worker | None]) -> _Worker | None:
    """Start a process for some shards; return None if the system allows no more processes or pipes."""

    def write(stream: BinaryIO) -> None:
        for shard in shards:
            _write_all(stream, shard, work)

    return _forked(write, others)


def _forked(write: Callable[[BinaryIO], None], others: Sequence[_Worker | None]) -> _Worker | None:
    """Start a process that calls ``write``; return None if the system allows no more processes or pipes."""
    try:
        readable, writable = os.pipe()
    except OSError:
        return None
    with suppress(AttributeError, OSError):  # Linux has it
        fcntl.fcntl(writable, fcntl.F_SETPIPE_SZ, _PIPE)
    parent = os.getpid()
    try:
        process = os.fork()
    except OSError:
        os.close(readable)
        os.close(writable)
        return None
    if not process:
        _work_through(write, parent, writable, [readable, *(each.stream.fileno() for each in others if each)])
    os.close(writable)
    return _Worker(process, open(readable, "rb"))


def _work_through(
    write: Callable[[BinaryIO], None], parent: int, writable: int, unneeded: list[int]
) -> NoReturn:
    """Do the work of a child process and exit, without the clean-up, which is left to the parent."""
    status = 1
    try:
        _end_with(parent)
        for number in unneeded:  # else the others would not see that nobody reads what they write
            os.close(number)
        with open(writable, "wb", buffering=_BUFFER) as stream:
            write(stream)
        status = 0
    except (KeyboardInterrupt, BrokenPipeError):
        pass  # the parent ends, or needs no more results
    finally:
        os._exit(status)


def _write_all(stream: BinaryIO, shard: Shard, work: Work) -> None:
    """Write what is found in one shard; an unexpected exception is reported as its damage."""

    def tell(damage: SourceError) -> None:
        _write(stream, _DAMAGE, (damage.source, damage.cause, damage.offset))

    flushed = time.monotonic()
    try:
        for batch in work(shard, tell):
            for at in range(0, len(batch) or 1, _MOST_IN_A_FRAME):
                _write(stream, _BATCH, batch[at : at + _MOST_IN_A_FRAME])
            if time.monotonic() - flushed > _PATIENCE:
                stream.flush()
                flushed = time.monotonic()
    except BrokenPipeError:
        raise
    except Exception as error:  # reported, so that the other shards are read
        tell(SourceError(shard.source, f"a fault of this program ({type(error).__name__}: {error})"))
    _write(stream, _END, None)
    stream.flush()


def _write(stream: BinaryIO, kind: int, value: Any) -> None:
    data = marshal.dumps((kind, value))  # only this program's own processes read it
    stream.write(len(data).to_bytes(_LENGTH, "little"))
    stream.write(data)


def _frames(stream: BinaryIO) -> Iterator[tuple[int, Any]]:
    """Yield the frames that a process writes, until it ends."""
    while len(head := stream.read(_LENGTH)) == _LENGTH:
        size = int.from_bytes(head, "little")
        data = stream.read(size)
        if len(data) < size:
            return
        yield marshal.loads(data)  # noqa: S302 - as above


def _end(worker: _Worker) -> None:
    """Kill a process: it has nothing to clean up, and would notice the closed pipe only when it writes."""
    worker.stream.close()
    with suppress(ProcessLookupError, ChildProcessError):
        os.kill(worker.process, 9)
        os.waitpid(worker.process, 0)


def _end_with(parent: int) -> None:
    """Make this process exit soon after its parent, which may be killed."""

    def look(*_: object) -> None:
        if os.getppid() != parent:
            os._exit(1)

    signal.signal(signal.SIGALRM, look)
    signal.setitimer(signal.ITIMER_REAL, _LOOK, _LOOK)


_AT_WORK = 1  # tasks begun beyond the number of processes: one is done while its results wait


def ahead(
    tasks: Iterable[_Task], work: Callable[[_Task], Any], jobs: int, *, is_alone: Callable[[_Task], bool]
) -> Generator[tuple[_Task, Any], None, None]:
    """Yield each task with the result of ``work``, in order, while about ``jobs`` processes work ahead.

    Each task has a process of its own, which inherits it; results must be of types that `marshal` supports.
    The result is None for a task that ``is_alone``, and for one whose process has died or could not be
    started: these are for the caller, before the next task is taken.
    """
    begun: deque[tuple[_Task, _Worker | None]] = deque()
    try:
        for task in tasks:
            alone = is_alone(task) or not jobs
            while begun and (alone or len(begun) >= jobs + _AT_WORK):
                yield _finished(begun)
            if alone:
                yield task, None
            else:
                begun.append((task, _forked(partial(_write_result, task, work), [each for _, each in begun])))
        while begun:
            yield _finished(begun)
    finally:
        for _, worker in begun:
            if worker:
                _end(worker)


def _finished(begun: deque[tuple[_Task, _Worker | None]]) -> tuple[_Task, Any]:
    """Return the first task and its result, when its process is done."""
    task, worker = begun[0]
    values = [value for _, value in _frames(worker.stream)] if worker else []
    begun.popleft()
    if worker:
        _end(worker)
    return task, values[0] if values else None


def _write_result(task: _Task, work: Callable[[_Task], Any], stream: BinaryIO) -> None:
    with suppress(Exception):  # the caller does the task again, and meets it
        _write(stream, _BATCH, work(task))


_TOGETHER_IN_A_FRAME = 200  # results that are handed over at a time
_WORTH_WHILE = 8  # number of shards for which several processes are started, however small the shards are


def print_shared(
    sources: Sequence[str],
    output: OutputOptions,
    options: ExtractOptions,
    writer: Writer,
    jobs: int,
    *,
    least: int,
    tree_filter: TreeFilter | None,
    on_damage: OnDamage,
    progress: Progress | None,
) -> int | None:
    """Print the results for the sources, which ``jobs`` processes read; return the number of URLs found.

    A few shards of fewer than ``least`` bytes in all are read in this process, unless a number of
    processes was asked for. Return None, and print nothing, if the only source is a file that cannot be
    cut.
    """
    shards = (
        shard._replace(turn=turn)
        for turn, source in enumerate(sources)
        for shard in plan(
            source,
            output.kind,
            tree_filter,
            numbered=output.form.is_numbered,
            texts=options.choice.reads_pieces_alike,
            placed=output.needs_records,
        )
    )
    first = list(islice(shards, _WORTH_WHILE))
    if len(sources) == len(first) == 1 and first[0].is_file:
        return None
    is_little = len(first) < _WORTH_WHILE and sum(shard.size for shard in first) < least
    jobs = 0 if output.jobs is None and is_little else jobs
    reader = _Reader(output, options, on_damage, progress)
    with closing(reader.results(chain(first, shards), jobs)) as results:
        if output.form.counts:
            return _print_counts(sources, output, results, writer)
        return print_lines((result for _, batch in results for result in batch), output, writer)


def _print_counts(
    sources: Sequence[str], output: OutputOptions, results: Iterable[_Batch], writer: Writer
) -> int:
    """Print the number of URLs of each source, once it is read."""
    seen = Seen(output.unique_by)
    total = count = turn = 0

    def print_up_to(end: int) -> None:
        nonlocal seen, total, count, turn
        for source in sources[turn:end]:
            total += count
            writer.write(output.count_line(source, count, is_alone=len(sources) == 1))
            count = 0
            seen = Seen(output.unique_by)
        turn = end

    for at, batch in results:
        print_up_to(at)
        count += sum(1 for url, _ in batch if seen.is_new(url)) if output.unique else len(batch)
        if output.max_count is not None and total + count >= output.max_count:
            count = output.max_count - total
            break
    print_up_to(len(sources))
    return total


class _Reader:
    """Starts the processes that read, and passes on their results and damage in order."""

    def __init__(
        self,
        output: OutputOptions,
        options: ExtractOptions,
        on_damage: OnDamage,
        progress: Progress | None,
    ) -> None:
        self._output, self._options, self._on_damage = output, options, on_damage
        self._progress = progress
        self._was_there = self._is_damaged = False

    def results(self, shards: Iterable[Shard], jobs: int) -> Generator[_Batch, None, None]:
        """Yield the results in batches, with an empty batch at the end of each source."""
        for shard, batch in in_turn(shards, self._work, jobs, self._tell):
            if batch is None:
                if self._progress:
                    self._progress.add(shard.size)
                if shard.is_last:
                    self._end_source(shard)
                    yield shard.turn + 1, []
            else:
                self._was_there = True
                yield shard.turn, batch
        if self._progress:
            self._progress.finish()

    def _tell(self, damage: SourceError) -> None:
        self._is_damaged = True
        self._on_damage(damage)

    def _end_source(self, shard: Shard) -> None:
        """Report a directory without any message, unless damage is the cause."""
        if shard.is_folder and not self._was_there and not self._is_damaged:
            self._on_damage(SourceError(shard.source, NO_MESSAGE))
        self._was_there = self._is_damaged = False

    def _work(self, shard: Shard, tell: OnDamage) -> Iterator[list[Any]]:
        """Yield the results of one shard in batches, then an empty batch if the shard held any item."""
        was_there: list[bool] = []
        items = _noted(read_shard(shard, tell), was_there)
        results = lines_of(items, self._output, self._options, tell)
        while batch := list(islice(results, _TOGETHER_IN_A_FRAME)):
            yield batch
        if was_there:
            yield []


def _noted(items: Iterator[Item], was_there: list[bool]) -> Iterator[Item]:
    for item in items:
        if not was_there:
            was_there.append(True)
        yield item
