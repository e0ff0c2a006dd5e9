"""Print the results of a command's input, whose shards several processes read."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import closing
from itertools import chain, islice
from typing import Any

from urlextract.errors import SourceError
from urlextract.output.counting import print_counts
from urlextract.output.ordering import print_lines
from urlextract.output.outputs import OutputOptions
from urlextract.output.writer import Writer
from urlextract.pipeline.options import ExtractOptions
from urlextract.records import Item
from urlextract.run.cutting import plan
from urlextract.run.progress import Progress
from urlextract.run.results import lines_of
from urlextract.run.shards import Shard, read_shard
from urlextract.run.workers import DAMAGE, FAILED, NOT_BEGUN, RESULT, OnDamage, Work, in_turn
from urlextract.sources.folders.tree import TreeFilter
from urlextract.sources.reading import NO_MESSAGE

_Batch = tuple[int, list[tuple[str, str]]]

_TOGETHER = 200  # results that are handed over at a time
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
            output.format,
            tree_filter,
            numbered=output.row.is_numbered,
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
        if output.row.counts:
            return print_counts(sources, results, output, writer)
        return print_lines((result for _, batch in results for result in batch), output, writer)


def read_in_turn(
    shards: Iterable[Shard], work: Work[Shard], jobs: int, on_damage: OnDamage
) -> Iterator[tuple[Shard, list[Any] | None]]:
    """Do ``work`` on all shards in ``jobs`` processes; yield its batches, each with the shard, in order.

    After the last batch of a shard, None is yielded in place of a batch. If a process dies, damage is
    reported for the shard that it was reading. A shard whose process cannot be started is read in this
    process, as are all shards if ``jobs`` is 0.
    """
    for shard, step, value in in_turn(shards, work, jobs):
        if step == RESULT:
            yield shard, value
            continue
        if step == DAMAGE:
            on_damage(value)
            continue
        if step == FAILED:
            on_damage(SourceError(shard.source, value))
        elif step == NOT_BEGUN:
            yield from ((shard, batch) for batch in work(shard, on_damage))
        yield shard, None


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
        for shard, batch in read_in_turn(shards, self._work, jobs, self._tell):
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
        self._is_damaged = self._is_damaged or damage.within is None
        self._on_damage(damage)

    def _end_source(self, shard: Shard) -> None:
        """Report a directory without any message, unless damage is the cause."""
        if shard.is_folder and not self._was_there and not self._is_damaged:
            self._on_damage(SourceError(shard.source, NO_MESSAGE))
        self._was_there = self._is_damaged = False

    def _work(self, shard: Shard, tell: OnDamage) -> Iterator[list[Any]]:
        """Yield the results of one shard in batches, then an empty batch if the shard held any item."""
        was_there: list[bool] = []
        items = _noted(read_shard(shard, tell, counts_lines=self._output.line_number), was_there)
        results = lines_of(items, self._output, self._options, tell)
        while batch := list(islice(results, _TOGETHER)):
            yield batch
        if was_there:
            yield []


def _noted(items: Iterator[Item], was_there: list[bool]) -> Iterator[Item]:
    for item in items:
        if not was_there:
            was_there.append(True)
        yield item
