"""Lists of names as data files: one name a line, with where and when they were taken."""

from __future__ import annotations

import pkgutil


def lines_of(file: str) -> list[str]:
    """Return the lines of a data file of this package, without its comments."""
    data = pkgutil.get_data(__package__, f"data/{file}") or b""
    return [line for line in data.decode().splitlines() if not line.startswith("#")]


def names_in(file: str) -> frozenset[str]:
    """Return the names in a data file of this package.

    >>> "com" in names_in("tlds.txt"), "ms-settings-wifi" in names_in("schemes.txt")
    (True, True)
    """
    return frozenset(lines_of(file))
