"""Options of the extracting command that cannot be used together."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import click

__all__ = ["check_together"]

# Each of these prints something else in place of the URLs.
_OUTPUTS = ("as_json", "parse", "csv", "counts", "explain", "context", "raw")
_UNCOLORED = ("as_json", "parse", "csv", "counts")
_CONFLICTS = (
    *(pair for pair in combinations(_OUTPUTS, 2) if pair != ("as_json", "parse")),
    *((lists, other) for lists in ("top", "sort") for other in ("counts", "explain", "context")),
    ("sort", "top"),
    ("unique", "explain"), ("unique_by", "explain"),
    ("null", "csv"), ("null", "context"),
    ("context", "hyphen=evidence"),
    *((mark, other) for mark in ("color=always", "hyperlink=always") for other in _UNCOLORED),
    ("hyperlink=always", "context"), ("hyperlink=always", "explain"),
)  # fmt: skip
"""Pairs of names of options; a value after "=" is the only one that conflicts."""


def check_together(ctx: click.Context, chosen: dict[str, Any]) -> None:
    """Raise `UsageError` if two of the ``chosen`` options cannot be used together.

    Of an option of the command line and one of the settings file, the latter is left out. With
    ``quiet``, nothing is printed, and there is no conflict.
    """
    if chosen["quiet"]:
        return
    for one, other in _CONFLICTS:
        if _is_chosen(chosen, one) and _is_chosen(chosen, other):
            settings = [each for each in (one, other) if _is_setting(ctx, each)]
            if len(settings) != 1:
                message = f"{_option(ctx, one)}: cannot be used with {_option(ctx, other)}"
                raise ctx.obj.error(other, message) if settings else click.UsageError(message)
            _leave_out(ctx, chosen, settings[0])


def _is_chosen(chosen: dict[str, Any], name: str) -> bool:
    name, _, value = name.partition("=")
    given = chosen.get(name)
    return given == value if value else not (given is None or given is False)


def _is_setting(ctx: click.Context, name: str) -> bool:
    source = ctx.get_parameter_source(name.partition("=")[0])
    return source is click.core.ParameterSource.DEFAULT_MAP


def _leave_out(ctx: click.Context, chosen: dict[str, Any], name: str) -> None:
    name = name.partition("=")[0]
    chosen[name] = ctx.command.make_context(ctx.info_name, [], resilient_parsing=True).params[name]


def _option(ctx: click.Context, name: str) -> str:
    """Return the option of a name, as one writes it."""
    name, _, value = name.partition("=")
    [param] = [each for each in ctx.command.params if each.name == name]
    return f"{max(param.opts, key=len)} {value}".rstrip()
