"""Compile patterns for every Python from 3.11 on, either at once or when they are first used.

Compiling a pattern takes up to ten milliseconds, and most texts need few patterns. A
command in a pipe would spend more time on patterns than on a message.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any, AnyStr, cast

# Debian 12 has 3.11.2. There, if a possessive repeat of a group fails within the group, the match
# ends where that attempt failed, and not after the last complete repetition (gh-106052).
_IS_FAULTY = sys.version_info < (3, 11, 5)


def compile_re(source: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """Return a pattern as `re.compile` does.

    >>> compile_re(r"(?:ab?c)*+").match("acab").span()
    (0, 2)
    """
    return patch_possessive(source, flags) if _IS_FAULTY else re.compile(source, flags)


def lazy_re(source: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """Return a pattern as `compile_re` does, but compile it when it is first used.

    An error in the pattern is raised then, too. Each method call takes about 50 ns longer, so
    patterns that every message needs are compiled with `compile_re`. The ``re`` attribute of
    its matches is the compiled pattern, not the object that this function returns.

    >>> lazy_re(r"[a-z]+").findall("from mail")
    ['from', 'mail']
    """
    return cast("re.Pattern[AnyStr]", _Later(compile_re, source, flags))


def lazy_regex(source: str) -> Any:
    r"""Return a pattern of `regex`, which is loaded when the pattern is first used.

    It knows scripts and grapheme clusters, which `re` does not. Loading it takes 10 ms, and hardly any text
    needs it.

    >>> lazy_regex(r"\p{Greek}+").search("see \u03b1\u03b2").span()
    (4, 6)
    """
    return _Later(lambda *given: import_module("regex").compile(*given), source)


def patch_possessive(source: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """Compile a pattern with its possessive repeats of groups written as atomic groups.

    ``(?:ab?c)*+`` means the same as ``(?>(?:ab?c)*)``, which every release matches
    correctly. This uses private modules of `re`, as they are in the releases with the fault. The
    ``pattern`` attribute of the result is None.

    >>> patch_possessive(r"(?:ab?c)*+").match("acab").span()
    (0, 2)
    """
    parser, compiler = import_module("re._parser"), import_module("re._compiler")
    tree = parser.parse(source, int(flags))
    _mend(tree, parser, compiler)
    return cast("re.Pattern[AnyStr]", compiler.compile(tree, int(flags)))


def _mend(tree: Any, parser: Any, compiler: Any) -> None:
    """Replace each possessive repeat in a parsed pattern, except those of one character, which work."""
    for place, (code, value) in enumerate(tree):
        for part in _parts(value, parser):
            _mend(part, parser, compiler)
        if code is parser.POSSESSIVE_REPEAT and not compiler._simple(value[2]):
            repeat = parser.SubPattern(tree.state, [(parser.MAX_REPEAT, value)])
            tree[place] = (parser.ATOMIC_GROUP, repeat)


def _parts(value: Any, parser: Any) -> list[Any]:
    """Return the patterns within an operand of a parsed pattern."""
    if isinstance(value, parser.SubPattern):
        return [value]
    if isinstance(value, tuple | list):
        return [part for item in value for part in _parts(item, parser)]
    return []


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
