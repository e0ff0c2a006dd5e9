"""``urlextract format``, ``mend`` and ``rewrap``: print URLs, and rewrite whole texts."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Any, get_args

import click

from urlextract.cli.program import Command, names_of_files, with_help
from urlextract.cli.reporting import (
    FOUND,
    NONE,
    TROUBLE,
    ErrorReporter,
    errors_reported,
    print_each,
)
from urlextract.cli.rows import with_row
from urlextract.cli.values import Choice, Number
from urlextract.errors import RewrapError
from urlextract.formatter.printing import format_url
from urlextract.formatter.targets import Target, Wrapper
from urlextract.formatter.texts.mending import Mender
from urlextract.formatter.texts.replacing import Fang
from urlextract.formatter.texts.rewrapping import Filler
from urlextract.formatter.texts.units import Change
from urlextract.linebreaks.joining import Join
from urlextract.output.filtered import print_filtered, replace_filtered

_Begin = Callable[[], tuple[Change, Callable[[], str]]]
"""Returns what changes the units of a text, and what says after that in words what was left, if anything."""

_WRAPPERS = {wrapper or "none": wrapper for wrapper in get_args(Wrapper)}


@click.command(
    cls=Command,
    examples=(
        ("urlextract format -w 60 URL", "in <URL:...>, in lines of 60 columns"),
        ("urlextract format --prefix '> ' - < urls", "those of a file, in a quoted text"),
        ("urlextract format -t latex --encode 'http://a.example/b c'", "with its blank as %20"),
    ),
    epilog="Exit status: 0 if all URLs were printed, 1 if one cannot be, 2 on trouble.",
)
@click.argument("urls", metavar="[URL|-]...", nargs=-1, type=click.UNPROCESSED)
@click.option("-w", "--width", metavar="N", type=Number(min=1),
              help="Columns of a line, prefix and brackets included, "
              "for mail, plain and rst: 72 unless given.")  # fmt: skip
@click.option("-t", "--target", type=Choice(get_args(Target)), default="mail", show_default=True,
              help="What the URLs are printed for.")  # fmt: skip
@click.option("--brackets", type=Choice(list(_WRAPPERS)), default="auto", show_default=True,
              help="The brackets: <URL:...>, <...>, or none. auto is what the target needs.")  # fmt: skip
@click.option("--prefix", metavar="TEXT",
              help="Begin each line with TEXT, a quote prefix. For mail, plain and rst.")  # fmt: skip
@click.option("--indent", metavar="N", type=Number(min=0, max=900),
              help="Indent all lines but the first by N, for mail and plain: 1 unless given.")  # fmt: skip
@click.option("--encode", is_flag=True,
              help="Encode what RFC 1738 calls unsafe (blanks, | and the like). Without it, such a character "
              "is printed as it is, or refused if it would not be read back.")  # fmt: skip
@with_help
def format_command(urls: tuple[str, ...], **how: Any) -> int:
    """Print each URL with line breaks that are safe, so that it reads back exactly.

    Reads standard input, one URL a line, when none is named.
    """
    how["brackets"] = _WRAPPERS[how["brackets"]]
    how["indent"] = None if how["indent"] is None else " " * how["indent"]
    try:
        return print_each(urls, lambda text: format_url(text, **how))
    except ValueError as error:
        raise click.UsageError(f"--{error}") from None


_CHECKED = "Exit status: 0 if all went well, 1 if the check failed or a URL cannot be changed, 2 on trouble."
_SOURCES = click.argument(
    "sources", metavar="[FILE]...", nargs=-1, type=click.UNPROCESSED, shell_complete=names_of_files
)
_JOIN = click.option(
    "--join",
    type=Choice(get_args(Join)),
    default="safe",
    show_default=True,
    help="Mend what is broken over lines: nothing (none), URLs in brackets or quotes (delimited), bare ones "
    "too that certainly go on (safe), or more likely than not (likely).",
)


_IN_PLACE = click.option(
    "-i",
    "--in-place",
    is_flag=True,
    help="Replace FILEs, each as a whole, if it reads back; other names (hard links) keep the old text.",
)


@click.command(
    cls=Command,
    examples=(
        ("urlextract mend letter.eml > whole.eml", "broken URLs made whole"),
        ("urlextract mend --unwrap --defang letter.eml", "a phishing mail, to pass on"),
        ("urlextract mend -i notes/*.txt", "in place"),
    ),
    epilog=_CHECKED,
)
@_SOURCES
@click.option("--unwrap", is_flag=True,
              help="Put the targets of links that mail gateways have rewritten in their place.")  # fmt: skip
@with_row("gateways")
@click.option("--defang", is_flag=True,
              help="Write URLs, and hosts and addresses outside of fields, so that nobody follows them: "
              "hxxps://example[.]com/x.")  # fmt: skip
@click.option("--refang", is_flag=True, help="Write defanged URLs as those that they stand for.")
@_IN_PLACE
@_JOIN
@with_help
def mend_command(
    sources: tuple[str, ...],
    *,
    unwrap: bool,
    gateways: Sequence[tuple[str, str]] | None,
    defang: bool,
    refang: bool,
    join: Join,
    in_place: bool,
) -> int:
    """Make each broken URL of a text or message whole on one line, and leave all else as it is.

    What follows the URL on its last line becomes a line of its own. URLs are replaced in all texts of a
    message, in HTML, encoded and attached ones and header fields, too, but lines joined only in plain text,
    and not in diffs, in code between fences, and in text that flows. What is signed stays; what cannot be
    changed is told. Reads standard input when no FILE is named, and several FILEs only with -i.
    """
    if defang and refang:
        raise click.UsageError("--defang: cannot be used with --refang")
    fang: Fang | None = "defang" if defang else "refang" if refang else None

    def begin() -> tuple[Change, Callable[[], str]]:
        mender = Mender(join, gateways=(gateways or ()) if unwrap else None, fang=fang, checks=in_place)

        def left_in_words() -> str:
            counts = (
                ("URLs that cannot be changed, in signed or long parts or encoded fields", mender.left),
                ("parts that are not read, and may have URLs", mender.unread),
            )
            return "; ".join(f"{words}: {count}" for words, count in counts if count)

        return mender.mended, left_in_words

    return run_texts(sources, begin, in_place=in_place, status_of_left=NONE)


@click.command(
    cls=Command,
    examples=(
        ("urlextract rewrap -w 66 draft.txt", "in lines of 66 columns"),
        ("urlextract rewrap --break -i draft.txt", "in place, with long URLs broken in <URL:...>"),
    ),
    epilog=_CHECKED,
)
@_SOURCES
@click.option("-w", "--width", metavar="N", type=Number(min=1), default=72, show_default=True,
              help="Columns of a line.")  # fmt: skip
@click.option("--break", "break_urls", is_flag=True,
              help="Break URLs that are wider than a line, in <URL:...>; else they stay whole.")  # fmt: skip
@_IN_PLACE
@_JOIN
@with_help
def rewrap_command(
    sources: tuple[str, ...], *, width: int, break_urls: bool, join: Join, in_place: bool
) -> int:
    """Fill the paragraphs of a text or message, with URLs as units; mend those that were broken.

    Header fields, signatures, diffs, code, tables, encoded, signed and attached parts are left alone, and so
    is what has tags of HTML in it. So are lists, verse, addresses and other lines that were not broken by
    filling. Reads standard input when no FILE is named.
    """

    def begin() -> tuple[Change, Callable[[], str]]:
        filler = Filler(width, join, break_urls=break_urls, checks=in_place)
        return filler.fill, lambda: filler.left_in_words

    for source in sources:
        if source.isdecimal() and not os.path.lexists(source):
            raise click.UsageError(f"{source}: No such file or directory: -w {source} sets the width")
    return run_texts(sources, begin, in_place=in_place, status_of_left=FOUND)


def run_texts(sources: Sequence[str], begin: _Begin, *, in_place: bool, status_of_left: int) -> int:
    """Print a file rewritten, or replace files; "-" is standard input. Return the exit status.

    What is said after that of a file is printed with its name; then the status is ``status_of_left``.
    """
    if in_place and "-" in (sources or ("-",)):
        raise click.UsageError("--in-place: name a file: standard input cannot be replaced")
    if len(sources) > 1 and not in_place:
        raise click.UsageError(f"{' '.join(sources[1:])}: without --in-place, one file is read")
    statuses = []
    for source in sources or ("-",):
        errors, status = ErrorReporter(), FOUND
        change, left_in_words = begin()
        with errors_reported(errors, (source,)):
            try:
                if in_place:
                    replace_filtered(source, change, errors.show)
                else:
                    print_filtered(source, change)
            except RewrapError as error:
                errors.show(f"{source}: {error}")
                status = NONE
            else:
                if left := left_in_words():
                    errors.show(f"{source}: {left}")
                    status = status_of_left
        statuses.append(TROUBLE if errors.happened else status)
    return max(statuses)
