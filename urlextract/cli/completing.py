"""What a shell may complete: click's answer, with the named commands beside the options of the bare call."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from urlextract.cli import COMMANDS, load, names_of_files

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

__all__ = ["complete"]


class _Commands(click.Group):
    """The command that extracts, as the shell sees it: its first word may name another."""

    def __init__(self, bare: click.Command) -> None:
        options = [param for param in bare.params if isinstance(param, click.Option)]
        super().__init__("urlextract", params=[*options], context_settings=bare.context_settings)
        self._bare = bare

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Name the commands."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command:
        """Return a named command; any other word is a file, and what follows too."""
        if cmd_name not in COMMANDS:
            return self._bare
        return load(cmd_name)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Return the commands and options that begin so, and the names of files."""
        own = super().shell_complete(ctx, incomplete)
        # after the files, for whose sake bash drops what it has
        return own if incomplete.startswith("-") else [*names_of_files(ctx, None, incomplete), *own]


def complete(bare: click.Command) -> None:
    """Answer the shell that asks by way of the environment, and end."""
    _Commands(bare).main(prog_name="urlextract")
