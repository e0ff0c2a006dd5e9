"""``urlextract``: every URL of mail, news and text."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, get_args

import click

from urlextract import __version__
from urlextract.cli import CONFIG, HELP, SETTINGS, finish, hint_at_command, names_of_files
from urlextract.cli.program import Choice, Command, Number
from urlextract.cli.together import check_together
from urlextract.command import MisuseError, check_keywords, run_command
from urlextract.output.terminal import When
from urlextract.output.unique import UniqueBy
from urlextract.records import PARTS, Form
from urlextract.sources import FORMS

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["extract_command"]

_EPILOG = """\b
Examples:
  urlextract mail.mbox              every URL of a mailbox
  urlextract -uj Maildir            each once, as JSON, with all its places
  curl -s URL | urlextract --base URL --links
  urlextract --explain message.eml  why each place was taken or not

urlextract pick, parse, format, rewrap and refs are commands of their own (-h tells). "man
urlextract" tells all. Exit status: 0 if URLs were found, 1 if none, 2 on trouble."""


_HEADINGS = {
    "as_json": "Output",
    "recursive": "Input",
    "forms": "URLs",
    "parts": "Messages",
    "no_config": "Other",
}
"""The sections of the help, by the name of the option with which each begins."""


class _Names(click.ParamType):  # type: ignore[type-arg,unused-ignore]  # generic since click 8.4
    """Names, with commas between them."""

    name = "NAME[,NAME]"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> list[str]:
        """Split the names."""
        return [name for name in str(value).lower().replace("://", "").replace(":", "").split(",") if name]


class _Patterns(_Names):
    """Patterns of hosts, with commas between them."""

    name = "PATTERN[,PATTERN]"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> list[str]:
        """Split the patterns; an empty one stays, to be reported."""
        return str(value).split(",")


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
            from urlextract.cli.settings import read_settings  # noqa: PLC0415 - rarely needed

            settings = read_settings(self, lambda words: list(_with_number(words)), _check)
            extra |= {"default_map": settings.values, "obj": settings}
        return super().make_context(info_name, args, parent, **extra)


_WITHOUT_SETTINGS = frozenset(("--no-config", "-h", "--help", "--version"))


def _check(name: str, value: Any) -> None:
    """Raise `click.UsageError` if the value of an option is invalid."""
    try:
        check_keywords(_chosen({name: value}))
    except MisuseError as error:
        raise click.UsageError(f"--{error}") from None


def _chosen(given: dict[str, Any]) -> dict[str, Any]:
    """Return the values of options as `run_command` takes them: lists of names as one list."""
    chosen = {name: [each for names in value for each in names] if name in _LISTS else value
              for name, value in given.items()}  # fmt: skip
    return {name: value or None if name in (*_LISTS, "forms") else value for name, value in chosen.items()}


_LISTS = ("schemes", "parts", "hosts", "not_hosts", "domains")


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
@click.option("-j", "--json", "as_json", is_flag=True, help="Print a JSON record of each URL.")
@click.option("--csv", is_flag=True, help="Print a table with a header row, as CSV.")
@click.option("-u", "--unique", is_flag=True,
              help="Print each URL once; with --json, with all its places.")  # fmt: skip
@click.option("--unique-by", metavar="WHAT", type=Choice(get_args(UniqueBy)),
              help="Print URLs once that have the same text, url (normal form), host or domain. "
              "Default: url.")  # fmt: skip
@click.option("--top", metavar="[N]", type=_Top(min=1),
              help="Print the N most frequent URLs (or all) with their numbers.")  # fmt: skip
@click.option("--sort", is_flag=True, help="Print URLs in the order of their texts.")
@click.option("-c", "--count", "counts", is_flag=True,
              help="Print the number of URLs of each source.")  # fmt: skip
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
@click.option("--raw", is_flag=True, help="Print each URL as it was written, line breaks too.")
@click.option("--defang", is_flag=True,
              help="Print URLs that nobody follows: hxxps://example[.]com/x.")  # fmt: skip
@click.option("--parse", is_flag=True,
              help="Add components and warnings to records, as --json.")  # fmt: skip
@click.option("--explain", is_flag=True,
              help="Print why each place was taken or turned down.")  # fmt: skip
@click.option("--color", metavar="WHEN", type=Choice(get_args(When)), default="auto",
              help="Colours: auto (on a terminal), always or never.")  # fmt: skip
@click.option("--hyperlink", metavar="WHEN", type=Choice(get_args(When)), default="never",
              help="Links to click: never, always, auto (known terminals).")  # fmt: skip
@click.option("-r", "--recursive", is_flag=True, help="Accepted for habit: directories are walked.")
@click.option("-L", "--follow", is_flag=True,
              help="Follow symbolic links to directories, too.")  # fmt: skip
@click.option("--include", metavar="GLOB", multiple=True,
              help="In directories, read only such files (repeatable).")  # fmt: skip
@click.option("--exclude", metavar="GLOB", multiple=True,
              help="In directories, read no such files (repeatable).")  # fmt: skip
