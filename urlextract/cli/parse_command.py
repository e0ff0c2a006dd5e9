"""``urlextract parse``: URLs taken apart."""

from __future__ import annotations

import click

from urlextract.cli import HELP, SETTINGS, finish
from urlextract.command import run_parse

__all__ = ["parse_command"]


@click.command(
    epilog="Exit status: 0 if all URLs parse, 1 if one does not, 2 on trouble.",
    context_settings=SETTINGS,
)
@click.argument("urls", metavar="[URL|-]...", nargs=-1, type=click.UNPROCESSED)
@click.option("--json", "as_json", is_flag=True, help="A JSON line for each.")
@click.help_option("-h", "--help", help=HELP)
@click.pass_context
def parse_command(ctx: click.Context, /, urls: tuple[str, ...], *, as_json: bool) -> None:
    """Take each URL apart: its parts, the grammars it fits, violations and warnings.

    Reads standard input, one URL a line, when none is named.
    """
    finish(ctx, lambda: run_parse(urls, as_json=as_json))
