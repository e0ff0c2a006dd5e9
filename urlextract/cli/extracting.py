"""``urlextract``: every URL of mail, news and text."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from itertools import combinations, product
from typing import Any

import click

from urlextract.cli import COMMANDS, hint_at_command
from urlextract.cli.gone import GONE
from urlextract.cli.program import Command, names_of_files, with_manual
from urlextract.cli.reporting import (
    FOUND,
    NONE,
    TROUBLE,
    ErrorReporter,
    check_keywords,
    errors_reported,
)
from urlextract.cli.rows import SECTIONS, with_sections
from urlextract.output.outputs import OUTPUTS, OutputOptions, is_chosen
from urlextract.pipeline.options import OPTIONS, options_of
from urlextract.run.engine import print_all

_EXAMPLES = (
    ("urlextract mail.mbox", "every URL of a mailbox"),
    ("urlextract --host .example.org -u mh", "those of a host, each once"),
    ("urlextract --links -j letter.eml", "what can be followed, as JSON"),
    ("urlextract --since 7d --csv Maildir", "those of the last week, as a table"),
    ("urlextract --explain letter.eml", "why each place was taken or not"),
)
_EPILOG = (
    f"Commands: {', '.join(f'{name} ({does})' for name, (_, does) in COMMANDS.items())}; urlextract pick -h "
    "shows the options of pick, --help all of urlextract. Exit status: 0 if URLs were found, 1 if none, 2 on "
    "trouble."
)


_BRIEF = "urlextract.brief"  # in the context of a command whose help has the options of every day only


class _Extract(Command):
    """The command that extracts: help in sections, or brief; the number of --top may be left out."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options in sections."""
        sections: dict[str, list[tuple[str, str]]] = {}
        is_brief = _BRIEF in ctx.meta
        options = (param for param in self.get_params(ctx) if isinstance(param, click.Option))
        for option in options:
            section = "Options" if is_brief else getattr(option, "section", "Other")
            record = option.get_help_record(ctx)
            if record and (getattr(option, "is_daily", False) or not is_brief):
                sections.setdefault(section, []).append(record)
        for heading, records in sections.items():
            with formatter.section(heading):
                formatter.write_dl(records)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments, with ``--top`` as ``--top=all`` if no number follows.

        A command that is gone is refused, unless there is a file of its name.
        """
        instead = GONE.get(f"{ctx.info_name} {args[0]}") if args else None
        if instead and not (args[0].startswith("-") or os.path.lexists(args[0]) or ctx.resilient_parsing):
            ctx.fail(f"no such command: {args[0]} ({instead})")
        return super().parse_args(ctx, list(_with_number(args)))


def _with_number(words: list[str]) -> Iterator[str]:
    """Yield the words; an option --top that no number follows gets its value."""
    for at, word in enumerate(words):
        if word == "--":
            yield from words[at:]
            return
        following = "".join(words[at + 1 : at + 2])
        has_number = following.isdecimal() or following == "all"
        yield "--top=all" if word == "--top" and not has_number else word


def _show_daily(ctx: click.Context, _: click.Parameter, is_asked: bool) -> None:
    if is_asked and not ctx.resilient_parsing:
        ctx.meta[_BRIEF] = True
        click.echo(ctx.get_help())
        ctx.exit()


@click.command("urlextract", cls=_Extract, examples=_EXAMPLES, epilog=_EPILOG)
@click.argument("sources", metavar="[FILE|DIR|-]...", nargs=-1, type=click.UNPROCESSED,
                shell_complete=names_of_files)  # fmt: skip
@with_sections(*SECTIONS)
@click.option("-h", "daily_help", is_flag=True, is_eager=True, expose_value=False, callback=_show_daily,
              help="Show the options of every day and exit.")  # fmt: skip
@click.help_option("--help", help="Show all options and exit.")
@with_manual
def extract_command(sources: tuple[str, ...], **chosen: Any) -> int:
    """Print every URL in mail, news and text, whole, one per line.

    Reads standard input when no FILE is named. A FILE may be a text, message, mailbox or web archive,
    compressed or not. In a DIR all files are read.
    """
    _check_together(chosen)
    return run_command(sources, chosen)


def _conflicts() -> Iterator[tuple[str, str, str]]:
    """Yield pairs of names of options, each with what does the work of the first one beside the other."""
    for one, other in combinations(OUTPUTS, 2):  # each prints something else in place of the URLs
        if not set(one.shapes + other.shapes) & {*one.chosen_by, *other.chosen_by}:
            yield from product(one.chosen_by, other.chosen_by, [""])
    for output in OUTPUTS:
        for name in output.excludes:
            yield from product([name], output.chosen_by, [output.has.get(name, "")])


def _check_together(chosen: dict[str, Any]) -> None:
    """Raise `UsageError` if two of the ``chosen`` options cannot be used together.

    With ``quiet``, nothing is printed, and there is no conflict.
    """
    if chosen["by"] and chosen["top"] is None:
        raise click.UsageError("--by: needs --top")
    if chosen["quiet"]:
        return
    for one, other, hint in _conflicts():
        if is_chosen(chosen[one]) and is_chosen(chosen[other]):
            words = f"{_flag(one)}: cannot be used with {_flag(other)}"
            raise click.UsageError(f"{words}: {hint}" if hint else words)


def _flag(name: str) -> str:
    """Return the option of a name, as one writes it."""
    [param] = [each for each in extract_command.params if each.name == name]
    return max(param.opts, key=len)


_FREE = ("schemes", "hosts", "not_hosts", "domains", "grep", "sender", "subject")


def _names_of_files(keywords: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield each option with a value of any kind that is the name of a file: it may be meant as such."""
    for name in _FREE:
        value = keywords.get(name)
        for each in (value,) if isinstance(value, str) else value or ():
            if os.path.lexists(each):
                yield OPTIONS[name].flags, each


def run_command(sources: Sequence[str], chosen: dict[str, Any]) -> int:
    """Print the results for the sources, with the options ``chosen``; return the exit status.

    If the reader of its output goes away, the process ends as SIGPIPE would end it.
    """
    keywords = check_keywords(chosen)
    output = OutputOptions.of(chosen)
    options = options_of({**keywords, **output.asks})
    errors = ErrorReporter(lambda source: hint_at_command(source) if source in sources[:1] else "")
    if not sources and not output.files_from:
        for flag, value in _names_of_files(keywords):
            errors.show(f"{flag} {value}: there is a file of that name, and no FILE follows")
    found = 0
    with errors_reported(errors, sources or (() if output.files_from else ("-",))):
        found = print_all(sources, output, options, errors, errors.show)
    if errors.happened and not (output.quiet and found):
        return TROUBLE
    return FOUND if found else NONE
