"""The commands as click runs them: help in sections, and mistakes as one line with a hint."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import Any, NoReturn

import click

from urlextract.cli import COMMANDS, hint_at_command
from urlextract.cli.gone import GONE
from urlextract.cli.reporting import TROUBLE, ErrorReporter, MisuseError
from urlextract.cli.values import did_you_mean, listed
from urlextract.doors import load_named

SETTINGS: dict[str, Any] = {
    "max_content_width": 100,
    "auto_envvar_prefix": None,
}


def finish(ctx: click.Context, work: Callable[[], int]) -> None:
    """End the command with the exit status that ``work`` returns; report invalid options."""
    try:
        status = work()
    except MisuseError as error:
        raise click.UsageError(f"--{error}") from None
    ctx.exit(status)


def names_of_files(ctx: click.Context, param: click.Parameter | None, incomplete: str) -> list[Any]:
    """Return an item that has the shell complete a word with the names of files."""
    from click.shell_completion import CompletionItem  # completion alone needs it

    return [CompletionItem(incomplete, type="file")]


class Command(click.Command):
    """A command that reports mistakes in words of its own."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments; fail if there are more than the command takes."""
        ctx.allow_extra_args = True  # they are reported here, in words of our own
        rest = super().parse_args(ctx, args)
        if rest and not ctx.resilient_parsing:
            ctx.fail(f"{' '.join(rest)}: {(ctx.info_name or '').split()[-1]} reads one file")
        return rest


with_help = click.help_option("-h", "--help", help="Show this help and exit.")
"""The decorator that gives a command its options ``-h`` and ``--help``."""


def load(name: str) -> click.Command:
    """Import and return one of `COMMANDS`."""
    command: click.Command = load_named("cli", ":".join(COMMANDS[name]))
    return command


def run_program(command: click.Command, words: Sequence[str], name: str) -> NoReturn:
    """Run a command with its arguments and exit; a mistake is reported in one line."""
    try:
        status = command.main(words, name, standalone_mode=False)
    except click.ClickException as error:
        ErrorReporter().report(message_of(error, command, words))
        status = TROUBLE
    except click.Abort:  # click's name for an interrupt
        raise KeyboardInterrupt from None
    sys.exit(status or 0)


def all_options(command: click.Command) -> list[str]:
    """Return the names of the options of a command, without those of one letter."""
    options = (param for param in command.params if isinstance(param, click.Option))
    return [name for option in (*options, _HELP) for name in option.opts if name.startswith("--")]


_HELP = click.Option(["--help"])


def message_of(error: click.ClickException, command: click.Command, words: Sequence[str]) -> str:
    """Return an error of click as one line: what is wrong, where, and a hint if there is one."""
    if isinstance(error, click.NoSuchOption):
        return _no_such_option(error, command, words)
    if isinstance(error, click.BadOptionUsage):
        [option] = [
            each for each in command.params if error.option_name in (*each.opts, *each.secondary_opts)
        ]
        if isinstance(option, click.Option) and option.is_flag:
            return f"{error.option_name}: takes no value"
        choices = option.type.choices if isinstance(option.type, click.Choice) else ()
        allowed = f": choose {listed(choices)}" if choices else ""
        return f"{error.option_name}: a value is missing{allowed}"
    text = (
        error.message if isinstance(error, click.BadParameter) and error.message else error.format_message()
    )
    param = error.param if isinstance(error, click.BadParameter) else None
    name = max(param.opts, key=len) if isinstance(param, click.Option) else ""
    if isinstance(error, click.MissingParameter) and name:
        return f"{name} is missing"
    text = text.removesuffix(".")
    if name:
        return f"{name}: {text}"
    return text if text.startswith("-") else text[:1].lower() + text[1:]


def _no_such_option(error: click.NoSuchOption, command: click.Command, words: Sequence[str]) -> str:
    """Return the message for an option that does not exist, with the one that may be meant."""
    name = error.option_name if error.option_name.startswith("-") else f"-{error.option_name}"
    if hint := hint_at_command(words[0]):
        return f"{words[0]}: no such file or command{hint}"
    known = all_options(command)
    hint = GONE.get(f"{error.ctx.info_name} {name}" if error.ctx else "") or did_you_mean(name, known)
    for word in words:  # one hyphen too few, as in -json
        if name[1:] in word and (meant := f"-{word.partition('=')[0]}") in known:
            name, hint = word, f"did you mean {meant}?"
            break
    return f"no such option: {name}{hint and f' ({hint})'}"
