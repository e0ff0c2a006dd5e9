"""``urlextract parse``: URLs taken apart."""

from __future__ import annotations

from collections.abc import Sequence

import click

from urlextract.cli.program import SETTINGS, Command, finish, with_help
from urlextract.cli.reporting import status_of, texts_of
from urlextract.output.breakdown import print_parsed


@click.command(
    cls=Command,
    epilog="Exit status: 0 if all URLs parse, 1 if one does not, 2 on trouble.",
    context_settings=SETTINGS,
)
@click.argument("urls", metavar="[URL|-]...", nargs=-1, type=click.UNPROCESSED)
@click.option("--json", "as_json", is_flag=True, help="A JSON line for each.")
@with_help
@click.pass_context
def parse_command(ctx: click.Context, /, urls: tuple[str, ...], *, as_json: bool) -> None:
    """Take each URL apart: its parts, the grammars it fits, violations and warnings.

    Violations are those of the grammar that the URL fits best. Reads standard input, one URL a line,
    when none is named.
    """
    finish(ctx, lambda: run_parse(urls, as_json=as_json))


def run_parse(urls: Sequence[str], *, as_json: bool) -> int:
    """Print the parts of each URL.

    "-", or no URL at all, reads them from standard input, one a line.
    """
    return status_of(
        lambda trouble: print_parsed(texts_of(urls or ("-",)), trouble.show, as_json=as_json),
        urls or ("-",),
    )
