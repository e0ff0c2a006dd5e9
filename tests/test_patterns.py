"""Every pattern of the package compiles, and matches the same in Python releases whose `re` has a bug."""

from __future__ import annotations

import gc
import importlib.util
import pkgutil
import re
import sys
from functools import cache
from pathlib import Path
from re import _compiler, _parser  # the fault is in these, and no public name shows it
from typing import Any

import pytest

import urlextract
from urlextract.grammar.patterns import compile_re, lazy_re, patch_possessive

CORPORA = Path(__file__).parent.parent / "corpora"
TEXTS = [path.read_bytes() for path in sorted(CORPORA.rglob("*")) if path.is_file()]


@cache
def sources() -> list[tuple[str | bytes, int]]:
    """Return the source and flags of every pattern of the package."""
    without = () if importlib.util.find_spec("distributed") else ("urlextract.cluster.local",)  # an extra
    for module in pkgutil.walk_packages(urlextract.__path__, "urlextract."):
        if not module.name.endswith("__main__") and module.name not in without:
            importlib.import_module(module.name)
    waiting = [value for value in gc.get_objects() if type(value) is type(lazy_re(""))]
    # Private: the public attributes of a pattern are those after it was compiled, and perhaps patched.
    return [(value._source, int(value._flags)) for value in waiting if value._compiler is compile_re]


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


CASES = [
    # pattern, text, and the end of the match at its start, or None
    ("(?:ab?c)++", "aca", 2),
    ("(?:ab?c)*+", "aca", 2),
    ("(?:ab?c)?+", "a", 0),
    ("(?:ab?c){1,3}+", "aca", 2),
    ("(?:ab?c){1,3}+", "acabcacac", 7),
    ("(?:ab?c)++", "ab", None),
    ("(?:.(?!D))*+", "ABCDE", 2),
    ("(?:a[bc]*+d)*+", "abdabe", 3),
    ("(?:a(?=b)b)*+", "aba", 2),
    ("(?:(?:ab?c)*+d)*+", "acdacda", 6),
    ("(?:(?:ab?c)*+d|(?=(?:e[fg]?h)?+)e)*+", "acdeacegx", 4),
    ("(?:a|ab)*+b", "aab", 3),
    ("(?:ab?|c)*+b", "abab", None),  # no backtracking
    ("(?:(a)b?|(c)d?e)*+", "abacd", 3),
    ("(?<=x)(?:ab?c)*+", "xaca", None),
]


@pytest.mark.parametrize("how", [compile_re, lazy_re, patch_possessive])
@pytest.mark.parametrize(("pattern", "text", "end"), CASES)
def test_possessive_repeat_ends_after_the_last_whole_repetition(
    how: Any, pattern: str, text: str, end: Any
) -> None:
    match = how(pattern).match(text)
    assert (match and match.end()) == end
    match = how(pattern.encode()).match(text.encode())
    assert (match and match.end()) == end


def test_patched_pattern_keeps_flags_groups_and_names() -> None:
    pattern = patch_possessive(r"(?P<one>(?:ab?c)++) (x) # name", re.VERBOSE | re.IGNORECASE | re.ASCII)
    assert pattern.flags == re.VERBOSE | re.IGNORECASE | re.ASCII
    assert pattern.groupindex == {"one": 1}
    match = pattern.match("ACabcX")
    assert match
    assert match.groupdict() == {"one": "ACabc"}
    assert match.groups() == ("ACabc", "X")
    with pytest.raises(re.error):
        patch_possessive("(")


def test_every_pattern_compiles() -> None:
    assert len(sources()) > 250
    for source, flags in sources():
        assert lazy_re(source, flags).flags == compile_re(source, flags).flags
    assert lazy_re(rb"(?i:url)|<", re.DOTALL).findall(b"URL<") == [b"URL", b"<"]
    with pytest.raises(re.error):
        _ = lazy_re("(").flags


@pytest.mark.skipif(sys.version_info < (3, 11, 5), reason="this Python's `re` has the fault itself")
def test_patched_pattern_has_the_same_matches() -> None:
    """Compared in a Python without the bug, on all sample texts."""
    changed = [(source, flags) for source, flags in sources() if possessive(_parser.parse(source, flags))]
    assert len(changed) > 20
    for source, flags in changed:
        right, other = re.compile(source, flags), patch_possessive(source, flags)
        for data in TEXTS:
            text: Any = data if isinstance(source, bytes) else data.decode("latin-1")
            expected = [match.regs for match in right.finditer(text)]
            assert [match.regs for match in other.finditer(text)] == expected, source
