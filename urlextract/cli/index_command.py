"""``urlextract index``: what was found, in an SQLite file that is kept up to date."""

from __future__ import annotations

from typing import Any

import click

from urlextract.cli import HELP, SETTINGS, finish, names_of_files
from urlextract.cli.program import Command
from urlextract.cli.reading_options import INPUT, JOBS, MESSAGES, URLS, joined_lists, with_options
from urlextract.command import run_index

__all__ = ["index_command"]

_EPILOG = """\b
Examples:
  urlextract index links.db ~/Mail         all of it; later, what is new
  urlextract index links.db < letter.eml   one message, as from procmail
  sqlite3 links.db "SELECT date, url FROM links WHERE subject LIKE '%tides%'"
  sqlite3 links.db "SELECT * FROM domains ORDER BY places DESC LIMIT 10"

The tables are described in "man urlextract", under INDEX. Exit status: 0 if places were added, 1 if there
was nothing new, 2 on trouble."""

_HEADINGS = {"recursive": "Input", "forms": "URLs", "parts": "Messages", "parts_from": "Other"}


@click.command(cls=Command, headings=_HEADINGS, epilog=_EPILOG, context_settings=SETTINGS)
@click.argument("index", metavar="INDEX", type=click.UNPROCESSED, shell_complete=names_of_files)
@click.argument("sources", metavar="[FILE|DIR|-]...", nargs=-1, type=click.UNPROCESSED,
                shell_complete=names_of_files)  # fmt: skip
@with_options(INPUT, JOBS, URLS, MESSAGES)
@click.option("--from", "parts_from", metavar="DIR", type=click.Path(),
              help="Load the parts in DIR, too: records of --json in files .jsonl, .jsonl.gz, .jsonl.zst or "
              ".parquet.")  # fmt: skip
@click.help_option("-h", "--help", help=HELP)
@click.pass_context
def index_command(ctx: click.Context, /, index: str, sources: tuple[str, ...], **chosen: Any) -> None:
    """Add the URLs of mail, news and text to an index, an SQLite file.

    Each URL is there with its places, and the date, author and subject of their messages. The index is made
    if need be. It remembers what was read: the next run reads only what is new. A run that was stopped at
    any moment can be started again: nothing is lost, and nothing is there twice.
    """
    chosen = joined_lists(chosen)
    finish(ctx, lambda: run_index(index, sources, chosen))
