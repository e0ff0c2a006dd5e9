r"""The manual page, made of the commands' own help.

    python -m urlextract.cli.manual > urlextract/share/man/man1/urlextract.1

A test holds the page that is installed to what this gives.
"""

from __future__ import annotations

import textwrap
from inspect import cleandoc
from typing import TYPE_CHECKING

import click

from urlextract import __version__, format_url
from urlextract.cli import COMMANDS, load
from urlextract.cli.extracting import extract_command
from urlextract.cli.screen import context_of, options_of

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["EXAMPLES", "man_page"]

_DATE = "2026-11-24"
_ROFF = str.maketrans({"\\": r"\e", "-": r"\-", "'": r"\(aq", "`": r"\(ga", "^": r"\(ha", "~": r"\(ti"})

EXAMPLES = (
    ("All URLs of a mailbox, each once:", "urlextract -u mail.mbox"),
    ("Those of the last week's news, with their articles:", "urlextract -I --since 7d news"),
    ("What a script needs to know of each, while the log goes on:", "tail -f log | urlextract -j"),
    ("Pick one, however odd, and hand it on without a shell:",
     "urlextract -0 mail.mbox | fzf --read0 --print0 | xargs -0r xdg-open"),
    ("Why was it not found?", "urlextract --explain letter.eml"),
    ("A long URL for a letter that is quoted twice:",
     "urlextract format --prefix '> > ' http://www.example.org/harbour/tables/1996/north.html"),
    ("Mend a mail whose URLs were cut:", "urlextract rewrap -i letter.eml"),
)  # fmt: skip
"""Examples: what each is for, and its words."""

_ENVIRONMENT = (
    ("NO_COLOR", "If it is set and not empty, --explain and parse use no colours."),
    ("COLUMNS", "The width of the help."),
)
_SAFETY = """\
Nothing that a file, a message or a folder says is obeyed: no program is run and no host is asked on
its word, whatever configuration, hooks or links it brings.

Of a repository of git only HEAD, the branch that it names, and the objects are read, if they are
regular files in it. git reads the objects; it runs on an empty repository of this program, with
none of the user's environment. A repository that borrows objects from another one
(objects/info/alternates) or keeps its refs in a reftable is refused.

A walk reads each file once. Links to files are followed, those to directories with --follow. Files
that the run itself writes are known by device and inode, passed over, and said on standard error.

A symbolic link in a directory where everybody may write (sticky, as /tmp) that belongs neither to
the user nor to the directory's owner is not followed by --output, --state and rewrap --in-place.

Memory does not grow with the input, and time grows in proportion to it. What unpacks to more than
400 times its size, and 256 MiB, is stopped.
"""
_STANDARDS = (("RFC 1738, its appendix", "1738"), ("RFC 3986, its appendix C", "3986"), ("RFC 3676", "3676"))


def man_page() -> str:
    """Give the manual page, for man(7) macros of any troff."""
    return "\n".join(_lines()) + "\n"


def _lines() -> Iterator[str]:
    yield f'.TH URLEXTRACT 1 "{_DATE}" "urlextract {__version__}" "User Commands"'
    yield from (".SH NAME", r"urlextract \- find URLs in mail, news and text, and print them")
    yield ".SH SYNOPSIS"
    yield from _synopsis("urlextract", extract_command)
    for name in COMMANDS:
        yield ".br"
        yield from _synopsis(f"urlextract {name}", load(name))
    yield ".SH DESCRIPTION"
    yield from _paragraphs(extract_command.help)
    yield from _texts(
        "Results go to standard output as soon as they are certain; all else goes to standard error."
    )
    yield ".SH OPTIONS"
    yield from _options(extract_command)
    yield ".SH COMMANDS"
    yield from _texts("A file of such a name is ./parse.")
    for name in COMMANDS:
        command = load(name)
        yield f".SS {_roff(f'urlextract {name}')}"
        yield from _paragraphs(command.help)
        yield from _options(command)
        yield from (".PP", *_texts(command.epilog or ""))
    yield from _appendix()


def _appendix() -> Iterator[str]:
    """Give what is true of all commands."""
    yield ".SH EXIT STATUS"
    for status, meaning in (
        (0, "a URL was found"),
        (1, "none was"),
        (2, "trouble: a line on standard error tells"),
    ):
        yield from (".TP", rf"\fB{status}\fR", *_texts(f"{meaning}."))
    yield ".SH SAFETY"
    yield from _paragraphs(_SAFETY)
    yield ".SH ENVIRONMENT"
    for name, meaning in _ENVIRONMENT:
        yield from (".TP", rf"\fB{name}\fR", *_texts(meaning))
    yield ".SH EXAMPLES"
    for purpose, words in EXAMPLES:
        yield from (".TP", *_texts(purpose), ".nf", _roff(words), ".fi")
    yield ".SH STANDARDS"
    for title, number in _STANDARDS:
        url = format_url(f"https://www.rfc-editor.org/rfc/rfc{number}", target="man")
        yield from (".TP", *_texts(title), url)


def _synopsis(name: str, command: click.Command) -> Iterator[str]:
    words = command.collect_usage_pieces(context_of(command))
    yield rf"\fB{_roff(name)}\fR {_roff(' '.join(words))}"


def _paragraphs(text: str | None) -> Iterator[str]:
    for number, paragraph in enumerate(cleandoc(text or "").split("\n\n")):
        yield from ([".PP"] if number else [])
        yield from _texts(" ".join(paragraph.split()))


def _options(command: click.Command) -> Iterator[str]:
    for option in options_of(command):
        metavar = "" if option.is_flag else f" \\fI{_roff(_metavar(option))}\\fR"
        yield from (".TP", ", ".join(rf"\fB{_roff(name)}\fR" for name in option.opts) + metavar)
        yield from _texts(" ".join(_told(option, command)))


def _metavar(option: click.Option) -> str:
    if option.metavar is None and isinstance(option.type, click.Choice):
        return "HOW"
    return option.metavar or (option.name or "").upper()


def _told(option: click.Option, command: click.Command) -> Iterator[str]:
    """Give what is to be said of an option: its help, what it may be, what it is if it is not named."""
    yield (option.help or "").replace("Show this message and exit.", "Help: shown, and no more done.")
    if isinstance(option.type, click.Choice):
        yield f"One of {', '.join(option.type.choices)}."
    default = option.get_default(context_of(command))
    if not option.is_flag and isinstance(default, str | int) and default not in ("", 0):
        yield f"Default: {default}."


def _texts(text: str) -> Iterator[str]:
    """Give a paragraph in lines as troff reads them."""
    for line in textwrap.wrap(text, 90, break_long_words=False, break_on_hyphens=False):
        yield _roff(line)


def _roff(text: str) -> str:
    escaped = text.translate(_ROFF)
    return rf"\&{escaped}" if escaped.startswith(".") else escaped


if __name__ == "__main__":
    print(man_page(), end="")
