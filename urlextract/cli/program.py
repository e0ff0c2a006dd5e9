"""The commands as click runs them: help in sections, and mistakes as one line with a hint."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import Any, NoReturn

import click

from urlextract import __version__
from urlextract.cli import COMMANDS, hint_at_command
from urlextract.cli.gone import GONE
from urlextract.cli.reporting import TROUBLE, ErrorReporter
from urlextract.cli.values import did_you_mean, listed
from urlextract.doors import load_named

SETTINGS = {"max_content_width": 100}


def names_of_files(ctx: click.Context, param: click.Parameter | None, incomplete: str) -> list[Any]:
    """Return an item that has the shell complete a word with the names of files."""
    from click.shell_completion import CompletionItem  # completion alone needs it

    return [CompletionItem(incomplete, type="file")]


class Command(click.Command):
    """A command that reports mistakes in words of its own; ``examples`` are calls, and what each does."""

    def __init__(self, *given: Any, examples: Sequence[tuple[str, str]] = (), **how: Any) -> None:
        super().__init__(*given, **{"context_settings": SETTINGS, **how})
        self.examples = examples

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the examples and the epilog."""
        if self.examples:
            with formatter.section("Examples"):
                formatter.write_dl(self.examples, col_max=formatter.width // 2)
        super().format_epilog(ctx, formatter)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments; fail if there are more than the command takes."""
        ctx.allow_extra_args = True  # they are reported here, in words of our own
        rest = super().parse_args(ctx, args)
        if rest and not ctx.resilient_parsing:
            ctx.fail(f"{' '.join(rest)}: one file is read; -o FILE names the page")
        return rest


def show_page(folder: str, name: str) -> NoReturn:
    """Have man show a page of the manual, of a checkout or as it was installed; then exit."""
    page = os.path.join("share", "man", folder, name)
    path = os.path.join(os.path.dirname(os.path.dirname(__file__)), page)
    if not os.path.exists(path):
        from importlib.metadata import files  # it takes long to load

        installed = [
            str(file.locate()) for file in files("urlextract-mail") or () if str(file).endswith(page)
        ]
        path = os.path.realpath(installed[0]) if installed else path
    try:
        os.execvp("man", ("man", path))  # noqa: S606
    except OSError:
        ErrorReporter().report(f"--man: there is no program man; the page is {path}")
    sys.exit(TROUBLE)


def _show_own_page(ctx: click.Context, _: click.Parameter, is_asked: bool) -> None:
    if is_asked and not ctx.resilient_parsing:
        show_page("man1", f"{str(ctx.info_name).replace(' ', '-')}.1")


def with_manual(function: Any) -> Any:
    """Add the options ``--version`` and ``--man`` to the function of a command."""
    man = click.option("--man", is_flag=True, is_eager=True, expose_value=False, callback=_show_own_page,
                       help="Show the manual page and exit.")  # fmt: skip
    version = click.version_option(__version__, "-V", "--version", prog_name="urlextract",
                                   help="Show the version and exit.")  # fmt: skip
    return version(man(function))


def with_help(function: Any) -> Any:
    """Add the same options, and ``-h`` and ``--help``, to the function of a command."""
    return click.help_option("-h", "--help", help="Show this help and exit.")(with_manual(function))


def load(name: str) -> click.Command:
    """Import and return one of `COMMANDS`."""
    command: click.Command = load_named("cli", f"{COMMANDS[name][0]}:{name}_command")
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
    param = error.param if isinstance(error, click.BadParameter) else None
    name = max(param.opts, key=len) if isinstance(param, click.Option) else ""
    if isinstance(error, click.MissingParameter) and name:
        return f"{name} is missing"
    if isinstance(error, click.MissingParameter) and param and error.ctx:
        usage = " ".join(error.ctx.get_usage().removeprefix("Usage: ").split())
        return f"{param.human_readable_name} is missing: {usage}"
    text = error.message.removesuffix(".")
    return f"{name}: {text}" if name else text


def _no_such_option(error: click.NoSuchOption, command: click.Command, words: Sequence[str]) -> str:
    """Return the message for an option that does not exist, with the one that may be meant."""
    name = error.option_name if error.option_name.startswith("-") else f"-{error.option_name}"
    if hint := hint_at_command(words[0]):
        return f"{words[0]}: no such file or command{hint}"
    known = [each for param in command.params for each in param.opts if each.startswith("--")]
    own = error.ctx.info_name if error.ctx else ""
    key = name
    if name[1:].isdecimal():  # -72
        key, name = "-N", next((word for word in words if word.startswith(name)), name)
    hint = GONE.get(f"{own} {key}") or GONE.get(key) or did_you_mean(name, known)
    for word in words:  # one hyphen too few, as in -json
        if name[1:] in word and (meant := f"-{word.partition('=')[0]}") in known:
            name, hint = word, f"did you mean {meant}?"
            break
    if not hint:
        from urlextract.cli.extracting import extract_command  # a mistake alone needs it

        commands = {"urlextract": extract_command, **{f"urlextract {each}": load(each) for each in COMMANDS}}
        have_it = [each for each, its in commands.items() if any(name in param.opts for param in its.params)]
        hint = f"{', '.join(have_it)} {'have' if len(have_it) > 1 else 'has'} it" if have_it else ""
    return f"no such option: {name}{hint and f' ({hint})'}"
