"""What is printed when several processes read: the same as when one does, in the same order."""

from __future__ import annotations

from contextlib import closing
from itertools import chain, islice
from typing import TYPE_CHECKING, Any

from urlextract.errors import SourceError
from urlextract.output.jobs import in_turn
from urlextract.output.sharing import LARGE
from urlextract.output.writer import print_batches
from urlextract.pipeline.plain import read_urls
from urlextract.records import EVERYTHING
from urlextract.sources import NO_MESSAGE
from urlextract.sources.shards import plan, read_shard

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator, Sequence

    from urlextract.output.progress import Progress
    from urlextract.output.wanted import Wanted
    from urlextract.output.writer import Writer
    from urlextract.pipeline.options import Options
    from urlextract.records import Item
    from urlextract.sources.folders.filters import TreeFilter
    from urlextract.sources.shards import Shard

    OnDamage = Callable[[SourceError], None]

__all__ = ["print_shared"]

_TOGETHER = 200  # records that are handed over at a time
_WORTH_WHILE = 8  # shards that several processes are started for, unasked, however small they are


def print_shared(
    sources: Sequence[str],
    wanted: Wanted,
    options: Options,
    writer: Writer,
    jobs: int,
    *,
    is_lean: bool,
    tree_filter: TreeFilter | None,
    on_damage: OnDamage,
    progress: Progress | None,
) -> int | None:
    """Print what is wanted of the sources, which ``jobs`` processes read; give the number of URLs found.

    With ``is_lean`` URLs alone are asked for. None where there is but one file, which
    cannot be cut: nothing was done.
    """
    texts = options.choice == EVERYTHING  # else what is read of a part may depend on what came before
    shards = (
        shard._replace(turn=turn)
        for turn, source in enumerate(sources)
        for shard in plan(
            source, wanted.kind, tree_filter, numbered=wanted.as_json, texts=texts, placed=not is_lean
        )
    )
    first = list(islice(shards, _WORTH_WHILE))
    if len(sources) == len(first) == 1 and first[0].is_file:
        return None
    is_little = len(first) < _WORTH_WHILE and sum(shard.size for shard in first) < LARGE
    jobs = 0 if wanted.jobs is None and is_little else jobs
    reader = _Reader(wanted, options, on_damage, progress, is_lean=is_lean)
    with closing(reader.results(chain(first, shards), jobs)) as results:
        if wanted.counts:
            return _print_counts(sources, wanted, results, writer)
        seen: set[str] = set()
        lines = (batch.fresh_lines(seen) if wanted.unique else batch.lines() for batch in results)
        return print_batches(lines, wanted, writer)


class _Batch:
    """Results of a shard: URLs, where they alone are wanted, else pairs of a URL and its line."""

    __slots__ = ("_is_lean", "_results", "turn")

    def __init__(self, turn: int, results: list[Any], *, is_lean: bool) -> None:
        self.turn = turn
        self._results = results
        self._is_lean = is_lean

    def __len__(self) -> int:
        return len(self._results)

    def lines(self) -> list[str]:
        """Give the lines."""
        return self._results if self._is_lean else [line for _, line in self._results]

    def fresh_lines(self, seen: set[str]) -> list[str]:
        """Give the lines of those URLs that were not ``seen``: now they are."""
        lines: dict[str, str] = {}
        for url, line in zip(self._results, self._results, strict=True) if self._is_lean else self._results:
            lines.setdefault(url, line)
        fresh = [line for url, line in lines.items() if url not in seen]
        seen.update(lines)
        return fresh


def _print_counts(sources: Sequence[str], wanted: Wanted, results: Iterable[_Batch], writer: Writer) -> int:
    """Print the number of URLs of each source, once it is read."""
    seen: set[str] = set()
    total = count = turn = 0

    def print_up_to(end: int) -> None:
        nonlocal total, count, turn
        for source in sources[turn:end]:
            total += count
            writer.write([wanted.count_line(source, count, is_alone=len(sources) == 1)])
            count = 0
            seen.clear()
        turn = end

    for batch in results:
        print_up_to(batch.turn)
        count += len(batch.fresh_lines(seen) if wanted.unique else batch)
        if wanted.max_count is not None and total + count >= wanted.max_count:
            count = wanted.max_count - total
            break
    print_up_to(len(sources))
    return total


class _Reader:
    """Has the processes read; what they find and tell comes in order."""

    def __init__(
        self,
        wanted: Wanted,
        options: Options,
        on_damage: OnDamage,
        progress: Progress | None,
        *,
        is_lean: bool,
    ) -> None:
        self._wanted, self._options, self._on_damage = wanted, options, on_damage
        self._progress, self._is_lean = progress, is_lean
        self._was_there = self._is_damaged = False

    def results(self, shards: Iterable[Shard], jobs: int) -> Generator[_Batch, None, None]:
        """Give what is found, batch by batch; an empty one at the end of each source."""
        for shard, batch in in_turn(shards, self._work, jobs, self._tell):
            if batch is None:
                if self._progress:
                    self._progress.add(shard.size)
                if shard.is_last:
                    self._end_source(shard)
                    yield _Batch(shard.turn + 1, [], is_lean=self._is_lean)
            else:
                self._was_there = True
                yield _Batch(shard.turn, batch, is_lean=self._is_lean)
        if self._progress:
            self._progress.finish()

    def _tell(self, damage: SourceError) -> None:
        self._is_damaged = True
        self._on_damage(damage)

    def _end_source(self, shard: Shard) -> None:
        """Tell of a directory without any message, but where damage is the cause."""
        if shard.is_folder and not self._was_there and not self._is_damaged:
            self._on_damage(SourceError(shard.source, NO_MESSAGE))
        self._was_there = self._is_damaged = False

    def _work(self, shard: Shard, tell: OnDamage) -> Iterator[list[Any]]:
        """Read one shard, in a process of its own; an empty batch says that there was something in it."""
        was_there: list[bool] = []
        items = _noted(read_shard(shard, tell, in_bulk=self._is_lean), was_there)
        if self._is_lean:
            yield from read_urls(items, self._options, is_prompt=False, on_damage=tell)
        else:
            yield from self._records(items, tell)
        if was_there:
            yield []

    def _records(self, items: Iterator[Item], tell: OnDamage) -> Iterator[list[tuple[str, str]]]:
        from urlextract.output.recorded import found_in, line_for  # noqa: PLC0415 - asked for by some

        found = found_in(items, self._options, tell)
        while batch := [(each.url, line_for(each, self._wanted)) for each in islice(found, _TOGETHER)]:
            yield batch


def _noted(items: Iterator[Item], was_there: list[bool]) -> Iterator[Item]:
    for item in items:
        if not was_there:
            was_there.append(True)
        yield item
