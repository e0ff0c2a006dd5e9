"""Check arguments of the public functions; errors name the argument, its value and what is allowed."""

from __future__ import annotations

import reprlib
from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar, get_args

_Given = ParamSpec("_Given")
_Result = TypeVar("_Result")


class _OfOneThread(Protocol):
    _turn: list[None]  # of one item; a lock could be neither copied nor pickled


_Self = TypeVar("_Self", bound=_OfOneThread)


def alone(
    method: Callable[Concatenate[_Self, _Given], _Result],
) -> Callable[Concatenate[_Self, _Given], _Result]:
    """Have ``method`` raise `RuntimeError` while such a method of the same object runs in another thread."""

    @wraps(method)
    def called(self: _Self, /, *given: _Given.args, **named: _Given.kwargs) -> _Result:
        try:
            turn = self._turn.pop()
        except IndexError:
            name = type(self).__name__
            raise RuntimeError(f"this {name} is in use: each thread needs one of its own") from None
        try:
            return method(self, *given, **named)
        finally:
            self._turn.append(turn)

    return called


def check_choice(name: str, value: object, choices: Any) -> None:
    """Raise `ValueError`, or `TypeError` for another type, if ``value`` is none of those of a `Literal`.

    >>> from typing import Literal
    >>> check_choice("policy", "keep", Literal["keep", "wrap"])
    >>> check_choice("policy", "fold", Literal["keep", "wrap"])
    Traceback (most recent call last):
    ValueError: policy: unknown value 'fold': choose one of 'keep', 'wrap'
    """
    allowed = get_args(choices)
    if type(value) in {type(choice) for choice in allowed} and value in allowed:
        return
    listed = ", ".join(map(repr, allowed))
    if not isinstance(value, str):
        raise TypeError(f"{_of_type(name, value)}: choose one of {listed}")
    raise ValueError(f"{name}: unknown value {value!r}: choose one of {listed}")


def check_count(name: str, value: object, least: int) -> None:
    """Raise `TypeError` if ``value`` is not an integer, `ValueError` if it is less than ``least``.

    >>> check_count("width", 0, 1)
    Traceback (most recent call last):
    ValueError: width: 0 is less than 1
    """
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError(f"{_of_type(name, value)}, not int")
    if value < least:
        raise ValueError(f"{name}: {value} is less than {least}")


def check_is(name: str, value: object, *types: type) -> None:
    """Raise `TypeError` if ``value`` is an instance of none of ``types``.

    >>> check_is("text", b"see", str)
    Traceback (most recent call last):
    TypeError: text: b'see' is of type bytes, not str
    """
    if not isinstance(value, types):
        expected = " or ".join(each.__name__ for each in types)
        raise TypeError(f"{_of_type(name, value)}, not {expected}")


def _of_type(name: str, value: object) -> str:

    return f"{name}: {reprlib.repr(value)} is of type {type(value).__name__}"
