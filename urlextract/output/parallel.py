"""What is printed when several processes read: the same as when one does, in the same order."""

from __future__ import annotations

import os
from itertools import chain, islice
from typing import TYPE_CHECKING, Any

from urlextract.output.jobs import in_turn
from urlextract.output.sharing import LARGE
from urlextract.pipeline.plain import is_plain, read_urls
from urlextract.sources import NO_MESSAGE
from urlextract.sources.shards import Shard, plan, read_shard

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from urlextract.errors import SourceError
    from urlextract.output.progress import Progress
    from urlextract.output.wanted import Wanted
    from urlextract.output.writer import Writer
    from urlextract.pipeline.options import Options
    from urlextract.records import Item
    from urlextract.sources.folders.names import Names

    OnDamage = Callable[[SourceError], None]
    Results = Iterator[tuple[Shard, list[Any]]]

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
    names: Names | None,
    on_damage: OnDamage,
    progress: Progress | None,
) -> int | None:
    """Print what is wanted of the sources, which ``jobs`` processes read; give the number of URLs found.

    None where there is but one file, which cannot be cut: nothing was done.
    """
    shared = _Shared(wanted, options, on_damage)
    shards = (
        shard
        for source in (dict.fromkeys(sources) if wanted.counts else sources)
        for shard in plan(
            source, wanted.kind, shared.tell, names, numbered=wanted.as_json, texts=shared.is_lean
        )
    )
    first = list(islice(shards, _WORTH_WHILE))
    if len(first) == 1 and not first[0].files:
        return None
    if wanted.jobs is None and len(first) < _WORTH_WHILE and sum(shard.size for shard in first) < LARGE:
        jobs = 0
    results = shared.results(chain(first, shards), jobs)
    if progress:
        results = _with_progress(results, progress)
    if wanted.counts:
        return shared.print_counts(sources, results, writer)
    seen: set[str] = set()
    written = 0
    for _, batch in results:
        lines = shared.fresh_lines(batch, seen) if wanted.unique else shared.lines(batch)
        lines = lines[: wanted.rest(written)]
        written += len(lines)
        writer.write(lines)
        if written == wanted.max_count:
            break
    else:
        shared.tell_of_empty(sources)
    return written


def _with_progress(results: Results, progress: Progress) -> Results:
    """Show the bytes of each shard when its first results are there."""
    last: Shard | None = None
    for shard, batch in results:
        if shard is not last:
            progress.add(shard.size)
        last = shard
        yield shard, batch
    progress.finish()


class _Shared:
    """What the processes do, and what was told of.

    A batch of results holds URLs, where they alone are wanted, else pairs of a URL and its line.
    """

    def __init__(self, wanted: Wanted, options: Options, on_damage: OnDamage) -> None:
        self._wanted, self._options, self._on_damage = wanted, options, on_damage
        self.is_lean = (wanted.urls_alone or wanted.counts) and is_plain(options)
        self._damaged: set[str] = set()
        self._not_empty: set[str] = set()

    def tell(self, damage: SourceError) -> None:
        """Tell of damage."""
        self._damaged.add(damage.source)
        self._on_damage(damage)

    def results(self, shards: Iterable[Shard], jobs: int) -> Results:
        """Give what is found, batch by batch."""
        for shard, batch in in_turn(shards, self._work, jobs, self.tell):
            self._not_empty.add(shard.source)
            yield shard, batch

    def lines(self, batch: list[Any]) -> list[str]:
        """Give the lines of a batch."""
        return batch if self.is_lean else [line for _, line in batch]

    def fresh_lines(self, batch: list[Any], seen: set[str]) -> list[str]:
        """Give the lines of those URLs of a batch that were not ``seen``: now they are."""
        lines: dict[str, str] = {}
        for url, line in zip(batch, batch, strict=True) if self.is_lean else batch:
            lines.setdefault(url, line)
        fresh = [line for url, line in lines.items() if url not in seen]
        seen.update(lines)
        return fresh

    def print_counts(self, sources: Sequence[str], results: Results, writer: Writer) -> int:
        """Print the number of URLs of each source."""
        wanted = self._wanted
        counts = dict.fromkeys(sources, 0)
        seen: set[str] = set()
        last: str | None = None
        for shard, batch in results:
            if shard.source != last:
                seen.clear()
                last = shard.source
            counts[last] += len(self.fresh_lines(batch, seen) if wanted.unique else batch)
        total = 0
        for source in sources:
            rest = wanted.rest(total)
            count = counts[source] if rest is None else min(counts[source], rest)
            total += count
            writer.write([wanted.count_line(source, count, is_alone=len(sources) == 1)])
        self.tell_of_empty(sources)
        return total

    def tell_of_empty(self, sources: Sequence[str]) -> None:
        """Tell of directories without any message, but where damage is the cause."""
        from urlextract.errors import SourceError  # noqa: PLC0415 - raised by few

        for source in sources:
            is_damaged = any(name == source or name.startswith(source + os.sep) for name in self._damaged)
            if os.path.isdir(source) and source not in self._not_empty and not is_damaged:
                self.tell(SourceError(source, NO_MESSAGE))

    def _work(self, shard: Shard, tell: OnDamage) -> Iterator[list[Any]]:
        """Read one shard, in a process of its own; an empty batch says that there was something in it."""
        was_there: list[bool] = []
        items = _noted(read_shard(shard, tell, in_bulk=self.is_lean), was_there)
        if self.is_lean:
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
