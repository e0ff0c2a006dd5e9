"""Codes that have words: what programs compare, and what people read."""

from __future__ import annotations

from enum import StrEnum
from typing import Self, TypeVar


class WordedCode(StrEnum):
    """A code with its words, in which "{}" stands for a detail."""

    words: str

    def __new__(cls, code: str, words: str = "") -> Self:
        """Return a member of a code and its words; call the class with a code alone to look one up."""
        value = str.__new__(cls, code)
        value._value_ = code
        value.words = words
        return value


_Codes = TypeVar("_Codes", bound=WordedCode)


def listed(codes: type[_Codes]) -> type[_Codes]:
    """Add the codes with their words to the docstring of their class."""
    rows = "\n".join(f"    - {code}: {code.words}" for code in codes)
    codes.__doc__ = f"{(codes.__doc__ or '').rstrip()}\n\n{rows}\n    "
    return codes
