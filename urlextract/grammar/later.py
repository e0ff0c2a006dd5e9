"""Patterns that are compiled when a text first asks for them.

To compile one takes up to ten milliseconds, and most texts ask for few of them: a
command in a pipe would spend more time on patterns than on a message.
"""

from __future__ import annotations

import re
from typing import Any, AnyStr, cast

__all__ = ["later"]


def later(source: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """Give a pattern as `re.compile` does, which takes its time when it is first used.

    An error in it shows then, too. Its methods cost some 50 ns more a call: what each message asks
    is compiled at once. The `re` of its matches is not it, but what it stands for.

    >>> later(r"[a-z]+").findall("from mail")
    ['from', 'mail']
    """
    return cast("re.Pattern[AnyStr]", _Later(source, flags))


class _Later:
    """Stands for a pattern, whose attributes it takes over one by one as they are asked for."""

    def __init__(self, source: str | bytes, flags: int) -> None:
        self._source = source
        self._flags = flags

    def __getattr__(self, name: str) -> Any:
        if name == "_compiled":
            value: Any = re.compile(self._source, self._flags)
        else:
            value = getattr(self._compiled, name)
        setattr(self, name, value)
        return value
