"""``urlextract index``: what was found, in an SQLite file that is kept up to date."""

from __future__ import annotations

import os
from typing import Any

import click

from urlextract.cli.program import Command, names_of_files, with_help
from urlextract.cli.reporting import (
    FOUND,
    TROUBLE,
    ErrorReporter,
    check_keywords,
    errors_reported,
    is_watched,
)
from urlextract.cli.rows import with_row, with_sections
from urlextract.databases import is_database
from urlextract.index.indexing import Reading, write_index
from urlextract.output.outputs import OutputOptions
from urlextract.results import IndexRun
from urlextract.run.engine import all_sources
from urlextract.run.progress import progress_of
from urlextract.sources.folders.tree import TreeFilter

_EXAMPLES = (
    ("urlextract index links.db ~/Mail", "all of it; later, what is new"),
    ("urlextract index links.db < letter.eml", "one message, as from procmail"),
    ("sqlite3 links.db \"SELECT date, url FROM links WHERE subject LIKE '%tides%'\"", ""),
    ('sqlite3 links.db "SELECT * FROM domains ORDER BY places DESC LIMIT 10"', ""),
)
_EPILOG = """The options of urlextract for input, URLs and messages count here, too: see urlextract --help.
The tables are described in "man urlextract-index". Exit status: 0, also if there was nothing new, and 2 on
trouble."""


@click.command(cls=Command, examples=_EXAMPLES, epilog=_EPILOG)
@click.argument("index", metavar="INDEX", type=click.UNPROCESSED, shell_complete=names_of_files)
@click.argument("sources", metavar="[FILE|DIR|-]...", nargs=-1, type=click.UNPROCESSED,
                shell_complete=names_of_files)  # fmt: skip
@with_row("jobs")
@with_sections("Input", "URLs", "Messages", is_shared=True)
@click.option("--from", "parts_from", metavar="DIR", type=click.Path(),
              help="Load the parts in DIR, too, also a URL such as s3://bucket/links: records of --json in "
              "files .jsonl, .jsonl.gz, .jsonl.zst or .parquet.")  # fmt: skip
@click.option("--prune", is_flag=True,
              help="Delete what the index has of files and messages that are no longer there. Without FILE "
              "and DIR, read nothing.")  # fmt: skip
@with_help
def index_command(index: str, sources: tuple[str, ...], **chosen: Any) -> int:
    """Add the URLs of mail, news and text to an index, an SQLite file.

    Each URL is there with its places, and the date, author and subject of their messages. The index is made
    if need be. It remembers what was read: the next run reads only what is new, and knows each message that
    was moved, copied, compressed or marked. A run that was stopped at any moment can be started again:
    nothing is lost, and nothing is there twice.
    """
    if os.path.isdir(index) or (not os.path.lexists(index) and any(map(is_database, sources))):
        raise click.UsageError(f"the index comes first, as in urlextract index links.db Maildir: {index}")
    keywords = check_keywords(chosen)
    errors, run = ErrorReporter(), IndexRun()
    needs_no_source = chosen["parts_from"] is not None or chosen["prune"]
    reads_none = needs_no_source and not sources and chosen["files_from"] is None
    reads_input = not (sources or needs_no_source or chosen["files_from"] is not None)
    is_new = not os.path.lexists(index)
    with errors_reported(errors, ("-",) if reads_input else sources):
        output = OutputOptions(files_from=chosen["files_from"])
        listed = () if reads_none else all_sources(sources, output)
        reading = Reading(
            listed,
            chosen["format"],
            TreeFilter(chosen["include"], chosen["exclude"], chosen["follow"]),
            keywords,
            jobs=chosen["jobs"],
            notice=lambda message: errors.show(f"{index}: {message}"),
            parts_from=chosen["parts_from"],
            prune=chosen["prune"],
            progress=progress_of(listed, walks=True) if is_watched() else None,
        )
        run = write_index(index, reading, errors)
        if reads_input and is_new and not (run.messages or run.places):
            errors.show(f"{index}: is a new index with nothing in it: what is to be read comes after it")
        if is_watched():
            errors.show(
                f"{index}: {run.messages:,} messages read, {run.places:,} places added, {run.urls:,} URLs new"
            )
    return TROUBLE if errors.happened else FOUND
