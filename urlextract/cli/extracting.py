"""``urlextract``: every URL of mail, news and text."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import Any, cast

import click

from urlextract.cli import COMMANDS, hint_at_command
from urlextract.cli.gone import GONE
from urlextract.cli.program import Command, finish, names_of_files, with_manual
from urlextract.cli.reporting import (
    FOUND,
    NONE,
    TROUBLE,
    ErrorReporter,
    check_keywords,
    errors_reported,
)
from urlextract.cli.rows import SECTIONS, with_sections
from urlextract.cli.together import check_together
from urlextract.output.outputs import OutputOptions
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
    "shows the options of one, --help all of these. Exit status: 0 if URLs were found, 1 if none, 2 on "
    "trouble."
)


class _Extract(Command):
    """The command that extracts: help in sections; the number of --top may be left out."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options in sections."""
        sections: dict[str, list[tuple[str, str]]] = {}
        for param in self.get_params(ctx):
            record = param.get_help_record(ctx)
            if record and isinstance(param, click.Option):
                sections.setdefault(getattr(param, "section", "Other"), []).append(record)
        for heading, records in sections.items():
            with formatter.section(heading):
                formatter.write_dl(records)

    def daily_help(self, ctx: click.Context) -> str:
        """Return the help with the options of every day only."""
        formatter = ctx.make_formatter()
        self.format_usage(ctx, formatter)
        self.format_help_text(ctx, formatter)
        daily = (param for param in self.get_params(ctx) if getattr(param, "is_daily", False))
        with formatter.section("Options"):
            formatter.write_dl([record for param in daily if (record := param.get_help_record(ctx))])
        self.format_epilog(ctx, formatter)
        return formatter.getvalue().rstrip("\n")

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
        click.echo(cast(_Extract, ctx.command).daily_help(ctx))
        ctx.exit()


@click.command("urlextract", cls=_Extract, examples=_EXAMPLES, epilog=_EPILOG)
@click.argument("sources", metavar="[FILE|DIR|-]...", nargs=-1, type=click.UNPROCESSED,
                shell_complete=names_of_files)  # fmt: skip
@with_sections(*SECTIONS)
@click.option("-h", "daily_help", is_flag=True, is_eager=True, expose_value=False, callback=_show_daily,
              help="Show the options of every day and exit.")  # fmt: skip
@click.help_option("--help", help="Show all options and exit.")
@with_manual
@click.pass_context
def extract_command(ctx: click.Context, /, sources: tuple[str, ...], **chosen: Any) -> None:
    """Print every URL in mail, news and text, whole, one per line.

    Reads standard input when no FILE is named. A FILE may be a text, message, mailbox or web archive,
    compressed or not. In a DIR all files are read.
    """
    check_together(ctx.command, chosen)
    finish(ctx, lambda: run_command(sources, chosen))


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

    Raises `MisuseError` for an invalid option. If the reader of its output goes away, the
    process ends as SIGPIPE would end it.
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
