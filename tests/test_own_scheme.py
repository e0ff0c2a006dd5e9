"""A scheme of one's own is a class of rows, which any program can write: here ``dict`` of RFC 2229."""

from __future__ import annotations

import pickle

import pytest
from costs import LINEAR, growth
from hostile import times

from urlextract import Url, UrlSyntaxError, parse_url
from urlextract.schemes.rows import Chars, Fault, Part, listed
from urlextract.schemes.url import TYPES


# RFC 2229, section 5
#   dict://<user>;<auth>@<host>:<port>/d:<word>:<database>:<n>
#   dict://<user>;<auth>@<host>:<port>/m:<word>:<database>:<strat>:<n>
class DictUrl(Url, schemes="dict x-dict", authority="host", segments=False, acted_on=True):
    """A word of a dictionary."""

    __slots__ = ()
    FORM = "/d:{word}[:{database}[:{number}]] | /m:{word}[:{database}[:{strategy}[:{number}]]]"
    CHARS = (Chars("word", "word", "A-Za-z0-9"), Chars("database strategy", "database", "a-z*!"))
    FAULTS = (Fault(r"\A()\Z", "word", "no word", stretch="word"),)
    word = Part[str]("The word.")
    database = Part[str | None]("The name of the database, None for all.")
    strategy = Part[str | None]("How words are compared.")
    number = Part[int | None](
        "The number of the definition.",
        "[0-9]+",
        lambda raw: raw and int(raw),
        lambda value: value and str(value),
    )

    @property
    def default_port(self) -> int:
        """The port of RFC 2229."""
        return 2628


class TagsUrl(Url, schemes="x-tags", authority="none"):
    """A list of tags, which needs one row and one part."""

    FORM = "{tags}[?{query}]"
    tags = listed("The tags.", "+")


OWN = {
    name: TYPES.pop(name) for name in ("dict", "x-dict", "x-tags")
}  # the tests of others know no such types


@pytest.fixture(autouse=True)
def own_types(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, kind in OWN.items():
        monkeypatch.setitem(TYPES, name, kind)


@pytest.mark.parametrize(("text", "parts"), [
    ("dict://h.dom/d:shortcake:", {"word": "shortcake", "database": ""}),
    ("dict://h.dom:2628/d:shortcake:*:2", {"port": 2628, "word": "shortcake", "database": "*", "number": 2}),
    ("X-DICT://me@h.dom/m:sun#f", {"user": "me", "word": "sun", "fragment": "f"}),
    ("dict://h.dom/m:sun:!:soundex:3", {"word": "sun", "database": "!", "strategy": "soundex", "number": 3}),
    ("dict://h.dom/d:a?b", {"word": "a?b"}),
])  # fmt: skip
def test_parts_are_read(text, parts) -> None:
    url = parse_url(text)
    found = {name: value for name, value in url.parts().items() if value is not None}
    host = {"scheme": text.partition(":")[0].lower(), "host": "h.dom"}
    assert (type(url), str(url), found) == (DictUrl, text, host | parts)
    assert list(url.parts()) == [
        "scheme", "user", "password", "host", "port", "word", "database", "number", "strategy", "fragment",
    ]  # fmt: skip
    assert pickle.loads(pickle.dumps(url)) == url


@pytest.mark.parametrize(("text", "changes", "result"), [
    ("dict://h/d:a:b:2", {"word": "c%20d"}, "dict://h/d:c%20d:b:2"),
    ("dict://h/d:a:b:2", {"number": None}, "dict://h/d:a:b"),
    ("dict://h/d:a:b", {"number": 7}, "dict://h/d:a:b:7"),
    ("dict://h/m:a", {"database": "*", "strategy": "exact"}, "dict://h/m:a:*:exact"),
    ("dict://h/m:a:b:c", {"host": "h.dom", "scheme": "x-dict"}, "x-dict://h.dom/m:a:b:c"),
    ("http://h/d:a", {"scheme": "dict", "word": "b"}, "dict://h/d:b"),
    ("dict://h/d:a", {"scheme": "http"}, "http://h/d:a"),
    ("x-tags:a+b", {"tags": ("c", "d", "e")}, "x-tags:c+d+e"),
    ("x-tags:a+b?q", {"query": None}, "x-tags:a+b"),
])  # fmt: skip
def test_parts_are_replaced(text, changes, result) -> None:
    made = parse_url(text).replace(**changes)
    assert (str(made), type(made)) == (result, type(parse_url(result)))


@pytest.mark.parametrize(("text", "changes"), [
    ("dict://h/d:a", {"word": "b:c"}), ("dict://h/d:a", {"number": 2}), ("dict://h/d:a", {"host": None}),
    ("dict://h/x", {"database": "b"}), ("x-tags:a", {"tags": ("b+c",)}),
])  # fmt: skip
def test_what_would_be_read_otherwise_is_refused(text, changes) -> None:
    with pytest.raises(UrlSyntaxError, match="is not allowed"):
        parse_url(text).replace(**changes)


def test_value_of_another_type_and_unknown_part_are_type_errors() -> None:
    url = parse_url("dict://h/d:a")
    with pytest.raises(TypeError, match="word=5 is not allowed, it has another type"):
        url.replace(word=5)
    with pytest.raises(
        TypeError, match=r"DictUrl has no component 'search' to replace: use scheme, .*word, data"
    ):
        url.replace(search="b")


@pytest.mark.parametrize(("text", "violations"), [
    ("dict://h.dom/d:sun:all", []),
    ("dict://h.dom/d:s~n", [((16, 17), "RFC 1738, section 5: word", "unsafe character unencoded")]),
    ("dict://h.dom/d:s|n", [((16, 17), "RFC 1738, section 5: word", "unsafe character unencoded")]),
    ("dict://h.dom/d:", [((15, 15), "RFC 1738, section 5: word", "no word")]),
    ("dict://h.dom/x:y", [((12, 16), "RFC 1738, section 5: dict", "not the form of the scheme")]),
    ("dict://ho_st.dom/d:a", []),  # of RFC 3986
])  # fmt: skip
def test_violations_are_found_by_the_rows(text, violations) -> None:
    grammar = "rfc3986" if "_" in text else "rfc1738"
    found = parse_url(text).violations_of(grammar)
    assert [(tuple(each.span), each.rule, each.message) for each in found] == violations
    assert parse_url("dict://h.dom/x:y").word is None


def test_scheme_that_asks_for_a_host_is_refused_without_one() -> None:
    with pytest.raises(UrlSyntaxError, match='no "//" and host, which dict asks for'):
        parse_url("dict:a")


def test_all_that_urls_have_follows() -> None:
    url = parse_url("DICT://H.Dom:2628/d:%61b%0A")
    assert (str(url.normalized()), url.origin) == ("dict://h.dom/d:ab%0A", "dict://h.dom")
    assert url.key == parse_url("dict://h.dom/d:ab%0a").key
    assert [warning.code.value for warning in url.warnings] == ["acted-on"]
    assert str(url.join("/d:c")) == "DICT://H.Dom:2628/d:c"
    assert url.decoded("word") == "ab\n"
    with pytest.raises(ValueError, match="no segments"):
        url / "x"
    assert type(parse_url("http://h/").join("dict://h/d:a")) is DictUrl


@pytest.mark.parametrize("unit", ["a", ":", "1", ":1", "a:"])
def test_its_form_is_linear(unit) -> None:
    assert (
        growth(lambda text: parse_url(text).violations, times(unit, "dict://h/m:"), 10_000, 40_000) < LINEAR
    )
