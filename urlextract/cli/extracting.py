"""``urlextract``: every URL of mail, news and text."""

from __future__ import annotations

from typing import Any

import click

from urlextract import __version__
from urlextract.cli import SETTINGS, finish, names_of_files
from urlextract.cli.screen import ScreenCommand
from urlextract.command import run_command
from urlextract.records import PARTS, Form
from urlextract.sources import FORMS

__all__ = ["extract_command"]

_EPILOG = """urlextract parse, format, rewrap and refs are commands of their own (-h tells).
"man urlextract" tells all. Exit status: 0 URLs found, 1 none, 2 trouble."""


class _Names(click.ParamType):  # type: ignore[type-arg,unused-ignore]  # generic since click 8.4
    """Names, with commas between them."""

    name = "NAME[,NAME]"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> list[str]:
        """Split the names."""
        return [name for name in str(value).lower().replace(":", "").split(",") if name]


@click.command("urlextract", cls=ScreenCommand, epilog=_EPILOG, context_settings=SETTINGS)
@click.argument("sources", metavar="[FILE|DIR|-]...", nargs=-1, type=click.UNPROCESSED,
                shell_complete=names_of_files)  # fmt: skip
@click.option("-j", "--json", "as_json", is_flag=True, help="JSON lines: all that is known of each URL.")
@click.option("-u", "--unique", is_flag=True,
              help="Each URL once: with --json, with all its places.")  # fmt: skip
@click.option("-c", "--count", "counts", is_flag=True,
              help="Count only: the number of URLs of each source.")  # fmt: skip
@click.option("-q", "--quiet", is_flag=True, help="Status only: print nothing, stop at the first URL.")
@click.option("-0", "--null", is_flag=True,
              help="NUL ends each: a NUL in place of the line end behind each result.")  # fmt: skip
@click.option("-H", "--with-filename", is_flag=True,
              help="Name the source: before each URL.")  # fmt: skip
@click.option("-I", "--message-id", is_flag=True,
              help="Its Message-ID: put before each URL.")  # fmt: skip
@click.option("-n", "--line-number", is_flag=True,
              help="Its line: the number in its part before each URL.")  # fmt: skip
@click.option(
    "-m",
    "--max-count",
    metavar="N",
    type=click.IntRange(min=0),
    help="Stop after N: give so many results and no more.",
)
@click.option("-o", "--output", metavar="FILE", type=click.Path(dir_okay=False),
              help="Write to FILE: not to standard output.")  # fmt: skip
@click.option("--raw", is_flag=True, help="As it stood: each URL with its line breaks and all.")
@click.option("--parse", is_flag=True,
              help="Take URLs apart: parts, violations, warnings; implies --json.")  # fmt: skip
@click.option("--explain", is_flag=True,
              help="Say why: each place, taken or not, with the reason.")  # fmt: skip
@click.option("-r", "--recursive", is_flag=True, help="Walk directories: as is always done.")
@click.option("-L", "--follow", is_flag=True,
              help="Follow links: those to directories, too, that are met in a directory; links to files "
              "are always read.")  # fmt: skip
@click.option("--include", metavar="GLOB", multiple=True,
              help="Such names only: of directories, files whose names fit (may be repeated).")  # fmt: skip
@click.option("--exclude", metavar="GLOB", multiple=True,
              help="No such names: of directories, no files whose names fit (may be repeated).")  # fmt: skip
@click.option("-T", "--files-from", metavar="FILE", type=click.Path(allow_dash=True),
              help="Names from FILE: read the files that it names, one a line.")  # fmt: skip
@click.option("--from0", is_flag=True, help="NUL ends names: of the FILE of -T.")
@click.option("-F", "--format", "kind", metavar="KIND", type=click.Choice(FORMS), default="auto",
              help="What a FILE is: told from its content if not said.")  # fmt: skip
