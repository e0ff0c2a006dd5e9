"""``urlextract pick``: choose links of a message, and open, copy or print them."""

from __future__ import annotations

from shutil import get_terminal_size
from typing import Any, get_args

import click

from urlextract.cli.program import Command, names_of_files, with_help
from urlextract.cli.reporting import FOUND, NONE, TROUBLE, ErrorReporter, errors_reported, stops_in_order
from urlextract.cli.values import Choice
from urlextract.linebreaks.joining import Join
from urlextract.picking.choices import MOST, links_of
from urlextract.picking.picker import PickOptions, Report, pick, print_rows
from urlextract.sources.reading import SOURCE_FORMATS


@click.command(
    cls=Command,
    examples=(
        ("urlextract pick letter.eml", "choose links, and open them"),
        ("urlextract pick -y < letter.eml", "copy them in place of that"),
    ),
    epilog="Exit status: 0 if links were opened, copied or printed, or none was chosen; 1 if there is none, "
    "or with --print if none was chosen; 2 on trouble.",
)
@click.argument("sources", metavar="[FILE|-]...", nargs=-1, type=click.UNPROCESSED,
                shell_complete=names_of_files)  # fmt: skip
@click.option("-p", "--print", "prints", is_flag=True, help="Print the chosen URLs, one a line.")
@click.option("-y", "--copy", "copies", is_flag=True,
              help="Copy the chosen URLs, also over SSH and from tmux.")  # fmt: skip
@click.option("--rows", is_flag=True,
              help="Print all rows, with tabs between row, URL and why it is not opened.")  # fmt: skip
@click.option("--headers", is_flag=True,
              help="Show links of header fields, too (Unsubscribe), after the others.")  # fmt: skip
@click.option("--unwrap", is_flag=True,
              help="Open the targets of links that mail gateways have rewritten.")  # fmt: skip
@click.option("--list", "--no-fzf", "plain_list", is_flag=True,
              help="Show a numbered list, also if fzf is installed.")  # fmt: skip
@click.option("--join", type=Choice(get_args(Join)), default="safe", show_default=True,
              help="Join URLs over line ends, as for extracting.")  # fmt: skip
@click.option("-F", "--format", metavar="FORMAT", type=Choice(SOURCE_FORMATS), default="auto",
              help="What the input is, as for extracting. Default: detected from its content.")  # fmt: skip
@with_help
def pick_command(
    sources: tuple[str, ...],
    *,
    prints: bool,
    copies: bool,
    rows: bool,
    unwrap: bool,
    plain_list: bool,
    **read: Any,
) -> int:
    """Choose links of a message at the terminal, and open them.

    Reads standard input when no FILE is named; keys come from the terminal. Each link is one line: its
    words, and the host and path to which it leads; ! marks one that deceives, ? one that may be cut, and
    another reading of the one above. The chosen ones are opened with $URLEXTRACT_OPENER, $BROWSER, or the
    program of the desktop.
    """
    if prints and copies:
        raise click.UsageError("--print: cannot be used with --copy")
    options = PickOptions("print" if prints else "copy" if copies else "open", unwrap, plain_list)
    sources = sources or ("-",)
    damage, errors = ErrorReporter(), ErrorReporter()
    done: int | None = 0
    with errors_reported(errors, sources), stops_in_order():
        links = links_of(*sources, **read, on_damage=damage)
        if links.is_cut and not rows:
            errors.show(f"more than {MOST} links: the first {MOST} are shown")
        if rows:
            done = print_rows(links.choices, options, get_terminal_size().columns)
        elif links.choices:
            done = pick(links.choices, options, Report(errors.report, errors.show))
        elif links.in_headers:
            errors.show(f"no link in the body: --headers shows those of header fields ({links.in_headers})")
        elif not damage.happened:
            errors.show("no link")
    damage.end()
    # Damage is trouble only if nothing was chosen. Who chooses nothing is content, but a program that waits
    # for what is printed has to know: mutt asks for a key after any other status than 0.
    if errors.happened or (damage.happened and (rows or not done)):
        return TROUBLE
    if done is None:
        return NONE if options.action == "print" else FOUND
    return FOUND if done else NONE
