"""Classes of which `help` and `dir` show what they add, and not also what all tuples and exceptions have."""

from __future__ import annotations

from typing import Any, TypeVar, cast

from msgspec import StructMeta

_Class = TypeVar("_Class", bound=type)
_OPERATORS = ("__call__", "__truediv__")


class Brief(type):
    """A class whose `dir` has the names for users that this package gives it, and no others.

    >>> from urlextract import Unwrapped
    >>> dir(Unwrapped), "index" in dir(Unwrapped(None, (), ""))
    (['by', 'chain', 'url'], True)
    """

    def __dir__(cls) -> list[str]:
        own = {name for each in cls.__mro__ if isinstance(each, Brief) for name in vars(each)}
        return [name for name in own if name in _OPERATORS or not name.startswith("_")]


class BriefStruct(Brief, StructMeta):
    """Such a class of a `msgspec.Struct`; `help` shows the names of its fields, without their types."""

    @property
    def __signature__(cls) -> Any:
        whole: Any = super().__signature__
        names = [each.replace(annotation=each.empty) for each in whole.parameters.values()]
        return whole.replace(parameters=names)


def brief(cls: _Class) -> _Class:
    """Return a `NamedTuple` as such a class; others have it as their metaclass."""
    return cast("_Class", Brief(cls.__name__, cls.__bases__, dict(vars(cls))))
