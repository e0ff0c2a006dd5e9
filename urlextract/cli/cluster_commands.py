"""``urlextract shards``, ``shard`` and ``cluster``: read archives with many processes or machines."""

from __future__ import annotations

import gc
from collections.abc import Sequence
from typing import Any

import click
from click.core import ParameterSource

from urlextract.cli.program import SETTINGS, Command, finish, names_of_files, with_help
from urlextract.cli.reporting import (
    FOUND,
    NONE,
    TROUBLE,
    ErrorReporter,
    check_keywords,
    errors_reported,
    stops_in_order,
    texts_of,
)
from urlextract.cli.rows import joined_lists, with_sections
from urlextract.cli.values import Choice, Number
from urlextract.cluster.driver import ClusterOptions
from urlextract.cluster.running import InputOptions, print_plan, read_chosen, run_on_cluster

_FORMATS = ("jsonl", "parquet")


class _Size(Number):
    """A number of bytes, also with one of the letters k, M and G for powers of 1024."""

    name = "BYTES"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Return the number of bytes."""
        text = str(value)
        scale = _SCALES.get(text[-1:].lower(), 0)
        is_scaled = scale and text[:-1].isascii() and text[:-1].isdecimal() and len(text) < _LONGEST
        return super().convert(int(text[:-1]) << scale if is_scaled else text, param, ctx)


_SCALES = {"k": 10, "m": 20, "g": 30}
_LONGEST = 12  # characters of a number of bytes with a letter

_SHARD_SIZE = click.option("--shard-size", metavar="BYTES", type=_Size(min=1024),
                           help="The size of shards of mailboxes, texts and web archives (k, M, G). "
                           "By default 64M."
                           )  # fmt: skip
_OUT = click.option("--out", metavar="DIR", required=True, type=click.UNPROCESSED,
                    help="Where the parts are written: a directory, or a URL such as s3://bucket/links."
                    )  # fmt: skip
_TO = click.option("--to", type=Choice(_FORMATS), default="jsonl", show_default=True,
                   help="The format of parts: lines of JSON, compressed by Zstandard, or parquet."
                   )  # fmt: skip
_SOURCES = click.argument("sources", metavar="[FILE|DIR|URL]...", nargs=-1, type=click.UNPROCESSED,
                          shell_complete=names_of_files)  # fmt: skip


@click.command(
    cls=Command,
    epilog="The options of urlextract for input, URLs and messages count here, too: see urlextract --help. "
    "Exit status: 0 if shards were printed, 1 if there are none, 2 on trouble.",
    context_settings=SETTINGS,
)
@_SOURCES
@_SHARD_SIZE
@with_sections("Input", "URLs", "Messages", is_shared=True)
@with_help
@click.pass_context
def shards_command(ctx: click.Context, /, sources: tuple[str, ...], **chosen: Any) -> None:
    """Cut sources into shards, and print them as a plan: one line of JSON each.

    Each line is all that another process needs to read the shard: the file and the range of bytes in it,
    or some files of a directory, with their sizes and times of change, and the options of
    extraction. urlextract shard reads one, urlextract cluster all of them.
    """
    _check_sources(sources, chosen)
    finish(ctx, lambda: run_shards(sources, joined_lists(chosen)))


@click.command(
    cls=Command,
    epilog="Exit status: 0 if all parts are there, 2 on trouble.",
    context_settings=SETTINGS,
)
@click.argument("more", metavar="[ID]...", nargs=-1, type=click.UNPROCESSED)
@click.option("--plan", metavar="FILE", required=True, type=click.Path(allow_dash=True),
              help="The plan that urlextract shards has printed; - is standard input.")  # fmt: skip
@click.option("--id", "ids", metavar="ID", multiple=True,
              help="Read the shard with this id (repeatable); -: those on standard input.")  # fmt: skip
@click.option("--number", "numbers", metavar="N", multiple=True, type=Number(min=1),
              help="Read the shard of line N of the plan (repeatable).")  # fmt: skip
@_OUT
@_TO
@with_help
@click.pass_context
def shard_command(
    ctx: click.Context,
    /,
    more: tuple[str, ...],
    *,
    plan: str,
    ids: tuple[str, ...],
    numbers: tuple[int, ...],
    out: str,
    to: str,
) -> None:
    """Read shards of a plan, each into its part file, and print the names of the parts.

    The part of a shard is part-ID.jsonl.zst, with the records that urlextract -j prints, or
    part-ID.parquet. It is there as a whole or not at all; one that is there is not read again. A shard
    whose file has changed since the plan was made is not read: the exit status is 2.
    """
    chosen = (*ids, *more)
    if not chosen and not numbers:
        raise click.UsageError("name shards by --id or --number")
    if plan == "-" and "-" in chosen:
        raise click.UsageError("--id: standard input is the plan")
    finish(ctx, lambda: run_shard(plan, out, to, chosen, numbers))


@click.command(
    cls=Command,
    epilog="The options of urlextract for input, URLs and messages count here, too: see urlextract --help. "
    "Exit status: 0 if all shards have their parts, 2 on trouble (a source is damaged, too).",
    context_settings=SETTINGS,
)
@_SOURCES
@_OUT
@_TO
@click.option("--plan", metavar="FILE", type=click.Path(allow_dash=True),
              help="Read the shards of this plan instead of sources; - is standard input.")  # fmt: skip
@click.option("--workers", metavar="N", type=Number(min=1, max=1024),
              help="Start N processes on this machine. Default: as many as it has processors.")  # fmt: skip
@click.option("--scheduler", metavar="ADDRESS",
              help="Use the cluster of this Dask scheduler, such as tcp://10.0.0.1:8786.")  # fmt: skip
@click.option("--retries", metavar="N", type=Number(min=0, max=1000), default=2, show_default=True,
              help="Try a shard that fails N times more.")  # fmt: skip
@click.option("--prune", is_flag=True,
              help="At the end of a run that is complete, remove the parts that are not of it.")  # fmt: skip
@click.option("--force", is_flag=True,
              help="Use DIR though its parts were made with other options.")  # fmt: skip
@_SHARD_SIZE
@with_sections("Input", "URLs", "Messages", is_shared=True)
@with_help
@click.pass_context
def cluster_command(ctx: click.Context, /, sources: tuple[str, ...], **chosen: Any) -> None:
    """Read archives with many processes, on this machine or on those of a Dask cluster.

    The sources are cut into shards, and each is read into a part file in DIR, as by urlextract shard. Run
    it again after it was stopped, in whatever way: parts that are there are skipped. At the end,
    DIR/manifest.json names the parts of the run. Shards that fail are named in DIR/failures.jsonl, which is
    a plan of them, and all others are finished. Sources and DIR may be URLs: s3://, gs://, hdfs://, and of
    sources http:// and https://.
    """
    how = {name: chosen.pop(name) for name in _WITH_PLAN}
    if how["plan"] is None:
        _check_sources(sources, chosen)
    else:
        _check_plan_alone(ctx, sources)
    if how["scheduler"] and how["workers"]:
        raise click.UsageError("--workers: cannot be used with --scheduler")
    finish(ctx, lambda: run_cluster(sources, joined_lists(chosen), how))


def _check_sources(sources: tuple[str, ...], chosen: dict[str, Any]) -> None:
    if not sources and chosen["files_from"] is None:
        raise click.UsageError("name a file, a directory or a URL to be read")


_WITH_PLAN = ("out", "to", "plan", "workers", "scheduler", "retries", "prune", "force")


def _check_plan_alone(ctx: click.Context, sources: tuple[str, ...]) -> None:
    """Raise `UsageError` for sources or options that are in the plan already."""
    if sources:
        raise click.UsageError("--plan: cannot be used with sources")
    for param in ctx.command.params:
        is_given = ctx.get_parameter_source(param.name or "") is ParameterSource.COMMANDLINE
        if is_given and param.name not in (*_WITH_PLAN, "sources"):
            raise click.UsageError(
                f"{max(param.opts, key=len)}: cannot be used with --plan, which has its own"
            )


def run_shards(sources: Sequence[str], chosen: dict[str, Any]) -> int:
    """Print a plan: the shards of the sources, one a line; return the exit status.

    Raises `MisuseError` for an invalid option.
    """
    keywords, given = _shard_options(chosen)
    errors = ErrorReporter()
    count = 0
    with errors_reported(errors):
        count = print_plan(sources, given, keywords, on_damage=errors, notice=errors.show)
    if errors.happened:
        return TROUBLE
    return FOUND if count else NONE


def run_shard(plan: str, out: str, to: str, ids: Sequence[str], numbers: Sequence[int]) -> int:
    """Read shards of a plan into their parts; "-" among the ``ids`` is those on standard input."""
    errors = ErrorReporter()
    with errors_reported(errors):
        read_chosen(plan, out, to, list(texts_of(ids)), numbers, tell=errors.report)
    return TROUBLE if errors.happened else FOUND


def run_cluster(sources: Sequence[str], chosen: dict[str, Any], how: dict[str, Any]) -> int:
    """Read all shards of the sources, or of a plan, on a cluster; return the exit status.

    Raises `MisuseError` for an invalid option.
    """
    keywords, given = _shard_options(chosen)
    errors = ErrorReporter()
    gc.enable()  # the libraries leave reference cycles behind
    with errors_reported(errors), stops_in_order():
        run_on_cluster(
            sources,
            given,
            keywords,
            ClusterOptions(**how),
            on_damage=errors,
            tell=errors.report,
            notice=errors.show,
        )
    return TROUBLE if errors.happened else FOUND


def _shard_options(chosen: dict[str, Any]) -> tuple[dict[str, Any], InputOptions]:
    """Return the keywords of the library, and the options of what is read in shards."""
    return check_keywords(chosen), InputOptions(
        **{name: chosen[name] for name in InputOptions._fields if name in chosen}
    )
