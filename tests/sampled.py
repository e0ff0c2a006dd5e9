"""Tables of which the quick tests run some rows; all others are slow tests."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest


def mostly_slow(rows: Iterable[Any], quick: int = 1) -> list[Any]:
    """Return the rows of a table for ``parametrize``; all but the first ``quick`` ones are slow tests.

    A row of several arguments is a tuple.
    """
    table = list(rows)
    kept, slow = table[:quick], table[quick:]
    values = (row if isinstance(row, tuple) else (row,) for row in slow)
    return [*kept, *(pytest.param(*row, marks=pytest.mark.slow) for row in values)]
