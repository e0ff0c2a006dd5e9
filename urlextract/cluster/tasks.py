"""Read one shard of a plan into its part."""

from __future__ import annotations

import errno
import gc
import time
from collections.abc import Iterable, Iterator
from typing import BinaryIO, NamedTuple

from urlextract.cluster.partfiles import Parts, damage_of, parts_in, put_damage
from urlextract.cluster.partwriters import SUFFIXES, write_records
from urlextract.cluster.plans import ChangedError, PlannedShard, shard_of_line
from urlextract.errors import PassedOver, SourceError, UrlExtractError
from urlextract.pipeline.options import options_of
from urlextract.records import Item, RawMessage
from urlextract.run.results import found_in
from urlextract.sources.streams import Place
from urlextract.sources.stretches import read_stretch

_MOST_DAMAGE = 1_000  # messages about damage that a shard hands over
_FULL = (errno.ENOSPC, errno.EDQUOT)


class SpaceError(UrlExtractError):
    """There is no space left where the parts are."""


class Outcome(NamedTuple):
    """What came of a shard, and how soon; a part that was there before is ``skipped``, and not counted.

    ``damage`` is what cannot be read of its source, in words. If ``failure`` is not None there is no
    part, and trying again would not help.
    """

    skipped: bool = False
    messages: int = 0
    urls: int = 0
    damage: tuple[str, ...] = ()
    failure: str | None = None
    is_full: bool = False
    seconds: float = 0.0


def part_name(planned: PlannedShard, to: str) -> str:
    """Return the name of the part of a shard."""
    return f"part-{planned.id}.{SUFFIXES[to]}"


def read_line(line: str, out: str, to: str) -> tuple[object, ...]:
    """Read the shard of a line of a plan, as a worker of Dask; return an `Outcome` as a plain tuple."""
    return tuple(_read(shard_of_line(line), out, to))


def read_with_tries(
    out: str, to: str, retries: int, planned: PlannedShard, _: object
) -> Iterator[Outcome | str]:
    """Read a shard, again if that fails; yield what came of it, or why it has failed in the end."""
    for left in range(retries, -1, -1):
        try:
            yield _read(planned, out, to)
        except Exception as error:
            if not left:
                yield words_of(error)
        else:
            return


def _read(planned: PlannedShard, out: str, to: str) -> Outcome:
    gc.disable()  # for this shard: the search creates no reference cycles
    try:
        return read_into(planned, parts_in(out), to)
    except ChangedError as error:
        return Outcome(failure=str(error))
    except SpaceError as error:
        return Outcome(failure=str(error), is_full=True)
    finally:
        gc.enable()


def words_of(error: BaseException) -> str:
    """Return what went wrong with a task, in one line."""
    words = " ".join(str(error).split())
    return words if isinstance(error, UrlExtractError | OSError) else f"{type(error).__name__}: {words}"


def read_into(planned: PlannedShard, parts: Parts, to: str) -> Outcome:
    """Read a shard into its part, unless it is there.

    Raise `ChangedError` if a file is not that of the plan any more, `SpaceError` if the disk is full, and
    another exception if the shard may be read another time. Then there is no part.
    """
    name = part_name(planned, to)
    if parts.has(name):
        return Outcome(skipped=True, damage=damage_of(parts, name))
    started = time.monotonic()
    planned.check_repositories()
    reading = _Reading(planned)
    try:
        with parts.writing(name) as stream:
            urls = reading.write(stream, to)
            put_damage(parts, name, reading.damage)  # before the part: then none is without it
    except SourceError:
        raise
    except OSError as error:
        if error.errno in _FULL:
            raise SpaceError(error.strerror or "no space left") from None
        raise
    seconds = time.monotonic() - started
    return Outcome(messages=reading.messages, urls=urls, damage=tuple(reading.damage), seconds=seconds)


class _Reading:
    """Reads a shard once, and counts its messages and the damage."""

    def __init__(self, planned: PlannedShard) -> None:
        self._planned = planned
        self.messages = 0
        self.damage: list[str] = []
        self._passed_over = PassedOver()
        self._more = 0

    def write(self, stream: BinaryIO, to: str) -> int:
        """Write the records of the shard; return their number."""
        place = Place(self._planned.shard.source, self._note, self._planned.open)
        items = read_stretch(self._planned.shard, place)
        has_context = to == "parquet"
        options = options_of({**self._planned.options, "context": has_context})._replace(sees=has_context)
        records = found_in(self._counted(items), options, self._note)
        urls = write_records(records, stream, to)
        self.damage += self._passed_over.lines()
        if self._more:
            self.damage.append(f"{self._planned.shard.source}: {self._more} more errors of this kind")
        return urls

    def _counted(self, items: Iterable[Item]) -> Iterator[Item]:
        for item in items:
            self.messages += isinstance(item, RawMessage)
            yield item

    def _note(self, error: SourceError) -> None:
        if error.within is not None:
            self._passed_over.add(error)
        elif len(self.damage) < _MOST_DAMAGE:
            self.damage.append(str(error).replace("\n", "\\n"))  # a line each
        else:
            self._more += 1
