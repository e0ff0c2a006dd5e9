"""Print the results of a command's input, whose stretches several processes read."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import closing
from functools import partial
from itertools import chain, groupby, islice
from typing import NamedTuple

from urlextract.errors import OnDamage, SourceError
from urlextract.output.counting import print_counts, print_lines
from urlextract.output.outputs import OutputOptions
from urlextract.output.writer import Writer
from urlextract.pipeline.options import ExtractOptions
from urlextract.run.cutting import Cutter
from urlextract.run.file_lines import FileLines
from urlextract.run.processes import DAMAGE, DONE, ENDS, RESULT, Work, in_turn
from urlextract.run.progress import Progress
from urlextract.run.results import lines_of
from urlextract.sources.folders.tree import EVERYTHING, TreeFilter
from urlextract.sources.reading import NO_MESSAGE
from urlextract.sources.streams import Origin
from urlextract.sources.stretches import Stretch, read_stretch

Results = list[tuple[str, str]]

_TOGETHER = 200  # results that are handed over at a time
_LENGTH = 256 * 1024  # characters of their lines after which there are fewer
_WORTH_WHILE = 8  # stretches for which several processes are started, however small they are


class Task(NamedTuple):
    """A stretch, and the index of its source among those of the command."""

    turn: int
    stretch: Stretch


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

    A few stretches of fewer than ``least`` bytes in all are read in this process, unless a number of
    processes was asked for. Return None, and print nothing, if the only source is a file that cannot be
    cut.
    """
    cutter = Cutter(output.format, texts=options.choice.reads_pieces_alike)
    tasks = (
        Task(turn, stretch)
        for turn, source in enumerate(sources)
        for stretch in cutter.stretches(source, tree_filter or EVERYTHING)
    )
    first = list(islice(tasks, _WORTH_WHILE))
    if len(sources) == len(first) == 1 and first[0].stretch.is_file:
        return None
    if len(first) < _WORTH_WHILE:  # there are no others
        is_little = output.jobs is None and sum(task.stretch.size for task in first) < least
        jobs = 0 if is_little else min(jobs, len(first))
    work = partial(read_task, output, options)
    with closing(_results_of(chain(first, tasks), work, jobs, on_damage, progress)) as batches:
        if output.row.counts:
            return print_counts(sources, batches, output, writer)
        return print_lines((result for _, batch in batches for result in batch), output, writer)


def _results_of(
    tasks: Iterable[Task], work: Work[Task], jobs: int, on_damage: OnDamage, progress: Progress | None
) -> Generator[tuple[int, Results], None, None]:
    """Yield the results of the tasks in batches, each with the index of its source, in order.

    ``work`` is done in ``jobs`` processes. At the end of a source comes an empty batch, with the index of the
    next one. A directory without any message is reported, unless damage is the cause.
    """
    with closing(in_turn(tasks, work, jobs)) as steps:
        for turn, of_source in groupby(steps, lambda each: each[0].turn):
            is_empty = True
            for task, step, value in of_source:
                if step == RESULT:
                    is_empty = False
                    yield turn, value
                elif step != DONE:
                    damage = value if step == DAMAGE else SourceError(task.stretch.source, value)
                    is_empty = is_empty and damage.within is not None
                    on_damage(damage)
                if step in ENDS and progress:
                    progress.add(task.stretch.size)
            if is_empty and task.stretch.files is not None:
                on_damage(SourceError(task.stretch.source, NO_MESSAGE))
            yield turn + 1, []
    if progress:
        progress.finish()


_LINES = FileLines()  # of this process, which counts on from one stretch of a file to the next


def read_task(
    output: OutputOptions, options: ExtractOptions, task: Task, tell: OnDamage
) -> Iterator[Results]:
    """Yield the results of one stretch in batches, of which one may be empty, if it holds any item."""
    items = read_stretch(task.stretch, Origin(task.stretch.source, tell))
    first = list(islice(items, 1))
    batch: Results = []
    length = 0
    for result in lines_of(chain(first, items), output, options, tell, _LINES):
        batch.append(result)
        length += len(result[1])
        if len(batch) == _TOGETHER or length > _LENGTH:
            yield batch
            batch, length = [], 0
    if batch or first:
        yield batch
