"""The commands as click runs them: help in sections, and mistakes as one line with a hint."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from difflib import get_close_matches
from typing import Any, NoReturn

import click
from click.shell_completion import CompletionItem

from urlextract.cli import COMMANDS, hint_at_command
from urlextract.cli.reporting import TROUBLE, MisuseError, Trouble
from urlextract.doors import load_named

HELP = "Show this help and exit."

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


def names_of_files(
    ctx: click.Context, param: click.Parameter | None, incomplete: str
) -> list[CompletionItem]:
    """Return an item that has the shell complete a word with the names of files."""
    return [CompletionItem(incomplete, type="file")]


class Choice(click.Choice):  # type: ignore[type-arg,unused-ignore]  # generic since click 8.2
    """One of a few values; the error for any other names them, and the one that is most like it."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return ``value``; fail if it is none of the choices."""
        if value not in self.choices:
            hint = did_you_mean(value, self.choices)
            self.fail(f"unknown value {value!r}: choose {_listed(self.choices)}{hint}")
        return value


class Number(click.IntRange):
    """An integer in a range."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Return the integer; fail if ``value`` is none, or not in the range."""
        try:
            number = int(value)
        except ValueError:  # not an integer, or one of more digits than Python reads
            return self.fail(f"{value!r} is not a number")
        if self.min is not None and number < self.min:
            self.fail(f"{number} is less than {self.min}")
        if self.max is not None and number > self.max:
            self.fail(f"{number} is more than {self.max}")
        return number


class Command(click.Command):
    """A command whose help has sections: ``headings``, each by the name of its first option."""

    def __init__(self, *args: Any, headings: dict[str, str] | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._headings = headings or {}

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments; fail if there are more than the command takes."""
        ctx.allow_extra_args = True  # they are reported here, in words of our own
        rest = super().parse_args(ctx, args)
        if rest and not ctx.resilient_parsing:
            ctx.fail(f"{' '.join(rest)}: {(ctx.info_name or '').split()[-1]} reads one file")
        return rest

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options in sections."""
        sections: list[tuple[str, list[tuple[str, str]]]] = [("Options", [])]
        for param in self.get_params(ctx):
            if param.name in self._headings:
                sections.append((self._headings[param.name], []))
            record = param.get_help_record(ctx)
            if record and isinstance(param, click.Option):
                sections[-1][1].append(record)
        for heading, records in sections:
            if records:
                with formatter.section(heading):
                    formatter.write_dl(records)


def load(name: str) -> click.Command:
    """Import and return one of `COMMANDS`."""
    command: click.Command = load_named("cli", ":".join(COMMANDS[name]))
    return command


def run_program(command: click.Command, words: Sequence[str], name: str) -> NoReturn:
    """Run a command with its arguments and exit; a mistake is reported in one line."""
    try:
        status = command.main(words, name, standalone_mode=False)
    except click.ClickException as error:
        Trouble().report(message_of(error, command, words))
        status = TROUBLE
    except click.Abort:  # click's name for an interrupt
        raise KeyboardInterrupt from None
    sys.exit(status or 0)


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return a hint at the known word that is most like ``word``, or an empty string."""
    guesses = get_close_matches(word, list(known), 1, 0.7)
    return f": did you mean {guesses[0]}?" if guesses else ""


def _listed(names: Sequence[str]) -> str:
    *some, last = names
    return f"{', '.join(some)} or {last}" if some else last


def all_options(command: click.Command) -> list[str]:
    """Return the names of the options of a command, without those of one letter."""
    options = (param for param in command.params if isinstance(param, click.Option))
    return [name for option in (*options, _HELP) for name in option.opts if name.startswith("--")]


_HELP = click.Option(["--help"])


def message_of(error: click.ClickException, command: click.Command, words: Sequence[str] = ()) -> str:
    """Return an error of click as one line: what is wrong, where, and a hint if there is one."""
    if isinstance(error, click.NoSuchOption):
        return _no_such_option(error.option_name, command, words)
    if isinstance(error, click.BadOptionUsage):
        [option] = [
            each for each in command.params if error.option_name in (*each.opts, *each.secondary_opts)
        ]
        if isinstance(option, click.Option) and option.is_flag:
            return f"{error.option_name}: takes no value"
        choices = option.type.choices if isinstance(option.type, click.Choice) else ()
        allowed = f": choose {_listed(choices)}" if choices else ""
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


def _no_such_option(name: str, command: click.Command, words: Sequence[str]) -> str:
    """Return the message for an option that does not exist, with the one that may be meant."""
    known = all_options(command)
    name = name if name.startswith("-") else f"-{name}"
    if words:
        hint = hint_at_command(words[0])
        if hint:
            return f"{words[0]}: no such file or command{hint}"
    if name.startswith("--"):
        return f"{name}: no such option{did_you_mean(name, known)}"
    for word in words:  # one hyphen too few, as in -json
        if name[1:] in word and f"-{word.partition('=')[0]}" in known:
            return f"{word}: no such option: did you mean -{word.partition('=')[0]}?"
    return f"{name}: no such option"
