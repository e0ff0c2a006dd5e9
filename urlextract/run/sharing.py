"""Print the results of a command's input, whose stretches several processes read."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import closing
from itertools import chain, groupby, islice
from typing import Any, NamedTuple

from urlextract.errors import SourceError
from urlextract.output.counting import print_counts
from urlextract.output.ordering import print_lines
from urlextract.output.outputs import OutputOptions
from urlextract.output.writer import Writer
from urlextract.pipeline.options import ExtractOptions
from urlextract.records import Item
from urlextract.run.cutting import Cutter
from urlextract.run.progress import Progress
from urlextract.run.results import lines_of
from urlextract.run.workers import DAMAGE, FAILED, NOT_BEGUN, RESULT, OnDamage, Work, in_turn
from urlextract.sources.folders.tree import EVERYTHING, TreeFilter
from urlextract.sources.reading import NO_MESSAGE
from urlextract.sources.streams import Place
from urlextract.sources.stretches import Stretch, read_stretch

_Batch = tuple[int, list[tuple[str, str]]]

_TOGETHER = 200  # results that are handed over at a time
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
    is_little = len(first) < _WORTH_WHILE and sum(task.stretch.size for task in first) < least
    jobs = 0 if output.jobs is None and is_little else jobs
    reader = _Reader(output, options, on_damage, progress)
    with closing(reader.results(chain(first, tasks), jobs)) as results:
        if output.row.counts:
            return print_counts(sources, results, output, writer)
        return print_lines((result for _, batch in results for result in batch), output, writer)


def read_in_turn(
    tasks: Iterable[Task], work: Work[Task], jobs: int, on_damage: OnDamage
) -> Iterator[tuple[Task, list[Any] | None]]:
    """Do ``work`` on all tasks in ``jobs`` processes; yield its batches, each with the task, in order.

    After the last batch of a task, None is yielded in place of a batch. If a process dies, damage is
    reported for the stretch that it was reading. One whose process cannot be started is read in this
    process, as are all if ``jobs`` is 0.
    """
    for task, step, value in in_turn(tasks, work, jobs):
        if step == RESULT:
            yield task, value
            continue
        if step == DAMAGE:
            on_damage(value)
            continue
        if step == FAILED:
            on_damage(SourceError(task.stretch.source, value))
        elif step == NOT_BEGUN:
            yield from ((task, batch) for batch in work(task, on_damage))
        yield task, None


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

    def results(self, tasks: Iterable[Task], jobs: int) -> Generator[_Batch, None, None]:
        """Yield the results in batches, with an empty batch at the end of each source."""
        batches = read_in_turn(tasks, self._work, jobs, self._tell)
        for turn, of_source in groupby(batches, lambda each: each[0].turn):
            source = None
            for task, batch in of_source:
                if batch is not None:
                    self._was_there = True
                    yield turn, batch
                    continue
                source = task.stretch.source if task.stretch.files is not None else None
                if self._progress:
                    self._progress.add(task.stretch.size)
            self._end_source(source)
            yield turn + 1, []
        if self._progress:
            self._progress.finish()

    def _tell(self, damage: SourceError) -> None:
        self._is_damaged = self._is_damaged or damage.within is None
        self._on_damage(damage)

    def _end_source(self, folder: str | None) -> None:
        """Report a directory without any message, unless damage is the cause."""
        if folder is not None and not self._was_there and not self._is_damaged:
            self._on_damage(SourceError(folder, NO_MESSAGE))
        self._was_there = self._is_damaged = False

    def _work(self, task: Task, tell: OnDamage) -> Iterator[list[Any]]:
        """Yield the results of one stretch in batches, then an empty batch if it held any item."""
        was_there: list[bool] = []
        place = Place(task.stretch.source, tell, counts_lines=self._output.line_number)
        items = _noted(read_stretch(task.stretch, place), was_there)
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
