"""Relative references: the tables of RFC 3986, section 5.4, and of RFC 1630 (SPEC §5)."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from library import resolve

from urlextract import UrlSyntaxError, parse_url

BASE = "http://a/b/c/d;p?q"
RFC3986 = {
    "g:h": "g:h", "g": "http://a/b/c/g", "./g": "http://a/b/c/g", "g/": "http://a/b/c/g/", "/g": "http://a/g",
    "//g": "http://g", "?y": "http://a/b/c/d;p?y", "g?y": "http://a/b/c/g?y", "#s": "http://a/b/c/d;p?q#s",
    "g#s": "http://a/b/c/g#s", "g?y#s": "http://a/b/c/g?y#s", ";x": "http://a/b/c/;x", "g;x": "http://a/b/c/g;x",
    "g;x?y#s": "http://a/b/c/g;x?y#s", "": "http://a/b/c/d;p?q", ".": "http://a/b/c/", "./": "http://a/b/c/",
    "..": "http://a/b/", "../": "http://a/b/", "../g": "http://a/b/g", "../..": "http://a/", "../../": "http://a/",
    "../../g": "http://a/g",
    # 5.4.2, abnormal examples
    "../../../g": "http://a/g", "../../../../g": "http://a/g", "/./g": "http://a/g", "/../g": "http://a/g",
    "g.": "http://a/b/c/g.", ".g": "http://a/b/c/.g", "g..": "http://a/b/c/g..", "..g": "http://a/b/c/..g",
    "./../g": "http://a/b/g", "./g/.": "http://a/b/c/g/", "g/./h": "http://a/b/c/g/h", "g/../h": "http://a/b/c/h",
    "g;x=1/./y": "http://a/b/c/g;x=1/y", "g;x=1/../y": "http://a/b/c/y", "g?y/./x": "http://a/b/c/g?y/./x",
    "g?y/../x": "http://a/b/c/g?y/../x", "g#s/./x": "http://a/b/c/g#s/./x", "g#s/../x": "http://a/b/c/g#s/../x",
    "http:g": "http:g",
}  # fmt: skip


@pytest.mark.parametrize(("partial", "full"), RFC3986.items())
def test_reference_of_rfc3986_resolves_as_its_table_says(partial, full) -> None:
    assert resolve(BASE, partial) == full
    assert resolve(parse_url(BASE), partial) == full


@pytest.mark.parametrize(
    ("base", "partial", "full"),
    [
        ("http://a", "g", "http://a/g"),
        ("http://a?q", "g", "http://a/g"),
        ("http://a#f", "", "http://a"),
        ("http://a/b/../c", "", "http://a/b/../c"),
        ("urn:a:b", "c", "urn:c"),
        ("mailto:a@b", "?x", "mailto:a@b?x"),
        ("x:/a//b", "../..//c", "x:/.//c"),
        ("x:a/b", "../../c", "x:/c"),
        ("x:/a", "/.//b", "x:/.//b"),
    ],
)
def test_reference_to_an_unusual_base_resolves_by_rfc3986(base, partial, full) -> None:
    assert resolve(base, partial) == full


@pytest.mark.parametrize(("base", "partial", "full"), [
    # its own table, for two bases
    *(
        (base, partial, full)
        for base in ("magic://a/b/c//d/e/f", "magic://a/b/c//d/e/")
        for partial, full in (
            ("g", "magic://a/b/c//d/e/g"),
            ("/g", "magic://a/g"),
            ("//g", "magic://g"),
            ("../g", "magic://a/b/c//d/g"),
            ("g:h", "g:h"),
        )
    ),
    # its rules, beyond the table
    ("http://a/b/c", "", "http://a/b/c"),
    ("http://a/b/c#d", "#e", "http://a/b/c#e"),
    ("http://a/b/c?d/e", "f", "http://a/b/f"),
    ("http://a/b/c", "./f", "http://a/b/f"),
    ("http://a/b/c", "../../../f", "http://a/../../f"),
    ("http://a/b/c", "f/..", "http://a/b/"),
    ("http://a/b/c", "f?x/../y", "http://a/b/f?x/../y"),
    ("http://a/b/c", "///f", "http://a/b/c///f"),
    ("news:a.b.c", "d", "news:d"),
])  # fmt: skip
def test_reference_resolves_by_rfc1630(base, partial, full) -> None:
    assert resolve(base, partial, rules="rfc1630") == full


def test_result_that_does_not_parse_and_unknown_rules_raise() -> None:
    with pytest.raises(UrlSyntaxError, match="which http asks for"):
        parse_url(BASE).join("http:g")
    with pytest.raises(ValueError, match="rules"):
        parse_url(BASE).join("c", rules="rfc1808")  # type: ignore[arg-type]


partials = st.text(st.sampled_from("ab./?#:;%é\n"), max_size=20)


@given(
    st.sampled_from([BASE, "x:/a/b", "urn:a:b", "x://h", "x:a/b"]),
    partials,
    st.sampled_from(["rfc3986", "rfc1630"]),
)
def test_any_reference_resolves_without_dot_segments(base, partial, rules) -> None:
    full = resolve(base, partial, rules=rules)
    assert ":" in full
    if rules == "rfc3986":
        assert resolve(base, full) == resolve(base, resolve(base, full))
        path = re.match(r"[^:/?#]+:(?://[^/?#]*)?([^?#]*)", full)  # a host may be called ".."
        assert path
        assert "/../" not in path[1]
