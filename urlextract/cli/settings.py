"""The settings file: options of the extracting command, one a line, in a file that the environment names.

Nothing else is looked for: neither the current directory nor the home directory has settings.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

import click

from urlextract.cli import CONFIG
from urlextract.cli.program import message_of
from urlextract.grammar.patterns import lazy_re

_QUOTED = lazy_re(r"\A([^\s=]++)(?:\s++|=)((['\"]).*\3)\Z")
_LARGEST = 1 << 16  # bytes
_NOT_HERE = ("help", "daily_help", "version", "no_config")


class Settings(NamedTuple):
    """The options of a settings file: the values by name, as they were written, and the line of each."""

    path: str
    values: dict[str, Any]
    lines: dict[str, int]

    def error(self, names: Iterable[str], message: str) -> click.UsageError:
        """Return the error for options of these names, at the line of the last."""
        return click.UsageError(f"{self.path}, line {max(map(self.lines.__getitem__, names))}: {message}")


def read_settings(
    command: click.Command, completed: Callable[[list[str]], list[str]], check: Callable[[str, Any], None]
) -> Settings:
    """Return the settings in the file that `CONFIG` names.

    ``completed`` returns words with values that may be left out. ``check`` is called with the name and
    the value of each option, and may raise `click.ClickException`, too. Raise `click.UsageError` for a
    file that cannot be read, and for a line that is wrong, with its number.
    """
    path = os.environ[CONFIG]
    settings = Settings(path, {}, {})
    for number, line in _lines(path):
        try:
            for name, value in _options_in(completed(_words(line)), command, check):
                known = settings.values.get(name, [])
                settings.values[name] = [*known, *value] if isinstance(value, list) else value
                settings.lines[name] = number
        except click.ClickException as error:
            raise click.UsageError(f"{path}, line {number}: {message_of(error, command)}") from None
    return settings


def _lines(path: str) -> Iterator[tuple[int, str]]:
    """Yield the lines that are neither blank nor comments, with their numbers."""
    try:
        text = _read(path).decode("utf-8-sig")
    except OSError as error:
        raise click.UsageError(f"{path}: {error.strerror or error} ({CONFIG} names it)") from None
    except ValueError:  # no UTF-8, or a NUL in the name
        raise click.UsageError(f"{path}: is not a text file ({CONFIG} names it)") from None
    for number, line in enumerate(text.split("\n"), 1):
        line = line.strip()  # noqa: PLW2901 - also the carriage return of a CRLF
        if line and not line.startswith("#"):
            yield number, line


def _read(path: str) -> bytes:
    if not (stat.S_ISREG(mode := os.stat(path).st_mode) or stat.S_ISCHR(mode)):
        raise OSError(0, "is not a regular file")
    with open(path, "rb") as stream:
        data = stream.read(_LARGEST + 1)
    if len(data) > _LARGEST:
        raise OSError(0, f"is larger than {_LARGEST} bytes")
    if b"\0" in data:
        raise ValueError
    return data


def _words(line: str) -> list[str]:
    """Return the option in a line and its value, if it has one: all that follows the first blank."""
    option, *value = line.split(None, 1)
    if not option.startswith("-") or option in ("-", "--"):
        raise click.UsageError(f"{option!r} is not an option: write one a line, as in --scheme http")
    quoted = _QUOTED.search(line)
    if quoted:
        raise click.UsageError(f"{quoted[1]}: leave out the quotes around {quoted[2]}")
    return [option, *value]


def _options_in(
    words: list[str], command: click.Command, check: Callable[[str, Any], None]
) -> Iterator[tuple[str, Any]]:
    """Yield the name and the value of each option in a line; -jn are two."""
    ctx = click.Context(command)
    found, rest, params = command.make_parser(ctx).parse_args([*words])
    others = [found.get(param.name or "") for param in params if isinstance(param, click.Argument)]
    if rest or any(isinstance(other, tuple | list) and other for other in others):
        option, has_value, _ = words[0].partition("=")
        fault = f"cannot be followed by {' '.join(words[1:])!r}" if has_value else "takes no value"
        raise click.UsageError(f"{option}: {fault}")
    for param in params:
        name = param.name if isinstance(param, click.Option) and param.name else ""
        if name in _NOT_HERE:
            raise click.UsageError(f"{words[0]}: is for the command line alone")
        if name in found:
            try:
                check(name, param.type_cast_value(ctx, found[name]))
            except click.BadParameter as error:
                error.param = param
                raise
            yield name, found[name]
