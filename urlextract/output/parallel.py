"""What is printed when several processes read: the same as when one does, in the same order."""

from __future__ import annotations

import os
from itertools import islice
from typing import TYPE_CHECKING, Any

from urlextract.output.jobs import in_turn
from urlextract.pipeline.plain import is_plain, read_urls
from urlextract.sources import NO_MESSAGE
from urlextract.sources.shards import Shard, plan, read_shard

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from urlextract.errors import SourceError
    from urlextract.output.wanted import Wanted
    from urlextract.output.writer import Writer
    from urlextract.pipeline.options import Options
    from urlextract.records import Item
    from urlextract.sources.folders.names import Names

    OnDamage = Callable[[SourceError], None]
    Result = tuple[str, str]

__all__ = ["can_be_shared", "print_shared"]

_TOGETHER = 200  # records that are handed over at a time


def can_be_shared(sources: Sequence[str], wanted: Wanted, options: Options) -> bool:
    """Say whether several processes can read: files, whose results do not wait for each other."""
    waits = wanted.explain or wanted.quiet or (wanted.unique and wanted.as_json)
    is_file = all(os.path.isfile(source) or os.path.isdir(source) for source in sources)
    return hasattr(os, "fork") and is_file and not waits and options.hyphen != "evidence"


def print_shared(
    sources: Sequence[str],
    wanted: Wanted,
    options: Options,
    writer: Writer,
    *,
    names: Names | None,
    on_damage: OnDamage,
) -> int:
    """Print what is wanted of the sources; give the number of URLs found."""
    shared = _Shared(wanted, options, on_damage)
    shards = [
        shard
        for source in (dict.fromkeys(sources) if wanted.counts else sources)
        for shard in plan(source, wanted.kind, shared.tell, names, numbered=wanted.as_json)
    ]
    results = shared.results(shards)
    if wanted.counts:
        return shared.print_counts(sources, results, writer)
    seen: set[str] = set()
    written = 0
    for _, batch in results:
        fresh = _first_of_each(batch, seen) if wanted.unique else batch
        lines = [line for _, line in islice(fresh, wanted.rest(written))]
        written += len(lines)
        writer.write(lines)
        if written == wanted.max_count:
            break
    else:
        shared.tell_of_empty(sources)
    return written


def _first_of_each(batch: Iterable[Result], seen: set[str]) -> Iterator[Result]:
    for url, line in batch:
        if url not in seen:
            seen.add(url)
            yield url, line


class _Shared:
    """What the processes do, and what was told of."""

    def __init__(self, wanted: Wanted, options: Options, on_damage: OnDamage) -> None:
        self._wanted, self._options, self._on_damage = wanted, options, on_damage
        self._is_lean = (wanted.urls_alone or wanted.counts) and is_plain(options)
        self._damaged: set[str] = set()
        self._not_empty: set[str] = set()

    def tell(self, damage: SourceError) -> None:
        """Tell of damage."""
        self._damaged.add(damage.source)
        self._on_damage(damage)

    def results(self, shards: list[Shard]) -> Iterator[tuple[Shard, list[Result]]]:
        """Give the URLs that are found, each with its line."""
        for shard, batch in in_turn(shards, self._work, self._wanted.jobs, self.tell):
            self._not_empty.add(shard.source)
            yield shard, list(zip(batch, batch, strict=True)) if self._is_lean else batch

    def print_counts(
        self, sources: Sequence[str], results: Iterator[tuple[Shard, list[Result]]], writer: Writer
    ) -> int:
        """Print the number of URLs of each source."""
        wanted = self._wanted
        found: dict[str, list[str]] = {}
        for shard, batch in results:
            found.setdefault(shard.source, []).extend(url for url, _ in batch)
        total = 0
        for source in sources:
            urls = found.get(source, [])
            count = len(list(islice(dict.fromkeys(urls) if wanted.unique else urls, wanted.rest(total))))
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
        items = _noted(read_shard(shard, tell, in_bulk=self._is_lean), was_there)
        if self._is_lean:
            yield from read_urls(items, self._options, is_prompt=False, on_damage=tell)
        else:
            yield from self._records(items, tell)
        if was_there:
            yield []

    def _records(self, items: Iterator[Item], tell: OnDamage) -> Iterator[list[Result]]:
        from urlextract.output.recorded import found_in, line_for  # noqa: PLC0415 - asked for by some

        found = found_in(items, self._options, tell)
        while batch := [(each.url, line_for(each, self._wanted)) for each in islice(found, _TOGETHER)]:
            yield batch


def _noted(items: Iterator[Item], was_there: list[bool]) -> Iterator[Item]:
    for item in items:
        if not was_there:
            was_there.append(True)
        yield item
