"""Codes that have words: what programs compare, and what people read."""

from __future__ import annotations

from enum import StrEnum
from typing import Self


class WordedCode(StrEnum):
    """A code with its words, in which "{}" stands for a detail."""

    words: str

    def __new__(cls, code: str, words: str = "") -> Self:
        """Return a member of a code and its words; call the class with a code alone to look one up."""
        value = str.__new__(cls, code)
        value._value_ = code
        value.words = words
        return value
