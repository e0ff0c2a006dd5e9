"""Patterns that are compiled when they are first used.

Compiling a pattern takes up to ten milliseconds, and most texts need few patterns. A
command in a pipe would spend more time on patterns than on a message.

In Python 3.11.0 to 3.11.4 a possessive repeat of a group is wrong (gh-106052): if it fails within the
group, the match ends where that attempt failed, and not after the last complete repetition. Write
``(?>(?:...)*)``, which every release matches correctly. A possessive repeat of one character is right.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from importlib import import_module
from typing import Any, AnyStr, cast


def lazy_re(source: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """Return a pattern as `re.compile` does, but compile it when it is first used.

    An error in the pattern is raised then, too. Each method call takes about 50 ns longer, so
    patterns that every message needs are compiled at once. The ``re`` attribute of
    its matches is the compiled pattern, not the object that this function returns.

    >>> lazy_re(r"[a-z]+").findall("from mail")
    ['from', 'mail']
    """
    return cast("re.Pattern[AnyStr]", _Later(re.compile, source, flags))


def lazy_regex(source: str) -> Any:
    r"""Return a pattern of `regex`, which is loaded when the pattern is first used.

    It knows scripts and grapheme clusters, which `re` does not. Loading it takes 10 ms, and hardly any text
    needs it.

    >>> lazy_regex(r"\p{Greek}+").search("see \u03b1\u03b2").span()
    (4, 6)
    """
    return _Later(_compiled_regex, source)


def _compiled_regex(source: str, flags: int) -> Any:
    return import_module("regex").compile(source, flags)


class _Later:
    """A proxy of a pattern, which copies each attribute of the compiled pattern on first access."""

    def __init__(self, compiler: Callable[..., Any], source: str | bytes, flags: int = 0) -> None:
        self._compiler, self._source, self._flags = compiler, source, flags

    def __getattr__(self, name: str) -> Any:
        if name == "_compiled":
            value: Any = self._compiler(self._source, self._flags)
        else:
            value = getattr(self._compiled, name)
        setattr(self, name, value)
        return value

    def __reduce__(self) -> tuple[type[_Later], tuple[Callable[..., Any], str | bytes, int]]:
        return type(self), (self._compiler, self._source, self._flags)