@click.option("-J", "--jobs", metavar="N", type=click.IntRange(min=1),
              help="N processes: files, and parts of a large mailbox or text, are read side by side; the "
              "order stays. If not said: for much mail or text one per processor, "
              "else 1. Standard input, --explain, -uj and --hyphen evidence are read by 1.")  # fmt: skip
@click.option("--state", metavar="FILE", type=click.Path(dir_okay=False),
              help="Only what is new: since the last run with this FILE, which is written at least every "
              "second, after what it speaks of was printed.")  # fmt: skip
@click.option("--form", "forms", metavar="FORM", multiple=True,
              type=click.Choice([form.value for form in Form]),
              help="Such forms only: URLs that stood in this form (may be repeated).")  # fmt: skip
@click.option("--scheme", "schemes", metavar="NAME,...", type=_Names(), multiple=True,
              help='Such schemes only: "any" takes unregistered ones too.')  # fmt: skip
@click.option("--relaxed", is_flag=True,
              help="Bare hosts, too: those without a scheme, as github.com/x; --json says "
              "how sure each is.")  # fmt: skip
@click.option("--emails", is_flag=True, help="Addresses, too: those of mail, as mailto: URLs.")
@click.option("--wrapped", is_flag=True, help="Bracketed only: URLs in angle brackets.")
@click.option("--links", is_flag=True,
              help="Links only: what a reader can follow; no images, styles, scripts of HTML.")  # fmt: skip
@click.option("--base", metavar="URL", help="Relative to URL: references in HTML that is no mail.")
@click.option("--strict", is_flag=True, help="Valid only: what fits the grammar of its scheme.")
@click.option("--hyphen", metavar="HOW", type=click.Choice(["keep", "drop", "both", "evidence"]),
              default="keep",
              help="At a line break: which reading of a hyphen there goes first.")  # fmt: skip
@click.option("--join", metavar="WHAT", type=click.Choice(["none", "delimited", "safe", "likely"]),
              default="safe",
              help="Over line ends: what is joined. Nothing (none), what brackets or quotes hold "
              "(delimited), bare URLs too where the evidence is as good as proof (safe), or where they go on "
              "more likely than not (likely).")  # fmt: skip
@click.option("--parts", metavar="NAME,...", type=_Names(), multiple=True,
              help=f"Parts of messages: only these, {', '.join(PARTS)}.")  # fmt: skip
@click.option("--quoted", metavar="HOW", type=click.Choice(["keep", "skip", "only"]),
              default="keep", help="Quoted lines: those that quote others.")  # fmt: skip
@click.option("--signature", metavar="HOW", type=click.Choice(["keep", "skip"]),
              default="keep", help="Signatures: what follows a line '-- '.")  # fmt: skip
@click.option("--charset", metavar="NAME", help="If none is named: the charset of such texts.")
@click.option("--since", metavar="DATE",
              help="No older mail: none dated before 2024-01-31, or so long ago, 7d.")  # fmt: skip
@click.version_option(__version__, package_name="urlextract-mail", prog_name="urlextract",
                      help="The version: shown, and no more done.")  # fmt: skip
@click.help_option("-h", "--help", help="This help: shown, and no more done.")
@click.pass_context
def extract_command(ctx: click.Context, /, sources: tuple[str, ...], **chosen: Any) -> None:
    """Find every URL in mail, news and text (or standard input), whole, one a line.

    URLs in brackets and quotes are found, bare ones and abbreviated ones, and those that
    are broken over lines, behind quote prefixes too. What a FILE holds is told from its
    content: text, a message, a mailbox, a news batch or spool, a web archive, gzip and
    other compressors round any of them; a DIR is walked.
    """
    for option in ("schemes", "parts"):
        chosen[option] = [name for names in chosen[option] for name in names] or None
    chosen["forms"] = chosen["forms"] or None
    chosen.pop("recursive")
    finish(ctx, lambda: run_command(sources, chosen))
