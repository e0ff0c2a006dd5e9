"""The command line: reads its options, calls one public function, and prints.

No rule about URLs stands here. Results go to standard output as soon as they are
known, all else to standard error; exit status as grep's: 0 found, 1 none, 2 trouble.
"""

from __future__ import annotations

import gc
import os
import signal
from typing import TYPE_CHECKING, Any

import click

from urlextract import __version__
from urlextract.output.sink import Sink
from urlextract.records import Form
from urlextract.sources import FORMS

if TYPE_CHECKING:
    from urlextract.errors import SourceError

__all__ = ["extract_command", "run"]

FOUND, NONE, TROUBLE = 0, 1, 2

_EPILOG = """Exit status: 0 if a URL was found, 1 if none was, 2 on trouble.

What a FILE holds is told from its content: text, a message, a mailbox, gzip round any
of them; a DIR is walked as a Maildir or a tree of articles. "-" is standard input."""


class _Schemes(click.ParamType):  # type: ignore[type-arg,unused-ignore]  # generic since click 8.4
    """Scheme names, with commas between them."""

    name = "NAME[,NAME]"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> list[str]:
        """Split the names."""
        return [name for name in str(value).lower().replace(":", "").split(",") if name]


@click.command(
    epilog=_EPILOG,
    context_settings={
        "help_option_names": ["-h", "--help"],
        "max_content_width": 100,
        "auto_envvar_prefix": None,
    },
)
@click.argument("sources", metavar="[FILE|DIR|-]...", nargs=-1, type=click.Path(allow_dash=True))
@click.option("-j", "--json", "as_json", is_flag=True, help="JSON lines: all that is known of each.")
@click.option("-u", "--unique", is_flag=True, help="Each URL once; with --json, with all its places.")
@click.option("-c", "--count", is_flag=True, help="The number of URLs of each source only.")
@click.option("-q", "--quiet", is_flag=True, help="Print nothing; stop at the first URL.")
@click.option("-0", "--null", is_flag=True, help="End each result with NUL instead of a line end.")
@click.option("-H", "--with-filename", is_flag=True, help="Put the source's name before each URL.")
@click.option("-I", "--message-id", is_flag=True, help="Put the Message-ID before each URL.")
@click.option("-n", "--line-number", is_flag=True, help="Put the line in its part before each URL.")
@click.option("-m", "--max-count", metavar="N", type=click.IntRange(min=0), help="Stop after N results.")
@click.option("-o", "--output", metavar="FILE", type=click.Path(dir_okay=False), help="Write to FILE.")
@click.option("-F", "--format", "kind", type=click.Choice(FORMS), default="auto", help="What the input is.")
@click.option("--raw", is_flag=True, help="Each URL as it stood, line breaks and all.")
@click.option("--form", "forms", type=click.Choice([form.value for form in Form]), multiple=True,
              help="Only URLs that stood in this form (may be repeated).")  # fmt: skip
@click.option("--scheme", "schemes", type=_Schemes(), multiple=True,
              help='Only these schemes; "any" takes unregistered ones too.')  # fmt: skip
@click.option("--wrapped", is_flag=True, help="Only URLs in angle brackets.")
@click.option("--strict", is_flag=True, help="Only what parses as its scheme's standard asks.")
@click.option("--hyphen", type=click.Choice(["keep", "drop", "both", "evidence"]), default="keep",
              help="Which reading of a hyphen at a line break goes first.")  # fmt: skip
@click.option("--join", type=click.Choice(["none", "delimited", "likely"]), default="delimited",
              help="What is joined over line ends.")  # fmt: skip
@click.option("--explain", is_flag=True, help="Each place, taken or not, with the reason.")
@click.version_option(__version__, package_name="urlextract-mail", prog_name="urlextract")
@click.pass_context
def extract_command(ctx: click.Context, /, sources: tuple[str, ...], **chosen: Any) -> None:
    """Find every URL in mail, news and text, whole, one a line.

    Wrapped, quoted, bare or abbreviated, broken over lines, behind quote prefixes.
    Reads standard input when no FILE is named.
    """
    schemes = [name for names in chosen.pop("schemes") for name in names]
    wishes = {
        "schemes": schemes or None,
        "forms": chosen.pop("forms") or None,
        **{name: chosen.pop(name) for name in ("wrapped", "strict", "hyphen", "join")},
    }
    trouble = _Trouble()
    try:
        found = Sink(**chosen).write_all(sources or ("-",), wishes, trouble)
    except BrokenPipeError:
        _leave(signal.SIGPIPE)
    except KeyboardInterrupt:
        _leave(signal.SIGINT)
    except OSError as error:
        trouble.report(f"{error.filename or 'output'}: {error.strerror or error}")
        found = 0
    quiet_success = chosen["quiet"] and found
    ctx.exit(TROUBLE if trouble.happened and not quiet_success else FOUND if found else NONE)


class _Trouble:
    """Told of damage: one clear line on standard error each."""

    def __init__(self) -> None:
        self.happened = False

    def __call__(self, error: SourceError) -> None:
        self.report(str(error))

    def report(self, message: str) -> None:
        """Say it, and remember that there was something to say."""
        from urlextract.output.terminal import harmless  # noqa: PLC0415 - in trouble only

        self.happened = True
        click.echo(f"urlextract: {harmless(message)}", err=True)


def _leave(number: signal.Signals) -> None:
    """End as a program does that a signal ends: no message, no last flush, the signal's status."""
    os._exit(128 + number)


def run() -> None:
    """Run the command, and end as the shell expects of one."""
    gc.disable()  # a short life with few cycles: the search makes none
    extract_command.main(prog_name="urlextract")
