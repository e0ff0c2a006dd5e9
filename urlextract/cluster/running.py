"""What the commands ``shards``, ``shard`` and ``cluster`` do, apart from options and messages."""

from __future__ import annotations

import errno
import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import Any, NamedTuple, TextIO

from urlextract.cluster.driver import ClusterOptions, Report, Summary, connected, read_all
from urlextract.cluster.manifest import DAMAGE, MANIFEST, ListedPart, Manifest, is_part, read_manifest
from urlextract.cluster.partfiles import Parts, damage_of, parts_in
from urlextract.cluster.partwriters import check_writer
from urlextract.cluster.plans import PlannedShard, plan_sources, read_plan
from urlextract.cluster.stores import resolved
from urlextract.cluster.tasks import part_name, read_into
from urlextract.errors import SourceError, UrlExtractError
from urlextract.output import status
from urlextract.output.writer import opened
from urlextract.sources.folders.tree import TreeFilter, Written
from urlextract.sources.streams import names_in

Tell = Callable[[str], None]

_SHOWN_EACH = 1.0  # seconds
FAILURES = "failures.jsonl"
"""The file of a run in which the shards without a part are named: a plan, with the key ``error``."""

UNFINISHED = "unfinished.json"
"""What will be the manifest of a run when those shards are read, too."""


class InputOptions(NamedTuple):
    """Which files are read, and how large the shards are."""

    format: str = "auto"
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    follow: bool = False
    files_from: str | None = None
    shard_size: int | None = None


def print_plan(
    sources: Sequence[str],
    given: InputOptions,
    keywords: Mapping[str, Any],
    *,
    on_damage: Callable[[SourceError], None],
    notice: Tell,
) -> int:
    """Print the shards of the sources; return their number."""
    count = 0
    with opened(None, end="\n", is_prompt=False) as writer:
        for planned in _planned(_named(sources, given), given, keywords, on_damage, notice):
            writer.write(planned.line())
            count += 1
    return count


def _named(sources: Sequence[str], given: InputOptions) -> Sequence[str]:
    """Return all sources that are named; raise `UrlExtractError` if there is none."""
    if given.files_from is not None:
        sources = (*sources, *names_in(given.files_from))
    if not sources:
        raise UrlExtractError("no source is named")
    return sources


def _planned(
    sources: Sequence[str],
    given: InputOptions,
    keywords: Mapping[str, Any],
    on_damage: Callable[[SourceError], None],
    notice: Tell,
) -> Iterator[PlannedShard]:
    written = Written([1, 2], lambda path: notice(f"{path}: is written to by this run, and not read"))
    tree_filter = TreeFilter(given.include, given.exclude, given.follow, written)
    return plan_sources(
        sources,
        given.format,
        keywords,
        shard_size=given.shard_size,
        tree_filter=tree_filter,
        on_damage=on_damage,
    )


def read_chosen(
    plan: str, out: str, to: str, ids: Sequence[str], numbers: Sequence[int], *, tell: Tell
) -> None:
    """Read the shards of a plan that have one of the ``ids``, or one of the ``numbers`` of its lines.

    The paths of the parts are printed, also of those that are there. ``tell`` gets what is damaged or fails.
    """
    check_writer(to)
    out = resolved(out)
    parts = parts_in(out)
    parts.prepare()
    with opened(None, end="\n", is_prompt=True) as writer:
        for planned in _chosen(plan, ids, numbers, tell):
            _refuse_within(out, [planned.url] if planned.shard.files is not None else [])
            try:
                outcome = read_into(planned, parts, to)
            except UrlExtractError as error:
                tell(f"shard {planned.id}: {error}")
                continue
            except OSError as error:
                tell(f"shard {planned.id}: {out}: {error.strerror or error}")
                continue
            for damage in outcome.damage:
                tell(damage)
            writer.write(f"{out.rstrip('/')}/{part_name(planned, to)}")


def _chosen(plan: str, ids: Sequence[str], numbers: Sequence[int], tell: Tell) -> Iterator[PlannedShard]:
    """Yield the chosen shards in the order of the plan; tell of those that it does not have."""
    left, lines = set(ids), set(numbers)
    with _lines_of(plan) as stream:
        for number, line in enumerate(stream, 1):
            is_line = number in lines
            lines.discard(number)
            if is_line or any(f'"id":"{each}"' in line for each in left):
                [planned] = read_plan(plan, [line], number)
                left.discard(planned.id)
                yield planned
            if not left and not lines:
                return
    for each in sorted(left):
        tell(f"{plan}: has no shard {each}")
    for line_number in sorted(lines):
        tell(f"{plan}: has no line {line_number}")


