"""What the commands ``shards``, ``shard`` and ``cluster`` do, apart from options and messages."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple, TextIO

from urlextract.cluster.driver import ClusterOptions, Failure, Report, RunSpec, Summary, connected, read_all
from urlextract.cluster.partfiles import parts_in
from urlextract.cluster.partwriters import SUFFIXES, check_writer
from urlextract.cluster.plans import PlannedShard, plan_sources, read_plan
from urlextract.cluster.stores import resolved
from urlextract.cluster.tasks import part_name, read_into
from urlextract.errors import SourceError, UrlExtractError
from urlextract.output.writer import opened
from urlextract.run.progress import Progress
from urlextract.sources.folders.tree import TreeFilter, Written, tell_of_links
from urlextract.sources.streams import names_in

Tell = Callable[[str], None]


FAILURES = "failures.jsonl"
"""The file of a run in which the shards without a part are named: a plan, with the key ``error``."""


class InputOptions(NamedTuple):
    """Which files are read, and how large the shards are."""

    format: str = "auto"
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    follow: bool = False
    files_from: str | None = None
    shard_size: int = 64 << 20


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
        for planned in _planned(sources, given, keywords, on_damage, notice):
            writer.write(planned.line())
            count += 1
    return count


def _planned(
    sources: Sequence[str],
    given: InputOptions,
    keywords: Mapping[str, Any],
    on_damage: Callable[[SourceError], None],
    notice: Tell,
) -> Iterator[PlannedShard]:
    if given.files_from is not None:
        sources = (*sources, *names_in(given.files_from))
    if not sources:
        raise UrlExtractError("no source is named")
    written = Written([1, 2], lambda path: notice(f"{path}: is written to by this run, and not read"))
    tree_filter = TreeFilter(given.include, given.exclude, given.follow, written, set())
    planned = plan_sources(
        sources,
        given.format,
        keywords,
        shard_size=given.shard_size,
        tree_filter=tree_filter,
        on_damage=on_damage,
    )
    return _with_links_told(planned, tree_filter, notice)


def _with_links_told(
    planned: Iterator[PlannedShard], tree_filter: TreeFilter, notice: Tell
) -> Iterator[PlannedShard]:
    yield from planned
    tell_of_links(tree_filter, notice)


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
            _refuse_within(out, [planned.url] if planned.shard.is_folder else [])
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
    """Read all shards of the sources, or of a plan, on a Dask cluster, and print what came of them."""
    check_writer(how.to)
    out = resolved(how.out)
    parts = parts_in(out)
    _refuse_within(out, [resolved(source) for source in sources])
    shards = _planned(sources, given, keywords, on_damage, notice) if how.plan is None else _all_of(how.plan)
    spec = RunSpec(out, how.to, how.retries, how.shard_timeout)
    with connected(how, notice) as client:
        planned = list(shards)
        _refuse_within(out, [each.url for each in planned if each.shard.is_folder])
        parts.prepare()
        progress = _progress(planned)
        report = Report(tell, notice, progress.add if progress else _no_progress)
        summary, failures = read_all(client, planned, parts.names(), spec, report)
        if progress:
            progress.finish()
    parts.sweep()  # of workers that died
    if failures:
        parts.put(FAILURES, "".join(f"{each.line()}\n" for each in failures).encode("ascii"))
    else:
        parts.remove(FAILURES)
    if how.plan is None:
        own = {part_name(each, how.to) for each in planned}
        others = [name for name in parts.names() - own if name.endswith(SUFFIXES[how.to])]
        if others:
            notice(f"{out}: {_number(len(others), 'part')} of other plans there, too")
    with opened(None, end="\n", is_prompt=True) as writer:
        writer.write(_summary_line(summary, failures))


def _all_of(plan: str) -> Iterator[PlannedShard]:
    with _lines_of(plan) as stream:
        yield from read_plan(plan, stream)


def _refuse_within(out: str, folders: Iterable[str]) -> None:
    """Raise `UrlExtractError` if the parts would be among the files of a directory that is read."""
    for folder in folders:
        if f"{out.rstrip('/')}/".startswith(f"{folder.rstrip('/')}/"):
            raise UrlExtractError(f"{out}: the parts would be in a directory that is read: {folder}")


def _progress(planned: Iterable[PlannedShard]) -> Progress | None:
    """Return the progress to be shown if standard error is a terminal."""
    if sys.stderr is None or not sys.stderr.isatty():
        return None

    return Progress(sum(each.shard.size for each in planned) or 1)


def _no_progress(_: int) -> None:
    """Show nothing."""


def _summary_line(summary: Summary, failures: Sequence[Failure]) -> str:
    return (
        f"{_number(summary.done, 'shard')} done, {summary.skipped} skipped, {len(failures)} failed; "
        f"{_number(summary.messages, 'message')}, {_number(summary.urls, 'URL')}"
    )


def _number(count: int, what: str) -> str:
    return f"{count} {what}{'s' if count != 1 else ''}"
