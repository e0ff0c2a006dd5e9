"""The options that all commands share which find URLs: what is read, and which URLs are results."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import click

from urlextract.cli.program import Choice, Number
from urlextract.records import PARTS, Form
from urlextract.sources.reading import FORMS

_Function = TypeVar("_Function", bound=Callable[..., Any])


class _Names(click.ParamType):  # type: ignore[type-arg,unused-ignore]  # generic since click 8.4
    """Names, with commas between them."""

    name = "NAME[,NAME]"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> list[str]:
        """Split the names; fail if there is none."""
        names = [name for name in str(value).lower().replace("://", "").replace(":", "").split(",") if name]
        return names or self.fail("a value is missing")


class _Choices(_Names):
    """Some of a few names, with commas between them."""

    def __init__(self, names: Sequence[str]) -> None:
        self._choice = Choice(names)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> list[str]:
        """Split the names; fail for one that is none of the choices."""
        return [self._choice.convert(name, param, ctx) for name in super().convert(value, param, ctx)]


class _Patterns(_Names):
    """Patterns of hosts, with commas between them."""

    name = "PATTERN[,PATTERN]"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> list[str]:
        """Split the patterns; an empty one stays, to be reported."""
        return str(value).split(",")


_LISTS = ("schemes", "parts", "hosts", "not_hosts", "domains")


def joined_lists(given: dict[str, Any]) -> dict[str, Any]:
    """Return the values of options with the lists of names that an option was given as one list."""
    chosen = {name: [each for names in value for each in names] if name in _LISTS else value
              for name, value in given.items()}  # fmt: skip
    return {name: value or None if name in (*_LISTS, "forms") else value for name, value in chosen.items()}


def with_options(*options: Sequence[Callable[[_Function], _Function]]) -> Callable[[_Function], _Function]:
    """Return a decorator that adds lists of options to a command, in their order."""

    def decorated(function: _Function) -> _Function:
        for option in reversed([option for group in options for option in group]):
            function = option(function)
        return function

    return decorated


INPUT = (
    click.option("-r", "--recursive", is_flag=True, help="Accepted for habit: directories are walked."),
    click.option("-L", "--follow", is_flag=True,
                 help="Follow symbolic links that lead out of a directory, too."),
    click.option("--include", metavar="GLOB", multiple=True,
                 help="In directories, read only such files (repeatable)."),
    click.option("--exclude", metavar="GLOB", multiple=True,
                 help="In directories, read no such files (repeatable)."),
    click.option("-T", "--files-from", metavar="FILE", type=click.Path(allow_dash=True),
                 help="Read the files that FILE names, one a line."),
    click.option("--from0", is_flag=True, help="The names in the FILE of -T end with NUL bytes."),
    click.option("-F", "--format", "kind", metavar="KIND", type=Choice(FORMS), default="auto",
                 help=f"What the input is: auto (told from its content), {', '.join(FORMS[1:])}."),
)  # fmt: skip
"""What is read of files and directories."""

JOBS = (
    click.option("-J", "--jobs", metavar="N", type=Number(min=1),
                 help="Read with N processes (default: what pays)."),
)  # fmt: skip
"""The number of processes."""

URLS = (
    click.option("--form", "forms", metavar="FORM", multiple=True,
                 type=Choice([form.value for form in Form]),
                 help="Only URLs written in this form (repeatable): "
                 f"{', '.join(form.value for form in Form)}."),
    click.option("--scheme", "schemes", metavar="NAME,...", type=_Names(), multiple=True,
                 help='Only URLs of these schemes; "any": others, too.'),
    click.option("--host", "hosts", metavar="PATTERN,...", type=_Patterns(), multiple=True,
                 help="Only URLs of such hosts (repeatable): a.example, *.example, .a.example "
                 "(and all below it)."),
    click.option("--not-host", "not_hosts", metavar="PATTERN,...", type=_Patterns(), multiple=True,
                 help="No URLs of such hosts (repeatable)."),
    click.option("--domain", "domains", metavar="NAME,...", type=_Patterns(), multiple=True,
                 help="Only URLs of such registered domains (a.co.uk)."),
    click.option("--relaxed", is_flag=True,
                 help="Hosts without a scheme, too, as github.com/x."),
    click.option("--emails", is_flag=True, help="Mail addresses, too, as mailto: URLs."),
    click.option("--refang", is_flag=True,
                 help="Defanged URLs, too, as hxxp://example[.]com."),
    click.option("--wrapped", is_flag=True, help="Only URLs in angle brackets."),
    click.option("--links", is_flag=True,
                 help="Only what can be followed: no images and styles."),
    click.option("--unwrap", is_flag=True,
                 help="The targets of links that gateways of mail have rewritten."),
    click.option("--base", metavar="URL", help="Base URL of relative references in a page of HTML."),
    click.option("--strict", is_flag=True, help="Only URLs that fit a grammar of their scheme."),
    click.option("--hyphen", metavar="HOW", type=Choice(["keep", "drop", "both", "evidence"]),
                 default="keep", show_default=True,
                 help="A hyphen before a line break: keep, drop, both, or as the rest of the text "
                 "proves (evidence)."),
    click.option("--join", metavar="WHAT", type=Choice(["none", "delimited", "safe", "likely"]),
                 default="safe", show_default=True,
                 help="Joined over line ends: none, delimited (in brackets), safe (bare ones that "
                 "certainly go on) or likely."),
)  # fmt: skip
"""Which URLs are results, and in which reading."""

MESSAGES = (
    click.option("--parts", metavar="NAME,...", type=_Choices(PARTS), multiple=True,
                 help=f"Read only these parts of messages: {', '.join(PARTS)}."),
    click.option("--quoted", metavar="HOW", type=Choice(["keep", "skip", "only"]),
                 default="keep",
                 help="Lines that quote others: keep (default), skip or only."),
    click.option("--signature", metavar="HOW", type=Choice(["keep", "skip"]),
                 default="keep",
                 help="What follows a line '-- ': keep (default) or skip."),
    click.option("--charset", metavar="NAME", help="Charset of text that declares none. Default: UTF-8."),
    click.option("--since", metavar="DATE",
                 help="No messages dated before 2024-01-31, or 7d (ago)."),
)  # fmt: skip
"""What is read of messages."""
