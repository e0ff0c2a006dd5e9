"""``urlextract cluster``: read archives with many processes or machines."""

from __future__ import annotations

import gc
from typing import Any

import click

from urlextract.cli.program import Command, names_of_files, with_help
from urlextract.cli.reporting import (
    FOUND,
    TROUBLE,
    ErrorReporter,
    check_keywords,
    errors_reported,
    stops_in_order,
)
from urlextract.cli.rows import with_sections
from urlextract.cli.values import Choice, Number
from urlextract.cluster.running import How, Report, run_on_cluster

_FORMATS = ("jsonl", "parquet")


class _Share(click.ParamType):  # type: ignore[type-arg,unused-ignore]  # generic since click 8.4
    """One of some equal shares."""

    name = "K/N"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[int, int]:
        """Return the number of the share and how many there are."""
        number, slash, shares = value.partition("/")
        if not slash:
            self.fail(f"{value!r} is no share: write K/N, such as 1/10")
        most = Number(min=1).convert(shares, param, ctx)
        return Number(min=1, max=most).convert(number, param, ctx), most


@click.command(
    cls=Command,
    epilog="The options of urlextract for input, URLs and messages count here, too: see urlextract --help. "
    "Exit status: 0 if all parts are there, 2 on trouble (a source is damaged, too).",
)
@click.argument("sources", metavar="[FILE|DIR|URL]...", nargs=-1, type=click.UNPROCESSED,
                shell_complete=names_of_files)  # fmt: skip
@click.option("--out", metavar="DIR", required=True, type=click.UNPROCESSED,
              help="Where the parts are written: a directory, or a URL such as s3://bucket/links."
              )  # fmt: skip
@click.option("--to", type=Choice(_FORMATS), default="jsonl", show_default=True,
              help="The format of parts: lines of JSON, compressed by Zstandard, or parquet.")  # fmt: skip
@click.option("--workers", metavar="N", type=Number(min=1, max=1024),
              help="Start N processes on this machine. Default: as many as it has processors.")  # fmt: skip
@click.option("--scheduler", metavar="ADDRESS",
              help="Use the cluster of this Dask scheduler, such as tcp://10.0.0.1:8786.")  # fmt: skip
@click.option("--part", metavar="K/N", type=_Share(), default="1/1",
              help="Make the K-th of N equal shares of the parts, for arrays of jobs.")  # fmt: skip
@click.option("--retries", metavar="N", type=Number(min=0, max=1000), default=2, show_default=True,
              help="Try a part that fails N times more.")  # fmt: skip
@with_sections("Input", "URLs", "Messages", is_shared=True)
@with_help
def cluster_command(sources: tuple[str, ...], **chosen: Any) -> int:
    """Read archives with many processes, on this machine or on those of a Dask cluster.

    Files, pieces of large ones, and groups of small ones are each read into a part: a file in DIR with the
    records that urlextract -j prints, which is there as a whole or not at all. Run it again after it was
    stopped, in whatever way, or when the sources have changed: parts that are there are not made again. In
    the end DIR has the parts of the sources as they are, and no others. urlextract index --from DIR loads
    them. Sources and DIR may be URLs: s3://, gs://, hdfs://, and of sources http:// and https://.
    """
    how = How(**{name: chosen[name] for name in How._fields if name in chosen})
    if not sources and how.files_from is None:
        raise click.UsageError("name a file, a directory or a URL to be read")
    if how.scheduler and how.workers:
        raise click.UsageError("--workers: cannot be used with --scheduler")
    keywords = check_keywords(chosen)
    errors = ErrorReporter()
    if how.scheduler:
        gc.enable()  # its libraries leave reference cycles behind
    with errors_reported(errors), stops_in_order():
        run_on_cluster(sources, keywords, how, Report(errors, errors.report, errors.show))
    return TROUBLE if errors.happened else FOUND
