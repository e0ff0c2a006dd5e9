"""The command line: each command reads its options, calls one public function, and prints.

No rule about URLs stands here. Results go to standard output as soon as they are
known, all else to standard error; exit status as grep's: 0 found, 1 none, 2 trouble.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    import click

__all__ = ["COMMANDS", "SETTINGS", "finish", "run", "run_named"]

COMMANDS = {
    "parse": ("parsing", "parse_command"),
    "format": ("printing", "format_command"),
    "rewrap": ("printing", "rewrap_command"),
    "refs": ("printing", "refs_command"),
}
"""The commands that are named, each with its module and its name there; all else extracts."""

SETTINGS: dict[str, Any] = {
    "help_option_names": ["-h", "--help"],
    "max_content_width": 100,
    "auto_envvar_prefix": None,
}


def finish(ctx: click.Context, work: Callable[[], int]) -> None:
    """End the command with the exit status that ``work`` gives; tell of options that mean nothing."""
    import click  # noqa: PLC0415 - who asks which commands there are needs no library

    from urlextract.command import MisuseError  # noqa: PLC0415 - as above

    try:
        status = work()
    except MisuseError as error:
        raise click.UsageError(f"--{error}") from None
    ctx.exit(status)


def run() -> None:
    """Run the command that extracts, and end as the shell expects of one."""
    from urlextract.cli.extracting import extract_command  # noqa: PLC0415 - one command is loaded at a time

    extract_command.main(prog_name="urlextract")


def run_named(name: str, words: list[str]) -> None:
    """Run one of `COMMANDS` with what stands behind its name."""
    module, function = COMMANDS[name]
    command = getattr(import_module(f"{__name__}.{module}"), function)
    command.main(words, prog_name=f"urlextract {name}")
