"""Print the results of a command's input, whose shards several processes read."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import closing
from functools import partial
from itertools import chain, islice

from urlextract.errors import SourceError
from urlextract.output.counting import print_counts
from urlextract.output.ordering import print_lines
from urlextract.output.outputs import OutputOptions
from urlextract.output.writer import Writer
from urlextract.pipeline.options import ExtractOptions
from urlextract.records import Item
from urlextract.run.cutting import plan
from urlextract.run.processes import DAMAGE, FAILED, RESULT, OnDamage, Work, in_turn
from urlextract.run.progress import Progress
from urlextract.run.results import lines_of
from urlextract.run.shards import Shard, read_shard
from urlextract.sources.folders.tree import TreeFilter
from urlextract.sources.reading import NO_MESSAGE

Results = list[tuple[str, str]]

_TOGETHER = 200  # results that are handed over at a time
_LENGTH = 256 * 1024  # characters of their lines after which there are fewer
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
    if len(first) < _WORTH_WHILE:  # there are no others
        is_little = output.jobs is None and sum(shard.size for shard in first) < least
        jobs = 0 if is_little else min(jobs, len(first))
    work = partial(read_results, output, options)
    with closing(results_of(chain(first, shards), work, jobs, on_damage, progress)) as batches:
        if output.row.counts:
            return print_counts(sources, batches, output, writer)
        return print_lines((result for _, batch in batches for result in batch), output, writer)


def results_of(
    shards: Iterable[Shard],
    work: Work[Shard],
    jobs: int,
    on_damage: OnDamage,
    progress: Progress | None = None,
) -> Generator[tuple[int, Results], None, None]:
    """Yield the results of the shards in batches, each with the index of its source, in order.

    ``work`` is done in ``jobs`` processes. At the end of a source comes an empty batch, with the index of the
    next one. A directory without any message is reported, unless damage is the cause.
    """
    was_there = is_damaged = False

    def tell(damage: SourceError) -> None:
        nonlocal is_damaged
        is_damaged = True
        on_damage(damage)

    with closing(in_turn(shards, work, jobs)) as steps:
        for shard, step, value in steps:
            if step == RESULT:
                was_there = True
                yield shard.turn, value
                continue
            if step == DAMAGE:
                tell(value)
                continue
            if step == FAILED:
                tell(SourceError(shard.source, value))
            if progress:
                progress.add(shard.size)
            if shard.is_last:
                if shard.is_folder and not was_there and not is_damaged:
                    on_damage(SourceError(shard.source, NO_MESSAGE))
                was_there = is_damaged = False
                yield shard.turn + 1, []
    if progress:
        progress.finish()


def read_results(
    output: OutputOptions, options: ExtractOptions, shard: Shard, tell: OnDamage
) -> Iterator[Results]:
    """Yield the results of one shard in batches, then an empty batch if the shard held any item."""
    was_there: list[bool] = []
    items = _noted(read_shard(shard, tell, counts_lines=output.line_number), was_there)
    results = lines_of(items, output, options, tell)
    batch: Results = []
    length = 0
    for result in results:
        batch.append(result)
        length += len(result[1])
        if len(batch) == _TOGETHER or length > _LENGTH:
            yield batch
            batch, length = [], 0
    if batch or was_there:
        yield batch


def _noted(items: Iterator[Item], was_there: list[bool]) -> Iterator[Item]:
    for item in items:
        if not was_there:
            was_there.append(True)
        yield item