@contextmanager
def _lines_of(plan: str) -> Iterator[TextIO]:
    """Yield the lines of a plan; "-" is standard input."""
    is_input = plan == "-"
    if is_input and sys.stdin is None:
        raise OSError(0, "standard input is closed", "-")
    file = 0 if is_input else plan
    with open(file, encoding="utf-8", errors="surrogateescape", closefd=not is_input) as stream:
        yield stream


def run_on_cluster(
    sources: Sequence[str],
    given: InputOptions,
    keywords: Mapping[str, Any],
    how: ClusterOptions,
    *,
    on_damage: Callable[[SourceError], None],
    tell: Tell,
    notice: Tell,
) -> None:
    """Read all shards of the sources, or of a plan, and print what came of them.

    If the run is complete, the manifest names its parts; else that of the last complete run stays.
    """
    started = time.monotonic()
    check_writer(how.to)
    if how.plan is None:
        sources = _named(sources, given)
    out = resolved(how.out)
    how = how._replace(out=out)
    parts = parts_in(out)
    _refuse_within(out, [resolved(source) for source in sources])
    with connected(how, notice) as client, _swept(parts):
        parts.prepare()
        run = _PlannedRun(parts, how, sources, on_damage, tell)
        if how.plan is None:
            shards = _planned(sources, given, keywords, run.note_damage, notice)
        else:
            shards = _all_of(how.plan)
        progress = _Progress()
        summary, failures = read_all(client, how, run.missing(shards), Report(tell, notice, progress.show))
        progress.finish()
        if failures:
            parts.put(FAILURES, "".join(f"{each.line()}\n" for each in failures).encode("ascii"))
        else:
            parts.remove(FAILURES)
        run.finish(notice)
        with opened(None, end="\n", is_prompt=True) as writer:
            writer.write(_summary_line(summary, run.skipped))
            if summary.done:
                writer.write(_speed_line(summary, time.monotonic() - started))


@contextmanager
def _swept(parts: Parts) -> Iterator[None]:
    """Remove, at the end, what workers have left that died or were ended."""
    try:
        yield
    except BaseException:
        with suppress(Exception):  # the error that came first is raised
            parts.sweep()
        raise
    parts.sweep()


