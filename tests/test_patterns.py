"""Every pattern of the package compiles, and is right in Python releases whose `re` has a fault."""

from __future__ import annotations

import gc
import importlib.util
import pkgutil
import re
from functools import cache
from re import _compiler, _parser  # the fault is in these, and no public name shows it
from typing import Any

import pytest

import urlextract
from urlextract import Url, urls
from urlextract.grammar.patterns import lazy_re


@cache
def sources() -> list[tuple[str | bytes, int]]:
    """Return the source and flags of every pattern of the package."""
    found: list[tuple[str | bytes, int]] = []
    for module in pkgutil.walk_packages(urlextract.__path__, "urlextract."):
        if not module.name.endswith("__main__"):
            values = vars(importlib.import_module(module.name)).values()
            found += [(each.pattern, each.flags) for each in values if isinstance(each, re.Pattern)]
    kinds = [Url, *(kind for kind in vars(urls).values() if isinstance(kind, type) and issubclass(kind, Url))]
    found += [(fault.pattern, int(re.DOTALL)) for kind in kinds for fault in kind.FAULTS]
    waiting = [value for value in gc.get_objects() if type(value) is type(lazy_re(""))]
    # Private: the public attributes of a pattern are those after it was compiled.
    return found + [(each._source, int(each._flags)) for each in waiting if each._compiler is re.compile]


def possessive(tree: Any) -> list[Any]:
    """Return the possessive repeats in a parsed pattern, except those of one character."""
    found = []
    for code, value in tree:
        if code is _parser.POSSESSIVE_REPEAT and not _compiler._simple(value[2]):
            found.append(value)
        for part in parts(value):
            found += possessive(part)
    return found


def parts(value: Any) -> list[Any]:
    if isinstance(value, _parser.SubPattern):
        return [value]
    return [part for item in value for part in parts(item)] if isinstance(value, tuple | list) else []


def test_every_pattern_compiles() -> None:
    assert len(sources()) > 600
    for source, flags in sources():
        re.compile(source, flags)
    assert lazy_re(rb"(?i:url)|<", re.DOTALL).findall(b"URL<") == [b"URL", b"<"]
    with pytest.raises(re.error):
        _ = lazy_re("(").flags


@pytest.mark.parametrize("repeat", ["*+", "++", "?+", "{2,3}+"])
def test_the_check_finds_what_is_faulty(repeat: str) -> None:
    assert possessive(_parser.parse(f"x(?:ab?c){repeat}"))
    assert not possessive(_parser.parse(f"x[ab]{repeat}(?>(?:ab?c){repeat[:-1]})"))


def test_no_pattern_repeats_a_group_possessively() -> None:
    """Python 3.11.0 to 3.11.4 would end such a match in the middle of a repetition (gh-106052)."""
    assert not [
        source for source, flags in sources() if possessive(_parser.parse(source, flags & re.VERBOSE))
    ]
