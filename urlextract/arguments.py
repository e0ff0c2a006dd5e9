"""Rows of the tables of options, and checks of values, whose errors name the argument and what is allowed."""

from __future__ import annotations

from collections import abc
from collections.abc import Callable
from functools import wraps
from typing import Annotated, Any, Literal, NamedTuple, TypeVar, cast, get_args, get_origin, get_type_hints

_Method = TypeVar("_Method", bound=Callable[..., Any])


def alone(method: _Method) -> _Method:
    """Have ``method`` raise `RuntimeError` while such a method of the same object runs in another thread.

    ``_turn`` of the object is a list of one item: a lock could be neither copied nor pickled.
    """

    @wraps(method)
    def called(self: Any, /, *given: Any, **named: Any) -> Any:
        try:
            turn = self._turn.pop()
        except IndexError:
            name = type(self).__name__
            raise RuntimeError(f"this {name} is in use: each thread needs one of its own") from None
        try:
            return method(self, *given, **named)
        finally:
            self._turn.append(turn)

    return cast("_Method", called)


class Option(NamedTuple):
    """A row of a table of options: what stands beside the name, the type and the default of one.

    ``flags`` is how it is written on the command line: "-u --unique", or "" if it counts in the library only.
    ``metavar`` is what its value is called there; a switch has none. ``read`` makes of a value what the
    program works with, or raises `ValueError`. ``names`` are those that a list can have, any if it is empty,
    or a function that returns them; ``least`` and ``most`` are the bounds of a number, whose ``names`` are
    words for 0.

    An option that selects results has ``passes``, a function of its value and a `Found`, true of these.
    One that ``is_daily`` is shown by ``-h``.
    """

    flags: str
    help: str = ""
    metavar: str = ""
    default: Any = None
    read: Callable[[str, Any], Any] | None = None
    passes: Callable[[Any, Any], bool] | None = None
    names: tuple[str, ...] | Callable[[], tuple[str, ...]] = ()
    least: int = 0
    most: int | None = None
    section: Literal["Output", "Input", "URLs", "Messages", "Other"] = "URLs"
    is_daily: bool = False

    def known(self) -> tuple[str, ...]:
        """Return the names."""
        return self.names() if callable(self.names) else self.names


def rows_of(table: Any) -> dict[str, tuple[Any, Any]]:
    """Return the row and the type of each field of a table: a class whose fields are annotated with rows."""
    hints = get_type_hints(table, include_extras=True)
    return {
        name: (hint.__metadata__[0], hint.__origin__)
        for name, hint in hints.items()
        if get_origin(hint) is Annotated
    }


def is_list(kind: Any) -> bool:
    """Return whether an option of a type has several values.

    >>> is_list(tuple[str, ...]), is_list(str | None)
    (True, False)
    """
    return any(get_origin(each) in (abc.Iterable, tuple) for each in (kind, *get_args(kind)))


def listed(name: str, value: Any) -> tuple[str, ...]:
    """Return the values of an argument that may have several; a lone str is one.

    >>> listed("schemes", "http"), listed("schemes", {"ftp"})
    (('http',), ('ftp',))
    """
    if isinstance(value, str):
        return (value,)
    if not isinstance(value, abc.Iterable):
        raise TypeError(f"{name} is {type(value).__name__}: it is one value, or several")
    values = tuple(value)
    for each in values:
        if not isinstance(each, str):
            raise TypeError(f"{name}: {each!r} is {type(each).__name__}: each value is a str")
    return values


def check_choice(name: str, value: object, choices: Any) -> None:
    """Raise `ValueError` if ``value`` is none of those of a `Literal`.

    >>> from typing import Literal
    >>> check_choice("policy", "keep", Literal["keep", "wrap"])
    >>> check_choice("policy", "fold", Literal["keep", "wrap"])
    Traceback (most recent call last):
    ValueError: policy: unknown value 'fold': choose one of 'keep', 'wrap'
    """
    allowed = get_args(choices)
    if value not in allowed:
        raise ValueError(f"{name}: unknown value {value!r}: choose one of {', '.join(map(repr, allowed))}")


def check_count(name: str, value: int, least: int) -> None:
    """Raise `ValueError` if ``value`` is less than ``least``.

    >>> check_count("width", 0, 1)
    Traceback (most recent call last):
    ValueError: width: 0 is less than 1
    """
    if not isinstance(value, int):
        raise TypeError(f"{name} is {type(value).__name__}: it is a number")
    if value < least:
        raise ValueError(f"{name}: {value} is less than {least}")


def check_type(name: str, value: object, kinds: type | tuple[type, ...], words: str) -> None:
    """Raise `TypeError` if ``value`` is none of these ``kinds``, which are what ``words`` say.

    >>> check_type("prefix", 3, str, "a str")
    Traceback (most recent call last):
    TypeError: prefix is int: it is a str
    """
    if not isinstance(value, kinds):
        raise TypeError(f"{name} is {type(value).__name__}: it is {words}")


def check_switches(**switches: object) -> None:
    """Raise `TypeError` for the first switch that is neither True nor False."""
    for name, value in switches.items():
        check_type(name, value, bool, "True or False")


def check_function(name: str, value: object, given: str, *, required: bool = False) -> None:
    """Raise `TypeError` if ``value`` is no function; ``given`` is what it would be called with.

    >>> check_function("on_damage", 1, "a SourceError")
    Traceback (most recent call last):
    TypeError: on_damage is int: it is a function that is called with a SourceError
    """
    if (required or value is not None) and not callable(value):
        raise TypeError(f"{name} is {type(value).__name__}: it is a function that is called with {given}")
