"""Look up the usage and options of a command, for the manual page."""

from __future__ import annotations

from collections.abc import Iterator

import click


def context_of(command: click.Command) -> click.Context:
    """Return a context for looking up the usage and options of a command."""
    return click.Context(command, info_name=command.name, **command.context_settings)


def options_of(command: click.Command) -> Iterator[click.Option]:
    """Yield the options of a command, in the order in which it names them."""
    for param in command.get_params(context_of(command)):
        if isinstance(param, click.Option):
            yield param
