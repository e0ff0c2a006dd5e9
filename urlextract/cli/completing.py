"""Completion for shells by click, with the named commands and the options of the extracting command."""

from __future__ import annotations

import click
from click.shell_completion import CompletionItem

from urlextract.cli import COMMANDS
from urlextract.cli.program import load, names_of_files


class _Commands(click.Group):
    """The extracting command as a group, for completion: the first word may name another command."""

    def __init__(self, bare: click.Command) -> None:
        options = [param for param in bare.params if isinstance(param, click.Option)]
        super().__init__("urlextract", params=[*options], context_settings=bare.context_settings)
        self._bare = bare

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the commands."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command:
        """Return the named command, or the extracting one: any other word is the name of a file."""
        if cmd_name not in COMMANDS:
            return self._bare
        return load(cmd_name)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Return the commands and options that begin with ``incomplete``, and the names of files."""
        own = super().shell_complete(ctx, incomplete)
        # the files come first: for them, bash drops the completions before
        return own if incomplete.startswith("-") else [*names_of_files(ctx, None, incomplete), *own]


def complete(bare: click.Command) -> None:
    """Answer a shell that asks for completions with an environment variable, and exit."""
    _Commands(bare).main(prog_name="urlextract")
