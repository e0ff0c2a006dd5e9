"""``urlextract``: every URL of mail, news and text."""

from __future__ import annotations

from typing import Any

import click

from urlextract import __version__
from urlextract.cli import SETTINGS, finish
from urlextract.command import run_command
from urlextract.records import PARTS, Form
from urlextract.sources import FORMS

__all__ = ["extract_command"]

_EPILOG = """Exit status: 0 if a URL was found, 1 if none was, 2 on trouble.

What a FILE holds is told from its content: text, a message, a mailbox, gzip round any
of them; a DIR is walked as a Maildir or a tree of articles. "-" is standard input.
"urlextract parse", "format", "rewrap" and "refs" are commands of their own (-h tells);
a file of such a name is "./parse"."""


class _Names(click.ParamType):  # type: ignore[type-arg,unused-ignore]  # generic since click 8.4
    """Names, with commas between them."""

    name = "NAME[,NAME]"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> list[str]:
        """Split the names."""
        return [name for name in str(value).lower().replace(":", "").split(",") if name]


@click.command(
    epilog=_EPILOG,
    context_settings=SETTINGS,
)
@click.argument("sources", metavar="[FILE|DIR|-]...", nargs=-1, type=click.UNPROCESSED)
@click.option("-j", "--json", "as_json", is_flag=True, help="JSON lines: all that is known of each.")
@click.option("-u", "--unique", is_flag=True, help="Each URL once; with --json, with all its places.")
@click.option("-c", "--count", "counts", is_flag=True, help="The number of URLs of each source only.")
@click.option("-q", "--quiet", is_flag=True, help="Print nothing; stop at the first URL.")
@click.option("-0", "--null", is_flag=True, help="End each result with NUL instead of a line end.")
@click.option("-H", "--with-filename", is_flag=True, help="Put the source's name before each URL.")
@click.option("-I", "--message-id", is_flag=True, help="Put the Message-ID before each URL.")
@click.option("-n", "--line-number", is_flag=True, help="Put the line in its part before each URL.")
@click.option("-m", "--max-count", metavar="N", type=click.IntRange(min=0), help="Stop after N results.")
@click.option("-o", "--output", metavar="FILE", type=click.Path(dir_okay=False), help="Write to FILE.")
@click.option("-r", "--recursive", is_flag=True, help="Walk directories, as is always done.")
@click.option("--include", metavar="GLOB", multiple=True, help="Of directories, only files of such names.")
@click.option("--exclude", metavar="GLOB", multiple=True, help="Of directories, no files of such names.")
@click.option("-T", "--files-from", metavar="FILE", help="Read the names of files from FILE, one a line.")
@click.option("--from0", is_flag=True, help="With -T: names end with NUL.")
@click.option("-F", "--format", "kind", type=click.Choice(FORMS), default="auto", help="What the input is.")
@click.option("-J", "--jobs", metavar="N", type=click.IntRange(min=1), default=1,
              help="Read files in N processes; the order stays.")  # fmt: skip
@click.option("--state", metavar="FILE", help="Only what is new since the last run with this FILE.")
@click.option("--raw", is_flag=True, help="Each URL as it stood, line breaks and all.")
@click.option("--form", "forms", type=click.Choice([form.value for form in Form]), multiple=True,
              help="Only URLs that stood in this form (may be repeated).")  # fmt: skip
@click.option("--scheme", "schemes", type=_Names(), multiple=True,
              help='Only these schemes; "any" takes unregistered ones too.')  # fmt: skip
@click.option("--wrapped", is_flag=True, help="Only URLs in angle brackets.")
@click.option("--strict", is_flag=True, help="Only what fits the grammar of its scheme.")
@click.option("--parse", is_flag=True, help="With --json, which it implies: parts, violations, warnings.")
@click.option("--hyphen", type=click.Choice(["keep", "drop", "both", "evidence"]),
              default="keep", show_default=True,
              help="Which reading of a hyphen at a line break goes first.")  # fmt: skip
@click.option("--join", type=click.Choice(["none", "delimited", "likely"]),
              default="delimited", show_default=True,
              help="What is joined over line ends.")  # fmt: skip
@click.option("--parts", type=_Names(), multiple=True,
              help=f"Of messages, only these: {', '.join(PARTS)}.")  # fmt: skip
@click.option("--quoted", type=click.Choice(["keep", "skip", "only"]),
              default="keep", show_default=True, help="Lines that quote others.")  # fmt: skip
@click.option("--signature", type=click.Choice(["keep", "skip"]),
              default="keep", show_default=True, help="Signatures: what follows a line '-- '.")  # fmt: skip
@click.option("--charset", metavar="NAME", help="The charset of texts that name none.")
@click.option("--since", metavar="DATE", help="No messages dated before: 2024-01-31, or so long ago: 7d.")
@click.option("--explain", is_flag=True, help="Each place, taken or not, with the reason.")
@click.version_option(__version__, package_name="urlextract-mail", prog_name="urlextract")
@click.pass_context
def extract_command(ctx: click.Context, /, sources: tuple[str, ...], **chosen: Any) -> None:
    """Find every URL in mail, news and text, whole, one a line.

    Wrapped, quoted, bare or abbreviated, broken over lines, behind quote prefixes.
    Reads standard input when no FILE is named.
    """
    for option in ("schemes", "parts"):
        chosen[option] = [name for names in chosen[option] for name in names] or None
    chosen["forms"] = chosen["forms"] or None
    chosen.pop("recursive")
    finish(ctx, lambda: run_command(sources, chosen))
