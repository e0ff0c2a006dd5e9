"""The width of text in the cells of a terminal, as wcwidth counts them."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from itertools import accumulate
from typing import Any

from urlextract.grammar.patterns import lazy_re

_STRAY = lazy_re("[\ud800-\udfff]")  # bytes that are not UTF-8 are shown as one mark each

# Characters that may take no cell, or two: all others take one.
_ODD = lazy_re("[\u0300-\u036f\u0483-\u0489\u0591-\u200f\u2028-\u202f\u2060-\u206f\u20d0-\U0010ffff]")


def takes_a_cell_each(text: str) -> bool:
    """Return True if each character of ``text`` is known to take one cell, False if it may not.

    >>> takes_a_cell_each("harbour"), takes_a_cell_each("\N{HIRAGANA LETTER A}")
    (True, False)
    """
    return _ODD.search(text) is None


def _is_as_long_as_wide(text: str) -> bool:
    """Return True if ``text`` is known to take as many cells as it has characters."""
    return text.isascii() or (text.isprintable() and takes_a_cell_each(text))


def cells_of(text: str) -> int:
    r"""Return the cells that ``text`` takes; a control character, which has no width, takes none.

    >>> cells_of("abc"), cells_of("日本"), cells_of("e\u0301")
    (3, 4, 1)
    """
    if _is_as_long_as_wide(text):
        return len(text)
    width: int = _wcwidth().wcswidth(_STRAY.sub("?", text))
    return width if width >= 0 else cells_before(text)[-1]


def _wcwidth() -> Any:
    """Return the library, whose tables take 17 ms to load, and which most text does not need."""
    return import_module("wcwidth")


def cells_before(text: str) -> Sequence[int]:
    """Return the number of cells before each character of ``text``, and the total.

    >>> list(cells_before("a日b"))
    [0, 1, 3, 4]
    """
    if _is_as_long_as_wide(text):
        return range(len(text) + 1)
    wcwidth = _wcwidth().wcwidth
    return [0, *accumulate(max(0, wcwidth(char)) for char in _STRAY.sub("?", text))]
