"""``urlextract``: every URL of mail, news and text."""

from __future__ import annotations

from typing import Any

import click

from urlextract import __version__
from urlextract.cli import HELP, SETTINGS, finish, names_of_files
from urlextract.command import run_command
from urlextract.records import PARTS, Form
from urlextract.sources import FORMS

__all__ = ["extract_command"]

_EPILOG = """\b
Examples:
  urlextract mail.mbox              every URL of a mailbox
  urlextract -uj Maildir            each once, as JSON, with all its places
  curl -s URL | urlextract --base URL --links
  urlextract --explain message.eml  why each place was taken or not

urlextract parse, format, rewrap and refs are commands of their own (-h tells). "man urlextract"
tells all. Exit status: 0 if URLs were found, 1 if none, 2 on trouble."""


class _Names(click.ParamType):  # type: ignore[type-arg,unused-ignore]  # generic since click 8.4
    """Names, with commas between them."""

    name = "NAME[,NAME]"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> list[str]:
        """Split the names."""
        return [name for name in str(value).lower().replace(":", "").split(",") if name]


@click.command("urlextract", epilog=_EPILOG, context_settings=SETTINGS)
@click.argument("sources", metavar="[FILE|DIR|-]...", nargs=-1, type=click.UNPROCESSED,
                shell_complete=names_of_files)  # fmt: skip
@click.option(
    "-j", "--json", "as_json", is_flag=True, help="Print JSON lines with all that is known of each URL."
)
@click.option("-u", "--unique", is_flag=True,
              help="Print each URL once; with --json, one record with all its places.")  # fmt: skip
@click.option("-c", "--count", "counts", is_flag=True,
              help="Print the number of URLs of each source instead.")  # fmt: skip
@click.option(
    "-q", "--quiet", is_flag=True, help="Print nothing, stop at the first URL: for the exit status."
)
@click.option("-0", "--null", is_flag=True,
              help="End each result with a NUL byte instead of a newline, for xargs -0.")  # fmt: skip
@click.option("-H", "--with-filename", is_flag=True,
              help="Put the name of the source before each URL.")  # fmt: skip
@click.option("-I", "--message-id", is_flag=True,
              help="Put the Message-ID before each URL.")  # fmt: skip
@click.option("-n", "--line-number", is_flag=True,
              help="Put the line number, within its part, before each URL.")  # fmt: skip
@click.option(
    "-m",
    "--max-count",
    metavar="N",
    type=click.IntRange(min=0),
    help="Stop after N results.",
)
@click.option("-o", "--output", metavar="FILE", type=click.Path(dir_okay=False),
              help="Write to FILE instead of standard output.")  # fmt: skip
@click.option("--raw", is_flag=True, help="Print each URL as it was written, with its line breaks.")
@click.option("--defang", is_flag=True,
              help="Print URLs so that no program follows them, as hxxp://example[.]com.")  # fmt: skip
@click.option("--parse", is_flag=True,
              help="Add components, violations and warnings to the records; implies --json.")  # fmt: skip
@click.option("--explain", is_flag=True,
              help="Print each place that was taken or turned down, with the reason.")  # fmt: skip
@click.option("-r", "--recursive", is_flag=True, help="Accepted for habit: directories are always walked.")
@click.option("-L", "--follow", is_flag=True,
              help="Follow symbolic links to directories, too; links to files are always read.")  # fmt: skip
@click.option("--include", metavar="GLOB", multiple=True,
              help="In directories, read only files whose names fit (repeatable).")  # fmt: skip
@click.option("--exclude", metavar="GLOB", multiple=True,
              help="In directories, read no files whose names fit (repeatable).")  # fmt: skip
@click.option("-T", "--files-from", metavar="FILE", type=click.Path(allow_dash=True),
              help="Read the files that FILE names, one a line; - is standard input.")  # fmt: skip
@click.option("--from0", is_flag=True, help="The names in the FILE of -T end with NUL bytes.")
@click.option("-F", "--format", "kind", metavar="KIND", type=click.Choice(FORMS), default="auto",
              help=f"What the input is: auto (told from its content), {', '.join(FORMS[1:])}.")  # fmt: skip
@click.option("-J", "--jobs", metavar="N", type=click.IntRange(min=1),
              help="Read with N processes; the order of the output stays. Default: one per processor "
              "for much mail or text, else 1. Standard input, --explain, -uj and --hyphen evidence "
              "are read by one.")  # fmt: skip
@click.option("--state", metavar="FILE", type=click.Path(dir_okay=False),
              help="Read only what is new since the last run with this FILE, which is written at least "
              "every second, after what it speaks of was printed.")  # fmt: skip
@click.option("--form", "forms", metavar="FORM", multiple=True,
              type=click.Choice([form.value for form in Form]),
              help="Only URLs written in this form (repeatable): "
              f"{', '.join(form.value for form in Form)}.")  # fmt: skip
@click.option("--scheme", "schemes", metavar="NAME,...", type=_Names(), multiple=True,
              help='Only URLs of these schemes; "any" takes unregistered ones, too.')  # fmt: skip
@click.option("--relaxed", is_flag=True,
              help="Hosts without a scheme, too, as github.com/x; --json says how sure each is.")  # fmt: skip
@click.option("--emails", is_flag=True, help="Mail addresses, too, as mailto: URLs.")
@click.option("--refang", is_flag=True,
              help="Defanged URLs, too, as hxxp://example[.]com.")  # fmt: skip
@click.option("--wrapped", is_flag=True, help="Only URLs in angle brackets.")
@click.option("--links", is_flag=True,
              help="Only what a reader can follow: no images, styles, scripts of HTML.")  # fmt: skip
@click.option("--base", metavar="URL", help="Base URL of relative references in HTML that is no mail.")
@click.option("--strict", is_flag=True, help="Only URLs that fit a grammar of their scheme.")
@click.option("--hyphen", metavar="HOW", type=click.Choice(["keep", "drop", "both", "evidence"]),
              default="keep", show_default=True,
              help="Which reading of a hyphen before a line break comes first: keep it, drop it, both, "
              "or the one that the rest of the text proves (evidence).")  # fmt: skip
@click.option("--join", metavar="WHAT", type=click.Choice(["none", "delimited", "safe", "likely"]),
              default="safe", show_default=True,
              help="What is joined over line ends: nothing (none), what brackets or quotes hold "
              "(delimited), bare URLs, too, where the evidence is as good as proof (safe), or where they go "
              "on more likely than not (likely).")  # fmt: skip
@click.option("--parts", metavar="NAME,...", type=_Names(), multiple=True,
              help=f"Read only these parts of messages: {', '.join(PARTS)}.")  # fmt: skip
@click.option("--quoted", metavar="HOW", type=click.Choice(["keep", "skip", "only"]),
              default="keep", show_default=True,
              help="Lines that quote others: keep them, skip them, or read only them.")  # fmt: skip
@click.option("--signature", metavar="HOW", type=click.Choice(["keep", "skip"]),
              default="keep", show_default=True,
              help="What follows a line '-- ': keep it or skip it.")  # fmt: skip
@click.option(
    "--charset", metavar="NAME", help="Charset of text that declares none. Default: UTF-8, then Windows-1252."
)
@click.option("--since", metavar="DATE",
              help="Read no messages dated before DATE: 2024-01-31, or 7d for seven days ago.")  # fmt: skip
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
    for option in ("schemes", "parts"):
        chosen[option] = [name for names in chosen[option] for name in names] or None
    chosen["forms"] = chosen["forms"] or None
    chosen.pop("recursive")
    finish(ctx, lambda: run_command(sources, chosen))
