"""Values of options of the command line; the error for a wrong one names what is allowed."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import Any

import click

from urlextract.cli.gone import GONE


class Choice(click.Choice):  # type: ignore[type-arg,unused-ignore]  # generic since click 8.2
    """One of a few values; the error for any other names them, and the one that is most like it."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return ``value``; fail if it is none of the choices."""
        if value not in self.choices:
            if param and (instead := GONE.get(f"{max(param.opts, key=len)} {value}")):
                self.fail(f"unknown value {value!r} ({instead})")
            hint = did_you_mean(value, self.choices, likeness=0.6)
            self.fail(f"unknown value {value!r}: choose {listed(self.choices)}{hint and f': {hint}'}")
        return value


class Number(click.ParamType):  # type: ignore[type-arg,unused-ignore]  # generic since click 8.4
    """An integer in a range."""

    name = "N"

    def __init__(self, min: int | None = None, max: int | None = None, words: Sequence[str] = ()) -> None:
        self.min, self.max, self._words = min, max, words  # words stand for 0

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Return the integer; fail if ``value`` is none, or not in the range."""
        if value in self._words:
            return 0
        try:
            number = int(value)
        except ValueError:  # not an integer, or one of more digits than Python reads
            return self.fail(f"{value!r} is not a number")
        if self.min is not None and number < self.min:
            self.fail(f"{number} is less than {self.min}")
        most = sys.maxsize if self.max is None else self.max
        if number > most:
            self.fail(f"{number} is more than {most}")
        return number


class Names(click.ParamType):  # type: ignore[type-arg,unused-ignore]  # generic since click 8.4
    """Names, with commas between them; of some that are known, if there are any."""

    name = "NAME[,NAME]"

    def __init__(self, known: Callable[[], Sequence[str]]) -> None:
        self._known = known

    @cached_property
    def _choice(self) -> Choice | None:
        known = self._known()
        return Choice(known) if known else None

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> list[str]:
        """Split the names; fail if there is none, and for one that is not known."""
        names = [name.strip() for name in str(value).split(",")]
        if not any(names):
            self.fail("a value is missing")
        if self._choice is None:
            return names
        return [self._choice.convert(name.lower(), param, ctx) for name in names if name]

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[Any]:
        """Return the known names with which the last one may be completed, after those before it."""
        from click.shell_completion import CompletionItem  # completion alone needs it

        before, comma, last = incomplete.rpartition(",")
        names = self._choice.choices if self._choice else ()
        return [CompletionItem(f"{before}{comma}{name}") for name in names if name.startswith(last)]


class GatewayFile(click.Path):
    """A file of gateways: a place and a parameter a line, and lines that are blank or begin with "#"."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the gateways in the file; fail if it cannot be read, and for a line that is none."""
        if not isinstance(value, str | os.PathLike):
            return value
        try:
            with open(super().convert(value, param, ctx), encoding="utf-8-sig") as file:
                lines = {number: line.split() for number, line in enumerate(file, 1)}
        except OSError as error:
            self.fail(f"{os.fsdecode(value)}: {error.strerror or error}")
        except ValueError:
            self.fail(f"{os.fsdecode(value)}: is not a text file")
        pairs = {number: words for number, words in lines.items() if words and not words[0].startswith("#")}
        from urlextract.schemes.gateways import own_gateways

        for number, words in pairs.items():
            try:
                own_gateways("gateways", [tuple(words)])
            except (TypeError, ValueError):
                fault = "is not a host, with a folder or without, and the name of a parameter"
                self.fail(f"{os.fsdecode(value)}, line {number}: {' '.join(words)!r}: {fault}")
        return [tuple(words) for words in pairs.values()]


def did_you_mean(word: str, known: Iterable[str], *, likeness: float = 0.81) -> str:
    """Return a hint at the known word that is most like ``word``, or an empty string.

    A ``likeness`` of 1 is that of equal words: `difflib.get_close_matches` describes it.
    """
    from difflib import get_close_matches  # a mistake alone needs it

    begins = [each for each in known if len(word) > len("--") and each.startswith(word)]
    guesses = begins if len(begins) == 1 else get_close_matches(word, list(known), 1, likeness)
    return f"did you mean {guesses[0]}?" if guesses else ""


def listed(names: Sequence[str]) -> str:
    """Return names as a list in words."""
    *some, last = names
    return f"{', '.join(some)} or {last}" if some else last
