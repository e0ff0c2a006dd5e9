"""``urlextract parse``: URLs taken apart."""

from __future__ import annotations

from collections.abc import Sequence
from typing import get_args

import click

from urlextract.cli.program import SETTINGS, Command, finish, with_help
from urlextract.cli.reporting import status_of, texts_of
from urlextract.cli.values import Choice
from urlextract.output.breakdown import print_parsed
from urlextract.schemes.url import Rules


@click.command(
    cls=Command,
    epilog="Exit status: 0 if all URLs parse, 1 if one does not, 2 on trouble.",
    context_settings=SETTINGS,
)
@click.argument("urls", metavar="[URL|-]...", nargs=-1, type=click.UNPROCESSED)
@click.option("--json", "as_json", is_flag=True, help="A JSON line for each.")
@click.option("--rules", type=Choice(get_args(Rules)), default="rfc3986", show_default=True,
              help="Read URLs by the standards of their schemes, or as browsers do.")  # fmt: skip
@with_help
@click.pass_context
def parse_command(ctx: click.Context, /, urls: tuple[str, ...], *, as_json: bool, rules: Rules) -> None:
    """Take each URL apart: its parts, the grammars it fits, violations and warnings.

    Violations are those of the grammar that the URL fits best. Reads standard input, one URL a line,
    when none is named.
    """
    finish(ctx, lambda: run_parse(urls, as_json=as_json, rules=rules))


def run_parse(urls: Sequence[str], *, as_json: bool, rules: Rules = "rfc3986") -> int:
    """Print the parts of each URL, parsed by ``rules``.

    "-", or no URL at all, reads them from standard input, one a line.
    """
    return status_of(
        lambda trouble: print_parsed(texts_of(urls or ("-",)), trouble.show, as_json=as_json, rules=rules),
        urls or ("-",),
    )
