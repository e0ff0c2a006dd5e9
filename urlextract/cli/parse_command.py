"""``urlextract parse``: URLs taken apart."""

from __future__ import annotations

import click

from urlextract.cli.program import Command, with_help
from urlextract.cli.reporting import print_each
from urlextract.output.breakdown import breakdown
from urlextract.output.jsonl import error_record, json_line, record_of_url
from urlextract.schemes.url import parse_url


@click.command(
    cls=Command,
    examples=(
        ("urlextract parse 'http://a.example:80/%7Ex?y'", "its parts, and what is odd in it"),
        ("urlextract -u mail.mbox | urlextract parse -j", "those of a mailbox, as JSON"),
    ),
    epilog="Exit status: 0 if all URLs parse, 1 if one does not, 2 on trouble.",
)
@click.argument("urls", metavar="[URL|-]...", nargs=-1, type=click.UNPROCESSED)
@click.option("-j", "--json", "as_json", is_flag=True, help="Print a JSON line for each.")
@with_help
def parse_command(urls: tuple[str, ...], *, as_json: bool) -> int:
    """Take each URL apart: its parts, the grammars it fits, violations and warnings.

    Violations are those of the grammar that the URL fits best. Reads standard input, one URL a line,
    when none is named.
    """

    def line_of(text: str) -> str:
        url = parse_url(text)
        return json_line(record_of_url(url)) if as_json else breakdown(url)

    instead = (lambda error: json_line(error_record(error))) if as_json else None
    return print_each(urls, line_of, line_of_error=instead)
