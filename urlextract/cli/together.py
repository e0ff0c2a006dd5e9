"""Options of the extracting command that cannot be used together."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, product
from typing import Any

import click

from urlextract.cli.rows import excluded
from urlextract.output.outputs import OUTPUTS, is_chosen


def _conflicts() -> Iterator[tuple[str, str]]:
    """Yield pairs of names of options; a value after "=" is the only one that conflicts."""
    for one, other in combinations(OUTPUTS, 2):  # each prints something else in place of the URLs
        if not set(one.shapes + other.shapes) & {*one.chosen_by, *other.chosen_by}:
            yield from product(one.chosen_by, other.chosen_by)
    yield from excluded()
    for output in OUTPUTS:
        yield from product(output.excludes, output.chosen_by)


def check_together(ctx: click.Context, chosen: dict[str, Any]) -> None:
    """Raise `UsageError` if two of the ``chosen`` options cannot be used together.

    Of an option of the command line and one of the settings file, the latter is left out. With
    ``quiet``, nothing is printed, and there is no conflict.
    """
    if chosen["quiet"]:
        return
    for one, other in _conflicts():
        if _is_chosen(chosen, one) and _is_chosen(chosen, other):
            settings = [each for each in (one, other) if _is_setting(ctx, each)]
            if len(settings) != 1:
                message = f"{_option(ctx, one)}: cannot be used with {_option(ctx, other)}"
                if not settings:
                    raise click.UsageError(message)
                raise ctx.obj.error((each.partition("=")[0] for each in settings), message)
            _leave_out(ctx, chosen, settings[0])


def _is_chosen(chosen: dict[str, Any], name: str) -> bool:
    name, _, value = name.partition("=")
    given = chosen.get(name)
    return given == value if value else is_chosen(given)


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
