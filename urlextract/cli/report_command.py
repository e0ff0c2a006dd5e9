"""``urlextract report``: the links of an index as one page of HTML."""

from __future__ import annotations

import click

from urlextract.cli import HELP, SETTINGS, finish, names_of_files
from urlextract.cli.program import Command, Number
from urlextract.command import run_report
from urlextract.report.rendering import LIMIT

__all__ = ["report_command"]


@click.command(
    cls=Command,
    epilog="\b\nExamples:\n"
    "  urlextract report links.db -o links.html\n"
    "  urlextract report --limit 1000 links.db | gzip > links.html.gz\n\n"
    "Exit status: 0 if the page was written, 2 on trouble.",
    context_settings=SETTINGS,
)
@click.argument("index", metavar="LINKS.db", type=click.UNPROCESSED, shell_complete=names_of_files)
@click.option("-o", "--output", metavar="FILE", type=click.UNPROCESSED,
              help="Write the page to FILE, when it is complete. Default: standard output.")  # fmt: skip
@click.option("--limit", metavar="N", type=Number(min=0), default=LIMIT, show_default=True,
              help="The table has the N latest links, and says of how many; 0 is all.")  # fmt: skip
@click.help_option("-h", "--help", help=HELP)
@click.pass_context
def report_command(ctx: click.Context, /, index: str, *, output: str | None, limit: int) -> None:
    """Write the links of an index as one page, to look at in a browser.

    The index is that of urlextract index. The page needs no network and no other file: figures, links by
    month, domains, links that several people sent, links whose text lies, broken ones that were mended,
    and a table of links to search, sort and filter. It needs Jinja2: pip install 'urlextract-mail[report]'.
    """
    finish(ctx, lambda: run_report(index, output, limit or None))
