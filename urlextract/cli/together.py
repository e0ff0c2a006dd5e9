"""Options of the extracting command that cannot be used together."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, product
from typing import Any

import click

from urlextract.output.outputs import OUTPUTS, is_chosen


def _conflicts() -> Iterator[tuple[str, str, str]]:
    """Yield pairs of names of options, each with what does the work of the first one beside the other."""
    for one, other in combinations(OUTPUTS, 2):  # each prints something else in place of the URLs
        if not set(one.shapes + other.shapes) & {*one.chosen_by, *other.chosen_by}:
            yield from product(one.chosen_by, other.chosen_by, [""])
    for output in OUTPUTS:
        for name in output.excludes:
            yield from product([name], output.chosen_by, [output.has.get(name, "")])


def check_together(command: click.Command, chosen: dict[str, Any]) -> None:
    """Raise `UsageError` if two of the ``chosen`` options of a command cannot be used together.

    With ``quiet``, nothing is printed, and there is no conflict.
    """
    if chosen["by"] and chosen["top"] is None:
        raise click.UsageError("--by: needs --top")
    if chosen["quiet"]:
        return
    for one, other, hint in _conflicts():
        if is_chosen(chosen[one]) and is_chosen(chosen[other]):
            words = f"{_flag(command, one)}: cannot be used with {_flag(command, other)}{hint and ': '}{hint}"
            raise click.UsageError(words)


def _flag(command: click.Command, name: str) -> str:
    """Return the option of a name, as one writes it."""
    [param] = [each for each in command.params if each.name == name]
    return max(param.opts, key=len)
