"""Several processes that read shards side by side; what they find comes in the order of the shards.

Each process takes every n-th shard and writes what it finds into a pipe of its own.
The pipes are read in turn, so that order costs nothing and none runs far ahead: as far
as its buffer holds, for a process that waits at a full pipe is no help.
"""

from __future__ import annotations

import marshal
import os
import time
from contextlib import suppress
from itertools import islice
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple, NoReturn

from urlextract.errors import SourceError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from urlextract.sources.shards import Shard

    OnDamage = Callable[[SourceError], None]
    Work = Callable[[Shard, OnDamage], Iterator[list[Any]]]

__all__ = ["in_turn"]

_LENGTH = 4  # bytes of the length of a frame
_BATCH, _DAMAGE, _END = range(3)
_MOST_IN_A_FRAME = 10_000  # results
_TOGETHER = 500  # shards that each process is given at a time
_BUFFER = 4 * 1024 * 1024  # bytes
_PATIENCE = 0.5  # seconds that a result may stay in it while others follow
_LOOK = 0.5  # seconds between two looks whether the parent is still there
_PIPE = 1024 * 1024  # bytes, where a pipe can be made to hold so many


class _Worker(NamedTuple):
    """A process, and what it writes."""

    process: int
    stream: BinaryIO


def in_turn(
    shards: Iterable[Shard], work: Work, jobs: int, on_damage: OnDamage
) -> Iterator[tuple[Shard, list[Any] | None]]:
    """Do ``work`` to all shards in ``jobs`` processes; give each batch of results with its shard, in order.

    None is given behind the last batch of a shard. Results are what `marshal` can
    write. A process that dies is told as damage of what it read, and of nothing else:
    what was left to it is read here, and so is what was meant for one that cannot be
    started, and all without any ``jobs``. Of the shards a number are asked for at a time.
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


def _start(shards: Sequence[Shard], work: Work, others: list[_Worker | None]) -> _Worker | None:
    """Start a process for some shards; None where the system has no more of them, or of pipes."""
    try:
        readable, writable = os.pipe()
    except OSError:
        return None
    with suppress(ImportError, AttributeError, OSError):  # Linux has it
        import fcntl  # noqa: PLC0415 - some systems have none

        fcntl.fcntl(writable, fcntl.F_SETPIPE_SZ, _PIPE)
    parent = os.getpid()
    try:
        process = os.fork()
    except OSError:
        os.close(readable)
        os.close(writable)
        return None
    if not process:
        _work_through(
            shards, work, parent, writable, [readable, *(each.stream.fileno() for each in others if each)]
        )
    os.close(writable)
    return _Worker(process, open(readable, "rb"))


def _work_through(
    shards: Sequence[Shard], work: Work, parent: int, writable: int, unneeded: list[int]
) -> NoReturn:
    """Do the work of a process, and end it: the caller's own clean-up is the caller's."""
    status = 1
    try:
        _end_with(parent)
        for number in unneeded:  # else the others would not see that nobody reads what they write
            os.close(number)
        with open(writable, "wb", buffering=_BUFFER) as stream:
            for shard in shards:
                _write_all(stream, shard, work)
        status = 0
    except (KeyboardInterrupt, BrokenPipeError):
        pass  # the caller ends, or wants no more
    finally:
        os._exit(status)


def _write_all(stream: BinaryIO, shard: Shard, work: Work) -> None:
    """Write what is found in one shard; a fault of the program in it is named as its damage."""

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
    except Exception as error:  # told: the other shards are read
        tell(SourceError(shard.source, f"a fault of this program ({type(error).__name__}: {error})"))
    _write(stream, _END, None)
    stream.flush()


def _write(stream: BinaryIO, kind: int, value: Any) -> None:
    data = marshal.dumps((kind, value))  # only this program's own processes read it
    stream.write(len(data).to_bytes(_LENGTH, "little"))
    stream.write(data)


def _frames(stream: BinaryIO) -> Iterator[tuple[int, Any]]:
    """Give what a process has written, to its end."""
    while len(head := stream.read(_LENGTH)) == _LENGTH:
        size = int.from_bytes(head, "little")
        data = stream.read(size)
        if len(data) < size:
            return
        yield marshal.loads(data)  # noqa: S302 - as above


def _end(worker: _Worker) -> None:
    """End a process: it has nothing to clean up, and may not write anything for long."""
    worker.stream.close()
    with suppress(ProcessLookupError, ChildProcessError):
        os.kill(worker.process, 9)
        os.waitpid(worker.process, 0)


def _end_with(parent: int) -> None:
    """Have this process end with its parent, which may be killed."""
    import signal  # noqa: PLC0415 - a library's worth of start-up, which the parent need not have

    def look(*_: object) -> None:
        if os.getppid() != parent:
            os._exit(1)

    signal.signal(signal.SIGALRM, look)
    signal.setitimer(signal.ITIMER_REAL, _LOOK, _LOOK)
