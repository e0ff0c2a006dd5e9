"""The status line: what a long run is doing, at the end of the terminal, each time written over the last.

It is never wider than the terminal, as a line that was wrapped cannot be written over, and the cursor is not
hidden, as a run that is killed could not show it again. What else is written to the terminal clears it first.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress

_ECHO = 2  # columns of the ^C that the terminal shows after the line
_COLUMNS = 80  # of a terminal that does not know its width

_width = [0]  # of the line that is on the terminal


def draw(text: str) -> None:
    """Write ``text``, which is ASCII, over what was drawn before on standard error, cut to its width."""
    line = text[: _columns() - 1]
    _write(f"\r{line:<{_width[0]}}\r{line}")
    _width[0] = len(line)


def clear() -> None:
    """Remove what was drawn."""
    if _width[0]:
        _write(f"\r{' ' * min(_width[0] + _ECHO, _columns() - 1)}\r")
        _width[0] = 0


def _columns() -> int:
    try:
        return os.get_terminal_size(sys.stderr.fileno()).columns or _COLUMNS
    except (OSError, AttributeError, ValueError):  # standard error is closed, or no terminal
        return _COLUMNS


def _write(text: str) -> None:
    with suppress(OSError, AttributeError, ValueError):  # as above
        sys.stderr.write(text)
        sys.stderr.flush()
