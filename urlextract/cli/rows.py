"""Options of click from the rows of tables: a row says what its flags, its help and its value are."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, TypeVar, get_args, get_origin

import click

from urlextract.arguments import Option, is_list, rows_of
from urlextract.cli.values import Choice, GatewayFile, Names, Number
from urlextract.output.outputs import OUTPUTS, OutputOptions
from urlextract.pipeline.options import OPTIONS, TYPES

_Function = TypeVar("_Function", bound=Callable[..., Any])
_Decorator = Callable[[_Function], _Function]


class _Shared(click.Option):
    """An option that help leaves out, for it is that of another command; completion has it."""

    def get_help_record(self, ctx: click.Context) -> None:
        """Return None: there is no help for it here."""


SECTIONS = ("Output", "Input", "URLs", "Messages", "Other")


def _option(name: str, row: Option, kind: Any, default: Any, **more: Any) -> _Decorator[Any]:
    """Return the decorator that adds the option of a row to a command."""
    if kind is bool:
        more["is_flag"] = True
    elif is_list(kind) and row.metavar == "FILE":
        more["type"] = GatewayFile()
    elif is_list(kind):
        more |= {"multiple": True, "type": Names(row.known) if "," in row.metavar else str}
    elif choices := [
        choice for each in (kind, *get_args(kind)) if get_origin(each) is Literal for choice in get_args(each)
    ]:
        more |= {"type": Choice(choices), "default": default, "show_default": default is not None}
    elif int in (kind, *get_args(kind)):
        more["type"] = Number(row.least, row.most, row.known())
    elif row.metavar == "FILE":
        more["type"] = click.Path(allow_dash=True)
    if not more.get("is_flag"):
        more["metavar"] = row.metavar or None
    return click.option(*row.flags.split(), name, help=row.help, **more)


_ROWS: tuple[tuple[str, Option, Any, Any], ...] = (
    *(
        (name, row, kind, OutputOptions._field_defaults[name])
        for name, (row, kind) in rows_of(OutputOptions).items()
    ),
    *((name, row, TYPES[name], row.default) for name, row in OPTIONS.items() if row.flags),
)
"""The name, the row, the type and the default of each option of the command line."""


def with_sections(*sections: str, is_shared: bool = False) -> _Decorator[Any]:
    """Return a decorator that adds the options of sections; those that are shared are not in help."""
    options = [
        _option(name, row, kind, default, cls=_Shared if is_shared else click.Option)
        for section in sections
        for name, row, kind, default in _ROWS
        if row.section == section
    ]
    if "Output" in sections:
        outputs = [click.option(*output.flags, output.chosen_by[0], is_flag=True, help=output.help)
                   for output in OUTPUTS if output.flags]  # fmt: skip
        options = [*outputs, *options]

    def decorated(function: _Function) -> _Function:
        for option in reversed(options):
            function = option(function)
        return function

    return decorated


def with_row(name: str) -> _Decorator[Any]:
    """Return a decorator that adds the option of one row."""
    return next(_option(*each) for each in _ROWS if each[0] == name)


def section_of(name: str | None) -> str:
    """Return the section of help in which an option stands."""
    if any(name in output.chosen_by for output in OUTPUTS):
        return "Output"
    return next((row.section for known, row, *_ in _ROWS if known == name), "Other")


def is_daily(name: str | None) -> bool:
    """Return whether an option is one of every day, which ``-h`` shows."""
    if any(output.is_daily and name == output.chosen_by[0] for output in OUTPUTS):
        return True
    return any(row.is_daily for known, row, *_ in _ROWS if known == name)


def joined_lists(given: dict[str, Any]) -> dict[str, Any]:
    """Return the values of options with the lists of names that an option was given as one list."""
    lists = {name for name, row, *_ in _ROWS if "," in row.metavar}
    return {
        name: (tuple(each for names in value for each in names) or None) if name in lists else value
        for name, value in given.items()
    }
