"""``urlextract``: every URL of mail, news and text."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any, get_args

import click

from urlextract import __version__
from urlextract.cli import CONFIG, hint_at_command
from urlextract.cli.program import HELP, SETTINGS, Choice, Command, Number, finish, names_of_files
from urlextract.cli.reading_options import INPUT, JOBS, MESSAGES, URLS, joined_lists, with_options
from urlextract.cli.reporting import MisuseError, check_keywords
from urlextract.cli.settings import read_settings
from urlextract.cli.together import check_together
from urlextract.command import run_command
from urlextract.output.outputs import OUTPUTS
from urlextract.output.terminal import When
from urlextract.output.unique import UniqueBy

_EPILOG = """\b
Examples:
  urlextract mail.mbox              every URL of a mailbox
  urlextract -uj Maildir            each once, as JSON, with all its places
  curl -s URL | urlextract --base URL --links
  urlextract --explain message.eml  why each place was taken or not

urlextract index, report, pick, parse, format, rewrap, refs, shards, shard and cluster are
commands of their own (-h tells). "man urlextract" tells all. Exit status: 0 if URLs were found, 1
if none, 2 on trouble."""


_HEADINGS = {
    "as_json": "Output",
    "recursive": "Input",
    "forms": "URLs",
    "parts": "Messages",
    "no_config": "Other",
}
"""The sections of the help, by the name of the option with which each begins."""


_FORMS = tuple(
    click.option(*output.flags, output.chosen_by[0], is_flag=True, help=output.help)
    for output in OUTPUTS
    if output.flags
)


class _Top(Number):
    """A number, or "all" for any number, which is 0."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Return the number."""
        return 0 if value == "all" else super().convert(value, param, ctx)


class _Extract(Command):
    """The command that extracts; the number of --top may be left out."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments, with ``--top`` as ``--top=all`` if no number follows."""
        return super().parse_args(ctx, list(_with_number(args)))

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        """Return the context, with the options of the settings file as defaults."""
        before = args[: args.index("--")] if "--" in args else args
        if (
            os.environ.get(CONFIG)
            and not extra.get("resilient_parsing")
            and _WITHOUT_SETTINGS.isdisjoint(before)
        ):
            settings = read_settings(self, lambda words: list(_with_number(words)), _check)
            extra |= {"default_map": settings.values, "obj": settings}
        return super().make_context(info_name, args, parent, **extra)


_WITHOUT_SETTINGS = frozenset(("--no-config", "-h", "--help", "--version"))


def _check(name: str, value: Any) -> None:
    """Raise `click.UsageError` if the value of an option is invalid."""
    try:
        check_keywords(joined_lists({name: value}))
    except MisuseError as error:
        raise click.UsageError(f"--{error}") from None


def _with_number(words: list[str]) -> Iterator[str]:
    """Yield the words; an option --top that no number follows gets its value."""
    for at, word in enumerate(words):
        if word == "--":
            yield from words[at:]
            return
        has_number = "".join(words[at + 1 : at + 2]).isdecimal()
        yield "--top=all" if word == "--top" and not has_number else word


@click.command("urlextract", cls=_Extract, headings=_HEADINGS, epilog=_EPILOG, context_settings=SETTINGS)
@click.argument("sources", metavar="[FILE|DIR|-]...", nargs=-1, type=click.UNPROCESSED,
                shell_complete=names_of_files)  # fmt: skip
@with_options(_FORMS)
@click.option("-u", "--unique", is_flag=True,
              help="Print each URL once; with --json, with all its places.")  # fmt: skip
@click.option("--unique-by", metavar="WHAT", type=Choice(get_args(UniqueBy)),
              help="Print URLs once that have the same text, url (normal form), host or domain. "
              "Default: url.")  # fmt: skip
@click.option("--top", metavar="[N]", type=_Top(min=1),
              help="Print the N most frequent URLs (or all) with their numbers.")  # fmt: skip
@click.option("--sort", is_flag=True, help="Print URLs in the order of their texts.")
@click.option("-q", "--quiet", is_flag=True, help="Print nothing; the exit status tells.")
@click.option("-0", "--null", is_flag=True,
              help="End each result with a NUL byte, for xargs -0.")  # fmt: skip
@click.option("-H", "--with-filename", is_flag=True,
              help="Print the name of the source before each URL.")  # fmt: skip
@click.option("-I", "--message-id", is_flag=True,
              help="Print the Message-ID before each URL.")  # fmt: skip
@click.option("-n", "--line-number", is_flag=True,
              help="Print the line number before each URL.")  # fmt: skip
@click.option(
    "-m",
    "--max-count",
    metavar="N",
    type=Number(min=0),
    help="Stop after N results.",
)
@click.option("-o", "--output", metavar="FILE", type=click.Path(dir_okay=False),
              help="Write to FILE instead of standard output.")  # fmt: skip
@click.option("-C", "--context", metavar="N", type=Number(min=0, max=100_000),
              help="Print the lines with URLs, and N lines around, as grep -C.")  # fmt: skip
@click.option("--defang", is_flag=True,
              help="Print URLs that nobody follows: hxxps://example[.]com/x.")  # fmt: skip
@click.option("--parse", is_flag=True,
              help="Add components and warnings to records, as --json.")  # fmt: skip
@click.option("--color", metavar="WHEN", type=Choice(get_args(When)), default="auto",
              help="Colours: auto (on a terminal), always or never.")  # fmt: skip
@click.option("--hyperlink", metavar="WHEN", type=Choice(get_args(When)), default="never",
              help="Links to click: never, always, auto (known terminals).")  # fmt: skip
@with_options(INPUT, JOBS)
@click.option("--state", metavar="FILE", type=click.Path(dir_okay=False),
              help="Read only what is new since the last run with FILE.")  # fmt: skip
@with_options(URLS, MESSAGES)
@click.option("--no-config", is_flag=True, help="Ignore the settings file.")
@click.version_option(__version__, package_name="urlextract-mail", prog_name="urlextract",
                      help="Show the version and exit.")  # fmt: skip
@click.help_option("-h", "--help", help=HELP)
@click.pass_context
def extract_command(ctx: click.Context, /, sources: tuple[str, ...], **chosen: Any) -> None:
    """Print every URL in mail, news and text, whole, one per line.

    Reads standard input when no FILE is named. URLs are found in brackets and quotes, bare
    and abbreviated, and also if they are broken over lines, after quote prefixes too. A FILE
    may be a text, a message, a mailbox, a news batch, a web archive and more, compressed or
    not: its kind is recognized from its content. In a DIR all files are read.
    """
    chosen = joined_lists(chosen)
    check_together(ctx, chosen)
    del chosen["recursive"], chosen["no_config"]
    if chosen["unique_by"] is None:
        del chosen["unique_by"]
    finish(ctx, lambda: run_command(sources, chosen, hint_at_command))