@click.option("-T", "--files-from", metavar="FILE", type=click.Path(allow_dash=True),
              help="Read the files that FILE names, one a line.")  # fmt: skip
@click.option("--from0", is_flag=True, help="The names in the FILE of -T end with NUL bytes.")
@click.option("-F", "--format", "kind", metavar="KIND", type=Choice(FORMS), default="auto",
              help=f"What the input is: auto (told from its content), {', '.join(FORMS[1:])}.")  # fmt: skip
@click.option("-J", "--jobs", metavar="N", type=Number(min=1),
              help="Read with N processes (default: what pays).")  # fmt: skip
@click.option("--state", metavar="FILE", type=click.Path(dir_okay=False),
              help="Read only what is new since the last run with FILE.")  # fmt: skip
@click.option("--form", "forms", metavar="FORM", multiple=True,
              type=Choice([form.value for form in Form]),
              help="Only URLs written in this form (repeatable): "
              f"{', '.join(form.value for form in Form)}.")  # fmt: skip
@click.option("--scheme", "schemes", metavar="NAME,...", type=_Names(), multiple=True,
              help='Only URLs of these schemes; "any": others, too.')  # fmt: skip
@click.option("--host", "hosts", metavar="PATTERN,...", type=_Patterns(), multiple=True,
              help="Only URLs of such hosts (repeatable): a.example, *.example, .a.example "
              "(and all below it).")  # fmt: skip
@click.option("--not-host", "not_hosts", metavar="PATTERN,...", type=_Patterns(), multiple=True,
              help="No URLs of such hosts (repeatable).")  # fmt: skip
@click.option("--domain", "domains", metavar="NAME,...", type=_Patterns(), multiple=True,
              help="Only URLs of such registered domains (a.co.uk).")  # fmt: skip
@click.option("--relaxed", is_flag=True,
              help="Hosts without a scheme, too, as github.com/x.")  # fmt: skip
@click.option("--emails", is_flag=True, help="Mail addresses, too, as mailto: URLs.")
@click.option("--refang", is_flag=True,
              help="Defanged URLs, too, as hxxp://example[.]com.")  # fmt: skip
@click.option("--wrapped", is_flag=True, help="Only URLs in angle brackets.")
@click.option("--links", is_flag=True,
              help="Only what can be followed: no images and styles.")  # fmt: skip
@click.option("--unwrap", is_flag=True,
              help="The targets of links that gateways of mail have rewritten.")  # fmt: skip
@click.option("--base", metavar="URL", help="Base URL of relative references in a page of HTML.")
@click.option("--strict", is_flag=True, help="Only URLs that fit a grammar of their scheme.")
@click.option("--hyphen", metavar="HOW", type=Choice(["keep", "drop", "both", "evidence"]),
              default="keep", show_default=True,
              help="A hyphen before a line break: keep, drop, both, or as the rest of the text "
              "proves (evidence).")  # fmt: skip
@click.option("--join", metavar="WHAT", type=Choice(["none", "delimited", "safe", "likely"]),
              default="safe", show_default=True,
              help="Joined over line ends: none, delimited (in brackets), safe (bare ones that "
              "certainly go on) or likely.")  # fmt: skip
@click.option("--parts", metavar="NAME,...", type=_Names(), multiple=True,
              help=f"Read only these parts of messages: {', '.join(PARTS)}.")  # fmt: skip
@click.option("--quoted", metavar="HOW", type=Choice(["keep", "skip", "only"]),
              default="keep",
              help="Lines that quote others: keep (default), skip or only.")  # fmt: skip
@click.option("--signature", metavar="HOW", type=Choice(["keep", "skip"]),
              default="keep",
              help="What follows a line '-- ': keep (default) or skip.")  # fmt: skip
@click.option("--charset", metavar="NAME", help="Charset of text that declares none. Default: UTF-8.")
@click.option("--since", metavar="DATE",
              help="No messages dated before 2024-01-31, or 7d (ago).")  # fmt: skip
@click.option("--no-config", is_flag=True, help="Ignore the settings file.")
@click.version_option(__version__, package_name="urlextract-mail", prog_name="urlextract",
                      help="Show the version and exit.")  # fmt: skip
@click.help_option("-h", "--help", help=HELP)
@click.pass_context
def extract_command(ctx: click.Context, /, sources: tuple[str, ...], **chosen: Any) -> None:
    """Find every URL in mail, news and text (or standard input), whole, one a line.

    URLs in brackets and quotes are found, bare ones and abbreviated ones, and those that
    are broken over lines, after quote prefixes too. What a FILE holds is told from its
    content: text, a message, a mailbox, a news batch or spool, a web archive, gzip and
    other compressors round any of them; a DIR is walked.
    """
    chosen = _chosen(chosen)
    check_together(ctx, chosen)
    del chosen["recursive"], chosen["no_config"]
    if chosen["unique_by"] is None:
        del chosen["unique_by"]
    finish(ctx, lambda: run_command(sources, chosen, hint_at_command))