class _PlannedRun:
    """What is planned in a run: which shards are read, and what the manifest says in the end."""

    def __init__(
        self,
        parts: Parts,
        how: ClusterOptions,
        sources: Sequence[str],
        on_damage: Callable[[SourceError], None],
        tell: Tell,
    ) -> None:
        self._parts, self._how, self._sources = parts, how, frozenset(sources)
        self._on_damage, self._tell = on_damage, tell
        self._existing = parts.sizes()
        self._listed: list[ListedPart] = []
        last = self._manifest(MANIFEST)
        self._last = None if how.force else last
        self._is_whole = True  # nothing that is to be read could not be listed
        self._is_rest = True  # all shards are of a list of failures
        self.skipped = 0

    def _manifest(self, name: str) -> Manifest | None:
        data = self._parts.get(name)
        return None if data is None else read_manifest(data, f"{self._how.out}/{name}")

    def note_damage(self, error: SourceError) -> None:
        """Report what cannot be planned; a link in a tree that leads nowhere leaves nothing out."""
        is_in_tree = error.source not in self._sources
        if not (is_in_tree and error.errno == errno.ENOENT and os.path.islink(error.source)):
            self._is_whole = False
        self._on_damage(error)

    def missing(self, shards: Iterable[PlannedShard]) -> Iterator[PlannedShard]:
        """Yield the shards without a part; raise `UrlExtractError` if one has not the options of the run."""
        for planned in shards:
            if planned.shard.files is not None:
                _refuse_within(self._how.out, [planned.url])
            if self._last is None:  # that of this run: all its shards have the same options
                self._last = Manifest((), self._how.to, planned.options)
            self._refuse_others(self._last, planned.options)
            name = part_name(planned, self._how.to)
            self._listed.append(ListedPart(name, 0, planned.shard.source))
            self._is_rest &= planned.error is not None
            if name in self._existing:
                self.skipped += 1
                for damage in damage_of(self._parts, name) if name + DAMAGE in self._existing else ():
                    self._tell(damage)
            else:
                yield planned

    def _refuse_others(self, last: Manifest, options: Mapping[str, Any]) -> None:
        """Raise `UrlExtractError` for other options than those of the last run."""
        given, kept = {"to": self._how.to, **options}, {"to": last.to, **last.options}
        others = [name for name in {**kept, **given} if given.get(name) != kept.get(name)]
        if others:
            raise UrlExtractError(
                f"{self._how.out}: the parts there were made with other options ({', '.join(others)}): "
                "name another directory, or replace them with --force"
            )

    def finish(self, notice: Tell) -> None:
        """Write the manifest if all sources were planned, and all their parts are there."""
        manifest: Manifest | None = None
        if self._listed and self._is_rest:  # of a run that is complete with it
            manifest = self._manifest(UNFINISHED)
        elif self._listed and self._last and self._is_whole:
            manifest = Manifest(tuple(self._listed), self._how.to, self._last.options)
        sizes = self._parts.sizes()
        missing = 0
        if manifest is not None:
            manifest = manifest.with_sizes(sizes)
            missing = sum(part.name not in sizes for part in manifest.parts)
        if manifest is None or missing:
            left = f"{_number(missing, 'part')} missing" if missing else "not all sources were read"
            notice(f"{self._how.out}: {left}, and so {MANIFEST} is not written")
            if manifest is None:
                self._parts.remove(UNFINISHED)
            else:
                self._parts.put(UNFINISHED, manifest.encoded())
            return
        self._parts.put(MANIFEST, manifest.encoded())
        self._parts.remove(UNFINISHED)
        listed = {part.name for part in manifest.parts}
        others = [name for name in sizes if name.removesuffix(DAMAGE) not in listed]
        if self._how.prune:
            for name in others:
                self._parts.remove(name)
        elif others:
            count = _number(sum(is_part(name) for name in others), "part")
            notice(f"{self._how.out}: {count} of earlier runs there, too: see --prune")


def _all_of(plan: str) -> Iterator[PlannedShard]:
    with _lines_of(plan) as stream:
        is_empty = True
        for planned in read_plan(plan, stream):
            is_empty = False
            yield planned
    if is_empty:
        raise UrlExtractError(f"{plan}: has no shard")


def _refuse_within(out: str, folders: Iterable[str]) -> None:
    """Raise `UrlExtractError` if the parts would be among the files of a directory that is read."""
    for folder in folders:
        if f"{out.rstrip('/')}/".startswith(f"{folder.rstrip('/')}/"):
            raise UrlExtractError(f"{out}: the parts would be in a directory that is read: {folder}")


class _Progress:
    """Shows on a terminal what was done, from the second second on."""

    def __init__(self) -> None:
        self._is_shown = sys.stderr is not None and sys.stderr.isatty()
        self._next = time.monotonic() + _SHOWN_EACH

    def show(self, summary: Summary) -> None:
        """Show what came of all shards so far."""
        if self._is_shown and time.monotonic() > self._next:
            self._next = time.monotonic() + _SHOWN_EACH
            counts = _number(summary.done, "shard"), _megabytes(summary.size), _number(summary.urls, "URL")
            status.draw(", ".join((*counts, f"{summary.failed} failed")))

    def finish(self) -> None:
        """Show nothing any more."""
        status.clear()


def _megabytes(size: int) -> str:
    return f"{size / 1e6:,.0f} MB"


def _summary_line(summary: Summary, skipped: int) -> str:
    return (
        f"{_number(summary.done, 'shard')} done, {skipped} skipped, {summary.failed} failed; "
        f"{_number(summary.messages, 'message')}, {_number(summary.urls, 'URL')}"
    )


def _speed_line(summary: Summary, seconds: float) -> str:
    """Return how fast the run was, and which shards took the longest."""
    slowest = ", ".join(f"{shard.id} ({taken:,.1f} s)" for taken, shard in summary.slowest)
    return f"{seconds:,.1f} s, {summary.size / 1e6 / seconds:,.1f} MB/s; slowest: {slowest}"


def _number(count: int, what: str) -> str:
    return f"{count} {what}{'s' if count != 1 else ''}"
