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
from urlextract.grammar.registry import NAMES_WITHOUT_SLASHES
from urlextract.message.charsets import UNDECODABLE
from urlextract.pipeline.page_records import SHOWS_ANOTHER
from urlextract.records import MAY_CONTINUE
from urlextract.scanner.attributes import HIDDEN_HOST, NO_SCHEME
from urlextract.sources.formats.messages import COUNT_OFF

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["EXAMPLES", "man_page"]

_DATE = "2026-11-25"
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
_LINES = """\
What is in angle brackets or double quotes is joined over line ends. A bare URL that ends its line is
joined with the next lines where these leave no doubt (--join safe): by the width of the lines around
it, by the shape of the next word, by an escape, a hexadecimal number, the name of a file or the link
of a mail gateway that is whole with the next line only, or because the whole URL is elsewhere in the
message. All lines of a URL are joined, or none. --explain names the evidence for and against.

Where a bare URL may go on, but is not joined, its record has the defect "may-continue", the joined
form is the first of its alternatives, and its confidence is lower. --join likely joins more of them.
On lines of more than 82 columns, where mail is not wrapped, much more evidence is needed. rewrap and
refs leave the lines of such a URL as they are.

In text that is quoted-printable and was not decoded, soft line breaks ("=" at a line end) are taken
out of a URL and its escapes decoded, if the lines around it have other signs of it: escapes, blanks
written as "=20", full lines that end in "=". Else "=3D" stays as it is, with a defect.
"""
_DEFECTS = (
    (MAY_CONTINUE, "The URL ends its line, and may go on in the next one."),
    ("glued-before", "A word is right before the URL, without a blank."),
    ("unclosed", "A bracket opens before the URL and is not closed after it."),
    ("undecoded quoted-printable", "It may hold escapes such as =3D that nobody decoded."),
    ("undeclared quoted-printable", "Its part is quoted-printable, and was decoded, but does not say so."),
    (*UNDECODABLE, "Some of its bytes are none of the charset of its text."),
    ("cut at 65536 characters", "It is longer than that."),
    (f"{SHOWS_ANOTHER}: X, leads to Y", "A link of HTML shows a domain and leads to another one."),
    (NO_SCHEME, 'HTML has it without a scheme ("//host/x"), and nothing says by which it is to be had.'),
    (HIDDEN_HOST, "Its host is written so that nobody reads it: percent-encoded."),
    (COUNT_OFF, "A news batch, or Apple Mail, gives another size of a message."),
)
_HTML = """\
HTML is read as browsers read it, in the order of its source: attributes and styles that hold URLs, what
a reader sees, alt and title, and what comments hold for Outlook; no scripts and no other comments.
Relative references are read against the base that the page, its mail or --base names; without one they
are none. start, end and pieces of a record count in the markup.

element and attribute of a record say what held the URL, text what the element shows (of an image, its
alt), in one line of at most 200 characters. shown is that text if it is a URL, a host or a mail
address, and nothing else. differs is null where the link leads there, www., http or https, a final
slash, what was cut with an ellipsis, and the like aside. Else it is "path" (another one on the same
host), "host" (another one of the same registered domain), "brand" (the same name under another
suffix), "domain" (another registered domain) or "lookalike" (one whose name looks like it). The last
two are a defect, unless the link leads to a gateway, a tracker or a service that shortens URLs. A
URL in a link that says what the link does is no second record; any other one has the target of the
link as inside.

--links gives the URLs that a reader can follow: of links, areas, forms and texts, none of images,
styles, scripts and parts of the mail (cid:).
"""
_SCHEMES = """\
Of running text, a URL counts that has a registered scheme and "//". Without "//" those count whose
scheme is one of these, and that have its shape: %s. What begins with "www." or "ftp." counts without
a scheme.

--scheme any takes unregistered schemes before "//", too, and all registered ones in brackets
(<acct:joe@example.org>). --relaxed takes hosts without a scheme whose last label is a top-level
domain, localhost with a port or a path, and numbers of hosts. Its confidence is 0.7 with a path or a
port, 0.5 with three labels or more, 0.4 for a bare example.com, 0.3 where the domain is a new one.
Names of files (setup.py), versions, packages, newsgroups, attributes and calls of programs, and
sentences without a blank (end.The) are none. --emails takes addresses of mail, which are no
Message-IDs, at 0.9. Both pass over fields that machines fill in, and names in them.
"""
_STANDARDS = (("RFC 1738, its appendix", "1738"), ("RFC 3986, its appendix C", "3986"), ("RFC 3676", "3676"))


def man_page() -> str:
    """Return the manual page, for man(7) macros of any troff."""
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
    """Yield what is true of all commands."""
    yield ".SH EXIT STATUS"
    for status, meaning in (
        (0, "a URL was found"),
        (1, "none was"),
        (2, "trouble: a line on standard error tells"),
    ):
        yield from (".TP", rf"\fB{status}\fR", *_texts(f"{meaning}."))
    yield ".SH WHAT COUNTS"
    yield from _paragraphs(_SCHEMES % ", ".join(f"{name}:" for name in NAMES_WITHOUT_SLASHES))
    yield ".SH HTML"
    yield from _paragraphs(_HTML)
    yield ".SH LINE ENDS"
    yield from _paragraphs(_LINES)
    yield ".SH DEFECTS"
    yield from _texts("What records say, and --explain, of a URL that may not be what was written:")
    for defect, meaning in _DEFECTS:
        yield from (".TP", rf"\fB{_roff(defect)}\fR", *_texts(meaning))
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
    """Yield what is to be said of an option: its help, what it may be, what it is if it is not named."""
    told = (option.help or "").replace("Show this message and exit.", "Show this help and exit.")
    yield told
    if isinstance(option.type, click.Choice) and not all(name in told for name in option.type.choices):
        yield f"One of {', '.join(option.type.choices)}."
    default = option.get_default(context_of(command))
    if not option.is_flag and isinstance(default, str | int) and default not in ("", 0):
        yield f"Default: {default}."


def _texts(text: str) -> Iterator[str]:
    """Yield a paragraph in lines as troff reads them."""
    for line in textwrap.wrap(text, 90, break_long_words=False, break_on_hyphens=False):
        yield _roff(line)


def _roff(text: str) -> str:
    escaped = text.translate(_ROFF)
    return rf"\&{escaped}" if escaped.startswith(".") else escaped


if __name__ == "__main__":
    print(man_page(), end="")
