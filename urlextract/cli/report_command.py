"""``urlextract report``: the links of an index as one page of HTML."""

from __future__ import annotations

import click

from urlextract.cli.program import Command, names_of_files, with_help
from urlextract.cli.reporting import ErrorReporter, status_of
from urlextract.cli.values import Number
from urlextract.errors import IndexFileError
from urlextract.index.trust import files_of
from urlextract.output.writer import is_written_to, write_whole
from urlextract.report.rendering import page_of


@click.command(
    cls=Command,
    examples=(
        ("urlextract report links.db -o links.html", ""),
        ("urlextract report --limit 1000 links.db | gzip > links.html.gz", ""),
    ),
    epilog="Exit status: 0 if the page was written, 2 on trouble.",
)
@click.argument("index", metavar="LINKS.db", type=click.UNPROCESSED, shell_complete=names_of_files)
@click.option("-o", "--output", metavar="FILE", type=click.UNPROCESSED,
              help="Write the page to FILE, when it is complete. Default: standard output.")  # fmt: skip
@click.option("--limit", metavar="N", type=Number(min=0), default=0,
              help="The page is about the links to the N targets that came last, and says how many are left "
                   "out. Default: 0, which is all.")  # fmt: skip
@with_help
def report_command(index: str, *, output: str | None, limit: int) -> int:
    """Write the links of an index as one page, to look at in a browser.

    The index is that of urlextract index. The page needs no network and no other file: figures, a picture of
    the links by month, and a table of all targets to search, sort and unfold; each number leads to its
    links. The command needs Jinja2: pip install jinja2.
    """

    def write(_: ErrorReporter) -> int:
        output_file = None if output == "-" else output
        if any(is_written_to(file, output_file) for file in files_of(index)):
            raise IndexFileError(index, "is the output, too, and would be lost")
        write_whole(output_file, page_of(index, limit or None))
        return 0

    return status_of(write)
