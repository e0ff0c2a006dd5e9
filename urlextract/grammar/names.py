"""The lists of names in ``data``, with where and when they were taken; extensions of file names."""

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


_EXTENSIONS = [line.split() for line in lines_of("extensions.txt")]


def extensions(*kinds: str) -> frozenset[str]:
    """Return the extensions of any of ``kinds``, in lower case and without their dot.

    >>> "html" in extensions("page"), "py" in extensions("page", "file"), "py" in extensions("source")
    (True, False, True)
    """
    return frozenset(name for name, *own in _EXTENSIONS if not set(kinds).isdisjoint(own))


def extension_of(*kinds: str) -> str:
    """Return a pattern for the extensions of ``kinds``, in lower case and without their dot."""
    return f"(?:{'|'.join(sorted(extensions(*kinds)))})"
