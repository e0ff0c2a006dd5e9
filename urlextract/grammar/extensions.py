"""The extensions of file names, and what each of them tells, by kind: see ``data/extensions.txt``."""

from __future__ import annotations

from urlextract.grammar.names import lines_of

_ROWS = [line.split() for line in lines_of("extensions.txt")]


def extensions(*kinds: str) -> frozenset[str]:
    """Return the extensions of any of ``kinds``, in lower case and without their dot.

    >>> "html" in extensions("page"), "py" in extensions("page", "file"), "py" in extensions("source")
    (True, False, True)
    """
    return frozenset(name for name, *own in _ROWS if not set(kinds).isdisjoint(own))


def extension_of(*kinds: str) -> str:
    """Return a pattern for the extensions of ``kinds``, in lower case and without their dot."""
    return f"(?:{'|'.join(sorted(extensions(*kinds)))})"
