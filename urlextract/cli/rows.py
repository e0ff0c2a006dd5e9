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


SECTIONS = ("Output", "Input", "URLs", "Messages", "Other")


class RowOption(click.Option):
    """An option of a row: its section of help, and whether ``-h`` shows it.

    Help leaves it out if it ``is_shared``, for it is that of another command; completion has it.
    """

    def __init__(
        self, *flags: Any, section: str, is_daily: bool = False, is_shared: bool = False, **how: Any
    ) -> None:
        super().__init__(*flags, **how)
        self.section, self.is_daily, self._is_shared = section, is_daily, is_shared

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        """Return what help says, None if it is left out."""
        return None if self._is_shared else super().get_help_record(ctx)


def _joined(_: click.Context, __: click.Parameter, value: Any) -> Any:
    """Return the lists of names that an option was given as one list, None without any."""
    return tuple(each for names in value for each in names) or None


def _option(name: str, row: Option, kind: Any, default: Any, *, is_shared: bool = False) -> _Decorator[Any]:
    """Return the decorator that adds the option of a row to a command."""
    how: dict[str, Any] = {"section": row.section, "is_daily": row.is_daily, "is_shared": is_shared}
    if kind is bool:
        how["is_flag"] = True
    elif is_list(kind) and row.metavar == "FILE":
        how["type"] = GatewayFile()
    elif is_list(kind) and "," in row.metavar:
        how |= {"multiple": True, "type": Names(row.known), "callback": _joined}
    elif is_list(kind):
        how |= {"multiple": True, "type": str}
    elif choices := [
        choice for each in (kind, *get_args(kind)) if get_origin(each) is Literal for choice in get_args(each)
    ]:
        how |= {"type": Choice(choices), "default": default, "show_default": default is not None}
    elif int in (kind, *get_args(kind)):
        how["type"] = Number(row.least, row.most, row.known())
    elif row.metavar == "FILE":
        how["type"] = click.Path(allow_dash=True)
    if kind is not bool:
        how["metavar"] = row.metavar or None
    return click.option(*row.flags.split(), name, help=row.help, cls=RowOption, **how)


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
        click.option(*output.flags, output.chosen_by[0], is_flag=True, help=output.help, cls=RowOption,
                     section="Output", is_daily=output.is_daily)
        for output in OUTPUTS if output.flags and "Output" in sections
    ]  # fmt: skip
    for section in sections:
        options += [_option(*row, is_shared=is_shared) for row in _ROWS if row[1].section == section]

    def decorated(function: _Function) -> _Function:
        for option in reversed(options):
            function = option(function)
        return function

    return decorated


def with_row(name: str) -> _Decorator[Any]:
    """Return a decorator that adds the option of one row."""
    return next(_option(*each) for each in _ROWS if each[0] == name)
