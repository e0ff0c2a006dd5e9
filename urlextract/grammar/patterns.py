"""Patterns, as every Python from 3.11 on understands them, at once or when a text first asks.

To compile one takes up to ten milliseconds, and most texts ask for few of them: a
command in a pipe would spend more time on patterns than on a message.
"""

from __future__ import annotations

import re
import sys
from importlib import import_module
from typing import Any, AnyStr, cast

__all__ = ["compile_re", "lazy_re", "patch_possessive"]

# Debian 12 has 3.11.2. There a possessive repeat of a group that fails after its first
# character ends where that try ended, and not where its last whole turn did (gh-106052).
_IS_FAULTY = sys.version_info < (3, 11, 5)


def compile_re(source: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """Return a pattern as `re.compile` does.

    >>> compile_re(r"(?:ab?c)*+").match("acab").span()
    (0, 2)
    """
    return patch_possessive(source, flags) if _IS_FAULTY else re.compile(source, flags)


def lazy_re(source: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """Return a pattern as `compile_re` does, which takes its time when it is first used.

    An error in it shows then, too. Its methods cost some 50 ns more a call: what each message asks
    is compiled at once. The `re` of its matches is not it, but what it stands for.

    >>> lazy_re(r"[a-z]+").findall("from mail")
    ['from', 'mail']
    """
    return cast("re.Pattern[AnyStr]", _Later(source, flags))


def patch_possessive(source: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """Compile a pattern with its possessive repeats of groups written as atomic groups.

    ``(?:ab?c)*+`` means the same as ``(?>(?:ab?c)*)``, which no release gets wrong. The inner
    modules of `re` are asked, as they are in the releases with the fault; the `pattern` of what
    they give is None.

    >>> patch_possessive(r"(?:ab?c)*+").match("acab").span()
    (0, 2)
    """
    parser, compiler = import_module("re._parser"), import_module("re._compiler")
    tree = parser.parse(source, int(flags))
    _mend(tree, parser, compiler)
    return cast("re.Pattern[AnyStr]", compiler.compile(tree, int(flags)))


def _mend(tree: Any, parser: Any, compiler: Any) -> None:
    """Change each possessive repeat in a parsed pattern, but those of one character, which are right."""
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
    """Stands for a pattern, whose attributes it takes over one by one as they are asked for."""

    def __init__(self, source: str | bytes, flags: int) -> None:
        self._source = source
        self._flags = flags

    def __getattr__(self, name: str) -> Any:
        if name == "_compiled":
            value: Any = compile_re(self._source, self._flags)
        else:
            value = getattr(self._compiled, name)
        setattr(self, name, value)
        return value
