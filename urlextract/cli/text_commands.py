"""``urlextract format``, ``mend`` and ``rewrap``: print URLs, and rewrite whole texts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, get_args

import click

from urlextract.cli.program import SETTINGS, Command, finish, names_of_files, with_help
from urlextract.cli.reporting import (
    FOUND,
    NONE,
    TROUBLE,
    ErrorReporter,
    MisuseError,
    errors_reported,
    status_of,
    texts_of,
)
from urlextract.cli.rows import with_row
from urlextract.cli.values import Choice, Number
from urlextract.errors import RewrapError
from urlextract.formatter.targets import TARGETS, Target, Wrapper
from urlextract.formatter.texts.mending import Mender
from urlextract.formatter.texts.replacing import Fang
from urlextract.formatter.texts.rewrapping import Filler
from urlextract.formatter.texts.units import Unit, Write, rewrite
from urlextract.linebreaks.joining import Join
from urlextract.output.filtered import print_filtered, replace_filtered
from urlextract.output.printed import print_formatted

Notice = Callable[[str], None]
"""Called with a message for the user, without the name of the file."""

_Changes = Callable[[Iterable[str], Write, Notice], bool]

_WRAPPERS = {wrapper or "none": wrapper for wrapper in get_args(Wrapper)}


def _default_wrappers() -> str:
    """Return which wrapper each target has by default, in words."""
    targets = {
        name: [target for target, rules in TARGETS.items() if rules.wrapper == wrapper]
        for name, wrapper in _WRAPPERS.items()
    }
    return "; ".join(f"{name} for {', '.join(each)}" for name, each in targets.items() if each)


@click.command(
    cls=Command,
    epilog="Exit status: 0 if all URLs were printed, 1 if one cannot be, 2 on trouble.",
    context_settings=SETTINGS,
)
@click.argument("urls", metavar="[URL|-]...", nargs=-1, type=click.UNPROCESSED)
@click.option("-w", "--width", metavar="N", type=Number(min=1),
              help="Columns of a line, prefix and brackets included, "
              "for mail, plain and rst: 72 unless given.")  # fmt: skip
@click.option("-t", "--target", type=Choice(get_args(Target)), default="mail", show_default=True,
              help="What the URLs are printed for.")  # fmt: skip
@click.option("--brackets", type=Choice(list(_WRAPPERS)), default="auto", show_default=True,
              help=f"The brackets: <URL:...>, <...>, or none. auto is {_default_wrappers()}.")  # fmt: skip
@click.option("--prefix", metavar="TEXT",
              help="Begin each line with TEXT, a quote prefix. For mail, plain and rst.")  # fmt: skip
@click.option("--indent", metavar="N", type=Number(min=0, max=900),
              help="Indent all lines but the first by N, for mail and plain: 1 unless given.")  # fmt: skip
@click.option("--encode", is_flag=True,
              help="Encode what RFC 1738 calls unsafe (blanks, | and the like). Without it, such a character "
              "is printed as it is, or refused if it would not be read back.")  # fmt: skip
@with_help
@click.pass_context
def format_command(ctx: click.Context, /, urls: tuple[str, ...], **how: Any) -> None:
    """Print each URL with line breaks that are safe, so that it reads back exactly.

    Reads standard input, one URL a line, when none is named.
    """
    how["brackets"] = _WRAPPERS[how["brackets"]]
    how["indent"] = None if how["indent"] is None else " " * how["indent"]
    finish(ctx, lambda: run_format(urls, how))


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


@click.command(cls=Command, epilog=_CHECKED, context_settings=SETTINGS)
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
@click.pass_context
def mend_command(
    ctx: click.Context,
    /,
    sources: tuple[str, ...],
    *,
    unwrap: bool,
    gateways: Sequence[tuple[str, str]] | None,
    defang: bool,
    refang: bool,
    join: Join,
    in_place: bool,
) -> None:
    """Make each broken URL of a text or message whole on one line, and leave all else as it is.

    What follows the URL on its last line becomes a line of its own. URLs are replaced in all texts of a
    message, in HTML, encoded and attached ones and header fields, too, but lines joined only in plain text,
    and not in diffs, in code between fences, and in text that flows. What is signed stays; what cannot be
    changed is told. Reads standard input when no FILE is named, and several FILEs only with -i.
    """
    fang: Fang | None = "defang" if defang else "refang" if refang else None

    def run() -> int:
        if defang and refang:
            raise MisuseError("defang: cannot be used with --refang")
        return run_texts(sources, change, in_place=in_place)

    def change(pieces: Iterable[str], write: Write, notice: Notice) -> bool:
        mender = Mender(join, gateways=(gateways or ()) if unwrap else None, fang=fang, checks=in_place)
        rewrite(pieces, mender.mended, write)
        if mender.left:
            notice(f"URLs that cannot be changed, in signed or long parts or encoded fields: {mender.left}")
        if mender.unread:
            notice(f"parts that are not read, and may have URLs: {mender.unread}")
        return not mender.left + mender.unread

    finish(ctx, run)


@click.command(cls=Command, epilog=_CHECKED, context_settings=SETTINGS)
@_SOURCES
@click.option("-w", "--width", metavar="N", type=Number(min=1), default=72, show_default=True,
              help="Columns of a line.")  # fmt: skip
@click.option("--break", "break_urls", is_flag=True,
              help="Break URLs that are wider than a line, in <URL:...>; else they stay whole.")  # fmt: skip
@_IN_PLACE
@_JOIN
@with_help
@click.pass_context
def rewrap_command(
    ctx: click.Context,
    /,
    sources: tuple[str, ...],
    *,
    width: int,
    break_urls: bool,
    join: Join,
    in_place: bool,
) -> None:
    """Fill the paragraphs of a text or message, with URLs as units; mend those that were broken.

    Header fields, signatures, diffs, code, tables, encoded, signed and attached parts are left alone, and so
    is what has tags of HTML in it. So are lists, verse, addresses and other lines that were not broken by
    filling. Reads standard input when no FILE is named.
    """

    def change(pieces: Iterable[str], write: Write, notice: Notice) -> bool:
        filler = Filler(width, join, break_urls=break_urls)

        def of_unit(unit: Unit) -> str:
            result = filler.fill(unit)
            if in_place:
                filler.reader.check(unit.text, result)
            return result

        rewrite(pieces, of_unit, write)
        if filler.left:
            notice(filler.left_in_words)
        return True

    finish(ctx, lambda: run_texts(sources, change, in_place=in_place))


def run_format(urls: Sequence[str], how: dict[str, Any]) -> int:
    """Print each URL with line breaks; "-", or no URL at all, reads them as `run_parse` does.

    Raises `MisuseError` for an invalid option.
    """
    try:
        return status_of(
            lambda errors: print_formatted(texts_of(urls or ("-",)), errors.show, how),
            urls or ("-",),
        )
    except ValueError as error:
        raise MisuseError(str(error)) from None


def run_texts(
    sources: Sequence[str], change: Callable[[Iterable[str], Write, Notice], bool], *, in_place: bool
) -> int:
    """Print what ``change`` makes of a file, or replace files; "-" is standard input.

    It is called with the pieces of the text, with what writes a piece of the result, and with what prints a
    line ``urlextract: FILE: message``, which is no error; it returns whether all was changed that was to be.
    What goes wrong is printed so, too.

    Raises `MisuseError` for an invalid option.
    """
    if in_place and "-" in (sources or ("-",)):
        raise MisuseError("in-place: name a file: standard input cannot be replaced")
    if len(sources) > 1 and not in_place:
        raise click.UsageError(f"{' '.join(sources[1:])}: without --in-place, one file is read")
    return max(_run_text(source, change, in_place=in_place) for source in sources or ("-",))


def _run_text(source: str, change: _Changes, *, in_place: bool) -> int:
    errors = ErrorReporter()
    is_done = True

    def changed(pieces: Iterable[str], write: Write) -> None:
        nonlocal is_done
        is_done = change(pieces, write, lambda message: errors.show(f"{source}: {message}"))

    with errors_reported(errors, (source,)):
        try:
            if in_place:
                replace_filtered(source, changed, errors.show)
            else:
                print_filtered(source, changed)
        except RewrapError as error:
            errors.report(f"{source}: {error}")
            return NONE
    if errors.happened:
        return TROUBLE
    return FOUND if is_done else NONE
