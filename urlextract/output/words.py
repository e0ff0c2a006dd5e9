"""The texts a command is given: as words on its line, or one a line of standard input."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

__all__ = ["texts_of"]


def texts_of(words: Iterable[str]) -> Iterator[str]:
    """Give each word; for "-" the lines of standard input that are not blank, trimmed."""
    for word in words:
        if word != "-":
            yield word
        else:
            if sys.stdin is None:
                raise OSError(0, "standard input is closed", "-")
            for line in sys.stdin.buffer:
                text = line.decode("utf-8", "surrogateescape").strip().lstrip("\ufeff")
                if text:
                    yield text
