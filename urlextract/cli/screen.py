"""Help that fits one screen: each option with the words before the colon of its help.

The manual page has the rest of it.
"""

from __future__ import annotations

from itertools import zip_longest
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["ScreenCommand", "context_of", "in_short", "options_of"]

_SCREEN = 78  # columns that two options need side by side, of 80; click leaves two of a terminal's width free
_FLAGS = 22


def context_of(command: click.Command) -> click.Context:
    """Return the context in which a command is asked about itself."""
    return click.Context(command, info_name=command.name, **command.context_settings)


def options_of(command: click.Command) -> Iterator[click.Option]:
    """Yield the options of a command, in the order in which it names them."""
    for param in command.get_params(context_of(command)):
        if isinstance(param, click.Option):
            yield param


def flags_of(option: click.Option) -> str:
    """Return what is typed for an option.

    >>> flags_of(click.Option(["-m", "--max-count"], metavar="N"))
    '-m --max-count N'
    """
    metavar = "" if option.is_flag or option.count else option.metavar or option.name or ""
    return " ".join(filter(None, (*option.opts, metavar)))


def in_short(option: click.Option) -> str:
    """Return the words before the colon of an option's help.

    >>> in_short(click.Option(["-j"], is_flag=True, help="JSON lines: all that is known."))
    'JSON lines'
    """
    return (option.help or "").partition(":")[0].rstrip(".")


class ScreenCommand(click.Command):
    """A command of many options."""

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the first paragraph, the options and the epilog, with a blank line between them."""
        self.format_usage(ctx, formatter)
        formatter.write((self.help or "").partition("\n\n")[0].replace("\n", " ") + "\n")
        self.format_options(ctx, formatter)
        formatter.write(f"\n{self.epilog}\n")

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options, two on a line where the terminal is wide enough."""
        rows = [(flags_of(option), in_short(option)) for option in options_of(self)]
        if formatter.width < _SCREEN:
            with formatter.section("Options"):
                formatter.write_dl(rows)
            return
        cells = [f"{flags:{_FLAGS}}{words}" for flags, words in rows]
        half = (len(cells) + 1) // 2
        formatter.write("\n")
        for left, right in zip_longest(cells[:half], cells[half:], fillvalue=""):
            formatter.write(f"{left:{_SCREEN // 2 + 1}}{right}".rstrip() + "\n")
