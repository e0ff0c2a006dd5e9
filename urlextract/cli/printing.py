"""``urlextract format``, ``rewrap`` and ``refs``: URLs and whole texts for print."""

from __future__ import annotations

from typing import Any

import click

from urlextract.cli import SETTINGS
from urlextract.command import MisuseError, run_format
from urlextract.formatter.targets import TARGETS

__all__ = ["format_command"]

_WRAPPERS = {"URL:": "URL:", "<>": "<>", "none": None}


@click.command(
    epilog="Exit status: 0 if all URLs were printed, 1 if one cannot be, 2 on trouble.",
    context_settings=SETTINGS,
)
@click.argument("urls", metavar="[URL|-]...", nargs=-1, type=click.UNPROCESSED)
@click.option("-w", "--width", metavar="N", type=click.IntRange(min=1), default=72, show_default=True,
              help="Columns of a line, prefix and brackets included.")  # fmt: skip
@click.option("-t", "--target", type=click.Choice(list(TARGETS)), default="mail", show_default=True,
              help="What is printed for.")  # fmt: skip
@click.option("--wrapper", type=click.Choice(list(_WRAPPERS)), default="URL:", show_default=True,
              help="The brackets: <URL:...>, <...>, or none.")  # fmt: skip
@click.option("--prefix", metavar="TEXT", default="", help="Begin each line with TEXT, a quote prefix.")
@click.option("--indent", metavar="N", type=click.IntRange(min=0), default=1, show_default=True,
              help="Indent all lines but the first by N blanks.")  # fmt: skip
@click.option("--first", metavar="N", type=click.IntRange(min=0), default=0,
              help="The first line goes on behind N columns, and gets no prefix.")  # fmt: skip
@click.option("--overflow", type=click.Choice(["error", "keep"]), default="error", show_default=True,
              help="A URL that does not fit: an error, or printed as wide as it must be.")  # fmt: skip
@click.option("--host", type=click.Choice(["ascii", "unicode"]), default="ascii", show_default=True,
              help="The letters of hosts in other scripts.")  # fmt: skip
@click.option("--check", is_flag=True, help="Read what is printed back, and fail on any difference.")
@click.pass_context
def format_command(ctx: click.Context, /, urls: tuple[str, ...], *, check: bool, **how: Any) -> None:
    """Print each URL with line breaks that are safe, so that it reads back exactly.

    Reads standard input, one URL a line, when none is named.
    """
    how["wrapper"] = _WRAPPERS[how["wrapper"]]
    how["indent"] = " " * how["indent"]
    try:
        status = run_format(urls, how, check=check)
    except MisuseError as error:
        raise click.UsageError(f"--{error}") from None
    ctx.exit(status)
